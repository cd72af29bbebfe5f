//! Left folds, by the lanes of programs.
//!
//! No element can be joined before the one that stands before it, but rows do not wait for each other: the lanes of a
//! register are those of as many rows. Elements are brought side by side for that, some steps at a time. Few rows, and
//! sections, which are short, go one after the other where joining two elements costs less than that.

use std::cmp::Reverse;
use std::mem::MaybeUninit;
use std::ops::Range;

use smallvec::SmallVec;

use super::dispatch::Level;
use super::elements::{Elements, INLINE, Ptr, by_width, for_pieces, offsets_at};
use super::lanes::{self, BinaryFn, CheckedFn, InTurnFn, Row, UnaryFn};
use crate::device::{Error, Interrupt, LeftFold};
use crate::dtype::DType;
use crate::ir::BinaryOp;
use crate::layout::Strides;

/// Rows that go side by side.
const TOGETHER: usize = 32;
/// The same of rows that lie side by side, so that nothing needs bringing together.
const COLUMNS: usize = 256;
/// Elements that are brought side by side at a time: they and what becomes of them fit the nearest cache.
const BLOCK: usize = 2048;
/// Fewer rows go one after the other.
const FEW: usize = 8;
/// Elements of a row between two looks at the user's interrupt.
pub const AT_ONCE: usize = 32 * 1024;

#[cfg(test)]
pub const THRESHOLDS: &[usize] = &[TOGETHER, COLUMNS, BLOCK, FEW];

/// See [`crate::device::Backend::fold_left`].
pub(super) fn fold_left(
    level: Level,
    fold: LeftFold<'_>,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    let job = Job::new(level, &fold, interrupt);
    let (count, width) = (job.chains(), job.width());
    let elements = fold.input.layout.elem_count() / count.max(1);
    let piece = (INLINE / elements.max(1)).div_ceil(width).max(1) * width;
    for_pieces(count, piece, interrupt, &|_, numbers| {
        let mut room = Room::new();
        for start in numbers.clone().step_by(width) {
            job.run(start..numbers.end.min(start + width), &mut room)?;
        }
        Ok(())
    })
}

/// Some rows, or sections of rows, and the ways through memory.
struct Job<'a> {
    /// How rows go side by side; complex ones don't.
    join: Option<Join>,
    in_turn: Option<InTurnFn>,
    interrupt: &'a Interrupt,
    /// Bytes of an element, or of each part of a complex one.
    size: usize,
    are_pairs: bool,
    dims: SmallVec<[usize; 6]>,
    /// Of rows, from one to the next: of the input, of what stands before, of the output.
    strides: [Strides; 3],
    /// From one element of a row to the next.
    step: isize,
    /// From one result of a row to the next, or from one step.
    out_step: isize,
    first_step: isize,
    /// Elements of a row.
    len: usize,
    input: Ptr<u8>,
    first: Option<Ptr<u8>>,
    out: Ptr<u8>,
    sections: Option<[Ptr<i64>; 2]>,
    /// Results of a row.
    results: usize,
    keeps_steps: bool,
}

