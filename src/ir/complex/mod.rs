//! Complex numbers in programs, which hold real values only: a complex value is two of them, and an
//! operation on complex numbers is a formula of real operations. So every back end has them without a
//! kernel of its own, and they fuse with whatever stands around them.
//!
//! Signs of zero, infinities and NaN come out as C99's Annex G has them, where NumPy leaves them to the C
//! library, and else as NumPy's own formulas make them (`npy_math`, the loops of its ufuncs).

mod arithmetic;
mod exponential;
mod inverse;
mod order;
mod power;
mod trigonometric;

use super::{BinaryOp, Builder, CompareOp, Op, Reg, UnaryOp};
use crate::dtype::{DType, Scalar};

/// A value of a program in terms of the types that tensors have.
#[derive(Debug, Clone, Copy)]
pub enum Value {
    Real(Reg),
    Complex { re: Reg, im: Reg },
}

impl Value {
    pub fn complex(re: Reg, im: Reg) -> Value {
        Value::Complex { re, im }
    }

    pub fn is_complex(self) -> bool {
        matches!(self, Value::Complex { .. })
    }

    /// The register of a real value.
    ///
    /// # Panics
    /// If it is a complex one.
    pub fn real(self) -> Reg {
        match self {
            Value::Real(reg) => reg,
            Value::Complex { .. } => unreachable!("the value is complex"),
        }
    }

    /// Its parts; those of a real value are itself and a zero of type `part`.
    pub fn to_parts(self, builder: &mut Builder, part: DType) -> (Reg, Reg) {
        match self {
            Value::Real(reg) => (reg, builder.constant(Scalar::Float(0.0), part)),
            Value::Complex { re, im } => (re, im),
        }
    }

    /// The same done to each register.
    pub fn map(self, mut of: impl FnMut(Reg) -> Reg) -> Value {
        match self {
            Value::Real(reg) => Value::Real(of(reg)),
            Value::Complex { re, im } => Value::complex(of(re), of(im)),
        }
    }
}

/// A complex value.
#[derive(Debug, Clone, Copy)]
struct Complex {
    re: Reg,
    im: Reg,
}

impl From<Complex> for Value {
    fn from(Complex { re, im }: Complex) -> Value {
        Value::Complex { re, im }
    }
}

/// Writes formulas into a program, over parts of one floating type.
#[derive(Debug)]
pub struct Formulas<'b> {
    builder: &'b mut Builder,
    part: DType,
}

