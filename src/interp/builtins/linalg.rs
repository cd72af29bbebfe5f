//! Products of matrices and rows, and norms.

use super::forms::{
    Made, Outcome, as_float, binary, give, lengths, meet, operands_in_dtype, written,
};
use super::{Builtin, Call, Homes};
use crate::diag::{ErrorKind, Fault};
use crate::dtype::Scalar;
use crate::interp::value::{Module, Value};
use crate::layout::Shape;
use crate::tensor::{BinaryOp, Called, CompareOp, Engine, Error, Reduction, Tensor, UnaryOp};

/// What errors of inner products are said to be of.
const AS_DOT: Option<Called> = Some(Called { name: "dot", is_scalar: false });

pub const BUILTINS: &[Builtin] = &[
    Builtin::new("matmul(x, y, out=None, *, casting='same_kind', order='K', dtype=None, subok=True, signature=None, axes=None, axis=None, keepdims=None)", |call| {
        if ["axes", "axis", "keepdims"].iter().any(|key| !call.is_none(*key)) {
            return written(call, "_matmul");
        }
        binary(call, |engine, x, y| {
            let [x, y] = meet(engine, [x, y])?;
            engine.matmul(&x, &y)
        })
    })
    .aliases(&["mm", "bmm", "mv"])
    .doc("The matrix product, also `x @ y`: of the last two axes, the ones before broadcast.\nA row counts as a matrix for the time being. ValueError where the inner lengths differ.")
    .example("matmul(array([[1, 2], [3, 4]]), array([1, 1]))")
    .method(),
    Builtin::new("dot(x, y, out=None)", |call| {
        let (engine, [x, y]) = (call.engine(), call.meeting(["x", "y"])?);
        let dot = engine.called(AS_DOT, || engine.dot(&x, &y));
        give(call, dot?)
    })
    .doc("The sum over products of x's last and y's last but one axis; of rows, the inner product.")
    .example("dot(array([1, 2]), array([3, 4]))")
    .method(),
    Builtin::new("vdot(x, y)", |call| {
        let (engine, [x, y]) = (call.engine(), call.meeting(["x", "y"])?);
        let x = conjugated(engine, &x)?;
        let (x, y) = (engine.ravel(&x)?, engine.ravel(&y)?);
        let [count, other] = [&x, &y].map(|x| x.elem_count());
        if count != other {
            let words = format!("cannot reshape array of size {other} into shape ({count},)");
            return Err(call.fault_at("y", Fault::value_error(words)));
        }
        Ok(engine.unheard(|| engine.dot(&x, &y))?.into())
    })
    .doc("The inner product of the flattened tensors; the first is conjugated.")
    .example("vdot(array([[1, 2]]), array([[3, 4]]))"),
    Builtin::new("inner(x, y)", |call| {
        let (engine, [x, y]) = (call.engine(), call.meeting(["x", "y"])?);
        Ok(engine.called(AS_DOT, || engine.inner(&x, &y))?.into())
    })
    .doc("The sum over products along the last axes of both.")
    .example("inner(array([1, 2]), array([3, 4]))")
    .method(),
    Builtin::new("outer(x, y, out=None)", |call| {
        let [x, y] = call.meeting(["x", "y"])?;
        give(call, call.engine().outer(&x, &y)?)
    })
    .aliases(&["ger"])
    .doc("All products of the flattened tensors: shape (x.size, y.size).")
    .example("outer(array([1, 2]), array([3, 4]))")
    .method(),
    Builtin::new("vecdot(x, y, out=None, *, casting='same_kind', order='K', dtype=None, subok=True, signature=None, axes=None, axis=-1, keepdims=False)", |call| {
        if !call.is_none("axes") || call.bool("keepdims")? {
            return written(call, "_vecdot");
        }
        let (engine, (x, y)) = (call.engine(), operands_in_dtype(call)?);
        let [x, y] = meet(engine, [x, y])?;
        check_cores("vecdot", "(n),(n)->()", [&x, &y], [1, 1])?;
        let axis = call.int("axis")?;
        let length = |x: &Tensor| Ok::<usize, Fault>(x.shape()[x.shape().axis(axis)?]);
        // The summed axis alone doesn't broadcast.
        let (n, m) = (length(&x)?, length(&y)?);
        if n != m {
            let words = format!(
                "vecdot: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n),(n)->() (size {m} is different from {n})"
            );
            return Err(call.fault_at("y", Fault::value_error(words)));
        }
        let (x, y) = (engine.moveaxis(&x, &[axis], &[-1])?, engine.moveaxis(&y, &[axis], &[-1])?);
        let sums = engine.sum_of_products(&conjugated(engine, &x)?, &y, &[-1], false)?;
        give(call, sums)
    })
    .doc("The sums of products along one axis; the first operand is conjugated.")
    .example("vecdot(array([[1, 2], [3, 4]]), array([1, 1]))"),
    Builtin::new("matvec(x, y, out=None, *, casting='same_kind', order='K', dtype=None, subok=True, signature=None, axes=None, axis=None, keepdims=None)", |call| {
        if ["axes", "axis", "keepdims"].iter().any(|key| !call.is_none(*key)) {
            return written(call, "_matvec");
        }
        binary(call, |engine, x, y| {
            let [x, y] = meet(engine, [x, y])?;
            check_cores("matvec", "(m,n),(n)->(m)", [&x, &y], [2, 1])?;
            let [n, m] = [x.shape()[x.rank() - 1], y.shape()[y.rank() - 1]];
            if n != m {
                return Err(Error::value_error(format!(
                    "matvec: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (m,n),(n)->(m) (size {m} is different from {n})"
                )));
            }
            let product = engine.matmul(&x, &engine.expand_dims(&y, &[-1])?)?;
            engine.squeeze(&product, Some(&[-1]))
        })
    })
    .doc("Matrices times rows, the axes before broadcast.")
    .example("matvec(array([[1, 2], [3, 4]]), array([1, 1]))"),
    Builtin::new("einsum(subscripts, *operands, out=None, dtype=None, order='K', casting='safe', optimize=False)", einsum)
    .about("subscripts")
    .doc("Sums of products by Einstein's convention: letters name axes, those not in the result are summed.\nInstead of a text, each operand may be followed by a list of its axes, as numbers. `optimize` multiplies by\npairs, in the order of `einsum_path`.")
    .example("einsum('ij,j->i', array([[1, 2], [3, 4]]), array([1, 1]))"),
    Builtin::new("tensordot(x, y, axes=2)", tensordot)
        .doc("Sums of products over pairs of axes: the last `axes` of x with the first of y, or those listed.")
        .example("tensordot(ones((2, 3)), ones((3, 2)), axes=1)"),
    Builtin::new("kron(x, y)", kron)
        .doc("The Kronecker product: y times each element of x, in blocks.")
        .example("kron(array([1, 10]), array([1, 2]))"),
    Builtin::new("cross(x, y, axisa=-1, axisb=-1, axisc=-1, axis=None)", |call| written(call, "_cross"))
        .doc("The vector product of rows of three along an axis, or of two, whose third element counts as zero.\n`axisa` and `axisb` are the axes of the operands, `axisc` that of the result, `axis` all three.")
        .example("cross(array([1, 0, 0]), array([0, 1, 0]))"),
    Builtin::new("cross(x, y, axis=-1)", cross)
        .homes(Homes::TORCH)
        .doc("The vector product of rows of three along an axis.")
        .example("torch.cross(array([1, 0, 0]), array([0, 1, 0]))"),
    Builtin::new("matrix_power(x, n)", matrix_power)
        .homes(Homes::LIBRARY.and(Homes::LINALG))
        .doc("A square matrix multiplied with itself; of a negative n, its inverse.")
        .example("linalg.matrix_power(array([[1, 1], [0, 1]]), 3)"),
    Builtin::new("norm(x, ord=None, axis=None, keepdims=False)", norm)
        .homes(Homes::LIBRARY.and(Homes::LINALG))
        .doc("The length: the root of the sum of squares over `axis`, or all elements.\nOrders of rows: any number, inf, -inf, 0; of matrices: 'fro', 'nuc', 1, -1, 2, -2, inf, -inf.")
        .example("linalg.norm(array([3.0, 4.0]))")
        .method(),
    Builtin::new("vector_norm(x, axis=None, keepdims=False, ord=2)", |call| {
        let (engine, x) = (call.engine(), as_float(call.engine(), &call.tensor("x")?)?);
        let axes = call.axes("axis")?;
        let ord = if call.is_none("ord") { 2.0 } else { call.float("ord")? };
        Ok(row_norm(engine, &x, ord, axes.as_deref(), call.bool("keepdims")?)?.into())
    })
    .homes(Homes::LINALG)
    .doc("The length of rows along `axis`, or of all elements.")
    .example("linalg.vector_norm(array([3.0, 4.0]))"),
    Builtin::new("dist(x, y, ord=2)", |call| {
        let (engine, ord) = (call.engine(), call.float("ord")?);
        let [x, y] = call.operands(["x", "y"])?;
        let difference = engine.binary(BinaryOp::Sub, x, y)?;
        Ok(row_norm(engine, &as_float(engine, &difference)?, ord, None, false)?.into())
    })
    .doc("The length of the difference.")
    .example("dist(array([1.0, 1.0]), array([4.0, 5.0]))")
    .method(),
    Builtin::new("addmm(x, y, z, *, beta=1, alpha=1)", |call| {
        let (engine, [y, z]) = (call.engine(), call.meeting(["y", "z"])?);
        let product = engine.matmul(&y, &z)?;
        let product = engine.binary(BinaryOp::Mul, &product, call.operand("alpha")?)?;
        let x = call.tensor_beside("x", &product)?;
        let x = engine.binary(BinaryOp::Mul, &x, call.operand("beta")?)?;
        Ok(engine.binary(BinaryOp::Add, &x, &product)?.into())
    })
    .doc("beta * x + alpha * (y @ z).")
    .example("addmm(ones((1, 1)), ones((1, 2)), ones((2, 1)))")
    .method(),
];

