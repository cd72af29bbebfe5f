//! Checkpoints: `.safetensors`, in one file or in several behind an index.

use std::io::Write;

use super::archive::{arrays, texts};
use super::{draft, fault, lengths, saving, source};
use crate::diag::Fault;
use crate::interp::builtins::Call;
use crate::interp::room;
use crate::interp::value::Value;
use crate::io::safetensors;
use crate::layout::Shape;

pub fn header(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (source, path) = source(call)?;
    let header = safetensors::read_header(&source).map_err(|error| fault(error, &path))?;
    room::things(call.engine(), header.entries.len(), 8 * room::SHORT_TEXT)?;
    let entry = |entry: &safetensors::Entry| {
        Value::tuple([
            Value::str(&entry.name),
            Value::str(&entry.kind),
            entry.stored.map_or(Value::None, |stored| Value::str(stored.code())),
            lengths(&entry.shape),
            Value::Int(entry.start as i64),
            Value::Int(entry.bytes as i64),
        ])
    };
    let note = |(name, text): &(String, String)| Value::tuple([Value::str(name), Value::str(text)]);
    Ok(Value::tuple([
        Value::list(header.entries.iter().map(entry).collect()),
        Value::list(header.notes.iter().map(note).collect()),
    ]))
}

pub fn index(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (source, path) = source(call)?;
    room::text(call.engine(), source.length() as usize)?;
    let mut bytes = vec![0; source.length() as usize];
    source.read_at(0, &mut bytes).map_err(|error| fault(error, &path))?;
    let text = String::from_utf8_lossy(&bytes);
    let places = safetensors::read_index(&text).map_err(|error| fault(error, &path))?;
    let pair = |(name, file): (String, String)| Value::tuple([Value::str(name), Value::str(file)]);
    Ok(Value::list(places.into_iter().map(pair).collect()))
}

pub fn save(call: &mut Call<'_>) -> Result<Value, Fault> {
    let engine = call.engine();
    let (names, arrays) = (texts(call, 1)?, arrays(call, 2)?);
    let notes = texts(call, 3)?;
    let mut tensors = Vec::new();
    for (name, x) in names.into_iter().zip(&arrays) {
        if safetensors::name_of(x.dtype()).is_none() {
            let words = format!("safetensors files hold no {}: '{name}'", x.dtype());
            return Err(Fault::value_error(words));
        }
        let shape: Shape = x.shape().clone();
        tensors.push((name, x.dtype(), shape));
    }
    let notes: Vec<(String, String)> =
        notes.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
    let (mut draft, path) = draft(call)?;
    draft.foretell(super::total(&arrays));
    let _task = saving(engine, &path, &arrays);
    let mut put = |bytes: &[u8]| draft.write_all(bytes).map_err(|error| fault(error, &path));
    put(&safetensors::header(&tensors, &notes))?;
    for x in &arrays {
        engine.pieces(x, &mut put)?;
    }
    draft.commit().map_err(|error| fault(error, &path))?;
    Ok(Value::None)
}
