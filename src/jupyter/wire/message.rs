//! Messages: read with care, and made as answers to others.

use bytes::Bytes;
use jupyter_protocol::{Header, JupyterMessage, JupyterMessageContent, UnknownMessage};
use jupyter_zmq_client::{Connection, RawMessage};
use serde_json::{Map, Value, json};
use zeromq::{SocketRecv, ZmqMessage};

use super::signatures::Signatures;
use crate::jupyter::info::PROTOCOL;

/// Why a message was dropped.
#[derive(Debug)]
pub enum Dropped {
    /// It is broken, not signed, or not understood.
    Message(String),
    /// Its content is not what a request of its kind has.
    Request(Box<JupyterMessage>, String),
    /// The socket has none to give.
    Socket(String),
}

/// The next message with a good signature.
///
/// # Errors
/// What is wrong with it; it is gone then.
pub async fn receive<S: SocketRecv>(
    connection: &mut Connection<S>,
    used: &Signatures,
) -> Result<JupyterMessage, Dropped> {
    let frames = connection.socket.recv().await;
    let frames = frames.map_err(|error| Dropped::Socket(error.to_string()))?;
    let signature = signature_of(&frames);
    let raw = RawMessage::from_multipart(frames, &connection.mac);
    let raw = raw.map_err(|error| Dropped::Message(error.to_string()))?;
    // Without a key nothing is signed.
    if connection.mac.is_some() && !signature.is_some_and(|signature| used.note(&signature)) {
        return Err(Dropped::Message("its signature came before: it is a replay".to_string()));
    }
    understand(&raw.jparts, raw.zmq_identities)
}

/// The frame behind the delimiter.
fn signature_of(frames: &ZmqMessage) -> Option<Bytes> {
    frames.iter().skip_while(|frame| &frame[..] != b"<IDS|MSG>").nth(1).cloned()
}

fn understand(parts: &[Bytes], zmq_identities: Vec<Bytes>) -> Result<JupyterMessage, Dropped> {
    let part = |at: usize| parts.get(at).map(|bytes| bytes.as_ref()).unwrap_or_default();
    let header: Header = serde_json::from_slice(part(0))
        .map_err(|error| Dropped::Message(format!("its header: {error}")))?;
    let kind = header.msg_type.clone();
    let nothing = UnknownMessage { msg_type: kind.clone(), content: json!({}) };
    let mut message = JupyterMessage {
        zmq_identities,
        header,
        // A message without a parent has an empty object there.
        parent_header: serde_json::from_slice(part(1)).ok(),
        metadata: json!({}),
        content: nothing.into(),
        buffers: parts.get(4..).unwrap_or_default().to_vec(),
        channel: None,
    };
    let mut read = || -> serde_json::Result<()> {
        message.metadata = serde_json::from_slice(part(2))?;
        let mut content: Value = serde_json::from_slice(part(3))?;
        if let Value::Object(fields) = &mut content {
            fill(&kind, fields);
        }
        message.content = JupyterMessageContent::from_type_and_content(&kind, content)?;
        Ok(())
    };
    match read() {
        Ok(()) => Ok(message),
        // Whoever asked waits for an answer.
        Err(error) if kind.ends_with("_request") => {
            Err(Dropped::Request(Box::new(message), error.to_string()))
        }
        Err(error) => Err(Dropped::Message(error.to_string())),
    }
}

/// The reply to a request that can't be understood.
pub fn refusal(request: &JupyterMessage, problem: &str) -> JupyterMessageContent {
    let kind = request.header.msg_type.as_str();
    let reply = format!("{}_reply", kind.strip_suffix("_request").unwrap_or(kind));
    let evalue = format!("the content of `{kind}` can't be understood: {problem}");
    let content =
        json!({ "status": "error", "ename": "ValueError", "evalue": evalue, "traceback": [] });
    UnknownMessage { msg_type: reply, content }.into()
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

/// A name that nothing else has.
pub fn fresh_id() -> String {
    announce(jupyter_protocol::Status::idle(), None).header.msg_id
}

/// A name for this run of the kernel.
pub fn session() -> String {
    JupyterMessage::new(jupyter_protocol::Status::starting(), None).header.session
}

#[cfg(test)]
mod tests {
    use super::*;
    use jupyter_protocol::HistoryRequest;

    fn read(kind: &str, content: &str) -> Result<JupyterMessageContent, Dropped> {
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
        for content in ["[]", r#"{"code": 1}"#, "\u{0}"] {
            let Err(Dropped::Request(request, problem)) = read("execute_request", content) else {
                panic!("{content}");
            };
            let reply = answer(refusal(&request, &problem), &request);
            assert_eq!(reply.header.msg_type, "execute_reply");
            assert_eq!(serde_json::to_value(&reply.content).unwrap()["status"], "error");
        }
        assert!(matches!(read("comm_msg", "3"), Err(Dropped::Message(_))));
        assert!(understand(&[], Vec::new()).is_err());
    }
}
