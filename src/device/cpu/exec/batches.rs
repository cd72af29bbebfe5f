//! Lanes run along several whole rows, one behind the other: what a block costs is shared by rows that are
//! too short to bear it alone.
//!
//! Each row is folded by itself, in the order in which `rows` folds one block.

use smallvec::SmallVec;

use super::super::fused::{Input, Lines};
use super::block;
use super::frame::Frame;
use super::geometry::Block;
use super::groups::Summed;
use super::lines;
use super::plan::{Pass, Slot, Work};
use super::steps::Launch;
use super::together::room;
use super::workers::Frames;
use crate::device::Error;

/// A block and its rows: the same box without the axes along a row.
#[derive(Debug, Default)]
struct Batch {
    block: Block,
    rows: Block,
    row_len: usize,
}

impl Launch<'_> {
    /// The first axes of the grid tell rows apart; the others lie whole in every block.
    ///
    /// # Safety
    /// The operands' storages hold every point of the space.
    pub unsafe fn run_batches(&self, frames: &Frames) -> Result<(), Error> {
        let (lanes, kept) = (self.form.grid.lanes, self.form.kept);
        let row_len = self.form.grid.dims[kept..].iter().product();
        let spread = self.room_for_values(lanes);
        let prepare = |frame: &mut Frame| {
            frame.prepare(&self.form.plan, lanes, lanes, spread);
            frame.row = Default::default();
            frame.point = Default::default();
        };
        let per_block = lanes.saturating_mul(self.form.plan.weight).max(1);
        let blocks_per_task = (128 * 1024 / per_block).max(1);
        let tasks = self.form.grid.blocks.div_ceil(blocks_per_task);
        frames.each(tasks, self.form.threads, &prepare, &|frame, task| {
            let mut batch = Batch { row_len, ..Batch::default() };
            let first = task * blocks_per_task;
            for number in first..self.form.grid.blocks.min(first + blocks_per_task) {
                self.check_interrupt()?;
                self.form.grid.block(number, &mut batch.block);
                let Batch { block, rows, .. } = &mut batch;
                rows.start.clear();
                rows.start.extend_from_slice(&block.start[..kept]);
                rows.dims.clear();
                rows.dims.extend_from_slice(&block.dims[..kept]);
                rows.lanes = rows.dims.iter().product();
                // SAFETY: the frame is prepared.
                unsafe { self.batch(frame, &batch)? };
            }
            Ok(())
        })
    }

    /// All passes over a block.
    unsafe fn batch(&self, frame: &mut Frame, batch: &Batch) -> Result<(), Error> {
        let Batch { block, rows, row_len } = batch;
        frame.take_homes(&self.form.plan.homes);
        for pass in &self.form.plan.passes {
            frame.row_points.clear();
            // SAFETY: the frame is prepared for blocks of this size: a row value has a lane for each row,
            // and what is spread has the room beyond the buffers.
            unsafe {
                self.run((&pass.row, &self.form.plan.advance), frame, rows)?;
                self.store(&pass.row_stores, frame, rows);
            }
            // An input's lanes may be where that lies, for this pass and for later ones.
            let values: SmallVec<[(Slot, *mut u8); 4]> =
                pass.spread.iter().map(|(slot, ..)| (*slot, frame.at[*slot as usize])).collect();
            // SAFETY: as above.
            unsafe {
                self.spread_rows(pass, frame, batch);
                frame.take_homes(&pass.homes);
                frame.take_kept(&self.form.plan, &pass.kept, 0);
                if self.sum_rows(pass, frame, batch)? {
                    values.iter().for_each(|(slot, at)| frame.at[*slot as usize] = *at);
                    continue;
                }
                self.aim_stores(&pass.stores, frame, block);
                self.run((&pass.element, &pass.advance), frame, block)?;
                for folding in &pass.folds {
                    let source = frame.at[folding.source as usize];
                    let result = frame.at[folding.result as usize];
                    folding.fold.rows(result, source, rows.lanes, *row_len);
                }
                self.store(&pass.stores, frame, block);
            }
            for (slot, at) in values {
                frame.at[slot as usize] = at;
            }
        }
        Ok(())
    }

    /// All of a pass, where that is the sum, or an extreme, of what one loop makes of inputs: nothing of it is stored. Says
    /// whether this is so.
    unsafe fn sum_rows(
        &self,
        pass: &Pass,
        frame: &mut Frame,
        batch: &Batch,
    ) -> Result<bool, Error> {
        let (Some(summed), row_len) = (&pass.summed, batch.row_len) else { return Ok(false) };
        // SAFETY: the caller's.
        if unsafe { self.fold_lines(pass, (summed, frame), batch) } {
            return Ok(true);
        }
        let loads = pass.element.iter().take_while(|step| !step.work.is_kernel()).count();
        let loads = &pass.element[..loads];
        // SAFETY: the caller's.
        unsafe { self.run((loads, &pass.advance), frame, &batch.block)? };
        if !frame.lined.is_empty() && frame.line != row_len {
            return Ok(false);
        }
        let input = |slot: &Slot| self.lined_input(*slot, frame, 0, row_len);
        let inputs: SmallVec<[Input; 5]> = summed.inputs.iter().map(input).collect();
        let out = frame.at[summed.result as usize];
        // SAFETY: each input has its lanes at every row, and the result a lane for each.
        Ok(unsafe { summed.code.run(out, &inputs, (batch.rows.lanes, row_len, false), None) })
    }

    /// The same where each row is several lines, which are gone over where they lie.
    unsafe fn fold_lines(
        &self,
        pass: &Pass,
        (summed, frame): (&Summed, &Frame),
        batch: &Batch,
    ) -> bool {
        let (dims, kept) = (&batch.block.dims, batch.rows.dims.len());
        let ([outer @ .., rows], &[count, extent]) = (&dims[..kept], &dims[kept..]) else {
            return false;
        };
        let is_possible = summed.code.takes_lines() && !self.is_aliased;
        let (mut inputs, mut steps) =
            (SmallVec::<[Input; 5]>::new(), SmallVec::<[isize; 5]>::new());
        let mut outer_strides: SmallVec<[&[isize]; 5]> = SmallVec::new();
        for slot in summed.inputs.iter().filter(|_| is_possible) {
            let step = pass.element.iter().find(|step| step.out == *slot);
            let Some(Work::Load { input }) = step.map(|step| &step.work) else { return false };
            let (input, strides) = (*input as usize, self.strides(*input as usize, &batch.block));
            let across = strides[kept + 1];
            let is_dense = across == self.operands[input].size as isize;
            if across != 0 && !is_dense {
                return false;
            }
            let at = self.place(input, frame, &batch.block).cast_const();
            inputs.push(Input { at, step: strides[kept - 1], is_one: !is_dense });
            steps.push(strides[kept]);
            outer_strides.push(&strides[..kept - 1]);
        }
        let size = pass.folds.first().map_or(0, |folding| folding.fold.size());
        let out = frame.at[summed.result as usize];
        is_possible
            && (0..outer.iter().product::<usize>()).all(|number| {
                let mut at = inputs.clone();
                for (input, strides) in at.iter_mut().zip(&outer_strides) {
                    let mut rest = number;
                    for (extent, stride) in outer.iter().zip(*strides).rev() {
                        let coordinate = (rest % extent) as isize;
                        rest /= extent;
                        input.at = input.at.wrapping_offset(coordinate * stride);
                    }
                }
                let lines = Lines { count, steps: &steps };
                let out = out.wrapping_add(number * rows * size);
                // SAFETY: the operands' storages hold every line, and the result has a lane for each row.
                unsafe { summed.code.run(out, &at, (*rows, extent, false), Some(lines)) }
            })
    }

    /// Repeats each row's values over its elements, beside the buffers that hold them for later passes.
    unsafe fn spread_rows(&self, pass: &Pass, frame: &mut Frame, batch: &Batch) {
        let mut place = frame.extra();
        frame.row_len = Some(batch.row_len);
        for (slot, _, size) in &pass.spread {
            let slot: Slot = *slot;
            if lines::are_worth_it(batch.row_len, self.form.plan.widest)
                && pass.spread_points.contains(&slot)
            {
                frame.row_points.push((slot, *size));
                continue;
            }
            let from = frame.at[slot as usize].cast_const();
            // SAFETY: a lane for each row lies at `from`; there is room for a whole block.
            unsafe { block::repeat(place, from, *size as usize, batch.rows.lanes, batch.row_len) };
            frame.at[slot as usize] = place;
            place = place.wrapping_add(room(*size, self.form.grid.lanes));
        }
    }
}
