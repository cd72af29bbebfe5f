//! Writing into tensors. A view or an alias of the written tensor sees the change, for they share
//! the storage. Everything that can fail comes before the first write.
//!
//! What an index is made of belongs to the write: its lazy parts are read by it, and not after it.

use smallvec::SmallVec;

use super::index::is_whole_mask;
use super::leaf::{Leaf, Part};
use super::{BinaryOp, Engine, Error, ErrorCause, IndexItem, Operand, ScatterOp, Tensor, UnaryOp};
use crate::device::{self, View};
use crate::dtype::{DType, Scalar};
use crate::ir::{Access, Space};
use crate::layout::{GatheredAxis, Layout, Shape};

impl Engine {
    /// `x[items] = value`, the value broadcast to what the index means and cast to the type of `x`.
    /// Where several values meet one place, the last in row-major order stays.
    ///
    /// # Errors
    /// IndexError as for reading; ValueError where the value does not broadcast or is NaN for an
    /// integer; OverflowError where a Python number does not fit.
    pub fn assign(
        &self,
        x: &Tensor,
        items: &[IndexItem],
        value: impl Into<Operand>,
    ) -> Result<(), Error> {
        x.check_writable()?;
        let value = value.into();
        if self.assign_row(x, items, &value)? {
            return Ok(());
        }
        let value = self.value_for(x, value)?;
        let leaf = self.leaf_of(x)?;
        if let [IndexItem::Tensor(mask)] = items
            && is_whole_mask(mask, x)
        {
            return self.assign_where(x, leaf, mask, value);
        }
        if let [IndexItem::Tensor(mask)] = items
            && mask.dtype() == DType::Bool
            && (mask.rank(), x.rank()) == (0, 0)
        {
            // The whole mask of a tensor without axes: as of a row of one.
            let layout = Layout::contiguous(Shape::from([1]));
            let leaf = leaf.with(Layout { offset: leaf.layout.offset, ..layout });
            let (row, mask) = (Tensor::from_leaf(leaf.clone()), self.reshape(mask, &[1])?);
            return self.assign_where(&row, leaf, &mask, value);
        }
        let has_array = items.iter().any(|item| matches!(item, IndexItem::Tensor(_)));
        if has_array {
            return self.scatter_values(ScatterOp::Write, x, &leaf, items, value);
        }
        let layout = match leaf.layout.basic(items.iter().map(IndexItem::part)) {
            Some(layout) => layout,
            None => self.resolve(&leaf.layout, items)?.plan.layout,
        };
        let is_element = items.len() == x.rank()
            && !items.is_empty()
            && items.iter().all(|item| matches!(item, IndexItem::Int(_)));
        // NumPy asks a sequence of one for its truth, but not for its number.
        let is_truth = x.dtype() == DType::Bool && value.elem_count() == 1;
        if is_element && value.rank() > 0 && !is_truth {
            return Err(Error::shape_error("setting an array element with a sequence."));
        }
        self.assign_leaf(&leaf.with(layout), value, &[])
    }

    /// `x[...] = value`.
    ///
    /// # Errors
    /// As [`Engine::assign`].
    pub fn assign_all(&self, x: &Tensor, value: impl Into<Operand>) -> Result<(), Error> {
        x.check_writable()?;
        let value = self.value_for(x, value.into())?;
        let leaf = self.leaf_of(x)?;
        self.assign_leaf(&leaf, value, &[])
    }

    /// Combines values with what stands where an index points, each value by itself, so that
    /// places which are named twice take part twice (`np.add.at`).
    ///
    /// # Errors
    /// As [`Engine::assign`].
    pub fn scatter(
        &self,
        op: ScatterOp,
        x: &Tensor,
        items: &[IndexItem],
        value: impl Into<Operand>,
    ) -> Result<(), Error> {
        x.check_writable()?;
        let value = self.value_for(x, value.into())?;
        let leaf = self.leaf_of(x)?;
        let has_array = items.iter().any(|item| matches!(item, IndexItem::Tensor(_)));
        if has_array && op != ScatterOp::Write && leaf.dtype != leaf.dtype.carrier() {
            let carried = self.cast(x, leaf.dtype.carrier())?;
            let value = self.cast(&value, carried.dtype())?;
            self.scatter_values(op, &carried, &self.leaf_of(&carried)?, items, value)?;
            return self.assign_leaf(&leaf, self.cast(&carried, leaf.dtype)?, &[]);
        }
        if has_array || op == ScatterOp::Write {
            return self.scatter_values(op, x, &leaf, items, value);
        }
        let layout = self.resolve(&leaf.layout, items)?.plan.layout;
        let part = Tensor::from_leaf(leaf.with(layout));
        let op = match op {
            ScatterOp::Add | ScatterOp::Write => BinaryOp::Add,
            ScatterOp::Multiply => BinaryOp::Mul,
            ScatterOp::Max => BinaryOp::Max,
            ScatterOp::Min => BinaryOp::Min,
        };
        self.update(op, &part, value)
    }

