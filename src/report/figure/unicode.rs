//! A figure made of characters: dots of Braille for lines, blocks for bars, shades for images.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{Axes, Curve, Dash, Figure, Image, Mark, Rgba, Shape, Sign};
use crate::report::chart::DOTS;
use crate::report::{Markup, Style};

/// Columns and rows of a figure at most, rows of a pair of axes at least.
const COLUMNS: usize = 132;
const ROWS: usize = 34;
const LEAST: usize = 10;

/// How many rows a figure gets, of those that would show its true proportions.
const FLAT: f64 = 0.62;

/// More points than this are dots.
const FEW: usize = 120;

const SHADES: [char; 5] = [' ', '░', '▒', '▓', '█'];
const EIGHTHS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A cell that the letter before it takes as well.
const COVERED: char = '\0';

/// The style nearest to a colour, of those that fit every terminal's theme.
fn style(color: Rgba) -> Style {
    let [red, green, blue, _] = color.map(i32::from);
    let (most, least) = (red.max(green).max(blue), red.min(green).min(blue));
    match most - least {
        ..40 => Style::Plain,
        _ if red == most && green * 5 > red * 2 && blue * 2 < red * 2 - 60 && green > blue + 40 => {
            Style::Warn
        }
        _ if red == most && blue * 3 > red * 2 => Style::Keyword,
        _ if red == most => Style::Error,
        _ if green == most && blue * 5 > green * 4 => Style::Number,
        _ if green == most => Style::Good,
        _ if red * 3 > blue * 2 => Style::Keyword,
        _ if green * 5 > blue * 4 => Style::Number,
        _ => Style::Hint,
    }
}

/// Rows of characters.
struct Sheet {
    width: usize,
    cells: Vec<(char, Style)>,
}

/// Where a pair of axes draws: its first column and row, and how many there are.
struct Pane<'a> {
    axes: &'a Axes,
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

impl Figure {
    /// The figure in lines of text of at most so many columns.
    pub fn to_markup(&self, columns: usize) -> Markup {
        let width = columns.clamp(20, COLUMNS);
        let mut tops: Vec<u64> = self.axes.iter().map(|axes| axes.place[1].to_bits()).collect();
        tops.sort_unstable();
        tops.dedup();
        let fitting = width as f64 * self.height / self.width / 2.0 * FLAT;
        let least = LEAST * tops.len().max(1);
        let height = (fitting.round() as usize).clamp(least, ROWS.max(least));
        let mut sheet = Sheet { width, cells: vec![(' ', Style::Plain); width * height] };
        for axes in &self.axes {
            let [left, top, right, bottom] = axes.place;
            let at = |share: f64, count: usize| (share * count as f64).round() as usize;
            let (from, to) = (at(left, width), at(right, width).min(width));
            let (above, below) = (at(top, height), at(bottom, height).min(height));
            sheet.axes(axes, [from, above, to, below]);
        }
        let mut markup = Markup::new();
        if !self.title.is_empty() {
            let gap = width.saturating_sub(self.title.chars().count()) / 2;
            markup = markup.plain(" ".repeat(gap)).heading(self.title.as_str()).newline();
        }
        let rows: Vec<&[(char, Style)]> = sheet.cells.chunks(width).collect();
        let is_blank = |row: &&[(char, Style)]| row.iter().all(|cell| cell.0 == ' ');
        let last = rows.iter().rposition(|row| !is_blank(row)).map_or(0, |at| at + 1);
        for (at, row) in rows[..last].iter().enumerate() {
            if at > 0 {
                markup = markup.newline();
            }
            let end = row.iter().rposition(|cell| cell.0 != ' ').map_or(0, |at| at + 1);
            let shown = row[..end].iter().filter(|(letter, _)| *letter != COVERED);
            shown.for_each(|(letter, style)| markup.push(*style, letter.to_string()));
        }
        markup
    }
}

impl Sheet {
    fn put(&mut self, column: usize, row: usize, letter: char, style: Style) {
        if column < self.width && row < self.cells.len() / self.width {
            self.cells[row * self.width + column] = (letter, style);
        }
    }

