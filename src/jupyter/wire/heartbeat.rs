//! The heartbeat: whatever arrives goes back as it is, by a thread that does nothing else.

use std::sync::mpsc::Sender;

use zeromq::{Listener, RepSocket, SocketRecv, SocketSend};

use super::connection::{Keyring, adopt};

pub fn serve(listener: Listener, report: Sender<Result<(), String>>) {
    super::serve("heartbeat", report, |report| async move {
        let nobody = Keyring { key: String::new(), session: String::new() };
        let mut socket = match adopt::<RepSocket>(listener, &nobody, "heartbeat").await {
            Ok(connection) => connection.socket,
            Err(error) => {
                let _ = report.send(Err(error));
                return;
            }
        };
        let _ = report.send(Ok(()));
        loop {
            match socket.recv().await {
                // A client that has gone needs no answer.
                Ok(beat) => _ = socket.send(beat).await,
                Err(error) => {
                    super::complain("heartbeat", &error.to_string());
                    tokio::time::sleep(super::shell::PAUSE).await;
                }
            }
        }
    });
}
