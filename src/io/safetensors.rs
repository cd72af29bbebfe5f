//! The format of checkpoints: eight bytes with a header's length, the header in JSON, the elements.
//!
//! Nothing in the header is believed before it is held against the file: each tensor has just the bytes
//! that its shape and type take, and the tensors lie one behind the other from the first byte to the last.

use super::json::{Json, parse, quoted};
use super::{Error, How, Source, Stored};
use crate::dtype::DType;
use crate::layout::Shape;

/// Bytes of a header, at the most.
const MAX_HEADER: u64 = 100_000_000;
/// What a header's length is a multiple of.
const ALIGNMENT: usize = 8;
/// The name under which a header has texts of its own.
const NOTES: &str = "__metadata__";

/// A tensor in a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub name: String,
    /// As the header calls the type.
    pub kind: String,
    /// None for a type whose elements no tensor here can have.
    pub stored: Option<Stored>,
    pub shape: Shape,
    /// The byte of the file at which it begins, and how many there are.
    pub start: u64,
    pub bytes: u64,
}

/// What a file begins with.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Header {
    /// In the order in which they lie.
    pub entries: Vec<Entry>,
    /// The texts that the writer has put beside them.
    pub notes: Vec<(String, String)>,
}

/// The format's name of a type; none for those that it has not.
pub fn name_of(dtype: DType) -> Option<&'static str> {
    TYPES.iter().find(|(_, stored)| *stored == Stored::plain(dtype)).map(|(name, _)| *name)
}

const fn plain(dtype: DType) -> Stored {
    Stored { dtype, how: How::Plain }
}

const TYPES: [(&str, Stored); 16] = [
    ("BOOL", plain(DType::Bool)),
    ("U8", plain(DType::U8)),
    ("I8", plain(DType::I8)),
    ("U16", plain(DType::U16)),
    ("I16", plain(DType::I16)),
    ("U32", plain(DType::U32)),
    ("I32", plain(DType::I32)),
    ("U64", plain(DType::U64)),
    ("I64", plain(DType::I64)),
    ("F16", plain(DType::F16)),
    ("BF16", plain(DType::BF16)),
    ("F32", plain(DType::F32)),
    ("F64", plain(DType::F64)),
    ("C64", plain(DType::C64)),
    ("F8_E4M3", plain(DType::F8E4M3)),
    ("F8_E5M2", plain(DType::F8E5M2)),
];

/// Reads the header of a file.
///
/// # Errors
/// What the system gives; what is wrong with the header.
pub fn read_header(source: &Source) -> Result<Header, Error> {
    let mut length = [0; 8];
    if source.length() < 8 {
        return Error::format(
            "the header's length is missing: it is no safetensors file, or cut off",
        );
    }
    source.read_at(0, &mut length)?;
    let length = u64::from_le_bytes(length);
    if length > MAX_HEADER {
        return Error::format(format!(
            "a header of {length} bytes is too large: {MAX_HEADER} are read"
        ));
    }
    if length > source.length() - 8 {
        return Error::format(format!(
            "the header's {length} bytes reach beyond the file, which has {}",
            source.length()
        ));
    }
    let mut text = vec![0; length as usize];
    source.read_at(8, &mut text)?;
    let Ok(text) = String::from_utf8(text) else {
        return Error::format("the header is not in UTF-8");
    };
    let Json::Object(items) = parse(&text)? else {
        return Error::format("the header is no JSON object");
    };
    let mut header = Header::default();
    for (name, item) in items {
        match item {
            Json::Object(notes) if name == NOTES => header.notes = texts(notes)?,
            Json::Object(fields) => header.entries.push(entry(name, fields)?),
            _ => return Error::format(format!("'{name}' is no JSON object in the header")),
        }
    }
    check(&mut header, source.length() - 8 - length)?;
    header.entries.iter_mut().for_each(|entry| entry.start += 8 + length);
    Ok(header)
}

fn texts(notes: Vec<(String, Json)>) -> Result<Vec<(String, String)>, Error> {
    let text = |(name, value)| match value {
        Json::Text(text) => Ok((name, text)),
        _ => Error::format(format!("'{NOTES}' of the header holds what is no text: '{name}'")),
    };
    notes.into_iter().map(text).collect()
}

