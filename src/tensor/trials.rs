//! Tests of what happens around the programs: streams, copies, who holds memory.

use super::*;
use crate::device::cpu::CpuBackend;
use crate::device::cuda::Gpus;
use crate::dtype::Scalar;
use crate::layout::Shape;
use crate::memory::{Allocator, AllocatorConfig, BlockKind, SimUpstream};
use crate::report::{PrintOptions, Window};

pub(super) fn simulated() -> (Engine, SimUpstream) {
    let interrupt = Interrupt::default();
    let upstream = SimUpstream::new("cuda:0", 64 << 20);
    let allocator = Allocator::new(Box::new(upstream.clone()), AllocatorConfig::default()).unwrap();
    let backend = Box::new(CpuBackend::new(interrupt.clone()));
    let device = Device::new(DeviceId::Cuda(0), "simulated GPU".to_string(), allocator, backend);
    (Engine::new(vec![device], interrupt), upstream)
}

fn ramp(e: &Engine, count: i64) -> Tensor {
    let x = e.arange(Scalar::Int(0), Scalar::Int(count), Scalar::Int(1), Some(DType::F32)).unwrap();
    e.realize(&[&x]).unwrap();
    x
}

fn storage(x: &Tensor) -> std::sync::Arc<Storage> {
    x.storage_and_layout().expect("the tensor was computed").0
}

fn kind_of(x: &Tensor) -> BlockKind {
    let address = storage(x).address();
    let snapshot = x.device().allocator().snapshot();
    let blocks = snapshot.segments.iter().flat_map(|segment| &segment.blocks);
    blocks.clone().find(|block| block.address == address).expect("the block is live").kind
}

#[test]
fn memory_follows_the_stream() {
    let (e, _) = simulated();
    let device = e.device();
    let x = ramp(&e, 1000);
    let side = StreamId(3);
    let y = e.with_stream(&device, side, || {
        let y = e.binary(BinaryOp::Add, &x, Scalar::Int(1)).unwrap();
        e.realize(&[&y]).unwrap();
        y
    });
    let y = y.unwrap();
    assert_eq!(storage(&x).allocation().stream(), StreamId::DEFAULT);
    assert_eq!(storage(&y).allocation().stream(), side);
    assert_eq!(device.backend().stream(), StreamId::DEFAULT);
    assert!(e.with_stream(&device, StreamId(64), || ()).is_err());
}

#[test]
fn memory_that_another_stream_reads_waits_for_it() {
    let (e, upstream) = simulated();
    let (device, side) = (e.device(), StreamId(1));
    let x = ramp(&e, 1000);
    let address = storage(&x).address();
    e.with_stream(&device, side, || {
        let sum = e.reduce(Reduction::Sum, &x, None, false).unwrap();
        e.realize(&[&sum]).unwrap();
    })
    .unwrap();
    // The other stream's read has not ended when the tensor dies.
    upstream.submit(side);
    drop(x);
    let early = ramp(&e, 1000);
    assert_ne!(storage(&early).address(), address);
    upstream.advance(side, 1);
    let late = ramp(&e, 1000);
    assert_eq!(storage(&late).address(), address);
}

#[test]
fn a_stream_is_left_when_its_work_panics() {
    let (e, _) = simulated();
    let device = e.device();
    let work = || e.with_stream(&device, StreamId(2), || panic!("on purpose"));
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    assert!(result.is_err());
    assert_eq!(device.backend().stream(), StreamId::DEFAULT);
}

#[test]
fn a_temporary_that_is_held_becomes_a_variable() {
    let (e, _) = simulated();
    let x = ramp(&e, 1000);
    assert_eq!(kind_of(&x), BlockKind::Temporary);
    x.keep();
    assert_eq!(kind_of(&x), BlockKind::Variable);
}

