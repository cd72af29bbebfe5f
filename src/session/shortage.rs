//! What to do when memory has run out: which variables are the largest, and what `del` would free.

use super::Session;
use super::memory_view::Share;
use crate::device::Device;
use crate::diag::{Diagnostic, ErrorKind, Source};
use crate::report::human_bytes;
use crate::syntax::ast::{ExprKind, Stmt, StmtKind};
use crate::syntax::{TokenClass, highlight};

/// Storages that are named.
const NAMED: usize = 3;

/// A storage and all that hold it.
struct Held {
    bytes: u64,
    /// What `del` takes to free it.
    units: Vec<String>,
    /// The variables among the holders.
    variables: Vec<String>,
}

impl Session {
    /// The error, with a hint if memory ran out and what variables hold would have been enough.
    pub(super) fn with_remedy(&mut self, mut error: Box<Diagnostic>) -> Box<Diagnostic> {
        let operands = std::mem::take(&mut self.desk.operands);
        if error.kind.is_a(ErrorKind::Memory)
            && let Some(device) = self.newly_short_device()
        {
            let stats = device.allocator().stats();
            // What is live now outlived the statement; without all of it there must be enough.
            if stats.shortfall > stats.now.allocated {
                return error;
            }
            let mut held = held(&self.shares(&device));
            // What the statement reads must be there when it runs again.
            held.retain(|held| !held.variables.iter().any(|name| operands.contains(name)));
            error.hints.extend(remedy(&held, device.allocator().mem_info().total as u64));
        }
        error
    }

    /// Remembers which names a statement reads that ran out of memory.
    pub(super) fn note_operands(&mut self, error: &Diagnostic, statement: &Stmt, source: &Source) {
        if error.kind.is_a(ErrorKind::Memory) {
            self.desk.operands = names_read(statement, source);
        }
    }

    /// The device that ran out of memory since this was asked last.
    fn newly_short_device(&mut self) -> Option<Device> {
        let now = self.shortages();
        let before = std::mem::replace(&mut self.desk.shortages, now);
        self.short_device(&before)
    }
}

/// The names in a statement's text, but for those that it only binds.
fn names_read(statement: &Stmt, source: &Source) -> Vec<String> {
    let targets = match &statement.node {
        StmtKind::Assign { targets, .. } => targets.as_slice(),
        _ => &[],
    };
    let is_bound = |at: usize| {
        let bound = targets.iter().filter(|target| matches!(target.node, ExprKind::Name(_)));
        bound.clone().any(|target| target.span.range().contains(&at))
    };
    let start = statement.span.start as usize;
    let text = source.slice(statement.span);
    let names = highlight(text).into_iter().filter(|(range, class)| {
        matches!(class, TokenClass::Name | TokenClass::Function) && !is_bound(start + range.start)
    });
    names.map(|(range, _)| text[range].to_string()).collect()
}

/// What would free the most. Storages that are small beside the device's memory would not help.
fn remedy(held: &[Held], total: u64) -> Option<String> {
    let worth = held.iter().filter(|held| held.bytes >= total / 1024).take(NAMED);
    let parts: Vec<String> = worth
        .enumerate()
        .map(|(at, held)| {
            let (units, bytes) = (held.units.join(", "), human_bytes(held.bytes));
            let would = if at == 0 { "would free " } else { "" };
            format!("`del {units}` {would}{bytes}")
        })
        .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The storages, the largest first, as `shares` are.
fn held(shares: &[Share]) -> Vec<Held> {
    let mut all: Vec<(u64, Held)> = Vec::new();
    for share in shares.iter().filter(|share| share.bytes > 0) {
        let at = all.iter().position(|(address, _)| *address == share.address);
        let at = at.unwrap_or_else(|| {
            let held =
                Held { bytes: share.storage_bytes, units: Vec::new(), variables: Vec::new() };
            all.push((share.address, held));
            all.len() - 1
        });
        let (held, unit) = (&mut all[at].1, share.holder.unit.clone());
        held.variables.push(share.holder.variable().to_string());
        if !held.units.contains(&unit) {
            // What comes later in a list is deleted first, and moves nothing before it.
            held.units.insert(0, unit);
        }
    }
    all.into_iter().map(|(_, held)| held).collect()
}
