//! Segments as bars, as long as they hold bytes, with their blocks in them.

use super::{Look, brief};
use crate::replay::export::recording::{Block, Segment, State};
use crate::report::{counted, escape, human_bytes};

/// Segments that are drawn, the largest ones.
const ROWS: usize = 150;

/// Blocks and runs of blocks that are drawn in all.
const RUNS: usize = 8000;

/// Units along a segment.
const UNITS: f64 = 1000.0;

pub(super) fn map(look: &Look<'_>) -> String {
    let mut segments: Vec<(usize, &Segment)> = look.tape.segments.iter().enumerate().collect();
    if segments.is_empty() {
        return "<p>There are no segments.</p>".to_owned();
    }
    segments.sort_by_key(|(at, segment)| (std::cmp::Reverse(segment.bytes), *at));
    let longest = segments[0].1.bytes.max(1);
    let more = segments.split_off(segments.len().min(ROWS));
    let columns = (RUNS / segments.len()).clamp(40, 800) as u64;
    let mut html = String::from(
        "<p class=\"legend\"><i class=\"key c0\"></i> live, in the colours of the statements below \
         <i class=\"key cx\"></i> live, of others <i class=\"key mixed\"></i> several blocks \
         <i class=\"key past\"></i> kept by :undo <i class=\"key free\"></i> free</p><div class=\"map\">",
    );
    for (at, segment) in segments {
        let free: u64 = segment
            .blocks
            .iter()
            .filter(|block| !block.state.is_active())
            .map(|block| block.bytes)
            .sum();
        let words = format!(
            "segment {} of {}, {} free, {}",
            at + 1,
            human_bytes(segment.bytes),
            human_bytes(free),
            counted(segment.blocks.len(), "block")
        );
        // A short one is still to be seen.
        let width = (100.0 * segment.bytes as f64 / longest as f64).max(2.0);
        html += &format!(
            "<div class=\"row\"><span class=\"name\">{} <small>{}</small></span><span class=\"bar\">\
             <svg viewBox=\"0 0 {UNITS} 10\" preserveAspectRatio=\"none\" style=\"width:{width:.2}%\" role=\"img\" \
             aria-label=\"{}\">{}</svg></span></div>",
            at + 1,
            human_bytes(segment.bytes),
            escape(&words),
            bar(look, segment, columns),
        );
    }
    html += "</div>";
    if !more.is_empty() {
        let bytes: u64 = more.iter().map(|(_, segment)| segment.bytes).sum();
        let words = counted(more.len(), "more segment");
        html += &format!("<p>And {words} of {}.</p>", human_bytes(bytes));
    }
    html
}

/// The blocks of a segment; neighbours that would be too narrow to be seen are one run.
fn bar(look: &Look<'_>, segment: &Segment, columns: u64) -> String {
    let least = segment.bytes / columns;
    let place = |address: u64| {
        UNITS * address.wrapping_sub(segment.address) as f64 / segment.bytes.max(1) as f64
    };
    let rect = |from: u64, bytes: u64, class: &str, more: &str, words: &str| {
        format!(
            "<rect class=\"{class}\"{more} x=\"{:.2}\" width=\"{:.2}\" height=\"10\"><title>{}</title></rect>",
            place(from),
            UNITS * bytes as f64 / segment.bytes.max(1) as f64,
            escape(words)
        )
    };
    let mut html = String::new();
    let mut blocks = segment.blocks.as_slice();
    while let [first, rest @ ..] = blocks {
        let narrow = blocks.iter().take_while(|block| block.bytes < least).count();
        if narrow > 1 {
            let (run, others) = blocks.split_at(narrow);
            let live: u64 =
                run.iter().filter(|block| block.state.is_active()).map(|block| block.bytes).sum();
            let bytes: u64 = run.iter().map(|block| block.bytes).sum();
            let words = format!(
                "{}, {} live of {}",
                counted(narrow, "block"),
                human_bytes(live),
                human_bytes(bytes)
            );
            html += &rect(first.address, bytes, "mixed", "", &words);
            blocks = others;
            continue;
        }
        let (class, more) = match first.state {
            State::Live => {
                (look.colour(first.stack), format!(" data-s=\"{}-{}\"", look.at, first.stack.0))
            }
            State::Pending => ("pending".to_owned(), String::new()),
            State::Past => ("past".to_owned(), String::new()),
            State::Free => ("free".to_owned(), String::new()),
        };
        html += &rect(first.address, first.bytes, &class, &more, &words(look, first));
        blocks = rest;
    }
    html
}

fn words(look: &Look<'_>, block: &Block) -> String {
    let bytes = human_bytes(block.bytes);
    match (block.state, block.holders.is_empty()) {
        (State::Free, _) => format!("{bytes} free"),
        (state, true) => format!("{bytes} {}, made by {}", state.name(), look.label(block.stack)),
        (_, false) => {
            format!(
                "{} holds {bytes}, made by {}",
                brief(&block.holders, 60),
                look.label(block.stack)
            )
        }
    }
}
