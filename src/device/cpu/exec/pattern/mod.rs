//! Lanes that follow a short pattern: each several times, all of them again and again, every few of them, or
//! short runs of them.
//!
//! A row that is met by one number, rows of three numbers, every other element: there a loop over the runs
//! pays for each of them what a vector costs, so whole vectors are made of other vectors here.

#[cfg(all(target_arch = "x86_64", feature = "simd"))]
mod avx512;

/// Lanes that are collected before they are repeated.
pub(super) const FEW: usize = 64;

/// Rows whose lanes are put in turn, at most.
pub(super) const MOST_WOVEN: usize = 4;

/// Fewer lanes that lie apart are no vector.
pub(super) const FEWEST: usize = 8;

/// Runs of as many bytes are copied by the library, which asks first how long they are.
pub(super) const LONG_RUN: usize = 64;

/// From here on the library copies by the processor's string instruction.
const STRING: usize = 2048;

/// Copies bytes that do not overlap. Where the target lies less than a line of the cache behind the source, counted
/// within a page, the string instruction takes more than ten times as long on some processors, so it is left alone.
///
/// # Safety
/// As for `std::ptr::copy_nonoverlapping`.
pub unsafe fn copy_bytes(to: *mut u8, from: *const u8, bytes: usize) {
    #[cfg(target_arch = "x86_64")]
    if bytes >= STRING && (1..64).contains(&((to.addr().wrapping_sub(from.addr())) % 4096)) {
        use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_storeu_si128};
        let line = |at: usize| {
            // SAFETY: the caller's: a whole line is within the bytes.
            unsafe {
                let (from, to) = (from.add(at).cast::<__m128i>(), to.add(at).cast::<__m128i>());
                let quarters: [__m128i; 4] =
                    std::array::from_fn(|at| _mm_loadu_si128(from.add(at)));
                for (at, quarter) in quarters.into_iter().enumerate() {
                    _mm_storeu_si128(to.add(at), quarter);
                }
            }
        };
        // Whole lines of the target between its first and its last bytes, which those overlap.
        line(0);
        let mut at = 64 - to.addr() % 64;
        while at + 64 <= bytes {
            line(at);
            at += 64;
        }
        return line(bytes - 64);
    }
    // SAFETY: the caller's.
    unsafe { std::ptr::copy_nonoverlapping(from, to, bytes) };
}

/// Copies `rows` runs of `run` bytes, the ones of either side as far apart as it says.
///
/// # Safety
/// Every run can be read at `from` and written at `to`, apart from each other.
pub unsafe fn copy_runs(
    (to, to_step): (*mut u8, isize),
    (from, from_step): (*mut u8, isize),
    rows: usize,
    run: usize,
) {
    /// A run in two pieces of `SIZE` bytes, which overlap as they must. Runs that will lie one behind the other are
    /// copied whole with what follows them, which the next one overwrites, but for the last ones.
    #[inline(always)]
    unsafe fn pairs<const SIZE: usize>(
        (to, to_step): (*mut u8, isize),
        (from, from_step): (*mut u8, isize),
        rows: usize,
        run: usize,
    ) {
        let rest = run - SIZE;
        let mut row = 0;
        // SAFETY: the caller's; pieces lie within the run, or within the runs that follow it.
        unsafe {
            if to_step == run as isize && from_step > to_step {
                while row + 1 < rows && (rows - row) * run >= 2 * SIZE {
                    let (to, from) = (to.add(row * run), from.offset(row as isize * from_step));
                    let runs = from.cast::<[[u8; SIZE]; 2]>().read();
                    to.cast::<[[u8; SIZE]; 2]>().write(runs);
                    row += 1;
                }
            }
            for row in row as isize..rows as isize {
                let (to, from) = (to.offset(row * to_step), from.offset(row * from_step));
                let first = from.cast::<[u8; SIZE]>().read();
                let last = from.add(rest).cast::<[u8; SIZE]>().read();
                to.cast::<[u8; SIZE]>().write(first);
                to.add(rest).cast::<[u8; SIZE]>().write(last);
            }
        }
    }
    // SAFETY: the caller's; the pieces are no longer than the run, and rows that are done are left out.
    unsafe {
        let is_dense = to_step == run as isize;
        let done = match is_dense && (from_step > to_step || -from_step >= to_step) {
            true => squeeze(to, (from, from_step), rows, run),
            false => 0,
        };
        let (rows, skipped) = (rows - done, done as isize);
        let to = (to.offset(skipped * to_step), to_step);
        let from = (from.offset(skipped * from_step), from_step);
        match run {
            0 => {}
            1 => pairs::<1>(to, from, rows, run),
            2..4 => pairs::<2>(to, from, rows, run),
            4..8 => pairs::<4>(to, from, rows, run),
            8..16 => pairs::<8>(to, from, rows, run),
            16..32 => pairs::<16>(to, from, rows, run),
            32..LONG_RUN => pairs::<32>(to, from, rows, run),
            _ => {
                for row in 0..rows as isize {
                    let (to, from) = (to.0.offset(row * to.1), from.0.offset(row * from.1));
                    copy_bytes(to, from, run);
                }
            }
        }
    }
}

