//! Cheap operations along one row: what has become of it so far stays in a register.

use std::marker::PhantomData;

use super::arith::{Lane, of_type};
use super::{with_integer_bits, with_integer_type};
use crate::dtype::DType;
use crate::ir::{BinaryOp, binary_code as bin};

/// Elements of a row, `step` bytes from one to the next.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    pub start: *mut u8,
    pub step: isize,
}

/// `(begun, elements, count, made)`: joins what has become of a row so far with its next elements, one after the other. Loops
/// that keep steps write each to its place in `made`, others what has become of the row to where `made` starts.
pub type InTurnFn = unsafe fn(*const u8, Row, usize, Row);

/// An operation between two elements.
trait Join {
    type Element: Copy;
    fn join(a: Self::Element, b: Self::Element) -> Self::Element;
}

struct Real<T, const OP: u8>(PhantomData<T>);

impl<T: Lane, const OP: u8> Join for Real<T, OP> {
    type Element = T;
    #[inline(always)]
    fn join(a: T, b: T) -> T {
        T::binary::<OP, false>(a, b)
    }
}

/// Complex numbers, by the formulas of `ir/complex/arithmetic.rs`.
struct Pair<T, const OP: u8>(PhantomData<T>);

macro_rules! pairs {
    ($($T:ty)*) => {$(
        impl<const OP: u8> Join for Pair<$T, OP> {
            type Element = [$T; 2];
            #[inline(always)]
            fn join([a, b]: [$T; 2], [re, im]: [$T; 2]) -> [$T; 2] {
                match OP {
                    bin::Add => [a + re, b + im],
                    bin::Sub => [a - re, b - im],
                    bin::Mul => [a * re - b * im, a * im + b * re],
                    _ if re == 0.0 && im == 0.0 => [a / re.abs(), b / re.abs()],
                    _ => {
                        let is_re = re.abs() >= im.abs();
                        let [large, small, first, second] =
                            if is_re { [re, im, a, b] } else { [im, re, b, a] };
                        let ratio = small / large;
                        let scale = 1.0 / (large + small * ratio);
                        let (down, across) = (second * ratio, first * ratio);
                        let turned = if is_re { second - across } else { across - second };
                        [(first + down) * scale, turned * scale]
                    }
                }
            }
        }
    )*};
}

pairs!(f32 f64);

unsafe fn run<J: Join, const KEEPS: bool>(
    begun: *const u8,
    elements: Row,
    count: usize,
    made: Row,
) {
    let place = |row: Row, at: usize| {
        row.start.wrapping_offset(at as isize * row.step).cast::<J::Element>()
    };
    // SAFETY: the caller's promise: an element at `begun`, `count` of them in both rows, none of which lies in the
    // other before it was read.
    unsafe {
        let mut value = *begun.cast::<J::Element>();
        let mut i = 0;
        while i < count {
            value = J::join(value, *place(elements, i));
            if KEEPS {
                *place(made, i) = value;
            }
            i += 1;
        }
        if !KEEPS {
            *place(made, 0) = value;
        }
    }
}

macro_rules! kept {
    ($keeps_steps:expr, $J:ty) => {
        if $keeps_steps { run::<$J, true> } else { run::<$J, false> }
    };
}

/// The loop of an operation on elements of a type, if joining two costs less than bringing elements of several rows
/// together. With `keeps_steps` it writes what each makes.
pub fn in_turn(op: BinaryOp, dtype: DType, keeps_steps: bool) -> Option<InTurnFn> {
    macro_rules! table {
        ($T:ty: $($op:ident)*) => {
            match op {
                $(BinaryOp::$op => kept!(keeps_steps, Real<$T, { bin::$op }>),)*
                _ => return None,
            }
        };
    }
    if dtype.compute() != dtype {
        return None;
    }
    let op = of_type(op, dtype);
    Some(if matches!(op, BinaryOp::Max | BinaryOp::Min) && !dtype.is_float() {
        with_integer_type!(dtype, T => table!(T: Max Min), {
            Bool => table!(super::Mask: Max Min)
            F8E4M3 | F8E5M2 | F16 | BF16 | F32 | F64 => return None
        })
    } else {
        with_integer_bits!(dtype, T => table!(T: Add Sub Mul BitAnd BitOr BitXor), {
            Bool => table!(super::Mask: BitAnd BitOr BitXor)
            F8E4M3 | F8E5M2 | F16 | BF16 | F32 => table!(f32: Add Sub Mul Div Max Min Fmax Fmin)
            F64 => table!(f64: Add Sub Mul Div Max Min Fmax Fmin)
        })
    })
}

/// The loop of an operation on complex numbers whose parts are of a type.
///
/// # Panics
/// For parts that are neither float32 nor float64, and for other operations than sums, differences, products and quotients.
pub fn pairs_in_turn(op: BinaryOp, part: DType, keeps_steps: bool) -> InTurnFn {
    macro_rules! table {
        ($T:ty: $($op:ident)*) => {
            match op {
                $(BinaryOp::$op => kept!(keeps_steps, Pair<$T, { bin::$op }>),)*
                op => panic!("`{}` joins no complex numbers", op.name()),
            }
        };
    }
    match part {
        DType::F32 => table!(f32: Add Sub Mul Div),
        DType::F64 => table!(f64: Add Sub Mul Div),
        part => panic!("no complex number has parts of {part}"),
    }
}
