//! Where a part is infinite or NaN: the results of C99's Annex G, by the kinds of both parts. Signs of
//! zeros and infinities are part of them.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use num_complex::Complex64;

type Table = [[(f64, f64); 7]; 7];

const I: f64 = f64::INFINITY;
const N: f64 = f64::NAN;
const P34: f64 = 0.75 * PI;
/// What no table is asked about: finite numbers, and infinite ones whose signs an angle decides.
const U: (f64, f64) = (N, N);
/// What is an error.
const D: (f64, f64) = (N, N);

/// The kind of a part, by which tables are looked up: -inf, negative, -0, 0, positive, inf, NaN.
fn kind(part: f64) -> usize {
    match part {
        _ if part.is_nan() => 6,
        _ if part.is_infinite() => {
            if part > 0.0 {
                5
            } else {
                0
            }
        }
        0.0 => {
            if part.is_sign_negative() {
                2
            } else {
                3
            }
        }
        _ => {
            if part > 0.0 {
                4
            } else {
                1
            }
        }
    }
}

/// What a table says of a number that is not finite.
pub fn of(table: &Table, z: Complex64) -> Complex64 {
    let (re, im) = table[kind(z.re)][kind(z.im)];
    Complex64::new(re, im)
}

pub const ACOS: Table = [
    [(P34, I), (PI, I), (PI, I), (PI, -I), (PI, -I), (P34, -I), (N, I)],
    [(FRAC_PI_2, I), U, U, U, U, (FRAC_PI_2, -I), (N, N)],
    [(FRAC_PI_2, I), U, U, U, U, (FRAC_PI_2, -I), (FRAC_PI_2, N)],
    [(FRAC_PI_2, I), U, U, U, U, (FRAC_PI_2, -I), (FRAC_PI_2, N)],
    [(FRAC_PI_2, I), U, U, U, U, (FRAC_PI_2, -I), (N, N)],
    [(FRAC_PI_4, I), (0.0, I), (0.0, I), (0.0, -I), (0.0, -I), (FRAC_PI_4, -I), (N, I)],
    [(N, I), (N, N), (N, N), (N, N), (N, N), (N, -I), (N, N)],
];

pub const ACOSH: Table = [
    [(I, -P34), (I, -PI), (I, -PI), (I, PI), (I, PI), (I, P34), (I, N)],
    [(I, -FRAC_PI_2), U, U, U, U, (I, FRAC_PI_2), (N, N)],
    [(I, -FRAC_PI_2), U, U, U, U, (I, FRAC_PI_2), (N, N)],
    [(I, -FRAC_PI_2), U, U, U, U, (I, FRAC_PI_2), (N, N)],
    [(I, -FRAC_PI_2), U, U, U, U, (I, FRAC_PI_2), (N, N)],
    [(I, -FRAC_PI_4), (I, -0.0), (I, -0.0), (I, 0.0), (I, 0.0), (I, FRAC_PI_4), (I, N)],
    [(I, N), (N, N), (N, N), (N, N), (N, N), (I, N), (N, N)],
];

pub const ASINH: Table = [
    [(-I, -FRAC_PI_4), (-I, -0.0), (-I, -0.0), (-I, 0.0), (-I, 0.0), (-I, FRAC_PI_4), (-I, N)],
    [(-I, -FRAC_PI_2), U, U, U, U, (-I, FRAC_PI_2), (N, N)],
    [(-I, -FRAC_PI_2), U, U, U, U, (-I, FRAC_PI_2), (N, N)],
    [(I, -FRAC_PI_2), U, U, U, U, (I, FRAC_PI_2), (N, N)],
    [(I, -FRAC_PI_2), U, U, U, U, (I, FRAC_PI_2), (N, N)],
    [(I, -FRAC_PI_4), (I, -0.0), (I, -0.0), (I, 0.0), (I, 0.0), (I, FRAC_PI_4), (I, N)],
    [(I, N), (N, N), (N, -0.0), (N, 0.0), (N, N), (I, N), (N, N)],
];

