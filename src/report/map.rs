//! A map of memory: every segment is a row, every block a run of cells in it.

use super::{Markup, Style, units::human_bytes};

/// What a run of bytes is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MapState {
    /// Held by a variable.
    Live,
    /// Held by something that the user has no name for: a temporary or a workspace.
    Temporary,
    /// Held by nothing but what `:undo` would bring back.
    Past,
    /// Freed, but waiting for another stream to finish with it.
    Pending,
    /// In a cache of the allocator, ready to be handed out.
    Cached,
    /// Free space of the segment.
    Free,
}

impl MapState {
    /// Every state, in the order of the legend.
    pub const ALL: [MapState; 6] = [
        MapState::Live,
        MapState::Temporary,
        MapState::Past,
        MapState::Pending,
        MapState::Cached,
        MapState::Free,
    ];

    pub fn name(self) -> &'static str {
        match self {
            MapState::Live => "live",
            MapState::Temporary => "temporary",
            MapState::Past => "past",
            MapState::Pending => "pending",
            MapState::Cached => "cached",
            MapState::Free => "free",
        }
    }

    /// The character that draws it, so that the map reads without colours too.
    pub fn glyph(self) -> char {
        match self {
            MapState::Live => '█',
            MapState::Temporary => '▓',
            MapState::Past => '╌',
            MapState::Pending => '▒',
            MapState::Cached => '░',
            MapState::Free => '·',
        }
    }

    /// The meaning that a front end colours it by.
    pub fn style(self) -> Style {
        match self {
            MapState::Live => Style::Good,
            MapState::Temporary => Style::Warn,
            MapState::Past => Style::Hint,
            MapState::Pending => Style::Keyword,
            MapState::Cached => Style::Hint,
            MapState::Free => Style::Dim,
        }
    }
}

/// One block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapRun {
    pub state: MapState,
    pub bytes: u64,
    /// The variables that hold it, or the statement that made it; may be empty.
    pub label: String,
    /// The statement that made it, where it has a label of its own.
    pub made_by: String,
}

/// One segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapRow {
    /// What the segment is called, `segment 3 large`.
    pub label: String,
    pub bytes: u64,
    /// In order of address; together they cover the segment.
    pub runs: Vec<MapRun>,
}

/// The levels after something happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// Bytes asked for by what is live.
    pub live: u64,
    pub reserved: u64,
    /// The statement that did it.
    pub statement: String,
}

/// All segments of a device, and how it came to them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MemoryMap {
    pub rows: Vec<MapRow>,
    /// As far back as is known, the present last; only pages draw it.
    pub moments: Vec<Moment>,
}

impl MemoryMap {
    /// Draws a line for every segment, `width` cells for the largest, and a legend of the states
    /// that occur. The cells of a segment are shared out so that every block that can has one.
    pub fn to_markup(&self, width: usize) -> Markup {
        let mut markup = Markup::new();
        let largest = self.rows.iter().map(|row| row.bytes).max().unwrap_or(0).max(1);
        let label_width = self.rows.iter().map(|row| row.label.chars().count()).max().unwrap_or(0);
        let sizes: Vec<String> = self.rows.iter().map(|row| human_bytes(row.bytes)).collect();
        let size_width = sizes.iter().map(String::len).max().unwrap_or(0);
        let mut seen = Vec::new();
        for (row, size) in self.rows.iter().zip(&sizes) {
            let scaled = u128::from(row.bytes) * width as u128 / u128::from(largest);
            let cells = (scaled as usize).clamp(width.min(8), width);
            markup =
                markup.dim(format!("{:<label_width$}  {size:>size_width$}  ", row.label)).dim("▕");
            for (run, share) in row.runs.iter().zip(shares(&row.runs, cells)) {
                if !seen.contains(&run.state) {
                    seen.push(run.state);
                }
                let text: String = std::iter::repeat_n(run.state.glyph(), share).collect();
                markup.push(run.state.style(), text);
            }
            markup = markup.dim("▏").newline();
        }
        for state in MapState::ALL.into_iter().filter(|state| seen.contains(state)) {
            markup.push(state.style(), state.glyph().to_string());
            markup = markup.dim(format!(" {}   ", state.name()));
        }
        markup
    }
}

/// Shares `cells` among runs in proportion to their bytes, by largest remainder. Each run gets one
/// cell beforehand while there are enough.
fn shares(runs: &[MapRun], cells: usize) -> Vec<usize> {
    let total: u128 = runs.iter().map(|run| u128::from(run.bytes)).sum::<u128>().max(1);
    let floor = usize::from(runs.len() <= cells);
    let spare = (cells - floor * runs.len().min(cells)) as u128;
    let exact: Vec<u128> = runs.iter().map(|run| u128::from(run.bytes) * spare).collect();
    let mut shares: Vec<usize> = exact.iter().map(|e| (e / total) as usize + floor).collect();
    let mut by_rest: Vec<usize> = (0..runs.len()).collect();
    by_rest.sort_by_key(|at| std::cmp::Reverse(exact[*at] % total));
    let missing = cells.saturating_sub(shares.iter().sum());
    for at in by_rest.into_iter().take(missing) {
        shares[at] += 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(state: MapState, bytes: u64) -> MapRun {
        MapRun { state, bytes, label: String::new(), made_by: String::new() }
    }

    #[test]
    fn shares_fill_the_row() {
        let runs = [run(MapState::Live, 1), run(MapState::Free, 1_000_000), run(MapState::Live, 1)];
        assert_eq!(shares(&runs, 10), [1, 8, 1]);
        let many = vec![run(MapState::Live, 7); 100];
        assert_eq!(shares(&many, 10).iter().sum::<usize>(), 10);
    }

    #[test]
    fn map_as_text() {
        let map = MemoryMap {
            rows: vec![MapRow {
                label: "segment 0".to_string(),
                bytes: 2048,
                runs: vec![run(MapState::Live, 1024), run(MapState::Free, 1024)],
            }],
            moments: Vec::new(),
        };
        let text: String = map.to_markup(8).pieces().iter().map(|(_, t)| t.as_str()).collect();
        assert_eq!(text, "segment 0  2.0 KiB  ▕████····▏\n█ live   · free   ");
    }
}
