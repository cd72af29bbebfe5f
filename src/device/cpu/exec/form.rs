//! The form of a launch: in what direction lanes run, along which axes, in what blocks, and what goes around the
//! caches. Nothing here depends on where operands lie but whether they lie over each other, so that a launch which
//! comes again has the same.

use std::sync::Arc;

use smallvec::SmallVec;

use super::direction::{Direction, Geometry};
use super::few::FEW_LANES;
use super::geometry::{Axes, ByteStrides, CACHE_LINE, Grid, Operand, order_axes};
use super::lines::{self, Pitch};
use super::plan::Plan;
use super::steps::WalkAxes;
use super::together::{self, Together};
use super::ways::{are_dense, copied_bytes, turn, whole_lines};
use crate::ir::Space;

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
/// else and be gone themselves before anybody reads them, and what they replace need not be read before. Tests, which
/// compare with what is slow, get there with an eighth.
pub(in crate::device::cpu) const STREAMED: usize = if cfg!(test) { 3 << 20 } else { 24 << 20 };

/// Bytes that a block of a map copies from inputs which do not lie as its lanes do: a small part of the second cache,
/// and enough that what a block costs besides is little.
pub(super) const COPIED: usize = 64 * 1024;

/// Rows that each have a lane are cut in blocks of no fewer, for the threads to share.
pub(in crate::device::cpu) const LEAST_LANES: usize = 256;

/// Bytes of a lane in all registers, up to which a block of whole rows has twice the lanes.
const FEW_BYTES: usize = 24;

/// How a plan goes through its space.
#[derive(Debug)]
pub struct Form {
    pub plan: Arc<Plan>,
    pub direction: Direction,
    /// What lanes run along: the reduced axes where lanes are elements of one row, the kept ones
    /// where each lane is a row of its own.
    pub grid: Grid,
    /// Each operand's strides along the grid's axes.
    pub lane_strides: SmallVec<[ByteStrides; 6]>,
    /// The other axes.
    pub row_axes: WalkAxes,
    pub point_axes: WalkAxes,
    /// The program's name of each axis.
    pub names: SmallVec<[u8; 6]>,
    /// From line to line of a block, where lines are gone over as inputs have them.
    pub pitch: Option<Pitch>,
    /// Whether lines of inputs are copied to where outputs have them, and nothing else is done.
    pub copies_lines: bool,
    /// Whether outputs may lie in each other's gaps.
    pub may_weave: bool,
    /// Whether operands are so large that what is written goes around the caches.
    pub streams: bool,
    /// Whether all that is done are kernels, so that what they read and write can come and go a few lanes at a time.
    pub by_few: bool,
    /// How many elements of each row are folded at a time, where each lane is a row: the extent of the last axis but one of
    /// blocks, if more than one.
    pub points: usize,
    pub threads: usize,
    /// How many of the space's axes, from the first, tell rows apart.
    pub kept: usize,
}

/// What a form is decided by.
pub struct Draft<'a> {
    pub geometry: &'a Geometry<'a>,
    pub direction: Direction,
    pub plan: &'a Arc<Plan>,
    /// Inputs, then outputs.
    pub operands: &'a [Operand],
    pub inputs: usize,
    /// Look for the first lane that fails, not only whether one does.
    pub is_search: bool,
    pub threads: usize,
    /// Whether operands reach so many bytes that what is written goes around the caches, if anything does.
    pub is_large: bool,
}

/// Lanes of a block, and what else is decided with them.
struct Blocks {
    lanes: usize,
    is_in_place: bool,
    several: Option<Together>,
    pitch: Option<Pitch>,
    copies_lines: bool,
}

/// Whether operands reach so many bytes that what is made of them goes around the caches.
pub fn are_large(operands: &[Operand], space: &Space) -> bool {
    // Windows of one tensor lie over each other.
    let is_own = |at: &usize| {
        let (low, high) = operands[*at].range();
        operands[..*at].iter().map(Operand::range).all(|(from, to)| high <= from || to <= low)
    };
    reach_much((0..operands.len()).filter(is_own).map(|at| &operands[at]), space)
}

