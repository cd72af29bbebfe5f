//! Other types, other devices, copies, and a tensor's elements as Python's values.

use super::forms::Outcome;
use super::options::{self, Casting};
use super::{Builtin, Call};
use crate::diag::{ErrorKind, Fault};
use crate::dtype::{DType, Scalar};
use crate::interp::room;
use crate::interp::value::Value;
use crate::layout::Layout;
use crate::tensor::{BinaryOp, CompareOp, DeviceId, IndexItem, Tensor, UnaryOp};

/// Methods that convert to one type.
macro_rules! conversions {
    ($($name:literal $dtype:ident)*) => {
        &[$(
            Builtin::new(concat!($name, "(x)"), |call| to_type(call, DType::$dtype))
                .only_method()
                .doc(concat!("The elements as ", stringify!($dtype), ", PyTorch's name for the type."))
                .example(concat!("array([1, 0]).", $name, "()")),
        )*]
    };
}

pub const TYPES: &[Builtin] = conversions! {
    "float" F32 "double" F64 "half" F16 "bfloat16" BF16 "int" I32 "long" I64 "short" I16 "char" I8
    "byte" U8 "bool" Bool
};

pub const BUILTINS: &[Builtin] = &[
    Builtin::new("astype(x, dtype, order='K', casting='unsafe', subok=True, copy=True, *, device=None)", |call| {
        let (engine, x) = (call.engine(), call.tensor("x")?);
        let dtype = call.dtype("dtype")?.unwrap_or_else(|| engine.default_float());
        check_cast(call, &x, dtype)?;
        call.warn_of_parts(&x, dtype)?;
        let mut made = engine.cast(&x, dtype)?;
        if let Some(device) = call.device("device")? {
            made = engine.to_device(&made, &device)?;
        }
        let copies = made.is_same(&x) && call.bool("copy")?;
        Ok(if copies { engine.copy_as_it_lies(&made)? } else { made }.into())
    })
    .doc("The elements in another type: floats lose their fraction, integers wrap, bools are x != 0.")
    .example("array([1.9, -1.9]).astype(int32)")
    .method(),
    Builtin::new("ndarray(shape, dtype=None, buffer=None, offset=0, strides=None, order='C')", |call| {
        super::forms::written(call, "_ndarray")
    })
    .homes(super::Homes::CONSTRUCTOR)
    .method_of(crate::interp::value::Type::Tensor)
    .doc("An array of a shape; of the memory of `buffer`, from `offset` bytes on, by steps of `strides` bytes.")
    .example("np.ndarray((2,), dtype=int64, buffer=array([1, 2, 3]), offset=8)"),
    Builtin::new("type(x, dtype=None)", |call| {
        let x = call.tensor("x")?;
        match call.dtype("dtype")? {
            Some(dtype) => Ok(call.engine().cast(&x, dtype)?.into()),
            None => Ok(Value::str(x.dtype().name())),
        }
    })
    .doc("PyTorch's `astype`; without an argument the type's name.")
    .example("array([1, 2]).type(float32)")
    .only_method(),
    Builtin::new("type_as(x, other)", |call| {
        let dtype = call.tensor("other")?.dtype();
        to_type(call, dtype)
    })
    .doc("The elements in the type of another tensor.")
    .example("array([1, 2]).type_as(zeros(1))")
    .only_method(),
    Builtin::new("to(x, *targets, dtype=None, device=None, non_blocking=False, copy=False)", to)
        .doc("The elements in another type, on another device, or as another tensor has them.")
        .example("array([1, 2]).to(float32)")
        .only_method(),
    Builtin::new("cpu(x)", |call| {
        let (engine, x) = (call.engine(), call.tensor("x")?);
        Ok(engine.to_device(&x, &engine.find_device(DeviceId::Cpu)?)?.into())
    })
    .aliases(&["numpy"])
    .doc("The tensor in host memory; itself if it is there.")
    .example("array([1, 2]).cpu().device")
    .only_method(),
    Builtin::new("cuda(x, device=None)", |call| {
        let (engine, x) = (call.engine(), call.tensor("x")?);
        let device = match call.device("device")? {
            Some(device) => device,
            None => engine.find_device(super::cuda::current_gpu(engine))?,
        };
        Ok(engine.to_device(&x, &device)?.into())
    })
    .doc("The tensor on a GPU: the one for new tensors, or else the first. RuntimeError where there is none.")
    .only_method(),
    Builtin::new("item(x, *index)", item)
        .quick(super::python::quick::item)
        .doc("One element as a Python number: the only one, or the one at an index. ValueError for more.")
        .example("array([[1, 2]]).item(1)")
        .method(),
    Builtin::new("tolist(x)", |call| {
        let (engine, x) = (call.engine(), call.tensor("x")?);
        // Lists of lists: every axis but the last has a list at each place of those before it.
        let places = x.shape().iter().scan(1usize, |count, extent| {
            *count = count.saturating_mul(*extent);
            Some(*count)
        });
        let items = places.fold(0usize, usize::saturating_add);
        room::things(engine, items, 2 * room::ITEM).map_err(|fault| call.fault_at("x", fault))?;
        let values = engine.to_host(&x)?;
        nested(&mut room::Pace::new(engine), &mut values.scalars(), x.shape())
    })
    .doc("The elements as nested lists of Python numbers; of no axes, a number.")
    .example("array([[1, 2], [3, 4]]).tolist()")
    .only_method(),
    Builtin::new("copy(x, order='K', subok=False)", |call| {
        Ok(call.engine().copy_as_it_lies(&call.tensor("x")?)?.into())
    })
    .aliases(&["clone"])
    .doc("A new tensor of the same elements, which lie in memory in the same order.")
    .example("x = array([1, 2])\ny = copy(x)\ny[0] = 9\nx")
    .method(),
    // As in NumPy, the method goes by rows where the function keeps the order.
    Builtin::new("copy(x, order='C')", |call| {
        let (engine, x) = (call.engine(), call.tensor("x")?);
        let order = call.layout("order")?;
        let copy = engine.copy(&x)?;
        Ok(if order == 'C' { copy } else { options::in_order(engine, &copy, &x, order)? }.into())
    })
    .doc("A new tensor of the same elements, in row-major order or in the order that is asked for.")
    .example("x = array([1, 2])\ny = x.copy()\ny[0] = 9\nx")
    .only_method(),
    Builtin::new("detach(x)", |call| Ok(call.value("x").clone()))
        .aliases(&["detach_", "resolve_neg", "resolve_conj"])
        .doc("The tensor itself: nothing here records gradients.")
        .example("array([1, 2]).detach()")
        .only_method(),
    Builtin::new("contiguous(x)", |call| {
        Ok(call.engine().contiguous(&call.tensor("x")?)?.into())
    })
    .doc("The tensor itself if its elements lie in row-major order without holes, else a copy.")
    .example("zeros((2, 3)).T.contiguous().is_contiguous()")
    .only_method(),
    Builtin::new("is_contiguous(x)", |call| {
        Ok(Value::Bool(layout(call, &call.tensor("x")?)?.1.is_contiguous()))
    })
    .doc("Whether the elements lie in row-major order without holes.")
    .example("zeros((2, 3)).T.is_contiguous()")
    .only_method(),
    Builtin::new("numel(x)", |call| Ok(Value::Int(call.tensor("x")?.elem_count() as i64)))
        .aliases(&["nelement"])
        .doc("How many elements there are.")
        .example("numel(zeros((2, 3)))")
        .method(),
    Builtin::new("size(x, axis=None)", |call| {
        let x = call.tensor("x")?;
        let Some(axes) = call.axes("axis")? else { return Ok(Value::Int(x.elem_count() as i64)) };
        let mut places = Vec::with_capacity(axes.len());
        for axis in &axes {
            let axis = x.shape().axis(*axis).map_err(|e| call.fault_at("axis", e))?;
            if places.contains(&axis) {
                return Err(call.fault_at("axis", Fault::value_error("repeated axis")));
            }
            places.push(axis);
        }
        Ok(Value::Int(places.iter().map(|axis| x.shape()[*axis] as i64).product()))
    })
    .doc("How many elements there are, or along an axis, or along several together.")
    .example("size(zeros((2, 3)), 1)"),
    Builtin::new("shape(x)", |call| {
        Ok(Value::sizes(call.tensor("x")?.shape().iter().copied()))
    })
    .doc("The lengths of the axes.")
    .example("shape(zeros((2, 3)))"),
    Builtin::new("ndim(x)", |call| Ok(Value::Int(call.tensor("x")?.rank() as i64)))
        .doc("The number of axes.")
        .example("ndim(zeros((2, 3)))"),
    Builtin::new("dim(x)", |call| Ok(Value::Int(call.tensor("x")?.rank() as i64)))
        .aliases(&["ndimension"])
        .doc("The number of axes.")
        .example("zeros((2, 3)).dim()")
        .only_method(),
    Builtin::new("stride(x, axis=None)", |call| {
        let x = call.tensor("x")?;
        let strides = layout(call, &x)?.1.strides;
        match call.axis("axis")? {
            None => Ok(Value::Tuple(strides.iter().map(|stride| Value::Int(*stride as i64)).collect())),
            Some(axis) => Ok(Value::Int(strides[x.shape().axis(axis)?] as i64)),
        }
    })
    .doc("Elements from one index to the next along each axis; `x.strides` counts bytes.")
    .example("zeros((2, 3)).stride()")
    .only_method(),
    Builtin::new("storage_offset(x)", |call| {
        Ok(Value::Int(layout(call, &call.tensor("x")?)?.1.offset as i64))
    })
    .doc("The element of the storage at which the tensor begins.")
    .example("array([0, 1, 2, 3])[2:].storage_offset()")
    .only_method(),
    Builtin::new("element_size(x)", |call| Ok(Value::Int(call.tensor("x")?.dtype().size() as i64)))
        .doc("The bytes of one element.")
        .example("zeros(3).element_size()")
        .only_method(),
    Builtin::new("data_ptr(x)", |call| {
        let x = call.tensor("x")?;
        let (storage, layout) = layout(call, &x)?;
        let offset = layout.offset * x.dtype().size();
        Ok(Value::Int((storage.allocation().address() + offset as u64) as i64))
    })
    .doc("The address of the first element in the device's memory.")
    .only_method(),
    Builtin::new("get_device(x)", |call| {
        Ok(Value::Int(match call.tensor("x")?.device().id() {
            DeviceId::Cpu => -1,
            DeviceId::Cuda(ordinal) => i64::from(ordinal),
        }))
    })
    .doc("The GPU's number, -1 for host memory.")
    .example("zeros(3).get_device()")
    .only_method(),
    Builtin::new("shares_memory(x, y, max_work=None)", |call| {
        let (x, y) = (call.tensor("x")?, call.tensor("y")?);
        // There is no limit that the answer would need.
        call.optional_int("max_work")?;
        Ok(Value::Bool(shares(call, &x, &y)?))
    })
    .doc("Whether an element of one is an element of the other.")
    .example("x = arange(5)\nshares_memory(x[::2], x[1::2])"),
    Builtin::new("may_share_memory(x, y, max_work=None)", |call| {
        let (x, y) = (call.tensor("x")?, call.tensor("y")?);
        call.optional_int("max_work")?;
        Ok(Value::Bool(meet(call, &x, &y)?.is_some()))
    })
    .doc("Whether the stretches of memory overlap in which two tensors have their elements.")
    .example("x = arange(5)\nmay_share_memory(x[::2], x[1::2])"),
    Builtin::new("fill(x, value)", |call| {
        fill(call)?;
        Ok(Value::None)
    })
    .doc("Writes one value everywhere. Changes x.")
    .example("x = zeros(2)\nx.fill(7)\nx")
    .only_method(),
    Builtin::new("fill_(x, value)", |call| {
        fill(call)?;
        Ok(call.value("x").clone())
    })
    .doc("Writes one value everywhere and returns the tensor.")
    .example("zeros(2).fill_(7)")
    .only_method(),
    Builtin::new("zero_(x)", |call| {
        let x = super::pick::target(call)?;
        call.last_write(|| call.engine().assign_all(&x, Scalar::Int(0)))?;
        Ok(x.into())
    })
    .doc("Writes zero everywhere and returns the tensor.")
    .example("ones(2).zero_()")
    .only_method(),
    Builtin::new("copy_(x, src, non_blocking=False)", |call| {
        let (engine, x) = (call.engine(), super::pick::target(call)?);
        let source = engine.to_device(&call.tensor_of("src", x.dtype())?, x.device())?;
        let source = engine.broadcast_to(&source, x.shape()).map_err(|e| call.fault_at("src", e))?;
        call.last_write(|| engine.assign_all(&x, source))?;
        Ok(x.into())
    })
    .doc("Writes another tensor's elements, broadcast, and returns the tensor.")
    .example("zeros(2).copy_(array([1, 2]))")
    .only_method(),
    Builtin::new("new_zeros(x, *shape, dtype=None, device=None)", |call| fresh(call, Some(Scalar::Int(0))))
        .doc("Zeros of another shape in the tensor's type.")
        .example("array([1, 2]).new_zeros(3)")
        .only_method(),
    Builtin::new("new_ones(x, *shape, dtype=None, device=None)", |call| fresh(call, Some(Scalar::Int(1))))
        .doc("Ones of another shape in the tensor's type.")
        .example("array([1, 2]).new_ones(3)")
        .only_method(),
    Builtin::new("new_empty(x, *shape, dtype=None, device=None)", |call| fresh(call, None))
        .doc("A tensor of another shape in the tensor's type, with whatever was in the memory.")
        .example("array([1, 2]).new_empty(3).shape")
        .only_method(),
    Builtin::new("to_device(x, device)", |call| {
        let x = call.tensor("x")?;
        match call.device("device")? {
            Some(device) => Ok(call.engine().to_device(&x, &device)?.into()),
            None => Ok(x.into()),
        }
    })
    .doc("The tensor on another device; itself if it is there.")
    .example("zeros(2).to_device(\"cpu\")")
    .only_method(),
];

