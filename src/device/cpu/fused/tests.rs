//! Loops against kernels, which have tests of their own.

use super::super::lanes::{self, UnaryFn};
use super::*;
use crate::dtype::DType;
use crate::ir::{BinaryOp, CompareOp, UnaryOp};

/// Room for the lanes of any type.
pub(super) type Lanes = Vec<u64>;

pub(super) const COUNTS: [usize; 14] = [0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 129];

/// Numbers with all that is special, in an order that a seed gives.
pub(super) fn numbers(dtype: DType, seed: u64, n: usize) -> Lanes {
    let mut lanes = vec![0u64; n.max(1)];
    let special = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        2.5,
        -3.5,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        1e-42,
        3e38,
    ];
    let mut state = seed;
    for at in 0..n {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let pick = (state >> 33) as usize;
        let number = match pick % 3 {
            0 => special[pick / 3 % special.len()],
            _ => (pick as f64 - 1e9) / 3e8,
        };
        let start = lanes.as_mut_ptr();
        // SAFETY: there is room for eight bytes a lane.
        unsafe {
            match dtype {
                DType::F64 => start.cast::<f64>().add(at).write(number),
                DType::F32 => start.cast::<f32>().add(at).write(number as f32),
                DType::I32 | DType::U32 => start.cast::<i32>().add(at).write(whole(pick) as i32),
                DType::I64 | DType::U64 => start.cast::<i64>().add(at).write(whole(pick)),
                DType::Bool => start.cast::<u8>().add(at).write((pick / 3 % 2) as u8),
                _ => start.cast::<u16>().add(at).write((state >> 40) as u16),
            }
        }
    }
    lanes
}

/// A whole number near zero, near where shifts end, or near the ends of a type.
fn whole(pick: usize) -> i64 {
    let near = (pick / 6 % 5) as i64 - 2;
    match pick % 6 {
        0 => near,
        1 => near.wrapping_add(i64::from(i32::MAX)),
        2 => near.wrapping_add(i64::MAX),
        3 => near + 32,
        4 => near + 64,
        _ => pick as i64 - (1 << 30),
    }
}

pub(super) fn bytes(lanes: &Lanes, count: usize) -> &[u8] {
    // SAFETY: there are as many.
    unsafe { std::slice::from_raw_parts(lanes.as_ptr().cast(), count) }
}

fn input(lanes: &Lanes, step: isize, is_one: bool) -> Input {
    Input { at: lanes.as_ptr().cast(), step, is_one }
}

/// Runs a loop over `n` lanes of each input, and shows that nothing is written behind them.
pub(super) fn run(
    level: Level,
    nodes: &[Node],
    consts: &[(u16, u64)],
    inputs: &[&Lanes],
    size: usize,
    n: usize,
) -> Lanes {
    let (code, order) = fused(level, nodes, consts).expect("there is a loop");
    let inputs: Vec<Input> =
        order.iter().map(|slot| input(inputs[usize::from(*slot)], 0, false)).collect();
    let mut out = vec![u64::MAX; n + 1];
    // SAFETY: there is room for eight bytes a lane, and one more.
    unsafe { code.run(out.as_mut_ptr().cast(), &inputs, (1, n)) };
    assert!(bytes(&out, (n + 1) * 8)[n * size..].iter().all(|byte| *byte == 0xff), "{nodes:?} {n}");
    out
}

pub(super) fn node(
    out: u16,
    act: Act,
    dtype: DType,
    operands: &[u16],
    rounded: Option<DType>,
) -> Node {
    let deed = Deed::new(act, dtype, rounded).expect("there are instructions");
    Node { out, deed, operands: operands.into() }
}

/// As bits, but that of two NaN either may come out of an operation.
fn same(dtype: DType, a: &[u8], b: &[u8]) -> bool {
    let size = dtype.size();
    a.chunks(size).zip(b.chunks(size)).all(|(a, b)| {
        let is_nan = |lane: &[u8]| match dtype {
            DType::F32 => f32::from_ne_bytes(lane.try_into().unwrap()).is_nan(),
            DType::F64 => f64::from_ne_bytes(lane.try_into().unwrap()).is_nan(),
            DType::F16 => half::f16::from_ne_bytes(lane.try_into().unwrap()).is_nan(),
            DType::BF16 => half::bf16::from_ne_bytes(lane.try_into().unwrap()).is_nan(),
            _ => false,
        };
        a == b || is_nan(a) && is_nan(b)
    })
}

