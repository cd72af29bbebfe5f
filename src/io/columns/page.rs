//! Parquet's pages: where they are, and their values.

use super::codec::{Codec, Decoder};
use super::parquet::Chunk;
use super::runs::{Run, runs, unpack};
use super::thrift::{Compact, I32, STRUCT, TRUE, Wrong};
use super::valid::Valid;
use super::{
    Form, Found, MAX_PIECE, MAX_ROWS, Part, Piece, Raw, Scratch, Target, bytes_at, read_bytes, runs,
};
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
    let (raw, mut bytes) = (bytes_at(source, page.start, page.compressed)?, Vec::new());
    Decoder::default().decompress(chunk.codec, &raw, page.size, &mut bytes)?;
    let count = usize::try_from(page.values).unwrap_or(usize::MAX);
    match page.encoding {
        0 | 2 => {
            let is_there = |size: usize| size.div_ceil(if form.raw == Raw::Bit { 8 } else { 1 });
            let size = count.checked_mul(form.size());
            if size.is_none_or(|size| is_there(size) > bytes.len()) {
                return Error::format("a page ends before its values do");
            }
            let mut values = vec![0; count * form.size()];
            plain(&bytes, form, &mut values)?;
            Ok(values)
        }
        other => Error::format(format!("a dictionary is encoded in an unknown way: {other}")),
    }
}

impl Page {
    /// Writes the elements of some rows as they are wanted: false as [`super::Want::lay_out`] says.
    pub(super) fn fill(
        &self,
        (source, chunk): (&Source, &Chunk),
        (depth, form): (u32, &Form),
        dictionary: &[u8],
        target: Target<'_>,
        scratch: &mut Scratch,
    ) -> Result<bool, Error> {
        let Target { want, rows, out } = target;
        let count = self.values.max(0) as usize;
        let Scratch { raw, page, values: room, decoder } = scratch;
        read_bytes(source, self.start, self.compressed, raw)?;
        let (levels, values) = match self.kind {
            DATA_AGAIN => self.parts(chunk, raw, page, decoder)?,
            _ if chunk.codec == Codec::None => {
                if raw.len() != self.size {
                    let (found, size) = (raw.len(), self.size);
                    return Error::format(format!("a page has {found} bytes and claims {size}"));
                }
                self.cut(raw, depth)?
            }
            _ => {
                decoder.decompress(chunk.codec, raw, self.size, page)?;
                self.cut(page, depth)?
            }
        };
        let valid = match depth {
            0 => None,
            depth => valid(levels, depth, count)?,
        };
        if valid.is_none() && want.is_same(form) && rows == (0..count) {
            self.values(values, form, dictionary, out)?;
            return Ok(true);
        }
        let there = valid.as_ref().map_or(count, Valid::count);
        let size = there * form.size();
        let values = match values.get(..size).filter(|_| self.encoding == 0) {
            Some(values) if form.raw != Raw::Bit => values,
            _ => {
                room.resize(size, 0);
                self.values(values, form, dictionary, room)?;
                &room[..]
            }
        };
        want.lay_out(form, &Found { values, valid, is_dense: true }, count, rows, out)
    }

    /// Levels and values of a page of the first kind.
    fn cut<'a>(&self, bytes: &'a [u8], depth: u32) -> Result<(&'a [u8], &'a [u8]), Error> {
        if depth == 0 {
            return Ok((&[], bytes));
        }
        if self.levels != 3 {
            return Error::format("a page says in an unknown way which values are null");
        }
        let length =
            bytes.get(..4).map(|four| u32::from_le_bytes(four.try_into().unwrap_or_default()));
        let end = length.and_then(|length| 4usize.checked_add(length as usize));
        match end.filter(|end| *end <= bytes.len()) {
            Some(end) => Ok((&bytes[4..end], &bytes[end..])),
            None => Error::format("a page ends before its values do"),
        }
    }

    /// The same of one of the second kind, whose levels are never compressed.
    fn parts<'a>(
        &self,
        chunk: &Chunk,
        raw: &'a [u8],
        page: &'a mut Vec<u8>,
        decoder: &mut Decoder,
    ) -> Result<(&'a [u8], &'a [u8]), Error> {
        let lengths =
            [self.repetitions, self.definitions].map(|length| usize::try_from(length).ok());
        let [Some(before), Some(levels)] = lengths else {
            return Error::format("a page's levels have fewer bytes than none");
        };
        let end = before.checked_add(levels).filter(|end| *end <= raw.len().min(self.size));
        let Some(end) = end else { return Error::format("a page ends before its levels do") };
        let (levels, values) = (&raw[before..end], &raw[end..]);
        if self.is_plain || values.is_empty() {
            return Ok((levels, values));
        }
        decoder.decompress(chunk.codec, values, self.size - end, page)?;
        Ok((levels, page))
    }

    /// Writes the values that are there, as many as `out` has room for.
    fn values(
        &self,
        bytes: &[u8],
        form: &Form,
        dictionary: &[u8],
        out: &mut [u8],
    ) -> Result<(), Error> {
        let size = form.size();
        match self.encoding {
            0 => plain(bytes, form, out),
            2 | 8 => match size {
                4 => looked_up::<4>(bytes, dictionary, out),
                8 => looked_up::<8>(bytes, dictionary, out),
                _ => looked_up_by(bytes, size, dictionary, out),
            },
            3 if form.raw == Raw::Bit => {
                let (bytes, mut done) = (bytes.get(4..).unwrap_or(&[]), 0);
                runs::hybrid(bytes, 1, out.len(), |value, run| {
                    out[done..done + run].fill(value as u8 & 1);
                    done += run;
                    Ok(())
                })
            }
            5 if matches!(size, 4 | 8) && form.raw != Raw::Bit => runs::delta(bytes, size, out),
            9 if form.raw != Raw::Bit => {
                if bytes.len() != out.len() {
                    return Error::format("a page has other values than it says");
                }
                let count = bytes.len() / size;
                for (at, value) in out.chunks_exact_mut(size).enumerate() {
                    for (byte, place) in value.iter_mut().enumerate() {
                        *place = bytes[byte * count + at];
                    }
                }
                Ok(())
            }
            other => Error::format(format!("values are encoded in an unknown way: {other}")),
        }
    }
}

