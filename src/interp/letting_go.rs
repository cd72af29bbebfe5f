//! Values that hold each other deep are let go of one after the other: no depth of them takes more
//! than a piece of the native stack.

use std::any::Any;
use std::cell::{Cell, RefCell};

/// As many may be let go of inside each other.
const DEEP: usize = 100;

thread_local! {
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// What waits until those around it are gone.
    static WAITING: RefCell<Vec<Box<dyn Any>>> = const { RefCell::new(Vec::new()) };
}

/// Drops what a value has held, now or when those around it are gone.
pub fn let_go<T: 'static>(held: T) {
    let depth = DEPTH.get();
    if depth >= DEEP {
        // A thread that ends has no list any more, and drops its values itself.
        let held = Cell::new(Some(held));
        let wait = |waiting: &RefCell<Vec<Box<dyn Any>>>| {
            waiting.borrow_mut().extend(held.take().map(|held| Box::new(held) as Box<dyn Any>));
        };
        _ = WAITING.try_with(wait);
        return;
    }
    DEPTH.set(depth + 1);
    drop(held);
    if depth == 0 {
        while let Ok(Some(next)) = WAITING.try_with(|waiting| waiting.borrow_mut().pop()) {
            drop(next);
        }
    }
    DEPTH.set(depth);
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::super::value::Slice;
    use super::super::{Value, depth};

    /// Deep enough to take more than a test's stack.
    const MANY: usize = 300_000;

    fn chain(hold: impl Fn(Value) -> Value) -> Value {
        (0..MANY).fold(Value::None, |inner, _| hold(inner))
    }

    #[test]
    fn deep_values_are_dropped_on_a_small_stack() {
        let run = || {
            drop(chain(|inner| Value::list(vec![inner])));
            drop(chain(|inner| Value::tuple([inner, Value::Int(1)])));
            drop(chain(|inner| Value::dict([("inner", inner)])));
            drop(chain(|inner| {
                Value::Slice(Rc::new(Slice { start: inner, stop: Value::None, step: Value::None }))
            }));
        };
        std::thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap().join().unwrap();
    }

    #[test]
    fn the_stack_grows() {
        fn down(left: usize) -> usize {
            let here = std::hint::black_box([left; 100]);
            if left == 0 { 0 } else { here[99] - left + 1 + depth::with_room(|| down(left - 1)) }
        }
        let run = || assert_eq!(down(100_000), 100_000);
        std::thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap().join().unwrap();
    }
}
