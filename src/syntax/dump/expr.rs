//! Expressions in the common form.

use std::fmt::Write;

use super::{dump_parameters, maybe};
use crate::syntax::ast::{
    Arg, BinaryOp, BoolOp, Clause, CompareOp, Comprehension, ComprehensionKind, Conversion,
    DictItem, Expr, ExprKind, FStringPart, UnaryOp,
};
use crate::syntax::room::with_room;

fn dump_expr(out: &mut String, expr: &Expr) {
    with_room(|| dump_node(out, expr));
}

fn dump_node(out: &mut String, expr: &Expr) {
    match &expr.node {
        ExprKind::None => out.push_str("(none)"),
        ExprKind::Ellipsis => out.push_str("(ellipsis)"),
        ExprKind::Bool(value) => list(out, "bool", |out| word(out, &value.to_string())),
        ExprKind::Int(value) => list(out, "int", |out| word(out, &value.to_string())),
        ExprKind::BigInt(digits) => list(out, "int", |out| word(out, digits)),
        // All the bits, so that two parsers agree on the value and not on a rounding of it.
        ExprKind::Float(value) => {
            list(out, "float", |out| word(out, &format!("{:016x}", value.to_bits())));
        }
        ExprKind::Imaginary(value) => {
            list(out, "imaginary", |out| word(out, &format!("{:016x}", value.to_bits())));
        }
        ExprKind::Str(text) => dump_text(out, text),
        ExprKind::Bytes(bytes) => list(out, "bytes", |out| {
            bytes.iter().for_each(|byte| word(out, &format!("{byte:02x}")));
        }),
        ExprKind::FString(parts) => dump_fstring(out, parts),
        ExprKind::Name(name) => list(out, "name", |out| word(out, name)),
        ExprKind::Tuple(elements) => list(out, "tuple", |out| items(out, elements)),
        ExprKind::List(elements) => list(out, "list", |out| items(out, elements)),
        ExprKind::Dict(entries) => list(out, "dict", |out| {
            for entry in entries {
                match entry {
                    DictItem::Pair(key, value) => {
                        item(out, key);
                        item(out, value);
                    }
                    DictItem::Unpack(mapping) => {
                        word(out, "**");
                        item(out, mapping);
                    }
                }
            }
        }),
        ExprKind::Set(elements) => list(out, "set", |out| items(out, elements)),
        ExprKind::Starred(value) => list(out, "starred", |out| item(out, value)),
        ExprKind::Unary { op, operand } => list(out, "unary", |out| {
            word(out, unary_name(*op));
            item(out, operand);
        }),
        ExprKind::Binary { op, lhs, rhs } => list(out, "binary", |out| {
            word(out, binary_name(*op));
            item(out, lhs);
            item(out, rhs);
        }),
        ExprKind::Logical { op, operands } => list(out, "logical", |out| {
            word(out, if *op == BoolOp::And { "And" } else { "Or" });
            items(out, operands);
        }),
        ExprKind::Compare { first, rest } => list(out, "compare", |out| {
            item(out, first);
            for (op, operand) in rest {
                word(out, compare_name(*op));
                item(out, operand);
            }
        }),
        ExprKind::Conditional { test, then, orelse } => list(out, "conditional", |out| {
            item(out, test);
            item(out, then);
            item(out, orelse);
        }),
        ExprKind::Attribute { value, name } => list(out, "attribute", |out| {
            item(out, value);
            word(out, &name.node);
        }),
        ExprKind::Call { callee, args } => list(out, "call", |out| {
            item(out, callee);
            args.iter().for_each(|arg| dump_arg(out, arg));
        }),
        ExprKind::Subscript { value, index } => list(out, "subscript", |out| {
            item(out, value);
            item(out, index);
        }),
        ExprKind::Slice { start, stop, step } => list(out, "slice", |out| {
            for bound in [start, stop, step] {
                maybe(out, bound.as_deref());
            }
        }),
        ExprKind::Named { name, value } => list(out, "named", |out| {
            word(out, &name.node);
            item(out, value);
        }),
        ExprKind::Lambda(lambda) => list(out, "lambda", |out| {
            dump_parameters(out, &lambda.parameters);
            item(out, &lambda.body);
        }),
        ExprKind::Comprehension(comprehension) => dump_comprehension(out, comprehension),
        ExprKind::Yield(value) => list(out, "yield", |out| maybe(out, value.as_deref())),
        ExprKind::YieldFrom(value) => list(out, "yield_from", |out| item(out, value)),
    }
}

