//! From "is there a GPU?" to devices that can be used.

use std::path::PathBuf;
use std::sync::Arc;

use cudarc::driver::result;

use super::CudaBackend;
use super::context::{Context, driver_error};
use super::library::Dependency;
use super::upstream::CudaUpstream;
use crate::device::{Device, DeviceId, Error, Interrupt};
use crate::memory::{Allocator, AllocatorConfig};

/// What can be said of GPUs without waiting for the driver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Presence {
    /// There is no driver: nothing to wait for.
    Absent,
    /// There is a driver. [`open_all`] says whether it has a GPU.
    Likely,
}

/// Looks whether there is a driver: less than a millisecond.
pub fn presence() -> Presence {
    match Dependency::Driver.open() {
        Ok(_) => Presence::Likely,
        Err(_) => Presence::Absent,
    }
}

/// Where each library was found, or what is missing, in words.
pub fn libraries() -> Vec<(Dependency, Result<PathBuf, String>)> {
    Dependency::ALL.into_iter().map(|dependency| (dependency, dependency.open())).collect()
}

/// GPUs whose contexts were made, not yet devices: those belong to a session.
#[derive(Debug)]
pub struct Opened {
    contexts: Vec<Context>,
}

/// Makes a context on every GPU. Takes some hundred milliseconds, so a front end does it on a thread
/// while the user types.
///
/// # Errors
/// There is no driver, or it fails. A driver without a GPU is no error: there are no contexts then.
pub fn open_all(interrupt: &Interrupt) -> Result<Opened, Error> {
    Dependency::Driver.open().map_err(Error::Driver)?;
    let failed = |error| driver_error("the driver does not start", error);
    match result::init() {
        Err(error) if error.0 == cudarc::driver::sys::CUresult::CUDA_ERROR_NO_DEVICE => {
            return Ok(Opened { contexts: Vec::new() });
        }
        other => other.map_err(failed)?,
    }
    let count = result::device::get_count().map_err(failed)?;
    let open = |ordinal| Context::open(ordinal, interrupt.clone());
    let contexts = (0..count as u16).map(open).collect::<Result<_, _>>()?;
    let opened = Opened { contexts };
    // The compiler is what the first statement needs next.
    if let Some(first) = opened.contexts.first() {
        let _ = first.kernels.compiler();
    }
    Ok(opened)
}

impl Opened {
    pub fn len(&self) -> usize {
        self.contexts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.contexts.is_empty()
    }

    /// A device for each, with an allocator set up as `config` says.
    ///
    /// # Errors
    /// The configuration does not suit the GPU's memory, or the driver fails.
    pub fn into_devices(self, config: &AllocatorConfig) -> Result<Vec<Device>, Error> {
        let device = |context: Context| {
            context.bind()?;
            let context = Arc::new(context);
            let upstream = CudaUpstream::new(context.clone());
            let allocator = Allocator::new(Box::new(upstream), config.clone())
                .map_err(|error| Error::Driver(error.to_string()))?;
            let (id, name) = (DeviceId::Cuda(context.ordinal), context.name.clone());
            Ok(Device::new(id, name, allocator, Box::new(CudaBackend::new(context))))
        };
        self.contexts.into_iter().map(device).collect()
    }
}
