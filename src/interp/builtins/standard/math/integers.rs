//! Functions of integers.

use super::super::super::{Argument, Builtin, Call};
use super::math;
use crate::diag::Fault;
use crate::interp::value::Value;
use crate::interp::{convert, scalar};

pub const INTEGERS: &[Builtin] = &[
    math("comb(n, k, /)", comb, "In how many ways k of n things can be chosen."),
    math("perm(n, k=None, /)", perm, "In how many ways k of n things can be put in a row."),
    math("factorial(n, /)", factorial, "The product of 1 to n."),
    math("gcd(*integers)", gcd, "The greatest common divisor.")
        .quick(|_, arguments, to| super::quick::gcd(arguments, to)),
    math("lcm(*integers)", lcm, "The least common multiple."),
    math("isqrt(n, /)", isqrt, "The square root of an integer, cut down to one."),
];

fn natural(call: &Call<'_>, position: usize, name: &str) -> Result<i64, Fault> {
    let number = call.int(position)?;
    if number < 0 {
        let message = format!("{name} must be a non-negative integer");
        return Err(call.fault_at(position, Fault::value_error(message)));
    }
    Ok(number)
}

fn comb(call: &mut Call<'_>) -> Result<Value, Fault> {
    call.int(1)?;
    let (n, k) = (natural(call, 0, "n")?, natural(call, 1, "k")?);
    if k > n {
        return Ok(Value::Int(0));
    }
    let mut ways: i128 = 1;
    for i in 1..=i128::from(k.min(n - k)) {
        ways = ways * (i128::from(n) - i + 1) / i;
        if ways > i128::from(i64::MAX) {
            return Err(scalar::too_large("comb"));
        }
    }
    Ok(Value::Int(ways as i64))
}

fn perm(call: &mut Call<'_>) -> Result<Value, Fault> {
    call.optional_int(1)?;
    let n = natural(call, 0, "n")?;
    let k = if call.is_none(1) { n } else { natural(call, 1, "k")? };
    if k > n {
        return Ok(Value::Int(0));
    }
    product((n - k + 1)..=n).map(Value::Int).ok_or_else(|| scalar::too_large("perm"))
}

fn product(mut numbers: impl Iterator<Item = i64>) -> Option<i64> {
    numbers.try_fold(1i64, i64::checked_mul)
}

fn factorial(call: &mut Call<'_>) -> Result<Value, Fault> {
    let n = call.int(0)?;
    if n < 0 {
        let fault = Fault::value_error("factorial() not defined for negative values");
        return Err(call.fault_at(0, fault));
    }
    product(1..=n).map(Value::Int).ok_or_else(|| scalar::too_large("factorial"))
}

pub(super) fn divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn integers(call: &Call<'_>) -> Result<Vec<u64>, Fault> {
    let integer = |argument: &Argument| {
        let number = convert::integer(call.engine(), &argument.value);
        number.map(i64::unsigned_abs).map_err(|fault| call.fault_of(argument, fault))
    };
    call.rest().iter().map(integer).collect()
}

fn gcd(call: &mut Call<'_>) -> Result<Value, Fault> {
    let gcd = integers(call)?.into_iter().fold(0, divisor);
    i64::try_from(gcd).map(Value::Int).map_err(|_| scalar::too_large("gcd"))
}

fn lcm(call: &mut Call<'_>) -> Result<Value, Fault> {
    let mut lcm: u64 = 1;
    for number in integers(call)? {
        if number == 0 {
            return Ok(Value::Int(0));
        }
        let next = (lcm / divisor(lcm, number)).checked_mul(number);
        lcm = next.ok_or_else(|| scalar::too_large("lcm"))?;
    }
    i64::try_from(lcm).map(Value::Int).map_err(|_| scalar::too_large("lcm"))
}

fn isqrt(call: &mut Call<'_>) -> Result<Value, Fault> {
    let n = call.int(0)?;
    if n < 0 {
        let fault = Fault::value_error("isqrt() argument must be nonnegative");
        return Err(call.fault_at(0, fault));
    }
    Ok(Value::Int(n.isqrt()))
}
