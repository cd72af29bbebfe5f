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
use crate::interp::object::operate::methods;
use crate::interp::object::protocol::no_truth;
use crate::interp::value::Value;

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
        if !self.evaluator.interp.has_classes.get() {
            return false;
        }
        let Some(question) = self.question() else { return false };
        let (base, end) = (self.frames.top().base, self.frames.top().end());
        let registers = &self.stack[base..end];
        let object = &registers[usize::from(question.object)];
        let of_loop = match (object, question.of) {
            (Value::Object(_), Asked::Next) => return false,
            (Value::Object(_), _) => None,
            (Value::Iterator(iter), Asked::Next) => iter.asked(),
            _ => return false,
        };
        let other = question.operands[0].register().map(|at| &registers[usize::from(at)]);
        let asked = of_loop.as_ref().unwrap_or(object);
        let Some(method) = self.method_for(&question, asked, other) else { return false };
        let count = question.count();
        if !method.takes_plainly(count) || method.code.is_generator || !self.can_push() {
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
        for (register, operand) in own[1..].iter_mut().zip(question.operands) {
            match operand {
                Operand::Register(at) => put_copy(register, &waiting[usize::from(at)]),
                Operand::Number(number) => put_int(register, number.into()),
                Operand::Nothing => {}
            }
        }
        self.fill_defaults(count);
        self.fill();
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
        let method = match question.of {
            Asked::Call(_) => builtin::asked(self.callee(question)?)?,
            of => of.method()?,
        };
        match class.find(method, changes) {
            Some(Value::Closure(method)) => Some(method),
            _ => None,
        }
    }

    /// The built-in function that asks.
    fn callee(&self, question: &Question) -> Option<&'static Builtin> {
        let Asked::Call(callee) = question.of else { return None };
        match &self.stack[self.frames.top().base + usize::from(callee)] {
            Value::Function(function) => Some(function.builtin),
            _ => None,
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
            (_, Some(function)) => self.evaluator.builtin_answered(function, answer),
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
            Use::PutItem(_) | Use::PutNext(_) | Use::Drop => frame.skip(1),
            Use::Go { .. } | Use::Put(_) | Use::PutTruth { .. } => {}
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
