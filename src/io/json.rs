//! JSON, as far as headers of files need it: small, and refused where it is deep.

use super::Error;

/// Values within each other.
const MAX_DEPTH: usize = 16;

#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    Word,
    Number(f64),
    /// A whole number without a sign.
    Count(u64),
    Text(String),
    List(Vec<Json>),
    /// In the order in which they stand; no name twice.
    Object(Vec<(String, Json)>),
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

/// Reads a text whole.
///
/// # Errors
/// What is wrong with it, and at which byte.
pub fn parse(text: &str) -> Result<Json, Error> {
    let mut reader = Reader { text, at: 0, depth: 0 };
    let value = reader.value()?;
    match reader.peek() {
        None => Ok(value),
        Some(_) => reader.fail("expected the end"),
    }
}

/// A text in quotes.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quote(&mut quoted, text);
    quoted
}

/// Adds a text in quotes.
pub fn quote(out: &mut String, text: &str) {
    out.push('"');
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= b' ' && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.push_str(&text[from..at]);
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            control => out.push_str(&format!("\\u{control:04x}")),
        }
        from = at + 1;
    }
    out.push_str(&text[from..]);
    out.push('"');
}

impl Reader<'_> {
    #[cold]
    fn fail<T>(&self, words: &str) -> Result<T, Error> {
        Error::format(format!("{words} at byte {} of the header", self.at))
    }

    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while matches!(bytes.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn value(&mut self) -> Result<Json, Error> {
        if self.depth == MAX_DEPTH {
            return self.fail("values are too deep in each other");
        }
        self.depth += 1;
        let value = match self.peek() {
            Some(b'{') => self.object(),
            Some(b'[') => self.list(),
            Some(b'"') => self.string().map(Json::Text),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b'a'..=b'z') => self.word(),
            _ => self.fail("expected a value"),
        };
        self.depth -= 1;
        value
    }

    fn object(&mut self) -> Result<Json, Error> {
        self.at += 1;
        let mut items: Vec<(String, Json)> = Vec::new();
        if self.eat(b'}') {
            return Ok(Json::Object(items));
        }
        loop {
            if self.peek() != Some(b'"') {
                return self.fail("expected a name");
            }
            let name = self.string()?;
            if !self.eat(b':') {
                return self.fail("expected `:`");
            }
            items.push((name, self.value()?));
            if self.eat(b'}') {
                break;
            }
            if !self.eat(b',') {
                return self.fail("expected `,` or `}`");
            }
        }
        let mut names: Vec<&str> = items.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Error::format(format!("the name '{}' is there twice", pair[0])),
            None => Ok(Json::Object(items)),
        }
    }

    fn list(&mut self) -> Result<Json, Error> {
        self.at += 1;
        let mut items = Vec::new();
        if self.eat(b']') {
            return Ok(Json::List(items));
        }
        loop {
            items.push(self.value()?);
            if self.eat(b']') {
                return Ok(Json::List(items));
            }
            if !self.eat(b',') {
                return self.fail("expected `,` or `]`");
            }
        }
    }

    fn word(&mut self) -> Result<Json, Error> {
        let rest = &self.text[self.at..];
        match ["true", "false", "null"].into_iter().find(|word| rest.starts_with(word)) {
            Some(word) => {
                self.at += word.len();
                Ok(Json::Word)
            }
            None => self.fail("expected a value"),
        }
    }

    fn number(&mut self) -> Result<Json, Error> {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E'));
        let digits = &rest[..end.unwrap_or(rest.len())];
        let value = match (digits.parse::<u64>(), digits.parse::<f64>()) {
            (Ok(count), _) => Json::Count(count),
            (_, Ok(number)) => Json::Number(number),
            _ => return self.fail("expected a number"),
        };
        self.at += digits.len();
        Ok(value)
    }

    fn string(&mut self) -> Result<String, Error> {
        self.at += 1;
        let mut made = String::new();
        loop {
            let rest = &self.text[self.at..];
            let Some(end) = rest.find(|c: char| matches!(c, '"' | '\\') || c < ' ') else {
                return self.fail("expected the end of a text");
            };
            made.push_str(&rest[..end]);
            self.at += end + 1;
            match rest.as_bytes()[end] {
                b'"' => return Ok(made),
                b'\\' => made.push(self.escaped()?),
                _ => return self.fail("expected no control character in a text"),
            }
        }
    }

    fn escaped(&mut self) -> Result<char, Error> {
        let Some(letter) = self.text[self.at..].chars().next() else {
            return self.fail("expected a character behind the backslash");
        };
        self.at += letter.len_utf8();
        Ok(match letter {
            '"' | '\\' | '/' => letter,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let first = self.unit()?;
                let is_high = (0xd800..0xdc00).contains(&first);
                let code = match is_high && self.text[self.at..].starts_with("\\u") {
                    true => {
                        self.at += 2;
                        let second = self.unit()?;
                        0x10000 + ((first & 0x3ff) << 10) + (second & 0x3ff)
                    }
                    false => first,
                };
                match char::from_u32(code) {
                    Some(c) => c,
                    None => return self.fail("expected a character"),
                }
            }
            _ => return self.fail("expected an escape that JSON has"),
        })
    }

    fn unit(&mut self) -> Result<u32, Error> {
        let digits = self.text.get(self.at..self.at + 4);
        match digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
            Some(unit) => {
                self.at += 4;
                Ok(unit)
            }
            None => self.fail("expected four hexadecimal digits"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_as_they_were() {
        for text in ["", "a\"b\\c", "\n\u{1}é", "😀"] {
            assert_eq!(parse(&quoted(text)).unwrap(), Json::Text(text.to_owned()));
        }
        assert_eq!(parse(r#""\ud83d\ude00\t""#).unwrap(), Json::Text("😀\t".to_owned()));
    }

    #[test]
    fn broken_and_deep_texts_are_refused() {
        for text in [
            "",
            "{",
            "[1,",
            "{\"a\" 1}",
            "\"\\u12\"",
            "\"\\ud800\"",
            "1 2",
            "nul",
            "-",
            "{\"a\":1,\"a\":2}",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(parse(&"[".repeat(100_000)).is_err());
        assert_eq!(
            parse(" [1, -2.5, null] ").unwrap(),
            Json::List(vec![Json::Count(1), Json::Number(-2.5), Json::Word])
        );
    }
}
