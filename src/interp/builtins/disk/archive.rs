//! Archives of arrays: `.npz`.

use std::io::Read;

use super::place::layout_of;
use super::{draft, fault, laid_out, saving, source};
use crate::device::BYTES;
use crate::diag::{ErrorKind, Fault};
use crate::interp::builtins::Call;
use crate::interp::value::Value;
use crate::io::{self, npy, zip};
use crate::tensor::Tensor;

/// Bytes that are taken from a member at once.
const PIECE: usize = 1 << 20;

pub fn members(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (source, path) = source(call)?;
    let members = zip::members(&source).map_err(|error| fault(error, &path))?;
    Ok(Value::list(members.iter().map(|member| Value::str(&member.name)).collect()))
}

pub fn member(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (source, path) = source(call)?;
    let wrong = |error: io::Error| fault(error, &path);
    let name = call.str(1)?;
    let members = zip::members(&source).map_err(wrong)?;
    let Some(member) = members.iter().find(|member| member.name == name) else {
        return Err(Fault::new(ErrorKind::Key, format!("{name} is not a file in the archive")));
    };
    let mut reader = member.open(&source).map_err(wrong)?;
    let header = npy::read_header(&mut reader).map_err(wrong)?;
    // The archive's word for how long the member is stands before memory is asked for.
    if reader.left() != header.data() {
        let words = format!(
            "EOF: reading array data, expected {} bytes got {} for '{name}'",
            header.data(),
            reader.left()
        );
        return Err(wrong(io::Error::Format(words)));
    }
    let layout = layout_of(header.shape, header.is_fortran);
    let dtype = header.stored.dtype;
    let watch = call.engine().under_way();
    let _task = watch.begin(&path, BYTES, reader.left());
    let made = call.engine().filled_in_turn(layout, dtype, "load", |put| {
        let mut piece = vec![0; PIECE.min(reader.left() as usize)];
        while reader.left() > 0 {
            let bytes = &mut piece[..PIECE.min(reader.left() as usize)];
            reader.read_exact(bytes).map_err(|error| fault(error, &path))?;
            header.stored.decode(bytes);
            put(bytes)?;
            watch.add(bytes.len() as u64);
        }
        Ok::<(), Fault>(())
    });
    Ok(made?.into())
}

pub fn save(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (engine, is_deflated) = (call.engine(), call.bool(3)?);
    let names = texts(call, 1)?;
    let arrays = arrays(call, 2)?;
    let (draft, path) = draft(call)?;
    if !is_deflated {
        draft.foretell(super::total(&arrays));
    }
    let mut writer = zip::Writer::new(draft);
    let _task = saving(engine, &path, &arrays);
    for (name, x) in names.iter().zip(&arrays) {
        let wrong = |error| fault(io::Error::System(error), &path);
        let (data, is_fortran) = laid_out(engine, x)?;
        writer.begin(name, is_deflated).map_err(wrong)?;
        writer.write(&npy::header(x.dtype(), is_fortran, x.shape())).map_err(wrong)?;
        engine.pieces(&data, |bytes| writer.write(bytes).map_err(wrong))?;
        writer.end().map_err(wrong)?;
    }
    let written = writer.finish().and_then(io::Draft::commit);
    written.map_err(|error| fault(error, &path))?;
    Ok(Value::None)
}

/// The texts of a list.
pub fn texts(call: &Call<'_>, at: usize) -> Result<Vec<String>, Fault> {
    let mut texts = Vec::new();
    call.evaluator.each(call.value(at), |value| match value.plain() {
        Value::Str(text) => {
            texts.push(text.to_string());
            Ok(true)
        }
        other => {
            let found = other.type_name();
            Err(Fault::type_error(format!("expected a text as a name, found {found}")))
        }
    })?;
    Ok(texts)
}

/// The arrays of a list, each by itself.
pub fn arrays(call: &Call<'_>, at: usize) -> Result<Vec<Tensor>, Fault> {
    let mut arrays = Vec::new();
    call.evaluator.each(call.value(at), |value| match value {
        Value::Tensor(x) => {
            arrays.push(x.clone());
            Ok(true)
        }
        other => Err(Fault::type_error(format!("expected an array, found {}", other.type_name()))),
    })?;
    Ok(arrays)
}
