//! Loops over the lanes of lines, from what a body does to one vector.

use std::mem::offset_of;

use super::super::dispatch::Level;
use super::assembler::{Code, Form, Place, Under, X66, XF3};
use super::body::{Body, Goal, Known, pool_register};
use super::pages::Pages;
use super::{Fused, Node, POINTERS, Table, Way};
use crate::dtype::DType;

/// Fills a register with one value.
fn splat(code: &mut Code, is_wide: bool, register: u8, place: Place) {
    let opcode = if is_wide { 0x19 } else { 0x18 };
    let form = Form::second(X66, is_wide && code.level() == Level::Avx512);
    code.vector(form, opcode, (register, 0), place, Under::default());
}

/// float32 lanes of a 16-bit float that lies at a place.
fn widen_still(code: &mut Code, register: u8, place: Place, half: DType) {
    let (words, short) = (Form::second(X66, false), Form::second(X66, false).half());
    let own = Place::Register(register);
    code.vector(short, 0x79, (register, 0), place, Under::default());
    let opcode = if half == DType::F16 { 0x13 } else { 0x33 };
    code.vector(words, opcode, (register, 0), own, Under::default());
    if half == DType::BF16 {
        code.vector(Form::first(X66, false), 0x72, (6, register), own, Under::default());
        code.bytes.push(16);
    }
}

/// What a loop begins with: the mask, where the inputs and the output lie, and the words that are the same throughout,
/// which are to stand behind the code.
pub(super) fn prologue(
    level: Level,
    inputs: usize,
    pool: &[Known],
    is_wide: bool,
) -> (Code, Vec<u64>) {
    let mut code = Code::new(level);
    if level == Level::Avx512 {
        // kmovw k1, edx
        code.bytes.extend([0xc5, 0xf8, 0x92, 0xca]);
    }
    for (number, register) in POINTERS[..=inputs].iter().enumerate() {
        code.pointer(*register, number as u8);
    }
    let mut words: Vec<u64> = Vec::new();
    for (number, known) in pool.iter().enumerate() {
        if let Known::Word(word) = known {
            words.push(*word);
            let place = Place::Pool(words.len() as u8 - 1);
            splat(&mut code, is_wide, pool_register(level, number), place);
        }
    }
    (code, words)
}

/// Fills registers with what is the same in all lanes of a line.
pub(super) fn still_lanes(code: &mut Code, pool: &[Known], is_wide: bool) {
    for (number, known) in pool.iter().enumerate() {
        let lane = |base| Place::Lane { base, scale: 0 };
        let register = pool_register(code.level(), number);
        match known {
            Known::Word(_) => {}
            Known::Lane(base, None) => splat(code, is_wide, register, lane(*base)),
            Known::Lane(base, Some(half)) => widen_still(code, register, lane(*base), *half),
            Known::High(divisor) => divisor.high(code, is_wide, register),
            Known::Low(divisor, high) => divisor.low(code, is_wide, (register, *high)),
            Known::Limit(divisor) => divisor.limit(code, is_wide, register),
        }
    }
}

/// Vectors that follow one another without asking whether it was the last, where these are short.
pub(in super::super) const SEVERAL: usize = 4;

/// A group, as it is put together: its nodes, its constants and its inputs.
pub(super) type Parts<'a> = (&'a [Node], &'a [(u16, u64)], &'a [u16]);

/// The instructions of a loop. None if there are too few registers.
#[inline(never)]
pub(super) fn assembled(level: Level, parts: Parts<'_>, way: Way) -> Option<Pages> {
    match level {
        Level::Avx512 => masked(parts, way),
        _ => overlapping(level, parts, way),
    }
}

/// What is done to a vector.
fn body(
    level: Level,
    (nodes, consts, inputs): Parts<'_>,
    way: Way,
    (is_masked, goal): (bool, Goal),
    pool: &mut Vec<Known>,
) -> Option<Code> {
    let whether = (is_masked, way.is_long);
    let mut body = Body::new(level, nodes, consts, (inputs, way.still), whether, pool);
    nodes.iter().try_for_each(|node| body.node(node))?;
    body.finish(nodes.last()?, goal)
}

/// A loop whose last vector is under a mask.
fn masked(parts: Parts<'_>, way: Way) -> Option<Pages> {
    let (level, inputs, is_wide) = (Level::Avx512, parts.2.len(), parts.0.first()?.deed.is_wide);
    let goal = if way.goes_around { Goal::Around } else { Goal::Lanes };
    let mut pool = Vec::new();
    let whole = body(level, parts, way, (false, goal), &mut pool)?;
    let rest = body(level, parts, way, (true, goal), &mut pool)?;

    let (mut code, words) = prologue(level, inputs, &pool, is_wide);
    let line = code.bytes.len();
    // xor eax, eax
    code.bytes.extend([0x31, 0xc0]);
    still_lanes(&mut code, &pool, is_wide);
    // test rsi, rsi; jz
    code.bytes.extend([0x48, 0x85, 0xf6]);
    let none = code.jump(0x84, None);
    let top = code.bytes.len();
    code.bytes.extend(&whole.bytes);
    advance(&mut code, Fused::lanes(level, is_wide));
    // cmp rax, rsi; jb
    code.bytes.extend([0x48, 0x39, 0xf0]);
    code.jump(0x82, Some(top));
    code.land(none, code.bytes.len());
    // kortestw k1, k1; jz
    code.bytes.extend([0xc5, 0xf8, 0x98, 0xc9]);
    let done = code.jump(0x84, None);
    code.bytes.extend(&rest.bytes);
    code.land(done, code.bytes.len());
    next_line(&mut code, inputs, line);
    Pages::of(&code.with_pool(&words))
}

