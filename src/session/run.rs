//! Running a cell: statements, commands and questions, one after the other.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::progress::Ticker;
use super::world::Through;
use super::{Executed, Failed, Session, Sink, Value, commands, leave};
use crate::diag::{At, Diagnostic, ErrorKind, Source, SourceResult, Span};
use crate::interp::compile::is_compound;
use crate::interp::{Evaluator, World};
use crate::memory::StatementId;
use crate::report::{Markup, Report};
use crate::syntax::{self, CellItem, ast::Stmt};
use crate::tensor::{Device, DeviceId, Error};

/// A cell of so many statements says how far it is.
const LONG: usize = 8;

/// What a front end hands over to be run.
#[derive(Debug, Clone, Copy)]
pub struct Cell<'a> {
    /// What messages call the text: `<In 3>`, a file's path.
    pub name: &'a str,
    pub text: &'a str,
    /// Whether it counts: it takes the next number, and its result is kept as `_`.
    pub is_kept: bool,
}

/// What came of a cell.
#[derive(Debug)]
pub struct Outcome {
    /// The number of the input.
    pub number: usize,
    /// The value of the last statement, if that is an expression; `None` is a value, too.
    pub value: Option<Value>,
    /// Why the cell ended early.
    pub error: Option<Diagnostic>,
    /// The text as it was run, and then the others that the error points into: a loaded file.
    pub sources: Vec<Rc<Source>>,
    pub elapsed: Duration,
    /// Of the device for new tensors.
    pub memory: MemoryLine,
    /// Of every device whose live memory is another than before.
    pub changes: Vec<MemoryChange>,
    /// Old results that had to go for this cell's.
    pub dropped: Option<Dropped>,
    pub work: Work,
    /// Whether a `;` at the cell's end silences the value. It is a result all the same.
    pub is_silent: bool,
    /// Whether the user asked to leave.
    pub quit: bool,
    /// What the program should exit with then.
    pub status: u8,
    /// Where the value's expression stands.
    place: Span,
}

/// The memory of the current device, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemoryLine {
    pub live: u64,
    /// Live before the cell.
    pub live_before: u64,
    pub reserved: u64,
    pub peak: u64,
}

/// How a cell changed the memory of a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryChange {
    /// What the device is called, where a reader could take it for another.
    pub device: Option<String>,
    pub line: MemoryLine,
}

/// Results that are not kept any more, because only so many are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dropped {
    /// Their inputs' numbers.
    pub numbers: Vec<usize>,
    /// What that freed, in bytes.
    pub bytes: u64,
    /// How many are kept.
    pub kept: usize,
}

/// What a cell did on all devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Work {
    /// Bytes in blocks that were handed out, and how many blocks.
    pub allocated: u64,
    pub blocks: u64,
    /// Kernels that ran: fused programs, sorts, products and whatever else a device computes.
    pub kernels: u64,
}

impl MemoryLine {
    fn of(device: &Device) -> MemoryLine {
        let stats = device.allocator().stats();
        MemoryLine {
            live: stats.now.allocated as u64,
            live_before: stats.now.allocated as u64,
            reserved: stats.now.reserved as u64,
            peak: stats.peak.allocated as u64,
        }
    }
}

/// What was live on a device; nothing on one that was not there yet.
fn live_in(levels: &[(DeviceId, u64)], id: DeviceId) -> u64 {
    levels.iter().find(|(known, _)| *known == id).map_or(0, |(_, live)| *live)
}

impl Session {
    /// Runs what the user typed. Stops at the first error; never panics.
    pub fn run(&mut self, text: &str, sink: &mut dyn Sink) -> Outcome {
        let name = format!("<In {}>", self.next);
        self.run_named(&name, text, sink)
    }

    /// As [`Session::run`], for a text that has a name of its own, such as a file.
    pub fn run_named(&mut self, name: &str, text: &str, sink: &mut dyn Sink) -> Outcome {
        self.engine().interrupt().clear();
        self.run_cell(&Cell { name, text, is_kept: true }, sink)
    }

