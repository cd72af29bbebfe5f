use half::{bf16, f16};

use super::*;
use crate::device::cpu::trials::{Array, Dice, Sample};
use crate::device::cuda::trials::Devices;
use crate::layout::{Layout, Shape};

/// Both devices give the same, bit by bit.
fn check<T: Sample + Default>(devices: &Devices, array: &Array<T>) {
    let input = devices.twin(array);
    let shape = &array.layout.shape;
    for (descending, wants) in [(false, [true, true]), (true, [true, false]), (true, [false, true])]
    {
        let values = devices.room(T::DTYPE, shape);
        let indices = devices.room(DType::I64, shape);
        for device in 0..2 {
            let [values, indices] = [&values, &indices].map(|twin| twin.view(device));
            let backend = devices.0[device].backend();
            let out = [wants[0].then_some(values), wants[1].then_some(indices)];
            backend.sort(input.view(device), descending, out[0], out[1]).unwrap();
        }
        let case = format!("{} {shape} {descending} {wants:?}", T::DTYPE);
        if wants[0] {
            assert_eq!(values.bits::<T>(0), values.bits::<T>(1), "values of {case}");
        }
        if wants[1] {
            assert_eq!(indices.bits::<i64>(0), indices.bits::<i64>(1), "indices of {case}");
        }
    }
}

fn check_all(devices: &Devices, dice: &mut Dice, layout: &Layout) {
    check(devices, &Array::<bool>::new(dice, layout.clone()));
    check(devices, &Array::<u8>::new(dice, layout.clone()));
    check(devices, &Array::<u16>::new(dice, layout.clone()));
    check(devices, &Array::<u32>::new(dice, layout.clone()));
    check(devices, &Array::<u64>::new(dice, layout.clone()));
    check(devices, &Array::<i8>::new(dice, layout.clone()));
    check(devices, &Array::<i16>::new(dice, layout.clone()));
    check(devices, &Array::<i32>::new(dice, layout.clone()));
    check(devices, &Array::<i64>::new(dice, layout.clone()));
    check(devices, &Array::<f16>::new(dice, layout.clone()));
    check(devices, &Array::<bf16>::new(dice, layout.clone()));
    check(devices, &Array::<f32>::new(dice, layout.clone()));
    check(devices, &Array::<f64>::new(dice, layout.clone()));
}

#[test]
fn rows_of_any_layout_sort_as_on_the_cpu() {
    let Some(devices) = Devices::find() else { return };
    let mut dice = Dice(20);
    for _ in 0..20 {
        let shape = dice.shape(0);
        let layout = dice.layout(&shape);
        check_all(&devices, &mut dice, &layout);
    }
}

#[test]
fn rows_of_any_length_sort_as_on_the_cpu() {
    let Some(devices) = Devices::find() else { return };
    let mut dice = Dice(21);
    for shape in [[3, 65], [2, 200], [1, 1_000]] {
        check_all(&devices, &mut dice, &Layout::contiguous(shape.into()));
    }
    for shape in [[2, 4_096], [1, 8_192], [2, 8_193], [1, 20_000]] {
        let layout = Layout::contiguous(shape.into());
        check(&devices, &Array::<f32>::new(&mut dice, layout.clone()));
        check(&devices, &Array::<i64>::new(&mut dice, layout.clone()));
        check(&devices, &Array::<bool>::new(&mut dice, layout));
    }
}

/// On both sides of each length that decides, and with more rows than a block has.
#[test]
fn short_rows_sort_as_on_the_cpu() {
    let Some(devices) = Devices::find() else { return };
    let mut dice = Dice(23);
    let shapes = [[5, 1], [300, 2], [9, 4], [70, 5], [7, 16], [9, 17], [3, 32], [9, 33], [3, 64]];
    let longer = [[3, 65], [3, 128], [2, 129], [1, 256], [2, 257], [1, 512], [2, 513]];
    for shape in shapes.into_iter().chain(longer) {
        let layout = Layout::contiguous(shape.into());
        check(&devices, &Array::<f32>::new(&mut dice, layout.clone()));
        if (64..=129).contains(&shape[1]) {
            check(&devices, &Array::<i64>::new(&mut dice, layout.clone()));
            check(&devices, &Array::<i16>::new(&mut dice, layout));
        }
    }
}

/// Without NaN and negative zeros a key tells its element, and no positions are sorted with it.
#[test]
fn plain_rows_sort_as_on_the_cpu() {
    let Some(devices) = Devices::find() else { return };
    for len in [3, 20, 70, 300] {
        let value = |at: usize| (at * 7_919 % 97) as f32 - 40.0;
        let values = (0..9 * len).map(value).collect();
        check(&devices, &Array::<f32>::of(values, Shape::from([9, len])));
    }
}

/// A digit that is everywhere the same needs no pass, in each row by itself.
#[test]
fn rows_with_few_digits_sort_as_on_the_cpu() {
    let Some(devices) = Devices::find() else { return };
    let (rows, len) = (4, 9_000);
    let value = |row: usize, at: usize| {
        let mixed = (at * 7_919 % len) as i64;
        [7, mixed % 256 - 128, mixed << 20, (mixed << 40) | (mixed % 3)][row]
    };
    let values = (0..rows * len).map(|at| value(at / len, at % len)).collect();
    check(&devices, &Array::<i64>::of(values, Shape::from([rows, len])));
}

#[test]
fn pairs_keep_their_order() {
    let Some(devices) = Devices::find() else { return };
    let mut dice = Dice(22);
    let [_, gpu] = &devices.0;
    let backend = gpu.backend().cuda().expect("the second device is a GPU");
    for (len, bits) in [(1, 1), (1_000, 5), (20_000, 13)] {
        let keys: Vec<i64> = (0..len).map(|_| dice.below(1 << bits) as i64).collect();
        let twin = devices.twin(&Array::of(keys.clone(), [len]));
        let address = twin.storages[1].address();
        let context = &backend.context;
        let sorted = sort_pairs(context, gpu, (address, 8), None, len, bits as u32).unwrap();
        let read = |storage: &Storage| {
            let mut bytes = vec![0; storage.size_bytes()];
            gpu.backend().copy_to_host(storage, 0, &mut bytes).unwrap();
            bytes
        };
        let mut expected: Vec<u32> = (0..len as u32).collect();
        expected.sort_by_key(|at| keys[*at as usize]);
        let words = |bytes: Vec<u8>| -> Vec<u32> {
            let chunks = bytes.chunks_exact(4);
            chunks.map(|chunk| u32::from_ne_bytes(chunk.try_into().unwrap())).collect()
        };
        assert!(!sorted.is_wide);
        assert_eq!(words(read(&sorted.payload)), expected, "{len} keys of {bits} bits");
        let low: Vec<u32> = words(read(&sorted.keys)).into_iter().step_by(2).collect();
        let expected: Vec<u32> = expected.iter().map(|at| keys[*at as usize] as u32).collect();
        assert_eq!(low, expected, "{len} keys of {bits} bits");
    }
}

#[test]
fn even_steps_are_found() {
    assert_eq!(even_step(&[], &[]), Some(0));
    assert_eq!(even_step(&[4, 1, 5], &[10, 7, 2]), Some(2));
    assert_eq!(even_step(&[4, 5], &[9, 2]), None);
    assert_eq!(even_step(&[4, 5], &[-10, -2]), Some(-2));
    assert_eq!(even_step(&[3, 4], &[0, 0]), Some(0));
}
