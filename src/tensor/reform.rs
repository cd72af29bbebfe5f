//! Tensors that change their shape in place, and whose memory a view looks into.

use std::cell::{Cell, OnceCell};
use std::rc::{Rc, Weak};

use super::leaf::width;
use super::node::Node;
use super::{Engine, Error, Tensor};
use crate::diag::ErrorKind;
use crate::layout::{Layout, Shape};

/// A node's shape: nearly always the one that it was made with. Whoever looks borrows it for as long
/// as the node lives, so shapes are added and none is replaced; one that comes again is found.
#[derive(Debug)]
pub(super) struct Shapes {
    made: Shape,
    later: OnceCell<Box<Later>>,
}

#[derive(Debug)]
struct Later {
    /// Which of `blocks`' shapes holds now; zero is the one that the node was made with.
    now: Cell<usize>,
    count: Cell<usize>,
    /// Each has twice the room of the one before.
    blocks: [OnceCell<Box<[OnceCell<Shape>]>>; usize::BITS as usize],
}

/// How far back a shape is looked for.
const LOOKED_AT: usize = 64;

impl Shapes {
    #[inline]
    pub fn get(&self) -> &Shape {
        match self.later.get() {
            None => &self.made,
            Some(later) => later.get(later.now.get()).unwrap_or(&self.made),
        }
    }

    pub fn set(&self, shape: &Shape) {
        let new = || {
            let blocks = [const { OnceCell::new() }; usize::BITS as usize];
            Box::new(Later { now: Cell::new(0), count: Cell::new(0), blocks })
        };
        if *shape == self.made {
            if let Some(later) = self.later.get() {
                later.now.set(0);
            }
            return;
        }
        self.later.get_or_init(new).set(shape);
    }
}

/// Whose memory a node was made to look into.
#[derive(Default)]
pub(super) struct Owner(Cell<Option<Weak<Node>>>);

impl Owner {
    #[inline]
    pub fn get(&self) -> Option<Weak<Node>> {
        let owner = self.0.take();
        self.0.set(owner.clone());
        owner
    }

    #[inline]
    pub fn set(&self, owner: Option<Weak<Node>>) {
        self.0.set(owner);
    }

    /// Where that node is.
    #[inline]
    pub fn address(&self) -> Option<*const Node> {
        let owner = self.0.take();
        let address = owner.as_ref().map(Weak::as_ptr);
        self.0.set(owner);
        address
    }
}

impl From<Shape> for Shapes {
    fn from(made: Shape) -> Shapes {
        Shapes { made, later: OnceCell::new() }
    }
}

impl Later {
    fn get(&self, number: usize) -> Option<&Shape> {
        let (block, place) = place_of(number)?;
        self.blocks[block].get()?[place].get()
    }

    fn set(&self, shape: &Shape) {
        let count = self.count.get();
        let mut known = (1..=count).rev().take(LOOKED_AT);
        if let Some(known) = known.find(|number| self.get(*number) == Some(shape)) {
            return self.now.set(known);
        }
        let (block, place) = place_of(count + 1).expect("no shape that is added has number zero");
        let made = || (0..1 << block).map(|_| OnceCell::new()).collect();
        let is_new = self.blocks[block].get_or_init(made)[place].set(shape.clone()).is_ok();
        debug_assert!(is_new, "each number is given once");
        self.count.set(count + 1);
        self.now.set(count + 1);
    }
}

/// The block of a number from one on, and the place in it.
fn place_of(number: usize) -> Option<(usize, usize)> {
    let block = number.checked_ilog2()? as usize;
    Some((block, number - (1 << block)))
}

impl Tensor {
    /// The tensor whose memory it looks into, where somebody still holds that one.
    pub fn owner(&self) -> Option<Tensor> {
        self.0.owner.get()?.upgrade().map(Tensor)
    }

    /// Whether it was made as a view of another tensor.
    pub fn is_view(&self) -> bool {
        self.0.owner.get().is_some()
    }

