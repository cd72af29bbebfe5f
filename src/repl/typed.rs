//! The bytes that a terminal sends, as keys.

use crate::report::view::Key;

/// Bytes of which not all of a key has come yet.
#[derive(Debug, Default)]
pub struct Typed {
    pending: Vec<u8>,
}

impl Typed {
    /// The keys that are complete with these bytes.
    pub fn take(&mut self, bytes: &[u8]) -> Vec<Key> {
        self.pending.extend(bytes);
        let mut keys = Vec::new();
        while let Some((used, key)) = first(&self.pending) {
            self.pending.drain(..used);
            keys.extend(key);
        }
        keys
    }

    /// The key that was pressed if nothing more comes.
    pub fn rest(&mut self) -> Option<Key> {
        let is_escape = self.pending == [0x1b];
        self.pending.clear();
        is_escape.then_some(Key::Escape)
    }
}

/// How many bytes the first key takes, and which it is, if it is one that means something. `None` where it may go on.
fn first(bytes: &[u8]) -> Option<(usize, Option<Key>)> {
    let key = match *bytes.first()? {
        0x1b => return sequence(bytes),
        b'\r' | b'\n' => Key::Enter,
        b'\t' => Key::Tab,
        0x08 | 0x7f => Key::Backspace,
        control @ 1..0x1b => Key::Control(char::from(control + b'a' - 1)),
        0 | 0x1c..0x20 => return Some((1, None)),
        _ => return character(bytes),
    };
    Some((1, Some(key)))
}

fn character(bytes: &[u8]) -> Option<(usize, Option<Key>)> {
    let end = bytes.len().min(4);
    let (valid, error) = match std::str::from_utf8(&bytes[..end]) {
        Ok(text) => (text, None),
        Err(error) => (std::str::from_utf8(&bytes[..error.valid_up_to()]).ok()?, Some(error)),
    };
    match (valid.chars().next(), error.map(|error| error.error_len())) {
        (Some(c), _) => Some((c.len_utf8(), Some(Key::Char(c)))),
        // The rest of a character may be on its way.
        (None, Some(None)) => None,
        (None, _) => Some((1, None)),
    }
}

/// What begins with an escape: arrows and their kin, whatever is held down with them.
fn sequence(bytes: &[u8]) -> Option<(usize, Option<Key>)> {
    match bytes.get(1)? {
        b'[' | b'O' => {}
        0x1b => return Some((1, Some(Key::Escape))),
        // Alt and a key.
        _ => return Some((2, None)),
    }
    let end = 2 + bytes[2..].iter().position(|byte| (0x40..=0x7e).contains(byte))?;
    let number = bytes[2..end].split(|byte| *byte == b';').next().unwrap_or_default();
    let key = match (bytes[end], number) {
        (b'A', _) => Some(Key::Up),
        (b'B', _) => Some(Key::Down),
        (b'C', _) => Some(Key::Right),
        (b'D', _) => Some(Key::Left),
        (b'H', _) | (b'~', b"1" | b"7") => Some(Key::Home),
        (b'F', _) | (b'~', b"4" | b"8") => Some(Key::End),
        (b'~', b"5") => Some(Key::PageUp),
        (b'~', b"6") => Some(Key::PageDown),
        (b'Z', _) => Some(Key::BackTab),
        (b'M', _) if bytes[1] == b'O' => Some(Key::Enter),
        _ => None,
    };
    Some((end + 1, key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_keys() {
        let keys = |bytes: &[u8]| Typed::default().take(bytes);
        let arrows = b"\x1b[A\x1b[B\x1bOC\x1b[1;5D";
        assert_eq!(keys(arrows), [Key::Up, Key::Down, Key::Right, Key::Left]);
        let others = b"\x1b[5~\x1b[6~\x1b[H\x1b[4~\x1b[Z\t\r\x7f\x0c";
        let expected = [
            Key::PageUp,
            Key::PageDown,
            Key::Home,
            Key::End,
            Key::BackTab,
            Key::Tab,
            Key::Enter,
            Key::Backspace,
            Key::Control('l'),
        ];
        assert_eq!(keys(others), expected);
        assert_eq!(keys("g3é名".as_bytes()), ['g', '3', 'é', '名'].map(Key::Char));
        // A function key, Alt and a letter, and bytes that are no text mean nothing.
        assert_eq!(keys(b"\x1b[15~\x1bx\xff\0q"), [Key::Char('q')]);
    }

    #[test]
    fn keys_come_in_pieces() {
        let mut typed = Typed::default();
        assert_eq!(typed.take(b"\x1b"), []);
        assert_eq!(typed.take(b"["), []);
        assert_eq!(typed.take(b"A\xc3"), [Key::Up]);
        assert_eq!(typed.take(b"\xa9\x1b"), [Key::Char('é')]);
        assert_eq!(typed.rest(), Some(Key::Escape));
        assert_eq!(typed.rest(), None);
    }
}
