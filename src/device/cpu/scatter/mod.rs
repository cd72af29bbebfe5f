//! Writing where indices point.
//!
//! All bounds are checked before the first write. Then threads share the work so that each place
//! of the target belongs to one of them, which goes through its values in row-major order: the last
//! value wins, and sums are added up in order, for any number of threads. Where the target can be
//! cut along an axis that no index decides, each takes a part of that axis. Else each takes a part
//! of the target's addresses, and reads all indices. Counting goes a way of its own (`count`).

mod apply;
mod count;

use std::ops::Range;
use std::sync::Mutex;

use smallvec::SmallVec;

use self::apply::{Apply, by_apply};
use super::dispatch::vectorized;
use super::elements::{Elements, INLINE, Ptr, Run, for_pieces, for_runs};
use super::scratch::{Buffer, Scratch};
use crate::device::{Error, Interrupt, ScatterOp, Storage, View};
use crate::dtype::DType;
use crate::ir::{Access, Space};
use crate::layout::{Layout, Shape, Strides};

/// Points between two looks at the interrupt flag.
const PIECE: usize = 256 * 1024;
/// Parts of the target's addresses, at most: each costs a reading of all indices.
const MAX_PARTS: usize = 8;

#[cfg(test)]
pub const THRESHOLDS: &[usize] =
    &[super::elements::INLINE, PIECE, count::FEW_PLACES, count::MOST_PLACES];

/// Writes `values` where `indices` point in `target`.
pub(super) fn scatter(
    op: ScatterOp,
    space: &Space,
    target: (&Storage, &Access),
    indices: &[View<'_>],
    values: View<'_>,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    let (storage, access) = target;
    // Without elements: what is written to may be nothing at the storage's end.
    let place = Layout { offset: access.offset, ..Layout::contiguous([0].into()) };
    let place: Elements<'_> = View { storage, layout: &place }.into();
    let indices: Vec<Elements<'_>> = indices.iter().map(|index| (*index).into()).collect();
    let target = Target { start: place.start(), dtype: storage.dtype(), access };
    let scratch = Scratch::new(storage.device(), "scatter");
    scatter_elements(op, &space.dims, target, &indices, values.into(), scratch, interrupt)
}

/// Where to write.
struct Target<'a> {
    /// The element that all coordinates and indices of zero mean.
    start: Ptr<u8>,
    dtype: DType,
    access: &'a Access,
}

fn scatter_elements(
    op: ScatterOp,
    dims: &[usize],
    target: Target<'_>,
    indices: &[Elements<'_>],
    values: Elements<'_>,
    scratch: Scratch<'_>,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    if dims.contains(&0) {
        return Ok(());
    }
    let access = target.access;
    for (operand, index) in indices.iter().enumerate() {
        check_bounds(operand, index, access.gathered[operand].0, interrupt)?;
    }
    let index = match indices {
        [index] => Index {
            start: index.start(),
            strides: index.layout.strides.clone(),
            extent: access.gathered[0].0 as i64,
            step: access.gathered[0].1,
            _flat: None,
        },
        _ => flatten(dims, indices, &access.gathered, scratch, interrupt)?,
    };
    if let Some(counting) = count::Counting::of(op, dims, &target, &index, &values) {
        return counting.run(scratch, interrupt);
    }
    let write: WriteFn = by_apply!(op, target.dtype, A => write::<A>);
    Job { dims, target: target.start, place: access, index, values, write }.run(interrupt)
}

/// One index for every point, known to lie within bounds.
struct Index {
    start: Ptr<i64>,
    strides: Strides,
    /// What a negative index counts from.
    extent: i64,
    /// Elements of the target from one index to the next.
    step: isize,
    /// Where `start` points, if it is not an operand.
    _flat: Option<Buffer<i64>>,
}

impl Index {
    /// Whether it is an operand, and so counts places.
    fn is_direct(&self) -> bool {
        self._flat.is_none()
    }
}

/// Several indices as one that counts elements of the target, once for each point of the axes along
/// which any of them changes.
fn flatten(
    dims: &[usize],
    indices: &[Elements<'_>],
    gathered: &[(usize, isize)],
    scratch: Scratch<'_>,
    interrupt: &Interrupt,
) -> Result<Index, Error> {
    let changes = |axis: usize| indices.iter().any(|index| index.layout.strides[axis] != 0);
    let shape: Shape =
        (0..dims.len()).map(|axis| if changes(axis) { dims[axis] } else { 1 }).collect();
    let mut flat = scratch.buffer(shape.elem_count())?;
    flat.fill(0);
    let start = flat.start();
    let mut strides = shape.contiguous_strides();
    for (index, (extent, step)) in indices.iter().zip(gathered) {
        for_pieces(shape.elem_count(), PIECE, interrupt, &|_, range| {
            for_runs(&shape, [&strides, &index.layout.strides], range, &mut |run: Run<'_, 2>| {
                let inner = index.layout.strides.last().copied().unwrap_or(0);
                for i in 0..run.len as isize {
                    // SAFETY: the run lies within the index's layout and within `flat`, of which
                    // no two pieces share an element.
                    unsafe {
                        let value = *index.start::<i64>().at(run.offsets[1] + i * inner);
                        let value = value + ((value >> 63) & *extent as i64);
                        *start.at(run.offsets[0] + i) += value * *step as i64;
                    }
                }
            });
            Ok(())
        })?;
    }
    for (stride, extent) in strides.iter_mut().zip(shape.iter()) {
        if *extent == 1 {
            *stride = 0;
        }
    }
    Ok(Index { start, strides, extent: 0, step: 1, _flat: Some(flat) })
}

