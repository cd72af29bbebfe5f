//! bool lanes.

/// A bool in memory: a byte, true unless zero. Kernels write 0 and 1 only, and read any byte
/// without harm, which Rust's own `bool` would not allow.
#[derive(Debug, Clone, Copy, Default)]
#[repr(transparent)]
pub struct Mask(pub u8);

impl Mask {
    #[inline(always)]
    pub fn new(value: bool) -> Mask {
        Mask(value as u8)
    }

    #[inline(always)]
    pub fn get(self) -> bool {
        self.0 != 0
    }
}
