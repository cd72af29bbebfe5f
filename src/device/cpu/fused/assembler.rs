//! The few instructions of x86-64 that fused loops are made of, as bytes.
//!
//! Format: Intel, "64 and IA-32 Architectures Software Developer's Manual", volume 2, chapter 2.7 (EVEX).

/// How an instruction is encoded: which map of opcodes, which prefix stands before it, and the width of its vectors.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    pub map: u8,
    pub prefix: u8,
    pub is_wide: bool,
    /// 0, 1 or 2 for 128, 256 or 512 bits.
    pub width: u8,
}

/// No prefix, and the three that there are, as they are counted.
pub const NONE: u8 = 0;
pub const X66: u8 = 1;
pub const XF3: u8 = 2;
pub const XF2: u8 = 3;

impl Form {
    /// Of opcodes `0F`, 512 bits.
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
}

/// Which lanes are written: those of a mask, where there is one; others stay or become zero.
#[derive(Debug, Clone, Copy, Default)]
pub struct Under {
    pub mask: u8,
    pub zeroes: bool,
}

/// Code as it grows.
#[derive(Debug, Default)]
pub struct Code {
    pub bytes: Vec<u8>,
    /// Where four bytes wait for the distance to a word of the pool.
    waiting: Vec<(usize, u8)>,
}

