//! Writing where indices point; see `kernels/scatter.cu`.
//!
//! Which of several values a place gets does not depend on timing. Writes first find the owner of
//! every slot that is claimed, the last of its claims. Integers are folded by atomic operations,
//! whose order does not change the result; where one number is added in few places, claims are counted. Floats are folded in the order of their claims, which
//! are sorted by slot for that.

mod job;

use std::sync::Arc;

use smallvec::SmallVec;

use self::job::{Job, Row};
use super::args::Args;
use super::bounds::Bounds;
use super::context::{Context, Grid};
use super::sort::sort_pairs;
use super::source::{Source, kernel_source};
use super::tiles::{Axes, blocks, common_axes, item, start, unsigned};
use crate::device::{Error, ScatterOp, Storage, View};
use crate::dtype::DType;
use crate::ir::{Access, Space};
use crate::layout::Strides;
use crate::memory::Provenance;

const SCATTER: Source = kernel_source!("scatter.cu", behind "tiles.cuh");

const THREADS: usize = 256;
/// Rows that a group of lanes has in flight.
const TOGETHER: usize = 2;
/// Bytes of a row that are worth moving together.
const LEAST_ROW: usize = 8;
/// Slots for which a table of owners is small, whatever the number of claims.
const FEW_SLOTS: usize = 1 << 20;
/// Counters of a block: 32 KiB of shared memory.
const COUNTERS: usize = 8192;
/// Claims for each slot, from which on counting pays for bringing every block's counters together.
const CROWDED: usize = 64;
/// Slots for each claim, up to which owners are found by their slot.
const SPARSE: usize = 16;

/// See [`crate::device::Backend::scatter`]. Where `bounds` knows of all indices that they are within, nobody waits.
pub fn scatter(
    context: &Context,
    bounds: &Bounds,
    op: ScatterOp,
    space: &Space,
    (storage, access): (&Storage, &Access),
    indices: &[View<'_>],
    values: View<'_>,
) -> Result<(), Error> {
    if space.dims.contains(&0) {
        return Ok(());
    }
    let job = Job::new(&space.dims, storage, access, indices, values);
    let ranges = access.gathered.iter().map(|(extent, _)| -(*extent as i64)..*extent as i64);
    let reached = || indices.iter().copied().zip(ranges.clone());
    let is_known = reached().all(|(view, range)| bounds.has_within(view, &range));
    let launch = Launch { context, job: &job, is_known };
    // Over bool a sum is "or" and a product "and".
    let op = match (op, storage.dtype()) {
        (ScatterOp::Add, DType::Bool) => ScatterOp::Max,
        (ScatterOp::Multiply, DType::Bool) => ScatterOp::Min,
        (op, _) => op,
    };
    if op == ScatterOp::Write {
        launch.write()?;
    } else if storage.dtype().is_float() {
        launch.fold_floats(op)?;
    } else {
        launch.claim(&Owners::nobody())?;
        match op == ScatterOp::Add && launch.is_counting() {
            true => launch.counts()?,
            false => launch.elements(op, &Owners::nobody())?,
        }
    }
    if is_known {
        return Ok(());
    }
    context.check_write()?;
    if !context.is_rehearsal {
        let is_left = |view: &View<'_>| view.storage.address() != storage.address();
        reached()
            .filter(|(view, _)| is_left(view))
            .for_each(|(view, range)| bounds.note_view(view, range));
    }
    Ok(())
}

/// How a slot's owner is found: the macros, and `struct Owners`.
struct Owners {
    how: &'static str,
    item: &'static str,
    bytes: [u8; 24],
    _memory: Option<Arc<Storage>>,
}

impl Owners {
    fn nobody() -> Owners {
        Owners { how: "NOBODY", item: "u32", bytes: [0; 24], _memory: None }
    }
}

/// Starts the kernels of a job.
struct Launch<'a> {
    context: &'a Context,
    job: &'a Job<'a>,
    /// Whether all indices are known to be within.
    is_known: bool,
}