fn is_wide_integer(dtype: DType) -> bool {
    matches!(dtype, DType::I64 | DType::U64)
}

/// # Errors
/// TypeError where the rule that `casting` names forbids it, ValueError where it lets no value change and one does.
fn check_cast(call: &Call<'_>, x: &Tensor, to: DType) -> Result<(), Fault> {
    let (engine, from, rule) = (call.engine(), x.dtype(), call.casting()?);
    if !rule.allows(from, to) {
        // Its two names are one rule, and the error says the one that was given.
        let words = format!(
            "Cannot cast array data from dtype('{from}') to dtype('{to}') according to the rule '{}'",
            call.str("casting")?
        );
        return Err(call.fault_at("casting", Fault::type_error(words)));
    }
    // A float has not all integers of 64 bits, which NumPy takes for safe in it.
    let is_exact = from.is_safe_in(to) && !(is_wide_integer(from) && to.is_inexact());
    if rule == Casting::SameValue && !is_exact {
        let back = engine.cast(&engine.cast(x, to)?, from)?;
        let mut differs = engine.compare(CompareOp::Ne, &back, x)?;
        if from.is_inexact() {
            // NaN that stays NaN is the same value.
            let both = [engine.unary(UnaryOp::IsNan, &back)?, engine.unary(UnaryOp::IsNan, x)?];
            let alike = engine.binary(BinaryOp::BitAnd, &both[0], &both[1])?;
            let others = engine.unary(UnaryOp::Not, &alike)?;
            differs = engine.binary(BinaryOp::BitAnd, &differs, &others)?;
        }
        if !super::logic::is_all_false(engine, &differs)? {
            let words = format!("could not cast 'same_value' {from} to {to}");
            return Err(call.fault_at("casting", Fault::value_error(words)));
        }
    }
    Ok(())
}

