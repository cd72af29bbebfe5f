//! NumPy's format of one array: `.npy`, versions 1 to 3.
//!
//! A mark of six bytes, two of the version, the length of a text, the text, the elements. The text is a
//! dictionary as Python writes it: `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }`.

use std::io::{self, Read};

use super::{Error, Stored};
use crate::dtype::DType;
use crate::layout::Shape;

/// What a file of the format begins with.
pub const MARK: &[u8] = b"\x93NUMPY";
/// Bytes of a text that NumPy still reads without being told to.
const MAX_TEXT: usize = 10_000;
/// What the elements begin at a multiple of.
const ALIGNMENT: usize = 64;
/// Digits for which the text keeps room, so that the first axis may grow in place.
const GROWING: usize = 21;

/// What stands in front of the elements.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    pub stored: Stored,
    /// Whether the first axis is the fastest.
    pub is_fortran: bool,
    pub shape: Shape,
    /// Bytes in front of the elements.
    pub length: usize,
}

impl Header {
    /// Bytes of all elements in the file.
    pub fn data(&self) -> u64 {
        self.shape.elem_count() as u64 * self.stored.size() as u64
    }
}

/// Reads as far as the elements.
///
/// # Errors
/// What the system gives; what is wrong with the header, in NumPy's words where it has some.
pub fn read_header(input: &mut dyn Read) -> Result<Header, Error> {
    let mut mark = [0; 8];
    exactly(input, &mut mark, "magic string")?;
    if !mark.starts_with(MARK) {
        let found = String::from_utf8_lossy(&mark[..6]).escape_default().to_string();
        return Error::format(format!("the magic string is not correct: found '{found}'"));
    }
    let mut length = [0; 4];
    let (size, text_is_at) = match (mark[6], mark[7]) {
        (1, 0) => (2, 10),
        (2 | 3, 0) => (4, 12),
        (major, minor) => {
            return Error::format(format!(
                "we only support format version (1,0), (2,0), and (3,0), not ({major}, {minor})"
            ));
        }
    };
    exactly(input, &mut length[..size], "array header length")?;
    let length = u32::from_le_bytes(length) as usize;
    if length > MAX_TEXT {
        return Error::format(format!(
            "Header info length ({length}) is large and may not be safe to load: at most {MAX_TEXT} bytes are read"
        ));
    }
    let mut text = vec![0; length];
    exactly(input, &mut text, "array header")?;
    let mut header = parse(&text)?;
    header.length = text_is_at + length;
    Ok(header)
}

