//! The process's own heap, where values of programs lie: small pieces that a thread lets go of stay with it for
//! the next ones of their size.
//!
//! A system's allocator has to find out how large a piece is that it is given back, and keeps but a few of
//! a size at hand. Whoever lets go of a piece here says how large it is, so that both ways are a list's first
//! link: a program that makes a list, a text or an object in each turn of a loop gets the last one's place.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr;

/// The sizes of pieces are multiples of so many bytes, as the system's are.
const GRAIN: usize = 16;
/// Pieces of so many sizes are kept; what is larger is the system's.
const SIZES: usize = 32;
/// Bytes of each size that a thread keeps at most.
const KEPT: usize = 256 << 10;

/// The heap of a binary: see [`keep_pieces`].
#[derive(Debug)]
pub struct ProcessHeap;

/// The free pieces of one size.
struct Shelf {
    /// Each piece begins with the place of the next one.
    first: Cell<*mut u8>,
    /// How many more are kept.
    room: Cell<usize>,
}

thread_local! {
    static SHELVES: [Shelf; SIZES] = const {
        [const { Shelf { first: Cell::new(ptr::null_mut()), room: Cell::new(0) } }; SIZES]
    };
}

/// From here on this thread keeps small pieces that it lets go of, where [`ProcessHeap`] is the binary's heap. What it
/// keeps is lost with the thread: it is for those that live as long as the process.
pub fn keep_pieces() {
    SHELVES.with(|shelves| {
        for (at, shelf) in shelves.iter().enumerate() {
            if shelf.room.get() == 0 && shelf.first.get().is_null() {
                shelf.room.set(KEPT / ((at + 1) * GRAIN));
            }
        }
    });
}

/// The shelf on which a piece has its place, if it has one.
#[inline(always)]
fn shelf_of(layout: Layout) -> Option<usize> {
    let at = layout.size().wrapping_sub(1) / GRAIN;
    (at < SIZES && layout.align() <= GRAIN).then_some(at)
}

/// What the system is asked for where a shelf is empty.
#[inline(always)]
fn whole(at: usize) -> Layout {
    const { assert!(GRAIN.is_power_of_two() && GRAIN >= size_of::<*mut u8>()) };
    // SAFETY: the alignment is a power of two, and the size far from `isize::MAX`.
    unsafe { Layout::from_size_align_unchecked((at + 1) * GRAIN, GRAIN) }
}

