//! The only door for front ends: a session takes text, runs it, and answers with data.
//!
//! A session owns everything that lives longer than a statement: the interpreter with its
//! variables, the devices with their allocators, the results so far. Each statement of a cell is
//! committed by itself; the first one that fails ends the cell and has changed nothing.

pub mod commands;
mod complete;
mod config;
mod display;
mod driver_view;
mod environment;
mod file;
mod help;
mod holders;
pub mod host;
mod inputs;
#[cfg(feature = "json")]
mod json;
mod kernels;
mod lasting;
mod leave;
mod log;
mod makers;
mod memory_notes;
mod memory_view;
mod meter;
mod moves;
mod opening;
mod outcome;
mod past;
mod profile;
mod progress;
mod results;
mod room;
mod run;
mod settings;
mod shortage;
mod simulated;
mod viewer;
mod warm_up;
mod world;

pub use crate::io::write_whole;
pub use complete::Completions;
pub use config::{ColorChoice, Config, EditingMode};
pub use environment::VARIABLES;
pub use file::read_heeding;
pub use kernels::KernelTimes;
pub use lasting::{Act, LastingView};
pub use meter::{Meter, Reading};
pub use past::{Past, Step};
pub use progress::{Progress, Watcher};
pub use run::{Cell, Dropped, MemoryChange, MemoryLine, Outcome, Work};

pub use settings::{SETTINGS, Setting};
pub use simulated::parse_simulate;
pub use world::Nobody;

pub use crate::device::Interrupt;
pub use crate::device::KernelTime;
pub use crate::interp::Value;
pub use crate::memory::parse_size;
pub use crate::syntax::{
    Completeness, TokenClass, as_typed, completeness, ends_in_string, indentation,
};

use std::ops::Range;
use std::rc::Rc;

use crate::diag::Fault;
use crate::interp::shared::Shared;
use crate::interp::{Evaluator, Interp};
use crate::memory::{StatementId, keep_pieces};
use crate::report::view::{Data, View};
use crate::report::{Markup, Report};
use crate::syntax;
use crate::tensor::Engine;

/// Where a session's output goes, in the order in which it comes up.
pub trait Sink {
    /// What `print` writes.
    fn text(&mut self, text: &str);

    /// What a command shows.
    fn report(&mut self, report: &Report);

    /// What the user should know and did not ask for.
    fn notice(&mut self, notice: &Markup) {
        self.report(&notice.clone().into());
    }

    /// What `name?` says about a name: a front end may have a place of its own for it.
    fn help(&mut self, help: &Report) {
        self.report(help);
    }

    /// A line from the user, who is shown `prompt`; with its line break, where it has one.
    ///
    /// # Errors
    /// Nobody is there to answer, the input has ended, Ctrl-C.
    fn input(&mut self, _prompt: &str) -> Result<String, Fault> {
        Err(world::nobody_answers())
    }

    /// What the keys do that a user of this front end has, for `:help`.
    fn keys(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Takes away what a cell has shown so far; with `wait`, only when it shows something new.
    fn clear(&mut self, _wait: bool) {}

    /// Begins or ends a view of the memory that stays up to date; false where there is none.
    fn live_memory(&mut self, _session: &Session, _is_on: bool) -> bool {
        false
    }

    /// Lets the user walk through a tensor; false where nobody can.
    fn view(&mut self, _view: &mut View, _data: &mut dyn Data) -> bool {
        false
    }

    /// Whether a view may go on after its cell: what moves it asks [`Session::look`].
    fn has_lasting_views(&self) -> bool {
        false
    }

    /// Takes such a view over, with what stands there where it can't be moved.
    fn lasting_view(&mut self, _view: LastingView, still: &Report) {
        self.report(still);
    }

    /// A statement of a cell has ended.
    fn between(&mut self, _session: &Session) {}

    /// How far statements are that take long: now and then, and once when they end.
    fn progress(&mut self, _progress: &Progress) {}

    /// Who is told the same of work within a statement, on any thread; nobody where that is not shown.
    fn watcher(&self) -> Option<Watcher> {
        None
    }

    /// How long a statement's kernels took on a GPU, while `:set profiling on` holds.
    fn kernel_times(&mut self, times: &KernelTimes) {
        self.report(&times.to_report());
    }
}

/// A running session.
#[derive(Debug)]
pub struct Session {
    /// Stops first when the session ends.
    warm_up: warm_up::WarmUp,
    interp: Rc<Interp>,
    /// The number of the next input.
    next: usize,
    /// What was typed so far, from the first input on.
    inputs: inputs::Inputs,
    /// The results that `Out` holds, the latest last.
    outputs: Rc<Shared<past::Outputs>>,
    /// The choices at present.
    config: Config,
    /// The device that is not open yet.
    awaited: Option<opening::Awaited>,
    /// Every statement that succeeded, or of which parts stand, in order.
    executed: Vec<Executed>,
    /// What gives memory where a statement runs out of it.
    room: Rc<room::Room>,
    /// The inputs that can be taken back.
    past: Past,
    /// What commands keep.
    desk: commands::Desk,
}

/// A statement that was run, or a command that changed how statements run.
#[derive(Debug, Clone)]
pub struct Executed {
    /// The number of its input.
    pub number: usize,
    /// What the allocators call it by; none for a command.
    pub statement: Option<StatementId>,
    pub text: Rc<str>,
    /// Whether its value became a result: `_`, `_3` and `Out[3]`.
    pub is_result: bool,
    /// Whether it failed, and what parts of it did before stands.
    pub failed: Option<Failed>,
}

/// How a compound statement ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failed {
    /// By an error, which comes again when it runs again.
    Error,
    /// By Ctrl-C, or for want of memory.
    Stopped,
}

