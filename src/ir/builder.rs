//! Writes programs: equal instructions become one, and each value's domain follows from its
//! operands.

use rustc_hash::FxHashMap;

use super::{Domain, Instr, Op, Output, Program, Reg};
use crate::dtype::{DType, Scalar};

#[derive(Debug, Default)]
pub struct Builder {
    program: Program,
    known: FxHashMap<Instr, Reg>,
}

impl Builder {
    pub fn new() -> Builder {
        Builder::default()
    }

    /// Declares an input and gives its number.
    pub fn input(&mut self, dtype: DType) -> u16 {
        self.program.inputs.push(dtype);
        (self.program.inputs.len() - 1) as u16
    }

    /// Reads an input at the point. `domain` is `Row` if its strides along the reduced axes are all
    /// zero.
    pub fn load(&mut self, input: u16, domain: Domain) -> Reg {
        let dtype = self.program.inputs[input as usize];
        self.insert(Instr { op: Op::Load { input }, dtype, domain })
    }

    pub fn constant(&mut self, value: Scalar, dtype: DType) -> Reg {
        self.insert(Instr { op: Op::Const(value), dtype, domain: Domain::Row })
    }

    /// The coordinate along an axis; `domain` is `Row` for a kept axis of a space that has reduced
    /// ones.
    pub fn iota(&mut self, axis: u8, domain: Domain) -> Reg {
        self.insert(Instr { op: Op::Iota { axis }, dtype: DType::I64, domain })
    }

    /// A gather, whose own strides may vary within the row even where its indices do not.
    pub fn gather(&mut self, input: u16, indices: &[Reg], domain: Domain) -> Reg {
        let dtype = self.program.inputs[input as usize];
        let domain = indices.iter().fold(domain, |d, reg| d.max(self.program.instr(*reg).domain));
        self.insert(Instr { op: Op::Gather { input, indices: indices.into() }, dtype, domain })
    }

    /// Any operation on values: its domain is the widest of its operands', but a reduction's is
    /// `Row`.
    pub fn push(&mut self, op: Op, dtype: DType) -> Reg {
        let domain = match &op {
            Op::Reduce(..) => Domain::Row,
            _ => {
                let operands = op.operands();
                let domains = operands.iter().map(|reg| self.program.instr(*reg).domain);
                domains.max().unwrap_or(Domain::Row)
            }
        };
        self.insert(Instr { op, dtype, domain })
    }

    /// The value in another type; itself if it has that type already.
    pub fn cast(&mut self, value: Reg, dtype: DType) -> Reg {
        match self.program.instr(value) {
            instr if instr.dtype == dtype => value,
            _ => self.push(Op::Cast(value), dtype),
        }
    }

    pub fn dtype(&self, value: Reg) -> DType {
        self.program.instr(value).dtype
    }

    pub fn domain(&self, value: Reg) -> Domain {
        self.program.instr(value).domain
    }

    pub fn output(&mut self, value: Reg, domain: Domain) {
        self.program.outputs.push(Output { value, domain });
    }

    pub fn len(&self) -> usize {
        self.program.instrs.len()
    }

    pub fn is_empty(&self) -> bool {
        self.program.instrs.is_empty()
    }

    pub fn finish(self) -> Program {
        self.program
    }

    fn insert(&mut self, instr: Instr) -> Reg {
        let next = Reg(self.program.instrs.len() as u16);
        let reg = *self.known.entry(instr.clone()).or_insert(next);
        if reg == next {
            self.program.instrs.push(instr);
        }
        reg
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{BinaryOp, ReduceOp, UnaryOp};

    #[test]
    fn softmax_has_three_stages() {
        let mut b = Builder::new();
        let input = b.input(DType::F32);
        let x = b.load(input, Domain::Element);
        let max = b.push(Op::Reduce(ReduceOp::Max, x), DType::F32);
        let shifted = b.push(Op::Binary(BinaryOp::Sub, x, max), DType::F32);
        let e = b.push(Op::Unary(UnaryOp::Exp, shifted), DType::F32);
        let sum = b.push(Op::Reduce(ReduceOp::Sum, e), DType::F32);
        let y = b.push(Op::Binary(BinaryOp::Div, e, sum), DType::F32);
        b.output(y, Domain::Element);
        let again = b.push(Op::Unary(UnaryOp::Exp, shifted), DType::F32);
        assert_eq!(again, e);
        let program = b.finish();
        assert_eq!(program.stages(), [0, 1, 1, 1, 2, 2]);
        assert_eq!(
            program.to_string(),
            "\
%0 = load in0 : float32
%1 = reduce max %0 : float32 per row
%2 = sub %0 %1 : float32
%3 = exp %2 : float32
%4 = reduce sum %3 : float32 per row
%5 = div %3 %4 : float32
out0 = %5
"
        );
    }
}
