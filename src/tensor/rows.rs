//! Rows of a computed tensor as views, for loops: a view that nobody else holds moves from row to row.

use std::rc::Rc;
use std::sync::Arc;

use smallvec::SmallVec;

use super::leaf::Leaf;
use super::node::State;
use super::{Engine, Origin, Tensor};
use crate::layout::Layout;

impl Engine {
    /// What stands at an index of the first axis of several, as a view. `None` where there is no such row, or where the
    /// tensor is lazy: on the host it is computed as a whole when a second row is asked for.
    pub fn row(&self, x: &Tensor, at: i64) -> Option<Tensor> {
        if !x.is_realized() && x.device().is_host() && x.0.is_asked.replace(true) {
            // What fails says so where the row is computed.
            self.realize(&[x]).ok()?;
        }
        let State::Real(leaf) = &*x.0.state.borrow() else { return None };
        let offset = start(leaf, at)?;
        let shape = leaf.layout.shape[1..].iter().copied().collect();
        let strides = SmallVec::from_slice(&leaf.layout.strides[1..]);
        let view = Tensor::from_leaf(leaf.with(Layout { shape, strides, offset }));
        Some(view.permitted_as(x))
    }

    /// Makes a view the one at that index, where it is another row of the same tensor and nobody else holds it;
    /// whether it was.
    pub fn renew_row(&self, view: &mut Tensor, x: &Tensor, at: i64) -> bool {
        let State::Real(leaf) = &*x.0.state.borrow() else { return false };
        let Some(offset) = start(leaf, at) else { return false };
        let owner = x.0.owner.address().unwrap_or(Rc::as_ptr(&x.0));
        let Some(node) = Rc::get_mut(&mut view.0) else { return false };
        if node.owner.address() != Some(owner)
            || node.permission.get() != x.permission().of_view()
            || node.views.get() > 0
        {
            return false;
        }
        let State::Real(own) = node.state.get_mut() else { return false };
        let is_row = own.dtype == leaf.dtype
            && Arc::ptr_eq(&own.storage, &leaf.storage)
            && own.layout.shape[..] == leaf.layout.shape[1..]
            && own.layout.strides[..] == leaf.layout.strides[1..];
        if is_row {
            own.layout.offset = offset;
            node.origin = Origin::default();
        }
        is_row
    }
}

/// Where the row begins in the storage.
#[inline]
fn start(leaf: &Leaf, at: i64) -> Option<usize> {
    let (extents, strides) = (&*leaf.layout.shape, leaf.layout.strides.as_slice());
    let ([extent, _, ..], [stride, ..]) = (extents, strides) else { return None };
    let extent = *extent as i64;
    let at = if at < 0 { at + extent } else { at };
    let start = leaf.layout.offset as isize + at as isize * stride;
    (0..extent).contains(&at).then_some(start as usize)
}
