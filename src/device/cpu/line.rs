//! Short rows, without a program: by the kernels that programs take.

use std::mem::MaybeUninit;

use super::dispatch::Level;
use super::lanes::{self, BinaryFn, CheckedFn, Fold, SelectFn, UnaryFn};
use super::{CpuBackend, exec};
use crate::device::line::{Line, Lines, Term};
use crate::dtype::{Bits, DType};
use crate::ir::{MapOp, ReduceOp};

/// Elements that a program folds as one block, wherever they lie and whatever their type, and room for as many lanes.
const MOST: usize = exec::WIDE_LANES;

/// Bytes of dense lines that are folded or combined at once, on one thread: with more, programs are no slower.
const DENSE: usize = 64 * 1024;

type Buffer = [MaybeUninit<u64>; MOST];

const EMPTY: Buffer = [const { MaybeUninit::uninit() }; MOST];

impl Lines for CpuBackend {
    fn most(&self) -> usize {
        MOST
    }

    fn most_dense(&self, dtype: DType) -> usize {
        // A program folds dense elements as one block up to here.
        (DENSE / dtype.size()).min(exec::IN_PLACE)
    }

    fn fill(&self, to: Line<'_>, element: Bits) {
        self.enter([to.storage]);
        let place = place(&to);
        // SAFETY: the line lies in its storage, as `place` has checked.
        unsafe {
            match to.dtype().size() {
                1 => fill(place, to.len, to.step, element[0]),
                2 => fill(
                    place.cast(),
                    to.len,
                    to.step,
                    u16::from_ne_bytes([element[0], element[1]]),
                ),
                4 => {
                    let [a, b, c, d, ..] = element;
                    fill(place.cast(), to.len, to.step, u32::from_ne_bytes([a, b, c, d]));
                }
                _ => fill(place.cast(), to.len, to.step, word(&element)),
            }
        }
    }

    fn copy(&self, from: Line<'_>, to: Line<'_>) {
        check(&from, &to);
        self.enter([from.storage, to.storage]);
        // SAFETY: both lines lie in their storages and have as many elements of one size; if they
        // share memory, each element is its own copy.
        unsafe { transfer(place(&from), from.step, place(&to), to.step, to.len, to.dtype()) };
    }

    fn map(&self, op: MapOp, terms: &[Term<'_>], to: Line<'_>) {
        let steps = Steps::new(self.executor.level(), op, terms, to.dtype());
        self.enter([to.storage]);
        let is_apart = |term: &Term<'_>| match term {
            Term::Line(line) => !std::ptr::eq(line.storage, to.storage),
            Term::Number(..) | Term::Count(_) => true,
        };
        let is_apart = to.step == 1 && terms.iter().all(is_apart);
        let (mut buffers, mut result) = ([EMPTY; 3], EMPTY);
        let rooms = buffers.each_mut().map(|buffer| buffer.as_mut_ptr().cast::<u8>());
        let room = result.as_mut_ptr().cast::<u8>();
        let mut lanes = [std::ptr::null::<u8>(); 3];
        for first in (0..to.len).step_by(MOST) {
            let part = to.part(first, MOST);
            for (at, term) in terms.iter().enumerate() {
                // A number stands in its room already.
                if first == 0 || !matches!(term, Term::Number(..)) {
                    lanes[at] = self.lanes_of(&term.part(first, MOST), part.len, rooms[at]);
                    if let Some(widen) = steps.widen[at] {
                        let wide = rooms[at].wrapping_add(WIDE);
                        // SAFETY: the room has the wide lanes behind the narrow ones.
                        unsafe { widen(wide, lanes[at], part.len) };
                        lanes[at] = wide;
                    }
                }
            }
            let out = place(&part);
            // SAFETY: operands are `len` lanes of the types that the kernels take, in buffers or in their lines; so
            // is the result's place, apart from all of them.
            unsafe {
                if is_apart {
                    steps.run(out, lanes, room, part.len);
                } else {
                    steps.run(room, lanes, room, part.len);
                    transfer(room, 1, out, to.step, part.len, to.dtype());
                }
            }
        }
    }

    fn fold(&self, op: ReduceOp, from: Line<'_>) -> Option<[u8; 8]> {
        let dtype = from.dtype();
        let fold = (dtype.compute() == dtype).then(|| self.folding(op, dtype))?;
        let mut result = [0u64; 1];
        // SAFETY: a result has at most eight bytes.
        unsafe { self.fold_to(&fold, &from, result.as_mut_ptr().cast()) };
        Some(result[0].to_ne_bytes())
    }

