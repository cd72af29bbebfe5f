//! What can be wrong with a shape, an axis or an index. The words are NumPy's where it has them.

use std::fmt;

use super::Shape;
use crate::diag::{ErrorKind, Fault};

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
    /// An integer index; `part` is its place in the index as written.
    IndexOutOfBounds {
        index: i64,
        axis: usize,
        extent: usize,
        part: usize,
    },
    IndexShapes {
        shapes: Vec<Shape>,
    },
    ManyEllipses,
    TooLarge {
        shape: Shape,
    },
    TooManyAxes {
        rank: usize,
    },
    TooManyIndices {
        rank: usize,
        indices: usize,
    },
    ZeroStep,
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
            Error::ManyEllipses => f.write_str("an index can only have a single ellipsis ('...')"),
            Error::TooManyIndices { rank, indices } => write!(
                f,
                "too many indices for array: array is {rank}-dimensional, but {indices} were indexed"
            ),
            Error::ZeroStep => f.write_str("slice step cannot be zero"),
            Error::TooLarge { shape } => {
                write!(f, "a tensor of shape {shape} has more elements than an index can count")
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
            // NumPy's AxisError is both a ValueError and an IndexError.
            Error::AxisOutOfBounds { .. } => ErrorKind::Value,
            Error::Broadcast { .. } | Error::BroadcastTo { .. } => ErrorKind::Value,
            Error::TooLarge { .. } => ErrorKind::Memory,
            Error::TooManyAxes { .. } | Error::ZeroStep => ErrorKind::Value,
            Error::IndexOutOfBounds { .. }
            | Error::IndexShapes { .. }
            | Error::ManyEllipses
            | Error::TooManyIndices { .. } => ErrorKind::Index,
        };
        Fault::new(kind, error.to_string())
    }
}
