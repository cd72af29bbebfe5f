use half::f16;

use super::*;
use crate::device::cpu::number::Number;
use crate::device::cpu::trials::{Array, Dice, Sample, device, with_threads};
use crate::ir::Access;

/// A scatter into a contiguous target whose axes are those of `dims` that no index replaces,
/// followed by the gathered ones.
struct Case<T> {
    dims: Shape,
    target: Array<T>,
    access: Access,
    indices: Vec<Array<i64>>,
    values: Array<T>,
}

impl<T: Sample> Case<T> {
    fn new(dice: &mut Dice, dims: Shape, extents: &[usize], spread: bool) -> Case<T> {
        let kept: Vec<usize> =
            (0..dims.rank()).filter(|axis| spread && axis + 1 == dims.rank()).collect();
        let shape: Shape =
            kept.iter().map(|axis| dims[*axis]).chain(extents.iter().copied()).collect();
        let target = Array::contiguous(dice, &shape);
        let strides = &target.layout.strides;
        let mut access =
            Access { strides: std::iter::repeat_n(0, dims.rank()).collect(), ..Access::default() };
        for (at, axis) in kept.iter().enumerate() {
            access.strides[*axis] = strides[at];
        }
        access.gathered =
            extents.iter().copied().zip(strides[kept.len()..].iter().copied()).collect();
        let indices = extents.iter().map(|extent| {
            let layout = dice.layout(&dims);
            let mut index = Array::<i64>::new(dice, layout);
            let bound = *extent as i64;
            index.data.iter_mut().for_each(|at| *at = at.rem_euclid(2 * bound) - bound);
            index
        });
        let indices = indices.collect();
        let layout = dice.layout(&dims);
        let values = Array::new(dice, layout);
        Case { dims, target, access, indices, values }
    }

    fn run(&self, op: ScatterOp) -> (Result<(), Error>, Vec<u64>) {
        with_threads(|| {
            let (mut target, mut values) = (self.target.clone(), self.values.clone());
            let mut indices = self.indices.clone();
            let indices: Vec<Elements<'_>> = indices.iter_mut().map(Array::elements).collect();
            let place =
                Target { start: target.elements().start(), dtype: T::DTYPE, access: &self.access };
            let (flag, device) = (Interrupt::default(), device());
            let scratch = Scratch::new(&device, "scatter");
            let values = values.elements();
            let result = scatter_elements(op, &self.dims, place, &indices, values, scratch, &flag);
            (result, target.bits())
        })
    }

    fn expected(&self, step: impl Fn(T, T) -> T) -> Vec<u64> {
        let mut target = self.target.clone();
        let coordinates = self.dims.contiguous_strides();
        let values = self.values.values();
        let indices: Vec<Vec<i64>> = self.indices.iter().map(Array::values).collect();
        for (point, value) in values.into_iter().enumerate() {
            let mut at = 0;
            for axis in 0..self.dims.rank() {
                let coordinate = point / coordinates[axis] as usize % self.dims[axis];
                at += coordinate as isize * self.access.strides[axis];
            }
            for (index, (extent, stride)) in indices.iter().zip(&self.access.gathered) {
                at += index[point].rem_euclid(*extent as i64) as isize * stride;
            }
            let place = &mut target.data[at as usize];
            *place = step(*place, value);
        }
        target.bits()
    }
}

fn check<T: Sample + Number>(dice: &mut Dice, dims: &Shape, extents: &[usize], spread: bool) {
    let case = Case::<T>::new(dice, dims.clone(), extents, spread);
    assert_eq!(case.run(ScatterOp::Write), (Ok(()), case.expected(|_, new| new)));
    assert_eq!(case.run(ScatterOp::Add), (Ok(()), case.expected(T::add)));
    assert_eq!(case.run(ScatterOp::Multiply), (Ok(()), case.expected(T::multiply)));
    assert_eq!(case.run(ScatterOp::Max), (Ok(()), case.expected(T::greater)));
    assert_eq!(case.run(ScatterOp::Min), (Ok(()), case.expected(T::lesser)));
}

