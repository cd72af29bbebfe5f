//! Blocks that nobody holds any more but that other streams may still use.
//!
//! When such a block is freed, an event is recorded on every stream that used it. The block stays
//! out of all pools until the last of them has completed.

use std::collections::{HashMap, VecDeque};

use super::block::BlockId;
use super::upstream::{EventId, StreamId, Upstream, UpstreamError};

/// Uses on other streams, and frees that wait for them.
#[derive(Debug, Default)]
pub(super) struct Events {
    /// Streams other than its own that have used a live block.
    users: HashMap<BlockId, Vec<StreamId>>,
    /// Freed blocks with the events that must complete before they are anybody's.
    waiting: VecDeque<(BlockId, Vec<EventId>)>,
}

impl Events {
    /// Whether no freed block waits.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Notes that `stream` uses the live block `id`.
    pub fn note_use(&mut self, id: BlockId, stream: StreamId) {
        let users = self.users.entry(id).or_default();
        if !users.contains(&stream) {
            users.push(stream);
        }
    }

    /// A live block is another one from here on.
    pub fn rename(&mut self, from: BlockId, to: BlockId) {
        if let Some(users) = self.users.remove(&from) {
            self.users.insert(to, users);
        }
    }

    /// Records an event on every stream that used the block, and lets it wait for them. Where the
    /// upstream can't record one, the stream is waited for here instead: slower, as safe.
    pub fn defer(&mut self, upstream: &mut dyn Upstream, id: BlockId) {
        let users = self.users.remove(&id).unwrap_or_default();
        let mut events = Vec::with_capacity(users.len());
        for stream in users {
            match upstream.record_event(stream) {
                Ok(event) => events.push(event),
                Err(UpstreamError::OutOfMemory | UpstreamError::Failed(_)) => {
                    upstream.synchronize_stream(stream);
                }
            }
        }
        self.waiting.push_back((id, events));
    }

    /// A block whose events have all completed, taken from the list. Looks at the `look` blocks
    /// that have waited longest.
    pub fn take_completed(&mut self, upstream: &mut dyn Upstream, look: usize) -> Option<BlockId> {
        let mut ready = None;
        for (at, (_, events)) in self.waiting.iter_mut().enumerate().take(look) {
            events.retain(|event| !upstream.is_complete(*event));
            if events.is_empty() {
                ready = Some(at);
                break;
            }
        }
        self.waiting.remove(ready?).map(|(id, _)| id)
    }

    /// The oldest waiting block, after waiting for its events.
    pub fn take_synchronized(&mut self, upstream: &mut dyn Upstream) -> Option<BlockId> {
        let (id, events) = self.waiting.pop_front()?;
        events.into_iter().for_each(|event| upstream.synchronize(event));
        Some(id)
    }
}
