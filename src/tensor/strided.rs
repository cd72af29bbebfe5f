//! Views of memory by strides of the caller's.

use smallvec::SmallVec;

use super::leaf::Leaf;
use super::{Engine, Error, Tensor};
use crate::layout::{Layout, Shape};

impl Engine {
    /// A view of the memory behind `x` under any shape, whose element at an index is as far behind x's
    /// first as the strides say, in elements. Elements that several indices share are read, and not written.
    ///
    /// # Errors
    /// ValueError where shape and strides differ in length or the view reaches beyond that memory, and what
    /// computing `x` brings up.
    pub fn as_strided(&self, x: &Tensor, shape: Shape, strides: &[i64]) -> Result<Tensor, Error> {
        if shape.rank() != strides.len() {
            return Err(Error::value_error("mismatch in length of strides and shape"));
        }
        let leaf = self.leaf_of(x)?;
        let beyond = || {
            let words = "as_strided: the view would reach beyond the array's memory";
            Error::value_error(words)
        };
        let is_empty = shape.checked_elem_count()? == 0;
        let (mut low, mut high) = (leaf.layout.offset as i128, leaf.layout.offset as i128);
        for (extent, stride) in shape.iter().zip(strides).filter(|_| !is_empty) {
            let reach = (*extent as i128 - 1) * i128::from(*stride);
            low += reach.min(0);
            high += reach.max(0);
        }
        if low < 0 || !is_empty && high >= leaf.storage.len() as i128 {
            return Err(beyond());
        }
        let strides: SmallVec<[isize; 6]> = strides.iter().map(|stride| *stride as isize).collect();
        let layout = Layout { shape, strides, offset: leaf.layout.offset };
        Ok(Tensor::from_leaf(Leaf { layout, ..leaf }).permitted_as(x))
    }
}
