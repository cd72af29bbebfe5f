//! What a grammar cannot say: which statements need a function or a loop around them, and what
//! `global`, `nonlocal` and `:=` may do with a name. CPython's rules, in the order of its symbol
//! table, over the finished tree.

mod scope;

use crate::diag::{Diagnostic, SourceResult, Span, Spanned};
use crate::syntax::ast::{
    Arg, Clause, Comprehension, ComprehensionKind, DictItem, Expr, ExprKind, FStringPart,
    FunctionDef, Ident, ImportName, ImportNames, Parameter, Parameters, Stmt, StmtKind,
};
use crate::syntax::{Cell, CellItem, with_room};
use scope::{Kind, Scopes, Use, wrong, wrong_with_hint};

type Judged = SourceResult<()>;

/// The first statement or expression that stands where it may not.
pub fn check(cell: &Cell) -> SourceResult<()> {
    let mut checker = Checker::default();
    let statements = cell.items.iter().filter_map(|item| match item {
        CellItem::Stmt(stmt) => Some(stmt),
        _ => None,
    });
    for stmt in statements {
        checker.stmt(stmt)?;
    }
    checker.scopes.leave()
}

#[derive(Debug, Default)]
struct Checker {
    scopes: Scopes,
    /// How many loops of the innermost function are around this place.
    loops: u32,
    /// How many of them are around the `except*` that this place is in.
    star: Option<u32>,
    /// How many iterables of comprehensions.
    iterables: u32,
}

