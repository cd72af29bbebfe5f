//! New tensors: from values, constants, ranges, grids.

use super::forms::{Made, Outcome, on_device, tuple};
use super::{Builtin, Call};
use crate::diag::Fault;
use crate::dtype::{DType, Scalar};
use crate::interp::array_like;
use crate::interp::value::Value;
use crate::layout::Shape;
use crate::tensor::{BinaryOp, CompareOp, Engine, Tensor, UnaryOp};

pub const BUILTINS: &[Builtin] = &[
    Builtin::new("array(object, dtype=None, *, copy=True, ndmin=0, device=None, requires_grad=False)", |call| {
        array(call, true)
    })
    .aliases(&["tensor"])
    .doc("A tensor of numbers, nested lists or tensors; a copy if it is a tensor already.\nFloats become the default float. ValueError for lists of unequal lengths.")
    .example("array([[1, 2], [3, 4]])"),
    Builtin::new("asarray(object, dtype=None, *, copy=False, ndmin=0, device=None)", |call| array(call, false))
        .aliases(&["as_tensor", "asanyarray", "from_numpy"])
        .doc("As `array`, but a tensor that fits already is returned itself.")
        .example("asarray([1.5, 2])"),
    Builtin::new("zeros(*shape, dtype=None, device=None, requires_grad=False)", |call| {
        constant(call, Scalar::Float(0.0))
    })
    .doc("A tensor of zeros. The shape is one tuple or several integers.")
    .example("zeros(2, 3)"),
    Builtin::new("ones(*shape, dtype=None, device=None, requires_grad=False)", |call| {
        constant(call, Scalar::Float(1.0))
    })
    .doc("A tensor of ones. The shape is one tuple or several integers.")
    .example("ones((2, 2), dtype=int32)"),
    Builtin::new("empty(*shape, dtype=None, device=None, requires_grad=False)", |call| {
        let dtype = call.dtype("dtype")?.unwrap_or_else(|| call.engine().default_float());
        let shape = call.shape("shape")?;
        Ok(on_device(call, |engine| engine.empty(&shape, dtype))?.into())
    })
    .doc("A tensor whose elements are whatever was in the memory.")
    .example("empty(2, 3).shape"),
    Builtin::new("full(shape, fill_value, dtype=None, *, device=None, requires_grad=False)", |call| {
        let shape = asked_shape(call, "shape")?;
        let dtype = call.dtype("dtype")?;
        match call.value("fill_value").number() {
            Some(value) => {
                let dtype = dtype.unwrap_or_else(|| value.dtype(call.engine().default_float()));
                Ok(on_device(call, |engine| engine.full(&shape, value, dtype))?.into())
            }
            None => {
                let value = call.tensor_in("fill_value", dtype)?;
                let made = on_device(call, |engine| {
                    let value = engine.to_device(&value, &engine.device())?;
                    engine.copy(&engine.broadcast_to(&value, &shape)?)
                });
                Ok(made?.into())
            }
        }
    })
    .doc("A tensor with the same value everywhere; the type is the value's unless given.")
    .example("full((2, 2), 7)"),
    Builtin::new("zeros_like(x, dtype=None, *, device=None)", |call| like(call, Scalar::Int(0)))
        .doc("Zeros in x's shape and type.")
        .example("zeros_like(array([1.5, 2.5]))"),
    Builtin::new("ones_like(x, dtype=None, *, device=None)", |call| like(call, Scalar::Int(1)))
        .doc("Ones in x's shape and type.")
        .example("ones_like(array([5, 6]))"),
    Builtin::new("empty_like(x, dtype=None, *, device=None)", |call| {
        let x = call.tensor("x")?;
        let dtype = call.dtype("dtype")?.unwrap_or(x.dtype());
        Ok(beside(call, &x, |engine| engine.empty(x.shape(), dtype))?.into())
    })
    .doc("A tensor of x's shape and type, with whatever was in the memory.")
    .example("empty_like(zeros((2, 3))).shape"),
    Builtin::new("full_like(x, fill_value, dtype=None, *, device=None)", |call| {
        let x = call.tensor("x")?;
        let dtype = call.dtype("dtype")?.unwrap_or(x.dtype());
        let made = beside(call, &x, |engine| {
            let value = call.tensor_of("fill_value", dtype)?;
            engine.copy(&engine.broadcast_to(&value, x.shape())?)
        });
        Ok(made?.into())
    })
    .doc("The value in x's shape and type.")
    .example("full_like(array([1, 2]), 9)"),
    Builtin::new("arange(start, stop=None, step=1, dtype=None, *, device=None, requires_grad=False)", arange)
        .doc("start, start + step, … before stop; `arange(n)` counts from 0. ZeroDivisionError for step 0.")
        .example("arange(1, 10, 3)"),
    Builtin::new("linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, *, device=None)", |call| {
        let (start, stop) = (call.float("start")?, call.float("stop")?);
        let (count, endpoint) = (spaced_count(call)?, call.bool("endpoint")?);
        let made = spaced(call, |engine, dtype| engine.linspace(start, stop, count, endpoint, dtype))?;
        if call.bool("retstep")? {
            let parts = if endpoint { count as f64 - 1.0 } else { count as f64 };
            return Ok(Value::tuple(vec![made.into(), Value::Float((stop - start) / parts)]));
        }
        Ok(made.into())
    })
    .doc("`num` numbers from start to stop in equal steps; without the end if `endpoint` is False.")
    .example("linspace(0, 1, 5)"),
    Builtin::new("logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, *, device=None)", |call| {
        let (start, stop, base) = (call.float("start")?, call.float("stop")?, call.float("base")?);
        let (count, endpoint) = (spaced_count(call)?, call.bool("endpoint")?);
        let made = spaced(call, |engine, dtype| {
            let powers = engine.linspace(start, stop, count, endpoint, DType::F64)?;
            engine.cast(&engine.binary(BinaryOp::Pow, Scalar::Float(base), &powers)?, dtype)
        });
        Ok(made?.into())
    })
    .doc("`base` to the power of `num` numbers from start to stop in equal steps.")
    .example("logspace(0, 2, 3)"),
    Builtin::new("geomspace(start, stop, num=50, endpoint=True, dtype=None, *, device=None)", |call| {
        let (start, stop) = (call.float("start")?, call.float("stop")?);
        if start == 0.0 || stop == 0.0 {
            return Err(Fault::value_error("Geometric sequence cannot include zero"));
        }
        let (count, endpoint) = (spaced_count(call)?, call.bool("endpoint")?);
        let sign = start.signum();
        if sign != stop.signum() {
            return Err(Fault::value_error("expected `start` and `stop` of one sign"));
        }
        let made = spaced(call, |engine, dtype| {
            let powers = engine.linspace(0.0, (stop / start).log10(), count, endpoint, DType::F64)?;
            let ratios = engine.binary(BinaryOp::Pow, Scalar::Float(10.0), &powers)?;
            let values = engine.binary(BinaryOp::Mul, &ratios, Scalar::Float(start))?;
            let place = engine.iota(values.shape(), 0)?;
            // The ends are exact.
            let last = Scalar::Int(count as i64 - 1);
            let is_last = engine.compare(CompareOp::Eq, &place, last)?;
            let values = if endpoint && count > 1 {
                engine.select(&is_last, Scalar::Float(stop), &values)?
            } else {
                values
            };
            engine.cast(&values, dtype)
        });
        Ok(made?.into())
    })
    .doc("`num` numbers from start to stop in equal ratios.")
    .example("geomspace(1, 8, 4)"),
    Builtin::new("eye(N, M=None, k=0, dtype=None, *, device=None)", |call| {
        let rows = length(call, "N")?;
        let columns = if call.is_none("M") { rows } else { length(call, "M")? };
        let k = call.int("k")?;
        triangle(call, rows, columns, CompareOp::Eq, k)
    })
    .doc("Ones on the diagonal `k`, else zeros.")
    .example("eye(2, 3, k=1)"),
    Builtin::new("identity(n, dtype=None, *, device=None)", |call| {
        let n = length(call, "n")?;
        triangle(call, n, n, CompareOp::Eq, 0)
    })
    .doc("The identity matrix.")
    .example("identity(2)"),
    Builtin::new("tri(N, M=None, k=0, dtype=None, *, device=None)", |call| {
        let rows = length(call, "N")?;
        let columns = if call.is_none("M") { rows } else { length(call, "M")? };
        let k = call.int("k")?;
        triangle(call, rows, columns, CompareOp::Le, k)
    })
    .doc("Ones on and below the diagonal `k`, else zeros.")
    .example("tri(3)"),
    Builtin::new("tril(x, k=0)", |call| part(call, CompareOp::Le))
        .doc("x with zeros above the diagonal `k` of its last two axes.")
        .example("tril(array([[1, 2], [3, 4]]))")
        .method()
        .in_place(),
    Builtin::new("triu(x, k=0)", |call| part(call, CompareOp::Ge))
        .doc("x with zeros below the diagonal `k` of its last two axes.")
        .example("triu(array([[1, 2], [3, 4]]))")
        .method()
        .in_place(),
    Builtin::new("diag(x, k=0)", |call| {
        let (engine, x, k) = (call.engine(), call.tensor("x")?, call.int("k")?);
        match x.rank() {
            1 => Ok(diagonal_matrix(engine, &x, k)?.into()),
            2 => Ok(engine.copy(&engine.diagonal(&x, k, 0, 1)?)?.into()),
            _ => Err(call.fault_at("x", Fault::value_error("Input must be 1- or 2-d."))),
        }
    })
    .doc("The diagonal `k` of a matrix, or the matrix that has a row as its diagonal `k`.")
    .example("diag(array([1, 2]))")
    .method(),
    Builtin::new("diagflat(x, k=0)", |call| {
        let (engine, x, k) = (call.engine(), call.tensor("x")?, call.int("k")?);
        Ok(diagonal_matrix(engine, &engine.ravel(&x)?, k)?.into())
    })
    .doc("The matrix with the flattened tensor as its diagonal `k`.")
    .example("diagflat([[1, 2]])"),
    Builtin::new("meshgrid(*arrays, indexing='xy', sparse=False)", meshgrid)
        .doc("The coordinates of a grid over rows of numbers: a list with one tensor for each.\n'xy' has the first two axes swapped, 'ij' has them in order.")
        .example("meshgrid([1, 2, 3], [4, 5])"),
    Builtin::new("ix_(*indices)", open_mesh)
        .doc("Rows of indices, each along an axis of its own: as an index, they pick every\ncombination. A mask stands for its places.")
        .example("arange(12).reshape(3, 4)[ix_([0, 2], [1, 3])]"),
    Builtin::new("indices(dimensions, dtype=int64, sparse=False)", |call| {
        if call.bool("sparse")? {
            let keys = ["dimensions", "dtype", "sparse"];
            let arguments = keys.map(|key| call.value(key).clone());
            return call.evaluator.call_written("_indices", arguments);
        }
        let shape = asked_shape(call, "dimensions")?;
        let dtype = call.dtype("dtype")?.unwrap_or(DType::I64);
        let engine = call.engine();
        let grids = (0..shape.rank()).map(|axis| engine.iota(&shape, axis as _));
        let grids = grids.collect::<Result<Vec<_>, _>>()?;
        if grids.is_empty() {
            return Ok(engine.full(&Shape::from([0]), Scalar::Int(0), dtype)?.into());
        }
        Ok(engine.cast(&engine.stack(&grids, 0)?, dtype)?.into())
    })
    .doc("The coordinates of every place of a shape: shape (rank, *dimensions).")
    .example("indices((2, 2))"),
    Builtin::new("vander(x, N=None, increasing=False)", |call| {
        let (engine, x) = (call.engine(), call.tensor("x")?);
        if x.rank() != 1 {
            let fault = Fault::value_error("x must be a one-dimensional array or sequence.");
            return Err(call.fault_at("x", fault));
        }
        let count = if call.is_none("N") { x.elem_count() } else { length(call, "N")? };
        let mut powers = engine.iota(&Shape::from([count]), 0)?;
        if !call.bool("increasing")? {
            powers = engine.flip(&powers, None)?;
        }
        let column = engine.expand_dims(&x, &[1])?;
        Ok(engine.binary(BinaryOp::Pow, &column, &powers)?.into())
    })
    .doc("The powers of each number as a row, falling unless `increasing`.")
    .example("vander([1, 2, 3], 3)"),
];

