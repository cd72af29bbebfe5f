//! Archives of the zip format, as NumPy and PyTorch write them: members are stored or deflated.
//!
//! A member's name is a key, and never a place on the disk. What an archive says of itself is held
//! against the file before anything is believed: members that lie in each other, sizes that the bytes
//! there can't grow to, and two members of one name are refused.

mod gzip;
mod write;

pub use gzip::gzip;
pub use write::Writer;

use std::io::{self, BufReader, Read};

use crc32fast::Hasher;
use flate2::bufread::DeflateDecoder;

use super::{Error, Range, Source};

/// Bytes in front of a member, behind which its name stands.
const LOCAL: u64 = 30;
/// Bytes of a row of the directory, behind which a name stands.
const ROW: usize = 46;
/// Bytes of the end of the directory, behind which a comment stands.
const END: usize = 22;
/// Bytes of a directory, at the most: those of some millions of members.
const MAX_DIRECTORY: u64 = 256 << 20;
/// A byte that is deflated becomes no more than so many.
const MOST_GROWTH: u64 = 1032;

/// A row of the directory.
#[derive(Debug, Clone)]
pub struct Member {
    pub name: String,
    /// Bytes when it is inflated.
    pub size: u64,
    compressed: u64,
    is_deflated: bool,
    checksum: u32,
    /// Where it begins in the file.
    start: u64,
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> u64 {
    let found = bytes.get(at..at + N).unwrap_or(&[]);
    found.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// The members of an archive.
///
/// # Errors
/// What the system gives; what is wrong with the archive.
pub fn members(source: &Source) -> Result<Vec<Member>, Error> {
    let length = source.length();
    let tail = length.min((END + 0xffff) as u64);
    let mut bytes = vec![0; tail as usize];
    source.read_at(length - tail, &mut bytes)?;
    let is_end = |at: &usize| {
        bytes[*at..].starts_with(b"PK\x05\x06")
            && at + END + number::<2>(&bytes, at + 20) as usize == bytes.len()
    };
    let Some(at) = (0..(bytes.len() + 1).saturating_sub(END)).rev().find(is_end) else {
        return Error::format("the archive has no directory: it is no zip file, or cut off");
    };
    let end_at = length - tail + at as u64;
    let (mut rows, mut size, mut start) =
        (number::<2>(&bytes, at + 10), number::<4>(&bytes, at + 12), number::<4>(&bytes, at + 16));
    if let Some(locator) = at.checked_sub(20).filter(|at| bytes[*at..].starts_with(b"PK\x06\x07")) {
        let mut wide = [0; 56];
        source.read_at(number::<8>(&bytes, locator + 8), &mut wide)?;
        if !wide.starts_with(b"PK\x06\x06") {
            return Error::format("the archive's directory is not where it should be");
        }
        (rows, size, start) =
            (number::<8>(&wide, 32), number::<8>(&wide, 40), number::<8>(&wide, 48));
    }
    if start.checked_add(size).is_none_or(|end| end > end_at) || rows > size / ROW as u64 {
        return Error::format("the archive's directory reaches beyond the file");
    }
    if size > MAX_DIRECTORY {
        return Error::format(format!("the archive's directory of {size} bytes is too large"));
    }
    let mut directory = vec![0; size as usize];
    source.read_at(start, &mut directory)?;
    let (mut members, mut rest) = (Vec::new(), &directory[..]);
    for _ in 0..rows {
        let (member, length) = row(rest)?;
        rest = &rest[length..];
        // A folder of its own has nothing in it.
        if !member.name.ends_with('/') {
            members.push(member);
        }
    }
    check(&members, start)?;
    Ok(members)
}

/// The first row of what is left of a directory, and how long that is.
fn row(bytes: &[u8]) -> Result<(Member, usize), Error> {
    if bytes.len() < ROW || !bytes.starts_with(b"PK\x01\x02") {
        return Error::format("the archive's directory is broken");
    }
    let (flags, method) = (number::<2>(bytes, 8), number::<2>(bytes, 10));
    let [name, extra, comment] = [28, 30, 32].map(|at| number::<2>(bytes, at) as usize);
    let length = ROW + name + extra + comment;
    if length > bytes.len() {
        return Error::format("the archive's directory is broken");
    }
    let wide = &bytes[ROW + name..ROW + name + extra];
    let name = String::from_utf8_lossy(&bytes[ROW..ROW + name]).into_owned();
    let mut member = Member {
        size: number::<4>(bytes, 24),
        compressed: number::<4>(bytes, 20),
        is_deflated: method == 8,
        checksum: number::<4>(bytes, 16) as u32,
        start: number::<4>(bytes, 42),
        name,
    };
    let name = &member.name;
    if flags & 1 != 0 {
        return Error::format(format!("'{name}' is encrypted in the archive"));
    }
    if !matches!(method, 0 | 8) {
        return Error::format(format!(
            "'{name}' is packed by method {method}: only deflate is read"
        ));
    }
    widen(&mut member, wide);
    Ok((member, length))
}

/// Takes numbers of eight bytes from behind a row, for those that four can't hold.
fn widen(member: &mut Member, mut extra: &[u8]) {
    while extra.len() >= 4 {
        let (kind, size) = (number::<2>(extra, 0), number::<2>(extra, 2) as usize);
        let field = &extra[4..(4 + size).min(extra.len())];
        if kind == 1 {
            let mut at = 0;
            let wanted = [&mut member.size, &mut member.compressed, &mut member.start];
            for value in wanted.into_iter().filter(|value| **value == 0xffff_ffff) {
                if field.len() >= at + 8 {
                    *value = number::<8>(field, at);
                    at += 8;
                }
            }
        }
        extra = &extra[(4 + size).min(extra.len())..];
    }
}

fn check(members: &[Member], directory: u64) -> Result<(), Error> {
    let mut names: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
    names.sort_unstable();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Error::format(format!("'{}' is in the archive twice", pair[0]));
    }
    let mut order: Vec<&Member> = members.iter().collect();
    order.sort_by_key(|member| member.start);
    for (at, member) in order.iter().enumerate() {
        let name = &member.name;
        let next = order.get(at + 1).map_or(directory, |next| next.start);
        let end =
            member.start.checked_add(LOCAL).and_then(|end| end.checked_add(member.compressed));
        if end.is_none_or(|end| end > next) {
            return Error::format(format!("'{name}' reaches into what follows it in the archive"));
        }
        let most = match member.is_deflated {
            true => member.compressed.saturating_mul(MOST_GROWTH),
            false => member.compressed,
        };
        if member.size > most || !member.is_deflated && member.size != most {
            return Error::format(format!(
                "'{name}' is said to hold {} bytes, which {} in the archive can't be",
                member.size, member.compressed
            ));
        }
    }
    Ok(())
}

impl Member {
    /// Reads it from its beginning.
    ///
    /// # Errors
    /// What the system gives; it is not where the directory says.
    pub fn open<'a>(&self, source: &'a Source) -> Result<Reader<'a>, Error> {
        let mut local = [0; LOCAL as usize];
        source.read_at(self.start, &mut local)?;
        if !local.starts_with(b"PK\x03\x04") {
            return Error::format(format!("'{}' is not where the archive says", self.name));
        }
        let range = source.range(self.behind(&local), self.compressed);
        let inside = match self.is_deflated {
            true => Inside::Deflated(DeflateDecoder::new(BufReader::with_capacity(1 << 16, range))),
            false => Inside::Stored(range),
        };
        let (left, checksum) = (self.size, Some(self.checksum));
        Ok(Reader { inside, left, checksum, seen: Hasher::new() })
    }

    /// Where its bytes begin, behind a head.
    fn behind(&self, local: &[u8]) -> u64 {
        self.start + LOCAL + number::<2>(local, 26) + number::<2>(local, 28)
    }

    /// The byte of the file at which it begins as it is; none where it is deflated.
    ///
    /// # Errors
    /// As [`Member::open`].
    pub fn place(&self, source: &Source) -> Result<Option<u64>, Error> {
        if self.is_deflated {
            return Ok(None);
        }
        let mut local = [0; LOCAL as usize];
        source.read_at(self.start, &mut local)?;
        if !local.starts_with(b"PK\x03\x04") {
            return Error::format(format!("'{}' is not where the archive says", self.name));
        }
        Ok(Some(self.behind(&local)))
    }
}

