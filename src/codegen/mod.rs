//! Programs as CUDA C.
//!
//! Two steps, both without a device. [`plan`] looks at a launch (program, space, operands) and
//! chooses how threads run through it: the [`Form`] of each kernel, its grid, and its parameters.
//! [`render`] writes the text of a kernel; it depends on the program and the form only, never on
//! extents, strides or addresses, so one compiled kernel serves all sizes of a layout class.
//!
//! `ops` says what each operation is in C, `body` writes a program's instructions, and each form
//! (`map`, `reduce`) writes the kernel around them. A text begins where `kernels/prelude.cuh` ends;
//! what it calls of `kernels/math.cuh` is part of it.

mod body;
mod code;
mod form;
mod index;
mod library;
mod map;
mod names;
mod ops;
mod params;
mod reduce;
#[cfg(test)]
mod tests;

pub use form::Form;
pub use index::Divisor;
pub use map::MapForm;
pub use names::stored;
pub use ops::joined;
pub use reduce::RowsForm;
#[cfg(test)]
pub(crate) use reduce::programs as row_programs;

use std::borrow::Cow;

use smallvec::SmallVec;

use crate::dtype::DType;
use crate::ir::{Access, Program, Space};

/// An operand of a launch.
#[derive(Debug, Clone, Copy)]
pub struct Operand<'a> {
    pub dtype: DType,
    /// Where its storage begins, in bytes.
    pub address: u64,
    /// The storage's length in elements.
    pub len: usize,
    pub access: &'a Access,
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
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Job {
    /// None at all where there is nothing to compute.
    pub launches: SmallVec<[Launch; 1]>,
    /// Bytes of uninitialised scratch memory that the launches share.
    pub scratch: usize,
    /// How many ways there are to run this; see `choice` of [`plan`].
    pub choices: u8,
    /// Whether the fault must be looked at afterwards.
    pub can_fail: bool,
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

/// The text of a kernel, to be put behind the prelude.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// Its entry point.
    pub name: Cow<'static, str>,
    pub source: String,
}

/// How to run a program over a space. `choice` is below the `choices` of a job with the same
/// program and layouts; 0 is a good guess, the others are for a tuner to try.
pub fn plan(
    program: &Program,
    space: &Space,
    inputs: &[Operand<'_>],
    outputs: &[Operand<'_>],
    chip: &Chip,
    choice: u8,
) -> Job {
    match program.has_reduce() {
        true => reduce::plan(program, space, inputs, outputs, chip, choice),
        false => map::plan(program, space, inputs, outputs, chip, choice),
    }
}

/// The text of a form's kernel.
pub fn render(program: &Program, form: &Form) -> Text {
    let kernel = kernel(program, form);
    let source = format!("{}{kernel}", library::needed_by(&kernel));
    Text { name: form.entry().into(), source }
}

/// The text of a kernel that does up to `most` launches of a form's kernel, all at once: its argument is their
/// `Params` in a row, and the third extent of its grid says how many these are. None where launches of the form
/// can't run beside each other, whatever their operands.
pub fn render_many(program: &Program, form: &Form, most: usize) -> Option<Text> {
    let kernel = params::for_many(&kernel(program, form), most)?;
    let source = format!("{}{kernel}", library::needed_by(&kernel));
    Some(Text { name: format!("{}_many", form.entry()).into(), source })
}

fn kernel(program: &Program, form: &Form) -> String {
    match form {
        Form::Map(form) => map::render(program, form),
        Form::Rows(form) => reduce::render(program, form),
    }
}
