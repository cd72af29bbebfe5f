//! A write to a small part of a large storage keeps the pages that it meets, and not the whole. Where
//! pages add up, the whole is kept after all: that comes back by exchange, whatever its size.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::sync::{Arc, Weak};

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::leaf::Leaf;
use super::past::Kept;
use super::{Engine, Error, Storage};
use crate::layout::Layout;
use crate::memory::Provenance;

/// Bytes of a page.
const PAGE: usize = 16 << 10;

/// Of a storage at most this part is kept in pages,
const SHARE: usize = 8;

/// and at most so many bytes: they are copied when they come back.
const MOST: usize = 16 << 20;

/// Pages of storages that transactions keep, by the storage's address, which stays its own while it is
/// held here.
#[derive(Debug, Default)]
pub(super) struct Parts {
    of: RefCell<FxHashMap<*const Storage, PartsOf>>,
    /// Of those that inputs keep.
    input: RefCell<FxHashMap<*const Storage, (Weak<Storage>, Pages)>>,
    /// Whether the transaction has kept any.
    is_used: Cell<bool>,
    /// Elements that the transaction has kept: what writes there needs no search.
    recent: Cell<Option<(*const Storage, usize, usize)>>,
}

/// The numbers of pages.
type Pages = FxHashSet<usize>;

#[derive(Debug)]
struct PartsOf {
    storage: Arc<Storage>,
    pages: Pages,
    parts: Vec<Part>,
}

/// What some elements of a storage were.
#[derive(Debug)]
struct Part {
    elements: Range<usize>,
    /// As many again stand behind them: room for what they are exchanged with.
    contents: Arc<Storage>,
}

/// Whose memory pages take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    /// The transaction must be able to take the write back: without memory there is none.
    Needed,
    /// The input would like to.
    Spare,
}

/// Elements of a storage, where they are in what was kept, and how many.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    start: usize,
    at: usize,
    len: usize,
}

impl Parts {
    /// Whether the transaction has kept these elements, as far as that is known at once.
    #[inline]
    pub fn has_just_kept(&self, storage: &Arc<Storage>, elements: &Range<usize>) -> bool {
        self.recent.get().is_some_and(|(of, low, high)| {
            of == Arc::as_ptr(storage) && low <= elements.start && elements.end <= high
        })
    }

    /// The transaction ends.
    pub fn close(&self) {
        if self.is_used.replace(false) {
            self.recent.set(None);
            self.of.take();
        }
    }

    /// The input ends, or another begins.
    pub fn end_input(&self) {
        self.input.take();
    }
}

impl Engine {
    /// Keeps the pages of `storage` that `elements` meet, where they are few. False where the whole
    /// must be kept instead.
    pub(super) fn keep_pages(
        &self,
        storage: &Arc<Storage>,
        elements: &Range<usize>,
        room: Room,
    ) -> Result<bool, Error> {
        let most = (storage.size_bytes() / SHARE).min(MOST) / PAGE;
        let per_page = PAGE / storage.dtype().size();
        if elements.is_empty() {
            return Ok(true);
        }
        let wanted = elements.start / per_page..(elements.end - 1) / per_page + 1;
        if wanted.len() > most {
            return Ok(false);
        }
        let parts = &self.transaction.parts;
        let key = Arc::as_ptr(storage);
        let missing: SmallVec<[usize; 4]> = {
            let (of, input) = (parts.of.borrow(), parts.input.borrow());
            let own = of.get(&key).map(|of| &of.pages);
            let inputs = input.get(&key).map(|(_, pages)| pages);
            // What the transaction began with may be another state than what the input began with.
            let counts = |page: &usize| {
                let is_known = |pages: &Pages| pages.contains(page);
                !own.is_some_and(is_known)
                    && (room == Room::Needed || !inputs.is_some_and(is_known))
            };
            let missing: SmallVec<[usize; 4]> = wanted.clone().filter(counts).collect();
            let so_far = own.map_or(0, Pages::len) + inputs.map_or(0, Pages::len);
            if !missing.is_empty() && so_far + missing.len() > most {
                return Ok(false);
            }
            missing
        };
        for run in missing.chunk_by(|page, next| page + 1 == *next) {
            let first = run[0] * per_page;
            let elements = first..(first + run.len() * per_page).min(storage.len());
            let Some(contents) = self.room_for(storage, 2 * elements.len(), room)? else {
                return Ok(false);
            };
            self.copy_run(storage, elements.start, &contents, 0, elements.len())?;
            let mut of = parts.of.borrow_mut();
            let of = of.entry(key).or_insert_with(|| PartsOf {
                storage: storage.clone(),
                pages: Pages::default(),
                parts: Vec::new(),
            });
            parts.is_used.set(true);
            of.pages.extend(run);
            of.parts.push(Part { elements, contents });
        }
        if room == Room::Needed {
            let (low, high) = (wanted.start * per_page, wanted.end * per_page);
            parts.recent.set(Some((key, low, high)));
        }
        Ok(true)
    }

