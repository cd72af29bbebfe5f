//! One pass of a trace through a policy.

use super::policy::Choice;
use super::trace::{Op, Segment, Site, Trace};

/// Steps between two looks at whether the user has had enough.
const LOOK: usize = 1 << 12;

/// What became of a trace under a policy.
#[derive(Debug, Clone)]
pub struct Run {
    pub choice: Choice,
    /// The most bytes in blocks that were held.
    pub peak_live: u64,
    /// The most bytes held from the driver.
    pub peak_reserved: u64,
    /// The step that reached it first.
    pub peak_at: usize,
    pub calls: u64,
    pub retries: u64,
    /// Where the first request failed, which ends the pass.
    pub ran_out: Option<RanOut>,
}

/// A request that a policy could not serve.
#[derive(Debug, Clone)]
pub struct RanOut {
    /// The step.
    pub at: usize,
    /// What was asked for.
    pub bytes: u64,
    pub site: Site,
    /// In blocks that were held.
    pub live: u64,
    pub reserved: u64,
    /// The segments at that moment.
    pub layout: Vec<Segment>,
}

impl Run {
    /// 1 − peak live / peak reserved: what was held from the driver and lay unused, as a share.
    pub fn lost(&self) -> f64 {
        match self.peak_reserved {
            0 => 0.0,
            reserved => 1.0 - self.peak_live as f64 / reserved as f64,
        }
    }
}

/// Plays a trace; none if `stop` says so meanwhile.
pub fn play(
    trace: &Trace,
    choice: Choice,
    limit: Option<u64>,
    stop: &dyn Fn() -> bool,
) -> Option<Run> {
    let mut policy = choice.open(limit);
    let (mut peak_live, mut peak_reserved, mut peak_at) = (0, 0, 0);
    let mut failed = None;
    for (at, op) in trace.ops.iter().enumerate() {
        if at % LOOK == 0 && stop() {
            return None;
        }
        let (id, bytes, stream, site) = match *op {
            Op::Allocate { id, bytes, stream, site } => (id, bytes, stream, site),
            // A number that no block has.
            Op::Refused { bytes, stream, site } => (trace.blocks, bytes, stream, site),
            Op::Free { id } => {
                policy.free(id);
                continue;
            }
        };
        if !policy.allocate(id, bytes, stream) {
            failed = Some((at, bytes, site));
            break;
        }
        let figures = policy.figures();
        peak_live = figures.live.max(peak_live);
        if figures.reserved > peak_reserved {
            (peak_reserved, peak_at) = (figures.reserved, at);
        }
        if matches!(op, Op::Refused { .. }) {
            // How long it would have lived is not known.
            policy.free(id);
        }
    }
    let figures = policy.figures();
    let ran_out = failed.map(|(at, bytes, site)| RanOut {
        at,
        bytes,
        site,
        live: figures.live,
        reserved: figures.reserved,
        layout: policy.layout(&holders(trace, at)),
    });
    let (calls, retries) = (figures.calls, figures.retries);
    Some(Run { choice, peak_live, peak_reserved, peak_at, calls, retries, ran_out })
}

/// The segments of a policy right after a step.
pub fn layout_at(trace: &Trace, choice: Choice, limit: Option<u64>, last: usize) -> Vec<Segment> {
    let mut policy = choice.open(limit);
    for op in trace.ops.iter().take(last + 1) {
        match *op {
            Op::Allocate { id, bytes, stream, .. } => {
                policy.allocate(id, bytes, stream);
            }
            Op::Free { id } => policy.free(id),
            Op::Refused { bytes, stream, .. } => {
                policy.allocate(trace.blocks, bytes, stream);
                policy.free(trace.blocks);
            }
        }
    }
    policy.layout(&holders(trace, last))
}

/// Who asked for each block, of those that are asked for up to a step.
fn holders(trace: &Trace, last: usize) -> impl Fn(u32) -> Site + use<> {
    let mut sites = vec![Site::UNKNOWN; trace.blocks as usize + 1];
    for op in trace.ops.iter().take(last + 1) {
        if let Op::Allocate { id, site, .. } = *op {
            sites[id as usize] = site;
        }
    }
    move |id| sites.get(id as usize).copied().unwrap_or_default()
}
