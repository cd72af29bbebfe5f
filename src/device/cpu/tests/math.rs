//! Every operation on dense samples and special values: exact where it must be, and otherwise
//! within a bound in units of the last place, measured against double precision.

use super::super::{Level, lanes, reference};
use super::{Random, backends, dense, device, elements, map_space, same, storage};
use crate::device::{Backend, libm};
use crate::dtype::{DType, Scalar};
use crate::ir::{BinaryOp, Builder, CompareOp, Domain, Op, UnaryOp};

const SPECIAL: [f32; 18] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    1e-45,
    -1e-45,
    1.17e-38,
    1e-30,
    3.4e38,
    -3.4e38,
    88.8,
    -104.5,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

/// The distance of a float32 in units of the last place of the exact value.
fn ulps(found: f32, exact: f64) -> f64 {
    let rounded = exact as f32;
    if found == rounded || found.is_nan() && exact.is_nan() {
        return 0.0;
    }
    if found.is_nan() || exact.is_nan() || found.is_infinite() || rounded.is_infinite() {
        // One step over the edge of the range is one unit.
        let near_edge = found.abs() == f32::MAX || rounded.abs() == f32::MAX;
        return if near_edge { 1.0 } else { f64::INFINITY };
    }
    let exponent = rounded.abs().max(f32::MIN_POSITIVE).to_bits() >> 23;
    let unit = 2f64.powi(exponent as i32 - 127 - 23);
    (f64::from(found) - exact).abs() / unit
}

/// The same of a float64; what it is measured against is rounded itself.
fn ulps64(found: f64, exact: f64) -> f64 {
    if same(Scalar::Float(found), Scalar::Float(exact)) {
        return 0.0;
    }
    let steps = |x: f64| if x < 0.0 { -(x.abs().to_bits() as i64) } else { x.to_bits() as i64 };
    (steps(found) as f64 - steps(exact) as f64).abs()
}

fn sample() -> Vec<f32> {
    let mut random = Random(7);
    let mut sample = SPECIAL.to_vec();
    for _ in 0..40_000 {
        let x = f32::from_bits(random.next() as u32);
        if x.is_finite() {
            sample.push(x);
        }
        let unit = (random.next() >> 40) as f32 / (1u64 << 24) as f32;
        sample.extend([unit, 2.0 * unit - 1.0, 30.0 * unit - 15.0, 200.0 * unit - 100.0]);
        sample.extend([1.0 + (unit - 0.5) * 1e-3, (unit - 0.5) * 1e6]);
    }
    sample
}

fn apply32(level: Level, op: UnaryOp, sample: &[f32]) -> Vec<f32> {
    let mut out = vec![0f32; sample.len()];
    let kernel = lanes::unary(level, op, DType::F32);
    // SAFETY: both have as many float32 lanes.
    unsafe { kernel(out.as_mut_ptr().cast(), sample.as_ptr().cast(), sample.len()) };
    out
}

/// A function, what it is in double precision, and its bounds: with fused operations, and without.
type Bounded = (UnaryOp, fn(f64) -> f64, f64, f64);

const FUNCTIONS: [Bounded; 24] = {
    use UnaryOp::*;
    [
        (Exp, f64::exp, 1.5, 1.5),
        (Log, f64::ln, 1.5, 1.5),
        (Sin, f64::sin, 0.9, 1.6),
        (Cos, f64::cos, 0.9, 1.6),
        (Tan, f64::tan, 0.98, 1.0),
        (Exp2, f64::exp2, 0.92, 1.0),
        (Expm1, f64::exp_m1, 0.89, 1.0),
        (Log2, f64::log2, 0.96, 1.0),
        (Log10, f64::log10, 0.84, 1.0),
        (Log1p, f64::ln_1p, 0.9, 1.0),
        (Asin, f64::asin, 0.63, 1.0),
        (Acos, f64::acos, 0.62, 1.0),
        (Atan, f64::atan, 0.64, 1.0),
        (Sinh, f64::sinh, 0.94, 1.0),
        (Cosh, f64::cosh, 0.77, 1.0),
        (Tanh, f64::tanh, 0.97, 1.0),
        (Asinh, f64::asinh, 0.7, 1.0),
        (Acosh, f64::acosh, 0.84, 1.0),
        (Atanh, f64::atanh, 0.7, 1.0),
        (Cbrt, f64::cbrt, 0.53, 1.0),
        (Sigmoid, |x| 1.0 / (1.0 + (-x).exp()), 2.5, 2.5),
        (Erf, libm::erf, 1.0, 1.0),
        (Sqrt, f64::sqrt, 0.5, 0.5),
        (Rsqrt, |x| 1.0 / x.sqrt(), 0.51, 0.51),
    ]
};

