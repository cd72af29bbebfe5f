//! The main thread: one request after the other, each under `busy` and `idle`.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use jupyter_protocol::{
    ExecuteReply, JupyterMessage, JupyterMessageContent, ReplyError, ReplyStatus, ShutdownReply,
    Status, UnknownMessage,
};
use serde_json::json;

use crate::session::{Config, Session};

use super::comms::Comms;
use super::gate::Gate;
use super::history::History;
use super::live::Live;
use super::log::complain;
use super::wire::{Request, Wire, answer, refusal};
use super::{complete, info, inspect, orphan};

/// How long requests are waited for that were sent before an error but have not arrived.
const STRAGGLERS: Duration = Duration::from_millis(2);

/// How long slow readers may hold up the end.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Everything that lives as long as the kernel.
#[derive(Debug)]
pub struct Kernel {
    pub session: Session,
    pub wire: Wire,
    pub gate: Gate,
    pub history: History,
    pub live: Live,
    pub comms: Comms,
    /// Requests that were taken from the wire and have not been answered.
    waiting: VecDeque<Waiting>,
    pub is_over: bool,
}

#[derive(Debug)]
struct Waiting {
    request: Request,
    /// Whether an error before it keeps it from running.
    is_aborted: bool,
}

/// Runs a kernel until it is told to end.
///
/// # Errors
/// A message: the connection file, a socket, or the session is not as it should be.
pub fn run(file: &Path, config: Config) -> Result<(), String> {
    orphan::watch();
    // Front ends that can't show pictures take the text of the same report.
    let config = Config { pictures: true, warm_up: true, ..config };
    let session = Session::new(config).map_err(|fault| {
        let parts = std::iter::once(fault.message).chain(fault.hints);
        parts.collect::<Vec<_>>().join("; ")
    })?;
    let gate = Gate::new(session.interrupt());
    catch_interrupts(&gate)?;
    let wire = Wire::open(file, &gate)?;
    let (history, waiting) = Default::default();
    let live = Live::new(wire.outbox.clone());
    let comms = Comms::new(wire.outbox.clone());
    let mut kernel = Kernel { session, wire, gate, history, live, comms, waiting, is_over: false };
    while let Some(Waiting { request, is_aborted }) = kernel.next() {
        match request {
            Request::Message(request) => kernel.answer(&request, is_aborted),
            Request::Malformed(request, problem) => kernel.refuse(&request, &problem),
            Request::Stop => break,
        }
        if kernel.is_over {
            break;
        }
    }
    kernel.wire.outbox.part();
    kernel.wire.outbox.flush(LAST_WORDS);
    // What is written to a socket is sent by a task beside the one that flushed.
    std::thread::sleep(Duration::from_millis(20));
    Ok(())
}

/// SIGINT interrupts the cell that runs, as a request on control does, and ends nothing: a terminal
/// sends it to everything that was started from there. A file that grows beyond the system's limit is
/// an error of the cell that writes it.
#[cfg(unix)]
fn catch_interrupts(gate: &Gate) -> Result<(), String> {
    use signal_hook::consts::{SIGINT, SIGXFSZ};
    let signals = signal_hook::iterator::Signals::new([SIGINT, SIGXFSZ]);
    let mut signals = signals.map_err(|error| format!("SIGINT can't be caught: {error}"))?;
    let gate = gate.clone();
    super::wire::thread("signals", move || {
        signals.forever().filter(|signal| *signal == SIGINT).for_each(|_| gate.interrupt());
    });
    Ok(())
}

#[cfg(not(unix))]
fn catch_interrupts(_gate: &Gate) -> Result<(), String> {
    Ok(())
}

impl Kernel {
    fn next(&mut self) -> Option<Waiting> {
        let taken = self.waiting.pop_front();
        taken.or_else(|| {
            let request = self.wire.requests.recv().ok()?;
            Some(Waiting { request, is_aborted: false })
        })
    }

