//! A program, and the part of it that one kernel computes.

use smallvec::SmallVec;

use crate::codegen::params::Fields;
use crate::codegen::{names, ops};
use crate::dtype::DType;
use crate::ir::{Domain, Op, Program, Reg};

/// Which outputs a kernel writes. Where a space has rows, those of one value a row are written by a
/// kernel of their own, which runs over the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Writes {
    All,
    Only(Domain),
}

/// What a plan asks of a program again and again.
#[derive(Debug)]
pub struct Kernel<'p> {
    pub program: &'p Program,
    /// The numbers of the outputs that are written.
    pub outputs: SmallVec<[u16; 2]>,
    /// Whether some instruction may end the launch with an error.
    pub can_fail: bool,
    pub has_gathers: bool,
    /// A bit for each axis whose coordinate is asked for.
    pub asked: u64,
    /// The sum of the instructions' [`ops::weight`].
    pub weight: usize,
}

impl<'p> Kernel<'p> {
    pub fn new(program: &'p Program, writes: Writes) -> Kernel<'p> {
        let is_written = |output: &u16| match writes {
            Writes::All => true,
            Writes::Only(domain) => program.outputs[*output as usize].domain == domain,
        };
        let mut kernel = Kernel {
            program,
            outputs: (0..program.outputs.len() as u16).filter(is_written).collect(),
            can_fail: false,
            has_gathers: false,
            asked: 0,
            weight: 0,
        };
        for (at, instr) in program.instrs.iter().enumerate() {
            match &instr.op {
                Op::Iota { axis } => kernel.asked |= 1 << axis,
                Op::Gather { .. } => kernel.has_gathers = true,
                op => kernel.weight += ops::weight(op, instr.dtype),
            }
            kernel.can_fail |= program.can_fail_at(Reg(at as u16));
        }
        kernel
    }

    /// How many operands are inputs; the outputs that are written follow them.
    pub fn inputs(&self) -> usize {
        self.program.inputs.len()
    }

    /// The values to write, in the order of the operands.
    pub fn results(&self) -> impl Iterator<Item = Reg> + '_ {
        self.outputs.iter().map(|output| self.program.outputs[*output as usize].value)
    }

    /// The type of an operand in memory.
    pub fn dtype(&self, operand: usize) -> DType {
        match operand.checked_sub(self.inputs()) {
            None => self.program.inputs[operand],
            Some(output) => self.program.output_dtype(self.outputs[output] as usize),
        }
    }

    /// The operand's field in `Params`: `in0`, `out1`.
    pub fn name(&self, operand: usize) -> (&'static str, usize) {
        match operand.checked_sub(self.inputs()) {
            None => ("in", operand),
            Some(output) => ("out", output),
        }
    }

    /// Lists the operands' pointers.
    pub fn pointers(&self, fields: &mut impl Fields, address: impl Fn(usize) -> u64) {
        for operand in 0..self.inputs() + self.outputs.len() {
            let (kind, number) = self.name(operand);
            let ty = match kind {
                "in" => names::read_only(self.dtype(operand)),
                _ => names::stored(self.dtype(operand)),
            };
            fields.pointer(ty, format_args!("{kind}{number}"), address(operand));
        }
    }

    /// Whether an input is read at the point itself.
    pub fn is_loaded(&self, input: usize) -> bool {
        self.program.instrs.iter().any(|instr| match instr.op {
            Op::Load { input: own } => own as usize == input,
            _ => false,
        })
    }

    /// The inputs that are read at computed indices, each with the number of these.
    pub fn gathered(&self) -> SmallVec<[(usize, usize); 2]> {
        let mut found: SmallVec<[(usize, usize); 2]> = SmallVec::new();
        for instr in &self.program.instrs {
            if let Op::Gather { input, indices } = &instr.op
                && !found.iter().any(|(known, _)| *known == *input as usize)
            {
                found.push((*input as usize, indices.len()));
            }
        }
        found
    }
}
