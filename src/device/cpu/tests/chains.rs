//! Operations that one loop does two of, on special values and on more lanes than a kernel takes at a time: to the
//! last bit what each does by itself.

use super::super::{Level, lanes, reference};
use super::{Random, backends, dense, device, elements, map_space, same, storage};
use crate::device::Backend;
use crate::dtype::{DType, Scalar};
use crate::ir::{BinaryOp, Builder, CompareOp, Domain, Op, Program, Reg, UnaryOp};

const SPECIAL: [f64; 9] =
    [0.0, -0.0, 1.0, -2.5, 3.0e38, 1.0e-40, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];

fn program(dtype: DType, make: impl Fn(&mut Builder, [Reg; 3]) -> Reg) -> Program {
    let mut b = Builder::new();
    let inputs = [b.input(dtype), b.input(dtype), b.input(dtype)];
    let operands = inputs.map(|input| b.load(input, Domain::Element));
    let value = make(&mut b, operands);
    b.output(value, Domain::Element);
    b.finish()
}

/// Every pair of operations that is a kernel, on either side, and some that are none.
fn programs(dtype: DType) -> Vec<(String, Program)> {
    use BinaryOp::{Add, Div, Fmax, Max, Min, Mul, Sub};
    use CompareOp::{Eq, Ge, Gt, Le, Lt};
    let mut all = Vec::new();
    for first in [Add, Sub, Mul, Div, Max] {
        for last in [Add, Sub, Mul, Max, Min, Fmax] {
            for is_right in [false, true] {
                let made = program(dtype, |b, [x, y, z]| {
                    let inner = b.push(Op::Binary(first, x, y), dtype);
                    let (left, right) = if is_right { (z, inner) } else { (inner, z) };
                    b.push(Op::Binary(last, left, right), dtype)
                });
                all.push((format!("{first:?}, {last:?}, {is_right}"), made));
            }
        }
        for last in [UnaryOp::Abs, UnaryOp::Square, UnaryOp::Neg] {
            let made = program(dtype, |b, [x, y, _]| {
                let inner = b.push(Op::Binary(first, x, y), dtype);
                b.push(Op::Unary(last, inner), dtype)
            });
            all.push((format!("{first:?}, {last:?}"), made));
        }
    }
    for order in [Lt, Le, Gt, Ge, Eq] {
        for (name, chosen) in [("xz", [0, 2]), ("yz", [1, 2]), ("zx", [2, 0]), ("zy", [2, 1])] {
            let made = program(dtype, |b, operands| {
                let [x, y, _] = operands;
                let is_so = b.push(Op::Compare(order, x, y), DType::Bool);
                let [so, not_so] = chosen.map(|at| operands[at]);
                b.push(Op::Select(is_so, so, not_so), dtype)
            });
            all.push((format!("{order:?} {name}"), made));
        }
    }
    // What is made first is read twice.
    let shared = program(dtype, |b, [x, y, z]| {
        let inner = b.push(Op::Binary(Mul, x, y), dtype);
        let sum = b.push(Op::Binary(Add, inner, z), dtype);
        b.push(Op::Binary(Sub, sum, inner), dtype)
    });
    all.push(("read twice".to_string(), shared));
    all
}

#[test]
fn two_operations_in_one_loop_are_what_each_is() {
    let device = device();
    let mut random = Random(41);
    for dtype in [DType::F16, DType::BF16, DType::F32, DType::F64] {
        let mut triples: Vec<[f64; 3]> = Vec::new();
        for a in SPECIAL {
            for b in SPECIAL {
                triples.extend(SPECIAL.map(|c| [a, b, c]));
            }
        }
        let number = |random: &mut Random| (random.below(4001) as f64 - 2000.0) / 64.0;
        triples.extend((0..1500).map(|_| [0; 3].map(|_| number(&mut random))));
        let space = map_space(&[triples.len()]);
        let access = dense(&space);
        let operands = [0, 1, 2].map(|at| {
            let lanes: Vec<Scalar> =
                triples.iter().map(|triple| Scalar::Float(triple[at])).collect();
            storage(&device, dtype, &lanes)
        });
        let given: Vec<_> = operands.iter().map(|operand| (&**operand, &access)).collect();
        let result = || storage(&device, dtype, &vec![Scalar::Int(0); triples.len()]);
        for (name, program) in programs(dtype) {
            let inputs = &given[..program.inputs.len()];
            let expected = result();
            reference::run(&program, &space, inputs, &[(&*expected, &access)]).unwrap();
            for backend in backends() {
                let found = result();
                backend.run(&program, &space, inputs, &[(&*found, &access)]).unwrap();
                let both = elements(&found).into_iter().zip(elements(&expected));
                for ((found, expected), triple) in both.zip(&triples) {
                    let (found, expected) = (found.as_f64(), expected.as_f64());
                    // Which of two zeros is the larger one is open.
                    let has_extreme = ["max", "Max", "Min"].iter().any(|word| name.contains(word));
                    let is_either_zero = has_extreme && found == expected;
                    let is_same = found.to_bits() == expected.to_bits()
                        || found.is_nan() && expected.is_nan()
                        || is_either_zero;
                    assert!(is_same, "{name} of {dtype} {triple:?}: {found}, not {expected}");
                }
            }
        }
    }
}

