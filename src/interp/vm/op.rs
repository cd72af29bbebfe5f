//! Operations that need the evaluator.

use std::rc::Rc;

use super::register::take;
use crate::diag::{Diagnostic, ErrorKind, SourceResult, Span};
use crate::interp::compile::{Code, Op, Reg};
use crate::interp::shared::Slot;
use crate::interp::value::{Dict, Entries, Members, Str, Type, Value};
use crate::interp::{Evaluator, eval, room};
use crate::syntax::ast::{BinaryOp, CompareOp, UnaryOp};

/// Lazy tensors that may wait while a loop turns.
const PENDING: usize = 256;

/// An operation of the frame that runs, and what it works on.
pub(super) struct Context<'a, 'r> {
    pub evaluator: Evaluator<'a>,
    pub code: &'r Code,
    pub registers: &'r mut [Value],
    /// The operation's number.
    pub at: usize,
}

/// Begins the transaction of a simple statement that has only computed with numbers so far.
#[inline]
pub(super) fn ensure(evaluator: Evaluator<'_>) {
    if !evaluator.interp.is_in_transaction() {
        evaluator.interp.begin();
    }
}

/// Puts a value into a variable that functions share, where a function may come to hold itself.
#[inline]
pub(super) fn set_cell(evaluator: Evaluator<'_>, cell: &Slot, value: Value) {
    let journal = &evaluator.interp.journal;
    if value.identity().is_some() && !matches!(value, Value::Tensor(_)) {
        cell.note_change(journal);
    }
    cell.replace(journal, Some(value));
}

/// Ends the transaction of a simple statement.
pub(super) fn commit(evaluator: Evaluator<'_>, span: Span) -> SourceResult<()> {
    let interp = evaluator.interp;
    // What only computes with numbers begins no transaction, and stands all the same.
    if interp.is_in_transaction() {
        evaluator.place(interp.settle_last(), span)?;
        interp.commit();
        evaluator.end_forgotten()?;
    } else {
        interp.pass();
    }
    interp.count_part();
    Ok(())
}

/// What a loop does now and then: it looks at Ctrl-C, and computes what has become much work.
pub(super) fn look_around(evaluator: Evaluator<'_>, span: Span) -> SourceResult<()> {
    let engine = &evaluator.interp.engine;
    if engine.interrupt().is_raised() {
        return Err(interrupted(span));
    }
    if evaluator.interp.journal.changed.is_crowded.get() {
        evaluator.interp.collect_crowd();
    }
    if engine.pending() > PENDING {
        evaluator.place(engine.settle(), span)?;
    }
    Ok(())
}

#[cold]
fn interrupted(span: Span) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(ErrorKind::KeyboardInterrupt, span, "stopped by the user"))
}

impl Context<'_, '_> {
    pub fn span(&self) -> Span {
        self.code.span_at(self.at)
    }

    pub fn take(&mut self, register: Reg) -> Value {
        take(self.registers, self.code.first_temporary, register)
    }

    pub fn get(&self, register: Reg) -> &Value {
        &self.registers[usize::from(register)]
    }

    pub fn set(&mut self, register: Reg, value: Value) {
        self.registers[usize::from(register)] = value;
    }

    /// Nodes made from here on are about this operation.
    pub fn begin(&self) {
        ensure(self.evaluator);
        self.evaluator.set_place(self.span());
    }

    /// `a += b` of texts where nobody else has the first.
    fn append_text(&mut self, op: BinaryOp, to: Reg, a: Reg, b: Reg) -> SourceResult<bool> {
        if op != BinaryOp::Add || to != a {
            return Ok(false);
        }
        let pair = [usize::from(a), usize::from(b)];
        let Ok([Value::Str(whole), Value::Str(more)]) = self.registers.get_disjoint_mut(pair)
        else {
            return Ok(false);
        };
        let engine = &self.evaluator.interp.engine;
        let appended = whole.append(more, |bytes| room::text(engine, bytes));
        appended.map_err(|fault| fault.placed(self.span()))
    }