    /// `x op= value`: the type and the shape of `x` stay.
    ///
    /// # Errors
    /// TypeError where the result's kind is higher than the type of `x`, ValueError where its
    /// shape is larger; what the operation itself may bring up.
    pub fn update(&self, op: BinaryOp, x: &Tensor, value: impl Into<Operand>) -> Result<(), Error> {
        let value: Operand = value.into();
        // NumPy looks at the types before it looks at the shapes.
        let dtype = self.binary_type(op, self.common(&x.into(), &value))?;
        if let (BinaryOp::Pow, DType::Bool, Operand::Scalar(Scalar::Int(2))) =
            (op, x.dtype(), &value)
        {
            return check_same_kind("square", DType::I8, x);
        }
        check_same_kind(op.row().ufunc, dtype, x)?;
        if self.update_row(op, x, &value)? {
            return Ok(());
        }
        let result = self.binary(op, x, value)?;
        self.replace(op.row().ufunc, x, result)
    }

    /// The elements of `x` become those of what the operation that NumPy calls `ufunc` has made of
    /// them.
    ///
    /// # Errors
    /// As [`Engine::update`].
    pub fn replace(&self, ufunc: &str, x: &Tensor, result: Tensor) -> Result<(), Error> {
        check_same_kind(ufunc, result.dtype(), x)?;
        if result.shape() != x.shape() {
            return Err(Error::shape_error(format!(
                "non-broadcastable output operand with shape {:#} doesn't match the broadcast shape {:#}",
                x.shape(),
                result.shape(),
            )));
        }
        self.assign_all(x, result)
    }

    /// Every element of `x` becomes `op` of it.
    ///
    /// # Errors
    /// As [`Engine::update`].
    pub fn unary_in_place(&self, op: UnaryOp, x: &Tensor) -> Result<(), Error> {
        let result = self.unary(op, x)?;
        if result.dtype().kind() > x.dtype().kind() {
            return Err(Error::type_error(format!(
                "result type {} can't be cast to the desired output type {}",
                result.dtype(),
                x.dtype(),
            )));
        }
        self.assign_all(x, result)
    }

    /// The value as a tensor of the type of `x`, on its device.
    pub(super) fn value_for(&self, x: &Tensor, value: Operand) -> Result<Tensor, Error> {
        match value {
            Operand::Scalar(_) => self.operand_as(value, x.dtype(), &x.device().clone()),
            Operand::Tensor(tensor) => {
                let here =
                    if tensor.rank() == 0 { self.to_device(&tensor, x.device())? } else { tensor };
                super::graph::same_device(&[x, &here])?;
                if here.dtype().is_complex() && !x.dtype().is_complex() && x.dtype() != DType::Bool
                {
                    return Err(discards_imaginary(here.dtype(), x.dtype()));
                }
                self.cast(&here, x.dtype())
            }
        }
    }

    /// `also` are handles to parts of the value that the write owns as well.
    fn assign_leaf(&self, target: &Leaf, value: Tensor, also: &[&Tensor]) -> Result<(), Error> {
        if target.layout.elem_count() == 0 {
            // Nothing is stored, but what is wrong with the value is an error.
            self.leaf_of(&value)?;
        }
        let value = self.fitted(value, &target.layout.shape)?;
        if target.layout.elem_count() == 0 {
            return Ok(());
        }
        debug_assert!(!target.layout.has_overlap(), "what repeats elements is read-only");
        let own: SmallVec<[&Tensor; 3]> = also.iter().copied().chain([&value]).collect();
        self.settle_others(&own)?;
        self.write(&value, target)
    }

    /// Under a mask, one value: a select in place. Several: they go to the true places in order.
    fn assign_where(
        &self,
        x: &Tensor,
        leaf: Leaf,
        mask: &Tensor,
        value: Tensor,
    ) -> Result<(), Error> {
        if value.rank() > 1 {
            return Err(Error::type_error(format!(
                "NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, input has {} dimensions",
                value.rank(),
            )));
        }
        let here = self.same_place(mask, x)?;
        if value.elem_count() == 1 && value.rank() <= 1 {
            let value = self.reshape(&value, &[])?;
            let chosen = self.select(&here, value, x)?;
            return self.assign_leaf(&leaf, chosen, &[mask, &here]);
        }
        let choice = self.choice(&here)?;
        let count = choice.count();
        if value.rank() <= 1 && value.elem_count() != count {
            return Err(Error::shape_error(format!(
                "NumPy boolean array indexing assignment cannot assign {} input values to the {count} output values where the mask is true",
                value.elem_count(),
            )));
        }
        let places: SmallVec<[IndexItem; 4]> =
            self.places_of(&choice)?.into_iter().map(IndexItem::Tensor).collect();
        self.scatter_values(ScatterOp::Write, x, &leaf, &places, value)
    }