/// The same of operands of which none lies over another.
pub fn reach_much<'a>(operands: impl Iterator<Item = &'a Operand>, space: &Space) -> bool {
    let reached = operands.map(|operand| operand.reached(space));
    reached.fold(0, usize::saturating_add) >= STREAMED
}

impl Draft<'_> {
    pub fn form(&self) -> Form {
        let space = self.geometry.space;
        let (axes, turned) = self.axes();
        let is_aliased = self.geometry.is_aliased;
        let streams = self.is_map() && !is_aliased && self.is_large;
        let blocks = self.blocks(&axes, turned, streams);
        let is_down = self.are_repeated(&axes);
        let grid = Grid::new(space, axes, blocks.lanes, turned);
        let grid = match blocks.several {
            _ if is_down => grid.down_first(),
            Some(_) => grid.with_axis(space.dims.len() - 1),
            None => grid,
        };
        let walked = |range: std::ops::Range<usize>| -> WalkAxes {
            range.map(|axis| (axis, space.dims[axis])).collect()
        };
        let (row_axes, point_axes) = match self.direction {
            Direction::Rows => (walked(0..space.kept), WalkAxes::new()),
            Direction::Columns if self.has_rows() => {
                (WalkAxes::new(), walked(space.kept..space.dims.len()))
            }
            Direction::Columns | Direction::Batches | Direction::Stacks => {
                (WalkAxes::new(), WalkAxes::new())
            }
        };
        let along =
            |operand: &Operand| grid.axes.iter().map(|axis| operand.strides[*axis]).collect();
        let lane_strides = self.operands.iter().map(along).collect();
        // What is written in place is written when all that its block reads has been read.
        let is_free_map = self.is_map() && !self.is_search;
        Form {
            plan: self.plan.clone(),
            direction: self.direction,
            grid,
            lane_strides,
            row_axes,
            point_axes,
            names: self.geometry.names.clone(),
            pitch: blocks.pitch,
            copies_lines: blocks.copies_lines,
            may_weave: is_free_map && !turned && !blocks.is_in_place,
            streams,
            by_few: is_free_map && blocks.pitch.is_none() && self.plan.only_kernels(),
            points: blocks.several.map_or(1, |together| together.points),
            threads: self.threads,
            kept: space.kept,
        }
    }

    /// Whether rows are told from elements; a program without reductions may do so.
    fn has_rows(&self) -> bool {
        self.geometry.space.kept < self.geometry.space.dims.len()
    }

    fn is_map(&self) -> bool {
        self.direction == Direction::Columns && !self.has_rows()
    }

    /// The axes that lanes run along, the innermost last, and whether the last two make tiles.
    fn axes(&self) -> (Axes, bool) {
        let (space, plan, direction) = (self.geometry.space, self.plan, self.direction);
        let all = space.dims.len();
        let mut axes: Axes = match direction {
            Direction::Rows => (space.kept..all).collect(),
            Direction::Columns if self.has_rows() => (0..space.kept).collect(),
            Direction::Columns | Direction::Batches => (0..all).collect(),
            Direction::Stacks => (space.kept..all).chain(0..space.kept).collect(),
        };
        let (inputs, outputs) = self.operands.split_at(self.inputs);
        let read_first: SmallVec<[&Operand; 6]> = self.operands.iter().collect();
        match direction {
            Direction::Batches => {
                order_axes(&mut axes[..space.kept], &read_first);
                if !plan.has_arg {
                    order_axes(&mut axes[space.kept..], &read_first);
                }
            }
            Direction::Stacks => order_axes(&mut axes[1..], &read_first),
            Direction::Rows if plan.has_arg => {}
            Direction::Rows | Direction::Columns if axes.len() > 1 && !self.is_search => {
                let written_first: SmallVec<[&Operand; 6]> = outputs.iter().chain(inputs).collect();
                order_axes(&mut axes[..], &written_first);
                // Positions and kept values are those of blocks that follow each other along the row.
                let is_any_order = direction == Direction::Columns || plan.kept.is_empty();
                let turned = is_any_order && turn(&mut axes, inputs, space);
                return (axes, turned);
            }
            Direction::Rows | Direction::Columns => {}
        }
        (axes, false)
    }

    fn blocks(&self, axes: &Axes, turned: bool, streams: bool) -> Blocks {
        let (space, plan) = (self.geometry.space, self.plan);
        let is_aliased = self.geometry.is_aliased;
        let ways = self.operands.split_at(self.inputs);
        let lanes = if plan.widest == 8 { WIDE_LANES } else { LANES };
        let lined = match self.is_map() && !turned && !is_aliased && !self.is_search {
            true => lines::block(plan, axes, ways, (space, IN_PLACE)),
            false => None,
        };
        let is_apart = !is_aliased || plan.is_one_loop();
        let is_in_place = is_apart && self.is_in_place(axes, turned, lined.is_some());
        let all = if is_in_place { lined.unwrap_or(IN_PLACE) } else { lanes };
        let mut blocks =
            Blocks { lanes: all, is_in_place, several: None, pitch: None, copies_lines: false };
        match self.direction {
            Direction::Batches => blocks.lanes = self.whole_rows(axes, all, is_in_place),
            Direction::Rows if self.holds_nothing(axes) => blocks.lanes = IN_PLACE,
            Direction::Rows if !is_in_place && plan.bytes_of_lane(true) <= FEW_BYTES => {
                blocks.lanes *= 2;
            }
            Direction::Rows => {}
            Direction::Stacks => {
                // All rows lie whole in every block; what one costs beside its lanes is the more, the fewer they are.
                let most = if is_in_place { all } else { 4 * all };
                blocks.lanes = most.max(space.rows());
            }
            Direction::Columns if self.has_rows() => {
                if !turned && !is_aliased {
                    let program = self.geometry.program;
                    blocks.several =
                        together::choose((plan, program), (axes, space), ways.0, lanes);
                }
                blocks.lanes = self.rows_side_by_side(blocks.several, lanes);
            }
            Direction::Columns if turned || is_in_place => {}
            Direction::Columns => self.fit_map(&mut blocks, axes, (lanes, streams)),
        }
        if turned && plan.widest == 1 {
            // A tile's lines are whole lines of the cache.
            blocks.lanes = 2 * lanes;
        }
        blocks
    }

    /// Whether nothing is held in registers: what is read is folded or worked on where it lies.
    fn is_in_place(&self, axes: &Axes, turned: bool, is_lined: bool) -> bool {
        let (space, plan) = (self.geometry.space, self.plan);
        match self.direction {
            Direction::Columns if self.is_map() && !turned && plan.only_kernels() => {
                is_lined || are_dense(axes, self.operands, space)
            }
            Direction::Rows => plan.folds_inputs(self.operands, axes),
            Direction::Batches => plan.folds_inputs(self.operands, &axes[space.kept..]),
            Direction::Columns => self.is_map() && plan.only_gathers(),
            Direction::Stacks => plan.folds_inputs(self.operands, &axes[axes.len() - 1..]),
        }
    }

    /// Lanes of a block of whole rows one behind the other.
    fn whole_rows(&self, axes: &Axes, lanes: usize, is_in_place: bool) -> usize {
        let (space, plan) = (self.geometry.space, self.plan);
        let is_worth_it = lines::are_worth_it(space.row_len(), plan.widest);
        // What a block costs is shared by two rows at least, and by more where few values take room.
        let bytes = plan.bytes_of_lane(is_worth_it);
        let most = match (is_in_place, is_worth_it && self.holds_nothing(axes)) {
            (false, true) => IN_PLACE,
            (false, false) if bytes <= FEW_BYTES => 2 * lanes,
            _ => lanes,
        };
        let row_len = space.row_len();
        most.max(if row_len > lanes { row_len } else { 2 * row_len })
    }

    /// Whether lanes go from inputs to folds and outputs without being held in between.
    fn holds_nothing(&self, axes: &Axes) -> bool {
        let inputs = &self.operands[..self.inputs];
        !self.geometry.is_aliased
            && self.plan.holds_no_rows()
            && are_dense(axes, inputs, self.geometry.space)
    }

    /// Lanes of a block where each is a row.
    fn rows_side_by_side(&self, several: Option<Together>, lanes: usize) -> usize {
        let (space, plan) = (self.geometry.space, self.plan);
        // Few rows are cut in more blocks, for the threads to share; but a block's part of an input should be long.
        let rows = match several {
            Some(together) => together.rows,
            None => {
                let shared = space.rows().div_ceil(2 * self.threads);
                shared.clamp(LEAST_LANES.min(lanes), lanes)
            }
        };
        let kept: usize = plan.kept.iter().map(|size| usize::from(*size)).sum();
        match kept {
            0 => rows,
            _ => rows.min((KEPT_BYTES / (kept * space.row_len())).max(LEAST_KEPT)),
        }
    }

    /// Chooses blocks of a map whose operands are not all dense, and whose axes keep their order.
    fn fit_map(&self, blocks: &mut Blocks, axes: &Axes, (lanes, streams): (usize, bool)) {
        let (space, plan) = (self.geometry.space, self.plan);
        let ways = self.operands.split_at(self.inputs);
        let is_free = !self.geometry.is_aliased;
        blocks.copies_lines = is_free && lines::are_copied(plan, axes, ways, (space, streams));
        if is_free && !self.is_search && !blocks.copies_lines {
            // One register of what is made holds them all, so a block may have more.
            let pitch = lines::pitch(plan, axes, ways, (space, 4 * lanes));
            if let Some((pitch, lanes)) = pitch {
                (blocks.pitch, blocks.lanes) = (Some(pitch), lanes);
                return;
            }
        }
        let copied = copied_bytes(axes, ways.0, space);
        // No register but those of copies holds a whole block of what kernels hand on to each other. Each thread gets its
        // part all the same.
        let all: usize = space.dims.iter().product();
        let share = (all / (2 * self.threads)).next_multiple_of(CACHE_LINE);
        let room = match is_free && plan.only_kernels() {
            true => share.clamp(blocks.lanes, IN_PLACE),
            false => blocks.lanes,
        };
        let few = room.min((COPIED / copied.max(1)).max(FEW_LANES));
        let is_direct = !streams && plan.only_copies() && are_dense(axes, ways.1, space);
        let most = if plan.only_kernels() { IN_PLACE } else { WIDE_LANES };
        blocks.lanes = match is_free {
            // No register holds what goes from place to place.
            true if blocks.copies_lines || is_direct => IN_PLACE,
            true => whole_lines(axes, self.operands, space, most).unwrap_or(few),
            false => few,
        };
        if streams {
            blocks.lanes = self.ending_whole(axes, blocks.lanes);
        }
    }

    /// As many lanes or somewhat fewer, so that blocks of several lines end where a line of the cache does and what they
    /// make may go around it.
    fn ending_whole(&self, axes: &Axes, lanes: usize) -> usize {
        let [.., before, last] = axes[..] else { return lanes };
        let (extent, lines) = (self.geometry.space.dims[last], self.geometry.space.dims[before]);
        let outputs = &self.operands[self.inputs..];
        let bits = outputs.iter().map(|output| (extent * output.size).trailing_zeros()).min();
        let whole = CACHE_LINE >> bits.unwrap_or(0).min(CACHE_LINE.ilog2());
        match lanes / extent.max(1) {
            of_block if (whole..lines).contains(&of_block) => {
                (of_block - of_block % whole) * extent
            }
            _ => lanes,
        }
    }

    /// Whether indices are the same from row to row, so that they are looked at once for several blocks.
    fn are_repeated(&self, axes: &Axes) -> bool {
        let before = axes.len().checked_sub(2).map(|at| axes[at]);
        self.is_map()
            && !self.is_search
            && self.plan.only_gathers()
            && before.is_some_and(|before| {
                let inputs = &self.operands[..self.inputs];
                let indices = inputs.iter().filter(|input| input.gathered.is_empty());
                indices.map(|index| index.strides[before]).eq([0])
            })
    }
}
