//! A recording of a session's own devices.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::recording::{
    Block, Event, Frame, Recording, Segment, StackId, Stacks, State, Tape, Variable, What,
};
use crate::memory::{Action, BlockState, Place, Snapshot, StatementId};

/// One device as a session knows it.
#[derive(Debug)]
pub struct Subject {
    /// `cuda:0`
    pub device: String,
    /// With the names that hold blocks, and the places of statements.
    pub snapshot: Snapshot,
    pub variables: Vec<Variable>,
}

/// What these devices tell.
pub fn of_session(title: &str, subjects: &[Subject]) -> Recording {
    let mut recording =
        Recording { title: title.to_owned(), has_times: true, ..Recording::default() };
    for subject in subjects {
        let mut maker = Maker {
            snapshot: &subject.snapshot,
            stacks: &mut recording.stacks,
            known: FxHashMap::default(),
        };
        let tape = maker.tape(subject);
        recording.tapes.push(tape);
    }
    recording
}

struct Maker<'a> {
    snapshot: &'a Snapshot,
    stacks: &'a mut Stacks,
    known: FxHashMap<(StatementId, &'static str), StackId>,
}

impl Maker<'_> {
    fn tape(&mut self, subject: &Subject) -> Tape {
        let snapshot = self.snapshot;
        let segments = snapshot.segments.iter().map(|segment| Segment {
            address: segment.address,
            bytes: segment.bytes as u64,
            stream: segment.stream.0,
            blocks: segment
                .blocks
                .iter()
                .map(|block| Block {
                    address: block.address,
                    bytes: block.bytes as u64,
                    requested: block.requested as u64,
                    state: match block.state {
                        BlockState::Live => State::Live,
                        BlockState::Pending => State::Pending,
                        BlockState::Past => State::Past,
                        BlockState::Cached | BlockState::Free | BlockState::Unbacked => State::Free,
                    },
                    stack: self.stack(block.statement, block.operation),
                    holders: block.names(),
                })
                .collect(),
        });
        let segments = segments.collect();
        let events = snapshot.history.iter().filter_map(|event| {
            let what = match event.action {
                Action::Allocate => What::Allocate,
                Action::FreeRequested => What::Free,
                Action::FreeCompleted => return None,
                Action::SegmentAllocate | Action::SegmentMap => What::Reserve,
                Action::SegmentFree | Action::SegmentUnmap => What::Release,
                Action::OutOfMemory => What::Refused,
            };
            Some(Event {
                what,
                time: event.time_us,
                address: event.address,
                bytes: event.bytes as u64,
                stream: event.stream.0,
                stack: self.stack(event.statement, event.operation),
            })
        });
        Tape {
            device: subject.device.clone(),
            name: snapshot.device.clone(),
            total: (snapshot.memory.total != usize::MAX).then_some(snapshot.memory.total as u64),
            events: events.collect(),
            segments,
            variables: subject.variables.clone(),
            tells_reserved: true,
        }
    }

    fn stack(&mut self, statement: StatementId, operation: &'static str) -> StackId {
        if let Some(id) = self.known.get(&(statement, operation)) {
            return *id;
        }
        let text = self.snapshot.statement_text(statement);
        let mut frames = Vec::new();
        match self.snapshot.places.get(&statement) {
            None => frames.push(frame(&text, "", 0)),
            Some(place) => {
                if let Some((text, Place { file, line, .. })) = place.run_by.as_deref() {
                    frames.push(frame(text, file, *line));
                }
                let text = match &place.function {
                    Some(function) => format!("{function}: {text}"),
                    None => text,
                };
                frames.push(frame(&text, &place.file, place.line));
            }
        }
        if !operation.is_empty() {
            frames.push(frame(operation, "", 0));
        }
        let id = self.stacks.number(frames);
        self.known.insert((statement, operation), id);
        id
    }
}

/// A text in one line, of a block its head; what would move a cursor in it is escaped.
pub(super) fn frame(text: &str, file: &str, line: u32) -> Frame {
    let first = text.lines().next().unwrap_or_default().trim_end();
    let text = if first.ends_with(':') { first } else { text };
    let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Frame { name: Arc::from(&*crate::diag::visible(&name)), file: Arc::from(file), line }
}
