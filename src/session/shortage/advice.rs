//! Advice that is tried before it is given: the statement is rehearsed on a copy of the memory in which what
//! would be deleted is gone.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::{Refused, search};
use crate::device::{Device, Interrupt};
use crate::interp::Rehearsed;
use crate::memory::{Allocator, AllocatorStats, Provenance, StreamId};
use crate::report::human_bytes;
use crate::session::Session;
use crate::session::memory_view::Share;

/// So many ways to make room are named.
const NAMED: usize = 3;

/// Where more items than this hold memory, variables are offered as a whole.
const ITEMS: usize = 200;

/// More names than this are only counted.
const LISTED: usize = 12;

/// How long a search may take: an error is waited for.
pub(super) const PATIENCE: Duration = Duration::from_millis(300);

/// What `del` takes, and the variable that it is in.
struct Unit {
    text: String,
    variable: String,
}

/// A storage, and the units that hold it, by their positions.
struct Kept {
    address: u64,
    bytes: u64,
    units: Vec<usize>,
}

/// What could be deleted.
#[derive(Default)]
struct Choice {
    units: Vec<Unit>,
    storages: Vec<Kept>,
}

impl Choice {
    /// All that is held but what the statement reads, which must be there when it runs again.
    fn of(shares: &[Share], read: &HashSet<String>) -> Choice {
        let mut choice = Choice::default();
        let (mut units, mut storages) = (HashMap::new(), HashMap::new());
        let mut fixed = HashSet::new();
        let is_whole = shares.len() > ITEMS;
        for share in shares.iter().filter(|share| share.bytes > 0) {
            let (variable, text) = (share.holder.name.variable(), share.holder.unit.to_string());
            if read.contains(variable) || text.starts_with("Out[") && read.contains("Out") {
                fixed.insert(share.address);
                continue;
            }
            let is_item = !text.starts_with("Out[");
            let text = if is_whole && is_item { variable.to_string() } else { text };
            let unit = *units.entry(text.clone()).or_insert_with(|| {
                let variable = variable.to_string();
                choice.units.push(Unit { text, variable });
                choice.units.len() - 1
            });
            let kept = *storages.entry(share.address).or_insert_with(|| {
                let (address, bytes) = (share.address, share.storage_bytes);
                choice.storages.push(Kept { address, bytes, units: Vec::new() });
                choice.storages.len() - 1
            });
            let held = &mut choice.storages[kept].units;
            if !held.contains(&unit) {
                held.push(unit);
            }
        }
        choice.storages.retain(|kept| !fixed.contains(&kept.address));
        choice.storages.iter_mut().for_each(|kept| kept.units.sort_unstable());
        choice
    }

    /// The units that go together, those that hold one storage, and the bytes that they hold so.
    fn groups(&self) -> Vec<(&[usize], u64)> {
        let mut groups: Vec<(&[usize], u64)> = Vec::new();
        let mut places = HashMap::new();
        for kept in &self.storages {
            let place = *places.entry(&*kept.units).or_insert_with(|| {
                groups.push((&kept.units, 0));
                groups.len() - 1
            });
            groups[place].1 += kept.bytes;
        }
        groups
    }

    /// The storages that go with these units.
    fn gone(&self, units: &[usize]) -> impl Iterator<Item = &Kept> {
        let units: HashSet<usize> = units.iter().copied().collect();
        self.storages.iter().filter(move |kept| kept.units.iter().all(|unit| units.contains(unit)))
    }

    fn bytes(&self, units: &[usize]) -> u64 {
        self.gone(units).map(|kept| kept.bytes).sum()
    }

    /// `del a, l[1], l[0]`: what comes later in a list goes first, and moves nothing before it.
    fn delete(&self, units: &[usize]) -> String {
        let mut texts: Vec<&str> = units.iter().map(|unit| &*self.units[*unit].text).collect();
        texts.sort_by_cached_key(|text| std::cmp::Reverse(steps(text)));
        match texts.len() {
            count if count > LISTED => format!("deleting {count} of the variables"),
            _ => format!("`del {}`", texts.join(", ")),
        }
    }
}

/// The way to an item: texts and numbers, so that `l[10]` comes behind `l[9]`.
fn steps(path: &str) -> Vec<(usize, &str)> {
    let parts = path.split(['[', ']', '.']).filter(|part| !part.is_empty());
    parts.map(|part| part.parse().map_or((usize::MAX, part), |at| (at, ""))).collect()
}

/// Asks what would be enough.
struct Trial<'a> {
    session: &'a Session,
    device: &'a Device,
    refused: Option<&'a Refused>,
    choice: Choice,
    /// Where what lies that may move.
    movable: HashSet<u64>,
    stats: AllocatorStats,
    begun: Instant,
    /// Whether rehearsals have said all so far.
    is_certain: Cell<bool>,
}

