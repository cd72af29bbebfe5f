//! Random programs over random spaces and layouts. Their float values are small whole numbers, on
//! which sums are exact in any order, so that every result must be equal.

use super::super::reference;
use super::{Random, backends, device, elements, same, storage};
use crate::device::{Backend, Memo, Storage};
use crate::dtype::{DType, Kind, Scalar};
use crate::ir::{
    Access, BinaryOp, Builder, CompareOp, Domain, Op, Program, ReduceOp, Reg, Space, UnaryOp, Way,
};

/// A program, and the inputs and then the outputs that it runs over.
#[derive(Debug)]
pub struct Case {
    pub program: Program,
    pub space: Space,
    pub accesses: Vec<Access>,
    /// Elements of each operand's storage.
    pub lens: Vec<usize>,
}

const UNARY: [UnaryOp; 5] =
    [UnaryOp::Neg, UnaryOp::Abs, UnaryOp::Sign, UnaryOp::Floor, UnaryOp::Round];
const BINARY: [BinaryOp; 5] =
    [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Max, BinaryOp::Min];
const INTEGER: [BinaryOp; 6] = [
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
    BinaryOp::Shl,
    BinaryOp::Shr,
    BinaryOp::Gcd,
];
const COMPARE: [CompareOp; 4] = [CompareOp::Eq, CompareOp::Lt, CompareOp::Ge, CompareOp::Ne];

/// A layout with axes in any order, some broadcast, some backwards, some with gaps; and how many
/// elements it spans.
fn layout(random: &mut Random, space: &Space, domain: Domain, distinct: bool) -> (Access, usize) {
    let rank = space.dims.len();
    let axes = if domain == Domain::Row { space.kept } else { rank };
    let mut order: Vec<usize> = (0..axes).collect();
    if random.below(2) == 0 {
        for i in (1..axes).rev() {
            order.swap(i, random.below(i + 1));
        }
    }
    let mut access = Access { strides: vec![0; rank].as_slice().into(), ..Access::default() };
    let mut next = if random.below(4) == 0 { 2 } else { 1 };
    for axis in order.into_iter().rev() {
        let extent = space.dims[axis].max(1);
        if !distinct && random.below(6) == 0 {
            continue;
        }
        if random.below(5) == 0 {
            access.strides[axis] = -(next as isize);
            access.offset += next * (extent - 1);
        } else {
            access.strides[axis] = next as isize;
        }
        next *= extent;
        if random.below(6) == 0 {
            next += 1;
        }
    }
    (access, next + 2)
}

pub fn case(random: &mut Random) -> Case {
    let rank = random.below(4);
    let extents: &[usize] = match rank {
        0 | 1 => &[0, 1, 2, 17, 300, 2500],
        2 => &[0, 1, 3, 7, 33, 70],
        _ => &[1, 2, 3, 5, 12],
    };
    let dims: Vec<usize> = (0..rank).map(|_| random.pick(extents)).collect();
    let space = Space { dims: dims.as_slice().into(), kept: random.below(rank + 1) };
    let mut b = Builder::new();
    let (mut accesses, mut lens) = (Vec::new(), Vec::new());
    let mut values: Vec<Reg> = Vec::new();
    for _ in 0..1 + random.below(3) {
        let dtype = random.pick(&DType::STORED);
        let domain = random.pick(&[Domain::Element, Domain::Element, Domain::Row]);
        let (access, len) = layout(random, &space, domain, false);
        let input = b.input(dtype);
        values.push(b.load(input, domain));
        accesses.push(access);
        lens.push(len);
    }
    if rank > 0 && random.below(3) == 0 {
        let axis = random.below(rank);
        let domain = if axis < space.kept { Domain::Row } else { Domain::Element };
        let coordinate = b.iota(axis as u8, domain);
        values.push(coordinate);
        if random.below(2) == 0 {
            let extent = space.dims[axis].max(1);
            let negative = b.constant(Scalar::Int(extent as i64), DType::I64);
            let index = match random.below(2) {
                0 => coordinate,
                _ => b.push(Op::Binary(BinaryOp::Sub, coordinate, negative), DType::I64),
            };
            let input = b.input(random.pick(&DType::STORED));
            values.push(b.gather(input, &[index], domain));
            let strides = vec![0; rank];
            accesses.push(Access {
                offset: 1,
                strides: strides.as_slice().into(),
                gathered: [(extent, 2)].as_slice().into(),
            });
            lens.push(2 * extent + 1);
        }
    }
    for _ in 0..2 + random.below(8) {
        let a = random.pick(&values);
        let dtype = b.dtype(a);
        let value = match random.below(7) {
            0 => match random.pick(&UNARY) {
                op if op.row().loops.has(dtype) => b.push(Op::Unary(op, a), dtype),
                _ => a,
            },
            1 | 2 => {
                let other = random.pick(&values);
                let other = cast(&mut b, other, dtype);
                let op = match dtype.is_integer() && random.below(2) == 0 {
                    true => random.pick(&INTEGER),
                    false if dtype == DType::Bool => random.pick(&[BinaryOp::Max, BinaryOp::Mul]),
                    false => random.pick(&BINARY),
                };
                let value = b.push(Op::Binary(op, a, other), dtype);
                clamp(&mut b, value)
            }
            3 => {
                let other = random.pick(&values);
                let other = cast(&mut b, other, dtype);
                b.push(Op::Compare(random.pick(&COMPARE), a, other), DType::Bool)
            }
            4 => {
                let condition = random.pick(&values);
                let condition = cast(&mut b, condition, DType::Bool);
                let other = random.pick(&values);
                let other = cast(&mut b, other, dtype);
                b.push(Op::Select(condition, a, other), dtype)
            }
            5 if space.row_len() > 0 => {
                // A product of many leaves every range, and what is rounded at each step depends on
                // the order.
                let is_rounded =
                    |op: &ReduceOp| matches!(op.way(), Way::Joined(_)) && dtype.is_float();
                let takes =
                    |op: &ReduceOp| *op != ReduceOp::Prod && op.takes(dtype) && !is_rounded(op);
                let ops: Vec<ReduceOp> = ReduceOp::ALL.iter().copied().filter(takes).collect();
                let op = random.pick(&ops);
                let clamped = clamp(&mut b, a);
                let result = if op.is_arg() { DType::I64 } else { dtype };
                // A sum of many would leave the whole numbers that a half type has.
                let wide = op == ReduceOp::Sum && dtype.is_float();
                let clamped = if wide { b.cast(clamped, DType::F64) } else { clamped };
                let result = if wide { DType::F64 } else { result };
                if op == ReduceOp::Sum && dtype == DType::Bool {
                    continue;
                }
                let folded = b.push(Op::Reduce(op, clamped), result);
                clamp(&mut b, folded)
            }
            _ => {
                let to = random.pick(&DType::STORED);
                cast(&mut b, a, to)
            }
        };
        values.push(value);
    }
    for at in 0..1 + random.below(2) {
        let value = values[values.len() - 1 - at];
        let domain = match b.domain(value) {
            Domain::Row if random.below(3) > 0 => Domain::Row,
            _ => Domain::Element,
        };
        b.output(value, domain);
        let (access, len) = layout(random, &space, domain, true);
        accesses.push(access);
        lens.push(len);
    }
    Case { program: b.finish(), space, accesses, lens }
}

