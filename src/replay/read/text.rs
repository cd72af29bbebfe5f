//! Lines `a ID BYTES` for a request and `f ID` for its end; what follows `#` is a comment.

use rustc_hash::FxHashMap;

use super::input::Input;
use crate::diag::visible;
use crate::io::Error;
use crate::replay::trace::{Op, Origin, Site, Trace};

pub(super) fn read(input: &mut Input<'_>) -> Result<Vec<Trace>, Error> {
    let mut trace = Trace::new(Origin::Text, "");
    let mut live: FxHashMap<u64, u32> = FxHashMap::default();
    let (mut line, mut number) = (Vec::new(), 0u64);
    while input.line(&mut line)? {
        number += 1;
        let wrong = |words: &str| Error::format(format!("line {number}: {words}"));
        let Ok(text) = std::str::from_utf8(&line) else { return wrong("it is not in UTF-8") };
        let text = text.split('#').next().unwrap_or_default();
        let words: Vec<&str> = text.split_whitespace().take(4).collect();
        match words.as_slice() {
            [] => {}
            ["a", id, bytes] => match (id.parse(), bytes.parse()) {
                (Ok(id), Ok(bytes)) if bytes <= i64::MAX as u64 => {
                    let block = trace.allocate(bytes, 0, Site::UNKNOWN);
                    if live.insert(id, block).is_some() {
                        return wrong(&format!("{id} is asked for, and it has not been freed"));
                    }
                }
                _ => return wrong("expected `a ID BYTES`, both whole numbers"),
            },
            ["f", id] => match id.parse().ok().and_then(|id: u64| live.remove(&id)) {
                Some(id) => trace.ops.push(Op::Free { id }),
                None => return wrong("it frees what is not there"),
            },
            _ => {
                let found: String = text.trim().chars().take(40).collect();
                let found = visible(&found);
                return wrong(&format!("expected `a ID BYTES` or `f ID`, found `{found}`"));
            }
        }
    }
    match trace.ops.is_empty() {
        true => Error::format("the trace has no steps"),
        false => Ok(vec![trace]),
    }
}
