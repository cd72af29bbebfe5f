//! Tensors as NumPy 2 prints them, character for character: common width and digits for all
//! elements, `...` in the middle of long axes, lines wrapped at a width, brackets nested with
//! blank lines between blocks. Checked against NumPy by `tests/report_numpy.rs`.

use num_complex::Complex64;

use crate::dtype::{DType, Scalar};
use crate::layout::Shape;

use super::float::{
    Parts, array_cutoff, positional, positional_fixed, scalar_str, scientific, scientific_fixed,
};
use super::window::{FloatMode, PrintOptions, Sign, Window};

/// The elements of a [`Window`] in row-major order.
#[derive(Debug, Clone, PartialEq)]
pub enum Elements {
    Bool(Vec<bool>),
    Int(Vec<i128>, DType),
    /// Widened, which is exact for every float type.
    Float(Vec<f64>, DType),
    /// The same of both parts.
    Complex(Vec<Complex64>, DType),
}

impl Elements {
    pub fn len(&self) -> usize {
        match self {
            Elements::Bool(values) => values.len(),
            Elements::Int(values, _) => values.len(),
            Elements::Float(values, _) => values.len(),
            Elements::Complex(values, _) => values.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn dtype(&self) -> DType {
        match self {
            Elements::Bool(_) => DType::Bool,
            Elements::Int(_, dtype) | Elements::Float(_, dtype) | Elements::Complex(_, dtype) => {
                *dtype
            }
        }
    }
}

/// `repr` of an array: `array([1., 2.], dtype=float64)`. `shape` is the whole tensor's, `elements`
/// those of its window. The type is named unless it is bool, int64, the default float or its complex type.
pub fn format_repr(shape: &Shape, elements: &Elements, options: &PrintOptions) -> String {
    let words = format_elements(elements, shape.rank() == 0, options);
    repr_of_words(shape, elements.dtype(), &words, options)
}

/// The same of elements that somebody else has written, a word each.
pub fn repr_of_words(
    shape: &Shape,
    dtype: DType,
    words: &[String],
    options: &PrintOptions,
) -> String {
    const PREFIX: &str = "array(";
    let count = shape.elem_count();
    let mut extras = Vec::new();
    if (count == 0 && **shape != [0]) || count > options.threshold {
        extras.push(format!("shape={}", tuple(shape)));
    }
    let default = options.default_float;
    let implied = [DType::Bool, DType::I64, default].contains(&dtype)
        || dtype.is_complex() && default.to_complex() == Some(dtype);
    if !implied || count == 0 {
        extras.push(format!("dtype={dtype}"));
    }
    let width = options.linewidth.saturating_sub(1);
    let body = format_body(shape, words, options, ", ", PREFIX.len(), width);
    if extras.is_empty() {
        return format!("{PREFIX}{body})");
    }
    let text = format!("{PREFIX}{body},");
    let extras = extras.join(", ") + ")";
    let last_line = text.rsplit('\n').next().map_or(0, |line| line.chars().count());
    if last_line + extras.len() + 1 > options.linewidth {
        format!("{text}\n{}{extras}", " ".repeat(PREFIX.len()))
    } else {
        format!("{text} {extras}")
    }
}

/// `str` of an array: `[1. 2.]`. A tensor without axes prints as a scalar, in full precision.
pub fn format_str(shape: &Shape, elements: &Elements, options: &PrintOptions) -> String {
    if shape.rank() == 0 {
        return match elements {
            Elements::Bool(v) => v.first().map(|v| if *v { "True" } else { "False" }.to_string()),
            Elements::Int(v, _) => v.first().map(i128::to_string),
            Elements::Float(v, dtype) => v.first().map(|v| scalar_str(Scalar::Float(*v), *dtype)),
            Elements::Complex(v, dtype) => {
                v.first().map(|v| scalar_str(Scalar::Complex(*v), *dtype))
            }
        }
        .unwrap_or_default();
    }
    str_of_words(shape, &format_elements(elements, false, options), options)
}

/// The same of elements that somebody else has written, a word each; there are axes.
pub fn str_of_words(shape: &Shape, words: &[String], options: &PrintOptions) -> String {
    format_body(shape, words, options, " ", 0, options.linewidth)
}

/// A shape as Python prints a tuple: `()`, `(3,)`, `(3, 4)`.
fn tuple(shape: &Shape) -> String {
    let extents: Vec<String> = shape.iter().map(usize::to_string).collect();
    if extents.len() == 1 {
        format!("({},)", extents[0])
    } else {
        format!("({})", extents.join(", "))
    }
}

fn format_body(
    shape: &Shape,
    words: &[String],
    options: &PrintOptions,
    separator: &str,
    prefix: usize,
    width: usize,
) -> String {
    if shape.elem_count() == 0 {
        return "[]".to_string();
    }
    let window = Window::of(shape, options);
    let mut writer = Writer { window: &window, words, next: 0, separator };
    writer.block(0, shape.rank(), prefix + 1, width)
}

/// Writes the nested brackets; words are used up in row-major order.
struct Writer<'a> {
    window: &'a Window,
    words: &'a [String],
    next: usize,
    separator: &'a str,
}

impl Writer<'_> {
    /// The block that begins at `axis`. Its lines after the first are indented by `indent`, and
    /// `width` columns remain when the closing brackets of the outer axes are counted.
    fn block(&mut self, axis: usize, rank: usize, indent: usize, width: usize) -> String {
        if axis == rank {
            let word = self.words.get(self.next).cloned().unwrap_or_default();
            self.next += 1;
            return word;
        }
        let ranges = self.window.ranges(axis);
        let leading = if self.window.is_cut(axis) { self.window.edge() } else { 0 };
        let count: usize = ranges.iter().map(std::ops::Range::len).sum();
        if axis + 1 == rank {
            return self.row(count, leading, indent, width);
        }
        let line_break = self.separator.trim_end().to_string() + &"\n".repeat(rank - axis - 1);
        let mut text = String::from("[");
        for at in 0..count {
            if at > 0 {
                text += &line_break;
                text.extend(std::iter::repeat_n(' ', indent));
            }
            if leading > 0 && at == leading {
                text += "...";
                text += &line_break;
                text.extend(std::iter::repeat_n(' ', indent));
            }
            text += &self.block(axis + 1, rank, indent + 1, width.saturating_sub(1));
        }
        text + "]"
    }

