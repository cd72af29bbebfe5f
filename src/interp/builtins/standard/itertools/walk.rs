//! What walks along its inputs.

use super::super::super::Call;
use super::super::super::python::iterators::items;
use super::parts;
use crate::diag::{ErrorKind, Fault};
use crate::interp::Evaluator;
use crate::interp::object::iterator::{Items, Iter, Stream};
use crate::interp::value::Value;
use crate::syntax::ast::BinaryOp;

/// Makes the next item of a state.
type Next<S> = fn(&mut S, &Evaluator<'_>) -> Result<Option<Value>, Fault>;
/// Shows what a state holds.
type Visit<S> = fn(&S, &mut dyn FnMut(&Value));

/// A stream from what it holds and a function that makes its next item: cloned whole when a
/// statement may be taken back.
#[derive(Clone)]
struct Walk<S> {
    state: S,
    next: Next<S>,
    visit: Visit<S>,
    shown: Option<fn(&S) -> Vec<Value>>,
}

impl<S: Clone + 'static> Stream for Walk<S> {
    fn next(&mut self, evaluator: &Evaluator<'_>) -> Result<Option<Value>, Fault> {
        evaluator.interp.engine.interrupt().heed().map_err(Fault::from)?;
        (self.next)(&mut self.state, evaluator)
    }

    fn copy(&self) -> Box<dyn Stream> {
        Box::new(self.clone())
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        (self.visit)(&self.state, look);
    }

    fn shown(&self) -> Option<Vec<Value>> {
        self.shown.map(|shown| shown(&self.state))
    }
}

fn walk<S: Clone + 'static>(
    call: &Call<'_>,
    name: &'static str,
    state: S,
    next: Next<S>,
    visit: Visit<S>,
) -> Result<Value, Fault> {
    Ok(Iter::value(&call.evaluator, name, Walk { state, next, visit, shown: None }))
}

pub(super) fn count(call: &mut Call<'_>) -> Result<Value, Fault> {
    for position in [0, 1] {
        if call.value(position).plain().number().is_none() {
            return Err(call.fault_at(position, Fault::type_error("a number is required")));
        }
    }
    // Integers count as what they are, whatever their class says of sums.
    let number = |position: usize| match (call.value(position), call.value(position).plain()) {
        (_, int @ (Value::Int(_) | Value::Wide(_))) => int.clone(),
        (number, _) => number.clone(),
    };
    let state = (number(0), number(1));
    let next = |(next, step): &mut (Value, Value), evaluator: &Evaluator<'_>| {
        let after = evaluator.binary(BinaryOp::Add, next, step)?;
        Ok(Some(std::mem::replace(next, after)))
    };
    let shown = |(next, step): &(Value, Value)| match step {
        Value::Int(1) => vec![next.clone()],
        _ => vec![next.clone(), step.clone()],
    };
    let visit = |_: &(Value, Value), _: &mut dyn FnMut(&Value)| {};
    Ok(Iter::value(
        &call.evaluator,
        "itertools.count",
        Walk { state, next, visit, shown: Some(shown) },
    ))
}

#[derive(Clone)]
struct Cycle {
    items: Items,
    seen: Vec<Value>,
    is_first_round: bool,
    at: usize,
}

pub(super) fn cycle(call: &mut Call<'_>) -> Result<Value, Fault> {
    let state = Cycle { items: items(call, 0)?, seen: Vec::new(), is_first_round: true, at: 0 };
    let next = |cycle: &mut Cycle, evaluator: &Evaluator<'_>| {
        if cycle.is_first_round {
            if let Some(item) = evaluator.next_of(&mut cycle.items)? {
                crate::interp::room::items(&evaluator.interp.engine, 1)?;
                cycle.seen.push(item.clone());
                return Ok(Some(item));
            }
            cycle.is_first_round = false;
        }
        let item = cycle.seen.get(cycle.at).cloned();
        cycle.at = (cycle.at + 1) % cycle.seen.len().max(1);
        Ok(item)
    };
    walk(call, "itertools.cycle", state, next, |cycle, look| {
        cycle.seen.iter().for_each(&mut *look);
        cycle.items.visit(look);
    })
}

pub(super) fn repeat(call: &mut Call<'_>) -> Result<Value, Fault> {
    let left = if call.given(1) { Some(call.int(1)?.max(0)) } else { None };
    let next = |(value, left): &mut (Value, Option<i64>), _: &Evaluator<'_>| {
        if *left == Some(0) {
            return Ok(None);
        }
        *left = left.map(|left| left - 1);
        Ok(Some(value.clone()))
    };
    let shown = |(value, left): &(Value, Option<i64>)| {
        std::iter::once(value.clone()).chain(left.map(Value::Int)).collect()
    };
    let visit = |(value, _): &(Value, Option<i64>), look: &mut dyn FnMut(&Value)| look(value);
    let state = (call.value(0).clone(), left);
    Ok(Iter::value(
        &call.evaluator,
        "itertools.repeat",
        Walk { state, next, visit, shown: Some(shown) },
    ))
}