/// Runs `$body` with `$V` as the vectors of lanes of this size, if the machine has them.
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
macro_rules! with_vectors {
    ($size:expr, $V:ident => $body:expr) => {
        if super::super::dispatch::Level::detect() == super::super::dispatch::Level::Avx512 {
            match $size {
                1 if is_x86_feature_detected!("avx512vbmi") => {
                    use avx512::of_one as $V;
                    return $body;
                }
                2 => {
                    use avx512::of_two as $V;
                    return $body;
                }
                4 => {
                    use avx512::of_four as $V;
                    return $body;
                }
                8 => {
                    use avx512::of_eight as $V;
                    return $body;
                }
                _ => {}
            }
        }
    };
}

/// Each of `n` lanes that lie side by side, `times` times.
///
/// # Safety
/// `n` lanes lie at `from`; `out` has room for `n · times`, apart from them.
pub unsafe fn repeat<T: Copy>(out: *mut T, from: *const T, n: usize, times: usize) {
    // SAFETY: the caller's, here and below; the vectors are there if they are used.
    unsafe {
        #[cfg(all(target_arch = "x86_64", feature = "simd"))]
        with_vectors!(size_of::<T>(), vectors => vectors::repeat(out.cast(), from.cast(), n, times));
        for at in 0..n {
            std::slice::from_raw_parts_mut(out.add(at * times), times).fill(*from.add(at));
        }
    }
}

/// The same of lanes that lie `stride` bytes apart.
///
/// # Safety
/// As for [`repeat`].
pub unsafe fn repeat_apart<T: Copy>(
    out: *mut T,
    from: *const u8,
    stride: isize,
    n: usize,
    times: usize,
) {
    // SAFETY: the caller's; no more than `FEW` lanes are collected.
    unsafe {
        if stride == size_of::<T>() as isize {
            return repeat(out, from.cast(), n, times);
        }
        let mut few = [*from.cast::<T>(); FEW];
        for first in (0..n).step_by(FEW) {
            let count = FEW.min(n - first);
            pick(few.as_mut_ptr(), from.offset(first as isize * stride), stride, count);
            repeat(out.add(first * times), few.as_ptr(), count, times);
        }
    }
}

/// What lies in the first `period` lanes again and again, up to `n` lanes.
///
/// # Safety
/// `out` has room for `n` lanes, the first `period` of which, one at the least, are in their place.
pub unsafe fn tile<T: Copy>(out: *mut T, period: usize, n: usize) {
    let mut done = period;
    while done < n {
        let count = done.min(n - done);
        // SAFETY: what is done and what follows it do not overlap, and lie within `n` lanes.
        unsafe { copy_bytes(out.add(done).cast(), out.cast(), count * size_of::<T>()) };
        done += count;
    }
}

