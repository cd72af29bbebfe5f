//! Lanes run along the row: one row after the other, its passes over blocks of its elements.
//!
//! A row is folded in chunks of a fixed size, whose results are joined in order, whether one thread
//! does them all or several share a long row: so the result is the same for any number of threads.

use std::sync::{Mutex, PoisonError};

use smallvec::SmallVec;

use super::super::fused::Input;
use super::super::lanes::{Partial, RUN};
use super::form::IN_PLACE;
use super::frame::Frame;
use super::geometry::Block;
use super::plan::{Pass, Slot};
use super::steps::Launch;
use super::workers::Frames;
use crate::device::Error;

/// Elements of a chunk.
pub(super) const CHUNK: usize = 32 * 1024;
/// Chunks of a row, each of which leaves a result; beyond them chunks are longer.
const MAX_CHUNKS: usize = 1 << 20;

type Partials = SmallVec<[Partial; 2]>;

impl Launch<'_> {
    /// # Safety
    /// The operands' storages hold every point of the space.
    pub unsafe fn run_rows(&self, frames: &Frames) -> Result<(), Error> {
        let rows: usize = self.form.row_axes.iter().map(|(_, extent)| extent).product();
        let row_len: usize = self.form.grid.dims.iter().product();
        let blocks_per_chunk = CHUNK / self.form.grid.lanes.max(1);
        let blocks_per_chunk =
            blocks_per_chunk.max(self.form.grid.blocks.div_ceil(MAX_CHUNKS)).max(1);
        let chunks = self.form.grid.blocks.div_ceil(blocks_per_chunk);
        let lanes = self.form.grid.lanes;
        let prepare = |frame: &mut Frame| {
            frame.prepare(&self.form.plan, lanes, row_len, 0);
            frame.point = Default::default();
            frame.row.seek(&self.form.row_axes, self.operands, 0);
        };
        let work = row_len.saturating_mul(self.form.plan.weight);
        if self.form.threads > 1 && rows < 4 * self.form.threads && chunks >= 4 {
            let mut main = frames.take();
            prepare(&mut main);
            let mut result = Ok(());
            for row in 0..rows {
                main.row.seek(&self.form.row_axes, self.operands, row);
                // SAFETY: passed on.
                result = unsafe { self.long_row(frames, &mut main, blocks_per_chunk, chunks) };
                if result.is_err() {
                    break;
                }
            }
            frames.give(main);
            return result;
        }
        let rows_per_task = (128 * 1024 / work.max(1)).max(1);
        frames.each(rows.div_ceil(rows_per_task), self.form.threads, &prepare, &|frame, task| {
            let first = task * rows_per_task;
            for row in first..rows.min(first + rows_per_task) {
                match row == first {
                    true => frame.row.seek(&self.form.row_axes, self.operands, row),
                    false => frame.row.step(&self.form.row_axes, self.operands),
                }
                // SAFETY: passed on.
                unsafe { self.row(frame, blocks_per_chunk, chunks)? };
            }
            Ok(())
        })
    }

    /// All passes over one row.
    unsafe fn row(
        &self,
        frame: &mut Frame,
        blocks_per_chunk: usize,
        chunks: usize,
    ) -> Result<(), Error> {
        frame.take_homes(&self.form.plan.homes);
        for pass in &self.form.plan.passes {
            // SAFETY: the frame is prepared; the row's values of earlier passes are in place.
            unsafe {
                self.begin_pass(pass, frame)?;
                let mut partials = start(pass);
                for chunk in 0..chunks {
                    let of_chunk = self.chunk(pass, frame, chunk, blocks_per_chunk)?;
                    join(pass, &mut partials, &of_chunk);
                }
                finish(pass, frame, &partials);
            }
        }
        Ok(())
    }

    /// All passes over one row, whose chunks the threads share.
    unsafe fn long_row(
        &self,
        frames: &Frames,
        main: &mut Frame,
        blocks_per_chunk: usize,
        chunks: usize,
    ) -> Result<(), Error> {
        main.take_homes(&self.form.plan.homes);
        for pass in &self.form.plan.passes {
            // SAFETY: as in `row`.
            unsafe { self.begin_pass(pass, main)? };
            let results: Mutex<Vec<Option<Partials>>> = Mutex::new(vec![None; chunks]);
            let shared = &*main;
            let prepare = |frame: &mut Frame| {
                frame.prepare(&self.form.plan, self.form.grid.lanes, 0, 0);
                frame.take_homes(&pass.homes);
                frame.point = Default::default();
                frame.row = shared.row.clone();
                frame.row_points.clone_from(&shared.row_points);
                for (slot, _) in &self.form.plan.homes {
                    frame.at[*slot as usize] = shared.at[*slot as usize];
                }
            };
            frames.each(chunks, self.form.threads, &prepare, &|frame, chunk| {
                // SAFETY: row values are read only, and the frame has its own element values.
                let of_chunk = unsafe { self.chunk(pass, frame, chunk, blocks_per_chunk)? };
                let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                results[chunk] = Some(of_chunk);
                Ok(())
            })?;
            let mut partials = start(pass);
            for of_chunk in results.into_inner().unwrap_or_else(PoisonError::into_inner) {
                join(pass, &mut partials, &of_chunk.unwrap_or_default());
            }
            // SAFETY: as in `row`.
            unsafe { finish(pass, main, &partials) };
        }
        Ok(())
    }

    /// What a pass does once a row.
    unsafe fn begin_pass(&self, pass: &Pass, frame: &mut Frame) -> Result<(), Error> {
        let one = Block { lanes: 1, ..Block::default() };
        frame.row_points.clear();
        // SAFETY: row values have one lane here.
        unsafe {
            self.run((&pass.row, &self.form.plan.advance), frame, &one)?;
            self.store(&pass.row_stores, frame, &one);
            self.spread(pass, frame, self.form.grid.lanes);
        }
        frame.take_homes(&pass.homes);
        Ok(())
    }

    /// One pass over one chunk of a row.
    unsafe fn chunk(
        &self,
        pass: &Pass,
        frame: &mut Frame,
        chunk: usize,
        blocks_per_chunk: usize,
    ) -> Result<Partials, Error> {
        let mut partials = start(pass);
        if pass.element.is_empty() && pass.folds.is_empty() && pass.stores.is_empty() {
            return Ok(partials);
        }
        let mut block = Block::default();
        let first = chunk * blocks_per_chunk;
        for number in first..self.form.grid.blocks.min(first + blocks_per_chunk) {
            self.check_interrupt()?;
            self.form.grid.block(number, &mut block);
            let position = self.form.grid.position(&block);
            frame.take_kept(&self.form.plan, &pass.kept, position);
            self.aim_stores(&pass.stores, frame, &block);
            // SAFETY: as below.
            if unsafe { self.join_stretches(pass, frame, &block, &mut partials)? } {
                continue;
            }
            // SAFETY: the frame is prepared, and kept values are at this block's lanes.
            unsafe {
                if let Err(error) = self.run((&pass.element, &pass.advance), frame, &block) {
                    return Err(self.first_error(pass, frame, &block, position, error));
                }
                for (folding, partial) in pass.folds.iter().zip(&mut partials) {
                    let source = frame.at[folding.source as usize];
                    folding.fold.stretch(partial, source, block.lanes, position as i64);
                }
                self.store(&pass.stores, frame, &block);
            }
        }
        Ok(partials)
    }

    /// All of a pass over a block, where one loop makes of inputs what is summed, or of which the extreme is looked for:
    /// nothing of it is stored. Says whether this is so.
    unsafe fn join_stretches(
        &self,
        pass: &Pass,
        frame: &mut Frame,
        block: &Block,
        partials: &mut Partials,
    ) -> Result<bool, Error> {
        let (Some(summed), [folding], [partial]) =
            (&pass.summed, &pass.folds[..], &mut partials[..])
        else {
            return Ok(false);
        };
        let loads = pass.element.split_last().map_or(&[][..], |(last, loads)| {
            if last.work.is_kernel() { loads } else { &pass.element }
        });
        // SAFETY: the caller's.
        unsafe { self.run((loads, &pass.advance), frame, block)? };
        if !frame.lined.is_empty() || block.lanes > IN_PLACE {
            return Ok(false);
        }
        let (whole, rest) = (block.lanes / RUN, block.lanes % RUN);
        let mut found = [0f64; IN_PLACE / RUN + 1];
        let lane_bytes = if folding.fold.sums_floats() { 8 } else { folding.fold.size() };
        let mut done = 0;
        for (rows, n) in [(whole, RUN), (1, rest)] {
            if rows == 0 || n == 0 {
                continue;
            }
            let input = |slot: &Slot| self.lined_input(*slot, frame, done * RUN, n);
            let inputs: SmallVec<[Input; 5]> = summed.inputs.iter().map(input).collect();
            let out = found.as_mut_ptr().cast::<u8>().wrapping_add(done * lane_bytes);
            // SAFETY: each input has its lanes at every stretch, and there is room for a result of each.
            if !unsafe { summed.code.run(out, &inputs, (rows, n, true), None) } {
                return Ok(false);
            }
            done += rows;
        }
        match folding.fold.sums_floats() {
            true => found[..done].iter().for_each(|sum| partial.float += sum),
            // SAFETY: so many extremes were written.
            false => unsafe { folding.fold.row(partial, found.as_ptr().cast(), done, 0) },
        }
        Ok(true)
    }

    /// The error of the first lane of a block that has one.
    #[cold]
    unsafe fn first_error(
        &self,
        pass: &Pass,
        frame: &mut Frame,
        block: &Block,
        position: usize,
        error: Error,
    ) -> Error {
        if !self.is_search {
            return error;
        }
        for lane in 0..block.lanes {
            let one = block.lane(lane);
            frame.take_kept(&self.form.plan, &pass.kept, position + lane);
            // SAFETY: a block of one lane, of the same row.
            if let Err(error) = unsafe { self.run((&pass.element, &pass.advance), frame, &one) } {
                return error;
            }
        }
        error
    }
}

fn start(pass: &Pass) -> Partials {
    pass.folds.iter().map(|folding| folding.fold.start()).collect()
}

fn join(pass: &Pass, partials: &mut Partials, later: &Partials) {
    for ((folding, partial), later) in pass.folds.iter().zip(partials).zip(later) {
        folding.fold.merge(partial, later);
    }
}

unsafe fn finish(pass: &Pass, frame: &mut Frame, partials: &Partials) {
    for (folding, partial) in pass.folds.iter().zip(partials) {
        // SAFETY: a row value's buffer has room for a lane.
        unsafe { folding.fold.finish(partial, frame.at[folding.result as usize]) };
    }
}
