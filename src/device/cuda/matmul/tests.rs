use half::{bf16, f16};

use super::product::Axis;
use super::*;
use crate::device::cpu::trials::{Array, Dice, Sample};
use crate::device::cuda::trials::Devices;

/// Small whole numbers, whose sums of products every type holds exactly.
fn small<T: Sample>(dice: &mut Dice, shape: &Shape, from: impl Fn(i64) -> T) -> Array<T> {
    let layout = dice.layout(shape);
    let data = (0..layout.extent().end).map(|_| from(dice.below(7) as i64 - 3)).collect();
    Array { data, layout }
}

/// Both devices give the same numbers. `plain` takes the sign of a zero away.
fn check<T: Sample + Default>(
    devices: &Devices,
    dice: &mut Dice,
    batch: &[usize],
    [rows, depth, columns]: [usize; 3],
    from: impl Fn(i64) -> T,
    plain: impl Fn(T) -> i64,
) {
    let shape = |a: usize, b: usize| -> Shape { batch.iter().copied().chain([a, b]).collect() };
    let lhs = small(dice, &shape(rows, depth), &from);
    let rhs = small(dice, &shape(depth, columns), &from);
    let (left, right) = (devices.twin(&lhs), devices.twin(&rhs));
    let out = devices.room(T::DTYPE, &shape(rows, columns));
    for device in 0..2 {
        let [left, right, out] = [&left, &right, &out].map(|twin| twin.view(device));
        let backend = devices.0[device].backend();
        backend.matmul(left, right, out, MatmulPrecision::Highest).unwrap();
    }
    let [cpu, gpu] = [0, 1]
        .map(|device| -> Vec<i64> { out.values::<T>(device).into_iter().map(&plain).collect() });
    let (dtype, left, right) = (T::DTYPE, &lhs.layout, &rhs.layout);
    assert_eq!(cpu, gpu, "{dtype} {left:?} by {right:?}");
}

fn check_all(devices: &Devices, dice: &mut Dice, batch: &[usize], sizes: [usize; 3]) {
    check::<f32>(devices, dice, batch, sizes, |x| x as f32, |x| x as i64);
    check::<f64>(devices, dice, batch, sizes, |x| x as f64, |x| x as i64);
    check::<f16>(devices, dice, batch, sizes, |x| f16::from_f32(x as f32), |x| x.to_f32() as i64);
    check::<bf16>(devices, dice, batch, sizes, |x| bf16::from_f32(x as f32), |x| x.to_f32() as i64);
    check::<u8>(devices, dice, batch, sizes, |x| x as u8, i64::from);
    check::<u16>(devices, dice, batch, sizes, |x| x as u16, i64::from);
    check::<u32>(devices, dice, batch, sizes, |x| x as u32, i64::from);
    check::<u64>(devices, dice, batch, sizes, |x| x as u64, |x| x as i64);
    check::<i8>(devices, dice, batch, sizes, |x| x as i8, i64::from);
    check::<i16>(devices, dice, batch, sizes, |x| x as i16, i64::from);
    check::<i32>(devices, dice, batch, sizes, |x| x as i32, i64::from);
    check::<i64>(devices, dice, batch, sizes, |x| x, |x| x);
    check::<bool>(devices, dice, batch, sizes, |x| x > 0, i64::from);
}

#[test]
fn matrices_of_any_layout_multiply_as_on_the_cpu() {
    let Some(devices) = Devices::find() else { return };
    let mut dice = Dice(30);
    for _ in 0..25 {
        let batch = dice.shape(0);
        let batch = &batch[..batch.len().min(3)];
        let sizes = std::array::from_fn(|_| [0, 1, 1, 2, 3, 5, 8, 17][dice.below(8)]);
        check_all(&devices, &mut dice, batch, sizes);
    }
}

#[test]
fn larger_matrices_multiply_as_on_the_cpu() {
    let Some(devices) = Devices::find() else { return };
    let mut dice = Dice(31);
    for sizes in [[65, 40, 130], [1, 300, 70], [70, 300, 1], [1, 5_000, 1], [64, 64, 64]] {
        check_all(&devices, &mut dice, &[], sizes);
    }
    // Short rows by a vector, which are a program's, and long ones that begin anywhere, which are cuBLAS's.
    for sizes in [[300, 7, 1], [1, 7, 300], [70, 301, 1], [1, 301, 70]] {
        check_all(&devices, &mut dice, &[], sizes);
    }
}

