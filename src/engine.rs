//! Tensors, the devices that compute them, and the memory that they live in.

pub use genesis_base::*;

#[cfg(feature = "cuda")]
pub mod codegen;
pub mod memory;

pub mod device;
pub mod replay;

pub mod tensor;
