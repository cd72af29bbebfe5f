//! Messages: read with care, and made as answers to others.

use bytes::Bytes;
use jupyter_protocol::{Header, JupyterMessage, JupyterMessageContent};
use jupyter_zmq_client::{Connection, RawMessage};
use serde_json::{Map, Value, json};
use zeromq::SocketRecv;

use crate::jupyter::info::PROTOCOL;

/// Why a message was dropped.
#[derive(Debug)]
pub enum Dropped {
    /// It is broken, not signed, or not understood.
    Message(String),
    /// The socket has none to give.
    Socket(String),
}

/// The next message with a good signature.
///
/// # Errors
/// What is wrong with it; it is gone then.
pub async fn receive<S: SocketRecv>(
    connection: &mut Connection<S>,
) -> Result<JupyterMessage, Dropped> {
    let frames = connection.socket.recv().await;
    let frames = frames.map_err(|error| Dropped::Socket(error.to_string()))?;
    let raw = RawMessage::from_multipart(frames, &connection.mac);
    let raw = raw.map_err(|error| Dropped::Message(error.to_string()))?;
    let understood = understand(&raw.jparts, raw.zmq_identities);
    understood.map_err(|error| Dropped::Message(error.to_string()))
}

fn understand(
    parts: &[Bytes],
    zmq_identities: Vec<Bytes>,
) -> Result<JupyterMessage, serde_json::Error> {
    let part = |at: usize| parts.get(at).map(|bytes| bytes.as_ref()).unwrap_or_default();
    let header: Header = serde_json::from_slice(part(0))?;
    let mut content: Value = serde_json::from_slice(part(3))?;
    if let Value::Object(fields) = &mut content {
        fill(&header.msg_type, fields);
    }
    let content = JupyterMessageContent::from_type_and_content(&header.msg_type, content)?;
    Ok(JupyterMessage {
        zmq_identities,
        header,
        // A message without a parent has an empty object there.
        parent_header: serde_json::from_slice(part(1)).ok(),
        metadata: serde_json::from_slice(part(2))?,
        content,
        buffers: parts.get(4..).unwrap_or_default().to_vec(),
        channel: None,
    })
}

/// Fields that clients may leave out, or set to null, take the values that Jupyter gives them.
fn fill(kind: &str, fields: &mut Map<String, Value>) {
    let usual = match kind {
        "execute_request" => json!({ "silent": false, "store_history": true }),
        "history_request" => json!({
            "hist_access_type": "tail", "output": false, "raw": true, "session": 0, "start": 0,
            "stop": i32::MAX, "n": i32::MAX, "pattern": "*", "unique": false,
        }),
        "inspect_request" | "complete_request" => json!({ "cursor_pos": u32::MAX }),
        "shutdown_request" => json!({ "restart": false }),
        "comm_open" | "comm_msg" | "comm_close" => json!({ "data": {} }),
        _ => return,
    };
    for (name, value) in usual.as_object().into_iter().flatten() {
        let field = fields.entry(name.clone()).or_insert(Value::Null);
        if field.is_null() {
            *field = value.clone();
        }
    }
}

/// A message that answers `parent`, for the peer who sent that.
pub fn answer(
    content: impl Into<JupyterMessageContent>,
    parent: &JupyterMessage,
) -> JupyterMessage {
    let mut message = JupyterMessage::new(content, Some(parent));
    sign(&mut message.header);
    message
}

/// A message for everybody. One that nobody asked for has no parent.
pub fn announce(
    content: impl Into<JupyterMessageContent>,
    parent: Option<&Header>,
) -> JupyterMessage {
    let mut message = JupyterMessage::new(content, None);
    sign(&mut message.header);
    let topic = format!("kernel.{}", message.header.msg_type);
    message.zmq_identities = vec![topic.into_bytes().into()];
    message.parent_header = parent.cloned();
    message
}

fn sign(header: &mut Header) {
    header.version = PROTOCOL.to_string();
    header.username = "kernel".to_string();
}

/// A name for this run of the kernel.
pub fn session() -> String {
    JupyterMessage::new(jupyter_protocol::Status::starting(), None).header.session
}

#[cfg(test)]
mod tests {
    use super::*;
    use jupyter_protocol::HistoryRequest;

    fn read(kind: &str, content: &str) -> Result<JupyterMessageContent, serde_json::Error> {
        let header = json!({
            "msg_id": "1", "username": "u", "session": "s", "msg_type": kind, "version": "5.3",
            "date": "2026-01-01T00:00:00Z",
        });
        let parts = [header.to_string(), "{}".into(), "{}".into(), content.into()];
        let parts = parts.map(|part: String| Bytes::from(part.into_bytes()));
        understand(&parts, Vec::new()).map(|message| message.content)
    }

    #[test]
    fn what_clients_leave_out() {
        let search = r#"{"hist_access_type": "search", "pattern": "x*", "n": null}"#;
        let Ok(JupyterMessageContent::HistoryRequest(HistoryRequest::Search { n, unique, .. })) =
            read("history_request", search)
        else {
            panic!("a search without all its fields");
        };
        assert_eq!((n, unique), (i32::MAX, false));
        assert!(read("execute_request", r#"{"code": "1"}"#).is_ok());
        assert!(read("shutdown_request", "{}").is_ok());
    }

    #[test]
    fn what_is_no_message() {
        assert!(read("execute_request", "[]").is_err());
        assert!(read("execute_request", r#"{"code": 1}"#).is_err());
        assert!(read("execute_request", "\u{0}").is_err());
        assert!(understand(&[], Vec::new()).is_err());
    }
}