vectorized! {
    /// Whether some index is out of bounds.
    fn leaves(indices: &[i64], bound: i64) -> bool = leaves_body
}

#[inline(always)]
fn leaves_body(indices: &[i64], bound: i64) -> bool {
    let (mut at, mut any) = (0, false);
    while at < indices.len() {
        any |= (indices[at] < -bound) | (indices[at] >= bound);
        at += 1;
    }
    any
}

/// Looks for the first index out of bounds.
fn check_bounds(
    operand: usize,
    index: &Elements<'_>,
    extent: usize,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    // Along a broadcast axis every index is the same one.
    let (dims, strides): (SmallVec<[usize; 6]>, SmallVec<[isize; 6]>) =
        (index.layout.shape.iter().zip(&index.layout.strides))
            .filter(|(_, stride)| **stride != 0)
            .map(|(extent, stride)| (*extent, *stride))
            .unzip();
    let start = index.start::<i64>();
    let step = strides.last().copied().unwrap_or(0);
    let first = Mutex::new(None);
    for_pieces(dims.iter().product(), PIECE, interrupt, &|piece, range| {
        for_runs(&dims, [&strides], range, &mut |run: Run<'_, 1>| {
            let run_start = start.shifted(run.offsets[0]);
            // SAFETY: the run lies within the index's layout.
            let value = |at: usize| unsafe { *run_start.at(at as isize * step) };
            let bound = extent as i64;
            let outside = |at: &usize| value(*at) < -bound || value(*at) >= bound;
            // Two loops: the first has no exit and so is vectorised, where indices lie side by side.
            let any = match step {
                1 => {
                    // SAFETY: as above.
                    let run = unsafe { std::slice::from_raw_parts(run_start.at(0), run.len) };
                    leaves(run, bound)
                }
                _ => (0..run.len).fold(false, |any, at| any | outside(&at)),
            };
            let Some(at) = any.then(|| (0..run.len).find(outside)).flatten() else {
                return;
            };
            let mut first = first.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            if first.is_none_or(|(known, _)| piece < known) {
                *first = Some((piece, value(at)));
            }
        });
        Ok(())
    })?;
    match first.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()) {
        None => Ok(()),
        Some((_, value)) => Err(Error::IndexOutOfBounds { instr: None, operand, value, extent }),
    }
}

/// A scatter whose indices are known to lie within bounds.
struct Job<'a> {
    dims: &'a [usize],
    target: Ptr<u8>,
    place: &'a Access,
    index: Index,
    values: Elements<'a>,
    write: WriteFn,
}

/// What one thread takes of it.
struct Part {
    /// These coordinates along this axis.
    cut: Option<(usize, Range<usize>)>,
    /// Only what is written to these offsets from the target's start.
    places: Option<Range<isize>>,
}

