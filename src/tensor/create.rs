//! New tensors from a rule.

use super::leaf::Leaf;
use super::{BinaryOp, Engine, Error, RandomKind, Tensor};
use crate::diag::ErrorKind;
use crate::dtype::{DType, Scalar, promote};
use crate::ir::MapOp;
use crate::layout::{Layout, Shape};
use crate::memory::Provenance;

impl Engine {
    /// One value everywhere, lazily.
    ///
    /// # Errors
    /// OverflowError where a Python integer does not fit `dtype`; MemoryError for a shape that no
    /// index can count.
    pub fn full(&self, shape: &Shape, value: Scalar, dtype: DType) -> Result<Tensor, Error> {
        super::ops::check_fits(value, dtype)?;
        shape.checked_elem_count()?;
        Ok(self.constant_on(self.device(), shape.clone(), value, dtype))
    }

    /// Memory with whatever stood there.
    ///
    /// # Errors
    /// MemoryError.
    pub fn empty(&self, shape: &Shape, dtype: DType) -> Result<Tensor, Error> {
        let len = shape.checked_elem_count()?;
        self.name_maker(self.origin.get());
        let storage = self.allocate(&self.device(), dtype, len, Provenance::TEMPORARY)?;
        Ok(Tensor::from_leaf(Leaf { storage, layout: Layout::contiguous(shape.clone()), dtype }))
    }

    /// The coordinate along `axis` at every place of `shape`: int64, lazily.
    ///
    /// # Errors
    /// ValueError for an axis that is not there.
    pub fn iota(&self, shape: &Shape, axis: usize) -> Result<Tensor, Error> {
        shape.checked_elem_count()?;
        let axis = shape.axis(axis as i64)?;
        Ok(self.iota_on(self.device(), shape.clone(), axis as u8))
    }

    /// `start`, `start + step`, … below (or above) `stop`. Of the common type of the three unless
    /// `dtype` says otherwise.
    ///
    /// # Errors
    /// ZeroDivisionError for a step of zero, ValueError for a range without an end, MemoryError.
    pub fn arange(
        &self,
        start: Scalar,
        stop: Scalar,
        step: Scalar,
        dtype: Option<DType>,
    ) -> Result<Tensor, Error> {
        let default = self.default_float();
        let found =
            promote(promote(start.dtype(default), stop.dtype(default)), step.dtype(default));
        let dtype = dtype.unwrap_or(if found == DType::Bool { DType::I64 } else { found });
        let len = arange_len(start, stop, step)?;
        let shape = Shape::from([len]);
        shape.checked_elem_count()?;
        let index = self.iota_on(self.device(), shape, 0);
        if start.is_whole() && step.is_whole() {
            let scaled = self.scaled_index(&index, start.as_i64(), step.as_i64())?;
            let is_wide = matches!((start, stop), (Scalar::Wide(_), _) | (_, Scalar::Wide(_)));
            let scaled = if is_wide { self.cast(&scaled, DType::U64)? } else { scaled };
            return self.cast(&scaled, dtype);
        }
        // NumPy takes the step from the two first elements, rounded to the type.
        let work = if dtype == DType::F64 || !dtype.is_float() { DType::F64 } else { DType::F32 };
        let held = |number: f64| match dtype.is_float() {
            true => Scalar::Float(number).held_as(dtype).as_f64(),
            false => number,
        };
        let first = held(start.as_f64());
        let delta = held(start.as_f64() + step.as_f64()) - first;
        let wide = self.cast(&index, work)?;
        let stepped = self.binary(BinaryOp::Mul, wide, Scalar::Float(delta))?;
        let moved = self.binary(BinaryOp::Add, stepped, Scalar::Float(first))?;
        self.cast(&moved, dtype)
    }

