//! Running the graph: each piece's plan is found or made, and run.

use std::rc::Rc;

use smallvec::SmallVec;

use super::anchor::{Anchor, find_anchor};
use super::leaf::Leaf;
use super::lower::lower;
use super::node::{Lazy, State};
use super::plan::Plan;
use super::schedule::Walk;
use super::{Engine, Error, ErrorCause, Tensor};
use crate::device::{self, WorkKind};
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
        let wanted: Vec<(&Tensor, Wanted)> =
            tensors.iter().filter_map(|tensor| Some((*tensor, self.wanted(tensor)?))).collect();
        let mut waiting: Vec<(&Tensor, Option<Anchor>)> =
            wanted.iter().map(|(_, wanted)| (&wanted.root, find_anchor(&wanted.root))).collect();
        while let Some((first, anchor)) = waiting.first().cloned() {
            self.interrupt.heed()?;
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
        wanted.iter().for_each(|(tensor, wanted)| wanted.show(tensor));
        Ok(())
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
            outputs.push(self.fresh_for(
                root,
                root.shape(),
                root.dtype(),
                Provenance::TEMPORARY,
            )?);
        }
        self.launch(&mut walk, &roots, &outputs.iter().collect::<Vec<_>>())?;
        for (root, output) in roots.iter().zip(outputs) {
            self.settle_as(root, output);
        }
        Ok(())
    }

    pub(super) fn realize_node(&self, tensor: &Tensor) -> Result<(), Error> {
        let Some(wanted) = self.wanted(tensor) else { return Ok(()) };
        match &wanted.layout {
            None => self.settle_as(tensor, self.compute(tensor)?),
            Some(_) => {
                self.realize_node(&wanted.root)?;
                wanted.show(tensor);
            }
        }
        Ok(())
    }

    /// What must be computed for a tensor to be there; `None` if it is.
    pub(super) fn wanted(&self, tensor: &Tensor) -> Option<Wanted> {
        let view = match &*tensor.0.state.borrow() {
            State::Real(_) => return None,
            State::Lazy(Lazy::View(view)) => Some(view.clone()),
            State::Lazy(_) => None,
        };
        let Some(view) = view else {
            return Some(Wanted { root: tensor.clone(), layout: None });
        };
        if let Some(leaf) = view.leaf() {
            tensor.0.settle(leaf);
            return None;
        }
        // A reduction can be computed through an aligned view, but then it would be computed again
        // for the next one.
        let part = if self.fusion.get() { view.part() } else { None };
        let (root, layout) = part.unwrap_or_else(|| (view.base.clone(), view.layout.clone()));
        Some(Wanted { root, layout: Some(layout) })
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

    /// Memory for a new tensor beside `like`, without values, for work that is done at once: the line that runs
    /// asks for it.
    pub(super) fn fresh(
        &self,
        like: &Tensor,
        shape: &Shape,
        dtype: DType,
        provenance: Provenance,
    ) -> Result<Leaf, Error> {
        self.name_maker(self.origin.get());
        self.beside(like, shape, dtype, provenance)
    }

    /// Memory for the elements of `node`, which its own line asks for.
    pub(super) fn fresh_for(
        &self,
        node: &Tensor,
        shape: &Shape,
        dtype: DType,
        provenance: Provenance,
    ) -> Result<Leaf, Error> {
        self.name_maker(node.0.origin);
        self.beside(node, shape, dtype, provenance)
    }

    fn beside(
        &self,
        like: &Tensor,
        shape: &Shape,
        dtype: DType,
        provenance: Provenance,
    ) -> Result<Leaf, Error> {
        let storage =
            self.allocate(like.device(), dtype, shape.checked_elem_count()?, provenance)?;
        Ok(Leaf { storage, layout: Layout::contiguous(shape.clone()), dtype })
    }

    /// The tensor's elements in new memory.
    pub(super) fn compute(&self, tensor: &Tensor) -> Result<Leaf, Error> {
        if tensor.elem_count() == 0 {
            return self.fresh_for(tensor, tensor.shape(), tensor.dtype(), Provenance::TEMPORARY);
        }
        if let Some(row) = self.compute_row(tensor)? {
            return Ok(row);
        }
        let mut walk = Walk::new(self, &[tensor], tensor.shape())?;
        let reusable = walk.reusable(tensor.shape(), tensor.dtype()).cloned();
        let output = match reusable.or_else(|| self.taken_over(tensor, &mut walk)) {
            Some(leaf) => leaf,
            None => {
                self.fresh_for(tensor, tensor.shape(), tensor.dtype(), Provenance::TEMPORARY)?
            }
        };
        self.launch(&mut walk, &[tensor], &[&output])?;
        Ok(output)
    }

    /// Writes the tensor's elements, broadcast, to where `target` lies. The types must be equal.
    /// What the storage held is kept for the transaction just before.
    pub(super) fn write(&self, tensor: &Tensor, target: &Leaf) -> Result<(), Error> {
        if target.layout.elem_count() == 0 {
            return Ok(());
        }
        if !target.layout.is_contiguous() && target.layout.has_windows() {
            return Err(Error::value_error("assignment destination is read-only"));
        }
        if self.write_row(tensor, target)? {
            return Ok(());
        }
        let walk = Walk::new(self, &[tensor], &target.layout.shape)?;
        if walk.needs_copy_before(target) {
            // Nothing may be written before everything was read and checked.
            drop(walk);
            let whole = Tensor::from_leaf(self.compute(tensor)?);
            let mut walk = Walk::new(self, &[&whole], &target.layout.shape)?;
            self.before_write(&target.storage, target.extent())?;
            return self.launch(&mut walk, &[&whole], &[target]);
        }
        let mut walk = walk;
        self.before_write(&target.storage, target.extent())?;
        self.launch(&mut walk, &[tensor], &[target])
    }

    pub(super) fn launch(
        &self,
        walk: &mut Walk<'_>,
        roots: &[&Tensor],
        targets: &[&Leaf],
    ) -> Result<(), Error> {
        if self.interrupt.is_raised() {
            return Err(device::Error::Interrupted.into());
        }
        let layouts: SmallVec<[&Layout; 1]> = targets.iter().map(|leaf| &leaf.layout).collect();
        let device = roots[0].device();
        if device.is_profiled() {
            // Work in place asks for no memory, and has its line all the same.
            self.name_maker(roots[0].0.origin);
        }
        let plan = self.plan(walk, roots, &layouts)?;
        let leaves = plan.inputs.iter().map(|it| (&walk.leaves[it.leaf as usize], it.part));
        let written = plan.outputs.iter().map(|it| (targets[it.leaf as usize], it.part));
        let all = leaves.chain(written);
        let accesses = plan.reach(all.clone().map(|(leaf, part)| part.place(leaf.layout.offset)));
        let operands: SmallVec<[_; 6]> =
            all.zip(&*accesses).map(|((leaf, _), access)| (&*leaf.storage, access)).collect();
        let (inputs, outputs) = operands.split_at(plan.inputs.len());
        let run = || {
            let backend = device.backend();
            backend.run_again(&plan.memo, &plan.program, &plan.space, inputs, outputs)
        };
        let mut result = self.relieved(device, run);
        while walk.must_end && result == Err(device::Error::Interrupted) {
            // Whoever interrupted is heard after that.
            result = self.undisturbed(|| self.relieved(device, run));
        }
        walk.has_read();
        result.map_err(|error| {
            self.transaction.unread.has_failed();
            placed(error, &plan, walk)
        })
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
        if !roots[0].device().is_modelled()
            && let Some(key) = walk.key_of_any_numbers()
            && self.plans.borrow_mut().has_other_numbers(key)
        {
            // A number that changes from turn to turn of a loop must not cost a plan each time.
            walk.read_numbers()?;
            if let Some(plan) = self.plans.borrow_mut().find_again(&walk.key) {
                return Ok(plan);
            }
        }
        let device = roots[0].device();
        let plan = device.noting(WorkKind::Plan, "a program", 0, || lower(walk, roots, outputs))?;
        let plan = Rc::new(plan);
        self.plans.borrow_mut().insert(walk.key.clone(), plan.clone());
        Ok(plan)
    }

    pub(super) fn next_pass(&self) -> u32 {
        let pass = self.pass.get().wrapping_add(1).max(1);
        self.pass.set(pass);
        pass
    }
}

/// What is computed for a tensor, and how the tensor lies in that if it is a view.
pub(super) struct Wanted {
    pub root: Tensor,
    layout: Option<Layout>,
}

impl Wanted {
    /// Makes a view one of the root's elements, which were computed.
    fn show(&self, view: &Tensor) {
        if let (Some(layout), Some(root)) = (&self.layout, self.root.leaf()) {
            view.0.settle(root.with(layout.clone()));
        }
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
    let mut origin = tensor.0.origin;
    let cause = match (&error, tensor.lazy()) {
        (
            device::Error::IndexOutOfBounds { operand, value, extent, .. },
            Some(Lazy::Gather { indices, .. }),
        ) => {
            let index = &indices[*operand];
            origin = index.origin;
            let (axis, part) = (index.axis as usize, index.part as usize);
            ErrorCause::IndexOutOfBounds { value: *value, axis, size: *extent, part }
        }
        _ => ErrorCause::Device(error),
    };
    Error { cause, origin: Some(origin) }
}
