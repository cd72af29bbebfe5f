//! `math`: functions of one number. A tensor of one element counts as its number.

mod gamma;
mod integers;
mod quick;

pub use integers::INTEGERS;

use std::f64::consts::PI;

use super::super::{Builtin, Call, Run};
use crate::device::libm;
use crate::diag::{ErrorKind, Fault};
use crate::interp::convert;
use crate::interp::value::{Module, Value};

const fn math(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    super::of(Module::Math, signature, run, doc)
}

/// A function of one real: `real`, `growing` or `plain` says what its errors are.
macro_rules! of_one {
    ($kind:ident, $signature:literal, $function:expr, $doc:literal) => {
        math($signature, |call| $kind(call, $function), $doc)
            .quick(|_, arguments, to| quick::of_one(arguments, to, $function))
    };
}

pub fn constants() -> Vec<(Module, &'static str, Value)> {
    use std::f64::consts;
    let constants = [
        ("pi", consts::PI),
        ("e", consts::E),
        ("tau", consts::TAU),
        ("inf", f64::INFINITY),
        ("nan", f64::NAN),
    ];
    constants.map(|(name, number)| (Module::Math, name, Value::Float(number))).to_vec()
}

/// Functions of reals.
pub const REAL: &[Builtin] = &[
    of_one!(real, "acos(x, /)", f64::acos, "The arc cosine, in radians."),
    of_one!(real, "acosh(x, /)", libm::acosh, "The inverse hyperbolic cosine."),
    of_one!(real, "asin(x, /)", f64::asin, "The arc sine, in radians."),
    of_one!(real, "asinh(x, /)", libm::asinh, "The inverse hyperbolic sine."),
    of_one!(real, "atan(x, /)", f64::atan, "The arc tangent, in radians."),
    of_one!(real, "atanh(x, /)", libm::atanh, "The inverse hyperbolic tangent."),
    of_one!(real, "cbrt(x, /)", f64::cbrt, "The cube root."),
    of_one!(real, "cos(x, /)", f64::cos, "The cosine of radians."),
    of_one!(growing, "cosh(x, /)", f64::cosh, "The hyperbolic cosine."),
    of_one!(plain, "degrees(x, /)", |x| x * (180.0 / PI), "Radians as degrees."),
    of_one!(plain, "erf(x, /)", libm::erf, "The error function."),
    of_one!(plain, "erfc(x, /)", libm::erfc, "One less the error function."),
    of_one!(growing, "exp(x, /)", f64::exp, "e to the power of x."),
    of_one!(growing, "exp2(x, /)", f64::exp2, "2 to the power of x."),
    of_one!(growing, "expm1(x, /)", f64::exp_m1, "exp(x) - 1, exact near zero."),
    of_one!(plain, "fabs(x, /)", f64::abs, "The absolute value, as a float."),
    math("gamma(x, /)", gamma, "The gamma function."),
    math("lgamma(x, /)", lgamma, "The logarithm of the absolute value of the gamma function."),
    math("log(x, base=..., /)", log, "The natural logarithm, or the one to a base.")
        .quick(|_, arguments, to| quick::of_one(arguments, to, f64::ln)),
    of_one!(real, "log10(x, /)", f64::log10, "The logarithm to the base 10."),
    of_one!(real, "log1p(x, /)", f64::ln_1p, "log(1 + x), exact near zero."),
    of_one!(real, "log2(x, /)", f64::log2, "The logarithm to the base 2."),
    of_one!(plain, "radians(x, /)", |x| x * (PI / 180.0), "Degrees as radians."),
    of_one!(real, "sin(x, /)", f64::sin, "The sine of radians."),
    of_one!(growing, "sinh(x, /)", f64::sinh, "The hyperbolic sine."),
    of_one!(real, "sqrt(x, /)", f64::sqrt, "The square root."),
    of_one!(real, "tan(x, /)", f64::tan, "The tangent of radians."),
    of_one!(real, "tanh(x, /)", f64::tanh, "The hyperbolic tangent."),
    math(
        "atan2(y, x, /)",
        |call| Ok(Value::Float(call.float(0)?.atan2(call.float(1)?))),
        "The angle of a point, in radians.",
    )
    .quick(|_, arguments, to| quick::of_two(arguments, to, f64::atan2)),
    math(
        "copysign(x, y, /)",
        |call| Ok(Value::Float(call.float(0)?.copysign(call.float(1)?))),
        "The size of x with the sign of y.",
    )
    .quick(|_, arguments, to| quick::of_two(arguments, to, f64::copysign)),
    math("fmod(x, y, /)", fmod, "The remainder of x / y cut towards zero.")
        .quick(|_, arguments, to| quick::of_two(arguments, to, |x, y| x % y)),
    math("remainder(x, y, /)", remainder, "The remainder of x / y rounded, halves to even."),
    math("pow(x, y, /)", pow, "x to the power of y, as a float.")
        .quick(|_, arguments, to| quick::of_two(arguments, to, f64::powf)),
    math("hypot(*coordinates)", hypot, "The distance of a point from the origin.")
        .quick(|_, arguments, to| quick::of_two(arguments, to, |x, y| norm(&[x, y]))),
    math("dist(p, q, /)", dist, "The distance of two points.").asks_objects(),
];

