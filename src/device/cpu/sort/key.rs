//! Unsigned numbers that order as the elements do.

use half::{bf16, f16};

use crate::device::cpu::number::Number;

/// A type whose elements can be sorted.
pub(super) trait Key: Number {
    /// A number that is less for the elements that come first; the same for zeros of either sign;
    /// the greatest for NaN.
    fn encode(self, descending: bool) -> u64;

    /// The same, but less for negative zero than for zero (in descending order, greater).
    fn encode_apart(self, descending: bool) -> u64;

    /// What one of the two made the key from, but for the bits of a NaN: a zero whose sign was not
    /// kept has none.
    fn decode(key: u64, descending: bool) -> Self;

    /// What [`encode`](Key::encode) makes of the zeros, where there are two of them.
    fn zero(descending: bool) -> Option<u64>;
}

macro_rules! integers {
    ($($type:ty, $unsigned:ty;)*) => {$(
        impl Key for $type {
            #[inline(always)]
            fn encode(self, descending: bool) -> u64 {
                // Moving the least value to zero flips the sign's bit, if there is one.
                let key = (self as $unsigned).wrapping_sub(<$type>::MIN as $unsigned);
                u64::from(if descending { !key } else { key })
            }

            #[inline(always)]
            fn encode_apart(self, descending: bool) -> u64 {
                self.encode(descending)
            }

            #[inline(always)]
            fn decode(key: u64, descending: bool) -> $type {
                let key = if descending { !(key as $unsigned) } else { key as $unsigned };
                key.wrapping_add(<$type>::MIN as $unsigned) as $type
            }

            fn zero(_descending: bool) -> Option<u64> {
                None
            }
        }
    )*};
}

integers! {
    u8, u8;
    i8, u8;
    i16, u16;
    i32, u32;
    i64, u64;
}

macro_rules! floats {
    ($($type:ty, $unsigned:ty, $signed:ty;)*) => {$(
        impl Key for $type {
            #[inline(always)]
            fn encode(self, descending: bool) -> u64 {
                const SIGN: $unsigned = 1 << (<$unsigned>::BITS - 1);
                let is_zero = self.to_bits() == SIGN;
                if is_zero { <$type>::ZERO } else { self }.encode_apart(descending)
            }

            #[inline(always)]
            fn encode_apart(self, descending: bool) -> u64 {
                const SIGN: $unsigned = 1 << (<$unsigned>::BITS - 1);
                let bits = self.to_bits();
                // Negative numbers grow towards zero: all their bits are flipped. Positive ones
                // come after them.
                let flip = ((bits as $signed) >> (<$unsigned>::BITS - 1)) as $unsigned | SIGN;
                let key = bits ^ flip;
                let key = if descending { !key } else { key };
                u64::from(if self.is_nan() { <$unsigned>::MAX } else { key })
            }

            #[inline(always)]
            fn decode(key: u64, descending: bool) -> $type {
                const SIGN: $unsigned = 1 << (<$unsigned>::BITS - 1);
                let key = key as $unsigned;
                let plain = if descending { !key } else { key };
                let flip = !(((plain as $signed) >> (<$unsigned>::BITS - 1)) as $unsigned) | SIGN;
                let bits = if key == <$unsigned>::MAX { <$type>::NAN.to_bits() } else { plain ^ flip };
                <$type>::from_bits(bits)
            }

            fn zero(descending: bool) -> Option<u64> {
                Some(<$type>::ZERO.encode(descending))
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
