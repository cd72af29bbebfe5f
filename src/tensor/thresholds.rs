//! Every family of operations at sizes on both sides of the places where its kernels take another
//! way, against plain loops over whole numbers. All values are small, so that every type holds them
//! and every sum of them exactly.

mod products;

use super::tests::engine;
use super::*;
use crate::device::cpu::thresholds as kernels;
use crate::dtype::{Kind, Scalar};
use crate::layout::Shape;

/// Beyond this, only the types that most people use are tried.
const MODEST: usize = 5_000;
const USUAL: [DType; 4] = [DType::F32, DType::F64, DType::I64, DType::U8];

/// None, some, one less than each threshold, itself, one more, and twice as many and one.
fn sizes(thresholds: &[usize], largest: usize) -> Vec<usize> {
    let around = thresholds.iter().flat_map(|at| [at - 1, *at, at + 1, 2 * at + 1]);
    let mut sizes: Vec<usize> = [0, 1, 2, 3].into_iter().chain(around).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes.retain(|size| *size <= largest);
    sizes
}

fn types(size: usize) -> &'static [DType] {
    if size <= MODEST { &DType::ALL } else { &USUAL }
}

/// Small numbers in no order, from -2 to 2: those that a type has no place for are turned round.
fn numbers(count: usize, dtype: DType) -> Vec<i64> {
    let number = |at: usize| (at * 7_919 % 5) as i64 - 2;
    let fitted = |x: i64| match dtype.kind() {
        Kind::Bool => i64::from(x > 0),
        Kind::Unsigned => x.abs(),
        _ => x,
    };
    (0..count).map(number).map(fitted).collect()
}

fn tensor(e: &Engine, values: &[i64], shape: &[usize], dtype: DType) -> Tensor {
    let bytes = values.iter().flat_map(|x| x.to_ne_bytes()).collect();
    let host = HostArray { dtype: DType::I64, shape: shape.into(), bytes };
    let made = e.cast(&e.from_host(&host).unwrap(), dtype).unwrap();
    e.realize(&[&made]).unwrap();
    made
}

#[track_caller]
fn check(e: &Engine, found: &Tensor, expected: &[i64], what: &dyn std::fmt::Debug) {
    let found = e.to_host(found).unwrap().to_scalars();
    assert_eq!(found.len(), expected.len(), "{what:?}");
    for (at, (found, expected)) in found.into_iter().zip(expected).enumerate() {
        let same = match found {
            Scalar::Float(found) => found == *expected as f64,
            found => found.as_i64() == *expected,
        };
        assert!(same, "{what:?}: element {at} is {found}, not {expected}");
    }
}

#[test]
fn maps_through_every_layout() {
    let e = engine();
    for size in sizes(kernels::PROGRAM, 200_000) {
        for dtype in types(size) {
            let (a, b) = (numbers(2 * size, *dtype), numbers(size, *dtype));
            let wide = tensor(&e, &a, &[2 * size], *dtype);
            let y = tensor(&e, &b, &[size], *dtype);
            let one = tensor(&e, &[1], &[1], *dtype);
            let ways = [
                ("dense", e.narrow(&wide, 0, 0, size, 1), a[..size].to_vec()),
                ("stepped", e.narrow(&wide, 0, 0, size, 2), a.iter().step_by(2).copied().collect()),
                (
                    "reversed",
                    e.narrow(&wide, 0, 0, size, 1).and_then(|x| e.flip(&x, None)),
                    a[..size].iter().rev().copied().collect(),
                ),
                ("broadcast", e.broadcast_to(&one, &[size].into()), vec![1; size]),
            ];
            for (way, x, plain) in ways {
                let (x, what) = (x.unwrap(), (way, size, dtype));
                let sum = e.binary(BinaryOp::Max, e.binary(BinaryOp::Mul, &x, &y).unwrap(), &x);
                let pairs = || plain.iter().zip(&b);
                let expected: Vec<i64> = pairs().map(|(x, y)| (x * y).max(*x)).collect();
                check(&e, &sum.unwrap(), &expected, &what);
                let less = e.compare(CompareOp::Lt, &x, &y).unwrap();
                let expected: Vec<i64> = pairs().map(|(x, y)| i64::from(x < y)).collect();
                check(&e, &less, &expected, &what);
                let chosen = e.select(&less, &x, &y).unwrap();
                let expected: Vec<i64> = pairs().map(|(x, y)| *x.min(y)).collect();
                check(&e, &chosen, &expected, &what);
            }
        }
    }
}

