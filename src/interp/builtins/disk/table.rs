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
/// Bytes that a thread takes from the file at once.
const TAKEN: usize = 1 << 20;

/// The numbers that have been read.
#[derive(Default)]
struct Read {
    /// As the threads have read them, one piece behind the other: they are put together in the tensor only.
    pieces: Vec<Vec<u64>>,
    count: usize,
    rows: usize,
    /// Rows before these, of which nothing is here any more.
    before: usize,
    /// Lines before the piece that is taken next.
    lines: usize,
    width: usize,
    fields: usize,
}

/// What of a text is read.
struct Part {
    /// The byte where a line begins, and how many rows of how many fields came before.
    at: u64,
    rows: usize,
    lines: usize,
    fields: usize,
    /// How often as much as may be in memory at once is read, at the most.
    windows: usize,
    /// Lines to pass over, and rows to read.
    skipped: usize,
    most: usize,
}

/// Floats of a table from a byte on, as many as may be in memory at once, and where the next ones begin; None where
/// only the language can tell.
pub fn part(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (source, path) = source(call)?;
    let delimiter = match call.is_none(1) {
        true => None,
        false => call.str(1)?.bytes().next(),
    };
    let number = |at: usize| call.int(at).map(|number| number.max(0) as usize);
    let (at, rows, lines) = (number(2)? as u64, number(3)?, number(4)?);
    let (fields, skipped) = (number(5)?, number(6)?);
    let (windows, most) = (1, usize::MAX);
    let mut part = Part { at, rows, lines, fields, windows, skipped, most };
    let (columns, filling) = (None, Some(f64::NAN.to_bits()));
    let (comments, kind) = (vec![b'#'], Number::Float);
    let form = Form { delimiter, comments, columns, kind, filling, is_loose: false };
    let Some(found) = numbers_of(call.engine(), &source, &form, &mut part, DType::F64, &path)?
    else {
        return Ok(Value::None);
    };
    let made = tensor(call.engine(), &found, DType::F64)?;
    let [at, lines, fields] =
        [part.at as usize, found.lines, found.fields].map(|it| Value::Int(it as i64));
    Ok(Value::tuple([made.into(), at, lines, fields]))
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
    let (at, rows, lines, fields, windows) = (0, 0, 0, 0, usize::MAX);
    let mut part = Part { at, rows, lines, fields, windows, skipped, most };
    let found = numbers_of(call.engine(), &source, &form, &mut part, dtype, &path)?;
    let Some(found) = found else { return Ok(Value::None) };
    Ok(tensor(call.engine(), &found, dtype)?.into())
}

/// None where the language must tell. The part begins behind what was read then.
fn numbers_of(
    engine: &Engine,
    source: &Source,
    form: &Form,
    part: &mut Part,
    dtype: DType,
    path: &str,
) -> Result<Option<Read>, Fault> {
    let Part { mut at, rows: before, lines, fields, mut windows, mut skipped, most } = *part;
    let mut found = Read { before, lines, fields, ..Read::default() };
    let interrupt = engine.interrupt().clone();
    // What has been read of the file and waits stands at its beginning.
    let (mut text, mut kept) = (Vec::new(), 0);
    let _task = engine.under_way().begin(path, BYTES, source.length().saturating_sub(at));
    while (at < source.length() || kept > 0) && found.rows < most && windows > 0 {
        engine.interrupt().heed()?;
        let more = (WINDOW as u64).min(source.length() - at) as usize;
        engine.make_room(2 * (kept + more), || "a table as text".to_owned())?;
        if text.len() < kept + more {
            // The threads that fill it touch it first; the next time a line's beginning is there before.
            let is_last = at + more as u64 == source.length();
            let mut longer = vec![0; kept + more + if is_last { 0 } else { TAKEN }];
            longer[..kept].copy_from_slice(&text[..kept]);
            text = longer;
        }
        take(source, at, &mut text[kept..kept + more]).map_err(|error| fault(error, path))?;
        kept += more;
        if at == 0 && text[..kept].starts_with(b"\xef\xbb\xbf") {
            text.copy_within(3..kept, 0);
            kept -= 3;
        }
        at += more as u64;
        // Whole lines: the rest waits for what follows it.
        let end = match at < source.length() {
            true => text[..kept].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1),
            false => kept,
        };
        let mut lines = &text[..end];
        while skipped > 0 && !lines.is_empty() {
            let end = lines.iter().position(|byte| *byte == b'\n');
            lines = end.map_or(&[], |end| &lines[end + 1..]);
            skipped -= 1;
            found.lines += 1;
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
        let grown = (found.count + counted) * size_of::<u64>();
        engine.make_room(grown, || "a table's numbers".to_owned())?;
        for piece in read {
            let piece = piece.into_inner().unwrap_or_else(PoisonError::into_inner);
            if found.rows == most {
                break;
            }
            if let Err(wrong) = found.take(piece, form, (most, dtype), path) {
                return wrong.map_or(Ok(None), Err);
            }
        }
        engine.under_way().add(end as u64);
        text.copy_within(end..kept, 0);
        kept -= end;
        if end == 0 && at >= source.length() {
            break;
        }
        // A line that is longer than that is read whole.
        windows -= usize::from(end > 0);
    }
    part.at = at - kept as u64;
    Ok(Some(found))
}

