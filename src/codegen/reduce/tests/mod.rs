//! Golden texts, the choice of forms, and what waits between passes. `UPDATE=1` writes what the
//! texts are now into `golden/`.

use super::form::{Keep, Lanes, Part};
use super::passes::Passes;
use super::programs::{
    distance_to_largest, fallible, layer_norm, moments, reduce, reductions, softmax,
};
use super::{RowsForm, plan, render};
use crate::codegen::{Chip, Form, Job, Operand};
use crate::dtype::DType;
use crate::ir::{Access, Domain, Program, ReduceOp, Reg, Space, Way};

const CHIP: Chip = Chip { multiprocessors: 132, threads: 2048, shared: 232_448 };

/// Row-major strides of some axes, zero along the others.
fn dense(dims: &[usize], axes: std::ops::Range<usize>) -> Vec<isize> {
    let mut strides = vec![0; dims.len()];
    let mut next = 1;
    for axis in axes.rev() {
        strides[axis] = next;
        next *= dims[axis] as isize;
    }
    strides
}

/// A launch in which inputs have these strides (and gather 100 elements if the program does);
/// outputs of elements lie as the first input does, those of rows without holes.
fn job_of(program: &Program, dims: &[usize], kept: usize, inputs: &[&[isize]]) -> Job {
    let space = Space { dims: dims.into(), kept };
    let gathers = |number: usize| super::geometry::use_of_input(program, number as u16).1;
    let reads = inputs.iter().enumerate().map(|(number, strides)| Access {
        strides: (*strides).into(),
        gathered: if gathers(number) { [(100, 1)].as_slice().into() } else { Default::default() },
        ..Access::default()
    });
    let writes = program.outputs.iter().map(|output| match output.domain {
        Domain::Row => dense(dims, 0..kept),
        Domain::Element => inputs[0].to_vec(),
    });
    let writes = writes.map(|strides| Access { strides: strides.into(), ..Access::default() });
    let accesses: Vec<Access> = reads.chain(writes).collect();
    let outputs = (0..program.outputs.len()).map(|output| program.output_dtype(output));
    let dtypes = program.inputs.iter().copied().chain(outputs);
    let operands: Vec<Operand<'_>> = dtypes
        .zip(&accesses)
        .enumerate()
        .map(|(at, (dtype, access))| Operand {
            dtype,
            address: (at as u64 + 1) << 40,
            len: 1 << 40,
            access,
        })
        .collect();
    let (inputs, outputs) = operands.split_at(program.inputs.len());
    plan(program, &space, inputs, outputs, &CHIP, 0)
}

fn forms(job: &Job) -> Vec<&RowsForm> {
    let mut found = Vec::new();
    for launch in &job.launches {
        if let Form::Rows(form) = &launch.form {
            found.push(form);
        }
    }
    found
}

/// Compares the text of a job's last kernel with a file.
fn golden(name: &str, program: &Program, job: &Job) {
    let form = *forms(job).last().expect("there is something to do");
    let text = render(program, form);
    let from = text.find("struct Params").expect("a kernel has parameters");
    let launch = job.launches.last().expect("there is something to do");
    let (grid, block) = (launch.grid, launch.block);
    let head = format!("// {} × {} blocks of {block} threads.\n", grid[0], grid[1]);
    let text = head + &text[from..];
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../src/codegen/reduce/tests/golden");
    let path = format!("{folder}/{name}.cu");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(text == expected, "{path} has another text than this:\n{text}");
}

#[test]
fn softmax_of_rows_that_a_block_holds() {
    let program = softmax(DType::F32);
    golden("softmax", &program, &job_of(&program, &[4096, 10_000], 1, &[&[10_000, 1]]));
}

#[test]
fn softmax_of_short_rows() {
    let program = softmax(DType::F16);
    golden("softmax_short", &program, &job_of(&program, &[1 << 20, 64], 1, &[&[64, 1]]));
}

#[test]
fn softmax_in_shared_memory() {
    let program = softmax(DType::F32);
    golden("softmax_shared", &program, &job_of(&program, &[512, 50_000], 1, &[&[50_000, 1]]));
}

#[test]
fn softmax_of_one_long_row() {
    let program = softmax(DType::F32);
    let job = job_of(&program, &[1 << 26], 0, &[&[1]]);
    assert_eq!(forms(&job).len(), 3);
    golden("softmax_long", &program, &job);
}

#[test]
fn softmax_across() {
    let program = softmax(DType::F32);
    let strides: &[isize] = &[256 * 3136, 1, 3136];
    golden("softmax_across", &program, &job_of(&program, &[64, 3136, 256], 2, &[strides]));
}

#[test]
fn mean_and_variance_of_rows() {
    let program = moments(8192);
    golden("moments", &program, &job_of(&program, &[8192, 8192], 1, &[&[8192, 1]]));
}