impl Formulas<'_> {
    /// Formulas over parts as those of `operand`.
    pub fn new<'b>(builder: &'b mut Builder, operand: &Value) -> Formulas<'b> {
        let part = match operand {
            Value::Real(reg) | Value::Complex { re: reg, .. } => builder.dtype(*reg),
        };
        Formulas { builder, part }
    }

    /// What an operation makes of a complex number. Tests and magnitudes are real.
    ///
    /// # Panics
    /// If the operation has no loop for complex numbers.
    pub fn unary(&mut self, op: UnaryOp, z: Value) -> Value {
        let (z, f) = (parts(z), self);
        let value = match op {
            UnaryOp::Neg => f.negative(z),
            UnaryOp::Abs => return Value::Real(f.hypot(z)),
            UnaryOp::Sign => f.sign(z),
            UnaryOp::Square => f.square(z),
            UnaryOp::Reciprocal => f.reciprocal(z),
            UnaryOp::Sqrt => f.in_double(z, |f, z| f.sqrt(z)),
            UnaryOp::Exp => f.exp(z),
            UnaryOp::Exp2 => f.exp2(z),
            UnaryOp::Expm1 => f.expm1(z),
            UnaryOp::Log => f.in_double(z, |f, z| f.log(z)),
            UnaryOp::Log2 => f.in_double(z, |f, z| f.log_over(z, std::f64::consts::LOG2_E)),
            UnaryOp::Log10 => f.in_double(z, |f, z| f.log_over(z, std::f64::consts::LOG10_E)),
            UnaryOp::Log1p => f.in_double(z, |f, z| f.log1p(z)),
            UnaryOp::Sin => f.sin(z),
            UnaryOp::Cos => {
                let turned = f.times_i(z);
                f.cosh(turned)
            }
            UnaryOp::Tan => f.turned(z, |f, z| f.tanh(z)),
            UnaryOp::Sinh => f.sinh(z),
            UnaryOp::Cosh => f.cosh(z),
            UnaryOp::Tanh => f.tanh(z),
            UnaryOp::Asin => f.in_double(z, |f, z| f.turned(z, |f, z| f.asinh(z))),
            UnaryOp::Acos => f.in_double(z, |f, z| f.acos(z)),
            UnaryOp::Atan => f.in_double(z, |f, z| f.turned(z, |f, z| f.atanh(z))),
            UnaryOp::Asinh => f.in_double(z, |f, z| f.asinh(z)),
            UnaryOp::Acosh => f.in_double(z, |f, z| f.acosh(z)),
            UnaryOp::Atanh => f.in_double(z, |f, z| f.atanh(z)),
            UnaryOp::Round => z.map(|part| f.of(UnaryOp::Round, part)),
            UnaryOp::IsNan | UnaryOp::IsInf => return Value::Real(f.either(op, z)),
            UnaryOp::IsFinite => return Value::Real(f.both_are(op, z)),
            UnaryOp::Not
            | UnaryOp::Rsqrt
            | UnaryOp::Cbrt
            | UnaryOp::Sigmoid
            | UnaryOp::Erf
            | UnaryOp::Erfc
            | UnaryOp::Lgamma
            | UnaryOp::Floor
            | UnaryOp::Ceil
            | UnaryOp::Trunc
            | UnaryOp::SignBit => unreachable!("{} has no complex loop", op.name()),
        };
        value.into()
    }

    /// What an operation makes of two complex numbers.
    ///
    /// # Panics
    /// If the operation has no loop for complex numbers.
    pub fn binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        let (a, b, f) = (parts(a), parts(b), self);
        let value = match op {
            BinaryOp::Add | BinaryOp::Sub => {
                Complex { re: f.join(op, a.re, b.re), im: f.join(op, a.im, b.im) }
            }
            BinaryOp::Mul => f.product(a, b),
            BinaryOp::Div => f.quotient(a, b),
            BinaryOp::Pow => f.power(a, b),
            BinaryOp::Max => f.first_unless(a, b, CompareOp::Ge, true),
            BinaryOp::Min => f.first_unless(a, b, CompareOp::Le, true),
            BinaryOp::Fmax => f.first_unless(a, b, CompareOp::Ge, false),
            BinaryOp::Fmin => f.first_unless(a, b, CompareOp::Le, false),
            BinaryOp::FloorDiv
            | BinaryOp::Mod
            | BinaryOp::Fmod
            | BinaryOp::Atan2
            | BinaryOp::Hypot
            | BinaryOp::CopySign
            | BinaryOp::NextAfter
            | BinaryOp::LogAddExp
            | BinaryOp::LogAddExp2
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::Shl
            | BinaryOp::Shr
            | BinaryOp::Gcd
            | BinaryOp::Lcm => unreachable!("{} has no complex loop", op.name()),
        };
        value.into()
    }

    /// A comparison of two complex numbers: by their real parts, and where those are equal by the
    /// imaginary ones; bool.
    pub fn compare(&mut self, op: CompareOp, a: Value, b: Value) -> Reg {
        self.ordered(op, parts(a), parts(b))
    }
}

fn parts(value: Value) -> Complex {
    match value {
        Value::Complex { re, im } => Complex { re, im },
        Value::Real(_) => unreachable!("the value is real"),
    }
}

impl Complex {
    fn map(self, mut of: impl FnMut(Reg) -> Reg) -> Complex {
        Complex { re: of(self.re), im: of(self.im) }
    }
}

