//! An expression inside another one. A long chain, `1 + 1 + …` or `a.b.c…`, is as deep as it is long: whatever is
//! done with all that is in there finds room on the native stack at each level.

use std::fmt;
use std::ops::Deref;

use super::{Expr, ExprKind};
use crate::diag::Spanned;
use crate::syntax::room::with_room;

pub struct Inner(Box<Expr>);

impl Inner {
    pub fn new(expr: Expr) -> Inner {
        Inner(Box::new(expr))
    }
}

impl Deref for Inner {
    type Target = Expr;

    fn deref(&self) -> &Expr {
        &self.0
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        let nothing = Spanned { node: ExprKind::None, span: self.0.span };
        let expr = std::mem::replace(&mut *self.0, nothing);
        with_room(|| drop(expr));
    }
}

impl Clone for Inner {
    fn clone(&self) -> Inner {
        with_room(|| Inner(self.0.clone()))
    }
}

impl PartialEq for Inner {
    fn eq(&self, other: &Inner) -> bool {
        with_room(|| self.0 == other.0)
    }
}

impl fmt::Debug for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        with_room(|| self.0.fmt(f))
    }
}
