//! Files that pyarrow wrote (`tests/columns/generate.py`), whole, cut off and changed.

use super::*;
use crate::dtype::{DType, Scalar};
use crate::io::json::{Json, parse};

struct Golden {
    name: String,
    bytes: Vec<u8>,
    rows: u64,
    /// The columns of numbers, each element as Python writes it, "None" for what is null.
    columns: Vec<(String, Vec<Option<String>>)>,
}

fn goldens() -> Vec<Golden> {
    let lines = include_str!("../../../tests/columns/files.jsonl").lines();
    let golden = |line: &str| {
        let Ok(Json::Object(fields)) = parse(line) else { panic!("{line}") };
        let [(_, Json::Text(name)), (_, Json::Text(hex)), (_, rows), (_, Json::Object(columns))] =
            &fields[..]
        else {
            panic!("{line}")
        };
        let bytes = (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16));
        let Json::Count(rows) = rows else { panic!("{line}") };
        let list = |(name, values): &(String, Json)| {
            let Json::List(values) = values else { panic!("{line}") };
            let one = |value: &Json| match value {
                Json::Text(text) => Some(text.clone()),
                _ => None,
            };
            (name.clone(), values.iter().map(one).collect())
        };
        Golden {
            name: name.clone(),
            bytes: bytes.map(Result::unwrap).collect(),
            rows: *rows,
            columns: columns.iter().map(list).collect(),
        }
    };
    lines.map(golden).collect()
}

/// All elements of a piece as they are wanted; none where one is null and nothing stands for it.
fn piece(reading: &Reading<'_>, number: usize, want: &Want) -> Result<Option<Vec<u8>>, Error> {
    let rows = reading.pieces[number].rows;
    let mut bytes = vec![0xa5; rows * want.dtype.size()];
    let is_whole = reading.fill(number, want, 0..rows, &mut bytes)?;
    if is_whole && rows <= 4096 {
        // Rows by themselves, and from the middle on, are the same.
        let size = want.dtype.size();
        for part in [0..rows / 3, rows / 3..rows / 2 + 1, rows / 2..rows] {
            let part = part.start..part.end.min(rows);
            let mut some = vec![0x5a; part.len() * size];
            assert!(reading.fill(number, want, part.clone(), &mut some)?);
            assert_eq!(some, bytes[part.start * size..part.end * size]);
        }
    }
    Ok(is_whole.then_some(bytes))
}

/// All elements of a column as they are wanted.
fn read(source: &Source, table: &Table, column: usize, want: &Want) -> Result<Vec<u8>, Error> {
    let Some(reading) = table.reading(source, column)? else { return Ok(Vec::new()) };
    let mut bytes = Vec::new();
    for number in 0..reading.pieces.len() {
        let Some(made) = piece(&reading, number, want)? else {
            return Error::format("an element is null");
        };
        bytes.extend(made);
    }
    Ok(bytes)
}

fn filled(dtype: DType, is_mask: bool) -> Want {
    let dtype = if is_mask { DType::Bool } else { dtype };
    Want { dtype, fill: Some(vec![0; dtype.size()]), is_mask }
}

#[test]
fn files_of_pyarrow_are_read() {
    let mut count = 0;
    for golden in goldens() {
        let source = Source::of_bytes(golden.bytes);
        let table = open(&source).unwrap_or_else(|error| panic!("{}: {error:?}", golden.name));
        assert_eq!(table.rows, golden.rows, "{}", golden.name);
        let readable = table.columns.iter().filter(|column| column.form.is_some()).count();
        assert!(readable >= golden.columns.len(), "{}: {:?}", golden.name, table.columns);
        for (name, expected) in &golden.columns {
            let place = format!("{}: {name}", golden.name);
            let at = table.columns.iter().position(|column| column.name == *name);
            let at = at.unwrap_or_else(|| panic!("{place} is missing"));
            let dtype = table.columns[at].form.unwrap_or_else(|| panic!("{place}")).dtype;
            let nulls = expected.iter().filter(|value| value.is_none()).count() as u64;
            assert!(table.columns[at].nulls.is_none_or(|known| known == nulls), "{place}");
            let bytes = read(&source, &table, at, &filled(dtype, false)).unwrap();
            let mask = read(&source, &table, at, &filled(dtype, true)).unwrap();
            assert_eq!(bytes.len(), expected.len() * dtype.size(), "{place}");
            for (row, value) in expected.iter().enumerate() {
                assert_eq!(mask[row] == 1, value.is_none(), "{place} {row}");
                let size = dtype.size();
                let found = Scalar::from_bits(&bytes[row * size..(row + 1) * size], dtype);
                let Some(value) = value else { continue };
                let wanted = match dtype {
                    DType::Bool => Scalar::Bool(value == "True"),
                    dtype if dtype.is_float() => Scalar::Float(value.parse().unwrap()),
                    DType::U64 => Scalar::from_u64(value.parse().unwrap()),
                    _ => Scalar::Int(value.parse().unwrap()),
                };
                let is_same = match (found, wanted) {
                    (Scalar::Float(a), Scalar::Float(b)) => a == b || a.is_nan() && b.is_nan(),
                    (a, b) => format!("{a:?}") == format!("{b:?}"),
                };
                assert!(is_same, "{place} {row}: {found:?} and {wanted:?}");
                count += 1;
            }
        }
    }
    assert!(count > 20_000, "{count}");
}

