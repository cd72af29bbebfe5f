//! Operations of integers against the kernels.

use super::super::lanes;
use super::tests::{BINARY, COMPARE, COUNTS, bytes, levels, node, numbers, run};
use super::*;
use crate::dtype::DType;
use crate::ir::{CompareOp, UnaryOp};

/// `n` lanes of a type come out of a loop as out of the kernel of each operation.
fn agree(level: Level, (dtype, n): (DType, usize), binary: &[BinaryOp], unary: &[UnaryOp]) {
    let size = dtype.size();
    let (a, b) = (numbers(dtype, 1, n), numbers(dtype, 2, n));
    let mut wanted = vec![u64::MAX; n + 1];
    let out: *mut u8 = wanted.as_mut_ptr().cast();
    let (left, right) = (a.as_ptr().cast::<u8>(), b.as_ptr().cast::<u8>());
    for op in binary {
        let loops = [node(2, Act::Binary(*op), dtype, &[0, 1], None)];
        let made = run(level, &loops, &[], &[&a, &b], size, n);
        // SAFETY: `n` lanes at all addresses, here and below.
        unsafe { lanes::binary(level, *op, dtype)(out, left, right, n) };
        assert!(bytes(&made, n * size) == bytes(&wanted, n * size), "{op:?} {dtype} {n}");
    }
    for op in unary {
        let made = run(level, &[node(2, Act::Unary(*op), dtype, &[0], None)], &[], &[&a], size, n);
        // SAFETY: as above.
        unsafe { lanes::unary(level, *op, dtype)(out, left, n) };
        assert!(bytes(&made, n * size) == bytes(&wanted, n * size), "{op:?} {dtype} {n}");
    }
}

#[test]
fn a_sign_makes_no_difference_to_operations_of_bits() {
    for level in levels() {
        let binary = [
            BinaryOp::Add,
            BinaryOp::Sub,
            BinaryOp::Mul,
            BinaryOp::BitAnd,
            BinaryOp::BitOr,
            BinaryOp::BitXor,
            BinaryOp::Shl,
        ];
        for (dtype, n) in
            [DType::U32, DType::U64].into_iter().flat_map(|dtype| COUNTS.map(|n| (dtype, n)))
        {
            agree(level, (dtype, n), &binary, &[UnaryOp::Neg, UnaryOp::Not, UnaryOp::Square]);
            let (a, b) = (numbers(dtype, 1, n), numbers(dtype, 2, n));
            for op in [CompareOp::Eq, CompareOp::Ne] {
                let made = run(
                    level,
                    &[node(2, Act::Compare(op), dtype, &[0, 1], None)],
                    &[],
                    &[&a, &b],
                    1,
                    n,
                );
                let mut wanted = vec![0u8; n];
                let (kernel, _) = lanes::compare(level, op, dtype);
                // SAFETY: as above.
                unsafe { kernel(wanted.as_mut_ptr(), a.as_ptr().cast(), b.as_ptr().cast(), n) };
                assert!(bytes(&made, n) == wanted, "{op:?} {dtype} {n}");
            }
            for act in [
                Act::Binary(BinaryOp::Max),
                Act::Binary(BinaryOp::Shr),
                Act::Compare(CompareOp::Lt),
                Act::Unary(UnaryOp::Abs),
            ] {
                assert!(Deed::new(act, dtype, None).is_none(), "{act:?} {dtype}");
            }
        }
    }
}

#[test]
fn operations_of_integers_are_those_of_kernels() {
    for level in levels() {
        let binary = BINARY.into_iter().filter(|op| *op != BinaryOp::Div).chain([
            BinaryOp::BitAnd,
            BinaryOp::BitOr,
            BinaryOp::BitXor,
            BinaryOp::Shl,
            BinaryOp::Shr,
        ]);
        let binary: Vec<BinaryOp> = binary.collect();
        for (dtype, n) in
            [DType::I32, DType::I64].into_iter().flat_map(|dtype| COUNTS.map(|n| (dtype, n)))
        {
            let size = dtype.size();
            let (a, b) = (numbers(dtype, 1, n), numbers(dtype, 2, n));
            let (left, right) = (a.as_ptr().cast::<u8>(), b.as_ptr().cast::<u8>());
            agree(
                level,
                (dtype, n),
                &binary,
                &[UnaryOp::Neg, UnaryOp::Abs, UnaryOp::Not, UnaryOp::Square],
            );
            for (at, op) in COMPARE.into_iter().enumerate() {
                let compare = |out: u16, op: CompareOp, operands: &[u16]| {
                    node(out, Act::Compare(op), dtype, operands, None)
                };
                let made = run(level, &[compare(2, op, &[0, 1])], &[], &[&a, &b], 1, n);
                let compared = |op: CompareOp, (left, right): (*const u8, *const u8)| {
                    let mut out = vec![0u8; n];
                    let (kernel, is_swapped) = lanes::compare(level, op, dtype);
                    let (left, right) = if is_swapped { (right, left) } else { (left, right) };
                    // SAFETY: as above.
                    unsafe { kernel(out.as_mut_ptr(), left, right, n) };
                    out
                };
                let first = compared(op, (left, right));
                assert!(bytes(&made, n) == first, "{op:?} {dtype} {n}");
                // Joined with another, which compares with a number that is known.
                let next = COMPARE[(at + 1) % COMPARE.len()];
                let word = if size == 4 { 32u64 << 32 | 32 } else { 32 };
                let known = vec![word; n + 1];
                let second = compared(next, (right, known.as_ptr().cast()));
                for op in [BinaryOp::BitAnd, BinaryOp::BitOr, BinaryOp::BitXor] {
                    let masks = [Deed::new(Act::Compare(next), dtype, None); 2];
                    let deed = Deed::masks(op, masks).expect("there is an instruction");
                    let nodes = [
                        compare(3, COMPARE[at], &[0, 1]),
                        compare(4, next, &[1, 2]),
                        Node { out: 5, deed, operands: [3, 4].into_iter().collect() },
                    ];
                    let made = run(level, &nodes, &[(2, 32)], &[&a, &b], 1, n);
                    let join = |(a, b): (&u8, &u8)| match op {
                        BinaryOp::BitAnd => a & b,
                        BinaryOp::BitOr => a | b,
                        _ => a ^ b,
                    };
                    let wanted: Vec<u8> = first.iter().zip(&second).map(join).collect();
                    assert!(bytes(&made, n) == wanted, "{op:?} {dtype} {n}");
                }
            }
        }
    }
}
