//! Names: where each one is, and how it is read, bound and deleted.

use super::Compiler;
use super::code::{Global, Kind};
use super::level::Place;
use super::op::{Op, Reg};
use super::scope::CLASS;
use crate::diag::Span;
use crate::interp::value::Value;
use crate::syntax::ast::Ident;

impl Compiler<'_> {
    /// Where a name is, seen from the innermost function.
    pub(super) fn find(&mut self, name: &Ident) -> Place {
        let level = self.level();
        for inner in level.inner.iter().rev() {
            if let Some(place) = inner.get(name) {
                return *place;
            }
        }
        // What runs in a comprehension of a class's body does not see what the body binds.
        let is_hidden = level.code.kind == Kind::Class
            && !level.inner.is_empty()
            && level.scope.bound.contains_key(name);
        if is_hidden {
            return self.around(name);
        }
        if let Some(place) = level.names.get(name) {
            return *place;
        }
        let is_global = level.scope.global.contains(name);
        let place = match is_global {
            true => Place::Global(self.global(name)),
            false => self.around(name),
        };
        self.level().names.insert(name.clone(), place);
        place
    }

    /// The qualified name of the class whose body asks for `__qualname__`, without binding it.
    pub(super) fn asked_qualname(&mut self, name: &Ident) -> Option<Value> {
        let level = self.level();
        let is_asked = &**name == "__qualname__"
            && level.code.kind == Kind::Class
            && !level.names.contains_key(name);
        is_asked.then(|| Value::str(&*level.code.qualified_name.0))
    }

    /// Where a name is that the innermost function or class does not bind.
    pub(super) fn around(&mut self, name: &Ident) -> Place {
        let depth = self.levels.len() - 1;
        match self.captured(depth, name) {
            Some(index) => Place::Free(index),
            None => Place::Global(self.global(name)),
        }
    }

    /// The number of a variable of a function around, among what the function at `depth` takes with
    /// it.
    fn captured(&mut self, depth: usize, name: &Ident) -> Option<u16> {
        let known = |code: &super::Code| code.free.iter().position(|free| free == name);
        if let Some(at) = known(&self.levels[depth].code) {
            return Some(at as u16);
        }
        let around = depth.checked_sub(1)?;
        let is_there = |place: &Place| matches!(place, Place::Cell(_) | Place::Free(_));
        let level = &self.levels[around];
        let inner = level.inner.iter().rev().find_map(|inner| inner.get(name));
        let own = inner.or_else(|| match level.code.kind {
            Kind::Function => level.names.get(name),
            Kind::Class if **name == *CLASS => level.names.get(name),
            _ => None,
        });
        let found = match own.copied() {
            Some(place) => is_there(&place),
            None if level.scope.global.contains(name) && level.code.kind == Kind::Function => false,
            None => self.captured(around, name).is_some(),
        };
        if !found {
            return None;
        }
        let free = &mut self.levels[depth].code.free;
        free.push(name.clone());
        Some((free.len() - 1) as u16)
    }

    pub(super) fn global(&mut self, name: &Ident) -> u16 {
        let known = self.code().globals.iter().position(|global| global.name == *name);
        let at = known.unwrap_or_else(|| {
            let registry = &self.interp.registry;
            let (slot, hidden) = match self.module {
                None => (self.interp.scope.borrow_mut().slot(name), None),
                Some(module) => (self.interp.library.slot(module, name), registry.hidden(name)),
            };
            let built_in = hidden.or_else(|| registry.name(name)).cloned();
            let globals = &mut self.code().globals;
            let written = Default::default();
            globals.push(Global { name: name.clone(), slot, built_in, written });
            globals.len() - 1
        });
        self.checked(at)
    }

    /// The register of a variable that can be read where it is.
    pub(super) fn local(&mut self, name: &Ident, span: Span) -> Option<Reg> {
        let Place::Local(local) = self.find(name) else { return None };
        if self.code().kind == Kind::Class && !self.level().is_bound(local) {
            return None;
        }
        self.check(local, name, span);
        Some(local)
    }

    fn check(&mut self, local: Reg, name: &Ident, span: Span) {
        let level = self.level();
        if !level.is_bound(local) || level.scope.deleted.contains(name) {
            self.emit(Op::Check { local }, span);
            self.level().bind(local);
        }
    }

    pub(super) fn read(&mut self, name: &Ident, to: Reg, span: Span) {
        if let Some(text) = self.asked_qualname(name) {
            return self.constant_to(text, to, span);
        }
        let op = match self.find(name) {
            Place::Local(from)
                if self.code().kind == Kind::Class && !self.level().is_bound(from) =>
            {
                return self.read_in_class(from, name, to, span);
            }
            Place::Local(from) => {
                self.check(from, name, span);
                Op::Copy { to, from }
            }
            Place::Cell(index) => Op::Cell { to, index },
            Place::Free(index) => Op::Free { to, index },
            Place::Global(index) => Op::Global { to, index },
        };
        self.emit(op, span);
    }

    /// Binds a name to what stands in a register.
    pub(super) fn bind(&mut self, name: &Ident, from: Reg, is_last: bool, span: Span) {
        let is_last = is_last && self.may_end();
        let op = match self.find(name) {
            Place::Local(to) => {
                self.level().bind(to);
                if to == from {
                    return;
                }
                self.transfer(to, from)
            }
            Place::Cell(index) => Op::SetCell { from, index },
            Place::Free(index) => Op::SetFree { from, index },
            Place::Global(index) => Op::SetGlobal { from, index, is_last },
        };
        self.emit(op, span);
    }

    /// A copy, or a move from a temporary.
    pub(super) fn transfer(&mut self, to: Reg, from: Reg) -> Op {
        match from >= self.code().first_temporary {
            true => Op::Move { to, from },
            false => Op::Copy { to, from },
        }
    }

    pub(super) fn delete_name(&mut self, name: &Ident, span: Span) {
        let op = match self.find(name) {
            Place::Local(local) => {
                self.level().unbind(local);
                Op::DeleteLocal { local }
            }
            Place::Cell(index) => Op::DeleteCell { index },
            Place::Free(index) => Op::DeleteFree { index },
            Place::Global(index) => Op::DeleteGlobal { index },
        };
        self.emit(op, span);
    }
}
