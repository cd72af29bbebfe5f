//! A trace: what was asked for and let go of on one device, in order.

use rustc_hash::FxHashMap;

use crate::diag::visible;

/// One step of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// Blocks are numbered in the order in which they are asked for.
    Allocate { id: u32, bytes: u64, stream: u32, site: Site },
    /// The block may be used again from here on: other streams have finished with it, too.
    Free { id: u32 },
    /// A request that was refused when the trace was recorded.
    Refused { bytes: u64, stream: u32, site: Site },
}

/// Who asked: a place in [`Sites`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Site(pub u32);

impl Site {
    pub const UNKNOWN: Site = Site(0);
}

/// The names of those who asked, each once.
#[derive(Debug, Clone)]
pub struct Sites {
    names: Vec<String>,
    numbers: FxHashMap<String, Site>,
}

impl Default for Sites {
    fn default() -> Sites {
        Sites { names: vec![String::new()], numbers: FxHashMap::default() }
    }
}

impl Sites {
    /// The number of a name. What would move a cursor in it is escaped; an empty name is nobody.
    pub fn number(&mut self, name: &str) -> Site {
        let line = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let name = visible(&line);
        if name.is_empty() {
            return Site::UNKNOWN;
        }
        if let Some(site) = self.numbers.get(&*name) {
            return *site;
        }
        let site = Site(self.names.len() as u32);
        self.names.push(name.to_string());
        self.numbers.insert(name.into_owned(), site);
        site
    }

    /// Empty where nobody knows.
    pub fn name(&self, site: Site) -> &str {
        self.names.get(site.0 as usize).map_or("", String::as_str)
    }
}

/// Where a trace comes from, which decides whose settings could have saved the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// `torch.cuda.memory._dump_snapshot`.
    PyTorch,
    /// This program, its session or a file of `:mem save`.
    Own,
    /// Lines `a ID BYTES` and `f ID`.
    Text,
}

impl Origin {
    pub fn words(self) -> &'static str {
        match self {
            Origin::PyTorch => "PyTorch's memory snapshot",
            Origin::Own => "memory snapshot of genesis-repl",
            Origin::Text => "trace",
        }
    }
}

/// What the recording itself says of the memory, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Recorded {
    /// The most that was held from the driver.
    pub peak_reserved: u64,
    /// Calls of the driver among the events.
    pub calls: u64,
    /// What the device could have given where a request was refused: what was reserved and what the
    /// driver had left.
    pub capacity: Option<u64>,
    /// The step at which a request was refused first.
    pub refused_at: Option<usize>,
}

/// A segment and its blocks in address order, in the recording or in a replay.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Segment {
    pub bytes: u64,
    pub blocks: Vec<Piece>,
}

/// A block, or a free piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    pub bytes: u64,
    /// Who asked for it; none where it is free.
    pub holder: Option<Site>,
}

/// All of it.
#[derive(Debug, Clone)]
pub struct Trace {
    pub origin: Origin,
    /// `cuda:0`; empty where the file does not say.
    pub device: String,
    pub ops: Vec<Op>,
    pub sites: Sites,
    /// How many of the first steps stand for blocks that were there before the recording begins.
    pub before: usize,
    /// How many blocks are asked for.
    pub blocks: u32,
    /// From the first event to the last, in microseconds.
    pub span_us: u64,
    pub recorded: Option<Recorded>,
    /// The segments as the recording ends.
    pub segments: Vec<Segment>,
    /// `PYTORCH_CUDA_ALLOC_CONF` as it stood.
    pub settings: String,
}

impl Trace {
    pub fn new(origin: Origin, device: impl Into<String>) -> Trace {
        Trace {
            origin,
            device: device.into(),
            ops: Vec::new(),
            sites: Sites::default(),
            before: 0,
            blocks: 0,
            span_us: 0,
            recorded: None,
            segments: Vec::new(),
            settings: String::new(),
        }
    }

    /// Adds a request and gives the number of its block.
    pub fn allocate(&mut self, bytes: u64, stream: u32, site: Site) -> u32 {
        let id = self.blocks;
        self.blocks += 1;
        self.ops.push(Op::Allocate { id, bytes, stream, site });
        id
    }

    /// The highest moments, in bytes that were asked for.
    pub fn peaks(&self) -> Peaks {
        let mut held = vec![0; self.blocks as usize];
        let (mut now, mut peaks) = (0u64, Peaks::default());
        for op in &self.ops {
            match *op {
                Op::Allocate { id, bytes, .. } => {
                    held[id as usize] = bytes;
                    now = now.saturating_add(bytes);
                    peaks.live = peaks.live.max(now);
                }
                Op::Free { id } => now = now.saturating_sub(std::mem::take(&mut held[id as usize])),
                Op::Refused { bytes, .. } => {
                    peaks.wanted = peaks.wanted.max(now.saturating_add(bytes))
                }
            }
        }
        peaks.wanted = peaks.wanted.max(peaks.live);
        peaks
    }
}

/// The most bytes of a trace at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Peaks {
    /// Held.
    pub live: u64,
    /// Held and asked for, requests that were refused among them.
    pub wanted: u64,
}
