//! Number literals: how far one reaches, and its value.

use std::rc::Rc;

use nom::branch::alt;
use nom::bytes::complete::{tag, tag_no_case, take_while1};
use nom::character::complete::{char, one_of};
use nom::combinator::{opt, recognize};
use nom::multi::many0_count;
use nom::sequence::{pair, preceded};
use nom::{IResult, Parser};

use super::ast::ExprKind;
use super::token::NumberError;

/// Python's own limit on the digits of a decimal literal: turning digits into a number takes
/// quadratic time.
const MAX_DIGITS: usize = 4300;

/// The bytes that the number at the start of `text` covers, and what is wrong with it. The text
/// must begin with a digit, or with a dot and a digit.
pub fn scan(text: &str) -> (usize, Option<NumberError>) {
    let (rest, error) = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => based(&text[2..], 16, NumberError::Hexadecimal),
        [b'0', b'o' | b'O', ..] => based(&text[2..], 8, NumberError::Octal),
        [b'0', b'b' | b'B', ..] => based(&text[2..], 2, NumberError::Binary),
        _ => decimal(text),
    };
    let rest = match error {
        // The whole word is the offender: `12abc`, `0b102`.
        Some(_) => rest.trim_start_matches(looks_like_name),
        None => rest,
    };
    (text.len() - rest.len(), error)
}

/// `0x` and its like, after the prefix.
fn based(text: &str, radix: u32, error: NumberError) -> (&str, Option<NumberError>) {
    let digits = take_while1(|c: char| c.is_digit(radix));
    let group = preceded(opt(char('_')), digits);
    let read: IResult<&str, &str> = recognize(many0_count(group)).parse(text);
    match read {
        Ok((rest, read)) if !read.is_empty() && ends_here(rest) => (rest, None),
        Ok((rest, _)) => (rest, Some(error)),
        Err(_) => (text, Some(error)),
    }
}

/// `12`, `1_000`, `.5`, `5.`, `1e-3`, `2j`
fn decimal(text: &str) -> (&str, Option<NumberError>) {
    let (rest, whole) = opt(digits).parse(text).unwrap_or((text, None));
    let (rest, fraction) =
        opt(preceded(char('.'), opt(digits))).parse(rest).unwrap_or((rest, None));
    let (rest, exponent) = opt(exponent).parse(rest).unwrap_or((rest, None));
    let (rest, is_imaginary) = match rest.strip_prefix(['j', 'J']) {
        Some(after) if ends_here(after) => (after, true),
        _ => (rest, false),
    };
    let whole = whole.unwrap_or("");
    let is_int = fraction.is_none() && exponent.is_none() && !is_imaginary;
    if !ends_here(rest) {
        (rest, Some(NumberError::Decimal))
    } else if is_int && whole.starts_with('0') && whole.contains(|c| matches!(c, '1'..='9')) {
        (rest, Some(NumberError::LeadingZeros))
    } else {
        (rest, None)
    }
}

/// Digits, with single underscores between them.
fn digits(text: &str) -> IResult<&str, &str> {
    let group = || take_while1(|c: char| c.is_ascii_digit());
    recognize(pair(group(), many0_count(preceded(char('_'), group())))).parse(text)
}

fn exponent(text: &str) -> IResult<&str, &str> {
    recognize((one_of("eE"), opt(one_of("+-")), digits)).parse(text)
}

/// Whether a number may end before `rest`. Python lets the keywords of an operator follow without
/// a blank: `1if x else 2`.
fn ends_here(rest: &str) -> bool {
    if !rest.starts_with(looks_like_name) {
        return true;
    }
    let keyword: IResult<&str, &str> = alt((
        tag("and"),
        tag("else"),
        tag("for"),
        tag("if"),
        tag("in"),
        tag("is"),
        tag("not"),
        tag("or"),
    ))
    .parse(rest);
    keyword.is_ok()
}

/// Whether a number that goes on with this is one gone wrong. Beyond ASCII, Python begins a new word.
fn looks_like_name(c: char) -> bool {
    c == '_' || c.is_ascii_alphanumeric()
}

