//! Room for Python's own values, and Ctrl-C while many of them are made.
//!
//! Whatever makes as many items or as long a text as a program asks for goes through here: it is held
//! against the session's budget before memory is touched, and the user can stop it.

use crate::diag::Fault;
use crate::report::human_count;
use crate::tensor::Engine;

use super::Value;
use super::object::set::Members;
use super::value::Entries;
use super::vm::register::extend_by;

/// Bytes of an item in a list.
pub const ITEM: usize = size_of::<Value>();
/// About how many bytes a tensor takes beside its elements, in a list.
pub const TENSOR: usize = ITEM + 320;
/// About how many bytes a short text takes, in a list.
pub const SHORT_TEXT: usize = ITEM + 32;

/// Items that are made between two looks at Ctrl-C.
const STRIDE: usize = 1024;
/// Items or entries that are copied without a look at Ctrl-C, table and all.
const COPIED_AT_ONCE: usize = 1 << 18;
/// Bytes that are copied between two looks at Ctrl-C.
pub const PIECE: usize = 1 << 20;

/// Room for `count` items of a list, a tuple or a dictionary.
///
/// # Errors
/// MemoryError.
pub fn items(engine: &Engine, count: usize) -> Result<(), Fault> {
    things(engine, count, ITEM)
}

/// Room for `count` items of `each` bytes.
///
/// # Errors
/// MemoryError.
pub fn things(engine: &Engine, count: usize, each: usize) -> Result<(), Fault> {
    let what = || format!("a sequence of {} items", human_count(count as u64));
    Ok(engine.make_room(count.saturating_mul(each), what)?)
}

/// Room for a text of `bytes`. It is there twice while it is made.
///
/// # Errors
/// MemoryError.
pub fn text(engine: &Engine, bytes: usize) -> Result<(), Fault> {
    let what = || format!("a text of {} bytes", human_count(bytes as u64));
    Ok(engine.make_room(bytes.saturating_mul(2), what)?)
}

/// Room for so many bytes of a program's.
///
/// # Errors
/// MemoryError.
pub fn bytes(engine: &Engine, count: usize) -> Result<(), Fault> {
    Ok(engine.make_room(count, || format!("{} bytes", human_count(count as u64)))?)
}

/// A sequence's items, collected.
///
/// # Errors
/// The first item's that fails; MemoryError where there are too many of `each` bytes; Ctrl-C.
pub fn gather<T, E: From<Fault>>(
    engine: &Engine,
    each: usize,
    mut items: impl Iterator<Item = Result<T, E>>,
) -> Result<Vec<T>, E> {
    let (expected, _) = items.size_hint();
    things(engine, expected, each)?;
    let mut gathered = Vec::with_capacity(expected);
    while gathered.len() < expected {
        engine.interrupt().heed().map_err(Fault::from)?;
        let before = gathered.len();
        for item in items.by_ref().take(STRIDE.min(expected - before)) {
            gathered.push(item?);
        }
        if gathered.len() == before {
            break;
        }
    }
    let mut pace = Pace::new(engine);
    for item in items {
        pace.step(if gathered.len() < expected { 0 } else { each })?;
        gathered.push(item?);
    }
    Ok(gathered)
}

/// A copy of a sequence's items.
///
/// # Errors
/// MemoryError, Ctrl-C.
pub fn copied(engine: &Engine, items: &[Value]) -> Result<Vec<Value>, Fault> {
    joined(engine, items, &[])
}

/// Copies of two sequences' items, one behind the other.
///
/// # Errors
/// MemoryError, Ctrl-C.
pub fn joined(engine: &Engine, a: &[Value], b: &[Value]) -> Result<Vec<Value>, Fault> {
    things(engine, a.len() + b.len(), ITEM)?;
    let mut all = Vec::with_capacity(a.len() + b.len());
    for piece in a.chunks(COPIED_AT_ONCE).chain(b.chunks(COPIED_AT_ONCE)) {
        engine.interrupt().heed().map_err(Fault::from)?;
        extend_by(&mut all, piece);
    }
    Ok(all)
}

/// Copies of a sequence's items, this often, one behind the other.
///
/// # Errors
/// MemoryError, Ctrl-C.
pub fn repeated_items(engine: &Engine, part: &[Value], times: usize) -> Result<Vec<Value>, Fault> {
    let total = part.len().saturating_mul(times);
    items(engine, total)?;
    let mut all = Vec::with_capacity(total);
    // A few items are copied many times at once.
    let at_once = if part.is_empty() { 0 } else { (STRIDE / part.len()).min(times) };
    let mut several = Vec::with_capacity(at_once * part.len());
    (0..at_once).for_each(|_| extend_by(&mut several, part));
    let whole = if at_once > 1 { &several } else { part };
    while all.len() < total {
        for piece in whole[..whole.len().min(total - all.len())].chunks(COPIED_AT_ONCE) {
            engine.interrupt().heed().map_err(Fault::from)?;
            extend_by(&mut all, piece);
        }
    }
    Ok(all)
}

/// A copy of a dictionary's entries.
///
/// # Errors
/// MemoryError, Ctrl-C.
pub fn copied_entries(engine: &Engine, entries: &Entries) -> Result<Entries, Fault> {
    if entries.len() < COPIED_AT_ONCE {
        return Ok(entries.clone());
    }
    let mut copy = Entries::default();
    extend(engine, &mut copy, entries)?;
    Ok(copy)
}

