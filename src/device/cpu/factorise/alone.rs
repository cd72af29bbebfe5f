//! A large matrix, by a thread of its own. No call of `faer` can be stopped, and one may take minutes, so
//! what hears Ctrl-C leaves the thread behind. It reads and writes memory of its own alone, which it gives
//! back when it has come to its end; until then the allocator shows it.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use faer::Par;

use super::PARTS;
use super::dense::{Matrices, Real, copy, result};
use super::work::Work;
use crate::device::cpu::elements::{Elements, Ptr};
use crate::device::cpu::scratch::{Buffer, Scratch};
use crate::device::{Error, Factorisation, Interrupt};
use crate::dtype::DType;
use crate::layout::Layout;

/// How often Ctrl-C is looked for.
const LOOK: Duration = Duration::from_millis(10);
/// Bytes of stack, which are touched only where they are needed.
const STACK: usize = 16 << 20;
/// Rows that are copied between two looks.
const ROWS: usize = 256;

/// An operand or a result.
struct Own {
    memory: Buffer<u64>,
    dtype: DType,
    layout: Layout,
}

impl Own {
    fn new(dtype: DType, shape: &[usize], scratch: Scratch<'_>) -> Result<Own, Error> {
        let layout = Layout::contiguous(shape.into());
        let memory = scratch.buffer((layout.elem_count() * dtype.size()).div_ceil(8))?;
        Ok(Own { memory, dtype, layout })
    }

    fn elements(&self) -> Elements<'_> {
        Elements::over(Ptr(self.memory.start().0.cast()), self.dtype, &self.layout)
    }
}

/// What [`Work::run`] does with the matrix of this number, until it is done or the user wants it no more.
///
/// # Errors
/// [`Error::Interrupted`], [`Error::OutOfMemory`].
pub(super) fn run<T: Real>(
    work: &Work<'_, T>,
    number: usize,
    count: usize,
    scratch: Scratch<'_>,
    interrupt: &Interrupt,
) -> Result<i64, Error> {
    let par = Par::rayon(PARTS);
    let mut memory = scratch.buffer::<u64>(work.scratch(par).div_ceil(8))?;
    let mut inputs = Vec::with_capacity(work.inputs.len());
    for input in work.inputs {
        let sides = [input.rows, input.columns];
        let own = Own::new(T::DTYPE, &sides, scratch)?;
        let from = input.at(number);
        let mut to = result::<T>(&own.elements(), 0, sides);
        for first in (0..input.rows).step_by(ROWS) {
            interrupt.heed()?;
            let rows = ROWS.min(input.rows - first);
            copy(from.subrows(first, rows), to.as_mut().subrows_mut(first, rows));
        }
        inputs.push(own);
    }
    let own = |output: &Elements<'_>| Own::new(output.dtype, &[output.len() / count], scratch);
    let outputs = work.outputs.iter().map(own).collect::<Result<Vec<_>, _>>()?;
    let what: Factorisation = work.what;
    let (sender, receiver) = channel();
    let job = move || {
        let matrices: Vec<Matrices<'_, T>> =
            inputs.iter().map(|own| Matrices::over(&own.elements(), &own.layout)).collect();
        let places: Vec<Elements<'_>> = outputs.iter().map(Own::elements).collect();
        let work = Work { what, inputs: &matrices, outputs: &places };
        let flaw = work.run(0, &mut memory, par);
        drop(places);
        // Nobody listens any more where the user has gone on.
        let _ = sender.send((flaw, outputs));
    };
    thread::Builder::new()
        .name(what.name().to_owned())
        .stack_size(STACK)
        .spawn(job)
        .map_err(|error| Error::Driver(format!("a thread cannot be started: {error}")))?;
    let (flaw, outputs) = loop {
        match receiver.recv_timeout(LOOK) {
            Ok(done) => break done,
            Err(RecvTimeoutError::Timeout) => interrupt.heed()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Error::Driver(format!("{} has come to no end", what.name())));
            }
        }
    };
    for (own, output) in outputs.iter().zip(work.outputs) {
        let bytes = own.layout.elem_count() * own.dtype.size();
        let to = output.start::<u8>().at((number * bytes) as isize);
        // SAFETY: the result of each matrix has so many bytes, and is this matrix's alone.
        unsafe { std::ptr::copy_nonoverlapping(own.memory.start().0.cast::<u8>(), to, bytes) };
    }
    Ok(flaw)
}
