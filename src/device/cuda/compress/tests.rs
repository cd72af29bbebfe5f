use super::*;
use crate::device::cpu::trials::{Array, Dice, Sample};
use crate::device::cuda::trials::Devices;
use crate::layout::{Layout, Shape};

fn check<T: Sample + Default>(devices: &Devices, dice: &mut Dice, mask: &Layout, values: &Layout) {
    let mask = devices.twin(&Array::<bool>::new(dice, mask.clone()));
    let values = devices.twin(&Array::<T>::new(dice, values.clone()));
    let case = format!("{} {:?} {:?}", T::DTYPE, mask.layout, values.layout);
    let count =
        |device: usize| devices.0[device].backend().count_true(mask.view(device).into()).unwrap();
    let selections = [0, 1].map(count);
    assert_eq!(selections[0].count, selections[1].count, "{case}");
    let shape = Shape::from([selections[0].count]);
    let out = devices.room(T::DTYPE, &shape);
    let places: Vec<_> =
        (0..mask.layout.rank()).map(|_| devices.room(DType::I64, &shape)).collect();
    for (device, selection) in selections.iter().enumerate() {
        let (backend, mask) = (devices.0[device].backend(), Mask::from(mask.view(device)));
        backend.compress(mask, selection, values.view(device), out.view(device)).unwrap();
        let views: Vec<View<'_>> = places.iter().map(|twin| twin.view(device)).collect();
        backend.positions(mask, selection, &views).unwrap();
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

/// Blocks that count as many tiles as they do between barriers, fewer and more, and the last of them fewer than others.
#[test]
fn counts_of_several_tiles_say_where_each_begins() {
    let Some(devices) = Devices::find() else { return };
    let cuda = devices.0[1].backend().cuda().expect("the second device is a GPU");
    let mut dice = Dice(42);
    let together = 32 / (THREADS as usize / 32);
    for each in [1, together - 1, together, together + 1, 2 * together + 1] {
        let len = (COUNTING_BLOCKS * each - 1) * TILE;
        for len in [len - 1, len, len + 1] {
            let whole = Layout::contiguous([len + 1].into());
            for layout in [Layout::contiguous([len].into()), whole.narrow(0, 1, len, 1)] {
                let mask = devices.twin(&Array::<bool>::new(&mut dice, layout.clone()));
                let values = devices.twin(&Array::<i16>::new(&mut dice, layout));
                let counted = devices.0[0].backend().count_true(mask.view(0).into()).unwrap();
                let out = devices.room(DType::I16, &Shape::from([counted.count]));
                let cpu = devices.0[0].backend();
                cpu.compress(mask.view(0).into(), &counted, values.view(0), out.view(0)).unwrap();
                cuda.context.bind().unwrap();
                let selection =
                    count_by(1, &cuda.context, &cuda.staging, mask.view(1).into()).unwrap();
                assert_eq!(selection.count, counted.count, "{len}");
                let view = (values.view(1), out.view(1));
                compress(&cuda.context, &selection, view.0, view.1).unwrap();
                cuda.context.check().unwrap();
                assert!(out.bits::<i16>(0) == out.bits::<i16>(1), "{each} tiles, {len}");
            }
        }
    }
}

/// On both sides of a byte, of what a thread, a warp and a block take.
#[test]
fn masks_of_bits_select_as_those_of_bytes() {
    let Some(devices) = Devices::find() else { return };
    let mut dice = Dice(43);
    let [cpu, gpu] = [0, 1].map(|device| devices.0[device].backend());
    for around in [8, 16, 512, 4_096, 40_000] {
        for len in [around - 1, around, around + 1, around + 9] {
            let truths = Array::<bool>::contiguous(&mut dice, &[len].into());
            let bytes = truths.data.chunks(8).map(|eight| {
                eight.iter().rev().fold(0, |byte, truth| byte << 1 | u8::from(*truth))
            });
            let bits = devices.twin(&Array::of(bytes.collect(), [len.div_ceil(8)]));
            let mask = devices.twin(&truths);
            let shape = Shape::from([len]);
            let masks =
                [Mask::from(mask.view(0)), Mask::Bits { bits: &bits.storages[1], shape: &shape }];
            let expected = cpu.count_true(masks[0]).unwrap();
            let found = gpu.count_true(masks[1]).unwrap();
            assert_eq!(found.count, expected.count, "{len}");
            let values = devices.twin(&Array::<i16>::contiguous(&mut dice, &shape));
            let room = Shape::from([expected.count]);
            let (out, places) = (devices.room(DType::I16, &room), devices.room(DType::I64, &room));
            for (device, selection) in [expected, found].iter().enumerate() {
                let (backend, mask) = (devices.0[device].backend(), masks[device]);
                backend.compress(mask, selection, values.view(device), out.view(device)).unwrap();
                backend.positions(mask, selection, &[places.view(device)]).unwrap();
            }
            assert!(out.bits::<i16>(0) == out.bits::<i16>(1), "values of {len}");
            assert!(places.bits::<i64>(0) == places.bits::<i64>(1), "places of {len}");
        }
    }
}

#[test]
fn full_and_empty_masks_select_all_and_nothing() {
    let Some(devices) = Devices::find() else { return };
    for len in [0, 1, 16, 5_000, 9_000] {
        for truth in [false, true] {
            let mask = devices.twin(&Array::of(vec![truth; len], [len]));
            let backend = devices.0[1].backend();
            let selection = backend.count_true(mask.view(1).into()).unwrap();
            let count = selection.count;
            assert_eq!(count, if truth { len } else { 0 });
            let values = devices.twin(&Array::of((0..len as i32).collect(), [len]));
            let out = devices.room(DType::I32, &Shape::from([count]));
            backend.compress(mask.view(1).into(), &selection, values.view(1), out.view(1)).unwrap();
            assert_eq!(out.values::<i32>(1), (0..count as i32).collect::<Vec<_>>());
        }
    }
}
