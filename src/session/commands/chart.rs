//! `:plot`, `:hist` and `:heat`.

use super::Call;
use crate::diag::{At, Diagnostic, ErrorKind, Fault, SourceResult, Span};
use crate::interp::Value;
use crate::interp::array_like::to_tensor;
use crate::report::{Chart, Markup, Plot, counted};
use crate::session::memory_view::brief;
use crate::syntax::ast::{ExprKind, StmtKind};
use crate::tensor::Tensor;

/// Bins unless the user says, and the most of them.
const BINS: usize = 20;
const MAX_BINS: usize = 1000;

/// More lines than this can't be told apart.
const MAX_LINES: usize = 8;

/// Columns of a legend's entry, and of a title.
const LABEL: usize = 24;
const TITLE: usize = 60;

/// What is to be drawn: an expression's value, its text and its place.
pub(super) struct Subject {
    pub value: Value,
    pub text: String,
    pub span: Span,
}

impl Subject {
    /// Its elements as a tensor.
    fn tensor(&self, call: &Call<'_>) -> SourceResult<Tensor> {
        // What stays in a file is read to be drawn.
        let own = call.session.quiet().array_of(&self.value).at(self.span)?;
        let value = own.as_ref().unwrap_or(&self.value);
        let tensor = to_tensor(call.session.engine(), value, None);
        let tensor = tensor.map_err(|_| {
            let found = self.value.type_name();
            Fault::type_error(format!("expected numbers to draw, found {found}"))
        });
        let tensor = tensor.at(self.span)?;
        if tensor.elem_count() == 0 {
            let message = "expected numbers to draw, found a tensor without elements";
            return Err(Fault::value_error(message)).at(self.span);
        }
        if tensor.dtype().is_complex() {
            let message = format!("expected real numbers to draw, found {}", tensor.dtype());
            let hint = "`x.real`, `x.imag`, `abs(x)` and `angle(x)` are real";
            return Err(Fault::type_error(message).with_hint(hint)).at(self.span);
        }
        Ok(tensor)
    }
}

pub fn plot(call: &mut Call<'_>) -> SourceResult<()> {
    let start = call.args.start as usize;
    let subject = evaluate(call, start)?;
    let title = brief(&subject.text, TITLE);
    let mut parts = parts(call, subject, start)?;
    let x = match parts.len() {
        1 => None,
        _ => Some(parts.remove(0)),
    };
    let x = match x {
        Some(x) => Some((vector(&x.tensor(call)?, x.span)?, x.span)),
        None => None,
    };
    let mut ys: Vec<(String, Tensor, Span)> = Vec::new();
    for part in &parts {
        let (tensor, label) = (part.tensor(call)?, brief(&part.text, LABEL));
        if tensor.rank() != 2 {
            ys.push((label, vector(&tensor, part.span)?, part.span));
            continue;
        }
        for column in 0..tensor.shape()[1] {
            let engine = call.session.engine();
            let line = engine.narrow(&tensor, 1, column, 1, 1);
            let line = line.and_then(|line| engine.squeeze(&line, Some(&[1])));
            ys.push((format!("{label}[:, {column}]"), line.at(part.span)?, part.span));
            if ys.len() > MAX_LINES {
                break;
            }
        }
    }
    if let Some((.., span)) = ys.get(MAX_LINES) {
        let message = format!("expected no more than {MAX_LINES} lines, which can be told apart");
        let fault = Fault::value_error(message).with_hint("`:heat` draws a matrix whole");
        return Err(fault).at(*span);
    }
    if let Some((x, _)) = &x {
        for (label, y, span) in &ys {
            let (found, wanted) = (y.elem_count(), x.elem_count());
            if found != wanted {
                let found = counted(found, "number");
                let message = format!("`{label}` has {found}, and x has {wanted}");
                let fault = Fault::value_error(message);
                return Err(fault.with_hint("each y needs as many numbers as x")).at(*span);
            }
        }
    }
    let tensors: Vec<Tensor> = ys.iter().map(|(_, y, _)| y.clone()).collect();
    let curves = call.session.engine().curves(x.as_ref().map(|(x, _)| x), &tensors);
    let mut lines = curves.at(call.args)?;
    for (line, (label, ..)) in lines.iter_mut().zip(ys) {
        line.title = label;
    }
    call.show(Chart::Plot(Plot { title, lines }));
    Ok(())
}

