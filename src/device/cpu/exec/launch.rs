//! Decides how a program runs through its space.

use std::cell::{Cell, RefCell};
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

use super::super::dispatch::Level;
use super::direction::{Direction, Geometry, keeps};
use super::few::FEW_LANES;
use super::geometry::{Axes, Grid, Operand, order_axes};
use super::lines;
use super::plan::{Options, Plan};
use super::steps::{Launch, WalkAxes};
use super::together;
use super::ways::{are_dense, copied_bytes, turn, whole_lines};
use super::workers::Frames;
use crate::device::{Error, Interrupt, Storage};
use crate::ir::{Access, Op, Program, Space, collapse};

/// Plans are forgotten all at once when there are as many as this.
const MAX_PLANS: usize = 4096;

/// Lanes of a block: half of what the nearest cache holds, shared by some three registers.
pub(super) const LANES: usize = 2048;
/// The same where the widest type has eight bytes.
pub(in crate::device::cpu) const WIDE_LANES: usize = 1024;

/// Rows of at most this many elements keep dear values between passes: they then stay in the
/// second-level cache.
pub(super) const KEEP: usize = 64 * 1024;

/// Lanes of a block that no register holds: inputs are folded where they lie, or kernels go over them a few lanes
/// at a time.
pub(in crate::device::cpu) const IN_PLACE: usize = 16 * 1024;

/// The same where each lane is a row: elements of a block's rows that all are held together, and of all rows where
/// these are few.
pub(super) const KEEP_ACROSS: usize = 1 << 20;
/// The same of few rows: writing and reading them once costs less than a dear function.
pub(super) const KEEP_STACKED: usize = 1 << 21;
/// Bytes of kept values of a block of such rows, if that leaves enough lanes: they stay in the outer caches.
const KEPT_BYTES: usize = 2 << 20;
/// Lanes that are enough.
pub(super) const LEAST_KEPT: usize = 256;

/// Where operands have at least as many bytes in all, outputs are written around the caches: they would push out all
/// else and be gone themselves before anybody reads them, and what they replace need not be read before.
pub(in crate::device::cpu) const STREAMED: usize = 24 << 20;

/// Lines of at least this many lanes may be blocks of their own.
pub(super) const LINE: usize = 256;

/// Bytes that a block of a map copies from inputs which do not lie as its lanes do: half of the nearest cache.
pub(super) const COPIED: usize = 16 * 1024;

/// Rows that each have a lane are cut in blocks of no fewer, for the threads to share.
pub(super) const LEAST_LANES: usize = 256;

/// Bytes of a lane in all registers, up to which a block of whole rows has twice the lanes.
const FEW_BYTES: usize = 24;

type KnownPlans = SmallVec<[(Options, Arc<Plan>); 1]>;
type Plans = FxHashMap<u64, SmallVec<[(Arc<Program>, Options, Arc<Plan>); 1]>>;

/// Runs programs, and remembers their plans and the threads' registers.
#[derive(Debug)]
pub struct Executor {
    level: Level,
    plans: Mutex<Plans>,
    frames: Frames,
}

/// What a [`Memo`](crate::device::Memo) holds: what is the same in every launch of one program over one
/// space whose operands are reached by the same strides.
#[derive(Debug, Default)]
pub struct Known {
    /// Whether no axes can be joined.
    is_collapsed: Cell<bool>,
    plans: RefCell<KnownPlans>,
}

impl Known {
    fn plan(&self, options: Options, find: impl FnOnce() -> Arc<Plan>) -> Arc<Plan> {
        let mut plans = self.plans.borrow_mut();
        if let Some((_, plan)) = plans.iter().find(|(own, _)| *own == options) {
            return plan.clone();
        }
        let plan = find();
        plans.push((options, plan.clone()));
        plan
    }
}

impl Executor {
    pub fn new(level: Level) -> Executor {
        Executor { level, plans: Mutex::default(), frames: Frames::default() }
    }

    /// The vector instructions that kernels use.
    pub fn level(&self) -> Level {
        self.level
    }

