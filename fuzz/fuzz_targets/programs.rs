//! Programs made of what the compiler and the machine must get right together: functions, closures,
//! generators, classes, exceptions, loops, and tensors in all of them. The bytes choose; what comes out
//! always parses. Nothing panics or hangs, what an input did is taken back exactly, and a session that is
//! reset holds no memory.
#![no_main]

use std::fmt::Write;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use genesis_repl::session::{Config, Nobody, Session};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let program = Writer::new(bytes).program();
    let config = Config { simulate: vec![8 << 20], ..Config::default() };
    let mut session = Session::new(config).expect("a simulated device needs nothing");
    session.run(":set host_memory 64MiB", &mut Nobody);
    session.run(SETUP, &mut Nobody);
    let before = session.run(STATE, &mut Nobody).value.map(|value| session.repr(&value));
    let interrupt = session.interrupt();
    let (done, is_done) = channel::<()>();
    let watchdog = thread::spawn(move || {
        if is_done.recv_timeout(Duration::from_millis(300)).is_err() {
            interrupt.raise();
        }
    });
    let start = Instant::now();
    let outcome = session.run(&program, &mut Nobody);
    drop(done);
    watchdog.join().expect("the watchdog only waits");
    assert!(start.elapsed() < Duration::from_secs(10), "{program}");
    if let Some(error) = &outcome.error {
        assert!(error.name() != "SystemError", "{}\n{program}", error.message);
    }
    drop(outcome);
    // As far as memory let the input be kept.
    if session.past().done().last().is_some_and(|step| *step.text == *program) {
        session.run(":undo", &mut Nobody);
        let after = session.run(STATE, &mut Nobody).value.map(|value| session.repr(&value));
        assert_eq!(before, after, "{program}");
    }
    session.reset();
    for device in session.engine().devices() {
        assert_eq!(device.allocator().stats().now.allocated, 0, "{program}");
    }
});

/// What programs find, and how it is looked at.
const SETUP: &str = "x = arange(6.)\ny = ones((2, 3))\nl = [1, 2, 3]\nd = {'a': 1, 'b': x}\ns = 'text'\nn = 3\n\
    class A:\n    k = 0\n    def __init__(self, v=0): self.v = v\n\no = A(5)\n\
    def f(a, b=2): return a\n";
const STATE: &str = "(x, y, l, d, s, n, o.__dict__, A.k, f(1))";

/// Names that hold something, and some that may not.
const NAMES: [&str; 12] = ["x", "y", "l", "d", "s", "n", "o", "A", "f", "a", "b", "i"];

struct Writer<'a> {
    bytes: std::slice::Iter<'a, u8>,
    text: String,
    /// How deep blocks and expressions stand in each other.
    depth: usize,
    in_function: bool,
    in_loop: bool,
}

