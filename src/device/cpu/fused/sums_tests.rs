//! Sums of loops against a loop that stores and the kernel that sums what is stored.

use super::super::lanes::Fold;
use super::tests::levels;
use super::*;
use crate::dtype::DType;
use crate::ir::{BinaryOp, CompareOp, ReduceOp, UnaryOp};

const LENS: [usize; 39] = [
    0, 1, 2, 7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 33, 63, 64, 65, 100, 127, 128, 129, 136, 191,
    192, 200, 442, 1000, 1023, 1024, 2047, 2048, 2049, 2111, 2112, 2113, 4095, 4096, 4160, 6201,
];

/// Small numbers of every size with all that is special, as a seed gives them.
fn lanes(dtype: DType, seed: u64, n: usize, is_special: bool) -> Vec<u64> {
    let mut room = vec![0u64; n + 8];
    let special = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-42, 3e38, -1e-310];
    let mut state = seed;
    for at in 0..n {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let pick = (state >> 33) as usize;
        let number = match is_special && pick.is_multiple_of(50) {
            true => special[pick / 50 % special.len()],
            false => (pick as f64 - 1e9) / 2f64.powi((pick / 7 % 60) as i32),
        };
        // SAFETY: there is room for eight bytes a lane.
        unsafe {
            match dtype {
                DType::F64 => room.as_mut_ptr().cast::<f64>().add(at).write(number),
                DType::F32 => room.as_mut_ptr().cast::<f32>().add(at).write(number as f32),
                DType::F16 => {
                    let half = half::f16::from_f64(number / 1e6);
                    room.as_mut_ptr().cast::<half::f16>().add(at).write(half);
                }
                _ => {
                    let half = half::bf16::from_f64(number);
                    room.as_mut_ptr().cast::<half::bf16>().add(at).write(half);
                }
            }
        }
    }
    room
}

fn node(out: u16, act: Act, dtype: DType, operands: &[u16], rounded: Option<DType>) -> Node {
    let deed = Deed::new(act, dtype, rounded).expect("there are instructions");
    Node { out, deed, operands: operands.into() }
}

/// What is summed: nodes over inputs 0, 1 and 2, of types, with a constant 9.
fn chains(dtype: DType) -> Vec<(Vec<Node>, Vec<DType>)> {
    let binary = |out, op, a, b| node(out, Act::Binary(op), dtype, &[a, b], None);
    let unary = |out, op, a| node(out, Act::Unary(op), dtype, &[a], None);
    let mut chains = vec![
        (vec![unary(3, UnaryOp::Square, 0)], vec![dtype]),
        (vec![binary(3, BinaryOp::Mul, 0, 1)], vec![dtype; 2]),
        (vec![binary(3, BinaryOp::Sub, 0, 1), unary(4, UnaryOp::Square, 3)], vec![dtype; 2]),
        (
            vec![
                binary(3, BinaryOp::Max, 0, 1),
                binary(4, BinaryOp::Div, 3, 2),
                binary(5, BinaryOp::Add, 4, 9),
                node(6, Act::Compare(CompareOp::Lt), dtype, &[5, 0], None),
                node(7, Act::Select, dtype, &[6, 5, 2], None),
            ],
            vec![dtype; 3],
        ),
    ];
    for half in [DType::F16, DType::BF16].into_iter().filter(|_| dtype == DType::F32) {
        let widen = |out, a| node(out, Act::Widen(half), DType::F32, &[a], None);
        chains.push((vec![widen(3, 0)], vec![half]));
        let rounded = node(5, Act::Binary(BinaryOp::Mul), DType::F32, &[3, 4], Some(half));
        chains.push((vec![widen(3, 0), widen(4, 1), rounded], vec![half; 2]));
    }
    chains
}

fn same(dtype: DType, a: &[u8], b: &[u8]) -> bool {
    let is_nan = |lane: &[u8]| match dtype {
        DType::F32 => f32::from_ne_bytes(lane.try_into().unwrap()).is_nan(),
        _ => f64::from_ne_bytes(lane.try_into().unwrap()).is_nan(),
    };
    let size = dtype.size();
    a.chunks(size).zip(b.chunks(size)).all(|(a, b)| a == b || is_nan(a) && is_nan(b))
}

