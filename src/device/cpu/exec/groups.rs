//! Steps of a pass that one loop does: what they hand on to each other stays in registers.

use std::sync::Arc;

use smallvec::SmallVec;

use super::super::dispatch::Level;
use super::super::fused::{Act, Deed, Fused, Join, Node, Sums, fused, sums};
use super::plan::{Pass, Slot, Step, Work};
use crate::ir::BinaryOp;

/// Steps that one loop does, at the most: it has that many registers.
const MOST: u8 = 24;

/// A pass that does nothing but add up, for each row, what one loop makes of inputs, or look for its extreme.
#[derive(Debug, Clone)]
pub struct Summed {
    pub code: Arc<Sums>,
    pub inputs: SmallVec<[Slot; 5]>,
    pub result: Slot,
}

/// Puts kernels together that nothing but kernels after them needs. `deeds` says for each slot what its step does, and
/// `is_in_place` that outputs may be inputs.
pub(super) fn form(
    pass: &mut Pass,
    deeds: &[Option<Deed>],
    consts: &[(Slot, u64, u8)],
    (level, is_in_place): (Level, bool),
) {
    let steps = &pass.element;
    let ends = |slot: Slot| {
        pass.stores.iter().any(|store| store.slot == slot)
            || pass.folds.iter().any(|folding| folding.source == slot)
            || pass.kept.iter().any(|(kept, _)| *kept == slot)
    };
    let operands: Vec<SmallVec<[Slot; 3]>> =
        steps.iter().map(|step| step.work.operands()).collect();
    let deed = |at: usize| deeds[steps[at].out as usize].filter(|_| steps[at].work.is_kernel());
    let bits: Vec<(Slot, u64)> = consts.iter().map(|(slot, bits, _)| (*slot, *bits)).collect();
    let is_const = |slot: Slot| bits.iter().any(|(own, _)| *own == slot);
    // What a group would read of what it does not make.
    let inputs = |group: &[usize]| -> usize {
        let made = |slot: Slot| group.iter().any(|at| steps[*at].out == slot);
        let mut inputs: SmallVec<[Slot; 8]> = SmallVec::new();
        for slot in group.iter().flat_map(|at| &operands[*at]) {
            if !made(*slot) && !is_const(*slot) && !inputs.contains(slot) {
                inputs.push(*slot);
            }
        }
        inputs.len()
    };
    // Alone, a loop is better where an input or a row's value may be the same in all lanes.
    let is_loaded = |slot: Slot| {
        let made = steps.iter().find(|step| step.out == slot);
        made.is_none_or(|step| matches!(step.work, Work::Load { .. }))
    };
    let may_have_points = |at: usize| {
        let read = operands[at].iter().filter(|slot| !is_const(**slot));
        matches!(steps[at].work, Work::Binary(..))
            && read.clone().count() > 1
            && read.clone().any(|slot| is_loaded(*slot))
    };
    // And where all lanes are divided by one number.
    let is_quotient = |at: usize| {
        let is_division = deed(at).is_some_and(|deed| deed.act == Act::Binary(BinaryOp::Div));
        level == Level::Avx512 && is_division && is_const(operands[at][1])
    };
    let joined = joined(pass);
    let is_summed = |slot: Slot| joined.is_some_and(|(own, _)| own == slot);
    let mut summed = None;
    let mut is_done = vec![false; steps.len()];
    let mut loops: Vec<(usize, Work)> = Vec::new();
    for root in (0..steps.len()).rev() {
        let Some(own) = deed(root).filter(|_| !is_done[root]) else { continue };
        let mut group = vec![root];
        // From behind, so that whoever reads a value has been asked before it is.
        for at in (0..root).rev() {
            let out = steps[at].out;
            let is_read = group.iter().any(|reader| operands[*reader].contains(&out));
            let others =
                |reader: usize| !group.contains(&reader) && operands[reader].contains(&out);
            let is_alike = deed(at).is_some_and(|deed| deed.is_wide == own.is_wide);
            if !is_read
                || !is_alike
                || is_done[at]
                || ends(out)
                || group.len() >= usize::from(MOST)
                || (0..steps.len()).any(others)
            {
                continue;
            }
            group.push(at);
            if inputs(&group) > Fused::most_inputs() {
                group.pop();
            }
        }
        // A loop may write where it reads; kernels may not.
        let is_worth_it = is_in_place || may_have_points(root) || is_quotient(root);
        if group.len() < 2 && !is_worth_it && !is_summed(steps[root].out) {
            continue;
        }
        group.reverse();
        let node = |at: &usize| {
            deed(*at).map(|deed| Node {
                out: steps[*at].out,
                deed,
                operands: operands[*at].clone(),
            })
        };
        let mut nodes: Vec<Node> = group.iter().filter_map(node).collect();
        if let Some((slot, join)) = joined.filter(|(slot, _)| *slot == steps[root].out) {
            summed = sums(level, &nodes, &bits, (slot, steps[root].size == 8, join));
        }
        let mut made = fused(level, &nodes, &bits);
        // Of more than there are registers for, the last ones.
        while made.is_none() && nodes.len() > 3 {
            nodes.drain(..nodes.len() / 2);
            made = fused(level, &nodes, &bits);
        }
        let Some((code, inputs)) = made else { continue };
        let group = &group[group.len() - nodes.len()..];
        group.iter().for_each(|at| is_done[*at] = true);
        loops.push((root, Work::Fused(code, inputs)));
    }
    for (at, work) in loops {
        pass.element[at].work = work;
        is_done[at] = false;
    }
    let mut is_done = is_done.into_iter();
    pass.element.retain(|_| !is_done.next().unwrap_or(false));
    let is_load = |step: &Step| matches!(step.work, Work::Load { .. });
    if let ([step], Some((slot, join))) = (&pass.element[..], joined)
        && is_load(step)
        && step.out == slot
    {
        summed = sums(level, &[], &[], (slot, step.size == 8, join));
    }
    if let (Some((last, loads)), Some((code, inputs)), [folding]) =
        (pass.element.split_last(), summed, &pass.folds[..])
        && last.out == folding.source
        && loads.iter().all(is_load)
    {
        pass.summed = Some(Summed { code, inputs, result: folding.result });
    }
}

/// What a pass adds up, or otherwise joins, if that is all that is done with it.
fn joined(pass: &Pass) -> Option<(Slot, Join)> {
    let [folding] = &pass.folds[..] else { return None };
    let is_kept = pass.kept.iter().any(|(kept, _)| *kept == folding.source);
    let join = match folding.fold.extreme_of_floats() {
        Some(BinaryOp::Max) => Join::Greatest,
        Some(_) => Join::Least,
        None if folding.fold.sums_floats() => Join::Sum,
        None => return None,
    };
    (pass.stores.is_empty() && !is_kept).then_some((folding.source, join))
}
