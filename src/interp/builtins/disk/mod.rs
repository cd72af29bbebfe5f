//! Tensors in files: what `load`, `save` and their kin are made of, which are written in the language.
//!
//! An array on the disk is five values: the path, the code of the type as the file has it, the shape, the
//! byte at which it begins, and whether its first axis is the fastest.

mod archive;
mod checkpoint;
#[cfg(feature = "parquet")]
mod columns;
#[cfg(not(feature = "parquet"))]
#[path = "no_columns.rs"]
mod columns;
mod gguf;
mod pickled;
mod picture;
mod place;
mod statistics;
mod table;
mod torch;

use super::{Builtin, Call};
use crate::device::{BYTES, Task};
use crate::diag::{ErrorKind, Fault};
use crate::interp::object::file::failed;
use crate::interp::value::Value;
use crate::io::{self, Draft, Source, npy, torch as torch_files};
use crate::layout::Shape;
use crate::tensor::{Engine, Tensor};

/// Functions without a name in the language.
pub const HIDDEN: &[Builtin] = &[
    Builtin::hidden(
        "disk_mark(path, /)",
        mark,
        "What a file begins with: \"npy\", \"zip\", \"torch\", \"columns\" or nothing that is known.",
    ),
    Builtin::hidden(
        "disk_size(path, /)",
        |call| {
            let (source, _) = source(call)?;
            Ok(Value::Int(source.length() as i64))
        },
        "Bytes in a file.",
    ),
    Builtin::hidden(
        "disk_npy(path, /)",
        header,
        "Type, shape, first byte and order of the array in a file.",
    ),
    Builtin::hidden(
        "disk_read(path, code, shape, start, is_fortran, index, /)",
        place::read,
        "What a basic index means of an array on the disk.",
    ),
    Builtin::hidden(
        "disk_write(path, code, shape, start, is_fortran, index, value, /)",
        place::write,
        "Writes to what a basic index means, at once.",
    ),
    Builtin::hidden(
        "disk_grow(path, size, is_new, /)",
        place::grow,
        "Makes a file at least so long.",
    ),
    Builtin::hidden("disk_save(path, x, /)", save, "Writes an array as `.npy`."),
    Builtin::hidden("disk_save_raw(path, x, /)", save_raw, "Writes elements, and nothing else."),
    Builtin::hidden("disk_save_text(path, text, /)", save_text, "Writes a text."),
    Builtin::hidden(
        "disk_members(path, /)",
        archive::members,
        "The names of an archive's members.",
    ),
    Builtin::hidden("disk_member(path, name, /)", archive::member, "The array that a member is."),
    Builtin::hidden(
        "disk_save_members(path, names, arrays, is_deflated, /)",
        archive::save,
        "Writes arrays as the members of an archive.",
    ),
    Builtin::hidden(
        "disk_checkpoint(path, /)",
        checkpoint::header,
        "What a safetensors file holds: names, types, codes, shapes, first bytes, and the writer's texts.",
    ),
    Builtin::hidden(
        "disk_index(path, /)",
        checkpoint::index,
        "Names with their files, of a checkpoint in several.",
    ),
    Builtin::hidden(
        "disk_save_checkpoint(path, names, arrays, notes, /)",
        checkpoint::save,
        "Writes arrays as a safetensors file.",
    ),
    Builtin::hidden(
        "disk_torch(path, tensor, /)",
        torch::read,
        "What a file of PyTorch's holds; `tensor` makes a tensor of its type, its code, its storage's first byte \
         and length, its place in that, its shape and strides.",
    ),
    Builtin::hidden(
        "disk_gguf(path, /)",
        gguf::header,
        "What a GGUF file holds: names, types, codes, shapes, first bytes, bytes, whether blocks are read.",
    ),
    Builtin::hidden("disk_gguf_notes(path, /)", gguf::notes, "What a GGUF file says of its model."),
    Builtin::hidden(
        "disk_blocks(path, kind, start, first, last, /)",
        gguf::read,
        "Elements of a tensor in blocks, as float32.",
    ),
    Builtin::hidden(
        "disk_columns(path, /)",
        columns::header,
        "How many rows a file of Parquet, Arrow or Feather has, and of each column the name, the type in words, that of \
         a tensor and how many are null.",
    ),
    Builtin::hidden(
        "disk_column(path, number, dtype, fill, first, last, /)",
        columns::read,
        "Some rows of a column; None where one is null and nothing stands for it.",
    ),
    Builtin::hidden(
        "disk_column_nulls(path, number, first, last, /)",
        columns::nulls,
        "Which rows of a column are null.",
    ),
    Builtin::hidden(
        "disk_moments(arrays, /)",
        statistics::moments,
        "Of each (path, code, start, count) how many elements there are, are NaN, infinite and zero; of the finite ones mean, sum of squared distances from \
         it, least and greatest.",
    ),
    Builtin::hidden(
        "disk_distances(pairs, /)",
        statistics::distances,
        "Of elements p and q of each (path, code, start, path, code, start, count) the largest |q − p|, and the sums of (q − p)², p², q² and p·q.",
    ),
    Builtin::hidden(
        "disk_begin(label, total, /)",
        |call| {
            let total = call.int(1)?.max(0) as u64;
            call.engine().under_way().open(call.str(0)?, BYTES, total);
            Ok(Value::None)
        },
        "Work begins that reads so many bytes: whoever watches is shown how far it is.",
    ),
    Builtin::hidden(
        "disk_done(count, /)",
        |call| {
            call.engine().under_way().add(call.int(0)?.max(0) as u64);
            Ok(Value::None)
        },
        "So many bytes more are done that were not read.",
    ),
    Builtin::hidden(
        "disk_end()",
        |call| {
            call.engine().under_way().end();
            Ok(Value::None)
        },
        "The work that has begun last ends.",
    ),
    Builtin::hidden("disk_picture(path, /)", picture::read, "The pixels of a PNG or a JPEG."),
    Builtin::hidden("disk_save_picture(path, x, /)", picture::save, "Writes a PNG."),
    Builtin::hidden(
        "disk_save_torch(path, value, /)",
        pickled::save,
        "Writes a file of PyTorch's.",
    ),
    Builtin::hidden(
        "disk_table(path, delimiter, comments, columns, dtype, skipped, most, filling, is_loose, /)",
        table::read,
        "The numbers of a table of text; None where only the language can tell.",
    ),
    Builtin::hidden(
        "disk_table_part(path, delimiter, start, rows, lines, fields, skipped, /)",
        table::part,
        "Floats of a table of text from a byte on, and where the next ones begin; None where only the language can tell.",
    ),
];

