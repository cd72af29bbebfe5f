//! Sums of rows that a loop makes and nobody stores, and their extremes.
//!
//! The order in which a row is added up is that of the kernel that sums lanes of memory (`lanes/total.rs`): 64
//! accumulators of the lanes' own type where a row fills two such pieces, of float32 then sixteen, to which goes what
//! is left of the row, then eight in double, then halves. Of a row of several runs each goes to the eight before the
//! next begins. So a plan may take either, and the bits are the same. The greatest of a row does not depend on the order,
//! but where there is a NaN, of which the loop only says that there is one: then the kernel does it.

mod masked;
mod overlapping;

use std::ptr::copy_nonoverlapping;
use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use super::super::dispatch::Level;
use super::super::lanes::RUN;
use super::assembler::{Code, Form, NONE, X66};
use super::lines::Parts;
use super::pages::Pages;
use super::{Act, Fused, Input, Node, POINTERS, input_size, inputs_of};

/// Lanes of the accumulators of long rows.
const PIECE: usize = 64;

/// What is done with the lanes of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Join {
    Sum,
    Greatest,
    Least,
}

/// What a loop is given, as that of [`super::Fused`], and the lanes of a line that fill whole vectors. A row has one
/// line or several; `steps` go from the last line of a row to the first of the next, the output's from row to row.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct Table {
    at: [*const u8; POINTERS.len()],
    steps: [isize; POINTERS.len()],
    rows: usize,
    whole: usize,
    lines: usize,
    lines_left: usize,
    line_steps: [isize; POINTERS.len() - 1],
    /// Where a run begins and ends.
    run: [usize; 2],
    /// Without masks: where a line's last vector begins, which may be within the one before, or before the line, and how
    /// many bytes of it are no lanes that are left over; none, if there are no such lanes.
    last: usize,
    left_over: usize,
    /// This vector, and zeroes behind it: what is read of them some lanes on is what is left over, and zeroes.
    shifted: [u64; 8],
    /// Accumulators that have no registers: those of a piece, of narrow floats, and the eight in double.
    piece: [u64; PIECE],
    near: [u64; 8],
    eight: [u64; 8],
}

/// `(operands, lanes of a line that fill pieces, the mask of what is left over)`; not zero if a lane was NaN where that
/// makes a difference.
type Entry = unsafe extern "C" fn(*mut Table, usize, u32) -> u32;

/// The lines of a row, and how far one is from the next in each input.
#[derive(Debug)]
pub struct Lines<'a> {
    pub count: usize,
    pub steps: &'a [isize],
}

/// A group's loop over rows, of each of which it leaves the sum.
#[derive(Debug)]
pub struct Sums {
    level: Level,
    nodes: Box<[Node]>,
    consts: Box<[(u16, u64)]>,
    inputs: SmallVec<[u16; 5]>,
    summed: u16,
    join: Join,
    is_wide: bool,
    /// By what a loop knows of its rows, as they are asked for.
    pages: [OnceLock<Option<Pages>>; 4 << (POINTERS.len() - 1)],
}

/// What a loop knows of its rows.
#[derive(Debug, Clone, Copy, Default)]
struct Way {
    /// The inputs of which there is one lane for all of a row, by their numbers' bits.
    still: usize,
    /// Whether sums are left in float64.
    widens: bool,
    /// Whether what is added up are several runs.
    has_runs: bool,
}

impl Way {
    fn number(self) -> usize {
        let known = usize::from(self.has_runs) << 1 | usize::from(self.widens);
        known << (POINTERS.len() - 1) | self.still
    }
}

impl Sums {
    /// Whether a row may have several lines.
    pub fn takes_lines(&self) -> bool {
        self.join != Join::Sum
    }

