//! How elements are stored in files, and what they are made into.

use crate::dtype::{DType, Kind};

/// The type that elements become, and how they stand in a file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stored {
    pub dtype: DType,
    pub how: How,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum How {
    /// As in memory.
    Plain,
    /// In the other order of bytes.
    Swapped,
    /// A byte each, with so many bits of exponent: numbers of float16, all of them.
    Byte { exponent: u32 },
}

impl Stored {
    pub fn plain(dtype: DType) -> Stored {
        Stored { dtype, how: How::Plain }
    }

    /// What NumPy's code means: `<f8`, `>i4`, `|b1`. Two bytes without a meaning are bfloat16, which
    /// NumPy has no code for and `ml_dtypes` writes so.
    pub fn from_code(code: &str) -> Option<Stored> {
        let (order, rest) = match code.chars().next()? {
            order @ ('<' | '>' | '|' | '=') => (order, &code[1..]),
            _ => ('=', code),
        };
        let native = if cfg!(target_endian = "little") { '<' } else { '>' };
        let dtype = match rest {
            "V2" => DType::BF16,
            "F8_E4M3" => return Some(Stored { dtype: DType::F16, how: How::Byte { exponent: 4 } }),
            "F8_E5M2" => return Some(Stored { dtype: DType::F16, how: How::Byte { exponent: 5 } }),
            _ => DType::from_name(rest).filter(|_| rest.len() <= 3)?,
        };
        let is_swapped = !matches!(order, '|' | '=') && order != native && dtype.size() > 1;
        let how = if is_swapped { How::Swapped } else { How::Plain };
        Some(Stored { dtype, how })
    }

    /// What [`Stored::from_code`] makes of it again.
    pub fn code(&self) -> String {
        match self.how {
            How::Byte { exponent: 4 } => "F8_E4M3".to_owned(),
            How::Byte { .. } => "F8_E5M2".to_owned(),
            _ if self.dtype == DType::BF16 => "<V2".to_owned(),
            How::Plain => self.dtype.code(),
            How::Swapped => match self.dtype.code().strip_prefix('<') {
                Some(rest) => format!(">{rest}"),
                None => self.dtype.code().replace('>', "<"),
            },
        }
    }

    /// Bytes of an element in the file.
    pub fn size(&self) -> usize {
        match self.how {
            How::Plain | How::Swapped => self.dtype.size(),
            How::Byte { .. } => 1,
        }
    }

    /// Whether the bytes of the file are those of memory, as they are.
    pub fn is_plain(&self) -> bool {
        self.how == How::Plain && self.dtype.kind() != Kind::Bool
    }

    /// Makes elements of the bytes of a file, which stand at the end of the place for the elements.
    pub fn decode(&self, bytes: &mut [u8]) {
        match self.how {
            How::Plain if self.dtype.kind() == Kind::Bool => {
                bytes.iter_mut().for_each(|byte| *byte = u8::from(*byte != 0));
            }
            How::Plain => {}
            How::Swapped => {
                bytes.chunks_exact_mut(self.dtype.part().size()).for_each(<[u8]>::reverse);
            }
            How::Byte { exponent } => {
                let count = bytes.len() / 2;
                for at in 0..count {
                    let half = widened(bytes[count + at], exponent);
                    bytes[2 * at..2 * at + 2].copy_from_slice(&half.to_ne_bytes());
                }
            }
        }
    }
}

/// Eight bits of a floating number as float16, which holds all of them.
fn widened(byte: u8, exponent: u32) -> u16 {
    let sign = u16::from(byte & 0x80) << 8;
    if exponent == 5 {
        return u16::from(byte) << 8;
    }
    // Four bits of exponent, three of fraction; one pattern is no number, none is infinite.
    let (power, fraction) = (u16::from(byte >> 3 & 15), u16::from(byte & 7));
    match (power, fraction) {
        (15, 7) => sign | 0x7e00,
        (0, 0) => sign,
        (0, _) => {
            let shift = fraction.leading_zeros() as u16 - 13;
            sign | (8 - shift) << 10 | (fraction << (shift + 1) & 7) << 7
        }
        _ => sign | (power + 8) << 10 | fraction << 7,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_eight_bits_are_those_of_their_formulas() {
        for byte in 0..=255u8 {
            let (power, fraction) = (i32::from(byte >> 3 & 15), f64::from(byte & 7));
            let size = match power {
                0 => fraction / 8.0 * 2f64.powi(-6),
                _ => (1.0 + fraction / 8.0) * 2f64.powi(power - 7),
            };
            let value = if byte & 0x80 == 0 { size } else { -size };
            let found = half::f16::from_bits(widened(byte, 4)).to_f64();
            match byte & 0x7f {
                0x7f => assert!(found.is_nan()),
                _ => assert_eq!(found.to_bits(), value.to_bits(), "{byte:#x}"),
            }
        }
        assert_eq!(half::f16::from_bits(widened(0x3c, 5)).to_f64(), 1.0);
    }

    #[test]
    fn codes_are_read_with_their_order() {
        let is =
            |code, dtype, how| assert_eq!(Stored::from_code(code), Some(Stored { dtype, how }));
        is("<f8", DType::F64, How::Plain);
        is(">c8", DType::C64, How::Swapped);
        is("|b1", DType::Bool, How::Plain);
        is(">i1", DType::I8, How::Plain);
        is("<V2", DType::BF16, How::Plain);
        for code in ["", "<", "O", "|O", "<U5", "|S3", "<M8[ns]", "float64", "<f16", "é"] {
            assert_eq!(Stored::from_code(code), None, "{code}");
        }
    }
}
