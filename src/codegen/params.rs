//! The one argument of a kernel, `struct Params`: as C text and as bytes.
//!
//! A form lists its fields once, in a function over [`Fields`]; run with [`Text`] it declares them,
//! run with [`Bytes`] it fills them in, so that the two can't differ.

use std::fmt::Arguments;

use super::code::Code;
use super::index::Divisor;

/// What a list of fields is given to. Names are written only where text is wanted.
pub trait Fields {
    /// A pointer to elements of a C type.
    fn pointer(&mut self, ty: &str, name: Arguments<'_>, address: u64);
    fn u32(&mut self, name: Arguments<'_>, value: u32);
    fn i32(&mut self, name: Arguments<'_>, value: i32);
    fn u64(&mut self, name: Arguments<'_>, value: u64);
    fn i64(&mut self, name: Arguments<'_>, value: i64);
    fn divisor(&mut self, name: Arguments<'_>, value: usize);

    /// A stride, in the type in which the kernel computes places.
    fn stride(&mut self, name: Arguments<'_>, wide: bool, value: isize) {
        match wide {
            true => self.i64(name, value as i64),
            false => self.i32(name, value as i32),
        }
    }
}

/// Lays the fields out as C does: each at a multiple of its own size.
#[derive(Debug)]
pub struct Bytes(Vec<u8>);

impl Bytes {
    /// Begins with room for the three pointers that the device fills in.
    pub fn new() -> Bytes {
        let mut bytes = Vec::with_capacity(256);
        bytes.resize(24, 0);
        Bytes(bytes)
    }

    pub fn finish(mut self) -> Vec<u8> {
        self.align(8);
        self.0
    }

    fn align(&mut self, to: usize) {
        self.0.resize(self.0.len().next_multiple_of(to), 0);
    }

    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        self.align(N);
        self.0.extend(bytes);
    }
}

impl Default for Bytes {
    fn default() -> Bytes {
        Bytes::new()
    }
}

impl Fields for Bytes {
    fn pointer(&mut self, _: &str, _: Arguments<'_>, address: u64) {
        self.put(address.to_le_bytes());
    }

    fn u32(&mut self, _: Arguments<'_>, value: u32) {
        self.put(value.to_le_bytes());
    }

    fn i32(&mut self, _: Arguments<'_>, value: i32) {
        self.put(value.to_le_bytes());
    }

    fn u64(&mut self, _: Arguments<'_>, value: u64) {
        self.put(value.to_le_bytes());
    }

    fn i64(&mut self, _: Arguments<'_>, value: i64) {
        self.put(value.to_le_bytes());
    }

    fn divisor(&mut self, _: Arguments<'_>, value: usize) {
        let Divisor { value, multiplier, shift } = Divisor::new(value);
        self.put(value.to_le_bytes());
        self.put(multiplier.to_le_bytes());
        self.put(shift.to_le_bytes());
    }
}

/// Declares the fields.
#[derive(Debug)]
pub struct Text(Code);

impl Text {
    pub fn new() -> Text {
        let mut code = Code::new();
        code.open("struct Params");
        code.line("Fault* fault;");
        code.line("u8* scratch;");
        code.line("u32* counters;");
        Text(code)
    }

    pub fn finish(mut self) -> String {
        self.0.close_with("};");
        self.0.finish()
    }
}

impl Default for Text {
    fn default() -> Text {
        Text::new()
    }
}

impl Fields for Text {
    fn pointer(&mut self, ty: &str, name: Arguments<'_>, _: u64) {
        self.0.line(format_args!("{ty}* {name};"));
    }

    fn u32(&mut self, name: Arguments<'_>, _: u32) {
        self.0.line(format_args!("u32 {name};"));
    }

    fn i32(&mut self, name: Arguments<'_>, _: i32) {
        self.0.line(format_args!("i32 {name};"));
    }

    fn u64(&mut self, name: Arguments<'_>, _: u64) {
        self.0.line(format_args!("u64 {name};"));
    }

    fn i64(&mut self, name: Arguments<'_>, _: i64) {
        self.0.line(format_args!("i64 {name};"));
    }

    fn divisor(&mut self, name: Arguments<'_>, _: usize) {
        self.0.line(format_args!("Divisor {name};"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(fields: &mut impl Fields) {
        fields.pointer("const f32", format_args!("in{}", 0), 0x1122);
        fields.i32(format_args!("a"), -1);
        fields.i64(format_args!("b"), -2);
        fields.divisor(format_args!("dim"), 3);
    }

    #[test]
    fn fields_lie_as_c_lays_them() {
        let mut bytes = Bytes::new();
        some(&mut bytes);
        let bytes = bytes.finish();
        assert_eq!(bytes.len(), 64);
        assert_eq!(bytes[24..26], [0x22, 0x11]);
        assert_eq!(bytes[32..40], [255, 255, 255, 255, 0, 0, 0, 0]);
        assert_eq!(bytes[40..44], [254, 255, 255, 255]);
        assert_eq!(bytes[48], 3);
        let mut text = Text::new();
        some(&mut text);
        assert_eq!(
            text.finish(),
            "\
struct Params {
    Fault* fault;
    u8* scratch;
    u32* counters;
    const f32* in0;
    i32 a;
    i64 b;
    Divisor dim;
};
"
        );
    }
}
