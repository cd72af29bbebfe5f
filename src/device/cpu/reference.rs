//! Programs, one scalar at a time: slow, short, and what the fast executor is measured against.

use crate::device::{Error, Storage, libm};
use crate::dtype::{DType, Scalar};
use crate::ir::{
    Access, BinaryOp, CompareOp, Domain, Instr, Op, Program, ReduceOp, Reg, Space, UnaryOp, Way,
};

type Values = Vec<Option<Scalar>>;
type Operands<'a> = [(&'a Storage, &'a Access)];

/// Runs a program as [`Backend::run`](crate::device::Backend::run) does.
pub fn run(
    program: &Program,
    space: &Space,
    inputs: &Operands<'_>,
    outputs: &Operands<'_>,
) -> Result<(), Error> {
    let point = Point { program, space, inputs };
    let stages = program.stages();
    let last = stages.iter().copied().max().unwrap_or(0);
    let (row_dims, element_dims) = space.dims.split_at(space.kept);
    let [mut has_row, has_element] = [row_dims, element_dims].map(|dims| !dims.contains(&0));
    let mut at = vec![0; space.dims.len()];
    let mut values: Values = vec![None; program.instrs.len()];
    while has_row {
        let mut known: Values = vec![None; program.instrs.len()];
        for stage in 0..last {
            let mut folds: Vec<(usize, Fold)> = Vec::new();
            for (at, instr) in program.instrs.iter().enumerate() {
                if let (Op::Reduce(op, _), true) = (&instr.op, stages[at] == stage + 1) {
                    folds.push((at, Fold::new(*op, instr.dtype)));
                }
            }
            let mut is_left = has_element;
            while is_left {
                point.evaluate(&known, &at, |reg| stages[reg] <= stage, &mut values)?;
                for (reg, fold) in &mut folds {
                    let Op::Reduce(_, operand) = program.instrs[*reg].op else { continue };
                    fold.take(values[operand.index()].expect("the operand is of an earlier stage"));
                }
                is_left = advance(&mut at[space.kept..], element_dims);
            }
            for (reg, fold) in folds {
                known[reg] = Some(fold.result().held_as(program.instrs[reg].dtype));
            }
        }
        let mut is_left = has_element;
        while is_left {
            point.evaluate(&known, &at, |_| true, &mut values)?;
            point.store(&values, &at, outputs, Domain::Element);
            is_left = advance(&mut at[space.kept..], element_dims);
        }
        let is_row = |reg: usize| program.instrs[reg].domain == Domain::Row;
        point.evaluate(&known, &at, is_row, &mut values)?;
        point.store(&values, &at, outputs, Domain::Row);
        has_row = advance(&mut at[..space.kept], row_dims);
    }
    Ok(())
}

/// Makes of coordinates those of the next point, in row-major order: behind the last, those of the first, and false.
fn advance(at: &mut [usize], dims: &[usize]) -> bool {
    at.iter_mut().zip(dims).rev().any(|(index, extent)| {
        *index = (*index + 1) % extent;
        *index != 0
    })
}

struct Point<'a> {
    program: &'a Program,
    space: &'a Space,
    inputs: &'a Operands<'a>,
}

