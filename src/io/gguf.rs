//! The files of llama.cpp: a header with texts and numbers about a model, the tensors' names, shapes and
//! types, and the tensors, most of them in blocks of few bits.
//!
//! Counts and lengths are held against what is left of the file before anything is made of them.

mod blocks;
#[cfg(test)]
mod tests;

pub use blocks::{Kind, kind_of};

use std::io::{BufReader, Read};

use rustc_hash::FxHashSet;

use super::{Error, Range, Source};
use crate::layout::Shape;

/// What a file begins with.
pub const MARK: &[u8] = b"GGUF";
/// Tensors begin at multiples of so many bytes where the header names no other number.
const ALIGNMENT: u64 = 32;
/// The key under which it names one.
const ALIGNMENT_KEY: &str = "general.alignment";
/// Axes of a tensor, at the most.
const MAX_AXES: u64 = 8;
/// Lists within each other.
const MAX_DEPTH: usize = 4;

/// A tensor in a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub name: String,
    pub kind: &'static Kind,
    /// The last axis is the fastest, as everywhere else here; the file has it first.
    pub shape: Shape,
    /// The byte of the file at which it begins, and how many there are.
    pub start: u64,
    pub bytes: u64,
}

/// What the header says of the model.
#[derive(Debug, Clone, PartialEq)]
pub enum Note {
    Int(i64),
    Wide(u64),
    Float(f64),
    Bool(bool),
    Text(String),
    List(Vec<Note>),
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Header {
    /// In the order in which they lie.
    pub entries: Vec<Entry>,
    /// As far as they were asked for.
    pub notes: Vec<(String, Note)>,
}

/// Reads the header of a file; what it says of the model is only kept where `with_notes`.
///
/// # Errors
/// What the system gives; what is wrong with the header.
pub fn read_header(source: &Source, with_notes: bool) -> Result<Header, Error> {
    let length = source.length();
    let from = BufReader::with_capacity(1 << 16, source.range(0, length));
    let mut reader = Reader { from, left: length };
    if reader.bytes::<4>()? != *MARK {
        return Error::format("it is no GGUF file");
    }
    match u32::from_le_bytes(reader.bytes()?) {
        2 | 3 => {}
        0x0200_0000 | 0x0300_0000 => {
            return Error::format("its numbers have their largest byte first, which is not read");
        }
        version => {
            return Error::format(format!(
                "version {version} of the format is not read: 2 and 3 are"
            ));
        }
    }
    let (tensors, notes) = (reader.count(24)?, reader.count(13)?);
    let (mut header, mut alignment) = (Header::default(), ALIGNMENT);
    for _ in 0..notes {
        let (name, kind) = (reader.text()?, reader.u32()?);
        let is_kept = with_notes || name == ALIGNMENT_KEY;
        let note = reader.note(kind, is_kept, 0)?;
        if name == ALIGNMENT_KEY {
            alignment = match note {
                Note::Int(bytes) if bytes > 0 && bytes % 8 == 0 => bytes as u64,
                _ => return Error::format(format!("'{ALIGNMENT_KEY}' is no multiple of 8")),
            };
        }
        if with_notes {
            header.notes.push((name, note));
        }
    }
    for _ in 0..tensors {
        let entry = reader.entry()?;
        header.entries.push(entry);
    }
    let start = (length - reader.left).checked_next_multiple_of(alignment).unwrap_or(u64::MAX);
    check(&mut header, start, length, alignment)?;
    Ok(header)
}

/// Whether the tensors lie in the file, and none over another.
fn check(header: &mut Header, start: u64, length: u64, alignment: u64) -> Result<(), Error> {
    let mut names = FxHashSet::default();
    for entry in &mut header.entries {
        let name = &entry.name;
        if !names.insert(name.clone()) {
            return Error::format(format!("'{name}' is in the file twice"));
        }
        if !entry.start.is_multiple_of(alignment) {
            return Error::format(format!("'{name}' begins at no multiple of {alignment} bytes"));
        }
        let end = entry.start.checked_add(start).and_then(|at| at.checked_add(entry.bytes));
        if end.is_none_or(|end| end > length) {
            return Error::format(format!("'{name}' reaches beyond the file: it is cut off"));
        }
        entry.start += start;
    }
    header.entries.sort_by_key(|entry| (entry.start, entry.bytes));
    let over = header.entries.windows(2).find(|pair| pair[0].start + pair[0].bytes > pair[1].start);
    match over {
        Some(pair) => {
            Error::format(format!("'{}' lies over another tensor of the file", pair[1].name))
        }
        None => Ok(()),
    }
}

struct Reader<'a> {
    from: BufReader<Range<'a>>,
    left: u64,
}

