//! Launches of particular shapes: long rows, tiles, in-place work, errors, the interrupt.

use super::super::CpuBackend;
use super::{Random, bytes, decode, dense, device, elements, map_space, on_threads, storage};
use crate::device::{Backend, Error, Interrupt};
use crate::dtype::{DType, Scalar};
use crate::ir::{Access, BinaryOp, Builder, Domain, Op, Program, ReduceOp, Reg, Space, UnaryOp};

fn softmax() -> Program {
    let mut b = Builder::new();
    let input = b.input(DType::F32);
    let x = b.load(input, Domain::Element);
    let max = b.push(Op::Reduce(ReduceOp::Max, x), DType::F32);
    let shifted = b.push(Op::Binary(BinaryOp::Sub, x, max), DType::F32);
    let e = b.push(Op::Unary(UnaryOp::Exp, shifted), DType::F32);
    let sum = b.push(Op::Reduce(ReduceOp::Sum, e), DType::F32);
    let y = b.push(Op::Binary(BinaryOp::Div, e, sum), DType::F32);
    b.output(y, Domain::Element);
    b.output(sum, Domain::Row);
    b.finish()
}

#[test]
fn results_do_not_depend_on_threads() {
    let device = device();
    let mut random = Random(1);
    for (rows, columns, down, across) in [
        (1, 700_001, 700_001, 1),
        (3, 300_000, 300_000, 1),
        (5, 90_000, 1, 5),
        (900, 700, 700, 1),
        (9, 40_000, 1, 9),
        (100, 9_000, 1, 101),
        (600, 900, 1, 600),
    ] {
        let values: Vec<Scalar> = (0..(rows * down.max(1) as usize).max(columns * across as usize))
            .map(|_| Scalar::Float(random.below(1000) as f64 / 77.0))
            .collect();
        let input = storage(&device, DType::F32, &values);
        let space = Space { dims: [rows, columns].as_slice().into(), kept: 1 };
        let access = Access { strides: [down, across].as_slice().into(), ..Access::default() };
        let of_rows = Access { strides: [1, 0].as_slice().into(), ..Access::default() };
        let program = softmax();
        let mut results = Vec::new();
        for threads in [1, 2, 3] {
            let backend = CpuBackend::new(Interrupt::default());
            let y = storage(&device, DType::F32, &vec![Scalar::Int(0); values.len()]);
            let sum = storage(&device, DType::F32, &vec![Scalar::Int(0); rows]);
            let outputs = [(&*y, &access), (&*sum, &of_rows)];
            let run = || backend.run(&program, &space, &[(&*input, &access)], &outputs);
            on_threads(threads, run).unwrap();
            results.push((bytes(&y), bytes(&sum)));
        }
        assert!(results.iter().all(|result| *result == results[0]), "{rows} × {columns}");
    }
}

/// A value of a row, folded over its elements, beside elements that are folded as they lie.
#[test]
fn values_of_rows_are_folded_as_often_as_there_are_elements() {
    let device = device();
    let mut b = Builder::new();
    let (elements, of_rows) = (b.input(DType::F32), b.input(DType::F32));
    let x = b.load(elements, Domain::Element);
    let row = b.load(of_rows, Domain::Row);
    let sum = b.push(Op::Reduce(ReduceOp::Sum, x), DType::F32);
    let times = b.push(Op::Reduce(ReduceOp::Sum, row), DType::F32);
    b.output(sum, Domain::Row);
    b.output(times, Domain::Row);
    let program = b.finish();
    for (rows, row_len) in
        [(1, 5), (100, 0), (9, 0), (3, 2), (100, 3), (100, 9), (7, 600), (100, 2000)]
    {
        for is_turned in [false, true] {
            let values: Vec<Scalar> =
                (0..rows * row_len).map(|at| Scalar::Int((at % 5) as i64)).collect();
            let numbers: Vec<Scalar> = (0..rows).map(|row| Scalar::Int(row as i64 + 1)).collect();
            let (x, row) =
                (storage(&device, DType::F32, &values), storage(&device, DType::F32, &numbers));
            let [sums, times] = [(); 2].map(|()| storage(&device, DType::F32, &numbers));
            let space = Space { dims: [rows, row_len].as_slice().into(), kept: 1 };
            let strides = if is_turned { [1, rows as isize] } else { [row_len as isize, 1] };
            let access = Access { strides: strides.as_slice().into(), ..Access::default() };
            let along = Access { strides: [1, 0].as_slice().into(), ..Access::default() };
            let inputs = [(&*x, &access), (&*row, &along)];
            let outputs = [(&*sums, &along), (&*times, &along)];
            device.backend().run(&program, &space, &inputs, &outputs).unwrap();
            for at in 0..rows {
                let place = |element: usize| match is_turned {
                    true => element * rows + at,
                    false => at * row_len + element,
                };
                let expected: usize = (0..row_len).map(|element| place(element) % 5).sum();
                let case = format!("{rows} × {row_len}, {is_turned}: {at}");
                assert_eq!(decode(&sums)[at], expected as f64, "{case}");
                assert_eq!(decode(&times)[at], ((at + 1) * row_len) as f64, "{case}");
            }
        }
    }
}

