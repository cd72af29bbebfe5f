//! Columns of tables: Parquet, Arrow's files (Feather 2) and Feather 1. A column of numbers comes in pieces, each
//! of which is decoded by itself, so that many are at once and none needs more memory than its own.
//!
//! Nothing that a file says of itself is believed: what it claims is held against the bytes that are there before
//! memory is asked for, and what is decompressed grows no further than was claimed.

mod arrow;
mod codec;
mod dictionary;
mod feather;
mod flat;
mod page;
mod parquet;
mod runs;
mod thrift;
mod valid;
mod values;

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Error, Source};

use values::Found;
pub use values::{Form, Raw, Want};

/// Bytes of what stands about the columns at a file's end, at the most.
const MAX_FOOTER: u64 = 256 << 20;
/// Bytes of a piece, at the most: hundreds of times what writers make.
const MAX_PIECE: usize = 1 << 30;
/// Rows of a piece, at the most: all rows of the largest group that pyarrow writes.
const MAX_ROWS: u64 = 1 << 26;

/// A column, as the file describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub name: String,
    /// As Arrow calls the type: `int64`, `timestamp[us]`, `text`.
    pub kind: String,
    /// What its elements become; none for what no tensor holds.
    pub form: Option<Form>,
    /// How many are null, where the file says so.
    pub nulls: Option<u64>,
}

/// What a file holds.
#[derive(Debug)]
pub struct Table {
    pub columns: Vec<Column>,
    pub rows: u64,
    /// Where each column lies.
    places: Vec<Place>,
}

/// Where a column lies.
#[derive(Debug)]
enum Place {
    /// In chunks, one for each group of rows.
    Parquet { chunks: Vec<parquet::Chunk>, depth: u32 },
    /// In batches of rows, which name entries of a dictionary if there is one.
    Arrow(Vec<arrow::Batch>, Option<dictionary::Entries>),
    /// No tensor holds it.
    Elsewhere,
}

/// Some rows of a column, which are decoded together.
#[derive(Debug, Clone)]
pub struct Piece {
    pub rows: usize,
    /// Bytes in the file.
    pub bytes: u64,
    /// About how much memory decoding it takes.
    pub memory: usize,
    part: Part,
}

#[derive(Debug, Clone)]
enum Part {
    Page { chunk: usize, page: page::Page },
    Rows { batch: usize, first: usize },
}

/// A column that is being read, by several threads.
#[derive(Debug)]
pub struct Reading<'a> {
    source: &'a Source,
    form: Form,
    place: &'a Place,
    /// In the order of rows.
    pub pieces: Vec<Piece>,
    /// The dictionaries of the chunks at work.
    dictionaries: Mutex<Vec<(usize, Arc<Vec<u8>>)>>,
    /// The one of a column of Arrow.
    entries: Mutex<Option<Arc<dictionary::Dictionary>>>,
    /// Memory that one piece needs after the other, as much as there are threads at work.
    scratches: Mutex<Vec<Scratch>>,
}

/// Where some rows go, and as what.
struct Target<'a> {
    want: &'a Want,
    rows: Range<usize>,
    out: &'a mut [u8],
}

/// Memory in which a piece is decoded: what is read, what that is decompressed, and values.
#[derive(Debug, Default)]
struct Scratch {
    raw: Vec<u8>,
    page: Vec<u8>,
    values: Vec<u8>,
    decoder: codec::Decoder,
}

/// Dictionaries that are kept: as many chunks are hardly at work at once.
const KEPT: usize = 8;

/// Reads what a file says of its columns.
///
/// # Errors
/// What the system gives; what is wrong with the file.
pub fn open(source: &Source) -> Result<Table, Error> {
    let mut mark = [0; 6];
    let length = source.length().min(6) as usize;
    source.read_at(0, &mut mark[..length])?;
    match &mark {
        mark if mark.starts_with(b"PAR1") => parquet::open(source),
        b"ARROW1" => arrow::open(source),
        mark if mark.starts_with(b"FEA1") => feather::open(source),
        mark if mark.starts_with(b"PARE") => Error::format("an encrypted Parquet file is not read"),
        _ => Error::format("it begins like no file of Parquet, Arrow or Feather"),
    }
}

