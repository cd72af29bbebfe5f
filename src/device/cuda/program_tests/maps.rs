//! Launches of maps: each form, cut and shifted.

use super::{access, dense_trial, numbers};
use crate::device::cpu::tests::storage;
use crate::device::cuda::trials::Devices;
use crate::dtype::{DType, Scalar};
use crate::ir::{Access, BinaryOp, Builder, Domain, Op, Program};

fn add(dtype: DType) -> Program {
    let mut b = Builder::new();
    let inputs = [b.input(dtype), b.input(dtype)];
    let [x, y] = inputs.map(|input| b.load(input, Domain::Element));
    let sum = b.push(Op::Binary(BinaryOp::Add, x, y), dtype);
    b.output(sum, Domain::Element);
    b.finish()
}

/// x + y over `dims`, each with its own offset and strides.
fn check_add(devices: &Devices, dtype: DType, dims: &[usize], ways: [(usize, &[isize]); 2]) {
    let inputs = ways.map(|(offset, strides)| {
        let far = |(extent, stride): (&usize, &isize)| (*extent as isize - 1) * (*stride).max(0);
        let len = offset + dims.iter().zip(strides).map(far).sum::<isize>() as usize + 1;
        (storage(&devices.0[0], dtype, &numbers(dtype, len)), access(offset, strides))
    });
    let trial = dense_trial(add(dtype), dims, inputs.to_vec());
    trial.check(devices, &format!("{dtype} {dims:?} {ways:?}"), 0.0);
}

#[test]
fn flat_spaces_of_any_length_and_offset() {
    let Some(devices) = Devices::find() else { return };
    for dtype in DType::STORED {
        for n in [1, 7, 64, 5003] {
            check_add(&devices, dtype, &[n], [(0, &[1]), (0, &[1])]);
            check_add(&devices, dtype, &[n], [(3, &[1]), (0, &[0])]);
            check_add(&devices, dtype, &[n], [(1, &[1]), (2 * n, &[-2])]);
        }
    }
}

#[test]
fn rows_and_columns_are_broadcast() {
    let Some(devices) = Devices::find() else { return };
    for dtype in [DType::Bool, DType::F16, DType::F32, DType::I64] {
        for (rows, columns) in [(33, 64), (70, 37), (5, 1000)] {
            let dims = [rows, columns];
            let across = columns as isize;
            check_add(&devices, dtype, &dims, [(0, &[across, 1]), (0, &[0, 1])]);
            check_add(&devices, dtype, &dims, [(0, &[across, 1]), (0, &[1, 0])]);
            check_add(&devices, dtype, &dims, [(1, &[across + 8, 1]), (0, &[0, 0])]);
            check_add(&devices, dtype, &dims, [(0, &[2 * across, 2]), (5, &[0, 1])]);
        }
    }
}

#[test]
fn transposed_operands_of_every_type() {
    let Some(devices) = Devices::find() else { return };
    for dtype in DType::STORED {
        for (rows, columns) in
            [(64, 128), (130, 100), (67, 71), (16, 700), (2, 4200), (5, 1030), (8, 600), (15, 300)]
        {
            let (dims, down) = ([rows, columns], rows as isize);
            check_add(&devices, dtype, &dims, [(0, &[1, down]), (0, &[columns as isize, 1])]);
            check_add(&devices, dtype, &dims, [(3, &[1, down]), (0, &[1, down])]);
            let end = (columns - 1) * rows;
            check_add(&devices, dtype, &dims, [(end, &[1, -down]), (0, &[0, 1])]);
        }
    }
}

#[test]
fn transposed_operands_in_batches() {
    let Some(devices) = Devices::find() else { return };
    for dtype in [DType::U8, DType::F32, DType::F64] {
        let dims = [3, 40, 2, 36];
        // The first lies along axis 1, the second in order with the third axis broadcast.
        let ways: [(usize, &[isize]); 2] =
            [(0, &[40 * 2 * 36, 1, 40 * 36, 40]), (0, &[40 * 36, 36, 0, 1])];
        check_add(&devices, dtype, &dims, ways);
    }
}

fn pick(dtype: DType, axes: usize) -> Program {
    let mut b = Builder::new();
    let table = b.input(dtype);
    let indices: Vec<u16> = (0..axes).map(|_| b.input(DType::I64)).collect();
    let indices: Vec<_> = indices.iter().map(|input| b.load(*input, Domain::Element)).collect();
    let value = b.gather(table, &indices, Domain::Element);
    let again = b.push(Op::Binary(BinaryOp::Add, value, value), dtype);
    b.output(again, Domain::Element);
    b.finish()
}

