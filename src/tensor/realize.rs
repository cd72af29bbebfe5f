//! Running the graph: each piece's plan is found or made, and run.

use std::rc::Rc;

use smallvec::SmallVec;

use super::lower::lower;
use super::node::{Lazy, Leaf};
use super::plan::Plan;
use super::schedule::{Anchor, Walk, find_anchor};
use super::{Engine, Error, ErrorCause, Tensor};
use crate::device;
use crate::dtype::DType;
use crate::ir::{Op, Reg};
use crate::layout::{Layout, Shape};
use crate::memory::Provenance;

impl Engine {
    /// Computes these tensors, and what they need. Those of one shape share a program where their
    /// reductions allow it.
    ///
    /// # Errors
    /// What running a program may bring up: an index out of bounds, an integer division by zero,
    /// MemoryError, Ctrl-C. Tensors that were not computed stay lazy.
    pub fn realize(&self, tensors: &[&Tensor]) -> Result<(), Error> {
        if let [only] = tensors {
            return self.realize_node(only);
        }
        let is_view = |tensor: &&Tensor| matches!(tensor.lazy(), Some(Lazy::View { .. }));
        let bases: Vec<Tensor> = tensors
            .iter()
            .filter_map(|tensor| match tensor.lazy()? {
                Lazy::View { base, .. } => Some(base),
                _ => Some((*tensor).clone()),
            })
            .collect();
        let mut waiting: Vec<(&Tensor, Option<Anchor>)> =
            bases.iter().map(|tensor| (tensor, find_anchor(tensor))).collect();
        while let Some((first, anchor)) = waiting.first().cloned() {
            let joins = |(tensor, other): &(&Tensor, Option<Anchor>)| {
                tensor.shape() == first.shape()
                    && tensor.device() == first.device()
                    && *other == anchor
            };
            let (group, rest): (Vec<_>, Vec<_>) = waiting.into_iter().partition(joins);
            self.realize_together(
                &group.into_iter().map(|(tensor, _)| tensor).collect::<Vec<_>>(),
            )?;
            waiting = rest;
        }
        tensors.iter().filter(|tensor| is_view(tensor)).try_for_each(|view| self.realize_node(view))
    }

    /// Begins a statement: nothing is pending.
    pub fn begin_statement(&self) {
        self.pending.borrow_mut().clear();
    }

    /// Ends a statement: what is still lazy was not needed.
    pub fn end_statement(&self) {
        self.pending.borrow_mut().clear();
    }

    /// Computes tensors of one shape and one anchor by one program.
    fn realize_together(&self, tensors: &[&Tensor]) -> Result<(), Error> {
        let mut roots: Vec<&Tensor> = Vec::new();
        for tensor in tensors {
            if !tensor.is_realized() && !roots.iter().any(|root| root.is_same(tensor)) {
                roots.push(tensor);
            }
        }
        match roots.as_slice() {
            [] => return Ok(()),
            [only] => return self.realize_node(only),
            _ if !self.fusion.get() || roots[0].elem_count() == 0 => {
                return roots.iter().try_for_each(|root| self.realize_node(root));
            }
            _ => {}
        }
        let mut walk = Walk::new(self, &roots, roots[0].shape())?;
        let mut outputs: Vec<Leaf> = Vec::new();
        for root in &roots {
            outputs.push(self.fresh(root, root.shape(), root.dtype(), Provenance::TEMPORARY)?);
        }
        self.launch(&mut walk, &roots, &outputs.iter().collect::<Vec<_>>())?;
        for (root, output) in roots.iter().zip(outputs) {
            root.0.settle(output);
        }
        Ok(())
    }

    pub(super) fn realize_node(&self, tensor: &Tensor) -> Result<(), Error> {
        // The copy of the node's operands ends here: what only this graph holds may be reused.
        let view = match tensor.lazy() {
            None => return Ok(()),
            Some(Lazy::View { base, layout }) => Some((base, layout)),
            Some(_) => None,
        };
        let leaf = match view {
            None => self.compute(tensor)?,
            // A reduction can be computed through an aligned view, but then it would be computed
            // again for the next one.
            Some((base, layout)) => Leaf { storage: self.leaf_of(&base)?.storage, layout },
        };
        tensor.0.settle(leaf);
        Ok(())
    }

