//! Elements along an axis joined one after the other, by operations of any kind, whole rows and sections of them. All
//! run at once.

use smallvec::SmallVec;

use super::float_errors::{Along, Suspect};
use super::leaf::{Leaf, Part};
use super::{BinaryOp, CompareOp, Engine, Error, IndexItem, Reduction, Tensor};
use crate::device::{LeftFold, Sections};
use crate::diag::ErrorKind;
use crate::dtype::{DType, Scalar};
use crate::ir::Failure;
use crate::layout::{Shape, Slice};
use crate::memory::Provenance;

/// Elements that are joined one after the other where their order makes no difference: more are folded as rows, which
/// all threads share, and which round less.
const LONG: usize = 1024;
/// Elements of all rows of such a section that are worth a fold of their own, if they are not shorter than this.
const WORTH: usize = 16 * 1024;
const SHORTEST: usize = 16;

/// Which part of an axis is joined for each result, from a start to before an end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds<'a> {
    /// int64 both.
    starts: &'a Tensor,
    ends: &'a Tensor,
    /// What stands before each, of the result's shape and type.
    first: Option<&'a Tensor>,
}

/// Whether an operation has a loop that joins elements of a type one after the other.
pub fn joins_in_turn(op: BinaryOp, dtype: DType) -> bool {
    let has_pairs = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div);
    op.row().loops.has(dtype) && (has_pairs || !dtype.is_complex())
}

impl Engine {
    /// The elements along an axis joined from the first one on; the axis goes away. The operation must be one that
    /// [`joins_in_turn`].
    ///
    /// # Errors
    /// ValueError for an axis that is not there, for no elements, and for a negative power of integers;
    /// ZeroDivisionError for integers that are divided by zero; MemoryError.
    pub fn fold_left(&self, op: BinaryOp, x: &Tensor, axis: i64) -> Result<Tensor, Error> {
        let axis = x.shape().axis(axis)?;
        if x.shape()[axis] == 0 {
            let name = op.row().ufunc;
            return Err(Error::value_error(format!(
                "zero-size array to reduction operation {name} which has no identity"
            )));
        }
        self.check_operands(op, &self.narrow(x, axis, 1, x.shape()[axis] - 1, 1)?)?;
        let folded =
            self.join_in_turn(op, &self.cast(x, wide(op, x.dtype()))?, axis, None, false)?;
        let folded = self.cast(&folded, x.dtype())?;
        let (operands, axes) = ([x, x], [axis as u8]);
        self.hear(&folded, || Some(suspect("reduce", op, &operands, Along::Axes(&axes))))?;
        self.squeeze(&folded, Some(&[axis as i64]))
    }

    /// Every step of [`Engine::fold_left`], in the tensor's shape.
    ///
    /// # Errors
    /// As there, but for no elements, which have no steps.
    pub fn steps_left(&self, op: BinaryOp, x: &Tensor, axis: i64) -> Result<Tensor, Error> {
        let axis = x.shape().axis(axis)?;
        let count = x.shape()[axis].saturating_sub(1);
        self.check_operands(op, &self.narrow(x, axis, usize::from(count > 0), count, 1)?)?;
        let steps = self.join_in_turn(op, x, axis, None, true)?;
        let operands = [x, x];
        self.hear(&steps, || Some(suspect("accumulate", op, &operands, Along::Before(axis))))?;
        Ok(steps)
    }

