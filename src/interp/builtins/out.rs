//! What functions that are not elementwise may write into `out`. NumPy has no rule of its own for that: it
//! follows from the operation that a function ends with.

use super::Call;
use super::options::Casting;
use crate::diag::{ErrorKind, Fault};
use crate::dtype::{DType, promote};
use crate::interp::value::Value;
use crate::layout::{Layout, Shape, broadcast_shapes};
use crate::tensor::{Error, Tensor};

/// How a result gets into `out`.
enum Way {
    /// Cast, whatever comes, as folds and scans do.
    Cast,
    /// By the same-kind rule, in the words of the elementwise function that comes last.
    Ends(&'static str),
    /// By the rule that the call names, in these words.
    Asked(&'static str),
    /// Written to a copy of `out` in the result's type, which must hold what `out` holds.
    Copied,
    /// Means of floats are floats.
    Inexact,
    /// The very type.
    Same,
}

fn way(call: &Call<'_>) -> Way {
    match call.name() {
        "std" => Way::Ends("sqrt"),
        "ptp" => Way::Ends("subtract"),
        "quantile" | "percentile" => Way::Ends("add"),
        "round" => Way::Ends("rint"),
        "outer" => Way::Ends("multiply"),
        "vecdot" => Way::Asked("Cannot cast ufunc 'vecdot' output"),
        "concatenate" | "stack" => Way::Asked("Cannot cast array data"),
        "einsum" => Way::Asked("Iterator requested dtype could not be cast"),
        "argmax" | "argmin" | "nanargmax" | "nanargmin" | "take" | "compress" => Way::Copied,
        "nanmean" | "nanvar" | "nanstd" => Way::Inexact,
        "dot" => Way::Same,
        _ => Way::Cast,
    }
}

/// # Errors
/// TypeError where NumPy does not let the call write a result of one type into an `out` of the other.
pub fn check(call: &Call<'_>, from: DType, to: DType) -> Result<(), Fault> {
    let refuse = |words: String| Err(call.fault_at("out", Fault::type_error(words)));
    let types = format!("from dtype('{from}') to dtype('{to}')");
    match way(call) {
        Way::Cast => Ok(()),
        Way::Ends(_) if Casting::SameKind.allows(from, to) => Ok(()),
        Way::Ends(ufunc) => refuse(format!(
            "Cannot cast ufunc '{ufunc}' output {types} with casting rule 'same_kind'"
        )),
        Way::Asked(words) => match call.casting()? {
            rule if rule.allows(from, to) => Ok(()),
            rule => refuse(format!("{words} {types} according to the rule '{}'", rule.name())),
        },
        Way::Copied if to.is_safe_in(from) => Ok(()),
        Way::Copied => {
            let is_number = matches!(call.value("out"), Value::Tensor(out) if out.rank() == 0);
            let what = if is_number { "scalar" } else { "array data" };
            refuse(format!(
                "Cannot cast {what} from dtype('{to}') to dtype('{from}') according to the rule 'safe'"
            ))
        }
        Way::Inexact if to.is_inexact() || !call.tensor("x")?.dtype().is_inexact() => Ok(()),
        Way::Inexact => refuse("If a is inexact, then out must be inexact".to_owned()),
        Way::Same if from == to => Ok(()),
        Way::Same => {
            let words = "output array is not acceptable (must have the right datatype, number of dimensions, and be a C-Array)";
            let fault = Fault::value_error(words);
            Err(call.fault_at("out", fault.with_hint(format!("its type is to be {from}"))))
        }
    }
}

/// # Errors
/// ValueError where `out` has not the result's shape, or one that the result `is_spread` over.
pub fn check_shape(
    call: &Call<'_>,
    result: &Shape,
    out: &Shape,
    is_spread: bool,
) -> Result<(), Fault> {
    if result == out {
        return Ok(());
    }
    if is_spread {
        if Layout::contiguous(result.clone()).broadcast_to(out).is_ok() {
            return Ok(());
        }
        let operands = 0..call.function.signature().position("out").unwrap_or(0);
        let operands = operands.filter(|at| !call.is_none(*at));
        let operands: Vec<Tensor> = operands.filter_map(|at| call.tensor(at).ok()).collect();
        let shapes: Vec<&Shape> = operands.iter().map(Tensor::shape).chain([out]).collect();
        broadcast_shapes(&shapes).map_err(|error| call.fault_at("out", Error::from(error)))?;
    }
    let words = format!(
        "non-broadcastable output operand with shape {out:#} doesn't match the broadcast shape {result:#}"
    );
    Err(call.fault_at("out", Fault::new(ErrorKind::Shape, words)))
}

/// The operand of a fold or a scan, in the wider float type that `out` has: NumPy adds up in it.
///
/// # Errors
/// None that the tensor does not have already.
pub fn widened(call: &Call<'_>, x: Tensor) -> Result<Tensor, Fault> {
    match call.value("out") {
        Value::Tensor(out) if out.dtype().is_inexact() && x.dtype().is_inexact() => {
            Ok(call.engine().cast(&x, promote(x.dtype(), out.dtype()))?)
        }
        _ => Ok(x),
    }
}
