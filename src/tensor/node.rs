//! The graph's nodes, and the handle to one that everybody holds.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use smallvec::SmallVec;

use super::leaf::Leaf;
use super::moved::View;
use super::reform::{Owner, Shapes};
use super::unread::Unread;
use crate::device::{Device, Storage};
use crate::dtype::{DType, Scalar};
use crate::ir::{MapOp, ReduceOp};
use crate::layout::{GatheredAxis, Layout, Shape};

/// Whatever the caller wants back in an error about a node: the interpreter packs a span into it,
/// with the text that the span points into. The default is no origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Origin(pub [u32; 3]);

/// A tensor: a node of the graph, computed or not. Clones are the same tensor.
#[derive(Clone)]
pub struct Tensor(pub(super) Rc<Node>);

/// A tensor that others may let go of.
#[derive(Clone)]
pub struct WeakTensor(Weak<Node>);

impl fmt::Debug for WeakTensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WeakTensor")
    }
}

impl WeakTensor {
    pub fn upgrade(&self) -> Option<Tensor> {
        self.0.upgrade().map(Tensor)
    }
}

/// Whether a tensor may be written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Permission {
    #[default]
    Written,
    /// Only read: said of this tensor, which may be told otherwise.
    Read,
    /// Only read, for ever: it is a view of what is only read.
    View,
    /// Only read, for ever: one element of it, or of what it is a view of, stands at several places.
    Repeated,
    /// Only read, unless told otherwise: zeros that stand for the imaginary parts of real numbers.
    Imaginary,
    /// Only read, for ever: bytes of bools, which are 0 or 1, or bools in bytes that may be something else.
    Bools,
}

impl Permission {
    /// What holds for a view.
    pub(super) fn of_view(self) -> Permission {
        if self == Permission::Read { Permission::View } else { self }
    }

    /// What to do where writing is refused.
    pub(super) fn remedy(self) -> &'static str {
        match self {
            Permission::Written | Permission::Read => {
                "`x.flags.writeable = True` allows it again; or write to a copy, `x.copy()`"
            }
            Permission::View => {
                "it is a view of a tensor that is read-only: write to a copy, `x.copy()`"
            }
            Permission::Repeated => {
                "one element of a broadcast tensor stands at several places: write to a copy, `x.copy()`"
            }
            Permission::Imaginary => {
                "the imaginary parts of real numbers are zero: make complex ones first, `z = x + 0j`"
            }
            Permission::Bools => "bools are bytes that are 0 or 1: write to a copy, `x.copy()`",
        }
    }
}

pub(super) struct Node {
    pub shape: Shapes,
    pub dtype: DType,
    pub device: Device,
    pub origin: Origin,
    /// Lazy nodes between this one and the furthest leaf.
    pub depth: u16,
    /// The latest walk over the graph that came by.
    pub mark: Cell<u32>,
    /// How many of its handles that walk has met.
    pub met: Cell<u32>,
    /// Whether it is one of NumPy's scalars, which never change: see [`Tensor::is_scalar`].
    pub is_scalar: Cell<bool>,
    /// Whether one of its elements, or what it chooses, was asked for while it was lazy.
    pub is_asked: Cell<bool>,
    /// See [`Tensor::permission`].
    pub permission: Cell<Permission>,
    /// Whom to tell where it is let go of before a program has computed it: it may be wrong.
    pub watch: Cell<Option<Rc<Unread>>>,
    /// Whose memory it was made to look into.
    pub owner: Owner,
    /// How many nodes look into its memory.
    pub views: Cell<u32>,
    pub state: RefCell<State>,
}

pub(super) enum State {
    Lazy(Lazy),
    Real(Leaf),
}

/// How a node's elements follow from others.
#[derive(Clone)]
pub(super) enum Lazy {
    /// One value everywhere.
    Const(Scalar),
    /// The coordinate along an axis.
    Iota { axis: u8 },
    /// Elementwise; operands broadcast to the node's shape.
    Map { op: MapOp, operands: SmallVec<[Tensor; 3]> },
    /// Folds `axes` of the operand, which stay with length one.
    Reduce { op: ReduceOp, operand: Tensor, axes: SmallVec<[u8; 4]> },
    /// Elements of a node that was no leaf, rearranged.
    View(Rc<View>),
    /// Elements of `base` at computed indices. `layout` has the node's shape and reaches the part
    /// of `base` that basic indexing leaves; to it each index, broadcast to the node's shape, adds
    /// its own stride.
    Gather { base: Tensor, layout: Layout, indices: Box<[GatherIndex]> },
}

