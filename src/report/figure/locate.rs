//! Where numbers stand along an axis: as matplotlib's `AutoLocator` and `LogLocator` choose.

/// Steps that an axis may have, times a power of ten; a decade below and one above those of interest.
const STEPS: [f64; 10] = [0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 2.5, 5.0, 10.0, 20.0];

/// More multiples than are looked at.
const MOST: usize = 400;

/// Places around which rounding may have moved a multiple of a step.
fn nearly(at: f64, whole: f64, step: f64, offset: f64) -> bool {
    let digits = (offset.abs() / step).log10();
    let tolerance =
        if offset == 0.0 { 1e-10 } else { 10f64.powf(digits - 12.0).clamp(1e-10, 0.4999) };
    (at - whole).abs() < tolerance
}

/// Multiples of a round step from `low` to `high`, which differ: at most one more than `most`, and their step.
pub fn linear(low: f64, high: f64, most: usize) -> (Vec<f64>, f64) {
    let (span, middle) = (high - low, high / 2.0 + low / 2.0);
    let offset = match middle.abs() / span < 100.0 {
        true => 0.0,
        false => 10f64.powf(middle.abs().log10().floor()).copysign(middle),
    };
    let scale = 10f64.powf((span / most as f64).log10().floor());
    if !scale.is_normal() {
        return (vec![low, high], 0.0);
    }
    let (low, high) = (low - offset, high - offset);
    let rough = (high - low) / most as f64;
    let first = STEPS.iter().position(|step| step * scale >= rough).unwrap_or(STEPS.len() - 1);
    let mut found = (Vec::new(), scale);
    for step in STEPS[..=first].iter().rev().map(|step| step * scale) {
        let base = (low / step).floor() * step;
        let edge = |at: f64| {
            let (whole, rest) = ((at / step).floor(), (at - (at / step).floor() * step) / step);
            (whole, rest)
        };
        let (from, rest) = edge(low - base);
        let from = if nearly(rest, 1.0, step, offset) { from + 1.0 } else { from };
        let (to, rest) = edge(high - base);
        let to = if nearly(rest, 0.0, step, offset) { to } else { to + 1.0 };
        let places =
            (0..=((to - from) as usize).min(MOST)).map(|at| (from + at as f64) * step + base);
        let inside: Vec<f64> = places.filter(|at| *at >= low && *at <= high).collect();
        let is_enough = inside.len() >= 2;
        found = (inside.into_iter().map(|at| at + offset).collect(), step);
        if is_enough {
            break;
        }
    }
    found
}

/// Powers of ten from `low` to `high`, which are positive: no more than `most`, at equal distances.
pub fn decades(low: f64, high: f64, most: usize) -> Vec<i32> {
    let (low, high) = (low.log10(), high.log10());
    let (first, last) = (low.ceil() as i32, high.floor() as i32);
    let there = (last - first + 1).max(0);
    // As many as there can be with one step between all of them.
    let step = there / (most as i32 + 1) + 1;
    let count = ((there + step - 1) / step).min(most as i32);
    if count <= 1 {
        let middle = ((low + high) / 2.0).round_ties_even() as i32;
        return if count == 1 { vec![middle.clamp(first, last)] } else { Vec::new() };
    }
    // The widest step that gives so many.
    let widest = (there - 1) / (count - 1);
    let step = if widest * count < there { there / count } else { widest };
    let (from, to) = ((there - step * count).max(0), step.min(there - step * (count - 1)));
    let whole = (-first).rem_euclid(step);
    let start = if (from..to).contains(&whole) { whole } else { from };
    (first + start..=last).step_by(step as usize).collect()
}
