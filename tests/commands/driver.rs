//! A session, and what it shows as plain text.

use expect_test::Expect;
use genesis_repl::device::Presence;
use genesis_repl::device::cuda::presence;
use genesis_repl::report::{Report, excerpt};
use genesis_repl::session::{Config, Session, Sink};

/// Takes everything down as plain text.
#[derive(Default)]
struct Notes(String);

impl Sink for Notes {
    fn text(&mut self, text: &str) {
        self.0 += text;
    }

    fn report(&mut self, report: &Report) {
        self.0 += &report.to_plain();
        self.0 += "\n";
    }
}

pub struct Driver {
    pub session: Session,
}

impl Driver {
    pub fn cpu() -> Driver {
        Driver::with(Config::default().with_device("cpu").unwrap())
    }

    /// The usual choices on the CPU, or on the device that GENESIS_DEVICE names.
    pub fn choices() -> Config {
        let device = std::env::var("GENESIS_DEVICE").unwrap_or_else(|_| "cpu".into());
        Config::default().with_device(&device).unwrap()
    }

    /// On the first GPU. None where no driver is: `tests/shim` has one for machines without.
    pub fn gpu() -> Option<Driver> {
        if presence() == Presence::Absent {
            return None;
        }
        let mut driver = Driver::with(Config::default().with_device("cuda").unwrap());
        driver.session.settle(&mut Notes::default()).unwrap();
        Some(driver)
    }

    /// On a simulated GPU of 32 MiB, where every byte is known.
    pub fn simulated() -> Driver {
        Driver::with(Config::default().with_simulated("32MiB").unwrap())
    }

    pub fn with(config: Config) -> Driver {
        Driver { session: Session::new(config).unwrap() }
    }

    /// All that a cell shows: what it prints and reports, its value, its error.
    pub fn show(&mut self, text: &str) -> String {
        let mut notes = Notes::default();
        let outcome = self.session.run(text, &mut notes);
        let mut shown = notes.0;
        if let Some(value) = outcome.shown() {
            shown += &self.session.repr(value);
            shown += "\n";
        }
        if let Some(error) = &outcome.error {
            shown += excerpt(error, &outcome.sources).to_plain().trim_end();
            shown += "\n";
        }
        shown
    }

    /// Runs a cell that must succeed.
    #[track_caller]
    pub fn ok(&mut self, text: &str) -> String {
        let mut notes = Notes::default();
        let outcome = self.session.run(text, &mut notes);
        if let Some(error) = outcome.error {
            panic!("{text}\n{}", excerpt(&error, &outcome.sources).to_plain());
        }
        notes.0
    }

    /// Runs a cell that must fail: the kind of its error.
    #[track_caller]
    pub fn fails(&mut self, text: &str) -> String {
        let outcome = self.session.run(text, &mut Notes::default());
        outcome.error.unwrap_or_else(|| panic!("{text} succeeded")).kind.to_string()
    }

    /// Bytes live and reserved on every device together.
    pub fn bytes(&self) -> (usize, usize) {
        let devices = self.session.engine().devices();
        devices.fold((0, 0), |(live, reserved), device| {
            let now = device.allocator().stats().now;
            (live + now.allocated, reserved + now.reserved)
        })
    }
}

/// What a cell shows after `setup`, on a simulated GPU of 32 MiB.
#[track_caller]
pub fn check(setup: &str, cell: &str, expected: Expect) {
    let mut driver = Driver::simulated();
    driver.ok(setup);
    expected.assert_eq(&driver.show(cell));
}