impl<'a> Job<'a> {
    fn new(level: Level, fold: &LeftFold<'_>, interrupt: &'a Interrupt) -> Job<'a> {
        let [input, out] = [fold.input, fold.out].map(Elements::from);
        let first = fold.first.map(Elements::from);
        let outer = input.layout.rank() - 1;
        let rows = |elements: &Elements<'_>| elements.layout.strides[..outer].into();
        let last = |elements: &Elements<'_>| elements.layout.strides[outer];
        Job {
            join: (!fold.are_pairs).then(|| Join::new(level, fold.op, input.dtype)),
            in_turn: match fold.are_pairs {
                true => Some(lanes::pairs_in_turn(fold.op, input.dtype, fold.keeps_steps)),
                false => lanes::in_turn(fold.op, input.dtype, fold.keeps_steps),
            },
            interrupt,
            size: input.dtype.size(),
            are_pairs: fold.are_pairs,
            dims: input.layout.shape[..outer].into(),
            strides: [
                rows(&input),
                first.as_ref().map_or_else(|| Strides::from_elem(0, outer), rows),
                rows(&out),
            ],
            step: last(&input),
            out_step: last(&out),
            first_step: first.as_ref().map_or(0, last),
            len: fold.row(),
            input: input.start(),
            first: first.map(|first| first.start()),
            out: out.start(),
            sections: fold.sections.map(|sections| {
                [sections.starts, sections.ends].map(|places| Elements::from(places).start())
            }),
            results: fold.results(),
            keeps_steps: fold.keeps_steps,
        }
    }

    fn chains(&self) -> usize {
        self.dims.iter().product::<usize>() * self.results
    }

    fn width(&self) -> usize {
        let lie_together = self.results == 1 && self.strides[0].last() == Some(&1);
        if lie_together && self.dims.last() >= Some(&TOGETHER) { COLUMNS } else { TOGETHER }
    }

    /// The chain with this number.
    fn chain(&self, number: usize) -> Chain {
        let (row, place) = (number / self.results, number % self.results);
        let [from, before, to] = match row {
            0 => [0; 3],
            row => offsets_at(&self.dims, self.strides.each_ref().map(|strides| &**strides), row),
        };
        let size = self.size as isize;
        let shifted = |start: Ptr<u8>, row: isize, at: usize, step: isize| {
            start.shifted((row + at as isize * step) * size)
        };
        let range = match self.sections {
            // SAFETY: there are as many starts and ends as results.
            Some(ends) => unsafe {
                let [start, end] = ends.map(|places| *places.at(place as isize) as usize);
                start..end.max(start)
            },
            None => 0..self.len,
        };
        Chain {
            next: shifted(self.input, from, range.start, self.step),
            first: self.first.map(|first| shifted(first, before, place, self.first_step)),
            out: shifted(self.out, to, place, self.out_step),
            left: range.len(),
        }
    }

    /// Folds some chains, at most [`COLUMNS`] of them.
    fn run(&self, numbers: Range<usize>, room: &mut Room) -> Result<(), Error> {
        let are_few = numbers.len() < FEW || self.sections.is_some();
        let mut chains = numbers.map(|number| self.chain(number));
        match (&self.join, self.in_turn.filter(|_| are_few || self.are_pairs)) {
            (_, Some(in_turn)) => chains.try_for_each(|chain| self.run_alone(chain, in_turn)),
            (Some(join), None) => self.run_together(chains.collect(), join, room),
            (None, None) => unreachable!("complex rows have a loop"),
        }
    }

    fn run_together(
        &self,
        mut chains: SmallVec<[Chain; TOGETHER]>,
        join: &Join,
        room: &mut Room,
    ) -> Result<(), Error> {
        if self.sections.is_some() {
            // Those that end sooner stand behind those that go on.
            chains.sort_by_key(|chain| Reverse(chain.left));
        }
        self.begin(&mut chains, join, room);
        let mut going = chains.len();
        while going > 0 {
            let count = chains[going - 1].left;
            self.advance(&mut chains[..going], count, join, room)?;
            going -= chains[..going].iter().rev().take_while(|chain| chain.left == 0).count();
        }
        if !self.keeps_steps {
            let outs = chains.iter().map(|chain| chain.out);
            room.carry_out(join, self.size, outs);
        }
        Ok(())
    }

    fn run_alone(&self, mut chain: Chain, in_turn: InTurnFn) -> Result<(), Error> {
        let row =
            |start: Ptr<u8>, step: isize| Row { start: start.0, step: step * self.size as isize };
        let mut begun = chain.first.unwrap_or(chain.next);
        if chain.first.is_none() {
            if self.keeps_steps {
                let bytes = self.size << usize::from(self.are_pairs);
                // SAFETY: without a first there is an element, and there are as many steps as elements.
                unsafe { chain.out.0.copy_from_nonoverlapping(begun.0, bytes) };
            }
            chain.passed(1, self);
        }
        loop {
            self.interrupt.heed()?;
            let count = chain.left.min(AT_ONCE);
            let [elements, made] = [row(chain.next, self.step), row(chain.out, self.out_step)];
            // SAFETY: the chain has so many elements left, and a place for each step or for its result.
            unsafe { in_turn(begun.0, elements, count, made) };
            let step = if self.keeps_steps { count as isize - 1 } else { 0 };
            begun = chain.out.shifted(step * made.step);
            chain.passed(count, self);
            if chain.left == 0 {
                return Ok(());
            }
        }
    }

    /// Takes what each chain begins with.
    fn begin(&self, chains: &mut [Chain], join: &Join, room: &mut Room) {
        let firsts = chains.iter().map(|chain| chain.first.unwrap_or(chain.next));
        room.carry_in(join, self.size, firsts);
        if self.first.is_some() {
            return;
        }
        if self.keeps_steps {
            room.carry_out(join, self.size, chains.iter().map(|chain| chain.out));
        }
        for chain in chains {
            chain.passed(1, self);
        }
    }

    /// Takes so many steps of all these chains, which have them left.
    fn advance(
        &self,
        chains: &mut [Chain],
        mut count: usize,
        join: &Join,
        room: &mut Room,
    ) -> Result<(), Error> {
        let lanes = chains.len();
        while count > 0 {
            self.interrupt.heed()?;
            let steps = count.min(BLOCK / lanes);
            by_width!(self.size, T => room.gather::<T>(join, chains, steps, self.step));
            room.take_steps(join, lanes, steps, self.keeps_steps);
            if self.keeps_steps {
                by_width!(self.size, T => room.scatter::<T>(join, chains, steps, self.out_step));
            }
            for chain in &mut *chains {
                chain.passed(steps, self);
            }
            count -= steps;
        }
        Ok(())
    }
}

