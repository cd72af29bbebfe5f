//! What the texts of `np.linalg` are made of: matrices taken apart by the device that has them, or by
//! the text of `numpy.linalg._blocks`, whose functions have the same names with an underscore.

use super::forms::{Outcome, tuple};
use super::{Builtin, Call};
use crate::device::Factorisation;
use crate::interp::value::{Module, Value};
use crate::tensor::{Engine, Error, Tensor};

/// Functions without a name in the language.
pub const HIDDEN: &[Builtin] = &[
    Builtin::hidden(
        "solved(a, b, /)",
        |call| {
            by_device(call, Factorisation::Solve, |call, engine, a| {
                Ok(engine.solve(a, &call.tensor(1)?)?.into())
            })
        },
        "`x` of `a @ x == b`, for stacks of matrices of one type.",
    ),
    Builtin::hidden(
        "triangle_solved(a, b, upper, unit, /)",
        |call| {
            let (upper, unit) = (call.bool(2)?, call.bool(3)?);
            by_device(call, Factorisation::Triangular { upper, unit }, |call, engine, a| {
                Ok(engine.solve_triangular(a, &call.tensor(1)?, upper, unit)?.into())
            })
        },
        "The same for one triangle of `a`, with ones on its diagonal if `unit`.",
    ),
    Builtin::hidden(
        "lu_of(a, /)",
        |call| {
            by_device(call, Factorisation::Lu, |_, engine, a| {
                let parts = engine.lu(a)?;
                Ok(tuple([parts.lu, parts.order, parts.swaps]))
            })
        },
        "Both triangles in one, the rows' order, and how many pairs were exchanged for it.",
    ),
    Builtin::hidden(
        "cholesky_of(a, upper, /)",
        |call| {
            let upper = call.bool(1)?;
            by_device(call, Factorisation::Cholesky { upper }, |_, engine, a| {
                Ok(engine.cholesky(a, upper)?.into())
            })
        },
        "The triangle whose product with itself is a symmetric matrix.",
    ),
    Builtin::hidden(
        "qr_of(a, complete, with_q, /)",
        |call| {
            let (complete, with_q) = (call.bool(1)?, call.bool(2)?);
            by_device(call, Factorisation::Qr { complete }, |_, engine, a| {
                Ok(tuple(engine.qr(a, complete, with_q)?))
            })
        },
        "Orthonormal columns, if they are wanted, and a triangle.",
    ),
    Builtin::hidden(
        "eigh_of(a, upper, vectors, /)",
        |call| {
            let (upper, vectors) = (call.bool(1)?, call.bool(2)?);
            by_device(call, Factorisation::Eigh { upper }, |_, engine, a| {
                Ok(tuple(engine.eigh(a, upper, vectors)?))
            })
        },
        "Eigenvalues of a symmetric matrix, and vectors if they are wanted.",
    ),
    Builtin::hidden(
        "svd_of(a, full, /)",
        |call| {
            let vectors = if call.is_none(1) { None } else { Some(call.bool(1)?) };
            let full = vectors.unwrap_or(false);
            by_device(call, Factorisation::Svd { full }, |_, engine, a| {
                Ok(tuple(engine.svd(a, vectors)?))
            })
        },
        "Singular values, between vectors on both sides unless `full` is None.",
    ),
    Builtin::hidden(
        "eig_of(a, vectors, /)",
        |call| {
            by_device(call, Factorisation::Eig, |call, engine, a| {
                Ok(tuple(engine.eig(a, call.bool(1)?)?))
            })
        },
        "Real and imaginary parts of eigenvalues, and vectors if they are wanted.",
    ),
];

/// The work by the device of the first argument, or by a text.
fn by_device(
    call: &mut Call<'_>,
    what: Factorisation,
    run: impl FnOnce(&Call<'_>, &Engine, &Tensor) -> Outcome,
) -> Outcome {
    let (engine, a) = (call.engine(), call.tensor(0)?);
    if engine.factorises(what, &a) {
        return run(call, engine, &a);
    }
    let name = format!("_{}", call.name());
    let text = call.evaluator.in_module(Module::Blocks, &name)?;
    let text = text.ok_or_else(|| Error::value_error(format!("there is no {name}")))?;
    let count = call.function.signature().parameters.len();
    let arguments: Vec<Value> = (0..count).map(|at| call.value(at).clone()).collect();
    call.evaluator.call_value(&text, arguments, [])
}
