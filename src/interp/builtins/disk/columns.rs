//! Columns of tables: Parquet, Arrow and Feather, read by all threads, some pieces at a time.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

use super::{fault, source};
use crate::device::BYTES;
use crate::diag::Fault;
use crate::dtype::DType;
use crate::interp::builtins::Call;
use crate::interp::room;
use crate::interp::value::Value;
use crate::io::Source;
use crate::io::columns::{self, Column, Reading, Table, Want};
use crate::layout::{Layout, Shape};
use crate::tensor::PutParts;

/// Bytes that pieces take which are decoded at once; one piece may take more.
const WINDOW: usize = 64 << 20;

fn open(call: &Call<'_>) -> Result<(Source, Table, String), Fault> {
    let (source, path) = source(call)?;
    let table = columns::open(&source).map_err(|error| fault(error, &path))?;
    Ok((source, table, path))
}

pub fn header(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (_, table, _) = open(call)?;
    room::things(call.engine(), table.columns.len(), 4 * room::SHORT_TEXT)?;
    let about = |column: &Column| {
        Value::tuple([
            Value::str(&column.name),
            Value::str(&column.kind),
            column.form.map_or(Value::None, |form| Value::DType(form.dtype)),
            column.nulls.map_or(Value::None, |nulls| Value::Int(nulls as i64)),
        ])
    };
    let rows = i64::try_from(table.rows).unwrap_or(i64::MAX);
    let columns = table.columns.iter().map(about).collect();
    Ok(Value::tuple([Value::Int(rows), Value::list(columns)]))
}

/// None where one is null and nothing stands for it.
pub fn read(call: &mut Call<'_>) -> Result<Value, Fault> {
    let dtype = call.dtype(2)?.unwrap_or(DType::F64);
    let fill = match call.is_none(3) {
        true => None,
        false => {
            let value = call.tensor_of(3, dtype)?;
            let value = call.engine().cast(&value, dtype)?;
            Some(call.engine().to_host(&value)?.bytes)
        }
    };
    gather(call, &Want { dtype, fill, is_mask: false }, 4)
}

pub fn nulls(call: &mut Call<'_>) -> Result<Value, Fault> {
    gather(call, &Want { dtype: DType::Bool, fill: None, is_mask: true }, 2)
}

/// Some rows of a column, whose numbers are the arguments from `at` on.
fn gather(call: &Call<'_>, want: &Want, at: usize) -> Result<Value, Fault> {
    let (source, table, path) = open(call)?;
    let number = call.int(1)?.max(0) as usize;
    let wrong = |error| fault(error, &path);
    let Some(reading) = table.reading(&source, number).map_err(wrong)? else {
        return Err(Fault::value_error("no tensor holds such a column"));
    };
    let [first, last] = [at, at + 1].map(|at| call.int(at).map(|row| row.max(0) as usize));
    let (first, last) = (first?, last?.min(table.rows as usize));
    let count = last.saturating_sub(first);
    let layout = Layout::contiguous(Shape::from([count]));
    let is_missing = Cell::new(false);
    let gathering = Gathering { call, reading: &reading, want, path: &path, rows: first..last };
    let made = call
        .engine()
        .filled_in_parts(layout, want.dtype, "load", |put| gathering.run(put, &is_missing));
    if is_missing.get() {
        return Ok(Value::None);
    }
    Ok(made?.into())
}

struct Gathering<'a, 'b> {
    call: &'a Call<'b>,
    reading: &'a Reading<'a>,
    want: &'a Want,
    path: &'a str,
    rows: std::ops::Range<usize>,
}

impl Gathering<'_, '_> {
    /// Has the elements made, in the order of rows.
    fn run(&self, put: &mut PutParts<'_>, is_missing: &Cell<bool>) -> Result<(), Fault> {
        let (engine, size) = (self.call.engine(), self.want.dtype.size());
        // The pieces that have such rows, each with the number of its first.
        let (mut wanted, mut row) = (Vec::new(), 0);
        for (number, piece) in self.reading.pieces.iter().enumerate() {
            if row < self.rows.end && row + piece.rows > self.rows.start {
                wanted.push((number, row));
            }
            row += piece.rows;
        }
        let piece = |(number, _): &(usize, usize)| &self.reading.pieces[*number];
        let total = wanted.iter().map(|one| piece(one).bytes).sum();
        let _task = engine.under_way().begin(self.path, BYTES, total);
        let interrupt = engine.interrupt().clone();
        let mut rest = &wanted[..];
        while !rest.is_empty() {
            interrupt.heed()?;
            let (mut count, mut memory) = (0, 0usize);
            for one in rest {
                let more = memory.saturating_add(piece(one).memory);
                if count > 0 && more > WINDOW {
                    break;
                }
                (count, memory) = (count + 1, more);
            }
            engine.make_room(memory, || "a column's pieces".to_owned())?;
            let (some, behind) = rest.split_at(count);
            let (reading, want, all) = (self.reading, self.want, self.rows.clone());
            let rows = |one: &(usize, usize)| {
                let from = all.start.saturating_sub(one.1);
                from..(all.end - one.1).min(reading.pieces[one.0].rows)
            };
            let lengths: Vec<usize> = some.iter().map(|one| rows(one).len() * size).collect();
            // Threads hand over what went wrong by setting it aside: the first in the order of rows is told.
            let done: Vec<Mutex<_>> = some.iter().map(|_| Mutex::new(Ok(true))).collect();
            put(&lengths, &|at, bytes| {
                if !interrupt.is_raised() {
                    let made = reading.fill(some[at].0, want, rows(&some[at]), bytes);
                    *done[at].lock().unwrap_or_else(PoisonError::into_inner) = made;
                }
            })?;
            interrupt.heed()?;
            for (one, done) in some.iter().zip(done) {
                let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
                if !done.map_err(|error| fault(error, self.path))? {
                    is_missing.set(true);
                    return Err(Fault::value_error("an element is null"));
                }
                engine.under_way().add(piece(one).bytes);
            }
            rest = behind;
        }
        Ok(())
    }
}
