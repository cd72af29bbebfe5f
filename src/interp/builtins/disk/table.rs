//! Tables of numbers as text, read by all threads.

use std::sync::{Mutex, PoisonError};

use super::{fault, source};
use crate::device::{BYTES, Content, at_once};
use crate::diag::Fault;
use crate::dtype::{DType, Scalar};
use crate::interp::builtins::Call;
use crate::interp::value::Value;
use crate::io::Source;
use crate::io::table::{self, Form, Number, Piece};
use crate::layout::{Layout, Shape};
use crate::tensor::Engine;

/// Bytes of text that are in memory at once, and of a piece that one thread reads.
const WINDOW: usize = 16 << 20;
const PIECE: usize = 1 << 18;

/// The numbers that have been read.
#[derive(Default)]
struct Read {
    numbers: Vec<u64>,
    rows: usize,
    width: usize,
    fields: usize,
}

pub fn read(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (source, path) = source(call)?;
    let one_byte = |text: &str| match text.as_bytes() {
        [byte] if byte.is_ascii() && !matches!(byte, b'\n' | b'\r') => Some(*byte),
        _ => None,
    };
    let delimiter = match call.is_none(1) {
        true => None,
        false => match one_byte(call.str(1)?) {
            Some(byte) => Some(byte),
            None => return Ok(Value::None),
        },
    };
    let mut comments = Vec::new();
    for mark in super::archive::texts(call, 2)? {
        match one_byte(&mark) {
            Some(byte) => comments.push(byte),
            None => return Ok(Value::None),
        }
    }
    let columns = if call.is_none(3) { None } else { Some(call.ints(3)?.to_vec()) };
    let dtype = call.dtype(4)?.unwrap_or(DType::F64);
    let kind = match dtype.integer_range() {
        _ if dtype == DType::Bool || dtype.is_complex() => return Ok(Value::None),
        Some((low, high)) => Number::Integer { low, high },
        None => Number::Float,
    };
    let filling = match (call.is_none(7), kind) {
        (true, _) => None,
        (false, Number::Float) => Some(call.float(7)?.to_bits()),
        (false, Number::Integer { .. }) => Some(call.int(7)? as u64),
    };
    let skipped = call.int(5)?.max(0) as usize;
    let most = call.optional_int(6)?.map_or(usize::MAX, |most| most.max(0) as usize);
    let form = Form { delimiter, comments, columns, kind, filling, is_loose: call.bool(8)? };
    let found = numbers(call.engine(), &source, &form, (skipped, most), dtype, &path)?;
    let Some(found) = found else { return Ok(Value::None) };
    Ok(tensor(call.engine(), &found, dtype)?.into())
}

/// None where the language must tell.
fn numbers(
    engine: &Engine,
    source: &Source,
    form: &Form,
    (mut skipped, most): (usize, usize),
    dtype: DType,
    path: &str,
) -> Result<Option<Read>, Fault> {
    let mut found = Read::default();
    let interrupt = engine.interrupt().clone();
    let (mut at, mut text) = (0, Vec::new());
    let _task = engine.under_way().begin(path, BYTES, source.length());
    while (at < source.length() || !text.is_empty()) && found.rows < most {
        engine.interrupt().heed()?;
        let kept = text.len();
        let more = (WINDOW as u64).min(source.length() - at) as usize;
        engine.make_room(2 * (kept + more), || "a table as text".to_owned())?;
        text.resize(kept + more, 0);
        source.read_at(at, &mut text[kept..]).map_err(|error| fault(error, path))?;
        if at == 0 && text.starts_with(b"\xef\xbb\xbf") {
            text.drain(..3);
        }
        at += more as u64;
        // Whole lines: the rest waits for what follows it.
        let end = match at < source.length() {
            true => text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1),
            false => text.len(),
        };
        let mut lines = &text[..end];
        while skipped > 0 && !lines.is_empty() {
            let end = lines.iter().position(|byte| *byte == b'\n');
            lines = end.map_or(&[], |end| &lines[end + 1..]);
            skipped -= 1;
        }
        let pieces = table::cuts(lines, PIECE);
        let read: Vec<Mutex<Piece>> = pieces.iter().map(|_| Mutex::default()).collect();
        let wanted = most - found.rows;
        at_once(pieces.len(), &|number| {
            if !interrupt.is_raised() {
                let piece = form.read(pieces[number], wanted);
                *read[number].lock().unwrap_or_else(PoisonError::into_inner) = piece;
            }
        });
        engine.interrupt().heed()?;
        let counted: usize =
            read.iter().map(|piece| piece.lock().map_or(0, |piece| piece.numbers.len())).sum();
        let grown = (found.numbers.len() + counted) * size_of::<u64>();
        engine.make_room(grown, || "a table's numbers".to_owned())?;
        for piece in read {
            let piece = piece.into_inner().unwrap_or_else(PoisonError::into_inner);
            if found.rows == most {
                break;
            }
            if let Err(wrong) = found.take(piece, form, most, dtype) {
                return wrong.map_or(Ok(None), Err);
            }
        }
        engine.under_way().add(end as u64);
        text.drain(..end);
        if end == 0 && at >= source.length() {
            break;
        }
    }
    Ok(Some(found))
}