/// At every level of vector instructions, and on lanes that fill no vector.
#[test]
fn functions_in_one_loop_with_what_they_are_of_are_what_each_is() {
    for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
        for dtype in [DType::F32, DType::F64] {
            let mut random = Random(43);
            let n = 1003;
            let mut operands = || -> Vec<u64> {
                let number = |random: &mut Random| match random.below(4) {
                    0 => SPECIAL[random.below(SPECIAL.len())],
                    _ => random.below(4001) as f64 / 64.0 - 31.0,
                };
                let lanes = (0..n).map(|_| number(&mut random));
                match dtype {
                    DType::F32 => {
                        let bits: Vec<u32> = lanes.map(|x| (x as f32).to_bits()).collect();
                        let pairs = bits.chunks(2);
                        pairs
                            .map(|two| two.iter().rev().fold(0, |w, b| w << 32 | u64::from(*b)))
                            .collect()
                    }
                    _ => lanes.map(f64::to_bits).collect(),
                }
            };
            let (x, y) = (operands(), operands());
            let [mut first, mut expected, mut found] = [0; 3].map(|_| vec![0u64; n]);
            let (a, b) = (x.as_ptr().cast::<u8>(), y.as_ptr().cast::<u8>());
            for last in [UnaryOp::Sqrt, UnaryOp::Log1p] {
                let one = lanes::of_size(level, last, dtype).unwrap();
                // SAFETY: all have as many lanes of the type.
                unsafe {
                    lanes::unary(level, UnaryOp::Abs, dtype)(first.as_mut_ptr().cast(), a, n);
                    let apart = lanes::unary(level, last, dtype);
                    apart(expected.as_mut_ptr().cast(), first.as_ptr().cast(), n);
                    one(found.as_mut_ptr().cast(), a, n);
                }
                assert_eq!(found, expected, "{last:?} of a size, {dtype}, {level:?}");
            }
            for op in [BinaryOp::Sub, BinaryOp::Mul] {
                let one = lanes::finished(level, op, UnaryOp::Exp, dtype).unwrap();
                // SAFETY: as above.
                unsafe {
                    lanes::binary(level, op, dtype)(first.as_mut_ptr().cast(), a, b, n);
                    let apart = lanes::unary(level, UnaryOp::Exp, dtype);
                    apart(expected.as_mut_ptr().cast(), first.as_ptr().cast(), n);
                    one(found.as_mut_ptr().cast(), a, b, n);
                }
                let is_nan = |word: &u64| match dtype {
                    DType::F32 => {
                        f32::from_bits(*word as u32).is_nan()
                            || f32::from_bits((*word >> 32) as u32).is_nan()
                    }
                    _ => f64::from_bits(*word).is_nan(),
                };
                let same =
                    found.iter().zip(&expected).all(|(a, b)| a == b || is_nan(a) && is_nan(b));
                assert!(same, "{op:?} and exp, {dtype}, {level:?}");
            }
        }
    }
}

/// What is the same along a line, or everywhere, is read again for every few lanes of a block, however many values
/// come after it.
#[test]
fn numbers_beside_long_lines_stay_until_the_end() {
    use BinaryOp::{Add, Max, Mul, Sub};
    let device = device();
    for dtype in [DType::F16, DType::BF16, DType::F32, DType::F64, DType::I32, DType::I64] {
        let program = program(dtype, |b, [x, y, z]| {
            let mut value = b.push(Op::Binary(Sub, x, y), dtype);
            let mut others = Vec::new();
            for op in [Mul, Max, Add, Sub, Max, Mul, Add] {
                let other = if others.len() % 2 == 0 { x } else { z };
                value = b.push(Op::Binary(op, value, other), dtype);
                others.push(value);
            }
            others.into_iter().fold(value, |sum, value| b.push(Op::Binary(Max, sum, value), dtype))
        });
        for (rows, columns) in
            [(1, 1), (3, 255), (2, 257), (2, 512), (3, 1025), (2, 2049), (2, 5000), (1, 40_000)]
        {
            let space = map_space(&[rows, columns]);
            let lanes = |count: usize, seed: usize| {
                let number = |at: usize| Scalar::Int(((at * 7 + seed) % 13) as i64 - 6);
                storage(&device, dtype, &(0..count).map(number).collect::<Vec<_>>())
            };
            let access = |strides: [isize; 2]| crate::ir::Access {
                strides: strides.as_slice().into(),
                ..Default::default()
            };
            let (x, y, z) = (lanes(rows * columns, 1), lanes(rows, 5), lanes(1, 9));
            let accesses = [dense(&space), access([1, 0]), access([0, 0])];
            let given = [(&*x, &accesses[0]), (&*y, &accesses[1]), (&*z, &accesses[2])];
            let [expected, found] = [0, 0].map(|_| lanes(rows * columns, 0));
            reference::run(&program, &space, &given, &[(&*expected, &accesses[0])]).unwrap();
            for backend in backends() {
                backend.run(&program, &space, &given, &[(&*found, &accesses[0])]).unwrap();
                let mut both = elements(&found).into_iter().zip(elements(&expected));
                let is_same = both.all(|(found, expected)| same(found, expected));
                assert!(is_same, "{dtype}, {rows} lines of {columns}");
            }
        }
    }
}
