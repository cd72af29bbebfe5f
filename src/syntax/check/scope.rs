//! The scopes around a place, and what each has done with its names.

use rustc_hash::FxHashMap;

use crate::diag::{Diagnostic, ErrorKind, SourceResult, Span, Spanned};
use crate::syntax::ast::Ident;

type Judged = SourceResult<()>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Module,
    Class,
    /// Of a `def` or a `lambda`.
    Function,
    Comprehension,
}

/// What is done with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    Read,
    Assigned,
    Imported,
    /// `name: annotation`, which declares it, and `name: annotation = value`.
    Annotated,
    Declared,
    Parameter,
    Global,
    Nonlocal,
    /// The target of a comprehension's loop.
    Iteration,
    /// The target of `:=`, in the comprehension that it stands in.
    Walrus,
}

/// Which of these happened to a name in a scope, and where first.
#[derive(Debug, Clone, Copy)]
struct Name {
    uses: u16,
    first: Span,
}

impl Name {
    fn is(self, any: &[Use]) -> bool {
        any.iter().any(|one| self.uses & (1 << *one as u16) != 0)
    }
}

#[derive(Debug)]
struct Scope {
    kind: Kind,
    names: FxHashMap<Ident, Name>,
    /// The `nonlocal` names of this scope.
    nonlocals: Vec<Spanned<Ident>>,
    /// Those of the scopes inside that have ended, which this one or one around it must bind.
    wanted: Vec<Spanned<Ident>>,
}

impl Scope {
    /// Whether a `nonlocal` inside means this scope's variable.
    fn binds(&self, name: &Ident) -> bool {
        use Use::{Annotated, Assigned, Declared, Imported, Parameter};
        let bound = [Assigned, Imported, Declared, Annotated, Parameter];
        let known = self.names.get(name).filter(|_| self.kind == Kind::Function);
        known.is_some_and(|name| name.is(&bound) && !name.is(&[Use::Global, Use::Nonlocal]))
    }
}

#[derive(Debug)]
pub struct Scopes {
    open: Vec<Scope>,
}

impl Default for Scopes {
    fn default() -> Scopes {
        let mut scopes = Scopes { open: Vec::new() };
        scopes.enter(Kind::Module);
        scopes
    }
}

impl Scopes {
    pub fn enter(&mut self, kind: Kind) {
        self.open.push(Scope {
            kind,
            names: FxHashMap::default(),
            nonlocals: Vec::new(),
            wanted: Vec::new(),
        });
    }

    /// Closes the innermost scope. Only now all that it binds is known.
    pub fn leave(&mut self) -> Judged {
        let Some(mut inner) = self.open.pop() else { return Ok(()) };
        let mut wanted = std::mem::take(&mut inner.wanted);
        wanted.retain(|name| !inner.binds(&name.node));
        wanted.append(&mut inner.nonlocals);
        match (self.open.last_mut(), wanted.first()) {
            (Some(outer), _) => outer.wanted.append(&mut wanted),
            (None, Some(name)) => {
                return Err(wrong_with_hint(
                    name.span,
                    format!("no binding for nonlocal `{}` found", name.node),
                    "a function around must assign it; a variable of the session is `global`",
                ));
            }
            (None, None) => {}
        }
        Ok(())
    }

    pub fn kind(&self) -> Kind {
        self.open.last().map_or(Kind::Module, |scope| scope.kind)
    }

    /// Notes what happens to a name, if it may.
    pub fn note(&mut self, name: &Ident, span: Span, what: Use) -> Judged {
        let Some(scope) = self.open.last_mut() else { return Ok(()) };
        let known = scope.names.get(name).copied();
        match what {
            Use::Global | Use::Nonlocal => {
                if let Some(known) = known {
                    may_declare(name, span, what, known)?;
                }
                if what == Use::Nonlocal {
                    scope.nonlocals.push(Spanned { node: name.clone(), span });
                }
            }
            Use::Annotated | Use::Declared if scope.kind != Kind::Module => {
                if let Some(known) = known.filter(|name| name.is(&[Use::Global, Use::Nonlocal])) {
                    let word = if known.is(&[Use::Global]) { "global" } else { "nonlocal" };
                    let message = format!("annotated name `{name}` cannot be {word}");
                    return Err(twice(span, message, known, word));
                }
            }
            Use::Iteration => {
                if let Some(known) = known.filter(|name| name.is(&[Use::Walrus])) {
                    let message = format!("a loop of a comprehension cannot rebind `{name}`");
                    return Err(twice(span, message, known, "`:=` gives it a value here"));
                }
            }
            _ => {}
        }
        let name = scope.names.entry(name.clone());
        name.or_insert(Name { uses: 0, first: span }).uses |= 1 << what as u16;
        Ok(())
    }

    /// Notes the target of `:=`, which is a variable of the function around all comprehensions.
    pub fn note_walrus(&mut self, name: &Ident, span: Span) -> Judged {
        let is_comprehension = |scope: &&Scope| scope.kind == Kind::Comprehension;
        let around = self.open.iter().rev().take_while(is_comprehension).count();
        let owner = self.open.len().saturating_sub(around + 1);
        for scope in self.open[owner + 1..].iter().rev() {
            if let Some(known) = scope.names.get(name).filter(|name| name.is(&[Use::Iteration])) {
                let message =
                    format!("`:=` cannot rebind `{name}`, a variable of the comprehension");
                return Err(twice(span, message, *known, "its loop is here"));
            }
        }
        if around > 0 && self.open[owner].kind == Kind::Class {
            let message = "`:=` in a comprehension cannot stand in the body of a class";
            return Err(wrong(span, message));
        }
        if around == 0 {
            return self.note(name, span, Use::Assigned);
        }
        let entry = self.open[owner].names.entry(name.clone());
        entry.or_insert(Name { uses: 0, first: span }).uses |= 1 << Use::Assigned as u16;
        self.note(name, span, Use::Walrus)
    }
}

/// Whether `global name` or `nonlocal name` may come behind what the scope did with the name.
fn may_declare(name: &Ident, span: Span, what: Use, known: Name) -> Judged {
    let (word, other) = match what {
        Use::Global => ("global", Use::Nonlocal),
        _ => ("nonlocal", Use::Global),
    };
    let (message, label) = if known.is(&[Use::Parameter]) {
        (format!("`{name}` is a parameter and {word}"), "the parameter")
    } else if known.is(&[other]) {
        (format!("`{name}` is nonlocal and global"), "declared here")
    } else if known.is(&[Use::Read]) {
        (format!("`{name}` is used before its `{word}` declaration"), "used here")
    } else if known.is(&[Use::Annotated, Use::Declared]) {
        (format!("annotated name `{name}` cannot be {word}"), "annotated here")
    } else if known.is(&[Use::Assigned]) {
        (format!("`{name}` is assigned to before its `{word}` declaration"), "assigned here")
    } else {
        return Ok(());
    };
    Err(twice(span, message, known, label))
}

#[cold]
pub fn wrong(span: Span, message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(ErrorKind::Syntax, span, message))
}

/// The same, with what to do instead.
#[cold]
pub fn wrong_with_hint(span: Span, message: impl Into<String>, hint: &str) -> Box<Diagnostic> {
    Box::new(wrong(span, message).with_hint(hint))
}

/// A message about two places.
#[cold]
fn twice(span: Span, message: String, known: Name, label: &str) -> Box<Diagnostic> {
    Box::new(wrong(span, message).with_label(known.first, label))
}