/// The words in which formulas are written.
impl Formulas<'_> {
    fn number(&mut self, value: f64) -> Reg {
        self.builder.constant(Scalar::Float(value), self.part)
    }

    /// An operation on a part; of tests, bool.
    fn of(&mut self, op: UnaryOp, x: Reg) -> Reg {
        let dtype = if op.is_test() { DType::Bool } else { self.part };
        self.builder.push(Op::Unary(op, x), dtype)
    }

    fn join(&mut self, op: BinaryOp, a: Reg, b: Reg) -> Reg {
        self.builder.push(Op::Binary(op, a, b), self.part)
    }

    fn add(&mut self, a: Reg, b: Reg) -> Reg {
        self.join(BinaryOp::Add, a, b)
    }

    fn sub(&mut self, a: Reg, b: Reg) -> Reg {
        self.join(BinaryOp::Sub, a, b)
    }

    fn mul(&mut self, a: Reg, b: Reg) -> Reg {
        self.join(BinaryOp::Mul, a, b)
    }

    fn div(&mut self, a: Reg, b: Reg) -> Reg {
        self.join(BinaryOp::Div, a, b)
    }

    fn times(&mut self, x: Reg, factor: f64) -> Reg {
        let factor = self.number(factor);
        self.mul(x, factor)
    }

    fn plus(&mut self, x: Reg, term: f64) -> Reg {
        let term = self.number(term);
        self.add(x, term)
    }

    fn neg(&mut self, x: Reg) -> Reg {
        self.of(UnaryOp::Neg, x)
    }

    fn abs(&mut self, x: Reg) -> Reg {
        self.of(UnaryOp::Abs, x)
    }

    /// The magnitude of one with the sign of the other.
    fn signed(&mut self, magnitude: Reg, sign: Reg) -> Reg {
        self.join(BinaryOp::CopySign, magnitude, sign)
    }

    fn is(&mut self, op: CompareOp, a: Reg, b: Reg) -> Reg {
        self.builder.push(Op::Compare(op, a, b), DType::Bool)
    }

    fn is_than(&mut self, op: CompareOp, x: Reg, value: f64) -> Reg {
        let value = self.number(value);
        self.is(op, x, value)
    }

    fn is_zero(&mut self, x: Reg) -> Reg {
        self.is_than(CompareOp::Eq, x, 0.0)
    }

    fn is_nan(&mut self, x: Reg) -> Reg {
        self.of(UnaryOp::IsNan, x)
    }

    fn is_infinite(&mut self, x: Reg) -> Reg {
        self.of(UnaryOp::IsInf, x)
    }

    fn is_finite(&mut self, x: Reg) -> Reg {
        self.of(UnaryOp::IsFinite, x)
    }

    fn and(&mut self, a: Reg, b: Reg) -> Reg {
        self.builder.push(Op::Binary(BinaryOp::BitAnd, a, b), DType::Bool)
    }

    fn or(&mut self, a: Reg, b: Reg) -> Reg {
        self.builder.push(Op::Binary(BinaryOp::BitOr, a, b), DType::Bool)
    }

    fn not(&mut self, a: Reg) -> Reg {
        self.builder.push(Op::Unary(UnaryOp::Not, a), DType::Bool)
    }

    fn pick(&mut self, condition: Reg, then: Reg, otherwise: Reg) -> Reg {
        self.builder.push(Op::Select(condition, then, otherwise), self.part)
    }

    fn pick_both(&mut self, condition: Reg, then: Complex, otherwise: Complex) -> Complex {
        Complex {
            re: self.pick(condition, then.re, otherwise.re),
            im: self.pick(condition, then.im, otherwise.im),
        }
    }

    /// Whether a test holds for a part.
    fn either(&mut self, test: UnaryOp, z: Complex) -> Reg {
        let (re, im) = (self.of(test, z.re), self.of(test, z.im));
        self.or(re, im)
    }

    /// Whether a test holds for both parts.
    fn both_are(&mut self, test: UnaryOp, z: Complex) -> Reg {
        let (re, im) = (self.of(test, z.re), self.of(test, z.im));
        self.and(re, im)
    }

    fn hypot(&mut self, z: Complex) -> Reg {
        self.join(BinaryOp::Hypot, z.re, z.im)
    }

    fn nan(&mut self) -> Reg {
        self.number(f64::NAN)
    }

    /// A formula over parts of 64 bits, whatever the number's own are: what loses digits by cancellation,
    /// or overflows on the way, does neither in twice the width.
    fn in_double(
        &mut self,
        z: Complex,
        formula: impl FnOnce(&mut Formulas<'_>, Complex) -> Complex,
    ) -> Complex {
        let own = self.part;
        let mut wide = Formulas { builder: &mut *self.builder, part: DType::F64 };
        let z = z.map(|part| wide.builder.cast(part, DType::F64));
        formula(&mut wide, z).map(|part| self.builder.cast(part, own))
    }

    /// `i z`
    fn times_i(&mut self, z: Complex) -> Complex {
        Complex { re: self.neg(z.im), im: z.re }
    }

    /// `-i f(i z)`: how a circular function follows from the hyperbolic one.
    fn turned(
        &mut self,
        z: Complex,
        formula: impl FnOnce(&mut Self, Complex) -> Complex,
    ) -> Complex {
        let turned = self.times_i(z);
        let value = formula(self, turned);
        Complex { re: value.im, im: self.neg(value.re) }
    }
}
