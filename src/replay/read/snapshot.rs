//! From what a snapshot says to traces: PyTorch's, and those of `:mem save`.
//!
//! A recording seldom begins with the program. What is freed in it and was never asked for in it was there
//! before, and so was what lives at the end without an event: such blocks are asked for first, in the order
//! of their addresses.

use rustc_hash::{FxHashMap, FxHashSet};

use super::builder::{Block, Builder, By, Event, Object, Value, key};
use super::frames::label;
use crate::io::Error;
use crate::memory::ALLOCATOR;
use crate::replay::trace::{Op, Origin, Piece, Recorded, Segment, Site, Sites, Trace};

/// Devices in one file, at the most.
const MAX_DEVICES: usize = 1024;

/// A segment as the file has it.
pub(super) struct Found {
    pub address: u64,
    pub bytes: u64,
    pub stream: u64,
    pub blocks: Vec<Block>,
}

/// # Errors
/// The object is no snapshot; nothing happened in it.
pub(super) fn traces(builder: &mut Builder, root: Value) -> Result<Vec<Trace>, Error> {
    let Value::Object(root) = root else { return no_snapshot() };
    let devices = builder.get(root, key::DEVICES).and_then(|devices| builder.list(devices));
    let mut traces = Vec::new();
    match devices.map(<[Value]>::to_vec) {
        None => traces = traces_in(builder, root)?,
        Some(devices) => {
            for device in devices {
                let Value::Object(device) = device else { return no_snapshot() };
                traces.extend(traces_in(builder, device)?);
            }
        }
    }
    match traces.is_empty() {
        true => {
            Error::format("the snapshot has neither events nor segments: nothing was allocated")
        }
        false => Ok(traces),
    }
}

/// The same of one dictionary, which in PyTorch's form has all devices.
fn traces_in(builder: &mut Builder, root: u32) -> Result<Vec<Trace>, Error> {
    let Some(segments) = builder.get(root, key::SEGMENTS) else { return no_snapshot() };
    let is_own_json = builder.get(root, key::HISTORY).is_some();
    let (name, settings) = (name_of(builder, root), settings(builder, root));
    let mut found = segments_by_device(builder, segments)?;
    let histories: Vec<Value> = match is_own_json {
        true => builder.get(root, key::HISTORY).into_iter().collect(),
        false => match builder.get(root, key::TRACES) {
            Some(list) => builder.list(list).map_or(Vec::new(), <[Value]>::to_vec),
            None => Vec::new(),
        },
    };
    if histories.len() > MAX_DEVICES {
        return Error::format(format!("the snapshot has {} devices", histories.len()));
    }
    found.resize_with(found.len().max(histories.len()), Vec::new);
    let mut traces = Vec::new();
    for (device, found) in found.into_iter().enumerate() {
        let events = match histories.get(device).map(|list| builder.list(*list)) {
            None => Vec::new(),
            Some(Some(items)) => events(builder, items)?,
            Some(None) => return Error::format("a device's trace is no list"),
        };
        if events.is_empty() && found.is_empty() {
            continue;
        }
        let name = name.clone().unwrap_or_else(|| format!("cuda:{device}"));
        let origin = match is_own_json || is_own_pickle(builder, root) {
            true => Origin::Own,
            false => Origin::PyTorch,
        };
        let mut trace = Trace::new(origin, name);
        trace.settings.clone_from(&settings);
        Maker::new(builder, &mut trace).make(&events, &found);
        traces.push(trace);
    }
    Ok(traces)
}

fn no_snapshot<T>() -> Result<T, Error> {
    Error::format(
        "the file is no memory snapshot: it has no `segments` (`torch.cuda.memory._dump_snapshot` writes them)",
    )
}

fn name_of(builder: &Builder, root: u32) -> Option<String> {
    match builder.get(root, key::DEVICE) {
        Some(Value::Text(name)) => Some(builder.text(name).chars().take(40).collect()),
        _ => None,
    }
}

fn settings(builder: &Builder, root: u32) -> String {
    let Some(Value::Object(settings)) = builder.get(root, key::SETTINGS) else {
        return String::new();
    };
    let text = |key| match builder.get(settings, key) {
        Some(Value::Text(text)) => Some(builder.text(text).to_owned()).filter(|t| !t.is_empty()),
        _ => None,
    };
    text(key::CONF).or_else(|| text(key::ALLOC_CONF)).unwrap_or_default()
}

/// Whether a pickle is one of `:mem save`.
fn is_own_pickle(builder: &Builder, root: u32) -> bool {
    let Some(Value::Object(settings)) = builder.get(root, key::SETTINGS) else { return false };
    match builder.get(settings, key::ALLOCATOR) {
        Some(Value::Text(name)) => builder.text(name) == ALLOCATOR,
        _ => false,
    }
}

