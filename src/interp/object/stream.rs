//! Where the items of iterators come from that are written in Rust.

use crate::diag::Fault;
use crate::interp::value::Value;
use crate::interp::{Evaluator, Seen};

/// A source of items written in Rust, such as `zip`. What it needs of other values it asks the
/// evaluator for, and never holds a borrow of a container meanwhile.
pub trait Stream {
    /// The next item; `None` at the end, and again after it.
    ///
    /// # Errors
    /// Whatever computing the item brings up.
    fn next(&mut self, evaluator: &Evaluator<'_>) -> Result<Option<Value>, Fault>;

    /// Shows the next items, one after the other, until somebody says of one that it is enough, or has to be
    /// seen again; `None` at the end.
    ///
    /// # Errors
    /// As [`Stream::next`], and what `see` brings up.
    fn drive(
        &mut self,
        evaluator: &Evaluator<'_>,
        see: &mut dyn FnMut(Value) -> Result<Seen, Fault>,
    ) -> Result<Option<Seen>, Fault> {
        while let Some(item) = self.next(evaluator)? {
            match see(item)? {
                Seen::More => {}
                seen => return Ok(Some(seen)),
            }
        }
        Ok(None)
    }

    /// Whether the next item can't fail and runs nothing of the program.
    fn is_plain(&self) -> bool {
        false
    }

    /// The object of the program's that is asked for each item.
    fn asked(&self) -> Option<&Value> {
        None
    }

    /// What it is made from anew at this item, where Python shows that.
    fn shown(&self) -> Option<Vec<Value>> {
        None
    }

    /// As `next`, where the next item is a tuple of as many items as there are places, can't fail and runs
    /// nothing of the program: each of them by itself; false at the end. `None` where it was not done.
    fn next_parts(&mut self, _: &Evaluator<'_>, _: &mut [Value]) -> Option<bool> {
        None
    }

    /// The same source at the same item, for a statement that is taken back.
    fn copy(&self) -> Box<dyn Stream>;

    /// Shows the values that it holds, each as often as it holds it: see [`Value::visit`].
    fn visit(&self, look: &mut dyn FnMut(&Value));
}