    fn fold_each(&self, op: ReduceOp, first: Line<'_>, apart: isize, to: Line<'_>) -> bool {
        let dtype = first.dtype();
        if dtype.compute() != dtype {
            return false;
        }
        self.enter([to.storage]);
        let fold = self.folding(op, dtype);
        let (out, size) = (place(&to), to.dtype().size());
        let made = if op.is_arg() { DType::I64 } else { dtype };
        assert!(to.dtype() == made && to.step == 1, "{to:?} does not hold results of {op:?}");
        for at in 0..to.len {
            let start = first.start.wrapping_add_signed(at as isize * apart);
            // SAFETY: the line of results lies in its storage, and has their type.
            unsafe { self.fold_to(&fold, &Line { start, ..first }, out.add(at * size)) };
        }
        true
    }
}

impl CpuBackend {
    fn folding(&self, op: ReduceOp, dtype: DType) -> Fold {
        Fold::new(self.executor.level(), op, dtype)
    }

    /// # Safety
    /// There is room for the fold's result.
    unsafe fn fold_to(&self, fold: &Fold, from: &Line<'_>, result: *mut u8) {
        let mut buffer = EMPTY;
        let lanes = match from.step {
            1 => {
                self.enter([from.storage]);
                place(from).cast_const()
            }
            _ => self.lanes_of(&Term::Line(*from), from.len, buffer.as_mut_ptr().cast()),
        };
        let (mut whole, mut chunk) = (fold.start(), fold.start());
        // SAFETY: `lanes` are `len` lanes of the type; the rest is the caller's.
        unsafe {
            fold.row(&mut chunk, lanes, from.len, 0);
            fold.merge(&mut whole, &chunk);
            fold.finish(&whole, result);
        }
    }

    /// `len` lanes of a term: where they lie, or in `room`, which has room for them.
    fn lanes_of(&self, term: &Term<'_>, len: usize, room: *mut u8) -> *const u8 {
        assert!(len <= MOST, "a short row");
        match term {
            Term::Line(line) => {
                assert!(line.len == len, "{line:?} has not {len} elements");
                self.enter([line.storage]);
                let place = place(line);
                if line.step == 1 || line.len == 1 {
                    return place;
                }
                // SAFETY: the line lies in its storage, and the room is the caller's.
                unsafe { transfer(place, line.step, room, 1, len, line.dtype()) };
            }
            Term::Count(from) => {
                let numbers = room.cast::<i64>();
                // SAFETY: the room is the caller's.
                (0..len).for_each(|at| unsafe { numbers.add(at).write((from + at) as i64) });
            }
            Term::Number(bytes, dtype) => {
                let [a, b, c, d, ..] = *bytes;
                // SAFETY: the room is the caller's.
                unsafe {
                    match dtype.size() {
                        1 => fill(room, len, 1, a),
                        2 => fill(room.cast(), len, 1, u16::from_ne_bytes([a, b])),
                        4 => fill(room.cast(), len, 1, u32::from_ne_bytes([a, b, c, d])),
                        _ => fill(room.cast(), len, 1, word(bytes)),
                    }
                }
            }
        }
        room
    }
}

/// Where in a buffer the lanes stand that narrow types are computed in.
const WIDE: usize = MOST * size_of::<f32>();

/// The kernels of an operation.
struct Steps {
    /// Those that make lanes of narrow types wide, by term.
    widen: [Option<UnaryFn>; 3],
    core: Core,
    narrow: Option<UnaryFn>,
}

enum Core {
    /// Elements of this many bytes stay as they are.
    Copy(usize),
    Unary(UnaryFn),
    Binary(BinaryFn),
    /// Of the second operand and the first.
    Swapped(BinaryFn),
    Checked(CheckedFn),
    Select(SelectFn),
}