/// What an integer type keeps of a number, as the bits of an int64.
fn wrapped(x: i64, dtype: DType) -> i64 {
    let gone = || 64 - 8 * dtype.size() as u32;
    match dtype.kind() {
        Kind::Bool => i64::from(x != 0),
        Kind::Unsigned => ((x as u64) << gone() >> gone()) as i64,
        Kind::Signed => x << gone() >> gone(),
        Kind::Float | Kind::Complex => x,
    }
}

/// Results that go past the caches, copies and fills that look at Ctrl-C, and elements that come from the host.
#[test]
fn what_is_too_large_for_caches() {
    let e = engine();
    let around = |bytes: &usize, dtype: DType| {
        let at = bytes / dtype.size();
        [at - 1, at, at + 1]
    };
    for bytes in kernels::BYTES {
        for (dtype, size) in [DType::F32, DType::F64]
            .into_iter()
            .flat_map(|dtype| around(bytes, dtype).map(|size| (dtype, size)))
        {
            let x = e.arange(Scalar::Int(0), Scalar::Int(size as i64), Scalar::Int(1), Some(dtype));
            let x = x.and_then(|x| e.copy(&x)).unwrap();
            let twice = e.binary(BinaryOp::Add, &x, &x).unwrap();
            let filled = e.copy(&e.full(&[size].into(), Scalar::Int(3), dtype).unwrap()).unwrap();
            e.realize(&[&x, &twice, &filled]).unwrap();
            let moved = e.from_host(&e.to_host(&twice).unwrap()).unwrap();
            // 0 to n, twice: exact in float32 up to two to the power of 24.
            let wrong = [
                e.compare(CompareOp::Ne, &moved, &twice),
                e.compare(CompareOp::Ne, &filled, Scalar::Int(3)),
                e.compare(CompareOp::Ne, e.binary(BinaryOp::Sub, &twice, &x).unwrap(), &x),
            ];
            for wrong in wrong {
                let count =
                    e.reduce(Reduction::CountNonzero, &wrong.unwrap(), None, false).unwrap();
                assert_eq!(e.item(&count).unwrap().as_i64(), 0, "{size} of {dtype}");
            }
            for at in [0, 1, size / 2, size - 2, size - 1] {
                let found = e.item(&e.narrow(&moved, 0, at, 1, 1).unwrap()).unwrap();
                assert_eq!(found.as_f64(), 2.0 * at as f64, "{size} of {dtype}");
            }
        }
    }
}

#[test]
fn conversions_between_all_types() {
    let e = engine();
    for size in sizes(&[8, 16, 32, 64, 1_024], 3_000) {
        for from in DType::ALL {
            let plain = numbers(size, from);
            let x = tensor(&e, &plain, &[size], from);
            for to in DType::ALL {
                let expected: Vec<i64> = match to.kind() {
                    Kind::Bool => plain.iter().map(|x| i64::from(*x != 0)).collect(),
                    Kind::Unsigned => plain.iter().map(|x| wrapped(*x, to)).collect(),
                    Kind::Signed | Kind::Float | Kind::Complex => plain.clone(),
                };
                check(&e, &e.cast(&x, to).unwrap(), &expected, &(size, from, to));
            }
        }
    }
}

/// Lines along the middle axis of (outer, size, inner), one after the other.
fn lines(values: &[i64], [outer, size, inner]: [usize; 3]) -> Vec<Vec<i64>> {
    let line = |o: usize, i: usize| -> Vec<i64> {
        (0..size).map(|at| values[(o * size + at) * inner + i]).collect()
    };
    let places = (0..outer).flat_map(|o| (0..inner).map(move |i| (o, i)));
    places.map(|(o, i)| line(o, i)).collect()
}

/// Lines put back along the middle axis.
fn woven(lines: &[Vec<i64>], [outer, size, inner]: [usize; 3]) -> Vec<i64> {
    let at = |o: usize, at: usize, i: usize| lines[o * inner + i][at];
    let mut all = Vec::with_capacity(outer * size * inner);
    for o in 0..outer {
        (0..size).for_each(|s| all.extend((0..inner).map(|i| at(o, s, i))));
    }
    all
}

const FORMS: [[usize; 2]; 4] = [[1, 1], [3, 1], [1, 3], [2, 3]];

fn place(line: &[i64], better: fn(i64, i64) -> bool) -> i64 {
    let first = |best: usize, at: usize| if better(line[at], line[best]) { at } else { best };
    (0..line.len()).fold(0, first) as i64
}

/// How two elements become one.
type Join = fn(i64, i64) -> i64;

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

