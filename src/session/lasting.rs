//! Views that go on after their cell: a front end moves them whenever its user does, and they find their tensor anew
//! each time, so that they hold none and show what a name means now.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::progress::Progress;
use super::viewer::Viewed;
use super::{Session, Value};
use crate::device::Course;
use crate::diag::{Diagnostic, ErrorKind, Fault, SourceResult};
use crate::report::Markup;
use crate::report::view::{Errand, Page, Place, Sheet, Subject, Tell};
use crate::syntax;
use crate::syntax::ast::{Expr, ExprKind, StmtKind, UnaryOp};
use crate::tensor::WeakTensor;

/// A view of what an expression of names, fields and items means.
#[derive(Debug)]
pub struct LastingView {
    path: String,
    page: Page,
    /// The tensor that was seen last, if somebody else holds it.
    seen: Option<WeakTensor>,
    sheet: Sheet,
}

/// What a user does with it.
#[derive(Debug)]
pub enum Act {
    Go(Place),
    Run(Errand),
}

impl LastingView {
    /// What was seen last.
    pub fn sheet(&self) -> &Sheet {
        &self.sheet
    }

    pub fn place(&self) -> Place {
        self.page.place()
    }

    pub fn subject(&self) -> &Subject {
        self.page.subject()
    }

    /// Elements may have been written to since.
    pub fn forget(&mut self) {
        self.page.forget();
    }

    /// Says something in place of what the last act came to.
    pub fn say(&mut self, message: Markup) {
        self.sheet.message = Some(message);
    }

    /// Shows another tensor than before, if it is another.
    fn turn_to(&mut self, viewed: &Viewed<'_>, seen: Option<WeakTensor>) -> Result<bool, Fault> {
        let subject = viewed.subject(self.page.subject().title.clone())?;
        let is_same = match (&seen, &self.seen) {
            (Some(now), Some(before)) => now
                .upgrade()
                .is_some_and(|now| before.upgrade().is_some_and(|before| now.is_same(&before))),
            _ => true,
        };
        if *self.page.subject() == subject && is_same {
            return Ok(false);
        }
        let mut page = Page::new(subject);
        // Where the new one has such a place, it is seen there.
        let _ = page.go(&self.page.place());
        page.tell(
            Markup::new()
                .warn(format!("`{}` was assigned anew: this is what it is now", self.path)),
        );
        (self.page, self.seen) = (page, seen);
        Ok(true)
    }
}

impl Session {
    /// A view of what a path means now, which was found to be `viewed`.
    pub(super) fn lasting_view(&mut self, path: &str, title: String) -> Option<LastingView> {
        let (value, seen) = self.value_of(path).ok()?;
        let mut viewed = Viewed::of(self, &value).ok()??;
        let mut page = Page::new(viewed.subject(title).ok()?);
        let sheet = page.sheet(&mut viewed, &mut |_, _| {});
        Some(LastingView { path: path.to_string(), page, seen, sheet })
    }

    /// Does what a user wants of a view; its sheet says what came of it. `watch` is told how far long work is.
    pub fn look(&mut self, view: &mut LastingView, act: Act, watch: &mut dyn FnMut(&Progress)) {
        let looked = catch_unwind(AssertUnwindSafe(|| self.try_look(view, act, watch)));
        let result = looked.unwrap_or_else(|_| {
            self.interp.abandon_statement();
            Err(Fault::new(ErrorKind::Runtime, "internal error; this is a bug in genesis-repl"))
        });
        if let Err(fault) = result {
            let stopped = fault.kind == ErrorKind::KeyboardInterrupt;
            view.say(match stopped {
                true => Markup::new().warn("stopped"),
                false => Markup::new().warn(fault.message),
            });
        }
    }

