use expect_test::{Expect, expect};

use super::*;
use crate::diag::{CallSite, Earlier, ErrorKind, SourceId};

fn check(text: &str, range: std::ops::Range<usize>, expected: &Expect) {
    let source = Source::new(SourceId(1), "<In 1>", text);
    let span = Span::new(SourceId(1), range.start, range.end);
    let diagnostic = Diagnostic::new(ErrorKind::Index, span, "no");
    expected.assert_eq(&excerpt(&diagnostic, &[Rc::new(source)]).to_plain());
}

#[test]
fn carets_and_hint() {
    let source = Source::new(SourceId(1), "<In 1>", "x[10]");
    let span = Span::new(SourceId(1), 2, 4);
    let message = "index 10 is out of bounds for axis 0 with size 10";
    let diagnostic = Diagnostic::new(ErrorKind::Index, span, message).with_hint("use `x[9]`");
    expect![[r#"
        IndexError: index 10 is out of bounds for axis 0 with size 10
          1 | x[10]
            |   ^^
          hint: use `x[9]`"#]]
    .assert_eq(&excerpt(&diagnostic, &[Rc::new(source)]).to_plain());
}

#[test]
fn wide_characters_and_tabs_before_the_place() {
    let text = "'日本' + x";
    check(
        text,
        text.len() - 1..text.len(),
        &expect![[r#"
            IndexError: no
              1 | '日本' + x
                |          ^"#]],
    );
    let text = "\t'e\u{301}🦀' + 名";
    check(
        text,
        text.len() - 3..text.len(),
        &expect![[r#"
            IndexError: no
              1 |     'é🦀' + 名
                |             ^^"#]],
    );
}

#[test]
fn several_lines() {
    check(
        "a = 1\nf(\n  b,\n  c,\n  d)\n",
        6..23,
        &expect![[r#"
            IndexError: no
              2 | f(
                | ^^
              3 |   b,
                |   ^^
                ⋮
              5 |   d)
                |   ^^"#]],
    );
}

#[test]
fn labels_and_a_file() {
    let source = Source::new(SourceId(1), "a.gx", "x = ones(3)\ny = ones(4)\nx + y\n");
    let at = |start, end| Span::new(SourceId(1), start, end);
    let diagnostic = Diagnostic::new(ErrorKind::Value, at(26, 27), "no")
        .with_label(at(24, 25), "shape (3,)")
        .with_label(at(4, 11), "made here");
    expect![[r#"
        ValueError: no
          --> a.gx:3:3
          1 | x = ones(3)
            |     ------- made here
            ⋮
          3 | x + y
            |   ^
            | - shape (3,)"#]]
    .assert_eq(&excerpt(&diagnostic, &[Rc::new(source)]).to_plain());
}

#[test]
fn a_place_in_an_earlier_text() {
    let earlier = Source::new(SourceId(1), "<In 1>", "def f(x):\n    return x[9]\n");
    let own = Source::new(SourceId(2), "<In 2>", "f(zeros(3))");
    let diagnostic = Diagnostic::new(ErrorKind::Index, Span::new(SourceId(1), 23, 24), "no")
        .with_label(Span::new(SourceId(2), 0, 11), "called here");
    let sources = [Rc::new(own), Rc::new(earlier)];
    expect![[r#"
        IndexError: no
          --> <In 1>:2:14
          2 |     return x[9]
            |              ^
          1 | f(zeros(3))
            | ----------- called here"#]]
    .assert_eq(&excerpt(&diagnostic, &sources).to_plain());
    // A text that is gone is left out.
    expect![[r#"
        IndexError: no
          1 | f(zeros(3))
            | ----------- called here"#]]
    .assert_eq(&excerpt(&diagnostic, &sources[..1]).to_plain());
}

#[test]
fn the_end_of_the_input() {
    check(
        "f(1\n",
        4..4,
        &expect![[r#"
            IndexError: no
              1 | f(1
                |    ^"#]],
    );
    check("", 0..0, &expect!["IndexError: no"]);
    check(
        "é",
        1..900,
        &expect![[r#"
            IndexError: no
              1 | é
                | ^"#]],
    );
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    check(
        "'\u{1b}[2J' x",
        7..8,
        &expect![[r#"
            IndexError: no
              1 | '␛[2J' x
                |        ^"#]],
    );
}

#[test]
fn a_line_of_ten_megabytes_is_cropped() {
    let text = "1 + ".repeat(2_500_000) + "x";
    let started = std::time::Instant::now();
    let source = Source::new(SourceId(1), "<In 1>", text);
    let span = Span::new(SourceId(1), 5_000_000, 5_000_001);
    let shown =
        excerpt(&Diagnostic::new(ErrorKind::Name, span, "no"), &[Rc::new(source)]).to_plain();
    assert!(shown.lines().all(|line| line.width() < 110), "{shown}");
    let rows: Vec<&str> = shown.lines().collect();
    let caret = rows[2].chars().position(|c| c == '^').unwrap();
    assert_eq!(rows[1].chars().nth(caret), Some('1'));
    assert!(started.elapsed().as_secs() < 2);
}

#[test]
fn any_place_in_any_text() {
    let text = "é\t名\r\n\n  🦀\u{301}x\u{7}\n";
    for start in 0..text.len() + 3 {
        for end in 0..text.len() + 3 {
            let source = Source::new(SourceId(1), "<In 1>", text);
            let span = Span { source: SourceId(1), start: start as u32, end: end as u32 };
            let shown = excerpt(&Diagnostic::new(ErrorKind::Index, span, "no"), &[Rc::new(source)])
                .to_plain();
            assert!(shown.contains('^'), "{start}..{end}: {shown}");
        }
    }
}

#[test]
fn the_calls_that_led_to_it() {
    let text = "def f(x):\n    return 1 / x\ndef g(n):\n    return g(n - 1) if n else f(0)\ng(3)\n";
    let source = Rc::new(Source::new(SourceId(1), "<In 1>", text));
    let at = |part: &str| {
        let start = text.find(part).unwrap();
        Span::new(SourceId(1), start, start + part.len())
    };
    let call = |function: &str, part| CallSite { function: function.into(), span: at(part) };
    let mut error = Diagnostic::new(ErrorKind::ZeroDivision, at("1 / x"), "division by zero");
    error.calls = vec![call("f", "f(0)"), call("g", "g(n - 1)")];
    error.calls.extend([call("g", "g(n - 1)"), call("g", "g(3)")]);
    expect![[r#"
        Traceback (most recent call last):
          <In 1>:5, in <module>
            g(3)
          <In 1>:4, in g
            return g(n - 1) if n else f(0)
          [repeated once more]
          <In 1>:4, in g
            return g(n - 1) if n else f(0)
        ZeroDivisionError: division by zero
          --> <In 1>:2:12, in f
          2 |     return 1 / x
            |            ^^^^^"#]]
    .assert_eq(&excerpt(&error, std::slice::from_ref(&source)).to_plain());
    let mut later = Diagnostic::new(ErrorKind::Runtime, at("g(3)"), "no");
    error.calls.clear();
    later.earlier = Some(Box::new(Earlier { error, is_cause: true }));
    expect![[r#"
        ZeroDivisionError: division by zero
          2 |     return 1 / x
            |            ^^^^^

        The above exception was the direct cause of the following exception:

        RuntimeError: no
          5 | g(3)
            | ^^^^"#]]
    .assert_eq(&excerpt(&later, &[source]).to_plain());
}