/// # Errors
/// NumPy's ValueError for an operand with fewer axes than the product takes.
fn check_cores(
    name: &str,
    cores: &str,
    operands: [&Tensor; 2],
    least: [usize; 2],
) -> Result<(), Error> {
    for (at, (x, least)) in operands.into_iter().zip(least).enumerate() {
        if x.rank() < least {
            let found = x.rank();
            return Err(Error::value_error(format!(
                "{name}: Input operand {at} does not have enough dimensions (has {found}, gufunc core with signature {cores} requires {least})"
            )));
        }
    }
    Ok(())
}

fn tensordot(call: &mut Call<'_>) -> Outcome {
    let (engine, [x, y]) = (call.engine(), call.meeting(["x", "y"])?);
    let (of_x, of_y): (Vec<i64>, Vec<i64>) = match call.value("axes") {
        Value::Int(count) => ((-count..0).collect(), (0..*count).collect()),
        value => {
            let parts = crate::interp::array_like::to_tensors(engine, value, None)?;
            let [first, second] = &parts[..] else {
                return Err(call.wrong_type("axes", "an integer or two sequences of axes"));
            };
            let read = |x: &Tensor| -> Result<Vec<i64>, Fault> {
                Ok(super::forms::numbers(engine, x)?.into_iter().map(|axis| axis as i64).collect())
            };
            (read(first)?, read(second)?)
        }
    };
    let mismatch = || Fault::value_error("shape-mismatch for sum");
    if of_x.len() != of_y.len() {
        return Err(call.fault_at("axes", mismatch()));
    }
    if of_x.len() > x.rank() || of_y.len() > y.rank() {
        let fault = Fault::new(ErrorKind::Index, "tuple index out of range");
        return Err(call.fault_at("axes", fault));
    }
    for (a, b) in of_x.iter().zip(&of_y) {
        let (a, b) = (x.shape().axis(*a)?, y.shape().axis(*b)?);
        if x.shape()[a] != y.shape()[b] {
            return Err(call.fault_at("axes", mismatch()));
        }
    }
    Ok(engine.tensordot(&x, &y, &of_x, &of_y)?.into())
}

