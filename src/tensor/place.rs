//! On which device tensors lie, and on which of its streams they are computed.

use super::leaf::Leaf;
use super::node::Lazy;
use super::{Device, Engine, Error, StreamId, Tensor};
use crate::device::{Backend, transfer};
use crate::layout::Layout;
use crate::memory::Provenance;

impl Engine {
    /// The tensor on another device; itself if it is there.
    ///
    /// # Errors
    /// What computing it may bring up; MemoryError.
    pub fn to_device(&self, tensor: &Tensor, device: &Device) -> Result<Tensor, Error> {
        if tensor.device() == device {
            return Ok(tensor.clone());
        }
        let (shape, dtype) = (tensor.shape().clone(), tensor.dtype());
        if let Some(Lazy::Const(value)) = tensor.lazy() {
            return Ok(self.constant_on(device.clone(), shape, value, dtype));
        }
        let leaf = self.contiguous_leaf(tensor)?;
        let storage =
            self.allocate(device, dtype, tensor.elem_count(), Provenance::TEMPORARY.by("to"))?;
        let start = leaf.layout.offset * dtype.size();
        transfer((&leaf.storage, start), (&storage, 0), tensor.size_bytes())?;
        Ok(Tensor::from_leaf(Leaf { storage, layout: Layout::contiguous(shape), dtype }))
    }

    /// Does `work` with what the device is given meanwhile, and the memory for it, on a stream of
    /// its own. What the work uses of other streams is waited for there, and the other way round.
    /// Lazy tensors belong to the stream on which they are computed.
    ///
    /// # Errors
    /// The device has no such stream and can't make one.
    pub fn with_stream<T>(
        &self,
        device: &Device,
        stream: StreamId,
        work: impl FnOnce() -> T,
    ) -> Result<T, Error> {
        let backend = device.backend();
        let _back = Back { backend, stream: backend.stream() };
        backend.set_stream(stream)?;
        Ok(work())
    }
}

/// Goes back to a stream, also when the work panics.
struct Back<'a> {
    backend: &'a dyn Backend,
    stream: StreamId,
}

impl Drop for Back<'_> {
    fn drop(&mut self) {
        let back = self.backend.set_stream(self.stream);
        debug_assert!(back.is_ok(), "the stream was there before: {back:?}");
    }
}