#[test]
fn folds_along_every_axis() {
    let e = engine();
    for size in sizes(kernels::PROGRAM, 140_000) {
        for dtype in types(size) {
            for [outer, inner] in FORMS {
                let dims = [outer, size, inner];
                let mut plain = numbers(outer * size * inner, *dtype);
                if let Some(last) = plain.last_mut() {
                    // The only extreme is where a remainder is folded.
                    *last = if *dtype == DType::Bool { 1 } else { 3 };
                }
                let x = tensor(&e, &plain, &dims, *dtype);
                let all = lines(&plain, dims);
                let check_fold = |op: Reduction, fold: &dyn Fn(&[i64]) -> i64| {
                    let found = e.reduce(op, &x, Some(&[1]), false).unwrap();
                    let expected: Vec<i64> = all.iter().map(|line| fold(line)).collect();
                    check(&e, &found, &expected, &(op, dims, dtype));
                };
                check_fold(Reduction::Sum, &|line| line.iter().sum());
                check_fold(Reduction::CountNonzero, &|line| {
                    line.iter().filter(|x| **x != 0).count() as i64
                });
                check_fold(Reduction::Any, &|line| i64::from(line.iter().any(|x| *x != 0)));
                if size > 0 {
                    let joins: [(BinaryOp, Join); 4] = [
                        (BinaryOp::BitAnd, |a, b| a & b),
                        (BinaryOp::BitOr, |a, b| a | b),
                        (BinaryOp::BitXor, |a, b| a ^ b),
                        (BinaryOp::Gcd, gcd),
                    ];
                    for (op, join) in joins {
                        let fold = Reduction::joined(op, *dtype).filter(|_| dtype.is_integer());
                        let Some(fold) = fold else { continue };
                        // A divisor has no sign, also that of a single number.
                        let positive = |x: i64| if op == BinaryOp::Gcd { x.abs() } else { x };
                        check_fold(fold, &|line| {
                            positive(line.iter().copied().reduce(join).unwrap())
                        });
                    }
                }
                if size > 0 {
                    check_fold(Reduction::Max, &|line| *line.iter().max().unwrap());
                    check_fold(Reduction::Min, &|line| *line.iter().min().unwrap());
                    check_fold(Reduction::ArgMax, &|line| place(line, |a, b| a > b));
                    check_fold(Reduction::ArgMin, &|line| place(line, |a, b| a < b));
                }
            }
        }
    }
}

#[test]
fn scans_along_every_axis() {
    let e = engine();
    for size in sizes(kernels::SCAN, 70_000) {
        for dtype in types(size) {
            for [outer, inner] in FORMS {
                let dims = [outer, size, inner];
                let plain = numbers(outer * size * inner, *dtype);
                let x = tensor(&e, &plain, &dims, *dtype);
                let running = |step: fn(i64, i64) -> i64| -> Vec<i64> {
                    let run = |line: Vec<i64>| -> Vec<i64> {
                        let mut so_far = None;
                        let next = |x: i64| {
                            so_far = Some(so_far.map_or(x, |before| step(before, x)));
                            so_far.unwrap_or(x)
                        };
                        line.into_iter().map(next).collect()
                    };
                    woven(
                        &lines(&plain, dims).into_iter().map(run).collect::<Vec<Vec<i64>>>(),
                        dims,
                    )
                };
                let what = (dims, dtype);
                let largest = e.scan(ScanOp::Max, &x, Some(1), None).unwrap();
                check(&e, &largest, &running(i64::max), &what);
                let smallest = e.scan(ScanOp::Min, &x, Some(1), None).unwrap();
                check(&e, &smallest, &running(i64::min), &what);
                let sums = e.scan(ScanOp::Sum, &x, Some(1), None).unwrap();
                check(&e, &sums, &running(|a, b| a + b), &what);
                let products = e.scan(ScanOp::Prod, &x, Some(1), None).unwrap();
                check(&e, &products, &running(|a, b| a * b), &what);
            }
        }
    }
}

/// The places of whole numbers in their order, equal ones as they stand: by counting.
fn counted(row: &[i64]) -> Vec<usize> {
    let low = row.iter().copied().min().unwrap_or(0);
    let slots = row.iter().map(|x| (x - low) as usize + 1).max().unwrap_or(0);
    let mut next = vec![0; slots + 1];
    row.iter().for_each(|x| next[(x - low) as usize + 1] += 1);
    (0..slots).for_each(|slot| next[slot + 1] += next[slot]);
    let mut order = vec![0; row.len()];
    for (at, x) in row.iter().enumerate() {
        let place = &mut next[(x - low) as usize];
        order[*place] = at;
        *place += 1;
    }
    order
}

