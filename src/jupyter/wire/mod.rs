//! The sockets of a kernel and the threads that serve them.
//!
//! Framing, signatures (HMAC-SHA256, compared in constant time) and messages as types come from
//! `jupyter-zmq-client` and `jupyter-protocol`, over `zeromq`. Those two were measured against
//! `zeromq` with message types of our own: 86 crates instead of 63 and a quarter more time to build,
//! for some six hundred lines of protocol that others keep up to date. What is left to this folder:
//! which thread serves what, and that nothing broken ever passes.

mod connection;
mod control;
mod heartbeat;
mod message;
mod outbox;
mod shell;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

use jupyter_protocol::JupyterMessage;

use super::gate::Gate;
use connection::Sockets;

pub use message::answer;
pub use outbox::Outbox;

/// What the main thread is asked for.
#[derive(Debug)]
pub enum Request {
    Message(Box<JupyterMessage>),
    /// The kernel is to end.
    Stop,
}

/// The main thread's ends of everything.
#[derive(Debug)]
pub struct Wire {
    pub requests: Receiver<Request>,
    /// What users typed when `input()` asked.
    pub lines: Receiver<String>,
    pub outbox: Arc<Outbox>,
    _files: connection::Files,
}

impl Wire {
    /// Listens where the connection file says, and serves.
    ///
    /// # Errors
    /// A message: the file can't be read, or an address can't be listened at.
    pub fn open(file: &Path, gate: &Gate) -> Result<Wire, String> {
        let Sockets { info, shell, iopub, stdin, control, heartbeat, files } =
            connection::open(file)?;
        let outbox = Arc::new(Outbox::new(gate.clone()));
        let (to_main, requests) = mpsc::channel();
        let (to_input, lines) = mpsc::channel();
        let (key, session) = (info.key.clone(), message::session());
        let keyring = connection::Keyring { key, session };
        let (report, started) = mpsc::channel();
        heartbeat::serve(heartbeat, report.clone());
        let office = control::Office {
            gate: gate.clone(),
            outbox: outbox.clone(),
            to_main: to_main.clone(),
        };
        control::serve(control, keyring.clone(), office, report.clone());
        let counter = shell::Counter { gate: gate.clone(), to_main, to_input };
        let sockets = shell::Listeners { shell, iopub, stdin };
        shell::serve(sockets, keyring, counter, outbox.clone(), report);
        for _ in 0..3 {
            started
                .recv()
                .map_err(|_| "a thread of the kernel ended at its start".to_string())??;
        }
        Ok(Wire { requests, lines, outbox, _files: files })
    }
}

/// Runs something beside the main thread. A kernel that lost a thread would only hang, so a panic
/// ends it, and Jupyter starts another.
pub fn thread(name: &str, work: impl FnOnce() + Send + 'static) {
    let builder = std::thread::Builder::new().name(name.to_string());
    let name = name.to_string();
    let spawned = builder.spawn(move || {
        if catch_unwind(AssertUnwindSafe(work)).is_err() {
            eprintln!("genesis-repl: the thread `{name}` failed, so the kernel ends");
            std::process::exit(101);
        }
    });
    if let Err(error) = spawned {
        eprintln!("genesis-repl: no thread can be started, so the kernel ends: {error}");
        std::process::exit(101);
    }
}

/// Runs the tasks of one thread; what they are set up with is reported once.
fn serve<F>(
    name: &'static str,
    report: mpsc::Sender<Result<(), String>>,
    work: impl FnOnce(mpsc::Sender<Result<(), String>>) -> F + Send + 'static,
) where
    F: Future<Output = ()>,
{
    thread(name, move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        match runtime {
            Ok(runtime) => runtime.block_on(work(report)),
            Err(error) => _ = report.send(Err(format!("can't wait for sockets: {error}"))),
        }
    });
}

/// Says on standard error what was dropped.
fn complain(channel: &str, problem: &str) {
    eprintln!("genesis-repl: dropped a message on {channel}: {problem}");
}
