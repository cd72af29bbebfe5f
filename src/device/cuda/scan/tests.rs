use half::{bf16, f16};

use super::tiles::{GROUPED, NARROW_TILE_RUN, REPAIR_BLOCKS, TILE_RUN, TILE_WARPS};
use super::*;
use crate::device::cpu::trials::{Array, Dice, Sample};
use crate::device::cuda::trials::{Devices, Twin};
use crate::layout::Shape;
use crate::memory::StreamId;

const OPS: [ScanOp; 4] = [ScanOp::Sum, ScanOp::Prod, ScanOp::Max, ScanOp::Min];

fn scan_both(devices: &Devices, op: ScanOp, input: &Twin, axis: usize, dtype: DType) -> Twin {
    let out = devices.room(dtype, &input.layout.shape);
    for device in 0..2 {
        let backend = devices.0[device].backend();
        backend.scan(op, input.view(device), axis, out.view(device)).unwrap();
    }
    out
}

fn check_exact<T: Sample + Default>(devices: &Devices, array: &Array<T>, ops: &[ScanOp]) {
    let input = devices.twin(array);
    for axis in 0..array.layout.rank() {
        for op in ops {
            let out = scan_both(devices, *op, &input, axis, T::DTYPE);
            let case = || format!("{op:?} {} {:?} along {axis}", T::DTYPE, array.layout);
            assert!(out.bits::<T>(0) == out.bits::<T>(1), "{}", case());
        }
    }
}

/// A float whose sums and products may differ in the last digits.
trait Rounded: Sample + Default {
    /// Relative error of a rounding.
    const UNIT: f64;
    fn wide(self) -> f64;
}

macro_rules! rounded {
    ($($type:ty, $unit:expr, $wide:expr;)*) => {$(
        impl Rounded for $type {
            const UNIT: f64 = $unit;
            fn wide(self) -> f64 {
                $wide(self)
            }
        }
    )*};
}

rounded! {
    f16, 1.0 / 1024.0, |x: f16| f64::from(x.to_f32());
    bf16, 1.0 / 128.0, |x: bf16| f64::from(x.to_f32());
    f32, f32::EPSILON as f64, f64::from;
    f64, 4.0 * f64::EPSILON, |x: f64| x;
}

/// Sums and products: the parts of a line are joined in another order than the CPU's, in float64.
fn check_rounded<T: Rounded>(devices: &Devices, array: &Array<T>) {
    let input = devices.twin(array);
    let largest = array.data.iter().map(|x| x.wide().abs()).filter(|x| x.is_finite());
    let largest = largest.fold(0.0, f64::max);
    for axis in 0..array.layout.rank() {
        for op in [ScanOp::Sum, ScanOp::Prod] {
            let out = scan_both(devices, op, &input, axis, T::DTYPE);
            // Each factor brings an error of its own; a sum near zero keeps those of the float64
            // that it came from.
            let factors = array.layout.shape[axis] as f64 * f64::EPSILON;
            let (relative, floor) = match op {
                ScanOp::Prod => (T::UNIT + factors, 0.0),
                _ => (T::UNIT, largest * 1e-12),
            };
            let is_same = |cpu: T, gpu: T| {
                let [expected, got] = [cpu.wide(), gpu.wide()];
                let has_sign =
                    op == ScanOp::Sum || got.is_sign_negative() == expected.is_sign_negative();
                let is_near = (got - expected).abs() <= relative * expected.abs() + floor;
                cpu.bits() == gpu.bits() || expected.is_finite() && is_near && has_sign
            };
            let [cpu, gpu] = [0, 1].map(|device| out.values::<T>(device));
            for (at, (cpu, gpu)) in cpu.into_iter().zip(gpu).enumerate() {
                let (layout, dtype) = (&array.layout, T::DTYPE);
                let case = || format!("{op:?} {dtype} {layout:?} along {axis} at {at}");
                assert!(is_same(cpu, gpu), "{}: {} {}", case(), cpu.wide(), gpu.wide());
            }
        }
    }
}

/// One of the types after the other, because each is compiled for itself.
fn check_next(devices: &Devices, dice: &mut Dice, layout: &Layout, turn: usize) {
    match turn % 13 {
        0 => check_exact(devices, &Array::<bool>::new(dice, layout.clone()), &OPS),
        1 => check_exact(devices, &Array::<u8>::new(dice, layout.clone()), &OPS),
        2 => check_exact(devices, &Array::<i8>::new(dice, layout.clone()), &OPS),
        3 => check_exact(devices, &Array::<i16>::new(dice, layout.clone()), &OPS),
        4 => check_exact(devices, &Array::<i32>::new(dice, layout.clone()), &OPS),
        5 => check_exact(devices, &Array::<i64>::new(dice, layout.clone()), &OPS),
        6 => check_exact(devices, &Array::<u16>::new(dice, layout.clone()), &OPS),
        7 => check_exact(devices, &Array::<u32>::new(dice, layout.clone()), &OPS),
        8 => check_exact(devices, &Array::<u64>::new(dice, layout.clone()), &OPS),
        9 => check_float::<f16>(devices, dice, layout),
        10 => check_float::<bf16>(devices, dice, layout),
        11 => check_float::<f32>(devices, dice, layout),
        _ => check_float::<f64>(devices, dice, layout),
    }
}