impl Trial<'_> {
    /// Whether the statement would go through without these units; none where time is up.
    fn is_enough(&self, units: &[usize]) -> Option<bool> {
        let left = PATIENCE.saturating_sub(self.begun.elapsed());
        if left.is_zero() || self.session.interrupt().is_raised() {
            return None;
        }
        let gone: HashSet<u64> = self.choice.gone(units).map(|kept| kept.address).collect();
        let past_limit = self.session.engine().attic().limit(self.device);
        let allocator = self.device.allocator();
        let without = || allocator.rehearsal_without(&gone, past_limit, &self.movable);
        if let Some(refused) = self.refused.filter(|_| self.is_certain.get()) {
            let names = units.iter().map(|unit| &*self.choice.units[*unit].variable).collect();
            let memory = |of: &Device| match of == self.device {
                true => without(),
                false => of.allocator().rehearsal(),
            };
            let rehearse = || self.session.quiet().rehearse(&refused.statement, memory, &names);
            match within(&self.session.interrupt(), left, rehearse) {
                Rehearsed::Fits => return Some(true),
                Rehearsed::Short | Rehearsed::Misses(_) => return Some(false),
                Rehearsed::Unknown => self.is_certain.set(false),
            }
        }
        // As far as it came, in one piece, and the request that was refused.
        let rehearsal = without();
        let own = self.stats.live_at_refusal.saturating_sub(self.stats.now.allocated);
        let ask = |bytes| rehearsal.allocate(bytes, StreamId::DEFAULT, Provenance::TEMPORARY);
        let own = ask(own);
        Some(own.is_ok() && ask(self.stats.refused).is_ok())
    }

    /// Why no `del` helps, where the sum of what is needed tells.
    fn why_none(&self, refused: &Refused) -> Option<String> {
        let run = || self.session.quiet().explain(&refused.statement);
        let explained = within(&self.session.interrupt(), PATIENCE, run).ok()?;
        let plan = explained.work.devices.iter().find(|(of, _)| of == self.device);
        let takes = plan.map_or(0, |(_, plan)| plan.peak_bytes);
        let gone = self.choice.storages.iter().map(|kept| kept.address).collect();
        let allocator = self.device.allocator();
        let stays = allocator.rehearsal_without(&gone, 0, &HashSet::new()).stats().now.allocated;
        let total = allocator.limit();
        if takes.saturating_add(stays) <= total {
            return None;
        }
        let bytes = |bytes: usize| human_bytes(bytes as u64);
        let beside = match stays {
            0 => String::new(),
            stays => format!(" beside {} that stay", bytes(stays)),
        };
        let (takes, total) = (bytes(takes), bytes(total));
        Some(format!(
            "no `del` makes room: it takes {takes} at once{beside}, and there are {total}"
        ))
    }
}

impl Session {
    /// What would let the statement through that memory ran out for; or that nothing would.
    pub(super) fn advice(&self, device: &Device, refused: Option<&Refused>) -> Option<String> {
        let (choice, stats) = (self.choice(device, refused), device.allocator().stats());
        let (begun, is_certain) = (Instant::now(), Cell::new(refused.is_some()));
        let movable = self.movable(device).iter().map(|storage| storage.address()).collect();
        let session = self;
        let trial = Trial { session, device, refused, choice, movable, stats, begun, is_certain };
        let choice = &trial.choice;
        let groups = choice.groups();
        let units_of = |set: &[usize]| -> Vec<usize> {
            let mut units: Vec<usize> = set.iter().flat_map(|at| groups[*at].0).copied().collect();
            units.sort_unstable();
            units.dedup();
            units
        };
        let weights: Vec<u64> = groups.iter().map(|(_, bytes)| *bytes).collect();
        let is_enough = |set: &[usize]| trial.is_enough(&units_of(set));
        let sets = search::enough(&weights, stats.shortfall as u64, NAMED, is_enough);
        let name = |set: &Vec<usize>| {
            let units = units_of(set);
            format!("{} ({})", choice.delete(&units), human_bytes(choice.bytes(&units)))
        };
        let named: Vec<String> = sets.iter().map(name).collect();
        match (named.as_slice(), trial.is_certain.get()) {
            ([], true) => trial.why_none(refused?),
            ([], false) => None,
            ([only], true) => Some(format!("{only} would make room for it")),
            (all, true) => Some(format!("any of {} would make room for it", all.join(", "))),
            (all, false) => {
                let asked = human_bytes(stats.refused as u64);
                Some(format!("{} would make room for these {asked}", all.join(" or ")))
            }
        }
    }

    /// What could be deleted that the statement does not need. What functions read shows when it is not
    /// there.
    fn choice(&self, device: &Device, refused: Option<&Refused>) -> Choice {
        let shares = self.shares(device);
        let Some(refused) = refused else { return Choice::of(&shares, &HashSet::new()) };
        let mut read: HashSet<String> = refused.names.iter().cloned().collect();
        let begun = Instant::now();
        loop {
            let choice = Choice::of(&shares, &read);
            let left = PATIENCE.saturating_sub(begun.elapsed());
            let names = choice.units.iter().map(|unit| &*unit.variable).collect();
            let paper = |_: &Device| Allocator::on_paper();
            let rehearse = || self.quiet().rehearse(&refused.statement, paper, &names);
            match within(&self.interrupt(), left, rehearse) {
                Rehearsed::Misses(name) if read.insert(name.clone()) => {}
                _ => return choice,
            }
        }
    }
}

/// Runs something that ends as if by Ctrl-C where it takes longer.
pub(super) fn within<T>(interrupt: &Interrupt, limit: Duration, run: impl FnOnce() -> T) -> T {
    let (end, ended) = mpsc::channel::<()>();
    let alarm = interrupt.clone();
    let watch = std::thread::spawn(move || {
        let is_late = ended.recv_timeout(limit) == Err(RecvTimeoutError::Timeout);
        if is_late {
            alarm.raise();
        }
        is_late
    });
    let result = run();
    drop(end);
    if watch.join().unwrap_or(false) {
        interrupt.clear();
    }
    result
}
