//! Tests of short rows: what is done without a program is what programs do, to the last bit.

use std::collections::BTreeMap;

use crate::dtype::{DType, Scalar};
use crate::layout::{Shape, Slice};
use crate::tensor::plan;
use crate::tensor::tests::engine;
use crate::tensor::{
    BinaryOp, CompareOp, Engine, Error, IndexItem, Operand, Reduction, Tensor, UnaryOp,
};

/// As many values as a matrix of 4 × `columns` has, some of them special.
fn values(dtype: DType, columns: usize) -> Vec<Scalar> {
    let mut state = 7u64;
    let mut value = |at: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let bits = (state >> 33) as i64;
        match dtype.integer_range() {
            Some((low, high)) => {
                let number = match low {
                    0 => i128::from(bits) % (high + 1),
                    _ => i128::from(bits.wrapping_mul(bits)).clamp(low, high),
                };
                Scalar::from_i128(number).unwrap()
            }
            None if at % 97 == 31 => Scalar::Float(-0.0),
            None => Scalar::Float((bits % 2_000_003) as f64 / 1024.0 - 900.0),
        }
    };
    (0..4 * columns).map(&mut value).collect()
}

fn matrix(e: &Engine, dtype: DType, columns: usize) -> Tensor {
    e.from_values(&values(dtype, columns), &Shape::from([4, columns]), dtype).unwrap()
}

/// Rows of it, near and far apart, forwards and backwards.
fn indexes(columns: usize) -> Vec<Vec<IndexItem>> {
    let every = |step| IndexItem::Slice(Slice { start: None, stop: None, step: Some(step) });
    let mut all = vec![
        vec![IndexItem::Int(1)],
        vec![IndexItem::Int(-1), every(3)],
        vec![IndexItem::Int(2), every(-1)],
        vec![every(1), IndexItem::Int(columns as i64 / 2)],
        vec![IndexItem::Int(0), IndexItem::NewAxis, every(2)],
        vec![every(2), IndexItem::Int(0)],
    ];
    if columns < 200 {
        all.push(vec![IndexItem::Ellipsis]);
    }
    all
}

const WIDTHS: [usize; 6] = [1, 2, 17, 64, 130, 1024];

/// Beyond what is a row wherever it lies, and on both sides of what is one where it is dense.
const LONG: [usize; 6] = [1025, 2049, 8192, 8193, 16_384, 16_385];

fn bytes(e: &Engine, x: &Tensor) -> (DType, Vec<u8>) {
    let host = e.to_host(x).unwrap();
    (host.dtype, host.bytes)
}

fn cases() -> impl Iterator<Item = (DType, usize, Vec<IndexItem>)> {
    DType::STORED.into_iter().flat_map(|dtype| {
        WIDTHS.into_iter().flat_map(move |columns| {
            indexes(columns).into_iter().map(move |items| (dtype, columns, items))
        })
    })
}

/// Of the types that are computed as they are: others are left to programs.
fn long_cases() -> impl Iterator<Item = (DType, usize, Vec<IndexItem>)> {
    DType::STORED.into_iter().filter(|dtype| dtype.compute() == *dtype).flat_map(|dtype| {
        LONG.into_iter().flat_map(move |columns| {
            let items = indexes(columns).into_iter().take(3);
            items.map(move |items| (dtype, columns, items))
        })
    })
}

#[test]
fn rows_are_filled_and_copied_as_programs_do() {
    let e = engine();
    for (dtype, columns, items) in cases() {
        let (short, long) = (matrix(&e, dtype, columns), matrix(&e, dtype, columns));
        assert!(e.assign_row(&short, &items, &Operand::Scalar(Scalar::Int(1))).unwrap());
        let part = e.index(&long, &items).unwrap();
        let ones = e.constant_on(e.device(), part.shape().clone(), Scalar::Int(1), dtype);
        e.assign_all(&part, ones).unwrap();
        assert_eq!(bytes(&e, &short), bytes(&e, &long), "{dtype} {columns} {items:?}");

        let from = e.index(&matrix(&e, dtype, columns), &items).unwrap();
        for source in [e.flip(&from, None).unwrap(), from] {
            let is_done = e.assign_row(&short, &items, &(&source).into()).unwrap();
            // A matrix that stands on its head is no line.
            assert!(is_done || source.rank() == 2 && columns > 1);
            if !is_done {
                e.assign(&short, &items, &source).unwrap();
            }
            e.assign_all(&part, e.copy(&source).unwrap()).unwrap();
            assert_eq!(bytes(&e, &short), bytes(&e, &long), "{dtype} {columns} {items:?}");
        }
    }
}