    /// See [`crate::device::Backend::run`].
    pub fn run(
        &self,
        program: &Program,
        space: &Space,
        inputs: &[(&Storage, &Access)],
        outputs: &[(&Storage, &Access)],
        known: Option<&Known>,
        interrupt: &Interrupt,
    ) -> Result<(), Error> {
        if space.dims[..space.kept].contains(&0) {
            return Ok(());
        }
        let all = inputs.iter().chain(outputs);
        if known.is_some_and(|known| known.is_collapsed.get()) {
            let names = (0..space.dims.len() as u8).collect();
            let operands = all.map(|(storage, access)| Operand::of(storage, access, space));
            let level = self.level;
            let geometry = Geometry { level, program, space, names, is_aliased: false, known };
            return self.run_collapsed(geometry, operands.collect(), inputs.len(), interrupt);
        }
        let mut joined = space.clone();
        let mut accesses: SmallVec<[Access; 4]> =
            all.clone().map(|(_, access)| (*access).clone()).collect();
        let pinned = program.instrs.iter().fold(0u64, |pinned, instr| match instr.op {
            Op::Iota { axis } => pinned | 1 << axis,
            _ => pinned,
        });
        let names = collapse(&mut joined, &mut accesses, pinned);
        if let Some(known) = known {
            known.is_collapsed.set(names.len() == space.dims.len());
        }
        let operands = all.zip(&accesses);
        let operands =
            operands.map(|((storage, _), access)| Operand::of(storage, access, &joined)).collect();
        let (level, space) = (self.level, &joined);
        let geometry = Geometry { level, program, space, names, is_aliased: false, known };
        self.run_collapsed(geometry, operands, inputs.len(), interrupt)
    }

    fn run_collapsed(
        &self,
        geometry: Geometry<'_>,
        operands: SmallVec<[Operand; 6]>,
        inputs: usize,
        interrupt: &Interrupt,
    ) -> Result<(), Error> {
        let space = geometry.space;
        let is_aliased = operands[inputs..].iter().any(|output| {
            let (low, high) = output.range(space);
            operands[..inputs].iter().any(|input| {
                let (from, to) = input.range(space);
                from < high && low < to
            })
        });
        let geometry = Geometry { is_aliased, ..geometry };
        match self.launch(&geometry, operands.clone(), inputs, interrupt, false) {
            // The first offender, in row-major order, is found by a slower second run.
            Err(error) if error != Error::Interrupted => {
                self.launch(&geometry, operands, inputs, interrupt, true)?;
                Err(error)
            }
            other => other,
        }
    }