    /// The same where only the session's variable has it that the sum goes to.
    fn append_to_global(&mut self, op: BinaryOp, to: Reg, a: Reg, b: Reg) -> SourceResult<bool> {
        let Some(&Op::SetGlobal { from, index, is_last }) = self.code.ops.get(self.at + 1) else {
            return Ok(false);
        };
        if !is_last {
            ensure(self.evaluator);
        }
        let Value::Str(text) = self.get(a) else { return Ok(false) };
        if from != to || !matches!(self.get(b), Value::Str(_)) {
            return Ok(false);
        }
        let slot = &self.code.globals[usize::from(index)].slot;
        let is_it = matches!(&*slot.borrow(), Some(Value::Str(held)) if Str::ptr_eq(held, text));
        if !is_it || !slot.is_kept(&self.evaluator.interp.journal, is_last) {
            return Ok(false);
        }
        slot.restore(None);
        let appended = self.append_text(op, to, a, b);
        slot.restore(Some(self.get(a).clone()));
        appended
    }

    pub fn binary(&mut self, op: BinaryOp, to: Reg, a: Reg, b: Reg) -> SourceResult<()> {
        if self.append_text(op, to, a, b)? {
            return Ok(());
        }
        let (left, right) = (self.take(a), self.take(b));
        self.operate(op, to, left, right)
    }

    /// As [`Context::binary`], with a number that stands in the text.
    pub fn binary_with(&mut self, op: BinaryOp, to: Reg, a: Reg, number: i16) -> SourceResult<()> {
        let left = self.take(a);
        self.operate(op, to, left, Value::Int(number.into()))
    }

    fn operate(&mut self, op: BinaryOp, to: Reg, left: Value, right: Value) -> SourceResult<()> {
        self.begin();
        let result = self.evaluator.binary(op, &left, &right);
        let result = self.evaluator.place(result, self.span())?;
        drop((left, right));
        result.claim(&self.evaluator.interp.journal);
        self.set(to, result);
        Ok(())
    }

    pub fn update(
        &mut self,
        op: BinaryOp,
        to: Reg,
        a: Reg,
        b: Reg,
        is_last: bool,
    ) -> SourceResult<()> {
        if self.append_text(op, to, a, b)? || self.append_to_global(op, to, a, b)? {
            return Ok(());
        }
        self.begin();
        // A variable is the target as well.
        let (before, operand) = (self.take(a), self.take(b));
        let after = self.evaluator.updated(op, &before, operand, is_last);
        let after = self.evaluator.place(after, self.span())?;
        self.set(to, after.unwrap_or(before));
        Ok(())
    }

    pub fn unary(&mut self, op: UnaryOp, to: Reg, a: Reg) -> SourceResult<()> {
        self.begin();
        let value = self.take(a);
        let result = self.evaluator.unary_value(op, &value);
        let result = self.evaluator.place(result, self.span())?;
        drop(value);
        self.set(to, result);
        Ok(())
    }

    pub fn compare(&mut self, op: CompareOp, to: Reg, a: Reg, b: Reg) -> SourceResult<()> {
        let (left, right) = (self.take(a), self.take(b));
        let result = self.compared(op, &left, &right)?;
        self.set(to, result);
        Ok(())
    }

    /// As [`Context::compare`], with a number that stands in the text.
    pub fn compare_with(
        &mut self,
        op: CompareOp,
        to: Reg,
        a: Reg,
        number: i16,
    ) -> SourceResult<()> {
        let left = self.take(a);
        let result = self.compared(op, &left, &Value::Int(number.into()))?;
        self.set(to, result);
        Ok(())
    }

    /// Whether a comparison holds.
    pub fn compares(&mut self, op: CompareOp, a: Reg, b: Reg) -> SourceResult<bool> {
        let (left, right) = (self.take(a), self.take(b));
        let result = self.compared(op, &left, &right)?;
        self.is_true(&result)
    }

    /// As [`Context::compares`], with a number that stands in the text.
    pub fn compares_with(&mut self, op: CompareOp, a: Reg, number: i16) -> SourceResult<bool> {
        let left = self.take(a);
        let result = self.compared(op, &left, &Value::Int(number.into()))?;
        self.is_true(&result)
    }

    fn compared(&self, op: CompareOp, left: &Value, right: &Value) -> SourceResult<Value> {
        self.begin();
        let result = self.evaluator.compare(op, left, right);
        self.evaluator.place(result, self.span())
    }

