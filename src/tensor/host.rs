//! Elements in host memory: how tensors are made from values and read back.

use super::leaf::Leaf;
use super::node::{Lazy, State};
use super::{Engine, Error, Storage, Tensor};
use crate::dtype::{DType, Scalar, WIDEST};
use crate::ir::MapOp;
use crate::layout::{Layout, Shape};
use crate::memory::Provenance;

/// Elements that are written down between two looks at Ctrl-C.
const PIECE: usize = 1 << 20;

/// Elements in row-major order, as the bytes of their type.
#[derive(Debug, Clone, PartialEq)]
pub struct HostArray {
    pub dtype: DType,
    pub shape: Shape,
    pub bytes: Vec<u8>,
}

impl HostArray {
    /// Values in row-major order, cast to `dtype`. There are as many as `shape` has elements.
    pub fn from_scalars(values: &[Scalar], shape: Shape, dtype: DType) -> HostArray {
        debug_assert_eq!(values.len(), shape.elem_count());
        let mut bytes = Vec::with_capacity(values.len() * dtype.size());
        values.iter().for_each(|value| push(&mut bytes, *value, dtype));
        HostArray { dtype, shape, bytes }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.bytes.len() / self.dtype.size()
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// One element in row-major order.
    pub fn scalar(&self, at: usize) -> Scalar {
        let size = self.dtype.size();
        Scalar::from_bits(&self.bytes[at * size..(at + 1) * size], self.dtype)
    }

    /// The elements in row-major order, one after the other.
    pub fn scalars(&self) -> impl ExactSizeIterator<Item = Scalar> {
        let elements = self.bytes.chunks_exact(self.dtype.size());
        elements.map(|bytes| Scalar::from_bits(bytes, self.dtype))
    }

    /// All elements in row-major order.
    pub fn to_scalars(&self) -> Vec<Scalar> {
        self.scalars().collect()
    }
}

impl Engine {
    /// A tensor with these elements on the current device.
    ///
    /// # Errors
    /// MemoryError.
    pub fn from_host(&self, array: &HostArray) -> Result<Tensor, Error> {
        let device = self.device();
        let storage = self.allocate(&device, array.dtype, array.len(), Provenance::TEMPORARY)?;
        device.backend().copy_from_host(&array.bytes, &storage, 0)?;
        let layout = Layout::contiguous(array.shape.clone());
        Ok(Tensor::from_leaf(Leaf { storage, layout, dtype: array.dtype }))
    }

    /// A tensor on the current device with these values in row-major order.
    ///
    /// # Errors
    /// OverflowError where a number does not fit an integer `dtype`; MemoryError.
    pub fn from_values(
        &self,
        values: &[Scalar],
        shape: &Shape,
        dtype: DType,
    ) -> Result<Tensor, Error> {
        let mut bytes = Vec::with_capacity(values.len() * dtype.size());
        for piece in values.chunks(PIECE) {
            self.interrupt().heed()?;
            for value in piece {
                super::ops::check_fits(*value, dtype)?;
                push(&mut bytes, *value, dtype);
            }
        }
        self.from_host(&HostArray { dtype, shape: shape.clone(), bytes })
    }

    /// All elements, read back.
    ///
    /// # Errors
    /// What computing the tensor may bring up.
    pub fn to_host(&self, tensor: &Tensor) -> Result<HostArray, Error> {
        let mut arrays = self.read(&[tensor])?;
        Ok(arrays.pop().expect("one array for each tensor"))
    }

