//! Shell, stdin and iopub: requests in their order to the main thread, what it says to the peers.

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use jupyter_protocol::{IoPubWelcome, JupyterMessageContent};
use jupyter_zmq_client::{
    KernelIoPubXPubConnection, RouterRecvConnection, RouterSendConnection, SubscriptionEvent,
};
use zeromq::{Listener, RouterSocket, XPubSocket};

use super::connection::{Keyring, adopt};
use super::message::{Dropped, announce, receive};
use super::outbox::{Outbox, Queue};
use super::{Request, complain};
use crate::jupyter::gate::Gate;

/// After a failure of a socket, so that one that lasts does not keep a core busy.
pub const PAUSE: Duration = Duration::from_millis(10);

/// The three listeners.
#[derive(Debug)]
pub struct Listeners {
    pub shell: Listener,
    pub iopub: Listener,
    pub stdin: Listener,
}

/// Where requests go.
#[derive(Debug)]
pub struct Counter {
    pub gate: Gate,
    pub to_main: Sender<Request>,
    pub to_input: Sender<String>,
}

pub fn serve(
    listeners: Listeners,
    keyring: Keyring,
    counter: Counter,
    outbox: Arc<Outbox>,
    report: Sender<Result<(), String>>,
) {
    super::serve("shell", report, |report| async move {
        let Listeners { shell, iopub, stdin } = listeners;
        let sockets = async {
            let shell = adopt::<RouterSocket>(shell, &keyring, "shell").await?;
            let stdin = adopt::<RouterSocket>(stdin, &keyring, "stdin").await?;
            let iopub = adopt::<XPubSocket>(iopub, &keyring, "iopub").await?;
            Ok((shell.split(), stdin.split(), iopub))
        };
        let ((answers, requests), (questions, lines), iopub) = match sockets.await {
            Ok(sockets) => sockets,
            Err(error) => {
                let _ = report.send(Err(error));
                return;
            }
        };
        let _ = report.send(Ok(()));
        tokio::join!(
            counter.take_requests(requests),
            counter.take_lines(lines),
            send(answers, &outbox.replies, "shell"),
            send(questions, &outbox.questions, "stdin"),
            publish(iopub, &outbox.published),
        );
    });
}

impl Counter {
    async fn take_requests(&self, mut connection: RouterRecvConnection) {
        loop {
            match receive(&mut connection).await {
                Ok(message) => {
                    if matches!(message.content, JupyterMessageContent::ExecuteRequest(_)) {
                        self.gate.admit();
                    }
                    if self.to_main.send(Request::Message(Box::new(message))).is_err() {
                        return;
                    }
                }
                Err(dropped) => drop_one("shell", dropped).await,
            }
        }
    }

    async fn take_lines(&self, mut connection: RouterRecvConnection) {
        loop {
            match receive(&mut connection).await.map(|message| message.content) {
                Ok(JupyterMessageContent::InputReply(reply)) => {
                    if self.to_input.send(reply.value).is_err() {
                        return;
                    }
                }
                Ok(other) => {
                    complain("stdin", &format!("`{}` is not known here", other.message_type()));
                }
                Err(dropped) => drop_one("stdin", dropped).await,
            }
        }
    }
}

async fn drop_one(channel: &str, dropped: Dropped) {
    match dropped {
        Dropped::Message(problem) => complain(channel, &problem),
        Dropped::Socket(problem) => {
            complain(channel, &problem);
            tokio::time::sleep(PAUSE).await;
        }
    }
}

async fn send(mut connection: RouterSendConnection, queue: &Queue, channel: &str) {
    loop {
        let message = queue.next().await;
        if let Err(error) = connection.send(message).await {
            complain(channel, &format!("the peer has gone: {error}"));
        }
    }
}

/// Publishes, and welcomes whoever subscribes: subscriptions take effect only when they are read.
async fn publish(mut connection: KernelIoPubXPubConnection, queue: &Queue) {
    loop {
        tokio::select! {
            biased;
            event = connection.recv_subscription() => match event {
                Ok(SubscriptionEvent::Subscribe(topic)) => {
                    let mut welcome = announce(IoPubWelcome::new(topic.clone()), None);
                    welcome.zmq_identities = vec![topic.into_bytes().into()];
                    if let Err(error) = connection.send(welcome).await {
                        complain("iopub", &error.to_string());
                    }
                }
                Ok(SubscriptionEvent::Unsubscribe(_)) => {}
                Err(error) => drop_one("iopub", Dropped::Socket(error.to_string())).await,
            },
            message = queue.next() => {
                if let Err(error) = connection.send(message).await {
                    complain("iopub", &error.to_string());
                }
            }
        }
    }
}
