//! JSON as it is read: what `:mem save FILE.json` writes.

use super::builder::{Builder, Object, Value};
use super::input::Input;
use crate::io::Error;

/// Values within each other: a snapshot has five.
const MAX_DEPTH: usize = 32;

/// Reads a file whole, and gives its root.
///
/// # Errors
/// What is wrong with it, and at which byte.
pub(super) fn read(input: &mut Input<'_>, builder: &mut Builder) -> Result<Value, Error> {
    let mut reader = Reader { input, builder, text: Vec::new() };
    let root = reader.value(0)?;
    match reader.token()? {
        None => Ok(root),
        Some(_) => reader.input.broken("expected the end"),
    }
}

struct Reader<'a, 'r> {
    input: &'a mut Input<'r>,
    builder: &'a mut Builder,
    /// The text or the number that is read.
    text: Vec<u8>,
}

impl Reader<'_, '_> {
    /// The next byte that is no blank, left where it is.
    fn token(&mut self) -> Result<Option<u8>, Error> {
        while let Some(byte) = self.input.peek()? {
            if !byte.is_ascii_whitespace() {
                return Ok(Some(byte));
            }
            self.input.byte()?;
        }
        Ok(None)
    }

    fn expect(&mut self, wanted: u8) -> Result<(), Error> {
        match self.token()? {
            Some(found) if found == wanted => self.input.byte().map(drop),
            Some(_) => self.input.broken(&format!("expected `{}`", char::from(wanted))),
            None => self.input.broken("it ends too early"),
        }
    }

    /// Whether another item follows a comma, or the end comes.
    fn goes_on(&mut self, end: u8) -> Result<bool, Error> {
        let is_end = self.token()? == Some(end);
        self.expect(if is_end { end } else { b',' })?;
        Ok(!is_end)
    }

    fn value(&mut self, depth: usize) -> Result<Value, Error> {
        if depth > MAX_DEPTH {
            return self.input.broken("values are too deep in each other");
        }
        self.builder.check(depth)?;
        match self.token()? {
            Some(b'{') => self.dict(depth),
            Some(b'[') => {
                self.expect(b'[')?;
                let list = self.builder.object(Object::List(Vec::new()));
                if self.token()? == Some(b']') {
                    return self.expect(b']').map(|()| list);
                }
                loop {
                    let item = self.value(depth + 1)?;
                    self.builder.append(list, &[item]);
                    if !self.goes_on(b']')? {
                        return Ok(list);
                    }
                }
            }
            Some(b'"') => {
                self.string()?;
                self.known_text()
            }
            Some(_) => self.scalar(),
            None => self.input.broken("it ends too early"),
        }
    }

    fn dict(&mut self, depth: usize) -> Result<Value, Error> {
        self.expect(b'{')?;
        let dict = self.builder.object(Object::Dict(Vec::new()));
        if self.token()? == Some(b'}') {
            return self.expect(b'}').map(|()| dict);
        }
        loop {
            if self.token()? != Some(b'"') {
                return self.input.broken("expected a name in quotes");
            }
            self.string()?;
            let key = self.known_text()?;
            self.expect(b':')?;
            let value = self.value(depth + 1)?;
            self.builder.set(dict, &[key, value]);
            if !self.goes_on(b'}')? {
                return Ok(dict);
            }
        }
    }

    fn known_text(&mut self) -> Result<Value, Error> {
        match std::str::from_utf8(&self.text) {
            Ok(text) => Ok(Value::Text(self.builder.text_number(text))),
            Err(_) => self.input.broken("a text is not in UTF-8"),
        }
    }

    fn string(&mut self) -> Result<(), Error> {
        self.expect(b'"')?;
        self.text.clear();
        loop {
            match self.input.byte()? {
                b'"' => return Ok(()),
                b'\\' => {
                    let c = self.escaped()?;
                    self.text.extend(c.encode_utf8(&mut [0; 4]).bytes());
                }
                byte => self.text.push(byte),
            }
        }
    }

    fn escaped(&mut self) -> Result<char, Error> {
        Ok(match self.input.byte()? {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'u' => {
                let first = self.hexadecimal()?;
                let code = match first {
                    0xd800..0xdc00 => {
                        self.input.take(2)?;
                        let second = self.hexadecimal()?.wrapping_sub(0xdc00) & 0x3ff;
                        0x10000 + ((first - 0xd800) << 10) + second
                    }
                    code => code,
                };
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            c @ (b'"' | b'\\' | b'/') => char::from(c),
            _ => return self.input.broken("an escape is none"),
        })
    }

    fn hexadecimal(&mut self) -> Result<u32, Error> {
        let digits = self.input.take(4)?;
        let number = std::str::from_utf8(digits).ok().and_then(|d| u32::from_str_radix(d, 16).ok());
        match number {
            Some(number) => Ok(number),
            None => self.input.broken("an escape is none"),
        }
    }

    fn scalar(&mut self) -> Result<Value, Error> {
        self.text.clear();
        while let Some(byte) = self.input.peek()?
            && (byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
            && self.text.len() < 64
        {
            self.text.push(self.input.byte()?);
        }
        match std::str::from_utf8(&self.text).unwrap_or_default() {
            "null" => Ok(Value::None),
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            number => match (number.parse(), number.parse()) {
                (Ok(whole), _) => Ok(Value::Int(whole)),
                (_, Ok(number)) => Ok(Value::Float(number)),
                _ => self.input.broken("expected a value"),
            },
        }
    }
}
