//! Matrices taken apart on a GPU: small ones by kernels of our own, a stack at a time.

mod small;

use super::CudaBackend;
use crate::device::{Error, Factorisation, Factoriser, View};

impl Factoriser for CudaBackend {
    fn takes(&self, what: Factorisation, [rows, columns]: [usize; 2]) -> bool {
        small::takes(what, [rows, columns])
    }

    fn factorise(
        &self,
        what: Factorisation,
        inputs: &[View<'_>],
        outputs: &[View<'_>],
        flaws: View<'_>,
    ) -> Result<(), Error> {
        let views = inputs.iter().chain(outputs).chain([&flaws]);
        self.enter(views.map(|view| view.storage))?;
        small::factorise(&self.context, what, inputs, outputs, flaws)
    }
}