fn entry(name: String, fields: Vec<(String, Json)>) -> Result<Entry, Error> {
    let broken = |what: &str| Error::Format(format!("'{name}' has no {what} in the header"));
    let field = |wanted: &str| fields.iter().find(|(key, _)| key == wanted).map(|(_, value)| value);
    let counts = |value: Option<&Json>| match value {
        Some(Json::List(items)) => {
            let count = |item: &Json| match item {
                Json::Count(count) => Some(*count),
                _ => None,
            };
            items.iter().map(count).collect::<Option<Vec<u64>>>()
        }
        _ => None,
    };
    let Some(Json::Text(kind)) = field("dtype") else { return Err(broken("dtype")) };
    let lengths = counts(field("shape")).ok_or_else(|| broken("shape of whole numbers"))?;
    let Some(&[start, end]) = counts(field("data_offsets")).as_deref() else {
        return Err(broken("pair of data_offsets"));
    };
    if end < start {
        return Error::format(format!("'{name}' ends in front of its beginning: {start} to {end}"));
    }
    let shape: Shape = lengths.iter().map(|length| *length as usize).collect();
    let count = shape.checked_elem_count();
    let count = count.map_err(|error| Error::Format(format!("'{name}': {error}")))?;
    let stored = TYPES.iter().find(|(known, _)| known == kind).map(|(_, stored)| *stored);
    if let Some(stored) = stored
        && (count as u128) * stored.size() as u128 != u128::from(end - start)
    {
        return Error::format(format!(
            "'{name}' of type {kind} and shape {shape} has {} bytes, which can't be",
            end - start
        ));
    }
    Ok(Entry { kind: kind.clone(), stored, shape, start, bytes: end - start, name })
}

/// Whether the tensors are one behind the other, and all that there is.
fn check(header: &mut Header, length: u64) -> Result<(), Error> {
    header.entries.sort_by_key(|entry| (entry.start, entry.bytes));
    let mut end = 0;
    for entry in &header.entries {
        let name = &entry.name;
        if entry.start < end {
            return Error::format(format!("'{name}' lies over another tensor of the file"));
        }
        if entry.start > end {
            return Error::format(format!("there is a hole in front of '{name}' in the file"));
        }
        end = entry.start + entry.bytes;
    }
    if end > length {
        return Error::format(format!(
            "the tensors take {end} bytes, and the file has {length}: it is cut off"
        ));
    }
    if end < length {
        return Error::format(format!("{} bytes of the file belong to no tensor", length - end));
    }
    Ok(())
}

/// The beginning of a file with these tensors, one behind the other. All of their types have names here.
pub fn header(tensors: &[(String, DType, Shape)], notes: &[(String, String)]) -> Vec<u8> {
    let mut items = Vec::new();
    if !notes.is_empty() {
        let notes: Vec<String> =
            notes.iter().map(|(name, text)| format!("{}:{}", quoted(name), quoted(text))).collect();
        items.push(format!("\"{NOTES}\":{{{}}}", notes.join(",")));
    }
    let mut start = 0;
    for (name, dtype, shape) in tensors {
        let end = start + shape.elem_count() * dtype.size();
        let lengths: Vec<String> = shape.iter().map(ToString::to_string).collect();
        items.push(format!(
            "{}:{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{start},{end}]}}",
            quoted(name),
            name_of(*dtype).unwrap_or("?"),
            lengths.join(",")
        ));
        start = end;
    }
    let mut text = format!("{{{}}}", items.join(","));
    text.push_str(&" ".repeat(text.len().next_multiple_of(ALIGNMENT) - text.len()));
    let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
    bytes.extend(text.as_bytes());
    bytes
}