/// Where a function errs the most, if that is beyond its bound.
fn beyond(level: Level, (op, exact, fused, plain): Bounded, sample: &[f32]) -> Option<String> {
    let bound = if level == Level::Baseline { plain } else { fused };
    let found = apply32(level, op, sample);
    let errors = found.iter().zip(sample).map(|(found, x)| ulps(*found, exact((*x).into())));
    let (at, worst) = errors
        .enumerate()
        .fold((0, 0.0), |worst, (at, error)| if error > worst.1 { (at, error) } else { worst });
    let (x, y) = (sample[at], found[at]);
    let told = || format!("{level:?} {}({x:e}) = {y:e}: {worst} ulp", op.name());
    (worst > bound).then(told)
}

#[test]
fn float32_functions_keep_their_bounds() {
    let sample = sample();
    let levels = || Level::ALL.into_iter().filter(|level| level.is_available());
    let all = levels().flat_map(|level| FUNCTIONS.map(|function| (level, function)));
    let failures: Vec<_> =
        all.filter_map(|(level, function)| beyond(level, function, &sample)).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
#[ignore = "takes minutes: for who changes a function"]
fn every_float32_keeps_the_bounds() {
    use rayon::prelude::*;
    const AT_ONCE: u32 = 1 << 20;
    for function in FUNCTIONS {
        let failure = (0..u32::MAX / AT_ONCE + 1).into_par_iter().find_map_any(|part| {
            let bits = part * AT_ONCE..=part * AT_ONCE + (AT_ONCE - 1);
            beyond(Level::detect(), function, &bits.map(f32::from_bits).collect::<Vec<_>>())
        });
        assert_eq!(failure, None);
    }
}

#[test]
fn float64_exp_and_log_keep_their_bounds() {
    let sample: Vec<f64> = sample().iter().map(|x| f64::from(*x) * 1.000_000_123_4).collect();
    let bits = |x: f64| x.to_bits() as i64;
    for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
        for (op, exact) in [(UnaryOp::Exp, f64::exp as fn(f64) -> f64), (UnaryOp::Log, f64::ln)] {
            let mut out = vec![0f64; sample.len()];
            let kernel = lanes::unary(level, op, DType::F64);
            // SAFETY: both have as many float64 lanes.
            unsafe { kernel(out.as_mut_ptr().cast(), sample.as_ptr().cast(), sample.len()) };
            for (found, x) in out.iter().zip(&sample) {
                let exact = exact(*x);
                let same = found.is_nan() && exact.is_nan();
                let steps = bits(*found).wrapping_sub(bits(exact)).unsigned_abs();
                let allowed = if exact.abs() < f64::MIN_POSITIVE { 2 } else { 1 };
                assert!(
                    same || steps <= allowed,
                    "{level:?} {op:?}({x:e}) = {found:e}, not {exact:e}"
                );
            }
        }
    }
}

fn bound(op: BinaryOp) -> f64 {
    match op {
        BinaryOp::Pow | BinaryOp::Atan2 | BinaryOp::Hypot => 1.0,
        BinaryOp::LogAddExp | BinaryOp::LogAddExp2 => 1.0,
        _ => 0.0,
    }
}

/// Both operands through a program, against the reference.
fn check_binary(op: Op, dtype: DType, out: DType, a: &[Scalar], b: &[Scalar], bound: f64) {
    let device = device();
    let mut builder = Builder::new();
    let inputs = [builder.input(dtype), builder.input(dtype)];
    for input in inputs {
        builder.load(input, Domain::Element);
    }
    let value = builder.push(op.clone(), out);
    builder.output(value, Domain::Element);
    let program = builder.finish();
    let space = map_space(&[a.len()]);
    let access = dense(&space);
    let (a, b) = (storage(&device, dtype, a), storage(&device, dtype, b));
    let given = [(&*a, &access), (&*b, &access)];
    let make = || storage(&device, out, &vec![Scalar::Int(0); a.len()]);
    let expected = make();
    reference::run(&program, &space, &given, &[(&expected, &access)]).unwrap();
    let (a, b, expected) = (elements(&a), elements(&b), elements(&expected));
    for backend in backends() {
        let found = make();
        backend.run(&program, &space, &given, &[(&found, &access)]).unwrap();
        for (at, found) in elements(&found).into_iter().enumerate() {
            let exact = expected[at];
            let near = match (bound > 0.0, dtype) {
                (true, DType::F64) => ulps64(found.as_f64(), exact.as_f64()) <= bound,
                (true, _) => ulps(found.as_f64() as f32, exact.as_f64()) <= bound,
                (false, _) => same(found, exact),
            };
            assert!(near, "{op:?} {dtype}: {} and {} gave {found}, not {exact}", a[at], b[at]);
        }
    }
}