/// Fills `text` from a place in the file, by all threads.
fn take(source: &Source, at: u64, text: &mut [u8]) -> Result<(), crate::io::Error> {
    let parts: Vec<_> = text.chunks_mut(TAKEN).map(|part| Mutex::new((part, Ok(())))).collect();
    at_once(parts.len(), &|number| {
        let mut part = parts[number].lock().unwrap_or_else(PoisonError::into_inner);
        let (bytes, done) = &mut *part;
        *done = source.read_at(at + (number * TAKEN) as u64, bytes);
    });
    parts
        .into_iter()
        .try_for_each(|part| part.into_inner().unwrap_or_else(PoisonError::into_inner).1)
}

impl Read {
    /// Takes the rows of the next piece. An error without words is the language's to find.
    fn take(
        &mut self,
        mut piece: Piece,
        form: &Form,
        (most, dtype): (usize, DType),
        path: &str,
    ) -> Result<(), Option<Fault>> {
        let before = self.before + self.rows;
        // The last line that was read of a piece with a fault is the wrong one.
        let first = self.lines;
        self.lines += piece.lines;
        let line = self.lines;
        let at = |fault: Fault| fault.with_hint(format!("it is line {line} of '{path}'"));
        if piece.rows > 0 && before > 0 && piece.fields != self.fields && form.columns.is_none() {
            let fault = changed(self.fields, piece.fields, before);
            return Err(Some(fault.with_hint(format!("it is behind line {first} of '{path}'"))));
        }
        if piece.rows > 0 {
            (self.width, self.fields) = (piece.width, piece.fields);
        }
        let rows = piece.rows.min(most - self.rows);
        piece.numbers.truncate(rows * piece.width);
        self.count += piece.numbers.len();
        self.pieces.push(piece.numbers);
        self.rows += rows;
        if self.rows == most {
            return Ok(());
        }
        Err(match piece.fault {
            None => return Ok(()),
            Some(table::Fault::Beyond) => None,
            Some(table::Fault::Fields { found, row }) => {
                Some(at(changed(self.fields, found, before + row)))
            }
            Some(table::Fault::Column { wanted, fields, row }) => {
                let row = before + row + 1;
                let words =
                    format!("invalid column index {wanted} at row {row} with {fields} columns");
                Some(at(Fault::value_error(words)))
            }
            Some(table::Fault::Number { text, row, column }) => {
                let mut shown = String::new();
                crate::interp::quote(&text, &mut shown);
                let words = format!(
                    "could not convert string {shown} to {dtype} at row {}, column {}.",
                    before + row,
                    column + 1
                );
                let hint = "`genfromtxt` reads what is no number as NaN; `usecols` chooses columns, of \
                            `load` `columns`";
                Some(at(Fault::value_error(words)).with_hint(hint))
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
    let size = dtype.size();
    let mut end = 0;
    let ends: Vec<usize> = (found.pieces.iter())
        .map(|piece| {
            end += piece.len();
            end
        })
        .collect();
    let fill = |at: usize, mut bytes: &mut [u8]| {
        let mut first = at / size;
        let mut number = ends.partition_point(|end| *end <= first);
        while !bytes.is_empty() {
            let piece = &found.pieces[number];
            let numbers = &piece[piece.len() - (ends[number] - first)..];
            let count = numbers.len().min(bytes.len() / size);
            let (some, rest) = bytes.split_at_mut(count * size);
            put(&numbers[..count], some, dtype);
            (bytes, first, number) = (rest, first + count, number + 1);
        }
        Ok(())
    };
    Ok(engine.filled(layout, dtype, "loadtxt", Content { read: &fill, file: None })?)
}

fn put(numbers: &[u64], bytes: &mut [u8], dtype: DType) {
    let (size, is_float) = (dtype.size(), dtype.is_float());
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
}
