//! `:set`.

use super::Call;
use crate::diag::{At, Diagnostic, SourceResult};
use crate::report::{Column, Markup, Report, Table};
use crate::session::Config;
use crate::session::settings::{SETTINGS, Setting};

pub fn run(call: &mut Call<'_>) -> SourceResult<()> {
    let words = call.words();
    let Some((name, values)) = words.split_first() else {
        let report = listing(call);
        call.show(report);
        return Ok(());
    };
    // `name=value` and `name = value` are what people type.
    let (name_text, joined) = match name.text.split_once('=') {
        Some((name, value)) => (name, Some(value).filter(|value| !value.is_empty())),
        None => (name.text, None),
    };
    let setting = Setting::find(name_text).at(name.span)?;
    let values: Vec<_> = values.iter().filter(|word| word.text != "=").collect();
    let (value, span) = match (joined, values.as_slice()) {
        (None, []) => {
            let report = one(call, setting);
            call.show(report);
            return Ok(());
        }
        (Some(value), []) => (value, name.span),
        (None, [value]) => (value.text, value.span),
        (Some(_), [more, ..]) | (None, [_, more, ..]) => {
            return Err(call.misuse(more.span, "expected one value, found more"));
        }
    };
    let default = (setting.get)(&Config::default());
    let value = if value == "default" { default } else { value.to_string() };
    let mut config = call.session.settings();
    let changed = setting.change_running(&mut config, &call.session.interp, &value);
    changed.at(span).map_err(|error| with_choices(error, setting))?;
    let value = (setting.get)(&config);
    let kept = std::mem::replace(&mut call.session.config, config).kept_outputs;
    if call.session.config.kept_outputs != kept {
        let _ = call.session.keep_outputs();
    }
    call.session.log_command(&format!(":set {} {value}", setting.name));
    Ok(())
}

/// Without a better hint, names the choices or shows how to take the setting back.
fn with_choices(mut error: Box<Diagnostic>, setting: &Setting) -> Box<Diagnostic> {
    if error.hints.is_empty() {
        let hint = format!("`:set {} default` takes it back to the usual value", setting.name);
        error.hints.push(hint);
    }
    error
}

fn listing(call: &Call<'_>) -> Report {
    let (now, usual) = (call.session.settings(), Config::default());
    let mut table = Table::new([
        Column::left("setting"),
        Column::left("value"),
        Column::left("default"),
        Column::left(""),
    ]);
    for setting in SETTINGS {
        let (value, default) = ((setting.get)(&now), (setting.get)(&usual));
        let markup = Markup::new();
        let value = match value == default {
            true => markup.plain(value),
            false => markup.good(value),
        };
        let doc = Markup::new().dim(setting.doc);
        let doc = if setting.is_live() { doc } else { doc.dim(" (at the start only)") };
        table.row([Markup::new().name(setting.name), value, Markup::new().dim(default), doc]);
    }
    table.into()
}

fn one(call: &Call<'_>, setting: &Setting) -> Markup {
    let value = (setting.get)(&call.session.settings());
    let default = (setting.get)(&Config::default());
    let markup = Markup::new().name(setting.name).plain(" = ").number(&*value);
    let markup = match value == default {
        true => markup.dim(", the default"),
        false => markup.dim(format!(", by default {default}")),
    };
    let markup = markup.newline().plain(setting.doc);
    match setting.choices {
        [] => markup,
        choices => markup.newline().dim("one of ").plain(choices.join(", ")),
    }
}
