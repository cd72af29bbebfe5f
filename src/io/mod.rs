//! Files of tensors: what their headers say, where elements lie in them and how they are stored, and files that are
//! written whole or not at all. Nothing here knows tensors: a reader gets bytes, a place and a type.
//!
//! Files are read by position and never mapped: one that shrinks while it is read is an error like any
//! other, where touching a page that has gone would end the process.

pub mod chrome;
#[cfg(feature = "parquet")]
pub mod columns;
mod draft;
pub mod gguf;
mod json;
pub mod npy;
pub mod pickle;
pub mod picture;
pub mod pprof;
pub mod safetensors;
mod source;
mod stored;
pub mod table;
pub mod torch;
pub mod zip;

pub use draft::{Draft, write_whole};
pub use json::quoted;
pub use source::{Range, Source, Target};
pub use stored::{How, Stored};

use std::io;
use std::path::{Path, PathBuf};

/// Why a file can't be read or written.
#[derive(Debug)]
pub enum Error {
    /// What the system says.
    System(io::Error),
    /// The file is not what it should be, in words for the user.
    Format(String),
}

impl Error {
    /// # Errors
    /// Always: the words.
    pub fn format<T>(words: impl Into<String>) -> Result<T, Error> {
        Err(Error::Format(words.into()))
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        match error.kind() {
            io::ErrorKind::InvalidData => Error::Format(error.to_string()),
            _ => Error::System(error),
        }
    }
}

impl From<Error> for io::Error {
    fn from(error: Error) -> io::Error {
        match error {
            Error::System(error) => error,
            Error::Format(words) => io::Error::new(io::ErrorKind::InvalidData, words),
        }
    }
}

/// A path as the user writes it; `~` is the home folder, as in a shell.
pub fn path_of(name: &str) -> PathBuf {
    match (name.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => Path::new(&home).join(rest),
        _ => PathBuf::from(name),
    }
}
