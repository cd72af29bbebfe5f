//! Runs steps on a block.

use smallvec::SmallVec;

use super::super::fused::Input;
use super::block;
use super::few::{Streamed, few_lanes, most_few, streamed_lanes};
use super::form::Form;
use super::frame::{Frame, Lined, Reads};
use super::gather::{self, Indices};
use super::geometry::{Block, Operand};
use super::lines;
use super::plan::{Index, Pass, Slot, Step, Store, Work};
use crate::device::{Error, Interrupt};
use crate::ir::{Failure, Reg};

/// Axes of the space that are walked point by point, with their extents.
pub type WalkAxes = SmallVec<[(usize, usize); 6]>;

/// A form with everything that this run of it needs.
#[derive(Debug)]
pub struct Launch<'a> {
    pub form: &'a Form,
    /// Inputs, then outputs.
    pub operands: &'a [Operand],
    pub inputs: usize,
    /// Whether the lanes of all outputs lie in turn.
    pub is_woven: bool,
    /// Whether outputs take the place of inputs. Then nothing is written before all that its block
    /// reads has been read, and the launch can't be interrupted.
    pub is_aliased: bool,
    /// Whether what is loaded is copied before anything is written, because an output takes it as it is: it may be the
    /// place of another output.
    pub copies_first: bool,
    /// Whether what makes an output may write it where it belongs: no input lies there, or each lane is read before.
    pub is_apart: bool,
    /// Look for the first lane that fails, not only whether one does.
    pub is_search: bool,
    pub interrupt: &'a Interrupt,
}