    fn write(&mut self, column: usize, row: usize, text: &str, style: Style) {
        let mut at = column;
        for letter in text.chars() {
            self.put(at, row, letter, style);
            at += 1;
            if letter.width() == Some(2) {
                self.put(at, row, COVERED, style);
                at += 1;
            }
        }
    }

    fn centred(&mut self, (from, to): (usize, usize), row: usize, text: &str, style: Style) {
        let room = (to - from).saturating_sub(text.width());
        let shown: String = text.chars().take(to - from).collect();
        self.write(from + room / 2, row, &shown, style);
    }

    fn axes(&mut self, axes: &Axes, [left, top, right, bottom]: [usize; 4]) {
        let (mut first, mut last) = (top, bottom);
        if right < left + 12 || bottom < top + 5 {
            return;
        }
        if !axes.title.is_empty() {
            self.centred((left, right), first, &axes.title, Style::Heading);
            first += 1;
        }
        let named: Vec<&Mark> = axes.marks.iter().filter(|mark| !mark.name.is_empty()).collect();
        if axes.has_legend && !named.is_empty() {
            let mut column = left + 1;
            for mark in named {
                let entry = mark.name.chars().count() + 4;
                if column > left + 1 && column + entry > right {
                    (column, first) = (left + 1, first + 1);
                }
                self.write(column, first, mark.sample(), style(mark.color));
                self.write(column + 3, first, &mark.name, Style::Plain);
                column += entry + 1;
            }
            first += 1;
        }
        let below = [&axes.note, &axes.x.label].map(|text| usize::from(!text.is_empty()));
        last -= below[0] + below[1] + 2 * usize::from(axes.has_frame);
        let high = last.saturating_sub(first);
        let (y_marks, y_note) = axes.y.marks((high / 3).clamp(2, 6));
        if axes.has_frame && !(y_note.is_empty() && axes.y.label.is_empty()) {
            let text = format!("{} {y_note}", axes.y.label);
            self.write(left + 1, first, text.trim(), Style::Dim);
            first += 1;
        }
        let shown = if axes.has_frame { y_marks.as_slice() } else { &[] };
        let margin = shown.iter().map(|mark| mark.1.chars().count()).max().unwrap_or(0);
        let bar = axes.bar.as_ref().map_or(0, |_| 12);
        let start = left + margin + 2;
        let mut pane = Pane {
            axes,
            left: start,
            top: first,
            width: right.saturating_sub(start + bar + 1).max(4),
            height: last.saturating_sub(first).max(2),
        };
        if axes.is_equal {
            pane.square();
        }
        axes.marks.iter().for_each(|mark| self.mark(mark, &pane));
        if axes.has_frame {
            self.frame(&pane, &y_marks, margin);
        }
        let mut row = pane.top + pane.height + 2 * usize::from(axes.has_frame);
        for (text, style) in [(&axes.x.label, Style::Plain), (&axes.note, Style::Dim)] {
            if !text.is_empty() {
                self.centred((pane.left, pane.left + pane.width), row, text, style);
                row += 1;
            }
        }
        if let Some(bar) = &axes.bar {
            let at = pane.left + pane.width + 1;
            for row in 0..pane.height {
                let place = 1.0 - row as f64 / (pane.height - 1).max(1) as f64;
                let shade = SHADES[((place * 5.0) as usize).min(4)];
                self.put(at, pane.top + row, shade, Style::Heat((place * 255.0) as u8));
            }
            let brief = crate::report::header::brief;
            self.write(at + 2, pane.top, &brief(bar.high), Style::Dim);
            self.write(at + 2, pane.top + pane.height - 1, &brief(bar.low), Style::Dim);
            self.write(at + 2, pane.top + pane.height / 2, &bar.label, Style::Dim);
        }
    }