    /// Writes the sums of `rows` rows, each one line of `n` lanes or several, one behind the other, in float64 if they are
    /// parts of longer rows. Says whether there is such a loop, and whether it has found them.
    ///
    /// # Safety
    /// So many lanes, or one, lie at each line of the inputs, in the order in which [`sums`] gave them, and there is room
    /// for a result of each row at `out`, apart from them; the processor has what the loop's level has.
    pub unsafe fn run(
        &self,
        out: *mut u8,
        inputs: &[Input],
        (rows, n, are_parts): (usize, usize, bool),
        lines: Option<Lines<'_>>,
    ) -> bool {
        let lanes = Fused::lanes(self.level, self.is_wide);
        let rest = n % lanes;
        let count = lines.as_ref().map_or(1, |lines| lines.count);
        let mut table = Table {
            at: [out.cast_const(); POINTERS.len()],
            steps: [0; POINTERS.len()],
            rows,
            whole: n - rest,
            lines: count,
            lines_left: 0,
            line_steps: [0; POINTERS.len() - 1],
            run: [0; 2],
            last: n.wrapping_sub(lanes),
            left_over: 0,
            shifted: [0; 8],
            piece: [0; PIECE],
            near: [0; 8],
            eight: [0; 8],
        };
        let is_sum = self.join == Join::Sum;
        let (widens, has_runs) = (are_parts && is_sum && !self.is_wide, is_sum && n > RUN);
        let mut way = Way { still: 0, widens, has_runs };
        for (number, input) in inputs.iter().enumerate() {
            let down = lines.as_ref().map_or(0, |lines| lines.steps[number]);
            table.line_steps[number] = down;
            table.at[number] = input.at;
            table.steps[number] = input.step - (count as isize - 1) * down;
            way.still |= usize::from(input.is_one) << number;
        }
        table.steps[inputs.len()] = if self.is_wide || widens { 8 } else { 4 };
        let is_nothing = if is_sum { count != 1 } else { n == 0 || count == 0 };
        if is_nothing {
            return false;
        }
        let made = || self.assembled(way);
        let Some(pages) = self.pages[way.number()].get_or_init(made) else { return false };
        let pieces = if n < 2 * PIECE { 0 } else { n - n % PIECE };
        if rows == 0 {
            return true;
        }
        if self.level != Level::Avx512 && rest > 0 {
            table.left_over = (lanes - rest) * if self.is_wide { 8 } else { 4 };
        }
        if self.level != Level::Avx512 && n < lanes {
            let is_one = count == 1 && rows == 1;
            // SAFETY: the caller's.
            return is_one && unsafe { self.run_short(pages, table, (n, way)) };
        }
        // SAFETY: the caller's; the pages begin with code that was made for this very call.
        unsafe {
            let entry = std::mem::transmute::<*const std::ffi::c_void, Entry>(pages.start());
            entry(&raw mut table, pieces, (1 << rest) - 1) == 0
        }
    }

    /// A row that is less than a vector, without masks, as what is left of a longer one may be: it is copied behind its
    /// first lane again and again.
    unsafe fn run_short(&self, pages: &Pages, mut table: Table, (n, way): (usize, Way)) -> bool {
        let lanes = Fused::lanes(self.level, self.is_wide);
        let own_size = if self.is_wide { 8 } else { 4 };
        let mut rooms = [[0u64; 4]; POINTERS.len() - 1];
        for (number, slot) in self.inputs.iter().enumerate() {
            if way.still >> number & 1 == 1 {
                continue;
            }
            let is_summed = self.nodes.is_empty();
            let size = if is_summed { own_size } else { input_size(&self.nodes, *slot) };
            let (from, room) = (table.at[number], rooms[number].as_mut_ptr().cast::<u8>());
            for lane in 0..lanes {
                let own = (lane + n).saturating_sub(lanes);
                // SAFETY: the row has `n` lanes, and the room a whole vector.
                unsafe { copy_nonoverlapping(from.add(own * size), room.add(lane * size), size) };
            }
            table.at[number] = room.wrapping_add((lanes - n) * size);
        }
        // SAFETY: as in `run`.
        unsafe {
            let entry = std::mem::transmute::<*const std::ffi::c_void, Entry>(pages.start());
            entry(&raw mut table, 0, 0) == 0
        }
    }

