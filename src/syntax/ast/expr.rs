//! Expressions, and what they are made of.

use std::rc::Rc;

use super::{BinaryOp, BoolOp, CompareOp, Expr, Ident, Inner, Parameters, UnaryOp};
use crate::diag::Spanned;

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
    /// `2j`
    Imaginary(f64),
    Str(Rc<str>),
    /// `b"…"`
    Bytes(Rc<[u8]>),
    /// `f"…"`
    FString(Vec<FStringPart>),
    Name(Ident),
    Tuple(Vec<Expr>),
    List(Vec<Expr>),
    Dict(Vec<DictItem>),
    Set(Vec<Expr>),
    /// `*expr`, in targets, calls, and displays of tuples and lists.
    Starred(Inner),
    Unary {
        op: UnaryOp,
        operand: Inner,
    },
    Binary {
        op: BinaryOp,
        lhs: Inner,
        rhs: Inner,
    },
    /// `and` and `or`, with all operands of one level.
    Logical {
        op: BoolOp,
        operands: Vec<Expr>,
    },
    /// `first < a <= b`: a chain.
    Compare {
        first: Inner,
        rest: Vec<(CompareOp, Expr)>,
    },
    /// `then if test else orelse`
    Conditional {
        test: Inner,
        then: Inner,
        orelse: Inner,
    },
    Attribute {
        value: Inner,
        name: Spanned<Ident>,
    },
    Call {
        callee: Inner,
        args: Vec<Arg>,
    },
    /// `value[index]`: a tuple index is `ExprKind::Tuple`, exactly as in Python's tree.
    Subscript {
        value: Inner,
        index: Inner,
    },
    /// `start:stop:step`, only directly inside a subscript.
    Slice {
        start: Option<Inner>,
        stop: Option<Inner>,
        step: Option<Inner>,
    },
    /// `name := value`
    Named {
        name: Spanned<Ident>,
        value: Inner,
    },
    Lambda(Rc<Lambda>),
    Comprehension(Rc<Comprehension>),
    /// Only in functions.
    Yield(Option<Inner>),
    YieldFrom(Inner),
}

/// A part of a dictionary's display.
#[derive(Debug, Clone, PartialEq)]
pub enum DictItem {
    Pair(Expr, Expr),
    /// `**mapping`
    Unpack(Expr),
}

/// `lambda parameters: body`
#[derive(Debug, Clone, PartialEq)]
pub struct Lambda {
    pub parameters: Parameters,
    pub body: Expr,
}

/// `[element for target in iter if condition]` and its relatives.
#[derive(Debug, Clone, PartialEq)]
pub struct Comprehension {
    pub kind: ComprehensionKind,
    /// From the outermost loop inwards, at least one.
    pub clauses: Vec<Clause>,
}

/// What a comprehension makes, and of what.
#[derive(Debug, Clone, PartialEq)]
pub enum ComprehensionKind {
    List(Expr),
    Set(Expr),
    Dict(Expr, Expr),
    Generator(Expr),
}

/// `for target in iter if condition if condition`
#[derive(Debug, Clone, PartialEq)]
pub struct Clause {
    pub target: Expr,
    pub iter: Expr,
    pub conditions: Vec<Expr>,
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
