//! How the program begins where a GPU is, or nearly is: the binary over the driver of `tests/shim`.
//! Where there is no g++ to build that with, these pass without a word.
#![cfg(unix)]

#[path = "shim/mod.rs"]
mod shim;

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// A folder with some of the pretended libraries.
fn some_of(names: &[&str]) -> Option<TempDir> {
    let (shim, folder) = (shim::folder()?, TempDir::new().unwrap());
    for name in names {
        symlink(shim.join(name), folder.path().join(name)).unwrap();
    }
    Some(folder)
}

/// The program in a home of its own, over the libraries of a folder.
fn program(home: &Path, libraries: &Path) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("genesis-repl"));
    command.env_clear().env("HOME", home).env("TERM", "xterm-256color");
    for name in ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
        command.env(name, home);
    }
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("LD_LIBRARY_PATH", libraries);
    command
}

/// What it writes to standard output and standard error, and its exit status.
fn run(
    libraries: &Path,
    variables: &[(&str, &str)],
    arguments: &[&str],
    input: &str,
) -> (String, String, i32) {
    let home = TempDir::new().unwrap();
    let mut command = program(home.path(), libraries);
    command.envs(variables.iter().copied()).args(arguments);
    let output = assert_cmd::Command::from_std(command).write_stdin(input).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

#[test]
fn a_gpu_is_the_device_unless_another_is_named() {
    let Some(shim) = shim::folder() else { return };
    let device = ["-e", "print(empty(1).device)"];
    let of = |variables: &[(&str, &str)]| run(&shim, variables, &device, "");
    assert_eq!(of(&[]), ("cuda:0\n".into(), "".into(), 0));
    assert_eq!(of(&[("GENESIS_DEVICE", "cpu")]), ("cpu\n".into(), "".into(), 0));
    let two = ("GENESIS_SHIM_DEVICES", "2");
    assert_eq!(of(&[two, ("GENESIS_DEVICE", "cuda:1")]), ("cuda:1\n".into(), "".into(), 0));
    let (out, err, status) = of(&[two, ("GENESIS_DEVICE", "cuda:2")]);
    assert_eq!((out.as_str(), status), ("", 1));
    assert!(err.starts_with("error: there is no device `cuda:2`; "), "{err}");
    assert!(err.contains("`cpu`, `cuda:0`, `cuda:1`"), "{err}");
    assert_eq!(of(&[("CUDA_VISIBLE_DEVICES", "-1")]), ("cpu\n".into(), "".into(), 0));
    let program = "print(empty(1).device)\n:device cpu\nprint(empty(1).device)\n";
    assert_eq!(run(&shim, &[], &[], program).0, "cuda:0\ncpu\n");
}

#[test]
fn a_driver_without_a_gpu_is_no_gpu() {
    let Some(shim) = shim::folder() else { return };
    let none = [("GENESIS_SHIM_DEVICES", "0")];
    let (out, err, status) = run(&shim, &none, &["-e", "print(zeros(1).device)"], "");
    assert_eq!((out.as_str(), err.as_str(), status), ("cpu\n", "", 0));
    let (_, err, status) = run(&shim, &none, &["--device", "cuda", "-e", "1"], "");
    assert_eq!(status, 1);
    assert!(err.contains("there is no device `cuda:0`; the NVIDIA driver knows no GPU"), "{err}");
    assert!(run(&shim, &none, &["-e", ":device"], "").0.contains("no GPU: the NVIDIA driver"));
}

#[test]
fn without_a_compiler_tensors_stay_on_the_cpu_and_one_notice_says_why() {
    let Some(driver) = some_of(&["libcuda.so.1"]) else { return };
    // A compiler that this machine has would be found.
    let program = "print(zeros(1).device)\nprint(1)\n:device\n";
    let (out, err, status) = run(driver.path(), &[("PATH", "")], &[], program);
    if out.starts_with("cuda:0") {
        return;
    }
    assert_eq!(status, 0, "{err}");
    assert!(out.starts_with("cpu\n1\n"), "{out}");
    assert_eq!(err.matches("tensors stay on the CPU").count(), 1, "{err}");
    assert!(
        err.contains("NVRTC was not found: install the CUDA toolkit, or `pip install"),
        "{err}"
    );
    let row = out.lines().find(|line| line.starts_with("NVRTC")).unwrap();
    assert!(row.contains("missing: install the CUDA toolkit"), "{out}");
    let explicit = [("PATH", ""), ("GENESIS_DEVICE", "cuda")];
    let (out, err, status) = run(driver.path(), &explicit, &["-e", "print(1)"], "");
    assert_eq!((out.as_str(), status), ("", 1));
    assert!(err.starts_with("error: `cuda:0` can't be used: NVRTC was not found"), "{err}");
    let request = "{\"id\": 1, \"code\": \"1\"}\n{\"id\": 2, \"code\": \"2\"}\n";
    let (out, _, _) = run(driver.path(), &[("PATH", "")], &["--json"], request);
    let answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(answers[0]["notices"][0].as_str().unwrap().contains("NVRTC"), "{out}");
    assert!(answers[1].get("notices").is_none(), "{out}");
}

#[test]
fn the_line_protocol_tells_times_of_kernels() {
    let Some(shim) = shim::folder() else { return };
    let code = "x = arange(5).to('cuda')\\n:set profiling on\\ny = x.tolist()";
    let request = format!("{{\"id\": 1, \"code\": \"{code}\"}}\n");
    let (out, err, _) = run(&shim, &[("GENESIS_DEVICE", "cpu")], &["--json"], &request);
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(answer["ok"], true, "{out} {err}");
    let kernels = answer["kernels"].as_array().unwrap();
    assert_eq!(kernels[0]["name"], "deliver", "{out}");
    assert_eq!((&kernels[0]["device"], &answer["stdout"]), (&"cuda:0".into(), &"".into()));
}

#[test]
fn a_conversation_begins_before_the_gpu_is_open() {
    let Some(shim) = shim::folder() else { return };
    let home = TempDir::new().unwrap();
    let mut command = program(home.path(), &shim);
    command.args(["--color", "never"]);
    let mut session = rexpect::session::spawn_command(command, Some(20_000)).unwrap();
    session.exp_string("opening").unwrap();
    session.exp_string("In [1]: ").unwrap();
    session.send_line("x = empty(1 << 20)").unwrap();
    session.exp_string("live 4.0 MiB").unwrap();
    session.exp_string("In [2]: ").unwrap();
    session.send_line(":device").unwrap();
    session.exp_string("Shim GPU").unwrap();
    session.exp_string("In [3]: ").unwrap();
    // Leaving while nothing runs takes no time.
    let begun = Instant::now();
    session.send_line(":quit").unwrap();
    session.exp_eof().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(5));
}
