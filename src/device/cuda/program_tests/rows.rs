//! Launches of programs with rows: every reduction of every type, row programs, and what is odd
//! about some rows; in every way that a plan may choose.

use std::sync::Arc;

use super::{MAX_WAYS, Trial, access, numbers};
use crate::codegen::Form;
use crate::codegen::row_programs::{
    all_reductions, distance_to_largest, fallible, layer_norm, moments, reduce, rounded_reductions,
    softmax,
};
use crate::device::cpu::tests::{bytes, decode, storage};
use crate::device::cuda::trials::Devices;
use crate::device::{Error, Storage};
use crate::dtype::{DType, Scalar};
use crate::ir::{Access, Domain, Program, ReduceOp, Reg, Space};
use crate::memory::{Provenance, StreamId};

/// A space and how the first input lies in it, with gaps or without.
type Lying = (&'static [usize], usize, &'static [isize]);

/// Rows of all lengths, along and across; some whose ends no vector meets.
const SPACES: [Lying; 9] = [
    (&[5, 3], 1, &[3, 1]),
    (&[300], 0, &[1]),
    (&[9, 64], 1, &[64, 1]),
    (&[3, 1001], 1, &[1004, 1]),
    (&[3, 1001], 1, &[1001, 1]),
    (&[70, 33], 1, &[1, 70]),
    (&[64, 500], 1, &[1, 64]),
    (&[4, 6, 5, 8], 2, &[240, 8, 48, 1]),
    (&[6, 8, 7], 2, &[56, 1, 8]),
];

/// Outputs of elements lie as the first input does, those of rows without holes; the other inputs
/// lie along the last axis only.
fn trial(
    devices: &Devices,
    program: Program,
    lying: Lying,
    value: &dyn Fn(usize) -> Scalar,
) -> Trial {
    let (dims, kept, strides) = lying;
    let far = |(extent, stride): (&usize, &isize)| (*extent - 1) * stride.unsigned_abs();
    let len = dims.iter().zip(strides).map(far).sum::<usize>() + 1;
    let last = dims[dims.len() - 1];
    let mut along = vec![0; dims.len()];
    along[dims.len() - 1] = 1;
    let mut accesses = Vec::new();
    let mut inputs = Vec::new();
    for (number, dtype) in program.inputs.iter().enumerate() {
        let (len, strides) = if number == 0 { (len, strides) } else { (last, along.as_slice()) };
        let values: Vec<Scalar> = (0..len).map(value).collect();
        inputs.push(storage(&devices.0[0], *dtype, &values));
        accesses.push(access(0, strides));
    }
    let rows = Space { dims: dims.into(), kept }.rows();
    let mut lens = Vec::new();
    for output in &program.outputs {
        let row = dense(dims, kept);
        let (len, strides) = match output.domain {
            Domain::Row => (rows, row.as_slice()),
            Domain::Element => (len, strides),
        };
        lens.push(len);
        accesses.push(access(0, strides));
    }
    Trial { program, space: Space { dims: dims.into(), kept }, accesses, inputs, lens }
}

/// Row-major strides of the kept axes.
fn dense(dims: &[usize], kept: usize) -> Vec<isize> {
    let mut strides = vec![0; dims.len()];
    let mut next = 1;
    for axis in (0..kept).rev() {
        strides[axis] = next;
        next *= dims[axis] as isize;
    }
    strides
}

/// Numbers whose sums and products are exact in any order, with some ties.
fn exact(dtype: DType) -> impl Fn(usize) -> Scalar {
    move |at: usize| match dtype.is_float() {
        true => Scalar::Float([1.0, -2.0, 0.5, 2.0, -0.5, -1.0, 1.0][at * 5 % 7]),
        false => Scalar::Int((at * 37 % 101) as i64 * 2 + 1),
    }
}

/// Small positive numbers whose sums are exact in float32.
fn eighths(at: usize) -> Scalar {
    Scalar::Float(1.0 + (at * 29 % 97) as f64 / 8.0)
}

#[test]
fn every_reduction_of_every_type() {
    let Some(devices) = Devices::find() else { return };
    for dtype in DType::STORED {
        let is_common = matches!(dtype, DType::F32 | DType::I64 | DType::Bool | DType::F16);
        for (number, lying) in SPACES.into_iter().enumerate() {
            let trial = trial(&devices, all_reductions(dtype), lying, &exact(dtype));
            let name = format!("{dtype} {lying:?}");
            match is_common && number % 3 == dtype as usize % 3 {
                true => trial.check_ways(&devices, &name, 0.0),
                false => trial.check(&devices, &name, 0.0),
            }
        }
    }
}

