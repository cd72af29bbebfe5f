//! Snapshots as PyTorch's viewer reads them.
//!
//! The viewer's own unpickler knows only part of the format: protocol 2, `BINUNICODE` strings,
//! `BININT` below 2^31 and `LONG1` above, and appends in batches, for it spreads a batch over the
//! arguments of one call. Keys and frame lists are memoised: most events share all of them.

use std::collections::HashMap;

use super::block::BlockState;
use super::history::{Action, TraceEntry};
use super::provenance::StatementId;
use super::snapshot::{BlockInfo, SegmentInfo, Snapshot};
use crate::io::pickle::Writer as Pickler;

/// Items of one `APPENDS`, as many as Python's own pickler takes.
const BATCH: usize = 1000;

/// What a snapshot says that the allocator is.
pub const ALLOCATOR: &str = "genesis-repl";

/// What explains a block to the viewer: the device's number, statement, operation.
type FrameKey = (usize, StatementId, &'static str);

/// Snapshots of several devices as one pickle.
pub(super) fn pickle_snapshots(snapshots: &[Snapshot]) -> Vec<u8> {
    let mut writer = Writer {
        pickle: Pickler::new(),
        frames: HashMap::new(),
        keys: HashMap::new(),
        snapshots,
        device: 0,
    };
    let segments: Vec<(usize, &SegmentInfo)> = (0..)
        .zip(snapshots)
        .flat_map(|(device, snapshot)| snapshot.segments.iter().map(move |it| (device, it)))
        .collect();
    let traces: Vec<(usize, &Snapshot)> = (0..).zip(snapshots).collect();
    writer.dict(|w| {
        w.entry("segments", |w| {
            w.list(&segments, |w, (device, segment)| {
                w.device = *device;
                w.segment(segment);
            });
        });
        w.entry("device_traces", |w| {
            w.list(&traces, |w, (device, snapshot)| {
                w.device = *device;
                w.list(&snapshot.history, Writer::event);
            });
        });
        w.entry("allocator_settings", |w| {
            w.dict(|w| {
                w.entry("allocator", |w| w.text(ALLOCATOR));
                w.entry("PYTORCH_CUDA_ALLOC_CONF", |w| w.text(""));
                w.entry("max_split_size", |w| w.int(-1));
                w.entry("expandable_segments", |w| {
                    w.flag(segments.iter().any(|(_, it)| it.is_paged))
                });
            });
        });
    });
    writer.pickle.finish()
}

struct Writer<'a> {
    pickle: Pickler,
    /// Frame lists written before, by their number in the reader's memo.
    frames: HashMap<FrameKey, u32>,
    /// Keys written before, in the same memo.
    keys: HashMap<&'static str, u32>,
    snapshots: &'a [Snapshot],
    /// The number of the snapshot that is being written.
    device: usize,
}

