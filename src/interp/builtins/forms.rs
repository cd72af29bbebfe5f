//! The forms in which the library's calls come: one operand, two operands, a result that goes into
//! `out`, new tensors on a device. The tables of the other files are written in these forms.

use smallvec::SmallVec;

use super::Call;
use crate::diag::{ErrorKind, Fault};
use crate::dtype::{DType, Kind, Scalar, common_type, comparable, promote};
use crate::interp::value::Value;
use crate::layout::{Layout, Shape};
use crate::tensor::{BinaryOp, CompareOp, Engine, Error, Operand, Tensor, UnaryOp};

/// Rows of functions of one form, which are methods and methods in place too: their parameters and
/// the form, then for each its name, its aliases, what the form takes, its words and its example.
macro_rules! rows {
    (
        $parameters:literal $form:ident;
        $($name:literal $aliases:tt $what:expr, $doc:literal $example:literal)*
    ) => {
        &[$(
            Builtin::new(concat!($name, $parameters), |call| $form(call, $what))
                .aliases(&$aliases)
                .doc($doc)
                .example($example)
                .method()
                .in_place(),
        )*]
    };
}
pub(super) use rows;

pub type Made = Result<Tensor, Error>;
pub type Outcome = Result<Value, Fault>;

/// Hands a result over: by itself, or written into the tensor that `out` names. For functions with
/// a parameter `out`.
///
/// # Errors
/// ValueError where `out` has another shape, TypeError where it is none of NumPy's arrays or its type
/// is of a lower kind.
pub fn give(call: &Call<'_>, result: Tensor) -> Outcome {
    give_to(call, result, |result, out| result == out)
}

/// The same of an elementwise function, whose operands spread over all of `out`. Where its `where` is
/// not true `out` stays as it is, and is zero if it is new.
///
/// # Errors
/// As [`give`], but for a shape that the result broadcasts to; TypeError where `where` holds no bools.
pub fn give_spread(call: &Call<'_>, mut result: Tensor) -> Outcome {
    if let Some(mask) = mask(call)? {
        result = match call.value("out").clone() {
            Value::Tensor(out) if same_kind(result.dtype(), out.dtype()) => {
                let result = call.engine().cast(&result, out.dtype())?;
                call.engine().select(&mask, &result, &out)?
            }
            _ => call.engine().select(&mask, &result, Scalar::Int(0))?,
        };
    }
    give_to(call, result, |result, out| {
        result == out || Layout::contiguous(result.clone()).broadcast_to(out).is_ok()
    })
}

fn give_to(call: &Call<'_>, result: Tensor, fits: impl FnOnce(&Shape, &Shape) -> bool) -> Outcome {
    if call.is_none("out") {
        return Ok(result.into());
    }
    let out = match call.value("out").clone() {
        Value::Tensor(out) if !out.is_scalar() => {
            out.check_writable().map_err(|error| call.fault_at("out", error))?;
            out
        }
        Value::Tensor(_) => {
            let fault = Fault::type_error("return arrays must be of ArrayType");
            let hint = "a scalar does not change: give an array, `array(…)`";
            return Err(call.fault_at("out", fault.with_hint(hint)));
        }
        _ => return Err(call.wrong_type("out", "a tensor")),
    };
    if !fits(result.shape(), out.shape()) {
        let fault = Fault::new(
            ErrorKind::Shape,
            format!(
                "non-broadcastable output operand with shape {:#} doesn't match the broadcast shape {:#}",
                out.shape(),
                result.shape()
            ),
        );
        return Err(call.fault_at("out", fault));
    }
    if !same_kind(result.dtype(), out.dtype()) {
        let fault = Fault::type_error(format!(
            "Cannot cast ufunc '{}' output from dtype('{}') to dtype('{}') with casting rule 'same_kind'",
            call.name(),
            result.dtype(),
            out.dtype()
        ));
        return Err(call.fault_at("out", fault));
    }
    call.last_write(|| call.engine().assign_all(&out, result))?;
    Ok(out.into())
}

/// Whether NumPy's same-kind rule lets one type become the other without being asked.
pub fn same_kind(from: DType, to: DType) -> bool {
    from.kind() <= to.kind() && !(to.kind() == Kind::Unsigned && from.kind() == Kind::Signed)
}

