//! What each factorisation promises, on both sides of the sizes at which it goes another way; its bits,
//! with one, two and five threads; what is wrong with a matrix.

use super::super::tests::engine;
use super::super::{BinaryOp, Reduction, UnaryOp};
use super::*;
use crate::device::cpu::thresholds::FACTORISE;
use crate::device::cpu::trials::with_threads;
use crate::device::{RandomKind, View};
use crate::dtype::Scalar;

const TYPES: [DType; 2] = [DType::F32, DType::F64];

/// One, two and three, and sides around each threshold.
fn sizes(largest: usize) -> Vec<usize> {
    let around = FACTORISE.iter().flat_map(|at| [at - 1, *at, at + 1]);
    let mut sizes: Vec<usize> = [1, 2, 3].into_iter().chain(around).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes.retain(|size| *size <= largest);
    sizes
}

fn random(e: &Engine, shape: &[usize], dtype: DType) -> Tensor {
    e.seed(shape.iter().sum::<usize>() as u64);
    let x = e.random(RandomKind::Normal, &shape.into(), dtype).unwrap();
    e.realize(&[&x]).unwrap();
    x
}

fn turned(e: &Engine, x: &Tensor) -> Tensor {
    e.swapaxes(x, -1, -2).unwrap()
}

fn unit(e: &Engine, n: usize, dtype: DType) -> Tensor {
    let shape = [n, n].into();
    let (row, column) = (e.iota(&shape, 0).unwrap(), e.iota(&shape, 1).unwrap());
    e.cast(&e.compare(crate::ir::CompareOp::Eq, &row, &column).unwrap(), dtype).unwrap()
}

fn largest(e: &Engine, x: &Tensor) -> f64 {
    if x.elem_count() == 0 {
        return 0.0;
    }
    let size = e.unary(UnaryOp::Abs, x).unwrap();
    e.item(&e.reduce(Reduction::Max, &size, None, false).unwrap()).unwrap().as_f64()
}

/// That `a @ b` is `c`, as exactly as the sizes of all of them let one expect.
#[track_caller]
fn check(e: &Engine, a: &Tensor, b: &Tensor, c: &Tensor, what: &dyn std::fmt::Debug) {
    let product = e.matmul(a, b).unwrap();
    let off = largest(e, &e.binary(BinaryOp::Sub, &product, c).unwrap());
    let eps = if a.dtype() == DType::F32 { f64::from(f32::EPSILON) } else { f64::EPSILON };
    let depth = a.shape()[a.rank() - 1].max(1) as f64;
    let limit = 8.0 * eps * depth * (largest(e, a) * largest(e, b)).max(1.0);
    assert!(off <= limit, "{what:?}: off by {off:.1e}, at most {limit:.1e} expected");
}

/// That columns are orthonormal.
#[track_caller]
fn check_columns(e: &Engine, q: &Tensor, what: &dyn std::fmt::Debug) {
    let n = q.shape()[q.rank() - 1];
    let one = unit(e, n, q.dtype());
    let wide = e.broadcast_to(&one, &with(q, &[n, n])).unwrap();
    check(e, &turned(e, q), q, &wide, &("orthonormal", what));
}

fn with(x: &Tensor, axes: &[usize]) -> Shape {
    x.shape()[..x.rank() - 2].iter().chain(axes).copied().collect()
}

fn diagonal(e: &Engine, values: &Tensor) -> Tensor {
    let n = values.shape()[values.rank() - 1];
    let rows = e.expand_dims(values, &[-2]).unwrap();
    e.binary(BinaryOp::Mul, unit(e, n, values.dtype()), &rows).unwrap()
}

fn shapes(n: usize) -> Vec<Vec<usize>> {
    if n > 60 { vec![vec![n, n]] } else { vec![vec![n, n], vec![2, 2, n, n], vec![0, n, n]] }
}

#[test]
fn systems_are_solved() {
    let e = engine();
    sizes(300).into_iter().for_each(|n| check_systems(&e, n));
}

