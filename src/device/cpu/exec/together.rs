//! Where each lane is a row of its own: several elements of some rows at a time, so that what a step costs is shared by
//! more lanes than rows alone would give, and what is folded stays in registers from element to element.
//!
//! Unlike in `stacks`, rows are cut in blocks, and there may be other axes along which rows are folded.

use super::super::lanes::Points;
use super::block;
use super::frame::Frame;
use super::geometry::{Axes, Block, Operand};
use super::launch::LEAST_LANES;
use super::plan::{Pass, Plan, Slot};
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

/// Whether lines of rows which lie side by side make enough lanes with their elements along the last axis.
pub(super) fn fits(space: &Space, line: usize) -> bool {
    let points = space.dims[space.dims.len() - 1];
    points > 1 && line * points >= LEAST_LANES
}

/// Chooses for rows along `axes`, of blocks of so many lanes, which `threads` share; none if elements had better be folded
/// one after the other.
pub(super) fn choose(
    (plan, program): (&Plan, &Program),
    (axes, space): (&Axes, &Space),
    inputs: &[Operand],
    (lanes, threads): (usize, usize),
) -> Option<Together> {
    let [outer @ .., last] = &axes[..] else { return None };
    let line = space.dims[*last];
    let lies_along = |input: &Operand| {
        let stride = input.strides[*last];
        stride == 0 || stride == input.size as isize
    };
    if !fits(space, line) || !inputs.iter().all(lies_along) {
        return None;
    }
    let points = space.dims[space.dims.len() - 1];
    let (most, is_narrow) = (2 * lanes, line < LEAST_LANES);
    // These go over many elements of wide lines by themselves.
    let is_folded = space.dims.len() == space.kept + 1 && plan.folds_inputs(inputs, axes);
    let stores = plan.passes.iter().any(|pass| !pass.stores.is_empty());
    if outer.is_empty() && is_narrow
        || !is_narrow && (is_folded || stores)
        || products::are_all(program)
    {
        return None;
    }
    let parts = match is_narrow {
        true => 1,
        false if outer.is_empty() => {
            line.div_ceil(MOST_ROWS).max((2 * threads).min(line / LEAST_LANES))
        }
        // Whole lines lie one behind the other.
        false => line.div_ceil(most / 2),
    };
    let rows = line.div_ceil(parts);
    let points = points.min(most / rows);
    (points > 1).then_some(Together { rows, points })
}

impl Launch<'_> {
    /// Bytes for what [`Launch::spread_points`] repeats.
    pub(super) fn room_for_points(&self) -> usize {
        let lanes = self.grid.lanes * self.points;
        let of_pass = |pass: &Pass| -> usize {
            pass.spread.iter().map(|(.., size)| room(*size, lanes)).sum()
        };
        match self.points {
            1 => 0,
            _ => self.plan.passes.iter().map(of_pass).max().unwrap_or(0),
        }
    }

    /// Repeats the rows' values for each of the elements that are folded at a time, at `place`. Gives where the values
    /// themselves are, for later passes.
    ///
    /// # Safety
    /// A lane for each row of the block lies at the slots; there is the room for these.
    pub(super) unsafe fn spread_points(
        &self,
        pass: &Pass,
        frame: &mut Frame,
        (rows, mut place): (usize, *mut u8),
    ) -> Vec<(Slot, *mut u8)> {
        if self.points == 1 {
            return Vec::new();
        }
        let mut values = Vec::new();
        for (slot, _, size) in &pass.spread {
            let (at, bytes) = (frame.at[*slot as usize], rows * *size as usize);
            values.push((*slot, at));
            // SAFETY: the caller's.
            unsafe {
                std::ptr::copy_nonoverlapping(at, place, bytes);
                block::tile(place, *size as usize, rows, self.points);
            }
            frame.at[*slot as usize] = place;
            place = place.wrapping_add(room(*size, self.grid.lanes * self.points));
        }
        values
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
        let line = self.point_axes.last().map_or(1, |(_, extent)| *extent);
        let rows = block.lanes;
        let mut several = block.clone();
        let mut first = range.start;
        while first < range.end {
            self.check_interrupt()?;
            frame.point.seek(&self.point_axes, &self.operands, first);
            let count = self.points.min(range.end - first).min(line - first % line);
            several.dims[0] = count;
            several.lanes = count * rows;
            frame.take_kept(self.plan, &pass.kept, first * rows);
            self.aim_stores(&pass.stores, frame, &several);
            // SAFETY: the caller's.
            unsafe {
                self.run((&pass.element, &pass.advance), frame, &several)?;
                let mut state = state;
                for folding in &pass.folds {
                    let lanes = frame.at[folding.source as usize].cast_const();
                    let stride = (rows * folding.fold.size()) as isize;
                    let points = Points { lanes, count, stride, position: first as i64 };
                    folding.fold.points(state, rows, points);
                    state = state.wrapping_add(folding.fold.state_bytes(rows));
                }
                self.store(&pass.stores, frame, &several);
            }
            first += count;
        }
        Ok(())
    }
}

/// Bytes for so many lanes, up to whole lines of the cache.
pub(super) fn room(size: u8, lanes: usize) -> usize {
    (size as usize * lanes).next_multiple_of(64)
}
