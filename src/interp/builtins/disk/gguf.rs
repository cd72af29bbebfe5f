//! Checkpoints of llama.cpp: `.gguf`.

use super::place::{Part, filled_from_disk};
use super::{fault, lengths, source};
use crate::diag::Fault;
use crate::dtype::DType;
use crate::interp::builtins::Call;
use crate::interp::room;
use crate::interp::value::Value;
use crate::io::gguf::{self, Kind, Note};
use crate::io::{self, Stored};
use crate::layout::{Layout, Shape};

/// Blocks that are read at once.
const BATCH: usize = 256;

pub fn header(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (source, path) = source(call)?;
    let header = gguf::read_header(&source, false).map_err(|error| fault(error, &path))?;
    room::things(call.engine(), header.entries.len(), 8 * room::SHORT_TEXT)?;
    let entry = |entry: &gguf::Entry| {
        let code = entry.kind.plain.map(|dtype| Value::str(Stored::plain(dtype).code()));
        Value::tuple([
            Value::str(&entry.name),
            Value::str(entry.kind.name),
            code.unwrap_or(Value::None),
            lengths(&entry.shape),
            Value::Int(entry.start as i64),
            Value::Int(entry.bytes as i64),
            Value::Bool(entry.kind.widen.is_some()),
        ])
    };
    Ok(Value::list(header.entries.iter().map(entry).collect()))
}

pub fn notes(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (source, path) = source(call)?;
    room::text(call.engine(), source.length().min(1 << 30) as usize)?;
    let header = gguf::read_header(&source, true).map_err(|error| fault(error, &path))?;
    let pair = |(name, note): (String, Note)| Value::tuple([Value::str(name), value_of(note)]);
    Ok(Value::list(header.notes.into_iter().map(pair).collect()))
}

fn value_of(note: Note) -> Value {
    match note {
        Note::Int(number) => Value::Int(number),
        Note::Wide(number) => Value::Wide(number),
        Note::Float(number) => Value::Float(number),
        Note::Bool(flag) => Value::Bool(flag),
        Note::Text(text) => Value::str(text),
        Note::List(items) => Value::list(items.into_iter().map(value_of).collect()),
    }
}

/// Elements of a tensor in blocks, widened to float32.
pub fn read(call: &mut Call<'_>) -> Result<Value, Fault> {
    let kind = Kind::of_name(call.str(1)?);
    let Some((kind, widen)) = kind.and_then(|kind| Some((kind, kind.widen?))) else {
        return Err(Fault::value_error("elements of this type are not read"));
    };
    let [start, first, last] = [2, 3, 4].map(|at| call.int(at).map(|n| n.max(0) as usize));
    let (start, first, last) = (start? as u64, first?, last?);
    let (source, path) = source(call)?;
    let count = last.saturating_sub(first);
    let end = (last.div_ceil(kind.block) as u64).checked_mul(kind.size as u64);
    if end.and_then(|end| end.checked_add(start)).is_none_or(|end| end > source.length()) {
        return Err(fault(io::Error::Format("the file ends before the tensor does".into()), &path));
    }
    let layout = Layout::contiguous(Shape::from([count]));
    let length = (count.div_ceil(kind.block) * kind.size) as u64;
    let part = Part { path: &path, length, same: None };
    let widened = |at: usize, bytes: &mut [u8]| {
        let mut element = first + at / 4;
        let (mut raw, mut numbers) = (vec![0; BATCH * kind.size], vec![0f32; kind.block]);
        let mut out = bytes.chunks_exact_mut(4);
        while out.len() > 0 {
            let (block, skipped) = (element / kind.block, element % kind.block);
            let many = (skipped + out.len()).div_ceil(kind.block).min(BATCH);
            let raw = &mut raw[..many * kind.size];
            source.read_at(start + (block * kind.size) as u64, raw)?;
            for (at, block) in raw.chunks_exact(kind.size).enumerate() {
                widen(block, &mut numbers);
                let from = if at == 0 { skipped } else { 0 };
                for (number, place) in numbers[from..].iter().zip(&mut out) {
                    place.copy_from_slice(&number.to_ne_bytes());
                    element += 1;
                }
            }
        }
        Ok(())
    };
    Ok(filled_from_disk(call.engine(), layout, DType::F32, part, widened)?.into())
}
