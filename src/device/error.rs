//! What can go wrong while a device works.

use std::fmt;

use crate::diag::{ErrorKind, Fault};
use crate::ir::Reg;
use crate::memory::OutOfMemory;

#[derive(Debug, Clone, PartialEq)]
pub enum Error {
    OutOfMemory(Box<OutOfMemory>),
    /// An index that a gather or a scatter met. The launch wrote nothing that anybody can see.
    IndexOutOfBounds {
        /// The gather's instruction; `None` for a scatter.
        instr: Option<Reg>,
        /// Which of its indices.
        operand: usize,
        value: i64,
        extent: usize,
    },
    /// An integer division or remainder by zero.
    DivisionByZero {
        instr: Reg,
    },
    /// An integer power with a negative exponent.
    NegativeExponent {
        instr: Reg,
    },
    /// Ctrl-C.
    Interrupted,
    /// What NVRTC says of a kernel that it can't compile: a mistake of ours.
    Compile {
        log: String,
    },
    /// A driver or a library of the GPU is missing or failed, in words.
    Driver(String),
}

impl fmt::Display for Error {
    #[cold]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::OutOfMemory(error) => error.fmt(f),
            Error::IndexOutOfBounds { operand, value, extent, .. } => {
                write!(f, "index {value} is out of bounds for axis {operand} with size {extent}")
            }
            Error::DivisionByZero { .. } => f.write_str("integer division or modulo by zero"),
            Error::NegativeExponent { .. } => {
                f.write_str("Integers to negative integer powers are not allowed.")
            }
            Error::Interrupted => f.write_str("interrupted"),
            Error::Compile { log } => write!(f, "a kernel does not compile:\n{log}"),
            Error::Driver(reason) => f.write_str(reason),
        }
    }
}

impl From<OutOfMemory> for Error {
    #[cold]
    fn from(error: OutOfMemory) -> Error {
        Error::OutOfMemory(Box::new(error))
    }
}

impl From<Error> for Fault {
    #[cold]
    fn from(error: Error) -> Fault {
        let kind = match &error {
            Error::OutOfMemory(error) => return (**error).clone().into(),
            Error::IndexOutOfBounds { .. } => ErrorKind::Index,
            Error::DivisionByZero { .. } => ErrorKind::ZeroDivision,
            Error::NegativeExponent { .. } => ErrorKind::Value,
            Error::Interrupted => ErrorKind::KeyboardInterrupt,
            Error::Compile { .. } | Error::Driver(_) => ErrorKind::Runtime,
        };
        Fault::new(kind, error.to_string())
    }
}
