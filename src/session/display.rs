//! Values as reports.

use super::{Session, Value};
use crate::interp::elements;
use crate::report::{ArrayReport, Markup, Portrait, PrintOptions, Report, Window, format_repr};
use crate::tensor::{Engine, Error, Glance, Sight, Tensor};

/// Tensors with fewer elements than this are seen at a glance and need no picture.
const MIN_PICTURED: usize = 8;

impl Session {
    /// A value as a front end shows it: tensors under a header, everything else as its repr.
    pub fn display(&self, value: &Value) -> Report {
        let report = self.try_display(value);
        report.unwrap_or_else(|error| Report::Text(Markup::new().error(error.to_string())))
    }

    /// # Errors
    /// What comes up where a tensor's elements are waited for, computed and read.
    pub(super) fn try_display(&self, value: &Value) -> Result<Report, Error> {
        match value {
            Value::Tensor(tensor) if self.config.header => {
                let options = self.quiet().print_options();
                tensor_report(self.engine(), tensor, &options, self.config.pictures)
                    .map(Report::Array)
            }
            _ => self.quiet().try_repr(value).map(Report::plain),
        }
    }

    /// A value as its repr alone.
    pub fn repr(&self, value: &Value) -> String {
        self.quiet().repr(value)
    }
}

/// A tensor under its header; with what a page draws if `pictures`.
pub(super) fn tensor_report(
    engine: &Engine,
    tensor: &Tensor,
    options: &PrintOptions,
    pictures: bool,
) -> Result<ArrayReport, Error> {
    let is_pictured =
        tensor.elem_count() >= MIN_PICTURED && tensor.dtype() != crate::dtype::DType::Bool;
    let window = Window::of(tensor.shape(), options);
    // A table has room for this many; a picture shows the rest.
    let is_drawn = pictures && !Portrait::shows_all(tensor.shape(), options);
    let mut seen = engine.glance(&[Sight { tensor, window, is_pictured, is_drawn }])?;
    let Glance { elements: found, summary, chart } = seen.remove(0);
    let found = elements(&found);
    let portrait = pictures.then(|| {
        let portrait = Portrait::new(tensor.shape(), &found, options);
        Box::new(Portrait { chart, ..portrait })
    });
    let device = tensor.device();
    let simulated = if device.name().contains("simulated") { " (simulated)" } else { "" };
    Ok(ArrayReport {
        dtype: tensor.dtype(),
        shape: tensor.shape().clone(),
        device: format!("{}{simulated}", device.id()),
        bytes: tensor.size_bytes() as u64,
        summary,
        elapsed: None,
        text: format_repr(tensor.shape(), &found, options),
        portrait,
    })
}