fn array(call: &mut Call<'_>, copies: bool) -> Outcome {
    let dtype = call.dtype("dtype")?;
    let copies = if call.given("copy") { call.bool("copy")? } else { copies };
    let value = call.value("object").clone();
    let device = call.device("device")?;
    let made = match &value {
        Value::Tensor(x) => {
            let engine = call.engine();
            let mut made = engine.cast(x, dtype.unwrap_or(x.dtype()))?;
            if let Some(device) = device {
                made = engine.to_device(&made, &device)?;
            }
            if copies && made.is_same(x) { engine.copy(&made)? } else { made }
        }
        _ => on_device(call, |engine| Ok(array_like::to_tensor(engine, &value, dtype)?))
            .map_err(|error| call.fault_at("object", error))?,
    };
    let missing = call.int("ndmin")?.clamp(0, 64) - made.rank() as i64;
    if missing > 0 {
        let axes: Vec<i64> = (0..missing).collect();
        return Ok(call.engine().expand_dims(&made, &axes)?.into());
    }
    Ok(made.into())
}

fn constant(call: &mut Call<'_>, value: Scalar) -> Outcome {
    let dtype = call.dtype("dtype")?.unwrap_or_else(|| call.engine().default_float());
    let shape = call.shape("shape")?;
    Ok(on_device(call, |engine| engine.full(&shape, value, dtype))?.into())
}

