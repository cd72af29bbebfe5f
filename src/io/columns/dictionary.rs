//! Columns of Arrow whose rows are the numbers of entries in a dictionary, which stands in the file once.

use std::collections::{BTreeMap, BTreeSet};

use super::arrow::{self, Batch, Walk};
use super::flat::Record;
use super::valid::Valid;
use super::{Form, Found, MAX_FOOTER, MAX_PIECE, Scratch, bytes_at};
use crate::dtype::DType;
use crate::io::{Error, Source};

/// How a column is encoded.
#[derive(Debug)]
pub struct Encoding {
    /// The dictionary's number in the file.
    pub id: i64,
    /// How rows say which entry they are; none for a way that is not read.
    pub index: Option<Form>,
}

/// A column's dictionary.
#[derive(Debug)]
pub struct Entries {
    /// One behind the other.
    pub parts: Vec<Batch>,
    pub index: Form,
}

/// The entries of a dictionary, and which of them are not null; all where that is not said.
#[derive(Debug)]
pub struct Dictionary {
    values: Vec<u8>,
    valid: Option<Valid>,
}

impl Encoding {
    /// None of a column that has its values themselves.
    pub fn of(field: &Record<'_>) -> Result<Option<Encoding>, Error> {
        let Some(about) = field.table(4)? else { return Ok(None) };
        let index = match about.table(1)? {
            // Numbers of four bytes where nothing is said.
            None => Some(DType::I32),
            Some(int) => match (int.int::<4>(0, 0)?, int.int::<1>(1, 0)? != 0) {
                (8, true) => Some(DType::I8),
                (16, true) => Some(DType::I16),
                (32, true) => Some(DType::I32),
                (64, true) => Some(DType::I64),
                (8, false) => Some(DType::U8),
                (16, false) => Some(DType::U16),
                (32, false) => Some(DType::U32),
                (64, false) => Some(DType::U64),
                _ => None,
            },
        };
        Ok(Some(Encoding { id: about.int::<8>(0, 0)?, index: index.map(Form::plain) }))
    }
}

/// Where the entries of the dictionaries lie that columns of numbers have.
pub fn all(
    source: &Source,
    footer: &Record<'_>,
    wanted: &BTreeSet<i64>,
) -> Result<BTreeMap<i64, Vec<Batch>>, Error> {
    let blocks = footer.list(2, 24)?;
    let mut all: BTreeMap<i64, Vec<Batch>> = BTreeMap::new();
    for number in 0..blocks.len {
        let (start, about) = (blocks.long(number, 0)?, u64::from(blocks.word(number, 8)?));
        let bytes = bytes_at(source, start, about.min(MAX_FOOTER))?;
        let message = arrow::behind_mark(&bytes, bytes.get(4..).unwrap_or(&[]));
        let found = arrow::header(message, 2)?;
        let Some((found, record)) =
            found.map(|it| it.table(1).map(|record| (it, record))).transpose()?
        else {
            return Error::format("what should be a dictionary is none");
        };
        let Some(record) = record else {
            return Error::format("a dictionary has no entries");
        };
        let (id, is_more) = (found.int::<8>(0, 0)?, found.int::<1>(2, 0)? != 0);
        if !wanted.contains(&id) {
            continue;
        }
        let mut parts = vec![Vec::new()];
        let body = (start.saturating_add(about), source.length());
        arrow::batch(&record, body, &[Walk::PLAIN], &mut parts)?;
        let known = all.entry(id).or_default();
        if !known.is_empty() && !is_more {
            return Error::format(
                "a dictionary of the file takes the place of another, which is not read",
            );
        }
        known.append(&mut parts[0]);
    }
    Ok(all)
}

impl Entries {
    /// Reads the entries.
    pub fn read(&self, source: &Source, form: &Form) -> Result<Dictionary, Error> {
        let size = form.size();
        let rows = self.parts.iter().fold(0, |sum: u64, part| sum.saturating_add(part.rows));
        if rows.saturating_mul(size as u64) > MAX_PIECE as u64 {
            return Error::format(format!("a dictionary of {rows} entries is too large"));
        }
        let (mut values, mut valid) = (Vec::new(), Valid::default());
        let mut scratch = Scratch::default();
        for part in &self.parts {
            let count = part.rows as usize;
            let (own, own_valid) = part.read(source, form, 0..count, &mut scratch)?;
            values.extend_from_slice(own);
            match own_valid {
                None => valid.put_run(true, count),
                Some(own) => (0..count).for_each(|row| valid.put_run(own.get(row), 1)),
            }
        }
        let valid = Some(valid).filter(|valid| valid.count() < valid.rows());
        Ok(Dictionary { values, valid })
    }
}

impl Dictionary {
    /// Makes `values` those of rows, of which the numbers of their entries are known.
    pub fn look_up<'a>(
        &self,
        (index, size): (&Form, usize),
        (numbers, valid): (&[u8], Option<Valid>),
        values: &'a mut Vec<u8>,
    ) -> Result<Found<'a>, Error> {
        let (count, bytes) = (self.values.len() / size, index.size());
        let number = |one: &[u8]| {
            let word = one.iter().rev().fold(0u64, |word, byte| word << 8 | u64::from(*byte));
            usize::try_from(word).ok().filter(|at| *at < count)
        };
        values.clear();
        let mut is_there = Valid::with_capacity(numbers.len() / bytes);
        for (row, one) in numbers.chunks_exact(bytes).enumerate() {
            if valid.as_ref().is_some_and(|valid| !valid.get(row)) {
                values.resize(values.len() + size, 0);
                is_there.put_run(false, 1);
                continue;
            }
            let Some(at) = number(one) else {
                return Error::format(format!(
                    "a row names an entry that the dictionary of {count} lacks"
                ));
            };
            values.extend_from_slice(&self.values[at * size..(at + 1) * size]);
            // A row is null by itself, or because its entry is.
            is_there.put_run(self.valid.as_ref().is_none_or(|valid| valid.get(at)), 1);
        }
        Ok(Found { values, valid: Some(is_there), is_dense: false })
    }
}
