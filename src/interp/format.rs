//! Python's format specifications:
//! `[[fill]align][sign][z][#][0][width][grouping][.precision][type]`.

mod complex;
pub(super) mod fixed;

use complex::complex;

use crate::diag::Fault;
use crate::dtype::Scalar;
use crate::report::python_float;

/// The widest field; Python's own limit is memory.
const MAX_WIDTH: usize = 1 << 20;

/// A format specification, taken apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spec {
    pub fill: char,
    pub align: Option<char>,
    /// `0` in front of the width.
    pub zero: bool,
    /// A space where none is given.
    pub sign: Option<char>,
    /// `z`: negative zero as zero.
    pub no_negative_zero: bool,
    /// `#`
    pub alternate: bool,
    pub width: usize,
    /// `,` or `_`
    pub grouping: Option<char>,
    pub precision: Option<usize>,
    pub kind: Option<char>,
}

impl Default for Spec {
    fn default() -> Spec {
        Spec {
            fill: ' ',
            align: None,
            zero: false,
            sign: None,
            no_negative_zero: false,
            alternate: false,
            width: 0,
            grouping: None,
            precision: None,
            kind: None,
        }
    }
}

impl Spec {
    pub fn parse(text: &str, type_name: &str) -> Result<Spec, Fault> {
        let invalid = || {
            let message =
                format!("Invalid format specifier '{text}' for object of type '{type_name}'");
            Fault::value_error(message)
        };
        let chars: Vec<char> = text.chars().collect();
        let mut spec = Spec::default();
        let mut at = 0;
        let is_align = |c: Option<&char>| c.is_some_and(|c| "<>=^".contains(*c));
        if is_align(chars.get(1)) {
            (spec.fill, spec.align) = (chars[0], Some(chars[1]));
            at = 2;
        } else if is_align(chars.first()) {
            spec.align = Some(chars[0]);
            at = 1;
        }
        let take = |wanted: &str, at: &mut usize| {
            let found = chars.get(*at).copied().filter(|c| wanted.contains(*c));
            *at += usize::from(found.is_some());
            found
        };
        spec.sign = take("+- ", &mut at);
        spec.no_negative_zero = take("z", &mut at).is_some();
        spec.alternate = take("#", &mut at).is_some();
        let is_filled = spec.align.is_some() && chars.get(1).is_some_and(|c| is_align(Some(c)));
        if take("0", &mut at).is_some() {
            spec.zero = true;
            if !is_filled {
                spec.fill = '0';
            }
        }
        let number = |at: &mut usize| -> Result<Option<usize>, Fault> {
            let start = *at;
            while chars.get(*at).is_some_and(char::is_ascii_digit) {
                *at += 1;
            }
            if *at == start {
                return Ok(None);
            }
            let digits: String = chars[start..*at].iter().collect();
            match digits.parse() {
                Ok(number) if number <= MAX_WIDTH => Ok(Some(number)),
                _ => Err(Fault::value_error("Too many decimal digits in format string")),
            }
        };
        spec.width = number(&mut at)?.unwrap_or(0);
        spec.grouping = take(",_", &mut at);
        if let (Some(first), Some(second)) = (spec.grouping, take(",_", &mut at)) {
            return Err(Fault::value_error(match first == second && first == '_' {
                true => "Cannot specify '_' with '_'.".to_owned(),
                false if first == second => "Cannot specify ',' with ','.".to_owned(),
                false => "Cannot specify both ',' and '_'.".to_owned(),
            }));
        }
        if take(".", &mut at).is_some() {
            let precision = number(&mut at)?;
            spec.precision = Some(
                precision
                    .ok_or_else(|| Fault::value_error("Format specifier missing precision"))?,
            );
        }
        spec.kind = chars.get(at).copied();
        if spec.kind.is_some() && at + 1 != chars.len() {
            return Err(invalid());
        }
        if let Some(separator) = spec.grouping {
            let kind = spec.kind.or((type_name == "str").then_some('s'));
            let is_grouped = match kind {
                None | Some('d' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%') => true,
                Some('b' | 'o' | 'x' | 'X') => separator == '_',
                _ => false,
            };
            if let Some(kind) = kind.filter(|_| !is_grouped) {
                let message = format!("Cannot specify '{separator}' with '{kind}'.");
                return Err(Fault::value_error(message));
            }
        }
        Ok(spec)
    }

    /// Pads a number: the fill goes between sign and digits where the alignment is `=`.
    fn pad_number(&self, sign: &str, body: String) -> String {
        let align = self.align.unwrap_or(if self.zero { '=' } else { '>' });
        if align != '=' {
            return self.pad(&format!("{sign}{body}"), align);
        }
        let missing = self.width.saturating_sub(sign.chars().count() + body.chars().count());
        let has_digits = body.starts_with(|c: char| c.is_ascii_hexdigit());
        if self.fill == '0' && self.grouping.is_some() && missing > 0 && has_digits {
            return format!("{sign}{}", self.zero_group(&body, self.width - sign.len()));
        }
        let fill: String = std::iter::repeat_n(self.fill, missing).collect();
        format!("{sign}{fill}{body}")
    }

    /// Zeros in front of a grouped number are grouped with it.
    fn zero_group(&self, body: &str, width: usize) -> String {
        let end = body.find(['.', 'e', 'E', '%']).unwrap_or(body.len());
        let (whole, tail) = body.split_at(end);
        let mut digits: String = whole.chars().filter(|c| Some(*c) != self.grouping).collect();
        loop {
            let grouped = self.group(&digits) + tail;
            if grouped.len() >= width {
                return grouped;
            }
            digits.insert(0, '0');
        }
    }

    fn pad(&self, text: &str, align: char) -> String {
        let missing = self.width.saturating_sub(text.chars().count());
        let left = match align {
            '<' => 0,
            '^' => missing / 2,
            _ => missing,
        };
        let fill = |count: usize| std::iter::repeat_n(self.fill, count).collect::<String>();
        format!("{}{text}{}", fill(left), fill(missing - left))
    }

    /// Separators between groups of digits of the whole part.
    fn group(&self, digits: &str) -> String {
        let Some(separator) = self.grouping else { return digits.to_owned() };
        let size = match self.kind {
            Some('x' | 'X' | 'o' | 'b') => 4,
            _ => 3,
        };
        let mut grouped = String::new();
        for (at, c) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(size) {
                grouped.push(separator);
            }
            grouped.push(c);
        }
        grouped
    }
}

