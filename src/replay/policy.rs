//! What can be put in the place of the allocator that a trace was recorded with: one table.

use super::driver::Driver;
use super::own::Own;
use super::pages::Paged;
use super::pool::DriverPool;
use super::pytorch::{PyTorch, Settings};
use super::trace::{Segment, Site};
use crate::diag::{Fault, did_you_mean};
use crate::memory::{Mode, SegmentKind};

/// An allocator, simulated: it has addresses and no memory.
pub trait Policy {
    /// Serves a request; false when nothing helped.
    fn allocate(&mut self, id: u32, bytes: u64, stream: u32) -> bool;

    /// Takes a block back that was handed out.
    fn free(&mut self, id: u32);

    fn figures(&self) -> Figures;

    /// Its segments, with who asked for each block.
    fn layout(&self, site: &dyn Fn(u32) -> Site) -> Vec<Segment>;
}

/// Bytes and counts of an allocator at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Figures {
    /// In blocks that are held.
    pub live: u64,
    /// Held from the driver.
    pub reserved: u64,
    /// Calls of the driver that got memory or gave it back.
    pub calls: u64,
    /// Requests that were served only after the driver had refused once.
    pub retries: u64,
}

/// A row of the table.
#[derive(Debug)]
pub struct Kind {
    pub name: &'static str,
    pub summary: &'static str,
    make: fn(Driver, &Settings) -> Box<dyn Policy>,
}

/// Every policy, in the order in which they are shown.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "pytorch",
        summary: "PyTorch's CUDACachingAllocator; `pytorch=expandable_segments:True,…` with settings",
        make: |driver, settings| Box::new(PyTorch::new(driver, *settings)),
    },
    Kind {
        name: "auto",
        summary: "the caching allocator of genesis-repl: segments of pages, gathered when memory is short",
        make: |driver, _| Box::new(Own::new(driver, Mode::Caching, SegmentKind::Auto)),
    },
    Kind {
        name: "best-fit",
        summary: "the same over plain segments, which stay as they are",
        make: |driver, _| Box::new(Own::new(driver, Mode::Caching, SegmentKind::Plain)),
    },
    Kind {
        name: "paged",
        summary: "pages of 2 MiB that are mapped together: free ones of several places serve one request",
        make: |driver, _| Box::new(Paged::new(driver)),
    },
    Kind {
        name: "async",
        summary: "a pool such as the driver's of `cudaMallocAsync`, which keeps what is freed",
        make: |driver, _| Box::new(DriverPool::new(driver)),
    },
    Kind {
        name: "direct",
        summary: "every request goes to the driver, and every block back",
        make: |driver, _| Box::new(Own::new(driver, Mode::Direct, SegmentKind::Plain)),
    },
];

/// A policy with its settings.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    pub kind: &'static Kind,
    pub settings: Settings,
}

impl Choice {
    /// A policy from `NAME` or `pytorch=SETTINGS`.
    ///
    /// # Errors
    /// ValueError that names the policies, or the settings.
    pub fn parse(text: &str) -> Result<Choice, Fault> {
        let (name, settings) = match text.split_once('=') {
            Some((name, settings)) => (name.trim(), Some(settings)),
            None => (text.trim(), None),
        };
        let Some(kind) = KINDS.iter().find(|kind| kind.name == name) else {
            let names = KINDS.iter().map(|kind| kind.name);
            let all = names.clone().collect::<Vec<_>>().join("`, `");
            let fault = Fault::value_error(format!("expected a policy (`{all}`), found `{name}`"));
            return Err(match did_you_mean(name, names) {
                Some(near) => fault.with_hint(format!("did you mean `{near}`?")),
                None => fault,
            });
        };
        let settings = match settings {
            None => Settings::default(),
            Some(text) if kind.name == "pytorch" => Settings::parse(text)?,
            Some(_) => {
                let message = format!("expected `{name}` alone: only `pytorch` has settings");
                return Err(Fault::value_error(message));
            }
        };
        Ok(Choice { kind, settings })
    }

    /// The policy of that name, which is in the table.
    pub fn named(name: &str) -> Choice {
        let kind = KINDS.iter().find(|kind| kind.name == name).unwrap_or(&KINDS[0]);
        Choice { kind, settings: Settings::default() }
    }

    pub fn with(mut self, settings: Settings) -> Choice {
        self.settings = settings;
        self
    }

    /// What it is called in tables.
    pub fn label(&self) -> String {
        match self.settings.to_string() {
            settings if settings.is_empty() || self.kind.name != "pytorch" => {
                self.kind.name.to_owned()
            }
            settings => format!("{} {settings}", self.kind.name),
        }
    }

    /// One that has served nobody, on a device that has `limit` bytes; none for as much as is wanted.
    pub fn open(&self, limit: Option<u64>) -> Box<dyn Policy> {
        (self.kind.make)(Driver::new(limit), &self.settings)
    }
}
