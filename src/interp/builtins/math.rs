//! Functions of one number, elementwise: NumPy's names, PyTorch's beside them. Each is a function, a
//! method, and a method in place (`x.exp_()`).

use super::forms::{
    Made, Outcome, as_float, give, give_both, give_spread, real, rows, tensor_in_dtype, test,
    unary, unary_op,
};
use super::{Builtin, Call};
use crate::diag::Fault;
use crate::dtype::{DType, Kind, Scalar};
use crate::interp::value::Value;
use crate::tensor::{BinaryOp, CompareOp, Engine, Error, Operand, Tensor, UnaryOp};

pub const OPERATIONS: &[Builtin] = rows! {
    "(x, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None)" unary_op;
    "negative" ["neg"] UnaryOp::Neg, "Minus each element. Bools have no negative: TypeError." "negative(array([1, -2]))"
    "absolute" ["abs"] UnaryOp::Abs, "The absolute value of each element, in the same type." "absolute(array([-1.5, 2.0]))"
    "sign" ["sgn"] UnaryOp::Sign, "-1, 0 or 1 by each element's sign; NaN stays." "sign(array([-2.5, 0.0, 7.0]))"
    "square" [] UnaryOp::Square, "Each element times itself." "square(array([1, 2, 3]))"
    "sqrt" [] UnaryOp::Sqrt, "The square root of each element; NaN below zero. Integers give floats." "sqrt(array([1.0, 4.0, 9.0]))"
    "rsqrt" [] UnaryOp::Rsqrt, "One over the square root of each element." "rsqrt(array([1.0, 4.0]))"
    "cbrt" [] UnaryOp::Cbrt, "The cube root of each element, real below zero too." "cbrt(array([8.0, -27.0]))"
    "exp" [] UnaryOp::Exp, "e to the power of each element. Integers give floats." "exp(array([0.0, 1.0]))"
    "exp2" [] UnaryOp::Exp2, "2 to the power of each element." "exp2(array([0.0, 3.0]))"
    "expm1" [] UnaryOp::Expm1, "exp(x) - 1, exact near zero." "expm1(array([0.0, 1.0]))"
    "log" [] UnaryOp::Log, "The natural logarithm of each element; -inf at zero, NaN below." "log(array([1.0, 10.0]))"
    "log2" [] UnaryOp::Log2, "The logarithm to base 2 of each element." "log2(array([1.0, 8.0]))"
    "log10" [] UnaryOp::Log10, "The logarithm to base 10 of each element." "log10(array([1.0, 100.0]))"
    "log1p" [] UnaryOp::Log1p, "log(1 + x), exact near zero." "log1p(array([0.0, 1.0]))"
    "sin" [] UnaryOp::Sin, "The sine of each element, in radians." "sin(array([0.0, pi / 2]))"
    "cos" [] UnaryOp::Cos, "The cosine of each element, in radians." "cos(array([0.0, pi]))"
    "tan" [] UnaryOp::Tan, "The tangent of each element, in radians." "tan(array([0.0, pi / 4]))"
    "arcsin" ["asin"] UnaryOp::Asin, "The angle whose sine is each element; NaN beyond [-1, 1]." "arcsin(array([0.0, 1.0]))"
    "arccos" ["acos"] UnaryOp::Acos, "The angle whose cosine is each element; NaN beyond [-1, 1]." "arccos(array([1.0, 0.0]))"
    "arctan" ["atan"] UnaryOp::Atan, "The angle whose tangent is each element." "arctan(array([0.0, 1.0]))"
    "sinh" [] UnaryOp::Sinh, "The hyperbolic sine of each element." "sinh(array([0.0, 1.0]))"
    "cosh" [] UnaryOp::Cosh, "The hyperbolic cosine of each element." "cosh(array([0.0, 1.0]))"
    "tanh" [] UnaryOp::Tanh, "The hyperbolic tangent of each element." "tanh(array([0.0, 1.0]))"
    "arcsinh" ["asinh"] UnaryOp::Asinh, "The inverse hyperbolic sine of each element." "arcsinh(array([0.0, 1.0]))"
    "arccosh" ["acosh"] UnaryOp::Acosh, "The inverse hyperbolic cosine of each element; NaN below 1." "arccosh(array([1.0, 2.0]))"
    "arctanh" ["atanh"] UnaryOp::Atanh, "The inverse hyperbolic tangent of each element; NaN beyond [-1, 1]." "arctanh(array([0.0, 0.5]))"
    "erf" [] UnaryOp::Erf, "The error function of each element." "erf(array([0.0, 1.0]))"
    "erfc" [] UnaryOp::Erfc, "1 - erf(x), exact where little is left of it." "erfc(array([0.0, 1.0, 10.0]))"
    "lgamma" ["gammaln"] UnaryOp::Lgamma, "The logarithm of the magnitude of the gamma function; inf at zero and at negative whole numbers." "lgamma(array([0.5, 5.0]))"
    "floor" [] UnaryOp::Floor, "The largest whole number not above each element. Integers stay." "floor(array([1.7, -1.2]))"
    "ceil" [] UnaryOp::Ceil, "The smallest whole number not below each element. Integers stay." "ceil(array([1.2, -1.7]))"
    "trunc" ["fix"] UnaryOp::Trunc, "Each element without its fraction. Integers stay." "trunc(array([1.7, -1.7]))"
    "invert" ["bitwise_not", "bitwise_invert"] UnaryOp::Not, "Every bit turned; logical not of bools. TypeError for floats." "invert(array([0, 5]))"
};

