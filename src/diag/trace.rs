//! What an error carries of the program that it passed through.

use std::any::Any;
use std::fmt;
use std::rc::Rc;

use super::{Diagnostic, Span};

/// A call of one of the program's functions.
#[derive(Debug, Clone, PartialEq)]
pub struct CallSite {
    /// What was called.
    pub function: Rc<str>,
    /// The call. Of a function that a built-in one called back, the built-in one's.
    pub span: Span,
}

/// An exception that a program raised. What it is only the interpreter knows.
#[derive(Clone)]
pub struct Raised {
    /// The name of its class.
    pub class: ClassName,
    pub value: Rc<dyn Any>,
}

/// The name of a class: one of the program's, or one that is built in.
#[derive(Debug, Clone)]
pub enum ClassName {
    Program(Rc<str>),
    Native(&'static str),
}

impl std::ops::Deref for ClassName {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            ClassName::Program(name) => name,
            ClassName::Native(name) => name,
        }
    }
}

/// An error that came before another.
#[derive(Debug, Clone, PartialEq)]
pub struct Earlier {
    pub error: Diagnostic,
    /// Whether the later one was raised `from` it, and not just while it was handled.
    pub is_cause: bool,
}

impl Earlier {
    /// Python's words between the two.
    pub fn words(&self) -> &'static str {
        match self.is_cause {
            true => "The above exception was the direct cause of the following exception:",
            false => "During handling of the above exception, another exception occurred:",
        }
    }
}

impl PartialEq for Raised {
    fn eq(&self, other: &Raised) -> bool {
        Rc::ptr_eq(&self.value, &other.value)
    }
}

impl fmt::Debug for Raised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{} object>", &*self.class)
    }
}
