//! Comparisons, logic, choices by a condition, and tests of equality and membership.

use super::forms::{
    Made, as_type, common, compare_op, compared, concatenate, meet, rows, sort, test_both, tuple,
    written,
};
use super::{Builtin, Call};
use crate::diag::{ErrorKind, Fault};
use crate::dtype::{DType, Scalar};
use crate::interp::value::Value;
use crate::layout::{Shape, broadcast_shapes};
use crate::tensor::{
    BinaryOp, CompareOp, Engine, Error, IndexItem, Operand, Reduction, Tensor, UnaryOp,
};

pub const COMPARISONS: &[Builtin] = rows! {
    "(x, y, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None)" compare_op;
    "not_equal" ["ne"] CompareOp::Ne, "True where the elements differ; NaN differs from itself." "not_equal(array([1, 2]), 2)"
    "less" ["lt"] CompareOp::Lt, "True where the first is smaller." "less(array([1, 2, 3]), 2)"
    "less_equal" ["le"] CompareOp::Le, "True where the first is not larger." "less_equal(array([1, 2, 3]), 2)"
    "greater" ["gt"] CompareOp::Gt, "True where the first is larger." "greater(array([1, 2, 3]), 2)"
    "greater_equal" ["ge"] CompareOp::Ge, "True where the first is not smaller." "greater_equal(array([1, 2, 3]), 2)"
};