/// Where the tensors of a checkpoint of several files are: each name with its file's, from the text of its index.
///
/// # Errors
/// What is wrong with the index; a file that is not beside it.
pub fn read_index(text: &str) -> Result<Vec<(String, String)>, Error> {
    let Json::Object(items) = parse(text)? else {
        return Error::format("the index is no JSON object");
    };
    let map = items.into_iter().find(|(name, _)| name == "weight_map");
    let Some((_, Json::Object(map))) = map else {
        return Error::format("the index has no `weight_map`");
    };
    let place = |(name, file)| match file {
        Json::Text(file) if !file.contains(['/', '\\']) && file != ".." => Ok((name, file)),
        Json::Text(file) => Error::format(format!("'{file}' is no file beside the index")),
        _ => Error::format(format!("'{name}' has no file in the index")),
    };
    map.into_iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn read(bytes: &[u8]) -> Result<Header, String> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        let source = Source::open(file.path()).unwrap();
        read_header(&source).map_err(|error| match error {
            Error::Format(words) => words,
            Error::System(error) => panic!("{error}"),
        })
    }

    fn of(text: &str, data: usize) -> Result<Header, String> {
        let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
        bytes.extend(text.as_bytes());
        bytes.resize(bytes.len() + data, 0);
        read(&bytes)
    }

    fn whole() -> Vec<u8> {
        let tensors = [
            ("a".to_owned(), DType::F32, Shape::from([2, 3])),
            ("b \"".to_owned(), DType::BF16, Shape::scalar()),
        ];
        let mut bytes = header(&tensors, &[("format".to_owned(), "pt".to_owned())]);
        bytes.resize(bytes.len() + 26, 7);
        bytes
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = whole();
        let header = read(&bytes).unwrap();
        let names: Vec<&str> = header.entries.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(names, ["a", "b \""]);
        assert_eq!(header.entries[1].start, bytes.len() as u64 - 2);
        assert_eq!(header.notes, [("format".to_owned(), "pt".to_owned())]);
        assert_eq!(of("{}", 0).unwrap(), Header::default());
    }

    #[test]
    fn hostile_headers_are_refused() {
        let one = |kind: &str, shape: &str, offsets: &str| {
            let text =
                format!(r#"{{"x":{{"dtype":"{kind}","shape":{shape},"data_offsets":{offsets}}}}}"#);
            of(&text, 16).unwrap_err()
        };
        assert!(one("F32", "[1152921504606846976]", "[0,16]").contains("can't be"));
        assert!(
            one("F32", "[4294967296,4294967296,4294967296]", "[0,16]").contains("more elements")
        );
        assert!(
            one("F32", "[4]", "[18446744073709551600,18446744073709551615]").contains("can't be")
        );
        assert!(one("F32", "[4]", "[4,20]").contains("hole"));
        assert!(one("F32", "[8]", "[0,32]").contains("cut off"));
        assert!(one("F32", "[2]", "[0,8]").contains("belong to no tensor"));
        assert!(one("F32", "[4]", "[16,0]").contains("ends in front"));
        assert!(one("F32", "[-4]", "[0,16]").contains("shape"));
        assert!(one("F32", "[4]", "[0]").contains("data_offsets"));
        let over = r#"{"x":{"dtype":"U8","shape":[16],"data_offsets":[0,16]},"y":{"dtype":"U8","shape":[8],"data_offsets":[8,16]}}"#;
        assert!(of(over, 16).unwrap_err().contains("lies over"));
        let twice = r#"{"x":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"x":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}"#;
        assert!(of(twice, 0).unwrap_err().contains("twice"));
        assert!(of(&"[".repeat(1000), 0).unwrap_err().contains("too deep"));
        assert!(read(&u64::MAX.to_le_bytes()).unwrap_err().contains("too large"));
        assert!(read(&1000u64.to_le_bytes()).unwrap_err().contains("beyond the file"));
        assert!(read(b"1234").unwrap_err().contains("length is missing"));
    }

    #[test]
    fn no_byte_makes_it_panic() {
        let bytes = whole();
        for end in 0..bytes.len() {
            read(&bytes[..end]).unwrap_err();
        }
        for at in 0..bytes.len() - 26 {
            for byte in [0, b'"', b'{', b'9', b',', 0xff, bytes[at] ^ 1] {
                let mut changed = bytes.clone();
                changed[at] = byte;
                let _ = read(&changed);
            }
        }
    }

    #[test]
    fn an_index_names_files_beside_it() {
        let of = |file: &str| read_index(&format!(r#"{{"weight_map":{{"a":"{file}"}}}}"#));
        assert_eq!(
            of("m-1.safetensors").unwrap(),
            [("a".to_owned(), "m-1.safetensors".to_owned())]
        );
        for file in ["../x", "/etc/passwd", "..", "a\\\\b"] {
            assert!(of(file).is_err(), "{file}");
        }
    }
}
