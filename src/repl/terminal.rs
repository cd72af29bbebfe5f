//! The conversation at a terminal: prompt, line, answer.

use std::cell::RefCell;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Duration;

use rustyline::config::Configurer;
use rustyline::error::ReadlineError;
use rustyline::{
    Cmd, ColorMode, CompletionType, ConditionalEventHandler, Config, EditMode, Editor,
};
use rustyline::{EventHandler, KeyCode, KeyEvent, Modifiers, history::History};

use crate::diag::ErrorKind;
use crate::report::{Markup, human_duration};
use crate::session::{EditingMode, Outcome, Session, as_typed};

use super::ansi::render;
use super::helper::LineHelper;
use super::history::{self, HistoryFile};
use super::recall::{Arrow, Past, SharedPlace};
use super::screen::{Screen, complain, warn};
use super::{batch, block, watch};

/// A statement that took longer says so.
const SLOW: Duration = Duration::from_millis(500);

/// How the conversation is held.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    pub color: bool,
    pub has_history: bool,
}

/// Reads and answers until Ctrl-D or `:quit`.
pub fn run(session: Session, options: Options) -> ExitCode {
    let session = Rc::new(RefCell::new(session));
    let place = SharedPlace::default();
    let mut editor = match editor(&session, &place, options) {
        Ok(editor) => editor,
        Err(error) => {
            complain(&Markup::new().error("error").plain(format!(": {error}")), options.color);
            return ExitCode::FAILURE;
        }
    };
    let interrupt = session.borrow().interrupt();
    let mut screen = Screen::new(options.color, 80).heeding(interrupt).of_terminal();
    measure(&mut editor, &mut screen);
    let file = options.has_history.then(HistoryFile::usual).flatten();
    let mut history = Inputs { file, is_failing: false };
    recall(&mut history, &mut editor, options.color);
    let banner = session.borrow().banner().wrapped(screen.width);
    screen.line(&banner);
    let mut status = 0;
    while !screen.is_closed() {
        let number = session.borrow().next_number();
        let prompt = name("In ", number);
        measure(&mut editor, &mut screen);
        editor.set_edit_mode(match session.borrow().config().editing_mode {
            EditingMode::Emacs => EditMode::Emacs,
            EditingMode::Vi => EditMode::Vi,
        });
        if let Some(helper) = editor.helper() {
            helper.fit(screen.width.saturating_sub(prompt.width()));
        }
        place.leave();
        let prompt = (prompt.to_plain(), render(&prompt, options.color));
        let text = match editor.readline(&prompt) {
            Ok(text) => text,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => break,
            Err(error) => {
                complain(&Markup::new().error("error").plain(format!(": {error}")), options.color);
                return ExitCode::FAILURE;
            }
        };
        let text = as_typed(text.trim_end_matches(['\n', '\r']));
        let text = text.trim_end();
        if text.is_empty() {
            continue;
        }
        remember(&mut history, &mut editor, text, options.color);
        measure(&mut editor, &mut screen);
        if watch::is_request(text) {
            // Why the device is not there is told where a statement needs it.
            let _ = session.borrow_mut().settle(&mut screen);
            watch::run(&session.borrow(), &mut screen);
            continue;
        }
        let mut outcome = session.borrow_mut().run(text, &mut screen);
        outcome.elapsed = outcome.elapsed.saturating_sub(screen.take_viewed());
        answer(&mut session.borrow_mut(), &mut outcome, &mut screen);
        if outcome.quit {
            status = outcome.status;
            break;
        }
    }
    match screen.failure() {
        None => ExitCode::from(status),
        Some(error) => batch::lost(error, options.color),
    }
}

/// The value or the error, and what became of the memory.
fn answer(session: &mut Session, outcome: &mut Outcome, screen: &mut Screen) {
    let shown = session.show(outcome);
    if outcome.error.as_ref().is_some_and(|error| error.kind == ErrorKind::KeyboardInterrupt) {
        screen.hide_echo();
    }
    screen.end_line();
    if let Some(report) = shown {
        screen.named(&name("Out", outcome.number), &report);
    }
    if let Some(error) = &outcome.error {
        screen.diagnostic(error, &outcome.sources);
    }
    let config = session.config();
    let line = match config.footer {
        true => Some(outcome.footer()),
        false => aside(outcome, config.memory_line),
    };
    if let Some(line) = line {
        screen.line(&line.wrapped(screen.width));
    }
}

/// How long a slow input took, and what became of the memory; nothing where neither says anything.
fn aside(outcome: &Outcome, has_memory: bool) -> Option<Markup> {
    let slow = (outcome.elapsed >= SLOW).then(|| human_duration(outcome.elapsed));
    let memory = outcome.memory_line().filter(|_| has_memory).map(|line| line.to_plain());
    let parts: Vec<String> = slow.into_iter().chain(memory).collect();
    (!parts.is_empty()).then(|| Markup::new().dim(parts.join(" · ")))
}

/// `In [3]: ` or `Out[3]: `.
fn name(what: &str, number: usize) -> Markup {
    Markup::new().dim(format!("{what}[")).number(number.to_string()).dim("]: ")
}

