//! What the C library has for one number, and Rust's library has not, or less exactly: its inverse
//! hyperbolic functions overflow, and lose digits at the ends of their ranges.

mod c {
    unsafe extern "C" {
        pub safe fn asinh(x: f64) -> f64;
        pub safe fn acosh(x: f64) -> f64;
        pub safe fn atanh(x: f64) -> f64;
        pub safe fn erf(x: f64) -> f64;
        pub safe fn erfc(x: f64) -> f64;
        pub safe fn tgamma(x: f64) -> f64;
        pub fn lgamma_r(x: f64, sign: *mut std::ffi::c_int) -> f64;
        pub safe fn remainder(x: f64, y: f64) -> f64;
    }
}

macro_rules! c_library {
    ($($name:ident)*) => {$(
        #[inline(always)]
        pub fn $name(x: f64) -> f64 {
            c::$name(x)
        }
    )*};
}

c_library! { asinh acosh atanh erf erfc tgamma }

/// The logarithm of the magnitude of the gamma function. C's `lgamma` leaves the sign in a variable that all
/// threads share.
pub fn lgamma(x: f64) -> f64 {
    let mut sign = 0;
    // SAFETY: the sign goes to a variable of this call.
    unsafe { c::lgamma_r(x, &mut sign) }
}

/// The remainder of x / y rounded to an integer, halves to even.
pub fn remainder(x: f64, y: f64) -> f64 {
    c::remainder(x, y)
}
