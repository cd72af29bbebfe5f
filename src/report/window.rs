//! Which elements of a tensor are seen when it prints.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::dtype::DType;
use crate::layout::Shape;

/// How tensors print: `numpy.set_printoptions`, with NumPy's own values as the default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintOptions {
    /// Digits after the point, at most.
    pub precision: usize,
    /// More elements than this are summarised.
    pub threshold: usize,
    /// Elements at either end of a summarised axis; at least one.
    pub edgeitems: usize,
    /// Columns of a line.
    pub linewidth: usize,
    /// Never use the scientific notation because of small numbers.
    pub suppress_small: bool,
    pub float_mode: FloatMode,
    pub sign: Sign,
    /// What stands for NaN.
    pub nan: String,
    /// What stands for infinity, behind its sign.
    pub inf: String,
    /// The float type that a repr need not name.
    pub default_float: DType,
    pub stop: Stop,
}

/// Whether nobody wants a text any more that is being made; what comes of it then may be anything.
#[derive(Debug, Clone, Default)]
pub struct Stop(Option<Arc<AtomicBool>>);

impl Stop {
    /// Says so as soon as the flag is raised.
    pub fn by(flag: Arc<AtomicBool>) -> Stop {
        Stop(Some(flag))
    }

    #[inline]
    pub fn is_raised(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

// It says nothing about how tensors print.
impl PartialEq for Stop {
    fn eq(&self, _: &Stop) -> bool {
        true
    }
}

impl Eq for Stop {}

/// How many digits floats have behind their point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FloatMode {
    /// As many as the precision says.
    Fixed,
    /// As many as tell each from its neighbours.
    Unique,
    /// As `Unique`, and no more than the precision says.
    #[default]
    MaxPrec,
    /// As `MaxPrec`, and all as many as the one that has most.
    MaxPrecEqual,
}

/// What stands before numbers that are not negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sign {
    #[default]
    Minus,
    Plus,
    Space,
}

impl Default for PrintOptions {
    fn default() -> PrintOptions {
        PrintOptions {
            precision: 8,
            threshold: 1000,
            edgeitems: 3,
            linewidth: 75,
            suppress_small: false,
            float_mode: FloatMode::default(),
            sign: Sign::default(),
            nan: "nan".to_owned(),
            inf: "inf".to_owned(),
            default_float: DType::F32,
            stop: Stop::default(),
        }
    }
}

/// The part of a tensor that printing shows: of each axis everything, or its two ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    shape: Shape,
    /// Elements at either end of each axis that is cut.
    edge: Option<usize>,
}

impl Window {
    /// What of a tensor of this shape will be seen.
    pub fn of(shape: &Shape, options: &PrintOptions) -> Window {
        let summarised = shape.elem_count() > options.threshold;
        Window { shape: shape.clone(), edge: summarised.then(|| options.edgeitems.max(1)) }
    }

    /// Whether any element is left out.
    pub fn is_partial(&self) -> bool {
        (0..self.shape.rank()).any(|axis| self.is_cut(axis))
    }

    /// Whether the tensor counts as summarised (its repr then names its shape).
    pub fn is_summary(&self) -> bool {
        self.edge.is_some()
    }

    /// Whether the middle of this axis is left out.
    pub fn is_cut(&self, axis: usize) -> bool {
        self.edge.is_some_and(|edge| self.shape[axis] > 2 * edge)
    }

    /// The indices along an axis to fetch: one range, or the two ends.
    pub fn ranges(&self, axis: usize) -> Vec<Range<usize>> {
        let extent = self.shape[axis];
        match self.edge {
            Some(edge) if self.is_cut(axis) => vec![0..edge, extent - edge..extent],
            _ => std::iter::once(0..extent).collect(),
        }
    }

    /// The shape of the fetched elements, which lie in row-major order.
    pub fn shape(&self) -> Shape {
        let axes = 0..self.shape.rank();
        axes.map(|axis| self.ranges(axis).iter().map(Range::len).sum()).collect()
    }

    /// Elements at the beginning of a cut axis.
    pub fn edge(&self) -> usize {
        self.edge.unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn window_of_a_large_matrix() {
        let shape: Shape = [2000, 5].into_iter().collect();
        let window = Window::of(&shape, &PrintOptions::default());
        assert_eq!(window.ranges(0), [0..3, 1997..2000]);
        assert_eq!(window.ranges(1).as_slice(), std::slice::from_ref(&(0..5)));
        assert_eq!(&*window.shape(), [6, 5]);
        assert!(window.is_partial());
    }

    #[test]
    fn window_of_a_small_tensor_is_whole() {
        let shape: Shape = [10, 100].into_iter().collect();
        let window = Window::of(&shape, &PrintOptions::default());
        assert!(!window.is_partial());
        assert_eq!(&*window.shape(), [10, 100]);
    }

    #[test]
    fn many_short_axes_are_a_summary_that_leaves_nothing_out() {
        let shape: Shape = [5; 5].into_iter().collect();
        let window = Window::of(&shape, &PrintOptions::default());
        assert!(window.is_summary() && !window.is_partial());
    }
}
