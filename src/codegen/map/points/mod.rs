//! The form in which each thread takes packs of neighbouring points: which elements it moves in one
//! instruction, and how it finds the others.

mod gather;
mod text;

pub(super) use text::render;

use smallvec::SmallVec;

use super::Chosen;
use super::geometry::{Geometry, Reached, row_major};
use super::kernel::Kernel;
use crate::codegen::Chip;
use crate::codegen::index::{Step, is_near};
use crate::codegen::params::{Bytes, Fields};
use crate::ir::{Op, Program, Reg};

/// Bytes that one instruction moves at most.
const PACK_BYTES: usize = 16;

/// Bytes of registers that a thread's operands may take.
const MAX_HELD: usize = 256;

/// How much text the points of a thread may have together, in the units of `ops::weight`: NVRTC
/// compiles every point of a thread for itself.
const MAX_WEIGHT: usize = 64;

/// What a tuner may try: packs of a thread, threads of a block.
const CHOICES: [(usize, u32); 4] = [(2, 256), (1, 256), (4, 256), (1, 512)];

/// The same where operands are read element by element: half of the ways have no packs, so that
/// neighbouring threads read neighbouring elements.
const SCATTERED: [(usize, u32, bool); 4] =
    [(2, 256, true), (8, 256, false), (1, 256, true), (4, 256, false)];

/// The most threads of a block among the choices.
pub const MAX_THREADS: u32 = 512;

/// See the module's head.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PointsForm {
    /// Axes of the space.
    pub rank: u8,
    /// Points of a pack: neighbours along the last axis.
    pub lanes: u8,
    /// Packs of a thread, each a block's width from the next.
    pub packs: u8,
    /// Whether the packs at both ends may be cut short.
    pub ends: bool,
    /// Whether the points of a pack may lie in different rows.
    pub apart: bool,
    /// Whether places take 64 bits.
    pub wide: bool,
    /// The ways through memory, each for one operand or several.
    pub places: SmallVec<[Place; 2]>,
    /// The inputs, then the outputs that are written.
    pub operands: SmallVec<[Way; 4]>,
}

