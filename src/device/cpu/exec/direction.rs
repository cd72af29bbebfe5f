//! Where lanes run: along a row, or across rows.

use smallvec::SmallVec;

use super::super::dispatch::Level;
use super::form::{IN_PLACE, KEEP, KEEP_ACROSS, KEEP_STACKED, LEAST_KEPT};
use super::geometry::Operand;
use super::products;
use super::together;
use crate::dtype::DType;
use crate::ir::{Domain, Instr, Op, Program, Space};

/// Rows of at most this many elements are done several at once, or one after the other as wholes.
pub(super) const BATCHED_ROW: usize = IN_PLACE / 2;

/// Shorter rows are done side by side, a lane each.
pub(super) const LEAST_BATCHED: usize = 8;
/// At most this many rows that lie side by side are done at several of their elements at once.
pub(in crate::device::cpu) const FEW_ROWS: usize = 512;
/// The same where elements are written: with each lane a row, a step's cost is shared by fewer lanes than a block has.
pub(super) const FEW_WRITTEN_ROWS: usize = 2048;
/// With fewer, what an element costs would be shared by too few lanes.
pub(super) const LEAST_TOGETHER: usize = 2;
/// The same where results are positions: elements are then folded one point after the other.
pub(super) const LEAST_ROWS: usize = 9;
/// The same of lanes of eight bytes, which are put side by side one at a time where they lie as far apart.
pub(super) const LEAST_WIDE_ROWS: usize = 5;
/// Two rows in turn have vectors of their own.
pub(in crate::device::cpu) const LEAST_IN_TURN: usize = 3;
/// Bytes of the vectors that pick rows apart.
const VECTOR: usize = 64;
/// As many rows are enough for products to be summed in registers.
pub(super) const LEAST_SUMMED: usize = 64;

/// Where lanes run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// Along a row.
    Rows,
    /// Across rows; maps too.
    Columns,
    /// Along several whole rows, one behind the other.
    Batches,
    /// Across all rows, at several of their elements.
    Stacks,
}

impl Direction {
    /// Whether each lane is a row of its own.
    pub fn is_across(self) -> bool {
        matches!(self, Direction::Columns | Direction::Stacks)
    }
}

/// Whether dear values of one pass over a row are there for the next: where they stay in a cache.
pub(super) fn keeps(direction: Direction, space: &Space) -> bool {
    match direction {
        Direction::Rows | Direction::Batches => space.row_len() <= KEEP,
        Direction::Columns => space.row_len() <= KEEP_ACROSS / LEAST_KEPT,
        Direction::Stacks => space.row_len() * space.rows() <= KEEP_STACKED,
    }
}

/// A program, the space that it runs through, and the vectors that there are.
pub(super) struct Geometry<'a> {
    pub level: Level,
    pub program: &'a Program,
    pub space: &'a Space,
    pub names: SmallVec<[u8; 6]>,
    /// Whether outputs take the place of inputs.
    pub is_aliased: bool,
}

