//! The forms in which the library's calls come: one operand, two operands, a result that goes into
//! `out`, new tensors on a device. The tables of the other files are written in these forms.

use smallvec::SmallVec;

use super::Call;
use super::options::Casting;
use crate::diag::Fault;
use crate::dtype::{DType, Scalar, common_type, comparable, promote};
use crate::interp::value::Value;
use crate::layout::Shape;
use crate::tensor::{
    BinaryOp, CompareOp, Engine, Error, IndexItem, Operand, ScanOp, ScatterOp, Tensor, UnaryOp,
};

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
/// ValueError where `out` has another shape, TypeError where it is none of NumPy's arrays or the
/// function does not write into its type ([`super::out::check`]).
pub fn give(call: &Call<'_>, result: Tensor) -> Outcome {
    let out = call.value("out").clone();
    give_to(call, result, &out, super::out::check, false)
}

/// The same of an elementwise function, whose operands spread over all of `out`. Where its `where` is
/// not true `out` stays as it is, and is zero if it is new.
///
/// # Errors
/// As [`give`], but for a shape that the result broadcasts to; TypeError where `where` holds no bools.
pub fn give_spread(call: &Call<'_>, result: Tensor) -> Outcome {
    let out = call.value("out").clone();
    spread_into(call, result, &out)
}

/// The two results of an elementwise function, each by itself or in one of the tensors of the pair `out`.
///
/// # Errors
/// As [`give_spread`], and TypeError where `out` is no pair.
pub fn give_both(call: &Call<'_>, results: [Tensor; 2]) -> Outcome {
    let outs = match call.value("out") {
        Value::None => [Value::None, Value::None],
        Value::Tuple(pair) if pair.len() == 2 => [pair[0].clone(), pair[1].clone()],
        _ => {
            let words = "'out' must be a tuple of arrays";
            return Err(call.fault_at("out", Fault::type_error(words)));
        }
    };
    let given = results.into_iter().zip(outs).map(|(result, out)| spread_into(call, result, &out));
    Ok(Value::tuple(given.collect::<Result<Vec<_>, _>>()?))
}

fn spread_into(call: &Call<'_>, mut result: Tensor, out: &Value) -> Outcome {
    if let Some(mask) = mask(call)? {
        result = match out {
            Value::Tensor(out) if casting(call)?.allows(result.dtype(), out.dtype()) => {
                let result = call.engine().cast(&result, out.dtype())?;
                call.engine().select(&mask, &result, out)?
            }
            // A zero of any type: a bool gives way to the others.
            _ => call.engine().select(&mask, &result, Scalar::Bool(false))?,
        };
    }
    give_to(call, result, out, check_kind, true)
}

