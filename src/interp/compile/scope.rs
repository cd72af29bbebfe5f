//! Which names belong to which function, found out before code is made: what a function binds, what
//! functions inside take from it, whether it is a generator.

use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::constant::{Constant, beside_comparison, beside_operator};
use super::names::{Visit, walk_expr, walk_stmt};
use crate::diag::Span;
use crate::interp::value::Value;
use crate::syntax::ast::{
    ClassDef, Comprehension, ComprehensionKind, Expr, ExprKind, FunctionDef, Ident, ImportNames,
    Lambda, Parameter, Parameters, Stmt, StmtKind,
};

pub type Names = FxHashSet<Ident>;

/// At most so many constants of a function have registers of their own.
const CONSTANTS: usize = 12;

/// What a scope does with names.
#[derive(Debug, Default)]
pub struct Scope {
    /// Names that it binds, with the place of the first binding.
    pub bound: IndexMap<Ident, Span, FxBuildHasher>,
    pub global: Names,
    pub nonlocal: Names,
    /// Bound names that functions inside use.
    pub cells: Names,
    /// Bound names that are deleted somewhere.
    pub deleted: Names,
    pub is_generator: bool,
    /// Whether an expression binds a name: then operands are copied before others are computed.
    pub has_walrus: bool,
    /// Numbers, truths and `None` that stand beside operators, or are stored.
    pub constants: Vec<Constant>,
    /// How many variables the comprehensions in its frame have.
    pub inner: usize,
    /// Names that are read, by the scope itself or by what runs in its frame.
    used: Names,
    /// Names that functions inside want from around.
    wanted: Names,
}

/// The scopes of a statement, by the address of what opens each.
#[derive(Debug, Default)]
pub struct Scopes {
    known: FxHashMap<*const (), Rc<Scope>>,
    open: Vec<(Scope, Kind)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Cell,
    Class,
    Function,
    /// Of a comprehension that runs in the frame around it.
    Inline,
}

/// The address under which a scope is found.
pub fn key<T>(owner: &Rc<T>) -> *const () {
    Rc::as_ptr(owner).cast()
}

impl Scopes {
    /// Looks through a statement of the cell. Gives the cell's own scope.
    pub fn of(stmt: &Stmt) -> (Scopes, Rc<Scope>) {
        let mut scopes = Scopes::default();
        scopes.enter(Kind::Cell);
        scopes.stmt(stmt);
        let scope = scopes.leave();
        (scopes, Rc::new(scope))
    }

    pub fn get(&self, key: *const ()) -> Rc<Scope> {
        self.known.get(&key).cloned().unwrap_or_default()
    }

    fn enter(&mut self, kind: Kind) {
        self.open.push((Scope::default(), kind));
    }

    /// Closes the innermost scope and tells the one around what it wants.
    fn leave(&mut self) -> Scope {
        let Some((mut scope, kind)) = self.open.pop() else { return Scope::default() };
        for name in &scope.global {
            scope.bound.shift_remove(name);
        }
        for name in &scope.nonlocal {
            scope.bound.shift_remove(name);
        }
        let binds = |name: &Ident| match kind {
            Kind::Class => **name == *CLASS,
            _ => scope.bound.contains_key(name),
        };
        let (own, mut wanted): (Names, Names) = scope.wanted.drain().partition(|name| binds(name));
        scope.cells = own;
        let mut used = std::mem::take(&mut scope.used);
        used.retain(|name| !scope.bound.contains_key(name) && !scope.global.contains(name));
        used.extend(scope.nonlocal.iter().cloned());
        wanted.retain(|name| !scope.global.contains(name));
        if let Some((around, _)) = self.open.last_mut() {
            if kind == Kind::Inline {
                around.used.extend(used);
                around.has_walrus |= scope.has_walrus;
                around.is_generator |= scope.is_generator;
                around.inner += scope.bound.len() + scope.inner;
                for constant in &scope.constants {
                    add_constant(around, constant.clone());
                }
            } else {
                wanted.extend(used);
            }
            around.wanted.extend(wanted);
        }
        scope
    }

    fn within(&mut self, key: *const (), kind: Kind, inside: impl FnOnce(&mut Self)) {
        self.enter(kind);
        inside(self);
        let scope = self.leave();
        self.known.insert(key, Rc::new(scope));
    }

    fn top(&mut self) -> &mut Scope {
        if self.open.is_empty() {
            self.enter(Kind::Cell);
        }
        let last = self.open.len() - 1;
        &mut self.open[last].0
    }

