//! Every row of the table of operations on every type that has it, against the reference, at every level
//! of vector instructions.

use std::collections::BTreeSet;

use super::super::reference;
use super::goldens::GOLDENS;
use super::{Random, backends, dense, device, elements, map_space, same, storage};
use crate::device::Backend;
use crate::dtype::{DType, Scalar};
use crate::ir::{BinaryOp, Builder, Domain, Op, Program, Reg, UnaryOp};

/// The ends of a type, what is next to them and to zero, and some others.
fn sample(dtype: DType, random: &mut Random) -> Vec<Scalar> {
    let Some((low, high)) = dtype.integer_range() else {
        let special = [0.0, 0.5, 1.0, 1.5, 2.5, 3.0, 1e4, f64::INFINITY, f64::NAN];
        return special.iter().flat_map(|x| [*x, -x]).map(Scalar::Float).collect();
    };
    let ends = [low, low + 1, high - 1, high, 0, 1];
    let others = (0..14).map(|_| low | i128::from(random.next()) & high);
    let small = [2, 3, 7, 8, 31, -1, -2, -3, -8].into_iter();
    let small = small.filter(|x| (low..=high).contains(x));
    let all = ends.into_iter().chain(small).chain(others);
    all.map(|x| Scalar::from_i128(x).unwrap()).collect()
}

fn check(name: &str, dtype: DType, operands: &[Vec<Scalar>], program: &Program) {
    let device = device();
    let space = map_space(&[operands[0].len()]);
    let access = dense(&space);
    let inputs: Vec<_> = operands.iter().map(|values| storage(&device, dtype, values)).collect();
    let given: Vec<_> = inputs.iter().map(|input| (&**input, &access)).collect();
    let filler = vec![Scalar::Int(1); operands[0].len()];
    let output = || storage(&device, program.output_dtype(0), &filler);
    let expected = output();
    reference::run(program, &space, &given, &[(&*expected, &access)]).unwrap();
    for backend in backends() {
        let found = output();
        backend.run(program, &space, &given, &[(&*found, &access)]).unwrap();
        for (at, (a, b)) in elements(&found).into_iter().zip(elements(&expected)).enumerate() {
            let operands: Vec<Scalar> = operands.iter().map(|values| values[at]).collect();
            assert!(same(a, b), "{name} of {dtype} {operands:?} is {b}, not {a}");
        }
    }
}

/// A program of one operation on inputs of one type.
fn program(dtype: DType, operands: usize, op: impl FnOnce(&[Reg]) -> (Op, DType)) -> Program {
    let mut b = Builder::new();
    let inputs: Vec<u16> = (0..operands).map(|_| b.input(dtype)).collect();
    let values: Vec<Reg> = inputs.iter().map(|input| b.load(*input, Domain::Element)).collect();
    let (op, result) = op(&values);
    let value = b.push(op, result);
    b.output(value, Domain::Element);
    b.finish()
}

/// Functions that no back end computes to the last bit have their truth in the goldens.
fn is_rounded(name: &str) -> bool {
    GOLDENS.lines().any(|line| line.split(' ').nth(1) == Some(name))
}

#[test]
fn unary_operations_are_the_references() {
    let mut random = Random(1);
    for dtype in DType::STORED {
        let sample = sample(dtype, &mut random);
        let has = |op: &&UnaryOp| op.row().loops.has(dtype) && !is_rounded(op.name());
        for op in UnaryOp::ALL.iter().filter(has) {
            let result = if op.is_test() { DType::Bool } else { dtype };
            let program = program(dtype, 1, |values| (Op::Unary(*op, values[0]), result));
            check(op.name(), dtype, std::slice::from_ref(&sample), &program);
        }
    }
}

#[test]
fn binary_operations_are_the_references() {
    let mut random = Random(2);
    for dtype in DType::STORED {
        let sample = sample(dtype, &mut random);
        let has = |op: &&BinaryOp| op.row().loops.has(dtype) && !is_rounded(op.name());
        for op in BinaryOp::ALL.iter().filter(has) {
            // An infinite divisor of floats: the reference finds no quotient where NumPy does.
            let has_result = |b: &Scalar| match op {
                BinaryOp::FloorDiv if dtype.is_float() => b.as_f64().is_finite(),
                op => !op.can_fail(dtype, Some(*b)),
            };
            let pairs = sample.iter().flat_map(|a| sample.iter().map(move |b| (*a, *b)));
            let (left, right) = pairs.filter(|(_, b)| has_result(b)).unzip();
            let program =
                program(dtype, 2, |values| (Op::Binary(*op, values[0], values[1]), dtype));
            check(op.name(), dtype, &[left, right], &program);
        }
    }
}

