//! Which vector instructions the machine has, and the macros that compile one kernel body for each.
//!
//! The bodies are plain loops over slices, inlined into functions that enable the instructions, so
//! that the compiler vectorises the same source for every level. Nothing here names an intrinsic.
//! [`by_level`] gives the version for a level, for whoever keeps it; [`vectorized`] makes a function
//! that runs the best one. Without the feature `simd` only the baseline is compiled.

/// A set of vector instructions. Integer results, comparisons and the four basic float operations
/// are the same on every level; transcendental functions may differ in the last place, because only
/// the upper two levels fuse a multiplication with an addition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// What every machine of the architecture has: SSE2 on x86-64, NEON on 64-bit ARM.
    Baseline,
    /// 256-bit vectors and fused multiply-add.
    Avx2,
    /// 512-bit vectors with masks.
    Avx512,
}

impl Level {
    pub const ALL: [Level; 3] = [Level::Baseline, Level::Avx2, Level::Avx512];

    /// The best level of this machine.
    pub fn detect() -> Level {
        Level::ALL.into_iter().rev().find(|level| level.is_available()).unwrap_or(Level::Baseline)
    }

    pub fn is_available(self) -> bool {
        match self {
            Level::Baseline => true,
            #[cfg(all(target_arch = "x86_64", feature = "simd"))]
            Level::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("fma")
                    && is_x86_feature_detected!("f16c")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(all(target_arch = "x86_64", feature = "simd"))]
            Level::Avx512 => {
                Level::Avx2.is_available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512cd")
            }
            #[cfg(not(all(target_arch = "x86_64", feature = "simd")))]
            _ => false,
        }
    }
}

/// Whether the machine rounds to bfloat16 by an instruction, besides those of [`Level::Avx512`].
pub fn has_bfloat16() -> bool {
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    return Level::Avx512.is_available() && is_x86_feature_detected!("avx512bf16");
    #[cfg(not(all(target_arch = "x86_64", feature = "simd")))]
    false
}

/// Compiles a function with the instructions of [`Level::Avx2`].
macro_rules! with_avx2 {
    ($function:item) => {
        #[cfg(all(target_arch = "x86_64", feature = "simd"))]
        #[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
        $function
    };
}
pub(super) use with_avx2;

/// Compiles a function with the instructions of [`Level::Avx512`].
macro_rules! with_avx512 {
    ($function:item) => {
        #[cfg(all(target_arch = "x86_64", feature = "simd"))]
        #[target_feature(
            enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt"
        )]
        $function
    };
}
pub(super) use with_avx512;

/// `by_level! { fn pick<K: Bound>(args) -> R = body; }` makes `pick::<K>(level)`, which gives the
/// version of `body::<K, FMA>` compiled for that level. `FMA` says whether `mul_add` is one
/// instruction.
macro_rules! by_level {
    ($($(#[$doc:meta])* $vis:vis fn $pick:ident<$K:ident: $bound:path>($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)? = $body:ident;)*) => {$(
        $(#[$doc])*
        $vis fn $pick<$K: $bound>(level: $crate::device::cpu::dispatch::Level) -> unsafe fn($($ty),*) $(-> $ret)? {
            use $crate::device::cpu::dispatch::{with_avx2, with_avx512};
            with_avx2! {
                unsafe fn avx2<$K: $bound>($($arg: $ty),*) $(-> $ret)? {
                    // SAFETY: the caller keeps the body's contract.
                    unsafe { $body::<$K, true>($($arg),*) }
                }
            }
            with_avx512! {
                unsafe fn avx512<$K: $bound>($($arg: $ty),*) $(-> $ret)? {
                    // SAFETY: the caller keeps the body's contract.
                    unsafe { $body::<$K, true>($($arg),*) }
                }
            }
            match level {
                #[cfg(all(target_arch = "x86_64", feature = "simd"))]
                $crate::device::cpu::dispatch::Level::Avx2 => avx2::<$K>,
                #[cfg(all(target_arch = "x86_64", feature = "simd"))]
                $crate::device::cpu::dispatch::Level::Avx512 => avx512::<$K>,
                _ => $body::<$K, { cfg!(target_arch = "aarch64") }>,
            }
        }
    )*};
}
pub(super) use by_level;

/// `vectorized! { fn name[T: Bound](args) -> R = body[T] }` makes `name`, which runs the version of
/// `body` for the best level of this machine. The body may not depend on which: there are no fused
/// operations in it but those written as such.
macro_rules! vectorized {
    ($(#[$doc:meta])* $vis:vis fn $name:ident $([$($generic:tt)*])? ($($arg:ident: $type:ty),* $(,)?) $(-> $result:ty)? = $body:ident $([$($param:ty),*])?) => {
        $(#[$doc])*
        $vis fn $name $(<$($generic)*>)? ($($arg: $type),*) $(-> $result)? {
            use $crate::device::cpu::dispatch::{with_avx2, with_avx512};

            with_avx2! {
                fn avx2 $(<$($generic)*>)? ($($arg: $type),*) $(-> $result)? {
                    $body $(::<$($param),*>)? ($($arg),*)
                }
            }
            with_avx512! {
                fn avx512 $(<$($generic)*>)? ($($arg: $type),*) $(-> $result)? {
                    $body $(::<$($param),*>)? ($($arg),*)
                }
            }
            match $crate::device::cpu::dispatch::Level::detect() {
                // SAFETY: the processor has these instructions.
                #[cfg(all(target_arch = "x86_64", feature = "simd"))]
                $crate::device::cpu::dispatch::Level::Avx2 => unsafe { avx2 $(::<$($param),*>)? ($($arg),*) },
                // SAFETY: as above.
                #[cfg(all(target_arch = "x86_64", feature = "simd"))]
                $crate::device::cpu::dispatch::Level::Avx512 => unsafe { avx512 $(::<$($param),*>)? ($($arg),*) },
                _ => $body $(::<$($param),*>)? ($($arg),*),
            }
        }
    };
}
pub(super) use vectorized;