impl Code {
    /// An instruction with a register, another operand that is a register, and one that may be in memory.
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
            Place::Pool(_) => (0, 0),
        };
        let high = bit(register, 3) << 7 | index << 6 | base << 5 | bit(register, 4) << 4;
        let wide = u8::from(form.is_wide) << 7;
        let zeroes = u8::from(under.zeroes) << 7;
        self.bytes.extend([
            0x62,
            (high ^ 0xf0) | form.map,
            wide | (!other & 15) << 3 | 4 | form.prefix,
            zeroes | form.width << 5 | (bit(other, 4) ^ 1) << 3 | under.mask,
            opcode,
        ]);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What GNU `as` makes of each instruction, from whatever processor this runs on; what stands behind, a number of
    /// one byte, is no part of the form.
    #[test]
    fn instructions_are_those_of_an_assembler() {
        let always = Under::default();
        let under = |mask, zeroes| Under { mask, zeroes };
        let lane = |base, scale| Place::Lane { base, scale };
        type Case = (&'static [u8], Form, u8, (u8, u8), Place, Under);
        let cases: [Case; 25] = [
            // vaddps zmm1, zmm2, zmm3
            (
                &[0x62, 0xf1, 0x6c, 0x48, 0x58, 0xcb],
                Form::first(NONE, false),
                0x58,
                (1, 2),
                Place::Register(3),
                always,
            ),
            // vaddpd zmm17, zmm30, zmm9
            (
                &[0x62, 0xc1, 0x8d, 0x40, 0x58, 0xc9],
                Form::first(X66, true),
                0x58,
                (17, 30),
                Place::Register(9),
                always,
            ),
            // vmovups zmm5{k1}{z}, [rdx+rax*4]
            (
                &[0x62, 0xf1, 0x7c, 0xc9, 0x10, 0x2c, 0x82],
                Form::first(NONE, false),
                0x10,
                (5, 0),
                lane(2, 2),
                under(1, true),
            ),
            // vmovupd [r9+rax*8]{k1}, zmm20
            (
                &[0x62, 0xc1, 0xfd, 0x49, 0x11, 0x24, 0xc1],
                Form::first(X66, true),
                0x11,
                (20, 0),
                lane(9, 3),
                under(1, false),
            ),
            // vcmpps k3{k7}, zmm4, zmm28, 17
            (
                &[0x62, 0x91, 0x5c, 0x4f, 0xc2, 0xdc, 0x11],
                Form::first(NONE, false),
                0xc2,
                (3, 4),
                Place::Register(28),
                under(7, false),
            ),
            // vblendmpd zmm8{k2}, zmm12, zmm25
            (
                &[0x62, 0x12, 0x9d, 0x4a, 0x65, 0xc1],
                Form::second(X66, true),
                0x65,
                (8, 12),
                Place::Register(25),
                under(2, false),
            ),
            // vcvtph2ps zmm6, [r8+rax*2]
            (
                &[0x62, 0xd2, 0x7d, 0x48, 0x13, 0x34, 0x40],
                Form::second(X66, false),
                0x13,
                (6, 0),
                lane(8, 1),
                always,
            ),
            // vpmovzxwd zmm6, [r11+rax*2]
            (
                &[0x62, 0xd2, 0x7d, 0x48, 0x33, 0x34, 0x43],
                Form::second(X66, false),
                0x33,
                (6, 0),
                lane(11, 1),
                always,
            ),
            // vcvtps2ph [rcx+rax*2]{k1}, zmm31, 0
            (
                &[0x62, 0x63, 0x7d, 0x49, 0x1d, 0x3c, 0x41, 0x00],
                Form::third(X66, false),
                0x1d,
                (31, 0),
                lane(1, 1),
                under(1, false),
            ),
            // vpsrld zmm3, zmm19, 16
            (
                &[0x62, 0xb1, 0x65, 0x48, 0x72, 0xd3, 0x10],
                Form::first(X66, false),
                0x72,
                (2, 3),
                Place::Register(19),
                always,
            ),
            // vpmullq zmm2, zmm3, zmm4
            (
                &[0x62, 0xf2, 0xe5, 0x48, 0x40, 0xd4],
                Form::second(X66, true),
                0x40,
                (2, 3),
                Place::Register(4),
                always,
            ),
            // vpsravd zmm2, zmm30, zmm14
            (
                &[0x62, 0xd2, 0x0d, 0x40, 0x46, 0xd6],
                Form::second(X66, false),
                0x46,
                (2, 30),
                Place::Register(14),
                always,
            ),
            // vpcmpd k2, zmm1, zmm31, 6
            (
                &[0x62, 0x93, 0x75, 0x48, 0x1f, 0xd7, 0x06],
                Form::third(X66, false),
                0x1f,
                (2, 1),
                Place::Register(31),
                always,
            ),
            // vpabsq zmm1, zmm16
            (
                &[0x62, 0xb2, 0xfd, 0x48, 0x1f, 0xc8],
                Form::second(X66, true),
                0x1f,
                (1, 0),
                Place::Register(16),
                always,
            ),
            // vrndscalepd zmm7, zmm15, 9
            (
                &[0x62, 0xd3, 0xfd, 0x48, 0x09, 0xff, 0x09],
                Form::third(X66, true),
                0x09,
                (7, 0),
                Place::Register(15),
                always,
            ),
            // vbroadcastss zmm31, [r10+rax]
            (
                &[0x62, 0x42, 0x7d, 0x48, 0x18, 0x3c, 0x02],
                Form::second(X66, false),
                0x18,
                (31, 0),
                lane(10, 0),
                always,
            ),
            // vmovdqu8 xmm3{k1}{z}, [rdx+rax]
            (
                &[0x62, 0xf1, 0x7f, 0x89, 0x6f, 0x1c, 0x02],
                Form::first(XF2, false).short(),
                0x6f,
                (3, 0),
                lane(2, 0),
                under(1, true),
            ),
            // vpmovm2b xmm4, k3
            (
                &[0x62, 0xf2, 0x7e, 0x08, 0x28, 0xe3],
                Form::second(XF3, false).short(),
                0x28,
                (4, 0),
                Place::Register(3),
                always,
            ),
            // vptestmb k2, xmm4, xmm4
            (
                &[0x62, 0xf2, 0x5d, 0x08, 0x26, 0xd4],
                Form::second(X66, false).short(),
                0x26,
                (2, 4),
                Place::Register(4),
                always,
            ),
            // vpmovdw [rcx+rax*2]{k1}, zmm3
            (
                &[0x62, 0xf2, 0x7e, 0x49, 0x33, 0x1c, 0x41],
                Form::second(XF3, false),
                0x33,
                (3, 0),
                lane(1, 1),
                under(1, false),
            ),
            // vmovq xmm3, [rdx+rax]: the one of its two encodings that a disassembler only reads
            (
                &[0x62, 0xf1, 0xfe, 0x08, 0x7e, 0x1c, 0x02],
                Form::first(XF3, true).short(),
                0x7e,
                (3, 0),
                lane(2, 0),
                always,
            ),
            // vfpclassps k7, zmm19, 0xa1
            (
                &[0x62, 0xb3, 0x7d, 0x48, 0x66, 0xfb, 0xa1],
                Form::third(X66, false),
                0x66,
                (7, 0),
                Place::Register(19),
                always,
            ),
            // vpternlogd zmm30{k7}, zmm30, zmm30, 255
            (
                &[0x62, 0x03, 0x0d, 0x47, 0x25, 0xf6, 0xff],
                Form::third(X66, false),
                0x25,
                (30, 30),
                Place::Register(30),
                under(7, false),
            ),
            // vcvtneps2bf16 ymm4, zmm19
            (
                &[0x62, 0xb2, 0x7e, 0x48, 0x72, 0xe3],
                Form::second(XF3, false),
                0x72,
                (4, 0),
                Place::Register(19),
                always,
            ),
            // vmovdqu16 [rcx+rax*2]{k1}, ymm20
            (
                &[0x62, 0xe1, 0xff, 0x29, 0x7f, 0x24, 0x41],
                Form { width: 1, ..Form::first(XF2, true) },
                0x7f,
                (20, 0),
                lane(1, 1),
                under(1, false),
            ),
        ];
        for (wanted, form, opcode, registers, place, under) in cases {
            let mut code = Code::default();
            code.vector(form, opcode, registers, place, under);
            assert!(wanted.len() - code.bytes.len() < 2, "{wanted:x?} {:x?}", code.bytes);
            assert_eq!(code.bytes, wanted[..code.bytes.len()]);
        }
        let mut code = Code::default();
        code.pointer(2, 1);
        code.pointer(9, 4);
        code.step(1, 7);
        code.step(10, 10);
        code.far_step(9, 0x108);
        code.far(0x3b, 0x108);
        assert_eq!(
            code.bytes,
            [
                0x48, 0x8b, 0x57, 0x08, 0x4c, 0x8b, 0x4f, 0x20, 0x48, 0x03, 0x4f, 0x38, 0x4c, 0x03,
                0x57, 0x50, 0x4c, 0x03, 0x8f, 0x08, 0x01, 0x00, 0x00, 0x48, 0x3b, 0x87, 0x08, 0x01,
                0x00, 0x00
            ]
        );
    }

    #[test]
    fn jumps_and_words_are_found_by_their_distance() {
        let mut code = Code::default();
        code.vector(Form::second(X66, true), 0x19, (31, 0), Place::Pool(1), Under::default());
        let out = code.jump(0x84, None);
        code.jump(0x82, Some(0));
        code.land(out, code.bytes.len());
        let bytes = code.with_pool(&[7, 9]);
        // vbroadcastsd zmm31, [rip + 22]; jz +6; jb -22; the words at multiples of eight
        assert_eq!(
            bytes[..22],
            [
                0x62, 0x62, 0xfd, 0x48, 0x19, 0x3d, 0x16, 0x00, 0x00, 0x00, 0x0f, 0x84, 0x06, 0x00,
                0x00, 0x00, 0x0f, 0x82, 0xea, 0xff, 0xff, 0xff
            ]
        );
        assert_eq!(bytes[24..], [7u64.to_le_bytes(), 9u64.to_le_bytes()].concat());
    }
}
