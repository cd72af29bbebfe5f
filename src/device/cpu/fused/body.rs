//! What a fused loop does to one vector of lanes.

mod halves;
mod integers;
mod masks;
mod quotients;

pub(super) use self::quotients::Divisor;
use super::super::dispatch::{Level, has_bfloat16};
use super::assembler::{Code, Form, NONE, Place, Under, X66, XF2, XF3};
use super::{Act, Node, POINTERS};
use crate::dtype::DType;
use crate::ir::{BinaryOp, UnaryOp};

/// Where a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Home {
    Vector(u8),
    Mask(u8),
    /// In a register that is not to be freed.
    Constant(u8),
}

/// The mask of the lanes that are left over.
pub(super) const REST: u8 = 1;
/// A mask for what an instruction needs between.
const BETWEEN: u8 = 7;

/// Kinds of numbers, as the instruction that tells them counts them.
const NAN: u8 = 0x81;
const DENORMAL: u8 = 0x20;
const NOT_NORMAL: u8 = 0xbf;

/// What fills a register before the loop begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    Word(u64),
    /// The one lane that this register points at, of a 16-bit float where it says so.
    Lane(u8, Option<DType>),
    /// `1 / x` of a divisor that is the same in all lanes.
    High(Divisor),
    /// What that leaves; it lies in this register.
    Low(Divisor, u8),
    /// Which numbers may be multiplied by them.
    Limit(Divisor),
}

/// Where what the last node has made is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    Lanes,
    /// There, but around the caches.
    Around,
    /// So many bytes from where `rdi` points.
    Table(u32),
}

/// How many vectors a processor holds.
const fn registers(level: Level) -> usize {
    if matches!(level, Level::Avx512) { 32 } else { 16 }
}

/// Where words that are the same in all lanes are, by their numbers: from the last register down.
pub(super) const fn pool_register(level: Level, number: usize) -> u8 {
    (registers(level) - 1 - number) as u8
}

pub(super) struct Body<'a> {
    level: Level,
    nodes: &'a [Node],
    consts: &'a [(u16, u64)],
    inputs: &'a [u16],
    /// Which inputs are one value, a bit each.
    still: usize,
    is_masked: bool,
    /// Whether lines are long enough for what it takes to divide all of one by one number.
    is_long: bool,
    is_wide: bool,
    has_bfloat16: bool,
    /// What fills a register each.
    pool: &'a mut Vec<Known>,
    code: Code,
    homes: Vec<(u16, Home)>,
    /// Registers that are free: a bit each.
    vectors: u32,
    /// The highest one that was ever taken.
    most: u8,
    masks: u8,
    /// How many nodes are done.
    done: usize,
}

impl<'a> Body<'a> {
    pub(super) fn new(
        level: Level,
        nodes: &'a [Node],
        consts: &'a [(u16, u64)],
        (inputs, still): (&'a [u16], usize),
        (is_masked, is_long): (bool, bool),
        pool: &'a mut Vec<Known>,
    ) -> Body<'a> {
        let is_wide = nodes.first().is_some_and(|node| node.deed.is_wide);
        let (code, homes, masks) = (Code::new(level), Vec::new(), 0b0111_1100);
        let vectors = if registers(level) < 32 { (1 << registers(level)) - 1 } else { u32::MAX };
        Body {
            level,
            nodes,
            consts,
            inputs,
            still,
            is_masked,
            is_long,
            is_wide,
            has_bfloat16: level == Level::Avx512 && has_bfloat16(),
            pool,
            code,
            homes,
            vectors,
            most: 0,
            masks,
            done: 0,
        }
    }

    /// Leaves the first registers to others; and says how wide lanes are, which no node may say.
    pub(super) fn reserve(&mut self, registers: u8, is_wide: bool) {
        self.vectors &= u32::MAX << registers;
        (self.most, self.is_wide) = (registers.saturating_sub(1), is_wide);
    }

    /// The code without a store, and the register of a value.
    pub(super) fn finish_in_register(mut self, slot: u16) -> Option<(Code, u8)> {
        let register = self.vector(slot)?;
        Some((self.code, register))
    }

