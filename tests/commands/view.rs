//! `:view`: what it shows where nobody can move it, and, driven by keys, what it finds in real tensors.

use expect_test::{Expect, expect};
use genesis_repl::report::Report;
use genesis_repl::report::view::{Data, Key, View, Wish};
use genesis_repl::session::{Config, Session, Sink};

use super::driver::{self, Driver};

#[track_caller]
fn check(cell: &str, expected: Expect) {
    driver::check("x = arange(120.).reshape(4, 5, 6) / 7", cell, expected);
}

#[test]
fn the_first_slice_stands_still() {
    check(
        ":view x",
        expect![[r#"
            x  float32 (4, 5, 6)  cuda:0 (simulated)  480 B
            slice [0, ↓, →]
            0 |██████████| 4.14  mean 2.07  sd 1.24
                   0       1       2       3       4       5
            0 0.      0.1429  0.2857  0.4286  0.5714  0.7143
            1 0.8571  1.      1.143   1.286   1.429   1.571
            2 1.714   1.857   2.      2.143   2.286   2.429
            3 2.571   2.714   2.857   3.      3.143   3.286
            4 3.429   3.571   3.714   3.857   4.      4.143
            the first of 4 slices; `:view x` in a terminal walks through all of it
        "#]],
    );
}

#[test]
fn every_kind_of_element() {
    let all = ":view float64(2.5)
:view zeros((0, 3))
:view arange(4) > 2
:view np.array([1 + 2j, np.nan, 3e20 - 4e-5j])
:view np.array([1, 448, -0.5]).astype(np.float8_e4m3fn)
:view np.array([[-9223372036854775808, 9223372036854775807], [0, -1]])
:view np.array([np.nan, np.inf, -np.inf, 1e-45])
:view arange(24).reshape(2, 3, 4).T[::-1]";
    check(
        all,
        expect![[r#"
            float64(2.5)  float64 ()  cuda:0 (simulated)  8 B
            2.5 |         █| 2.5  mean 2.5  sd 0
             2.5
            zeros((0, 3))  float32 (0, 3)  cuda:0 (simulated)  0 B
            no elements
            arange(4) > 2  bool (4,)  cuda:0 (simulated)  4 B
            0 |█        ▃| 1  mean 0.25  sd 0.433
            0 False
            1 False
            2 False
            3  True
            np.array([1 + 2j, np.nan, 3e20 - 4e…  complex64 (3,)  cuda:0 (simulated)  24 B
            2.24 |█        █| 3e+20  mean 1.5e+20  sd 1.5e+20  1 nan, first at [1]
            0 1.000e+00+2.000e+00j
            1              nan+0.j
            2 3.000e+20-4.000e-05j
            np.array([1, 448, -0.5]).astype(np.…  float8_e4m3fn (3,)  cuda:0 (simulated)  3…
            -0.5 |█        ▄| 448  mean 150  sd 211
            0   1.
            1 448.
            2  -0.5
            np.array([[-9223372036854775808, 92…  int64 (2, 2)  cuda:0 (simulated)  32 B
            -9.22e+18 |█   ██   █| 9.22e+18  mean 0  sd 6.52e+18
                                 0                     1
            0 -9223372036854775808   9223372036854775807
            1                    0                    -1
            np.array([np.nan, np.inf, -np.inf,…  float32 (4,)  cuda:0 (simulated)  16 B
            1.4e-45 |         █| 1.4e-45  mean 1.4e-45  sd 0  1 nan, first at [0]  2 inf, f…
            0       nan
            1       inf
            2      -inf
            3 1.401e-45
            arange(24).reshape(2, 3, 4).T[::-1]  int64 (4, 3, 2)  cuda:0 (simulated)  192 B
            slice [0, ↓, →]
            3 |█ █ █ █ ██| 23  mean 13  sd 6.83
               0   1
            0  3  15
            1  7  19
            2 11  23
            the first of 4 slices; `:view arange(24).reshape(2, 3, 4).T[::-1]` in a terminal walks through all of it
        "#]],
    );
}

#[test]
fn what_is_no_tensor() {
    check(
        ":view 'abc'",
        expect![[r#"
        TypeError: expected a tensor to view, found str
          1 | :view 'abc'
            |       ^^^^^
          hint: what a container holds can be viewed: `:view x[0]`, `:view ck["name"]`
    "#]],
    );
    check(
        ":view",
        expect![[r#"
        ValueError: expected a statement after `:view`
          1 | :view
            | ^^^^^
          hint: usage: `:view EXPRESSION`
    "#]],
    );
    check(
        ":view y = 3",
        expect![[r#"
        ValueError: expected an expression, found a statement
          1 | :view y = 3
            |       ^^^^^
          hint: usage: `:view EXPRESSION`
    "#]],
    );
}

/// Presses keys in a view, and takes its screens down.
struct Fingers {
    keys: Vec<Key>,
    size: (usize, usize),
    /// The screen after each key, and the cursor's index.
    screens: Vec<(Vec<String>, Vec<usize>)>,
    shown: String,
    /// How often long work said how far it was.
    told: usize,
}

impl Sink for Fingers {
    fn text(&mut self, text: &str) {
        self.shown += text;
    }

    fn report(&mut self, report: &Report) {
        self.shown += &report.to_plain();
    }

    fn view(&mut self, view: &mut View, data: &mut dyn Data) -> bool {
        view.resize(self.size.0, self.size.1);
        view.refresh(data);
        for key in &self.keys {
            let wish = view.press(*key);
            if wish == Wish::Leave {
                break;
            }
            if wish != Wish::Nothing {
                view.fulfil(wish, data, &mut |done, total| {
                    assert!(done <= total);
                    self.told += 1;
                });
            }
            view.refresh(data);
            let lines = view.lines();
            let lines = lines.iter().map(|line| line.to_plain().trim_end().to_string());
            self.screens.push((lines.collect(), view.index().to_vec()));
        }
        true
    }
}

fn keys(text: &str) -> Vec<Key> {
    let key = |c| match c {
        '\n' => Key::Enter,
        '→' => Key::Right,
        '↓' => Key::Down,
        c => Key::Char(c),
    };
    text.chars().map(key).collect()
}

/// The screens of keys that are pressed in the view of an expression.
#[track_caller]
fn press(session: &mut Session, expression: &str, text: &str) -> Vec<(Vec<String>, Vec<usize>)> {
    let (size, shown) = ((100, 39), String::new());
    let mut fingers = Fingers { keys: keys(text), size, screens: Vec::new(), shown, told: 0 };
    let outcome = session.run(&format!(":view {expression}"), &mut fingers);
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
    assert_eq!(fingers.shown, "");
    fingers.screens
}

#[track_caller]
fn place(session: &mut Session, expression: &str, text: &str) -> Vec<usize> {
    press(session, expression, text).pop().unwrap().1
}

fn worlds() -> [Driver; 2] {
    [Driver::cpu(), Driver::with(Config::default().with_simulated("1GiB").unwrap())]
}

#[test]
fn odd_elements_are_found_both_ways() {
    for mut driver in worlds() {
        driver.ok("x = zeros(3, 40, 70); x[0, 5, 6] = np.nan; x[2, 39, 69] = np.inf; x[2, 0, 0] = -np.inf");
        let session = &mut driver.session;
        let visited = [[0, 5, 6], [2, 0, 0], [2, 39, 69], [0, 5, 6]];
        for (keys, at) in
            [("n", 0), ("nn", 1), ("nnn", 2), ("nnnn", 3), ("N", 2), ("NN", 1), ("nN", 2)]
        {
            assert_eq!(place(session, "x", keys), visited[at], "{keys}");
        }
        // In a view whose axes lie otherwise, in its own order.
        assert_eq!(place(session, "x.T[::-1]", "n"), [0, 39, 2]);
        assert_eq!(place(session, "x.T[::-1]", "nn"), [63, 5, 0]);
        let last = press(session, "x", "nnnn").pop().unwrap().0;
        assert_eq!(last.last().unwrap(), "on from the beginning");
        assert!(last[1].ends_with("[0, 5, 6] = nan"), "{last:?}");
        let last = press(session, "x[1]", "n").pop().unwrap().0;
        assert_eq!(last.last().unwrap(), "no element is nan or inf");
    }
}

/// The places of what passes a test, found one element after the other.
fn expected(shape: [usize; 3], test: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
    let [_, rows, cols] = shape;
    let count = shape.iter().product();
    let index = |at: usize| vec![at / (rows * cols), at / cols % rows, at % cols];
    (0..count).filter(|at| test(*at)).map(index).collect()
}

#[test]
fn searches_meet_every_element_that_passes() {
    let mut driver = Driver::cpu();
    // A number for each place, the same ones again and again.
    driver.ok("i = (arange(3 * 50 * 40) * 7919 % 1009).reshape(3, 50, 40)\nf = i / 8\nb = i == 5");
    driver.ok("u = i.astype(uint8)\nz = f * 1j\nh = (i % 16).astype(np.float8_e5m2)");
    let value = |at: usize| at * 7919 % 1009;
    let shape = [3, 50, 40];
    let cases: [(&str, &str, Vec<Vec<usize>>); 8] = [
        ("i", "777", expected(shape, |at| value(at) == 777)),
        ("i", ">1006", expected(shape, |at| value(at) > 1006)),
        ("f", "12.625", expected(shape, |at| value(at) == 101)),
        ("f", "<= 0.125", expected(shape, |at| value(at) <= 1)),
        ("b", "True", expected(shape, |at| value(at) == 5)),
        ("u", "= 255", expected(shape, |at| value(at) % 256 == 255)),
        ("z", "12.625", expected(shape, |at| value(at) == 101)),
        ("h", "> 13", expected(shape, |at| value(at) % 16 > 13)),
    ];
    for (name, text, expected) in cases {
        // The first element is where the cursor is: a search comes back to it last.
        let (first, rest): (Vec<_>, Vec<_>) = expected.into_iter().partition(|at| *at == [0, 0, 0]);
        let expected = [rest, first].concat();
        let keys = format!("/{text}\n{}", "n".repeat(expected.len()));
        let screens = press(&mut driver.session, name, &keys);
        let found: Vec<Vec<usize>> =
            screens.into_iter().skip(text.chars().count() + 1).map(|(_, at)| at).collect();
        let again = expected.first().cloned();
        assert_eq!(found, expected.into_iter().chain(again).collect::<Vec<_>>(), "{name} {text}");
    }
}

#[test]
fn statistics_are_those_of_the_elements() {
    for mut driver in worlds() {
        driver.ok("x = (arange(4 * 30 * 20) % 97 - 40.).reshape(4, 30, 20); x[1, 2, 3] = np.nan; x[3, 4, 5] = np.inf");
        let value = |at: usize| (at % 97) as f64 - 40.0;
        let odd = [600 + 2 * 20 + 3, 1800 + 4 * 20 + 5];
        let values: Vec<f64> = (0..2400).filter(|at| !odd.contains(at)).map(value).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        let sd = (squares / values.len() as f64).sqrt();
        let screen = press(&mut driver.session, "x", "S").pop().unwrap().0;
        let told = |label: &str| {
            let line = screen.iter().find(|line| line.starts_with(label)).unwrap();
            line[10..].trim().to_string()
        };
        assert_eq!((told("least"), told("greatest")), ("-40.0".into(), "56.0".into()));
        assert!((told("mean").parse::<f64>().unwrap() - mean).abs() < 1e-9);
        assert!((told("sd").parse::<f64>().unwrap() - sd).abs() < 1e-9);
        assert_eq!(told("nan "), "1, first at [1, 2, 3]");
        assert_eq!(told("inf "), "1, first at [3, 4, 5]");
        // Eight bins of twelve: the last has its upper edge, too.
        for bin in 0..8 {
            let (low, high) = (-40.0 + 12.0 * f64::from(bin), -28.0 + 12.0 * f64::from(bin));
            let is_in = |value: &f64| *value >= low && (*value < high || bin == 7);
            let count = values.iter().filter(|value| is_in(value)).count();
            let line = screen.iter().find(|line| line.trim().starts_with(&format!("{low:.0} ┤")));
            assert!(line.unwrap().ends_with(&format!(" {count}")), "{screen:?}");
        }
    }
}

#[test]
fn the_overview_has_means_of_blocks() {
    let mut driver = Driver::cpu();
    driver.ok("x = (arange(1000) // 100).reshape(1000, 1, 1) + zeros(1000, 1, 600)");
    for (expression, keys) in [("x", "g:,0,:\no"), ("x.T", "g:,0,:\nto")] {
        let screen = press(&mut driver.session, expression, keys).pop().unwrap().0;
        let cells: Vec<&String> = screen.iter().filter(|line| line.contains('█')).collect();
        assert!(screen.iter().any(|line| line.contains("means of blocks of")), "{screen:?}");
        // The numbers rise from row to row; the highest fifth of them is densest.
        assert!(cells.len() >= 4, "{screen:?}");
        assert!(screen[4].trim().is_empty() && screen[3].starts_with("[]"), "{screen:?}");
    }
}

#[test]
fn arrays_in_files_are_read_in_parts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.safetensors").display().to_string();
    let mut driver = Driver::cpu();
    driver.ok(&format!("import safetensors\nx = (arange(5_000_000) % 100_003).reshape(1000, 5000).astype(float32)\nx[999, 4999] = np.nan\nsave('{path}', {{'w': x, 'b': arange(24.).reshape(2, 3, 4)}})\ndel x\nck = load('{path}')"));
    let session = &mut driver.session;
    let (lines, _) = press(session, "ck['b']", "]↓→").pop().unwrap();
    assert!(lines[0].starts_with("ck['b']  float32 (2, 3, 4)  /"), "{lines:?}");
    assert!(lines[1].ends_with("[1, 1, 1] = 17.0"), "{lines:?}");
    // 5 million elements are more than are read at once.
    assert_eq!(place(session, "ck['w']", "n"), [999, 4999]);
    assert_eq!(place(session, "ck['w']", "N"), [999, 4999]);
    assert_eq!(place(session, "ck['w']", "/100002\n"), [20, 2]);
    let lines = press(session, "ck['w']", "S").pop().unwrap().0.join("\n");
    assert!(lines.contains("nan       1, first at [999, 4999]"), "{lines}");
    let values = (0..4_999_999).map(|at| f64::from(at % 100_003));
    let mean = values.clone().sum::<f64>() / 4_999_999.0;
    let told = lines.split("mean").nth(1).unwrap().split_whitespace().next().unwrap();
    assert!((told.parse::<f64>().unwrap() - mean).abs() < 1e-6 * mean, "{told} {mean}");
    let first = values.filter(|value| *value < 12_500.25).count();
    let bin = lines.lines().find(|line| line.contains('┤')).unwrap().replace(',', "");
    assert!(bin.ends_with(&format!(" {first}")), "{bin} {first}");
}

#[test]
fn a_view_changes_nothing() {
    let mut driver = Driver::cpu();
    driver.ok("x = arange(1000.).reshape(10, 100)");
    let before = driver.ok(":mem");
    press(&mut driver.session, "x", "snNh→↓oaa");
    let live = |text: &str| text.lines().find(|line| line.contains("live")).map(str::to_string);
    assert_eq!(live(&driver.ok(":mem")), live(&before));
    assert_eq!(driver.show("x.sum()").trim(), "array(499500.)");
}
