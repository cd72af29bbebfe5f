//! Nothing is lost without a word: files that are saved while a disk is full or the program is killed,
//! output that does not arrive, a terminal that a text would take over.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_genesis-repl");

/// What it writes to standard error, and its exit status; none after a signal.
fn run(command: &mut Command) -> (String, Option<i32>) {
    let output = command.stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap();
    (String::from_utf8(output.stderr).unwrap(), output.status.code())
}

/// The program in a home of its own, where files have at most `blocks` of 512 bytes: a disk that is
/// full. The signal that comes then must not end the program.
fn on_a_full_disk(home: &Path, blocks: u32, code: &str) -> (String, Option<i32>) {
    let script = format!("ulimit -f {blocks}; exec \"$0\" --no-history -e \"$1\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, PROGRAM, code]).current_dir(home);
    run(command.env("HOME", home).env("GENESIS_DEVICE", "cpu"))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A cell whose saved program has some eighty kilobytes.
fn large() -> String {
    (0..2000).map(|n| format!("x{n} = 'abcdefghijklmnopqrstuvwxyz'\n")).collect()
}

#[test]
fn a_full_disk_leaves_the_old_file() {
    for save in [":save -f old.py", ":mem save old.json", ":mem save old.pickle"] {
        let home = TempDir::new().unwrap();
        let name = save.split(' ').next_back().unwrap();
        let path = home.path().join(name);
        fs::write(&path, "what stood there").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let tensors: String = (0..60).map(|n| format!("t{n} = zeros(9)\n")).collect();
        let code = format!("{}{tensors}{save}", large());
        let (error, status) = on_a_full_disk(home.path(), 1, &code);
        assert_eq!(status, Some(1), "{save}: {error}");
        assert!(error.starts_with("OSError"), "{save}: {error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "what stood there", "{save}");
        assert_eq!(names(home.path()), [name], "{save}");
        let (error, status) = on_a_full_disk(home.path(), 1 << 20, &code);
        assert_eq!(status, Some(0), "{save}: {error}");
        assert!(fs::metadata(&path).unwrap().len() > 512, "{save}");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640, "{save}");
    }
}

/// What writes arrays and pictures.
const ARRAYS: &[(&str, &str)] = &[
    ("old.npy", "np.save('old.npy', x)"),
    ("old.npz", "np.savez('old.npz', x=x, y=x)"),
    ("old.npz", "np.savez_compressed('old.npz', x=r)"),
    ("old.txt", "np.savetxt('old.txt', x)"),
    ("old.safetensors", "genesis.save('old.safetensors', {'x': x})"),
    ("old.pt", "torch.save({'x': x}, 'old.pt')"),
    ("old.bin", "x.tofile('old.bin')"),
    ("old.png", "plt.savefig('old.png')"),
    ("old.svg", "plt.savefig('old.svg')"),
    ("old.png", "plt.imsave('old.png', r.reshape(100, -1))"),
];
const BEGIN: &str = "import numpy as np, torch, genesis\nimport matplotlib.pyplot as plt\n\
    x = arange(9000.0); r = rand(9000); lines = plt.plot(r)\n";

#[test]
fn arrays_are_written_whole_or_not_at_all() {
    for (name, save) in ARRAYS {
        let home = TempDir::new().unwrap();
        let (path, link) = (home.path().join("real"), home.path().join(name));
        fs::write(&path, "what stood there").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink("real", &link).unwrap();
        let code = format!("{BEGIN}{save}");
        let (error, status) = on_a_full_disk(home.path(), 8, &code);
        assert_eq!(status, Some(1), "{save}: {error}");
        assert!(error.starts_with("OSError: [Errno 27]"), "{save}: {error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "what stood there", "{save}");
        assert_eq!(names(home.path()), [*name, "real"], "{save}");
        let (error, status) = on_a_full_disk(home.path(), 1 << 20, &code);
        assert_eq!(status, Some(0), "{save}: {error}");
        // A link still leads to the file, which has the permissions that it had.
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink(), "{save}");
        let written = fs::metadata(&path).unwrap();
        assert!(written.len() > 4096, "{save}");
        assert_eq!(written.permissions().mode() & 0o777, 0o640, "{save}");
        assert_eq!(names(home.path()), [*name, "real"], "{save}");
        fs::remove_file(&link).unwrap();
        fs::create_dir(&link).unwrap();
        let (error, _) = on_a_full_disk(home.path(), 1 << 20, &code);
        assert!(error.starts_with("IsADirectoryError"), "{save}: {error}");
    }
}

#[test]
fn a_kill_at_any_moment_leaves_a_whole_file() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("a.py");
    let code = format!("{}{}", large(), ":save -f a.py\n".repeat(2000));
    let file = home.path().join("program.gx");
    fs::write(&file, &code).unwrap();
    let mut sizes = Vec::new();
    for round in 0..12 {
        let mut child = Command::new(PROGRAM)
            .args(["--no-history", "program.gx"])
            .current_dir(home.path())
            .env("HOME", home.path())
            .env("GENESIS_DEVICE", "cpu")
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // The first rounds wait for the first file.
        let end = Instant::now() + Duration::from_secs(60);
        while !path.exists() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(37 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("# saved by genesis-repl"), "{} bytes", text.len());
        assert!(text.ends_with("x1999 = 'abcdefghijklmnopqrstuvwxyz'\n"), "{} bytes", text.len());
        sizes.push(text.len());
    }
    assert!(sizes.iter().all(|size| *size > 60_000), "{sizes:?}");
}

/// What a kill must leave in one piece: how it is saved, and how a later session finds it whole.
const KILLED: &[(&str, &str, &str)] = &[
    ("old.npy", "np.save('old.npy', x)", "same(np.load('old.npy'))"),
    ("old.npz", "np.savez('old.npz', x=x, y=x)", "same(np.load('old.npz')['y'])"),
    ("old.npz", "np.savez_compressed('old.npz', x=x)", "same(np.load('old.npz')['x'])"),
    ("old.txt", "np.savetxt('old.txt', x[:30_000])", "same(np.loadtxt('old.txt'), 30_000)"),
    ("old.bin", "x.tofile('old.bin')", "same(np.fromfile('old.bin', dtype=x.dtype))"),
    (
        "old.safetensors",
        "genesis.save('old.safetensors', {'x': x})",
        "same(genesis.load('old.safetensors')['x'])",
    ),
    ("old.pt", "torch.save({'x': x}, 'old.pt')", "same(torch.load('old.pt')['x'])"),
    (
        "old.png",
        "plt.imsave('old.png', x.reshape(600, 500))",
        "plt.imread('old.png').shape[:2] == (600, 500)",
    ),
    ("old.png", "plt.savefig('old.png')", "plt.imread('old.png').shape[0] > 99"),
    ("old.json", ":mem save old.json", "json.load(open('old.json')) is not None"),
];
const KILLED_BEGIN: &str = "import numpy as np, torch, genesis, json\nimport matplotlib.pyplot as plt\n\
    def same(a, n=300_000): return (a.size, bool((a == a[0]).all())) == (n, True)\n\
    x = full(300_000, 0.0); lines = plt.plot(arange(900))\n";

#[test]
fn a_kill_at_any_moment_leaves_whole_arrays() {
    for (name, save, look) in KILLED {
        let home = TempDir::new().unwrap();
        let path = home.path().join(name);
        // Every save is of other values, so that a file of two halves shows.
        let again = format!("x += 1\n{save}\n").repeat(4000);
        fs::write(home.path().join("program.gx"), format!("{KILLED_BEGIN}{again}")).unwrap();
        let begin = |arguments: &[&str]| {
            let mut command = Command::new(PROGRAM);
            command.arg("--no-history").args(arguments).current_dir(home.path());
            command.env("HOME", home.path()).env("GENESIS_DEVICE", "cpu");
            command
        };
        let drafts = |of: &str| {
            let names = names(home.path());
            names.iter().filter(|name| name.contains(of) && name.ends_with(".draft")).count()
        };
        // A draft that stays says that a kill met a file half-way, as on a busy machine not every one does.
        let mut round = 0;
        while round < 8 || drafts("") == 0 {
            assert!(round < 60, "{save}: no kill met a save");
            let mut child = begin(&["program.gx"]).stdout(Stdio::null()).spawn().unwrap();
            let own = format!("-{}-", child.id());
            let written = || fs::metadata(&path).and_then(|about| about.modified()).ok();
            let (before, end) = (written(), Instant::now() + Duration::from_secs(60));
            // Half of the kills come while a file is being written, the others whenever they come.
            while written() == before || (round % 2 == 1 && drafts(&own) == 0) {
                assert!(Instant::now() < end, "{save}: nothing is saved");
            }
            std::thread::sleep(Duration::from_micros(
                [7900 * (round % 8), 60 * (round % 8)][round as usize % 2],
            ));
            child.kill().unwrap();
            child.wait().unwrap();
            let (error, status) = run(&mut begin(&["-e", &format!("{KILLED_BEGIN}assert {look}")]));
            assert_eq!(status, Some(0), "{save}, round {round}: {error}");
            round += 1;
        }
    }
}

#[test]
fn output_that_is_lost_is_told() {
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let long = "print('x' * 100_000)";
    for arguments in [
        &["-e", "1 + 1"][..],
        &["-e", long],
        &["--completions", "bash"],
        &["--json"],
        &["--help"],
        &["--version"],
    ] {
        let home = TempDir::new().unwrap();
        let mut command = Command::new(PROGRAM);
        command.args(arguments).env("HOME", home.path()).env("GENESIS_DEVICE", "cpu");
        let input = home.path().join("input");
        fs::write(&input, "{\"id\": 1, \"code\": \"1\"}\n").unwrap();
        command.stdin(fs::File::open(&input).unwrap()).stdout(full());
        let output = command.stderr(Stdio::piped()).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
        assert!(error.contains("the output was lost"), "{arguments:?}: {error}");
    }
    // A reader who has seen enough is no loss.
    let script = "\"$0\" -e \"for_ = 1\nprint('x' * 1_000_000)\" | head -c 1 > /dev/null; echo ${PIPESTATUS[0]}";
    let output = Command::new("bash").args(["-c", script, PROGRAM]).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "0\n");
}

