//! The one argument of a kernel, `struct Params`: as C text and as bytes.
//!
//! A form lists its fields once, in a function over [`Fields`]; run with [`Text`] it declares them,
//! run with [`Bytes`] it fills them in, so that the two can't differ.

use std::fmt::{Arguments, Display};

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

/// How a kernel's text ends its head.
const ARGUMENT: &str = "(const Params p) {";

/// The head of a kernel, without its brace.
pub fn head(threads: impl Display, entry: &str) -> String {
    let argument = ARGUMENT.trim_end_matches(" {");
    format!("extern \"C\" __global__ void __launch_bounds__({threads}) {entry}{argument}")
}

/// A kernel's text for several launches as one: `blockIdx.z` says whose of `most` parameters a block's are, and the
/// name ends in `_many`. None where launches share memory beside their operands, or have uses for `z` themselves.
pub fn for_many(kernel: &str, most: usize) -> Option<String> {
    let is_own = |word: &str| kernel.contains(word);
    if ["p.fault", "p.scratch", "p.counters", "blockIdx.z", "gridDim.z"].into_iter().any(is_own) {
        return None;
    }
    let (before, body) = kernel.split_once(ARGUMENT)?;
    let (before, name) = before.split_at(before.rfind("extern")?);
    let all = format!("struct Many {{\n    Params all[{most}];\n}};\n\n");
    let pick = "    const Params p = many.all[blockIdx.z];";
    Some(format!("{before}{all}{name}_many(const Many many) {{\n{pick}{body}"))
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
    fn a_kernel_for_many_differs_in_its_head_only() {
        let kernel = |body: &str| {
            let head = head(512, "map");
            format!("struct Params {{\n    f32* out0;\n}};\n\n{head} {{\n    {body}\n}}\n")
        };
        let many = "\
struct Params {
    f32* out0;
};

struct Many {
    Params all[32];
};

extern \"C\" __global__ void __launch_bounds__(512) map_many(const Many many) {
    const Params p = many.all[blockIdx.z];
    *p.out0 = 1;
}
";
        assert_eq!(for_many(&kernel("*p.out0 = 1;"), 32).as_deref(), Some(many));
        let own = [
            "p.fault->kind = 1;",
            "p.scratch[0] = 1;",
            "p.counters[0] = 0;",
            "u32 i = blockIdx.z;",
        ];
        for body in own {
            assert_eq!(for_many(&kernel(body), 32), None, "{body}");
        }
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