fn to_type(call: &mut Call<'_>, dtype: DType) -> Outcome {
    Ok(call.engine().cast(&call.tensor("x")?, dtype)?.into())
}

fn to(call: &mut Call<'_>) -> Outcome {
    let (engine, x) = (call.engine(), call.tensor("x")?);
    let (mut dtype, mut device) = (call.dtype("dtype")?, call.device("device")?);
    for argument in call.rest() {
        match &argument.value {
            Value::Tensor(other) => {
                dtype = Some(other.dtype());
                device = Some(other.device().clone());
            }
            value @ Value::Str(name) => match DeviceId::from_name(name) {
                Some(_) => device = Some(crate::interp::convert::device(engine, value)?),
                None => dtype = Some(crate::interp::convert::dtype(engine, value)?),
            },
            value @ (Value::Device(_) | Value::Int(_)) => {
                device = Some(crate::interp::convert::device(engine, value)?);
            }
            Value::None | Value::Bool(_) => {}
            value => dtype = Some(crate::interp::convert::dtype(engine, value)?),
        }
    }
    let mut made = engine.cast(&x, dtype.unwrap_or(x.dtype()))?;
    if let Some(device) = device {
        made = engine.to_device(&made, &device)?;
    }
    if made.is_same(&x) && call.bool("copy")? {
        made = engine.copy(&x)?;
    }
    Ok(made.into())
}

