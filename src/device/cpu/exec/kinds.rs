//! What a plan does as a whole, where that is done in a way of its own.

use smallvec::SmallVec;

use super::geometry::Operand;
use super::lowering::Value;
use super::plan::{Pass, Plan, Slot, Step, Work};
use crate::dtype::{DType, Scalar};
use crate::ir::{Instr, Op, Program, ReduceOp, Reg};

impl Plan {
    /// Whether all that is done along `axes` is folding inputs which are dense there.
    pub fn folds_inputs(&self, operands: &[Operand], axes: &[usize]) -> bool {
        let [axis] = axes else { return false };
        self.passes.iter().all(|pass| {
            pass.stores.is_empty()
                && pass.element.iter().all(|step| match step.work {
                    Work::Load { input } => {
                        let operand = &operands[input as usize];
                        operand.strides[*axis] == operand.size as isize
                    }
                    _ => false,
                })
        })
    }

    /// Whether an output takes what is loaded as it is.
    pub fn moves_inputs(&self) -> bool {
        let stores =
            |pass: &Pass| pass.stores.iter().chain(&pass.row_stores).any(|store| store.is_load);
        self.passes.iter().any(stores)
    }

    /// Whether all that is done with what is loaded is one fused loop, which reads a vector before it writes it.
    pub fn is_one_loop(&self) -> bool {
        let [pass] = &self.passes[..] else { return false };
        let ([loads @ .., made], [store]) = (&pass.element[..], &pass.stores[..]) else {
            return false;
        };
        pass.row.is_empty()
            && pass.folds.is_empty()
            && store.slot == made.out
            && matches!(made.work, Work::Fused(..))
            && loads.iter().all(|step| matches!(step.work, Work::Load { .. }))
    }

    /// Whether all that is done is loads and kernels, for each lane by itself.
    pub fn only_kernels(&self) -> bool {
        self.passes.iter().all(|pass| {
            let mut steps = pass.element.iter();
            let is_made = |slot| pass.element.iter().any(|step| step.out == slot);
            pass.row.is_empty()
                && pass.folds.is_empty()
                && pass.stores.iter().all(|store| is_made(store.slot))
                && steps.all(|step| step.work.is_kernel() || matches!(step.work, Work::Load { .. }))
        })
    }

    /// Bytes of a lane of all buffers where lanes are those of whole rows, which have one of what is not `spread` over them.
    pub fn bytes_of_lane(&self, are_lined: bool) -> usize {
        let is_spread = |slot: &Slot| {
            let mut passes =
                self.passes.iter().filter(|pass| pass.spread.iter().any(|it| it.0 == *slot));
            !are_lined || passes.any(|pass| !pass.spread_points.contains(slot))
        };
        let of_rows = self.homes.iter().filter(|(slot, _)| !is_spread(slot));
        let all =
            self.buffers.iter().chain(&self.kept).map(|size| usize::from(*size)).sum::<usize>();
        all - of_rows.map(|(_, home)| usize::from(self.buffers[*home as usize])).sum::<usize>()
    }

    /// Whether nothing but fused loops reads what is loaded for kernels, and nothing else is done.
    pub fn only_loops_load(&self) -> bool {
        let is_good = |step: &Step| step.is_point || !matches!(step.work, Work::Load { .. });
        self.only_kernels() && self.passes.iter().all(|pass| pass.element.iter().all(is_good))
    }

    /// Whether lanes of whole rows go from inputs, if these are read where they lie, to sums, extremes or outputs without
    /// being held in between: then blocks may be as long as the outer caches hold.
    pub fn holds_no_rows(&self) -> bool {
        self.kept.is_empty()
            && self.passes.iter().all(|pass| {
                let is_stored = |slot: Slot| {
                    pass.stores.iter().any(|store| store.slot == slot && store.direct.is_some())
                };
                let is_good = |step: &Step| match step.work {
                    Work::Load { .. } => step.is_point && !is_stored(step.out),
                    Work::Fused(..) => is_stored(step.out),
                    _ => false,
                };
                let is_spread = |slot: Slot| pass.spread.iter().any(|(own, ..)| *own == slot);
                let are_points =
                    pass.spread.iter().all(|(slot, ..)| pass.spread_points.contains(slot));
                are_points
                    && match &pass.folds[..] {
                        [] => pass.element.iter().all(is_good),
                        _ => pass.summed.is_some() && pass.stores.is_empty(),
                    }
                    && !pass.stores.iter().any(|store| is_spread(store.slot))
            })
    }

    /// Whether all that is done is copying inputs to outputs.
    pub fn only_copies(&self) -> bool {
        self.passes.iter().all(|pass| {
            pass.folds.is_empty()
                && pass.row.is_empty()
                && pass.stores.iter().all(|store| store.is_load && store.direct.is_some())
                && pass.element.iter().all(|step| matches!(step.work, Work::Load { .. }))
        })
    }

    /// Whether all that is done is taking what indices of inputs point at to outputs.
    pub fn only_gathers(&self) -> bool {
        self.passes.iter().all(|pass| {
            pass.folds.is_empty()
                && pass.stores.iter().all(|store| store.direct.is_some())
                && (pass.element.iter())
                    .all(|step| matches!(step.work, Work::Waiting | Work::Gather { .. }))
        })
    }
}

impl Work {
    /// Whether lanes are made of lanes at the same places of registers.
    pub fn is_kernel(&self) -> bool {
        match self {
            Work::Unary(..)
            | Work::Binary(..)
            | Work::Checked(..)
            | Work::Select(..)
            | Work::Fused(..) => true,
            Work::Load { .. } | Work::Waiting | Work::Iota { .. } | Work::Gather { .. } => false,
        }
    }

    /// The values that it reads.
    pub fn operands(&self) -> SmallVec<[Slot; 3]> {
        match self {
            Work::Gather { indices, .. } => indices.iter().map(|index| index.slot).collect(),
            Work::Unary(_, a) => SmallVec::from_slice(&[*a]),
            Work::Binary(_, a, b) | Work::Checked(_, a, b, ..) => SmallVec::from_slice(&[*a, *b]),
            Work::Select(_, a, b, c) => SmallVec::from_slice(&[*a, *b, *c]),
            Work::Fused(_, inputs) => SmallVec::from_slice(inputs),
            Work::Load { .. } | Work::Waiting | Work::Iota { .. } => SmallVec::new(),
        }
    }
}

impl Value {
    pub fn operands(&self) -> SmallVec<[Slot; 3]> {
        self.work.as_ref().map(Work::operands).unwrap_or_default()
    }
}

/// The mask whose true elements a reduction counts, if it does: they are counted as bytes, and not made int64
/// first.
pub(super) fn counted(program: &Program, op: ReduceOp, value: Reg) -> Option<Reg> {
    match program.instr(value) {
        Instr { op: Op::Cast(mask), dtype: DType::I64, .. } if op == ReduceOp::Sum => {
            (program.instr(*mask).dtype == DType::Bool).then_some(*mask)
        }
        _ => None,
    }
}

/// A constant as a lane of the compute type.
pub(super) fn const_bits(value: Scalar, dtype: DType) -> u64 {
    let (bits, size) = value.held_as(dtype).to_bits(dtype.compute());
    let padding = if cfg!(target_endian = "big") { 64 - 8 * size } else { 0 };
    let word = bits.first_chunk().expect("a lane has at most eight bytes");
    u64::from_ne_bytes(*word) >> padding
}
