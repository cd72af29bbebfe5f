//! Numbers as a page's table shows them: four significant digits, all of a table in one form, their
//! points one under the other. What a number is exactly is said elsewhere.

use num_complex::Complex64;

use crate::dtype::{DType, Scalar};

use super::scalar_str;

/// Significant digits of a number.
const DIGITS: i32 = 4;

/// How many digits more than the largest number a small one may have after the point.
const MORE: i32 = 4;

/// Numbers that are whole stand as they are below this.
const WHOLE: f64 = 1e7;

/// As wide as a digit, in every font that has digits of one width.
pub const BLANK: char = '\u{2007}';

/// The form of a table's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Whole,
    /// With at most so many digits after the point.
    Point(i32),
    Power,
}

/// Each number in the form that suits all of them.
pub fn short(values: &[f64]) -> Vec<String> {
    let form = form(values);
    let texts: Vec<String> = values.iter().map(|value| text(*value, form)).collect();
    let places = |text: &str| text.split_once('.').map_or(0, |(_, frac)| frac.len());
    let most = texts.iter().map(|text| places(text)).max().unwrap_or(0);
    let padded = texts.into_iter().zip(values).map(|(text, value)| match form {
        Form::Point(_) if value.is_finite() => {
            let blanks = most - places(&text);
            text.chars().chain(std::iter::repeat_n(BLANK, blanks)).collect()
        }
        _ => text,
    });
    padded.collect()
}

/// The same for complex numbers, both parts in one form, and each number whole; what is whole already stands
/// there again.
pub fn short_complex(values: &[Complex64], part: DType) -> (Vec<String>, Vec<String>) {
    let parts: Vec<f64> = values.iter().flat_map(|value| [value.re, value.im]).collect();
    let both = |re: &str, im: &str| {
        let digits = im.trim_end_matches(BLANK);
        let sign = if digits.starts_with('-') { "" } else { "+" };
        format!("{re}{sign}{digits}j{}", &im[digits.len()..])
    };
    let pairs = short(&parts);
    let pairs = pairs.chunks_exact(2).zip(values).map(|(pair, value)| {
        let (re, im) = (whole(value.re, part), whole(value.im, part));
        let word = both(&pair[0], &pair[1]);
        match is_whole(&pair[0], &re) && is_whole(&pair[1], &im) {
            true => (word.clone(), word),
            false => (word, both(&re, &im)),
        }
    });
    pairs.unzip()
}

/// Whether a text of [`short`] says all of the number that `whole` is.
pub fn is_whole(short: &str, whole: &str) -> bool {
    let short = short.trim_end_matches(BLANK);
    short == whole || short.ends_with('.') && whole.strip_suffix('0') == Some(short)
}

/// The number as its type has it.
pub fn whole(value: f64, dtype: DType) -> String {
    scalar_str(Scalar::Float(value), dtype)
}

fn form(values: &[f64]) -> Form {
    let finite = || values.iter().copied().filter(|value| value.is_finite());
    let powers: Vec<i32> = finite().filter(|value| *value != 0.0).map(power).collect();
    let Some(top) = powers.iter().copied().max() else { return Form::Whole };
    if finite().all(|value| value.fract() == 0.0 && value.abs() < WHOLE) {
        return Form::Whole;
    }
    let most = DIGITS - 1 - top + MORE;
    // Numbers so small that little is left of them; a few among many do not count.
    let lost = powers.iter().filter(|power| **power < 1 - most).count();
    match (1 - DIGITS..DIGITS).contains(&top) && lost * 2 <= powers.len() {
        true => Form::Point(most),
        false => Form::Power,
    }
}

/// The power of ten of the first digit, once the number is rounded.
fn power(value: f64) -> i32 {
    let text = format!("{value:.*e}", DIGITS as usize - 1);
    text.split_once('e').and_then(|(_, power)| power.parse().ok()).unwrap_or(0)
}

