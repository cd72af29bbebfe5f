//! In the place of `re` in a build without the feature `regex`.

use super::super::{Builtin, Call};
use crate::diag::{ErrorKind, Fault};
use crate::interp::value::Value;

/// No pattern can be made, so that nobody asks one for anything.
pub const HIDDEN: &[Builtin] = &[
    missing("compiled_pattern(pattern, flags, /)"),
    missing("matches_of(searcher, text, start, end, how, limit, must_advance, /)"),
    missing("texts_of_groups(text, ends, groups, default, /)"),
    missing("texts_of_matches(searcher, text, start, end, /)"),
    missing("parts_between_matches(searcher, text, limit, /)"),
    missing("replaced_matches(searcher, text, replacement, limit, /)"),
];

const fn missing(signature: &'static str) -> Builtin {
    Builtin::hidden(signature, refuse, "An error: nothing here knows patterns.")
}

fn refuse(_: &mut Call<'_>) -> Result<Value, Fault> {
    let message = "this build of genesis-repl has no regular expressions";
    let hint = "build it with the feature `regex`";
    Err(Fault::new(ErrorKind::Runtime, message).with_hint(hint))
}