/// A function of one tensor, with `out` and `dtype`.
pub fn unary(call: &Call<'_>, run: impl FnOnce(&Engine, &Tensor) -> Made) -> Outcome {
    let result = run(call.engine(), &tensor_in_dtype(call)?)?;
    give_spread(call, result)
}

fn tensor_in_dtype(call: &Call<'_>) -> Result<Tensor, Fault> {
    call.tensor_in(0usize, call.dtype("dtype")?)
}

pub fn unary_op(call: &Call<'_>, op: UnaryOp) -> Outcome {
    unary(call, |engine, x| engine.unary(op, x))
}

/// What `where` names, of a function that has this parameter: nothing where it is true for all.
fn mask(call: &Call<'_>) -> Result<Option<Tensor>, Fault> {
    let has_mask = call.function.signature().position("where").is_some();
    if !has_mask || matches!(call.value("where"), Value::Bool(true)) {
        return Ok(None);
    }
    let mask = call.tensor("where")?;
    if mask.dtype() != DType::Bool {
        let words = format!(
            "Cannot cast array data from dtype('{}') to dtype('bool') according to the rule 'safe'",
            mask.dtype()
        );
        return Err(call.fault_at("where", Fault::type_error(words)));
    }
    Ok(Some(mask))
}

/// A function of two operands, with `out` and `dtype`.
pub fn binary(call: &Call<'_>, run: impl FnOnce(&Engine, Operand, Operand) -> Made) -> Outcome {
    let (x, mut y) = operands_in_dtype(call)?;
    if let (Some(mask), Operand::Tensor(tensor)) = (mask(call)?, &y) {
        // What is left out has no errors: nothing is divided by its zeros.
        y = call.engine().select(&mask, tensor, Scalar::Int(1))?.into();
    }
    let result = run(call.engine(), x, y)?;
    give_spread(call, result)
}

fn operands_in_dtype(call: &Call<'_>) -> Result<(Operand, Operand), Fault> {
    let Some(dtype) = call.dtype("dtype")? else {
        return call.operands([0usize, 1]).map(Into::into);
    };
    Ok((call.tensor_of(0usize, dtype)?.into(), call.tensor_of(1usize, dtype)?.into()))
}

pub fn binary_op(call: &Call<'_>, op: BinaryOp) -> Outcome {
    binary(call, |engine, x, y| engine.binary(op, x, y))
}

pub fn compare_op(call: &Call<'_>, op: CompareOp) -> Outcome {
    let [x, y] = call.operands([0usize, 1])?;
    give_spread(call, call.engine().compare(op, x, y)?)
}

/// The operands in the type in which they meet, not yet broadcast. Python numbers are weak beside
/// tensors.
pub fn meet<const N: usize>(engine: &Engine, operands: [Operand; N]) -> Result<[Tensor; N], Error> {
    let dtype = common(engine, &operands);
    let made: Result<Vec<Tensor>, Error> =
        operands.into_iter().map(|x| as_type(engine, x, dtype)).collect();
    Ok(made?.try_into().expect("one tensor for each operand"))
}

/// Two tensors in the type in which their elements are compared.
pub fn compared(engine: &Engine, x: &Tensor, y: &Tensor) -> Result<(Tensor, Tensor), Error> {
    let dtype = comparable(x.dtype(), y.dtype());
    Ok((engine.cast(x, dtype)?, engine.cast(y, dtype)?))
}

/// An operand as a tensor of `dtype`.
pub fn as_type(engine: &Engine, x: Operand, dtype: DType) -> Made {
    match x {
        Operand::Tensor(tensor) => engine.cast(&tensor, dtype),
        Operand::Scalar(value) => engine.full(&Shape::scalar(), value, dtype),
    }
}

/// Tensors in the float type in which they meet: the default float where all hold integers or bools.
pub fn as_floats<const N: usize>(
    engine: &Engine,
    tensors: [Tensor; N],
) -> Result<[Tensor; N], Error> {
    let common = tensors.iter().map(Tensor::dtype).reduce(promote);
    let dtype = common.filter(|dtype| dtype.is_inexact()).unwrap_or(engine.default_float());
    let made: Result<Vec<Tensor>, Error> = tensors.iter().map(|x| engine.cast(x, dtype)).collect();
    Ok(made?.try_into().expect("one tensor for each"))
}

