//! Memory that only the past of the program holds: what storages contained before an input wrote to
//! them, and what variables held before. It looks freed, comes back by exchange and never by a copy,
//! and goes when memory is wanted, the oldest state first.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use smallvec::SmallVec;

use super::parts::Run;
use super::{Device, DeviceId, Engine, Error, Storage};
use crate::dtype::DType;
use crate::memory::Provenance;

/// Of a device's memory, unless a limit was set, the past may keep this part.
const USUAL_SHARE: usize = 8;

/// What the past may keep on a device that does not say how much it has.
const UNKNOWN_SHARE: usize = 1 << 30;

/// Marks what an input made that was taken back: only doing it again would bring it back.
const FUTURE: u64 = 1 << 63;

/// What a storage contained before an input. Nobody else needs to hold the storage: without it there
/// is nothing to be put back.
#[derive(Debug)]
pub struct Kept {
    storage: Weak<Storage>,
    contents: Arc<Storage>,
    /// Where it is of parts: which, and in which half of `contents` they are now.
    runs: SmallVec<[Run; 1]>,
    is_second: Cell<bool>,
}

/// The memory of the past, in the order of the states that it belongs to. Allocators ask it for
/// memory from whatever thread they are called on.
#[derive(Debug, Clone, Default)]
pub struct Attic {
    shelves: Arc<Mutex<Shelves>>,
}

#[derive(Debug, Default)]
struct Shelves {
    states: BTreeMap<u64, Vec<Weak<Storage>>>,
    /// States up to this one can't come back.
    lost: u64,
    /// States from this one on can't be done again.
    lost_future: Option<u64>,
    /// Nothing goes while a state comes back.
    is_closed: bool,
    limit: Option<usize>,
    /// The devices whose allocators ask, and what each may keep unless a limit was set.
    devices: Vec<(DeviceId, usize)>,
}

impl Kept {
    pub(super) fn new(storage: &Arc<Storage>, contents: Arc<Storage>) -> Kept {
        Kept::parts(storage, contents, SmallVec::new())
    }

    pub(super) fn parts(
        storage: &Arc<Storage>,
        contents: Arc<Storage>,
        runs: SmallVec<[Run; 1]>,
    ) -> Kept {
        contents.keep();
        Kept { storage: Arc::downgrade(storage), contents, runs, is_second: Cell::new(false) }
    }

    pub(super) fn is_of(&self, storage: &Arc<Storage>) -> bool {
        std::ptr::eq(self.storage.as_ptr(), Arc::as_ptr(storage))
    }

    /// The parts that it is of; none where it is of the whole.
    pub(super) fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// What the storage contained.
    pub(super) fn contents(&self) -> &Arc<Storage> {
        &self.contents
    }

    /// Puts it back, and keeps under `mark` what the storage contains now.
    fn exchange(&self, engine: &Engine, mark: u64) {
        let Some(storage) = self.storage.upgrade() else { return };
        self.contents.set_past(0);
        match self.runs.is_empty() {
            true => storage.exchange(&self.contents),
            false => engine.exchange_runs(&storage, &self.contents, &self.runs, &self.is_second),
        }
        engine.attic.put(&self.contents, mark);
    }
}

impl Attic {
    /// The mark of what only a state that was taken back holds.
    pub fn future(state: u64) -> u64 {
        FUTURE | state
    }

    /// Only the past holds a storage from here on, for the sake of the state that marks it and those
    /// before; or only the future, for the sake of that state and those after it.
    pub fn put(&self, storage: &Arc<Storage>, mark: u64) {
        let mut shelves = self.lock();
        shelves.serve(self, storage.device());
        if shelves.is_lost(mark) {
            // The state can't come back, whatever it keeps.
            storage.let_go();
            return;
        }
        storage.set_past(mark);
        shelves.states.entry(mark).or_default().push(Arc::downgrade(storage));
        let (id, limit) = (storage.device().id(), shelves.limit_of(storage.device().id()));
        let over = storage.device().allocator().past().saturating_sub(limit);
        if over > 0 {
            shelves.reclaim(id, over);
        }
    }

    /// A storage is alive again.
    pub fn take(&self, storage: &Storage) {
        // Its place on the shelf is stale from here on.
        storage.set_past(0);
    }

    /// Lets what was taken back go, and the oldest states, until that has freed so many bytes on a device, or none holds any
    /// there. Gives the bytes.
    pub fn reclaim(&self, device: DeviceId, bytes: usize) -> usize {
        self.lock().reclaim(device, bytes)
    }

    /// Keeps a device's part within its limit, which may be another than before.
    pub fn trim(&self, device: &Device) {
        let over = device.allocator().past().saturating_sub(self.limit(device));
        if over > 0 {
            self.reclaim(device.id(), over);
        }
    }

    /// States up to this one can't come back.
    pub fn lost(&self) -> u64 {
        self.lock().lost
    }

    /// Whether a state that was taken back can't be done again.
    pub fn is_future_lost(&self, state: u64) -> bool {
        self.lock().is_lost(FUTURE | state)
    }

    /// No state is left that could be done again.
    pub fn end_future(&self) {
        self.lock().lost_future = None;
    }

    /// Lets all states up to `state` go.
    pub fn lose(&self, state: u64) {
        self.lock().lose(state);
    }

    /// Lets all states go that were taken back.
    pub fn lose_future(&self) {
        self.lock().lose_future(0);
    }

    /// Bytes that are kept for the sake of one state.
    pub fn bytes(&self, state: u64) -> usize {
        let shelves = self.lock();
        let held = |mark: u64| {
            let storages = shelves.states.get(&mark).into_iter().flatten();
            let held = storages.filter_map(Weak::upgrade).filter(move |s| s.past() == mark);
            held.map(|storage| storage.size_bytes()).sum::<usize>()
        };
        held(state) + held(FUTURE | state)
    }

