//! Shell and stdin: requests in their order to the main thread, its replies and questions to the peers.

use std::collections::HashMap;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use jupyter_protocol::{JupyterMessage, JupyterMessageContent};
use jupyter_zmq_client::RouterSendConnection;
use zeromq::RouterSocket;

use super::connection::{Keyring, Seat, seat};
use super::door::Guest;
use super::message::{Dropped, receive};
use super::outbox::Outbox;
use super::queue::Queue;
use super::{Loss, Request, complain};
use crate::jupyter::gate::Gate;

/// Where requests go, and what comes back from there.
#[derive(Debug)]
pub struct Counter {
    pub keyring: Keyring,
    pub gate: Gate,
    pub to_main: Sender<Request>,
    pub to_input: Sender<String>,
    pub outbox: Arc<Outbox>,
    pub shell: Seats,
    pub stdin: Seats,
}

/// The guests of a channel by their identities.
#[derive(Default)]
pub struct Seats(Mutex<HashMap<Bytes, Arc<RouterSendConnection>>>);

impl Counter {
    /// Takes one guest's requests.
    pub async fn attend_shell(self: Arc<Self>, guest: Guest) -> Result<(), String> {
        let take = |request: Request| {
            // What may take long, and may be interrupted.
            if let Request::Message(message) = &request
                && matches!(
                    message.content,
                    JupyterMessageContent::ExecuteRequest(_) | JupyterMessageContent::CommMsg(_)
                )
            {
                self.gate.admit();
            }
            self.to_main.send(request).is_ok()
        };
        attend(guest, &self.keyring, &self.shell, "shell", take).await
    }

    /// Takes what one guest's user types.
    pub async fn attend_stdin(self: Arc<Self>, guest: Guest) -> Result<(), String> {
        let take = |request: Request| {
            let (Request::Message(message) | Request::Malformed(message, _)) = request else {
                return true;
            };
            match message.content {
                JupyterMessageContent::InputReply(reply) => self.to_input.send(reply.value).is_ok(),
                other => {
                    let what = format!("`{}` is not known here", other.message_type());
                    complain(Loss::Message, "stdin", &what);
                    true
                }
            }
        };
        attend(guest, &self.keyring, &self.stdin, "stdin", take).await
    }
}

async fn attend(
    guest: Guest,
    keyring: &Keyring,
    seats: &Seats,
    channel: &str,
    take: impl Fn(Request) -> bool,
) -> Result<(), String> {
    let Seat { connection, identity, mut left } =
        seat::<RouterSocket>(guest.listener, keyring).await?;
    let (sender, mut receiver) = connection.split();
    let sender = Arc::new(sender);
    seats.take(&identity, &sender);
    loop {
        tokio::select! {
            biased;
            message = receive(&mut receiver, &keyring.used) => match message {
                Ok(message) => if !take(Request::Message(Box::new(message))) {
                    // The main thread has ended.
                    break;
                },
                Err(Dropped::Request(request, problem)) => {
                    complain(Loss::Message, channel, &problem);
                    if !take(Request::Malformed(request, problem)) {
                        break;
                    }
                }
                Err(Dropped::Message(problem)) => complain(Loss::Message, channel, &problem),
                Err(Dropped::Socket(problem)) => {
                    complain(Loss::Connection, channel, &problem);
                    break;
                }
            },
            _ = &mut left => break,
        }
    }
    seats.leave(&identity, &sender);
    Ok(())
}

/// Sends what waits in a queue, each message to whom it is addressed.
pub async fn deliver(queue: &Queue, seats: &Seats, channel: &str) {
    loop {
        let message = Arc::unwrap_or_clone(queue.next().await);
        let sent = match seats.find(&message) {
            Some(mut connection) => connection.send(message).await.map_err(|it| it.to_string()),
            None => Err("nobody has its identity".to_string()),
        };
        if let Err(error) = sent {
            complain(Loss::Reply, channel, &format!("the peer has gone: {error}"));
        }
    }
}

impl Seats {
    /// A front end that has lost its connection comes back under its identity, maybe before the end of
    /// the old connection is known. The newcomer gets the replies.
    fn take(&self, identity: &Bytes, sender: &Arc<RouterSendConnection>) {
        self.taken().insert(identity.clone(), sender.clone());
    }

    fn leave(&self, identity: &Bytes, sender: &Arc<RouterSendConnection>) {
        let mut taken = self.taken();
        if taken.get(identity).is_some_and(|it| Arc::ptr_eq(it, sender)) {
            taken.remove(identity);
        }
    }

    fn find(&self, message: &JupyterMessage) -> Option<RouterSendConnection> {
        let taken = self.taken();
        let found = taken.get(message.zmq_identities.first()?)?;
        let (socket, mac) = (found.socket.clone(), found.mac.clone());
        Some(RouterSendConnection { socket, mac, session_id: found.session_id.clone() })
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<Bytes, Arc<RouterSendConnection>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Seats {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.taken().keys()).finish()
    }
}