    fn scatter_values(
        &self,
        op: ScatterOp,
        x: &Tensor,
        leaf: &Leaf,
        items: &[IndexItem],
        value: Tensor,
    ) -> Result<(), Error> {
        let indexing = self.resolve(&leaf.layout, items)?;
        let plan = indexing.plan;
        let shape = plan.layout.shape.clone();
        let value = self.fitted(value, &shape)?;
        let behind = shape.rank() - plan.index_axes.end;
        let mut indices: SmallVec<[Leaf; 2]> = SmallVec::new();
        for (axis, array) in plan.gathered.iter().zip(&indexing.arrays) {
            let array = self.same_place(array, x)?;
            if shape.elem_count() == 0 && plan.index_shape.elem_count() > 0 {
                super::index::check_bounds(self, &array, axis)?;
            }
            let array = self.spread(&array, behind)?;
            let mut at = self.leaf_of(&array)?;
            if at.storage.is_with(&leaf.storage) {
                at = self.compute(&array)?;
            }
            indices.push(Leaf { layout: at.layout.broadcast_to(&shape)?, ..at });
        }
        if shape.elem_count() == 0 {
            self.leaf_of(&value)?;
            return Ok(());
        }
        if leaf.layout.has_windows() {
            return Err(Error::value_error("assignment destination is read-only"));
        }
        self.settle_others(&[&value])?;
        let mut values = self.leaf_of(&value)?;
        if values.storage.is_with(&leaf.storage) {
            values = self.compute(&value)?;
        }
        values.layout = values.layout.broadcast_to(&shape)?;
        let space = Space { dims: shape.as_ref().into(), kept: shape.rank() };
        let gathered = plan.gathered.iter().map(|axis| (axis.extent, axis.stride)).collect();
        let access = Access { offset: plan.layout.offset, strides: plan.layout.strides, gathered };
        let written: SmallVec<[(Part, Leaf); 2]> = match leaf.dtype.is_complex() {
            true => self.complex_scatter(op, &values)?.into(),
            false => [(Part::Whole, values)].into_iter().collect(),
        };
        let views: SmallVec<[View<'_>; 2]> = indices.iter().map(Leaf::view).collect();
        self.before_write(&leaf.storage, 0..leaf.storage.len())?;
        let backend = x.device().backend();
        for (part, values) in &written {
            let access = part.access(&access);
            let target = (&*leaf.storage, &access);
            backend.scatter(op, &space, target, &views, values.view()).map_err(
                |error| match error {
                    device::Error::IndexOutOfBounds { operand, value, extent, .. } => {
                        let &GatheredAxis { axis, part, .. } = &plan.gathered[operand];
                        let cause =
                            ErrorCause::IndexOutOfBounds { value, axis, size: extent, part };
                        Error { cause, origin: None }
                    }
                    other => other.into(),
                },
            )?;
        }
        Ok(())
    }

    /// The value as it is written to all of a target: in its shape, without leading axes of length one that are none of
    /// the target's.
    ///
    /// # Errors
    /// ValueError where the shapes do not go together.
    pub fn spread_into(&self, value: Tensor, shape: &Shape) -> Result<Tensor, Error> {
        self.broadcast_to(&self.fitted(value, shape)?, shape)
    }

    /// The value without leading axes of length one that the target does not have.
    pub(super) fn fitted(&self, value: Tensor, shape: &Shape) -> Result<Tensor, Error> {
        if value.shape() == shape {
            return Ok(value);
        }
        let given = value.shape().clone();
        let extra = given.rank().saturating_sub(shape.rank());
        let mut fitted = value;
        if extra > 0 && given[..extra].iter().all(|extent| *extent == 1) {
            let gone: Vec<i64> = (0..extra as i64).collect();
            fitted = self.squeeze(&fitted, Some(&gone))?;
        }
        let failure =
            |_| Error::from(crate::layout::Error::BroadcastTo { from: given, to: shape.clone() });
        Layout::contiguous(fitted.shape().clone()).broadcast_to(shape).map_err(failure)?;
        Ok(fitted)
    }
}

#[cold]
fn discards_imaginary(from: DType, to: DType) -> Error {
    let words = format!("storing {from} as {to} discards the imaginary part");
    Error::type_error(words).with_hint("store a part, `z.real` or `z.imag`, or the size, `abs(z)`")
}

impl Tensor {
    /// # Errors
    /// ValueError for a tensor that is read-only.
    pub fn check_writable(&self) -> Result<(), Error> {
        self.check_writable_as("assignment destination")
    }

    /// The same, told in the words for what the tensor is there.
    ///
    /// # Errors
    /// As [`Tensor::check_writable`].
    pub fn check_writable_as(&self, role: &str) -> Result<(), Error> {
        if !self.is_read_only() {
            return Ok(());
        }
        let words = format!("{role} is read-only");
        Err(Error::shape_error(words).with_hint(self.permission().remedy()))
    }
}

/// # Errors
/// TypeError where what an operation gives is of a higher kind than `x`, in which it is stored.
fn check_same_kind(ufunc: &str, dtype: DType, x: &Tensor) -> Result<(), Error> {
    if dtype.kind() <= x.dtype().kind() {
        return Ok(());
    }
    Err(Error::type_error(format!(
        "Cannot cast ufunc '{ufunc}' output from dtype('{dtype}') to dtype('{}') with casting rule 'same_kind'",
        x.dtype(),
    ))
    .with_hint("an operation in place keeps the type: write `x = x …`, or `x.astype(…)` first"))
}