    fn take_vector(&mut self) -> Option<u8> {
        let number = self.vectors.trailing_zeros() as u8;
        // Constants fill registers from behind.
        let is_free = usize::from(number) + self.pool.len() < registers(self.level);
        is_free.then(|| {
            self.vectors &= !(1 << number);
            self.most = self.most.max(number);
            number
        })
    }

    fn free_vector(&mut self, number: u8) {
        self.vectors |= 1 << number;
    }

    /// A register that has these bits in all lanes.
    fn constant(&mut self, bits: u64) -> Option<u8> {
        self.known(Known::Word(bits))
    }

    fn known(&mut self, known: Known) -> Option<u8> {
        let number = match self.pool.iter().position(|own| *own == known) {
            Some(number) => number,
            None => {
                let number = self.pool.len();
                let is_free = number < 16 && self.most < pool_register(self.level, number);
                is_free.then(|| self.pool.push(known))?;
                number
            }
        };
        Some(pool_register(self.level, number))
    }

    /// The bits of a float of the lanes' type.
    fn float(&self, value: f32) -> u64 {
        if self.is_wide { f64::from(value).to_bits() } else { u64::from(value.to_bits()) }
    }

    fn sign(&self) -> u64 {
        if self.is_wide { 1 << 63 } else { 1 << 31 }
    }

    /// A value that is known and no NaN.
    fn number(&self, slot: u16) -> Option<f64> {
        let (_, bits) = self.consts.iter().find(|(own, _)| *own == slot)?;
        let number = match self.is_wide {
            true => f64::from_bits(*bits),
            false => f64::from(f32::from_bits(*bits as u32)),
        };
        (!number.is_nan()).then_some(number)
    }

    fn under(&self, zeroes: bool) -> Under {
        if self.is_masked { Under { mask: REST, zeroes } } else { Under::default() }
    }

    fn lane(&self, slot: u16, scale: u8) -> Option<Place> {
        let number = self.inputs.iter().position(|own| *own == slot)?;
        (self.still >> number & 1 == 0).then_some(Place::Lane { base: POINTERS[number], scale })
    }

    /// The register of an input that is one value.
    fn still(&mut self, slot: u16, half: Option<DType>) -> Option<u8> {
        let number = self.inputs.iter().position(|own| *own == slot)?;
        self.known(Known::Lane(POINTERS[number], half))
    }

    /// Whether something is the same in all lanes, and lines are long enough to make use of that.
    fn is_one(&self, slot: u16) -> bool {
        let is_const = self.consts.iter().any(|(own, _)| *own == slot);
        let is_held = matches!(self.home(slot), Some(Home::Constant(_)));
        self.is_long && (is_const || is_held || self.is_still(slot))
    }

    fn is_still(&self, slot: u16) -> bool {
        let number = self.inputs.iter().position(|own| *own == slot);
        number.is_some_and(|number| self.still >> number & 1 == 1)
    }

    /// Where floats of the lanes' type are told apart by a prefix.
    fn floats(&self) -> Form {
        Form::first(if self.is_wide { X66 } else { NONE }, self.is_wide)
    }

    fn three(&mut self, form: Form, opcode: u8, registers: (u8, u8), last: u8) {
        self.code.vector(form, opcode, registers, Place::Register(last), Under::default());
    }

    fn home(&self, slot: u16) -> Option<Home> {
        self.homes.iter().find(|(own, _)| *own == slot).map(|(_, home)| *home)
    }

    /// The register of a value, which is loaded if it has none yet.
    fn vector(&mut self, slot: u16) -> Option<u8> {
        if let Some(home) = self.home(slot) {
            return match home {
                Home::Vector(number) | Home::Constant(number) => Some(number),
                Home::Mask(_) => None,
            };
        }
        if let Some((_, bits)) = self.consts.iter().find(|(own, _)| *own == slot) {
            let bits = if self.is_wide { *bits } else { *bits & u64::from(u32::MAX) };
            let number = self.constant(bits)?;
            self.homes.push((slot, Home::Constant(number)));
            return Some(number);
        }
        if self.is_still(slot) {
            let number = self.still(slot, None)?;
            self.homes.push((slot, Home::Constant(number)));
            return Some(number);
        }
        let place = self.lane(slot, if self.is_wide { 3 } else { 2 })?;
        let number = self.take_vector()?;
        self.code.vector(self.floats(), 0x10, (number, 0), place, self.under(true));
        self.homes.push((slot, Home::Vector(number)));
        Some(number)
    }

