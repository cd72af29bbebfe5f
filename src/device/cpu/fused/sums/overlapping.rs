//! The loop with vectors of 256 bits, whose last vector begins within the one before where lanes are left over.
//!
//! Sums have twice as many vectors of accumulators as there are with 512 bits, and half as many registers to keep them in:
//! they lie in memory, and all registers are the body's. Extremes need not be joined in any order, so those have two.

use std::mem::offset_of;

use super::super::super::dispatch::Level;
use super::super::assembler::{Code, Form, NONE, Place, Under, X66, XF2, XF3};
use super::super::body::{Body, Known};
use super::super::lines::{Parts, prologue, still_lanes};
use super::super::pages::Pages;
use super::super::{Fused, POINTERS};
use super::{Join, PIECE, Table, Way, begin_run, end_piece, extreme, next_row, whole_vectors};

/// Bytes of a vector.
const VECTOR: usize = 32;

/// What a body leaves to a loop that sums: registers are free where its values have been added up, but for those behind,
/// of what is the same in all lanes.
const FREE: usize = 3;

/// The registers of extremes: two that take turns, the first of them for what is left over, too, the lanes that were NaN,
/// and what is between.
const IN_TURN: u8 = 2;
const FIRST: u8 = 0;
const NANS: u8 = 2;
const BETWEEN: u8 = 3;
const TAKEN: u8 = 4;

/// Code as it grows, and what it has to know.
struct Loop {
    code: Code,
    is_wide: bool,
    lanes: u8,
    /// What makes a vector, and in which register.
    body: (Vec<u8>, u8),
}

pub(super) fn assembled(
    level: Level,
    (nodes, consts, inputs): Parts<'_>,
    (summed, is_wide, join): (u16, bool, Join),
    way: Way,
) -> Option<Pages> {
    let mut pool = Vec::new();
    let mut body = Body::new(level, nodes, consts, (inputs, way.still), (false, false), &mut pool);
    body.reserve(if join == Join::Sum { 0 } else { TAKEN }, is_wide);
    nodes.iter().try_for_each(|node| body.node(node))?;
    let (body, register) = body.finish_in_register(summed)?;
    (pool.len() + FREE <= 16).then_some(())?;

    let (code, words) = prologue(level, inputs.len(), &pool, is_wide);
    let lanes = Fused::lanes(level, is_wide) as u8;
    let mut own = Loop { code, is_wide, lanes, body: (body.bytes, register) };
    match join {
        Join::Sum => own.sum(inputs.len(), &pool, way),
        _ => own.extreme(inputs.len(), &pool, join),
    }
    Pages::of(&own.code.with_pool(&words))
}

impl Loop {
    fn three(&mut self, form: Form, opcode: u8, registers: (u8, u8), last: u8) {
        self.code.vector(form, opcode, registers, Place::Register(last), Under::default());
    }

    fn load(&mut self, register: u8, place: Place) {
        self.code.vector(Form::first(NONE, false), 0x10, (register, 0), place, Under::default());
    }

    fn store(&mut self, register: u8, offset: usize) {
        let place = Place::Table(offset as u32);
        self.code.vector(Form::first(NONE, false), 0x11, (register, 0), place, Under::default());
    }

    fn zero(&mut self, register: u8) {
        self.three(Form::first(X66, false), 0xef, (register, register), register);
    }

    /// Makes a vector of lanes.
    fn vector(&mut self) {
        self.code.bytes.extend(&self.body.0);
    }

    /// Goes on to the next lanes.
    fn advance(&mut self) {
        // add rax, lanes
        self.code.bytes.extend([0x48, 0x83, 0xc0, self.lanes]);
    }

    /// Adds lanes of a register to accumulators in memory, in doubles where these are.
    fn add(&mut self, form: Form, register: u8, offset: usize) {
        let sum = u8::from(register == 0);
        self.load(sum, Place::Table(offset as u32));
        self.three(form, 0x58, (sum, sum), register);
        self.store(sum, offset);
    }

