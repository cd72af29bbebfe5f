//! Files of text that a program opens.
//!
//! Where a file stands, and what waits to be written, is part of the session: a statement that fails
//! puts it back. What has reached the disk stays there. Text waits until there is enough of it, until
//! the file is closed or nobody holds it, until an input ends or another file is opened.

mod codec;
mod lines;
mod read;

pub use codec::{Codec, Errors};
pub use lines::Newline;
pub(super) use read::Lines;

use std::cell::RefCell;
use std::fmt;
use std::fs;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::rc::{Rc, Weak};

use crate::diag::{ErrorKind, Fault};
use crate::interp::Evaluator;
use crate::interp::object::exception::os_error;
use crate::interp::object::opaque::Part;
use crate::interp::shared::{Contents, Shared};
use crate::interp::value::Value;

/// Bytes that wait before they are written, as in CPython.
const WAITING: usize = 8192;
/// Bytes that are read at once.
const CHUNK: usize = 1 << 16;

/// An open file.
pub struct File {
    pub name: String,
    pub mode: String,
    pub codec: Codec,
    pub errors: Errors,
    pub newline: Newline,
    /// Whether each line is written at once.
    by_line: bool,
    pub can_read: bool,
    pub can_write: bool,
    /// Whether what is written goes to the end, wherever the file stands.
    appends: bool,
    inside: Rc<Inside>,
    place: Rc<Shared<Place>>,
    /// Bytes that were read, and where they begin.
    chunk: RefCell<(u64, Vec<u8>)>,
}

/// What is shared with the session's list of open files.
struct Inside {
    handle: RefCell<fs::File>,
    place: Rc<Shared<Place>>,
}

/// Where a file stands.
#[derive(Clone, Default)]
struct Place {
    /// The byte that is read next, or in front of which what waits is written.
    at: u64,
    waiting: Vec<u8>,
    is_closed: bool,
    /// Whether a loop has asked for a line, after which nobody knows where the file stands.
    is_iterated: bool,
}

/// The files of a session that may have something to write.
#[derive(Default)]
pub struct Files(RefCell<Vec<Weak<Inside>>>);

impl Contents for Place {
    fn visit(&self, _: &mut dyn FnMut(&Value)) {}

    fn bytes(&self) -> usize {
        size_of::<Place>() + self.waiting.len()
    }
}

impl Inside {
    /// Writes what waits.
    fn flush(&self) -> io::Result<()> {
        let (at, waiting) = {
            let place = self.place.borrow();
            (place.at, place.waiting.clone())
        };
        if waiting.is_empty() {
            return Ok(());
        }
        let mut handle = self.handle.borrow_mut();
        handle.seek(SeekFrom::Start(at))?;
        handle.write_all(&waiting)?;
        let end = at + waiting.len() as u64;
        drop(handle);
        // What is on the disk is not taken back.
        let place = self.place.borrow().clone();
        self.place.restore(Place { at: end, waiting: Vec::new(), ..place });
        Ok(())
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        // Nobody is there to be told.
        _ = self.flush();
    }
}

impl Files {
    /// Writes what waits in any file.
    pub fn flush(&self) {
        let open: Vec<Rc<Inside>> = self.0.borrow().iter().filter_map(Weak::upgrade).collect();
        for inside in open {
            // The file says so itself when it is closed.
            _ = inside.flush();
        }
        self.0.borrow_mut().retain(|inside| inside.strong_count() > 0);
    }
}

/// How a file is opened, from its mode.
struct Access {
    can_read: bool,
    can_write: bool,
    appends: bool,
    truncates: bool,
    creates: bool,
    is_new: bool,
}

impl Access {
    /// Reads `"r"`, `"w+"`, `"at"`.
    ///
    /// # Errors
    /// ValueError in CPython's words.
    fn of(mode: &str) -> Result<Access, Fault> {
        let count = |letters: &str| mode.chars().filter(|c| letters.contains(*c)).count();
        let is_known = mode.chars().all(|c| "rwaxbt+".contains(c));
        let repeats = mode.chars().any(|c| count(c.encode_utf8(&mut [0; 4])) > 1);
        if !is_known || repeats {
            let mut shown = String::new();
            crate::interp::quote(mode, &mut shown);
            return Err(Fault::value_error(format!("invalid mode: {shown}")));
        }
        if count("b") > 0 && count("t") > 0 {
            return Err(Fault::value_error("can't have text and binary mode at once"));
        }
        if count("rwax") != 1 {
            let message = match count("rwax") {
                0 => "Must have exactly one of create/read/write/append mode and at most one plus",
                _ => "must have exactly one of create/read/write/append mode",
            };
            return Err(Fault::value_error(message));
        }
        if count("b") > 0 {
            let message = "files are opened as text here, and not in binary mode";
            let hint = "`np.fromfile(path, uint8).tobytes()` reads a file's bytes, \
                        `np.frombuffer(b, uint8).tofile(path)` writes them";
            return Err(Fault::value_error(message).with_hint(hint));
        }
        let has = |letter: &str| count(letter) > 0;
        Ok(Access {
            can_read: has("r") || has("+"),
            can_write: !has("r") || has("+"),
            appends: has("a"),
            truncates: has("w"),
            creates: has("w") || has("a"),
            is_new: has("x"),
        })
    }