/// What floats are made of, and sums.
pub const PARTS: &[Builtin] = &[
    math("ceil(x, /)", |call| whole(call, f64::ceil), "The least integer that is not less.")
        .quick(|_, arguments, to| quick::whole(arguments, to, f64::ceil)),
    math("floor(x, /)", |call| whole(call, f64::floor), "The largest integer that is not more.")
        .quick(|_, arguments, to| quick::whole(arguments, to, f64::floor)),
    math("trunc(x, /)", |call| whole(call, f64::trunc), "The integer towards zero.")
        .quick(|_, arguments, to| quick::whole(arguments, to, f64::trunc)),
    math(
        "isfinite(x, /)",
        |call| Ok(Value::Bool(call.float(0)?.is_finite())),
        "Whether it is neither infinite nor NaN.",
    )
    .quick(|_, arguments, to| quick::is_so(arguments, to, f64::is_finite)),
    math("isinf(x, /)", |call| Ok(Value::Bool(call.float(0)?.is_infinite())), "Whether infinite.")
        .quick(|_, arguments, to| quick::is_so(arguments, to, f64::is_infinite)),
    math("isnan(x, /)", |call| Ok(Value::Bool(call.float(0)?.is_nan())), "Whether it is NaN.")
        .quick(|_, arguments, to| quick::is_so(arguments, to, f64::is_nan)),
    math(
        "isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0)",
        isclose,
        "Whether two numbers are close to each other.",
    ),
    math("frexp(x, /)", frexp, "(m, e) with x = m * 2**e and 0.5 <= abs(m) < 1."),
    math("ldexp(x, i, /)", ldexp, "x * 2**i"),
    math("modf(x, /)", modf, "The fraction and the integer of a float, both as floats."),
    math("nextafter(x, y, /)", nextafter, "The float next to x in the direction of y."),
    math("ulp(x, /)", ulp, "The value of a float's last bit."),
    math("fsum(seq, /)", fsum, "The sum of floats, rounded once.").asks_objects(),
    math("prod(iterable, /, *, start=1)", prod, "The product of what a value holds.")
        .asks_objects(),
];

fn domain() -> Fault {
    Fault::value_error("math domain error")
}

fn range() -> Fault {
    Fault::new(ErrorKind::Overflow, "math range error")
}

fn plain(call: &Call<'_>, function: fn(f64) -> f64) -> Result<Value, Fault> {
    Ok(Value::Float(function(call.float(0)?)))
}

