//! Work of the host's that is no kernel and that all threads share: memory filled from a file, text read.

use rayon::prelude::*;

use super::{Content, CpuBackend, Error, Parts, Storage};

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

    /// As `Backend::fill_parts`, right into the memory.
    pub(super) fn fill_parts_of_memory(
        &self,
        target: &Storage,
        parts: Parts<'_>,
    ) -> Result<(), Error> {
        self.enter([target]);
        let (mut end, make) = (parts.start, parts.make);
        let mut places = Vec::with_capacity(parts.lengths.len());
        for length in parts.lengths {
            places.push((end, *length));
            end += length;
        }
        assert!(end <= target.size_bytes(), "parts past the end of {target:?}");
        let address = target.address() as usize;
        places.into_par_iter().enumerate().for_each(|(number, (first, length))| {
            // SAFETY: the range lies in the storage, as was just checked, whose memory is the host's; parts stand
            // behind each other, so no two have a byte in common, and nobody else looks at a storage that is
            // still being made.
            let bytes =
                unsafe { std::slice::from_raw_parts_mut((address + first) as *mut u8, length) };
            make(number, bytes);
        });
        Ok(())
    }

    /// As `Backend::host_bytes`.
    pub(super) fn bytes_of_memory<'a>(
        &self,
        source: &'a Storage,
        start: usize,
        length: usize,
    ) -> &'a [u8] {
        let end = start.checked_add(length);
        assert!(
            end.is_some_and(|end| end <= source.size_bytes()),
            "bytes past the end of {source:?}"
        );
        self.enter([source]);
        if length == 0 {
            return &[];
        }
        // SAFETY: the range lies in the storage, as was just checked, whose memory is the host's and stays as long as
        // the storage; that nobody writes to it meanwhile is what whoever asks sees to.
        unsafe {
            std::slice::from_raw_parts((source.address() as usize + start) as *const u8, length)
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::device::{Device, Interrupt, Parts};
    use crate::dtype::DType;
    use crate::memory::{AllocatorConfig, Provenance};

    #[test]
    fn parts_of_any_lengths_stand_behind_each_other() {
        let device = Device::cpu(AllocatorConfig::default(), Interrupt::default()).unwrap();
        let lengths = [5, 0, 1, 70_000, 3, 0, 1 << 16, 8];
        let (start, size) = (3, lengths.iter().sum::<usize>());
        let storage = device.allocate(DType::U8, start + size + 2, Provenance::VARIABLE).unwrap();
        let before = vec![0xaa; start + size + 2];
        device.backend().copy_from_host(&before, &storage, 0).unwrap();
        let make = |number: usize, bytes: &mut [u8]| {
            assert_eq!(bytes.len(), lengths[number]);
            bytes.fill(number as u8);
        };
        let made = Parts { start, lengths: &lengths, make: &make };
        device.backend().fill_parts(&storage, made).unwrap();
        let parts = lengths.iter().enumerate();
        let parts = parts.flat_map(|(number, length)| std::iter::repeat_n(number as u8, *length));
        let mut expected = vec![0xaa; start];
        expected.extend(parts.chain([0xaa; 2]));
        let backend = device.backend();
        assert!(backend.host_bytes(&storage, 0, expected.len()) == Some(&expected[..]));
        assert_eq!(backend.host_bytes(&storage, start + 4, 3), Some(&[0, 2, 3][..]));
        assert_eq!(backend.host_bytes(&storage, expected.len(), 0), Some(&[][..]));
    }
}
