//! Tests of what loops over elements take: the short ways agree with the general ones.

use super::element::SMALL;
use super::plain::Side;
use super::tests::engine;
use super::*;
use crate::dtype::Scalar;
use crate::layout::{Layout, Shape, Slice};

fn whole(values: &[f64]) -> Vec<Scalar> {
    values.iter().map(|value| Scalar::Float(*value)).collect()
}

/// Numbers of every kind, as far as `dtype` holds them.
fn samples(dtype: DType) -> Vec<Scalar> {
    let Some((low, high)) = dtype.integer_range() else {
        return whole(&[0.0, -0.0, 1.5, -2.75, 1e-3, 3e4, f64::NAN, f64::INFINITY, -0.1, 7.0]);
    };
    [0, 1, 3, low, high, high / 3].map(|x| Scalar::from_i128(x).unwrap()).to_vec()
}

/// A tensor without axes whose element lies in memory: no number.
fn stored(e: &Engine, value: Scalar, dtype: DType) -> Tensor {
    let x = e.from_values(&[value], &Shape::from([1]), dtype).unwrap();
    e.reshape(&x, &[]).unwrap()
}

fn number(e: &Engine, value: Scalar, dtype: DType) -> Tensor {
    let x = e.from_values(&[value], &Shape::from([1]), dtype).unwrap();
    let number = e.element(&x, &[0]).unwrap();
    assert!(number.number().is_some() && number.is_scalar());
    number
}

fn bits(e: &Engine, x: &Tensor) -> (DType, Vec<u8>) {
    let host = e.to_host(x).unwrap();
    (host.dtype, host.bytes)
}

