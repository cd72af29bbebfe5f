//! A kernel whose front end has died ends, too.

use std::time::Duration;

/// From one look to the next.
const PERIOD: Duration = Duration::from_millis(500);

/// How long the end may take in good order: what runs at a process' exit may wait for a lock, or for
/// a device.
const PATIENCE: Duration = Duration::from_secs(2);

/// Ends this process when the one that started it has gone. Jupyter names that in JPY_PARENT_PID;
/// without it, a kernel started by hand lives on.
#[cfg(unix)]
pub fn watch() {
    use rustix::process::{Pid, getppid, test_kill_process};
    let named = std::env::var("JPY_PARENT_PID").ok().and_then(|text| text.trim().parse().ok());
    let Some(parent) = named.and_then(Pid::from_raw) else { return };
    let mine = getppid();
    let is_orphan = move || {
        // The number of a dead parent may be given to another process, but nobody else becomes
        // this one's parent while it lives.
        let is_adopted = mine == Some(parent) && getppid() != mine;
        is_adopted || test_kill_process(parent) == Err(rustix::io::Errno::SRCH)
    };
    let watch = move || {
        while !is_orphan() {
            std::thread::sleep(PERIOD);
        }
        end(parent);
    };
    super::wire::thread("orphan", watch);
}

/// Nothing may hold the end up: not a farewell that nobody reads (a full pipe takes no line), not
/// what runs at exit.
#[cfg(unix)]
fn end(parent: rustix::process::Pid) {
    use rustix::process::{Signal, getpid, kill_process};
    let beside = |name: &str, work: Box<dyn FnOnce() + Send>| {
        std::thread::Builder::new().name(name.to_string()).spawn(work)
    };
    let farewell = format!("process {parent:?}, which started this kernel, has ended");
    let _ = beside("farewell", Box::new(move || super::log::complain(format_args!("{farewell}"))));
    std::thread::sleep(PERIOD / 10);
    let _ = beside("exit", Box::new(|| std::process::exit(1)));
    std::thread::sleep(PATIENCE);
    let _ = kill_process(getpid(), Signal::KILL);
}

/// Without parents' numbers there is nothing to watch.
#[cfg(not(unix))]
pub fn watch() {
    let _ = (PERIOD, PATIENCE);
}
