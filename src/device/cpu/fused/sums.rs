//! Sums of rows that a loop makes and nobody stores.
//!
//! The order in which a row is added up is that of the kernel that sums lanes of memory (`lanes/total.rs`): 64
//! accumulators of the lanes' own type where a row fills two such pieces, then eight in double, then halves. So a plan
//! may take either, and the bits are the same.

use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use super::assembler::{Code, Form, NONE, Place, Under, X66, XF2, XF3};
use super::body::{Body, Known, REST};
use super::pages::Pages;
use super::{Act, Input, Node, POINTERS, inputs_of, prologue, still_lanes};

/// Lanes of the accumulators of long rows.
const PIECE: usize = 64;
/// A row of no more lanes is one run of them, as the kernel has it.
pub const LONGEST: usize = 2048;

/// The register of the eight accumulators in double, behind those of a piece, and one for what is between.
const EIGHT: u8 = 8;
const BETWEEN: u8 = 9;
/// Registers that are no body's.
pub(super) const TAKEN: u8 = 10;

/// What a loop is given, as that of [`super::Fused`], and the lanes of a row that fill whole vectors.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct Table {
    at: [*const u8; POINTERS.len()],
    steps: [isize; POINTERS.len()],
    rows: usize,
    whole: usize,
}

/// `(operands, lanes of a row that fill pieces, the mask of what is left over)`
type Entry = unsafe extern "C" fn(*mut Table, usize, u32);

/// A group's loop over rows, of each of which it leaves the sum.
#[derive(Debug)]
pub struct Sums {
    nodes: Box<[Node]>,
    consts: Box<[(u16, u64)]>,
    inputs: SmallVec<[u16; 5]>,
    summed: u16,
    is_wide: bool,
    /// By the bits of the inputs of which there is one lane for all of a row, as they are asked for.
    pages: [OnceLock<Option<Pages>>; 1 << (POINTERS.len() - 1)],
}

impl Sums {
    /// Writes the sums of `rows` rows of `n` lanes one behind the other. Says whether there is such a loop.
    ///
    /// # Safety
    /// So many lanes, or one, lie at each row of the inputs, in the order in which [`sums`] gave them, and there is room
    /// for a result of each row at `out`, apart from them; the processor has AVX-512.
    pub unsafe fn run(&self, out: *mut u8, inputs: &[Input], (rows, n): (usize, usize)) -> bool {
        let (at, steps) = ([out.cast_const(); POINTERS.len()], [0; POINTERS.len()]);
        let lanes = if self.is_wide { 8 } else { 16 };
        let rest = n % lanes;
        let (mut table, mut still) = (Table { at, steps, rows, whole: n - rest }, 0);
        for (number, input) in inputs.iter().enumerate() {
            (table.at[number], table.steps[number]) = (input.at, input.step);
            still |= usize::from(input.is_one) << number;
        }
        table.steps[inputs.len()] = if self.is_wide { 8 } else { 4 };
        let own = (still, self.summed, self.is_wide);
        let made = || assembled(&self.nodes, &self.consts, &self.inputs, own);
        let Some(pages) = self.pages[still].get_or_init(made) else { return false };
        // Long rows that lie in memory are summed as fast by the kernel.
        if n > LONGEST || self.nodes.is_empty() && n >= 2 * PIECE {
            return false;
        }
        let pieces = if n < 2 * PIECE { 0 } else { n - n % PIECE };
        if rows > 0 {
            // SAFETY: the caller's; the pages begin with code that was made for this very call.
            unsafe {
                let entry = std::mem::transmute::<*const std::ffi::c_void, Entry>(pages.start());
                entry(&raw mut table, pieces, (1 << rest) - 1);
            }
        }
        true
    }
}

