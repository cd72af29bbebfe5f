//! The same elements under another shape, order of axes, or direction. Views wherever strides can
//! say it.

use super::forms::{Outcome, tuple};
use super::{Builtin, Call, options};
use crate::diag::{ErrorKind, Fault, NoAxis};
use crate::interp::array_like;
use crate::interp::room;
use crate::interp::value::Value;
use crate::layout::{Shape, normalize_axis};
use crate::tensor::{CompareOp, Engine, Error, Permission, Tensor};

pub const BUILTINS: &[Builtin] = &[
    Builtin::new("reshape(x, *shape, order='C', copy=None)", |call| {
        let (engine, x) = (call.engine(), call.tensor("x")?);
        let made = match call.layout("order")? {
            'C' => engine.reshape(&x, &call.sizes()?)?,
            'K' => {
                let words = "order 'K' is not permitted for reshaping";
                return Err(call.fault_at("order", Fault::value_error(words)));
            }
            'A' if !options::is_by_columns(engine, &x)? => engine.reshape(&x, &call.sizes()?)?,
            _ => {
                let shape = call.sizes()?;
                let turned: Vec<i64> = shape.iter().rev().copied().collect();
                match engine.reshape(&engine.transpose(&x)?, &turned) {
                    Ok(made) => engine.transpose(&made)?,
                    // The same is wrong with the shape as it was asked for.
                    Err(error) => return Err(engine.reshape(&x, &shape).err().unwrap_or(error).into()),
                }
            }
        };
        let made = another(engine, &x, made)?;
        if call.is_none("copy") {
            return Ok(made.into());
        }
        // Only memory tells a view from a copy.
        engine.realize(&[&x, &made])?;
        let storage = |x: &Tensor| x.storage_and_layout().map(|(storage, _)| storage);
        let is_view = match (storage(&x), storage(&made)) {
            (Some(own), Some(other)) => own.is_with(&other),
            _ => false,
        };
        match (call.bool("copy")?, is_view) {
            (true, true) => Ok(engine.copy(&made)?.into()),
            (false, false) => {
                let words = "Unable to avoid creating a copy while reshaping.";
                Err(call.fault_at("copy", Fault::value_error(words)))
            }
            _ => Ok(made.into()),
        }
    })
    .about("shape")
    .doc("The same elements in row-major order under another shape; -1 once for what is left.\nA view where strides allow it, else a copy; `copy` True or False insists. With `order` 'F' both are read by columns,\nthe first axis fastest; with 'A' where x lies so. ValueError where the sizes differ.")
    .example("arange(6).reshape(2, -1)")
    .method(),
    Builtin::new("view(x, *shape_or_type, dtype=None)", |call| {
        let (engine, x) = (call.engine(), call.tensor("x")?);
        let named = match call.rest() {
            [] => call.dtype("dtype")?.or(Some(x.dtype())),
            [argument] => match &argument.value {
                value @ (Value::DType(_) | Value::Type(_) | Value::Str(_)) => {
                    Some(crate::interp::convert::dtype(engine, value)?)
                }
                _ => None,
            },
            _ => None,
        };
        if let Some(dtype) = named {
            return Ok(engine.view_as(&x, dtype)?.into());
        }
        let view = engine.reshape(&x, &call.sizes()?)?;
        Ok(another(engine, &x, view)?.into())
    })
    .doc("PyTorch's name for `reshape`; with a type the same bytes under it, the last axis longer or shorter where sizes differ.\nWhat shows bools as another type is read-only, and bools are copied out of other types. ValueError for bytes that do\nnot come out even.")
    .example("arange(6).view(3, 2)")
    .only_method(),
    Builtin::new("reshape_as(x, other)", |call| {
        let (x, other) = (call.tensor("x")?, call.tensor("other")?);
        let view = call.engine().reshape(&x, &super::forms::lengths(other.shape()))?;
        Ok(another(call.engine(), &x, view)?.into())
    })
    .aliases(&["view_as"])
    .doc("The elements under the shape of `other`.")
    .example("arange(4).reshape_as(zeros((2, 2)))")
    .only_method(),
    Builtin::new("ravel(x, order='C')", |call| {
        let (engine, x) = (call.engine(), call.tensor("x")?);
        let order = call.layout("order")?;
        // As in NumPy a view only of what has no holes.
        let mut turned = options::turned(engine, &x, order)?;
        if turned.storage_and_layout().is_some_and(|(_, layout)| !layout.is_contiguous()) {
            turned = engine.contiguous(&turned)?;
        }
        Ok(another(engine, &x, engine.ravel(&turned)?)?.into())
    })
        .doc("One axis with all elements in row-major order; a view where they lie so, without holes. With `order` 'F' by columns,\nthe first axis fastest; with 'A' so where x lies so, with 'K' as they lie.")
        .example("ravel(array([[1, 2], [3, 4]]))")
        .method(),
    Builtin::new("flatten(x, start_dim=0, end_dim=-1, order='C')", |call| {
        let (engine, mut x) = (call.engine(), call.tensor("x")?);
        // NumPy's only parameter is the order.
        let is_order = |value: &Value| matches!(value, Value::Str(_) | Value::None);
        let key = if is_order(call.value("start_dim")) { "start_dim" } else { "order" };
        if matches!(call.value(key), Value::None) {
            return Ok(engine.copy(&engine.ravel(&x)?)?.into());
        }
        if call.given(key) && is_order(call.value(key)) {
            x = options::turned(engine, &x, call.layout(key)?)?;
            return Ok(engine.copy(&engine.ravel(&x)?)?.into());
        }
        if x.rank() == 0 {
            return Ok(engine.copy(&engine.ravel(&x)?)?.into());
        }
        let first = x.shape().axis(call.int("start_dim")?)?;
        let last = x.shape().axis(call.int("end_dim")?)?;
        let mut shape: Vec<i64> = x.shape()[..first].iter().map(|n| *n as i64).collect();
        shape.push(x.shape()[first..=last.max(first)].iter().product::<usize>() as i64);
        shape.extend(x.shape()[last.max(first) + 1..].iter().map(|n| *n as i64));
        Ok(engine.copy(&engine.reshape(&x, &shape)?)?.into())
    })
    .doc("A copy with the axes from `start_dim` to `end_dim` joined into one; all of them by default.")
    .example("array([[1, 2], [3, 4]]).flatten()")
    .method(),
    Builtin::new("unflatten(x, axis, sizes)", |call| {
        let (engine, x) = (call.engine(), call.tensor("x")?);
        let axis = x.shape().axis(call.int("axis")?)?;
        let mut shape: Vec<i64> = x.shape()[..axis].iter().map(|n| *n as i64).collect();
        shape.extend(call.ints("sizes")?);
        shape.extend(x.shape()[axis + 1..].iter().map(|n| *n as i64));
        Ok(engine.reshape(&x, &shape)?.into())
    })
    .doc("One axis cut into several.")
    .example("arange(6).unflatten(0, (2, 3))")
    .method(),
    Builtin::new("squeeze(x, axis=None)", |call| {
        let x = call.tensor("x")?;
        let axes = super::reduce::axes_of(call, &x)?;
        Ok(call.engine().squeeze(&x, axes.as_deref()).map_err(|e| call.fault_at("axis", e))?.into())
    })
    .doc("Without axes of length one: all of them, or those named. ValueError for a longer one.")
    .example("squeeze(zeros((1, 3, 1))).shape")
    .method(),
    Builtin::new("expand_dims(x, axis)", |call| {
        let (x, axes) = (call.tensor("x")?, call.axes("axis")?);
        let axes = axes.ok_or_else(|| {
            let words = "'NoneType' object cannot be interpreted as an integer";
            call.fault_at("axis", Fault::type_error(words))
        })?;
        let view = call.engine().expand_dims(&x, &axes).map_err(|e| call.fault_at("axis", e))?;
        Ok(another(call.engine(), &x, view)?.into())
    })
    .aliases(&["unsqueeze"])
    .doc("With new axes of length one at these places of the result.")
    .example("expand_dims(arange(3), 0).shape")
    .method(),
    Builtin::new("transpose(x, *axes)", |call| {
        let (engine, x) = (call.engine(), call.tensor("x")?);
        match call.rest() {
            [] => Ok(engine.transpose(&x)?.into()),
            [only] if matches!(only.value, Value::None) => Ok(engine.transpose(&x)?.into()),
            // PyTorch's `x.transpose(0, 1)` swaps two axes of more; to NumPy it is an error.
            [_, _] if x.rank() > 2 => {
                let axes = call.sizes()?;
                Ok(engine.swapaxes(&x, axes[0], axes[1])?.into())
            }
            _ => Ok(engine.permute(&x, &call.sizes()?)?.into()),
        }
    })
    .aliases(&["permute_dims"])
    .about("axes")
    .doc("The axes reversed, or in the order given; two of more than two are swapped: a view.")
    .example("transpose(array([[1, 2], [3, 4]]))")
    .method(),
    Builtin::new("permute(x, *axes)", |call| {
        Ok(call.engine().permute(&call.tensor("x")?, &call.sizes()?)?.into())
    })
    .doc("The axes in the order given: a view.")
    .example("permute(zeros((2, 3, 4)), (2, 0, 1)).shape")
    .method(),
    Builtin::new("matrix_transpose(x)", |call| {
        let x = call.tensor("x")?;
        if x.rank() < 2 {
            let words = format!("Input array must be at least 2-dimensional, but it is {}", x.rank());
            return Err(call.fault_at("x", Fault::value_error(words)));
        }
        Ok(call.engine().swapaxes(&x, -1, -2)?.into())
    })
    .aliases(&["adjoint"])
    .doc("The last two axes swapped: a view.")
    .example("matrix_transpose(zeros((5, 2, 3))).shape"),
    Builtin::new("t(x)", |call| {
        let x = call.tensor("x")?;
        if x.rank() > 2 {
            let words = format!("t() expects a tensor with <= 2 dimensions, but self is {}D", x.rank());
            return Err(call.fault_at("x", Fault::new(crate::diag::ErrorKind::Runtime, words)));
        }
        Ok(call.engine().transpose(&x)?.into())
    })
    .doc("A matrix transposed: a view.")
    .example("array([[1, 2]]).t()")
    .only_method(),
    Builtin::new("swapaxes(x, axis1, axis2)", |call| {
        let x = call.tensor("x")?;
        let axes = [call.int("axis1")?, call.int("axis2")?];
        check_axes(call, &x, "axis1", &axes[..1])?;
        check_axes(call, &x, "axis2", &axes[1..])?;
        Ok(call.engine().swapaxes(&x, axes[0], axes[1])?.into())
    })
    .aliases(&["swapdims"])
    .doc("Two axes swapped: a view.")
    .example("swapaxes(zeros((2, 3, 4)), 0, 2).shape")
    .method(),
    Builtin::new("moveaxis(x, source, destination)", |call| {
        let x = call.tensor("x")?;
        let (from, to) = (call.ints("source")?, call.ints("destination")?);
        check_axes(call, &x, "source", &from)?;
        check_axes(call, &x, "destination", &to)?;
        if from.len() != to.len() {
            let words = "`source` and `destination` arguments must have the same number of elements";
            return Err(call.fault_at("destination", Fault::value_error(words)));
        }
        Ok(call.engine().moveaxis(&x, &from, &to)?.into())
    })
    .aliases(&["movedim"])
    .doc("Axes moved to other places, the rest in order: a view.")
    .example("moveaxis(zeros((2, 3, 4)), 0, -1).shape")
    .method(),
    Builtin::new("rollaxis(x, axis, start=0)", |call| {
        let x = call.tensor("x")?;
        let axis = x.shape().axis(call.int("axis")?)?;
        let (start, rank) = (call.int("start")?, x.rank() as i64);
        let start = if start < 0 { start + rank } else { start };
        if !(0..=rank).contains(&start) {
            let words = format!(
                "'start' arg requires {} <= start < {}, but {start} was passed in",
                -rank,
                rank + 1
            );
            return Err(call.fault_at("start", Fault::new(ErrorKind::Axis, words)));
        }
        let to = if (axis as i64) < start { start - 1 } else { start };
        Ok(call.engine().moveaxis(&x, &[axis as i64], &[to])?.into())
    })
    .doc("One axis moved before another: `moveaxis` in an older form.")
    .example("rollaxis(zeros((2, 3, 4)), 2).shape"),
    Builtin::new("atleast_1d(*arrays)", |call| at_least(call, 1))
        .doc("With at least one axis.")
        .example("atleast_1d(3)"),
    Builtin::new("atleast_2d(*arrays)", |call| at_least(call, 2))
        .doc("With at least two axes; new ones come first.")
        .example("atleast_2d([1, 2])"),
    Builtin::new("atleast_3d(*arrays)", |call| at_least(call, 3))
        .doc("With at least three axes: a row becomes (1, n, 1), a matrix (m, n, 1).")
        .example("atleast_3d([1, 2]).shape"),
    Builtin::new("flip(x, axis=None)", |call| {
        let (x, axes) = (call.tensor("x")?, call.axes("axis")?);
        let places = axes.iter().flatten().map(|axis| x.shape().axis(*axis));
        let mut places = places.collect::<Result<Vec<_>, _>>().unwrap_or_default();
        places.sort_unstable();
        if places.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(call.fault_at("axis", Fault::value_error("repeated axis")));
        }
        let view = call.engine().flip(&x, axes.as_deref()).map_err(|e| call.fault_at("axis", e))?;
        Ok(another(call.engine(), &x, view)?.into())
    })
    .doc("The order of the elements reversed along axes: a view of negative strides.")
    .example("flip(array([1, 2, 3]))")
    .method(),
    Builtin::new("fliplr(x)", |call| {
        let x = call.tensor("x")?;
        if x.rank() < 2 {
            return Err(call.fault_at("x", Fault::value_error("Input must be >= 2-d.")));
        }
        Ok(call.engine().flip(&x, Some(&[1]))?.into())
    })
    .doc("Columns in reverse order.")
    .example("fliplr(array([[1, 2], [3, 4]]))"),
    Builtin::new("flipud(x)", |call| {
        let x = call.tensor("x")?;
        if x.rank() < 1 {
            return Err(call.fault_at("x", Fault::value_error("Input must be >= 1-d.")));
        }
        Ok(call.engine().flip(&x, Some(&[0]))?.into())
    })
    .doc("Rows in reverse order.")
    .example("flipud(array([[1, 2], [3, 4]]))"),
    Builtin::new("rot90(x, k=1, axes=(0, 1))", rot90)
        .doc("Turned by 90 degrees `k` times, from the first axis towards the second: a view.")
        .example("rot90(array([[1, 2], [3, 4]]))"),
    Builtin::new("diagonal(x, offset=0, axis1=0, axis2=1)", |call| {
        Ok(call.engine().read_only(&diagonal(call)?, Permission::Read)?.into())
    })
    .doc("A diagonal of two axes, as the last axis: a view, which is read-only.")
    .example("diagonal(array([[1, 2], [3, 4]]))")
    .method(),
    Builtin::new("narrow(x, axis, start, length)", |call| {
        let (engine, x) = (call.engine(), call.tensor("x")?);
        let axis = x.shape().axis(call.int("axis")?)?;
        let (extent, length) = (x.shape()[axis] as i64, call.int("length")?);
        let start = call.int("start")?;
        let start = if start < 0 { start + extent } else { start };
        if start < 0 || length < 0 || start + length > extent {
            let words = format!("start ({start}) + length ({length}) exceeds dimension size ({extent}).");
            return Err(call.fault_at("length", Fault::new(crate::diag::ErrorKind::Runtime, words)));
        }
        Ok(engine.narrow(&x, axis, start as usize, length as usize, 1)?.into())
    })
    .doc("`length` elements along an axis from `start`: a view.")
    .example("narrow(arange(6), 0, 2, 3)")
    .method(),
    Builtin::new("unravel_index(indices, shape, order='C')", |call| {
        let keys = ["indices", "shape", "order"];
        let arguments = keys.map(|key| call.value(key).clone());
        call.evaluator.call_written("_unravel_index", arguments)
    })
    .about("indices")
    .doc("Positions in the flattened tensor as coordinates: a tuple with one tensor for each axis.")
    .example("unravel_index(5, (2, 3))"),
    Builtin::new("ravel_multi_index(multi_index, dims, mode='raise', order='C')", |call| {
        let keys = ["multi_index", "dims", "mode", "order"];
        let arguments = keys.map(|key| call.value(key).clone());
        call.evaluator.call_written("_ravel_multi_index", arguments)
    })
    .about("multi_index")
    .doc("Coordinates as positions in the flattened tensor, or with `order` 'F' in the order of the first axis.\nThose beyond it are a ValueError; `mode` 'wrap' takes remainders, 'clip' the nearest, one for each axis or for all.")
    .example("ravel_multi_index((array([0, 1]), array([2, 0])), (2, 3))"),
    Builtin::new("tril_indices(n, k=0, m=None)", |call| triangle_places(call, CompareOp::Le))
        .doc("The coordinates on and below the diagonal `k` of an n by m matrix.")
        .example("tril_indices(2)"),
    Builtin::new("triu_indices(n, k=0, m=None)", |call| triangle_places(call, CompareOp::Ge))
        .doc("The coordinates on and above the diagonal `k` of an n by m matrix.")
        .example("triu_indices(2)"),
    Builtin::new("diag_indices(n, ndim=2)", |call| {
        let count = call.int("n")?.max(0);
        let engine = call.engine();
        let row = Shape::from([count as usize]);
        let axes = 0..call.int("ndim")?.max(0) as usize;
        let places = axes.map(|_| engine.iota(&row, 0).map_err(Fault::from));
        Ok(tuple(room::gather(engine, room::TENSOR, places)?))
    })
    .doc("The coordinates of the main diagonal of `ndim` axes of length n.")
    .example("diag_indices(2)"),
    Builtin::new("unstack(x, axis=0)", |call| slices(call, false))
        .doc("The slices along an axis, as a tuple of views; of one axis its elements, which are numbers of their own.")
        .example("unstack(array([[1, 2], [3, 4]]))")
        .method(),
    Builtin::new("unbind(x, axis=0)", |call| slices(call, true))
        .doc("The slices along an axis, as a tuple of views, also where they are single elements.")
        .example("unbind(array([[1, 2], [3, 4]]))")
        .method(),
];

