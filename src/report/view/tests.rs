use std::ops::Range;

use super::*;
use crate::report::{Report, Style};

/// A tensor whose elements are a function of their indices, and what was asked of it.
struct Made {
    shape: Vec<usize>,
    dtype: DType,
    value: fn(&[usize]) -> f64,
    asked: Vec<Vec<Range<usize>>>,
    is_stopped: bool,
}

impl Made {
    fn new(shape: &[usize], value: fn(&[usize]) -> f64) -> Made {
        Made {
            shape: shape.to_vec(),
            dtype: DType::F32,
            value,
            asked: Vec::new(),
            is_stopped: false,
        }
    }

    fn view(&self) -> View {
        let place = "cpu".to_string();
        let (dtype, shape) = (self.dtype, self.shape.clone());
        View::new(Subject { title: "x".to_string(), dtype, shape, place, bytes: 0 })
    }

    fn values(&mut self, part: &Part) -> Result<Vec<f64>, Fault> {
        if self.is_stopped {
            return Err(Fault::new(ErrorKind::KeyboardInterrupt, ""));
        }
        self.asked.push(part.to_vec());
        let mut indices = vec![Vec::new()];
        for range in part {
            let longer = |index: &Vec<usize>| {
                let index = index.clone();
                range.clone().map(move |at| index.iter().copied().chain([at]).collect())
            };
            indices = indices.iter().flat_map(longer).collect();
        }
        Ok(indices.iter().map(|index| (self.value)(index)).collect())
    }
}

impl Data for Made {
    fn elements(&mut self, part: &Part) -> Result<Elements, Fault> {
        Ok(Elements::Float(self.values(part)?, self.dtype))
    }

    fn summary(&mut self, part: &Part, _: &mut Tell<'_>) -> Result<Option<Summary>, Fault> {
        let values = self.values(part)?;
        let finite = || values.iter().copied().filter(|value| value.is_finite());
        let histogram = vec![finite().count() as u64];
        let (min, max) = (finite().fold(f64::NAN, f64::min), finite().fold(f64::NAN, f64::max));
        let mean = finite().sum::<f64>() / finite().count() as f64;
        Ok(Some(Summary { min, max, mean, histogram, ..Summary::default() }))
    }

    fn bars(
        &mut self,
        part: &Part,
        bins: usize,
        summary: &Summary,
        _: &mut Tell<'_>,
    ) -> Result<Bars, Fault> {
        self.values(part)?;
        let (low, high, counts) = (summary.min, summary.max, vec![1; bins]);
        Ok(Bars { low, high, counts, ..Bars::default() })
    }

    fn means(
        &mut self,
        part: &Part,
        _: (Option<usize>, Option<usize>),
        _: usize,
    ) -> Result<Heat, Fault> {
        let (rows, cols) = (part[part.len() - 2].len(), part[part.len() - 1].len());
        let (title, values) = (String::new(), self.values(part)?);
        Ok(Heat { title, rows, cols, values, block: (1, 1), extent: (rows, cols) })
    }

    fn find(
        &mut self,
        _: Test,
        _: Option<&[usize]>,
        _: bool,
        _: &mut Tell<'_>,
    ) -> Result<Option<Vec<usize>>, Fault> {
        Ok(None)
    }
}

/// Presses keys, one a character, and does what they wish for; gives the screen.
fn after(view: &mut View, data: &mut Made, keys: &str) -> Vec<String> {
    view.refresh(data);
    for c in keys.chars() {
        let key = match c {
            '^' => Key::Up,
            'v' => Key::Down,
            '←' => Key::Left,
            '→' => Key::Right,
            '⇞' => Key::PageUp,
            '⇟' => Key::PageDown,
            '⇤' => Key::Home,
            '⇥' => Key::End,
            '↵' => Key::Enter,
            '⌫' => Key::Backspace,
            '⎋' => Key::Escape,
            '\t' => Key::Tab,
            c => Key::Char(c),
        };
        let wish = view.press(key);
        view.fulfil_unless_nothing(wish, data);
        view.refresh(data);
    }
    let lines = view.lines();
    lines.iter().map(|line| line.to_plain().trim_end().to_string()).collect()
}

