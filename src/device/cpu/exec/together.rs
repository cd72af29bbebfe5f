//! Where each lane is a row of its own: several elements of some rows at a time, so that what a step costs is shared by
//! more lanes than rows alone would give, and what is folded stays in registers from element to element.
//!
//! Unlike in `stacks`, rows are cut in blocks, and there may be other axes along which rows are folded.

use super::super::lanes::{Points, STRIP};
use super::block;
use super::columns::{LEAST_SHARED, chunk_points};
use super::form::LEAST_LANES;
use super::frame::Frame;
use super::geometry::{Axes, Block, Operand};
use super::plan::{Pass, Plan, Slot, Step, Work};
use super::products;
use super::steps::Launch;
use crate::device::Error;
use crate::ir::{Program, Space};

/// Rows of a block, at most, where all rows lie in one line: more would leave room for too few of their elements.
pub(super) const MOST_ROWS: usize = 512;

/// How many rows a block has, and how many of their elements are folded at a time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Together {
    pub rows: usize,
    pub points: usize,
}

/// Whether rows lie side by side in lines along an axis, which make enough lanes with their elements along the last one,
/// and no loop does all of it that goes over many elements by itself.
pub(super) fn suits(program: &Program, space: &Space, inputs: &[Operand], axis: usize) -> bool {
    let points = space.dims[space.dims.len() - 1];
    let lies_along = |input: &Operand| {
        let stride = input.strides[axis];
        stride == 0 || stride == input.size as isize
    };
    points > 1
        && space.dims[axis] * points >= LEAST_LANES
        && inputs.iter().all(lies_along)
        && !(space.dims.len() == space.kept + 1 && products::are_all(program))
}

/// Chooses for rows along `axes`, of blocks of so many lanes; none if elements had better be folded one after the other.
/// Nothing but sizes decides, so that sums are the same for any number of threads.
pub(super) fn choose(
    (plan, program): (&Plan, &Program),
    (axes, space): (&Axes, &Space),
    inputs: &[Operand],
    lanes: usize,
) -> Option<Together> {
    let [outer @ .., last] = &axes[..] else { return None };
    let (line, points) = (space.dims[*last], space.dims[space.dims.len() - 1]);
    // Lines that lie one behind the other are read where they lie, several whole ones at a time, where threads can share
    // what there is of each row.
    let is_whole = outer.is_empty()
        && points >= LEAST_SHARED * chunk_points(line)
        && (2..=2 * lanes).contains(&line)
        && are_loaded_whole((plan, space), inputs, *last);
    let most = if is_whole { 4 * lanes } else { 2 * lanes };
    let is_good = match line {
        // What is not folded several elements at once costs a call for each.
        ..STRIP => {
            plan.passes.iter().flat_map(|pass| &pass.folds).all(|folding| folding.fold.is_quick())
        }
        STRIP..LEAST_LANES => true,
        // Inputs are folded where they lie, and neither they nor what is written are copied.
        LEAST_LANES.. => {
            let is_one_axis = space.dims.len() == space.kept + 1;
            let is_folded = is_one_axis && plan.folds_inputs(inputs, axes);
            let is_copied = |step: &Step| matches!(step.work, Work::Load { .. }) && !step.is_point;
            let copies = |pass: &Pass| pass.element.len() > 1 && pass.element.iter().any(is_copied);
            !is_folded
                && plan.passes.iter().all(|pass| pass.stores.is_empty())
                && (is_whole || !(outer.is_empty() && plan.passes.iter().any(copies)))
        }
    };
    if !is_good || !suits(program, space, inputs, *last) {
        return None;
    }
    let parts = match outer.is_empty() {
        _ if is_whole => 1,
        true => line.div_ceil(MOST_ROWS).next_power_of_two(),
        // Whole lines lie one behind the other.
        false => line.div_ceil(most / 2),
    };
    let rows = line.div_ceil(parts);
    let points = points.min(most / rows);
    (points > 1).then_some(Together { rows, points })
}

