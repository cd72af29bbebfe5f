//! The loop with vectors of 512 bits, whose accumulators lie in registers, and whose last vector is under a mask.

use super::super::super::dispatch::Level;
use super::super::POINTERS;
use super::super::assembler::{Code, Form, NONE, Place, Under, X66, XF2, XF3};
use super::super::body::{Body, Known, REST};
use super::super::lines::{Parts, prologue, still_lanes};
use super::super::pages::Pages;
use super::{Join, PIECE, Table, Way, begin_run, end_piece, extreme, next_row, whole_vectors};

/// The first register of a piece, to which narrow floats are added before they are widened.
const NEAR: u8 = 0;
/// The register of the eight accumulators in double, behind those of a piece, and one for what is between.
const EIGHT: u8 = 8;
const BETWEEN: u8 = 9;
/// The mask into which go lanes that are NaN, and the one between; no body has the first, or keeps the second.
const NANS: u8 = 0;
const NEW_NANS: u8 = 7;
/// Registers that are no body's.
const TAKEN: u8 = 10;

/// Joins a register's lanes to the eight, the first half before the second.
fn join(code: &mut Code, is_wide: bool, lanes: u8) {
    let (doubles, always) = (Form::first(X66, true), Under::default());
    let add = |code: &mut Code, from: u8| {
        code.vector(doubles, 0x58, (EIGHT, EIGHT), Place::Register(from), always);
    };
    if is_wide {
        return add(code, lanes);
    }
    let widen = |code: &mut Code, from: u8| {
        let form = Form::first(NONE, false);
        code.vector(form, 0x5a, (BETWEEN, 0), Place::Register(from), always);
    };
    widen(code, lanes);
    add(code, BETWEEN);
    // vextractf64x4
    code.vector(Form::third(X66, true), 0x1b, (lanes, 0), Place::Register(BETWEEN), always);
    code.bytes.push(1);
    widen(code, BETWEEN);
    add(code, BETWEEN);
}

/// Adds lanes of a piece's own type to a register.
fn add(code: &mut Code, is_wide: bool, (register, lanes): (u8, u8), under: Under) {
    let place = Place::Register(lanes);
    code.vector(whole_vectors(is_wide), 0x58, (register, register), place, under);
}

/// The sum of the eight, the first half with the second and so on, to where the output's register points.
fn finish(code: &mut Code, is_wide: bool, base: u8) {
    let always = Under::default();
    let (between, own) = (Place::Register(BETWEEN), Place::Register(EIGHT));
    let doubles = |width: u8| Form { width, ..Form::first(X66, true) };
    // vextractf64x4, vextractf64x2, vunpckhpd
    code.vector(Form::third(X66, true), 0x1b, (EIGHT, 0), between, always);
    code.bytes.push(1);
    code.vector(doubles(1), 0x58, (EIGHT, EIGHT), between, always);
    code.vector(Form { width: 1, ..Form::third(X66, true) }, 0x19, (EIGHT, 0), between, always);
    code.bytes.push(1);
    code.vector(doubles(0), 0x58, (EIGHT, EIGHT), between, always);
    code.vector(doubles(0), 0x15, (BETWEEN, EIGHT), own, always);
    code.vector(doubles(0), 0x58, (EIGHT, EIGHT), between, always);
    // xor eax, eax
    code.bytes.extend([0x31, 0xc0]);
    let place = Place::Lane { base, scale: 0 };
    if is_wide {
        return code.vector(Form::first(XF2, true).short(), 0x11, (EIGHT, 0), place, always);
    }
    // vcvtpd2ps
    code.vector(doubles(0), 0x5a, (EIGHT, 0), own, always);
    code.vector(Form::first(XF3, false).short(), 0x11, (EIGHT, 0), place, always);
}

/// What extremes begin with, an infinity, in so many registers and that of the last one.
fn lowest(code: &mut Code, is_wide: bool, (registers, join): (u8, Join)) {
    let always = Under::default();
    let bits = Form::first(X66, is_wide);
    // vpxord, so that nothing waits for the row before; vpternlogd zmm, zmm, zmm, 255; vpslld or vpsllq; vpsrld or
    // vpsrlq: all ones, those of an exponent.
    let (own, form) = (Place::Register(EIGHT), Form::third(X66, false));
    code.vector(Form::first(X66, false), 0xef, (EIGHT, EIGHT), own, always);
    code.vector(form, 0x25, (EIGHT, EIGHT), own, always);
    code.bytes.push(255);
    let opcode = if is_wide { 0x73 } else { 0x72 };
    let mut shift = |way: u8, by: u8| {
        code.vector(bits, opcode, (way, EIGHT), own, always);
        code.bytes.push(by);
    };
    let mantissa = if is_wide { 52 } else { 23 };
    match join {
        Join::Least => {
            shift(6, mantissa + 1);
            shift(2, 1);
        }
        _ => shift(6, mantissa),
    }
    for register in 0..registers {
        code.vector(whole_vectors(is_wide), 0x28, (register, 0), own, always);
    }
}

