//! The driver's side of a simulated device: it counts, and refuses beyond its limit.

use super::policy::Figures;

/// The most that a device without a limit gives: far beyond any machine, and sums of it are no trouble.
const PLENTY: u64 = 1 << 50;

#[derive(Debug, Clone)]
pub struct Driver {
    limit: Option<u64>,
    used: u64,
    calls: u64,
    next_address: u64,
}

impl Driver {
    pub fn new(limit: Option<u64>) -> Driver {
        let limit = limit.map(|bytes| bytes.min(PLENTY));
        Driver { limit, used: 0, calls: 0, next_address: 1 << 40 }
    }

    /// The bytes that there are.
    pub fn capacity(&self) -> u64 {
        self.limit.unwrap_or(PLENTY)
    }

    /// As the user or the recording set it.
    pub fn limit(&self) -> Option<u64> {
        self.limit
    }

    /// Memory at an address of its own; none beyond the limit. A call that is refused counts, too.
    pub fn allocate(&mut self, bytes: u64) -> Option<u64> {
        self.take(bytes, 1).then(|| self.addresses(bytes))
    }

    /// Takes memory in several calls, all of it or none.
    pub fn take(&mut self, bytes: u64, calls: u64) -> bool {
        self.calls += calls;
        let fits = bytes <= self.capacity() - self.used;
        if fits {
            self.used += bytes;
        }
        fits
    }

    pub fn give_back(&mut self, bytes: u64, calls: u64) {
        self.used -= bytes;
        self.calls += calls;
    }

    /// Counts calls that move memory and neither take nor give any.
    pub fn remap(&mut self, calls: u64) {
        self.calls += calls;
    }

    /// Addresses that nobody else has, without memory behind them.
    pub fn addresses(&mut self, bytes: u64) -> u64 {
        let address = self.next_address;
        self.next_address = address.saturating_add(bytes);
        address
    }

    /// The figures of an allocator over this driver.
    pub fn figures(&self, live: u64, retries: u64) -> Figures {
        Figures { live, reserved: self.used, calls: self.calls, retries }
    }

    pub fn used(&self) -> u64 {
        self.used
    }
}