fn give_to(
    call: &Call<'_>,
    result: Tensor,
    out: &Value,
    check_type: impl FnOnce(&Call<'_>, DType, DType) -> Result<(), Fault>,
    is_spread: bool,
) -> Outcome {
    let out = match out {
        Value::None => return Ok(result.into()),
        Value::Tensor(out) if !out.is_scalar() => {
            out.check_writable_as("output array").map_err(|error| call.fault_at("out", error))?;
            out.clone()
        }
        // NumPy takes a tuple of one, too.
        Value::Tuple(one) if one.len() == 1 => {
            return give_to(call, result, &one[0], check_type, is_spread);
        }
        Value::Tensor(_) => {
            let fault = Fault::type_error("return arrays must be of ArrayType");
            let hint = "a scalar does not change: give an array, `array(…)`";
            return Err(call.fault_at("out", fault.with_hint(hint)));
        }
        _ => return Err(call.wrong_type("out", "a tensor")),
    };
    super::out::check_shape(call, result.shape(), out.shape(), is_spread)?;
    check_type(call, result.dtype(), out.dtype())?;
    call.last_write(|| call.engine().assign_all(&out, result))?;
    Ok(out.into())
}

fn check_kind(call: &Call<'_>, from: DType, to: DType) -> Result<(), Fault> {
    let rule = casting(call)?;
    if rule.allows(from, to) {
        return Ok(());
    }
    let fault = Fault::type_error(format!(
        "Cannot cast ufunc '{}' output from dtype('{from}') to dtype('{to}') with casting rule '{}'",
        call.name(),
        rule.name()
    ));
    Err(call.fault_at("out", fault))
}

/// Whether NumPy's same-kind rule lets one type become the other without being asked.
pub fn same_kind(from: DType, to: DType) -> bool {
    Casting::SameKind.allows(from, to)
}

/// The rule that the call names, or NumPy's for functions that are not asked.
fn casting(call: &Call<'_>) -> Result<Casting, Fault> {
    match call.function.signature().position("casting") {
        Some(at) if call.given(at) => call.casting(),
        _ => Ok(Casting::SameKind),
    }
}

/// The type in which `dtype` or `signature` ask an elementwise function to work.
fn asked_dtype(call: &Call<'_>, operands: usize) -> Result<Option<DType>, Fault> {
    if call.arguments() <= operands {
        return Ok(None);
    }
    let dtype = match call.dtype("dtype")? {
        None => types_of_signature(call)?,
        dtype => dtype,
    };
    if let Some(dtype) = dtype {
        check_inputs(call, operands, dtype)?;
    }
    Ok(dtype)
}

/// The type that `signature` names: in letters, `'dd->d'`, or as a tuple of types, of which some may be None.
fn types_of_signature(call: &Call<'_>) -> Result<Option<DType>, Fault> {
    let key = "signature";
    if call.function.signature().position(key).is_none() {
        return Ok(None);
    }
    let named: Vec<Value> = match call.value(key) {
        Value::None => return Ok(None),
        Value::Str(text) => {
            text.replace("->", "").chars().map(|c| Value::str(c.to_string())).collect()
        }
        Value::Tuple(types) => {
            types.iter().filter(|one| !matches!(one, Value::None)).cloned().collect()
        }
        _ => {
            let words = "the signature object to ufunc must be a string or a tuple.";
            return Err(call.fault_at(key, Fault::type_error(words)));
        }
    };
    let types = named.iter().map(|one| crate::interp::convert::dtype(call.engine(), one));
    let types = types.collect::<Result<Vec<_>, _>>().map_err(|fault| call.fault_at(key, fault))?;
    match types.split_first() {
        Some((first, rest)) if rest.iter().all(|one| one == first) => Ok(Some(*first)),
        None => Ok(None),
        _ => Err(no_loop(call, key)),
    }
}

/// Of a type that the call asks for and its function does not compute in.
#[cold]
pub fn no_loop(call: &Call<'_>, key: &'static str) -> Fault {
    let name = call.name().split('.').next().unwrap_or_default().replace("true_divide", "divide");
    let words = "No loop matching the specified signature and casting was found for ufunc";
    call.fault_at(key, Fault::type_error(format!("{words} {name}")))
}

/// # Errors
/// TypeError where the call's rule does not let an operand become the type in which the function works.
fn check_inputs(call: &Call<'_>, operands: usize, to: DType) -> Result<(), Fault> {
    let rule = casting(call)?;
    for at in 0..operands {
        let from = match call.value(at) {
            Value::Tensor(x) => x.dtype(),
            value => match value.scalar() {
                // A Python number has a kind, and no size.
                Some(number) if number.dtype(call.engine().default_float()).kind() <= to.kind() => {
                    continue;
                }
                Some(number) => number.dtype(call.engine().default_float()),
                None => call.tensor(at)?.dtype(),
            },
        };
        if !rule.allows(from, to) {
            let place = if operands > 1 { format!(" {at}") } else { String::new() };
            let words = format!(
                "Cannot cast ufunc '{}' input{place} from dtype('{from}') to dtype('{to}') with casting rule '{}'",
                call.name(),
                rule.name()
            );
            return Err(call.fault_at(at, Fault::type_error(words)));
        }
    }
    Ok(())
}

/// # Errors
/// TypeError where the function gives another type than the one in which it was asked to work.
fn check_loop(call: &Call<'_>, operands: usize, made: DType) -> Result<(), Fault> {
    let asked = if call.arguments() > operands { call.dtype("dtype")? } else { None };
    match asked {
        Some(asked) if asked != made => Err(no_loop(call, "dtype")),
        _ => Ok(()),
    }
}

/// What `check_inputs` looks at, where nothing but `casting` was given.
fn check_rule(call: &Call<'_>, operands: usize, to: DType) -> Result<(), Fault> {
    let is_given = call.arguments() > operands
        && call.function.signature().position("casting").is_some_and(|at| call.given(at));
    if is_given { check_inputs(call, operands, to) } else { Ok(()) }
}

/// A function of one tensor, with `out` and `dtype`.
pub fn unary(call: &Call<'_>, run: impl FnOnce(&Engine, &Tensor) -> Made) -> Outcome {
    let result = run(call.engine(), &tensor_in_dtype(call)?)?;
    check_loop(call, 1, result.dtype())?;
    check_rule(call, 1, result.dtype())?;
    give_spread(call, result)
}

/// The operand of a function of one tensor, in the type that the call names.
///
/// # Errors
/// TypeError where it does not become that by the call's rule.
pub fn tensor_in_dtype(call: &Call<'_>) -> Result<Tensor, Fault> {
    call.tensor_in(0usize, asked_dtype(call, 1)?)
}

/// A function of one tensor that gives bools, which is the one type that it can be asked for.
pub fn test(call: &Call<'_>, run: impl FnOnce(&Engine, &Tensor) -> Made) -> Outcome {
    check_bools(call, 1)?;
    give_spread(call, run(call.engine(), &call.tensor(0usize)?)?)
}

/// The same of two operands.
pub fn test_both(call: &Call<'_>, run: impl FnOnce(&Engine, Operand, Operand) -> Made) -> Outcome {
    check_bools(call, 2)?;
    let [x, y] = call.operands([0usize, 1])?;
    check_rule(call, 2, common(call.engine(), &[x.clone(), y.clone()]))?;
    give_spread(call, run(call.engine(), x, y)?)
}

fn check_bools(call: &Call<'_>, operands: usize) -> Result<(), Fault> {
    if call.arguments() <= operands {
        return Ok(());
    }
    match call.dtype("dtype")? {
        None | Some(DType::Bool) => Ok(()),
        Some(_) => Err(no_loop(call, "dtype")),
    }
}

pub fn unary_op(call: &Call<'_>, op: UnaryOp) -> Outcome {
    unary(call, |engine, x| engine.unary(op, x))
}

/// What `where` names, of a function that has this parameter: nothing where it is true for all.
pub fn mask(call: &Call<'_>) -> Result<Option<Tensor>, Fault> {
    let has_mask = call.function.signature().position("where").is_some();
    if !has_mask || matches!(call.value("where"), Value::Bool(true)) {
        return Ok(None);
    }
    let mask = call.tensor("where")?;
    // A list's elements become bools, an array's don't.
    if mask.dtype() != DType::Bool && !matches!(call.value("where"), Value::Tensor(_)) {
        return Ok(Some(call.engine().cast(&mask, DType::Bool)?));
    }
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
        y = call.engine().select(&mask, tensor, Scalar::Bool(true))?.into();
    }
    let result = run(call.engine(), x, y)?;
    check_loop(call, 2, result.dtype())?;
    check_rule(call, 2, result.dtype())?;
    give_spread(call, result)
}

