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
    /// A whole number of so many bytes, so many digits of which stand behind the point.
    Decimal(usize, i32),
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
            Raw::Bytes(size) | Raw::Decimal(size, _) => size,
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
        if self.dtype == form.dtype && !matches!(form.raw, Raw::Decimal(..)) {
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
        let shift = 64 - 8 * form.dtype.size().min(from) as u32;
        let mut out = Vec::with_capacity(values.len() / from * 8);
        for one in values.chunks_exact(from) {
            let mut word = [0; 8];
            word[..from].copy_from_slice(one);
            let word = u64::from_le_bytes(word);
            let number = match form.raw {
                Raw::Decimal(_, digits) => {
                    let shift = 64 - 8 * from as u32;
                    let number = ((word << shift) as i64 >> shift) as f64;
                    // A quotient of two exact numbers is the nearest to the decimal.
                    if digits <= 22 {
                        number / 10f64.powi(digits)
                    } else {
                        number * 10f64.powi(-digits)
                    }
                }
                _ if is_signed => {
                    let number = (word << shift) as i64 >> shift;
                    if number.unsigned_abs() > EXACT {
                        return Ok(None);
                    }
                    number as f64
                }
                _ => {
                    let number = word << shift >> shift;
                    if number > EXACT {
                        return Ok(None);
                    }
                    number as f64
                }
            };
            out.extend_from_slice(&number.to_ne_bytes());
        }
        Ok(Some(out))
    }
}
