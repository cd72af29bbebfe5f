//! Files of traces: each format becomes one kind of [`Trace`].
//!
//! Snapshots are read as a stream of objects (`pickle.rs`, `json.rs`) from which a builder keeps what a
//! replay needs, and `snapshot.rs` makes traces of that. No code is ever run, what a file claims is held
//! against its length, and how much is kept is bounded by that.

mod builder;
mod frames;
mod input;
mod json;
mod own;
mod pickle;
mod snapshot;
mod text;

pub use own::of_snapshot;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::trace::Trace;
use crate::io::Error;
use builder::Builder;
use input::Input;

/// The traces of a file, one for each device that something happens on.
///
/// # Errors
/// The system's; what is wrong with the file.
pub fn open(path: &Path) -> Result<Vec<Trace>, Error> {
    let about = std::fs::metadata(path)?;
    if about.is_dir() {
        return Err(Error::System(std::io::Error::from(std::io::ErrorKind::IsADirectory)));
    }
    if !about.is_file() {
        return Error::format("not a file on a disk");
    }
    read(&mut File::open(path)?, about.len())
}

/// The traces in `length` bytes.
///
/// # Errors
/// As for [`open`].
pub fn read(reader: &mut dyn Read, length: u64) -> Result<Vec<Trace>, Error> {
    let mut first = Vec::new();
    reader.take(512).read_to_end(&mut first)?;
    let kind = Kind::of(&first);
    let mut whole = first.as_slice().chain(reader);
    let mut builder = Builder::new(length);
    match kind {
        Some(Kind::Pickle) => {
            let mut input = Input::new(&mut whole, length, "pickle");
            let root = pickle::read(&mut input, &mut builder)?;
            snapshot::traces(&mut builder, root)
        }
        Some(Kind::Json) => {
            let mut input = Input::new(&mut whole, length, "JSON");
            let root = json::read(&mut input, &mut builder)?;
            snapshot::traces(&mut builder, root)
        }
        Some(Kind::Text) => text::read(&mut Input::new(&mut whole, length, "trace")),
        None if first.is_empty() => Error::format("the file is empty"),
        None => Error::format(
            "the file is no memory snapshot: expected a pickle of `torch.cuda.memory._dump_snapshot`, what \
             `:mem save` writes, or lines `a ID BYTES` and `f ID`",
        ),
    }
}

/// How a file begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Pickle,
    Json,
    Text,
}

impl Kind {
    fn of(first: &[u8]) -> Option<Kind> {
        let begin = first.trim_ascii_start();
        match begin {
            [0x80, ..] | [b'(', b'd', ..] | [b'}', ..] => Some(Kind::Pickle),
            [b'{', ..] => Some(Kind::Json),
            [b'a' | b'f', b' ' | b'\t', ..] | [b'#', ..] => Some(Kind::Text),
            _ => None,
        }
    }
}
