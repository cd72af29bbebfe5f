//! The binary from outside: through pipes, and through a pseudo-terminal.
#![cfg(unix)]

mod keys;
mod view;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use assert_cmd::assert::OutputAssertExt;
use rexpect::session::PtySession;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The program in a home of its own.
fn program(home: &Path) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("genesis-repl"));
    command.env_clear().env("HOME", home).env("TERM", "xterm-256color");
    // On a machine with a GPU, too, these tests are about the program and not about the GPU.
    command.env("GENESIS_DEVICE", "cpu");
    for name in ["XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
        command.env(name, home);
    }
    command
}

/// What it writes to standard output and standard error, and its exit status.
fn run(arguments: &[&str], input: &[u8]) -> (String, String, i32) {
    let home = TempDir::new().unwrap();
    run_at(home.path(), arguments, input)
}

fn run_at(home: &Path, arguments: &[&str], input: &[u8]) -> (String, String, i32) {
    let mut command = assert_cmd::Command::from_std(program(home));
    let output = command.args(arguments).write_stdin(input).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

#[test]
fn code_on_the_command_line() {
    for option in ["-e", "-c"] {
        assert_eq!(run(&[option, "1 + 1"], b""), ("2\n".into(), "".into(), 0));
    }
    let (out, err, status) = run(&["-e", "x = 20", "-e", "print(x + 1)"], b"");
    assert_eq!((out.as_str(), err.as_str(), status), ("21\n", "", 0));
}

#[test]
fn the_first_error_ends_a_batch() {
    let (out, err, status) = run(&["-e", "print(1)\nx[10]\nprint(2)", "-e", "print(3)"], b"");
    assert_eq!((out.as_str(), status), ("1\n", 1));
    assert!(err.starts_with("NameError: name 'x' is not defined"), "{err}");
    assert!(err.contains("\n  2 | x[10]\n    | ^"), "{err}");
    assert!(!err.contains('\u{1b}'), "{err}");
}

#[test]
fn a_file_and_a_pipe() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("program.gx");
    fs::write(&path, "x = arange(3)\nprint(x)\nx[5]\n").unwrap();
    let (out, err, status) = run_at(home.path(), &[path.to_str().unwrap()], b"");
    assert_eq!((out.as_str(), status), ("[0 1 2]\n", 1));
    assert!(err.contains("program.gx:3:"), "{err}");
    let (out, _, status) = run(&[], b"x = [1,\n 2]\nprint(x)\n:quit\nprint(3)\n");
    assert_eq!((out.as_str(), status), ("[1, 2]\n", 0));
    let (_, err, status) = run(&["no/such/file.gx"], b"");
    assert_eq!(status, 1);
    assert!(err.starts_with("error: can't read `no/such/file.gx`"), "{err}");
}

#[test]
fn a_pasted_session_loses_its_prompts() {
    let pasted = b">>> x = (1,\n...      2)\n>>> x\n(1, 2)\n>>> print(x)\n";
    assert!(run(&[], pasted).0.contains("(1, 2)\n"));
}

#[test]
fn text_that_is_not_utf8() {
    let (out, err, status) = run(&[], b"print(1)\nprint('\xff')\n");
    assert_eq!((out.as_str(), status), ("", 1));
    assert_eq!(err, "error: expected UTF-8 in standard input, found byte 0xff in line 2\n");
}

#[test]
fn code_may_begin_with_a_minus() {
    let (out, err, code) = run(&["-e", "-2 ** 2"], b"");
    assert_eq!((out.as_str(), err.as_str(), code), ("-4\n", "", 0));
}