#[test]
fn sums() {
    let program = reduce(ReduceOp::Sum, DType::F32);
    golden("sum_rows", &program, &job_of(&program, &[8192, 8192], 1, &[&[8192, 1]]));
    golden("sum_columns", &program, &job_of(&program, &[8192, 8192], 1, &[&[1, 8192]]));
    golden("sum_all", &program, &job_of(&program, &[1 << 26], 0, &[&[1]]));
    golden("sum_wide", &program, &job_of(&program, &[1 << 32], 0, &[&[1]]));
    golden("sum_odd", &program, &job_of(&program, &[9, 777_777], 1, &[&[777_780, 1]]));
    let strides: &[isize] = &[3136, 256 * 3136, 56, 1];
    golden("sum_channels", &program, &job_of(&program, &[256, 64, 28, 28], 1, &[strides]));
}

#[test]
fn positions_and_tests() {
    let program = reduce(ReduceOp::ArgMax, DType::F32);
    golden("argmax_rows", &program, &job_of(&program, &[8192, 8192], 1, &[&[8192, 1]]));
    golden("argmax_odd", &program, &job_of(&program, &[838, 20_001], 1, &[&[20_001, 1]]));
    let program = reduce(ReduceOp::Max, DType::Bool);
    golden("any", &program, &job_of(&program, &[1 << 26], 0, &[&[1]]));
    let program = distance_to_largest();
    let job = job_of(&program, &[1000, 256], 1, &[&[256, 1], &[0, 1]]);
    golden("distance_to_largest", &program, &job);
}

#[test]
fn what_may_fail() {
    let program = fallible();
    let job = job_of(&program, &[1000, 300], 1, &[&[0, 0], &[300, 1]]);
    assert!(job.can_fail);
    golden("fallible", &program, &job);
}

#[test]
fn layer_norm_reads_once() {
    let program = layer_norm(4096);
    golden("layer_norm", &program, &job_of(&program, &[8192, 4096], 1, &[&[4096, 1], &[0, 1]]));
}

/// Lanes, threads × groups, vector × steps, what is kept, blocks a row.
fn shape(program: &Program, dims: &[usize], kept: usize, inputs: &[&[isize]]) -> String {
    let job = job_of(program, dims, kept, inputs);
    let form = forms(&job)[0];
    let lanes = if form.lanes == Lanes::Along { "along" } else { "across" };
    let keep = match form.keep {
        Keep::Registers => " held",
        Keep::Shared => " shared",
        Keep::Nothing => "",
    };
    let blocks = match form.part {
        Part::Whole => String::new(),
        Part::Pass(_) => format!(" by {}", job.launches[0].grid[1]),
    };
    let (threads, groups) = (form.threads, form.groups);
    format!("{lanes} {threads}×{groups} {}×{}{keep}{blocks}", form.vector, form.steps)
}

#[test]
fn forms_follow_the_shape() {
    let sum = |dtype| reduce(ReduceOp::Sum, dtype);
    let f32 = sum(DType::F32);
    // All of a tensor.
    assert_eq!(shape(&f32, &[16], 0, &[&[1]]), "along 4×8 4×1");
    assert_eq!(shape(&f32, &[10_000], 0, &[&[1]]), "along 1024×1 4×3");
    assert_eq!(shape(&f32, &[1 << 20], 0, &[&[1]]), "along 512×1 4×2 by 256");
    assert_eq!(shape(&f32, &[1 << 26], 0, &[&[1]]), "along 512×1 4×4 by 528");
    // A transposed tensor is folded in the order of its memory, every other element one by one.
    assert_eq!(shape(&f32, &[8192, 8192], 0, &[&[1, 8192]]), "along 512×1 4×4 by 528");
    assert_eq!(shape(&f32, &[1 << 20], 0, &[&[2]]), "along 512×1 1×8 by 256");
    // Rows from short to long.
    assert_eq!(shape(&f32, &[1 << 20, 3], 1, &[&[3, 1]]), "along 1×256 1×3");
    assert_eq!(shape(&f32, &[1 << 20, 64], 1, &[&[64, 1]]), "along 4×64 4×4");
    assert_eq!(shape(&f32, &[1 << 16, 1000], 1, &[&[1000, 1]]), "along 32×8 4×8");
    assert_eq!(shape(&f32, &[8192, 8192], 1, &[&[8192, 1]]), "along 256×1 4×8");
    assert_eq!(shape(&f32, &[8192, 8191], 1, &[&[8191, 1]]), "along 256×1 1×16");
    assert_eq!(shape(&sum(DType::F64), &[8192, 8191], 1, &[&[8191, 1]]), "along 256×1 1×8");
    // Columns, many and few.
    assert_eq!(shape(&f32, &[8192, 8192], 1, &[&[1, 8192]]), "across 16×32 4×8 by 4");
    assert_eq!(shape(&f32, &[4, 1 << 24], 1, &[&[1, 4]]), "across 512×1 4×8 by 264");
    assert_eq!(shape(&f32, &[1 << 20, 5], 1, &[&[1, 1 << 20]]), "across 1×256 4×5");
    assert_eq!(shape(&sum(DType::F64), &[3623, 9002], 1, &[&[1, 3623]]), "across 16×32 1×8 by 2");
    // Many accumulators leave room for few rows a thread.
    let all = reductions(DType::U8, |op| !matches!(op.way(), Way::Joined(_)));
    assert_eq!(shape(&all, &[8192, 8192], 1, &[&[1, 8192]]), "across 16×32 4×8 by 4");
    // Other types move as many bytes.
    assert_eq!(shape(&sum(DType::F64), &[8192, 8192], 1, &[&[8192, 1]]), "along 256×1 2×8");
    assert_eq!(shape(&sum(DType::F16), &[8192, 8192], 1, &[&[8192, 1]]), "along 128×1 8×8");
}