    fn add_vector(&mut self, offset: usize) {
        self.add(whole_vectors(self.is_wide), self.body.1, offset);
    }

    /// Jumps if all whole vectors of a line are done: gives the place that is to say where.
    fn unless_whole(&mut self) -> usize {
        // cmp rax, [rdi + whole]; jae
        self.code.bytes.extend([0x48, 0x3b, 0x47, offset_of!(Table, whole) as u8]);
        self.code.jump(0x83, None)
    }

    /// Makes the last vector of a line, if lanes are left over; else jumps: gives the place that is to say where.
    fn last_vector(&mut self) -> usize {
        // cmp dword ptr [rdi + left_over], 0; je
        self.code.bytes.extend([0x83, 0xbf]);
        self.code.bytes.extend((offset_of!(Table, left_over) as u32).to_le_bytes());
        self.code.bytes.push(0);
        let none = self.code.jump(0x84, None);
        self.code.far(0x8b, offset_of!(Table, last));
        self.vector();
        none
    }

    fn sum(&mut self, inputs: usize, pool: &[Known], way: Way) {
        let [piece_at, near, eight] =
            [offset_of!(Table, piece), offset_of!(Table, near), offset_of!(Table, eight)];
        let vectors = PIECE / usize::from(self.lanes);
        let halves = |at: usize| [at, at + VECTOR];
        let row = self.code.bytes.len();
        self.begin_line(pool);
        self.zero(0);
        halves(near).into_iter().chain(halves(eight)).for_each(|at| self.store(0, at));
        // test rsi, rsi; jz
        self.code.bytes.extend([0x48, 0x85, 0xf6]);
        let short = self.code.jump(0x84, None);
        let run = self.code.bytes.len();
        if way.has_runs {
            begin_run(&mut self.code);
        }
        self.zero(0);
        (0..vectors).for_each(|number| self.store(0, piece_at + number * VECTOR));
        let piece = self.code.bytes.len();
        for number in 0..vectors {
            self.vector();
            self.add_vector(piece_at + number * VECTOR);
            self.advance();
        }
        end_piece(&mut self.code, way.has_runs, piece);
        self.join_piece();
        if way.has_runs {
            // cmp rax, rsi; jae
            self.code.bytes.extend([0x48, 0x39, 0xf0]);
            let last = self.code.jump(0x83, None);
            self.join_near();
            let again = self.code.leap();
            self.code.land(again, run);
            self.code.land(last, self.code.bytes.len());
        }
        self.code.land(short, self.code.bytes.len());
        // What is left of a row goes to both halves in turn.
        let [first, second] = halves(if self.is_wide { eight } else { near });
        let next = self.code.bytes.len();
        let even = self.unless_whole();
        self.vector();
        self.add_vector(first);
        self.advance();
        let odd = self.unless_whole();
        self.vector();
        self.add_vector(second);
        self.advance();
        let again = self.code.leap();
        self.code.land(again, next);
        self.code.land(even, self.code.bytes.len());
        let none = self.add_last(first);
        let over = self.code.leap();
        self.code.land(odd, self.code.bytes.len());
        let none_either = self.add_last(second);
        for end in [none, over, none_either] {
            self.code.land(end, self.code.bytes.len());
        }
        self.join_near();
        self.finish_sum(self.is_wide || way.widens, POINTERS[inputs]);
        next_row(&mut self.code, inputs, row);
        // xor eax, eax; vzeroupper; ret
        self.code.bytes.extend([0x31, 0xc0, 0xc5, 0xf8, 0x77, 0xc3]);
    }

    fn begin_line(&mut self, pool: &[Known]) {
        // xor eax, eax
        self.code.bytes.extend([0x31, 0xc0]);
        still_lanes(&mut self.code, pool, self.is_wide);
    }

