use half::{bf16, f16};

use super::*;
use crate::device::cpu::trials::{Array, Dice, Sample};
use crate::device::cuda::trials::{Devices, Twin};
use crate::layout::{Layout, Shape};

/// A scatter into a contiguous target whose axes are those of `dims` that no index replaces,
/// followed by the gathered ones.
struct Case<T> {
    dims: Shape,
    target: Array<T>,
    access: Access,
    indices: Vec<Array<i64>>,
    values: Array<T>,
}

impl<T: Sample + Default> Case<T> {
    /// The axes in `kept` are the target's own.
    fn new(
        dice: &mut Dice,
        dims: Shape,
        extents: &[usize],
        kept: &[usize],
        plain: bool,
    ) -> Case<T> {
        let shape: Shape =
            extents.iter().copied().chain(kept.iter().map(|axis| dims[*axis])).collect();
        let target = Array::contiguous(dice, &shape);
        let strides = &target.layout.strides;
        let mut access =
            Access { strides: std::iter::repeat_n(0, dims.rank()).collect(), ..Access::default() };
        for (at, axis) in kept.iter().enumerate() {
            access.strides[*axis] = strides[extents.len() + at];
        }
        access.gathered = extents.iter().copied().zip(strides.iter().copied()).collect();
        let indices = extents.iter().map(|extent| {
            let layout = if plain {
                // The same index for a whole row.
                let mut layout = Layout::contiguous(dims.clone());
                kept.iter().for_each(|axis| layout.strides[*axis] = 0);
                layout
            } else {
                dice.layout(&dims)
            };
            let mut index = Array::<i64>::new(dice, layout);
            let bound = *extent as i64;
            index.data.iter_mut().for_each(|at| *at = at.rem_euclid(2 * bound) - bound);
            index
        });
        let indices = indices.collect();
        let layout = if plain { Layout::contiguous(dims.clone()) } else { dice.layout(&dims) };
        let values = Array::new(dice, layout);
        Case { dims, target, access, indices, values }
    }

    /// Runs on both devices; they must agree.
    fn check(&self, devices: &Devices, op: ScatterOp) -> Result<(), Error> {
        let target = devices.twin(&self.target);
        let values = devices.twin(&self.values);
        let indices: Vec<Twin> = self.indices.iter().map(|index| devices.twin(index)).collect();
        let space = Space { dims: self.dims.iter().copied().collect(), kept: self.dims.rank() };
        let [cpu, gpu] = [0, 1].map(|device| {
            let views: Vec<View<'_>> = indices.iter().map(|twin| twin.view(device)).collect();
            let place = (&*target.storages[device], &self.access);
            let backend = devices.0[device].backend();
            backend.scatter(op, &space, place, &views, values.view(device))
        });
        assert_eq!(cpu, gpu, "{op:?}");
        let case = || format!("{op:?} {} {:?} {:?}", T::DTYPE, self.dims, self.access);
        assert!(target.bits::<T>(0) == target.bits::<T>(1), "{}", case());
        gpu
    }
}

const OPS: [ScatterOp; 5] =
    [ScatterOp::Write, ScatterOp::Add, ScatterOp::Multiply, ScatterOp::Max, ScatterOp::Min];

fn check<T: Sample + Default>(
    devices: &Devices,
    dice: &mut Dice,
    dims: &Shape,
    extents: &[usize],
    kept: &[usize],
    plain: bool,
) {
    let case = Case::<T>::new(dice, dims.clone(), extents, kept, plain);
    for op in OPS {
        case.check(devices, op).unwrap();
    }
}

#[test]
fn scatters_of_any_layout_are_those_of_the_cpu() {
    let Some(devices) = Devices::find() else { return };
    let mut dice = Dice(50);
    for round in 0..24 {
        let dims = dice.shape(0);
        let extents = &[4, 3, 5][..1 + round % 3];
        let last = dims.rank().saturating_sub(1)..dims.rank();
        let kept: Vec<usize> = if round % 2 == 0 { last.collect() } else { Vec::new() };
        let plain = round % 4 < 2;
        check::<f32>(&devices, &mut dice, &dims, extents, &kept, plain);
        match round % 8 {
            0 => check::<bool>(&devices, &mut dice, &dims, extents, &kept, plain),
            1 => check::<u8>(&devices, &mut dice, &dims, extents, &kept, plain),
            2 => check::<i16>(&devices, &mut dice, &dims, extents, &kept, plain),
            3 => check::<u16>(&devices, &mut dice, &dims, extents, &kept, plain),
            4 => check::<u32>(&devices, &mut dice, &dims, extents, &kept, plain),
            5 => check::<u64>(&devices, &mut dice, &dims, extents, &kept, plain),
            6 => check::<i64>(&devices, &mut dice, &dims, extents, &kept, plain),
            _ => check::<f16>(&devices, &mut dice, &dims, extents, &kept, plain),
        }
    }
}

