//! Floating numbers of eight bits, which are kept so and computed with as float32: the formats of
//! "FP8 Formats for Deep Learning" (Micikevicius and others, 2022).

/// A sign, an exponent, and so many bits of fraction. With two it has IEEE 754's infinities; with three
/// the patterns of all ones are NaN, all others are numbers, and what is too large is NaN.
#[repr(transparent)]
#[derive(Debug, Clone, Copy)]
pub struct Float8<const FRACTION: u32>(u8);

/// Numbers up to 448, with steps of an eighth.
pub type F8E4M3 = Float8<3>;

/// Numbers up to 57344, with steps of a quarter.
pub type F8E5M2 = Float8<2>;

impl<const FRACTION: u32> Float8<FRACTION> {
    /// Where the fraction begins in a float32.
    const SHIFT: u32 = 23 - FRACTION;
    const BIAS: u32 = (1 << (6 - FRACTION)) - 1;
    const HAS_INFINITY: bool = FRACTION == 2;
    const NAN: u32 = if Self::HAS_INFINITY { 0x7e } else { 0x7f };
    /// What follows the largest number.
    const BEYOND: u32 = if Self::HAS_INFINITY { 0x7c } else { 0x7f };

    #[inline(always)]
    pub const fn from_bits(bits: u8) -> Self {
        Float8(bits)
    }

    #[inline(always)]
    pub const fn to_bits(self) -> u8 {
        self.0
    }

    #[inline(always)]
    pub fn to_f32(self) -> f32 {
        let size = u32::from(self.0 & 0x7f);
        let sign = u32::from(self.0 & 0x80) << 24;
        // A fraction without its hidden bit, too, is moved by the product.
        let scale = f32::from_bits((254 - Self::BIAS) << 23);
        let number = (f32::from_bits(size << Self::SHIFT) * scale).to_bits();
        let special = size << Self::SHIFT | 0x7f80_0000;
        f32::from_bits(sign | if size >= Self::BEYOND { special } else { number })
    }

    /// The nearest number, of two the even one.
    #[inline(always)]
    pub fn from_f32(value: f32) -> Self {
        let sign = (value.to_bits() >> 24 & 0x80) as u8;
        let size = value.to_bits() & 0x7fff_ffff;
        let is_small = size < (128 - Self::BIAS) << 23;
        // The sum's last bit is the format's last bit; or the fraction is rounded where it stands.
        let last = f32::from_bits((151 - Self::BIAS - FRACTION) << 23);
        let small = (f32::from_bits(size) + last).to_bits().wrapping_sub(last.to_bits());
        let half = (1 << (Self::SHIFT - 1)) - 1 + (size >> Self::SHIFT & 1);
        let rounded = size.wrapping_add(half) >> Self::SHIFT;
        let normal = rounded.wrapping_sub((127 - Self::BIAS) << FRACTION);
        let number = if is_small { small } else { normal.min(Self::BEYOND) };
        Float8(sign | if size > 0x7f80_0000 { Self::NAN } else { number } as u8)
    }

    /// The nearest number, of two the even one, in one rounding: the way to float32 leaves a last bit that
    /// says whether something was lost ("rounding to odd", Boldo and Melquiond 2008).
    #[inline]
    pub fn from_f64(value: f64) -> Self {
        let near = value as f32;
        if f64::from(near) == value || near.is_nan() {
            return Self::from_f32(near);
        }
        let is_above = f64::from(near).abs() > value.abs();
        Self::from_f32(f32::from_bits((near.to_bits() - u32::from(is_above)) | 1))
    }

    #[inline]
    pub fn to_f64(self) -> f64 {
        self.to_f32().into()
    }

    pub(super) fn to_ne_bytes(self) -> [u8; 1] {
        [self.0]
    }

    pub(super) fn from_ne_bytes([bits]: [u8; 1]) -> Self {
        Float8(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a pattern of bits means, by the definition.
    fn meaning(bits: u8, fraction: i32) -> f64 {
        let exponent = 7 - fraction;
        let (top, bias) = ((1 << exponent) - 1, (1 << (exponent - 1)) - 1);
        let power = i32::from(bits & 0x7f) >> fraction;
        let part = f64::from(bits & ((1 << fraction) - 1)) / f64::from(1 << fraction);
        let size = match power {
            0 => part * 2f64.powi(1 - bias),
            _ if power == top && fraction == 2 && part == 0.0 => f64::INFINITY,
            _ if power == top && (fraction == 2 || part == 0.875) => f64::NAN,
            _ => (1.0 + part) * 2f64.powi(power - bias),
        };
        if bits & 0x80 == 0 { size } else { -size }
    }

    fn check<const FRACTION: u32>() {
        let of = |bits: u8| meaning(bits, FRACTION as i32);
        for bits in 0..=u8::MAX {
            let (found, expected) = (Float8::<FRACTION>::from_bits(bits).to_f64(), of(bits));
            assert!(
                found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan(),
                "{bits:#x} is {found}, not {expected}"
            );
            if !expected.is_nan() {
                assert_eq!(Float8::<FRACTION>::from_f32(expected as f32).to_bits(), bits);
            }
        }
        // Between two numbers the nearer one, and in the middle the even one; also where float32 rounds a
        // float64 to the middle.
        for bits in (0..0x7f).filter(|bits| of(bits + 1).is_finite()) {
            let (low, high) = (of(bits), of(bits + 1));
            let middle = f64::midpoint(low, high);
            let even = bits + (bits & 1);
            for (value, expected) in
                [(middle, even), (middle.next_down(), bits), (middle.next_up(), bits + 1)]
            {
                for (value, expected) in [(value, expected), (-value, expected | 0x80)] {
                    assert_eq!(Float8::<FRACTION>::from_f64(value).to_bits(), expected, "{value}");
                }
            }
            assert_eq!(Float8::<FRACTION>::from_f32(middle as f32).to_bits(), even);
            for (value, expected) in
                [((middle as f32).next_down(), bits), ((middle as f32).next_up(), bits + 1)]
            {
                assert_eq!(Float8::<FRACTION>::from_f32(value).to_bits(), expected, "{value}");
            }
        }
    }

    #[test]
    fn bits_mean_what_the_formats_say() {
        check::<3>();
        check::<2>();
    }

    #[test]
    fn what_is_too_large_ends_as_the_formats_say() {
        for (value, e4m3, e5m2) in [
            (448.0, 0x7e, 0x5f),
            (464.0, 0x7e, 0x5f),
            (464.0f64.next_up(), 0x7f, 0x5f),
            (480.0, 0x7f, 0x60),
            (57344.0, 0x7f, 0x7b),
            (61440.0f64.next_down(), 0x7f, 0x7b),
            (61440.0, 0x7f, 0x7c),
            (1e300, 0x7f, 0x7c),
            (f64::INFINITY, 0x7f, 0x7c),
            (f64::NAN, 0x7f, 0x7e),
            (1e-300, 0, 0),
            (f64::MIN_POSITIVE / 4.0, 0, 0),
        ] {
            assert_eq!(F8E4M3::from_f64(value).to_bits(), e4m3, "{value}");
            assert_eq!(F8E5M2::from_f64(value).to_bits(), e5m2, "{value}");
            if !value.is_nan() {
                assert_eq!(F8E4M3::from_f64(-value).to_bits(), e4m3 | 0x80, "-{value}");
            }
        }
    }
}
