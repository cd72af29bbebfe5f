//! The few instructions of x86-64 that fused loops are made of, as bytes.
//!
//! Format: Intel, "64 and IA-32 Architectures Software Developer's Manual", volume 2, chapters 2.3 (VEX) and 2.7 (EVEX).
//! Where both have an instruction, they mostly have it under one opcode.

use super::super::dispatch::Level;

/// How an instruction is encoded: which map of opcodes, which prefix stands before it, and the width of its vectors.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    pub map: u8,
    pub prefix: u8,
    pub is_wide: bool,
    /// 0, 1 or 2 for 128 bits, half a vector, or a whole one.
    pub width: u8,
}

/// No prefix, and the three that there are, as they are counted.
pub const NONE: u8 = 0;
pub const X66: u8 = 1;
pub const XF3: u8 = 2;
pub const XF2: u8 = 3;

impl Form {
    /// Of opcodes `0F`, for whole vectors.
    pub const fn first(prefix: u8, is_wide: bool) -> Form {
        Form { map: 1, prefix, is_wide, width: 2 }
    }

    /// Of opcodes `0F 38`.
    pub const fn second(prefix: u8, is_wide: bool) -> Form {
        Form { map: 2, prefix, is_wide, width: 2 }
    }

    /// Of opcodes `0F 3A`.
    pub const fn third(prefix: u8, is_wide: bool) -> Form {
        Form { map: 3, prefix, is_wide, width: 2 }
    }

    /// The same for vectors of 128 bits.
    pub const fn short(self) -> Form {
        Form { width: 0, ..self }
    }

    /// The same for half a vector.
    pub const fn half(self) -> Form {
        Form { width: 1, ..self }
    }
}

/// The operand that may lie in memory.
#[derive(Debug, Clone, Copy)]
pub enum Place {
    Register(u8),
    /// At `base + lane << scale`; the lane's number is in `rax`.
    Lane {
        base: u8,
        scale: u8,
    },
    /// A word behind the code, by its number.
    Pool(u8),
    /// So many bytes from where `rdi` points.
    Table(u32),
    /// So many more as `rax` says.
    Moved(u32),
}

/// Which lanes are written: those of a mask, where there is one; others stay or become zero.
#[derive(Debug, Clone, Copy, Default)]
pub struct Under {
    pub mask: u8,
    pub zeroes: bool,
}

/// Code as it grows.
#[derive(Debug)]
pub struct Code {
    level: Level,
    pub bytes: Vec<u8>,
    /// Where four bytes wait for the distance to a word of the pool.
    waiting: Vec<(usize, u8)>,
}

impl Code {
    /// For a processor that has vectors of 512 bits, or of 256.
    pub fn new(level: Level) -> Code {
        Code { level, bytes: Vec::new(), waiting: Vec::new() }
    }

    pub fn level(&self) -> Level {
        self.level
    }

    /// An instruction with a register, another operand that is a register, and one that may be in memory. Vectors of 256
    /// bits have sixteen registers and no masks.
    pub fn vector(
        &mut self,
        form: Form,
        opcode: u8,
        (register, other): (u8, u8),
        place: Place,
        under: Under,
    ) {
        let bit = |number: u8, at: u8| number >> at & 1;
        let (index, base) = match place {
            Place::Register(number) => (bit(number, 4), bit(number, 3)),
            Place::Lane { base, .. } => (0, bit(base, 3)),
            Place::Pool(_) | Place::Table(_) | Place::Moved(_) => (0, 0),
        };
        let high = (bit(register, 3) << 7 | index << 6 | base << 5) ^ 0xe0;
        let second = u8::from(form.is_wide) << 7 | (!other & 15) << 3 | form.prefix;
        if self.level == Level::Avx512 {
            let zeroes = u8::from(under.zeroes) << 7;
            let highest = (bit(register, 4) ^ 1) << 4;
            let last = zeroes | form.width << 5 | (bit(other, 4) ^ 1) << 3 | under.mask;
            self.bytes.extend([0x62, high | highest | form.map, second | 4, last, opcode]);
        } else {
            debug_assert!(register < 16 && other < 16 && index == 0 && under.mask == 0);
            let is_whole = u8::from(form.width == 2) << 2;
            self.bytes.extend([0xc4, high | form.map, second | is_whole, opcode]);
        }
        let middle = (register & 7) << 3;
        match place {
            Place::Register(number) => self.bytes.push(0xc0 | middle | number & 7),
            // With `rax` as what is scaled.
            Place::Lane { base, scale } => self.bytes.extend([middle | 4, scale << 6 | base & 7]),
            Place::Pool(word) => {
                self.bytes.push(middle | 5);
                self.waiting.push((self.bytes.len(), word));
                self.bytes.extend([0; 4]);
            }
            Place::Table(offset) => {
                self.bytes.push(0x87 | middle);
                self.bytes.extend(offset.to_le_bytes());
            }
            Place::Moved(offset) => {
                self.bytes.extend([0x84 | middle, 0x07]);
                self.bytes.extend(offset.to_le_bytes());
            }
        }
    }