/// A string under a specification.
pub fn text(text: &str, spec: &str) -> Result<String, Fault> {
    let spec = Spec::parse(spec, "str")?;
    match spec.kind {
        None | Some('s') => {}
        Some(kind) => return Err(unknown_code(kind, "str")),
    }
    let refused = match spec.sign {
        Some(' ') => Some("Space not allowed in string format specifier"),
        Some(_) => Some("Sign not allowed in string format specifier"),
        None if spec.no_negative_zero => {
            Some("Negative zero coercion (z) not allowed in string format specifier")
        }
        None if spec.alternate => Some("Alternate form (#) not allowed in string format specifier"),
        None if spec.align == Some('=') => {
            Some("'=' alignment not allowed in string format specifier")
        }
        None => None,
    };
    if let Some(message) = refused {
        return Err(Fault::value_error(message));
    }
    let cut: String = match spec.precision {
        Some(precision) => text.chars().take(precision).collect(),
        None => text.to_owned(),
    };
    Ok(spec.pad(&cut, spec.align.unwrap_or('<')))
}

/// A number under a specification.
pub fn number(value: Scalar, spec: &str) -> Result<String, Fault> {
    let name = match value {
        Scalar::Bool(_) => "bool",
        Scalar::Int(_) | Scalar::Wide(_) => "int",
        Scalar::Float(_) => "float",
        Scalar::Complex(value) => return complex(value, spec),
    };
    let parsed = Spec::parse(spec, name)?;
    match (value, parsed.kind) {
        (Scalar::Bool(_), Some('s')) => Err(unknown_code('s', name)),
        (Scalar::Float(value), _) => float(value, &parsed),
        (_, Some('e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%')) => float(value.as_f64(), &parsed),
        _ => integer(value.as_i128(), &parsed, name),
    }
}

