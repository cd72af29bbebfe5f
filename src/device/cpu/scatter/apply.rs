//! What happens to an element that an index points at.

use std::marker::PhantomData;

use crate::device::cpu::number::Number;

pub(super) trait Apply {
    type Item: Copy;

    /// # Safety
    /// `place` can be read and written.
    unsafe fn apply(place: *mut Self::Item, value: Self::Item);
}

pub(super) struct Write<T>(PhantomData<T>);

impl<T: Copy> Apply for Write<T> {
    type Item = T;

    #[inline(always)]
    unsafe fn apply(place: *mut T, value: T) {
        // SAFETY: the caller's promise.
        unsafe { *place = value };
    }
}

macro_rules! folds {
    ($($name:ident, $method:ident;)*) => {$(
        pub(super) struct $name<T>(PhantomData<T>);

        impl<T: Number> Apply for $name<T> {
            type Item = T;

            #[inline(always)]
            unsafe fn apply(place: *mut T, value: T) {
                // SAFETY: the caller's promise.
                unsafe { *place = (*place).$method(value) };
            }
        }
    )*};
}

folds! {
    Add, add;
    Multiply, multiply;
    Max, greater;
    Min, lesser;
}

/// Runs `$body` with `$A` as what `$op` does to elements of `$dtype`.
macro_rules! by_apply {
    ($op:expr, $dtype:expr, $A:ident => $body:expr) => {{
        use $crate::device::cpu::elements::by_width;
        use $crate::device::cpu::number::{by_bits, by_number};
        use $crate::device::cpu::scatter::apply;
        macro_rules! as_apply {
            ($apply:ty) => {{
                type $A = $apply;
                $body
            }};
        }
        match ($op, $dtype) {
            (ScatterOp::Write, dtype) => by_width!(dtype.size(), T => as_apply!(apply::Write<T>)),
            (ScatterOp::Add, DType::Bool) => as_apply!(apply::Max<u8>),
            (ScatterOp::Multiply, DType::Bool) => as_apply!(apply::Min<u8>),
            (ScatterOp::Add, dtype) => by_bits!(dtype, T => as_apply!(apply::Add<T>)),
            (ScatterOp::Multiply, dtype) => by_bits!(dtype, T => as_apply!(apply::Multiply<T>)),
            (ScatterOp::Max, dtype) => by_number!(dtype, T => as_apply!(apply::Max<T>)),
            (ScatterOp::Min, dtype) => by_number!(dtype, T => as_apply!(apply::Min<T>)),
        }
    }};
}
pub(super) use by_apply;
