//! Where functions of the library make tensors: beside those that they were given.

use super::Machine;
use crate::tensor::Device;

impl Machine<'_> {
    /// The device of the tensors that the running function of the library was called with, where it is
    /// not the session's. A text of the library names no device when it makes constants and results.
    pub(super) fn device_of_operands(&self) -> Option<Device> {
        let mut own = self.frames.iter().take_while(|frame| frame.function().code.module.is_some());
        own.find_map(|frame| {
            let variables = usize::from(frame.function().code.first_temporary);
            let registers = &self.stack[frame.base..frame.base + variables];
            let cells: Vec<_> =
                frame.cells().iter().filter_map(|cell| cell.borrow().clone()).collect();
            self.evaluator.device_of(registers.iter().chain(&cells))
        })
    }
}