    /// `count` values evenly from `start` to `stop`, which is the last one if `endpoint`.
    ///
    /// # Errors
    /// MemoryError.
    pub fn linspace(
        &self,
        start: f64,
        stop: f64,
        count: usize,
        endpoint: bool,
        dtype: DType,
    ) -> Result<Tensor, Error> {
        let shape = Shape::from([count]);
        shape.checked_elem_count()?;
        let steps = if endpoint { count.saturating_sub(1) } else { count };
        let step = if steps == 0 { 0.0 } else { (stop - start) / steps as f64 };
        let index = self.iota_on(self.device(), shape, 0);
        let wide = self.cast(&index, DType::F64)?;
        let stepped = self.binary(BinaryOp::Mul, &wide, Scalar::Float(step))?;
        let mut moved = self.binary(BinaryOp::Add, stepped, Scalar::Float(start))?;
        if endpoint && count > 1 {
            // The last value is exactly `stop`, whatever the steps have rounded to.
            let is_last =
                self.compare(super::CompareOp::Eq, &index, Scalar::Int(count as i64 - 1))?;
            let end =
                self.constant_on(self.device(), Shape::scalar(), Scalar::Float(stop), DType::F64);
            moved = self.map(MapOp::Select, &[&is_last, &end, &moved], DType::F64)?;
        }
        if dtype.is_integer() {
            moved = self.unary(super::UnaryOp::Floor, &moved)?;
        }
        self.cast(&moved, dtype)
    }

    /// Random numbers, at once. Half types are rounded from float32's stream.
    ///
    /// # Errors
    /// MemoryError.
    pub fn random(&self, kind: RandomKind, shape: &Shape, dtype: DType) -> Result<Tensor, Error> {
        let position = self.random_position();
        let (made, used) = self.random_at(kind, position, shape, dtype)?;
        self.random.borrow_mut().advance(used);
        Ok(made)
    }

    /// Random numbers from a block of the stream of a seed, and how many blocks they took.
    ///
    /// # Errors
    /// MemoryError.
    pub fn random_at(
        &self,
        kind: RandomKind,
        (seed, block): (u64, u64),
        shape: &Shape,
        dtype: DType,
    ) -> Result<(Tensor, u64), Error> {
        let device = self.device();
        let len = shape.checked_elem_count()?;
        self.name_maker(self.origin.get());
        let carrier = dtype.carrier();
        if kind == RandomKind::Uniform
            && carrier != dtype
            && let Some(format) = dtype.format()
        {
            // Rounding would reach one: as many bits as every number below it keeps.
            let steps = 2 << format.fraction;
            let kind = RandomKind::Integer { low: 0, high: steps };
            let (whole, used) = self.random_at(kind, (seed, block), shape, carrier)?;
            let made = self.binary(BinaryOp::Mul, &whole, Scalar::Float(1.0 / steps as f64))?;
            return Ok((self.cast(&made, dtype)?.as_scalar(true), used));
        }
        let storage = self.allocate(&device, carrier, len, Provenance::TEMPORARY.by("random"))?;
        let leaf = Leaf { storage, layout: Layout::contiguous(shape.clone()), dtype: carrier };
        let used = device.backend().random(kind, seed, block, leaf.view())?;
        Ok((self.cast(&Tensor::from_leaf(leaf), dtype)?.as_scalar(true), used))
    }

    fn scaled_index(&self, index: &Tensor, start: i64, step: i64) -> Result<Tensor, Error> {
        let scaled = if step == 1 {
            index.clone()
        } else {
            self.binary(BinaryOp::Mul, index, Scalar::Int(step))?
        };
        if start == 0 {
            Ok(scaled)
        } else {
            self.binary(BinaryOp::Add, &scaled, Scalar::Int(start))
        }
    }
}

fn arange_len(start: Scalar, stop: Scalar, step: Scalar) -> Result<usize, Error> {
    if step.as_f64() == 0.0 {
        return Err(Error::new(ErrorKind::ZeroDivision, "division by zero")
            .with_hint("the step of `arange` must not be zero"));
    }
    let whole = |scalar: &Scalar| !matches!(scalar, Scalar::Float(_));
    if [start, stop, step].iter().all(whole) {
        let (start, stop, step) = (start.as_i128(), stop.as_i128(), step.as_i128());
        let span = if step > 0 { stop - start + step - 1 } else { stop - start + step + 1 };
        return Ok((span / step).clamp(0, i128::from(i64::MAX)) as usize);
    }
    let len = ((stop.as_f64() - start.as_f64()) / step.as_f64()).ceil();
    if len.is_nan() {
        return Err(Error::value_error("arange: cannot compute length"));
    }
    if len.is_infinite() || len > i64::MAX as f64 {
        return Err(Error::value_error("Maximum allowed size exceeded"));
    }
    Ok(len.max(0.0) as usize)
}