#[test]
fn folds_by_a_formula_that_rounds() {
    let Some(devices) = Devices::find() else { return };
    for (dtype, tolerance) in [(DType::F32, 1e-5), (DType::F64, 1e-12)] {
        for lying in SPACES {
            let trial = trial(&devices, rounded_reductions(dtype), lying, &eighths);
            trial.check(&devices, &format!("{dtype} {lying:?}"), tolerance);
        }
    }
}

#[test]
fn row_programs() {
    let Some(devices) = Devices::find() else { return };
    for lying in [SPACES[1], SPACES[2], SPACES[3], SPACES[5], SPACES[6], SPACES[7]] {
        let count = lying.0[lying.1..].iter().product();
        let programs =
            [softmax(DType::F32), softmax(DType::F64), moments(count), layer_norm(count)];
        for program in programs {
            trial(&devices, program, lying, &eighths).check_ways(&devices, "row program", 1e-5);
        }
        let half = trial(&devices, softmax(DType::F16), lying, &eighths);
        half.check(&devices, "half precision", 2e-3);
        if lying.0.len() == 2 {
            let program = distance_to_largest();
            trial(&devices, program, lying, &eighths).check_ways(&devices, "distances", 0.0);
        }
    }
}

#[test]
fn rows_of_all_sizes() {
    let Some(devices) = Devices::find() else { return };
    let check = |lying: Lying| {
        let sum = trial(&devices, reduce(ReduceOp::Sum, DType::F32), lying, &eighths);
        sum.check(&devices, "sum", 1e-5);
        trial(&devices, softmax(DType::F32), lying, &eighths).check(&devices, "softmax", 1e-5);
    };
    check((&[40_000], 0, &[1]));
    check((&[70_001], 0, &[1]));
    check((&[8, 20_000], 1, &[1, 8]));
    check((&[300, 7], 1, &[7, 1]));
    check((&[2, 10_000], 1, &[10_000, 1]));
}

/// Rows that begin unevenly, of lengths on both sides of what decides how many threads share one, and so many of them
/// that nothing else decides.
#[test]
fn uneven_rows_of_many_lengths() {
    let Some(devices) = Devices::find() else { return };
    let check = |dtype: DType, tolerance: f64, lyings: &[Lying]| {
        for lying in lyings {
            let softmax = trial(&devices, softmax(dtype), *lying, &eighths);
            softmax.check(&devices, "softmax", tolerance);
        }
    };
    check(
        DType::F32,
        1e-5,
        &[
            (&[8_500, 39], 1, &[39, 1]),
            (&[4_300, 41], 1, &[41, 1]),
            (&[2_200, 81], 1, &[81, 1]),
            (&[2_200, 86], 1, &[86, 1]),
            (&[2_200, 161], 1, &[161, 1]),
            (&[1_100, 257], 1, &[257, 1]),
        ],
    );
    check(DType::F64, 1e-12, &[(&[1_100, 191], 1, &[191, 1]), (&[1_100, 193], 1, &[193, 1])]);
    check(DType::F16, 2e-3, &[(&[4_300, 65], 1, &[65, 1]), (&[2_200, 129], 1, &[129, 1])]);
    let statistics = trial(&devices, moments(17), (&[34_000, 17], 1, &[17, 1]), &eighths);
    statistics.check(&devices, "moments", 1e-5);
}

#[test]
fn nan_comes_first_and_ties_keep_the_first() {
    let Some(devices) = Devices::find() else { return };
    let infinite = |_: usize| Scalar::Float(f64::NEG_INFINITY);
    let with_nan = |at: usize| match at % 50 {
        31 => Scalar::Float(f64::NAN),
        _ => Scalar::Int((at % 7) as i64),
    };
    let tied = |at: usize| Scalar::Int((at / 3 % 2) as i64);
    for lying in [SPACES[1], SPACES[3], SPACES[5]] {
        for value in [&infinite as &dyn Fn(usize) -> Scalar, &with_nan, &tied] {
            for op in [ReduceOp::ArgMax, ReduceOp::ArgMin, ReduceOp::Max, ReduceOp::Min] {
                trial(&devices, reduce(op, DType::F32), lying, value).check(&devices, "nan", 0.0);
            }
        }
    }
}