impl Geometry<'_> {
    /// Lanes should run where element inputs are dense, and be many.
    pub fn direction(&self, inputs: &[Operand], is_search: bool) -> Direction {
        let space = self.space;
        if space.kept == space.dims.len() {
            return Direction::Columns;
        }
        let (rows, row_len) = (space.rows(), space.row_len());
        if is_search || rows <= 1 {
            return Direction::Rows;
        }
        if row_len <= 1 {
            return Direction::Columns;
        }
        let element_inputs = self.program.instrs.iter().filter_map(|instr| match instr.op {
            Op::Load { input } if instr.domain == Domain::Element => Some(&inputs[input as usize]),
            _ => None,
        });
        let (mut along_row, mut along_rows) = (0, 0);
        // In how many operands lanes would neither lie side by side nor be all the same.
        let (mut apart_in_row, mut apart_in_rows) = (0, 0);
        for operand in element_inputs {
            let near = |axes: std::ops::Range<usize>| {
                axes.map(|axis| operand.strides[axis].unsigned_abs())
                    .filter(|stride| *stride != 0)
                    .min()
                    .unwrap_or(usize::MAX)
            };
            let (within, across) = (near(space.kept..space.dims.len()), near(0..space.kept));
            along_row += usize::from(within <= across);
            along_rows += usize::from(across < within);
            let is_apart = |axis: usize| {
                operand.strides[axis] != 0 && operand.strides[axis] != operand.size as isize
            };
            apart_in_row += usize::from(is_apart(space.dims.len() - 1));
            apart_in_rows += usize::from(is_apart(space.kept - 1));
        }
        let is_tie = along_rows == along_row && apart_in_rows < apart_in_row;
        let is_dense_along_rows = along_rows > along_row || is_tie;
        let is_one_axis = space.dims.len() == space.kept + 1;
        let outputs = &self.program.outputs;
        let few_rows = match outputs.iter().any(|output| output.domain == Domain::Element) {
            true => FEW_WRITTEN_ROWS,
            false => FEW_ROWS,
        };
        let has_arg = self.program.instrs.iter().any(|instr| match instr.op {
            Op::Reduce(op, _) => op.is_arg(),
            _ => false,
        });
        let is_found_in_vectors =
            self.level == Level::Avx512 && (has_arg && self.is_float() || self.folds_bools());
        let least_rows = match (has_arg, self.is_wide()) {
            (false, _) => LEAST_TOGETHER,
            (true, true) => LEAST_WIDE_ROWS,
            (true, false) => LEAST_ROWS,
        };
        let is_together = !is_one_axis
            && rows >= least_rows
            && together::suits(self.program, space, inputs, space.kept - 1);
        let is_in_turn = !has_arg && rows > few_rows && self.lies_in_turn(inputs);
        match is_dense_along_rows && !is_in_turn {
            // A product that is written as a broadcast keeps its sums in registers.
            true if is_tie && rows >= LEAST_SUMMED && products::are_all(self.program) => {
                Direction::Columns
            }
            true if is_one_axis && (least_rows..=few_rows).contains(&rows) => Direction::Stacks,
            true if rows < 16 && row_len > 4 * rows && !is_together => Direction::Rows,
            true => Direction::Columns,
            false if row_len < LEAST_BATCHED && rows >= row_len && !is_found_in_vectors => {
                Direction::Columns
            }
            false if row_len <= BATCHED_ROW => Direction::Batches,
            false => Direction::Rows,
        }
    }

    /// Whether what is folded are the elements of a few rows in turn, which vectors pick apart: a step across so few rows
    /// costs more than their elements.
    fn lies_in_turn(&self, inputs: &[Operand]) -> bool {
        let space = self.space;
        let &[.., rows, row_len] = &space.dims[..] else { return false };
        let is_in_turn = |instr: &Instr| match instr.op {
            Op::Load { input } if instr.domain == Domain::Element => {
                let Operand { size, strides, .. } = &inputs[input as usize];
                let lanes = VECTOR / size;
                strides[space.kept - 1] == *size as isize
                    && strides[space.kept] == (rows * size) as isize
                    && (LEAST_IN_TURN..=lanes / 2).contains(&rows)
                    && row_len > lanes
            }
            Op::Gather { .. } | Op::Iota { .. } => false,
            _ => true,
        };
        self.level == Level::Avx512
            && space.dims.len() == space.kept + 1
            && self.program.outputs.iter().all(|output| output.domain == Domain::Row)
            && self.program.instrs.iter().all(is_in_turn)
    }

    fn is_float(&self) -> bool {
        self.program.instrs.iter().any(|instr| instr.dtype.is_float())
    }

    /// Whether something is folded, and all of that are bools, or their numbers.
    fn folds_bools(&self) -> bool {
        let folded = self.program.instrs.iter().filter_map(|instr| match instr.op {
            Op::Reduce(_, of) => Some(self.program.instr(of)),
            _ => None,
        });
        let mut dtypes = folded.map(|instr| match instr.op {
            Op::Cast(from) => self.program.instr(from).dtype,
            _ => instr.dtype,
        });
        dtypes.next() == Some(DType::Bool) && dtypes.all(|dtype| dtype == DType::Bool)
    }

    fn is_wide(&self) -> bool {
        self.program.instrs.iter().any(|instr| instr.dtype.compute().size() == 8)
    }
}
