//! The memory at a glance: a drawing of its levels beside the variables that hold the most.

use crate::report::gauge::Row;
use crate::report::{Gauge, Holding, Markup, bar, human_bytes};

use super::svg::{Svg, length};
use super::table::LEFT_SIDE;
use super::text::{DIM, escape, spans};

const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 64.0;

/// Characters of the longest bar beside a variable.
const BAR: usize = 12;

const GREEN: &str = "#2b9a52";
const BLUE: &str = "#2f7fd6";
const RED: &str = "#d8434a";

pub fn gauge(gauge: &Gauge) -> String {
    let title = Markup::new().heading(&*gauge.title).dim(format!("  {}", gauge.note));
    let mut html = format!("<div>{}</div><div class=\"side\"><div>", spans(&title));
    html += &levels(gauge);
    html += "<div>";
    for ((name, bytes), color) in gauge.figures().into_iter().zip([GREEN, BLUE, RED]) {
        html += &format!(
            "<span style=\"color:{color}\">■</span> {name} <b>{}</b>&emsp;",
            escape(&human_bytes(bytes))
        );
    }
    html += "</div></div>";
    html + &holders(gauge) + "</div>"
}

/// Live bytes as an area, reserved ones as a line above it, the peak across.
fn levels(gauge: &Gauge) -> String {
    let mut svg = Svg::new(WIDTH, HEIGHT);
    let reserved = gauge.moments.iter().map(|(_, reserved)| *reserved);
    let highest = reserved.chain([gauge.reserved, gauge.peak]).max().unwrap_or(0).max(1);
    let level = |bytes: u64| HEIGHT - 1.0 - bytes as f64 / highest as f64 * (HEIGHT - 3.0);
    let step = WIDTH / gauge.moments.len().max(1) as f64;
    let stairs = |of: &dyn Fn(&(u64, u64)) -> u64| {
        let mut path = String::new();
        let mut before = String::new();
        for (at, moment) in gauge.moments.iter().enumerate() {
            let y = length(level(of(moment)));
            if at == 0 {
                path += &format!("M0 {y}");
            } else if y != before {
                path += &format!("H{}V{y}", length(step * at as f64));
            }
            before = y;
        }
        path + &format!("H{}", length(WIDTH))
    };
    if !gauge.moments.is_empty() {
        let live = stairs(&|moment| moment.0);
        let area = format!("{live}V{bottom}H0Z", bottom = length(HEIGHT));
        svg.path(&area, &format!("fill=\"{GREEN}\" fill-opacity=\".35\""));
        svg.path(&live, &format!("fill=\"none\" stroke=\"{GREEN}\" stroke-width=\"1.3\""));
        let reserved = stairs(&|moment| moment.1);
        svg.path(&reserved, &format!("fill=\"none\" stroke=\"{BLUE}\" stroke-dasharray=\"4 3\""));
    }
    let peak = length(level(gauge.peak));
    let dots = format!("fill=\"none\" stroke=\"{RED}\" stroke-dasharray=\"1 4\"");
    svg.path(&format!("M0 {peak}H{}", length(WIDTH)), &dots);
    svg.line((0.0, HEIGHT), (WIDTH, HEIGHT), 0.3);
    let figures = gauge.figures().map(|(name, bytes)| format!("{name} {}", human_bytes(bytes)));
    svg.picture(&format!("levels of the memory lately: {}", figures.join(", ")))
}

/// Each holder with its bar, and what holds the rest: always as many rows, so that what stands below
/// a panel keeps its place.
fn holders(gauge: &Gauge) -> String {
    let most = gauge.holders.iter().map(|holding| holding.bytes).max().unwrap_or(0);
    let mut html = String::from("<table><tbody>");
    for row in gauge.rows() {
        let (names, what, bytes, part) = match &row {
            Row::Holding(Holding { names, what, bytes }) => {
                let name = spans(&Markup::new().name(&**names));
                (name, escape(what), human_bytes(*bytes), bar(*bytes, most, BAR))
            }
            Row::Rest(text) => (escape(text), String::new(), String::new(), String::new()),
            Row::Empty => ("&nbsp;".to_string(), String::new(), String::new(), String::new()),
        };
        html += &format!(
            "<tr><td{LEFT_SIDE}>{names}</td><td align=\"right\">{}</td>\
             <td{LEFT_SIDE}><span style=\"color:{GREEN}\">{}</span></td>\
             <td{LEFT_SIDE}><span style=\"{DIM}\">{what}</span></td></tr>",
            escape(&bytes),
            part.trim_end(),
        );
    }
    html + "</tbody></table>"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_go_up_and_down() {
        let holding = |names: &str, bytes| Holding {
            names: names.to_string(),
            what: "float32 (4,)".to_string(),
            bytes,
        };
        let mut shown = Gauge {
            title: "cpu".to_string(),
            note: "after [3]".to_string(),
            live: 50,
            reserved: 100,
            peak: 100,
            moments: vec![(0, 0), (100, 100), (50, 100)],
            holders: vec![holding("<x>", 40), holding("y", 10)],
            others: (7, 3),
        };
        let html = gauge(&shown);
        let drawing = super::super::tests::drawing(&html);
        // Nothing, all of it, half of it, each a third of the width.
        assert!(
            drawing.contains("d=\"M0 63H106.67V2H213.33V32.5H320\" fill=\"none\""),
            "{drawing}"
        );
        // The reserved bytes rise once.
        assert!(drawing.contains("d=\"M0 63H106.67V2H320\""), "{drawing}");
        assert!(html.contains("live <b>50 B</b>") && html.contains("peak <b>100 B</b>"), "{html}");
        assert!(html.contains("&lt;x&gt;") && html.contains("████████████<"), "{html}");
        assert!(html.contains(">███<") && html.contains("…and 7 more hold 3 B"), "{html}");
        let rows = html.matches("<tr>").count();
        ((shown.moments, shown.holders), shown.others) = Default::default();
        assert_eq!(gauge(&shown).matches("<tr>").count(), rows, "the panel keeps its height");
    }
}
