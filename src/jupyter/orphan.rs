//! A kernel whose front end has died ends, too.

use std::time::Duration;

/// From one look to the next.
const PERIOD: Duration = Duration::from_millis(500);

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
        eprintln!("genesis-repl: process {parent:?}, which started this kernel, has ended");
        std::process::exit(1);
    };
    super::wire::thread("orphan", watch);
}

/// Without parents' numbers there is nothing to watch.
#[cfg(not(unix))]
pub fn watch() {
    let _ = PERIOD;
}