fn check_float<T: Rounded>(devices: &Devices, dice: &mut Dice, layout: &Layout) {
    let array = Array::<T>::new(dice, layout.clone());
    check_exact(devices, &array, &OPS[2..]);
    check_rounded(devices, &array);
}

#[test]
fn scans_of_any_layout_are_those_of_the_cpu() {
    let Some(devices) = Devices::find() else { return };
    let mut dice = Dice(30);
    for turn in 0..30 {
        let shape = dice.shape(1);
        let layout = dice.layout(&shape);
        check_next(&devices, &mut dice, &layout, turn);
    }
}

#[test]
fn scans_of_any_length_are_those_of_the_cpu() {
    let Some(devices) = Devices::find() else { return };
    let mut dice = Dice(31);
    let shapes = [[3, 130], [2, 5_000], [300, 16], [900, 40], [70_000, 3], [5_000, 7]];
    for (turn, shape) in (0..13).flat_map(|turn| shapes.map(|shape| (turn, shape))) {
        if turn % 3 == shape[0] % 3 || turn == 8 {
            check_next(&devices, &mut dice, &Layout::contiguous(shape.into()), turn);
        }
    }
    for shape in [[1, 150_001], [1, 140_000], [2_000, 70], [40, 2_000]] {
        let layout = Layout::contiguous(shape.into());
        check_exact(&devices, &Array::<i64>::new(&mut dice, layout.clone()), &OPS[..1]);
        check_float::<f32>(&devices, &mut dice, &layout);
    }
}

/// Short lines that follow each other, which are gone along as the CPU does: also products of floats are the same, and sums
/// of float64.
#[test]
fn short_lines_are_those_of_the_cpu() {
    let Some(devices) = Devices::find() else { return };
    let mut dice = Dice(34);
    for len in (1..=9).chain([15, 16, 17, 31, 32, 33, SHORT - 1, SHORT, SHORT + 1]) {
        // Around the lines of a block, and so that some elements are left over.
        for lines in [MANY_SHORT_LINES, WARP + 1, SHORT_THREADS, 2 * SHORT_THREADS + 1] {
            let layout = Layout::contiguous([lines, len].into());
            let ops = [OPS[len % 4], OPS[(len + 1) % 4]];
            check_exact(&devices, &Array::<u8>::new(&mut dice, layout.clone()), &ops);
            check_exact(&devices, &Array::<i64>::new(&mut dice, layout.clone()), &ops);
            if len > SHORT {
                continue;
            }
            let along =
                |array: &Twin, dtype: DType, op: ScanOp| scan_both(&devices, op, array, 1, dtype);
            for op in OPS {
                // Lanes that a line fills add up what they hand each other in another order.
                if op != ScanOp::Sum {
                    let narrow = devices.twin(&Array::<bf16>::new(&mut dice, layout.clone()));
                    let out = along(&narrow, DType::BF16, op);
                    let is_same = out.bits::<bf16>(0) == out.bits::<bf16>(1);
                    assert!(is_same, "{op:?} of {lines} × {len} bfloat16");
                }
                let wide = devices.twin(&Array::<f64>::new(&mut dice, layout.clone()));
                let out = along(&wide, DType::F64, op);
                assert!(
                    out.bits::<f64>(0) == out.bits::<f64>(1),
                    "{op:?} of {lines} × {len} float64"
                );
            }
        }
    }
}

/// Lines that begin anywhere in memory, around the lengths at which lanes read more at once.
#[test]
fn lines_that_lie_unevenly_are_those_of_the_cpu() {
    let Some(devices) = Devices::find() else { return };
    let mut dice = Dice(33);
    let row = 4 * WARP;
    for len in [WARP - 1, WARP + 1, row - 1, 2 * row + 1, 2_051] {
        for (lines, padding) in [(5, 1), (1, 0)] {
            let whole = Layout::contiguous([lines, len + padding].into());
            let layout = whole.narrow(1, 0, len, 1);
            check_exact(&devices, &Array::<i16>::new(&mut dice, layout.clone()), &OPS[..3]);
            check_float::<f64>(&devices, &mut dice, &layout);
        }
    }
    let layout = Layout::contiguous([MANY_LINES + 1, 141].into());
    check_exact(&devices, &Array::<i64>::new(&mut dice, layout.clone()), &OPS[..1]);
    check_float::<f64>(&devices, &mut dice, &layout);
}

