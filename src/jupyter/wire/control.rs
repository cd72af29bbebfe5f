//! The control socket: interrupts and shutdown, which never wait for a cell.

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use jupyter_protocol::{
    InterruptReply, JupyterMessage, JupyterMessageContent, ReplyStatus, ShutdownReply, Status,
};
use jupyter_zmq_client::Connection;
use zeromq::RouterSocket;

use super::connection::{Keyring, Seat, seat};
use super::door::{Door, Guest};
use super::message::{Dropped, answer, receive, refusal};
use super::outbox::Outbox;
use super::{Loss, Request, complain};
use crate::jupyter::gate::Gate;

/// How long a running cell and slow readers may hold up the end of the kernel.
const PATIENCE: Duration = Duration::from_millis(1500);

/// What control works with.
#[derive(Debug)]
pub struct Office {
    pub gate: Gate,
    pub outbox: Arc<Outbox>,
    pub to_main: Sender<Request>,
}

pub fn serve(door: Door, keyring: Keyring, office: Office, report: Sender<Result<(), String>>) {
    let (keyring, office) = (Arc::new(keyring), Arc::new(office));
    super::serve("control", door, report, move |guest| {
        let (keyring, office) = (keyring.clone(), office.clone());
        async move { office.attend(guest, &keyring).await }
    });
}

impl Office {
    async fn attend(&self, guest: Guest, keyring: &Keyring) -> Result<(), String> {
        let Seat { mut connection, mut left, .. } =
            seat::<RouterSocket>(guest.listener, keyring).await?;
        loop {
            tokio::select! {
                biased;
                request = receive(&mut connection, &keyring.used) => match request {
                    Ok(request) => self.handle(&request, &mut connection).await,
                    Err(Dropped::Request(request, problem)) => {
                        complain(Loss::Message, "control", &problem);
                        self.refuse(&request, &problem, &mut connection).await;
                    }
                    Err(Dropped::Message(problem)) => complain(Loss::Message, "control", &problem),
                    Err(Dropped::Socket(problem)) => return Err(problem),
                },
                _ = &mut left => return Ok(()),
            }
        }
    }

    async fn handle(&self, request: &JupyterMessage, connection: &mut Connection<RouterSocket>) {
        self.outbox.status(Status::busy(), &request.header);
        let mut is_last = false;
        let reply: Option<JupyterMessageContent> = match &request.content {
            JupyterMessageContent::InterruptRequest(_) => {
                self.gate.interrupt();
                Some(InterruptReply::new().into())
            }
            JupyterMessageContent::ShutdownRequest(shutdown) => {
                is_last = true;
                let restart = shutdown.restart;
                Some(ShutdownReply { restart, status: ReplyStatus::Ok, error: None }.into())
            }
            _ => {
                // What control and shell both take is the main thread's to answer.
                let what = format!("`{}` is not known here", request.message_type());
                complain(Loss::Message, "control", &what);
                None
            }
        };
        if let Some(content) = reply
            && let Err(error) = connection.send(answer(content, request)).await
        {
            complain(Loss::Reply, "control", &format!("the peer has gone: {error}"));
        }
        self.outbox.status(Status::idle(), &request.header);
        if is_last {
            self.end().await;
        }
    }

    /// Answers what can't be understood.
    async fn refuse(
        &self,
        request: &JupyterMessage,
        problem: &str,
        connection: &mut Connection<RouterSocket>,
    ) {
        self.outbox.status(Status::busy(), &request.header);
        let reply = answer(refusal(request, problem), request);
        if let Err(error) = connection.send(reply).await {
            complain(Loss::Reply, "control", &format!("the peer has gone: {error}"));
        }
        self.outbox.status(Status::idle(), &request.header);
    }

    /// Lets the main thread end the kernel, or ends it where that takes too long.
    async fn end(&self) {
        self.gate.interrupt();
        let _ = self.to_main.send(Request::Stop);
        tokio::time::sleep(PATIENCE).await;
        self.outbox.part();
        self.outbox.flush(PATIENCE);
        std::process::exit(0);
    }
}
