//! Lanes as reductions see them: in which type the totals of blocks are kept, and what is handed on from
//! block to block.

use super::super::number::Number;
use super::Mask;

/// What is known of a row so far. Which fields count depends on the operation and the type.
#[derive(Debug, Clone, Copy)]
pub struct Partial {
    pub float: f64,
    pub int: i64,
    pub position: i64,
}

/// A number that is folded.
pub trait Folded: Number {
    fn to_partial(self, partial: &mut Partial);
    fn of_partial(partial: &Partial) -> Self;
}

/// The type in which sums and products over blocks are kept.
pub trait Summand: Folded {
    type Wide: Folded;
    /// What a result is.
    type Out: Copy;
    /// Whether a few values may be summed in this type before they are added to a wide total.
    const SUMS_NEAR: bool;
    fn widen(self) -> Self::Wide;
    fn narrow(wide: Self::Wide) -> Self::Out;
}

macro_rules! integer {
    ($($T:ident)*) => {$(
        impl Folded for $T {
            #[inline(always)]
            fn to_partial(self, partial: &mut Partial) { partial.int = self as i64; }
            #[inline(always)]
            fn of_partial(partial: &Partial) -> $T { partial.int as $T }
        }
        impl Summand for $T {
            type Wide = $T;
            type Out = $T;
            const SUMS_NEAR: bool = false;
            #[inline(always)]
            fn widen(self) -> $T { self }
            #[inline(always)]
            fn narrow(wide: $T) -> $T { wide }
        }
    )*};
}
integer!(u8 u16 u32 u64 i8 i16 i32 i64);

macro_rules! float {
    ($($T:ident)*) => {$(
        impl Folded for $T {
            #[inline(always)]
            fn to_partial(self, partial: &mut Partial) { partial.float = self as f64; }
            #[inline(always)]
            fn of_partial(partial: &Partial) -> $T { partial.float as $T }
        }
        impl Summand for $T {
            type Wide = f64;
            type Out = $T;
            const SUMS_NEAR: bool = size_of::<$T>() == 4;
            #[inline(always)]
            fn widen(self) -> f64 { self as f64 }
            #[inline(always)]
            fn narrow(wide: f64) -> $T { wide as $T }
        }
    )*};
}
float!(f32 f64);

impl PartialEq for Mask {
    #[inline(always)]
    fn eq(&self, other: &Mask) -> bool {
        self.get() == other.get()
    }
}

/// NumPy's: addition is or, multiplication is and.
impl Number for Mask {
    const ZERO: Mask = Mask(0);
    const ONE: Mask = Mask(1);
    const LOWEST: Mask = Mask(0);
    const HIGHEST: Mask = Mask(1);

    #[inline(always)]
    fn add(self, other: Mask) -> Mask {
        Mask::new(self.get() | other.get())
    }

    #[inline(always)]
    fn multiply(self, other: Mask) -> Mask {
        Mask::new(self.get() & other.get())
    }

    #[inline(always)]
    fn exceeds(self, other: Mask) -> bool {
        self.get() & !other.get()
    }

    #[inline(always)]
    fn is_nan(self) -> bool {
        false
    }
}

impl Folded for Mask {
    #[inline(always)]
    fn to_partial(self, partial: &mut Partial) {
        partial.int = i64::from(self.get());
    }

    #[inline(always)]
    fn of_partial(partial: &Partial) -> Mask {
        Mask::new(partial.int != 0)
    }
}

impl Summand for Mask {
    type Wide = Mask;
    type Out = Mask;
    const SUMS_NEAR: bool = false;
    #[inline(always)]
    fn widen(self) -> Mask {
        self
    }
    #[inline(always)]
    fn narrow(wide: Mask) -> Mask {
        wide
    }
}

/// A byte of zero or one that is counted: few are summed as bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(transparent)]
pub(super) struct Count(pub u8);

impl Number for Count {
    const ZERO: Count = Count(0);
    const ONE: Count = Count(1);
    const LOWEST: Count = Count(0);
    const HIGHEST: Count = Count(u8::MAX);

    #[inline(always)]
    fn add(self, other: Count) -> Count {
        Count(self.0.wrapping_add(other.0))
    }

    #[inline(always)]
    fn multiply(self, other: Count) -> Count {
        Count(self.0.wrapping_mul(other.0))
    }

    #[inline(always)]
    fn exceeds(self, other: Count) -> bool {
        self.0 > other.0
    }

    #[inline(always)]
    fn is_nan(self) -> bool {
        false
    }
}

impl Folded for Count {
    #[inline(always)]
    fn to_partial(self, partial: &mut Partial) {
        partial.int = i64::from(self.0);
    }

    #[inline(always)]
    fn of_partial(partial: &Partial) -> Count {
        Count(partial.int as u8)
    }
}

impl Summand for Count {
    type Wide = i64;
    type Out = i64;
    const SUMS_NEAR: bool = true;
    #[inline(always)]
    fn widen(self) -> i64 {
        i64::from(self.0)
    }
    #[inline(always)]
    fn narrow(wide: i64) -> i64 {
        wide
    }
}