impl Point<'_> {
    /// Makes of `values` what is known and what is wanted beside it.
    fn evaluate(
        &self,
        known: &Values,
        at: &[usize],
        wanted: impl Fn(usize) -> bool,
        values: &mut Values,
    ) -> Result<(), Error> {
        values.copy_from_slice(known);
        for (number, instr) in self.program.instrs.iter().enumerate() {
            if values[number].is_none() && wanted(number) && !matches!(instr.op, Op::Reduce(..)) {
                let value = self.instr(instr, Reg(number as u16), values, at)?;
                values[number] = Some(value.held_as(instr.dtype));
            }
        }
        Ok(())
    }

    fn instr(
        &self,
        instr: &Instr,
        reg: Reg,
        values: &Values,
        at: &[usize],
    ) -> Result<Scalar, Error> {
        let value = |reg: &Reg| values[reg.index()].expect("operands stand before their use");
        Ok(match &instr.op {
            Op::Const(value) => *value,
            Op::Iota { axis } => Scalar::Int(at[*axis as usize] as i64),
            Op::Load { input } => {
                let (storage, access) = self.inputs[*input as usize];
                read(storage, place(access, at))
            }
            Op::Gather { input, indices } => {
                let (storage, access) = self.inputs[*input as usize];
                let mut place = place(access, at);
                for (operand, index) in indices.iter().enumerate() {
                    let (extent, stride) = access.gathered[operand];
                    let index = value(index).as_i64();
                    let normal = if index < 0 { index + extent as i64 } else { index };
                    if !(0..extent as i64).contains(&normal) {
                        return Err(Error::IndexOutOfBounds {
                            instr: Some(reg),
                            operand,
                            value: index,
                            extent,
                        });
                    }
                    place += normal as isize * stride;
                }
                read(storage, place)
            }
            Op::Unary(op, a) => unary(*op, value(a)),
            Op::Binary(op, a, b) => binary(*op, value(a), value(b), instr.dtype, reg)?,
            Op::Compare(op, a, b) => Scalar::Bool(compare(*op, value(a), value(b))),
            Op::Select(condition, a, b) => {
                if value(condition).as_bool() {
                    value(a)
                } else {
                    value(b)
                }
            }
            Op::Cast(a) => cast(value(a), instr.dtype),
            Op::Reduce(..) => unreachable!("reductions are folded by the caller"),
        })
    }

    fn store(&self, values: &Values, at: &[usize], outputs: &Operands<'_>, domain: Domain) {
        debug_assert_eq!(at.len(), self.space.dims.len());
        for (output, (storage, access)) in self.program.outputs.iter().zip(outputs) {
            if output.domain == domain {
                let value = values[output.value.index()].expect("every value is known at the end");
                write(storage, place(access, at), value);
            }
        }
    }
}

fn place(access: &Access, at: &[usize]) -> isize {
    let step = |(stride, index): (&isize, &usize)| stride * *index as isize;
    access.offset as isize + access.strides.iter().zip(at).map(step).sum::<isize>()
}

fn element(storage: &Storage, place: isize) -> *mut u8 {
    assert!((0..storage.len() as isize).contains(&place), "element {place} of {storage:?}");
    let address = storage.address() as usize + place as usize * storage.dtype().size();
    address as *mut u8
}

fn read(storage: &Storage, place: isize) -> Scalar {
    let (at, dtype) = (element(storage, place), storage.dtype());
    // SAFETY: `element` has checked that the place lies in the storage, whose memory is mapped in
    // this process for as long as it is borrowed.
    Scalar::from_bits(unsafe { std::slice::from_raw_parts(at, dtype.size()) }, dtype)
}

fn write(storage: &Storage, place: isize, value: Scalar) {
    let at = element(storage, place);
    let (bits, size) = value.to_bits(storage.dtype());
    // SAFETY: as in `read`; the caller of `run` hands in outputs that nobody reads meanwhile.
    unsafe { std::ptr::copy_nonoverlapping(bits.as_ptr(), at, size) };
}

fn cast(value: Scalar, dtype: DType) -> Scalar {
    if dtype == DType::Bool { Scalar::Bool(value.as_bool()) } else { value }
}

