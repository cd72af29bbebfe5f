//! Tensors whose elements come from files, and go there, a piece at a time.

use std::ops::Range;
use std::sync::Arc;

use super::leaf::Leaf;
use super::{Engine, Error, Tensor};
use crate::device;
use crate::dtype::DType;
use crate::layout::{Layout, Shape};
use crate::memory::Provenance;

/// Bytes that are handed over at once.
const PIECE: usize = 4 << 20;

/// Where a tensor's elements lie.
#[derive(Debug, Clone)]
pub struct Place {
    /// The same for tensors of one storage.
    pub storage: usize,
    pub layout: Layout,
}

/// Has parts of so many bytes made behind those that were made before, as `Backend::fill_parts` says.
pub type PutParts<'a> =
    dyn FnMut(&[usize], &device::MakePart<'_>) -> Result<(), device::Error> + 'a;

/// Puts bytes behind those that were put before.
pub type Put<'a> = dyn FnMut(&[u8]) -> Result<(), device::Error> + 'a;

impl Engine {
    /// A tensor on the current device, whose memory, dense under `layout`, holds `content`.
    ///
    /// # Errors
    /// Those of reading it; MemoryError, Ctrl-C.
    pub fn filled(
        &self,
        layout: Layout,
        dtype: DType,
        operation: &'static str,
        content: device::Content<'_>,
    ) -> Result<Tensor, Error> {
        let made = self.unfilled(layout, dtype, operation)?;
        if made.storage.size_bytes() > 0 {
            made.storage.device().backend().fill(&made.storage, content)?;
        }
        Ok(Tensor::from_leaf(made))
    }

    /// The same for bytes that come one behind the other: `give` puts them all.
    ///
    /// # Errors
    /// Those of `give`; MemoryError, Ctrl-C.
    pub fn filled_in_turn<E: From<Error>>(
        &self,
        layout: Layout,
        dtype: DType,
        operation: &'static str,
        give: impl FnOnce(&mut Put<'_>) -> Result<(), E>,
    ) -> Result<Tensor, E> {
        let made = self.unfilled(layout, dtype, operation)?;
        let mut start = 0;
        give(&mut |bytes| {
            self.interrupt().heed()?;
            made.storage.device().backend().copy_from_host(bytes, &made.storage, start)?;
            start += bytes.len();
            Ok(())
        })?;
        debug_assert_eq!(start, made.storage.size_bytes());
        Ok(Tensor::from_leaf(made))
    }

    /// The same for bytes that all threads make in parts, each in its place.
    ///
    /// # Errors
    /// Those of `give`; MemoryError, Ctrl-C.
    pub fn filled_in_parts<E: From<Error>>(
        &self,
        layout: Layout,
        dtype: DType,
        operation: &'static str,
        give: impl FnOnce(&mut PutParts<'_>) -> Result<(), E>,
    ) -> Result<Tensor, E> {
        let made = self.unfilled(layout, dtype, operation)?;
        let mut start = 0;
        give(&mut |lengths, make| {
            self.interrupt().heed()?;
            let parts = device::Parts { start, lengths, make };
            made.storage.device().backend().fill_parts(&made.storage, parts)?;
            start += lengths.iter().sum::<usize>();
            Ok(())
        })?;
        debug_assert_eq!(start, made.storage.size_bytes());
        Ok(Tensor::from_leaf(made))
    }

    fn unfilled(&self, layout: Layout, dtype: DType, by: &'static str) -> Result<Leaf, Error> {
        let (device, provenance) = (self.device(), Provenance::TEMPORARY.by(by));
        let storage = self.allocate(&device, dtype, layout.elem_count(), provenance)?;
        Ok(Leaf { storage, layout, dtype })
    }

    /// Shows the bytes of a tensor's elements in row-major order, a piece at a time.
    ///
    /// # Errors
    /// Those of `take`; what computing the tensor brings up; Ctrl-C.
    pub fn pieces<E: From<Error>>(
        &self,
        x: &Tensor,
        mut take: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let leaf = self.contiguous_leaf(x)?;
        let size = x.size_bytes();
        // A view of nothing may begin anywhere.
        let start = if size == 0 { 0 } else { leaf.layout.offset * leaf.dtype.size() };
        // What takes them runs no statement, so that nothing is written to them here.
        if let Some(bytes) = leaf.storage.device().backend().host_bytes(&leaf.storage, start, size)
        {
            for piece in bytes.chunks(PIECE) {
                self.interrupt().heed().map_err(Error::from)?;
                take(piece)?;
                self.under_way().add(piece.len() as u64);
            }
            return Ok(());
        }
        let mut piece = vec![0; PIECE.min(size)];
        for at in (0..size).step_by(PIECE) {
            self.interrupt().heed().map_err(Error::from)?;
            let bytes = &mut piece[..PIECE.min(size - at)];
            let backend = leaf.storage.device().backend();
            backend.copy_to_host(&leaf.storage, start + at, bytes).map_err(Error::from)?;
            take(bytes)?;
            self.under_way().add(bytes.len() as u64);
        }
        Ok(())
    }

    /// Where a tensor's elements lie.
    ///
    /// # Errors
    /// What computing the tensor brings up.
    pub fn place(&self, x: &Tensor) -> Result<Place, Error> {
        let leaf = self.leaf_of(x)?;
        Ok(Place { storage: Arc::as_ptr(&leaf.storage).addr(), layout: leaf.layout })
    }

    /// A range of the elements of the memory behind a tensor, as [`Engine::place`] counts them.
    ///
    /// # Errors
    /// What computing the tensor brings up.
    pub fn span(&self, x: &Tensor, range: Range<usize>) -> Result<Tensor, Error> {
        let leaf = self.leaf_of(x)?;
        let layout = Layout::contiguous(Shape::from([range.len()]));
        Ok(Tensor::from_leaf(leaf.with(Layout { offset: range.start, ..layout })))
    }

    /// Whether the elements lie in memory by columns, and by rows only if that is the same.
    ///
    /// # Errors
    /// What computing the tensor brings up.
    pub fn lies_by_columns(&self, x: &Tensor) -> Result<bool, Error> {
        let layout = self.leaf_of(x)?.layout;
        let axes: Vec<usize> = (0..layout.rank()).rev().collect();
        Ok(!layout.is_contiguous() && layout.permute(&axes).is_contiguous())
    }
}