    fn assembled(&self, way: Way) -> Option<Pages> {
        let parts = (&self.nodes[..], &self.consts[..], &self.inputs[..]);
        let what = (self.summed, self.is_wide, self.join);
        assembled(self.level, parts, what, way)
    }
}

/// The instructions of a loop. None if there are too few registers.
fn assembled(level: Level, parts: Parts<'_>, what: (u16, bool, Join), way: Way) -> Option<Pages> {
    match level {
        Level::Avx512 => masked::assembled(parts, what, way),
        _ => overlapping::assembled(level, parts, what, way),
    }
}

/// The loop that sums a value of each row, or joins it in another way, float64 if it is wide, else float32, which the
/// last node of a group makes or, where there is none, which is an input; and the inputs. None if there is none.
pub fn sums(
    level: Level,
    nodes: &[Node],
    consts: &[(u16, u64)],
    (summed, is_wide, join): (u16, bool, Join),
) -> Option<(Arc<Sums>, SmallVec<[u16; 5]>)> {
    let inputs = match nodes.last().map(|node| node.deed) {
        Some(last) => {
            let stores = matches!(last.act, Act::Compare(_) | Act::Masks(_) | Act::Narrow(_));
            (!stores && !last.is_integer && last.is_wide == is_wide).then_some(())?;
            inputs_of(nodes, consts)?
        }
        // What lies in memory is added up there as well by the kernel, whose accumulators are registers.
        None if join == Join::Sum && level != Level::Avx512 => return None,
        None => SmallVec::from_slice(&[summed]),
    };
    let pages = [const { OnceLock::new() }; 4 << (POINTERS.len() - 1)];
    let what = (summed, is_wide, join);
    _ = pages[0].set(Some(assembled(level, (nodes, consts, &inputs), what, Way::default())?));
    let (nodes, consts) = (nodes.into(), consts.into());
    let sums = Sums { level, nodes, consts, inputs: inputs.clone(), summed, join, is_wide, pages };
    Some((Arc::new(sums), inputs))
}

fn whole_vectors(is_wide: bool) -> Form {
    Form::first(if is_wide { X66 } else { NONE }, is_wide)
}

/// The opcode of an extreme.
fn extreme(join: Join) -> u8 {
    if join == Join::Least { 0x5d } else { 0x5f }
}

/// Says where the run that begins at a lane ends.
fn begin_run(code: &mut Code) {
    let [begin, end] = [0, 8].map(|at| std::mem::offset_of!(Table, run) + at);
    // mov [rdi + begin], rax; add rax, RUN
    code.far(0x89, begin);
    code.bytes.extend([0x48, 0x05]);
    code.bytes.extend((RUN as u32).to_le_bytes());
    // cmp rax, rsi; cmova rax, rsi
    code.bytes.extend([0x48, 0x39, 0xf0, 0x48, 0x0f, 0x47, 0xc6]);
    // mov [rdi + end], rax; mov rax, [rdi + begin]
    code.far(0x89, end);
    code.far(0x8b, begin);
}

/// Compares the lane with where pieces end, or the run of which these are some, and goes back if it is not there yet.
fn end_piece(code: &mut Code, has_runs: bool, piece: usize) {
    match has_runs {
        // cmp rax, [rdi + run[1]]
        true => code.far(0x3b, std::mem::offset_of!(Table, run) + 8),
        // cmp rax, rsi
        false => code.bytes.extend([0x48, 0x39, 0xf0]),
    }
    // jb
    code.jump(0x82, Some(piece));
}

/// Goes on with the next row, which begins there.
fn next_row(code: &mut Code, inputs: usize, row: usize) {
    for (number, register) in POINTERS[..=inputs].iter().enumerate() {
        code.step(*register, (POINTERS.len() + number) as u8);
    }
    // dec qword ptr [rdi + rows]; jnz
    code.bytes.extend([0x48, 0xff, 0x4f, std::mem::offset_of!(Table, rows) as u8]);
    code.jump(0x85, Some(row));
}