pub(super) const BINARY: [BinaryOp; 6] =
    [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div, BinaryOp::Max, BinaryOp::Min];
const UNARY: [UnaryOp; 9] = [
    UnaryOp::Neg,
    UnaryOp::Abs,
    UnaryOp::Square,
    UnaryOp::Reciprocal,
    UnaryOp::Sqrt,
    UnaryOp::Floor,
    UnaryOp::Ceil,
    UnaryOp::Trunc,
    UnaryOp::Round,
];
pub(super) const COMPARE: [CompareOp; 6] =
    [CompareOp::Eq, CompareOp::Ne, CompareOp::Lt, CompareOp::Le, CompareOp::Gt, CompareOp::Ge];

/// The levels of which this machine can run loops.
pub(super) fn levels() -> impl Iterator<Item = Level> {
    Level::ALL.into_iter().filter(|level| level.is_available() && is_possible(*level))
}

#[test]
fn each_operation_is_that_of_its_kernel() {
    for level in levels() {
        for dtype in [DType::F32, DType::F64] {
            let size = dtype.size();
            for n in COUNTS {
                let (a, b) = (numbers(dtype, 1, n), numbers(dtype, 2, n));
                let mut wanted = vec![u64::MAX; n + 1];
                let out: *mut u8 = wanted.as_mut_ptr().cast();
                let (left, right) = (a.as_ptr().cast::<u8>(), b.as_ptr().cast::<u8>());
                for op in BINARY {
                    let made = run(
                        level,
                        &[node(2, Act::Binary(op), dtype, &[0, 1], None)],
                        &[],
                        &[&a, &b],
                        size,
                        n,
                    );
                    // SAFETY: `n` lanes at all addresses.
                    unsafe { lanes::binary(level, op, dtype)(out, left, right, n) };
                    let (made, wanted) = (bytes(&made, n * size), bytes(&wanted, n * size));
                    let is_exact = matches!(op, BinaryOp::Max | BinaryOp::Min);
                    assert!(
                        made == wanted || !is_exact && same(dtype, made, wanted),
                        "{op:?} {dtype} {n}"
                    );
                }
                for op in UNARY {
                    let made = run(
                        level,
                        &[node(2, Act::Unary(op), dtype, &[0], None)],
                        &[],
                        &[&a],
                        size,
                        n,
                    );
                    // SAFETY: as above.
                    unsafe { lanes::unary(level, op, dtype)(out, left, n) };
                    let (made, wanted) = (bytes(&made, n * size), bytes(&wanted, n * size));
                    assert!(same(dtype, made, wanted), "{op:?} {dtype} {n}");
                }
                for op in COMPARE {
                    let made = run(
                        level,
                        &[node(2, Act::Compare(op), dtype, &[0, 1], None)],
                        &[],
                        &[&a, &b],
                        1,
                        n,
                    );
                    let (kernel, is_swapped) = lanes::compare(level, op, dtype);
                    let (left, right) = if is_swapped { (right, left) } else { (left, right) };
                    // SAFETY: as above.
                    unsafe { kernel(out, left, right, n) };
                    assert!(bytes(&made, n) == bytes(&wanted, n), "{op:?} {dtype} {n}");
                }
                let mask = numbers(DType::Bool, 3, n);
                let choice = [node(3, Act::Select, dtype, &[0, 1, 2], None)];
                let made = run(level, &choice, &[], &[&mask, &a, &b], size, n);
                // SAFETY: as above.
                unsafe { lanes::select(level, size)(out, mask.as_ptr().cast(), left, right, n) };
                assert!(bytes(&made, n * size) == bytes(&wanted, n * size), "{dtype} {n}");
            }
        }
    }
}

