//! Counters: the one place that changes them.
//!
//! The heap reports what happened (`allocated`, `freed`, `reserved` …) and nothing else touches a
//! number. All sizes are bytes of whole blocks except `requested`, which is what holders asked for.

use super::block::BlockState;

/// Numbers that rise and fall, at one moment or at their peaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Levels {
    /// Asked for by the holders of live blocks.
    pub requested: usize,
    /// In live blocks.
    pub allocated: usize,
    /// In live blocks and in those that wait for another stream.
    pub active: usize,
    /// In segments held from the upstream.
    pub reserved: usize,
}

/// What an allocator has done so far. `now` and `peak` are exact whatever is configured; the counts
/// stand still when statistics are switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AllocatorStats {
    pub now: Levels,
    pub peak: Levels,
    /// Bytes in blocks that only what was before holds: not live, and free as soon as they are
    /// wanted.
    pub past: usize,
    /// Bytes parked in the streams' caches: free, not merged.
    pub cached: usize,
    /// The longest free block, in bytes.
    pub largest_free: usize,
    /// Blocks that somebody holds.
    pub live_blocks: usize,
    pub segments: usize,
    pub allocations: u64,
    /// In blocks handed out so far, those that came back included.
    pub bytes_allocated: u64,
    pub frees: u64,
    /// Requests that a stream's cache of exact sizes served.
    pub cache_hits: u64,
    /// Requests that a pool served.
    pub pool_hits: u64,
    /// Requests that took the slow path: merging caches, another stream's blocks, the upstream.
    pub misses: u64,
    /// Blocks taken over from another stream.
    pub adoptions: u64,
    pub splits: u64,
    pub merges: u64,
    pub segments_allocated: u64,
    pub segments_released: u64,
    /// Calls of the upstream that got memory, moved it or gave it back.
    pub upstream_calls: u64,
    /// In pages that were mapped to other addresses.
    pub bytes_moved: u64,
    /// Requests that were served only after the upstream had refused once.
    pub retries: u64,
    pub out_of_memory: u64,
    /// For the latest request that was refused: how many of the bytes that were live had to go, at
    /// the least, for it to be served.
    pub shortfall: usize,
    /// The bytes that it asked for.
    pub refused: usize,
    /// Bytes in live blocks when it was refused.
    pub live_at_refusal: usize,
    /// Blocks whose return had to wait for another stream.
    pub deferred_frees: u64,
}

impl AllocatorStats {
    /// Reserved, and neither active nor of the past: what could serve a request now.
    pub fn free(&self) -> usize {
        self.now.reserved - self.now.active - self.past
    }

    /// 1 − the longest free piece / all that is free: what no single request can have; 0 when nothing is
    /// free.
    pub fn fragmentation(&self) -> f64 {
        share_lost(self.largest_free, self.free())
    }

    /// 1 − allocated / reserved, now; 0 when nothing is reserved.
    pub fn unused(&self) -> f64 {
        share_lost(self.now.allocated, self.now.reserved)
    }

    /// 1 − peak allocated / peak reserved: the figure that allocators are compared by.
    pub fn peak_fragmentation(&self) -> f64 {
        share_lost(self.peak.allocated, self.peak.reserved)
    }

    /// The share of requests that a cache or a pool served at once.
    pub fn hit_rate(&self) -> f64 {
        let hits = self.cache_hits + self.pool_hits;
        if hits == 0 { 0.0 } else { hits as f64 / (hits + self.misses) as f64 }
    }
}

/// Who served a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Cache,
    Pool,
    Slow,
}

/// Something that is only counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tally {
    Adoption,
    Split,
    Merge,
    Retry,
    OutOfMemory,
    DeferredFree,
}

/// The counters and whether the counts among them move.
#[derive(Debug, Default, Clone)]
pub(super) struct Counters {
    stats: AllocatorStats,
    counts: bool,
}

impl Counters {
    pub fn new(counts: bool) -> Counters {
        Counters { stats: AllocatorStats::default(), counts }
    }

    #[inline]
    pub fn get(&self) -> &AllocatorStats {
        &self.stats
    }

    #[inline]
    pub fn allocated(&mut self, bytes: usize, requested: usize, level: Level) {
        let AllocatorStats { now, peak, .. } = &mut self.stats;
        now.allocated += bytes;
        now.active += bytes;
        now.requested += requested;
        peak.allocated = peak.allocated.max(now.allocated);
        peak.active = peak.active.max(now.active);
        peak.requested = peak.requested.max(now.requested);
        self.stats.live_blocks += 1;
        if self.counts {
            self.stats.allocations += 1;
            self.stats.bytes_allocated += bytes as u64;
            match level {
                Level::Cache => self.stats.cache_hits += 1,
                Level::Pool => self.stats.pool_hits += 1,
                Level::Slow => self.stats.misses += 1,
            }
        }
    }

    /// A holder let go of a block, which is now in `state`.
    #[inline]
    pub fn freed(&mut self, bytes: usize, requested: usize, state: BlockState) {
        self.stats.now.allocated -= bytes;
        self.stats.now.requested -= requested;
        self.stats.live_blocks -= 1;
        self.stats.frees += u64::from(self.counts);
        if state != BlockState::Pending {
            self.stats.now.active -= bytes;
        }
    }

    /// Only what was before holds a block, or does so no more.
    pub fn set_past(&mut self, bytes: usize, is_past: bool) {
        match is_past {
            true => self.stats.past += bytes,
            false => self.stats.past -= bytes,
        }
    }

