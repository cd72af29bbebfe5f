//! The tree that the parser makes: Python's own, cut to the language. Every node carries its span.

mod expr;
mod inner;
mod op;
mod stmt;

use std::rc::Rc;

use crate::diag::Spanned;

pub use expr::{
    Arg, Clause, Comprehension, ComprehensionKind, Conversion, DictItem, ExprKind, FStringPart,
    Lambda,
};
pub use inner::Inner;
pub use op::{BinaryOp, BoolOp, CompareOp, UnaryOp};
pub use stmt::{
    Branch, ClassDef, FunctionDef, Handler, ImportName, ImportNames, Parameter, Parameters,
    StmtKind, TryStmt, WithItem,
};

/// A name as written in the text. Shared, because scopes and nodes hold the same one.
pub type Ident = Rc<str>;

/// One whole input: a cell, a file, a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Module {
    pub body: Vec<Stmt>,
}

pub type Stmt = Spanned<StmtKind>;
pub type Expr = Spanned<ExprKind>;

/// A suite of statements: what a colon opens.
pub type Block = Vec<Stmt>;
