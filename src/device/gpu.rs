//! What is known of a GPU, in words and numbers: what the back end tells, and what is shown of it.

use std::path::PathBuf;
use std::sync::Arc;

/// What can be said of GPUs without waiting for the driver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Presence {
    /// There is no driver, or it was told to show no GPU: nothing to wait for.
    Absent,
    /// There is a driver; whether it has a GPU, it says when it has started. What the GPUs call
    /// themselves, if the system says so and all are alike.
    Likely { model: Option<String> },
}

/// What the driver says of a GPU that need not be open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GpuInfo {
    pub name: String,
    /// Compute capability: major and minor.
    pub capability: (i32, i32),
    /// Bytes of its memory.
    pub memory: usize,
}

/// A library that the back end can use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryInfo {
    /// What people call it.
    pub name: &'static str,
    /// Empty if it does not say.
    pub version: String,
    /// The file that it is, or how to get it.
    pub place: Result<PathBuf, &'static str>,
}

/// What is known of a kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelInfo {
    pub name: String,
    /// What specialises it: `ITEM=f32 PACK=4`.
    pub macros: Arc<str>,
    pub text: Arc<str>,
    pub launches: u64,
    /// Milliseconds that NVRTC took; none if the code came from disk.
    pub compile_ms: Option<f64>,
    /// Of a thread.
    pub registers: u32,
    /// Bytes of local memory of a thread.
    pub local: u32,
    /// Bytes of machine code.
    pub code: usize,
    /// Bytes a second in the launches that were timed.
    pub bandwidth: Option<f64>,
}

/// How often kernels were found, and how.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct KernelCounts {
    /// Found in memory.
    pub hits: u64,
    /// Found on disk.
    pub disk_hits: u64,
    /// Compiled.
    pub misses: u64,
    /// Of all compilations.
    pub compile_ms: f64,
}

/// A launch and its time.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelTime {
    pub name: String,
    pub microseconds: f64,
    /// Bytes that it had to read and write at the least.
    pub traffic: u64,
    /// When it began, in microseconds since somebody marked the time.
    pub begin: Option<f64>,
}

/// The folder of compiled kernels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiskUsage {
    pub folder: PathBuf,
    /// How many kernels there are.
    pub files: usize,
    pub bytes: u64,
}