#[test]
fn a_pipe_gets_plain_text_unless_colour_is_asked_for() {
    let (out, _, _) = run(&["-e", "arange(3)"], b"");
    assert!(out.contains("array([0, 1, 2])") && !out.contains('\u{1b}'), "{out}");
    let (out, _, _) = run(&["--color", "always", "-e", "arange(3)"], b"");
    assert!(out.contains("\u{1b}["), "{out}");
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    let home = TempDir::new().unwrap();
    let binary = program(home.path()).get_program().to_owned();
    let mut shell = Command::new("sh");
    let script = "\"$0\" -e 'for_each = print' -e 'print(list(range(100000)))' | head -c 5";
    let output = shell.arg("-c").arg(script).arg(binary).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn the_line_protocol() {
    let requests = [
        json!({"id": 1, "code": "x = arange(6)\nx[::2]"}).to_string(),
        json!({"id": "two", "code": "print('hi')\nx[7]"}).to_string(),
        "{not json".to_string(),
        json!({"id": 4, "cod": "1"}).to_string(),
        String::new(),
        json!({"id": 5, "code": ":reset\n"}).to_string(),
        json!({"id": 6, "code": "x"}).to_string(),
        json!({"id": 7, "code": "(1, 2.5, 'a', None, True)"}).to_string(),
    ];
    let mut input = requests.join("\n").into_bytes();
    input.extend(b"\n{\"id\": 8, \"code\": \"'\xff'\"}\n{\"id\": 9, \"code\": \"1\"}");
    let (out, err, status) = run(&["--json"], &input);
    assert_eq!((err.as_str(), status), ("", 0));
    let answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 9, "{out}");
    let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    let null = Value::Null;
    assert_eq!(
        ids,
        [
            &json!(1),
            &json!("two"),
            &null,
            &json!(4),
            &json!(5),
            &json!(6),
            &json!(7),
            &null,
            &json!(9)
        ]
    );
    assert_eq!(
        answers[0]["value"],
        json!({"type": "tensor", "dtype": "int64", "shape": [3], "device": "cpu", "data": [0, 2, 4]})
    );
    assert!(answers[0]["memory"]["allocated"].as_u64().unwrap() > 0);
    assert_eq!(answers[1]["ok"], json!(false));
    assert_eq!(answers[1]["stdout"], json!("hi\n"));
    assert_eq!(answers[1]["error"]["kind"], json!("IndexError"));
    assert!(answers[1]["error"]["span"].is_array());
    assert_eq!(answers[2]["error"]["kind"], json!("ValueError"));
    assert_eq!(answers[5]["error"]["kind"], json!("NameError"));
    assert_eq!(answers[6]["value"]["items"][1], json!({"type": "float", "value": 2.5}));
    assert_eq!(answers[8]["value"], json!({"type": "int", "value": 1}));
}

#[test]
fn places_in_the_line_protocol() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("program.gx");
    fs::write(&path, "x = arange(3)\n\nx[[11, 1]] += 1\n").unwrap();
    let load = format!(":load {}", path.display());
    let codes = ["a = arange(3)  # a long line that comes first", "a[[7]] += 1", &load, "a[1, 2]"];
    let lines = codes.iter().map(|code| json!({ "code": code }).to_string() + "\n");
    let (out, _, _) = run_at(home.path(), &["--json"], lines.collect::<String>().as_bytes());
    let answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let error = |at: usize| &answers[at]["error"];
    assert_eq!(error(1)["span"], json!([2, 5]));
    assert_eq!(error(1).get("source"), None);
    // No part of the request is at fault, but a line of the file is.
    assert_eq!(error(2)["span"], Value::Null);
    let name = path.display().to_string();
    assert_eq!(error(2)["source"], json!({ "name": name, "line": 3, "span": [17, 24] }));
    assert_eq!(error(3)["span"], json!([5, 6]));
}

#[test]
fn the_limit_of_the_line_protocol() {
    let request = br#"{"id": 1, "code": "arange(5)"}"#;
    let (out, _, _) = run(&["--json", "--json-limit", "4"], request);
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(answer["value"]["shape"], json!([5]));
    assert_eq!(answer["value"]["data"], Value::Null);
}

#[test]
fn the_configuration_file() {
    let home = TempDir::new().unwrap();
    let folder = home.path().join("genesis-repl");
    fs::create_dir(&folder).unwrap();
    let path = folder.join("config.toml");
    fs::write(&path, "precision = 2\nprecison = 3\n").unwrap();
    let (out, err, status) = run_at(home.path(), &["-e", "print(array([1.23456]))"], b"");
    assert_eq!((out.as_str(), status), ("[1.23]\n", 0));
    assert!(err.starts_with("warning: ") && err.contains("precision"), "{err}");
    fs::write(&path, "precision = 2\nthreshold = [\n").unwrap();
    let (_, err, status) = run_at(home.path(), &["-e", "1"], b"");
    assert_eq!(status, 1);
    assert!(err.contains("config.toml:"), "{err}");
    let (_, err, status) = run(&["--config", "/no/such.toml", "-e", "1"], b"");
    assert_eq!(status, 1);
    assert!(err.contains("can't read the configuration `/no/such.toml`"), "{err}");
}