/// The value of a literal that [`scan`] found to be right, or nothing if it has too many digits.
pub fn value(text: &str) -> Option<ExprKind> {
    if text.len() < 19 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // Nearly every literal, and it cannot overflow.
        return text.parse().ok().map(ExprKind::Int);
    }
    let plain: std::borrow::Cow<'_, str> =
        if text.contains('_') { text.replace('_', "").into() } else { text.into() };
    let prefix: IResult<&str, &str> =
        alt((tag_no_case("0x"), tag_no_case("0o"), tag_no_case("0b"))).parse(&*plain);
    if let Ok((digits, prefix)) = prefix {
        let radix = match prefix.as_bytes()[1] {
            b'x' | b'X' => 16,
            b'o' | b'O' => 8,
            _ => 2,
        };
        return integer(digits, radix);
    }
    if let Some(size) = plain.strip_suffix(['j', 'J']) {
        return size.parse().ok().map(ExprKind::Imaginary);
    }
    if plain.contains(['.', 'e', 'E']) {
        return plain.parse().ok().map(ExprKind::Float);
    }
    integer(&plain, 10)
}

fn integer(digits: &str, radix: u32) -> Option<ExprKind> {
    if let Ok(value) = i64::from_str_radix(digits, radix) {
        return Some(ExprKind::Int(value));
    }
    if digits.len() > MAX_DIGITS {
        return None;
    }
    Some(ExprKind::BigInt(to_decimal(digits, radix)))
}

/// Digits of any base as decimal digits, by schoolbook arithmetic in base 10⁹.
fn to_decimal(digits: &str, radix: u32) -> Rc<str> {
    let mut limbs: Vec<u64> = Vec::new();
    for digit in digits.chars().filter_map(|c| c.to_digit(radix)) {
        let mut carry = u64::from(digit);
        for limb in &mut limbs {
            let next = *limb * u64::from(radix) + carry;
            *limb = next % 1_000_000_000;
            carry = next / 1_000_000_000;
        }
        if carry > 0 {
            limbs.push(carry);
        }
    }
    let mut text = limbs.pop().unwrap_or(0).to_string();
    for limb in limbs.iter().rev() {
        text.push_str(&format!("{limb:09}"));
    }
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reach_of_a_number() {
        let right =
            ["0", "00", "0_0", "1_000", "0xFf", "0x_f", "0o17", "0b1_0", ".5", "5.", "1e-3"];
        let more = ["1E5", "0777.", "09e1", "1_0.0_1e1_0", "1j", "0777J", "1_0.5e-3j", ".5j"];
        for text in right.into_iter().chain(more) {
            assert_eq!(scan(text), (text.len(), None), "{text}");
        }
        assert_eq!(scan("1if x"), (1, None));
        assert_eq!(scan("1..real"), (2, None));
        assert_eq!(scan("0x1for"), (4, None));
        assert_eq!(scan("2jif x"), (2, None));
    }

    #[test]
    fn wrong_numbers() {
        use NumberError::*;
        for (text, error) in [
            ("1_", Decimal),
            ("1__0", Decimal),
            ("12abc", Decimal),
            ("1e", Decimal),
            ("1.real", Decimal),
            ("1._5", Decimal),
            ("0777", LeadingZeros),
            ("0x", Hexadecimal),
            ("0xg", Hexadecimal),
            ("0b102", Binary),
            ("0o8", Octal),
            ("1jx", Decimal),
            ("1j_", Decimal),
            ("0xj", Hexadecimal),
        ] {
            assert_eq!(scan(text), (text.len(), Some(error)), "{text}");
        }
    }

    #[test]
    fn values() {
        assert_eq!(value("1_000"), Some(ExprKind::Int(1000)));
        assert_eq!(value("0xFF"), Some(ExprKind::Int(255)));
        assert_eq!(value("5."), Some(ExprKind::Float(5.0)));
        assert_eq!(value("1_0.5e1J"), Some(ExprKind::Imaginary(105.0)));
        assert_eq!(value("007j"), Some(ExprKind::Imaginary(7.0)));
        assert_eq!(value("9223372036854775807"), Some(ExprKind::Int(i64::MAX)));
        let big = ExprKind::BigInt("9223372036854775808".into());
        assert_eq!(value("9223372036854775808"), Some(big.clone()));
        assert_eq!(value("0x8000000000000000"), Some(big));
        assert_eq!(value(&"9".repeat(4301)), None);
    }
}
