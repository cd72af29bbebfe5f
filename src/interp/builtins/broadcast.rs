//! Shapes that spread over others: `broadcast_to` and its kin.

use super::Builtin;
use super::forms::tuple;
use crate::diag::Fault;
use crate::interp::array_like;
use crate::interp::value::Value;
use crate::layout::{Shape, broadcast_shapes};
use crate::tensor::{Permission, Tensor};

pub const BUILTINS: &[Builtin] = &[
    Builtin::new("broadcast_to(x, *shape, subok=False)", |call| {
        let (x, shape) = (call.tensor("x")?, call.shape("shape")?);
        let engine = call.engine();
        let wide = engine.broadcast_to(&x, &shape);
        let wide = wide.map_err(|_| call.fault_at("x", misfit(x.shape(), &shape)))?;
        Ok(engine.read_only(&wide, Permission::Repeated)?.into())
    })
    .about("shape")
    .doc("The elements repeated under a larger shape, without a copy: a view of stride 0, which is read-only.")
    .example("broadcast_to(array([1, 2]), (2, 2))")
    .method(),
    Builtin::new("expand(x, *sizes)", |call| {
        let (x, sizes) = (call.tensor("x")?, call.sizes()?);
        let added = sizes.len().saturating_sub(x.rank());
        let shape = sizes.iter().enumerate().map(|(axis, size)| match size {
            -1 if axis >= added => x.shape()[axis - added],
            size => (*size).max(0) as usize,
        });
        Ok(call.engine().broadcast_to(&x, &shape.collect())?.into())
    })
    .doc("PyTorch's `broadcast_to`: -1 keeps a length. What repeats elements is read-only.")
    .example("array([[1], [2]]).expand(-1, 3)")
    .method(),
    Builtin::new("expand_as(x, other)", |call| {
        let (x, other) = (call.tensor("x")?, call.tensor("other")?);
        Ok(call.engine().broadcast_to(&x, other.shape())?.into())
    })
    .doc("Broadcast to the shape of `other`.")
    .example("array([1]).expand_as(zeros(3))")
    .only_method(),
    Builtin::new("broadcast_arrays(*arrays, subok=False)", |call| {
        let arrays = match call.rest() {
            // PyTorch's tensors come one by one, too: a list is an array.
            [only] => vec![array_like::to_tensor(call.engine(), &only.value, None)?],
            _ => call.rest_tensors()?,
        };
        check(&arrays.iter().map(Tensor::shape).collect::<Vec<_>>())?;
        Ok(tuple(call.engine().broadcast_tensors(&arrays)?))
    })
    .aliases(&["broadcast_tensors"])
    .doc("All broadcast to their common shape: a tuple of views.")
    .example("broadcast_arrays(array([[1], [2]]), array([3, 4]))"),
    Builtin::new("broadcast_shapes(*shapes)", |call| {
        let engine = call.engine();
        let mut shapes = Vec::new();
        for argument in call.rest() {
            let sizes = crate::interp::convert::integers(engine, &argument.value)?;
            if sizes.iter().any(|size| *size < 0) {
                let fault = Fault::value_error("negative dimensions are not allowed");
                return Err(call.fault_of(argument, fault));
            }
            shapes.push(sizes.iter().map(|size| *size as usize).collect::<Shape>());
        }
        let shapes: Vec<&Shape> = shapes.iter().collect();
        check(&shapes)?;
        Ok(Value::sizes(broadcast_shapes(&shapes)?.iter().copied()))
    })
    .doc("The shape to which these shapes broadcast.")
    .example("broadcast_shapes((3, 1), (4,))"),
];

/// Why a shape does not spread over another.
fn misfit(from: &Shape, to: &Shape) -> Fault {
    Fault::value_error(match (from.len(), to.len()) {
        (_, 0) => "cannot broadcast a non-scalar to a scalar array".to_owned(),
        (own, asked) if own > asked => {
            "input operand has more dimensions than allowed by the axis remapping".to_owned()
        }
        _ => format!(
            "operands could not be broadcast together with remapped shapes [original->remapped]: {from:#}  and requested shape {to:#}"
        ),
    })
}

/// # Errors
/// ValueError that says which two shapes differ first.
fn check(shapes: &[&Shape]) -> Result<(), Fault> {
    let rank = shapes.iter().map(|shape| shape.len()).max().unwrap_or(0);
    for axis in 1..=rank {
        let mut met: Option<(usize, usize)> = None;
        for (at, shape) in shapes.iter().enumerate().filter(|(_, shape)| shape.len() >= axis) {
            match (shape[shape.len() - axis], met) {
                (1, _) => {}
                (extent, None) => met = Some((at, extent)),
                (extent, Some((_, known))) if extent == known => {}
                (_, Some((first, _))) => {
                    return Err(Fault::value_error(format!(
                        "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg {first} with shape {} and arg {at} with shape {}.",
                        shapes[first], shapes[at]
                    )));
                }
            }
        }
    }
    Ok(())
}
