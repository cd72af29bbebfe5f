//! Running a cell.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use jupyter_protocol::{
    DisplayData, ErrorOutput, ExecuteInput, ExecuteReply, ExecuteRequest, ExecuteResult,
    ExecutionCount, ExpressionResult, JupyterMessage, Payload, ReplyError, ReplyStatus, Transient,
};

use crate::diag::{Diagnostic, ErrorKind, Source, visible};
use crate::report::excerpt;
use crate::session::{Cell, Nobody, Outcome};

use super::bar::Bar;
use super::kernel::Kernel;
use super::sink::CellSink;
use super::{ansi, display};

impl Kernel {
    pub fn execute(&mut self, parent: &JupyterMessage, request: &ExecuteRequest) -> ExecuteReply {
        let is_kept = request.store_history && !request.silent && !request.code.trim().is_empty();
        let number = self.session.next_number() - usize::from(!is_kept);
        let count = ExecutionCount::new(number);
        let outbox = self.wire.outbox.clone();
        if !request.silent {
            let code = request.code.clone();
            outbox.publish(ExecuteInput { code, execution_count: count }, &parent.header);
        }
        self.live.begin(&self.session, number, &parent.header);
        self.comms.forget();
        let (wire, gate, live, comms) = (&self.wire, &self.gate, &self.live, &mut self.comms);
        let bar = Arc::new(Mutex::new(Bar::new(outbox.clone(), parent.header.clone())));
        let pages = Vec::new();
        let mut sink = CellSink { wire, gate, parent, request, pages, live, bar, comms };
        let name = format!("<In {number}>");
        let cell = Cell { name: &name, text: &request.code, is_kept };
        let mut outcome = self.session.run_cell(&cell, &mut sink);
        let pages = sink.pages;
        let shown = self.session.show(&mut outcome).filter(|_| !request.silent);
        let shown = shown.map(|report| display::result(&report));
        let (media, output) = shown.unzip();
        if is_kept {
            self.history.push(number, &request.code, output);
        }
        if let Some(error) = &outcome.error {
            let reply = self.fail(error, &outcome, parent, request, count);
            self.finish(&outcome, number, parent, request);
            return reply;
        }
        if let Some(media) = media {
            let mut result = ExecuteResult::new(count, media);
            result.transient = Some(Transient::default());
            outbox.publish(result, &parent.header);
        }
        self.finish(&outcome, number, parent, request);
        let expressions = self.expressions(request);
        self.gate.leave(self.gate.is_interrupted());
        let mut payload: Vec<Payload> = pages
            .iter()
            .map(|page| Payload::Page { data: display::page(page), start: 0 })
            .collect();
        if outcome.quit {
            payload.push(Payload::AskExit { keepkernel: false });
            self.is_over = true;
        }
        ExecuteReply {
            status: ReplyStatus::Ok,
            execution_count: count,
            payload,
            user_expressions: Some(expressions),
            error: None,
        }
    }

    /// What follows a cell whatever came of it: its footer, and the panel of the memory.
    fn finish(
        &mut self,
        outcome: &Outcome,
        number: usize,
        parent: &JupyterMessage,
        request: &ExecuteRequest,
    ) {
        if self.session.config().footer && !request.silent {
            let footer = DisplayData::new(display::bundle(&outcome.footer().into()));
            self.wire.outbox.publish(footer, &parent.header);
        }
        self.live.end(&self.session, number, &parent.header);
    }

    fn fail(
        &mut self,
        error: &Diagnostic,
        outcome: &Outcome,
        parent: &JupyterMessage,
        request: &ExecuteRequest,
        execution_count: ExecutionCount,
    ) -> ExecuteReply {
        self.gate.leave(error.kind == ErrorKind::KeyboardInterrupt);
        // Before anybody can react to the error.
        if request.stop_on_error {
            self.abort_waiting();
        }
        let ReplyError { ename, evalue, traceback } = words(error, &outcome.sources);
        let output = ErrorOutput {
            ename: ename.clone(),
            evalue: evalue.clone(),
            traceback: traceback.clone(),
        };
        if !request.silent {
            self.wire.outbox.publish(output, &parent.header);
        }
        ExecuteReply {
            status: ReplyStatus::Error,
            execution_count,
            user_expressions: Some(HashMap::new()),
            error: Some(Box::new(ReplyError { ename, evalue, traceback })),
            ..ExecuteReply::default()
        }
    }

    /// What the client wants to know beside the cell.
    fn expressions(&mut self, request: &ExecuteRequest) -> HashMap<String, ExpressionResult> {
        let asked = request.user_expressions.iter().flatten();
        let mut results = HashMap::new();
        for (name, text) in asked {
            let cell = Cell { name: "<expression>", text, is_kept: false };
            let outcome = self.session.run_cell(&cell, &mut Nobody);
            let result = match &outcome.error {
                Some(error) => {
                    let ReplyError { ename, evalue, traceback } = words(error, &outcome.sources);
                    ExpressionResult::Error { ename, evalue, traceback }
                }
                None => ExpressionResult::Ok {
                    data: match &outcome.value {
                        Some(value) => display::text(self.session.repr(value)),
                        None => display::text(String::new()),
                    },
                    metadata: serde_json::Map::new(),
                },
            };
            results.insert(name.clone(), result);
        }
        results
    }
}

/// An error as Jupyter tells it: its place with carets, and the hints, are the traceback.
fn words(error: &Diagnostic, sources: &[Rc<Source>]) -> ReplyError {
    ReplyError {
        ename: error.name().to_string(),
        evalue: visible(&error.message).into_owned(),
        traceback: ansi::lines(&excerpt(error, sources)),
    }
}
