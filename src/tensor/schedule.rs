//! Which nodes become one program.
//!
//! The program of a root takes in, in this order of the rules:
//! 1. Elementwise nodes below it, through shared ones too: each is computed once a point. A view
//!    of such nodes is moved down to their operands.
//! 2. Constants and coordinates.
//! 3. Reads of leaves under any layout, and reads at computed indices of a leaf.
//! 4. Reductions that all fold the same axes of the same shape (the *anchor* is the first one
//!    found), where the root has either that shape or the shape of its rows.
//!
//! Everything else below the root is computed first and is a leaf then. A reduction is taken in
//! where its result is used again at each element, which makes a row program; so softmax and
//! variance are one program each.

use std::rc::Rc;
use std::sync::Arc;

use smallvec::SmallVec;

use super::anchor::{Anchor, Per, find_anchor, reduction_behind};
use super::leaf::Leaf;
use super::moved::View;
use super::node::{Lazy, State};
use super::plan::Key;
use super::{Engine, Error, Tensor};
use crate::dtype::DType;
use crate::ir::MapOp;
use crate::layout::{Layout, Shape};

/// A piece with more nodes than this is cut: programs stay small enough to keep their registers in
/// cache.
pub(super) const MAX_NODES: usize = 96;

/// A walk over the piece of graph that becomes one program: it computes what can't be part of it,
/// and describes the rest in a key.
pub(super) struct Walk<'e> {
    engine: &'e Engine,
    pass: u32,
    pub anchor: Option<Anchor>,
    root_shape: Shape,
    pub key: Key,
    pub leaves: SmallVec<[Leaf; 4]>,
    /// The leaves that are read at the point itself, each with the number of its node.
    plain: SmallVec<[(u16, u16); 4]>,
    /// Every node in the order of the walk.
    pub nodes: SmallVec<[(Tensor, Per); 16]>,
    /// How often the walk came by each of them.
    visits: SmallVec<[u16; 16]>,
    /// The numbers that are constants of the program.
    numbers: SmallVec<[Number; 4]>,
    /// Whether some instruction may end the launch with an error.
    pub can_fail: bool,
    /// Whether what the result is written over is needed if the launch does not come to its end.
    pub must_end: bool,
    /// Whether a node was computed on the way: it may have been described as lazy before.
    is_stale: bool,
}

/// A number among the nodes of a walk.
struct Number {
    node: usize,
    /// Where the key says its value, in three words.
    key: usize,
    per: Per,
    /// The leaves before it.
    leaves: usize,
}

