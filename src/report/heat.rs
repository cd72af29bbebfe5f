//! Numbers as colours. What lies around zero fades from blue through nothing to red, so that it
//! reads on a light page and on a dark one; what does not goes from violet to yellow.

/// How much there is at most of a colour that fades into the page's own: the page's text reads on it.
const STRONGEST: f64 = 140.0;

/// A colour and how much of it there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Color {
    pub rgb: [u8; 3],
    pub alpha: u8,
}

/// What is no finite number.
pub const ODD: Color = Color { rgb: [214, 31, 179], alpha: 255 };

const NEGATIVE: [u8; 3] = [38, 118, 214];
const POSITIVE: [u8; 3] = [222, 82, 38];

/// From the smallest to the largest, evenly spaced: lighter and lighter also without colours.
const RAMP: [[u8; 3]; 5] =
    [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];

/// Which number has which colour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scale {
    /// Nothing at zero, everything at this distance from it.
    Around(f64),
    Between(f64, f64),
}

impl Scale {
    /// The one for numbers of this range; `None` where they are all the same.
    pub fn over(low: f64, high: f64) -> Option<Scale> {
        let is_range = low < high && low.is_finite() && high.is_finite();
        is_range.then(|| match low < 0.0 && high > 0.0 {
            true => Scale::Around(high.max(-low)),
            false => Scale::Between(low, high),
        })
    }

    /// The one for these numbers.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Scale> {
        let (low, high) = range(values);
        Scale::over(low, high)
    }

    /// The numbers at its ends.
    pub fn ends(self) -> (f64, f64) {
        match self {
            Scale::Around(reach) => (-reach, reach),
            Scale::Between(low, high) => (low, high),
        }
    }

    /// Where a finite number stands, from 0 to 1.
    pub fn place(self, value: f64) -> f64 {
        let (low, high) = self.ends();
        // Halves, because the distance of two finite numbers may not be one.
        ((value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0)).clamp(0.0, 1.0)
    }

    pub fn color(self, value: f64) -> Color {
        if value.is_finite() { self.color_at(self.place(value)) } else { ODD }
    }

    /// The colour at a place from 0 to 1.
    pub fn color_at(self, place: f64) -> Color {
        match self {
            Scale::Around(_) => {
                let rgb = if place < 0.5 { NEGATIVE } else { POSITIVE };
                Color { rgb, alpha: ((place - 0.5).abs() * 2.0 * STRONGEST).round() as u8 }
            }
            Scale::Between(..) => {
                let along = place * (RAMP.len() - 1) as f64;
                let from = (along as usize).min(RAMP.len() - 2);
                let share = along - from as f64;
                let mix = |at: usize| {
                    let (a, b) = (f64::from(RAMP[from][at]), f64::from(RAMP[from + 1][at]));
                    (a + (b - a) * share).round() as u8
                };
                Color { rgb: [mix(0), mix(1), mix(2)], alpha: 255 }
            }
        }
    }
}

/// The smallest and the largest finite number; infinite ones the wrong way round where there is none.
pub fn range(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let finite = values.into_iter().filter(|value| value.is_finite());
    finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_colour_between_negative_and_positive() {
        let scale = Scale::of([-1.0, 4.0, f64::NAN]).unwrap();
        assert_eq!(scale, Scale::Around(4.0));
        assert_eq!(scale.color(0.0).alpha, 0);
        assert_eq!(scale.color(4.0), Color { rgb: POSITIVE, alpha: 140 });
        assert_eq!(scale.color(-1.0).rgb, NEGATIVE);
        assert_eq!(scale.color(f64::INFINITY), ODD);
    }

    #[test]
    fn one_sided_numbers_use_the_whole_ramp() {
        let scale = Scale::of([2.0, 4.0]).unwrap();
        assert_eq!(scale.color(2.0).rgb, RAMP[0]);
        assert_eq!(scale.color(4.0).rgb, RAMP[4]);
        assert_eq!(scale.color(3.0).rgb, RAMP[2]);
    }

    #[test]
    fn extremes_do_no_harm() {
        assert_eq!(Scale::of([1.0, 1.0]), None);
        assert_eq!(Scale::of([f64::NAN]), None);
        let scale = Scale::of([-f64::MAX, f64::MAX]).unwrap();
        assert_eq!(scale.place(0.0), 0.5);
        assert_eq!(scale.color(f64::MAX).alpha, 140);
    }
}
