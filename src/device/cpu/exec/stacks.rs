//! Lanes run along all rows at several of their elements: where there are few rows, and elements lie row by
//! row, what a block costs is shared by many elements.
//!
//! Each row is folded in the order, and in the chunks, in which `columns` folds it.

use std::sync::{Mutex, PoisonError};

use super::columns::{chunk_points, finish, join, start, state_bytes};
use super::frame::Frame;
use super::geometry::Block;
use super::plan::Pass;
use super::steps::Launch;
use super::workers::Frames;
use crate::device::Error;

/// Work on fewer lanes is done by one thread.
pub(super) const SMALL: usize = 256 * 1024;

impl Launch<'_> {
    /// The first axis of the grid is the one along the rows; all others lie whole in every block.
    ///
    /// # Safety
    /// The operands' storages hold every point of the space.
    pub unsafe fn run_stacks(&self, frames: &Frames) -> Result<(), Error> {
        let points = self.form.grid.dims[0];
        let rows: usize = self.form.grid.dims[1..].iter().product();
        let work = rows.saturating_mul(points).saturating_mul(self.form.plan.weight);
        let threads = if work < SMALL { 1 } else { self.form.threads };
        let mut main = frames.take();
        self.prepare_stacks(&mut main, rows * points);
        main.take_homes(&self.form.plan.homes);
        let result = self.form.plan.passes.iter().try_for_each(|pass| {
            // SAFETY: the frame is prepared.
            unsafe { self.stacks_pass(pass, frames, &mut main, threads) }
        });
        frames.give(main);
        result
    }

    /// With room for so many elements of each kept value.
    fn prepare_stacks(&self, frame: &mut Frame, kept: usize) {
        let lanes = self.form.grid.lanes;
        let spread = self.room_for_values(lanes);
        frame.prepare(&self.form.plan, lanes, kept, spread);
        frame.row = Default::default();
        frame.point = Default::default();
    }

    /// The block of some elements of every row.
    fn stack(&self, first: usize, count: usize) -> Block {
        let mut block = Block { dims: self.form.grid.dims.clone(), ..Block::default() };
        block.start.resize(block.dims.len(), 0);
        block.start[0] = first;
        block.dims[0] = count;
        block.lanes = block.dims.iter().product();
        block
    }

    /// One pass over all rows, whose chunks of elements the threads share.
    unsafe fn stacks_pass(
        &self,
        pass: &Pass,
        frames: &Frames,
        main: &mut Frame,
        threads: usize,
    ) -> Result<(), Error> {
        let points = self.form.grid.dims[0];
        let one = self.stack(0, 1);
        let rows = one.lanes;
        // SAFETY: a row value has a lane for each row.
        unsafe {
            self.run((&pass.row, &self.form.plan.advance), main, &one)?;
            self.store(&pass.row_stores, main, &one);
        }
        let is_empty = pass.element.is_empty() && pass.folds.is_empty() && pass.stores.is_empty();
        let chunk_points = chunk_points(rows);
        let chunks = if is_empty { 0 } else { points.div_ceil(chunk_points) };
        let words = state_bytes(pass, rows).div_ceil(8);
        let results: Mutex<Vec<Vec<u64>>> = Mutex::new(vec![Vec::new(); chunks]);
        let shared = &*main;
        let prepare = |frame: &mut Frame| {
            self.prepare_stacks(frame, 0);
            frame.share_kept(shared);
            for (slot, _) in &self.form.plan.homes {
                frame.at[*slot as usize] = shared.at[*slot as usize];
            }
            // SAFETY: there is room for what is spread over a block.
            unsafe {
                let (count, place) = (self.form.grid.lanes / rows, frame.extra());
                self.repeat_values(pass, frame, (rows, count, place));
            }
            frame.take_homes(&pass.homes);
        };
        frames.each(chunks, threads, &prepare, &|frame, chunk| {
            let mut own = vec![0u64; words];
            let first = chunk * chunk_points;
            let range = first..points.min(first + chunk_points);
            // SAFETY: row values are read only; the frame and the state are this thread's.
            unsafe {
                start(pass, own.as_mut_ptr().cast(), rows);
                self.stacks_chunk(pass, frame, own.as_mut_ptr().cast(), range)?;
            }
            results.lock().unwrap_or_else(PoisonError::into_inner)[chunk] = own;
            Ok(())
        })?;
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut state = vec![0u64; words];
        let state = state.as_mut_ptr().cast::<u8>();
        // SAFETY: every chunk left a whole state.
        unsafe {
            match &mut results[..] {
                [only] => finish(pass, main, only.as_ptr().cast(), rows),
                all => {
                    start(pass, state, rows);
                    for later in all {
                        join(pass, state, later.as_ptr().cast(), rows);
                    }
                    finish(pass, main, state, rows);
                }
            }
        }
        Ok(())
    }

    /// One pass over some elements of each row.
    unsafe fn stacks_chunk(
        &self,
        pass: &Pass,
        frame: &mut Frame,
        state: *mut u8,
        range: std::ops::Range<usize>,
    ) -> Result<(), Error> {
        let one = self.stack(0, 1);
        let rows = one.lanes;
        let together = (self.form.grid.lanes / rows).max(1);
        let mut first = range.start;
        while first < range.end {
            self.check_interrupt()?;
            let count = together.min(range.end - first);
            let block = self.stack(first, count);
            // SAFETY: the frame is prepared for blocks of this size.
            unsafe { self.fold_block(pass, frame, &block, state, (first, count))? };
            first += count;
        }
        Ok(())
    }
}
