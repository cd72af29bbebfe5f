//! What tensors are in Rust notebooks.

use super::{Chart, Failure, FromValue, Tensor};

impl Tensor {
    /// Its elements in Rust: `to::<Vec<Vec<f32>>>()`, `to::<f64>()` of a tensor without axes, an
    /// array of ndarray's.
    ///
    /// # Errors
    /// Another number of axes, or elements of another kind.
    pub fn to<T: FromValue>(&self) -> Result<T, Failure> {
        Ok(self.to_rust()?)
    }

    /// A picture of the whole: a heat map of its last two axes, or a line along its only one.
    ///
    /// # Errors
    /// A tensor without axes or without elements.
    pub fn picture(&self) -> Result<Chart, Failure> {
        Ok(self.to_chart()?)
    }

    /// Shows the tensor at the end of a notebook's cell.
    pub fn evcxr_display(&self) {
        self.to_report().evcxr_display();
    }
}
