//! A tensor: what it is, its values in a line, its elements in a table with colours, and a picture
//! where there are more elements than the table shows.

use crate::dtype::DType;
use crate::report::digits;
use crate::report::header::brief;
use crate::report::heat::{self, Color, ODD, Scale};
use crate::report::portrait::{MAX_COLS, MAX_ROWS};
use crate::report::{
    ArrayReport, Bars, Chart, Markup, Portrait, Summary, Window, human_bytes, human_count, spark,
};

use super::chart::{bin_text, figure, legend};
use super::text::{DIM, escape, luminance, spans};

/// Rows and columns at either end of a table that is too large.
const EDGE_ROWS: usize = 8;
const EDGE_COLS: usize = 6;

/// Matrices of a tensor with more axes; where there are more, the first ones and the last.
const MAX_TABLES: usize = 4;

/// The colours of the numbers in an output.
#[derive(Debug, Clone, Copy)]
pub enum Colours {
    /// Of one tensor, with the legend below it.
    Own,
    /// Of several, where they differ at all; whoever shows them shows the legend.
    Shared(Option<Scale>),
}

/// A tensor with everything that is known of it.
pub fn array(array: &ArrayReport, colours: Colours) -> String {
    let line = Markup::new()
        .keyword(array.dtype.to_string())
        .plain(" ")
        .name(array.shape.to_string())
        .dim(format!(" {} {}", array.device, human_bytes(array.bytes)));
    let mut html = format!("<div>{}", spans(&line));
    if let Some(summary) = &array.summary {
        html += "&emsp;";
        html += &values(summary);
    }
    html += "</div>";
    let Some(portrait) = &array.portrait.as_ref().filter(|_| array.shape.elem_count() > 0) else {
        return html + &format!("<pre>{}</pre>", escape(&array.text));
    };
    if array.shape.rank() == 0 {
        let word = portrait.words.first().map_or("", String::as_str);
        return html + &format!("<div><b>{}</b></div>", escape(word));
    }
    let (scale, has_legend) = match colours {
        _ if array.dtype == DType::Bool => (Some(Scale::Around(1.0)), false),
        // A heat map has a scale of its own, that of its blocks; an output has one.
        _ if matches!(portrait.chart, Some(Chart::Heat(_))) => (None, false),
        Colours::Own => (range(array).and_then(|(low, high)| Scale::over(low, high)), true),
        Colours::Shared(scale) => (scale, false),
    };
    html += "<div class=\"side\"><div>";
    html += &tables(array, portrait, scale);
    if has_legend {
        html += &legend_below(scale);
    }
    html += "</div>";
    if let Some(chart) = &portrait.chart {
        html += &figure(chart);
    }
    html + "</div>"
}

/// Range, histogram, mean, standard deviation, and what is no number.
fn values(summary: &Summary) -> String {
    let mut html = String::new();
    if summary.histogram.iter().any(|count| *count > 0) {
        let bars = Bars {
            title: String::new(),
            low: summary.min,
            high: summary.max,
            counts: summary.histogram.clone(),
            ..Bars::default()
        };
        let bins: Vec<String> = (0..bars.counts.len()).map(|at| bin_text(&bars, at)).collect();
        let dim = |text: &str| format!("<span style=\"{DIM}\">{text}</span>");
        html = format!(
            "{} {} <span style=\"color:#2f7fd6\" title=\"{}\">▕{}▏</span> {} {}&emsp;{} {}&emsp;{} {}",
            dim("least"),
            brief(summary.min),
            escape(&bins.join("\n")),
            // Blanks in a row would be one.
            spark(&bars.counts).replace(' ', "\u{2007}"),
            dim("greatest"),
            brief(summary.max),
            dim("mean"),
            brief(summary.mean),
            dim("sd"),
            brief(summary.sd),
        );
    }
    for (count, what, first) in [
        (summary.nan_count, "nan", &summary.first_nan),
        (summary.inf_count, "inf", &summary.first_inf),
    ] {
        if count > 0 {
            let markup = Markup::new()
                .warn(format!("{} {what}", human_count(count)))
                .dim(format!(", first at {first:?}"));
            html += &format!("&emsp;{}", spans(&markup));
        }
    }
    html
}

/// One of an axis' places that are seen: its index in the tensor and in the window. `None` is a
/// gap.
type Place = Option<(usize, usize)>;

fn places(window: &Window, axis: usize, most: usize, edge: usize) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    let mut next = 0;
    for range in window.ranges(axis) {
        if !places.is_empty() {
            places.push(None);
        }
        for index in range {
            places.push(Some((index, next)));
            next += 1;
        }
    }
    if places.len() > most {
        let tail = places.split_off(places.len() - edge);
        places.truncate(edge);
        places.push(None);
        places.extend(tail);
    }
    places
}

/// The legend of a scale, if there is one.
pub fn legend_below(scale: Option<Scale>) -> String {
    scale.map_or(String::new(), |scale| format!("<div>{}</div>", legend(scale)))
}

/// The least and the greatest number of a table whose numbers have colours by a scale.
pub fn range(array: &ArrayReport) -> Option<(f64, f64)> {
    let portrait = array.portrait.as_ref()?;
    let has_scale = array.shape.rank() > 0
        && array.dtype != DType::Bool
        && !matches!(portrait.chart, Some(Chart::Heat(_)));
    has_scale.then(|| match &array.summary {
        Some(summary) => (summary.min, summary.max),
        None => heat::range(portrait.values.iter().copied()),
    })
}

