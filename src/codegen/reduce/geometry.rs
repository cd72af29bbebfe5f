//! What a launch looks like: its axes in the order of memory, the direction in which neighbouring
//! threads should go, and how many neighbours can be moved at once.

use smallvec::SmallVec;

use super::super::Operand;
use super::super::index::{is_near, reach};
use super::fold::Fold;
use super::form::{Lanes, Reach};
use super::passes::regs;
use crate::ir::{Access, Domain, Op, Program, Space, collapse};

/// Bytes that a thread moves at once.
const VECTOR_BYTES: usize = 16;

/// Bytes of a line of the cache, of which vectors of neighbouring columns read the whole.
const LINE_BYTES: usize = 128;

/// Bytes of accumulators that a thread may have.
const ACCUMULATORS: usize = 128;

/// More rows or elements than this are counted in 64 bits.
const NEAR: usize = 1 << 30;

/// An operand as this launch meets it.
#[derive(Debug, Clone)]
pub struct Met {
    /// The address of the element at coordinate zero.
    pub address: u64,
    pub size: usize,
    /// Along the launch's axes.
    pub access: Access,
    /// Whether the program reads or writes it at each element.
    pub domain: Domain,
    /// Whether it is read at computed indices.
    pub is_gathered: bool,
}

#[derive(Debug, Clone)]
pub struct Geometry {
    pub space: Space,
    /// Inputs, then outputs.
    pub operands: SmallVec<[Met; 6]>,
    /// The axis of the program that each axis is (the last part of).
    pub names: SmallVec<[u8; 6]>,
    pub lanes: Lanes,
    pub vector: usize,
    /// Bytes of the widest operand that is read or written at each element.
    pub widest: usize,
    pub reach: SmallVec<[Reach; 4]>,
    pub is_ragged: bool,
    pub is_wide: bool,
}