#[test]
fn float_operations_agree_with_the_reference() {
    use BinaryOp::*;
    let mut random = Random(3);
    for dtype in [DType::F32, DType::F64] {
        let mut pairs = Vec::new();
        for a in SPECIAL {
            pairs.extend(SPECIAL.map(|b| (a, b)));
        }
        for _ in 0..2000 {
            let one = |random: &mut Random| (random.below(2001) as f32 - 1000.0) / 64.0;
            pairs.push((one(&mut random), one(&mut random)));
        }
        let wide = |x: f32| Scalar::Float(x.into());
        let a: Vec<Scalar> = pairs.iter().map(|(a, _)| wide(*a)).collect();
        let b: Vec<Scalar> = pairs.iter().map(|(_, b)| wide(*b)).collect();
        for op in [
            Add, Sub, Mul, Div, Mod, Fmod, Pow, Max, Min, Fmax, Fmin, Atan2, Hypot, CopySign,
            NextAfter, LogAddExp, LogAddExp2,
        ] {
            let program = Op::Binary(op, crate::ir::Reg(0), crate::ir::Reg(1));
            check_binary(program, dtype, dtype, &a, &b, bound(op));
        }
        for op in CompareOp::ALL {
            let program = Op::Compare(*op, crate::ir::Reg(0), crate::ir::Reg(1));
            check_binary(program, dtype, DType::Bool, &a, &b, 0.0);
        }
    }
}

#[test]
fn powers_with_a_constant_agree_with_the_reference() {
    let mut random = Random(5);
    for dtype in [DType::F32, DType::F64] {
        let mut sample = SPECIAL.to_vec();
        sample.extend((0..3000).map(|_| (random.below(20001) as f32 - 10000.0) / 512.0));
        sample.extend((0..3000).map(|_| f32::from_bits(random.next() as u32)));
        let shift = if dtype == DType::F64 { 1.000_000_123_4 } else { 1.0 };
        let x: Vec<Scalar> = sample.iter().map(|x| Scalar::Float(f64::from(*x) * shift)).collect();
        for number in [2.0, -2.0, 3.0, 4.0, 5.0, 6.0, 2.5, 7.0] {
            for is_base in [false, true] {
                check_power(dtype, &x, number, is_base);
            }
        }
    }
}

/// `x ** number` or `number ** x` as a program with a constant.
fn check_power(dtype: DType, x: &[Scalar], number: f64, is_base: bool) {
    let device = device();
    let mut builder = Builder::new();
    let input = builder.input(dtype);
    let variable = builder.load(input, Domain::Element);
    let constant = builder.constant(Scalar::Float(number), dtype);
    let [a, b] = if is_base { [constant, variable] } else { [variable, constant] };
    let power = builder.push(Op::Binary(BinaryOp::Pow, a, b), dtype);
    builder.output(power, Domain::Element);
    let program = builder.finish();
    let space = map_space(&[x.len()]);
    let access = dense(&space);
    let given = storage(&device, dtype, x);
    for backend in backends() {
        let found = storage(&device, dtype, &vec![Scalar::Int(0); x.len()]);
        backend.run(&program, &space, &[(&given, &access)], &[(&found, &access)]).unwrap();
        for (found, x) in elements(&found).into_iter().zip(x) {
            let (a, b) = if is_base { (number, x.as_f64()) } else { (x.as_f64(), number) };
            let (found, exact) = (found.as_f64(), a.powf(b));
            let error = match dtype {
                DType::F64 if found.is_nan() && exact.is_nan() => 0.0,
                DType::F64 => found.to_bits().abs_diff(exact.to_bits()) as f64,
                _ => ulps(found as f32, exact),
            };
            let is_same_zero = found != 0.0 || found.is_sign_negative() == exact.is_sign_negative();
            assert!(error <= 1.0 && is_same_zero, "{dtype}: {a:e} ** {b:e} gave {found:e}");
        }
    }
}

