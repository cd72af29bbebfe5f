//! `genesis-repl replay FILE` from outside.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::files::fragmented;

/// Standard output, standard error and the exit status.
fn run(folder: &Path, arguments: &[&str]) -> (String, String, i32) {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("genesis-repl"));
    command.env_clear().env("HOME", folder).env("GENESIS_DEVICE", "cpu").current_dir(folder);
    let output = command.args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let (out, err, status) = run(folder, arguments);
    assert_eq!((err.as_str(), status), ("", 0));
    serde_json::from_str(&out).unwrap()
}

#[test]
fn a_run_out_of_memory_is_explained() {
    let home = TempDir::new().unwrap();
    fs::write(home.path().join("oom.pickle"), fragmented()).unwrap();
    let (out, err, status) = run(home.path(), &["replay", "oom.pickle"]);
    assert_eq!((err.as_str(), status), ("", 0));
    for expected in [
        "PyTorch's memory snapshot of cuda:0: 4 steps",
        "limit 100.0 MiB: what the process held and the device had left when it ran out",
        "pytorch runs out: 59.0 MiB asked for by a/train.py:9 step, 2.0 MiB live, 60.0 MiB reserved",
        "a/train.py:7 step",
        "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True would have saved the run",
    ] {
        assert!(out.contains(expected), "no {expected} in\n{out}");
    }
    assert!(!out.contains('\u{1b}'), "{out}");
    let facts = json(home.path(), &["replay", "oom.pickle", "--json", "--policy", "paged"]);
    assert_eq!(facts["runs"][0]["policy"], "paged");
    assert_eq!(facts["runs"].as_array().unwrap().len(), 1);
    assert_eq!(facts["limit"], 100 << 20);
    assert_eq!(facts["runs"][0]["ran_out"], Value::Null);
    assert_eq!(facts["recorded"]["ran_out_at"], 4);
}

#[test]
fn settings_are_tried_by_hand() {
    let home = TempDir::new().unwrap();
    fs::write(home.path().join("oom.pickle"), fragmented()).unwrap();
    let policies =
        ["--policy", "pytorch", "--policy", "pytorch=max_split_size_mb:21", "--limit", "100MiB"];
    let facts = json(home.path(), &[&["replay", "oom.pickle", "--json"], &policies[..]].concat());
    let runs = facts["runs"].as_array().unwrap();
    assert_eq!(runs[0]["ran_out"]["step"], 4);
    assert_eq!(runs[0]["ran_out"]["by"], "a/train.py:9 step");
    assert_eq!(runs[1]["settings"], "max_split_size_mb:21");
    assert_eq!(runs[1]["ran_out"], Value::Null);
}

#[test]
fn what_the_tool_saves_is_read() {
    let home = TempDir::new().unwrap();
    let code = ":set history 1000\nx = zeros(1 << 20)\ny = x + 1\ndel x\nz = y * 2\n";
    let save =
        format!("{code}:mem save a.pickle\n:mem save a.json\nprint(cuda.max_memory_reserved())");
    let (peak, err, status) = run(home.path(), &["--simulate", "64MiB", "-e", &save]);
    assert_eq!(status, 0, "{err}");
    let peak: u64 = peak.lines().last().unwrap().parse().unwrap();
    let [pickled, written] =
        ["a.pickle", "a.json"].map(|file| json(home.path(), &["replay", file, "--json"]));
    for facts in [&pickled, &written] {
        assert_eq!(facts["origin"], "genesis-repl");
        assert_eq!(facts["runs"][0]["policy"], "auto");
        assert_eq!(facts["runs"][0]["peak_reserved"], peak, "{facts}");
        assert_eq!(facts["recorded"]["peak_reserved"], peak, "{facts}");
    }
    assert_eq!(pickled["runs"], written["runs"]);
    let (shown, ..) = run(home.path(), &["replay", "a.json", "--limit", "9MiB"]);
    assert!(shown.contains("y = x + 1") || shown.contains("z = y * 2"), "{shown}");
}

#[test]
fn mistakes_are_told() {
    let home = TempDir::new().unwrap();
    fs::write(home.path().join("t.trace"), "a 1 1000\n").unwrap();
    fs::write(home.path().join("cut.pickle"), &fragmented()[..900]).unwrap();
    let cases: [(&[&str], &str); 7] = [
        (&["replay", "none.pickle"], "error: can't replay `none.pickle`: No such file"),
        (&["replay", "."], "error: can't replay `.`: "),
        (&["replay", "cut.pickle"], "the pickle is broken at byte 900: it ends too early"),
        (&["replay", "t.trace", "--limit", "8"], ""),
        (&["replay", "t.trace", "--limit", "8XiB"], "expected a size such as `8GiB`"),
        (&["replay", "t.trace", "--policy", "page"], "did you mean `paged`?"),
        (
            &["replay", "cut.pickle", "--policy", "pytorch=split:3"],
            "expected `expandable_segments`",
        ),
    ];
    for (arguments, expected) in cases {
        let (out, err, status) = run(home.path(), arguments);
        assert!(err.contains(expected), "{arguments:?}: {out}{err}");
        assert_eq!(status, i32::from(!expected.is_empty()), "{arguments:?}: {out}{err}");
    }
    let (_, err, status) = run(home.path(), &["replay", "t.trace", "--device", "cuda:3"]);
    assert!(status == 1 && err.contains("the file has nothing of `cuda:3`"), "{err}");
}