#[test]
fn version_help_and_completions() {
    let (out, _, status) = run(&["--version"], b"");
    assert_eq!((out, status), (format!("genesis-repl {}\n", env!("CARGO_PKG_VERSION")), 0));
    for shell in ["bash", "zsh", "fish"] {
        assert!(run(&["--completions", shell], b"").0.contains("json-limit"));
    }
    let home = TempDir::new().unwrap();
    program(home.path()).arg("--no-such-option").assert().code(2);
}

#[test]
fn what_follows_a_program_is_in_argv() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("script.py");
    let program = "import sys\nif __name__ == '__main__':\n    try:\n        print(sys.argv[1:], __file__ == sys.argv[0])\n    finally:\n        sys.exit(len(sys.argv))\n";
    fs::write(&path, program).unwrap();
    let path = path.to_str().unwrap();
    let (out, err, status) = run(&["--device", "cpu", path, "--device", "x", "-e", "--", "1"], b"");
    assert_eq!((out.as_str(), status), ("['--device', 'x', '-e', '--', '1'] True\n", 6), "{err}");
    let (out, ..) = run(&["-e", "import sys; print(sys.argv)", "a", "-b"], b"");
    assert_eq!(out, "['-e', 'a', '-b']\n");
    let (out, ..) = run(&["-", "a"], b"import sys; sys.argv");
    assert_eq!(out, "['-', 'a']\n");
    let (_, err, status) = run(&["-e", "__file__"], b"");
    assert!(status == 1 && err.starts_with("NameError"), "{err}");
}

/// The program at a pseudo-terminal; what is expected must come within ten seconds.
fn terminal(home: &Path, arguments: &[&str], settings: &[(&str, &str)]) -> PtySession {
    let mut command = program(home);
    command.args(arguments).envs(settings.iter().copied());
    let mut session = rexpect::session::spawn_command(command, Some(10_000)).unwrap();
    session.exp_regex("In \\[.*1.*\\]: ").unwrap();
    session
}

#[test]
fn a_conversation() {
    let home = TempDir::new().unwrap();
    let mut repl = terminal(home.path(), &[], &[("NO_COLOR", "1")]);
    repl.send_line("1 + 1").unwrap();
    repl.exp_string("Out[1]: 2").unwrap();
    repl.exp_string("In [2]: ").unwrap();
    // An open bracket asks for more.
    repl.send_line("x = [1,").unwrap();
    repl.send_line("2]").unwrap();
    repl.exp_string("In [3]: ").unwrap();
    repl.send_line("x").unwrap();
    repl.exp_string("Out[3]: [1, 2]").unwrap();
    // An empty line submits what is incomplete.
    repl.send_line("x = (").unwrap();
    repl.send_line("").unwrap();
    repl.exp_string("SyntaxError").unwrap();
    // An error keeps everything.
    repl.send_line("x[7]").unwrap();
    repl.exp_string("IndexError").unwrap();
    repl.send_line("len(x)").unwrap();
    repl.exp_regex("Out\\[6\\]: 2").unwrap();
    // Typed before the prompt is there, Ctrl-D would mean the end of nothing.
    repl.exp_string("In [7]: ").unwrap();
    repl.send_control('d').unwrap();
    repl.exp_eof().unwrap();
}

#[test]
fn a_statement_that_changed_memory_says_so() {
    let home = TempDir::new().unwrap();
    let mut repl = terminal(home.path(), &[], &[("NO_COLOR", "1")]);
    repl.send_line("x = zeros(1024, 1024)").unwrap();
    repl.exp_string("live 4.0 MiB (+4.0 MiB)").unwrap();
    repl.send_line("del x").unwrap();
    repl.exp_string("live 0 B (-4.0 MiB)").unwrap();
}

#[test]
fn long_programs_say_how_far_they_are() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("slow.py");
    let program = "import time\n".to_string() + &"time.sleep(0.1)\n".repeat(12) + "print('end')\n";
    fs::write(&path, program).unwrap();
    let load = format!(":load {}", path.display());
    let settings = [("NO_COLOR", "1"), ("TERM", "xterm")];
    let mut repl = terminal(home.path(), &[], &settings);
    repl.send_line(&load).unwrap();
    // Each byte arrives as a character: these are the three of a full block.
    repl.exp_regex("slow.py (\u{e2}\u{96}\u{88})+.* of 14 statements").unwrap();
    // The line is taken away before the program writes, and at the end.
    repl.exp_string("\u{1b}[Kend").unwrap();
    repl.exp_string("In [").unwrap();
    // A pipe gets the output alone.
    assert_eq!(run_at(home.path(), &["-e", &load], b"").0, "end\n");
}

