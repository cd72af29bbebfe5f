//! The parser on texts that were made to break it: very deep, very long, very broken.

use std::time::Instant;

use genesis_repl::diag::{Source, SourceId, SourceResult};
use genesis_repl::syntax::{
    self, Completeness, MAX_INDENTS, MAX_NESTING, MAX_TREE_DEPTH, ast::Module, completeness,
    highlight,
};

fn parse(text: impl Into<String>) -> SourceResult<Module> {
    syntax::parse(&Source::new(SourceId(0), "<test>", text))
}

#[track_caller]
fn refused(text: String, message: &str) {
    let length = text.len();
    // Printing the tree of a text that should have been refused would bury the message.
    let Err(error) = parse(text) else { panic!("the text is accepted") };
    assert!(error.message.contains(message), "{}", error.message);
    assert!(error.span.range().end <= length);
}

/// Everything in here runs on a test thread's 2 MiB.
#[test]
fn deep_texts_are_refused() {
    const N: usize = 10_000;
    for (open, close) in
        [("(", ")"), ("[", "]"), ("{1: ", "}"), ("f(", ")"), ("x[", "]"), ("-(", ")")]
    {
        refused(open.repeat(N) + "1" + &close.repeat(N), "brackets nest more than 200 levels deep");
        refused(open.repeat(N), "brackets nest more than 200 levels deep");
    }
    refused("f'''{".repeat(N), "brackets nest more than 200 levels deep");
    let deep = "the expression nests more than 4000 levels deep";
    refused("-".repeat(N) + "x", deep);
    refused("not ".repeat(N) + "x", deep);
    refused("2**".repeat(N) + "2", deep);
    refused("2**-".repeat(N) + "2", deep);
    refused("a if b else ".repeat(N) + "c", deep);
    refused("a".to_owned() + &".b".repeat(N), deep);
    refused("f".to_owned() + &"()".repeat(N), deep);
    refused("x".to_owned() + &"[0]".repeat(N), deep);
    refused("1+".repeat(100_000) + "1", deep);
    let lambdas = "lambdas and blocks nest more than 200 levels deep";
    refused("lambda: ".repeat(N) + "x", lambdas);
    refused("lambda a=".repeat(N) + "x", lambdas);
    refused("a if b else lambda: ".repeat(N) + "x", lambdas);
    refused("[x for x in ".repeat(N), "brackets nest more than 200 levels deep");
    refused(blocks(101, "x"), "blocks nest more than 100 levels deep");
    refused(blocks(100, &("-".repeat(3901) + "x")), deep);
    refused(blocks(100, &("lambda: ".repeat(101) + "x")), lambdas);
    // Each chain is within its limit; one inside the other they are not. The second text also ends
    // in an error, so that half-built trees are dropped.
    let chains = "(".repeat(150) + "1" + &(")".to_owned() + &"+1".repeat(100)).repeat(150);
    refused(chains.clone(), deep);
    refused(
        "(".repeat(3) + "1" + &(")".to_owned() + &"+1".repeat(100)).repeat(3) + " 1",
        "expected",
    );
}

/// A block in a block in a block, and a line in the innermost one.
fn blocks(depth: usize, inside: &str) -> String {
    let head = ["if x:\n", "while x:\n", "def f():\n", "class A:\n", "with x:\n", "for x in y:\n"];
    let lines: String = (0..depth).map(|i| " ".repeat(i) + head[i % head.len()]).collect();
    lines + &" ".repeat(depth) + inside
}

/// The deepest trees that pass can be copied, compared, printed and dropped on 2 MiB.
#[test]
fn trees_at_the_limit_are_harmless() {
    let brackets = MAX_NESTING;
    let levels = MAX_TREE_DEPTH as usize - 1;
    // A bracket and what stands in front of it are two levels.
    let half = brackets;
    for text in [
        "(".repeat(brackets) + "1" + &")".repeat(brackets),
        "[".repeat(brackets) + "1" + &"]".repeat(brackets),
        "{1: ".repeat(brackets) + "1" + &"}".repeat(brackets),
        "f(".repeat(brackets) + "1" + &")".repeat(brackets),
        "x[".repeat(brackets) + "1" + &"]".repeat(brackets),
        "-[".repeat(half) + "1" + &"]".repeat(half),
        "f'''{".repeat(brackets / 2) + "1" + &"}'''".repeat(brackets / 2),
        "-".repeat(levels) + "x",
        "not ".repeat(levels) + "x",
        "2**".repeat(levels) + "2",
        "a if b else ".repeat(levels) + "c",
        "a".to_owned() + &".b".repeat(levels),
        "f".to_owned() + &"()".repeat(levels),
        "1+".repeat(levels) + "1",
        "lambda: ".repeat(brackets) + "x",
        "lambda a=".repeat(brackets) + "x" + &": 1".repeat(brackets),
        "[".repeat(brackets) + "x" + &" for x in y]".repeat(brackets),
        "{x: ".repeat(brackets) + "x" + &" for x in y}".repeat(brackets),
        "f(x for x in ".repeat(half) + "x" + &")".repeat(half),
        blocks(MAX_INDENTS, &("-".repeat(levels - MAX_INDENTS) + "x")),
        blocks(MAX_INDENTS, &("[".repeat(brackets) + "x" + &" for x in y]".repeat(brackets))),
    ] {
        let module =
            parse(text.clone()).unwrap_or_else(|error| panic!("{}: {text}", error.message));
        let copy = module.clone();
        assert_eq!(copy, module);
        assert!(format!("{module:?}").starts_with("Module"));
        assert!(!syntax::dump(&module).is_empty());
    }
}