    fn bind(&mut self, name: &Ident, span: Span) {
        self.top().bound.entry(name.clone()).or_insert(span);
    }

    /// The target of `:=` belongs to the function around all comprehensions.
    fn bind_walrus(&mut self, name: &Ident, span: Span) {
        let mut is_inside = false;
        for (scope, kind) in self.open.iter_mut().rev() {
            let is_generator = *kind == Kind::Function && scope.bound.contains_key(GENERATED);
            if *kind == Kind::Inline || is_generator {
                match is_inside || is_generator {
                    true => _ = scope.wanted.insert(name.clone()),
                    false => _ = scope.used.insert(name.clone()),
                }
                if is_generator {
                    scope.nonlocal.insert(name.clone());
                    is_inside = true;
                }
                continue;
            }
            scope.has_walrus = true;
            scope.bound.entry(name.clone()).or_insert(span);
            if is_inside {
                scope.wanted.insert(name.clone());
            }
            return;
        }
    }

    fn parameters(&mut self, parameters: &Parameters) {
        for parameter in every(parameters) {
            self.bind(&parameter.name.node, parameter.name.span);
        }
    }

    /// What is computed outside of a function when it is made.
    fn defaults(&mut self, parameters: &Parameters) {
        for parameter in every(parameters) {
            parameter.default.iter().for_each(|default| self.expr(default));
            parameter.annotation.iter().for_each(|annotation| self.expr(annotation));
        }
    }

    fn function(&mut self, function: &Rc<FunctionDef>) {
        self.bind(&function.name.node, function.name.span);
        function.decorators.iter().for_each(|decorator| self.expr(decorator));
        self.defaults(&function.parameters);
        function.returns.iter().for_each(|returns| self.expr(returns));
        self.within(key(function), Kind::Function, |scopes| {
            scopes.parameters(&function.parameters);
            function.body.iter().for_each(|stmt| scopes.stmt(stmt));
        });
    }

    fn lambda(&mut self, lambda: &Rc<Lambda>) {
        self.defaults(&lambda.parameters);
        self.within(key(lambda), Kind::Function, |scopes| {
            scopes.parameters(&lambda.parameters);
            scopes.expr(&lambda.body);
        });
    }

    fn class(&mut self, class: &Rc<ClassDef>) {
        self.bind(&class.name.node, class.name.span);
        class.decorators.iter().for_each(|decorator| self.expr(decorator));
        super::names::walk_args(&class.bases, self);
        self.within(key(class), Kind::Class, |scopes| {
            class.body.iter().for_each(|stmt| scopes.stmt(stmt));
        });
    }

    fn comprehension(&mut self, comprehension: &Rc<Comprehension>) {
        if let Some(first) = comprehension.clauses.first() {
            self.expr(&first.iter);
        }
        let kind = match comprehension.kind {
            ComprehensionKind::Generator(_) => Kind::Function,
            _ => Kind::Inline,
        };
        self.within(key(comprehension), kind, |scopes| {
            if kind == Kind::Function {
                scopes.bind(&GENERATED.into(), Span::default());
                scopes.top().is_generator = true;
            }
            for (at, clause) in comprehension.clauses.iter().enumerate() {
                scopes.target(&clause.target);
                if at > 0 {
                    scopes.expr(&clause.iter);
                }
                clause.conditions.iter().for_each(|condition| scopes.expr(condition));
            }
            match &comprehension.kind {
                ComprehensionKind::List(element)
                | ComprehensionKind::Set(element)
                | ComprehensionKind::Generator(element) => scopes.expr(element),
                ComprehensionKind::Dict(key, value) => {
                    scopes.expr(key);
                    scopes.expr(value);
                }
            }
        });
    }

    fn constant(&mut self, expr: &Expr) {
        let value = match &expr.node {
            ExprKind::Int(value) => Value::Int(*value),
            ExprKind::Float(value) => Value::Float(*value),
            ExprKind::Imaginary(size) => Value::imaginary(*size),
            ExprKind::Bool(value) => Value::Bool(*value),
            ExprKind::None => Value::None,
            _ => return,
        };
        add_constant(self.top(), Constant(value));
    }
}

fn add_constant(scope: &mut Scope, constant: Constant) {
    let constants = &mut scope.constants;
    if constants.len() < CONSTANTS && !constants.contains(&constant) {
        constants.push(constant);
    }
}

/// The class that a method stands in, under this name for the method.
pub const CLASS: &str = "__class__";

/// The parameter of a generator expression: what its first loop goes through.
pub const GENERATED: &str = ".0";

