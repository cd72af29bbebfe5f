//! Reading a file: all of it, so many characters, a line.

use super::{CHUNK, File};
use crate::diag::Fault;
use crate::interp::Evaluator;
use crate::interp::object::iterator::{Iter, Stream};
use crate::interp::object::opaque::Opaque;
use crate::interp::room::{self, Pace};
use crate::interp::value::Value;
use std::rc::Rc;

impl File {
    /// The bytes from a place on, as many as are at hand; none at the end of the file.
    fn with_bytes<T>(&self, at: u64, look: impl FnOnce(&[u8]) -> T) -> Result<T, Fault> {
        let mut chunk = self.chunk.borrow_mut();
        let (start, bytes) = &*chunk;
        let is_there = (*start..*start + bytes.len() as u64).contains(&at);
        if !is_there {
            *chunk = (at, self.read_at(at, CHUNK)?);
        }
        let (start, bytes) = &*chunk;
        Ok(look(&bytes[(at - start) as usize..]))
    }

    /// Goes on to a byte.
    fn go_to(&self, evaluator: Evaluator<'_>, at: u64) {
        self.place.change(&evaluator.interp.journal).at = at;
    }

    /// So many characters, all without a number; fewer at the end of the file.
    ///
    /// # Errors
    /// UnicodeDecodeError, MemoryError, Ctrl-C, and those of [`File::seek`].
    pub fn read(&self, evaluator: Evaluator<'_>, count: Option<usize>) -> Result<String, Fault> {
        self.check_readable()?;
        self.flush()?;
        let engine = &evaluator.interp.engine;
        let start = self.place.borrow().at;
        let mut pace = Pace::new(engine);
        if count.is_none() {
            room::text(engine, self.length()?.saturating_sub(start) as usize)?;
        }
        let (mut bytes, mut text, mut made) = (Vec::new(), String::new(), 0);
        let mut at = start;
        loop {
            let more = self.with_bytes(at, |more| more.to_vec())?;
            pace.step(more.len())?;
            engine.interrupt().heed().map_err(Fault::from)?;
            let is_end = more.is_empty();
            at += more.len() as u64;
            bytes.extend_from_slice(&more);
            let Some(count) = count else {
                if is_end {
                    let decoded = self.codec.decoded(bytes, self.errors)?;
                    self.go_to(evaluator, at);
                    return Ok(self.newline.read(decoded));
                }
                continue;
            };
            // A break of two bytes is read as one character.
            let mut whole = if is_end { bytes.len() } else { self.codec.whole(&bytes) };
            if !is_end && whole == bytes.len() && bytes.last() == Some(&b'\r') {
                whole -= 1;
            }
            let rest = bytes.split_off(whole);
            let ready = std::mem::replace(&mut bytes, rest);
            let decoded = self.codec.decoded(ready, self.errors)?;
            let decoded = self.newline.read(decoded);
            let wanted = count - made;
            match decoded.char_indices().nth(wanted) {
                Some((cut, _)) => {
                    text.push_str(&decoded[..cut]);
                    self.go_to_character(evaluator, start, count)?;
                    return Ok(text);
                }
                None => {
                    made += decoded.chars().count();
                    text.push_str(&decoded);
                }
            }
            if is_end || made == count {
                self.go_to(evaluator, at - bytes.len() as u64);
                return Ok(text);
            }
        }
    }

    /// Goes on so many characters behind a place, where there are that many.
    fn go_to_character(
        &self,
        evaluator: Evaluator<'_>,
        start: u64,
        count: usize,
    ) -> Result<(), Fault> {
        let (mut at, mut left, mut was_return) = (start, count, false);
        while left > 0 || was_return {
            let is_universal = self.newline == super::Newline::Universal;
            let (step, passed, ends_so) = self.with_bytes(at, |bytes| {
                let (mut passed, mut was) = (0, was_return);
                let mut step = 0;
                while step < bytes.len() {
                    let byte = bytes[step];
                    if was && byte == b'\n' {
                        (was, step) = (false, step + 1);
                        continue;
                    }
                    was = false;
                    if passed == left {
                        break;
                    }
                    let width = match (&self.codec, byte) {
                        (super::Codec::Utf8(_), 0xc2..=0xdf) => 2,
                        (super::Codec::Utf8(_), 0xe0..=0xef) => 3,
                        (super::Codec::Utf8(_), 0xf0..=0xf4) => 4,
                        _ => 1,
                    };
                    was = is_universal && byte == b'\r';
                    (step, passed) = (step + width, passed + 1);
                }
                (step, passed, was)
            })?;
            if step == 0 {
                break;
            }
            at += step as u64;
            left -= passed;
            was_return = ends_so;
        }
        self.go_to(evaluator, at);
        Ok(())
    }

    /// The next line with its break, at most so many characters of it; empty at the end of the file.
    ///
    /// # Errors
    /// As [`File::read`].
    pub fn line(&self, evaluator: Evaluator<'_>, most: Option<usize>) -> Result<String, Fault> {
        self.check_readable()?;
        self.flush()?;
        let engine = &evaluator.interp.engine;
        let start = self.place.borrow().at;
        let (mut bytes, mut at) = (Vec::new(), start);
        let mut pace = Pace::new(engine);
        loop {
            let (more, end) = self.with_bytes(at, |more| {
                if bytes.is_empty()
                    && let Some(end) = self.newline.end(more, false)
                {
                    return (more[..end].to_vec(), Some(end));
                }
                (more.to_vec(), None)
            })?;
            if let Some(end) = end {
                bytes = more;
                at = start + end as u64;
                break;
            }
            pace.step(more.len())?;
            engine.interrupt().heed().map_err(Fault::from)?;
            let is_end = more.is_empty();
            at += more.len() as u64;
            bytes.extend_from_slice(&more);
            if let Some(end) = self.newline.end(&bytes, is_end) {
                bytes.truncate(end);
                at = start + end as u64;
                break;
            }
            if is_end {
                break;
            }
        }
        let text = self.newline.read(self.codec.decoded(bytes, self.errors)?);
        if let Some(most) = most
            && let Some((cut, _)) = text.char_indices().nth(most)
        {
            self.go_to_character(evaluator, start, most)?;
            return Ok(text[..cut].to_owned());
        }
        self.go_to(evaluator, at);
        Ok(text)
    }

    /// The next line for a loop; `None` at the end.
    ///
    /// # Errors
    /// As [`File::read`].
    pub fn next_line(&self, evaluator: Evaluator<'_>) -> Result<Option<Value>, Fault> {
        let line = self.line(evaluator, None)?;
        self.place.change(&evaluator.interp.journal).is_iterated = !line.is_empty();
        Ok((!line.is_empty()).then(|| Value::str(line)))
    }
}

/// The lines of a file that are left.
pub struct Lines(pub Rc<Opaque>);

impl Lines {
    /// `None` for what is no file.
    pub fn of(file: &Rc<Opaque>) -> Option<Rc<Iter>> {
        file.inside::<File>()?;
        Some(Iter::over("_io.TextIOWrapper", Lines(file.clone())))
    }
}

impl Stream for Lines {
    fn next(&mut self, evaluator: &Evaluator<'_>) -> Result<Option<Value>, Fault> {
        match self.0.inside::<File>() {
            Some(file) => file.next_line(*evaluator),
            None => Ok(None),
        }
    }

    fn copy(&self) -> Box<dyn Stream> {
        Box::new(Lines(self.0.clone()))
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        look(&Value::Opaque(self.0.clone()));
    }
}