pub const COMPOSITIONS: &[Builtin] = rows! {
    "(x, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None)" unary;
    "positive" [] crate::interp::ops::positive, "Each element, as a new tensor. TypeError for bools." "positive(array([1, -2]))"
    "fabs" [] |e, x| e.unary(UnaryOp::Abs, &as_float(e, real("fabs", x)?)?), "The absolute value of each element, as a float." "fabs(array([-1, 2]))"
    "rint" [] |e, x| e.unary(UnaryOp::Round, &as_float(e, x)?), "The nearest whole number as a float; halves go to the even one." "rint(array([0.5, 1.5, 2.4]))"
    "reciprocal" [] reciprocal, "One over each element; integers divide without remainder, as in NumPy." "reciprocal(array([2.0, 4.0]))"
    "degrees" ["rad2deg"] |e, x| e.heard_as("degrees", &[x], || scaled(e, real("degrees", x)?, 180.0 / std::f64::consts::PI)), "Radians to degrees." "degrees(array([0.0, pi]))"
    "radians" ["deg2rad"] |e, x| e.heard_as("radians", &[x], || scaled(e, real("radians", x)?, std::f64::consts::PI / 180.0)), "Degrees to radians." "radians(array([0.0, 180.0]))"
    "frac" [] |e, x| e.binary(BinaryOp::Sub, x, &e.unary(UnaryOp::Trunc, x)?), "The fraction of each element, with its sign." "frac(array([1.75, -1.25]))"
    "sinc" [] sinc, "sin(pi x) / (pi x), and 1 at zero." "sinc(array([0.0, 0.5]))"
    "conj" ["conjugate"] Engine::conjugate, "Each element with its imaginary part negated; real numbers as they are." "conj(array([1.0, 2.0]).astype(complex64))"
};

pub const PARTS: &[Builtin] = &[
    Builtin::new("real(val)", |call| Ok(call.engine().real(&call.tensor("val")?)?.into()))
        .doc("The real parts: a view of a complex tensor, a real tensor itself.")
        .example("real(array([1.5, 2.5]).astype(complex64))"),
    Builtin::new("imag(val)", |call| Ok(call.engine().imag(&call.tensor("val")?)?.into()))
        .doc("The imaginary parts: a view of a complex tensor, zeros of a real one.")
        .example("imag(array([1.5, 2.5]).astype(complex64))"),
    Builtin::new("angle(z, deg=False)", |call| {
        let (engine, z) = (call.engine(), call.tensor("z")?);
        let z = as_float(engine, &z)?;
        let angle = engine.angle(&z)?;
        match call.bool("deg")? {
            true => Ok(scaled(engine, &angle, 180.0 / std::f64::consts::PI)?.into()),
            false => Ok(angle.into()),
        }
    })
    .doc("The angle of each element with the positive real axis, in radians or, if `deg`, in degrees.")
    .example("angle(array([-1.0, 2.0]).astype(complex64))"),
];

