use half::{bf16, f16};

use super::*;
#[cfg(feature = "simd")]
use crate::device::cpu::dispatch::Level;
use crate::device::cpu::trials::{Array, Dice, Sample, device, with_threads};
use crate::layout::{Layout, Shape, Strides};
use crate::memory::Provenance;

/// What makes a product of operands that no storage holds.
type Multiply = fn(Elements<'_>, Elements<'_>, Elements<'_>, &Interrupt) -> Result<(), Error>;

/// What `matmul` does.
fn multiply(
    lhs: Elements<'_>,
    rhs: Elements<'_>,
    out: Elements<'_>,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    with_context(interrupt, |context| matmul_elements(lhs, rhs, out, context))
}

/// By our own loop, whatever the features.
fn multiply_blocked<T: blocked::Ring>(
    lhs: Elements<'_>,
    rhs: Elements<'_>,
    out: Elements<'_>,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    if out.len() == 0 {
        return Ok(());
    }
    with_context(interrupt, |context| batches(lhs, rhs, out, context, blocked::multiply::<T>, None))
}

fn with_context(
    interrupt: &Interrupt,
    run: impl FnOnce(Context<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let device = device();
    run(Context { scratch: Scratch::new(&device, "matmul"), interrupt })
}

fn small<T>(dice: &mut Dice, layout: Layout, from: impl Fn(i64) -> T) -> Array<T> {
    let data = (0..layout.extent().end).map(|_| from(dice.below(7) as i64 - 3)).collect();
    Array { data, layout }
}

fn check<T: Sample>(
    dice: &mut Dice,
    batch: &[usize],
    sizes: [usize; 3],
    from: impl Fn(i64) -> T + Copy,
    to: impl Fn(T) -> i64 + Sync,
) {
    check_by(multiply, dice, batch, sizes, from, to);
}

/// Products of small whole numbers, which every type holds exactly, against the plain triple loop.
fn check_by<T: Sample>(
    multiply: Multiply,
    dice: &mut Dice,
    batch: &[usize],
    sizes: [usize; 3],
    from: impl Fn(i64) -> T + Copy,
    to: impl Fn(T) -> i64 + Sync,
) {
    let [rows, depth, columns] = sizes;
    let shape = |a: usize, b: usize| -> Shape { batch.iter().copied().chain([a, b]).collect() };
    let layout = dice.layout(&shape(rows, depth));
    let lhs = small(dice, layout, from);
    let layout = dice.layout(&shape(depth, columns));
    let rhs = small(dice, layout, from);
    let got = with_threads(|| {
        let (mut lhs, mut rhs) = (lhs.clone(), rhs.clone());
        let mut out = Array::<T>::contiguous(&mut Dice(2), &shape(rows, columns));
        multiply(lhs.elements(), rhs.elements(), out.elements(), &Interrupt::default())
            .expect("nobody interrupts");
        out.values().into_iter().map(&to).collect::<Vec<_>>()
    });
    let (left, right): (Vec<i64>, Vec<i64>) =
        (lhs.values().into_iter().map(&to).collect(), rhs.values().into_iter().map(&to).collect());
    let mut expected = Vec::new();
    for number in 0..batch.iter().product() {
        for row in 0..rows {
            for column in 0..columns {
                let sum = (0..depth).fold(0i64, |sum, at| {
                    let left = left[(number * rows + row) * depth + at];
                    let right = right[(number * depth + at) * columns + column];
                    sum.wrapping_add(left.wrapping_mul(right))
                });
                expected.push(from(sum));
            }
        }
    }
    // Through `from` and back, as an integer wraps; as whole numbers, because a float's zero may
    // have either sign.
    let expected: Vec<i64> = expected.into_iter().map(&to).collect();
    assert_eq!(got, expected, "{batch:?} {sizes:?}");
}

fn check_all(dice: &mut Dice, batch: &[usize], sizes: [usize; 3]) {
    check::<f32>(dice, batch, sizes, |x| x as f32, |x| x as i64);
    check::<f64>(dice, batch, sizes, |x| x as f64, |x| x as i64);
    check::<f16>(dice, batch, sizes, |x| f16::from_f32(x as f32), |x| x.to_f32() as i64);
    check::<bf16>(dice, batch, sizes, |x| bf16::from_f32(x as f32), |x| x.to_f32() as i64);
    check::<u8>(dice, batch, sizes, |x| x as u8, i64::from);
    check::<u16>(dice, batch, sizes, |x| x as u16, i64::from);
    check::<u32>(dice, batch, sizes, |x| x as u32, i64::from);
    check::<u64>(dice, batch, sizes, |x| x as u64, |x| x as i64);
    check::<i8>(dice, batch, sizes, |x| x as i8, i64::from);
    check::<i16>(dice, batch, sizes, |x| x as i16, i64::from);
    check::<i32>(dice, batch, sizes, |x| x as i32, i64::from);
    check::<i64>(dice, batch, sizes, |x| x, |x| x);
    check::<bool>(dice, batch, sizes, |x| x > 0, i64::from);
    check_by::<f32>(multiply_blocked::<f32>, dice, batch, sizes, |x| x as f32, |x| x as i64);
    check_by::<f64>(multiply_blocked::<f64>, dice, batch, sizes, |x| x as f64, |x| x as i64);
}

#[test]
fn multiplies_matrices_of_any_layout() {
    let mut dice = Dice(12);
    for _ in 0..40 {
        let batch = dice.shape(0);
        let batch = &batch[..batch.len().min(2)];
        let sizes = std::array::from_fn(|_| [0, 1, 1, 2, 3, 5, 8, 17][dice.below(8)]);
        check_all(&mut dice, batch, sizes);
    }
}

/// Sizes about those of floats whose products are made without packing, and shared by rows.
#[test]
fn multiplies_matrices_that_caches_hold() {
    let mut dice = Dice(15);
    for rows in [3, 4, 5, 33, 130] {
        for depth in [1, 32, 200] {
            for columns in [15, 16, 17, 21, 31, 33, 47, 65] {
                let sizes = [rows, depth, columns];
                check::<f32>(&mut dice, &[], sizes, |x| x as f32, |x| x as i64);
                check::<f64>(&mut dice, &[], sizes, |x| x as f64, |x| x as i64);
            }
        }
    }
    // Where the right matrix is packed, and where the last columns are made in each way.
    for rows in [15, 16, 31, 32, 37] {
        for depth in [64, 65, 128, 129] {
            for columns in [16, 18, 20, 25, 32, 36, 63, 64, 99] {
                let sizes = [rows, depth, columns];
                check::<f32>(&mut dice, &[], sizes, |x| x as f32, |x| x as i64);
                check::<f64>(&mut dice, &[], sizes, |x| x as f64, |x| x as i64);
            }
        }
    }
    for sizes in [[4097, 9, 63], [4097, 9, 64], [4096, 9, 64], [17, 1000, 200], [600, 40, 24]] {
        check::<f32>(&mut dice, &[], sizes, |x| x as f32, |x| x as i64);
    }
    for sizes in [[4, 1024, 16], [4, 1025, 16], [1024, 16, 17], [1025, 16, 17], [7, 256, 129]] {
        check_all(&mut dice, &[], sizes);
    }
}

/// Stacks of two rows by two columns, of which a vector has several, to the bit.
/// Products by the loops of one level; of a level that the processor does not have, by those of its own.
#[cfg(feature = "simd")]
fn multiply_at<T: gemm::Float, const LEVEL: usize>(
    lhs: Elements<'_>,
    rhs: Elements<'_>,
    out: Elements<'_>,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    let level = Level::ALL[LEVEL];
    if !level.is_available() {
        return multiply(lhs, rhs, out, interrupt);
    }
    let by_level: MultiplySmall<T> =
        |range, steps, product| small::multiply_by(Level::ALL[LEVEL], range, steps, product);
    let small = Some((small::takes as TakesSmall<T>, by_level));
    with_context(interrupt, |context| batches(lhs, rhs, out, context, multiply_float::<T>, small))
}

/// How many rows and columns are made together depends on how many registers there are.
#[cfg(feature = "simd")]
#[test]
fn every_level_multiplies_small_matrices() {
    let dice = &mut Dice(31);
    for rows in [4, 5, 6, 7, 17, 33] {
        for depth in [3, small::DEEP - 1, small::DEEP, small::DEEP + 1] {
            for columns in [8, 9, 15, 16, 17, 31, 33, 47] {
                let sizes = [rows, depth, columns];
                check_by(multiply_at::<f32, 0>, dice, &[], sizes, |x| x as f32, |x| x as i64);
                check_by(multiply_at::<f32, 1>, dice, &[], sizes, |x| x as f32, |x| x as i64);
                check_by(multiply_at::<f64, 1>, dice, &[], sizes, |x| x as f64, |x| x as i64);
                check_by(multiply_at::<f64, 2>, dice, &[], sizes, |x| x as f64, |x| x as i64);
            }
        }
    }
}

#[test]
fn a_stack_of_twos_is_what_each_of_them_is() {
    fn check<T: Sample>(dice: &mut Dice, count: usize, from: impl Fn(f64) -> T) {
        let mut draw = |count: usize| -> Vec<T> {
            let special = [0.0, -0.0, 1e-300, f64::INFINITY, -1.0];
            let number = |dice: &mut Dice| match dice.below(12) {
                0 => special[dice.below(5)],
                _ => dice.below(1_000) as f64 / 7.0 - 70.0,
            };
            (0..4 * count).map(|_| from(number(dice))).collect()
        };
        let (left, right) = (draw(count), draw(count));
        let product = |range: Range<usize>, shape: &[usize]| {
            let part = |of: &[T]| of[4 * range.start..4 * range.end].to_vec();
            let (mut lhs, mut rhs) =
                (Array::of(part(&left), shape), Array::of(part(&right), shape));
            let mut out = Array::<T>::contiguous(&mut Dice(2), &shape.into());
            multiply(lhs.elements(), rhs.elements(), out.elements(), &Interrupt::default())
                .expect("nobody interrupts");
            out.bits()
        };
        let each = (0..count).flat_map(|at| product(at..at + 1, &[2, 2]));
        assert!(product(0..count, &[count, 2, 2]) == each.collect::<Vec<_>>(), "{count}");
    }
    let mut dice = Dice(16);
    for count in (1..20).chain([100, 5_000]) {
        check::<f32>(&mut dice, count, |x| x as f32);
        check::<f64>(&mut dice, count, |x| x);
    }
}

#[test]
fn multiplies_stacks_of_wide_matrices() {
    let mut dice = Dice(17);
    for sizes in [[32, 32, 32], [31, 7, 32], [5, 32, 31], [3, 16, 32], [2, 1, 32], [4, 9, 17]] {
        check_all(&mut dice, &[3], sizes);
    }
}

#[test]
fn multiplies_large_matrices_and_vectors() {
    let mut dice = Dice(13);
    for sizes in [[130, 90, 110], [1, 300, 700], [700, 300, 1], [1, 3_000, 1], [65, 1, 1_030]] {
        check_all(&mut dice, &[], sizes);
    }
    check::<f32>(&mut dice, &[], [200, 150, 170], |x| x as f32, |x| x as i64);
    check::<f32>(&mut dice, &[], [1, 9_000, 400], |x| x as f32, |x| x as i64);
}

/// A few results and many, of few elements and many, by rows and by columns.
#[test]
fn multiplies_matrices_and_vectors_of_any_extents() {
    let mut dice = Dice(18);
    for len in [1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33, 41, 64, 65, 130] {
        for depth in [1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 40, 127, 128, 129, 300] {
            for sizes in [[len, depth, 1], [1, depth, len]] {
                check::<f32>(&mut dice, &[], sizes, |x| x as f32, |x| x as i64);
                check::<f64>(&mut dice, &[], sizes, |x| x as f64, |x| x as i64);
                check::<i32>(&mut dice, &[], sizes, |x| x as i32, i64::from);
                check::<bf16>(
                    &mut dice,
                    &[],
                    sizes,
                    |x| bf16::from_f32(x as f32),
                    |x| x.to_f32() as i64,
                );
            }
        }
    }
    for sizes in [
        [1000, 300, 1],
        [1, 300, 1000],
        [3, 33_000, 1],
        [1, 33_000, 3],
        [1, 33_000, 2],
        [1, 40_000, 7],
        [33_000, 2, 1],
    ] {
        check_all(&mut dice, &[], sizes);
    }
    // Rows that begin at nearly one place of the cache.
    for sizes in [[37, 1023, 1], [40, 1024, 1], [17, 1025, 1], [20, 8191, 1], [70, 512, 1]] {
        check_all(&mut dice, &[], sizes);
    }
}

/// A few columns, dense and not, and rows on both sides of where they are made otherwise.
#[test]
fn multiplies_rows_and_a_few_columns() {
    let mut dice = Dice(19);
    for rows in [15, 16, 17, 23, 31, 48] {
        for depth in [1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65] {
            for columns in [2, 3, 4, 5, 7, 8, 9, 11, 15, 16, 17, 20, 21, 24, 25] {
                let sizes = [rows, depth, columns];
                check::<f32>(&mut dice, &[], sizes, |x| x as f32, |x| x as i64);
                check::<f64>(&mut dice, &[], sizes, |x| x as f64, |x| x as i64);
            }
        }
    }
    for sizes in
        [[3_000, 40, 5], [200, 512, 17], [33, 4_096, 2], [33, 4_097, 2], [20, 0, 3], [40, 4_097, 1]]
    {
        check_all(&mut dice, &[], sizes);
    }
    for (batch, sizes) in [(3, [17, 20, 1]), (5, [32, 32, 1]), (2, [40, 70, 1]), (3, [20, 70, 3])] {
        check_all(&mut dice, &[batch], sizes);
    }
}

/// What lies beyond the end of a row is no part of its sum, whatever it is.
#[test]
fn lanes_beyond_a_row_count_for_nothing() {
    for depth in [1, 5, 8, 13, 16, 21] {
        for columns in [1, 3, 4] {
            let (rows, stride) = (21, depth + 3);
            let mut data = vec![f32::NAN; rows * stride];
            for row in data.chunks_exact_mut(stride) {
                row[..depth].fill(2.0);
            }
            let strides = Strides::from_slice(&[stride as isize, 1]);
            let layout = Layout { strides, ..Layout::contiguous([rows, depth].into()) };
            let mut lhs = Array { data, layout };
            let mut rhs = Array::of(vec![0.5f32; depth * columns], [depth, columns]);
            let mut out = Array::of(vec![0.0f32; rows * columns], [rows, columns]);
            multiply(lhs.elements(), rhs.elements(), out.elements(), &Interrupt::default())
                .expect("nobody interrupts");
            assert!(
                out.data.iter().all(|x| *x == depth as f32),
                "{depth} {columns}: {:?}",
                out.data
            );
        }
    }
}

/// By vectors and few columns that lie side by side, and not; by many columns.
#[test]
fn workspace_is_what_a_product_takes() {
    let sides = [
        [40, 33, 1],
        [40, 600, 1],
        [1, 600, 50],
        [64, 600, 3],
        [64, 600, 17],
        [40, 70, 90],
        [20, 0, 3],
        [600, 2, 1],
        [1, 600, 3],
        [1, 0, 3],
    ];
    for (dtype, [rows, depth, columns]) in
        [DType::F32, DType::F64, DType::BF16, DType::I32, DType::U8, DType::I64]
            .into_iter()
            .flat_map(|dtype| sides.map(|sides| (dtype, sides)))
    {
        let plain = [rows, depth, columns];
        for is_turned in [false, true] {
            let device = device();
            let made = |rows: usize, columns: usize| match is_turned {
                true => Layout::contiguous([columns, rows].into()).permute(&[1, 0]),
                false => Layout::contiguous([rows, columns].into()),
            };
            let layouts = [
                made(rows, depth),
                made(depth, columns),
                Layout::contiguous([rows, columns].into()),
            ];
            let storages = layouts.each_ref().map(|layout| {
                let storage = device.allocate(dtype, layout.elem_count(), Provenance::VARIABLE);
                storage.expect("the tests are small")
            });
            for storage in &storages {
                let zeros = vec![0; storage.size_bytes()];
                device.backend().copy_from_host(&zeros, storage, 0).expect("it is as long");
            }
            let view = |at: usize| View { storage: &storages[at], layout: &layouts[at] };
            let told: usize = workspace(view(0), view(1)).expect("it is no stack").iter().sum();
            let before = device.allocator().stats().now.requested;
            matmul(view(0), view(1), view(2), &Interrupt::default()).expect("nobody interrupts");
            let taken = device.allocator().stats().peak.requested - before;
            assert_eq!(told, taken, "{dtype} {plain:?}, turned: {is_turned}");
        }
    }
}

#[test]
fn tiles_make_the_same_product() {
    // Ones: each result is the depth. The product is beyond a tile in rows and in depth.
    let (rows, depth, columns) = (300, 5_000, 400);
    let mut lhs = Array::of(vec![1.0f32; rows * depth], [rows, depth]);
    let mut rhs = Array::of(vec![1.0f32; depth * columns], [depth, columns]);
    let mut out = Array::of(vec![0.0f32; rows * columns], [rows, columns]);
    let flag = Interrupt::default();
    multiply(lhs.elements(), rhs.elements(), out.elements(), &flag).expect("nobody interrupts");
    assert!(out.data.iter().all(|x| *x == depth as f32));
    flag.raise();
    let result = multiply(lhs.elements(), rhs.elements(), out.elements(), &flag);
    assert_eq!(result, Err(Error::Interrupted));
}

#[test]
fn rounding_does_not_depend_on_threads() {
    let mut dice = Dice(14);
    for sizes in [
        [257, 513, 129],
        [1, 2_000, 999],
        [999, 2_000, 1],
        [64, 64, 64],
        [99, 101, 100],
        [513, 17, 65],
        [1, 100_000, 1],
        [17, 1_000, 200],
        [300, 200, 40],
        [5_003, 36, 1],
        [999, 100, 3],
        [300, 513, 17],
    ] {
        let [rows, depth, columns] = sizes;
        let mut draw = |a: usize, b: usize| {
            Array::of((0..a * b).map(|_| dice.below(1_000) as f32 / 7.0).collect(), [a, b])
        };
        let (lhs, rhs) = (draw(rows, depth), draw(depth, columns));
        with_threads(|| {
            let (mut lhs, mut rhs) = (lhs.clone(), rhs.clone());
            let mut out = Array::of(vec![0.0f32; rows * columns], [rows, columns]);
            multiply(lhs.elements(), rhs.elements(), out.elements(), &Interrupt::default())
                .expect("nobody interrupts");
            out.bits()
        });
    }
}