#[test]
fn extremes_of_numbers_that_are_known_are_those_of_any() {
    for level in levels() {
        for dtype in [DType::F32, DType::F64] {
            let (size, n) = (dtype.size(), 129);
            let x = numbers(dtype, 4, n);
            for number in [0.0, -0.0, 1.0, -1.0, 0.5, f64::INFINITY, f64::NAN] {
                let bits =
                    if size == 8 { number.to_bits() } else { u64::from((number as f32).to_bits()) };
                let mut all = vec![0u64; n];
                for at in 0..n {
                    // SAFETY: there is room for eight bytes a lane.
                    unsafe {
                        match size {
                            8 => all.as_mut_ptr().add(at).write(bits),
                            _ => all.as_mut_ptr().cast::<u32>().add(at).write(bits as u32),
                        }
                    }
                }
                for op in [BinaryOp::Max, BinaryOp::Min] {
                    for operands in [[0, 1], [1, 0]] {
                        let nodes = [node(2, Act::Binary(op), dtype, &operands, None)];
                        let known = run(level, &nodes, &[(1, bits)], &[&x], size, n);
                        let any = run(level, &nodes, &[], &[&x, &all], size, n);
                        assert!(
                            bytes(&known, n * size) == bytes(&any, n * size),
                            "{op:?} {dtype} {number} {operands:?}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn sixteen_bits_are_widened_and_rounded_as_by_kernels() {
    for level in levels() {
        for half in [DType::F16, DType::BF16] {
            for n in COUNTS.into_iter().chain([5000]) {
                let (stored, wide) = (numbers(half, 5, n), numbers(DType::F32, 6, n));
                let mut wanted = vec![u64::MAX; n + 1];
                let out: *mut u8 = wanted.as_mut_ptr().cast();
                let compare = |act: Act, from: &Lanes, kernel: UnaryFn, dtype: DType| {
                    let made = run(
                        level,
                        &[node(1, act, DType::F32, &[0], None)],
                        &[],
                        &[from],
                        dtype.size(),
                        n,
                    );
                    // SAFETY: `n` lanes at both.
                    unsafe { kernel(out, from.as_ptr().cast(), n) };
                    let count = n * dtype.size();
                    assert!(same(dtype, bytes(&made, count), bytes(&wanted, count)), "{act:?} {n}");
                };
                compare(Act::Widen(half), &stored, lanes::from_narrow(level, half), DType::F32);
                compare(Act::Narrow(half), &wide, lanes::to_narrow(level, half), half);
                compare(Act::Round(half), &wide, lanes::round_narrow(level, half), DType::F32);
            }
        }
    }
}

/// Values that are read several times, more of them than there are registers, and numbers of all kinds.
#[test]
fn values_keep_to_registers_of_their_own() {
    for level in levels() {
        let n = 77;
        let x = numbers(DType::F32, 7, n);
        for count in [2u16, 5, 9, 14, 30] {
            // Powers of x that all live until they are added up.
            let mut nodes = vec![node(1, Act::Binary(BinaryOp::Mul), DType::F32, &[0, 200], None)];
            for at in 1..count {
                nodes.push(node(
                    at + 1,
                    Act::Binary(BinaryOp::Mul),
                    DType::F32,
                    &[at, 200 + at % 7],
                    None,
                ));
            }
            nodes.push(node(100, Act::Binary(BinaryOp::Add), DType::F32, &[0, count], None));
            for at in 1..=count {
                nodes.push(node(
                    100 + at,
                    Act::Binary(BinaryOp::Add),
                    DType::F32,
                    &[99 + at, at],
                    Some(DType::BF16),
                ));
            }
            let number = |at: u16| 1.0 + f32::from(at) / 16.0;
            let consts: Vec<(u16, u64)> =
                (0..7).map(|at| (200 + at, u64::from(number(at).to_bits()))).collect();
            let Some(_) = fused(level, &nodes, &consts) else {
                let has_room = if level == Level::Avx512 { 9 } else { 2 };
                assert!(count > has_room, "{count} values have room");
                continue;
            };
            let made = run(level, &nodes, &consts, &[&x], 4, n);
            for at in 0..n {
                // SAFETY: there are `n` lanes.
                let (x, made) = unsafe {
                    (*x.as_ptr().cast::<f32>().add(at), *made.as_ptr().cast::<f32>().add(at))
                };
                let mut powers = vec![x * number(0)];
                for at in 1..count {
                    powers.push(powers[usize::from(at) - 1] * number(at % 7));
                }
                let mut sum = x + powers[usize::from(count) - 1];
                for power in powers {
                    sum = half::bf16::from_f32(sum + power).to_f32();
                }
                assert!(
                    made.to_bits() == sum.to_bits() || made.is_nan() && sum.is_nan(),
                    "{count} {x}: {made} {sum}"
                );
            }
        }
    }
}

/// Of each type of input, and of one whose loop there is not: a mask.
#[test]
fn one_value_stands_for_all_lanes() {
    for level in levels() {
        let n = 150;
        let alike = |lanes: &Lanes, size: usize| {
            let mut all = vec![0u64; n];
            for at in 0..n {
                // SAFETY: there is room for eight bytes a lane.
                unsafe {
                    let to = all.as_mut_ptr().cast::<u8>().add(at * size);
                    std::ptr::copy_nonoverlapping(lanes.as_ptr().cast(), to, size);
                }
            }
            all
        };
        for dtype in [DType::F32, DType::F64] {
            let size = dtype.size();
            let given =
                [DType::Bool, dtype, dtype].map(|dtype| (numbers(dtype, 8, n), dtype.size()));
            let nodes = [
                node(3, Act::Binary(BinaryOp::Max), dtype, &[1, 2], None),
                node(4, Act::Select, dtype, &[0, 3, 2], None),
            ];
            for still in 0..8usize {
                let filled: Vec<Lanes> = (given.iter().enumerate())
                    .map(|(at, (lanes, size))| match still >> at & 1 {
                        1 => alike(lanes, *size),
                        _ => lanes.clone(),
                    })
                    .collect();
                let wanted = run(level, &nodes, &[], &filled.iter().collect::<Vec<_>>(), size, n);
                let (code, order) = fused(level, &nodes, &[]).expect("there is a loop");
                let given =
                    |slot: &u16| input(&given[usize::from(*slot)].0, 0, still >> slot & 1 == 1);
                let inputs: Vec<Input> = order.iter().map(given).collect();
                let mut out = vec![u64::MAX; n + 1];
                // SAFETY: there is room.
                unsafe { code.run(out.as_mut_ptr().cast(), &inputs, (1, n)) };
                assert!(out == wanted, "{dtype} {still}");
            }
        }
        for half in [DType::F16, DType::BF16] {
            let (one, other) = (numbers(half, 9, n), numbers(half, 10, n));
            let nodes = [
                node(2, Act::Widen(half), DType::F32, &[0], None),
                node(3, Act::Widen(half), DType::F32, &[1], None),
                node(4, Act::Binary(BinaryOp::Add), DType::F32, &[2, 3], Some(half)),
                node(5, Act::Narrow(half), DType::F32, &[4], None),
            ];
            let wanted = run(level, &nodes, &[], &[&one, &alike(&other, 2)], 2, n);
            let (code, order) = fused(level, &nodes, &[]).expect("there is a loop");
            assert!(order[..] == [0, 1]);
            let mut out = vec![u64::MAX; n + 1];
            let inputs = [input(&one, 0, false), input(&other, 0, true)];
            // SAFETY: as above.
            unsafe { code.run(out.as_mut_ptr().cast(), &inputs, (1, n)) };
            assert!(same(half, bytes(&out, n * 2), bytes(&wanted, n * 2)), "{half}");
        }
    }
}

/// Each input of which there is a lane for each line, lines that lie apart, and lines that are the same.
#[test]
fn lines_are_found_by_their_steps() {
    for level in levels() {
        for dtype in [DType::F32, DType::F64] {
            let size = dtype.size();
            let nodes = [
                node(3, Act::Binary(BinaryOp::Sub), dtype, &[0, 1], None),
                node(4, Act::Binary(BinaryOp::Max), dtype, &[3, 2], None),
                node(5, Act::Select, dtype, &[6, 4, 0], None),
            ];
            for (lines, n) in [(0, 5), (1, 7), (3, 16), (5, 33), (9, 1), (4, 130)] {
                let total = (lines * (n + 3)).max(n);
                let mask = numbers(DType::Bool, 13, total);
                let given = [10, 11, 12].map(|seed| numbers(dtype, seed, total));
                let all = [&given[0], &given[1], &given[2], &mask, &mask, &mask, &mask];
                let (code, order) = fused(level, &nodes, &[]).expect("there is a loop");
                for still in 0..16usize {
                    let is_one = |slot: u16| still >> slot.min(3) & 1 == 1;
                    // From line to line in lanes: apart, one behind the other, or not at all.
                    let step = |slot: u16| [n + 3, 1, 0, n][usize::from(slot.min(3))];
                    let width = |slot: u16| if slot == 6 { 1 } else { size };
                    let inputs: Vec<Input> = (order.iter())
                        .map(|slot| {
                            let bytes = (step(*slot) * width(*slot)) as isize;
                            input(all[usize::from(*slot)], bytes, is_one(*slot))
                        })
                        .collect();
                    let mut made = vec![u64::MAX; lines * n + 1];
                    // SAFETY: there is room.
                    unsafe { code.run(made.as_mut_ptr().cast(), &inputs, (lines, n)) };
                    let mut wanted = vec![u64::MAX; lines * n + 1];
                    for line in 0..lines {
                        let of_line = |slot: u16| -> Lanes {
                            let mut lanes = vec![0u64; n];
                            for at in 0..n {
                                let from = line * step(slot) + if is_one(slot) { 0 } else { at };
                                let from = &bytes(all[usize::from(slot)], total * 8)
                                    [from * width(slot)..][..width(slot)];
                                // SAFETY: there is room for eight bytes a lane.
                                unsafe {
                                    let to = lanes.as_mut_ptr().cast::<u8>().add(at * width(slot));
                                    std::ptr::copy_nonoverlapping(from.as_ptr(), to, width(slot));
                                }
                            }
                            lanes
                        };
                        let slots = [0, 1, 2, 3, 4, 5, 6].map(of_line);
                        let one =
                            run(level, &nodes, &[], &slots.iter().collect::<Vec<_>>(), size, n);
                        // SAFETY: as above.
                        unsafe {
                            let to = wanted.as_mut_ptr().cast::<u8>().add(line * n * size);
                            std::ptr::copy_nonoverlapping(one.as_ptr().cast(), to, n * size);
                        }
                    }
                    assert!(made == wanted, "{dtype} {lines} of {n}, {still:b}");
                }
            }
        }
    }
}

/// Of lines with lanes that are left over, too.
#[test]
fn a_loop_may_write_where_it_reads() {
    for level in levels() {
        for (dtype, n) in
            [DType::F32, DType::F64].into_iter().flat_map(|dtype| COUNTS.map(|n| (dtype, n)))
        {
            let nodes = [
                node(2, Act::Binary(BinaryOp::Add), dtype, &[0, 1], None),
                node(3, Act::Binary(BinaryOp::Mul), dtype, &[2, 0], None),
            ];
            let (code, order) = fused(level, &nodes, &[]).expect("there is a loop");
            assert_eq!(order[..], [0, 1]);
            let (size, lines) = (dtype.size(), 3);
            let step = (n * size) as isize;
            let (a, b) = (numbers(dtype, 14, lines * n), numbers(dtype, 15, lines * n));
            let mut apart = vec![0u64; lines * n + 1];
            let mut own = a.clone();
            let second = input(&b, step, false);
            // SAFETY: all lines are there.
            unsafe {
                code.run(apart.as_mut_ptr().cast(), &[input(&a, step, false), second], (lines, n));
                let first = input(&own, step, false);
                code.run(own.as_mut_ptr().cast(), &[first, second], (lines, n));
            }
            let count = lines * n * size;
            assert!(bytes(&apart, count) == bytes(&own, count), "{dtype} {n}");
        }
    }
}
