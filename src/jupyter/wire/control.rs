//! The control socket: interrupts and shutdown, which never wait for a cell.

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use jupyter_protocol::{
    InterruptReply, JupyterMessage, JupyterMessageContent, ReplyStatus, ShutdownReply, Status,
};
use jupyter_zmq_client::{Connection, KernelControlConnection};
use zeromq::{Listener, RouterSocket};

use super::connection::{Keyring, adopt};
use super::message::{Dropped, answer, receive};
use super::outbox::Outbox;
use super::{Request, complain};
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

pub fn serve(
    listener: Listener,
    keyring: Keyring,
    office: Office,
    report: Sender<Result<(), String>>,
) {
    super::serve("control", report, |report| async move {
        let mut connection: KernelControlConnection =
            match adopt::<RouterSocket>(listener, &keyring, "control").await {
                Ok(connection) => connection,
                Err(error) => {
                    let _ = report.send(Err(error));
                    return;
                }
            };
        let _ = report.send(Ok(()));
        loop {
            match receive(&mut connection).await {
                Ok(request) => office.handle(&request, &mut connection).await,
                Err(Dropped::Message(problem)) => complain("control", &problem),
                Err(Dropped::Socket(problem)) => {
                    complain("control", &problem);
                    tokio::time::sleep(super::shell::PAUSE).await;
                }
            }
        }
    });
}

impl Office {
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
                complain("control", &format!("`{}` is not known here", request.message_type()));
                None
            }
        };
        if let Some(content) = reply
            && let Err(error) = connection.send(answer(content, request)).await
        {
            complain("control", &format!("the peer has gone: {error}"));
        }
        self.outbox.status(Status::idle(), &request.header);
        if is_last {
            self.end().await;
        }
    }

    /// Lets the main thread end the kernel, or ends it where that takes too long.
    async fn end(&self) {
        self.gate.interrupt();
        let _ = self.to_main.send(Request::Stop);
        tokio::time::sleep(PATIENCE).await;
        self.outbox.flush(PATIENCE);
        std::process::exit(0);
    }
}