fn kron(call: &mut Call<'_>) -> Outcome {
    let (engine, [mut x, mut y]) = (call.engine(), call.meeting(["x", "y"])?);
    let rank = x.rank().max(y.rank());
    let raise =
        |x: &Tensor| engine.expand_dims(x, &(0..(rank - x.rank()) as i64).collect::<Vec<_>>());
    (x, y) = (raise(&x)?, raise(&y)?);
    let full = Shape::scaled(x.shape(), y.shape())?;
    let left: Vec<i64> = x.shape().iter().flat_map(|extent| [*extent as i64, 1]).collect();
    let right: Vec<i64> = y.shape().iter().flat_map(|extent| [1, *extent as i64]).collect();
    let product =
        engine.binary(BinaryOp::Mul, &engine.reshape(&x, &left)?, &engine.reshape(&y, &right)?)?;
    Ok(engine.reshape(&product, &lengths(&full))?.into())
}

fn einsum(call: &mut Call<'_>) -> Outcome {
    let is_plain = matches!(call.value("optimize"), Value::Bool(false));
    if !is_plain || !matches!(call.value("subscripts"), Value::Str(_)) {
        let operands = call.rest().iter().map(|argument| argument.value.clone()).collect();
        let keys = ["out", "dtype", "order", "casting", "optimize"];
        let given = keys.map(|key| call.value(key).clone());
        let first = [call.value("subscripts").clone(), Value::list(operands)];
        return call.evaluator.call_written("_einsum", first.into_iter().chain(given));
    }
    let engine = call.engine();
    let mut operands = match call.rest() {
        // PyTorch's list of operands holds tensors; any other is NumPy's only operand.
        [only] if !call.str("subscripts")?.contains(',') && holds_no_tensor(&only.value) => {
            let operand = crate::interp::array_like::to_tensor(engine, &only.value, None);
            vec![operand.map_err(|fault| call.fault_of(only, fault))?]
        }
        _ => call.rest_tensors()?,
    };
    if let Some(dtype) = call.dtype("dtype")? {
        let rule = call.casting()?;
        for x in &mut operands {
            if !rule.allows(x.dtype(), dtype) {
                let words = format!(
                    "Iterator operand 0 dtype could not be cast from dtype('{}') to dtype('{dtype}') according to the rule '{}'",
                    x.dtype(),
                    rule.name()
                );
                return Err(call.fault_at("dtype", Fault::type_error(words)));
            }
            *x = engine.cast(x, dtype)?;
        }
    }
    let made = engine.einsum(call.str("subscripts")?, &operands)?;
    let order = call.layout("order")?;
    let made =
        if order == 'F' { super::options::in_order(engine, &made, &made, order)? } else { made };
    give(call, made)
}