    fn frame(&mut self, pane: &Pane<'_>, y_marks: &[(f64, String)], margin: usize) {
        let (axis, floor) = (pane.left - 1, pane.top + pane.height);
        for row in pane.top..floor {
            self.put(axis, row, '│', Style::Dim);
        }
        self.put(axis, floor, '└', Style::Dim);
        for column in 0..pane.width {
            self.put(pane.left + column, floor, '─', Style::Dim);
        }
        for (value, label) in y_marks {
            let row = pane.top + (pane.dot_row(*value).max(0) as usize / 4).min(pane.height - 1);
            self.put(axis, row, '┤', Style::Dim);
            let gap = margin - label.chars().count();
            self.write(axis - 1 - margin + gap, row, label, Style::Dim);
        }
        for most in (1..=(pane.width / 9).clamp(1, 9)).rev() {
            let (marks, note) = pane.axes.x.marks(most);
            let mut places: Vec<(usize, String)> = marks
                .into_iter()
                .map(|(value, label)| {
                    let column = (pane.dot_column(value).max(0) as usize / 2).min(pane.width - 1);
                    (column, label)
                })
                .collect();
            places.sort_unstable();
            let spans = places.iter().map(|(column, label)| {
                let length = label.chars().count();
                let start = (pane.left + column).saturating_sub(length / 2);
                (start.min(self.width.saturating_sub(length)), length)
            });
            let spans: Vec<(usize, usize)> = spans.collect();
            if most > 1 && spans.windows(2).any(|two| two[0].0 + two[0].1 >= two[1].0) {
                continue;
            }
            for ((column, label), (start, _)) in places.iter().zip(&spans) {
                self.put(pane.left + column, floor, '┬', Style::Dim);
                self.write(*start, floor + 1, label, Style::Dim);
            }
            let length = note.chars().count();
            if length > 0 && pane.width > length {
                self.write(pane.left + pane.width - length, floor, &note, Style::Dim);
            }
            return;
        }
    }

    fn mark(&mut self, mark: &Mark, pane: &Pane<'_>) {
        let style = style(mark.color);
        match &mark.shape {
            Shape::Curve(curve) => self.curve(curve, pane, style),
            Shape::Dots(dots) => {
                let is_few = dots.x.len() <= FEW;
                for (at, (x, y)) in dots.x.iter().zip(&dots.y).enumerate() {
                    let style = dots.colors.get(at).map_or(style, |color| self::style(*color));
                    self.sign(pane, (*x, *y), is_few.then_some(dots.sign), style);
                }
            }
            Shape::Boxes { boxes, .. } => {
                boxes.iter().for_each(|ends| self.block(pane, ends, style));
            }
            Shape::Area { x, low, high } => {
                for column in 0..pane.width {
                    let near = |at: &usize| pane.dot_column(x[*at]).abs_diff(2 * column as i64 + 1);
                    let at = (0..x.len()).filter(|at| pane.sees(x[*at], low[*at])).min_by_key(near);
                    let Some(at) = at else { continue };
                    if near(&at) > 2 * pane.width as u64 / x.len().max(1) as u64 + 2 {
                        continue;
                    }
                    let rows = [pane.dot_row(high[at]), pane.dot_row(low[at])].map(|row| row / 4);
                    for row in rows[0].min(rows[1])..=rows[0].max(rows[1]) {
                        self.cell(pane, column as i64, row, '░', style);
                    }
                }
            }
            Shape::Segments { ends, stroke } => {
                for [x0, y0, x1, y1] in ends {
                    let gap = if stroke.dash == Dash::Solid { 1 } else { 3 };
                    self.join(pane, pane.dot(*x0, *y0), pane.dot(*x1, *y1), style, gap);
                }
            }
            Shape::Image(image) => self.image(image, pane),
            Shape::Label(label) => {
                if let Some((column, row)) = pane.dot(label.x, label.y) {
                    let back = match label.anchor {
                        super::Anchor::Start => 0,
                        super::Anchor::Middle => label.text.chars().count() as i64 / 2,
                        super::Anchor::End => label.text.chars().count() as i64,
                    };
                    for (at, letter) in label.text.chars().enumerate() {
                        self.cell(pane, column / 2 - back + at as i64, row / 4, letter, style);
                    }
                }
            }
        }
    }

