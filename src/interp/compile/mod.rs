//! Tree to code: one file for each kind of construct, and here what they all need.
//!
//! Every variable of a function has a register, every variable that functions inside share a cell;
//! temporaries lie above them as on a stack. A temporary is used up by the operation that reads it,
//! so that a tensor which only the statement holds is held by nobody once it is read.

mod assign;
mod call;
mod class;
mod code;
mod comprehension;
mod condition;
mod constant;
mod display;
mod expr;
mod function;
mod guard;
mod import;
mod label;
mod level;
mod lookup;
mod loops;
mod name;
pub(super) mod names;
mod op;
mod registers;
mod scope;
mod statement;

pub use code::{
    ArgumentAt, ArgumentKind, CallSite, Capture, Code, Handler, Import, Kind, Local, Parameters,
    Placed, Places,
};
pub use function::WRITTEN;
pub use guard::NONE;
pub use lookup::{Found, Leaf, Seen, There};
pub use op::{Op, Reg};
pub use scope::CLASS;
pub use statement::is_compound;

use std::fmt;
use std::rc::Rc;

use constant::Constant;
use label::Label;
use level::Level;
use scope::Scopes;

use super::Interp;
use crate::diag::{Diagnostic, ErrorKind, SourceResult, Span};
use crate::interp::value::{Module, Value};
use crate::syntax::ast::Stmt;

/// Makes code of one statement of a cell, and of the functions in it.
pub struct Compiler<'a> {
    interp: &'a Interp,
    scopes: Scopes,
    /// The functions around this place, the innermost last.
    levels: Vec<Level>,
    /// The module whose text this is; none for the session's.
    module: Option<Module>,
    /// Whether the statement ends with its last operation, so that nothing can fail behind that.
    ends: bool,
}

/// Code for a statement. It returns the value of an expression statement, else None.
///
/// # Errors
/// Only what no machine could run: a function of more than 65,000 variables.
pub fn compile(interp: &Interp, stmt: &Stmt) -> SourceResult<Rc<Code>> {
    compiled(interp, None, stmt, true)
}

/// As [`compile`], for a statement whose effects are all taken back.
///
/// # Errors
/// As there.
pub fn compile_to_explain(interp: &Interp, stmt: &Stmt) -> SourceResult<Rc<Code>> {
    compiled(interp, None, stmt, false)
}

/// As [`compile`], for a statement of a module: its variables are the module's, and no name of the
/// session hides what is built in.
///
/// # Errors
/// As there.
pub fn compile_in(interp: &Interp, module: Module, stmt: &Stmt) -> SourceResult<Rc<Code>> {
    compiled(interp, Some(module), stmt, false)
}

fn compiled(
    interp: &Interp,
    module: Option<Module>,
    stmt: &Stmt,
    ends: bool,
) -> SourceResult<Rc<Code>> {
    let (scopes, scope) = Scopes::of(stmt);
    let source = interp.sources.borrow().get(stmt.span.source);
    let mut compiler = Compiler { interp, scopes, levels: Vec::new(), module, ends };
    compiler.levels.push(Level::new(scope, Kind::Cell, "<cell>", "", source, stmt.span));
    compiler.cell(stmt);
    compiler.finish(stmt.span)
}

impl Compiler<'_> {
    fn level(&mut self) -> &mut Level {
        match self.levels.last_mut() {
            Some(level) => level,
            None => unreachable!("code is made for something"),
        }
    }

    fn at_cell(&self) -> bool {
        self.levels.len() == 1
    }

    /// Whether the last operation of a statement here may do without keeping what was there.
    fn may_end(&self) -> bool {
        self.ends && self.at_cell()
    }

    fn code(&mut self) -> &mut Code {
        &mut self.level().code
    }

    /// Ends the innermost function.
    fn finish(&mut self, span: Span) -> SourceResult<Rc<Code>> {
        let Some(mut level) = self.levels.pop() else { return Ok(Rc::new(Code::default())) };
        level.code.module = self.module;
        level.finish().map(Rc::new).ok_or_else(|| {
            let message = "too many variables and values in one function";
            let hint = "a function, or a statement with its blocks, has room for 65,536 of each: \
                        make several of it, or keep the values in a list";
            Box::new(Diagnostic::new(ErrorKind::Syntax, span, message).with_hint(hint))
        })
    }

    fn emit(&mut self, op: Op, span: Span) -> usize {
        let code = self.code();
        code.ops.push(op);
        code.spans.push(span);
        code.ops.len() - 1
    }

    /// A register for a value that is soon used.
    fn temporary(&mut self) -> Reg {
        self.level().temporary()
    }

    /// Which temporaries are in use.
    fn mark(&mut self) -> Reg {
        self.level().next
    }

    /// Those made since then are free again.
    fn release(&mut self, mark: Reg) {
        self.level().next = mark;
    }

    /// The position of a constant in the code's table.
    fn constant(&mut self, value: Value) -> u32 {
        self.level().literals.insert_full(Constant(value)).0 as u32
    }

    /// A position in a table.
    fn checked(&mut self, at: usize) -> u16 {
        u16::try_from(at).unwrap_or_else(|_| {
            self.level().is_too_large = true;
            0
        })
    }

    /// An error that comes when this place is reached.
    fn fail(&mut self, error: Diagnostic) {
        let span = error.span;
        let failures = &mut self.code().failures;
        failures.push(error);
        let at = failures.len() - 1;
        let index = self.checked(at);
        self.emit(Op::Fail { index }, span);
    }

    fn label(&mut self) -> Label {
        self.level().labels.make()
    }

    /// The label stands here.
    fn place(&mut self, label: Label) {
        let here = self.code().ops.len() as u32;
        self.level().labels.place(label, here);
    }

    fn jump(&mut self, label: Label, span: Span) {
        self.emit_jump(Op::Jump { to: 0 }, label, span);
    }

    fn emit_jump(&mut self, op: Op, label: Label, span: Span) {
        let at = self.emit(op, span);
        self.level().labels.refer(at, label);
    }
}

impl fmt::Debug for Compiler<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compiler").field("levels", &self.levels.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_takes_8_bytes() {
        assert_eq!(size_of::<Op>(), 8);
    }
}
