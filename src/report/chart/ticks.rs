//! Which numbers stand along an axis, and how: round ones, at least three and no two alike, all in one
//! form. What they share is said once, beside the axis: a power of ten that they are multiples of,
//! and the number that they are counted from where only their last digits differ.
//!
//! A step is 1, 2, 2.5 or 5 times a power of ten, as matplotlib's `MaxNLocator` and D3's `ticks` have
//! them. Labels are made from whole numbers of steps, so that no rounding shows in them.

use std::ops::RangeInclusive;

/// Digits that ticks must share before they are counted from a common number.
const SHARED: u32 = 4;

/// Digits after the point, and before it, that a label may have without a power of ten beside the axis.
const DECIMALS: i32 = 5;
const DIGITS: i32 = 6;

/// Beyond so many steps, neighbouring multiples are one number.
const MOST: f64 = 9e15;

/// The marks of an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Ticks {
    /// Where each stands, and its label.
    pub marks: Vec<(f64, String)>,
    /// What all labels have in common: `×1e-7`, `+1e6`, both, or nothing.
    pub note: String,
}

/// A number in tenths, hundredths … : `count` times ten to the power of `exponent`.
#[derive(Debug, Clone, Copy)]
struct Step {
    count: i128,
    exponent: i32,
}

impl Step {
    fn value(self) -> f64 {
        decimal(self.count, self.exponent)
    }
}

/// The number that a decimal text means, which multiplying powers of ten would miss by a bit.
fn decimal(count: i128, exponent: i32) -> f64 {
    format!("{count}e{exponent}").parse().unwrap_or(0.0)
}

/// The range that an axis shows: where numbers are all the same, some room about them.
pub fn widened(low: f64, high: f64) -> (f64, f64) {
    let largest = low.abs().max(high.abs());
    // A few times the distance between neighbouring numbers is no range that steps would fit in.
    let is_wide = high / 2.0 - low / 2.0 > largest * 1e-14;
    match largest {
        _ if is_wide => (low, high),
        0.0 => (-1.0, 1.0),
        _ => {
            let room = (largest / 20.0).max(f64::MIN_POSITIVE * 1e3);
            ((low - room).max(f64::MIN), (high + room).min(f64::MAX))
        }
    }
}

impl Ticks {
    /// About so many marks from `low` to `high`, which are finite.
    pub fn new(low: f64, high: f64, about: usize) -> Ticks {
        Ticks::within(low, high, about, |_| true)
    }

    /// The same for what is counted, as elements are: whole numbers where three of them fit.
    pub fn whole(low: f64, high: f64, about: usize) -> Ticks {
        Ticks::within(low, high, about, |step| step.exponent >= 0)
    }

    /// The labels of numbers at equal distances, each to a tenth of their distance.
    pub fn at(places: &[f64]) -> Ticks {
        let (Some(&low), Some(&high)) = (places.first(), places.last()) else {
            return Ticks { marks: Vec::new(), note: String::new() };
        };
        let steps = places.len().saturating_sub(1).max(1) as f64;
        let exponent = ((high / steps - low / steps).log10().floor() as i32).saturating_sub(1);
        let unit = decimal(1, exponent);
        let (labels, note) = match unit > 0.0 && low.abs().max(high.abs()) / unit < MOST {
            true => {
                let counts: Vec<i128> =
                    places.iter().map(|place| (place / unit).round() as i128).collect();
                labels(&counts, exponent)
            }
            false => {
                let brief = |place: &f64| super::super::header::brief(*place);
                (places.iter().map(brief).collect(), String::new())
            }
        };
        Ticks { marks: places.iter().copied().zip(labels).collect(), note }
    }

    /// The labels of multiples of a round step.
    pub fn stepped(places: &[f64], step: f64) -> Ticks {
        // Round steps have two digits at the most.
        let exponent = (step.log10().floor() as i32).saturating_sub(1);
        let unit = decimal(1, exponent);
        let largest = places.iter().fold(0.0f64, |most, place| most.max(place.abs()));
        if places.is_empty() || !(unit > 0.0 && largest / unit < MOST) {
            return Ticks::at(places);
        }
        let counts: Vec<i128> = places.iter().map(|place| (place / unit).round() as i128).collect();
        let (labels, note) = labels(&counts, exponent);
        let places = counts.iter().map(|count| decimal(*count, exponent));
        Ticks { marks: places.zip(labels).collect(), note }
    }