pub const ATANH: Table = [
    [
        (-0.0, -FRAC_PI_2),
        (-0.0, -FRAC_PI_2),
        (-0.0, -FRAC_PI_2),
        (-0.0, FRAC_PI_2),
        (-0.0, FRAC_PI_2),
        (-0.0, FRAC_PI_2),
        (-0.0, N),
    ],
    [(-0.0, -FRAC_PI_2), U, U, U, U, (-0.0, FRAC_PI_2), (N, N)],
    [(-0.0, -FRAC_PI_2), U, U, U, U, (-0.0, FRAC_PI_2), (-0.0, N)],
    [(0.0, -FRAC_PI_2), U, U, U, U, (0.0, FRAC_PI_2), (0.0, N)],
    [(0.0, -FRAC_PI_2), U, U, U, U, (0.0, FRAC_PI_2), (N, N)],
    [
        (0.0, -FRAC_PI_2),
        (0.0, -FRAC_PI_2),
        (0.0, -FRAC_PI_2),
        (0.0, FRAC_PI_2),
        (0.0, FRAC_PI_2),
        (0.0, FRAC_PI_2),
        (0.0, N),
    ],
    [(0.0, -FRAC_PI_2), (N, N), (N, N), (N, N), (N, N), (0.0, FRAC_PI_2), (N, N)],
];

pub const COSH: Table = [
    [D, U, (I, 0.0), (I, -0.0), U, D, (I, N)],
    [D, U, U, U, U, D, (N, N)],
    [D, U, U, U, U, D, (N, 0.0)],
    [D, U, U, U, U, D, (N, 0.0)],
    [D, U, U, U, U, D, (N, N)],
    [D, U, (I, -0.0), (I, 0.0), U, D, (I, N)],
    [(N, N), (N, N), (N, 0.0), (N, 0.0), (N, N), (N, N), (N, N)],
];

pub const EXP: Table = [
    [(0.0, 0.0), U, (0.0, -0.0), (0.0, 0.0), U, (0.0, 0.0), (0.0, 0.0)],
    [D, U, U, U, U, D, (N, N)],
    [D, U, U, U, U, D, (N, N)],
    [D, U, U, U, U, D, (N, N)],
    [D, U, U, U, U, D, (N, N)],
    [D, U, (I, -0.0), (I, 0.0), U, D, (I, N)],
    [(N, N), (N, N), (N, -0.0), (N, 0.0), (N, N), (N, N), (N, N)],
];

/// For what is so large, acosh z is log 2z.
pub const LOG: Table = ACOSH;

pub const SINH: Table = [
    [D, U, (-I, -0.0), (-I, 0.0), U, D, (I, N)],
    [D, U, U, U, U, D, (N, N)],
    [D, U, U, U, U, D, (0.0, N)],
    [D, U, U, U, U, D, (0.0, N)],
    [D, U, U, U, U, D, (N, N)],
    [D, U, (I, -0.0), (I, 0.0), U, D, (I, N)],
    [(N, N), (N, N), (N, -0.0), (N, 0.0), (N, N), (N, N), (N, N)],
];

pub const SQRT: Table = [
    [(I, -I), (0.0, -I), (0.0, -I), (0.0, I), (0.0, I), (I, I), (N, I)],
    [(I, -I), U, U, U, U, (I, I), (N, N)],
    [(I, -I), U, U, U, U, (I, I), (N, N)],
    [(I, -I), U, U, U, U, (I, I), (N, N)],
    [(I, -I), U, U, U, U, (I, I), (N, N)],
    [(I, -I), (I, -0.0), (I, -0.0), (I, 0.0), (I, 0.0), (I, I), (I, N)],
    [(I, -I), (N, N), (N, N), (N, N), (N, N), (I, I), (N, N)],
];

pub const TANH: Table = [
    [(-1.0, 0.0), U, (-1.0, -0.0), (-1.0, 0.0), U, (-1.0, 0.0), (-1.0, 0.0)],
    [D, U, U, U, U, D, (N, N)],
    [D, U, U, U, U, D, (N, N)],
    [D, U, U, U, U, D, (N, N)],
    [D, U, U, U, U, D, (N, N)],
    [(1.0, 0.0), U, (1.0, -0.0), (1.0, 0.0), U, (1.0, 0.0), (1.0, 0.0)],
    [(N, N), (N, N), (N, -0.0), (N, 0.0), (N, N), (N, N), (N, N)],
];

pub const RECT: Table = [
    [D, U, (-I, 0.0), (-I, -0.0), U, D, (I, N)],
    [D, U, U, U, U, D, (N, N)],
    [(0.0, 0.0), U, U, U, U, (0.0, 0.0), (0.0, 0.0)],
    [(0.0, 0.0), U, U, U, U, (0.0, 0.0), (0.0, 0.0)],
    [D, U, U, U, U, D, (N, N)],
    [D, U, (I, -0.0), (I, 0.0), U, D, (I, N)],
    [(N, N), (N, N), (N, 0.0), (N, 0.0), (N, N), (N, N), (N, N)],
];
