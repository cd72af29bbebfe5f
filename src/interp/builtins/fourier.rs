//! What the text of `np.fft` is made of: lines transformed by the device that has them.

use super::{Builtin, Homes};
use crate::device::Fourier;
use crate::diag::Fault;

/// A function without a name in the language.
pub const HIDDEN: &[Builtin] = &[Builtin::new("fourier_of(kind, a, axis, n, scale, /)", |call| {
    let what = match call.str(0)? {
        "fft" => Fourier::Complex { inverse: false },
        "ifft" => Fourier::Complex { inverse: true },
        "rfft" => Fourier::Real,
        "irfft" => Fourier::Conjugate,
        other => return Err(Fault::value_error(format!("there is no transform `{other}`"))),
    };
    let (a, [axis, n]) = (call.tensor(1)?, [call.int(2)?, call.int(3)?]);
    let (axis, n) = (axis.max(0) as usize, n.max(0) as usize);
    Ok(call.engine().transform(what, &a, axis, n, call.float(4)?)?.into())
})
.homes(Homes::NONE)
.doc("What the lines of n numbers along an axis become, times `scale`.")];
