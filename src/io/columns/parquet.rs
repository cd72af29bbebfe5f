//! Parquet: what stands at a file's end, about its columns and where they lie.

use super::codec::Codec;
use super::thrift::{BINARY, Compact, I32, I64, LIST, STRUCT, TRUE, Wrong};
use super::{Column, Form, MAX_FOOTER, Place, Raw, Table, bytes_at};
use crate::dtype::DType;
use crate::io::{Error, Source};

/// The pages of one column in a group of rows.
#[derive(Debug, Clone)]
pub struct Chunk {
    pub codec: Codec,
    pub rows: u64,
    /// The first byte, and behind the last.
    pub start: u64,
    pub end: u64,
    nulls: Option<u64>,
    is_elsewhere: bool,
}

/// A column or a structure of some, as the file describes it.
#[derive(Debug, Default)]
struct Element {
    physical: Option<i64>,
    length: i64,
    repetition: i64,
    name: String,
    children: i64,
    converted: Option<i64>,
    scale: i64,
    logical: Logical,
}

/// What the numbers of a column mean.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
enum Logical {
    #[default]
    None,
    Text,
    Nested,
    Decimal(i64),
    Date,
    Time(&'static str),
    Timestamp(&'static str),
    Integer(i64, bool),
    Float16,
    Other(&'static str),
}

/// What is read of a file's end.
#[derive(Debug, Default)]
struct Footer {
    elements: Vec<Element>,
    rows: i64,
    /// The chunks of each group, and how many rows it has.
    groups: Vec<(Vec<Chunk>, i64)>,
}

/// # Errors
/// What the system gives; what is wrong with the file.
pub fn open(source: &Source) -> Result<Table, Error> {
    let length = source.length();
    let tail = bytes_at(source, length.saturating_sub(8), length.min(8))?;
    if length < 12 || !tail.ends_with(b"PAR1") {
        return Error::format("the file does not end like one of Parquet: it is cut off");
    }
    let size = u64::from(u32::from_le_bytes(tail[..4].try_into().unwrap_or_default()));
    if size > (length - 12).min(MAX_FOOTER) {
        return Error::format(format!("what describes the columns has {size} bytes: too many"));
    }
    let bytes = bytes_at(source, length - 8 - size, size)?;
    let footer = footer(&bytes).map_err(|_| {
        Error::Format("what describes the columns, at the file's end, is damaged".to_owned())
    })?;
    table(footer, length)
}

fn footer(bytes: &[u8]) -> Result<Footer, Wrong> {
    let (mut footer, mut text) = (Footer::default(), Compact::new(bytes));
    text.fields(|it, number, kind| {
        match (number, kind) {
            (2, LIST) => it.list(|it, kind| {
                expect(kind == STRUCT)?;
                footer.elements.push(element(it)?);
                Ok(())
            })?,
            (3, I64) => footer.rows = it.int()?,
            (4, LIST) => it.list(|it, kind| {
                expect(kind == STRUCT)?;
                footer.groups.push(group(it)?);
                Ok(())
            })?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(footer)
}

fn expect(is_so: bool) -> Result<(), Wrong> {
    if is_so { Ok(()) } else { Err(Wrong::Broken) }
}

fn element(text: &mut Compact<'_>) -> Result<Element, Wrong> {
    let mut element = Element::default();
    text.fields(|it, number, kind| {
        match (number, kind) {
            (1, I32) => element.physical = Some(it.int()?),
            (2, I32) => element.length = it.int()?,
            (3, I32) => element.repetition = it.int()?,
            (4, BINARY) => element.name = String::from_utf8_lossy(it.binary()?).into_owned(),
            (5, I32) => element.children = it.int()?,
            (6, I32) => element.converted = Some(it.int()?),
            (7, I32) => element.scale = it.int()?,
            (10, STRUCT) => element.logical = logical(it)?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    if element.logical == Logical::None {
        element.logical =
            element.converted.map_or(Logical::None, |old| converted(old, element.scale));
    }
    Ok(element)
}

fn logical(text: &mut Compact<'_>) -> Result<Logical, Wrong> {
    let mut found = Logical::None;
    text.fields(|it, number, kind| {
        if kind != STRUCT {
            return Ok(false);
        }
        // What stands within: a scale, a unit, or how wide an integer is and whether it has a sign.
        let (mut scale, mut unit, mut width, mut is_signed) = (0, "?", 0, false);
        it.fields(|it, field, kind| {
            match (number, field, kind) {
                (5, 1, I32) => scale = it.int()?,
                (7 | 8, 2, STRUCT) => it.fields(|_, unit_of, _| {
                    unit = ["ms", "us", "ns"].get(unit_of.wrapping_sub(1) as usize).unwrap_or(&"?");
                    Ok(false)
                })?,
                (10, 1, _) => width = it.small()?,
                // Truth is in a field's kind, and has no bytes.
                (10, 2, kind) => is_signed = kind == TRUE,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        found = match number {
            1 | 4 | 12 => Logical::Text,
            2 | 3 => Logical::Nested,
            5 => Logical::Decimal(scale),
            6 => Logical::Date,
            7 => Logical::Time(unit),
            8 => Logical::Timestamp(unit),
            10 => Logical::Integer(width, is_signed),
            11 => Logical::Other("null"),
            14 => Logical::Other("uuid"),
            15 => Logical::Float16,
            _ => Logical::Other("of an unknown type"),
        };
        Ok(true)
    })?;
    Ok(found)
}

/// The same of how older files say it.
fn converted(number: i64, scale: i64) -> Logical {
    match number {
        0 | 4 | 19 => Logical::Text,
        1..=3 => Logical::Nested,
        5 => Logical::Decimal(scale),
        6 => Logical::Date,
        7 => Logical::Time("ms"),
        8 => Logical::Time("us"),
        9 => Logical::Timestamp("ms"),
        10 => Logical::Timestamp("us"),
        11..=14 => Logical::Integer(8 << (number - 11), false),
        15..=18 => Logical::Integer(8 << (number - 15), true),
        21 => Logical::Other("interval"),
        _ => Logical::Other("of an unknown type"),
    }
}

fn group(text: &mut Compact<'_>) -> Result<(Vec<Chunk>, i64), Wrong> {
    let (mut chunks, mut rows) = (Vec::new(), 0);
    text.fields(|it, number, kind| {
        match (number, kind) {
            (1, LIST) => it.list(|it, kind| {
                expect(kind == STRUCT)?;
                chunks.push(chunk(it)?);
                Ok(())
            })?,
            (3, I64) => rows = it.int()?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok((chunks, rows))
}

fn chunk(text: &mut Compact<'_>) -> Result<Chunk, Wrong> {
    let mut chunk =
        Chunk { codec: Codec::None, rows: 0, start: 0, end: 0, nulls: None, is_elsewhere: false };
    text.fields(|it, number, kind| {
        match (number, kind) {
            (1, BINARY) => chunk.is_elsewhere = !it.binary()?.is_empty(),
            (3, STRUCT) => about(it, &mut chunk)?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(chunk)
}

fn about(text: &mut Compact<'_>, chunk: &mut Chunk) -> Result<(), Wrong> {
    let (mut size, mut data, mut dictionary) = (0, 0, 0);
    text.fields(|it, number, kind| {
        match (number, kind) {
            (4, I32) => {
                chunk.codec = match it.int()? {
                    0 => Codec::None,
                    1 => Codec::Snappy,
                    2 => Codec::Gzip,
                    3 => Codec::Other("LZO"),
                    4 => Codec::Brotli,
                    5 => Codec::Lz4Hadoop,
                    6 => Codec::Zstd,
                    7 => Codec::Lz4Block,
                    _ => Codec::Other("an unknown codec"),
                }
            }
            (5, I64) => chunk.rows = it.int()?.max(0) as u64,
            (7, I64) => size = it.int()?.max(0) as u64,
            (9, I64) => data = it.int()?.max(0) as u64,
            (11, I64) => dictionary = it.int()?.max(0) as u64,
            (12, STRUCT) => it.fields(|it, number, kind| {
                let is_count = (number, kind) == (3, I64);
                if is_count {
                    chunk.nulls = u64::try_from(it.int()?).ok();
                }
                Ok(is_count)
            })?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    // Old writers put a zero where there is no dictionary.
    chunk.start = if dictionary > 0 { data.min(dictionary) } else { data };
    chunk.end = chunk.start.saturating_add(size);
    Ok(())
}

/// Levels of structures within each other, at the most.
const MAX_LEVELS: usize = 64;

/// A structure that is being walked through.
struct Level {
    left: i64,
    name: String,
    depth: u32,
    is_repeated: bool,
}

fn table(footer: Footer, length: u64) -> Result<Table, Error> {
    let Ok(rows) = u64::try_from(footer.rows) else {
        return Error::format("the file claims fewer rows than none");
    };
    let counted: i64 =
        footer.groups.iter().fold(0, |sum, group| sum.saturating_add(group.1.max(0)));
    if counted != footer.rows {
        return Error::format(format!("the groups have {counted} rows of {rows}"));
    }
    let (mut columns, mut places): (Vec<Column>, Vec<Place>) = Default::default();
    let mut levels: Vec<Level> = Vec::new();
    let mut elements = footer.elements.iter();
    let root = elements.next().map_or(0, |root| root.children);
    levels.push(Level { left: root, name: String::new(), depth: 0, is_repeated: false });
    let mut number = 0;
    for element in elements {
        while levels.last().is_some_and(|level| level.left <= 0) {
            levels.pop();
        }
        let Some(level) = levels.last_mut() else {
            return Error::format("the file describes columns that belong to nothing");
        };
        level.left -= 1;
        // What a list holds goes by the list's name.
        let name = match (level.is_repeated, level.name.is_empty()) {
            (true, _) => level.name.clone(),
            (_, true) => element.name.clone(),
            _ => format!("{}.{}", level.name, element.name),
        };
        let depth = level.depth + u32::from(element.repetition != 0);
        let is_list = matches!(element.logical, Logical::Nested) && element.children > 0;
        let is_repeated = level.is_repeated || element.repetition == 2 || is_list;
        if element.children > 0 {
            if levels.len() == MAX_LEVELS {
                return Error::format("the file describes structures that are too deep");
            }
            levels.push(Level { left: element.children, name, depth, is_repeated });
            continue;
        }
        let leaf = number;
        number += 1;
        let (kind, form) = match is_repeated {
            true => ("nested".to_owned(), None),
            false => form_of(element),
        };
        if is_repeated
            && columns.last().is_some_and(|last| last.name == name && last.form.is_none())
        {
            continue;
        }
        let chunks = chunks_of(&footer, leaf, &name, form.is_some(), length)?;
        let known = chunks.iter().map(|chunk| chunk.nulls).collect::<Option<Vec<u64>>>();
        let known = known.filter(|_| form.is_some());
        let known =
            known.map(|nulls| nulls.iter().fold(0, |sum: u64, one| sum.saturating_add(*one)));
        let nulls = if depth == 0 { Some(0) } else { known };
        columns.push(Column { name, kind, form, nulls });
        places.push(match form {
            Some(_) => Place::Parquet { chunks, depth },
            None => Place::Elsewhere,
        });
    }
    Ok(Table { columns, rows, places })
}

/// The chunks of a column, one for each group of rows.
fn chunks_of(
    footer: &Footer,
    leaf: usize,
    name: &str,
    is_read: bool,
    length: u64,
) -> Result<Vec<Chunk>, Error> {
    let mut chunks = Vec::new();
    for (group, rows) in &footer.groups {
        let Some(chunk) = group.get(leaf) else {
            return Error::format(format!("a group of rows lacks column '{name}'"));
        };
        let is_whole = chunk.rows == (*rows).max(0) as u64;
        if is_read && (!is_whole || chunk.end > length || chunk.is_elsewhere) {
            return Error::format(format!("column '{name}' does not lie in the file as a whole"));
        }
        chunks.push(chunk.clone());
    }
    Ok(chunks)
}

/// What a column's type is called, and what its elements become.
fn form_of(element: &Element) -> (String, Option<Form>) {
    let raw = |dtype, size| Some(Form { dtype, raw: Raw::Bytes(size) });
    let (size, whole) = match element.physical {
        Some(0) => return ("bool".to_owned(), Some(Form { dtype: DType::Bool, raw: Raw::Bit })),
        Some(1) => (4, DType::I32),
        Some(2) => (8, DType::I64),
        Some(3) => return ("timestamp[ns] of 96 bits".to_owned(), None),
        Some(4) => return ("float32".to_owned(), raw(DType::F32, 4)),
        Some(5) => return ("float64".to_owned(), raw(DType::F64, 8)),
        _ => return bytes_of(element),
    };
    match element.logical {
        Logical::None => (whole.to_string(), raw(whole, size)),
        Logical::Integer(width, is_signed) => {
            let dtype = match (width, is_signed) {
                (8, true) => DType::I8,
                (16, true) => DType::I16,
                (32, true) => DType::I32,
                (8, false) => DType::U8,
                (16, false) => DType::U16,
                (32, false) => DType::U32,
                (64, false) => DType::U64,
                _ => DType::I64,
            };
            match dtype.size() <= size {
                true => (dtype.to_string(), raw(dtype, size)),
                false => (whole.to_string(), raw(whole, size)),
            }
        }
        Logical::Decimal(scale) => decimal(size, scale, false),
        Logical::Date => ("date".to_owned(), raw(whole, size)),
        Logical::Time(unit) => (format!("time[{unit}]"), raw(whole, size)),
        Logical::Timestamp(unit) => (format!("timestamp[{unit}]"), raw(whole, size)),
        Logical::Other(name) => (name.to_owned(), None),
        _ => ("of an unknown type".to_owned(), None),
    }
}

fn bytes_of(element: &Element) -> (String, Option<Form>) {
    let name = match element.logical {
        Logical::Float16 if element.physical == Some(7) && element.length == 2 => {
            return ("float16".to_owned(), Some(Form::plain(DType::F16)));
        }
        Logical::Decimal(scale)
            if element.physical == Some(7) && (1..=16).contains(&element.length) =>
        {
            return decimal(element.length as usize, scale, true);
        }
        Logical::Text => "text",
        Logical::Decimal(_) => "decimal of more than 38 digits",
        Logical::Other(name) => name,
        _ if element.physical.is_none() => "empty structure",
        _ => "bytes",
    };
    (name.to_owned(), None)
}

fn decimal(size: usize, scale: i64, is_big: bool) -> (String, Option<Form>) {
    let raw = Raw::Decimal { size, scale: scale.clamp(-400, 400) as i32, is_big };
    ("decimal".to_owned(), Some(Form { dtype: DType::F64, raw }))
}
