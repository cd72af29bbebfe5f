//! In the place of `re` in a build without the feature `regex`.

use super::super::{Builtin, Call, Homes};
use crate::diag::{ErrorKind, Fault};
use crate::interp::value::Value;

pub const COMPILED: Builtin = Builtin::new("compiled_pattern(pattern, flags, /)", missing)
    .homes(Homes::NONE)
    .doc("An error: nothing here knows patterns.");

pub const MATCHES: Builtin =
    Builtin::new("matches_of(searcher, text, start, end, how, limit, must_advance, /)", missing)
        .homes(Homes::NONE)
        .doc("An error: nothing here knows patterns.");

fn missing(_: &mut Call<'_>) -> Result<Value, Fault> {
    let message = "this build of genesis-repl has no regular expressions";
    let hint = "build it with the feature `regex`";
    Err(Fault::new(ErrorKind::Runtime, message).with_hint(hint))
}