impl Session {
    /// Opens a session.
    ///
    /// # Errors
    /// A device that is not there, a size that can't be read.
    pub fn new(config: Config) -> Result<Session, Fault> {
        keep_pieces();
        let awaited = config.awaited();
        let engine = config.engine(&Interrupt::default())?;
        let mut interp = Interp::new(engine);
        interp.registry.set_arguments(&config.arguments);
        interp.print_options.replace(&interp.journal, config.print.clone());
        let (interp, outputs) = (Rc::new(interp), Rc::default());
        let room = Rc::new(room::Room::new(&interp, &outputs));
        interp.engine.set_relief(room.clone());
        let desk = commands::Desk { opened: config.clone(), ..commands::Desk::default() };
        let session = Session {
            interp,
            next: 1,
            inputs: inputs::Inputs::default(),
            outputs,
            room,
            past: Past::default(),
            config,
            awaited,
            executed: Vec::new(),
            desk,
            warm_up: warm_up::WarmUp::default(),
        };
        session.begin_opening()?;
        Ok(session)
    }

    /// The number of the next input, for the prompt.
    pub fn next_number(&self) -> usize {
        self.next
    }

    /// The flag that stops a running statement; any thread may raise it.
    pub fn interrupt(&self) -> Interrupt {
        self.interp.engine.interrupt().clone()
    }

    /// The choices at present.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// What tensors are computed by.
    pub fn engine(&self) -> &Engine {
        &self.interp.engine
    }

    /// The interpreter, with the variables.
    pub fn interp(&self) -> &Interp {
        &self.interp
    }

    /// The statements that succeeded so far, or of which parts stand, in order.
    pub fn executed(&self) -> &[Executed] {
        &self.executed
    }

    /// Whether Enter would run the text or should ask for another line.
    pub fn completeness(&self, text: &str) -> Completeness {
        syntax::completeness(&syntax::as_typed(text))
    }

    /// The classes of a text's parts, for colours.
    pub fn highlight(&self, text: &str) -> Vec<(Range<usize>, TokenClass)> {
        syntax::highlight(text)
    }

    /// The bracket that belongs to the one at byte `at`.
    pub fn matching_bracket(&self, text: &str, at: usize) -> Option<usize> {
        syntax::matching_bracket(text, at)
    }

    /// Forgets all variables, results and statements, and starts the random stream afresh.
    pub fn reset(&mut self) {
        self.interp.scope.borrow_mut().clear(&self.interp.journal);
        self.interp.manual.clear();
        self.inputs.clear();
        self.outputs.change(&self.interp.journal).clear();
        self.forget_past();
        self.interp.collect_cycles();
        self.desk.recent.clear();
        self.executed.clear();
        self.desk.marks.clear();
        self.desk.opened = self.settings();
        self.engine().seed(0);
        for device in self.engine().devices() {
            device.allocator().empty_cache();
        }
    }

    /// Something that evaluates without printing.
    fn quiet(&self) -> Evaluator<'_> {
        Evaluator { interp: &self.interp, world: world::Nobody::WORLD }
    }
}
