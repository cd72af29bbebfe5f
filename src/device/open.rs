//! The devices that this machine can offer.

use super::cpu::CpuBackend;
use super::{Device, DeviceId, Interrupt};
use crate::memory::{Allocator, AllocatorConfig, ConfigError, HostUpstream, SimUpstream};

impl Device {
    /// The processor of this machine and its memory.
    ///
    /// # Errors
    /// The allocator's configuration does not suit host memory.
    pub fn cpu(config: AllocatorConfig, interrupt: Interrupt) -> Result<Device, ConfigError> {
        let allocator = Allocator::new(Box::new(HostUpstream::new()), config)?;
        let backend = Box::new(CpuBackend::new(interrupt));
        Ok(Device::new(DeviceId::Cpu, "host memory".to_string(), allocator, backend))
    }

    /// A pretended GPU with `capacity` bytes of memory: it computes on the processor, and its
    /// allocator runs out as a real one does.
    ///
    /// # Errors
    /// The allocator's configuration does not suit it.
    pub fn simulated(
        ordinal: u16,
        capacity: usize,
        config: AllocatorConfig,
        interrupt: Interrupt,
    ) -> Result<Device, ConfigError> {
        let id = DeviceId::Cuda(ordinal);
        let upstream = SimUpstream::new(&id.to_string(), capacity);
        let allocator = Allocator::new(Box::new(upstream), config)?;
        let backend = Box::new(CpuBackend::new(interrupt));
        Ok(Device::new(id, "simulated GPU".to_string(), allocator, backend))
    }
}