impl View {
    fn fulfil_unless_nothing(&mut self, wish: Wish, data: &mut dyn Data) {
        if wish != Wish::Nothing {
            self.fulfil(wish, data, &mut |_, _| {});
        }
    }
}

/// The index of each element as digits of one number.
fn digits_of(index: &[usize]) -> f64 {
    index.iter().fold(0.0, |value, at| value * 10.0 + *at as f64)
}

#[test]
fn arrows_walk_and_slices_follow() {
    let mut data = Made::new(&[3, 4, 5], digits_of);
    let mut view = data.view();
    view.resize(60, 12);
    let lines = after(&mut view, &mut data, "");
    assert_eq!(lines[0], "x  float32 (3, 4, 5)  cpu  0 B");
    assert_eq!(lines[1], "slice [0, ↓, →]  [0, 0, 0] = 0.0");
    assert_eq!(lines[3], "    0    1    2    3    4");
    assert_eq!(lines[4], "0[ 0.]  1.   2.   3.   4.");
    assert_eq!(lines[7], "3 30.  31.  32.  33.  34.");
    let lines = after(&mut view, &mut data, "v→→]");
    assert_eq!(view.index(), [1, 1, 2]);
    assert_eq!(lines[1], "slice [1, ↓, →]  [1, 1, 2] = 112.0");
    assert_eq!(lines[5], "1 110.  111. [112.] 113.  114.");
    // Nothing lies beyond the ends.
    after(&mut view, &mut data, "vvvvvvvv→→→→→→]]]]");
    assert_eq!(view.index(), [2, 3, 4]);
    after(&mut view, &mut data, "⇤{[[[[");
    assert_eq!(view.index(), [0, 0, 0]);
}

#[test]
fn axes_are_chosen() {
    let mut data = Made::new(&[3, 4, 5, 2], digits_of);
    let mut view = data.view();
    view.resize(60, 14);
    let lines = after(&mut view, &mut data, "\t]]");
    assert_eq!(lines[1], "slice [2, 0, ↓, →]  [2, 0, 0, 0] = 2000.0");
    let lines = after(&mut view, &mut data, "g:,1,:,1↵");
    assert_eq!(lines[1], "slice [↓, 1, →, 1]  [2, 1, 0, 1] = 2101.0");
    assert_eq!(lines[4], "0  101.   111.   121.   131.   141.");
    let lines = after(&mut view, &mut data, "t");
    assert_eq!(lines[1], "slice [→, 1, ↓, 1]  [2, 1, 0, 1] = 2101.0");
    assert_eq!(lines[5], "1  111.  1111.  2111.");
    let lines = after(&mut view, &mut data, "r");
    assert_eq!(lines[1], "slice [→, 1, 0, ↓]  [2, 1, 0, 1] = 2101.0");
    let lines = after(&mut view, &mut data, "g-1,-1,-1,-1↵");
    assert!(lines[1].ends_with("[2, 3, 4, 1] = 2341.0"), "{lines:?}");
    let lines = after(&mut view, &mut data, "g7↵");
    assert_eq!(lines[13], "index 7 is out of bounds for axis 0 with size 3");
    assert_eq!(after(&mut view, &mut data, "g1⌫2")[13], "go to: 2_");
    assert!(after(&mut view, &mut data, "⎋")[13].starts_with("? help"));
}

#[test]
fn only_what_is_seen_is_read() {
    let mut data = Made::new(&[100_000, 100_000], |index| (index[0] + index[1]) as f64);
    let mut view = data.view();
    view.resize(80, 24);
    let lines = after(&mut view, &mut data, "v⇟⇟>}⇥");
    assert_eq!(view.index(), [99_999, 99_999]);
    assert_eq!(lines[2], "a large slice: `s` computes its statistics");
    assert!(lines[22].ends_with("199997. [199998.]"), "{lines:?}");
    for part in &data.asked {
        let count: usize = part.iter().map(Range::len).product();
        assert!(count <= 80 * 24, "{part:?}");
    }
    // Where nothing has moved, nothing is read again.
    let before = data.asked.len();
    after(&mut view, &mut data, "^v");
    assert_eq!(data.asked.len(), before);
}

