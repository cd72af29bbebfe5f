//! What happened to the memory of devices, and how it lies now: what every format is written from.

use std::sync::Arc;

use rustc_hash::FxHashMap;

/// A line of a program, or an operation.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The text of the line, with its function: `f: a = ones(n)`.
    pub name: Arc<str>,
    /// A file, or an input: `<In 3>`. Empty where nobody knows.
    pub file: Arc<str>,
    /// From one on; 0 where nobody knows.
    pub line: u32,
}

/// Who asked for memory: a place in [`Stacks`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct StackId(pub u32);

/// The chains of those who asked, each once.
#[derive(Debug, Clone, Default)]
pub struct Stacks {
    all: Vec<Vec<Frame>>,
    numbers: FxHashMap<Vec<Frame>, StackId>,
}

impl Stacks {
    /// The number of a chain, whose outermost frame stands first.
    pub fn number(&mut self, frames: Vec<Frame>) -> StackId {
        if let Some(id) = self.numbers.get(&frames) {
            return *id;
        }
        let id = StackId(self.all.len() as u32);
        self.all.push(frames.clone());
        self.numbers.insert(frames, id);
        id
    }

    pub fn frames(&self, id: StackId) -> &[Frame] {
        self.all.get(id.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// The innermost frame that is a line of a program; of nobody, "unknown".
    pub fn label(&self, id: StackId) -> &str {
        let frames = self.frames(id);
        let line = frames.iter().rev().find(|frame| !frame.file.is_empty());
        line.or(frames.last()).map_or("unknown", |frame| &*frame.name)
    }
}

/// All of it.
#[derive(Debug, Clone, Default)]
pub struct Recording {
    /// Where it comes from, for people.
    pub title: String,
    pub tapes: Vec<Tape>,
    pub stacks: Stacks,
    /// Whether times are microseconds since 1970, and not steps.
    pub has_times: bool,
}

/// One device.
#[derive(Debug, Clone, Default)]
pub struct Tape {
    /// `cuda:0`
    pub device: String,
    /// What it calls itself.
    pub name: String,
    /// Bytes that it has, where that is known.
    pub total: Option<u64>,
    pub segments: Vec<Segment>,
    /// The oldest first; as far back as somebody kept them.
    pub events: Vec<Event>,
    pub variables: Vec<Variable>,
    /// Whether events tell of segments, so that what was reserved is known at each.
    pub tells_reserved: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    pub what: What,
    pub time: u64,
    pub address: u64,
    /// What was asked for; of a segment, all of it.
    pub bytes: u64,
    pub stream: u32,
    pub stack: StackId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    Allocate,
    Free,
    /// A segment comes from the device.
    Reserve,
    /// A segment goes back.
    Release,
    /// A request that was refused: memory had run out.
    Refused,
}

#[derive(Debug, Clone)]
pub struct Segment {
    pub address: u64,
    pub bytes: u64,
    pub stream: u32,
    /// In address order, without holes.
    pub blocks: Vec<Block>,
}

#[derive(Debug, Clone)]
pub struct Block {
    pub address: u64,
    pub bytes: u64,
    /// What its holder asked for.
    pub requested: u64,
    pub state: State,
    pub stack: StackId,
    /// Names of variables.
    pub holders: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum State {
    Live,
    /// Let go of, while another stream may still use it.
    Pending,
    /// Only what `:undo` keeps.
    Past,
    Free,
}

impl State {
    pub fn name(self) -> &'static str {
        match self {
            State::Live => "live",
            State::Pending => "waits for a stream",
            State::Past => "kept by :undo",
            State::Free => "free",
        }
    }

    pub fn is_active(self) -> bool {
        matches!(self, State::Live | State::Pending)
    }
}

/// A variable and the memory that it shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    /// `float32 (3, 4)`
    pub what: String,
    pub bytes: u64,
    /// Of the storage behind it.
    pub storage_bytes: u64,
}

impl Tape {
    /// Every block, within a segment in address order.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.segments.iter().flat_map(|segment| &segment.blocks)
    }

    /// Blocks that were there before the first event, with what they held: address, bytes, stack.
    pub fn before(&self) -> Vec<(u64, u64, StackId)> {
        let mut made: FxHashMap<u64, u32> = FxHashMap::default();
        let mut before = Vec::new();
        for event in &self.events {
            match event.what {
                What::Allocate => *made.entry(event.address).or_default() += 1,
                What::Free => match made.get_mut(&event.address) {
                    Some(count) if *count > 0 => *count -= 1,
                    _ => before.push((event.address, event.bytes, event.stack)),
                },
                _ => {}
            }
        }
        for block in self.blocks().filter(|block| block.state == State::Live) {
            if block.requested > 0 && made.get(&block.address).is_none_or(|count| *count == 0) {
                before.push((block.address, block.requested, block.stack));
            }
        }
        before
    }
}