fn segments_by_device(builder: &Builder, segments: Value) -> Result<Vec<Vec<Found>>, Error> {
    let Some(items) = builder.list(segments) else { return no_snapshot() };
    let mut by_device: Vec<Vec<Found>> = Vec::new();
    for item in items {
        let Value::Object(at) = *item else { return Error::format("a segment is no dictionary") };
        let Object::Dict(_) = builder.objects[at as usize] else {
            return Error::format("a segment is no dictionary");
        };
        let device = builder.count(at, key::DEVICE).unwrap_or(0) as usize;
        if device >= MAX_DEVICES {
            return Error::format(format!("a segment is on device {device}"));
        }
        if by_device.len() <= device {
            by_device.resize_with(device + 1, Vec::new);
        }
        let blocks = builder.get(at, key::BLOCKS).and_then(|blocks| builder.list(blocks));
        let Some(blocks) = blocks else { return Error::format("a segment has no list of blocks") };
        let blocks = blocks.iter().map(|block| match block {
            Value::Object(at) => match builder.objects[*at as usize] {
                Object::Block(block) => Ok(builder.blocks[block as usize]),
                _ => Error::format("a block has no state"),
            },
            _ => Error::format("a block is no dictionary"),
        });
        let total = builder.count(at, key::TOTAL).or_else(|| builder.count(at, key::BYTES));
        let stream = builder.count(at, key::STREAM).unwrap_or(0);
        by_device[device].push(Found {
            address: builder.count(at, key::ADDRESS).unwrap_or(0),
            bytes: total.unwrap_or(0),
            stream: builder.in_pool(stream, at, key::SEGMENT_POOL),
            blocks: blocks.collect::<Result<_, Error>>()?,
        });
    }
    Ok(by_device)
}

fn events(builder: &Builder, items: &[Value]) -> Result<Vec<Event>, Error> {
    let event = |item: &Value| match item {
        Value::Object(at) => match builder.objects[*at as usize] {
            Object::Event(event) => Ok(builder.events[event as usize]),
            _ => Error::format("an event has no action"),
        },
        _ => Error::format("an event is no dictionary"),
    };
    items.iter().map(event).collect()
}

/// A block that is held while the events are gone through.
#[derive(Clone, Copy)]
struct Live {
    /// The block of the trace, or that of the list of those that were there before.
    id: u32,
    is_before: bool,
}

/// A block that was there before the recording.
struct Before {
    address: u64,
    bytes: u64,
    stream: u32,
    by: By,
}

pub(super) struct Maker<'a> {
    builder: &'a Builder,
    trace: &'a mut Trace,
    sites: FxHashMap<By, Site>,
    streams: FxHashMap<u64, u32>,
    before: Vec<Before>,
    live: FxHashMap<u64, Live>,
}

