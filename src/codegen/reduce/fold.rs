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
        let is_total = matches!(self.op, ReduceOp::Sum | ReduceOp::Prod);
        match (self.dtype.kind(), self.dtype) {
            (Kind::Bool, _) if self.is_arg() => "i32",
            (Kind::Bool, _) => "bool",
            (Kind::Float, _) if is_total => "f64",
            (Kind::Float, DType::F64) => "f64",
            (Kind::Float, _) => "f32",
            (_, DType::I64) if is_total => "u64",
            (_, DType::I64) => "i64",
            _ if is_total => "u32",
            _ => "i32",
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
        let plain = match self.plain() {
            "bool" => 1,
            "f64" | "u64" | "i64" => 8,
            _ => 4,
        };
        match self.is_arg() {
            true if self.is_wide => 16,
            true => 2 * plain,
            false => plain,
        }
    }

    /// The accumulator of no values. `first` is the position from which this thread begins.
    pub fn identity(&self, first: &str) -> String {
        let dtype = match self.plain() {
            "bool" => DType::Bool,
            "f64" => DType::F64,
            "f32" => DType::F32,
            "i64" | "u64" => DType::I64,
            _ => DType::I32,
        };
        let value = names::constant(self.op.identity(self.dtype), dtype);
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
