//! Operations that follow one another, where one loop does two of them: what the first makes is nobody else's.

use super::super::dispatch::Level;
use super::super::fused::{Act, Deed};
use super::super::lanes::{self, BinaryFn, Choice};
use super::plan::{Slot, Work};
use crate::dtype::DType;
use crate::ir::{BinaryOp, CompareOp, Domain, Instr, Op, Program, Reg, UnaryOp};

/// How often each value of a program is read.
pub(super) fn uses(program: &Program) -> Vec<u32> {
    let mut uses = vec![0; program.instrs.len()];
    let read = program.instrs.iter().flat_map(|instr| instr.op.operands());
    let written = program.outputs.iter().map(|output| output.value);
    read.chain(written).for_each(|reg| uses[reg.index()] += 1);
    uses
}

/// A program whose values have slots.
pub(super) struct Chains<'a> {
    pub program: &'a Program,
    pub uses: &'a [u32],
    pub slots: &'a [Slot],
    pub level: Level,
    /// Whether steps that follow one another become one loop anyway.
    pub fuses: bool,
}

impl Chains<'_> {
    fn of(&self, reg: Reg) -> Slot {
        self.slots[reg.index()]
    }

    /// The operation that made a value of elements which is read once, and its operands.
    fn made(&self, reg: Reg, dtype: DType) -> Option<(BinaryOp, Reg, Reg)> {
        match self.program.instr(reg) {
            Instr { op: Op::Binary(op, a, b), dtype: own, domain: Domain::Element } => {
                (*own == dtype && self.uses[reg.index()] == 1).then_some((*op, *a, *b))
            }
            _ => None,
        }
    }

    /// A binary operation and the one that made one of its operands, or a power with a constant.
    pub fn binary(&self, op: BinaryOp, [a, b]: [Reg; 2], dtype: DType) -> Option<Work> {
        if op == BinaryOp::Pow {
            return self.power([a, b], dtype.compute());
        }
        if self.fuses {
            return None;
        }
        [(a, b, false), (b, a, true)].into_iter().find_map(|(inner, other, is_right)| {
            let (first, x, y) = self.made(inner, dtype)?;
            let kernel = lanes::then(self.level, first, op, is_right, dtype)?;
            Some(Work::Select(kernel, self.of(x), self.of(y), self.of(other)))
        })
    }

    /// A power of which one number is a constant that makes it cheap: 2, or a small whole exponent.
    fn power(&self, [a, b]: [Reg; 2], compute: DType) -> Option<Work> {
        if !compute.is_float() {
            return None;
        }
        let constant = |reg: Reg| match self.program.instr(reg) {
            Instr { op: Op::Const(value), dtype, .. } => Some(value.held_as(*dtype).as_f64()),
            _ => None,
        };
        if constant(a) == Some(2.0) {
            let kernel = lanes::unary(self.level, UnaryOp::Exp2, compute);
            return Some(Work::Unary(kernel, self.of(b)));
        }
        let kernel = lanes::small_power(self.level, constant(b)?, compute)?;
        Some(Work::Unary(kernel, self.of(a)))
    }

    /// The kernel of an operation that rounds what it makes to a narrow type. An output is rounded where it is stored.
    pub fn rounded(&self, op: BinaryOp, at: usize, dtype: DType) -> Option<BinaryFn> {
        let is_stored = self.program.outputs.iter().any(|output| output.value.index() == at);
        if is_stored { None } else { lanes::rounded(self.level, op, dtype) }
    }

    /// A unary operation and the one that made its operand.
    pub fn unary(&self, op: UnaryOp, a: Reg, dtype: DType) -> Option<Work> {
        if self.fuses && Deed::new(Act::Unary(op), dtype, None).is_some() {
            return None;
        }
        if let Instr { op: Op::Unary(UnaryOp::Abs, x), dtype: own, domain: Domain::Element } =
            self.program.instr(a)
            && *own == dtype
            && self.uses[a.index()] == 1
            && let Some(kernel) = lanes::of_size(self.level, op, dtype)
        {
            return Some(Work::Unary(kernel, self.of(*x)));
        }
        let (first, x, y) = self.made(a, dtype)?;
        let kernel = lanes::finished(self.level, first, op, dtype)?;
        Some(Work::Binary(kernel, self.of(x), self.of(y)))
    }

    /// A choice and its comparison, where one of the numbers that are compared is chosen.
    pub fn choice(&self, [condition, a, b]: [Reg; 3], dtype: DType) -> Option<Work> {
        let Instr { op: Op::Compare(op, x, y), domain: Domain::Element, .. } =
            self.program.instr(condition)
        else {
            return None;
        };
        if self.fuses {
            return None;
        }
        let (x, y, has_equals) = match op {
            CompareOp::Lt => (*x, *y, false),
            CompareOp::Le => (*x, *y, true),
            CompareOp::Gt => (*y, *x, false),
            CompareOp::Ge => (*y, *x, true),
            CompareOp::Eq | CompareOp::Ne => return None,
        };
        if self.uses[condition.index()] != 1 || self.program.instr(x).dtype != dtype {
            return None;
        }
        let (choice, third) = match (a, b) {
            _ if a == x => (Choice::FirstOrThird, b),
            _ if a == y => (Choice::SecondOrThird, b),
            _ if b == x => (Choice::ThirdOrFirst, a),
            _ if b == y => (Choice::ThirdOrSecond, a),
            _ => return None,
        };
        let kernel = lanes::chosen(self.level, has_equals, choice, dtype.compute())?;
        Some(Work::Select(kernel, self.of(x), self.of(y), self.of(third)))
    }
}

/// Whether a result is one of the operands, or a number near one that has no more digits: to round it to their type
/// would change nothing.
pub(super) fn is_exact(op: &Op) -> bool {
    use BinaryOp::{CopySign, Fmax, Fmin, Max, Min};
    use UnaryOp::{Abs, Ceil, Floor, Neg, Round, Sign, Trunc};
    matches!(
        op,
        Op::Unary(Abs | Ceil | Floor | Neg | Round | Sign | Trunc, _)
            | Op::Binary(CopySign | Fmax | Fmin | Max | Min, ..)
    )
}
