//! What is known of integers that may serve as indices: between which numbers they lie. A read or a write at indices
//! that are known to be within needs no wait for their check, be it that the same ones were read by before, that a
//! kernel of ours made them so, or that the program's own instructions say it ([`Program::intervals`]).

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use smallvec::SmallVec;

use crate::device::{Storage, View};
use crate::dtype::DType;
use crate::ir::{Access, Interval, Op, Program, Reg, Space};

/// As many are known at a time; the oldest is forgotten.
const KEPT: u64 = 256;

/// What is known of some storages' contents. A storage has the number of what was found last, until it is written to.
#[derive(Debug, Default)]
pub struct Bounds(Mutex<Known>);

/// The latest findings, each in its number's place.
#[derive(Debug, Default)]
struct Known {
    findings: Vec<Finding>,
    last: u64,
}

#[derive(Debug)]
struct Finding {
    number: u64,
    way: Way,
    range: Range<i64>,
}

/// Where the finding of a number is kept.
fn place(number: u64) -> usize {
    ((number - 1) % KEPT) as usize
}

/// Some elements of a storage: where they begin, and extents and strides, whatever else a walk goes along.
#[derive(Debug, PartialEq, Eq)]
pub struct Way {
    offset: usize,
    axes: SmallVec<[(usize, isize); 2]>,
}

impl Way {
    fn new(offset: usize, dims: &[usize], strides: &[isize]) -> Way {
        let mut axes: SmallVec<[(usize, isize); 2]> = SmallVec::new();
        for (extent, stride) in dims.iter().copied().zip(strides.iter().copied()) {
            match axes.last_mut() {
                _ if extent == 1 || stride == 0 => {}
                Some((outer, step)) if *step == stride * extent as isize => {
                    (*outer, *step) = (*outer * extent, stride);
                }
                _ => axes.push((extent, stride)),
            }
        }
        Way { offset, axes }
    }

    fn of_view(view: View<'_>) -> Way {
        Way::new(view.layout.offset, &view.layout.shape, &view.layout.strides)
    }

    fn of_operand(access: &Access, space: &Space) -> Way {
        Way::new(access.offset, &space.dims, &access.strides)
    }
}

impl Bounds {
    /// Whether the elements of a view are known to be in a range.
    pub fn has_within(&self, view: View<'_>, range: &Range<i64>) -> bool {
        self.is_within(view.storage, &Way::of_view(view), range)
    }

    /// Says that the elements of a view, which were just written, are in a range.
    pub fn note_view(&self, view: View<'_>, range: Range<i64>) {
        if view.dtype() == DType::I64 {
            self.note(view.storage, Way::of_view(view), range);
        }
    }

    fn note(&self, storage: &Storage, way: Way, range: Range<i64>) {
        let mut known = self.lock();
        known.last += 1;
        let number = known.last;
        let finding = Finding { number, way, range };
        match known.findings.get_mut(place(number)) {
            Some(oldest) => *oldest = finding,
            None => known.findings.push(finding),
        }
        storage.set_finding(number);
    }

    fn is_within(&self, storage: &Storage, way: &Way, range: &Range<i64>) -> bool {
        let number = storage.finding();
        number > 0
            && self.lock().findings.get(place(number)).is_some_and(|finding| {
                finding.number == number
                    && finding.way == *way
                    && range.start <= finding.range.start
                    && finding.range.end <= range.end
            })
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        // What is kept is whole after a panic elsewhere, too.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The inputs whose elements a program reads by, as they are loaded, and how many places each reaches. Nothing where
/// it can fail by anything else than these.
#[derive(Debug)]
pub struct Indices(SmallVec<[(u16, usize); 2]>);

impl Indices {
    /// `intervals` are the program's.
    pub fn of<'a>(
        program: &Program,
        intervals: &[Option<Interval>],
        access: impl Fn(usize) -> &'a Access,
    ) -> Option<Indices> {
        let mut found = SmallVec::new();
        for at in 0..program.instrs.len() {
            let reg = Reg(at as u16);
            if !program.can_fail_at(reg) {
                continue;
            }
            let Op::Gather { input, indices } = &program.instr(reg).op else { return None };
            for (index, (extent, _)) in indices.iter().zip(&access(*input as usize).gathered) {
                let reach = *extent as i128;
                if intervals[index.index()].is_some_and(|(low, high)| -reach <= low && high < reach)
                {
                    continue;
                }
                let Op::Load { input } = program.instr(*index).op else { return None };
                found.push((input, *extent));
            }
        }
        Some(Indices(found))
    }

    fn each<'a>(
        &'a self,
        space: &'a Space,
        inputs: &'a [(&'a Storage, &'a Access)],
    ) -> impl Iterator<Item = (&'a Storage, Way, Range<i64>)> + 'a {
        self.0.iter().map(move |(input, extent)| {
            let (storage, access) = inputs[*input as usize];
            let extent = *extent as i64;
            (storage, Way::of_operand(access, space), -extent..extent)
        })
    }

    /// Whether all are known to be within.
    pub fn are_within(
        &self,
        bounds: &Bounds,
        space: &Space,
        inputs: &[(&Storage, &Access)],
    ) -> bool {
        self.each(space, inputs)
            .all(|(storage, way, range)| bounds.is_within(storage, &way, &range))
    }

    /// Says that all were found to be within, but for those that the launch itself wrote over.
    pub fn note(
        &self,
        bounds: &Bounds,
        space: &Space,
        inputs: &[(&Storage, &Access)],
        outputs: &[(&Storage, &Access)],
    ) {
        for (storage, way, range) in self.each(space, inputs) {
            if outputs.iter().all(|(written, _)| written.address() != storage.address()) {
                bounds.note(storage, way, range);
            }
        }
    }
}

/// The outputs that a program makes of integers from a known range, and these.
#[derive(Debug)]
pub struct Made(SmallVec<[(u16, Range<i64>); 1]>);

impl Made {
    /// `intervals` are the program's.
    pub fn of(program: &Program, intervals: &[Option<Interval>]) -> Made {
        let range_of = |number: usize| {
            let (low, high) = intervals[program.outputs[number].value.index()]?;
            let range = i64::try_from(low).ok()?..i64::try_from(high + 1).ok()?;
            let is_told = program.output_dtype(number) == DType::I64 && low > i64::MIN.into();
            is_told.then_some((number as u16, range))
        };
        Made((0..program.outputs.len()).filter_map(range_of).collect())
    }

    /// Says so of what a launch wrote.
    pub fn note(&self, bounds: &Bounds, space: &Space, outputs: &[(&Storage, &Access)]) {
        for (output, range) in &self.0 {
            let (storage, access) = outputs[*output as usize];
            bounds.note(storage, Way::of_operand(access, space), range.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_is_what_it_meets() {
        let way = Way::new(3, &[4, 1, 5, 6], &[30, 7, 6, 1]);
        assert_eq!(way, Way::new(3, &[120, 9], &[1, 0]));
        assert_eq!(way, Way::new(3, &[9, 4, 30], &[0, 30, 1]));
        assert_ne!(way, Way::new(3, &[4, 5, 6], &[30, 6, 2]));
        assert_ne!(way, Way::new(2, &[120], &[1]));
        assert_ne!(Way::new(0, &[3, 5], &[1, 3]), Way::new(0, &[15], &[1]));
    }
}
