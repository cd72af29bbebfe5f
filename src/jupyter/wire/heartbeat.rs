//! The heartbeat: whatever arrives goes back as it is, by a thread that does nothing else.

use std::sync::mpsc::Sender;

use zeromq::{RepSocket, SocketRecv, SocketSend};

use super::connection::{Keyring, Seat, seat};
use super::door::{Door, Guest};

pub fn serve(door: Door, report: Sender<Result<(), String>>) {
    super::serve("heartbeat", door, report, echo);
}

pub async fn echo(guest: Guest) -> Result<(), String> {
    let nobody = Keyring::default();
    let Seat { connection, mut left, .. } = seat::<RepSocket>(guest.listener, &nobody).await?;
    let mut socket = connection.socket;
    loop {
        tokio::select! {
            biased;
            beat = socket.recv() => {
                let beat = beat.map_err(|error| error.to_string())?;
                // Whoever has gone needs no answer.
                if socket.send(beat).await.is_err() {
                    return Ok(());
                }
            }
            _ = &mut left => return Ok(()),
        }
    }
}
