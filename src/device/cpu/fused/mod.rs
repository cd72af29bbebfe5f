//! Several operations in one loop whose values never leave their registers.
//!
//! A loop for each operation stores what the next one loads, and reads a number that is the same in all lanes from
//! memory; of cheap operations that is most of the time. There are too many chains of them to have a loop for each, so
//! the loop is put together when a program is first run: a load or a broadcast for each value that comes from outside,
//! then one instruction or a few for each operation, then a store. Only AVX-512 under Linux; elsewhere, and
//! for what has no instruction, there is a kernel for each operation. Both give the same bits.

#[cfg(test)]
mod around_tests;
mod assembler;
mod body;
#[cfg(test)]
mod integers_tests;
#[cfg_attr(
    not(all(target_arch = "x86_64", target_os = "linux", feature = "simd")),
    path = "no_pages.rs"
)]
mod pages;
#[cfg(test)]
mod quotients_tests;
mod sums;
#[cfg(test)]
mod sums_tests;
#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use self::assembler::{Code, Form, Place, Under, X66};
use self::body::{Body, Known};
use self::pages::Pages;
pub use self::sums::{Join, Lines, Sums, sums};
use super::dispatch::Level;
use crate::dtype::DType;
use crate::ir::{BinaryOp, CompareOp, UnaryOp};

/// Whether there are such loops.
pub fn is_possible(level: Level) -> bool {
    cfg!(all(target_arch = "x86_64", target_os = "linux", feature = "simd"))
        && level == Level::Avx512
}

/// What is done to lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    Unary(UnaryOp),
    Binary(BinaryOp),
    Compare(CompareOp),
    /// `and`, `or` or `xor` of two results of comparisons.
    Masks(BinaryOp),
    Select,
    /// float32 lanes of what memory holds of a 16-bit float.
    Widen(DType),
    /// The other way round.
    Narrow(DType),
    /// float32 lanes rounded to what a 16-bit float can hold.
    Round(DType),
}

/// An operation of a group.
#[derive(Debug, Clone)]
pub struct Node {
    pub out: u16,
    pub deed: Deed,
    pub operands: SmallVec<[u16; 3]>,
}

/// What is done, to lanes of which width, and to which type its result is rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deed {
    pub act: Act,
    /// Whether lanes have eight bytes, and not four.
    pub is_wide: bool,
    /// Whether they are integers with a sign, and not floats.
    pub is_integer: bool,
    pub rounded: Option<DType>,
}

impl Deed {
    /// The deed, if there are instructions for it; `dtype` is the compute type of what it is done to.
    pub fn new(act: Act, dtype: DType, rounded: Option<DType>) -> Option<Deed> {
        use BinaryOp::{Add, BitAnd, BitOr, BitXor, Div, Max, Min, Mul, Shl, Shr, Sub};
        use UnaryOp::{Abs, Ceil, Floor, Neg, Not, Reciprocal, Round, Sqrt, Square, Trunc};
        let is_of_bits = matches!(
            act,
            Act::Unary(Neg | Not | Square)
                | Act::Binary(Add | BitAnd | BitOr | BitXor | Mul | Shl | Sub)
                | Act::Compare(CompareOp::Eq | CompareOp::Ne)
        );
        // A sign makes no difference to these.
        let dtype = match dtype {
            DType::U32 if is_of_bits => DType::I32,
            DType::U64 if is_of_bits => DType::I64,
            dtype => dtype,
        };
        let is_float = matches!(dtype, DType::F32 | DType::F64);
        let is_integer = matches!(dtype, DType::I32 | DType::I64);
        let is_known = match act {
            Act::Unary(Abs | Neg | Square) => true,
            Act::Unary(Not) => is_integer,
            Act::Unary(Ceil | Floor | Reciprocal | Round | Sqrt | Trunc) => is_float,
            Act::Binary(Add | Max | Min | Mul | Sub) => true,
            Act::Binary(Div) => is_float,
            Act::Binary(BitAnd | BitOr | BitXor | Shl | Shr) => is_integer,
            Act::Unary(_) | Act::Binary(_) => false,
            Act::Compare(_) | Act::Select => true,
            Act::Masks(op) => matches!(op, BitAnd | BitOr | BitXor),
            Act::Widen(half) | Act::Narrow(half) | Act::Round(half) => is_half(half),
        };
        let has_lanes = match act {
            Act::Select => matches!(dtype.size(), 4 | 8),
            _ => is_float || is_integer,
        };
        let is_good = is_known && has_lanes && rounded.is_none_or(is_half);
        is_good.then_some(Deed { act, is_wide: dtype.size() == 8, is_integer, rounded })
    }

