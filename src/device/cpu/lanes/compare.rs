//! Comparisons: two lanes of one type to a bool.

use std::marker::PhantomData;

use super::super::dispatch::{Level, by_level};
use super::{BinaryFn, Mask, with_lane_bits, with_lane_type};
use crate::dtype::DType;
use crate::ir::CompareOp;

trait Order: Copy {
    fn eq(self, other: Self) -> bool;
    fn lt(self, other: Self) -> bool;
    fn le(self, other: Self) -> bool;
}

macro_rules! order {
    ($($T:ty)*) => {$(
        impl Order for $T {
            #[inline(always)]
            fn eq(self, other: $T) -> bool {
                self == other
            }
            #[inline(always)]
            fn lt(self, other: $T) -> bool {
                self < other
            }
            #[inline(always)]
            fn le(self, other: $T) -> bool {
                self <= other
            }
        }
    )*};
}
order!(u8 u16 u32 u64 i8 i16 i32 i64 f32 f64);

impl Order for Mask {
    #[inline(always)]
    fn eq(self, other: Mask) -> bool {
        self.get() == other.get()
    }
    #[inline(always)]
    fn lt(self, other: Mask) -> bool {
        !self.get() & other.get()
    }
    #[inline(always)]
    fn le(self, other: Mask) -> bool {
        !self.get() | other.get()
    }
}

trait CompareKernel {
    type Lane: Copy;
    fn apply(a: Self::Lane, b: Self::Lane) -> bool;
}

struct Cmp<T, const OP: u8>(PhantomData<T>);

const EQ: u8 = CompareOp::Eq as u8;
const NE: u8 = CompareOp::Ne as u8;
const LT: u8 = CompareOp::Lt as u8;
const LE: u8 = CompareOp::Le as u8;

impl<T: Order, const OP: u8> CompareKernel for Cmp<T, OP> {
    type Lane = T;
    #[inline(always)]
    fn apply(a: T, b: T) -> bool {
        match OP {
            EQ => a.eq(b),
            NE => !a.eq(b),
            LT => a.lt(b),
            _ => a.le(b),
        }
    }
}

#[inline(always)]
unsafe fn compare_loop<K: CompareKernel, const FMA: bool>(
    out: *mut u8,
    a: *const u8,
    b: *const u8,
    n: usize,
) {
    // SAFETY: the plan gives `n` lanes of the kernel's type at both operands and `n` bytes at the
    // output, apart from them.
    let (out, a, b) = unsafe {
        (
            std::slice::from_raw_parts_mut(out.cast::<Mask>(), n),
            std::slice::from_raw_parts(a.cast::<K::Lane>(), n),
            std::slice::from_raw_parts(b.cast::<K::Lane>(), n),
        )
    };
    let mut i = 0;
    while i < n {
        out[i] = Mask::new(K::apply(a[i], b[i]));
        i += 1;
    }
}

by_level! {
    fn pick<K: CompareKernel>(out: *mut u8, a: *const u8, b: *const u8, n: usize) = compare_loop;
}

/// The kernel of a comparison, and whether its operands must be given in the other order: `a > b`
/// is `b < a`, for NaN too.
pub fn compare(level: Level, op: CompareOp, dtype: DType) -> (BinaryFn, bool) {
    match op {
        CompareOp::Eq => (alike::<EQ>(level, dtype), false),
        CompareOp::Ne => (alike::<NE>(level, dtype), false),
        CompareOp::Lt => (ordered::<LT>(level, dtype), false),
        CompareOp::Le => (ordered::<LE>(level, dtype), false),
        CompareOp::Gt => (ordered::<LT>(level, dtype), true),
        CompareOp::Ge => (ordered::<LE>(level, dtype), true),
    }
}

fn alike<const OP: u8>(level: Level, dtype: DType) -> BinaryFn {
    with_lane_bits!(dtype, T => pick::<Cmp<T, OP>>(level))
}

fn ordered<const OP: u8>(level: Level, dtype: DType) -> BinaryFn {
    with_lane_type!(dtype, T => pick::<Cmp<T, OP>>(level))
}
