use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use expect_test::{Expect, expect};

use super::*;
use crate::dtype::DType;
use crate::layout::Shape;
use crate::report::{
    ArrayReport, Column, Elements, Group, MapRow, MapRun, MapState, Markup, MemoryMap, Moment,
    Page, Portrait, PrintOptions, Summary, Table, format_repr,
};

mod charts;
pub mod contrast;

/// What stands behind the style sheet; drawings stand behind their pictures.
fn body(report: &Report) -> String {
    let html = report.to_html();
    assert_eq!(html, report.to_html());
    let body = html.split_once("</style>").expect("the style sheet").1;
    check_nesting(body);
    check_trustless(body);
    contrast::check(body);
    let body = body.strip_suffix("</div>").expect("the element's end");
    let mut parts = body.split("data:image/");
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (data, after) = part.split_once('"').expect("the attribute's end");
        let (kind, data) = data.split_once(";base64,").expect("base64");
        let bytes = BASE64_STANDARD.decode(data).expect("base64");
        match kind {
            "png" => {
                let side = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
                text += &format!("PNG {}×{}\"{after}", side(16), side(20));
            }
            _ => text += &format!("SVG\"{}{after}", String::from_utf8(bytes).expect("text")),
        }
    }
    text.replace("><", ">\n<")
}

/// The drawings in a page.
pub fn drawing(html: &str) -> String {
    let drawings = html.split("data:image/svg+xml;base64,").skip(1).map(|part| {
        let data = part.split('"').next().unwrap_or_default();
        String::from_utf8(BASE64_STANDARD.decode(data).expect("base64")).expect("text")
    });
    drawings.collect()
}

/// Whatever hosts strip where a notebook is not trusted, nothing is left behind that does not belong
/// there: no drawing among the markup, and words for each picture.
fn check_trustless(html: &str) {
    for tag in ["<svg", "<style", "<script", "<path", "<text"] {
        assert!(!html.contains(tag), "{tag} in {html}");
    }
    for picture in html.split("<img").skip(1) {
        let alt = picture.split_once(" alt=\"").expect("words for a picture").1;
        assert!(alt.split('"').next().unwrap_or_default().len() > 8, "{picture}");
    }
}

fn check(report: impl Into<Report>, expected: Expect) {
    expected.assert_eq(&body(&report.into()));
}

/// Every tag is closed by its own kind, and no quote is left open.
fn check_nesting(html: &str) {
    let mut open: Vec<&str> = vec!["div"];
    for part in html.split('<').skip(1) {
        let (tag, _) = part.split_once('>').expect("a tag's end");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{html}");
        } else if !tag.ends_with('/') && !["img", "area"].contains(&name) {
            open.push(name);
        }
    }
    assert_eq!(open, [""; 0], "{html}");
}

fn tensor(extents: &[usize], elements: Elements, summary: Option<Summary>) -> ArrayReport {
    let shape: Shape = extents.iter().copied().collect();
    let options = PrintOptions::default();
    ArrayReport {
        dtype: elements.dtype(),
        device: "cpu".to_string(),
        bytes: (elements.len() * elements.dtype().size()) as u64,
        summary,
        elapsed: None,
        text: format_repr(&shape, &elements, &options),
        portrait: Some(Box::new(Portrait::new(&shape, &elements, &options))),
        shape,
    }
}