pub const TESTS: &[Builtin] = &[
    Builtin::new("isnan(x, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None)", |call| test_op(call, UnaryOp::IsNan))
        .doc("True where an element is not a number.")
        .example("isnan(array([1.0, nan, inf]))")
        .method(),
    Builtin::new("isinf(x, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None)", |call| test_op(call, UnaryOp::IsInf))
        .doc("True where an element is infinite, of either sign.")
        .example("isinf(array([1.0, nan, -inf]))")
        .method(),
    Builtin::new("isfinite(x, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None)", |call| test_op(call, UnaryOp::IsFinite))
        .doc("True where an element is neither infinite nor NaN.")
        .example("isfinite(array([1.0, nan, inf]))")
        .method(),
    Builtin::new("signbit(x, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None)", |call| test_op(call, UnaryOp::SignBit))
        .doc("True where the sign bit is set: below zero, and -0.0.")
        .example("signbit(array([1.0, -0.0, -2.0]))")
        .method(),
    Builtin::new("isposinf(x, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None)", |call| {
        test(call, |e, x| e.compare(CompareOp::Eq, in_order(x)?, Scalar::Float(f64::INFINITY)))
    })
    .doc("True where an element is plus infinity.")
    .example("isposinf(array([inf, -inf, 0.0]))")
    .method(),
    Builtin::new("isneginf(x, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None)", |call| {
        test(call, |e, x| e.compare(CompareOp::Eq, in_order(x)?, Scalar::Float(f64::NEG_INFINITY)))
    })
    .doc("True where an element is minus infinity.")
    .example("isneginf(array([inf, -inf, 0.0]))")
    .method(),
    Builtin::new("logical_not(x, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None)", |call| test(call, logical_not))
        .doc("True where an element is zero.")
        .example("logical_not(array([0, 3]))")
        .method()
        .in_place(),
    Builtin::new("modf(x, out=(None, None), *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None)", |call| {
        let (engine, x) = (call.engine(), tensor_in_dtype(call)?);
        let x = as_float(engine, real("modf", &x)?)?;
        let whole = engine.unary(UnaryOp::Trunc, &x)?;
        let rest = engine.unheard(|| engine.binary(BinaryOp::Sub, &x, &whole))?;
        // An infinity has no fraction, but a sign.
        let infinite = engine.unary(UnaryOp::IsInf, &x)?;
        let rest = engine.select(&infinite, Scalar::Float(0.0), &rest)?;
        let rest = engine.binary(BinaryOp::CopySign, &rest, &x)?;
        give_both(call, [rest, whole])
    })
    .doc("(fractions, whole parts), both with the element's sign.")
    .example("modf(array([1.5, -2.25]))"),
    Builtin::new("frexp(x, out=(None, None), *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None)", |call| {
        let (engine, x) = (call.engine(), tensor_in_dtype(call)?);
        let x = as_float(engine, real("frexp", &x)?)?;
        let (mantissa, exponent) = engine.unheard(|| frexp(engine, &x))?;
        give_both(call, [mantissa, exponent])
    })
    .doc("(mantissas, exponents): x = mantissa * 2 ** exponent, the mantissa from 0.5 to 1.")
    .example("frexp(array([8.0, 3.0]))"),
    Builtin::new("bitwise_count(x, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None)", |call| {
        let x = Value::Tensor(tensor_in_dtype(call)?);
        match call.evaluator.call_written("_bitwise_count", [x])? {
            Value::Tensor(made) => give_spread(call, made),
            other => Ok(other),
        }
    })
    .doc("How many bits are set in the size of each integer, as uint8.")
    .example("bitwise_count(array([0, 5, -8]))"),
    Builtin::new("round(x, decimals=0, out=None)", |call| {
        let x = call.tensor("x")?;
        let result = round(call.engine(), &x, call.int("decimals")?)?;
        give(call, result)
    })
    .aliases(&["around"])
    .doc("To `decimals` places, halves to even; a negative number of places rounds tens and hundreds.")
    .example("round(array([1.25, 2.5, -0.7]), 1)")
    .method()
    .in_place(),
    Builtin::new("nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None)", |call| {
        let (engine, x) = (call.engine(), call.tensor("x")?);
        if matches!(call.value("copy"), Value::Str(_)) {
            let words = "strings are not allowed for 'copy' keyword. Use True/False/None instead.";
            return Err(call.fault_at("copy", Fault::value_error(words)));
        }
        let copies = call.bool("copy")?;
        if !x.dtype().is_inexact() {
            return Ok(engine.copy_as_it_lies(&x)?.into());
        }
        let (low, high) = float_range(x.dtype().part());
        let result = match x.dtype().is_complex() {
            true => {
                let (re, im) = (engine.real(&x)?, engine.imag(&x)?);
                engine.pair(&finite(call, &re, (low, high))?, &finite(call, &im, (low, high))?)?
            }
            false => finite(call, &x, (low, high))?,
        };
        match call.value("x") {
            Value::Tensor(own) if !copies => {
                call.last_write(|| engine.assign_all(own, result))?;
                Ok(Value::Tensor(own.clone()))
            }
            _ => Ok(result.into()),
        }
    })
    .doc("NaN becomes `nan`, infinities the type's largest and smallest numbers, or those given, one or as many as broadcast.\nIn place if `copy` is False.")
    .example("nan_to_num(array([1.0, nan, inf]), posinf=9.0)")
    .method()
    .in_place(),
];

