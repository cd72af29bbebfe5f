//! Reading through an index: masks become places, the geometry is resolved, and the result is a
//! view or a lazy gather.

use smallvec::SmallVec;

use super::node::{GatherIndex, State};
use super::{BinaryOp, Engine, Error, ErrorCause, Origin, Tensor};
use crate::dtype::{DType, Scalar};
use crate::layout::{self, GatheredAxis, IndexKind, IndexPart, IndexPlan, Layout, Shape, Slice};

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

impl IndexItem {
    /// The part as geometry knows it; an array has its shape only.
    pub(super) fn part(&self) -> IndexPart {
        match self {
            IndexItem::Int(at) => IndexPart::Int(*at),
            IndexItem::Slice(slice) => IndexPart::Slice(*slice),
            IndexItem::NewAxis => IndexPart::NewAxis,
            IndexItem::Ellipsis => IndexPart::Ellipsis,
            IndexItem::Tensor(tensor) => IndexPart::Array(tensor.shape().clone()),
        }
    }
}

impl Engine {
    /// The elements that an index means: a view where it is basic, else a lazy copy.
    ///
    /// # Errors
    /// IndexError in NumPy's words. Values of index arrays are checked when the result is computed.
    pub fn index(&self, x: &Tensor, items: &[IndexItem]) -> Result<Tensor, Error> {
        self.index_at(x, items, &[])
    }

    /// As [`Engine::index`], for a caller that knows where each part of the index stands: a value
    /// that turns out to be out of bounds is about its part.
    ///
    /// # Errors
    /// As [`Engine::index`].
    pub fn index_at(
        &self,
        x: &Tensor,
        items: &[IndexItem],
        origins: &[Origin],
    ) -> Result<Tensor, Error> {
        if let [IndexItem::Tensor(mask)] = items
            && is_whole_mask(mask, x)
        {
            let same = self.same_place(mask, x)?;
            return self.compress(x, &same);
        }
        if x.is_scalar() && items.iter().map(axes_consumed).sum::<usize>() > 0 {
            return Err(Error::index_error("invalid index to scalar variable.")
                .with_hint("it is one number and has no axes"));
        }
        let lazy_basic = items.iter().all(|item| !matches!(item, IndexItem::Tensor(_)));
        if lazy_basic && x.leaf().is_none() {
            return self.index_lazy(x, items);
        }
        if let Some(view) = self.view(x, items) {
            return Ok(view);
        }
        let leaf = self.leaf_of(x)?;
        let indexing = self.resolve(&leaf.layout, items)?;
        let plan = indexing.plan;
        if plan.gathered.is_empty() && plan.index_shape.rank() == 0 {
            let part = Tensor::from_leaf(leaf.with(plan.layout));
            return Ok(part.permitted_as(x));
        }
        let behind = plan.layout.rank() - plan.index_axes.end;
        let mut indices: SmallVec<[GatherIndex; 2]> = SmallVec::new();
        for (axis, array) in plan.gathered.iter().zip(&indexing.arrays) {
            let array = self.same_place(array, x)?;
            if plan.layout.elem_count() == 0 && plan.index_shape.elem_count() > 0 {
                check_bounds(self, &array, axis)?;
            }
            indices.push(GatherIndex {
                index: self.spread(&array, behind)?,
                axis: axis.axis as u8,
                extent: axis.extent,
                stride: axis.stride,
                origin: origins.get(axis.part).copied().unwrap_or(self.origin.get()),
                part: axis.part as u8,
            });
        }
        self.gather(x, plan.layout, indices)
    }

    /// The view that an index without arrays means of computed elements; `None` where it is another
    /// index, or wrong.
    pub fn view(&self, x: &Tensor, items: &[IndexItem]) -> Option<Tensor> {
        let State::Real(leaf) = &*x.0.state.borrow() else { return None };
        let layout = leaf.layout.basic(items.iter().map(IndexItem::part))?;
        let part = Tensor::from_leaf(leaf.with(layout));
        Some(part.permitted_as(x))
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
        if matches!(items, [IndexItem::Tensor(mask)] if is_whole_mask(mask, x)) {
            plan.kind = IndexKind::Compact;
        }
        plan.needs_mask_compaction = items.iter().any(has_mask);
        let places = plan.index_shape.elem_count() * plan.gathered.len();
        plan.temp_bytes = if plan.needs_mask_compaction { places * DType::I64.size() } else { 0 };
        Ok(plan)
    }