fn unary(op: UnaryOp, value: Scalar) -> Scalar {
    use UnaryOp::*;
    let (x, float) = (value.as_f64(), |y: f64| Scalar::Float(y));
    match (op, value) {
        (IsNan, _) => Scalar::Bool(x.is_nan()),
        (IsInf, _) => Scalar::Bool(x.is_infinite()),
        (IsFinite, _) => Scalar::Bool(x.is_finite()),
        (SignBit, _) => Scalar::Bool(x.is_sign_negative()),
        (Not, Scalar::Bool(x)) => Scalar::Bool(!x),
        (Not, _) => Scalar::Int(!value.as_i64()),
        (Neg, Scalar::Int(_) | Scalar::Wide(_)) => Scalar::Int(value.as_i64().wrapping_neg()),
        (Abs, Scalar::Int(x)) => Scalar::Int(x.wrapping_abs()),
        (Abs, Scalar::Wide(_)) => value,
        (Sign, Scalar::Int(x)) => Scalar::Int(x.signum()),
        (Sign, Scalar::Wide(_)) => Scalar::Int(1),
        (Square, Scalar::Int(_) | Scalar::Wide(_)) => {
            Scalar::Int(value.as_i64().wrapping_mul(value.as_i64()))
        }
        (Neg, _) => float(-x),
        (Abs, _) => float(x.abs()),
        (Sign, _) => float(if x == 0.0 || x.is_nan() { x } else { x.signum() }),
        (Square, _) => float(x * x),
        (Reciprocal, _) => float(1.0 / x),
        (Sqrt, _) => float(x.sqrt()),
        (Rsqrt, _) => float(1.0 / x.sqrt()),
        (Cbrt, _) => float(x.cbrt()),
        (Exp, _) => float(x.exp()),
        (Exp2, _) => float(x.exp2()),
        (Expm1, _) => float(x.exp_m1()),
        (Log, _) => float(x.ln()),
        (Log2, _) => float(x.log2()),
        (Log10, _) => float(x.log10()),
        (Log1p, _) => float(x.ln_1p()),
        (Sin, _) => float(x.sin()),
        (Cos, _) => float(x.cos()),
        (Tan, _) => float(x.tan()),
        (Asin, _) => float(x.asin()),
        (Acos, _) => float(x.acos()),
        (Atan, _) => float(x.atan()),
        (Sinh, _) => float(x.sinh()),
        (Cosh, _) => float(x.cosh()),
        (Tanh, _) => float(x.tanh()),
        (Asinh, _) => float(x.asinh()),
        (Acosh, _) => float(x.acosh()),
        (Atanh, _) => float(x.atanh()),
        (Sigmoid, _) => float(1.0 / (1.0 + (-x).exp())),
        (Erf, _) => float(erf(x)),
        (Erfc, _) => float(libm::erfc(x)),
        (Lgamma, _) => float(libm::lgamma(x)),
        (Floor, _) => float(x.floor()),
        (Ceil, _) => float(x.ceil()),
        (Trunc, _) => float(x.trunc()),
        (Round, _) => float(x.round_ties_even()),
    }
}

/// By the series around zero and the continued fraction beyond (Abramowitz and Stegun, 7.1.6 and
/// 7.1.14).
fn erf(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    let z = x.abs();
    let magnitude = if z < 3.0 {
        let (mut term, mut sum, mut n) = (z, z, 0.0);
        while term > sum * 1e-18 {
            n += 1.0;
            term *= 2.0 * z * z / (2.0 * n + 1.0);
            sum += term;
        }
        sum * (-z * z).exp() * std::f64::consts::FRAC_2_SQRT_PI
    } else if z > 6.5 {
        1.0
    } else {
        let fraction = (1..=60).rev().fold(z, |tail, k| z + f64::from(k) / 2.0 / tail);
        1.0 - (-z * z).exp() / fraction * std::f64::consts::FRAC_2_SQRT_PI / 2.0
    };
    magnitude.copysign(x)
}

fn binary(op: BinaryOp, a: Scalar, b: Scalar, dtype: DType, reg: Reg) -> Result<Scalar, Error> {
    match dtype {
        dtype if dtype.is_float() => {
            Ok(Scalar::Float(float_binary(op, a.as_f64(), b.as_f64(), dtype)))
        }
        // What the caller keeps of it is as wide as the type.
        _ => integer_binary(op, a.as_i128(), b.as_i128(), dtype, reg)
            .map(|result| Scalar::Int(result as i64)),
    }
}