fn text(value: f64, form: Form) -> String {
    if !value.is_finite() || form == Form::Whole {
        let text = scalar_str(Scalar::Float(value), DType::F64);
        // As NumPy has it in arrays: `2.`
        return text
            .strip_suffix('0')
            .filter(|text| text.ends_with('.'))
            .unwrap_or(&text)
            .to_string();
    }
    if value == 0.0 {
        return if value.is_sign_negative() { "-0." } else { "0." }.to_string();
    }
    match form {
        Form::Point(most) => {
            let digits = (DIGITS - 1 - power(value)).clamp(0, most) as usize;
            let text = format!("{value:.digits$}");
            let text = if text.contains('.') { text } else { text + "." };
            // Zeros say how small a number is of which nothing else is left.
            match text.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) {
                true => text.trim_end_matches('0').to_string(),
                false => text,
            }
        }
        _ => {
            let text = format!("{value:.*e}", DIGITS as usize - 1);
            let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
            let power: i32 = power.parse().unwrap_or(0);
            let sign = if power < 0 { '-' } else { '+' };
            format!("{mantissa}e{sign}{:02}", power.unsigned_abs())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(values: &[f64], expected: &[&str]) {
        let shown: Vec<String> =
            short(values).iter().map(|text| text.replace(BLANK, "_")).collect();
        assert_eq!(shown, expected, "{values:?}");
    }

    #[test]
    fn four_digits_in_one_form() {
        check(&[1.0, -2.0, 0.0], &["1.", "-2.", "0."]);
        check(&[1.23456, -0.5, 0.0], &["1.235", "-0.5__", "0.___"]);
        check(&[12.3456, 0.012344], &["12.35___", "0.01234"]);
        check(&[9999.4, 9.9], &["9999._", "9.9"]);
        check(&[9999.6, 9.9], &["1.000e+04", "9.900e+00"]);
        check(&[0.5, 1e-4, 1e-9], &["0.5_______", "0.0001____", "0.00000000"]);
        check(&[1e-9, 2e-9, 1.5], &["1.000e-09", "2.000e-09", "1.500e+00"]);
        check(&[123456.0, 1.0], &["123456.", "1."]);
        check(&[123456.5, 1.0], &["1.235e+05", "1.000e+00"]);
        check(&[f64::NAN, f64::INFINITY, 0.25], &["nan", "inf", "0.25"]);
        check(&[1e-5, 2.5e-5, 0.0], &["1.000e-05", "2.500e-05", "0."]);
        check(&[f64::MAX, 5e-324], &["1.798e+308", "4.941e-324"]);
        check(&[f64::NAN, -0.0], &["nan", "-0."]);
        check(&[], &[]);
    }

    /// A normal number that happens to be small must not change the form of all.
    #[test]
    fn one_small_number_changes_nothing() {
        let mut values: Vec<f64> = (1..50).map(|at| f64::from(at) / 17.0 - 1.3).collect();
        values.push(1.2e-7);
        assert!(short(&values).iter().all(|text| !text.contains('e')));
    }

    #[test]
    fn parts_of_complex_numbers_have_one_form() {
        let values = [Complex64::new(1.0 / 3.0, -2.0), Complex64::new(-0.5, f64::NAN)];
        let (words, whole) = short_complex(&values, DType::F64);
        let words: Vec<String> = words.iter().map(|text| text.replace(BLANK, "_")).collect();
        assert_eq!(words, ["0.3333-2.j____", "-0.5___+nanj"]);
        assert_eq!(whole[0], "0.3333333333333333-2.0j");
        assert!(is_whole(&words[1].replace('_', &BLANK.to_string()), &whole[1]));
    }

    #[test]
    fn four_digits_are_near() {
        for at in 0..2000 {
            let value = (f64::from(at) * 0.7).sin() * 10f64.powi(at % 7 - 3);
            let [shown] = &short(&[value])[..] else { panic!() };
            let back: f64 = shown.trim_end_matches(BLANK).parse().unwrap();
            assert!((back - value).abs() <= value.abs() * 5.001e-4, "{value} {shown}");
            let digits = shown.split('e').next().unwrap_or_default();
            let digits = digits.trim_start_matches(['-', '0', '.']).chars();
            assert!(digits.filter(char::is_ascii_digit).count() <= 4, "{value} {shown}");
        }
    }
}