fn like(call: &mut Call<'_>, value: Scalar) -> Outcome {
    let x = call.tensor("x")?;
    let dtype = call.dtype("dtype")?.unwrap_or(x.dtype());
    Ok(beside(call, &x, |engine| engine.full(x.shape(), value, dtype))?.into())
}

/// Makes a tensor on the device that the call names, or on that of `x`.
fn beside(call: &Call<'_>, x: &Tensor, run: impl FnOnce(&Engine) -> Made) -> Result<Tensor, Fault> {
    if call.function.signature().position("device").is_some() && call.given("device") {
        return Ok(on_device(call, run)?);
    }
    let engine = call.engine();
    let before = engine.device();
    engine.set_device(x.device().clone());
    let made = run(engine);
    engine.set_device(before);
    Ok(made?)
}

fn arange(call: &mut Call<'_>) -> Outcome {
    let (mut start, mut stop) = (Scalar::Int(0), number(call, "start")?);
    if !call.is_none("stop") {
        (start, stop) = (stop, number(call, "stop")?);
    }
    let step = number(call, "step")?;
    if step.as_f64() == 0.0 {
        let fault = Fault::new(crate::diag::ErrorKind::ZeroDivision, "division by zero");
        return Err(call.fault_at("step", fault.with_hint("`step` must not be 0")));
    }
    let dtype = call.dtype("dtype")?;
    Ok(on_device(call, |engine| engine.arange(start, stop, step, dtype))?.into())
}

