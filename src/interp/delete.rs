//! `del`.

use rustc_hash::FxHashSet;

use super::{Evaluator, Value, eval, index};
use crate::diag::{Diagnostic, ErrorKind, Fault, SourceResult};
use crate::syntax::ast::{Expr, ExprKind};
use crate::tensor::Error;

impl Evaluator<'_> {
    pub(super) fn delete(&self, target: &Expr) -> SourceResult<()> {
        match &target.node {
            ExprKind::Name(name) => match self.interp.remove(name) {
                Some(_) => Ok(()),
                None => Err(match self.interp.registry.name(name) {
                    Some(_) => {
                        let message = format!("name '{name}' is built in");
                        Box::new(Diagnostic::new(ErrorKind::Name, target.span, message))
                    }
                    None => self.unknown_name(name, target.span),
                }),
            },
            ExprKind::Tuple(targets) | ExprKind::List(targets) => {
                targets.iter().try_for_each(|target| self.delete(target))
            }
            ExprKind::Subscript { value, index } => {
                let container = self.expr(value)?;
                let at = self.expr(index)?;
                self.place(self.delete_item(&container, &at), index.span)
            }
            ExprKind::Attribute { name, .. } => {
                let message = format!("attribute '{}' can't be deleted", name.node);
                Err(Box::new(Diagnostic::new(ErrorKind::Attribute, name.span, message)))
            }
            _ => {
                let fault = Fault::new(ErrorKind::Syntax, "cannot delete this expression");
                Err(eval::placed(fault, target.span))
            }
        }
    }

    fn delete_item(&self, container: &Value, at: &Value) -> Result<(), Error> {
        match (container, at) {
            (Value::List(list), Value::Slice(slice)) => {
                let len = list.borrow().len();
                let gone: FxHashSet<usize> = self.slice_positions(slice, len)?.collect();
                let mut position = 0;
                list.change(&self.interp.journal).retain(|_| {
                    position += 1;
                    !gone.contains(&(position - 1))
                });
                Ok(())
            }
            (Value::List(list), _) => {
                let len = list.borrow().len();
                let position = self.position(container, at, len, "assignment index")?;
                list.change(&self.interp.journal).remove(position);
                Ok(())
            }
            (Value::Dict(entries), _) => {
                let key = index::hashable(at)?;
                if !entries.borrow().contains_key(&key) {
                    return Err(self.missing_key(container, at).into());
                }
                entries.change(&self.interp.journal).shift_remove(&key);
                Ok(())
            }
            (Value::Tensor(_), _) => Err(Error::value_error("cannot delete array elements")),
            _ => Err(Error::type_error(format!(
                "'{}' object doesn't support item deletion",
                container.type_name()
            ))),
        }
    }
}
