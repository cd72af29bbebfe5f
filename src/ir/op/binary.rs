//! Operations with two operands of one type, which the result has too.

use super::{Cost, Loops, Pole, operations};
use crate::dtype::{DType, Kind, Scalar};

#[derive(Debug)]
pub struct Binary {
    pub name: &'static str,
    /// NumPy's name.
    pub ufunc: &'static str,
    pub loops: Loops,
    /// Why some integers have no result. Such an operand ends the launch with an error.
    fails: Option<Failure>,
    identity: Option<Identity>,
    pub cost: Cost,
    pub pole: Pole,
    /// Whether a result may be too small for its type though no operand is.
    pub can_vanish: bool,
}

/// The operand that changes nothing.
#[derive(Debug, Clone, Copy)]
enum Identity {
    Zero,
    One,
    /// Every bit is set; true.
    Ones,
    Lowest,
    Highest,
}

/// Why there is no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// Of integers and bools.
    DivisionByZero,
    /// Of signed integers.
    NegativeExponent,
}

const fn row(name: &'static str, loops: Loops, cost: Cost) -> Binary {
    let (pole, can_vanish) = (Pole::None, false);
    Binary { name, ufunc: name, loops, fails: None, identity: None, cost, pole, can_vanish }
}

/// A function of real numbers.
const fn real(name: &'static str, cost: u8) -> Binary {
    row(name, Loops::REAL, Cost::of(cost))
}

const fn cheap(name: &'static str, loops: Loops) -> Binary {
    row(name, loops, Cost::NONE)
}

impl Binary {
    const fn ufunc(self, ufunc: &'static str) -> Binary {
        Binary { ufunc, ..self }
    }

    const fn identity(self, identity: Identity) -> Binary {
        Binary { identity: Some(identity), ..self }
    }

    const fn fails(self, failure: Failure) -> Binary {
        Binary { fails: Some(failure), ..self }
    }

    const fn pole(self, pole: Pole) -> Binary {
        Binary { pole, ..self }
    }

    const fn can_vanish(self) -> Binary {
        Binary { can_vanish: true, ..self }
    }
}

const DIVISION: Cost = Cost::by_kind(3, 8);

operations! {
    BinaryOp: Binary, codes in binary_code {
        Add = cheap("add", Loops::ANY).identity(Identity::Zero),
        Sub = cheap("sub", Loops::NUMBERS).ufunc("subtract"),
        Mul = cheap("mul", Loops::ANY).ufunc("multiply").identity(Identity::One).can_vanish(),
        Div = row("div", Loops::INEXACT, Cost::of(2))
            .ufunc("divide")
            .pole(Pole::Second)
            .can_vanish(),
        /// Rounds towards minus infinity.
        FloorDiv = row("floordiv", Loops::ORDERED_OR_INT8, DIVISION)
            .ufunc("floor_divide")
            .pole(Pole::Second)
            .fails(Failure::DivisionByZero),
        /// Has the divisor's sign.
        Mod = row("mod", Loops::ORDERED_OR_INT8, DIVISION)
            .ufunc("remainder")
            .fails(Failure::DivisionByZero),
        /// C's remainder: has the dividend's sign.
        Fmod = row("fmod", Loops::ORDERED_OR_INT8, DIVISION).fails(Failure::DivisionByZero),
        /// Integers wrap.
        Pow = row("pow", Loops::NUMBERS_OR_INT8, DIVISION)
            .ufunc("power")
            .pole(Pole::First)
            .can_vanish()
            .fails(Failure::NegativeExponent),
        /// NaN if either is.
        Max = cheap("max", Loops::ANY).ufunc("maximum").identity(Identity::Lowest),
        /// NaN if either is.
        Min = cheap("min", Loops::ANY).ufunc("minimum").identity(Identity::Highest),
        /// The other if one is NaN.
        Fmax = cheap("fmax", Loops::ANY),
        /// The other if one is NaN.
        Fmin = cheap("fmin", Loops::ANY),
        Atan2 = real("atan2", 6).ufunc("arctan2"),
        Hypot = real("hypot", 6).identity(Identity::Zero),
        CopySign = real("copysign", 0),
        NextAfter = real("nextafter", 3),
        LogAddExp = real("logaddexp", 16).identity(Identity::Lowest),
        LogAddExp2 = real("logaddexp2", 16),
        BitAnd = cheap("and", Loops::BITS).ufunc("bitwise_and").identity(Identity::Ones),
        BitOr = cheap("or", Loops::BITS).ufunc("bitwise_or").identity(Identity::Zero),
        BitXor = cheap("xor", Loops::BITS).ufunc("bitwise_xor").identity(Identity::Zero),
        /// Zero where the shift reaches the width.
        Shl = cheap("shl", Loops::INTEGERS).ufunc("left_shift"),
        /// The sign's bit where the shift reaches the width.
        Shr = cheap("shr", Loops::INTEGERS).ufunc("right_shift"),
        Gcd = row("gcd", Loops::INTEGERS, Cost::of(6)).identity(Identity::Zero),
        Lcm = row("lcm", Loops::INTEGERS, Cost::of(6)),
    }
}

impl BinaryOp {
    /// Why operands of this type may have no result; `None` where all have one.
    pub fn failure(self, dtype: DType) -> Option<Failure> {
        self.row().fails.filter(|failure| match failure {
            Failure::DivisionByZero => !dtype.is_float(),
            Failure::NegativeExponent => dtype.kind() == Kind::Signed,
        })
    }

    /// Whether operands of this type may have no result, if `right` is what is known of the second, as its
    /// type holds it.
    pub fn can_fail(self, dtype: DType, right: Option<Scalar>) -> bool {
        match (self.failure(dtype), right) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(Failure::DivisionByZero), Some(divisor)) => divisor.as_i64() == 0,
            (Some(Failure::NegativeExponent), Some(exponent)) => exponent.as_i64() < 0,
        }
    }

    /// The operand that changes nothing, as its type holds it: of a largest number minus infinity, or
    /// the least integer.
    pub fn identity(self, dtype: DType) -> Option<Scalar> {
        let extreme = |infinity: f64, pick: fn((i128, i128)) -> i128| match dtype.integer_range() {
            // The bits of the highest number without a sign are right after it has wrapped.
            Some(range) => Scalar::Int(pick(range) as i64),
            None => Scalar::Float(
                dtype.format().map_or(infinity, |format| infinity.signum() * format.end()),
            ),
        };
        let value = match self.row().identity? {
            Identity::Zero => Scalar::Int(0),
            Identity::One => Scalar::Int(1),
            Identity::Ones => Scalar::Int(-1),
            Identity::Lowest => extreme(f64::NEG_INFINITY, |(low, _)| low),
            Identity::Highest => extreme(f64::INFINITY, |(_, high)| high),
        };
        Some(value.held_as(dtype))
    }
}