/// A place in memory as a function of the point.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Place {
    /// The point's own number: row-major without holes.
    Linear,
    /// A step along each axis.
    Steps(SmallVec<[Step; 4]>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Way {
    pub reach: Reach,
    /// Which of the form's places.
    pub place: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reach {
    /// One element for all points.
    Once,
    /// One element for each pack.
    Same,
    /// The pack's elements lie together, aligned.
    Pack,
    /// Element by element.
    Each,
}

/// Where a value may differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Thread,
    Pack,
    Lane,
}

impl Reach {
    fn level(self) -> Level {
        match self {
            Reach::Once => Level::Thread,
            Reach::Same => Level::Pack,
            Reach::Pack | Reach::Each => Level::Lane,
        }
    }
}

impl PointsForm {
    /// The level of each value. What can fail is computed where its position is known.
    pub fn levels(&self, program: &Program) -> SmallVec<[Level; 16]> {
        let mut levels: SmallVec<[Level; 16]> = SmallVec::new();
        for (at, instr) in program.instrs.iter().enumerate() {
            let operands = instr.op.operands();
            let widest = operands.iter().map(|reg| levels[reg.index()]).max();
            let own = match &instr.op {
                Op::Load { input } | Op::Gather { input, .. } => {
                    self.operands[*input as usize].reach.level()
                }
                Op::Iota { axis } if *axis + 1 == self.rank || self.apart => Level::Lane,
                Op::Iota { .. } => Level::Pack,
                _ => Level::Thread,
            };
            let fails = match program.can_fail_at(Reg(at as u16)) {
                true if self.ends => Level::Lane,
                true => Level::Pack,
                false => Level::Thread,
            };
            levels.push(own.max(fails).max(widest.unwrap_or(Level::Thread)));
        }
        levels
    }

    pub fn is_linear(&self, operand: usize) -> bool {
        self.places[self.operands[operand].place as usize] == Place::Linear
    }
}

pub fn plan(kernel: &Kernel<'_>, piece: &Geometry, chip: &Chip, choice: u8) -> Chosen<PointsForm> {
    let (lanes, phase) = lanes(kernel, piece);
    let (form, first_of) = ways(kernel, piece, lanes, phase);
    let is_scattered = lanes > 1
        && (0..kernel.inputs()).any(|input| {
            form.operands[input].reach == Reach::Each && piece.operands[input].gathered.is_empty()
        });
    let choice = choice as usize % CHOICES.len();
    if !is_scattered {
        let (packs, threads) = CHOICES[choice];
        return spread(kernel, piece, chip, form, &first_of, phase, (packs, threads));
    }
    let (packs, threads, has_packs) = SCATTERED[choice];
    let (form, first_of, phase) = match has_packs {
        true => (form, first_of, phase),
        false => {
            let (form, first_of) = ways(kernel, piece, 1, 0);
            (form, first_of, 0)
        }
    };
    spread(kernel, piece, chip, form, &first_of, phase, (packs, threads))
}

/// The form with packs of so many points; and an operand for each of its places, which stands for
/// it.
fn ways(
    kernel: &Kernel<'_>,
    piece: &Geometry,
    lanes: usize,
    phase: usize,
) -> (PointsForm, SmallVec<[usize; 4]>) {
    let apart = piece.rank() > 1 && !piece.inner().is_multiple_of(lanes);
    let mut form = PointsForm {
        rank: piece.rank() as u8,
        lanes: lanes as u8,
        packs: 1,
        ends: lanes > 1 && (piece.rank() == 1 || apart),
        apart,
        wide: piece.operands.iter().any(|operand| !is_near(piece.reach(operand))),
        places: SmallVec::new(),
        operands: SmallVec::new(),
    };
    let mut first_of: SmallVec<[usize; 4]> = SmallVec::new();
    let linear = row_major(&piece.dims);
    for (operand, Reached { strides, .. }) in piece.operands.iter().enumerate() {
        let known = first_of.iter().position(|first| piece.operands[*first].strides == *strides);
        let place = known.unwrap_or_else(|| {
            form.places.push(match *strides == linear {
                true => Place::Linear,
                false => Place::Steps(strides.iter().map(|stride| Step::of(*stride)).collect()),
            });
            first_of.push(operand);
            first_of.len() - 1
        });
        form.operands.push(Way { reach: Reach::Each, place: place as u16 });
    }
    for operand in 0..piece.operands.len() {
        form.operands[operand].reach = reach_of(piece, &form, operand, phase);
    }
    if kernel.has_gathers {
        restrain_gathers(kernel.program, &mut form);
    }
    (form, first_of)
}

/// Spreads the packs over threads and blocks.
fn spread(
    kernel: &Kernel<'_>,
    piece: &Geometry,
    chip: &Chip,
    mut form: PointsForm,
    first_of: &[usize],
    phase: usize,
    (mut packs, mut threads): (usize, u32),
) -> Chosen<PointsForm> {
    let lanes = form.lanes as usize;
    let count = (phase + piece.points()).div_ceil(lanes);
    let held = held(piece) * lanes;
    // A small space is spread over the whole chip first.
    let is_too_much = |packs: usize| {
        packs * held > MAX_HELD
            || packs * lanes * kernel.weight > MAX_WEIGHT
            || count < 2 * packs * (chip.multiprocessors * threads) as usize
    };
    // Without vector loads, more of them must be under way to keep memory busy.
    packs = if lanes == 1 { packs.max(4) } else { packs };
    while packs > 1 && is_too_much(packs) {
        packs /= 2;
    }
    while threads > 64 && count.div_ceil(threads as usize) < chip.multiprocessors as usize {
        threads /= 2;
    }
    form.packs = packs as u8;
    let blocks = count.div_ceil(threads as usize * packs) as u32;
    let mut bytes = Bytes::new();
    fields(kernel, &form, Some(&Values { piece, first_of, phase }), &mut bytes);
    let choices = CHOICES.len() as u8;
    Chosen { form, blocks, threads, params: bytes.finish(), choices }
}

/// Bytes of registers that the operands of one point take.
fn held(piece: &Geometry) -> usize {
    piece.operands.iter().map(|operand| operand.dtype.size()).sum()
}

/// How many points make a pack, and how many before the first point the packs begin, so that they
/// are aligned in the first output.
fn lanes(kernel: &Kernel<'_>, piece: &Geometry) -> (usize, usize) {
    let inner = piece.rank() - 1;
    let outputs = &piece.operands[kernel.inputs()..];
    let is_dense = |operand: &&Reached| operand.strides[inner] == 1;
    if !outputs.iter().all(|output| is_dense(&output)) {
        return (1, 0);
    }
    let dense = piece.operands.iter().filter(is_dense);
    let widest = dense.map(|operand| operand.dtype.size()).max().unwrap_or(1);
    let mut lanes = PACK_BYTES / widest;
    while lanes > 2 && lanes * kernel.weight > MAX_WEIGHT {
        lanes /= 2;
    }
    while lanes > 1 && lanes * held(piece) > MAX_HELD {
        lanes /= 2;
    }
    while lanes > 1 {
        let Reached { address, dtype, .. } = &outputs[0];
        let phase = match piece.rank() {
            1 => *address as usize / dtype.size() % lanes,
            _ => 0,
        };
        let fits = |output: &Reached| match piece.inner().is_multiple_of(lanes) {
            _ if piece.rank() == 1 => is_aligned(output, lanes, phase, 0),
            true => is_aligned(output, lanes, phase, inner),
            // A gather would look for each element by itself, and neighbouring threads for distant ones.
            false if kernel.has_gathers => false,
            // The packs run on from row to row, which needs an output without holes.
            false => {
                output.strides == row_major(&piece.dims) && is_aligned(output, lanes, phase, 0)
            }
        };
        if outputs.iter().all(fits) {
            return (lanes, phase);
        }
        lanes /= 2;
    }
    (1, 0)
}

/// Whether the packs of an operand that is dense along the last axis begin at multiples of their
/// size; its `outer` first axes are crossed by their strides.
fn is_aligned(operand: &Reached, lanes: usize, phase: usize, outer: usize) -> bool {
    let bytes = (lanes * operand.dtype.size()) as u64;
    let is_even = |stride: isize| stride.unsigned_abs().is_multiple_of(lanes);
    operand.moved(-(phase as isize)).is_multiple_of(bytes)
        && operand.strides[..outer].iter().all(|stride| is_even(*stride))
        && operand.gathered.iter().all(|(_, stride)| is_even(*stride))
}

/// How an operand is reached, as far as its strides say it.
fn reach_of(piece: &Geometry, form: &PointsForm, operand: usize, phase: usize) -> Reach {
    let inner = piece.rank() - 1;
    let reached = &piece.operands[operand];
    let (is_dense, outer) = match form.apart {
        true => (form.is_linear(operand), 0),
        false => (reached.strides[inner] == 1, inner),
    };
    if reached.strides.iter().all(|stride| *stride == 0) {
        Reach::Once
    } else if reached.strides[inner] == 0 && !form.ends {
        Reach::Same
    } else if is_dense && is_aligned(reached, form.lanes as usize, phase, outer) {
        Reach::Pack
    } else {
        Reach::Each
    }
}

/// A gather moves packs only where its indices are the same for all points of a pack.
fn restrain_gathers(program: &Program, form: &mut PointsForm) {
    for instr in &program.instrs {
        let Op::Gather { input, indices } = &instr.op else { continue };
        let levels = form.levels(program);
        let widest = indices.iter().map(|index| levels[index.index()]).max();
        let reach = &mut form.operands[*input as usize].reach;
        if form.ends || widest == Some(Level::Lane) {
            *reach = Reach::Each;
        } else if *reach == Reach::Once {
            *reach = Reach::Same;
        }
    }
}

/// What the fields of `struct Params` are filled with.
pub struct Values<'a> {
    piece: &'a Geometry,
    /// An operand with each of the form's places.
    first_of: &'a [usize],
    phase: usize,
}

