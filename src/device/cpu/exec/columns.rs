//! Each lane is a row of its own: a block of rows walks through its elements together. A map is the
//! case of rows of one element.
//!
//! As in `rows`, elements are folded in chunks of a fixed number, joined in order.

use std::sync::{Mutex, PoisonError};

use super::super::lanes::Points;
use super::block;
use super::form::LEAST_LANES;
use super::frame::Frame;
use super::geometry::{Block, CACHE_LINE};
use super::plan::{Pass, Slot, Work};
use super::steps::Launch;
use super::workers::Frames;
use crate::device::Error;

/// Elements of each row that are folded while the accumulators of a strip of rows stay in registers: their lanes
/// of the strip then lie in as many places of memory, which the processor reads ahead side by side.
pub(super) const POINTS: usize = 16;

/// Chunks of elements that threads share, at least.
pub const LEAST_SHARED: usize = 4;

/// Bytes that take as long to reach as an operation does.
const REACHED: usize = 4;

/// Elements of rows that are folded before what they leave is joined, where there are so many rows.
pub fn chunk_points(rows: usize) -> usize {
    (64 * 1024 / rows.clamp(1, 2048)).max(32)
}

impl Launch<'_> {
    /// # Safety
    /// The operands' storages hold every point of the space.
    pub unsafe fn run_columns(&self, frames: &Frames) -> Result<(), Error> {
        let points: usize = self.form.point_axes.iter().map(|(_, extent)| extent).product();
        let rows: usize = self.form.grid.dims.iter().product();
        let lanes = self.form.grid.lanes;
        // Wide lines are summed in the order in which their elements would be folded one after the other.
        let is_narrow = self.form.points > 1 && lanes < LEAST_LANES;
        let chunk_points = chunk_points(if is_narrow { lanes } else { rows });
        let chunks = points.div_ceil(chunk_points);
        let state = self.most_state();
        let prepare = |frame: &mut Frame| -> *mut u8 {
            frame.row = Default::default();
            frame.point = Default::default();
            let lines = self.form.pitch.map_or(0, |pitch| pitch.room(lanes));
            let spread = if self.form.points > 1 {
                self.room_for_values(lanes * self.form.points)
            } else {
                0
            };
            let extra = 2 * state + spread;
            frame.prepare(
                &self.form.plan,
                (lanes * self.form.points).max(lines),
                points * lanes,
                extra,
            )
        };
        let weight = self.weight();
        let work = rows.saturating_mul(points).saturating_mul(weight);
        let is_small = work < 256 * 1024;
        let threads = if is_small { 1 } else { self.form.threads };
        // A block's kept values are those of one thread.
        let is_shared = chunks >= LEAST_SHARED && self.form.plan.kept.is_empty();
        if threads > 1 && self.form.grid.blocks < 2 * threads && is_shared {
            let mut main = frames.take();
            let main_state = prepare(&mut main);
            let mut block = Block::default();
            let mut result = Ok(());
            for number in 0..self.form.grid.blocks {
                self.form.grid.block(number, &mut block);
                // SAFETY: the frame is prepared with room for two states.
                result = unsafe {
                    self.long_block(frames, &mut main, &block, main_state, (points, chunk_points))
                };
                if result.is_err() {
                    break;
                }
            }
            frames.give(main);
            return result;
        }
        let per_block = lanes.saturating_mul(points).saturating_mul(weight).max(1);
        // No fewer tasks than give each thread its part.
        let share = self.form.grid.blocks.div_ceil(2 * threads);
        let blocks_per_task = (256 * 1024 / per_block).min(share).max(1);
        let tasks = self.form.grid.blocks.div_ceil(blocks_per_task);
        frames.each(tasks, threads, &|frame| _ = prepare(frame), &|frame, task| {
            let first = task * blocks_per_task;
            let numbers = first..self.form.grid.blocks.min(first + blocks_per_task);
            // SAFETY: the frame is prepared.
            let result = unsafe { self.blocks(frame, numbers, (points, chunk_points)) };
            if self.form.streams {
                block::finish_streams();
            }
            result
        })
    }

    /// Bytes of the state of a block in any pass, up to whole lines of the cache.
    fn most_state(&self) -> usize {
        let of_pass = |pass: &Pass| state_bytes(pass, self.form.grid.lanes);
        let most = self.form.plan.passes.iter().map(of_pass).max();
        most.unwrap_or(0).next_multiple_of(CACHE_LINE)
    }

    /// The measure of the work on a lane: of what is done with it, or of the memory that it takes to reach it, where that
    /// is more.
    fn weight(&self) -> usize {
        let reached = self.operands.iter().zip(&self.form.lane_strides).map(
            |(operand, strides)| match strides.last().map_or(0, |stride| stride.unsigned_abs()) {
                0 => 0,
                apart => apart.clamp(operand.size, CACHE_LINE),
            },
        );
        self.form.plan.weight.max(reached.sum::<usize>() / REACHED)
    }

    /// Blocks of rows, one after the other.
    unsafe fn blocks(
        &self,
        frame: &mut Frame,
        numbers: std::ops::Range<usize>,
        (points, chunk_points): (usize, usize),
    ) -> Result<(), Error> {
        let state = frame.extra();
        let mut block = Block::default();
        for number in numbers {
            self.form.grid.block(number, &mut block);
            // SAFETY: the frame is prepared with room for two states.
            let result = unsafe { self.block(frame, &block, state, (points, chunk_points)) };
            if let Err(error) = result {
                // SAFETY: as above.
                return Err(unsafe { self.first_row_error(frame, &block, state, error) });
            }
        }
        Ok(())
    }

    /// All passes over a block of rows.
    unsafe fn block(
        &self,
        frame: &mut Frame,
        block: &Block,
        state: *mut u8,
        (points, chunk_points): (usize, usize),
    ) -> Result<(), Error> {
        self.check_interrupt()?;
        frame.take_homes(&self.form.plan.homes);
        for pass in &self.form.plan.passes {
            // SAFETY: the frame is prepared for the plan; both states have their room.
            unsafe {
                let values = self.begin_columns(pass, frame, block)?;
                start(pass, state, block.lanes);
                let bytes = state_bytes(pass, block.lanes);
                if points <= chunk_points || bytes == 0 {
                    self.points(pass, frame, block, state, 0..points)?;
                } else {
                    let later = state.wrapping_add(bytes);
                    for first in (0..points).step_by(chunk_points) {
                        start(pass, later, block.lanes);
                        let range = first..points.min(first + chunk_points);
                        self.points(pass, frame, block, later, range)?;
                        join(pass, state, later, block.lanes);
                    }
                }
                finish(pass, frame, state, block.lanes);
                values.into_iter().for_each(|(slot, at)| frame.at[slot as usize] = at);
            }
        }
        Ok(())
    }

    /// All passes over a block of rows, whose chunks of elements the threads share.
    unsafe fn long_block(
        &self,
        frames: &Frames,
        main: &mut Frame,
        block: &Block,
        state: *mut u8,
        (points, chunk_points): (usize, usize),
    ) -> Result<(), Error> {
        main.take_homes(&self.form.plan.homes);
        for pass in &self.form.plan.passes {
            let bytes = state_bytes(pass, block.lanes);
            // SAFETY: as in `block`.
            let values = unsafe { self.begin_columns(pass, main, block)? };
            let chunks = points.div_ceil(chunk_points);
            let results: Mutex<Vec<Vec<u64>>> = Mutex::new(vec![Vec::new(); chunks]);
            let shared = &*main;
            let prepare = |frame: &mut Frame| {
                frame.prepare(&self.form.plan, self.form.grid.lanes * self.form.points, 0, 0);
                frame.take_homes(&pass.homes);
                frame.row = Default::default();
                for (slot, _) in &self.form.plan.homes {
                    frame.at[*slot as usize] = shared.at[*slot as usize];
                }
            };
            frames.each(chunks, self.form.threads, &prepare, &|frame, chunk| {
                let mut own = vec![0u64; bytes.div_ceil(8)];
                let own_state = own.as_mut_ptr().cast::<u8>();
                let first = chunk * chunk_points;
                let range = first..points.min(first + chunk_points);
                // SAFETY: row values are read only; the frame and the state are this thread's.
                unsafe {
                    start(pass, own_state, block.lanes);
                    self.points(pass, frame, block, own_state, range)?;
                }
                results.lock().unwrap_or_else(PoisonError::into_inner)[chunk] = own;
                Ok(())
            })?;
            // SAFETY: every chunk left a whole state.
            unsafe {
                start(pass, state, block.lanes);
                for later in results.into_inner().unwrap_or_else(PoisonError::into_inner) {
                    join(pass, state, later.as_ptr().cast(), block.lanes);
                }
                finish(pass, main, state, block.lanes);
            }
            values.into_iter().for_each(|(slot, at)| main.at[slot as usize] = at);
        }
        Ok(())
    }

    /// What a pass does once a row. Gives where rows' values are that elements have repeated, as
    /// [`Launch::repeat_values`] does.
    unsafe fn begin_columns(
        &self,
        pass: &Pass,
        frame: &mut Frame,
        block: &Block,
    ) -> Result<Vec<(Slot, *mut u8)>, Error> {
        frame.point.offsets.clear();
        // SAFETY: a row value has a lane for each row of the block; behind two states is the room for what is spread.
        let values = unsafe {
            self.run((&pass.row, &self.form.plan.advance), frame, block)?;
            self.store(&pass.row_stores, frame, block);
            match self.form.points {
                1 => Vec::new(),
                count => {
                    let place = frame.extra().wrapping_add(2 * self.most_state());
                    self.repeat_values(pass, frame, (block.lanes, count, place))
                }
            }
        };
        frame.take_homes(&pass.homes);
        Ok(values)
    }

    /// One pass over some elements of each row.
    unsafe fn points(
        &self,
        pass: &Pass,
        frame: &mut Frame,
        block: &Block,
        state: *mut u8,
        range: std::ops::Range<usize>,
    ) -> Result<(), Error> {
        if pass.element.is_empty() && pass.folds.is_empty() && pass.stores.is_empty() {
            return Ok(());
        }
        if self.form.copies_lines {
            // SAFETY: the operands' storages hold every point of the space.
            unsafe { self.copy_block(pass, frame, block) };
            return Ok(());
        }
        // SAFETY: as below.
        if unsafe { self.folded_products(pass, frame, block, state, range.clone())? } {
            return Ok(());
        }
        // Narrow lines are folded several at a time.
        let is_wide = self.form.points == 1 || block.lanes >= LEAST_LANES;
        // SAFETY: as below.
        if is_wide && unsafe { self.folded_load(pass, frame, block, state, range.clone())? } {
            return Ok(());
        }
        if self.form.points > 1 {
            // SAFETY: the caller's.
            return unsafe { self.several_points(pass, frame, block, state, range) };
        }
        let is_walk = !self.form.point_axes.is_empty();
        for point in range.clone() {
            if is_walk {
                match point == range.start {
                    true => frame.point.seek(&self.form.point_axes, self.operands, point),
                    false => frame.point.step(&self.form.point_axes, self.operands),
                }
                if point % 16 == 0 {
                    self.check_interrupt()?;
                }
            }
            // SAFETY: the frame is prepared; states have their room, one behind the other.
            unsafe { self.fold_block(pass, frame, block, state, (point, 1))? };
        }
        Ok(())
    }

    /// The same where all that is done is folding an input, whose lanes lie densely at every point of a
    /// single axis: then a point costs the fold and a step. Says whether this is so.
    unsafe fn folded_load(
        &self,
        pass: &Pass,
        frame: &mut Frame,
        block: &Block,
        state: *mut u8,
        range: std::ops::Range<usize>,
    ) -> Result<bool, Error> {
        let ([step], [(axis, _)]) = (&pass.element[..], &self.form.point_axes[..]) else {
            return Ok(false);
        };
        let Work::Load { input } = step.work else { return Ok(false) };
        let input = input as usize;
        let is_dense = block::is_dense(&block.dims, self.strides(input, block), step.size as usize);
        let is_folded = pass.folds.iter().all(|folding| folding.source == step.out);
        if self.is_aliased || !is_dense || !is_folded || !pass.stores.is_empty() {
            return Ok(false);
        }
        let stride = self.operands[input].strides[*axis];
        frame.point.offsets.clear();
        let first = self.place(input, frame, block);
        let mut point = range.start;
        while point < range.end {
            self.check_interrupt()?;
            let count = POINTS.min(range.end - point);
            let lanes = first.wrapping_offset(point as isize * stride).cast_const();
            let points = Points { lanes, count, stride, position: point as i64 };
            let mut state = state;
            for folding in &pass.folds {
                // SAFETY: the operand's storage holds every point; states lie one behind the other.
                unsafe { folding.fold.points(state, block.lanes, points) };
                state = state.wrapping_add(folding.fold.state_bytes(block.lanes));
            }
            point += count;
        }
        Ok(true)
    }

    /// The error of the first row of a block that has one, when the search is on.
    #[cold]
    unsafe fn first_row_error(
        &self,
        frame: &mut Frame,
        block: &Block,
        state: *mut u8,
        error: Error,
    ) -> Error {
        if !self.is_search {
            return error;
        }
        for lane in 0..block.lanes {
            // SAFETY: a block of one lane.
            let result = unsafe { self.block(frame, &block.lane(lane), state, (1, 1)) };
            if let Err(error) = result {
                return error;
            }
        }
        error
    }
}