fn item(call: &mut Call<'_>) -> Outcome {
    let (engine, x) = (call.engine(), call.tensor("x")?);
    let index: Vec<i64> = match call.rest() {
        [] => {
            if x.elem_count() != 1 {
                let words = "can only convert an array of size 1 to a Python scalar";
                return Err(call.fault_at("x", Fault::value_error(words)));
            }
            return Ok(engine.item(&x)?.into());
        }
        arguments => {
            let mut index = Vec::new();
            for argument in arguments {
                index.extend(crate::interp::convert::integers(engine, &argument.value)?);
            }
            index
        }
    };
    let element = match index[..] {
        [place] if x.rank() != 1 => {
            let flat = engine.reshape(&x, &[x.elem_count() as i64])?;
            engine.index(&flat, &[IndexItem::Int(place)])?
        }
        _ if index.len() != x.rank() => {
            return Err(Fault::value_error("incorrect number of indices for array"));
        }
        _ => {
            let items: Vec<IndexItem> = index.iter().map(|place| IndexItem::Int(*place)).collect();
            engine.index(&x, &items)?
        }
    };
    Ok(engine.item(&element)?.into())
}

/// The next elements as lists of lists.
fn nested(
    pace: &mut room::Pace<'_>,
    values: &mut impl Iterator<Item = Scalar>,
    shape: &[usize],
) -> Outcome {
    pace.step(0)?;
    match shape.split_first() {
        None => Ok(values.next().map_or(Value::None, Value::from)),
        Some((extent, inner)) => {
            let parts = (0..*extent).map(|_| nested(pace, values, inner));
            Ok(Value::list(parts.collect::<Result<_, _>>()?))
        }
    }
}

