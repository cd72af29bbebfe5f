//! What a mask chooses: values, and places. Computed at once, because its size is known only then.

use std::sync::Arc;

use super::anchor::find_anchor;
use super::leaf::{Leaf, Part};
use super::node::Lazy;
use super::schedule::Walk;
use super::{BinaryOp, Engine, Error, Tensor};
use crate::device::{Mask, Selection, Storage};
use crate::dtype::DType;
use crate::ir::ReduceOp;
use crate::layout::{Layout, MAX_RANK, Shape};
use crate::memory::Provenance;

/// Elements of a mask from which on its bits are computed in its place: what the memory's time is saved by them is then
/// more than their program takes to be put together. Twice as many where some are left over of whole bytes, for which
/// there is one more.
const MANY: usize = 1 << 23;

/// Bits of a byte.
const BITS: usize = 8;

/// A mask, counted.
pub(super) struct Choice {
    mask: Tensor,
    held: Held,
    selection: Selection,
}

/// What of a mask is in memory.
enum Held {
    Elements(Leaf),
    Bits(Arc<Storage>),
}

impl Choice {
    fn mask(&self) -> Mask<'_> {
        match &self.held {
            Held::Elements(leaf) => Mask::Elements(leaf.view()),
            Held::Bits(bits) => Mask::Bits { bits, shape: self.mask.shape() },
        }
    }

    /// How many elements it chooses.
    pub(super) fn count(&self) -> usize {
        self.selection.count
    }
}

impl Engine {
    /// The elements of `values` where `mask`, of the same shape, is true, along one axis.
    ///
    /// # Errors
    /// What computing them may bring up; MemoryError.
    pub fn compress(&self, values: &Tensor, mask: &Tensor) -> Result<Tensor, Error> {
        self.chosen(values, &self.choice(mask)?)
    }

    /// The coordinates of the true elements of a bool tensor.
    pub(super) fn positions(&self, mask: &Tensor) -> Result<Vec<Tensor>, Error> {
        self.places_of(&self.choice(mask)?)
    }

    /// What a mask chooses, counted once for all that is chosen by it.
    pub(super) fn choice(&self, mask: &Tensor) -> Result<Choice, Error> {
        self.choice_from(MANY, mask)
    }

    /// With bits from so many elements on.
    fn choice_from(&self, many: usize, mask: &Tensor) -> Result<Choice, Error> {
        let held = match self.bits(many, mask)? {
            Some(bits) => Held::Bits(bits),
            None => Held::Elements(self.leaf_of(mask)?),
        };
        let mut choice = Choice { mask: mask.clone(), held, selection: Selection::default() };
        choice.selection = mask.device().backend().count_true(choice.mask())?;
        Ok(choice)
    }

    /// The bits of a mask that is asked for the first time: an eighth of what is written and read again. None where its
    /// elements are there, or are better computed as they are.
    fn bits(&self, many: usize, mask: &Tensor) -> Result<Option<Arc<Storage>>, Error> {
        let (count, inner) = (mask.elem_count(), mask.shape().last().copied().unwrap_or(1));
        let rest = inner % BITS;
        let is_map = |lazy: &Lazy| Some(matches!(lazy, Lazy::Map { .. }));
        if count < many
            || mask.rank() == MAX_RANK
            || rest > 0 && (mask.rank() > 1 || count < 2 * many)
            || mask.with_lazy(is_map) != Some(true)
            || !self.fusion.get()
            || !mask.device().backend().prefers_bits()
            || find_anchor(mask).is_some()
        {
            return Ok(None);
        }
        // Whoever asks again has a name for it, and will once more. A rehearsal asks for nothing.
        let is_asked = &mask.0.is_asked;
        if is_asked.get() {
            return Ok(None);
        }
        is_asked.set(!mask.device().is_modelled());
        let provenance = Provenance::TEMPORARY.by("compress");
        let shape = Shape::from([count.div_ceil(BITS)]);
        let bits = self.fresh(mask, &shape, DType::U8, provenance)?;
        let last = mask.rank() - 1;
        self.pack(&self.narrow(mask, last, 0, inner - rest, 1)?, BITS, &bits, 0)?;
        if rest > 0 {
            self.pack(&self.narrow(mask, last, inner - rest, rest, 1)?, rest, &bits, count / BITS)?;
        }
        Ok(Some(bits.storage))
    }

    /// Writes a byte for each `each` elements of a mask, from the byte `at` on.
    fn pack(&self, mask: &Tensor, each: usize, bits: &Leaf, at: usize) -> Result<(), Error> {
        let mut extents: Vec<i64> = mask.shape().iter().map(|extent| *extent as i64).collect();
        let last = extents.len() - 1;
        extents[last] /= each as i64;
        extents.push(each as i64);
        let ones = self.cast(&self.reshape(mask, &extents)?, DType::U8)?;
        let places = self.iota_on(mask.device().clone(), ones.shape().clone(), last as u8 + 1);
        let weighed = self.binary(BinaryOp::Shl, &ones, &self.cast(&places, DType::U8)?)?;
        let bytes = self.fold(ReduceOp::Sum, &weighed, &[last as u8 + 1], DType::U8)?;
        let layout = Layout { offset: at, ..Layout::contiguous(bytes.shape().clone()) };
        let mut walk = Walk::new(self, &[&bytes], bytes.shape())?;
        self.launch(&mut walk, &[&bytes], &[&bits.with(layout)])
    }

