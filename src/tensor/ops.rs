//! Elementwise work: what type it is done in, and the lazy nodes for it.

use super::{BinaryOp, CompareOp, Engine, Error, Tensor, UnaryOp};
use crate::diag::ErrorKind;
use crate::dtype::{DType, Kind, Scalar, common_type, comparable, comparable_with, promote};
use crate::ir::{Loop, MapOp};
use crate::layout::Shape;

/// A tensor, or a Python scalar, which is weak in promotion.
#[derive(Debug, Clone)]
pub enum Operand {
    Tensor(Tensor),
    Scalar(Scalar),
}

impl From<Tensor> for Operand {
    fn from(tensor: Tensor) -> Operand {
        Operand::Tensor(tensor)
    }
}

impl From<&Tensor> for Operand {
    fn from(tensor: &Tensor) -> Operand {
        Operand::Tensor(tensor.clone())
    }
}

impl From<Scalar> for Operand {
    fn from(scalar: Scalar) -> Operand {
        Operand::Scalar(scalar)
    }
}

impl Engine {
    /// `op` of every element. What is defined on real numbers only turns bools and integers into
    /// the default float.
    ///
    /// # Errors
    /// TypeError where the type has no such operation: the negative of a bool.
    pub fn unary(&self, op: UnaryOp, x: &Tensor) -> Result<Tensor, Error> {
        let row = op.row();
        let made = |operand: DType| match op {
            _ if row.is_test => DType::Bool,
            UnaryOp::Abs => operand.part(),
            _ => operand,
        };
        match row.loops.of(x.dtype().kind()) {
            Loop::Own => self.map(MapOp::Unary(op), &[x], made(x.dtype())),
            Loop::Float => {
                let x = self.cast(x, self.default_float())?;
                self.map(MapOp::Unary(op), &[&x], made(x.dtype()))
            }
            Loop::Int8 => {
                let x = self.cast(x, DType::I8)?;
                self.map(MapOp::Unary(op), &[&x], made(DType::I8))
            }
            Loop::Unchanged => self.copy_as_it_lies(x),
            Loop::Missing => Err(no_unary_loop(op, x.dtype())),
        }
    }

    /// `op` of the elements of two operands, broadcast and promoted together.
    ///
    /// # Errors
    /// ValueError where the shapes do not broadcast, OverflowError where a Python number does not
    /// fit the tensor's type, TypeError where the type has no such operation.
    pub fn binary(
        &self,
        op: BinaryOp,
        lhs: impl Into<Operand>,
        rhs: impl Into<Operand>,
    ) -> Result<Tensor, Error> {
        let (lhs, rhs) = (lhs.into(), rhs.into());
        let dtype = self.binary_type(op, self.common(&lhs, &rhs))?;
        if let (BinaryOp::Pow, Operand::Tensor(base), Operand::Scalar(exponent)) = (op, &lhs, &rhs)
        {
            if let Some(op) = simple_power(*exponent, dtype) {
                return self.unary(op, &self.cast(base, dtype)?);
            }
            let factors =
                few_factors(*exponent).filter(|_| dtype.is_integer() && !base.is_scalar());
            if let Some(factors) = factors {
                return self.whole_power(&self.cast(base, dtype)?, factors);
            }
        }
        if let Some(number) = self.of_numbers(MapOp::Binary(op), &lhs, &rhs, dtype) {
            return Ok(number);
        }
        let (lhs, rhs) = self.operands(lhs, rhs, dtype)?;
        self.map(MapOp::Binary(op), &[&lhs, &rhs], dtype)
    }

    /// The product of so many factors, by squares: what integers that wrap come to in any order.
    fn whole_power(&self, base: &Tensor, factors: u32) -> Result<Tensor, Error> {
        let square = |x: &Tensor| self.unary(UnaryOp::Square, x);
        // The first digit of the exponent is the base itself; each further one squares what there is.
        let mut digits = (0..factors.ilog2()).rev();
        digits.try_fold(base.clone(), |power, digit| {
            let power = square(&power)?;
            match factors >> digit & 1 {
                0 => Ok(power),
                _ => self.binary(BinaryOp::Mul, &power, base),
            }
        })
    }

