//! Work of the host's that is no kernel and that all threads share: memory filled from a file, text read.

use rayon::prelude::*;

use super::{Content, CpuBackend, Error, Storage};

/// Bytes that are asked for at once: a few milliseconds of reading.
const PIECE: usize = 4 << 20;

/// Does tasks `0..tasks`, in any order on all threads.
pub fn at_once(tasks: usize, task: &(dyn Fn(usize) + Sync)) {
    (0..tasks).into_par_iter().for_each(task);
}

impl CpuBackend {
    /// As `Backend::fill`, right into the memory.
    pub(super) fn fill_memory(&self, target: &Storage, content: Content<'_>) -> Result<(), Error> {
        self.enter([target]);
        let (address, size) = (target.address() as usize, target.size_bytes());
        let piece = |number: usize| {
            self.interrupt.heed()?;
            let start = number * PIECE;
            // SAFETY: the range lies in the storage, whose memory is the host's; no two pieces have a byte
            // in common, and nobody else looks at a storage that is still being made.
            let bytes = unsafe {
                let first = (address + start) as *mut u8;
                std::slice::from_raw_parts_mut(first, PIECE.min(size - start))
            };
            (content.read)(start, bytes)
        };
        (0..size.div_ceil(PIECE)).into_par_iter().try_for_each(piece)
    }
}
