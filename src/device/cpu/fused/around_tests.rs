//! Loops that write around the caches against the same loops that do not.

use super::super::exec::finish_streams;
use super::super::trials::Dice;
use super::tests::levels;
use super::*;
use crate::dtype::DType;

fn check(level: Level, dice: &mut Dice, dtype: DType, (lines, n): (usize, usize), off: usize) {
    let deed = Deed::new(Act::Binary(BinaryOp::Mul), dtype, None).expect("there is a product");
    let nodes = [Node { out: 2, deed, operands: [0, 1].into_iter().collect() }];
    let (code, order) = fused(level, &nodes, &[]).expect("there is a loop");
    assert_eq!(order[..], [0, 1]);
    assert!(code.may_go_around());
    let (size, bytes) = (dtype.size(), lines * n * dtype.size());
    // Small whole numbers, as floats, too.
    let lane = |dice: &mut Dice| dice.below(100) as u64;
    let a: Vec<u8> = (0..lines * n)
        .flat_map(|_| {
            let x = lane(dice);
            let bits = match dtype {
                DType::F32 => u64::from((x as f32).to_bits()),
                DType::F64 => (x as f64).to_bits(),
                _ => x,
            };
            bits.to_le_bytes()[..size].to_vec()
        })
        .collect();
    let step = (n * size) as isize;
    let inputs = [
        Input { at: a.as_ptr(), step, is_one: false },
        Input { at: a.as_ptr(), step, is_one: dice.below(2) == 0 },
    ];
    let mut outs = [vec![0xa5u8; bytes + 256], vec![0xa5u8; bytes + 256]];
    let [plain, around] = outs.each_mut().map(|out| {
        let first = out.as_ptr().align_offset(64) + off;
        (first, out)
    });
    // SAFETY: all lanes of the inputs are there, and there is room for the products.
    unsafe {
        code.run(plain.1.as_mut_ptr().add(plain.0), &inputs, (lines, n));
        code.run_around(around.1.as_mut_ptr().add(around.0), &inputs, (lines, n));
    }
    finish_streams();
    let what = format!("{dtype:?}, {lines} lines of {n}, {off} bytes behind a line's begin");
    assert!(plain.1[plain.0..][..bytes] == around.1[around.0..][..bytes], "{what}");
    assert!(around.1[around.0 + bytes..].iter().all(|byte| *byte == 0xa5), "{what}");
    assert!(around.1[..around.0].iter().all(|byte| *byte == 0xa5), "{what}");
}

#[test]
fn what_goes_around_the_caches_is_the_same() {
    for level in levels() {
        let mut dice = Dice(63);
        for dtype in [DType::F32, DType::F64, DType::I32, DType::I64] {
            for n in [1, 7, 8, 15, 16, 17, 31, 32, 33, 48, 500, 512] {
                for lines in [1, 2, 5] {
                    for off in [0, 64, dtype.size(), 32] {
                        check(level, &mut dice, dtype, (lines, n), off);
                    }
                }
            }
        }
    }
}
