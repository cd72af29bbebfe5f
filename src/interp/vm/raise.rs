//! `raise`, `except`, and what enters and leaves a `with`.

use std::rc::Rc;

use super::Machine;
use super::op::{Context, ensure};
use crate::diag::{Diagnostic, ErrorKind, SourceResult};
use crate::interp::compile::{Handler, Kind, NONE, Reg};
use crate::interp::object::exception::object_of;
use crate::interp::value::{Module, Value};

impl Machine<'_> {
    /// `raise exception from cause`
    #[cold]
    pub(super) fn raise(&mut self, exception: Reg, cause: Reg) -> Box<Diagnostic> {
        ensure(self.evaluator);
        let at = |register: Reg| self.stack[self.frames.top().base + usize::from(register)].clone();
        let (exception, cause) = (at(exception), (cause != NONE).then(|| at(cause)));
        self.evaluator.raise(&exception, cause.as_ref(), self.frames.top().span())
    }

    /// `raise` of what is being handled.
    #[cold]
    pub(super) fn reraise(&self) -> Box<Diagnostic> {
        let span = self.frames.top().span();
        match self.handled() {
            Some(Value::Object(object)) => self.evaluator.raised(&object, span),
            _ => {
                let message = "No active exception to reraise";
                Box::new(Diagnostic::new(ErrorKind::Runtime, span, message))
            }
        }
    }

    /// The exception that is being handled, in the running frame or in one that waits for it.
    pub(super) fn handled(&self) -> Option<Value> {
        self.frames.iter().find_map(|frame| {
            let at = frame.pc().saturating_sub(1) as u32;
            let mut inside = frame.function().code.handling.iter();
            inside.find_map(|handling| {
                let is_inside = (handling.from..handling.to).contains(&at);
                let value = self.stack.get(frame.base + usize::from(handling.error))?;
                (is_inside && matches!(value, Value::Object(_))).then(|| value.clone())
            })
        })
    }

    /// Notes what was being handled when an error came up.
    #[cold]
    pub(super) fn note_context(&self, error: Box<Diagnostic>) -> Box<Diagnostic> {
        let Some(handled) = self.handled() else { return error };
        if let (Some(object), Value::Object(handled)) = (object_of(&error), &handled)
            && Rc::ptr_eq(&object, handled)
        {
            return error;
        }
        ensure(self.evaluator);
        self.evaluator.raised_while(error, &handled)
    }

    /// A handler takes an error: the machine goes on there.
    ///
    /// # Errors
    /// What the statement of the cell left lazy, where that fails as well and nobody handles it.
    #[cold]
    pub(super) fn handle(
        &mut self,
        handler: Handler,
        mut error: Box<Diagnostic>,
    ) -> SourceResult<()> {
        // What a simple statement of the cell did before the error stands, as in Python, if one takes it.
        let interp = self.evaluator.interp;
        if self.commits
            && self.frames.top().function().code.kind == Kind::Cell
            && interp.is_in_transaction()
        {
            let span = self.frames.top().span();
            let done = match handler.may_decline {
                true => self.evaluator.place(interp.engine.settle(), span),
                false => super::op::commit(self.evaluator, span),
            };
            match done {
                Ok(()) => {}
                Err(late) => {
                    interp.roll_back();
                    error = late;
                }
            }
        }
        if !interp.is_in_transaction() {
            interp.pass();
        }
        ensure(self.evaluator);
        if error.kind == ErrorKind::KeyboardInterrupt {
            // It has been heard.
            interp.engine.interrupt().clear();
        }
        let object = self.evaluator.caught(error);
        let code = &self.frames.top().function().code;
        if let (Some(state), Kind::Function) = (object.exception(), code.kind) {
            let name = code.name.0.clone();
            state.change_to_hold(&interp.journal, &Value::None).caught_in = Some(name);
        }
        self.stack[self.frames.top().base + usize::from(handler.error)] = Value::Object(object);
        self.frames.top_mut().go_to(handler.target as usize);
        Ok(())
    }
}

impl Context<'_, '_> {
    /// Whether `except class` takes the exception.
    pub fn catches(&mut self, error: Reg, class: Reg) -> SourceResult<bool> {
        let class = self.take(class);
        match self.get(error) {
            Value::Object(object) => {
                let caught = self.evaluator.is_caught_by(object, &class);
                caught.map_err(|fault| fault.placed(self.span()))
            }
            _ => Ok(false),
        }
    }

    /// Whether `except* class` takes a part of what is left behind `state`; puts what it takes behind that.
    pub fn catches_part(&mut self, state: Reg, class: Reg) -> SourceResult<bool> {
        self.begin();
        let operands = [self.get(state + 1).clone(), self.take(class)];
        let parts = self.evaluator.call_text(Module::Builtins, "_caught_part", operands);
        let parts = parts.map_err(|fault| fault.placed(self.span()))?;
        if let Value::Tuple(parts) = &parts
            && let [part, rest] = &parts[..]
        {
            self.set(state + 1, rest.clone());
            self.set(state + 2, part.clone());
        }
        Ok(!matches!(self.get(state + 2), Value::None))
    }

    /// What goes on when all `except*` had their turn.
    pub fn regroup(&mut self, state: Reg) -> SourceResult<()> {
        self.begin();
        let operands = [state, state + 3, state + 1].map(|at| self.get(at).clone());
        let left = self.evaluator.call_text(Module::Builtins, "_regrouped", operands);
        let left = left.map_err(|fault| fault.placed(self.span()))?;
        self.set(state, left);
        Ok(())
    }

    /// An exception that nobody took goes on.
    pub fn raise_again(&mut self, error: Reg) -> SourceResult<()> {
        match self.get(error) {
            Value::Object(object) => Err(self.evaluator.raised(object, self.span())),
            _ => Ok(()),
        }
    }

    /// `with context`: what leaves it goes to `to`, what enters it behind that.
    pub fn enter(&mut self, to: Reg, context: Reg) -> SourceResult<()> {
        self.begin();
        let context = self.take(context);
        let manager = self.evaluator.manager(&context);
        let (enter, exit) = manager.map_err(|fault| fault.placed(self.span()))?;
        self.set(to, exit);
        self.set(to + 1, enter);
        Ok(())
    }

    /// What leaves a `with` goes to `to`, and behind it what it is called with: of an exception in `state` its type,
    /// itself and where it was.
    pub fn leave(&mut self, to: Reg, exit: Reg, state: Reg) -> SourceResult<()> {
        self.begin();
        let arguments = match self.get(state).clone() {
            error @ Value::Object(_) => {
                let class = self.evaluator.class_of(&error).value();
                let traceback = self.evaluator.attribute(&error, "__traceback__");
                let traceback = self.evaluator.place(traceback, self.span())?;
                [class, error, traceback]
            }
            _ => [Value::None, Value::None, Value::None],
        };
        let method = self.get(exit).clone();
        self.set(to, method);
        for (at, argument) in (to + 1..).zip(arguments) {
            self.set(at, argument);
        }
        Ok(())
    }

    /// What a manager said behind its block: a true answer ends an exception in `state`.
    pub fn swallow(&mut self, state: Reg, answer: Reg) -> SourceResult<()> {
        let answer = self.take(answer);
        if let Value::Object(_) = self.get(state) {
            self.begin();
            if self.evaluator.place(self.evaluator.truth(&answer), self.span())? {
                self.set(state, Value::None);
            }
        }
        Ok(())
    }
}