/// Twice the text must not take much more than twice the time; the bound is far above noise and
/// far below what a quadratic parser needs for a megabyte.
#[test]
fn long_lines_take_linear_time() {
    const N: usize = 200_000;
    let texts = [
        format!("x = [{}]", "1, ".repeat(N)),
        format!("x = '{}'", "a\\n".repeat(N)),
        format!("x = f'{}'", "{a}".repeat(N)),
        "x = 1\n".repeat(N),
        "x; ".repeat(N),
        "'a' ".repeat(N),
        "f'{a}' ".repeat(N),
        format!("f({})", (0..N / 4).map(|i| format!("k{i}=1, ")).collect::<String>()),
        "a < ".repeat(N) + "b",
        "a and ".repeat(N) + "b",
        " ".repeat(N) + "x",
        "# note\n".repeat(N),
        "\\\n".repeat(N) + "x",
        "f'{".repeat(N),
        ")".repeat(N),
        "'".repeat(N),
        ":a\n".repeat(N),
        "x = [\n".repeat(N),
        "(a if b else ".repeat(100) + &"1, ".repeat(N),
        "if x:\n    y\n".repeat(N / 4),
        "if x: y\n".to_owned() + &"elif x: y\n".repeat(N / 4),
        "try: x\n".to_owned() + &"except y: x\n".repeat(N / 4),
        "@f\n".repeat(N / 4) + "def f(): pass",
        "def f(): nonlocal x\n".repeat(N / 4),
        format!("def f({}): pass", (0..N / 4).map(|i| format!("a{i}=1, ")).collect::<String>()),
        format!("with ({}): pass", "a as b, ".repeat(N / 4)),
        format!("[x {}]", "for x in y ".repeat(N / 4)),
        format!("f({})", "(x for x in y), ".repeat(N / 8)),
        format!("def f():\n{}", "  def g(): nonlocal x\n".repeat(N / 8)),
        blocks(100, "x\n").repeat(N / 10_000),
        "\t \n".repeat(N),
    ];
    for text in texts {
        let start = Instant::now();
        let _ = parse(text.clone());
        let _ = highlight(&text);
        let _ = completeness(&text);
        let elapsed = start.elapsed();
        assert!(elapsed.as_secs() < 10, "{elapsed:?} for {:?}…", &text[..20]);
    }
}

/// Pieces of programs in every order, cut at every byte: no panic, and spans that point into the
/// text, between characters.
#[test]
fn broken_texts_have_honest_spans() {
    let line = "x, *y = [1_0, 'µ\\n', f\"a{b!r:>{c}.2f}}}\"]; z[..., ::-1] += -1 ** 2 if a else (b)\n\
                :mem vars\nname?\n“ ” \\ \t'''open";
    let blocks = "@d\ndef f(a, /, *b, c=1):\n  for µ in (yield):\n\tif (x := 2): break\n  else:\n    try: y\n    \
                  finally: {**z}\n\n # n\nwith (a as b): [lambda: i for i in x]\n";
    for program in [line, blocks] {
        cut_everywhere(program);
    }
}

fn cut_everywhere(program: &str) {
    for start in 0..program.len() {
        for end in (start..program.len()).filter(|end| program.is_char_boundary(*end)) {
            let Some(text) = program.get(start..end) else { continue };
            if let Err(error) = parse(text) {
                assert!(text.get(error.span.range()).is_some(), "{:?} in {text:?}", error.span);
            }
            let mut at = 0;
            for (range, _) in highlight(text) {
                assert!(at <= range.start && range.start < range.end, "{range:?} in {text:?}");
                assert!(text[at..range.start].chars().all(|c| c.is_whitespace() || c == '\\'));
                at = range.end;
            }
            assert!(text.get(at..).is_some());
            if completeness(text) == Completeness::Complete {
                assert!(syntax::parse_cell(&Source::new(SourceId(0), "", text)).is_ok());
            }
        }
    }
}
