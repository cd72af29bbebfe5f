//! Names as bits: most questions for one that is not there are answered without a look at any.

use crate::interp::key::Key;
use crate::interp::value::Value;

/// A name, as far as entries know at once which names they may have.
#[derive(Debug, Clone, Copy)]
pub struct NameBit(pub(super) u64);

impl NameBit {
    pub fn of(name: &str) -> NameBit {
        NameBit(bit(name))
    }
}

/// The bit of a name: names of one length that begin and end alike share it, and a few more.
#[inline]
fn bit(name: &str) -> u64 {
    match name.as_bytes() {
        [] => 1,
        [first, .., last] => {
            1 << ((usize::from(*first) + 5 * usize::from(*last) + 11 * name.len()) % 64)
        }
        [one] => 1 << (one % 64),
    }
}

pub(super) fn bit_of(key: &Key) -> u64 {
    match key.value().plain() {
        Value::Str(name) => bit(name),
        _ => 0,
    }
}