#[test]
fn long_work_within_a_statement_says_how_far_it_is() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("large.bin");
    fs::File::create(&path).unwrap().set_len(64 << 30).unwrap();
    let mut repl = terminal(home.path(), &[], &[("NO_COLOR", "1"), ("TERM", "xterm")]);
    let statistics = format!("stats(np.memmap('{}', mode='r'))", path.display());
    repl.send_line(&format!("import numpy as np; {statistics}")).unwrap();
    repl.exp_regex("stats .+ of 64.0 GiB .+/s .+ left").unwrap();
    repl.send_control('c').unwrap();
    // The line is taken away.
    repl.exp_string("\u{1b}[K").unwrap();
    repl.exp_string("KeyboardInterrupt").unwrap();
    repl.exp_string("In [2]: ").unwrap();
}

#[test]
fn the_footer_follows_every_input() {
    let home = TempDir::new().unwrap();
    let mut repl = terminal(home.path(), &[], &[("NO_COLOR", "1")]);
    repl.send_line(":set footer on").unwrap();
    repl.send_line("x = zeros(1024, 1024) + 1").unwrap();
    repl.exp_regex("s .+ allocated 4.0 MiB in 1 block .+ live 4.0 MiB .+ 1 kernel").unwrap();
    // A product and a sort are kernels as well.
    repl.send_line("y = sort(x[:64, :64] @ x[:64, :64])").unwrap();
    repl.exp_string(" 2 kernels").unwrap();
}

#[test]
fn tab_completes() {
    let home = TempDir::new().unwrap();
    let mut repl = terminal(home.path(), &[], &[("NO_COLOR", "1")]);
    repl.send_line("a_long_name = 41").unwrap();
    repl.exp_string("In [2]: ").unwrap();
    repl.send("a_lo\t + 1\r").unwrap();
    repl.flush().unwrap();
    repl.exp_string("Out[2]: 42").unwrap();
}

#[test]
fn lines_typed_ahead_are_all_taken() {
    let home = TempDir::new().unwrap();
    let mut repl = terminal(home.path(), &[], &[("NO_COLOR", "1")]);
    repl.send("x = 1\rx += 10\rx += 100\rx + 1000\r").unwrap();
    repl.flush().unwrap();
    repl.exp_string("Out[4]: 1111").unwrap();
}

#[test]
fn ctrl_c_at_the_prompt_clears_the_line() {
    let home = TempDir::new().unwrap();
    let mut repl = terminal(home.path(), &[], &[("NO_COLOR", "1")]);
    repl.send("no_such_name").unwrap();
    repl.flush().unwrap();
    repl.exp_string("no_such_name").unwrap();
    repl.send_control('c').unwrap();
    repl.exp_string("In [1]: ").unwrap();
    repl.send_line("3 + 4").unwrap();
    repl.exp_string("Out[1]: 7").unwrap();
}

#[test]
fn ctrl_c_stops_a_statement_and_keeps_everything() {
    let home = TempDir::new().unwrap();
    let mut repl = terminal(home.path(), &[], &[("NO_COLOR", "1")]);
    repl.send_line("x = arange(200000)").unwrap();
    repl.exp_string("In [2]: ").unwrap();
    // 4 × 10¹⁰ sines: minutes of work, no memory.
    repl.send_line("y = sin(x.reshape(-1, 1) * x).sum()").unwrap();
    repl.exp_string("sum()").unwrap();
    std::thread::sleep(Duration::from_millis(500));
    let asked = Instant::now();
    repl.send_control('c').unwrap();
    repl.exp_string("KeyboardInterrupt").unwrap();
    let waited = asked.elapsed();
    assert!(waited < Duration::from_secs(3), "stopped after {waited:?}");
    repl.exp_string("In [3]: ").unwrap();
    repl.send_line("len(x)").unwrap();
    repl.exp_string("Out[3]: 200000").unwrap();
}

#[test]
fn history_outlives_the_session() {
    let home = TempDir::new().unwrap();
    let mut repl = terminal(home.path(), &[], &[("NO_COLOR", "1")]);
    repl.send_line("'first' + ' session'").unwrap();
    repl.exp_string("Out[1]: 'first session'").unwrap();
    repl.exp_string("In [2]: ").unwrap();
    repl.send_control('d').unwrap();
    repl.exp_eof().unwrap();
    let mut repl = terminal(home.path(), &[], &[("NO_COLOR", "1")]);
    // The arrow up, then a search.
    repl.send("\u{1b}[A\r").unwrap();
    repl.flush().unwrap();
    repl.exp_string("Out[1]: 'first session'").unwrap();
    repl.exp_string("In [2]: ").unwrap();
    repl.send_control('r').unwrap();
    repl.send("first\r").unwrap();
    repl.flush().unwrap();
    repl.exp_string("Out[2]: 'first session'").unwrap();
    let mut repl = terminal(home.path(), &["--no-history"], &[("NO_COLOR", "1")]);
    repl.send("\u{1b}[A7\r").unwrap();
    repl.flush().unwrap();
    repl.exp_string("Out[1]: 7").unwrap();
}