    /// As [`Session::run`], for a front end that clears the interrupt by itself: one that was raised
    /// since then ends the cell, even if that is before the cell begins.
    pub fn run_cell(&mut self, cell: &Cell<'_>, sink: &mut dyn Sink) -> Outcome {
        let Cell { name, text, is_kept } = *cell;
        let begun = Instant::now();
        let number = self.next;
        self.next += usize::from(is_kept);
        let before = self.levels();
        let work_before = self.work();
        let typed = text;
        let text = syntax::as_typed(text);
        if is_kept {
            self.note_input(number, &text);
        }
        let is_step = self.begin_step(number, typed);
        let source = self.interp.sources.borrow_mut().add(name, text);
        let mut cell = Running::new(number);
        let error = match syntax::parse_cell(&source) {
            Ok(parsed) => {
                // A file that is loaded is run within its command, and watched with it.
                let is_outer = self.desk.loading == 0;
                if is_outer {
                    self.engine().under_way().set_watcher(sink.watcher());
                }
                let error = self.items(&parsed.items, &source, &mut cell, sink).err();
                if is_outer {
                    self.engine().under_way().set_watcher(None);
                }
                error
            }
            Err(error) => Some(error),
        };
        self.engine().rest();
        let behind = source.text.get(cell.place.end as usize..).unwrap_or_default();
        let is_silent = behind.trim_start().starts_with(';');
        let error = match self.config.pictures {
            true => {
                let value = cell.value.as_ref().filter(|_| error.is_none() && !is_silent);
                error.or(self.show_figures(value, sink).err())
            }
            false => error,
        };
        let farewell = error.as_deref().and_then(|error| leave::status_of(error, sink));
        if let Some(status) = farewell {
            (cell.quit, cell.status) = (true, status);
        }
        let error = error.filter(|_| farewell.is_none()).map(|error| self.with_remedy(error));
        for gpu in self.engine().gpus().opened().filter_map(|gpu| gpu.backend().cuda()) {
            if let Some(complaint) = gpu.complaint() {
                sink.notice(&Markup::from(complaint));
            }
        }
        let value = if error.is_none() { cell.value } else { None };
        let is_look = is_step && !self.step_has_changed();
        if let Some(value) = value.as_ref().filter(|_| is_kept) {
            self.remember(number, value);
        }
        if is_step {
            self.end_step(is_look);
        }
        let here = self.engine().device().id();
        let memory = MemoryLine { live_before: live_in(&before, here), ..self.memory() };
        let changes = self.changes(&before);
        let dropped = self.desk.dropped.take();
        let work = self.work().since(&work_before);
        let sources = self.sources_of(source, error.as_deref());
        Outcome {
            number,
            value,
            error: error.map(|error| *error),
            sources,
            elapsed: begun.elapsed(),
            memory,
            changes,
            dropped,
            work,
            is_silent,
            quit: cell.quit,
            status: cell.status,
            place: cell.place,
        }
    }

    /// A cell's text, and the others that its error points into.
    fn sources_of(&mut self, own: Rc<Source>, error: Option<&Diagnostic>) -> Vec<Rc<Source>> {
        let ids = error.map(Diagnostic::sources).unwrap_or_default();
        let others = ids.into_iter().filter(|id| *id != own.id);
        let map = self.interp.sources.borrow();
        let others: Vec<_> = others.filter_map(|id| map.get(id)).collect();
        self.desk.loaded.clear();
        std::iter::once(own).chain(others).collect()
    }

    /// What a cell came to, as a report. A GPU may still be at work on it: where that fails, or the
    /// user does not want to wait for it, the cell has failed.
    pub fn show(&mut self, outcome: &mut Outcome) -> Option<Report> {
        let report = self.displayed(outcome.number, &outcome.shown()?.clone());
        self.shown_or_failed(report, outcome)
    }

    /// What is shown; or nothing, and why is the outcome's error.
    pub(super) fn shown_or_failed<T>(
        &mut self,
        shown: Result<T, Error>,
        outcome: &mut Outcome,
    ) -> Option<T> {
        let shown = shown.at(outcome.place);
        // What a `__repr__` brings up has its words from the exception.
        let worded = shown.map_err(|error| self.quiet().worded(error));
        worded.map_err(|error| outcome.error = Some(*self.with_remedy(error))).ok()
    }

    /// The memory of the current device.
    pub fn memory(&self) -> MemoryLine {
        MemoryLine::of(&self.engine().device())
    }

