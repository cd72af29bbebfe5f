//! Every operation for every type, on special values and on ordinary ones.

use std::sync::Arc;

use super::{access, dense_trial};
use crate::device::Storage;
use crate::device::cpu::tests::{Random, storage};
use crate::device::cuda::trials::Devices;
use crate::dtype::{DType, Scalar};
use crate::ir::{BinaryOp, Builder, CompareOp, Domain, Op, Program, Reg, UnaryOp};

const SPECIAL: [f64; 20] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    3.0,
    -7.0,
    1e-45,
    -1e-40,
    65504.0,
    -3.4e38,
    88.8,
    -104.5,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// Special values of the type and some others.
fn sample(dtype: DType, random: &mut Random) -> Vec<Scalar> {
    let mut sample: Vec<Scalar> = Vec::new();
    match dtype.integer_range() {
        None => {
            sample.extend(SPECIAL.map(Scalar::Float));
            let near = |random: &mut Random| random.below(4001) as f64 / 256.0 - 7.8;
            sample.extend((0..20).map(|_| Scalar::Float(near(random))));
        }
        Some((low, high)) => {
            let number = |x: i128| Scalar::from_i128(x).unwrap();
            sample.extend([low, low + 1, high, high - 1, 0, 1, 2, 3, 7, 8, 31].map(number));
            let signed = low < 0;
            sample.extend([-1, -2, -3, -8].into_iter().filter(|_| signed).map(number));
            sample.extend((0..12).map(|_| number(low | i128::from(random.next()) & high)));
        }
    }
    sample
}

/// What an operation on floats may be off by, relative. The reference computes in float64.
fn unary_tolerance(op: UnaryOp, dtype: DType) -> f64 {
    use UnaryOp::*;
    match op {
        Neg | Abs | Sign | Not | Square | Reciprocal | Sqrt | Floor | Ceil | Trunc | Round
        | IsNan | IsInf | IsFinite | SignBit => 0.0,
        _ => transcendental(dtype),
    }
}

fn transcendental(dtype: DType) -> f64 {
    match dtype {
        DType::F64 => 1e-14,
        DType::F32 => 6e-7,
        // One step, where the value lies between two.
        _ => dtype.format().map_or(0.0, |format| 2f64.powi(-format.fraction)),
    }
}

fn binary_tolerance(op: BinaryOp, dtype: DType) -> f64 {
    use BinaryOp::*;
    match op {
        Pow | Atan2 | Hypot | LogAddExp | LogAddExp2 if dtype.is_float() => transcendental(dtype),
        _ => 0.0,
    }
}

/// As an element of the type holds it.
fn in_type(value: f64, dtype: DType) -> f64 {
    let held = if dtype.is_float() { dtype } else { DType::F32 };
    Scalar::Float(value).held_as(held).as_f64()
}

/// Programs with one output for each operation that `push` gives, over `operands` inputs.
fn program(
    dtype: DType,
    operands: usize,
    push: impl FnOnce(&mut Builder, &[Reg]) -> Vec<Reg>,
) -> Program {
    let mut b = Builder::new();
    let inputs: Vec<u16> = (0..operands).map(|_| b.input(dtype)).collect();
    let values: Vec<Reg> = inputs.iter().map(|input| b.load(*input, Domain::Element)).collect();
    for value in push(&mut b, &values) {
        b.output(value, Domain::Element);
    }
    b.finish()
}

fn input(devices: &Devices, dtype: DType, values: &[Scalar]) -> Arc<Storage> {
    storage(&devices.0[0], dtype, values)
}

/// Operations that are compared alike, a few in each program: what takes time is to compile these.
fn together<Operation: Copy, Key: PartialEq>(
    operations: impl Iterator<Item = Operation>,
    key: impl Fn(Operation) -> Key,
) -> Vec<Vec<Operation>> {
    let mut groups: Vec<Vec<Operation>> = Vec::new();
    for op in operations {
        let is_open = |group: &&mut Vec<Operation>| group.len() < 6 && key(group[0]) == key(op);
        match groups.iter_mut().find(is_open) {
            Some(group) => group.push(op),
            None => groups.push(vec![op]),
        }
    }
    groups
}