    /// A block of the past is live again.
    pub fn revived(&mut self, bytes: usize, requested: usize) {
        let counts = std::mem::replace(&mut self.counts, false);
        self.allocated(bytes, requested, Level::Pool);
        self.counts = counts;
        self.stats.frees = self.stats.frees.saturating_sub(u64::from(counts));
    }

    /// A block of the past goes; if other streams may still use it, only when they are done.
    pub fn forgotten(&mut self, bytes: usize, is_shared: bool) {
        if is_shared {
            self.stats.now.active += bytes;
        }
    }

    /// A block that waited for another stream waits no more.
    pub fn settled(&mut self, bytes: usize) {
        self.stats.now.active -= bytes;
    }

    #[inline]
    pub fn parked(&mut self, bytes: usize) {
        self.stats.cached += bytes;
    }

    #[inline]
    pub fn unparked(&mut self, bytes: usize) {
        self.stats.cached -= bytes;
    }

    pub fn reserved(&mut self, bytes: usize) {
        let AllocatorStats { now, peak, .. } = &mut self.stats;
        now.reserved += bytes;
        peak.reserved = peak.reserved.max(now.reserved);
    }

    pub fn released(&mut self, bytes: usize) {
        self.stats.now.reserved -= bytes;
    }

    /// Segments came or, if there are fewer, went.
    pub fn segments(&mut self, more: i64) {
        let stats = &mut self.stats;
        stats.segments = stats.segments.saturating_add_signed(more as isize);
        let counted = more.unsigned_abs() * u64::from(self.counts);
        match more > 0 {
            true => stats.segments_allocated += counted,
            false => stats.segments_released += counted,
        }
    }

    /// The upstream was called to get memory, to move it or to give it back.
    pub fn called(&mut self, times: u64) {
        self.stats.upstream_calls += times * u64::from(self.counts);
    }

    /// Bytes have other addresses than before.
    pub fn moved(&mut self, bytes: usize) {
        self.stats.bytes_moved += bytes as u64 * u64::from(self.counts);
    }

    #[inline]
    pub fn tally(&mut self, what: Tally) {
        let stats = &mut self.stats;
        let count = match what {
            Tally::Adoption => &mut stats.adoptions,
            Tally::Split => &mut stats.splits,
            Tally::Merge => &mut stats.merges,
            Tally::Retry => &mut stats.retries,
            Tally::OutOfMemory => &mut stats.out_of_memory,
            Tally::DeferredFree => &mut stats.deferred_frees,
        };
        *count += u64::from(self.counts);
    }

    /// A request for so many bytes was refused that would have needed so many live ones to go.
    pub fn refused(&mut self, bytes: usize, shortfall: usize) {
        self.stats.refused = bytes;
        self.stats.shortfall = shortfall;
        self.stats.live_at_refusal = self.stats.now.allocated;
    }

    /// The peaks begin again at the present levels.
    pub fn reset_peaks(&mut self) {
        self.stats.peak = self.stats.now;
    }

    /// The peaks are these: what has happened since counts for none.
    pub fn set_peaks(&mut self, peak: Levels) {
        self.stats.peak = Levels { reserved: self.stats.peak.reserved, ..peak };
    }

    /// The peaks are at least these.
    pub fn raise_peaks(&mut self, least: Levels) {
        let peak = &mut self.stats.peak;
        peak.requested = peak.requested.max(least.requested);
        peak.allocated = peak.allocated.max(least.allocated);
        peak.active = peak.active.max(least.active);
        peak.reserved = peak.reserved.max(least.reserved);
    }

    /// Counts and peaks are again those of `before`; what exists now still counts.
    pub fn forget_since(&mut self, before: &AllocatorStats) {
        let AllocatorStats { now, past, cached, largest_free, live_blocks, segments, .. } =
            self.stats;
        self.stats = AllocatorStats {
            now,
            peak: now,
            past,
            cached,
            largest_free,
            live_blocks,
            segments,
            ..*before
        };
        self.raise_peaks(before.peak);
    }
}

/// A size as people read it: `512 B`, `1.5 KiB`, `20 MiB`. At most three digits before the unit's
/// last decimal, so that columns stay narrow.
pub fn format_bytes(bytes: usize) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let (mut size, mut unit) = (bytes as f64 / 1024.0, 0);
    // The bound is where two decimals would round up to 1024.
    while size >= 1023.995 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    let is_whole = (size - size.round()).abs() < 0.005;
    let decimals = match size {
        _ if is_whole => 0,
        ..10.0 => 2,
        _ => 1,
    };
    format!("{size:.decimals$} {}", UNITS[unit])
}

fn share_lost(allocated: usize, reserved: usize) -> f64 {
    if reserved == 0 { 0.0 } else { 1.0 - allocated as f64 / reserved as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_as_people_read_them() {
        let cases = [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1 KiB"),
            (1536, "1.50 KiB"),
            (20 << 20, "20 MiB"),
            ((1 << 30) - 1, "1 GiB"),
            (10_000_000_000_000, "9.09 TiB"),
            (150_000_000, "143.1 MiB"),
        ];
        for (bytes, text) in cases {
            assert_eq!(format_bytes(bytes), text);
        }
    }

    #[test]
    fn peaks_stay_until_reset() {
        let mut counters = Counters::new(true);
        counters.reserved(4096);
        counters.allocated(1024, 1000, Level::Slow);
        counters.freed(1024, 1000, BlockState::Free);
        let stats = *counters.get();
        assert_eq!(
            (stats.now.allocated, stats.peak.allocated, stats.peak.requested),
            (0, 1024, 1000)
        );
        assert_eq!(stats.peak_fragmentation(), 0.75);
        assert_eq!(stats.free(), 4096);
        counters.reset_peaks();
        assert_eq!(counters.get().peak, counters.get().now);
    }
}
