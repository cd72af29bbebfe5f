//! Functions of two numbers, elementwise, broadcast and promoted together; Python numbers are weak.

use super::forms::{
    Made, as_float, as_type, binary, binary_op, common, give_both, give_spread, meet,
    operands_in_dtype, real, rows, tensor_in_dtype, to_tensor, unary,
};
use super::{Builtin, Call};
use crate::diag::Fault;
use crate::dtype::{DType, Format, Scalar, default_for_integers};
use crate::interp::array_like;
use crate::interp::value::Value;
use crate::layout::broadcast_shapes;
use crate::tensor::{BinaryOp, Called, CompareOp, Engine, Error, Operand, Tensor, UnaryOp};

pub const OPERATIONS: &[Builtin] = rows! {
    "(x, y, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None)" binary_op;
    "multiply" ["mul"] BinaryOp::Mul, "Products. Shapes broadcast; integers wrap." "multiply(array([1, 2, 3]), 10)"
    "floor_divide" [] BinaryOp::FloorDiv, "Quotients rounded down, in the operands' type. An integer zero divisor is a ZeroDivisionError." "floor_divide(array([7, -7]), 2)"
    "remainder" ["mod"] BinaryOp::Mod, "What floor division leaves; has the divisor's sign." "remainder(array([7, -7]), 3)"
    "fmod" [] BinaryOp::Fmod, "The remainder of C: has the dividend's sign." "fmod(array([7, -7]), 3)"
    "power" ["pow"] BinaryOp::Pow, "x to the power of y. Integers wrap, and take no negative exponent: ValueError." "power(array([1, 2, 3]), 2)"
    "maximum" [] BinaryOp::Max, "The larger of each pair; NaN if either is." "maximum(array([1.0, nan]), array([2.0, 3.0]))"
    "minimum" [] BinaryOp::Min, "The smaller of each pair; NaN if either is." "minimum(array([1.0, nan]), array([2.0, 3.0]))"
    "fmax" [] BinaryOp::Fmax, "The larger of each pair; the other one if one is NaN." "fmax(array([1.0, nan]), array([2.0, 3.0]))"
    "fmin" [] BinaryOp::Fmin, "The smaller of each pair; the other one if one is NaN." "fmin(array([1.0, nan]), array([2.0, 3.0]))"
    "arctan2" ["atan2"] BinaryOp::Atan2, "The angle of the point (y, x) in radians: arctan of x / y in the right quadrant." "arctan2(array([1.0, -1.0]), array([1.0, -1.0]))"
    "hypot" [] BinaryOp::Hypot, "The length of the hypotenuse over each pair." "hypot(array([3.0, 5.0]), array([4.0, 12.0]))"
    "copysign" [] BinaryOp::CopySign, "The first's size with the second's sign." "copysign(array([1.0, 2.0]), array([-1.0, 1.0]))"
    "nextafter" [] BinaryOp::NextAfter, "The next number after the first, towards the second." "nextafter(array([1.0]), 2.0) > 1"
    "logaddexp" [] BinaryOp::LogAddExp, "log(exp(x) + exp(y)), without overflow." "logaddexp(array([1000.0]), array([1000.0]))"
    "logaddexp2" [] BinaryOp::LogAddExp2, "log2(2 ** x + 2 ** y), without overflow." "logaddexp2(array([3.0]), array([3.0]))"
    "bitwise_and" [] BinaryOp::BitAnd, "The bits set in both; of bools, logical and. TypeError for floats." "bitwise_and(array([12, 10]), 6)"
    "bitwise_or" [] BinaryOp::BitOr, "The bits set in either; of bools, logical or. TypeError for floats." "bitwise_or(array([12, 10]), 6)"
    "bitwise_xor" [] BinaryOp::BitXor, "The bits set in one; of bools, logical xor. TypeError for floats." "bitwise_xor(array([12, 10]), 6)"
    "left_shift" ["bitwise_left_shift"] BinaryOp::Shl, "x times 2 ** y in bits; zero where the shift reaches the width." "left_shift(array([1, 3]), 2)"
    "right_shift" ["bitwise_right_shift"] BinaryOp::Shr, "x over 2 ** y, rounded down." "right_shift(array([16, -5]), 2)"
    "gcd" [] BinaryOp::Gcd, "The greatest common divisor of each pair." "gcd(array([12, 18]), 8)"
    "lcm" [] BinaryOp::Lcm, "The least common multiple of each pair." "lcm(array([4, 6]), 10)"
};

