//! Feather 1: columns as Arrow has them, each by itself in the file.

use super::arrow::Batch;
use super::codec::Codec;
use super::flat::Flat;
use super::{Column, Form, MAX_FOOTER, Place, Raw, Table, bytes_at};
use crate::dtype::DType;
use crate::io::{Error, Source};

/// The types of columns, by their numbers.
const TYPES: [(&str, Option<DType>); 20] = [
    ("bool", Some(DType::Bool)),
    ("int8", Some(DType::I8)),
    ("int16", Some(DType::I16)),
    ("int32", Some(DType::I32)),
    ("int64", Some(DType::I64)),
    ("uint8", Some(DType::U8)),
    ("uint16", Some(DType::U16)),
    ("uint32", Some(DType::U32)),
    ("uint64", Some(DType::U64)),
    ("float32", Some(DType::F32)),
    ("float64", Some(DType::F64)),
    ("text", None),
    ("bytes", None),
    ("dictionary", None),
    ("timestamp", Some(DType::I64)),
    ("date", Some(DType::I32)),
    ("time", Some(DType::I64)),
    ("text", None),
    ("bytes", None),
    ("of an unknown type", None),
];

/// # Errors
/// What the system gives; what is wrong with the file.
pub fn open(source: &Source) -> Result<Table, Error> {
    let length = source.length();
    let tail = bytes_at(source, length.saturating_sub(8), length.min(8))?;
    if length < 16 || !tail.ends_with(b"FEA1") {
        return Error::format("the file does not end like one of Feather: it is cut off");
    }
    let size = u64::from(u32::from_le_bytes(tail[..4].try_into().unwrap_or_default()));
    if size > (length - 12).min(MAX_FOOTER) {
        return Error::format(format!("what describes the columns has {size} bytes: too many"));
    }
    let bytes = bytes_at(source, length - 8 - size, size)?;
    let table = Flat(&bytes).root()?;
    let Ok(rows) = u64::try_from(table.int::<8>(1, 0)?) else {
        return Error::format("the file claims fewer rows than none");
    };
    let list = table.list(2, 4)?;
    let (mut columns, mut places) = (Vec::new(), Vec::new());
    for number in 0..list.len {
        let field = list.table(number)?;
        let Some(values) = field.table(1)? else {
            return Error::format("the file has a column without values");
        };
        let (kind, dtype) = TYPES[values.int::<1>(0, 0)?.clamp(0, 19) as usize];
        // What is said of the values beside their type: categories, units.
        let is_category = field.int::<1>(2, 0)? == 1;
        let dtype = dtype.filter(|_| !is_category);
        let kind = if is_category { "dictionary" } else { kind };
        let form = dtype.map(|dtype| match dtype {
            DType::Bool => Form { dtype, raw: Raw::Bit },
            dtype => Form::plain(dtype),
        });
        let (start, own) = (values.int::<8>(2, 0)?.max(0) as u64, values.int::<8>(3, 0)?);
        let (nulls, all) = (values.int::<8>(4, 0)?, values.int::<8>(5, 0)?);
        let (nulls, all) = (nulls.max(0) as u64, all.max(0) as u64);
        let is_inside = start.checked_add(all).is_some_and(|end| end <= length);
        if form.is_some() && (!is_inside || u64::try_from(own) != Ok(rows) || nulls > rows) {
            return Error::format("a column reaches beyond the file");
        }
        // Bits say which rows have a value where some have none, in whole words.
        let bits = if nulls > 0 { rows.div_ceil(64).saturating_mul(8).min(all) } else { 0 };
        let (valid, data) = (start..start + bits, start + bits..start.saturating_add(all));
        let batch = Batch { rows, nulls, codec: Codec::None, valid, data };
        columns.push(Column {
            name: field.text(0)?,
            kind: kind.to_owned(),
            form,
            nulls: Some(nulls),
        });
        places.push(match form {
            Some(_) => Place::Arrow(vec![batch], None),
            None => Place::Elsewhere,
        });
    }
    Ok(Table { columns, rows, places })
}
