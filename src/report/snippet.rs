use crate::diag::{Diagnostic, Source};

use super::Markup;

/// A diagnostic with the text that it is about.
pub fn excerpt(diagnostic: &Diagnostic, _source: &Source) -> Markup {
    Markup::new().error(diagnostic.kind.name()).plain(format!(": {}", diagnostic.message))
}
