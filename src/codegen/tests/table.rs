//! Every operation has a text for every type that has it.

use crate::codegen::{library, ops};
use crate::dtype::DType;
use crate::ir::{BinaryOp, UnaryOp};

#[test]
fn every_operation_is_written_for_every_type() {
    let mut texts = 0;
    for dtype in DType::STORED {
        for op in UnaryOp::ALL.iter().filter(|op| op.row().loops.has(dtype)) {
            assert!(ops::unary(*op, dtype, "x").contains(['x', 'f', 't']), "{op:?} of {dtype}");
            texts += 1;
        }
        for op in BinaryOp::ALL.iter().filter(|op| op.row().loops.has(dtype)) {
            let text = ops::binary(*op, dtype, "a", "b");
            let of_both = text.contains('a') && text.contains('b');
            assert!(of_both || dtype == DType::Bool, "{op:?} of {dtype}: {text}");
            texts += 1;
        }
        for to in DType::STORED {
            assert!(ops::cast(dtype, to, "x").contains('x'), "{dtype} to {to}");
        }
    }
    assert_eq!(texts, 532);
}

#[test]
fn functions_of_the_library_are_found() {
    for (op, name) in [(BinaryOp::Gcd, "gcd"), (BinaryOp::Pow, "power"), (BinaryOp::Shl, "shl")] {
        let text = ops::binary(op, DType::I32, "a", "b");
        assert!(library::needed_by(&text).contains(&format!(" {name}(T ")), "{text}");
    }
}