impl<'e> Walk<'e> {
    /// Walks the piece below `roots`, seen under `shape`, to which they broadcast. Several roots
    /// must have equal anchors.
    pub fn new(engine: &'e Engine, roots: &[&Tensor], shape: &Shape) -> Result<Walk<'e>, Error> {
        loop {
            let whole = |root: &&&Tensor| root.shape() == shape;
            let anchor = roots.iter().find(whole).and_then(|root| find_anchor(root));
            let mut walk = Walk {
                engine,
                pass: engine.next_pass(),
                anchor,
                root_shape: shape.clone(),
                key: engine.spare_key.take(),
                leaves: SmallVec::new(),
                plain: SmallVec::new(),
                nodes: SmallVec::new(),
                visits: SmallVec::new(),
                numbers: SmallVec::new(),
                can_fail: false,
                must_end: false,
                is_stale: false,
            };
            walk.push_shape(shape);
            walk.push_anchor();
            for root in roots {
                walk.visit(root, walk.root_per())?;
            }
            if !walk.is_stale {
                return Ok(walk);
            }
        }
    }

    /// A leaf that nothing but this piece of graph holds, and whose memory the root of `shape` and
    /// `dtype` can take over: each element is read where the result is written, so the program may
    /// run in place.
    pub fn reusable(&self, shape: &Shape, dtype: DType) -> Option<&Leaf> {
        if self.can_fail || self.root_per() == Per::Row {
            return None;
        }
        let whole = Layout::contiguous(shape.clone());
        // Nobody but the nodes above and this walk holds a node of the piece, the root aside: else
        // it may be computed again.
        let is_ours =
            |at: usize| Rc::strong_count(&self.nodes[at].0.0) <= 1 + usize::from(self.visits[at]);
        if !(1..self.nodes.len()).all(|at| self.nodes[at].0.is_realized() || is_ours(at)) {
            return None;
        }
        let is_dying = |(_, node): &&(u16, u16)| *node > 0 && is_ours(*node as usize);
        self.plain.iter().filter(is_dying).map(|(leaf, _)| &self.leaves[*leaf as usize]).find(
            |leaf| {
                let elsewhere = |other: &&Leaf| other.storage.is_with(&leaf.storage);
                leaf.layout == whole
                && leaf.dtype == dtype
                && leaf.has_all_of(shape.elem_count())
                // One count is the node's own, one is this walk's.
                && Arc::strong_count(&leaf.storage) == 2
                && self.leaves.iter().filter(elsewhere).count() == 1
            },
        )
    }

    /// Whether nothing may be written to `target` before everything was read and checked: the
    /// launch may fail, or it reads other elements of the storage that it writes.
    pub fn needs_copy_before(&self, target: &Leaf) -> bool {
        let is_shifted = |leaf: &Leaf| {
            leaf.storage.is_with(&target.storage)
                && (leaf.layout != target.layout || leaf.dtype != target.dtype)
        };
        self.can_fail || self.leaves.iter().any(is_shifted)
    }

    pub fn root_per(&self) -> Per {
        match &self.anchor {
            Some(Anchor { rows: Some(_), .. }) => Per::Row,
            _ => Per::Element,
        }
    }

    /// The key of all pieces that are the same but for the values of their numbers; `None` where there
    /// are no numbers.
    pub fn key_of_any_numbers(&self) -> Option<Key> {
        if self.numbers.is_empty() {
            return None;
        }
        let mut key = self.key.clone();
        for number in &self.numbers {
            key[number.key..number.key + 3].copy_from_slice(&[TAG_NUMBER, 0, 0]);
        }
        Some(key)
    }

    /// Makes every number a leaf, so that the plan is one for all values.
    pub fn read_numbers(&mut self) -> Result<(), Error> {
        for (added, number) in std::mem::take(&mut self.numbers).iter().enumerate() {
            let tensor = self.nodes[number.node].0.clone();
            let leaf = self.engine.leaf_of_number(&tensor)?;
            let tag = TAG_LEAF | (tensor.dtype() as u64) << 8 | (number.per as u64) << 16;
            // As `push_leaf` writes a leaf without axes, and a word that no tag is.
            self.key[number.key..number.key + 3].copy_from_slice(&[tag, 0, 0]);
            self.leaves.insert(number.leaves + added, leaf);
        }
        Ok(())
    }

    /// The shape to which nodes broadcast that are looked at `per` element or row.
    pub fn shape(&self, per: Per) -> &Shape {
        match (&self.anchor, per) {
            (Some(anchor), Per::Element) => &anchor.shape,
            _ => &self.root_shape,
        }
    }

    fn visit(&mut self, tensor: &Tensor, per: Per) -> Result<(), Error> {
        if let Some(number) = self.number_of(tensor, per) {
            self.visits[number] += 1;
            self.key.push(TAG_AGAIN | (number as u64) << 8);
            return Ok(());
        }
        if let Some(base) = self.reduction_behind(tensor, per) {
            return self.visit_reduction(&base);
        }
        let state = tensor.0.state.borrow();
        let lazy = match &*state {
            State::Real(leaf) => {
                if let Some(number) = self.read_before(leaf, per) {
                    self.visits[number] += 1;
                    self.key.push(TAG_AGAIN | (number as u64) << 8);
                    return Ok(());
                }
                self.enter(tensor, per);
                self.push_leaf(leaf.clone(), per);
                self.plain.push((self.leaves.len() as u16 - 1, self.nodes.len() as u16 - 1));
                return Ok(());
            }
            State::Lazy(lazy) => lazy,
        };
        if let Lazy::View(view) = lazy {
            let view = view.clone();
            drop(state);
            return self.visit_view(tensor, &view, per);
        }
        if matches!(lazy, Lazy::Reduce { .. }) || self.nodes.len() >= MAX_NODES {
            drop(state);
            return self.compute_first(tensor);
        }
        match lazy {
            Lazy::Const(value) => {
                if tensor.rank() == 0 {
                    let (node, key, leaves) = (self.nodes.len(), self.key.len(), self.leaves.len());
                    self.numbers.push(Number { node, key, per, leaves });
                }
                self.enter(tensor, per);
                let [kind, bits, more] = super::plan::words(*value);
                let head = TAG_CONST | (tensor.dtype() as u64) << 8 | kind << 16;
                self.key.extend([head, bits, more]);
            }
            Lazy::Iota { axis } => {
                self.enter(tensor, per);
                self.key.push(TAG_IOTA | u64::from(*axis) << 8 | (per as u64) << 16);
                self.push_shape(tensor.shape());
            }
            Lazy::Map { op, operands } => {
                self.can_fail |= map_can_fail(*op, operands);
                self.enter(tensor, per);
                self.key.push(TAG_MAP | op.code() << 8 | (tensor.dtype() as u64) << 24);
                for operand in operands {
                    self.visit(operand, per)?;
                }
            }
            Lazy::Gather { base, layout, indices } => {
                // What is read at computed places must exist as a whole.
                let Some(whole) = base.leaf() else { return self.compute_first(base) };
                self.can_fail = true;
                self.enter(tensor, per);
                self.key.push(TAG_GATHER | (indices.len() as u64) << 8 | (per as u64) << 16);
                self.push_leaf(whole.with(layout.clone()), per);
                for index in indices {
                    self.key.extend([index.extent as u64, index.stride as u64]);
                    self.visit(&index.index, per)?;
                }
            }
            Lazy::View(_) | Lazy::Reduce { .. } => unreachable!("it is no part of this walk"),
        }
        Ok(())
    }

    /// A view that is only read: what it shows is computed here.
    fn visit_view(&mut self, tensor: &Tensor, view: &View, per: Per) -> Result<(), Error> {
        if let Some(leaf) = view.leaf() {
            tensor.0.settle(leaf);
            return self.visit(tensor, per);
        }
        let fuses = self.engine.fusion() && self.nodes.len() < MAX_NODES;
        match fuses.then(|| view.moved()).flatten() {
            Some(moved) => self.visit(&moved, per),
            None => self.compute_first(tensor),
        }
    }

    fn reduction_behind(&self, tensor: &Tensor, per: Per) -> Option<Tensor> {
        reduction_behind(self.anchor.as_ref()?, self.shape(per), tensor, per)
    }

    fn visit_reduction(&mut self, base: &Tensor) -> Result<(), Error> {
        let folded = base.with_lazy(|lazy| match lazy {
            Lazy::Reduce { op, operand, .. } => Some((*op, operand.clone())),
            _ => None,
        });
        let Some((op, operand)) = folded else { unreachable!("the caller found a reduction") };
        if let Some(number) = self.number_of(base, Per::Row) {
            self.visits[number] += 1;
            self.key.push(TAG_AGAIN | (number as u64) << 8);
            return Ok(());
        }
        self.enter(base, Per::Row);
        self.key.push(TAG_REDUCE | (op as u64) << 8 | (base.dtype() as u64) << 16);
        self.visit(&operand, Per::Element)
    }

    /// Computes what can't be part of this program; the walk begins again after that.
    fn compute_first(&mut self, tensor: &Tensor) -> Result<(), Error> {
        self.is_stale = true;
        self.engine.realize_node(tensor)
    }

    fn number_of(&self, tensor: &Tensor, per: Per) -> Option<usize> {
        if tensor.0.mark.get() != self.pass {
            return None;
        }
        self.nodes.iter().position(|(node, node_per)| node.is_same(tensor) && *node_per == per)
    }

    /// The node that reads the same elements: views of a tensor are made again for each that works on them.
    fn read_before(&self, leaf: &Leaf, per: Per) -> Option<usize> {
        let mut read = self.plain.iter();
        let is_same = |(at, node): &&(u16, u16)| {
            self.leaves[*at as usize].is_same(leaf) && self.nodes[*node as usize].1 == per
        };
        read.find(is_same).map(|(_, node)| *node as usize)
    }

    /// Gives the node its number.
    fn enter(&mut self, tensor: &Tensor, per: Per) {
        tensor.0.mark.set(self.pass);
        self.nodes.push((tensor.clone(), per));
        self.visits.push(1);
    }

    fn push_leaf(&mut self, leaf: Leaf, per: Per) {
        self.key.push(TAG_LEAF | (leaf.dtype as u64) << 8 | (per as u64) << 16);
        self.push_layout(&leaf.layout);
        self.leaves.push(leaf);
    }

    /// The same nodes over a cube may fold any of its axes.
    fn push_anchor(&mut self) {
        let Some(anchor) = &self.anchor else {
            self.key.push(0);
            return;
        };
        let folded = anchor.axes.iter().fold(0u64, |folded, axis| folded | 1 << axis);
        let rows = anchor.rows.as_deref().unwrap_or_default();
        self.key.extend([1 + rows.len() as u64, anchor.shape.rank() as u64, folded]);
        self.key.extend(anchor.shape.iter().map(|extent| *extent as u64));
        self.key.extend(rows.iter().map(|axis| axis.map_or(u64::MAX, u64::from)));
    }

    /// Without the offset: the plan does not depend on it.
    fn push_layout(&mut self, layout: &Layout) {
        self.push_shape(&layout.shape);
        self.key.extend(layout.strides.iter().map(|stride| *stride as u64));
    }

    fn push_shape(&mut self, shape: &Shape) {
        self.key.push(shape.rank() as u64);
        self.key.extend(shape.iter().map(|extent| *extent as u64));
    }
}

impl Drop for Walk<'_> {
    fn drop(&mut self) {
        // The next walk's key needs no new memory.
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        self.engine.spare_key.replace(key);
    }
}

const TAG_LEAF: u64 = 1;
const TAG_CONST: u64 = 2;
const TAG_IOTA: u64 = 3;
const TAG_MAP: u64 = 4;
const TAG_REDUCE: u64 = 5;
const TAG_GATHER: u64 = 6;
const TAG_AGAIN: u64 = 7;
const TAG_NUMBER: u64 = 8;

fn map_can_fail(op: MapOp, operands: &[Tensor]) -> bool {
    match (op, operands) {
        (MapOp::Binary(op), [_, right]) => op.can_fail(right.dtype(), right.number()),
        _ => false,
    }
}
