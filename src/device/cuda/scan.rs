//! Running sums, products, maxima and minima; see `kernels/scan.cu` and `kernels/scan_short.cu`.
//!
//! Sizes and layouts choose among four ways, never the chip alone, so that results are the same
//! everywhere. Lines that lie side by side are gone along by one lane for each few of them, and
//! cut in segments where they are few. Of very many short lines each has a thread. Many lines get a
//! group of lanes each. Few long lines are cut in tiles ([`tiles`]).

mod tiles;

use smallvec::SmallVec;

use self::tiles::Tiles;
use super::args::Args;
use super::context::{Context, Grid};
use super::copy;
use super::run::Runner;
use super::source::{Source, kernel_source};
use super::tiles::{Axes, blocks, common_axes, item, start};
use crate::codegen::Chip;
use crate::device::{Error, View};
use crate::dtype::DType;
use crate::ir::ScanOp;
use crate::layout::{Layout, Strides};
use crate::memory::Provenance;

const SCAN: Source = kernel_source!(
    "scan.cu", behind "tiles.cuh", "scan_folds.cuh", "scan_chunk.cuh", "scan_totals.cuh"
);

const SHORT_SCAN: Source = kernel_source!("scan_short.cu", behind "tiles.cuh", "scan_folds.cuh");

const WARP: usize = 32;
/// Threads of a block that goes through lines.
const THREADS: usize = 256;
/// Elements that a lane folds one after the other: more take registers that other lanes need.
const RUN: usize = 8;
/// Threads of a block that goes along columns.
const COLUMN_THREADS: usize = 128;
/// The same where there are too few columns for every multiprocessor to get so many.
const FEW_COLUMN_THREADS: usize = 32;
/// Elements of a column that a lane reads before it folds them.
const COLUMN_ROWS: usize = 8;
/// The same where a lane has a whole column, of which nobody else reads ahead.
const WHOLE_COLUMN_ROWS: usize = 32;
/// Columns that are worth going along together.
const COLUMNS: usize = 16;
/// Lanes that keep a large chip busy.
const BUSY: usize = 128 * 1024;
/// A segment of a column is no shorter, and there are no more: each adds up all before it.
const SEGMENT: usize = 64;
const MOST_SEGMENTS: usize = 256;
/// As many lines are gone through by a warp each, however long they are.
const MANY_LINES: usize = 4096;
/// Longer columns are rather tiled one by one where they are fewer than these.
const LONG_COLUMN: usize = 2048;
const MANY_COLUMNS: usize = 1024;
/// Lines of so few elements are each gone along by one thread, where they follow each other and are so many that a large
/// chip is busy. Tests get there with fewer.
const SHORT: usize = 128;
const MANY_SHORT_LINES: usize = if cfg!(test) { 32 } else { 8192 };
/// Threads of a block that goes along such: `SHORT_THREADS`; elements that each has, at least, and bytes that all have, at
/// most.
const SHORT_THREADS: usize = 256;
const SHORT_RUN: usize = 8;
const SHORT_BYTES: usize = 64 << 10;
/// Elements that may be read where they lie, however far apart.
const SCATTERED: usize = 1 << 16;

/// A fold of `scan.cu`.
#[derive(Debug, Clone, Copy)]
struct Fold {
    name: &'static str,
    item: &'static str,
    /// Bytes of an element, and of `Fold::Acc`.
    size: usize,
    acc: usize,
    /// Whether parts that are folded on their own may leave the range of floats where the line does
    /// not, and are then folded again.
    repairs: bool,
}

impl Fold {
    fn of(op: ScanOp, dtype: DType) -> Fold {
        let size = dtype.size();
        let wide = if size == 8 { 8 } else { 4 };
        let is_float = dtype.is_float();
        let (name, acc) = match op {
            // Over bool a sum is "any so far" and a product "all so far".
            ScanOp::Sum if dtype == DType::Bool => ("MaxOf", wide),
            ScanOp::Prod if dtype == DType::Bool => ("MinOf", wide),
            ScanOp::Sum if dtype == DType::F64 => ("SumDouble", 16),
            ScanOp::Sum if is_float => ("SumFloat", 8),
            ScanOp::Sum => ("SumInteger", wide),
            ScanOp::Prod if is_float => ("ProdFloat", 16),
            ScanOp::Prod => ("ProdInteger", wide),
            ScanOp::Max => ("MaxOf", wide),
            ScanOp::Min => ("MinOf", wide),
        };
        let repairs = matches!(name, "SumDouble" | "ProdFloat");
        Fold { name, item: item(dtype), size, acc, repairs }
    }
}