/// A loop whose last vector begins within the one before, where lanes are left over. As it may write where it reads, this
/// one is made first, and stored last.
fn overlapping(level: Level, parts: Parts<'_>, way: Way) -> Option<Pages> {
    let (inputs, last) = (parts.2.len(), parts.0.last()?.deed);
    let (is_wide, out) = (last.is_wide, POINTERS[inputs]);
    let (goal, tail) = (if way.goes_around { Goal::Around } else { Goal::Lanes }, Table::TAIL);
    let mut pool = Vec::new();
    let whole = body(level, parts, way, (false, goal), &mut pool)?;
    let rest = body(level, parts, way, (false, Goal::Table(tail)), &mut pool)?;
    let lanes = Fused::lanes(level, is_wide);

    let (mut code, words) = prologue(level, inputs, &pool, is_wide);
    let line = code.bytes.len();
    // xor eax, eax
    code.bytes.extend([0x31, 0xc0]);
    still_lanes(&mut code, &pool, is_wide);
    let is_even = unless_rest(&mut code);
    // mov rax, rsi
    code.bytes.extend([0x48, 0x89, 0xf0]);
    code.bytes.extend(&rest.bytes);
    // xor eax, eax
    code.bytes.extend([0x31, 0xc0]);
    code.land(is_even, code.bytes.len());
    // cmp rax, [rdi + several]; jge
    code.far(0x3b, offset_of!(Table, several));
    let few = code.jump(0x8d, None);
    code.align(32);
    let top = code.bytes.len();
    for _ in 0..SEVERAL {
        code.bytes.extend(&whole.bytes);
        advance(&mut code, lanes);
    }
    // cmp rax, [rdi + several]; jl
    code.far(0x3b, offset_of!(Table, several));
    code.jump(0x8c, Some(top));
    code.land(few, code.bytes.len());
    // cmp rax, rsi; ja
    let single = code.bytes.len();
    code.bytes.extend([0x48, 0x39, 0xf0]);
    let over = code.jump(0x87, None);
    code.bytes.extend(&whole.bytes);
    advance(&mut code, lanes);
    let again = code.leap();
    code.land(again, single);
    code.land(over, code.bytes.len());
    let done = unless_rest(&mut code);
    // mov rax, rsi
    code.bytes.extend([0x48, 0x89, 0xf0]);
    let size = last.size();
    let to = Place::Lane { base: out, scale: size.trailing_zeros() as u8 };
    copy(&mut code, lanes * size, Place::Table(tail), to);
    code.land(done, code.bytes.len());
    next_line(&mut code, inputs, line);
    Pages::of(&code.with_pool(&words))
}

fn advance(code: &mut Code, lanes: usize) {
    // add rax, lanes
    code.bytes.extend([0x48, 0x83, 0xc0, lanes as u8]);
}

/// Jumps where no lanes are left over: gives the place that is to say where.
fn unless_rest(code: &mut Code) -> usize {
    // cmp dword ptr [rdi + rest], 0; je
    code.bytes.extend([0x83, 0xbf]);
    code.bytes.extend((offset_of!(Table, rest) as u32).to_le_bytes());
    code.bytes.push(0);
    code.jump(0x84, None)
}

/// Copies 4, 8, 16 or 32 bytes.
fn copy(code: &mut Code, bytes: usize, from: Place, to: Place) {
    let words = Form::first(X66, false).short();
    let [(load, load_opcode), (store, store_opcode)] = match bytes {
        // vmovd, vmovq, and vmovdqu of half a vector or of a whole one
        4 => [(words, 0x6e), (words, 0x7e)],
        8 => [(Form::first(XF3, false).short(), 0x7e), (words, 0xd6)],
        16 => [0x6f, 0x7f].map(|opcode| (Form::first(XF3, false).half(), opcode)),
        _ => [0x6f, 0x7f].map(|opcode| (Form::first(XF3, false), opcode)),
    };
    code.vector(load, load_opcode, (0, 0), from, Under::default());
    code.vector(store, store_opcode, (0, 0), to, Under::default());
}

/// Goes on with the next line, which begins there, or ends.
fn next_line(code: &mut Code, inputs: usize, line: usize) {
    for (number, register) in POINTERS[..=inputs].iter().enumerate() {
        code.step(*register, (POINTERS.len() + number) as u8);
    }
    // dec qword ptr [rdi + lines]; jnz
    code.bytes.extend([0x48, 0xff, 0x4f, offset_of!(Table, lines) as u8]);
    code.jump(0x85, Some(line));
    // vzeroupper; ret
    code.bytes.extend([0xc5, 0xf8, 0x77, 0xc3]);
}