pub const COMPOSITIONS: &[Builtin] = rows! {
    "(x, y, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None)" binary;
    "float_power" [] |e, x, y| {
        let dtype = if e.common(&x, &y).is_complex() { DType::C128 } else { DType::F64 };
        let name = Called { name: "float_power", is_scalar: false };
        e.called(Some(name), || e.binary(BinaryOp::Pow, &as_type(e, x, dtype)?, &as_type(e, y, dtype)?))
    }, "x to the power of y in float64, whatever the types; complex numbers in complex128." "float_power(array([2, 4]), -1)"
    "heaviside" [] heaviside, "0 below zero, 1 above, y at zero." "heaviside(array([-1.5, 0.0, 2.0]), 0.5)"
    "ldexp" [] |e, x, y| {
        let y = to_tensor(e, y)?;
        if y.dtype().is_inexact() {
            return Err(crate::tensor::no_loop("ldexp", y.dtype()));
        }
        let x = as_float(e, real("ldexp", &to_tensor(e, x)?)?)?;
        e.heard_as("ldexp", &[&x], || scaled_by_two(e, &x, &y))
    }, "x times 2 to the power of y, an integer." "ldexp(array([0.5, 3.0]), array([1, 2]))"
    "xlogy" [] |e, x, y| {
        let [x, y] = meet(e, [x, y])?;
        let zero = e.compare(CompareOp::Eq, &x, Scalar::Int(0))?;
        let product = e.binary(BinaryOp::Mul, &x, &e.unary(UnaryOp::Log, &y)?)?;
        e.select(&zero, Scalar::Int(0), &product)
    }, "x * log(y), and 0 where x is 0." "xlogy(array([0.0, 2.0]), array([0.0, 1.0]))"
};

