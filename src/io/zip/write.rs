//! Writing archives, so that NumPy and every other reader takes them, however large members are.

use std::io::{self, Seek, SeekFrom, Write};

use crc32fast::Hasher;
use flate2::{Compress, Compression, FlushCompress, Status};

use super::super::Draft;

/// The first of January 1980, as the format counts days: archives of the same arrays are the same.
const DATE: u16 = 0x21;
/// Four bytes that say that eight are elsewhere.
const WIDE: u64 = 0xffff_ffff;
/// Bytes that deflating gives at once.
const PIECE: usize = 1 << 16;

/// An archive that is being written to a draft.
pub struct Writer {
    draft: Draft,
    /// Where the draft stands.
    at: u64,
    directory: Vec<u8>,
    count: u64,
    member: Option<Open>,
}

/// The member that is being written.
struct Open {
    name: String,
    start: u64,
    size: u64,
    compressed: u64,
    seen: Hasher,
    deflater: Option<Compress>,
}

impl Writer {
    pub fn new(draft: Draft) -> Writer {
        Writer { draft, at: 0, directory: Vec::new(), count: 0, member: None }
    }

    /// Begins a member.
    ///
    /// # Errors
    /// What the system gives.
    pub fn begin(&mut self, name: &str, is_deflated: bool) -> io::Result<()> {
        self.begin_at(name, is_deflated, 1)
    }

    /// Begins a member whose bytes stand at a multiple of `alignment`, up to some thousands.
    ///
    /// # Errors
    /// What the system gives.
    pub fn begin_at(&mut self, name: &str, is_deflated: bool, alignment: u64) -> io::Result<()> {
        let mut head = b"PK\x03\x04".to_vec();
        fields(&mut head, is_deflated);
        head.extend([0; 4]);
        head.extend([0xff; 8]);
        head.extend((name.len() as u16).to_le_bytes());
        // A field that fills up stands behind that of the sizes, under the number that PyTorch takes.
        let end = self.at + head.len() as u64 + 22 + name.len() as u64;
        let filling = if end.is_multiple_of(alignment) {
            Vec::new()
        } else {
            let count = ((end + 4).next_multiple_of(alignment) - end - 4) as u16;
            [&b"FB"[..], &count.to_le_bytes(), &vec![b'Z'; usize::from(count)]].concat()
        };
        head.extend((20 + filling.len() as u16).to_le_bytes());
        head.extend(name.as_bytes());
        head.extend([1, 0, 16, 0]);
        head.extend([0; 16]);
        head.extend(filling);
        let deflater = is_deflated.then(|| Compress::new(Compression::default(), false));
        let start = self.at;
        self.put(&head)?;
        let (name, seen) = (name.to_owned(), Hasher::new());
        self.member = Some(Open { name, start, size: 0, compressed: 0, seen, deflater });
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.draft.write_all(bytes)?;
        self.at += bytes.len() as u64;
        Ok(())
    }

