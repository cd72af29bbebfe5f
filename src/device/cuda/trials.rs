//! The same operands on a GPU and on the CPU, for the tests of the kernels.

use std::sync::Arc;

use super::Gpus;
use crate::device::cpu::trials::{Array, Sample};
use crate::device::{Device, Interrupt, Storage, View};
use crate::dtype::DType;
use crate::layout::{Layout, Shape};
use crate::memory::{AllocatorConfig, Provenance, SegmentKind};

/// The CPU and the first GPU.
#[derive(Debug)]
pub struct Devices(pub [Device; 2]);

/// The same elements on both devices, and the way through them.
#[derive(Debug)]
pub struct Twin {
    pub storages: [Arc<Storage>; 2],
    pub layout: Layout,
}

/// The usual choices, with the kind of segments that GENESIS_CUDA_SEGMENTS names: the tests run with each.
pub fn config() -> AllocatorConfig {
    let kind = std::env::var("GENESIS_CUDA_SEGMENTS").ok();
    let kind = kind.map(|name| SegmentKind::parse(&name).expect("a kind of segments"));
    AllocatorConfig::default().with_segments(kind.unwrap_or_default())
}

/// Bytes that tell where they stand, and which of several they are.
pub fn pattern(seed: usize, bytes: usize) -> Vec<u8> {
    (0..bytes).map(|at| (at.wrapping_mul(31) ^ (at >> 12) ^ (at >> 20) ^ seed) as u8).collect()
}

/// Memory of a device that holds these bytes.
pub fn uploaded(device: &Device, bytes: &[u8]) -> Arc<Storage> {
    let storage = device.allocate(DType::U8, bytes.len(), Provenance::VARIABLE);
    let storage = storage.expect("the tests are small");
    let copied = device.backend().copy_from_host(bytes, &storage, 0);
    copied.expect("the memory was just allocated");
    storage
}

/// What the memory of a device holds.
pub fn downloaded(storage: &Storage) -> Vec<u8> {
    let mut bytes = vec![0; storage.size_bytes()];
    let copied = storage.device().backend().copy_to_host(storage, 0, &mut bytes);
    copied.expect("the results can be read");
    bytes
}

impl Devices {
    /// None where there is no driver or no GPU.
    ///
    /// # Panics
    /// Where there is one, but it does not work.
    pub fn find() -> Option<Devices> {
        Devices::find_with(config())
    }

    /// With allocators set up in that way.
    pub fn find_with(config: AllocatorConfig) -> Option<Devices> {
        let interrupt = Interrupt::default();
        let gpus = Gpus::new(config.clone(), interrupt.clone());
        if gpus.list().map_or(0, <[_]>::len) == 0 {
            return None;
        }
        let gpu = gpus.open(0).expect("the GPU can be opened")?.clone();
        let cpu = Device::cpu(config, interrupt).expect("the defaults suit host memory");
        Some(Devices([cpu, gpu]))
    }

    pub fn twin<T: Sample>(&self, array: &Array<T>) -> Twin {
        let layout = array.layout.clone();
        let storages = self.storages(T::DTYPE, array.data.len());
        // SAFETY: the elements of a vector, none of which have padding.
        let bytes = unsafe {
            std::slice::from_raw_parts(array.data.as_ptr().cast::<u8>(), size_of_val(&*array.data))
        };
        for storage in &storages {
            let copied = storage.device().backend().copy_from_host(bytes, storage, 0);
            copied.expect("the memory was just allocated");
        }
        Twin { storages, layout }
    }

    /// Memory for results.
    pub fn room(&self, dtype: DType, shape: &Shape) -> Twin {
        let layout = Layout::contiguous(shape.clone());
        Twin { storages: self.storages(dtype, layout.elem_count()), layout }
    }

    fn storages(&self, dtype: DType, len: usize) -> [Arc<Storage>; 2] {
        let allocate = |device: &Device| device.allocate(dtype, len, Provenance::VARIABLE);
        let [cpu, gpu] = &self.0;
        [cpu, gpu].map(|device| allocate(device).expect("the tests are small"))
    }
}

impl Twin {
    /// On the CPU (0) or on the GPU (1).
    pub fn view(&self, device: usize) -> View<'_> {
        View { storage: &self.storages[device], layout: &self.layout }
    }

    /// The storage's elements on one of the devices.
    pub fn values<T: Sample + Default>(&self, device: usize) -> Vec<T> {
        let storage = &self.storages[device];
        let mut values = vec![T::default(); storage.len()];
        // SAFETY: as many bytes as the storage has; a bool is 0 or 1 in every back end.
        let bytes = unsafe {
            let len = size_of_val(&*values);
            std::slice::from_raw_parts_mut(values.as_mut_ptr().cast::<u8>(), len)
        };
        let copied = storage.device().backend().copy_to_host(storage, 0, bytes);
        copied.expect("the results can be read");
        values
    }

    /// Their bits; all NaN have the same.
    pub fn bits<T: Sample + Default>(&self, device: usize) -> Vec<u64> {
        self.values::<T>(device).into_iter().map(T::bits).collect()
    }
}
