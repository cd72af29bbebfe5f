//! A tensor: what it is, its values in a line, its elements in a table with colours, and a picture
//! where there are more elements than the table shows.

use crate::report::header::brief;
use crate::report::heat::{ODD, Scale};
use crate::report::portrait::{MAX_COLS, MAX_ROWS};
use crate::report::{
    ArrayReport, Bars, Markup, Portrait, Summary, Window, human_bytes, human_count,
};

use super::chart::{figure, small_bars};
use super::text::{escape, spans};

/// Rows and columns at either end of a table that is too large.
const EDGE_ROWS: usize = 8;
const EDGE_COLS: usize = 6;

/// Matrices of a tensor with more axes; where there are more, the first ones and the last.
const MAX_TABLES: usize = 4;

/// How strong a cell's colour may be, so that its number still reads.
const CELL_ALPHA: f64 = 0.45;

/// A tensor with everything that is known of it.
pub fn array(array: &ArrayReport) -> String {
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
    html += "<div class=\"side\"><div>";
    html += &tables(array, portrait);
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
        };
        let figures = format!("&emsp;mean {}&emsp;sd {}", brief(summary.mean), brief(summary.sd));
        let dim = |text: &str| format!("<span style=\"opacity:.75\">{text}</span>");
        html = dim(&brief(summary.min)) + " " + &small_bars(&bars) + " ";
        html += &dim(&(brief(summary.max) + &figures));
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

/// The last two axes as tables, one for each index of the axes before them.
fn tables(array: &ArrayReport, portrait: &Portrait) -> String {
    let (window, rank) = (&portrait.window, array.shape.rank());
    let extents = window.shape();
    let scale = match &array.summary {
        _ if array.dtype == crate::dtype::DType::Bool => Some(Scale::Around(1.0)),
        Some(summary) => Scale::over(summary.min, summary.max),
        None => Scale::of(portrait.values.iter().copied()),
    };
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
            html += "<div style=\"opacity:.62\">⋮</div>";
            continue;
        };
        if outer > 0 {
            let indices: Vec<String> = indices.iter().map(usize::to_string).collect();
            html += &format!("<div style=\"opacity:.62\">[{}, :, :]</div>", indices.join(", "));
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
    format!("<td align=\"center\"><span style=\"opacity:.5\">{sign}</span></td>")
}

fn cell(portrait: &Portrait, scale: Option<Scale>, at: usize) -> String {
    let word = portrait.words.get(at).map_or("", String::as_str);
    let value = portrait.values.get(at).copied().unwrap_or(f64::NAN);
    let word = escape(word);
    let tint = match scale {
        _ if !value.is_finite() => Some((ODD, 0.6)),
        Some(scale) => Some((scale.color(value), CELL_ALPHA)),
        None => None,
    };
    let Some((color, strength)) = tint.filter(|(color, _)| color.alpha > 7) else {
        return format!("<td align=\"right\">{word}</td>");
    };
    let ([r, g, b], alpha) = (color.rgb, f64::from(color.alpha) / 255.0 * strength);
    format!("<td align=\"right\" style=\"background:rgba({r},{g},{b},{alpha:.2})\">{word}</td>")
}
