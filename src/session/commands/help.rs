//! `:help`.

use std::rc::Rc;

use super::{COMMANDS, Call, Command, find, names};
use crate::diag::{Diagnostic, ErrorKind, SourceResult, Spanned, did_you_mean};
use crate::report::{Column, Markup, Report, Table};
use crate::session::settings::{SETTINGS, Setting};

pub fn run(call: &mut Call<'_>) -> SourceResult<()> {
    let words = call.words();
    match words.as_slice() {
        [] => {
            call.show(overview());
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
                let report =
                    call.session.help(&Spanned { node: Rc::from(topic.text), span: topic.span })?;
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
            let registry = &call.session.interp.registry;
            let settings = SETTINGS.iter().map(|setting| setting.name);
            let mut known: Vec<&str> = names().chain(settings).collect();
            known.extend(registry.names());
            Err(Box::new(match did_you_mean(name, known) {
                Some(near) => diagnostic.with_hint(format!("did you mean `{near}`?")),
                None => diagnostic.with_hint("`:help` alone lists the commands"),
            }))
        }
        [_, second, ..] => Err(call.misuse(second.span, "expected one name, found more")),
    }
}

/// Signature, words and aliases of a command.
pub fn command_help(command: &Command) -> Markup {
    let mut markup = Markup::new().command(command.signature).newline().plain(command.summary);
    if !command.text.is_empty() {
        markup = markup.newline().newline().plain(command.text);
    }
    if !command.aliases.is_empty() {
        let aliases: Vec<String> = command.aliases.iter().map(|a| format!(":{a}")).collect();
        markup = markup.newline().newline().dim("also ").command(aliases.join(" "));
    }
    markup
}

fn overview() -> Report {
    let mut table = Table::new([Column::left(""), Column::left("")]);
    for command in COMMANDS {
        table.row([Markup::new().command(command.signature), Markup::from(command.summary)]);
    }
    let more = Markup::new()
        .command(":help NAME")
        .dim(" and ")
        .name("name?")
        .dim(" say more; Tab completes names, arguments, commands and files");
    Report::Stack(vec![table.into(), more.into()])
}

/// What a setting is for and can be.
fn setting_help(setting: &Setting) -> Markup {
    let markup = Markup::new().command(":set ").name(setting.name).newline().plain(setting.doc);
    match setting.choices {
        [] => markup,
        choices => markup.newline().dim("one of ").plain(choices.join(", ")),
    }
}
