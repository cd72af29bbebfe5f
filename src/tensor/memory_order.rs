//! The order in which results lie in memory: that of what they are made of, NumPy's `order='K'`.
//!
//! A node's elements are in row-major order of its own shape. Where operands lie otherwise, the node is made over
//! the operands with their axes as memory has them, and what comes back is a view of it.

use std::rc::Rc;

use smallvec::SmallVec;

use super::leaf::Leaf;
use super::moved::View;
use super::node::{Lazy, State};
use super::view::Rearrange;
use super::{Engine, Error, Tensor};
use crate::layout::{Layout, Shape, Strides};

/// A tensor's axes, from the one along which memory is crossed furthest to the one that is dense.
pub(super) type MemoryOrder = SmallVec<[usize; 6]>;

/// The order in which NumPy lays out what it makes of these operands, seen under their common `shape`; `None`
/// where that is row-major.
pub(super) fn memory_order(operands: &[&Tensor], shape: &Shape) -> Option<MemoryOrder> {
    let rank = shape.rank();
    if rank < 2 || operands.iter().all(|operand| lies_by_rows(operand)) || shape.elem_count() < 2 {
        return None;
    }
    if operands.len() <= 2 && operands.iter().all(|operand| lies_by_columns(operand, shape)) {
        // NumPy's loops over what is dense see one axis, so that axes of length one are reversed with the others.
        return Some((0..rank).rev().collect());
    }
    let strides: SmallVec<[Strides; 3]> =
        operands.iter().map(|operand| strides_of(operand, rank)).collect();
    // Whether `slower`, the axis of the two that comes first in row-major order, is crossed by the shorter steps.
    // Operands that differ leave it where it is.
    let moves_less = |slower: usize, faster: usize| -> Option<bool> {
        let steps = strides.iter().map(|strides| (strides[slower], strides[faster]));
        let mut told = steps.filter(|(a, b)| *a != 0 && *b != 0).map(|(a, b)| a.abs() < b.abs());
        let first = told.next()?;
        Some(first && told.all(|less| less))
    };
    // NumPy's insertion, from the last axis to the first: pairs that nothing tells apart are passed by.
    let mut order: MemoryOrder = SmallVec::new();
    for axis in (0..rank).rev() {
        let mut place = order.len();
        for at in (0..order.len()).rev() {
            match moves_less(axis, order[at]) {
                Some(true) => place = at,
                Some(false) => break,
                None => {}
            }
        }
        order.insert(place, axis);
    }
    order.reverse();
    let is_by_rows = order.iter().enumerate().all(|(at, axis)| at == *axis);
    (!is_by_rows).then_some(order)
}

/// Where each axis of an order stands in it.
fn back(order: &[usize]) -> MemoryOrder {
    let mut places = MemoryOrder::from_elem(0, order.len());
    order.iter().enumerate().for_each(|(at, axis)| places[*axis] = at);
    places
}

fn with_layout<R>(x: &Tensor, look: impl FnOnce(&Layout) -> R) -> Option<R> {
    match &*x.0.state.borrow() {
        State::Real(leaf) => Some(look(&leaf.layout)),
        State::Lazy(Lazy::View(view)) => Some(look(&view.layout)),
        State::Lazy(_) => None,
    }
}

/// Whether no axis is crossed by longer steps than one before it.
fn lies_by_rows(x: &Tensor) -> bool {
    let is_falling = |layout: &Layout| {
        let mut least = isize::MAX;
        layout.shape.iter().zip(&layout.strides).all(|(extent, stride)| {
            let stride = if *extent == 1 { 0 } else { stride.abs() };
            let falls = stride <= least;
            if stride != 0 {
                least = stride;
            }
            falls
        })
    };
    x.rank() < 2 || with_layout(x, is_falling).unwrap_or(true)
}

/// Whether it is a number, or its elements lie by columns without holes and are as many as those of `shape`.
fn lies_by_columns(x: &Tensor, shape: &Shape) -> bool {
    let is_dense = |layout: &Layout| {
        let mut expected = 1;
        layout.shape.iter().zip(&layout.strides).all(|(extent, stride)| {
            let is_next = *extent == 1 || *stride == expected;
            expected *= *extent as isize;
            is_next
        })
    };
    x.rank() == 0 || x.shape() == shape && with_layout(x, is_dense).unwrap_or(false)
}

