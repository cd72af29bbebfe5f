//! `genesis-repl jupyter`: the subcommands.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};

use crate::session::Config;

use super::install::{self, Place, Spec};
use super::kernel;

/// Installs and runs the Jupyter kernel, for notebooks
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
struct Jupyter {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Makes the kernel known to Jupyter; `--simulate`, `--device` and `--config` are kept for it
    Install {
        #[command(flatten)]
        target: Target,
        /// What menus call the kernel
        #[arg(long, value_name = "TEXT")]
        display_name: Option<String>,
    },
    /// Removes what `install` wrote
    Uninstall {
        #[command(flatten)]
        target: Target,
    },
    /// Runs the kernel; Jupyter does this
    Run {
        /// Where the kernel listens, and the key that its messages are signed with
        connection_file: PathBuf,
    },
}

#[derive(Debug, Args)]
struct Target {
    /// For this user, wherever Jupyter runs (the usual place outside of environments)
    #[arg(long, conflicts_with_all = ["sys_prefix", "prefix"])]
    user: bool,

    /// In the active virtual or conda environment (the usual place in one)
    #[arg(long, conflicts_with = "prefix")]
    sys_prefix: bool,

    /// In DIR/share/jupyter
    #[arg(long, value_name = "DIR")]
    prefix: Option<PathBuf>,

    /// What notebooks call the kernel
    #[arg(long, default_value = "genesis")]
    name: String,
}

/// The subcommand, for the command line of the whole program.
pub fn command() -> Command {
    Jupyter::augment_args(Command::new("jupyter"))
}

/// Does what the subcommand's arguments ask for. `configure` reads from them what a session is like.
pub fn main(
    matches: &ArgMatches,
    configure: &dyn Fn(&ArgMatches) -> Result<Config, String>,
) -> ExitCode {
    let done = match Jupyter::from_arg_matches(matches).map(|jupyter| jupyter.action) {
        Ok(Action::Install { target, display_name }) => {
            let (_, matches) = matches.subcommand().unwrap_or(("", matches));
            // Choices that no session could be opened with would only fail in a notebook.
            configure(matches).and_then(|_| {
                let choices = choices(matches);
                let spec = Spec { name: &target.name, display_name, choices };
                install::install(&target.place(), &spec)
            })
        }
        Ok(Action::Uninstall { target }) => install::uninstall(&target.place(), &target.name),
        Ok(Action::Run { connection_file }) => {
            let (_, matches) = matches.subcommand().unwrap_or(("", matches));
            configure(matches).and_then(|config| kernel::run(&connection_file, config))
        }
        Err(error) => Err(error.to_string()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            let _ = writeln!(std::io::stderr(), "error: {message}");
            ExitCode::FAILURE
        }
    }
}

impl Target {
    fn place(&self) -> Place {
        match &self.prefix {
            Some(prefix) => Place::Prefix(prefix.clone()),
            None if self.sys_prefix => Place::Environment,
            None if self.user => Place::User,
            None => Place::Usual,
        }
    }
}

/// What of the program's own options a kernel is to be started with.
fn choices(matches: &ArgMatches) -> Vec<OsString> {
    let mut words: Vec<OsString> = Vec::new();
    for name in ["simulate", "device"] {
        if let Ok(Some(value)) = matches.try_get_one::<String>(name) {
            words.extend([format!("--{name}").into(), value.into()]);
        }
    }
    if let Ok(Some(path)) = matches.try_get_one::<PathBuf>("config") {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
        words.extend(["--config".into(), path.into()]);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_do_not_contradict_each_other() {
        command().debug_assert();
    }
}