fn check_systems(e: &Engine, n: usize) {
    for dtype in TYPES {
        for shape in shapes(n) {
            let what = (&shape, dtype);
            let a = random(e, &shape, dtype);
            let b = random(e, &[&shape[..shape.len() - 1], &[3]].concat(), dtype);
            let parts = e.lu(&a).unwrap();
            // A matrix that is far from singular: the solution is as exact as the product.
            let far = e
                .binary(BinaryOp::Add, &a, diagonal(e, &random_row(e, &a, 3.0 * n as f64)))
                .unwrap();
            check(e, &far, &e.solve(&far, &b).unwrap(), &b, &("solve", what));
            // The rows in their new order are the product of the triangles.
            let below = triangle(e, &parts.lu, false, true);
            let above = triangle(e, &parts.lu, true, false);
            let order = e.expand_dims(&parts.order, &[-1]).unwrap();
            let moved = rows_in_order(e, &a, &order);
            check(e, &below, &above, &moved, &("lu", what));
            for upper in [false, true] {
                let x = e.solve_triangular(&far, &b, upper, false).unwrap();
                check(e, &triangle(e, &far, upper, false), &x, &b, &("triangle", upper, what));
                // The rest is small: where ones stand on the diagonal, nothing grows.
                let less = e.binary(BinaryOp::Mul, &far, Scalar::Float(0.1 / n as f64)).unwrap();
                let x = e.solve_triangular(&less, &b, upper, true).unwrap();
                let half = triangle(e, &less, upper, true);
                check(e, &half, &x, &b, &("triangle of ones", upper, what));
            }
            let gram = e.matmul(&a, &turned(e, &a)).unwrap();
            let gram =
                e.binary(BinaryOp::Add, &gram, diagonal(e, &random_row(e, &a, n as f64))).unwrap();
            let lower = e.cholesky(&gram, false).unwrap();
            check(e, &lower, &turned(e, &lower), &gram, &("cholesky", what));
            let upper = e.cholesky(&gram, true).unwrap();
            check(e, &turned(e, &upper), &upper, &gram, &("cholesky, upper", what));
        }
    }
}

/// Ones times a number, one for each row of a stack's matrices.
fn random_row(e: &Engine, like: &Tensor, value: f64) -> Tensor {
    let shape: Shape = like.shape()[..like.rank() - 1].into();
    e.full(&shape, Scalar::Float(value), like.dtype()).unwrap()
}

fn rows_in_order(e: &Engine, a: &Tensor, order: &Tensor) -> Tensor {
    // A row of the unit matrix for each place: the permutation as a product.
    let n = a.shape()[a.rank() - 2];
    let columns = e.iota(&[n, n].into(), 1).unwrap();
    let moves = e.compare(crate::ir::CompareOp::Eq, order, &columns).unwrap();
    e.matmul(&e.cast(&moves, a.dtype()).unwrap(), a).unwrap()
}

/// One triangle of square matrices, zero elsewhere.
fn triangle(e: &Engine, a: &Tensor, upper: bool, unit_diagonal: bool) -> Tensor {
    let n = a.shape()[a.rank() - 1];
    let (row, column) = (e.iota(&[n, n].into(), 0).unwrap(), e.iota(&[n, n].into(), 1).unwrap());
    let op = match (upper, unit_diagonal) {
        (true, false) => crate::ir::CompareOp::Ge,
        (true, true) => crate::ir::CompareOp::Gt,
        (false, false) => crate::ir::CompareOp::Le,
        (false, true) => crate::ir::CompareOp::Lt,
    };
    let mask = e.compare(op, &column, &row).unwrap();
    let half = e.select(&mask, a, Scalar::Int(0)).unwrap();
    if !unit_diagonal {
        return half;
    }
    e.binary(BinaryOp::Add, &half, unit(e, n, a.dtype())).unwrap()
}

#[test]
fn columns_are_orthonormal_and_products_hold() {
    let e = engine();
    sizes(260).into_iter().for_each(|n| {
        [n + 5, 2 * n + 1].into_iter().for_each(|long| check_columns_of(&e, n, long))
    });
}

