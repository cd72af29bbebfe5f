//! `sorted` and `list.sort`.

use std::cmp::Ordering;

use super::super::Call;
use crate::diag::Fault;
use crate::interp::compare::plain_order;
use crate::interp::room::Pace;
use crate::interp::value::Value;

/// Fewer items are sorted as CPython sorts them.
const FEW: usize = 64;

/// As many numbers or texts are sorted before anybody could wait for Ctrl-C.
const AT_ONCE: usize = 1 << 18;

/// The items in the order that a call asks for by its `key` and `reverse`; equal ones keep theirs,
/// also backwards.
pub fn sorted_by(call: &Call<'_>, mut items: Vec<Value>) -> Result<Vec<Value>, Fault> {
    let is_reverse = call.bool("reverse")?;
    if let Value::None = call.value("key")
        && items.len() <= AT_ONCE
        && let Some(mut numbers) = integers(&items)
    {
        // No two that are equal can be told apart.
        numbers.sort_unstable();
        if is_reverse {
            numbers.reverse();
        }
        items.iter_mut().zip(numbers).for_each(|(item, number)| *item = Value::Int(number));
        return Ok(items);
    }
    let order = match call.value("key") {
        Value::None => order(call, &items, is_reverse)?,
        key => {
            let mut keys = Vec::with_capacity(items.len());
            call.evaluator.calling(key, 1, |key| {
                for item in &items {
                    call.engine().interrupt().heed().map_err(Fault::from)?;
                    keys.push(key.call(&mut [item.clone()])?);
                }
                Ok(())
            })?;
            order(call, &keys, is_reverse)?
        }
    };
    let item = |at: usize| std::mem::replace(&mut items[at], Value::None);
    Ok(order.into_iter().map(item).collect())
}

/// The positions of keys in ascending order, or in descending; those of equal ones stay ascending.
fn order(call: &Call<'_>, keys: &[Value], is_reverse: bool) -> Result<Vec<usize>, Fault> {
    let is_plain = are_plain(keys);
    if is_plain && keys.len() <= AT_ONCE {
        return Ok(match keys.first() {
            Some(Value::Int(_)) => {
                let number = |key: &Value| if let Value::Int(key) = key { *key } else { 0 };
                placed(keys, number, is_reverse, |a, b| a.0.cmp(&b.0))
            }
            Some(Value::Float(_)) => {
                let number = |key: &Value| if let Value::Float(key) = key { *key } else { 0.0 };
                placed(keys, number, is_reverse, |a, b| {
                    a.0.partial_cmp(&b.0).unwrap_or(Ordering::Equal)
                })
            }
            // Most texts differ at their beginnings, which lie side by side here.
            _ => placed(keys, beginning, is_reverse, |a, b| {
                a.0.cmp(&b.0).then_with(|| compare(&keys[a.1], &keys[b.1]))
            }),
        });
    }
    let (count, evaluator) = (keys.len(), call.evaluator);
    let mut pace = Pace::new(call.engine());
    if let Some(method) = method_of_all(call, keys) {
        return evaluator.calling(&method, 2, |method| {
            arranged(count, is_plain, is_reverse, |a, b| {
                pace.step(0)?;
                let answer = method.call(&mut [keys[a].clone(), keys[b].clone()])?;
                if let Value::NotImplemented = answer {
                    // As in CPython it is asked once more.
                    let order = evaluator.order("<", &keys[a], &keys[b])?;
                    return Ok(order == Some(Ordering::Less));
                }
                Ok(evaluator.truth(&answer)?)
            })
        });
    }
    arranged(count, is_plain, is_reverse, |a, b| {
        pace.step(0)?;
        if is_plain {
            return Ok(compare(&keys[a], &keys[b]) == Ordering::Less);
        }
        if let Some(order) = plain_order(&keys[a], &keys[b]) {
            return Ok(order.is_lt());
        }
        let order = evaluator.order("<", &keys[a], &keys[b]);
        Ok(order.map_err(|error| call.fault_at(0, error))? == Some(Ordering::Less))
    })
}

/// The method that tells the order of keys, where they are objects of one class of the program.
fn method_of_all(call: &Call<'_>, keys: &[Value]) -> Option<Value> {
    let [Value::Object(first), ..] = keys else { return None };
    let is_of_it = |key: &Value| matches!(key, Value::Object(key) if key.class == first.class);
    let method = call.evaluator.find_in(&first.class, "__lt__")?;
    (matches!(method, Value::Closure(_)) && keys.iter().all(is_of_it)).then_some(method)
}