    fn within(low: f64, high: f64, about: usize, is_good: impl Fn(&Step) -> bool) -> Ticks {
        let (low, high) = widened(low, high);
        let about = about.max(2) as f64;
        let rough = high / about - low / about;
        let power = rough.log10().floor() as i32;
        // From the coarsest that may fit to finer ones: the first with enough marks, and among the first
        // few the one whose number of marks is nearest to what was asked for.
        let steps: Vec<Step> = (power - 2..=power + 2)
            .rev()
            .flat_map(|power| {
                [(5, power), (25, power - 1), (2, power), (1, power)]
                    .map(|(count, exponent)| Step { count, exponent })
            })
            .collect();
        let fits = |step: &&Step| reach(low, high, **step).is_some_and(|(a, b)| b - a >= 2);
        let far = |step: &Step| {
            let marks = (high / 2.0 - low / 2.0) / step.value() * 2.0;
            (marks / about).ln().abs()
        };
        let best =
            |steps: Vec<&Step>| steps.into_iter().min_by(|a, b| far(a).total_cmp(&far(b))).copied();
        let fitting: Vec<&Step> = steps.iter().filter(fits).collect();
        let good: Vec<&Step> = fitting.iter().copied().filter(|step| is_good(step)).collect();
        let Some(step) = best(if good.is_empty() { fitting } else { good }) else {
            let ends = [low, high].map(|end| (end, super::super::header::brief(end)));
            return Ticks { marks: ends.to_vec(), note: String::new() };
        };
        let Some((first, last)) = reach(low, high, step) else { unreachable!("it fits") };
        Ticks::multiples(step, first..=last)
    }

    /// Three marks as far from each other as can be, then nearer ones, for an axis where more do not fit: a
    /// step may then be 1.5, 3, 4, 6 or 8 times a power of ten, too.
    pub fn threes(low: f64, high: f64, is_counted: bool) -> impl Iterator<Item = Ticks> {
        let (low, high) = widened(low, high);
        let power = (high / 2.0 - low / 2.0).log10().floor() as i32;
        let steps = (power - 1..=power).rev().flat_map(|power| {
            let whole = [8, 6, 5, 4, 3].map(|count| Step { count, exponent: power });
            let halves = [25, 15].map(|count| Step { count, exponent: power - 1 });
            let fine = [2, 1].map(|count| Step { count, exponent: power });
            [&whole[..], &halves[..1], &fine[..1], &halves[1..], &fine[1..]].concat()
        });
        let is_good = move |step: &Step| !is_counted || step.exponent >= 0;
        steps.filter(is_good).filter_map(move |step| {
            let (first, last) = reach(low, high, step)?;
            (last - first >= 2).then(|| Ticks::multiples(step, first..=first + 2))
        })
    }

    fn multiples(step: Step, times: RangeInclusive<i128>) -> Ticks {
        let counts: Vec<i128> = times.map(|at| at * step.count).collect();
        let (labels, note) = labels(&counts, step.exponent);
        let places = counts.iter().map(|count| decimal(*count, step.exponent));
        Ticks { marks: places.zip(labels).collect(), note }
    }
}

/// The first and the last multiple of a step in a range; none where they can't be told apart.
fn reach(low: f64, high: f64, step: Step) -> Option<(i128, i128)> {
    let unit = step.value();
    let (first, last) = (low / unit, high / unit);
    if !(unit > 0.0 && first.abs() < MOST && last.abs() < MOST) {
        return None;
    }
    // An end that is a multiple up to rounding is one.
    let slack = |at: f64| (at.abs() * 4.0 * f64::EPSILON).max(1e-9);
    let (first, last) = ((first - slack(first)).ceil(), (last + slack(last)).floor());
    Some((first as i128, last as i128))
}

/// The labels of `counts`, in units of ten to the power of `exponent`, and what they share.
fn labels(counts: &[i128], exponent: i32) -> (Vec<String>, String) {
    let (low, high) = (counts[0], counts[counts.len() - 1]);
    let base = shared(low, high);
    let rest: Vec<i128> = counts.iter().map(|count| count - base).collect();
    let largest = rest.iter().map(|count| count.unsigned_abs()).max().unwrap_or(0);
    let top = exponent + largest.max(1).ilog10() as i32;
    let is_plain = -exponent <= DECIMALS && top < DIGITS;
    let scale = if is_plain { 0 } else { top };
    let mut note = String::new();
    if scale != 0 {
        note = format!("×1e{scale}");
    }
    if base != 0 {
        let gap = if note.is_empty() { "" } else { " " };
        note += &format!("{gap}{}", signed(base, exponent));
    }
    // Zeros that all of them end with are none that say anything.
    let mut decimals = (scale - exponent).max(0);
    let shift = (exponent - scale).max(0) as u32;
    while decimals > 0
        && rest
            .iter()
            .all(|count| count % 10i128.pow((scale - exponent - decimals + 1) as u32) == 0)
    {
        decimals -= 1;
    }
    let text = |count: &i128| {
        let cut = 10i128.pow((scale - exponent - decimals).max(0) as u32);
        fixed(count / cut * 10i128.pow(shift), decimals as usize)
    };
    (rest.iter().map(text).collect(), note)
}

