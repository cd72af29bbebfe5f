//! Rearrangements of elements: they move no data where a layout can say them.
//!
//! A view of a leaf is a leaf. A view of lazy work knows its base: once that is computed, both share
//! its memory.

use std::rc::Weak;

use smallvec::SmallVec;

use super::leaf::Leaf;
use super::moved::View;
use super::node::{Lazy, Permission};
use super::{Engine, Error, Tensor};
use crate::layout::{Layout, Shape, broadcast_shapes, normalize_axis};

/// One step from a layout to another.
#[derive(Debug, Clone)]
pub(super) enum Rearrange {
    Permute(SmallVec<[usize; 6]>),
    Narrow {
        axis: usize,
        start: usize,
        len: usize,
        step: isize,
    },
    Select {
        axis: usize,
        index: usize,
    },
    ExpandDims(usize),
    Squeeze(usize),
    Broadcast(Shape),
    Reshape(Shape),
    /// Two axes give way to one, the last, along their diagonal from `offset`.
    Diagonal {
        offset: i64,
        axis1: usize,
        axis2: usize,
    },
}

impl Rearrange {
    /// `None` where strides cannot say it. The step must fit the layout.
    pub(super) fn apply(&self, layout: &Layout) -> Option<Layout> {
        Some(match self {
            Rearrange::Permute(axes) => layout.permute(axes),
            Rearrange::Narrow { axis, start, len, step } => {
                layout.narrow(*axis, *start, *len, *step)
            }
            Rearrange::Select { axis, index } => layout.select(*axis, *index),
            Rearrange::ExpandDims(axis) => layout.expand_dims(*axis),
            Rearrange::Squeeze(axis) => layout.squeeze(*axis),
            Rearrange::Broadcast(shape) => layout.broadcast_to(shape).ok()?,
            Rearrange::Reshape(shape) => return layout.reshape(shape),
            Rearrange::Diagonal { offset, axis1, axis2 } => {
                diagonal_layout(layout, *offset, *axis1, *axis2)
            }
        })
    }
}

impl Engine {
    /// The same elements in row-major order under another shape; one extent may be -1 and follows
    /// from the others. Copies only where strides cannot say it.
    ///
    /// # Errors
    /// ValueError where the element counts differ.
    pub fn reshape(&self, x: &Tensor, extents: &[i64]) -> Result<Tensor, Error> {
        let shape = self.resolve_shape(x, extents)?;
        if shape == *x.shape() {
            Ok(x.clone())
        } else {
            self.rearrange(x, Rearrange::Reshape(shape))
        }
    }

    /// A view of all elements as they lie, another tensor than `x`: what is said of one, that nobody
    /// may write to it for instance, is not said of the other.
    ///
    /// # Errors
    /// None that the tensor does not have already.
    pub fn alias(&self, x: &Tensor) -> Result<Tensor, Error> {
        self.rearrange(x, Rearrange::Permute((0..x.rank()).collect()))
    }

    /// All elements along one axis, in row-major order.
    pub fn ravel(&self, x: &Tensor) -> Result<Tensor, Error> {
        self.reshape(x, &[-1])
    }

    /// Axis `i` of the result is axis `axes[i]` of `x`.
    ///
    /// # Errors
    /// ValueError where `axes` is no permutation.
    pub fn permute(&self, x: &Tensor, axes: &[i64]) -> Result<Tensor, Error> {
        if axes.len() != x.rank() {
            return Err(Error::shape_error("axes don't match array"));
        }
        let mut order: SmallVec<[usize; 6]> = SmallVec::new();
        for axis in axes {
            let axis = x.shape().axis(*axis)?;
            if order.contains(&axis) {
                return Err(Error::shape_error("repeated axis in transpose"));
            }
            order.push(axis);
        }
        self.rearrange(x, Rearrange::Permute(order))
    }

    /// All axes in reverse.
    pub fn transpose(&self, x: &Tensor) -> Result<Tensor, Error> {
        self.rearrange(x, Rearrange::Permute((0..x.rank()).rev().collect()))
    }

    /// # Errors
    /// ValueError for an axis that is not there.
    pub fn swapaxes(&self, x: &Tensor, a: i64, b: i64) -> Result<Tensor, Error> {
        let (a, b) = (x.shape().axis(a)?, x.shape().axis(b)?);
        let mut order: SmallVec<[usize; 6]> = (0..x.rank()).collect();
        order.swap(a, b);
        self.rearrange(x, Rearrange::Permute(order))
    }

