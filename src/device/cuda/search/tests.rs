use half::{bf16, f16};

use super::*;
use crate::device::cpu::trials::{Array, Dice, Sample};
use crate::device::cuda::trials::Devices;
use crate::dtype::DType;
use crate::layout::Layout;

/// The places of a loop that counts. `is_before` says of an element and a value whether it stands before it.
fn check<T: Sample + Default + Copy>(
    devices: &Devices,
    dice: &mut Dice,
    count: usize,
    values: &Layout,
    order: impl Fn(&T, &T) -> std::cmp::Ordering,
) {
    let mut sorted = Array::<T>::new(dice, Layout::contiguous([count].into())).data;
    sorted.sort_by(&order);
    let wanted = Array::<T>::new(dice, values.clone());
    let shape = &wanted.layout.shape;
    let [among, of] = [&Array::of(sorted.clone(), [count]), &wanted].map(|x| devices.twin(x));
    let backend = devices.0[1].backend();
    let searcher = backend.searcher().expect("GPUs search");
    for right in [false, true] {
        let out = devices.room(DType::I64, shape);
        searcher.search(among.view(1), of.view(1), right, out.view(1)).unwrap();
        let place = |value: &T| {
            let is_before = |element: &T| match order(element, value) {
                std::cmp::Ordering::Less => true,
                std::cmp::Ordering::Equal => right,
                std::cmp::Ordering::Greater => false,
            };
            sorted.partition_point(is_before) as i64
        };
        let expected: Vec<i64> = wanted.values().iter().map(place).collect();
        let found = out.values::<i64>(1);
        assert!(found == expected, "{} of {count} by {:?}, {right}", T::DTYPE, wanted.layout);
    }
}

/// NaN last, zeros equal.
fn floats<T: Copy + Into<f64>>(a: &T, b: &T) -> std::cmp::Ordering {
    let (a, b): (f64, f64) = ((*a).into(), (*b).into());
    a.partial_cmp(&b).unwrap_or(a.is_nan().cmp(&b.is_nan()))
}

#[test]
fn places_are_those_of_a_loop() {
    let Some(devices) = Devices::find() else { return };
    let dice = &mut Dice(61);
    let counts = [0, 1, 2, 3, 255, 256, 257, 1_000, 4_095, 4_096, 4_097, 9_001, 70_000];
    for (turn, count) in counts.into_iter().enumerate() {
        let layout = match turn % 3 {
            0 => Layout::contiguous([0].into()),
            1 => Layout::contiguous([5_003].into()),
            _ => {
                let shape = dice.shape(0);
                dice.layout(&shape)
            }
        };
        for layout in [&layout, &Layout::contiguous([2 * THREADS * NEAR + 3].into())] {
            check::<i64>(&devices, dice, count, layout, Ord::cmp);
            check::<u8>(&devices, dice, count, layout, Ord::cmp);
            check::<f32>(&devices, dice, count, layout, floats);
            check::<f64>(&devices, dice, count, layout, floats);
            if turn % 4 == 0 {
                check::<bool>(&devices, dice, count, layout, Ord::cmp);
                check::<u64>(&devices, dice, count, layout, Ord::cmp);
                check::<i32>(&devices, dice, count, layout, Ord::cmp);
                check::<i16>(&devices, dice, count, layout, Ord::cmp);
                check::<f16>(&devices, dice, count, layout, floats);
                check::<bf16>(&devices, dice, count, layout, floats);
            }
        }
    }
}

#[test]
fn sorted_elements_may_lie_apart() {
    let Some(devices) = Devices::find() else { return };
    let sorted = devices.twin(&Array::of((0..2_000).map(|at| at as f32).collect(), [2_000]));
    let values = devices.twin(&Array::of(vec![-1.0f32, 0.0, 11.0, 12.0, 1_998.0, 5e9], [6]));
    let out = devices.room(DType::I64, &[6].into());
    let layout = sorted.layout.narrow(0, 0, 1_000, 2);
    let apart = View { layout: &layout, ..sorted.view(1) };
    let backend = devices.0[1].backend();
    backend.searcher().unwrap().search(apart, values.view(1), false, out.view(1)).unwrap();
    assert_eq!(out.values::<i64>(1), [0, 0, 6, 6, 999, 1_000]);
}
