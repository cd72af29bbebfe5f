//! Quotients by one number against the processor's divisions.

use super::super::trials::Dice;
use super::tests::levels;
use super::*;
use crate::dtype::DType;

trait Float: Copy + std::fmt::Debug {
    const DTYPE: DType;
    /// A number of any bits, or of a size and with digits that are often used.
    fn any(dice: &mut Dice) -> Self;
    fn over(self, divisor: Self) -> Self;
    fn bits(self) -> u64;
    fn is_nan(self) -> bool;
}

macro_rules! float {
    ($T:ident, $DTYPE:ident, $digits:literal, $bias:literal, $end:literal) => {
        impl Float for $T {
            const DTYPE: DType = DType::$DTYPE;

            fn any(dice: &mut Dice) -> $T {
                let exponent = match dice.below(8) {
                    0 => dice.below(2 * $bias + 2),
                    1 => [0, 1, 2 * $bias, 2 * $bias + 1][dice.below(4)],
                    // Near the ends of what is multiplied.
                    2 => [$bias - $end, $bias + $end][dice.below(2)] - dice.below(2),
                    _ => $bias - 20 + dice.below(40),
                };
                let digits = match dice.below(4) {
                    0 => 0,
                    1 => (1 << $digits) - 1 - dice.below(3),
                    2 => dice.below(1 << 12) << ($digits - 12),
                    _ => dice.below(1 << $digits),
                };
                let sign = dice.below(2) << (8 * size_of::<$T>() - 1);
                $T::from_bits((sign | exponent << $digits | digits) as _)
            }

            fn over(self, divisor: $T) -> $T {
                self / divisor
            }

            fn bits(self) -> u64 {
                self.to_bits().into()
            }

            fn is_nan(self) -> bool {
                self.is_nan()
            }
        }
    };
}
float!(f32, F32, 23, 127, 50);
float!(f64, F64, 52, 1023, 400);

fn check<T: Float>(level: Level, dice: &mut Dice, n: usize, lines: usize) {
    let deed = Deed::new(Act::Binary(BinaryOp::Div), T::DTYPE, None).expect("floats are divided");
    let nodes = [Node { out: 2, deed, operands: [0, 1].into_iter().collect() }];
    let a: Vec<T> = (0..lines * n).map(|_| T::any(dice)).collect();
    let b: Vec<T> = (0..lines).map(|_| T::any(dice)).collect();
    let size = size_of::<T>() as isize;
    let input =
        |of: &[T], step: isize, is_one| Input { at: of.as_ptr().cast(), step: step * size, is_one };
    let compare = |code: &Fused, inputs: &[Input], divisor: &dyn Fn(usize) -> T| {
        let mut out = a.clone();
        // SAFETY: each line of both inputs is there, and there is room for all.
        unsafe { code.run(out.as_mut_ptr().cast(), inputs, (lines, n)) };
        for at in 0..lines * n {
            let wanted = a[at].over(divisor(at / n));
            let is_same = out[at].bits() == wanted.bits() || out[at].is_nan() && wanted.is_nan();
            assert!(is_same, "{:?} / {:?}: {:?}", a[at], divisor(at / n), out[at]);
        }
    };
    let (code, order) = fused(level, &nodes, &[]).expect("there is a loop");
    assert_eq!(order[..], [0, 1]);
    compare(&code, &[input(&a, n as isize, false), input(&b, 1, true)], &|line| b[line]);
    let (code, _) = fused(level, &nodes, &[(1, b[0].bits())]).expect("there is a loop");
    compare(&code, &[input(&a, n as isize, false)], &|_| b[0]);
}

#[test]
fn quotients_by_one_number_are_divisions() {
    for level in levels() {
        let mut dice = Dice(61);
        for _ in 0..600 {
            let n =
                [1, LONG_ENOUGH - 1, LONG_ENOUGH, LONG_ENOUGH + 1, 8 * LONG_ENOUGH][dice.below(5)];
            let lines = 1 + dice.below(3);
            check::<f32>(level, &mut dice, n, lines);
            check::<f64>(level, &mut dice, n, lines);
        }
    }
}