    /// What joins the results of comparisons that are done to lanes of one width.
    pub fn masks(op: BinaryOp, deeds: [Option<Deed>; 2]) -> Option<Deed> {
        let [Some(first), Some(second)] = deeds else { return None };
        let is_mask = |deed: Deed| matches!(deed.act, Act::Compare(_) | Act::Masks(_));
        let is_good = is_mask(first) && is_mask(second) && first.is_wide == second.is_wide;
        let dtype = if first.is_wide { DType::I64 } else { DType::I32 };
        Deed::new(Act::Masks(op), dtype, None).filter(|_| is_good)
    }

    /// Bytes of a lane of what it makes.
    fn size(&self) -> usize {
        match self.act {
            Act::Compare(_) | Act::Masks(_) => 1,
            Act::Narrow(_) => 2,
            _ if self.is_wide => 8,
            _ => 4,
        }
    }
}

fn is_half(dtype: DType) -> bool {
    matches!(dtype, DType::F16 | DType::BF16)
}

/// Registers that hold an operand's address: `rdx`, `rcx`, `r8` to `r11`.
const POINTERS: [u8; 6] = [2, 1, 8, 9, 10, 11];

/// What a loop is given: where the operands lie, the output last, how far it is from line to line of each, and how
/// many lines there are, which it counts down.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct Table {
    at: [*const u8; POINTERS.len()],
    steps: [isize; POINTERS.len()],
    lines: usize,
}

/// `(operands, whole vectors' lanes of a line, the mask of what is left over)`
type Entry = unsafe extern "C" fn(*mut Table, usize, u32);

/// Lanes of a line from which on it is worth while to divide by one number through its inverse.
pub(super) const LONG_ENOUGH: usize = 64;

/// An input of a loop.
#[derive(Debug, Clone, Copy)]
pub struct Input {
    pub at: *const u8,
    /// Bytes from line to line.
    pub step: isize,
    /// Whether there is one lane, which stands for all of a line.
    pub is_one: bool,
}

/// What else a loop may know of the lines that it goes over.
#[derive(Debug, Clone, Copy)]
struct Way {
    /// The inputs of which there is one lane for all of a line, by their numbers' bits.
    still: usize,
    /// Whether lines are long enough for what it takes to divide all of one by one number.
    is_long: bool,
    /// Whether what is made goes around the caches: where a line begins, one of a cache does.
    goes_around: bool,
}

impl Way {
    fn number(self) -> usize {
        let known = usize::from(self.goes_around) << 1 | usize::from(self.is_long);
        known << (POINTERS.len() - 1) | self.still
    }
}

/// A group's loop.
#[derive(Debug)]
pub struct Fused {
    nodes: Box<[Node]>,
    consts: Box<[(u16, u64)]>,
    inputs: SmallVec<[u16; 5]>,
    pages: Pages,
    /// The same in other ways, by their numbers, as they are asked for.
    others: [OnceLock<Option<Pages>>; 4 << (POINTERS.len() - 1)],
    /// The inputs that something is divided by, by their numbers' bits.
    divisors: usize,
    has_const_divisor: bool,
    lanes: usize,
    /// Bytes of a lane of what is stored.
    out_size: usize,
}

impl Fused {
    /// How many inputs a group may have.
    pub const fn most_inputs() -> usize {
        POINTERS.len() - 1
    }