#[derive(Clone)]
struct Accumulate {
    items: Items,
    function: Value,
    /// What `initial` says, which is the first item.
    initial: Option<Value>,
    total: Option<Value>,
}

pub(super) fn accumulate(call: &mut Call<'_>) -> Result<Value, Fault> {
    let initial = Some(call.value("initial").clone()).filter(|value| !matches!(value, Value::None));
    let function = call.value("func").clone();
    let state = Accumulate { items: items(call, 0)?, function, initial, total: None };
    let next = |state: &mut Accumulate, evaluator: &Evaluator<'_>| {
        if let Some(initial) = state.initial.take() {
            state.total = Some(initial.clone());
            return Ok(Some(initial));
        }
        let Some(item) = evaluator.next_of(&mut state.items)? else { return Ok(None) };
        let total = match (&state.total, &state.function) {
            (None, _) => item,
            (Some(Value::Int(total)), Value::None)
                if let Value::Int(item) = item
                    && let Some(sum) = total.checked_add(item) =>
            {
                Value::Int(sum)
            }
            (Some(total), Value::None) => evaluator.binary(BinaryOp::Add, total, &item)?,
            (Some(total), function) => evaluator.call_value(function, [total.clone(), item], [])?,
        };
        state.total = Some(total.clone());
        Ok(Some(total))
    };
    walk(call, "itertools.accumulate", state, next, |state, look| {
        look(&state.function);
        state.initial.iter().chain(&state.total).for_each(&mut *look);
        state.items.visit(look);
    })
}

type Chain = (Items, Option<Items>);

/// The items of the items of an iterator.
fn chained(call: &Call<'_>, outer: Items) -> Result<Value, Fault> {
    let next = |(outer, inner): &mut Chain, evaluator: &Evaluator<'_>| loop {
        if let Some(inner) = inner
            && let Some(item) = evaluator.next_of(inner)?
        {
            return Ok(Some(item));
        }
        match evaluator.next_of(outer)? {
            Some(part) => *inner = Some(evaluator.items(&part)?),
            None => return Ok(None),
        }
    };
    walk(call, "itertools.chain", (outer, None), next, |(outer, inner), look| {
        outer.visit(look);
        inner.iter().for_each(|inner| inner.visit(look));
    })
}

pub(super) fn chain(call: &mut Call<'_>) -> Result<Value, Fault> {
    let parts: Vec<Value> = call.rest().iter().map(|argument| argument.value.clone()).collect();
    chained(call, call.evaluator.items(&Value::tuple(parts))?)
}

pub(super) fn chain_from(call: &mut Call<'_>) -> Result<Value, Fault> {
    chained(call, items(call, 0)?)
}

pub(super) fn compress(call: &mut Call<'_>) -> Result<Value, Fault> {
    let next = |(data, selectors): &mut (Items, Items), evaluator: &Evaluator<'_>| loop {
        let Some(item) = evaluator.next_of(data)? else { return Ok(None) };
        let Some(selector) = evaluator.next_of(selectors)? else { return Ok(None) };
        if evaluator.truth(&selector)? {
            return Ok(Some(item));
        }
        evaluator.interp.engine.interrupt().heed().map_err(Fault::from)?;
    };
    walk(
        call,
        "itertools.compress",
        (items(call, 0)?, items(call, 1)?),
        next,
        |(data, selectors), look| {
            data.visit(look);
            selectors.visit(look);
        },
    )
}

#[derive(Clone)]
struct While {
    predicate: Value,
    items: Items,
    /// Whether the predicate is asked no more.
    is_over: bool,
}

impl While {
    fn holds(&self, evaluator: &Evaluator<'_>, item: &Value) -> Result<bool, Fault> {
        let answer = match &self.predicate {
            Value::None => item.clone(),
            predicate => evaluator.call_value(predicate, [item.clone()], [])?,
        };
        Ok(evaluator.truth(&answer)?)
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        look(&self.predicate);
        self.items.visit(look);
    }
}

fn conditional(call: &Call<'_>) -> Result<While, Fault> {
    Ok(While { predicate: call.value(0).clone(), items: items(call, 1)?, is_over: false })
}

pub(super) fn dropwhile(call: &mut Call<'_>) -> Result<Value, Fault> {
    let next = |state: &mut While, evaluator: &Evaluator<'_>| {
        while let Some(item) = evaluator.next_of(&mut state.items)? {
            if state.is_over || !state.holds(evaluator, &item)? {
                state.is_over = true;
                return Ok(Some(item));
            }
            evaluator.interp.engine.interrupt().heed().map_err(Fault::from)?;
        }
        Ok(None)
    };
    walk(call, "itertools.dropwhile", conditional(call)?, next, While::visit)
}

pub(super) fn takewhile(call: &mut Call<'_>) -> Result<Value, Fault> {
    let next = |state: &mut While, evaluator: &Evaluator<'_>| {
        if state.is_over {
            return Ok(None);
        }
        let Some(item) = evaluator.next_of(&mut state.items)? else { return Ok(None) };
        state.is_over = !state.holds(evaluator, &item)?;
        Ok((!state.is_over).then_some(item))
    };
    walk(call, "itertools.takewhile", conditional(call)?, next, While::visit)
}

