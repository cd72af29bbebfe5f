//! The memory as reports: totals, map, variables and what they pin, caches.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Session;
use super::driver_view::driver_view;
use super::holders::Holder;
use crate::device::{Device, DeviceId};
use crate::memory::{
    Action, AllocatorStats, BlockInfo, BlockKind, BlockState, HolderName, SegmentInfo, Snapshot,
};
use crate::report::{
    Column, MapRow, MapRun, MapState, Markup, MemoryMap, Moment, Report, Table, counted,
    human_bytes, human_count,
};

/// More segments than this are only counted on the map.
const MAP_ROWS: usize = 24;

/// More variables than this are only counted in an overview.
const OVERVIEW_ROWS: usize = 20;

/// The memory at one moment, to compare with.
#[derive(Debug, Clone)]
pub struct Mark {
    /// Of each device.
    pub stats: Vec<(DeviceId, AllocatorStats)>,
    /// The variables: name, own bytes, and which storage.
    pub holders: Vec<(HolderName, u64, u64)>,
}

/// A variable and its part of a storage.
pub struct Share {
    pub holder: Holder,
    /// Bytes of the elements that it shows.
    pub bytes: u64,
    /// Bytes of the storage behind it, and where that lies.
    pub storage_bytes: u64,
    pub address: u64,
    pub role: Role,
}

/// How a variable stands to its storage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// All of it, and the first to.
    Owner,
    /// All of it, as another variable does.
    SameAs(HolderName),
    /// A part of another variable's.
    ViewOf(HolderName),
    /// A part, and no variable holds the whole: the rest is out of reach but can't go.
    Pins,
    /// It has no elements, hence no memory.
    Empty,
}

impl Session {
    /// What `:mem` shows of the current device.
    pub fn memory_report(&self) -> Report {
        self.memory_overview(&self.engine().device())
    }

    pub(super) fn memory_overview(&self, device: &Device) -> Report {
        self.overview_of(device, self.holders())
    }

    /// The same, and the moment to compare with.
    pub(super) fn memory_overview_and_mark(&self, device: &Device) -> (Report, Mark) {
        let holders = self.holders();
        let mark = self.mark_of(&holders);
        (self.overview_of(device, holders), mark)
    }

    fn overview_of(&self, device: &Device, holders: Vec<Holder>) -> Report {
        let (snapshot, shares) = self.snapshot_and_shares(device, holders);
        let mut reports = vec![totals(device, &snapshot)];
        let blank = || Report::plain("");
        if let Some(driver) = driver_view(device, snapshot.memory, &snapshot.stats) {
            reports.extend([blank(), driver]);
        }
        if !snapshot.segments.is_empty() {
            reports.extend([blank(), map(&snapshot, self.config.pictures)]);
        }
        if !shares.is_empty() {
            reports.push(blank());
            reports.push(variables(&shares, OVERVIEW_ROWS));
            reports.extend(self.notes(&shares, &snapshot));
        }
        reports.extend([blank(), self.caches(&snapshot.stats)]);
        Report::Stack(reports)
    }

    /// A picture of a device's memory with the names that hold its blocks.
    pub(super) fn memory_snapshot(&self, device: &Device) -> Snapshot {
        let mut snapshot = device.allocator().snapshot();
        self.name_all(device, &self.holders(), &mut snapshot);
        snapshot
    }

    /// The same, and the variables that hold memory of the device.
    pub(super) fn snapshot_and_shares(
        &self,
        device: &Device,
        holders: Vec<Holder>,
    ) -> (Snapshot, Vec<Share>) {
        let mut snapshot = device.allocator().snapshot();
        self.name_all(device, &holders, &mut snapshot);
        (snapshot, self.shares_of(device, holders))
    }

    /// Notes in a picture of a device's memory which names hold its blocks, and where its statements stand.
    pub(super) fn name_all(&self, device: &Device, holders: &[Holder], snapshot: &mut Snapshot) {
        snapshot.set_places(|id| self.room.makers().place_of(&self.interp, id));
        let held = holders.iter().filter(|holder| holder.tensor.device() == device);
        snapshot.set_holders(held.filter_map(Holder::address));
    }

    /// What the memory is like now.
    pub(super) fn memory_mark(&self) -> Mark {
        self.mark_of(&self.holders())
    }

