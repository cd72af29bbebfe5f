//! Places: where nodes come from, and where errors stand.

use super::{Evaluator, Value, missing};
use crate::diag::{Diagnostic, ErrorKind, Fault, SourceId, SourceResult, Span, undefined};
use crate::tensor::{Error, Origin};

impl Evaluator<'_> {
    /// Python's truth of a value.
    pub(super) fn truth(&self, value: &Value) -> Result<bool, Error> {
        match value {
            Value::Object(_) => Ok(self.object_truth(value)?),
            _ => Ok(super::convert::truth(&self.interp.engine, value)?),
        }
    }

    #[cold]
    pub(super) fn unknown_name(&self, name: &str, span: Span) -> Box<Diagnostic> {
        if let Some(remedy) = missing::instead_of_name(name) {
            let message = format!("name '{name}' is not defined");
            return placed(Fault::new(ErrorKind::Name, message).with_hint(remedy), span);
        }
        let (scope, known) = (self.interp.scope.borrow(), self.interp.bare_names());
        let own = undefined(name, scope.names());
        if own.hints.is_empty()
            && let Some(import) = self.interp.import_of(name)
        {
            return placed(own.with_hint(format!("`{import}` comes first")), span);
        }
        placed(undefined(name, scope.names().chain(known.iter().map(String::as_str))), span)
    }

    /// Nodes made from here on are about this place.
    pub(super) fn set_place(&self, span: Span) {
        self.interp.engine.set_origin(origin(span));
    }

    /// Gives an error its place: that of the node that failed where the error knows it, else
    /// `span`.
    pub(super) fn place<T>(&self, result: Result<T, Error>, span: Span) -> SourceResult<T> {
        result.map_err(|error| placed(error.into(), span))
    }
}

/// A place as nodes carry it.
pub(super) fn origin(Span { source, start, end }: Span) -> Origin {
    Origin([source.0, start, end])
}

/// A fault at its place: where the work stands that was wrong, if that is known.
#[cold]
pub(super) fn placed(fault: Fault, span: Span) -> Box<Diagnostic> {
    let known = fault.origin.filter(|origin| *origin != Origin::default().0);
    let origin = |[source, start, end]: [u32; 3]| Span { source: SourceId(source), start, end };
    fault.placed(known.map_or(span, origin))
}