#[test]
fn rows_are_updated_as_programs_do() {
    use BinaryOp::{Add, BitAnd, BitXor, Div, Max, Min, Mul, Pow, Sub};
    let e = engine();
    let mut done = 0;
    for (dtype, columns, items) in cases() {
        let other = e.index(&matrix(&e, dtype, columns), &items).unwrap();
        let number = if dtype.is_float() { Scalar::Float(0.1) } else { Scalar::Int(3) };
        for op in [Add, Sub, Mul, Div, Max, Min, BitAnd, BitXor, Pow] {
            for value in
                [Operand::Scalar(number), (&other).into(), e.flip(&other, None).unwrap().into()]
            {
                let (short, long) = (matrix(&e, dtype, columns), matrix(&e, dtype, columns));
                let part = e.index(&short, &items).unwrap();
                if !e.update_row(op, &part, &value).unwrap() {
                    assert_eq!(bytes(&e, &short), bytes(&e, &long), "nothing was done");
                    continue;
                }
                done += 1;
                let part = e.index(&long, &items).unwrap();
                let result = e.binary(op, &part, value).unwrap();
                assert!(!result.is_realized());
                e.assign_all(&part, result).unwrap();
                assert_eq!(
                    bytes(&e, &short),
                    bytes(&e, &long),
                    "{op:?} {dtype} {columns} {items:?}"
                );
            }
        }
    }
    assert!(done > 1000, "{done}");
}

#[test]
fn rows_are_folded_as_programs_do() {
    use Reduction::*;
    let e = engine();
    for (dtype, columns, items) in cases().chain(long_cases()) {
        let row = matrix(&e, dtype, columns);
        for op in [Sum, Prod, Mean, Max, Min, ArgMax, ArgMin] {
            let row = e.index(&row, &items).unwrap();
            let short = e.reduce(op, &row, None, false);
            e.set_fusion(false);
            let long = e.reduce(op, &row, None, false);
            e.set_fusion(true);
            let (short, long) = (short.unwrap(), long.unwrap());
            assert!(short.is_scalar() && long.is_scalar());
            // Which of several NaN a sum keeps the sign of is nobody's to say.
            let is_nan = |x| e.item(x).is_ok_and(|x| x.as_f64().is_nan());
            let is_sum_of_nan = matches!(op, Sum | Mean) && is_nan(&short) && is_nan(&long);
            let are_same = is_sum_of_nan || bytes(&e, &short) == bytes(&e, &long);
            assert!(are_same, "{op:?} {dtype} {columns} {items:?}");
        }
    }
    let row = e.index(&matrix(&e, DType::F64, 64), &[IndexItem::Int(1)]).unwrap();
    assert!(e.reduce(Sum, &row, None, false).unwrap().number().is_some(), "at once");
    assert!(e.reduce(Sum, &row, Some(&[0]), false).unwrap().number().is_some());
    assert!(e.reduce(Sum, &row, None, true).unwrap().number().is_none());
}

#[test]
fn folds_of_several_rows_are_those_of_programs() {
    use Reduction::*;
    let e = engine();
    let shapes: [&[usize]; 17] = [
        &[1, 5],
        &[5, 200],
        &[31, 33],
        &[7, 146],
        &[16, 64],
        &[2, 3, 150],
        &[3, 1],
        &[4, 17],
        &[32, 32],
        &[33, 31],
        &[2, 512],
        &[2, 513],
        &[1024, 1],
        &[3, 4, 5],
        &[2, 1, 8],
        &[8, 8, 16],
        &[2, 40, 3],
    ];
    let ops =
        [Sum, Prod, Mean, Max, Min, ArgMax, ArgMin, Any, All, CountNonzero, Var { ddof: 0.0 }];
    for (dtype, shape) in
        DType::STORED.into_iter().flat_map(|dtype| shapes.map(|shape| (dtype, shape)))
    {
        let count: usize = shape.iter().product();
        let x = e.from_values(&values(dtype, count), &Shape::from([4, count]), dtype).unwrap();
        let extents: Vec<i64> = shape.iter().map(|extent| *extent as i64).collect();
        let row = e.copy(&e.index(&x, &[IndexItem::Int(2)]).unwrap()).unwrap();
        let whole = e.reshape(&row, &extents).unwrap();
        let (turned, back) = (e.transpose(&whole).unwrap(), e.flip(&whole, None).unwrap());
        let several = (0..shape.len() as i64).map(|axis| vec![axis]);
        let several: Vec<Vec<i64>> = several.chain([vec![0, shape.len() as i64 - 1]]).collect();
        for x in [&whole, &turned, &back] {
            for (op, axes) in ops.iter().flat_map(|op| several.iter().map(move |axes| (*op, axes)))
            {
                let made = || {
                    // Sums of products of floats are other sums without fusion.
                    let adds_products = dtype.is_float() && matches!(op, Sum | Mean | Var { .. });
                    let other = if adds_products { BinaryOp::Max } else { BinaryOp::Mul };
                    let made = e.binary(other, x, x).unwrap();
                    [x, &made].map(|x| {
                        let host = e.to_host(&e.reduce(op, x, Some(axes), false).ok()?).unwrap();
                        // Which of several NaN a sum keeps the sign of is nobody's to say.
                        let value = |x: Scalar| {
                            if x.as_f64().is_nan() { None } else { Some(plan::words(x)) }
                        };
                        Some((
                            host.dtype,
                            host.to_scalars().into_iter().map(value).collect::<Vec<_>>(),
                        ))
                    })
                };
                let short = made();
                e.set_fusion(false);
                let long = made();
                e.set_fusion(true);
                assert!(short == long, "{op:?} of {dtype} {shape:?} over {axes:?}");
            }
        }
    }
}

