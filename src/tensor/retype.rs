//! The same bytes as elements of another type.

use super::leaf::Leaf;
use super::view::Rearrange;
use super::{CompareOp, Engine, Error, Permission, Tensor};
use crate::device::Storage;
use crate::dtype::{DType, Scalar};

impl Engine {
    /// The same memory as another type, by NumPy's rules: where the sizes differ, the last axis gets shorter or
    /// longer. A kernel takes it for granted that a bool is a byte of 0 or 1, so that what shows bools as another
    /// type is read-only, and bools that another type's bytes are come as a copy.
    ///
    /// # Errors
    /// ValueError where elements do not stand side by side, do not come out even, or would not lie at multiples of
    /// their size, and for bytes that are no bools; what computing the tensor may bring up.
    pub fn view_as(&self, x: &Tensor, dtype: DType) -> Result<Tensor, Error> {
        let from = x.dtype();
        if from == dtype {
            return self.rearrange(x, Rearrange::Permute((0..x.rank()).collect()));
        }
        if dtype == DType::Bool {
            return self.bools_in(x);
        }
        let mut leaf = self.leaf_of(x)?;
        let (old, new) = (from.size(), dtype.size());
        if old != new {
            self.resize_last_axis(&mut leaf, old, new)?;
        }
        let layout = &mut leaf.layout;
        // The last axis comes out even, as was seen to.
        let others = layout.rank() - usize::from(old != new);
        let mut steps = layout.strides.iter().zip(layout.shape.iter()).take(others);
        let lies_even = (layout.offset * old).is_multiple_of(new)
            && steps.all(|(step, extent)| {
                *extent < 2 || (step.unsigned_abs() * old).is_multiple_of(new)
            });
        if !lies_even && layout.shape.elem_count() > 0 {
            let words =
                format!("elements of {dtype} lie at multiples of {new} bytes of their memory");
            return Err(Error::value_error(words).with_hint("view a copy: `x.copy()`"));
        }
        layout.offset = layout.offset * old / new;
        for step in &mut layout.strides {
            *step = *step * old as isize / new as isize;
        }
        if let Some(last) = layout.strides.last_mut().filter(|_| old != new) {
            *last = 1;
        }
        leaf.storage = Storage::viewed(&leaf.storage, dtype.part());
        leaf.dtype = dtype;
        let view = Tensor::from_leaf(leaf);
        match from {
            DType::Bool => Ok(view.with_permission(Permission::Bools).owned_as(x)),
            _ => Ok(view.permitted_as(x)),
        }
    }

    fn resize_last_axis(&self, leaf: &mut Leaf, old: usize, new: usize) -> Result<(), Error> {
        let layout = &mut leaf.layout;
        let Some(last) = layout.rank().checked_sub(1) else {
            let words =
                "Changing the dtype of a 0d array is only supported if the itemsize is unchanged";
            return Err(Error::value_error(words));
        };
        let extent = layout.shape[last];
        if layout.strides[last] != 1 && extent != 1 && layout.shape.elem_count() > 0 {
            let words =
                "To change to a dtype of a different size, the last axis must be contiguous";
            return Err(Error::value_error(words));
        }
        if !(extent * old).is_multiple_of(new) {
            let words = "When changing to a larger dtype, its size must be a divisor of the total \
                         size in bytes of the last axis of the array.";
            return Err(Error::value_error(words));
        }
        layout.shape[last] = extent * old / new;
        Ok(())
    }

    fn bools_in(&self, x: &Tensor) -> Result<Tensor, Error> {
        let bytes = self.view_as(x, DType::U8)?;
        let one =
            self.constant_on(x.device().clone(), Default::default(), Scalar::Int(1), DType::U8);
        let wrong = self.compare(CompareOp::Gt, &bytes, &one)?;
        if self.any_true(&wrong)? {
            let words = "a bool is a byte that is 0 or 1, and there are others";
            return Err(Error::value_error(words).with_hint("`x != 0` makes bools of numbers"));
        }
        Ok(self.cast(&bytes, DType::Bool)?.with_permission(Permission::Bools))
    }
}
