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
    let mut text = Vec::new();
    let _task = engine.under_way().begin(path, BYTES, source.length().saturating_sub(at));
    while (at < source.length() || !text.is_empty()) && found.rows < most && windows > 0 {
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
        let grown = (found.numbers.len() + counted) * size_of::<u64>();
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
        text.drain(..end);
        if end == 0 && at >= source.length() {
            break;
        }
        // A line that is longer than that is read whole.
        windows -= usize::from(end > 0);
    }
    part.at = at - text.len() as u64;
    Ok(Some(found))
}

impl Read {
    /// Takes the rows of the next piece. An error without words is the language's to find.
    fn take(
        &mut self,
        piece: Piece,
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
        self.numbers.extend_from_slice(&piece.numbers[..rows * piece.width]);
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
