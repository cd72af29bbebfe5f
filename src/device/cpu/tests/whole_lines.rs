//! Folds of what is computed of rows that lie in lines, several whole lines at a time and fewer.

use super::super::{CpuBackend, exec};
use super::{Random, bytes, device, on_threads, storage};
use crate::device::{Backend, Interrupt};
use crate::dtype::{DType, Scalar};
use crate::ir::{Access, BinaryOp, Builder, CompareOp, Domain, Op, Program, ReduceOp, Space};

/// Of each row the sum of squares, which are whole, and whether an element is above 90.
fn program() -> Program {
    let mut b = Builder::new();
    let input = b.input(DType::F32);
    let x = b.load(input, Domain::Element);
    let square = b.push(Op::Binary(BinaryOp::Mul, x, x), DType::F32);
    let sum = b.push(Op::Reduce(ReduceOp::Sum, square), DType::F32);
    let bound = b.constant(Scalar::Float(90.0), DType::F32);
    let is_above = b.push(Op::Compare(CompareOp::Gt, x, bound), DType::Bool);
    let any = b.push(Op::Reduce(ReduceOp::Max, is_above), DType::Bool);
    b.output(sum, Domain::Row);
    b.output(any, Domain::Row);
    b.finish()
}

#[test]
fn folds_of_whole_lines_are_those_of_each_element() {
    let device = device();
    let mut random = Random(84);
    let program = program();
    for line in [255, 256, 257, 700, 2048, 4096, 4097] {
        let least = exec::LEAST_SHARED * exec::chunk_points(line);
        for points in [1, 2, 17, least - 1, least, least + 3] {
            let numbers: Vec<u64> = (0..points * line).map(|_| random.below(92) as u64).collect();
            let values: Vec<Scalar> = numbers.iter().map(|x| Scalar::Int(*x as i64)).collect();
            let x = storage(&device, DType::F32, &values);
            let (mut sums, mut any) = (vec![0u64; line], vec![0u8; line]);
            for (at, number) in numbers.iter().enumerate() {
                sums[at % line] += number * number;
                any[at % line] |= u8::from(*number > 90);
            }
            let sums: Vec<u8> = sums.iter().flat_map(|sum| (*sum as f32).to_le_bytes()).collect();
            let space = Space { dims: [line, points].as_slice().into(), kept: 1 };
            let along = |strides: [isize; 2]| Access {
                strides: strides.as_slice().into(),
                ..Access::default()
            };
            let (of_elements, of_rows) = (along([1, line as isize]), along([1, 0]));
            for threads in [1, 2, 3] {
                let backend = CpuBackend::new(Interrupt::default());
                let zeros = vec![Scalar::Int(0); line];
                let found =
                    [storage(&device, DType::F32, &zeros), storage(&device, DType::Bool, &zeros)];
                let outputs = [(&*found[0], &of_rows), (&*found[1], &of_rows)];
                let run = || backend.run(&program, &space, &[(&*x, &of_elements)], &outputs);
                on_threads(threads, run).unwrap();
                let case = format!("{points} × {line}, {threads} threads");
                assert!(bytes(&found[0]) == sums, "sums of {case}");
                assert!(bytes(&found[1]) == any, "any of {case}");
            }
        }
    }
}