/// A cast; NaN, whose cast to an integer is the platform's affair, becomes 1 before it.
fn cast(b: &mut Builder, value: Reg, dtype: DType) -> Reg {
    let from = b.dtype(value);
    if !from.is_float() || dtype.is_float() {
        return b.cast(value, dtype);
    }
    let is_nan = b.push(Op::Unary(UnaryOp::IsNan, value), DType::Bool);
    let one = b.constant(Scalar::Int(1), from);
    let value = b.push(Op::Select(is_nan, one, value), from);
    b.cast(value, dtype)
}

/// Between -3 and 3, but NaN stays.
fn clamp(b: &mut Builder, value: Reg) -> Reg {
    let dtype = b.dtype(value);
    if dtype == DType::Bool {
        return value;
    }
    let (low, high) = if dtype.kind() == Kind::Unsigned { (0, 3) } else { (-3, 3) };
    let low = b.constant(Scalar::Int(low), dtype);
    let high = b.constant(Scalar::Int(high), dtype);
    let value = b.push(Op::Binary(BinaryOp::Max, value, low), dtype);
    b.push(Op::Binary(BinaryOp::Min, value, high), dtype)
}

/// Small whole numbers, and now and then a NaN.
pub fn values(random: &mut Random, dtype: DType, len: usize) -> Vec<Scalar> {
    let one = |random: &mut Random| match random.below(40) {
        0 if dtype.is_float() => Scalar::Float(f64::NAN),
        _ if dtype.kind() == Kind::Unsigned => Scalar::Int(random.below(7) as i64),
        _ => Scalar::Int(random.below(7) as i64 - 3),
    };
    (0..len).map(|_| one(random)).collect()
}

#[test]
fn random_programs_agree_with_the_reference() {
    let device = device();
    let backends = backends();
    for seed in 0..400 {
        let mut random = Random(seed);
        let case = case(&mut random);
        let inputs = case.program.inputs.len();
        let storages: Vec<_> = (0..inputs)
            .map(|input| {
                let dtype = case.program.inputs[input];
                storage(&device, dtype, &values(&mut random, dtype, case.lens[input]))
            })
            .collect();
        let outputs = || -> Vec<_> {
            (0..case.program.outputs.len())
                .map(|output| {
                    let filler = vec![Scalar::Int(1); case.lens[inputs + output]];
                    storage(&device, case.program.output_dtype(output), &filler)
                })
                .collect()
        };
        let expected = outputs();
        let given: Vec<(&Storage, &Access)> =
            storages.iter().zip(&case.accesses).map(|(s, a)| (&**s, a)).collect();
        fn with<'a>(
            outputs: &'a [std::sync::Arc<Storage>],
            accesses: &'a [Access],
        ) -> Vec<(&'a Storage, &'a Access)> {
            outputs.iter().zip(accesses).map(|(s, a)| (&**s, a)).collect()
        }
        let output_accesses = &case.accesses[inputs..];
        let wanted = with(&expected, output_accesses);
        reference::run(&case.program, &case.space, &given, &wanted).unwrap();
        // Once for itself, then as a launch that comes again.
        let memos: Vec<Memo> = backends.iter().map(|_| Memo::default()).collect();
        let memos = memos.iter().map(|memo| [None, Some(memo), Some(memo)]);
        for (backend, memo) in backends
            .iter()
            .zip(memos)
            .flat_map(|(backend, memos)| memos.map(|memo| (backend, memo)))
        {
            let found = outputs();
            let targets = with(&found, output_accesses);
            let (program, space) = (&case.program, &case.space);
            match memo {
                Some(memo) => backend.run_again(memo, program, space, &given, &targets),
                None => backend.run(program, space, &given, &targets),
            }
            .unwrap();
            for (number, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let pairs = elements(found).into_iter().zip(elements(expected));
                for (at, (found, expected)) in pairs.enumerate() {
                    assert!(
                        same(found, expected),
                        "seed {seed}, output {number}, element {at}: expected {expected}, found \
                         {found}\n{:?} {:?}\n{}",
                        case.space,
                        case.accesses,
                        case.program
                    );
                }
            }
        }
    }
}
