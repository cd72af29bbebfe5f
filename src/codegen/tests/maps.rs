//! Maps: one golden text for each way through memory.

use expect_test::expect_file;

use super::{Lies, check, job, lies, text};
use crate::codegen::Divisor;
use crate::dtype::{DType, Scalar};
use crate::ir::{BinaryOp, Builder, CompareOp, Domain, Op, Program, Reg, UnaryOp};

fn loads(b: &mut Builder, dtypes: &[DType]) -> Vec<Reg> {
    let inputs: Vec<u16> = dtypes.iter().map(|dtype| b.input(*dtype)).collect();
    inputs.iter().map(|input| b.load(*input, Domain::Element)).collect()
}

fn chain() -> Program {
    let mut b = Builder::new();
    let values = loads(&mut b, &[DType::F32, DType::F32]);
    let (x, y) = (values[0], values[1]);
    let [one, two, three] = [1, 2, 3].map(|value| b.constant(Scalar::Int(value), DType::F32));
    let twice = b.push(Op::Binary(BinaryOp::Mul, x, two), DType::F32);
    let more = b.push(Op::Binary(BinaryOp::Add, twice, one), DType::F32);
    let e = b.push(Op::Unary(UnaryOp::Exp, more), DType::F32);
    let product = b.push(Op::Binary(BinaryOp::Mul, e, y), DType::F32);
    let third = b.push(Op::Binary(BinaryOp::Div, x, three), DType::F32);
    let result = b.push(Op::Binary(BinaryOp::Sub, product, third), DType::F32);
    b.output(result, Domain::Element);
    b.finish()
}

fn binary(op: BinaryOp, dtype: DType) -> Program {
    let mut b = Builder::new();
    let values = loads(&mut b, &[dtype, dtype]);
    let sum = b.push(Op::Binary(op, values[0], values[1]), dtype);
    b.output(sum, Domain::Element);
    b.finish()
}

fn copy(dtype: DType) -> Program {
    let mut b = Builder::new();
    let values = loads(&mut b, &[dtype]);
    b.output(values[0], Domain::Element);
    b.finish()
}

/// `x[rows]`, in float32 from float16.
fn at_rows() -> Program {
    let mut b = Builder::new();
    let (table, rows) = (b.input(DType::F16), b.input(DType::I64));
    let row = b.load(rows, Domain::Element);
    let value = b.gather(table, &[row], Domain::Element);
    let wide = b.cast(value, DType::F32);
    b.output(wide, Domain::Element);
    b.finish()
}

#[test]
fn neighbours_move_together() {
    let n = 1 << 26;
    check(expect_file!["golden/chain.cu"], &chain(), &[n], &[lies(&[1]), lies(&[1]), lies(&[1])]);
}

#[test]
fn a_row_is_added_to_each() {
    let operands = [lies(&[8192, 1]), lies(&[0, 1]), lies(&[8192, 1])];
    let program = binary(BinaryOp::Add, DType::F16);
    check(expect_file!["golden/add_row.cu"], &program, &[8192, 8192], &operands);
}

#[test]
fn packs_run_on_from_row_to_row() {
    let operands = [lies(&[8191, 1]), lies(&[1, 0]), lies(&[8191, 1])];
    let program = binary(BinaryOp::Add, DType::F32);
    check(expect_file!["golden/add_column.cu"], &program, &[8192, 8191], &operands);
}

#[test]
fn a_number_is_read_once_and_bool_is_a_byte() {
    let mut b = Builder::new();
    let values = loads(&mut b, &[DType::I32, DType::I32]);
    let test = b.push(Op::Compare(CompareOp::Gt, values[0], values[1]), DType::Bool);
    let sum = b.push(Op::Binary(BinaryOp::Add, values[0], values[1]), DType::I32);
    b.output(test, Domain::Element);
    b.output(sum, Domain::Element);
    let operands = [lies(&[1]), lies(&[0]), lies(&[1]), lies(&[1])];
    check(expect_file!["golden/two_outputs.cu"], &b.finish(), &[5000], &operands);
}

#[test]
fn every_third_column_of_every_other_row() {
    let operands = [lies(&[16384, 3]), lies(&[2731, 1])];
    check(expect_file!["golden/strided.cu"], &copy(DType::F32), &[4096, 2731], &operands);
}

