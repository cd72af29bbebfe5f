//! A function while code is made for it.

use std::rc::Rc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::code::{Code, Kind, Local, Name, exact};
use super::constant::Constant;
use super::guard::Cleanup;
use super::label::{Label, Labels};
use super::op::Reg;
use super::registers::Registers;
use super::scope::Scope;
use crate::diag::{Source, Span};
use crate::interp::value::Value;
use crate::syntax::ast::Ident;

/// Where a name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Local(Reg),
    /// A variable of this function that functions inside share.
    Cell(u16),
    /// A variable of a function around.
    Free(u16),
    /// A variable of the session.
    Global(u16),
}

pub struct Level {
    pub scope: Rc<Scope>,
    pub code: Code,
    pub labels: Labels,
    /// Where the names are that are known so far.
    pub names: FxHashMap<Ident, Place>,
    /// The same of the comprehensions around this place.
    pub inner: Vec<FxHashMap<Ident, Place>>,
    /// The next register for a variable of a comprehension.
    pub next_inner: Reg,
    /// How many variables and cells are its own, and no comprehension's.
    pub own: (Reg, u16),
    /// Numbers that have registers.
    constants: Vec<(Constant, Reg)>,
    /// What becomes the code's table of constants.
    pub literals: IndexSet<Constant, FxBuildHasher>,
    /// The next free temporary, and the most there were.
    pub next: Reg,
    most: Reg,
    /// The variables that hold something for certain at this place; `None` where nothing gets to.
    pub bound: Option<Registers>,
    /// The loops around this place.
    pub loops: Vec<Loop>,
    /// What every way out of the blocks around this place goes through.
    pub cleanups: Vec<Cleanup>,
    /// In how many bodies of `try` this place is.
    pub tries: usize,
    /// How many `break`s there were so far.
    pub breaks: usize,
    pub is_too_large: bool,
}

/// A loop around a place.
#[derive(Debug, Clone, Copy)]
pub struct Loop {
    /// Where `continue` and `break` go to.
    pub next: Label,
    pub end: Label,
    /// How many cleanups are outside of it.
    pub cleanups: usize,
}

impl Level {
    pub fn new(
        scope: Rc<Scope>,
        kind: Kind,
        name: &str,
        around: &str,
        source: Option<Rc<Source>>,
        span: Span,
    ) -> Level {
        let qualified =
            if around.is_empty() { name.to_owned() } else { format!("{around}.{name}") };
        let code = Code {
            name: Name(name.into()),
            qualified_name: Name(qualified.as_str().into()),
            kind,
            source,
            span,
            is_generator: scope.is_generator && kind == Kind::Function,
            stops_inside: scope.is_generator && kind == Kind::Function,
            ..Code::default()
        };
        let mut level = Level {
            code,
            labels: Labels::default(),
            names: FxHashMap::default(),
            inner: Vec::new(),
            next_inner: 0,
            own: (0, 0),
            constants: Vec::new(),
            literals: IndexSet::default(),
            next: 0,
            most: 0,
            bound: Some(Registers::default()),
            loops: Vec::new(),
            cleanups: Vec::new(),
            tries: 0,
            breaks: 0,
            is_too_large: false,
            scope,
        };
        if kind == Kind::Cell {
            level.lay_out(0);
        }
        level
    }

    /// Gives every variable its register; the first `parameters` ones are there already.
    pub fn lay_out(&mut self, parameters: usize) {
        let scope = self.scope.clone();
        if self.code.kind != Kind::Cell {
            for (name, first) in &scope.bound {
                let first = *first;
                let local = Local { name: name.clone(), first };
                if scope.cells.contains(name) {
                    let index = self.code.cells.len() as u16;
                    self.code.cells.push(local);
                    if let Some(Place::Local(parameter)) = self.names.get(name).copied() {
                        self.code.cell_parameters.push((parameter, index));
                    }
                    self.names.insert(name.clone(), Place::Cell(index));
                } else if !self.names.contains_key(name) {
                    let register = self.code.locals.len() as Reg;
                    self.code.locals.push(local);
                    self.names.insert(name.clone(), Place::Local(register));
                }
            }
        }
        self.next_inner = self.code.locals.len() as Reg;
        self.own = (self.next_inner, self.code.cells.len() as u16);
        let variables = self.code.locals.len() + scope.inner;
        self.is_too_large |= variables + scope.constants.len() > usize::from(Reg::MAX) / 2;
        let template = &mut self.code.template;
        template.resize(variables.saturating_sub(parameters), Value::Unbound);
        for (at, constant) in scope.constants.iter().enumerate() {
            self.constants.push((constant.clone(), (variables + at) as Reg));
            template.push(constant.0.clone());
        }
        self.code.first_temporary = (variables + scope.constants.len()) as Reg;
        self.next = self.code.first_temporary;
        self.most = self.next;
    }

    /// The register that holds a number.
    pub fn constant(&self, value: Value) -> Option<Reg> {
        let value = Constant(value);
        let mut known = self.constants.iter();
        known.find(|(known, _)| *known == value).map(|(_, register)| *register)
    }

    pub fn temporary(&mut self) -> Reg {
        let register = self.next;
        self.next = register.checked_add(1).unwrap_or_else(|| {
            self.is_too_large = true;
            register
        });
        self.most = self.most.max(self.next);
        register
    }

    /// A register for a variable of a comprehension.
    pub fn inner_register(&mut self, name: &Ident, first: Span) -> Reg {
        let register = self.next_inner;
        self.next_inner += 1;
        while self.code.locals.len() <= usize::from(register) {
            self.code.locals.push(Local { name: name.clone(), first });
        }
        register
    }

    /// The variable holds something from here on.
    pub fn bind(&mut self, register: Reg) {
        if let Some(bound) = &mut self.bound {
            bound.insert(register);
        }
    }

    pub fn unbind(&mut self, register: Reg) {
        if let Some(bound) = &mut self.bound {
            bound.remove(register);
        }
    }

    /// Whether the variable holds something for certain.
    pub fn is_bound(&self, register: Reg) -> bool {
        self.bound.as_ref().is_none_or(|bound| bound.contains(register))
    }

    /// Two ways meet here: what holds for both.
    pub fn meet(&mut self, other: Option<Registers>) {
        self.bound = match (self.bound.take(), other) {
            (Some(mut a), Some(b)) => {
                a.intersect(&b);
                Some(a)
            }
            (one, None) => one,
            (None, other) => other,
        };
    }

    /// The code, if it fits.
    pub fn finish(mut self) -> Option<Code> {
        if self.is_too_large || self.code.ops.len() >= u32::MAX as usize {
            return None;
        }
        let code = &mut self.code;
        code.constants = self.literals.into_iter().map(|constant| constant.0).collect();
        self.labels.resolve(&mut code.ops);
        code.lookups.resize_with(code.names.len(), Default::default);
        code.first_variable = code.parameters.count();
        code.registers = usize::from(self.most);
        let is_exact = code.is_plain && code.cells.is_empty();
        code.exact = exact(code.first_variable).filter(|_| is_exact).unwrap_or(0);
        Some(self.code)
    }
}