    fn curve(&mut self, curve: &Curve, pane: &Pane<'_>, style: Style) {
        let mut before = None;
        for (at, (x, y)) in curve.x.iter().zip(&curve.y).enumerate() {
            let here = pane.dot(*x, *y);
            if let Some(stroke) = curve.stroke {
                if let (Some(low), Some(high)) = (curve.low.get(at), curve.high.get(at)) {
                    self.join(pane, pane.dot(*x, *low), pane.dot(*x, *high), style, 1);
                }
                let gap = if stroke.dash == Dash::Solid { 1 } else { 3 };
                self.join(pane, before.or(here), here, style, gap);
            }
            before = here;
        }
        if let Some(sign) = curve.sign {
            let is_few = curve.x.len() <= FEW && curve.size >= 3.0;
            for (x, y) in curve.x.iter().zip(&curve.y) {
                self.sign(pane, (*x, *y), is_few.then_some(sign), style);
            }
        }
    }

    fn sign(&mut self, pane: &Pane<'_>, (x, y): (f64, f64), sign: Option<Sign>, style: Style) {
        let Some((column, row)) = pane.dot(x, y) else { return };
        match sign {
            Some(sign) => {
                self.cell(pane, column.div_euclid(2), row.div_euclid(4), glyph(sign), style)
            }
            None => self.dot(pane, column, row, style),
        }
    }

    fn cell(&mut self, pane: &Pane<'_>, column: i64, row: i64, letter: char, style: Style) {
        let (Ok(column), Ok(row)) = (usize::try_from(column), usize::try_from(row)) else { return };
        if column < pane.width && row < pane.height {
            self.put(pane.left + column, pane.top + row, letter, style);
        }
    }

    fn dot(&mut self, pane: &Pane<'_>, column: i64, row: i64, style: Style) {
        let (Ok(x), Ok(y)) = (usize::try_from(column), usize::try_from(row)) else { return };
        if x < 2 * pane.width && y < 4 * pane.height {
            let at = (pane.top + y / 4) * self.width + pane.left + x / 2;
            let there = self.cells.get(at).map_or(0, |cell| (cell.0 as u32).wrapping_sub(0x2800));
            let bits = if there < 256 { there } else { 0 } | DOTS[x % 2][y % 4];
            self.put(
                pane.left + x / 2,
                pane.top + y / 4,
                char::from_u32(0x2800 + bits).unwrap_or(' '),
                style,
            );
        }
    }

    /// The straight line between two points, with so many steps from a dot to the next.
    fn join(
        &mut self,
        pane: &Pane<'_>,
        from: Option<(i64, i64)>,
        to: Option<(i64, i64)>,
        style: Style,
        gap: usize,
    ) {
        let (Some(from), Some(to)) = (from, to) else { return };
        let (across, down) = (to.0 - from.0, to.1 - from.1);
        let steps = across.abs().max(down.abs()).max(1);
        for step in (0..=steps).step_by(gap) {
            let along = |start: i64, span: i64| {
                start + (span as f64 * step as f64 / steps as f64).round() as i64
            };
            self.dot(pane, along(from.0, across), along(from.1, down), style);
        }
    }

    fn block(&mut self, pane: &Pane<'_>, [left, low, right, high]: &[f64; 4], style: Style) {
        let across = |x: f64| pane.axes.x.place(x).clamp(0.0, 1.0) * pane.width as f64;
        let up = |y: f64| {
            let place = pane.axes.y.place(y);
            if place.is_nan() { 0.0 } else { place.clamp(0.0, 1.0) * pane.height as f64 }
        };
        let (from, to) = (across(*left).min(across(*right)), across(*left).max(across(*right)));
        let (floor, top) = (up(*low).min(up(*high)), up(*low).max(up(*high)));
        if !(from.is_finite() && to.is_finite() && top > floor) {
            return;
        }
        let first = (from.round() as usize).min(pane.width - 1);
        let last = (to.round() as usize).max(first + 1).min(pane.width);
        for column in first..last {
            for row in 0..pane.height {
                let above = (pane.height - 1 - row) as f64;
                let (cover, base) =
                    ((top - above).clamp(0.0, 1.0), (floor - above).clamp(0.0, 1.0));
                let eighths = (cover * 8.0).round() as usize;
                if eighths == 0 || base >= 0.5 {
                    continue;
                }
                self.cell(pane, column as i64, row as i64, EIGHTHS[eighths - 1], style);
            }
        }
    }

