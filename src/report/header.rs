//! What stands above a tensor: its type, shape, device and bytes, and its values in one line.

use std::time::Duration;

use crate::dtype::{DType, Scalar};
use crate::layout::Shape;

use super::{Markup, Portrait, human_bytes, human_count, scalar_str, spark};

/// The values of a tensor in a few numbers. NaN and infinities are counted apart: the other
/// figures are over the finite values alone.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Summary {
    pub min: f64,
    pub max: f64,
    pub mean: f64,
    pub sd: f64,
    /// How many finite values fall in each of equally wide bins from `min` to `max`.
    pub histogram: Vec<u64>,
    pub nan_count: u64,
    /// The index of the first NaN.
    pub first_nan: Vec<usize>,
    pub inf_count: u64,
    pub first_inf: Vec<usize>,
}

/// A tensor to show.
#[derive(Debug, Clone, PartialEq)]
pub struct ArrayReport {
    pub dtype: DType,
    pub shape: Shape,
    /// The name of the device, `cpu` or `cuda:0 (simulated)`.
    pub device: String,
    pub bytes: u64,
    pub summary: Option<Summary>,
    /// How long the statement took, if that is to be shown.
    pub elapsed: Option<Duration>,
    /// The elements, from [`super::format_repr`] or [`super::format_str`].
    pub text: String,
    /// What a page shows beyond the text; only made where a front end shows pages.
    pub portrait: Option<Box<Portrait>>,
}

impl ArrayReport {
    /// `float32 (1000, 1000) cpu 3.8 MiB`, and the picture of the values behind it.
    pub fn header(&self) -> Markup {
        self.header_within(usize::MAX)
    }

    /// The same; where it is wider than so many columns, the picture has a line of its own.
    pub fn header_within(&self, columns: usize) -> Markup {
        let (shape, bytes) = (self.shape.to_string(), human_bytes(self.bytes));
        let mut markup =
            Markup::new().dim(format!("{} {shape} {} {bytes}", self.dtype, self.device));
        if let Some(summary) = &self.summary {
            let picture = summary.to_markup();
            let fits = markup.width() + 2 + picture.width() <= columns;
            markup = markup.dim(if fits { "  " } else { "\n" });
            markup.append(picture);
        }
        markup
    }
}

impl Summary {
    /// `-4.2 |▁▂▅▇▇▅▂▁| 4.1  mean 0.0012  sd 1.0  3 nan, first at [5, 0, 17]`.
    pub fn to_markup(&self) -> Markup {
        let mut markup = Markup::new();
        let has_values = self.histogram.iter().any(|count| *count > 0);
        if has_values {
            let picture = spark(&self.histogram);
            markup = markup
                .dim(format!("{} |", brief(self.min)))
                .plain(picture)
                .dim(format!("| {}", brief(self.max)))
                .dim(format!("  mean {}  sd {}", brief(self.mean), brief(self.sd)));
        }
        for (count, what, first) in
            [(self.nan_count, "nan", &self.first_nan), (self.inf_count, "inf", &self.first_inf)]
        {
            if count > 0 {
                let gap = if markup.is_empty() { "" } else { "  " };
                markup = markup
                    .dim(gap)
                    .warn(format!("{} {what}", human_count(count)))
                    .dim(format!(", first at {first:?}"));
            }
        }
        markup
    }
}

/// A number to three digits or so: what fits a header.
pub(super) fn brief(value: f64) -> String {
    let magnitude = value.abs();
    if value == 0.0 {
        "0".to_string()
    } else if value.fract() == 0.0 && magnitude < 1e6 {
        format!("{value:.0}")
    } else if (1e-4..1e5).contains(&magnitude) {
        let decimals = (2 - magnitude.log10().floor() as i32).clamp(0, 6) as usize;
        let text = format!("{value:.decimals$}");
        match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
            false => text,
        }
    } else {
        let text = format!("{value:.2e}");
        let Some((digits, power)) = text.split_once('e') else {
            return scalar_str(Scalar::Float(value), DType::F64);
        };
        let digits = match digits.contains('.') {
            true => digits.trim_end_matches('0').trim_end_matches('.'),
            false => digits,
        };
        match power.strip_prefix('-') {
            Some(power) => format!("{digits}e-{power:0>2}"),
            None => format!("{digits}e+{power:0>2}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brief_numbers() {
        let cases = [
            (0.0, "0"),
            (-4.2134, "-4.21"),
            (0.0012345, "0.00123"),
            (123456.0, "123456"),
            (1.5, "1.5"),
            (99999.5, "100000"),
            (1.23456e-7, "1.23e-07"),
            (12.34567, "12.3"),
            (1234.5, "1234"),
            (1e30, "1e+30"),
            (-1.2203e9, "-1.22e+09"),
            (123456.7, "1.23e+05"),
            (9.999e-4, "0.001"),
            (1e-300, "1e-300"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "nan"),
        ];
        for (value, text) in cases {
            assert_eq!(brief(value), text);
        }
    }

    #[test]
    fn header_with_a_picture() {
        let report = ArrayReport {
            dtype: DType::F32,
            shape: [1000, 1000].into_iter().collect(),
            device: "cpu".to_string(),
            bytes: 4_000_000,
            summary: Some(Summary {
                min: -4.2,
                max: 4.1,
                mean: 0.0012,
                sd: 1.0,
                histogram: vec![1, 5, 8, 5, 1],
                nan_count: 3,
                first_nan: vec![5, 0],
                ..Summary::default()
            }),
            elapsed: None,
            text: String::new(),
            portrait: None,
        };
        assert_eq!(
            report.header().to_plain(),
            "float32 (1000, 1000) cpu 3.8 MiB  -4.2 |▁▅█▅▁| 4.1  mean 0.0012  sd 1  3 nan, first at [5, 0]"
        );
        let narrow = report.header_within(60).to_plain();
        assert!(narrow.starts_with("float32 (1000, 1000) cpu 3.8 MiB\n-4.2 |"), "{narrow}");
    }

    #[test]
    fn a_summary_of_nothing_but_nan() {
        let summary = Summary {
            nan_count: 2,
            first_nan: vec![0],
            histogram: vec![0; 4],
            ..Summary::default()
        };
        assert_eq!(summary.to_markup().to_plain(), "2 nan, first at [0]");
    }
}