/// What is folded to one result.
struct Chain {
    /// The element that comes next.
    next: Ptr<u8>,
    first: Option<Ptr<u8>>,
    /// Where the result goes, or the next step.
    out: Ptr<u8>,
    /// Elements that are left.
    left: usize,
}

impl Chain {
    fn passed(&mut self, steps: usize, job: &Job<'_>) {
        let by = |step: isize| steps as isize * step * job.size as isize;
        self.next = self.next.shifted(by(job.step));
        self.left -= steps;
        if job.keeps_steps {
            self.out = self.out.shifted(by(job.out_step));
        }
    }
}

/// How two elements are joined, in the lanes of their compute type.
struct Join {
    way: Way,
    /// What memory holds becomes lanes, and what lanes hold is rounded and goes back: of narrow floats.
    narrow: Option<Narrow>,
    /// Bytes of a lane.
    lane: usize,
}

enum Way {
    Plain(BinaryFn),
    Checked(CheckedFn),
}

struct Narrow {
    widen: UnaryFn,
    round: UnaryFn,
    narrow: UnaryFn,
}

impl Join {
    fn new(level: Level, op: BinaryOp, dtype: DType) -> Join {
        let compute = dtype.compute();
        let way = match op.failure(compute) {
            Some(_) => Way::Checked(lanes::checked(level, op, compute)),
            None => Way::Plain(lanes::binary(level, op, dtype)),
        };
        let narrow = (compute != dtype).then(|| Narrow {
            widen: lanes::from_narrow(level, dtype),
            round: lanes::round_narrow(level, dtype),
            narrow: lanes::to_narrow(level, dtype),
        });
        Join { way, narrow, lane: compute.size() }
    }

    /// # Safety
    /// So many lanes lie at all addresses, the output apart from the operands.
    #[inline]
    unsafe fn join(&self, out: *mut u8, left: *const u8, right: *const u8, lanes: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            match self.way {
                Way::Plain(join) => join(out, left, right, lanes),
                // Who asks for the fold has seen to it that all have a result.
                Way::Checked(join) => {
                    join(out, left, right, lanes);
                }
            }
            if let Some(narrow) = &self.narrow {
                let mut made = MaybeUninit::<[f32; COLUMNS]>::uninit();
                let made = made.as_mut_ptr().cast::<u8>();
                made.copy_from_nonoverlapping(out, lanes * self.lane);
                (narrow.round)(out, made, lanes);
            }
        }
    }

    /// Where lanes lie as memory holds them: in `stored`, if not where they are.
    ///
    /// # Safety
    /// So many lanes lie at both addresses.
    unsafe fn narrowed(&self, stored: *mut u8, lanes: *mut u8, count: usize) -> *mut u8 {
        let Some(narrow) = &self.narrow else { return lanes };
        // SAFETY: the caller's promise.
        unsafe { (narrow.narrow)(stored, lanes, count) };
        stored
    }
}

type Words<const N: usize> = MaybeUninit<[u64; N]>;

/// Where a thread brings elements together: lanes of at most eight bytes.
struct Room {
    /// As memory holds them.
    stored: Words<BLOCK>,
    /// The elements of some steps, those of one step side by side.
    elements: Words<BLOCK>,
    /// What becomes of each step.
    made: Words<BLOCK>,
    /// What has become of each chain.
    carried: Words<COLUMNS>,
}

impl Room {
    fn new() -> Room {
        let [stored, elements, made] = [const { MaybeUninit::uninit() }; 3];
        Room { stored, elements, made, carried: MaybeUninit::uninit() }
    }