impl<'a> Writer<'a> {
    fn new(bytes: &'a [u8]) -> Writer<'a> {
        let text = String::new();
        Writer { bytes: bytes.iter(), text, depth: 0, in_function: false, in_loop: false }
    }

    fn program(mut self) -> String {
        while !self.bytes.as_slice().is_empty() && self.text.len() < 4000 {
            self.statement();
        }
        self.text
    }

    /// One of so many.
    fn choose(&mut self, count: usize) -> usize {
        usize::from(self.bytes.next().copied().unwrap_or(0)) % count
    }

    fn pick(&mut self, texts: &[&'static str]) -> &'static str {
        texts[self.choose(texts.len())]
    }

    fn name(&mut self) -> &'static str {
        self.pick(&NAMES)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:indent$}{text}", "", indent = self.depth * 4);
    }

    fn block(&mut self, head: &str) {
        self.line(head);
        self.depth += 1;
        for _ in 0..=self.choose(3) {
            self.statement();
        }
        self.depth -= 1;
    }

    fn statement(&mut self) {
        let count = if self.depth < 4 { 26 } else { 14 };
        match self.choose(count) {
            0 => {
                let (target, value) = (self.target(), self.expression(0));
                self.line(&format!("{target} = {value}"));
            }
            1 => {
                let op = self.pick(&["+", "-", "*", "//", "%", "**", "|", "&", "@"]);
                let (target, value) = (self.single(), self.expression(1));
                self.line(&format!("{target} {op}= {value}"));
            }
            2 => {
                let value = self.expression(0);
                self.line(&value);
            }
            3 => {
                let target = self.single();
                self.line(&format!("del {target}"));
            }
            4 if self.in_function => {
                let value = self.expression(0);
                self.line(&format!("return {value}"));
            }
            5 if self.in_function => {
                let (name, value) = (self.name(), self.expression(0));
                let star = self.pick(&["", "from "]);
                self.line(&format!("{name} = yield {star}{value}"));
            }
            6 if self.in_loop => {
                let word = self.pick(&["break", "continue"]);
                self.line(word);
            }
            7 => {
                let error = self.pick(&["ValueError('e')", "KeyError(n)", "StopIteration(1)", ""]);
                let from = self.pick(&["", " from None", " from TypeError()"]);
                self.line(&format!("raise {error}{}", if error.is_empty() { "" } else { from }));
            }
            8 => {
                let value = self.expression(0);
                self.line(&format!("assert {value}, s"));
            }
            9 => {
                let method = self.pick(&[
                    "l.append(x)",
                    "l.append(l)",
                    "l.pop()",
                    "d.update(a=l)",
                    "d.pop('a', None)",
                    "l.sort()",
                    "l.clear()",
                    "d.setdefault(n, []).append(f)",
                    "x.fill_(n)",
                    "setattr(o, 'w', o)",
                    "setattr(A, 'k', x)",
                    "import gc; gc.collect()",
                ]);
                self.line(method);
            }
            10 => {
                let (a, b) = (self.name(), self.name());
                let value = self.expression(1);
                self.line(&format!("{a}, *{b} = {value}"));
            }
            11 => {
                let name = self.name();
                let word = if self.in_function { "global" } else { "pass  #" };
                self.line(&format!("{word} {name}"));
            }
            12 => {
                let (a, b) = (self.single(), self.single());
                self.line(&format!("{a}, {b} = {b}, {a}"));
            }
            13 => self.line("pass"),
            14 => {
                let test = self.expression(1);
                self.block(&format!("if {test}:"));
                if self.choose(2) == 0 {
                    self.block("else:");
                }
            }
            15 | 16 => {
                let (name, over) = (self.name(), self.iterable());
                let was = std::mem::replace(&mut self.in_loop, true);
                self.block(&format!("for {name} in {over}:"));
                self.in_loop = was;
                if self.choose(3) == 0 {
                    self.block("else:");
                }
            }
            17 => {
                let test = self.expression(1);
                let was = std::mem::replace(&mut self.in_loop, true);
                self.block(&format!("while {test}:"));
                self.in_loop = was;
            }
            18 | 19 => {
                self.block("try:");
                let kinds = self.pick(&[
                    "Exception as e",
                    "(ValueError, KeyError)",
                    "RuntimeError",
                    "BaseException",
                ]);
                self.block(&format!("except {kinds}:"));
                if self.choose(2) == 0 {
                    self.block("finally:");
                }
            }
            20 => {
                let name = self.name();
                self.block(&format!("with A(n) as {name}:"));
            }
            21..=23 => {
                let name = self.pick(&["f", "a", "b"]);
                let parameters =
                    self.pick(&["", "a, b=3", "*a, b=x", "a, /, b=1, **d", "a=l", "l, x", "self"]);
                let was = (self.in_function, self.in_loop);
                (self.in_function, self.in_loop) = (true, false);
                self.block(&format!("def {name}({parameters}):"));
                (self.in_function, self.in_loop) = was;
            }
            _ => {
                let base = self.pick(&["", "(A)", "(list)", "(dict)", "(Exception)"]);
                self.line(&format!("class A{base}:"));
                self.depth += 1;
                for _ in 0..=self.choose(3) {
                    let method = self.pick(&[
                        "__init__(self, v=0)",
                        "__add__(self, a)",
                        "__eq__(self, a)",
                        "__getitem__(self, i)",
                        "__iter__(self)",
                        "__enter__(self)",
                        "__exit__(self, *a)",
                        "__call__(self, *a)",
                        "__repr__(self)",
                        "__bool__(self)",
                        "__len__(self)",
                        "__hash__(self)",
                        "k(self)",
                        "__getattr__(self, s)",
                        "__del__(self)",
                        "__next__(self)",
                    ]);
                    let decorator = self.pick(&["", "", "", "@property", "@staticmethod", "@f"]);
                    if !decorator.is_empty() {
                        self.line(decorator);
                    }
                    let was = (self.in_function, self.in_loop);
                    (self.in_function, self.in_loop) = (true, false);
                    self.block(&format!("def {method}:"));
                    (self.in_function, self.in_loop) = was;
                }
                self.depth -= 1;
            }
        }
    }

    /// What a statement may write to, alone.
    fn single(&mut self) -> String {
        let name = self.name();
        match self.choose(6) {
            0 => format!("{name}[{}]", self.index()),
            1 => format!("{name}.v"),
            2 => format!("d[{}]", self.expression(2)),
            _ => name.to_owned(),
        }
    }

    fn target(&mut self) -> String {
        match self.choose(5) {
            0 => {
                let (a, b) = (self.single(), self.single());
                format!("{a} = {b}")
            }
            1 => {
                let (a, b) = (self.single(), self.single());
                format!("({a}, {b})")
            }
            _ => self.single(),
        }
    }

    fn index(&mut self) -> &'static str {
        self.pick(&[
            "0",
            "-1",
            "n",
            "1:",
            "::-1",
            "1:1",
            "..., 0",
            "None",
            "[0, 1]",
            "x > 1",
            "0, 1",
            ":, [1, 0]",
            "9",
            "'a'",
        ])
    }

