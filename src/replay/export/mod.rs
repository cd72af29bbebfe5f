//! What happened to memory, in the formats of tools that people have.
//!
//! A [`Recording`] comes from a session's own devices ([`of_session`]) or from traces of a file
//! ([`of_traces`]); each format is one function of it and one row of the table.

mod chrome;
mod folded;
mod own;
mod page;
mod pprof;
mod recording;
mod rmm;
mod sums;
#[cfg(test)]
mod tests;
mod traced;

pub use chrome::add as add_memory;
pub use own::{Subject, of_session};
pub use recording::{
    Block, Event, Frame, Recording, Segment, StackId, Stacks, State, Tape, Variable, What,
};
pub use sums::{Level, Levels, levels};
pub use traced::of_traces;

use std::fmt;

use crate::diag::{Fault, did_you_mean};

/// A format.
pub struct Format {
    /// The word for it.
    pub name: &'static str,
    /// How names of its files end; longer endings stand before those that they end with.
    pub endings: &'static [&'static str],
    pub summary: &'static str,
    /// Whether a file of it tells of one device only.
    pub is_of_one_device: bool,
    write: fn(&Recording) -> Vec<u8>,
}

/// Every format. An ending belongs to the first that has it.
pub const FORMATS: &[Format] = &[
    Format {
        name: "pprof",
        endings: &[".pprof", ".pb.gz"],
        summary: "a profile for `go tool pprof`: what was allocated and what is live, by statement",
        is_of_one_device: false,
        write: pprof::write,
    },
    Format {
        name: "rmm",
        endings: &[".csv"],
        summary: "the log of one device that RMM's replay benchmark reads",
        is_of_one_device: true,
        write: rmm::write,
    },
    Format {
        name: "folded",
        endings: &[".folded", ".collapsed"],
        summary: "folded stacks for flamegraph.pl and speedscope: bytes live at the highest moment",
        is_of_one_device: false,
        write: folded::write,
    },
    Format {
        name: "flame",
        endings: &[".flame.html", "flame.html"],
        summary: "a flame graph as a page of its own",
        is_of_one_device: false,
        write: page::write_flame,
    },
    Format {
        name: "html",
        endings: &[".html", ".htm"],
        summary: "a page of its own: timeline, map, flame graph, statements, variables",
        is_of_one_device: false,
        write: page::write,
    },
    Format {
        name: "trace",
        endings: &[".json", ".trace"],
        summary: "a trace for ui.perfetto.dev and chrome://tracing: levels, and when each block lived",
        is_of_one_device: false,
        write: chrome::write,
    },
];

impl Format {
    /// The format of that name.
    ///
    /// # Errors
    /// There is none; the formats that there are.
    pub fn of_name(name: &str) -> Result<&'static Format, Fault> {
        FORMATS.iter().find(|format| format.name == name).ok_or_else(|| {
            let fault = Fault::value_error(format!("no format is called `{name}`"));
            match did_you_mean(name, FORMATS.iter().map(|format| format.name)) {
                Some(near) => fault.with_hint(format!("did you mean `{near}`?")),
                None => fault.with_hint(listed()),
            }
        })
    }

    /// The format that a file's name ends in.
    ///
    /// # Errors
    /// It ends in none; the formats that there are.
    pub fn of_file(name: &str) -> Result<&'static Format, Fault> {
        let lower = name.to_lowercase();
        let ends = |format: &&Format| format.endings.iter().any(|ending| lower.ends_with(ending));
        FORMATS.iter().find(ends).ok_or_else(|| {
            let fault = Fault::value_error(format!("the name `{name}` does not say which format"));
            let fault = fault.with_hint(listed());
            match lower.ends_with(".pickle") || lower.ends_with(".pkl") {
                true => {
                    fault.with_hint("`:mem save` writes a `.pickle` for pytorch.org/memory_viz")
                }
                false => fault,
            }
        })
    }

    /// The bytes of a file of it.
    pub fn write(&self, recording: &Recording) -> Vec<u8> {
        (self.write)(recording)
    }
}

/// `formats are pprof (.pprof), …`
fn listed() -> String {
    let each = FORMATS.iter().map(|format| format!("{} ({})", format.name, format.endings[0]));
    format!("the formats are {}", each.collect::<Vec<_>>().join(", "))
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
