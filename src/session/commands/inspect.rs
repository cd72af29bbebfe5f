//! `:who` and `:type`.

use super::Call;
use crate::diag::{At, Diagnostic, ErrorKind, Fault, SourceResult, did_you_mean};
use crate::interp::Value;
use crate::report::{Column, Markup, Report, Table, counted, human_bytes};
use crate::session::memory_view::{brief, device_label};
use crate::syntax::ast::StmtKind;

pub fn who(call: &mut Call<'_>) -> SourceResult<()> {
    let words = call.words();
    let scope = call.session.interp.scope.borrow();
    for word in &words {
        if scope.get(word.text).is_none() {
            let message = format!("no variable is called `{}`", word.text);
            let diagnostic = Diagnostic::new(ErrorKind::Name, word.span, message);
            return Err(Box::new(match did_you_mean(word.text, scope.names()) {
                Some(near) => diagnostic.with_hint(format!("did you mean `{near}`?")),
                None => diagnostic.with_hint("`:who` alone lists the variables"),
            }));
        }
    }
    let is_wanted = |name: &str| match words.as_slice() {
        [] => !is_result(name) && !is_input(name),
        words => words.iter().any(|word| word.text == name),
    };
    let mut names: Vec<(String, Value)> = scope
        .iter()
        .filter(|(name, _)| is_wanted(name))
        .map(|(name, value)| (name.to_string(), value))
        .collect();
    drop(scope);
    names.sort_by(|a, b| a.0.cmp(&b.0));
    let report = table(call, &names, words.is_empty());
    call.show(report);
    Ok(())
}

fn table(call: &Call<'_>, names: &[(String, Value)], is_all: bool) -> Report {
    let makers = call.session.makers();
    let mut table = Table::new([
        Column::left("name"),
        Column::left("type"),
        Column::left("shape"),
        Column::right("bytes"),
        Column::left("device"),
        Column::left("made by"),
    ]);
    for (name, value) in names {
        let maker = makers.get(name.as_str());
        let made = maker.map_or(Markup::new(), |maker| {
            Markup::new().dim(format!("[{}] ", maker.number)).plain(brief(&maker.text, 40))
        });
        let cells = match value {
            Value::Tensor(tensor) => [
                Markup::new().keyword(tensor.dtype().to_string()),
                Markup::from(tensor.shape().to_string()),
                Markup::new().number(human_bytes(tensor.size_bytes() as u64)),
                Markup::from(device_label(tensor.device())),
            ],
            other => [
                Markup::new().keyword(other.type_name()),
                Markup::new().dim(extent(call, other)),
                Markup::new(),
                Markup::new(),
            ],
        };
        let [kind, shape, bytes, device] = cells;
        table.row([Markup::new().name(name.as_str()), kind, shape, bytes, device, made]);
    }
    let mut reports = Vec::new();
    if names.is_empty() {
        reports.push(Markup::new().dim("no variables").into());
    } else {
        reports.push(table.into());
    }
    let results = call.session.interp.scope.borrow().names().filter(|n| is_result(n)).count();
    if is_all && results > 0 {
        let names = if results == 1 {
            "1 name of a result"
        } else {
            &format!("{results} names of results")
        };
        let text = format!("and {names}, such as `_`: `:mem vars` shows what they hold");
        reports.push(Markup::new().dim(text).into());
    }
    Report::Stack(reports)
}

/// Whether a name is one of those that hold results: `_`, `__`, `_12`, `Out`.
pub fn is_result(name: &str) -> bool {
    name == "Out"
        || name.strip_prefix('_').is_some_and(|rest| {
            rest.chars().all(|c| c == '_') || rest.chars().all(|c| c.is_ascii_digit())
        })
}

/// Whether a name is one of those that hold what was typed: `In`, `_i`, `_ii`, `_iii`, `_i12`.
pub fn is_input(name: &str) -> bool {
    let number = name.strip_prefix("_i").unwrap_or_default();
    matches!(name, "In" | "_i" | "_ii" | "_iii")
        || !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// How large something is that is no tensor: its items, or its repr where that is short.
fn extent(call: &Call<'_>, value: &Value) -> String {
    let items = |count: usize| counted(count, "item");
    match value {
        Value::Tuple(values) => items(values.len()),
        Value::List(values) => items(values.borrow().len()),
        Value::Dict(entries) => items(entries.borrow().len()),
        Value::Range(range) => items(range.len()),
        Value::Set(elements) => items(elements.borrow().len()),
        Value::FrozenSet(elements) => items(elements.len()),
        Value::View(view) => items(view.len()),
        Value::Module(_) | Value::Function(_) | Value::Method(_) | Value::Native(_) => {
            String::new()
        }
        Value::Closure(closure) => closure.signature(&|value| call.session.repr(value)),
        _ => brief(&call.session.repr(value), 24),
    }
}

pub fn type_of(call: &mut Call<'_>) -> SourceResult<()> {
    let statements = call.statements(call.args.start as usize)?;
    call.settle()?;
    for statement in &statements {
        if !matches!(statement.node, StmtKind::Expr(_)) {
            let fault = Fault::type_error("expected an expression, found a statement")
                .with_hint("`:explain STATEMENT` shows what a statement would do");
            return Err(fault).at(statement.span);
        }
        let explained = call.session.quiet().explain(statement)?;
        if let Some(error) = explained.stopped {
            return Err(error);
        }
        let markup = match &explained.value {
            Some(Value::Tensor(tensor)) => {
                let at_most = if explained.work.is_bound() { " at most," } else { "" };
                Markup::new()
                    .keyword(tensor.dtype().to_string())
                    .plain(format!(" {}", tensor.shape()))
                    .dim(format!(
                        "{at_most} on {}, {}",
                        device_label(tensor.device()),
                        human_bytes(tensor.size_bytes() as u64)
                    ))
            }
            value => {
                let value = value.as_ref().unwrap_or(&Value::None);
                let extent = extent(call, value);
                let gap = if extent.is_empty() { "" } else { " " };
                Markup::new().keyword(value.type_name()).dim(format!("{gap}{extent}"))
            }
        };
        call.show(markup);
    }
    Ok(())
}
