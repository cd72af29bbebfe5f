//! Elements in host memory: how tensors are made from values and read back.

use half::{bf16, f16};

use super::node::Leaf;
use super::{Device, Engine, Error, Tensor};
use crate::dtype::{DType, Scalar};
use crate::layout::{Layout, Shape};
use crate::memory::Provenance;

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
        for value in values {
            write_scalar(&mut bytes, *value, dtype);
        }
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
        read_scalar(&self.bytes[at * size..(at + 1) * size], self.dtype)
    }

    /// All elements in row-major order.
    pub fn to_scalars(&self) -> Vec<Scalar> {
        let elements = self.bytes.chunks_exact(self.dtype.size());
        elements.map(|bytes| read_scalar(bytes, self.dtype)).collect()
    }
}

impl Engine {
    /// A tensor with these elements on the current device.
    ///
    /// # Errors
    /// MemoryError.
    pub fn from_host(&self, array: &HostArray) -> Result<Tensor, Error> {
        self.upload(array, &self.device())
    }

    fn upload(&self, array: &HostArray, device: &Device) -> Result<Tensor, Error> {
        let storage = device.allocate(array.dtype, array.len(), Provenance::VARIABLE)?;
        device.backend().copy_from_host(&array.bytes, &storage, 0)?;
        Ok(Tensor::from_leaf(Leaf { storage, layout: Layout::contiguous(array.shape.clone()) }))
    }

    /// A tensor on the current device with these values in row-major order.
    ///
    /// # Errors
    /// OverflowError where a Python integer does not fit an integer `dtype`; MemoryError.
    pub fn from_values(
        &self,
        values: &[Scalar],
        shape: &Shape,
        dtype: DType,
    ) -> Result<Tensor, Error> {
        values.iter().try_for_each(|value| super::ops::check_fits(*value, dtype))?;
        let array = HostArray::from_scalars(values, shape.clone(), dtype);
        self.from_host(&array)
    }

    /// All elements, read back.
    ///
    /// # Errors
    /// What computing the tensor may bring up.
    pub fn to_host(&self, tensor: &Tensor) -> Result<HostArray, Error> {
        let leaf = self.contiguous_leaf(tensor)?;
        let dtype = tensor.dtype();
        let mut bytes = vec![0; tensor.size_bytes()];
        // A view of no elements may begin behind the storage's end.
        if !bytes.is_empty() {
            let start = leaf.layout.offset * dtype.size();
            tensor.device().backend().copy_to_host(&leaf.storage, start, &mut bytes)?;
        }
        Ok(HostArray { dtype, shape: tensor.shape().clone(), bytes })
    }

    /// The elements at these indices along each axis, read back: what a summarised print shows.
    /// There is one list of indices, each within its axis, for every axis.
    ///
    /// # Errors
    /// What computing the tensor may bring up.
    pub fn to_host_window(
        &self,
        tensor: &Tensor,
        indices: &[Vec<usize>],
    ) -> Result<HostArray, Error> {
        self.realize_node(tensor)?;
        if indices.iter().zip(tensor.shape().iter()).all(|(list, extent)| list.len() == *extent) {
            return self.to_host(tensor);
        }
        // Edge indices come in runs; each block of runs is a view that is copied by itself.
        let runs: Vec<Vec<(usize, usize)>> = indices.iter().map(|list| runs_of(list)).collect();
        let pieces = self.window_pieces(tensor, &runs, 0)?;
        self.to_host(&pieces)
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
        let leaf = self.leaf_of(tensor)?;
        let dtype = tensor.dtype();
        let mut bytes = [0; 8];
        let bytes = &mut bytes[..dtype.size()];
        let start = leaf.layout.offset * dtype.size();
        tensor.device().backend().copy_to_host(&leaf.storage, start, bytes)?;
        Ok(read_scalar(bytes, dtype))
    }

    /// The tensor on another device; itself if it is there.
    ///
    /// # Errors
    /// What computing it may bring up; MemoryError.
    pub fn to_device(&self, tensor: &Tensor, device: &Device) -> Result<Tensor, Error> {
        if tensor.device() == device {
            return Ok(tensor.clone());
        }
        self.upload(&self.to_host(tensor)?, device)
    }

    fn window_pieces(
        &self,
        tensor: &Tensor,
        runs: &[Vec<(usize, usize)>],
        axis: usize,
    ) -> Result<Tensor, Error> {
        let Some(axis_runs) = runs.get(axis) else { return Ok(tensor.clone()) };
        let pieces = axis_runs.iter().map(|(start, len)| {
            let part = self.narrow(tensor, axis, *start, *len, 1)?;
            self.window_pieces(&part, runs, axis + 1)
        });
        let pieces = pieces.collect::<Result<Vec<_>, Error>>()?;
        match pieces.as_slice() {
            [only] => Ok(only.clone()),
            _ => self.concatenate(&pieces, axis as i64),
        }
    }
}

fn runs_of(indices: &[usize]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for index in indices {
        match runs.last_mut() {
            Some((start, len)) if *start + *len == *index => *len += 1,
            _ => runs.push((*index, 1)),
        }
    }
    runs
}

fn write_scalar(bytes: &mut Vec<u8>, value: Scalar, dtype: DType) {
    match dtype {
        DType::Bool => bytes.push(u8::from(value.as_bool())),
        DType::U8 => bytes.push(value.as_i64() as u8),
        DType::I8 => bytes.push(value.as_i64() as u8),
        DType::I16 => bytes.extend((value.as_i64() as i16).to_ne_bytes()),
        DType::I32 => bytes.extend((value.as_i64() as i32).to_ne_bytes()),
        DType::I64 => bytes.extend(value.as_i64().to_ne_bytes()),
        DType::F16 => bytes.extend(f16::from_f64(value.as_f64()).to_ne_bytes()),
        DType::BF16 => bytes.extend(bf16::from_f64(value.as_f64()).to_ne_bytes()),
        DType::F32 => bytes.extend((value.as_f64() as f32).to_ne_bytes()),
        DType::F64 => bytes.extend(value.as_f64().to_ne_bytes()),
    }
}

/// `bytes` are those of one element.
fn read_scalar(bytes: &[u8], dtype: DType) -> Scalar {
    fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
        bytes.try_into().expect("an element has the size of its type")
    }
    match dtype {
        DType::Bool => Scalar::Bool(bytes[0] != 0),
        DType::U8 => Scalar::Int(i64::from(bytes[0])),
        DType::I8 => Scalar::Int(i64::from(bytes[0] as i8)),
        DType::I16 => Scalar::Int(i64::from(i16::from_ne_bytes(array(bytes)))),
        DType::I32 => Scalar::Int(i64::from(i32::from_ne_bytes(array(bytes)))),
        DType::I64 => Scalar::Int(i64::from_ne_bytes(array(bytes))),
        DType::F16 => Scalar::Float(f16::from_ne_bytes(array(bytes)).to_f64()),
        DType::BF16 => Scalar::Float(bf16::from_ne_bytes(array(bytes)).to_f64()),
        DType::F32 => Scalar::Float(f64::from(f32::from_ne_bytes(array(bytes)))),
        DType::F64 => Scalar::Float(f64::from_ne_bytes(array(bytes))),
    }
}
