//! Sums, differences and products of 16-bit floats, rounded to their type by the loop that makes them.

use std::marker::PhantomData;

use half::bf16;

use super::super::dispatch::Level;
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
use super::super::dispatch::{with_avx2, with_avx512};
use super::BinaryFn;
use super::arith::Lane;
use super::chained::{OfTwo, pick_two};
use super::narrow::Narrow;
use crate::dtype::DType;
use crate::ir::{BinaryOp, binary_code as bin};

/// `a OP b`, rounded to what `N` holds.
struct Rounded<N, const OP: u8>(PhantomData<N>);

impl<N: Narrow, const OP: u8> OfTwo for Rounded<N, OP> {
    type Lane = f32;
    #[inline(always)]
    fn apply<const FMA: bool>(a: f32, b: f32) -> f32 {
        N::widened(N::narrowed(f32::binary::<OP, FMA>(a, b)))
    }
}

/// The kernel of float32 lanes that rounds to a narrow type what an operation makes, if there is one.
pub fn rounded(level: Level, op: BinaryOp, narrow: DType) -> Option<BinaryFn> {
    match (narrow, op) {
        (DType::BF16, BinaryOp::Add) => Some(pick_two::<Rounded<bf16, { bin::Add }>>(level)),
        (DType::BF16, BinaryOp::Sub) => Some(pick_two::<Rounded<bf16, { bin::Sub }>>(level)),
        (DType::BF16, BinaryOp::Mul) => Some(pick_two::<Rounded<bf16, { bin::Mul }>>(level)),
        #[cfg(all(target_arch = "x86_64", feature = "simd"))]
        (DType::F16, _) => match (level, op) {
            (Level::Avx512, BinaryOp::Add) => Some(avx512::add),
            (Level::Avx512, BinaryOp::Sub) => Some(avx512::subtract),
            (Level::Avx512, BinaryOp::Mul) => Some(avx512::multiply),
            (Level::Avx2, BinaryOp::Add) => Some(avx2::add),
            (Level::Avx2, BinaryOp::Sub) => Some(avx2::subtract),
            (Level::Avx2, BinaryOp::Mul) => Some(avx2::multiply),
            _ => None,
        },
        _ => None,
    }
}

/// float16's loops over whole vectors; what is left over is done in room of its own.
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
macro_rules! of_float16 {
    (
        $level:ident, $with:ident, $lanes:literal, $load:ident, $store:ident, $narrow:ident, $widen:ident,
        $($name:ident: $op:ident)*
    ) => {
        mod $level {
            use std::arch::x86_64::*;

            use super::$with;

            $($with! {
                pub(super) unsafe fn $name(out: *mut u8, a: *const u8, b: *const u8, n: usize) {
                    let (out, a, b) = (out.cast::<f32>(), a.cast::<f32>(), b.cast::<f32>());
                    let one = |out: *mut f32, a: *const f32, b: *const f32| {
                        // SAFETY: a vector lies at all addresses, which need no alignment.
                        unsafe {
                            let bits = $narrow::<_MM_FROUND_TO_NEAREST_INT>($op($load(a), $load(b)));
                            $store(out, $widen(bits));
                        }
                    };
                    let mut at = 0;
                    // SAFETY: the plan gives `n` lanes at all addresses, the output apart from the operands.
                    unsafe {
                        while at + $lanes <= n {
                            one(out.add(at), a.add(at), b.add(at));
                            at += $lanes;
                        }
                        if at < n {
                            let (mut x, mut y, mut made) = ([0f32; $lanes], [0f32; $lanes], [0f32; $lanes]);
                            std::ptr::copy_nonoverlapping(a.add(at), x.as_mut_ptr(), n - at);
                            std::ptr::copy_nonoverlapping(b.add(at), y.as_mut_ptr(), n - at);
                            one(made.as_mut_ptr(), x.as_ptr(), y.as_ptr());
                            std::ptr::copy_nonoverlapping(made.as_ptr(), out.add(at), n - at);
                        }
                    }
                }
            })*
        }
    };
}

#[cfg(all(target_arch = "x86_64", feature = "simd"))]
of_float16!(
    avx2, with_avx2, 8, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_cvtps_ph, _mm256_cvtph_ps,
    add: _mm256_add_ps subtract: _mm256_sub_ps multiply: _mm256_mul_ps
);
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
of_float16!(
    avx512, with_avx512, 16, _mm512_loadu_ps, _mm512_storeu_ps, _mm512_cvtps_ph, _mm512_cvtph_ps,
    add: _mm512_add_ps subtract: _mm512_sub_ps multiply: _mm512_mul_ps
);

#[cfg(test)]
mod tests {
    use super::super::{binary, round_narrow};
    use super::*;

    /// As the operation and the rounding one after the other, in vectors and in what is left over.
    #[test]
    fn one_loop_gives_what_two_give() {
        let number = |at: usize, by: u32| f32::from_bits((at as u32).wrapping_mul(by));
        let all = |by| (0..4099).map(|at| number(at, by)).collect::<Vec<f32>>();
        let (a, b) = (all(2_654_435_761), all(2_246_822_519));
        for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
            for dtype in [DType::F16, DType::BF16] {
                for op in [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul] {
                    let Some(kernel) = rounded(level, op, dtype) else { continue };
                    for n in [0, 1, 7, 8, 9, 15, 16, 17, 31, 63, 65, a.len()] {
                        let mut made = [vec![0f32; n], vec![0f32; n], vec![0f32; n]];
                        let [one, first, then] = &mut made;
                        let (a, b) = (a.as_ptr().cast(), b.as_ptr().cast());
                        // SAFETY: `n` lanes at all addresses.
                        unsafe {
                            kernel(one.as_mut_ptr().cast(), a, b, n);
                            binary(level, op, DType::F32)(first.as_mut_ptr().cast(), a, b, n);
                            let first = first.as_ptr().cast();
                            round_narrow(level, dtype)(then.as_mut_ptr().cast(), first, n);
                        }
                        let same = |(x, y): (&f32, &f32)| {
                            x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan()
                        };
                        assert!(one.iter().zip(&*then).all(same), "{level:?} {dtype} {op:?} {n}");
                    }
                }
            }
        }
    }
}
