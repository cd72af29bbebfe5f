//! FlatBuffers, in which Arrow describes itself: tables of fields by number, each place held against the bytes.

use crate::io::Error;

/// Bytes that hold tables.
#[derive(Debug, Clone, Copy)]
pub struct Flat<'a>(pub &'a [u8]);

/// A table: where it begins, and where its fields are said to be.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    bytes: &'a [u8],
    at: usize,
    fields: usize,
    end: usize,
}

/// Elements one behind the other.
#[derive(Debug, Clone, Copy)]
pub struct List<'a> {
    bytes: &'a [u8],
    start: usize,
    pub len: usize,
    size: usize,
}

fn damaged() -> Error {
    Error::Format("what describes the columns is damaged".to_owned())
}

/// A little-endian number of `N` bytes.
fn number<const N: usize>(bytes: &[u8], at: usize) -> Result<u64, Error> {
    let end = at.checked_add(N).ok_or_else(damaged)?;
    let found = bytes.get(at..end).ok_or_else(damaged)?;
    Ok(found.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// The place that is named at a place.
fn target(bytes: &[u8], at: usize) -> Result<usize, Error> {
    at.checked_add(number::<4>(bytes, at)? as usize).ok_or_else(damaged)
}

impl<'a> Flat<'a> {
    pub fn root(self) -> Result<Record<'a>, Error> {
        Record::at(self.0, target(self.0, 0)?)
    }
}

impl<'a> Record<'a> {
    fn at(bytes: &'a [u8], at: usize) -> Result<Record<'a>, Error> {
        let back = number::<4>(bytes, at)? as u32 as i32;
        let fields =
            (at as i64).checked_sub(i64::from(back)).and_then(|at| usize::try_from(at).ok());
        let fields = fields.ok_or_else(damaged)?;
        let end = fields.checked_add(number::<2>(bytes, fields)? as usize).ok_or_else(damaged)?;
        Ok(Record { bytes, at, fields, end })
    }

    /// Where a field is; none where it has its usual value.
    fn place(&self, field: usize) -> Result<Option<usize>, Error> {
        let entry = self.fields + 4 + 2 * field;
        if entry + 2 > self.end {
            return Ok(None);
        }
        match number::<2>(self.bytes, entry)? as usize {
            0 => Ok(None),
            offset => Ok(Some(self.at + offset)),
        }
    }

    /// A whole number of `N` bytes, with its sign.
    pub fn int<const N: usize>(&self, field: usize, usual: i64) -> Result<i64, Error> {
        let Some(at) = self.place(field)? else { return Ok(usual) };
        let shift = 64 - 8 * N as u32;
        Ok((number::<N>(self.bytes, at)? << shift) as i64 >> shift)
    }

    pub fn table(&self, field: usize) -> Result<Option<Record<'a>>, Error> {
        let Some(at) = self.place(field)? else { return Ok(None) };
        Record::at(self.bytes, target(self.bytes, at)?).map(Some)
    }

    pub fn text(&self, field: usize) -> Result<String, Error> {
        let text = self.list(field, 1)?;
        let bytes = self.bytes.get(text.start..text.start + text.len).unwrap_or(&[]);
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }

    /// The elements of a field, each of so many bytes; of tables the four that name each.
    pub fn list(&self, field: usize, size: usize) -> Result<List<'a>, Error> {
        let empty = List { bytes: self.bytes, start: 0, len: 0, size };
        let Some(at) = self.place(field)? else { return Ok(empty) };
        let at = target(self.bytes, at)?;
        let len = number::<4>(self.bytes, at)? as usize;
        let start = at + 4;
        let end = len.checked_mul(size).and_then(|bytes| start.checked_add(bytes));
        if end.is_none_or(|end| end > self.bytes.len()) {
            return Err(damaged());
        }
        Ok(List { start, len, ..empty })
    }
}

impl<'a> List<'a> {
    pub fn table(&self, element: usize) -> Result<Record<'a>, Error> {
        Record::at(self.bytes, target(self.bytes, self.start + element * self.size)?)
    }

    /// A number of eight bytes at a place within an element.
    pub fn long(&self, element: usize, offset: usize) -> Result<u64, Error> {
        number::<8>(self.bytes, self.start + element * self.size + offset)
    }

    /// The same of four bytes.
    pub fn word(&self, element: usize, offset: usize) -> Result<u32, Error> {
        number::<4>(self.bytes, self.start + element * self.size + offset).map(|word| word as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_places_are_errors() {
        // A root with a field of four bytes, whose fields are described in front of it.
        let bytes = [12, 0, 0, 0, 6, 0, 8, 0, 4, 0, 0, 0, 8, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff];
        let root = Flat(&bytes).root().unwrap();
        assert_eq!(root.int::<4>(0, 7).unwrap(), -2);
        assert_eq!(root.int::<4>(1, 7).unwrap(), 7);
        assert!(root.list(0, 8).is_err());
        for at in 0..bytes.len() {
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                let mut broken = bytes;
                broken[at] = value;
                if let Ok(root) = Flat(&broken).root() {
                    let _ = (root.int::<4>(0, 7), root.table(0), root.text(0), root.list(0, 16));
                }
            }
        }
    }
}