fn holds_no_tensor(value: &Value) -> bool {
    let is_none = |items: &[Value]| !items.iter().any(|item| matches!(item, Value::Tensor(_)));
    match value {
        Value::List(items) => is_none(&items.borrow()),
        Value::Tuple(items) => is_none(items),
        _ => false,
    }
}

fn cross(call: &mut Call<'_>) -> Outcome {
    let (engine, [x, y]) = (call.engine(), call.meeting(["x", "y"])?);
    let axis = call.int("axis")?;
    let (x, y) = (engine.moveaxis(&x, &[axis], &[-1])?, engine.moveaxis(&y, &[axis], &[-1])?);
    let last = |x: &Tensor| x.shape()[x.rank() - 1];
    if last(&x) != 3 || last(&y) != 3 {
        let words = "incompatible dimensions for cross product\n(dimension must be 3)";
        return Err(Fault::value_error(words.replace('\n', " ")));
    }
    let part = |x: &Tensor, place| engine.narrow(x, x.rank() - 1, place, 1, 1);
    let mut rows = Vec::with_capacity(3);
    for (i, j) in [(1, 2), (2, 0), (0, 1)] {
        let a = engine.binary(BinaryOp::Mul, &part(&x, i)?, &part(&y, j)?)?;
        let b = engine.binary(BinaryOp::Mul, &part(&x, j)?, &part(&y, i)?)?;
        rows.push(engine.binary(BinaryOp::Sub, &a, &b)?);
    }
    let joined = super::forms::concatenate(engine, &rows, Some(-1))?;
    Ok(engine.moveaxis(&joined, &[-1], &[axis])?.into())
}

