//! What computing tensors would do, without doing it.

use super::lower::lower;
use super::node::Lazy;
use super::schedule::Walk;
use super::{Engine, Error, Tensor};
use crate::layout::Layout;

/// The programs that would run, and what they would move.
#[derive(Debug, Clone, Default)]
pub struct Explanation {
    pub kernels: Vec<ExplainedKernel>,
    /// New memory for the results, in bytes.
    pub result_bytes: usize,
    /// The most that would be allocated at one time on top of what is live now, in bytes.
    pub peak_bytes: usize,
}

/// One program as it would run.
#[derive(Debug, Clone)]
pub struct ExplainedKernel {
    /// The program's text.
    pub program: String,
    /// Extents of the space after joining axes; the first `kept` are not folded.
    pub dims: Vec<usize>,
    pub kept: usize,
    pub read_bytes: usize,
    pub written_bytes: usize,
}

impl Engine {
    /// Explains what [`Engine::realize`] would do.
    ///
    /// # Errors
    /// What computing a part brings up that can't be part of the program: such parts are computed.
    pub fn explain(&self, tensors: &[&Tensor]) -> Result<Explanation, Error> {
        let mut explanation = Explanation::default();
        for tensor in tensors {
            let root = match tensor.lazy() {
                None => continue,
                Some(Lazy::View { base, .. }) => base,
                Some(_) => (*tensor).clone(),
            };
            if root.is_realized() {
                continue;
            }
            let walk = Walk::new(self, &[&root], root.shape())?;
            let plan = lower(&walk, &[&root], &[&Layout::contiguous(root.shape().clone())])?;
            let read_bytes = walk
                .leaves
                .iter()
                .map(|leaf| leaf.layout.elem_count() * leaf.storage.dtype().size())
                .sum();
            explanation.result_bytes += root.size_bytes();
            explanation.kernels.push(ExplainedKernel {
                program: plan.program.to_string(),
                dims: plan.space.dims.to_vec(),
                kept: plan.space.kept,
                read_bytes,
                written_bytes: root.size_bytes(),
            });
        }
        explanation.peak_bytes = explanation.result_bytes;
        Ok(explanation)
    }
}
