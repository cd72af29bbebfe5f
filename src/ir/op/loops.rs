//! On which types an operation works, and what it costs there.

use crate::dtype::{DType, Kind};

/// How an operation is done on operands of one kind. NumPy calls the function that a type has for an
/// operation its loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loop {
    /// In the operands' own type.
    Own,
    /// In the default float type, or the operand's if that is wider.
    Float,
    /// In int8, for which NumPy takes a bool where it has no loop for bools.
    Int8,
    /// The operand is the result.
    Unchanged,
    /// TypeError.
    Missing,
}

/// The loops of an operation, by the kind of its operands.
#[derive(Debug, Clone, Copy)]
pub struct Loops {
    bool: Loop,
    unsigned: Loop,
    signed: Loop,
    float: Loop,
    complex: Loop,
}

impl Loops {
    pub const ANY: Loops = Loops::new(Loop::Own, Loop::Own, Loop::Own, Loop::Own, Loop::Own);
    /// All but bools.
    pub const NUMBERS: Loops = Loops { bool: Loop::Missing, ..Loops::ANY };
    /// All numbers, and bools as int8.
    pub const NUMBERS_OR_INT8: Loops = Loops { bool: Loop::Int8, ..Loops::ANY };
    /// Real numbers, and bools as int8.
    pub const ORDERED_OR_INT8: Loops = Loops { complex: Loop::Missing, ..Loops::NUMBERS_OR_INT8 };
    /// Integers and bools.
    pub const BITS: Loops = Loops { float: Loop::Missing, complex: Loop::Missing, ..Loops::ANY };
    /// Integers, and bools as int8.
    pub const INTEGERS: Loops = Loops { bool: Loop::Int8, ..Loops::BITS };
    /// What is defined on real numbers only.
    pub const REAL: Loops =
        Loops::new(Loop::Float, Loop::Float, Loop::Float, Loop::Own, Loop::Missing);
    /// What integers have no room for the result of.
    pub const INEXACT: Loops = Loops { complex: Loop::Own, ..Loops::REAL };
    /// What leaves an integer as it is.
    pub const ROUNDING: Loops =
        Loops::new(Loop::Unchanged, Loop::Unchanged, Loop::Unchanged, Loop::Own, Loop::Missing);
    /// The same, and each part of a complex number.
    pub const ROUNDING_PARTS: Loops = Loops { complex: Loop::Own, ..Loops::ROUNDING };
    /// What leaves a number without a sign as it is.
    pub const MAGNITUDE: Loops = Loops { signed: Loop::Own, ..Loops::ROUNDING_PARTS };

    const fn new(bool: Loop, unsigned: Loop, signed: Loop, float: Loop, complex: Loop) -> Loops {
        Loops { bool, unsigned, signed, float, complex }
    }

    pub const fn of(&self, kind: Kind) -> Loop {
        match kind {
            Kind::Bool => self.bool,
            Kind::Unsigned => self.unsigned,
            Kind::Signed => self.signed,
            Kind::Float => self.float,
            Kind::Complex => self.complex,
        }
    }

    /// Whether a program may have the operation on operands of this type.
    pub fn has(&self, dtype: DType) -> bool {
        self.of(dtype.kind()) == Loop::Own
    }
}

/// How many times the machine code of an addition an operation takes, about; 0 where it is as cheap as
/// one.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    integer: u8,
    float: u8,
}

impl Cost {
    pub const NONE: Cost = Cost::of(0);

    pub const fn of(cost: u8) -> Cost {
        Cost { integer: cost, float: cost }
    }

    pub const fn by_kind(integer: u8, float: u8) -> Cost {
        Cost { integer, float }
    }

    pub fn on(&self, dtype: DType) -> usize {
        usize::from(if dtype.is_float() { self.float } else { self.integer })
    }
}