    /// Axes `from` become axes `to`; the others keep their order.
    ///
    /// # Errors
    /// ValueError for axes that are not there, are repeated, or differ in number.
    pub fn moveaxis(&self, x: &Tensor, from: &[i64], to: &[i64]) -> Result<Tensor, Error> {
        if from.len() != to.len() {
            return Err(Error::shape_error(
                "`source` and `destination` arguments must have the same number of elements",
            ));
        }
        let axes = |list: &[i64], what: &str| -> Result<SmallVec<[usize; 6]>, Error> {
            let mut normal: SmallVec<[usize; 6]> = SmallVec::new();
            for axis in list {
                let axis = x.shape().axis(*axis)?;
                if normal.contains(&axis) {
                    return Err(Error::shape_error(format!("repeated axis in `{what}` argument")));
                }
                normal.push(axis);
            }
            Ok(normal)
        };
        let (from, to) = (axes(from, "source")?, axes(to, "destination")?);
        let mut order: SmallVec<[usize; 6]> =
            (0..x.rank()).filter(|axis| !from.contains(axis)).collect();
        let mut moves: SmallVec<[(usize, usize); 6]> = to.into_iter().zip(from).collect();
        moves.sort_unstable();
        for (to, from) in moves {
            order.insert(to, from);
        }
        self.rearrange(x, Rearrange::Permute(order))
    }

    /// New axes of length one at these positions of the result.
    ///
    /// # Errors
    /// ValueError for a position that is not there or is named twice.
    pub fn expand_dims(&self, x: &Tensor, axes: &[i64]) -> Result<Tensor, Error> {
        let rank = x.rank() + axes.len();
        let mut positions = axes
            .iter()
            .map(|axis| normalize_axis(*axis, rank))
            .collect::<Result<SmallVec<[usize; 6]>, _>>()?;
        positions.sort_unstable();
        if positions.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(Error::shape_error("repeated axis"));
        }
        positions
            .into_iter()
            .try_fold(x.clone(), |x, axis| self.rearrange(&x, Rearrange::ExpandDims(axis)))
    }

    /// Without the named axes of length one; without all of them for `None`.
    ///
    /// # Errors
    /// ValueError for an axis that is longer or is not there.
    pub fn squeeze(&self, x: &Tensor, axes: Option<&[i64]>) -> Result<Tensor, Error> {
        let mut gone: SmallVec<[usize; 6]> = match axes {
            None => (0..x.rank()).filter(|axis| x.shape()[*axis] == 1).collect(),
            Some(axes) => {
                axes.iter().map(|axis| x.shape().axis(*axis)).collect::<Result<_, _>>()?
            }
        };
        gone.sort_unstable();
        gone.dedup();
        if gone.iter().any(|axis| x.shape()[*axis] != 1) {
            return Err(Error::shape_error(
                "cannot select an axis to squeeze out which has size not equal to one",
            ));
        }
        gone.into_iter()
            .rev()
            .try_fold(x.clone(), |x, axis| self.rearrange(&x, Rearrange::Squeeze(axis)))
    }

    /// The elements repeated to a larger shape, without copies. What repeats them is read-only, and
    /// so are its views.
    ///
    /// # Errors
    /// ValueError where the shapes do not fit.
    pub fn broadcast_to(&self, x: &Tensor, shape: &Shape) -> Result<Tensor, Error> {
        if x.shape() == shape {
            return Ok(x.clone());
        }
        shape.checked_elem_count()?;
        Layout::contiguous(x.shape().clone()).broadcast_to(shape)?;
        self.rearrange(x, Rearrange::Broadcast(shape.clone()))
    }

    /// A view that nobody writes to: for ever, or until it is told that they may.
    ///
    /// # Errors
    /// None that the tensor does not have already.
    pub fn read_only(&self, x: &Tensor, permission: Permission) -> Result<Tensor, Error> {
        let view = self.alias(x)?;
        if !view.is_read_only() {
            view.set_permission(permission);
        }
        Ok(view)
    }

    /// All tensors under the one shape in which they meet.
    ///
    /// # Errors
    /// ValueError where there is none.
    pub fn broadcast_tensors(&self, tensors: &[Tensor]) -> Result<Vec<Tensor>, Error> {
        let shapes: Vec<&Shape> = tensors.iter().map(|tensor| tensor.shape()).collect();
        let shape = broadcast_shapes(&shapes)?;
        tensors.iter().map(|tensor| self.broadcast_to(tensor, &shape)).collect()
    }

    /// Backwards along some axes; along all for `None`.
    ///
    /// # Errors
    /// ValueError for an axis that is not there.
    pub fn flip(&self, x: &Tensor, axes: Option<&[i64]>) -> Result<Tensor, Error> {
        let axes: SmallVec<[usize; 6]> = match axes {
            None => (0..x.rank()).collect(),
            Some(axes) => {
                axes.iter().map(|axis| x.shape().axis(*axis)).collect::<Result<_, _>>()?
            }
        };
        axes.into_iter().try_fold(x.clone(), |x, axis| {
            let len = x.shape()[axis];
            self.rearrange(
                &x,
                Rearrange::Narrow { axis, start: len.saturating_sub(1), len, step: -1 },
            )
        })
    }

    /// `len` elements along `axis`, the first at `start`, each `step` after the one before. All
    /// must lie within the axis.
    pub fn narrow(
        &self,
        x: &Tensor,
        axis: usize,
        start: usize,
        len: usize,
        step: isize,
    ) -> Result<Tensor, Error> {
        self.rearrange(x, Rearrange::Narrow { axis, start, len, step })
    }

    /// The elements whose indices along the two axes differ by `offset`, as a new last axis.
    ///
    /// # Errors
    /// ValueError for axes that are not there or are the same.
    pub fn diagonal(
        &self,
        x: &Tensor,
        offset: i64,
        axis1: i64,
        axis2: i64,
    ) -> Result<Tensor, Error> {
        if x.rank() < 2 {
            return Err(Error::shape_error("diag requires an array of at least two dimensions"));
        }
        let (axis1, axis2) = (x.shape().axis(axis1)?, x.shape().axis(axis2)?);
        if axis1 == axis2 {
            return Err(Error::shape_error("axis1 and axis2 cannot be the same"));
        }
        self.rearrange(x, Rearrange::Diagonal { offset, axis1, axis2 })
    }

    pub(super) fn rearrange(&self, x: &Tensor, step: Rearrange) -> Result<Tensor, Error> {
        if x.is_scalar() {
            // A scalar never changes, so what is made of it shares no memory with it.
            let own = self.as_it_is(x)?.as_scalar(false);
            return self.rearrange(&own, step);
        }
        match self.try_rearrange(x, &step) {
            Some(view) => {
                let view = view.as_scalar(false);
                Ok(match &step {
                    Rearrange::Broadcast(shape) if shape.elem_count() > x.elem_count() => {
                        view.with_permission(Permission::Repeated).owned_as(x)
                    }
                    _ => view.permitted_as(x),
                })
            }
            // Only a reshape ends here: the elements are copied into row-major order first.
            None => {
                let leaf = self.contiguous_leaf(x)?;
                let view = self.try_rearrange(&Tensor::from_leaf(leaf), &step);
                // As in NumPy, it is a view of the copy.
                Ok(view.expect("contiguous elements take any shape").with_owner(Weak::new()))
            }
        }
    }

    fn try_rearrange(&self, x: &Tensor, step: &Rearrange) -> Option<Tensor> {
        if let Some(leaf) = x.leaf() {
            let layout = step.apply(&leaf.layout)?;
            return Some(Tensor::from_leaf(Leaf { layout, ..leaf }));
        }
        let view = x.with_lazy(|lazy| match lazy {
            Lazy::View(view) => view.then(step),
            _ => View::of(x, step),
        });
        view.map(|view| self.view_of(view))
    }

    pub(super) fn resolve_shape(&self, x: &Tensor, extents: &[i64]) -> Result<Shape, Error> {
        let count = x.elem_count();
        let failure = || reshape_error(count, extents);
        let unknown = extents.iter().filter(|extent| **extent == -1).count();
        if unknown > 1 {
            return Err(Error::shape_error("can only specify one unknown dimension"));
        }
        if extents.iter().any(|extent| *extent < -1) {
            return Err(Error::shape_error("negative dimensions not allowed"));
        }
        let known = extents
            .iter()
            .filter(|extent| **extent >= 0)
            .try_fold(1usize, |known, extent| known.checked_mul(*extent as usize))
            .ok_or_else(failure)?;
        let rest = if unknown == 0 {
            if known != count {
                return Err(failure());
            }
            0
        } else if known == 0 || !count.is_multiple_of(known) {
            return Err(failure());
        } else {
            count / known
        };
        let shape: Shape = extents
            .iter()
            .map(|extent| if *extent == -1 { rest } else { *extent as usize })
            .collect();
        shape.checked_elem_count()?;
        Ok(shape)
    }
}

