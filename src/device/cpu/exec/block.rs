//! Moving blocks of lanes between registers, where they are dense, and operands, which are reached
//! by strides. A block is a small box: its lanes are the box's points in row-major order.
//!
//! Strides and offsets count bytes here.

#[cfg(all(target_arch = "x86_64", feature = "simd"))]
use super::super::dispatch::Level;
use super::super::dispatch::vectorized;
use super::geometry::CACHE_LINE;
use super::pattern;
use super::transpose::{side, transpose};

/// Bytes of the widest vector: lanes that are to lie apart and are no more are written one by one.
const VECTOR: usize = 64;

/// Whether the box's points lie densely in row-major order.
#[inline(always)]
pub fn is_dense(dims: &[usize], strides: &[isize], size: usize) -> bool {
    let mut expected = size as isize;
    for axis in (0..dims.len()).rev() {
        if dims[axis] != 1 && strides[axis] != expected {
            return false;
        }
        expected *= dims[axis] as isize;
    }
    true
}

/// `n` lanes of one value.
///
/// # Safety
/// `out` has room for `n` lanes of `size` bytes, aligned to it.
pub unsafe fn fill(out: *mut u8, bits: u64, size: usize, n: usize) {
    // SAFETY: the caller's.
    unsafe {
        match size {
            1 => std::slice::from_raw_parts_mut(out, n).fill(bits as u8),
            2 => std::slice::from_raw_parts_mut(out.cast::<u16>(), n).fill(bits as u16),
            4 => std::slice::from_raw_parts_mut(out.cast::<u32>(), n).fill(bits as u32),
            _ => std::slice::from_raw_parts_mut(out.cast::<u64>(), n).fill(bits),
        }
    }
}

/// Each of `n` lanes, `times` times.
///
/// # Safety
/// `n` lanes of `size` bytes lie at `from`, aligned to it; `out` has room for `n · times`, apart from them.
pub unsafe fn repeat(out: *mut u8, from: *const u8, size: usize, n: usize, times: usize) {
    // SAFETY: the caller's.
    unsafe {
        match size {
            1 => pattern::repeat(out, from, n, times),
            2 => pattern::repeat::<u16>(out.cast(), from.cast(), n, times),
            4 => pattern::repeat::<u32>(out.cast(), from.cast(), n, times),
            _ => pattern::repeat::<u64>(out.cast(), from.cast(), n, times),
        }
    }
}

/// The first `n` lanes, `times` times behind each other.
///
/// # Safety
/// `out` has room for `n · times` lanes of `size` bytes, the first `n` of which are in their place.
pub unsafe fn tile(out: *mut u8, size: usize, n: usize, times: usize) {
    // SAFETY: the caller's, in bytes.
    unsafe { pattern::tile(out, n * size, n * size * times) };
}

/// The bits of one value.
///
/// # Safety
/// One value of `size` bytes lies at `at`, aligned to it.
pub unsafe fn read_bits(at: *const u8, size: usize) -> u64 {
    // SAFETY: the caller's.
    unsafe {
        match size {
            1 => u64::from(*at),
            2 => u64::from(*at.cast::<u16>()),
            4 => u64::from(*at.cast::<u32>()),
            _ => *at.cast::<u64>(),
        }
    }
}

/// Copies a box of an operand into dense lanes.
///
/// # Safety
/// Every point of the box lies in the operand's storage, aligned to `size`; `out` has room for all.
pub unsafe fn load(out: *mut u8, from: *const u8, dims: &[usize], strides: &[isize], size: usize) {
    // SAFETY: the caller's.
    unsafe {
        match size {
            1 => copy_box::<u8, true>(out.cast(), from.cast_mut(), dims, strides),
            2 => copy_box::<u16, true>(out.cast(), from.cast_mut(), dims, strides),
            4 => copy_box::<u32, true>(out.cast(), from.cast_mut(), dims, strides),
            _ => copy_box::<u64, true>(out.cast(), from.cast_mut(), dims, strides),
        }
    }
}

