//! Room on the native stack for what goes down a tree, or along values that hold each other.

/// Bytes that must be left for whatever runs until somebody looks again.
const RESERVE: usize = 512 << 10;
/// Bytes that are added at a time.
const PIECE: usize = 8 << 20;

/// Runs something with room on the native stack, however deep it is in there already.
#[inline]
pub fn with_room<T>(run: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RESERVE, PIECE, run)
}
