//! Sums of a recording, formats by their names, and colours that read.

use std::sync::Arc;

use super::recording::{Event, Frame, Recording, Tape, What};
use super::sums::{levels, sums};
use super::{FORMATS, Format};

const STYLE: &str = include_str!("page/page.css");

fn recording(events: &[(What, u64, u64, u32)]) -> Recording {
    let mut recording = Recording { has_times: true, ..Recording::default() };
    let events = events.iter().enumerate().map(|(at, (what, address, bytes, who))| {
        let name = Arc::from(format!("s{who}"));
        let frame = Frame { name, file: Arc::from("a.py"), line: *who };
        let stack = recording.stacks.number(vec![frame]);
        let (what, address, bytes) = (*what, *address, *bytes);
        Event { what, time: at as u64, address, bytes, stream: 0, stack }
    });
    let events = events.collect();
    let device = "cpu".to_owned();
    recording.tapes.push(Tape { device, events, tells_reserved: true, ..Tape::default() });
    recording
}

#[test]
fn sums_know_what_was_there_before_and_at_the_highest_moment() {
    use What::{Allocate, Free, Refused, Release, Reserve};
    let recording = recording(&[
        (Reserve, 0, 1000, 1),
        (Allocate, 16, 100, 1),
        (Free, 8, 50, 2),
        (Allocate, 8, 70, 3),
        (Free, 16, 100, 1),
        (Refused, 0, 5000, 3),
        (Allocate, 16, 10, 1),
        (Free, 8, 70, 3),
        (Release, 0, 1000, 1),
    ]);
    let tape = &recording.tapes[0];
    let levels = levels(tape);
    let live: Vec<u64> = levels.behind.iter().map(|level| level.live).collect();
    assert_eq!(live, [50, 150, 100, 170, 70, 70, 80, 10, 10]);
    assert_eq!(levels.behind[5].reserved, 1000);
    assert_eq!(levels.highest(), Some(3));
    let found: Vec<_> = sums(tape)
        .into_iter()
        .map(|(stack, sum)| {
            let name = recording.stacks.label(stack).to_owned();
            (name, sum.requests, sum.bytes, sum.live_bytes, sum.peak_bytes, sum.at_once)
        })
        .collect();
    let row = |name: &str, numbers: [u64; 5]| {
        let [requests, bytes, live, peak, at_once] = numbers;
        (name.to_owned(), requests, bytes, live, peak, at_once)
    };
    assert_eq!(
        found,
        [
            row("s1", [2, 110, 10, 100, 100]),
            row("s2", [1, 50, 0, 0, 50]),
            row("s3", [1, 70, 0, 70, 70]),
        ]
    );
    for format in FORMATS {
        assert!(!format.write(&recording).is_empty(), "{format:?}");
        assert!(!format.write(&Recording::default()).is_empty() || format.name == "folded");
    }
}

#[test]
fn endings_say_which_format() {
    for (name, format) in [
        ("heap.pprof", "pprof"),
        ("heap.pb.gz", "pprof"),
        ("LOG.CSV", "rmm"),
        ("a.b/c.folded", "folded"),
        ("flame.html", "flame"),
        ("a.flame.html", "flame"),
        ("a.html", "html"),
        ("a.json", "trace"),
    ] {
        assert_eq!(Format::of_file(name).unwrap().name, format, "{name}");
    }
    let fault = Format::of_file("a.xyz").unwrap_err();
    for format in FORMATS {
        assert!(fault.hints[0].contains(format.name), "{fault:?}");
        assert_eq!(Format::of_name(format.name).unwrap().name, format.name);
    }
}

/// What a theme gives a name of a colour.
fn color(theme: &str, name: &str) -> [f64; 3] {
    let start = theme.find(&format!("--{name}:#")).unwrap_or_else(|| panic!("no {name}"));
    let digits = &theme[start + name.len() + 4..][..6];
    [0, 2, 4].map(|at| f64::from(u8::from_str_radix(&digits[at..at + 2], 16).unwrap()))
}

/// The contrast of two colours, as WCAG 2 has it.
fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
    let luminance = |color: [f64; 3]| {
        let [r, g, b] = color.map(|part| {
            let part = part / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055f64).powf(2.4) }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn pages_read_on_light_and_on_dark() {
    let (light, rest) = STYLE.split_once("@media").unwrap();
    let dark = rest.split("}}").next().unwrap();
    for theme in [light, dark] {
        let of = |name: &str| color(theme, name);
        for below in ["paper", "panel"] {
            for text in ["ink", "soft"] {
                let found = contrast(of(text), of(below));
                assert!(found >= 4.5, "{found:.2} for {text} on {below}");
            }
        }
        for tone in ["f0", "f1", "f2", "f3", "f4", "f5"] {
            let found = contrast(of("on"), of(tone));
            assert!(found >= 4.5, "{found:.2} for text on {tone}");
        }
        for drawn in
            ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "cx", "mixed", "past", "line", "bad"]
        {
            let found = contrast(of(drawn), of("paper"));
            assert!(found >= 3.0, "{found:.2} for {drawn}");
        }
    }
}