/// The tensor, or the same numbers in the default float where it holds integers or bools.
pub fn as_float(engine: &Engine, x: &Tensor) -> Made {
    if x.dtype().is_inexact() { Ok(x.clone()) } else { engine.cast(x, engine.default_float()) }
}

/// Makes tensors on the device that the call names, or on the session's.
pub fn on_device(call: &Call<'_>, run: impl FnOnce(&Engine) -> Made) -> Made {
    let engine = call.engine();
    let Some(device) = call.device("device").map_err(Error::from)? else {
        return run(engine);
    };
    let before = engine.device();
    engine.set_device(device);
    let made = run(engine);
    engine.set_device(before);
    made
}

/// A list of tensors as a value.
pub fn list(tensors: impl IntoIterator<Item = Tensor>) -> Value {
    Value::list(tensors.into_iter().map(Value::from).collect())
}

/// A tuple of tensors as a value.
pub fn tuple(tensors: impl IntoIterator<Item = Tensor>) -> Value {
    Value::tuple(tensors.into_iter().map(Value::from).collect::<Vec<_>>())
}

/// A shape's lengths, as reshaping takes them.
pub fn lengths(shape: &[usize]) -> SmallVec<[i64; 6]> {
    shape.iter().map(|extent| *extent as i64).collect()
}

/// int64 numbers in one row.
pub fn positions(engine: &Engine, values: impl IntoIterator<Item = i64>) -> Made {
    let values: Vec<Scalar> = values.into_iter().map(Scalar::Int).collect();
    from_scalars(engine, &values, &Shape::from([values.len()]), DType::I64)
}

/// Numbers of the program's as a tensor.
pub fn from_scalars(engine: &Engine, values: &[Scalar], shape: &Shape, dtype: DType) -> Made {
    engine.from_values(values, shape, dtype)
}

/// The operand as a tensor of the type that it has by itself.
pub fn to_tensor(engine: &Engine, x: Operand) -> Made {
    engine.to_tensor(x)
}

/// Along `axis`, or all elements in row-major order.
pub fn concatenate(engine: &Engine, tensors: &[Tensor], axis: Option<i64>) -> Made {
    match axis {
        Some(axis) => engine.concatenate(tensors, axis),
        None => {
            let rows: Result<Vec<Tensor>, Error> =
                tensors.iter().map(|x| engine.ravel(x)).collect();
            engine.concatenate(&rows?, 0)
        }
    }
}

/// Along `axis`, or all elements in row-major order.
pub fn sort(engine: &Engine, x: &Tensor, axis: Option<i64>, descending: bool) -> Made {
    match axis {
        Some(axis) => engine.sort(x, axis, descending),
        None => engine.sort(&engine.ravel(x)?, 0, descending),
    }
}

/// The places of the sorted elements, along `axis` or in row-major order.
pub fn argsort(engine: &Engine, x: &Tensor, axis: Option<i64>, descending: bool) -> Made {
    match axis {
        Some(axis) => engine.argsort(x, axis, descending),
        None => engine.argsort(&engine.ravel(x)?, 0, descending),
    }
}

/// The type in which operands meet, Python numbers weak beside tensors.
pub fn common(engine: &Engine, operands: &[Operand]) -> DType {
    let default = engine.default_float();
    let (mut strong, mut weak) = (None, None);
    for operand in operands {
        match operand {
            Operand::Tensor(x) => {
                strong = Some(strong.map_or(x.dtype(), |a| promote(a, x.dtype())))
            }
            Operand::Scalar(x) => {
                let dtype = x.dtype(default);
                weak = Some(weak.map_or((dtype, *x), |(a, scalar)| {
                    let both = promote(a, dtype);
                    (both, if both == a { scalar } else { *x })
                }));
            }
        }
    }
    match (strong, weak) {
        (Some(strong), Some((_, scalar))) => common_type(strong, scalar, default),
        (Some(strong), None) => strong,
        (None, weak) => weak.map_or(default, |(dtype, _)| dtype),
    }
}

/// The elements as numbers of the program's.
pub fn numbers(engine: &Engine, x: &Tensor) -> Result<Vec<f64>, Error> {
    Ok(engine.to_host(x)?.scalars().map(Scalar::as_f64).collect())
}
