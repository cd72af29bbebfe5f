//! Lines as programs write them, one number behind the other: read in one pass, without looking for their fields
//! first. What is written in any other way is left to whoever looks closely.

use super::{Form, Number};

/// What numbers are made of.
const PARTS: &[u8] = b"0123456789+-.eEinfatyINFATY";
/// Digits that any `u64` holds, whatever they are.
const DIGITS: usize = 19;

/// Whether numbers end in front of what separates them, and comments begin behind them.
pub(super) fn is_for(form: &Form) -> bool {
    let is_apart = |byte: &u8| !PARTS.contains(byte) && !matches!(byte, b'\r' | b'\n');
    let is_comment = |byte: &u8| {
        is_apart(byte) && !matches!(byte, b' ' | b'\t') && Some(*byte) != form.delimiter
    };
    form.columns.is_none()
        && form.delimiter.as_ref().is_none_or(is_apart)
        && form.comments.iter().all(is_comment)
}

/// Puts the numbers of the first line behind others, and tells how many there are and how many bytes the line has.
/// None where it holds anything else, or nothing; numbers may have been put then.
#[inline]
pub(super) fn line(form: &Form, text: &[u8], numbers: &mut Vec<u64>) -> Option<(usize, usize)> {
    let blanks = |mut at: usize| {
        while let Some(byte @ (b' ' | b'\t')) = text.get(at)
            && Some(*byte) != form.delimiter
        {
            at += 1;
        }
        at
    };
    let (mut at, mut fields) = (blanks(0), 0);
    loop {
        let (bits, length) = match form.kind {
            Number::Float => float(&text[at..])?,
            Number::Integer { low, high } => integer(&text[at..], low, high)?,
        };
        numbers.push(bits);
        fields += 1;
        let end = at + length;
        at = blanks(end);
        match text.get(at) {
            None => return Some((fields, at)),
            Some(b'\n') => return Some((fields, at + 1)),
            Some(b'\r') if text.get(at + 1) == Some(&b'\n') => return Some((fields, at + 2)),
            byte if byte.is_some() && byte == form.delimiter.as_ref() => at = blanks(at + 1),
            Some(_) if form.delimiter.is_none() && at > end => {}
            Some(_) => return None,
        }
    }
}

/// The number that a text begins with, as bits, and its bytes.
#[inline]
fn float(text: &[u8]) -> Option<(u64, usize)> {
    let (number, length) = fast_float2::parse_partial::<f64, _>(text).ok()?;
    Some((number.to_bits(), length))
}

#[inline]
fn integer(text: &[u8], low: i128, high: i128) -> Option<(u64, usize)> {
    let is_negative = text.first() == Some(&b'-');
    let start = usize::from(matches!(text.first(), Some(b'-' | b'+')));
    let digits = text[start..].iter().take(DIGITS + 1).take_while(|byte| byte.is_ascii_digit());
    let (mut number, mut count) = (0u64, 0);
    for digit in digits {
        // Of a digit too many the sum means nothing, and is not used.
        number = number.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
        count += 1;
    }
    if !(1..=DIGITS).contains(&count) {
        return None;
    }
    let number = if is_negative { -i128::from(number) } else { i128::from(number) };
    (low..=high).contains(&number).then_some((number as u64, start + count))
}
