//! Integers as bytes, and bytes as integers.

use super::super::super::{Builtin, Call, Homes};
use super::bytes_like;
use crate::diag::{ErrorKind, Fault};
use crate::interp::object::bytes::Bytes;
use crate::interp::room;
use crate::interp::value::{Type, Value};

const fn of_int(of: Type) -> [Builtin; 2] {
    let (to, from) = (
        "to_bytes(self, length=1, byteorder='big', *, signed=False)",
        "from_bytes(bytes, byteorder='big', *, signed=False)",
    );
    [
        Builtin::new(to, to_bytes)
            .homes(Homes::NONE)
            .method_of(of)
            .doc("The number as so many bytes, the largest first or last."),
        Builtin::new(from, from_bytes)
            .homes(Homes::STATIC)
            .method_of(of)
            .doc("The number that bytes stand for."),
    ]
}

pub const OF_INTS: &[Builtin] = &of_int(Type::Int);
pub const OF_BOOLS: &[Builtin] = &of_int(Type::Bool);

/// Whether the largest byte stands first.
fn is_big(call: &Call<'_>, at: usize) -> Result<bool, Fault> {
    match call.str(at)? {
        "big" => Ok(true),
        "little" => Ok(false),
        _ => {
            let words = "byteorder must be either 'little' or 'big'";
            Err(call.fault_at(at, Fault::value_error(words)))
        }
    }
}

fn to_bytes(call: &mut Call<'_>) -> Result<Value, Fault> {
    let number = match call.value(0).plain() {
        Value::Wide(number) => i128::from(*number),
        _ => i128::from(call.int(0)?),
    };
    let (is_big, is_signed) = (is_big(call, 2)?, call.bool(3)?);
    let length = usize::try_from(call.int(1)?).map_err(|_| {
        call.fault_at(1, Fault::value_error("length argument must be non-negative"))
    })?;
    let overflow = |words: &str| call.fault_at(0, Fault::new(ErrorKind::Overflow, words));
    if number < 0 && !is_signed {
        return Err(overflow("can't convert negative int to unsigned"));
    }
    let all = number.to_le_bytes();
    let filling = if number < 0 { 0xff } else { 0 };
    let is_sign_kept = !is_signed
        || match length {
            0 => number >= -1,
            _ => (all[(length - 1).min(15)] >= 0x80) == (number < 0),
        };
    if !all.iter().skip(length).all(|byte| *byte == filling) || !is_sign_kept {
        return Err(overflow("int too big to convert"));
    }
    room::bytes(call.engine(), length)?;
    let mut bytes = all[..length.min(16)].to_vec();
    bytes.resize(length, filling);
    if is_big {
        bytes.reverse();
    }
    Ok(Bytes::value(bytes))
}

fn from_bytes(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (is_big, is_signed) = (is_big(call, 1)?, call.bool(2)?);
    let mut bytes = match bytes_like(call, call.value(0))? {
        Some(bytes) => bytes,
        // So many zeros are meant by no number here.
        None if matches!(call.value(0).plain(), Value::Str(_) | Value::Int(_) | Value::Bool(_)) => {
            let found = call.value(0).type_name();
            let fault = Fault::type_error(format!("cannot convert '{found}' object to bytes"));
            return Err(call.fault_at(0, fault));
        }
        None => {
            let bytes =
                call.evaluator.call_value(&Value::Type(Type::Bytes), [call.value(0).clone()], []);
            let bytes = bytes.map_err(|fault| call.fault_at(0, fault))?;
            Bytes::of(&bytes).map(|bytes| bytes.get().to_vec()).unwrap_or_default()
        }
    };
    if is_big {
        bytes.reverse();
    }
    let filling = match bytes.last() {
        Some(0x80..) if is_signed => 0xff,
        _ => 0,
    };
    let mut all = [filling; 16];
    let is_small = bytes.iter().skip(8).all(|byte| *byte == filling);
    all.iter_mut().zip(&bytes).for_each(|(to, byte)| *to = *byte);
    let number = i128::from_le_bytes(all);
    match (i64::try_from(number), u64::try_from(number)) {
        (Ok(number), _) if is_small => Ok(Value::Int(number)),
        (_, Ok(number)) if is_small => Ok(Value::Wide(number)),
        _ => {
            let fault = Fault::new(ErrorKind::Overflow, "integer result too large for 64 bits");
            Err(call.fault_at(0, fault))
        }
    }
}
