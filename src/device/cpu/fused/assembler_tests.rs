//! Instructions against those of an assembler.

use super::assembler::*;
use crate::device::cpu::dispatch::Level;

type Case<'a> = (&'a [u8], Form, u8, (u8, u8), Place, Under);

/// What stands behind an instruction, a number of one byte, is no part of the form.
fn check(level: Level, cases: &[Case<'_>]) {
    for (wanted, form, opcode, registers, place, under) in cases {
        let mut code = Code::new(level);
        code.vector(*form, *opcode, *registers, *place, *under);
        assert!(wanted.len() - code.bytes.len() < 2, "{wanted:x?} {:x?}", code.bytes);
        assert_eq!(code.bytes, wanted[..code.bytes.len()]);
    }
}

fn lane(base: u8, scale: u8) -> Place {
    Place::Lane { base, scale }
}

/// What GNU `as` makes of each instruction, from whatever processor this runs on.
#[test]
fn instructions_are_those_of_an_assembler() {
    let always = Under::default();
    let under = |mask, zeroes| Under { mask, zeroes };
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
    check(Level::Avx512, &cases);
}

#[test]
fn instructions_of_half_as_many_bits_are_those_of_an_assembler() {
    let always = Under::default();
    let cases: [Case; 22] = [
        // vaddps ymm1, ymm2, ymm3
        (
            &[0xc4, 0xe1, 0x6c, 0x58, 0xcb],
            Form::first(NONE, false),
            0x58,
            (1, 2),
            Place::Register(3),
            always,
        ),
        // vaddpd ymm13, ymm14, ymm9
        (
            &[0xc4, 0x41, 0x0d, 0x58, 0xe9],
            Form::first(X66, false),
            0x58,
            (13, 14),
            Place::Register(9),
            always,
        ),
        // vmovups ymm5, [rdx+rax*4]
        (
            &[0xc4, 0xe1, 0x7c, 0x10, 0x2c, 0x82],
            Form::first(NONE, false),
            0x10,
            (5, 0),
            lane(2, 2),
            always,
        ),
        // vmovupd [r9+rax*8], ymm12
        (
            &[0xc4, 0x41, 0x7d, 0x11, 0x24, 0xc1],
            Form::first(X66, false),
            0x11,
            (12, 0),
            lane(9, 3),
            always,
        ),
        // vcmpps ymm3, ymm4, ymm8, 17
        (
            &[0xc4, 0xc1, 0x5c, 0xc2, 0xd8, 0x11],
            Form::first(NONE, false),
            0xc2,
            (3, 4),
            Place::Register(8),
            always,
        ),
        // vblendvps ymm8, ymm12, ymm2, ymm7
        (
            &[0xc4, 0x63, 0x1d, 0x4a, 0xc2, 0x70],
            Form::third(X66, false),
            0x4a,
            (8, 12),
            Place::Register(2),
            always,
        ),
        // vcvtph2ps ymm6, [r8+rax*2]
        (
            &[0xc4, 0xc2, 0x7d, 0x13, 0x34, 0x40],
            Form::second(X66, false),
            0x13,
            (6, 0),
            lane(8, 1),
            always,
        ),
        // vpmovzxwd ymm6, [r11+rax*2]
        (
            &[0xc4, 0xc2, 0x7d, 0x33, 0x34, 0x43],
            Form::second(X66, false),
            0x33,
            (6, 0),
            lane(11, 1),
            always,
        ),
        // vcvtps2ph [rcx+rax*2], ymm15, 0
        (
            &[0xc4, 0x63, 0x7d, 0x1d, 0x3c, 0x41, 0x00],
            Form::third(X66, false),
            0x1d,
            (15, 0),
            lane(1, 1),
            always,
        ),
        // vpsrld ymm3, ymm11, 16
        (
            &[0xc4, 0xc1, 0x65, 0x72, 0xd3, 0x10],
            Form::first(X66, false),
            0x72,
            (2, 3),
            Place::Register(11),
            always,
        ),
        // vpsrlvq ymm2, ymm3, ymm14
        (
            &[0xc4, 0xc2, 0xe5, 0x45, 0xd6],
            Form::second(X66, true),
            0x45,
            (2, 3),
            Place::Register(14),
            always,
        ),
        // vpsravd ymm2, ymm13, ymm14
        (
            &[0xc4, 0xc2, 0x15, 0x46, 0xd6],
            Form::second(X66, false),
            0x46,
            (2, 13),
            Place::Register(14),
            always,
        ),
        // vpbroadcastw xmm14, [r10+rax]
        (
            &[0xc4, 0x42, 0x79, 0x79, 0x34, 0x02],
            Form::second(X66, false).half(),
            0x79,
            (14, 0),
            lane(10, 0),
            always,
        ),
        // vextracti128 xmm9, ymm3, 1
        (
            &[0xc4, 0xc3, 0x7d, 0x39, 0xd9, 0x01],
            Form::third(X66, false),
            0x39,
            (3, 0),
            Place::Register(9),
            always,
        ),
        // vpackusdw xmm3, xmm3, xmm9
        (
            &[0xc4, 0xc2, 0x61, 0x2b, 0xd9],
            Form::second(X66, false).half(),
            0x2b,
            (3, 3),
            Place::Register(9),
            always,
        ),
        // vmovdqu [rcx+rax*2], xmm3
        (
            &[0xc4, 0xe1, 0x7a, 0x7f, 0x1c, 0x41],
            Form::first(XF3, false).half(),
            0x7f,
            (3, 0),
            lane(1, 1),
            always,
        ),
        // vmovd [rdi+128], xmm0
        (
            &[0xc4, 0xe1, 0x79, 0x7e, 0x87, 0x80, 0x00, 0x00, 0x00],
            Form::first(X66, false).short(),
            0x7e,
            (0, 0),
            Place::Table(128),
            always,
        ),
        // vmovdqu ymm0, [rdi+1104]
        (
            &[0xc4, 0xe1, 0x7e, 0x6f, 0x87, 0x50, 0x04, 0x00, 0x00],
            Form::first(XF3, false),
            0x6f,
            (0, 0),
            Place::Table(1104),
            always,
        ),
        // vmovntpd [r9+rax*8], ymm0
        (
            &[0xc4, 0xc1, 0x7d, 0x2b, 0x04, 0xc1],
            Form::first(X66, false),
            0x2b,
            (0, 0),
            lane(9, 3),
            always,
        ),
        // vroundpd ymm7, ymm15, 9
        (
            &[0xc4, 0xc3, 0x7d, 0x09, 0xff, 0x09],
            Form::third(X66, false),
            0x09,
            (7, 0),
            Place::Register(15),
            always,
        ),
        // vpcmpgtq ymm2, ymm3, ymm14
        (
            &[0xc4, 0xc2, 0x65, 0x37, 0xd6],
            Form::second(X66, false),
            0x37,
            (2, 3),
            Place::Register(14),
            always,
        ),
        // vpmovzxbq ymm4, [rdx+rax]
        (
            &[0xc4, 0xe2, 0x7d, 0x32, 0x24, 0x02],
            Form::second(X66, false),
            0x32,
            (4, 0),
            lane(2, 0),
            always,
        ),
    ];
    check(Level::Avx2, &cases);
}

#[test]
fn pointers_are_moved_as_an_assembler_says() {
    let mut code = Code::new(Level::Avx512);
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
    let mut code = Code::new(Level::Avx512);
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