#[test]
fn arithmetic_of_rows_is_what_programs_compute() {
    use BinaryOp::{Add, Div, Mul, Sub};
    let e = engine();
    for (dtype, columns, items) in cases().chain(long_cases()) {
        let row = e.index(&matrix(&e, dtype, columns), &items).unwrap();
        let own = || e.copy(&row).unwrap();
        let number =
            Operand::Scalar(if dtype.is_float() { Scalar::Float(0.3) } else { Scalar::Int(5) });
        let chains: [&dyn Fn() -> Result<Tensor, Error>; 6] = [
            &|| e.binary(Add, &row, number.clone()),
            &|| e.binary(Sub, number.clone(), e.binary(Mul, &row, &row)?),
            &|| e.binary(Mul, e.binary(Div, own(), number.clone())?, &row),
            &|| e.binary(Sub, &row, e.binary(Add, own(), own())?),
            &|| e.binary(Sub, own(), e.binary(Mul, own(), number.clone())?),
            &|| e.binary(Add, e.binary(Mul, &row, own())?, e.binary(Add, own(), &row)?),
        ];
        for (at, chain) in chains.iter().enumerate() {
            // Bools have no difference.
            let Ok(short) = chain() else { continue };
            e.realize(&[&short]).unwrap();
            e.set_fusion(false);
            let long = chain().unwrap();
            e.set_fusion(true);
            assert_eq!(bytes(&e, &short), bytes(&e, &long), "{at} {dtype} {columns} {items:?}");
        }
    }
}

/// What every operation that its type has makes of a row, by the operation's name; not where one has no result for
/// some elements.
fn all_of(e: &Engine, row: &Tensor) -> BTreeMap<String, (DType, Vec<u8>)> {
    let number = Operand::Scalar(match row.dtype().is_float() {
        true => Scalar::Float(0.3),
        false => Scalar::Int(3),
    });
    let other = e.copy(&e.flip(row, None).unwrap()).unwrap();
    let mask = e.compare(CompareOp::Lt, row, &other).unwrap();
    e.realize(&[&other, &mask]).unwrap();
    let mut made = BTreeMap::new();
    let mut add = |name: String, result: Result<Tensor, Error>| {
        if let Ok(host) = result.and_then(|result| e.to_host(&result)) {
            made.insert(name, (host.dtype, host.bytes));
        }
    };
    for op in UnaryOp::ALL {
        add(format!("{op:?}"), e.unary(*op, row));
    }
    for op in BinaryOp::ALL {
        add(format!("{op:?}"), e.binary(*op, row, &other));
        add(format!("{op:?} of a number"), e.binary(*op, number.clone(), row));
        add(format!("{op:?} by a number"), e.binary(*op, row, number.clone()));
    }
    for op in CompareOp::ALL {
        add(format!("{op:?}"), e.compare(*op, row, &other));
        add(format!("{op:?} of a number"), e.compare(*op, number.clone(), row));
        let not = e.compare(*op, row, &other).and_then(|mask| e.unary(UnaryOp::Not, &mask));
        add(format!("not {op:?}"), not);
    }
    for to in DType::STORED {
        add(format!("{to}"), e.cast(row, to));
    }
    add("select".into(), e.select(&mask, row, &other));
    add("select a number".into(), e.select(&mask, number.clone(), row));
    made
}

