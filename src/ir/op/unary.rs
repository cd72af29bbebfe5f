//! Operations with one operand.

use super::{Cost, Loops, Pole, operations};

#[derive(Debug)]
pub struct Unary {
    pub name: &'static str,
    /// NumPy's name.
    pub ufunc: &'static str,
    pub loops: Loops,
    /// Whether the result is bool; else it has the operand's type, but for a complex magnitude, which is
    /// real.
    pub is_test: bool,
    pub cost: Cost,
    pub pole: Pole,
    /// Whether a result may be too small for its type though no operand is.
    pub can_vanish: bool,
}

const fn row(name: &'static str, loops: Loops, cost: u8) -> Unary {
    let cost = Cost::of(cost);
    let (is_test, pole, can_vanish) = (false, Pole::None, false);
    Unary { name, ufunc: name, loops, is_test, cost, pole, can_vanish }
}

/// A function of real numbers.
const fn real(name: &'static str, cost: u8) -> Unary {
    row(name, Loops::REAL, cost)
}

/// A function of real and complex numbers.
const fn inexact(name: &'static str, cost: u8) -> Unary {
    row(name, Loops::INEXACT, cost)
}

const fn test(name: &'static str) -> Unary {
    Unary { is_test: true, ..inexact(name, 0) }
}

impl Unary {
    const fn ufunc(self, ufunc: &'static str) -> Unary {
        Unary { ufunc, ..self }
    }

    const fn pole(self, pole: Pole) -> Unary {
        Unary { pole, ..self }
    }

    const fn can_vanish(self) -> Unary {
        Unary { can_vanish: true, ..self }
    }
}

operations! {
    UnaryOp: Unary, codes in unary_code {
        Neg = row("neg", Loops::NUMBERS, 0).ufunc("negative"),
        Abs = row("abs", Loops::MAGNITUDE, 0).ufunc("absolute"),
        Sign = row("sign", Loops::NUMBERS, 0),
        /// Bitwise on integers, logical on bool.
        Not = row("not", Loops::BITS, 0).ufunc("invert"),
        Square = row("square", Loops::NUMBERS_OR_INT8, 0).can_vanish(),
        Reciprocal = inexact("reciprocal", 2).pole(Pole::First).can_vanish(),
        Sqrt = inexact("sqrt", 2),
        Rsqrt = real("rsqrt", 2).pole(Pole::First),
        Cbrt = real("cbrt", 4),
        Exp = inexact("exp", 2).can_vanish(),
        Exp2 = inexact("exp2", 2).can_vanish(),
        Expm1 = inexact("expm1", 4),
        Log = inexact("log", 2).pole(Pole::Anywhere),
        Log2 = inexact("log2", 2).pole(Pole::Anywhere),
        Log10 = inexact("log10", 2).pole(Pole::Anywhere),
        Log1p = inexact("log1p", 4).pole(Pole::Anywhere),
        Sin = inexact("sin", 8),
        Cos = inexact("cos", 8),
        Tan = inexact("tan", 8),
        Asin = inexact("asin", 4).ufunc("arcsin"),
        Acos = inexact("acos", 4).ufunc("arccos"),
        Atan = inexact("atan", 4).ufunc("arctan"),
        Sinh = inexact("sinh", 4),
        Cosh = inexact("cosh", 4),
        Tanh = inexact("tanh", 4),
        Asinh = inexact("asinh", 4).ufunc("arcsinh"),
        Acosh = inexact("acosh", 4).ufunc("arccosh"),
        Atanh = inexact("atanh", 4).ufunc("arctanh").pole(Pole::Anywhere),
        Sigmoid = real("sigmoid", 2),
        Erf = real("erf", 4),
        /// 1 - erf, exact where little is left.
        Erfc = real("erfc", 16),
        /// The logarithm of the magnitude of the gamma function.
        Lgamma = real("lgamma", 16),
        Floor = row("floor", Loops::ROUNDING, 0),
        Ceil = row("ceil", Loops::ROUNDING, 0),
        Trunc = row("trunc", Loops::ROUNDING, 0),
        /// To the nearest integer, halves to even.
        Round = row("round", Loops::ROUNDING_PARTS, 0).ufunc("rint"),
        IsNan = test("isnan"),
        IsInf = test("isinf"),
        IsFinite = test("isfinite"),
        SignBit = Unary { is_test: true, ..real("signbit", 0) },
    }
}

impl UnaryOp {
    /// Whether the result is bool, whatever the operand.
    pub fn is_test(self) -> bool {
        self.row().is_test
    }
}
