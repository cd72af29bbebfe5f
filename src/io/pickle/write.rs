//! Writing pickles of protocol 2, which every reader takes.

/// Operations, one behind the other. The order in which they make sense is the caller's.
#[derive(Debug)]
pub struct Writer {
    pub out: Vec<u8>,
}

impl Writer {
    #[allow(clippy::new_without_default)]
    pub fn new() -> Writer {
        Writer { out: vec![0x80, 2] }
    }

    /// The pickle, ended.
    pub fn finish(mut self) -> Vec<u8> {
        self.out.push(b'.');
        self.out
    }

    pub fn none(&mut self) {
        self.out.push(b'N');
    }

    pub fn flag(&mut self, value: bool) {
        self.out.push(if value { 0x88 } else { 0x89 });
    }

    pub fn int(&mut self, value: i64) {
        match i32::try_from(value) {
            Ok(small) => {
                self.out.push(b'J');
                self.out.extend(small.to_le_bytes());
            }
            Err(_) => {
                self.out.extend([0x8a, 8]);
                self.out.extend(value.to_le_bytes());
            }
        }
    }

    /// A number above [`i64::MAX`], too.
    pub fn wide(&mut self, value: u64) {
        match i64::try_from(value) {
            Ok(value) => self.int(value),
            Err(_) => {
                self.out.extend([0x8a, 9]);
                self.out.extend(value.to_le_bytes());
                self.out.push(0);
            }
        }
    }

    pub fn float(&mut self, value: f64) {
        self.out.push(b'G');
        self.out.extend(value.to_be_bytes());
    }

    pub fn text(&mut self, text: &str) {
        self.out.push(b'X');
        self.out.extend((text.len() as u32).to_le_bytes());
        self.out.extend(text.as_bytes());
    }

    /// A function or a class.
    pub fn global(&mut self, module: &str, name: &str) {
        self.out.push(b'c');
        for line in [module, name] {
            self.out.extend(line.as_bytes());
            self.out.push(b'\n');
        }
    }

    /// Writes or reads a memo's place, in the operation's short or long form.
    pub fn memo(&mut self, short: u8, long: u8, at: u32) {
        match u8::try_from(at) {
            Ok(at) => self.out.extend([short, at]),
            Err(_) => {
                self.out.push(long);
                self.out.extend(at.to_le_bytes());
            }
        }
    }

    /// Puts what was written last into a place of the memo.
    pub fn remember(&mut self, at: u32) {
        self.memo(b'q', b'r', at);
    }

    /// What stands in a place of the memo.
    pub fn recall(&mut self, at: u32) {
        self.memo(b'h', b'j', at);
    }
}
