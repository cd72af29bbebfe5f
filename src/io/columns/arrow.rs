//! Arrow's files, which are Feather 2: batches of rows, each column as it lies in memory, perhaps compressed.

use std::ops::Range;

use super::codec::{self, Codec};
use super::dictionary::{self, Encoding, Entries};
use super::flat::{Flat, Record};
use super::valid::Valid;
use super::{
    Column, Form, Found, MAX_FOOTER, MAX_PIECE, MAX_ROWS, Part, Piece, Place, Raw, Scratch, Table,
    Target, bytes_at, read_bytes,
};
use crate::dtype::DType;
use crate::io::{Error, Source};

/// Rows of a piece of a batch that is not compressed.
const ROWS: usize = 1 << 19;
/// Fields within each other, at the most.
const MAX_DEPTH: usize = 64;

/// A column in a batch of rows.
#[derive(Debug, Clone)]
pub struct Batch {
    pub rows: u64,
    pub nulls: u64,
    pub codec: Codec,
    /// Which rows have a value, a bit each; nothing where all have.
    pub valid: Range<u64>,
    pub data: Range<u64>,
}

/// # Errors
/// What the system gives; what is wrong with the file.
pub fn open(source: &Source) -> Result<Table, Error> {
    let length = source.length();
    let tail = bytes_at(source, length.saturating_sub(10), length.min(10))?;
    if length < 18 || !tail.ends_with(b"ARROW1") {
        return Error::format("the file does not end like one of Arrow: it is cut off");
    }
    let size = u64::from(u32::from_le_bytes(tail[..4].try_into().unwrap_or_default()));
    if size > (length - 18).min(MAX_FOOTER) {
        return Error::format(format!("what describes the columns has {size} bytes: too many"));
    }
    let bytes = bytes_at(source, length - 10 - size, size)?;
    let footer = Flat(&bytes).root()?;
    let Some(schema) = footer.table(1)? else {
        return Error::format("the file describes no columns");
    };
    if schema.int::<2>(0, 0)? != 0 {
        return Error::format("the file holds numbers with their highest byte first");
    }
    let fields = schema.list(1, 4)?;
    let (mut columns, mut walks, mut encodings) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..fields.len {
        let field = fields.table(number)?;
        let (mut kind, mut form) = form_of(&field)?;
        let encoding = Encoding::of(&field)?;
        if let Some(encoding) = &encoding {
            kind = format!("dictionary of {kind}");
            form = form.filter(|_| encoding.index.is_some());
        }
        encodings.push(encoding);
        let mut walk = Walk::default();
        walk.field(&field, 0)?;
        columns.push(Column { name: field.text(0)?, kind, form, nulls: Some(0) });
        walks.push(walk);
    }
    let blocks = footer.list(3, 24)?;
    let mut found: Vec<Vec<Batch>> = vec![Vec::new(); columns.len()];
    let mut rows = 0u64;
    for number in 0..blocks.len {
        let (start, about) = (blocks.long(number, 0)?, u64::from(blocks.word(number, 8)?));
        let bytes = bytes_at(source, start, about.min(MAX_FOOTER))?;
        let message = bytes.get(4..).unwrap_or(&[]);
        let message = behind_mark(&bytes, message);
        let body = (start.saturating_add(about), source.length());
        let Some(record) = header(message, 3)? else {
            return Error::format("what should be a batch of rows is none");
        };
        rows = rows.saturating_add(batch(&record, body, &walks, &mut found)?);
    }
    let read = columns.iter().zip(&encodings).filter(|(column, _)| column.form.is_some());
    let wanted = read.filter_map(|(_, encoding)| encoding.as_ref().map(|it| it.id)).collect();
    let mut dictionaries = dictionary::all(source, &footer, &wanted)?;
    let mut places = Vec::new();
    for ((column, batches), encoding) in columns.iter_mut().zip(found).zip(encodings) {
        let nulls = batches.iter().fold(0, |sum: u64, batch| sum.saturating_add(batch.nulls));
        column.nulls = column.form.map(|_| nulls);
        places.push(match (column.form, encoding) {
            (None, _) => Place::Elsewhere,
            (Some(_), None) => Place::Arrow(batches, None),
            (Some(_), Some(Encoding { id, index: Some(index) })) => {
                // Several columns may have one dictionary.
                let parts = dictionaries.entry(id).or_default().clone();
                // How many rows name an entry that is null is not said.
                column.nulls = column.nulls.filter(|_| parts.iter().all(|part| part.nulls == 0));
                Place::Arrow(batches, Some(Entries { parts, index }))
            }
            (Some(_), Some(_)) => Place::Elsewhere,
        });
    }
    Ok(Table { columns, rows, places })
}

