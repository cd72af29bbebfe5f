//! Complex numbers under a specification: each part by itself, the second always with a sign.

use num_complex::Complex64;

use super::{Spec, float, pointed, sign_of, unknown_code};
use crate::diag::Fault;
use crate::report::python_float;

/// A complex number under a specification.
pub fn complex(number: Complex64, spec: &str) -> Result<String, Fault> {
    let spec = Spec::parse(spec, "complex")?;
    if let Some(kind) = spec.kind.filter(|kind| !"eEfFgGn".contains(*kind)) {
        return Err(unknown_code(kind, "complex"));
    }
    if spec.fill == '0' {
        let message = "Zero padding is not allowed in complex format specifier";
        return Err(Fault::value_error(message));
    }
    if spec.align == Some('=') {
        let message = "'=' alignment flag is not allowed in complex format specifier";
        return Err(Fault::value_error(message));
    }
    // Without a type it is written as `str` writes it.
    let is_plain = spec.kind.is_none();
    let has_real = !is_plain || number.re != 0.0 || number.re.is_sign_negative();
    let one = Spec { fill: ' ', align: None, width: 0, ..spec };
    let second = if has_real { Some('+') } else { spec.sign };
    let imaginary = part(number.im, &Spec { sign: second, ..one })?;
    let body = match (has_real, is_plain) {
        (false, _) => format!("{imaginary}j"),
        (true, true) => format!("({}{imaginary}j)", part(number.re, &one)?),
        (true, false) => format!("{}{imaginary}j", part(number.re, &one)?),
    };
    Ok(spec.pad(&body, spec.align.unwrap_or('>')))
}

fn part(value: f64, spec: &Spec) -> Result<String, Fault> {
    if spec.kind.is_some() || spec.precision.is_some() || !value.is_finite() {
        return float(value, &Spec { kind: spec.kind.or(Some('g')), ..*spec });
    }
    let text = python_float(value.abs());
    let text = text.strip_suffix(".0").map_or(text.clone(), str::to_owned);
    let is_whole = !text.contains(['.', 'e']);
    let text = match spec.alternate {
        true if is_whole => text + ".",
        true => pointed(text),
        false => text,
    };
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (whole, tail) = text.split_at(end);
    let is_negative = value.is_sign_negative() && !(spec.no_negative_zero && value == 0.0);
    Ok(format!("{}{}{tail}", sign_of(is_negative, spec.sign), spec.group(whole)))
}