/// The operands of a function of two, in the type that the call names.
///
/// # Errors
/// TypeError where they do not become that by the call's rule.
pub fn operands_in_dtype(call: &Call<'_>) -> Result<(Operand, Operand), Fault> {
    let Some(dtype) = asked_dtype(call, 2)? else {
        return call.operands([0usize, 1]).map(Into::into);
    };
    Ok((call.tensor_of(0usize, dtype)?.into(), call.tensor_of(1usize, dtype)?.into()))
}

pub fn binary_op(call: &Call<'_>, op: BinaryOp) -> Outcome {
    binary(call, |engine, x, y| engine.binary(op, x, y))
}

pub fn compare_op(call: &Call<'_>, op: CompareOp) -> Outcome {
    test_both(call, |engine, x, y| engine.compare(op, x, y))
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

/// The tensor itself; TypeError for complex numbers, which the function does not take.
pub fn real<'a>(function: &str, x: &'a Tensor) -> Result<&'a Tensor, Error> {
    if x.dtype().is_complex() {
        return Err(crate::tensor::no_loop(function, x.dtype()));
    }
    Ok(x)
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
    engine.on_device(device, || run(engine))
}

/// Hands the values of all parameters to a function that is written in the language.
pub fn written(call: &Call<'_>, name: &str) -> Outcome {
    let count = call.function.signature().parameters.len();
    call.evaluator.call_written(name, (0..count).map(|at| call.value(at).clone()))
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

/// Whose turn each of `total` elements is, where each place has as many turns as its count says.
pub fn turns(engine: &Engine, counts: &[i64], total: usize) -> Made {
    // Where a turn ends the next one begins: as many as have ended by then.
    let ends =
        engine.scan(ScanOp::Sum, &positions(engine, counts.iter().copied())?, Some(0), None)?;
    let shape = Shape::from([total.saturating_add(1)]);
    let ended = engine.copy(&engine.full(&shape, Scalar::Int(0), DType::I64)?)?;
    engine.scatter(ScatterOp::Add, &ended, &[IndexItem::Tensor(ends)], Scalar::Int(1))?;
    engine.scan(ScanOp::Sum, &engine.narrow(&ended, 0, 0, total, 1)?, Some(0), None)
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
