//! Lanes as reductions see them: in what order they stand, how they add up, and in which type the
//! totals of blocks are kept.

use super::Mask;

/// What is known of a row so far. Which fields count depends on the operation and the type.
#[derive(Debug, Clone, Copy)]
pub struct Partial {
    pub float: f64,
    pub int: i64,
    pub position: i64,
}

pub trait Number: Copy + PartialEq {
    const LOWEST: Self;
    const HIGHEST: Self;
    fn greater(self, other: Self) -> bool;
    fn is_nan(self) -> bool;
    fn to_partial(self, partial: &mut Partial);
    fn of_partial(partial: &Partial) -> Self;
    /// Integers wrap; bool is or.
    fn add(self, other: Self) -> Self;
    /// Integers wrap; bool is and.
    fn multiply(self, other: Self) -> Self;
    fn one() -> Self;
    fn zero() -> Self;
}

/// The type in which sums and products over blocks are kept.
pub trait Summand: Number {
    type Wide: Number;
    /// Whether a few values may be summed in this type before they are added to a wide total.
    const SUMS_NEAR: bool;
    fn widen(self) -> Self::Wide;
    fn narrow(wide: Self::Wide) -> Self;
}

macro_rules! integer {
    ($($T:ident)*) => {$(
        impl Number for $T {
            const LOWEST: $T = $T::MIN;
            const HIGHEST: $T = $T::MAX;
            #[inline(always)]
            fn greater(self, other: $T) -> bool { self > other }
            #[inline(always)]
            fn is_nan(self) -> bool { false }
            #[inline(always)]
            fn to_partial(self, partial: &mut Partial) { partial.int = self as i64; }
            #[inline(always)]
            fn of_partial(partial: &Partial) -> $T { partial.int as $T }
            #[inline(always)]
            fn add(self, other: $T) -> $T { self.wrapping_add(other) }
            #[inline(always)]
            fn multiply(self, other: $T) -> $T { self.wrapping_mul(other) }
            #[inline(always)]
            fn one() -> $T { 1 }
            #[inline(always)]
            fn zero() -> $T { 0 }
        }
        impl Summand for $T {
            type Wide = $T;
            const SUMS_NEAR: bool = false;
            #[inline(always)]
            fn widen(self) -> $T { self }
            #[inline(always)]
            fn narrow(wide: $T) -> $T { wide }
        }
    )*};
}
integer!(u8 i8 i16 i32 i64);

macro_rules! float {
    ($($T:ident)*) => {$(
        impl Number for $T {
            const LOWEST: $T = $T::NEG_INFINITY;
            const HIGHEST: $T = $T::INFINITY;
            #[inline(always)]
            fn greater(self, other: $T) -> bool { self > other }
            #[inline(always)]
            fn is_nan(self) -> bool { self != self }
            #[inline(always)]
            fn to_partial(self, partial: &mut Partial) { partial.float = self as f64; }
            #[inline(always)]
            fn of_partial(partial: &Partial) -> $T { partial.float as $T }
            #[inline(always)]
            fn add(self, other: $T) -> $T { self + other }
            #[inline(always)]
            fn multiply(self, other: $T) -> $T { self * other }
            #[inline(always)]
            fn one() -> $T { 1.0 }
            #[inline(always)]
            fn zero() -> $T { 0.0 }
        }
        impl Summand for $T {
            type Wide = f64;
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

impl Number for Mask {
    const LOWEST: Mask = Mask(0);
    const HIGHEST: Mask = Mask(1);
    #[inline(always)]
    fn greater(self, other: Mask) -> bool {
        self.get() & !other.get()
    }
    #[inline(always)]
    fn is_nan(self) -> bool {
        false
    }
    #[inline(always)]
    fn to_partial(self, partial: &mut Partial) {
        partial.int = i64::from(self.get());
    }
    #[inline(always)]
    fn of_partial(partial: &Partial) -> Mask {
        Mask::new(partial.int != 0)
    }
    #[inline(always)]
    fn add(self, other: Mask) -> Mask {
        Mask::new(self.get() | other.get())
    }
    #[inline(always)]
    fn multiply(self, other: Mask) -> Mask {
        Mask::new(self.get() & other.get())
    }
    #[inline(always)]
    fn one() -> Mask {
        Mask(1)
    }
    #[inline(always)]
    fn zero() -> Mask {
        Mask(0)
    }
}

impl Summand for Mask {
    type Wide = Mask;
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