/// The slices along an axis.
fn slices(call: &mut Call<'_>, are_views: bool) -> Outcome {
    let (engine, x) = (call.engine(), call.tensor("x")?);
    let axis = x.shape().axis(call.int("axis")?).map_err(|e| call.fault_at("axis", e))?;
    let parts = (0..x.shape()[axis]).map(|place| {
        let part = engine.narrow(&x, axis, place, 1, 1)?;
        let part = engine.squeeze(&part, Some(&[axis as i64]))?;
        // An element of an array is no view of it.
        let is_view = are_views || x.rank() > 1;
        Ok::<_, Fault>(if is_view { part } else { engine.copy(&part)? })
    });
    Ok(tuple(room::gather(engine, room::TENSOR, parts)?))
}

fn at_least(call: &mut Call<'_>, rank: usize) -> Outcome {
    let engine = call.engine();
    let met = array_like::meeting(engine, call.rest().iter().map(|argument| &argument.value));
    let mut results = Vec::new();
    for argument in call.rest() {
        let x = array_like::beside(engine, &argument.value, met)?;
        let axes: &[i64] = match (rank, x.rank()) {
            (1, 0) => &[0],
            (2, 0) => &[0, 1],
            (2, 1) => &[0],
            (3, 0) => &[0, 1, 2],
            (3, 1) => &[0, 2],
            (3, 2) => &[2],
            _ => &[],
        };
        results.push(if axes.is_empty() { x } else { engine.expand_dims(&x, axes)? });
    }
    if results.len() == 1 { Ok(results.swap_remove(0).into()) } else { Ok(tuple(results)) }
}