    fn image(&mut self, image: &Image, pane: &Pane<'_>) {
        let [left, low, right, high] = image.extent;
        let (x, y) = (&pane.axes.x, &pane.axes.y);
        let (x0, x1, y0, y1) = (x.place(left), x.place(right), y.place(low), y.place(high));
        for row in 0..pane.height {
            for column in 0..pane.width {
                let across = (column as f64 + 0.5) / pane.width as f64;
                let up = 1.0 - (row as f64 + 0.5) / pane.height as f64;
                let (along, down) = ((across - x0) / (x1 - x0), 1.0 - (up - y0) / (y1 - y0));
                if !(0.0..1.0).contains(&along) || !(0.0..1.0).contains(&down) {
                    continue;
                }
                let cell = (down * image.rows as f64) as usize * image.cols
                    + (along * image.cols as f64) as usize;
                let (letter, style) = match image.shades[cell] {
                    place if place.is_nan() => ('?', Style::Error),
                    place => {
                        let shade = SHADES[((place * 5.0) as usize).min(4)];
                        (shade, Style::Heat((place.clamp(0.0, 1.0) * 255.0) as u8))
                    }
                };
                self.cell(pane, column as i64, row as i64, letter, style);
            }
        }
    }
}

impl Pane<'_> {
    fn dot_column(&self, x: f64) -> i64 {
        (self.axes.x.place(x) * (2 * self.width - 1) as f64).round().clamp(-1e4, 1e4) as i64
    }

    fn dot_row(&self, y: f64) -> i64 {
        ((1.0 - self.axes.y.place(y)) * (4 * self.height - 1) as f64).round().clamp(-1e4, 1e4)
            as i64
    }

    fn sees(&self, x: f64, y: f64) -> bool {
        !self.axes.x.place(x).is_nan() && !self.axes.y.place(y).is_nan()
    }

    /// The column and the row of a point, in dots.
    fn dot(&self, x: f64, y: f64) -> Option<(i64, i64)> {
        self.sees(x, y).then(|| (self.dot_column(x), self.dot_row(y)))
    }

    /// Makes a step as long on both axes: a cell is about twice as high as wide.
    fn square(&mut self) {
        let span = |ends: (f64, f64)| (ends.1 - ends.0).abs();
        let ratio = span(self.axes.x.ends) / span(self.axes.y.ends);
        let wide = 2.0 * self.height as f64 * ratio;
        match wide <= self.width as f64 {
            true => self.width = (wide.round() as usize).max(4),
            false => {
                let high = self.width as f64 / ratio / 2.0;
                self.height = (high.round() as usize).clamp(2, self.height);
            }
        }
    }
}

impl Mark {
    /// What stands for it in a legend, two columns wide.
    fn sample(&self) -> &'static str {
        match &self.shape {
            Shape::Curve(curve) if curve.stroke.is_none() => "● ",
            Shape::Dots(_) => "● ",
            Shape::Curve(curve) if curve.stroke.is_some_and(|s| s.dash != Dash::Solid) => "╍╍",
            Shape::Boxes { .. } => "██",
            Shape::Area { .. } => "░░",
            _ => "━━",
        }
    }
}

fn glyph(sign: Sign) -> char {
    match sign {
        Sign::Disc => '●',
        Sign::Point => '·',
        Sign::Square => '■',
        Sign::Diamond => '◆',
        Sign::Up => '▲',
        Sign::Down => '▼',
        Sign::Left => '◀',
        Sign::Right => '▶',
        Sign::Plus => '+',
        Sign::Cross => '×',
        Sign::Star => '*',
        Sign::Across => '─',
        Sign::Upright => '│',
    }
}