    fn mark_of(&self, holders: &[Holder]) -> Mark {
        let devices = self.engine().devices();
        let held = holders.iter().filter_map(|holder| {
            // Its memory may move, and it is the same one.
            let place = holder
                .tensor
                .with_storage(|storage, _| Arc::as_ptr(storage.origin()).addr() as u64)?;
            Some((holder.name.clone(), holder.tensor.size_bytes() as u64, place))
        });
        Mark {
            stats: devices.map(|device| (device.id(), device.allocator().stats())).collect(),
            holders: held.collect(),
        }
    }

    /// The variables that hold memory of a device, the largest storage first.
    pub(super) fn shares(&self, device: &Device) -> Vec<Share> {
        self.shares_of(device, self.holders())
    }

    fn shares_of(&self, device: &Device, holders: Vec<Holder>) -> Vec<Share> {
        let mut shares = Vec::with_capacity(holders.len());
        for holder in holders.into_iter().filter(|holder| holder.tensor.device() == device) {
            let facts = holder.tensor.with_storage(|storage, layout| {
                // Broadcast axes repeat elements and need no memory for it.
                let axes = layout.shape.iter().zip(&layout.strides);
                let distinct: usize =
                    axes.map(|(len, step)| if *step == 0 { 1 } else { *len }).product();
                let (role, elements) = match (layout.elem_count(), distinct == storage.len()) {
                    (0, _) => (Role::Empty, 0),
                    (_, true) => (Role::Owner, distinct),
                    (_, false) => (Role::Pins, distinct),
                };
                let bytes = (elements * storage.dtype().size()) as u64;
                (bytes, storage.size_bytes() as u64, storage.address(), role)
            });
            shares.extend(facts.map(|(bytes, storage_bytes, address, role)| Share {
                holder,
                bytes,
                storage_bytes,
                address,
                role,
            }));
        }
        self.settle_roles(&mut shares);
        let key = |s: &Share| (Reverse(s.storage_bytes), s.address, s.role != Role::Owner);
        shares.sort_by_cached_key(key);
        for alike in shares.chunk_by_mut(|a, b| key(a) == key(b)) {
            alike.sort_by(|a, b| a.holder.name.cmp(&b.holder.name));
        }
        shares
    }

    /// Of the variables that hold a whole storage the first one owns it: plain names before names
    /// of results, then in the order in which they were made.
    fn settle_roles(&self, shares: &mut [Share]) {
        let order: HashMap<String, Option<u32>> = self
            .makers()
            .into_iter()
            .map(|(name, maker)| (name, maker.statement.map(|id| id.0)))
            .collect();
        let rank = |share: &Share| {
            let name = &share.holder.name;
            let made = name.as_plain().and_then(|name| order.get(name).copied().flatten());
            (share.holder.is_result(), made.unwrap_or(u32::MAX), name.clone())
        };
        let mut owners = FxHashMap::with_capacity_and_hasher(shares.len(), Default::default());
        for (at, share) in shares.iter().enumerate().filter(|(_, s)| s.role == Role::Owner) {
            let owner = owners.entry(share.address).or_insert(at);
            if *owner != at && rank(share) < rank(&shares[*owner]) {
                *owner = at;
            }
        }
        for at in 0..shares.len() {
            let owner = owners.get(&shares[at].address).map(|owner| &shares[*owner].holder.name);
            let owner = owner.filter(|owner| **owner != shares[at].holder.name).cloned();
            let Some(owner) = owner else { continue };
            match &mut shares[at].role {
                role @ Role::Owner => *role = Role::SameAs(owner),
                role @ Role::Pins => *role = Role::ViewOf(owner),
                _ => {}
            }
        }
    }

    /// Who served the requests for memory, and the requests for plans.
    fn caches(&self, stats: &AllocatorStats) -> Report {
        let mut table = Table::new([
            Column::left("served by"),
            Column::right("requests"),
            Column::right("share"),
            Column::left(""),
        ]);
        let requests = stats.cache_hits + stats.pool_hits + stats.misses;
        let mut row = |name: &str, count: u64, of: u64, text: &str| {
            let share = match of {
                0 => Markup::new().dim("-"),
                of => Markup::new().number(format!("{:.1} %", 100.0 * count as f64 / of as f64)),
            };
            let count = Markup::new().number(human_count(count));
            table.row([Markup::from(name), count, share, Markup::new().dim(text)]);
        };
        row("exact sizes", stats.cache_hits, requests, "a stream's cache of small blocks");
        row("pools", stats.pool_hits, requests, "a free block, cut to size");
        row("slow path", stats.misses, requests, "merging caches, or asking the device");
        let plans = self.engine().plan_counts();
        row("plans", plans.hits, plans.hits + plans.misses, "a statement like one before");
        table.into()
    }
}

