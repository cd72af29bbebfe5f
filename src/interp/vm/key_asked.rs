//! What a dictionary or a set asks of a key that is an object of the program's classes: its `__hash__`, and the
//! `__eq__` of the keys with the same hash. They run as frames before the operation that looks for the key. What is
//! frequent is done with what they said; any other operation is done again, and finds their answers
//! ([`Told`]).

use std::rc::Rc;

use smallvec::SmallVec;

use super::Machine;
use super::frame::{Frame, Then};
use super::op::ensure;
use super::operator::question_of;
use super::register::{clear, forget, put};
use crate::diag::SourceResult;
use crate::interp::builtins::Builtin;
use crate::interp::compile::{Code, Op, Reg};
use crate::interp::object::function::Closure;
use crate::interp::object::instance::Instance;
use crate::interp::object::known::{Keyed, Told, candidates};
use crate::interp::object::protocol::hash_given;
use crate::interp::object::set::Set;
use crate::interp::shared::MemberStep;
use crate::interp::value::{Key, Members, Type, Value};
use crate::syntax::ast::CompareOp;

/// The keys that may be the one that is looked for; the one that is asked now stands last.
pub(super) type Candidates = SmallVec<[Key; 1]>;

/// Where an operation has what holds keys, and the key that it looks for.
#[derive(Clone, Copy)]
struct Places {
    held: Reg,
    key: Reg,
}

/// The places of an operation that looks for a key.
fn places(code: &Code, registers: &[Value], operation: Op) -> Option<Places> {
    use CompareOp::{In, NotIn};
    let (held, key) = match operation {
        Op::Subscript { base, index, .. }
        | Op::SetSubscript { base, index, .. }
        | Op::DeleteSubscript { base, index, .. } => (base, index),
        Op::ItemToUpdate { first } => (first, first + 1),
        // It comes before the key is asked, which nobody notices of numbers.
        Op::UpdateItem { first, .. } => {
            let is_number =
                |at: Reg| matches!(registers[usize::from(at)], Value::Int(_) | Value::Float(_));
            (is_number(first + 2) && is_number(first + 3)).then_some((first, first + 1))?
        }
        Op::Compare { op: In | NotIn, a, b, .. }
        | Op::Unless { op: In | NotIn, a, b }
        | Op::When { op: In | NotIn, a, b } => (b, a),
        Op::SetAdd { set, item } => (set, item),
        Op::Insert { dict, item } => (dict, item),
        Op::CallMethod { callee, site, .. } => {
            let (held, method) = method(code, registers, callee, site)?;
            takes_key(method).then_some((held, callee + 2))?
        }
        _ => return None,
    };
    Some(Places { held, key })
}

/// The built-in method of a call with plain arguments, and its receiver.
fn method(
    code: &Code,
    registers: &[Value],
    callee: Reg,
    site: u16,
) -> Option<(Reg, &'static Builtin)> {
    let site = &code.sites[usize::from(site)];
    if !site.is_plain || site.arguments.is_empty() {
        return None;
    }
    match &registers[usize::from(callee)] {
        Value::Unbound => {
            let (object, name) = site.there?;
            let known = code.lookups[usize::from(name)].there()?;
            known.is_of(&registers[usize::from(object)]).then_some((object, known.builtin))
        }
        Value::Function(function) => Some((callee + 1, function.builtin)),
        _ => None,
    }
}

/// Whether the first argument of a method is a key that it looks for.
fn takes_key(method: &Builtin) -> bool {
    match method.method_of {
        Some(Type::Dict) => matches!(method.name, "get" | "pop" | "setdefault"),
        Some(Type::Set) => matches!(method.name, "add" | "discard" | "remove"),
        _ => false,
    }
}

/// Looks at what holds keys; nothing where a value holds none.
fn with_keys<T>(held: &Value, look: impl FnOnce(&dyn Keyed) -> T) -> Option<T> {
    Some(match held {
        Value::Set(members) => look(&*members.borrow()),
        Value::FrozenSet(members) => look(&**members),
        // The methods of its class come first.
        Value::Object(_) => return None,
        held => look(&*held.as_dict()?.borrow()),
    })
}

