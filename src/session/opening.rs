//! The device of a session: chosen at the start, and opened behind the prompt where that takes
//! long.

use std::cell::Cell;

use super::{Config, Session, Sink};
use crate::device::Presence;
use crate::device::cuda::presence;
use crate::diag::{At, ErrorKind, Fault, SourceResult, Span};
use crate::memory::Mode;
use crate::report::Markup;
use crate::tensor::DeviceId;

/// A GPU that new tensors go to as soon as it is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Awaited {
    pub id: DeviceId,
    /// Whether the user asked for it: nothing runs elsewhere in its place then.
    is_explicit: bool,
    /// What it calls itself, if that is known already.
    model: Option<String>,
    /// Whether the banner has named it.
    is_announced: Cell<bool>,
}

impl Config {
    /// The GPU to wait for, if there is one.
    pub(super) fn awaited(&self) -> Option<Awaited> {
        if !self.simulate.is_empty() || self.device == Some(DeviceId::Cpu) {
            return None;
        }
        let model = match (presence(), self.device) {
            (Presence::Likely { model }, _) => model,
            (Presence::Absent, Some(_)) => None,
            (Presence::Absent, None) => return None,
        };
        let id = self.device.unwrap_or(DeviceId::Cuda(0));
        let is_explicit = self.device.is_some();
        Some(Awaited { id, is_explicit, model, is_announced: Cell::new(false) })
    }

    /// The mode of a device's allocator. Host memory has no stream-ordered pool, so beside a device
    /// that may have one it caches.
    pub(super) fn mode_of(&self, id: DeviceId) -> Mode {
        let is_beside_gpu = || !self.simulate.is_empty() || presence() != Presence::Absent;
        match self.allocator.mode {
            Mode::Async if id == DeviceId::Cpu && is_beside_gpu() => Mode::Caching,
            mode => mode,
        }
    }
}

impl Session {
    /// Begins to open the GPU that the session waits for.
    pub(super) fn begin_opening(&self) -> Result<(), Fault> {
        if let Some(Awaited { id: DeviceId::Cuda(ordinal), is_explicit, .. }) = &self.awaited {
            if *is_explicit && presence() == Presence::Absent {
                // There is nothing to wait for: the reason is known at once.
                self.engine().find_device(DeviceId::Cuda(*ordinal))?;
            }
            let gpus = self.engine().gpus();
            if self.config.warm_up {
                gpus.when_open(self.warm_up.starter());
            }
            gpus.begin(*ordinal);
        }
        Ok(())
    }

    /// Waits until the device of the session's choice is open, and moves new tensors to it. Where
    /// the session chose it by itself and it does not open, a notice says why they stay on the CPU.
    ///
    /// # Errors
    /// The device that the user asked for does not open; Ctrl-C. The session goes on waiting for it.
    pub fn settle(&mut self, sink: &mut dyn Sink) -> Result<(), Fault> {
        let Some(awaited) = &self.awaited else { return Ok(()) };
        match self.engine().find_device(awaited.id).map_err(Fault::from) {
            Ok(device) => self.engine().set_device(device),
            Err(fault) if fault.kind == ErrorKind::KeyboardInterrupt => return Err(fault),
            Err(fault) if awaited.is_explicit => return Err(fault),
            // A driver without a GPU needs no words, unless one was promised.
            Err(_) if !awaited.is_announced.get() && self.engine().gpus().is_none() => {}
            Err(fault) => sink.notice(&staying(&fault)),
        }
        self.awaited = None;
        Ok(())
    }

    /// [`Session::settle`] for the statement or the command at `place`.
    pub(super) fn settle_for(&mut self, place: Span, sink: &mut dyn Sink) -> SourceResult<()> {
        let settled = self.settle(sink);
        settled.map_err(|fault| fault.with_hint("`:device cpu` goes on without it")).at(place)
    }

    /// The line under which the first prompt stands.
    pub fn banner(&self) -> Markup {
        let device = self.engine().device();
        if let Some(awaited) = &self.awaited {
            awaited.is_announced.set(true);
        }
        let (id, name) = match &self.awaited {
            Some(Awaited { id, model: Some(model), .. }) => (*id, model.clone()),
            Some(Awaited { id, .. }) => (*id, "opening …".to_string()),
            None => (device.id(), device.name().to_string()),
        };
        Markup::new()
            .heading("genesis-repl")
            .plain(concat!(" ", env!("CARGO_PKG_VERSION")))
            .dim(format!(" · {id} · {name}"))
            .dim(" · ")
            .command(":help")
    }
}

/// Why a session that could have a GPU stays on the CPU.
fn staying(fault: &Fault) -> Markup {
    let reason = match fault.hints.first() {
        Some(hint) => format!("{}: {hint}", fault.message),
        None => fault.message.clone(),
    };
    Markup::new().warn("tensors stay on the CPU").plain(format!(": {reason}"))
}