/// Puts runs of bytes that lie `from_step` apart one behind the other, several at a time, and says how many it did.
///
/// # Safety
/// As for [`copy_runs`]; they lie no nearer to each other than they are long.
unsafe fn squeeze(
    to: *mut u8,
    (from, from_step): (*const u8, isize),
    rows: usize,
    run: usize,
) -> usize {
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    if (1..LONG_RUN).contains(&run)
        && from_step.unsigned_abs() <= 2 * LONG_RUN
        && rows * run >= 8 * LONG_RUN
    {
        let size = 1 << (run | from_step.unsigned_abs()).trailing_zeros().min(3);
        let (pitch, run) = (from_step / size as isize, run / size);
        // SAFETY: the caller's, in lanes of as many bytes; the vectors are there if they are used.
        unsafe {
            with_vectors!(size, vectors => {
                vectors::squeeze(to.cast(), from.cast(), (pitch, 1), rows, run)
            });
        }
    }
    _ = (to, from, from_step, rows, run);
    0
}

/// The lanes of `ROWS` rows in turn: the first one of each, the second one of each, and so on.
///
/// # Safety
/// `n` lanes lie at each of `from`; `out` has room for all, apart from them.
pub unsafe fn weave<T: Copy, const ROWS: usize>(out: *mut T, from: [*const T; ROWS], n: usize) {
    // SAFETY: the caller's, here and below; the vectors are there if they are used.
    unsafe {
        #[cfg(all(target_arch = "x86_64", feature = "simd"))]
        with_vectors!(size_of::<T>(), vectors => {
            vectors::weave(out.cast(), from.map(|row| row.cast()), n)
        });
        for at in 0..n {
            out.add(at * ROWS).cast::<[T; ROWS]>().write(from.map(|row| *row.add(at)));
        }
    }
}

/// The other way round, of two rows: the first, the third and so on of the lanes at `from`, and those between them.
///
/// # Safety
/// There are `2 * n` lanes, and each of `out` has room for `n`, apart from them.
pub unsafe fn unweave<T: Copy>(out: [*mut T; 2], from: *const T, n: usize) {
    // SAFETY: the caller's, here and below; the vectors are there if they are used.
    unsafe {
        #[cfg(all(target_arch = "x86_64", feature = "simd"))]
        with_vectors!(size_of::<T>(), vectors => {
            vectors::unweave(out.map(|row| row.cast()), from.cast(), n)
        });
        for at in 0..n {
            *out[0].add(at) = from.add(2 * at).read_unaligned();
            *out[1].add(at) = from.add(2 * at + 1).read_unaligned();
        }
    }
}

/// `n` lanes that lie `stride` bytes apart, side by side.
///
/// # Safety
/// Each of the lanes can be read, and there is room for `n` at `out`, apart from them.
pub unsafe fn pick<T: Copy>(out: *mut T, from: *const u8, stride: isize, n: usize) {
    // SAFETY: the caller's.
    unsafe { pick_rows(out, from, (0, stride), (1, n)) };
}

