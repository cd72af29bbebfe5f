//! Left folds; see `kernels/left_fold.cu`.

use super::args::Args;
use super::context::{Context, Grid};
use super::source::{Source, kernel_source};
use super::tiles::{Axes, blocks, common_axes, item, start};
use crate::codegen::joined;
use crate::device::{Error, LeftFold};
use crate::layout::Strides;

const LEFT_FOLD: Source =
    kernel_source!("left_fold.cu", behind "tiles.cuh", "math.cuh", "complex.cuh");

const THREADS: usize = 128;

/// See [`crate::device::Backend::fold_left`].
pub fn fold_left(context: &Context, fold: LeftFold<'_>) -> Result<(), Error> {
    let (input, results) = (fold.input, fold.results());
    let outer = input.layout.rank() - 1;
    let rows: usize = input.layout.shape[..outer].iter().product();
    if rows * results == 0 {
        return Ok(());
    }
    let views = [Some(input), fold.first, Some(fold.out)];
    let steps = views.map(|view| view.map_or(0, |view| view.layout.strides[outer]));
    let beside = |strides: &Strides| strides[..outer].into();
    let none = Strides::from_elem(0, outer);
    let strides = views.map(|view| view.map_or(none.clone(), |view| beside(&view.layout.strides)));
    let (dims, strides) = common_axes(&input.layout.shape[..outer], strides);
    let axes = Axes::new(&dims, &strides);
    let text = joined(fold.op, input.dtype());
    // The signs of real arithmetic are those of complex arithmetic, too.
    let (value, pairs) = match fold.are_pairs {
        true => (format!("Complex<{}>", text.value), "1"),
        false => (text.value.to_string(), "0"),
    };
    let defines = axes.defines([
        ("ITEM", item(input.dtype())),
        ("VALUE", &*value),
        ("JOIN(a, b)", &*text.join),
        ("LOAD(x)", &*text.load),
        ("STORE(x)", &*text.store),
        ("PAIRS", pairs),
        ("STEPS", if fold.keeps_steps { "1" } else { "0" }),
    ]);
    let kernel = context.kernels.family(&LEFT_FOLD, "left_fold", &defines)?;
    let places = fold.sections.map_or([0; 2], |places| [places.starts, places.ends].map(start));
    let mut args = Args::new()
        .address(start(input))
        .address(places[0])
        .address(places[1])
        .address(fold.first.map_or(0, start))
        .address(start(fold.out))
        .u64(rows as u64)
        .u64(results as u64)
        .i64(fold.row())
        .stride(steps[0])
        .stride(steps[1])
        .stride(steps[2])
        .axes(&axes);
    let grid = Grid::line(blocks((rows * results).div_ceil(THREADS))?, THREADS as u32);
    context.launch(&kernel, grid, &mut args, (fold.read_bytes() + fold.written_bytes()) as u64)
}
