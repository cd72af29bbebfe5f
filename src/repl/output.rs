//! Standard output, piece by piece, so that Ctrl-C ends a long text.

use std::io::{self, Write};

use crate::session::Interrupt;

/// What a pipe takes at once without making the writer wait, if it has room at all.
const PIECE: usize = 4096;

/// Writes all of it; where Ctrl-C comes meanwhile, the rest of a text of several pieces is left out.
///
/// # Errors
/// What writing gave.
pub fn write(bytes: &[u8], interrupt: &Interrupt) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for (at, piece) in bytes.chunks(PIECE).enumerate() {
        let is_long = at > 0 || bytes.len() > PIECE;
        if is_long && !has_room(interrupt) {
            break;
        }
        // The standard library keeps what stands behind the last line break until it is flushed.
        out.write_all(piece)?;
        out.flush()?;
    }
    Ok(())
}

/// Waits until standard output takes more. False after Ctrl-C, which a blocked write would not hear.
#[cfg(unix)]
fn has_room(interrupt: &Interrupt) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let out = io::stdout();
    let patience = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
    while !interrupt.is_raised() {
        match poll(&mut [PollFd::new(&out, PollFlags::OUT)], Some(&patience)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            // What can't be waited for is found out by writing.
            Ok(_) | Err(_) => return true,
        }
    }
    false
}

#[cfg(not(unix))]
fn has_room(interrupt: &Interrupt) -> bool {
    !interrupt.is_raised()
}