/// A sum of products has the bits of products that are stored and then summed, whether a factor is the same along
/// the rows or has a lane for each.
#[test]
fn sums_of_products_are_products_and_sums() {
    let device = device();
    let mut random = Random(7);
    for dtype in [DType::F32, DType::F64] {
        let many = [(300, 2, 40), (70, 9, 100), (18, 31, 100), (16, 33, 17), (3, 300, 31)];
        let few = [(1, 65, 16), (4, 16, 33), (5, 15, 40), (7, 50, 15), (9, 7, 65), (8, 3, 20)];
        let narrow = [(35, 2, 50), (23, 3, 40), (16, 4, 33), (13, 5, 40), (12, 7, 300)];
        let rests = [(7, 12, 40), (6, 14, 33), (5, 20, 50), (4, 44, 17)];
        for (n, m, len) in many.into_iter().chain(few).chain(narrow).chain(rests) {
            for is_outer in [false, true] {
                let number = |_| Scalar::Float(random.below(1000) as f64 / 77.0 - 6.0);
                let values: Vec<Scalar> = (0..n * m * len).map(number).collect();
                let others: Vec<Scalar> = values.iter().rev().copied().collect();
                let (x, y) = (storage(&device, dtype, &values), storage(&device, dtype, &others));
                let zeros = |count: usize| storage(&device, dtype, &vec![Scalar::Int(0); count]);
                let (products, direct, apart) = (zeros(n * m * len), zeros(n * m), zeros(n * m));
                let access = |strides: [usize; 3]| Access {
                    strides: strides.map(|stride| stride as isize).as_slice().into(),
                    ..Access::default()
                };
                let (across, of_rows) = (access([m, 1, n * m]), access([m, 1, 0]));
                let (left, right) = match is_outer {
                    true => (access([len, 0, 1]), access([0, 1, m])),
                    false => (across.clone(), across.clone()),
                };
                let dims = [n, m, len];
                let program = |is_summed: bool, factors: usize| {
                    let mut b = Builder::new();
                    let inputs: Vec<u16> = (0..factors).map(|_| b.input(dtype)).collect();
                    let loads: Vec<Reg> =
                        inputs.iter().map(|input| b.load(*input, Domain::Element)).collect();
                    let mut value = loads[0];
                    if factors == 2 {
                        let product = Op::Binary(BinaryOp::Mul, loads[0], loads[1]);
                        value = b.push(product, dtype);
                    }
                    if is_summed {
                        value = b.push(Op::Reduce(ReduceOp::Sum, value), dtype);
                    }
                    b.output(value, if is_summed { Domain::Row } else { Domain::Element });
                    b.finish()
                };
                let rows = Space { dims: dims.as_slice().into(), kept: 2 };
                let run = |program: &Program, space: &Space, inputs: &[_], outputs: &[_]| {
                    device.backend().run(program, space, inputs, outputs).unwrap();
                };
                let factors = [(&*x, &left), (&*y, &right)];
                run(&program(true, 2), &rows, &factors, &[(&*direct, &of_rows)]);
                run(&program(false, 2), &map_space(&dims), &factors, &[(&*products, &across)]);
                run(&program(true, 1), &rows, &[(&*products, &across)], &[(&*apart, &of_rows)]);
                assert_eq!(bytes(&direct), bytes(&apart), "{dtype}, {n} × {m} × {len}, {is_outer}");
            }
        }
    }
}

