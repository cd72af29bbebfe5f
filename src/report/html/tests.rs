use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use expect_test::{Expect, expect};

use super::*;
use crate::dtype::DType;
use crate::layout::Shape;
use crate::report::{
    ArrayReport, Bars, Chart, Column, Elements, Line, MapRow, MapRun, MapState, Markup, MemoryMap,
    Moment, Page, Portrait, PrintOptions, Summary, Table, format_repr,
};

/// What stands behind the style sheet.
fn body(report: &Report) -> String {
    let html = report.to_html();
    assert_eq!(html, report.to_html());
    let body = html.split_once("</style>").expect("the style sheet").1;
    check_nesting(body);
    body.strip_suffix("</div>").expect("the element's end").replace("><", ">\n<")
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
        } else if !tag.ends_with('/') && name != "img" {
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
        <span style="color:#d8434a;font-weight:bold">IndexError</span>: no
          1 | x[5]
        <span style="color:#d8434a;font-weight:bold">    | ^^^^</span>
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
        <th align="left">name</th>
        <th align="right">bytes</th>
        </tr>
        </thead>
        <tbody>
        <tr>
        <td align="left">
        <span style="font-weight:600">&lt;b&gt;</span>
        </td>
        <td align="right">
        <span style="color:#16848f">4 B</span>
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
            <th align="left">tree</th>
            <td align="left">
            <pre class="wrap">Expr(
              x)</pre>
            </td>
            </tr>
            <tr>
            <th align="left">memory</th>
            <td align="left">
            <pre class="wrap">
            <span style="color:#2b8a4b">fits</span>
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
            <span style="color:#a35bd6">float32</span> <span style="font-weight:600">(2, 2)</span>
            <span style="opacity:.62"> cpu 16 B</span>
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
            <td align="right" style="background:rgba(38,118,214,0.45)">-1.</td>
            <td align="right">0.</td>
            </tr>
            <tr>
            <th align="right">1</th>
            <td align="right" style="background:rgba(222,82,38,0.23)">0.5</td>
            <td align="right" style="background:rgba(214,31,179,0.60)">nan</td>
            </tr>
            </tbody>
            </table>
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
        <span style="color:#a35bd6">int64</span> <span style="font-weight:600">()</span>
        <span style="opacity:.62"> cpu 8 B</span>
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
        <span style="color:#a35bd6">bool</span> <span style="font-weight:600">(0, 3)</span>
        <span style="opacity:.62"> cpu 0 B</span>
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
        expect![[r##"
            <div>
            <span style="color:#a35bd6">float64</span> <span style="font-weight:600">(4,)</span>
            <span style="opacity:.62"> cpu 32 B</span>&emsp;<span style="opacity:.75">0</span> <svg xmlns="http://www.w3.org/2000/svg" class="in" width="18" height="16" viewBox="0 0 18 16" role="img" aria-label="histogram from 0 to 2" fill="currentColor" font-family="ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace" font-size="11">
            <rect x="0" y="8" width="8" height="8" fill="#2f7fd6" data-b="">
            <title>0 … 1: 1</title>
            </rect>
            <rect x="9" y="0" width="8" height="16" fill="#2f7fd6" data-b="">
            <title>1 … 2: 2</title>
            </rect>
            </svg> <span style="opacity:.75">2&emsp;mean 1&emsp;sd 0.8</span>&emsp;<span style="color:#b06f12">1 nan</span>
            <span style="opacity:.62">, first at [3]</span>
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
            <td align="right" style="background:rgba(68,1,84,0.45)">0.</td>
            <td align="right" style="background:rgba(253,231,37,0.45)">2.</td>
            <td align="right" style="background:rgba(33,145,140,0.45)">1.</td>
            <td align="right" style="background:rgba(214,31,179,0.60)">nan</td>
            </tr>
            </tbody>
            </table>
            </div>
            </div>"##]],
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
            <svg xmlns="http://www.w3.org/2000/svg" width="760" height="48" viewBox="0 0 760 48" role="img" aria-label="map of the memory" fill="currentColor" font-family="ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace" font-size="11">
            <text x="0" y="13" fill-opacity="0.75" pointer-events="none">segment 0 small</text>
            <text x="182" y="13" text-anchor="end" fill-opacity="0.75" pointer-events="none">2.0 KiB</text>
            <rect x="190" y="0" width="425.75" height="18" fill="#2b9a52" data-b="">
            <title>1.5 KiB live
            x, y
            x = &quot;&lt;script&gt;&quot;</title>
            </rect>
            <text x="194" y="13" fill="#fff" pointer-events="none">x, y</text>
            <rect x="616.75" y="0" width="142.25" height="18" fill="currentColor" fill-opacity=".1" data-b="">
            <title>512 B free
            x = &quot;&lt;script&gt;&quot;</title>
            </rect>
            <rect x="190" y="28" width="11" height="11" fill="#2b9a52"/>
            <text x="206" y="38" fill-opacity="0.75" pointer-events="none">live</text>
            <rect x="252.9" y="28" width="11" height="11" fill="currentColor" fill-opacity=".1"/>
            <text x="268.9" y="38" fill-opacity="0.75" pointer-events="none">free</text>
            </svg>
            <svg xmlns="http://www.w3.org/2000/svg" width="760" height="90" viewBox="0 0 760 90" role="img" aria-label="levels of the memory over time" fill="currentColor" font-family="ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace" font-size="11">
            <path d="M190 86H475V51H760V86H190Z" fill="#2b9a52" fill-opacity=".3"/>
            <path d="M190 86H475V51H760" fill="none" stroke="#2b9a52" stroke-width="1.3"/>
            <path d="M190 16H475V16H760" fill="none" stroke="#2f7fd6" stroke-dasharray="4 3"/>
            <path d="M190 86L760 86" stroke="currentColor" stroke-opacity="0.3"/>
            <rect x="190" y="16" width="285" height="70" fill="none" pointer-events="all" data-b="">
            <title>0 B live, 2.0 KiB reserved
            x = 1</title>
            </rect>
            <rect x="475" y="16" width="285" height="70" fill="none" pointer-events="all" data-b="">
            <title>1.0 KiB live, 2.0 KiB reserved
            x = 1</title>
            </rect>
            <text x="0" y="26" fill-opacity="0.75" pointer-events="none">the last event</text>
            <text x="182" y="42" text-anchor="end" fill-opacity="0.75" pointer-events="none">2.0 KiB</text>
            <text x="190" y="11" fill-opacity="0.75" pointer-events="none">live ▬   reserved ┅</text>
            </svg>"##]],
    );
}

#[test]
fn charts_are_drawn_to_scale() {
    let bars = Bars { title: "h".to_string(), low: 0.0, high: 4.0, counts: vec![4, 0, 2, 1] };
    check(
        Chart::Bars(bars),
        expect![[r##"
        <figure>
        <div>
        <b>h</b>
        </div>
        <svg xmlns="http://www.w3.org/2000/svg" width="600" height="200" viewBox="0 0 600 200" role="img" aria-label="histogram from 0 to 4" fill="currentColor" font-family="ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace" font-size="11">
        <path d="M62 178L588 178" stroke="currentColor" stroke-opacity="0.45"/>
        <text x="56" y="181.5" text-anchor="end" fill-opacity="0.7" pointer-events="none">0</text>
        <path d="M62 135.5L588 135.5" stroke="currentColor" stroke-opacity="0.14"/>
        <text x="56" y="139" text-anchor="end" fill-opacity="0.7" pointer-events="none">1</text>
        <path d="M62 93L588 93" stroke="currentColor" stroke-opacity="0.14"/>
        <text x="56" y="96.5" text-anchor="end" fill-opacity="0.7" pointer-events="none">2</text>
        <path d="M62 50.5L588 50.5" stroke="currentColor" stroke-opacity="0.14"/>
        <text x="56" y="54" text-anchor="end" fill-opacity="0.7" pointer-events="none">3</text>
        <path d="M62 8L588 8" stroke="currentColor" stroke-opacity="0.14"/>
        <text x="56" y="11.5" text-anchor="end" fill-opacity="0.7" pointer-events="none">4</text>
        <path d="M62 178L62 182" stroke="currentColor" stroke-opacity="0.45"/>
        <text x="62" y="195" text-anchor="middle" fill-opacity="0.7" pointer-events="none">0</text>
        <path d="M193.5 178L193.5 182" stroke="currentColor" stroke-opacity="0.45"/>
        <text x="193.5" y="195" text-anchor="middle" fill-opacity="0.7" pointer-events="none">1</text>
        <path d="M325 178L325 182" stroke="currentColor" stroke-opacity="0.45"/>
        <text x="325" y="195" text-anchor="middle" fill-opacity="0.7" pointer-events="none">2</text>
        <path d="M456.5 178L456.5 182" stroke="currentColor" stroke-opacity="0.45"/>
        <text x="456.5" y="195" text-anchor="middle" fill-opacity="0.7" pointer-events="none">3</text>
        <path d="M588 178L588 182" stroke="currentColor" stroke-opacity="0.45"/>
        <text x="588" y="195" text-anchor="middle" fill-opacity="0.7" pointer-events="none">4</text>
        <rect x="62.75" y="8" width="130" height="170" fill="#2f7fd6" fill-opacity=".8" data-b="">
        <title>0 … 1: 4</title>
        </rect>
        <rect x="194.25" y="178" width="130" height="0" fill="#2f7fd6" fill-opacity=".8" data-b="">
        <title>1 … 2: 0</title>
        </rect>
        <rect x="325.75" y="93" width="130" height="85" fill="#2f7fd6" fill-opacity=".8" data-b="">
        <title>2 … 3: 2</title>
        </rect>
        <rect x="457.25" y="135.5" width="130" height="42.5" fill="#2f7fd6" fill-opacity=".8" data-b="">
        <title>3 … 4: 1</title>
        </rect>
        </svg>
        </figure>"##]],
    );
    let line = Line {
        title: String::new(),
        step: 2,
        len: 5,
        x: Vec::new(),
        mean: vec![0.0, f64::NAN, 1.0],
        low: vec![-1.0, f64::NAN, 1.0],
        high: vec![1.0, f64::NAN, 1.0],
    };
    check(
        Chart::Line(line),
        expect![[r##"
        <figure>
        <svg xmlns="http://www.w3.org/2000/svg" width="600" height="200" viewBox="0 0 600 200" role="img" aria-label="5 numbers from -1 to 1" fill="currentColor" font-family="ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace" font-size="11">
        <path d="M62 178L588 178" stroke="currentColor" stroke-opacity="0.14"/>
        <text x="56" y="181.5" text-anchor="end" fill-opacity="0.7" pointer-events="none">-1.0</text>
        <path d="M62 135.5L588 135.5" stroke="currentColor" stroke-opacity="0.14"/>
        <text x="56" y="139" text-anchor="end" fill-opacity="0.7" pointer-events="none">-0.5</text>
        <path d="M62 93L588 93" stroke="currentColor" stroke-opacity="0.45"/>
        <text x="56" y="96.5" text-anchor="end" fill-opacity="0.7" pointer-events="none">0.0</text>
        <path d="M62 50.5L588 50.5" stroke="currentColor" stroke-opacity="0.14"/>
        <text x="56" y="54" text-anchor="end" fill-opacity="0.7" pointer-events="none">0.5</text>
        <path d="M62 8L588 8" stroke="currentColor" stroke-opacity="0.14"/>
        <text x="56" y="11.5" text-anchor="end" fill-opacity="0.7" pointer-events="none">1.0</text>
        <path d="M62 178L62 182" stroke="currentColor" stroke-opacity="0.45"/>
        <text x="62" y="195" text-anchor="middle" fill-opacity="0.7" pointer-events="none">0</text>
        <path d="M193.5 178L193.5 182" stroke="currentColor" stroke-opacity="0.45"/>
        <text x="193.5" y="195" text-anchor="middle" fill-opacity="0.7" pointer-events="none">1</text>
        <path d="M325 178L325 182" stroke="currentColor" stroke-opacity="0.45"/>
        <text x="325" y="195" text-anchor="middle" fill-opacity="0.7" pointer-events="none">2</text>
        <path d="M456.5 178L456.5 182" stroke="currentColor" stroke-opacity="0.45"/>
        <text x="456.5" y="195" text-anchor="middle" fill-opacity="0.7" pointer-events="none">3</text>
        <path d="M588 178L588 182" stroke="currentColor" stroke-opacity="0.45"/>
        <text x="588" y="195" text-anchor="middle" fill-opacity="0.7" pointer-events="none">4</text>
        <path d="M127.75 93h0M588 8h0" fill="none" stroke="#2f7fd6" stroke-width="4" stroke-linecap="round"/>
        </svg>
        <figcaption>mean, smallest and largest of each 2 elements</figcaption>
        </figure>"##]],
    );
}

#[test]
fn a_heat_map_is_a_picture_with_a_legend() {
    let heat = crate::report::Heat {
        title: "<m>".to_string(),
        rows: 2,
        cols: 2,
        values: vec![0.0, 1.0, 2.0, f64::NAN],
        block: (8, 8),
        extent: (16, 16),
    };
    let html = body(&Chart::Heat(heat.clone()).into());
    assert!(html.contains("src=\"data:image/png;base64,iVBOR"), "{html}");
    assert!(html.contains("&lt;m&gt;") && html.contains("means of blocks of 8 × 8"), "{html}");
    assert!(html.contains("nan, inf"), "{html}");
    assert!(Chart::Heat(heat.clone()).to_png().is_some_and(|png| png.starts_with(b"\x89PNG")));
    assert_eq!(Chart::Heat(heat).to_svg(), None);
}

#[test]
fn a_tall_narrow_heat_map_keeps_its_bounds() {
    for (rows, cols, extent) in
        [(63, 4, (1000, 4)), (1, 64, (1, 640)), (64, 64, (64, 6400)), (2, 3, (2, 3))]
    {
        let values = (0..rows * cols).map(|at| at as f64).collect();
        let heat = crate::report::Heat {
            title: String::new(),
            rows,
            cols,
            values,
            block: (extent.0 / rows, extent.1 / cols),
            extent,
        };
        let html = body(&Chart::Heat(heat).into());
        let number = |name: &str| -> f64 {
            let text = html.split_once(&format!(" {name}=\"")).unwrap().1;
            text.split_once('"').unwrap().0.parse().unwrap()
        };
        let (width, height) = (number("width"), number("height"));
        assert!((48.0..=256.0).contains(&width) && (48.0..=256.0).contains(&height), "{extent:?}");
        // A host that sets the width alone draws it about as high.
        let picture = html.split_once("base64,").unwrap().1.split_once('"').unwrap().0;
        let bytes = BASE64_STANDARD.decode(picture).unwrap();
        let side = |at: usize| f64::from(u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()));
        let shown = width / side(16) * side(20);
        assert!((shown / height - 1.0).abs() < 0.2, "{extent:?}: {shown} {height}");
    }
}