    /// Does what a node does. None if there are too few registers, or no instructions.
    pub(super) fn node(&mut self, node: &Node) -> Option<()> {
        let home = match (node.deed.act, &node.operands[..]) {
            (Act::Compare(op), [a, b]) => {
                let (a, b) = (self.vector(*a)?, self.vector(*b)?);
                Home::Mask(self.comparison(op, node.deed.is_integer, (a, b))?)
            }
            (Act::Masks(op), [a, b]) => {
                let (a, b) = (self.mask(*a)?, self.mask(*b)?);
                Home::Mask(self.masks(op, (a, b))?)
            }
            (Act::Narrow(half), [a]) => {
                let a = self.vector(*a)?;
                match half {
                    // Stored as it is rounded.
                    DType::F16 => Home::Constant(a),
                    _ => Home::Vector(self.bfloat16_words(a)?),
                }
            }
            (Act::Widen(half), [a]) if self.is_still(*a) => {
                Home::Constant(self.still(*a, Some(half))?)
            }
            (act, operands) => {
                let made = match (act, operands) {
                    (Act::Unary(op), [a]) if node.deed.is_integer => self.integer(op, *a)?,
                    (Act::Binary(op), [a, b]) if node.deed.is_integer => {
                        self.integers(op, (*a, *b))?
                    }
                    (Act::Binary(BinaryOp::Div), [a, b])
                        if self.is_one(*b) && !self.is_one(*a) && !self.is_masked =>
                    {
                        self.quotient(node)?
                    }
                    _ => self.lanes(act, operands)?,
                };
                match node.deed.rounded {
                    None => Home::Vector(made),
                    Some(half) => {
                        let rounded = self.round(half, made)?;
                        self.free_vector(made);
                        Home::Vector(rounded)
                    }
                }
            }
        };
        self.done += 1;
        let nodes = self.nodes;
        let later = &nodes[self.done..];
        let is_over = |slot: u16| !later.iter().any(|node| node.operands.contains(&slot));
        // What the last one stores may be in its operand's register.
        for slot in node.operands.iter().filter(|slot| !later.is_empty() && is_over(**slot)) {
            if let Some(at) = self.homes.iter().position(|(own, _)| own == slot) {
                match self.homes.remove(at).1 {
                    Home::Vector(number) => self.free_vector(number),
                    Home::Mask(number) => self.free_mask(number),
                    Home::Constant(_) => {}
                }
            }
        }
        self.homes.push((node.out, home));
        Some(())
    }

    /// The vector that an act makes of vectors.
    fn lanes(&mut self, act: Act, operands: &[u16]) -> Option<u8> {
        match (act, operands) {
            (Act::Unary(op), [a]) => {
                let a = self.vector(*a)?;
                self.unary(op, a)
            }
            (Act::Binary(op), [a, b]) => self.binary(op, (*a, *b)),
            (Act::Select, [condition, a, b]) => {
                let mask = self.mask(*condition)?;
                let (a, b) = (self.vector(*a)?, self.vector(*b)?);
                let out = self.take_vector()?;
                self.choose(mask, out, (a, b));
                Some(out)
            }
            (Act::Widen(half), [a]) => {
                let place = self.lane(*a, 1)?;
                let out = self.take_vector()?;
                let opcode = if half == DType::F16 { 0x13 } else { 0x33 };
                let form = Form::second(X66, false);
                self.code.vector(form, opcode, (out, 0), place, self.under(true));
                if half == DType::BF16 {
                    self.shift(6, out, out);
                }
                Some(out)
            }
            (Act::Round(half), [a]) => {
                let a = self.vector(*a)?;
                self.round(half, a)
            }
            _ => None,
        }
    }

