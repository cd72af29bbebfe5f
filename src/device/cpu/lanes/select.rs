//! The choice between two values, lane by lane: only their size matters.

use super::super::dispatch::{Level, by_level};
use super::{Mask, SelectFn};

#[inline(always)]
unsafe fn select_loop<T: Copy, const FMA: bool>(
    out: *mut u8,
    condition: *const u8,
    a: *const u8,
    b: *const u8,
    n: usize,
) {
    // SAFETY: the plan gives `n` lanes of the size of `T` at both values and the output, which is
    // apart from them, and `n` bytes at the condition.
    let (out, condition, a, b) = unsafe {
        (
            std::slice::from_raw_parts_mut(out.cast::<T>(), n),
            std::slice::from_raw_parts(condition.cast::<Mask>(), n),
            std::slice::from_raw_parts(a.cast::<T>(), n),
            std::slice::from_raw_parts(b.cast::<T>(), n),
        )
    };
    let mut i = 0;
    while i < n {
        // Both are read whatever the condition: a loop that reads one of two is no vector's.
        let (a, b) = (a[i], b[i]);
        out[i] = if condition[i].get() { a } else { b };
        i += 1;
    }
}

by_level! {
    fn pick<T: Copy>(out: *mut u8, condition: *const u8, a: *const u8, b: *const u8, n: usize)
        = select_loop;
}

/// The kernel for values of `size` bytes: 1, 4 or 8, or 2 for 16-bit integers.
pub fn select(level: Level, size: usize) -> SelectFn {
    match size {
        1 => pick::<u8>(level),
        2 => pick::<u16>(level),
        4 => pick::<u32>(level),
        8 => pick::<u64>(level),
        size => unreachable!("no lane has {size} bytes"),
    }
}