    /// Resolves an index against a layout; masks are turned into places, which computes them.
    pub(super) fn resolve(&self, base: &Layout, items: &[IndexItem]) -> Result<Indexing, Error> {
        let mut parts: Vec<IndexPart> = Vec::with_capacity(items.len());
        // The item that each part comes from: a mask of several axes becomes several parts.
        let mut owners: SmallVec<[usize; 4]> = SmallVec::new();
        let mut arrays: Vec<Tensor> = Vec::new();
        let consumed: usize = items.iter().map(axes_consumed).sum();
        let mut axis = 0;
        for (part, item) in items.iter().enumerate() {
            axis += axes_consumed(item);
            if axis > base.rank() {
                let (rank, indices) = (base.rank(), consumed);
                return Err(layout::Error::TooManyIndices { rank, indices, part }.into());
            }
        }
        let missing = base.rank() - consumed;
        axis = 0;
        for (part, item) in items.iter().enumerate() {
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
                    check_mask(mask.shape(), &base.shape, axis, part)?;
                    for places in self.positions(mask)? {
                        parts.push(IndexPart::Array(places.shape().clone()));
                        arrays.push(places);
                    }
                }
                IndexItem::Tensor(tensor) if tensor.dtype().is_integer() => {
                    parts.push(IndexPart::Array(tensor.shape().clone()));
                    arrays.push(self.index_array(tensor)?);
                }
                IndexItem::Tensor(_) => return Err(layout::Error::IndexType { part }.into()),
            }
            owners.resize(parts.len(), part);
            axis += if matches!(item, IndexItem::Ellipsis) { missing } else { axes_consumed(item) };
        }
        let owner = |part: usize| owners.get(part).copied().unwrap_or(part);
        let mut plan = IndexPlan::new(base, &parts).map_err(|error| error.with_part(owner))?;
        plan.gathered.iter_mut().for_each(|axis| axis.part = owner(axis.part));
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

/// A side of a mask may also be 0, as in NumPy: then nothing is selected.
fn check_mask(mask: &Shape, base: &Shape, axis: usize, part: usize) -> Result<(), Error> {
    match (0..mask.rank()).find(|at| mask[*at] != base[axis + at] && mask[*at] != 0) {
        None => Ok(()),
        Some(at) => {
            let (extent, found, axis) = (base[axis + at], mask[at], axis + at);
            Err(layout::Error::MaskShape { axis, extent, found, part }.into())
        }
    }
}

impl Engine {
    /// Indices as int64, of which no wrong one becomes a right one.
    pub fn index_array(&self, indices: &Tensor) -> Result<Tensor, Error> {
        let indices = match indices.dtype() {
            DType::U64 => &self.binary(BinaryOp::Min, indices, Scalar::Int(i64::MAX))?,
            _ => indices,
        };
        self.cast(indices, DType::I64)
    }
}

/// Where the result has no elements, no read would find a wrong index; NumPy finds it.
pub(super) fn check_bounds(
    engine: &Engine,
    index: &Tensor,
    reached: &GatheredAxis,
) -> Result<(), Error> {
    if index.elem_count() == 0 {
        return Ok(());
    }
    let &GatheredAxis { axis, part, extent: size, .. } = reached;
    let (low, high) = engine.range_of(index)?;
    for value in [low.as_i64(), high.as_i64()] {
        if !(-(size as i64)..size as i64).contains(&value) {
            let cause = ErrorCause::IndexOutOfBounds { value, axis, size, part };
            return Err(Error { cause, origin: None });
        }
    }
    Ok(())
}
