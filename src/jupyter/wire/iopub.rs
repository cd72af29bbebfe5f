//! Iopub: what is published, to each reader at their own pace.

use std::sync::Arc;

use jupyter_protocol::IoPubWelcome;
use jupyter_zmq_client::SubscriptionEvent;
use zeromq::XPubSocket;

use super::connection::{Keyring, Seat, seat};
use super::door::Guest;
use super::message::announce;
use super::outbox::Outbox;
use super::queue::Queue;
use super::{Loss, complain};

/// Sends one reader what is published from their first subscription on, each of which is welcomed.
pub async fn attend(mut guest: Guest, keyring: &Keyring, outbox: &Outbox) -> Result<(), String> {
    let Seat { mut connection, .. } = seat::<XPubSocket>(guest.listener, keyring).await?;
    let mut place: Option<Place<'_>> = None;
    loop {
        let message = tokio::select! {
            biased;
            event = connection.recv_subscription() => match event {
                Ok(SubscriptionEvent::Subscribe(topic)) => {
                    place.get_or_insert_with(|| Place::take(outbox));
                    let mut welcome = announce(IoPubWelcome::new(topic.clone()), None);
                    welcome.zmq_identities = vec![topic.into_bytes().into()];
                    welcome
                }
                Ok(SubscriptionEvent::Unsubscribe(_)) => continue,
                Err(error) => {
                    complain(Loss::Message, "iopub", &error.to_string());
                    tokio::time::sleep(super::PAUSE).await;
                    continue;
                }
            },
            message = next(place.as_ref()) => Arc::unwrap_or_clone(message),
            _ = &mut guest.gone => return Ok(()),
        };
        tokio::select! {
            sent = connection.send(message) => if let Err(error) = sent {
                complain(Loss::Reply, "iopub", &error.to_string());
            },
            () = given_up(place.as_ref()) => {
                return Err("a reader is too far behind, and is sent away".to_string());
            }
        }
    }
}

async fn next(place: Option<&Place<'_>>) -> Arc<jupyter_protocol::JupyterMessage> {
    match place {
        Some(place) => place.queue.next().await,
        None => std::future::pending().await,
    }
}

async fn given_up(place: Option<&Place<'_>>) {
    match place {
        Some(place) => place.queue.given_up().await,
        None => std::future::pending().await,
    }
}

/// A reader's place among the readers, theirs as long as this lives.
struct Place<'a> {
    outbox: &'a Outbox,
    queue: Arc<Queue>,
}

impl<'a> Place<'a> {
    fn take(outbox: &'a Outbox) -> Place<'a> {
        Place { outbox, queue: outbox.readers.join() }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.outbox.readers.leave(&self.queue);
    }
}
