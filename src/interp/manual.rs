//! What programs do with memory by hand: blocks that they ask for by size and name by address, and
//! the function that is called when the memory of tensors changes.

use std::cell::RefCell;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::builtins::{Argument, Arguments};
use super::undo::Journal;
use super::{Evaluator, Value};
use crate::device::Storage;
use crate::diag::{SourceResult, Span};

/// See the module's head.
#[derive(Debug, Default)]
pub struct Manual {
    /// The blocks that are out, by address.
    blocks: RefCell<FxHashMap<u64, Arc<Storage>>>,
    /// The function.
    callback: RefCell<Option<Value>>,
}

impl Manual {
    /// Keeps a block until [`Manual::free`] is given its address; gives the address.
    pub(super) fn keep(&self, block: Arc<Storage>, journal: &Journal) -> u64 {
        let address = block.address();
        let before = self.blocks.borrow_mut().insert(address, block);
        journal.block(address, before);
        address
    }

    /// Lets go of a block. False if there is none at this address.
    pub(super) fn free(&self, address: u64, journal: &Journal) -> bool {
        let block = self.blocks.borrow_mut().remove(&address);
        let is_known = block.is_some();
        if is_known {
            journal.block(address, block);
        }
        is_known
    }

    /// Whether a block that is out lies at an address.
    pub fn holds(&self, address: u64) -> bool {
        self.blocks.borrow().contains_key(&address)
    }

    /// Puts back what was at an address; gives what was there.
    pub(super) fn restore(
        &self,
        address: u64,
        before: Option<Arc<Storage>>,
    ) -> Option<Arc<Storage>> {
        let mut blocks = self.blocks.borrow_mut();
        match before {
            Some(block) => blocks.insert(address, block),
            None => blocks.remove(&address),
        }
    }

    /// Sets the function, or with `None` does away with it; gives what it was.
    pub fn set_callback(&self, callback: Option<Value>) -> Option<Value> {
        self.callback.replace(callback)
    }

    pub fn has_callback(&self) -> bool {
        self.callback.borrow().is_some()
    }

    /// Gives back all blocks, and forgets the function.
    pub fn clear(&self) {
        self.blocks.borrow_mut().clear();
        self.set_callback(None);
    }
}

impl Evaluator<'_> {
    /// Calls the function for changed memory, if there is one, with the counters of the device in
    /// use; errors stand at `span`.
    pub fn tell_memory_changed(&self, span: Span) -> SourceResult<()> {
        let callback = self.interp.manual.callback.borrow().clone();
        let Some(callback) = callback else { return Ok(()) };
        let stats = super::builtins::memory_stats(&self.interp.engine.device());
        let stats = Argument { name: None, value: stats, span };
        let call = |function, arguments: Arguments| self.invoke(function, arguments, span, false);
        self.all_or_nothing(span, || match &callback {
            Value::Function(function) => call(function, vec![stats]).map(Some),
            Value::Native(native) => self.call_native(native, &vec![stats], span).map(Some),
            Value::Method(method) => {
                let receiver = Argument { name: None, value: method.receiver.clone(), span };
                call(&method.function, vec![receiver, stats]).map(Some)
            }
            Value::Closure(function) => {
                // What takes nothing asks for the counters itself.
                let is_told = function.code.parameters.count() > 0;
                let arguments = if is_told { vec![stats] } else { Arguments::new() };
                self.call_closure(function, arguments, span).map(Some)
            }
            _ => Ok(None),
        })?;
        Ok(())
    }
}