/// A Python number, or a tensor of one element.
fn number(call: &Call<'_>, key: &'static str) -> Result<Scalar, Fault> {
    if let Some(value) = call.value(key).number() {
        return Ok(value);
    }
    let tensor = call.tensor(key)?;
    if tensor.elem_count() != 1 {
        return Err(call.wrong_type(key, "a number"));
    }
    Ok(call.engine().item(&tensor)?)
}

/// The shape that an ordinary parameter asks for.
pub fn asked_shape(call: &Call<'_>, key: &'static str) -> Result<Shape, Fault> {
    let sizes = call.ints(key)?;
    if sizes.iter().any(|size| *size < 0) {
        let fault = Fault::value_error("negative dimensions are not allowed");
        return Err(call.fault_at(key, fault));
    }
    let shape: Shape = sizes.iter().map(|size| *size as usize).collect();
    shape.checked_elem_count().map_err(|error| call.fault_at(key, error))?;
    Ok(shape)
}

fn length(call: &Call<'_>, key: &'static str) -> Result<usize, Fault> {
    // NumPy takes a negative length of a matrix for none.
    Ok(call.int(key)?.max(0) as usize)
}

fn spaced_count(call: &Call<'_>) -> Result<usize, Fault> {
    let count = call.int("num")?;
    if count < 0 {
        let words = format!("Number of samples, {count}, must be non-negative.");
        return Err(call.fault_at("num", Fault::value_error(words)));
    }
    Ok(count as usize)
}

/// Numbers made in float64 and then cast; whole types round down, as NumPy's do.
fn spaced(call: &Call<'_>, run: impl FnOnce(&Engine, DType) -> Made) -> Result<Tensor, Fault> {
    let dtype = call.dtype("dtype")?.unwrap_or_else(|| call.engine().default_float());
    let made = on_device(call, |engine| {
        if dtype.is_float() {
            return run(engine, dtype);
        }
        let made = run(engine, DType::F64)?;
        engine.cast(&engine.unary(UnaryOp::Floor, &made)?, dtype)
    });
    Ok(made?)
}

