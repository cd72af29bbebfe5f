//! Statements, and what they are made of.

use std::rc::Rc;

use super::{Arg, BinaryOp, Block, Expr, Ident};
use crate::diag::{Span, Spanned};

#[derive(Debug, Clone, PartialEq)]
pub enum StmtKind {
    Expr(Expr),
    /// `a = b = value`: the targets from left to right.
    Assign {
        targets: Vec<Expr>,
        value: Expr,
    },
    /// `target += value`
    AugAssign {
        target: Expr,
        op: BinaryOp,
        value: Expr,
    },
    Del(Vec<Expr>),
    Pass,
    Import(Vec<ImportName>),
    ImportFrom {
        module: Spanned<Ident>,
        names: ImportNames,
    },
    /// `target: annotation = value`; without a value it only declares.
    AnnAssign {
        target: Expr,
        annotation: Expr,
        value: Option<Expr>,
    },
    /// `if` and its `elif`s in order, at least one, and what `else` holds.
    If {
        branches: Vec<Branch>,
        orelse: Block,
    },
    While {
        test: Expr,
        body: Block,
        orelse: Block,
    },
    For {
        target: Expr,
        iter: Expr,
        body: Block,
        orelse: Block,
    },
    Break,
    Continue,
    Def(Rc<FunctionDef>),
    Return(Option<Expr>),
    Class(Rc<ClassDef>),
    With {
        items: Vec<WithItem>,
        body: Block,
    },
    Try(Box<TryStmt>),
    /// `raise exception from cause`
    Raise {
        exception: Option<Expr>,
        cause: Option<Expr>,
    },
    Assert {
        test: Expr,
        message: Option<Expr>,
    },
    Global(Vec<Spanned<Ident>>),
    Nonlocal(Vec<Spanned<Ident>>),
}

impl StmtKind {
    /// The blocks that run as parts of the statement, in the order of the text: all but those of
    /// functions and classes, which have names of their own.
    pub fn blocks(&self) -> Vec<&Block> {
        match self {
            StmtKind::If { branches, orelse } => {
                branches.iter().map(|branch| &branch.body).chain([orelse]).collect()
            }
            StmtKind::While { body, orelse, .. } | StmtKind::For { body, orelse, .. } => {
                vec![body, orelse]
            }
            StmtKind::With { body, .. } => vec![body],
            StmtKind::Try(parts) => {
                let handlers = parts.handlers.iter().map(|handler| &handler.body);
                let around = [&parts.orelse, &parts.finally];
                [&parts.body].into_iter().chain(handlers).chain(around).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// `if test: body`, or `elif`.
#[derive(Debug, Clone, PartialEq)]
pub struct Branch {
    pub test: Expr,
    pub body: Block,
}

/// `@decorator def name(parameters) -> returns: body`
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionDef {
    /// As written, from the outermost inwards.
    pub decorators: Vec<Expr>,
    pub name: Spanned<Ident>,
    pub parameters: Parameters,
    pub returns: Option<Expr>,
    pub body: Block,
}

/// `class name(bases): body`
#[derive(Debug, Clone, PartialEq)]
pub struct ClassDef {
    pub decorators: Vec<Expr>,
    pub name: Spanned<Ident>,
    pub bases: Vec<Arg>,
    pub body: Block,
}

/// `(a, /, b=1, *args, c, **kwargs)`
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Parameters {
    /// Before the slash.
    pub positional_only: Vec<Parameter>,
    pub positional: Vec<Parameter>,
    /// `*args`
    pub star: Option<Parameter>,
    /// Behind `*` or `*args`.
    pub keyword_only: Vec<Parameter>,
    /// `**kwargs`
    pub double_star: Option<Parameter>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    pub name: Spanned<Ident>,
    pub annotation: Option<Expr>,
    pub default: Option<Expr>,
}

/// `context as target`
#[derive(Debug, Clone, PartialEq)]
pub struct WithItem {
    pub context: Expr,
    pub target: Option<Expr>,
}

/// `try: body`, with handlers, a `finally`, or both.
#[derive(Debug, Clone, PartialEq)]
pub struct TryStmt {
    pub body: Block,
    pub handlers: Vec<Handler>,
    /// Whether they are `except*`: each takes a part of a group.
    pub takes_parts: bool,
    pub orelse: Block,
    pub finally: Block,
}

/// `except kind as name: body`
#[derive(Debug, Clone, PartialEq)]
pub struct Handler {
    /// Of the line with the `except`.
    pub span: Span,
    /// Nothing in a bare `except:`, which must be the last.
    pub kind: Option<Expr>,
    pub name: Option<Spanned<Ident>>,
    pub body: Block,
}

/// `numpy.linalg as la`
#[derive(Debug, Clone, PartialEq)]
pub struct ImportName {
    /// The dotted path, as written.
    pub path: Spanned<Ident>,
    pub alias: Option<Spanned<Ident>>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ImportNames {
    /// `from m import *`
    Star,
    Names(Vec<ImportName>),
}