/// Rows that lie side by side give what each gives alone, however many of them are folded together.
#[test]
fn few_rows_side_by_side_are_what_each_is_alone() {
    let device = device();
    let mut random = Random(6);
    for op in [ReduceOp::Sum, ReduceOp::Max, ReduceOp::ArgMin, ReduceOp::Prod] {
        for dtype in [DType::F32, DType::F64, DType::F16, DType::I64, DType::U8, DType::Bool] {
            for rows in [1, 8, 9, 10, 31, 63, 64, 65, 511, 512, 513] {
                let row_len = 200;
                let number = |random: &mut Random| random.below(3) as f64 - 1.0;
                let values: Vec<f64> = (0..rows * row_len).map(|_| number(&mut random)).collect();
                let whole: Vec<Scalar> = values.iter().map(|x| Scalar::Float(x.abs())).collect();
                let x = storage(&device, dtype, &whole);
                let mut b = Builder::new();
                let input = b.input(dtype);
                let loaded = b.load(input, Domain::Element);
                let of = if op.is_arg() { DType::I64 } else { dtype };
                let folded = b.push(Op::Reduce(op, loaded), of);
                b.output(folded, Domain::Row);
                let program = b.finish();
                let run = |first: usize, rows_now: usize| {
                    let space = Space { dims: [rows_now, row_len].as_slice().into(), kept: 1 };
                    let access = Access {
                        offset: first,
                        strides: [1, rows as isize].as_slice().into(),
                        ..Access::default()
                    };
                    let of_rows = Access { strides: [1, 0].as_slice().into(), ..Access::default() };
                    let out = storage(&device, of, &vec![Scalar::Int(0); rows_now]);
                    let outputs = [(&*out, &of_rows)];
                    device.backend().run(&program, &space, &[(&*x, &access)], &outputs).unwrap();
                    elements(&out)
                };
                let together = run(0, rows);
                for row in [0, rows / 2, rows - 1] {
                    let case = format!("{op:?} of {dtype}, {rows} rows, row {row}");
                    assert_eq!(together[row], run(row, 1)[0], "{case}");
                }
            }
        }
    }
}

#[test]
fn rows_done_together_are_what_each_is_alone() {
    let device = device();
    let mut random = Random(5);
    for row_len in [8, 9, 31, 63, 64, 65, 100, 300, 511, 512, 513] {
        let rows = 83;
        // Rows with a gap between them, so that blocks of them are not dense.
        let down = row_len + 3;
        let values: Vec<Scalar> =
            (0..rows * down).map(|_| Scalar::Float(random.below(1000) as f64 / 77.0)).collect();
        let x = storage(&device, DType::F32, &values);
        let run = |first: usize, rows: usize| {
            let space = Space { dims: [rows, row_len].as_slice().into(), kept: 1 };
            let access = Access {
                offset: first * down,
                strides: [down as isize, 1].as_slice().into(),
                ..Access::default()
            };
            let of_rows = Access { strides: [1, 0].as_slice().into(), ..Access::default() };
            let y = storage(&device, DType::F32, &vec![Scalar::Int(0); rows * row_len]);
            let sum = storage(&device, DType::F32, &vec![Scalar::Int(0); rows]);
            let outputs = [(&*y, &dense(&space)), (&*sum, &of_rows)];
            device.backend().run(&softmax(), &space, &[(&*x, &access)], &outputs).unwrap();
            (bytes(&y), bytes(&sum))
        };
        let (together, sums) = run(0, rows);
        for row in 0..rows {
            let (alone, sum) = run(row, 1);
            assert_eq!(
                together[row * row_len * 4..(row + 1) * row_len * 4],
                alone[..],
                "{row_len}: {row}"
            );
            assert_eq!(sums[row * 4..row * 4 + 4], sum[..], "{row_len}: {row}");
        }
    }
}

#[test]
fn softmax_in_place_is_softmax() {
    let device = device();
    let values: Vec<Scalar> = (0..6000).map(|i| Scalar::Float(f64::from(i % 17))).collect();
    let space = Space { dims: [2, 3000].as_slice().into(), kept: 1 };
    let access = dense(&space);
    let of_rows = Access { strides: [1, 0].as_slice().into(), ..Access::default() };
    let (x, y) = (storage(&device, DType::F32, &values), storage(&device, DType::F32, &values));
    let sums = storage(&device, DType::F32, &[Scalar::Int(0); 2]);
    let run = |input, output| {
        let outputs = [(output, &access), (&*sums, &of_rows)];
        device.backend().run(&softmax(), &space, &[(input, &access)], &outputs).unwrap();
    };
    run(&x, &y);
    run(&x, &x);
    assert_eq!(bytes(&x), bytes(&y));
    let total: f64 = decode(&y)[..3000].iter().sum();
    assert!((total - 1.0).abs() < 1e-5, "{total}");
}

