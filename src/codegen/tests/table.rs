//! Every operation has a text for every type that has it.

use crate::codegen::{self, library, ops};
use crate::dtype::{DType, Scalar};
use crate::ir::{BinaryOp, Builder, Domain, Op, UnaryOp};

#[test]
fn every_operation_is_written_for_every_type() {
    let mut texts = 0;
    for dtype in DType::ALL {
        for op in UnaryOp::ALL.iter().filter(|op| ops::has_unary(**op, dtype)) {
            assert!(ops::unary(*op, dtype, "x").contains(['x', 'f', 't']), "{op:?} of {dtype}");
            texts += 1;
        }
        for op in BinaryOp::ALL.iter().filter(|op| ops::has_binary(**op, dtype)) {
            let text = ops::binary(*op, dtype, "a", "b");
            let of_both = text.contains('a') && text.contains('b');
            assert!(of_both || dtype == DType::Bool, "{op:?} of {dtype}: {text}");
            texts += 1;
        }
        for to in DType::ALL {
            assert!(ops::cast(dtype, to, "x").contains('x'), "{dtype} to {to}");
        }
    }
    assert_eq!(texts, 408);
}

#[test]
fn functions_of_the_library_are_found() {
    for (op, name) in [(BinaryOp::Gcd, "gcd"), (BinaryOp::Pow, "power"), (BinaryOp::Shl, "shl")] {
        let text = ops::binary(op, DType::I32, "a", "b");
        assert!(library::needed_by(&text).contains(&format!(" {name}(T ")), "{text}");
    }
}

#[test]
fn a_constant_divisor_rules_failure_out() {
    let can_fail = |op: BinaryOp, divisor: i64| {
        let mut b = Builder::new();
        let input = b.input(DType::I32);
        let x = b.load(input, Domain::Element);
        let wide = b.constant(Scalar::Int(divisor), DType::I64);
        let divisor = b.cast(wide, DType::I32);
        let value = b.push(Op::Binary(op, x, divisor), DType::I32);
        b.output(value, Domain::Element);
        codegen::can_fail(&b.finish())
    };
    assert!(!can_fail(BinaryOp::FloorDiv, 3));
    assert!(can_fail(BinaryOp::Mod, 0));
    // As int32 it is zero.
    assert!(can_fail(BinaryOp::Mod, 1 << 32));
    assert!(!can_fail(BinaryOp::Pow, 0));
    assert!(can_fail(BinaryOp::Pow, -1));
}
