//! Golden texts of kernels, and the table of operations.

mod maps;
mod table;

use expect_test::ExpectFile;

use super::{Chip, Form, Job, Operand, map, plan};
use crate::dtype::DType;
use crate::ir::{Access, Program, Space};

pub(super) const CHIP: Chip = Chip { multiprocessors: 132, threads: 2048, shared: 232_448 };

/// How an operand lies: its strides, where its first element is, and its gathered axes.
pub(super) struct Lies {
    pub strides: Vec<isize>,
    pub offset: usize,
    pub gathered: Vec<(usize, isize)>,
}

pub(super) fn lies(strides: &[isize]) -> Lies {
    Lies { strides: strides.to_vec(), offset: 0, gathered: Vec::new() }
}

/// Plans a program over a space in which every operand has memory of its own.
pub(super) fn job(program: &Program, dims: &[usize], kept: usize, operands: &[Lies]) -> Job {
    let space = Space { dims: dims.into(), kept };
    let accesses: Vec<Access> = operands
        .iter()
        .map(|lies| Access {
            offset: lies.offset,
            strides: lies.strides.as_slice().into(),
            gathered: lies.gathered.as_slice().into(),
        })
        .collect();
    let outputs = (0..program.outputs.len()).map(|output| program.output_dtype(output));
    let dtypes: Vec<DType> = program.inputs.iter().copied().chain(outputs).collect();
    let operands: Vec<Operand<'_>> = dtypes
        .iter()
        .zip(&accesses)
        .enumerate()
        .map(|(at, (dtype, access))| Operand {
            dtype: *dtype,
            address: (at as u64 + 1) << 40,
            len: 1 << 40,
            access,
        })
        .collect();
    let (inputs, outputs) = operands.split_at(program.inputs.len());
    plan(program, &space, inputs, outputs, &CHIP, 0)
}

/// The text of a job's only kernel, without the functions that it calls.
pub(super) fn text(program: &Program, job: &Job) -> String {
    let [launch] = job.launches.as_slice() else { panic!("{} launches", job.launches.len()) };
    match &launch.form {
        Form::Map(form) => map::render(program, form),
        Form::Rows(_) => panic!("a map has no rows"),
    }
}

/// Compares a map's kernel with a golden text.
#[track_caller]
pub(super) fn check(golden: ExpectFile, program: &Program, dims: &[usize], operands: &[Lies]) {
    golden.assert_eq(&text(program, &job(program, dims, dims.len(), operands)));
}