/// A message behind its length, in front of which a mark stands since version 0.15.
pub(super) fn behind_mark<'a>(bytes: &[u8], message: &'a [u8]) -> &'a [u8] {
    if bytes.starts_with(&[0xff; 4]) { &message[message.len().min(4)..] } else { message }
}

/// What a message has, if it is one of a kind.
pub(super) fn header(message: &[u8], kind: i64) -> Result<Option<Record<'_>>, Error> {
    let message = Flat(message).root()?;
    let is_such = message.int::<1>(1, 0)? == kind;
    Ok(message.table(2)?.filter(|_| is_such))
}

/// How many nodes and buffers a field takes in each batch.
#[derive(Debug, Default)]
pub(super) struct Walk {
    nodes: usize,
    buffers: usize,
    /// How many columns of views there are, whose buffers each batch counts.
    views: usize,
}

impl Walk {
    fn field(&mut self, field: &Record<'_>, depth: usize) -> Result<(), Error> {
        if depth > MAX_DEPTH {
            return Error::format("the file describes columns that are too deep");
        }
        self.nodes += 1;
        let is_dictionary = field.table(4)?.is_some();
        let kind = field.int::<1>(2, 0)?;
        self.buffers += match kind {
            _ if is_dictionary => 2,
            1 | 22 => 0,
            4 | 5 | 19 | 20 | 25 | 26 => 3,
            12 | 17 | 21 => 2,
            13 | 16 => 1,
            // Sparse unions have the kind of each row, dense ones its place, too.
            14 => match field.table(3)? {
                Some(union) if union.int::<2>(0, 0)? == 1 => 2,
                _ => 1,
            },
            23 | 24 => {
                self.views += 1;
                2
            }
            _ => 2,
        };
        let children = field.list(5, 4)?;
        if !is_dictionary {
            for child in 0..children.len {
                self.field(&children.table(child)?, depth + 1)?;
            }
        }
        // A file can't describe more than it has bytes, but may name one field many times.
        match self.nodes > 1 << 20 {
            true => Error::format("the file describes too many columns"),
            false => Ok(()),
        }
    }
}

impl Walk {
    /// Of values that are numbers.
    pub(super) const PLAIN: Walk = Walk { nodes: 1, buffers: 2, views: 0 };
}

/// Notes where a batch has each column; how many rows it has.
pub(super) fn batch(
    record: &Record<'_>,
    (body, length): (u64, u64),
    walks: &[Walk],
    found: &mut [Vec<Batch>],
) -> Result<u64, Error> {
    let codec = match record.table(3)? {
        None => Codec::None,
        Some(compression) => match compression.int::<1>(0, 0)? {
            0 => Codec::Lz4Frame,
            1 => Codec::Zstd,
            _ => Codec::Other("an unknown codec"),
        },
    };
    let Ok(rows) = u64::try_from(record.int::<8>(0, 0)?) else {
        return Error::format("a batch claims fewer rows than none");
    };
    let (nodes, buffers, views) = (record.list(1, 16)?, record.list(2, 16)?, record.list(4, 8)?);
    let (mut node, mut buffer, mut view) = (0, 0, 0);
    for (walk, batches) in walks.iter().zip(found) {
        let range = |number: usize| -> Result<Range<u64>, Error> {
            if number >= buffers.len {
                return Error::format("a batch lacks a column");
            }
            let (offset, size) = (buffers.long(number, 0)?, buffers.long(number, 8)?);
            let start = body.checked_add(offset);
            match start.and_then(|start| Some(start..start.checked_add(size)?)) {
                Some(range) if range.end <= length => Ok(range),
                _ => Error::format("a column reaches beyond the file"),
            }
        };
        if node >= nodes.len {
            return Error::format("a batch lacks a column");
        }
        let (own, nulls) = (nodes.long(node, 0)?, nodes.long(node, 8)?);
        if walk.nodes == 1 && walk.buffers == 2 {
            if own != rows || nulls > rows {
                return Error::format(format!("a column has {own} values in a batch of {rows}"));
            }
            let (valid, data) = (range(buffer)?, range(buffer.saturating_add(1))?);
            batches.push(Batch { rows, nulls, codec, valid, data });
        }
        // A count of views may be anything: what lies beyond the buffers is missed when it is wanted.
        (node, buffer) = (node + walk.nodes, buffer.saturating_add(walk.buffers));
        for _ in 0..walk.views {
            let more = if view < views.len { views.long(view, 0)? } else { 0 };
            buffer = buffer.saturating_add(usize::try_from(more).unwrap_or(usize::MAX));
            view += 1;
        }
    }
    Ok(rows)
}

