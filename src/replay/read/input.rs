//! Bytes of a file, one window after the other: a file of gigabytes is never held whole.

use std::io::Read;

use crate::io::Error;

/// Bytes that are asked for at once.
const WINDOW: usize = 1 << 20;

/// Bytes of a line, at the most.
const MAX_LINE: usize = 1 << 16;

pub(super) struct Input<'a> {
    reader: &'a mut dyn Read,
    window: Vec<u8>,
    /// Where in the window the next byte is.
    at: usize,
    /// Where in the file the window begins.
    begin: u64,
    /// Bytes of the file, which no claim in it may go beyond.
    length: u64,
    what: &'static str,
}

impl<'a> Input<'a> {
    /// `what` is what messages call the file.
    pub fn new(reader: &'a mut dyn Read, length: u64, what: &'static str) -> Input<'a> {
        Input { reader, window: Vec::new(), at: 0, begin: 0, length, what }
    }

    pub fn position(&self) -> u64 {
        self.begin + self.at as u64
    }

    pub fn length(&self) -> u64 {
        self.length
    }

    #[cold]
    pub fn broken<T>(&self, words: &str) -> Result<T, Error> {
        Error::format(format!("the {} is broken at byte {}: {words}", self.what, self.position()))
    }

    /// The next bytes, at least `count` of them; none where the file has fewer.
    fn reach(&mut self, count: usize) -> Result<bool, Error> {
        if self.window.len() - self.at >= count {
            return Ok(true);
        }
        if count as u64 > self.length.saturating_sub(self.position()) {
            return Ok(false);
        }
        self.window.drain(..self.at);
        self.begin += self.at as u64;
        self.at = 0;
        let wanted = (count.max(WINDOW) - self.window.len()) as u64;
        self.reader.take(wanted).read_to_end(&mut self.window)?;
        Ok(self.window.len() >= count)
    }

    #[inline]
    pub fn byte(&mut self) -> Result<u8, Error> {
        match self.next()? {
            Some(byte) => Ok(byte),
            None => self.broken("it ends too early"),
        }
    }

    /// None at the end.
    #[inline]
    pub fn next(&mut self) -> Result<Option<u8>, Error> {
        if self.at == self.window.len() && !self.reach(1)? {
            return Ok(None);
        }
        self.at += 1;
        Ok(Some(self.window[self.at - 1]))
    }

    #[inline]
    pub fn peek(&mut self) -> Result<Option<u8>, Error> {
        if self.at == self.window.len() && !self.reach(1)? {
            return Ok(None);
        }
        Ok(Some(self.window[self.at]))
    }

    pub fn take(&mut self, count: u64) -> Result<&[u8], Error> {
        let left = self.length.saturating_sub(self.position());
        let is_there = match usize::try_from(count) {
            Ok(count) if count as u64 <= left => self.reach(count)?,
            _ => false,
        };
        if !is_there {
            return self.broken("it ends too early");
        }
        self.at += count as usize;
        Ok(&self.window[self.at - count as usize..self.at])
    }

    /// A whole number without a sign, the least byte first.
    #[inline]
    pub fn number<const N: usize>(&mut self) -> Result<u64, Error> {
        if let Some(bytes) = self.window[self.at..].first_chunk::<N>() {
            self.at += N;
            return Ok(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)));
        }
        let bytes = self.take(N as u64)?;
        Ok(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    /// Up to the end of the line, which is not among it; false at the end of the file.
    pub fn line(&mut self, line: &mut Vec<u8>) -> Result<bool, Error> {
        line.clear();
        loop {
            match self.next()? {
                Some(b'\n') => return Ok(true),
                Some(_) if line.len() >= MAX_LINE => return self.broken("a line is too long"),
                Some(byte) => line.push(byte),
                None => return Ok(!line.is_empty()),
            }
        }
    }
}
