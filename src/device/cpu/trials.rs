//! Random operands for the tests of the kernels: any layout, any type.

use half::{bf16, f16};

use super::elements::{Elements, Ptr};
use crate::device::{Device, Interrupt};
use crate::dtype::DType;
use crate::layout::{Layout, Shape, Strides};
use crate::memory::AllocatorConfig;

/// Numbers that look random (splitmix64, Steele et al. 2014), the same in every run.
#[derive(Debug)]
pub struct Dice(pub u64);

impl Dice {
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound as u64) as usize
    }

    /// Up to four axes, some of them of length zero or one.
    pub fn shape(&mut self, least_rank: usize) -> Shape {
        let rank = least_rank + self.below(5 - least_rank);
        (0..rank).map(|_| [0, 1, 1, 2, 3, 3, 5, 7, 17, 33][self.below(10)]).collect()
    }

    /// Some way through memory: reordered, stepped, reversed, broadcast.
    pub fn layout(&mut self, shape: &Shape) -> Layout {
        let mut order: Vec<usize> = (0..shape.rank()).collect();
        for at in (1..order.len()).rev() {
            order.swap(at, self.below(at + 1));
        }
        let (mut strides, mut stride) = (Strides::from_elem(0, shape.rank()), 1isize);
        let mut offset = self.below(4);
        for axis in order {
            let step = stride * (1 + (self.below(4) == 0) as isize);
            match self.below(6) {
                0 => {}
                1 => {
                    strides[axis] = -step;
                    offset += (shape[axis].max(1) - 1) * step as usize;
                }
                _ => strides[axis] = step,
            }
            stride = step * shape[axis].max(1) as isize;
        }
        Layout { shape: shape.clone(), strides, offset }
    }
}

/// A type of elements in tests.
pub trait Sample: Copy + PartialEq + std::fmt::Debug + Send + Sync {
    const DTYPE: DType;
    /// One of few values, so that equal ones meet; for floats NaN, infinities and both zeros too.
    fn sample(dice: &mut Dice) -> Self;
    fn bits(self) -> u64;
}

macro_rules! integers {
    ($($type:ty, $dtype:ident;)*) => {$(
        impl Sample for $type {
            const DTYPE: DType = DType::$dtype;

            fn sample(dice: &mut Dice) -> $type {
                match dice.below(8) {
                    0 => <$type>::MIN,
                    1 => <$type>::MAX,
                    2..6 => dice.below(5) as $type,
                    _ => dice.word() as $type,
                }
            }

            fn bits(self) -> u64 {
                self as u64
            }
        }
    )*};
}

integers! {
    u8, U8;
    u16, U16;
    u32, U32;
    u64, U64;
    i8, I8;
    i16, I16;
    i32, I32;
    i64, I64;
}

impl Sample for bool {
    const DTYPE: DType = DType::Bool;

    fn sample(dice: &mut Dice) -> bool {
        dice.below(3) == 0
    }

    fn bits(self) -> u64 {
        u64::from(self)
    }
}

macro_rules! floats {
    ($($type:ty, $dtype:ident, $from:expr;)*) => {$(
        impl Sample for $type {
            const DTYPE: DType = DType::$dtype;

            fn sample(dice: &mut Dice) -> $type {
                const FEW: [f32; 6] = [0.0, -0.0, 1.0, -1.5, f32::INFINITY, f32::NEG_INFINITY];
                $from(match dice.below(12) {
                    0 => f32::NAN,
                    at @ 1..7 => FEW[at - 1],
                    _ => (dice.below(2_000) as f32 - 1_000.0) / 64.0,
                })
            }

            fn bits(self) -> u64 {
                if self.is_nan() { u64::MAX } else { self.to_bits() as u64 }
            }
        }
    )*};
}

floats! {
    f16, F16, f16::from_f32;
    bf16, BF16, bf16::from_f32;
    f32, F32, |x: f32| x;
    f64, F64, f64::from;
}

/// Elements in memory and a way through them.
#[derive(Debug, Clone)]
pub struct Array<T> {
    pub data: Vec<T>,
    pub layout: Layout,
}

impl<T: Sample> Array<T> {
    pub fn new(dice: &mut Dice, layout: Layout) -> Array<T> {
        let data = (0..layout.extent().end).map(|_| T::sample(dice)).collect();
        Array { data, layout }
    }

    pub fn of(values: Vec<T>, shape: impl Into<Shape>) -> Array<T> {
        let layout = Layout::contiguous(shape.into());
        assert_eq!(layout.elem_count(), values.len());
        Array { data: values, layout }
    }

    pub fn contiguous(dice: &mut Dice, shape: &Shape) -> Array<T> {
        Array::new(dice, Layout::contiguous(shape.clone()))
    }

    /// What the kernels get. They may write through it as long as the array lives and is not
    /// touched in other ways.
    pub(in crate::device::cpu) fn elements(&mut self) -> Elements<'_> {
        let start = self.data.as_mut_ptr().wrapping_add(self.layout.offset);
        Elements::over(Ptr(start.cast()), T::DTYPE, &self.layout)
    }

    /// The offsets of all elements in row-major order.
    pub fn offsets(&self) -> Vec<usize> {
        let mut offsets = vec![self.layout.offset as isize];
        for (extent, stride) in self.layout.shape.iter().zip(&self.layout.strides) {
            let along = |base: isize| (0..*extent as isize).map(move |at| base + at * stride);
            offsets = offsets.into_iter().flat_map(along).collect();
        }
        offsets.into_iter().map(|offset| offset as usize).collect()
    }

    pub fn values(&self) -> Vec<T> {
        self.offsets().into_iter().map(|offset| self.data[offset]).collect()
    }

    pub fn bits(&self) -> Vec<u64> {
        self.values().into_iter().map(T::bits).collect()
    }
}

/// Somebody to ask for scratch memory.
pub fn device() -> Device {
    Device::cpu(AllocatorConfig::default(), Interrupt::default()).expect("the default is valid")
}

/// Runs `work` in pools of one, two and five threads; gives what it gave, which must be the same.
pub fn with_threads<R: PartialEq + std::fmt::Debug + Send>(work: impl Fn() -> R + Sync) -> R {
    let in_pool = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("a few threads can be had").install(&work)
    };
    let alone = in_pool(1);
    assert!(in_pool(2) == alone && in_pool(5) == alone, "the number of threads changes the result");
    alone
}
