//! Products, permutations and combinations, in CPython's order.

use super::super::super::Call;
use crate::diag::Fault;
use crate::interp::Evaluator;
use crate::interp::object::iterator::{Iter, Stream};
use crate::interp::value::{Tuple, Value};
use crate::interp::vm::register::put_copy;

/// Tuples of items, by their positions; `advance` makes the next positions of these.
#[derive(Clone)]
struct Choices {
    /// What the tuple's places take their items from: one pool for each, or one for all. A copy shares them.
    pools: Vec<Tuple>,
    /// The positions of the next tuple; none at the end.
    at: Option<Vec<usize>>,
    /// Permutations keep all positions, of which so many are shown.
    shown: usize,
    advance: fn(&[Tuple], &mut [usize], usize) -> bool,
}

impl Stream for Choices {
    fn next(&mut self, evaluator: &Evaluator<'_>) -> Result<Option<Value>, Fault> {
        evaluator.interp.engine.interrupt().heed().map_err(Fault::from)?;
        let Some(row) = self.row() else { return Ok(None) };
        let row = Value::Tuple(row.cloned().collect());
        self.step();
        Ok(Some(row))
    }

    fn is_plain(&self) -> bool {
        true
    }

    fn next_parts(&mut self, _: &Evaluator<'_>, places: &mut [Value]) -> Option<bool> {
        if places.len() != self.shown {
            return None;
        }
        let Some(row) = self.row() else { return Some(false) };
        places.iter_mut().zip(row).for_each(|(place, item)| put_copy(place, item));
        self.step();
        Some(true)
    }

    fn copy(&self) -> Box<dyn Stream> {
        Box::new(self.clone())
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        self.pools.iter().for_each(|pool| look(&Value::Tuple(pool.clone())));
    }
}

impl Choices {
    /// The items of the next tuple.
    fn row(&self) -> Option<impl ExactSizeIterator<Item = &Value>> {
        let at = self.at.as_ref()?;
        let last = self.pools.len() - 1;
        let pick = move |(place, at): (usize, &usize)| &self.pools[place.min(last)][*at];
        Some(at[..self.shown].iter().enumerate().map(pick))
    }

    fn step(&mut self) {
        if let Some(at) = &mut self.at
            && !(self.advance)(&self.pools, at, self.shown)
        {
            self.at = None;
        }
    }
}

/// Places counted like digits, the last one fastest.
fn next_of_product(pools: &[Tuple], at: &mut [usize], _: usize) -> bool {
    for place in (0..at.len()).rev() {
        at[place] += 1;
        if at[place] < pools[place].len() {
            return true;
        }
        at[place] = 0;
    }
    false
}

fn next_permutation(_: &[Tuple], at: &mut [usize], shown: usize) -> bool {
    // The places behind those that are shown stay in order.
    at[shown..].reverse();
    let Some(low) = (1..at.len()).rev().find(|place| at[place - 1] < at[*place]) else {
        return false;
    };
    let high = (low..at.len()).rev().find(|place| at[*place] > at[low - 1]).unwrap_or(low);
    at.swap(low - 1, high);
    at[low..].reverse();
    true
}

fn next_combination(pools: &[Tuple], at: &mut [usize], shown: usize) -> bool {
    let len = pools[0].len();
    let Some(place) = (0..shown).rev().find(|place| at[*place] != place + len - shown) else {
        return false;
    };
    at[place] += 1;
    for later in place + 1..shown {
        at[later] = at[later - 1] + 1;
    }
    true
}

fn next_with_replacement(pools: &[Tuple], at: &mut [usize], shown: usize) -> bool {
    let last = pools[0].len().saturating_sub(1);
    let Some(place) = (0..shown).rev().find(|place| at[*place] != last) else { return false };
    let position = at[place] + 1;
    at[place..].fill(position);
    true
}

pub(super) fn product(call: &mut Call<'_>) -> Result<Value, Fault> {
    let repeat = call.int("repeat")?;
    let Ok(repeat) = usize::try_from(repeat) else {
        let fault = Fault::value_error("repeat argument cannot be negative");
        return Err(call.fault_at("repeat", fault));
    };
    let mut pools = Vec::new();
    for argument in call.rest() {
        let pool = call.evaluator.iterate(&argument.value);
        pools.push(Tuple::from(pool.map_err(|error| call.fault_of(argument, error.into()))?));
    }
    crate::interp::room::things(call.engine(), pools.len().saturating_mul(repeat), 32)?;
    let mut pools: Vec<Tuple> = std::iter::repeat_n(pools, repeat).flatten().collect();
    let shown = pools.len();
    let at = pools.iter().all(|pool| !pool.is_empty()).then(|| vec![0; shown]);
    if pools.is_empty() {
        pools.push(Vec::new().into());
    }
    let advance =
        if shown == 0 { |_: &[Tuple], _: &mut [usize], _| false } else { next_of_product };
    Ok(Iter::value(&call.evaluator, "itertools.product", Choices { pools, at, shown, advance }))
}

/// The items to choose from, and how many.
fn chosen(call: &Call<'_>) -> Result<(Tuple, usize), Fault> {
    let pool = call.evaluator.iterate(call.value(0)).map_err(|error| call.fault_at(0, error))?;
    let count = match call.value(1) {
        Value::None => pool.len() as i64,
        _ => call.int(1)?,
    };
    let count = usize::try_from(count)
        .map_err(|_| call.fault_at(1, Fault::value_error("r must be non-negative")))?;
    Ok((pool.into(), count))
}

pub(super) fn permutations(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (pool, shown) = chosen(call)?;
    let at = (shown <= pool.len()).then(|| (0..pool.len()).collect());
    let choices = Choices { pools: vec![pool], at, shown, advance: next_permutation };
    Ok(Iter::value(&call.evaluator, "itertools.permutations", choices))
}

pub(super) fn combinations(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (pool, shown) = chosen(call)?;
    let at = (shown <= pool.len()).then(|| (0..shown).collect());
    let choices = Choices { pools: vec![pool], at, shown, advance: next_combination };
    Ok(Iter::value(&call.evaluator, "itertools.combinations", choices))
}

pub(super) fn with_replacement(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (pool, shown) = chosen(call)?;
    crate::interp::room::items(call.engine(), shown)?;
    let at = (!pool.is_empty() || shown == 0).then(|| vec![0; shown]);
    let choices = Choices { pools: vec![pool], at, shown, advance: next_with_replacement };
    Ok(Iter::value(&call.evaluator, "itertools.combinations_with_replacement", choices))
}