/// A function that has no value outside its domain.
fn real(call: &Call<'_>, function: fn(f64) -> f64) -> Result<Value, Fault> {
    let x = call.float(0)?;
    let y = function(x);
    if y.is_nan() && !x.is_nan() && x.is_finite() {
        let name = call.name();
        let is_there = call.evaluator.interp.registry.attribute_of_module(Module::Cmath, name);
        return Err(match is_there {
            Some(_) => {
                let hint = format!("`cmath.{name}` gives complex numbers");
                call.fault_at(0, domain().with_hint(hint))
            }
            None => call.fault_at(0, domain()),
        });
    }
    if y.is_nan() && !x.is_nan() || y.is_infinite() && x.is_finite() {
        return Err(call.fault_at(0, domain()));
    }
    Ok(Value::Float(y))
}

/// A function whose values may be too large for a float.
fn growing(call: &Call<'_>, function: fn(f64) -> f64) -> Result<Value, Fault> {
    let x = call.float(0)?;
    let y = function(x);
    if y.is_infinite() && x.is_finite() {
        return Err(call.fault_at(0, range()));
    }
    Ok(Value::Float(y))
}

fn gamma(call: &mut Call<'_>) -> Result<Value, Fault> {
    let x = call.float(0)?;
    let is_pole = x <= 0.0 && x.is_finite() && x.fract() == 0.0 || x == f64::NEG_INFINITY;
    if is_pole {
        return Err(call.fault_at(0, domain()));
    }
    let y = gamma::gamma(x);
    if y.is_infinite() && x.is_finite() {
        return Err(call.fault_at(0, range()));
    }
    Ok(Value::Float(y))
}

fn lgamma(call: &mut Call<'_>) -> Result<Value, Fault> {
    let x = call.float(0)?;
    if x <= 0.0 && x.is_finite() && x.fract() == 0.0 {
        return Err(call.fault_at(0, domain()));
    }
    let y = gamma::lgamma(x);
    if y.is_infinite() && x.is_finite() {
        return Err(call.fault_at(0, range()));
    }
    Ok(Value::Float(y))
}

fn log(call: &mut Call<'_>) -> Result<Value, Fault> {
    let Value::Float(number) = real(call, f64::ln)? else { return Ok(Value::None) };
    if !call.given(1) {
        return Ok(Value::Float(number));
    }
    let base = call.float(1)?;
    let below = base.ln();
    if base <= 0.0 {
        return Err(call.fault_at(1, domain()));
    }
    if below == 0.0 {
        let fault = Fault::new(ErrorKind::ZeroDivision, "float division by zero");
        return Err(call.fault_at(1, fault));
    }
    Ok(Value::Float(number / below))
}

fn fmod(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (x, y) = (call.float(0)?, call.float(1)?);
    let rest = x % y;
    if rest.is_nan() && !x.is_nan() && !y.is_nan() {
        return Err(domain());
    }
    Ok(Value::Float(rest))
}

fn remainder(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (x, y) = (call.float(0)?, call.float(1)?);
    let rest = libm::remainder(x, y);
    if rest.is_nan() && !x.is_nan() && !y.is_nan() {
        return Err(domain());
    }
    Ok(Value::Float(rest))
}

fn pow(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (x, y) = (call.float(0)?, call.float(1)?);
    let power = x.powf(y);
    if x.is_finite() && y.is_finite() {
        if power.is_nan() || power.is_infinite() && x == 0.0 {
            return Err(domain());
        }
        if power.is_infinite() {
            return Err(range());
        }
    }
    Ok(Value::Float(power))
}

/// The length of a vector, without a square that is too large or too small. What is rounded off on the way is
/// added up beside it and brought in by one step of Newton's, so that almost always the nearest float comes out.
fn norm(parts: &[f64]) -> f64 {
    let largest = parts.iter().fold(0.0, |largest: f64, part| largest.max(part.abs()));
    if parts.iter().any(|part| part.is_infinite()) {
        return f64::INFINITY;
    }
    if parts.len() < 2 || largest == 0.0 || parts.iter().any(|part| part.is_nan()) {
        return parts.iter().sum::<f64>().abs();
    }
    let (_, power) = split(largest);
    let (mut sum, mut rest) = (0.0, 0.0);
    let mut add = |a: f64, b: f64| {
        let product = a * b;
        let next: f64 = sum + product;
        let part = next - sum;
        rest += (sum - (next - part)) + (product - part) + a.mul_add(b, -product);
        sum = next;
        sum + rest
    };
    let square = parts.iter().map(|part| scale(*part, -power)).fold(0.0, |_, part| add(part, part));
    let root = square.sqrt();
    scale(root + add(-root, root) / (2.0 * root), power)
}