/// `nan_to_num` of real numbers, which keep their type.
fn finite(call: &Call<'_>, x: &Tensor, (low, high): (f64, f64)) -> Result<Tensor, Fault> {
    let engine = call.engine();
    let instead = |key: &'static str, otherwise: f64| match call.value(key) {
        Value::None => Ok(Operand::Scalar(Scalar::Float(otherwise))),
        _ => {
            let operand = call.operand_beside(key, x)?;
            let is_complex = match &operand {
                Operand::Tensor(tensor) => tensor.dtype().is_complex(),
                Operand::Scalar(number) => matches!(number, Scalar::Complex(_)),
            };
            if is_complex {
                let words = format!(
                    "Cannot cast a complex number to dtype('{}') according to the rule 'same_kind'",
                    x.dtype()
                );
                return Err(call.fault_at(key, Fault::type_error(words)));
            }
            Ok(operand)
        }
    };
    let nan = engine.unary(UnaryOp::IsNan, x)?;
    let result = engine.select(&nan, instead("nan", 0.0)?, x)?;
    let above = engine.compare(CompareOp::Eq, x, Scalar::Float(f64::INFINITY))?;
    let result = engine.select(&above, instead("posinf", high)?, &result)?;
    let below = engine.compare(CompareOp::Eq, x, Scalar::Float(f64::NEG_INFINITY))?;
    let result = engine.select(&below, instead("neginf", low)?, &result)?;
    Ok(engine.cast(&result, x.dtype())?)
}

fn test_op(call: &mut Call<'_>, op: UnaryOp) -> Outcome {
    test(call, |engine, x| engine.unary(op, x))
}

/// NumPy's rounding: scales by a power of ten, rounds halves to even, scales back.
pub fn round(engine: &Engine, x: &Tensor, decimals: i64) -> Made {
    if decimals == 0 || (x.dtype().is_integer() && decimals > 0) {
        return match x.dtype().kind() {
            Kind::Float | Kind::Complex => engine.unary(UnaryOp::Round, x),
            Kind::Bool => engine.cast(x, DType::F16),
            Kind::Unsigned | Kind::Signed => engine.copy_as_it_lies(x),
        };
    }
    if x.dtype().is_complex() {
        return engine.pair(
            &round(engine, &engine.real(x)?, decimals)?,
            &round(engine, &engine.imag(x)?, decimals)?,
        );
    }
    let power = Scalar::Float(10f64.powi(decimals.unsigned_abs().min(400) as i32));
    let work = if x.dtype().is_inexact() { x.clone() } else { engine.cast(x, DType::F64)? };
    let (up, down) =
        if decimals > 0 { (BinaryOp::Mul, BinaryOp::Div) } else { (BinaryOp::Div, BinaryOp::Mul) };
    let scaled = engine.unary(UnaryOp::Round, &engine.binary(up, &work, power)?)?;
    engine.cast(&engine.binary(down, &scaled, power)?, x.dtype())
}

pub fn logical_not(engine: &Engine, x: &Tensor) -> Made {
    match x.dtype() {
        DType::Bool => engine.unary(UnaryOp::Not, x),
        _ => engine.compare(CompareOp::Eq, x, Scalar::Int(0)),
    }
}

/// The smallest and the largest finite number of a float type.
pub fn float_range(dtype: DType) -> (f64, f64) {
    let largest = dtype.format().map_or(f64::MAX, |format| format.max);
    (-largest, largest)
}