/// Of square matrices of n rows, and of others with a side of `long`.
fn check_columns_of(e: &Engine, n: usize, long: usize) {
    for dtype in TYPES {
        let mut all = shapes(n);
        all.extend([vec![n, long], vec![long, n]]);
        for shape in all {
            let what = (&shape, dtype);
            let a = random(e, &shape, dtype);
            let [m, n] = sides(&a).unwrap();
            for complete in [false, true] {
                let parts = e.qr(&a, complete, true).unwrap();
                check(e, &parts[0], &parts[1], &a, &("qr", complete, what));
                check_columns(e, &parts[0], &("qr", complete, what));
                let alone = e.qr(&a, complete, false).unwrap();
                assert_eq!(bytes(e, &alone[0]), bytes(e, &parts[1]));
            }
            for full in [false, true] {
                let parts = e.svd(&a, Some(full)).unwrap();
                check_columns(e, &parts[0], &("u", full, what));
                check_columns(e, &turned(e, &parts[2]), &("vh", full, what));
                let k = m.min(n);
                let u = e.narrow(&parts[0], a.rank() - 1, 0, k, 1).unwrap();
                let vh = e.narrow(&parts[2], a.rank() - 2, 0, k, 1).unwrap();
                let scaled = e.matmul(&u, &diagonal(e, &parts[1])).unwrap();
                check(e, &scaled, &vh, &a, &("svd", full, what));
            }
            if m == n {
                let both = e.binary(BinaryOp::Add, &a, turned(e, &a)).unwrap();
                for upper in [false, true] {
                    let parts = e.eigh(&triangle(e, &both, upper, false), upper, true).unwrap();
                    check_columns(e, &parts[1], &("eigh", upper, what));
                    let right = e.matmul(&parts[1], &diagonal(e, &parts[0])).unwrap();
                    check(e, &both, &parts[1], &right, &("eigh", upper, what));
                }
            }
        }
    }
}

fn bytes(e: &Engine, x: &Tensor) -> Vec<u8> {
    e.to_host(x).unwrap().bytes
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let sides_of = [3, 40, 257, 300];
    let data: Vec<(usize, DType)> =
        sides_of.iter().flat_map(|n| TYPES.map(|dtype| (*n, dtype))).collect();
    for (n, dtype) in data {
        with_threads(|| {
            let e = engine();
            let shape = if n < 50 { vec![40, n, n] } else { vec![n, n] };
            let a = random(&e, &shape, dtype);
            let both = e.binary(BinaryOp::Add, &a, turned(&e, &a)).unwrap();
            let mut found = vec![e.solve(&a, &both).unwrap(), e.lu(&a).unwrap().lu];
            found.extend(e.qr(&a, false, true).unwrap());
            found.extend(e.eigh(&both, false, true).unwrap());
            found.extend(e.svd(&a, Some(true)).unwrap());
            found.extend(e.svd(&a, None).unwrap());
            if n < 100 {
                found.extend(e.eig(&a, true).unwrap());
            }
            found.iter().map(|x| bytes(&e, x)).collect::<Vec<_>>()
        });
    }
}

#[test]
fn a_flaw_says_which_of_the_stack() {
    let e = engine();
    let ones = e.full(&[2, 2].into(), Scalar::Float(1.0), DType::F64).unwrap();
    let error = e.solve(&ones, &ones).unwrap_err();
    assert_eq!(error.to_string(), "Singular matrix");
    let row = e.iota(&[2, 3, 1, 1].into(), 1).unwrap();
    let is_last = e.compare(crate::ir::CompareOp::Eq, &row, Scalar::Int(2)).unwrap();
    let stack = e.select(&is_last, &ones, unit(&e, 2, DType::F64)).unwrap();
    let error = e.solve(&stack, &ones).unwrap_err();
    assert_eq!(error.to_string(), "Singular matrix (0, 2) of the stack");
    let minus = e.unary(UnaryOp::Neg, &stack).unwrap();
    let error = e.cholesky(&minus, false).unwrap_err();
    assert_eq!(error.to_string(), "Matrix is not positive definite (0, 0) of the stack");
    let zero = e.full(&[20, 20].into(), Scalar::Float(0.0), DType::F64).unwrap();
    let parts = e.lu(&zero).unwrap();
    assert_eq!(largest(&e, &parts.lu), 0.0, "a matrix without pivots stays as it is");
}