    pub(super) fn leaf_of(&self, tensor: &Tensor) -> Result<Leaf, Error> {
        self.realize_node(tensor)?;
        Ok(tensor.leaf().expect("the node was just realized"))
    }

    /// The elements in row-major order without holes: the tensor's own where they are so.
    pub(super) fn contiguous_leaf(&self, tensor: &Tensor) -> Result<Leaf, Error> {
        self.leaf_or_copy(tensor, false)
    }

    /// The elements in row-major order, in memory that nobody else reaches.
    pub(super) fn own_leaf(&self, tensor: &Tensor) -> Result<Leaf, Error> {
        self.leaf_or_copy(tensor, true)
    }

    /// The one rule of when elements are copied: where they do not lie in row-major order, and,
    /// if they must be the caller's own, where they were there before or lie in something larger.
    fn leaf_or_copy(&self, tensor: &Tensor, own: bool) -> Result<Leaf, Error> {
        let was_there = tensor.is_realized();
        let leaf = self.leaf_of(tensor)?;
        let is_own = || !was_there && leaf.layout.elem_count() == leaf.storage.len();
        if leaf.layout.is_contiguous() && (!own || is_own()) {
            Ok(leaf)
        } else {
            self.compute(tensor)
        }
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
        if tensor.elem_count() == 0 {
            return self.fresh(tensor, tensor.shape(), tensor.dtype(), Provenance::TEMPORARY);
        }
        let mut walk = Walk::new(self, &[tensor], tensor.shape())?;
        let output = match walk.reusable(tensor.shape(), tensor.dtype()) {
            Some(leaf) => leaf.clone(),
            None => self.fresh(tensor, tensor.shape(), tensor.dtype(), Provenance::TEMPORARY)?,
        };
        self.launch(&mut walk, &[tensor], &[&output])?;
        Ok(output)
    }

    /// Writes the tensor's elements, broadcast, to where `target` lies. The types must be equal.
    pub(super) fn write(&self, tensor: &Tensor, target: &Leaf) -> Result<(), Error> {
        if target.layout.elem_count() == 0 {
            return Ok(());
        }
        let mut walk = Walk::new(self, &[tensor], &target.layout.shape)?;
        if walk.needs_copy_before(target) {
            // Nothing may be written before everything was read and checked.
            let whole = Tensor::from_leaf(self.compute(tensor)?);
            let mut walk = Walk::new(self, &[&whole], &target.layout.shape)?;
            return self.launch(&mut walk, &[&whole], &[target]);
        }
        self.launch(&mut walk, &[tensor], &[target])
    }

    fn launch(
        &self,
        walk: &mut Walk<'_>,
        roots: &[&Tensor],
        targets: &[&Leaf],
    ) -> Result<(), Error> {
        if self.interrupt.is_raised() {
            return Err(device::Error::Interrupted.into());
        }
        let layouts: SmallVec<[&Layout; 1]> = targets.iter().map(|leaf| &leaf.layout).collect();
        let plan = self.plan(walk, roots, &layouts)?;
        let leaves = plan.inputs.iter().map(|number| &walk.leaves[*number as usize]);
        let all = leaves.chain(targets.iter().copied());
        let accesses = plan.reach(all.clone().map(|leaf| leaf.layout.offset));
        let operands: SmallVec<[_; 6]> =
            all.zip(&*accesses).map(|(leaf, access)| (&*leaf.storage, access)).collect();
        let (inputs, outputs) = operands.split_at(plan.inputs.len());
        let backend = roots[0].device().backend();
        let result = backend.run_again(&plan.memo, &plan.program, &plan.space, inputs, outputs);
        result.map_err(|error| placed(error, &plan, walk))
    }

    fn plan(
        &self,
        walk: &mut Walk<'_>,
        roots: &[&Tensor],
        outputs: &[&Layout],
    ) -> Result<Rc<Plan>, Error> {
        for output in outputs {
            walk.key.extend(output.strides.iter().map(|stride| *stride as u64));
        }
        if let Some(plan) = self.plans.borrow_mut().find(&walk.key) {
            return Ok(plan);
        }
        let plan = Rc::new(lower(walk, roots, outputs)?);
        self.plans.borrow_mut().insert(walk.key.clone(), plan.clone());
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
