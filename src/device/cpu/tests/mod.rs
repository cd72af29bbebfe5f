//! The executor against the reference evaluator: operations, layouts, spaces, threads and vector
//! instructions.

mod again;
mod chains;
mod edges;
mod few;
mod folds;
mod goldens;
mod launches;
mod lines;
mod math;
mod operations;
pub mod random_programs;
mod side_by_side;
mod summed_rows;
mod whole_lines;
mod windows;

use std::sync::Arc;

use super::{CpuBackend, Level};
use crate::device::{Device, Interrupt, Storage};
use crate::dtype::{DType, F8E4M3, F8E5M2, Scalar};
use crate::ir::{Access, Space};
use crate::memory::{AllocatorConfig, Provenance};

pub fn device() -> Device {
    Device::cpu(AllocatorConfig::default(), Interrupt::default()).unwrap()
}

/// What `work` gives in a pool of so many threads.
pub fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

pub fn storage(device: &Device, dtype: DType, values: &[Scalar]) -> Arc<Storage> {
    let storage = device.allocate(dtype, values.len(), Provenance::TEMPORARY).unwrap();
    let mut bytes = Vec::with_capacity(values.len() * dtype.size());
    values.iter().for_each(|value| encode(*value, dtype, &mut bytes));
    device.backend().copy_from_host(&bytes, &storage, 0).unwrap();
    storage
}

pub fn bytes(storage: &Storage) -> Vec<u8> {
    let mut bytes = vec![0; storage.size_bytes()];
    storage.device().backend().copy_to_host(storage, 0, &mut bytes).unwrap();
    bytes
}

fn encode(value: Scalar, dtype: DType, to: &mut Vec<u8>) {
    match dtype {
        DType::Bool => to.push(u8::from(value.as_bool())),
        DType::U8 => to.push(value.as_i64() as u8),
        DType::U16 => to.extend((value.as_i64() as u16).to_le_bytes()),
        DType::U32 => to.extend((value.as_i64() as u32).to_le_bytes()),
        DType::U64 => to.extend((value.as_i64() as u64).to_le_bytes()),
        DType::I8 => to.push(value.as_i64() as u8),
        DType::I16 => to.extend((value.as_i64() as i16).to_le_bytes()),
        DType::I32 => to.extend((value.as_i64() as i32).to_le_bytes()),
        DType::I64 => to.extend(value.as_i64().to_le_bytes()),
        DType::F8E4M3 => to.push(F8E4M3::from_f64(value.as_f64()).to_bits()),
        DType::F8E5M2 => to.push(F8E5M2::from_f64(value.as_f64()).to_bits()),
        DType::F16 => to.extend(half::f16::from_f64(value.as_f64()).to_le_bytes()),
        DType::BF16 => to.extend(half::bf16::from_f64(value.as_f64()).to_le_bytes()),
        DType::F32 => to.extend(value.as_f32().to_le_bytes()),
        DType::F64 => to.extend(value.as_f64().to_le_bytes()),
        DType::C64 | DType::C128 => dtype.not_stored(),
    }
}

/// The elements, integers exactly.
pub fn elements(storage: &Storage) -> Vec<Scalar> {
    let element = |b: &[u8]| match storage.dtype() {
        DType::Bool | DType::U8 => Scalar::Int(b[0].into()),
        DType::U16 => Scalar::Int(u16::from_le_bytes([b[0], b[1]]).into()),
        DType::U32 => Scalar::Int(u32::from_le_bytes(b.try_into().unwrap()).into()),
        DType::U64 => Scalar::from_u64(u64::from_le_bytes(b.try_into().unwrap())),
        DType::I8 => Scalar::Int((b[0] as i8).into()),
        DType::I16 => Scalar::Int(i16::from_le_bytes([b[0], b[1]]).into()),
        DType::I32 => Scalar::Int(i32::from_le_bytes(b.try_into().unwrap()).into()),
        DType::I64 => Scalar::Int(i64::from_le_bytes(b.try_into().unwrap())),
        DType::F8E4M3 => Scalar::Float(F8E4M3::from_bits(b[0]).to_f64()),
        DType::F8E5M2 => Scalar::Float(F8E5M2::from_bits(b[0]).to_f64()),
        DType::F16 => Scalar::Float(half::f16::from_le_bytes([b[0], b[1]]).to_f64()),
        DType::BF16 => Scalar::Float(half::bf16::from_le_bytes([b[0], b[1]]).to_f64()),
        DType::F32 => Scalar::Float(f32::from_le_bytes(b.try_into().unwrap()).into()),
        DType::F64 => Scalar::Float(f64::from_le_bytes(b.try_into().unwrap())),
        complex @ (DType::C64 | DType::C128) => complex.not_stored(),
    };
    bytes(storage).chunks_exact(storage.dtype().size()).map(element).collect()
}

pub fn decode(storage: &Storage) -> Vec<f64> {
    elements(storage).into_iter().map(Scalar::as_f64).collect()
}

/// Whether two elements are equal, or both NaN.
pub fn same(a: Scalar, b: Scalar) -> bool {
    match (a, b) {
        (Scalar::Float(a), Scalar::Float(b)) => a == b || a.is_nan() && b.is_nan(),
        _ => a == b,
    }
}

/// Every level that this machine has.
pub fn backends() -> Vec<CpuBackend> {
    let levels = Level::ALL.into_iter().filter(|level| level.is_available());
    levels.map(|level| CpuBackend::with_level(Interrupt::default(), level)).collect()
}

pub fn dense(space: &Space) -> Access {
    let mut strides = vec![0isize; space.dims.len()];
    let mut next = 1;
    for axis in (0..space.dims.len()).rev() {
        strides[axis] = next;
        next *= space.dims[axis] as isize;
    }
    Access { strides: strides.as_slice().into(), ..Access::default() }
}

pub fn map_space(dims: &[usize]) -> Space {
    Space { dims: dims.into(), kept: dims.len() }
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
#[derive(Debug)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}