impl Launch<'_> {
    pub fn check_interrupt(&self) -> Result<(), Error> {
        match !self.is_aliased && self.interrupt.is_raised() {
            true => Err(Error::Interrupted),
            false => Ok(()),
        }
    }

    /// Where an operand's part of a block begins.
    #[inline]
    pub fn place(&self, operand: usize, frame: &Frame, block: &Block) -> *mut u8 {
        let mut offset = 0;
        if !frame.row.offsets.is_empty() {
            offset += frame.row.offsets[operand];
        }
        if !frame.point.offsets.is_empty() {
            offset += frame.point.offsets[operand];
        }
        for (start, stride) in block.start.iter().zip(&self.form.lane_strides[operand]) {
            offset += *start as isize * stride;
        }
        self.operands[operand].base.wrapping_offset(offset)
    }

    #[inline]
    pub fn strides(&self, operand: usize, block: &Block) -> &[isize] {
        &self.form.lane_strides[operand][..block.dims.len()]
    }

    /// Points values that may be written in place at their outputs' memory.
    #[inline]
    pub fn aim_stores(&self, stores: &[Store], frame: &mut Frame, block: &Block) {
        let is_only =
            |store: &Store| stores.iter().filter(|other| other.slot == store.slot).count() == 1;
        frame.streamed.clear();
        frame.around.clear();
        for store in stores {
            let Some(home) = store.direct else { continue };
            let operand = self.inputs + store.output as usize;
            let strides = self.strides(operand, block);
            let is_dense = block::is_dense(&block.dims, strides, self.operands[operand].size)
                && self.lanes_of(block) == block.lanes;
            // What is copied around the caches has lanes of its own before.
            let is_direct = is_dense && self.is_apart && !(store.is_load && self.form.streams);
            let place = self.place(operand, frame, block);
            frame.at[store.slot as usize] = match is_direct {
                true if self.form.streams
                    && is_only(store)
                    && self.goes_around(store, place, block) =>
                {
                    frame.around.push(store.slot);
                    place
                }
                true if self.form.streams && self.form.by_few && is_only(store) => {
                    let size = self.operands[operand].size;
                    frame.streamed.push(Streamed { slot: store.slot, to: place, size });
                    frame.home(home)
                }
                true => place,
                false => frame.home(home),
            };
        }
    }

    /// Writes what is not in its place yet.
    ///
    /// # Safety
    /// The slots hold the block's lanes.
    #[inline]
    pub unsafe fn store(&self, stores: &[Store], frame: &Frame, block: &Block) {
        if self.is_woven && stores.len() == self.operands.len() - self.inputs {
            // SAFETY: the caller's.
            return unsafe { self.store_woven(stores, frame, block) };
        }
        for store in stores {
            let operand = self.inputs + store.output as usize;
            let to = self.place(operand, frame, block);
            let from = frame.at[store.slot as usize];
            let is_there = to == from || frame.streamed.iter().any(|it| it.slot == store.slot);
            if is_there && store.direct.is_some() {
                continue;
            }
            let size = self.operands[operand].size;
            let strides = self.strides(operand, block);
            // SAFETY: the operand's storage was checked to hold every point of the space, and
            // registers are apart from it, or, for a load, are another operand's elements or the
            // very same, which is copied first.
            unsafe {
                if self.lanes_of(block) != block.lanes {
                    self.store_lines(from, to, (block, strides), size);
                    continue;
                }
                match self.form.streams {
                    true => block::stream(from, to, &block.dims, strides, size),
                    false => block::store(from, to, &block.dims, strides, size),
                }
            }
        }
    }

    /// Runs steps on the lanes of a block.
    ///
    /// # Safety
    /// The frame was prepared for the plan and for blocks of this size, and slots which these steps
    /// read are in their places.
    pub unsafe fn run(
        &self,
        (steps, advance): (&[Step], &[u8]),
        frame: &mut Frame,
        block: &Block,
    ) -> Result<(), Error> {
        frame.take_advance(advance);
        frame.begin_few();
        let mut left = steps;
        while let Some(step) = left.first() {
            let kernels = left.iter().take_while(|step| step.work.is_kernel()).count();
            // SAFETY: passed on.
            unsafe {
                if kernels > 0 {
                    self.kernels(&left[..kernels], frame, self.lanes_of(block))?;
                    left = &left[kernels..];
                    continue;
                }
                let out = frame.at[step.out as usize];
                match &step.work {
                    Work::Load { input } => {
                        let home = step.home.map_or(out, |home| frame.home(home));
                        let is_still = step.is_short && self.is_still(*input as usize, block);
                        if !is_still
                            && self.form.by_few
                            && step.is_short
                            && let Some(picked) = self.picked(*input, step, home, frame, block)
                        {
                            frame.pick_few(picked);
                            left = &left[1..];
                            continue;
                        }
                        match is_still {
                            true if step.is_point && !self.copies_first => {
                                let slot = step.out as usize;
                                frame.at[slot] = self.place(*input as usize, frame, block);
                                frame.advance[slot] = 0;
                                frame.still.push(step.out);
                            }
                            true => {
                                self.load_still(*input, (step.out, home, step.size), frame, block)
                            }
                            false if step.is_point && self.line_up(*input, step, frame, block) => {}
                            false => self.load(*input, (step.out, home, step.size), frame, block),
                        }
                    }
                    Work::Iota { axis } => self.iota(out.cast(), *axis, frame, block),
                    Work::Gather { input, indices, instr } => {
                        self.gather(out, *input as usize, indices, *instr, frame, block)?;
                    }
                    _ => {}
                }
            }
            left = &left[1..];
        }
        Ok(())
    }

    /// Lanes on which kernels follow one another: all of a usual block where nothing comes and goes with them, because
    /// there are short lines in it, each chunk of which costs what it costs.
    fn few(&self) -> usize {
        let widest = self.form.plan.widest;
        if self.form.by_few { few_lanes(widest) } else { most_few(widest) }
    }

    /// Runs kernels on `n` lanes, a few after the others: what they hand on to each other, and numbers that are
    /// the same in all lanes, then stay in the nearest cache beside what streams through it.
    unsafe fn kernels(&self, steps: &[Step], frame: &Frame, n: usize) -> Result<(), Error> {
        let is_held = |slot: Slot| {
            frame.advance[slot as usize] == 0
                && !frame.still.contains(&slot)
                && !frame.lined.iter().any(|lined| lined.slot == slot)
        };
        let few = match steps {
            // Nothing is handed on.
            [Step { work, out, .. }]
                if frame.picked.is_empty()
                    && frame.streamed.is_empty()
                    && !is_held(*out)
                    && !work.operands().into_iter().any(is_held) =>
            {
                n.max(1)
            }
            _ if !frame.streamed.is_empty() => streamed_lanes(self.form.plan.widest),
            _ => self.few(),
        };
        // All but the last of these lines are as long as the first.
        let line = |n: usize| if frame.lined.is_empty() { n } else { frame.line.min(n) };
        let mut reads: SmallVec<[Reads; 8]> = SmallVec::new();
        for step in steps {
            if let Work::Fused(_, inputs) = &step.work {
                let size = |slot: &Slot| self.form.plan.advance[*slot as usize] as usize;
                reads.extend(inputs.iter().map(|slot| frame.reads(*slot, size(slot), line(n))));
            }
        }
        let mut done = 0;
        while done < n {
            let n = frame.next_few((n - done, n), few);
            let (from, mut first_read) = (frame.line_of(done), 0);
            let lines = (n / line(n).max(1), line(n));
            let place = |slot: u16| {
                let offset = done * frame.advance[slot as usize] as usize;
                frame.at[slot as usize].wrapping_add(offset)
            };
            let at = |slot: u16| place(slot).cast_const();
            // SAFETY: these lanes are within the block's.
            unsafe { frame.picked.iter().for_each(|picked| picked.load(done, n)) };
            for step in steps {
                let out = place(step.out);
                // SAFETY: a kernel gets `n` lanes of its types: each slot's buffer has room for a whole
                // block, the plan gives no buffer to two values that live at once, and a load's or a
                // store's place was checked to lie within its storage.
                unsafe {
                    match &step.work {
                        Work::Binary(kernel, a, b) => kernel(out, at(*a), at(*b), n),
                        Work::Unary(kernel, a) => kernel(out, at(*a), n),
                        Work::Select(kernel, c, a, b) => kernel(out, at(*c), at(*a), at(*b), n),
                        Work::Fused(code, inputs) => {
                            let own = &reads[first_read..][..inputs.len()];
                            first_read += inputs.len();
                            let inputs: SmallVec<[Input; 5]> =
                                own.iter().map(|reads| reads.from(from)).collect();
                            match frame.around.contains(&step.out) {
                                true => code.run_around(out, &inputs, lines),
                                false => code.run(out, &inputs, lines),
                            }
                        }
                        Work::Checked(kernel, a, b, failure, instr) => {
                            let have_results = kernel(out, at(*a), at(*b), n);
                            if !have_results {
                                return Err(no_result(*failure, *instr));
                            }
                        }
                        _ => {}
                    }
                }
            }
            for streamed in &frame.streamed {
                // SAFETY: these lanes are within the block's, and have just been made.
                unsafe { streamed.store(at(streamed.slot), done, n) };
            }
            done += n;
        }
        Ok(())
    }

    /// An input of a loop over lines of `line` lanes, from lane `done` of the block on.
    pub(super) fn lined_input(&self, slot: Slot, frame: &Frame, done: usize, line: usize) -> Input {
        let size = self.form.plan.advance[slot as usize] as usize;
        frame.reads(slot, size, line).from(frame.line_of(done))
    }

    /// Points a slot at an input's lanes where they lie, if all that reads them are loops that go from line to line of
    /// the block, and each line is dense or one value.
    fn line_up(&self, input: u16, step: &Step, frame: &mut Frame, block: &Block) -> bool {
        let [outer @ .., _, extent] = &block.dims[..] else { return false };
        let &[.., down, across] = self.strides(input as usize, block) else { return false };
        let size = step.size as isize;
        let is_good = !self.copies_first
            && self.form.pitch.is_none()
            && outer.iter().all(|extent| *extent == 1)
            // A row that is alone in its block may have several lines.
            && (frame.lined.is_empty() || frame.line == *extent)
            && lines::are_worth_it(*extent, self.form.plan.widest)
            && (across == 0 || across == size && down != size * *extent as isize);
        if is_good {
            let slot = step.out;
            frame.at[slot as usize] = self.place(input as usize, frame, block);
            frame.line_up(*extent, Lined { slot, step: down, is_one: across == 0 });
        }
        is_good
    }

    /// Points a slot at an input's lanes: where they lie, or copied to `home`.
    unsafe fn load(
        &self,
        input: u16,
        (slot, home, size): (Slot, *mut u8, u8),
        frame: &mut Frame,
        block: &Block,
    ) {
        let input = input as usize;
        let from = self.place(input, frame, block);
        let strides = self.strides(input, block);
        let is_dense = block::is_dense(&block.dims, strides, size as usize);
        if is_dense && !self.copies_first || self.form.pitch.is_some() {
            frame.at[slot as usize] = from;
            return;
        }
        frame.at[slot as usize] = home;
        // SAFETY: the place was checked to lie within its storage, and the buffer has room for a block.
        unsafe { block::load(home, from, &block.dims, strides, size as usize) };
    }

    /// Whether an input has one value in all lanes of a block.
    #[inline]
    fn is_still(&self, input: usize, block: &Block) -> bool {
        let mut axes = block.dims.iter().zip(self.strides(input, block));
        axes.all(|(extent, stride)| *stride == 0 || *extent == 1)
    }

    /// Fills as many lanes with an input's one value as kernels go over at a time: they read them again and again.
    unsafe fn load_still(
        &self,
        input: u16,
        (slot, home, size): (Slot, *mut u8, u8),
        frame: &mut Frame,
        block: &Block,
    ) {
        let lanes = self.lanes_of(block).min(2 * self.few());
        // SAFETY: the place was checked to lie within its storage, and the buffer has room for a block.
        unsafe {
            let bits = block::read_bits(self.place(input as usize, frame, block), size as usize);
            block::fill(home, bits, size as usize, lanes);
        }
        frame.at[slot as usize] = home;
        frame.advance[slot as usize] = 0;
    }

    /// Reads an input where indices point.
    unsafe fn gather(
        &self,
        out: *mut u8,
        input: usize,
        indices: &[Index],
        instr: Reg,
        frame: &mut Frame,
        block: &Block,
    ) -> Result<(), Error> {
        let operand = &self.operands[input];
        let base = self.place(input, frame, block);
        let strides = self.strides(input, block);
        // Whole rows of a table, at indices that are inputs and do not change along a row.
        let is_row_wise = gather::has_runs(&block.dims, strides, operand.size)
            && indices.iter().all(|index| {
                index.waiting.is_some_and(|(input, _)| {
                    self.strides(input as usize, block).last() == Some(&0)
                })
            });
        // Elements of each row at the same indices.
        let is_column_wise = !is_row_wise
            && block.dims.len() > 1
            && indices.iter().all(|index| {
                index.waiting.is_some_and(|(input, _)| {
                    let (_, rows) =
                        self.strides(input as usize, block).split_last().unwrap_or((&0, &[]));
                    rows.iter()
                        .zip(&block.dims)
                        .all(|(stride, extent)| *stride == 0 || *extent == 1)
                })
            });
        let is_by_place = is_row_wise || is_column_wise;
        // SAFETY: waiting indices are inputs of int64, whose places were checked to lie within their
        // storages; other slots hold the block's lanes.
        unsafe {
            let mut at: SmallVec<[Indices<'_>; 2]> = SmallVec::new();
            for index in indices {
                match index.waiting {
                    Some((input, _)) if is_by_place => {
                        let strides = self.strides(input as usize, block);
                        at.push(Indices {
                            first: self.place(input as usize, frame, block),
                            strides,
                        });
                    }
                    waiting => {
                        if let Some((input, home)) = waiting {
                            let home =
                                home.map_or(frame.at[index.slot as usize], |home| frame.home(home));
                            self.load(input, (index.slot, home, 8), frame, block);
                        }
                        at.push(Indices { first: frame.at[index.slot as usize], strides: &[] });
                    }
                }
            }
            let taken = gather::Taken { operand, base, block, strides, instr };
            match is_column_wise {
                true => gather::columns(out, &taken, &at, &mut frame.offsets),
                false => gather::gather(out, &taken, &at, &mut frame.offsets),
            }
        }
    }

    /// The coordinate of each lane along an axis of the program.
    unsafe fn iota(&self, out: *mut i64, name: u8, frame: &Frame, block: &Block) {
        let Some(axis) = self.form.names.iter().position(|own| *own == name) else {
            // The axis has gone because it has one point.
            // SAFETY: the register has room for the block's lanes.
            return unsafe { block::fill(out.cast(), 0, 8, block.lanes) };
        };
        let walked = frame
            .row
            .coord(&self.form.row_axes, axis)
            .or_else(|| frame.point.coord(&self.form.point_axes, axis));
        let mut strides: SmallVec<[i64; 6]> = SmallVec::from_elem(0, block.dims.len());
        let mut base = walked.unwrap_or(0);
        if let Some(place) = self.form.grid.axes.iter().position(|own| *own == axis)
            && place < block.dims.len()
        {
            strides[place] = 1;
            base += block.start[place];
        }
        // SAFETY: as above.
        unsafe { block::ramp(out, base as i64, &block.dims, &strides) };
    }

    /// Repeats row values over a block.
    ///
    /// # Safety
    /// The slots hold one lane each.
    pub unsafe fn spread(&self, pass: &Pass, frame: &mut Frame, lanes: usize) {
        for (slot, home, size) in &pass.spread {
            if pass.spread_points.contains(slot) {
                frame.row_points.push((*slot, *size));
                continue;
            }
            let from = frame.at[*slot as usize];
            let home = frame.home(*home);
            // SAFETY: the buffer has room for a whole block, and a lane lies at `from`.
            unsafe {
                let bits = block::read_bits(from, *size as usize);
                block::fill(home, bits, *size as usize, lanes);
            }
            frame.at[*slot as usize] = home;
        }
    }
}

#[cold]
fn no_result(failure: Failure, instr: Reg) -> Error {
    match failure {
        Failure::DivisionByZero => Error::DivisionByZero { instr },
        Failure::NegativeExponent => Error::NegativeExponent { instr },
    }
}