    /// A bool tensor. A Python number that does not fit the tensor's type compares by its value.
    ///
    /// # Errors
    /// ValueError where the shapes do not broadcast.
    pub fn compare(
        &self,
        op: CompareOp,
        lhs: impl Into<Operand>,
        rhs: impl Into<Operand>,
    ) -> Result<Tensor, Error> {
        let operands = [lhs.into(), rhs.into()];
        let dtype = self.comparable(&operands);
        let [lhs, rhs] = operands;
        match (&lhs, &rhs) {
            (Operand::Tensor(a), Operand::Tensor(b)) if dtype.is_float() => {
                let (is_wide, is_signed) = (DType::U64, Kind::Signed);
                if (a.dtype().kind(), b.dtype()) == (is_signed, is_wide) {
                    return self.compare_exactly(op, a, b);
                }
                if (a.dtype(), b.dtype().kind()) == (is_wide, is_signed) {
                    return self.compare_exactly(op.swapped(), b, a);
                }
            }
            (Operand::Tensor(x), Operand::Scalar(value)) if is_outside(*value, dtype) => {
                return self.compare_outside(op, &self.cast(x, dtype)?, *value);
            }
            (Operand::Scalar(value), Operand::Tensor(x)) if is_outside(*value, dtype) => {
                return self.compare_outside(op.swapped(), &self.cast(x, dtype)?, *value);
            }
            _ => {}
        }
        if let Some(number) = self.of_numbers(MapOp::Compare(op), &lhs, &rhs, dtype) {
            return Ok(number);
        }
        let (lhs, rhs) = self.operands(lhs, rhs, dtype)?;
        if self.float_errors.matter() && dtype.is_complex() {
            self.hear_unordered(op, &lhs, &rhs)?;
        }
        self.map(MapOp::Compare(op), &[&lhs, &rhs], DType::Bool)
    }

    /// Compares signed integers with uint64, for which no type holds both: by their bits as int64, of
    /// which a sign tells that the number without one is the larger.
    fn compare_exactly(
        &self,
        op: CompareOp,
        signed: &Tensor,
        wide: &Tensor,
    ) -> Result<Tensor, Error> {
        let (signed, bits) = (self.cast(signed, DType::I64)?, self.cast(wide, DType::I64)?);
        let alike = self.compare(op, &signed, &bits)?;
        let both = |join: BinaryOp, below: CompareOp| {
            let sign = self.compare(below, &signed, Scalar::Int(0))?;
            let answer = self.binary(join, &alike, &sign)?;
            match op {
                CompareOp::Eq | CompareOp::Ne => Ok(answer),
                CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge => {
                    self.binary(join, &answer, &self.compare(below, &bits, Scalar::Int(0))?)
                }
            }
        };
        match op {
            CompareOp::Eq | CompareOp::Gt | CompareOp::Ge => both(BinaryOp::BitAnd, CompareOp::Ge),
            CompareOp::Ne | CompareOp::Lt | CompareOp::Le => both(BinaryOp::BitOr, CompareOp::Lt),
        }
    }

    /// Compares integers with a number beyond their type: the answer is the same for all.
    fn compare_outside(&self, op: CompareOp, x: &Tensor, value: Scalar) -> Result<Tensor, Error> {
        let (_, high) = x.dtype().integer_range().expect("a range that the number is outside of");
        let is_true = match op {
            CompareOp::Eq => false,
            CompareOp::Ne => true,
            CompareOp::Lt | CompareOp::Le => value.as_i128() > high,
            CompareOp::Gt | CompareOp::Ge => value.as_i128() < high,
        };
        let op = if is_true { CompareOp::Le } else { CompareOp::Gt };
        self.compare(op, x, Scalar::from_i128(high).expect("a type holds it"))
    }

    /// `then` where `condition`, taken as bool, is true, else `otherwise`.
    ///
    /// # Errors
    /// ValueError where the shapes do not broadcast.
    pub fn select(
        &self,
        condition: &Tensor,
        then: impl Into<Operand>,
        otherwise: impl Into<Operand>,
    ) -> Result<Tensor, Error> {
        let (then, otherwise) = (then.into(), otherwise.into());
        let dtype = self.common(&then, &otherwise);
        let condition = self.cast(condition, DType::Bool)?;
        let place = condition.device().clone();
        let then = self.operand_as(then, dtype, &place)?;
        let otherwise = self.operand_as(otherwise, dtype, &place)?;
        self.map(MapOp::Select, &[&condition, &then, &otherwise], dtype)
    }

