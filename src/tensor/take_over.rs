//! A statement that comes again, in a loop, takes the memory of what it made the last time.
//!
//! While it computes, a transaction still holds what a name held before, lest the statement fail; so results would
//! go to and fro between two places, of which the caches have neither when it is written to. But what is computed
//! last, by a program that can't fail, needs no way back: it may write where the value lies that the commit is about
//! to let go of.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use super::leaf::Leaf;
use super::node::{Lazy, Node, State};
use super::schedule::Walk;
use super::{Engine, Error, Tensor};
use crate::layout::Layout;

/// What was interrupted is done again to its end: of so much, the dearest operation takes two cores less than the tenth
/// of a second within which Ctrl-C is heard.
const MOST_BYTES: usize = 24 << 20;

/// What may be taken over while a transaction settles for the last time.
#[derive(Debug, Default)]
pub(super) struct TakeOver {
    replaced: RefCell<Option<Tensor>>,
    /// The node that is computed last; nobody looks behind the address.
    last: Cell<Option<*const Node>>,
}

impl Engine {
    /// As [`Engine::settle`], where nothing comes after it but the commit, which lets go of `replaced`: what is
    /// computed last may be written in its place.
    ///
    /// # Errors
    /// As there; `replaced` is then as it was.
    pub fn settle_last(&self, replaced: Option<Tensor>) -> Result<(), Error> {
        let Some(replaced) = replaced else { return self.settle() };
        self.take_over.replaced.replace(Some(replaced));
        let result = self.settle();
        self.take_over.replaced.take();
        self.take_over.last.set(None);
        result
    }

    /// Says that `tensor` is all that is still to be computed.
    pub(super) fn note_last(&self, tensor: &Tensor) {
        if self.take_over.replaced.borrow().is_some() {
            let last = match &*tensor.0.state.borrow() {
                State::Lazy(Lazy::View(view)) => Rc::as_ptr(&view.base.0),
                _ => Rc::as_ptr(&tensor.0),
            };
            self.take_over.last.set(Some(last));
        }
    }