#[test]
fn softmax_of_a_transposed_matrix_is_softmax() {
    let device = device();
    let mut random = Random(2);
    let n = 100;
    let values: Vec<Scalar> =
        (0..n * n).map(|_| Scalar::Float(random.below(1000) as f64 / 250.0)).collect();
    let x = storage(&device, DType::F32, &values);
    let space = Space { dims: [n, n].as_slice().into(), kept: 0 };
    let turned = Access { strides: [1, n as isize].as_slice().into(), ..Access::default() };
    let [straight, other] = [dense(&space), turned].map(|access| {
        let y = storage(&device, DType::F32, &values);
        let sum = storage(&device, DType::F32, &[Scalar::Int(0)]);
        let of_all = Access { strides: [0, 0].as_slice().into(), ..Access::default() };
        let outputs = [(&*y, &dense(&space)), (&*sum, &of_all)];
        device.backend().run(&softmax(), &space, &[(&*x, &access)], &outputs).unwrap();
        decode(&y)
    });
    for at in 0..n * n {
        let (one, two) = (straight[at % n * n + at / n], other[at]);
        assert!((one - two).abs() <= 1e-6 * one, "{one} and {two} at {at}");
    }
}

#[test]
fn rows_of_a_table_are_gathered() {
    let device = device();
    let (height, width, picks) = (1000, 70, 999);
    let values: Vec<Scalar> = (0..height * width).map(|i| Scalar::Int(i as i64)).collect();
    let (table, out) =
        (storage(&device, DType::F32, &values), storage(&device, DType::F32, &values));
    let mut random = Random(3);
    let mut rows: Vec<i64> = (0..picks).map(|_| random.below(2 * height) as i64 - 1000).collect();
    let mut b = Builder::new();
    let (source, input) = (b.input(DType::F32), b.input(DType::I64));
    let row = b.load(input, Domain::Element);
    let value = b.gather(source, &[row], Domain::Element);
    b.output(value, Domain::Element);
    let program = b.finish();
    let space = map_space(&[picks, width]);
    let along = Access {
        strides: [0, 1].as_slice().into(),
        gathered: [(height, width as isize)].as_slice().into(),
        ..Access::default()
    };
    let of_rows = Access { strides: [1, 0].as_slice().into(), ..Access::default() };
    let run = |rows: &[i64]| {
        let indices: Vec<Scalar> = rows.iter().map(|row| Scalar::Int(*row)).collect();
        let indices = storage(&device, DType::I64, &indices);
        let inputs = [(&*table, &along), (&*indices, &of_rows)];
        device.backend().run(&program, &space, &inputs, &[(&*out, &dense(&space))])
    };
    run(&rows).unwrap();
    for (at, value) in decode(&out)[..picks * width].iter().enumerate() {
        let row = rows[at / width].rem_euclid(height as i64) as usize;
        assert_eq!(*value, (row * width + at % width) as f64);
    }
    rows[500] = 1000;
    rows[700] = -1001;
    let error = run(&rows).unwrap_err();
    assert!(
        matches!(error, Error::IndexOutOfBounds { value: 1000, extent: 1000, .. }),
        "{error:?}"
    );
}

#[test]
fn transposed_copies_of_every_width() {
    let device = device();
    for dtype in [DType::U8, DType::I16, DType::F32, DType::I64] {
        // The last is large enough to go around the caches.
        let sizes = [(70, 130), (16, 64), (33, 9), (1, 40), (200, 3), (2101, 2099)];
        let sizes = if dtype == DType::F32 { &sizes[..] } else { &sizes[..5] };
        for &(rows, columns) in sizes {
            let values: Vec<Scalar> = (0..rows * columns).map(|i| Scalar::Int(i as i64)).collect();
            let from = storage(&device, dtype, &values);
            let to = storage(&device, dtype, &values);
            let mut b = Builder::new();
            let input = b.input(dtype);
            let x = b.load(input, Domain::Element);
            b.output(x, Domain::Element);
            let space = map_space(&[columns, rows]);
            let turned =
                Access { strides: [1, columns as isize].as_slice().into(), ..Access::default() };
            let outputs = [(&*to, &dense(&space))];
            device.backend().run(&b.finish(), &space, &[(&*from, &turned)], &outputs).unwrap();
            let (from, to) = (elements(&from), elements(&to));
            for at in 0..rows * columns {
                assert_eq!(to[at], from[at % rows * columns + at / rows], "{rows} × {columns}");
            }
        }
    }
}

