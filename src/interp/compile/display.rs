//! Displays, f-strings, and where an index's parts stand.

use super::Compiler;
use super::code::Places;
use super::constant::number;
use super::op::{Op, Reg};
use crate::diag::{Span, Spanned};
use crate::interp::value::Value;
use crate::syntax::ast::{Conversion, DictItem, Expr, ExprKind, FStringPart, Ident};

/// More items than this are added one by one, so that they need no registers.
const IN_REGISTERS: usize = 64;
/// Tuples that are so deep in others are made when they are met.
const DEEP: usize = 4;

impl Compiler<'_> {
    #[inline(never)]
    pub(super) fn tuple(&mut self, items: &[Expr], to: Reg, span: Span) {
        if let Some(known) = self.constant_tuple(items, 0) {
            return self.constant_to(known, to, span);
        }
        if let Some((first, count)) = self.plain_items(items) {
            self.emit(Op::Tuple { to, first, count }, span);
            return;
        }
        let list = self.temporary();
        self.list(items, list, span);
        self.emit(Op::ListToTuple { to, list }, span);
    }

    /// The tuple of items that stand in the text, `depth` tuples inside.
    fn constant_tuple(&self, items: &[Expr], depth: usize) -> Option<Value> {
        if items.len() > IN_REGISTERS || depth > DEEP {
            return None;
        }
        let known = |item: &Expr| match &item.node {
            ExprKind::Str(text) => Some(self.interp.part(text)),
            ExprKind::Tuple(items) => self.constant_tuple(items, depth + 1),
            _ => number(item),
        };
        items.iter().map(known).collect::<Option<Vec<_>>>().map(Value::tuple)
    }

    #[inline(never)]
    pub(super) fn list(&mut self, items: &[Expr], to: Reg, span: Span) {
        if let Some((first, count)) = self.plain_items(items) {
            self.emit(Op::List { to, first, count }, span);
            return;
        }
        // Nobody sees the list before it is done, and a variable that its items use stays.
        let list = self.temporary();
        self.emit(Op::List { to: list, first: 0, count: 0 }, span);
        for item in items {
            let mark = self.mark();
            match &item.node {
                ExprKind::Starred(inner) => {
                    let items = self.expr(inner);
                    self.emit(Op::Extend { list, items }, item.span);
                }
                _ => {
                    let value = self.expr(item);
                    self.emit(Op::Append { list, item: value }, item.span);
                }
            }
            self.release(mark);
        }
        self.emit(Op::Move { to, from: list }, span);
    }

    #[inline(never)]
    pub(super) fn set(&mut self, items: &[Expr], to: Reg, span: Span) {
        let set = self.temporary();
        self.emit(Op::Set { to: set }, span);
        for item in items {
            let mark = self.mark();
            match &item.node {
                ExprKind::Starred(inner) => {
                    let items = self.expr(inner);
                    self.emit(Op::SetExtend { set, items }, item.span);
                }
                _ => {
                    let value = self.expr(item);
                    self.emit(Op::SetAdd { set, item: value }, item.span);
                }
            }
            self.release(mark);
        }
        self.emit(Op::Move { to, from: set }, span);
    }

    #[inline(never)]
    pub(super) fn dict(&mut self, items: &[DictItem], to: Reg, span: Span) {
        let dict = self.temporary();
        self.emit(Op::Dict { to: dict }, span);
        for item in items {
            let mark = self.mark();
            match item {
                DictItem::Pair(key, value) => {
                    let item = self.in_temporary(key);
                    self.in_temporary(value);
                    self.emit(Op::Insert { dict, item }, key.span);
                }
                DictItem::Unpack(mapping) => {
                    let from = self.expr(mapping);
                    self.emit(Op::Merge { dict, mapping: from }, mapping.span);
                }
            }
            self.release(mark);
        }
        self.emit(Op::Move { to, from: dict }, span);
    }

    /// A few items without stars in registers in a row.
    fn plain_items(&mut self, items: &[Expr]) -> Option<(Reg, u16)> {
        let has_star = items.iter().any(|item| matches!(item.node, ExprKind::Starred(_)));
        if has_star || items.len() > IN_REGISTERS {
            return None;
        }
        let first = self.mark();
        items.iter().for_each(|item| _ = self.in_temporary(item));
        Some((first, items.len() as u16))
    }

    #[inline(never)]
    pub(super) fn fstring(&mut self, parts: &[FStringPart], to: Reg, span: Span) {
        let first = self.mark();
        let mut count = 0;
        for part in parts {
            let text = self.temporary();
            count += 1;
            match part {
                FStringPart::Literal(literal) => {
                    self.constant_to(Value::str(literal), text, span);
                }
                FStringPart::Field { value, debug: None, conversion: None, spec: None } => {
                    self.expr_to(value, text);
                    self.emit(Op::Text { value: text }, value.span);
                }
                FStringPart::Field { value, debug, conversion, spec } => {
                    let mut text = text;
                    if let Some(debug) = debug {
                        self.constant_to(Value::str(debug), text, span);
                        text = self.temporary();
                        count += 1;
                    }
                    let mark = self.mark();
                    let field = self.in_temporary(value);
                    let specification = self.temporary();
                    match spec {
                        Some(parts) => self.fstring(parts, specification, value.span),
                        None => self.constant_to(Value::str(""), specification, value.span),
                    }
                    // `{x=}` without more shows the repr.
                    let conversion = match (conversion, debug, spec) {
                        (None, Some(_), None) => Some(Conversion::Repr),
                        _ => *conversion,
                    };
                    let conversion = match conversion {
                        None => 0,
                        Some(Conversion::Repr) => b'r',
                        Some(Conversion::Str) => b's',
                        Some(Conversion::Ascii) => b'a',
                    };
                    self.emit(Op::Format { to: text, first: field, conversion }, value.span);
                    self.release(mark);
                }
            }
            if count >= IN_REGISTERS as u16 {
                self.emit(Op::Join { to: first, first, count }, span);
                self.release(first + 1);
                count = 1;
            }
        }
        self.emit(Op::Join { to, first, count }, span);
        self.release(first);
    }

    pub(super) fn attribute_name(&mut self, name: &Spanned<Ident>) -> u16 {
        let node = self.own_name(&name.node);
        let names = &mut self.code().names;
        names.push(Spanned { node, span: name.span });
        let at = names.len() - 1;
        self.checked(at)
    }

    /// Says where the parts of an index stand, behind an operation that reads through it; `from` is
    /// the place of the value where one is stored.
    pub(super) fn places(&mut self, index: &Expr, from: Span) {
        let parts = match &index.node {
            ExprKind::Tuple(items)
                if !items.iter().any(|item| matches!(item.node, ExprKind::Starred(_))) =>
            {
                items.iter().map(|item| item.span).collect()
            }
            _ => Vec::new(),
        };
        let slice = |part: &Expr| match &part.node {
            ExprKind::Slice { start, stop, step } => {
                [start, stop, step].map(|bound| bound.as_ref().map_or(part.span, |b| b.span))
            }
            _ => [part.span; 3],
        };
        let slices = match &index.node {
            ExprKind::Tuple(items) => items.iter().map(slice).collect(),
            _ => vec![slice(index)],
        };
        let places = &mut self.code().places;
        places.push(Places { whole: index.span, parts, slices, from });
        let at = places.len() - 1;
        let index_at = self.checked(at);
        self.emit(Op::Places { index: index_at }, index.span);
    }
}
