//! The line protocol, `--json`: a request in JSON on each line, an answer on each line. Nothing
//! that a line holds ends the conversation; the end of the input does.

use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::rc::Rc;

use serde_json::{Value as Json, json};

use crate::diag::{CallSite, Diagnostic, ErrorKind, Source, Span};
use crate::report::{Markup, Report};
use crate::session::{KernelTime, KernelTimes, Session, Sink};

use super::batch;

/// Answers requests from standard input. Tensors of more than `limit` elements are not written out.
pub fn run(session: &mut Session, limit: usize) -> ExitCode {
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut line = Vec::new();
    loop {
        line.clear();
        match input.read_until(b'\n', &mut line) {
            Ok(0) => return ExitCode::SUCCESS,
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => return ExitCode::FAILURE,
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let (answer, quit) = answer(session, &line, limit);
        let text = answer.to_string() + "\n";
        match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
            Ok(()) if quit => return ExitCode::SUCCESS,
            Ok(()) => {}
            // Whoever asked has gone, and misses nothing.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {
                return ExitCode::SUCCESS;
            }
            Err(error) => return batch::lost(&error, false),
        }
    }
}

/// The answer to one line, and whether the program asked to quit.
fn answer(session: &mut Session, line: &[u8], limit: usize) -> (Json, bool) {
    let (id, code) = match request(line) {
        Ok(request) => request,
        Err((id, kind, message)) => {
            let error = json!({
                "kind": kind.name(), "message": message, "span": null, "hints": [],
            });
            return (json!({ "id": id, "ok": false, "error": error }), false);
        }
    };
    let mut stdout = Collected::default();
    let mut outcome = session.run(&code, &mut stdout);
    let value = session.show_json(&mut outcome, limit);
    let memory = &outcome.memory;
    let mut answer = json!({
        "id": id,
        "ok": outcome.error.is_none(),
        "stdout": stdout.text,
        "elapsed_us": u64::try_from(outcome.elapsed.as_micros()).unwrap_or(u64::MAX),
        "memory": {
            "allocated": memory.live, "reserved": memory.reserved, "peak": memory.peak,
        },
    });
    if !stdout.notices.is_empty() {
        answer["notices"] = json!(stdout.notices);
    }
    if session.engine().profiling() || !stdout.kernels.is_empty() {
        answer["kernels"] = Json::Array(stdout.kernels);
    }
    match &outcome.error {
        None => answer["value"] = value.unwrap_or_default(),
        Some(error) => answer["error"] = error_json(error, &outcome.sources),
    }
    (answer, outcome.quit)
}

/// A request's id and code, or what is wrong with it.
fn request(line: &[u8]) -> Result<(Json, String), (Json, ErrorKind, String)> {
    let text = std::str::from_utf8(line).map_err(|error| {
        let message = format!("expected UTF-8, found an invalid byte at {}", error.valid_up_to());
        (Json::Null, ErrorKind::Value, message)
    })?;
    let mut request: Json = serde_json::from_str(text).map_err(|error| {
        (Json::Null, ErrorKind::Value, format!("expected a request in JSON: {error}"))
    })?;
    let id = request.get("id").cloned().unwrap_or(Json::Null);
    match request.get_mut("code").map(Json::take) {
        Some(Json::String(code)) => Ok((id, code)),
        found => {
            let found = found.map_or("nothing".to_string(), |found| format!("`{found}`"));
            let message = format!("expected a string under `code`, found {found}");
            Err((id, ErrorKind::Value, message))
        }
    }
}

/// An error and its place in the request, the first of `sources`. What lies in another text, such as
/// a loaded file, has `null` there unless a part of the request led to it, and says where it lies.
fn error_json(error: &Diagnostic, sources: &[Rc<Source>]) -> Json {
    let own = sources.first().map(|own| own.id);
    let labels = error.labels.iter().map(|(span, _)| *span);
    let span = std::iter::once(error.span).chain(labels).find(|span| Some(span.source) == own);
    let bytes = |span: Span| json!([span.start, span.end]);
    let mut answer = json!({
        "kind": error.name(),
        "message": error.message,
        "span": span.map(bytes),
        "hints": error.hints,
    });
    let elsewhere = sources.iter().skip(1).find(|source| source.id == error.span.source);
    if let Some(source) = elsewhere {
        let line = source.line_of(error.span.start as usize).0 + 1;
        answer["source"] = json!({ "name": source.name, "line": line, "span": bytes(error.span) });
    }
    if !error.calls.is_empty() {
        // As a traceback: the outermost first.
        let place = |call: &CallSite| {
            let source = sources.iter().find(|source| source.id == call.span.source);
            json!({
                "function": &*call.function,
                "called_in": source.map(|source| &source.name),
                "line": source.map(|source| source.line_of(call.span.start as usize).0 + 1),
            })
        };
        answer["calls"] = error.calls.iter().rev().map(place).collect();
    }
    if let Some(earlier) = &error.earlier {
        let name = if earlier.is_cause { "cause" } else { "context" };
        answer[name] = error_json(&earlier.error, sources);
    }
    answer
}

/// Keeps what a program prints, and what its commands report, as plain text; what comes beside
/// these has fields of its own.
#[derive(Default)]
struct Collected {
    text: String,
    notices: Vec<String>,
    kernels: Vec<Json>,
}

impl Sink for Collected {
    fn text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn report(&mut self, report: &Report) {
        self.text += &report.to_plain();
        self.text.push('\n');
    }

    fn notice(&mut self, notice: &Markup) {
        self.notices.push(notice.to_plain());
    }

    fn kernel_times(&mut self, times: &KernelTimes) {
        let launch = |launch: &KernelTime| {
            json!({
                "device": times.device.to_string(),
                "name": launch.name,
                "us": launch.microseconds,
                "bytes": launch.traffic,
            })
        };
        self.kernels.extend(times.launches.iter().map(launch));
    }
}
