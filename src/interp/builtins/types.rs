//! Questions about types and values, and the clock.

use super::{Builtin, Call};
use crate::diag::Fault;
use crate::dtype::{Class, DType, Kind, Scalar, common_type, promote};
use crate::interp::value::{Type, Value};

pub const BUILTINS: &[Builtin] = &[
    Builtin::new("result_type(*arrays_and_dtypes)", result_type)
        .doc("The type in which these meet: tensors, dtypes or names, and Python numbers, which are weak.")
        .example("result_type(int8, float32)"),
    Builtin::new("promote_types(type1, type2)", |call| {
        let (a, b) = (named(call, "type1")?, named(call, "type2")?);
        Ok(Value::DType(promote(a, b)))
    })
    .doc("The type in which two types meet.")
    .example("promote_types(int16, uint8)"),
    Builtin::new("can_cast(from_, to, casting='safe')", |call| {
        let from = match call.value("from_") {
            Value::Tensor(tensor) => tensor.dtype(),
            _ => named(call, "from_")?,
        };
        let to = named(call, "to")?;
        Ok(Value::Bool(call.casting()?.allows(from, to)))
    })
    .doc("Whether one type may become another by a rule: no value is lost by 'safe', the kind kept by 'same_kind'.")
    .example("can_cast(int32, int64)"),
    Builtin::new("finfo(dtype)", |call| {
        let dtype = type_or_own(call, "dtype")?.part();
        let Some(format) = dtype.format() else {
            let words = format!("data type <class 'numpy.{dtype}'> not inexact");
            return Err(call.fault_at("dtype", Fault::value_error(words)));
        };
        let power = |exponent: i32| Value::Float(2f64.powi(exponent));
        let whole = |number: i32| Value::Int(number.into());
        let precision = format.precision();
        let figures = Value::dict([
            ("dtype", Value::DType(dtype)),
            ("bits", Value::Int(8 * dtype.size() as i64)),
            ("eps", power(-format.fraction)),
            ("epsneg", power(-format.fraction - 1)),
            ("max", Value::Float(format.max)),
            ("min", Value::Float(-format.max)),
            ("tiny", power(format.least())),
            ("smallest_normal", power(format.least())),
            ("smallest_subnormal", Value::Float(2f64.powi(format.least()) * 2f64.powi(-format.fraction))),
            ("resolution", Value::Float(format!("1e-{precision}").parse().unwrap_or(0.0))),
            ("precision", whole(precision)),
            ("nmant", whole(format.fraction)),
            ("nexp", whole(format.exponent)),
            ("iexp", whole(format.exponent)),
            ("machep", whole(-format.fraction)),
            ("negep", whole(-format.fraction - 1)),
            ("minexp", whole(format.least())),
            ("maxexp", whole(1 << (format.exponent - 1))),
        ]);
        call.evaluator.call_written("_limits", [Value::str("finfo"), figures])
    })
    .doc("The limits of a float type: bits, eps, max, min, tiny and all of NumPy's other figures.")
    .example("finfo(float32).eps"),
    Builtin::new("iinfo(int_type)", |call| {
        let dtype = type_or_own(call, "int_type")?;
        match dtype.integer_range().filter(|_| dtype.is_integer()) {
            Some((low, high)) => {
                let figures = Value::dict([
                    ("dtype", Value::DType(dtype)),
                    ("kind", Value::str(dtype.kind().letter())),
                    ("key", Value::str(format!("{}{}", dtype.kind().letter(), 8 * dtype.size()))),
                    ("bits", Value::Int(8 * dtype.size() as i64)),
                    ("min", integer(low)),
                    ("max", integer(high)),
                ]);
                call.evaluator.call_written("_limits", [Value::str("iinfo"), figures])
            }
            None => {
                let words = format!("Invalid integer data type '{}'.", dtype.kind().letter());
                Err(call.fault_at("int_type", Fault::value_error(words)))
            }
        }
    })
    .doc("The limits of an integer type: bits, min, max.")
    .example("iinfo(int8).max"),
    Builtin::new("issubdtype(arg1, arg2)", |call| {
        let answer = match (class(call.value("arg1")), class(call.value("arg2"))) {
            (Some(class), Some(kind)) => class.is_a(kind),
            (Some(_), None) => false,
            (None, Some(kind)) => kind.holds(named(call, "arg1")?),
            (None, None) => named(call, "arg1")? == named(call, "arg2")?,
        };
        Ok(Value::Bool(answer))
    })
    .doc("Whether a type is of a class, `np.integer`, `np.floating`, `np.number`, or is a type.")
    .example("issubdtype(int8, np.integer)"),
    Builtin::new("isdtype(dtype, kind)", |call| {
        let (dtype, kind) = (named(call, "dtype")?, call.value("kind").clone());
        Ok(Value::Bool(is_dtype(call, dtype, &kind)?))
    })
    .doc(
        "Whether a type is of a kind of the Array API: 'bool', 'signed integer', 'unsigned integer', 'integral', \
         'real floating', 'complex floating', 'numeric', a type, or one of a tuple of these.",
    )
    .example("isdtype(float32, ('integral', 'real floating'))"),
    Builtin::new("min_scalar_type(a)", |call| {
        let found = match call.value("a") {
            Value::Tensor(tensor) if tensor.rank() > 0 => return Ok(Value::DType(tensor.dtype())),
            Value::Tensor(tensor) if tensor.dtype().is_float() => {
                let found = least_type(call.engine().item(tensor)?);
                if found.size() < tensor.dtype().size() { found } else { tensor.dtype() }
            }
            Value::Tensor(tensor) => least_type(call.engine().item(tensor)?),
            value => match value.number() {
                Some(scalar) => least_type(scalar),
                None => call.tensor("a")?.dtype(),
            },
        };
        Ok(Value::DType(found))
    })
    .doc("The smallest type that holds a number; of a tensor with axes its type.")
    .example("min_scalar_type(300)"),
    Builtin::new("isscalar(element)", |call| {
        if let Value::Object(_) = call.value("element") {
            return super::forms::written(call, "_is_number");
        }
        let is_scalar = match call.value("element") {
            Value::Str(_) => true,
            Value::Tensor(tensor) => tensor.is_scalar(),
            other => other.number().is_some() || crate::interp::object::bytes::Bytes::of(other).is_some(),
        };
        Ok(Value::Bool(is_scalar))
    })
    .doc("Whether a value is a number or a string: one of Python's, or an object of a class of `numbers`.")
    .example("isscalar(3.5)"),
    Builtin::new("iscomplexobj(x)", |call| Ok(Value::Bool(call.tensor("x")?.dtype().is_complex())))
        .aliases(&["is_complex"])
        .doc("Whether the elements are of a complex type, whatever their imaginary parts are.")
        .example("iscomplexobj(zeros(2, dtype=complex64))"),
    Builtin::new("isrealobj(x)", |call| Ok(Value::Bool(!call.tensor("x")?.dtype().is_complex())))
        .doc("Whether the elements are of a real type.")
        .example("isrealobj(zeros(2))"),
    Builtin::new("is_tensor(obj)", |call| Ok(Value::Bool(matches!(call.value("obj"), Value::Tensor(_)))))
        .doc("Whether a value is a tensor.")
        .example("is_tensor([1, 2])"),
    Builtin::new("is_floating_point(x)", |call| Ok(Value::Bool(call.tensor("x")?.dtype().is_float())))
        .doc("Whether the elements are floats.")
        .example("is_floating_point(zeros(2))")
        .method(),
    Builtin::new("get_default_dtype()", |call| Ok(Value::DType(call.engine().default_float())))
        .doc("The type of new floats.")
        .example("get_default_dtype()"),
    Builtin::new("set_default_dtype(dtype)", |call| {
        let dtype = named(call, "dtype")?;
        if !dtype.is_float() {
            let words = format!("only floating-point types are supported as the default type, found {dtype}");
            return Err(call.fault_at("dtype", Fault::type_error(words)));
        }
        call.engine().set_default_float(dtype);
        Ok(Value::None)
    })
    .doc("Sets the type of new floats, as `:set default_float` does.")
    .example("set_default_dtype(float32)"),
];