/// All parameters, in the order of the text.
pub fn every(parameters: &Parameters) -> impl Iterator<Item = &Parameter> {
    let Parameters { positional_only, positional, star, keyword_only, double_star } = parameters;
    let plain = positional_only.iter().chain(positional).chain(star);
    plain.chain(keyword_only).chain(double_star)
}

impl Visit for Scopes {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.node {
            StmtKind::Def(function) => self.function(function),
            StmtKind::Class(class) => self.class(class),
            StmtKind::Global(names) => {
                self.top().global.extend(names.iter().map(|name| name.node.clone()));
            }
            StmtKind::Nonlocal(names) => {
                self.top().nonlocal.extend(names.iter().map(|name| name.node.clone()));
            }
            StmtKind::Import(names) => {
                for import in names {
                    let path = import.alias.as_ref().unwrap_or(&import.path);
                    let name = path.node.split('.').next().unwrap_or_default();
                    self.bind(&name.into(), path.span);
                }
            }
            StmtKind::ImportFrom { names: ImportNames::Names(names), .. } => {
                for import in names {
                    let name = import.alias.as_ref().unwrap_or(&import.path);
                    self.bind(&name.node, name.span);
                }
            }
            StmtKind::Try(parts) => {
                for handler in &parts.handlers {
                    if let Some(name) = &handler.name {
                        self.bind(&name.node, name.span);
                        self.top().deleted.insert(name.node.clone());
                    }
                }
                walk_stmt(stmt, self);
            }
            StmtKind::AugAssign { target, value, .. } => {
                if let ExprKind::Name(name) = &target.node {
                    self.top().used.insert(name.clone());
                }
                self.constant(value);
                self.target(target);
                self.expr(value);
            }
            StmtKind::AnnAssign { target, annotation, value } => {
                if matches!(self.open.last(), Some((_, Kind::Class))) {
                    self.bind(&super::class::ANNOTATIONS.into(), Span::default());
                }
                self.target(target);
                self.expr(annotation);
                value.iter().for_each(|value| self.expr(value));
            }
            StmtKind::Del(targets) => {
                fn deleted(scopes: &mut Scopes, target: &Expr) {
                    match &target.node {
                        ExprKind::Name(name) => _ = scopes.top().deleted.insert(name.clone()),
                        ExprKind::Tuple(items) | ExprKind::List(items) => {
                            items.iter().for_each(|item| deleted(scopes, item));
                        }
                        _ => {}
                    }
                }
                targets.iter().for_each(|target| {
                    deleted(self, target);
                    self.target(target);
                });
            }
            StmtKind::Assign { targets, value } => {
                // What is no variable takes a value from a register.
                if !targets.iter().all(|target| matches!(target.node, ExprKind::Name(_))) {
                    self.constant(value);
                }
                walk_stmt(stmt, self);
            }
            _ => walk_stmt(stmt, self),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.node {
            ExprKind::Name(name) => _ = self.top().used.insert(name.clone()),
            ExprKind::Lambda(lambda) => self.lambda(lambda),
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension),
            ExprKind::Call { callee, args } => {
                if super::class::is_super(callee, args) {
                    self.top().used.insert(CLASS.into());
                }
                walk_expr(expr, self);
            }
            ExprKind::Named { name, value } => {
                self.expr(value);
                self.bind_walrus(&name.node, name.span);
                self.top().has_walrus = true;
            }
            ExprKind::Yield(_) | ExprKind::YieldFrom(_) => {
                self.top().is_generator = true;
                walk_expr(expr, self);
            }
            ExprKind::Binary { op, lhs, rhs } => {
                self.constant(lhs);
                if beside_operator(*op, rhs).is_none() {
                    self.constant(rhs);
                }
                walk_expr(expr, self);
            }
            ExprKind::Compare { first, rest } => {
                self.constant(first);
                match rest.as_slice() {
                    [(op, operand)] if beside_comparison(*op, operand).is_some() => {}
                    rest => rest.iter().for_each(|(_, operand)| self.constant(operand)),
                }
                walk_expr(expr, self);
            }
            ExprKind::Subscript { index, .. } => {
                self.constant(index);
                walk_expr(expr, self);
            }
            _ => walk_expr(expr, self),
        }
    }

    fn target(&mut self, target: &Expr) {
        match &target.node {
            ExprKind::Name(name) => self.bind(name, target.span),
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                items.iter().for_each(|item| self.target(item));
            }
            ExprKind::Starred(item) => self.target(item),
            _ => self.expr(target),
        }
    }
}
