//! Making nodes.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use smallvec::SmallVec;

use super::float_errors::Suspect;
use super::leaf::Leaf;
use super::memory_order::{from_order, in_order, memory_order};
use super::moved::View;
use super::node::{GatherIndex, Lazy, Node, State};
use super::reform::Owner;
use super::{Device, Engine, Error, Tensor, number};
use crate::diag::ErrorKind;
use crate::dtype::{DType, Scalar};
use crate::ir::{BinaryOp, MapOp, ReduceOp};
use crate::layout::{Layout, Shape, broadcast_shapes};

/// Chains longer than this are computed on the way: it bounds the recursion over the graph and the
/// size of a program.
const MAX_DEPTH: u16 = 48;

impl Engine {
    /// One value everywhere, on `device`.
    pub(super) fn constant_on(
        &self,
        device: Device,
        shape: Shape,
        value: Scalar,
        dtype: DType,
    ) -> Tensor {
        self.make(Lazy::Const(value), shape, dtype, device, 0)
    }

    pub(super) fn iota_on(&self, device: Device, shape: Shape, axis: u8) -> Tensor {
        self.make(Lazy::Iota { axis }, shape, DType::I64, device, 0)
    }

    /// An elementwise node over operands that have been cast already. It lies in memory as they do.
    pub(super) fn map(
        &self,
        op: MapOp,
        operands: &[&Tensor],
        dtype: DType,
    ) -> Result<Tensor, Error> {
        let shape = self.common_shape(operands)?;
        let Some(order) = memory_order(operands, &shape) else {
            return self.map_by_rows(op, operands, dtype, shape);
        };
        let turned: SmallVec<[Tensor; 3]> =
            operands.iter().map(|operand| in_order(self, operand, &order)).collect();
        let turned: SmallVec<[&Tensor; 3]> = turned.iter().collect();
        let shape = order.iter().map(|axis| shape[*axis]).collect();
        Ok(from_order(self, self.map_by_rows(op, &turned, dtype, shape)?, &order))
    }

    /// The shape in which operands meet.
    fn common_shape(&self, operands: &[&Tensor]) -> Result<Shape, Error> {
        Ok(match operands {
            [only] => only.shape().clone(),
            _ if operands[1..].iter().all(|t| t.shape() == operands[0].shape()) => {
                operands[0].shape().clone()
            }
            _ => {
                let shapes: SmallVec<[&Shape; 3]> = operands.iter().map(|t| t.shape()).collect();
                let shape = broadcast_shapes(&shapes)?;
                if shape.elem_count() == 0 {
                    self.check_unused(operands)?;
                }
                shape
            }
        })
    }

    /// An elementwise node of `shape`, to which its operands broadcast, in row-major order.
    pub(super) fn map_by_rows(
        &self,
        op: MapOp,
        operands: &[&Tensor],
        dtype: DType,
        shape: Shape,
    ) -> Result<Tensor, Error> {
        let device = same_device(operands)?;
        if let Some(value) = number::fold(op, operands, dtype) {
            let number = self.number_on(device, value, dtype);
            self.hear(&number, || Suspect::of_map(op, operands))?;
            return Ok(number);
        }
        let depth = self.bounded_depth(operands)?;
        let can_be_wrong = Self::can_be_wrong(op, operands.last().copied());
        let held = operands.iter().map(|t| (*t).clone()).collect();
        let tensor = self.make(Lazy::Map { op, operands: held }, shape, dtype, device, depth);
        if can_be_wrong {
            self.watch(&tensor);
        }
        self.hear(&tensor, || Suspect::of_map(op, operands))?;
        Ok(tensor)
    }

    /// Computes operands that have elements and meet none: no program would find out what is wrong with
    /// them.
    #[cold]
    fn check_unused(&self, operands: &[&Tensor]) -> Result<(), Error> {
        let is_unused = |t: &&&Tensor| t.elem_count() > 0 && super::host::constant_of(t).is_none();
        operands.iter().filter(is_unused).try_for_each(|t| self.leaf_of(t).map(drop))
    }

    /// A reduction that keeps its axes with length one. `axes` are sorted. Kept axes lie in memory as the operand's do.
    pub(super) fn fold(
        &self,
        op: ReduceOp,
        operand: &Tensor,
        axes: &[u8],
        dtype: DType,
    ) -> Result<Tensor, Error> {
        if axes.iter().all(|axis| operand.shape()[*axis as usize] == 1)
            && let Some(alone) = self.fold_alone(op, operand, dtype)?
        {
            return Ok(alone);
        }
        // Places are counted by rows, and lie so in NumPy, too.
        let order = if op.is_arg() { None } else { memory_order(&[operand], operand.shape()) };
        let Some(order) = order else { return self.fold_by_rows(op, operand, axes, dtype) };
        let places = 0..order.len() as u8;
        let axes: SmallVec<[u8; 4]> =
            places.filter(|place| axes.contains(&(order[*place as usize] as u8))).collect();
        let folded = self.fold_by_rows(op, &in_order(self, operand, &order), &axes, dtype)?;
        Ok(from_order(self, folded, &order))
    }

