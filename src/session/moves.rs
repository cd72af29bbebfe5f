//! Which memory may move to other addresses, and moving it where a request needs that.
//!
//! A storage says where it lies whenever somebody asks, so whoever holds it follows. It may move as long as
//! nobody keeps the address itself: between two tries of the same work, and between statements. What no
//! variable, no result and no state of the past reaches stays: temporaries of the statement that runs,
//! blocks of `allocate_memory`, whose addresses programs have, and workspaces of libraries.

use std::collections::HashSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Session;
use super::room::{Room, each_tensor};
use crate::device::{Device, Storage};
use crate::interp::Interp;
use crate::memory::{Allocator, BlockState};
use crate::report::{Markup, human_bytes};
use crate::tensor::Tensor;

impl Room {
    /// The storages of a device that may move.
    pub(super) fn movable(&self, interp: &Interp, device: &Device) -> Vec<Arc<Storage>> {
        let mut found: FxHashMap<*const Storage, Arc<Storage>> = FxHashMap::default();
        let mut note = |tensor: &Tensor| {
            if let Some((storage, _)) = tensor.storage_and_layout()
                && tensor.device() == device
            {
                let origin = storage.origin();
                found.entry(Arc::as_ptr(origin)).or_insert_with(|| origin.clone());
            }
        };
        let scope = interp.scope.borrow();
        scope.iter().for_each(|(_, value)| each_tensor(&value, &mut note));
        self.outputs.borrow().iter().for_each(|(_, value)| each_tensor(value, &mut note));
        let past = interp.engine.attic().storages(device);
        found.extend(past.into_iter().map(|storage| (Arc::as_ptr(&storage), storage)));
        let mut all: Vec<Arc<Storage>> = found.into_values().collect();
        all.retain(|storage| !storage.allocation().is_gone());
        all.sort_by_key(|storage| storage.address());
        all
    }

    /// Moves what may move together, if that serves the request that was refused last; says so.
    pub(super) fn compact(&self, interp: &Interp, device: &Device) -> Option<Markup> {
        let movable = self.movable(interp, device);
        let wanted = device.allocator().stats().refused;
        let done = device.compact_for(wanted, &movable)?;
        let words = format!(
            "enough was free, but in pieces, so {} were moved together ({})",
            human_bytes((done.bytes + done.pages) as u64),
            device.id()
        );
        Some(Markup::new().dim(words))
    }
}

/// Blocks that are live and stay where they are, and their bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Fixed {
    pub blocks: usize,
    pub bytes: u64,
    /// Of those, blocks whose addresses programs have.
    pub by_hand: usize,
}

impl Session {
    /// The storages of a device that may move.
    pub(super) fn movable(&self, device: &Device) -> Vec<Arc<Storage>> {
        self.room.movable(&self.interp, device)
    }

    /// The memory of a device as a statement will find it, which moves what may move where it is short.
    pub(super) fn rehearsal(&self, device: &Device) -> Allocator {
        let movable = self.movable(device).iter().map(|storage| storage.address()).collect();
        device.allocator().rehearsal_without(&HashSet::new(), 0, &movable)
    }

    /// What is live on a device and may not move.
    pub(super) fn fixed(&self, device: &Device, movable: &[Arc<Storage>]) -> Fixed {
        let mut fixed = Fixed::default();
        let snapshot = device.allocator().snapshot();
        for block in snapshot.blocks().filter(|block| block.state == BlockState::Live) {
            let at = movable.binary_search_by_key(&block.address, |storage| storage.address());
            if at.is_err() {
                fixed.blocks += 1;
                fixed.bytes += block.bytes as u64;
                fixed.by_hand += usize::from(self.interp.manual.holds(block.address));
            }
        }
        fixed
    }
}