/// Whether what elements load are lines of rows that lie one behind the other, from element to element.
fn are_loaded_whole((plan, space): (&Plan, &Space), inputs: &[Operand], axis: usize) -> bool {
    let point = space.dims.len() - 1;
    space.dims.len() == space.kept + 1
        && plan.passes.iter().flat_map(|pass| &pass.element).all(|step| match step.work {
            Work::Load { input } if !step.is_point => {
                let Operand { strides, size, .. } = &inputs[input as usize];
                let size = *size as isize;
                strides[axis] == size && strides[point] == size * space.dims[axis] as isize
            }
            _ => true,
        })
}

impl Launch<'_> {
    /// Bytes for rows' values that are repeated over so many lanes, in any pass.
    pub(super) fn room_for_values(&self, lanes: usize) -> usize {
        let of_pass = |pass: &Pass| -> usize {
            pass.spread.iter().map(|(.., size)| room(*size, lanes)).sum()
        };
        self.form.plan.passes.iter().map(of_pass).max().unwrap_or(0)
    }

    /// Repeats the values of `rows` rows for each of `count` elements of theirs, from `place` on. Gives where the values
    /// themselves are.
    ///
    /// # Safety
    /// A lane for each row lies at the slots; there is [`Launch::room_for_values`] of all lanes.
    pub(super) unsafe fn repeat_values(
        &self,
        pass: &Pass,
        frame: &mut Frame,
        (rows, count, mut place): (usize, usize, *mut u8),
    ) -> Vec<(Slot, *mut u8)> {
        let mut values = Vec::with_capacity(pass.spread.len());
        for (slot, _, size) in &pass.spread {
            let at = frame.at[*slot as usize];
            values.push((*slot, at));
            // SAFETY: the caller's.
            unsafe {
                std::ptr::copy_nonoverlapping(at, place, rows * *size as usize);
                block::tile(place, *size as usize, rows, count);
            }
            frame.at[*slot as usize] = place;
            place = place.wrapping_add(room(*size, rows * count));
        }
        values
    }

    /// All of a pass on a block of `count` elements of each row, the first of which is at `first`.
    ///
    /// # Safety
    /// The frame is prepared for as many lanes, and at the point where they begin; states have their room, one behind
    /// the other.
    pub(super) unsafe fn fold_block(
        &self,
        pass: &Pass,
        frame: &mut Frame,
        block: &Block,
        mut state: *mut u8,
        (first, count): (usize, usize),
    ) -> Result<(), Error> {
        let rows = block.lanes / count;
        frame.take_kept(&self.form.plan, &pass.kept, first * rows);
        self.aim_stores(&pass.stores, frame, block);
        // SAFETY: the caller's; kept values are at this block's lanes.
        unsafe {
            self.run((&pass.element, &pass.advance), frame, block)?;
            for folding in &pass.folds {
                let lanes = frame.at[folding.source as usize].cast_const();
                let stride = (rows * folding.fold.size()) as isize;
                let points = Points { lanes, count, stride, position: first as i64 };
                folding.fold.points(state, rows, points);
                state = state.wrapping_add(folding.fold.state_bytes(rows));
            }
            self.store(&pass.stores, frame, block);
        }
        Ok(())
    }

    /// One pass over some elements of each row of a block, several at a time.
    ///
    /// # Safety
    /// The frame is prepared for as many lanes; states have their room, one behind the other.
    pub(super) unsafe fn several_points(
        &self,
        pass: &Pass,
        frame: &mut Frame,
        block: &Block,
        state: *mut u8,
        range: std::ops::Range<usize>,
    ) -> Result<(), Error> {
        let line = self.form.point_axes.last().map_or(1, |(_, extent)| *extent);
        let rows = block.lanes;
        let (mut several, place) = (block.clone(), block.dims.len() - 2);
        let mut first = range.start;
        while first < range.end {
            self.check_interrupt()?;
            frame.point.seek(&self.form.point_axes, self.operands, first);
            let count = self.form.points.min(range.end - first).min(line - first % line);
            several.dims[place] = count;
            several.lanes = count * rows;
            // SAFETY: the caller's.
            unsafe { self.fold_block(pass, frame, &several, state, (first, count))? };
            first += count;
        }
        Ok(())
    }
}

/// Bytes for so many lanes, up to whole lines of the cache.
pub(super) fn room(size: u8, lanes: usize) -> usize {
    (size as usize * lanes).next_multiple_of(64)
}