    /// Runs the loop over `lines` lines of `n` lanes, which are written one behind the other.
    ///
    /// # Safety
    /// So many lanes, or one, lie at each line of the inputs, in the order in which [`fused`] gave them, and there is
    /// room for all at `out`, apart from them; the processor has AVX-512.
    #[inline]
    pub unsafe fn run(&self, out: *mut u8, inputs: &[Input], lines: (usize, usize)) {
        // SAFETY: the caller's.
        unsafe { self.run_so(out, inputs, lines, false) }
    }

    /// Whether what is made may go around the caches.
    pub fn may_go_around(&self) -> bool {
        let last = self.nodes.last();
        last.is_some_and(|last| self.out_size == if last.deed.is_wide { 8 } else { 4 })
    }

    /// The same, where what is made goes around the caches if lines begin where those of a cache do. The thread must
    /// end with `finish_streams` before others may read there.
    ///
    /// # Safety
    /// As for [`Fused::run`]; what is made [may go around](Fused::may_go_around).
    pub unsafe fn run_around(&self, out: *mut u8, inputs: &[Input], (lines, n): (usize, usize)) {
        let is_whole = |at: usize| at.is_multiple_of(64);
        let goes_around = is_whole(out.addr()) && (lines == 1 || is_whole(n * self.out_size));
        // SAFETY: the caller's.
        unsafe { self.run_so(out, inputs, (lines, n), goes_around) }
    }

    #[inline]
    unsafe fn run_so(
        &self,
        out: *mut u8,
        inputs: &[Input],
        (lines, n): (usize, usize),
        goes_around: bool,
    ) {
        if lines == 0 {
            return;
        }
        let (at, steps) = ([out.cast_const(); POINTERS.len()], [0; POINTERS.len()]);
        let (mut table, mut still) = (Table { at, steps, lines }, 0);
        for (number, input) in inputs.iter().enumerate() {
            (table.at[number], table.steps[number]) = (input.at, input.step);
            still |= usize::from(input.is_one) << number;
        }
        table.steps[inputs.len()] = (n * self.out_size) as isize;
        let divides_by_one = self.has_const_divisor || self.divisors & still != 0;
        let way = Way { still, is_long: divides_by_one && n >= LONG_ENOUGH, goes_around };
        let pages = match way.number() {
            0 => &self.pages,
            number => match self.others[number].get_or_init(|| self.other(way)) {
                Some(pages) => pages,
                // SAFETY: the caller's.
                None => return unsafe { self.run_filled(table, still, n) },
            },
        };
        // SAFETY: the caller's.
        unsafe { self.enter(pages, table, n) };
    }

    unsafe fn enter(&self, pages: &Pages, mut table: Table, n: usize) {
        let rest = n % self.lanes;
        // SAFETY: the pages begin with code that was made for this very call.
        unsafe {
            let entry = std::mem::transmute::<*const std::ffi::c_void, Entry>(pages.start());
            entry(&raw mut table, n - rest, (1 << rest) - 1);
        }
    }

    #[cold]
    #[inline(never)]
    fn other(&self, way: Way) -> Option<Pages> {
        let made = |way| assembled(&self.nodes, &self.consts, &self.inputs, way);
        // Quotients by one number take registers, of which there may be too few.
        made(way).or_else(|| made(Way { is_long: false, ..way }))
    }

    /// Where there is no such loop: a few lanes of a line at a time, with inputs that are filled.
    #[cold]
    unsafe fn run_filled(&self, mut table: Table, still: usize, n: usize) {
        let count = self.inputs.len();
        let sizes: SmallVec<[usize; 6]> =
            self.inputs.iter().map(|slot| input_size(&self.nodes, *slot)).collect();
        for _ in 0..table.lines {
            let mut filled = [[0u64; 64]; POINTERS.len() - 1];
            let mut line = Table { lines: 1, ..table };
            for number in (0..count).filter(|number| still >> number & 1 == 1) {
                let (size, room) = (sizes[number], filled[number].as_mut_ptr().cast::<u8>());
                for lane in 0..64 {
                    // SAFETY: one lane lies there, and 64 have room.
                    unsafe {
                        std::ptr::copy_nonoverlapping(line.at[number], room.add(lane * size), size);
                    }
                }
                line.at[number] = room;
            }
            for done in (0..n).step_by(64) {
                let few = 64.min(n - done);
                // SAFETY: the caller's.
                unsafe { self.enter(&self.pages, line, few) };
                for number in (0..count).filter(|number| still >> number & 1 == 0) {
                    line.at[number] = line.at[number].wrapping_add(few * sizes[number]);
                }
                line.at[count] = line.at[count].wrapping_add(few * self.out_size);
            }
            for (at, step) in table.at.iter_mut().zip(table.steps) {
                *at = at.wrapping_offset(step);
            }
        }
    }
}