#[test]
fn products_by_the_own_kernel_are_right_too() {
    let Some(devices) = Devices::find() else { return };
    let mut dice = Dice(32);
    let [cpu, gpu] = &devices.0;
    let backend = gpu.backend().cuda().expect("the second device is a GPU");
    let [lhs, rhs] = [[3, 70, 33], [3, 33, 20]].map(|shape| {
        let shape = Shape::from(shape);
        devices.twin(&small(&mut dice, &shape, |x| x as f32))
    });
    let out = devices.room(DType::F32, &[3, 70, 20].into());
    let job = Job { context: &backend.context, runner: &backend.runner, out: out.view(1) };
    backend.context.bind().unwrap();
    job.multiply_by_kernel(lhs.view(1), rhs.view(1)).unwrap();
    let precision = MatmulPrecision::Highest;
    cpu.backend().matmul(lhs.view(0), rhs.view(0), out.view(0), precision).unwrap();
    assert_eq!(out.values::<f32>(0), out.values::<f32>(1));
}

#[test]
fn stacks_of_small_products_multiply_as_on_the_cpu() {
    let Some(devices) = Devices::find() else { return };
    let mut dice = Dice(33);
    for _ in 0..16 {
        let sizes = std::array::from_fn(|_| [1, 2, 3, 4, 8, 15, 16, 17][dice.below(8)]);
        let stacks: [&[usize]; 5] = [&[2], &[70], &[3, 5], &[2, 1, 7], &[2, 3, 2, 3]];
        let stack = stacks[dice.below(5)];
        check_all(&devices, &mut dice, stack, sizes);
    }
}

/// Elements that round, NaN, the infinities and signed zeros among them.
fn wild<T: Sample>(dice: &mut Dice, shape: &Shape, from: impl Fn(f64) -> T) -> Array<T> {
    let layout = dice.layout(shape);
    let mut number = || match dice.below(97) {
        0 => f64::NAN,
        1 => f64::INFINITY,
        2 => -0.0,
        _ => dice.below(2_000_003) as f64 / 1_000_003.0 - 1.0,
    };
    let data = (0..layout.extent().end).map(|_| from(number())).collect();
    Array { data, layout }
}

#[test]
fn a_stack_of_small_products_has_the_bits_of_the_kernel_for_large_ones() {
    let Some(devices) = Devices::find() else { return };
    let mut dice = Dice(34);
    fn check<T: Sample + Default>(devices: &Devices, dice: &mut Dice, from: impl Fn(f64) -> T) {
        let backend = devices.0[1].backend().cuda().expect("the second device is a GPU");
        backend.context.bind().unwrap();
        let [rows, depth, columns] = std::array::from_fn(|_| 1 + dice.below(small::SIDE));
        // On both sides of what a block takes, which of the smallest is a thousand.
        let largest = (rows * depth).max(depth * columns).max(rows * columns);
        let together = small::products_together(size_of::<T>(), largest);
        let count = [2, together, together + 1, 2 * together + 1][dice.below(4)];
        let inner = 1 + dice.below(3);
        let stack = [count.div_ceil(inner).max(2), inner];
        let shape = |a: usize, b: usize| Shape::from([stack[0], stack[1], a, b]);
        let lhs = devices.twin(&wild(dice, &shape(rows, depth), &from));
        let rhs = devices.twin(&wild(dice, &shape(depth, columns), &from));
        let outs: [_; 2] = std::array::from_fn(|_| devices.room(T::DTYPE, &shape(rows, columns)));
        let job = |out| Job { context: &backend.context, runner: &backend.runner, out };
        let product = Product::of(lhs.view(1), rhs.view(1), outs[0].view(1));
        assert!(product.is_small_stack(), "{product:?}");
        job(outs[0].view(1)).multiply_small(&product).unwrap();
        job(outs[1].view(1)).multiply_by_kernel(lhs.view(1), rhs.view(1)).unwrap();
        let what = (T::DTYPE, &lhs.layout, &rhs.layout);
        assert_eq!(outs[0].bits::<T>(1), outs[1].bits::<T>(1), "{what:?}");
    }
    for _ in 0..6 {
        check::<f32>(&devices, &mut dice, |x| x as f32);
        check::<f64>(&devices, &mut dice, |x| x);
        check::<f16>(&devices, &mut dice, f16::from_f64);
        check::<bf16>(&devices, &mut dice, bf16::from_f64);
        check::<i32>(&devices, &mut dice, |x| (x * 2e9) as i32);
        check::<u8>(&devices, &mut dice, |x| (x * 1e9) as i64 as u8);
    }
}

