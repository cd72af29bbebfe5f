//! Parquet's pages: where they are, and their values.

use super::codec::decompress;
use super::parquet::Chunk;
use super::thrift::{Compact, I32, STRUCT, TRUE, Wrong};
use super::{Form, Found, MAX_PIECE, MAX_ROWS, Part, Piece, Raw, bytes_at, runs};
use crate::io::{Error, Source};

/// Bytes that are looked at first for what a page says of itself, and at the most.
const GLANCE: u64 = 256;
const MAX_HEADER: u64 = 1 << 20;
/// Bytes of a dictionary, at the most: a hundred times what writers make.
const MAX_DICTIONARY: usize = 128 << 20;

/// A page, behind what it says of itself.
#[derive(Debug, Clone, Default)]
pub struct Page {
    kind: i64,
    start: u64,
    compressed: u64,
    size: usize,
    values: i64,
    encoding: i64,
    /// How levels are encoded, of pages of the first kind.
    levels: i64,
    /// Bytes of levels, of pages of the second kind, which are not compressed.
    repetitions: i64,
    definitions: i64,
    is_plain: bool,
}

const DATA: i64 = 0;
const DICTIONARY: i64 = 2;
const DATA_AGAIN: i64 = 3;

fn header(bytes: &[u8]) -> Result<(Page, usize), Wrong> {
    let (mut page, mut text) = (Page { kind: -1, ..Page::default() }, Compact::new(bytes));
    let (mut size, mut compressed) = (-1, -1);
    text.fields(|it, number, kind| {
        match (number, kind) {
            (1, I32) => page.kind = it.int()?,
            (2, I32) => size = it.int()?,
            (3, I32) => compressed = it.int()?,
            (5 | 7 | 8, STRUCT) => it.fields(|it, field, kind| {
                match (number, field, kind) {
                    (_, 1, I32) => page.values = it.int()?,
                    (5 | 7, 2, I32) | (8, 4, I32) => page.encoding = it.int()?,
                    (5, 3, I32) => page.levels = it.int()?,
                    (8, 5, I32) => page.definitions = it.int()?,
                    (8, 6, I32) => page.repetitions = it.int()?,
                    (8, 7, kind) => page.is_plain = kind != TRUE,
                    _ => return Ok(false),
                }
                Ok(true)
            })?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let (Ok(size), Ok(compressed)) = (usize::try_from(size), u64::try_from(compressed)) else {
        return Err(Wrong::Broken);
    };
    (page.size, page.compressed) = (size, compressed);
    Ok((page, text.at))
}

/// The page that begins at a byte of a chunk.
fn page_at(source: &Source, chunk: &Chunk, at: u64) -> Result<Page, Error> {
    let mut glance = GLANCE;
    loop {
        let there = glance.min(chunk.end - at);
        match header(&bytes_at(source, at, there)?) {
            Ok((mut page, length)) => {
                page.start = at + length as u64;
                let is_inside = page.compressed <= chunk.end - page.start;
                if !is_inside || page.size > MAX_PIECE {
                    return Error::format(format!("a page at byte {at} reaches beyond its column"));
                }
                return Ok(page);
            }
            Err(Wrong::Early) if there == glance && glance < MAX_HEADER => glance *= 4,
            Err(_) => return Error::format(format!("what a page says at byte {at} is damaged")),
        }
    }
}

/// The pages of a column that hold rows, in their order.
pub fn pieces(source: &Source, chunks: &[Chunk], form: &Form) -> Result<Vec<Piece>, Error> {
    let mut pieces = Vec::new();
    for (number, chunk) in chunks.iter().enumerate() {
        let (mut at, mut rows) = (chunk.start, 0);
        while rows < chunk.rows {
            if at >= chunk.end {
                return Error::format(format!("a column has {rows} values of {}", chunk.rows));
            }
            let page = page_at(source, chunk, at)?;
            at = page.start + page.compressed;
            if !matches!(page.kind, DATA | DATA_AGAIN) {
                continue;
            }
            let values = u64::try_from(page.values).unwrap_or(u64::MAX);
            if values > MAX_ROWS.min(chunk.rows - rows) {
                return Error::format(format!("a page claims {values} values, which are too many"));
            }
            rows += values;
            let count = values as usize;
            // The page, its values, the indices of a dictionary and the result.
            let memory = page.compressed as usize + page.size + count * (form.size() + 12);
            let (bytes, part) = (page.compressed, Part::Page { chunk: number, page });
            pieces.push(Piece { rows: count, bytes, memory, part });
        }
    }
    Ok(pieces)
}

/// The values of a chunk's dictionary; none where it has no such page.
pub fn dictionary(source: &Source, chunk: &Chunk, form: &Form) -> Result<Vec<u8>, Error> {
    if chunk.start >= chunk.end {
        return Ok(Vec::new());
    }
    let page = page_at(source, chunk, chunk.start)?;
    if page.kind != DICTIONARY {
        return Ok(Vec::new());
    }
    if page.size > MAX_DICTIONARY {
        return Error::format(format!("a dictionary of {} bytes is too large", page.size));
    }
    let bytes = decompress(chunk.codec, bytes_at(source, page.start, page.compressed)?, page.size)?;
    let count = usize::try_from(page.values).unwrap_or(usize::MAX);
    match page.encoding {
        0 | 2 => plain(&bytes, form, count),
        other => Error::format(format!("a dictionary is encoded in an unknown way: {other}")),
    }
}

impl Page {
    /// The values, and which rows have one.
    pub(super) fn decode(
        &self,
        source: &Source,
        chunk: &Chunk,
        (depth, form): (u32, &Form),
        dictionary: &[u8],
    ) -> Result<Found, Error> {
        let rows = self.values.max(0) as usize;
        let raw = bytes_at(source, self.start, self.compressed)?;
        let (levels, values) = match self.kind {
            DATA_AGAIN => self.parts(chunk, raw)?,
            _ => self.cut(decompress(chunk.codec, raw, self.size)?, depth)?,
        };
        let valid = match depth {
            0 => None,
            depth => valid(&levels, depth, rows)?,
        };
        let there = valid.as_ref().map_or(rows, |valid| valid.iter().filter(|is| **is).count());
        let values = self.values(&values, form, there, dictionary)?;
        Ok(Found { values, valid })
    }

    /// Levels and values of a page of the first kind.
    fn cut(&self, bytes: Vec<u8>, depth: u32) -> Result<(Vec<u8>, Vec<u8>), Error> {
        if depth == 0 {
            return Ok((Vec::new(), bytes));
        }
        if self.levels != 3 {
            return Error::format("a page says in an unknown way which values are null");
        }
        let length =
            bytes.get(..4).map(|four| u32::from_le_bytes(four.try_into().unwrap_or_default()));
        let end = length.and_then(|length| 4usize.checked_add(length as usize));
        match end.filter(|end| *end <= bytes.len()) {
            Some(end) => Ok((bytes[4..end].to_vec(), bytes[end..].to_vec())),
            None => Error::format("a page ends before its values do"),
        }
    }

    /// The same of one of the second kind, whose levels are never compressed.
    fn parts(&self, chunk: &Chunk, mut raw: Vec<u8>) -> Result<(Vec<u8>, Vec<u8>), Error> {
        let lengths =
            [self.repetitions, self.definitions].map(|length| usize::try_from(length).ok());
        let [Some(before), Some(levels)] = lengths else {
            return Error::format("a page's levels have fewer bytes than none");
        };
        let end = before.checked_add(levels).filter(|end| *end <= raw.len().min(self.size));
        let Some(end) = end else { return Error::format("a page ends before its levels do") };
        let values = raw.split_off(end);
        let values = match self.is_plain || values.is_empty() {
            true => values,
            false => decompress(chunk.codec, values, self.size - end)?,
        };
        Ok((raw[before..end].to_vec(), values))
    }

    fn values(
        &self,
        bytes: &[u8],
        form: &Form,
        count: usize,
        dictionary: &[u8],
    ) -> Result<Vec<u8>, Error> {
        let size = form.size();
        match self.encoding {
            0 => plain(bytes, form, count),
            2 | 8 => looked_up(bytes, size, count, dictionary),
            3 if form.raw == Raw::Bit => {
                let mut values = Vec::with_capacity(count);
                let bytes = bytes.get(4..).unwrap_or(&[]);
                runs::hybrid(bytes, 1, count, |value, run| {
                    values.resize(values.len() + run, value as u8 & 1);
                    Ok(())
                })?;
                Ok(values)
            }
            5 if matches!(size, 4 | 8) && form.raw != Raw::Bit => runs::delta(bytes, size, count),
            9 if form.raw != Raw::Bit => {
                if bytes.len() != count * size {
                    return Error::format("a page has other values than it says");
                }
                let mut values = vec![0; bytes.len()];
                for (at, value) in values.chunks_exact_mut(size).enumerate() {
                    for (byte, place) in value.iter_mut().enumerate() {
                        *place = bytes[byte * count + at];
                    }
                }
                Ok(values)
            }
            other => Error::format(format!("values are encoded in an unknown way: {other}")),
        }
    }
}

/// Values one behind the other.
fn plain(bytes: &[u8], form: &Form, count: usize) -> Result<Vec<u8>, Error> {
    if form.raw == Raw::Bit {
        if count.div_ceil(8) > bytes.len() {
            return Error::format("a page ends before its values do");
        }
        return Ok((0..count).map(|at| bytes[at / 8] >> (at % 8) & 1).collect());
    }
    match count.checked_mul(form.size()).and_then(|size| bytes.get(..size)) {
        Some(values) => Ok(values.to_vec()),
        None => Error::format("a page ends before its values do"),
    }
}

/// Values by their places in a dictionary.
fn looked_up(bytes: &[u8], size: usize, count: usize, dictionary: &[u8]) -> Result<Vec<u8>, Error> {
    let Some((width, bytes)) = bytes.split_first() else {
        return if count == 0 { Ok(Vec::new()) } else { Error::format("a page is empty") };
    };
    let mut values = Vec::with_capacity(count * size);
    runs::hybrid(bytes, u32::from(*width), count, |place, run| {
        let start = place as usize * size;
        let Some(value) = dictionary.get(start..start + size) else {
            return Error::format(format!("a page names value {place} of a shorter dictionary"));
        };
        (0..run).for_each(|_| values.extend_from_slice(value));
        Ok(())
    })?;
    Ok(values)
}

/// Which rows have a value; all where that is not said.
fn valid(levels: &[u8], depth: u32, rows: usize) -> Result<Option<Vec<bool>>, Error> {
    let width = u32::BITS - depth.leading_zeros();
    let mut valid = Vec::new();
    let (mut done, mut has_null) = (0, false);
    runs::hybrid(levels, width, rows, |level, run| {
        let is_there = level == depth;
        if !is_there && !has_null {
            has_null = true;
            valid = Vec::with_capacity(rows);
            valid.resize(done, true);
        }
        done += run;
        if has_null {
            valid.resize(done, is_there);
        }
        Ok(())
    })?;
    Ok(has_null.then_some(valid))
}