/// Bytes of a lane of an input.
fn input_size(nodes: &[Node], slot: u16) -> usize {
    let reader = nodes.iter().find(|node| node.operands.contains(&slot));
    reader.map_or(1, |node| match node.deed.act {
        Act::Widen(_) => 2,
        Act::Masks(_) => 1,
        Act::Select if node.operands[0] == slot => 1,
        _ if node.deed.is_wide => 8,
        _ => 4,
    })
}

/// The input that a value is, of a 16-bit type before it is widened; or the value itself.
fn stored_as(nodes: &[Node], slot: u16) -> u16 {
    let widened = |node: &&Node| node.out == slot && matches!(node.deed.act, Act::Widen(_));
    nodes.iter().find(widened).map_or(slot, |node| node.operands[0])
}

/// The loop of a group, whose last node makes what is stored and whose other nodes' values nobody else reads, and the
/// values that come from outside; `consts` says the bits of those that are the same in all lanes. None if there is
/// none.
pub fn fused(nodes: &[Node], consts: &[(u16, u64)]) -> Option<(Arc<Fused>, SmallVec<[u16; 5]>)> {
    let (is_wide, inputs) = (nodes.first()?.deed.is_wide, inputs_of(nodes, consts)?);
    let plain = Way { still: 0, is_long: false, goes_around: false };
    let pages = assembled(nodes, consts, &inputs, plain)?;
    let divisors = nodes.iter().filter(|node| node.deed.act == Act::Binary(BinaryOp::Div));
    let divisors: SmallVec<[u16; 3]> =
        divisors.map(|node| stored_as(nodes, node.operands[1])).collect();
    let is_const = |slot: &u16| consts.iter().any(|(own, _)| own == slot);
    let code = Fused {
        has_const_divisor: divisors.iter().any(is_const),
        divisors: (0..inputs.len())
            .filter(|at| divisors.contains(&inputs[*at]))
            .map(|at| 1 << at)
            .sum(),
        nodes: nodes.into(),
        consts: consts.into(),
        inputs: inputs.clone(),
        pages,
        others: [const { OnceLock::new() }; 4 << (POINTERS.len() - 1)],
        lanes: if is_wide { 8 } else { 16 },
        out_size: nodes.last()?.deed.size(),
    };
    Some((Arc::new(code), inputs))
}

/// The values that come from outside; none if these are too many, or lanes are not of one width.
fn inputs_of(nodes: &[Node], consts: &[(u16, u64)]) -> Option<SmallVec<[u16; 5]>> {
    let is_wide = nodes.first()?.deed.is_wide;
    let is_const = |slot: u16| consts.iter().any(|(own, _)| *own == slot);
    let mut inputs: SmallVec<[u16; 5]> = SmallVec::new();
    for slot in nodes.iter().flat_map(|node| &node.operands) {
        let is_made = nodes.iter().any(|node| node.out == *slot);
        if !is_made && !is_const(*slot) && !inputs.contains(slot) {
            inputs.push(*slot);
        }
    }
    let is_good = inputs.len() <= Fused::most_inputs()
        && nodes.iter().all(|node| node.deed.is_wide == is_wide);
    is_good.then_some(inputs)
}

/// Fills a register with one value.
fn splat(code: &mut Code, is_wide: bool, number: usize, place: Place) {
    let (register, opcode) = (31 - number as u8, if is_wide { 0x19 } else { 0x18 });
    code.vector(Form::second(X66, is_wide), opcode, (register, 0), place, Under::default());
}

