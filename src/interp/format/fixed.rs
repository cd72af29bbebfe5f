//! Numbers with so many digits behind the point.

use std::fmt::Write;

/// Powers of ten up to the one that a double's significant digits times it still fit into 128 bits.
const MOST: usize = 22;

/// `|value| * 10^precision`, rounded to the nearest integer and a tie to the even one, exactly; nothing where 128 bits
/// are too few for that, or 64 for the answer.
fn scaled(value: f64, precision: usize) -> Option<u64> {
    let bits = value.to_bits();
    let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52 & 0x7ff) as i32);
    let (mantissa, exponent) = match exponent {
        0 => (fraction, -1074),
        0x7ff => return None,
        _ => (fraction | 1 << 52, exponent - 1075),
    };
    let power = 10_u128.pow(u32::try_from(precision).ok().filter(|power| *power <= MOST as u32)?);
    let product = u128::from(mantissa) * power;
    let rounded = match u32::try_from(exponent) {
        Ok(left) if left <= product.leading_zeros() => product << left,
        Ok(_) => return None,
        // The product has fewer than 127 bits: so far to the right is less than a half.
        Err(_) if exponent <= -128 => 0,
        Err(_) => {
            let right = exponent.unsigned_abs();
            let (whole, rest) = (product >> right, product & ((1 << right) - 1));
            let half = 1 << (right - 1);
            whole + u128::from(rest > half || rest == half && whole & 1 == 1)
        }
    };
    u64::try_from(rounded).ok()
}

/// Writes a finite number without its sign and with so many digits behind the point, exactly rounded, ties to even.
pub(in crate::interp) fn write_fixed(
    to: &mut impl Write,
    value: f64,
    precision: usize,
) -> std::fmt::Result {
    let Some(mut left) = scaled(value, precision) else {
        return write!(to, "{:.precision$}", value.abs());
    };
    // Twenty digits of the number, zeros in front of a small one, and the point.
    let mut room = [b'0'; 2 * MOST];
    let (mut at, mut digits) = (room.len(), 0);
    while left > 0 || digits <= precision {
        if digits == precision && precision > 0 {
            at -= 1;
            room[at] = b'.';
        }
        at -= 1;
        room[at] = b'0' + (left % 10) as u8;
        left /= 10;
        digits += 1;
    }
    to.write_str(std::str::from_utf8(&room[at..]).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_standard_library_writes_them() {
        let mut state = 7_u64;
        let mut look = |value: f64| {
            for precision in [0, 1, 2, 3, 6, 15, 17, 21, 22, 23, 30] {
                let mut text = String::new();
                write_fixed(&mut text, value, precision).unwrap();
                assert_eq!(text, format!("{:.precision$}", value.abs()), "{value:e} {precision}");
            }
        };
        let halves = [0.0, -0.0, 0.5, 1.5, 2.5, 0.125, 0.375, 9.995];
        let far = [1e-300, 5e-324, 1e15, 1e22, 1e300, f64::MAX];
        halves.into_iter().chain(far).for_each(&mut look);
        for _ in 0..20_000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let value = f64::from_bits(state ^ state >> 31);
            if value.is_finite() {
                look(value);
            }
            look((state >> 40) as f64 / 64.0);
            look((state >> 34) as f64 / 1000.0);
        }
    }
}