enum Inside<'a> {
    Stored(Range<'a>),
    Deflated(DeflateDecoder<BufReader<Range<'a>>>),
}

/// The bytes of a member, held against its checksum with the last of them.
pub struct Reader<'a> {
    inside: Inside<'a>,
    left: u64,
    /// None where nobody asks.
    checksum: Option<u32>,
    seen: Hasher,
}

impl Reader<'_> {
    /// The same of an archive whose checksums are those of nothing.
    pub fn unchecked(mut self) -> Self {
        self.checksum = None;
        self
    }

    /// Bytes that are left.
    pub fn left(&self) -> u64 {
        self.left
    }
}

impl Read for Reader<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let most = (bytes.len() as u64).min(self.left) as usize;
        if most == 0 {
            return Ok(0);
        }
        let bytes = &mut bytes[..most];
        let count = match &mut self.inside {
            Inside::Stored(range) => range.read(bytes)?,
            Inside::Deflated(decoder) => decoder
                .read(bytes)
                .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.to_string()))?,
        };
        let broken = |words| Err(io::Error::new(io::ErrorKind::InvalidData, words));
        if count == 0 {
            return broken("the member ends too early in the archive");
        }
        self.seen.update(&bytes[..count]);
        self.left -= count as u64;
        let is_other = |seen: Hasher, checksum| seen.finalize() != checksum;
        if let (0, Some(checksum)) = (self.left, self.checksum)
            && is_other(std::mem::take(&mut self.seen), checksum)
        {
            return broken("the member's bytes are not those that its checksum was made of");
        }
        Ok(count)
    }
}

impl std::fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Reader({} left)", self.left)
    }
}

#[cfg(test)]
mod tests;