    fn launch(
        &self,
        geometry: &Geometry<'_>,
        operands: SmallVec<[Operand; 6]>,
        inputs: usize,
        interrupt: &Interrupt,
        is_search: bool,
    ) -> Result<(), Error> {
        let Geometry { program, space, names, is_aliased, known, .. } = geometry;
        // A program without reductions may still tell rows from elements.
        let has_rows = space.kept < space.dims.len();
        let direction = geometry.direction(&operands[..inputs], is_search);
        let options = Options {
            level: self.level,
            keep: keeps(direction, space),
            is_across: direction.is_across(),
            late: *is_aliased,
        };
        let plan = match known {
            Some(known) => known.plan(options, || self.plan(program, options)),
            None => self.plan(program, options),
        };
        let lanes = if plan.widest == 8 { WIDE_LANES } else { LANES };
        let threads = if is_search { 1 } else { rayon::current_num_threads() };

        let mut axes: Axes = match direction {
            Direction::Rows => (space.kept..space.dims.len()).collect(),
            Direction::Columns if has_rows => (0..space.kept).collect(),
            Direction::Columns | Direction::Batches => (0..space.dims.len()).collect(),
            Direction::Stacks => (space.kept..space.dims.len()).chain(0..space.kept).collect(),
        };
        let mut turned = false;
        if direction == Direction::Batches {
            let in_order: SmallVec<[&Operand; 6]> =
                operands[..inputs].iter().chain(&operands[inputs..]).collect();
            order_axes(&mut axes[..space.kept], &in_order);
            if !plan.has_arg {
                order_axes(&mut axes[space.kept..], &in_order);
            }
        } else if direction == Direction::Stacks {
            let in_order: SmallVec<[&Operand; 6]> =
                operands[..inputs].iter().chain(&operands[inputs..]).collect();
            order_axes(&mut axes[1..], &in_order);
        } else if axes.len() > 1 && !is_search && !(direction == Direction::Rows && plan.has_arg) {
            let in_order: SmallVec<[&Operand; 6]> =
                operands[inputs..].iter().chain(&operands[..inputs]).collect();
            order_axes(&mut axes[..], &in_order);
            // Positions and kept values are those of blocks that follow each other along the row.
            let is_any_order = direction == Direction::Columns || plan.kept.is_empty();
            turned = is_any_order && turn(&mut axes, &operands[..inputs], space);
        }
        let is_map = direction == Direction::Columns && !has_rows;
        let mut lined = None;
        if is_map && !turned && !is_aliased && !is_search {
            lined = lines::block(&plan, &axes, operands.split_at(inputs), (space, IN_PLACE));
        }
        let is_in_place = !is_aliased
            && match direction {
                Direction::Columns if is_map && !turned && plan.only_kernels() => {
                    lined.is_some() || are_dense(&axes, &operands, space)
                }
                Direction::Rows => plan.folds_inputs(&operands, &axes),
                Direction::Batches => plan.folds_inputs(&operands, &axes[space.kept..]),
                Direction::Columns => is_map && plan.only_gathers(),
                Direction::Stacks => plan.folds_inputs(&operands, &axes[axes.len() - 1..]),
            };
        let streams = is_map && !is_aliased && {
            let ranges = operands.iter().map(|operand| operand.range(space));
            let ranges: SmallVec<[(usize, usize); 6]> = ranges.collect();
            // Windows of one tensor lie over each other.
            let own = |at: &usize| {
                let (low, high) = ranges[*at];
                !ranges[..*at].iter().any(|(from, to)| *from < high && low < *to)
            };
            let reached = (0..ranges.len()).filter(own).map(|at| operands[at].reached(space));
            reached.sum::<usize>() >= STREAMED
        };
        let mut block_lanes = if is_in_place { lined.unwrap_or(IN_PLACE) } else { lanes };
        let mut several = None;
        if direction == Direction::Batches {
            // What a block costs is shared by two rows at least, and by more where few values take room.
            let bytes = plan.bytes_of_lane(lines::are_worth_it(space.row_len(), plan.widest));
            let holds_nothing = !is_aliased
                && lines::are_worth_it(space.row_len(), plan.widest)
                && plan.holds_no_rows()
                && are_dense(&axes, &operands[..inputs], space);
            let most = match (is_in_place, holds_nothing) {
                (false, true) => IN_PLACE,
                (false, false) if bytes <= FEW_BYTES => 2 * block_lanes,
                _ => block_lanes,
            };
            block_lanes = most.max(2 * space.row_len());
        } else if direction == Direction::Rows && !is_in_place {
            block_lanes *= if plan.bytes_of_lane(true) <= FEW_BYTES { 2 } else { 1 };
        } else if direction == Direction::Stacks {
            // All rows lie whole in every block; what one costs beside its lanes is the more, the fewer they are.
            let most = if is_in_place { block_lanes } else { 4 * block_lanes };
            block_lanes = most.max(space.rows());
        } else if has_rows && direction == Direction::Columns {
            // Few rows are cut in more blocks, for the threads to share; but a block's part of an
            // input should be long.
            let rows = space.rows();
            let (ways, inputs) = ((&axes, *space), &operands[..inputs]);
            if !turned && !is_aliased {
                several = together::choose((&plan, program), ways, inputs, lanes);
            }
            block_lanes = match several {
                Some(together) => together.rows,
                None => rows.div_ceil(2 * threads).clamp(LEAST_LANES.min(lanes), lanes),
            };
            let kept: usize = plan.kept.iter().map(|size| usize::from(*size)).sum();
            if kept > 0 {
                let most = KEPT_BYTES / (kept * space.row_len());
                block_lanes = block_lanes.min(most.max(LEAST_KEPT));
            }
        }
        let is_copied = is_map && !is_in_place && !turned;
        let is_free = is_copied && !is_aliased;
        let is_woven = is_free && !is_search && lines::are_woven(&operands[inputs..], &axes);
        let (ways, mut pitch) = (operands.split_at(inputs), None);
        let copies_lines = is_free && lines::are_copied(&plan, &axes, ways, (space, streams));
        if is_free && !is_search && !copies_lines {
            // One register of what is made holds them all, so a block may have more.
            pitch = lines::pitch(&plan, &axes, ways, (space, 4 * lanes));
        }
        if let Some((_, lanes)) = pitch {
            block_lanes = lanes;
        } else if is_copied {
            let copied = copied_bytes(&axes, ways.0, space);
            block_lanes = block_lanes.min((COPIED / copied.max(1)).max(FEW_LANES));
        }
        if is_free && pitch.is_none() {
            let most = if plan.only_kernels() { IN_PLACE } else { WIDE_LANES };
            let is_direct = !streams && plan.only_copies() && are_dense(&axes, ways.1, space);
            block_lanes = match copies_lines || is_direct {
                // No register holds what goes from place to place.
                true => IN_PLACE,
                false => whole_lines(&axes, &operands, space, most).unwrap_or(block_lanes),
            };
        } else if turned && plan.widest == 1 {
            // A tile's lines are whole lines of the cache.
            block_lanes = 2 * lanes;
        }
        // Indices that are the same from row to row are looked at once for several blocks.
        let are_repeated = is_map && !is_search && plan.only_gathers() && {
            let before = axes.len().checked_sub(2).map(|at| axes[at]);
            before.is_some_and(|before| {
                let indices = operands[..inputs].iter().filter(|input| input.gathered.is_empty());
                indices.map(|index| index.strides[before]).eq([0])
            })
        };
        let grid = Grid::new(space, axes, block_lanes, turned);
        let grid = match several {
            _ if are_repeated => grid.down_first(),
            Some(_) => grid.with_axis(space.dims.len() - 1),
            None => grid,
        };
        let walked = |range: std::ops::Range<usize>| -> WalkAxes {
            range.map(|axis| (axis, space.dims[axis])).collect()
        };
        let (row_axes, point_axes) = match direction {
            Direction::Rows => (walked(0..space.kept), WalkAxes::new()),
            Direction::Columns if has_rows => {
                (WalkAxes::new(), walked(space.kept..space.dims.len()))
            }
            Direction::Columns | Direction::Batches | Direction::Stacks => {
                (WalkAxes::new(), WalkAxes::new())
            }
        };
        let lane_strides = operands
            .iter()
            .map(|operand| grid.axes.iter().map(|axis| operand.strides[*axis]).collect())
            .collect();
        let by_few = is_map && !is_aliased && !is_search && pitch.is_none() && plan.only_kernels();
        let launch = Launch {
            plan: &plan,
            operands,
            inputs,
            grid,
            lane_strides,
            row_axes,
            point_axes,
            names: names.clone(),
            pitch: pitch.map(|(pitch, _)| pitch),
            copies_lines,
            is_woven,
            is_aliased: *is_aliased,
            streams,
            by_few,
            points: several.map_or(1, |together| together.points),
            is_search,
            interrupt,
            threads,
        };
        // SAFETY: `Operand::new` has checked each operand against its storage.
        unsafe {
            match direction {
                Direction::Rows => launch.run_rows(&self.frames),
                Direction::Columns => launch.run_columns(&self.frames),
                Direction::Batches => launch.run_batches(&self.frames, space.kept),
                Direction::Stacks => launch.run_stacks(&self.frames),
            }
        }
    }

    fn plan(&self, program: &Program, options: Options) -> Arc<Plan> {
        let mut hasher = FxHasher::default();
        program.hash(&mut hasher);
        let key = hasher.finish();
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = plans.get(&key) {
            for (own, own_options, plan) in known {
                if *own_options == options && **own == *program {
                    return plan.clone();
                }
            }
        }
        if plans.len() >= MAX_PLANS {
            plans.clear();
        }
        let plan = Arc::new(Plan::new(program, options));
        plans.entry(key).or_default().push((Arc::new(program.clone()), options, plan.clone()));
        plan
    }
}