/// Values one behind the other.
fn plain(bytes: &[u8], form: &Form, out: &mut [u8]) -> Result<(), Error> {
    let is_bit = form.raw == Raw::Bit;
    let size = if is_bit { out.len().div_ceil(8) } else { out.len() };
    let Some(values) = bytes.get(..size) else {
        return Error::format("a page ends before its values do");
    };
    match is_bit {
        false => out.copy_from_slice(values),
        true => {
            let bit = |at: usize| values[at / 8] >> (at % 8) & 1;
            out.iter_mut().enumerate().for_each(|(at, place)| *place = bit(at));
        }
    }
    Ok(())
}

#[cold]
fn lacking<T>(place: u32) -> Result<T, Error> {
    Error::format(format!("a page names value {place} of a shorter dictionary"))
}

/// Values by their places in a dictionary.
fn looked_up<const SIZE: usize>(
    bytes: &[u8],
    dictionary: &[u8],
    out: &mut [u8],
) -> Result<(), Error> {
    let (dictionary, _) = dictionary.as_chunks::<SIZE>();
    let (mut out, _) = out.as_chunks_mut::<SIZE>();
    let Some((width, bytes)) = bytes.split_first() else {
        return if out.is_empty() { Ok(()) } else { Error::format("a page is empty") };
    };
    let width = u32::from(*width);
    runs(bytes, width, out.len(), |run| match run {
        Run::Same(place, count) => {
            let Some(value) = dictionary.get(place as usize) else { return lacking(place) };
            let (some, rest) = std::mem::take(&mut out).split_at_mut(count);
            some.fill(*value);
            out = rest;
            Ok(())
        }
        Run::Packed(packed, count) => unpack(packed, width, count, |places| {
            let (some, rest) = std::mem::take(&mut out).split_at_mut(places.len());
            out = rest;
            for (element, place) in some.iter_mut().zip(places) {
                let Some(value) = dictionary.get(*place as usize) else { return lacking(*place) };
                *element = *value;
            }
            Ok(())
        }),
    })
}

/// The same of values of any size.
fn looked_up_by(bytes: &[u8], size: usize, dictionary: &[u8], out: &mut [u8]) -> Result<(), Error> {
    let Some((width, bytes)) = bytes.split_first() else {
        return if out.is_empty() { Ok(()) } else { Error::format("a page is empty") };
    };
    let count = out.len() / size;
    let mut places = out.chunks_exact_mut(size);
    runs::hybrid(bytes, u32::from(*width), count, |place, run| {
        let start = place as usize * size;
        let Some(value) = dictionary.get(start..start + size) else { return lacking(place) };
        places.by_ref().take(run).for_each(|element| element.copy_from_slice(value));
        Ok(())
    })
}

/// Which rows have a value; all where that is not said.
fn valid(levels: &[u8], depth: u32, rows: usize) -> Result<Option<Valid>, Error> {
    let width = u32::BITS - depth.leading_zeros();
    let mut valid = Valid::default();
    runs(levels, width, rows, |run| {
        match run {
            Run::Same(level, count) => valid.put_run(level == depth, count),
            Run::Packed(packed, count) if width == 1 => valid.put_bits(packed, 0, count),
            Run::Packed(packed, count) => unpack(packed, width, count, |some| {
                some.iter().for_each(|level| valid.put_run(*level == depth, 1));
                Ok(())
            })?,
        }
        Ok(())
    })?;
    Ok(Some(valid).filter(|valid| valid.count() < rows))
}
