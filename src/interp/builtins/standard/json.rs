//! `json`: texts of JSON to values, and back.

mod dump;
mod load;

use super::super::Builtin;
use crate::interp::value::Module;

pub const BUILTINS: &[Builtin] = &[
    super::of(
        Module::Json,
        "loads(s, /, *, cls=None, object_hook=None, parse_float=None, parse_int=None, parse_constant=None, object_pairs_hook=None, **options)",
        load::loads,
        "The value that a text of JSON writes down; json.JSONDecodeError where it is none.",
    )
    .example("import json\njson.loads('{\"a\": [1, 2.5, null]}')"),
    super::of(
        Module::Json,
        "dumps(obj, /, *, skipkeys=False, ensure_ascii=True, allow_nan=True, cls=None, indent=None, separators=None, default=None, sort_keys=False)",
        dump::dumps,
        "A value as a text of JSON.",
    )
    .asks_objects()
    .example("import json\njson.dumps({\"a\": [1, 2.5, None]})"),
];

/// Functions without a name in the language.
pub const HIDDEN: &[Builtin] = &[Builtin::hidden(
    "scan_json(s, idx, strict, object_hook, parse_float, parse_int, parse_constant, object_pairs_hook, /)",
    load::scanned,
    "The value that stands at a place of a text of JSON, and where it ends.",
)];
