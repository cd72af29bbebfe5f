//! The surface of the tensor floor: signatures only, for the floors above to be written against.
#![allow(unused_variables, clippy::todo)]

use std::fmt;
use std::sync::Arc;

pub use crate::device::{Device, DeviceId, Interrupt, RandomKind, ScatterOp, Storage};
pub use crate::ir::{BinaryOp, CompareOp, ScanOp, UnaryOp};

use crate::diag::{ErrorKind, Fault};
use crate::dtype::{DType, Scalar};
use crate::layout::{self, Layout, Shape};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Origin(pub u64);

#[derive(Debug, Clone, PartialEq)]
pub struct Error {
    pub cause: ErrorCause,
    pub origin: Option<Origin>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ErrorCause {
    Layout(layout::Error),
    Device(crate::device::Error),
    IndexOutOfBounds { value: i64, axis: usize, size: usize },
    Fault(Fault),
}

impl Error {
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Fault::new(kind, message).into()
    }
    pub fn type_error(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Type, message)
    }
    pub fn value_error(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Value, message)
    }
    pub fn index_error(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Index, message)
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Error {
        Error { cause: ErrorCause::Fault(fault), origin: None }
    }
}
impl From<layout::Error> for Error {
    fn from(error: layout::Error) -> Error {
        Error { cause: ErrorCause::Layout(error), origin: None }
    }
}
impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        todo!()
    }
}

#[derive(Clone)]
pub struct Tensor(std::rc::Rc<(Shape, DType, Device)>);

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        todo!()
    }
}

impl Tensor {
    pub fn shape(&self) -> &Shape {
        &self.0.0
    }
    pub fn dtype(&self) -> DType {
        self.0.1
    }
    pub fn device(&self) -> &Device {
        &self.0.2
    }
    pub fn rank(&self) -> usize {
        todo!()
    }
    pub fn elem_count(&self) -> usize {
        todo!()
    }
    pub fn size_bytes(&self) -> usize {
        todo!()
    }
    pub fn is_realized(&self) -> bool {
        todo!()
    }
    pub fn storage_and_layout(&self) -> Option<(Arc<Storage>, Layout)> {
        todo!()
    }
    pub fn is_same(&self, other: &Tensor) -> bool {
        todo!()
    }
}