    /// Nothing goes, though memory may be wanted, until this is called with `false`.
    pub fn close(&self, is_closed: bool) {
        self.lock().is_closed = is_closed;
    }

    /// What the past may keep on each device from here on, in bytes; with none, an eighth of what the
    /// device has.
    pub fn set_limit(&self, limit: Option<usize>) {
        self.lock().limit = limit;
    }

    /// What the past may keep on a device.
    pub fn limit(&self, device: &Device) -> usize {
        let mut shelves = self.lock();
        shelves.serve(self, device);
        shelves.limit_of(device.id())
    }

    /// The storages of a device that it keeps.
    pub fn storages(&self, device: &Device) -> Vec<Arc<Storage>> {
        let shelves = self.lock();
        let all =
            shelves.states.iter().flat_map(|(mark, all)| all.iter().map(move |it| (mark, it)));
        let alive = all.filter_map(|(mark, it)| Some((*mark, it.upgrade()?)));
        let kept = alive.filter(|(mark, it)| it.past() == *mark && it.device() == device);
        kept.map(|(_, storage)| storage).collect()
    }

    /// Whether anything is kept at all.
    pub fn is_open(&self) -> bool {
        self.lock().limit != Some(0)
    }

    fn lock(&self) -> MutexGuard<'_, Shelves> {
        self.shelves.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelves {
    /// Makes a device's allocator ask here before it fails.
    fn serve(&mut self, attic: &Attic, device: &Device) {
        let id = device.id();
        if self.devices.iter().any(|(known, _)| *known == id) {
            return;
        }
        let usual = match device.allocator().mem_info().total {
            usize::MAX => UNKNOWN_SHARE,
            total => total / USUAL_SHARE,
        };
        self.devices.push((id, usual));
        let attic = attic.clone();
        device.allocator().set_collector(move |bytes| attic.reclaim(id, bytes) > 0);
    }

    fn limit_of(&self, device: DeviceId) -> usize {
        let usual = self.devices.iter().find(|(known, _)| *known == device);
        self.limit.unwrap_or_else(|| usual.map_or(UNKNOWN_SHARE, |(_, usual)| *usual))
    }

    fn reclaim(&mut self, device: DeviceId, bytes: usize) -> usize {
        let mut freed = 0;
        while freed < bytes && !self.is_closed {
            let holds = |(mark, storages): (&u64, &Vec<Weak<Storage>>)| {
                let alive = storages.iter().filter_map(Weak::upgrade);
                let held = alive.filter(|s| s.past() == *mark && s.device().id() == device);
                let held: usize = held.map(|storage| storage.size_bytes()).sum();
                (held > 0).then_some((*mark, held))
            };
            // What was taken back goes first, the furthest before; then the oldest.
            let future = self.states.range(FUTURE..).rev().find_map(holds);
            let Some((mark, held)) = future.or_else(|| self.states.iter().find_map(holds)) else {
                break;
            };
            match mark < FUTURE {
                true => self.lose(mark),
                false => self.lose_future(mark & !FUTURE),
            }
            freed += held;
        }
        freed
    }

    fn is_lost(&self, mark: u64) -> bool {
        match mark < FUTURE {
            true => mark <= self.lost,
            false => self.lost_future.is_some_and(|lost| mark & !FUTURE >= lost),
        }
    }

    fn lose_future(&mut self, state: u64) {
        self.lost_future = Some(self.lost_future.map_or(state, |lost| lost.min(state)));
        let gone = self.states.split_off(&(FUTURE | state));
        let_go(gone);
    }

    fn lose(&mut self, state: u64) {
        self.lost = self.lost.max(state);
        let later = self.states.split_off(&(state + 1));
        let_go(std::mem::replace(&mut self.states, later));
    }
}

fn let_go(states: BTreeMap<u64, Vec<Weak<Storage>>>) {
    for (mark, storages) in states {
        let alive = storages.iter().filter_map(Weak::upgrade);
        alive.filter(|storage| storage.past() == mark).for_each(|storage| storage.let_go());
    }
}

impl Engine {
    /// The memory of the past.
    pub fn attic(&self) -> &Attic {
        &self.attic
    }

    /// A copy of what a storage contains, where there is memory for it within the limit of the past.
    ///
    /// # Errors
    /// The user does not want to wait for the copy.
    pub(super) fn spare_copy(&self, storage: &Arc<Storage>) -> Result<Option<Arc<Storage>>, Error> {
        let Some(contents) = self.spare(storage.device(), storage.dtype(), storage.len()) else {
            return Ok(None);
        };
        self.copy_contents(storage, &contents)?;
        Ok(Some(contents))
    }

    /// Exchanges what was kept with what is there, which is kept under `mark`; also while an interrupt
    /// is raised.
    pub fn put_back(&self, kept: &[Kept], mark: u64) {
        self.undisturbed(|| kept.iter().for_each(|kept| kept.exchange(self, mark)));
    }

    /// Memory for the past, where there is some within its limit.
    pub(super) fn spare(&self, device: &Device, dtype: DType, len: usize) -> Option<Arc<Storage>> {
        let bytes = len * dtype.size();
        let limit = self.attic.limit(device);
        if bytes > limit {
            return None;
        }
        let over = (device.allocator().past() + bytes).saturating_sub(limit);
        if over > 0 {
            self.attic.reclaim(device.id(), over);
        }
        let provenance = Provenance::TEMPORARY.by("undo");
        loop {
            match device.allocate_spare(dtype, len, provenance) {
                Some(contents) => return Some(contents),
                None if self.attic.reclaim(device.id(), bytes) > 0 => {}
                None => return None,
            }
        }
    }
}
