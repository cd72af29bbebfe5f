//! Matrices taken apart on a GPU: small ones by kernels of our own, a stack at a time, large ones by
//! cuSOLVER, one after the other.

mod api;
mod small;
mod solver;

pub use solver::Solver;

use super::CudaBackend;
use crate::device::{Backend, Error, Factorisation, Factoriser, View};

impl Factoriser for CudaBackend {
    fn takes(&self, what: Factorisation, sides: [usize; 2], count: usize) -> bool {
        small::takes(what, sides) || self.blas.is_there() && self.solver.takes(what, sides, count)
    }

    fn factorise(
        &self,
        what: Factorisation,
        inputs: &[View<'_>],
        outputs: &[View<'_>],
        flaws: View<'_>,
    ) -> Result<(), Error> {
        let written = outputs.iter().chain([&flaws]);
        self.enter(inputs.iter().map(|view| view.storage), written.map(|view| view.storage))?;
        if small::takes(what, inputs[0].sides()) {
            return small::factorise(&self.context, what, inputs, outputs, flaws);
        }
        let is_sound = |number: usize| {
            let mut flaw = [0; 8];
            let place = 8 * (flaws.layout.offset + number);
            self.copy_to_host(flaws.storage, place, &mut flaw)?;
            Ok(flaw == [0; 8])
        };
        let operands = (inputs, outputs, flaws);
        let libraries = (&self.solver, &self.blas);
        solver::factorise(&self.context, libraries, what, operands, &is_sound)
    }
}
