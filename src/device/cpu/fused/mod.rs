//! Several operations in one loop whose values never leave their registers.
//!
//! A loop for each operation stores what the next one loads, and reads a number that is the same in all lanes from
//! memory; of cheap operations that is most of the time. There are too many chains of them to have a loop for each, so
//! the loop is put together when a program is first run: a load or a broadcast for each value that comes from outside,
//! then one instruction or a few for each operation, then a store. Only AVX-512 and AVX2 under Linux; elsewhere, and
//! for what has no instruction, there is a kernel for each operation. All give the same bits.

#[cfg(test)]
mod around_tests;
mod assembler;
#[cfg(test)]
mod assembler_tests;
mod body;
mod deed;
#[cfg(test)]
mod integers_tests;
mod lines;
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

use std::mem::MaybeUninit;
use std::ptr::copy_nonoverlapping;
use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

pub use self::deed::{Act, Deed, Node};
pub(super) use self::lines::SEVERAL;
use self::lines::assembled;
use self::pages::Pages;
pub use self::sums::{Join, Lines, Sums, sums};
use super::dispatch::Level;
use crate::ir::BinaryOp;

/// Whether there are such loops.
pub fn is_possible(level: Level) -> bool {
    cfg!(all(target_arch = "x86_64", target_os = "linux", feature = "simd")) && level >= Level::Avx2
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
    /// Without masks: lanes of a line that are left over, where there is no room for several vectors at once any more, and
    /// what is made of the last vector, where this begins within the one before.
    rest: usize,
    several: isize,
    tail: [u64; 4],
}

impl Table {
    const TAIL: u32 = std::mem::offset_of!(Table, tail) as u32;
}

/// `(operands, whole vectors' lanes of a line, the mask of what is left over)`; without masks, where a line's last vector
/// begins.
type Entry = unsafe extern "C" fn(*mut Table, usize, u32);

/// Lanes of a line from which on it is worth while to divide by one number through its inverse.
pub(super) const LONG_ENOUGH: usize = 64;

/// Lanes of a line that are filled where there is no loop for it.
pub(super) const FILLED: usize = 64;

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
    level: Level,
    nodes: Box<[Node]>,
    consts: Box<[(u16, u64)]>,
    inputs: SmallVec<[u16; 5]>,
    pages: Pages,
    /// The same in other ways, by their numbers, as they are asked for.
    others: [OnceLock<Option<Pages>>; 4 << (POINTERS.len() - 1)],
    /// The inputs that something is divided by, by their numbers' bits.
    divisors: usize,
    has_const_divisor: bool,
    /// Lanes of a vector.
    lanes: usize,
    /// Bytes of a lane of what is stored.
    out_size: usize,
}

impl Fused {
    /// How many inputs a group may have.
    pub const fn most_inputs() -> usize {
        POINTERS.len() - 1
    }

    /// How many lanes a vector has.
    const fn lanes(level: Level, is_wide: bool) -> usize {
        let bytes = if matches!(level, Level::Avx512) { 64 } else { 32 };
        if is_wide { bytes / 8 } else { bytes / 4 }
    }

    /// Runs the loop over `lines` lines of `n` lanes, which are written one behind the other.
    ///
    /// # Safety
    /// So many lanes, or one, lie at each line of the inputs, in the order in which [`fused`] gave them, and there is
    /// room for all at `out`, apart from them or where one lies; the processor has what the loop's level has.
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
        let (mut table, mut still) =
            (Table { at, steps, lines, rest: 0, several: 0, tail: [0; 4] }, 0);
        for (number, input) in inputs.iter().enumerate() {
            (table.at[number], table.steps[number]) = (input.at, input.step);
            still |= usize::from(input.is_one) << number;
        }
        table.steps[inputs.len()] = (n * self.out_size) as isize;
        if n < self.lanes && self.level != Level::Avx512 {
            // SAFETY: the caller's.
            return unsafe { self.run_filled(table, still, n) };
        }
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
        // As many as a power of two.
        let rest = n & (self.lanes - 1);
        let (first, mask) = match self.level {
            Level::Avx512 => (n - rest, (1 << rest) - 1),
            _ => {
                table.several = n as isize - (SEVERAL * self.lanes) as isize + 1;
                table.rest = rest;
                (n - self.lanes, 0)
            }
        };
        // SAFETY: the pages begin with code that was made for this very call.
        unsafe {
            let entry = std::mem::transmute::<*const std::ffi::c_void, Entry>(pages.start());
            entry(&raw mut table, first, mask);
        }
    }

    #[cold]
    #[inline(never)]
    fn other(&self, way: Way) -> Option<Pages> {
        let parts = (&self.nodes[..], &self.consts[..], &self.inputs[..]);
        let made = |way| assembled(self.level, parts, way);
        // Quotients by one number take registers, of which there may be too few.
        made(way).or_else(|| made(Way { is_long: false, ..way }))
    }

    /// Where there is no such loop, or no whole vector in a line: a few lanes of a line at a time, with operands that are
    /// filled.
    #[inline(never)]
    unsafe fn run_filled(&self, mut table: Table, still: usize, n: usize) {
        let count = self.inputs.len();
        let mut filled = [const { MaybeUninit::<[u64; FILLED]>::uninit() }; POINTERS.len()];
        let mut line = Table { lines: 1, ..table };
        for (at, room) in line.at.iter_mut().zip(&mut filled) {
            *at = room.as_mut_ptr().cast();
        }
        for _ in 0..table.lines {
            for done in (0..n).step_by(FILLED) {
                let few = FILLED.min(n - done);
                for (number, slot) in self.inputs.iter().enumerate() {
                    let size = input_size(&self.nodes, *slot);
                    let (room, from) = (line.at[number].cast_mut(), table.at[number]);
                    // SAFETY: one lane lies there, or as many as are copied, and all have room.
                    unsafe {
                        if still >> number & 1 == 0 {
                            copy_nonoverlapping(from.wrapping_add(done * size), room, few * size);
                        } else if done == 0 {
                            (0..FILLED).for_each(|at| {
                                copy_nonoverlapping(from, room.add(at * size), size)
                            });
                        }
                    }
                }
                let out = table.at[count].cast_mut().wrapping_add(done * self.out_size);
                // SAFETY: there is room for whole vectors, and for the lanes that are there at `out`.
                unsafe {
                    self.enter(&self.pages, line, few.next_multiple_of(self.lanes));
                    copy_nonoverlapping(line.at[count], out, few * self.out_size);
                }
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
pub fn fused(
    level: Level,
    nodes: &[Node],
    consts: &[(u16, u64)],
) -> Option<(Arc<Fused>, SmallVec<[u16; 5]>)> {
    let (is_wide, inputs) = (nodes.first()?.deed.is_wide, inputs_of(nodes, consts)?);
    let plain = Way { still: 0, is_long: false, goes_around: false };
    let pages = assembled(level, (nodes, consts, &inputs), plain)?;
    // With vectors of 256 bits a division takes no longer than what would take its place.
    let has_inverses = level == Level::Avx512;
    let is_division = |node: &&Node| node.deed.act == Act::Binary(BinaryOp::Div) && has_inverses;
    let divisors = nodes.iter().filter(is_division);
    let divisors: SmallVec<[u16; 3]> =
        divisors.map(|node| stored_as(nodes, node.operands[1])).collect();
    let is_const = |slot: &u16| consts.iter().any(|(own, _)| own == slot);
    let code = Fused {
        level,
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
        lanes: Fused::lanes(level, is_wide),
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
