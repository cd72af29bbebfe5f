//! Pages of their own: no network, no fonts, nothing but the file. All that they tell is there without
//! scripts, as text, tables and drawings; the script shows what lies under the pointer, marks the blocks of a
//! statement, and goes into the flame graph.

mod flame;
mod map;
mod tables;
mod timeline;

use super::recording::{Recording, StackId, Tape};
use super::sums::{self, Level, Sum, levels};
use crate::io::quoted;
use crate::report::{counted, escape, human_bytes};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Callers that have a colour of their own.
const COLOURS: usize = 8;

/// The whole page.
pub(super) fn write(recording: &Recording) -> Vec<u8> {
    let mut body = String::new();
    for (at, tape) in recording.tapes.iter().enumerate() {
        let sums = sums::sums(tape);
        let look = Look { recording, tape, at, colours: colours(&sums) };
        body += &format!(
            "<section aria-labelledby=\"d{at}\"><h2 id=\"d{at}\">{}{}</h2>{}",
            escape(&tape.device),
            if tape.name.is_empty() || tape.name == tape.device {
                String::new()
            } else {
                format!(" <small>{}</small>", escape(&tape.name))
            },
            figures(tape)
        );
        body += "<h3>Timeline</h3>";
        body += &timeline::timeline(&look);
        body += "<h3>Segments and blocks</h3>";
        body += &map::map(&look);
        body += "<h3>Who asked, as a flame graph</h3>";
        body += &flame::flame(recording, &[at], at);
        body += "<h3>Statements</h3>";
        body += &tables::statements(&look, &sums);
        body += "<h3>Variables</h3>";
        body += &tables::variables(tape);
        body += "</section>";
    }
    if recording.tapes.is_empty() {
        body += "<p>No device has been used.</p>";
    }
    document(&recording.title, &body)
}

/// The flame graph alone.
pub(super) fn write_flame(recording: &Recording) -> Vec<u8> {
    let all: Vec<usize> = (0..recording.tapes.len()).collect();
    let body = format!("<section>{}</section>", flame::flame(recording, &all, 0));
    document(&recording.title, &body)
}

fn document(title: &str, body: &str) -> Vec<u8> {
    let title = escape(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>{title}</title>\
         <style>\n{STYLE}</style></head>\n<body><h1>{title}</h1>\n{body}\n\
         <p id=\"said\" role=\"status\" aria-live=\"polite\">&nbsp;</p>\
         <script>\n{SCRIPT}</script></body></html>\n"
    )
    .into_bytes()
}

/// One device on the page.
struct Look<'a> {
    recording: &'a Recording,
    tape: &'a Tape,
    /// Its number on the page.
    at: usize,
    /// Callers with a colour, in the colours' order.
    colours: Vec<StackId>,
}

impl Look<'_> {
    /// The class of a caller's colour.
    fn colour(&self, stack: StackId) -> String {
        match self.colours.iter().position(|other| *other == stack) {
            Some(at) => format!("c{at}"),
            None => "cx".to_owned(),
        }
    }

    fn label(&self, stack: StackId) -> String {
        brief(self.recording.stacks.label(stack), 70)
    }

    /// When an event was: a time of the day, or a step.
    fn time(&self, time: u64) -> String {
        if !self.recording.has_times {
            return format!("step {time}");
        }
        let (seconds, millis) = (time / 1_000_000, time / 1000 % 1000);
        let (hours, minutes) = (seconds / 3600 % 24, seconds / 60 % 60);
        format!("{hours:02}:{minutes:02}:{:02}.{millis:03} UTC", seconds % 60)
    }
}

/// Those who hold or held most.
fn colours(sums: &[(StackId, Sum)]) -> Vec<StackId> {
    let mut most: Vec<_> = sums.iter().map(|(stack, sum)| (*stack, sum)).collect();
    most.sort_by_key(|(stack, sum)| {
        (std::cmp::Reverse((sum.live_bytes, sum.peak_bytes, sum.bytes)), *stack)
    });
    most.into_iter().take(COLOURS).map(|(stack, _)| stack).collect()
}

/// The figures of a device in a line.
fn figures(tape: &Tape) -> String {
    let now = sums::now(tape);
    let levels = levels(tape);
    let Level { mut live, mut reserved } = levels.before;
    for level in levels.behind {
        live = live.max(level.live);
        reserved = reserved.max(level.reserved);
    }
    let mut parts = vec![
        ("live", human_bytes(now.live)),
        ("in segments", human_bytes(now.reserved)),
        ("asked for at the most", human_bytes(live)),
    ];
    if tape.tells_reserved {
        parts.push(("in segments at the most", human_bytes(reserved)));
    }
    parts.extend(tape.total.map(|total| ("the device has", human_bytes(total))));
    let parts =
        parts.iter().map(|(name, text)| format!("<div><dt>{name}</dt><dd>{text}</dd></div>"));
    let blocks = tape.blocks().filter(|block| block.state.is_active()).count();
    format!(
        "<dl>{}<div><dt>told of</dt><dd>{}, {}, {}</dd></div></dl>",
        parts.collect::<String>(),
        counted(tape.segments.len(), "segment"),
        counted(blocks, "live block"),
        counted(tape.events.len(), "event"),
    )
}

/// One line of at most `width` characters.
fn brief(text: &str, width: usize) -> String {
    match text.chars().count() > width {
        true => text.chars().take(width - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

/// A text in quotes in a script's data, in which nothing ends the script.
fn in_script(text: &str) -> String {
    quoted(text).replace('<', "\\u003c")
}