#[test]
fn rows_stay_on_chip_if_they_fit() {
    let f32 = softmax(DType::F32);
    let of = |rows: usize, len: usize| shape(&f32, &[rows, len], 1, &[&[len as isize, 1]]);
    assert_eq!(of(1, 10_000), "along 1024×1 4×3 held");
    assert_eq!(of(1 << 20, 32), "along 8×32 4×1 held");
    assert_eq!(of(4096, 10_000), "along 512×1 4×5 held");
    assert_eq!(of(4096, 32_768), "along 1024×1 4×8 held");
    assert_eq!(of(4096, 50_000), "along 1024×1 4×4 shared");
    assert_eq!(of(4096, 100_000), "along 1024×1 4×4");
    // Elements one by one, in three passes; and 132 blocks and then two more.
    assert_eq!(of(4096, 99_999), "along 512×1 1×16 by 1");
    assert_eq!(of(132, 100_000), "along 1024×1 4×4");
    assert_eq!(of(134, 100_000), "along 512×1 4×4 by 3");
    assert_eq!(of(198, 100_000), "along 1024×1 4×4");
    assert_eq!(of(4, 1 << 20), "along 512×1 4×4 by 128");
    let across = |rows: usize, len: usize| shape(&f32, &[rows, len], 1, &[&[1, rows as isize]]);
    assert_eq!(across(8192, 512), "across 64×8 4×8 held");
    assert_eq!(across(8192, 8192), "across 64×8 4×8");
    assert_eq!(across(64, 1 << 20), "across 32×16 4×8 by 264");
    // Columns of an odd number are read one by one: 32 of four bytes are a line of the cache, half of one where only
    // so all is kept.
    assert!(across(8191, 8192).starts_with("across 16×32 1×"), "{}", across(8191, 8192));
    for (columns, groups) in [(32_769, 32), (16_385, 16)] {
        let found = across(columns, (1 << 24) / columns);
        assert!(found.contains(&format!("×{groups} 1×")) && found.ends_with("held"), "{found}");
    }
}

#[test]
fn dear_values_wait_and_cheap_ones_are_made_again() {
    let kept = |program: &Program| -> Vec<(Reg, usize, usize)> {
        let passes = Passes::new(program, true);
        passes.kept.iter().map(|kept| (kept.reg, kept.first, kept.last)).collect()
    };
    // x until its exponential takes its place.
    let program = softmax(DType::F32);
    assert_eq!(kept(&program), [(Reg(0), 0, 1), (Reg(3), 1, 2)]);
    assert_eq!(Passes::new(&program, true).places(&program).1, 4);
    // Only x: its distance from the mean is a subtraction.
    let program = layer_norm(4096);
    assert_eq!(kept(&program), [(Reg(0), 0, 2)]);
    // One sum in place of two operands.
    let program = distance_to_largest();
    assert_eq!(kept(&program), [(Reg(2), 0, 1)]);
}

#[test]
fn nothing_to_do_needs_no_kernel() {
    let program = softmax(DType::F32);
    assert!(job_of(&program, &[0, 5], 1, &[&[5, 1]]).launches.is_empty());
    assert!(job_of(&program, &[5, 0], 1, &[&[1, 1]]).launches.is_empty());
    let program = reduce(ReduceOp::Sum, DType::F32);
    assert_eq!(job_of(&program, &[5, 0], 1, &[&[1, 1]]).launches.len(), 1);
}

#[test]
fn timing_does_not_choose_the_order_of_float_sums() {
    let choices = |op: ReduceOp, dtype: DType| {
        let program = reduce(op, dtype);
        job_of(&program, &[1 << 26], 0, &[&[1]]).choices
    };
    assert_eq!(choices(ReduceOp::Sum, DType::F32), 1);
    assert!(choices(ReduceOp::Sum, DType::I64) > 1);
    assert!(choices(ReduceOp::ArgMax, DType::F32) > 1);
}