impl Steps {
    #[inline]
    fn new(level: Level, op: MapOp, terms: &[Term<'_>], to: DType) -> Steps {
        let is_narrow = |dtype: &DType| dtype.compute() != *dtype;
        let narrow = is_narrow(&to).then(|| lanes::to_narrow(level, to));
        let mut widen = [None; 3];
        for (step, term) in widen.iter_mut().zip(terms) {
            let dtype = term.dtype();
            *step = is_narrow(&dtype).then(|| lanes::from_narrow(level, dtype));
        }
        let compute = terms[0].dtype().compute();
        let core = match op {
            MapOp::Unary(op) => Core::Unary(lanes::unary(level, op, compute)),
            MapOp::Binary(op) if op.failure(compute).is_some() => {
                Core::Checked(lanes::checked(level, op, compute))
            }
            MapOp::Binary(op) => Core::Binary(lanes::binary(level, op, to)),
            MapOp::Compare(op) => match lanes::compare(level, op, compute) {
                (kernel, false) => Core::Binary(kernel),
                (kernel, true) => Core::Swapped(kernel),
            },
            MapOp::Select => {
                let core = Core::Select(lanes::select(level, to.size()));
                return Steps { widen: [None; 3], core, narrow: None };
            }
            MapOp::Cast if terms[0].dtype() == to => {
                return Steps { widen: [None; 3], core: Core::Copy(to.size()), narrow: None };
            }
            MapOp::Cast => match (widen[0], narrow) {
                (Some(widen), None) if to == compute => {
                    return Steps { widen: [None; 3], core: Core::Unary(widen), narrow: None };
                }
                (_, Some(narrow)) if to.compute() == compute => {
                    return Steps { widen, core: Core::Unary(narrow), narrow: None };
                }
                // From float64 a cast rounds to a narrow type itself.
                _ if compute == DType::F64 => Core::Unary(lanes::cast(level, compute, to)),
                _ => Core::Unary(lanes::cast(level, compute, to.compute())),
            },
            MapOp::Imag | MapOp::Pair => unreachable!("no line is complex"),
        };
        Steps { widen, core, narrow }
    }

    /// # Safety
    /// `len` lanes of the types that the operation takes stand at `lanes`, apart from `out` and `room`. `out` has
    /// room for as many of the result's, `room` for these and the wide ones behind [`WIDE`]; they may be one.
    unsafe fn run(&self, out: *mut u8, [a, b, c]: [*const u8; 3], room: *mut u8, len: usize) {
        let made = if self.narrow.is_some() { room.wrapping_add(WIDE) } else { out };
        // SAFETY: the caller's.
        unsafe {
            match self.core {
                Core::Copy(size) => std::ptr::copy_nonoverlapping(a, made, len * size),
                Core::Unary(kernel) => kernel(made, a, len),
                Core::Binary(kernel) => kernel(made, a, b, len),
                Core::Swapped(kernel) => kernel(made, b, a, len),
                Core::Checked(kernel) => assert!(kernel(made, a, b, len), "it has results for all"),
                Core::Select(kernel) => kernel(made, a, b, c, len),
            }
            if let Some(narrow) = self.narrow {
                narrow(out, made, len);
            }
        }
    }
}

/// The widest element that a storage has.
fn word(element: &Bits) -> u64 {
    u64::from_ne_bytes(*element.first_chunk().expect("there is room for two of them"))
}

/// Where a line's first element is.
///
/// # Panics
/// If the line does not lie in its storage.
fn place(line: &Line<'_>) -> *mut u8 {
    let (_, end) = line.extent();
    assert!(end <= line.storage.len() && line.len > 0, "{line:?} does not lie in its storage");
    let base = std::ptr::with_exposed_provenance_mut::<u8>(line.storage.address() as usize);
    base.wrapping_add(line.start * line.dtype().size())
}

fn check(from: &Line<'_>, to: &Line<'_>) {
    assert!(from.len == to.len && from.dtype() == to.dtype(), "{from:?} and {to:?} do not match");
}

/// # Safety
/// `len` elements stand `step` elements apart from `place` on.
unsafe fn fill<T: Copy>(place: *mut T, len: usize, step: isize, value: T) {
    // SAFETY: the caller's.
    unsafe {
        match step {
            1 => std::slice::from_raw_parts_mut(place, len).fill(value),
            _ => (0..len as isize).for_each(|at| place.offset(at * step).write(value)),
        }
    }
}

/// Copies elements.
///
/// # Safety
/// `len` elements of `dtype` stand `step` elements apart from both places on; where the two share
/// memory, they are the same.
unsafe fn transfer(
    from: *const u8,
    from_step: isize,
    to: *mut u8,
    to_step: isize,
    len: usize,
    dtype: DType,
) {
    unsafe fn each<T: Copy>(
        from: *const T,
        from_step: isize,
        to: *mut T,
        to_step: isize,
        len: usize,
    ) {
        for at in 0..len as isize {
            // SAFETY: the caller's.
            unsafe { to.offset(at * to_step).write(from.offset(at * from_step).read()) };
        }
    }
    // SAFETY: the caller's.
    unsafe {
        match dtype.size() {
            size if from_step == 1 && to_step == 1 => std::ptr::copy(from, to, len * size),
            1 => each::<u8>(from, from_step, to, to_step, len),
            2 => each::<u16>(from.cast(), from_step, to.cast(), to_step, len),
            4 => each::<u32>(from.cast(), from_step, to.cast(), to_step, len),
            _ => each::<u64>(from.cast(), from_step, to.cast(), to_step, len),
        }
    }
}
