//! Lines, bars and heat maps.

use expect_test::expect;

use super::{body, check};
use crate::report::{Bars, Chart, Line};

#[test]
fn charts_are_drawn_to_scale() {
    let bars = Bars {
        title: "h".to_string(),
        low: 0.0,
        high: 4.0,
        counts: vec![4, 0, 2, 1],
        ..Bars::default()
    };
    check(
        Chart::Bars(bars),
        expect![[r##"
            <figure style="margin:0">
            <div>
            <b>h</b>
            </div>
            <img class="plate" width="600" height="208" alt="a histogram of 7 numbers from 0 to 4, at most 4 in a bin" src="SVG"<svg xmlns="http://www.w3.org/2000/svg" width="600" height="208" viewBox="0 0 600 208" fill="#1f2328" font-family="ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace" font-size="11">
            <rect width="100%" height="100%" fill="#fff"/>
            <path d="M62 186L570 186" stroke="#1f2328" stroke-opacity="0.45"/>
            <text x="56" y="189.5" text-anchor="end">0</text>
            <path d="M62 143.5L570 143.5" stroke="#1f2328" stroke-opacity="0.14"/>
            <text x="56" y="147" text-anchor="end">1</text>
            <path d="M62 101L570 101" stroke="#1f2328" stroke-opacity="0.14"/>
            <text x="56" y="104.5" text-anchor="end">2</text>
            <path d="M62 58.5L570 58.5" stroke="#1f2328" stroke-opacity="0.14"/>
            <text x="56" y="62" text-anchor="end">3</text>
            <path d="M62 16L570 16" stroke="#1f2328" stroke-opacity="0.14"/>
            <text x="56" y="19.5" text-anchor="end">4</text>
            <path d="M62 186L62 190" stroke="#1f2328" stroke-opacity="0.45"/>
            <text x="62" y="203" text-anchor="middle">0.0</text>
            <path d="M125.5 186L125.5 190" stroke="#1f2328" stroke-opacity="0.45"/>
            <text x="125.5" y="203" text-anchor="middle">0.5</text>
            <path d="M189 186L189 190" stroke="#1f2328" stroke-opacity="0.45"/>
            <text x="189" y="203" text-anchor="middle">1.0</text>
            <path d="M252.5 186L252.5 190" stroke="#1f2328" stroke-opacity="0.45"/>
            <text x="252.5" y="203" text-anchor="middle">1.5</text>
            <path d="M316 186L316 190" stroke="#1f2328" stroke-opacity="0.45"/>
            <text x="316" y="203" text-anchor="middle">2.0</text>
            <path d="M379.5 186L379.5 190" stroke="#1f2328" stroke-opacity="0.45"/>
            <text x="379.5" y="203" text-anchor="middle">2.5</text>
            <path d="M443 186L443 190" stroke="#1f2328" stroke-opacity="0.45"/>
            <text x="443" y="203" text-anchor="middle">3.0</text>
            <path d="M506.5 186L506.5 190" stroke="#1f2328" stroke-opacity="0.45"/>
            <text x="506.5" y="203" text-anchor="middle">3.5</text>
            <path d="M570 186L570 190" stroke="#1f2328" stroke-opacity="0.45"/>
            <text x="570" y="203" text-anchor="middle">4.0</text>
            <rect x="62.75" y="16" width="125.5" height="170" fill="#2f7fd6"/>
            <rect x="189.75" y="186" width="125.5" height="0" fill="#2f7fd6"/>
            <rect x="316.75" y="101" width="125.5" height="85" fill="#2f7fd6"/>
            <rect x="443.75" y="143.5" width="125.5" height="42.5" fill="#2f7fd6"/>
            </svg> usemap="#genesis-ca1198ebdde092cd">
            <map name="genesis-ca1198ebdde092cd">
            <area shape="rect" coords="62,16,189,186" title="0 … 1: 4" alt="0 … 1: 4">
            <area shape="rect" coords="189,16,316,186" title="1 … 2: 0" alt="1 … 2: 0">
            <area shape="rect" coords="316,16,443,186" title="2 … 3: 2" alt="2 … 3: 2">
            <area shape="rect" coords="443,16,570,186" title="3 … 4: 1" alt="3 … 4: 1">
            </map>
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
            <figure style="margin:0">
            <img class="plate" width="600" height="208" alt="a line of 5 numbers from -1 to 1" src="SVG"<svg xmlns="http://www.w3.org/2000/svg" width="600" height="208" viewBox="0 0 600 208" fill="#1f2328" font-family="ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace" font-size="11">
            <rect width="100%" height="100%" fill="#fff"/>
            <path d="M62 186L570 186" stroke="#1f2328" stroke-opacity="0.14"/>
            <text x="56" y="189.5" text-anchor="end">-1.0</text>
            <path d="M62 143.5L570 143.5" stroke="#1f2328" stroke-opacity="0.14"/>
            <text x="56" y="147" text-anchor="end">-0.5</text>
            <path d="M62 101L570 101" stroke="#1f2328" stroke-opacity="0.45"/>
            <text x="56" y="104.5" text-anchor="end">0.0</text>
            <path d="M62 58.5L570 58.5" stroke="#1f2328" stroke-opacity="0.14"/>
            <text x="56" y="62" text-anchor="end">0.5</text>
            <path d="M62 16L570 16" stroke="#1f2328" stroke-opacity="0.14"/>
            <text x="56" y="19.5" text-anchor="end">1.0</text>
            <path d="M62 186L62 190" stroke="#1f2328" stroke-opacity="0.45"/>
            <text x="62" y="203" text-anchor="middle">0</text>
            <path d="M189 186L189 190" stroke="#1f2328" stroke-opacity="0.45"/>
            <text x="189" y="203" text-anchor="middle">1</text>
            <path d="M316 186L316 190" stroke="#1f2328" stroke-opacity="0.45"/>
            <text x="316" y="203" text-anchor="middle">2</text>
            <path d="M443 186L443 190" stroke="#1f2328" stroke-opacity="0.45"/>
            <text x="443" y="203" text-anchor="middle">3</text>
            <path d="M570 186L570 190" stroke="#1f2328" stroke-opacity="0.45"/>
            <text x="570" y="203" text-anchor="middle">4</text>
            <path d="M125.5 101h0M570 16h0" fill="none" stroke="#2f7fd6" stroke-width="4" stroke-linecap="round"/>
            </svg>>
            <figcaption style="opacity:.66">mean, smallest and largest of each 2 elements</figcaption>
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
    assert!(html.contains("src=\"PNG 48×48\""), "{html}");
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
        let number = |name: &str| -> usize {
            let text = html.split_once(&format!(" {name}=\"")).unwrap().1;
            text.split_once('"').unwrap().0.parse().unwrap()
        };
        let (width, height) = (number("width"), number("height"));
        // Each cell is some whole pixels wide and high, and none is stretched.
        assert_eq!((width % cols, height % rows), (0, 0), "{extent:?}");
        assert!(html.contains(&format!("src=\"PNG {width}×{height}\"")), "{html}");
        for side in [width, height] {
            assert!((40..=256).contains(&side), "{extent:?}: {width} × {height}");
        }
    }
}