/// See [`crate::device::Backend::scan`].
pub fn scan(
    context: &Context,
    runner: &Runner,
    op: ScanOp,
    input: View<'_>,
    axis: usize,
    out: View<'_>,
) -> Result<(), Error> {
    if input.layout.elem_count() == 0 {
        return Ok(());
    }
    let fold = Fold::of(op, input.dtype());
    let job = Job::new(context, fold, input, axis, out);
    if let Some(columns) = job.columns() {
        return job.run_columns(columns);
    }
    let is_far = job.steps[0].unsigned_abs() > 1 && job.steps[1] == 1 && job.len > 1;
    if is_far && input.layout.elem_count() > SCATTERED {
        let copied = copy::contiguous(context, runner, input, "scan")?;
        let layout = Layout::contiguous(input.layout.shape.clone());
        let input = View { storage: &copied, layout: &layout };
        return Job::new(context, fold, input, axis, out).run_lines(&context.chip);
    }
    job.run_lines(&context.chip)
}

/// The lines of a scan: one for each point of `dims`.
struct Job<'a> {
    context: &'a Context,
    fold: Fold,
    input: View<'a>,
    out: View<'a>,
    dims: SmallVec<[usize; 6]>,
    /// Of the input and of the output.
    strides: Vec<Strides>,
    /// Along a line.
    steps: [isize; 2],
    /// Elements of a line.
    len: usize,
}

/// How lanes read and write a line.
#[derive(Debug, Clone, Copy)]
struct Reads {
    /// Elements that a lane moves at once.
    pack: usize,
    /// Whether packs do not lie evenly, so that elements are moved one by one.
    apart: bool,
}

impl Reads {
    /// Packs that a lane holds at most.
    fn rows(self) -> usize {
        (RUN / self.pack).max(1)
    }

    fn apart_text(self) -> &'static str {
        if self.apart { "1" } else { "0" }
    }
}

/// How columns are gone along.
struct Columns {
    count: usize,
    outer: usize,
    /// Columns of a lane.
    pack: usize,
    /// Elements of a segment.
    stretch: usize,
}