impl Geometry {
    pub fn new(
        program: &Program,
        space: &Space,
        inputs: &[Operand<'_>],
        outputs: &[Operand<'_>],
    ) -> Geometry {
        let mut operands: SmallVec<[Met; 6]> = SmallVec::new();
        for (number, operand) in inputs.iter().enumerate() {
            let (domain, is_gathered) = use_of_input(program, number as u16);
            operands.push(met(operand, domain, is_gathered));
        }
        for (operand, output) in outputs.iter().zip(&program.outputs) {
            operands.push(met(operand, output.domain, false));
        }
        let mut space = space.clone();
        let names = arrange(program, &mut space, &mut operands);
        let lanes = direction(&space, &operands);
        let of_elements = operands.iter().filter(|operand| operand.domain == Domain::Element);
        let widest = of_elements.map(|operand| operand.size).max().unwrap_or(1);
        let mut geometry = Geometry {
            space,
            operands,
            names,
            lanes,
            vector: 1,
            widest,
            reach: SmallVec::new(),
            is_ragged: false,
            is_wide: false,
        };
        let folds = regs(program).filter_map(|reg| Fold::new(program, reg, false));
        let accumulators = folds.map(|fold| fold.size()).sum();
        geometry.vector = geometry.best_vector(inputs.len(), accumulators);
        geometry.reach = (0..geometry.operands.len()).map(|at| geometry.reach_of(at)).collect();
        geometry.is_ragged =
            lanes == Lanes::Along && !geometry.row_len().is_multiple_of(geometry.vector);
        geometry.is_wide = geometry.needs_64_bits();
        geometry
    }

    pub fn rows(&self) -> usize {
        self.space.rows()
    }

    pub fn row_len(&self) -> usize {
        self.space.row_len()
    }

    /// Bytes an element of inputs that are the same for all rows.
    pub fn shared_by_rows(&self, program: &Program) -> usize {
        let inputs = self.operands[..program.inputs.len()].iter();
        let is_shared = |operand: &&Met| {
            let mut kept = operand.access.strides[..self.space.kept].iter();
            operand.domain == Domain::Element
                && !operand.is_gathered
                && kept.all(|stride| *stride == 0)
        };
        if self.rows() == 1 {
            0
        } else {
            inputs.filter(is_shared).map(|operand| operand.size).sum()
        }
    }

    /// Whether a thread moves less at once than it could.
    pub fn is_narrow(&self) -> bool {
        self.vector * self.widest < VECTOR_BYTES
    }

    /// How many vectors side by side reach over a line of the cache; at least 8, and at most 32.
    pub fn line_vectors(&self) -> usize {
        (LINE_BYTES / (self.vector * self.widest)).clamp(8, 32)
    }

    /// The axis along which a thread's neighbours lie.
    fn inner(&self) -> Option<usize> {
        match self.lanes {
            Lanes::Along => {
                self.space.dims.len().checked_sub(1).filter(|at| *at >= self.space.kept)
            }
            Lanes::Across => self.space.kept.checked_sub(1),
        }
    }

    fn has_unit_step(&self, operand: &Met) -> bool {
        self.inner().is_some_and(|inner| operand.access.strides[inner] == 1)
    }

    /// Whether `count` neighbours of the operand can be moved at once everywhere.
    fn is_aligned(&self, operand: &Met, count: usize) -> bool {
        let Some(inner) = self.inner() else { return false };
        let start = operand.address as usize;
        let others = operand.access.strides.iter().enumerate().filter(|(axis, _)| *axis != inner);
        start.is_multiple_of(count * operand.size)
            && others
                .filter(|(axis, _)| self.space.dims[*axis] > 1)
                .all(|(_, stride)| stride.unsigned_abs().is_multiple_of(count))
    }

    fn best_vector(&self, inputs: usize, accumulators: usize) -> usize {
        let Some(inner) = self.inner() else { return 1 };
        let extent = self.space.dims[inner];
        let is_single_axis = self.space.dims.len() - self.space.kept == 1;
        let may_end_within = self.lanes == Lanes::Along && is_single_axis;
        let is_moved =
            |operand: &&Met| operand.domain == Domain::Element && self.has_unit_step(operand);
        let moved: SmallVec<[&Met; 6]> = self.operands.iter().filter(is_moved).collect();
        let read: SmallVec<[&Met; 6]> = self.operands[..inputs].iter().filter(is_moved).collect();
        let Some(widest) = moved.iter().map(|operand| operand.size).max() else { return 1 };
        // Across rows each of the thread's rows has accumulators of its own.
        let limit = match self.lanes {
            Lanes::Across => (ACCUMULATORS / accumulators.max(1)).clamp(1, 8),
            Lanes::Along => 16,
        };
        let largest = (VECTOR_BYTES / widest).min(limit);
        let fits = |operands: &[&Met], count: usize| {
            !operands.is_empty()
                && count <= extent
                && (may_end_within || extent.is_multiple_of(count))
                && operands.iter().all(|operand| self.is_aligned(operand, count))
        };
        let counts = || [16, 8, 4, 2].into_iter().filter(|count| *count <= largest);
        let of_all = counts().find(|count| fits(&moved, *count));
        of_all.or_else(|| counts().find(|count| fits(&read, *count))).unwrap_or(1)
    }

    fn reach_of(&self, at: usize) -> Reach {
        let operand = &self.operands[at];
        let is_row = operand.domain == Domain::Row;
        let reduced = &operand.access.strides[self.space.kept..];
        match self.lanes {
            Lanes::Along if is_row => Reach::Fixed,
            Lanes::Across if !is_row && self.is_still(operand) => Reach::Fixed,
            _ if operand.is_gathered => match reduced.iter().all(|stride| *stride == 0) {
                true if self.lanes == Lanes::Along => Reach::Fixed,
                _ => Reach::Single,
            },
            _ if !self.has_unit_step(operand) => Reach::Single,
            // A row's own values are read one by one.
            Lanes::Across if is_row => Reach::Vector,
            _ if self.vector == 1 || self.is_aligned(operand, self.vector) => Reach::Vector,
            _ => Reach::Single,
        }
    }

    /// Whether a thread's neighbours all have the same elements of the operand.
    fn is_still(&self, operand: &Met) -> bool {
        self.inner().is_some_and(|inner| operand.access.strides[inner] == 0)
    }

    fn needs_64_bits(&self) -> bool {
        let within = |operand: &Met| {
            let mut dims = self.space.dims.clone();
            for (axis, extent) in dims.iter_mut().enumerate().take(self.space.kept) {
                let is_inner = Some(axis) == self.inner();
                *extent = if is_inner { self.vector.min(*extent) } else { 1 };
            }
            let plain = Access { gathered: SmallVec::new(), ..operand.access.clone() };
            is_near(reach(&dims, &plain))
        };
        self.rows() >= NEAR || self.row_len() >= NEAR || !self.operands.iter().all(within)
    }
}

fn met(operand: &Operand<'_>, domain: Domain, is_gathered: bool) -> Met {
    let size = operand.dtype.size();
    let address = operand.address + (operand.access.offset * size) as u64;
    Met { address, size, access: operand.access.clone(), domain, is_gathered }
}

/// Where an input's values may differ, and whether it is read at computed indices.
pub fn use_of_input(program: &Program, number: u16) -> (Domain, bool) {
    let mut found = (Domain::Row, false);
    for instr in &program.instrs {
        match &instr.op {
            Op::Load { input } if *input == number => found.0 = found.0.max(instr.domain),
            Op::Gather { input, .. } if *input == number => {
                found = (found.0.max(instr.domain), true);
            }
            _ => {}
        }
    }
    found
}

/// Puts the axes in the order of the operands' memory, where the program cannot tell, and joins
/// those that can be one.
fn arrange(program: &Program, space: &mut Space, operands: &mut [Met]) -> SmallVec<[u8; 6]> {
    let is_arg = |op: &Op| matches!(op, Op::Reduce(op, _) if op.is_arg());
    let tells_order = program.can_fail() || program.instrs.iter().any(|instr| is_arg(&instr.op));
    let rank = space.dims.len();
    let mut order: SmallVec<[usize; 6]> = (0..rank).collect();
    if !tells_order {
        order_axes(&mut order[..space.kept], operands);
        order_axes(&mut order[space.kept..], operands);
    }
    space.dims = order.iter().map(|axis| space.dims[*axis]).collect();
    let mut accesses: SmallVec<[Access; 6]> = SmallVec::new();
    for operand in operands.iter() {
        let strides = order.iter().map(|axis| operand.access.strides[*axis]).collect();
        accesses.push(Access { strides, ..operand.access.clone() });
    }
    let place_of = |axis: u8| order.iter().position(|own| *own == axis as usize);
    let pinned = regs(program).fold(0u64, |pinned, reg| match program.instr(reg).op {
        Op::Iota { axis } => pinned | place_of(axis).map_or(0, |place| 1 << place),
        _ => pinned,
    });
    let names = collapse(space, &mut accesses, pinned);
    for (operand, access) in operands.iter_mut().zip(accesses) {
        operand.access = access;
    }
    names.iter().map(|place| order[*place as usize] as u8).collect()
}

/// Sorts axes by their strides, the largest outermost; operands of each element decide before
/// others, and inputs before outputs.
fn order_axes(axes: &mut [usize], operands: &[Met]) {
    let of = |domain: Domain| operands.iter().filter(move |operand| operand.domain == domain);
    let moves_further = |a: usize, b: usize| -> bool {
        for operand in of(Domain::Element).chain(of(Domain::Row)) {
            let strides = &operand.access.strides;
            let (a, b) = (strides[a].unsigned_abs(), strides[b].unsigned_abs());
            if a != 0 && b != 0 && a != b {
                return a > b;
            }
        }
        false
    };
    for at in 1..axes.len() {
        let mut place = at;
        while place > 0 && moves_further(axes[place], axes[place - 1]) {
            axes.swap(place, place - 1);
            place -= 1;
        }
    }
}

/// Lanes should run where the operands of each element are dense.
fn direction(space: &Space, operands: &[Met]) -> Lanes {
    if space.rows() <= 1 || space.row_len() <= 1 && space.kept > 0 {
        let is_across = space.rows() > 1;
        return if is_across { Lanes::Across } else { Lanes::Along };
    }
    let (mut along, mut across) = (0, 0);
    let each = |operand: &&Met| operand.domain == Domain::Element && !operand.is_gathered;
    for operand in operands.iter().filter(each) {
        let near = |strides: &[isize]| {
            let moving = strides.iter().map(|stride| stride.unsigned_abs()).filter(|by| *by != 0);
            moving.min().unwrap_or(usize::MAX)
        };
        let (kept, reduced) = operand.access.strides.split_at(space.kept);
        match near(reduced) <= near(kept) {
            true => along += operand.size,
            false => across += operand.size,
        }
    }
    if across > along { Lanes::Across } else { Lanes::Along }
}
