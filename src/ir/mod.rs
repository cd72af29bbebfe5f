//! What a kernel computes, on any device.
//!
//! A [`Program`] is straight-line scalar code that runs at every point of a [`Space`]. The space's
//! axes fall in two groups: the *kept* ones, which span the rows, and the *reduced* ones, which
//! span the elements of a row. A [`Op::Reduce`] folds an element value over its row; what follows
//! may use the result at every element again. So one form says all of these:
//!
//! - a map: no reduction, and every axis is kept;
//! - a reduction with work before and after it: `sqrt(mean((x - 1) ** 2, axis=1))`;
//! - a row program, whose row stays on chip between its passes: softmax, variance, layer norm.
//!
//! Extents and strides are no part of a program, so one compiled kernel serves all sizes: they come
//! with the launch, as a [`Space`] and an [`Access`] for each operand.

mod builder;
pub mod complex;
mod failure;
mod interval;
mod op;
mod print;
mod space;

pub use builder::Builder;
pub use interval::Interval;
pub use op::{
    BinaryOp, CompareOp, Failure, Loop, MapOp, Pole, ReduceOp, ScanOp, UnaryOp, Way, binary_code,
    unary_code,
};
pub use space::{Access, Space, collapse};

use smallvec::SmallVec;

use crate::dtype::{DType, Scalar};

/// The value that an instruction makes: its position in the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reg(pub u16);

impl Reg {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a value may differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Domain {
    /// One value a row: constant along the reduced axes.
    Row,
    /// One value an element.
    Element,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Op {
    /// The same everywhere.
    Const(Scalar),
    /// The coordinate of the point along one axis of the space; int64.
    Iota {
        axis: u8,
    },
    /// The element of an input at this point.
    Load {
        input: u16,
    },
    /// The element of an input at indices that were computed, one for each of its gathered axes
    /// (see [`Access::gathered`]); int64. A negative index counts from the end once; one out of
    /// bounds ends the launch with an error, and nothing is read there.
    Gather {
        input: u16,
        indices: SmallVec<[Reg; 2]>,
    },
    Unary(UnaryOp, Reg),
    /// Both operands have the type of the result.
    Binary(BinaryOp, Reg, Reg),
    /// Both operands have one type; the result is bool.
    Compare(CompareOp, Reg, Reg),
    /// The second where the first, a bool, is true; else the third.
    Select(Reg, Reg, Reg),
    /// To the instruction's type, as NumPy casts: floats are cut towards zero, integers wrap.
    Cast(Reg),
    /// Folds an element value over the row, in row-major order of the reduced axes.
    Reduce(ReduceOp, Reg),
}

impl Op {
    /// The values that it reads.
    pub fn operands(&self) -> SmallVec<[Reg; 3]> {
        match self {
            Op::Const(_) | Op::Iota { .. } | Op::Load { .. } => SmallVec::new(),
            Op::Gather { indices, .. } => indices.iter().copied().collect(),
            Op::Unary(_, a) | Op::Cast(a) | Op::Reduce(_, a) => SmallVec::from_slice(&[*a]),
            Op::Binary(_, a, b) | Op::Compare(_, a, b) => SmallVec::from_slice(&[*a, *b]),
            Op::Select(a, b, c) => SmallVec::from_slice(&[*a, *b, *c]),
        }
    }

    /// How many times the machine code of an addition it takes, about, for a result of this type; 0
    /// where it is as cheap as one.
    pub fn cost(&self, dtype: DType) -> usize {
        match self {
            Op::Unary(op, _) => op.row().cost.on(dtype),
            Op::Binary(op, ..) => op.row().cost.on(dtype),
            Op::Const(_)
            | Op::Iota { .. }
            | Op::Load { .. }
            | Op::Gather { .. }
            | Op::Compare(..)
            | Op::Select(..)
            | Op::Cast(_)
            | Op::Reduce(..) => 0,
        }
    }
}

/// One instruction, in static single assignment: its operands stand before it.
///
/// A float16 or bfloat16 value is rounded after every instruction, as NumPy rounds it, whatever
/// wider type a back end computes in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Instr {
    pub op: Op,
    /// The type of the value that it makes.
    pub dtype: DType,
    pub domain: Domain,
}

/// A value that is written back.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Output {
    pub value: Reg,
    /// Equal to the domain of `value`, or wider: a row value may be written at every element.
    pub domain: Domain,
}

/// See the module's head. The numbers of inputs and outputs are those of the launch's operands, in
/// order; an output may be the very same elements as an input (in-place work), never a shifted
/// overlap of one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Program {
    /// The stored type of each input.
    pub inputs: Vec<DType>,
    pub instrs: Vec<Instr>,
    pub outputs: Vec<Output>,
}

impl Program {
    pub fn instr(&self, reg: Reg) -> &Instr {
        &self.instrs[reg.index()]
    }

    /// The stored type of an output.
    pub fn output_dtype(&self, output: usize) -> DType {
        self.instr(self.outputs[output].value).dtype
    }

    pub fn has_reduce(&self) -> bool {
        self.instrs.iter().any(|instr| matches!(instr.op, Op::Reduce(..)))
    }

    /// The number of passes over a row that must have ended before each value is known. A map's
    /// values are all of stage 0; what reads the result of a reduction of stage *n* is of stage
    /// *n* + 1.
    pub fn stages(&self) -> Vec<u8> {
        let mut stages: Vec<u8> = Vec::with_capacity(self.instrs.len());
        for instr in &self.instrs {
            let ready = instr.op.operands().iter().map(|reg| stages[reg.index()]).max();
            let ends_pass = u8::from(matches!(instr.op, Op::Reduce(..)));
            stages.push(ready.unwrap_or(0) + ends_pass);
        }
        stages
    }
}
