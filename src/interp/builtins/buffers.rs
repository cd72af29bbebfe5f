//! Bytes and tensors: what `frombuffer` and `tobytes` in the text of NumPy's library are made of.

use super::python::bytes_of_tensor;
use super::{Builtin, Call};
use crate::device::Content;
use crate::diag::Fault;
use crate::interp::object::bytes::Bytes;
use crate::interp::value::Value;
use crate::io::Stored;
use crate::layout::{Layout, Shape};

/// Functions without a name in the language.
pub const HIDDEN: &[Builtin] = &[
    Builtin::hidden(
        "bytes_of(x, /)",
        |call| Ok(Bytes::value(bytes_of_tensor(call.engine(), &call.tensor(0usize)?)?)),
        "The elements as they lie in memory, by rows.",
    ),
    Builtin::hidden(
        "elements_of_bytes(bytes, type, offset, count, /)",
        elements,
        "So many elements of a type, or of its code in files, from a byte on; whoever calls it has seen that they are there.",
    ),
];

fn elements(call: &mut Call<'_>) -> Result<Value, Fault> {
    let bytes = Bytes::of(call.value(0)).map(Bytes::get);
    let bytes = bytes.ok_or_else(|| call.wrong_type(0, "bytes"))?;
    let stored = match call.value(1) {
        Value::Str(code) => Stored::from_code(code).ok_or_else(|| {
            let words = format!("data type '{}' not understood", &**code);
            call.fault_at(1, Fault::type_error(words))
        })?,
        _ => match call.dtype(1)? {
            Some(dtype) => Stored::plain(dtype),
            None => return Err(call.wrong_type(1, "a type")),
        },
    };
    let place = |at: usize| call.int(at).map(|number| usize::try_from(number).unwrap_or(0));
    let (offset, count) = (place(2)?, place(3)?);
    let size = count.saturating_mul(stored.size());
    let Some(bytes) = bytes.get(offset..).and_then(|bytes| bytes.get(..size)) else {
        return Err(Fault::value_error("buffer is smaller than requested size"));
    };
    let read = |at: usize, piece: &mut [u8]| {
        piece.copy_from_slice(&bytes[at..at + piece.len()]);
        stored.decode(piece);
        Ok(())
    };
    let layout = Layout::contiguous(Shape::from([count]));
    let content = Content { read: &read, file: None };
    Ok(call.engine().filled(layout, stored.dtype, "frombuffer", content)?.into())
}
