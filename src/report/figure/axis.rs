//! What an axis measures, from where to where, and what stands along it.

use super::locate;
use crate::report::chart::Ticks;

/// Numbers nearer to zero than this have no steps between them.
const LEAST: f64 = 1e-287;

/// What equal distances mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    Linear,
    /// Equal factors; numbers that are not positive have no place.
    Log,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    pub label: String,
    pub scale: Scale,
    /// The numbers at its ends, which differ; the first may be the greater one.
    pub ends: (f64, f64),
    /// Numbers that were asked for, with their labels.
    pub ticks: Option<Vec<(f64, String)>>,
}

/// The number that superscripts say.
fn raised(power: i32) -> String {
    let digit = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        c => char::from_u32(0x2070 + c.to_digit(10).unwrap_or(0)).unwrap_or(c),
    };
    power.to_string().chars().map(digit).collect()
}

impl Scale {
    /// Where a number stands on a straight line.
    fn straight(self, value: f64) -> f64 {
        match self {
            Scale::Linear => value,
            Scale::Log => value.log10(),
        }
    }

    fn back(self, value: f64) -> f64 {
        match self {
            Scale::Linear => value,
            Scale::Log => 10f64.powf(value),
        }
    }

    /// The ends of an axis for numbers from `low` to `high`, with so much of their distance beside each;
    /// for none at all with the numbers the wrong way round.
    pub fn around(self, low: f64, high: f64, (below, above): (f64, f64)) -> (f64, f64) {
        let (low, high) = match self {
            Scale::Linear if low > high => return (0.0, 1.0),
            Scale::Log if low > high => (1.0, 10.0),
            Scale::Log if low == high => {
                let (down, up) = (low.log10().floor(), low.log10().ceil());
                let down = if down == low.log10() { down - 1.0 } else { down };
                let up = if up == low.log10() { up + 1.0 } else { up };
                (10f64.powf(down), 10f64.powf(up))
            }
            Scale::Log => (low, high),
            Scale::Linear => {
                let largest = low.abs().max(high.abs());
                match high / 2.0 - low / 2.0 <= largest * 5e-16 {
                    _ if largest < LEAST => (-0.05, 0.05),
                    true => (low - 0.05 * low.abs(), high + 0.05 * high.abs()),
                    false => (low, high),
                }
            }
        };
        let (from, to) = (self.straight(low), self.straight(high));
        let room = to - from;
        let bounded = |value: f64| value.clamp(f64::MIN / 4.0, f64::MAX / 4.0);
        (self.back(bounded(from - below * room)), self.back(bounded(to + above * room)))
    }
}

impl Axis {
    pub fn new(scale: Scale, ends: (f64, f64)) -> Axis {
        Axis { label: String::new(), scale, ends, ticks: None }
    }

    /// Where a number stands, from 0 at the first end to 1 at the second; not a number where it has no place.
    pub fn place(&self, value: f64) -> f64 {
        if value == f64::INFINITY {
            return 1e6;
        }
        if value == f64::NEG_INFINITY {
            return -1e6;
        }
        let [low, high, value] = [self.ends.0, self.ends.1, value].map(|v| self.scale.straight(v));
        // Halves, because the distance of two finite numbers may not be one.
        let place = (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0);
        if place.is_nan() { place } else { place.clamp(-1e6, 1e6) }
    }

    fn sorted(&self) -> (f64, f64) {
        (self.ends.0.min(self.ends.1), self.ends.0.max(self.ends.1))
    }

    /// The numbers along it, at most one more than `most`, and what their labels share.
    pub fn marks(&self, most: usize) -> (Vec<(f64, String)>, String) {
        let (low, high) = self.sorted();
        if let Some(ticks) = &self.ticks {
            let inside = ticks.iter().filter(|(at, _)| {
                let place = self.place(*at);
                (-1e-9..=1.0 + 1e-9).contains(&place)
            });
            return (inside.cloned().collect(), String::new());
        }
        let most = most.clamp(1, 9);
        if self.scale == Scale::Log {
            let powers = locate::decades(low, high, most.max(2));
            if powers.len() >= 2 {
                let mark = |power: i32| (10f64.powi(power), format!("10{}", raised(power)));
                return (powers.into_iter().map(mark).collect(), String::new());
            }
        }
        let (places, step) = locate::linear(low, high, most);
        let Ticks { marks, note } = Ticks::stepped(&places, step);
        (marks, note)
    }

    /// Where lines without a number stand: between powers of ten that follow one another.
    pub fn minor(&self) -> Vec<f64> {
        let (low, high) = self.sorted();
        let is_log = self.scale == Scale::Log && self.ticks.is_none();
        if !is_log || (high / low).log10() > 6.0 {
            return Vec::new();
        }
        let powers = low.log10().floor() as i32..=high.log10().ceil() as i32;
        let all = powers.flat_map(|power| (2..10).map(move |n| f64::from(n) * 10f64.powi(power)));
        all.filter(|at| *at >= low && *at <= high).collect()
    }
}
