//! Messages that wait for one socket, in order.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jupyter_protocol::{Header, JupyterMessage, JupyterMessageContent, Media, MediaType, Stdio};
use serde_json::{Map, Value};
use tokio::sync::Notify;

/// Joined text is not made longer than this.
pub const LONG: usize = 1 << 20;

/// What a message takes besides its texts, about.
const MESSAGE: usize = 512;

/// Messages for one socket. Several queues may hold the same one.
#[derive(Debug, Default)]
pub struct Queue {
    line: Mutex<Line>,
    filled: Notify,
    emptied: Condvar,
    given_up: Notify,
}

#[derive(Debug, Default)]
struct Line {
    messages: VecDeque<Arc<JupyterMessage>>,
    bytes: usize,
    /// Whether a message was taken that may not be sent yet.
    is_sending: bool,
    /// Whether nothing is to be sent any more.
    is_given_up: bool,
}

impl Queue {
    pub fn push(&self, message: impl Into<Arc<JupyterMessage>>) {
        let message = message.into();
        let mut line = self.line();
        if line.is_given_up {
            return;
        }
        line.bytes += weight(&message);
        line.messages.push_back(message);
        drop(line);
        self.filled.notify_one();
    }

    /// As `push`, but in place of the last message if that changes the same output for the same
    /// request.
    pub fn replace(&self, message: Arc<JupyterMessage>) {
        let mut line = self.line();
        if let Some(last) = line.messages.back_mut().filter(|last| supersedes(&message, last)) {
            let (before, after) = (weight(last), weight(&message));
            *last = message;
            line.bytes = line.bytes - before.min(line.bytes) + after;
            return;
        }
        drop(line);
        self.push(message);
    }

    /// Adds text to the last message if that is text of the same cell; false if it is not.
    pub fn join(&self, name: &Stdio, text: &str, parent: &Header) -> bool {
        let mut line = self.line();
        let Some(last) = line.messages.back_mut() else { return false };
        let is_same = last.parent_header.as_ref().is_some_and(|h| h.msg_id == parent.msg_id);
        let is_joinable = match &last.content {
            JupyterMessageContent::StreamContent(last) => {
                let is_one_stream = matches!(
                    (&last.name, name),
                    (Stdio::Stdout, Stdio::Stdout) | (Stdio::Stderr, Stdio::Stderr)
                );
                is_same && is_one_stream && last.text.len() + text.len() <= LONG
            }
            _ => false,
        };
        if !is_joinable {
            return false;
        }
        if let JupyterMessageContent::StreamContent(last) = &mut Arc::make_mut(last).content {
            last.text.push_str(text);
        }
        line.bytes += text.len();
        true
    }

    /// The next message. Asking for it says that the one before has been sent.
    pub async fn next(&self) -> Arc<JupyterMessage> {
        loop {
            let filled = self.filled.notified();
            if let Some(message) = self.take() {
                return message;
            }
            filled.await;
        }
    }

    pub fn take(&self) -> Option<Arc<JupyterMessage>> {
        let mut line = self.line();
        let message = line.messages.pop_front();
        line.is_sending = message.is_some();
        line.bytes -= message.as_ref().map_or(0, |it| weight(it)).min(line.bytes);
        drop(line);
        self.emptied.notify_all();
        message
    }

    /// Forgets what waits, and takes nothing more.
    pub fn give_up(&self) {
        let mut line = self.line();
        *line = Line { is_given_up: true, ..Line::default() };
        drop(line);
        self.emptied.notify_all();
        self.given_up.notify_one();
    }

    /// Waits until nothing is to be sent any more.
    pub async fn given_up(&self) {
        self.given_up.notified().await;
    }

    /// About how many bytes wait.
    pub fn bytes(&self) -> usize {
        self.line().bytes
    }

    /// Waits until less is waiting, but no longer than `limit`.
    pub fn wait(&self, limit: Duration) {
        drop(self.emptied.wait_timeout(self.line(), limit).unwrap_or_else(PoisonError::into_inner));
    }

    /// Waits until everything is sent, but no longer than `limit`.
    pub fn flush(&self, limit: Duration) {
        let is_busy = |line: &mut Line| !line.messages.is_empty() || line.is_sending;
        let waited = self.emptied.wait_timeout_while(self.line(), limit, is_busy);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether both change the same output, for the same request.
fn supersedes(new: &JupyterMessage, old: &JupyterMessage) -> bool {
    let request = |message: &JupyterMessage| {
        message.parent_header.as_ref().map(|header| header.msg_id.clone())
    };
    match (&new.content, &old.content) {
        (
            JupyterMessageContent::UpdateDisplayData(new_data),
            JupyterMessageContent::UpdateDisplayData(old_data),
        ) => {
            new_data.transient.display_id == old_data.transient.display_id
                && request(new) == request(old)
        }
        _ => false,
    }
}

/// About how many bytes the texts in an object have.
fn fields(object: &Map<String, Value>) -> usize {
    let of = |value: &Value| match value {
        Value::String(text) => text.len(),
        Value::Object(inner) => fields(inner),
        Value::Array(items) => MESSAGE.min(items.len() * 8),
        _ => 8,
    };
    object.values().map(of).sum()
}

/// About how many bytes of memory a message takes.
fn weight(message: &JupyterMessage) -> usize {
    let media = |media: &Media| -> usize {
        let of = |part: &MediaType| match part {
            MediaType::Plain(text)
            | MediaType::Html(text)
            | MediaType::Svg(text)
            | MediaType::Png(text) => text.len(),
            _ => 0,
        };
        media.content.iter().map(of).sum()
    };
    let texts = match &message.content {
        JupyterMessageContent::StreamContent(stream) => stream.text.len(),
        JupyterMessageContent::DisplayData(data) => media(&data.data),
        JupyterMessageContent::UpdateDisplayData(data) => media(&data.data),
        JupyterMessageContent::ExecuteResult(result) => media(&result.data),
        JupyterMessageContent::CommOpen(comm) => fields(&comm.data),
        JupyterMessageContent::CommMsg(comm) => fields(&comm.data),
        _ => 0,
    };
    MESSAGE + texts
}
