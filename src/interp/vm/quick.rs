//! What lists, tuples, dictionaries and built-in functions do without asking anybody. Where one of
//! these says that it was not done, nothing has happened, and the operation goes the general way.

use std::rc::Rc;

use super::arithmetic::Plain;
use super::op::ensure;
use super::register::{clear, copied, forget, put, put_copy, put_int, take};
use super::{entry_loop, leaf, number};
use crate::interp::Evaluator;
use crate::interp::builtins::Builtin;
use crate::interp::compile::{CallSite, Code, Reg};
use crate::interp::shared::ItemStep;
use crate::interp::value::{Entries, Key, Slice, Sought, Type, Value};
use crate::syntax::ast::BinaryOp;

/// Items of a slice that are copied without asking for room.
const FEW: usize = 256;

/// Items that are looked at without a look at Ctrl-C.
const MANY: usize = 1 << 20;

/// Texts from here on go the general way, bytes.
const LONG: usize = 1024;

/// Calls a built-in function that needs no binding of arguments, if `callee` holds one; whether it was done.
/// The arguments stand `first` registers behind it, the register between holding a receiver, if there is one.
/// The answer goes where it belongs at once: as a value on the stack it would be read before its parts are
/// written.
#[inline]
pub(super) fn call(
    evaluator: Evaluator<'_>,
    registers: &mut [Value],
    (to, callee): (Reg, Reg),
    first: usize,
    site: &CallSite,
) -> bool {
    let (to, callee) = (usize::from(to), usize::from(callee));
    if !site.is_plain {
        return false;
    }
    if let (Value::Type(Type::Error(kind)), 1) = (&registers[callee], first)
        && !kind.has_parts()
    {
        let kind = *kind;
        let arguments = &mut registers[callee + 1..][..site.arguments.len()];
        let arguments =
            arguments.iter_mut().map(|value| std::mem::replace(value, Value::None)).collect();
        put(&mut registers[to], evaluator.new_exception(kind, arguments));
        return true;
    }
    let builtin = match &registers[callee] {
        Value::Function(function) => function.builtin,
        Value::Type(of) => match evaluator.interp.registry.constructor(*of) {
            Some(function) => function.builtin,
            None => return false,
        },
        _ => return false,
    };
    let is_lazy = || evaluator.interp.engine.pending() > 0;
    match (builtin.quick, builtin.quick_change) {
        (None, None) => return false,
        // What is lazy is computed before the last change, and may fail.
        (None, Some(_)) if site.is_last && is_lazy() => return false,
        _ => {}
    }
    // The function stays: the next call most often finds it again.
    let Some((before, behind)) = registers.split_at_mut_checked(callee + 1) else { return false };
    let Some(to) = before.get_mut(to) else { return false };
    let end = first - 1 + site.arguments.len();
    let begin = match first {
        2 if !matches!(behind[0], Value::Unbound) => 0,
        _ => first - 1,
    };
    let is_done = answer(evaluator, builtin, &behind[begin..end], to, site);
    if is_done {
        clear(&mut behind[..end]);
    }
    is_done
}

/// What a built-in function answers without binding its arguments, if it does; whether that was put there.
#[inline(always)]
pub(super) fn answer(
    evaluator: Evaluator<'_>,
    builtin: &Builtin,
    arguments: &[Value],
    to: &mut Value,
    site: &CallSite,
) -> bool {
    let is_done = match (builtin.quick, builtin.quick_change) {
        (Some(run), _) => run(evaluator, arguments, to),
        (None, Some(run)) => run(evaluator, arguments, to, site.is_last),
        (None, None) => None,
    };
    is_done.is_some()
}

/// The position that an index means, if something stands there.
#[inline(always)]
pub(super) fn position(index: i64, len: usize) -> Option<usize> {
    let at = if index < 0 { index.wrapping_add(len as i64) } else { index };
    usize::try_from(at).ok().filter(|at| *at < len)
}

/// The positions of a slice without steps, where they are so few that nobody has to ask for room.
#[inline(never)]
fn part(slice: &Slice, len: usize) -> Option<std::ops::Range<usize>> {
    let bound = |bound: &Value, otherwise: usize| match bound {
        Value::None => Some(otherwise),
        Value::Int(at) if *at < 0 => Some(len.saturating_sub(at.unsigned_abs() as usize)),
        Value::Int(at) => Some((*at as usize).min(len)),
        _ => None,
    };
    let (Value::None | Value::Int(1)) = slice.step else { return None };
    let (start, stop) = (bound(&slice.start, 0)?, bound(&slice.stop, len)?);
    let part = start..stop.max(start);
    (part.len() <= FEW).then_some(part)
}

