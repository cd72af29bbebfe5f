//! Operations on objects of the program's classes. The method that answers runs as a frame of the machine, so that
//! the depth of a program costs no native stack. Its operands stay where they are until it has answered: it may say
//! that it does not know, and then the other side is asked.

use std::rc::Rc;

use super::Machine;
use super::asked::{Asked, Operand, Question, Use};
use super::frame::{Frame, Then};
use super::op::ensure;
use super::register::{forget, put, put_copy, put_int};
use crate::diag::{Diagnostic, ErrorKind, SourceResult};
use crate::interp::builtins::Builtin;
use crate::interp::compile::{Op, Reg};
use crate::interp::object::builtin;
use crate::interp::object::class::ClassRef;
use crate::interp::object::function::Closure;
use crate::interp::object::instance::Descriptor;
use crate::interp::object::operate::methods;
use crate::interp::object::protocol::no_truth;
use crate::interp::object::text::shown;
use crate::interp::value::{Sought, Type, Value};

/// What the operation asks that a frame is at.
pub(super) fn question_of(frame: &Frame) -> Option<Question> {
    let code = &frame.function().code;
    Question::of(code, *code.ops.get(frame.pc().checked_sub(1)?)?)
}

impl Machine<'_> {
    fn question(&self) -> Option<Question> {
        question_of(self.frames.top())
    }

    /// A frame for the method that answers the operation at which the running frame is, where that is asked of an
    /// object of a class of the program, and no other side has a say before it; whether there is one.
    #[inline(never)]
    pub(super) fn ask_at_once(&mut self) -> bool {
        if !self.evaluator.interp.has_classes.get() || self.is_told {
            return false;
        }
        // Where it was made, because a processor waits for what is read in other pieces than it was written in.
        let posed = self.question();
        let Some(question) = &posed else { return self.ask_key() };
        let (base, end) = (self.frames.top().base, self.frames.top().end());
        let registers = &self.stack[base..end];
        let object = &registers[usize::from(question.object)];
        let of_loop = match (object, question.of) {
            (Value::Object(_), Asked::Next) => return false,
            (Value::Object(_), _) => None,
            (Value::Iterator(iter), Asked::Next) => iter.asked(),
            _ => return self.ask_key(),
        };
        let other = question.operands[0].register().map(|at| &registers[usize::from(at)]);
        let asked = of_loop.as_ref().unwrap_or(object);
        let setter = self.setter_for(question, asked);
        // A setter knows of which attribute it is.
        let operands = match setter {
            Some(_) => &question.operands[1..],
            None => &question.operands[..],
        };
        let method = setter.or_else(|| self.method_for(question, asked, other));
        let Some(method) = method else { return false };
        let name = operands[0].name().map(|at| self.name(at));
        let count = 1 + operands.iter().filter(|operand| operand.is_something()).count();
        let gives_generator = matches!(question.of, Asked::Iter) && method.makes_generator(count);
        if !method.takes_plainly(count) && !gives_generator || !self.can_push() {
            return false;
        }
        ensure(self.evaluator);
        self.push_at_once(Frame::new(method, end, Then::Answer));
        let (before, own) = self.stack.split_at_mut(end);
        let waiting = &before[base..];
        match of_loop {
            Some(object) => put(&mut own[0], object),
            None => put_copy(&mut own[0], &waiting[usize::from(question.object)]),
        }
        for (register, operand) in own[1..].iter_mut().zip(operands) {
            match *operand {
                Operand::Register(at) => put_copy(register, &waiting[usize::from(at)]),
                Operand::Number(number) => put_int(register, number.into()),
                Operand::Name(_) => put(register, name.clone().unwrap_or(Value::None)),
                Operand::Nothing => {}
            }
        }
        self.fill_defaults(count);
        self.fill();
        if gives_generator {
            let generator = self.generator_of_frame();
            self.pop();
            self.use_answer(question, generator);
        }
        true
    }

    /// The method of an object that answers, where nothing else has a say before it.
    fn method_for(
        &self,
        question: &Question,
        object: &Value,
        other: Option<&Value>,
    ) -> Option<Rc<Closure>> {
        let Value::Object(object) = object else { return None };
        let ClassRef::Program(class) = &object.class else { return None };
        if let Some(Value::Object(other)) = other
            && question.has_two_sides()
            && other.class != object.class
        {
            return None;
        }
        let changes = self.evaluator.interp.class_changes.get();
        if let Asked::Operator { op, is_update: true } = question.of
            && class.find(methods(op)[2], changes).is_some()
        {
            return None;
        }
        let has = |name: &str| class.find(name, changes).is_some();
        let (method, otherwise) = match question.of {
            Asked::Call(_) => builtin::asked(self.callee(question)?)?,
            Asked::Text if has("__format__") => return None,
            // What has a specification, too, is written in its width.
            Asked::Converted(_) if !matches!(self.below(question.object), Value::Str(text) if text.is_empty()) =>
            {
                return None;
            }
            Asked::Text | Asked::Converted(b's') => builtin::STR,
            // What an object extends may say it, too.
            Asked::Attribute(name) => {
                let name = &*self.frames.top().function().code.names[usize::from(name)].node;
                let is_own = class.native == Type::Object && !name.starts_with("__");
                if !is_own || object.field(name).is_some() || has(name) || has("__getattribute__") {
                    return None;
                }
                ("__getattr__", None)
            }
            Asked::Item | Asked::ItemToUpdate if !has("__getitem__") => {
                let (Some(Value::Dict(entries)), Some(key)) = (object.plain(), other) else {
                    return None;
                };
                let (entries, key) = (entries.borrow(), Sought::of(key)?);
                if entries.contains_key(&key) || entries.speaks() {
                    return None;
                }
                ("__missing__", None)
            }
            of => (of.method()?, None),
        };
        // The texts of a value that an object extends are its own.
        let otherwise = otherwise.filter(|_| class.native == Type::Object);
        let find = |method: &'static str| match method {
            // Data classes look out for objects that hold themselves.
            "__repr__" if has("__dataclass_fields__") => None,
            _ => class.method(method, changes),
        };
        match otherwise {
            Some(otherwise) if !has(method) => find(otherwise),
            _ => find(method),
        }
    }

    /// What sets the property that an object has under the name which is to be set.
    fn setter_for(&self, question: &Question, object: &Value) -> Option<Rc<Closure>> {
        let Asked::SetAttribute = question.of else { return None };
        let Value::Object(object) = object else { return None };
        let (class, changes) = (object.class.program()?, self.evaluator.interp.class_changes.get());
        let name = question.operands[0].name()?;
        let name = &self.frames.top().function().code.names[usize::from(name)].node;
        let Some(Value::Descriptor(found)) = class.find(name, changes) else { return None };
        match &*found {
            Descriptor::Property { set: Value::Closure(set), .. }
                if class.find("__setattr__", changes).is_none() =>
            {
                Some(set.clone())
            }
            _ => None,
        }
    }

    /// The register of the running frame behind this one.
    fn below(&self, register: Reg) -> &Value {
        &self.stack[self.frames.top().base + usize::from(register) + 1]
    }

    /// A name of the running frame's code.
    fn name(&self, at: u16) -> Value {
        Value::str(&*self.frames.top().function().code.names[usize::from(at)].node)
    }

    /// The built-in function that asks.
    fn callee(&self, question: &Question) -> Option<&'static Builtin> {
        self.callee_in(self.frames.top(), question)
    }

    fn callee_in(&self, frame: &Frame, question: &Question) -> Option<&'static Builtin> {
        let Asked::Call(callee) = question.of else { return None };
        match &self.stack[frame.base + usize::from(callee)] {
            Value::Function(function) => Some(function.builtin),
            Value::Type(of) => {
                let registry = &self.evaluator.interp.registry;
                registry.constructor(*of).map(|function| function.builtin)
            }
            _ => None,
        }
    }

    /// Whether an answer to what a frame waits for is used as it is: nobody else is asked then, and nothing can fail.
    pub(super) fn takes(&self, frame: &Frame, question: &Question, answer: &Value) -> bool {
        match self.callee_in(frame, question) {
            Some(function) => builtin::takes(function.name, answer),
            None => question.takes(answer),
        }
    }

    /// The method has answered that was asked for the operation at which the running frame waits.
    ///
    /// # Errors
    /// What the other side brings up where it does not know, that no side does, and what an answer brings up whose
    /// truth is asked for.
    pub(super) fn answered(&mut self, answer: Value) -> SourceResult<()> {
        let Some(question) = self.question() else { return Ok(()) };
        let answer = match answer {
            Value::NotImplemented if question.has_two_sides() => self.refused(&question)?,
            answer => answer,
        };
        let answered = match (question.of, self.callee(&question)) {
            (Asked::Iter, _) => self.evaluator.iterator_given(answer),
            (_, Some(function)) => {
                let object = &self.stack[self.frames.top().base + usize::from(question.object)];
                self.evaluator.builtin_answered(function.name, object, answer)
            }
            (Asked::Text | Asked::Converted(_) | Asked::Format, _) => {
                let method = question.of.method().unwrap_or(builtin::STR.0);
                shown(answer, method).map(|text| text.plain().clone())
            }
            _ => Ok(answer),
        };
        let answer = answered.map_err(|fault| fault.placed(self.frames.top().span()))?;
        let answer = match answer {
            Value::Bool(_) => answer,
            answer if question.then.is_truth() => Value::Bool(self.judged(&question, &answer)?),
            answer => answer,
        };
        self.use_answer(&question, answer);
        Ok(())
    }

    /// What the other side says, or the language, where the method did not know.
    fn refused(&self, question: &Question) -> SourceResult<Value> {
        let registers = &self.stack[self.frames.top().base..];
        let left = &registers[usize::from(question.object)];
        let right = question.operands[0].value(registers).unwrap_or(Value::None);
        let said = match question.of {
            Asked::Operator { op, is_update } => {
                self.evaluator.refused(op, left, &right, is_update)
            }
            Asked::Comparison(op) => self.evaluator.comparison_refused(op, left, &right),
            _ => Ok(Value::NotImplemented),
        };
        self.evaluator.place(said, self.frames.top().span())
    }

    /// Whether an answer is true.
    fn judged(&self, question: &Question, answer: &Value) -> SourceResult<bool> {
        let truth = match question.of {
            Asked::Truth => Err(no_truth(answer).into()),
            _ => self.evaluator.truth(answer),
        };
        self.evaluator.place(truth, self.frames.top().span())
    }

    /// Does with an answer what the operation is for, and lets go of the operands.
    pub(super) fn use_answer(&mut self, question: &Question, answer: Value) {
        let frame = self.frames.top_mut();
        let truth = matches!(answer, Value::Bool(true));
        match question.then {
            Use::Jump { when } => {
                let next = frame.function().code.ops[frame.pc()];
                match next {
                    Op::Jump { to } if truth == when => frame.go_to(to as usize),
                    _ => frame.skip(1),
                }
            }
            Use::Go { when, to } if truth == when => frame.go_to(to as usize),
            Use::PutItem(_) | Use::PutNext(_) | Use::DropItem => frame.skip(1),
            Use::Go { .. } | Use::Put(_) | Use::PutTruth { .. } | Use::Drop => {}
        }
        let (base, first_temporary) = (frame.base, frame.function().code.first_temporary);
        let registers = &mut self.stack[base..];
        let target = question.then.target();
        if let Some(to) = target {
            let answer = match question.then {
                Use::PutTruth { is_negated, .. } => Value::Bool(truth != is_negated),
                _ => answer,
            };
            put(&mut registers[usize::from(to)], answer);
        }
        if question.keeps_registers() {
            return;
        }
        let mut forget = |register: Reg| {
            if Some(register) != target {
                forget(registers, first_temporary, register);
            }
        };
        question.operands.iter().filter_map(|operand| operand.register()).for_each(&mut forget);
        forget(question.object);
        if let Asked::Call(callee) = question.of {
            forget(callee);
        }
    }

    /// Whether an error is the end of a loop whose object the running frame has asked for an item: the loop is left
    /// then.
    pub(super) fn ends_loop(&mut self, error: &Diagnostic) -> bool {
        let asked = self.question().map(|question| question.of);
        if !matches!(asked, Some(Asked::Next)) || !error.kind.is_a(ErrorKind::StopIteration) {
            return false;
        }
        let frame = self.frames.top_mut();
        match frame.function().code.ops[frame.pc()] {
            Op::Jump { to } => frame.go_to(to as usize),
            _ => frame.skip(1),
        }
        true
    }
}