/// All numbers of a 16-bit type by one of them, a constant or in a lane: as float32, rounded in between, and stored in
/// the type again.
fn check_halves(level: Level, half: DType, widened: impl Fn(u16) -> f32, divisor: u16) {
    let widen = Deed::new(Act::Widen(half), DType::F32, None).expect("they are widened");
    let div = Deed::new(Act::Binary(BinaryOp::Div), DType::F32, None).expect("floats are divided");
    let narrow = Deed::new(Act::Narrow(half), DType::F32, None).expect("they are narrowed");
    let node = |out, deed, operands: &[u16]| Node { out, deed, operands: operands.into() };
    let (first, second) = (node(2, widen, &[0]), node(3, widen, &[1]));
    let all: Vec<u16> = (0..=u16::MAX).collect();
    let input = |of: *const u16, is_one| Input { at: of.cast(), step: 0, is_one };
    let by = widened(divisor);
    let narrowed = |x: f32| match half {
        DType::F16 => half::f16::from_f32(x).to_bits(),
        _ => half::bf16::from_f32(x).to_bits(),
    };
    let run = |nodes: &[Node], consts: &[(u16, u64)], inputs: &[Input], out: *mut u8| {
        let (code, _) = fused(level, nodes, consts).expect("there is a loop");
        let has_one = code.has_const_divisor || code.divisors == 0b10;
        assert!(has_one || level != Level::Avx512, "all are divided by one number");
        // SAFETY: all lanes of the inputs are there, and the caller has room for the quotients.
        unsafe { code.run(out, inputs, (1, all.len())) };
    };
    let same = |a: f32, b: f32| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    let compare = |nodes: &[Node], consts: &[(u16, u64)], inputs: &[Input]| {
        let Some((last, before)) = nodes.split_last() else { return };
        let rounded = Deed { rounded: Some(half), ..last.deed };
        let rounds = [before, &[node(last.out, rounded, &last.operands)]].concat();
        let narrows = [nodes, &[node(9, narrow, &[last.out])]].concat();
        let mut wide = [vec![0f32; all.len()], vec![0f32; all.len()]];
        let mut words = vec![0u16; all.len()];
        run(nodes, consts, inputs, wide[0].as_mut_ptr().cast());
        run(&rounds, consts, inputs, wide[1].as_mut_ptr().cast());
        run(&narrows, consts, inputs, words.as_mut_ptr().cast());
        for (at, a) in all.iter().enumerate() {
            let wanted = widened(*a) / by;
            let short = widened(narrowed(wanted));
            let found = [wide[0][at], wide[1][at], widened(words[at])];
            let are_same = found.iter().zip([wanted, short, short]).all(|(a, b)| same(*a, b));
            assert!(are_same, "{half:?} {:?} / {by:?}: {found:?}, not {wanted:?}", widened(*a));
        }
    };
    let inputs = [input(all.as_ptr(), false), input(&raw const divisor, true)];
    let lane = [first.clone(), second, node(4, div, &[2, 3])];
    compare(&lane, &[], &inputs);
    let constant = [first, node(4, div, &[2, 5])];
    compare(&constant, &[(5, by.to_bits().into())], &inputs[..1]);
}

#[test]
fn quotients_of_halves_by_one_are_divisions() {
    for level in levels() {
        let mut dice = Dice(62);
        let special =
            [0, 1, 2, 0x3c00, 0x3f80, 0x7bff, 0x7c00, 0x7f7f, 0x7f80, 0x7fc0, 0x03ff, 0x0400];
        let drawn = (0..160).map(|_| dice.below(1 << 16) as u16);
        for divisor in special.into_iter().flat_map(|x: u16| [x, x | 0x8000]).chain(drawn) {
            check_halves(level, DType::F16, |x| half::f16::from_bits(x).to_f32(), divisor);
            check_halves(level, DType::BF16, |x| half::bf16::from_bits(x).to_f32(), divisor);
        }
    }
}