pub const LOGIC: &[Builtin] = &[
    Builtin::new("equal(x, y, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None)", |call| {
        // PyTorch's `torch.equal` answers with one bool; NumPy's name wins, `array_equal` is its.
        compare_op(call, CompareOp::Eq)
    })
    .aliases(&["eq"])
    .doc("True where the elements are equal. `array_equal` compares whole tensors.")
    .example("equal(array([1, 2]), 2)")
    .method()
    .in_place(),
    Builtin::new("logical_and(x, y, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None)", |call| {
        test_both(call, |e, x, y| logical(e, BinaryOp::BitAnd, x, y))
    })
    .doc("True where both are nonzero.")
    .example("logical_and(array([0, 1, 2]), array([1, 0, 3]))")
    .method()
    .in_place(),
    Builtin::new("logical_or(x, y, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None)", |call| {
        test_both(call, |e, x, y| logical(e, BinaryOp::BitOr, x, y))
    })
    .doc("True where either is nonzero.")
    .example("logical_or(array([0, 1, 0]), array([1, 0, 0]))")
    .method()
    .in_place(),
    Builtin::new("logical_xor(x, y, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None)", |call| {
        test_both(call, |e, x, y| logical(e, BinaryOp::BitXor, x, y))
    })
    .doc("True where exactly one is nonzero.")
    .example("logical_xor(array([0, 1, 2]), array([1, 0, 3]))")
    .method()
    .in_place(),
    Builtin::new("where(condition, x=None, y=None)", where_)
        .doc("Elements of x where the condition is true, else of y; all three broadcast.\nWith the condition alone, its nonzero positions, as `nonzero` gives them.")
        .example("where(array([True, False, True]), array([1, 2, 3]), 0)"),
    Builtin::new("select(condlist, choicelist, default=0)", select)
        .doc("For each place the first choice whose condition is true, else `default`.")
        .example("x = arange(5)\nselect([x < 2, x > 3], [x, x * 10], -1)"),
    Builtin::new("isclose(x, y, rtol=1e-05, atol=1e-08, equal_nan=False)", |call| {
        Ok(isclose(call)?.into())
    })
    .doc("True where |x - y| <= atol + rtol * |y|.")
    .example("isclose(array([1.0, 2.0]), array([1.0000001, 2.1]))")
    .method(),
    Builtin::new("allclose(x, y, rtol=1e-05, atol=1e-08, equal_nan=False)", |call| {
        let close = isclose(call)?;
        all(call.engine(), &close)
    })
    .doc("Whether every pair is close: one bool.")
    .example("allclose(array([1.0, 2.0]), array([1.0000001, 2.0]))")
    .method(),
    Builtin::new("array_equal(x, y, equal_nan=False)", |call| {
        let engine = call.engine();
        let [x, y] = match call.compared(["x", "y"]) {
            Ok(both) if both[0].shape() == both[1].shape() => both,
            // What is no array is equal to none.
            Err(fault) if fault.kind != ErrorKind::Value => return Err(fault),
            _ => return Ok(Value::Bool(false)),
        };
        let mut same = engine.compare(CompareOp::Eq, &x, &y)?;
        if call.bool("equal_nan")? {
            let both = both_nan(engine, &x, &y)?;
            same = engine.binary(BinaryOp::BitOr, &same, &both)?;
        }
        all(engine, &same)
    })
    .doc("Whether shapes and all elements are equal: one bool.")
    .example("array_equal(arange(3), array([0, 1, 2]))"),
    Builtin::new("array_equiv(x, y)", |call| {
        let engine = call.engine();
        let [x, y] = match call.compared(["x", "y"]) {
            Ok(both) if broadcast_shapes(&[both[0].shape(), both[1].shape()]).is_ok() => both,
            Err(fault) if fault.kind != ErrorKind::Value => return Err(fault),
            _ => return Ok(Value::Bool(false)),
        };
        let same = engine.compare(CompareOp::Eq, &x, &y)?;
        all(engine, &same)
    })
    .doc("Whether all elements are equal once the shapes are broadcast: one bool.")
    .example("array_equiv(zeros((2, 3)), 0)"),
    Builtin::new("isin(element, test_elements, assume_unique=False, invert=False, *, kind=None)", |call| {
        super::options::check_search(call)?;
        let engine = call.engine();
        if matches!(call.value(1usize), Value::Set(_)) {
            return written(call, "_isin_set");
        }
        let [x, set] = call.compared([0usize, 1])?;
        let found = isin(engine, &x, &set)?;
        if call.bool("invert")? {
            return Ok(engine.unary(UnaryOp::Not, &found)?.into());
        }
        Ok(found.into())
    })
    .aliases(&["in1d"])
    .doc("True where an element is among the test elements.")
    .example("isin(array([1, 2, 3, 4]), [2, 4])"),
    Builtin::new("intersect1d(x, y, assume_unique=False, return_indices=False)", |call| {
        if call.bool("assume_unique")? || call.bool("return_indices")? {
            return written(call, "_intersect1d");
        }
        let (engine, [x, y]) = (call.engine(), call.meeting(["x", "y"])?);
        let [x, y] = meet(engine, [x.into(), y.into()])?;
        let x = engine.unique(&x, true)?;
        keep(engine, &x, &isin(engine, &x, &y)?)
    })
    .doc("The sorted elements that are in both; with `return_indices`, where they stand first in each, too.")
    .example("intersect1d([1, 2, 3], [2, 3, 4])"),
    Builtin::new("union1d(x, y)", |call| {
        let engine = call.engine();
        let both = meet(engine, call.operands(["x", "y"])?)?;
        Ok(engine.unique(&concatenate(engine, &both, None)?, true)?.into())
    })
    .doc("The sorted elements that are in either.")
    .example("union1d([1, 3], [2, 3])"),
    Builtin::new("setdiff1d(x, y, assume_unique=False)", |call| {
        if call.bool("assume_unique")? {
            return written(call, "_setdiff1d");
        }
        let (engine, [x, y]) = (call.engine(), call.compared(["x", "y"])?);
        let x = engine.unique(&x, true)?;
        let found = isin(engine, &x, &y)?;
        keep(engine, &x, &engine.unary(UnaryOp::Not, &found)?)
    })
    .doc("The sorted elements of the first that are not in the second.")
    .example("setdiff1d([1, 2, 3], [2])"),
    Builtin::new("setxor1d(x, y, assume_unique=False)", |call| {
        if call.bool("assume_unique")? {
            return written(call, "_setxor1d");
        }
        let (engine, [x, y]) = (call.engine(), call.meeting(["x", "y"])?);
        let (x, y) = (engine.unique(&x, true)?, engine.unique(&y, true)?);
        let all = sort(engine, &concatenate(engine, &[x, y], None)?, Some(0), false)?;
        // What both have stands twice in a row; NaN is no twin of NaN.
        let count = all.elem_count();
        let part = |start, len: usize| engine.narrow(&all, 0, start, len, 1);
        let steps = count.saturating_sub(1);
        let differs = engine.compare(CompareOp::Ne, &part(count.min(1), steps)?, &part(0, steps)?)?;
        let end = engine.full(&Shape::from([count.min(1)]), Scalar::Bool(true), DType::Bool)?;
        let end = engine.to_device(&end, all.device())?;
        let before = concatenate(engine, &[end.clone(), differs.clone()], Some(0))?;
        let after = concatenate(engine, &[differs, end], Some(0))?;
        keep(engine, &all, &engine.binary(BinaryOp::BitAnd, &before, &after)?)
    })
    .doc("The sorted elements that are in exactly one.")
    .example("setxor1d([1, 2, 3], [2, 3, 4])"),
];

