//! What can be wrong with an operation on tensors.

use std::fmt;

use super::Origin;
use crate::device;
use crate::diag::{ErrorKind, Fault};
use crate::layout;

/// An error, and the origin of the node it is about where that is not the one being made.
#[derive(Debug, Clone, PartialEq)]
pub struct Error {
    pub cause: ErrorCause,
    pub origin: Option<Origin>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ErrorCause {
    Layout(Box<layout::Error>),
    Device(device::Error),
    /// A computed index met no element; `axis` is the indexed tensor's, `part` the index's.
    IndexOutOfBounds {
        value: i64,
        axis: usize,
        size: usize,
        part: usize,
    },
    /// An operator that is not defined for values of these types.
    Operands(Box<Operands>),
    /// Anything else, in its final words. Boxed, like the shapes above: results stay small.
    Fault(Box<Fault>),
}

/// The types of values that an operator is not defined for.
#[derive(Debug, Clone, PartialEq)]
pub struct Operands {
    pub operator: String,
    pub lhs: String,
    pub rhs: String,
}

impl Error {
    #[cold]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Fault::new(kind, message).into()
    }

    #[cold]
    pub fn type_error(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Type, message)
    }

    #[cold]
    pub fn value_error(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Value, message)
    }

    /// Shapes that do not fit: a ValueError to NumPy's users, a RuntimeError to PyTorch's.
    #[cold]
    pub fn shape_error(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Shape, message)
    }

    #[cold]
    pub fn index_error(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Index, message)
    }

    /// Whether values make it, so that computing the same again gives it again.
    pub(super) fn is_of_values(&self) -> bool {
        use device::Error::{DivisionByZero, IndexOutOfBounds, NegativeExponent};
        match &self.cause {
            ErrorCause::IndexOutOfBounds { .. } => true,
            ErrorCause::Device(error) => matches!(
                error,
                IndexOutOfBounds { .. } | DivisionByZero { .. } | NegativeExponent { .. }
            ),
            _ => false,
        }
    }

    /// Whether it says that a value has the wrong type.
    pub fn is_type_error(&self) -> bool {
        match &self.cause {
            ErrorCause::Operands(_) => true,
            ErrorCause::Fault(fault) => fault.kind == ErrorKind::Type,
            _ => false,
        }
    }

    /// The part of the index at hand that it is about, where it is about one.
    pub fn part(&self) -> Option<usize> {
        match &self.cause {
            ErrorCause::Layout(error) => error.part(),
            ErrorCause::IndexOutOfBounds { part, .. } => Some(*part),
            ErrorCause::Device(_) | ErrorCause::Operands(_) | ErrorCause::Fault(_) => None,
        }
    }

    #[cold]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Error {
        if let ErrorCause::Fault(fault) = &mut self.cause {
            fault.hints.push(hint.into());
        }
        self
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Error {
        Error { cause: ErrorCause::Fault(Box::new(fault)), origin: None }
    }
}

impl From<Operands> for Error {
    fn from(operands: Operands) -> Error {
        Error { cause: ErrorCause::Operands(Box::new(operands)), origin: None }
    }
}

impl From<layout::Error> for Error {
    fn from(error: layout::Error) -> Error {
        Error { cause: ErrorCause::Layout(Box::new(error)), origin: None }
    }
}

impl From<device::Error> for Error {
    fn from(error: device::Error) -> Error {
        Error { cause: ErrorCause::Device(error), origin: None }
    }
}

impl fmt::Display for Error {
    #[cold]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cause {
            ErrorCause::Layout(error) => error.fmt(f),
            ErrorCause::Device(error) => error.fmt(f),
            ErrorCause::IndexOutOfBounds { value, axis, size, .. } => {
                write!(f, "index {value} is out of bounds for axis {axis} with size {size}")
            }
            ErrorCause::Operands(it) => write!(
                f,
                "unsupported operand type(s) for {}: '{}' and '{}'",
                it.operator, it.lhs, it.rhs
            ),
            ErrorCause::Fault(fault) => f.write_str(&fault.message),
        }
    }
}

impl From<Error> for Fault {
    #[cold]
    fn from(error: Error) -> Fault {
        let origin = error.origin.map(|Origin(origin)| origin);
        let fault: Fault = match error.cause {
            ErrorCause::Layout(error) => (*error).into(),
            ErrorCause::Device(error) => error.into(),
            ErrorCause::Fault(fault) => *fault,
            ErrorCause::IndexOutOfBounds { .. } => Fault::new(ErrorKind::Index, error.to_string()),
            ErrorCause::Operands(_) => Fault::type_error(error.to_string()),
        };
        Fault { origin: origin.or(fault.origin), ..fault }
    }
}
