//! What work would do, found out without doing it.

use super::{Engine, Error};
use crate::device::{Device, Plan};
use crate::memory::Allocator;

pub use crate::device::Step;

/// What devices would do for some work.
#[derive(Debug, Default)]
pub struct Explanation {
    /// By device, those that would do something or take memory.
    pub devices: Vec<(Device, Plan)>,
}

impl Explanation {
    /// Whether sizes in it are bounds, because they depend on values.
    pub fn is_bound(&self) -> bool {
        self.devices.iter().any(|(_, plan)| plan.is_bound)
    }

    /// Whether kernels take memory that is not counted.
    pub fn is_rough(&self) -> bool {
        self.devices.iter().any(|(_, plan)| plan.is_rough)
    }

    /// Whether the work could not be followed to its end, because a value decides about it.
    pub fn needs_value(&self) -> bool {
        self.devices.iter().any(|(_, plan)| plan.needs_value)
    }
}

impl Engine {
    /// Does `work` on devices that only note what they are asked for. Tensors that it computes have
    /// no elements: the caller must not keep them.
    ///
    /// # Errors
    /// `work`'s own, in the first part; the explanation holds what came before.
    pub fn explain<T>(&self, work: impl FnOnce() -> T) -> (T, Explanation) {
        self.explain_with(|_| Allocator::on_paper(), work)
    }

    /// The same, with the memory that `memory` gives for each device.
    ///
    /// # Errors
    /// As there.
    pub fn explain_with<T>(
        &self,
        memory: impl Fn(&Device) -> Allocator,
        work: impl FnOnce() -> T,
    ) -> (T, Explanation) {
        let modelled = Modelled(self.devices().cloned().collect());
        modelled.0.iter().for_each(|device| device.begin_model(memory(device)));
        let result = work();
        (result, modelled.end())
    }

    /// Does something whose steps are no part of the explanation at hand.
    pub fn unexplained<T>(&self, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        let marks: Vec<(Device, usize)> =
            self.devices().map(|device| (device.clone(), device.model_mark())).collect();
        let result = work();
        marks.iter().for_each(|(device, mark)| device.forget_steps(*mark));
        result
    }
}

/// The devices that note what they are asked for, until this is dropped.
struct Modelled(Vec<Device>);

impl Modelled {
    fn end(mut self) -> Explanation {
        let ended = std::mem::take(&mut self.0).into_iter();
        let plans = ended.map(|device| {
            let plan = device.end_model();
            (device, plan)
        });
        let is_used = |plan: &Plan| !plan.steps.is_empty() || plan.peak_bytes > 0;
        Explanation { devices: plans.filter(|(_, plan)| is_used(plan)).collect() }
    }
}

impl Drop for Modelled {
    fn drop(&mut self) {
        for device in &self.0 {
            device.end_model();
        }
    }
}