/// Lists the fields of `struct Params`. Text has no values.
pub fn fields(
    kernel: &Kernel<'_>,
    form: &PointsForm,
    values: Option<&Values<'_>>,
    fields: &mut impl Fields,
) {
    let number = |of: &dyn Fn(&Values<'_>) -> isize| values.map_or(0, of);
    let shift = |values: &Values<'_>, reached: &Reached| match form.rank {
        1 => -(values.phase as isize * reached.strides[0]),
        _ => 0,
    };
    kernel.pointers(fields, |operand| {
        values.map_or(0, |values| {
            let reached = &values.piece.operands[operand];
            reached.moved(shift(values, reached))
        })
    });
    let points = |values: &Values<'_>| values.piece.points();
    if form.ends {
        fields.u32(format_args!("begin"), number(&|values| values.phase as isize) as u32);
        let end = number(&|values| (values.phase + points(values)) as isize);
        fields.u32(format_args!("end"), end as u32);
    } else {
        let last = number(&|values| (points(values) - form.lanes as usize) as isize);
        fields.u32(format_args!("last"), last as u32);
    }
    for axis in 1..form.rank as usize {
        let extent = values.map_or(1, |values| values.piece.dims[axis]);
        fields.divisor(format_args!("dim{axis}"), extent);
    }
    for (place, steps) in form.places.iter().enumerate() {
        let Place::Steps(steps) = steps else { continue };
        for axis in (0..steps.len()).filter(|axis| steps[*axis] == Step::Any) {
            let stride =
                |values: &Values<'_>| values.piece.operands[values.first_of[place]].strides[axis];
            fields.stride(format_args!("step{place}_{axis}"), form.wide, number(&stride));
        }
    }
    for (input, indices) in kernel.gathered() {
        for index in 0..indices {
            let gathered = |values: &Values<'_>| values.piece.operands[input].gathered[index];
            let extent = number(&|values| gathered(values).0 as isize);
            fields.i64(format_args!("extent{input}_{index}"), extent as i64);
            let stride = number(&|values| gathered(values).1);
            fields.i64(format_args!("stride{input}_{index}"), stride as i64);
        }
    }
    for axis in (0..form.rank as usize).filter(|axis| kernel.asked >> axis & 1 == 1) {
        let start = number(&|values| {
            let phase = if form.rank == 1 { values.phase } else { 0 };
            values.piece.start[axis] as isize - phase as isize
        });
        fields.i64(format_args!("start{axis}"), start as i64);
    }
    if kernel.can_fail {
        let position = number(&|values| values.piece.position as isize - values.phase as isize);
        fields.u64(format_args!("position"), position as u64);
    }
}