pub const OTHERS: &[Builtin] = &[
    Builtin::new("add(x, y, out=None, *, where=True, alpha=1, casting='same_kind', order='K', dtype=None, subok=True, signature=None)", |call| {
        scaled(call, BinaryOp::Add)
    })
    .doc("Sums; `alpha` times the second, if given. Shapes broadcast; integers wrap.")
    .example("add(array([1, 2, 3]), 10)")
    .method()
    .in_place(),
    Builtin::new("subtract(x, y, out=None, *, where=True, alpha=1, casting='same_kind', order='K', dtype=None, subok=True, signature=None)", |call| {
        scaled(call, BinaryOp::Sub)
    })
    .aliases(&["sub"])
    .doc("Differences; `alpha` times the second, if given. TypeError for two bools.")
    .example("subtract(array([1, 2, 3]), 10)")
    .method()
    .in_place(),
    Builtin::new("divide(x, y, out=None, *, where=True, rounding_mode=None, casting='same_kind', order='K', dtype=None, subok=True, signature=None)", divide)
        .aliases(&["true_divide", "div"])
        .doc("Quotients as floats. `rounding_mode` 'floor' or 'trunc' rounds them.")
        .example("divide(array([1, 2, 3]), 2)")
        .method()
        .in_place(),
    Builtin::new("divmod(x, y, out=(None, None), *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None)", |call| {
        let (x, y) = operands_in_dtype(call)?;
        let engine = call.engine();
        let (quotient, rest) = engine.called(Some(Called { name: "divmod", is_scalar: false }), || {
            let quotient = engine.binary(BinaryOp::FloorDiv, x.clone(), y.clone())?;
            Ok::<_, Error>((quotient, engine.binary(BinaryOp::Mod, x, y)?))
        })?;
        give_both(call, [quotient, rest])
    })
    .doc("(floor_divide(x, y), remainder(x, y)).")
    .example("divmod(array([7, -7]), 3)"),
    Builtin::new("spacing(x, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None)", |call| {
        unary(call, |engine, x| {
            let x = as_float(engine, real("spacing", x)?)?;
            let end = x.dtype().format().map_or(f64::INFINITY, Format::end);
            // Of halves NumPy takes the next number above, of others the one further from zero.
            let is_half = x.dtype() == DType::F16;
            let run = || {
                let away = match is_half {
                    true => engine.full(x.shape(), Scalar::Float(end), x.dtype())?,
                    false => engine.binary(BinaryOp::CopySign, Scalar::Float(end), &x)?,
                };
                let next = engine.binary(BinaryOp::NextAfter, &x, &away)?;
                let step = engine.binary(BinaryOp::Sub, &next, &x)?;
                let at_zero = engine.compare(CompareOp::Eq, &x, Scalar::Int(0))?;
                let step = engine.select(&at_zero, &engine.unary(UnaryOp::Abs, &step)?, &step)?;
                let infinite = engine.unary(UnaryOp::IsInf, &x)?;
                engine.select(&infinite, Scalar::Float(f64::NAN), &step)
            };
            if is_half { engine.heard_as("spacing", &[], run) } else { engine.unheard(run) }
        })
    })
    .doc("The distance to the next number away from zero.")
    .example("spacing(array([1.0])) < 1e-6"),
    Builtin::new("clip(x, min=None, max=None, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None)", clip)
        .aliases(&["clamp"])
        .doc("Each element kept between `min` and `max`; either may be None, a number or a tensor.")
        .example("clip(array([-5, 0, 7]), 0, 5)")
        .method()
        .in_place(),
    Builtin::new("lerp(x, end, weight)", |call| {
        let [x, end, weight] = meet(call.engine(), call.operands(["x", "end", "weight"])?)?;
        let engine = call.engine();
        let span = engine.binary(BinaryOp::Sub, &end, &x)?;
        let step = engine.binary(BinaryOp::Mul, &span, &weight)?;
        Ok(engine.binary(BinaryOp::Add, &x, &step)?.into())
    })
    .doc("x + weight * (end - x).")
    .example("lerp(array([0.0, 10.0]), array([1.0, 20.0]), 0.5)")
    .method()
    .in_place(),
    Builtin::new("addcmul(x, tensor1, tensor2, *, value=1)", |call| fused(call, BinaryOp::Mul))
        .doc("x + value * tensor1 * tensor2.")
        .example("addcmul(array([1.0]), array([2.0]), array([3.0]), value=10)")
        .method()
        .in_place(),
    Builtin::new("addcdiv(x, tensor1, tensor2, *, value=1)", |call| fused(call, BinaryOp::Div))
        .doc("x + value * tensor1 / tensor2.")
        .example("addcdiv(array([1.0]), array([6.0]), array([3.0]), value=10)")
        .method()
        .in_place(),
];

fn scaled(call: &mut Call<'_>, op: BinaryOp) -> Result<Value, Fault> {
    if !call.given("alpha") {
        return binary_op(call, op);
    }
    let alpha = call.operand("alpha")?;
    binary(call, |engine, x, y| {
        let [x, y, alpha] = meet(engine, [x, y, alpha])?;
        engine.binary(op, &x, &engine.binary(BinaryOp::Mul, &y, &alpha)?)
    })
}

fn fused(call: &mut Call<'_>, op: BinaryOp) -> Result<Value, Fault> {
    let engine = call.engine();
    let operands = call.operands(["x", "tensor1", "tensor2", "value"])?;
    let [x, first, second, value] = meet(engine, operands)?;
    let term = engine.binary(op, &first, &second)?;
    let term = engine.binary(BinaryOp::Mul, &term, &value)?;
    Ok(engine.binary(BinaryOp::Add, &x, &term)?.into())
}

fn divide(call: &mut Call<'_>) -> Result<Value, Fault> {
    if call.is_none("rounding_mode") {
        return binary_op(call, BinaryOp::Div);
    }
    match call.str("rounding_mode")? {
        "floor" => binary_op(call, BinaryOp::FloorDiv),
        "trunc" => binary(call, |engine, x, y| {
            let [x, y] = meet(engine, [x, y])?;
            let dtype = x.dtype();
            let quotient = engine.binary(BinaryOp::Div, &x, &y)?;
            engine.cast(&engine.unary(UnaryOp::Trunc, &quotient)?, dtype)
        }),
        found => {
            let fault = Fault::value_error(format!(
                "expected None, 'floor' or 'trunc' for `rounding_mode`, found '{found}'"
            ));
            Err(call.fault_at("rounding_mode", fault))
        }
    }
}

