//! The texts of a match's groups.

use crate::interp::Evaluator;
use crate::interp::value::{Str, Value};

/// Of a text, the ends of the groups in it, a tuple of numbers of groups and a default: the text of a single group, or
/// a tuple of texts. `None` where there is no such group, or it goes by a name.
pub(super) fn texts(evaluator: &Evaluator<'_>, arguments: &[Value]) -> Option<Value> {
    let [text, Value::Tuple(ends), Value::Tuple(groups), default] = arguments else { return None };
    let Value::Str(text) = text.plain() else { return None };
    let part = |group: &Value| {
        let Value::Int(group) = group else { return None };
        let at = 2 * usize::try_from(*group).ok()?;
        let (Value::Int(start), Value::Int(end)) = (ends.get(at)?, ends.get(at + 1)?) else {
            return None;
        };
        match usize::try_from(*start) {
            Ok(start) => Some(between(evaluator, text, start, usize::try_from(*end).ok()?)),
            Err(_) => Some(default.clone()),
        }
    };
    match &**groups {
        [] => part(&Value::Int(0)),
        [group] => part(group),
        several => several.iter().map(part).collect::<Option<_>>().map(Value::Tuple),
    }
}

fn between(evaluator: &Evaluator<'_>, text: &Str, start: usize, end: usize) -> Value {
    let bytes = text.byte_of(start)..text.byte_of(end.max(start));
    evaluator.interp.part(&text[bytes])
}