#[test]
fn scatters_of_rows_are_those_of_the_cpu() {
    let Some(devices) = Devices::find() else { return };
    let mut dice = Dice(51);
    for (dims, extents) in [([300, 64], 200), ([40, 7], 50), ([5, 1_000], 9), ([90, 2], 1)] {
        check::<i8>(&devices, &mut dice, &dims.into(), &[extents], &[1], true);
        check::<i32>(&devices, &mut dice, &dims.into(), &[extents], &[1], true);
        check::<bf16>(&devices, &mut dice, &dims.into(), &[extents], &[1], true);
        check::<f32>(&devices, &mut dice, &dims.into(), &[extents], &[1], true);
        check::<f64>(&devices, &mut dice, &dims.into(), &[extents], &[1], true);
        // Columns: the row's axis comes first.
        check::<f32>(&devices, &mut dice, &dims.into(), &[extents], &[0], true);
        let mut case = Case::<f32>::new(&mut dice, dims.into(), &[extents], &[1], true);
        // One value for a whole row, and one for all.
        case.values.layout.strides[1] = 0;
        case.check(&devices, ScatterOp::Write).unwrap();
        case.check(&devices, ScatterOp::Add).unwrap();
        case.values.layout.strides[0] = 0;
        case.check(&devices, ScatterOp::Write).unwrap();
    }
}

#[test]
fn large_scatters_are_those_of_the_cpu() {
    let Some(devices) = Devices::find() else { return };
    let mut dice = Dice(52);
    check::<f32>(&devices, &mut dice, &[30_000].into(), &[1_000], &[], true);
    check::<i32>(&devices, &mut dice, &[30_000].into(), &[10], &[], true);
    check::<f64>(&devices, &mut dice, &[10_000, 2].into(), &[30, 40], &[], true);
    // So few claims that their owners are searched for.
    check::<f32>(&devices, &mut dice, &[500].into(), &[2_000_000], &[], true);
    check::<i64>(&devices, &mut dice, &[60, 3].into(), &[700_000], &[1], true);
}

#[test]
fn counts_are_those_of_the_cpu() {
    let Some(devices) = Devices::find() else { return };
    let mut dice = Dice(54);
    for (dims, extents) in [
        ([40_000].as_slice(), [100].as_slice()),
        (&[700], &[1]),
        (&[640], &[10]),
        (&[639], &[10]),
        (&[530_000], &[8_192]),
        (&[530_000], &[8_193]),
        (&[300, 50], &[7, 9]),
    ] {
        let mut case = Case::<i64>::new(&mut dice, dims.into(), extents, &[], true);
        case.values.layout.strides.fill(0);
        for value in [1, -3, i64::MAX] {
            case.values.data.fill(value);
            case.check(&devices, ScatterOp::Add).unwrap();
        }
        let mut case = Case::<u64>::new(&mut dice, dims.into(), extents, &[], false);
        case.values.layout.strides.fill(0);
        case.check(&devices, ScatterOp::Add).unwrap();
    }
}

#[test]
fn the_first_bad_index_is_reported_and_nothing_written() {
    let Some(devices) = Devices::find() else { return };
    let mut dice = Dice(53);
    let mut case = Case::<f32>::new(&mut dice, [40_000].into(), &[9, 7], &[], true);
    for index in &mut case.indices {
        *index = Array::of(vec![0; 40_000], [40_000]);
    }
    case.indices[1].data[30_000] = 7;
    case.indices[1].data[39_999] = -8;
    let error = |operand, value, extent| {
        Err(Error::IndexOutOfBounds { instr: None, operand, value, extent })
    };
    for op in OPS {
        assert_eq!(case.check(&devices, op), error(1, 7, 7));
    }
    case.indices[0].data[39_998] = -10;
    for op in OPS {
        assert_eq!(case.check(&devices, op), error(0, -10, 9));
    }
    case.indices[0].data[39_998] = 0;
    case.indices[1].data[30_000..].fill(-7);
    case.check(&devices, ScatterOp::Write).unwrap();
}
