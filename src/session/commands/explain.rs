//! `:explain`.

use super::Call;
use crate::diag::{SourceResult, Span};
use crate::interp::{Explained, Value};
use crate::layout::{IndexKind, IndexPlan, Layout};
use crate::memory::{Allocator, AllocatorStats, BlockInfo, BlockState};
use crate::report::{Markup, Page, human_bytes};
use crate::session::Session;
use crate::session::memory_view::brief;
use crate::syntax::ast::{Module, Stmt, StmtKind};
use crate::syntax::dump;
use crate::tensor::{ExplainedKernel, Explanation};

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
        let device = call.session.engine().device();
        let room = Room::of(device.allocator());
        let text = format!(":explain {}", call.source.slice(statement.span));
        call.session.begin_statement(&text);
        call.session.explain(&statement, |explained| {
            for (span, plan) in &explained.indexes {
                let mut plan = plan.clone();
                if is_written(&statement, *span) {
                    plan.kind = written_kind(plan.kind, explained.value.as_ref());
                }
                page.entry("index", index(call.source.slice(*span), &plan));
            }
            let kernels = &explained.programs.kernels;
            if kernels.is_empty() {
                page.entry("programs", Markup::new().dim("none: nothing is left to compute"));
            }
            for kernel in kernels {
                page.entry("program", program(kernel));
                for launch in &kernel.launches {
                    page.entry("kernel", Markup::from(launch.as_str()));
                }
            }
            page.entry("memory", memory(device.allocator(), &room, &explained.programs));
        })?;
        call.show(page);
    }
    Ok(())
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
        Some(value) => value.scalar().is_some(),
        None => false,
    };
    match read {
        IndexKind::Gather => IndexKind::Scatter,
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

impl Session {
    /// Explains a statement to `read`, and leaves the allocators' figures as they were.
    pub(in crate::session) fn explain<T>(
        &self,
        statement: &Stmt,
        read: impl FnOnce(&Explained) -> T,
    ) -> SourceResult<T> {
        let allocators: Vec<_> =
            self.engine().devices().map(|device| device.allocator().clone()).collect();
        let before: Vec<AllocatorStats> = allocators.iter().map(|a| a.stats()).collect();
        allocators.iter().for_each(|allocator| allocator.reset_peaks());
        // What was made to explain is gone before the figures are put back.
        let result = self.quiet().explain(statement).map(|explained| read(&explained));
        for (allocator, before) in allocators.iter().zip(&before) {
            let grown = allocator.stats().now.reserved.saturating_sub(before.now.reserved);
            if grown > 0 {
                allocator.trim(grown);
            }
            allocator.forget_since(before);
        }
        result
    }
}

fn index(text: &str, plan: &IndexPlan) -> Markup {
    let Layout { shape, strides, offset } = &plan.layout;
    let strides: Vec<String> = strides.iter().map(isize::to_string).collect();
    let mut markup =
        Markup::new().name(format!("[{text}]")).plain(" ").keyword(plan.kind.to_string()).plain(
            format!(" shape {shape}, strides [{}] elements, offset {offset}", strides.join(", ")),
        );
    let meaning = match plan.kind {
        IndexKind::View => "the result looks into the same memory: nothing moves",
        IndexKind::Gather => "elements are read at computed places into new memory",
        IndexKind::Scatter => "values are written at computed places",
        IndexKind::Copy => "values are written through a view",
        IndexKind::Fill => "one value is written through a view",
    };
    markup = markup.newline().dim(meaning);
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

fn program(kernel: &ExplainedKernel) -> Markup {
    let extents = |dims: &[usize]| {
        let dims: Vec<String> = dims.iter().map(usize::to_string).collect();
        if dims.is_empty() { "one point".to_string() } else { dims.join(" × ") }
    };
    let (kept, folded) = kernel.dims.split_at(kernel.kept.min(kernel.dims.len()));
    let space = match folded {
        [] => extents(kept),
        folded => format!("{}, folding {}", extents(kept), extents(folded)),
    };
    let head = format!(
        "over {space}: reads {}, writes {}",
        human_bytes(kernel.read_bytes as u64),
        human_bytes(kernel.written_bytes as u64)
    );
    let text = kernel.program.trim_end();
    Markup::from(head).newline().dim(text)
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
            total: fresh.saturating_add(stats.free()),
            piece: fresh.saturating_add(idle).max(run),
        }
    }
}

fn is_unused(block: &BlockInfo) -> bool {
    block.state != BlockState::Live
}

/// Predicted figures, and whether they fit. What does not fuse has run when this is asked, so its
/// share of the peak is known; that of the programs comes on top of what is live then.
fn memory(allocator: &Allocator, room: &Room, programs: &Explanation) -> Markup {
    let bytes = |bytes: usize| human_bytes(bytes as u64);
    let stats = allocator.stats();
    let peak = stats.now.allocated.saturating_add(programs.peak_bytes).max(stats.peak.allocated);
    // Without a program, what is there already is the result.
    let result_bytes = match programs.kernels.is_empty() {
        true => stats.now.allocated.saturating_sub(room.live),
        false => programs.result_bytes,
    };
    let mut made = Vec::new();
    if result_bytes > 0 || programs.written_bytes == 0 {
        made.push(format!("result {}", bytes(result_bytes)));
    }
    if programs.written_bytes > 0 {
        made.push(format!("{} written in place", bytes(programs.written_bytes)));
    }
    let markup = Markup::from(format!(
        "{}, live at the peak {} ({} now): ",
        made.join(", "),
        bytes(peak),
        bytes(room.live)
    ));
    let needed = peak.saturating_sub(room.live);
    if needed > room.total {
        let missing = bytes(needed - room.total);
        markup.error("does not fit").plain(format!(", {missing} more would be needed"))
    } else if programs.largest_bytes > room.piece {
        let (largest, piece) = (bytes(programs.largest_bytes), bytes(room.piece));
        let text = format!(", it takes {largest} in one piece, and the largest is {piece}");
        markup.error("does not fit").plain(text)
    } else {
        markup.good("fits").dim(format!(", {} can be had", bytes(room.total)))
    }
}