    fn open(&self, path: &str) -> io::Result<fs::File> {
        let mut options = fs::OpenOptions::new();
        options.read(self.can_read).write(self.can_write);
        options.truncate(self.truncates).create(self.creates).create_new(self.is_new);
        options.open(path)
    }
}

impl File {
    /// Opens a file.
    ///
    /// # Errors
    /// OSError and what is derived from it.
    pub fn open(
        files: &Files,
        path: &str,
        mode: &str,
        (codec, errors): (Codec, Errors),
        (newline, by_line): (Newline, bool),
    ) -> Result<File, Fault> {
        let access = Access::of(mode)?;
        files.flush();
        // A pipe would be waited for without end, a terminal belongs to the session.
        match fs::metadata(path) {
            Ok(data) if data.is_dir() => {
                return Err(os_error(ErrorKind::IsADirectory, 21, "Is a directory", path));
            }
            Ok(data) if !data.is_file() && path != "/dev/null" => {
                return Err(os_error(ErrorKind::Os, 22, "not a file on a disk", path));
            }
            _ => {}
        }
        let handle = access.open(path).map_err(|error| failed(&error, path))?;
        let at = match access.appends {
            true => handle.metadata().map_or(0, |data| data.len()),
            false => 0,
        };
        let place = Rc::new(Shared::from(Place { at, ..Place::default() }));
        let handle = RefCell::new(handle);
        let inside = Rc::new(Inside { handle, place: place.clone() });
        if access.can_write {
            files.0.borrow_mut().push(Rc::downgrade(&inside));
        }
        Ok(File {
            name: path.to_owned(),
            mode: mode.to_owned(),
            codec,
            errors,
            newline,
            by_line,
            can_read: access.can_read,
            can_write: access.can_write,
            appends: access.appends,
            inside,
            place,
            chunk: RefCell::default(),
        })
    }

    /// # Errors
    /// ValueError for a mode that files are not opened in.
    pub fn check_mode(mode: &str) -> Result<(), Fault> {
        Access::of(mode).map(drop)
    }

    pub fn is_closed(&self) -> bool {
        self.place.borrow().is_closed
    }

    /// # Errors
    /// ValueError for a file that is closed.
    pub fn check_open(&self) -> Result<(), Fault> {
        match self.is_closed() {
            true => Err(Fault::value_error("I/O operation on closed file.")),
            false => Ok(()),
        }
    }

    /// # Errors
    /// ValueError for a file that is closed, UnsupportedOperation for one that is only written.
    fn check_readable(&self) -> Result<(), Fault> {
        self.check_open()?;
        match self.can_read {
            true => Ok(()),
            false => Err(Fault::new(ErrorKind::Unsupported, "not readable")),
        }
    }

    /// Writes a text; how many characters it has.
    ///
    /// # Errors
    /// As for reading; UnicodeEncodeError; OSError where the disk is full.
    pub fn write(&self, evaluator: Evaluator<'_>, text: &str) -> Result<usize, Fault> {
        self.check_open()?;
        if !self.can_write {
            return Err(Fault::new(ErrorKind::Unsupported, "not writable"));
        }
        evaluator.reach_out()?;
        let translated = self.newline.written(text);
        let bytes = self.codec.encoded(&translated, self.errors)?;
        crate::interp::room::text(&evaluator.interp.engine, bytes.len())?;
        self.chunk.borrow_mut().1.clear();
        let is_much = {
            let end = if self.appends { Some(self.length()?) } else { None };
            let mut place = self.place.change(&evaluator.interp.journal);
            if let Some(end) = end.filter(|_| place.waiting.is_empty()) {
                place.at = end;
            }
            place.waiting.extend_from_slice(&bytes);
            place.waiting.len() > WAITING || self.by_line && text.contains('\n')
        };
        if is_much {
            self.flush()?;
        }
        Ok(text.chars().count())
    }

    /// Writes what waits.
    ///
    /// # Errors
    /// OSError.
    pub fn flush(&self) -> Result<(), Fault> {
        self.inside.flush().map_err(|error| failed(&error, &self.name))
    }

    /// # Errors
    /// OSError of what is written last.
    pub fn close(&self, evaluator: Evaluator<'_>) -> Result<(), Fault> {
        if self.is_closed() {
            return Ok(());
        }
        let flushed = self.flush();
        let mut place = self.place.change(&evaluator.interp.journal);
        place.is_closed = true;
        place.waiting.clear();
        flushed
    }