#[test]
fn unary_operations_agree_with_the_reference() {
    let Some(devices) = Devices::find() else { return };
    let mut random = Random(1);
    for dtype in DType::STORED {
        let sample = sample(dtype, &mut random);
        let known = UnaryOp::ALL.iter().copied().filter(|op| op.row().loops.has(dtype));
        for ops in together(known, |op| unary_tolerance(op, dtype)) {
            let program = program(dtype, 1, |b, values| {
                let result = |op: &UnaryOp| if op.is_test() { DType::Bool } else { dtype };
                ops.iter().map(|op| b.push(Op::Unary(*op, values[0]), result(op))).collect()
            });
            let values = (input(&devices, dtype, &sample), access(0, &[1]));
            let trial = dense_trial(program, &[sample.len()], vec![values]);
            trial.check(&devices, &format!("{ops:?}"), unary_tolerance(ops[0], dtype));
        }
    }
}

#[test]
fn binary_operations_agree_with_the_reference() {
    let Some(devices) = Devices::find() else { return };
    let mut random = Random(2);
    for dtype in DType::STORED {
        let sample = sample(dtype, &mut random);
        let pairs = sample.iter().flat_map(|a| sample.iter().map(move |b| (*a, *b)));
        let (left, right): (Vec<Scalar>, Vec<Scalar>) = pairs.unzip();
        // Where a divisor has no result, that pair is left out here; and so is an infinite one,
        // below which the reference finds no quotient where NumPy does.
        let has_result = |op: BinaryOp, b: &Scalar| match op {
            BinaryOp::FloorDiv if dtype.is_float() => in_type(b.as_f64(), dtype).is_finite(),
            op => !op.can_fail(dtype, Some(*b)),
        };
        let known = BinaryOp::ALL.iter().copied().filter(|op| op.row().loops.has(dtype));
        let alike = |op| {
            let leaves_out = right.iter().any(|b| !has_result(op, b));
            (binary_tolerance(op, dtype), leaves_out.then_some(op))
        };
        for ops in together(known, alike) {
            let program = program(dtype, 2, |b, values| {
                let [left, right] = [values[0], values[1]];
                ops.iter().map(|op| b.push(Op::Binary(*op, left, right), dtype)).collect()
            });
            let keep = |(_, b): &(&Scalar, &Scalar)| has_result(ops[0], b);
            let pairs = left.iter().zip(&right).filter(keep);
            let (left, right): (Vec<Scalar>, Vec<Scalar>) = pairs.map(|(a, b)| (*a, *b)).unzip();
            let inputs = [&left, &right]
                .map(|values| (input(&devices, dtype, values), access(0, &[1])))
                .to_vec();
            let trial = dense_trial(program, &[left.len()], inputs);
            trial.check(&devices, &format!("{ops:?}"), binary_tolerance(ops[0], dtype));
        }
    }
}

#[test]
fn comparisons_and_choices_agree_with_the_reference() {
    let Some(devices) = Devices::find() else { return };
    let mut random = Random(3);
    for dtype in DType::STORED {
        let sample = sample(dtype, &mut random);
        let pairs = sample.iter().flat_map(|a| sample.iter().map(move |b| (*a, *b)));
        let (left, right): (Vec<Scalar>, Vec<Scalar>) = pairs.unzip();
        let program = program(dtype, 2, |b, values| {
            let mut results: Vec<Reg> = CompareOp::ALL
                .iter()
                .map(|op| b.push(Op::Compare(*op, values[0], values[1]), DType::Bool))
                .collect();
            results.push(b.push(Op::Select(results[2], values[0], values[1]), dtype));
            results
        });
        let inputs = [&left, &right]
            .map(|values| (input(&devices, dtype, values), access(0, &[1])))
            .to_vec();
        dense_trial(program, &[left.len()], inputs).check(&devices, dtype.name(), 0.0);
    }
}

#[test]
fn casts_agree_with_the_reference() {
    let Some(devices) = Devices::find() else { return };
    let mut random = Random(4);
    for from in DType::STORED {
        let mut sample = sample(from, &mut random);
        // NaN and what is out of range is the platform's affair, which the reference does not have.
        sample.retain(|value| {
            let value = value.as_f64();
            !from.is_float() || value.abs() < 32_768.0
        });
        let program = program(from, 1, |b, values| {
            DType::STORED.iter().map(|to| b.push(Op::Cast(values[0]), *to)).collect()
        });
        let values = (input(&devices, from, &sample), access(0, &[1]));
        // Through float32, as the CPU's lanes go, an integer may be rounded twice.
        dense_trial(program, &[sample.len()], vec![values]).check(&devices, from.name(), 1e-7);
    }
}
