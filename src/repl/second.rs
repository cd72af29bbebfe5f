//! The terminal's second screen, on which a view may draw: whatever ends it, the first one is as it was.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::SIGTERM;

use super::keys::Keys;

/// The second screen, without a cursor and without lines that wrap; and back.
const ENTER: &str = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l";
const LEAVE: &str = "\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l";

/// Sees to it that the first screen comes back where the program is ended or panics. There is one as long as the
/// program runs, because nothing takes a signal's handler away again.
#[derive(Debug)]
pub struct Warden {
    is_on: Arc<AtomicBool>,
    /// The contrary: a signal then does what it always does.
    is_off: Arc<AtomicBool>,
    /// The program was told to end while the second screen was on.
    is_ended: Arc<AtomicBool>,
}

impl Warden {
    /// `interrupt` stops what runs when the program is told to end.
    ///
    /// # Errors
    /// A signal that can't be caught.
    pub fn new(interrupt: Arc<AtomicBool>) -> io::Result<Warden> {
        let warden = Warden {
            is_on: Arc::default(),
            is_off: Arc::new(AtomicBool::new(true)),
            is_ended: Arc::default(),
        };
        signal_hook::flag::register_conditional_default(SIGTERM, warden.is_off.clone())?;
        signal_hook::flag::register(SIGTERM, warden.is_ended.clone())?;
        signal_hook::flag::register(SIGTERM, interrupt)?;
        // A message on the second screen would go with it.
        let (is_on, before) = (warden.is_on.clone(), std::panic::take_hook());
        std::panic::set_hook(Box::new(move |panic| {
            leave(&is_on);
            before(panic);
        }));
        Ok(warden)
    }

    fn turn(&self, is_on: bool) -> io::Result<()> {
        self.is_off.store(!is_on, Ordering::SeqCst);
        match is_on {
            true => {
                self.is_on.store(true, Ordering::SeqCst);
                write(ENTER)
            }
            false => {
                leave(&self.is_on);
                Ok(())
            }
        }
    }
}

fn leave(is_on: &AtomicBool) {
    if is_on.swap(false, Ordering::SeqCst) {
        // A terminal that has gone needs no restoring.
        let _ = write(LEAVE);
    }
}

/// # Errors
/// The terminal has gone.
pub fn write(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// The second screen and single keys, while this lives.
#[derive(Debug)]
pub struct Second<'a> {
    warden: &'a Warden,
    keys: Option<Keys>,
}

impl<'a> Second<'a> {
    /// `None` where standard input or output is no terminal.
    pub fn enter(warden: &'a Warden) -> Option<Second<'a>> {
        let keys = Keys::with_interrupts()?;
        // From here on leaving it takes back what entering it did so far.
        let second = Second { warden, keys: Some(keys) };
        second.warden.turn(true).ok()?;
        Some(second)
    }

    pub fn keys(&self) -> Option<&Keys> {
        self.keys.as_ref()
    }

    /// Ends the program if it was told to.
    pub fn heed_end(&mut self) {
        if self.warden.is_ended.load(Ordering::SeqCst) {
            self.give_back();
            // It ends the program, and only comes back for signals that it does not know.
            let _ = signal_hook::low_level::emulate_default_handler(SIGTERM);
        }
    }

    /// Lets the shell go on until it brings the program back. False where that can't be.
    #[cfg(unix)]
    pub fn suspend(&mut self) -> bool {
        self.give_back();
        // As the terminal does for Ctrl-Z: whoever waits for this program stops, too.
        let _ = rustix::process::kill_current_process_group(rustix::process::Signal::TSTP);
        self.keys = Keys::with_interrupts();
        self.keys.is_some() && self.warden.turn(true).is_ok()
    }

    #[cfg(not(unix))]
    pub fn suspend(&mut self) -> bool {
        true
    }

    fn give_back(&mut self) {
        let _ = self.warden.turn(false);
        self.keys = None;
    }
}

impl Drop for Second<'_> {
    fn drop(&mut self) {
        self.give_back();
    }
}
