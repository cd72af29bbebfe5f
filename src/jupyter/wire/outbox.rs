//! What the kernel has to say, until the threads with the sockets have sent it.
//!
//! Text that is printed faster than a reader takes it is joined, and a printing cell waits when far
//! too much is waiting, until there is room or it is interrupted: nothing is lost, and memory stays
//! bounded.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jupyter_protocol::{
    Header, JupyterMessage, JupyterMessageContent, Media, MediaType, Status, Stdio, StreamContent,
    UpdateDisplayData,
};
use tokio::sync::Notify;

use super::message::announce;
use crate::jupyter::gate::Gate;

/// Bytes that may wait for readers before a cell that prints waits, too.
const MUCH: usize = 64 << 20;

/// Joined text is not made longer than this.
const LONG: usize = 1 << 20;

/// What waits for its socket.
#[derive(Debug)]
pub struct Outbox {
    /// For everybody.
    pub published: Queue,
    /// For one peer each, on the shell socket.
    pub replies: Queue,
    /// Questions to users, on the stdin socket.
    pub questions: Queue,
    gate: Gate,
}

/// Messages for one socket, in order.
#[derive(Debug, Default)]
pub struct Queue {
    line: Mutex<Line>,
    filled: Notify,
    emptied: Condvar,
}

#[derive(Debug, Default)]
struct Line {
    messages: VecDeque<JupyterMessage>,
    bytes: usize,
    /// Whether a message was taken that may not be sent yet.
    is_sending: bool,
}

impl Outbox {
    pub fn new(gate: Gate) -> Outbox {
        let (published, replies, questions) = Default::default();
        Outbox { published, replies, questions, gate }
    }

    /// Tells everybody.
    pub fn publish(&self, content: impl Into<JupyterMessageContent>, parent: &Header) {
        let message = announce(content, Some(parent));
        self.published.push(message);
        self.wait_for_room();
    }

    /// Tells everybody, and never waits.
    pub fn tell(&self, content: impl Into<JupyterMessageContent>, parent: &Header) {
        self.published.push(announce(content, Some(parent)));
    }

    /// Whether the kernel works on a request. Never waits.
    pub fn status(&self, status: Status, parent: &Header) {
        self.tell(status, parent);
    }

    /// Something shown before looks different now. Takes the place of a change to the same that
    /// waits at the end of the line, so that a slow reader finds the latest. Never waits.
    pub fn update(&self, data: UpdateDisplayData, parent: &Header) {
        self.published.replace(announce(data, Some(parent)));
    }

    /// Printed text.
    pub fn stream(&self, name: Stdio, text: &str, parent: &Header) {
        if text.is_empty() {
            return;
        }
        if !self.published.join(&name, text, parent) {
            let content = StreamContent { name, text: text.to_string() };
            self.published.push(announce(content, Some(parent)));
        }
        self.wait_for_room();
    }

    /// Answers one peer's request on shell.
    pub fn reply(&self, message: JupyterMessage) {
        self.replies.push(message);
    }

    /// Waits until everything is sent, but no longer than `limit`.
    pub fn flush(&self, limit: Duration) {
        let end = Instant::now() + limit;
        for queue in [&self.published, &self.replies, &self.questions] {
            let mut line = queue.line();
            while !line.messages.is_empty() || line.is_sending {
                let left = end.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return;
                }
                line = queue.wait(line, left);
            }
        }
    }

    fn wait_for_room(&self) {
        let mut line = self.published.line();
        while line.bytes > MUCH && !self.gate.is_interrupted() {
            line = self.published.wait(line, Duration::from_millis(20));
        }
    }
}

impl Queue {
    pub fn push(&self, message: JupyterMessage) {
        let mut line = self.line();
        line.bytes += weight(&message);
        line.messages.push_back(message);
        drop(line);
        self.filled.notify_one();
    }