type Place = (std::sync::Arc<crate::device::Storage>, Layout);

/// Where the elements lie; computes them if that was not done yet.
fn layout(call: &Call<'_>, x: &Tensor) -> Result<Place, Fault> {
    call.engine().realize(&[x])?;
    x.storage_and_layout()
        .ok_or_else(|| Fault::new(ErrorKind::Runtime, "the tensor has no storage"))
}

/// Exact for any two views: the touched elements of one are compared with those of the other,
/// unless their ranges already part them.
fn shares(call: &Call<'_>, x: &Tensor, y: &Tensor) -> Result<bool, Fault> {
    if x.is_same(y) {
        return Ok(x.elem_count() > 0);
    }
    let Some((first, second)) = meet(call, x, y)? else { return Ok(false) };
    let (small, large) =
        if first.elem_count() <= second.elem_count() { (first, second) } else { (second, first) };
    Ok(places(&small).iter().any(|place| reaches(&large, *place, large.offset as isize, 0)))
}

/// Both layouts where the stretches of memory overlap that they touch, in elements of one size.
fn meet(call: &Call<'_>, x: &Tensor, y: &Tensor) -> Result<Option<(Layout, Layout)>, Fault> {
    let ((a, mut first), (b, mut second)) = (layout(call, x)?, layout(call, y)?);
    let (size, other) = (x.dtype().size(), y.dtype().size());
    if size != other {
        (first, second) = (in_bytes(first, size), in_bytes(second, other));
    }
    let (own, theirs) = (first.extent(), second.extent());
    let is_apart = own.start.max(theirs.start) >= own.end.min(theirs.end);
    Ok((a.is_with(&b) && !is_apart).then_some((first, second)))
}

