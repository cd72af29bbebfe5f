//! What a page shows of a tensor beyond the text of a terminal: its elements one by one, so that
//! they can stand in a table and have colours, and a picture of the whole.

use super::array::format_elements;
use super::{Chart, Elements, PrintOptions, Window, digits};
use crate::layout::Shape;

/// The elements that are seen, and a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Portrait {
    pub window: Window,
    /// The window's elements as numbers, in row-major order; truth is 1, a complex number its
    /// magnitude.
    pub values: Vec<f64>,
    /// The same as a table shows them: floats, and parts of complex numbers, with four significant digits.
    pub words: Vec<String>,
    /// What is not said whole in `words`; empty where all of it is.
    pub whole: Vec<String>,
    /// Of a tensor with more elements than are seen.
    pub chart: Option<Chart>,
}

/// Rows and columns of a table; where there are more, only its edges are shown.
pub(super) const MAX_ROWS: usize = 20;
pub(super) const MAX_COLS: usize = 16;

impl Portrait {
    /// Whether a tensor of this shape is seen whole, so that it needs no picture.
    pub fn shows_all(shape: &Shape, options: &PrintOptions) -> bool {
        let (rows, cols) = match **shape {
            [] => (1, 1),
            [cols] => (1, cols),
            [.., rows, cols] => (rows, cols),
        };
        shape.elem_count() <= options.threshold && rows <= MAX_ROWS && cols <= MAX_COLS
    }

    /// Of the elements that printing a tensor of this shape shows.
    pub fn new(shape: &Shape, elements: &Elements, options: &PrintOptions) -> Portrait {
        let values: Vec<f64> = (0..elements.len()).map(|at| elements.value(at)).collect();
        let (words, whole) = match elements {
            Elements::Float(_, dtype) if shape.rank() > 0 => {
                let whole = values.iter().map(|value| digits::whole(*value, *dtype));
                (digits::short(&values), whole.collect())
            }
            Elements::Complex(values, dtype) if shape.rank() > 0 => {
                digits::short_complex(values, dtype.part())
            }
            _ => {
                let words = format_elements(elements, shape.rank() == 0, options);
                (words.into_iter().map(|word| word.trim().to_string()).collect(), Vec::new())
            }
        };
        Portrait { window: Window::of(shape, options), values, words, whole, chart: None }
    }
}

impl Elements {
    /// One of them as a number; truth is 1, a complex number its magnitude.
    pub(super) fn value(&self, at: usize) -> f64 {
        match self {
            Elements::Bool(values) => f64::from(u8::from(values[at])),
            Elements::Int(values, _) => values[at] as f64,
            Elements::Float(values, _) => values[at],
            Elements::Complex(values, _) => values[at].norm(),
        }
    }
}
