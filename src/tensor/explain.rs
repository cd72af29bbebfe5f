//! What computing tensors and writing to them would do, without doing it.

use super::index::is_whole_mask;
use super::lower::lower;
use super::node::Leaf;
use super::realize::Wanted;
use super::schedule::Walk;
use super::{Engine, Error, IndexItem, Operand, Storage, Tensor};
use crate::ir::Access;
use crate::layout::Layout;

/// The programs that would run, and what they would move.
#[derive(Debug, Clone, Default)]
pub struct Explanation {
    pub kernels: Vec<ExplainedKernel>,
    /// New memory for the results, in bytes.
    pub result_bytes: usize,
    /// Bytes that would be written to tensors that are there already.
    pub written_bytes: usize,
    /// The most that would be allocated at one time on top of what is live now, in bytes.
    pub peak_bytes: usize,
    /// The largest block among that, in bytes.
    pub largest_bytes: usize,
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
    /// The kernels that a GPU would launch for it, in words; empty on other devices.
    pub launches: Vec<String>,
}

impl Explanation {
    /// Both, one behind the other.
    pub fn add(&mut self, other: Explanation) {
        self.kernels.extend(other.kernels);
        self.result_bytes += other.result_bytes;
        self.written_bytes += other.written_bytes;
        self.peak_bytes += other.peak_bytes;
        self.largest_bytes = self.largest_bytes.max(other.largest_bytes);
    }
}

impl Engine {
    /// Explains what [`Engine::realize`] would do.
    ///
    /// # Errors
    /// What computing a part brings up that can't be part of the program: such parts are computed.
    pub fn explain(&self, tensors: &[&Tensor]) -> Result<Explanation, Error> {
        let mut explanation = Explanation::default();
        for tensor in tensors {
            let Some(Wanted { root, .. }) = self.wanted(tensor) else { continue };
            if root.is_realized() {
                continue;
            }
            let walk = Walk::new(self, &[&root], root.shape())?;
            let whole = Layout::contiguous(root.shape().clone());
            explanation.kernels.push(explained(&walk, &root, &whole)?);
            explanation.result_bytes += root.size_bytes();
            explanation.largest_bytes = explanation.largest_bytes.max(root.size_bytes());
        }
        explanation.peak_bytes = explanation.result_bytes;
        Ok(explanation)
    }

    /// Explains what [`Engine::assign`] would do.
    ///
    /// # Errors
    /// As [`Engine::assign`], but for what comes up while the values are computed and written.
    pub fn explain_assign(
        &self,
        x: &Tensor,
        items: &[IndexItem],
        value: impl Into<Operand>,
    ) -> Result<Explanation, Error> {
        let value = self.value_for(x, value.into())?;
        let leaf = self.leaf_of(x)?;
        let masked = match items {
            [IndexItem::Tensor(mask)] if is_whole_mask(mask, x) && value.elem_count() == 1 => {
                let (mask, value) = (self.same_place(mask, x)?, self.reshape(&value, &[])?);
                Some(self.select(&mask, &value, x)?)
            }
            _ => None,
        };
        if masked.is_none() && items.iter().any(|item| matches!(item, IndexItem::Tensor(_))) {
            // The values are computed first, then each goes to its place.
            let mut explanation = self.explain(&[&value])?;
            let written = self.resolve(&leaf.layout, items)?.plan.layout.elem_count();
            explanation.result_bytes = 0;
            explanation.written_bytes = written * x.dtype().size();
            return Ok(explanation);
        }
        let (value, target) = match masked {
            Some(chosen) => (chosen, leaf),
            None => {
                let layout = self.resolve(&leaf.layout, items)?.plan.layout;
                (self.fitted(&value, &layout.shape)?, Leaf { layout, ..leaf })
            }
        };
        let written_bytes = target.layout.elem_count() * x.dtype().size();
        if written_bytes == 0 {
            return Ok(Explanation::default());
        }
        let walk = Walk::new(self, &[&value], &target.layout.shape)?;
        let peak_bytes = if walk.needs_copy_before(&target) { value.size_bytes() } else { 0 };
        let kernels = vec![explained(&walk, &value, &target.layout)?];
        let largest_bytes = peak_bytes;
        Ok(Explanation { kernels, result_bytes: 0, written_bytes, peak_bytes, largest_bytes })
    }
}

fn explained(walk: &Walk<'_>, root: &Tensor, output: &Layout) -> Result<ExplainedKernel, Error> {
    let plan = lower(walk, &[root], &[output])?;
    let read = |leaf: &Leaf| leaf.layout.elem_count() * leaf.storage.dtype().size();
    let launches = root.device().backend().cuda().map(|gpu| {
        let leaves = plan.inputs.iter().map(|number| &walk.leaves[*number as usize]);
        let accesses = plan.reach(leaves.clone().map(|leaf| leaf.layout.offset));
        let (inputs, outputs) = accesses.split_at(plan.inputs.len());
        let inputs: Vec<(&Storage, &Access)> =
            leaves.zip(inputs).map(|(leaf, access)| (&*leaf.storage, access)).collect();
        let outputs: Vec<&Access> = outputs.iter().collect();
        gpu.describe(&plan.program, &plan.space, &inputs, &outputs)
    });
    Ok(ExplainedKernel {
        program: plan.program.to_string(),
        dims: plan.space.dims.to_vec(),
        kept: plan.space.kept,
        read_bytes: walk.leaves.iter().map(read).sum(),
        written_bytes: output.elem_count() * root.dtype().size(),
        launches: launches.unwrap_or_default(),
    })
}