fn named(call: &Call<'_>, key: &'static str) -> Result<DType, Fault> {
    let dtype = match call.value(key) {
        Value::Tensor(tensor) => Some(tensor.dtype()),
        _ => call.dtype(key)?,
    };
    dtype.ok_or_else(|| call.wrong_type(key, "a dtype"))
}

/// As [`named`]; a Python number stands for the type that it has as a tensor of double precision.
fn type_or_own(call: &Call<'_>, key: &'static str) -> Result<DType, Fault> {
    match call.value(key) {
        Value::Int(_) => Ok(DType::I64),
        Value::Float(_) => Ok(DType::F64),
        Value::Complex(_) => Ok(DType::C128),
        _ => named(call, key),
    }
}

/// The class that a value names.
fn class(value: &Value) -> Option<Class> {
    match value {
        Value::Type(Type::Scalars(class)) => Some(*class),
        Value::Str(name) => Class::from_name(name),
        _ => None,
    }
}

fn is_dtype(call: &Call<'_>, dtype: DType, kind: &Value) -> Result<bool, Fault> {
    let class = match kind {
        Value::Tuple(kinds) => {
            for kind in kinds.iter().filter(|kind| !matches!(kind, Value::Tuple(_))) {
                if is_dtype(call, dtype, kind)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        Value::Str(name) => match &**name {
            "bool" => return Ok(dtype == DType::Bool),
            "signed integer" => Class::SignedInteger,
            "unsigned integer" => Class::UnsignedInteger,
            "integral" => Class::Integer,
            "real floating" => Class::Floating,
            "complex floating" => Class::ComplexFloating,
            "numeric" => Class::Number,
            name => {
                let fault = Fault::value_error(format!(
                    "kind argument is a string, but '{name}' is not a known kind name."
                ));
                return Err(call.fault_at("kind", fault));
            }
        },
        _ => match class(kind) {
            Some(class) => class,
            None => return Ok(crate::interp::convert::dtype(call.engine(), kind)? == dtype),
        },
    };
    Ok(class.holds(dtype))
}

/// The smallest type that holds a number; of floats by their range alone.
fn least_type(scalar: Scalar) -> DType {
    let holds = |dtype: &DType| match scalar {
        Scalar::Bool(_) => *dtype == DType::Bool,
        Scalar::Int(_) | Scalar::Wide(_) => {
            let kind = if scalar.as_i128() < 0 { Kind::Signed } else { Kind::Unsigned };
            let range = dtype.integer_range().filter(|_| dtype.kind() == kind);
            range.is_some_and(|(low, high)| (low..=high).contains(&scalar.as_i128()))
        }
        Scalar::Complex(value) => {
            let fits = |part: f64| {
                let format = dtype.part().format();
                format.is_some_and(|format| !part.is_finite() || part.abs() <= format.max)
            };
            dtype.is_complex() && fits(value.re) && fits(value.im)
        }
        Scalar::Float(value) => {
            [DType::F16, DType::F32, DType::F64].contains(dtype)
                && dtype
                    .format()
                    .is_some_and(|format| !value.is_finite() || value.abs() <= format.max)
        }
    };
    DType::ALL.into_iter().find(holds).expect("the widest type of a kind holds all of it")
}

fn integer(number: i128) -> Value {
    Scalar::from_i128(number).expect("a type holds it").into()
}

fn result_type(call: &mut Call<'_>) -> Result<Value, Fault> {
    let engine = call.engine();
    let (mut strong, mut weak): (Option<DType>, Vec<Scalar>) = (None, Vec::new());
    for argument in call.rest() {
        let dtype = match &argument.value {
            Value::Tensor(tensor) => tensor.dtype(),
            value => match value.number() {
                Some(scalar) => {
                    weak.push(scalar);
                    continue;
                }
                None if matches!(value, Value::None) => engine.default_float(),
                None => crate::interp::convert::dtype(engine, value)?,
            },
        };
        strong = Some(strong.map_or(dtype, |other| promote(other, dtype)));
    }
    let default = engine.default_float();
    let folded = match strong {
        Some(dtype) => {
            weak.iter().fold(dtype, |dtype, scalar| common_type(dtype, *scalar, default))
        }
        None => weak
            .iter()
            .map(|scalar| scalar.dtype(default))
            .reduce(promote)
            .ok_or_else(|| Fault::value_error("at least one array or dtype is required"))?,
    };
    Ok(Value::DType(folded))
}