/// float32 lanes of a 16-bit float that lies at a place.
fn widen_still(code: &mut Code, register: u8, place: Place, half: DType) {
    let (words, short) = (Form::second(X66, false), Form { width: 1, ..Form::second(X66, false) });
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
fn prologue(inputs: usize, pool: &[Known], is_wide: bool) -> (Code, Vec<u64>) {
    let mut code = Code::default();
    // kmovw k1, edx
    code.bytes.extend([0xc5, 0xf8, 0x92, 0xca]);
    for (number, register) in POINTERS[..=inputs].iter().enumerate() {
        code.pointer(*register, number as u8);
    }
    let mut words: Vec<u64> = Vec::new();
    for (number, known) in pool.iter().enumerate() {
        if let Known::Word(word) = known {
            words.push(*word);
            splat(&mut code, is_wide, number, Place::Pool(words.len() as u8 - 1));
        }
    }
    (code, words)
}

/// Fills registers with what is the same in all lanes of a line.
fn still_lanes(code: &mut Code, pool: &[Known], is_wide: bool) {
    for (number, known) in pool.iter().enumerate() {
        let (register, lane) = (31 - number as u8, |base| Place::Lane { base, scale: 0 });
        match known {
            Known::Word(_) => {}
            Known::Lane(base, None) => splat(code, is_wide, number, lane(*base)),
            Known::Lane(base, Some(half)) => widen_still(code, register, lane(*base), *half),
            Known::High(divisor) => divisor.high(code, is_wide, register),
            Known::Low(divisor, high) => divisor.low(code, is_wide, (register, *high)),
            Known::Limit(divisor) => divisor.limit(code, is_wide, register),
        }
    }
}

/// The instructions of a loop.
#[inline(never)]
fn assembled(nodes: &[Node], consts: &[(u16, u64)], inputs: &[u16], way: Way) -> Option<Pages> {
    let is_wide = nodes.first()?.deed.is_wide;
    let body = |pool: &mut Vec<Known>, is_masked: bool| -> Option<Code> {
        let mut body =
            Body::new(nodes, consts, (inputs, way.still), (is_masked, way.is_long), pool);
        nodes.iter().try_for_each(|node| body.node(node))?;
        body.finish(nodes.last()?, way.goes_around)
    };
    let mut pool = Vec::new();
    let (whole, rest) = (body(&mut pool, false)?, body(&mut pool, true)?);

    let (mut code, words) = prologue(inputs.len(), &pool, is_wide);
    let line = code.bytes.len();
    // xor eax, eax
    code.bytes.extend([0x31, 0xc0]);
    still_lanes(&mut code, &pool, is_wide);
    // test rsi, rsi; jz
    code.bytes.extend([0x48, 0x85, 0xf6]);
    let none = code.jump(0x84, None);
    let top = code.bytes.len();
    code.bytes.extend(&whole.bytes);
    let lanes: u8 = if is_wide { 8 } else { 16 };
    // add rax, lanes; cmp rax, rsi; jb
    code.bytes.extend([0x48, 0x83, 0xc0, lanes, 0x48, 0x39, 0xf0]);
    code.jump(0x82, Some(top));
    code.land(none, code.bytes.len());
    // kortestw k1, k1; jz
    code.bytes.extend([0xc5, 0xf8, 0x98, 0xc9]);
    let done = code.jump(0x84, None);
    code.bytes.extend(&rest.bytes);
    code.land(done, code.bytes.len());
    for (number, register) in POINTERS[..=inputs.len()].iter().enumerate() {
        code.step(*register, (POINTERS.len() + number) as u8);
    }
    // dec qword ptr [rdi + lines]; jnz
    code.bytes.extend([0x48, 0xff, 0x4f, std::mem::offset_of!(Table, lines) as u8]);
    code.jump(0x85, Some(line));
    // vzeroupper; ret
    code.bytes.extend([0xc5, 0xf8, 0x77, 0xc3]);
    Pages::of(&code.with_pool(&words))
}