#[derive(Clone)]
pub(super) struct GatherIndex {
    /// int64, broadcast to the node's shape.
    pub index: Tensor,
    /// The axis of the indexed tensor, for messages.
    pub axis: u8,
    pub extent: usize,
    pub stride: isize,
    /// Where the index stands, and which part of the whole index it is.
    pub origin: Origin,
    pub part: u8,
}

impl GatherIndex {
    /// The axis that it reaches into.
    pub fn reached(&self) -> GatheredAxis {
        let (axis, part) = (self.axis as usize, self.part as usize);
        GatheredAxis { axis, extent: self.extent, stride: self.stride, part }
    }
}

impl Tensor {
    #[inline]
    pub fn shape(&self) -> &Shape {
        self.0.shape.get()
    }

    #[inline]
    pub fn dtype(&self) -> DType {
        self.0.dtype
    }

    #[inline]
    pub fn device(&self) -> &Device {
        &self.0.device
    }

    #[inline]
    pub fn rank(&self) -> usize {
        self.shape().rank()
    }

    #[inline]
    pub fn elem_count(&self) -> usize {
        self.shape().elem_count()
    }

    /// Bytes of its elements, without what a shared storage holds besides.
    pub fn size_bytes(&self) -> usize {
        self.elem_count() * self.dtype().size()
    }

    /// Whether the elements exist in memory.
    #[inline]
    pub fn is_realized(&self) -> bool {
        matches!(&*self.0.state.borrow(), State::Real(_))
    }

    /// The storage and the layout, which counts in elements of the tensor's type, once the tensor is
    /// realized. A storage of complex elements holds their parts.
    pub fn storage_and_layout(&self) -> Option<(Arc<Storage>, Layout)> {
        self.with_storage(|storage, layout| (storage.clone(), layout.clone()))
    }

    /// The same, looked at and not copied.
    pub fn with_storage<R>(&self, look: impl FnOnce(&Arc<Storage>, &Layout) -> R) -> Option<R> {
        self.with_leaf(|leaf| look(&leaf.storage, &leaf.layout))
    }

    /// Where the node lies, and how many handles to it there are.
    #[inline]
    pub fn identity(&self) -> (*const (), usize) {
        (Rc::as_ptr(&self.0).cast(), Rc::strong_count(&self.0))
    }

    /// Whether this handle is not the only one.
    #[inline]
    pub fn is_held_elsewhere(&self) -> bool {
        Rc::strong_count(&self.0) > 1
    }

    /// Whether both are the same node, hence the same elements for ever.
    #[inline]
    pub fn is_same(&self, other: &Tensor) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// Says that a name holds it, or is about to: its memory counts as no temporary any more.
    pub fn keep(&self) {
        if let State::Real(leaf) = &*self.0.state.borrow() {
            leaf.storage.keep();
        }
    }

    /// Whether it is what NumPy calls a scalar: the one number that a reduction, an operation or an
    /// index of a single element comes to. It never changes, so `s += 1` makes another; an array
    /// without axes, such as `array(5)`, changes in place.
    #[inline]
    pub fn is_scalar(&self) -> bool {
        self.0.is_scalar.get() && self.rank() == 0
    }

    /// The same tensor, said to be a scalar or an array where it has no axes.
    pub fn as_scalar(self, is_scalar: bool) -> Tensor {
        self.0.is_scalar.set(is_scalar);
        self
    }

    /// Whether nobody may write to it: it is broadcast, so that one element may stand at several places and
    /// writing to one of them would change the others, somebody asked for that, or it is a view of such a tensor.
    #[inline]
    pub fn is_read_only(&self) -> bool {
        self.0.permission.get() != Permission::Written
    }

    #[inline]
    pub fn permission(&self) -> Permission {
        self.0.permission.get()
    }