#[test]
fn elements_are_copied_only_where_they_must_be() {
    let (e, _) = simulated();
    let x = ramp(&e, 12);
    let next = e.binary(BinaryOp::Add, &x, Scalar::Int(1)).unwrap();
    let own = e.copy(&next).unwrap();
    // Computed once, in memory of its own: somebody may write to either.
    e.realize(&[&own]).unwrap();
    assert!(!next.is_realized());
    e.realize(&[&next]).unwrap();
    assert_ne!(storage(&own).address(), storage(&next).address());
    assert_ne!(storage(&e.copy(&x).unwrap()).address(), storage(&x).address());
    let matrix = e.reshape(&x, &[3, 4]).unwrap();
    assert!(e.contiguous(&matrix).unwrap().is_same(&matrix));
    let turned = e.transpose(&matrix).unwrap();
    let copy = e.contiguous(&turned).unwrap();
    assert!(copy.storage_and_layout().unwrap().1.is_contiguous());
    let half = e.narrow(&x, 0, 0, 6, 1).unwrap();
    assert_eq!(storage(&e.copy(&half).unwrap()).len(), 6);
}

/// A write that cannot fail goes straight to its place; one that may fail is computed beside it first.
#[test]
fn what_cannot_fail_is_written_in_place() {
    let (e, _) = simulated();
    let x = e.cast(&ramp(&e, 1 << 16), DType::I32).unwrap();
    e.realize(&[&x]).unwrap();
    let divisor = e.binary(BinaryOp::Mul, &x, Scalar::Int(0)).unwrap();
    let divisor = e.binary(BinaryOp::Add, &divisor, Scalar::Int(7)).unwrap();
    e.realize(&[&divisor]).unwrap();
    let bytes_for = |op, value: Operand| {
        let before = e.device().allocator().stats().bytes_allocated;
        e.update(op, &x, value).unwrap();
        e.device().allocator().stats().bytes_allocated - before
    };
    // The transaction keeps what was there before its first write.
    bytes_for(BinaryOp::Mul, Operand::Scalar(Scalar::Int(1)));
    for op in [BinaryOp::Mul, BinaryOp::FloorDiv, BinaryOp::Mod, BinaryOp::Fmod, BinaryOp::Pow] {
        // No more than numbers take.
        assert!(bytes_for(op, Operand::Scalar(Scalar::Int(3))) <= 4096, "{op:?}");
        let takes_all = bytes_for(op, (&divisor).into()) >= 1 << 18;
        assert_eq!(takes_all, op.failure(DType::I32).is_some(), "{op:?}");
    }
    assert!(e.update(BinaryOp::FloorDiv, &x, Scalar::Int(0)).is_err());
}

#[test]
fn tensors_move_between_devices() {
    let interrupt = Interrupt::default();
    let config = AllocatorConfig::default();
    let devices: Vec<Device> = vec![
        Device::cpu(config.clone(), interrupt.clone()).unwrap(),
        Device::simulated(0, 64 << 20, config.clone(), interrupt.clone()).unwrap(),
        Device::simulated(1, 64 << 20, config, interrupt.clone()).unwrap(),
    ];
    let e = Engine::new(devices, interrupt);
    let x = e.reshape(&ramp(&e, 12), &[3, 4]).unwrap();
    let part = e.transpose(&e.narrow(&x, 1, 1, 2, 1).unwrap()).unwrap();
    let expected = e.to_host(&part).unwrap();
    let mut there = part.clone();
    for device in e.devices().cycle().skip(1).take(3) {
        there = e.to_device(&there, device).unwrap();
        assert_eq!(there.device(), device);
        assert_eq!(e.to_host(&there).unwrap(), expected);
    }
    let there = e.devices().nth(1).unwrap();
    let zero = e.full(&Shape::from([1 << 40]), Scalar::Int(0), DType::F32).unwrap();
    assert!(!e.to_device(&zero, there).unwrap().is_realized());
}

