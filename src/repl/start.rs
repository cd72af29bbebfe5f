//! From the arguments to the right kind of conversation.

use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::report::{Markup, Report};
use crate::session::{Config, Session, Sink};

use super::cli::Args;
use super::screen::{Screen, complain, warn};
use super::{batch, config, json, terminal};

/// The whole program: what `main` calls.
pub fn main() -> ExitCode {
    let args = Args::parse();
    if let Some(shell) = args.completions {
        let mut command = Args::command();
        clap_complete::generate(shell, &mut command, "genesis-repl", &mut std::io::stdout());
        return ExitCode::SUCCESS;
    }
    let color = args.color.decide(std::io::stdout().is_terminal());
    let error_color = args.color.decide(std::io::stderr().is_terminal());
    let mut session = match open(&args, error_color) {
        Ok(session) => session,
        Err(message) => return batch::fail(&message, error_color),
    };
    let is_typed = args.file.is_none() && args.eval.is_empty() && std::io::stdin().is_terminal();
    if is_typed && !args.json {
        catch_interrupts(&session, error_color);
        let options = terminal::Options { color, has_history: !args.no_history };
        return terminal::run(session, options);
    }
    if args.json {
        catch_interrupts(&session, error_color);
        return json::run(&mut session, args.json_limit);
    }
    let texts = match texts(&args) {
        Ok(texts) => texts,
        Err(message) => return batch::fail(&message, error_color),
    };
    catch_interrupts(&session, error_color);
    batch::run(&mut session, &texts, &mut Screen::new(color, 80), error_color)
}

/// The session that the arguments and the configuration file ask for.
fn open(args: &Args, color: bool) -> Result<Session, String> {
    let config = Config {
        simulate: args.simulate.clone(),
        device: args.device.clone(),
        ..Config::default()
    };
    let mut session = Session::new(config).map_err(|fault| fault.message)?;
    let usual = config::usual_path().filter(|path| path.is_file());
    let Some(path) = args.config.clone().or(usual) else {
        return Ok(session);
    };
    for (key, value) in config::load(&path)? {
        if let Some(error) = session.run(&format!(":set {key} {value}"), &mut Quiet).error {
            let mut message = format!("{}: {}", path.display(), error.message);
            for hint in &error.hints {
                message += &format!("; {hint}");
            }
            warn(&message, color);
        }
    }
    Ok(session)
}

/// The programs to run, each with the name that messages call it by.
fn texts(args: &Args) -> Result<Vec<(String, String)>, String> {
    if !args.eval.is_empty() {
        return Ok(args.eval.iter().map(|text| ("<-e>".to_string(), text.clone())).collect());
    }
    let path = args.file.as_deref().unwrap_or(Path::new("-"));
    let name = match path == Path::new("-") {
        true => "<stdin>".to_string(),
        false => path.display().to_string(),
    };
    Ok(vec![(name, batch::read(path)?)])
}

/// Ctrl-C raises the session's interrupt from here on, and no longer ends the program.
fn catch_interrupts(session: &Session, color: bool) {
    let flag = session.interrupt().flag();
    if let Err(error) = signal_hook::flag::register(signal_hook::consts::SIGINT, flag) {
        let message = format!("Ctrl-C will end the program: {error}");
        complain(&Markup::new().warn("warning").plain(format!(": {message}")), color);
    }
}

/// Takes what `:set` reports and shows none of it.
struct Quiet;

impl Sink for Quiet {
    fn text(&mut self, _: &str) {}

    fn report(&mut self, _: &Report) {}
}