/// How far apart its elements are, or will be, under a shape of `rank` axes; zero along those that it repeats or
/// has one element of.
fn strides_of(x: &Tensor, rank: usize) -> Strides {
    let mut strides = Strides::from_elem(0, rank);
    let mut fill = |layout: &Layout| {
        let added = rank - layout.rank();
        for (axis, extent) in layout.shape.iter().enumerate().filter(|(_, extent)| **extent != 1) {
            debug_assert!(*extent > 0);
            strides[added + axis] = layout.strides[axis];
        }
    };
    if with_layout(x, &mut fill).is_none() {
        fill(&Layout::contiguous(x.shape().clone()));
    }
    strides
}

/// `x` under as many axes as the order has, in that order.
pub(super) fn in_order(engine: &Engine, x: &Tensor, order: &[usize]) -> Tensor {
    if x.rank() == 0 {
        return x.clone();
    }
    let added = order.len() - x.rank();
    let steps = std::iter::repeat_n(Rearrange::ExpandDims(0), added)
        .chain([Rearrange::Permute(order.into())]);
    arranged(engine, x, steps)
}

/// A result that was made in an order, under its own axes.
pub(super) fn from_order(engine: &Engine, made: Tensor, order: &[usize]) -> Tensor {
    if made.elem_count() == 1 {
        // Axes of one element are the same in any order.
        return made;
    }
    arranged(engine, &made, [Rearrange::Permute(back(order))])
}

/// `x` after steps that any layout takes. It is no view of anybody's to those who ask.
fn arranged(engine: &Engine, x: &Tensor, steps: impl IntoIterator<Item = Rearrange>) -> Tensor {
    let takes = "axes are put in another order under any strides";
    if let Some(leaf) = x.leaf() {
        let arrange = |layout: Layout, step: Rearrange| step.apply(&layout).expect(takes);
        let layout = steps.into_iter().fold(leaf.layout.clone(), arrange);
        return Tensor::from_leaf(Leaf { layout, ..leaf });
    }
    let mut view: Option<Rc<View>> = None;
    for step in steps {
        view = match (&view, x.lazy()) {
            (Some(view), _) => view.then(&step),
            (None, Some(Lazy::View(view))) => view.then(&step),
            (None, _) => View::of(x, &step),
        };
        debug_assert!(view.is_some(), "{takes}");
    }
    let Some(view) = view else { return x.clone() };
    let is_base = view.layout.shape == *view.base.shape()
        && view.layout.offset == 0
        && view.layout.is_contiguous();
    if is_base { view.base.clone() } else { engine.view_of(view) }
}

impl Engine {
    /// What `make` makes of `shape`, its axes in memory in the order that those of `x` have, where both have as many.
    ///
    /// # Errors
    /// Those of `make`.
    pub fn made_as_it_lies(
        &self,
        x: &Tensor,
        shape: &Shape,
        make: impl FnOnce(&Shape) -> Result<Tensor, Error>,
    ) -> Result<Tensor, Error> {
        let order = (x.rank() == shape.rank()).then(|| memory_order(&[x], x.shape())).flatten();
        match order {
            None => make(shape),
            Some(order) => {
                let made = make(&order.iter().map(|axis| shape[*axis]).collect())?;
                Ok(from_order(self, made, &order))
            }
        }
    }

    /// The same elements in memory of their own, in the order in which they lie: NumPy's `copy(order='K')`.
    ///
    /// # Errors
    /// As [`Engine::copy`].
    pub fn copy_as_it_lies(&self, x: &Tensor) -> Result<Tensor, Error> {
        match memory_order(&[x], x.shape()) {
            None => self.copy(x),
            Some(order) => {
                let copy = self.copy(&in_order(self, x, &order))?;
                Ok(from_order(self, copy, &order))
            }
        }
    }
}