    /// Goes to a byte; where that is.
    ///
    /// # Errors
    /// ValueError, UnsupportedOperation in CPython's words.
    pub fn seek(&self, evaluator: Evaluator<'_>, offset: i64, whence: i64) -> Result<u64, Fault> {
        self.check_open()?;
        self.flush()?;
        let at = match whence {
            0 if offset < 0 => {
                return Err(Fault::value_error(format!("negative seek position {offset}")));
            }
            0 => offset as u64,
            1 if offset == 0 => self.place.borrow().at,
            2 if offset == 0 => self.length()?,
            1 => {
                let message = "can't do nonzero cur-relative seeks";
                return Err(Fault::new(ErrorKind::Unsupported, message));
            }
            2 => {
                let message = "can't do nonzero end-relative seeks";
                return Err(Fault::new(ErrorKind::Unsupported, message));
            }
            _ => {
                let message = format!("invalid whence ({whence}, should be 0, 1 or 2)");
                return Err(Fault::value_error(message));
            }
        };
        let mut place = self.place.change(&evaluator.interp.journal);
        (place.at, place.is_iterated) = (at, false);
        Ok(at)
    }

    /// # Errors
    /// OSError within a loop over the lines.
    pub fn tell(&self) -> Result<u64, Fault> {
        self.check_open()?;
        let place = self.place.borrow();
        match place.is_iterated {
            true => Err(Fault::new(ErrorKind::Os, "telling position disabled by next() call")),
            false => Ok(place.at + place.waiting.len() as u64),
        }
    }

    /// Cuts the file off, here or at a byte.
    ///
    /// # Errors
    /// As for writing.
    pub fn truncate(&self, size: Option<i64>) -> Result<u64, Fault> {
        self.check_open()?;
        if !self.can_write {
            return Err(Fault::new(ErrorKind::Unsupported, "truncate"));
        }
        self.flush()?;
        self.chunk.borrow_mut().1.clear();
        let size = match size {
            None => self.place.borrow().at,
            Some(size) => u64::try_from(size)
                .map_err(|_| os_error(ErrorKind::Os, 22, "Invalid argument", ""))?,
        };
        let cut = self.inside.handle.borrow().set_len(size);
        cut.map_err(|error| failed(&error, &self.name))?;
        Ok(size)
    }

    fn length(&self) -> Result<u64, Fault> {
        let data = self.inside.handle.borrow().metadata();
        Ok(data.map_err(|error| failed(&error, &self.name))?.len())
    }

    /// Reads some bytes at a place, none at the end.
    fn read_at(&self, at: u64, most: usize) -> Result<Vec<u8>, Fault> {
        let mut handle = self.inside.handle.borrow_mut();
        let mut bytes = vec![0; most];
        let read = handle.seek(SeekFrom::Start(at)).and_then(|_| handle.read(&mut bytes));
        bytes.truncate(read.map_err(|error| failed(&error, &self.name))?);
        Ok(bytes)
    }
}

/// What the system said, as CPython writes it.
pub fn failed(error: &io::Error, path: &str) -> Fault {
    let kind = match error.kind() {
        io::ErrorKind::NotFound => ErrorKind::FileNotFound,
        io::ErrorKind::PermissionDenied => ErrorKind::Permission,
        io::ErrorKind::AlreadyExists => ErrorKind::FileExists,
        io::ErrorKind::IsADirectory => ErrorKind::IsADirectory,
        io::ErrorKind::NotADirectory => ErrorKind::NotADirectory,
        io::ErrorKind::InvalidInput if path.contains('\0') => {
            return Fault::value_error("embedded null byte");
        }
        _ => ErrorKind::Os,
    };
    let words = error.to_string();
    let words = words.split(" (os error").next().unwrap_or_default();
    os_error(kind, error.raw_os_error().unwrap_or_default(), words, path)
}

impl Part for File {
    fn repr(&self, _: &Evaluator<'_>) -> Result<String, Fault> {
        let mut name = String::new();
        crate::interp::quote(&self.name, &mut name);
        let (mode, encoding) = (&self.mode, self.codec.name());
        Ok(format!("<_io.TextIOWrapper name={name} mode='{mode}' encoding='{encoding}'>"))
    }

    fn attribute(&self, name: &str) -> Option<Value> {
        Some(match name {
            "name" => Value::str(&self.name),
            "mode" => Value::str(&self.mode),
            "encoding" => Value::str(self.codec.name()),
            "errors" => Value::str(self.errors.name()),
            "closed" => Value::Bool(self.is_closed()),
            "line_buffering" => Value::Bool(self.by_line),
            _ => return None,
        })
    }
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Files({})", self.0.borrow().len())
    }
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "File({:?})", self.name)
    }
}