/// The pieces of a column.
pub fn pieces(batches: &[Batch], form: &Form) -> Result<Vec<Piece>, Error> {
    let mut pieces = Vec::new();
    for (number, batch) in batches.iter().enumerate() {
        if batch.codec != Codec::None && batch.rows > MAX_ROWS {
            return Error::format(format!("a batch of {} rows is too large", batch.rows));
        }
        // Rows that are there take a bit at least.
        let there = (batch.data.end - batch.data.start).saturating_mul(8);
        if batch.codec == Codec::None && batch.rows > there {
            return Error::format("a column ends before its values do");
        }
        let step = if batch.codec == Codec::None { ROWS } else { batch.rows.max(1) as usize };
        for first in (0..batch.rows as usize).step_by(step) {
            let rows = step.min(batch.rows as usize - first);
            let share =
                (batch.data.end - batch.data.start) as u128 * rows as u128 / u128::from(batch.rows);
            let memory = rows.saturating_mul(2 * form.size() + 1).saturating_add(share as usize);
            pieces.push(Piece {
                rows,
                bytes: share as u64,
                memory,
                part: Part::Rows { batch: number, first },
            });
        }
    }
    Ok(pieces)
}

impl Batch {
    /// Writes the elements of some rows as they are wanted: false as [`super::Want::lay_out`] says.
    pub(super) fn fill(
        &self,
        source: &Source,
        form: &Form,
        target: Target<'_>,
        scratch: &mut Scratch,
    ) -> Result<bool, Error> {
        let (Target { want, rows, out }, size) = (target, form.size());
        if self.is_whole() && want.is_same(form) && form.raw != Raw::Bit {
            let part = rows.start * size..rows.end * size;
            self.fill_bytes(source, &self.data, part, scratch, out)?;
            return Ok(true);
        }
        let (values, valid) = self.read(source, form, rows.clone(), scratch)?;
        let found = Found { values, valid, is_dense: false };
        want.lay_out(form, &found, rows.len(), 0..rows.len(), out)
    }

    fn is_whole(&self) -> bool {
        self.nulls == 0 || self.valid.is_empty()
    }

    /// What stands in some rows, and which of them have a value.
    pub(super) fn read<'a>(
        &self,
        source: &Source,
        form: &Form,
        rows: Range<usize>,
        scratch: &'a mut Scratch,
    ) -> Result<(&'a [u8], Option<Valid>), Error> {
        let bits = |range: &Range<u64>, scratch: &mut Scratch| -> Result<Valid, Error> {
            let first = rows.start / 8;
            let part = first..rows.end.div_ceil(8);
            let mut bytes = std::mem::take(&mut scratch.values);
            bytes.resize(part.len(), 0);
            let done = self.fill_bytes(source, range, part, scratch, &mut bytes);
            let valid = Valid::of_bits(&bytes, rows.start % 8, rows.len());
            scratch.values = bytes;
            done.map(|()| valid)
        };
        let valid = if self.is_whole() { None } else { Some(bits(&self.valid, &mut *scratch)?) };
        if form.raw == Raw::Bit {
            let found = bits(&self.data, &mut *scratch)?;
            scratch.values.clear();
            scratch.values.extend((0..rows.len()).map(|row| u8::from(found.get(row))));
            return Ok((&scratch.values, valid));
        }
        let size = form.size();
        let mut bytes = std::mem::take(&mut scratch.values);
        bytes.resize(rows.len() * size, 0);
        let part = rows.start * size..rows.end * size;
        let done = self.fill_bytes(source, &self.data, part, scratch, &mut bytes);
        scratch.values = bytes;
        done?;
        Ok((&scratch.values, valid))
    }

    /// Some bytes of a buffer, decompressed.
    fn fill_bytes(
        &self,
        source: &Source,
        range: &Range<u64>,
        part: Range<usize>,
        scratch: &mut Scratch,
        out: &mut [u8],
    ) -> Result<(), Error> {
        let early = || Error::Format("a column ends before its values do".to_owned());
        let there = range.end - range.start;
        if self.codec == Codec::None {
            if part.end as u64 > there {
                return Err(early());
            }
            return source.read_at(range.start + part.start as u64, out);
        }
        if part.is_empty() {
            return Ok(());
        }
        let Scratch { raw, page, decoder, .. } = scratch;
        read_bytes(source, range.start, there, raw)?;
        let Some((size, packed)) = raw.split_first_chunk::<8>() else { return Err(early()) };
        let whole = match i64::from_le_bytes(*size) {
            -1 => packed,
            size => {
                let size = usize::try_from(size).unwrap_or(usize::MAX);
                // Buffers are a little longer than their elements, and no more.
                if size > MAX_PIECE.min(part.end.saturating_mul(2).saturating_add(4096)) {
                    return Error::format(format!(
                        "a column claims {size} bytes, which are too many"
                    ));
                }
                if part == (0..size) && codec::is_filled(self.codec, packed, size) {
                    return codec::fill(self.codec, packed, out);
                }
                decoder.decompress(self.codec, packed, size, page)?;
                &page[..]
            }
        };
        out.copy_from_slice(whole.get(part).ok_or_else(early)?);
        Ok(())
    }
}