fn rot90(call: &mut Call<'_>) -> Outcome {
    let (engine, x, axes) = (call.engine(), call.tensor("x")?, call.ints("axes")?);
    let [first, second] = axes[..] else {
        return Err(call.fault_at("axes", Fault::value_error("len(axes) must be 2.")));
    };
    if first == second || first.abs_diff(second) == x.rank() as u64 {
        return Err(call.fault_at("axes", Fault::value_error("Axes must be different.")));
    }
    let inside = |axis: i64| normalize_axis(axis, x.rank()).map(|axis| axis as i64);
    let (Ok(first), Ok(second)) = (inside(first), inside(second)) else {
        let words =
            format!("Axes=({first}, {second}) out of range for array of ndim={}.", x.rank());
        return Err(call.fault_at("axes", Fault::value_error(words)));
    };
    Ok(match call.int("k")?.rem_euclid(4) {
        0 => x,
        1 => engine.swapaxes(&engine.flip(&x, Some(&[second]))?, first, second)?,
        2 => engine.flip(&x, Some(&[first, second]))?,
        _ => engine.flip(&engine.swapaxes(&x, first, second)?, Some(&[second]))?,
    }
    .into())
}

/// The diagonal that a call asks for by `offset`, `axis1` and `axis2`.
///
/// # Errors
/// AxisError that names the argument; ValueError for fewer than two axes, or twice the same.
pub fn diagonal(call: &Call<'_>) -> Result<Tensor, Fault> {
    let (x, axes) = (call.tensor("x")?, [call.int("axis1")?, call.int("axis2")?]);
    if x.rank() >= 2 {
        check_axes(call, &x, "axis1", &axes[..1])?;
        check_axes(call, &x, "axis2", &axes[1..])?;
    }
    Ok(call.engine().diagonal(&x, call.int("offset")?, axes[0], axes[1])?)
}

/// # Errors
/// AxisError that names the argument.
fn check_axes(call: &Call<'_>, x: &Tensor, key: &'static str, axes: &[i64]) -> Result<(), Fault> {
    axes.iter().try_for_each(|axis| match x.shape().axis(*axis) {
        Ok(_) => Ok(()),
        Err(_) => {
            let fault = NoAxis { axis: *axis, rank: x.rank(), argument: Some(key) };
            Err(call.fault_at(key, fault))
        }
    })
}

/// A view that is another tensor than what it shows, as all views are in NumPy: `flags` are a tensor's own.
fn another(engine: &Engine, x: &Tensor, view: Tensor) -> Result<Tensor, Error> {
    if view.is_same(x) { engine.alias(x) } else { Ok(view) }
}

fn triangle_places(call: &mut Call<'_>, op: CompareOp) -> Outcome {
    let (engine, rows, k) = (call.engine(), call.int("n")?.max(0) as usize, call.int("k")?);
    let columns = if call.is_none("m") { rows } else { call.int("m")?.max(0) as usize };
    let mask = super::create::below(engine, rows, columns, op, k)?;
    Ok(tuple(engine.nonzero(&mask)?))
}