/// Rows of `n` lanes that lie `across` bytes apart, one behind the other; each begins `down` bytes behind the one before.
///
/// # Safety
/// All that lies between the first and the last of the lanes can be read, and there is room for all at `out`, apart from
/// them.
pub unsafe fn pick_rows<T: Copy>(
    out: *mut T,
    from: *const u8,
    (down, across): (isize, isize),
    (rows, n): (usize, usize),
) {
    // SAFETY: the caller's, here and below; the vectors are there if they are used.
    unsafe {
        #[cfg(all(target_arch = "x86_64", feature = "simd"))]
        if (down | across) % size_of::<T>() as isize == 0 {
            let (below, beside) =
                (down / size_of::<T>() as isize, across / size_of::<T>() as isize);
            let is_worth_it = below > 0 && rows * n * size_of::<T>() >= 8 * LONG_RUN;
            with_vectors!(size_of::<T>(), vectors => {
                let steps = (below, beside);
                let done = match is_worth_it {
                    true => vectors::squeeze(out.cast(), from.cast(), steps, rows, n),
                    false => 0,
                };
                let (out, from) = (out.add(done * n), from.offset(done as isize * down));
                vectors::pick(out.cast(), from.cast(), (below, beside), rows - done, n)
            });
        }
        for row in 0..rows {
            let from = from.offset(row as isize * down);
            for at in 0..n {
                let lane = from.offset(at as isize * across).cast::<T>();
                *out.add(row * n + at) = lane.read_unaligned();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_copied_whole_wherever_they_lie() {
        let of = |len: usize| (0..len).map(|at| (at * 31 % 251) as u8).collect::<Vec<u8>>();
        for len in [0, 63, STRING - 1, STRING, STRING + 1, STRING + 63, 3 * STRING + 17] {
            for (start, target) in
                [(0, 0), (0, 1), (5, 17), (64, 127), (0, 64), (63, 0), (1, 4096 + 2)]
            {
                let from = of(start + len);
                let mut to = vec![0; target + len + 4096 + 1];
                let shift = from.as_ptr().addr().wrapping_sub(to.as_ptr().addr()) % 4096;
                let place = (shift + target) % 4096;
                // SAFETY: both have as many bytes from there on.
                unsafe { copy_bytes(to.as_mut_ptr().add(place), from.as_ptr().add(start), len) };
                assert_eq!(to[place..][..len], from[start..], "{len} bytes, {start} to {target}");
                assert_eq!(to[place + len], 0);
            }
        }
    }

    #[test]
    fn runs_of_all_lengths_are_copied_whole() {
        for run in 0..=2 * LONG_RUN {
            for (to_step, from_step) in
                [(run, run + 3), (run + 1, run), (run, 2 * run), (run, 128), (run, 130)]
            {
                // Fewer and more than vectors put together.
                for rows in [1, 5, 64, 333] {
                    let from: Vec<u8> = (0..rows * from_step + run).map(|at| at as u8).collect();
                    let mut to = vec![0u8; rows * to_step + 1];
                    let start = from[from.len() - (rows - 1) * from_step - run..].as_ptr();
                    let ends = (
                        (to.as_mut_ptr(), to_step as isize),
                        (start.cast_mut(), from_step as isize),
                    );
                    // SAFETY: both have every run.
                    unsafe { copy_runs(ends.0, ends.1, rows, run) };
                    let start = &from[from.len() - (rows - 1) * from_step - run..];
                    for row in 0..rows {
                        let copied = &to[row * to_step..][..run];
                        let case = format!("{run} of {from_step} bytes, row {row} of {rows}");
                        assert_eq!(copied, &start[row * from_step..][..run], "{case}");
                    }
                    assert_eq!(to[rows * to_step], 0);
                }
            }
        }
    }

    #[test]
    fn runs_are_copied_from_the_last_one_to_the_first() {
        for run in 1..=LONG_RUN {
            for step in [run, run + 1, 2 * run, 128] {
                for rows in [1, 5, 64, 333] {
                    let last = (rows - 1) * step;
                    let from: Vec<u8> = (0..last + run).map(|at| (at * 31) as u8).collect();
                    let mut to = vec![0u8; rows * run + 1];
                    let start = from[last..].as_ptr().cast_mut();
                    let to_runs = (to.as_mut_ptr(), run as isize);
                    // SAFETY: both have every run.
                    unsafe { copy_runs(to_runs, (start, -(step as isize)), rows, run) };
                    for row in 0..rows {
                        let own = &from[last - row * step..][..run];
                        let case = format!("{run} of {step} bytes, row {row} of {rows}");
                        assert_eq!(&to[row * run..][..run], own, "{case}");
                    }
                    assert_eq!(to[rows * run], 0);
                }
            }
        }
    }

    /// Rows of `n` lanes of those, one behind the other as far as there are any.
    fn check_woven<T: Copy + PartialEq + std::fmt::Debug, const ROWS: usize>(all: &[T], n: usize) {
        if all.len() < n * ROWS {
            return;
        }
        let rows: [&[T]; ROWS] = std::array::from_fn(|row| &all[row * n..][..n]);
        let mut woven = vec![all[0]; n * ROWS];
        // SAFETY: each row has so many lanes, and there is room for all.
        unsafe { weave(woven.as_mut_ptr(), rows.map(<[T]>::as_ptr), n) };
        for (at, lane) in woven.iter().enumerate() {
            assert_eq!(*lane, rows[at % ROWS][at / ROWS], "{ROWS} rows of {n}, at {at}");
        }
        if ROWS == 2 {
            let mut apart = vec![all[0]; 2 * n];
            let (first, second) = apart.split_at_mut(n);
            let out = [first.as_mut_ptr(), second.as_mut_ptr()];
            // SAFETY: there are so many lanes, and there is room for all.
            unsafe { unweave(out, woven.as_ptr(), n) };
            assert_eq!(apart, all[..2 * n], "two rows of {n}");
        }
    }

    /// Rows of each size of lane, dense and with gaps, turned round, and over each other.
    #[test]
    fn rows_are_picked_as_by_plain_loops() {
        fn check<T: Copy + PartialEq + std::fmt::Debug>(number: impl Fn(usize) -> T) {
            let size = size_of::<T>() as isize;
            for n in [1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 130] {
                for across in [1isize, -1, 2, -2, 3, -5, 17] {
                    let span = (n - 1) * across.unsigned_abs() + 1;
                    for gap in [0isize, 1, 4, -1] {
                        let down = (span as isize + gap).max(1);
                        for (down, rows) in [(down, 1), (down, 3), (down, 90), (-down, 70)] {
                            let all = (rows - 1) * down.unsigned_abs() + span;
                            let from: Vec<T> = (0..all).map(&number).collect();
                            let before = |step: isize, count: usize| match step < 0 {
                                true => (count - 1) * step.unsigned_abs(),
                                false => 0,
                            };
                            let first = before(down, rows) + before(across, n);
                            let mut picked = vec![number(0); rows * n + 1];
                            let start = from[first..].as_ptr().cast();
                            let steps = (down * size, across * size);
                            // SAFETY: `from` ends with the last lane, and there is room for all.
                            unsafe { pick_rows(picked.as_mut_ptr(), start, steps, (rows, n)) };
                            for (at, found) in picked[..rows * n].iter().enumerate() {
                                let (row, lane) = ((at / n) as isize, (at % n) as isize);
                                let place = first as isize + row * down + lane * across;
                                let case = format!("{rows} × {n}, {down} and {across} apart");
                                assert_eq!(*found, from[place as usize], "{case}, at {at}");
                            }
                            assert_eq!(picked[rows * n], number(0));
                        }
                    }
                }
            }
        }
        check(|at| at as u8);
        check(|at| (at * 7_919) as u16);
        check(|at| (at * 7_919) as u32);
        check(|at| at as u64 * 7_919_000_000);
    }

    /// Lanes of each size, few and many, in vectors and in what is left over.
    #[test]
    fn patterns_are_those_of_plain_loops() {
        fn check<T: Copy + PartialEq + std::fmt::Debug>(number: impl Fn(usize) -> T) {
            let size = size_of::<T>() as isize;
            for n in [1, 2, 7, 8, 9, 16, 17, 31, 33, 63, 64, 65, 130] {
                for times in [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 70] {
                    let from: Vec<T> = (0..n * times).map(&number).collect();
                    for step in [1, -1, times as isize, -(times as isize)] {
                        let last = (n - 1) as isize * step;
                        let first = if step < 0 { -last } else { 0 };
                        let place = |at: usize| from[(first + at as isize * step) as usize];
                        let mut picked = vec![number(0); n];
                        let mut repeated = vec![number(0); n * times];
                        let start = from[first as usize..].as_ptr();
                        // SAFETY: `from` has every lane, and there is room for all.
                        unsafe {
                            pick(picked.as_mut_ptr(), start.cast(), step * size, n);
                            let to = repeated.as_mut_ptr();
                            repeat_apart(to, start.cast(), step * size, n, times);
                        }
                        let case =
                            format!("{n} lanes of {size} bytes, {step} apart, {times} times");
                        assert!((0..n).all(|at| picked[at] == place(at)), "{case}");
                        let same = (0..n * times).all(|at| repeated[at] == place(at / times));
                        assert!(same, "{case}");
                    }
                    check_woven::<T, 2>(&from, n);
                    check_woven::<T, 3>(&from, n);
                    check_woven::<T, 4>(&from, n);
                    let mut tiled = from.clone();
                    // SAFETY: the first `n` lanes are there, of `n · times`.
                    unsafe { tile(tiled.as_mut_ptr(), n, n * times) };
                    assert!((0..n * times).all(|at| tiled[at] == from[at % n]), "{n} of {times}");
                }
            }
        }
        check(|at| at as u8);
        check(|at| (at * 7_919) as u16);
        check(|at| (at * 7_919) as u32);
        check(|at| at as u64 * 7_919_000_000);
    }
}
