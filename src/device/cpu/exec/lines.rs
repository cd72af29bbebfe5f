//! Lines that all inputs have at one distance: a window of a matrix, its neighbours in a stencil, all but the first
//! column. Kernels go over them as they lie, and over what lies between them, whose lanes are let go of.

use std::mem::MaybeUninit;

use super::frame::Frame;
use super::geometry::{Axes, Block, Operand};
use super::plan::{Pass, Plan, Work};
use super::steps::{FEW_LANES, Launch};
use super::ways::are_dense;
use super::{block, pattern};
use crate::ir::Space;

/// Between two lines of at least as many lanes there are no more than half of it, between shorter ones, which cost more
/// where they are copied, no more than all of it.
pub(super) const LONG: usize = 16;

fn is_dense(operand: &Operand, axis: usize) -> bool {
    operand.strides[axis] == operand.size as isize
}

/// From the begin of a line to that of the next, and how many lines a block of so many lanes takes, if lines may be
/// gone over as they lie; the last axis runs along them, the one before from line to line.
pub(super) fn pitch(
    plan: &Plan,
    axes: &Axes,
    (inputs, outputs): (&[Operand], &[Operand]),
    (space, lanes): (&Space, usize),
) -> Option<(usize, usize)> {
    let [.., before, last] = axes[..] else { return None };
    let extent = space.dims[last];
    let is_dense = |operand: &Operand| is_dense(operand, last);
    let first = inputs.first()?;
    let pitch = first.strides[before] / first.size as isize;
    let is_alike = |input: &Operand| input.strides[before] == pitch * input.size as isize;
    // What has no result for some lanes would be asked for those between the lines.
    let is_total = |plan: &Plan| {
        let mut steps = plan.passes.iter().flat_map(|pass| &pass.element);
        steps.all(|step| !matches!(step.work, Work::Checked(..)))
    };
    let between = if extent < LONG { extent } else { extent / 2 };
    let is_near = (extent..=extent + between).contains(&usize::try_from(pitch).ok()?);
    let lines = (lanes / pitch.max(1) as usize).min(space.dims[before]);
    let is_good = is_near
        && extent > 1
        && lines > 1
        && inputs.iter().all(|input| is_dense(input) && is_alike(input))
        && outputs.iter().all(is_dense)
        && plan.only_kernels()
        && is_total(plan);
    is_good.then_some((pitch as usize, lines))
}

/// Whether loops go from line to line of so many lanes, rather than that what is not dense is copied and values of
/// rows are repeated: a line costs them as much as a few vectors.
pub(super) fn are_worth_it(extent: usize, widest: u8) -> bool {
    extent * usize::from(widest) >= 128
}

/// How many lanes a block has, if all that is done are loops over lines, which each operand has dense or as one value.
pub(super) fn block(
    plan: &Plan,
    axes: &Axes,
    (inputs, outputs): (&[Operand], &[Operand]),
    (space, most): (&Space, usize),
) -> Option<usize> {
    let [.., before, last] = axes[..] else { return None };
    let extent = space.dims[last];
    let is_lined =
        |operand: &Operand| matches!(operand.strides[last], 0) || is_dense(operand, last);
    let lanes = most.min(extent.saturating_mul(space.dims[before]));
    let is_good = plan.only_loops()
        && are_worth_it(extent, plan.widest)
        && lanes >= most.min(FEW_LANES)
        && 2 * extent <= most
        && inputs.iter().all(is_lined)
        && are_dense(axes, outputs, space);
    is_good.then_some(lanes)
}

/// Lines of fewer bytes are put side by side before they go around the caches: whole lines of these go there at once.
const SHORT_STREAM: usize = 1024;

/// Whether all that is done is copying lines, each of which is dense in all operands, to where they lie apart: no
/// register holds them then, and none goes around the caches if it is short, because it begins and ends within a line of
/// those.
pub(super) fn are_copied(
    plan: &Plan,
    axes: &Axes,
    (inputs, outputs): (&[Operand], &[Operand]),
    (space, streams): (&Space, bool),
) -> bool {
    let [.., _, last] = axes[..] else { return false };
    let extent = space.dims[last];
    let is_good = |operand: &Operand| {
        is_dense(operand, last) && (!streams || extent * operand.size < SHORT_STREAM)
    };
    plan.only_copies()
        && inputs.iter().chain(outputs).all(is_good)
        && !are_dense(axes, outputs, space)
}

