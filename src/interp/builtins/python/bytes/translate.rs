//! Bytes in the place of others, by a table.

use super::super::super::Call;
use super::{bytes_like, of};
use crate::diag::Fault;
use crate::interp::object::bytes::Bytes;
use crate::interp::room;
use crate::interp::value::Value;

fn given(call: &Call<'_>, at: usize) -> Result<Vec<u8>, Fault> {
    let value = call.value(at);
    bytes_like(call, value)?.ok_or_else(|| {
        let found = value.type_name();
        let words = format!("a bytes-like object is required, not '{found}'");
        call.fault_at(at, Fault::type_error(words))
    })
}

pub fn translate(call: &mut Call<'_>) -> Result<Value, Fault> {
    let bytes = of(call)?;
    let table = match call.value(1) {
        Value::None => (0..=u8::MAX).collect(),
        _ => given(call, 1)?,
    };
    if table.len() != 256 {
        let fault = Fault::value_error("translation table must be 256 characters long");
        return Err(call.fault_at(1, fault));
    }
    let mut is_left_out = [false; 256];
    if call.given(2) {
        given(call, 2)?.into_iter().for_each(|byte| is_left_out[usize::from(byte)] = true);
    }
    room::bytes(call.engine(), bytes.len())?;
    let kept = bytes.iter().map(|byte| usize::from(*byte)).filter(|byte| !is_left_out[*byte]);
    Ok(Bytes::value(kept.map(|byte| table[byte]).collect()))
}

pub fn maketrans(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (from, to) = (given(call, 0)?, given(call, 1)?);
    if from.len() != to.len() {
        let fault = Fault::value_error("maketrans arguments must have same length");
        return Err(call.fault_at(1, fault));
    }
    let mut table: Vec<u8> = (0..=u8::MAX).collect();
    for (from, to) in from.into_iter().zip(to) {
        table[usize::from(from)] = to;
    }
    Ok(Bytes::value(table))
}
