//! How much may be reserved.

use super::{Allocator, ConfigError, check_fraction};

impl Allocator {
    /// The most that may be reserved beside what is in use, in bytes; none lifts the limit. Idle
    /// segments above it go back at once, and whenever something is freed.
    pub fn set_cached_limit(&self, limit: Option<usize>) {
        let mut heap = self.lock();
        heap.config.cached_limit = limit;
        heap.bound_cache();
    }

    /// The most that may be reserved from here on, in bytes; none lifts the limit. What is
    /// reserved above it stays until it is freed.
    pub fn set_limit(&self, limit: Option<usize>) {
        self.lock().limit = limit;
    }

    /// The most that may be reserved, in bytes: what was set, or all that the upstream has.
    pub fn limit(&self) -> usize {
        let heap = self.lock();
        let total = heap.upstream.mem_info().total;
        heap.limit.map_or(total, |limit| limit.min(total))
    }

    /// Limits what may be reserved to a share of all that the upstream has.
    ///
    /// # Errors
    /// The share is not in (0, 1].
    pub fn set_memory_fraction(&self, fraction: f64) -> Result<(), ConfigError> {
        check_fraction(fraction)?;
        let mut heap = self.lock();
        heap.config.memory_fraction = fraction;
        heap.limit_to_fraction(fraction);
        Ok(())
    }
}