#[test]
fn rows_are_summed_as_if_they_were_stored() {
    for level in levels() {
        for dtype in [DType::F32, DType::F64] {
            let size = dtype.size();
            let nine = if size == 8 { 1.5f64.to_bits() } else { u64::from(1.5f32.to_bits()) };
            let consts = [(9, nine)];
            let fold = Fold::new(level, ReduceOp::Sum, dtype);
            let mut all = chains(dtype);
            if level == Level::Avx512 {
                all.push((Vec::new(), vec![dtype]));
            } else {
                assert!(sums(level, &[], &[], (0, size == 8, Join::Sum)).is_none());
            }
            for (number, (nodes, types)) in all.iter().enumerate() {
                let last = nodes.last().map_or(0, |node| node.out);
                let (code, order) = sums(level, nodes, &consts, (last, size == 8, Join::Sum))
                    .expect("there is a loop");
                for n in LENS {
                    for (rows, gap, still) in
                        [(1, 0, 0), (3, 0, 0), (2, 5, 0), (4, 0, 2), (3, 1, 5), (0, 0, 0)]
                    {
                        let is_special = (n + rows).is_multiple_of(2);
                        let made: Vec<Vec<u64>> = (types.iter().enumerate())
                            .map(|(at, own)| {
                                lanes(*own, (n * 31 + at) as u64, rows * (n + gap), is_special)
                            })
                            .collect();
                        let input = |slot: &u16| {
                            let at = usize::from(*slot);
                            let is_one = still >> at & 1 == 1 && !nodes.is_empty();
                            let step = ((n + gap) * types[at].size()) as isize;
                            Input { at: made[at].as_ptr().cast(), step, is_one }
                        };
                        let inputs: Vec<Input> = order.iter().map(input).collect();
                        let (mut found, mut wanted) =
                            (vec![u64::MAX; rows + 1], vec![u64::MAX; rows + 1]);
                        let mut between = vec![0u64; n + 8];
                        // SAFETY: there are so many lanes, and room for a result of each row.
                        unsafe {
                            if !code.run(found.as_mut_ptr().cast(), &inputs, (rows, n, false), None)
                            {
                                let is_short = rows > 1 && n < Fused::lanes(level, size == 8);
                                let has_none = is_short && level != Level::Avx512;
                                assert!(has_none || nodes.is_empty() && n > 127, "{number}, {n}");
                                continue;
                            }
                            for row in 0..rows {
                                let lanes = match fused(level, nodes, &consts) {
                                    Some((stored, _)) => {
                                        let at_row = |input: &Input| Input {
                                            at: input.at.offset(row as isize * input.step),
                                            ..*input
                                        };
                                        let inputs: Vec<Input> =
                                            inputs.iter().map(at_row).collect();
                                        stored.run(between.as_mut_ptr().cast(), &inputs, (1, n));
                                        between.as_ptr().cast::<u8>()
                                    }
                                    None => inputs[0].at.offset(row as isize * inputs[0].step),
                                };
                                let out = wanted.as_mut_ptr().cast::<u8>().add(row * size);
                                fold.rows(out, lanes, 1, n);
                            }
                        }
                        let bytes = |words: &[u64]| -> Vec<u8> {
                            words.iter().flat_map(|word| word.to_ne_bytes()).collect()
                        };
                        let case = format!("{number} of {dtype}, {rows} × {n}, {gap}, {still}");
                        assert!(same(dtype, &bytes(&found), &bytes(&wanted)), "{case}");
                    }
                }
            }
        }
    }
}