    /// The elements of each section of an axis joined, which begins at a start and ends before the next one, the last
    /// with the axis. Where the next start is not larger, one element is all there is of it.
    ///
    /// # Errors
    /// IndexError for a start beyond the axis, and as [`Engine::fold_left`].
    pub fn fold_sections(
        &self,
        op: BinaryOp,
        x: &Tensor,
        axis: i64,
        starts: &[i64],
    ) -> Result<Tensor, Error> {
        let axis = x.shape().axis(axis)?;
        let count = x.shape()[axis] as i64;
        if let Some(start) = starts.iter().find(|start| !(0..count).contains(*start)) {
            let name = op.row().ufunc;
            let words = format!("index {start} out-of-bounds in {name}.reduceat [0, {count})");
            return Err(Error::index_error(words));
        }
        let nexts = starts.iter().skip(1).chain([&count]);
        let mut ends: Vec<i64> = starts.iter().zip(nexts).map(|(a, b)| *b.max(&(a + 1))).collect();
        if op.failure(x.dtype()).is_some() {
            let divisors = starts.iter().zip(&ends).flat_map(|(start, end)| start + 1..*end);
            let divisors = self.places(x, &divisors.collect::<Vec<_>>())?;
            let all = std::iter::repeat_n(IndexItem::Slice(Slice::default()), axis);
            let items = all.chain([IndexItem::Tensor(divisors)]);
            self.check_operands(op, &self.index(x, &items.collect::<Vec<_>>())?)?;
        }
        let fold = order_free(op, x.dtype());
        let rows = x.elem_count() / x.shape()[axis].max(1);
        let mut long = Vec::new();
        if fold.is_some() {
            for (at, (start, end)) in starts.iter().zip(&mut ends).enumerate() {
                let len = (*end - start) as usize;
                if len > LONG || len >= SHORTEST && len * rows >= WORTH {
                    long.push((at, *start as usize, len));
                    *end = start + 1;
                }
            }
        }
        // Sums round as little as those of rows.
        let wide = match (op, x.dtype()) {
            (BinaryOp::Add, DType::F32) => DType::F64,
            (BinaryOp::Add, DType::C64) => DType::C128,
            (op, dtype) => wide(op, dtype),
        };
        let bounds = [self.places(x, starts)?, self.places(x, &ends)?];
        let bounds = Bounds { starts: &bounds[0], ends: &bounds[1], first: None };
        let made = self.join_in_turn(op, &self.cast(x, wide)?, axis, Some(bounds), false)?;
        let made = self.cast(&made, x.dtype())?;
        if let Some(fold) = fold.filter(|_| !long.is_empty()) {
            self.realize(&[&made])?;
            for (at, start, len) in long {
                let section = self.narrow(x, axis, start, len, 1)?;
                let folded = self.reduce(fold, &section, Some(&[axis as i64]), true)?;
                self.assign_all(
                    &self.narrow(&made, axis, at, 1, 1)?,
                    self.cast(&folded, x.dtype())?,
                )?;
            }
        }
        Ok(made)
    }

    /// What stands in `first` joined with the elements of each section of a tensor of one axis, one after the other:
    /// all of one type, and the bounds int64 of the length of `first`.
    ///
    /// # Errors
    /// ZeroDivisionError and ValueError as in [`Engine::fold_left`]; MemoryError.
    pub fn fold_onto(
        &self,
        op: BinaryOp,
        first: &Tensor,
        x: &Tensor,
        [starts, ends]: [&Tensor; 2],
    ) -> Result<Tensor, Error> {
        self.check_operands(op, x)?;
        let bounds = Bounds { starts, ends, first: Some(first) };
        self.join_in_turn(op, x, 0, Some(bounds), false)
    }

    /// Refuses integers as second operands that leave the operation without a result.
    fn check_operands(&self, op: BinaryOp, right: &Tensor) -> Result<(), Error> {
        let Some(failure) = op.failure(right.dtype()) else { return Ok(()) };
        let refused = match failure {
            Failure::DivisionByZero => CompareOp::Eq,
            Failure::NegativeExponent => CompareOp::Lt,
        };
        if !self.any_true(&self.compare(refused, right, Scalar::Int(0))?)? {
            return Ok(());
        }
        Err(match failure {
            Failure::DivisionByZero => {
                Error::new(ErrorKind::ZeroDivision, "integer division or modulo by zero")
            }
            Failure::NegativeExponent => {
                Error::value_error("Integers to negative integer powers are not allowed.")
            }
        })
    }

