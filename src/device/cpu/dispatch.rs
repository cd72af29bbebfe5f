//! Which vector instructions the machine has, and the macro that compiles one kernel body for each.
//!
//! The bodies are plain loops over slices, inlined into functions that enable the instructions, so
//! that the compiler vectorises the same source for every level. Nothing here names an intrinsic.

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
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("fma")
                    && is_x86_feature_detected!("bmi2")
            }
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => {
                Level::Avx2.is_available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512cd")
            }
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }
}

/// `by_level! { fn pick<K: Bound>(args) -> R = body; }` makes `pick::<K>(level)`, which gives the
/// version of `body::<K, FMA>` compiled for that level. `FMA` says whether `mul_add` is one
/// instruction.
macro_rules! by_level {
    ($($(#[$doc:meta])* $vis:vis fn $pick:ident<$K:ident: $bound:path>($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)? = $body:ident;)*) => {$(
        $(#[$doc])*
        $vis fn $pick<$K: $bound>(level: $crate::device::cpu::dispatch::Level) -> unsafe fn($($ty),*) $(-> $ret)? {
            use $crate::device::cpu::dispatch::Level;

            unsafe fn baseline<$K: $bound>($($arg: $ty),*) $(-> $ret)? {
                // SAFETY: the caller keeps the body's contract.
                unsafe { $body::<$K, { cfg!(target_arch = "aarch64") }>($($arg),*) }
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
            unsafe fn avx2<$K: $bound>($($arg: $ty),*) $(-> $ret)? {
                // SAFETY: the caller keeps the body's contract.
                unsafe { $body::<$K, true>($($arg),*) }
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
            unsafe fn avx512<$K: $bound>($($arg: $ty),*) $(-> $ret)? {
                // SAFETY: the caller keeps the body's contract.
                unsafe { $body::<$K, true>($($arg),*) }
            }
            match level {
                #[cfg(target_arch = "x86_64")]
                Level::Avx2 => avx2::<$K>,
                #[cfg(target_arch = "x86_64")]
                Level::Avx512 => avx512::<$K>,
                _ => baseline::<$K>,
            }
        }
    )*};
}

pub(super) use by_level;