/// Many lines, each of a few tiles.
#[test]
fn lines_of_several_tiles_are_those_of_the_cpu() {
    let Some(devices) = Devices::find() else { return };
    let shape = [REPAIR_BLOCKS + 1, 3 * TILE_WARPS * WARP * TILE_RUN + 1];
    let layout = Layout::contiguous(shape.into());
    check_exact(&devices, &Array::<i32>::new(&mut Dice(32), layout), &[ScanOp::Sum, ScanOp::Max]);
    let wave = |at: usize| 1.0 + ((at * 7_919) % 1_001) as f64 / 1e6 - 5e-4;
    let mut values: Vec<f64> = (0..shape[0] * shape[1]).map(wave).collect();
    for (line, values) in values.chunks_mut(shape[1]).enumerate() {
        let spot = line * 11;
        values[spot..spot + 4].copy_from_slice(&[1e300, -1e300, 1e-300, 1e-300]);
    }
    check_rounded(&devices, &Array::of(values, shape));
}

/// Blocks that go from tile to tile give the bits that a block for each tile gives.
#[test]
fn tiles_that_wait_for_room_are_those_of_a_large_chip() {
    let Some(devices) = Devices::find() else { return };
    fn check<T: Sample + Default>(devices: &Devices, dice: &mut Dice, op: ScanOp) {
        let run = if size_of::<T>() <= 2 { NARROW_TILE_RUN } else { TILE_RUN };
        let len = 11 * TILE_WARPS * WARP * run + 5;
        let whole = Layout::contiguous([2, len + 3].into());
        // Evenly in memory, and one element after the other.
        for layout in [Layout::contiguous([2, len].into()), whole.narrow(1, 1, len, 1)] {
            let input = devices.twin(&Array::<T>::new(dice, layout));
            let cuda = devices.0[1].backend().cuda().expect("the second device is a GPU");
            cuda.context.bind().unwrap();
            let [many, one] = [132, 1].map(|multiprocessors| {
                let out = devices.room(T::DTYPE, &input.layout.shape);
                let fold = Fold::of(op, T::DTYPE);
                let job = Job::new(&cuda.context, fold, input.view(1), 1, out.view(1));
                job.run_lines(&Chip { multiprocessors, ..cuda.context.chip }).unwrap();
                cuda.context.check().unwrap();
                out.bits::<T>(1)
            });
            assert!(many == one, "{op:?} {} {:?}", T::DTYPE, input.layout);
        }
    }
    let mut dice = Dice(38);
    check::<bool>(&devices, &mut dice, ScanOp::Sum);
    check::<u8>(&devices, &mut dice, ScanOp::Max);
    check::<i16>(&devices, &mut dice, ScanOp::Sum);
    check::<u32>(&devices, &mut dice, ScanOp::Prod);
    check::<i64>(&devices, &mut dice, ScanOp::Sum);
    check::<f16>(&devices, &mut dice, ScanOp::Min);
    check::<bf16>(&devices, &mut dice, ScanOp::Sum);
    check::<f32>(&devices, &mut dice, ScanOp::Sum);
    check::<f32>(&devices, &mut dice, ScanOp::Prod);
    check::<f64>(&devices, &mut dice, ScanOp::Sum);
    check::<f64>(&devices, &mut dice, ScanOp::Max);
}

/// Tiles on both sides of a group's end, and of a group of groups' end.
#[test]
fn tiles_in_groups_are_those_of_the_cpu() {
    let Some(devices) = Devices::find() else { return };
    let wave = |at: usize| 1.0 + ((at * 7_919) % 1_001) as f64 / 1e6 - 5e-4;
    let tile = TILE_WARPS * WARP * TILE_RUN;
    for tiles in [GROUPED - 1, GROUPED, GROUPED + 1, 2 * GROUPED + 1] {
        for len in [tiles * tile - 1, tiles * tile + 1] {
            check_rounded(&devices, &Array::of((0..len).map(wave).collect::<Vec<f64>>(), [1, len]));
        }
    }
    let len = TILE_WARPS * WARP * TILE_RUN * (GROUPED + 1) + 5;
    let layout = Layout::contiguous([2, len].into());
    check_exact(&devices, &Array::<i64>::new(&mut Dice(35), layout), &OPS);
    let tile = TILE_WARPS * WARP * NARROW_TILE_RUN;
    let layout = Layout::contiguous([2, tile * (GROUPED + 1) + 5].into());
    check_exact(&devices, &Array::<u8>::new(&mut Dice(36), layout), &OPS[..1]);
    // Tiles of the third kind of total.
    let len = tile * (GROUPED * GROUPED + 1) + 5;
    let layout = Layout::contiguous([len].into());
    check_exact(&devices, &Array::<u8>::new(&mut Dice(37), layout), &OPS[..1]);
}