#[test]
fn every_operation_on_rows_is_what_programs_compute() {
    let e = engine();
    for (dtype, columns, items) in cases().chain(long_cases()) {
        let row = e.index(&matrix(&e, dtype, columns), &items).unwrap();
        let short = all_of(&e, &row);
        e.set_fusion(false);
        let long = all_of(&e, &row);
        e.set_fusion(true);
        assert!(short.len() > 50 && short.keys().eq(long.keys()), "{dtype} {columns} {items:?}");
        for (name, made) in &short {
            assert!(*made == long[name], "{name} of {dtype} {columns} {items:?}");
        }
    }
}

#[test]
fn rows_of_one_number_and_counted_ones_are_those_of_programs() {
    let e = engine();
    for dtype in DType::STORED {
        for count in [1, 2, 1023, 1024, 1025, 16_384, 16_385, 40_000] {
            let shape = Shape::from([count]);
            let step = Scalar::Int(i64::from(dtype != DType::Bool) + 1);
            let made = || {
                let full = e.constant_on(e.device(), shape.clone(), Scalar::Int(1), dtype);
                let ramp =
                    e.arange(Scalar::Int(3), Scalar::Int(3 + count as i64), step, Some(dtype));
                let joined = e.concatenate(&[full.clone(), ramp.clone().unwrap()], 0);
                [full, ramp.unwrap(), joined.unwrap()].map(|x| bytes(&e, &x))
            };
            let short = made();
            e.set_fusion(false);
            let long = made();
            e.set_fusion(true);
            assert!(short == long, "{count} of {dtype}");
        }
    }
}

#[test]
fn a_row_meets_itself() {
    let e = engine();
    let slice = |start, stop| {
        vec![IndexItem::Slice(Slice { start: Some(start), stop: Some(stop), step: None })]
    };
    let x = e.from_values(&values(DType::I64, 5), &Shape::from([20]), DType::I64).unwrap();
    let before = e.to_host(&x).unwrap().to_scalars();
    let (low, high) = (e.index(&x, &slice(0, 10)).unwrap(), e.index(&x, &slice(5, 15)).unwrap());
    assert!(!e.assign_row(&x, &slice(5, 15), &(&low).into()).unwrap(), "they overlap");
    assert!(!e.update_row(BinaryOp::Add, &high, &(&low).into()).unwrap(), "they overlap");
    e.assign(&x, &slice(5, 15), &low).unwrap();
    let after = e.to_host(&x).unwrap().to_scalars();
    assert_eq!((&after[5..15], &after[15..]), (&before[..10], &before[15..]));
    assert!(e.update_row(BinaryOp::Sub, &x, &(&x).into()).unwrap(), "the very same");
    assert!(e.to_host(&x).unwrap().to_scalars().iter().all(|value| value.as_i64() == 0));
}

#[test]
fn who_waits_to_read_a_row_reads_the_old_one() {
    let e = engine();
    e.begin();
    let x = e.from_values(&[1, 2, 3].map(Scalar::Int), &Shape::from([3]), DType::F32).unwrap();
    let twice = e.binary(BinaryOp::Mul, &x, Scalar::Int(2)).unwrap();
    assert!(e.assign_row(&x, &[IndexItem::Ellipsis], &Operand::Scalar(Scalar::Int(9))).unwrap());
    let again = e.binary(BinaryOp::Mul, &x, Scalar::Int(2)).unwrap();
    assert!(e.update_row(BinaryOp::Add, &x, &Operand::Scalar(Scalar::Int(1))).unwrap());
    let read =
        |x: &Tensor| e.to_host(x).unwrap().to_scalars().iter().map(|v| v.as_f64()).sum::<f64>();
    assert_eq!((read(&twice), read(&again), read(&x)), (12.0, 54.0, 30.0));
    e.commit();
    e.begin();
    assert!(e.assign_row(&x, &[IndexItem::Ellipsis], &Operand::Scalar(Scalar::Int(0))).unwrap());
    e.roll_back();
    assert_eq!(read(&x), 30.0);
}

#[test]
fn what_nobody_else_holds_gives_its_memory_to_the_result() {
    let e = engine();
    let row = || matrix(&e, DType::F64, 64);
    let (x, y) = (row(), row());
    let places = [&x, &y].map(|x| x.storage_and_layout().unwrap().0.address());
    let sum = e.binary(BinaryOp::Add, x, Scalar::Float(1.0)).unwrap();
    // What is read later keeps its memory: only `x` can be written.
    let result = e.binary(BinaryOp::Sub, y, sum).unwrap();
    e.realize(&[&result]).unwrap();
    assert_eq!(result.storage_and_layout().unwrap().0.address(), places[0]);
    let kept = e.binary(BinaryOp::Add, &result, Scalar::Float(1.0)).unwrap();
    e.realize(&[&kept]).unwrap();
    assert_ne!(kept.storage_and_layout().unwrap().0.address(), places[0]);
}