#[test]
fn a_full_disk_under_the_history_is_one_warning() {
    let home = TempDir::new().unwrap();
    let folder = home.path().join("genesis-repl");
    fs::create_dir(&folder).unwrap();
    std::os::unix::fs::symlink("/dev/full", folder.join("history")).unwrap();
    let mut repl = terminal(home.path(), &[], &[("NO_COLOR", "1")]);
    repl.send_line("1 + 1").unwrap();
    repl.exp_string("warning: the history can't be kept").unwrap();
    repl.exp_string("Out[1]: 2").unwrap();
    repl.send_line("2 + 2").unwrap();
    let before = repl.exp_string("Out[2]: 4").unwrap();
    assert!(!before.contains("warning"), "{before}");
}

#[test]
fn colours_and_their_absence() {
    let home = TempDir::new().unwrap();
    let mut repl = terminal(home.path(), &[], &[]);
    repl.send_line("'a' + 1").unwrap();
    repl.exp_string("\u{1b}[31;1mTypeError").unwrap();
    for (name, value) in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let mut repl = terminal(home.path(), &["--no-history"], &[(name, value)]);
        repl.send_line("'a' + 1").unwrap();
        let before = repl.exp_string("TypeError: ").unwrap();
        assert!(!before.contains("\u{1b}[3"), "{name}: {before:?}");
    }
}

#[test]
fn the_live_view_of_memory_ends_with_a_key() {
    let home = TempDir::new().unwrap();
    let mut repl = terminal(home.path(), &[], &[("NO_COLOR", "1")]);
    repl.send_line(":mem watch").unwrap();
    repl.exp_string("press any key to stop").unwrap();
    repl.exp_string("press any key to stop").unwrap();
    repl.send("q").unwrap();
    repl.flush().unwrap();
    repl.exp_regex("In \\[\\d+\\]: ").unwrap();
    repl.send_line("5 * 5").unwrap();
    repl.exp_string(": 25").unwrap();
}

#[test]
fn files_are_looked_into_from_the_shell() {
    let home = TempDir::new().unwrap();
    let at = |name: &str| home.path().join(name).display().to_string();
    let (a, b) = (at("a 'quoted'.safetensors"), at("b.safetensors"));
    let code = "import sys\nsave(sys.argv[1], {'l.0.w': ones(2), 'l.1.w': zeros(2)})\nsave(sys.argv[2], {'l.0.w': ones(2), 'l.1.w': ones(2)})";
    run_at(home.path(), &["-e", code, &a, &b], b"");
    let (out, error, status) = run_at(home.path(), &["show", &a], b"");
    assert!(out.contains("l.{0..1}.w") && status == 0, "{out}{error}");
    let json = |arguments: &[&str]| -> Value {
        let (out, error, status) = run_at(home.path(), arguments, b"");
        assert_eq!(status, 0, "{error}");
        serde_json::from_str(&out).unwrap()
    };
    let shown = json(&["show", &a, "*.1.*", "--json"]);
    assert_eq!(shown, json!([{"name": "l.1.w", "dtype": "float32", "shape": [2], "bytes": 8}]));
    let found = json(&["stats", &b, "--json"]);
    assert_eq!((&found[0]["mean"], &found[0]["count"]), (&json!(1.0), &json!(2)));
    let found = json(&["diff", &a, &b, "--json"]);
    assert_eq!(
        (&found[0]["what"], &found[0]["max"], &found[0]["nmse"]),
        (&json!("changed"), &json!(1.0), &json!(1.0))
    );
    let (out, _, _) = run_at(home.path(), &["diff", &a, &a], b"");
    assert!(out.contains("same"), "{out}");
    for arguments in [&["show", "none.pt"][..], &["stats", &a, "no*"], &["diff", &a]] {
        let (out, error, status) = run_at(home.path(), arguments, b"");
        assert!(status != 0 && out.is_empty() && !error.is_empty(), "{arguments:?} {out}");
        assert!(!error.contains("_shell"), "what runs inside says nothing to a user: {error}");
    }
}