    /// The elements in another type; the tensor itself if it has that type.
    ///
    /// # Errors
    /// Only what computing a very long chain of operations may bring up.
    pub fn cast(&self, x: &Tensor, dtype: DType) -> Result<Tensor, Error> {
        if x.dtype() == dtype {
            return Ok(x.clone());
        }
        if dtype == DType::Bool {
            let zero = self.number_on(x.device().clone(), Scalar::Int(0), x.dtype());
            let cast = self.map(MapOp::Compare(CompareOp::Ne), &[x, &zero], DType::Bool)?;
            return Ok(cast.as_scalar(x.is_scalar()));
        }
        Ok(self.map(MapOp::Cast, &[x], dtype)?.as_scalar(x.is_scalar()))
    }

    /// The operand as a tensor of the type that it has by itself.
    ///
    /// # Errors
    /// None now; what makes tensors may fail on other devices.
    pub fn to_tensor(&self, x: impl Into<Operand>) -> Result<Tensor, Error> {
        match x.into() {
            Operand::Tensor(tensor) => Ok(tensor),
            Operand::Scalar(value) => {
                let dtype = value.dtype(self.default_float());
                Ok(self.constant_on(self.device(), Shape::scalar(), value, dtype))
            }
        }
    }

    /// The type in which two operands meet.
    pub fn common(&self, lhs: &Operand, rhs: &Operand) -> DType {
        let default = self.default_float();
        match (lhs, rhs) {
            (Operand::Tensor(a), Operand::Tensor(b)) => promote(a.dtype(), b.dtype()),
            (Operand::Tensor(tensor), Operand::Scalar(scalar))
            | (Operand::Scalar(scalar), Operand::Tensor(tensor)) => {
                common_type(tensor.dtype(), *scalar, default)
            }
            (Operand::Scalar(a), Operand::Scalar(b)) => promote(a.dtype(default), b.dtype(default)),
        }
    }

    /// The type in which two operands are compared.
    pub fn comparable(&self, operands: &[Operand; 2]) -> DType {
        match operands {
            [Operand::Tensor(a), Operand::Tensor(b)] => comparable(a.dtype(), b.dtype()),
            [Operand::Tensor(tensor), Operand::Scalar(scalar)]
            | [Operand::Scalar(scalar), Operand::Tensor(tensor)] => {
                comparable_with(tensor.dtype(), *scalar, self.default_float())
            }
            [Operand::Scalar(a), Operand::Scalar(b)] => {
                promote(a.dtype(DType::F64), b.dtype(DType::F64))
            }
        }
    }

    /// The type in which an operation is done whose operands meet in `dtype`.
    pub(super) fn binary_type(&self, op: BinaryOp, dtype: DType) -> Result<DType, Error> {
        match op.row().loops.of(dtype.kind()) {
            Loop::Own | Loop::Unchanged => Ok(dtype),
            Loop::Float => Ok(self.default_float()),
            Loop::Int8 => Ok(DType::I8),
            Loop::Missing => Err(no_binary_loop(op, dtype)),
        }
    }

    fn operands(
        &self,
        lhs: Operand,
        rhs: Operand,
        dtype: DType,
    ) -> Result<(Tensor, Tensor), Error> {
        let place = match (&lhs, &rhs) {
            (Operand::Tensor(tensor), _) | (_, Operand::Tensor(tensor)) => tensor.device().clone(),
            _ => self.device(),
        };
        Ok((self.operand_as(lhs, dtype, &place)?, self.operand_as(rhs, dtype, &place)?))
    }

    /// An operand as a tensor of `dtype`; a scalar becomes a constant on `place`.
    pub(super) fn operand_as(
        &self,
        operand: Operand,
        dtype: DType,
        place: &super::Device,
    ) -> Result<Tensor, Error> {
        match operand {
            Operand::Tensor(tensor) => self.cast(&tensor, dtype),
            Operand::Scalar(value) => {
                check_fits(value, dtype)?;
                self.hear_narrowed(&[value], dtype)?;
                Ok(self.number_on(place.clone(), value, dtype))
            }
        }
    }
}

/// An exponent of which a power is a few products.
fn few_factors(exponent: Scalar) -> Option<u32> {
    match exponent {
        Scalar::Int(factors @ 3..=16) => Some(factors as u32),
        _ => None,
    }
}