/// Copies dense lanes into a box of an operand.
///
/// # Safety
/// As for [`load`].
pub unsafe fn store(from: *const u8, to: *mut u8, dims: &[usize], strides: &[isize], size: usize) {
    let from = from.cast_mut();
    // SAFETY: the caller's.
    unsafe {
        match size {
            1 => copy_box::<u8, false>(from.cast(), to, dims, strides),
            2 => copy_box::<u16, false>(from.cast(), to, dims, strides),
            4 => copy_box::<u32, false>(from.cast(), to, dims, strides),
            _ => copy_box::<u64, false>(from.cast(), to, dims, strides),
        }
    }
}

/// Copies dense lanes into a box of an operand around the caches, where the box has long runs. The
/// thread must end with [`finish_streams`] before others may read there.
///
/// # Safety
/// As for [`load`].
pub unsafe fn stream(from: *const u8, to: *mut u8, dims: &[usize], strides: &[isize], size: usize) {
    // SAFETY: the caller's; the recursion visits each row of the box once.
    unsafe {
        match (dims, strides) {
            _ if is_dense(dims, strides, size) => {
                stream_run(from, to, dims.iter().product::<usize>() * size);
            }
            // A run that fills no line of the cache goes nowhere around it.
            ([_, n], _) if n * size < CACHE_LINE => store(from, to, dims, strides, size),
            ([n, dims @ ..], [stride, strides @ ..]) if !dims.is_empty() => {
                let inner = dims.iter().product::<usize>() * size;
                for i in 0..*n {
                    let to = to.offset(i as isize * stride);
                    stream(from.add(i * inner), to, dims, strides, size);
                }
            }
            _ => store(from, to, dims, strides, size),
        }
    }
}

/// Copies bytes; whole lines of 64 go past the caches. The thread must end with [`finish_streams`].
///
/// # Safety
/// There are as many bytes on both sides, which do not overlap.
pub unsafe fn stream_run(from: *const u8, to: *mut u8, bytes: usize) {
    let head = to.align_offset(64).min(bytes);
    let lines = (bytes - head) / 64;
    // SAFETY: the caller vouches for `bytes` bytes on both sides, which do not overlap; lines begin
    // at multiples of 64.
    unsafe {
        std::ptr::copy_nonoverlapping(from, to, head);
        stream_lines(from.add(head), to.add(head), lines);
        let done = head + lines * 64;
        std::ptr::copy_nonoverlapping(from.add(done), to.add(done), bytes - done);
    }
}

/// Copies lines of 64 bytes past the caches.
#[cfg(target_arch = "x86_64")]
unsafe fn stream_lines(from: *const u8, to: *mut u8, lines: usize) {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
    #[cfg(feature = "simd")]
    if Level::Avx512.is_available() {
        // SAFETY: the caller's; the processor has the instructions.
        return unsafe { stream_whole_lines(from, to, lines) };
    }
    for at in 0..4 * lines {
        // SAFETY: the caller's.
        unsafe {
            let quarter = _mm_loadu_si128(from.cast::<__m128i>().add(at));
            _mm_stream_si128(to.cast::<__m128i>().add(at), quarter);
        }
    }
}

