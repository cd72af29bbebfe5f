//! Programs whose axes fall into rows and elements: reductions, softmax and their like.
//!
//! A row is shared by some threads: part of a warp, a block, or several blocks that leave their
//! parts in scratch memory. Neighbouring threads go along the row or, where memory lies so, across
//! rows. What a later pass over the row needs stays in registers or in shared memory if it fits;
//! else the passes read memory again.
//!
//! `geometry` looks at the launch, `passes` at the program, `choose` decides; `kernel`, `pass` and
//! `join` write the text, with `leaves` for places and `fold` for accumulators.

mod choose;
mod fields;
mod fold;
mod form;
mod geometry;
mod join;
mod kernel;
mod leaves;
mod moves;
mod pass;
mod passes;
mod place;
#[cfg(test)]
pub(crate) mod programs;
mod row;
#[cfg(test)]
mod tests;

pub use form::RowsForm;
use form::{Keep, Part};

use std::collections::BTreeSet;

use smallvec::SmallVec;

use super::code::Code;
use super::params::{Bytes, Text, head};
use super::{Chip, Job, Launch, Operand};
use crate::ir::{Op, Program, Space};
use choose::{Choice, Shape};
use fields::{Place, Values};
use fold::Fold;
use geometry::Geometry;
use kernel::Kernel;
use leaves::Words;
use passes::{Passes, regs};

/// The kernels for a launch over rows. `choice` is one of the job's `choices`; larger ones are for tests
/// and measurements, the last of them for all beyond.
pub fn plan(
    program: &Program,
    space: &Space,
    inputs: &[Operand<'_>],
    outputs: &[Operand<'_>],
    chip: &Chip,
    choice: u8,
) -> Job {
    let can_fail = program.can_fail();
    let writes = program.outputs.iter().any(|output| output.domain == crate::ir::Domain::Row);
    if space.rows() == 0 || space.row_len() == 0 && !writes {
        return Job { choices: 1, can_fail, ..Job::default() };
    }
    let geometry = Geometry::new(program, space, inputs, outputs);
    let passes = Passes::new(program, true);
    let way = Choice::new(program, &passes, &geometry, chip);
    let is_fixed = depends_on_order(program);
    let (shape, choices) = if is_fixed && choice == 0 {
        (way.first(), 1)
    } else {
        let (shapes, worthwhile) = way.all();
        let choices = if is_fixed { 1 } else { worthwhile as u8 };
        (shapes[(choice as usize).min(shapes.len() - 1)], choices)
    };
    let (launches, scratch) = launches(program, &passes, &geometry, shape);
    Job { launches, scratch, choices, can_fail }
}

/// Whether another tree may give other bits: then timing must not choose between them.
fn depends_on_order(program: &Program) -> bool {
    program.instrs.iter().any(|instr| match instr.op {
        Op::Reduce(op, operand) => op.depends_on_order(program.instr(operand).dtype),
        _ => false,
    })
}

fn launches(
    program: &Program,
    passes: &Passes,
    geometry: &Geometry,
    shape: Shape,
) -> (SmallVec<[Launch; 1]>, usize) {
    let has_iota = program.instrs.iter().any(|instr| matches!(instr.op, Op::Iota { .. }));
    let mut form = RowsForm {
        lanes: geometry.lanes,
        threads: shape.threads as u16,
        groups: shape.groups as u16,
        vector: geometry.vector as u8,
        steps: shape.steps as u8,
        keep: shape.keep,
        part: Part::Whole,
        is_ragged: geometry.is_ragged,
        is_wide: geometry.is_wide,
        kept_rank: geometry.space.kept as u8,
        reduced_rank: (geometry.space.dims.len() - geometry.space.kept) as u8,
        reach: geometry.reach.clone(),
        axes: if has_iota { geometry.names.iter().copied().collect() } else { SmallVec::new() },
    };
    let blocks = geometry.rows().div_ceil(form.block_rows() as usize) as u32;
    let shared = match shape.keep {
        Keep::Shared => (passes.places(program).1 * shared_len(geometry)) as u32,
        _ => 0,
    };
    let launch = |form: &RowsForm, splits: usize, places: &[Place]| {
        let mut bytes = Bytes::new();
        let values = Values { passes: passes.passes.len(), geometry: Some(geometry), places };
        fields::list(program, form, values, &mut bytes);
        let grid = [blocks, splits as u32, 1];
        let (form, block, params) = (super::Form::Rows(form.clone()), form.block(), bytes.finish());
        Launch { form, grid, block, shared, params }
    };
    let Some(splits) = shape.splits else {
        return ([launch(&form, 1, &[])].into_iter().collect(), 0);
    };
    let (places, scratch) = scratch(program, geometry, splits);
    let numbers = 0..passes.passes.len() as u8;
    let all = numbers.map(|number| {
        form.part = Part::Pass(number);
        launch(&form, splits, &places)
    });
    (all.collect(), scratch)
}

/// Arrays in shared memory are as long as a multiple of this: then each begins where any vector may.
const SPAN: usize = 128;

/// Elements of a row's array in shared memory.
fn shared_len(geometry: &Geometry) -> usize {
    geometry.row_len().next_multiple_of(SPAN)
}

/// Where the parts and the results of reductions lie.
fn scratch(program: &Program, geometry: &Geometry, splits: usize) -> (Vec<Place>, usize) {
    let (mut places, mut total) = (Vec::new(), 0usize);
    let mut take = |bytes: usize| {
        let start = total;
        total = (total + bytes).next_multiple_of(256);
        start
    };
    for reg in regs(program) {
        let Some(fold) = Fold::new(program, reg, geometry.is_wide) else { continue };
        let parts = take(geometry.rows() * splits * fold.size());
        let result = take(geometry.rows() * program.instr(reg).dtype.size().max(4));
        places.push(Place { reg, parts, result });
    }
    (places, total)
}

/// The text of a kernel, without the functions that it calls.
pub fn render(program: &Program, form: &RowsForm) -> String {
    let passes = Passes::new(program, form.keep != Keep::Nothing);
    let mut text = Text::new();
    let values = Values { passes: passes.passes.len(), geometry: None, places: &[] };
    fields::list(program, form, values, &mut text);
    let mut code = Code::new();
    code.lines(&text.finish());
    code.line("");
    for formula in formulas(program) {
        code.lines(&formula);
        code.line("");
    }
    code.open(head(form.block(), form.entry()));
    let operands = fields::named(program, form);
    let words = Words { form, operands: &operands, inputs: program.inputs.len() };
    Kernel { program, form, passes: &passes, words, is_full: false }.write(&mut code);
    code.close();
    code.finish()
}

/// What folds by an operation's own formula join with, each text once.
fn formulas(program: &Program) -> BTreeSet<String> {
    let folds = regs(program).filter_map(|reg| Fold::new(program, reg, false));
    folds.filter_map(|fold| fold.formula()).collect()
}
