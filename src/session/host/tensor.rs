//! A tensor in the hands of Rust.

use std::fmt;

use super::values::FromValue;
use crate::diag::Fault;
use crate::dtype::DType;
use crate::interp::Value;
use crate::report::{Chart, PrintOptions, Report, Window};
use crate::session::display::tensor_report;
use crate::tensor::{self, Engine, Interrupt, Sight};

/// A tensor that a Rust variable holds. It lies where it lay, on its device: cloning it copies no
/// element, and its memory lives as long as any variable of either language holds it.
#[derive(Clone)]
pub struct Tensor(tensor::Tensor);

impl Tensor {
    pub(super) fn of(tensor: tensor::Tensor) -> Tensor {
        Tensor(tensor)
    }

    pub(super) fn inner(&self) -> &tensor::Tensor {
        &self.0
    }

    /// The extents of its axes.
    pub fn shape(&self) -> Vec<usize> {
        self.0.shape().to_vec()
    }

    pub fn dtype(&self) -> DType {
        self.0.dtype()
    }

    /// `cpu`, `cuda:0`
    pub fn device(&self) -> String {
        self.0.device().id().to_string()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.0.elem_count()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its elements as a type of Rust.
    ///
    /// # Errors
    /// TypeError for another number of axes or elements of another kind.
    pub fn to_rust<T: FromValue>(&self) -> Result<T, Fault> {
        T::from_value(&self.engine(), &Value::Tensor(self.0.clone()))
    }

    /// As the session shows it, with what a page draws.
    pub fn to_report(&self) -> Report {
        let report = tensor_report(&self.engine(), &self.0, &PrintOptions::default(), true);
        report.map_or_else(|error| Report::plain(error.to_string()), Report::Array)
    }

    /// A heat map of its last two axes, or a line along its only one.
    ///
    /// # Errors
    /// TypeError for a tensor without axes or without elements; MemoryError.
    pub fn to_chart(&self) -> Result<Chart, Fault> {
        let window = Window::of(self.0.shape(), &PrintOptions::default());
        let sight = Sight { tensor: &self.0, window, is_pictured: false, is_drawn: true };
        let chart = self.engine().glance(&[sight])?.remove(0).chart;
        chart.ok_or_else(|| {
            let shape = self.0.shape();
            Fault::type_error(format!("a tensor of shape {shape} has nothing to draw"))
        })
    }

    /// Something that reads from its device; the session's own engine may be at work.
    fn engine(&self) -> Engine {
        Engine::new(vec![self.0.device().clone()], Interrupt::default())
    }
}

/// As the session prints it.
impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_report().to_plain())
    }
}