#[test]
fn no_message_turns_a_line_around() {
    let home = TempDir::new().unwrap();
    let run = |code: &str| {
        let mut command = Command::new(PROGRAM);
        command.args(["--no-history", "-e", code]).env("HOME", home.path());
        let output = command.env("GENESIS_DEVICE", "cpu").output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr))
    };
    assert_eq!(run("'a\u{202e}b\u{200b}\u{1b}[2J'").0, "'a\\u202eb\\u200b\\x1b[2J'\n");
    for code in [
        "{'a': 1}['x\u{202e}y\u{1b}[2J']",
        "int('\u{202e}\u{2066}')",
        "1 + '\u{202e}' # \u{202e}",
        "open_ = 1 \u{202e}",
        ":load \u{202e}",
        ":set color \u{202e}",
        ":\u{202e}",
        "s = '\u{202e}'\n:who",
        "x = {'\u{202e}': zeros(3)}\n:mem vars",
    ] {
        let (out, error) = run(code);
        let shown = out + &error;
        let is_bad =
            |c: char| c == '\u{1b}' || ('\u{202a}'..='\u{202e}').contains(&c) || c == '\u{2066}';
        assert!(!shown.contains(is_bad), "{code:?}: {shown:?}");
    }
    assert_eq!(run("print('a\u{202e}b')").0, "a\u{202e}b\n", "what a program prints is its own");
}

#[test]
fn ctrl_c_ends_the_wait_for_a_pipe_and_a_text_that_nobody_reads() {
    let home = TempDir::new().unwrap();
    let pipe = home.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for code in [format!(":load {}", pipe.display()), "print('x' * 10_000_000)".to_string()] {
        let mut child = Command::new(PROGRAM)
            .args(["--no-history", "-e", &code])
            .env("HOME", home.path())
            .env("GENESIS_DEVICE", "cpu")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(1000));
        let begun = Instant::now();
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let status = loop {
            match child.try_wait().unwrap() {
                Some(status) => break status,
                None if begun.elapsed() > Duration::from_secs(20) => {
                    child.kill().unwrap();
                    panic!("{code}: not heard");
                }
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        assert_eq!(status.code(), Some(130), "{code}");
    }
}