fn clip(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (engine, mut x) = (call.engine(), tensor_in_dtype(call)?);
    if call.is_none("dtype") {
        let given = ["x", "min", "max"].into_iter().filter(|key| !call.is_none(*key));
        let met = array_like::meeting(engine, given.map(|key| call.value(key)));
        x = array_like::beside(engine, call.value("x"), met).map_err(|e| call.fault_at("x", e))?;
    }
    for (key, op) in [("min", BinaryOp::Max), ("max", BinaryOp::Min)] {
        if call.is_none(key) {
            continue;
        }
        let bound = call.operand_beside(key, &x)?;
        if !is_beyond(&x, &bound, op) {
            let clipped = engine.binary(op, &x, bound);
            x = clipped.map_err(|error| call.fault_at(key, error))?;
        }
    }
    // What no bound has touched is not the tensor itself.
    let is_same = matches!(call.value("x"), Value::Tensor(given) if given.is_same(&x));
    give_spread(call, if is_same { engine.copy_as_it_lies(&x)? } else { x })
}

/// Whether a bound is a Python integer that no element of the type can reach: below all for a
/// lower bound, above all for an upper one.
fn is_beyond(x: &Tensor, bound: &Operand, op: BinaryOp) -> bool {
    match (bound, x.dtype().integer_range().filter(|_| x.dtype().is_integer())) {
        (Operand::Scalar(bound), Some((low, high))) if bound.is_whole() => match op {
            BinaryOp::Max => bound.as_i128() < low,
            _ => bound.as_i128() > high,
        },
        _ => false,
    }
}

/// `x` times two to the power of `y`, in steps of powers that its type has. Small ones go ahead, so that no step but
/// the last one rounds.
fn scaled_by_two(engine: &Engine, x: &Tensor, y: &Tensor) -> Made {
    let dtype = x.dtype();
    let Some(format) = dtype.format() else { return Err(Error::type_error("ldexp wants floats")) };
    let most = -f64::from(format.least());
    // Beyond that nothing is left, or everything infinite.
    let end = 2.0 * most + f64::from(format.fraction) + 4.0;
    if y.rank() == 0 && !y.device().backend().launches_cost() {
        let power = engine.item(y)?.as_f64();
        if power.abs() <= most {
            return engine.binary(BinaryOp::Mul, x, Scalar::Float(power.exp2()));
        }
    }
    let within = |y: &Tensor, end: f64| {
        let below = engine.binary(BinaryOp::Min, y, Scalar::Float(end))?;
        engine.binary(BinaryOp::Max, &below, Scalar::Float(-end))
    };
    let y = within(&engine.cast(y, dtype)?, end)?;
    let last = within(&y, most)?;
    let rest = engine.binary(BinaryOp::Sub, &y, &last)?;
    let middle = within(&rest, most)?;
    let first = engine.binary(BinaryOp::Sub, &rest, &middle)?;
    [first, middle, last].iter().try_fold(x.clone(), |x, power| {
        engine.binary(BinaryOp::Mul, &x, &engine.unary(UnaryOp::Exp2, power)?)
    })
}

fn heaviside(engine: &Engine, x: Operand, at_zero: Operand) -> Made {
    let dtype =
        default_for_integers(common(engine, &[x.clone(), at_zero.clone()]), engine.default_float());
    let (x, at_zero) = (as_type(engine, x, dtype)?, as_type(engine, at_zero, dtype)?);
    real("heaviside", &x)?;
    broadcast_shapes(&[x.shape(), at_zero.shape()]).map_err(Error::from)?;
    let positive = engine.compare(CompareOp::Gt, &x, Scalar::Int(0))?;
    let step = engine.cast(&positive, x.dtype())?;
    let zero = engine.compare(CompareOp::Eq, &x, Scalar::Int(0))?;
    let step = engine.select(&zero, &at_zero, &step)?;
    let nan = engine.unary(UnaryOp::IsNan, &x)?;
    engine.select(&nan, &x, &step)
}