    /// The last axis: words wrapped into lines.
    fn row(&mut self, count: usize, leading: usize, indent: usize, width: usize) -> String {
        let width = width.saturating_sub(self.separator.trim_end().len().max(1));
        let (mut text, mut line, mut used) = (String::new(), String::new(), indent);
        for at in 0..count {
            if leading > 0 && at == leading {
                extend_line(&mut text, &mut line, &mut used, "...", width, indent);
                line += self.separator;
                used += self.separator.len();
            }
            let word = self.words.get(self.next).map_or("", String::as_str);
            self.next += 1;
            extend_line(&mut text, &mut line, &mut used, word, width, indent);
            if at + 1 < count {
                line += self.separator;
                used += self.separator.len();
            }
        }
        format!("[{text}{line}]")
    }
}

/// Adds a word to the line, on a new line if it would not fit and the line holds anything.
/// `line` leaves its indentation out on the first line, which the bracket takes.
fn extend_line(
    text: &mut String,
    line: &mut String,
    used: &mut usize,
    word: &str,
    width: usize,
    indent: usize,
) {
    if *used + word.len() > width && *used > indent {
        *text += line.trim_end();
        text.push('\n');
        *line = " ".repeat(indent);
        *used = indent;
    }
    *line += word;
    *used += word.len();
}

/// Every element of a window, all of the same width; `is_scalar` for a tensor without axes.
pub fn format_elements(
    elements: &Elements,
    is_scalar: bool,
    options: &PrintOptions,
) -> Vec<String> {
    match elements {
        Elements::Bool(values) => {
            let truth = if is_scalar { "True" } else { " True" };
            values.iter().map(|v| if *v { truth } else { "False" }.to_string()).collect()
        }
        Elements::Int(values, _) => {
            let is_space = options.sign == Sign::Space && values.iter().all(|value| *value >= 0);
            let texts: Vec<String> = values
                .iter()
                .map(|value| match options.sign {
                    _ if options.stop.is_raised() => String::new(),
                    Sign::Plus => format!("{value:+}"),
                    Sign::Space if is_space => format!(" {value}"),
                    Sign::Minus | Sign::Space => value.to_string(),
                })
                .collect();
            let width = texts.iter().map(String::len).max().unwrap_or(0);
            texts.into_iter().map(|text| format!("{text:>width$}")).collect()
        }
        Elements::Float(values, dtype) => format_floats(values, *dtype, options.sign, options),
        Elements::Complex(values, dtype) => format_complex(values, dtype.part(), options),
    }
}

