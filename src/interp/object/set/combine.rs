//! What the operators of sets make of two, and what they change in one.

use super::{Held, Members};
use crate::diag::Fault;
use crate::interp::object::view::Shown;
use crate::interp::room::Pace;
use crate::interp::value::{Key, Value};
use crate::syntax::ast::BinaryOp;
use crate::tensor::Engine;

/// What `op` makes of two sets: `|`, `&`, `-` or `^`. What comes of `a` keeps its order.
///
/// # Errors
/// MemoryError, Ctrl-C.
pub fn combined(engine: &Engine, op: BinaryOp, a: &Members, b: &Members) -> Result<Members, Fault> {
    let mut result = Members::default();
    let mut pace = Pace::new(engine);
    let each = 3 * size_of::<Value>();
    if op == BinaryOp::BitAnd && b.len() < a.len() / 8 {
        let mut places = Vec::with_capacity(b.len());
        for key in b {
            pace.step(size_of::<usize>())?;
            places.extend(a.get_index_of(key));
        }
        places.sort_unstable();
        for key in places.into_iter().filter_map(|place| a.get_index(place)) {
            pace.step(each)?;
            result.insert(b.get(key).unwrap_or(key).clone());
        }
        return Ok(result);
    }
    for key in a {
        pace.step(each)?;
        let stays = match op {
            BinaryOp::BitOr => true,
            BinaryOp::BitAnd => b.contains(key),
            _ => !b.contains(key),
        };
        if stays {
            // Of two that are equal, `1` and `True`, CPython takes that of the smaller set, or the second.
            let other =
                if op == BinaryOp::BitAnd && b.len() <= a.len() { b.get(key) } else { None };
            result.insert(other.unwrap_or(key).clone());
        }
    }
    if matches!(op, BinaryOp::BitOr | BinaryOp::BitXor) {
        for key in b {
            pace.step(each)?;
            if !a.contains(key) {
                result.insert(key.clone());
            }
        }
    }
    Ok(result)
}

/// What `a |= b`, `a -= b` and `a ^= b` take out of `a`, and what they put in.
///
/// # Errors
/// Ctrl-C, and no room.
pub(super) fn changes(
    engine: &Engine,
    op: BinaryOp,
    a: &Members,
    b: &Members,
) -> Result<(Vec<Key>, Vec<Key>), Fault> {
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    let mut pace = Pace::new(engine);
    for key in b {
        let changed = match (op, a.contains(key)) {
            (BinaryOp::BitOr | BinaryOp::BitXor, false) => &mut come,
            (BinaryOp::Sub | BinaryOp::BitXor, true) => &mut gone,
            _ => {
                pace.step(0)?;
                continue;
            }
        };
        pace.step(3 * size_of::<Value>())?;
        changed.push(key.clone());
    }
    Ok((gone, come))
}

/// The keys of a dictionary that are in a much smaller set, without a look at the others; `None` where it is no such
/// case.
///
/// # Errors
/// Ctrl-C, and no room.
pub(super) fn common(engine: &Engine, a: &Value, b: &Value) -> Result<Option<Members>, Fault> {
    let (view, few) = match (a, b) {
        (Value::View(view), few @ (Value::Set(_) | Value::FrozenSet(_)))
        | (few @ (Value::Set(_) | Value::FrozenSet(_)), Value::View(view)) => (view, few),
        _ => return Ok(None),
    };
    let nothing = Members::default();
    let (entries, few) = (view.dict.borrow(), Held::of(few, &nothing));
    let few = few.members();
    let is_apart = few.len() <= entries.len() / 8 && !few.speaks() && !entries.speaks();
    if view.shown != Shown::Keys || !is_apart {
        return Ok(None);
    }
    let mut pace = Pace::new(engine);
    let mut found = Members::default();
    for key in few {
        pace.step(3 * size_of::<Value>())?;
        if entries.contains_key(key) {
            found.insert(key.clone());
        }
    }
    Ok(Some(found))
}
