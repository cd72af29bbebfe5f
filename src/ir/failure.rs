//! Which instructions may end a launch with an error.

use super::{Op, Program, Reg};
use crate::dtype::Scalar;

impl Program {
    /// Whether the data may end a launch of it with an error.
    pub fn can_fail(&self) -> bool {
        (0..self.instrs.len()).any(|at| self.can_fail_at(Reg(at as u16)))
    }

    /// Whether an instruction may end a launch with an error.
    pub fn can_fail_at(&self, reg: Reg) -> bool {
        match &self.instr(reg).op {
            Op::Gather { .. } => true,
            Op::Binary(op, _, right) => {
                op.can_fail(self.instr(*right).dtype, self.constant_behind(*right))
            }
            Op::Const(_)
            | Op::Iota { .. }
            | Op::Load { .. }
            | Op::Unary(..)
            | Op::Compare(..)
            | Op::Select(..)
            | Op::Cast(_)
            | Op::Reduce(..) => false,
        }
    }

    /// What a value always is, if it is one constant, as its type holds it.
    fn constant_behind(&self, reg: Reg) -> Option<Scalar> {
        let instr = self.instr(reg);
        let value = match &instr.op {
            Op::Const(value) => *value,
            Op::Cast(from) => self.constant_behind(*from)?,
            _ => return None,
        };
        Some(value.held_as(instr.dtype))
    }
}

#[cfg(test)]
mod tests {
    use crate::dtype::{DType, Scalar};
    use crate::ir::{BinaryOp, Builder, Domain, Op};

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
            b.finish().can_fail()
        };
        assert!(!can_fail(BinaryOp::FloorDiv, 3));
        assert!(can_fail(BinaryOp::Mod, 0));
        // As int32 it is zero.
        assert!(can_fail(BinaryOp::Mod, 1 << 32));
        assert!(!can_fail(BinaryOp::Pow, 0));
        assert!(can_fail(BinaryOp::Pow, -1));
    }
}