fn hypot(call: &mut Call<'_>) -> Result<Value, Fault> {
    let float = |argument: &super::super::Argument| {
        let number = convert::float(call.engine(), &argument.value);
        number.map_err(|fault| call.fault_of(argument, fault))
    };
    let parts = call.rest().iter().map(float).collect::<Result<Vec<f64>, _>>()?;
    Ok(Value::Float(norm(&parts)))
}

fn floats(call: &Call<'_>, position: usize) -> Result<Vec<f64>, Fault> {
    let mut floats = Vec::new();
    call.evaluator.each(call.value(position), |item| {
        floats.push(convert::float(call.engine(), &item)?);
        Ok(true)
    })?;
    Ok(floats)
}

fn dist(call: &mut Call<'_>) -> Result<Value, Fault> {
    let point = |position: usize| -> Result<Vec<f64>, Fault> {
        let items = match call.value(position).plain() {
            // Of a tuple, CPython takes what it holds, whatever its class says.
            items @ Value::Tuple(_) => call.evaluator.iterate(items)?,
            _ => call.evaluator.iterate(call.value(position))?,
        };
        items.iter().map(|item| convert::float(call.engine(), item)).collect()
    };
    let (p, q) = (point(0)?, point(1)?);
    if p.len() != q.len() {
        let message = "both points must have the same number of dimensions";
        return Err(Fault::value_error(message));
    }
    let parts: Vec<f64> = p.iter().zip(&q).map(|(p, q)| p - q).collect();
    Ok(Value::Float(norm(&parts)))
}

fn whole(call: &Call<'_>, round: fn(f64) -> f64) -> Result<Value, Fault> {
    match call.value(0) {
        number @ (Value::Int(_) | Value::Wide(_)) => Ok(number.clone()),
        Value::Bool(flag) => Ok(Value::Int(i64::from(*flag))),
        _ => {
            let number = super::super::python::float_to_int(round(call.float(0)?));
            number.map(Value::from).map_err(|fault| call.fault_at(0, fault))
        }
    }
}

fn isclose(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (a, b) = (call.float("a")?, call.float("b")?);
    let (relative, absolute) = (call.float("rel_tol")?, call.float("abs_tol")?);
    if relative < 0.0 || absolute < 0.0 {
        return Err(Fault::value_error("tolerances must be non-negative"));
    }
    if a == b {
        return Ok(Value::Bool(true));
    }
    if a.is_infinite() || b.is_infinite() {
        return Ok(Value::Bool(false));
    }
    let difference = (b - a).abs();
    let is_close = difference <= (relative * b).abs()
        || difference <= (relative * a).abs()
        || difference <= absolute;
    Ok(Value::Bool(is_close))
}

/// `(m, e)` with x = m * 2^e and 0.5 <= |m| < 1.
fn split(x: f64) -> (f64, i32) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    // Subnormal numbers have their first bit further down.
    let (x, below) = if x.abs() < f64::MIN_POSITIVE { (x * 2f64.powi(54), 54) } else { (x, 0) };
    let bits = x.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1022;
    let mantissa = f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52);
    (mantissa, exponent - below)
}

/// x * 2^power, rounded once.
fn scale(x: f64, power: i32) -> f64 {
    let (mantissa, exponent) = split(x);
    if mantissa == 0.0 || !mantissa.is_finite() {
        return mantissa;
    }
    let exponent = exponent.saturating_add(power);
    if exponent > 1024 {
        return f64::INFINITY.copysign(x);
    }
    if exponent < -1080 {
        return 0.0f64.copysign(x);
    }
    // Each step is exact but the last.
    let first = exponent.clamp(-1000, 1000);
    mantissa * 2f64.powi(first) * 2f64.powi(exponent - first)
}