impl Writer<'_> {
    fn segment(&mut self, segment: &SegmentInfo) {
        let sum = |bytes: fn(&BlockInfo) -> usize| segment.blocks.iter().map(bytes).sum::<usize>();
        let live =
            |block: &BlockInfo| if block.state == BlockState::Live { block.bytes } else { 0 };
        let active = |block: &BlockInfo| if block.is_active() { block.bytes } else { 0 };
        self.dict(|w| {
            w.entry("device", |w| w.int(w.device as i64));
            w.entry("address", |w| w.int(segment.address as i64));
            w.entry("total_size", |w| w.int(segment.bytes as i64));
            w.entry("allocated_size", |w| w.int(sum(live) as i64));
            w.entry("active_size", |w| w.int(sum(active) as i64));
            w.entry("requested_size", |w| w.int(sum(|block| block.requested) as i64));
            w.entry("stream", |w| w.int(i64::from(segment.stream.0)));
            w.entry("segment_type", |w| w.text(if segment.is_small { "small" } else { "large" }));
            w.entry("segment_pool_id", Writer::default_pool);
            w.entry("is_expandable", |w| w.flag(segment.is_paged));
            w.entry("frames", |w| w.frame_list(segment.statement, ""));
            w.entry("blocks", |w| w.list(&segment.blocks, Writer::block));
        });
    }

    fn block(&mut self, block: &BlockInfo) {
        let state = match block.state {
            BlockState::Live => "active_allocated",
            BlockState::Pending => "active_pending_free",
            BlockState::Past | BlockState::Cached | BlockState::Free | BlockState::Unbacked => {
                "inactive"
            }
        };
        self.dict(|w| {
            w.entry("address", |w| w.int(block.address as i64));
            w.entry("size", |w| w.int(block.bytes as i64));
            w.entry("requested_size", |w| w.int(block.requested as i64));
            w.entry("state", |w| w.text(state));
            if block.is_active() {
                w.entry("frames", |w| w.frame_list(block.statement, block.operation));
            } else {
                w.entry("frames", |w| w.pickle.out.push(b']'));
            }
            if !block.holders.is_empty() {
                w.entry("user_metadata", |w| w.text(&block.names()));
            }
        });
    }

    fn event(&mut self, event: &TraceEntry) {
        // The out-of-memory event names what was free in the place of an address.
        let place = if event.action == Action::OutOfMemory { "device_free" } else { "addr" };
        self.dict(|w| {
            w.entry("action", |w| w.text(event.action.name()));
            w.entry(place, |w| w.int(event.address as i64));
            w.entry("size", |w| w.int(event.bytes as i64));
            w.entry("stream", |w| w.int(i64::from(event.stream.0)));
            w.entry("time_us", |w| w.int(event.time_us as i64));
            w.entry("compile_context", |w| w.text("N/A"));
            w.entry("user_metadata", |w| w.text(event.kind.name()));
            w.entry("pool_id", Writer::default_pool);
            w.entry("frames", |w| w.frame_list(event.statement, event.operation));
        });
    }

    /// One frame: the input or file and the line in it, and the text there (and the operation) as the function.
    fn frame_list(&mut self, statement: StatementId, operation: &'static str) {
        let key = (self.device, statement, operation);
        if let Some(at) = self.frames.get(&key).copied() {
            self.pickle.recall(at);
            return;
        }
        let snapshot = &self.snapshots[self.device];
        let mut name = snapshot.statement_text(statement);
        if !operation.is_empty() {
            name = format!("{name} · {operation}");
        }
        let place = snapshot.places.get(&statement);
        let (file, line) =
            place.map_or(("<unknown>", 0), |place| (&*place.file, i64::from(place.line)));
        self.list(&[name], |w, name| {
            w.dict(|w| {
                w.entry("filename", |w| w.text(file));
                w.entry("line", |w| w.int(line));
                w.entry("name", |w| w.text(name));
            });
        });
        let at = self.remember();
        self.frames.insert(key, at);
    }

    fn default_pool(&mut self) {
        self.int(0);
        self.int(0);
        self.pickle.out.push(0x86);
    }

    fn dict(&mut self, entries: impl FnOnce(&mut Self)) {
        self.pickle.out.extend(b"}(");
        entries(self);
        self.pickle.out.push(b'u');
    }

    fn entry(&mut self, key: &'static str, value: impl FnOnce(&mut Self)) {
        self.key(key);
        value(self);
    }

    fn key(&mut self, key: &'static str) {
        match self.keys.get(key).copied() {
            Some(at) => self.pickle.recall(at),
            None => {
                self.text(key);
                let at = self.remember();
                self.keys.insert(key, at);
            }
        }
    }

    fn list<T>(&mut self, items: &[T], item: impl Fn(&mut Self, &T)) {
        self.pickle.out.push(b']');
        for batch in items.chunks(BATCH) {
            self.pickle.out.push(b'(');
            batch.iter().for_each(|each| item(self, each));
            self.pickle.out.push(b'e');
        }
    }

    fn text(&mut self, text: &str) {
        self.pickle.text(text);
    }

    fn int(&mut self, value: i64) {
        self.pickle.int(value);
    }

    fn flag(&mut self, value: bool) {
        self.pickle.flag(value);
    }

    /// Puts what was written last into the next slot of the memo.
    fn remember(&mut self) -> u32 {
        let at = (self.frames.len() + self.keys.len()) as u32;
        self.pickle.remember(at);
        at
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Map, Value};

    use crate::memory::*;

    /// Reads a pickle with the opcodes that the viewer's own reader knows, and no other.
    fn unpickle(pickle: &[u8]) -> Value {
        fn take<'a>(at: &mut &'a [u8], n: usize) -> &'a [u8] {
            let (head, rest) = at.split_at(n);
            *at = rest;
            head
        }
        fn word(at: &mut &[u8]) -> u32 {
            u32::from_le_bytes(take(at, 4).try_into().unwrap())
        }
        let (mut at, mut stack, mut marks, mut memo) = (&pickle[2..], vec![], vec![], vec![]);
        assert_eq!(pickle[..2], [0x80, 2]);
        loop {
            match take(&mut at, 1)[0] {
                b'.' => return stack.pop().unwrap(),
                b'}' => stack.push(Value::Object(Map::new())),
                b']' => stack.push(Value::Array(Vec::new())),
                b'(' => marks.push(stack.len()),
                b'J' => stack.push(Value::from(word(&mut at) as i32)),
                0x88 => stack.push(Value::from(true)),
                0x89 => stack.push(Value::from(false)),
                0x8a => {
                    assert_eq!(take(&mut at, 1), [8]);
                    stack.push(Value::from(i64::from_le_bytes(
                        take(&mut at, 8).try_into().unwrap(),
                    )));
                }
                b'X' => {
                    let len = word(&mut at) as usize;
                    stack.push(Value::from(std::str::from_utf8(take(&mut at, len)).unwrap()));
                }
                0x86 => {
                    let pair = stack.split_off(stack.len() - 2);
                    stack.push(Value::from(pair));
                }
                b'e' => {
                    let items = stack.split_off(marks.pop().unwrap());
                    assert!(items.len() <= 10_000, "the viewer can't append that many at once");
                    stack.last_mut().unwrap().as_array_mut().unwrap().extend(items);
                }
                b'u' => {
                    let items = stack.split_off(marks.pop().unwrap());
                    let object = stack.last_mut().unwrap().as_object_mut().unwrap();
                    for pair in items.chunks(2) {
                        object.insert(pair[0].as_str().unwrap().to_string(), pair[1].clone());
                    }
                }
                b'q' => {
                    assert_eq!(usize::from(take(&mut at, 1)[0]), memo.len());
                    memo.push(stack.last().unwrap().clone());
                }
                b'r' => {
                    assert_eq!(word(&mut at) as usize, memo.len());
                    memo.push(stack.last().unwrap().clone());
                }
                b'h' => stack.push(memo[usize::from(take(&mut at, 1)[0])].clone()),
                b'j' => stack.push(memo[word(&mut at) as usize].clone()),
                other => panic!("the viewer does not know opcode {other:#x}"),
            }
        }
    }

    #[test]
    fn the_viewer_can_read_what_is_written() {
        let sim = SimUpstream::unbacked("sim", 1 << 30);
        let config = AllocatorConfig::default().with_history(100_000);
        let allocator = Allocator::new(Box::new(sim.clone()), config).unwrap();
        let mut held = Vec::new();
        for n in 0..600 {
            allocator.set_statement(StatementId(n), Arc::from(format!("x = a[{n}] // µ")));
            let bytes = 700 * n as usize + (n as usize % 7) * 300_000;
            held.push(allocator.allocate(bytes, StreamId(n % 2), Provenance::VARIABLE).unwrap());
            if n % 3 == 0 {
                held.swap_remove(n as usize / 5);
            }
        }
        sim.submit(StreamId(5));
        allocator.record_stream(&held[9], StreamId(5));
        held.remove(9);
        let mut snapshot = allocator.snapshot();
        let place_of = |id: StatementId| Place {
            file: Arc::from("a.py"),
            line: id.0 + 1,
            function: None,
            run_by: None,
        };
        snapshot.set_places(|id| Some(place_of(id)));
        let read = unpickle(&Snapshot::to_pickle(&[snapshot]));

        let (mut active, mut pending) = (0, 0);
        for segment in read["segments"].as_array().unwrap() {
            let mut next = segment["address"].as_u64().unwrap();
            let mut live = 0;
            for block in segment["blocks"].as_array().unwrap() {
                assert_eq!(block["address"].as_u64(), Some(next), "blocks lie without holes");
                next += block["size"].as_u64().unwrap();
                let state = block["state"].as_str().unwrap();
                active += u64::from(state != "inactive");
                pending += u64::from(state == "active_pending_free");
                live += block["size"].as_u64().filter(|_| state == "active_allocated").unwrap_or(0);
                assert!(block["requested_size"].as_u64() <= block["size"].as_u64());
            }
            assert_eq!(segment["allocated_size"], live);
            let total = segment["total_size"].as_u64().unwrap();
            assert_eq!(next - segment["address"].as_u64().unwrap(), total);
        }
        assert_eq!(pending, 1);
        let empty = held.iter().filter(|allocation| allocation.size_bytes() == 0).count();
        assert_eq!(active, (held.len() - empty) as u64 + 1);
        let events = read["device_traces"][0].as_array().unwrap();
        assert_eq!(events.len(), allocator.history().len());
        let frame = &events.last().unwrap()["frames"][0];
        let name = frame["name"].as_str().unwrap();
        let line = frame["line"].as_u64().unwrap();
        assert_eq!(
            (name, &frame["filename"]),
            (&*format!("x = a[{}] // µ", line - 1), &"a.py".into())
        );
        for segment in read["segments"].as_array().unwrap() {
            let made = segment["frames"][0]["name"].as_str().unwrap();
            assert!(made.starts_with("x = a["), "{made}");
        }
    }
}
