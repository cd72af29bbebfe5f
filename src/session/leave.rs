//! Leaving: `exit` and `quit` alone, and the exception that `exit()` and `quit(1)` raise.

use super::{Session, Sink};
use crate::diag::Diagnostic;
use crate::interp::Value;
use crate::interp::object::exception::exit_status;
use crate::report::Markup;
use crate::syntax::ast::{ExprKind, Stmt, StmtKind};

impl Session {
    /// Whether a statement is the name alone, which needs no call where nobody gave it a value.
    pub(super) fn is_farewell(&self, statement: &Stmt) -> bool {
        let StmtKind::Expr(expr) = &statement.node else { return false };
        let ExprKind::Name(name) = &expr.node else { return false };
        matches!(&**name, "exit" | "quit") && self.interp.get(name).is_none()
    }
}

/// The exit status, where an error is the wish to leave: as in Python a number is the status, nothing is
/// success, and anything else is told and a failure.
pub fn status_of(error: &Diagnostic, sink: &mut dyn Sink) -> Option<u8> {
    Some(match exit_status(error)? {
        Value::None => 0,
        Value::Int(status) => status as u8,
        Value::Bool(status) => u8::from(status),
        _ => {
            sink.notice(&Markup::from(error.message.as_str()));
            1
        }
    })
}