/// What is wrong with a file.
#[cold]
pub(super) fn fault(error: impl Into<io::Error>, path: &str) -> Fault {
    match error.into() {
        io::Error::System(error) => failed(&error, path),
        io::Error::Format(words) => Fault::value_error(format!("{words} (in '{path}')")),
    }
}

/// The file that the first argument names, to be read.
fn source(call: &Call<'_>) -> Result<(Source, String), Fault> {
    let path = call.path(0)?.to_string();
    let opened = Source::open(&io::path_of(&path));
    let source = opened.map_err(|error| call.fault_at(0, fault(error, &path)))?;
    Ok((source, path))
}

/// The file that the first argument names, to be written; what it was stays until it is whole.
pub(super) fn draft(call: &Call<'_>) -> Result<(Draft, String), Fault> {
    let path = call.path(0)?.to_string();
    call.evaluator.reach_out()?;
    let begun = Draft::new(&io::path_of(&path));
    let draft = begun.map_err(|error| call.fault_at(0, fault(error, &path)))?;
    Ok((draft, path))
}

/// Tensors are about to be written.
fn saving(engine: &Engine, path: &str, tensors: &[Tensor]) -> Task {
    engine.under_way().begin(path, BYTES, total(tensors))
}

/// Bytes of their elements.
fn total(tensors: &[Tensor]) -> u64 {
    tensors.iter().map(|tensor| tensor.size_bytes() as u64).sum()
}

