//! `:explain`.

use std::collections::HashSet;

use super::Call;
use crate::device::{Device, Plan};
use crate::diag::{ErrorKind, Source, SourceResult, Span};
use crate::interp::{Explained, Rehearsed, Value};
use crate::layout::{IndexKind, IndexPlan, Layout};
use crate::memory::{Allocator, BlockInfo, BlockState};
use crate::report::{Markup, Page, counted, human_bytes};
use crate::session::Session;
use crate::session::memory_view::{brief, device_label};
use crate::syntax::ast::{Module, Stmt, StmtKind};
use crate::syntax::dump;
use crate::tensor::Step;

/// Longer trees are cut.
const TREE_WIDTH: usize = 400;

pub fn run(call: &mut Call<'_>) -> SourceResult<()> {
    call.settle()?;
    for statement in call.statements(call.args.start as usize)? {
        let tree = dump(&Module { body: vec![statement.clone()] });
        let mut page = Page::default();
        page.entry("tree", Markup::from(brief(tree.trim_end(), TREE_WIDTH)));
        if !computes(&statement) {
            page.entry("programs", Markup::new().dim("none: no tensor is computed"));
            call.show(page);
            continue;
        }
        let explained = call.session.quiet().explain(&statement)?;
        // What functions index inside shows in the steps.
        let own = explained.indexes.iter().filter(|(span, _)| span.source == call.source.id);
        for (span, plan) in own {
            let mut plan = plan.clone();
            if is_written(&statement, *span) {
                plan.kind = written_kind(plan.kind, explained.value.as_ref());
            }
            page.entry("index", index(call.source.slice(*span), &plan));
        }
        let work = &explained.work;
        if work.devices.iter().all(|(_, plan)| plan.steps.is_empty()) {
            page.entry("programs", Markup::new().dim("none: nothing is left to compute"));
        }
        for step in work.devices.iter().flat_map(|(_, plan)| &plan.steps) {
            page.entry(if step.program.is_some() { "program" } else { "step" }, text_of(step));
            for launch in &step.launches {
                page.entry("kernel", Markup::from(launch.as_str()));
            }
        }
        for note in notes(&explained, call.source) {
            page.entry("note", note);
        }
        let here = call.session.engine().device();
        let is_several = work.devices.len() > 1;
        for (device, plan) in &work.devices {
            let label =
                if is_several || *device != here { device_label(device) } else { String::new() };
            let verdict = rehearsed(call.session, &statement, device);
            page.entry("memory", memory(device, &label, plan, &explained, verdict));
        }
        if work.devices.is_empty() {
            let verdict = Rehearsed::Fits;
            page.entry("memory", memory(&here, "", &Plan::default(), &explained, verdict));
        }
        call.show(page);
    }
    Ok(())
}

/// What a reader must know to take the figures for what they are.
fn notes(explained: &Explained, source: &Source) -> Vec<Markup> {
    let mut notes = Vec::new();
    if explained.work.is_bound() {
        let text = "how many elements are true in a mask is known only when it is run: sizes that \
                    follow from that are the most there can be";
        notes.push(Markup::new().hint(text));
    }
    if let Some(error) = &explained.stopped {
        let place = match error.span.source == source.id {
            true => format!(" at `{}`", brief(source.slice(error.span), 40)),
            false => String::new(),
        };
        let text = match error.kind {
            kind if kind.is_a(ErrorKind::Memory) => {
                format!("the explanation ends{place}: no device has that much memory")
            }
            _ if explained.reached_out => {
                format!("the explanation ends{place}: nothing is written while it is made")
            }
            _ => format!(
                "the explanation ends{place}: what follows depends on a value that is known only \
                 when it is run"
            ),
        };
        notes.push(Markup::new().hint(text));
    }
    notes
}

/// Whether an index stands in a target of an assignment.
fn is_written(statement: &Stmt, index: Span) -> bool {
    let StmtKind::Assign { targets, .. } = &statement.node else { return false };
    targets.iter().any(|target| target.span.start <= index.start && index.end <= target.span.end)
}

/// What an index does that is assigned to, given what it would do if it were read.
fn written_kind(read: IndexKind, value: Option<&Value>) -> IndexKind {
    let is_single = match value {
        Some(Value::Tensor(tensor)) => tensor.rank() == 0,
        Some(value) => value.number().is_some(),
        None => false,
    };
    match read {
        IndexKind::Compact if is_single => IndexKind::MaskedFill,
        IndexKind::Gather | IndexKind::Compact => IndexKind::Scatter,
        IndexKind::View if is_single => IndexKind::Fill,
        IndexKind::View => IndexKind::Copy,
        other => other,
    }
}

/// Whether there are values to explain.
fn computes(statement: &Stmt) -> bool {
    matches!(
        statement.node,
        StmtKind::Expr(_) | StmtKind::Assign { .. } | StmtKind::AugAssign { .. }
    )
}

