//! Reading through an index: masks become places, the geometry is resolved, and the result is a
//! view or a lazy gather.

use smallvec::SmallVec;

use super::node::{GatherIndex, Leaf};
use super::{Engine, Error, Tensor};
use crate::dtype::DType;
use crate::layout::{IndexPart, IndexPlan, Layout, Shape, Slice};

/// One part of an index, as the user wrote it.
#[derive(Debug, Clone)]
pub enum IndexItem {
    Int(i64),
    Slice(Slice),
    NewAxis,
    Ellipsis,
    /// Integers, or a mask.
    Tensor(Tensor),
}

/// An index resolved against a tensor: the geometry, and the integer arrays in the order of
/// `plan.gathered`.
#[derive(Debug, Clone)]
pub struct Indexing {
    pub plan: IndexPlan,
    pub(super) arrays: Vec<Tensor>,
}

impl Engine {
    /// The elements that an index means: a view where it is basic, else a lazy copy.
    ///
    /// # Errors
    /// IndexError in NumPy's words. Values of index arrays are checked when the result is computed.
    pub fn index(&self, x: &Tensor, items: &[IndexItem]) -> Result<Tensor, Error> {
        if let [IndexItem::Tensor(mask)] = items
            && is_whole_mask(mask, x)
        {
            let same = self.same_place(mask, x)?;
            return self.compress(x, &same);
        }
        let lazy_basic = items.iter().all(|item| !matches!(item, IndexItem::Tensor(_)));
        if lazy_basic && x.leaf().is_none() {
            return self.index_lazy(x, items);
        }
        let leaf = self.leaf_of(x)?;
        let indexing = self.resolve(&leaf.layout, items)?;
        let plan = indexing.plan;
        if plan.gathered.is_empty() && plan.index_shape.rank() == 0 {
            return Ok(Tensor::from_leaf(Leaf { storage: leaf.storage, layout: plan.layout }));
        }
        let behind = plan.layout.rank() - plan.index_axes.end;
        let mut indices: SmallVec<[GatherIndex; 2]> = SmallVec::new();
        for (axis, array) in plan.gathered.iter().zip(&indexing.arrays) {
            let array = self.same_place(array, x)?;
            if plan.layout.elem_count() == 0 && plan.index_shape.elem_count() > 0 {
                check_bounds(self, &array, axis.axis, axis.extent)?;
            }
            indices.push(GatherIndex {
                index: self.spread(&array, behind)?,
                axis: axis.axis as u8,
                extent: axis.extent,
                stride: axis.stride,
            });
        }
        self.gather(x, plan.layout, indices)
    }

    /// How an index will be carried out, for `:explain`.
    ///
    /// # Errors
    /// As [`Engine::index`].
    pub fn explain_index(&self, x: &Tensor, items: &[IndexItem]) -> Result<IndexPlan, Error> {
        let base = match x.leaf() {
            Some(leaf) => leaf.layout,
            None => Layout::contiguous(x.shape().clone()),
        };
        let has_mask = |item: &IndexItem| matches!(item, IndexItem::Tensor(t) if t.dtype() == DType::Bool && t.rank() > 0);
        let indexing = self.resolve(&base, items)?;
        let mut plan = indexing.plan;
        plan.needs_mask_compaction = items.iter().any(has_mask);
        let places = plan.index_shape.elem_count() * plan.gathered.len();
        plan.temp_bytes = if plan.needs_mask_compaction { places * DType::I64.size() } else { 0 };
        Ok(plan)
    }

    /// Resolves an index against a layout; masks are turned into places, which computes them.
    pub(super) fn resolve(&self, base: &Layout, items: &[IndexItem]) -> Result<Indexing, Error> {
        let mut parts: Vec<IndexPart> = Vec::with_capacity(items.len());
        let mut arrays: Vec<Tensor> = Vec::new();
        let consumed: usize = items.iter().map(axes_consumed).sum();
        if consumed > base.rank() {
            return Err(crate::layout::Error::TooManyIndices {
                rank: base.rank(),
                indices: consumed,
            }
            .into());
        }
        let missing = base.rank() - consumed;
        let mut axis = 0;
        for item in items {
            match item {
                IndexItem::Int(index) => parts.push(IndexPart::Int(*index)),
                IndexItem::Slice(slice) => parts.push(IndexPart::Slice(*slice)),
                IndexItem::NewAxis => parts.push(IndexPart::NewAxis),
                IndexItem::Ellipsis => parts.push(IndexPart::Ellipsis),
                IndexItem::Tensor(tensor)
                    if tensor.dtype() == DType::Bool && tensor.rank() == 0 =>
                {
                    parts.push(IndexPart::Flag(self.item(tensor)?.as_bool()));
                }
                IndexItem::Tensor(mask) if mask.dtype() == DType::Bool => {
                    check_mask(mask.shape(), &base.shape, axis)?;
                    for places in self.positions(mask)? {
                        parts.push(IndexPart::Array(places.shape().clone()));
                        arrays.push(places);
                    }
                }
                IndexItem::Tensor(tensor) if tensor.dtype().is_integer() => {
                    parts.push(IndexPart::Array(tensor.shape().clone()));
                    arrays.push(self.cast(tensor, DType::I64)?);
                }
                IndexItem::Tensor(_) => {
                    return Err(Error::index_error(
                        "arrays used as indices must be of integer (or boolean) type",
                    )
                    .with_hint("convert it first: `i.astype(int)`"));
                }
            }
            axis += if matches!(item, IndexItem::Ellipsis) { missing } else { axes_consumed(item) };
        }
        let plan = IndexPlan::new(base, &parts)?;
        Ok(Indexing { plan, arrays })
    }

