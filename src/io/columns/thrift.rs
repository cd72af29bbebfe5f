//! Thrift's compact protocol, in which Parquet describes itself: fields with numbers, of which a reader takes
//! those that it knows.

/// What is wrong with a text in the protocol.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Wrong {
    /// It goes on beyond the bytes that are there.
    Early,
    Broken,
}

/// Structures within each other, at the most.
const MAX_DEPTH: usize = 32;

/// Kinds of values.
pub const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const I16: u8 = 4;
pub const I32: u8 = 5;
pub const I64: u8 = 6;
const DOUBLE: u8 = 7;
pub const BINARY: u8 = 8;
pub const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
pub const STRUCT: u8 = 12;

/// Bytes that are read from their beginning.
#[derive(Debug)]
pub struct Compact<'a> {
    bytes: &'a [u8],
    pub at: usize,
    depth: usize,
}

impl<'a> Compact<'a> {
    pub fn new(bytes: &'a [u8]) -> Compact<'a> {
        Compact { bytes, at: 0, depth: 0 }
    }

    fn byte(&mut self) -> Result<u8, Wrong> {
        let byte = *self.bytes.get(self.at).ok_or(Wrong::Early)?;
        self.at += 1;
        Ok(byte)
    }

    fn varint(&mut self) -> Result<u64, Wrong> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Wrong::Broken)
    }

    /// A whole number of any width.
    pub fn int(&mut self) -> Result<i64, Wrong> {
        let number = self.varint()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// A byte that is a number.
    pub fn small(&mut self) -> Result<i64, Wrong> {
        Ok(i64::from(self.byte()? as i8))
    }

    pub fn binary(&mut self) -> Result<&'a [u8], Wrong> {
        let length = self.varint()?;
        let end = usize::try_from(length).ok().and_then(|length| self.at.checked_add(length));
        let bytes = self.bytes.get(self.at..end.ok_or(Wrong::Broken)?).ok_or(Wrong::Early)?;
        self.at += bytes.len();
        Ok(bytes)
    }

    /// The elements of a list, each read by `take`, which is given their kind.
    pub fn list(
        &mut self,
        mut take: impl FnMut(&mut Self, u8) -> Result<(), Wrong>,
    ) -> Result<(), Wrong> {
        let head = self.byte()?;
        let count = match head >> 4 {
            15 => self.varint()?,
            count => u64::from(count),
        };
        // Each element takes a byte at least.
        if count > (self.bytes.len() - self.at) as u64 {
            return Err(Wrong::Early);
        }
        for _ in 0..count {
            take(self, head & 15)?;
        }
        Ok(())
    }

    /// The fields of a structure: `take` is given the number and the kind of each, and says whether it has read it.
    pub fn fields(
        &mut self,
        mut take: impl FnMut(&mut Self, i64, u8) -> Result<bool, Wrong>,
    ) -> Result<(), Wrong> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Wrong::Broken);
        }
        let mut number = 0i64;
        loop {
            let head = self.byte()?;
            if head == 0 {
                break;
            }
            number = match head >> 4 {
                0 => self.int()?,
                step => number.wrapping_add(i64::from(step)),
            };
            if !take(self, number, head & 15)? {
                self.skip(head & 15, true)?;
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// Passes a value over. As a field truth is in its kind, elsewhere it is a byte.
    fn skip(&mut self, kind: u8, is_field: bool) -> Result<(), Wrong> {
        match kind {
            TRUE | FALSE if is_field => Ok(()),
            TRUE | FALSE | BYTE => self.byte().map(|_| ()),
            I16 | I32 | I64 => self.varint().map(|_| ()),
            DOUBLE => {
                self.at = self.at.saturating_add(8);
                if self.at > self.bytes.len() { Err(Wrong::Early) } else { Ok(()) }
            }
            BINARY => self.binary().map(|_| ()),
            LIST | SET => self.nested(|it| it.list(|it, kind| it.skip(kind, false))),
            MAP => self.nested(|it| {
                let count = it.varint()?;
                if count == 0 {
                    return Ok(());
                }
                let kinds = it.byte()?;
                if count > (it.bytes.len() - it.at) as u64 {
                    return Err(Wrong::Early);
                }
                (0..count).try_for_each(|_| {
                    it.skip(kinds >> 4, false)?;
                    it.skip(kinds & 15, false)
                })
            }),
            STRUCT => self.fields(|_, _, _| Ok(false)),
            _ => Err(Wrong::Broken),
        }
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Result<(), Wrong>) -> Result<(), Wrong> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Wrong::Broken);
        }
        read(self)?;
        self.depth -= 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_passed_over() {
        // 1: i32 -3, 2: list of two texts, 4: a structure with a flag, 5: i64 300.
        let bytes = [0x15, 5, 0x19, 0x28, 1, b'a', 1, b'b', 0x2c, 0x11, 0, 0x16, 0xd8, 4, 0];
        let (mut first, mut last) = (0, 0);
        let mut text = Compact::new(&bytes);
        text.fields(|it, number, kind| {
            match (number, kind) {
                (1, I32) => first = it.int()?,
                (5, I64) => last = it.int()?,
                _ => return Ok(false),
            }
            Ok(true)
        })
        .unwrap();
        assert_eq!((first, last, text.at), (-3, 300, bytes.len()));
        for end in 0..bytes.len() {
            let read = Compact::new(&bytes[..end]).fields(|_, _, _| Ok(false));
            assert_eq!(read, Err(Wrong::Early));
        }
        let deep = [0x1c; 100];
        assert_eq!(Compact::new(&deep).fields(|_, _, _| Ok(false)), Err(Wrong::Broken));
    }
}
