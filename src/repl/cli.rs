//! The arguments of the command line.

use std::path::PathBuf;

use clap::{Command, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::session::ColorChoice;

/// Type NumPy, see tensors and their memory.
///
/// Without FILE and -e, reads from the terminal, or from a pipe if there is one.
#[derive(Debug, Parser)]
#[command(name = "genesis-repl", version, max_term_width = 100)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    /// A program to run, and what it finds in `sys.argv`; `-` is standard input
    ///
    /// Options of this command stand before FILE: what follows it is the program's.
    #[arg(value_name = "FILE [ARGUMENTS]", trailing_var_arg = true)]
    pub program: Vec<String>,

    /// Runs CODE; may be given several times, in one session. What follows is in `sys.argv`
    #[arg(
        short = 'e',
        visible_short_alias = 'c',
        long = "eval",
        value_name = "CODE",
        allow_hyphen_values = true
    )]
    pub eval: Vec<String>,

    /// Answers requests, one JSON object a line
    #[arg(long, conflicts_with_all = ["program", "eval"])]
    pub json: bool,

    /// The most elements of a tensor that --json writes out
    #[arg(long, value_name = "ELEMENTS", default_value_t = 1_000_000)]
    pub json_limit: usize,

    #[command(flatten)]
    pub choices: Choices,

    /// Neither reads nor writes the history of former sessions
    #[arg(long)]
    pub no_history: bool,

    /// Prints the completions of this program for a shell
    #[arg(long, value_name = "SHELL")]
    pub completions: Option<Shell>,

    #[command(subcommand)]
    pub look: Option<Look>,
}

/// Looks into files, without a program.
#[derive(Debug, Subcommand)]
pub enum Look {
    /// Shows what a file holds: of a checkpoint names, types, shapes and bytes
    Show {
        file: String,
        /// Which tensors: `layers.*.weight`
        pattern: Option<String>,
        /// As JSON, a row for each tensor
        #[arg(long)]
        json: bool,
    },
    /// Mean, deviation, extremes, zeros and NaN of a checkpoint's tensors
    Stats {
        file: String,
        /// Which tensors: `layers.*.weight`
        pattern: Option<String>,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// What differs between two checkpoints, what changed most first
    Diff {
        a: String,
        b: String,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Replays a trace of memory under other allocators: where it runs out, why, and what would help
    ///
    /// FILE is a memory snapshot of PyTorch's (`torch.cuda.memory._dump_snapshot`), one of `:mem save`, or text
    /// with lines `a ID BYTES` and `f ID`. No code in it is ever run. Of a file with several devices,
    /// --device cuda:1 picks one.
    Replay {
        file: String,
        /// What the device has, such as `24GiB`; else what the recording shows that it had
        #[arg(long, value_name = "SIZE")]
        limit: Option<String>,
        /// Which allocator, instead of all: pytorch, pytorch=expandable_segments:True, auto, best-fit,
        /// paged, async, direct; may be given several times
        #[arg(long, value_name = "POLICY")]
        policy: Vec<String>,
        /// As JSON, an object for each device
        #[arg(long)]
        json: bool,
        /// Writes the trace for other tools in place of replaying it, by the ending: .pprof, .csv (RMM), .folded,
        /// .flame.html, .html, .json (Perfetto)
        #[arg(long, value_name = "OUT", conflicts_with_all = ["limit", "policy", "json"])]
        export: Option<String>,
        /// The format, where the ending does not say it: pprof, rmm, folded, flame, html, trace
        #[arg(long, value_name = "FORMAT", requires = "export")]
        format: Option<String>,
    },
}

impl Look {
    /// It as a program; none for what needs no session.
    pub fn program(&self) -> Option<String> {
        let quoted = |text: &String| serde_json::Value::from(text.as_str()).to_string();
        let (name, paths, pattern, json) = match self {
            Look::Show { file, pattern, json } => ("show", quoted(file), pattern, json),
            Look::Stats { file, pattern, json } => ("stats", quoted(file), pattern, json),
            Look::Diff { a, b, json } => {
                ("diff", format!("{}, {}", quoted(a), quoted(b)), &None, json)
            }
            Look::Replay { .. } => return None,
        };
        let pattern = pattern.as_ref().map_or("None".to_owned(), quoted);
        let json = if *json { "True" } else { "False" };
        Some(format!(
            "from numpy import _shell\n_shell(\"{name}\", [{paths}], {pattern}, {json})\n"
        ))
    }
}

/// What a session is like; subcommands that open one take these, too.
#[derive(Debug, Clone, clap::Args)]
pub struct Choices {
    /// Runs on simulated GPUs of this size: `8GiB`, `2x8GiB`
    #[arg(long, value_name = "SIZE", global = true)]
    pub simulate: Option<String>,

    /// Where tensors live: `cpu`, `cuda`, `cuda:1`
    #[arg(long, value_name = "DEVICE", global = true)]
    pub device: Option<String>,

    /// The configuration file to read instead of the usual one
    #[arg(long, value_name = "PATH", global = true)]
    pub config: Option<PathBuf>,

    /// Whether to use colours
    #[arg(long, value_name = "WHEN", global = true)]
    pub color: Option<When>,
}

/// The command line, without the subcommands of other front ends.
pub fn command() -> Command {
    Args::command()
}

/// When to do something that suits a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// If standard output is a terminal, TERM is not `dumb` and NO_COLOR is not set
    Auto,
    Always,
    Never,
}

impl From<When> for ColorChoice {
    fn from(when: When) -> ColorChoice {
        match when {
            When::Auto => ColorChoice::Auto,
            When::Always => ColorChoice::Always,
            When::Never => ColorChoice::Never,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn arguments_do_not_contradict_each_other() {
        Args::command().debug_assert();
    }
}