    /// Whether what a comparison gave is true.
    fn is_true(&self, result: &Value) -> SourceResult<bool> {
        match result {
            Value::Bool(truth) => Ok(*truth),
            _ => self.evaluator.place(self.evaluator.truth(result), self.span()),
        }
    }

    pub fn truth(&mut self, value: Reg) -> SourceResult<bool> {
        let value = self.get(value).clone();
        self.begin();
        self.evaluator.place(self.evaluator.truth(&value), self.span())
    }

    /// The operations that are neither frequent nor change the frame.
    pub fn other(&mut self, op: Op) -> SourceResult<()> {
        match op {
            Op::DeleteGlobal { index } => self.delete_global(index),
            Op::DeleteLocal { local } => {
                if let Value::Unbound = self.get(local) {
                    self.unbound(local)?;
                }
                self.set(local, Value::Unbound);
                Ok(())
            }
            Op::DeleteSubscript { base, index, is_last } => {
                self.delete_subscript(base, index, is_last)
            }
            Op::DeleteAttribute { object, name } => self.delete_attribute(object, name),
            Op::Dict { to } => {
                let dict = self.evaluator.made(Entries::default());
                self.set(to, Value::Dict(Rc::new(dict)));
                Ok(())
            }
            Op::Append { list, item } => self.append(list, item),
            Op::Extend { list, items } => self.extend(list, items),
            Op::Insert { dict, item } => self.insert(dict, item),
            Op::Merge { dict, mapping } => self.merge(dict, mapping),
            Op::Set { to } => {
                let set = self.evaluator.made(Members::default());
                self.set(to, Value::Set(Rc::new(set)));
                Ok(())
            }
            Op::SetAdd { set, item } => self.set_add(set, item),
            Op::SetExtend { set, items } => {
                self.begin();
                let more = self.take(items);
                let more = self.evaluator.elements_of(&more);
                let more = more.map_err(|fault| fault.placed(self.span()))?;
                if let Value::Set(elements) = self.get(set) {
                    let aligned = self.evaluator.aligned_members(&elements.borrow(), &more);
                    let aligned = aligned.map_err(|fault| fault.placed(self.span()))?;
                    let mut elements = elements.change_last(&self.evaluator.interp.journal);
                    elements.extend(aligned.unwrap_or(more));
                }
                Ok(())
            }
            Op::ListToTuple { to, list } => {
                let items = match self.take(list) {
                    // The display's own: nobody else has seen it.
                    Value::List(items) => items.empty(),
                    _ => Vec::new(),
                };
                self.set(to, Value::tuple(items));
                Ok(())
            }
            Op::Join { to, first, count } => self.join(to, first, count),
            Op::Format { to, first, conversion } => self.format(to, first, conversion),
            Op::Super { to, first } => self.super_of(to, first),
            Op::RaiseAgain { error } => self.raise_again(error),
            Op::Regroup { state } => self.regroup(state),
            Op::Enter { to, context } => self.enter(to, context),
            Op::Leave { to, exit, state } => self.leave(to, exit, state),
            Op::Swallow { state, answer } => self.swallow(state, answer),
            Op::Settle => {
                let settled = self.evaluator.interp.engine.settle();
                self.evaluator.place(settled, self.span())
            }
            Op::Iter { to, value } => self.iter(to, value),
            Op::Iterable { value } => self.iterable(value),
            Op::UnpackStar { from, first, index } => {
                let star = &self.code.stars[usize::from(index)];
                let (count, at) = (usize::from(star.count), usize::from(star.at));
                self.unpack(from, first, count, Some(at))
            }
            Op::Spread { value, callee } => self.spread(value, callee),
            Op::SpreadMapping { value, callee } => self.spread_mapping(value, callee),
            Op::Import { to, index } => self.import(to, index),
            Op::ImportAll { index } => self.import_all(index),
            Op::AssertionFailed { message, has_message } => {
                let span = self.span();
                let text = match has_message.then(|| self.take(message)) {
                    None => String::new(),
                    Some(Value::Str(text)) if !text.is_empty() => text.to_string(),
                    Some(value) => {
                        // What is no text, or one without letters, stays in the exception as what it is.
                        let class = Value::Type(Type::Error(ErrorKind::Assertion));
                        let made = self.evaluator.call_value(&class, [value], []);
                        let made = made.map_err(|fault| eval::placed(fault, span))?;
                        return Err(self.evaluator.raise(&made, None, span));
                    }
                };
                Err(Box::new(Diagnostic::new(ErrorKind::Assertion, span, text)))
            }
            _ => unreachable!("the loop runs it"),
        }
    }

