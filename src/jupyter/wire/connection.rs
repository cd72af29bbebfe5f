//! The connection file, listening where it says and nowhere else, and seats for who comes.

use std::net::TcpListener;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use jupyter_protocol::ConnectionInfo;
use jupyter_protocol::connection_info::Transport;
use jupyter_zmq_client::Connection;
use tokio::task::JoinHandle;
use zeromq::{Listener, Socket, SocketEvent};

use super::door::Door;
use super::signatures::Signatures;

/// Everything that a connection file names, listening.
#[derive(Debug)]
pub struct Sockets {
    pub info: ConnectionInfo,
    pub shell: Door,
    pub iopub: Door,
    pub stdin: Door,
    pub control: Door,
    pub heartbeat: Door,
    pub files: Files,
}

/// Files of sockets, removed in the end.
#[derive(Debug, Default)]
pub struct Files(Vec<PathBuf>);

impl Drop for Files {
    fn drop(&mut self) {
        for path in &self.0 {
            // The front end may have been faster.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// What messages are signed with, and whose they are.
#[derive(Debug, Clone, Default)]
pub struct Keyring {
    pub key: String,
    pub session: String,
    /// What was signed with the key and has come.
    pub used: Signatures,
}

/// Reads a connection file and listens.
///
/// # Errors
/// A message.
pub fn open(file: &Path) -> Result<Sockets, String> {
    let info = read(file)?;
    let mut files = Files::default();
    let mut at = |port| listen(&info, port, &mut files);
    let (shell, iopub, stdin) = (at(info.shell_port)?, at(info.iopub_port)?, at(info.stdin_port)?);
    let (control, heartbeat) = (at(info.control_port)?, at(info.hb_port)?);
    Ok(Sockets { info, shell, iopub, stdin, control, heartbeat, files })
}

fn read(file: &Path) -> Result<ConnectionInfo, String> {
    let name = file.display();
    let text = std::fs::read_to_string(file)
        .map_err(|error| format!("can't read the connection file `{name}`: {error}"))?;
    let info: ConnectionInfo = serde_json::from_str(&text)
        .map_err(|error| format!("`{name}` is no connection file: {error}"))?;
    if !info.key.is_empty() && info.signature_scheme != "hmac-sha256" {
        let found = &info.signature_scheme;
        return Err(format!(
            "expected the signature scheme `hmac-sha256` in `{name}`, found `{found}`"
        ));
    }
    Ok(info)
}

/// Listens at one of the file's ports.
fn listen(info: &ConnectionInfo, port: u16, files: &mut Files) -> Result<Door, String> {
    match info.transport {
        Transport::TCP => {
            // Port 0 would be a place of the system's choice, which nobody could know.
            if port == 0 {
                return Err("expected a port above 0 in the connection file".to_string());
            }
            let ip = if info.ip == "*" { "0.0.0.0" } else { info.ip.as_str() };
            let listener = TcpListener::bind((ip, port))
                .map_err(|error| format!("can't listen at {ip}:{port}: {error}"))?;
            Ok(Door::Tcp(listener))
        }
        Transport::IPC => listen_locally(&PathBuf::from(format!("{}-{port}", info.ip)), files),
    }
}

#[cfg(unix)]
fn listen_locally(path: &Path, files: &mut Files) -> Result<Door, String> {
    let listener = std::os::unix::net::UnixListener::bind(path)
        .map_err(|error| format!("can't listen at `{}`: {error}", path.display()))?;
    files.0.push(path.to_path_buf());
    Ok(Door::Local(listener))
}

#[cfg(not(unix))]
fn listen_locally(path: &Path, _files: &mut Files) -> Result<Door, String> {
    Err(format!("sockets in files, such as `{}`, exist on Unix only", path.display()))
}

/// A guest's own socket.
pub struct Seat<S> {
    pub connection: Connection<S>,
    /// What replies to them are addressed with.
    pub identity: Bytes,
    /// Ends when all that they sent has been read and they have gone. Publishers' sockets do not say.
    pub left: JoinHandle<()>,
}

/// Seats a guest who waits at a listener, once they have introduced themselves.
///
/// # Errors
/// They do not speak the protocol, or not this channel's side of it.
pub async fn seat<S: Socket>(listener: Listener, keyring: &Keyring) -> Result<Seat<S>, String> {
    let mut socket = S::new();
    let mut events = socket.monitor();
    let listening = socket.bind_listener(listener).await;
    listening.map_err(|error| format!("a guest can't be seated: {error}"))?;
    let identity = loop {
        match events.recv().await {
            Ok(SocketEvent::Accepted(_, identity)) => break identity.into(),
            Ok(SocketEvent::AcceptFailed(error)) => return Err(error.to_string()),
            Ok(_) => {}
            Err(error) => return Err(error.to_string()),
        }
    };
    // Nobody else comes this way.
    socket.unbind_all().await;
    let left = tokio::spawn(async move {
        while let Ok(event) = events.recv().await {
            if let SocketEvent::Disconnected(_) = event {
                return;
            }
        }
    });
    let connection = Connection::new(socket, &keyring.key, &keyring.session);
    Ok(Seat { connection, identity, left })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(json: &str) -> Result<ConnectionInfo, String> {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("kernel.json");
        std::fs::write(&file, json).unwrap();
        read(&file)
    }

    const PORTS: &str = r#""shell_port": 1, "iopub_port": 2, "stdin_port": 3, "control_port": 4,
        "hb_port": 5, "ip": "127.0.0.1", "transport": "tcp""#;

    #[test]
    fn a_connection_file_is_checked() {
        let good = format!(r#"{{{PORTS}, "key": "k", "signature_scheme": "hmac-sha256"}}"#);
        assert_eq!(info(&good).unwrap().hb_port, 5);
        let error = info(&good.replace("sha256", "md5")).unwrap_err();
        assert!(error.contains("found `hmac-md5`"), "{error}");
        assert!(info("{").unwrap_err().contains("is no connection file"));
        let error = listen(
            &ConnectionInfo { hb_port: 0, ..info(&good).unwrap() },
            0,
            &mut Files::default(),
        );
        assert!(error.unwrap_err().contains("above 0"));
    }
}
