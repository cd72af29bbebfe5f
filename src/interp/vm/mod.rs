//! Runs code. Calls of the program's functions are frames of one machine, so that they take no room on
//! Rust's own stack; where a built-in function calls back, another machine runs inside it.

mod arithmetic;
mod asked;
mod at_once;
mod attribute;
mod beside;
mod bind;
mod call;
mod callback;
mod class;
mod comprehension;
mod delegate;
mod dispatch;
mod dot;
mod entry_loop;
mod fast;
mod frame;
mod frames;
mod fstring;
mod function;
mod generator;
mod index;
mod inline;
mod iter;
mod key_asked;
mod keyed;
mod leaf;
mod name;
mod number;
mod op;
mod operator;
mod quick;
mod raise;
mod receiver;
pub(super) mod register;
mod results;
mod sent;
mod spread;
mod steps;
mod there;
mod unwind;
mod window;

pub use callback::Callback;
pub use generator::{Resume, Resumed, Seen};
pub(in crate::interp) use inline::plain_truth;

use std::fmt;
use std::rc::Rc;

use frame::{Frame, Then};
use frames::Frames;
use key_asked::Candidates;
use register::clear;

use super::Evaluator;
use super::compile::{self, Code};
use super::object::function::Closure;
use super::value::Value;
use crate::diag::{ErrorKind, Fault, Source, SourceResult, Span};
use crate::syntax::ast::{FunctionDef, Stmt, StmtKind};
use crate::syntax::{self, CellItem};

/// Frames, and what they hold.
struct Machine<'a> {
    evaluator: Evaluator<'a>,
    /// The registers of all frames, one behind the other; behind them numbers that nobody reads.
    stack: Vec<Value>,
    frames: Frames,
    /// The objects whose `__init__` runs, and functions with the keys under which they keep what is called.
    made: Vec<Value>,
    /// The keys that may be the one that an operation looks for, of each that waits for what they say.
    candidates: Vec<Candidates>,
    /// Whether the operation that comes next has asked its key already.
    is_told: bool,
    /// Steps back in loops since the machine last looked how much work waits.
    turns: u32,
    /// Whether each simple statement of the code commits by itself.
    commits: bool,
    /// Whether its first frame stays where it is when it gives something out.
    keeps: bool,
}

/// The room of a machine that has run: numbers that nobody reads, and no frames.
#[derive(Default)]
pub struct Spare {
    stack: Vec<Value>,
    frames: Frames,
}

impl fmt::Debug for Spare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<room for {} registers>", self.stack.len())
    }
}

/// More registers are not kept for the next machine.
const MOST_SPARE: usize = 4096;

/// The code of a statement, once it has run.
#[derive(Debug, Clone, Default)]
pub struct Again {
    code: Option<Rc<Code>>,
}

/// Why a machine stands still.
enum Stop {
    Returned(Value),
    /// A generator has given out an item.
    Yielded(Value),
}

