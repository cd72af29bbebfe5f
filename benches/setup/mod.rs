//! What benchmarks of programs have in common: a device, data and accesses.

use std::sync::Arc;

use genesis_repl::device::{Device, Interrupt, RandomKind, Storage, View};
use genesis_repl::dtype::DType;
use genesis_repl::ir::Access;
use genesis_repl::layout::Layout;
use genesis_repl::memory::{AllocatorConfig, Provenance};

pub fn device() -> Device {
    Device::cpu(AllocatorConfig::default(), Interrupt::default()).expect("host memory")
}

pub fn room(device: &Device, dtype: DType, n: usize) -> Arc<Storage> {
    device.allocate(dtype, n, Provenance::TEMPORARY).expect("room")
}

/// Normally distributed values.
pub fn noise(device: &Device, n: usize) -> Arc<Storage> {
    let storage = room(device, DType::F32, n);
    let layout = Layout::contiguous([n].into());
    let view = View { storage: &storage, layout: &layout };
    device.backend().random(RandomKind::Normal, 1, 0, view).expect("nobody interrupts");
    storage
}

pub fn strided(strides: &[isize]) -> Access {
    Access { strides: strides.into(), ..Access::default() }
}