fn frexp(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (mantissa, exponent) = split(call.float(0)?);
    Ok(Value::tuple([Value::Float(mantissa), Value::Int(i64::from(exponent))]))
}

fn ldexp(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (x, power) = (call.float(0)?, call.int(1)?);
    let power = power.clamp(-5000, 5000) as i32;
    let scaled = scale(x, power);
    if scaled.is_infinite() && x.is_finite() {
        return Err(range());
    }
    Ok(Value::Float(scaled))
}

fn modf(call: &mut Call<'_>) -> Result<Value, Fault> {
    let x = call.float(0)?;
    let fraction = if x.is_infinite() { 0.0 } else { x.fract() };
    Ok(Value::tuple([Value::Float(fraction.copysign(x)), Value::Float(x.trunc())]))
}

fn nextafter(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (x, y) = (call.float(0)?, call.float(1)?);
    Ok(Value::Float(if x.is_nan() || y.is_nan() {
        f64::NAN
    } else if x == y {
        y
    } else if y > x {
        x.next_up()
    } else {
        x.next_down()
    }))
}

fn ulp(call: &mut Call<'_>) -> Result<Value, Fault> {
    let x = call.float(0)?.abs();
    let above = x.next_up();
    Ok(Value::Float(if x.is_nan() || x.is_infinite() {
        x
    } else if above.is_infinite() {
        x - x.next_down()
    } else {
        above - x
    }))
}

/// The sum of numbers, rounded once; `None` where a partial sum is too large.
fn exact_sum(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    // Partial sums that do not overlap, the smallest first.
    let mut partials: Vec<f64> = Vec::new();
    let mut special = 0.0;
    for number in numbers {
        if !number.is_finite() {
            special += number;
            continue;
        }
        let mut x = number;
        let mut kept = 0;
        for at in 0..partials.len() {
            let mut y = partials[at];
            if x.abs() < y.abs() {
                (x, y) = (y, x);
            }
            let high = x + y;
            let low = y - (high - x);
            if low != 0.0 {
                partials[kept] = low;
                kept += 1;
            }
            x = high;
        }
        if x.is_infinite() {
            return None;
        }
        partials.truncate(kept);
        partials.push(x);
    }
    if special != 0.0 || special.is_nan() {
        return Some(special);
    }
    let mut rest = partials.into_iter().rev();
    let Some(mut high) = rest.next() else { return Some(0.0) };
    while let Some(x) = rest.next() {
        let before = high;
        high = before + x;
        let low = x - (high - before);
        if low != 0.0 {
            // Halves go to even, unless what is left pushes them.
            if let Some(next) = rest.next()
                && (low < 0.0) == (next < 0.0)
                && next != 0.0
            {
                let twice = low * 2.0;
                let rounded = high + twice;
                if twice == rounded - high {
                    high = rounded;
                }
            }
            break;
        }
    }
    Some(high)
}

fn fsum(call: &mut Call<'_>) -> Result<Value, Fault> {
    let numbers = floats(call, 0)?;
    if numbers.contains(&f64::INFINITY) && numbers.contains(&f64::NEG_INFINITY) {
        return Err(call.fault_at(0, Fault::value_error("-inf + inf in fsum")));
    }
    let too_large = || Fault::new(ErrorKind::Overflow, "intermediate overflow in fsum");
    exact_sum(numbers.into_iter()).map(Value::Float).ok_or_else(too_large)
}

fn prod(call: &mut Call<'_>) -> Result<Value, Fault> {
    let evaluator = call.evaluator;
    let mut product = call.value("start").clone();
    evaluator.each(call.value(0), |item| {
        product = evaluator.binary(crate::syntax::ast::BinaryOp::Mul, &product, &item)?;
        Ok(true)
    })?;
    Ok(product)
}
