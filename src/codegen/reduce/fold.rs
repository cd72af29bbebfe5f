//! Reductions in C: in which type they accumulate, and how a value joins.
//!
//! The types are those of the CPU. Integers wrap, so narrow ones may gather in 32 bits. Float sums
//! and products gather in double; a few neighbouring float32 values are summed in float32 before.

use super::super::names;
use crate::dtype::{DType, Kind};
use crate::ir::{Op, Program, ReduceOp, Reg};

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

    /// The struct of `kernels/fold.cuh` that joins two accumulators.
    pub fn join(&self) -> &'static str {
        match (self.op, self.dtype) {
            (ReduceOp::Sum | ReduceOp::Max, DType::Bool) => "Any",
            (ReduceOp::Prod | ReduceOp::Min, DType::Bool) => "All",
            (ReduceOp::Sum, _) => "Sum",
            (ReduceOp::Prod, _) => "Prod",
            (ReduceOp::Max, _) => "Max",
            (ReduceOp::Min, _) => "Min",
            (ReduceOp::ArgMax, _) => "ArgMax",
            (ReduceOp::ArgMin, _) => "ArgMin",
        }
    }

    /// The C type of an accumulator, without its position.
    fn plain(&self) -> &'static str {
        names::value(self.accumulator())
    }

    /// The type whose variables accumulators are, without their positions.
    fn accumulator(&self) -> DType {
        let is_total = matches!(self.op, ReduceOp::Sum | ReduceOp::Prod);
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
        match self.op {
            ReduceOp::ArgMax | ReduceOp::ArgMin => {
                let value =
                    if self.plain() == "i32" { format!("(i32){value}") } else { value.into() };
                format!("{}::take({acc}, {value}, {at});", self.join())
            }
            ReduceOp::Sum | ReduceOp::Prod if self.dtype != DType::Bool => {
                let sign = if self.op == ReduceOp::Sum { "+" } else { "*" };
                let is_plain = self.sums_near() || self.dtype == DType::F64;
                let value =
                    if is_plain { value.into() } else { format!("({}){value}", self.plain()) };
                format!("{acc} {sign}= {value};")
            }
            _ => {
                let is_plain = names::value(self.dtype) == self.plain();
                let value =
                    if is_plain { value.into() } else { format!("({}){value}", self.plain()) };
                format!("{acc} = {}::join({acc}, {value});", self.join())
            }
        }
    }

    /// The program's value, from the accumulator of the whole row.
    pub fn result(&self, acc: &str) -> String {
        let total = match (self.op, self.result) {
            _ if self.is_arg() => return format!("(i64){acc}.at"),
            (ReduceOp::Sum | ReduceOp::Prod, DType::F16 | DType::BF16) => format!("(f32){acc}"),
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
