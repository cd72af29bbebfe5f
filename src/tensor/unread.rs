//! Work that was let go of before anybody read it, and that may be wrong. NumPy computes at once, so an
//! index out of bounds is an error there even where only the shape of the result is asked for.

use crate::ir::MapOp;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use smallvec::SmallVec;

use super::index::check_bounds;
use super::node::{GatherIndex, Lazy, Node, State};
use super::reform::Owner;
use super::schedule::Walk;
use super::{Engine, Error, Tensor};

/// What is left of such work. Every node that may be wrong holds it until a program has computed the
/// node, so that others cost nothing.
#[derive(Default)]
pub(super) struct Unread {
    left: RefCell<Vec<Left>>,
    /// Whether a program met what is wrong, and no handler has looked since.
    has_failed: Cell<bool>,
    /// What a handler has heard of, and is computed for nobody but who reads it.
    wrong: RefCell<Vec<Weak<Node>>>,
}

enum Left {
    /// Of a read at computed places, whose elements nobody wants.
    Indices(Box<[GatherIndex]>),
    Work(Tensor),
}

impl std::fmt::Debug for Unread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Unread({})", self.len())
    }
}

impl Unread {
    pub fn len(&self) -> usize {
        self.left.borrow().len()
    }

    /// Notes that a program met what is wrong.
    #[cold]
    pub fn has_failed(&self) {
        self.has_failed.set(true);
    }

    /// Lets go of all of it: what a piece was made of may be such work in turn.
    pub fn clear(&self) {
        while self.len() > 0 {
            drop(self.left.take());
        }
        self.has_failed.set(false);
        self.wrong.borrow_mut().clear();
    }

    #[cold]
    fn note(&self, node: &mut Node) {
        let State::Lazy(lazy) = node.state.get_mut() else { return };
        let left = match lazy {
            Lazy::Gather { indices, .. } => Left::Indices(std::mem::take(indices)),
            lazy => {
                let lazy = std::mem::replace(lazy, Lazy::Iota { axis: 0 });
                Left::Work(Tensor(Rc::new(Node {
                    shape: node.shape.get().clone().into(),
                    dtype: node.dtype,
                    device: node.device.clone(),
                    origin: node.origin,
                    depth: node.depth,
                    mark: Cell::default(),
                    met: Cell::default(),
                    is_scalar: Cell::default(),
                    is_asked: Cell::default(),
                    permission: Cell::default(),
                    watch: Cell::default(),
                    owner: Owner::default(),
                    views: Cell::default(),
                    state: RefCell::new(State::Lazy(lazy)),
                })))
            }
        };
        self.left.borrow_mut().push(left);
    }
}

impl Drop for Node {
    #[inline]
    fn drop(&mut self) {
        if let Some(unread) = self.watch.take() {
            unread.note(self);
        }
        self.leave_owner();
    }
}

impl Engine {
    /// Has a node looked at that may be wrong, if nobody reads it.
    pub(super) fn watch(&self, tensor: &Tensor) {
        tensor.0.watch.set(Some(self.transaction.unread.clone()));
    }

    /// Whether a node of this operation, whose last operand is known, may be wrong.
    #[inline]
    pub(super) fn can_be_wrong(op: MapOp, right: Option<&Tensor>) -> bool {
        match (op, right) {
            (MapOp::Binary(op), Some(right)) => {
                op.can_fail(right.dtype(), None) && op.can_fail(right.dtype(), right.number())
            }
            _ => false,
        }
    }

    /// Finds out what was wrong with work that nobody has read.
    ///
    /// # Errors
    /// As if it had been read.
    pub(super) fn check_unread(&self) -> Result<(), Error> {
        if self.transaction.unread.len() == 0 {
            return Ok(());
        }
        self.check_each(self.transaction.unread.left.take())
    }

    /// Those of these that somebody holds besides the others and `own`, which has each as often as the caller holds it.
    pub(super) fn held_of(&self, lazy: &[Tensor], own: &[&Tensor]) -> SmallVec<[Tensor; 4]> {
        let pass = self.next_pass();
        let meet = |tensor: &Tensor| {
            let node = &tensor.0;
            let met = if node.mark.replace(pass) == pass { node.met.get() } else { 0 };
            node.met.set(met + 1);
        };
        for tensor in lazy {
            meet(tensor);
            tensor.for_operands(meet);
        }
        own.iter().copied().for_each(meet);
        let wrong = self.transaction.unread.wrong.borrow();
        wrong.iter().filter_map(Weak::upgrade).for_each(|node| Tensor(node).for_operands(meet));
        let is_held = |tensor: &&Tensor| Rc::strong_count(&tensor.0) > tensor.0.met.get() as usize;
        lazy.iter().filter(is_held).cloned().collect()
    }