impl<'a> Maker<'a> {
    pub fn new(builder: &'a Builder, trace: &'a mut Trace) -> Maker<'a> {
        Maker {
            builder,
            trace,
            sites: FxHashMap::default(),
            streams: FxHashMap::default(),
            before: Vec::new(),
            live: FxHashMap::default(),
        }
    }

    pub fn make(mut self, events: &[Event], found: &[Found]) {
        // Steps name blocks of before by numbers of their own until all of them are known.
        let mut frees_before: Vec<(usize, u32)> = Vec::new();
        let mut refused_at = None;
        for event in events {
            match self.builder.text(event.action) {
                "alloc" => {
                    self.end(event.address, &mut frees_before);
                    let (stream, site) = (self.stream(event.stream), self.site(event.by));
                    let id = self.trace.allocate(event.bytes, stream, site);
                    self.live.insert(event.address, Live { id, is_before: false });
                }
                "free_requested" => self.note(event),
                "free_completed" | "free" => {
                    self.note(event);
                    self.end(event.address, &mut frees_before);
                }
                "oom" => {
                    let (stream, site) = (self.stream(event.stream), self.site(event.by));
                    refused_at.get_or_insert(self.trace.ops.len());
                    self.trace.ops.push(Op::Refused { bytes: event.bytes, stream, site });
                }
                _ => {}
            }
        }
        self.add_the_rest(found);
        self.put_before(&frees_before);
        let before = self.trace.before;
        self.trace.recorded = Some(self.recorded(events, found, refused_at.map(|at| at + before)));
        self.trace.segments = self.segments(found);
        if let (Some(first), Some(last)) = (events.first(), events.last()) {
            self.trace.span_us = last.time_us.saturating_sub(first.time_us);
        }
    }

    /// A block that is let go of without having been asked for was there before.
    fn note(&mut self, event: &Event) {
        if !self.live.contains_key(&event.address) {
            let stream = self.stream(event.stream);
            self.was_before(event.address, event.bytes, stream, event.by);
        }
    }

    fn was_before(&mut self, address: u64, bytes: u64, stream: u32, by: By) {
        let id = self.before.len() as u32;
        self.before.push(Before { address, bytes, stream, by });
        self.live.insert(address, Live { id, is_before: true });
    }

    fn end(&mut self, address: u64, frees_before: &mut Vec<(usize, u32)>) {
        match self.live.remove(&address) {
            Some(Live { id, is_before: false }) => self.trace.ops.push(Op::Free { id }),
            Some(Live { id, is_before: true }) => {
                frees_before.push((self.trace.ops.len(), id));
                self.trace.ops.push(Op::Free { id });
            }
            None => {}
        }
    }

    /// Blocks of the segments at the end that no event has told of.
    fn add_the_rest(&mut self, found: &[Found]) {
        for segment in found {
            let stream = self.stream(segment.stream);
            let mut next = segment.address;
            for block in &segment.blocks {
                let address = block.address.unwrap_or(next);
                next = address.saturating_add(block.bytes);
                if self.is_active(block) && !self.live.contains_key(&address) {
                    self.was_before(address, block.requested, stream, block.by);
                }
            }
        }
    }

    fn is_active(&self, block: &Block) -> bool {
        !matches!(self.builder.text(block.state), "inactive" | "free" | "cached" | "past")
    }

    /// Puts the blocks of before in front of all steps, by address, and gives all blocks their numbers.
    fn put_before(&mut self, frees_before: &[(usize, u32)]) {
        let count = self.before.len() as u32;
        let mut order: Vec<u32> = (0..count).collect();
        order.sort_by_key(|at| self.before[*at as usize].address);
        let mut numbers = vec![0; count as usize];
        order.iter().enumerate().for_each(|(number, at)| numbers[*at as usize] = number as u32);
        let is_of_before: FxHashSet<usize> = frees_before.iter().map(|(at, _)| *at).collect();
        let mut ops = Vec::with_capacity(self.trace.ops.len() + order.len());
        for (number, at) in order.iter().enumerate() {
            let Before { bytes, stream, by, .. } = self.before[*at as usize];
            let site = self.site(by);
            ops.push(Op::Allocate { id: number as u32, bytes, stream, site });
        }
        for (at, op) in std::mem::take(&mut self.trace.ops).into_iter().enumerate() {
            ops.push(match op {
                Op::Allocate { id, bytes, stream, site } => {
                    Op::Allocate { id: id + count, bytes, stream, site }
                }
                Op::Free { id } if is_of_before.contains(&at) => {
                    Op::Free { id: numbers[id as usize] }
                }
                Op::Free { id } => Op::Free { id: id + count },
                refused => refused,
            });
        }
        self.trace.ops = ops;
        self.trace.before = order.len();
        self.trace.blocks += count;
    }

    /// Goes back from the segments at the end: what was held at each event.
    fn recorded(&self, events: &[Event], found: &[Found], refused_at: Option<usize>) -> Recorded {
        let total = |sum: u64, segment: &Found| sum.saturating_add(segment.bytes);
        let mut reserved = found.iter().fold(0u64, total);
        let mut recorded = Recorded { peak_reserved: reserved, refused_at, ..Recorded::default() };
        for event in events.iter().rev() {
            match self.builder.text(event.action) {
                "segment_alloc" | "segment_map" => reserved = reserved.saturating_sub(event.bytes),
                "segment_free" | "segment_unmap" => reserved = reserved.saturating_add(event.bytes),
                "oom" => recorded.capacity = Some(reserved.saturating_add(event.address)),
                _ => continue,
            }
            recorded.peak_reserved = recorded.peak_reserved.max(reserved);
            recorded.calls += u64::from(self.builder.text(event.action) != "oom");
        }
        recorded
    }

    fn segments(&mut self, found: &[Found]) -> Vec<Segment> {
        let mut segments = Vec::with_capacity(found.len());
        for segment in found {
            let mut this = Segment { bytes: segment.bytes, blocks: Vec::new() };
            for block in &segment.blocks {
                let holder = match self.is_active(block) {
                    true => Some(self.site(block.by)),
                    false => None,
                };
                this.blocks.push(Piece { bytes: block.bytes, holder });
            }
            segments.push(this);
        }
        segments
    }

    fn stream(&mut self, stream: u64) -> u32 {
        let next = self.streams.len() as u32;
        *self.streams.entry(stream).or_insert(next)
    }

    fn site(&mut self, by: By) -> Site {
        if let Some(site) = self.sites.get(&by) {
            return *site;
        }
        let name = match by {
            By::Nobody => String::new(),
            By::Frame(frame) => {
                let frame = self.builder.frames[frame as usize];
                label(self.builder.text(frame.file), frame.line, self.builder.text(frame.name))
            }
            By::Statement(id) => match self.builder.statements.get(&id) {
                Some(label) => self.builder.text(*label).to_owned(),
                None => format!("[{id}]"),
            },
        };
        let sites: &mut Sites = &mut self.trace.sites;
        let site = sites.number(&name);
        self.sites.insert(by, site);
        site
    }
}
