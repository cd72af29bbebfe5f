//! From where to where axes go that nobody said it of.

use crate::report::figure::{Mark, Scale, Shape};

/// What marks reach along an axis.
#[derive(Debug, Clone)]
pub struct Reach {
    low: f64,
    high: f64,
    is_log: bool,
    /// Ends that marks stand on, so that no room is left behind them.
    firm: Vec<f64>,
}

impl Reach {
    pub fn new(scale: Scale) -> Reach {
        let is_log = scale == Scale::Log;
        Reach { low: f64::INFINITY, high: f64::NEG_INFINITY, is_log, firm: Vec::new() }
    }

    fn add(&mut self, values: &[f64]) {
        for value in values.iter().copied().filter(|value| value.is_finite()) {
            if !self.is_log || value > 0.0 {
                (self.low, self.high) = (self.low.min(value), self.high.max(value));
            }
        }
    }

    fn firm(&mut self, value: f64) {
        self.add(&[value]);
        self.firm.push(value);
    }

    /// The ends, with so much of their distance beside them.
    pub fn ends(&self, scale: Scale, margin: f64) -> (f64, f64) {
        let room = |end: f64| if self.firm.contains(&end) { 0.0 } else { margin };
        scale.around(self.low, self.high, (room(self.low), room(self.high)))
    }
}

/// What a mark reaches along both axes.
pub fn reach(mark: &Mark, x: &mut Reach, y: &mut Reach) {
    match &mark.shape {
        Shape::Curve(curve) => {
            let seen = |at: &usize| curve.x[*at].is_finite() && curve.y[*at].is_finite();
            for at in (0..curve.x.len()).filter(seen) {
                x.add(&[curve.x[at]]);
                y.add(&[curve.y[at]]);
                y.add(curve.low.get(at..=at).unwrap_or_default());
                y.add(curve.high.get(at..=at).unwrap_or_default());
            }
        }
        Shape::Dots(dots) => {
            let seen = |at: &usize| dots.x[*at].is_finite() && dots.y[*at].is_finite();
            for at in (0..dots.x.len()).filter(seen) {
                x.add(&[dots.x[at]]);
                y.add(&[dots.y[at]]);
            }
        }
        Shape::Boxes { boxes, is_flat, .. } => {
            for [left, low, right, high] in boxes {
                x.add(&[*left, *right]);
                y.add(&[*low, *high]);
                if *is_flat { x.firm(*left) } else { y.firm(*low) }
            }
        }
        Shape::Area { x: along, low, high } => {
            x.add(along);
            y.add(low);
            y.add(high);
        }
        Shape::Segments { ends, .. } => {
            for [x0, y0, x1, y1] in ends {
                x.add(&[*x0, *x1]);
                y.add(&[*y0, *y1]);
            }
        }
        Shape::Image(image) => {
            let [left, low, right, high] = image.extent;
            [left, right].into_iter().for_each(|end| x.firm(end));
            [low, high].into_iter().for_each(|end| y.firm(end));
        }
        Shape::Label(_) => {}
    }
}