    /// The values that it chooses of a tensor of the mask's shape.
    pub(super) fn chosen(&self, values: &Tensor, choice: &Choice) -> Result<Tensor, Error> {
        if values.dtype().is_complex() {
            let leaf = self.leaf_of(values)?;
            let part = |part| self.chosen(&Tensor::from_leaf(leaf.part(part)), choice);
            return self.pair(&part(Part::Real)?, &part(Part::Imag)?);
        }
        let (from, shape) = (self.leaf_of(values)?, Shape::from([choice.count()]));
        let provenance = Provenance::TEMPORARY.by("compress");
        let out = self.fresh(values, &shape, values.dtype(), provenance)?;
        let backend = values.device().backend();
        backend.compress(choice.mask(), &choice.selection, from.view(), out.view())?;
        Ok(Tensor::from_leaf(out))
    }

    /// The coordinates of what it chooses: an int64 tensor for each axis.
    pub(super) fn places_of(&self, choice: &Choice) -> Result<Vec<Tensor>, Error> {
        let (mask, shape) = (&choice.mask, Shape::from([choice.count()]));
        let provenance = Provenance::TEMPORARY.by("nonzero");
        let room = |_| self.fresh(mask, &shape, DType::I64, provenance);
        let outs = (0..mask.rank()).map(room).collect::<Result<Vec<Leaf>, Error>>()?;
        let views: Vec<_> = outs.iter().map(Leaf::view).collect();
        mask.device().backend().positions(choice.mask(), &choice.selection, &views)?;
        Ok(outs.into_iter().map(Tensor::from_leaf).collect())
    }
}

#[cfg(all(test, feature = "cuda"))]
mod tests {
    use super::super::trials::on_gpus;
    use super::*;
    use crate::dtype::Scalar;
    use crate::ir::CompareOp;

    const FEW: usize = 8_192;

    /// What a mask of numbers chooses that differ from place to place and lie `step` apart, and the places, beside plain
    /// loops; and whether its bits were computed.
    fn check(e: &Engine, shape: &[usize], step: isize, are_bits: bool) {
        let last = shape.len() - 1;
        let mut wide = shape.to_vec();
        wide[last] *= step.unsigned_abs();
        let count: usize = wide.iter().product();
        let number = |value: usize| Scalar::Int(value as i64);
        let line = e.arange(number(0), number(count), number(1), Some(DType::F32)).unwrap();
        let extents: Vec<i64> = wide.iter().map(|extent| *extent as i64).collect();
        let x = e.reshape(&line, &extents).unwrap();
        e.realize(&[&x]).unwrap();
        let start = if step < 0 { wide[last] - 1 } else { 0 };
        let x = e.narrow(&x, last, start, shape[last], step).unwrap();
        let columns = e.cast(&e.iota(&[shape[last]].into(), 0).unwrap(), DType::F32).unwrap();
        let sum = e.binary(BinaryOp::Add, &x, &columns).unwrap();
        let rest = e.binary(BinaryOp::Mod, &sum, number(7)).unwrap();
        let mask = || e.compare(CompareOp::Gt, &rest, number(3)).unwrap();

        let asked = mask();
        let choices = [&asked, &asked, &mask()].map(|mask| e.choice_from(FEW, mask).unwrap());
        let bits = choices.each_ref().map(|choice| matches!(choice.held, Held::Bits(_)));
        assert_eq!(bits, [are_bits, false, are_bits], "{shape:?} by {step}");
        let place = |at: usize| (at / shape[last], at % shape[last]);
        let value = |at: usize| {
            let (row, column) = place(at);
            row * wide[last] + start.wrapping_add_signed(column as isize * step)
        };
        let points = 0..shape.iter().product::<usize>();
        let chosen: Vec<usize> = points.filter(|at| (value(*at) + place(*at).1) % 7 > 3).collect();
        let numbers = |x: &Tensor| -> Vec<usize> {
            let scalars = e.to_host(x).unwrap().to_scalars();
            scalars.into_iter().map(|scalar| scalar.as_f64() as usize).collect()
        };
        let expected: Vec<usize> = chosen.iter().map(|at| value(*at)).collect();
        let columns: Vec<usize> = chosen.iter().map(|at| place(*at).1).collect();
        let rows: Vec<usize> = chosen.iter().map(|at| place(*at).0).collect();
        for choice in &choices {
            assert!(numbers(&e.chosen(&x, choice).unwrap()) == expected, "{shape:?} by {step}");
            let places = e.places_of(choice).unwrap();
            assert_eq!(places.len(), shape.len());
            assert!(numbers(&places[last]) == columns, "{shape:?} by {step}");
            assert!(last == 0 || numbers(&places[0]) == rows, "{shape:?} by {step}");
        }
    }

    /// On both sides of the sizes from which on bits are computed; with all lengths of the last byte; rows that are whole
    /// bytes, and others.
    #[test]
    fn bits_of_masks_choose_on_cuda_what_plain_loops_do() {
        let Some(e) = on_gpus() else { return };
        check(&e, &[FEW - 8], 1, false);
        check(&e, &[2 * FEW - 1], 1, false);
        check(&e, &[FEW], 1, true);
        for more in 0..9 {
            check(&e, &[2 * FEW + more], 1, true);
        }
        check(&e, &[2 * FEW + 3], 2, true);
        check(&e, &[2 * FEW + 5], -1, true);
        check(&e, &[70, 136], 1, true);
        check(&e, &[1_100, 8], 1, true);
        check(&e, &[70, 136], -3, true);
        check(&e, &[70, 137], 1, false);
        // There may be no axis more for the bits of a byte.
        let axes = |count: usize| [vec![1; count - 1], vec![FEW]].concat();
        check(&e, &axes(MAX_RANK - 1), 1, true);
        check(&e, &axes(MAX_RANK), 1, false);
    }
}
