//! Any text may be run: nothing panics, every error points into the text, and a session that is
//! reset holds no memory. A small simulated device keeps wild sizes cheap; a watchdog ends what
//! takes long, as Ctrl-C would.
#![no_main]

use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use genesis_repl::diag::{Source, SourceId};
use genesis_repl::session::{Config, Nobody, Session};
use genesis_repl::syntax::{self, CellItem};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    // Commands may write files.
    let cell = syntax::parse_cell(&Source::new(SourceId(0), "<fuzz>", text));
    let is_command = |item: &CellItem| matches!(item, CellItem::Command { .. });
    if cell.is_ok_and(|cell| cell.items.iter().any(is_command)) {
        return;
    }
    let config = Config { simulate: vec![32 << 20], ..Config::default() };
    let mut session = Session::new(config).expect("a simulated device needs nothing");
    let interrupt = session.interrupt();
    let (done, is_done) = channel::<()>();
    let watchdog = thread::spawn(move || {
        if is_done.recv_timeout(Duration::from_millis(300)).is_err() {
            interrupt.raise();
        }
    });
    let outcome = session.run(text, &mut Nobody);
    drop(done);
    watchdog.join().expect("the watchdog only waits");
    if let Some(error) = &outcome.error {
        let source = outcome.sources.iter().find(|source| source.id == error.span.source);
        let part = source.and_then(|source| source.text.get(error.span.range()));
        assert!(part.is_some(), "{error:?}");
    }
    drop(outcome);
    session.reset();
    for device in session.engine().devices() {
        assert_eq!(device.allocator().stats().now.allocated, 0);
    }
});