impl Reader<'_> {
    fn take(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        let Some(left) = self.left.checked_sub(bytes.len() as u64) else {
            return Error::format("the header reaches beyond the file: it is cut off");
        };
        self.left = left;
        Ok(self.from.read_exact(bytes)?)
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let mut bytes = [0; N];
        self.take(&mut bytes)?;
        Ok(bytes)
    }

    fn u32(&mut self) -> Result<u32, Error> {
        Ok(u32::from_le_bytes(self.bytes()?))
    }

    fn u64(&mut self) -> Result<u64, Error> {
        Ok(u64::from_le_bytes(self.bytes()?))
    }

    /// A number of things of which each takes so many bytes at the least.
    fn count(&mut self, each: u64) -> Result<u64, Error> {
        let count = self.u64()?;
        match count.checked_mul(each).is_some_and(|bytes| bytes <= self.left) {
            true => Ok(count),
            false => Error::format(format!(
                "the header says that {count} things follow: the file is too short"
            )),
        }
    }

    fn text(&mut self) -> Result<String, Error> {
        let mut bytes = vec![0; self.count(1)? as usize];
        self.take(&mut bytes)?;
        match String::from_utf8(bytes) {
            Ok(text) => Ok(text),
            Err(error) => Ok(String::from_utf8_lossy(error.as_bytes()).into_owned()),
        }
    }

    fn note(&mut self, kind: u32, is_kept: bool, depth: usize) -> Result<Note, Error> {
        Ok(match kind {
            0 => Note::Int(i64::from(u8::from_le_bytes(self.bytes()?))),
            1 => Note::Int(i64::from(i8::from_le_bytes(self.bytes()?))),
            2 => Note::Int(i64::from(u16::from_le_bytes(self.bytes()?))),
            3 => Note::Int(i64::from(i16::from_le_bytes(self.bytes()?))),
            4 => Note::Int(i64::from(self.u32()?)),
            5 => Note::Int(i64::from(i32::from_le_bytes(self.bytes()?))),
            6 => Note::Float(f64::from(f32::from_le_bytes(self.bytes()?))),
            7 => Note::Bool(self.bytes::<1>()?[0] != 0),
            8 => Note::Text(self.text()?),
            9 if depth < MAX_DEPTH => self.list(is_kept, depth)?,
            10 => {
                let wide = self.u64()?;
                i64::try_from(wide).map_or(Note::Wide(wide), Note::Int)
            }
            11 => Note::Int(i64::from_le_bytes(self.bytes()?)),
            12 => Note::Float(f64::from_le_bytes(self.bytes()?)),
            _ => {
                return Error::format(format!("the header has a value of an unknown type: {kind}"));
            }
        })
    }

    fn list(&mut self, is_kept: bool, depth: usize) -> Result<Note, Error> {
        let kind = self.u32()?;
        let least = match kind {
            8 => 8,
            9 => 12,
            10..=12 => 8,
            4..=6 => 4,
            2 | 3 => 2,
            _ => 1,
        };
        let count = self.count(least)?;
        let mut items = Vec::new();
        for _ in 0..count {
            let item = self.note(kind, is_kept, depth + 1)?;
            if is_kept {
                items.push(item);
            }
        }
        Ok(Note::List(items))
    }

    fn entry(&mut self) -> Result<Entry, Error> {
        let (name, axes) = (self.text()?, u64::from(self.u32()?));
        if axes > MAX_AXES {
            return Error::format(format!("'{name}' has {axes} axes, which can't be"));
        }
        let mut lengths = Vec::new();
        for _ in 0..axes {
            lengths.push(self.u64()? as usize);
        }
        let (code, start) = (self.u32()?, self.u64()?);
        let Some(kind) = kind_of(code) else {
            return Error::format(format!("'{name}' is of an unknown type: {code}"));
        };
        let shape: Shape = lengths.iter().rev().copied().collect();
        let count = shape.checked_elem_count();
        let count = count.map_err(|error| Error::Format(format!("'{name}': {error}")))?;
        if count % kind.block != 0 || lengths.first().is_some_and(|row| row % kind.block != 0) {
            let block = kind.block;
            return Error::format(format!(
                "'{name}' of shape {shape} is not made of blocks of {block}"
            ));
        }
        let Some(bytes) = (count / kind.block).checked_mul(kind.size) else {
            return Error::format(format!("'{name}' of shape {shape} can't be in a file"));
        };
        Ok(Entry { name, kind, shape, start, bytes: bytes as u64 })
    }
}
