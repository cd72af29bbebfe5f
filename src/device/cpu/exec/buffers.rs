//! Where the values of a pass live: buffers that several share one after the other, outputs, or nowhere, as
//! long as nobody needs them.

use super::lowering::Value;
use super::plan::{Pass, Slot, Step, Work};

impl Pass {
    /// Whether anything reads a value.
    pub(super) fn reads(&self, slot: Slot) -> bool {
        let by_step = |step: &Step| step.work.operands().contains(&slot);
        self.stores.iter().chain(&self.row_stores).any(|store| store.slot == slot)
            || self.folds.iter().any(|folding| folding.source == slot)
            || self.spread.iter().any(|(own, ..)| *own == slot)
            || self.row.iter().chain(&self.element).any(by_step)
    }

    /// Whether nothing but kernels reads a value.
    pub(super) fn reads_by_kernels(&self, slot: Slot) -> bool {
        let by_gather = |step: &Step| match &step.work {
            Work::Gather { indices, .. } => indices.iter().any(|index| index.slot == slot),
            _ => false,
        };
        !self.stores.iter().chain(&self.row_stores).any(|store| store.slot == slot)
            && !self.folds.iter().any(|folding| folding.source == slot)
            && !self.spread.iter().any(|(own, ..)| *own == slot)
            && !self.row.iter().chain(&self.element).any(by_gather)
    }
}

/// Lets loads wait that nothing but gathers reads.
pub(super) fn let_wait(pass: &mut Pass) {
    let is_index_only = |slot: Slot| {
        let is_gather = |step: &Step| matches!(step.work, Work::Gather { .. });
        let others = pass.element.iter().filter(|step| !is_gather(step));
        !others.clone().any(|step| step.work.operands().contains(&slot))
            && !pass.stores.iter().any(|store| store.slot == slot)
            && !pass.folds.iter().any(|folding| folding.source == slot)
            && !pass.kept.iter().any(|(kept, _)| *kept == slot)
    };
    let waiting: Vec<(Slot, u16, Option<u16>)> = pass
        .element
        .iter()
        .filter_map(|step| match step.work {
            Work::Load { input } if is_index_only(step.out) => Some((step.out, input, step.home)),
            _ => None,
        })
        .collect();
    let found = |slot: Slot| waiting.iter().find(|(own, ..)| *own == slot);
    for step in &mut pass.element {
        match &mut step.work {
            Work::Load { .. } if found(step.out).is_some() => step.work = Work::Waiting,
            Work::Gather { indices, .. } => {
                for index in indices {
                    index.waiting = found(index.slot).map(|(_, input, home)| (*input, *home));
                }
            }
            _ => {}
        }
    }
}

/// Marks the loads that nothing but kernels reads, which need few lanes where all of a block's are the same.
pub(super) fn shorten(pass: &mut Pass) {
    let is_kept = |slot: Slot| pass.kept.iter().any(|(kept, _)| *kept == slot);
    let is_short = |step: &Step| {
        matches!(step.work, Work::Load { .. })
            && pass.reads_by_kernels(step.out)
            && !is_kept(step.out)
    };
    let is_fused = |step: &Step| matches!(step.work, Work::Fused(..));
    let is_point = |slot: Slot| {
        let mut others = pass.element.iter().filter(|step| !is_fused(step));
        !others.any(|step| step.work.operands().contains(&slot))
    };
    let loads = pass.element.iter().map(|step| (is_short(step), is_point(step.out)));
    let loads: Vec<(bool, bool)> = loads.collect();
    let is_end = |slot: Slot| {
        pass.stores.iter().any(|store| store.slot == slot)
            || pass.folds.iter().any(|folding| folding.source == slot)
    };
    let spread = pass.spread.iter().filter(|(.., size)| *size > 1).map(|(slot, ..)| *slot);
    pass.spread_points = spread.filter(|slot| is_point(*slot) && !is_end(*slot)).collect();
    for (step, (is_short, is_point)) in pass.element.iter_mut().zip(loads) {
        // There are no loops with a mask of one value.
        (step.is_short, step.is_point) = (is_short, is_short && is_point && step.size > 1);
    }
}