fn check_rows(devices: &Devices, dtype: DType, height: usize, width: usize, rows: &[i64]) {
    let cpu = &devices.0[0];
    let table =
        Access { gathered: [(height, width as isize)].as_slice().into(), ..access(0, &[0, 1]) };
    let indices: Vec<Scalar> = rows.iter().map(|row| Scalar::Int(*row)).collect();
    let inputs = vec![
        (storage(cpu, dtype, &numbers(dtype, height * width)), table),
        (storage(cpu, DType::I64, &indices), access(0, &[1, 0])),
    ];
    let trial = dense_trial(pick(dtype, 1), &[rows.len(), width], inputs);
    trial.check(devices, &format!("{dtype} {height} × {width} at {rows:?}"), 0.0);
}

#[test]
fn rows_are_gathered_and_wrong_ones_reported() {
    let Some(devices) = Devices::find() else { return };
    for dtype in [DType::U8, DType::F16, DType::F32, DType::F64] {
        for width in [64, 3, 10] {
            check_rows(&devices, dtype, 9, width, &[0, 8, -1, -9, 4, 4, 7]);
        }
    }
    check_rows(&devices, DType::F32, 9, 64, &[0, 3, 9, -10, 3]);
    check_rows(&devices, DType::F32, 9, 3, &[0, -12, 9]);
    check_rows(&devices, DType::F32, 0, 4, &[0]);
}

#[test]
fn elements_are_gathered_and_wrong_ones_reported() {
    let Some(devices) = Devices::find() else { return };
    let cpu = &devices.0[0];
    for (dtype, wrong) in [(DType::F32, None), (DType::I8, None), (DType::F32, Some(700))] {
        let n = 1001;
        let at = |at: usize| match wrong {
            Some(wrong) if at >= wrong => 40 + at as i64,
            _ => (at * 31 % 60) as i64 - 30,
        };
        let indices: Vec<Scalar> = (0..n).map(|i| Scalar::Int(at(i))).collect();
        let others: Vec<Scalar> = (0..n).map(|i| Scalar::Int((i % 7) as i64)).collect();
        let table = Access { gathered: [(30, 7), (7, 1)].as_slice().into(), ..access(0, &[0]) };
        let inputs = vec![
            (storage(cpu, dtype, &numbers(dtype, 30 * 7)), table),
            (storage(cpu, DType::I64, &indices), access(0, &[1])),
            (storage(cpu, DType::I64, &others), access(0, &[1])),
        ];
        let trial = dense_trial(pick(dtype, 2), &[n], inputs);
        trial.check(&devices, &format!("{dtype}, wrong from {wrong:?}"), 0.0);
    }
}

#[test]
fn integer_operations_without_a_result_are_reported() {
    let Some(devices) = Devices::find() else { return };
    let cpu = &devices.0[0];
    for dtype in [DType::U8, DType::U32, DType::U64, DType::I16, DType::I32, DType::I64] {
        for op in [BinaryOp::FloorDiv, BinaryOp::Mod, BinaryOp::Fmod, BinaryOp::Pow] {
            for dims in [[1, 301], [7, 43]] {
                let mut b = Builder::new();
                let inputs = [b.input(dtype), b.input(dtype)];
                let [x, y] = inputs.map(|input| b.load(input, Domain::Element));
                let value = b.push(Op::Binary(op, x, y), dtype);
                b.output(value, Domain::Element);
                let given = [
                    (storage(cpu, dtype, &numbers(dtype, 301)), access(0, &[43, 1])),
                    (storage(cpu, dtype, &numbers(dtype, 301)), access(0, &[43, 1])),
                ];
                let trial = dense_trial(b.finish(), &dims, given.to_vec());
                trial.check(&devices, &format!("{} of {dtype}", op.name()), 0.0);
            }
        }
    }
}

#[test]
fn coordinates_of_any_axis() {
    let Some(devices) = Devices::find() else { return };
    for dims in [vec![1000], vec![30, 41], vec![6, 7, 16]] {
        let mut b = Builder::new();
        let x = b.input(DType::I64);
        let mut value = b.load(x, Domain::Element);
        for axis in 0..dims.len() {
            let coordinate = b.iota(axis as u8, Domain::Element);
            let weight = b.constant(Scalar::Int(1000i64.pow(axis as u32)), DType::I64);
            let term = b.push(Op::Binary(BinaryOp::Mul, coordinate, weight), DType::I64);
            value = b.push(Op::Binary(BinaryOp::Add, value, term), DType::I64);
        }
        b.output(value, Domain::Element);
        let count: usize = dims.iter().product();
        let storage = storage(&devices.0[0], DType::I64, &numbers(DType::I64, count));
        // Backwards along the first axis, and across.
        let mut strides: Vec<isize> = Vec::new();
        let mut next = 1;
        for extent in &dims {
            strides.push(next);
            next *= *extent as isize;
        }
        let trial = dense_trial(b.finish(), &dims, vec![(storage, access(0, &strides))]);
        trial.check(&devices, &format!("coordinates of {dims:?}"), 0.0);
    }
}