    /// The array as index of a result that has `behind` axes after the index axes.
    pub(super) fn spread(&self, array: &Tensor, behind: usize) -> Result<Tensor, Error> {
        let ends: Vec<i64> = (0..behind).map(|axis| (array.rank() + axis) as i64).collect();
        self.expand_dims(array, &ends)
    }

    pub(super) fn same_place(&self, index: &Tensor, x: &Tensor) -> Result<Tensor, Error> {
        // NumPy's lists and Python numbers have no device: an index made on the current device
        // follows the tensor that it indexes.
        self.to_device(index, x.device())
    }

    /// Basic indexing of what is no leaf yet, as views, so that only what is asked for is computed.
    fn index_lazy(&self, x: &Tensor, items: &[IndexItem]) -> Result<Tensor, Error> {
        use super::view::Rearrange;
        // The plan finds every error, and says where the steps below lead.
        self.resolve(&Layout::contiguous(x.shape().clone()), items)?;
        let consumed: usize = items.iter().map(axes_consumed).sum();
        let missing = x.rank() - consumed;
        let (mut result, mut axis) = (x.clone(), 0);
        for item in items {
            let extent = result.shape().get(axis).copied().unwrap_or(0);
            let step = match item {
                IndexItem::Int(index) => {
                    let index = if *index < 0 { index + extent as i64 } else { *index };
                    Rearrange::Select { axis, index: index as usize }
                }
                IndexItem::Slice(slice) => {
                    let (start, len, step) = slice.resolve(extent)?;
                    Rearrange::Narrow { axis, start, len, step }
                }
                IndexItem::NewAxis => Rearrange::ExpandDims(axis),
                IndexItem::Ellipsis => {
                    axis += missing;
                    continue;
                }
                IndexItem::Tensor(_) => unreachable!("the caller found no arrays"),
            };
            axis += usize::from(!matches!(item, IndexItem::Int(_)));
            result = self.rearrange(&result, step)?;
        }
        Ok(result)
    }
}

/// Whether indexing by `mask` alone selects single elements.
pub(super) fn is_whole_mask(mask: &Tensor, x: &Tensor) -> bool {
    mask.dtype() == DType::Bool && mask.rank() > 0 && mask.shape() == x.shape()
}

fn axes_consumed(item: &IndexItem) -> usize {
    match item {
        IndexItem::Int(_) | IndexItem::Slice(_) => 1,
        IndexItem::NewAxis | IndexItem::Ellipsis => 0,
        IndexItem::Tensor(tensor) if tensor.dtype() == DType::Bool => tensor.rank(),
        IndexItem::Tensor(_) => 1,
    }
}

fn check_mask(mask: &Shape, base: &Shape, axis: usize) -> Result<(), Error> {
    match (0..mask.rank()).find(|at| mask[*at] != base[axis + at]) {
        None => Ok(()),
        Some(at) => Err(Error::index_error(format!(
            "boolean index did not match indexed array along axis {}; size of axis is {} but size of corresponding boolean axis is {}",
            axis + at,
            base[axis + at],
            mask[at],
        ))),
    }
}

/// Where the result has no elements, no read would find a wrong index; NumPy finds it.
pub(super) fn check_bounds(
    engine: &Engine,
    index: &Tensor,
    axis: usize,
    extent: usize,
) -> Result<(), Error> {
    if index.elem_count() == 0 {
        return Ok(());
    }
    let (low, high) = engine.range_of(index)?;
    for value in [low.as_i64(), high.as_i64()] {
        if !(-(extent as i64)..extent as i64).contains(&value) {
            let cause = super::ErrorCause::IndexOutOfBounds { value, axis, size: extent };
            return Err(Error { cause, origin: None });
        }
    }
    Ok(())
}
