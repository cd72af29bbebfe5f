//! Copies of views into memory without holes, for kernels that want their operands so.

use std::sync::Arc;

use super::context::Context;
use super::run::Runner;
use crate::device::{Error, Storage, View};
use crate::ir::{Access, Builder, Domain, Program, Space};
use crate::layout::Layout;
use crate::memory::Provenance;

/// A view in row-major order without holes: a new storage, to be read from its beginning.
///
/// # Errors
/// Out of memory; what a launch may meet.
pub fn contiguous(
    context: &Context,
    runner: &Runner,
    view: View<'_>,
    operation: &'static str,
) -> Result<Arc<Storage>, Error> {
    let layout = Layout::contiguous(view.layout.shape.clone());
    let provenance = Provenance::WORKSPACE.by(operation);
    let device = view.storage.device();
    let storage = device.allocate(view.dtype(), layout.elem_count(), provenance)?;
    if layout.elem_count() > 0 {
        let (from, to) = (access(view.layout), access(&layout));
        let kept = layout.rank();
        let space = Space { dims: layout.shape.iter().copied().collect(), kept };
        let program = identity(view);
        let (inputs, outputs) = ([(view.storage, &from)], [(&*storage, &to)]);
        runner.run(context, &program, &space, &inputs, &outputs)?;
    }
    Ok(storage)
}

fn access(layout: &Layout) -> Access {
    Access { offset: layout.offset, strides: layout.strides.clone(), ..Access::default() }
}

/// Every element as it is.
fn identity(view: View<'_>) -> Program {
    let mut builder = Builder::new();
    let input = builder.input(view.dtype());
    let value = builder.load(input, Domain::Element);
    builder.output(value, Domain::Element);
    builder.finish()
}