#[test]
fn faults_are_those_of_the_first_row() {
    let Some(devices) = Devices::find() else { return };
    let cpu = &devices.0[0];
    let check = |bad: &[(usize, i64)], expected: Error| {
        let mut indices: Vec<Scalar> = (0..2400).map(|at| Scalar::Int(at % 99 + 1)).collect();
        bad.iter().for_each(|(at, index)| indices[*at] = Scalar::Int(*index));
        let trial = Trial {
            program: fallible(),
            space: Space { dims: [8, 300].as_slice().into(), kept: 1 },
            accesses: vec![
                Access { gathered: [(100, 1)].as_slice().into(), ..access(0, &[0, 0]) },
                access(0, &[300, 1]),
                access(0, &[1, 0]),
            ],
            inputs: vec![
                storage(cpu, DType::I64, &numbers(DType::I64, 100)),
                storage(cpu, DType::I64, &indices),
            ],
            lens: vec![8],
        };
        assert_eq!(trial.expected(cpu).unwrap_err(), expected);
        trial.check(&devices, "faults", 0.0);
    };
    let outside = |value: i64| Error::IndexOutOfBounds {
        instr: Some(Reg(1)),
        operand: 0,
        value,
        extent: 100,
    };
    check(&[(2000, 100), (700, -101), (2399, 5000)], outside(-101));
    check(&[(900, 0), (901, 100)], Error::DivisionByZero { instr: Reg(2) });
    check(&[(901, 0), (900, 100)], outside(100));
}

/// The reference does not know what the largest of nothing is.
#[test]
fn rows_without_elements() {
    let Some(devices) = Devices::find() else { return };
    let gpu = &devices.0[1];
    let fold = |op: ReduceOp, dtype: DType| -> Vec<f64> {
        let space = Space { dims: [3, 0].as_slice().into(), kept: 1 };
        let (input, output) =
            (storage(gpu, dtype, &[Scalar::Int(1)]), storage(gpu, dtype, &[Scalar::Int(1); 3]));
        let (from, to) = (access(0, &[1, 1]), access(0, &[1, 0]));
        let run =
            gpu.backend().run(&reduce(op, dtype), &space, &[(&input, &from)], &[(&output, &to)]);
        run.unwrap();
        decode(&output)
    };
    assert_eq!(fold(ReduceOp::Sum, DType::F32), [0.0; 3]);
    assert_eq!(fold(ReduceOp::Prod, DType::I32), [1.0; 3]);
    assert_eq!(fold(ReduceOp::Max, DType::Bool), [0.0; 3]);
    assert_eq!(fold(ReduceOp::Min, DType::Bool), [1.0; 3]);
}

#[test]
fn a_softmax_may_take_the_place_of_its_operand() {
    let Some(devices) = Devices::find() else { return };
    let gpu = &devices.0[1];
    let values: Vec<Scalar> = (0..90_000).map(|at| Scalar::Int(at * 7 % 11)).collect();
    for (rows, len) in [(300, 300), (2, 45_000), (1, 90_000)] {
        let space = Space { dims: [rows, len].as_slice().into(), kept: 1 };
        let way = access(0, &[len as isize, 1]);
        let run = |from: &Storage, to: &Storage| {
            let (inputs, outputs) = ([(from, &way)], [(to, &way)]);
            gpu.backend().run(&softmax(DType::F32), &space, &inputs, &outputs).unwrap();
        };
        let [x, y]: [Arc<Storage>; 2] = [(); 2].map(|()| storage(gpu, DType::F32, &values));
        run(&x, &y);
        run(&x, &x);
        assert!(bytes(&x) == bytes(&y), "{rows} rows of {len}");
    }
}

#[test]
fn float_sums_are_exact_to_their_last_bits_and_repeat() {
    let Some(devices) = Devices::find() else { return };
    let gpu = &devices.0[1];
    let values: Vec<Scalar> =
        (0..300_000).map(|at| Scalar::Float(f64::from(0.1f32) * (1 + at % 3) as f64)).collect();
    let input = storage(gpu, DType::F32, &values);
    let exact: f64 = decode(&input).iter().sum();
    let space = Space { dims: [values.len()].as_slice().into(), kept: 0 };
    let mut found = Vec::new();
    for _ in 0..3 {
        let output = storage(gpu, DType::F32, &[Scalar::Int(0)]);
        let program = reduce(ReduceOp::Sum, DType::F32);
        let (from, to) = (access(0, &[1]), access(0, &[0]));
        gpu.backend().run(&program, &space, &[(&input, &from)], &[(&output, &to)]).unwrap();
        found.push(decode(&output)[0]);
    }
    assert!((found[0] / exact - 1.0).abs() < 2e-7, "{} is not {exact}", found[0]);
    assert!(found.iter().all(|sum| *sum == found[0]), "{found:?}");
}

