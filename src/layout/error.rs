//! What can be wrong with a shape, an axis or an index. The words are NumPy's where it has them.

use std::fmt;

use super::Shape;
use crate::diag::{ErrorKind, Fault};

#[derive(Debug, Clone, PartialEq)]
pub enum Error {
    AxisOutOfBounds { axis: i64, rank: usize },
    Broadcast { shapes: Vec<Shape> },
    BroadcastTo { from: Shape, to: Shape },
    TooLarge { shape: Shape },
    TooManyAxes { rank: usize },
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
                shapes.iter().try_for_each(|shape| write!(f, " {shape}"))
            }
            Error::BroadcastTo { from, to } => {
                write!(f, "could not broadcast input array from shape {from} into shape {to}")
            }
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
            Error::TooManyAxes { .. } => ErrorKind::Value,
        };
        Fault::new(kind, error.to_string())
    }
}
