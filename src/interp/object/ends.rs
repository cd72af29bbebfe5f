//! What is done when nobody holds an object any more: the `finally` blocks and `with` exits around the
//! `yield` at which a generator waits, and `__del__`.
//!
//! An object whose end matters is watched. When its last holder lets go, it is set aside, and the
//! machine ends it before its next operation. Where only the past holds it, it ends with the statement
//! that let go of it; when that statement is taken back, it is as it was.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use super::generator::{Generator, State};
use super::instance::Instance;
use crate::diag::{Diagnostic, ErrorKind, Fault, SourceResult, Span};
use crate::interp::compile::Op;
use crate::interp::value::Value;
use crate::interp::{Evaluator, Interp, Resume, Resumed};

/// The ends that are due, and how many may become so.
#[derive(Debug, Default)]
pub struct Ends {
    due: RefCell<VecDeque<Ending>>,
    is_due: Cell<bool>,
    /// Objects that are watched, and those whose end is due.
    watched: Cell<usize>,
    /// Whether what is dropped now never was: it is taken back.
    is_taken_back: Cell<bool>,
}

/// An object whose end is due.
#[derive(Debug)]
pub enum Ending {
    Generator(Rc<Generator>),
    Object(Rc<Instance>),
}

/// An object that the past has, and whose end is due if nobody else has it.
#[derive(Debug)]
pub enum Forgotten {
    Generator(Weak<Generator>),
    Object(Weak<Instance>),
}

/// What a watched object has.
#[derive(Debug)]
pub struct Watch(Rc<Ends>);

impl Ends {
    /// Whether the machine must look before each operation whether something is due.
    #[inline]
    pub fn is_watching(&self) -> bool {
        self.watched.get() > 0
    }

    #[inline]
    pub fn is_due(&self) -> bool {
        self.is_due.get()
    }

    /// Something is about to be dropped that never was.
    pub fn take_back<T>(&self, run: impl FnOnce() -> T) -> T {
        let before = self.is_taken_back.replace(true);
        let done = run();
        self.is_taken_back.set(before);
        done
    }

    /// Those that are due, in the order in which they were dropped.
    fn take(&self) -> VecDeque<Ending> {
        self.is_due.set(false);
        std::mem::take(&mut self.due.borrow_mut())
    }

    /// Takes those back that have not been ended, in front of what has become due since.
    fn put_back(&self, mut left: VecDeque<Ending>) {
        let mut due = self.due.borrow_mut();
        left.append(&mut due);
        *due = left;
        self.is_due.set(!due.is_empty());
    }
}

impl Watch {
    pub fn new(ends: &Rc<Ends>) -> Watch {
        ends.watched.set(ends.watched.get() + 1);
        Watch(ends.clone())
    }

    /// The object's last holder has let go.
    pub fn note(self, ending: impl FnOnce() -> Ending) {
        let ends = &self.0;
        if !ends.is_taken_back.get() {
            ends.due.borrow_mut().push_back(ending());
            ends.is_due.set(true);
            ends.watched.set(ends.watched.get() + 1);
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.watched.set(self.0.watched.get().saturating_sub(1));
    }
}

impl Generator {
    /// Whether something stands around the `yield` at which it waits, or at which one waits that it has handed
    /// over to.
    pub fn has_end(&self) -> bool {
        self.has_own_end() || self.delegates().any(|inner| inner.has_own_end())
    }

    fn has_own_end(&self) -> bool {
        match self.state.try_borrow().as_deref() {
            Some(State::Waiting(waiting)) if waiting.has_begun => {
                let code = &self.function.code;
                let at = |pc: usize| code.handlers.iter().any(|h| h.covers(pc));
                // `yield` is done where it waits, `yield from` is not.
                at(waiting.pc) || at(waiting.pc.saturating_sub(1))
            }
            _ => false,
        }
    }

    /// What it gives the items out of where it waits.
    pub fn source(&self) -> Option<Value> {
        let state = self.state.try_borrow()?;
        let State::Waiting(waiting) = &*state else { return None };
        let Some(Op::YieldFrom { iter, .. }) = self.function.code.ops.get(waiting.pc) else {
            return None;
        };
        waiting.kept.get(usize::from(*iter)).cloned()
    }

    /// The same, where that is a generator.
    fn delegate(&self) -> Option<Rc<Generator>> {
        match self.source()? {
            Value::Generator(inner) => Some(inner),
            _ => None,
        }
    }

    fn delegates(&self) -> impl Iterator<Item = Rc<Generator>> {
        std::iter::successors(self.delegate(), |inner| inner.delegate())
    }

    /// What watches it, or the one that it has handed over to.
    pub(super) fn watched(&self) -> Option<Watch> {
        self.watch.take().or_else(|| {
            self.delegates().find_map(|inner| {
                let watch = inner.watch.take()?;
                let own = Watch::new(&watch.0);
                inner.watch.set(Some(watch));
                Some(own)
            })
        })
    }
}

impl Ending {
    /// Of a value whose end matters and has not come.
    pub fn of(value: &Value) -> Option<Ending> {
        match value {
            Value::Generator(generator) if generator.has_end() => {
                Some(Ending::Generator(generator.clone()))
            }
            Value::Object(object) if object.is_watched() => Some(Ending::Object(object.clone())),
            _ => None,
        }
    }

