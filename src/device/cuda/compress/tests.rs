use super::*;
use crate::device::cpu::trials::{Array, Dice, Sample};
use crate::device::cuda::trials::Devices;
use crate::layout::{Layout, Shape};

fn check<T: Sample + Default>(devices: &Devices, dice: &mut Dice, mask: &Layout, values: &Layout) {
    let mask = devices.twin(&Array::<bool>::new(dice, mask.clone()));
    let values = devices.twin(&Array::<T>::new(dice, values.clone()));
    let case = format!("{} {:?} {:?}", T::DTYPE, mask.layout, values.layout);
    let count = |device: usize| devices.0[device].backend().count_true(mask.view(device)).unwrap();
    let [expected, got] = [count(0), count(1)];
    assert_eq!(expected, got, "{case}");
    let shape = Shape::from([got]);
    let out = devices.room(T::DTYPE, &shape);
    let places: Vec<_> =
        (0..mask.layout.rank()).map(|_| devices.room(DType::I64, &shape)).collect();
    for device in 0..2 {
        let backend = devices.0[device].backend();
        backend.compress(mask.view(device), values.view(device), out.view(device)).unwrap();
        let views: Vec<View<'_>> = places.iter().map(|twin| twin.view(device)).collect();
        backend.positions(mask.view(device), &views).unwrap();
    }
    assert!(out.bits::<T>(0) == out.bits::<T>(1), "values of {case}");
    for (axis, twin) in places.iter().enumerate() {
        assert!(twin.bits::<i64>(0) == twin.bits::<i64>(1), "positions along {axis} of {case}");
    }
}

#[test]
fn masks_of_any_layout_select_as_on_the_cpu() {
    let Some(devices) = Devices::find() else { return };
    let mut dice = Dice(40);
    for turn in 0..40 {
        let shape = dice.shape(0);
        let [mask, values] = [(); 2].map(|()| dice.layout(&shape));
        match turn % 4 {
            0 => check::<u8>(&devices, &mut dice, &mask, &values),
            1 => check::<i16>(&devices, &mut dice, &mask, &values),
            2 => check::<f32>(&devices, &mut dice, &mask, &values),
            _ => check::<f64>(&devices, &mut dice, &mask, &values),
        }
    }
}

#[test]
fn masks_of_any_length_select_as_on_the_cpu() {
    let Some(devices) = Devices::find() else { return };
    let mut dice = Dice(41);
    for shape in [[1, 15], [1, 4_096], [3, 4_097], [31, 7_001], [2, 80_000]] {
        let plain = Layout::contiguous(shape.into());
        check::<bool>(&devices, &mut dice, &plain, &plain);
        check::<i16>(&devices, &mut dice, &plain, &plain);
        check::<f32>(&devices, &mut dice, &plain, &plain);
        check::<i64>(&devices, &mut dice, &plain, &plain);
        // Not where 16 bytes are read at once.
        let shifted = Layout { offset: 3, ..plain.clone() };
        check::<f32>(&devices, &mut dice, &shifted, &plain);
        check::<f32>(&devices, &mut dice, &plain, &shifted);
        let turned = Layout::contiguous([shape[1], shape[0]].into()).permute(&[1, 0]);
        check::<f32>(&devices, &mut dice, &plain, &turned);
    }
}

#[test]
fn full_and_empty_masks_select_all_and_nothing() {
    let Some(devices) = Devices::find() else { return };
    for len in [0, 1, 16, 5_000, 9_000] {
        for truth in [false, true] {
            let mask = devices.twin(&Array::of(vec![truth; len], [len]));
            let count = devices.0[1].backend().count_true(mask.view(1)).unwrap();
            assert_eq!(count, if truth { len } else { 0 });
            let values = devices.twin(&Array::of((0..len as i32).collect(), [len]));
            let out = devices.room(DType::I32, &Shape::from([count]));
            devices.0[1].backend().compress(mask.view(1), values.view(1), out.view(1)).unwrap();
            assert_eq!(out.values::<i32>(1), (0..count as i32).collect::<Vec<_>>());
        }
    }
}
