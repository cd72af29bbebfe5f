//! Sessions that come and go in one process, as in a Rust notebook: each gives back what it took from
//! the GPU. Runs over the driver of `tests/shim`, or, with `GENESIS_TEST_GPU=1`, over a real one that
//! nobody else uses; where there is neither, it passes without a word.
#![cfg(all(target_os = "linux", feature = "cuda"))]

#[path = "shim/mod.rs"]
mod shim;

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use genesis_repl::memory::StreamId;
use genesis_repl::session::{Config, Nobody, Session};

/// Says that this process is the one that a test has started over the right driver.
const HERE: &str = "GENESIS_TEST_HERE";

/// Pinned buffers for copies both ways, several streams and events, timed launches, cuBLAS, a graph,
/// and a kernel whose result nobody has waited for.
const PROGRAM: [&str; 9] = [
    "x = arange(200_000.0)",
    "y = x.to('cpu').to('cuda')",
    "(x - y).abs().max().item()",
    ":set profiling on\nz = x * 2\n:set profiling off",
    "m = x[:4096].reshape(64, 64); (m @ m)[0, 0].item()",
    "x[[1, 2]].sum().item()",
    ":timeit -n 30 -r 1 softmax(x[:100_000])",
    "v = sort(x[:5000], descending=True); cumsum(v)[3].item()",
    "late = (x[:1000].reshape(-1, 1) * x[:500]).sum(axis=1)",
];

/// What a process has from the system and from the GPU's driver.
#[derive(Debug)]
struct Taken {
    /// Bytes of the GPU's memory that are left.
    free: f64,
    /// Bytes of the host's memory.
    resident: usize,
    /// Files that are mapped: with the pretended driver, the code of each kernel.
    files: usize,
}

/// What is taken where a session begins.
fn taken() -> Taken {
    let mut session = session();
    let free = session.run("cuda.mem_get_info()[0]", &mut Nobody);
    let free = session.repr(free.value.as_ref().expect("a number")).parse().unwrap();
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    let kilobytes: usize = line.trim().trim_end_matches(" kB").parse().unwrap();
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let files: BTreeSet<&str> =
        maps.lines().filter_map(|line| line.split_once('/')).map(|it| it.1).collect();
    Taken { free, resident: kilobytes << 10, files: files.len() }
}

fn session() -> Session {
    Session::new(Config::default().with_device("cuda").unwrap()).unwrap()
}

fn work() {
    let mut session = session();
    for (number, text) in PROGRAM.iter().enumerate() {
        let device = session.interp().engine.device();
        device.backend().set_stream(StreamId(number as u32 % 3)).unwrap();
        let outcome = session.run(text, &mut Nobody);
        assert!(outcome.error.is_none(), "{text}: {:?}", outcome.error);
    }
}

#[test]
fn each_gives_back_what_it_took() {
    if std::env::var_os(HERE).is_none() {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "each_gives_back_what_it_took", "--nocapture"]).env(HERE, "1");
        if std::env::var_os("GENESIS_TEST_GPU").is_none() {
            let Some(shim) = shim::folder() else { return };
            command.env("LD_LIBRARY_PATH", shim).env("GENESIS_KERNEL_CACHE_DIR", "");
            command.env("GENESIS_SHIM_QUEUE", "thread");
        }
        let output = command.output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
        return;
    }
    // What the first ones load stays for those that come.
    (0..2).for_each(|_| work());
    let before = taken();
    (0..6).for_each(|_| work());
    let after = taken();
    println!("{before:?}\n{after:?}");
    assert_eq!(before.free, after.free);
    assert_eq!(before.files, after.files);
    // Each pins 16 MiB; what the system's allocator keeps is less.
    assert!(after.resident < before.resident + (48 << 20), "{before:?}, {after:?}");
}