/// A line that is written at once does not wait for its other parts in one of the few buffers that there are for them.
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
#[target_feature(enable = "avx512f")]
unsafe fn stream_whole_lines(from: *const u8, to: *mut u8, lines: usize) {
    use std::arch::x86_64::{__m512i, _mm512_loadu_si512, _mm512_stream_si512};
    for at in 0..lines {
        // SAFETY: the caller's.
        unsafe {
            let line = _mm512_loadu_si512(from.cast::<__m512i>().add(at));
            _mm512_stream_si512(to.cast::<__m512i>().add(at), line);
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
unsafe fn stream_lines(from: *const u8, to: *mut u8, lines: usize) {
    // SAFETY: the caller's.
    unsafe { std::ptr::copy_nonoverlapping(from, to, 64 * lines) };
}

/// Orders what this thread has streamed before all that it writes next.
pub fn finish_streams() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has it.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

/// Copies between dense lanes and a box, towards the lanes if `LOAD`.
unsafe fn copy_box<T: Copy, const LOAD: bool>(
    lanes: *mut T,
    operand: *mut u8,
    dims: &[usize],
    strides: &[isize],
) {
    let size = size_of::<T>() as isize;
    // SAFETY: the caller vouches for every point of the box and every lane; the recursion visits
    // exactly those.
    unsafe {
        match (dims, strides) {
            ([], _) => copy_run::<T, LOAD>(lanes, operand, 1, size),
            ([n], [stride]) => copy_run::<T, LOAD>(lanes, operand, *n, *stride),
            ([rows, columns], [down, across])
                if LOAD
                    && *down == size
                    && across.unsigned_abs() > size as usize
                    && *rows >= side(size_of::<T>()) =>
            {
                transpose(lanes, operand.cast_const(), *rows, *columns, *across);
            }
            ([n, 1], [stride, _]) => copy_run::<T, LOAD>(lanes, operand, *n, *stride),
            ([rows, n], [down, across]) if *down != 0 && *across == size => {
                let run = n * size_of::<T>();
                let (lanes, step) = (lanes.cast::<u8>(), run as isize);
                match LOAD {
                    true => pattern::copy_runs((lanes, step), (operand, *down), *rows, run),
                    false => pattern::copy_runs((operand, *down), (lanes, step), *rows, run),
                }
            }
            ([n, times], [stride, 0]) if LOAD => {
                pattern::repeat_apart(lanes, operand.cast_const(), *stride, *n, *times);
            }
            ([n, dims @ ..], [0, strides @ ..]) if LOAD => {
                let inner = dims.iter().product();
                copy_box::<T, LOAD>(lanes, operand, dims, strides);
                pattern::tile(lanes, inner, n * inner);
            }
            ([rows, n], [down, across]) if LOAD => {
                let steps = (*down, *across);
                pattern::pick_rows(lanes, operand.cast_const(), steps, (*rows, *n));
            }
            // Too few to ask each time how they lie.
            ([rows, n], [down, across]) if *n < pattern::FEWEST || n * size_of::<T>() <= VECTOR => {
                for row in 0..*rows {
                    for at in 0..*n {
                        let offset = row as isize * down + at as isize * across;
                        operand
                            .offset(offset)
                            .cast::<T>()
                            .write_unaligned(*lanes.add(row * n + at));
                    }
                }
            }
            ([n, dims @ ..], [stride, strides @ ..]) => {
                let inner: usize = dims.iter().product();
                for i in 0..*n {
                    let operand = operand.offset(i as isize * stride);
                    copy_box::<T, LOAD>(lanes.add(i * inner), operand, dims, strides);
                }
            }
            _ => {}
        }
    }
}

unsafe fn copy_run<T: Copy, const LOAD: bool>(
    lanes: *mut T,
    operand: *mut u8,
    n: usize,
    stride: isize,
) {
    // SAFETY: the caller vouches for `n` lanes and `n` places in the operand.
    unsafe {
        if stride == size_of::<T>() as isize {
            match LOAD {
                true => pattern::copy_bytes(lanes.cast(), operand, n * size_of::<T>()),
                false => pattern::copy_bytes(operand, lanes.cast(), n * size_of::<T>()),
            }
        } else if stride == 0 && LOAD {
            std::slice::from_raw_parts_mut(lanes, n).fill(operand.cast::<T>().read());
        } else if LOAD {
            pattern::pick(lanes, operand.cast_const(), stride, n);
        } else {
            for i in 0..n {
                *operand.offset(i as isize * stride).cast::<T>() = *lanes.add(i);
            }
        }
    }
}

vectorized! {
    /// `base`, and `stride` more in each lane than in the one before it.
    fn climb(out: &mut [i64], base: i64, stride: i64) = climb_loop
}

#[inline(always)]
fn climb_loop(out: &mut [i64], base: i64, stride: i64) {
    let mut value = base;
    for out in out {
        *out = value;
        value = value.wrapping_add(stride);
    }
}

/// Writes `base + Σ coordinate · stride` for every point of a box: coordinates, or offsets.
///
/// # Safety
/// `out` has room for every point.
pub unsafe fn ramp(out: *mut i64, base: i64, dims: &[usize], strides: &[i64]) {
    // SAFETY: the caller's; the recursion visits each lane once.
    unsafe {
        match (dims, strides) {
            ([], _) => *out = base,
            ([n], [stride]) => climb(std::slice::from_raw_parts_mut(out, *n), base, *stride),
            ([n, times], [stride, 0]) => {
                let mut few = [0i64; pattern::FEW];
                for first in (0..*n).step_by(pattern::FEW) {
                    let count = pattern::FEW.min(n - first);
                    ramp(few.as_mut_ptr(), base + first as i64 * stride, &[count], &[*stride]);
                    pattern::repeat(out.add(first * times), few.as_ptr(), count, *times);
                }
            }
            ([n, dims @ ..], [0, strides @ ..]) if *n > 0 => {
                let inner: usize = dims.iter().product();
                ramp(out, base, dims, strides);
                pattern::tile(out, inner, n * inner);
            }
            ([n, dims @ ..], [stride, strides @ ..]) => {
                let inner: usize = dims.iter().product();
                for i in 0..*n {
                    ramp(out.add(i * inner), base + i as i64 * stride, dims, strides);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every point of a box with its place, counted in lanes.
    fn points(dims: &[usize], strides: &[isize]) -> Vec<isize> {
        let mut all = vec![0];
        for (extent, stride) in dims.iter().zip(strides) {
            let along = |at: isize| (0..*extent as isize).map(move |i| at + i * stride);
            all = all.into_iter().flat_map(along).collect();
        }
        all
    }

    /// Dense boxes, short lines with gaps between them and long ones.
    #[test]
    fn what_is_streamed_lies_where_it_belongs() {
        let boxes: [(&[usize], &[isize]); 8] = [
            (&[700], &[1]),
            (&[500, 2], &[2, 1]),
            (&[3, 70, 4], &[280, 4, 1]),
            (&[300, 3], &[5, 1]),
            (&[40, 33], &[40, 1]),
            (&[4, 9, 100], &[1000, 110, 1]),
            (&[90, 2], &[7, 3]),
            (&[0, 5], &[5, 1]),
        ];
        for (dims, strides) in boxes {
            let places = points(dims, strides);
            let from: Vec<u32> = (0..places.len() as u32).map(|at| at + 1).collect();
            let mut to = vec![0u32; 5000];
            let mut wanted = to.clone();
            for (place, lane) in places.iter().zip(&from) {
                wanted[*place as usize] = *lane;
            }
            let bytes: Vec<isize> = strides.iter().map(|stride| stride * 4).collect();
            // SAFETY: there are as many lanes as points, which all lie within.
            unsafe { stream(from.as_ptr().cast(), to.as_mut_ptr().cast(), dims, &bytes, 4) };
            finish_streams();
            assert!(to == wanted, "{dims:?} {strides:?}");
        }
    }

    #[test]
    fn ramps_are_the_places_of_points() {
        for dims in [&[7][..], &[1, 5], &[130, 3], &[70, 1], &[3, 200], &[2, 65, 4], &[0, 3]] {
            for strides in [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [9, 0, -2], [5, -7, 1]] {
                let strides = &strides[..dims.len()];
                let mut out = vec![0i64; dims.iter().product()];
                // SAFETY: there is room for every point.
                unsafe { ramp(out.as_mut_ptr(), 40, dims, strides) };
                let signed: Vec<isize> = strides.iter().map(|stride| *stride as isize).collect();
                let wanted = points(dims, &signed).into_iter().map(|place| place as i64 + 40);
                assert!(out == wanted.collect::<Vec<i64>>(), "{dims:?} {strides:?}");
            }
        }
    }
}