/// Takes other entries in.
///
/// # Errors
/// MemoryError, Ctrl-C: some of them may have been taken in then.
pub fn extend(engine: &Engine, entries: &mut Entries, more: &Entries) -> Result<(), Fault> {
    if entries.is_empty() && more.len() < COPIED_AT_ONCE {
        *entries = more.clone();
        return Ok(());
    }
    things(engine, more.len(), 3 * ITEM)?;
    entries.reserve(more.len());
    let mut pace = Pace::new(engine);
    for (key, value) in more {
        pace.step(0)?;
        entries.insert(key.clone(), value.clone());
    }
    Ok(())
}

/// A copy of a set's members.
///
/// # Errors
/// MemoryError, Ctrl-C.
pub fn copied_members(engine: &Engine, members: &Members) -> Result<Members, Fault> {
    if members.len() < COPIED_AT_ONCE {
        return Ok(members.clone());
    }
    things(engine, members.len(), 2 * ITEM)?;
    let mut copy = Members::default();
    copy.reserve(members.len());
    let mut pace = Pace::new(engine);
    for key in members {
        pace.step(0)?;
        copy.insert(key.clone());
    }
    Ok(copy)
}

/// `part` this often, one behind the other.
///
/// # Errors
/// MemoryError, Ctrl-C.
pub fn repeated(engine: &Engine, part: &str, times: usize) -> Result<String, Fault> {
    let bytes = part.len().saturating_mul(times);
    text(engine, bytes)?;
    let mut whole = String::with_capacity(bytes);
    if part.is_empty() {
        return Ok(whole);
    }
    let at_once = (PIECE / part.len()).max(1);
    let piece = part.repeat(at_once.min(times));
    for _ in 0..times / at_once {
        engine.interrupt().heed().map_err(Fault::from)?;
        whole.push_str(&piece);
    }
    whole.push_str(&piece[..times % at_once * part.len()]);
    Ok(whole)
}

/// Counts what a loop makes or looks at: now and then it looks at Ctrl-C and asks for room.
#[derive(Debug)]
pub struct Pace<'a> {
    engine: &'a Engine,
    steps: usize,
    bytes: usize,
    total: usize,
}

impl<'a> Pace<'a> {
    pub fn new(engine: &'a Engine) -> Pace<'a> {
        Pace { engine, steps: 0, bytes: 0, total: 0 }
    }

    pub fn engine(&self) -> &'a Engine {
        self.engine
    }

    /// One more step, which takes `bytes`.
    ///
    /// # Errors
    /// Ctrl-C; MemoryError.
    #[inline]
    pub fn step(&mut self, bytes: usize) -> Result<(), Fault> {
        self.steps += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        if self.steps < STRIDE && self.bytes < PIECE {
            return Ok(());
        }
        self.look()
    }

    #[cold]
    fn look(&mut self) -> Result<(), Fault> {
        self.engine.interrupt().heed().map_err(Fault::from)?;
        let bytes = std::mem::take(&mut self.bytes);
        self.steps = 0;
        if bytes > 0 {
            self.total = self.total.saturating_add(bytes);
            let what = || format!("a value of more than {} bytes", human_count(self.total as u64));
            // Alone it may be too much, though it came in small parts.
            let is_too_much = self.total > self.engine.budget().limit();
            self.engine.make_room(if is_too_much { self.total } else { bytes }, what)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Device;
    use crate::diag::ErrorKind;
    use crate::memory::AllocatorConfig;
    use crate::tensor::Interrupt;

    fn engine() -> Engine {
        let interrupt = Interrupt::default();
        let cpu = Device::cpu(AllocatorConfig::default(), interrupt.clone()).unwrap();
        Engine::new(vec![cpu], interrupt)
    }

    #[test]
    fn repeated_texts_are_whole_at_every_size() {
        let engine = engine();
        for (part, times) in [("", 9), ("ab", 0), ("ab", 1), ("äb", 7), ("x", PIECE + 3)] {
            assert_eq!(repeated(&engine, part, times).unwrap(), part.repeat(times));
        }
        let long = "x".repeat(PIECE + 1);
        assert_eq!(repeated(&engine, &long, 3).unwrap().len(), 3 * PIECE + 3);
        assert_eq!(repeated(&engine, "", usize::MAX).unwrap(), "");
        assert_eq!(repeated(&engine, "ab", usize::MAX).unwrap_err().kind, ErrorKind::Memory);
    }

    #[test]
    fn a_loop_hears_the_user_and_stays_in_its_room() {
        let engine = engine();
        engine.budget().set_limit(8 << 20);
        let endless = || std::iter::from_fn(|| Some(Ok::<u64, Fault>(0)));
        let kind = |result: Result<Vec<u64>, Fault>| result.unwrap_err().kind;
        assert_eq!(kind(gather(&engine, 1 << 20, endless())), ErrorKind::Memory);
        assert_eq!(kind(gather(&engine, 8, (0..1 << 40).map(Ok::<u64, Fault>))), ErrorKind::Memory);
        engine.interrupt().raise();
        assert_eq!(kind(gather(&engine, 1, endless())), ErrorKind::KeyboardInterrupt);
    }
}