/// What a column's type is called, and what its elements become.
fn form_of(field: &Record<'_>) -> Result<(String, Option<Form>), Error> {
    let about = field.table(3)?;
    let int =
        |field: usize, usual: i64| about.as_ref().map_or(Ok(usual), |it| it.int::<4>(field, usual));
    let short =
        |field: usize, usual: i64| about.as_ref().map_or(Ok(usual), |it| it.int::<2>(field, usual));
    let unit = |usual| -> Result<&str, Error> {
        Ok(["s", "ms", "us", "ns"].get(short(0, usual)? as usize).unwrap_or(&"?"))
    };
    let called = |dtype: DType| (dtype.to_string(), Some(Form::plain(dtype)));
    let words = |name: &str| (name.to_owned(), None);
    Ok(match field.int::<1>(2, 0)? {
        2 => {
            let is_signed = about.as_ref().map_or(Ok(0), |it| it.int::<1>(1, 0))? != 0;
            match (int(0, 0)?, is_signed) {
                (8, true) => called(DType::I8),
                (16, true) => called(DType::I16),
                (32, true) => called(DType::I32),
                (64, true) => called(DType::I64),
                (8, false) => called(DType::U8),
                (16, false) => called(DType::U16),
                (32, false) => called(DType::U32),
                (64, false) => called(DType::U64),
                _ => words("of an unknown type"),
            }
        }
        3 => match short(0, 0)? {
            0 => called(DType::F16),
            1 => called(DType::F32),
            2 => called(DType::F64),
            _ => words("of an unknown type"),
        },
        6 => ("bool".to_owned(), Some(Form { dtype: DType::Bool, raw: Raw::Bit })),
        7 => {
            let (scale, width) = (int(1, 0)?.clamp(-400, 400) as i32, int(2, 128)?);
            match width {
                32 | 64 | 128 => {
                    let raw = Raw::Decimal { size: width as usize / 8, scale, is_big: false };
                    ("decimal".to_owned(), Some(Form { dtype: DType::F64, raw }))
                }
                _ => words("decimal of more than 38 digits"),
            }
        }
        8 => {
            let dtype = if short(0, 1)? == 0 { DType::I32 } else { DType::I64 };
            ("date".to_owned(), Some(Form::plain(dtype)))
        }
        9 => {
            let dtype = if int(1, 32)? == 32 { DType::I32 } else { DType::I64 };
            (format!("time[{}]", unit(1)?), Some(Form::plain(dtype)))
        }
        10 => (format!("timestamp[{}]", unit(0)?), Some(Form::plain(DType::I64))),
        18 => (format!("duration[{}]", unit(1)?), Some(Form::plain(DType::I64))),
        5 | 20 | 24 => words("text"),
        4 | 15 | 19 | 23 => words("bytes"),
        1 => words("null"),
        11 => words("interval"),
        _ => words("nested"),
    })
}