/// `cpu`, or `cuda:0 (simulated)`.
pub fn device_label(device: &Device) -> String {
    format!("{}{}", device.id(), if device.is_simulated() { " (simulated)" } else { "" })
}

/// One line of at most `width` characters.
pub fn brief(text: &str, width: usize) -> String {
    let line = text.lines().next().unwrap_or_default();
    let is_cut = line.len() < text.trim_end().len() || line.chars().count() > width;
    let kept: String =
        line.chars().take(if is_cut { width.saturating_sub(1) } else { width }).collect();
    if is_cut { format!("{}…", kept.trim_end()) } else { kept }
}

/// The figures of a device in a few lines.
fn totals(device: &Device, snapshot: &Snapshot) -> Report {
    let stats = &snapshot.stats;
    let bytes = |bytes: usize| human_bytes(bytes as u64);
    let mut table = Table::new([Column::left(""), Column::right(""), Column::left("")]).with_title(
        Markup::new().heading(device.id().to_string()).dim(format!("  {}", device.name())),
    );
    let mut row = |name: &str, amount: String, text: String| {
        table.row([Markup::from(name), Markup::new().number(amount), Markup::new().dim(text)]);
    };
    let padding = stats.now.allocated - stats.now.requested.min(stats.now.allocated);
    let asked = bytes(stats.now.requested);
    let live = counted(stats.live_blocks, "block");
    let text = format!("{live}: {asked} asked for, {} padding", bytes(padding));
    row("live", bytes(stats.now.allocated), text);
    row("reserved", bytes(stats.now.reserved), counted(stats.segments, "segment"));
    let (unused, largest) = (100.0 * stats.unused(), bytes(stats.largest_free));
    let text = format!("in reserve, of which {unused:.1} % is unused; the largest piece {largest}");
    row("free", bytes(stats.free()), text);
    if stats.past > 0 {
        let text = "for `:undo`: goes when memory is wanted, or with `:mem trim`";
        row("past", bytes(stats.past), text.to_string());
    }
    let text = format!("live; {} reserved", bytes(stats.peak.reserved));
    row("peak", bytes(stats.peak.allocated), text);
    let lost = format!("{:.1} %", 100.0 * stats.fragmentation());
    row("fragmentation", lost, "of what is free lies outside the largest piece".to_string());
    let free = bytes(snapshot.memory.free);
    match snapshot.memory.total {
        usize::MAX => row("device", "unknown".to_string(), format!("{free} free")),
        total => row("device", bytes(total), format!("{free} free")),
    }
    table.into()
}

/// The largest segments, each a row of its blocks; with the timeline, and what the blocks are, if it will be drawn.
pub fn map(snapshot: &Snapshot, is_drawn: bool) -> Report {
    let mut segments: Vec<(usize, &SegmentInfo)> = snapshot.segments.iter().enumerate().collect();
    let hidden = segments.len().saturating_sub(MAP_ROWS);
    if hidden > 0 {
        segments.sort_by_key(|(at, segment)| (Reverse(segment.bytes), *at));
        segments.truncate(MAP_ROWS);
        segments.sort_by_key(|(at, _)| *at);
    }
    let rows = segments.into_iter().map(|(at, segment)| MapRow {
        label: segment_label(at, segment),
        bytes: segment.bytes as u64,
        runs: segment.blocks.iter().map(|block| run_of(block, snapshot, is_drawn)).collect(),
    });
    let moments = if is_drawn { moments(snapshot) } else { Vec::new() };
    let map = Report::Map(MemoryMap { rows: rows.collect(), moments });
    if hidden == 0 {
        return map;
    }
    let more = format!("and {hidden} smaller segments: `:mem segments` lists them");
    Report::Stack(vec![map, Markup::new().dim(more).into()])
}