pub(super) fn filterfalse(call: &mut Call<'_>) -> Result<Value, Fault> {
    let next = |state: &mut While, evaluator: &Evaluator<'_>| {
        while let Some(item) = evaluator.next_of(&mut state.items)? {
            if !state.holds(evaluator, &item)? {
                return Ok(Some(item));
            }
            evaluator.interp.engine.interrupt().heed().map_err(Fault::from)?;
        }
        Ok(None)
    };
    walk(call, "itertools.filterfalse", conditional(call)?, next, While::visit)
}

#[derive(Clone)]
struct Slice {
    items: Items,
    /// How many items come before the next one that is given.
    gap: usize,
    step: usize,
    /// How many items may still be taken.
    left: usize,
}

pub(super) fn islice(call: &mut Call<'_>) -> Result<Value, Fault> {
    let natural = |position: usize, or: usize| -> Result<usize, Fault> {
        match call.value(position) {
            Value::None | Value::Ellipsis => Ok(or),
            _ => {
                // What is no integer counts as this one, as in CPython; who interrupts is heard.
                let number = match call.int(position) {
                    Err(fault) if fault.kind == ErrorKind::KeyboardInterrupt => return Err(fault),
                    number => number.unwrap_or(-1),
                };
                usize::try_from(number).map_err(|_| {
                    let message = match (position, call.given(2)) {
                        (3, _) => "Step for islice() must be a positive integer or None.",
                        (1, false) | (2, _) if number == -1 => "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.",
                        _ => "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.",
                    };
                    call.fault_at(position, Fault::value_error(message))
                })
            }
        }
    };
    let (start, stop) = match call.given(2) {
        true => (natural(1, 0)?, natural(2, usize::MAX)?),
        false => (0, natural(1, usize::MAX)?),
    };
    let step = natural(3, 1)?;
    if step == 0 {
        let message = "Step for islice() must be a positive integer or None.";
        return Err(call.fault_at(3, Fault::value_error(message)));
    }
    let state = Slice { items: items(call, 0)?, gap: start, step, left: stop };
    let next = |state: &mut Slice, evaluator: &Evaluator<'_>| {
        if state.gap < state.left {
            let gap = state.gap;
            for _ in 0..gap {
                evaluator.interp.engine.interrupt().heed().map_err(Fault::from)?;
                if evaluator.next_of(&mut state.items)?.is_none() {
                    state.left = 0;
                    return Ok(None);
                }
            }
            state.left -= gap + 1;
            state.gap = state.step - 1;
            return Ok(evaluator.next_of(&mut state.items)?);
        }
        // What lies before the end is used up all the same.
        for _ in 0..std::mem::take(&mut state.left) {
            evaluator.interp.engine.interrupt().heed().map_err(Fault::from)?;
            if evaluator.next_of(&mut state.items)?.is_none() {
                break;
            }
        }
        Ok(None)
    };
    walk(call, "itertools.islice", state, next, |state, look| state.items.visit(look))
}

pub(super) fn pairwise(call: &mut Call<'_>) -> Result<Value, Fault> {
    type Pairs = (Items, Option<Value>);
    let next = |(items, before): &mut Pairs, evaluator: &Evaluator<'_>| {
        if before.is_none() {
            *before = evaluator.next_of(items)?;
        }
        let Some(first) = before.clone() else { return Ok(None) };
        let Some(second) = evaluator.next_of(items)? else { return Ok(None) };
        *before = Some(second.clone());
        Ok(Some(Value::tuple([first, second])))
    };
    walk(call, "itertools.pairwise", (items(call, 0)?, None), next, |(items, before), look| {
        before.iter().for_each(&mut *look);
        items.visit(look);
    })
}

pub(super) fn starmap(call: &mut Call<'_>) -> Result<Value, Fault> {
    let next = |(function, items): &mut (Value, Items), evaluator: &Evaluator<'_>| {
        let Some(item) = evaluator.next_of(items)? else { return Ok(None) };
        let arguments = evaluator.iterate(&item)?;
        evaluator.call_value(function, arguments, []).map(Some)
    };
    let state = (call.value(0).clone(), items(call, 1)?);
    walk(call, "itertools.starmap", state, next, |(function, items), look| {
        look(function);
        items.visit(look);
    })
}

pub(super) fn zip_longest(call: &mut Call<'_>) -> Result<Value, Fault> {
    type Longest = (Vec<Items>, Value);
    let next = |(parts, fill): &mut Longest, evaluator: &Evaluator<'_>| {
        let (mut row, mut is_any) = (Vec::with_capacity(parts.len()), false);
        for part in parts.iter_mut() {
            let item = evaluator.next_of(part)?;
            is_any |= item.is_some();
            row.push(item.unwrap_or_else(|| fill.clone()));
        }
        Ok(is_any.then(|| Value::tuple(row)))
    };
    let state = (parts(call)?, call.value("fillvalue").clone());
    walk(call, "itertools.zip_longest", state, next, |(parts, fill), look| {
        look(fill);
        parts.iter().for_each(|part| part.visit(look));
    })
}