/// Scans that run on two streams beside each other, and one after the other on each: what tiles tell each other is of
/// their own stream and launch.
#[test]
fn scans_on_two_streams_keep_to_themselves() {
    let Some(devices) = Devices::find() else { return };
    let mut dice = Dice(39);
    let tile = TILE_WARPS * WARP * TILE_RUN;
    let lens = [3 * tile + 1, 9 * tile, 2 * tile + 5, (GROUPED + 1) * tile - 1];
    let twins = lens.map(|len| {
        let layout = Layout::contiguous([len].into());
        let out = devices.room(DType::I64, &layout.shape);
        (devices.twin(&Array::<i64>::new(&mut dice, layout)), out)
    });
    let [cpu, gpu] = [0, 1].map(|device| devices.0[device].backend());
    for _ in 0..3 {
        for (number, (input, out)) in twins.iter().enumerate() {
            gpu.set_stream(StreamId(number as u32 % 2)).unwrap();
            gpu.scan(ScanOp::Sum, input.view(1), 0, out.view(1)).unwrap();
        }
    }
    gpu.set_stream(StreamId(0)).unwrap();
    gpu.synchronize().unwrap();
    for (input, out) in &twins {
        cpu.scan(ScanOp::Sum, input.view(0), 0, out.view(0)).unwrap();
        assert!(out.bits::<i64>(0) == out.bits::<i64>(1), "{:?}", input.layout);
    }
}

/// Lines of another fold, one after the other, each to be folded again: nothing that was known of the lines before is
/// taken for something that is known of these.
#[test]
fn lines_are_folded_again_after_those_of_other_folds() {
    let Some(devices) = Devices::find() else { return };
    let wave = |at: usize| 1.0 + ((at * 7_919) % 1_001) as f64 / 1e6 - 5e-4;
    let (lines, len) = (5, 5_000);
    let mut sums: Vec<f64> = (0..lines * len).map(|at| wave(at) - 1.0).collect();
    let mut products: Vec<f64> = (0..lines * len).map(wave).collect();
    for line in 0..lines {
        let spot = line * len;
        // What comes together first leaves the range, and comes back from element to element.
        for (at, large) in [(15, -1e308), (16, 1e308), (17, 1e308), (40, -1e308)] {
            sums[spot + at] = large;
        }
        products[spot + 2_047..spot + 2_051].copy_from_slice(&[1e300, -1e300, 1e-300, 1e-300]);
    }
    let [sums, products] =
        [sums, products].map(|data| devices.twin(&Array::of(data, [lines, len])));
    for (op, twin) in [ScanOp::Sum, ScanOp::Prod, ScanOp::Sum, ScanOp::Prod]
        .map(|op| (op, if op == ScanOp::Sum { &sums } else { &products }))
    {
        let out = scan_both(&devices, op, twin, 1, DType::F64);
        let [cpu, gpu] = [0, 1].map(|device| out.values::<f64>(device));
        for (at, (cpu, gpu)) in cpu.into_iter().zip(gpu).enumerate() {
            let is_near = cpu == gpu || cpu.is_finite() && (gpu - cpu).abs() <= 1e-12 * cpu.abs();
            assert!(is_near, "{op:?} at {at}: {cpu} {gpu}");
        }
    }
}

/// Values that are finite all the way, and then leave the range and try to come back.
#[test]
fn long_lines_of_floats_leave_the_range_where_the_cpu_does() {
    let Some(devices) = Devices::find() else { return };
    let len = 40_000;
    let wave = |at: usize| 1.0 + ((at * 7_919) % 1_001) as f64 / 1e6 - 5e-4;
    for spot in [3, 2_047, 2_048, 20_000] {
        let mut products: Vec<f64> = (0..len).map(wave).collect();
        products[spot..spot + 4].copy_from_slice(&[1e300, -1e300, 1e-300, 1e-300]);
        products[spot + 9_000] = 0.0;
        check_rounded(&devices, &Array::of(products.clone(), [len]));
        products[spot..spot + 4].copy_from_slice(&[1e-300, -1e-300, 1e300, 1e300]);
        products[spot + 9_000] = -3.0;
        check_rounded(&devices, &Array::of(products, [len]));
        let mut sums: Vec<f64> = (0..len).map(|at| wave(at) - 1.0).collect();
        sums[spot..spot + 3].copy_from_slice(&[-1e308, 1e308, 1e308]);
        sums[spot + 4] = f64::NEG_INFINITY;
        sums[spot + 9_000] = f64::INFINITY;
        check_rounded(&devices, &Array::of(sums, [len]));
    }
    let shrinking: Vec<f32> = (0..len).map(|at| if at % 3 == 0 { -0.5 } else { 0.9 }).collect();
    check_rounded(&devices, &Array::of(shrinking, Shape::from([2, len / 2])));
}