fn matrix_power(call: &mut Call<'_>) -> Outcome {
    let (engine, x) = (call.engine(), call.tensor("x")?);
    let whole = |_| call.fault_at("n", Fault::type_error("exponent must be an integer"));
    let n = call.int("n").map_err(whole)?;
    let rank = x.rank();
    if rank < 2 || x.shape()[rank - 1] != x.shape()[rank - 2] {
        let words = match rank {
            0 | 1 => {
                format!("{rank}-dimensional array given. Array must be at least two-dimensional")
            }
            _ => "Last 2 dimensions of the array must be square".to_string(),
        };
        return Err(call.fault_at("x", Fault::new(ErrorKind::LinAlg, words)));
    }
    if n < 0 {
        return by_text(call, "_powered", [x.into(), Value::Int(n)]);
    }
    let (mut power, mut rest) = (x.clone(), n);
    let mut result: Option<Tensor> = None;
    while rest > 0 {
        if rest & 1 == 1 {
            result = Some(match result {
                Some(result) => engine.matmul(&result, &power)?,
                None => power.clone(),
            });
        }
        rest >>= 1;
        if rest > 0 {
            power = engine.matmul(&power, &power)?;
        }
    }
    match result {
        Some(result) => Ok(result.into()),
        None => {
            let size = x.shape()[rank - 1];
            let mask = super::create::below(engine, size, size, CompareOp::Eq, 0)?;
            let one = engine.cast(&mask, x.dtype())?;
            Ok(engine.copy(&engine.broadcast_to(&one, x.shape())?)?.into())
        }
    }
}

fn norm(call: &mut Call<'_>) -> Outcome {
    let (engine, x) = (call.engine(), as_float(call.engine(), &call.tensor("x")?)?);
    let (axes, keepdims) = (call.axes("axis")?, call.bool("keepdims")?);
    let improper = || Fault::value_error("Improper number of dimensions to norm.");
    let matrix = match (&axes, call.is_none("ord")) {
        (Some(axes), is_none) if axes.is_empty() || axes.len() > 2 && !is_none => {
            return Err(call.fault_at("axis", improper()));
        }
        (Some(axes), _) => axes.len() == 2,
        (None, false) if x.rank() == 0 || x.rank() > 2 => {
            return Err(call.fault_at("x", improper()));
        }
        (None, is_none) => x.rank() == 2 && !is_none,
    };
    let vectors =
        || Fault::value_error(format!("Invalid norm order {} for vectors", order_text(call)));
    let matrices = || Fault::value_error("Invalid norm order for matrices.");
    let ord = match call.value("ord") {
        Value::None => return Ok(row_norm(engine, &x, 2.0, axes.as_deref(), keepdims)?.into()),
        Value::Str(name) if matches!(&**name, "fro" | "f") && matrix => None,
        Value::Str(name) if &**name == "nuc" && matrix => {
            let axes = axes.unwrap_or_else(|| [0, 1].into_iter().collect());
            return by_values(call, x, &axes, keepdims);
        }
        Value::Str(_) => {
            return Err(call.fault_at("ord", if matrix { matrices() } else { vectors() }));
        }
        _ => Some(call.float("ord")?),
    };
    let Some(ord) = ord else {
        // PyTorch's norms of rows know the name, too.
        return Ok(row_norm(engine, &x, 2.0, axes.as_deref(), keepdims)?.into());
    };
    if !matrix {
        return Ok(row_norm(engine, &x, ord, axes.as_deref(), keepdims)?.into());
    }
    let axes = axes.unwrap_or_else(|| [0, 1].into_iter().collect());
    // Sums along one axis, then the extreme along the other.
    let (summed, other) = match ord.abs() {
        1.0 => (axes[0], axes[1]),
        f64::INFINITY => (axes[1], axes[0]),
        2.0 => return by_values(call, x, &axes, keepdims),
        _ => return Err(call.fault_at("ord", matrices())),
    };
    let size = engine.unary(UnaryOp::Abs, &x)?;
    let sums = engine.reduce(Reduction::Sum, &size, Some(&[summed]), true)?;
    let pick = if ord > 0.0 { Reduction::Max } else { Reduction::Min };
    let result = match pick {
        Reduction::Max => largest(engine, &sums, Some(&[other]), true)?,
        _ => engine.reduce(pick, &sums, Some(&[other]), true)?,
    };
    Ok(if keepdims { result } else { engine.squeeze(&result, Some(&axes))? }.into())
}

