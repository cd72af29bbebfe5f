//! What elements of columns become.

use crate::dtype::{DType, Kind};
use crate::io::Error;

/// How an element stands in a file, and the type that it becomes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Form {
    pub dtype: DType,
    pub raw: Raw,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Raw {
    /// So many bytes, of which the lowest are the element.
    Bytes(usize),
    /// One bit.
    Bit,
    /// A whole number of so many bytes, of whose digits so many stand behind the point.
    Decimal { size: usize, scale: i32, is_big: bool },
}

/// What is wanted of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct Want {
    pub dtype: DType,
    /// The bytes of an element that stands for what is null.
    pub fill: Option<Vec<u8>>,
    /// Which elements are null is wanted, and not what they are.
    pub is_mask: bool,
}

impl Form {
    pub const fn plain(dtype: DType) -> Form {
        Form { dtype, raw: Raw::Bytes(dtype.size()) }
    }

    /// Bytes of an element once it is taken from its page; a bit is a byte then.
    pub fn size(&self) -> usize {
        match self.raw {
            Raw::Bytes(size) | Raw::Decimal { size, .. } => size,
            Raw::Bit => 1,
        }
    }
}

/// Above this, not all whole numbers are float64.
const EXACT: u64 = 1 << 53;

impl Want {
    /// The bytes of elements as they are wanted, from those that are there; none where one is null and nothing
    /// stands for it, or where a number is none of the wanted type.
    pub fn lay_out(
        &self,
        form: &Form,
        values: &[u8],
        valid: Option<&[bool]>,
        rows: usize,
    ) -> Result<Option<Vec<u8>>, Error> {
        let (from, to) = (form.size(), self.dtype.size());
        let there = valid.map_or(rows, |valid| valid.iter().filter(|is| **is).count());
        if values.len() != there * from || valid.is_some_and(|valid| valid.len() != rows) {
            return Error::format("a page has other values than it says");
        }
        if self.is_mask {
            let mask = valid.map(|valid| valid.iter().map(|is| u8::from(!is)).collect());
            return Ok(Some(mask.unwrap_or_else(|| vec![0; rows])));
        }
        let Some(dense) = self.convert(form, values)? else { return Ok(None) };
        let Some(valid) = valid.filter(|_| there < rows) else { return Ok(Some(dense)) };
        let Some(fill) = &self.fill else { return Ok(None) };
        let mut out = Vec::with_capacity(rows * to);
        let mut elements = dense.chunks_exact(to);
        for is_there in valid {
            let element = if *is_there { elements.next() } else { None };
            out.extend_from_slice(element.unwrap_or(fill));
        }
        Ok(Some(out))
    }

    fn convert(&self, form: &Form, values: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        let (from, to) = (form.size(), self.dtype.size());
        if self.dtype == form.dtype && !matches!(form.raw, Raw::Decimal { .. }) {
            let mut out = match from == to {
                true => values.to_vec(),
                false => {
                    values.chunks_exact(from).flat_map(|one| one[..to].iter().copied()).collect()
                }
            };
            if cfg!(target_endian = "big") {
                out.chunks_exact_mut(to).for_each(<[u8]>::reverse);
            }
            return Ok(Some(out));
        }
        if self.dtype != DType::F64 {
            return Ok(None);
        }
        let is_signed = form.dtype.kind() != Kind::Unsigned;
        let shift = u64::BITS - 8 * form.dtype.size().min(from) as u32;
        let mut out = Vec::with_capacity(values.len() / from * 8);
        for one in values.chunks_exact(from) {
            let number = match form.raw {
                Raw::Decimal { scale, is_big, .. } => decimal(one, scale, is_big),
                _ => {
                    let word = one.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
                    let (signed, plain) = ((word << shift) as i64 >> shift, word << shift >> shift);
                    let (number, far) = match is_signed {
                        true => (signed as f64, signed.unsigned_abs()),
                        false => (plain as f64, plain),
                    };
                    if far > EXACT {
                        return Ok(None);
                    }
                    number
                }
            };
            out.extend_from_slice(&number.to_ne_bytes());
        }
        Ok(Some(out))
    }
}

/// A whole number of at most 16 bytes with its point moved.
fn decimal(bytes: &[u8], scale: i32, is_big: bool) -> f64 {
    let join = |word: u128, byte: &u8| word << 8 | u128::from(*byte);
    let word = if is_big { bytes.iter().fold(0, join) } else { bytes.iter().rev().fold(0, join) };
    let shift = u128::BITS - 8 * bytes.len() as u32;
    let number = (word << shift) as i128 >> shift;
    // A quotient of two exact numbers is the nearest to the decimal; of others the text is.
    if (0..=22).contains(&scale) && number.unsigned_abs() <= u128::from(EXACT) {
        return number as f64 / 10f64.powi(scale);
    }
    format!("{number}e{}", -i64::from(scale)).parse().unwrap_or(f64::NAN)
}