#[test]
fn writes_in_row_major_order() {
    let mut dice = Dice(6);
    for round in 0..60 {
        let dims = dice.shape(0);
        let extents = &[4, 3, 5][..1 + round % 3];
        let spread = round % 2 == 0;
        check::<u8>(&mut dice, &dims, extents, spread);
        check::<u16>(&mut dice, &dims, extents, spread);
        check::<u32>(&mut dice, &dims, extents, spread);
        check::<u64>(&mut dice, &dims, extents, spread);
        check::<i16>(&mut dice, &dims, extents, spread);
        check::<f16>(&mut dice, &dims, extents, spread);
        check::<f32>(&mut dice, &dims, extents, spread);
        check::<i64>(&mut dice, &dims, extents, spread);
    }
}

#[test]
fn threads_share_large_scatters() {
    let mut dice = Dice(7);
    check::<f32>(&mut dice, &[100_000].into(), &[1_000], false);
    check::<f32>(&mut dice, &[50_000, 2].into(), &[30, 40], false);
    check::<f64>(&mut dice, &[3_000, 20].into(), &[1_000], true);
    check::<i16>(&mut dice, &[7, 10_000].into(), &[10, 10], true);
}

#[test]
fn counts_are_sums_of_one_number() {
    let mut dice = Dice(10);
    use super::count::{FEW_PLACES, MOST_PLACES};
    for places in [1, 3, 1_000, FEW_PLACES, FEW_PLACES + 1] {
        let lens = [1, 2, 8, 32].map(|each| [each * places - 1, each * places, each * places + 3]);
        for len in [1, 17].into_iter().chain(lens.concat()).filter(|len| *len > 0) {
            let mut case = Case::<i64>::new(&mut dice, [len].into(), &[places], false);
            case.values.layout.strides = [0].as_slice().into();
            for value in [1, -7, i64::MAX] {
                case.values.data.fill(value);
                assert_eq!(case.run(ScatterOp::Add), (Ok(()), case.expected(i64::wrapping_add)));
            }
        }
    }
    for (places, len) in
        [(MOST_PLACES, 4 * MOST_PLACES), (MOST_PLACES, 1000), (MOST_PLACES + 1, 4 * MOST_PLACES)]
    {
        let mut case = Case::<i64>::new(&mut dice, [len].into(), &[places], false);
        case.values.layout.strides = [0].as_slice().into();
        assert_eq!(case.run(ScatterOp::Add), (Ok(()), case.expected(i64::wrapping_add)));
    }
}

#[test]
fn the_first_bad_index_is_reported_and_nothing_written() {
    let mut dice = Dice(8);
    let mut case = Case::<i32>::new(&mut dice, [400_000].into(), &[9, 7], false);
    for index in &mut case.indices {
        *index = Array::of(vec![0; 400_000], [400_000]);
    }
    case.indices[1].data[300_000] = 7;
    case.indices[1].data[399_999] = -8;
    let error = |operand, value, extent| {
        Err(Error::IndexOutOfBounds { instr: None, operand, value, extent })
    };
    assert_eq!(case.run(ScatterOp::Write), (error(1, 7, 7), case.target.bits()));
    case.indices[0].data[399_998] = -10;
    assert_eq!(case.run(ScatterOp::Add), (error(0, -10, 9), case.target.bits()));
}

#[test]
fn adding_bools_is_or() {
    let mut dice = Dice(9);
    let mut case = Case::<bool>::new(&mut dice, [3].into(), &[2], false);
    case.target.data = vec![false, true];
    case.indices[0] = Array::of(vec![0, 1, 1], [3]);
    case.values = Array::of(vec![true, true, false], [3]);
    assert_eq!(case.run(ScatterOp::Add), (Ok(()), vec![1, 1]));
    assert_eq!(case.run(ScatterOp::Multiply), (Ok(()), vec![0, 0]));
}