impl Checker {
    fn stmts(&mut self, stmts: &[Stmt]) -> Judged {
        stmts.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Judged {
        match &stmt.node {
            StmtKind::Expr(value) => self.expr(value),
            StmtKind::Assign { targets, value } => {
                self.targets(targets)?;
                self.expr(value)
            }
            StmtKind::AugAssign { target, value, .. } => {
                self.target(target)?;
                self.expr(value)
            }
            StmtKind::AnnAssign { target, annotation, value } => {
                match &target.node {
                    ExprKind::Name(name) => {
                        let as_what = value.as_ref().map_or(Use::Annotated, |_| Use::Declared);
                        self.scopes.note(name, target.span, as_what)?;
                    }
                    _ => self.target(target)?,
                }
                self.expr(annotation)?;
                self.maybe(value.as_ref())
            }
            StmtKind::Del(targets) => self.targets(targets),
            StmtKind::Pass => Ok(()),
            StmtKind::Import(names) => self.imports(names),
            StmtKind::ImportFrom { names: ImportNames::Names(names), .. } => self.imports(names),
            StmtKind::ImportFrom { names: ImportNames::Star, .. } => {
                match self.scopes.kind() == Kind::Module {
                    true => Ok(()),
                    false => Err(wrong_with_hint(
                        stmt.span,
                        "`import *` stands outside of functions and classes",
                        "name what the function needs: `from m import a, b`",
                    )),
                }
            }
            StmtKind::If { branches, orelse } => {
                for branch in branches {
                    self.expr(&branch.test)?;
                    self.stmts(&branch.body)?;
                }
                self.stmts(orelse)
            }
            StmtKind::While { test, body, orelse } => {
                self.expr(test)?;
                self.loop_body(body)?;
                self.stmts(orelse)
            }
            StmtKind::For { target, iter, body, orelse } => {
                self.target(target)?;
                self.expr(iter)?;
                self.loop_body(body)?;
                self.stmts(orelse)
            }
            StmtKind::Break | StmtKind::Continue if self.star == Some(self.loops) => {
                Err(out_of_star(stmt))
            }
            StmtKind::Return(_) if self.star.is_some() => Err(out_of_star(stmt)),
            StmtKind::Break if self.loops == 0 => Err(wrong(stmt.span, "`break` outside a loop")),
            StmtKind::Continue if self.loops == 0 => {
                Err(wrong(stmt.span, "`continue` outside a loop"))
            }
            StmtKind::Break | StmtKind::Continue => Ok(()),
            StmtKind::Return(value) => {
                if self.scopes.kind() != Kind::Function {
                    return Err(wrong(stmt.span, "`return` outside a function"));
                }
                self.maybe(value.as_ref())
            }
            StmtKind::Def(function) => self.function(function),
            StmtKind::Class(class) => {
                self.scopes.note(&class.name.node, class.name.span, Use::Assigned)?;
                self.args(&class.bases)?;
                self.exprs(&class.decorators)?;
                self.scope(Kind::Class, |checker| checker.stmts(&class.body))
            }
            StmtKind::With { items, body } => {
                for item in items {
                    self.expr(&item.context)?;
                    item.target.iter().try_for_each(|target| self.target(target))?;
                }
                self.stmts(body)
            }
            StmtKind::Try(parts) => {
                self.stmts(&parts.body)?;
                for handler in &parts.handlers {
                    self.maybe(handler.kind.as_ref())?;
                    if let Some(name) = &handler.name {
                        self.scopes.note(&name.node, name.span, Use::Assigned)?;
                    }
                    let around = self.star;
                    if parts.takes_parts {
                        self.star = Some(self.loops);
                    }
                    self.stmts(&handler.body)?;
                    self.star = around;
                }
                self.stmts(&parts.orelse)?;
                self.stmts(&parts.finally)
            }
            StmtKind::Raise { exception, cause } => {
                self.maybe(exception.as_ref())?;
                self.maybe(cause.as_ref())
            }
            StmtKind::Assert { test, message } => {
                self.expr(test)?;
                self.maybe(message.as_ref())
            }
            StmtKind::Global(names) => self.declare(names, Use::Global),
            StmtKind::Nonlocal(names) => {
                if self.scopes.kind() == Kind::Module {
                    return Err(wrong_with_hint(
                        stmt.span,
                        "`nonlocal` outside a function",
                        "it names a variable of the function around the one that it stands in",
                    ));
                }
                self.declare(names, Use::Nonlocal)
            }
        }
    }

    fn loop_body(&mut self, body: &[Stmt]) -> Judged {
        self.loops += 1;
        let judged = self.stmts(body);
        self.loops -= 1;
        judged
    }

    fn function(&mut self, function: &FunctionDef) -> Judged {
        self.scopes.note(&function.name.node, function.name.span, Use::Assigned)?;
        self.defaults(&function.parameters)?;
        for parameter in every(&function.parameters) {
            self.maybe(parameter.annotation.as_ref())?;
        }
        self.maybe(function.returns.as_ref())?;
        self.exprs(&function.decorators)?;
        self.scope(Kind::Function, |checker| {
            checker.parameters(&function.parameters)?;
            checker.stmts(&function.body)
        })
    }

    fn defaults(&mut self, parameters: &Parameters) -> Judged {
        every(parameters).try_for_each(|parameter| self.maybe(parameter.default.as_ref()))
    }

    fn parameters(&mut self, parameters: &Parameters) -> Judged {
        every(parameters).try_for_each(|parameter| {
            self.scopes.note(&parameter.name.node, parameter.name.span, Use::Parameter)
        })
    }

    /// What stands in a scope of its own, where no loop of another one counts.
    fn scope(&mut self, kind: Kind, inside: impl FnOnce(&mut Self) -> Judged) -> Judged {
        let loops = std::mem::take(&mut self.loops);
        let star = self.star.take();
        self.scopes.enter(kind);
        let judged = inside(self);
        (self.loops, self.star) = (loops, star);
        judged.and_then(|()| self.scopes.leave())
    }

    fn declare(&mut self, names: &[Spanned<Ident>], as_what: Use) -> Judged {
        names.iter().try_for_each(|name| self.scopes.note(&name.node, name.span, as_what))
    }

    fn imports(&mut self, names: &[ImportName]) -> Judged {
        for import in names {
            let path = import.alias.as_ref().unwrap_or(&import.path);
            let name = path.node.split('.').next().unwrap_or_default();
            self.scopes.note(&name.into(), path.span, Use::Imported)?;
        }
        Ok(())
    }

    fn targets(&mut self, targets: &[Expr]) -> Judged {
        targets.iter().try_for_each(|target| self.target(target))
    }

    fn target(&mut self, target: &Expr) -> Judged {
        match &target.node {
            ExprKind::Name(name) => self.scopes.note(name, target.span, Use::Assigned),
            ExprKind::Tuple(items) | ExprKind::List(items) => self.targets(items),
            ExprKind::Starred(item) => self.target(item),
            _ => self.expr(target),
        }
    }

    fn exprs(&mut self, exprs: &[Expr]) -> Judged {
        exprs.iter().try_for_each(|expr| self.expr(expr))
    }

    fn maybe(&mut self, expr: Option<&Expr>) -> Judged {
        expr.map_or(Ok(()), |expr| self.expr(expr))
    }

    fn expr(&mut self, expr: &Expr) -> Judged {
        with_room(|| self.node(expr))
    }

    fn node(&mut self, expr: &Expr) -> Judged {
        match &expr.node {
            ExprKind::None
            | ExprKind::Ellipsis
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::BigInt(_)
            | ExprKind::Float(_)
            | ExprKind::Imaginary(_)
            | ExprKind::Str(_)
            | ExprKind::Bytes(_) => Ok(()),
            ExprKind::FString(parts) => self.fstring(parts),
            ExprKind::Name(name) => self.scopes.note(name, expr.span, Use::Read),
            ExprKind::Tuple(items) | ExprKind::List(items) | ExprKind::Set(items) => {
                self.exprs(items)
            }
            ExprKind::Dict(items) => items.iter().try_for_each(|item| match item {
                DictItem::Pair(key, value) => {
                    self.expr(key)?;
                    self.expr(value)
                }
                DictItem::Unpack(mapping) => self.expr(mapping),
            }),
            ExprKind::Starred(value)
            | ExprKind::Unary { operand: value, .. }
            | ExprKind::Attribute { value, .. } => self.expr(value),
            ExprKind::Binary { lhs, rhs, .. } => {
                self.expr(lhs)?;
                self.expr(rhs)
            }
            ExprKind::Logical { operands, .. } => self.exprs(operands),
            ExprKind::Compare { first, rest } => {
                self.expr(first)?;
                rest.iter().try_for_each(|(_, operand)| self.expr(operand))
            }
            ExprKind::Conditional { test, then, orelse } => {
                [test, then, orelse].into_iter().try_for_each(|part| self.expr(part))
            }
            ExprKind::Call { callee, args } => {
                self.expr(callee)?;
                self.args(args)
            }
            ExprKind::Subscript { value, index } => {
                self.expr(value)?;
                self.expr(index)
            }
            ExprKind::Slice { start, stop, step } => {
                [start, stop, step].into_iter().flatten().try_for_each(|part| self.expr(part))
            }
            ExprKind::Named { name, value } => {
                if self.iterables > 0 {
                    return Err(wrong_with_hint(
                        expr.span,
                        "`:=` cannot stand in what a comprehension goes through",
                        "assign in a statement of its own, in front of it",
                    ));
                }
                self.expr(value)?;
                self.scopes.note_walrus(&name.node, name.span)
            }
            ExprKind::Lambda(lambda) => {
                self.defaults(&lambda.parameters)?;
                self.scope(Kind::Function, |checker| {
                    checker.parameters(&lambda.parameters)?;
                    checker.expr(&lambda.body)
                })
            }
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension),
            ExprKind::Yield(value) => {
                self.yields(expr.span)?;
                self.maybe(value.as_deref())
            }
            ExprKind::YieldFrom(value) => {
                self.yields(expr.span)?;
                self.expr(value)
            }
        }
    }