    /// Whether it is the other, looks into the other's memory, or both look into a third's.
    pub fn shares_owner(&self, other: &Tensor) -> bool {
        let owner_of = |tensor: &Tensor| tensor.0.owner.get().map(|owner| Weak::as_ptr(&owner));
        let others = owner_of(other).unwrap_or(Rc::as_ptr(&other.0));
        self.is_same(other) || owner_of(self) == Some(others)
    }

    /// Says that nobody else has the memory that it was made to look into.
    pub fn forget_owner(&self) {
        self.0.leave_owner();
    }

    /// How many views of it are still there.
    pub fn view_count(&self) -> usize {
        self.0.views.get() as usize
    }

    /// What [`Engine::exchange`] does, of tensors that were exchanged before.
    pub fn swap(&self, other: &Tensor) {
        let (mine, others) = (self.shape().clone(), other.shape().clone());
        self.0.state.swap(&other.0.state);
        self.0.shape.set(&others);
        other.0.shape.set(&mine);
    }

    /// The same tensor as a view of `base`, or of what that is a view of. Nobody else may hold it.
    pub(super) fn owned_as(self, base: &Tensor) -> Tensor {
        let owner = base.0.owner.get().unwrap_or_else(|| Rc::downgrade(&base.0));
        if let Some(owner) = owner.upgrade() {
            owner.views.set(owner.views.get() + 1);
        }
        self.with_owner(owner)
    }

    pub(super) fn with_owner(self, owner: Weak<Node>) -> Tensor {
        self.0.owner.set(Some(owner));
        self
    }
}

impl Node {
    /// It looks into nobody's memory any more.
    #[inline]
    pub(super) fn leave_owner(&self) {
        if let Some(owner) = self.owner.0.take().and_then(|owner| owner.upgrade()) {
            owner.views.set(owner.views.get().saturating_sub(1));
        }
    }
}

impl Engine {
    /// What a view looks into, as NumPy's `base`: the tensor that it is a view of or, where nobody holds that
    /// any more, all that lies in the memory. `None` for what has memory of its own.
    ///
    /// # Errors
    /// What computing the tensor may bring up.
    pub fn base_of(&self, x: &Tensor) -> Result<Option<Tensor>, Error> {
        if !x.is_view() || x.is_scalar() {
            return Ok(None);
        }
        if let Some(owner) = x.owner() {
            return Ok(Some(owner));
        }
        let leaf = self.leaf_of(x)?;
        let len = leaf.storage.len() / width(leaf.dtype);
        Ok(Some(Tensor::from_leaf(leaf.with(Layout::contiguous([len].into())))))
    }

    /// Gives `x` another shape, for all who hold it. What comes back is to be given to [`Tensor::swap`]
    /// to take that back.
    ///
    /// # Errors
    /// ValueError where the element counts differ, AttributeError where strides can't say it.
    pub fn reshape_in_place(&self, x: &Tensor, extents: &[i64]) -> Result<Tensor, Error> {
        let shape = self.resolve_shape(x, extents)?;
        let leaf = self.leaf_of(x)?;
        let Some(layout) = leaf.layout.reshape(&shape) else {
            let words = "Incompatible shape for in-place modification. Use `.reshape()` to make a copy \
                         with the desired shape.";
            return Err(Error::new(ErrorKind::Attribute, words));
        };
        let other = Tensor::from_leaf(leaf.with(layout));
        self.exchange(x, &other)?;
        Ok(other)
    }

    /// The elements and the shape of either become the other's, of one type and device, for all who hold them.
    ///
    /// # Errors
    /// What computing them, or what reads them, may bring up.
    pub fn exchange(&self, x: &Tensor, other: &Tensor) -> Result<(), Error> {
        // What waits was made over the shapes of now.
        self.settle_others(&[])?;
        self.realize(&[x, other])?;
        x.swap(other);
        Ok(())
    }
}
