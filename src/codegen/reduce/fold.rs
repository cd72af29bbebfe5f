//! Reductions in C: in which type they accumulate, and how a value joins.
//!
//! The types are those of the CPU. Integers wrap, so narrow ones may gather in 32 bits. Float sums
//! and products gather in double; a few neighbouring float32 values are summed in float32 before.

use std::borrow::Cow;

use super::super::{names, ops};
use crate::dtype::{DType, Kind};
use crate::ir::{BinaryOp, Op, Program, ReduceOp, Reg, Way};

#[derive(Debug, Clone)]
pub struct Fold {
    pub reg: Reg,
    pub operand: Reg,
    op: ReduceOp,
    /// Of the operand.
    dtype: DType,
    /// Of the result.
    result: DType,
    is_wide: bool,
}

impl Fold {
    /// The reduction that `reg` is. `is_wide`: whether positions need 64 bits.
    pub fn new(program: &Program, reg: Reg, is_wide: bool) -> Option<Fold> {
        let instr = program.instr(reg);
        let Op::Reduce(op, operand) = instr.op else { return None };
        let dtype = program.instr(operand).dtype;
        Some(Fold { reg, operand, op, dtype, result: instr.dtype, is_wide })
    }

    pub fn is_arg(&self) -> bool {
        self.op.is_arg()
    }

    /// The struct that joins two accumulators: of `kernels/fold.cuh`, or that of [`Fold::formula`].
    pub fn join(&self) -> Cow<'static, str> {
        let own = match (self.op.way(), self.dtype) {
            (Way::Total(BinaryOp::Mul) | Way::Extreme(BinaryOp::Min), DType::Bool) => "All",
            (Way::Total(_) | Way::Extreme(_), DType::Bool) => "Any",
            (Way::Total(BinaryOp::Mul), _) => "Prod",
            (Way::Total(_), _) => "Sum",
            (Way::Extreme(BinaryOp::Min), _) => "Min",
            (Way::Extreme(_), _) => "Max",
            (Way::Position(BinaryOp::Min), _) => "ArgMin",
            (Way::Position(_), _) => "ArgMax",
            (Way::Joined(join), dtype) => {
                return format!("Joined_{}_{dtype}", join.name()).into();
            }
        };
        own.into()
    }

    /// The text of the struct of a fold that goes by an operation's own formula.
    pub fn formula(&self) -> Option<String> {
        let Way::Joined(join) = self.op.way() else { return None };
        let (name, ty, dtype) = (self.join(), self.plain(), self.dtype);
        let formula = ops::binary(join, dtype, "a", "b");
        let head = format!("static __device__ inline {ty} join({ty} a, {ty} b)");
        Some(format!("struct {name} {{\n    {head} {{ return {formula}; }}\n}};\n"))
    }

    /// The C type of an accumulator, without its position.
    fn plain(&self) -> &'static str {
        names::value(self.accumulator())
    }

    /// The type whose variables accumulators are, without their positions.
    fn accumulator(&self) -> DType {
        if let Way::Joined(_) = self.op.way() {
            return self.dtype.compute();
        }
        let is_total = matches!(self.op.way(), Way::Total(_));
        let is_wide = self.dtype.size() == 8;
        match self.dtype.kind() {
            Kind::Bool if self.is_arg() => DType::I32,
            Kind::Bool => DType::Bool,
            Kind::Float if is_total || is_wide => DType::F64,
            Kind::Float => DType::F32,
            Kind::Unsigned | Kind::Signed if is_total && is_wide => DType::U64,
            Kind::Unsigned | Kind::Signed if is_total => DType::U32,
            Kind::Unsigned if is_wide => DType::U64,
            Kind::Unsigned if self.dtype.size() == 4 => DType::U32,
            Kind::Signed if is_wide => DType::I64,
            // It holds shorter numbers without a sign, too.
            Kind::Unsigned | Kind::Signed => DType::I32,
            Kind::Complex => self.dtype.not_stored(),
        }
    }

    /// The C type of an accumulator.
    pub fn ty(&self) -> String {
        let index = if self.is_wide { "u64" } else { "u32" };
        match self.is_arg() {
            true => format!("Best<{}, {index}>", self.plain()),
            false => self.plain().to_string(),
        }
    }

    /// Bytes of an accumulator.
    pub fn size(&self) -> usize {
        let plain = self.accumulator().size();
        match self.is_arg() {
            true if self.is_wide => 16,
            true => 2 * plain,
            false => plain,
        }
    }

    /// The accumulator of no values. `first` is the position from which this thread begins.
    pub fn identity(&self, first: &str) -> String {
        let value = names::constant(self.op.identity(self.dtype), self.accumulator());
        match self.is_arg() {
            true => format!("{{{value}, {first}}}"),
            false => value,
        }
    }

    /// Whether a few values are summed in float32 before they join.
    pub fn sums_near(&self) -> bool {
        self.op == ReduceOp::Sum && self.dtype.is_float() && self.dtype != DType::F64
    }

    /// The statement by which a value joins an accumulator (or the sum near by). `at` is its
    /// position.
    pub fn take(&self, acc: &str, value: &str, at: &str) -> String {
        let held = |is_plain: bool| match is_plain {
            true => value.to_string(),
            false => format!("({}){value}", self.plain()),
        };
        match self.op.way() {
            Way::Position(_) => {
                let value = held(self.plain() != "i32");
                format!("{}::take({acc}, {value}, {at});", self.join())
            }
            Way::Total(join) if self.dtype != DType::Bool => {
                let sign = if join == BinaryOp::Mul { "*" } else { "+" };
                let value = held(self.sums_near() || self.dtype == DType::F64);
                format!("{acc} {sign}= {value};")
            }
            Way::Total(_) | Way::Extreme(_) | Way::Joined(_) => {
                let value = held(names::value(self.dtype) == self.plain());
                format!("{acc} = {}::join({acc}, {value});", self.join())
            }
        }
    }

    /// The program's value, from the accumulator of the whole row.
    pub fn result(&self, acc: &str) -> String {
        let total = match (self.op.way(), self.result) {
            (Way::Position(_), _) => return format!("(i64){acc}.at"),
            (Way::Total(_), narrow) if narrow.compute() == DType::F32 && narrow != DType::F32 => {
                format!("(f32){acc}")
            }
            _ => acc.to_string(),
        };
        let wanted = names::value(self.result);
        match self.result.compute() == self.result {
            true if wanted == self.plain() => total,
            true => format!("({wanted}){total}"),
            false => names::rounded(self.result, total),
        }
    }
}
