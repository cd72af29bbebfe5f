//! Distributions, each drawn from the stream in the order in which CPython does.

use std::f64::consts::{E, LN_2, PI, SQRT_2, TAU};

use super::super::super::Call;
use super::{Twister, with};
use crate::diag::{ErrorKind, Fault};
use crate::interp::value::Value;

pub(super) fn float(call: &Call<'_>) -> Result<Value, Fault> {
    Ok(Value::Float(with(call, Twister::float)))
}

pub(super) fn uniform(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (a, b) = (call.float("a")?, call.float("b")?);
    Ok(Value::Float(a + (b - a) * with(call, Twister::float)))
}

pub(super) fn triangular(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (mut low, mut high) = (call.float("low")?, call.float("high")?);
    let mode = call.optional_float("mode")?;
    let mut u = with(call, Twister::float);
    if low == high {
        return Ok(Value::Float(low));
    }
    let mut c = mode.map_or(0.5, |mode| (mode - low) / (high - low));
    if u > c {
        (u, c) = (1.0 - u, 1.0 - c);
        (low, high) = (high, low);
    }
    Ok(Value::Float(low + (high - low) * (u * c).sqrt()))
}

pub(super) fn gauss(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (mu, sigma) = (call.float("mu")?, call.float("sigma")?);
    let z = with(call, |stream| {
        stream.next_gauss.take().unwrap_or_else(|| {
            let angle = stream.float() * TAU;
            let radius = (-2.0 * (1.0 - stream.float()).ln()).sqrt();
            stream.next_gauss = Some(angle.sin() * radius);
            angle.cos() * radius
        })
    });
    Ok(Value::Float(mu + z * sigma))
}

/// By the ratio of two uniform numbers.
fn standard_normal(stream: &mut Twister) -> f64 {
    let factor = 4.0 * (-0.5f64).exp() / SQRT_2;
    loop {
        let u = stream.float();
        let v = 1.0 - stream.float();
        let z = factor * (u - 0.5) / v;
        if z * z / 4.0 <= -v.ln() {
            return z;
        }
    }
}

pub(super) fn normal(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (mu, sigma) = (call.float("mu")?, call.float("sigma")?);
    Ok(Value::Float(mu + with(call, standard_normal) * sigma))
}

pub(super) fn lognormal(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (mu, sigma) = (call.float("mu")?, call.float("sigma")?);
    let value = (mu + with(call, standard_normal) * sigma).exp();
    if value.is_infinite() {
        return Err(Fault::new(ErrorKind::Overflow, "math range error"));
    }
    Ok(Value::Float(value))
}

pub(super) fn exponential(call: &mut Call<'_>) -> Result<Value, Fault> {
    let rate = call.float("lambd")?;
    if rate == 0.0 {
        return Err(zero_division(call, "lambd"));
    }
    Ok(Value::Float(-(1.0 - with(call, Twister::float)).ln() / rate))
}

fn zero_division(call: &Call<'_>, name: &str) -> Fault {
    call.fault_at(name, Fault::new(ErrorKind::ZeroDivision, "float division by zero"))
}

pub(super) fn von_mises(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (mu, kappa) = (call.float("mu")?, call.float("kappa")?);
    let angle = with(call, |stream| {
        if kappa <= 1e-6 {
            return TAU * stream.float();
        }
        let s = 0.5 / kappa;
        let r = s + (1.0 + s * s).sqrt();
        let z = loop {
            let z = (PI * stream.float()).cos();
            let d = z / (r + z);
            let u = stream.float();
            if u < 1.0 - d * d || u <= (1.0 - d) * d.exp() {
                break z;
            }
        };
        let q = 1.0 / r;
        let f = (q + z) / (1.0 + q * z);
        let turned = if stream.float() > 0.5 { mu + f.acos() } else { mu - f.acos() };
        crate::interp::scalar::float_mod(turned, TAU)
    });
    Ok(Value::Float(angle))
}

fn gamma_of(stream: &mut Twister, alpha: f64, beta: f64) -> f64 {
    if alpha > 1.0 {
        let a = (2.0 * alpha - 1.0).sqrt();
        let b = alpha - 2.0 * LN_2;
        let c = alpha + a;
        loop {
            let u = stream.float();
            if !(1e-7..0.999_999_9).contains(&u) || u == 1e-7 {
                continue;
            }
            let rest = 1.0 - stream.float();
            let v = (u / (1.0 - u)).ln() / a;
            let x = alpha * v.exp();
            let z = u * u * rest;
            let r = b + c * v - x;
            if r + (1.0 + 4.5f64.ln()) - 4.5 * z >= 0.0 || r >= z.ln() {
                return x * beta;
            }
        }
    }
    if alpha == 1.0 {
        return -(1.0 - stream.float()).ln() * beta;
    }
    loop {
        let u = stream.float();
        let b = (E + alpha) / E;
        let p = b * u;
        let x = if p <= 1.0 { p.powf(1.0 / alpha) } else { -((b - p) / alpha).ln() };
        let v = stream.float();
        let is_taken = if p > 1.0 { v <= x.powf(alpha - 1.0) } else { v <= (-x).exp() };
        if is_taken {
            return x * beta;
        }
    }
}

pub(super) fn gamma(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (alpha, beta) = (call.float("alpha")?, call.float("beta")?);
    if !(alpha > 0.0 && beta > 0.0) {
        return Err(Fault::value_error("gammavariate: alpha and beta must be > 0.0"));
    }
    Ok(Value::Float(with(call, |stream| gamma_of(stream, alpha, beta))))
}

pub(super) fn beta(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (alpha, beta) = (call.float("alpha")?, call.float("beta")?);
    if !(alpha > 0.0 && beta > 0.0) {
        return Err(Fault::value_error("gammavariate: alpha and beta must be > 0.0"));
    }
    let value = with(call, |stream| match gamma_of(stream, alpha, 1.0) {
        0.0 => 0.0,
        y => y / (y + gamma_of(stream, beta, 1.0)),
    });
    Ok(Value::Float(value))
}

pub(super) fn pareto(call: &mut Call<'_>) -> Result<Value, Fault> {
    let alpha = call.float("alpha")?;
    if alpha == 0.0 {
        return Err(zero_division(call, "alpha"));
    }
    Ok(Value::Float((1.0 - with(call, Twister::float)).powf(-1.0 / alpha)))
}

pub(super) fn weibull(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (alpha, beta) = (call.float("alpha")?, call.float("beta")?);
    if beta == 0.0 {
        return Err(zero_division(call, "beta"));
    }
    let u = 1.0 - with(call, Twister::float);
    Ok(Value::Float(alpha * (-u.ln()).powf(1.0 / beta)))
}
