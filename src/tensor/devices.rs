//! The devices of an engine: some are there from the start, GPUs come when they are needed.

use std::sync::Arc;

use super::{Device, DeviceId, Engine, Error};
use crate::device;
use crate::device::cuda::Gpus;
use crate::diag::ErrorKind;
use crate::memory::StatementId;

/// What holds for all devices, also for those that open later.
#[derive(Debug, Default)]
pub(super) struct Standing {
    statement: Option<(StatementId, Arc<str>)>,
    profiling: bool,
}

impl Engine {
    /// The same engine with the GPUs of this machine.
    pub fn with_gpus(self, gpus: Gpus) -> Engine {
        Engine { gpus, ..self }
    }

    /// Takes in a device that comes later, such as a simulated one.
    pub fn add_device(&mut self, device: Device) {
        self.welcome(&device);
        self.devices.push(device);
    }

    /// The name of the next GPU that is not there yet.
    pub fn free_ordinal(&self) -> u16 {
        let taken = |ordinal: u16| self.devices().any(|d| d.id() == DeviceId::Cuda(ordinal));
        let real = self.gpus.list().map_or(0, <[_]>::len) as u16;
        (real..u16::MAX).find(|ordinal| !taken(*ordinal)).unwrap_or(u16::MAX)
    }

    /// The devices that are open. Waits for nothing.
    pub fn devices(&self) -> impl Iterator<Item = &Device> + Clone {
        self.devices.iter().chain(self.gpus.opened())
    }

    /// Whether tensors may lie on more than one.
    pub fn has_several_devices(&self) -> bool {
        self.devices().nth(1).is_some()
    }

    /// The GPUs of this machine, open or not.
    pub fn gpus(&self) -> &Gpus {
        &self.gpus
    }

    /// The device that an id names; a GPU is opened if it is not.
    ///
    /// # Errors
    /// RuntimeError that says what there is instead, and why; KeyboardInterrupt.
    pub fn find_device(&self, id: DeviceId) -> Result<Device, Error> {
        if let Some(device) = self.devices().find(|device| device.id() == id) {
            return Ok(device.clone());
        }
        let DeviceId::Cuda(ordinal) = id else { return Err(self.no_device(id)) };
        match self.gpus.open(ordinal) {
            Ok(Some(device)) => {
                self.welcome(device);
                Ok(device.clone())
            }
            Err(device::Error::Interrupted) => Err(device::Error::Interrupted.into()),
            Err(reason) if self.gpus.absence().is_none() => {
                let message = format!("`{id}` can't be used: {reason}");
                Err(Error::new(ErrorKind::Runtime, message))
            }
            Ok(None) | Err(_) => Err(self.no_device(id)),
        }
    }

    /// Names the statement that everything allocated from here on belongs to.
    pub fn set_statement(&self, id: StatementId, text: &Arc<str>) {
        self.maker.take();
        for device in self.devices() {
            device.allocator().set_statement(id, text.clone());
        }
        self.standing.borrow_mut().statement = Some((id, text.clone()));
    }

    /// Nothing runs from here on, so time goes to no statement.
    pub fn rest(&self) {
        self.devices().for_each(|device| device.allocator().rest());
    }

    /// Whether GPUs time their kernels.
    pub fn profiling(&self) -> bool {
        self.standing.borrow().profiling
    }

    pub fn set_profiling(&self, on: bool) {
        self.standing.borrow_mut().profiling = on;
        for gpu in self.devices().filter_map(|device| device.backend().cuda()) {
            gpu.set_profiling(on);
        }
    }

    /// Lets a device that has just opened follow what holds for all.
    fn welcome(&self, device: &Device) {
        let standing = self.standing.borrow();
        if let Some((id, text)) = &standing.statement {
            device.allocator().set_statement(*id, text.clone());
        }
        if let Some(gpu) = device.backend().cuda() {
            gpu.set_profiling(standing.profiling);
        }
    }

    #[cold]
    fn no_device(&self, id: DeviceId) -> Error {
        let gpus = self.gpus.list().map_or(0, <[_]>::len) as u16;
        let ids = self.devices.iter().map(Device::id).chain((0..gpus).map(DeviceId::Cuda));
        let names: Vec<String> = ids.map(|id| format!("`{id}`")).collect();
        let mut error = Error::new(ErrorKind::Runtime, format!("there is no device `{id}`"));
        if let Some(reason) = self.gpus.absence() {
            error = error.with_hint(reason);
        }
        let error = error.with_hint(format!("the devices here are {}", names.join(", ")));
        match gpus {
            0 => error.with_hint("`:device simulate 8GiB` simulates a GPU, `2x8GiB` two"),
            _ => error,
        }
    }
}
