//! Which lanes something is so of: masks where there are registers for them, vectors of ones and zeroes where not.

use super::super::assembler::{Form, Place, Under, X66, XF2, XF3};
use super::{BETWEEN, Body, Home};
use crate::device::cpu::dispatch::Level;
use crate::ir::{BinaryOp, CompareOp};

/// Comparisons as the instruction counts them: false of a NaN, but for "not equal".
const UNORDERED: u8 = 3;
const ORDERED: u8 = 7;

/// Comparisons of floats as instructions count them.
fn predicate(op: CompareOp) -> u8 {
    match op {
        CompareOp::Eq => 0x00,
        CompareOp::Ne => 0x04,
        CompareOp::Lt => 0x11,
        CompareOp::Le => 0x12,
        CompareOp::Ge => 0x1d,
        CompareOp::Gt => 0x1e,
    }
}

/// The same of integers.
fn integer_predicate(op: CompareOp) -> u8 {
    match op {
        CompareOp::Eq => 0,
        CompareOp::Lt => 1,
        CompareOp::Le => 2,
        CompareOp::Ne => 4,
        CompareOp::Ge => 5,
        CompareOp::Gt => 6,
    }
}

impl Body<'_> {
    pub(super) fn has_masks(&self) -> bool {
        self.level == Level::Avx512
    }

    fn take_mask(&mut self) -> Option<u8> {
        if !self.has_masks() {
            return self.take_vector();
        }
        let number = self.masks.trailing_zeros() as u8;
        (number < 8).then(|| {
            self.masks &= !(1 << number);
            number
        })
    }

    pub(super) fn free_mask(&mut self, number: u8) {
        match self.has_masks() {
            true => self.masks |= 1 << number,
            false => self.free_vector(number),
        }
    }

    /// The mask of a value: one that was made, or bytes.
    pub(super) fn mask(&mut self, slot: u16) -> Option<u8> {
        match self.home(slot) {
            Some(Home::Mask(number)) => return Some(number),
            Some(_) => return None,
            None => {}
        }
        let place = self.lane(slot, 0)?;
        let mask = match self.has_masks() {
            true => self.mask_of_bytes(place)?,
            false => self.vector_of_bytes(place)?,
        };
        self.homes.push((slot, Home::Mask(mask)));
        Some(mask)
    }

    fn mask_of_bytes(&mut self, place: Place) -> Option<u8> {
        let (bytes, mask) = (self.take_vector()?, self.take_mask()?);
        let (form, opcode) = match self.is_wide && !self.is_masked {
            true => (Form::first(XF3, true).short(), 0x7e),
            false => (Form::first(XF2, false).short(), 0x6f),
        };
        self.code.vector(form, opcode, (bytes, 0), place, self.under(true));
        self.three(Form::second(X66, false).short(), 0x26, (mask, bytes), bytes);
        self.free_vector(bytes);
        Some(mask)
    }

    fn vector_of_bytes(&mut self, place: Place) -> Option<u8> {
        let (mask, zero) = (self.take_vector()?, self.take_vector()?);
        // vpmovzxbd or vpmovzxbq
        let opcode = if self.is_wide { 0x32 } else { 0x31 };
        self.code.vector(Form::second(X66, false), opcode, (mask, 0), place, Under::default());
        self.three(Form::first(X66, false), 0xef, (zero, zero), zero);
        self.greater(mask, (mask, zero));
        self.free_vector(zero);
        Some(mask)
    }

    /// Stores masks as a byte for each lane.
    pub(super) fn store_mask(&mut self, mask: u8, place: Place) -> Option<()> {
        let (bytes, under) = (self.take_vector()?, self.under(false));
        let short = |form: fn(u8, bool) -> Form| form(X66, false).short();
        if self.has_masks() {
            self.three(Form::second(XF3, false).short(), 0x28, (bytes, 0), mask);
            self.three(short(Form::second), 0x1c, (bytes, 0), bytes);
            let (form, opcode) = match self.is_wide && !self.is_masked {
                true => (Form::first(X66, true).short(), 0xd6),
                false => (Form::first(XF2, false).short(), 0x7f),
            };
            self.code.vector(form, opcode, (bytes, 0), place, under);
            return Some(());
        }
        // vextracti128
        self.three(Form::third(X66, false), 0x39, (mask, 0), bytes);
        self.code.bytes.push(1);
        if self.is_wide {
            // vshufps: the first half of each lane
            self.three(Form::first(super::NONE, false).short(), 0xc6, (bytes, mask), bytes);
            self.code.bytes.push(0x88);
            self.three(short(Form::first), 0x6b, (bytes, bytes), bytes);
        } else {
            self.three(short(Form::first), 0x6b, (bytes, mask), bytes);
        }
        // vpacksswb, vpabsb, and vmovd or vmovq
        self.three(short(Form::first), 0x63, (bytes, bytes), bytes);
        self.three(short(Form::second), 0x1c, (bytes, 0), bytes);
        let opcode = if self.is_wide { 0x7e } else { 0xd6 };
        self.code.vector(short(Form::first), opcode, (bytes, 0), place, under);
        Some(())
    }

    /// The mask of the lanes in which `a` and `b` are so.
    pub(super) fn comparison(
        &mut self,
        op: CompareOp,
        is_integer: bool,
        (a, b): (u8, u8),
    ) -> Option<u8> {
        let mask = self.take_mask()?;
        match (is_integer, self.has_masks()) {
            (false, _) => self.compare_floats(predicate(op), (mask, 0), (a, b)),
            (true, true) => {
                self.three(Form::third(X66, self.is_wide), 0x1f, (mask, a), b);
                self.code.bytes.push(integer_predicate(op));
            }
            (true, false) => {
                match op {
                    CompareOp::Eq | CompareOp::Ne => self.equal(mask, (a, b)),
                    CompareOp::Gt | CompareOp::Le => self.greater(mask, (a, b)),
                    CompareOp::Lt | CompareOp::Ge => self.greater(mask, (b, a)),
                }
                if matches!(op, CompareOp::Ne | CompareOp::Le | CompareOp::Ge) {
                    let ones = self.take_vector()?;
                    let bits = Form::first(X66, false);
                    self.three(bits, 0x76, (ones, ones), ones);
                    self.three(bits, 0xef, (mask, mask), ones);
                    self.free_vector(ones);
                }
            }
        }
        Some(mask)
    }

    /// Puts ones into the lanes of a vector in which two integers are equal.
    fn equal(&mut self, out: u8, operands: (u8, u8)) {
        let (form, opcode) = match self.is_wide {
            true => (Form::second(X66, false), 0x29),
            false => (Form::first(X66, false), 0x76),
        };
        self.three(form, opcode, (out, operands.0), operands.1);
    }

    /// Puts ones into the lanes of a vector in which the first of two integers is greater.
    pub(super) fn greater(&mut self, out: u8, operands: (u8, u8)) {
        let (form, opcode) = match self.is_wide {
            true => (Form::second(X66, false), 0x37),
            false => (Form::first(X66, false), 0x66),
        };
        self.three(form, opcode, (out, operands.0), operands.1);
    }

    fn compare_floats(&mut self, how: u8, (mask, within): (u8, u8), (a, b): (u8, u8)) {
        let under = Under { mask: within, zeroes: false };
        self.code.vector(self.floats(), 0xc2, (mask, a), Place::Register(b), under);
        self.code.bytes.push(how);
    }

    /// `and`, `or` or `xor` of two masks.
    pub(super) fn masks(&mut self, op: BinaryOp, (a, b): (u8, u8)) -> Option<u8> {
        let mask = self.take_mask()?;
        let [mask_opcode, vector_opcode] = match op {
            BinaryOp::BitAnd => [0x41, 0xdb],
            BinaryOp::BitOr => [0x45, 0xeb],
            _ => [0x47, 0xef],
        };
        if self.has_masks() {
            // kandw, korw or kxorw
            self.code.bytes.extend([0xc5, 0x84 | (!a & 15) << 3, mask_opcode]);
            self.code.bytes.push(0xc0 | mask << 3 | b);
        } else {
            self.three(Form::first(X66, false), vector_opcode, (mask, a), b);
        }
        Some(mask)
    }

    /// Lanes of `a` where a mask says so, and of `b` elsewhere.
    pub(super) fn choose(&mut self, mask: u8, out: u8, (a, b): (u8, u8)) {
        if self.has_masks() {
            let (form, under) = (Form::second(X66, self.is_wide), Under { mask, zeroes: false });
            return self.code.vector(form, 0x65, (out, b), Place::Register(a), under);
        }
        // vblendvps or vblendvpd
        self.three(Form::third(X66, false), 0x4a | u8::from(self.is_wide), (out, b), a);
        self.code.bytes.push(mask << 4);
    }

    /// Puts lanes of `b` into a register where they are NaN and those of `a` are not.
    pub(super) fn keep_first_nan(&mut self, out: u8, (a, b): (u8, u8)) -> Option<()> {
        if self.has_masks() {
            self.compare_floats(UNORDERED, (BETWEEN, 0), (b, b));
            self.compare_floats(ORDERED, (BETWEEN, BETWEEN), (a, a));
            let under = Under { mask: BETWEEN, zeroes: false };
            self.code.vector(self.floats(), 0x10, (out, 0), Place::Register(b), under);
            return Some(());
        }
        let (nan, other) = (self.take_vector()?, self.take_vector()?);
        self.compare_floats(UNORDERED, (nan, 0), (b, b));
        self.compare_floats(ORDERED, (other, 0), (a, a));
        self.three(Form::first(X66, false), 0xdb, (nan, nan), other);
        self.choose(nan, out, (b, out));
        self.free_vector(nan);
        self.free_vector(other);
        Some(())
    }

    /// Puts `x` with more bits set into the lanes of a register where `x` is NaN.
    pub(super) fn keep_nan(&mut self, out: u8, x: u8, bits: u8) -> Option<()> {
        let form = Form::first(X66, false);
        if self.has_masks() {
            self.compare_floats(UNORDERED, (BETWEEN, 0), (x, x));
            let under = Under { mask: BETWEEN, zeroes: false };
            self.code.vector(form, 0xeb, (out, x), Place::Register(bits), under);
            return Some(());
        }
        let (nan, quiet) = (self.take_vector()?, self.take_vector()?);
        self.compare_floats(UNORDERED, (nan, 0), (x, x));
        self.three(form, 0xeb, (quiet, x), bits);
        self.choose(nan, out, (quiet, out));
        self.free_vector(nan);
        self.free_vector(quiet);
        Some(())
    }

    /// Jumps, unless any lane of a register is of some kinds: gives the place that is to say where.
    pub(super) fn unless_any(&mut self, x: u8, kinds: u8) -> usize {
        self.code.class(self.is_wide, BETWEEN, x, kinds);
        // kortestw k7, k7; jz
        self.code.bytes.extend([0xc5, 0xf8, 0x98, 0xff]);
        self.code.jump(0x84, None)
    }
}