#[test]
fn ctrl_c_is_heard_between_matrices() {
    let e = engine();
    let a = random(&e, &[4, 3, 3], DType::F64);
    e.interrupt().raise();
    let leaf = a.leaf().unwrap();
    let out = e.fresh(&a, a.shape(), DType::F64, Provenance::TEMPORARY).unwrap();
    let flaws = e.fresh(&a, &[4].into(), DType::I64, Provenance::TEMPORARY).unwrap();
    let inputs: [View<'_>; 1] = [leaf.view()];
    let what = Factorisation::Cholesky { upper: false };
    let factoriser = e.device();
    let factoriser = factoriser.backend().factoriser().unwrap();
    let error = factoriser.factorise(what, &inputs, &[out.view()], flaws.view()).unwrap_err();
    assert_eq!(error, crate::device::Error::Interrupted);
}

/// On the first GPU, where there is one.
#[cfg(feature = "cuda")]
mod cuda {
    use super::*;
    use crate::tensor::trials::on_gpus;

    /// On both sides of the widths of the parts of a warp, up to the largest matrix that one has.
    const SIDES: [usize; 11] = [0, 1, 2, 3, 4, 5, 8, 9, 17, 31, 32];

    #[test]
    fn small_systems_are_solved() {
        let Some(e) = on_gpus() else { return };
        SIDES.into_iter().for_each(|n| check_systems(&e, n));
    }

    #[test]
    fn columns_of_small_matrices_are_orthonormal() {
        let Some(e) = on_gpus() else { return };
        for (n, long) in SIDES.into_iter().flat_map(|n| [n, n + 1, 32].map(|long| (n, long))) {
            if long <= 32 {
                check_columns_of(&e, n, long);
            }
        }
    }

    #[test]
    fn larger_matrices_go_to_the_library() {
        let Some(e) = on_gpus() else { return };
        for n in [33, 40, 70] {
            check_systems(&e, n);
            check_columns_of(&e, n, n + 7);
        }
        // On both sides of where a stack is one of many small ones.
        let what = Factorisation::Lu;
        for (shape, expected) in
            [([4, 100, 100], true), ([5, 100, 100], false), ([5, 129, 129], true)]
        {
            let a = random(&e, &shape, DType::F32);
            assert_eq!(e.factorises(what, &a), expected, "{shape:?}");
        }
        let a = random(&e, &[2, 40, 0], DType::F64);
        assert!(!e.factorises(what, &a), "nothing is nobody's work");
    }

    /// A stack of square matrices, each of one number.
    fn stack(e: &Engine, values: &[f64], dtype: DType, size: usize) -> Tensor {
        let each: Vec<Scalar> = values.iter().copied().map(Scalar::Float).collect();
        let values = e.from_values(&each, &[each.len(), 1, 1].into(), DType::F64).unwrap();
        let ones = e.full(&[size, size].into(), Scalar::Float(1.0), dtype).unwrap();
        e.binary(BinaryOp::Mul, e.cast(&values, dtype).unwrap(), &ones).unwrap()
    }

    #[test]
    fn scale_and_rank_do_not_matter() {
        let Some(e) = on_gpus() else { return };
        for dtype in TYPES {
            // All elements the same: one value is other than zero, and that is known exactly.
            let ends = if dtype == DType::F32 { [1e-38, 1e36] } else { [1e-300, 1e306] };
            let values = [0.0, 1.0, -2.5, ends[0], ends[1]];
            for size in [1, 2, 3, 7, 16, 30, 40] {
                // What stands in the library's place where there is no GPU takes no squares of the ends.
                let values = if size > 32 { &values[..3] } else { &values[..] };
                let a = stack(&e, values, dtype, size);
                let parts = e.svd(&a, Some(true)).unwrap();
                check_columns(&e, &parts[0], &("u", size, dtype));
                check_columns(&e, &turned(&e, &parts[2]), &("vh", size, dtype));
                let found = e.to_host(&parts[1]).unwrap().to_scalars();
                let eigen = e.eigh(&a, false, true).unwrap();
                check_columns(&e, &eigen[1], &("eigh", size, dtype));
                let eigen = e.to_host(&eigen[0]).unwrap().to_scalars();
                for (at, value) in values.iter().enumerate() {
                    let all = |from: &[Scalar]| -> Vec<f64> {
                        from[at * size..(at + 1) * size].iter().map(|x| x.as_f64()).collect()
                    };
                    let eps = if dtype == DType::F32 { 1.2e-7 } else { 2.3e-16 };
                    let limit = 8.0 * eps * size as f64 * value.abs() * size as f64;
                    let top = value.abs() * size as f64;
                    for (number, x) in all(&found).into_iter().enumerate() {
                        let expected = if number == 0 { top } else { 0.0 };
                        assert!((x - expected).abs() <= limit, "{dtype} {size} {value}: {x}");
                    }
                    let mut sorted = vec![0.0; size];
                    sorted[if *value < 0.0 { 0 } else { size - 1 }] = value * size as f64;
                    for (x, expected) in all(&eigen).into_iter().zip(sorted) {
                        assert!((x - expected).abs() <= limit, "{dtype} {size} {value}: {x}");
                    }
                }
            }
        }
    }

    /// That vectors of length one go with their eigenvalues, whatever the size of the elements.
    fn check_general(e: &Engine, a: &[f64], n: usize, dtype: DType, power: i32) {
        let values: Vec<Scalar> = a.iter().copied().map(Scalar::Float).collect();
        let a = e.from_values(&values, &[n, n].into(), DType::F64).unwrap();
        let scale = |x: f64| Scalar::Float(x * 2f64.powi(power));
        let a = e.cast(&e.binary(BinaryOp::Mul, &a, scale(1.0)).unwrap(), dtype).unwrap();
        // Powers of two, so that they come off again without a rounding.
        let host = |x: &Tensor, by: f64| -> Vec<f64> {
            e.to_host(x).unwrap().to_scalars().iter().map(|x| x.as_f64() * by).collect()
        };
        let down = 2f64.powi(-power);
        let parts = e.eig(&a, true).unwrap();
        let (a, [re, im]) = (host(&a, down), [0, 1].map(|part| host(&parts[part], down)));
        let v = host(&parts[2], 1.0);
        let eps = if dtype == DType::F32 { 1.2e-7 } else { 2.3e-16 };
        let size = a.iter().map(|x| x * x).sum::<f64>().sqrt();
        let limit = 20.0 * eps * n as f64;
        let times = |row: usize, column: usize| -> f64 {
            (0..n).map(|k| a[row * n + k] * v[k * n + column]).sum()
        };
        let mut at = 0;
        while at < n {
            let (is_pair, what) = (im[at] != 0.0, (n, dtype, power, at));
            assert!(!is_pair || im[at] > 0.0 && im[at + 1] == -im[at], "{what:?}");
            let second = |row: usize| if is_pair { v[row * n + at + 1] } else { 0.0 };
            let length: f64 = (0..n).map(|row| v[row * n + at].powi(2) + second(row).powi(2)).sum();
            assert!((length - 1.0).abs() < limit, "{what:?}: a length of {length}");
            for row in 0..n {
                let (x, y) = (v[row * n + at], second(row));
                let mut off = (times(row, at) - (re[at] * x - im[at] * y)).abs();
                if is_pair {
                    off = off.max((times(row, at + 1) - (im[at] * x + re[at] * y)).abs());
                }
                assert!(off <= limit * size, "{what:?}: {off} in row {row}");
            }
            at += if is_pair { 2 } else { 1 };
        }
    }

    #[test]
    fn eigenvalues_of_general_matrices() {
        let Some(e) = on_gpus() else { return };
        if !e.factorises(Factorisation::Eig, &random(&e, &[2, 2], DType::F64)) {
            return;
        }
        // Without the patterns of a short period, so that no eigenvalue comes twice.
        let drawn = |n: usize| -> Vec<f64> {
            let mut state = n as u64;
            let next = |_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as f64 / (1u64 << 30) as f64 - 1.0
            };
            (0..n * n).map(next).collect()
        };
        let made = |n: usize, of: &dyn Fn(usize, usize) -> f64| -> Vec<f64> {
            (0..n * n).map(|at| of(at / n, at % n)).collect()
        };
        let is = |yes: bool| f64::from(u8::from(yes));
        let cases = [
            (1, vec![-3.0]),
            (2, vec![0.0, 1.0, -1.0, 0.0]),
            (5, drawn(5)),
            (33, drawn(33)),
            (40, drawn(40)),
            (3, made(3, &|_, _| 0.0)),
            (4, made(4, &|i, j| is(i == j))),
            // One vector for all, equal pairs, and far from normal.
            (6, made(6, &|i, j| is(i == j) + is(i + 1 == j))),
            (5, made(5, &|i, j| is(i + 1 == j))),
            (6, made(6, &|i, j| is(i == j) + is(i ^ 1 == j) * if i < j { 2.0 } else { -2.0 })),
            (8, made(8, &|i, j| if j > i { 1e4 } else { is(i == j) * i as f64 })),
        ];
        for (n, a) in &cases {
            for dtype in TYPES {
                let far = if dtype == DType::F32 { [-100, 100] } else { [-900, 900] };
                for power in [0, far[0], far[1]] {
                    check_general(&e, a, *n, dtype, power);
                }
            }
        }
        let a = stack(&e, &[1.0, f64::NAN, 2.0], DType::F64, 3);
        let error = e.eig(&a, false).unwrap_err();
        assert_eq!(error.to_string(), "Eigenvalues did not converge (1,) of the stack");
        let a = stack(&e, &[1.0, -2.0], DType::F32, 2);
        assert_eq!(e.eig(&a, false).unwrap().len(), 2);
    }

    #[test]
    fn a_flaw_says_which_of_the_stack() {
        let Some(e) = on_gpus() else { return };
        let unit = unit(&e, 3, DType::F64);
        let values = [1.0, f64::NAN, f64::INFINITY];
        let a = e.binary(BinaryOp::Mul, stack(&e, &values, DType::F64, 3), &unit).unwrap();
        let error = e.svd(&a, None).unwrap_err();
        assert_eq!(error.to_string(), "SVD did not converge (1,) of the stack");
        let error = e.eigh(&a, true, true).unwrap_err();
        assert_eq!(error.to_string(), "Eigenvalues did not converge (1,) of the stack");
        let a = stack(&e, &[0.0, -1.0], DType::F32, 2);
        let error = e.cholesky(&a, true).unwrap_err();
        assert_eq!(error.to_string(), "Matrix is not positive definite (0,) of the stack");
        let error = e.solve(&a, &a).unwrap_err();
        assert_eq!(error.to_string(), "Singular matrix (0,) of the stack");
        let a = stack(&e, &[0.0, 1.0], DType::F64, 40);
        let error = e.solve(&a, &a).unwrap_err();
        assert_eq!(error.to_string(), "Singular matrix (0,) of the stack");
        let a = stack(&e, &[1.0, f64::NAN], DType::F64, 40);
        let error = e.eigh(&a, false, false).unwrap_err();
        assert_eq!(error.to_string(), "Eigenvalues did not converge (1,) of the stack");
        let error = e.svd(&a, Some(false)).unwrap_err();
        assert_eq!(error.to_string(), "SVD did not converge (1,) of the stack");
    }
}