fn diagonal_layout(layout: &Layout, offset: i64, axis1: usize, axis2: usize) -> Layout {
    let (rows, columns) = (layout.shape[axis1] as i64, layout.shape[axis2] as i64);
    let (first_row, first_column) = (offset.min(0).saturating_neg(), offset.max(0));
    let len = (rows - first_row).min(columns - first_column).max(0);
    let mut result = layout.clone();
    if len > 0 {
        let start = first_row as isize * layout.strides[axis1]
            + first_column as isize * layout.strides[axis2];
        result.offset = (layout.offset as isize + start) as usize;
    }
    let stride = layout.strides[axis1] + layout.strides[axis2];
    for axis in [axis1.max(axis2), axis1.min(axis2)] {
        result.shape.remove(axis);
        result.strides.remove(axis);
    }
    result.shape.push(len as usize);
    result.strides.push(stride);
    result
}

#[cold]
fn reshape_error(count: usize, extents: &[i64]) -> Error {
    let extent =
        |extent: &i64| if *extent == -1 { "newaxis".to_owned() } else { extent.to_string() };
    let wanted: Vec<String> = extents.iter().map(extent).collect();
    let comma = if extents.len() == 1 { "," } else { "" };
    let message =
        format!("cannot reshape array of size {count} into shape ({}{comma})", wanted.join(","));
    Error::shape_error(message).with_hint("one extent may be -1: it follows from the others")
}