    /// Changes that for all who hold the tensor. Views of it that are there already stay as they are.
    pub fn set_permission(&self, permission: Permission) {
        self.0.permission.set(permission);
    }

    /// The tensor, for as long as somebody else holds it.
    pub fn downgrade(&self) -> WeakTensor {
        WeakTensor(Rc::downgrade(&self.0))
    }

    /// The same tensor with what holds for a view of `base`. Nobody else may hold it.
    pub(super) fn permitted_as(self, base: &Tensor) -> Tensor {
        self.with_permission(base.permission().of_view()).owned_as(base)
    }

    pub(super) fn with_permission(self, permission: Permission) -> Tensor {
        self.0.permission.set(permission);
        self
    }

    /// What tells it from all other tensors that live now.
    pub fn id(&self) -> usize {
        Rc::as_ptr(&self.0) as usize
    }

    pub(super) fn from_lazy(
        lazy: Lazy,
        shape: Shape,
        like: &Tensor,
        origin: Origin,
        depth: u16,
    ) -> Tensor {
        let (dtype, device) = (like.dtype(), like.device().clone());
        let state = RefCell::new(State::Lazy(lazy));
        let mark = Cell::default();
        let (met, is_scalar, is_asked, permission, watch, owner, views) = Default::default();
        Tensor(Rc::new(Node {
            shape: shape.into(),
            dtype,
            device,
            origin,
            depth,
            mark,
            met,
            is_scalar,
            is_asked,
            permission,
            watch,
            owner,
            views,
            state,
        }))
    }

    pub(super) fn from_leaf(leaf: Leaf) -> Tensor {
        Tensor(Rc::new(Node {
            shape: leaf.layout.shape.clone().into(),
            dtype: leaf.dtype,
            device: leaf.storage.device().clone(),
            origin: Origin::default(),
            depth: 0,
            mark: Cell::default(),
            met: Cell::default(),
            is_scalar: Cell::default(),
            is_asked: Cell::default(),
            permission: Cell::default(),
            watch: Cell::default(),
            owner: Owner::default(),
            views: Cell::default(),
            state: RefCell::new(State::Real(leaf)),
        }))
    }

    /// Where the elements lie, if they do: also those of a view whose base was computed meanwhile.
    pub(super) fn leaf(&self) -> Option<Leaf> {
        self.with_leaf(Leaf::clone)
    }

    fn with_leaf<R>(&self, look: impl FnOnce(&Leaf) -> R) -> Option<R> {
        match &*self.0.state.borrow() {
            State::Real(leaf) => Some(look(leaf)),
            State::Lazy(Lazy::View(view)) => view.leaf().map(|leaf| look(&leaf)),
            State::Lazy(_) => None,
        }
    }

    /// Shows the nodes that it reads, each as often as it reads it.
    pub(super) fn for_operands(&self, see: impl Fn(&Tensor)) {
        let State::Lazy(lazy) = &*self.0.state.borrow() else { return };
        match lazy {
            Lazy::Const(_) | Lazy::Iota { .. } => {}
            Lazy::Map { operands, .. } => operands.iter().for_each(see),
            Lazy::Reduce { operand, .. } => see(operand),
            // A handle that is not counted costs memory only.
            Lazy::View(view) if Rc::strong_count(view) > 1 => {}
            Lazy::View(view) => {
                see(&view.base);
                view.moved_down().into_iter().for_each(see);
            }
            Lazy::Gather { base, indices, .. } => {
                see(base);
                indices.iter().for_each(|index| see(&index.index));
            }
        }
    }

    pub(super) fn lazy(&self) -> Option<Lazy> {
        self.with_lazy(|lazy| Some(lazy.clone()))
    }

    /// What its elements follow from, looked at and not copied.
    pub(super) fn with_lazy<R>(&self, look: impl FnOnce(&Lazy) -> Option<R>) -> Option<R> {
        match &*self.0.state.borrow() {
            State::Real(_) => None,
            State::Lazy(lazy) => look(lazy),
        }
    }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = if self.is_realized() { "" } else { ", lazy" };
        write!(f, "Tensor({} {}{state})", self.dtype(), self.shape())
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Node({} {})", self.dtype, self.shape.get())
    }
}
