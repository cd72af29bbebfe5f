//! A terminal that gives single keys, for views that are live until one is pressed.

use std::io::IsTerminal;
use std::time::Duration;

/// What a terminal gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    Nothing,
    Bytes(Vec<u8>),
    /// Nothing will come any more.
    End,
}

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
        use rustix::termios::LocalModes;
        Keys::with(|raw| raw.local_modes &= !LocalModes::ISIG)
    }

    /// The same where Ctrl-C is still a signal, which stops what runs; Ctrl-Z and others are keys.
    #[cfg(unix)]
    pub fn with_interrupts() -> Option<Keys> {
        use rustix::termios::{InputModes, LocalModes, SpecialCodeIndex};
        Keys::with(|raw| {
            // Zero is the code of no key.
            raw.special_codes[SpecialCodeIndex::VSUSP] = 0;
            raw.special_codes[SpecialCodeIndex::VQUIT] = 0;
            raw.local_modes &= !LocalModes::IEXTEN;
            raw.input_modes &= !(InputModes::ICRNL | InputModes::IXON);
        })
    }

    #[cfg(unix)]
    fn with(change: impl FnOnce(&mut rustix::termios::Termios)) -> Option<Keys> {
        use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
        let input = std::io::stdin();
        if !input.is_terminal() || !std::io::stdout().is_terminal() {
            return None;
        }
        let before = tcgetattr(&input).ok()?;
        let mut raw = before.clone();
        raw.local_modes &= !(LocalModes::ICANON | LocalModes::ECHO);
        change(&mut raw);
        tcsetattr(&input, OptionalActions::Now, &raw).ok()?;
        Some(Keys { before })
    }

    #[cfg(not(unix))]
    pub fn with_interrupts() -> Option<Keys> {
        Keys::new()
    }

    /// Without the system's call for single keys there is no live view.
    #[cfg(not(unix))]
    pub fn new() -> Option<Keys> {
        let _ = std::io::stdin().is_terminal();
        None
    }

    /// Waits for a key and takes it; false if none came in time.
    pub fn wait(&self, limit: Duration) -> bool {
        !matches!(self.read(limit), Heard::Nothing)
    }

    /// The bytes of keys; nothing if none came in time, or a signal did.
    #[cfg(unix)]
    pub fn read(&self, limit: Duration) -> Heard {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let input = std::io::stdin();
        let mut asked = [PollFd::new(&input, PollFlags::IN)];
        let limit = Timespec { tv_sec: limit.as_secs() as _, tv_nsec: limit.subsec_nanos() as _ };
        match poll(&mut asked, Some(&limit)) {
            Ok(0) => Heard::Nothing,
            Ok(_) => {
                // One read takes the bytes of an arrow key together.
                let mut bytes = [0u8; 256];
                match rustix::io::read(&input, &mut bytes) {
                    Ok(0) => Heard::End,
                    Ok(count) => Heard::Bytes(bytes[..count].to_vec()),
                    Err(rustix::io::Errno::INTR) => Heard::Nothing,
                    Err(_) => Heard::End,
                }
            }
            // A signal, a resized window for one, is no key.
            Err(rustix::io::Errno::INTR) => Heard::Nothing,
            Err(_) => Heard::End,
        }
    }

    #[cfg(not(unix))]
    pub fn read(&self, _limit: Duration) -> Heard {
        Heard::End
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
