//! New tensors: from values, constants, ranges, grids.

use super::forms::{Made, Outcome, on_device, tuple};
use super::{Builtin, Call};
use crate::diag::Fault;
use crate::dtype::{DType, Scalar};
use crate::interp::array_like;
use crate::interp::value::Value;
use crate::layout::Shape;
use crate::tensor::{BinaryOp, CompareOp, Engine, Tensor};

pub const BUILTINS: &[Builtin] = &[
    Builtin::new("array(object, dtype=None, *, copy=True, order='K', subok=False, ndmin=0, ndmax=0, like=None, device=None, requires_grad=False)", array)
    .aliases(&["tensor"])
    .doc("A tensor of numbers, nested lists or tensors; a copy if it is a tensor already,\nunless `copy` is None or False; False is a ValueError where one is needed. `order` 'F' lays it out by columns.\nFloats become the default float. ValueError for lists of unequal lengths.")
    .example("array([[1, 2], [3, 4]])"),
    Builtin::new("asarray(object, dtype=None, order='K', *, copy=None, ndmin=0, like=None, device=None)", array)
        .aliases(&["as_tensor", "asanyarray", "from_numpy"])
        .doc("As `array`, but a tensor that fits already is returned itself.")
        .example("asarray([1.5, 2])"),
    Builtin::new("zeros(*shape, dtype=None, order='C', *, device=None, like=None, requires_grad=False)", |call| {
        constant(call, Scalar::Float(0.0))
    })
    .doc("A tensor of zeros. The shape is one tuple or several integers.")
    .example("zeros(2, 3)"),
    Builtin::new("ones(*shape, dtype=None, order='C', *, device=None, like=None, requires_grad=False)", |call| {
        constant(call, Scalar::Float(1.0))
    })
    .doc("A tensor of ones. The shape is one tuple or several integers.")
    .example("ones((2, 2), dtype=int32)"),
    Builtin::new("empty(*shape, dtype=None, order='C', *, device=None, like=None, requires_grad=False)", |call| {
        let dtype = call.dtype("dtype")?.unwrap_or_else(|| call.engine().default_float());
        let shape = call.shape("shape")?;
        Ok(on_device(call, |engine| engine.empty(&shape, dtype))?.into())
    })
    .doc("A tensor whose elements are whatever was in the memory.")
    .example("empty(2, 3).shape"),
    Builtin::new("full(shape, fill_value, dtype=None, order='C', *, device=None, like=None, requires_grad=False)", |call| {
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
                    engine.copy(&engine.spread_into(value, &shape)?)
                });
                Ok(made?.into())
            }
        }
    })
    .about("fill_value")
    .doc("A tensor with the same value everywhere; the type is the value's unless given.")
    .example("full((2, 2), 7)"),
    Builtin::new("zeros_like(x, dtype=None, order='K', subok=True, shape=None, *, device=None)", |call| like(call, Scalar::Int(0)))
        .doc("Zeros in x's shape and type.")
        .example("zeros_like(array([1.5, 2.5]))"),
    Builtin::new("ones_like(x, dtype=None, order='K', subok=True, shape=None, *, device=None)", |call| like(call, Scalar::Int(1)))
        .doc("Ones in x's shape and type.")
        .example("ones_like(array([5, 6]))"),
    Builtin::new("empty_like(x, dtype=None, order='K', subok=True, shape=None, *, device=None)", |call| {
        let x = call.tensor("x")?;
        let dtype = call.dtype("dtype")?.unwrap_or(x.dtype());
        let shape = shape_beside(call, &x)?;
        let made = beside(call, &x, |engine| {
            engine.made_as_it_lies(&x, &shape, |shape| engine.empty(shape, dtype))
        });
        Ok(made?.into())
    })
    .doc("A tensor of x's shape and type, with whatever was in the memory.")
    .example("empty_like(zeros((2, 3))).shape"),
    Builtin::new("full_like(x, fill_value, dtype=None, order='K', subok=True, shape=None, *, device=None)", |call| {
        let x = call.tensor("x")?;
        let dtype = call.dtype("dtype")?.unwrap_or(x.dtype());
        let shape = shape_beside(call, &x)?;
        let made = beside(call, &x, |engine| {
            let value = call.tensor_of("fill_value", dtype)?;
            match value.rank() {
                0 => engine.made_as_it_lies(&x, &shape, |shape| {
                    engine.copy(&engine.broadcast_to(&value, shape)?)
                }),
                _ => engine.copy(&engine.spread_into(value, &shape)?),
            }
        });
        Ok(made?.into())
    })
    .about("fill_value")
    .doc("The value in x's shape and type.")
    .example("full_like(array([1, 2]), 9)"),
    Builtin::new("eye(N, M=None, k=0, dtype=None, order='C', *, device=None, like=None)", |call| {
        let rows = length(call, "N")?;
        let columns = if call.is_none("M") { rows } else { length(call, "M")? };
        let k = call.int("k")?;
        triangle(call, rows, columns, CompareOp::Eq, k)
    })
    .doc("Ones on the diagonal `k`, else zeros.")
    .example("eye(2, 3, k=1)"),
    Builtin::new("identity(n, dtype=None, *, like=None, device=None)", |call| {
        let n = length(call, "n")?;
        triangle(call, n, n, CompareOp::Eq, 0)
    })
    .doc("The identity matrix.")
    .example("identity(2)"),
    Builtin::new("tri(N, M=None, k=0, dtype=None, *, like=None, device=None)", |call| {
        // A negative length is none here, as in NumPy.
        let length = |key| call.int(key).map(|length| length.max(0) as usize);
        let rows = length("N")?;
        let columns = if call.is_none("M") { rows } else { length("M")? };
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
    Builtin::new("meshgrid(*arrays, copy=True, sparse=False, indexing='xy')", meshgrid)
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
        let shape = match call.value("dimensions") {
            dimensions @ (Value::Generator(_) | Value::Iterator(_)) => {
                let mut sizes = Vec::new();
                call.evaluator.each(dimensions, |size| {
                    sizes.push(call.evaluator.as_index(&size)?);
                    Ok(true)
                })?;
                shape_of(call, "dimensions", &sizes)?
            }
            _ => asked_shape(call, "dimensions")?,
        };
        let dtype = call.dtype("dtype")?.unwrap_or(DType::I64);
        let engine = call.engine();
        let grids = (0..shape.rank()).map(|axis| engine.iota(&shape, axis as _));
        let grids = grids.collect::<Result<Vec<_>, _>>()?;
        if grids.is_empty() {
            return Ok(engine.full(&Shape::from([0]), Scalar::Int(0), dtype)?.into());
        }
        Ok(engine.cast(&engine.stack(&grids, 0)?, dtype)?.into())
    })
    .about("dimensions")
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

