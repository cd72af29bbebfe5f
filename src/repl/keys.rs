//! A terminal that gives single keys, for views that are live until one is pressed.

use std::io::IsTerminal;
use std::time::Duration;

/// Keys come one by one and unseen while this lives.
#[derive(Debug)]
pub struct Keys {
    #[cfg(unix)]
    before: rustix::termios::Termios,
}

impl Keys {
    /// `None` where standard input is no terminal.
    #[cfg(unix)]
    pub fn new() -> Option<Keys> {
        use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
        let input = std::io::stdin();
        if !input.is_terminal() || !std::io::stdout().is_terminal() {
            return None;
        }
        let before = tcgetattr(&input).ok()?;
        let mut raw = before.clone();
        raw.local_modes &= !(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG);
        tcsetattr(&input, OptionalActions::Now, &raw).ok()?;
        Some(Keys { before })
    }

    /// Without the system's call for single keys there is no live view.
    #[cfg(not(unix))]
    pub fn new() -> Option<Keys> {
        let _ = std::io::stdin().is_terminal();
        None
    }

    /// Waits for a key and takes it; false if none came in time.
    #[cfg(unix)]
    pub fn wait(&self, limit: Duration) -> bool {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let input = std::io::stdin();
        let mut asked = [PollFd::new(&input, PollFlags::IN)];
        let limit = Timespec { tv_sec: limit.as_secs() as _, tv_nsec: limit.subsec_nanos() as _ };
        match poll(&mut asked, Some(&limit)) {
            Ok(0) => false,
            Ok(_) => {
                // One read takes the bytes of an arrow key together.
                let mut bytes = [0u8; 32];
                let _ = rustix::io::read(&input, &mut bytes);
                true
            }
            // A signal, a resized window for one, is no key.
            Err(error) => error != rustix::io::Errno::INTR,
        }
    }

    #[cfg(not(unix))]
    pub fn wait(&self, _limit: Duration) -> bool {
        true
    }
}

#[cfg(unix)]
impl Drop for Keys {
    fn drop(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};
        // A terminal that has gone needs no restoring.
        let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, &self.before);
    }
}