#[test]
fn small_stacks_end_at_a_side() {
    let product = |rows, count| Product {
        rows,
        columns: 2,
        depth: 3,
        lhs: matrix(3, 1),
        rhs: matrix(2, 1),
        out: 0,
        axes: [Axis { extent: count, lhs: 48, rhs: 6, out: 32 }].into_iter().collect(),
    };
    assert!(product(small::SIDE, 2).is_small_stack());
    assert!(!product(small::SIDE + 1, 2).is_small_stack());
    assert!(!product(small::SIDE, 1).is_small_stack());
}

fn matrix(row: isize, column: isize) -> product::Matrix {
    product::Matrix { address: 0, row, column }
}

#[test]
fn cublas_reads_what_has_contiguous_rows_or_columns() {
    let how = |row, column, rows, columns| {
        let found = matrix(row, column).for_blas(rows, columns)?;
        Some((found.is_transposed, found.leading))
    };
    assert_eq!(how(7, 1, 3, 5), Some((false, 7)));
    assert_eq!(how(1, 7, 3, 5), Some((true, 7)));
    assert_eq!(how(5, 2, 3, 5), None);
    assert_eq!(how(0, 1, 3, 5), None);
    assert_eq!(how(-5, 1, 3, 5), None);
    // A column of every third element; a row of every third; one element.
    assert_eq!(how(3, 9, 4, 1), Some((false, 3)));
    assert_eq!(how(9, 3, 1, 4), Some((true, 3)));
    assert_eq!(how(-4, 0, 1, 1), Some((false, 1)));
}

#[test]
fn products_with_one_right_operand_become_one() {
    let axis = |extent, lhs, rhs, out| Axis { extent, lhs, rhs, out };
    let product = Product {
        rows: 3,
        columns: 2,
        depth: 5,
        lhs: matrix(5, 1),
        rhs: matrix(2, 1),
        out: 0,
        axes: [axis(4, 77, 0, 42), axis(7, 15, 0, 6)].into_iter().collect(),
    };
    let joined = product.clone().with_joined_rows();
    assert_eq!((joined.rows, joined.axes.len()), (21, 1));
    let other = Product { axes: [axis(7, 15, 10, 6)].into_iter().collect(), ..product };
    assert_eq!(other.clone().with_joined_rows(), other);
    // A row that stands for all of a stack does not become rows: they would lie in one place.
    let one = Product { rows: 1, axes: [axis(7, 0, 0, 2)].into_iter().collect(), ..other };
    assert_eq!(one.clone().with_joined_rows(), one);
}

#[test]
fn stacks_of_rows_of_any_layout_multiply_as_on_the_cpu() {
    let Some(devices) = Devices::find() else { return };
    let mut dice = Dice(35);
    for _ in 0..12 {
        // Longer than a stack of small products: by cuBLAS, where it is.
        let sizes = [1, 1 + dice.below(40), 2 + dice.below(40)];
        let stacks: [&[usize]; 4] = [&[3], &[3, 2], &[1, 4], &[2, 3, 2]];
        let stack = stacks[dice.below(4)];
        check_all(&devices, &mut dice, stack, sizes);
    }
}

#[test]
fn the_absence_of_cublas_is_told_once() {
    let blas = Blas::default();
    assert_eq!(blas.absence(), None);
    blas.miss();
    assert!(blas.absence().is_some_and(|words| words.contains("nvidia-cublas")));
    blas.miss();
    assert_eq!(blas.absence(), None);
}