    /// Adds what is left over of a line, if that is anything; else jumps: gives the place that is to say where.
    fn add_last(&mut self, offset: usize) -> usize {
        let none = self.last_vector();
        let shifted = offset_of!(Table, shifted);
        self.store(self.body.1, shifted);
        self.code.far(0x8b, offset_of!(Table, left_over));
        self.load(0, Place::Moved(shifted as u32));
        self.add(whole_vectors(self.is_wide), 0, offset);
        none
    }

    /// Joins the accumulators of a piece: to the eight, or narrow floats to sixteen, quarter by quarter.
    fn join_piece(&mut self) {
        let at = |number: usize| offset_of!(Table, piece) + number * VECTOR;
        let form = whole_vectors(self.is_wide);
        if self.is_wide {
            for number in 0..PIECE / usize::from(self.lanes) {
                self.load(0, Place::Table(at(number) as u32));
                self.add(form, 0, offset_of!(Table, eight) + number % 2 * VECTOR);
            }
            return;
        }
        for half in 0..2 {
            for pair in 0..2u8 {
                self.load(pair, Place::Table(at(half + 4 * usize::from(pair)) as u32));
                self.load(2, Place::Table(at(half + 4 * usize::from(pair) + 2) as u32));
                self.three(form, 0x58, (pair, pair), 2);
            }
            self.three(form, 0x58, (0, 0), 1);
            self.store(0, offset_of!(Table, near) + half * VECTOR);
        }
    }

    /// Adds the sixteen narrow floats to the eight in double.
    fn join_near(&mut self) {
        let quarters = if self.is_wide { 0 } else { 4 };
        for quarter in 0..quarters {
            let place = Place::Table((offset_of!(Table, near) + quarter * VECTOR / 2) as u32);
            // vcvtps2pd
            let form = Form::first(NONE, false);
            self.code.vector(form, 0x5a, (0, 0), place, Under::default());
            let half = offset_of!(Table, eight) + quarter % 2 * VECTOR;
            self.add(Form::first(X66, true), 0, half);
        }
    }

    /// The sum of the eight, the first half with the second and so on, to where the output's register points.
    fn finish_sum(&mut self, is_wide: bool, base: u8) {
        let (eight, doubles) = (offset_of!(Table, eight), Form::first(X66, true));
        self.load(0, Place::Table(eight as u32));
        self.load(1, Place::Table((eight + VECTOR) as u32));
        self.three(doubles, 0x58, (0, 0), 1);
        self.upper_half(1, 0);
        self.three(doubles.short(), 0x58, (0, 0), 1);
        // vunpckhpd
        self.three(doubles.short(), 0x15, (1, 0), 0);
        self.three(doubles.short(), 0x58, (0, 0), 1);
        if !is_wide {
            // vcvtpd2ps
            self.three(doubles.short(), 0x5a, (0, 0), 0);
        }
        self.store_first(0, is_wide, base);
    }

    fn upper_half(&mut self, to: u8, from: u8) {
        // vextractf128
        self.three(Form::third(X66, false), 0x19, (from, 0), to);
        self.code.bytes.push(1);
    }

    /// Stores a register's first lane where another one points.
    fn store_first(&mut self, register: u8, is_wide: bool, base: u8) {
        // xor eax, eax
        self.code.bytes.extend([0x31, 0xc0]);
        let form = Form::first(if is_wide { XF2 } else { XF3 }, false).short();
        let place = Place::Lane { base, scale: 0 };
        self.code.vector(form, 0x11, (register, 0), place, Under::default());
    }

