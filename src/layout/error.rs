//! What can be wrong with a shape, an axis or an index. The words are NumPy's where it has them.

use std::fmt;

use super::Shape;
use crate::diag::{ErrorKind, Fault, NoAxis};

/// Errors of an index know which `part` of it they are about, counted as the index was written.
#[derive(Debug, Clone, PartialEq)]
pub enum Error {
    AxisOutOfBounds {
        axis: i64,
        rank: usize,
    },
    Broadcast {
        shapes: Vec<Shape>,
    },
    BroadcastTo {
        from: Shape,
        to: Shape,
    },
    IndexOutOfBounds {
        index: i64,
        axis: usize,
        extent: usize,
        part: usize,
    },
    IndexShapes {
        shapes: Vec<Shape>,
    },
    /// An index array of floats.
    IndexType {
        part: usize,
    },
    ManyEllipses {
        part: usize,
    },
    /// A mask has `found` flags for the `extent` places of an axis.
    MaskShape {
        axis: usize,
        extent: usize,
        found: usize,
        part: usize,
    },
    /// Extents whose product, or one of which, no index can count.
    TooLarge {
        shape: Box<[u128]>,
    },
    TooManyAxes {
        rank: usize,
    },
    TooManyIndices {
        rank: usize,
        indices: usize,
        part: usize,
    },
    ZeroStep,
}

impl Error {
    /// The part of an index that it is about, where it is about one.
    pub fn part(&self) -> Option<usize> {
        match self {
            Error::IndexOutOfBounds { part, .. }
            | Error::IndexType { part }
            | Error::ManyEllipses { part }
            | Error::MaskShape { part, .. }
            | Error::TooManyIndices { part, .. } => Some(*part),
            _ => None,
        }
    }

    /// The same about what `name` makes of the part's number.
    pub fn with_part(mut self, name: impl Fn(usize) -> usize) -> Error {
        match &mut self {
            Error::IndexOutOfBounds { part, .. }
            | Error::IndexType { part }
            | Error::ManyEllipses { part }
            | Error::MaskShape { part, .. }
            | Error::TooManyIndices { part, .. } => *part = name(*part),
            _ => {}
        }
        self
    }
}

impl fmt::Display for Error {
    #[cold]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::AxisOutOfBounds { axis, rank } => {
                write!(f, "axis {axis} is out of bounds for array of dimension {rank}")
            }
            Error::Broadcast { shapes } => {
                f.write_str("operands could not be broadcast together with shapes")?;
                shapes.iter().try_for_each(|shape| write!(f, " {shape:#}"))
            }
            Error::BroadcastTo { from, to } => {
                write!(f, "could not broadcast input array from shape {from:#} into shape {to:#}")
            }
            Error::IndexOutOfBounds { index, axis, extent, .. } => {
                write!(f, "index {index} is out of bounds for axis {axis} with size {extent}")
            }
            Error::IndexShapes { shapes } => {
                f.write_str(
                    "shape mismatch: indexing arrays could not be broadcast together with shapes",
                )?;
                shapes.iter().try_for_each(|shape| write!(f, " {shape:#}"))
            }
            Error::IndexType { .. } => {
                f.write_str("arrays used as indices must be of integer (or boolean) type")
            }
            Error::ManyEllipses { .. } => {
                f.write_str("an index can only have a single ellipsis ('...')")
            }
            Error::MaskShape { axis, extent, found, .. } => write!(
                f,
                "boolean index did not match indexed array along axis {axis}; size of axis is {extent} but size of corresponding boolean axis is {found}"
            ),
            Error::TooManyIndices { rank, indices, .. } => write!(
                f,
                "too many indices for array: array is {rank}-dimensional, but {indices} were indexed"
            ),
            Error::ZeroStep => f.write_str("slice step cannot be zero"),
            Error::TooLarge { shape } => {
                let extents: Vec<String> = shape.iter().map(u128::to_string).collect();
                let comma = if extents.len() == 1 { "," } else { "" };
                let shape = extents.join(", ");
                write!(
                    f,
                    "a tensor of shape ({shape}{comma}) has more elements than an index can count"
                )
            }
            Error::TooManyAxes { rank } => {
                write!(f, "a tensor has at most {} axes, found {rank}", super::MAX_RANK)
            }
        }
    }
}

impl From<Error> for Fault {
    #[cold]
    fn from(error: Error) -> Fault {
        let kind = match &error {
            Error::AxisOutOfBounds { axis, rank } => {
                return NoAxis { axis: *axis, rank: *rank, argument: None }.into();
            }
            Error::Broadcast { .. } | Error::BroadcastTo { .. } => ErrorKind::Shape,
            Error::TooLarge { .. } => ErrorKind::Memory,
            Error::TooManyAxes { .. } | Error::ZeroStep => ErrorKind::Value,
            Error::IndexOutOfBounds { .. }
            | Error::IndexShapes { .. }
            | Error::IndexType { .. }
            | Error::ManyEllipses { .. }
            | Error::MaskShape { .. }
            | Error::TooManyIndices { .. } => ErrorKind::Index,
        };
        let fault = Fault::new(kind, error.to_string());
        match error {
            Error::IndexType { .. } => fault.with_hint("convert it first: `i.astype(int)`"),
            _ => fault,
        }
    }
}