fn array(call: &mut Call<'_>) -> Outcome {
    let dtype = call.dtype("dtype")?;
    let copies = if call.is_none("copy") { None } else { Some(call.bool("copy")?) };
    let value = call.array_of("object")?.unwrap_or_else(|| call.value("object").clone());
    let device = call.device("device")?;
    let made = match &value {
        Value::Tensor(x) => {
            let engine = call.engine();
            let mut made = engine.cast(x, dtype.unwrap_or(x.dtype()))?;
            call.warn_of_parts(x, made.dtype())?;
            if let Some(device) = device {
                made = engine.to_device(&made, &device)?;
            }
            let is_own = made.is_same(x);
            if copies == Some(false) && !is_own {
                return Err(no_copy(call));
            }
            // What can be written to is no scalar, which never changes.
            let is_copied = is_own && (copies == Some(true) || x.is_scalar());
            let made = if is_copied { engine.copy_as_it_lies(&made)? } else { made };
            if x.is_scalar() { made.as_scalar(false) } else { made }
        }
        _ if copies == Some(false) => return Err(no_copy(call)),
        _ => on_device(call, |engine| Ok(array_like::to_tensor(engine, &value, dtype)?))
            .map_err(|error| call.fault_at("object", error))?,
    };
    if let Some(at) = call.function.signature().position("ndmax")
        && let most @ 1.. = call.int(at)?
        && !matches!(value, Value::Tensor(_))
        && made.rank() as i64 > most
    {
        let words = "setting an array element with a sequence.";
        let hint =
            format!("`ndmax={most}` leaves lists over as elements, and elements are numbers here");
        return Err(call.fault_at(at, Fault::value_error(words).with_hint(hint)));
    }
    let missing = call.int("ndmin")?.clamp(0, 64) - made.rank() as i64;
    if missing > 0 {
        let axes: Vec<i64> = (0..missing).collect();
        return Ok(call.engine().expand_dims(&made, &axes)?.into());
    }
    Ok(made.into())
}

#[cold]
fn no_copy(call: &Call<'_>) -> Fault {
    let words = "Unable to avoid copy while creating an array as requested.";
    let hint = "`copy=None`, as `asarray` has it, copies only where it must";
    call.fault_at("copy", Fault::value_error(words).with_hint(hint))
}

fn constant(call: &mut Call<'_>, value: Scalar) -> Outcome {
    let dtype = call.dtype("dtype")?.unwrap_or_else(|| call.engine().default_float());
    let shape = call.shape("shape")?;
    Ok(on_device(call, |engine| engine.full(&shape, value, dtype))?.into())
}

