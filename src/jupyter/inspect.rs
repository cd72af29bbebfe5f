//! Help at the cursor: Shift-Tab in a notebook.

use jupyter_protocol::{InspectReply, InspectRequest};

use crate::session::Session;

use super::complete::byte_of;
use super::display;

pub fn inspect(session: &Session, request: &InspectRequest) -> InspectReply {
    let cursor = byte_of(&request.code, request.cursor_pos);
    let found = session.inspect(&request.code, cursor);
    InspectReply {
        found: found.is_some(),
        data: found.as_ref().map(display::page).unwrap_or_default(),
        ..InspectReply::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Config;

    #[test]
    fn the_name_at_the_cursor_or_the_call_around_it() {
        let session = Session::new(Config::default().with_device("cpu").unwrap()).unwrap();
        let look = |code: &str, cursor_pos| {
            let request =
                InspectRequest { code: code.to_string(), cursor_pos, detail_level: Some(0) };
            let reply = inspect(&session, &request);
            let json = serde_json::to_value(&reply.data).unwrap();
            reply.found.then(|| json["text/plain"].as_str().unwrap().to_string())
        };
        for (code, cursor) in [("zeros", 0), ("x = zeros(3)", 6), ("zeros(", 6), ("zeros(2, ", 9)] {
            let text = look(code, cursor).unwrap_or_else(|| panic!("{code}"));
            assert!(text.contains("zeros("), "{code}: {text}");
        }
        assert!(look(":mem wat", 8).unwrap().contains(":mem [WHAT]"));
        assert_eq!(look("nothing_of_that_name", 3), None);
        assert_eq!(look("", 0), None);
    }
}