#[test]
fn a_display_is_two_programs() {
    let e = simulated().0;
    let x = e.reshape(&ramp(&e, 4000), &[50, 80]).unwrap();
    let statistics = e.statistics(&x).unwrap().unwrap();
    let before = e.plan_counts();
    e.realize(&statistics.nodes().iter().collect::<Vec<_>>()).unwrap();
    assert_eq!(e.plan_counts().misses, before.misses + 1);
    let window = Window::of(x.shape(), &PrintOptions::default());
    let sight = Sight { tensor: &x, window, is_pictured: true, is_drawn: false };
    let glance = e.glance(&[sight]).unwrap().remove(0);
    assert_eq!(e.plan_counts().misses, before.misses + 2);
    let corners: Vec<i64> = glance.elements.to_scalars().into_iter().map(Scalar::as_i64).collect();
    let ends = |extent: i64| [0, 1, 2, extent - 3, extent - 2, extent - 1];
    let expected: Vec<i64> =
        ends(50).iter().flat_map(|row| ends(80).map(|column| row * 80 + column)).collect();
    assert_eq!(corners, expected);
    let summary = glance.summary.unwrap();
    assert_eq!((summary.min, summary.max, summary.mean), (0.0, 3999.0, 1999.5));
    assert_eq!(summary.histogram, [400; 10]);
}

/// The usual choices, with the kind of segments that the tests are to run with.
fn segments_of_gpus() -> AllocatorConfig {
    let kind = std::env::var("GENESIS_CUDA_SEGMENTS").ok();
    let kind = kind.and_then(|name| crate::memory::SegmentKind::parse(&name));
    AllocatorConfig::default().with_segments(kind.unwrap_or_default())
}

/// An engine over the GPUs that are there, if any.
pub(super) fn on_gpus() -> Option<Engine> {
    let interrupt = Interrupt::default();
    let gpus = Gpus::new(segments_of_gpus(), interrupt.clone());
    let count = gpus.list().map_or(0, <[_]>::len);
    let open = |ordinal| gpus.open(ordinal).expect("the GPU can be opened").cloned();
    let devices: Vec<Device> = (0..count as u16).filter_map(open).collect();
    (count > 0).then(|| Engine::new(devices, interrupt))
}

#[test]
fn streams_hand_tensors_to_each_other() {
    let engines = [Some(simulated().0), on_gpus()];
    for e in engines.into_iter().flatten() {
        let device = e.device();
        let on = |stream: u32, x: &Tensor, op: BinaryOp, y: &Tensor| {
            let work = || {
                let z = e.binary(op, x, y).unwrap();
                e.realize(&[&z]).unwrap();
                z
            };
            e.with_stream(&device, StreamId(stream), work).unwrap()
        };
        let x = ramp(&e, 300_000);
        let mut y = ramp(&e, 300_000);
        for round in 0..12 {
            // What is dropped here is used again at once, on the stream that it belongs to.
            let sum = on(round % 3, &x, BinaryOp::Add, &y);
            let double = on((round + 1) % 3, &sum, BinaryOp::Add, &y);
            y = on((round + 2) % 3, &double, BinaryOp::Sub, &sum);
        }
        let same = e.compare(CompareOp::Eq, &x, &y).unwrap();
        assert!(e.all_true(&same).unwrap());
        let wrong = e.binary(BinaryOp::FloorDiv, Scalar::Int(1), Scalar::Int(0)).unwrap();
        let failed = e.with_stream(&device, StreamId(2), || e.realize(&[&wrong]));
        assert!(matches!(failed, Ok(Err(_))));
        device.backend().synchronize().unwrap();
    }
}

#[test]
fn gpus_copy_from_each_other() {
    let Some(e) = on_gpus() else { return };
    let Some(there) = e.devices().nth(1).cloned() else { return };
    for count in [5, 3_000_000] {
        let x = ramp(&e, count);
        let y = e.to_device(&x, &there).unwrap();
        let double = e.binary(BinaryOp::Add, &y, &y).unwrap();
        let back = e.to_device(&double, &e.device()).unwrap();
        // The memory of what was copied is taken by others while the copy may still run.
        drop(y);
        let _filled = e.copy(&e.to_device(&x, &there).unwrap()).unwrap();
        let half = e.binary(BinaryOp::Sub, &back, &x).unwrap();
        assert!(e.all_true(&e.compare(CompareOp::Eq, &half, &x).unwrap()).unwrap());
    }
}