    /// The folds of elements that are alone in theirs, which need no rows: copies, but that the sum of negative zero is
    /// zero.
    fn fold_alone(
        &self,
        op: ReduceOp,
        operand: &Tensor,
        dtype: DType,
    ) -> Result<Option<Tensor>, Error> {
        Ok(match op {
            ReduceOp::Sum if dtype.is_float() => {
                let zero = self.number_on(operand.device().clone(), Scalar::Float(0.0), dtype);
                let operand = self.cast(operand, dtype)?;
                Some(self.map(MapOp::Binary(BinaryOp::Add), &[&operand, &zero], dtype)?)
            }
            // It has two zeros, and is added up by its parts.
            ReduceOp::Sum if dtype.is_complex() => None,
            ReduceOp::Sum | ReduceOp::Prod | ReduceOp::Max | ReduceOp::Min => {
                Some(self.map(MapOp::Cast, &[operand], dtype)?)
            }
            _ => None,
        })
    }

    fn fold_by_rows(
        &self,
        op: ReduceOp,
        operand: &Tensor,
        axes: &[u8],
        dtype: DType,
    ) -> Result<Tensor, Error> {
        let mut shape = operand.shape().clone();
        axes.iter().for_each(|axis| shape[*axis as usize] = 1);
        // Without an axis of length zero the others may be more than can be counted.
        shape.checked_elem_count()?;
        let depth = self.bounded_depth(&[operand])?;
        let lazy = Lazy::Reduce { op, operand: operand.clone(), axes: axes.into() };
        Ok(self.make(lazy, shape, dtype, operand.device().clone(), depth))
    }

    pub(super) fn gather(
        &self,
        base: &Tensor,
        layout: Layout,
        indices: SmallVec<[GatherIndex; 2]>,
    ) -> Result<Tensor, Error> {
        let shape = layout.shape.clone();
        let (device, depth) = {
            let operands: SmallVec<[&Tensor; 3]> =
                indices.iter().map(|index| &index.index).chain([base]).collect();
            (same_device(&operands)?, self.bounded_depth(&operands)?)
        };
        let indices = indices.into_vec().into_boxed_slice();
        let lazy = Lazy::Gather { base: base.clone(), layout, indices };
        let tensor = self.make(lazy, shape, base.dtype(), device, depth);
        self.watch(&tensor);
        Ok(tensor)
    }

    /// Elements of a node that is no leaf, rearranged.
    pub(super) fn view_of(&self, view: Rc<View>) -> Tensor {
        let (shape, base) = (view.layout.shape.clone(), &view.base);
        let (dtype, device, depth) = (base.dtype(), base.device().clone(), base.0.depth + 1);
        self.make(Lazy::View(view), shape, dtype, device, depth)
    }

    fn make(&self, lazy: Lazy, shape: Shape, dtype: DType, device: Device, depth: u16) -> Tensor {
        let tensor = self.node(lazy, shape, dtype, device, depth);
        self.transaction.note_pending(&tensor.0);
        tensor
    }

    /// A node that the end of the statement need not compute.
    pub(super) fn node(
        &self,
        lazy: Lazy,
        shape: Shape,
        dtype: DType,
        device: Device,
        depth: u16,
    ) -> Tensor {
        // `where` gives an array in NumPy, every other operation a scalar.
        let is_scalar = match &lazy {
            Lazy::Map { op, .. } => *op != MapOp::Select,
            Lazy::Reduce { .. } | Lazy::Gather { .. } => true,
            Lazy::Const(_) | Lazy::Iota { .. } | Lazy::View { .. } => false,
        };
        Tensor(Rc::new(Node {
            shape: shape.into(),
            dtype,
            device,
            origin: self.origin.get(),
            depth,
            mark: Cell::default(),
            met: Cell::default(),
            is_scalar: Cell::new(is_scalar),
            is_asked: Cell::default(),
            permission: Cell::default(),
            watch: Cell::default(),
            owner: Owner::default(),
            views: Cell::default(),
            state: RefCell::new(State::Lazy(lazy)),
        }))
    }

    fn bounded_depth(&self, operands: &[&Tensor]) -> Result<u16, Error> {
        let deepest =
            |operands: &[&Tensor]| operands.iter().map(|t| t.0.depth_now()).max().unwrap_or(0);
        if deepest(operands) >= MAX_DEPTH || !self.fusion.get() {
            self.realize(operands)?;
        }
        Ok(deepest(operands) + 1)
    }
}

impl Node {
    pub(super) fn depth_now(&self) -> u16 {
        match &*self.state.borrow() {
            State::Real(_) => 0,
            State::Lazy(_) => self.depth,
        }
    }

    /// Makes the node a leaf; its operands are let go.
    pub(super) fn settle(&self, leaf: Leaf) {
        debug_assert_eq!(leaf.layout.shape, *self.shape.get());
        // The old state is dropped after the borrow has ended: dropping it may drop a long chain.
        let _old = self.state.replace(State::Real(leaf));
    }
}

/// The one device of all operands.
pub(super) fn same_device(operands: &[&Tensor]) -> Result<Device, Error> {
    let first = operands[0].device();
    match operands.iter().find(|tensor| tensor.device() != first) {
        None => Ok(first.clone()),
        Some(other) => Err(mixed_devices(first, other.device())),
    }
}

#[cold]
fn mixed_devices(first: &Device, other: &Device) -> Error {
    let (first, other) = (first.id(), other.id());
    let message =
        format!("expected all tensors to be on the same device, found {first} and {other}");
    Error::new(ErrorKind::Runtime, message)
        .with_hint(format!("move one of them: `x.to('{first}')`"))
}