    /// Keeps the cells from running that wait behind one that failed. A client that reacts to the
    /// failure sends its cell only after this, so that one runs.
    pub fn abort_waiting(&mut self) {
        let end = Instant::now() + STRAGGLERS;
        while let Ok(request) =
            self.wire.requests.recv_timeout(end.saturating_duration_since(Instant::now()))
        {
            self.waiting.push_back(Waiting { request, is_aborted: false });
        }
        for waiting in &mut self.waiting {
            waiting.is_aborted = true;
        }
    }

    fn answer(&mut self, request: &JupyterMessage, is_aborted: bool) {
        let outbox = self.wire.outbox.clone();
        outbox.status(Status::busy(), &request.header);
        let handled = catch_unwind(AssertUnwindSafe(|| self.handle(request, is_aborted)));
        match handled {
            Ok(Some(reply)) => outbox.reply(answer(reply, request)),
            Ok(None) => {}
            Err(_) => {
                complain(format_args!("`{}` failed", request.message_type()));
                match request.content {
                    JupyterMessageContent::ExecuteRequest(_) => {
                        self.gate.leave(false);
                        outbox.reply(answer(broken(), request));
                    }
                    JupyterMessageContent::CommMsg(_) => self.gate.leave(false),
                    _ => {}
                }
            }
        }
        outbox.status(Status::idle(), &request.header);
    }

    /// Answers a request that can't be understood.
    fn refuse(&self, request: &JupyterMessage, problem: &str) {
        let outbox = &self.wire.outbox;
        outbox.status(Status::busy(), &request.header);
        outbox.reply(answer(refusal(request, problem), request));
        outbox.status(Status::idle(), &request.header);
    }

    fn handle(
        &mut self,
        request: &JupyterMessage,
        is_aborted: bool,
    ) -> Option<JupyterMessageContent> {
        let session = &self.session;
        Some(match &request.content {
            JupyterMessageContent::ExecuteRequest(_) if is_aborted => {
                self.gate.leave(false);
                aborted()
            }
            JupyterMessageContent::ExecuteRequest(asked) => self.execute(request, asked).into(),
            JupyterMessageContent::CompleteRequest(asked) => {
                complete::complete(session, asked).into()
            }
            JupyterMessageContent::InspectRequest(asked) => inspect::inspect(session, asked).into(),
            JupyterMessageContent::IsCompleteRequest(asked) => {
                complete::is_complete(session, &asked.code).into()
            }
            JupyterMessageContent::HistoryRequest(asked) => self.history.answer(asked).into(),
            JupyterMessageContent::KernelInfoRequest(_) => {
                info::reply(session.banner().to_plain()).into()
            }
            JupyterMessageContent::CommInfoRequest(asked) => {
                self.comms.info(asked.target_name.as_deref()).into()
            }
            JupyterMessageContent::CommOpen(opened) => {
                self.comms.opened(opened, &request.header);
                return None;
            }
            JupyterMessageContent::CommMsg(said) => {
                self.comms.heard(&mut self.session, said, &request.header);
                self.gate.leave(self.gate.is_interrupted());
                return None;
            }
            JupyterMessageContent::CommClose(closed) => {
                self.comms.closed(&closed.comm_id);
                return None;
            }
            JupyterMessageContent::ShutdownRequest(asked) => {
                self.is_over = true;
                let restart = asked.restart;
                ShutdownReply { restart, status: ReplyStatus::Ok, error: None }.into()
            }
            other => {
                complain(format_args!("`{}` is not known here", other.message_type()));
                return None;
            }
        })
    }
}

/// The reply to a cell that never ran: its status alone, because front ends put any number that they
/// find beside the cell.
fn aborted() -> JupyterMessageContent {
    let content = json!({ "status": "aborted" });
    UnknownMessage { msg_type: "execute_reply".to_string(), content }.into()
}

/// The reply where the kernel itself failed.
fn broken() -> ExecuteReply {
    let error = ReplyError {
        ename: "RuntimeError".to_string(),
        evalue: "internal error; this is a bug in genesis-repl, and the session goes on"
            .to_string(),
        traceback: Vec::new(),
    };
    let error = Some(Box::new(error));
    ExecuteReply { status: ReplyStatus::Error, error, ..ExecuteReply::default() }
}