fn float_binary(op: BinaryOp, a: f64, b: f64, dtype: DType) -> f64 {
    use BinaryOp::*;
    let nan_or = |value: f64| if a.is_nan() || b.is_nan() { f64::NAN } else { value };
    match op {
        Add => a + b,
        Sub => a - b,
        Mul => a * b,
        Div => a / b,
        FloorDiv => floor_div(a, b),
        Mod => modulo(a, b),
        Fmod => a % b,
        Pow => a.powf(b),
        Max => nan_or(a.max(b)),
        Min => nan_or(a.min(b)),
        Fmax => a.max(b),
        Fmin => a.min(b),
        Atan2 => a.atan2(b),
        Hypot => a.hypot(b),
        CopySign => a.copysign(b),
        NextAfter => next_after(a, b, dtype),
        LogAddExp if a == b => a + std::f64::consts::LN_2,
        LogAddExp => nan_or(a.max(b) + (-(a - b).abs()).exp().ln_1p()),
        LogAddExp2 if a == b => a + 1.0,
        LogAddExp2 => nan_or(a.max(b) + (-(a - b).abs()).exp2().ln_1p() * std::f64::consts::LOG2_E),
        BitAnd | BitOr | BitXor | Shl | Shr | Gcd | Lcm => f64::NAN,
    }
}

fn modulo(a: f64, b: f64) -> f64 {
    let rest = a % b;
    if rest == 0.0 {
        0f64.copysign(b)
    } else if (rest < 0.0) != (b < 0.0) {
        rest + b
    } else {
        rest
    }
}

fn floor_div(a: f64, b: f64) -> f64 {
    if b == 0.0 {
        return a / b;
    }
    let quotient = (a - modulo(a, b)) / b;
    if quotient == 0.0 {
        return 0f64.copysign(a / b);
    }
    let floor = quotient.floor();
    if quotient - floor > 0.5 { floor + 1.0 } else { floor }
}

fn next_after(a: f64, b: f64, dtype: DType) -> f64 {
    if a.is_nan() || b.is_nan() {
        return f64::NAN;
    }
    if a == b {
        return b;
    }
    if dtype == DType::F64 {
        return if b > a { a.next_up() } else { a.next_down() };
    }
    if let Some(format) = dtype.format().filter(|_| dtype.size() <= 2) {
        let held = |value: f64| Scalar::Float(value).held_as(dtype).as_f64();
        let towards = if b > a { 1.0 } else { -1.0 };
        if a.is_infinite() {
            return a.signum() * format.max;
        }
        let power = if a == 0.0 { f64::NEG_INFINITY } else { a.abs().log2().floor() };
        let step = towards * (power.max(format.least().into()) - f64::from(format.fraction)).exp2();
        // Below a power of two the numbers stand twice as close.
        let nearer = a + step / 2.0;
        let next = if held(nearer) == nearer { nearer } else { a + step };
        let is_beyond = next.abs() > format.max;
        return if is_beyond {
            held(towards * f64::INFINITY)
        } else {
            next.copysign(if next == 0.0 { a } else { next })
        };
    }
    let a = a as f32;
    f64::from(if b > f64::from(a) { a.next_up() } else { a.next_down() })
}

fn integer_binary(op: BinaryOp, a: i128, b: i128, dtype: DType, reg: Reg) -> Result<i128, Error> {
    use BinaryOp::*;
    let bits = dtype.size() as i128 * 8;
    Ok(match op {
        Add if dtype == DType::Bool => a | b,
        Mul if dtype == DType::Bool => a & b,
        Add => a + b,
        Sub => a - b,
        Mul => a.wrapping_mul(b),
        FloorDiv | Mod | Fmod if b == 0 => return Err(Error::DivisionByZero { instr: reg }),
        FloorDiv => {
            let quotient = a / b;
            if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
        }
        Mod => {
            let rest = a % b;
            if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }
        }
        Fmod => a % b,
        Pow if b < 0 => return Err(Error::NegativeExponent { instr: reg }),
        Pow => i128::from(wrapping_power(a as i64, b as u64)),
        Max | Fmax => a.max(b),
        Min | Fmin => a.min(b),
        BitAnd => a & b,
        BitOr => a | b,
        BitXor => a ^ b,
        Shl => {
            if (0..bits).contains(&b) {
                a << b
            } else {
                0
            }
        }
        Shr => {
            if (0..bits).contains(&b) {
                a >> b
            } else {
                a >> 64
            }
        }
        Gcd => gcd(a.unsigned_abs(), b.unsigned_abs()) as i128,
        Lcm => match gcd(a.unsigned_abs(), b.unsigned_abs()) {
            0 => 0,
            divisor => (a.unsigned_abs() / divisor * b.unsigned_abs()) as i128,
        },
        Div | Atan2 | Hypot | CopySign | NextAfter | LogAddExp | LogAddExp2 => 0,
    })
}

