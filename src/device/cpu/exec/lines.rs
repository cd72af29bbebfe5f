//! Lines that all inputs have at one distance: a window of a matrix, its neighbours in a stencil, all but the first
//! column. Kernels go over them as they lie, and over what lies between them, whose lanes are let go of.

use std::mem::MaybeUninit;

use smallvec::SmallVec;

use super::few::FEW_LANES;
use super::frame::Frame;
use super::geometry::{Axes, Block, Operand};
use super::plan::{Pass, Plan, Store, Work};
use super::steps::Launch;
use super::ways::are_dense;
use super::{block, pattern};
use crate::ir::Space;

/// Between two lines of at least as many lanes there are no more than half of it, between shorter ones, which cost more
/// where they are copied, no more than all of it.
pub(super) const LONG: usize = 16;

/// Lanes that lie farther apart are put side by side before they are gone over.
pub(super) const MOST_APART: usize = 4;

/// Bytes of lanes in turn that are put side by side before they go around the caches.
const NEAR_WOVEN: usize = 4096;

fn is_dense(operand: &Operand, axis: usize) -> bool {
    operand.strides[axis] == operand.size as isize
}

/// How far lines lie apart that are gone over with what is between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pitch {
    /// From the begin of a line to that of the next, in lanes.
    lanes: usize,
    /// Lanes of a line.
    extent: usize,
}

impl Pitch {
    /// Lanes from the begin of the first of so many lines to the end of the last.
    fn over(self, lines: usize) -> usize {
        (lines - 1) * self.lanes + self.extent
    }

    /// How many lanes there may be where a block has so many of lines.
    pub fn room(self, lanes: usize) -> usize {
        lanes.div_ceil(self.extent) * self.lanes
    }
}

/// From line to line, and how many lanes of lines a block takes, if lines may be gone over as they lie: lines along the
/// last axis, or those of a single lane, which lie apart along it.
pub(super) fn pitch(
    plan: &Plan,
    axes: &Axes,
    (inputs, outputs): (&[Operand], &[Operand]),
    (space, lanes): (&Space, usize),
) -> Option<(Pitch, usize)> {
    let last = *axes.last()?;
    let is_single = !inputs.first().is_none_or(|input| is_dense(input, last));
    let along = if is_single { last } else { *axes.get(axes.len().checked_sub(2)?)? };
    let extent = if is_single { 1 } else { space.dims[last] };
    let first = inputs.first()?;
    let pitch = first.strides[along] / first.size as isize;
    let is_alike = |input: &Operand| {
        (is_single || is_dense(input, last)) && input.strides[along] == pitch * input.size as isize
    };
    // What has no result for some lanes would be asked for those between the lines.
    let is_total = |plan: &Plan| {
        let mut steps = plan.passes.iter().flat_map(|pass| &pass.element);
        steps.all(|step| !matches!(step.work, Work::Checked(..)))
    };
    let most = match is_single {
        // Picking the lanes of what is made has to cost less than those of what it is made of.
        true if plan.is_light() && inputs.len() > outputs.len() + 1 => MOST_APART,
        true => 0,
        false => extent + if extent < LONG { extent } else { extent / 2 },
    };
    let is_near = (extent..=most).contains(&usize::try_from(pitch).ok()?);
    let lines = (lanes / pitch.max(1) as usize).min(space.dims[along]);
    let is_good = is_near
        && (is_single && (axes.len() == 1 || lines >= FEW_LANES) || extent > 1)
        && lines > 1
        && inputs.iter().all(is_alike)
        && outputs.iter().all(|output| is_dense(output, last))
        && plan.only_kernels()
        && is_total(plan);
    is_good.then_some((Pitch { lanes: pitch as usize, extent }, lines * extent))
}

/// Whether loops go from line to line of so many lanes, rather than that what is not dense is copied and values of
/// rows are repeated: a line costs them as much as a few vectors.
pub(super) fn are_worth_it(extent: usize, widest: u8) -> bool {
    extent * usize::from(widest) >= 128
}

/// How many lanes a block has, if inputs are read by loops over lines, which each operand has dense or as one value.
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
    let is_good = plan.only_loops_load()
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