    /// All elements of several tensors, computed together and read back with one wait.
    ///
    /// # Errors
    /// What computing the tensors may bring up.
    pub fn read(&self, tensors: &[&Tensor]) -> Result<Vec<HostArray>, Error> {
        let is_made = |tensor: &&&Tensor| constant_of(tensor).is_none();
        self.realize(&tensors.iter().filter(is_made).copied().collect::<Vec<_>>())?;
        let mut leaves = Vec::with_capacity(tensors.len());
        let mut arrays = Vec::with_capacity(tensors.len());
        for tensor in tensors {
            self.interrupt().heed()?;
            let (dtype, shape) = (tensor.dtype(), tensor.shape().clone());
            if let Some(value) = constant_of(tensor) {
                let values = vec![value; PIECE.min(shape.elem_count())];
                let piece = HostArray::from_scalars(&values, [values.len()].into(), dtype).bytes;
                let mut bytes = Vec::with_capacity(shape.elem_count() * dtype.size());
                while bytes.len() < bytes.capacity() {
                    self.interrupt().heed()?;
                    bytes.extend_from_slice(
                        &piece[..piece.len().min(bytes.capacity() - bytes.len())],
                    );
                }
                arrays.push(HostArray { dtype, shape, bytes });
                leaves.push(None);
            } else {
                arrays.push(HostArray { dtype, shape, bytes: vec![0; tensor.size_bytes()] });
                leaves.push(Some(self.contiguous_leaf(tensor)?));
            }
        }
        // A view of no elements may begin behind the storage's end.
        let piece = |(leaf, array)| {
            let (leaf, array): (&Option<Leaf>, &mut HostArray) = (leaf, array);
            let leaf = leaf.as_ref().filter(|_| !array.is_empty())?;
            let start = leaf.layout.offset * array.dtype.size();
            Some((&*leaf.storage, start, array.bytes.as_mut_slice()))
        };
        let mut pieces: Vec<Piece<'_>> = leaves.iter().zip(&mut arrays).filter_map(piece).collect();
        while let Some((first, ..)) = pieces.first() {
            let device = first.device();
            let (mut here, rest): (Vec<_>, Vec<_>) =
                pieces.into_iter().partition(|(storage, ..)| storage.device() == device);
            device.backend().copy_all_to_host(&mut here)?;
            pieces = rest;
        }
        Ok(arrays)
    }

    /// The one element of a tensor.
    ///
    /// # Errors
    /// ValueError where it has none or several; what computing it may bring up.
    pub fn item(&self, tensor: &Tensor) -> Result<Scalar, Error> {
        if tensor.elem_count() != 1 {
            return Err(Error::value_error(
                "can only convert an array of size 1 to a Python scalar",
            ));
        }
        let dtype = tensor.dtype();
        if let Some(value) = constant_of(tensor) {
            return Ok(value.held_as(dtype));
        }
        let leaf = match copied(tensor) {
            Some(leaf) => leaf,
            None => self.leaf_of(tensor)?,
        };
        let mut bytes = [0; WIDEST];
        let bytes = &mut bytes[..dtype.size()];
        let start = leaf.layout.offset * dtype.size();
        tensor.device().backend().copy_to_host(&leaf.storage, start, bytes)?;
        Ok(Scalar::from_bits(bytes, dtype))
    }
}

/// Where the elements of a lazy copy are to be had.
fn copied(tensor: &Tensor) -> Option<Leaf> {
    tensor.with_lazy(|lazy| match lazy {
        Lazy::Map { op: MapOp::Cast, operands } if operands[0].dtype() == tensor.dtype() => {
            operands[0].leaf()
        }
        _ => None,
    })
}

/// A part of a storage, from a byte on, and where it goes.
type Piece<'a> = (&'a Storage, usize, &'a mut [u8]);

/// The value of a lazy constant, for which no device need be asked.
pub(super) fn constant_of(tensor: &Tensor) -> Option<Scalar> {
    match &*tensor.0.state.borrow() {
        State::Lazy(Lazy::Const(value)) => Some(*value),
        State::Lazy(Lazy::View(view)) => constant_of(&view.base),
        _ => None,
    }
}

fn push(bytes: &mut Vec<u8>, value: Scalar, dtype: DType) {
    let (element, size) = value.to_bits(dtype);
    bytes.extend(&element[..size]);
}