/// A number or a text as a key.
#[inline(always)]
pub(super) fn key(value: &Value) -> Option<Key> {
    Sought::of(value).map(Sought::to_key)
}

/// `element in container`, where the program has no say in that.
#[inline]
pub(super) fn contains(container: &Value, element: &Value) -> Option<bool> {
    match container {
        Value::Dict(entries) => {
            let entries = entries.borrow();
            let is_there = entries.contains_key(&Sought::of(element)?);
            (is_there || !entries.speaks()).then_some(is_there)
        }
        Value::Set(members) => {
            let members = members.borrow();
            let is_there = members.contains(&Sought::of(element)?);
            (is_there || !members.speaks()).then_some(is_there)
        }
        Value::List(items) => among(&items.borrow(), element),
        Value::Tuple(items) => among(items, element),
        Value::Str(text) if text.len() < LONG => match element {
            Value::Str(part) => Some(text.contains(&**part)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether an integer or a text is among items, where it meets nothing but numbers of its type and texts.
fn among(items: &[Value], element: &Value) -> Option<bool> {
    if items.len() > MANY {
        return None;
    }
    for item in items {
        let is_it = match (item, element) {
            (Value::Int(item), Value::Int(element)) => item == element,
            (Value::Str(item), Value::Str(element)) => item == element,
            (Value::Int(_) | Value::Float(_) | Value::None, Value::Str(_)) => false,
            (Value::Str(_) | Value::None, Value::Int(_)) => false,
            _ => return None,
        };
        if is_it {
            return Some(true);
        }
    }
    match element {
        Value::Int(_) | Value::Str(_) => Some(false),
        _ => None,
    }
}

/// `to = container[index]`; whether it was done.
#[inline(always)]
pub(super) fn item(
    evaluator: Evaluator<'_>,
    registers: &mut [Value],
    to: Reg,
    (container, index): (Reg, Reg),
) -> bool {
    let at = [to, container, index].map(usize::from);
    let Ok([to, container, index]) = registers.get_disjoint_mut(at) else { return false };
    match (&*container, &*index) {
        (Value::List(items), Value::Int(at)) => {
            let items = items.borrow();
            let Some(at) = position(*at, items.len()) else { return false };
            put_copy(to, &items[at]);
        }
        (Value::Tuple(items), Value::Int(at)) => {
            let Some(at) = position(*at, items.len()) else { return false };
            put_copy(to, &items[at]);
        }
        (Value::List(items), Value::Slice(slice)) => {
            let part = {
                let items = items.borrow();
                let Some(part) = part(slice, items.len()) else { return false };
                copied(&items[part])
            };
            put(to, Value::List(Rc::new(evaluator.made(part))));
        }
        (Value::Tuple(items), Value::Slice(slice)) => {
            let Some(part) = part(slice, items.len()) else { return false };
            put(to, Value::Tuple(items[part].iter().cloned().collect()));
        }
        (Value::Str(text), Value::Slice(slice)) => {
            let Some(part) = part(slice, text.count()) else { return false };
            let part = text.byte_of(part.start)..text.byte_of(part.end);
            put(to, evaluator.interp.part(&text[part]));
        }
        (Value::Str(text), Value::Int(at)) => {
            let Some(at) = position(*at, text.count()) else { return false };
            let Some(letter) = text.nth(at) else { return false };
            put(to, evaluator.interp.letter(letter));
        }
        (Value::Dict(_) | Value::Opaque(_), index) => {
            let Some(entries) = container.as_dict() else { return false };
            let Some(key) = Sought::of(index) else { return false };
            let entries = entries.borrow();
            let Some(value) = entries.get(&key) else { return false };
            put_copy(to, value);
        }
        _ => return false,
    }
    true
}

/// `container[index] = from`; whether it was done.
#[inline]
pub(super) fn store(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut [Value],
    (container, index): (Reg, Reg),
    from: Reg,
    is_last: bool,
) -> bool {
    // What is lazy is computed before the last change, and may fail.
    if is_last && evaluator.interp.engine.pending() > 0 {
        return false;
    }
    let value = &registers[usize::from(from)];
    match (&registers[usize::from(container)], &registers[usize::from(index)]) {
        (Value::List(items), Value::Int(at)) => {
            let Some(at) = position(*at, items.borrow().len()) else { return false };
            let before = |items: &Vec<Value>| ItemStep::At(at, items[at].clone());
            put_copy(&mut evaluator.step_at_once(items, value, is_last, before)[at], value);
        }
        (container @ (Value::Dict(_) | Value::Opaque(_)), index) => {
            let Some(entries) = container.as_dict() else { return false };
            let Some(key) = Sought::of(index) else { return false };
            // An object among the keys may say that it is this one.
            let new = |entries: &Entries| (!entries.speaks()).then(|| key.to_key());
            if !evaluator.put_entry(entries, &key, value, is_last, new) {
                return false;
            }
        }
        _ => return false,
    }
    forget(registers, code.first_temporary, from);
    true
}

/// `container[index] op= operand` of numbers: the container, the index, what stood there and the
/// operand are in registers in a row from `first` on. Whether it was done.
#[inline]
pub(super) fn update(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut [Value],
    op: BinaryOp,
    first: Reg,
    is_last: bool,
) -> bool {
    let at = usize::from(first);
    let after = match Plain::binary(op, &registers[at + 2], &registers[at + 3]) {
        Some(Plain::Int(after)) => Value::Int(after),
        Some(Plain::Float(after)) => Value::Float(after),
        None => {
            let is_done = number::update(evaluator, registers, op, first, is_last);
            if is_done {
                // The numbers stay where the next turn puts its own.
                clear(&mut registers[at..at + 2]);
            }
            return is_done;
        }
    };
    // What stood there is a number, too.
    let before = std::mem::replace(&mut registers[at + 2], after);
    let places = (first, first + 1);
    if !leaf::set_item(evaluator, registers, places, first + 2, Reg::MAX)
        && !store(evaluator, code, registers, places, first + 2, is_last)
    {
        put(&mut registers[at + 2], before);
        return false;
    }
    clear(&mut registers[at..at + 4]);
    true
}

/// The same of a built-in method that was taken out of its object.
pub(super) fn call_method(
    evaluator: Evaluator<'_>,
    registers: &mut [Value],
    (to, callee): (Reg, Reg),
    first: usize,
    site: &CallSite,
) -> bool {
    let (to, callee) = (usize::from(to), usize::from(callee));
    let Value::Method(method) = &registers[callee] else { return false };
    let builtin = method.function.builtin;
    let is_lazy = || evaluator.interp.engine.pending() > 0;
    let waits = builtin.quick.is_none() && site.is_last && is_lazy();
    if !site.is_plain || waits || first == 2 && !matches!(registers[callee + 1], Value::Unbound) {
        return false;
    }
    // The receiver stands before the arguments, where the method stood or a receiver could.
    let (method, own) = (method.clone(), callee + first - 1);
    let held = std::mem::replace(&mut registers[own], method.receiver.clone());
    let arguments = &mut registers[own..=own + site.arguments.len()];
    let mut result = Value::None;
    if !answer(evaluator, builtin, arguments, &mut result, site) {
        registers[own] = held;
        return false;
    }
    clear(&mut arguments[1..]);
    // The method stays for the next call, as a function does.
    registers[own] = held;
    put(&mut registers[to], result);
    true
}

/// What a loop needs to go through a value, in three registers: of a range the next number, the one behind the
/// last and the step; of a list, a tuple, a text or a tensor itself and how far it is; of a dictionary as `entry_loop` says; a generator itself. Whether it is one of these.
#[inline]
pub(super) fn iter(registers: &mut [Value], first_temporary: Reg, to: Reg, from: Reg) -> bool {
    let at = usize::from(to);
    match &registers[usize::from(from)] {
        Value::Range(range) => {
            let (start, step) = (range.start, range.step);
            let end = start.wrapping_add(step.wrapping_mul(range.len() as i64));
            forget(registers, first_temporary, from);
            let parts = [start, end, step];
            registers[at..at + 3].iter_mut().zip(parts).for_each(|(to, part)| put_int(to, part));
        }
        from_there @ (Value::List(_) | Value::Tuple(_) | Value::Str(_) | Value::Tensor(_)) => {
            if matches!(from_there, Value::Tensor(tensor) if !number::is_sequence(tensor)) {
                return false;
            }
            let items = take(registers, first_temporary, from);
            put(&mut registers[at], items);
            put_int(&mut registers[at + 1], 0);
        }
        Value::Generator(_) => {
            let generator = take(registers, first_temporary, from);
            put(&mut registers[at], generator);
        }
        Value::Dict(_) | Value::View(_) => {
            let items = take(registers, first_temporary, from);
            put(&mut registers[at], items);
            entry_loop::begin(&mut registers[at..at + 3]);
        }
        _ => return false,
    }
    true
}

/// How a loop goes on.
pub(super) enum Next {
    Item,
    End,
    /// It goes through something else.
    Unknown,
}

/// The next item of a list or a tuple that a loop goes through: its position stands behind it.
#[inline(always)]
pub(super) fn next(registers: &mut [Value], to: Reg, iter: Reg) -> Next {
    let (to, iter) = (usize::from(to), usize::from(iter));
    let Ok([to, items, at]) = registers.get_disjoint_mut([to, iter, iter + 1]) else {
        return Next::Unknown;
    };
    let Value::Int(at) = at else { return Next::Unknown };
    match items {
        Value::List(items) => match items.borrow().get(*at as usize) {
            Some(item) => put_copy(to, item),
            None => {
                // What is appended later does not count.
                *at = i64::MAX;
                return Next::End;
            }
        },
        Value::Tuple(items) => match items.get(*at as usize) {
            Some(item) => put_copy(to, item),
            None => return Next::End,
        },
        _ => return Next::Unknown,
    }
    *at += 1;
    Next::Item
}

/// As [`next`], where the item is at once taken apart into `count` registers from `first` on.
#[inline(never)]
pub(super) fn next_parts(
    evaluator: Evaluator<'_>,
    registers: &mut [Value],
    iter: Reg,
    first: Reg,
    count: u16,
) -> Next {
    let (iter, first, count) = (usize::from(iter), usize::from(first), usize::from(count));
    let Some((state, targets)) = apart(registers, iter, first) else { return Next::Unknown };
    let Some(targets) = targets.get_mut(..count) else { return Next::Unknown };
    if let [Value::Iterator(items), ..] = &state {
        ensure(evaluator);
        return match evaluator.next_parts(items, targets) {
            Some(true) => Next::Item,
            Some(false) => Next::End,
            None => Next::Unknown,
        };
    }
    if let [Value::View(_), ..] = &state {
        return entry_loop::next_parts(state, targets);
    }
    let [items, Value::Int(at), ..] = state else { return Next::Unknown };
    let put_parts = |item: Option<&Value>, targets: &mut [Value]| match item {
        Some(Value::Tuple(parts)) if parts.len() == targets.len() => {
            targets.iter_mut().zip(parts.iter()).for_each(|(to, part)| put_copy(to, part));
            Next::Item
        }
        Some(_) => Next::Unknown,
        None => Next::End,
    };
    let next = match items {
        Value::List(items) => put_parts(items.borrow().get(*at as usize), targets),
        Value::Tuple(items) => put_parts(items.get(*at as usize), targets),
        _ => return Next::Unknown,
    };
    match next {
        Next::Item => *at += 1,
        // What is appended later does not count.
        Next::End => *at = i64::MAX,
        Next::Unknown => {}
    }
    next
}

/// The three registers of a loop's state, and those from `first` on.
#[inline(always)]
fn apart(
    registers: &mut [Value],
    iter: usize,
    first: usize,
) -> Option<(&mut [Value], &mut [Value])> {
    if first >= iter + 3 {
        let (before, behind) = registers.split_at_mut_checked(first)?;
        return Some((&mut before[iter..iter + 3], behind));
    }
    let (before, behind) = registers.split_at_mut_checked(iter)?;
    Some((&mut behind[..3], before.get_mut(first..)?))
}

/// `first = from[0]; …` of a tuple of as many items, which stands in front of them or behind them; whether it
/// was done.
#[inline(always)]
pub(super) fn unpack(registers: &mut [Value], from: Reg, first: Reg, count: u16) -> bool {
    let (from, first, count) = (usize::from(from), usize::from(first), usize::from(count));
    let (source, targets) = match from < first {
        true => {
            let (before, behind) = registers.split_at_mut(first);
            (&before[from], behind)
        }
        false => {
            let (before, behind) = registers.split_at_mut(from);
            (&behind[0], &mut before[first..])
        }
    };
    let Value::Tuple(items) = source else { return false };
    if items.len() != count || targets.len() < count {
        return false;
    }
    targets.iter_mut().zip(items.iter()).for_each(|(register, item)| put_copy(register, item));
    true
}
