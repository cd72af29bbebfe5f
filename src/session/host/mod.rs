//! Between Rust and the language: values both ways, and Rust closures as functions.

mod element;
mod function;
mod rows;
mod tensor;
mod values;

#[cfg(feature = "ndarray")]
pub use ::ndarray;

pub use element::Element;
pub use function::Callable;
pub use rows::{FromRows, ToRows};
pub use tensor::Tensor;
pub use values::{FromValue, IntoValue, Kept};

use std::rc::Rc;

use super::{Nobody, Session, Value};
use crate::diag::{Fault, Source, SourceId, Span, undefined};
use crate::interp::Native;
use crate::syntax::{self, ast::ExprKind, ast::StmtKind};

impl Session {
    /// A variable as a value of Rust.
    ///
    /// # Errors
    /// NameError; TypeError or OverflowError for a value that is no such thing.
    pub fn get<T: FromValue>(&self, name: &str) -> Result<T, Fault> {
        let value = self.interp.get(name);
        let value = value.ok_or_else(|| undefined(name, self.interp.scope.borrow().names()))?;
        self.to_rust(&value)
            .map_err(|fault| Fault { message: format!("`{name}`: {}", fault.message), ..fault })
    }

    /// A value of the language as one of Rust.
    ///
    /// # Errors
    /// TypeError or OverflowError for a value that is no such thing.
    pub fn to_rust<T: FromValue>(&self, value: &Value) -> Result<T, Fault> {
        T::from_value(self.engine(), value)
    }

    /// Binds a name to a value of Rust. What fails changes nothing.
    ///
    /// # Errors
    /// ValueError for what is no name and for rows of different lengths; MemoryError.
    pub fn set(&mut self, name: &str, value: impl IntoValue) -> Result<(), Fault> {
        let name = plain_name(name)?;
        self.settle(&mut Nobody)?;
        self.begin_statement(&format!("{name} = …  # from Rust"), Span::default(), false);
        let value = value.into_value(self.engine())?;
        if let Value::Tensor(tensor) = &value {
            self.engine().realize(&[tensor])?;
            tensor.keep();
        }
        self.bind(name, value, "set from Rust");
        Ok(())
    }

    /// Binds a name, as an input would.
    fn bind(&mut self, name: Rc<str>, value: Value, how: &str) {
        let is_step = self.begin_step(self.next, &format!("{name} = …  # {how}"));
        self.interp.set(name, value);
        if is_step {
            self.end_step(false);
        }
    }

    /// Makes a Rust closure a function of the language: a name like any other, until `:reset`.
    ///
    /// # Errors
    /// ValueError for what is no name.
    pub fn register<A, F: Callable<A>>(&mut self, name: &str, function: F) -> Result<(), Fault> {
        let name = plain_name(name)?;
        let run = Box::new(move |engine: &_, values: &[Value]| function.call(engine, values));
        let native = Native::new(&*name, F::ARITY, run);
        self.bind(name, Value::Native(Rc::new(native)), "registered by Rust");
        Ok(())
    }
}

/// A name as the parser knows it.
fn plain_name(name: &str) -> Result<Rc<str>, Fault> {
    let parsed = syntax::parse(&Source::new(SourceId::default(), "", name));
    if let Ok(module) = &parsed
        && let [statement] = module.body.as_slice()
        && let StmtKind::Expr(expression) = &statement.node
        && let ExprKind::Name(name) = &expression.node
    {
        return Ok(name.clone());
    }
    Err(Fault::value_error(format!("expected a name such as `x`, found `{name}`")))
}

#[cfg(test)]
mod tests;