fn exactly(input: &mut dyn Read, bytes: &mut [u8], what: &str) -> Result<(), Error> {
    let mut done = 0;
    while done < bytes.len() {
        match input.read(&mut bytes[done..]) {
            Ok(0) => {
                return Error::format(format!(
                    "EOF: reading {what}, expected {} bytes got {done}",
                    bytes.len()
                ));
            }
            Ok(count) => done += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// The header of a file with such elements, ready to be written.
pub fn header(dtype: DType, is_fortran: bool, shape: &[usize]) -> Vec<u8> {
    let code = Stored::plain(dtype).code();
    let order = if is_fortran { "True" } else { "False" };
    let lengths: Vec<String> = shape.iter().map(ToString::to_string).collect();
    let comma = if shape.len() == 1 { "," } else { "" };
    let lengths = lengths.join(", ");
    let mut text =
        format!("{{'descr': '{code}', 'fortran_order': {order}, 'shape': ({lengths}{comma}), }}");
    let growing = if is_fortran { shape.last() } else { shape.first() };
    if let Some(extent) = growing {
        text.push_str(&" ".repeat(GROWING - extent.to_string().len()));
    }
    // Version 1 counts its text in two bytes, which 64 axes fit.
    let bare = MARK.len() + 4 + text.len() + 1;
    text.push_str(&" ".repeat(bare.next_multiple_of(ALIGNMENT) - bare));
    text.push('\n');
    let mut bytes = MARK.to_vec();
    bytes.extend([1, 0]);
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes
}

/// A value of the dictionary.
enum Item {
    Text(String),
    Bool(bool),
    Lengths(Option<Shape>),
    /// A list, as of a type with fields.
    Fields,
}

/// Where the text is being read.
struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
}

fn parse(text: &[u8]) -> Result<Header, Error> {
    let shown = || String::from_utf8_lossy(text).trim_end().escape_debug().to_string();
    let broken = || Error::Format(format!("Cannot parse header: '{}'", shown()));
    let items = Cursor { text, at: 0 }.dictionary().ok_or_else(broken)?;
    let mut keys: Vec<&str> = items.iter().map(|(key, _)| key.as_str()).collect();
    keys.sort_unstable();
    if keys != ["descr", "fortran_order", "shape"] {
        return Error::format(format!("Header does not contain the correct keys: {keys:?}"));
    }
    let (mut stored, mut is_fortran, mut shape) = (None, None, None);
    for (key, item) in items {
        match (key.as_str(), item) {
            ("descr", Item::Text(code)) => stored = Some(type_of(&code)?),
            ("descr", Item::Fields) => {
                return Error::format(
                    "elements with fields (a structured dtype) are no elements of tensors: save each field by itself",
                );
            }
            ("fortran_order", Item::Bool(order)) => is_fortran = Some(order),
            ("shape", Item::Lengths(Some(lengths))) => shape = Some(lengths),
            (key, _) => return Error::format(format!("{key} is not valid in '{}'", shown())),
        }
    }
    let (Some(stored), Some(is_fortran), Some(shape)) = (stored, is_fortran, shape) else {
        return Err(broken());
    };
    let count = shape.checked_elem_count().map_err(|error| Error::Format(error.to_string()))?;
    if count.checked_mul(stored.dtype.size()).is_none_or(|bytes| bytes > isize::MAX as usize) {
        return Error::format(format!("shape is not valid: {shape} has too many elements"));
    }
    Ok(Header { stored, is_fortran, shape, length: 0 })
}

fn type_of(code: &str) -> Result<Stored, Error> {
    if let Some(stored) = Stored::from_code(code) {
        return Ok(stored);
    }
    let kind = code.trim_start_matches(['<', '>', '|', '=']).chars().next();
    let words = match kind {
        Some('O') => {
            "Object arrays cannot be loaded when allow_pickle=False: they are pickles, which run code"
        }
        Some('U' | 'S' | 'a') => "texts are no elements of tensors",
        Some('M' | 'm') => "dates are no elements of tensors: save them as int64, `x.view(\"i8\")`",
        Some('f' | 'c' | 'g' | 'G') => {
            "tensors have no longer floats than float64: save them so, `x.astype(\"f8\")`"
        }
        _ => "descr is not a valid dtype descriptor",
    };
    Error::format(format!("{words} ('{}')", code.escape_debug()))
}

impl Cursor<'_> {
    fn peek(&mut self) -> Option<u8> {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn dictionary(mut self) -> Option<Vec<(String, Item)>> {
        let mut items = Vec::new();
        self.eat(b'{')?;
        while self.peek()? != b'}' {
            let key = self.string()?;
            self.eat(b':')?;
            items.push((key, self.item()?));
            if self.eat(b',').is_none() {
                break;
            }
        }
        self.eat(b'}')?;
        self.peek().is_none().then_some(items)
    }

    fn item(&mut self) -> Option<Item> {
        match self.peek()? {
            b'\'' | b'"' => self.string().map(Item::Text),
            b'(' => self.lengths().map(Item::Lengths),
            b'[' => self.list(),
            _ => match self.word() {
                b"True" => Some(Item::Bool(true)),
                b"False" => Some(Item::Bool(false)),
                _ => None,
            },
        }
    }

    fn word(&mut self) -> &[u8] {
        let start = self.at;
        while self.text.get(self.at).is_some_and(u8::is_ascii_alphanumeric) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    fn string(&mut self) -> Option<String> {
        let quote = self.peek().filter(|byte| matches!(byte, b'\'' | b'"'))?;
        let rest = &self.text[self.at + 1..];
        let end = rest.iter().position(|byte| *byte == quote)?;
        self.at += end + 2;
        let text = std::str::from_utf8(&rest[..end]).ok()?;
        (!text.contains('\\')).then(|| text.to_owned())
    }

    /// Numbers in round brackets; none of them where one is no length.
    fn lengths(&mut self) -> Option<Option<Shape>> {
        self.eat(b'(')?;
        let mut lengths = Some(Shape::scalar());
        while self.peek()? != b')' {
            let sign = self.eat(b'-');
            let word = std::str::from_utf8(self.word()).ok()?;
            let digits = word.strip_suffix('L').unwrap_or(word);
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            match (digits.parse::<usize>(), sign, &mut lengths) {
                (Ok(length), None, Some(lengths)) => lengths.push(length),
                _ => lengths = None,
            }
            if self.eat(b',').is_none() {
                break;
            }
        }
        self.eat(b')')?;
        Some(lengths)
    }

    /// Skips a list, without a look at what is in it but for its end.
    fn list(&mut self) -> Option<Item> {
        let mut depth = 0;
        loop {
            match self.peek()? {
                b'\'' | b'"' => {
                    self.string()?;
                    continue;
                }
                b'[' => depth += 1,
                b']' => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Some(Item::Fields);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::How;

    fn read(bytes: &[u8]) -> Result<Header, String> {
        read_header(&mut &bytes[..]).map_err(|error| match error {
            Error::Format(words) => words,
            Error::System(error) => panic!("{error}"),
        })
    }

    #[test]
    fn headers_are_those_of_numpy() {
        let bytes = header(DType::F32, false, &[2, 3]);
        let text = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
        assert_eq!(&bytes[..10], b"\x93NUMPY\x01\x00v\x00");
        assert_eq!(bytes.len(), 128);
        assert!(bytes[10..].starts_with(text.as_bytes()) && bytes.ends_with(b" \n"));
        for dtype in DType::ALL {
            for (is_fortran, shape) in [(false, &[][..]), (true, &[3]), (false, &[1, 0, 7])] {
                let header = read(&header(dtype, is_fortran, shape)).unwrap();
                assert_eq!(header.stored, Stored::plain(dtype));
                assert_eq!((header.is_fortran, &*header.shape), (is_fortran, shape));
                assert_eq!(header.length % ALIGNMENT, 0);
            }
        }
        let long = header(DType::C128, false, &[usize::MAX; 64]);
        assert_eq!(long.len() % ALIGNMENT, 0);
    }

    fn of(text: &str) -> Result<Header, String> {
        let mut bytes = b"\x93NUMPY\x02\x00".to_vec();
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.as_bytes());
        read(&bytes)
    }

    #[test]
    fn what_others_write_is_read() {
        let old = of("{\"shape\": (3L,4L),'fortran_order':True,'descr':'>i2'}\n").unwrap();
        assert_eq!(
            (&*old.shape, old.is_fortran, old.stored.how),
            (&[3, 4][..], true, How::Swapped)
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |text: &str| of(text).unwrap_err();
        let with = |descr: &str, shape: &str| {
            error(&format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}}}"))
        };
        assert!(with("'|O'", "(1,)").starts_with("Object arrays cannot be loaded"));
        assert!(with("[('a', '<f8'), ('b', '<i4')]", "()").contains("fields"));
        assert!(with("'<U7'", "()").contains("texts"));
        assert!(with("'<f16'", "()").contains("float64"));
        assert!(with("'x'", "()").starts_with("descr is not a valid dtype descriptor"));
        assert!(with("'<f8'", "(1152921504606846976,)").contains("too many"));
        assert!(with("'<f8'", "(4294967296, 4294967296)").contains("more elements than"));
        assert!(with("'<f8'", "(-1,)").contains("shape is not valid"));
        assert!(with("'<f8'", "(18446744073709551616,)").contains("shape is not valid"));
        assert!(with("'<f8'", "3").starts_with("Cannot parse header"));
        assert!(error("{'descr': '<f8'}").contains("correct keys"));
        assert!(error("").starts_with("Cannot parse header"));
        let twice = "{'shape': (), 'shape': (), 'descr': '<f8', 'fortran_order': False}";
        assert!(error(twice).contains("correct keys"));
        assert!(error(&" ".repeat(MAX_TEXT + 1)).starts_with("Header info length"));
        assert!(read(b"\x93NUMPY\x04\x00").unwrap_err().contains("not (4, 0)"));
        assert!(read(b"junkjunk").unwrap_err().contains("magic string"));
    }

    #[test]
    fn no_byte_of_a_header_makes_it_panic() {
        let whole = header(DType::F64, false, &[3, 4]);
        for end in 0..whole.len() {
            read(&whole[..end]).unwrap_err();
        }
        for at in 0..whole.len() {
            for byte in 0..=255 {
                let mut bytes = whole.clone();
                bytes[at] = byte;
                let _ = read(&bytes);
            }
        }
    }
}