#[test]
fn text_and_messages() {
    check(
        Markup::new().name("<script>").plain("\n x & y"),
        expect![[r#"
            <pre class="wrap">
            <span style="font-weight:600">&lt;script&gt;</span>
             x &amp; y</pre>"#]],
    );
    let error = Markup::new().error("IndexError").plain(": no\n  1 | x[5]\n").error("    | ^^^^");
    check(
        error,
        expect![[r#"
            <pre style="border-left:3px solid #d8434a;padding-left:.8em!important">
            <span class="ink-error" style="font-weight:bold">IndexError</span>: no
              1 | x[5]
            <span class="ink-error" style="font-weight:bold">    | ^^^^</span>
            </pre>"#]],
    );
}

#[test]
fn a_table() {
    let mut table = Table::new([Column::left("name"), Column::right("bytes")])
        .with_title(Markup::new().heading("cpu"));
    table.row([Markup::new().name("<b>"), Markup::new().number("4 B")]);
    check(
        table,
        expect![[r#"
            <div>
            <span style="font-weight:bold">cpu</span>
            </div>
            <table>
            <thead>
            <tr>
            <th align="left" style="text-align:left">name</th>
            <th align="right">bytes</th>
            </tr>
            </thead>
            <tbody>
            <tr>
            <td align="left" style="text-align:left">
            <span style="font-weight:600">&lt;b&gt;</span>
            </td>
            <td align="right">
            <span class="ink-number">4 B</span>
            </td>
            </tr>
            </tbody>
            </table>"#]],
    );
}

#[test]
fn a_page() {
    let mut page = Page::default();
    page.entry("tree", "Expr(\n  x)".into());
    page.entry("memory", Markup::new().good("fits"));
    check(
        page,
        expect![[r#"
            <table>
            <tbody>
            <tr>
            <th align="left" style="text-align:left">tree</th>
            <td align="left" style="text-align:left">
            <pre class="wrap">Expr(
              x)</pre>
            </td>
            </tr>
            <tr>
            <th align="left" style="text-align:left">memory</th>
            <td align="left" style="text-align:left">
            <pre class="wrap">
            <span class="ink-good">fits</span>
            </pre>
            </td>
            </tr>
            </tbody>
            </table>"#]],
    );
}

#[test]
fn a_small_tensor() {
    let values = vec![-1.0, 0.0, 0.5, f64::NAN];
    check(
        Report::Array(tensor(&[2, 2], Elements::Float(values, DType::F32), None)),
        expect![[r#"
            <div>
            <span class="ink-keyword">float32</span> <span style="font-weight:600">(2, 2)</span>
            <span style="opacity:.66"> cpu 16 B</span>
            </div>
            <div class="side">
            <div>
            <table class="cells">
            <thead>
            <tr>
            <th>
            </th>
            <th align="right">0</th>
            <th align="right">1</th>
            </tr>
            </thead>
            <tbody>
            <tr>
            <th align="right">0</th>
            <td align="right" style="background:rgba(38,118,214,0.55)">-1. </td>
            <td align="right">0. </td>
            </tr>
            <tr>
            <th align="right">1</th>
            <td align="right" style="background:rgba(222,82,38,0.27)">0.5</td>
            <td align="right" style="background:#d61fb3;color:#000">nan</td>
            </tr>
            </tbody>
            </table>
            <div>
            <span style="opacity:.66">-1</span> <img class="scale" width="124" height="10" alt="colours from -1 to 1" src="PNG 124×10"> <span style="opacity:.66">1</span>
            </div>
            </div>
            </div>"#]],
    );
}

#[test]
fn a_scalar_and_nothing() {
    let scalar = tensor(&[], Elements::Int(vec![7], DType::I64), None);
    check(
        Report::Array(scalar),
        expect![[r#"
            <div>
            <span class="ink-keyword">int64</span> <span style="font-weight:600">()</span>
            <span style="opacity:.66"> cpu 8 B</span>
            </div>
            <div>
            <b>7</b>
            </div>"#]],
    );
    let nothing = tensor(&[0, 3], Elements::Bool(Vec::new()), None);
    check(
        Report::Array(nothing),
        expect![[r#"
            <div>
            <span class="ink-keyword">bool</span> <span style="font-weight:600">(0, 3)</span>
            <span style="opacity:.66"> cpu 0 B</span>
            </div>
            <pre>array([], shape=(0, 3), dtype=bool)</pre>"#]],
    );
}

#[test]
fn a_summary_stands_in_the_header() {
    let summary = Summary {
        min: 0.0,
        max: 2.0,
        mean: 1.0,
        sd: 0.8,
        histogram: vec![1, 2],
        nan_count: 1,
        first_nan: vec![3],
        ..Summary::default()
    };
    let values = vec![0.0, 2.0, 1.0, f64::NAN];
    let report = tensor(&[4], Elements::Float(values, DType::F64), Some(summary));
    check(
        Report::Array(report),
        expect![[r#"
            <div>
            <span class="ink-keyword">float64</span> <span style="font-weight:600">(4,)</span>
            <span style="opacity:.66"> cpu 32 B</span>&emsp;<span style="opacity:.66">least</span> 0 <span style="color:#2f7fd6" title="0 … 1: 1
            1 … 2: 2">▕▄█▏</span> <span style="opacity:.66">greatest</span> 2&emsp;<span style="opacity:.66">mean</span> 1&emsp;<span style="opacity:.66">sd</span> 0.8&emsp;<span class="ink-warn">1 nan</span>
            <span style="opacity:.66">, first at [3]</span>
            </div>
            <div class="side">
            <div>
            <table class="cells">
            <thead>
            <tr>
            <th align="right">0</th>
            <th align="right">1</th>
            <th align="right">2</th>
            <th align="right">3</th>
            </tr>
            </thead>
            <tbody>
            <tr>
            <td align="right" style="background:#440154;color:#fff">0.</td>
            <td align="right" style="background:#fde725;color:#000">2.</td>
            <td align="right" style="background:#21918c;color:#000">1.</td>
            <td align="right" style="background:#d61fb3;color:#000">nan</td>
            </tr>
            </tbody>
            </table>
            <div>
            <span style="opacity:.66">0</span> <img class="scale" width="124" height="10" alt="colours from 0 to 2" src="PNG 124×10"> <span style="opacity:.66">2</span>
            </div>
            </div>
            </div>"#]],
    );
}

#[test]
fn long_axes_have_gaps() {
    let shape: Shape = [40, 50].into_iter().collect();
    let elements = Elements::Int((0..36).collect(), DType::I64);
    let options = PrintOptions::default();
    let mut report = tensor(&[6, 6], elements.clone(), None);
    report.portrait = Some(Box::new(Portrait::new(&shape, &elements, &options)));
    report.shape = shape;
    let html = body(&Report::Array(report));
    for sign in ["⋮", "…", "⋱", ">49</th>", ">39</th>"] {
        assert!(html.contains(sign), "{sign} is missing in {html}");
    }
    // Seven columns with the gap, under a corner.
    assert_eq!(html.matches("<th").count(), 1 + 1 + 7 + 7);

    let whole = Elements::Int((0..1000).collect(), DType::I64);
    let html = body(&Report::Array(tensor(&[10, 100], whole, None)));
    assert!(html.contains(">99</th>") && !html.contains(">50</th>"));
}

#[test]
fn more_axes_are_sheets() {
    let html = body(&Report::Array(tensor(&[2, 1, 2, 2], Elements::Bool(vec![true; 8]), None)));
    assert!(html.contains("[0, 0, :, :]") && html.contains("[1, 0, :, :]"), "{html}");
    let many = tensor(&[9, 2, 2], Elements::Int((0..36).collect(), DType::I8), None);
    let html = body(&Report::Array(many));
    assert!(html.contains("[1, :, :]") && html.contains("[8, :, :]"), "{html}");
    assert!(!html.contains("[2, :, :]"), "{html}");
}

#[test]
fn a_map_names_its_blocks() {
    let run = |state, bytes, label: &str| MapRun {
        state,
        bytes,
        label: label.to_string(),
        made_by: "x = \"<script>\"".to_string(),
    };
    let moment = |live| Moment { live, reserved: 2048, statement: "x = 1".to_string() };
    let map = MemoryMap {
        rows: vec![MapRow {
            label: "segment 0 small".to_string(),
            bytes: 2048,
            runs: vec![run(MapState::Live, 1536, "x, y"), run(MapState::Free, 512, "")],
        }],
        moments: vec![moment(0), moment(1024)],
    };
    check(
        Report::Map(map),
        expect![[r##"
            <img class="plate" width="760" height="48" alt="a map of the memory; segment 0 small, 2.0 KiB: 1.5 KiB live, 512 B free" src="SVG"<svg xmlns="http://www.w3.org/2000/svg" width="760" height="48" viewBox="0 0 760 48" fill="#1f2328" font-family="ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace" font-size="11">
            <rect width="100%" height="100%" fill="#fff"/>
            <text x="0" y="13">segment 0 small</text>
            <text x="182" y="13" text-anchor="end">2.0 KiB</text>
            <rect x="190" y="0" width="425.75" height="18" fill="#237d43"/>
            <text x="194" y="13" fill="#fff">x, y</text>
            <rect x="616.75" y="0" width="142.25" height="18" fill="#e6e7e8"/>
            <rect x="190" y="28" width="11" height="11" fill="#237d43"/>
            <text x="206" y="38">live</text>
            <rect x="252.9" y="28" width="11" height="11" fill="#e6e7e8"/>
            <text x="268.9" y="38">free</text>
            </svg> usemap="#genesis-ccd4512ce7878cf1">
            <map name="genesis-ccd4512ce7878cf1">
            <area shape="rect" coords="190,0,616,18" title="1.5 KiB live
            x, y
            x = &quot;&lt;script&gt;&quot;" alt="1.5 KiB live
            x, y
            x = &quot;&lt;script&gt;&quot;">
            <area shape="rect" coords="617,0,759,18" title="512 B free
            x = &quot;&lt;script&gt;&quot;" alt="512 B free
            x = &quot;&lt;script&gt;&quot;">
            </map>
            <img class="plate" width="760" height="90" alt="levels of the memory over the last event: at most 2.0 KiB reserved, at the end 1.0 KiB live" src="SVG"<svg xmlns="http://www.w3.org/2000/svg" width="760" height="90" viewBox="0 0 760 90" fill="#1f2328" font-family="ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace" font-size="11">
            <rect width="100%" height="100%" fill="#fff"/>
            <path d="M190 86H475V51H760V86H190Z" fill="#2b9a52" fill-opacity=".3"/>
            <path d="M190 86H475V51H760" fill="none" stroke="#2b9a52" stroke-width="1.3"/>
            <path d="M190 16H475V16H760" fill="none" stroke="#2f7fd6" stroke-dasharray="4 3"/>
            <path d="M190 86L760 86" stroke="#1f2328" stroke-opacity="0.3"/>
            <text x="0" y="26">the last event</text>
            <text x="182" y="42" text-anchor="end">2.0 KiB</text>
            <text x="190" y="11">live ▬   reserved ┅</text>
            </svg> usemap="#genesis-e33bd9160b6ed2d8">
            <map name="genesis-e33bd9160b6ed2d8">
            <area shape="rect" coords="190,16,475,86" title="0 B live, 2.0 KiB reserved
            x = 1" alt="0 B live, 2.0 KiB reserved
            x = 1">
            <area shape="rect" coords="475,16,760,86" title="1.0 KiB live, 2.0 KiB reserved
            x = 1" alt="1.0 KiB live, 2.0 KiB reserved
            x = 1">
            </map>"##]],
    );
}

#[test]
fn a_container_has_one_scale() {
    let part = |values: [f64; 2]| {
        let values = Elements::Float(values.to_vec(), DType::F32);
        Report::Array(tensor(&[2], values, None))
    };
    let inner = Group {
        text: String::new(),
        entries: vec![("[0]".to_string(), part([0.0, 4.0]))],
        more: 0,
    };
    let entries = vec![
        ("[0]".to_string(), part([-1.0, 2.0])),
        ("[1]".to_string(), part([3.0, 3.0])),
        ("[2]".to_string(), Report::Group(inner)),
    ];
    let html = Report::Group(Group { text: String::new(), entries, more: 0 }).to_html();
    let tint = |alpha: &str, word: &str| {
        let cell = format!("rgba(222,82,38,{alpha})\">{word}");
        assert!(html.contains(&cell), "{cell} in {html}");
    };
    // Half of the strongest, three quarters of it, all of it.
    tint("0.27", "2.");
    tint("0.41", "3.");
    tint("0.55", "4.");
    assert_eq!(html.matches("class=\"scale\"").count(), 1);
    assert!(html.contains("alt=\"colours from -4 to 4\""), "{html}");
}