// SAFETY: a piece of a shelf is the system's, as large and aligned as `whole` says, which is at least what was
// asked for; it lies on the shelf of one thread only while nobody has it. Nothing here unwinds.
unsafe impl GlobalAlloc for ProcessHeap {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(at) = shelf_of(layout) else {
            // SAFETY: the caller's promise.
            return unsafe { System.alloc(layout) };
        };
        SHELVES.with(|shelves| {
            let shelf = &shelves[at];
            let first = shelf.first.get();
            if first.is_null() {
                // SAFETY: the size is not zero.
                return unsafe { System.alloc(whole(at)) };
            }
            // SAFETY: it is a free piece, which begins with the next one's place.
            shelf.first.set(unsafe { first.cast::<*mut u8>().read() });
            shelf.room.set(shelf.room.get() + 1);
            first
        })
    }

    #[inline]
    unsafe fn dealloc(&self, piece: *mut u8, layout: Layout) {
        let Some(at) = shelf_of(layout) else {
            // SAFETY: the caller's promise: such a layout comes from the system as it is.
            return unsafe { System.dealloc(piece, layout) };
        };
        SHELVES.with(|shelves| {
            let shelf = &shelves[at];
            let Some(room) = shelf.room.get().checked_sub(1) else {
                // SAFETY: it came from the system with this layout.
                return unsafe { System.dealloc(piece, whole(at)) };
            };
            // SAFETY: nobody has it any more, and it is large and aligned enough for a pointer.
            unsafe { piece.cast::<*mut u8>().write(shelf.first.get()) };
            shelf.first.set(piece);
            shelf.room.set(room);
        });
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if shelf_of(layout).is_none() {
            // SAFETY: the caller's promise.
            return unsafe { System.alloc_zeroed(layout) };
        }
        // SAFETY: the caller's promise.
        let piece = unsafe { self.alloc(layout) };
        if !piece.is_null() {
            // SAFETY: the piece is as long.
            unsafe { piece.write_bytes(0, layout.size()) };
        }
        piece
    }

    #[inline]
    unsafe fn realloc(&self, piece: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise: rounded up to the alignment, the size is no more than `isize::MAX`.
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        match (shelf_of(layout), shelf_of(wanted)) {
            (Some(before), Some(after)) if before == after => piece,
            // SAFETY: both are the system's as they are.
            (None, None) => unsafe { System.realloc(piece, layout, size) },
            _ => {
                // SAFETY: the caller's promise.
                let moved = unsafe { self.alloc(wanted) };
                if !moved.is_null() {
                    // SAFETY: both are at least as long, and two pieces; the old one is the caller's.
                    unsafe {
                        moved.copy_from_nonoverlapping(piece, layout.size().min(size));
                        self.dealloc(piece, layout);
                    }
                }
                moved
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(bytes: usize) -> Layout {
        Layout::from_size_align(bytes, 8).expect("a plain layout")
    }

    /// On a thread of its own, which keeps pieces.
    fn keeping(run: impl FnOnce() + Send + 'static) {
        let run = || {
            keep_pieces();
            run();
        };
        std::thread::spawn(run).join().expect("it does not panic");
    }

    #[test]
    fn a_piece_comes_back_to_the_next_of_its_size() {
        keeping(|| {
            // SAFETY: each piece is used within its size and given back once, by its layout.
            unsafe {
                let first = ProcessHeap.alloc(layout(40));
                ProcessHeap.dealloc(first, layout(40));
                let other = ProcessHeap.alloc(layout(24));
                let again = ProcessHeap.alloc(layout(48));
                assert_ne!(first, other);
                assert_eq!(first, again);
                ProcessHeap.dealloc(again, layout(48));
                ProcessHeap.dealloc(other, layout(24));
                let zeroed = ProcessHeap.alloc_zeroed(layout(48));
                assert_eq!(zeroed, first);
                assert!((0..48).all(|at| *zeroed.add(at) == 0));
                ProcessHeap.dealloc(zeroed, layout(48));
            }
        });
    }

    #[test]
    fn a_thread_that_was_not_told_keeps_nothing() {
        std::thread::spawn(|| {
            // SAFETY: as above.
            unsafe {
                let piece = ProcessHeap.alloc(layout(40));
                ProcessHeap.dealloc(piece, layout(40));
            }
            SHELVES
                .with(|shelves| assert!(shelves.iter().all(|shelf| shelf.first.get().is_null())));
        })
        .join()
        .expect("it does not panic");
    }

    /// What a piece holds goes along when it grows and shrinks, from shelf to shelf and to the system.
    #[test]
    fn contents_stay_when_sizes_change() {
        keeping(|| {
            let sizes = [1, 8, 16, 17, 31, 100, 512, 513, 4000, 700, 512, 480, 33, 16, 3, 9000, 1];
            // SAFETY: as above.
            unsafe {
                let mut bytes = sizes[0];
                let mut piece = ProcessHeap.alloc(layout(bytes));
                piece.write(7);
                for size in sizes {
                    piece = ProcessHeap.realloc(piece, layout(bytes), size);
                    for at in 0..bytes.min(size) {
                        assert_eq!(*piece.add(at), 7, "{bytes} → {size}");
                    }
                    piece.write_bytes(7, size);
                    bytes = size;
                }
                ProcessHeap.dealloc(piece, layout(bytes));
            }
        });
    }

    #[test]
    fn no_more_is_kept_than_has_room() {
        keeping(|| {
            // SAFETY: as above.
            unsafe {
                let count = KEPT / 512 + 10;
                let pieces: Vec<_> = (0..count).map(|_| ProcessHeap.alloc(layout(512))).collect();
                pieces.into_iter().for_each(|piece| ProcessHeap.dealloc(piece, layout(512)));
            }
            SHELVES.with(|shelves| assert_eq!(shelves[SIZES - 1].room.get(), 0));
        });
    }
}