#[test]
fn order_of_rows() {
    let e = engine();
    for size in sizes(&[kernels::SORT, kernels::QUICK, kernels::SEARCH].concat(), 600_000) {
        // The counterpart sorts by comparisons: large rows of one type of each width will do.
        let few: &[DType] = match size > 40_000 {
            true => &[DType::F32, DType::I64, DType::U8],
            false => types(size),
        };
        for dtype in few {
            let rows = if size > 40_000 { 1 } else { 2 };
            let mut plain = numbers(rows * size, *dtype);
            if matches!(dtype, DType::F32 | DType::F64 | DType::I32 | DType::I64) {
                plain
                    .iter_mut()
                    .enumerate()
                    .for_each(|(at, x)| *x = (at * 7_919 % 99_991) as i64 / 3);
            }
            let (x, what) = (tensor(&e, &plain, &[rows, size], *dtype), (size, dtype));
            let (mut values, mut places) = (Vec::new(), Vec::new());
            for row in plain.chunks(size.max(1)) {
                let order = counted(row);
                values.extend(order.iter().map(|at| row[*at]));
                places.extend(order.iter().map(|at| *at as i64));
            }
            check(&e, &e.sort(&x, -1, false).unwrap(), &values, &what);
            check(&e, &e.argsort(&x, -1, false).unwrap(), &places, &what);
            let few = size.min(3);
            let (smallest, _) = e.topk(&x, few, -1, false).unwrap();
            let heads: Vec<i64> =
                values.chunks(size.max(1)).flat_map(|row| row[..few].to_vec()).collect();
            check(&e, &smallest, &heads, &what);
            let mut distinct: Vec<i64> = counted(&plain).iter().map(|at| plain[*at]).collect();
            let row = tensor(&e, &distinct, &[distinct.len()], *dtype);
            let wanted = numbers(100, *dtype);
            let probe = tensor(&e, &wanted, &[100], *dtype);
            for right in [false, true] {
                let is_before = |x: i64, y: i64| if right { x <= y } else { x < y };
                let expected: Vec<i64> = wanted
                    .iter()
                    .map(|y| distinct.partition_point(|x| is_before(*x, *y)) as i64)
                    .collect();
                check(&e, &e.searchsorted(&row, &probe, right).unwrap(), &expected, &what);
            }
            distinct.dedup();
            check(&e, &e.unique(&x, true).unwrap(), &distinct, &what);
        }
    }
}

#[test]
fn what_a_mask_selects() {
    let e = engine();
    for size in sizes(kernels::COMPRESS, 140_000) {
        for dtype in types(size) {
            for rows in [1, 3] {
                let plain = numbers(rows * size, *dtype);
                let (x, what) = (tensor(&e, &plain, &[rows, size], *dtype), (rows, size, dtype));
                let mask = e.compare(CompareOp::Gt, &x, Scalar::Int(0)).unwrap();
                let kept: Vec<i64> = plain.iter().copied().filter(|x| *x > 0).collect();
                let index = [IndexItem::Tensor(mask.clone())];
                check(&e, &e.index(&x, &index).unwrap(), &kept, &what);
                let places: Vec<usize> = (0..plain.len()).filter(|at| plain[*at] > 0).collect();
                let found = e.nonzero(&mask).unwrap();
                let along = |f: &dyn Fn(usize) -> usize| -> Vec<i64> {
                    places.iter().map(|at| f(*at) as i64).collect()
                };
                check(&e, &found[0], &along(&|at| at / size), &what);
                check(&e, &found[1], &along(&|at| at % size), &what);
            }
        }
    }
}

#[test]
fn gathers_and_scatters() {
    let e = engine();
    let mut around = sizes(kernels::PROGRAM, 70_000);
    around.extend(sizes(kernels::SCATTER, 530_000));
    for size in around {
        let some: &[DType] = match size > MODEST {
            true => &[DType::F32, DType::I64],
            false => types(size),
        };
        for dtype in some {
            let what = (size, dtype);
            let plain = numbers(size, *dtype);
            let places: Vec<i64> = (0..size).map(|at| (at * 7_919 % size) as i64).collect();
            let x = tensor(&e, &plain, &[size], *dtype);
            let index = [IndexItem::Tensor(tensor(&e, &places, &[size], DType::I64))];
            let expected: Vec<i64> = places.iter().map(|at| plain[*at as usize]).collect();
            check(&e, &e.index(&x, &index).unwrap(), &expected, &what);
            let zeros = || tensor(&e, &vec![0; size], &[size], *dtype);
            let (written, added, mut sums) = (zeros(), zeros(), vec![0; size]);
            let mut last = sums.clone();
            for (at, value) in places.iter().zip(&plain) {
                last[*at as usize] = *value;
            }
            e.assign(&written, &index, &x).unwrap();
            check(&e, &written, &last, &what);
            if *dtype == DType::Bool {
                continue;
            }
            // Few places, each met often.
            let few: Vec<i64> = (0..size).map(|at| (at % size.min(7)) as i64).collect();
            let index = [IndexItem::Tensor(tensor(&e, &few, &[size], DType::I64))];
            few.iter().zip(&plain).for_each(|(at, value)| sums[*at as usize] += value);
            sums.iter_mut().for_each(|sum| *sum = wrapped(*sum, *dtype));
            let fits = sums.iter().all(|sum| sum.abs() < 128);
            if fits || dtype.size() >= 4 || !dtype.is_float() {
                e.scatter(ScatterOp::Add, &added, &index, &x).unwrap();
                check(&e, &added, &sums, &what);
            }
        }
    }
}

