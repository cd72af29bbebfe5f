//! Unsigned numbers that order as the elements do.

use half::{bf16, f16};

use crate::device::cpu::number::Number;
use crate::dtype::{DType, Kind};

/// How keys are made of elements.
#[derive(Debug, Clone, Copy)]
pub(super) struct Order {
    pub descending: bool,
    /// The bits in which the key of an integer differs from it.
    flip: u64,
}

impl Order {
    pub fn of(dtype: DType, descending: bool) -> Order {
        // Moving the least value to zero flips the sign's bit, if there is one.
        let sign = match dtype.kind() {
            Kind::Signed => 1 << (8 * dtype.size() - 1),
            Kind::Bool | Kind::Unsigned | Kind::Float => 0,
            Kind::Complex => dtype.not_stored(),
        };
        Order { descending, flip: if descending { !sign } else { sign } }
    }
}

/// A type whose elements can be sorted: a float, or an integer without a sign, which stands for all
/// integers of its width.
pub(super) trait Key: Number {
    /// A number that is less for the elements that come first; the same for zeros of either sign;
    /// the greatest for NaN.
    fn encode(self, order: Order) -> u64;

    /// The same, but less for negative zero than for zero (in descending order, greater).
    fn encode_apart(self, order: Order) -> u64;

    /// What one of the two made the key from, but for the bits of a NaN: a zero whose sign was not
    /// kept has none.
    fn decode(key: u64, order: Order) -> Self;

    /// What [`encode`](Key::encode) makes of the zeros, where there are two of them.
    fn zero(order: Order) -> Option<u64>;
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Key for $type {
            #[inline(always)]
            fn encode(self, order: Order) -> u64 {
                u64::from(self ^ order.flip as $type)
            }

            #[inline(always)]
            fn encode_apart(self, order: Order) -> u64 {
                self.encode(order)
            }

            #[inline(always)]
            fn decode(key: u64, order: Order) -> $type {
                key as $type ^ order.flip as $type
            }

            fn zero(_order: Order) -> Option<u64> {
                None
            }
        }
    )*};
}

integers! { u8 u16 u32 u64 }

macro_rules! floats {
    ($($type:ty, $unsigned:ty, $signed:ty;)*) => {$(
        impl Key for $type {
            #[inline(always)]
            fn encode(self, order: Order) -> u64 {
                const SIGN: $unsigned = 1 << (<$unsigned>::BITS - 1);
                let is_zero = self.to_bits() == SIGN;
                if is_zero { <$type>::ZERO } else { self }.encode_apart(order)
            }

            #[inline(always)]
            fn encode_apart(self, order: Order) -> u64 {
                const SIGN: $unsigned = 1 << (<$unsigned>::BITS - 1);
                let bits = self.to_bits();
                // Negative numbers grow towards zero: all their bits are flipped. Positive ones
                // come after them.
                let flip = ((bits as $signed) >> (<$unsigned>::BITS - 1)) as $unsigned | SIGN;
                let key = bits ^ flip;
                let key = if order.descending { !key } else { key };
                u64::from(if self.is_nan() { <$unsigned>::MAX } else { key })
            }

            #[inline(always)]
            fn decode(key: u64, order: Order) -> $type {
                const SIGN: $unsigned = 1 << (<$unsigned>::BITS - 1);
                let key = key as $unsigned;
                let plain = if order.descending { !key } else { key };
                let flip = !(((plain as $signed) >> (<$unsigned>::BITS - 1)) as $unsigned) | SIGN;
                let bits = if key == <$unsigned>::MAX { <$type>::NAN.to_bits() } else { plain ^ flip };
                <$type>::from_bits(bits)
            }

            fn zero(order: Order) -> Option<u64> {
                Some(<$type>::ZERO.encode(order))
            }
        }
    )*};
}

floats! {
    f16, u16, i16;
    bf16, u16, i16;
    f32, u32, i32;
    f64, u64, i64;
}
