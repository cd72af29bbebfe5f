//! Running the graph: each piece's plan is found or made, and run.

use std::rc::Rc;

use smallvec::SmallVec;

use super::lower::lower;
use super::node::Leaf;
use super::plan::Plan;
use super::schedule::Walk;
use super::{Engine, Error, ErrorCause, Tensor};
use crate::device;
use crate::dtype::DType;
use crate::ir::{Access, Op, Reg};
use crate::layout::{Layout, Shape};
use crate::memory::Provenance;

impl Engine {
    /// Computes these tensors, and what they need.
    ///
    /// # Errors
    /// What running a program may bring up: an index out of bounds, an integer division by zero,
    /// MemoryError, Ctrl-C. Tensors that were not computed stay lazy.
    pub fn realize(&self, tensors: &[&Tensor]) -> Result<(), Error> {
        tensors.iter().try_for_each(|tensor| self.realize_node(tensor))
    }

    /// Begins a statement: nothing is pending.
    pub fn begin_statement(&self) {
        self.pending.borrow_mut().clear();
    }

    /// Ends a statement: what is still lazy was not needed.
    pub fn end_statement(&self) {
        self.pending.borrow_mut().clear();
    }

    pub(super) fn realize_node(&self, tensor: &Tensor) -> Result<(), Error> {
        use super::node::Lazy;
        match tensor.lazy() {
            None => Ok(()),
            Some(Lazy::View { base, layout }) => {
                // A reduction can be computed through an aligned view, but then it would be
                // computed again for the next one.
                self.realize_node(&base)?;
                let leaf = base.leaf().expect("the base was just realized");
                tensor.0.settle(Leaf { storage: leaf.storage, layout });
                Ok(())
            }
            Some(_) => {
                let leaf = self.compute(tensor)?;
                tensor.0.settle(leaf);
                Ok(())
            }
        }
    }

    /// Computes what is pending, because a storage that it may read is about to be written.
    pub(super) fn settle_pending(&self) -> Result<(), Error> {
        let pending = std::mem::take(&mut *self.pending.borrow_mut());
        pending
            .iter()
            .filter_map(std::rc::Weak::upgrade)
            .try_for_each(|node| self.realize_node(&Tensor(node)))
    }

    pub(super) fn leaf_of(&self, tensor: &Tensor) -> Result<Leaf, Error> {
        self.realize_node(tensor)?;
        Ok(tensor.leaf().expect("the node was just realized"))
    }

    /// The elements in row-major order without holes: the tensor's own where they are so.
    pub(super) fn contiguous_leaf(&self, tensor: &Tensor) -> Result<Leaf, Error> {
        let leaf = self.leaf_of(tensor)?;
        if leaf.layout.is_contiguous() { Ok(leaf) } else { self.compute(tensor) }
    }

    /// Memory for a new tensor beside `like`, without values.
    pub(super) fn fresh(
        &self,
        like: &Tensor,
        shape: &Shape,
        dtype: DType,
        provenance: Provenance,
    ) -> Result<Leaf, Error> {
        let storage = like.device().allocate(dtype, shape.checked_elem_count()?, provenance)?;
        Ok(Leaf { storage, layout: Layout::contiguous(shape.clone()) })
    }

    /// The tensor's elements in new memory.
    pub(super) fn compute(&self, tensor: &Tensor) -> Result<Leaf, Error> {
        let walk = Walk::new(self, tensor, tensor.shape())?;
        let output = self.fresh(tensor, tensor.shape(), tensor.dtype(), Provenance::VARIABLE)?;
        self.launch(&walk, tensor, &output)?;
        Ok(output)
    }

    /// Writes the tensor's elements, broadcast, to where `target` lies. The types must be equal.
    pub(super) fn write(&self, tensor: &Tensor, target: &Leaf) -> Result<(), Error> {
        let walk = Walk::new(self, tensor, &target.layout.shape)?;
        let spoils_itself = walk.leaves.iter().any(|leaf| {
            std::sync::Arc::ptr_eq(&leaf.storage, &target.storage) && leaf.layout != target.layout
        });
        if walk.can_fail || spoils_itself {
            // Nothing may be written before everything was read and checked.
            let whole = Tensor::from_leaf(self.compute(tensor)?);
            let walk = Walk::new(self, &whole, &target.layout.shape)?;
            return self.launch(&walk, &whole, target);
        }
        self.launch(&walk, tensor, target)
    }

    fn launch(&self, walk: &Walk<'_>, root: &Tensor, target: &Leaf) -> Result<(), Error> {
        if self.interrupt.is_raised() {
            return Err(device::Error::Interrupted.into());
        }
        let plan = self.plan(walk, root, &target.layout)?;
        let accesses: SmallVec<[Access; 4]> = plan
            .inputs
            .iter()
            .map(|(leaf, access)| {
                let offset = walk.leaves[*leaf as usize].layout.offset;
                Access { offset, ..access.clone() }
            })
            .collect();
        let inputs: SmallVec<[_; 4]> = plan
            .inputs
            .iter()
            .zip(&accesses)
            .map(|((leaf, _), access)| (&*walk.leaves[*leaf as usize].storage, access))
            .collect();
        let output = Access { offset: target.layout.offset, ..plan.output.clone() };
        let result = root.device().backend().run(
            &plan.program,
            &plan.space,
            &inputs,
            &[(&target.storage, &output)],
        );
        result.map_err(|error| placed(error, &plan, walk))
    }

    pub(super) fn plan(
        &self,
        walk: &Walk<'_>,
        root: &Tensor,
        output: &Layout,
    ) -> Result<Rc<Plan>, Error> {
        let mut key = walk.key.clone();
        key.extend(output.strides.iter().map(|stride| *stride as u64));
        if let Some(plan) = self.plans.borrow_mut().find(&key) {
            return Ok(plan);
        }
        let plan = Rc::new(lower(walk, root, output)?);
        self.plans.borrow_mut().insert(key, plan.clone());
        Ok(plan)
    }

    pub(super) fn next_pass(&self) -> u32 {
        let pass = self.pass.get().wrapping_add(1).max(1);
        self.pass.set(pass);
        pass
    }
}

/// Says of an error inside a program which node it is about, and which axis of the user's tensor.
#[cold]
fn placed(error: device::Error, plan: &Plan, walk: &Walk<'_>) -> Error {
    use super::node::Lazy;
    let reg: Option<Reg> = match &error {
        device::Error::IndexOutOfBounds { instr, .. } => *instr,
        device::Error::DivisionByZero { instr } | device::Error::NegativeExponent { instr } => {
            Some(*instr)
        }
        _ => None,
    };
    let Some(reg) = reg else { return error.into() };
    debug_assert!(!matches!(plan.program.instr(reg).op, Op::Load { .. }));
    let number = plan.fallible.iter().find(|(known, _)| *known == reg).map(|(_, number)| *number);
    let Some(number) = number else { return error.into() };
    let (tensor, _) = &walk.nodes[number as usize];
    let cause = match (&error, tensor.lazy()) {
        (
            device::Error::IndexOutOfBounds { operand, value, extent, .. },
            Some(Lazy::Gather { indices, .. }),
        ) => ErrorCause::IndexOutOfBounds {
            value: *value,
            axis: indices[*operand].axis as usize,
            size: *extent,
        },
        _ => ErrorCause::Device(error),
    };
    Error { cause, origin: Some(tensor.0.origin) }
}
