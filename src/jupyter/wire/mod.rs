//! The sockets of a kernel and the threads that serve them.
//!
//! Framing, signatures (HMAC-SHA256, compared in constant time) and messages as types come from
//! `jupyter-zmq-client` and `jupyter-protocol`, over `zeromq`. Those two were measured against
//! `zeromq` with message types of our own: 86 crates instead of 63 and a quarter more time to build,
//! for some six hundred lines of protocol that others keep up to date. What is left to this folder:
//! which thread serves what, that nothing broken ever passes (`door.rs`), and that nobody waits for a
//! reader who is slower than they are (`readers.rs`).

mod connection;
mod control;
mod door;
mod heartbeat;
mod iopub;
mod message;
mod outbox;
mod queue;
mod readers;
mod shell;
mod signatures;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

use jupyter_protocol::JupyterMessage;

use super::gate::Gate;
use super::log;
use connection::Sockets;
use door::{Door, Guest, OpenDoor};
use signatures::Signatures;

pub use message::{answer, fresh_id, refusal};
pub use outbox::Outbox;

/// What the main thread is asked for.
#[derive(Debug)]
pub enum Request {
    Message(Box<JupyterMessage>),
    /// A request with a good header whose content is not as it should be, and what is wrong.
    Malformed(Box<JupyterMessage>, String),
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
        let keyring = connection::Keyring { key, session, used: Signatures::default() };
        let (report, started) = mpsc::channel();
        heartbeat::serve(heartbeat, report.clone());
        let office = control::Office {
            gate: gate.clone(),
            outbox: outbox.clone(),
            to_main: to_main.clone(),
        };
        control::serve(control, keyring.clone(), office, report.clone());
        let counter = Arc::new(shell::Counter {
            keyring: keyring.clone(),
            gate: gate.clone(),
            to_main,
            to_input,
            outbox: outbox.clone(),
            shell: shell::Seats::default(),
            stdin: shell::Seats::default(),
        });
        talk(Doors { shell, stdin, iopub }, keyring, counter, report);
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
            log::complain(format_args!("the thread `{name}` failed, so the kernel ends"));
            std::process::exit(101);
        }
    });
    if let Err(error) = spawned {
        log::complain(format_args!("no thread can be started, so the kernel ends: {error}"));
        std::process::exit(101);
    }
}

/// Serves whoever comes through one door, on a thread of its own. Whether that began well is reported
/// once.
fn serve<F>(
    channel: &'static str,
    door: Door,
    report: Sender<Result<(), String>>,
    attend: impl Fn(Guest) -> F + Send + 'static,
) where
    F: Future<Output = Result<(), String>> + Send + 'static,
{
    wait_on_thread(channel, report, move |report| async move {
        match door.open(channel) {
            Ok(door) => {
                let _ = report.send(Ok(()));
                welcome(door, channel, attend).await;
            }
            Err(error) => _ = report.send(Err(error)),
        }
    });
}

/// The doors that share a thread.
struct Doors {
    shell: Door,
    stdin: Door,
    iopub: Door,
}

/// Serves shell, stdin and iopub.
fn talk(
    doors: Doors,
    keyring: connection::Keyring,
    counter: Arc<shell::Counter>,
    report: Sender<Result<(), String>>,
) {
    wait_on_thread("shell", report, move |report| async move {
        let Doors { shell, stdin, iopub } = doors;
        let open = || Ok((shell.open("shell")?, stdin.open("stdin")?, iopub.open("iopub")?));
        let (shell, stdin, iopub) = match open() {
            Ok(doors) => doors,
            Err(error) => {
                let _ = report.send(Err(error));
                return;
            }
        };
        let _ = report.send(Ok(()));
        let (outbox, keyring) = (counter.outbox.clone(), Arc::new(keyring));
        tokio::join!(
            welcome(shell, "shell", |guest| counter.clone().attend_shell(guest)),
            welcome(stdin, "stdin", |guest| counter.clone().attend_stdin(guest)),
            welcome(iopub, "iopub", |guest| {
                let (outbox, keyring) = (outbox.clone(), keyring.clone());
                async move { iopub::attend(guest, &keyring, &outbox).await }
            }),
            shell::deliver(&outbox.replies, &counter.shell, "shell"),
            shell::deliver(&outbox.questions, &counter.stdin, "stdin"),
        );
    });
}

/// Lets guests in for ever, each attended by a task.
async fn welcome<F>(door: OpenDoor, channel: &'static str, attend: impl Fn(Guest) -> F)
where
    F: Future<Output = Result<(), String>> + Send + 'static,
{
    loop {
        match door.guest().await {
            Ok(guest) => {
                let attended = attend(guest);
                tokio::spawn(async move {
                    if let Err(problem) = attended.await {
                        complain(Loss::Connection, channel, &problem);
                    }
                });
            }
            Err(error) => {
                complain(Loss::Guest, channel, &error.to_string());
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

/// Runs the tasks of one thread.
fn wait_on_thread<F>(
    name: &'static str,
    report: Sender<Result<(), String>>,
    work: impl FnOnce(Sender<Result<(), String>>) -> F + Send + 'static,
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

/// After a failure, so that one that lasts does not keep a core busy.
const PAUSE: Duration = Duration::from_millis(10);

/// What somebody at the other end of a socket has to do without.
#[derive(Debug, Clone, Copy)]
enum Loss {
    /// A message of theirs.
    Message,
    /// A message to them.
    Reply,
    /// All that they would still say.
    Connection,
    /// They were not let in.
    Guest,
}

/// Says on standard error what was lost, and why.
fn complain(loss: Loss, channel: &str, problem: &str) {
    let what = match loss {
        Loss::Message => "dropped a message",
        Loss::Reply => "could not send a message",
        Loss::Connection => "closed a connection",
        Loss::Guest => "could not let somebody in",
    };
    log::complain(format_args!("{what} on {channel}: {problem}"));
}
