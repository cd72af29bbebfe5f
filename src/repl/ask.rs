//! A line from standard input, for `input()` and `sys.stdin`.

use std::io::{BufRead, IsTerminal};

use crate::diag::{ErrorKind, Fault};
use crate::session::Interrupt;

/// Reads a line, with its line break where it has one.
///
/// # Errors
/// The input has ended or can't be read; Ctrl-C.
pub fn line(interrupt: &Interrupt) -> Result<String, Fault> {
    let input = std::io::stdin();
    if input.is_terminal() {
        wait(interrupt)?;
    }
    let mut bytes = Vec::new();
    let read = input.lock().read_until(b'\n', &mut bytes);
    match read {
        Ok(0) => {
            let message = "the input ended before `input()` was answered";
            let hint = "each `input()` takes one line of standard input";
            Err(Fault::new(ErrorKind::Eof, message).with_hint(hint))
        }
        Ok(_) => {
            let text = String::from_utf8_lossy(&bytes);
            Ok(text.replace("\r\n", "\n"))
        }
        Err(error) => Err(Fault::new(ErrorKind::Os, format!("can't read the input: {error}"))),
    }
}

/// Waits until a line was typed. Ctrl-C ends the wait, which a blocking read would not notice.
#[cfg(unix)]
fn wait(interrupt: &Interrupt) -> Result<(), Fault> {
    use rustix::event::{PollFd, PollFlags, poll};
    let input = std::io::stdin();
    loop {
        let found = poll(&mut [PollFd::new(&input, PollFlags::IN)], None);
        if interrupt.is_raised() {
            return Err(Fault::new(ErrorKind::KeyboardInterrupt, "interrupted"));
        }
        if found != Err(rustix::io::Errno::INTR) {
            return Ok(());
        }
    }
}

#[cfg(not(unix))]
fn wait(_interrupt: &Interrupt) -> Result<(), Fault> {
    Ok(())
}