#[test]
fn integer_operations_agree_with_the_reference() {
    use BinaryOp::*;
    for dtype in DType::STORED.into_iter().filter(|dtype| dtype.is_integer()) {
        let (low, high) = dtype.integer_range().unwrap();
        let values = [low, low + 1, -7, -2, -1, 0, 1, 2, 3, 7, 31, 63, high - 1, high];
        let values: Vec<i128> = values.into_iter().filter(|v| (low..=high).contains(v)).collect();
        let pairs = |allowed: &dyn Fn(i128) -> bool| -> (Vec<Scalar>, Vec<Scalar>) {
            let all = values.iter().flat_map(|a| values.iter().map(move |b| (*a, *b)));
            let number = |x| Scalar::from_i128(x).unwrap();
            all.filter(|(_, b)| allowed(*b)).map(|(a, b)| (number(a), number(b))).unzip()
        };
        for op in [
            Add, Sub, Mul, FloorDiv, Mod, Fmod, Pow, Max, Min, BitAnd, BitOr, BitXor, Shl, Shr,
            Gcd, Lcm,
        ] {
            let (a, b) = match op {
                FloorDiv | Mod | Fmod => pairs(&|b| b != 0),
                Pow => pairs(&|b| b >= 0),
                _ => pairs(&|_| true),
            };
            let program = Op::Binary(op, crate::ir::Reg(0), crate::ir::Reg(1));
            check_binary(program, dtype, dtype, &a, &b, 0.0);
        }
    }
}

#[test]
fn floor_division_of_floats_is_numpys() {
    let cases = [
        (7.0, 2.0, 3.0),
        (-7.0, 2.0, -4.0),
        (7.0, -2.0, -4.0),
        (1.0, 0.1, 9.0),
        (5.0, f64::INFINITY, 0.0),
        (-5.0, f64::INFINITY, -1.0),
        (1.0, 0.0, f64::INFINITY),
    ];
    for (a, b, quotient) in cases {
        let kernel = lanes::binary(Level::Baseline, BinaryOp::FloorDiv, DType::F64);
        let mut found = 0f64;
        let out: *mut f64 = &mut found;
        // SAFETY: one lane each.
        unsafe { kernel(out.cast(), (&raw const a).cast(), (&raw const b).cast(), 1) };
        assert_eq!(found, quotient, "{a} // {b}");
    }
}

#[test]
fn casts_of_floats_out_of_range_are_x86s() {
    let x = [3e9f32, -3e9, f32::NAN, 300.7, -1.5, 1e20];
    let mut wide = [0i32; 6];
    let mut narrow = [0u8; 6];
    for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
        let (to_wide, to_narrow) =
            (lanes::cast(level, DType::F32, DType::I32), lanes::cast(level, DType::F32, DType::U8));
        // SAFETY: six lanes each.
        unsafe {
            to_wide(wide.as_mut_ptr().cast(), x.as_ptr().cast(), 6);
            to_narrow(narrow.as_mut_ptr(), x.as_ptr().cast(), 6);
        }
        assert_eq!(wide, [i32::MIN, i32::MIN, i32::MIN, 300, -1, i32::MIN]);
        assert_eq!(narrow, [0, 0, 0, 44, 255, 0]);
        let x = [-1.5f64, 9223372036854775808.0, 18446744073709549568.0, 2e20, -2e20, f64::NAN];
        let mut whole = [0u64; 6];
        let kernel = lanes::cast(level, DType::F64, DType::U64);
        // SAFETY: as above.
        unsafe { kernel(whole.as_mut_ptr().cast(), x.as_ptr().cast(), 6) };
        let half = 1 << 63;
        assert_eq!(whole, [u64::MAX, half, 18446744073709549568, 0, half, half]);
        let mut short = [0u32; 6];
        let kernel = lanes::cast(level, DType::F64, DType::U32);
        // SAFETY: as above.
        unsafe { kernel(short.as_mut_ptr().cast(), x.as_ptr().cast(), 6) };
        assert_eq!(short, [u32::MAX, 0, 0, 0, 0, 0]);
    }
}