impl Table {
    /// Begins to read a column; none where no tensor holds it.
    ///
    /// # Errors
    /// What the system gives; what is wrong with the file.
    pub fn reading<'a>(
        &'a self,
        source: &'a Source,
        column: usize,
    ) -> Result<Option<Reading<'a>>, Error> {
        let (Some(place), Some(form)) =
            (self.places.get(column), self.columns.get(column).and_then(|column| column.form))
        else {
            return Ok(None);
        };
        let pieces = match place {
            Place::Parquet { chunks, .. } => page::pieces(source, chunks, &form)?,
            Place::Arrow(batches, None) => arrow::pieces(batches, &form)?,
            Place::Arrow(batches, Some(entries)) => {
                let mut pieces = arrow::pieces(batches, &entries.index)?;
                let memory = |rows: usize| rows.saturating_mul(2 * form.size());
                pieces
                    .iter_mut()
                    .for_each(|it| it.memory = it.memory.saturating_add(memory(it.rows)));
                pieces
            }
            Place::Elsewhere => return Ok(None),
        };
        let rows: u64 = pieces.iter().map(|piece| piece.rows as u64).sum();
        if rows != self.rows {
            let name = &self.columns[column].name;
            return Error::format(format!(
                "column '{name}' has {rows} rows of {}: the file is damaged",
                self.rows
            ));
        }
        let (dictionaries, entries, scratches) = Default::default();
        Ok(Some(Reading { source, form, place, pieces, dictionaries, entries, scratches }))
    }
}

impl Reading<'_> {
    /// Writes some rows of a piece as they are wanted; false where one is null and nothing stands for it.
    ///
    /// # Errors
    /// What the system gives; what is wrong with the file.
    pub fn fill(
        &self,
        number: usize,
        want: &Want,
        rows: Range<usize>,
        out: &mut [u8],
    ) -> Result<bool, Error> {
        let taken = self.scratches.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut scratch = taken.unwrap_or_default();
        let target = Target { want, rows, out };
        let done = self.fill_with(&self.pieces[number], target, &mut scratch);
        self.scratches.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
        done
    }

    fn fill_with(
        &self,
        piece: &Piece,
        target: Target<'_>,
        scratch: &mut Scratch,
    ) -> Result<bool, Error> {
        let form = &self.form;
        match (&piece.part, self.place) {
            (Part::Page { chunk, page }, Place::Parquet { chunks, depth }) => {
                let place = &chunks[*chunk];
                let dictionary = self.dictionary(*chunk, place)?;
                let from = (self.source, place);
                page.fill(from, (*depth, form), &dictionary, target, scratch)
            }
            (Part::Rows { batch, first }, Place::Arrow(batches, None)) => {
                let rows = first + target.rows.start..first + target.rows.end;
                batches[*batch].fill(self.source, form, Target { rows, ..target }, scratch)
            }
            (Part::Rows { batch, first }, Place::Arrow(batches, Some(entries))) => {
                let all = *first..*first + piece.rows;
                let (numbers, valid) =
                    batches[*batch].read(self.source, &entries.index, all, scratch)?;
                let (dictionary, mut values) = (self.entries(entries)?, Vec::new());
                let found = dictionary.look_up(
                    (&entries.index, form.size()),
                    (numbers, valid),
                    &mut values,
                )?;
                let Target { want, rows, out } = target;
                want.lay_out(form, &found, piece.rows, rows, out)
            }
            _ => Error::format("a column's pieces are none of its own"),
        }
    }

    fn entries(&self, entries: &dictionary::Entries) -> Result<Arc<dictionary::Dictionary>, Error> {
        let mut kept = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*kept {
            return Ok(known.clone());
        }
        let made = Arc::new(entries.read(self.source, &self.form)?);
        *kept = Some(made.clone());
        Ok(made)
    }

    fn dictionary(&self, number: usize, chunk: &parquet::Chunk) -> Result<Arc<Vec<u8>>, Error> {
        let mut kept = self.dictionaries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, dictionary)) = kept.iter().find(|(known, _)| *known == number) {
            return Ok(dictionary.clone());
        }
        let made = Arc::new(page::dictionary(self.source, chunk, &self.form)?);
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push((number, made.clone()));
        Ok(made)
    }
}

/// So many bytes from a place of a file on, which are there.
fn bytes_at(source: &Source, at: u64, length: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    read_bytes(source, at, length, &mut bytes)?;
    Ok(bytes)
}

/// The same in memory that is there.
fn read_bytes(source: &Source, at: u64, length: u64, bytes: &mut Vec<u8>) -> Result<(), Error> {
    if at.checked_add(length).is_none_or(|end| end > source.length()) {
        return Error::format(format!(
            "{length} bytes from byte {at} on reach beyond the file, which has {}",
            source.length()
        ));
    }
    if length > MAX_PIECE as u64 {
        return Error::format(format!("{length} bytes in one piece are too many"));
    }
    if bytes.capacity() < length as usize {
        *bytes = vec![0; length as usize];
    }
    bytes.resize(length as usize, 0);
    source.read_at(at, bytes)
}