/// Joins lanes that a body has made to those of a register, of equals the first, and says which are NaN.
fn keep(code: &mut Code, is_wide: bool, (register, lanes, join): (u8, u8, Join), under: Under) {
    let form = whole_vectors(is_wide);
    code.vector(form, 0xc2, (NEW_NANS, lanes), Place::Register(lanes), under);
    code.bytes.push(3);
    // korw k0, k0, k7
    code.bytes.extend([0xc5, 0xfc, 0x45, 0xc0 | NANS << 3 | NEW_NANS]);
    code.vector(form, extreme(join), (register, lanes), Place::Register(register), under);
}

/// The extreme of the lanes of a register, to where the output's register points.
fn finish_extreme(code: &mut Code, is_wide: bool, (join, base): (Join, u8)) {
    let always = Under::default();
    let (between, own) = (Place::Register(BETWEEN), Place::Register(EIGHT));
    let form = |width: u8| Form { width, ..whole_vectors(is_wide) };
    let halve = |code: &mut Code, width: u8| {
        code.vector(form(width), extreme(join), (EIGHT, BETWEEN), own, always);
    };
    // vextractf64x4, vextractf64x2, vunpckhpd
    code.vector(Form::third(X66, true), 0x1b, (EIGHT, 0), between, always);
    code.bytes.push(1);
    halve(code, 1);
    code.vector(Form { width: 1, ..Form::third(X66, true) }, 0x19, (EIGHT, 0), between, always);
    code.bytes.push(1);
    halve(code, 0);
    code.vector(Form::first(X66, true).short(), 0x15, (BETWEEN, EIGHT), own, always);
    halve(code, 0);
    let place = Place::Lane { base, scale: 0 };
    if is_wide {
        return code.vector(Form::first(XF2, true).short(), 0x11, (EIGHT, 0), place, always);
    }
    // vmovshdup
    code.vector(Form::first(XF3, false).short(), 0x16, (BETWEEN, 0), own, always);
    halve(code, 0);
    code.vector(Form::first(XF3, false).short(), 0x11, (EIGHT, 0), place, always);
}