    fn value(&self) -> Value {
        match self {
            Ending::Generator(generator) => Value::Generator(generator.clone()),
            Ending::Object(object) => Value::Object(object.clone()),
        }
    }
}

impl Forgotten {
    /// Of a value that only the past has.
    pub fn of(value: &Value) -> Option<Forgotten> {
        Ending::of(value).map(|ending| match ending {
            Ending::Generator(generator) => Forgotten::Generator(Rc::downgrade(&generator)),
            Ending::Object(object) => Forgotten::Object(Rc::downgrade(&object)),
        })
    }

    fn ending(&self) -> Option<Ending> {
        let value = match self {
            Forgotten::Generator(generator) => Value::Generator(generator.upgrade()?),
            Forgotten::Object(object) => Value::Object(object.upgrade()?),
        };
        Ending::of(&value)
    }
}

impl Interp {
    /// What an object whose end matters has.
    pub fn watch(&self) -> Watch {
        Watch::new(&self.ends)
    }

    /// What only the past has since the last look, and whose end is due.
    fn forgotten(&self) -> Vec<Ending> {
        let mut reach = self.journal.reach.borrow_mut();
        let forgotten = reach.take_forgotten();
        let is_past = |ending: &Ending| {
            let at = ending.value().identity();
            at.is_some_and(|(at, _)| reach.is_past(at))
        };
        forgotten.iter().filter_map(Forgotten::ending).filter(is_past).collect()
    }
}

impl Evaluator<'_> {
    /// Ends what nobody holds any more.
    ///
    /// # Errors
    /// Ctrl-C; any other error is told.
    #[cold]
    pub fn end_dropped(&self) -> SourceResult<()> {
        let ends = &self.interp.ends;
        while ends.is_due() {
            // What one of them drops in turn ends at once, and the others in their order.
            let mut due = ends.take();
            while let Some(ending) = due.pop_front() {
                ends.watched.set(ends.watched.get().saturating_sub(1));
                if let Err(error) = self.end(&ending) {
                    ends.put_back(due);
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Ends what only the past has since the statement that has just ended.
    ///
    /// # Errors
    /// Ctrl-C; any other error is told.
    pub fn end_forgotten(&self) -> SourceResult<()> {
        let interp = self.interp;
        while interp.ends.is_watching() {
            let endings = interp.forgotten();
            if endings.is_empty() && !interp.ends.is_due() {
                break;
            }
            interp.begin();
            let ended = endings.iter().try_for_each(|ending| self.end(ending));
            let ended = ended.and_then(|()| self.end_dropped());
            let settled = self.place(interp.engine.settle(), Span::default());
            drop(endings);
            interp.commit();
            ended.and(settled)?;
        }
        Ok(())
    }

    /// Ends what only holds itself, so that it can be let go of.
    ///
    /// # Errors
    /// Ctrl-C; any other error is told.
    pub fn end_unheld(&self) -> SourceResult<()> {
        self.interp.unheld_endings().iter().try_for_each(|ending| self.end(ending))
    }

    fn end(&self, ending: &Ending) -> SourceResult<()> {
        let ended = match ending {
            Ending::Generator(generator) => self.close(generator, Span::default()),
            Ending::Object(object) => {
                object.watch(None);
                let done = self.call_special(&ending.value(), "__del__", []);
                done.map_or(Ok(()), |done| done.map(drop)).map_err(|f| f.placed(Span::default()))
            }
        };
        match ended {
            Err(error) if error.kind == ErrorKind::KeyboardInterrupt => Err(error),
            Err(error) => {
                let error = self.worded(error);
                let (of, name, message) =
                    (self.repr(&ending.value()), error.name(), &error.message);
                let part = if message.is_empty() { "" } else { ": " };
                self.world.warn(&format!("exception ignored in {of}: {name}{part}{message}"));
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    /// `generator.close()`
    ///
    /// # Errors
    /// RuntimeError where it goes on, and those of its blocks.
    pub fn close(&self, generator: &Rc<Generator>, span: Span) -> SourceResult<()> {
        let exit = Box::new(Diagnostic::new(ErrorKind::GeneratorExit, span, ""));
        match self.resume(generator, Resume::Throw(exit), span) {
            Ok(Resumed::Returned(_)) => Ok(()),
            Ok(Resumed::Yielded(_)) => {
                let fault = Fault::new(ErrorKind::Runtime, "generator ignored GeneratorExit");
                Err(fault.placed(span))
            }
            Err(error)
                if matches!(error.kind, ErrorKind::GeneratorExit | ErrorKind::StopIteration) =>
            {
                Ok(())
            }
            Err(error) => Err(error),
        }
    }
}