/// The positions of so many keys in ascending order, or in descending; those of equal ones stay ascending.
fn arranged(
    count: usize,
    is_plain: bool,
    is_reverse: bool,
    mut is_before: impl FnMut(usize, usize) -> Result<bool, Fault>,
) -> Result<Vec<usize>, Fault> {
    let mut positions: Vec<usize> = (0..count).collect();
    // Turned around twice, so that those of equal keys stay in their order.
    if is_reverse {
        positions.reverse();
    }
    match count {
        ..FEW if !is_plain => insert_sort(&mut positions, &mut is_before)?,
        _ => merge_sort(&mut positions, &mut is_before)?,
    }
    if is_reverse {
        positions.reverse();
    }
    Ok(positions)
}

/// The positions of keys in the order of what stands for each.
fn placed<K: Copy>(
    keys: &[Value],
    stands_for: impl Fn(&Value) -> K,
    is_reverse: bool,
    compare: impl Fn(&(K, usize), &(K, usize)) -> Ordering,
) -> Vec<usize> {
    let mut placed: Vec<(K, usize)> =
        keys.iter().enumerate().map(|(at, key)| (stands_for(key), at)).collect();
    placed.sort_by(|a, b| if is_reverse { compare(b, a) } else { compare(a, b) });
    placed.into_iter().map(|(_, at)| at).collect()
}

/// The first bytes of a text, in the order of texts.
fn beginning(key: &Value) -> u64 {
    let Value::Str(text) = key else { return 0 };
    let mut first = [0; 8];
    let len = text.len().min(8);
    first[..len].copy_from_slice(&text.as_bytes()[..len]);
    u64::from_be_bytes(first)
}

/// What they are where all are integers.
fn integers(items: &[Value]) -> Option<Vec<i64>> {
    let number = |item: &Value| if let Value::Int(number) = item { Some(*number) } else { None };
    items.iter().map(number).collect()
}

/// Whether all are integers, or floats that have an order, or texts.
fn are_plain(keys: &[Value]) -> bool {
    keys.iter().all(|key| matches!(key, Value::Int(_)))
        || keys.iter().all(|key| matches!(key, Value::Float(key) if !key.is_nan()))
        || keys.iter().all(|key| matches!(key, Value::Str(_)))
}

fn compare(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
        (Value::Str(a), Value::Str(b)) => a.cmp(b),
        _ => Ordering::Equal,
    }
}

/// As CPython sorts so few: a run at the beginning, and each further item by halving. Programs see which of their
/// items are compared, and where those have no order, how they stand afterwards.
fn insert_sort(
    items: &mut [usize],
    is_before: &mut impl FnMut(usize, usize) -> Result<bool, Fault>,
) -> Result<(), Fault> {
    let mut run = items.len().min(1);
    let mut is_falling = false;
    while run < items.len() {
        let falls = is_before(items[run], items[run - 1])?;
        if run == 1 {
            is_falling = falls;
        } else if falls != is_falling {
            break;
        }
        run += 1;
    }
    if is_falling {
        items[..run].reverse();
    }
    for next in run..items.len() {
        let (mut low, mut high) = (0, next);
        while low < high {
            let middle = low + (high - low) / 2;
            match is_before(items[next], items[middle])? {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        items[low..=next].rotate_right(1);
    }
    Ok(())
}

/// A stable sort that ends where a comparison fails, and takes any answers for an order: with NaN
/// there is none, which the standard library may take for a mistake.
fn merge_sort(
    items: &mut [usize],
    is_before: &mut impl FnMut(usize, usize) -> Result<bool, Fault>,
) -> Result<(), Fault> {
    if items.len() < 2 {
        return Ok(());
    }
    let (left, right) = items.split_at_mut(items.len() / 2);
    merge_sort(left, is_before)?;
    merge_sort(right, is_before)?;
    if !is_before(right[0], left[left.len() - 1])? {
        return Ok(());
    }
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut a, mut b) = (0, 0);
    while a < left.len() && b < right.len() {
        let later = is_before(right[b], left[a])?;
        merged.push(if later { right[b] } else { left[a] });
        (a, b) = if later { (a, b + 1) } else { (a + 1, b) };
    }
    merged.extend(left[a..].iter().chain(&right[b..]));
    items.copy_from_slice(&merged);
    Ok(())
}