#[test]
fn the_first_index_out_of_bounds_is_reported() {
    let device = device();
    let n = 100_000;
    let mut indices: Vec<Scalar> = (0..n).map(|i| Scalar::Int(i % 10 - 5)).collect();
    indices[70_001] = Scalar::Int(-6);
    indices[70_000] = Scalar::Int(5);
    indices[99_000] = Scalar::Int(77);
    let table = storage(&device, DType::F32, &[Scalar::Int(1); 5]);
    let index = storage(&device, DType::I64, &indices);
    let out = storage(&device, DType::F32, &vec![Scalar::Int(0); n as usize]);
    let mut b = Builder::new();
    let (source, input) = (b.input(DType::F32), b.input(DType::I64));
    let at = b.load(input, Domain::Element);
    let value = b.gather(source, &[at], Domain::Element);
    b.output(value, Domain::Element);
    let space = map_space(&[n as usize]);
    let gathered = Access {
        strides: [0].as_slice().into(),
        gathered: [(5, 1)].as_slice().into(),
        ..Access::default()
    };
    let inputs = [(&*table, &gathered), (&*index, &dense(&space))];
    let outputs = [(&*out, &dense(&space))];
    let error = device.backend().run(&b.finish(), &space, &inputs, &outputs);
    let instr = Some(Reg(1));
    assert_eq!(error, Err(Error::IndexOutOfBounds { instr, operand: 0, value: 5, extent: 5 }));
}

#[test]
fn integers_refuse_what_has_no_result() {
    let device = device();
    let a = storage(&device, DType::I32, &[Scalar::Int(3), Scalar::Int(4)]);
    let b = storage(&device, DType::I32, &[Scalar::Int(1), Scalar::Int(0)]);
    let c = storage(&device, DType::I32, &[Scalar::Int(1), Scalar::Int(-1)]);
    let space = map_space(&[2]);
    let access = dense(&space);
    let run = |op, right| {
        let mut builder = Builder::new();
        let inputs = [builder.input(DType::I32), builder.input(DType::I32)];
        let [x, y] = inputs.map(|input| builder.load(input, Domain::Element));
        let value = builder.push(Op::Binary(op, x, y), DType::I32);
        builder.output(value, Domain::Element);
        let out = storage(&device, DType::I32, &[Scalar::Int(0); 2]);
        let given = [(&*a, &access), (right, &access)];
        device.backend().run(&builder.finish(), &space, &given, &[(&*out, &access)])
    };
    let instr = Reg(2);
    assert_eq!(run(BinaryOp::FloorDiv, &*b), Err(Error::DivisionByZero { instr }));
    assert_eq!(run(BinaryOp::Mod, &*b), Err(Error::DivisionByZero { instr }));
    assert_eq!(run(BinaryOp::Pow, &*c), Err(Error::NegativeExponent { instr }));
    assert_eq!(run(BinaryOp::Pow, &*b), Ok(()));
}

#[test]
fn a_raised_interrupt_ends_the_launch() {
    let device = device();
    let interrupt = Interrupt::default();
    let backend = CpuBackend::new(interrupt.clone());
    let x = storage(&device, DType::F32, &vec![Scalar::Int(1); 10_000]);
    let y = storage(&device, DType::F32, &vec![Scalar::Int(1); 10_000]);
    let mut b = Builder::new();
    let input = b.input(DType::F32);
    let value = b.load(input, Domain::Element);
    b.output(value, Domain::Element);
    let program = b.finish();
    let space = map_space(&[10_000]);
    let access = dense(&space);
    interrupt.raise();
    let result = backend.run(&program, &space, &[(&*x, &access)], &[(&*y, &access)]);
    assert_eq!(result, Err(Error::Interrupted));
    interrupt.clear();
    backend.run(&program, &space, &[(&*x, &access)], &[(&*y, &access)]).unwrap();
}

#[test]
fn sums_are_better_than_pairwise() {
    let device = device();
    let n = 3_000_000;
    let values = vec![Scalar::Float(0.1); n];
    let x = storage(&device, DType::F32, &values);
    let sum = storage(&device, DType::F32, &[Scalar::Int(0)]);
    let mut b = Builder::new();
    let input = b.input(DType::F32);
    let value = b.load(input, Domain::Element);
    let total = b.push(Op::Reduce(ReduceOp::Sum, value), DType::F32);
    b.output(total, Domain::Row);
    let space = Space { dims: [n].as_slice().into(), kept: 0 };
    let of_rows = Access { strides: [0].as_slice().into(), ..Access::default() };
    let outputs = [(&*sum, &of_rows)];
    device.backend().run(&b.finish(), &space, &[(&*x, &dense(&space))], &outputs).unwrap();
    let exact = f64::from(0.1f32) * n as f64;
    assert!((decode(&sum)[0] / exact - 1.0).abs() < 1e-6, "{} for {exact}", decode(&sum)[0]);
}