/// Whether outputs lie in each other's gaps, so that the lanes of all in turn are dense: arrays that are stacked along a
/// new last axis, the real and the imaginary parts of complex numbers.
pub(super) fn are_woven(outputs: &[Operand], axes: &Axes) -> bool {
    let (Some(first), Some(last)) = (outputs.iter().min_by_key(|output| output.base), axes.last())
    else {
        return false;
    };
    let reach = outputs.len() * first.size;
    let mut taken = 0u32;
    for output in outputs {
        let place = output.base.addr() - first.base.addr();
        taken |= 1u32.checked_shl((place / first.size) as u32).unwrap_or(0);
        if output.size != first.size || output.strides != first.strides || place >= reach {
            return false;
        }
    }
    (2..=pattern::MOST_WOVEN).contains(&outputs.len())
        && first.strides[*last] == reach as isize
        && taken == (1 << outputs.len()) - 1
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

/// Writes dense lanes in turn, into a box whose strides are those of one of them.
///
/// # Safety
/// The lanes can be read, and every point of the box can be written, apart from them.
unsafe fn weave_box(
    to: *mut u8,
    from: &[*const u8],
    (dims, strides): (&[usize], &[isize]),
    size: usize,
    streams: bool,
) {
    let all: usize = dims.iter().product();
    if !block::is_dense(dims, strides, size * from.len())
        && let ([lines, dims @ ..], [down, strides @ ..]) = (dims, strides)
    {
        let inner = all / lines.max(&1) * size;
        for line in 0..*lines {
            let at = from.iter().map(|from| from.wrapping_add(line * inner));
            let at: SmallVec<[*const u8; pattern::MOST_WOVEN]> = at.collect();
            // SAFETY: the caller's.
            unsafe {
                weave_box(to.offset(line as isize * down), &at, (dims, strides), size, streams)
            };
        }
        return;
    }
    let mut near = [MaybeUninit::<u64>::uninit(); NEAR_WOVEN / size_of::<u64>()];
    let near = near.as_mut_ptr().cast::<u8>();
    let together = if streams { NEAR_WOVEN / (size * from.len()) } else { all.max(1) };
    for done in (0..all).step_by(together) {
        let (n, to) = (together.min(all - done), to.wrapping_add(done * size * from.len()));
        let at = from.iter().map(|from| from.wrapping_add(done * size));
        let at: SmallVec<[*const u8; pattern::MOST_WOVEN]> = at.collect();
        let place = if streams { near } else { to };
        // SAFETY: the caller's; what streams has room nearby first.
        unsafe {
            match size {
                1 => weave::<u8>(place, &at, n),
                2 => weave::<u16>(place, &at, n),
                4 => weave::<u32>(place, &at, n),
                _ => weave::<u64>(place, &at, n),
            }
            if streams {
                block::stream_run(near, to, n * size * from.len());
            }
        }
    }
}

/// [`pattern::weave`] of lanes of one size, of two to [`pattern::MOST_WOVEN`] rows.
unsafe fn weave<T: Copy>(to: *mut u8, from: &[*const u8], n: usize) {
    fn cast<T, const ROWS: usize>(from: [*const u8; ROWS]) -> [*const T; ROWS] {
        from.map(|row| row.cast())
    }
    // SAFETY: the caller's.
    unsafe {
        match *from {
            [a, b] => pattern::weave::<T, 2>(to.cast(), cast([a, b]), n),
            [a, b, c] => pattern::weave::<T, 3>(to.cast(), cast([a, b, c]), n),
            [a, b, c, d] => pattern::weave::<T, 4>(to.cast(), cast([a, b, c, d]), n),
            _ => unreachable!("there are two to four rows"),
        }
    }
}

impl Launch<'_> {
    /// How many lanes of registers a block is.
    #[inline]
    pub fn lanes_of(&self, block: &Block) -> usize {
        self.form.pitch.map_or(block.lanes, |pitch| pitch.over(block.lanes / pitch.extent))
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

    /// Writes a block's lanes of all outputs in turn: see [`are_woven`].
    ///
    /// # Safety
    /// As for [`block::store`], of each of the outputs.
    pub unsafe fn store_woven(&self, stores: &[Store], frame: &Frame, block: &Block) {
        let mut rows: SmallVec<[(*mut u8, *const u8); pattern::MOST_WOVEN]> = stores
            .iter()
            .map(|store| {
                let to = self.place(self.inputs + store.output as usize, frame, block);
                (to, frame.at[store.slot as usize].cast_const())
            })
            .collect();
        rows.sort_unstable_by_key(|(to, _)| *to);
        let from: SmallVec<[*const u8; pattern::MOST_WOVEN]> =
            rows.iter().map(|(_, from)| *from).collect();
        let size = self.operands[self.inputs].size;
        let strides = self.strides(self.inputs, block);
        // SAFETY: the caller's.
        unsafe { weave_box(rows[0].0, &from, (&block.dims, strides), size, self.form.streams) };
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
        if let Some(Pitch { lanes, extent: 1 }) = self.form.pitch {
            // SAFETY: the caller's; lanes of an output that lie along the last axis are dense.
            return unsafe { self.store_picked(from, to, (block.lanes, lanes), size) };
        }
        let ([.., lines, extent], [.., down, _]) = (&block.dims[..], strides) else { return };
        let between = (self.form.pitch.map_or(*extent, |pitch| pitch.lanes) * size) as isize;
        // SAFETY: the caller's; lines of an output lie apart, each dense.
        unsafe {
            let run = extent * size;
            let from_lines = (from.cast_mut(), between);
            if !self.form.streams || run < SHORT_STREAM && *down != run as isize {
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

    /// Writes `n` lanes that lie `apart` in registers.
    ///
    /// # Safety
    /// There is room for as many, one behind the other.
    unsafe fn store_picked(
        &self,
        from: *const u8,
        to: *mut u8,
        (n, apart): (usize, usize),
        size: usize,
    ) {
        let strides = [(apart * size) as isize];
        if !self.form.streams {
            // SAFETY: the caller's.
            return unsafe { block::load(to, from, &[n], &strides, size) };
        }
        let mut near = [MaybeUninit::<u64>::uninit(); NEAR_WOVEN / size_of::<u64>()];
        let near = near.as_mut_ptr().cast::<u8>();
        let together = NEAR_WOVEN / size;
        for done in (0..n).step_by(together) {
            let count = together.min(n - done);
            // SAFETY: the caller's, and these lanes have room nearby.
            unsafe {
                block::load(near, from.add(done * apart * size), &[count], &strides, size);
                block::stream_run(near, to.add(done * size), count * size);
            }
        }
    }
}