    /// Each element joined with what stands before it, or each section of the bounds, by an operation that
    /// [`joins_in_turn`]; the axis stays.
    pub(super) fn join_in_turn(
        &self,
        op: BinaryOp,
        x: &Tensor,
        axis: usize,
        bounds: Option<Bounds<'_>>,
        keeps_steps: bool,
    ) -> Result<Tensor, Error> {
        let dtype = x.dtype();
        let x = self.cast(x, dtype.carrier())?;
        let mut shape = x.shape().clone();
        if !keeps_steps {
            shape[axis] = bounds.map_or(1, |bounds| bounds.starts.elem_count());
        }
        let (input, first) = (
            self.leaf_of(&x)?,
            match bounds.and_then(|bounds| bounds.first) {
                Some(first) => Some(self.leaf_of(&self.cast(first, x.dtype())?)?),
                None => None,
            },
        );
        let places = match bounds {
            Some(bounds) => {
                Some([self.contiguous_leaf(bounds.starts)?, self.contiguous_leaf(bounds.ends)?])
            }
            None => None,
        };
        let provenance = Provenance::TEMPORARY.by(op.row().ufunc);
        let out = self.fresh(&x, &shape, x.dtype(), provenance)?;
        let last = |leaf: &Leaf| {
            let others = (0..shape.rank()).filter(|other| *other != axis);
            let axes: SmallVec<[usize; 8]> = others.chain([axis]).collect();
            let leaf = leaf.with(leaf.layout.permute(&axes));
            if dtype.is_complex() { leaf.part(Part::Real) } else { leaf }
        };
        let [from, to] = [&input, &out].map(last);
        let first = first.as_ref().map(last);
        let fold = LeftFold {
            op,
            input: from.view(),
            are_pairs: dtype.is_complex(),
            sections: places
                .as_ref()
                .map(|[starts, ends]| Sections { starts: starts.view(), ends: ends.view() }),
            first: first.as_ref().map(Leaf::view),
            keeps_steps,
            out: to.view(),
        };
        if out.layout.elem_count() > 0 {
            let device = x.device();
            self.with_relief(device, || device.backend().fold_left(fold))?;
        }
        self.cast(&Tensor::from_leaf(out), dtype)
    }

    /// Places in the memory of a tensor's device: int64.
    fn places(&self, beside: &Tensor, places: &[i64]) -> Result<Tensor, Error> {
        let provenance = Provenance::TEMPORARY.by("sections");
        let leaf = self.fresh(beside, &Shape::from([places.len()]), DType::I64, provenance)?;
        let bytes: Vec<u8> = places.iter().flat_map(|place| place.to_ne_bytes()).collect();
        leaf.storage.device().backend().copy_from_host(&bytes, &leaf.storage, 0)?;
        Ok(Tensor::from_leaf(leaf))
    }
}

/// The fold of a row by the operation, where the order of its elements makes no difference but for rounding.
fn order_free(op: BinaryOp, dtype: DType) -> Option<Reduction> {
    match op {
        BinaryOp::Add => Some(Reduction::Sum),
        BinaryOp::Mul => Some(Reduction::Prod),
        BinaryOp::Max => Some(Reduction::Max),
        BinaryOp::Min => Some(Reduction::Min),
        op => Reduction::joined(op, dtype),
    }
}

/// The type in which elements are joined to one result. NumPy rounds sums and products of halves at the end, too, and what
/// other operations make of each two.
fn wide(op: BinaryOp, dtype: DType) -> DType {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => dtype.compute(),
        _ => dtype,
    }
}

/// A method of an operation, whose second operands are elements, too.
fn suspect<'a>(
    method: &'static str,
    op: BinaryOp,
    operands: &'a [&'a Tensor],
    along: Along<'a>,
) -> Suspect<'a> {
    let (pole, can_vanish) = (op.row().pole, op.row().can_vanish);
    Suspect { ufunc: method, operands, along, pole, can_vanish }
}

#[cfg(test)]
mod tests;