    /// A pointer from the table that `rdi` points at.
    pub fn pointer(&mut self, register: u8, number: u8) {
        let rex = 0x48 | (register >> 3) << 2;
        self.bytes.extend([rex, 0x8b, 0x47 | (register & 7) << 3, number * 8]);
    }

    /// Adds a number of the table that `rdi` points at to a register.
    pub fn step(&mut self, register: u8, number: u8) {
        let rex = 0x48 | (register >> 3) << 2;
        self.bytes.extend([rex, 0x03, 0x47 | (register & 7) << 3, number * 8]);
    }

    /// The same of a number that lies so many bytes from there.
    pub fn far_step(&mut self, register: u8, offset: usize) {
        let rex = 0x48 | (register >> 3) << 2;
        self.bytes.extend([rex, 0x03, 0x87 | (register & 7) << 3]);
        self.bytes.extend((offset as u32).to_le_bytes());
    }

    /// What an instruction does with `rax` and a number that lies so many bytes from where `rdi` points.
    pub fn far(&mut self, opcode: u8, offset: usize) {
        self.bytes.extend([0x48, opcode, 0x87]);
        self.bytes.extend((offset as u32).to_le_bytes());
    }

    /// A jump to a place before, or, for `to` of none, one whose distance is still to be said: gives the place of it.
    pub fn jump(&mut self, opcode: u8, to: Option<usize>) -> usize {
        self.bytes.extend([0x0f, opcode, 0, 0, 0, 0]);
        let end = self.bytes.len();
        if let Some(to) = to {
            self.land(end, to);
        }
        end
    }

    /// A jump without a condition, whose distance is still to be said: gives the place of it.
    pub fn leap(&mut self) -> usize {
        self.bytes.extend([0xe9, 0, 0, 0, 0]);
        self.bytes.len()
    }

    /// Does nothing up to a multiple of so many bytes.
    pub fn align(&mut self, bytes: usize) {
        while !self.bytes.len().is_multiple_of(bytes) {
            let nop: &[u8] = match bytes - self.bytes.len() % bytes {
                1 => &[0x90],
                2 => &[0x66, 0x90],
                3..8 => &[0x0f, 0x1f, 0x00],
                _ => &[0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0],
            };
            self.bytes.extend(nop);
        }
    }

    /// Puts into a mask which lanes of a register are of some kinds, which have a bit each.
    pub fn class(&mut self, is_wide: bool, mask: u8, register: u8, kinds: u8) {
        let place = Place::Register(register);
        self.vector(Form::third(X66, is_wide), 0x66, (mask, 0), place, Under::default());
        self.bytes.push(kinds);
    }

    /// Says where a jump that ends at `end` goes.
    pub fn land(&mut self, end: usize, to: usize) {
        let distance = (to as i32).wrapping_sub(end as i32);
        self.bytes[end - 4..end].copy_from_slice(&distance.to_le_bytes());
    }

    /// The code with the words that it reads behind it.
    pub fn with_pool(mut self, words: &[u64]) -> Vec<u8> {
        let pool = self.bytes.len().next_multiple_of(8);
        self.bytes.resize(pool, 0xcc);
        for (at, word) in std::mem::take(&mut self.waiting) {
            self.land(at + 4, pool + usize::from(word) * 8);
        }
        self.bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        self.bytes
    }
}