/// A norm of matrices that their singular values tell.
fn by_values(call: &Call<'_>, x: Tensor, axes: &[i64], keepdims: bool) -> Outcome {
    let axes = Value::tuple(axes.iter().map(|axis| Value::Int(*axis)).collect::<Vec<_>>());
    let arguments = [x.into(), call.value("ord").clone(), axes, Value::Bool(keepdims)];
    by_text(call, "_norm_by_values", arguments)
}

/// The first factor of an inner product.
fn conjugated(engine: &Engine, x: &Tensor) -> Made {
    if x.dtype().is_complex() { engine.conjugate(x) } else { Ok(x.clone()) }
}

/// What a function of the module's text gives.
fn by_text<const N: usize>(call: &Call<'_>, name: &str, arguments: [Value; N]) -> Outcome {
    let text = call.evaluator.in_module(Module::Linalg, name)?.unwrap_or(Value::None);
    call.evaluator.call_value(&text, arguments, [])
}

fn order_text(call: &Call<'_>) -> String {
    match call.value("ord") {
        Value::Str(text) => format!("'{text}'"),
        value => format!("{value:?}"),
    }
}

/// The largest of sizes: of none it is 0.
fn largest(engine: &Engine, sizes: &Tensor, axes: Option<&[i64]>, keepdims: bool) -> Made {
    let op = if sizes.elem_count() == 0 { Reduction::Sum } else { Reduction::Max };
    engine.reduce(op, sizes, axes, keepdims)
}

/// A norm of what lies along some axes, whose sums are kept in the type that computes `x`.
pub(super) fn row_norm(
    engine: &Engine,
    x: &Tensor,
    ord: f64,
    axes: Option<&[i64]>,
    keepdims: bool,
) -> Made {
    let x = if x.dtype().is_complex() { engine.unary(UnaryOp::Abs, x)? } else { x.clone() };
    let wide = engine.cast(&x, x.dtype().compute())?;
    let size = || engine.unary(UnaryOp::Abs, &wide);
    let sum = |terms: &Tensor| engine.reduce(Reduction::Sum, terms, axes, keepdims);
    let norm = match ord {
        2.0 => engine.unary(UnaryOp::Sqrt, &sum(&engine.unary(UnaryOp::Square, &wide)?)?)?,
        1.0 => sum(&size()?)?,
        0.0 => {
            let nonzero = engine.compare(CompareOp::Ne, &wide, Scalar::Int(0))?;
            sum(&engine.cast(&nonzero, wide.dtype())?)?
        }
        f64::INFINITY => largest(engine, &size()?, axes, keepdims)?,
        f64::NEG_INFINITY => engine.reduce(Reduction::Min, &size()?, axes, keepdims)?,
        _ => {
            let powers = engine.binary(BinaryOp::Pow, &size()?, Scalar::Float(ord))?;
            engine.binary(BinaryOp::Pow, &sum(&powers)?, Scalar::Float(1.0 / ord))?
        }
    };
    engine.cast(&norm, x.dtype())
}
