//! Copies of short runs: both numbers of a complex one, rows of two or four. A run that is as long as a wider type's
//! element is copied as one.

use smallvec::SmallVec;

use super::geometry::Operand;
use crate::dtype::DType;
use crate::ir::{Builder, Domain, Op, Program, Space};

/// The program that copies whole runs along the last axis, and how its operands lie without that axis, where all that is
/// done is copying and all runs lie where elements of their size may, if the first ones do.
pub fn of_runs(
    program: &Program,
    space: &Space,
    operands: &[Operand],
) -> Option<(Program, SmallVec<[Operand; 6]>)> {
    let (&run, [_, ..]) = space.dims.split_last()? else { return None };
    let size = operands.first()?.size;
    let bytes = run.checked_mul(size)?;
    let dtype = match bytes {
        2 => DType::U16,
        4 => DType::U32,
        8 => DType::U64,
        _ => return None,
    };
    let is_whole = |stride: &isize| stride.unsigned_abs().is_multiple_of(bytes);
    let has_runs = |operand: &Operand| {
        let last = operand.strides.split_last();
        operand.size == size
            && last.is_some_and(|(step, rest)| *step == size as isize && rest.iter().all(is_whole))
    };
    let is_copied = run > 1
        && space.kept == space.dims.len()
        && program.instrs.iter().all(|instr| matches!(instr.op, Op::Load { .. }))
        && operands.iter().all(has_runs);
    if !is_copied {
        return None;
    }
    let mut b = Builder::new();
    let inputs: Vec<_> = program.inputs.iter().map(|_| b.input(dtype)).collect();
    for output in &program.outputs {
        let Op::Load { input } = program.instr(output.value).op else { return None };
        let run = b.load(inputs[input as usize], Domain::Element);
        b.output(run, Domain::Element);
    }
    Some((b.finish(), operands.iter().map(|operand| operand.of_runs(run)).collect()))
}
