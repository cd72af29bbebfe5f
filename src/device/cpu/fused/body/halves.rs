//! Numbers of 16 bits, which are computed with as float32.

use half::f16;

use super::super::assembler::{Form, X66, XF3};
use super::{Act, Body, DENORMAL, Node};
use crate::dtype::DType;

impl Body<'_> {
    /// Whether a value has no more digits than one of a 16-bit type.
    pub(super) fn is_of(&self, half: DType, slot: u16) -> bool {
        if let Some((_, bits)) = self.consts.iter().find(|(own, _)| *own == slot) {
            let number = f32::from_bits(*bits as u32);
            return match half {
                DType::F16 => f16::from_f32(number).to_f32() == number,
                _ => *bits & 0xffff == 0,
            };
        }
        self.nodes.iter().filter(|node| node.out == slot).any(|node| {
            let is_made = matches!(node.deed.act, Act::Widen(own) | Act::Round(own) if own == half);
            is_made || node.deed.rounded == Some(half)
        })
    }

    /// Whether all that reads what a node makes rounds it to bfloat16.
    pub(super) fn is_rounded(&self, node: &Node) -> bool {
        let half = DType::BF16;
        let rounds = |reader: &Node| reader.deed.act == Act::Round(half);
        let mut readers =
            self.nodes.iter().filter(|reader| reader.operands.contains(&node.out)).peekable();
        node.deed.rounded == Some(half)
            || readers.peek().is_some()
                && readers.all(|reader| rounds(reader) || reader.deed.act == Act::Narrow(half))
    }

    /// Bits of 32-bit lanes moved by 16, left for `way` of 6 and right for 2.
    pub(super) fn shift(&mut self, way: u8, to: u8, from: u8) {
        self.three(Form::first(X66, false), 0x72, (way, to), from);
        self.code.bytes.push(16);
    }

    /// The bits of a rounding to bfloat16, ties to even, above 16 more that are to be let go of.
    pub(super) fn bfloat16(&mut self, x: u8) -> Option<u8> {
        let bits = Form::first(X66, false);
        let (one, most) = (self.constant(1)?, self.constant(0x7fff)?);
        let quiet = self.constant(0x40_0000)?;
        let out = self.take_vector()?;
        self.shift(2, out, x);
        self.three(bits, 0xdb, (out, out), one);
        self.three(bits, 0xfe, (out, out), x);
        self.three(bits, 0xfe, (out, out), most);
        // A NaN stays one.
        self.keep_nan(out, x, quiet)?;
        Some(out)
    }

    /// The words of a rounding to bfloat16, in the first half of a register.
    pub(super) fn bfloat16_words(&mut self, x: u8) -> Option<u8> {
        if !self.has_bfloat16 {
            let out = self.bfloat16(x)?;
            self.first_words(out)?;
            return Some(out);
        }
        // The instruction takes numbers below the normal ones for zeros.
        let plain = self.unless_any(x, DENORMAL);
        let out = self.bfloat16(x)?;
        self.first_words(out)?;
        let done = self.code.leap();
        self.code.land(plain, self.code.bytes.len());
        // vcvtneps2bf16
        self.three(Form::second(XF3, false), 0x72, (out, 0), x);
        self.code.land(done, self.code.bytes.len());
        Some(out)
    }

    fn first_words(&mut self, bits: u8) -> Option<()> {
        self.shift(2, bits, bits);
        if self.has_masks() {
            // vpmovdw
            self.three(Form::second(XF3, false), 0x33, (bits, 0), bits);
            return Some(());
        }
        let upper = self.take_vector()?;
        // vextracti128, vpackusdw
        self.three(Form::third(X66, false), 0x39, (bits, 0), upper);
        self.code.bytes.push(1);
        self.three(Form::second(X66, false).half(), 0x2b, (bits, bits), upper);
        self.free_vector(upper);
        Some(())
    }

    pub(super) fn round(&mut self, half: DType, x: u8) -> Option<u8> {
        if half == DType::BF16 {
            let high = self.constant(0xffff_0000)?;
            let out = self.bfloat16(x)?;
            self.three(Form::first(X66, false), 0xdb, (out, out), high);
            return Some(out);
        }
        let out = self.take_vector()?;
        self.three(Form::third(X66, false), 0x1d, (x, 0), out);
        self.code.bytes.push(0);
        self.three(Form::second(X66, false), 0x13, (out, 0), out);
        Some(out)
    }
}
