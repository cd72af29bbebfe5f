//! The session's own history, without a file between.

use super::builder::{Block, Builder, By, Event};
use super::snapshot::{Found, Maker};
use crate::memory::{BlockState, Snapshot, StatementId};
use crate::replay::trace::{Origin, Trace};

/// The trace of a picture of an allocator, as far as its history goes back; `number` says which input a
/// statement is to the user.
pub fn of_snapshot(snapshot: &Snapshot, number: &dyn Fn(StatementId) -> Option<usize>) -> Trace {
    let mut builder = Builder::new(u64::MAX);
    for (id, text) in &snapshot.statements {
        let label = match number(*id) {
            Some(number) => format!("[{number}] {text}"),
            None => text.to_string(),
        };
        let label = builder.text_number(&label);
        builder.statements.insert(id.0, label);
    }
    let events: Vec<Event> = snapshot
        .history
        .iter()
        .map(|event| Event {
            action: builder.text_number(event.action.name()),
            address: event.address,
            bytes: event.bytes as u64,
            stream: u64::from(event.stream.0),
            time_us: event.time_us,
            by: By::Statement(event.statement.0),
        })
        .collect();
    let (active, inactive) =
        (builder.text_number("active_allocated"), builder.text_number("inactive"));
    let found: Vec<Found> = snapshot
        .segments
        .iter()
        .map(|segment| Found {
            address: segment.address,
            bytes: segment.bytes as u64,
            stream: u64::from(segment.stream.0),
            blocks: segment
                .blocks
                .iter()
                .map(|block| Block {
                    address: Some(block.address),
                    bytes: block.bytes as u64,
                    requested: if block.requested > 0 { block.requested } else { block.bytes }
                        as u64,
                    state: match block.state {
                        BlockState::Live | BlockState::Pending => active,
                        BlockState::Past
                        | BlockState::Cached
                        | BlockState::Free
                        | BlockState::Unbacked => inactive,
                    },
                    by: By::Statement(block.statement.0),
                })
                .collect(),
        })
        .collect();
    let mut trace = Trace::new(Origin::Own, snapshot.device.clone());
    Maker::new(&builder, &mut trace).make(&events, &found);
    trace
}