fn wrapping_power(mut base: i64, mut exponent: u64) -> i64 {
    let mut result = 1i64;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent >>= 1;
    }
    result
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn compare(op: CompareOp, a: Scalar, b: Scalar) -> bool {
    let order = match (a, b) {
        (Scalar::Float(a), Scalar::Float(b)) => a.partial_cmp(&b),
        _ => a.as_i128().partial_cmp(&b.as_i128()),
    };
    match op {
        CompareOp::Eq => order.is_some_and(|order| order.is_eq()),
        CompareOp::Ne => order.is_none_or(|order| order.is_ne()),
        CompareOp::Lt => order.is_some_and(|order| order.is_lt()),
        CompareOp::Le => order.is_some_and(|order| order.is_le()),
        CompareOp::Gt => order.is_some_and(|order| order.is_gt()),
        CompareOp::Ge => order.is_some_and(|order| order.is_ge()),
    }
}

struct Fold {
    op: ReduceOp,
    dtype: DType,
    best: Option<Scalar>,
    best_at: i64,
    seen: i64,
}

impl Fold {
    fn new(op: ReduceOp, dtype: DType) -> Fold {
        Fold { op, dtype, best: None, best_at: 0, seen: 0 }
    }

    fn take(&mut self, value: Scalar) {
        let is_nan = |scalar: Scalar| scalar.as_f64().is_nan();
        let wins =
            |a: Scalar, b: Scalar, op: CompareOp| !is_nan(b) && (is_nan(a) || compare(op, a, b));
        let best = match (self.best, self.op.way()) {
            (Some(best), _) => best,
            // NumPy's, too: the fold of one number by gcd or hypot has no sign.
            (None, Way::Joined(_)) => self.op.identity(self.dtype),
            (None, _) => {
                self.best = Some(value);
                self.seen += 1;
                return;
            }
        };
        let order = match self.op.join() {
            BinaryOp::Max => CompareOp::Gt,
            _ => CompareOp::Lt,
        };
        self.best = Some(match (self.op.way(), best) {
            (Way::Extreme(_) | Way::Position(_), best) => match wins(value, best, order) {
                true => {
                    self.best_at = self.seen;
                    value
                }
                false => best,
            },
            (Way::Total(BinaryOp::Mul), Scalar::Float(product)) => {
                Scalar::Float(product * value.as_f64())
            }
            (Way::Total(BinaryOp::Mul), product) => {
                Scalar::Int(product.as_i64().wrapping_mul(value.as_i64()))
            }
            (Way::Total(_), Scalar::Float(sum)) => Scalar::Float(sum + value.as_f64()),
            (Way::Total(_), sum) => Scalar::Int(sum.as_i64().wrapping_add(value.as_i64())),
            (Way::Joined(join), best) => {
                let joined = binary(join, best, value, self.dtype, Reg(0));
                joined.expect("what folds always has a result").held_as(self.dtype)
            }
        });
        self.seen += 1;
    }

    fn result(&self) -> Scalar {
        match self.best {
            _ if self.op.is_arg() => Scalar::Int(self.best_at),
            Some(best) => best,
            None => self.op.identity(self.dtype),
        }
    }
}