pub fn hist(call: &mut Call<'_>) -> SourceResult<()> {
    let words = call.words();
    let (bins, start) = match words.as_slice() {
        [flag, count, ..] if flag.text == "-n" => {
            let bins = call.count(*count, 1)?;
            if bins > MAX_BINS {
                let message = format!("expected no more than {MAX_BINS} bins, found {bins}");
                return Err(call.misuse(count.span, message));
            }
            (bins, count.span.end as usize)
        }
        [flag] if flag.text == "-n" => {
            return Err(call.misuse(flag.span, "expected a number after `-n`"));
        }
        // What lists statements elsewhere.
        [] => {
            let error = call.misuse(call.name, "expected an expression to draw");
            return Err(Box::new(error.with_hint("`:history` lists the statements so far")));
        }
        _ => (BINS, call.args.start as usize),
    };
    let subject = evaluate(call, start)?;
    if let Value::Int(count) = subject.value {
        let error = call.misuse(subject.span, "expected several numbers to draw, found one");
        let hint = format!(
            "`:history {count}` lists the last {}",
            counted(count.max(0) as u64, "statement")
        );
        return Err(Box::new(error.with_hint(hint)));
    }
    let tensor = subject.tensor(call)?;
    let bars = call.session.engine().bars(&tensor, bins).at(subject.span)?;
    match bars {
        Some(bars) if bars.counts.iter().all(|count| *count == 0) => {
            let odd = bars.left_out().map_or(String::new(), |odd| format!(": {odd}"));
            call.show(Markup::new().dim(format!("no finite number to count{odd}")));
        }
        Some(mut bars) => {
            bars.title = brief(&subject.text, TITLE);
            call.show(Chart::Bars(bars));
        }
        None => call.show(Markup::new().dim("no finite number to count")),
    }
    Ok(())
}

pub fn heat(call: &mut Call<'_>) -> SourceResult<()> {
    let subject = evaluate(call, call.args.start as usize)?;
    let tensor = subject.tensor(call)?;
    let chart = call.session.engine().heat(&tensor).at(subject.span)?;
    if let Some(Chart::Heat(mut heat)) = chart {
        // Of more than two axes it says which part is drawn.
        heat.title = brief(&format!("{}{}", subject.text, heat.title), TITLE);
        call.show(Chart::Heat(heat));
    }
    Ok(())
}

/// Runs the one expression from byte `start` on.
pub(super) fn evaluate(call: &mut Call<'_>, start: usize) -> SourceResult<Subject> {
    let statements = call.statements(start)?;
    let [statement] = statements.as_slice() else {
        return Err(call.misuse(statements[1].span, "expected one expression, found more"));
    };
    if !matches!(statement.node, StmtKind::Expr(_)) {
        return Err(call.misuse(statement.span, "expected an expression, found a statement"));
    }
    let number = call.session.next_number().saturating_sub(1);
    let value = call.session.statement(statement, call.source, number, call.sink)?;
    let (text, span) = (call.source.slice(statement.span).to_string(), statement.span);
    match value {
        Some(value) => Ok(Subject { value, text, span }),
        None => {
            let message = "expected an expression with a value";
            Err(Box::new(Diagnostic::new(ErrorKind::Type, span, message)))
        }
    }
}

/// The parts of a tuple that stands in the text, `x, y`, or of a value that is one; else the whole.
fn parts(call: &Call<'_>, subject: Subject, start: usize) -> SourceResult<Vec<Subject>> {
    let Value::Tuple(values) = &subject.value else { return Ok(vec![subject]) };
    // A tuple of numbers is a vector.
    let is_number = |value: &Value| {
        matches!(value, Value::Int(_) | Value::Wide(_) | Value::Float(_) | Value::Bool(_))
    };
    if values.iter().all(is_number) {
        return Ok(vec![subject]);
    }
    let statements = call.statements(start)?;
    let written = match statements.first().map(|statement| &statement.node) {
        Some(StmtKind::Expr(expr)) => match &expr.node {
            ExprKind::Tuple(items) if items.len() == values.len() => items.as_slice(),
            _ => &[],
        },
        _ => &[],
    };
    let part = |(at, value): (usize, &Value)| match written.get(at) {
        Some(expr) => {
            let text = call.source.slice(expr.span).to_string();
            Subject { value: value.clone(), text, span: expr.span }
        }
        None => {
            let text = format!("{}[{at}]", subject.text);
            Subject { value: value.clone(), text, span: subject.span }
        }
    };
    Ok(values.iter().enumerate().map(part).collect())
}

/// A tensor that can be a line.
fn vector(tensor: &Tensor, span: Span) -> SourceResult<Tensor> {
    match tensor.rank() {
        1 => Ok(tensor.clone()),
        rank => {
            let fault = Fault::value_error(format!("expected a vector, found {rank} axes"));
            let hint = "`x.ravel()` makes a vector; `:heat` draws a matrix";
            Err(fault.with_hint(hint)).at(span)
        }
    }
}