fn index(text: &str, plan: &IndexPlan) -> Markup {
    let Layout { shape, strides, offset } = &plan.layout;
    let strides: Vec<String> = strides.iter().map(isize::to_string).collect();
    let by_mask = matches!(plan.kind, IndexKind::Compact | IndexKind::MaskedFill);
    let reach = match by_mask {
        true => format!(" at most {}", counted(shape.elem_count() as u64, "element")),
        false => {
            format!(" shape {shape}, strides [{}] elements, offset {offset}", strides.join(", "))
        }
    };
    let mut markup = Markup::new().name(format!("[{text}]")).plain(" ");
    markup = markup.keyword(plan.kind.to_string()).plain(reach);
    let meaning = match plan.kind {
        IndexKind::View => "the result looks into the same memory: nothing moves",
        IndexKind::Gather => "elements are read at computed places into new memory",
        IndexKind::Compact => {
            "the mask is counted; what it selects is written side by side into new memory"
        }
        IndexKind::Scatter => "values are written at computed places",
        IndexKind::Copy => "values are written through a view",
        IndexKind::Fill => "one value is written through a view",
        IndexKind::MaskedFill => "one value is written where the mask is true",
    };
    markup = markup.newline().dim(meaning);
    if by_mask {
        return markup;
    }
    for gathered in &plan.gathered {
        let (axis, extent) = (gathered.axis, gathered.extent);
        markup = markup.newline().dim(format!(
            "an index array of shape {} reaches into axis {axis} of size {extent}",
            plan.index_shape
        ));
    }
    if plan.needs_mask_compaction {
        let bytes = human_bytes(plan.temp_bytes as u64);
        let text = format!("the mask is turned into places first: up to {bytes} for a while");
        markup = markup.newline().dim(text);
    } else if plan.temp_bytes > 0 {
        let bytes = human_bytes(plan.temp_bytes as u64);
        markup = markup.newline().dim(format!("takes {bytes} for a while"));
    }
    if plan.moved_first {
        let text = "the indexed axes come first: a slice, `...` or `None` stands between the index \
                    arrays, so there is no one place for them";
        markup = markup.newline().hint(text);
    }
    markup
}

fn text_of(step: &Step) -> Markup {
    let (read, written) =
        (human_bytes(step.read_bytes as u64), human_bytes(step.written_bytes as u64));
    let head = Markup::from(format!("{}: reads {read}, writes {written}", step.what));
    match &step.program {
        Some(program) => head.newline().dim(program.trim_end()),
        None => head,
    }
}

/// What an allocator could hand out before the explanation, in bytes.
struct Room {
    live: usize,
    /// In all.
    total: usize,
    /// In one piece.
    piece: usize,
}

impl Room {
    fn of(allocator: &Allocator) -> Room {
        let snapshot = allocator.snapshot();
        let (stats, info) = (&snapshot.stats, snapshot.memory);
        let limit = match info.total {
            usize::MAX => usize::MAX,
            total => ((total as f64 * allocator.config().memory_fraction) as usize)
                .saturating_sub(stats.now.reserved),
        };
        let fresh = info.free.min(limit);
        // Segments that nobody uses go back to the device before a request fails.
        let idle = snapshot.segments.iter().filter(|s| s.blocks.iter().all(is_unused));
        let idle: usize = idle.map(|segment| segment.bytes).sum();
        let runs = snapshot.segments.iter().flat_map(|segment| {
            segment
                .blocks
                .split(|block| !is_unused(block))
                .map(|run| run.iter().map(|b| b.bytes).sum())
        });
        let run: usize = runs.max().unwrap_or(0);
        Room {
            live: stats.now.allocated,
            total: fresh.saturating_add(stats.free() + stats.past),
            piece: fresh.saturating_add(idle).max(run),
        }
    }
}

fn is_unused(block: &BlockInfo) -> bool {
    block.state != BlockState::Live
}

/// Whether the statement would find the memory that it takes of one device.
fn rehearsed(session: &Session, statement: &Stmt, device: &Device) -> Rehearsed {
    let memory = |of: &Device| match of == device {
        true => session.rehearsal(of),
        false => Allocator::on_paper(),
    };
    session.quiet().rehearse(statement, memory, &HashSet::new())
}

/// Predicted figures, and whether they fit.
fn memory(
    device: &Device,
    label: &str,
    plan: &Plan,
    explained: &Explained,
    verdict: Rehearsed,
) -> Markup {
    let bytes = |bytes: usize| human_bytes(bytes as u64);
    let room = Room::of(device.allocator());
    let mut made = Vec::new();
    if explained.result_bytes > 0 || plan.written_bytes == 0 {
        made.push(format!("result {}", bytes(explained.result_bytes)));
    }
    if plan.written_bytes > 0 {
        made.push(format!("{} written in place", bytes(plan.written_bytes)));
    }
    let at_most = if plan.is_bound { "at most " } else { "" };
    let mut markup = Markup::new();
    if !label.is_empty() {
        markup = markup.name(label).plain(": ");
    }
    let markup = markup.plain(format!(
        "{at_most}{}, live at the peak {} ({} now): ",
        made.join(", "),
        bytes(room.live.saturating_add(plan.peak_bytes)),
        bytes(room.live)
    ));
    let is_too_large =
        explained.stopped.as_ref().is_some_and(|error| error.kind.is_a(ErrorKind::Memory));
    let may = if plan.is_bound { "may not fit" } else { "does not fit" };
    if is_too_large {
        markup.error("does not fit")
    } else if verdict == Rehearsed::Fits {
        markup.good("fits").dim(format!(", {} can be had", bytes(room.total)))
    } else if plan.peak_bytes > room.total {
        let missing = bytes(plan.peak_bytes - room.total);
        markup.error(may).plain(format!(", {missing} more would be needed"))
    } else if plan.largest_bytes > room.piece {
        let (largest, piece) = (bytes(plan.largest_bytes), bytes(room.piece));
        let text = format!(", it takes {largest} in one piece, and the largest is {piece}");
        markup.error(may).plain(text)
    } else if verdict == Rehearsed::Short {
        markup.error(may).plain(", what is free lies in pieces that are too short")
    } else {
        markup.good("fits").dim(format!(", {} can be had", bytes(room.total)))
    }
}

#[cfg(test)]
mod tests;