    fn append(&mut self, list: Reg, item: Reg) -> SourceResult<()> {
        let item = self.take(item);
        let Value::List(items) = self.get(list) else { return Ok(()) };
        // Nobody else has it yet.
        let mut items = items.change_last(&self.evaluator.interp.journal);
        if items.len() == items.capacity() {
            let room = room::items(&self.evaluator.interp.engine, items.len().max(4));
            room.map_err(|fault| fault.placed(self.code.span_at(self.at)))?;
        }
        items.push(item);
        Ok(())
    }

    fn extend(&mut self, list: Reg, items: Reg) -> SourceResult<()> {
        self.begin();
        let more = self.take(items);
        let words = |found: &str| format!("Value after * must be an iterable, not {found}");
        let items = self
            .evaluator
            .iterate(&more)
            .map_err(|error| self.evaluator.about_items(error, &more, words));
        let more = self.evaluator.place(items, self.span())?;
        if let Value::List(items) = self.get(list) {
            items.change_last(&self.evaluator.interp.journal).extend(more);
        }
        Ok(())
    }

    fn insert(&mut self, dict: Reg, item: Reg) -> SourceResult<()> {
        let (key, value) = (self.take(item), self.take(item + 1));
        let Value::Dict(known) = self.get(dict) else { return Ok(()) };
        let key = self.evaluator.key_in(known, &key).map_err(|fault| fault.placed(self.span()))?;
        if let Value::Dict(entries) = self.get(dict) {
            let mut entries = entries.change_last(&self.evaluator.interp.journal);
            if entries.len() == entries.capacity() {
                let each = 2 * room::ITEM + 16;
                let count = entries.len().max(4);
                let room = room::things(&self.evaluator.interp.engine, count, each);
                room.map_err(|fault| fault.placed(self.code.span_at(self.at)))?;
            }
            entries.insert(key, value);
        }
        Ok(())
    }

    fn set_add(&mut self, set: Reg, item: Reg) -> SourceResult<()> {
        let item = self.take(item);
        let Value::Set(known) = self.get(set) else { return Ok(()) };
        let key = self.evaluator.key(&item);
        let key = key.and_then(|key| self.evaluator.known_key(key, || known.borrow()));
        let key = key.map_err(|fault| fault.placed(self.span()))?;
        if let Value::Set(elements) = self.get(set) {
            let mut elements = elements.change_last(&self.evaluator.interp.journal);
            if elements.len() == elements.capacity() {
                let count = elements.len().max(4);
                let room = room::things(&self.evaluator.interp.engine, count, 2 * room::ITEM);
                room.map_err(|fault| fault.placed(self.code.span_at(self.at)))?;
            }
            elements.insert(key);
        }
        Ok(())
    }

    fn merge(&mut self, dict: Reg, mapping: Reg) -> SourceResult<()> {
        let mapping = self.take(mapping);
        let made: Dict;
        let more = if let Some(entries) = self.evaluator.plain_entries(&mapping) {
            entries
        } else if let Some(entries) = self.entries_of_object(&mapping)? {
            made = Rc::new(entries.into());
            &made
        } else {
            let message = format!("'{}' object is not a mapping", mapping.type_name());
            return Err(Box::new(Diagnostic::new(ErrorKind::Type, self.span(), message)));
        };
        if let Value::Dict(entries) = self.get(dict) {
            let interp = self.evaluator.interp;
            let taken = if entries.borrow().speaks() || more.borrow().speaks() {
                let aligned = self.evaluator.aligned_entries(entries, more.borrow().clone());
                aligned.map(|more| entries.change_last(&interp.journal).extend(more))
            } else {
                let mut entries = entries.change_last(&interp.journal);
                room::extend(&interp.engine, &mut entries, &more.borrow())
            };
            taken.map_err(|fault| fault.placed(self.span()))?;
        }
        Ok(())
    }
}