    /// As `push`, but in place of the last message if that changes the same output for the same
    /// request.
    fn replace(&self, message: JupyterMessage) {
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
    fn join(&self, name: &Stdio, text: &str, parent: &Header) -> bool {
        let mut line = self.line();
        let Some(last) = line.messages.back_mut() else { return false };
        let is_same = last.parent_header.as_ref().is_some_and(|h| h.msg_id == parent.msg_id);
        match &mut last.content {
            JupyterMessageContent::StreamContent(last)
                if is_same
                    && matches!(
                        (&last.name, name),
                        (Stdio::Stdout, Stdio::Stdout) | (Stdio::Stderr, Stdio::Stderr)
                    )
                    && last.text.len() + text.len() <= LONG =>
            {
                last.text.push_str(text);
            }
            _ => return false,
        }
        line.bytes += text.len();
        true
    }

    /// The next message. Asking for it says that the one before has been sent.
    pub async fn next(&self) -> JupyterMessage {
        loop {
            let filled = self.filled.notified();
            if let Some(message) = self.take() {
                return message;
            }
            filled.await;
        }
    }

    fn take(&self) -> Option<JupyterMessage> {
        let mut line = self.line();
        let message = line.messages.pop_front();
        line.is_sending = message.is_some();
        line.bytes -= message.as_ref().map_or(0, weight).min(line.bytes);
        drop(line);
        self.emptied.notify_all();
        message
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&'a self, line: MutexGuard<'a, Line>, limit: Duration) -> MutexGuard<'a, Line> {
        self.emptied.wait_timeout(line, limit).unwrap_or_else(PoisonError::into_inner).0
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
    match &message.content {
        JupyterMessageContent::StreamContent(stream) => stream.text.len(),
        JupyterMessageContent::DisplayData(data) => media(&data.data),
        JupyterMessageContent::UpdateDisplayData(data) => media(&data.data),
        JupyterMessageContent::ExecuteResult(result) => media(&result.data),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Interrupt;

    fn outbox() -> (Outbox, Gate) {
        let gate = Gate::new(Interrupt::default());
        (Outbox::new(gate.clone()), gate)
    }

    fn parent() -> Header {
        announce(Status::busy(), None).header
    }

    #[test]
    fn text_that_waits_is_joined() {
        let (outbox, _) = outbox();
        let (first, second) = (parent(), parent());
        for text in ["a", "b", ""] {
            outbox.stream(Stdio::Stdout, text, &first);
        }
        outbox.stream(Stdio::Stderr, "c", &first);
        outbox.stream(Stdio::Stdout, "d", &first);
        outbox.stream(Stdio::Stdout, "e", &second);
        let texts: Vec<String> = std::iter::from_fn(|| outbox.published.take())
            .map(|message| match message.content {
                JupyterMessageContent::StreamContent(stream) => stream.text,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(texts, ["ab", "c", "d", "e"]);
        assert_eq!(outbox.published.line().bytes, 0);
    }

    #[test]
    fn the_latest_change_is_enough() {
        let (outbox, _) = outbox();
        let (first, second) = (parent(), parent());
        let update = |id: &str, text: &str, parent: &Header| {
            let data = Media::new(vec![MediaType::Plain(text.to_string())]);
            outbox.update(UpdateDisplayData::new(data, id), parent);
        };
        update("a", "1", &first);
        update("a", "22", &first);
        update("b", "3", &first);
        update("a", "4", &first);
        update("a", "5", &second);
        let bytes = outbox.published.line().bytes;
        assert_eq!(bytes, 5);
        let texts: Vec<String> = std::iter::from_fn(|| outbox.published.take())
            .map(|message| match message.content {
                JupyterMessageContent::UpdateDisplayData(data) => match &data.data.content[..] {
                    [MediaType::Plain(text)] => text.clone(),
                    other => panic!("{other:?}"),
                },
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(texts, ["22", "3", "4", "5"]);
        assert_eq!(outbox.published.line().bytes, 0);
    }

    #[test]
    fn a_cell_that_prints_too_much_waits_until_it_is_interrupted() {
        let (outbox, gate) = outbox();
        gate.admit();
        let text = "x".repeat(LONG);
        std::thread::scope(|scope| {
            let printer = scope.spawn(|| {
                for _ in 0..2 * MUCH / LONG {
                    outbox.stream(Stdio::Stdout, &text, &parent());
                }
            });
            while outbox.published.line().bytes <= MUCH {
                std::thread::yield_now();
            }
            std::thread::sleep(Duration::from_millis(60));
            assert!(!printer.is_finished());
            assert!(outbox.published.line().bytes <= MUCH + LONG);
            gate.interrupt();
        });
    }
}