/// Whether all elements are true, as a bool.
pub fn all(engine: &Engine, x: &Tensor) -> Result<Value, Fault> {
    let all = engine.reduce(Reduction::All, x, None, false)?;
    Ok(Value::Bool(engine.item(&all)?.as_bool()))
}

pub fn is_all_false(engine: &Engine, x: &Tensor) -> Result<bool, Fault> {
    let any = engine.reduce(Reduction::Any, x, None, false)?;
    Ok(!engine.item(&any)?.as_bool())
}

/// The elements under a mask, as one row.
pub fn keep(engine: &Engine, x: &Tensor, mask: &Tensor) -> Result<Value, Fault> {
    Ok(engine.index(x, &[crate::tensor::IndexItem::Tensor(mask.clone())])?.into())
}

pub fn logical(engine: &Engine, op: BinaryOp, x: Operand, y: Operand) -> Made {
    let truth = |x: Operand| match x {
        Operand::Tensor(tensor) => engine.cast(&tensor, DType::Bool),
        Operand::Scalar(value) => {
            engine.full(&Shape::scalar(), Scalar::Bool(value.as_bool()), DType::Bool)
        }
    };
    engine.binary(op, &truth(x)?, &truth(y)?)
}

fn where_(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (engine, condition) = (call.engine(), call.tensor("condition")?);
    match (call.given("x"), call.given("y")) {
        (true, true) => {
            let [x, y] = call.operands(["x", "y"])?;
            Ok(engine.select(&condition, x, y)?.into())
        }
        (false, false) => Ok(tuple(engine.nonzero(&condition)?)),
        _ => Err(Fault::value_error("either both or neither of x and y should be given")),
    }
}

fn select(call: &mut Call<'_>) -> Result<Value, Fault> {
    let engine = call.engine();
    let (conditions, choices) =
        (call.tensors("condlist")?, call.operands_in("choicelist", &[call.value("default")])?);
    if conditions.len() != choices.len() {
        return Err(call.fault_at(
            "choicelist",
            Fault::value_error("list of cases must be same length as list of conditions"),
        ));
    }
    if conditions.is_empty() {
        let fault = Fault::value_error("select with an empty condition list is not possible");
        return Err(call.fault_at("condlist", fault));
    }
    if let Some(at) = conditions.iter().position(|condition| condition.dtype() != DType::Bool) {
        let words = format!("invalid entry {at} in condlist: should be boolean ndarray");
        let fault =
            Fault::type_error(words).with_hint(format!("it is of type {}", conditions[at].dtype()));
        return Err(call.fault_at("condlist", fault));
    }
    let default = call.operand("default")?;
    let dtype = common(engine, &[&choices[..], std::slice::from_ref(&default)].concat());
    let mut result = as_type(engine, default, dtype)?;
    for (condition, choice) in conditions.iter().zip(choices).rev() {
        result = engine.select(condition, as_type(engine, choice, dtype)?, result)?;
    }
    Ok(result.into())
}