/// Numbers, among which there are the least and the greatest, and sometimes a NaN: of lines of every length, so many of
/// them a row, against a scan of what a loop stores.
#[test]
fn extremes_of_rows_are_those_of_a_scan() {
    for level in levels() {
        for (dtype, join) in [DType::F32, DType::F64]
            .into_iter()
            .flat_map(|dtype| [(dtype, Join::Greatest), (dtype, Join::Least)])
        {
            let size = dtype.size();
            let nine = if size == 8 { 1.5f64.to_bits() } else { u64::from(1.5f32.to_bits()) };
            let consts = [(9, nine)];
            let mut all = chains(dtype);
            all.push((Vec::new(), vec![dtype]));
            for (number, (nodes, types)) in all.iter().enumerate() {
                let last = nodes.last().map_or(0, |node| node.out);
                let (code, order) =
                    sums(level, nodes, &consts, (last, size == 8, join)).expect("there is a loop");
                for n in LENS.into_iter().filter(|n| *n > 0) {
                    for (rows, count, gap) in
                        [(1, 1, 0), (3, 1, 5), (2, 3, 0), (3, 2, 1), (0, 1, 0)]
                    {
                        let is_special = (n + rows).is_multiple_of(2);
                        let all_lines = rows * count;
                        let made: Vec<Vec<u64>> = (types.iter().enumerate())
                            .map(|(at, own)| {
                                lanes(*own, (n * 37 + at) as u64, all_lines * (n + gap), is_special)
                            })
                            .collect();
                        // Lines of a row lie `rows` lines apart.
                        let down =
                            |slot: &u16| ((n + gap) * types[usize::from(*slot)].size()) as isize;
                        let inputs: Vec<Input> = (order.iter())
                            .map(|slot| {
                                let at = made[usize::from(*slot)].as_ptr().cast();
                                Input { at, step: down(slot), is_one: false }
                            })
                            .collect();
                        let steps: Vec<isize> =
                            order.iter().map(|slot| down(slot) * rows as isize).collect();
                        let lines = (count > 1).then_some(Lines { count, steps: &steps });
                        let (mut found, mut between) =
                            (vec![u64::MAX; rows + 1], vec![0u64; n + 8]);
                        // SAFETY: there are so many lanes, and room for a result of each row.
                        let is_done = unsafe {
                            code.run(found.as_mut_ptr().cast(), &inputs, (rows, n, false), lines)
                        };
                        let value = |bytes: &[u8]| match size {
                            8 => f64::from_ne_bytes(bytes.try_into().unwrap()),
                            _ => f32::from_ne_bytes(bytes.try_into().unwrap()).into(),
                        };
                        let mut has_nan = false;
                        let case = format!("{number} of {dtype}, {join:?}, {rows} × {count} × {n}");
                        let found: Vec<u8> =
                            found.iter().flat_map(|word| word.to_ne_bytes()).collect();
                        for row in 0..rows {
                            let mut best =
                                if join == Join::Least { f64::INFINITY } else { -f64::INFINITY };
                            for line in 0..count {
                                let at_line: Vec<Input> = (inputs.iter())
                                    .map(|input| Input {
                                        at: input.at.wrapping_offset(
                                            (line * rows + row) as isize * input.step,
                                        ),
                                        ..*input
                                    })
                                    .collect();
                                let stored: &[u8] = match fused(level, nodes, &consts) {
                                    Some((stored, _)) => {
                                        // SAFETY: as above, and there is room for a line.
                                        unsafe {
                                            stored.run(
                                                between.as_mut_ptr().cast(),
                                                &at_line,
                                                (1, n),
                                            );
                                            std::slice::from_raw_parts(
                                                between.as_ptr().cast(),
                                                n * size,
                                            )
                                        }
                                    }
                                    // SAFETY: as above.
                                    None => unsafe {
                                        std::slice::from_raw_parts(at_line[0].at, n * size)
                                    },
                                };
                                for lane in stored.chunks(size).map(value) {
                                    has_nan |= lane.is_nan();
                                    best = if join == Join::Least {
                                        best.min(lane)
                                    } else {
                                        best.max(lane)
                                    };
                                }
                            }
                            let own = value(&found[row * size..][..size]);
                            assert!(
                                !is_done || own == best,
                                "{case}, row {row}: {own}, not {best}"
                            );
                        }
                        // Without masks, lines have a vector, but one that is alone.
                        let is_short = rows * count > 1 && n < Fused::lanes(level, size == 8);
                        let may_be_done = !is_short || level == Level::Avx512;
                        assert_eq!(is_done, may_be_done && !has_nan, "{case}");
                        let behind = &found[rows * size..];
                        assert!(behind.iter().all(|byte| *byte == 255), "{case}");
                    }
                }
            }
        }
    }
}
