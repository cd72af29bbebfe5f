//! Statements and variables.

use std::cmp::Reverse;

use super::{Look, brief};
use crate::replay::export::recording::{Frame, StackId, Tape};
use crate::replay::export::sums::Sum;
use crate::report::{counted, escape, human_bytes, human_count};

/// Rows of a table.
const ROWS: usize = 200;

/// `In [3], line 2`, or a file and a line.
fn place(frame: &Frame) -> String {
    match (frame.file.strip_prefix("<In ").and_then(|rest| rest.strip_suffix('>')), frame.line) {
        (Some(number), 0 | 1) => format!("In [{number}]"),
        (Some(number), line) => format!("In [{number}], line {line}"),
        (None, 0) => frame.file.to_string(),
        (None, line) => format!("{}:{line}", frame.file),
    }
}

/// Who asked, by what they hold.
pub(super) fn statements(look: &Look<'_>, sums: &[(StackId, Sum)]) -> String {
    if sums.is_empty() {
        return "<p>Nobody has asked for memory.</p>".to_owned();
    }
    let mut rows: Vec<&(StackId, Sum)> = sums.iter().collect();
    rows.sort_by_key(|(stack, sum)| (Reverse((sum.live_bytes, sum.peak_bytes, sum.bytes)), *stack));
    let mut html = String::from(
        "<div class=\"wide\"><table><thead><tr><th></th><th>statement</th><th>operation</th><th>where</th>\
         <th class=\"n\">requests</th><th class=\"n\">bytes asked for</th><th class=\"n\">at once</th>\
         <th class=\"n\">at the highest moment</th><th class=\"n\">live</th></tr></thead><tbody>",
    );
    for (stack, sum) in rows.iter().take(ROWS) {
        let frames = look.recording.stacks.frames(*stack);
        let operation = match frames {
            [.., _, last] if last.file.is_empty() => &*last.name,
            _ => "",
        };
        let lines: Vec<String> = frames
            .iter()
            .rev()
            .filter(|frame| !frame.file.is_empty())
            .map(|frame| escape(&place(frame)))
            .collect();
        html += &format!(
            "<tr data-s=\"{}-{}\" tabindex=\"0\"><td><i class=\"key {}\"></i></td><td class=\"code\">{}</td><td>{}</td>\
             <td>{}</td><td class=\"n\">{}</td>",
            look.at,
            stack.0,
            look.colour(*stack),
            escape(&brief(look.recording.stacks.label(*stack), 120)),
            escape(operation),
            lines.join(" ← "),
            human_count(sum.requests),
        );
        for bytes in [sum.bytes, sum.at_once, sum.peak_bytes, sum.live_bytes] {
            html += &format!("<td class=\"n\">{}</td>", human_bytes(bytes));
        }
        html += "</tr>";
    }
    html += "</tbody></table></div>";
    html + &more(rows.len(), "more statement")
}

pub(super) fn variables(tape: &Tape) -> String {
    if tape.variables.is_empty() {
        return "<p>No variable is known to hold memory here.</p>".to_owned();
    }
    let mut html = String::from(
        "<div class=\"wide\"><table><thead><tr><th>variable</th><th>type and shape</th><th class=\"n\">bytes</th>\
         <th class=\"n\">of a storage of</th></tr></thead><tbody>",
    );
    for variable in tape.variables.iter().take(ROWS) {
        html += &format!(
            "<tr><td class=\"code\">{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            escape(&brief(&variable.name, 80)),
            escape(&variable.what),
            human_bytes(variable.bytes),
            human_bytes(variable.storage_bytes),
        );
    }
    html += "</tbody></table></div>";
    html + &more(tape.variables.len(), "more variable")
}

fn more(count: usize, noun: &str) -> String {
    match count.saturating_sub(ROWS) {
        0 => String::new(),
        more => format!("<p>And {}.</p>", counted(more, noun)),
    }
}