/// Reads all there is of a file that may be damaged; whether it was found out.
fn walk(bytes: Vec<u8>) -> bool {
    let source = Source::of_bytes(bytes);
    let Ok(table) = open(&source) else { return true };
    let mut is_wrong = false;
    for (at, column) in table.columns.iter().enumerate() {
        let Some(form) = column.form else { continue };
        for is_mask in [false, true] {
            let Ok(Some(reading)) = table.reading(&source, at) else {
                is_wrong = true;
                break;
            };
            for number in 0..reading.pieces.len().min(1000) {
                if reading.pieces[number].memory > 64 << 20 {
                    continue;
                }
                is_wrong |= piece(&reading, number, &filled(form.dtype, is_mask)).is_err();
            }
        }
    }
    is_wrong
}

#[test]
fn no_cut_and_no_byte_makes_it_panic() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    };
    for golden in goldens() {
        let whole = golden.bytes;
        assert!(!walk(whole.clone()), "{}", golden.name);
        for _ in 0..40 {
            assert!(walk(whole[..draw(whole.len())].to_vec()), "{}", golden.name);
        }
        // The end says where all else is: half of the changes are there.
        for round in 0..150 {
            let mut changed = whole.clone();
            for _ in 0..1 + draw(4) {
                let from = if round % 2 == 0 { whole.len().saturating_sub(1500) } else { 0 };
                let at = from + draw(whole.len() - from);
                changed[at] = [draw(256) as u8, changed[at] ^ 1 << draw(8), 0xff][draw(3)];
            }
            walk(changed);
        }
    }
}

#[test]
fn no_length_and_no_count_makes_it_panic() {
    // Parquet's numbers are not in words.
    for golden in goldens().into_iter().filter(|golden| !golden.bytes.starts_with(b"PAR1")) {
        for at in (0..golden.bytes.len().saturating_sub(7)).step_by(8) {
            for word in [u64::MAX, i64::MAX as u64 - 7] {
                let mut changed = golden.bytes.clone();
                changed[at..at + 8].copy_from_slice(&word.to_le_bytes());
                walk(changed);
            }
        }
    }
}

#[test]
fn integers_become_floats_only_where_they_stay_the_same() {
    let form = Form::plain(DType::I64);
    let want =
        Want { dtype: DType::F64, fill: Some(f64::NAN.to_ne_bytes().to_vec()), is_mask: false };
    let one_null = || Some(valid::Valid::of_bits(&[0b10], 0, 2));
    let lay_out = |number: i64| {
        let mut bytes = [0; 16];
        let values = &number.to_le_bytes();
        let found = Found { values, valid: one_null(), is_dense: true };
        let is_laid = want.lay_out(&form, &found, 2, 0..2, &mut bytes).unwrap();
        // What stands where nothing is may be anything.
        let (mut again, both) = ([0; 16], [i64::MAX.to_le_bytes(), *values].concat());
        let found = Found { values: &both, valid: one_null(), is_dense: false };
        assert_eq!(want.lay_out(&form, &found, 2, 0..2, &mut again).unwrap(), is_laid);
        assert_eq!(bytes, again);
        is_laid.then(|| f64::from_ne_bytes(bytes[8..].try_into().unwrap()))
    };
    assert_eq!(lay_out(-3), Some(-3.0));
    assert_eq!(lay_out(1 << 53), Some(9_007_199_254_740_992.0));
    assert_eq!(lay_out((1 << 53) + 1), None);
    let plain = Want { dtype: DType::I64, fill: None, is_mask: false };
    let found = Found { values: &[0; 8], valid: one_null(), is_dense: true };
    assert!(!plain.lay_out(&form, &found, 2, 0..2, &mut [0; 16]).unwrap());
}
