//! `value[index]`, attributes, and what is stored there.

use super::op::Context;
use crate::diag::SourceResult;
use crate::interp::compile::{Op, Places, Reg};
use crate::interp::eval;
use crate::interp::value::Value;
use crate::syntax::ast::BinaryOp;

impl<'r> Context<'_, 'r> {
    /// Where the parts of the operation's index stand.
    fn places(&self) -> &'r Places {
        match self.code.ops[self.at + 1] {
            Op::Places { index } => &self.code.places[usize::from(index)],
            _ => unreachable!("an index has its places"),
        }
    }

    pub fn subscript(&mut self, to: Reg, base: Reg, index: Reg) -> SourceResult<()> {
        self.begin();
        let (container, at) = (self.take(base), self.take(index));
        let result = self.evaluator.subscript(&container, &at, self.places(), self.span())?;
        drop((container, at));
        self.set(to, result);
        Ok(())
    }

    pub fn set_subscript(
        &mut self,
        base: Reg,
        index: Reg,
        from: Reg,
        is_last: bool,
    ) -> SourceResult<()> {
        self.begin();
        let value = self.take(from);
        let (container, at) = (self.take(base), self.take(index));
        let (places, span) = (self.places(), self.span());
        self.evaluator.set_subscript(&container, at, value, places, span, is_last)
    }

    pub fn delete_subscript(&mut self, base: Reg, index: Reg) -> SourceResult<()> {
        self.begin();
        let (container, at) = (self.take(base), self.take(index));
        self.evaluator.place(self.evaluator.delete_item(&container, &at), self.span())
    }

    pub fn item_to_update(&mut self, first: Reg) -> SourceResult<()> {
        self.begin();
        let (container, at) = (self.get(first), self.get(first + 1));
        let item = self.evaluator.item_to_update(container, at, self.places(), self.span())?;
        self.set(first + 2, item);
        Ok(())
    }

    pub fn update_item(&mut self, op: BinaryOp, first: Reg, is_last: bool) -> SourceResult<()> {
        self.begin();
        let operand = self.take(first + 3);
        let before = self.take(first + 2);
        let (at, container) = (self.take(first + 1), self.take(first));
        let (places, span) = (self.places(), self.span());
        let update = (op, before, operand);
        self.evaluator.update_item(&container, at, update, places, span, is_last)
    }

    pub fn attribute(&mut self, to: Reg, object: Reg, name: u16) -> SourceResult<()> {
        let name = &self.code.names[usize::from(name)];
        if let Value::Object(held) = self.get(object)
            && let Some(value) = self.evaluator.plain_field(held, &name.node)
        {
            self.take(object);
            self.set(to, value);
            return Ok(());
        }
        self.begin();
        let object = self.take(object);
        let result = self.evaluator.attribute(&object, &name.node);
        let result = self.evaluator.place(result, name.span)?;
        self.set(to, result);
        Ok(())
    }

    pub fn set_attribute(&mut self, object: Reg, from: Reg, name: u16) -> SourceResult<()> {
        self.begin();
        let name = &self.code.names[usize::from(name)];
        let (value, object) = (self.take(from), self.take(object));
        let stored = self.evaluator.assign_attribute(&object, &name.node, value);
        stored.map_err(|fault| eval::placed(fault, name.span))
    }

    pub fn delete_attribute(&mut self, object: Reg, name: u16) -> SourceResult<()> {
        self.begin();
        let name = &self.code.names[usize::from(name)];
        let object = self.take(object);
        let deleted = self.evaluator.delete_attribute(&object, &name.node);
        deleted.map_err(|fault| eval::placed(fault, name.span))
    }

    /// A method and its receiver, or what else stands behind the dot and nothing.
    pub fn method(&mut self, to: Reg, object: Reg, name: u16) -> SourceResult<()> {
        let receiver = self.take(object);
        let name_at = usize::from(name);
        if let Value::Object(object) = &receiver
            && let Some(function) = self.evaluator.method_of(object, &self.code.names[name_at].node)
        {
            self.set(to, function);
            self.set(to + 1, receiver);
            return Ok(());
        }
        let of = receiver.type_of();
        let known = &self.code.methods[usize::from(name)];
        let name = &self.code.names[usize::from(name)];
        let found = match &*known.borrow() {
            Some((known, function)) if *known == of => Some(function.clone()),
            _ => self.evaluator.interp.registry.method(of, &name.node).cloned(),
        };
        if let Some(function) = found {
            self.set(to, Value::Function(function.clone()));
            self.set(to + 1, receiver);
            known.replace(Some((of, function)));
            return Ok(());
        }
        self.begin();
        let found = self.evaluator.attribute(&receiver, &name.node);
        let found = self.evaluator.place(found, name.span)?;
        self.set(to, found);
        self.set(to + 1, Value::Unbound);
        Ok(())
    }
}
