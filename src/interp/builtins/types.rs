//! Questions about types and values, and the clock.

use super::{Builtin, Call};
use crate::diag::Fault;
use crate::dtype::{DType, Kind, Scalar, common_type, promote};
use crate::interp::value::Value;

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
        let answer = match call.str("casting")? {
            "no" | "equiv" => from == to,
            "safe" => from.is_safe_in(to),
            "same_kind" => super::forms::same_kind(from, to),
            "unsafe" => true,
            found => {
                let words = format!(
                    "casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe' (got '{found}')"
                );
                return Err(call.fault_at("casting", Fault::value_error(words)));
            }
        };
        Ok(Value::Bool(answer))
    })
    .doc("Whether one type may become another by a rule: no value is lost by 'safe', the kind kept by 'same_kind'.")
    .example("can_cast(int32, int64)"),
    Builtin::new("finfo(dtype)", |call| {
        let dtype = named(call, "dtype")?;
        if !dtype.is_float() {
            let words = format!("data type dtype('{dtype}') not inexact");
            return Err(call.fault_at("dtype", Fault::value_error(words)));
        }
        let (bits, mantissa, lowest) = match dtype {
            DType::F16 => (16, 10, -14),
            DType::BF16 => (16, 7, -126),
            DType::F32 => (32, 23, -126),
            _ => (64, 52, -1022),
        };
        let (low, high) = super::math::float_range(dtype);
        let tiny = Value::Float(2f64.powi(lowest));
        Ok(Value::dict([
            ("dtype", Value::DType(dtype)),
            ("bits", Value::Int(bits)),
            ("eps", Value::Float(2f64.powi(-mantissa))),
            ("max", Value::Float(high)),
            ("min", Value::Float(low)),
            ("tiny", tiny.clone()),
            ("smallest_normal", tiny),
            ("resolution", Value::Float(10f64.powi(-((f64::from(mantissa) * 2f64.log10()) as i32)))),
        ]))
    })
    .doc("The limits of a float type: bits, eps, max, min, tiny.")
    .example("finfo(float32).eps"),
    Builtin::new("iinfo(dtype)", |call| {
        let dtype = named(call, "dtype")?;
        match dtype.integer_range().filter(|_| dtype.is_integer()) {
            Some((low, high)) => Ok(Value::dict([
                ("dtype", Value::DType(dtype)),
                ("bits", Value::Int(8 * dtype.size() as i64)),
                ("min", Value::Int(low)),
                ("max", Value::Int(high)),
            ])),
            None => {
                let words = format!("Invalid integer data type '{}'.", dtype.kind().letter());
                Err(call.fault_at("dtype", Fault::value_error(words)))
            }
        }
    })
    .doc("The limits of an integer type: bits, min, max.")
    .example("iinfo(int8).max"),
    Builtin::new("issubdtype(dtype, kind)", |call| {
        let dtype = named(call, "dtype")?;
        let answer = match call.value("kind") {
            Value::Str(name) => match &**name {
                "integer" => dtype.is_integer(),
                "signedinteger" => dtype.kind() == Kind::Signed,
                "unsignedinteger" => dtype.kind() == Kind::Unsigned,
                "floating" | "inexact" => dtype.is_float(),
                "number" | "generic" => dtype != DType::Bool,
                _ => named(call, "kind")? == dtype,
            },
            _ => named(call, "kind")? == dtype,
        };
        Ok(Value::Bool(answer))
    })
    .doc("Whether a type is of a kind: 'integer', 'floating', 'number', or a type.")
    .example("issubdtype(int8, 'integer')"),
    Builtin::new("isscalar(element)", |call| {
        Ok(Value::Bool(call.value("element").scalar().is_some() || matches!(call.value("element"), Value::Str(_))))
    })
    .doc("Whether a value is a Python number or string.")
    .example("isscalar(3.5)"),
    Builtin::new("iscomplexobj(x)", |_| Ok(Value::Bool(false)))
        .aliases(&["is_complex"])
        .doc("False: numbers here are real.")
        .example("iscomplexobj(zeros(2))"),
    Builtin::new("isrealobj(x)", |_| Ok(Value::Bool(true)))
        .doc("True: numbers here are real.")
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

fn result_type(call: &mut Call<'_>) -> Result<Value, Fault> {
    let engine = call.engine();
    let (mut strong, mut weak): (Option<DType>, Vec<Scalar>) = (None, Vec::new());
    for argument in call.rest() {
        let dtype = match &argument.value {
            Value::Tensor(tensor) => tensor.dtype(),
            value => match value.scalar() {
                Some(scalar) => {
                    weak.push(scalar);
                    continue;
                }
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