    fn yields(&self, span: Span) -> Judged {
        match self.scopes.kind() {
            Kind::Function => Ok(()),
            Kind::Comprehension => Err(wrong(span, "`yield` inside a comprehension")),
            _ => Err(wrong(span, "`yield` outside a function")),
        }
    }

    fn args(&mut self, args: &[Arg]) -> Judged {
        args.iter().try_for_each(|arg| match arg {
            Arg::Positional(value)
            | Arg::Star(value)
            | Arg::Keyword { value, .. }
            | Arg::DoubleStar(value) => self.expr(value),
        })
    }

    fn fstring(&mut self, parts: &[FStringPart]) -> Judged {
        parts.iter().try_for_each(|part| match part {
            FStringPart::Literal(_) => Ok(()),
            FStringPart::Field { value, spec, .. } => {
                self.expr(value)?;
                self.fstring(spec.as_deref().unwrap_or_default())
            }
        })
    }

    /// What the outermost loop goes through belongs to the scope around.
    fn comprehension(&mut self, comprehension: &Comprehension) -> Judged {
        if let Some(first) = comprehension.clauses.first() {
            self.iterable(&first.iter)?;
        }
        self.scope(Kind::Comprehension, |checker| {
            for (at, clause) in comprehension.clauses.iter().enumerate() {
                checker.clause(clause, at == 0)?;
            }
            match &comprehension.kind {
                ComprehensionKind::List(element)
                | ComprehensionKind::Set(element)
                | ComprehensionKind::Generator(element) => checker.expr(element),
                ComprehensionKind::Dict(key, value) => {
                    checker.expr(value)?;
                    checker.expr(key)
                }
            }
        })
    }

    fn clause(&mut self, clause: &Clause, is_outermost: bool) -> Judged {
        self.iteration_target(&clause.target)?;
        if !is_outermost {
            self.iterable(&clause.iter)?;
        }
        self.exprs(&clause.conditions)
    }

    fn iteration_target(&mut self, target: &Expr) -> Judged {
        match &target.node {
            ExprKind::Name(name) => self.scopes.note(name, target.span, Use::Iteration),
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                items.iter().try_for_each(|item| self.iteration_target(item))
            }
            ExprKind::Starred(item) => self.iteration_target(item),
            // To CPython `x` is a variable of the loop in `for x[0] in y`, too.
            ExprKind::Subscript { value, index } => {
                with_room(|| self.iteration_target(value))?;
                self.expr(index)
            }
            ExprKind::Attribute { value, .. } => with_room(|| self.iteration_target(value)),
            _ => self.expr(target),
        }
    }

    fn iterable(&mut self, iter: &Expr) -> Judged {
        self.iterables += 1;
        let judged = self.expr(iter);
        self.iterables -= 1;
        judged
    }
}

/// All parameters, in the order of the text.
fn every(parameters: &Parameters) -> impl Iterator<Item = &Parameter> {
    let Parameters { positional_only, positional, star, keyword_only, double_star } = parameters;
    let plain = positional_only.iter().chain(positional).chain(star);
    plain.chain(keyword_only).chain(double_star)
}

fn out_of_star(stmt: &Stmt) -> Box<Diagnostic> {
    let words = "`break`, `continue` and `return` cannot appear in an `except*` block";
    wrong_with_hint(stmt.span, words, "the other parts of the group want their blocks, too")
}