impl<'a> Job<'a> {
    fn new(
        context: &'a Context,
        fold: Fold,
        input: View<'a>,
        axis: usize,
        out: View<'a>,
    ) -> Job<'a> {
        let layouts = [input.layout, out.layout];
        let rest = layouts.map(|layout| layout.select(axis, 0));
        let [first, second] = rest.each_ref().map(|layout| layout.strides.clone());
        let (dims, strides) = common_axes(&rest[0].shape, [first, second]);
        let steps = layouts.map(|layout| layout.strides[axis]);
        Job { context, fold, input, out, dims, strides, steps, len: input.layout.shape[axis] }
    }

    fn lines(&self) -> usize {
        self.dims.iter().product()
    }

    /// Elements that 16 bytes hold.
    fn widest_pack(&self) -> usize {
        16 / self.fold.size
    }

    /// Whether packs of elements lie evenly, also where what is not along them moves by these strides.
    fn is_even(&self, strides: impl Fn(usize) -> SmallVec<[isize; 8]>) -> bool {
        let pack = self.widest_pack() as isize;
        [self.input, self.out].into_iter().enumerate().all(|(operand, view)| {
            start(view).is_multiple_of(16)
                && strides(operand).iter().all(|stride| stride % pack == 0)
        })
    }

    /// Whether the lines are columns that lie side by side, and how they are best gone along.
    fn columns(&self) -> Option<Columns> {
        let (count, outer_dims) = self.dims.split_last()?;
        let (count, outer) = (*count, outer_dims.iter().product::<usize>());
        if self.strides.iter().any(|strides| strides.last() != Some(&1)) || count < COLUMNS {
            return None;
        }
        let step = |operand: usize| {
            let outer = &self.strides[operand][..outer_dims.len()];
            outer.iter().copied().chain([self.steps[operand]]).collect()
        };
        let lanes = outer * count;
        // A column of floats that may leave the range is not cut.
        let many = if self.fold.repairs { BUSY / 8 } else { MANY_COLUMNS };
        if lanes < many && self.len > LONG_COLUMN {
            return None;
        }
        let pack = self.widest_pack();
        let pack = if count.is_multiple_of(pack) && self.is_even(step) { pack } else { 1 };
        if self.fold.repairs {
            let pack = if lanes / pack < BUSY { 1 } else { pack };
            return Some(Columns { count, outer, pack, stretch: self.len });
        }
        let most = (self.len / SEGMENT).clamp(1, MOST_SEGMENTS);
        let segments = BUSY.div_ceil(lanes / pack).min(most);
        Some(Columns { count, outer, pack, stretch: self.len.div_ceil(segments) })
    }

    fn run_columns(&self, columns: Columns) -> Result<(), Error> {
        let Columns { count, outer, pack, stretch } = columns;
        let segments = self.len.div_ceil(stretch);
        let outer_axes: Vec<&[isize]> =
            self.strides.iter().map(|strides| &strides[..strides.len() - 1]).collect();
        let axes = Axes::new(&self.dims[..self.dims.len() - 1], &outer_axes);
        let is_alone = self.fold.repairs && pack == 1;
        let rows = if is_alone { WHOLE_COLUMN_ROWS } else { COLUMN_ROWS };
        let (pack_text, rows_text) = (pack.to_string(), rows.to_string());
        let defines = axes.defines([
            ("ITEM", self.fold.item),
            ("FOLD", self.fold.name),
            ("PACK", &*pack_text),
            ("APART", "0"),
            ("ROWS", &rows_text),
            ("GROUP", "1"),
            ("PART", "COLUMNS"),
        ]);
        let scratch = match segments {
            1 => None,
            _ => Some(self.scratch(outer * count * segments * self.fold.acc)?),
        };
        let lanes = outer * count / pack;
        let all = lanes.div_ceil(COLUMN_THREADS) * segments;
        let is_spread = all >= 2 * self.context.chip.multiprocessors as usize;
        let threads = if is_spread { COLUMN_THREADS } else { FEW_COLUMN_THREADS };
        let grid = Grid {
            blocks: [blocks(lanes.div_ceil(threads))?, segments as u32, 1],
            threads: threads as u32,
            shared: 0,
        };
        let launch = |name: &str, traffic: usize| {
            let kernel = self.context.kernels.family(&SCAN, name, &defines)?;
            let mut args = Args::new()
                .address(start(self.input))
                .address(start(self.out))
                .address(scratch.as_ref().map_or(0, |scratch| scratch.address()))
                .u64(count as u64)
                .u64(outer as u64)
                .u64(self.len as u64)
                .u64(stretch as u64)
                .stride(self.steps[0])
                .stride(self.steps[1])
                .axes(&axes);
            self.context.launch(&kernel, grid, &mut args, traffic as u64)
        };
        let bytes = self.lines() * self.len * self.fold.size;
        if segments > 1 {
            launch("scan_column_totals", bytes)?;
        }
        launch("scan_columns", 2 * bytes)
    }

    /// As `chip` is best kept busy, which results do not tell.
    fn run_lines(&self, chip: &Chip) -> Result<(), Error> {
        let strides = |operand: usize| self.strides[operand].iter().copied().collect();
        let is_even = self.steps == [1, 1] && self.is_even(strides);
        let reads = match (is_even, self.len > WARP) {
            (true, _) => Reads { pack: self.widest_pack(), apart: false },
            // Lanes then hand each other what they fold.
            (false, true) => Reads { pack: self.widest_pack(), apart: true },
            (false, false) => Reads { pack: 1, apart: false },
        };
        let row = WARP * reads.pack;
        let axes = Axes::new(&self.dims, &self.strides);
        // Groups of lanes that a line fills are as fast, unless what they hand each other is wide.
        let fills_lanes =
            is_even && (self.len / reads.pack).is_power_of_two() && self.fold.acc <= 8;
        let is_short = self.len <= SHORT && self.lines() >= MANY_SHORT_LINES && self.is_dense();
        if is_short && !fills_lanes {
            self.run_short()
        } else if self.len <= row {
            let group = self.len.div_ceil(reads.pack).next_power_of_two();
            self.run_groups(&axes, reads, group, 1)
        } else if self.lines() >= MANY_LINES || self.len <= row * reads.rows() {
            // As few chunks as can be, and none of them nearly empty.
            let chunks = self.len.div_ceil(row * reads.rows());
            self.run_groups(&axes, reads, WARP, self.len.div_ceil(row * chunks))
        } else {
            Tiles::of(self, reads).run(self, &axes, chip)
        }
    }

    /// Whether lines follow each other without holes, and both operands begin where packs do.
    fn is_dense(&self) -> bool {
        let follow = |strides: &Strides| match strides.as_slice() {
            [] => true,
            [step] => *step == self.len as isize,
            _ => false,
        };
        self.steps == [1, 1]
            && self.strides.iter().all(follow)
            && [self.input, self.out].into_iter().all(|view| start(view).is_multiple_of(16))
    }

    /// A thread goes along each line.
    fn run_short(&self) -> Result<(), Error> {
        let lines = self.lines();
        let line = self.len * self.fold.size + 16;
        let most = SHORT_BYTES / line / WARP * WARP;
        let each = (SHORT_THREADS * (SHORT_RUN / self.len).max(1)).min(most);
        let defines = [("ITEM", self.fold.item), ("FOLD", self.fold.name)];
        let kernel = self.context.kernels.family(&SHORT_SCAN, "scan_short", &defines)?;
        let grid = Grid {
            blocks: [blocks(lines.div_ceil(each))?, 1, 1],
            threads: SHORT_THREADS as u32,
            shared: (each * line) as u32,
        };
        let mut args = Args::new()
            .address(start(self.input))
            .address(start(self.out))
            .u64(lines as u64)
            .u32(self.len as u32)
            .u32(each as u32);
        self.context.launch(&kernel, grid, &mut args, self.traffic())
    }

    /// A group of lanes goes through each line.
    fn run_groups(
        &self,
        axes: &Axes,
        reads: Reads,
        group: usize,
        rows: usize,
    ) -> Result<(), Error> {
        let lines = self.lines();
        let [pack, group_text, rows] = [reads.pack, group, rows].map(|number| number.to_string());
        let defines = axes.defines([
            ("ITEM", self.fold.item),
            ("FOLD", self.fold.name),
            ("PACK", &*pack),
            ("APART", reads.apart_text()),
            ("ROWS", &rows),
            ("GROUP", &group_text),
            ("PART", "LINES"),
        ]);
        let kernel = self.context.kernels.family(&SCAN, "scan_lines", &defines)?;
        let most = 32 * self.context.chip.multiprocessors as usize;
        let grid = Grid::line(lines.div_ceil(THREADS / group).min(most) as u32, THREADS as u32);
        let mut args = Args::new()
            .address(start(self.input))
            .address(start(self.out))
            .u64(lines as u64)
            .u64(self.len as u64)
            .stride(self.steps[0])
            .stride(self.steps[1])
            .axes(axes);
        self.context.launch(&kernel, grid, &mut args, self.traffic())
    }

    fn traffic(&self) -> u64 {
        (2 * self.lines() * self.len * self.fold.size) as u64
    }

    /// Memory that may go back as soon as the launches are made: it is reused in stream order.
    fn scratch(&self, bytes: usize) -> Result<std::sync::Arc<crate::device::Storage>, Error> {
        let device = self.out.storage.device();
        device.allocate(DType::U8, bytes, Provenance::WORKSPACE.by("scan"))
    }
}

#[cfg(test)]
mod tests;
