//! What a program with reductions runs over, and which reductions have a part in it.

use smallvec::SmallVec;

use super::Tensor;
use super::node::{Lazy, State};
use super::schedule::MAX_NODES;
use crate::layout::{Layout, Shape};

/// The shape over which a program's reductions run, and the axes that they fold.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Anchor {
    pub shape: Shape,
    pub axes: SmallVec<[u8; 4]>,
    /// The axis of the anchor's shape that each axis of the root is, where the root has one value
    /// a row; `None` where the root has the anchor's own shape.
    pub rows: Option<SmallVec<[Option<u8>; 6]>>,
}

/// Whether a node is looked at per element of the anchor's shape or per row of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Per {
    Element,
    Row,
}

impl Anchor {
    pub fn is_folded(&self, axis: usize) -> bool {
        self.axes.contains(&(axis as u8))
    }

    /// Whether a view of a reduction's result, broadcast to the root, gives each row its own value.
    fn is_aligned(&self, view: &Layout, root: &Shape, per: Per) -> bool {
        let Ok(view) = view.broadcast_to(root) else { return false };
        let strides = self.result_strides();
        view.offset == 0
            && (0..root.rank()).filter(|axis| root[*axis] > 1).all(|axis| {
                let expected = match (per, &self.rows) {
                    (Per::Element, _) => strides[axis],
                    (Per::Row, Some(rows)) => rows[axis].map_or(0, |axis| strides[axis as usize]),
                    (Per::Row, None) => return false,
                };
                view.strides[axis] == expected
            })
    }

    /// The strides of a reduction's row-major result along the anchor's axes: zero along folded
    /// ones.
    fn result_strides(&self) -> SmallVec<[isize; 6]> {
        let mut stride = 1;
        let mut strides = SmallVec::from_elem(0, self.shape.rank());
        for axis in (0..self.shape.rank()).rev() {
            if !self.is_folded(axis) {
                strides[axis] = stride;
                stride *= self.shape[axis] as isize;
            }
        }
        strides
    }
}

/// The reduction whose result `tensor` is, as it is or through a view that gives each row its own
/// value, if a program of this anchor can hold it. `shape` is what nodes looked at `per` element or
/// row broadcast to.
pub(super) fn reduction_behind(
    anchor: &Anchor,
    shape: &Shape,
    tensor: &Tensor,
    per: Per,
) -> Option<Tensor> {
    let fits = |base: &Tensor, view: &Layout| {
        let folds_it = |lazy: &Lazy| match lazy {
            Lazy::Reduce { operand, axes, .. } => {
                Some(*operand.shape() == anchor.shape && *axes == anchor.axes)
            }
            _ => None,
        };
        base.with_lazy(folds_it) == Some(true) && anchor.is_aligned(view, shape, per)
    };
    tensor.with_lazy(|lazy| match lazy {
        Lazy::Reduce { .. } => {
            let whole = Layout::contiguous(tensor.shape().clone());
            fits(tensor, &whole).then(|| tensor.clone())
        }
        Lazy::View(view) => fits(&view.base, &view.layout).then(|| view.base.clone()),
        _ => None,
    })
}

/// The first reduction below elementwise nodes that the root can be computed along with.
pub(super) fn find_anchor(root: &Tensor) -> Option<Anchor> {
    let mut stack: SmallVec<[Tensor; 8]> = SmallVec::from_elem(root.clone(), 1);
    let mut looked_at = 0;
    while let Some(tensor) = stack.pop() {
        looked_at += 1;
        if looked_at > MAX_NODES {
            return None;
        }
        let state = tensor.0.state.borrow();
        let State::Lazy(lazy) = &*state else { continue };
        match lazy {
            Lazy::Map { operands, .. } => stack.extend(operands.iter().rev().cloned()),
            Lazy::Reduce { .. } => {
                let layout = Layout::contiguous(tensor.shape().clone());
                if let Some(anchor) = anchor_of(&tensor, &layout, root.shape()) {
                    return Some(anchor);
                }
            }
            Lazy::View(view) => {
                if let Some(anchor) = anchor_of(&view.base, &view.layout, root.shape()) {
                    return Some(anchor);
                }
                stack.extend(view.moved());
            }
            _ => {}
        }
    }
    None
}

/// The anchor that a reduction makes, seen through `view`, for a root of shape `root`.
fn anchor_of(reduction: &Tensor, view: &Layout, root: &Shape) -> Option<Anchor> {
    let whole = reduction.with_lazy(|lazy| match lazy {
        Lazy::Reduce { operand, axes, .. } => {
            let (shape, axes) = (operand.shape().clone(), SmallVec::from_slice(axes));
            Some(Anchor { shape, axes, rows: None })
        }
        _ => None,
    })?;
    if *root == whole.shape && whole.is_aligned(view, root, Per::Element) {
        return Some(whole);
    }
    // One value a row: every longer axis of the root must be one kept axis, all in order.
    let strides = whole.result_strides();
    let view = view.broadcast_to(root).ok()?;
    let mut rows: SmallVec<[Option<u8>; 6]> = SmallVec::from_elem(None, root.rank());
    let mut next = 0;
    for axis in (0..root.rank()).filter(|axis| root[*axis] > 1) {
        let found = (next..whole.shape.rank()).find(|kept| {
            !whole.is_folded(*kept)
                && whole.shape[*kept] == root[axis]
                && strides[*kept] == view.strides[axis]
        })?;
        rows[axis] = Some(found as u8);
        next = found + 1;
    }
    let kept = (0..whole.shape.rank()).filter(|axis| !whole.is_folded(*axis));
    let rows_count: usize = kept.map(|axis| whole.shape[axis]).product();
    let complete = rows_count == root.elem_count() && rows_count > 0 && view.offset == 0;
    complete.then_some(Anchor { rows: Some(rows), ..whole })
}