    /// Takes an element for each chain.
    fn carry_in(
        &mut self,
        join: &Join,
        size: usize,
        froms: impl ExactSizeIterator<Item = Ptr<u8>>,
    ) {
        let lanes = froms.len();
        let (stored, carried) = (bytes(&mut self.stored), bytes(&mut self.carried));
        let into = if join.narrow.is_some() { stored } else { carried };
        // SAFETY: an element lies at each address, and there is room for as many as there are chains.
        unsafe {
            by_width!(size, T => for (at, from) in froms.enumerate() {
                *into.cast::<T>().add(at) = *from.0.cast::<T>();
            });
            if let Some(narrow) = &join.narrow {
                (narrow.widen)(carried, stored, lanes);
            }
        }
    }

    /// Writes what has become of each chain.
    fn carry_out(
        &mut self,
        join: &Join,
        size: usize,
        outs: impl ExactSizeIterator<Item = Ptr<u8>>,
    ) {
        let (stored, carried) = (bytes(&mut self.stored), bytes(&mut self.carried));
        // SAFETY: each address is that of a result, which no other chain has.
        unsafe {
            let from = join.narrowed(stored, carried, outs.len());
            by_width!(size, T => for (at, out) in outs.enumerate() {
                *out.0.cast::<T>() = *from.cast::<T>().add(at);
            });
        }
    }

    /// Brings the next elements of all chains together; they are `step` apart.
    fn gather<T: Copy>(&mut self, join: &Join, chains: &[Chain], steps: usize, step: isize) {
        let lanes = chains.len();
        let (stored, elements) = (bytes(&mut self.stored), bytes(&mut self.elements));
        let into = if join.narrow.is_some() { stored } else { elements }.cast::<T>();
        let starts = |chain: &Chain| chain.next.0.cast::<T>();
        // SAFETY: the chains have so many elements left, and as many times that many fit a block.
        unsafe {
            if lie_together(chains, starts) {
                let first = starts(&chains[0]);
                for at in 0..steps {
                    let from = first.wrapping_offset(at as isize * step);
                    into.add(at * lanes).copy_from_nonoverlapping(from, lanes);
                }
            } else {
                for (lane, chain) in chains.iter().enumerate() {
                    for at in 0..steps {
                        *into.add(at * lanes + lane) =
                            *starts(chain).wrapping_offset(at as isize * step);
                    }
                }
            }
            if let Some(narrow) = &join.narrow {
                (narrow.widen)(elements, stored, lanes * steps);
            }
        }
    }

    /// Joins what has become of each chain with the elements that were brought together.
    fn take_steps(&mut self, join: &Join, lanes: usize, steps: usize, keeps_steps: bool) {
        let (elements, made) = (bytes(&mut self.elements), bytes(&mut self.made));
        let (carried, row) = (bytes(&mut self.carried), lanes * join.lane);
        let mut before: *const u8 = carried;
        // SAFETY: a block holds the steps of all chains, or two of them in turn.
        unsafe {
            for at in 0..steps {
                let out = made.add(if keeps_steps { at } else { at % 2 } * row);
                join.join(out, before, elements.add(at * row), lanes);
                before = out;
            }
            carried.copy_from_nonoverlapping(before, row);
        }
    }

    /// Writes what became of each step; a chain's are `step` apart.
    fn scatter<T: Copy>(&mut self, join: &Join, chains: &[Chain], steps: usize, step: isize) {
        let lanes = chains.len();
        let (stored, made) = (bytes(&mut self.stored), bytes(&mut self.made));
        let starts = |chain: &Chain| chain.out.0.cast::<T>();
        // SAFETY: the output has room for the steps of each chain, which no other writes.
        unsafe {
            let from = join.narrowed(stored, made, lanes * steps).cast::<T>();
            if lie_together(chains, starts) {
                let first = starts(&chains[0]);
                for at in 0..steps {
                    let into = first.wrapping_offset(at as isize * step);
                    into.copy_from_nonoverlapping(from.add(at * lanes), lanes);
                }
            } else {
                for (lane, chain) in chains.iter().enumerate() {
                    for at in 0..steps {
                        *starts(chain).wrapping_offset(at as isize * step) =
                            *from.add(at * lanes + lane);
                    }
                }
            }
        }
    }
}

fn bytes<const N: usize>(words: &mut Words<N>) -> *mut u8 {
    words.as_mut_ptr().cast()
}

/// Whether what each chain does next it does beside the one before it.
fn lie_together<T>(chains: &[Chain], place: impl Fn(&Chain) -> *mut T) -> bool {
    let first = place(&chains[0]);
    chains.iter().enumerate().all(|(lane, chain)| place(chain) == first.wrapping_add(lane))
}