fn integer(value: i128, spec: &Spec, type_name: &str) -> Result<String, Fault> {
    if let Some(kind) = spec.kind.filter(|kind| !"bcdnoxX".contains(*kind)) {
        return Err(unknown_code(kind, type_name));
    }
    if spec.precision.is_some() {
        return Err(Fault::value_error("Precision not allowed in integer format specifier"));
    }
    if spec.no_negative_zero {
        let message = "Negative zero coercion (z) not allowed in integer format specifier";
        return Err(Fault::value_error(message));
    }
    let size = value.unsigned_abs();
    let (prefix, digits) = match spec.kind {
        None | Some('d' | 'n') => ("", size.to_string()),
        Some('x') => ("0x", format!("{size:x}")),
        Some('X') => ("0X", format!("{size:X}")),
        Some('o') => ("0o", format!("{size:o}")),
        Some('b') => ("0b", format!("{size:b}")),
        Some('c') => {
            let refused = match (spec.sign, spec.alternate) {
                (Some(_), _) => Some("Sign not allowed with integer format specifier 'c'"),
                (_, true) => {
                    Some("Alternate form (#) not allowed with integer format specifier 'c'")
                }
                _ => None,
            };
            if let Some(message) = refused {
                return Err(Fault::value_error(message));
            }
            let c = u32::try_from(value).ok().and_then(char::from_u32).ok_or_else(|| {
                let message = "%c arg not in range(0x110000)";
                Fault::new(crate::diag::ErrorKind::Overflow, message)
            })?;
            let align = spec.align.unwrap_or('>');
            return Ok(spec.pad(c.encode_utf8(&mut [0; 4]), align));
        }
        Some(_) => ("", size.to_string()),
    };
    let sign = sign_of(value < 0, spec.sign);
    let prefix = if spec.alternate { prefix } else { "" };
    Ok(spec.pad_number(&format!("{sign}{prefix}"), spec.group(&digits)))
}

fn float(value: f64, spec: &Spec) -> Result<String, Fault> {
    let size = value.abs();
    let precision = spec.precision.unwrap_or(6);
    if let Some(kind) = spec.kind.filter(|kind| !"eEfFgGn%".contains(*kind)) {
        return Err(unknown_code(kind, "float"));
    }
    let body = match spec.kind {
        _ if !value.is_finite() => {
            let word = if value.is_nan() { "nan" } else { "inf" };
            match spec.kind {
                Some('%') => format!("{word}%"),
                Some('E' | 'F' | 'G') => word.to_uppercase(),
                _ => word.to_owned(),
            }
        }
        None if spec.precision.is_none() && !spec.alternate => python_float(size),
        None if spec.precision.is_none() => pointed(python_float(size)),
        None => general(size, precision, spec.alternate, true),
        Some('e') => exponent(size, precision, spec.alternate),
        Some('E') => exponent(size, precision, spec.alternate).to_uppercase(),
        Some('f' | 'F') => fixed(size, precision, spec.alternate),
        Some('g' | 'n') => general(size, precision, spec.alternate, false),
        Some('G') => general(size, precision, spec.alternate, false).to_uppercase(),
        Some('%') => fixed(size * 100.0, precision, spec.alternate) + "%",
        Some(_) => python_float(size),
    };
    let is_zero = body.chars().all(|c| !c.is_ascii_digit() || c == '0');
    let negative = value.is_sign_negative() && !value.is_nan();
    let negative = negative && !(spec.no_negative_zero && is_zero && value.is_finite());
    let end = body.find(|c: char| !c.is_ascii_digit()).unwrap_or(body.len());
    let (whole, tail) = body.split_at(end);
    Ok(spec.pad_number(sign_of(negative, spec.sign), spec.group(whole) + tail))
}

/// With a point, where there is none: `1.e+22`.
fn pointed(text: String) -> String {
    match text.find('e') {
        Some(at) if !text.contains('.') => format!("{}.{}", &text[..at], &text[at..]),
        _ => text,
    }
}