    /// Bytes of the member that was begun.
    ///
    /// # Errors
    /// What the system gives.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(mut member) = self.member.take() else { return Ok(()) };
        member.size += bytes.len() as u64;
        member.seen.update(bytes);
        let written = self.pass(&mut member, bytes, FlushCompress::None);
        self.member = Some(member);
        written
    }

    fn pass(
        &mut self,
        member: &mut Open,
        mut bytes: &[u8],
        flush: FlushCompress,
    ) -> io::Result<()> {
        let Some(deflater) = &mut member.deflater else {
            member.compressed += bytes.len() as u64;
            return self.put(bytes);
        };
        let mut piece = vec![0; PIECE];
        loop {
            let (before, made) = (deflater.total_in(), deflater.total_out());
            let status = deflater.compress(bytes, &mut piece, flush).map_err(io::Error::other)?;
            bytes = &bytes[(deflater.total_in() - before) as usize..];
            let count = (deflater.total_out() - made) as usize;
            member.compressed += count as u64;
            self.put(&piece[..count])?;
            let is_done = match flush {
                FlushCompress::None => bytes.is_empty() && count < PIECE,
                _ => status == Status::StreamEnd,
            };
            if is_done {
                return Ok(());
            }
        }
    }

    /// Ends the member that was begun.
    ///
    /// # Errors
    /// What the system gives.
    pub fn end(&mut self) -> io::Result<()> {
        let Some(mut member) = self.member.take() else { return Ok(()) };
        let is_deflated = member.deflater.is_some();
        if is_deflated {
            self.pass(&mut member, &[], FlushCompress::Finish)?;
        }
        let checksum = member.seen.clone().finalize();
        self.draft.seek(SeekFrom::Start(member.start + 14))?;
        self.draft.write_all(&checksum.to_le_bytes())?;
        self.draft.seek(SeekFrom::Start(member.start + 30 + member.name.len() as u64 + 4))?;
        self.draft.write_all(&member.size.to_le_bytes())?;
        self.draft.write_all(&member.compressed.to_le_bytes())?;
        self.draft.seek(SeekFrom::Start(self.at))?;
        self.row(&member, is_deflated, checksum);
        self.count += 1;
        Ok(())
    }

    fn row(&mut self, member: &Open, is_deflated: bool, checksum: u32) {
        let row = &mut self.directory;
        row.extend(b"PK\x01\x02\x2d\x03");
        fields(row, is_deflated);
        row.extend(checksum.to_le_bytes());
        let numbers = [member.compressed, member.size, member.start];
        let narrow = numbers.map(|number| number.min(WIDE) as u32);
        let wide = [member.size, member.compressed, member.start];
        let wide: Vec<u8> =
            wide.iter().filter(|number| **number >= WIDE).flat_map(|n| n.to_le_bytes()).collect();
        row.extend(narrow[0].to_le_bytes());
        row.extend(narrow[1].to_le_bytes());
        row.extend((member.name.len() as u16).to_le_bytes());
        let extra = if wide.is_empty() { 0 } else { wide.len() as u16 + 4 };
        row.extend(extra.to_le_bytes());
        // No comment, the first disk, a file of bytes that its owner reads and writes.
        row.extend([0; 6]);
        row.extend((0o600u32 << 16).to_le_bytes());
        row.extend(narrow[2].to_le_bytes());
        row.extend(member.name.as_bytes());
        if !wide.is_empty() {
            row.extend(1u16.to_le_bytes());
            row.extend((wide.len() as u16).to_le_bytes());
            row.extend(wide);
        }
    }

    /// Writes the directory; the draft, to be committed.
    ///
    /// # Errors
    /// What the system gives.
    pub fn finish(mut self) -> io::Result<Draft> {
        let (start, size, count) = (self.at, self.directory.len() as u64, self.count);
        let directory = std::mem::take(&mut self.directory);
        self.put(&directory)?;
        if start >= WIDE || size >= WIDE || count >= 0xffff {
            let mut wide = b"PK\x06\x06".to_vec();
            wide.extend(44u64.to_le_bytes());
            wide.extend([45, 3, 45, 0]);
            wide.extend([0; 8]);
            for number in [count, count, size, start] {
                wide.extend(number.to_le_bytes());
            }
            wide.extend(b"PK\x06\x07");
            wide.extend([0; 4]);
            wide.extend((start + size).to_le_bytes());
            wide.extend(1u32.to_le_bytes());
            self.put(&wide)?;
        }
        let mut end = b"PK\x05\x06".to_vec();
        end.extend([0; 4]);
        for _ in 0..2 {
            end.extend((count.min(0xffff) as u16).to_le_bytes());
        }
        end.extend((size.min(WIDE) as u32).to_le_bytes());
        end.extend((start.min(WIDE) as u32).to_le_bytes());
        end.extend([0; 2]);
        self.put(&end)?;
        Ok(self.draft)
    }
}

/// What a member's head and its row have in common: version 4.5, names in UTF-8, the method, the time.
fn fields(bytes: &mut Vec<u8>, is_deflated: bool) {
    let method = if is_deflated { 8u16 } else { 0 };
    for number in [45, 0x800, method, 0, DATE] {
        bytes.extend(number.to_le_bytes());
    }
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Writer({} members)", self.count)
    }
}