fn reciprocal(engine: &Engine, x: &Tensor) -> Made {
    if x.dtype() == DType::Bool {
        return reciprocal(engine, &engine.cast(x, DType::I8)?);
    }
    if !x.dtype().is_integer() {
        return engine.unary(UnaryOp::Reciprocal, x);
    }
    // Rounded towards zero, where only one and minus one leave something.
    let floor = engine.binary(BinaryOp::FloorDiv, Scalar::Int(1), x)?;
    let above = engine.binary(BinaryOp::Max, &floor, Scalar::Int(0))?;
    engine.select(&engine.compare(CompareOp::Eq, &floor, x)?, &floor, &above)
}

fn scaled(engine: &Engine, x: &Tensor, factor: f64) -> Made {
    engine.binary(BinaryOp::Mul, &as_float(engine, x)?, Scalar::Float(factor))
}

fn sinc(engine: &Engine, x: &Tensor) -> Made {
    let zero = engine.compare(CompareOp::Eq, x, Scalar::Int(0))?;
    let x = engine.binary(BinaryOp::Mul, x, Scalar::Float(std::f64::consts::PI))?;
    let sine = engine.unary(UnaryOp::Sin, &x)?;
    let ratio = engine.unheard(|| engine.binary(BinaryOp::Div, &sine, &x))?;
    engine.select(&zero, Scalar::Float(1.0), &ratio)
}

/// By the numbers' bits.
fn frexp(engine: &Engine, x: &Tensor) -> Result<(Tensor, Tensor), Error> {
    if x.dtype().size() < 4 {
        // Every number of a narrow type has all of its digits in the wide one, and so has its mantissa in the narrow one.
        let (mantissa, exponent) = frexp(engine, &engine.cast(x, DType::F32)?)?;
        return Ok((engine.cast(&mantissa, x.dtype())?, exponent));
    }
    let (dtype, fraction, bias) = match x.dtype() {
        DType::F32 => (DType::I32, 23, 127),
        _ => (DType::I64, 52, 1023),
    };
    // What is subnormal has the exponent of the least number, and is multiplied until it is none.
    let least = Scalar::Float(2f64.powi(1 - bias));
    let is_tiny = engine.compare(CompareOp::Lt, &engine.unary(UnaryOp::Abs, x)?, least)?;
    let up = i64::from(fraction) + 1;
    let larger = engine.binary(BinaryOp::Mul, x, Scalar::Float(2f64.powi(up as i32)))?;
    let normal = engine.contiguous(&engine.select(&is_tiny, &larger, x)?)?;
    let bits = engine.view_as(&normal, dtype)?;
    let with = |op, x: &Tensor, number: i64| engine.binary(op, x, Scalar::Int(number));
    let field = with(BinaryOp::Shr, &bits, i64::from(fraction))?;
    let field = with(BinaryOp::BitAnd, &field, 2 * i64::from(bias) + 1)?;
    // Zero, infinities and NaN are their own mantissas.
    let infinite = engine.compare(CompareOp::Eq, &field, Scalar::Int(2 * i64::from(bias) + 1))?;
    let zero = engine.compare(CompareOp::Eq, &normal, Scalar::Int(0))?;
    let is_itself = engine.binary(BinaryOp::BitOr, &infinite, &zero)?;
    let exponent = with(BinaryOp::Sub, &field, i64::from(bias) - 1)?;
    let exponent = engine.select(&is_tiny, &with(BinaryOp::Sub, &exponent, up)?, &exponent)?;
    let exponent = engine.select(&is_itself, Scalar::Int(0), &exponent)?;
    let others = !((2 * i64::from(bias) + 1) << fraction);
    let half = with(BinaryOp::BitAnd, &bits, others)?;
    let half = with(BinaryOp::BitOr, &half, (i64::from(bias) - 1) << fraction)?;
    let mantissa = engine.contiguous(&engine.select(&is_itself, &bits, &half)?)?;
    Ok((engine.view_as(&mantissa, x.dtype())?, engine.cast(&exponent, DType::I32)?))
}

/// What has a sign to be infinite with.
fn in_order(x: &Tensor) -> Result<&Tensor, Error> {
    match x.dtype().is_complex() {
        false => Ok(x),
        true => Err(Error::type_error(format!(
            "This operation is not supported for {} values because it would be ambiguous.",
            x.dtype()
        ))),
    }
}
