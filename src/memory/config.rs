//! What can be chosen about an allocator when it is made.
//!
//! The session reads these from the environment, the configuration file and the command line; this
//! floor only knows the fields. Sizes are bytes.

use super::{Allocator, ConfigError, check_mode};

/// The largest request that takes the small path, in bytes.
pub const SMALL_LIMIT: usize = 1 << 20;

/// Every block begins at a multiple of this and is a multiple of it long, in bytes. 512 is what
/// CUDA's own allocations guarantee, and wide enough for every vector load on a CPU.
pub const ALIGNMENT: usize = 512;

/// How requests reach the upstream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Blocks are kept and handed out again: the default.
    #[default]
    Caching,
    /// Every request goes to the upstream, every release goes back to it at once.
    Direct,
    /// The upstream's own stream-ordered pool serves every request.
    Async,
}

impl Mode {
    /// The word that the user types and reads.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Caching => "caching",
            Mode::Direct => "direct",
            Mode::Async => "async",
        }
    }

    /// The mode of that name.
    pub fn parse(name: &str) -> Option<Mode> {
        [Mode::Caching, Mode::Direct, Mode::Async].into_iter().find(|mode| mode.name() == name)
    }
}

/// What stands behind large blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SegmentKind {
    /// As plain ones, of pages where the device's pages are as good as whole segments: when memory is
    /// short, those that are free are gathered.
    #[default]
    Auto,
    /// Whole pieces of memory, each at its own address.
    Plain,
    /// Pages that move to where a request needs them, whenever one misses; plain segments where the
    /// device has none.
    Paged,
}

impl SegmentKind {
    /// The word that the user types and reads.
    pub fn name(self) -> &'static str {
        match self {
            SegmentKind::Auto => "auto",
            SegmentKind::Plain => "plain",
            SegmentKind::Paged => "paged",
        }
    }

    /// The kind of that name.
    pub fn parse(name: &str) -> Option<SegmentKind> {
        let all = [SegmentKind::Auto, SegmentKind::Plain, SegmentKind::Paged];
        all.into_iter().find(|kind| kind.name() == name)
    }
}

/// The choices.
#[derive(Debug, Clone, PartialEq)]
pub struct AllocatorConfig {
    pub mode: Mode,
    pub segments: SegmentKind,
    /// The least that a segment for large requests holds, in bytes; 0 sizes each to its request.
    pub segment_size: usize,
    /// How many small blocks one stream's cache of exact sizes may hold; 0 switches it off.
    pub cache_size: usize,
    /// The most that may be reserved beside what is in use, in bytes; none bounds it not.
    pub cached_limit: Option<usize>,
    /// Whether [`warm_up`](super::Allocator::warm_up) does anything.
    pub warmup_enabled: bool,
    /// Whether hits, misses and calls are counted. Bytes always are: the limit needs them.
    pub stats_enabled: bool,
    /// The share of the upstream's total memory that may be reserved, in (0, 1].
    pub memory_fraction: f64,
    /// Fills every block with bytes of 0xFF (NaN in every float format) when it is handed out and
    /// when it comes back, so that a read of memory that nobody wrote shows.
    pub poison: bool,
    /// How many events the history keeps; 0 keeps none.
    pub history_len: usize,
}

impl Default for AllocatorConfig {
    fn default() -> AllocatorConfig {
        AllocatorConfig {
            mode: Mode::Caching,
            segments: SegmentKind::Auto,
            segment_size: 0,
            cache_size: 1000,
            cached_limit: None,
            warmup_enabled: true,
            stats_enabled: true,
            memory_fraction: 1.0,
            poison: false,
            history_len: 0,
        }
    }
}

impl AllocatorConfig {
    /// The same with another mode.
    pub fn with_mode(mut self, mode: Mode) -> AllocatorConfig {
        self.mode = mode;
        self
    }

    /// The same with segments of another kind.
    pub fn with_segments(mut self, segments: SegmentKind) -> AllocatorConfig {
        self.segments = segments;
        self
    }

    /// The same with poisoning on or off.
    pub fn with_poison(mut self, poison: bool) -> AllocatorConfig {
        self.poison = poison;
        self
    }

    /// The same with a history of `len` events.
    pub fn with_history(mut self, len: usize) -> AllocatorConfig {
        self.history_len = len;
        self
    }
}

/// What can be chosen anew while it is at work.
impl Allocator {
    /// Serves requests in another mode from here on. Live blocks go back as they came.
    ///
    /// # Errors
    /// The mode needs what the upstream lacks; nothing has changed.
    pub fn set_mode(&self, mode: Mode) -> Result<(), ConfigError> {
        let mut heap = self.lock();
        check_mode(&*heap.upstream, mode)?;
        heap.config.mode = mode;
        if mode != Mode::Caching {
            heap.empty_cache();
        }
        Ok(())
    }

    /// Switches poisoning on or off.
    pub fn set_poison(&self, poison: bool) {
        self.lock().config.poison = poison;
    }

    /// Whether [`warm_up`](Allocator::warm_up) does anything from here on.
    pub fn set_warmup(&self, on: bool) {
        self.lock().config.warmup_enabled = on;
    }

    /// The least that a segment for large requests holds from here on, in bytes; 0 sizes each to
    /// its request.
    pub fn set_segment_size(&self, bytes: usize) {
        self.lock().config.segment_size = bytes;
    }

    /// How many small blocks one stream's cache of exact sizes may hold from here on. What the
    /// caches hold is merged into the pools.
    pub fn set_cache_size(&self, blocks: usize) {
        self.lock().set_cache_size(blocks);
    }

    /// Chooses the kind of segments that large requests get from here on.
    pub fn set_segments(&self, kind: SegmentKind) {
        self.lock().choose_segments(kind);
    }
}
