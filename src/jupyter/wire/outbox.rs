//! What the kernel has to say, until the threads with the sockets have sent it.
//!
//! Text that is printed faster than a reader takes it is joined, and a printing cell waits when far
//! too much is waiting, until there is room or it is interrupted: nothing is lost, and memory stays
//! bounded.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jupyter_protocol::{
    CommOpen, Header, JupyterMessage, JupyterMessageContent, Status, Stdio, UpdateDisplayData,
};
use serde_json::Value;

use super::message::announce;
use super::queue::Queue;
use super::readers::Readers;
use crate::jupyter::gate::Gate;

/// What waits for its socket.
#[derive(Debug)]
pub struct Outbox {
    /// For everybody.
    pub readers: Readers,
    /// For one peer each, on the shell socket.
    pub replies: Queue,
    /// Questions to users, on the stdin socket.
    pub questions: Queue,
    gate: Gate,
    wills: Mutex<Vec<Will>>,
}

/// What is to be said for something shown when the kernel ends: it can't be afterwards.
struct Will {
    id: String,
    say: Box<dyn FnOnce(&Outbox) + Send>,
}

impl fmt::Debug for Will {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id)
    }
}

impl Outbox {
    pub fn new(gate: Gate) -> Outbox {
        let (readers, replies, questions, wills) = Default::default();
        Outbox { readers, replies, questions, gate, wills }
    }

    /// Something that is kept up to date was shown under this name: when the kernel ends before
    /// `forget` is called, `say` makes the last change to it.
    pub fn remember(&self, id: &str, say: impl FnOnce(&Outbox) + Send + 'static) {
        let will = Will { id: id.to_string(), say: Box::new(say) };
        self.wills().push(will);
    }

    /// What was shown under this name will not change any more.
    pub fn forget(&self, id: &str) {
        self.wills().retain(|will| will.id != id);
    }

    /// The kernel ends. Never waits.
    pub fn part(&self) {
        let wills = std::mem::take(&mut *self.wills());
        wills.into_iter().for_each(|will| (will.say)(self));
    }

    fn wills(&self) -> MutexGuard<'_, Vec<Will>> {
        self.wills.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells everybody.
    pub fn publish(&self, content: impl Into<JupyterMessageContent>, parent: &Header) {
        self.tell(content, parent);
        self.readers.wait_for_room(&self.gate);
    }

    /// Tells everybody, and never waits.
    pub fn tell(&self, content: impl Into<JupyterMessageContent>, parent: &Header) {
        self.readers.push(announce(content, Some(parent)));
    }

    /// Opens a comm at every front end, with what the protocol that is spoken on it wants beside the content.
    pub fn open(&self, comm: CommOpen, metadata: Value, parent: &Header) {
        let mut message = announce(comm, Some(parent));
        message.metadata = metadata;
        self.readers.push(message);
        self.readers.wait_for_room(&self.gate);
    }

    /// Whether the kernel works on a request. Never waits.
    pub fn status(&self, status: Status, parent: &Header) {
        self.tell(status, parent);
    }

    /// Something shown before looks different now. Takes the place of a change to the same that
    /// waits at the end of the line, so that a slow reader finds the latest. Never waits.
    pub fn update(&self, data: UpdateDisplayData, parent: &Header) {
        self.readers.replace(announce(data, Some(parent)));
    }

    /// Printed text.
    pub fn stream(&self, name: Stdio, text: &str, parent: &Header) {
        if !text.is_empty() {
            self.readers.stream(&name, text, parent);
            self.readers.wait_for_room(&self.gate);
        }
    }

    /// Answers one peer's request on shell.
    pub fn reply(&self, message: JupyterMessage) {
        self.replies.push(message);
    }

    /// Waits until everything is sent, but no longer than `limit`.
    pub fn flush(&self, limit: Duration) {
        let end = Instant::now() + limit;
        let left = || end.saturating_duration_since(Instant::now());
        let queues = self.readers.queues().clone();
        for queue in &queues {
            queue.flush(left());
        }
        self.replies.flush(left());
        self.questions.flush(left());
    }
}
