//! Matrix products on both sides of the places where they are cut in other ways.

use super::*;

#[test]
fn products_of_every_form() {
    let e = engine();
    let one = |dtype: DType, [rows, depth, columns]: [usize; 3]| {
        let (a, b) = (numbers(rows * depth, dtype), numbers(depth * columns, dtype));
        let x = tensor(&e, &a, &[rows, depth], dtype);
        let y = tensor(&e, &b, &[depth, columns], dtype);
        let mut expected = vec![0; rows * columns];
        for row in 0..rows {
            for at in 0..depth {
                let factor = a[row * depth + at];
                let (line, sums) = (&b[at * columns..], &mut expected[row * columns..]);
                sums[..columns].iter_mut().zip(line).for_each(|(sum, y)| *sum += factor * y);
            }
        }
        expected.iter_mut().for_each(|sum| match dtype {
            // Larger numbers would be rounded.
            DType::F16 | DType::BF16 => *sum = (*sum).clamp(-256, 256),
            _ => *sum = wrapped(*sum, dtype),
        });
        let what = (dtype, rows, depth, columns);
        let mut found = e.matmul(&x, &y).unwrap();
        if matches!(dtype, DType::F16 | DType::BF16) {
            found = e.binary(BinaryOp::Max, &found, Scalar::Int(-256)).unwrap();
            found = e.binary(BinaryOp::Min, &found, Scalar::Int(256)).unwrap();
        }
        check(&e, &found, &expected, &what);
        // The left one as the transposed view of a copy.
        let turned = e.transpose(&e.copy(&e.transpose(&x).unwrap()).unwrap()).unwrap();
        if !matches!(dtype, DType::F16 | DType::BF16) {
            check(&e, &e.matmul(&turned, &y).unwrap(), &expected, &what);
        }
    };
    for n in sizes(kernels::MATMUL, 1_100) {
        let dtypes = if n > 70 { &USUAL[..] } else { &DType::ALL[..] };
        for dtype in dtypes {
            for sizes in [
                [1, n, 1],
                [n, 1, 1],
                [1, 1, n],
                [n, 3, 1],
                [1, 3, n],
                [3, n, 2],
                [n, 0, n.min(5)],
                [5, 2, n],
            ] {
                one(*dtype, sizes);
            }
        }
    }
    // Few long sums, each cut in parts.
    #[cfg(feature = "simd")]
    for rows in [kernels::FEW - 1, kernels::FEW, kernels::FEW + 1] {
        for depth in [kernels::LONG - 1, kernels::LONG, kernels::LONG + 1] {
            one(DType::F32, [rows, depth, 1]);
            one(DType::F64, [1, depth, rows]);
        }
    }
    for depth in sizes(kernels::MATMUL_LONG, (4 << 20) + 1) {
        let few: &[DType] = match depth > 300_000 {
            true => &[DType::F32],
            false => &[DType::F32, DType::F64, DType::I64],
        };
        for dtype in few.iter().copied() {
            one(dtype, [1, depth, 1]);
            if depth < 300_000 {
                one(dtype, [2, depth, 1]);
                one(dtype, [1, depth, 2]);
                one(dtype, [1, 2, depth]);
                one(dtype, [depth, 2, 1]);
            }
        }
    }
}

/// Work that is cut into tiles: the right side is a column times a row, so that each result is a sum of the
/// left side's row times a number.
#[cfg(feature = "simd")]
#[test]
fn products_of_many_tiles() {
    let e = engine();
    let [depth, columns] = [kernels::TILE_DEPTH, kernels::TILE_COLUMNS].map(|side| side + 1);
    let (u, v) = (numbers(depth, DType::F32), numbers(columns, DType::F32));
    let [tall, wide] = [(&u, [depth, 1]), (&v, [1, columns])];
    let y = tensor(&e, tall.0, &tall.1, DType::F32);
    let y = e.binary(BinaryOp::Mul, &y, tensor(&e, wide.0, &wide.1, DType::F32)).unwrap();
    let least = kernels::TILE / depth / columns;
    for rows in [least - 1, least + 1, 2 * least + 1] {
        let a = numbers(rows * depth, DType::F32);
        let x = tensor(&e, &a, &[rows, depth], DType::F32);
        let sum = |row: &[i64]| row.iter().zip(&u).map(|(x, y)| x * y).sum::<i64>();
        let sums: Vec<i64> = a.chunks(depth).map(sum).collect();
        let expected: Vec<i64> =
            sums.iter().flat_map(|sum| v.iter().map(move |x| sum * x)).collect();
        check(&e, &e.matmul(&x, &y).unwrap(), &expected, &(rows, depth, columns));
    }
}