fn dump_comprehension(out: &mut String, comprehension: &Comprehension) {
    let (head, elements) = match &comprehension.kind {
        ComprehensionKind::List(element) => ("list_of", vec![element]),
        ComprehensionKind::Set(element) => ("set_of", vec![element]),
        ComprehensionKind::Dict(key, value) => ("dict_of", vec![key, value]),
        ComprehensionKind::Generator(element) => ("generator_of", vec![element]),
    };
    list(out, head, |out| {
        elements.into_iter().for_each(|element| item(out, element));
        for Clause { target, iter, conditions } in &comprehension.clauses {
            out.push(' ');
            list(out, "for", |out| {
                item(out, target);
                item(out, iter);
                items(out, conditions);
            });
        }
    });
}

pub fn dump_arg(out: &mut String, arg: &Arg) {
    out.push(' ');
    match arg {
        Arg::Positional(value) => dump_expr(out, value),
        Arg::Star(value) => list(out, "starred", |out| item(out, value)),
        Arg::Keyword { name, value } => list(out, "keyword", |out| {
            word(out, &name.node);
            item(out, value);
        }),
        Arg::DoubleStar(value) => list(out, "double_starred", |out| item(out, value)),
    }
}

/// As in CPython's tree, the text of `{x=}` is part of the literal in front of the field, and such
/// a field without conversion and specification is converted by `repr`.
fn dump_fstring(out: &mut String, parts: &[FStringPart]) {
    list(out, "fstring", |out| {
        let mut text = String::new();
        let flush = |out: &mut String, text: &mut String| {
            if !text.is_empty() {
                out.push(' ');
                dump_text(out, text);
                text.clear();
            }
        };
        for part in parts {
            match part {
                FStringPart::Literal(literal) => text.push_str(literal),
                FStringPart::Field { value, debug, conversion, spec } => {
                    text.push_str(debug.as_deref().unwrap_or(""));
                    flush(out, &mut text);
                    out.push(' ');
                    list(out, "field", |out| {
                        item(out, value);
                        word(
                            out,
                            match conversion {
                                Some(Conversion::Repr) => "r",
                                Some(Conversion::Str) => "s",
                                Some(Conversion::Ascii) => "a",
                                None if debug.is_some() && spec.is_none() => "r",
                                None => "_",
                            },
                        );
                        out.push(' ');
                        match spec {
                            Some(spec) => dump_fstring(out, spec),
                            None => out.push('_'),
                        }
                    });
                }
            }
        }
        flush(out, &mut text);
    });
}

/// Printable ASCII as it is, all else as `\u{code}`.
fn dump_text(out: &mut String, text: &str) {
    out.push_str("(str \"");
    for c in text.chars() {
        match c {
            ' '..='~' if c != '"' && c != '\\' => out.push(c),
            // Writing to a string cannot fail.
            _ => _ = write!(out, "\\u{{{:x}}}", c as u32),
        }
    }
    out.push_str("\")");
}

pub fn list(out: &mut String, head: &str, rest: impl FnOnce(&mut String)) {
    out.push('(');
    out.push_str(head);
    rest(out);
    out.push(')');
}

pub fn word(out: &mut String, word: &str) {
    out.push(' ');
    out.push_str(word);
}

pub fn item(out: &mut String, expr: &Expr) {
    out.push(' ');
    dump_expr(out, expr);
}

pub fn items(out: &mut String, exprs: &[Expr]) {
    exprs.iter().for_each(|expr| item(out, expr));
}

fn unary_name(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Not => "Not",
        UnaryOp::Neg => "USub",
        UnaryOp::Pos => "UAdd",
        UnaryOp::Invert => "Invert",
    }
}

pub fn binary_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "Add",
        BinaryOp::Sub => "Sub",
        BinaryOp::Mul => "Mult",
        BinaryOp::Div => "Div",
        BinaryOp::FloorDiv => "FloorDiv",
        BinaryOp::Mod => "Mod",
        BinaryOp::Pow => "Pow",
        BinaryOp::MatMul => "MatMult",
        BinaryOp::BitAnd => "BitAnd",
        BinaryOp::BitOr => "BitOr",
        BinaryOp::BitXor => "BitXor",
        BinaryOp::Shl => "LShift",
        BinaryOp::Shr => "RShift",
    }
}

fn compare_name(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => "Eq",
        CompareOp::Ne => "NotEq",
        CompareOp::Lt => "Lt",
        CompareOp::Le => "LtE",
        CompareOp::Gt => "Gt",
        CompareOp::Ge => "GtE",
        CompareOp::Is => "Is",
        CompareOp::IsNot => "IsNot",
        CompareOp::In => "In",
        CompareOp::NotIn => "NotIn",
    }
}