/// Where column - row stands to `k` as `op` says.
pub fn below(engine: &Engine, rows: usize, columns: usize, op: CompareOp, k: i64) -> Made {
    let row = engine.iota(&Shape::from([rows, 1]), 0)?;
    let column = engine.iota(&Shape::from([columns]), 0)?;
    let bound = engine.binary(BinaryOp::Add, &row, Scalar::Int(k))?;
    engine.compare(op, &column, &bound)
}

fn triangle(call: &Call<'_>, rows: usize, columns: usize, op: CompareOp, k: i64) -> Outcome {
    let dtype = call.dtype("dtype")?.unwrap_or_else(|| call.engine().default_float());
    Shape::from([rows, columns]).checked_elem_count()?;
    let made = on_device(call, |engine| engine.cast(&below(engine, rows, columns, op, k)?, dtype));
    Ok(made?.into())
}

fn part(call: &mut Call<'_>, op: CompareOp) -> Outcome {
    let (x, k) = (call.tensor("x")?, call.int("k")?);
    let rank = x.rank();
    if rank == 0 {
        let fault = Fault::type_error("expected at least one axis, found a tensor of shape ()");
        return Err(call.fault_at("x", fault));
    }
    let columns = x.shape()[rank - 1];
    let rows = if rank > 1 { x.shape()[rank - 2] } else { columns };
    let made = beside(call, &x, |engine| {
        engine.select(&below(engine, rows, columns, op, k)?, &x, Scalar::Bool(false))
    });
    Ok(made?.into())
}

fn diagonal_matrix(engine: &Engine, x: &Tensor, k: i64) -> Result<Tensor, Fault> {
    let size = x.elem_count() + k.unsigned_abs() as usize;
    let shape = Shape::from([size, size]);
    shape.checked_elem_count()?;
    let matrix = engine.copy(&engine.full(&shape, Scalar::Int(0), x.dtype())?)?;
    let matrix = engine.to_device(&matrix, x.device())?;
    engine.assign_all(&engine.diagonal(&matrix, k, 0, 1)?, x)?;
    Ok(matrix)
}

fn meshgrid(call: &mut Call<'_>) -> Outcome {
    let engine = call.engine();
    let swapped = match call.str("indexing")? {
        "xy" => true,
        "ij" => false,
        _ => {
            let words = "Valid values for `indexing` are 'xy' and 'ij'.";
            return Err(call.fault_at("indexing", Fault::value_error(words)));
        }
    };
    let rows =
        call.rest().iter().map(|argument| array_like::to_tensor(engine, &argument.value, None));
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    let rank = rows.len();
    let mut shaped = Vec::with_capacity(rank);
    for (place, row) in rows.iter().enumerate() {
        let axis = if swapped && rank > 1 && place < 2 { 1 - place } else { place };
        let mut shape = vec![1; rank];
        shape[axis] = -1;
        shaped.push(engine.reshape(row, &shape)?);
    }
    if call.bool("sparse")? {
        return Ok(tuple(shaped));
    }
    let full = engine.broadcast_tensors(&shaped)?;
    let copies = full.iter().map(|grid| engine.copy(grid)).collect::<Result<Vec<_>, _>>()?;
    Ok(tuple(copies))
}

fn open_mesh(call: &mut Call<'_>) -> Outcome {
    let engine = call.engine();
    let rank = call.rest().len();
    let mut rows = Vec::with_capacity(rank);
    for (axis, argument) in call.rest().iter().enumerate() {
        let row = array_like::to_tensor(engine, &argument.value, None)?;
        if row.rank() != 1 {
            let fault = Fault::value_error("Cross index must be 1 dimensional");
            return Err(call.fault_of(argument, fault));
        }
        let row = match row.dtype() {
            DType::Bool => engine.nonzero(&row)?.swap_remove(0),
            // An empty list has the type of floats, and picks nothing.
            _ if row.elem_count() == 0 => engine.cast(&row, DType::I64)?,
            _ => row,
        };
        let mut shape = vec![1; rank];
        shape[axis] = -1;
        rows.push(engine.reshape(&row, &shape)?);
    }
    Ok(tuple(rows))
}
