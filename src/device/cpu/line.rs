//! Short rows, without a program: by the kernels that programs take.

use std::mem::MaybeUninit;

use super::lanes::{self, Fold};
use super::{CpuBackend, exec};
use crate::device::line::{Line, Lines, Term};
use crate::dtype::{Bits, DType};
use crate::ir::{BinaryOp, ReduceOp};

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

    fn combine(&self, op: BinaryOp, a: Term<'_>, b: Term<'_>, to: Line<'_>) -> bool {
        let dtype = to.dtype();
        if dtype.compute() != dtype || op.can_fail(dtype, None) {
            return false;
        }
        self.enter([to.storage]);
        let kernel = lanes::binary(self.executor.level(), op, dtype);
        let is_apart = |term: &Term<'_>| match term {
            Term::Line(line) => !std::ptr::eq(line.storage, to.storage),
            Term::Number(_) => true,
        };
        let is_apart = to.step == 1 && is_apart(&a) && is_apart(&b);
        let (mut buffer_a, mut buffer_b, mut result) = (EMPTY, EMPTY, EMPTY);
        let mut first = 0;
        while first < to.len {
            let (a, b, to) = (a.part(first, MOST), b.part(first, MOST), to.part(first, MOST));
            let (from_a, from_b) =
                (self.lanes_of(&a, &to, &mut buffer_a), self.lanes_of(&b, &to, &mut buffer_b));
            let out = place(&to);
            // SAFETY: operands are `len` lanes of the type, in buffers or in their lines; so is the result's
            // place, apart from both.
            unsafe {
                if is_apart {
                    kernel(out, from_a, from_b, to.len);
                } else {
                    let result = result.as_mut_ptr().cast::<u8>();
                    kernel(result, from_a, from_b, to.len);
                    transfer(result, 1, out, to.step, to.len, dtype);
                }
            }
            first += to.len;
        }
        true
    }

    fn fold(&self, op: ReduceOp, from: Line<'_>) -> Option<[u8; 8]> {
        let dtype = from.dtype();
        if dtype.compute() != dtype {
            return None;
        }
        let mut buffer = EMPTY;
        let lanes = match from.step {
            1 => {
                self.enter([from.storage]);
                place(&from).cast_const()
            }
            _ => self.lanes_of(&Term::Line(from), &from, &mut buffer),
        };
        let fold = Fold::new(self.executor.level(), op, dtype);
        let (mut whole, mut chunk, mut result) = (fold.start(), fold.start(), [0u64; 1]);
        // SAFETY: `lanes` are `len` lanes of the type, and a result has at most eight bytes.
        unsafe {
            fold.row(&mut chunk, lanes, from.len, 0);
            fold.merge(&mut whole, &chunk);
            fold.finish(&whole, result.as_mut_ptr().cast());
        }
        Some(result[0].to_ne_bytes())
    }
}

impl CpuBackend {
    /// As many lanes as `to` has elements: where they lie, or in the buffer.
    fn lanes_of(&self, term: &Term<'_>, to: &Line<'_>, buffer: &mut Buffer) -> *const u8 {
        assert!(to.len <= MOST, "a short row");
        let room = buffer.as_mut_ptr().cast::<u8>();
        match term {
            Term::Line(line) => {
                check(line, to);
                self.enter([line.storage]);
                let place = place(line);
                if line.step == 1 || line.len == 1 {
                    return place;
                }
                // SAFETY: the line lies in its storage, and the buffer has room for it.
                unsafe { transfer(place, line.step, room, 1, line.len, line.dtype()) };
            }
            Term::Number(bytes) => {
                let [a, b, c, d, ..] = *bytes;
                // SAFETY: the buffer has room for `len` lanes of at most eight bytes.
                unsafe {
                    match to.dtype().size() {
                        1 => fill(room, to.len, 1, a),
                        2 => fill(room.cast(), to.len, 1, u16::from_ne_bytes([a, b])),
                        4 => fill(room.cast(), to.len, 1, u32::from_ne_bytes([a, b, c, d])),
                        _ => fill(room.cast(), to.len, 1, word(bytes)),
                    }
                }
            }
        }
        room
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