    fn iterable(&mut self) -> String {
        match self.choose(5) {
            0 => "range(n)".to_owned(),
            1 => self.expression(1),
            2 => format!("zip(l, {})", self.name()),
            3 => format!("enumerate({})", self.name()),
            _ => self.name().to_owned(),
        }
    }

    fn expression(&mut self, nesting: usize) -> String {
        let count = if nesting < 3 { 19 } else { 6 };
        match self.choose(count) {
            0..=2 => self.name().to_owned(),
            3 => self.pick(&["0", "1", "-2", "7", "2.5", "True", "None"]).to_owned(),
            4 => self.pick(&["'a'", "''", "f'{n}{s!r:>5}'", "[]", "()", "{}", "set()"]).to_owned(),
            5 => self
                .pick(&["zeros(3)", "arange(n)", "ones((2, 3))", "x", "y", "rand(2)"])
                .to_owned(),
            6 | 7 => {
                let op = self.pick(&[
                    "+", "-", "*", "/", "//", "%", "@", "==", "<", "and", "or", "in", "is not",
                ]);
                let (a, b) = (self.expression(nesting + 1), self.expression(nesting + 1));
                format!("({a} {op} {b})")
            }
            8 => format!("{}[{}]", self.expression(nesting + 1), self.index()),
            9 => {
                let attribute =
                    self.pick(&["v", "k", "shape", "T", "sum()", "items()", "append", "__dict__"]);
                format!("{}.{attribute}", self.expression(nesting + 1))
            }
            10 | 11 => {
                let callee = self.pick(&[
                    "f", "A", "a", "b", "o", "o.k", "l.append", "next", "iter", "list", "len",
                ]);
                let argument = self.expression(nesting + 1);
                let form = self.choose(5);
                match form {
                    0 => format!("{callee}()"),
                    1 => format!("{callee}(*{argument})"),
                    2 => format!("{callee}(b={argument})"),
                    3 => format!("{callee}({argument}, n)"),
                    _ => format!("{callee}({argument})"),
                }
            }
            12 => {
                let open = self.choose(4);
                let (name, over) = (self.name(), self.iterable());
                let (value, test) = (self.expression(nesting + 1), self.expression(nesting + 2));
                match open {
                    0 => format!("[{value} for {name} in {over} if {test}]"),
                    1 => format!("{{{value} for {name} in {over}}}"),
                    2 => format!("{{{name}: {value} for {name} in {over}}}"),
                    _ => format!("({value} for {name} in {over})"),
                }
            }
            13 => format!("(lambda a=x, *b: {})", self.expression(nesting + 1)),
            14 => {
                let (a, b, c) = (
                    self.expression(nesting + 1),
                    self.expression(nesting + 1),
                    self.expression(nesting + 1),
                );
                format!("({a} if {b} else {c})")
            }
            15 => {
                let (a, b) = (self.expression(nesting + 1), self.expression(nesting + 1));
                format!("[{a}, *l, {b}]")
            }
            16 => {
                let (a, b) = (self.expression(nesting + 1), self.expression(nesting + 1));
                format!("{{**d, 'c': {a}, n: {b}}}")
            }
            17 => format!("(i := {})", self.expression(nesting + 1)),
            _ => {
                let call = self.pick(&[
                    "sum", "sorted", "repr", "str", "hash", "tuple", "set", "min", "abs", "type",
                    "reversed", "exp", "list", "bool",
                ]);
                format!("{call}({})", self.expression(nesting + 1))
            }
        }
    }
}