#[test]
fn the_cursor_is_always_seen() {
    for (width, height) in [(20, 5), (80, 24), (200, 60), (1, 1), (3, 2), (7, 9)] {
        let mut data =
            Made::new(&[70, 90], |index| 1.0 / (1.0 + index[0] as f64) + index[1] as f64);
        let mut view = data.view();
        view.resize(width, height);
        for keys in
            ["", "⇥", "}", "⇤", "⇞", "→→→→→→→→→→→→→→→", "⇟>", "h", "⇥}", "ho", "s", "a", "a", "?"]
        {
            let lines = after(&mut view, &mut data, keys);
            assert_eq!(lines.len(), height);
            let widest = lines.iter().map(|line| screen::columns(line)).max();
            assert!(widest <= Some(width), "{width} × {height}: {lines:?}");
            let is_shown =
                !matches!(view.panel, Panel::Help | Panel::Statistics(_) | Panel::Along(..));
            let text = lines[usize::from(height > 1)..].join("\n");
            assert!(!is_shown || width < 7 || text.contains('['), "{keys}: {lines:?}");
        }
    }
}

#[test]
fn colours_have_a_scale_and_marks() {
    let value = |index: &[usize]| match index {
        [0, 0] => f64::NAN,
        [0, 1] => f64::INFINITY,
        [0, 2] => f64::NEG_INFINITY,
        _ => (index[0] * 4 + index[1]) as f64,
    };
    let mut data = Made::new(&[3, 4], value);
    let mut view = data.view();
    view.resize(70, 12);
    let lines = after(&mut view, &mut data, "h}⇥");
    // From 3 to 11: 4 and 5 are in its first fifth and in its second.
    assert_eq!(&lines[3..7], ["  0", "0 ??+∞-∞", "1   ░░░░▒▒", "2 ▓▓▓▓██[]"]);
    let shades = ["  ", "░░", "▒▒", "▓▓", "██"].map(|shade| shade.repeat(2));
    let low = shades[0].clone() + &shades[0] + &shades[1] + &shades[1] + &shades[2];
    let high = shades[2].clone() + &shades[3] + &shades[3] + &shades[4] + &shades[4];
    assert_eq!(lines[7], format!("3 {low} 7 {high} 11  ?? nan  ±∞ inf"));
    let tint = view.lines()[6].pieces().iter().any(|(style, _)| matches!(style, Style::Tint(_)));
    assert!(tint);
}

#[test]
fn panels_say_what_was_asked() {
    let mut data = Made::new(&[2, 3, 4], digits_of);
    let mut view = data.view();
    view.resize(80, 40);
    let lines = after(&mut view, &mut data, "s");
    assert_eq!(lines[3], "statistics of the slice [0, ↓, →]");
    assert_eq!(
        (&*lines[4], &*lines[5], &*lines[6]),
        ("elements  12", "least     0.0", "greatest  23.0")
    );
    // Another slice has statistics of its own.
    let lines = after(&mut view, &mut data, "]");
    assert_eq!((&*lines[3], &*lines[5]), ("statistics of the slice [1, ↓, →]", "least     100.0"));
    let lines = after(&mut view, &mut data, "S");
    assert_eq!((&*lines[3], &*lines[6]), ("statistics of the whole tensor", "greatest  123.0"));
    let lines = after(&mut view, &mut data, "a");
    assert!(lines[3].starts_with("row     least"), "{lines:?}");
    assert!(lines[5].starts_with("  1       110"), "{lines:?}");
    let lines = after(&mut view, &mut data, "a");
    assert!(lines[7].starts_with("     3       103"), "{lines:?}");
    let lines = after(&mut view, &mut data, "?");
    assert!(lines.iter().any(|line| line.starts_with("n N       the next")), "{lines:?}");
    // A small screen shows the help piece by piece.
    view.resize(80, 9);
    assert!(after(&mut view, &mut data, "")[3].starts_with("arrows"));
    assert!(after(&mut view, &mut data, "v")[3].starts_with("PgUp PgDn"));
    assert!(after(&mut view, &mut data, "}")[7].starts_with("Esc"));
    assert_eq!(view.press(Key::Escape), Wish::Nothing);
    assert_eq!(view.press(Key::Escape), Wish::Leave);
}