    /// What is live on each device.
    fn levels(&self) -> Vec<(DeviceId, u64)> {
        let devices = self.engine().devices();
        devices.map(|device| (device.id(), MemoryLine::of(device).live)).collect()
    }

    /// How the memory of the devices differs from what it was. They are named where more than one
    /// holds anything, and where it is not the one that new tensors go to.
    fn changes(&self, before: &[(DeviceId, u64)]) -> Vec<MemoryChange> {
        let here = self.engine().device();
        let lines = self.engine().devices().map(|device| {
            let live_before = live_in(before, device.id());
            (device, MemoryLine { live_before, ..MemoryLine::of(device) })
        });
        let lines: Vec<(&Device, MemoryLine)> = lines.collect();
        let in_use = lines.iter().filter(|(_, line)| line.live + line.live_before > 0).count();
        let changed = lines.into_iter().filter(|(_, line)| line.live != line.live_before);
        let named = changed.map(|(device, line)| {
            let is_named = in_use > 1 || *device != here;
            MemoryChange { device: is_named.then(|| device.id().to_string()), line }
        });
        named.collect()
    }

    /// What was done so far.
    fn work(&self) -> Work {
        let mut work = Work::default();
        for device in self.engine().devices() {
            let stats = device.allocator().stats();
            work.allocated += stats.bytes_allocated;
            work.blocks += stats.allocations;
            work.kernels += device.backend().kernels();
        }
        work
    }

    /// Runs one after the other until one fails.
    fn items(
        &mut self,
        items: &[CellItem],
        source: &Source,
        cell: &mut Running,
        sink: &mut dyn Sink,
    ) -> SourceResult<()> {
        // A few statements are seen to pass; a program's are not.
        let is_long = items.len() >= LONG || self.desk.loading > 0;
        let mut ticker = is_long.then(|| Ticker::new(&source.name, "statements", items.len()));
        let mut result = Ok(());
        for (at, item) in items.iter().enumerate() {
            if let Some(ticker) = &mut ticker {
                ticker.tick(at, sink);
            }
            result = self.item(item, source, cell, sink);
            if result.is_err() {
                break;
            }
            sink.between(self);
            if let Some(ticker) = ticker.as_mut().filter(|_| at + 1 == items.len()) {
                ticker.tick(items.len(), sink);
            }
        }
        if let Some(ticker) = ticker {
            ticker.end(sink);
        }
        result
    }

    fn item(
        &mut self,
        item: &CellItem,
        source: &Source,
        cell: &mut Running,
        sink: &mut dyn Sink,
    ) -> SourceResult<()> {
        if cell.quit {
            return Ok(());
        }
        cell.value = None;
        match item {
            CellItem::Stmt(statement) => {
                cell.place = statement.span;
                if self.is_farewell(statement) {
                    cell.quit = true;
                    return Ok(());
                }
                cell.value = self.statement(statement, source, cell.number, sink)?;
                Ok(())
            }
            CellItem::Command { name, args } => {
                self.engine().rest();
                let call = commands::Invocation { name, args, source };
                if let Some(status) = commands::run(self, &call, sink)? {
                    (cell.quit, cell.status) = (true, status);
                }
                Ok(())
            }
            CellItem::Help { topic, is_long } => {
                let report = self.help(topic, *is_long)?;
                sink.help(&report);
                Ok(())
            }
        }
    }

    fn show_figures(&self, value: Option<&Value>, sink: &mut dyn Sink) -> SourceResult<()> {
        let world = Through::new(sink);
        let user: &dyn World = &world;
        Evaluator { interp: &self.interp, world: &user }.show_figures(value)
    }

    /// What is allocated from here on was allocated for this text.
    pub(super) fn begin_statement(
        &mut self,
        text: &str,
        span: Span,
        is_compound: bool,
    ) -> StatementId {
        let text = Arc::from(text);
        let id = self.room.makers().begin(&self.interp, &text, span, is_compound);
        self.engine().set_statement(id, &text);
        id
    }