/// Bytes from lane to lane of each slot in a pass: none of those that a run of kernels makes and uses up.
pub(super) fn advance(all: &[u8], pass: &Pass, values: &[Value]) -> Vec<u8> {
    let mut advance = all.to_vec();
    // The run of kernels that each slot is made in.
    let mut made: Vec<Option<usize>> = vec![None; values.len()];
    let mut run = 0;
    for step in &pass.element {
        match step.work.is_kernel() {
            true => {
                made[step.out as usize] = Some(run);
                advance[step.out as usize] = 0;
            }
            false => run += 1,
        }
    }
    let mut keep = |slot: Slot| advance[slot as usize] = all[slot as usize];
    pass.stores.iter().for_each(|store| keep(store.slot));
    pass.folds.iter().for_each(|folding| keep(folding.source));
    pass.kept.iter().for_each(|(slot, _)| keep(*slot));
    for step in &pass.element {
        for operand in step.work.operands() {
            let is_kernel = step.work.is_kernel();
            if !is_kernel || made[operand as usize] != made[step.out as usize] {
                keep(operand);
            }
        }
    }
    advance
}

/// Gives each element value of a pass a buffer, which is free again after its last use.
pub(super) fn share(buffers: &mut Vec<u8>, pass: &mut Pass, values: &[Value]) {
    let mut last_use = vec![0usize; values.len()];
    for (at, step) in pass.element.iter().enumerate() {
        for operand in step.work.operands() {
            last_use[operand as usize] = at;
        }
    }
    // Few lanes that serve a whole block are read until its end.
    let short = pass.element.iter().filter(|step| step.is_short);
    short.for_each(|step| last_use[step.out as usize] = usize::MAX);
    let ends = pass.stores.iter().map(|store| store.slot);
    for slot in ends.chain(pass.folds.iter().map(|folding| folding.source)) {
        last_use[slot as usize] = usize::MAX;
    }
    let is_kept = |slot: Slot| pass.kept.iter().any(|(at, _)| *at == slot);
    // What stays in one place is apart from what has a place for each lane.
    let is_alike =
        |a: Slot, b: Slot| (pass.advance[a as usize] == 0) == (pass.advance[b as usize] == 0);
    let mut free: Vec<(u16, Slot)> = Vec::new();
    let mut homes: Vec<Option<u16>> = vec![None; pass.element.len()];
    for (at, step) in pass.element.iter().enumerate() {
        if is_kept(step.out) {
            continue;
        }
        // The most recently freed buffer is the likeliest to be in the nearest cache.
        let fits = |(home, slot): &(u16, Slot)| {
            buffers[*home as usize] == step.size && is_alike(*slot, step.out)
        };
        let home = match free.iter().rposition(fits) {
            Some(place) => free.remove(place).0,
            None => {
                buffers.push(step.size);
                (buffers.len() - 1) as u16
            }
        };
        pass.homes.push((step.out, home));
        homes[at] = Some(home);
        for (slot, home) in pass.homes.iter() {
            let ended = last_use[*slot as usize] == at && *slot != step.out;
            let read_here = step.work.operands().contains(slot);
            if ended && read_here && !free.iter().any(|(other, _)| other == home) {
                free.push((*home, *slot));
            }
        }
    }
    for (step, home) in pass.element.iter_mut().zip(homes) {
        step.home = home;
    }
    // A value goes straight to its output; a load does where it does not lie as lanes do already.
    for at in 0..pass.stores.len() {
        let slot = pass.stores[at].slot;
        let is_first = !pass.stores[..at].iter().any(|store| store.slot == slot);
        let is_load = matches!(values[slot as usize].work, Some(Work::Load { .. }));
        let home = pass.homes.iter().find(|(own, _)| *own == slot);
        pass.stores[at].direct = home.filter(|_| is_first).map(|(_, home)| *home);
        pass.stores[at].is_load = is_load;
        if pass.stores[at].direct.is_some() && is_load {
            // Where stores are aimed.
            pass.element
                .iter_mut()
                .filter(|step| step.out == slot)
                .for_each(|step| step.home = None);
        }
    }
}
