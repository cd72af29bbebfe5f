//! From the arguments to the right kind of conversation.

use std::io::{ErrorKind, IsTerminal};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{ArgMatches, Command, FromArgMatches};

use crate::diag::Fault;
use crate::report::Markup;
use crate::session::{ColorChoice, Config, Interrupt, Session};

use super::cli::{Args, Choices, Look};
use super::screen::{Screen, complain, warn};
use super::{batch, config, json, output, replay, terminal};

/// What the arguments ask for in the place of a session, such as `--help`, or what is wrong with them.
pub fn told(answer: &clap::Error) -> ExitCode {
    match answer.print() {
        Err(error) if !answer.use_stderr() && error.kind() != ErrorKind::BrokenPipe => {
            batch::lost(&error, false)
        }
        _ => ExitCode::from(u8::try_from(answer.exit_code()).unwrap_or(1)),
    }
}

/// The whole program but its subcommands: what `main` calls with the arguments that `command` found.
pub fn main(mut command: Command, matches: &ArgMatches) -> ExitCode {
    let args = match Args::from_arg_matches(matches) {
        Ok(args) => args,
        Err(error) => return told(&error.format(&mut command)),
    };
    if let Some(shell) = args.completions {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut command, "genesis-repl", &mut script);
        return match output::write(&script, &Interrupt::default()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => batch::lost(&error, false),
            _ => ExitCode::SUCCESS,
        };
    }
    if let Some(Look::Replay { file, limit, policy, json, export, format }) = &args.look {
        let asked = replay::Asked {
            file,
            limit: limit.as_deref(),
            policies: policy,
            device: args.choices.device.as_deref(),
            json: *json,
            export: export.as_deref(),
            format: format.as_deref(),
        };
        // The device is the file's, which this machine need not have.
        let choices = Choices { device: None, ..args.choices.clone() };
        let choice = match chosen(&choices) {
            Ok(config) => config.color,
            Err(message) => return batch::fail(&message, false),
        };
        let color = decide(choice, std::io::stdout().is_terminal());
        let error_color = decide(choice, std::io::stderr().is_terminal());
        return replay::run(&asked, &Screen::for_program(color, error_color), error_color);
    }
    // What looks into files is done by the host's threads, sooner than a GPU's driver starts.
    let device = args.choices.device.clone().or(args.look.as_ref().map(|_| "cpu".to_owned()));
    let config = match chosen(&Choices { device, ..args.choices.clone() }) {
        Ok(config) => config,
        Err(message) => return batch::fail(&message, false),
    };
    let color = decide(config.color, std::io::stdout().is_terminal());
    let error_color = decide(config.color, std::io::stderr().is_terminal());
    let is_program = !args.program.is_empty() || !args.eval.is_empty() || args.look.is_some();
    let is_typed = !is_program && std::io::stdin().is_terminal();
    let config = Config { warm_up: is_typed && !args.json, arguments: arguments(&args), ..config };
    let mut session = match Session::new(config) {
        Ok(session) => session,
        Err(fault) => return batch::fail(&in_full(&fault), error_color),
    };
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
    let mut screen = Screen::for_program(color, error_color).heeding(session.interrupt());
    if let Err(fault) = session.settle(&mut screen) {
        return batch::fail(&in_full(&fault), error_color);
    }
    batch::run(&mut session, &texts, &mut screen, error_color)
}

/// What the environment, the configuration file and the arguments choose; the later word wins.
///
/// # Errors
/// A message for the user.
pub fn configure(matches: &ArgMatches) -> Result<Config, String> {
    let choices = Choices::from_arg_matches(matches).map_err(|error| error.to_string())?;
    chosen(&choices)
}

fn chosen(args: &Choices) -> Result<Config, String> {
    let message = |fault: Fault| in_full(&fault);
    let mut config = Config::default().with_process_environment().map_err(message)?;
    let usual = config::usual_path().filter(|path| path.is_file());
    if let Some(path) = args.config.clone().or(usual) {
        for (key, value) in config::load(&path)? {
            if let Err(fault) = config.set(&key, &value) {
                let color = decide(config.color, std::io::stderr().is_terminal());
                warn(&format!("{}: {}", path.display(), in_full(&fault)), color);
            }
        }
    }
    if let Some(size) = &args.simulate {
        config = config.with_simulated(size).map_err(message)?;
    }
    if let Some(device) = &args.device {
        config = config.with_device(device).map_err(message)?;
    }
    if let Some(when) = args.color {
        config.color = when.into();
    }
    Ok(config)
}

/// Whether to use colours, as the terminal and the environment stand.
fn decide(choice: ColorChoice, is_terminal: bool) -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => is_terminal && !is_dumb && !is_set("NO_COLOR"),
    }
}

/// A message and its hints in one line.
fn in_full(fault: &Fault) -> String {
    let parts = std::iter::once(&fault.message).chain(&fault.hints);
    parts.map(String::as_str).collect::<Vec<_>>().join("; ")
}

/// The programs to run, each with the name that messages call it by.
fn texts(args: &Args) -> Result<Vec<(String, String)>, String> {
    if let Some(program) = args.look.as_ref().and_then(Look::program) {
        return Ok(vec![(batch::OURS.to_owned(), program)]);
    }
    if !args.eval.is_empty() {
        return Ok(args.eval.iter().map(|text| ("<-e>".to_string(), text.clone())).collect());
    }
    let path = args.program.first().map_or(Path::new("-"), Path::new);
    let name = match path == Path::new("-") {
        true => "<stdin>".to_string(),
        false => path.display().to_string(),
    };
    Ok(vec![(name, batch::read(path)?)])
}

/// What the program finds in `sys.argv`: its path, or the option that it was given by, and what
/// stands behind it.
fn arguments(args: &Args) -> Vec<String> {
    let option = (!args.eval.is_empty()).then(|| "-e".to_owned());
    option.into_iter().chain(args.program.iter().cloned()).collect()
}

/// Ctrl-C raises the session's interrupt from here on, and no longer ends the program.
fn catch_interrupts(session: &Session, color: bool) {
    let flag = session.interrupt().flag();
    if let Err(error) = signal_hook::flag::register(signal_hook::consts::SIGINT, flag) {
        let message = format!("Ctrl-C will end the program: {error}");
        complain(&Markup::new().warn("warning").plain(format!(": {message}")), color);
    }
    // A file that grows beyond the system's limit is an error of what writes it, and ends nothing.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}