impl Machine<'_> {
    /// Asks the key that the operation looks for, at which the running frame is, where that is an object of the
    /// program's; whether that was done.
    pub(super) fn ask_key(&mut self) -> bool {
        let Some((places, object)) = self.sought() else { return false };
        if !self.can_push() || self.with_keys_at(places.held, |_| ()).is_none() {
            return false;
        }
        let changes = self.evaluator.interp.class_changes.get();
        let Some(class) = object.class.program() else { return false };
        match class.method("__hash__", changes) {
            Some(method) if method.takes_plainly(1) => {
                self.ask_method(method, Then::Hash, [Value::Object(object)]);
                true
            }
            // It equals nothing but itself.
            None if object.plain().is_none() && class.find("__hash__", changes).is_none() => {
                object.set_hash(object.hash_of_place());
                let key = Key::of_object(&object);
                match self.with_keys_at(places.held, |keys| (keys.known(&key), keys.speaks())) {
                    Some((Some(known), _)) => self.use_known(&known),
                    Some((None, false)) => self.use_absent(key),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// The key that is looked for has said its hash.
    ///
    /// # Errors
    /// TypeError for what is none, and what comparing brings up.
    pub(super) fn hash_said(&mut self, answer: &Value) -> SourceResult<()> {
        let hash = hash_given(answer).map_err(|fault| fault.placed(self.frames.top().span()))?;
        let Some((places, object)) = self.sought() else { return Ok(()) };
        object.set_hash(hash);
        let key = Key::of_object(&object);
        let found = self.with_keys_at(places.held, |keys| match keys.known(&key) {
            Some(known) => (Some(known), Candidates::new()),
            None => (None, candidates(keys, &key)),
        });
        match found {
            Some((Some(known), _)) => self.found(Some(known)),
            Some((None, mut candidates)) if !candidates.is_empty() => {
                candidates.reverse();
                self.candidates.push(candidates);
                self.ask_next()
            }
            _ => self.found(None),
        }
    }

    /// One of the keys has said whether it is the one that is looked for.
    ///
    /// # Errors
    /// What its answer, or that of another one, brings up.
    pub(super) fn equality_said(&mut self, answer: Value) -> SourceResult<()> {
        let asked = self.candidates.last_mut().and_then(|candidates| candidates.pop());
        let (Some(asked), Some((_, object))) = (asked, self.sought()) else { return Ok(()) };
        let evaluator = self.evaluator;
        let is_it = match answer {
            Value::Bool(is_it) => Ok(is_it),
            Value::NotImplemented => evaluator
                .comparison_refused(CompareOp::Eq, asked.value(), &Value::Object(object))
                .and_then(|said| evaluator.truth(&said)),
            answer => evaluator.truth(&answer),
        };
        match evaluator.place(is_it, self.frames.top().span())? {
            true => {
                self.candidates.pop();
                self.found(Some(asked))
            }
            false => self.ask_next(),
        }
    }

    /// Asks the candidate that stands last, by a frame where its class has a method for that.
    fn ask_next(&mut self) -> SourceResult<()> {
        let Some((_, object)) = self.sought() else { return Ok(()) };
        while let Some(asked) = self.candidates.last().and_then(|candidates| candidates.last()) {
            let changes = self.evaluator.interp.class_changes.get();
            if let Value::Object(other) = asked.value()
                && other.class == object.class
                && let Some(class) = object.class.program()
                && let Some(method) = class.method("__eq__", changes)
                && method.takes_plainly(2)
                && self.can_push()
            {
                let operands = [asked.value().clone(), Value::Object(object)];
                self.ask_method(method, Then::Equality, operands);
                return Ok(());
            }
            let asked = asked.clone();
            let is_it = self.evaluator.equal(asked.value(), &Value::Object(object.clone()));
            if self.evaluator.place(is_it, self.frames.top().span())? {
                self.candidates.pop();
                return self.found(Some(asked));
            }
            self.candidates.last_mut().and_then(|candidates| candidates.pop());
        }
        self.candidates.pop();
        self.found(None)
    }

    /// Does the operation with the key that is there, if one is, or leaves that to the general way.
    fn found(&mut self, known: Option<Key>) -> SourceResult<()> {
        let Some((_, object)) = self.sought() else { return Ok(()) };
        let is_done = match &known {
            Some(known) => self.use_known(known),
            None => self.use_absent(Key::of_object(&object)),
        };
        if !is_done {
            self.evaluator.interp.told.replace(Some(Told::of(object, known)));
            self.is_told = true;
            self.frames.top_mut().go_back();
        }
        Ok(())
    }

    /// Does the operation with a key that is there; whether that was done.
    fn use_known(&mut self, key: &Key) -> bool {
        let frame = self.frames.top();
        let (code, base) = (&frame.function().code, frame.base);
        let operation = code.ops[frame.pc() - 1];
        let registers = &self.stack[base..frame.end()];
        match operation {
            Op::Subscript { base, .. } | Op::ItemToUpdate { first: base } => {
                let found = registers[usize::from(base)].as_dict();
                let found = found.and_then(|entries| entries.borrow().get(key).cloned());
                found.is_some_and(|value| self.answer_with(value))
            }
            Op::Compare { .. } | Op::Unless { .. } | Op::When { .. } => {
                self.answer_with(Value::Bool(true))
            }
            Op::CallMethod { callee, site, .. } => {
                let Some((held, method)) = method(code, registers, callee, site) else {
                    return false;
                };
                let answer = match (method.name, &registers[usize::from(held)]) {
                    ("add", Value::Set(_)) => Value::None,
                    ("get" | "setdefault", Value::Dict(entries)) => {
                        match entries.borrow().get(key) {
                            Some(value) => value.clone(),
                            None => return false,
                        }
                    }
                    _ => return false,
                };
                self.end_call(answer)
            }
            Op::SetSubscript { .. } => self.store_under(key.clone()),
            _ => false,
        }
    }

    /// Does the operation with a key that is not there; whether that was done.
    fn use_absent(&mut self, key: Key) -> bool {
        let frame = self.frames.top();
        let (code, base) = (frame.function().code.clone(), frame.base);
        let registers = &self.stack[base..frame.end()];
        match code.ops[frame.pc() - 1] {
            Op::Compare { .. } | Op::Unless { .. } | Op::When { .. } => {
                self.answer_with(Value::Bool(false))
            }
            Op::CallMethod { callee, site, .. } => {
                let Some((held, method)) = method(&code, registers, callee, site) else {
                    return false;
                };
                let site = &code.sites[usize::from(site)];
                match (method.name, &registers[usize::from(held)], site.arguments.len()) {
                    ("get", Value::Dict(_), 1) => self.end_call(Value::None),
                    ("get", Value::Dict(_), 2) => {
                        let otherwise = registers[usize::from(callee) + 3].clone();
                        self.end_call(otherwise)
                    }
                    ("add", Value::Set(members), 1) if has_room(members) => {
                        let evaluator = self.evaluator;
                        let before = |members: &Members| MemberStep::Len(members.len());
                        let (members, value) = (members.clone(), key.value().clone());
                        evaluator.step_at_once(&members, &value, site.is_last, before).insert(key);
                        self.end_call(Value::None)
                    }
                    _ => false,
                }
            }
            Op::SetSubscript { .. } => self.store_under(key),
            _ => false,
        }
    }

    /// The answer of the operation at which the running frame is.
    fn answer_with(&mut self, answer: Value) -> bool {
        match question_of(self.frames.top()) {
            Some(question) => {
                self.use_answer(&question, answer);
                true
            }
            None => false,
        }
    }

    /// The answer of the call at which the running frame is, whose arguments are let go of.
    fn end_call(&mut self, answer: Value) -> bool {
        let frame = self.frames.top();
        let code = &frame.function().code;
        let Op::CallMethod { to, callee, site } = code.ops[frame.pc() - 1] else { return false };
        let end = usize::from(callee) + 2 + code.sites[usize::from(site)].arguments.len();
        let registers = &mut self.stack[frame.base..];
        clear(&mut registers[usize::from(callee)..end]);
        put(&mut registers[usize::from(to)], answer);
        true
    }

    /// `held[key] = value`
    fn store_under(&mut self, key: Key) -> bool {
        let frame = self.frames.top();
        let code = frame.function().code.clone();
        let Op::SetSubscript { base, index, from, is_last } = code.ops[frame.pc() - 1] else {
            return false;
        };
        let registers = &mut self.stack[frame.base..];
        let value = &registers[usize::from(from)];
        let Value::Dict(entries) = &registers[usize::from(base)] else { return false };
        if is_last && self.evaluator.interp.engine.pending() > 0
            || !self.evaluator.put_entry(entries, &key, value, is_last, |_| Some(key.clone()))
        {
            return false;
        }
        [from, index, base]
            .into_iter()
            .for_each(|register| forget(registers, code.first_temporary, register));
        self.frames.top_mut().skip(1);
        true
    }

    /// A frame for a method with these operands, the first being the object that has it.
    fn ask_method<const N: usize>(
        &mut self,
        method: Rc<Closure>,
        then: Then,
        operands: [Value; N],
    ) {
        ensure(self.evaluator);
        let end = self.frames.top().end();
        self.push_at_once(Frame::new(method, end, then));
        self.stack[end..].iter_mut().zip(operands).for_each(|(to, value)| put(to, value));
        self.fill_defaults(N);
        self.fill();
    }

    /// Where the operation has its operands at which the running frame is, and the object that it looks for.
    fn sought(&self) -> Option<(Places, Rc<Instance>)> {
        let frame = self.frames.top();
        let code = &frame.function().code;
        let registers = &self.stack[frame.base..frame.end()];
        let places = places(code, registers, *code.ops.get(frame.pc().checked_sub(1)?)?)?;
        match &registers[usize::from(places.key)] {
            Value::Object(object) => Some((places, object.clone())),
            _ => None,
        }
    }

    /// Looks at the keys that a register of the running frame holds.
    fn with_keys_at<T>(&self, held: Reg, look: impl FnOnce(&dyn Keyed) -> T) -> Option<T> {
        with_keys(&self.stack[self.frames.top().base + usize::from(held)], look)
    }
}

/// Whether a set need not grow for one element more.
fn has_room(members: &Set) -> bool {
    let members = members.borrow();
    members.len() < members.capacity()
}
