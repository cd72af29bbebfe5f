//! Factorisations of dense matrices, by the crate `faer`.
//!
//! A stack of small matrices is cut in pieces that threads take one after the other; of a large matrix
//! the work is cut in [`PARTS`], however many threads there are, and is done behind the user's back
//! (`alone.rs`), so that Ctrl-C is heard. Matrices go column by column through
//! memory of their own, which comes from the device's allocator; what the products of `faer` pack is
//! not counted.

mod alone;
mod bidiagonal;
mod chase;
mod dense;
mod eigen;
mod lu;
mod orthogonal;
mod panel;
mod quotients;
mod root_free;
mod systems;
mod tridiagonal;
mod work;

use faer::Par;

use self::dense::{Matrices, Real};
use self::work::Work;
use super::elements::{Elements, INLINE, Ptr, for_pieces};
use super::scratch::Scratch;
use crate::device::{Error, Factorisation, Interrupt, View};
use crate::dtype::DType;

/// In how many parts the work on one large matrix is cut.
const PARTS: usize = 8;
/// Elements of the largest matrix that one thread takes alone.
const ALONE: usize = 256 * 256;

/// Sides of matrices at which another way is taken.
#[cfg(test)]
pub const THRESHOLDS: &[usize] = &[systems::NARROW, dense::TILE, 48, 128, 256];

/// See [`Factoriser::factorise`](crate::device::Factoriser::factorise).
pub(super) fn factorise(
    what: Factorisation,
    inputs: &[View<'_>],
    outputs: &[View<'_>],
    flaws: View<'_>,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    match inputs[0].dtype() {
        DType::F32 => run::<f32>(what, inputs, outputs, flaws, interrupt),
        DType::F64 => run::<f64>(what, inputs, outputs, flaws, interrupt),
        other => Err(Error::Driver(format!("matrices of {other} are not taken apart"))),
    }
}

fn run<T: Real>(
    what: Factorisation,
    inputs: &[View<'_>],
    outputs: &[View<'_>],
    flaws: View<'_>,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    let count = flaws.layout.elem_count();
    let scratch = Scratch::new(flaws.storage.device(), what.name());
    let inputs: Vec<Matrices<'_, T>> = inputs.iter().map(Matrices::read).collect();
    let outputs: Vec<Elements<'_>> = outputs.iter().map(|view| Elements::from(*view)).collect();
    let flaws: Ptr<i64> = Elements::from(flaws).start();
    let size = inputs.iter().map(|input| input.rows * input.columns).max().unwrap_or(0);
    let work = Work { what, inputs: &inputs, outputs: &outputs };
    let one_by_one = |numbers: std::ops::Range<usize>| {
        let mut memory = scratch.buffer::<u64>(work.scratch(Par::Seq).div_ceil(8))?;
        for number in numbers {
            interrupt.heed()?;
            let flaw = work.run(number, &mut memory, Par::Seq);
            // SAFETY: there is a number for each matrix, and this one is no other piece's.
            unsafe { *flaws.at(number as isize) = flaw };
        }
        Ok(())
    };
    if size > ALONE {
        return (0..count).try_for_each(|number| {
            interrupt.heed()?;
            let flaw = alone::run(&work, number, count, scratch, interrupt)?;
            // SAFETY: as below.
            unsafe { *flaws.at(number as isize) = flaw };
            Ok(())
        });
    }
    let piece = INLINE / 4 / (size.max(1) * work.passes());
    for_pieces(count, piece, interrupt, &|_, numbers| one_by_one(numbers))
}
