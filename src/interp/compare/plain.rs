//! The order and the equality of values that hold nothing of a program's: nobody is asked for them.

use std::cmp::Ordering;

use crate::interp::value::Value;

/// So many items of two sequences are compared before anybody could wait for Ctrl-C.
pub(super) const PLAIN_ITEMS: usize = 1 << 16;

/// The order of two numbers, two texts, or two tuples or lists of such, where nobody is asked for it; `None` of
/// others, and where there is none.
#[inline]
pub(in crate::interp) fn plain_order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Tuple(a), Value::Tuple(b)) => order_of_items(a, b),
        (Value::List(a), Value::List(b)) => order_of_items(&a.borrow(), &b.borrow()),
        (a, b) => order_of_plain(a, b),
    }
}

/// The same of what holds nothing: however deep values are in each other, this is not.
#[inline]
fn order_of_plain(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::Str(a), Value::Str(b)) => Some(a.cmp(b)),
        _ => None,
    }
}

fn order_of_items(a: &[Value], b: &[Value]) -> Option<Ordering> {
    let alike = a.len().min(b.len()).min(PLAIN_ITEMS);
    for (a, b) in a[..alike].iter().zip(b) {
        let order = order_of_plain(a, b)?;
        if order.is_ne() {
            return Some(order);
        }
    }
    (alike < PLAIN_ITEMS).then(|| a.len().cmp(&b.len()))
}

/// Whether two values are equal that hold nothing, where nobody is asked for it.
#[inline]
pub(super) fn plain_equal(a: &Value, b: &Value) -> Option<bool> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a == b),
        // A NaN is every NaN.
        (Value::Float(a), Value::Float(b)) => Some(a == b || a.is_nan() && b.is_nan()),
        (Value::Str(a), Value::Str(b)) => Some(a == b),
        (Value::None, Value::None) => Some(true),
        _ => None,
    }
}