pub(super) fn assembled(
    (nodes, consts, inputs): Parts<'_>,
    (summed, is_wide, join_by): (u16, bool, Join),
    way: Way,
) -> Option<Pages> {
    let body = |pool: &mut Vec<Known>, is_masked: bool| -> Option<(Code, u8)> {
        let mut body =
            Body::new(Level::Avx512, nodes, consts, (inputs, way.still), (is_masked, false), pool);
        body.reserve(TAKEN, is_wide);
        nodes.iter().try_for_each(|node| body.node(node))?;
        body.finish_in_register(summed)
    };
    let mut pool = Vec::new();
    let (whole, rest) = (body(&mut pool, false)?, body(&mut pool, true)?);
    let lanes: u8 = if is_wide { 8 } else { 16 };
    let accumulators = (PIECE / usize::from(lanes)) as u8;

    let (mut code, words) = prologue(Level::Avx512, inputs.len(), &pool, is_wide);
    let is_sum = join_by == Join::Sum;
    // kxorw k0, k0, k0
    code.bytes.extend([0xc5, 0xfc, 0x47, 0xc0]);
    let row = code.bytes.len();
    if !is_sum {
        lowest(&mut code, is_wide, (accumulators, join_by));
    }
    let word = |at: usize| at as u8;
    let left = word(std::mem::offset_of!(Table, lines_left));
    if !is_sum {
        // mov rax, [rdi + lines]; mov [rdi + lines_left], rax
        code.bytes.extend([0x48, 0x8b, 0x47, word(std::mem::offset_of!(Table, lines))]);
        code.bytes.extend([0x48, 0x89, 0x47, left]);
    }
    let line = code.bytes.len();
    // xor eax, eax
    code.bytes.extend([0x31, 0xc0]);
    still_lanes(&mut code, &pool, is_wide);
    let nothing = |code: &mut Code, register: u8| {
        let form = Form::first(X66, false);
        let place = Place::Register(register);
        code.vector(form, 0xef, (register, register), place, Under::default());
    };
    if is_sum {
        nothing(&mut code, EIGHT);
        nothing(&mut code, NEAR);
    }
    // test rsi, rsi; jz
    code.bytes.extend([0x48, 0x85, 0xf6]);
    let short = code.jump(0x84, None);
    let run = code.bytes.len();
    if way.has_runs {
        begin_run(&mut code);
    }
    if is_sum {
        (NEAR..accumulators).for_each(|register| nothing(&mut code, register));
    }
    let piece = code.bytes.len();
    for register in 0..accumulators {
        code.bytes.extend(&whole.0.bytes);
        if is_sum {
            add(&mut code, is_wide, (register, whole.1), Under::default());
        } else {
            keep(&mut code, is_wide, (register, whole.1, join_by), Under::default());
        }
        // add rax, lanes
        code.bytes.extend([0x48, 0x83, 0xc0, lanes]);
    }
    end_piece(&mut code, way.has_runs, piece);
    match (is_sum, is_wide) {
        (true, true) => (0..accumulators).for_each(|register| join(&mut code, is_wide, register)),
        (true, false) => {
            for (register, lanes) in [(0, 1), (2, 3), (NEAR, 2)] {
                add(&mut code, is_wide, (register, lanes), Under::default());
            }
        }
        (false, _) => {}
    }
    if way.has_runs {
        // cmp rax, rsi; jae
        code.bytes.extend([0x48, 0x39, 0xf0]);
        let last = code.jump(0x83, None);
        if !is_wide {
            join(&mut code, is_wide, NEAR);
        }
        let again = code.leap();
        code.land(again, run);
        code.land(last, code.bytes.len());
    }
    code.land(short, code.bytes.len());
    let vectors = code.bytes.len();
    // cmp rax, [rdi + whole]; jae
    code.bytes.extend([0x48, 0x3b, 0x47, word(std::mem::offset_of!(Table, whole))]);
    let over = code.jump(0x83, None);
    code.bytes.extend(&whole.0.bytes);
    match (is_sum, is_wide) {
        (true, true) => join(&mut code, is_wide, whole.1),
        (true, false) => add(&mut code, is_wide, (NEAR, whole.1), Under::default()),
        (false, _) => keep(&mut code, is_wide, (EIGHT, whole.1, join_by), Under::default()),
    }
    // add rax, lanes
    code.bytes.extend([0x48, 0x83, 0xc0, lanes]);
    // The number of a lane that comes after others is not zero.
    code.jump(0x85, Some(vectors));
    code.land(over, code.bytes.len());
    // kortestw k1, k1; jz
    code.bytes.extend([0xc5, 0xf8, 0x98, 0xc9]);
    let done = code.jump(0x84, None);
    code.bytes.extend(&rest.0.bytes);
    // What a body makes of lanes that are not there is nothing.
    let under = |zeroes: bool| Under { mask: REST, zeroes };
    match (is_sum, is_wide) {
        (true, true) => {
            let (form, place) = (whole_vectors(is_wide), Place::Register(rest.1));
            code.vector(form, 0x10, (NEAR, 0), place, under(true));
            join(&mut code, is_wide, NEAR);
        }
        (true, false) => add(&mut code, is_wide, (NEAR, rest.1), under(false)),
        (false, _) => keep(&mut code, is_wide, (EIGHT, rest.1, join_by), under(false)),
    }
    code.land(done, code.bytes.len());
    let base = POINTERS[inputs.len()];
    if is_sum {
        if !is_wide {
            join(&mut code, is_wide, NEAR);
        }
        finish(&mut code, is_wide || way.widens, base);
    } else {
        // dec qword ptr [rdi + lines_left]; jz
        code.bytes.extend([0x48, 0xff, 0x4f, left]);
        let last = code.jump(0x84, None);
        for (number, register) in POINTERS[..inputs.len()].iter().enumerate() {
            code.far_step(*register, std::mem::offset_of!(Table, line_steps) + 8 * number);
        }
        // test rdi, rdi; jnz, which is always so
        code.bytes.extend([0x48, 0x85, 0xff]);
        code.jump(0x85, Some(line));
        code.land(last, code.bytes.len());
        let always = Under::default();
        // test rsi, rsi; jz
        code.bytes.extend([0x48, 0x85, 0xf6]);
        let short = code.jump(0x84, None);
        for register in 0..accumulators {
            let (form, own) = (whole_vectors(is_wide), Place::Register(EIGHT));
            code.vector(form, extreme(join_by), (EIGHT, register), own, always);
        }
        code.land(short, code.bytes.len());
        // xor eax, eax: what is stored lies at the first lane.
        code.bytes.extend([0x31, 0xc0]);
        finish_extreme(&mut code, is_wide, (join_by, base));
    }
    next_row(&mut code, inputs.len(), row);
    // kmovw eax, k0; vzeroupper; ret
    code.bytes.extend([0xc5, 0xf8, 0x93, 0xc0, 0xc5, 0xf8, 0x77, 0xc3]);
    Pages::of(&code.with_pool(&words))
}
