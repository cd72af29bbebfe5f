//! What an allocator says when it can't serve: facts first, the words in one place.

use std::fmt;
use std::ops::Deref;

use super::UpstreamError;
use super::stats::format_bytes;
use crate::diag::{ErrorKind, Fault};

/// A request that nothing could satisfy, with every number that explains it (see [`Shortage`],
/// whose fields are its own). The numbers are boxed, so that the good path stays small.
#[derive(Debug, Clone, PartialEq)]
pub struct OutOfMemory {
    numbers: Box<Shortage>,
}

/// The numbers of an [`OutOfMemory`]. Bytes throughout.
#[derive(Debug, Clone, PartialEq)]
pub struct Shortage {
    /// The upstream's name.
    pub device: String,
    /// What was asked for.
    pub requested: usize,
    /// In blocks that somebody holds.
    pub allocated: usize,
    /// In segments held from the upstream.
    pub reserved: usize,
    /// In free blocks inside those segments.
    pub free_in_pools: usize,
    /// The longest single free block among them: less than `requested`, or it would have served.
    pub largest_free: usize,
    /// In blocks that wait for another stream.
    pub pending: usize,
    /// The most that may be reserved, if there is a limit.
    pub limit: Option<usize>,
    /// The share of all memory that the limit is, where it was set so; else 1.
    pub fraction: f64,
    /// By how much the live blocks and the request go beyond what there is; 0 where what is free lies in
    /// pieces.
    pub short: usize,
    /// What the upstream says is free.
    pub device_free: usize,
    /// What the upstream has in all; `usize::MAX` when unknown.
    pub device_total: usize,
    /// What was tried, in order.
    pub steps: Vec<&'static str>,
    /// What the upstream said, where it was not a lack of memory.
    pub cause: Option<UpstreamError>,
}

impl From<Shortage> for OutOfMemory {
    fn from(numbers: Shortage) -> OutOfMemory {
        OutOfMemory { numbers: Box::new(numbers) }
    }
}

impl Deref for OutOfMemory {
    type Target = Shortage;

    fn deref(&self) -> &Shortage {
        &self.numbers
    }
}

impl Shortage {
    /// Whether the request would have fitted if what is free lay side by side.
    pub fn is_fragmentation(&self) -> bool {
        self.short == 0 && self.cause.is_none()
    }
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = format_bytes;
        if let Some(UpstreamError::Failed(reason)) = &self.cause {
            return write!(f, "{} can't allocate {}: {reason}", self.device, bytes(self.requested));
        }
        write!(f, "out of memory on {}: tried to allocate {}", self.device, bytes(self.requested))?;
        write!(f, "; {} allocated, {} reserved", bytes(self.allocated), bytes(self.reserved))?;
        let (free, largest) = (bytes(self.free_in_pools), bytes(self.largest_free));
        write!(f, " ({free} free in it, {largest} in one piece)")?;
        if self.pending > 0 {
            write!(f, ", {} waiting for another stream", bytes(self.pending))?;
        }
        if let Some(limit) = self.limit {
            write!(f, "; limit {}", bytes(limit))?;
            if self.fraction < 1.0 {
                write!(f, ", a fraction of {}", self.fraction)?;
            }
        }
        write!(f, "; device has {} free", bytes(self.device_free))?;
        if self.device_total != usize::MAX {
            write!(f, " of {}", bytes(self.device_total))?;
        }
        Ok(())
    }
}

impl std::error::Error for OutOfMemory {}

impl From<OutOfMemory> for Fault {
    fn from(error: OutOfMemory) -> Fault {
        let fault = Fault::new(ErrorKind::OutOfMemory, error.to_string());
        match error.is_fragmentation() {
            true => fault.with_hint(
                "enough is free, but in pieces: `:mem fragmentation` shows what lies between them",
            ),
            false => fault,
        }
    }
}

/// A choice that this upstream or this allocator can't follow.
#[derive(Debug, Clone, PartialEq)]
pub enum ConfigError {
    /// The mode needs a stream-ordered pool, which the named upstream does not have.
    NoAsyncPool { device: String },
    /// A share of memory must lie in (0, 1].
    Fraction { found: f64 },
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConfigError::NoAsyncPool { device } => {
                write!(
                    f,
                    "`{device}` has no stream-ordered pool: expected mode `caching` or `direct`, found `async`"
                )
            }
            ConfigError::Fraction { found } => {
                write!(f, "expected a memory fraction above 0 and at most 1, found {found}")
            }
        }
    }
}

impl std::error::Error for ConfigError {}

impl From<ConfigError> for Fault {
    fn from(error: ConfigError) -> Fault {
        Fault::value_error(error.to_string())
    }
}
