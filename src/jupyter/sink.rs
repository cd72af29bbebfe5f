//! Where a cell's output goes while it runs: to everybody, at once.

use std::sync::mpsc::{RecvTimeoutError, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jupyter_protocol::{
    ClearOutput, DisplayData, ExecuteRequest, InputRequest, JupyterMessage, Stdio,
};

use crate::diag::{ErrorKind, Fault};
use crate::report::{Markup, Report};
use crate::session::{LastingView, Progress, Session, Sink, Watcher};

use super::bar::Bar;
use super::comms::Comms;
use super::display;
use super::gate::Gate;
use super::live::Live;
use super::wire::{Wire, answer};

/// How soon an interrupt ends the wait for an answer.
const GLANCE: Duration = Duration::from_millis(10);

/// The output of one cell.
#[derive(Debug)]
pub struct CellSink<'a> {
    pub wire: &'a Wire,
    pub gate: &'a Gate,
    pub parent: &'a JupyterMessage,
    pub request: &'a ExecuteRequest,
    /// What the front end is to show in its pager.
    pub pages: Vec<Report>,
    pub live: &'a Live,
    /// How far its work is.
    pub bar: Arc<Mutex<Bar>>,
    /// Views that go on after it.
    pub comms: &'a mut Comms,
}

impl Sink for CellSink<'_> {
    fn text(&mut self, text: &str) {
        self.stream(Stdio::Stdout, text);
    }

    fn report(&mut self, report: &Report) {
        if !self.request.silent {
            let content = DisplayData::new(display::bundle(report));
            self.wire.outbox.publish(content, &self.parent.header);
        }
    }

    fn notice(&mut self, notice: &Markup) {
        self.stream(Stdio::Stderr, &(notice.to_plain() + "\n"));
    }

    fn help(&mut self, help: &Report) {
        self.pages.push(help.clone());
    }

    fn clear(&mut self, wait: bool) {
        if !self.request.silent {
            self.wire.outbox.publish(ClearOutput { wait }, &self.parent.header);
        }
    }

    fn live_memory(&mut self, session: &Session, is_on: bool) -> bool {
        match is_on {
            true if self.request.silent => {}
            true => self.live.open(session, &self.parent.header),
            false => self.live.close(session, &self.parent.header),
        }
        true
    }

    fn has_lasting_views(&self) -> bool {
        // A cell that leaves no trace leaves no result either.
        !self.request.silent && self.request.store_history
    }

    fn lasting_view(&mut self, view: LastingView, still: &Report) {
        let id = self.comms.open(view, &self.parent.header);
        let mut data = display::bundle(still);
        data.content.push(display::widget(&id));
        self.wire.outbox.publish(DisplayData::new(data), &self.parent.header);
    }

    fn between(&mut self, session: &Session) {
        self.live.between(session);
    }

    fn progress(&mut self, progress: &Progress) {
        if let Some(mut watcher) = self.watcher() {
            watcher(progress);
        }
    }

    fn watcher(&self) -> Option<Watcher> {
        let bar = self.bar.clone();
        (!self.request.silent).then(|| -> Watcher {
            Box::new(move |progress| {
                bar.lock().unwrap_or_else(PoisonError::into_inner).show(progress);
            })
        })
    }

    fn input(&mut self, prompt: &str) -> Result<String, Fault> {
        if !self.request.allow_stdin {
            let message = "`input()` has nobody to ask: this front end takes no input";
            let hint = "JupyterLab and `jupyter console` do; a notebook that runs unattended can't";
            return Err(Fault::new(ErrorKind::Runtime, message).with_hint(hint));
        }
        // What was typed for a question that an interrupt ended answers nothing.
        while self.wire.lines.try_recv() != Err(TryRecvError::Empty) {}
        let question = InputRequest { prompt: prompt.to_string(), password: false };
        self.wire.outbox.questions.push(answer(question, self.parent));
        loop {
            match self.wire.lines.recv_timeout(GLANCE) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Timeout) if self.gate.is_interrupted() => {
                    return Err(Fault::new(ErrorKind::KeyboardInterrupt, "interrupted"));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Fault::new(ErrorKind::Eof, "the kernel is about to end"));
                }
            }
        }
    }
}

impl CellSink<'_> {
    fn stream(&self, name: Stdio, text: &str) {
        if !self.request.silent {
            self.wire.outbox.stream(name, text, &self.parent.header);
        }
    }
}