    /// Has what is wrong not told again, once a handler takes an error: a variable may still hold the work that
    /// the error came from, which whoever reads it hears of, and no write beside it.
    ///
    /// # Errors
    /// What was wrong with work that nobody read before that error, and came first in NumPy.
    pub fn forgive(&self) -> Result<(), Error> {
        let late = self.check_unread();
        if !self.transaction.unread.has_failed.take() {
            return late;
        }
        let pending = &self.transaction.pending;
        let alive =
            pending.borrow().iter().filter_map(Weak::upgrade).map(Tensor).collect::<Vec<_>>();
        let lazy: Vec<Tensor> = alive.into_iter().filter(|tensor| !tensor.is_realized()).collect();
        let held = self.held_of(&lazy, &[]);
        drop(lazy);
        for tensor in held {
            if self.realize_node(&tensor).is_err_and(|error| error.is_of_values()) {
                drop(tensor.0.watch.take());
                let node = Rc::downgrade(&tensor.0);
                pending.borrow_mut().retain(|other| !other.ptr_eq(&node));
                self.transaction.unread.wrong.borrow_mut().push(node);
            }
        }
        late
    }

    #[cold]
    fn check_each(&self, left: Vec<Left>) -> Result<(), Error> {
        for left in left {
            match left {
                Left::Indices(indices) => {
                    let known = |index: &&GatherIndex| !index.index.device().is_modelled();
                    for index in indices.iter().filter(known) {
                        let place = |error: Error| Error { origin: Some(index.origin), ..error };
                        check_bounds(self, &index.index, &index.reached()).map_err(place)?;
                    }
                }
                Left::Work(work) if work.device().is_modelled() => {}
                Left::Work(work) => self.realize_node(&work)?,
            }
        }
        Ok(())
    }
}