/// Copies the lines of a box, each as dense as it will lie.
///
/// # Safety
/// Every line can be read at `from` and written at `to`, apart from each other.
unsafe fn copy_lines(
    (to, to_strides): (*mut u8, &[isize]),
    (from, from_strides): (*mut u8, &[isize]),
    dims: &[usize],
    size: usize,
) {
    // SAFETY: the caller's.
    unsafe {
        match dims {
            [lines, extent] => {
                let (to, from) = ((to, to_strides[0]), (from, from_strides[0]));
                pattern::copy_runs(to, from, *lines, extent * size);
            }
            [n, rest @ ..] if rest.len() > 1 => {
                for at in 0..*n as isize {
                    let to = (to.offset(at * to_strides[0]), &to_strides[1..]);
                    let from = (from.offset(at * from_strides[0]), &from_strides[1..]);
                    copy_lines(to, from, rest, size);
                }
            }
            _ => pattern::copy_bytes(to, from, dims.iter().product::<usize>() * size),
        }
    }
}

/// Writes lines that lie apart one behind the other, around the caches.
///
/// # Safety
/// Every line can be read, and there is room for all behind `to`, apart from them.
unsafe fn gathered((from, between): (*mut u8, isize), to: *mut u8, lines: usize, run: usize) {
    let mut near = [MaybeUninit::<u8>::uninit(); 4 * SHORT_STREAM];
    let place = near.as_mut_ptr().cast::<u8>();
    let (together, mut done) = (near.len() / run.max(1), 0);
    while done < lines {
        let count = together.min(lines - done);
        // SAFETY: the caller's, and `count` lines have room nearby.
        unsafe {
            let from = from.offset(done as isize * between);
            pattern::copy_runs((place, run as isize), (from, between), count, run);
            block::stream_run(place, to.add(done * run), count * run);
        }
        done += count;
    }
}

impl Launch<'_> {
    /// How many lanes of registers a block is.
    #[inline]
    pub fn lanes_of(&self, block: &Block) -> usize {
        match (self.pitch, &block.dims[..]) {
            (Some(pitch), [.., lines, extent]) => (lines - 1) * pitch + extent,
            _ => block.lanes,
        }
    }

    /// Copies the lines of a block to where they belong: see [`are_copied`].
    ///
    /// # Safety
    /// The operands' storages hold every point of the block.
    pub unsafe fn copy_block(&self, pass: &Pass, frame: &Frame, block: &Block) {
        for store in &pass.stores {
            let made = pass.element.iter().find(|step| step.out == store.slot);
            let Some(Work::Load { input }) = made.map(|step| &step.work) else { continue };
            let (input, output) = (*input as usize, self.inputs + store.output as usize);
            let end =
                |operand: usize| (self.place(operand, frame, block), self.strides(operand, block));
            // SAFETY: the caller's; outputs do not lie over inputs.
            unsafe { copy_lines(end(output), end(input), &block.dims, self.operands[input].size) };
        }
    }

    /// Writes the lines of a block, which lie in registers with what is between them.
    ///
    /// # Safety
    /// As for [`block::store`], of lanes that lie so.
    pub unsafe fn store_lines(
        &self,
        from: *const u8,
        to: *mut u8,
        (block, strides): (&Block, &[isize]),
        size: usize,
    ) {
        let ([.., lines, extent], [.., down, _]) = (&block.dims[..], strides) else { return };
        let between = (self.pitch.unwrap_or(*extent) * size) as isize;
        // SAFETY: the caller's; lines of an output lie apart, each dense.
        unsafe {
            let run = extent * size;
            let from_lines = (from.cast_mut(), between);
            if !self.streams || run < SHORT_STREAM && *down != run as isize {
                return pattern::copy_runs((to, *down), from_lines, *lines, run);
            }
            if run < SHORT_STREAM {
                return gathered(from_lines, to, *lines, run);
            }
            for line in 0..*lines as isize {
                let (from, to) = (from.offset(line * between), to.offset(line * down));
                block::stream(from, to, &[*extent], &[size as isize], size);
            }
        }
    }
}