    fn room_for(
        &self,
        like: &Arc<Storage>,
        len: usize,
        room: Room,
    ) -> Result<Option<Arc<Storage>>, Error> {
        let provenance = Provenance::TEMPORARY.by("undo");
        match room {
            Room::Needed => {
                let device = like.device();
                let run = || device.allocate(like.dtype(), len, provenance);
                self.with_relief(device, run).map(Some)
            }
            Room::Spare => Ok(self.spare(like.device(), like.dtype(), len)),
        }
    }

    /// Makes of a copy of the whole storage what it was when the transaction began: its pages are no
    /// longer needed then.
    pub(super) fn put_pages_in(
        &self,
        storage: &Arc<Storage>,
        whole: &Arc<Storage>,
    ) -> Result<(), Error> {
        let parts = &self.transaction.parts;
        if let Some(of) = parts.of.borrow().get(&Arc::as_ptr(storage)) {
            for Part { elements, contents } in &of.parts {
                self.copy_run(contents, 0, whole, elements.start, elements.len())?;
            }
        }
        parts.of.borrow_mut().remove(&Arc::as_ptr(storage));
        parts.recent.set(None);
        Ok(())
    }

    /// Puts all pages back that the transaction has kept.
    pub(super) fn put_pages_back(&self) {
        if !self.transaction.parts.is_used.get() {
            return;
        }
        for (_, of) in self.transaction.parts.of.take() {
            for Part { elements, contents } in of.parts {
                let (start, len) = (elements.start, elements.len());
                let written = self.copy_run(&contents, 0, &of.storage, start, len);
                debug_assert!(written.is_ok(), "a plain copy needs no memory: {written:?}");
            }
        }
    }

    /// Passes the transaction's pages on to the input `number`, those that it does not have yet. Gives
    /// what was kept with the storages that it is of.
    pub(super) fn pages_for_input(&self, number: u64) -> Vec<Kept> {
        let parts = &self.transaction.parts;
        let mut kept = Vec::new();
        if !parts.is_used.get() {
            return kept;
        }
        let mut inputs = parts.input.borrow_mut();
        for (key, of) in parts.of.take() {
            // The input has kept the whole, or it has made the storage.
            if of.storage.epoch() >= number {
                continue;
            }
            let entry = || (Arc::downgrade(&of.storage), Pages::default());
            let (_, pages) = inputs.entry(key).or_insert_with(entry);
            let per_page = PAGE / of.storage.dtype().size();
            for Part { elements, contents } in of.parts {
                let first = elements.start / per_page;
                let count = elements.len().div_ceil(per_page);
                let new: SmallVec<[usize; 4]> =
                    (first..first + count).filter(|page| pages.insert(*page)).collect();
                let runs = new.chunk_by(|page, next| page + 1 == *next).map(|run| {
                    let at = (run[0] - first) * per_page;
                    let len = (run.len() * per_page).min(elements.len() - at);
                    Run { start: elements.start + at, at, len }
                });
                let runs: SmallVec<[Run; 1]> = runs.collect();
                if !runs.is_empty() {
                    kept.push(Kept::parts(&of.storage, contents, runs));
                }
            }
        }
        kept
    }

    /// Makes of a copy of the whole storage what it was when the input began. The pages that the input
    /// has kept of it are no longer needed then.
    pub(super) fn put_input_pages_in(
        &self,
        storage: &Arc<Storage>,
        whole: &Arc<Storage>,
    ) -> Result<(), Error> {
        let pages = self.transaction.parts.input.borrow_mut().remove(&Arc::as_ptr(storage));
        if pages.is_none() {
            return Ok(());
        }
        let all = self.transaction.kept.take();
        let (of, others): (Vec<Kept>, Vec<Kept>) =
            all.into_iter().partition(|kept| kept.is_of(storage));
        self.transaction.kept.replace(others);
        for kept in of {
            for Run { start, at, len } in kept.runs() {
                self.copy_run(kept.contents(), *at, whole, *start, *len)?;
            }
        }
        Ok(())
    }

    /// Exchanges runs of `storage` with what was kept of them, whose other half is free.
    pub(super) fn exchange_runs(
        &self,
        storage: &Arc<Storage>,
        contents: &Arc<Storage>,
        runs: &[Run],
        is_second: &Cell<bool>,
    ) {
        let half = contents.len() / 2;
        let (full, free) = if is_second.get() { (half, 0) } else { (0, half) };
        for Run { start, at, len } in runs {
            let done = self
                .copy_run(storage, *start, contents, free + at, *len)
                .and_then(|()| self.copy_run(contents, full + at, storage, *start, *len));
            debug_assert!(done.is_ok(), "a plain copy needs no memory: {done:?}");
        }
        is_second.set(!is_second.get());
    }

    fn copy_run(
        &self,
        from: &Arc<Storage>,
        start: usize,
        to: &Arc<Storage>,
        target: usize,
        len: usize,
    ) -> Result<(), Error> {
        let leaf = |storage: &Arc<Storage>, offset| {
            Leaf::of(storage.clone(), Layout { offset, ..Layout::contiguous([len].into()) })
        };
        self.copy_leaf(leaf(from, start), &leaf(to, target))
    }
}

#[cfg(test)]
mod tests;