/// The number that all counts are written from; zero where they share too few digits.
fn shared(low: i128, high: i128) -> i128 {
    if low.signum() * high.signum() <= 0 {
        return 0;
    }
    let (small, large) =
        (low.unsigned_abs().min(high.unsigned_abs()), low.unsigned_abs().max(high.unsigned_abs()));
    let span = large - small;
    // The first power of ten above the span in whose multiples one lies close by; 9.9 to 10.1 lie
    // about ten.
    let mut unit = 10u128.pow(span.max(1).ilog10() + 1);
    if small / unit != large / unit && large % unit > span {
        unit *= 10;
    }
    match large / unit {
        common if common >= 10u128.pow(SHARED - 1) => (common * unit) as i128 * low.signum(),
        _ => 0,
    }
}

/// A whole number with a point before its last digits: `-1250`, 2 is `-12.50`.
fn fixed(count: i128, decimals: usize) -> String {
    let sign = if count < 0 { "-" } else { "" };
    let digits = format!("{:0>width$}", count.unsigned_abs(), width = decimals + 1);
    let (int, frac) = digits.split_at(digits.len() - decimals);
    let point = if decimals > 0 { "." } else { "" };
    format!("{sign}{int}{point}{frac}")
}

/// `+1e6`, `-12345.6`: the shortest way to write it.
fn signed(count: i128, exponent: i32) -> String {
    let sign = if count < 0 { '-' } else { '+' };
    let digits = count.unsigned_abs().to_string();
    let short = digits.trim_end_matches('0');
    let exponent = exponent + (digits.len() - short.len()) as i32;
    let plain = match exponent {
        0.. => format!("{short}{}", "0".repeat(exponent.min(40) as usize)),
        _ => fixed(short.parse().unwrap_or(0), -exponent as usize),
    };
    let power = match short.split_at(1) {
        (one, "") => format!("{one}e{exponent}"),
        (one, more) => format!("{one}.{more}e{}", exponent + more.len() as i32),
    };
    let shorter =
        if power.len() < plain.len() && exponent.unsigned_abs() > 2 { power } else { plain };
    format!("{sign}{shorter}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(low: f64, high: f64, about: usize) -> String {
        let ticks = Ticks::new(low, high, about);
        let labels: Vec<&str> = ticks.marks.iter().map(|(_, label)| &**label).collect();
        format!("{} | {}", labels.join(" "), ticks.note)
    }

    /// Labels as matplotlib 3.10 writes them for these ranges, but that it keeps `1e6` for `×1e6`.
    #[test]
    fn labels_are_round_and_of_one_form() {
        let cases = [
            ((0.0, 1.0, 5), "0.0 0.2 0.4 0.6 0.8 1.0 | "),
            ((0.0012, 0.9987, 4), "0.25 0.50 0.75 | "),
            ((1e6, 1e6 + 1.0, 5), "0.0 0.2 0.4 0.6 0.8 1.0 | +1e6"),
            ((0.0, 1e-7, 5), "0.0 0.2 0.4 0.6 0.8 1.0 | ×1e-7"),
            ((0.0, 5e6, 5), "0 1 2 3 4 5 | ×1e6"),
            ((0.0, 5e5, 5), "0 100000 200000 300000 400000 500000 | "),
            ((-3.2, 4.1, 4), "-2 0 2 4 | "),
            ((12345.6, 12345.9, 3), "0.6 0.7 0.8 0.9 | +12345"),
            ((-1e6 - 1.0, -1e6, 5), "-1.0 -0.8 -0.6 -0.4 -0.2 0.0 | -1e6"),
            ((999_999.5, 1_000_000.5, 4), "-0.50 -0.25 0.00 0.25 0.50 | +1e6"),
            ((1.0, 1.0 + 4e-10, 4), "0 1 2 3 4 | ×1e-10 +1"),
            ((0.0, 399.0, 7), "0 50 100 150 200 250 300 350 | "),
        ];
        for ((low, high, about), expected) in cases {
            assert_eq!(shown(low, high, about), expected, "{low} to {high}");
        }
    }

    #[test]
    fn edges_of_bins_have_one_form() {
        let shown = |low: f64, high: f64, bins: usize| {
            let step = high / bins as f64 - low / bins as f64;
            let places: Vec<f64> = (0..=bins).map(|at| low + step * at as f64).collect();
            let Ticks { marks, note } = Ticks::at(&places);
            let labels: Vec<String> = marks.into_iter().map(|mark| mark.1).collect();
            format!("{} | {note}", labels.join(" "))
        };
        assert_eq!(shown(1.0, 3.0, 4), "1.0 1.5 2.0 2.5 3.0 | ");
        assert_eq!(shown(-1.8, 1.2, 4), "-1.80 -1.05 -0.30 0.45 1.20 | ");
        assert_eq!(shown(1e6, 1e6 + 1.0, 4), "0.00 0.25 0.50 0.75 1.00 | +1e6");
        assert_eq!(shown(0.0, 1e-7, 2), "0.0 0.5 1.0 | ×1e-7");
        assert_eq!(shown(0.0, 1000.0, 2), "0 500 1000 | ");
        assert_eq!(Ticks::at(&[]).marks, []);
        assert_eq!(Ticks::at(&[f64::MIN, f64::MAX]).marks.len(), 2);
        assert_eq!(Ticks::at(&[5e-324, 1e-323]).marks.len(), 2);
    }

    #[test]
    fn what_is_counted_has_whole_numbers() {
        let labels = |high| -> Vec<String> {
            Ticks::whole(0.0, high, 7).marks.into_iter().map(|mark| mark.1).collect()
        };
        assert_eq!(labels(4.0), ["0", "1", "2", "3", "4"]);
        assert_eq!(labels(2.0), ["0", "1", "2"]);
        assert!(labels(1.0).len() >= 3);
    }

    /// At least three labels, no two alike, each in the range, each what it says.
    #[test]
    fn labels_differ_and_say_where_they_stand() {
        let mut state = 7u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        for round in 0..20_000 {
            let size = 10f64.powf(random() * 40.0 - 20.0);
            let low = (random() - 0.5) * size * 10f64.powf(random() * 9.0);
            let high = low + random() * size;
            let about = 3 + round % 6;
            let (from, to) = widened(low, high);
            let Ticks { marks, note } = Ticks::new(low, high, about);
            let around = format!("{low:e} to {high:e}, {about}: {marks:?} {note}");
            assert!((3..=3 * about + 1).contains(&marks.len()), "{around}");
            let slack = (to - from) * 1e-6 + to.abs().max(from.abs()) * 1e-14;
            for (at, (place, label)) in marks.iter().enumerate() {
                assert!((from - slack..=to + slack).contains(place), "{around}");
                assert!(marks[..at].iter().all(|mark| mark.1 != *label), "{around}");
                assert_eq!(
                    label.split_once('.').map(|it| it.1.len()),
                    marks[0].1.split_once('.').map(|it| it.1.len()),
                    "{around}"
                );
                let mut value: f64 = label.parse().unwrap();
                for part in note.split_whitespace() {
                    match part.strip_prefix('×') {
                        Some(scale) => value *= scale.parse::<f64>().unwrap(),
                        None => value += part.parse::<f64>().unwrap(),
                    }
                }
                assert!((value - place).abs() <= slack, "{around}");
            }
        }
    }

    #[test]
    fn ranges_without_width_and_without_end() {
        assert_eq!(shown(0.0, 0.0, 4), "-1.0 -0.5 0.0 0.5 1.0 | ");
        assert!(Ticks::new(7.0, 7.0, 4).marks.len() >= 3);
        for (low, high) in [
            (f64::MIN, f64::MAX),
            (0.0, f64::MAX),
            (f64::MAX, f64::MAX),
            (0.0, 5e-324),
            (0.0, 1e-310),
            (f64::MIN_POSITIVE, f64::MIN_POSITIVE),
            (1.0, 1.0 + f64::EPSILON),
            (1e15, 1e15 + 1.0),
        ] {
            let ticks = Ticks::new(low, high, 4);
            assert!(ticks.marks.len() >= 2, "{low:e} {high:e} {ticks:?}");
        }
    }
}