/// `segment 3 large`
pub fn segment_label(at: usize, segment: &SegmentInfo) -> String {
    format!("segment {at} {}", if segment.is_small { "small" } else { "large" })
}

fn run_of(block: &BlockInfo, snapshot: &Snapshot, is_drawn: bool) -> MapRun {
    let state = match block.state {
        BlockState::Live if !block.holders.is_empty() || block.kind == BlockKind::Variable => {
            MapState::Live
        }
        BlockState::Live => MapState::Temporary,
        BlockState::Past => MapState::Past,
        BlockState::Pending => MapState::Pending,
        BlockState::Cached => MapState::Cached,
        BlockState::Free | BlockState::Unbacked => MapState::Free,
    };
    let (label, made_by) = match block.holders.as_slice() {
        _ if !is_drawn => Default::default(),
        [] if block.is_active() => {
            (brief(&snapshot.statement_text(block.statement), 40), String::new())
        }
        [] => Default::default(),
        _ => (block.names(), brief(&snapshot.statement_text(block.statement), 80)),
    };
    MapRun { state, bytes: block.bytes as u64, label, made_by }
}

/// The levels after each event of the history, replayed backwards from what they are now.
fn moments(snapshot: &Snapshot) -> Vec<Moment> {
    let mut live = snapshot.stats.now.requested as u64;
    let mut reserved = snapshot.stats.now.reserved as u64;
    let mut moments = Vec::with_capacity(snapshot.history.len() + 1);
    for event in snapshot.history.iter().rev() {
        let statement = brief(&snapshot.statement_text(event.statement), 80);
        moments.push(Moment { live, reserved, statement });
        let bytes = event.bytes as u64;
        match event.action {
            Action::Allocate => live = live.saturating_sub(bytes),
            Action::FreeRequested => live += bytes,
            Action::SegmentAllocate | Action::SegmentMap => {
                reserved = reserved.saturating_sub(bytes);
            }
            Action::SegmentFree | Action::SegmentUnmap => reserved += bytes,
            Action::FreeCompleted | Action::OutOfMemory => {}
        }
    }
    if !moments.is_empty() {
        moments.push(Moment { live, reserved, statement: String::new() });
    }
    moments.reverse();
    moments
}

/// The variables, what each shows and what stands behind it. Results that are a variable's tensor
/// once more are named beside it.
pub fn variables(shares: &[Share], most: usize) -> Report {
    let mut table = Table::new([
        Column::left("variable"),
        Column::left("type"),
        Column::left("shape"),
        Column::right("shows"),
        Column::right("holds"),
        Column::left(""),
    ]);
    let is_echo =
        |share: &&Share| matches!(share.role, Role::SameAs(_)) && share.holder.is_result();
    let rows = || shares.iter().filter(|share| !is_echo(share));
    let mut echoes: HashMap<u64, Vec<String>> = HashMap::new();
    for echo in shares.iter().filter(is_echo) {
        echoes.entry(echo.address).or_default().push(echo.holder.name.to_string());
    }
    for share in rows().take(most) {
        let tensor = &share.holder.tensor;
        let role = match &share.role {
            Role::Owner => {
                let names = echoes.get(&share.address).map_or(&[][..], Vec::as_slice);
                let also = if names.is_empty() { "" } else { "also " };
                Markup::new().dim(also).name(names.join(", "))
            }
            Role::Empty => Markup::new(),
            Role::SameAs(other) => Markup::new().dim("the same memory as ").name(other.to_string()),
            Role::ViewOf(other) => Markup::new().dim("a view of ").name(other.to_string()),
            Role::Pins => Markup::new().warn("keeps all of it alive"),
        };
        table.row([
            Markup::new().name(share.holder.name.to_string()),
            Markup::new().keyword(tensor.dtype().to_string()),
            Markup::from(tensor.shape().to_string()),
            Markup::new().number(human_bytes(share.bytes)),
            Markup::new().number(human_bytes(share.storage_bytes)),
            role,
        ]);
    }
    let hidden = rows().count().saturating_sub(most);
    if hidden == 0 {
        return table.into();
    }
    let more = format!("and {hidden} more: `:mem vars` lists them");
    Report::Stack(vec![table.into(), Markup::new().dim(more).into()])
}