#[test]
fn rows_are_gathered_whole() {
    let e = engine();
    for width in sizes(kernels::PROGRAM, 4_100) {
        for dtype in types(width) {
            let (plain, rows) = (numbers(9 * width, *dtype), [8, 0, 0, 5, 3, 1, 8]);
            let x = tensor(&e, &plain, &[9, width], *dtype);
            let index = [IndexItem::Tensor(tensor(&e, &rows, &[7], DType::I64))];
            let row = |at: &i64| plain[*at as usize * width..][..width].to_vec();
            let expected: Vec<i64> = rows.iter().flat_map(row).collect();
            check(&e, &e.index(&x, &index).unwrap(), &expected, &(width, dtype));
        }
    }
}

#[test]
fn rows_are_scattered_whole() {
    let e = engine();
    for width in sizes(kernels::PROGRAM, 4_100) {
        for dtype in types(width).iter().filter(|dtype| **dtype != DType::Bool) {
            let (plain, rows) = (numbers(7 * width, *dtype), [8, 0, 0, 5, 3, 1, 8]);
            let values = tensor(&e, &plain, &[7, width], *dtype);
            let index = [IndexItem::Tensor(tensor(&e, &rows, &[7], DType::I64))];
            let mut sums = vec![0; 9 * width];
            for (at, row) in rows.iter().enumerate() {
                let to = &mut sums[*row as usize * width..][..width];
                to.iter_mut().zip(&plain[at * width..]).for_each(|(sum, x)| *sum += x);
            }
            let target = tensor(&e, &vec![0; 9 * width], &[9, width], *dtype);
            e.scatter(ScatterOp::Add, &target, &index, &values).unwrap();
            check(&e, &target, &sums, &(width, dtype));
        }
    }
}

#[test]
fn transposed_copies_and_joins() {
    let e = engine();
    let lengths = sizes(&[8, 16, 32, 64], 129);
    for (rows, columns) in lengths.iter().flat_map(|a| lengths.iter().map(move |b| (*a, *b))) {
        // A type of each width.
        for dtype in [DType::U8, DType::F16, DType::F32, DType::F64] {
            let plain = numbers(rows * columns, dtype);
            let x = tensor(&e, &plain, &[rows, columns], dtype);
            let turned = e.transpose(&x).unwrap();
            let row = |c: usize| (0..rows).map(|r| plain[r * columns + c]).collect::<Vec<_>>();
            let expected: Vec<i64> = (0..columns).flat_map(row).collect();
            check(&e, &e.copy(&turned).unwrap(), &expected, &(rows, columns, dtype));
            let both = e.concatenate(&[turned.clone(), turned], 0).unwrap();
            check(&e, &both, &[&expected[..], &expected].concat(), &(rows, columns, dtype));
        }
    }
}

#[test]
fn random_numbers_do_not_depend_on_how_many_are_asked_for() {
    let e = engine();
    let kinds = [RandomKind::Uniform, RandomKind::Normal, RandomKind::Integer { low: -3, high: 4 }];
    for kind in kinds {
        for dtype in DType::STORED {
            let is_whole = matches!(kind, RandomKind::Integer { .. });
            if is_whole == dtype.is_float() || dtype == DType::Bool {
                continue;
            }
            let draw = |size: usize| {
                e.seed(5);
                e.to_host(&e.random(kind, &Shape::from([size]), dtype).unwrap()).unwrap().bytes
            };
            let most = draw(70_000);
            for size in sizes(kernels::RANDOM, 70_000) {
                assert!(most.starts_with(&draw(size)), "{size} of {kind:?} as {dtype}");
            }
        }
    }
}