impl Evaluator<'_> {
    /// Runs a statement. `Some` value for an expression statement.
    ///
    /// # Errors
    /// After an error nothing has changed: names, lists, dictionaries and tensors are as before. Of a
    /// compound statement, the simple statements in it that ended before stand.
    pub fn statement(&self, stmt: &Stmt) -> SourceResult<Option<Value>> {
        self.statement_again(stmt, &mut Again::default())
    }

    /// The same of a statement that has been run before, if its code is there, as a loop runs it.
    ///
    /// # Errors
    /// As there.
    pub fn statement_again(&self, stmt: &Stmt, again: &mut Again) -> SourceResult<Option<Value>> {
        self.interp.depth.begin();
        let code = match &again.code {
            Some(code) => code.clone(),
            None => again.code.insert(compile::compile(self.interp, stmt)?).clone(),
        };
        let value = if compile::is_compound(stmt) && !self.interp.is_in_transaction() {
            self.run_compound(code, stmt.span)?
        } else {
            self.all_or_nothing(stmt.span, || self.run_code(code, false))?
        };
        self.end_forgotten()?;
        let has_value = matches!(stmt.node, crate::syntax::ast::StmtKind::Expr(_));
        Ok(has_value.then_some(value))
    }

    fn run_compound(&self, code: Rc<Code>, span: Span) -> SourceResult<Value> {
        let interp = self.interp;
        let around = interp.in_compound.replace(true);
        let result = self.run_code(code, true);
        interp.in_compound.set(around);
        let result = result.and_then(|value| {
            if interp.is_in_transaction() {
                self.place(interp.engine.settle(), span)?;
            }
            Ok(value)
        });
        if interp.is_in_transaction() {
            match &result {
                Ok(_) => interp.commit(),
                Err(_) => interp.roll_back(),
            }
        }
        result
    }

    /// The function that a text defines which is written for the program: a class's methods.
    ///
    /// # Errors
    /// A text that is no definition of one function, which would be a mistake of whoever wrote it.
    pub(super) fn generated(&self, name: &str, text: &str) -> Result<Value, Fault> {
        let source = self.interp.sources.borrow_mut().add(name, text);
        let made = self.defined_by(&source);
        if made.is_err() {
            self.interp.sources.borrow_mut().keep(&source);
        }
        made
    }

    fn defined_by(&self, source: &Source) -> Result<Value, Fault> {
        let parsed = syntax::parse_cell(source)?;
        let Some(CellItem::Stmt(stmt)) = parsed.items.into_iter().next() else {
            return Err(Fault::new(ErrorKind::System, "no function was written"));
        };
        let StmtKind::Def(function) = &stmt.node else {
            return Err(Fault::new(ErrorKind::System, "no function was written"));
        };
        let mut function = FunctionDef::clone(function);
        function.name.node = compile::WRITTEN.into();
        let stmt = Stmt { node: StmtKind::Def(Rc::new(function)), span: stmt.span };
        let code = compile::compile(self.interp, &stmt)?;
        self.run_code(code, false)?;
        let made = self.interp.remove(compile::WRITTEN);
        made.ok_or_else(|| Fault::new(ErrorKind::System, "no function was written"))
    }

    /// Runs the code of a statement.
    pub(super) fn run_code(&self, code: Rc<Code>, commits: bool) -> SourceResult<Value> {
        let closure = Rc::new(Closure::new(code));
        let mut machine = Machine::new(*self, Frame::new(closure, 0, Then::Stop), commits);
        machine.begin();
        let result = machine.run().map_err(|error| self.worded(error));
        match &result {
            Ok(_) => machine.finish(),
            Err(_) => drop(machine),
        }
        if self.interp.ends.is_due() {
            self.end_dropped()?;
        }
        match result? {
            Stop::Returned(value) | Stop::Yielded(value) => Ok(value),
        }
    }
}

impl<'a> Machine<'a> {
    #[inline(always)]
    fn new(evaluator: Evaluator<'a>, frame: Frame, commits: bool) -> Machine<'a> {
        let Spare { stack, frames } = evaluator.interp.spare_machine.take();
        let frames = frames.beginning(frame);
        Machine { commits, ..Machine::of(evaluator, stack, frames) }
    }

    /// To run a function: the place of its frame may know it from the last time.
    #[inline(always)]
    fn beginning(evaluator: Evaluator<'a>, function: &Rc<Closure>) -> Machine<'a> {
        let Spare { stack, mut frames } = evaluator.interp.spare_machine.take();
        frames.begin(function);
        Machine::of(evaluator, stack, frames)
    }

    #[inline(always)]
    fn of(evaluator: Evaluator<'a>, stack: Vec<Value>, frames: Frames) -> Machine<'a> {
        Machine {
            evaluator,
            stack,
            frames,
            made: Vec::new(),
            candidates: Vec::new(),
            is_told: false,
            turns: 0,
            commits: false,
            keeps: false,
        }
    }

    /// Leaves its room to the next machine. All frames but the first have been left, and what stands in
    /// registers is plain.
    fn finish(mut self) {
        self.frames.clear();
        self.finish_inside();
    }

    /// The same, by what came of running its first frame.
    fn leave_room<T, E>(self, result: &Result<T, E>) {
        match result {
            Ok(_) => self.finish_inside(),
            Err(_) => self.finish_failed(),
        }
    }

    /// The same, where an error came out of the first frame, or before it ran.
    #[cold]
    fn finish_failed(mut self) {
        let end = self.frames.top().end();
        clear(&mut self.stack[..end]);
        self.finish();
    }

    /// The same, and the first frame's place to the next call of its function.
    fn finish_inside(mut self) {
        self.frames.let_go_of_first();
        if self.stack.len() <= MOST_SPARE {
            let spare = Spare { stack: self.stack, frames: self.frames };
            self.evaluator.interp.spare_machine.replace(spare);
        }
    }

    /// Runs until the first frame is left.
    fn run(&mut self) -> SourceResult<Stop> {
        loop {
            match self.execute() {
                Ok(stop) => return Ok(stop),
                Err(error) => self.unwind(error)?,
            }
        }
    }
}
