//! `def`, `lambda`, and the bodies of generator expressions.

use std::rc::Rc;

use super::Compiler;
use super::code::{Capture, Code, Kind, Local, Parameters, Prototype};
use super::level::{Level, Place};
use super::op::{Op, Reg};
use super::scope::{CLASS, Scope, every, key};
use crate::diag::Span;
use crate::interp::value::Value;
use crate::syntax::ast::{self, Expr, ExprKind, FunctionDef, Ident, Lambda, Stmt, StmtKind};

/// The name of a function that is not the program's own text, but written for it.
pub const WRITTEN: &str = "<written>";

impl Compiler<'_> {
    pub(super) fn def(&mut self, function: &Rc<FunctionDef>, span: Span) {
        let mark = self.mark();
        let decorators: Vec<Reg> =
            function.decorators.iter().map(|decorator| self.in_temporary(decorator)).collect();
        let to = self.temporary();
        let first = self.defaults(&function.parameters, function.returns.as_ref());
        let name = &function.name.node;
        let scope = self.scopes.get(key(function));
        self.enter(scope, name, &function.parameters, function.name.span);
        self.code().doc = doc_of(&function.body);
        self.code().whole = span;
        self.block(&function.body);
        let index = self.leave(&function.parameters, function.returns.as_ref(), span);
        self.emit(Op::Function { to, first, index }, function.name.span);
        for (at, decorator) in decorators.iter().enumerate().rev() {
            // What is decorated stands behind its decorator.
            debug_assert_eq!(mark + at as Reg, *decorator);
            self.call_one(*decorator, *decorator, function.decorators[at].span);
        }
        let result = if decorators.is_empty() { to } else { mark };
        self.bind(name, result, true, function.name.span);
        self.release(mark);
    }

    #[inline(never)]
    pub(super) fn lambda(&mut self, lambda: &Rc<Lambda>, to: Reg, span: Span) {
        let mark = self.mark();
        let first = self.defaults(&lambda.parameters, None);
        let scope = self.scopes.get(key(lambda));
        self.enter(scope, &"<lambda>".into(), &lambda.parameters, span);
        self.code().whole = span;
        let value = self.expr(&lambda.body);
        self.emit(Op::Return { value }, lambda.body.span);
        let index = self.leave(&lambda.parameters, None, span);
        self.emit(Op::Function { to, first, index }, span);
        self.release(mark);
    }

    /// Computes defaults and then annotations into registers in a row.
    fn defaults(&mut self, parameters: &ast::Parameters, returns: Option<&Expr>) -> Reg {
        let first = self.mark();
        for default in every(parameters).filter_map(|parameter| parameter.default.as_ref()) {
            self.in_temporary(default);
        }
        let annotations = every(parameters).filter_map(|parameter| parameter.annotation.as_ref());
        for annotation in annotations.chain(returns) {
            let to = self.temporary();
            self.annotation_to(annotation, to);
        }
        first
    }

    /// An annotation's value, or its text behind `from __future__ import annotations`.
    pub(super) fn annotation_to(&mut self, annotation: &Expr, to: Reg) {
        if !self.interp.annotations_are_texts.get() {
            return self.expr_to(annotation, to);
        }
        let source = self.code().source.clone();
        let text = source.as_ref().map_or("", |source| source.slice(annotation.span));
        self.constant_to(Value::str(text), to, annotation.span);
    }

    /// What stands in front of the name of what is defined here: `outer.<locals>`, `Class`.
    pub(super) fn qualifier(&self, name: &Ident) -> String {
        if self.levels.last().is_some_and(|level| level.scope.global.contains(name)) {
            return String::new();
        }
        match self.levels.last().map(|level| &level.code) {
            // What is written for the program belongs to nobody's function.
            Some(code) if *code.name.0 == *WRITTEN => String::new(),
            Some(code) if code.kind == Kind::Function => {
                format!("{}.<locals>", &**code.qualified_name)
            }
            Some(code) if code.kind == Kind::Class => code.qualified_name.to_string(),
            _ => String::new(),
        }
    }

    /// Begins a function.
    pub(super) fn enter(
        &mut self,
        scope: Rc<Scope>,
        name: &Ident,
        parameters: &ast::Parameters,
        span: Span,
    ) {
        let around = self.qualifier(name);
        let source = self.code().source.clone();
        let mut level = Level::new(scope, Kind::Function, name, &around, source, span);
        let ast::Parameters { positional_only, positional, star, keyword_only, double_star } =
            parameters;
        let plain = positional_only.iter().chain(positional).chain(keyword_only);
        let all = plain.chain(star).chain(double_star);
        for (at, parameter) in all.enumerate() {
            let name = parameter.name.node.clone();
            level.bind(at as Reg);
            level.names.insert(name.clone(), Place::Local(at as Reg));
            level.code.parameters.names.push(name.clone());
            level.code.locals.push(Local { name, first: parameter.name.span });
        }
        let named = positional_only.len() + positional.len() + keyword_only.len();
        let star_at = star.as_ref().map(|_| named as Reg);
        let double_star_at =
            double_star.as_ref().map(|_| (named + usize::from(star.is_some())) as Reg);
        level.code.parameters = Parameters {
            positional_only: positional_only.len(),
            positional: positional_only.len() + positional.len(),
            keyword_only: keyword_only.len(),
            star: star_at,
            double_star: double_star_at,
            names: std::mem::take(&mut level.code.parameters.names),
        };
        let count = level.code.parameters.count();
        level.code.is_plain = count == level.code.parameters.positional && !level.code.is_generator;
        level.lay_out(count);
        self.levels.push(level);
    }

    /// Ends a function; the number of its prototype in the one around.
    pub(super) fn leave(
        &mut self,
        parameters: &ast::Parameters,
        returns: Option<&Expr>,
        span: Span,
    ) -> u16 {
        if self.level().bound.is_some() {
            let value = self.none(span);
            self.emit(Op::Return { value }, span);
        }
        let code = match self.finish(span) {
            Ok(code) => code,
            Err(_) => {
                self.level().is_too_large = true;
                Rc::new(Code::default())
            }
        };
        let has_default = |parameter: &&ast::Parameter| parameter.default.is_some();
        let positional = parameters.positional_only.iter().chain(&parameters.positional);
        let annotated = every(parameters).filter(|parameter| parameter.annotation.is_some());
        let annotations = annotated.map(|parameter| parameter.name.node.clone());
        let captures = code.free.iter().map(|name| self.capture(name)).collect();
        let prototype = Prototype {
            defaults: positional.filter(has_default).count(),
            keyword_defaults: parameters.keyword_only.iter().map(|p| p.default.is_some()).collect(),
            annotations: annotations.chain(returns.map(|_| "return".into())).collect(),
            captures,
            code,
        };
        let functions = &mut self.code().functions;
        functions.push(Rc::new(prototype));
        let at = functions.len() - 1;
        self.checked(at)
    }

    /// Where a variable is that a function inside takes with it.
    fn capture(&mut self, name: &Ident) -> Capture {
        let level = self.level();
        // A class's own names are nobody else's: a method means by one what it means around the class.
        let is_around = level.code.kind == Kind::Class
            && **name != *CLASS
            && level.scope.bound.contains_key(name)
            && !level.inner.iter().any(|inner| inner.contains_key(name));
        let place = if is_around { self.around(name) } else { self.find(name) };
        match place {
            Place::Cell(index) => Capture::Cell(index),
            Place::Free(index) => Capture::Free(index),
            Place::Local(_) | Place::Global(_) => {
                unreachable!("what functions share is a cell")
            }
        }
    }
}

/// The text that a body begins with.
pub(super) fn doc_of(body: &[Stmt]) -> Option<Rc<str>> {
    match &body.first()?.node {
        StmtKind::Expr(expr) => match &expr.node {
            ExprKind::Str(text) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    }
}