/// The one operation that a power with this exponent is, as NumPy takes it too.
fn simple_power(exponent: Scalar, dtype: DType) -> Option<UnaryOp> {
    if matches!(exponent, Scalar::Complex(_)) {
        return None;
    }
    let exponent = exponent.as_f64();
    match dtype.kind() {
        Kind::Float | Kind::Complex if exponent == 2.0 => Some(UnaryOp::Square),
        Kind::Float | Kind::Complex if exponent == 0.5 => Some(UnaryOp::Sqrt),
        Kind::Float | Kind::Complex if exponent == -1.0 => Some(UnaryOp::Reciprocal),
        Kind::Signed | Kind::Unsigned if exponent == 2.0 => Some(UnaryOp::Square),
        _ => None,
    }
}

/// Whether an integer is none of a type of integers.
fn is_outside(value: Scalar, dtype: DType) -> bool {
    let range = dtype.integer_range();
    value.is_whole() && range.is_some_and(|(low, high)| !(low..=high).contains(&value.as_i128()))
}

/// Whether a Python number lies in the range of the type that it takes; of a float, its whole part.
#[inline]
pub(super) fn check_fits(value: Scalar, dtype: DType) -> Result<(), Error> {
    if let (Scalar::Int(_), DType::I64) = (value, dtype) {
        return Ok(());
    }
    if let (Scalar::Complex(_), false) = (value, dtype.is_complex() || dtype == DType::Bool) {
        return Err(no_real_number(dtype));
    }
    let Some((low, high)) = dtype.integer_range().filter(|_| dtype != DType::Bool) else {
        return Ok(());
    };
    match value {
        Scalar::Int(_) | Scalar::Wide(_) if !(low..=high).contains(&value.as_i128()) => {
            Err(out_of_bounds(value, dtype))
        }
        Scalar::Float(value) if value.is_nan() => {
            Err(Error::value_error("cannot convert float NaN to integer"))
        }
        Scalar::Float(value) if value.is_infinite() => {
            Err(Error::new(ErrorKind::Overflow, "cannot convert float infinity to integer"))
        }
        // Both bounds are exact as doubles: powers of two, or numbers below 2^53.
        Scalar::Float(value) if value.trunc() < low as f64 || value >= high as f64 + 1.0 => {
            let whole = value.trunc();
            let is_beyond = whole.abs() >= 9_223_372_036_854_775_808.0;
            Err(if is_beyond { beyond_integers() } else { out_of_bounds(whole, dtype) })
        }
        _ => Ok(()),
    }
}

#[cold]
fn no_real_number(dtype: DType) -> Error {
    let expected = match dtype.is_float() {
        true => "float() argument must be a string or a real number",
        false => "int() argument must be a string, a bytes-like object or a real number",
    };
    Error::type_error(format!("{expected}, not 'complex'"))
        .with_hint("take a part, `z.real` or `z.imag`, or make the tensor complex first")
}

#[cold]
fn out_of_bounds(value: impl std::fmt::Display, dtype: DType) -> Error {
    Error::new(ErrorKind::Overflow, format!("Python integer {value} out of bounds for {dtype}"))
        .with_hint("give the tensor a wider type first: `x.astype(int64)`")
}

#[cold]
pub(super) fn beyond_integers() -> Error {
    Error::new(ErrorKind::Overflow, "Python int too large to convert to C long")
        .with_hint("the widest integers have 64 bits; a float tensor holds it")
}

#[cold]
fn no_unary_loop(op: UnaryOp, dtype: DType) -> Error {
    match op {
        UnaryOp::Neg => Error::type_error(
            "The numpy boolean negative, the `-` operator, is not supported, \
             use the `~` operator or the logical_not function instead.",
        ),
        UnaryOp::Not => no_loop(op.row().ufunc, dtype)
            .with_hint("`~` works on integers and bools; `logical_not(x)` on any type"),
        op => no_loop(op.row().ufunc, dtype),
    }
}

#[cold]
fn no_binary_loop(op: BinaryOp, dtype: DType) -> Error {
    match op {
        BinaryOp::Sub => Error::type_error(
            "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or \
                 the logical_xor function instead.",
        ),
        op => no_loop(op.row().ufunc, dtype),
    }
}

/// NumPy's words for operands that a function is not defined for.
pub fn no_loop(ufunc: &str, dtype: DType) -> Error {
    Error::type_error(format!(
        "ufunc '{ufunc}' not supported for the input types, and the inputs could not be safely coerced to any \
         supported types according to the casting rule ''safe''"
    ))
    .with_hint(format!("the operands meet in {dtype}"))
}