#[test]
fn what_is_stopped_leaves_the_view() {
    let mut data = Made::new(&[3, 4], digits_of);
    let mut view = data.view();
    let cells = after(&mut view, &mut data, "");
    data.is_stopped = true;
    let lines = after(&mut view, &mut data, "S");
    assert_eq!(lines[23], "stopped");
    assert_eq!(lines[..23], cells[..23]);
    let lines = after(&mut view, &mut data, "n");
    assert_eq!(lines[23], "no element is nan or inf");
}

#[test]
fn small_tensors_have_all_slices_on_a_page() {
    let value = |index: &[usize]| if index[2] == 3 { f64::NAN } else { digits_of(index) };
    let mut data = Made::new(&[2, 3, 4], value);
    let slides = data.view().slides(&mut data, true).unwrap();
    let deck = slides.deck.as_ref().unwrap();
    assert_eq!((deck.words.len(), deck.values[23].is_nan(), deck.values[22]), (24, true, 122.0));
    let text = slides.text.to_plain();
    assert!(
        text.ends_with("the first of 2 slices; `:view x` in a terminal walks through all of it"),
        "{text}"
    );
    let html = Report::from(slides).to_html();
    assert!(html.contains("values:[0e0,1e0,2e0,NaN,"), "{html}");
    assert_eq!(html.matches("<script>").count(), 1);
    // What is left where scripts do not run: the first slice, and why there is no more.
    let rest = &html[..html.find("<script>").unwrap()];
    assert!(rest.contains("22.") && rest.contains("where the notebook is trusted"), "{rest}");
    let mut large = Made::new(&[300, 300], |_| 0.0);
    let slides = large.view().slides(&mut large, true).unwrap();
    assert!(slides.deck.is_none());
    assert!(Report::from(slides).to_html().contains("<code>:view x[:100, :100]</code>"));
}

#[test]
fn tensors_without_elements_or_axes() {
    let mut none = Made::new(&[0, 3], digits_of);
    let mut view = none.view();
    let lines = after(&mut view, &mut none, "v→nsaoh?g0↵]");
    assert_eq!(lines.len(), 24);
    assert_eq!(after(&mut none.view(), &mut none, "")[3], "no elements");
    let mut one = Made::new(&[], |_| 2.5);
    let mut view = one.view();
    let lines = after(&mut view, &mut one, "v→h]tr");
    assert_eq!(lines[1], "[] = 2.5");
    let mut line = Made::new(&[5], digits_of);
    let mut view = line.view();
    let lines = after(&mut view, &mut line, "vv");
    assert_eq!((&*lines[1], &*lines[6]), ("[2] = 2.0", "2[2.]"));
    let lines = after(&mut view, &mut line, "t");
    assert_eq!(lines[4], " 0.  1. [2.] 3.  4.");
}

fn place(at: &[usize], row: Option<usize>, col: Option<usize>) -> Place {
    Place { at: at.to_vec(), row, col, is_colored: false, below: Below::Nothing }
}