impl Job<'_> {
    fn run(&self, interrupt: &Interrupt) -> Result<(), Error> {
        let threads = rayon::current_num_threads();
        if threads == 1 || self.dims.iter().product::<usize>() < INLINE {
            return self.run_part(&Part { cut: None, places: None }, interrupt);
        }
        if let Some(axis) = self.axis_to_cut(threads) {
            let extent = self.dims[axis];
            return for_pieces(extent, extent.div_ceil(threads), interrupt, &|_, range| {
                let part = Part { cut: Some((axis, range)), places: None };
                self.run_part(&part, interrupt)
            });
        }
        let reach = self.reach();
        let width = (reach.end - reach.start) as usize;
        let piece = width.div_ceil(threads.min(MAX_PARTS));
        for_pieces(width, piece, interrupt, &|_, range| {
            let places = reach.start + range.start as isize..reach.start + range.end as isize;
            self.run_part(&Part { cut: None, places: Some(places) }, interrupt)
        })
    }

    /// The first axis of which different coordinates never mean the same place, whatever the
    /// indices are.
    fn axis_to_cut(&self, threads: usize) -> Option<usize> {
        let axes = self.dims.iter().copied().zip(self.place.strides.iter().copied());
        let mut ways: SmallVec<[(usize, usize); 8]> = (axes.clone())
            .chain(self.place.gathered.iter().copied())
            .filter(|(extent, stride)| *extent > 1 && *stride != 0)
            .map(|(extent, stride)| (stride.unsigned_abs(), extent))
            .collect();
        ways.sort_unstable();
        let mut below = 0;
        for (stride, extent) in ways {
            if stride <= below {
                return None;
            }
            below += (extent - 1) * stride;
        }
        axes.into_iter().position(|(extent, stride)| extent >= threads && stride != 0)
    }

    /// The offsets from the target's start that any index may mean.
    fn reach(&self) -> Range<isize> {
        let (mut low, mut high) = (0, 0);
        let axes = self.dims.iter().copied().zip(self.place.strides.iter().copied());
        for (extent, stride) in axes.chain(self.place.gathered.iter().copied()) {
            let far = (extent as isize - 1) * stride;
            low += far.min(0);
            high += far.max(0);
        }
        low..high + 1
    }

    fn run_part(&self, part: &Part, interrupt: &Interrupt) -> Result<(), Error> {
        let size = self.values.dtype.size() as isize;
        let mut dims: SmallVec<[usize; 6]> = self.dims.into();
        let strides = [&self.place.strides[..], &self.index.strides, &self.values.layout.strides];
        let mut starts = [0; 3];
        if let Some((axis, range)) = &part.cut {
            dims[*axis] = range.len();
            starts = strides.map(|strides| range.start as isize * strides[*axis]);
        }
        let steps = strides.map(|strides| strides.last().copied().unwrap_or(0));
        let len: usize = dims.iter().product();
        for start in (0..len).step_by(PIECE) {
            if interrupt.is_raised() {
                return Err(Error::Interrupted);
            }
            for_runs(&dims, strides, start..len.min(start + PIECE), &mut |run: Run<'_, 3>| {
                let stretch = Stretch {
                    target: self.target,
                    place: starts[0] + run.offsets[0],
                    index: self.index.start.shifted(starts[1] + run.offsets[1]),
                    values: self.values.start().shifted((starts[2] + run.offsets[2]) * size),
                    steps,
                    len: run.len,
                };
                // SAFETY: the run lies within the indices and the values, every index was found
                // within bounds, and no other part writes to this part's places.
                unsafe { (self.write)(&stretch, &self.index, part.places.as_ref()) };
            });
        }
        Ok(())
    }
}

/// Points along the last axis, of elements that [`WriteFn`] knows the type of.
struct Stretch {
    target: Ptr<u8>,
    /// Of the first point, in elements and without its index.
    place: isize,
    index: Ptr<i64>,
    values: Ptr<u8>,
    /// Of the place, the index and the values, in elements.
    steps: [isize; 3],
    len: usize,
}

/// Writes a stretch, or only what goes to the places that are given.
///
/// # Safety
/// All points can be read; their places, but for those that are not given, can be written by this
/// thread alone.
type WriteFn = unsafe fn(&Stretch, &Index, Option<&Range<isize>>);

unsafe fn write<A: Apply>(stretch: &Stretch, index: &Index, places: Option<&Range<isize>>) {
    let target = Ptr(stretch.target.0.cast::<A::Item>());
    let values = Ptr(stretch.values.0.cast::<A::Item>());
    let [place_step, index_step, value_step] = stretch.steps;
    let len = stretch.len as isize;
    let mut i = 0;
    // SAFETY: all that follows reads and writes points of the stretch, as promised.
    unsafe {
        if let Some(places) = places {
            // A write that is another thread's goes nowhere, without a branch to mispredict.
            let mut nowhere = *values.0;
            let (nowhere, width) = (&raw mut nowhere, (places.end - places.start) as usize);
            while i < len {
                let place = stretch.place_of(i, index);
                let inside = (place.wrapping_sub(places.start) as usize) < width;
                let to = if inside { target.at(place) } else { nowhere };
                A::apply(to, *values.at(i * value_step));
                i += 1;
            }
        } else if index_step == 0 {
            let first = target.shifted(stretch.place_of(0, index));
            if (place_step, value_step) == (1, 1) {
                while i < len {
                    A::apply(first.at(i), *values.at(i));
                    i += 1;
                }
            } else {
                while i < len {
                    A::apply(first.at(i * place_step), *values.at(i * value_step));
                    i += 1;
                }
            }
        } else {
            while i < len {
                A::apply(target.at(stretch.place_of(i, index)), *values.at(i * value_step));
                i += 1;
            }
        }
    }
}

impl Stretch {
    /// Where point `i` goes, in elements from the target's start.
    ///
    /// # Safety
    /// There is such a point.
    #[inline(always)]
    unsafe fn place_of(&self, i: isize, index: &Index) -> isize {
        // SAFETY: the caller's promise.
        let value = unsafe { *self.index.at(i * self.steps[1]) };
        let value = value + ((value >> 63) & index.extent);
        self.place + i * self.steps[0] + value as isize * index.step
    }
}

#[cfg(test)]
mod tests;