/// A row that no block can keep: three kernels, and other numbers at another place each time.
#[test]
fn kernels_that_come_again_and_again_become_a_graph() {
    let Some(devices) = Devices::find() else { return };
    let [cpu, gpu] = &devices.0;
    let cuda = gpu.backend().cuda().expect("it is a GPU");
    let graphs = cuda.runner.graphs.clone();
    let run = |number: usize| {
        let _elsewhere = storage(gpu, DType::F64, &vec![Scalar::Int(0); number % 3 * 30_000 + 1]);
        let value = |at: usize| eighths(at * (number + 1));
        let trial = trial(&devices, softmax(DType::F64), (&[30_000], 0, &[1]), &value);
        let (expected, found) = (trial.expected(cpu).unwrap(), trial.found(gpu).unwrap());
        trial.compare(&found, &expected, 1e-12, || format!("run {number}"));
    };
    (0..20).for_each(run);
    assert_eq!(graphs.used(), 0, "not yet");
    (20..30).for_each(run);
    assert_eq!(graphs.used(), 1);
    gpu.backend().set_stream(StreamId(1)).unwrap();
    (30..32).for_each(run);
    gpu.backend().set_stream(StreamId(0)).unwrap();
    cuda.set_profiling(true);
    run(32);
    cuda.set_profiling(false);
    let times = cuda.take_times();
    assert_eq!(times.len(), 3, "{times:?}");
    let known = cuda.kernel_list();
    let first = known.iter().find(|kernel| kernel.name == times[0].name).expect("it ran");
    assert_eq!(first.launches, 33, "a graph's kernels are counted, too");
    drop(devices);
    assert_eq!(graphs.used(), 0);
}

/// Bytes that lie so far apart that neither 31 nor 32 bits reach from the first to the last, and
/// the same bytes side by side.
#[test]
fn rows_that_need_64_bits() {
    const FAR: usize = (1 << 30) + 9;
    let Some(devices) = Devices::find() else { return };
    let [cpu, gpu] = &devices.0;
    let near: Vec<Scalar> =
        (0..5 * 280).map(|at| Scalar::Int((at * 37 % 101) as i64 * 2 + 1)).collect();
    let near = storage(cpu, DType::U8, &near);
    let far = gpu.allocate(DType::U8, 4 * FAR + 280, Provenance::TEMPORARY).unwrap();
    for (piece, values) in bytes(&near).chunks(280).enumerate() {
        gpu.backend().copy_from_host(values, &far, piece * FAR).unwrap();
    }
    // The pieces are the last axis, the first, and one in between.
    let spaces: [(Lying, &[isize]); 3] = [
        ((&[280, 5], 1, &[1, 280]), &[1, FAR as isize]),
        ((&[5, 280], 0, &[280, 1]), &[FAR as isize, 1]),
        ((&[4, 5, 70], 1, &[70, 280, 1]), &[70, FAR as isize, 1]),
    ];
    for ((dims, kept, way), far_way) in spaces {
        let trial = |input: &Arc<Storage>, strides: &[isize]| {
            let program = all_reductions(DType::U8);
            let space = Space { dims: dims.into(), kept };
            let lens = vec![space.rows(); program.outputs.len()];
            let mut accesses = vec![access(0, strides)];
            accesses.extend(lens.iter().map(|_| access(0, &dense(dims, kept))));
            Trial { program, space, accesses, inputs: vec![input.clone()], lens }
        };
        let expected = trial(&near, way).expected(cpu).unwrap();
        let trial = trial(&far, far_way);
        let mut forms = Vec::new();
        for way in 0..MAX_WAYS {
            if let Some(found) = trial.found_by(gpu, way, &mut forms) {
                trial.compare(&found, &expected, 0.0, || format!("way {way} of {dims:?}"));
            }
        }
        let is_wide = |form: &Form| matches!(form, Form::Rows(rows) if rows.is_wide);
        assert!(forms.len() > 1 && forms.iter().flatten().all(is_wide), "{forms:?}");
    }
}
