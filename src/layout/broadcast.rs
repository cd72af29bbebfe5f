//! NumPy's broadcasting of shapes.

use super::{Error, Shape};

/// The shape in which all of `shapes` meet: aligned at the last axis, where lengths are equal or
/// one.
///
/// # Errors
/// [`Error::Broadcast`] names all shapes; [`Error::TooLarge`].
pub fn broadcast_shapes(shapes: &[&Shape]) -> Result<Shape, Error> {
    let rank = shapes.iter().map(|shape| shape.rank()).max().unwrap_or(0);
    let mut result: Shape = std::iter::repeat_n(1, rank).collect();
    for shape in shapes {
        let added = rank - shape.rank();
        for (axis, extent) in shape.iter().enumerate() {
            let met = &mut result[added + axis];
            if *met == 1 {
                *met = *extent;
            } else if *extent != 1 && *extent != *met {
                let shapes = shapes.iter().map(|shape| (*shape).clone()).collect();
                return Err(Error::Broadcast { shapes });
            }
        }
    }
    result.checked_elem_count()?;
    Ok(result)
}
