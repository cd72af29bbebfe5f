//! Which values of one pass over a row are there for the next ones.

use super::lowering::Value;
use super::plan::{Slot, Work};
use crate::ir::Domain;

/// How many bytes each kept value has, and for each slot the number of its kept value with the first pass that has it.
pub(super) type Kept = (Vec<u8>, Vec<Option<(u16, usize)>>);

/// The slots that a pass must have, if some are there already.
type Needed<'a> = dyn Fn(usize, &dyn Fn(Slot) -> bool) -> Vec<bool> + 'a;

/// Chooses what is kept: what is dear, is made in one pass, and is read in a later one that has all else which is kept.
/// `needed` says which values a pass must have, if it is told which of them are there already. With `widens_again`, a
/// load in a wider type is not kept: where loops widen on the way, or lanes are rows, so that what is kept leaves the
/// nearest cache, it costs less again.
pub(super) fn chosen(
    values: &[Value],
    passes: usize,
    widens_again: bool,
    needed: &Needed<'_>,
) -> Kept {
    let is_widened = |value: &Value| match &value.work {
        Some(Work::Unary(_, a)) => {
            let operand = &values[*a as usize];
            matches!(operand.work, Some(Work::Load { .. })) && operand.size < value.size
        }
        _ => false,
    };
    let is_candidate = |value: &Value| {
        value.domain == Domain::Element && value.dear && !(widens_again && is_widened(value))
    };
    let all: Vec<Vec<bool>> = (0..passes).map(|pass| needed(pass, &|_| false)).collect();
    let first_pass = |slot: usize| (0..passes).find(|pass| all[*pass][slot]);
    let first: Vec<Option<usize>> = (values.iter().enumerate())
        .map(|(slot, value)| first_pass(slot).filter(|_| is_candidate(value)))
        .collect();
    let read =
        |pass: usize| needed(pass, &|slot| first[slot as usize].is_some_and(|first| first < pass));
    let read: Vec<Vec<bool>> = (0..passes).map(read).collect();
    let mut sizes = Vec::new();
    let mut kept = vec![None; values.len()];
    for (slot, first) in first.iter().enumerate() {
        let Some(first) = *first else { continue };
        if (first + 1..passes).any(|pass| read[pass][slot]) {
            kept[slot] = Some((sizes.len() as u16, first));
            sizes.push(values[slot].size);
        }
    }
    (sizes, kept)
}
