//! What a statement changed, so that a statement that fails has changed nothing.

use std::rc::Rc;
use std::sync::Arc;

use super::Interp;
use super::scope::Scope;
use super::value::{Dict, Entries, List, Value};
use crate::device::Storage;
use crate::syntax::ast::Ident;
use crate::tensor::{Backup, Engine, Error, Tensor};

/// Changes in the order in which they were made, each with what was there before.
#[derive(Debug, Default)]
pub struct Journal {
    changes: Vec<Change>,
}

#[derive(Debug)]
enum Change {
    Name { name: Ident, before: Option<Value> },
    List { list: List, before: Vec<Value> },
    Dict { dict: Dict, before: Entries },
    Tensor { before: Backup },
    Block { address: u64, before: Option<Arc<Storage>> },
    Callback { before: Option<Value> },
}

impl Journal {
    pub fn name(&mut self, name: Ident, before: Option<Value>) {
        self.changes.push(Change::Name { name, before });
    }

    pub fn container(&mut self, container: &Value) {
        match container {
            Value::List(list) if !self.holds_list(list) => {
                let before = list.borrow().clone();
                self.changes.push(Change::List { list: list.clone(), before });
            }
            Value::Dict(dict) => {
                let before = dict.borrow().clone();
                self.changes.push(Change::Dict { dict: dict.clone(), before });
            }
            _ => {}
        }
    }

    pub fn tensor(&mut self, engine: &Engine, tensor: &Tensor) -> Result<(), Error> {
        let before = engine.copy_of_contents(tensor)?;
        self.changes.push(Change::Tensor { before });
        Ok(())
    }

    /// A block that the program manages by hand.
    pub fn block(&mut self, address: u64, before: Option<Arc<Storage>>) {
        self.changes.push(Change::Block { address, before });
    }

    /// What was called for changed memory.
    pub fn callback(&mut self, before: Option<Value>) {
        self.changes.push(Change::Callback { before });
    }

    /// Shows `visit` what the changed names and containers hold now.
    pub fn visit_changed(&self, scope: &Scope, mut visit: impl FnMut(&Value)) {
        for change in &self.changes {
            match change {
                Change::Name { name, .. } => {
                    if let Some(value) = scope.get(name) {
                        visit(value);
                    }
                }
                Change::List { list, .. } => visit(&Value::List(list.clone())),
                Change::Dict { dict, .. } => visit(&Value::Dict(dict.clone())),
                Change::Tensor { .. } | Change::Block { .. } | Change::Callback { .. } => {}
            }
        }
    }

    /// The statement stands.
    pub fn commit(&mut self) {
        self.changes.clear();
    }

    /// The statement failed: everything is again as it was.
    pub fn roll_back(&mut self, interp: &Interp) {
        let scope = &mut interp.scope.borrow_mut();
        for change in self.changes.drain(..).rev() {
            match change {
                Change::Name { name, before: Some(value) } => {
                    scope.set(name, value);
                }
                Change::Name { name, before: None } => {
                    scope.remove(&name);
                }
                Change::List { list, before } => *list.borrow_mut() = before,
                Change::Dict { dict, before } => *dict.borrow_mut() = before,
                Change::Tensor { before } => interp.engine.restore(before),
                Change::Block { address, before } => interp.manual.restore(address, before),
                Change::Callback { before } => {
                    interp.manual.set_callback(before);
                }
            }
        }
    }

    fn holds_list(&self, wanted: &List) -> bool {
        let holds = |change: &Change| matches!(change, Change::List { list, .. } if Rc::ptr_eq(list, wanted));
        self.changes.iter().any(holds)
    }
}
