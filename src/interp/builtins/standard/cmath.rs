//! `cmath`: functions of one complex number, by CPython's formulas. What lies along a branch cut takes the
//! side that the sign of a zero says; where a part is infinite or NaN, C99 says what comes out.

mod functions;
mod special;

use num_complex::Complex64;

use super::super::python::complex_of;
use super::super::{Builtin, Call, Run};
use crate::diag::{ErrorKind, Fault};
use crate::interp::complex;
use crate::interp::value::{Module, Value};
use functions::Failure;

const fn cmath(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    super::of(Module::Cmath, signature, run, doc)
}

pub fn constants() -> Vec<(Module, &'static str, Value)> {
    use std::f64::consts;
    let real = [
        ("pi", consts::PI),
        ("e", consts::E),
        ("tau", consts::TAU),
        ("inf", f64::INFINITY),
        ("nan", f64::NAN),
    ];
    let real = real.map(|(name, number)| (Module::Cmath, name, Value::Float(number)));
    let imaginary = [("infj", f64::INFINITY), ("nanj", f64::NAN)];
    let imaginary = imaginary.map(|(name, size)| (Module::Cmath, name, Value::imaginary(size)));
    real.into_iter().chain(imaginary).collect()
}

pub const BUILTINS: &[Builtin] = &[
    cmath("acos(z, /)", |call| apply(call, functions::acos), "The arc cosine."),
    cmath("acosh(z, /)", |call| apply(call, functions::acosh), "The inverse hyperbolic cosine."),
    cmath("asin(z, /)", |call| apply(call, functions::asin), "The arc sine."),
    cmath("asinh(z, /)", |call| apply(call, functions::asinh), "The inverse hyperbolic sine."),
    cmath("atan(z, /)", |call| apply(call, functions::atan), "The arc tangent."),
    cmath("atanh(z, /)", |call| apply(call, functions::atanh), "The inverse hyperbolic tangent."),
    cmath("cos(z, /)", |call| apply(call, functions::cos), "The cosine."),
    cmath("cosh(z, /)", |call| apply(call, functions::cosh), "The hyperbolic cosine."),
    cmath("exp(z, /)", |call| apply(call, functions::exp), "e to the power of z."),
    cmath("log(z, base=..., /)", log, "The natural logarithm, or the one to a base."),
    cmath("log10(z, /)", |call| apply(call, functions::log10), "The logarithm to the base 10."),
    cmath("sin(z, /)", |call| apply(call, functions::sin), "The sine."),
    cmath("sinh(z, /)", |call| apply(call, functions::sinh), "The hyperbolic sine."),
    cmath("sqrt(z, /)", |call| apply(call, functions::sqrt), "The square root."),
    cmath("tan(z, /)", |call| apply(call, functions::tan), "The tangent."),
    cmath("tanh(z, /)", |call| apply(call, functions::tanh), "The hyperbolic tangent."),
    cmath(
        "phase(z, /)",
        |call| {
            let z = number(call, 0)?;
            Ok(Value::Float(z.im.atan2(z.re)))
        },
        "The angle of a number, in radians.",
    ),
    cmath("polar(z, /)", polar, "The size and the angle of a number."),
    cmath("rect(r, phi, /)", rect, "The number of a size and an angle."),
    cmath(
        "isfinite(z, /)",
        |call| Ok(Value::Bool(number(call, 0)?.is_finite())),
        "Whether both parts are neither infinite nor NaN.",
    ),
    cmath(
        "isinf(z, /)",
        |call| Ok(Value::Bool(is_infinite(number(call, 0)?))),
        "Whether a part is infinite.",
    ),
    cmath(
        "isnan(z, /)",
        |call| Ok(Value::Bool(number(call, 0)?.is_nan())),
        "Whether a part is NaN.",
    ),
    cmath(
        "isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0)",
        isclose,
        "Whether two numbers are close to each other.",
    ),
];

/// An argument as a complex number.
fn number(call: &Call<'_>, at: usize) -> Result<Complex64, Fault> {
    complex_of(call, at)?.ok_or_else(|| {
        let message = format!("must be real number, not {}", call.value(at).type_name());
        call.fault_at(at, Fault::type_error(message))
    })
}

fn apply(
    call: &Call<'_>,
    function: fn(Complex64) -> Result<Complex64, Failure>,
) -> Result<Value, Fault> {
    let result = function(number(call, 0)?);
    result.map(Value::from).map_err(|failure| call.fault_at(0, fault(failure)))
}

#[cold]
fn fault(failure: Failure) -> Fault {
    match failure {
        Failure::Domain => Fault::value_error("math domain error"),
        Failure::Range => Fault::new(ErrorKind::Overflow, "math range error"),
    }
}

fn log(call: &mut Call<'_>) -> Result<Value, Fault> {
    if !call.given(1) {
        return apply(call, functions::log);
    }
    let logarithm = |at: usize| {
        functions::log(number(call, at)?).map_err(|failure| call.fault_at(at, fault(failure)))
    };
    let z = number(call, 0)?;
    let above = match z == Complex64::default() {
        // Beside a base CPython goes on from here.
        true => Complex64::new(f64::NEG_INFINITY, z.im.atan2(z.re)),
        false => logarithm(0)?,
    };
    let quotient = complex::quotient(above, logarithm(1)?);
    quotient.map(Value::from).ok_or_else(|| call.fault_at(1, fault(Failure::Domain)))
}

/// As C99 has it: also beside a NaN.
fn is_infinite(z: Complex64) -> bool {
    z.re.is_infinite() || z.im.is_infinite()
}

fn polar(call: &mut Call<'_>) -> Result<Value, Fault> {
    let z = number(call, 0)?;
    let size = complex::absolute(z).map_err(|_| call.fault_at(0, fault(Failure::Range)))?;
    Ok(Value::tuple([Value::Float(size), Value::Float(z.im.atan2(z.re))]))
}

fn rect(call: &mut Call<'_>) -> Result<Value, Fault> {
    let number = functions::rect(call.float(0)?, call.float(1)?);
    number.map(Value::from).map_err(|failure| call.fault_at(1, fault(failure)))
}

fn isclose(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (a, b) = (number(call, 0)?, number(call, 1)?);
    let (relative, absolute) = (call.float("rel_tol")?, call.float("abs_tol")?);
    if relative < 0.0 || absolute < 0.0 {
        return Err(Fault::value_error("tolerances must be non-negative"));
    }
    if a == b {
        return Ok(Value::Bool(true));
    }
    if is_infinite(a) || is_infinite(b) {
        return Ok(Value::Bool(false));
    }
    let size = |z: Complex64| z.re.hypot(z.im);
    let difference = size(a - b);
    let is_close = difference <= relative * size(b)
        || difference <= relative * size(a)
        || difference <= absolute;
    Ok(Value::Bool(is_close))
}
