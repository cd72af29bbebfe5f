//! Maps: programs without reductions, in which every point is computed by itself.
//!
//! `geometry` makes the space simple; then one of two forms runs it: `points`, in which a thread
//! takes packs of neighbouring points, or `tiles`, which turns operands that lie across the output
//! in shared memory.

mod geometry;
mod points;
mod tiles;

use smallvec::SmallVec;

use self::geometry::Geometry;
use self::points::PointsForm;
use self::tiles::TilesForm;
use super::params::{Fields, Text};
use super::{Chip, Form, Job, Launch, Operand, can_fail};
use super::{names, ops};
use crate::dtype::DType;
use crate::ir::{Domain, Op, Program, Reg, Space};

/// How a kernel computes a map.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MapForm {
    writes: Writes,
    shape: Shape,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Shape {
    Points(PointsForm),
    Tiles(TilesForm),
}

/// Which outputs a kernel writes. Where a space has rows, those of one value a row are written by a
/// kernel of their own, which runs over the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Writes {
    All,
    Only(Domain),
}

impl Writes {
    /// The numbers of the outputs.
    fn outputs(self, program: &Program) -> SmallVec<[usize; 2]> {
        let is_written = |output: &usize| match self {
            Writes::All => true,
            Writes::Only(domain) => program.outputs[*output].domain == domain,
        };
        (0..program.outputs.len()).filter(is_written).collect()
    }
}

impl MapForm {
    pub fn entry(&self) -> &'static str {
        match &self.shape {
            Shape::Points(form) if form.rank == 1 => "map",
            Shape::Points(_) => "map_strided",
            Shape::Tiles(_) => "map_turned",
        }
    }
}

/// See [`super::plan`].
pub fn plan(
    program: &Program,
    space: &Space,
    inputs: &[Operand<'_>],
    outputs: &[Operand<'_>],
    chip: &Chip,
    choice: u8,
) -> Job {
    let mut job = Job { can_fail: can_fail(program), choices: 1, ..Job::default() };
    let kinds: &[Writes] = match space.kept < space.dims.len() {
        true => &[Writes::Only(Domain::Element), Writes::Only(Domain::Row)],
        false => &[Writes::All],
    };
    for writes in kinds {
        let written: SmallVec<[&Operand<'_>; 2]> =
            writes.outputs(program).iter().map(|output| &outputs[*output]).collect();
        let rank = match writes {
            Writes::Only(Domain::Row) => space.kept,
            _ => space.dims.len(),
        };
        if written.is_empty() {
            continue;
        }
        let Some(geometry) = Geometry::new(program, &space.dims[..rank], inputs, &written) else {
            continue;
        };
        for piece in geometry.pieces() {
            let kernel = Kernel { program, writes: *writes };
            let chosen = match tiles::plan(&kernel, &piece, choice) {
                Some(tiles) => tiles.map(Shape::Tiles),
                None => points::plan(&kernel, &piece, chip, choice).map(Shape::Points),
            };
            job.choices = job.choices.max(chosen.choices);
            job.launches.push(Launch {
                form: Form::Map(MapForm { writes: *writes, shape: chosen.form }),
                grid: [chosen.blocks, 1, 1],
                block: chosen.threads,
                shared: 0,
                params: chosen.params,
            });
        }
    }
    job
}

/// The text of a kernel.
pub fn render(program: &Program, form: &MapForm) -> String {
    let kernel = Kernel { program, writes: form.writes };
    match &form.shape {
        Shape::Points(points) => points::render(&kernel, points, form.entry()),
        Shape::Tiles(tiles) => tiles::render(&kernel, tiles, form.entry()),
    }
}

/// How one launch runs.
#[derive(Debug)]
struct Chosen<F> {
    form: F,
    blocks: u32,
    threads: u32,
    params: Vec<u8>,
    choices: u8,
}

impl<F> Chosen<F> {
    fn map<G>(self, wrap: impl FnOnce(F) -> G) -> Chosen<G> {
        let Chosen { form, blocks, threads, params, choices } = self;
        Chosen { form: wrap(form), blocks, threads, params, choices }
    }
}

/// A program and the part of it that one kernel computes.
#[derive(Debug, Clone, Copy)]
struct Kernel<'p> {
    program: &'p Program,
    writes: Writes,
}

impl Kernel<'_> {
    /// How many operands are inputs; the outputs that are written follow them.
    fn inputs(&self) -> usize {
        self.program.inputs.len()
    }

    /// The values to write, in the order of the operands.
    fn results(&self) -> SmallVec<[Reg; 2]> {
        let outputs = self.writes.outputs(self.program);
        outputs.iter().map(|output| self.program.outputs[*output].value).collect()
    }

    /// The type of an operand in memory.
    fn dtype(&self, operand: usize) -> DType {
        match operand.checked_sub(self.inputs()) {
            None => self.program.inputs[operand],
            Some(output) => self.program.instr(self.results()[output]).dtype,
        }
    }

    /// The operand's field in `Params`: `in0`, `out1`.
    fn name(&self, operand: usize) -> (&'static str, usize) {
        match operand.checked_sub(self.inputs()) {
            None => ("in", operand),
            Some(output) => ("out", output),
        }
    }

    /// Lists the operands' pointers.
    fn pointers(&self, fields: &mut impl Fields, address: impl Fn(usize) -> u64) {
        for (input, dtype) in self.program.inputs.iter().enumerate() {
            let name = format_args!("in{input}");
            fields.pointer(names::read_only(*dtype), name, address(input));
        }
        for (output, value) in self.results().iter().enumerate() {
            let ty = names::stored(self.program.instr(*value).dtype);
            let name = format_args!("out{output}");
            fields.pointer(ty, name, address(self.inputs() + output));
        }
    }

    /// The sum of its instructions' [`ops::weight`].
    fn weight(&self) -> usize {
        self.program.instrs.iter().map(|instr| ops::weight(&instr.op, instr.dtype)).sum()
    }

    /// The inputs that are read at computed indices, each with the number of these.
    fn gathered(&self) -> SmallVec<[(usize, usize); 2]> {
        let mut found: SmallVec<[(usize, usize); 2]> = SmallVec::new();
        for instr in &self.program.instrs {
            if let Op::Gather { input, indices } = &instr.op
                && !found.iter().any(|(known, _)| *known == *input as usize)
            {
                found.push((*input as usize, indices.len()));
            }
        }
        found
    }

    /// A bit for each axis whose coordinate is asked for.
    fn coordinates_asked(&self) -> u64 {
        self.program.instrs.iter().fold(0, |asked, instr| match instr.op {
            Op::Iota { axis } => asked | 1 << axis,
            _ => asked,
        })
    }
}

/// Declares `struct Params`.
fn params_text(list: impl FnOnce(&mut Text)) -> String {
    let mut text = Text::new();
    list(&mut text);
    text.finish()
}