fn editor(
    session: &Rc<RefCell<Session>>,
    place: &SharedPlace,
    options: Options,
) -> rustyline::Result<Editor<LineHelper, Past>> {
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .completion_prompt_limit(200)
        .completion_show_all_if_ambiguous(false)
        .max_history_size(history::MAX_ENTRIES)?
        .history_ignore_dups(true)?
        .bracketed_paste(true)
        .tab_stop(4)
        .indent_size(4)
        .color_mode(if options.color { ColorMode::Forced } else { ColorMode::Disabled })
        .build();
    let history = Past::new(&config, place.clone());
    let mut editor = Editor::with_history(config, history)?;
    editor.set_helper(Some(LineHelper::new(session.clone(), place.clone(), options.color)));
    bind(&mut editor, place);
    Ok(editor)
}

/// The keys of [`KEYS`] that are not the line editor's own.
fn bind(editor: &mut Editor<LineHelper, Past>, place: &SharedPlace) {
    let none = Modifiers::NONE;
    let mut when = |key, handler: Box<dyn ConditionalEventHandler>| {
        editor.bind_sequence(key, EventHandler::Conditional(handler));
    };
    when(KeyEvent(KeyCode::Enter, none), Box::new(block::Enter));
    when(KeyEvent(KeyCode::Tab, none), Box::new(block::Tab));
    when(KeyEvent(KeyCode::BackTab, none), Box::new(block::ShiftTab));
    when(KeyEvent(KeyCode::Backspace, none), Box::new(block::Backspace));
    for is_up in [true, false] {
        let arrow = if is_up { KeyCode::Up } else { KeyCode::Down };
        let letter = KeyEvent::ctrl(if is_up { 'P' } else { 'N' });
        for key in [KeyEvent(arrow, none), letter] {
            when(key, Box::new(Arrow { place: place.clone(), is_up }));
        }
    }
    // Alt-Enter makes a new line where Enter would submit.
    let key = KeyEvent(KeyCode::Enter, Modifiers::ALT);
    editor.bind_sequence(key, EventHandler::Simple(Cmd::Newline));
}

/// What `:help` says about keys.
pub const KEYS: &[(&str, &str)] = &[
    ("Tab", "completes names, arguments, types, devices, keys, files; indents in a block"),
    ("Shift-Tab", "moves a line of a block to the left; so does Backspace in front of it"),
    ("Enter", "runs what is complete; an empty line ends a block"),
    ("Alt-Enter", "a new line wherever the cursor is"),
    ("Up, Down", "through the lines, then through former inputs that begin as what was typed"),
    ("Ctrl-R, Ctrl-S", "search former inputs, backwards and forwards"),
    ("Right, Ctrl-E", "takes over the grey rest of a former input"),
    ("Ctrl-A, Ctrl-E", "to the beginning and the end of the line"),
    ("Alt-B, Alt-F", "a word back, a word on"),
    ("Ctrl-W, Ctrl-U, Ctrl-K", "cut the word, the line before the cursor, the line behind it"),
    ("Ctrl-Y, Ctrl-_", "puts back what was cut; undoes the last edit"),
    ("Ctrl-L", "clears the screen"),
    ("Ctrl-C", "gives up the line, or stops what runs"),
    ("Ctrl-D", "leaves"),
];

/// Tells the screen how large the terminal is.
fn measure(editor: &mut Editor<LineHelper, Past>, screen: &mut Screen) {
    if let Some((columns, rows)) = editor.dimensions() {
        screen.width = usize::from(columns).max(20);
        screen.height = usize::from(rows).max(4);
    }
}

/// The inputs of former sessions, and whether the last one could not be added to them.
struct Inputs {
    file: Option<HistoryFile>,
    is_failing: bool,
}

/// Fills the editor's history with the inputs of former sessions.
fn recall(history: &mut Inputs, editor: &mut Editor<LineHelper, Past>, color: bool) {
    let Some(entries) = history.file.as_ref().map(HistoryFile::load) else {
        return;
    };
    match entries {
        Ok(entries) => {
            for entry in entries {
                // Only an ill-made history type refuses an entry; the editor's own does not.
                let _ = editor.history_mut().add_owned(entry);
            }
        }
        // What can't be read is not written to, either.
        Err(error) => {
            history.complain(&error, color);
            history.file = None;
        }
    }
}

fn remember(history: &mut Inputs, editor: &mut Editor<LineHelper, Past>, text: &str, color: bool) {
    let is_new = editor.history_mut().add(text).unwrap_or(false);
    match history.file.as_mut().filter(|_| is_new).map(|file| file.append(text)) {
        Some(Err(error)) => history.complain(&error, color),
        Some(Ok(())) if history.is_failing => {
            history.is_failing = false;
            warn("the history is kept again, with what could not be written", color);
        }
        _ => {}
    }
}

impl Inputs {
    /// Says once that inputs are not kept, until they are again.
    fn complain(&mut self, error: &std::io::Error, color: bool) {
        if let Some(file) = self.file.as_ref().filter(|_| !self.is_failing) {
            let path = file.path().display();
            warn(&format!("the history can't be kept: `{path}`: {error}"), color);
            self.is_failing = true;
        }
    }
}