    fn extreme(&mut self, inputs: usize, pool: &[Known], join: Join) {
        let [lines, left] = [offset_of!(Table, lines), offset_of!(Table, lines_left)];
        self.zero(NANS);
        let row = self.code.bytes.len();
        self.begin_extremes(join);
        // mov rax, [rdi + lines]; mov [rdi + lines_left], rax
        self.code.far(0x8b, lines);
        self.code.far(0x89, left);
        let line = self.code.bytes.len();
        self.begin_line(pool);
        // test rsi, rsi; jz
        self.code.bytes.extend([0x48, 0x85, 0xf6]);
        let short = self.code.jump(0x84, None);
        let piece = self.code.bytes.len();
        for register in 0..IN_TURN {
            self.vector();
            self.keep(register, join);
            self.advance();
        }
        end_piece(&mut self.code, false, piece);
        self.code.land(short, self.code.bytes.len());
        let next = self.code.bytes.len();
        let over = self.unless_whole();
        self.vector();
        self.keep(FIRST, join);
        self.advance();
        let again = self.code.leap();
        self.code.land(again, next);
        self.code.land(over, self.code.bytes.len());
        let none = self.last_vector();
        self.keep(FIRST, join);
        self.code.land(none, self.code.bytes.len());
        // dec qword ptr [rdi + lines_left]; jz
        self.code.bytes.extend([0x48, 0xff, 0x4f, left as u8]);
        let last = self.code.jump(0x84, None);
        for (number, register) in POINTERS[..inputs].iter().enumerate() {
            self.code.far_step(*register, offset_of!(Table, line_steps) + 8 * number);
        }
        let again = self.code.leap();
        self.code.land(again, line);
        self.code.land(last, self.code.bytes.len());
        self.finish_extreme(join, POINTERS[inputs]);
        next_row(&mut self.code, inputs, row);
        // vmovmskps eax, ymm2; vzeroupper; ret
        self.code.bytes.extend([0xc5, 0xfc, 0x50, 0xc0 | NANS, 0xc5, 0xf8, 0x77, 0xc3]);
    }

    /// What extremes begin with: an infinity.
    fn begin_extremes(&mut self, join: Join) {
        let (bits, words) = (Form::first(X66, false), if self.is_wide { 0x73 } else { 0x72 });
        // vpcmpeqd: all ones; then vpslld or vpsllq, and vpsrld or vpsrlq: those of an exponent.
        self.three(bits, 0x76, (FIRST, FIRST), FIRST);
        let mantissa = if self.is_wide { 52 } else { 23 };
        let shifts = match join {
            Join::Least => &[(6, mantissa + 1), (2, 1)][..],
            _ => &[(6, mantissa)],
        };
        for (way, by) in shifts {
            self.three(bits, words, (*way, FIRST), FIRST);
            self.code.bytes.push(*by);
        }
        (1..IN_TURN)
            .for_each(|register| self.three(Form::first(NONE, false), 0x28, (register, 0), FIRST));
    }

    /// Joins lanes that a body has made to those of a register, of equals the first, and says which are NaN.
    fn keep(&mut self, register: u8, join: Join) {
        let (form, lanes) = (whole_vectors(self.is_wide), self.body.1);
        self.three(form, 0xc2, (BETWEEN, lanes), lanes);
        self.code.bytes.push(3);
        self.three(Form::first(X66, false), 0xeb, (NANS, NANS), BETWEEN);
        self.three(form, extreme(join), (register, lanes), register);
    }

    /// The extreme of all lanes, to where the output's register points.
    fn finish_extreme(&mut self, join: Join, base: u8) {
        let (form, opcode) = (whole_vectors(self.is_wide), extreme(join));
        for register in 1..IN_TURN {
            self.three(form, opcode, (FIRST, register), FIRST);
        }
        self.upper_half(BETWEEN, FIRST);
        self.three(form.short(), opcode, (FIRST, BETWEEN), FIRST);
        // vunpckhpd
        self.three(Form::first(X66, false).short(), 0x15, (BETWEEN, FIRST), FIRST);
        self.three(form.short(), opcode, (FIRST, BETWEEN), FIRST);
        if !self.is_wide {
            // vmovshdup
            self.three(Form::first(XF3, false).short(), 0x16, (BETWEEN, 0), FIRST);
            self.three(form.short(), opcode, (FIRST, BETWEEN), FIRST);
        }
        self.store_first(FIRST, self.is_wide, base);
    }
}