    fn try_look(
        &mut self,
        view: &mut LastingView,
        act: Act,
        watch: &mut dyn FnMut(&Progress),
    ) -> Result<(), Fault> {
        let gone = |path: &str, what: &str| {
            Fault::type_error(format!("`{path}` {what}: this is what was read before"))
        };
        let (value, seen) = self.value_of(&view.path).map_err(|error| match error.kind {
            ErrorKind::Name | ErrorKind::Key | ErrorKind::Index | ErrorKind::Attribute => {
                gone(&view.path, "is not there any more")
            }
            ErrorKind::KeyboardInterrupt => Fault::new(error.kind, String::new()),
            _ => Fault::type_error(error.message.clone()),
        })?;
        let Some(mut viewed) = Viewed::of(self, &value)? else {
            let what = format!("is {} now, which has no elements", value.type_name());
            return Err(gone(&view.path, &what));
        };
        let is_other = view.turn_to(&viewed, seen)?;
        let mut course: Option<(Course, usize)> = None;
        let mut tell = |done: usize, total: usize| {
            let is_new = course.as_ref().is_none_or(|(_, before)| done < *before);
            if is_new {
                course = Some((Course::begin("working", "elements", total as u64), done));
            }
            if let Some((course, before)) = &mut course {
                *before = done;
                course.told(done as u64).iter().for_each(&mut *watch);
            }
        };
        let tell: &mut Tell<'_> = &mut tell;
        match act {
            Act::Go(place) => {
                // A place of the one before may be none of this one.
                if let Err(message) = view.page.go(&place)
                    && !is_other
                {
                    view.page.tell(Markup::new().warn(message));
                }
            }
            Act::Run(errand) => view.page.run(&errand, &mut viewed, tell),
        }
        view.sheet = view.page.sheet(&mut viewed, tell);
        Ok(())
    }

    /// What a path means, and the tensor whose being another says that it was assigned anew: the one that a name has.
    fn value_of(&mut self, path: &str) -> SourceResult<(Value, Option<WeakTensor>)> {
        let source = self.interp.sources.borrow_mut().add("<view>", path);
        let module = syntax::parse_range(&source, 0..path.len())?;
        let [statement] = module.body.as_slice() else {
            return Err(Box::new(Diagnostic::new(ErrorKind::Syntax, Default::default(), "")));
        };
        self.begin_statement(&format!(":view {path}"), statement.span, false);
        let value = self.quiet().statement(statement)?.unwrap_or(Value::None);
        let named = match &statement.node {
            StmtKind::Expr(expr) => root(expr).and_then(|name| self.interp.get(name)),
            _ => None,
        };
        let seen = match (named, &value) {
            (Some(Value::Tensor(named)), _) => Some(named.downgrade()),
            // What was made for this look alone is another each time.
            (_, Value::Tensor(tensor)) if tensor.identity().1 > 1 => Some(tensor.downgrade()),
            _ => None,
        };
        Ok((value, seen))
    }
}

/// Whether an expression means something that stays and can be found again at no cost: names, fields, and items by
/// what stands in the text.
pub(super) fn is_path(expr: &Expr) -> bool {
    match &expr.node {
        ExprKind::Name(_) => true,
        ExprKind::Attribute { value, .. } => is_path(value),
        ExprKind::Subscript { value, index } => is_path(value) && is_literal(index),
        _ => false,
    }
}

fn is_literal(expr: &Expr) -> bool {
    match &expr.node {
        ExprKind::None
        | ExprKind::Ellipsis
        | ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::Str(_)
        | ExprKind::Bytes(_) => true,
        ExprKind::Unary { op: UnaryOp::Neg, operand } => matches!(operand.node, ExprKind::Int(_)),
        ExprKind::Tuple(items) => items.iter().all(is_literal),
        ExprKind::Slice { start, stop, step } => {
            [start, stop, step].into_iter().flatten().all(|part| is_literal(part))
        }
        _ => false,
    }
}

/// The name that a path begins with.
fn root(expr: &Expr) -> Option<&str> {
    match &expr.node {
        ExprKind::Name(name) => Some(name),
        ExprKind::Attribute { value, .. } | ExprKind::Subscript { value, .. } => root(value),
        _ => None,
    }
}