    /// Memory for what is computed last, by the piece of the graph that was walked, if there is some to take over.
    pub(super) fn taken_over(&self, tensor: &Tensor, walk: &mut Walk<'_>) -> Option<Leaf> {
        if self.take_over.last.get() != Some(Rc::as_ptr(&tensor.0)) || walk.can_fail {
            return None;
        }
        let replaced = self.take_over.replaced.take()?;
        let leaf = replaced.leaf()?;
        let device = tensor.device();
        // Each piece of memory is still that of the statement which asked for it.
        let is_again = replaced.0.origin == tensor.0.origin
            && leaf.dtype == tensor.dtype()
            && leaf.has_all_of(tensor.elem_count())
            && replaced.device() == device;
        // The transaction has the node, and we; the node has the memory, and we.
        let is_held = Rc::strong_count(&replaced.0) > 2
            || Rc::weak_count(&replaced.0) > 0
            || Arc::strong_count(&leaf.storage) > 2;
        let is_plain = !device.is_gpu() && !device.is_modelled() && !device.is_profiled();
        if !is_again || is_held || !is_plain || leaf.storage.size_bytes() > MOST_BYTES {
            return None;
        }
        leaf.storage.set_epoch(self.latest_number());
        walk.must_end = true;
        Some(Leaf { layout: Layout::contiguous(tensor.shape().clone()), ..leaf })
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::device::{Device, Interrupt};
    use crate::dtype::{DType, Scalar};
    use crate::memory::AllocatorConfig;
    use crate::tensor::{BinaryOp, Origin};

    fn engine() -> (Engine, Interrupt) {
        let interrupt = Interrupt::default();
        let device = Device::cpu(AllocatorConfig::default(), interrupt.clone()).unwrap();
        (Engine::new(vec![device], interrupt.clone()), interrupt)
    }

    fn ramp(e: &Engine, count: i64, dtype: DType) -> Tensor {
        let x = e.arange(Scalar::Int(0), Scalar::Int(count), Scalar::Int(1), Some(dtype)).unwrap();
        e.realize(&[&x]).unwrap();
        x
    }

    fn address(x: &Tensor) -> u64 {
        x.leaf().expect("the tensor was computed").storage.address()
    }

    fn last(x: &Tensor, e: &Engine) -> Vec<u8> {
        let bytes = e.to_host(x).unwrap().bytes;
        bytes[bytes.len() - 8..].to_vec()
    }

    /// Makes a tensor by a statement of its own, which replaces another one: who calls has that as a transaction would.
    fn statement(
        e: &Engine,
        line: u32,
        replaced: Option<&Tensor>,
        make: &dyn Fn() -> Tensor,
    ) -> Result<Tensor, Error> {
        e.begin();
        e.set_origin(Origin([1, line, 0]));
        let made = make();
        match e.settle_last(replaced.cloned()) {
            Ok(()) => e.commit(),
            Err(error) => {
                e.roll_back();
                return Err(error);
            }
        }
        Ok(made)
    }

    #[test]
    fn a_statement_that_comes_again_writes_where_it_did() {
        let (e, _) = engine();
        let x = ramp(&e, 1 << 16, DType::F32);
        let sum = |by: i64| e.binary(BinaryOp::Add, &x, Scalar::Int(by)).unwrap();
        let first = statement(&e, 1, None, &|| sum(1)).unwrap();
        let place = address(&first);
        let second = statement(&e, 1, Some(&first), &|| sum(2)).unwrap();
        assert_eq!(address(&second), place);
        assert_eq!(last(&second, &e), last(&sum(2), &e));
        // Several pieces of the graph: what is computed before keeps to memory of its own.
        let centred = || {
            let total = e.reduce(crate::tensor::Reduction::Sum, &x, None, true).unwrap();
            e.binary(BinaryOp::Sub, &x, &total).unwrap()
        };
        drop(first);
        let third = statement(&e, 1, Some(&second), &centred).unwrap();
        assert_eq!((address(&third), last(&third, &e)), (place, last(&centred(), &e)));
    }

    #[test]
    fn a_copy_is_written_where_it_was() {
        let (e, _) = engine();
        let x = ramp(&e, 1 << 16, DType::F32);
        let copy = || e.copy(&x).unwrap();
        let first = statement(&e, 1, None, &copy).unwrap();
        let place = address(&first);
        let second = statement(&e, 1, Some(&first), &copy).unwrap();
        assert_eq!((address(&second), last(&second, &e)), (place, last(&x, &e)));
        assert_ne!(address(&second), address(&x));
    }

    #[test]
    fn what_somebody_can_still_see_is_left_alone() {
        let (e, _) = engine();
        let (x, y) = (ramp(&e, 1 << 16, DType::I32), ramp(&e, 1 << 16, DType::I32));
        let sum = || e.binary(BinaryOp::Add, &x, &y).unwrap();
        let fresh = || statement(&e, 1, None, &sum).unwrap();
        let is_taken = |line: u32, replaced: &Tensor, make: &dyn Fn() -> Tensor| {
            let place = address(replaced);
            address(&statement(&e, line, Some(replaced), make).unwrap()) == place
        };
        assert!(is_taken(1, &fresh(), &sum));
        assert!(!is_taken(2, &fresh(), &sum), "another line's memory");
        let (first, second) = (fresh(), fresh());
        let name = first.clone();
        assert!(!is_taken(1, &first, &sum), "a second name");
        let view = e.narrow(&second, 0, 1, 8, 1).unwrap();
        assert!(!is_taken(1, &second, &sum), "a view");
        for held in [e.narrow(&name, 0, 1, 8, 1).unwrap(), view] {
            assert_eq!(e.to_host(&held).unwrap().bytes[..4], 2i32.to_ne_bytes());
        }
        let other = || e.cast(&sum(), DType::I64).unwrap();
        assert!(!is_taken(1, &fresh(), &other), "another type");
        let fewer = || e.narrow(&sum(), 0, 0, 8, 1).unwrap();
        assert!(!is_taken(1, &fresh(), &fewer), "fewer elements");
        let ones = e.binary(BinaryOp::Add, &y, Scalar::Int(1)).unwrap();
        let quotient = || e.binary(BinaryOp::FloorDiv, &x, &ones).unwrap();
        assert!(!is_taken(1, &fresh(), &quotient), "a division that may fail");
        let operand = fresh();
        let again = || e.binary(BinaryOp::Add, &operand, &x).unwrap();
        assert!(!is_taken(1, &operand, &again), "an operand");
    }

    #[test]
    fn an_interrupt_leaves_the_old_value_or_the_new_one() {
        let (e, interrupt) = engine();
        let x = ramp(&e, 3 << 20, DType::F32);
        let make = |by: i64| {
            let sum = e.binary(BinaryOp::Add, &x, Scalar::Int(by)).unwrap();
            e.unary(crate::ir::UnaryOp::Sin, &sum).unwrap()
        };
        let expected = |by: i64| last(&make(by), &e);
        let mut held = statement(&e, 1, None, &|| make(0)).unwrap();
        let mut value = expected(0);
        for turn in 1..40 {
            let raised = interrupt.clone();
            let other = thread::spawn(move || {
                thread::sleep(Duration::from_micros(turn * 100));
                raised.raise();
            });
            let result = statement(&e, 1, Some(&held), &|| make(turn as i64));
            other.join().unwrap();
            interrupt.clear();
            if let Ok(made) = result {
                assert_eq!(address(&made), address(&held));
                (held, value) = (made, expected(turn as i64));
            }
            assert_eq!(last(&held, &e), value);
        }
    }
}
