//! The memory as a drawing: every segment a bar, every block a part of it that says on hover what
//! it is; under it, how the levels came about.

use crate::report::{MapRow, MapState, MemoryMap, Moment, human_bytes};

use super::svg::{Anchor, Svg, length};

const WIDTH: f64 = 760.0;
/// What stands before the bars: a name and a size.
const LEFT: f64 = 190.0;
const ROW: f64 = 24.0;
const BAR: f64 = 18.0;

/// The least width of a bar, and of a part.
const LEAST_BAR: f64 = 60.0;
const LEAST_PART: f64 = 1.5;

/// About what a character takes.
const LETTER: f64 = 6.7;

/// Segments that the words for the drawing name.
const NAMED: usize = 12;

/// Height of the timeline, and the most points of it.
const TIMELINE: f64 = 90.0;
const POINTS: usize = 240;

/// The map, its legend and its timeline.
pub fn map(map: &MemoryMap) -> String {
    let mut html = segments(map);
    if map.moments.len() > 1 {
        html += &timeline(&map.moments);
    }
    html
}

fn fill(state: MapState) -> &'static str {
    match state {
        // White names stand on the first three.
        MapState::Live => "#237d43",
        MapState::Temporary => "#9c5d0a",
        MapState::Past => "#7f97b8",
        MapState::Pending => "#8b45bd",
        MapState::Cached => "#a3c7ed",
        MapState::Free => "#e6e7e8",
    }
}

fn segments(map: &MemoryMap) -> String {
    let largest = map.rows.iter().map(|row| row.bytes).max().unwrap_or(0).max(1);
    let states: Vec<MapState> = MapState::ALL
        .into_iter()
        .filter(|state| map.rows.iter().flat_map(|row| &row.runs).any(|run| run.state == *state))
        .collect();
    let height = ROW * (map.rows.len() + 1) as f64;
    let mut svg = Svg::new(WIDTH, height);
    for (at, row) in map.rows.iter().enumerate() {
        let y = at as f64 * ROW;
        svg.text(0.0, y + 13.0, Anchor::Start, &row.label);
        svg.text(LEFT - 8.0, y + 13.0, Anchor::End, &human_bytes(row.bytes));
        let room = WIDTH - LEFT;
        let width = (row.bytes as f64 / largest as f64 * room).clamp(LEAST_BAR, room);
        bar(&mut svg, row, y, width);
    }
    let mut x = LEFT;
    let y = height - ROW + 4.0;
    for state in states {
        svg.rect([x, y, 11.0, 11.0], fill(state), "");
        svg.text(x + 16.0, y + 10.0, Anchor::Start, state.name());
        x += 16.0 + LETTER * (state.name().len() + 3) as f64;
    }
    svg.picture(&words(&map.rows))
}

/// The segments in words: how much of each is what.
fn words(rows: &[MapRow]) -> String {
    let row = |row: &MapRow| {
        let shares = MapState::ALL.into_iter().filter_map(|state| {
            let bytes = row.runs.iter().filter(|run| run.state == state).map(|run| run.bytes);
            let bytes: u64 = bytes.sum();
            (bytes > 0).then(|| format!("{} {}", human_bytes(bytes), state.name()))
        });
        let shares: Vec<String> = shares.collect();
        format!("; {}, {}: {}", row.label, human_bytes(row.bytes), shares.join(", "))
    };
    let named: String = rows.iter().take(NAMED).map(row).collect();
    let more = if rows.len() > NAMED { "; …" } else { "" };
    format!("a map of the memory{named}{more}")
}