impl Read {
    /// Takes the rows of the next piece. An error without words is the language's to find.
    fn take(
        &mut self,
        piece: Piece,
        form: &Form,
        most: usize,
        dtype: DType,
    ) -> Result<(), Option<Fault>> {
        let before = self.rows;
        if piece.rows > 0 && before > 0 && piece.fields != self.fields && form.columns.is_none() {
            return Err(Some(changed(self.fields, piece.fields, before)));
        }
        if piece.rows > 0 {
            (self.width, self.fields) = (piece.width, piece.fields);
        }
        let rows = piece.rows.min(most - before);
        self.numbers.extend_from_slice(&piece.numbers[..rows * piece.width]);
        self.rows += rows;
        if self.rows == most {
            return Ok(());
        }
        Err(match piece.fault {
            None => return Ok(()),
            Some(table::Fault::Beyond) => None,
            Some(table::Fault::Fields { found, row }) => {
                Some(changed(self.fields, found, before + row))
            }
            Some(table::Fault::Column { wanted, fields, row }) => {
                let row = before + row + 1;
                let words =
                    format!("invalid column index {wanted} at row {row} with {fields} columns");
                Some(Fault::value_error(words))
            }
            Some(table::Fault::Number { text, row, column }) => {
                let mut shown = String::new();
                crate::interp::quote(&text, &mut shown);
                let words = format!(
                    "could not convert string {shown} to {dtype} at row {}, column {}.",
                    before + row,
                    column + 1
                );
                Some(Fault::value_error(words))
            }
        })
    }
}

#[cold]
fn changed(before: usize, found: usize, row: usize) -> Fault {
    let row = row + 1;
    Fault::value_error(format!(
        "the number of columns changed from {before} to {found} at row {row}; use `usecols` to select a subset and avoid this error"
    ))
}

/// The rows as a matrix of the type.
fn tensor(engine: &Engine, found: &Read, dtype: DType) -> Result<crate::tensor::Tensor, Fault> {
    let layout = Layout::contiguous(Shape::from([found.rows, found.width]));
    let (size, is_float) = (dtype.size(), dtype.is_float());
    let fill = |at: usize, bytes: &mut [u8]| {
        let numbers = &found.numbers[at / size..];
        for (element, bits) in bytes.chunks_exact_mut(size).zip(numbers) {
            match is_float {
                true if size == 8 => element.copy_from_slice(&bits.to_ne_bytes()),
                true => {
                    let (bytes, _) = Scalar::Float(f64::from_bits(*bits)).to_bits(dtype);
                    element.copy_from_slice(&bytes[..size]);
                }
                false => element.copy_from_slice(&bits.to_le_bytes()[..size]),
            }
        }
        Ok(())
    };
    Ok(engine.filled(layout, dtype, "loadtxt", Content { read: &fill, file: None })?)
}