    /// Runs one statement; a failure leaves no trace of it.
    pub(super) fn statement(
        &mut self,
        statement: &Stmt,
        source: &Source,
        number: usize,
        sink: &mut dyn Sink,
    ) -> SourceResult<Option<Value>> {
        let text = Rc::from(source.slice(statement.span));
        self.room.set_text(Some(&text));
        let result = self.attempt(statement, source, &text, number, sink);
        self.room.set_text(None);
        self.room.take_notices().iter().for_each(|notice| sink.notice(notice));
        result
    }

    fn attempt(
        &mut self,
        statement: &Stmt,
        source: &Source,
        text: &Rc<str>,
        number: usize,
        sink: &mut dyn Sink,
    ) -> SourceResult<Option<Value>> {
        self.settle_for(statement.span, sink)?;
        let id = self.begin_statement(text, statement.span, is_compound(statement));
        self.forget_kernel_times();
        let profiled = self.begin_profiled();
        let (parts, world) = (self.interp.parts(), Through::new(sink));
        let user: &dyn World = &world;
        let evaluator = Evaluator { interp: &self.interp, world: &user };
        let watched = self.interp.manual.has_callback().then(|| self.memory().live);
        let result = catch_unwind(AssertUnwindSafe(|| {
            let value = self.in_some_order(evaluator, statement);
            value.map(|value| (value, self.tell_memory(watched, evaluator, statement.span)))
        }));
        let result = result.unwrap_or_else(|panic| {
            self.interp.abandon_statement();
            let message = format!("internal error: {}", words_of(&*panic));
            let hint = "this is a bug in genesis-repl; the session is as it was";
            let diagnostic = Diagnostic::new(ErrorKind::Runtime, statement.span, message);
            Err(Box::new(diagnostic.with_hint(hint)))
        });
        let kernels = self.show_kernel_times(&mut **world.sink.borrow_mut());
        if let Some(begun) = profiled {
            self.end_profiled(begun, id, text, kernels);
        }
        let stands = self.interp.parts() != parts;
        let failed = result.as_ref().err().map(|error| match error.kind {
            ErrorKind::KeyboardInterrupt => Failed::Stopped,
            kind if kind.is_a(ErrorKind::Memory) => Failed::Stopped,
            _ => Failed::Error,
        });
        if failed.is_none() || stands {
            self.forget_deleted_results();
            let (text, statement) = (text.clone(), Some(id));
            self.executed.push(Executed { number, statement, text, is_result: false, failed });
        }
        let (value, told) =
            result.inspect_err(|error| self.note_refused(error, statement, source))?;
        match told {
            Err(error) if error.kind == ErrorKind::KeyboardInterrupt => Err(error),
            // The statement stands, so it must not look as if it had failed.
            Err(error) => {
                let words = format!(": {}: {}", error.name(), error.message);
                let notice = Markup::new().warn("warning").plain(words);
                let hints = error
                    .hints
                    .iter()
                    .fold(notice, |notice, hint| notice.hint("\n  hint: ").plain(hint.clone()));
                world.sink.borrow_mut().notice(&hints);
                Ok(value)
            }
            Ok(()) => Ok(value),
        }
    }

    /// Calls the program's function for changed memory, if there is one and it has changed.
    fn tell_memory(
        &self,
        before: Option<u64>,
        evaluator: Evaluator<'_>,
        span: Span,
    ) -> SourceResult<()> {
        let is_told = before.is_none_or(|before| before == self.memory().live);
        if is_told {
            return Ok(());
        }
        evaluator.tell_memory_changed(span).map_err(|error| {
            self.interp.manual.set_callback(None);
            let hint = "the statement is done; the memory callback failed, and is not called again";
            Box::new(error.with_hint(hint))
        })
    }
}

impl Work {
    fn since(&self, before: &Work) -> Work {
        Work {
            // The counters go back where a command takes back what it did.
            allocated: self.allocated.saturating_sub(before.allocated),
            blocks: self.blocks.saturating_sub(before.blocks),
            kernels: self.kernels.saturating_sub(before.kernels),
        }
    }
}

/// A cell that is being run.
struct Running {
    number: usize,
    value: Option<Value>,
    /// Of the last statement.
    place: Span,
    quit: bool,
    status: u8,
}

impl Running {
    fn new(number: usize) -> Running {
        Running { number, value: None, place: Span::default(), quit: false, status: 0 }
    }
}

/// What a panic said.
fn words_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}