/// The last two axes as tables, one for each index of the axes before them.
fn tables(array: &ArrayReport, portrait: &Portrait, scale: Option<Scale>) -> String {
    let (window, rank) = (&portrait.window, array.shape.rank());
    let extents = window.shape();
    let cols = places(window, rank - 1, MAX_COLS, EDGE_COLS);
    let rows = match rank {
        1 => vec![Some((0, 0))],
        _ => places(window, rank - 2, MAX_ROWS, EDGE_ROWS),
    };
    let outer = rank.saturating_sub(2);
    let (height, width) = (if rank > 1 { extents[rank - 2] } else { 1 }, extents[rank - 1]);
    // Every combination of places along the outer axes, in row-major order.
    let mut sheets: Vec<Option<(Vec<usize>, usize)>> = vec![Some((Vec::new(), 0))];
    for axis in 0..outer {
        let along = places(window, axis, usize::MAX, 0);
        let grow = |sheet: &Option<(Vec<usize>, usize)>| match sheet {
            None => vec![None],
            Some((indices, at)) => along
                .iter()
                .map(|place| {
                    let (index, position) = (*place)?;
                    let indices = indices.iter().copied().chain([index]).collect();
                    Some((indices, at * extents[axis] + position))
                })
                .collect(),
        };
        sheets = sheets.iter().flat_map(grow).collect();
    }
    if sheets.len() > MAX_TABLES {
        let tail = sheets.split_off(sheets.len() - MAX_TABLES / 2);
        sheets.truncate(MAX_TABLES / 2);
        sheets.push(None);
        sheets.extend(tail);
    }
    sheets.dedup_by(|a, b| a.is_none() && b.is_none());
    let mut html = String::new();
    for sheet in &sheets {
        let Some((indices, at)) = sheet else {
            html += &format!("<div style=\"{DIM}\">⋮</div>");
            continue;
        };
        if outer > 0 {
            let indices: Vec<String> = indices.iter().map(usize::to_string).collect();
            html += &format!("<div style=\"{DIM}\">[{}, :, :]</div>", indices.join(", "));
        }
        html += "<table class=\"cells\"><thead><tr>";
        html += if rank > 1 { "<th></th>" } else { "" };
        for col in &cols {
            html += &match col {
                Some((index, _)) => format!("<th align=\"right\">{index}</th>"),
                None => "<th></th>".to_string(),
            };
        }
        html += "</tr></thead><tbody>";
        for row in &rows {
            html += "<tr>";
            if rank > 1 {
                let index = row.map_or("⋮".to_string(), |(index, _)| index.to_string());
                html += &format!("<th align=\"right\">{index}</th>");
            }
            for col in &cols {
                html += &match (row, col) {
                    (Some((_, row)), Some((_, col))) => {
                        cell(portrait, scale, (at * height + row) * width + col)
                    }
                    (Some(_), None) => gap("…"),
                    (None, Some(_)) => gap("⋮"),
                    (None, None) => gap("⋱"),
                };
            }
            html += "</tr>";
        }
        html += "</tbody></table>";
    }
    html
}

fn gap(sign: &str) -> String {
    format!("<td align=\"center\"><span style=\"{DIM}\">{sign}</span></td>")
}

fn cell(portrait: &Portrait, scale: Option<Scale>, at: usize) -> String {
    let word = portrait.words.get(at).map_or("", String::as_str);
    let value = portrait.values.get(at).copied().unwrap_or(f64::NAN);
    let word = escape(word);
    let whole = portrait.whole.get(at).filter(|whole| !digits::is_whole(&word, whole));
    let title = whole.map_or(String::new(), |whole| format!(" title=\"{}\"", escape(whole)));
    let tint = match scale {
        _ if !value.is_finite() => Some(ODD),
        Some(scale) => Some(scale.color(value)),
        None => None,
    };
    let style = tint
        .filter(|color| color.alpha > 7)
        .map_or(String::new(), |color| format!(" style=\"{}\"", tinted(color)));
    format!("<td align=\"right\"{style}{title}>{word}</td>")
}

/// The look of a number on a colour. On a full one it is black or white, whichever reads better; on
/// one that fades into the page it has the page's own colour.
pub fn tinted(Color { rgb: [r, g, b], alpha }: Color) -> String {
    match alpha {
        255 => {
            let ink = if luminance([r, g, b]) > 0.179 { "#000" } else { "#fff" };
            format!("background:#{r:02x}{g:02x}{b:02x};color:{ink}")
        }
        _ => format!("background:rgba({r},{g},{b},{:.2})", f64::from(alpha) / 255.0),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::contrast;
    use super::*;

    #[test]
    fn numbers_read_on_their_colours() {
        let scales = [Scale::Around(1.0), Scale::Between(0.0, 1.0)];
        let colors = (0..=200).flat_map(|at| scales.map(|s| s.color_at(f64::from(at) / 200.0)));
        for color in colors.chain([ODD]) {
            contrast::check(&format!("<td style=\"{}\">1.5</td>", tinted(color)));
        }
    }
}