impl Launch<'_> {
    fn write(&self) -> Result<(), Error> {
        let owners = if self.job.claims() == 1 || self.job.is_same_for_all_claims() {
            Owners::nobody()
        } else {
            self.owners()?
        };
        self.claim(&owners)?;
        match self.job.row() {
            Some(row) if row.len * self.job.size >= LEAST_ROW => self.rows(&row, &owners),
            _ => self.elements(ScatterOp::Write, &owners),
        }
    }

    /// Memory for the owners of slots, with nobody in it.
    fn owners(&self) -> Result<Owners, Error> {
        let (claims, slots) = (self.job.claims(), self.job.slots);
        let (item, size) = if claims < u32::MAX as usize { ("u32", 4) } else { ("u64", 8) };
        let is_table = slots <= FEW_SLOTS || slots / SPARSE <= claims;
        let (how, len) =
            if is_table { ("TABLE", slots) } else { ("SEARCH", (2 * claims).next_power_of_two()) };
        let names = if is_table { 0 } else { 8 * len };
        let bytes = names + size * len;
        let memory = self.scratch(bytes)?;
        self.context.fill(memory.address(), 0, bytes)?;
        let words = [memory.address() + names as u64, memory.address(), len as u64 - 1];
        let mut bytes = [0; 24];
        for (word, place) in words.iter().zip(bytes.chunks_exact_mut(8)) {
            place.copy_from_slice(&word.to_ne_bytes());
        }
        Ok(Owners { how, item, bytes, _memory: Some(memory) })
    }

    /// Checks all indices, and lets every claim mark its slot.
    fn claim(&self, owners: &Owners) -> Result<(), Error> {
        if self.is_known && owners.how == "NOBODY" {
            return Ok(());
        }
        let axes = self.claim_axes([&self.job.slot_strides]);
        let indices = self.job.index_count();
        let defines = axes.defines([
            ("PART", "CLAIM"),
            ("INDICES", &*indices),
            ("OWNERS", owners.how),
            ("OWNER", owners.item),
        ]);
        let kernel = self.context.kernels.family(&SCATTER, "scatter_claim", &defines)?;
        let claims = self.job.claims();
        let index_bytes = self.job.index_bytes();
        let mut args = Args::new()
            .bytes(&owners.bytes)
            .address(self.context.fault.address())
            .u64(claims as u64)
            .bytes(&index_bytes)
            .axes(&axes);
        self.context.launch(&kernel, self.grid(claims), &mut args, self.index_traffic())
    }

    fn rows(&self, row: &Row, owners: &Owners) -> Result<(), Error> {
        let job = self.job;
        let axes = self.claim_axes([&job.slot_strides, &job.value_strides]);
        let (unit, size) = (row.unit, job.size);
        let units = row.len * size / unit;
        let lanes = units.next_power_of_two().min(32);
        let spread = if row.is_spread { unit / size } else { 0 };
        let texts = [spread, lanes, TOGETHER].map(|number| number.to_string());
        let indices = job.index_count();
        let defines = axes.defines([
            ("PART", "ROWS"),
            ("INDICES", &*indices),
            ("OWNERS", owners.how),
            ("OWNER", owners.item),
            ("ITEM", unsigned(size)),
            ("UNIT", unsigned(unit)),
            ("SPREAD", &texts[0]),
            ("LANES", &texts[1]),
            ("TOGETHER", &texts[2]),
        ]);
        let kernel = self.context.kernels.family(&SCATTER, "scatter_rows", &defines)?;
        let claims = job.claims();
        let index_bytes = job.index_bytes();
        let mut args = Args::new()
            .address(job.target)
            .address(start(job.values))
            .bytes(&owners.bytes)
            .address(self.context.fault.address())
            .u64(claims as u64)
            .u64(units as u64)
            .u64((job.grain * size / unit) as u64)
            .bytes(&index_bytes)
            .axes(&axes);
        let count = blocks(claims.div_ceil(TOGETHER * (THREADS / lanes)))?;
        let read = if row.is_spread { 0 } else { claims * row.len * size };
        let traffic = (claims * row.len * size + read) as u64 + self.index_traffic();
        self.context.launch(&kernel, Grid::line(count, THREADS as u32), &mut args, traffic)
    }

    fn elements(&self, op: ScatterOp, owners: &Owners) -> Result<(), Error> {
        let job = self.job;
        let moves = op == ScatterOp::Write;
        let spread = |strides: &[isize]| -> Strides { job.spread_claim_strides(strides) };
        let mut operands: SmallVec<[Strides; 6]> =
            job.indices.iter().map(|index| index.layout.strides.clone()).collect();
        operands.push(spread(&job.slot_strides));
        operands.push(spread(&job.claim_numbers()));
        operands.push(job.row_strides());
        operands.push(job.values.layout.strides.clone());
        let (dims, strides) = common_axes(job.dims, operands);
        let axes = Axes::new(&dims, &strides);
        let indices = job.index_count();
        let dtype = job.values.dtype();
        let defines = axes.defines([
            ("PART", "ELEMENTS"),
            ("INDICES", &*indices),
            ("OWNERS", owners.how),
            ("OWNER", owners.item),
            ("ITEM", if moves { unsigned(job.size) } else { item(dtype) }),
            ("APPLY", apply(op)),
        ]);
        let kernel = self.context.kernels.family(&SCATTER, "scatter_elements", &defines)?;
        let points: usize = dims.iter().product();
        let index_bytes = job.index_bytes();
        let mut args = Args::new()
            .address(job.target)
            .address(start(job.values))
            .bytes(&owners.bytes)
            .address(self.context.fault.address())
            .u64(points as u64)
            .i64(job.grain)
            .bytes(&index_bytes)
            .axes(&axes);
        let traffic = (points * 2 * job.size) as u64 + self.index_traffic();
        self.context.launch(&kernel, self.grid(points), &mut args, traffic)
    }

    /// Whether one number of 64 bits is added at many claims' places, of which there are few.
    fn is_counting(&self) -> bool {
        let job = self.job;
        job.size == 8
            && job.is_same_for_all_claims()
            && job.claims() == job.dims.iter().product::<usize>()
            && job.slots <= COUNTERS
            && job.claims() >= CROWDED * job.slots
    }

    fn counts(&self) -> Result<(), Error> {
        let (job, claims) = (self.job, self.job.claims());
        let axes = self.claim_axes([&job.slot_strides]);
        let slots = job.slots.next_power_of_two();
        let texts = [slots, (COUNTERS / slots).clamp(1, THREADS / 32)].map(|n| n.to_string());
        let indices = job.index_count();
        let defines = axes.defines([
            ("PART", "COUNTS"),
            ("INDICES", &*indices),
            ("ITEM", item(job.values.dtype())),
            ("SLOTS", &*texts[0]),
            ("COPIES", &*texts[1]),
        ]);
        let kernel = self.context.kernels.family(&SCATTER, "scatter_counts", &defines)?;
        let index_bytes = job.index_bytes();
        let mut args = Args::new()
            .address(job.target)
            .address(start(job.values))
            .address(self.context.fault.address())
            .u64(claims as u64)
            .i64(job.grain)
            .u64(job.slots as u64)
            .bytes(&index_bytes)
            .axes(&axes);
        // Each block brings its counters to the target: no more blocks than run at once.
        let most = 6 * self.context.chip.multiprocessors as usize;
        let grid = Grid::line(claims.div_ceil(THREADS).clamp(1, most) as u32, THREADS as u32);
        self.context.launch(&kernel, grid, &mut args, self.index_traffic())
    }

    fn fold_floats(&self, op: ScatterOp) -> Result<(), Error> {
        let (job, claims) = (self.job, self.job.claims());
        let axes = self.claim_axes([&job.slot_strides]);
        let indices = job.index_count();
        let (key, key_size) = if job.slots <= 1 << 32 { ("u32", 4) } else { ("u64", 8) };
        let defines = axes.defines([("PART", "KEYS"), ("INDICES", &*indices), ("KEY", key)]);
        let kernel = self.context.kernels.family(&SCATTER, "scatter_keys", &defines)?;
        let keys = self.scratch(claims * key_size)?;
        let index_bytes = job.index_bytes();
        let mut args = Args::new()
            .address(keys.address())
            .address(self.context.fault.address())
            .u64(claims as u64)
            .bytes(&index_bytes)
            .axes(&axes);
        let traffic = self.index_traffic() + (claims * key_size) as u64;
        self.context.launch(&kernel, self.grid(claims), &mut args, traffic)?;

        let bits = usize::BITS - (job.slots - 1).leading_zeros();
        let device = job.values.storage.device();
        let sorted =
            sort_pairs(self.context, device, (keys.address(), key_size), None, claims, bits)?;

        let (row_dims, row_axes) = job.row_axes();
        let operands = [&job.value_strides];
        let (dims, strides) = common_axes(&job.claim_dims, operands.map(Clone::clone));
        let axes = Axes::new(&dims, &strides);
        let row_rank = row_dims.len().max(1).to_string();
        let dtype = job.values.dtype();
        let defines = axes.defines([
            ("PART", "FOLDS"),
            ("INDICES", &*indices),
            ("KEY", key),
            ("ORDER", if sorted.is_wide { "u64" } else { "u32" }),
            ("ITEM", item(dtype)),
            ("APPLY", apply(op)),
            ("ROW_RANK", &row_rank),
        ]);
        let kernel = self.context.kernels.family(&SCATTER, "scatter_folds", &defines)?;
        let row: usize = row_dims.iter().product();
        let mut args = Args::new()
            .address(job.target)
            .address(start(job.values))
            .address(sorted.keys.address())
            .address(sorted.payload.address())
            .address(self.context.fault.address())
            .u64(claims as u64)
            .u64(row as u64)
            .i64(job.grain)
            .bytes(&row_axes)
            .axes(&axes);
        let traffic = (claims * (3 * row * job.size + key_size + 4)) as u64;
        self.context.launch(&kernel, self.grid(claims * row), &mut args, traffic)
    }

    /// The axes of the claims, for the indices and then for `more`.
    fn claim_axes<const N: usize>(&self, more: [&Strides; N]) -> Axes {
        let indices =
            self.job.indices.iter().map(|index| self.job.of_claims(&index.layout.strides));
        let operands = indices.chain(more.into_iter().cloned());
        let (dims, strides) = common_axes(&self.job.claim_dims, operands);
        Axes::new(&dims, &strides)
    }

    /// Enough threads for so many points, which go on where there are more.
    fn grid(&self, points: usize) -> Grid {
        let most = 64 * self.context.chip.multiprocessors as usize;
        Grid::line(points.div_ceil(THREADS).clamp(1, most) as u32, THREADS as u32)
    }

    fn index_traffic(&self) -> u64 {
        (8 * self.job.claims() * self.job.indices.len()) as u64
    }

    fn scratch(&self, bytes: usize) -> Result<Arc<Storage>, Error> {
        let device = self.job.values.storage.device();
        device.allocate(DType::U8, bytes, Provenance::WORKSPACE.by("scatter"))
    }
}

fn apply(op: ScatterOp) -> &'static str {
    match op {
        ScatterOp::Write => "WRITE",
        ScatterOp::Add => "ADD",
        ScatterOp::Multiply => "MULTIPLY",
        ScatterOp::Max => "MAX",
        ScatterOp::Min => "MIN",
    }
}

#[cfg(test)]
mod tests;