/// Both parts as floats are printed, the imaginary one with its sign and a `j` behind its digits.
fn format_complex(values: &[Complex64], part: DType, options: &PrintOptions) -> Vec<String> {
    let column = |part_of: fn(&Complex64) -> f64| values.iter().map(part_of).collect::<Vec<f64>>();
    let re = format_floats(&column(|z| z.re), part, options.sign, options);
    let im = format_floats(&column(|z| z.im), part, Sign::Plus, options);
    let both = re.into_iter().zip(im).map(|(re, im)| {
        let digits = im.trim_end();
        format!("{re}{digits}j{}", " ".repeat(im.len() - digits.len()))
    });
    both.collect()
}

/// Floats of one width, with the signs that `sign` says.
fn format_floats(values: &[f64], dtype: DType, sign: Sign, options: &PrintOptions) -> Vec<String> {
    let finite = || values.iter().copied().filter(|v| v.is_finite());
    let scientific_form = needs_exponent(finite(), dtype, options);
    let is_fixed = options.float_mode == FloatMode::Fixed;
    let precision =
        if options.float_mode == FloatMode::Unique { usize::MAX } else { options.precision };
    let cut = |value| match scientific_form {
        true if is_fixed => scientific_fixed(value, dtype, precision),
        true => scientific(value, dtype, precision),
        false if is_fixed => positional_fixed(value, precision),
        false => positional(value, dtype, precision),
    };
    let plus = if sign == Sign::Plus { "+" } else { "" };
    let signed = |int: String| if int.starts_with('-') { int } else { format!("{plus}{int}") };
    let (mut left, mut right, mut exponent) = (0, 0, 0);
    for Parts { int, frac, exp } in finite().take_while(|_| !options.stop.is_raised()).map(cut) {
        left = left.max(signed(int).len());
        right = right.max(frac.len());
        exponent = exponent.max(exp.len());
    }
    if sign == Sign::Space && !finite().any(f64::is_sign_negative) {
        left += 1;
    }
    let digits = right;
    if scientific_form {
        // The `e`, and the exponent with its sign, stand right of the point too.
        right += 1 + exponent;
    }
    if values.iter().any(|value| !value.is_finite()) {
        let is_signed = sign != Sign::Minus || values.contains(&f64::NEG_INFINITY);
        let longest = options.nan.len().max(options.inf.len() + usize::from(is_signed));
        left = left.max(longest.saturating_sub(right + 1));
    }
    let width = left + right + 1;
    let format_one = |value: &f64| match *value {
        _ if options.stop.is_raised() => String::new(),
        v if v.is_nan() => format!("{:>width$}", format!("{plus}{}", options.nan)),
        v if v.is_infinite() => {
            let sign = if v > 0.0 { plus } else { "-" };
            format!("{:>width$}", format!("{sign}{}", options.inf))
        }
        v if scientific_form => {
            let Parts { int, frac, exp } = scientific_fixed(v, dtype, digits);
            let (int, (sign, power)) = (signed(int), exp.split_at(1));
            format!("{int:>left$}.{frac}e{sign}{power:0>0$}", exponent - 1)
        }
        v => {
            let mut parts = cut(v);
            if options.float_mode == FloatMode::MaxPrecEqual && parts.frac.len() < right {
                parts = positional_fixed(v, right);
            }
            format!("{:>left$}.{:<right$}", signed(parts.int), parts.frac)
        }
    };
    values.iter().map(format_one).collect()
}

/// NumPy's rule: an exponent when a value is large for the type, or, unless small ones are to be
/// suppressed, when one is below 10⁻⁴ or they span more than three powers of ten.
fn needs_exponent(finite: impl Iterator<Item = f64>, dtype: DType, options: &PrintOptions) -> bool {
    let magnitudes = finite.filter(|v| *v != 0.0).map(f64::abs);
    let (low, high) = magnitudes
        .fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), v| (low.min(v), high.max(v)));
    if high == 0.0 {
        return false;
    }
    // NumPy compares and divides in the array's own type.
    let round = |value: f64| match dtype {
        DType::F16 => f64::from(half::f16::from_f64(value)),
        DType::F32 | DType::BF16 | DType::F8E4M3 | DType::F8E5M2 => f64::from(value as f32),
        _ => value,
    };
    let is_small = low < round(1e-4) || round(high / low) > 1000.0;
    high >= array_cutoff(dtype) || (!options.suppress_small && is_small)
}
