//! Rust closures as functions of the language.

use super::values::{FromValue, IntoValue};
use crate::diag::Fault;
use crate::interp::Value;
use crate::tensor::Engine;

/// A closure of up to eight arguments whose types can come from values, and whose result can become
/// one. `A` is the tuple of its arguments.
pub trait Callable<A>: 'static {
    const ARITY: usize;

    /// # Errors
    /// What an argument can't become, which names its place; what the closure returns.
    fn call(&self, engine: &Engine, values: &[Value]) -> Result<Value, Fault>;
}

fn argument<T: FromValue>(engine: &Engine, values: &[Value], at: usize) -> Result<T, Fault> {
    T::from_value(engine, &values[at]).map_err(|fault| Fault {
        message: format!("argument {}: {}", at + 1, fault.message),
        ..fault
    })
}

macro_rules! callable {
    ($arity:literal: $($of:ident $at:literal),*) => {
        impl<Closure, Output, $($of),*> Callable<($($of,)*)> for Closure
        where
            Closure: Fn($($of),*) -> Output + 'static,
            Output: IntoValue,
            $($of: FromValue,)*
        {
            const ARITY: usize = $arity;

            fn call(&self, engine: &Engine, _values: &[Value]) -> Result<Value, Fault> {
                self($(argument::<$of>(engine, _values, $at)?),*).into_value(engine)
            }
        }
    };
}

callable!(0:);
callable!(1: A 0);
callable!(2: A 0, B 1);
callable!(3: A 0, B 1, C 2);
callable!(4: A 0, B 1, C 2, D 3);
callable!(5: A 0, B 1, C 2, D 3, E 4);
callable!(6: A 0, B 1, C 2, D 3, E 4, F 5);
callable!(7: A 0, B 1, C 2, D 3, E 4, F 5, G 6);
callable!(8: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
