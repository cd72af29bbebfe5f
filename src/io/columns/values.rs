//! What elements of columns become.

use std::ops::Range;

use super::valid::Valid;
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

/// Elements as they stand in the file, and which rows have one.
#[derive(Debug)]
pub struct Found<'a> {
    pub values: &'a [u8],
    /// All where that is not said.
    pub valid: Option<Valid>,
    /// Whether there are values of those rows only that have one; else something stands for the others, too.
    pub is_dense: bool,
}

impl Want {
    /// Whether elements of the file are what is wanted, as they are.
    pub fn is_same(&self, form: &Form) -> bool {
        let is_plain = form.raw == Raw::Bit || form.raw == Raw::Bytes(self.dtype.size());
        !self.is_mask && self.dtype == form.dtype && is_plain && cfg!(target_endian = "little")
    }

    /// Writes the bytes of some rows' elements as they are wanted, of `count` rows that were found; false where one is
    /// null and nothing stands for it, or where a number is none of the wanted type.
    pub fn lay_out(
        &self,
        form: &Form,
        found: &Found<'_>,
        count: usize,
        rows: Range<usize>,
        out: &mut [u8],
    ) -> Result<bool, Error> {
        let (from, to) = (form.size(), self.dtype.size());
        let valid = found.valid.as_ref();
        let there = valid.map_or(count, Valid::count);
        let is_right = found.values.len() == if found.is_dense { there } else { count } * from;
        if !is_right || valid.is_some_and(|valid| valid.rows() != count) {
            return Error::format("a page has other values than it says");
        }
        if self.is_mask {
            let is_null = |row: usize| valid.is_some_and(|valid| !valid.get(row));
            out.iter_mut().zip(rows).for_each(|(place, row)| *place = u8::from(is_null(row)));
            return Ok(true);
        }
        let Some(valid) = valid.filter(|_| there < count) else {
            // All are there, so that each has its row's number.
            let values = &found.values[rows.start * from..rows.end * from];
            return Ok(match self.is_same(form) {
                true => {
                    out.copy_from_slice(values);
                    true
                }
                false => match self.convert(form, values)? {
                    Some(made) => {
                        out.copy_from_slice(&made);
                        true
                    }
                    None => false,
                },
            });
        };
        let Some(fill) = &self.fill else { return Ok(false) };
        if self.is_same(form) {
            let (values, is_dense) = (found.values, found.is_dense);
            Spread { values, valid, is_dense, rows, fill }.write(to, out);
            return Ok(true);
        }
        // What stands where a value is null means nothing, and is no number that could be too large.
        let dense: Vec<u8>;
        let values = match found.is_dense {
            true => found.values,
            false => {
                let elements = found.values.chunks_exact(from).enumerate();
                let there = elements.filter(|(row, _)| valid.get(*row));
                dense = there.flat_map(|(_, element)| element.iter().copied()).collect();
                &dense
            }
        };
        let Some(made) = self.convert(form, values)? else { return Ok(false) };
        Spread { values: &made, valid, is_dense: true, rows, fill }.write(to, out);
        Ok(true)
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

/// Elements that go to their rows, and `fill` where a row has none.
struct Spread<'a> {
    values: &'a [u8],
    valid: &'a Valid,
    is_dense: bool,
    rows: Range<usize>,
    fill: &'a [u8],
}

impl Spread<'_> {
    fn write(self, size: usize, out: &mut [u8]) {
        match size {
            1 => self.write_sized::<1>(out),
            2 => self.write_sized::<2>(out),
            4 => self.write_sized::<4>(out),
            8 => self.write_sized::<8>(out),
            _ => self.write_sized::<16>(out),
        }
    }

    fn write_sized<const SIZE: usize>(self, out: &mut [u8]) {
        let Spread { values, valid, is_dense, rows, fill } = self;
        let (values, _) = values.as_chunks::<SIZE>();
        let (out, _) = out.as_chunks_mut::<SIZE>();
        let fill = fill.first_chunk::<SIZE>().copied().unwrap_or([0; SIZE]);
        let mut next = if is_dense { valid.count_before(rows.start) } else { rows.start };
        for (first, places) in rows.step_by(64).zip(out.chunks_mut(64)) {
            let bits = valid.bits(first);
            if !is_dense {
                let own = &values[next..next + places.len()];
                for (at, (place, value)) in places.iter_mut().zip(own).enumerate() {
                    *place = if bits >> at & 1 == 1 { *value } else { fill };
                }
                next += places.len();
                continue;
            }
            for (at, place) in places.iter_mut().enumerate() {
                let is_there = bits >> at & 1;
                // The next value is read where there is none, too: nothing has to be guessed then.
                let value = values.get(next).copied().unwrap_or(fill);
                *place = if is_there == 1 { value } else { fill };
                next += is_there as usize;
            }
        }
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