/// Quotients and remainders by one number, a power of two among others, of few lanes and of many.
#[test]
fn integers_are_divided_by_a_constant_as_the_reference_does() {
    let mut random = Random(3);
    for dtype in DType::STORED {
        let Some((low, high)) = dtype.integer_range() else { continue };
        let sample = sample(dtype, &mut random);
        let many: Vec<Scalar> = (0..5_000).map(|at| sample[at * 7 % sample.len()]).collect();
        let powers = (0..127).map(|shift| 1i128 << shift).flat_map(|power| [power, -power]);
        let divisors = powers.chain([3, 7, 10, 100, low, high, low + 1, high - 1]);
        for by in divisors.filter(|by| (low..=high).contains(by) && *by != 0) {
            let by = Scalar::from_i128(by).unwrap();
            let ops = [BinaryOp::FloorDiv, BinaryOp::Mod, BinaryOp::Fmod];
            for op in ops.into_iter().filter(|op| op.row().loops.has(dtype)) {
                let mut b = Builder::new();
                let input = b.input(dtype);
                let (x, by) = (b.load(input, Domain::Element), b.constant(by, dtype));
                let quotient = b.push(Op::Binary(op, x, by), dtype);
                let more = b.push(Op::Binary(BinaryOp::Sub, quotient, by), dtype);
                b.output(more, Domain::Element);
                let program = b.finish();
                for lanes in [&sample, &many] {
                    check(op.name(), dtype, std::slice::from_ref(lanes), &program);
                }
            }
        }
    }
}

/// A power of two has a reciprocal that may take its place, unless that is too large or too small for the type.
#[test]
fn floats_are_divided_by_a_constant_as_the_reference_does() {
    let mut random = Random(4);
    for dtype in DType::STORED.into_iter().filter(|dtype| dtype.is_float()) {
        let sample = sample(dtype, &mut random);
        let many: Vec<Scalar> = (0..5_000).map(|at| sample[at * 7 % sample.len()]).collect();
        let powers = [-1074, -1022, -149, -127, -126, -24, -14, -1, 0, 1, 15, 16, 126, 127, 1023]
            .map(|power| 2f64.powi(power));
        let others = [-4.0, -0.5, 3.0, 0.1, 6.0, 65_504.0, 0.0, f64::INFINITY, f64::NAN];
        for by in powers.into_iter().chain(others).map(Scalar::Float) {
            for then in [None, Some(BinaryOp::Sub), Some(BinaryOp::Mul)] {
                let mut b = Builder::new();
                let input = b.input(dtype);
                let (x, by) = (b.load(input, Domain::Element), b.constant(by, dtype));
                let quotient = b.push(Op::Binary(BinaryOp::Div, x, by), dtype);
                let made = then.map(|op| b.push(Op::Binary(op, quotient, by), dtype));
                b.output(made.unwrap_or(quotient), Domain::Element);
                let program = b.finish();
                for lanes in [&sample, &many] {
                    check("div", dtype, std::slice::from_ref(lanes), &program);
                }
            }
        }
    }
}

/// What a float type computes by a series is in the goldens for both widths.
#[test]
fn functions_of_real_numbers_have_goldens() {
    let known: BTreeSet<(&str, &str)> =
        GOLDENS.lines().filter_map(|line| line.split_once(' ')).collect();
    let has = |dtype: &str, name: &str| {
        known.iter().any(|(of, rest)| *of == dtype && rest.split(' ').next() == Some(name))
    };
    // Exact in IEEE 754, and a step of the last bit.
    const EXACT: [&str; 4] = ["sqrt", "reciprocal", "div", "nextafter"];
    // Remainders and quotients are as the reference says.
    const WHOLE: [&str; 3] = ["floordiv", "mod", "fmod"];
    let costs = |op: Op| op.cost(DType::F32) > 0;
    let unary = UnaryOp::ALL.iter().filter(|op| costs(Op::Unary(**op, Reg(0)))).map(|op| op.name());
    let binary = BinaryOp::ALL.iter().filter(|op| costs(Op::Binary(**op, Reg(0), Reg(0))));
    let binary = binary.filter(|op| op.row().loops.has(DType::F32)).map(|op| op.name());
    for name in unary.chain(binary).filter(|name| !EXACT.contains(name) && !WHOLE.contains(name)) {
        assert!(has("float32", name) && has("float64", name), "no golden of {name}");
    }
}
