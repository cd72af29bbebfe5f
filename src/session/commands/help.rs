//! `:help`.

use std::rc::Rc;

use super::{Argument, COMMANDS, Call, Command, find, memory, names};
use crate::diag::{Diagnostic, ErrorKind, SourceResult, Spanned, did_you_mean};
use crate::interp::builtins::topics;
use crate::report::{Column, Markup, Report, Table};
use crate::session::settings::{SETTINGS, Setting};

pub fn run(call: &mut Call<'_>) -> SourceResult<()> {
    let words = call.words();
    match words.as_slice() {
        [] => {
            let overview = overview(call.sink.keys());
            call.show(overview);
            Ok(())
        }
        [topic] if matches!(topic.text, "functions" | "keys") => {
            let page = match (topic.text, call.sink.keys()) {
                ("keys", []) => {
                    return Err(call.misuse(topic.span, "there are no keys of ours here"));
                }
                ("keys", keys) => key_table(keys),
                _ => functions(),
            };
            call.show(page);
            Ok(())
        }
        [topic] => {
            let name = topic.text.strip_prefix(':').unwrap_or(topic.text);
            if let Some(command) = find(name)
                && (topic.text.starts_with(':') || call.session.resolve(name).is_none())
            {
                call.show(command_help(command));
                return Ok(());
            }
            if call.session.resolve(topic.text).is_some() {
                let report = call
                    .session
                    .help(&Spanned { node: Rc::from(topic.text), span: topic.span }, false)?;
                call.show(report);
                if find(name).is_some() {
                    let text = format!(":help :{name}");
                    call.show(Markup::new().command(text).dim(" explains the command"));
                }
                return Ok(());
            }
            if let Ok(setting) = Setting::find(name) {
                call.show(setting_help(setting));
                return Ok(());
            }
            let message = format!("nothing is called `{}`", topic.text);
            let diagnostic = Diagnostic::new(ErrorKind::Name, topic.span, message);
            let bare = call.session.interp.bare_names();
            let settings = SETTINGS.iter().map(|setting| setting.name);
            let mut known: Vec<&str> = names().chain(settings).collect();
            known.extend(bare.iter().map(String::as_str));
            Err(Box::new(match did_you_mean(name, known) {
                Some(near) => diagnostic.with_hint(format!("did you mean `{near}`?")),
                None => diagnostic.with_hint("`:help` alone lists the commands"),
            }))
        }
        [_, second, ..] => Err(call.misuse(second.span, "expected one name, found more")),
    }
}

/// Columns of a word of a command with its arguments.
const WIDTH: usize = 22;

/// Signature, words and aliases of a command.
pub fn command_help(command: &Command) -> Markup {
    let mut markup = Markup::new().command(command.signature).newline().plain(command.summary);
    let whats = if command.argument == Argument::Memory { memory::WHATS } else { &[] };
    for (at, what) in whats.iter().enumerate() {
        let usage = what.usage.trim_start_matches(":mem ").trim_end_matches(" [DEVICE]");
        markup = if at == 0 { markup.newline().newline() } else { markup.newline() };
        // What is longer than the column has its words in the next line.
        markup = match usage.chars().count() < WIDTH {
            true => markup.command(format!("{usage:<WIDTH$}")),
            false => markup.command(usage).newline().plain(" ".repeat(WIDTH)),
        };
        markup = markup.plain(what.summary);
    }
    if !command.text.is_empty() {
        markup = markup.newline().newline().plain(command.text);
    }
    if !command.aliases.is_empty() {
        let aliases: Vec<String> = command.aliases.iter().map(|a| format!(":{a}")).collect();
        markup = markup.newline().newline().dim("also ").command(aliases.join(" "));
    }
    markup
}

fn overview(keys: &[(&str, &str)]) -> Report {
    let mut table = Table::new([Column::left(""), Column::left("")]);
    for command in COMMANDS {
        table.row([Markup::new().command(command.signature), Markup::from(command.summary)]);
    }
    let more = Markup::new()
        .command(":help NAME")
        .dim(" and ")
        .name("name?")
        .dim(" say more, ")
        .command(":help functions")
        .dim(" lists all functions, ")
        .name("np.*sum*?")
        .dim(" some; Tab completes names, arguments, commands and files");
    let mut reports = vec![table.into(), more.into()];
    if !keys.is_empty() {
        reports.push(Markup::new().newline().heading("keys").into());
        reports.push(key_table(keys));
        let vi = Markup::new().command(":set editing_mode vi").dim(" has the keys of vi");
        reports.push(vi.into());
    }
    Report::Stack(reports)
}

fn key_table(keys: &[(&str, &str)]) -> Report {
    let mut table = Table::new([Column::left(""), Column::left("")]);
    for (key, what) in keys {
        table.row([Markup::new().keyword(*key), Markup::from(*what)]);
    }
    table.into()
}

/// Every function by topic.
fn functions() -> Report {
    let mut page = Markup::new();
    for (topic, names) in topics() {
        if !page.is_empty() {
            page = page.newline().newline();
        }
        page = page.heading(topic).newline().plain(names.join(", "));
    }
    let more =
        Markup::new().newline().name("name?").dim(" says what a function does, with an example");
    Report::Stack(vec![page.into(), more.into()])
}

/// What a setting is for and can be.
fn setting_help(setting: &Setting) -> Markup {
    let markup = Markup::new().command(":set ").name(setting.name).newline().plain(setting.doc);
    match setting.choices {
        [] => markup,
        choices => markup.newline().dim("one of ").plain(choices.join(", ")),
    }
}