#[derive(Debug, Clone)]
pub enum Operand {
    Tensor(Tensor),
    Scalar(Scalar),
}
impl From<Tensor> for Operand {
    fn from(tensor: Tensor) -> Operand {
        Operand::Tensor(tensor)
    }
}
impl From<&Tensor> for Operand {
    fn from(tensor: &Tensor) -> Operand {
        Operand::Tensor(tensor.clone())
    }
}
impl From<Scalar> for Operand {
    fn from(scalar: Scalar) -> Operand {
        Operand::Scalar(scalar)
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reduction {
    Sum,
    Prod,
    Max,
    Min,
    Mean,
    Var { ddof: f64 },
    Std { ddof: f64 },
    Any,
    All,
    ArgMax,
    ArgMin,
    CountNonzero,
}

#[derive(Debug, Clone)]
pub enum IndexItem {
    Int(i64),
    Slice { start: Option<i64>, stop: Option<i64>, step: Option<i64> },
    NewAxis,
    Ellipsis,
    Tensor(Tensor),
}

#[derive(Debug)]
pub struct HostArray {
    pub dtype: DType,
    pub shape: Shape,
    pub bytes: Vec<u8>,
}
impl HostArray {
    pub fn to_scalars(&self) -> Vec<Scalar> {
        todo!()
    }
}

#[derive(Debug)]
pub struct Backup;
#[derive(Debug)]
pub struct Explanation;

#[derive(Debug)]
pub struct Engine {
    devices: Vec<Device>,
}

type Result<T> = std::result::Result<T, Error>;

impl Engine {
    pub fn new(devices: Vec<Device>, interrupt: Interrupt) -> Engine {
        todo!()
    }
    pub fn devices(&self) -> &[Device] {
        &self.devices
    }
    pub fn device(&self) -> Device {
        todo!()
    }
    pub fn set_device(&self, device: Device) {
        todo!()
    }
    pub fn find_device(&self, id: DeviceId) -> Option<Device> {
        todo!()
    }
    pub fn default_float(&self) -> DType {
        todo!()
    }
    pub fn set_default_float(&self, dtype: DType) {
        todo!()
    }
    pub fn set_fusion(&self, on: bool) {
        todo!()
    }
    pub fn set_origin(&self, origin: Origin) {
        todo!()
    }
    pub fn interrupt(&self) -> &Interrupt {
        todo!()
    }
    pub fn begin_statement(&self) {
        todo!()
    }
    pub fn end_statement(&self) {
        todo!()
    }
    pub fn unary(&self, op: UnaryOp, x: &Tensor) -> Result<Tensor> {
        todo!()
    }
    pub fn binary(
        &self,
        op: BinaryOp,
        lhs: impl Into<Operand>,
        rhs: impl Into<Operand>,
    ) -> Result<Tensor> {
        todo!()
    }
    pub fn compare(
        &self,
        op: CompareOp,
        lhs: impl Into<Operand>,
        rhs: impl Into<Operand>,
    ) -> Result<Tensor> {
        todo!()
    }
    pub fn select(
        &self,
        condition: &Tensor,
        then: impl Into<Operand>,
        otherwise: impl Into<Operand>,
    ) -> Result<Tensor> {
        todo!()
    }
    pub fn cast(&self, x: &Tensor, dtype: DType) -> Result<Tensor> {
        todo!()
    }
    pub fn to_tensor(&self, x: impl Into<Operand>) -> Result<Tensor> {
        todo!()
    }
    pub fn reduce(
        &self,
        op: Reduction,
        x: &Tensor,
        axes: Option<&[i64]>,
        keepdims: bool,
    ) -> Result<Tensor> {
        todo!()
    }
    pub fn scan(&self, op: ScanOp, x: &Tensor, axis: Option<i64>) -> Result<Tensor> {
        todo!()
    }
    pub fn reshape(&self, x: &Tensor, shape: &[i64]) -> Result<Tensor> {
        todo!()
    }
    pub fn ravel(&self, x: &Tensor) -> Result<Tensor> {
        todo!()
    }
    pub fn permute(&self, x: &Tensor, axes: &[i64]) -> Result<Tensor> {
        todo!()
    }
    pub fn transpose(&self, x: &Tensor) -> Result<Tensor> {
        todo!()
    }
    pub fn swapaxes(&self, x: &Tensor, a: i64, b: i64) -> Result<Tensor> {
        todo!()
    }
    pub fn moveaxis(&self, x: &Tensor, from: &[i64], to: &[i64]) -> Result<Tensor> {
        todo!()
    }
    pub fn expand_dims(&self, x: &Tensor, axes: &[i64]) -> Result<Tensor> {
        todo!()
    }
    pub fn squeeze(&self, x: &Tensor, axes: Option<&[i64]>) -> Result<Tensor> {
        todo!()
    }
    pub fn broadcast_to(&self, x: &Tensor, shape: &Shape) -> Result<Tensor> {
        todo!()
    }
    pub fn flip(&self, x: &Tensor, axes: Option<&[i64]>) -> Result<Tensor> {
        todo!()
    }
    pub fn diagonal(&self, x: &Tensor, offset: i64, axis1: i64, axis2: i64) -> Result<Tensor> {
        todo!()
    }
    pub fn narrow(
        &self,
        x: &Tensor,
        axis: i64,
        start: usize,
        len: usize,
        step: isize,
    ) -> Result<Tensor> {
        todo!()
    }
    pub fn broadcast_tensors(&self, tensors: &[Tensor]) -> Result<Vec<Tensor>> {
        todo!()
    }
    pub fn index(&self, x: &Tensor, items: &[IndexItem]) -> Result<Tensor> {
        todo!()
    }
    pub fn assign(&self, x: &Tensor, items: &[IndexItem], value: impl Into<Operand>) -> Result<()> {
        todo!()
    }
    pub fn scatter(
        &self,
        op: ScatterOp,
        x: &Tensor,
        items: &[IndexItem],
        value: impl Into<Operand>,
    ) -> Result<()> {
        todo!()
    }
    pub fn assign_all(&self, x: &Tensor, value: impl Into<Operand>) -> Result<()> {
        todo!()
    }
    pub fn update(&self, op: BinaryOp, target: &Tensor, value: impl Into<Operand>) -> Result<()> {
        todo!()
    }
    pub fn unary_in_place(&self, op: UnaryOp, x: &Tensor) -> Result<()> {
        todo!()
    }
    pub fn copy_of_contents(&self, x: &Tensor) -> Result<Backup> {
        todo!()
    }
    pub fn restore(&self, backup: Backup) {
        todo!()
    }
    pub fn full(&self, shape: &Shape, value: Scalar, dtype: DType) -> Result<Tensor> {
        todo!()
    }
    pub fn empty(&self, shape: &Shape, dtype: DType) -> Result<Tensor> {
        todo!()
    }
    pub fn arange(
        &self,
        start: Scalar,
        stop: Scalar,
        step: Scalar,
        dtype: Option<DType>,
    ) -> Result<Tensor> {
        todo!()
    }
    pub fn linspace(
        &self,
        start: f64,
        stop: f64,
        n: usize,
        endpoint: bool,
        dtype: DType,
    ) -> Result<Tensor> {
        todo!()
    }
    pub fn iota(&self, shape: &Shape, axis: usize) -> Result<Tensor> {
        todo!()
    }
    pub fn from_host(&self, host: &HostArray) -> Result<Tensor> {
        todo!()
    }
    pub fn from_values(&self, values: &[Scalar], shape: &Shape, dtype: DType) -> Result<Tensor> {
        todo!()
    }
    pub fn random(&self, kind: RandomKind, shape: &Shape, dtype: DType) -> Result<Tensor> {
        todo!()
    }
    pub fn seed(&self, seed: u64) {
        todo!()
    }
    pub fn permutation(&self, n: usize) -> Result<Tensor> {
        todo!()
    }
    pub fn concatenate(&self, tensors: &[Tensor], axis: i64) -> Result<Tensor> {
        todo!()
    }
    pub fn stack(&self, tensors: &[Tensor], axis: i64) -> Result<Tensor> {
        todo!()
    }
    pub fn sort(&self, x: &Tensor, axis: i64, descending: bool) -> Result<Tensor> {
        todo!()
    }
    pub fn argsort(&self, x: &Tensor, axis: i64, descending: bool) -> Result<Tensor> {
        todo!()
    }
    pub fn unique(&self, x: &Tensor) -> Result<Tensor> {
        todo!()
    }
    pub fn unique_full(&self, x: &Tensor) -> Result<(Tensor, Tensor, Tensor, Tensor)> {
        todo!()
    }
    pub fn nonzero(&self, x: &Tensor) -> Result<Vec<Tensor>> {
        todo!()
    }
    pub fn argwhere(&self, x: &Tensor) -> Result<Tensor> {
        todo!()
    }
    pub fn topk(&self, x: &Tensor, k: usize, axis: i64, largest: bool) -> Result<(Tensor, Tensor)> {
        todo!()
    }
    pub fn searchsorted(&self, sorted: &Tensor, values: &Tensor, right: bool) -> Result<Tensor> {
        todo!()
    }
    pub fn matmul(&self, a: &Tensor, b: &Tensor) -> Result<Tensor> {
        todo!()
    }
    pub fn dot(&self, a: &Tensor, b: &Tensor) -> Result<Tensor> {
        todo!()
    }
    pub fn outer(&self, a: &Tensor, b: &Tensor) -> Result<Tensor> {
        todo!()
    }
    pub fn inner(&self, a: &Tensor, b: &Tensor) -> Result<Tensor> {
        todo!()
    }
    pub fn tensordot(
        &self,
        a: &Tensor,
        b: &Tensor,
        axes_a: &[i64],
        axes_b: &[i64],
    ) -> Result<Tensor> {
        todo!()
    }
    pub fn einsum(&self, subscripts: &str, operands: &[Tensor]) -> Result<Tensor> {
        todo!()
    }
    pub fn contiguous(&self, x: &Tensor) -> Result<Tensor> {
        todo!()
    }
    pub fn copy(&self, x: &Tensor) -> Result<Tensor> {
        todo!()
    }
    pub fn to_device(&self, x: &Tensor, device: &Device) -> Result<Tensor> {
        todo!()
    }
    pub fn realize(&self, tensors: &[&Tensor]) -> Result<()> {
        todo!()
    }
    pub fn item(&self, x: &Tensor) -> Result<Scalar> {
        todo!()
    }
    pub fn to_host(&self, x: &Tensor) -> Result<HostArray> {
        todo!()
    }
    pub fn explain(&self, tensors: &[&Tensor]) -> Result<Explanation> {
        todo!()
    }
}