#[test]
fn small_and_crooked() {
    let backwards = Lies { offset: 10, ..lies(&[-5, 1]) };
    let operands = [backwards, lies(&[1, 3]), lies(&[10, 2])];
    let program = binary(BinaryOp::Mul, DType::I64);
    check(expect_file!["golden/small.cu"], &program, &[3, 5], &operands);
}

#[test]
fn a_transposed_matrix_is_turned_in_squares() {
    let operands = [lies(&[1, 8192]), lies(&[8192, 1])];
    check(expect_file!["golden/transpose.cu"], &copy(DType::F32), &[8192, 8192], &operands);
}

#[test]
fn a_narrow_matrix_is_turned_in_strips() {
    let operands = [lies(&[1, 5]), lies(&[8192, 1])];
    check(expect_file!["golden/transpose_narrow.cu"], &copy(DType::F32), &[5, 8192], &operands);
}

#[test]
fn a_batch_of_transposed_matrices_meets_the_straight() {
    let mut b = Builder::new();
    let values = loads(&mut b, &[DType::F16, DType::F16, DType::F16]);
    let product = b.push(Op::Binary(BinaryOp::Mul, values[0], values[1]), DType::F16);
    let sum = b.push(Op::Binary(BinaryOp::Add, product, values[2]), DType::F16);
    b.output(sum, Domain::Element);
    let operands =
        [lies(&[6400, 1, 100]), lies(&[6400, 64, 1]), lies(&[0, 1, 0]), lies(&[6400, 64, 1])];
    check(expect_file!["golden/transpose_batch.cu"], &b.finish(), &[10, 100, 64], &operands);
}

#[test]
fn rows_are_picked() {
    let table = Lies { gathered: vec![(1_000_000, 64)], ..lies(&[0, 1]) };
    let operands = [table, lies(&[1, 0]), lies(&[64, 1])];
    check(expect_file!["golden/at_rows.cu"], &at_rows(), &[1_000_000, 64], &operands);
}

/// Packs that ran on from row to row would look for each element by itself.
#[test]
fn rows_of_odd_lengths_are_picked_by_what_divides_them() {
    for (length, moved) in [(1590, "load<2>(p.in0 + "), (1589, "p.in0[")] {
        let table = Lies { gathered: vec![(1000, length)], ..lies(&[0, 1]) };
        let operands = [table, lies(&[1, 0]), lies(&[length, 1])];
        let job = job(&at_rows(), &[1000, length as usize], 2, &operands);
        let text = text(&at_rows(), &job);
        assert!(text.contains(moved) && !text.contains("within("), "{text}");
    }
}

#[test]
fn elements_are_picked() {
    let table = Lies { gathered: vec![(1_000_000, 1)], ..lies(&[0]) };
    let operands = [table, lies(&[1]), lies(&[1])];
    check(expect_file!["golden/at.cu"], &at_rows(), &[1 << 24], &operands);
}

#[test]
fn a_remainder_may_have_no_result() {
    let operands = [lies(&[1]), lies(&[1]), lies(&[1])];
    let program = binary(BinaryOp::Mod, DType::I16);
    check(expect_file!["golden/modulo.cu"], &program, &[1 << 20], &operands);
}

#[test]
fn numbers_are_counted() {
    let mut b = Builder::new();
    let position = b.iota(0, Domain::Element);
    let step = b.constant(Scalar::Float(0.1), DType::F64);
    let wide = b.cast(position, DType::F64);
    let value = b.push(Op::Binary(BinaryOp::Mul, wide, step), DType::F64);
    b.output(value, Domain::Element);
    check(expect_file!["golden/iota.cu"], &b.finish(), &[1 << 24], &[lies(&[1])]);
}

#[test]
fn a_large_space_is_cut_where_packs_end() {
    let far = 1usize << 33;
    let job = job(&copy(DType::U8), &[far], 1, &[lies(&[1]), lies(&[1])]);
    assert_eq!(job.launches.len(), 8);
    assert!(job.launches.iter().all(|launch| launch.form == job.launches[0].form));
    let address =
        |launch: usize| u64::from_le_bytes(job.launches[launch].params[24..32].try_into().unwrap());
    assert_eq!(address(7) - address(0), 7 << 30);
}

#[test]
fn nothing_to_compute_is_no_launch() {
    let job = job(&copy(DType::F32), &[3, 0], 2, &[lies(&[0, 1]), lies(&[0, 1])]);
    assert!(job.launches.is_empty());
}

#[test]
fn extents_come_as_divisors() {
    assert_eq!(Divisor::new(10), Divisor { value: 10, multiplier: 0x9999999a, shift: 4 });
}