#[test]
fn a_page_goes_where_controls_say() {
    let mut data = Made::new(&[3, 40, 50], digits_of);
    let mut page = Page::new(data.view().subject);
    page.go(&place(&[2, 30, 45], Some(1), Some(2))).unwrap();
    // No further than the last cells fill the page.
    assert_eq!(page.place(), place(&[2, 20, 38], Some(1), Some(2)));
    let sheet = page.sheet(&mut data, &mut |_, _| {});
    assert_eq!((sheet.rows, sheet.cols), (Some(20..40), Some(38..50)));
    assert_eq!((sheet.cells.len(), &*sheet.cells[0].title), (240, "[2, 20, 38] = 438.0"));
    assert!(sheet.head.to_plain().starts_with("slice [2, ↓, →]  200 |"), "{:?}", sheet.head);
    page.go(&place(&[0, 0, 7], Some(0), Some(1))).unwrap();
    let sheet = page.sheet(&mut data, &mut |_, _| {});
    assert_eq!((sheet.cells.len(), &*sheet.cells[13].title), (36, "[1, 1, 7] = 117.0"));
    for (wrong, words) in [
        (place(&[0, 0], Some(0), Some(1)), "expected an index of 3 numbers, found 2"),
        (place(&[3, 0, 0], Some(0), Some(1)), "index 3 is out of bounds for axis 0 with size 3"),
        (place(&[0, 0, 0], Some(0), Some(3)), "expected an axis below 3, found 3"),
        (place(&[0, 0, 0], Some(1), Some(1)), "expected one axis as rows and another as columns"),
        (place(&[0, 0, 0], Some(1), None), "expected one axis as rows and another as columns"),
    ] {
        assert_eq!(page.go(&wrong).unwrap_err(), words);
    }
    assert_eq!(page.place(), place(&[0, 0, 7], Some(0), Some(1)));
}

#[test]
fn what_stands_below_a_page_is_of_its_slice() {
    let mut data = Made::new(&[3, 40, 50], digits_of);
    let mut page = Page::new(data.view().subject);
    let mut below = |at, below| {
        page.go(&Place { below, is_colored: true, ..place(&[at, 0, 0], Some(1), Some(2)) })
            .unwrap();
        let sheet = page.sheet(&mut data, &mut |_, _| {});
        (sheet.to_html(), sheet.below.len())
    };
    let (html, count) = below(0, Below::SliceStatistics);
    assert!(count == 2 && html.contains("the slice [0, ↓, →]"), "{html}");
    assert!(html.contains("alt=\"colours from"), "{html}");
    assert!(below(1, Below::SliceStatistics).0.contains("the slice [1, ↓, →]"));
    assert!(below(1, Below::WholeStatistics).0.contains("the whole tensor"));
    assert!(below(2, Below::RowStatistics).0.contains(">row     least"));
    assert!(below(2, Below::ColStatistics).0.contains("column     least"));
    assert_eq!(below(2, Below::Overview).1, 1);
    assert_eq!(below(2, Below::Nothing).1, 0);
    // What can't be read is said, and is not tried again and again.
    data.is_stopped = true;
    page.forget();
    page.go(&Place { below: Below::WholeStatistics, ..page.place() }).unwrap();
    let sheet = page.sheet(&mut data, &mut |_, _| {});
    assert_eq!(sheet.message.map(|it| it.to_plain()), Some("stopped".to_string()));
    assert_eq!(page.place().below, Below::Nothing);
}

#[test]
fn pages_without_cells_and_with_few() {
    let mut none = Made::new(&[0, 3], digits_of);
    let mut page = Page::new(none.view().subject);
    assert!(page.sheet(&mut none, &mut |_, _| {}).to_html().contains("no elements"));
    let mut line = Made::new(&[100], digits_of);
    let mut page = Page::new(line.view().subject);
    page.run(&Errand::GoTo("70".to_string()), &mut line, &mut |_, _| {});
    let sheet = page.sheet(&mut line, &mut |_, _| {});
    assert_eq!((sheet.rows, sheet.cols, sheet.cells.len()), (Some(70..90), None, 20));
    assert!(sheet.cells[0].is_marked && !sheet.cells[1].is_marked);
    page.run(&Errand::GoTo("100".to_string()), &mut line, &mut |_, _| {});
    let message = page.sheet(&mut line, &mut |_, _| {}).message.unwrap();
    assert_eq!(message.to_plain(), "index 100 is out of bounds for axis 0 with size 100");
    let mut one = Made::new(&[], |_| 2.5);
    let mut page = Page::new(one.view().subject);
    page.go(&place(&[], None, None)).unwrap();
    assert_eq!(page.sheet(&mut one, &mut |_, _| {}).cells[0].title, "[] = 2.5");
}