/// A shape as a value.
fn lengths(shape: &Shape) -> Value {
    Value::tuple(shape.iter().map(|extent| Value::Int(*extent as i64)).collect::<Vec<_>>())
}

fn mark(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (source, path) = source(call)?;
    let mut bytes = [0; 6];
    let length = source.length().min(6) as usize;
    source.read_at(0, &mut bytes[..length]).map_err(|error| fault(error, &path))?;
    Ok(Value::str(match &bytes {
        bytes if bytes.starts_with(npy::MARK) => "npy",
        bytes if bytes.starts_with(&torch_files::MARK[..6]) => "torch",
        bytes if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") => "zip",
        b"ARROW1" => "columns",
        bytes if bytes.starts_with(b"PAR1") || bytes.starts_with(b"FEA1") => "columns",
        _ => "",
    }))
}

fn header(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (source, path) = source(call)?;
    if source.length() == 0 {
        return Err(Fault::new(ErrorKind::Eof, "No data left in file"));
    }
    let found = npy::read_header(&mut source.range(0, source.length()));
    let header = found.map_err(|error| fault(error, &path))?;
    let there = source.length() - header.length as u64;
    if there < header.data() {
        let words =
            format!("EOF: reading array data, expected {} bytes got {there}", header.data());
        return Err(fault(io::Error::Format(words), &path));
    }
    Ok(Value::tuple([
        Value::str(header.stored.code()),
        lengths(&header.shape),
        Value::Int(header.length as i64),
        Value::Bool(header.is_fortran),
    ]))
}

/// An array as it goes into a file: by columns where it lies so, turned around then.
fn laid_out(engine: &Engine, x: &Tensor) -> Result<(Tensor, bool), Fault> {
    if !engine.lies_by_columns(x)? {
        return Ok((x.clone(), false));
    }
    let axes: Vec<i64> = (0..x.rank() as i64).rev().collect();
    Ok((engine.permute(x, &axes)?, true))
}

fn save(call: &mut Call<'_>) -> Result<Value, Fault> {
    use std::io::Write;
    let (engine, x) = (call.engine(), call.tensor(1)?);
    let (data, is_fortran) = laid_out(engine, &x)?;
    let (mut draft, path) = draft(call)?;
    draft.foretell(data.size_bytes() as u64);
    let mut put = |bytes: &[u8]| draft.write_all(bytes).map_err(|error| fault(error, &path));
    put(&npy::header(x.dtype(), is_fortran, x.shape()))?;
    let _task = saving(engine, &path, std::slice::from_ref(&data));
    engine.pieces(&data, put)?;
    draft.commit().map_err(|error| fault(error, &path))?;
    Ok(Value::None)
}

fn save_raw(call: &mut Call<'_>) -> Result<Value, Fault> {
    use std::io::Write;
    let (engine, x) = (call.engine(), call.tensor(1)?);
    let (mut draft, path) = draft(call)?;
    draft.foretell(x.size_bytes() as u64);
    let _task = saving(engine, &path, std::slice::from_ref(&x));
    engine.pieces(&x, |bytes| draft.write_all(bytes).map_err(|error| fault(error, &path)))?;
    draft.commit().map_err(|error| fault(error, &path))?;
    Ok(Value::None)
}

fn save_text(call: &mut Call<'_>) -> Result<Value, Fault> {
    use std::io::Write;
    let (mut draft, path) = draft(call)?;
    let written = draft.write_all(call.str(1)?.as_bytes()).and_then(|()| draft.commit());
    written.map_err(|error| fault(error, &path))?;
    Ok(Value::None)
}
