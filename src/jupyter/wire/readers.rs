//! Whoever reads what is published. Each has a queue, so that a slow one holds up no other.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jupyter_protocol::{Header, JupyterMessage, Stdio, StreamContent};

use super::message::announce;
use super::queue::Queue;
use crate::jupyter::gate::Gate;

/// Bytes that may wait for every reader before a cell that prints waits, too.
pub const MUCH: usize = 64 << 20;

/// Bytes that may wait for one reader while another keeps up. Beyond them they are sent away: their
/// front end connects again, and memory stays bounded.
const FAR: usize = 256 << 20;

/// The readers' queues. What is published while there is none is gone.
#[derive(Debug, Default)]
pub struct Readers(Mutex<Vec<Arc<Queue>>>);

impl Readers {
    /// A queue for a new reader, who gets what is published from now on.
    pub fn join(&self) -> Arc<Queue> {
        let queue = Arc::<Queue>::default();
        self.queues().push(queue.clone());
        queue
    }

    pub fn leave(&self, queue: &Arc<Queue>) {
        self.queues().retain(|it| !Arc::ptr_eq(it, queue));
        // Whoever waits for this reader goes on.
        queue.give_up();
    }

    pub fn push(&self, message: JupyterMessage) {
        let message = Arc::new(message);
        for queue in &*self.queues() {
            queue.push(message.clone());
        }
    }

    /// As `push`, but in place of the last message if that changes the same output for the same
    /// request.
    pub fn replace(&self, message: JupyterMessage) {
        let message = Arc::new(message);
        for queue in &*self.queues() {
            queue.replace(message.clone());
        }
    }

    /// Adds text to what waits, or as a message of its own.
    pub fn stream(&self, name: &Stdio, text: &str, parent: &Header) {
        let mut message = None;
        for queue in &*self.queues() {
            if !queue.join(name, text, parent) {
                let fresh = || {
                    let content = StreamContent { name: name.clone(), text: text.to_string() };
                    Arc::new(announce(content, Some(parent)))
                };
                queue.push(message.get_or_insert_with(fresh).clone());
            }
        }
    }

    /// Waits until one reader has room, or the cell that prints is interrupted. Who is far behind that
    /// one is sent away.
    pub fn wait_for_room(&self, gate: &Gate) {
        loop {
            let queues = self.queues().clone();
            let Some(nearest) = queues.iter().min_by_key(|queue| queue.bytes()) else { return };
            if nearest.bytes() <= MUCH || gate.is_interrupted() {
                for queue in queues.iter().filter(|queue| queue.bytes() > FAR) {
                    if !Arc::ptr_eq(queue, nearest) {
                        queue.give_up();
                    }
                }
                return;
            }
            nearest.wait(Duration::from_millis(20));
        }
    }

    /// Each reader's queue.
    pub fn queues(&self) -> MutexGuard<'_, Vec<Arc<Queue>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::queue::LONG;
    use super::*;
    use crate::session::Interrupt;
    use jupyter_protocol::{JupyterMessageContent, Media, MediaType, Status, UpdateDisplayData};

    fn parent() -> Header {
        announce(Status::busy(), None).header
    }

    /// What waits in a queue, which is empty then.
    fn texts(queue: &Queue) -> Vec<String> {
        std::iter::from_fn(|| queue.take())
            .map(|message| match &message.content {
                JupyterMessageContent::StreamContent(stream) => stream.text.clone(),
                other => panic!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn text_that_waits_is_joined_for_each_reader() {
        let readers = Readers::default();
        let (first, second) = (parent(), parent());
        let early = readers.join();
        readers.stream(&Stdio::Stdout, "a", &first);
        let late = readers.join();
        readers.stream(&Stdio::Stdout, "b", &first);
        assert_eq!(texts(&late), ["b"]);
        readers.stream(&Stdio::Stderr, "c", &first);
        readers.stream(&Stdio::Stdout, "d", &first);
        readers.stream(&Stdio::Stdout, "e", &second);
        readers.stream(&Stdio::Stdout, "f", &second);
        assert_eq!(texts(&early), ["ab", "c", "d", "ef"]);
        assert_eq!(texts(&late), ["c", "d", "ef"]);
        assert_eq!(early.bytes(), 0);
    }

    #[test]
    fn the_latest_change_is_enough() {
        let readers = Readers::default();
        let reader = readers.join();
        let (first, second) = (parent(), parent());
        let update = |id: &str, text: &str, parent: &Header| {
            let data = Media::new(vec![MediaType::Plain(text.to_string())]);
            readers.replace(announce(UpdateDisplayData::new(data, id), Some(parent)));
        };
        update("a", "1", &first);
        let one = reader.bytes();
        update("a", "22", &first);
        assert_eq!(reader.bytes(), one + 1);
        update("b", "3", &first);
        update("a", "4", &first);
        update("a", "5", &second);
        let texts: Vec<String> = std::iter::from_fn(|| reader.take())
            .map(|message| match &message.content {
                JupyterMessageContent::UpdateDisplayData(data) => match &data.data.content[..] {
                    [MediaType::Plain(text)] => text.clone(),
                    other => panic!("{other:?}"),
                },
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(texts, ["22", "3", "4", "5"]);
        assert_eq!(reader.bytes(), 0);
    }

    #[test]
    fn a_cell_that_prints_too_much_waits_until_it_is_interrupted() {
        let (readers, gate) = (Readers::default(), Gate::new(Interrupt::default()));
        let reader = readers.join();
        gate.admit();
        let text = "x".repeat(LONG);
        std::thread::scope(|scope| {
            let printer = scope.spawn(|| {
                for _ in 0..2 * MUCH / LONG {
                    readers.stream(&Stdio::Stdout, &text, &parent());
                    readers.wait_for_room(&gate);
                }
            });
            while reader.bytes() <= MUCH {
                std::thread::yield_now();
            }
            std::thread::sleep(Duration::from_millis(60));
            assert!(!printer.is_finished());
            assert!(reader.bytes() <= MUCH + 2 * LONG);
            gate.interrupt();
        });
    }

    #[test]
    fn a_reader_who_does_not_read_holds_up_nobody_and_is_sent_away_in_the_end() {
        let (readers, gate) = (Readers::default(), Gate::new(Interrupt::default()));
        let (stalled, quick) = (readers.join(), readers.join());
        let text = "x".repeat(LONG);
        let mut read = 0;
        for _ in 0..FAR / LONG + 2 {
            readers.stream(&Stdio::Stdout, &text, &parent());
            readers.wait_for_room(&gate);
            read += texts(&quick).len();
            assert!(stalled.bytes() <= FAR + 2 * LONG);
        }
        assert_eq!(read, FAR / LONG + 2);
        assert_eq!(stalled.bytes(), 0, "given up");
        readers.leave(&stalled);
        assert_eq!(readers.queues().len(), 1);
    }
}