/// What the elements of a row vary by, in two passes over it.
fn variance(row: &[f64], ddof: f64) -> f64 {
    let count = row.len() as f64;
    let mean = row.iter().sum::<f64>() / count;
    row.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (count - ddof)
}

/// On both sides of the lengths from which memory is read once, also where the first element, about which the
/// distances are summed, is far from all others.
#[test]
fn variances_of_long_rows_on_cuda_are_those_of_plain_loops() {
    let Some(e) = on_gpus() else { return };
    let sizes = [
        ([1, 16_383], 1),
        ([2, 16_385], 1),
        ([2, 16_388], 1),
        ([1, 32_768], 1),
        ([2, 32_769], 1),
        ([3, 40_001], 1),
    ];
    let columns = [([2_048, 5], 0), ([2_049, 5], 0), ([2_500, 33], 0)];
    let types = [(DType::F16, 1e-3), (DType::BF16, 8e-3), (DType::F32, 2e-6)];
    for ((shape, axis), (dtype, unit)) in
        sizes.into_iter().chain(columns).flat_map(|size| types.map(|of| (size, of)))
    {
        for first in [1.5, 1000.0, f64::INFINITY, f64::NAN] {
            let element = |at: usize| 1.5 + ((at * 7_919) % 1_001) as f64 / 500.0 - 1.0;
            let mut values: Vec<f64> = (0..shape[0] * shape[1]).map(element).collect();
            values[0] = first;
            for value in &mut values {
                *value = Scalar::Float(*value).held_as(dtype).as_f64();
            }
            let bytes = values.iter().flat_map(|x| x.to_ne_bytes()).collect();
            let host = HostArray { dtype: DType::F64, shape: shape.into(), bytes };
            let x = e.cast(&e.from_host(&host).unwrap(), dtype).unwrap();
            e.realize(&[&x]).unwrap();
            let found = e.reduce(Reduction::Var { ddof: 1.0 }, &x, Some(&[axis]), false).unwrap();
            let found = e.to_host(&found).unwrap().to_scalars();
            assert_eq!(found.len(), shape[1 - axis as usize]);
            for (number, found) in found.into_iter().map(Scalar::as_f64).enumerate() {
                let row: Vec<f64> = match axis {
                    0 => values.iter().skip(number).step_by(shape[1]).copied().collect(),
                    _ => values[number * shape[1]..][..shape[1]].to_vec(),
                };
                let expected = variance(&row, 1.0);
                let is_near = (found - expected).abs() <= unit * expected;
                let case = format!("{dtype} {shape:?} along {axis}, {first} first: row {number}");
                assert!(
                    is_near || found.is_nan() && expected.is_nan(),
                    "{case}: {found}, {expected}"
                );
            }
        }
    }
}

mod cuda {
    use super::*;

    /// More operands than a byte can number: each step reads a row of its own, and all steps are wanted.
    #[test]
    fn a_program_may_have_hundreds_of_operands() {
        let Some(e) = on_gpus() else { return };
        for count in [100, 127, 129, 150, 260, 400] {
            let x = e.reshape(&ramp(&e, 3 * count as i64), &[3, count as i64]).unwrap();
            let row = |at| e.index(&x, &[IndexItem::Ellipsis, IndexItem::Int(at)]).unwrap();
            let mut steps = vec![row(0)];
            for at in 1..count as i64 {
                steps.push(e.binary(BinaryOp::Add, &steps[at as usize - 1], row(at)).unwrap());
            }
            e.realize(&steps.iter().collect::<Vec<_>>()).unwrap();
            for (at, step) in steps.iter().enumerate() {
                let sum = |row: usize| (0..=at).map(|at| (row * count + at) as f64).sum::<f64>();
                let found = e.to_host(step).unwrap().to_scalars();
                let expected = [0, 1, 2].map(|row| Scalar::Float(f64::from(sum(row) as f32)));
                assert_eq!(found, expected, "step {at} of {count}");
            }
        }
    }
}