    fn unary(&mut self, op: UnaryOp, a: u8) -> Option<u8> {
        let (floats, wide) = (self.floats(), self.is_wide);
        let with = match op {
            UnaryOp::Neg => Some(self.constant(self.sign())?),
            UnaryOp::Abs if wide => Some(self.constant(!self.sign())?),
            UnaryOp::Abs => Some(self.constant(self.sign() - 1)?),
            UnaryOp::Reciprocal => Some(self.constant(self.float(1.0))?),
            _ => None,
        };
        let out = self.take_vector()?;
        let rounds_to = match op {
            UnaryOp::Round => Some(8),
            UnaryOp::Floor => Some(9),
            UnaryOp::Ceil => Some(10),
            UnaryOp::Trunc => Some(11),
            _ => None,
        };
        match (op, with, rounds_to) {
            (UnaryOp::Neg, Some(with), _) => {
                self.three(Form::first(X66, wide), 0xef, (out, a), with);
            }
            (UnaryOp::Abs, Some(with), _) => {
                self.three(Form::first(X66, wide), 0xdb, (out, a), with);
            }
            (UnaryOp::Reciprocal, Some(one), _) => self.three(floats, 0x5e, (out, one), a),
            (UnaryOp::Square, ..) => self.three(floats, 0x59, (out, a), a),
            (UnaryOp::Sqrt, ..) => self.three(floats, 0x51, (out, 0), a),
            (_, _, Some(way)) => {
                let opcode = if wide { 0x09 } else { 0x08 };
                self.three(Form::third(X66, wide), opcode, (out, 0), a);
                self.code.bytes.push(way);
            }
            _ => return None,
        }
        Some(out)
    }

    fn binary(&mut self, op: BinaryOp, (left, right): (u16, u16)) -> Option<u8> {
        let (a, b) = (self.vector(left)?, self.vector(right)?);
        let out = self.take_vector()?;
        let floats = self.floats();
        let opcode = match op {
            BinaryOp::Add => 0x58,
            BinaryOp::Mul => 0x59,
            BinaryOp::Sub => 0x5c,
            BinaryOp::Min => 0x5d,
            BinaryOp::Div => 0x5e,
            BinaryOp::Max => 0x5f,
            _ => return None,
        };
        if !matches!(op, BinaryOp::Min | BinaryOp::Max) {
            self.three(floats, opcode, (out, a), b);
            return Some(out);
        }
        // Of equals, and of a NaN and another number, the instruction takes the second, and we the first and the NaN.
        if self.number(left).is_some_and(|number| number != 0.0) {
            self.three(floats, opcode, (out, a), b);
            return Some(out);
        }
        self.three(floats, opcode, (out, b), a);
        if self.number(right).is_none() {
            self.keep_first_nan(out, (a, b))?;
        }
        Some(out)
    }

    /// Stores what the last node has made, and gives the code.
    pub(super) fn finish(mut self, last: &Node, goal: Goal) -> Option<Code> {
        let base = POINTERS[self.inputs.len()];
        let place = |scale: u8| match goal {
            Goal::Table(offset) => Place::Table(offset),
            Goal::Lanes | Goal::Around => Place::Lane { base, scale },
        };
        let under = self.under(false);
        match (self.home(last.out)?, last.deed.act) {
            (Home::Mask(mask), _) => self.store_mask(mask, place(0))?,
            (Home::Constant(from) | Home::Vector(from), Act::Narrow(DType::F16)) => {
                self.code.vector(Form::third(X66, false), 0x1d, (from, 0), place(1), under);
                self.code.bytes.push(0);
            }
            (Home::Vector(from), Act::Narrow(_)) => {
                // vmovdqu16 or vmovdqu
                let prefix = if self.has_masks() { XF2 } else { XF3 };
                let words = Form::first(prefix, self.has_masks()).half();
                self.code.vector(words, 0x7f, (from, 0), place(1), under);
            }
            (Home::Vector(from), _) => {
                let scale = if self.is_wide { 3 } else { 2 };
                let opcode = if goal == Goal::Around && !self.is_masked { 0x2b } else { 0x11 };
                self.code.vector(self.floats(), opcode, (from, 0), place(scale), under);
            }
            (Home::Constant(_), _) => return None,
        }
        Some(self.code)
    }
}
