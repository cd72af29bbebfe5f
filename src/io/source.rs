//! A file that is read by position.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use super::Error;

/// An open file, as long as it was when it was opened.
#[derive(Debug)]
pub struct Source {
    inside: Inside,
    length: u64,
}

#[derive(Debug)]
enum Inside {
    File(File),
    Memory(Vec<u8>),
}

impl Source {
    /// # Errors
    /// What the system gives; a folder, a pipe or a terminal is no file.
    pub fn open(path: &Path) -> io::Result<Source> {
        // A pipe would be waited for without end, so it is not even opened.
        let about = fs::metadata(path)?;
        if about.is_dir() {
            return Err(io::Error::from_raw_os_error(21));
        }
        if !about.is_file() {
            return Err(io::Error::other("not a file on a disk"));
        }
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Source { inside: Inside::File(file), length })
    }

    /// Bytes as if they were in a file.
    pub fn of_bytes(bytes: Vec<u8>) -> Source {
        Source { length: bytes.len() as u64, inside: Inside::Memory(bytes) }
    }

    /// Bytes in the file.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// What the system knows it as, if it is on a disk.
    pub fn file(&self) -> Option<&File> {
        match &self.inside {
            Inside::File(file) => Some(file),
            Inside::Memory(_) => None,
        }
    }

    /// Fills `bytes` from a place in the file.
    ///
    /// # Errors
    /// What the system gives; the file ends early.
    pub fn read_at(&self, at: u64, bytes: &mut [u8]) -> Result<(), Error> {
        // No file reaches so far, and no system is asked.
        if at.checked_add(bytes.len() as u64).is_none_or(|end| end > i64::MAX as u64) {
            return Error::format(format!("the file ends too early: byte {at} is wanted"));
        }
        let mut done = 0;
        while done < bytes.len() {
            match self.read_some(at + done as u64, &mut bytes[done..]) {
                Ok(0) if at + bytes.len() as u64 <= self.length => {
                    return Error::format("the file became shorter while it was read");
                }
                Ok(0) => {
                    return Error::format(format!(
                        "the file ends too early: byte {} is wanted of {}",
                        at + bytes.len() as u64,
                        self.length
                    ));
                }
                Ok(count) => done += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::System(error)),
            }
        }
        Ok(())
    }

    fn read_some(&self, at: u64, bytes: &mut [u8]) -> io::Result<usize> {
        match &self.inside {
            Inside::Memory(there) => {
                let behind = usize::try_from(at).ok().and_then(|at| there.get(at..));
                behind.map_or(Ok(0), |mut behind| behind.read(bytes))
            }
            #[cfg(unix)]
            Inside::File(file) => std::os::unix::fs::FileExt::read_at(file, bytes, at),
            #[cfg(windows)]
            Inside::File(file) => std::os::windows::fs::FileExt::seek_read(file, bytes, at),
        }
    }

    /// So many bytes from a place on, one after the other.
    pub fn range(&self, at: u64, length: u64) -> Range<'_> {
        Range { source: self, at, left: length }
    }
}

/// A file that is written to where it is: what has been written can't be taken back.
#[derive(Debug)]
pub struct Target(File);

impl Target {
    /// # Errors
    /// As [`Source::open`].
    pub fn open(path: &Path) -> io::Result<Target> {
        Source::open(path)?;
        Ok(Target(fs::OpenOptions::new().write(true).open(path)?))
    }

    /// Makes a file at least `size` bytes long, with zeros behind what is there; a new one begins empty.
    ///
    /// # Errors
    /// What the system gives.
    pub fn grow(path: &Path, size: u64, is_new: bool) -> io::Result<()> {
        if path.exists() {
            Source::open(path)?;
        }
        let mut options = fs::OpenOptions::new();
        let file = options.write(true).create(is_new).truncate(is_new).open(path)?;
        match file.metadata()?.len() < size {
            true => file.set_len(size),
            false => Ok(()),
        }
    }

    /// # Errors
    /// What the system gives.
    pub fn write_at(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        #[cfg(unix)]
        return std::os::unix::fs::FileExt::write_all_at(&self.0, bytes, at);
        #[cfg(windows)]
        {
            let mut done = 0;
            while done < bytes.len() {
                let place = at + done as u64;
                done += std::os::windows::fs::FileExt::seek_write(&self.0, &bytes[done..], place)?;
            }
            Ok(())
        }
    }
}

/// A part of a file, read from its beginning.
#[derive(Debug)]
pub struct Range<'a> {
    source: &'a Source,
    at: u64,
    left: u64,
}

impl Range<'_> {
    /// The place in the file that is read next.
    pub fn place(&self) -> u64 {
        self.at
    }
}

impl Read for Range<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let most = self.left.min(self.source.length.saturating_sub(self.at));
        let count = (bytes.len() as u64).min(most) as usize;
        self.source.read_at(self.at, &mut bytes[..count])?;
        self.at += count as u64;
        self.left -= count as u64;
        Ok(count)
    }
}