/// The same, each element as so many bytes.
fn in_bytes(mut layout: Layout, size: usize) -> Layout {
    layout.offset *= size;
    layout.strides.iter_mut().for_each(|stride| *stride *= size as isize);
    layout.shape = layout.shape.iter().copied().chain([size]).collect();
    layout.strides.push(1);
    layout
}

/// Every element of the storage that a layout touches.
fn places(layout: &Layout) -> Vec<isize> {
    let mut places = vec![layout.offset as isize];
    for (extent, stride) in layout.shape.iter().zip(&layout.strides) {
        if *stride != 0 {
            places = (0..*extent as isize)
                .flat_map(|step| places.iter().map(move |place| place + step * stride))
                .collect();
        }
    }
    places
}

/// Whether a layout touches an element: each axis must leave a rest that the ones behind can make.
fn reaches(layout: &Layout, place: isize, at: isize, axis: usize) -> bool {
    if axis == layout.rank() {
        return place == at;
    }
    let (stride, extent) = (layout.strides[axis], layout.shape[axis] as isize);
    let (mut low, mut high) = (at, at);
    for (extent, stride) in layout.shape.iter().zip(&layout.strides).skip(axis) {
        let reach = (*extent as isize - 1) * stride;
        low += reach.min(0);
        high += reach.max(0);
    }
    if place < low || place > high {
        return false;
    }
    if stride == 0 {
        return reaches(layout, place, at, axis + 1);
    }
    (0..extent).any(|step| reaches(layout, place, at + step * stride, axis + 1))
}

fn fill(call: &Call<'_>) -> Result<(), Fault> {
    let x = super::pick::target(call)?;
    let value = call.stored_in("value", &x)?;
    Ok(call.last_write(|| call.engine().assign_all(&x, value))?)
}

fn fresh(call: &mut Call<'_>, value: Option<Scalar>) -> Outcome {
    let (engine, x, shape) = (call.engine(), call.tensor("x")?, call.shape("shape")?);
    let dtype = call.dtype("dtype")?.unwrap_or(x.dtype());
    let device = call.device("device")?.unwrap_or_else(|| x.device().clone());
    let made = match value {
        Some(value) => engine.full(&shape, value, dtype)?,
        None => engine.empty(&shape, dtype)?,
    };
    Ok(engine.to_device(&made, &device)?.into())
}