impl Walk<'_> {
    /// Says of the nodes of a program that has run that they were read.
    pub fn has_read(&self) {
        if self.can_fail {
            self.nodes.iter().for_each(|(node, _)| drop(node.0.watch.take()));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::dtype::{DType, Scalar};
    use crate::tensor::tests::{engine, ramp};
    use crate::tensor::{BinaryOp, Engine, IndexItem, Tensor};

    #[test]
    fn what_a_transaction_let_go_of_goes_with_it() {
        let e = engine();
        let live = || e.device().allocator().stats().now.allocated;
        let before = live();
        for ends_well in [false, true] {
            e.begin();
            let mut places = gathered(&e, 1);
            for _ in 0..5 {
                let moved = e.binary(BinaryOp::Mod, &places, Scalar::Int(2)).unwrap();
                let moved = e.cast(&moved, DType::I64).unwrap();
                places = e.index(&ramp(&e, &[3]), &[IndexItem::Tensor(moved)]).unwrap();
            }
            drop(places);
            if ends_well {
                e.commit()
            } else {
                e.roll_back()
            }
            assert_eq!((e.transaction.unread.len(), live()), (0, before), "{ends_well}");
        }
    }

    fn gathered(e: &Engine, at: i64) -> Tensor {
        let places = e.full(&[2].into(), Scalar::Int(at), DType::I64);
        e.index(&ramp(e, &[3]), &[IndexItem::Tensor(places.unwrap())]).unwrap()
    }

    #[test]
    fn what_nobody_reads_is_looked_at_all_the_same() {
        let e = engine();
        e.begin();
        drop(gathered(&e, 2));
        assert_eq!(e.transaction.unread.len(), 1);
        e.settle().unwrap();
        assert_eq!(e.transaction.unread.len(), 0);
        drop(e.binary(BinaryOp::Add, gathered(&e, 7), gathered(&e, 1)).unwrap());
        assert_eq!(e.transaction.unread.len(), 2);
        let error = e.settle().unwrap_err();
        assert_eq!(error.to_string(), "index 7 is out of bounds for axis 0 with size 3");
        let whole = e.cast(&gathered(&e, 1), DType::I64).unwrap();
        drop(e.binary(
            BinaryOp::FloorDiv,
            Scalar::Int(1),
            e.binary(BinaryOp::Sub, &whole, Scalar::Int(1)).unwrap(),
        ));
        assert!(e.settle().is_err());
        e.roll_back();
    }

    /// What a GPU has found out about indices holds for these elements and this extent, until they are written.
    #[cfg(feature = "cuda")]
    #[test]
    fn what_is_known_of_indices_goes_with_a_write_on_cuda() {
        use crate::tensor::Operand;
        let Some(e) = crate::tensor::trials::on_gpus() else { return };
        let host = |x: &Tensor| -> Vec<i64> {
            e.to_host(x).unwrap().to_scalars().iter().map(|x| x.as_f64() as i64).collect()
        };
        let pick = |x: &Tensor, places: &Tensor| {
            let picked = e.index(x, &[IndexItem::Tensor(places.clone())]).unwrap();
            e.realize(&[&picked]).map(|()| host(&picked))
        };
        let values = [2, 0, -3, 1, 9].map(Scalar::Int);
        let all = e.from_values(&values, &[5].into(), DType::I64).unwrap();
        let places = e.narrow(&all, 0, 0, 4, 1).unwrap();
        let [short, long] = [3, 12].map(|len| ramp(&e, &[len]));
        for _ in 0..3 {
            assert_eq!(pick(&short, &places).unwrap(), [2, 0, 0, 1]);
            assert_eq!(pick(&long, &places).unwrap(), [2, 0, 9, 1]);
            assert_eq!(pick(&long, &all).unwrap(), [2, 0, 9, 1, 9]);
            // Of more elements, and of others, it is not known.
            assert!(pick(&short, &all).is_err());
            assert!(pick(&short, &e.narrow(&all, 0, 1, 4, 1).unwrap()).is_err());
            assert!(pick(&ramp(&e, &[2]), &places).is_err());
        }
        pick(&short, &places).unwrap();
        let head = e.narrow(&all, 0, 3, 1, 1).unwrap();
        e.assign_all(&head, Operand::Scalar(Scalar::Int(7))).unwrap();
        let error = pick(&short, &places).unwrap_err();
        assert_eq!(error.to_string(), "index 7 is out of bounds for axis 0 with size 3");
        assert_eq!(pick(&long, &places).unwrap(), [2, 0, 9, 7]);
        // Places that a kernel of ours made.
        let order = e.argsort(&places, 0, false).unwrap();
        assert_eq!(pick(&places, &order).unwrap(), [-3, 0, 2, 7]);
        assert!(pick(&short, &order).is_err());
    }

    /// What a program's instructions say of the integers that it makes holds until they are written.
    #[cfg(feature = "cuda")]
    #[test]
    fn what_instructions_say_of_indices_holds_until_they_are_written_on_cuda() {
        use crate::tensor::{BinaryOp, Operand, ScatterOp};
        let Some(e) = crate::tensor::trials::on_gpus() else { return };
        let host = |x: &Tensor| -> Vec<i64> {
            e.to_host(x).unwrap().to_scalars().iter().map(|x| x.as_f64() as i64).collect()
        };
        let fresh = |values: &[i64]| {
            let values: Vec<Scalar> = values.iter().map(|value| Scalar::Int(*value)).collect();
            e.from_values(&values, &[values.len()].into(), DType::I64).unwrap()
        };
        let clipped = |x: &Tensor, low: i64, high: i64| {
            let x = e.binary(BinaryOp::Max, x, Scalar::Int(low)).unwrap();
            e.binary(BinaryOp::Min, &x, Scalar::Int(high)).unwrap()
        };
        let add = |target: &Tensor, places: &Tensor| {
            e.scatter(
                ScatterOp::Add,
                target,
                &[IndexItem::Tensor(places.clone())],
                Operand::Scalar(Scalar::Int(1)),
            )
        };
        let wild = fresh(&[7, -9, 1, 2]);
        let ten = fresh(&[10, 20, 30]);
        let pick = |places: &Tensor| {
            let picked = e.index(&ten, &[IndexItem::Tensor(places.clone())]).unwrap();
            e.realize(&[&picked]).map(|()| host(&picked))
        };
        // In one program, and in two.
        assert_eq!(pick(&clipped(&wild, -3, 2)).unwrap(), [30, 10, 20, 30]);
        assert!(pick(&clipped(&wild, -4, 2)).is_err());
        let places = clipped(&wild, 0, 2);
        e.realize(&[&places]).unwrap();
        let counts = e.copy(&e.full(&[3].into(), Scalar::Int(0), DType::I64).unwrap()).unwrap();
        for _ in 0..2 {
            add(&counts, &places).unwrap();
        }
        assert_eq!(host(&counts), [2, 2, 4]);
        let pair = e.narrow(&counts, 0, 0, 2, 1).unwrap();
        assert!(add(&pair, &places).is_err());
        let head = e.narrow(&places, 0, 1, 1, 1).unwrap();
        e.assign_all(&head, Operand::Scalar(Scalar::Int(3))).unwrap();
        let error = add(&counts, &places).unwrap_err();
        assert_eq!(error.to_string(), "index 3 is out of bounds for axis 0 with size 3");
        assert_eq!(host(&counts), [2, 2, 4]);
        // Indices that what they read is added to, and such that are written where they point.
        for _ in 0..2 {
            let places = fresh(&[0, 1, 2]);
            let picked = e.index(&ten, &[IndexItem::Tensor(places.clone())]).unwrap();
            let sum = e.binary(BinaryOp::Add, &places, &picked).unwrap();
            e.assign_all(&places, Operand::Tensor(sum)).unwrap();
            assert_eq!(host(&places), [10, 21, 32]);
            assert!(pick(&places).is_err());
            let places = fresh(&[2, 2, 2]);
            add(&places, &places).unwrap();
            assert_eq!(host(&places), [2, 2, 5]);
            assert!(add(&places, &places).is_err());
        }
    }

    #[test]
    fn what_was_read_is_not_looked_at_again() {
        let e = engine();
        e.begin();
        let sum = e.binary(BinaryOp::Add, gathered(&e, 1), Scalar::Int(1)).unwrap();
        e.realize(&[&sum]).unwrap();
        drop(sum);
        let once = gathered(&e, 2);
        e.realize(&[&once]).unwrap();
        drop(once);
        assert_eq!(e.transaction.unread.len(), 0);
        e.commit();
    }
}