/// The loop that sums a value of each row, float64 if it is wide, else float32, which the last node of a group makes or,
/// where there is none, which is an input; and the inputs. None if there is none.
pub fn sums(
    nodes: &[Node],
    consts: &[(u16, u64)],
    (summed, is_wide): (u16, bool),
) -> Option<(Arc<Sums>, SmallVec<[u16; 5]>)> {
    let inputs = match nodes.last().map(|node| node.deed) {
        Some(last) => {
            let stores = matches!(last.act, Act::Compare(_) | Act::Masks(_) | Act::Narrow(_));
            (!stores && !last.is_integer && last.is_wide == is_wide).then_some(())?;
            inputs_of(nodes, consts)?
        }
        None => SmallVec::from_slice(&[summed]),
    };
    let pages = [const { OnceLock::new() }; 1 << (POINTERS.len() - 1)];
    _ = pages[0].set(Some(assembled(nodes, consts, &inputs, (0, summed, is_wide))?));
    let (nodes, consts) = (nodes.into(), consts.into());
    let sums = Sums { nodes, consts, inputs: inputs.clone(), summed, is_wide, pages };
    Some((Arc::new(sums), inputs))
}

fn whole_vectors(is_wide: bool) -> Form {
    Form::first(if is_wide { X66 } else { NONE }, is_wide)
}

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

fn assembled(
    nodes: &[Node],
    consts: &[(u16, u64)],
    inputs: &[u16],
    (still, summed, is_wide): (usize, u16, bool),
) -> Option<Pages> {
    let body = |pool: &mut Vec<Known>, is_masked: bool| -> Option<(Code, u8)> {
        let mut body = Body::new(nodes, consts, (inputs, still), is_masked, pool);
        body.reserve(TAKEN, is_wide);
        nodes.iter().try_for_each(|node| body.node(node))?;
        body.finish_in_register(summed)
    };
    let mut pool = Vec::new();
    let (whole, rest) = (body(&mut pool, false)?, body(&mut pool, true)?);
    let lanes: u8 = if is_wide { 8 } else { 16 };
    let accumulators = (PIECE / usize::from(lanes)) as u8;

    let (mut code, words) = prologue(inputs.len(), &pool, is_wide);
    let row = code.bytes.len();
    // xor eax, eax
    code.bytes.extend([0x31, 0xc0]);
    still_lanes(&mut code, &pool, is_wide);
    let nothing = |code: &mut Code, register: u8| {
        let form = Form::first(X66, false);
        let place = Place::Register(register);
        code.vector(form, 0xef, (register, register), place, Under::default());
    };
    nothing(&mut code, EIGHT);
    // test rsi, rsi; jz
    code.bytes.extend([0x48, 0x85, 0xf6]);
    let short = code.jump(0x84, None);
    (0..accumulators).for_each(|register| nothing(&mut code, register));
    let piece = code.bytes.len();
    for register in 0..accumulators {
        code.bytes.extend(&whole.0.bytes);
        let (form, place) = (whole_vectors(is_wide), Place::Register(whole.1));
        code.vector(form, 0x58, (register, register), place, Under::default());
        // add rax, lanes
        code.bytes.extend([0x48, 0x83, 0xc0, lanes]);
    }
    // cmp rax, rsi; jb
    code.bytes.extend([0x48, 0x39, 0xf0]);
    code.jump(0x82, Some(piece));
    (0..accumulators).for_each(|register| join(&mut code, is_wide, register));
    code.land(short, code.bytes.len());
    let vectors = code.bytes.len();
    // cmp rax, [rdi + whole]; jae
    code.bytes.extend([0x48, 0x3b, 0x47, std::mem::offset_of!(Table, whole) as u8]);
    let over = code.jump(0x83, None);
    code.bytes.extend(&whole.0.bytes);
    join(&mut code, is_wide, whole.1);
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
    let (form, place) = (whole_vectors(is_wide), Place::Register(rest.1));
    code.vector(form, 0x10, (0, 0), place, Under { mask: REST, zeroes: true });
    join(&mut code, is_wide, 0);
    code.land(done, code.bytes.len());
    finish(&mut code, is_wide, POINTERS[inputs.len()]);
    for (number, register) in POINTERS[..=inputs.len()].iter().enumerate() {
        code.step(*register, (POINTERS.len() + number) as u8);
    }
    // dec qword ptr [rdi + rows]; jnz
    code.bytes.extend([0x48, 0xff, 0x4f, std::mem::offset_of!(Table, rows) as u8]);
    code.jump(0x85, Some(row));
    // vzeroupper; ret
    code.bytes.extend([0xc5, 0xf8, 0x77, 0xc3]);
    Pages::of(&code.with_pool(&words))
}