#[test]
fn numbers_without_a_graph_come_to_what_others_come_to() {
    use BinaryOp::{Add, Div, Mul, Sub};
    let e = engine();
    let (mut made, mut compared) = (0, 0);
    for dtype in [DType::F64, DType::F32, DType::I64] {
        let all = samples(dtype);
        for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b))) {
            let (x, y) = (number(&e, a, dtype), number(&e, b, dtype));
            let sides = |is_python: bool| match (is_python, b) {
                (true, Scalar::Float(b)) => (Side::Float(b), Operand::from(Scalar::Float(b))),
                (true, Scalar::Int(b)) => (Side::Int(b), Operand::from(Scalar::Int(b))),
                _ => (Side::Tensor(&y), Operand::from(&y)),
            };
            for (side, operand) in [true, false].map(sides) {
                for op in [Add, Sub, Mul, Div] {
                    let Some((value, of)) = plain::arithmetic(op, Side::Tensor(&x), side) else {
                        continue;
                    };
                    let expected = e.binary(op, &x, operand.clone()).unwrap();
                    assert_eq!((of, value), (expected.dtype(), e.item(&expected).unwrap()));
                    made += 1;
                }
                for op in [CompareOp::Eq, CompareOp::Ne, CompareOp::Lt, CompareOp::Ge] {
                    if let Some(holds) = plain::holds(op, Side::Tensor(&x), side) {
                        let expected = e.compare(op, &x, operand.clone()).unwrap();
                        assert_eq!(holds, e.item(&expected).unwrap().as_bool(), "{a} {op:?} {b}");
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(made > 500 && compared > 1000, "{made} made, {compared} compared");
}

#[test]
fn a_lazy_tensor_is_computed_when_a_second_element_is_asked_for() {
    let e = engine();
    for n in [2, SMALL, SMALL + 1] {
        let ones = e.full(&Shape::from([n]), Scalar::Float(1.0), DType::F64).unwrap();
        let twos = e.binary(BinaryOp::Add, e.copy(&ones).unwrap(), Scalar::Int(1)).unwrap();
        assert!(!twos.is_realized());
        assert_eq!(e.element_value(&ones, &[-1]), Some(Scalar::Float(1.0)));
        let two = Some(Scalar::Float(2.0));
        assert_eq!(e.element_value(&twos, &[0]), two.filter(|_| n <= SMALL));
        assert_eq!(twos.is_realized(), n <= SMALL);
        assert_eq!(e.element_value(&twos, &[-1]), two);
        assert!(twos.is_realized());
        assert_eq!(e.element_value(&twos, &[n as i64]), None);
    }
}

#[test]
fn arithmetic_of_numbers_is_what_devices_compute() {
    use BinaryOp::{Add, Div, Mul, Sub};
    let e = engine();
    let compares =
        [CompareOp::Eq, CompareOp::Ne, CompareOp::Lt, CompareOp::Le, CompareOp::Gt, CompareOp::Ge];
    for (one, two) in DType::STORED.into_iter().flat_map(|a| DType::STORED.map(|b| (a, b))) {
        for (a, b) in
            samples(one).into_iter().flat_map(|a| samples(two).into_iter().map(move |b| (a, b)))
        {
            let (x, y) = (number(&e, a, one), number(&e, b, two));
            let (p, q) = (stored(&e, a, one), stored(&e, b, two));
            for op in [Add, Sub, Mul, Div] {
                let short = e.binary(op, &x, &y);
                let long = e.binary(op, &p, &q);
                match (short, long) {
                    (Ok(short), Ok(long)) => {
                        let is_nan = e.item(&long).unwrap().as_f64().is_nan();
                        if is_nan {
                            assert!(e.item(&short).unwrap().as_f64().is_nan());
                        } else {
                            let (short, long) = (bits(&e, &short), bits(&e, &long));
                            assert_eq!(short, long, "{a} {op:?} {b}: {one}, {two}");
                        }
                    }
                    (short, long) => {
                        assert_eq!(short.is_err(), long.is_err(), "{op:?} {one} {two}")
                    }
                }
            }
            for op in compares {
                let (short, long) =
                    (e.compare(op, &x, &y).unwrap(), e.compare(op, &p, &q).unwrap());
                assert_eq!(bits(&e, &short), bits(&e, &long), "{a} {op:?} {b}: {one}, {two}");
            }
        }
    }
}

#[test]
fn casts_of_numbers_are_what_devices_compute() {
    let e = engine();
    for (one, two) in DType::STORED.into_iter().flat_map(|a| DType::STORED.map(|b| (a, b))) {
        for a in samples(one) {
            let is_sound = two.is_float() || !one.is_float() && a.as_i128() < 100;
            if a.as_f64().is_nan() || !is_sound {
                continue;
            }
            let short = e.cast(&number(&e, a, one), two).unwrap();
            let long = e.cast(&stored(&e, a, one), two).unwrap();
            assert_eq!(bits(&e, &short), bits(&e, &long), "{a}: {one} as {two}");
        }
    }
}

#[test]
fn elements_are_those_of_the_general_way() {
    let e = engine();
    for dtype in DType::ALL {
        let values: Vec<Scalar> = samples(dtype).into_iter().cycle().take(12).collect();
        let base = e.from_values(&values, &Shape::from([3, 4]), dtype).unwrap();
        let views = [
            base.clone(),
            e.transpose(&base).unwrap(),
            e.flip(&base, None).unwrap(),
            e.narrow(&base, 1, 1, 2, 2).unwrap(),
        ];
        for view in views {
            let (rows, columns) = (view.shape()[0] as i64, view.shape()[1] as i64);
            for (row, column) in
                (-rows..rows).flat_map(|a| (-columns..columns).map(move |b| (a, b)))
            {
                let items = [IndexItem::Int(row), IndexItem::Int(column)];
                let short = e.element(&view, &[row, column]).unwrap();
                let long = e.index(&view, &items).unwrap();
                assert_eq!(bits(&e, &short), bits(&e, &long));
                let copy = e.copy(&view).unwrap();
                let other = e.copy(&view).unwrap();
                let value = Scalar::Int(1);
                assert!(e.store_element(&copy, &[row, column], value).unwrap());
                e.assign(&other, &items, value).unwrap();
                assert_eq!(bits(&e, &copy), bits(&e, &other));
            }
            for at in [[rows, 0], [-rows - 1, 0], [0, columns], [i64::MIN, 0], [i64::MAX, 0]] {
                assert!(e.element(&view, &at).is_none());
                assert!(!e.store_element(&view, &at, Scalar::Int(1)).unwrap());
            }
            assert!(e.element(&view, &[0]).is_none(), "that is a row");
        }
    }
    let small = e.from_values(&[Scalar::Int(1)], &Shape::from([1]), DType::I8).unwrap();
    assert!(
        !e.store_element(&small, &[0], Scalar::Int(128)).unwrap(),
        "an error of the general way"
    );
    assert!(!e.store_element(&small, &[0], Scalar::Float(f64::NAN)).unwrap());
}

#[test]
fn who_waits_to_read_an_element_reads_the_old_one() {
    let e = engine();
    e.begin();
    let x = e.from_values(&[1, 2, 3].map(Scalar::Int), &Shape::from([3]), DType::F32).unwrap();
    let twice = e.binary(BinaryOp::Mul, &x, Scalar::Int(2)).unwrap();
    assert!(!twice.is_realized());
    assert!(e.store_element(&x, &[1], Scalar::Int(9)).unwrap());
    assert_eq!(e.to_host(&twice).unwrap().to_scalars(), whole(&[2.0, 4.0, 6.0]));
    assert_eq!(e.to_host(&x).unwrap().to_scalars(), whole(&[1.0, 9.0, 3.0]));
    e.commit();
    e.begin();
    assert!(e.store_element(&x, &[0], Scalar::Int(7)).unwrap());
    e.roll_back();
    assert_eq!(e.to_host(&x).unwrap().to_scalars(), whole(&[1.0, 9.0, 3.0]));
}

#[test]
fn a_number_that_was_given_memory_loses_it_with_the_transaction() {
    let e = engine();
    let x = number(&e, Scalar::Float(2.5), DType::F64);
    let live = e.device().allocator().stats().now.allocated;
    e.begin();
    e.assign_all(&x, Scalar::Int(4)).unwrap();
    assert!(x.is_realized());
    e.roll_back();
    assert_eq!(x.number(), Some(Scalar::Float(2.5)));
    assert_eq!(e.device().allocator().stats().now.allocated, live);
}

#[test]
fn a_statement_with_other_numbers_is_planned_once() {
    let e = engine();
    let x = super::tests::ramp(&e, &[2, 3]);
    let row = |factor: f64| {
        let y = e.binary(BinaryOp::Mul, &x, Scalar::Float(factor)).unwrap();
        let y = e.binary(BinaryOp::Add, &y, Scalar::Float(factor + 1.0)).unwrap();
        let y = e.reduce(Reduction::Sum, &y, Some(&[1]), false).unwrap();
        e.to_host(&y).unwrap().to_scalars()
    };
    for turn in 0..10 {
        let factor = f64::from(turn) / 4.0;
        let wanted = [3.0, 12.0].map(|sum| sum * factor + 3.0 * (factor + 1.0));
        assert_eq!(row(factor), whole(&wanted));
    }
    let counts = e.plan_counts();
    assert_eq!((counts.misses, counts.hits), (2, 8), "of one value, of any value");
    for _ in 0..5 {
        row(0.0);
    }
    assert_eq!(e.plan_counts().misses, 2);
}

#[test]
fn basic_indexes_lead_where_plans_say() {
    let bounds = [None, Some(0), Some(1), Some(-1), Some(-3), Some(9)];
    let mut items = vec![IndexItem::NewAxis, IndexItem::Ellipsis];
    items.extend([0, 1, -1, -2, 2, 5].map(IndexItem::Int));
    for (start, stop) in bounds.iter().flat_map(|a| bounds.iter().map(move |b| (*a, *b))) {
        for step in [None, Some(1), Some(-1), Some(2), Some(0)] {
            items.push(IndexItem::Slice(Slice { start, stop, step }));
        }
    }
    let e = engine();
    let base = Layout::contiguous([3, 2, 4].into()).permute(&[2, 0, 1]).narrow(0, 3, 4, -1);
    let agree = |items: &[IndexItem]| {
        let plan = e.resolve(&base, items).ok().map(|indexing| indexing.plan.layout);
        assert_eq!(base.basic(items.iter().map(IndexItem::part)), plan, "{items:?}");
    };
    agree(&[]);
    for a in &items {
        agree(std::slice::from_ref(a));
        for b in &items {
            agree(&[a.clone(), b.clone()]);
            agree(&[a.clone(), IndexItem::Ellipsis, b.clone()]);
            agree(&[a.clone(), IndexItem::Int(1), b.clone(), IndexItem::Int(0)]);
        }
    }
}