/// `1.50`
fn fixed(size: f64, precision: usize, alternate: bool) -> String {
    let point = if alternate && precision == 0 { "." } else { "" };
    let (shown, more) = shown(precision);
    let mut text = String::new();
    // A text takes whatever is written.
    _ = fixed::write_fixed(&mut text, size, shown);
    text.extend(std::iter::repeat_n('0', more));
    text + point
}

/// How many digits are asked of Rust's formats, which take no more than 65,535, and how many zeros stand behind
/// them: a double ends before.
fn shown(precision: usize) -> (usize, usize) {
    let shown = precision.min(1100);
    (shown, precision - shown)
}

/// `1.50e+00`
fn exponent(size: f64, precision: usize, alternate: bool) -> String {
    let (shown, more) = shown(precision);
    let text = format!("{size:.shown$e}");
    let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
    let mantissa = format!("{mantissa}{}", "0".repeat(more));
    let point = if alternate && precision == 0 { "." } else { "" };
    let power: i32 = power.parse().unwrap_or(0);
    format!("{mantissa}{point}e{}{:02}", if power < 0 { '-' } else { '+' }, power.abs())
}

/// `%g`: as many digits as `precision`, in the shorter notation. With `keep_point`, as the empty
/// type code does, a whole number keeps `.0` and one digit more goes before the exponent.
fn general(size: f64, precision: usize, alternate: bool, keep_point: bool) -> String {
    let digits = precision.max(1);
    let scientific = format!("{size:.*e}", shown(digits - 1).0);
    let power: i32 = scientific.split_once('e').and_then(|(_, p)| p.parse().ok()).unwrap_or(0);
    let limit = if keep_point { digits as i32 - 1 } else { digits as i32 };
    let strip = |text: String| match alternate || !text.contains('.') {
        true => text,
        false => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
    };
    if (-4..limit).contains(&power) {
        let text = strip(fixed(size, (digits as i32 - 1 - power).max(0) as usize, alternate));
        return if keep_point && !text.contains('.') { text + ".0" } else { text };
    }
    let text = exponent(size, digits - 1, alternate);
    let (mantissa, power) = text.split_once('e').unwrap_or((&text, "+00"));
    format!("{}e{power}", strip(mantissa.to_owned()))
}

fn sign_of(negative: bool, sign: Option<char>) -> &'static str {
    match (negative, sign) {
        (true, _) => "-",
        (false, Some('+')) => "+",
        (false, Some(' ')) => " ",
        _ => "",
    }
}

#[cold]
fn unknown_code(kind: char, type_name: &str) -> Fault {
    Fault::value_error(format!("Unknown format code '{kind}' for object of type '{type_name}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_cpython_formats_them() {
        let float = |value, spec| number(Scalar::Float(value), spec).unwrap();
        let int = |value, spec| number(Scalar::Int(value), spec).unwrap();
        assert_eq!(float(1234.5678, ",.2f"), "1,234.57");
        assert_eq!(float(0.25, ".1%"), "25.0%");
        assert_eq!(float(1e-7, "g"), "1e-07");
        assert_eq!(float(123456789.0, "g"), "1.23457e+08");
        assert_eq!(float(3.0, ".3"), "3.0");
        assert_eq!(float(1234.5, ".3"), "1.23e+03");
        assert_eq!(float(-1.5, "08.2f"), "-0001.50");
        assert_eq!(float(1234.5, "012,.1f"), "00,001,234.5");
        assert_eq!(float(f64::NAN, "+.2f"), "+nan");
        assert_eq!(float(-0.0001, "z.1f"), "0.0");
        assert_eq!(int(255, "#x"), "0xff");
        assert_eq!(int(-255, "_b"), "-1111_1111");
        assert_eq!(int(5, "^7"), "   5   ");
        assert_eq!(int(5, "*<+4"), "+5**");
        assert_eq!(int(1234567, ","), "1,234,567");
        assert_eq!(int(3, ".2f"), "3.00");
        assert_eq!(text("abc", ">6.2").unwrap(), "    ab");
        assert!(number(Scalar::Float(1.5), "d").is_err());
    }
}