pub(super) fn state_bytes(pass: &Pass, lanes: usize) -> usize {
    pass.folds.iter().map(|folding| folding.fold.state_bytes(lanes)).sum()
}

pub(super) unsafe fn start(pass: &Pass, state: *mut u8, lanes: usize) {
    let mut state = state;
    for folding in &pass.folds {
        // SAFETY: states lie one behind the other.
        unsafe { folding.fold.start_lanes(state, lanes) };
        state = state.wrapping_add(folding.fold.state_bytes(lanes));
    }
}

pub(super) unsafe fn join(pass: &Pass, state: *mut u8, later: *const u8, lanes: usize) {
    let mut at = 0;
    for folding in &pass.folds {
        // SAFETY: as in `start`, for both.
        unsafe {
            folding.fold.merge_lanes(state.wrapping_add(at), later.wrapping_add(at), lanes);
        }
        at += folding.fold.state_bytes(lanes);
    }
}

pub(super) unsafe fn finish(pass: &Pass, frame: &Frame, state: *const u8, lanes: usize) {
    let mut state = state;
    for folding in &pass.folds {
        let out = frame.at[folding.result as usize];
        // SAFETY: as in `start`; a row value's buffer has room for a block.
        unsafe { folding.fold.finish_lanes(state, out, lanes) };
        state = state.wrapping_add(folding.fold.state_bytes(lanes));
    }
}
