//! The tree that the parser makes: Python's own, cut to the language. Every node carries its span.

use std::rc::Rc;

use crate::diag::Spanned;

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

#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    None,
    Ellipsis,
    Bool(bool),
    Int(i64),
    /// An integer literal too large for 64 bits: its decimal digits. Using it is an OverflowError,
    /// except behind a minus sign that brings it into range.
    BigInt(Rc<str>),
    Float(f64),
    Str(Rc<str>),
    /// `f"…"`
    FString(Vec<FStringPart>),
    Name(Ident),
    Tuple(Vec<Expr>),
    List(Vec<Expr>),
    Dict(Vec<(Expr, Expr)>),
    /// `*expr`, in targets, calls, and displays of tuples and lists.
    Starred(Box<Expr>),
    Unary {
        op: UnaryOp,
        operand: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    /// `and` and `or`, with all operands of one level.
    Logical {
        op: BoolOp,
        operands: Vec<Expr>,
    },
    /// `first < a <= b`: a chain.
    Compare {
        first: Box<Expr>,
        rest: Vec<(CompareOp, Expr)>,
    },
    /// `then if test else orelse`
    Conditional {
        test: Box<Expr>,
        then: Box<Expr>,
        orelse: Box<Expr>,
    },
    Attribute {
        value: Box<Expr>,
        name: Spanned<Ident>,
    },
    Call {
        callee: Box<Expr>,
        args: Vec<Arg>,
    },
    /// `value[index]`: a tuple index is `ExprKind::Tuple`, exactly as in Python's tree.
    Subscript {
        value: Box<Expr>,
        index: Box<Expr>,
    },
    /// `start:stop:step`, only directly inside a subscript.
    Slice {
        start: Option<Box<Expr>>,
        stop: Option<Box<Expr>>,
        step: Option<Box<Expr>>,
    },
}

/// One argument of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Arg {
    Positional(Expr),
    /// `*expr`
    Star(Expr),
    Keyword {
        name: Spanned<Ident>,
        value: Expr,
    },
    /// `**expr`
    DoubleStar(Expr),
}

#[derive(Debug, Clone, PartialEq)]
pub enum FStringPart {
    Literal(Rc<str>),
    Field {
        value: Expr,
        /// The text of `{value=}`, with the equals sign and the spaces around it.
        debug: Option<Rc<str>>,
        conversion: Option<Conversion>,
        /// The format specification, itself an f-string: `{x:{width}.2f}`.
        spec: Option<Vec<FStringPart>>,
    },
}

/// `!r`, `!s` or `!a`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conversion {
    Repr,
    Str,
    Ascii,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Not,
    Neg,
    Pos,
    Invert,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    Mod,
    Pow,
    MatMul,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
}

impl BinaryOp {
    /// As written between its operands.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::FloorDiv => "//",
            BinaryOp::Mod => "%",
            BinaryOp::Pow => "**",
            BinaryOp::MatMul => "@",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BoolOp {
    And,
    Or,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CompareOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Is,
    IsNot,
    In,
    NotIn,
}

impl CompareOp {
    /// As written between its operands.
    pub fn symbol(self) -> &'static str {
        match self {
            CompareOp::Eq => "==",
            CompareOp::Ne => "!=",
            CompareOp::Lt => "<",
            CompareOp::Le => "<=",
            CompareOp::Gt => ">",
            CompareOp::Ge => ">=",
            CompareOp::Is => "is",
            CompareOp::IsNot => "is not",
            CompareOp::In => "in",
            CompareOp::NotIn => "not in",
        }
    }
}
