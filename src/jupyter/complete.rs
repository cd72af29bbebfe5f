//! Completion, and whether Enter ends an input. Jupyter counts code points, the session bytes.

use jupyter_protocol::{CompleteReply, CompleteRequest, IsCompleteReply, ReplyStatus};
use serde_json::{Map, Value, json};

use crate::session::{Completeness, Session, indentation};

/// Under this name front ends look for the kinds and signatures of matches.
const TYPES: &str = "_jupyter_types_experimental";

pub fn complete(session: &Session, request: &CompleteRequest) -> CompleteReply {
    let CompleteRequest { code, cursor_pos } = request;
    let cursor = byte_of(code, *cursor_pos);
    let found = session.complete(code, cursor);
    let (start, end) = (point_of(code, found.start), point_of(code, cursor));
    let types: Vec<Value> = found
        .items
        .iter()
        .map(|(text, about)| {
            let signature = about.find('(').map_or("", |at| &about[at..]);
            let kind = match about.as_str() {
                "keyword" | "file" | "folder" => about,
                _ if !signature.is_empty() && !about.contains(' ') || about.contains('=') => {
                    "function"
                }
                _ => "instance",
            };
            let signature = if kind == "function" { signature } else { about };
            json!({ "text": text, "type": kind, "signature": signature, "start": start, "end": end })
        })
        .collect();
    let mut metadata = Map::new();
    metadata.insert(TYPES.to_string(), Value::Array(types));
    CompleteReply {
        matches: found.items.into_iter().map(|(text, _)| text).collect(),
        cursor_start: start,
        cursor_end: end,
        metadata,
        status: ReplyStatus::Ok,
        error: None,
    }
}

pub fn is_complete(session: &Session, code: &str) -> IsCompleteReply {
    match session.completeness(code) {
        Completeness::Complete => IsCompleteReply::complete(),
        Completeness::Incomplete { indent } => {
            IsCompleteReply::incomplete(indentation(code, indent))
        }
        Completeness::Invalid => IsCompleteReply::invalid(),
    }
}

/// The byte at which a code point begins; the end of the text for one beyond it.
pub fn byte_of(text: &str, point: usize) -> usize {
    text.char_indices().nth(point).map_or(text.len(), |(at, _)| at)
}

/// How many code points stand before a byte.
fn point_of(text: &str, byte: usize) -> usize {
    text.get(..byte).map_or(0, |before| before.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Config;

    fn session() -> Session {
        Session::new(Config::default().with_device("cpu").unwrap()).unwrap()
    }

    #[test]
    fn the_cursor_counts_code_points() {
        let code = "'🦀é' + arang".to_string();
        let request = CompleteRequest { cursor_pos: code.chars().count(), code };
        let reply = complete(&session(), &request);
        assert_eq!(reply.matches, ["arange"]);
        assert_eq!((reply.cursor_start, reply.cursor_end), (7, 12));
        assert_eq!(reply.metadata[TYPES][0]["type"], "function");
        assert!(reply.metadata[TYPES][0]["signature"].as_str().unwrap().starts_with('('));
    }

    #[test]
    fn likely_ones_come_first() {
        let matches = |code: &str| {
            let request = CompleteRequest { code: code.to_string(), cursor_pos: usize::MAX };
            complete(&session(), &request).matches
        };
        let found = matches("zeros(3, d");
        let (keywords, others) = found.split_at(2);
        assert!(keywords.iter().all(|name| name.ends_with('=')), "{found:?}");
        assert!(others.iter().any(|name| name == "dot"), "{found:?}");
        let found = matches("zeros(3).e");
        let at = |name: &str| found.iter().position(|found| found == name).unwrap();
        assert!(at("exp") < at("exp_") && at("expand") < at("exp_"), "{found:?}");
    }

    #[test]
    fn a_cursor_beyond_the_text_is_at_its_end() {
        let request = CompleteRequest { code: "zeros_l".to_string(), cursor_pos: 4_000_000_000 };
        assert_eq!(complete(&session(), &request).matches, ["zeros_like"]);
    }

    #[test]
    fn enter() {
        let session = session();
        let status = |code| serde_json::to_value(is_complete(&session, code)).unwrap();
        assert_eq!(status("x = 1")["status"], "complete");
        assert_eq!(status("x = [1,"), json!({ "status": "incomplete", "indent": "    " }));
        assert_eq!(status("if x:\n\ty")["indent"], "\t");
        assert_eq!(status("for i in x:\n    if i:")["indent"], "        ");
        assert_eq!(
            status("def f(x):\n    return x"),
            json!({ "status": "incomplete", "indent": "" })
        );
        assert_eq!(status("def f(x):\n    return x\n")["status"], "complete");
        assert_eq!(status("x = )")["status"], "invalid");
    }
}