fn bar(svg: &mut Svg, row: &MapRow, y: f64, width: f64) {
    // Every part has its least width, the rest is shared in proportion.
    let least = LEAST_PART.min(width / row.runs.len().max(1) as f64);
    let spare = width - least * row.runs.len() as f64;
    let total = row.runs.iter().map(|run| run.bytes).sum::<u64>().max(1) as f64;
    let mut x = LEFT;
    for run in &row.runs {
        let part = least + spare * run.bytes as f64 / total;
        let mut title = format!("{} {}", human_bytes(run.bytes), run.state.name());
        for line in [&run.label, &run.made_by] {
            if !line.is_empty() {
                title += &format!("\n{line}");
            }
        }
        let edge = if part > 4.0 { 1.0 } else { 0.0 };
        svg.rect([x, y, part - edge, BAR], fill(run.state), &title);
        let letters = ((part - 8.0) / LETTER) as usize;
        let is_active = !matches!(run.state, MapState::Free | MapState::Cached | MapState::Past);
        if is_active && letters >= 1 && !run.label.is_empty() {
            let name: String = match run.label.chars().count() <= letters {
                true => run.label.clone(),
                false if letters > 3 => run.label.chars().take(letters - 1).chain(['…']).collect(),
                false => String::new(),
            };
            svg.white_text(x + 4.0, y + 13.0, &name);
        }
        x += part;
    }
}

/// Live and reserved bytes after each event, the present last. The axis counts events: hours may
/// lie between two of them.
fn timeline(moments: &[Moment]) -> String {
    let highest = moments.iter().map(|m| m.reserved.max(m.live)).max().unwrap_or(0).max(1);
    let (top, bottom) = (16.0, TIMELINE - 4.0);
    let level = |bytes: u64| bottom - bytes as f64 / highest as f64 * (bottom - top);
    let mut svg = Svg::new(WIDTH, TIMELINE);
    let group = moments.len().div_ceil(POINTS);
    let groups: Vec<&[Moment]> = moments.chunks(group).collect();
    let step = (WIDTH - LEFT) / groups.len() as f64;
    let stairs = |of: &dyn Fn(&Moment) -> u64| {
        let mut path = String::new();
        for (at, group) in groups.iter().enumerate() {
            // The highest of a group: a peak must not be lost.
            let y = length(level(group.iter().map(of).max().unwrap_or(0)));
            let x = LEFT + step * at as f64;
            let begin = if at == 0 { format!("M{} {y}", length(x)) } else { format!("V{y}") };
            path += &format!("{begin}H{}", length(x + step));
        }
        path
    };
    let live = stairs(&|moment| moment.live);
    let area = format!("{live}V{}H{}Z", length(bottom), length(LEFT));
    svg.path(&area, "fill=\"#2b9a52\" fill-opacity=\".3\"");
    svg.path(&live, "fill=\"none\" stroke=\"#2b9a52\" stroke-width=\"1.3\"");
    let reserved = stairs(&|moment| moment.reserved);
    svg.path(&reserved, "fill=\"none\" stroke=\"#2f7fd6\" stroke-dasharray=\"4 3\"");
    svg.line((LEFT, bottom), (WIDTH, bottom), 0.3);
    for (at, group) in groups.iter().enumerate() {
        let Some(last) = group.iter().max_by_key(|moment| moment.live) else { continue };
        let title = format!(
            "{} live, {} reserved\n{}",
            human_bytes(last.live),
            human_bytes(last.reserved),
            last.statement
        );
        let x = LEFT + step * at as f64;
        svg.say([x, top, step, bottom - top], &title);
    }
    let events = match moments.len() - 1 {
        1 => "the last event".to_string(),
        count => format!("the last {count} events"),
    };
    svg.text(0.0, top + 10.0, Anchor::Start, &events);
    svg.text(LEFT - 8.0, top + 26.0, Anchor::End, &human_bytes(highest));
    svg.text(LEFT, 11.0, Anchor::Start, "live ▬   reserved ┅");
    let words = format!(
        "levels of the memory over {events}: at most {} reserved, at the end {} live",
        human_bytes(highest),
        human_bytes(moments.last().map_or(0, |moment| moment.live))
    );
    svg.picture(&words)
}