fn like(call: &mut Call<'_>, value: Scalar) -> Outcome {
    let x = call.tensor("x")?;
    let dtype = call.dtype("dtype")?.unwrap_or(x.dtype());
    let shape = shape_beside(call, &x)?;
    let made = beside(call, &x, |engine| {
        engine.made_as_it_lies(&x, &shape, |shape| engine.full(shape, value, dtype))
    });
    Ok(made?.into())
}

/// The shape that `shape` asks for, else that of `x`.
fn shape_beside(call: &Call<'_>, x: &Tensor) -> Result<Shape, Fault> {
    if call.is_none("shape") { Ok(x.shape().clone()) } else { asked_shape(call, "shape") }
}

/// Makes a tensor on the device that the call names, or on that of `x`.
fn beside(call: &Call<'_>, x: &Tensor, run: impl FnOnce(&Engine) -> Made) -> Result<Tensor, Fault> {
    if call.function.signature().position("device").is_some() && call.given("device") {
        return Ok(on_device(call, run)?);
    }
    let engine = call.engine();
    Ok(engine.on_device(x.device().clone(), || run(engine))?)
}

/// The shape that an ordinary parameter asks for.
pub fn asked_shape(call: &Call<'_>, key: &'static str) -> Result<Shape, Fault> {
    shape_of(call, key, &call.ints(key)?)
}

fn shape_of(call: &Call<'_>, key: &'static str, sizes: &[i64]) -> Result<Shape, Fault> {
    if sizes.iter().any(|size| *size < 0) {
        let fault = Fault::value_error("negative dimensions are not allowed");
        return Err(call.fault_at(key, fault));
    }
    let shape: Shape = sizes.iter().map(|size| *size as usize).collect();
    shape.checked_elem_count().map_err(|error| call.fault_at(key, error))?;
    Ok(shape)
}

fn length(call: &Call<'_>, key: &'static str) -> Result<usize, Fault> {
    let negative = |_| Fault::value_error("negative dimensions are not allowed");
    usize::try_from(call.int(key)?).map_err(|error| call.fault_at(key, negative(error)))
}

/// Where column - row stands to `k` as `op` says: to be read, not to be written to, for rows may lie over each other.
pub fn below(engine: &Engine, rows: usize, columns: usize, op: CompareOp, k: i64) -> Made {
    if rows > 0 && columns > 0 && !engine.device().backend().launches_cost() {
        // What holds of a place holds along its diagonal: each row is the one above it, moved by a place.
        let first = rows as i64 - 1;
        let apart = engine.iota(&Shape::from([rows + columns - 1]), 0)?;
        let holds = engine.compare(op, &apart, Scalar::Int(k.saturating_add(first)))?;
        let last = engine.narrow(&holds, 0, rows - 1, columns, 1)?;
        return engine.as_strided(&last, Shape::from([rows, columns]), &[-1, 1]);
    }
    let row = engine.iota(&Shape::from([rows, 1]), 0)?;
    let column = engine.iota(&Shape::from([columns]), 0)?;
    let bound = engine.binary(BinaryOp::Add, &row, Scalar::Int(k))?;
    engine.compare(op, &column, &bound)
}

fn triangle(call: &Call<'_>, rows: usize, columns: usize, op: CompareOp, k: i64) -> Outcome {
    let dtype = call.dtype("dtype")?.unwrap_or_else(|| call.engine().default_float());
    Shape::from([rows, columns]).checked_elem_count()?;
    let has_diagonal = op == CompareOp::Eq && k < columns as i64 && -k < rows as i64;
    let made = on_device(call, |engine| {
        match has_diagonal && !engine.device().backend().launches_cost() {
            // Zeros, of which only the diagonal is looked at again.
            true => {
                let shape = Shape::from([rows, columns]);
                let matrix = engine.copy(&engine.full(&shape, Scalar::Int(0), dtype)?)?;
                engine.assign_all(&engine.diagonal(&matrix, k, 0, 1)?, Scalar::Int(1))?;
                Ok(matrix)
            }
            false if dtype == DType::Bool => engine.copy(&below(engine, rows, columns, op, k)?),
            false => engine.cast(&below(engine, rows, columns, op, k)?, dtype),
        }
    });
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
    let (is_sparse, copies) = (call.bool("sparse")?, call.bool("copy")?);
    let full = if is_sparse { shaped } else { engine.broadcast_tensors(&shaped)? };
    if !copies {
        return Ok(tuple(full));
    }
    let copies = full.iter().map(|grid| engine.copy(grid)).collect::<Result<Vec<_>, _>>()?;
    Ok(tuple(copies))
}

fn open_mesh(call: &mut Call<'_>) -> Outcome {
    let engine = call.engine();
    let rank = call.rest().len();
    let mut rows = Vec::with_capacity(rank);
    for (axis, argument) in call.rest().iter().enumerate() {
        let row = array_like::to_tensor(engine, &argument.value, None);
        let row = row.map_err(|fault| call.fault_of(argument, fault))?;
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
