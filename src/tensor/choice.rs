//! What a mask chooses: values, and places. Computed at once, because its size is known only then.

use super::leaf::{Leaf, Part};
use super::{Engine, Error, Tensor};
use crate::device::Selection;
use crate::dtype::DType;
use crate::layout::Shape;
use crate::memory::Provenance;

/// A mask in memory, counted.
pub(super) struct Choice {
    mask: Leaf,
    selection: Selection,
}

impl Choice {
    /// How many elements it chooses.
    pub(super) fn count(&self) -> usize {
        self.selection.count
    }
}

impl Engine {
    /// The elements of `values` where `mask`, of the same shape, is true, along one axis.
    ///
    /// # Errors
    /// What computing them may bring up; MemoryError.
    pub fn compress(&self, values: &Tensor, mask: &Tensor) -> Result<Tensor, Error> {
        self.chosen(values, &self.choice(mask)?)
    }

    /// The coordinates of the true elements of a bool tensor.
    pub(super) fn positions(&self, mask: &Tensor) -> Result<Vec<Tensor>, Error> {
        self.places_of(&self.choice(mask)?)
    }

    /// What a mask chooses, counted once for all that is chosen by it.
    pub(super) fn choice(&self, mask: &Tensor) -> Result<Choice, Error> {
        let mask = self.leaf_of(mask)?;
        let selection = mask.storage.device().backend().count_true(mask.view())?;
        Ok(Choice { mask, selection })
    }

    /// The values that it chooses of a tensor of the mask's shape.
    pub(super) fn chosen(&self, values: &Tensor, choice: &Choice) -> Result<Tensor, Error> {
        if values.dtype().is_complex() {
            let leaf = self.leaf_of(values)?;
            let part = |part| self.chosen(&Tensor::from_leaf(leaf.part(part)), choice);
            return self.pair(&part(Part::Real)?, &part(Part::Imag)?);
        }
        let Choice { mask, selection } = choice;
        let (from, shape) = (self.leaf_of(values)?, Shape::from([selection.count]));
        let provenance = Provenance::TEMPORARY.by("compress");
        let out = self.fresh(values, &shape, values.dtype(), provenance)?;
        let backend = values.device().backend();
        backend.compress(mask.view(), selection, from.view(), out.view())?;
        Ok(Tensor::from_leaf(out))
    }

    /// The coordinates of what it chooses: an int64 tensor for each axis.
    pub(super) fn places_of(&self, choice: &Choice) -> Result<Vec<Tensor>, Error> {
        let Choice { mask, selection } = choice;
        let (like, shape) = (Tensor::from_leaf(mask.clone()), Shape::from([selection.count]));
        let provenance = Provenance::TEMPORARY.by("nonzero");
        let room = |_| self.fresh(&like, &shape, DType::I64, provenance);
        let outs = (0..mask.layout.rank()).map(room).collect::<Result<Vec<Leaf>, Error>>()?;
        let views: Vec<_> = outs.iter().map(Leaf::view).collect();
        like.device().backend().positions(mask.view(), selection, &views)?;
        Ok(outs.into_iter().map(Tensor::from_leaf).collect())
    }
}
