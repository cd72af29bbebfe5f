//! Programs as CUDA C.
//!
//! Two steps, both without a device. [`plan`] looks at a launch (program, space, operands) and
//! chooses how threads run through it: the [`Form`] of each kernel, its grid, and its parameters.
//! [`render`] writes the text of a kernel; it depends on the program and the form only, never on
//! extents, strides or addresses, so one compiled kernel serves all sizes of a layout class.

pub use form::Form;

use smallvec::SmallVec;

use crate::dtype::DType;
use crate::ir::{Access, Program, Space};

/// An operand of a launch.
#[derive(Debug, Clone)]
pub struct Operand {
    pub dtype: DType,
    /// Where its storage begins, in bytes.
    pub address: u64,
    /// The storage's length in elements.
    pub len: usize,
    pub access: Access,
}

/// What a plan needs to know of the chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chip {
    pub multiprocessors: u32,
    /// Threads that one multiprocessor holds at a time.
    pub threads: u32,
    /// Bytes of shared memory that one block may use, opted in.
    pub shared: u32,
}

/// Kernels to run one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    pub launches: SmallVec<[Launch; 1]>,
    /// Bytes of uninitialised scratch memory that the launches share.
    pub scratch: usize,
    /// How many ways there are to run this; see `choice` of [`plan`].
    pub choices: u8,
}

/// One kernel with its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    pub form: Form,
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: u32,
    /// Bytes of dynamic shared memory.
    pub shared: u32,
    /// The bytes of the kernel's one argument, `struct Params`. It begins with three pointers that
    /// the device fills in: `Fault* fault`, `u8* scratch`, and `u32* counters`, which points to
    /// [`COUNTERS`] zeros that every kernel leaves zero.
    pub params: Vec<u8>,
}

/// Zeros behind `Params::counters`.
pub const COUNTERS: usize = 1 << 16;
mod form {
    #[derive(Debug, Clone, PartialEq, Eq, Hash)]
    pub struct Form;
}
#[derive(Debug)]
pub struct Text {
    pub name: String,
    pub source: String,
}
pub fn plan(_: &Program, _: &Space, _: &[Operand], _: &[Operand], _: &Chip, _: u8) -> Job {
    todo!()
}
pub fn render(_: &Program, _: &Form) -> Text {
    todo!()
}
