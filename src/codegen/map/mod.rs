//! Maps: programs without reductions, in which every point is computed by itself.
//!
//! `geometry` makes the space simple; then one of two forms runs it: `points`, in which a thread
//! takes packs of neighbouring points, or `tiles`, which turns operands that lie across the output
//! in shared memory.

mod geometry;
mod kernel;
mod points;
mod tiles;

use smallvec::SmallVec;

use self::geometry::Geometry;
use self::kernel::{Kernel, Writes};
use self::points::PointsForm;
use self::tiles::TilesForm;
use super::index::MAX_POINTS;
use super::params::Text;
use super::{Chip, Form, Job, Launch, Operand};
use crate::ir::{Domain, Program, Space};

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
    let mut job = Job { choices: 1, ..Job::default() };
    let kinds: &[Writes] = match space.kept < space.dims.len() {
        true => &[Writes::Only(Domain::Element), Writes::Only(Domain::Row)],
        false => &[Writes::All],
    };
    for writes in kinds {
        let kernel = Kernel::new(program, *writes);
        job.can_fail = kernel.can_fail;
        if kernel.outputs.is_empty() {
            continue;
        }
        let dims = match writes {
            Writes::Only(Domain::Row) => &space.dims[..space.kept],
            _ => &space.dims,
        };
        let written: SmallVec<[&Operand<'_>; 2]> =
            kernel.outputs.iter().map(|output| &outputs[*output as usize]).collect();
        let Some(geometry) = Geometry::new(&kernel, dims, inputs, &written) else { continue };
        if geometry.points() <= MAX_POINTS {
            push_launch(&mut job, &kernel, *writes, &geometry, chip, choice);
            continue;
        }
        for piece in geometry.pieces() {
            push_launch(&mut job, &kernel, *writes, &piece, chip, choice);
        }
    }
    job
}

fn push_launch(
    job: &mut Job,
    kernel: &Kernel<'_>,
    writes: Writes,
    piece: &Geometry,
    chip: &Chip,
    choice: u8,
) {
    let chosen = match tiles::plan(kernel, piece, choice) {
        Some(tiles) => tiles.map(Shape::Tiles),
        None => points::plan(kernel, piece, chip, choice).map(Shape::Points),
    };
    job.choices = job.choices.max(chosen.choices);
    job.launches.push(Launch {
        form: Form::Map(MapForm { writes, shape: chosen.form }),
        grid: [chosen.blocks, 1, 1],
        block: chosen.threads,
        shared: 0,
        params: chosen.params,
    });
}

/// The text of a kernel.
pub fn render(program: &Program, form: &MapForm) -> String {
    let kernel = Kernel::new(program, form.writes);
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

/// Declares `struct Params`.
fn params_text(list: impl FnOnce(&mut Text)) -> String {
    let mut text = Text::new();
    list(&mut text);
    text.finish()
}