fn isclose(call: &Call<'_>) -> Result<Tensor, Fault> {
    let engine = call.engine();
    let dtype = engine.comparable(&call.operands(["x", "y"])?);
    let dtype = if dtype.is_inexact() { dtype } else { engine.default_float() };
    let (x, y) = (call.tensor_of("x", dtype)?, call.tensor_of("y", dtype)?);
    let [rtol, atol] = [call.operand("rtol")?, call.operand("atol")?];
    let same = engine.compare(CompareOp::Eq, &x, &y)?;
    let size = engine.unary(UnaryOp::Abs, &y)?;
    let finite = engine.unary(UnaryOp::IsFinite, &y)?;
    let scaled = engine.binary(BinaryOp::Mul, &size, rtol)?;
    let bound = engine.binary(BinaryOp::Add, &scaled, atol)?;
    let difference = engine.unary(UnaryOp::Abs, &engine.binary(BinaryOp::Sub, &x, &y)?)?;
    let near = engine.compare(CompareOp::Le, &difference, &bound)?;
    let near = engine.binary(BinaryOp::BitAnd, &near, &finite)?;
    let mut close = engine.binary(BinaryOp::BitOr, &same, &near)?;
    if call.bool("equal_nan")? {
        let both = both_nan(engine, &x, &y)?;
        close = engine.binary(BinaryOp::BitOr, &close, &both)?;
    }
    Ok(close)
}

fn both_nan(engine: &Engine, x: &Tensor, y: &Tensor) -> Made {
    let (x, y) = (engine.unary(UnaryOp::IsNan, x)?, engine.unary(UnaryOp::IsNan, y)?);
    engine.binary(BinaryOp::BitAnd, &x, &y)
}

/// Integers looked up in a table of all between the least and the greatest of the set, where these are not many more
/// than there are elements, and where launches cost nothing: on a GPU the range would have to be waited for.
fn in_table(engine: &Engine, x: &Tensor, set: &Tensor) -> Result<Option<Tensor>, Error> {
    if !x.dtype().is_integer() || x.dtype() == DType::U64 || x.device().backend().launches_cost() {
        return Ok(None);
    }
    let (low, high) = engine.range_of(set)?;
    let (low, high) = (low.as_i64(), high.as_i64());
    let elements = x.elem_count() + set.elem_count();
    let span = usize::try_from(high.saturating_sub(low)).unwrap_or(usize::MAX);
    if span > elements.saturating_mul(MOST_TABLE_SPAN) {
        return Ok(None);
    }
    let table = engine.full(&Shape::from([span + 1]), Scalar::Bool(false), DType::Bool)?;
    let table = engine.copy(&table)?;
    let from_low = |x: &Tensor| {
        let place = engine.cast(x, DType::I64)?;
        engine.binary(BinaryOp::Sub, &place, Scalar::Int(low))
    };
    let places = IndexItem::Tensor(engine.ravel(&from_low(set)?)?);
    engine.assign(&table, &[places], Scalar::Bool(true))?;
    let is_above = engine.compare(CompareOp::Ge, x, Scalar::Int(low))?;
    let is_below = engine.compare(CompareOp::Le, x, Scalar::Int(high))?;
    let is_inside = engine.binary(BinaryOp::BitAnd, &is_above, &is_below)?;
    let inside = engine.select(&is_inside, &engine.cast(x, DType::I64)?, Scalar::Int(low))?;
    let found = engine.index(&table, &[IndexItem::Tensor(from_low(&inside)?)])?;
    Ok(Some(engine.binary(BinaryOp::BitAnd, &found, &is_inside)?))
}

/// Places of a table for each element that is looked up or stands in it.
const MOST_TABLE_SPAN: usize = 6;

/// Membership by a table, or else by one sort of the set and a binary search for each element.
fn isin(engine: &Engine, x: &Tensor, set: &Tensor) -> Made {
    let (x, set) = compared(engine, x, set)?;
    if set.elem_count() == 0 {
        return engine.full(x.shape(), Scalar::Bool(false), DType::Bool);
    }
    if let Some(found) = in_table(engine, &x, &set)? {
        return Ok(found);
    }
    let sorted = sort(engine, &set, None, false)?;
    let place = engine.searchsorted(&sorted, &x, false)?;
    let last = Scalar::Int(sorted.elem_count() as i64 - 1);
    let place = engine.binary(BinaryOp::Min, &place, last)?;
    let near = engine.index(&sorted, &[IndexItem::Tensor(place)])?;
    engine.compare(CompareOp::Eq, &near, &x)
}
