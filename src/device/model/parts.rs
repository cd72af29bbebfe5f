//! What not every back end has.

use super::{Model, Step, bytes, kind};
use crate::device::{
    Error, Factorisation, Factoriser, Fourier, Rows, Searcher, Transformer, View, Work,
};

impl Factoriser for Model {
    fn takes(&self, what: Factorisation, sides: [usize; 2], count: usize) -> bool {
        self.real.factoriser().is_some_and(|real| real.takes(what, sides, count))
    }

    fn factorise(
        &self,
        what: Factorisation,
        inputs: &[View<'_>],
        outputs: &[View<'_>],
        flaws: View<'_>,
    ) -> Result<(), Error> {
        self.take(Work::Factorise)?;
        let shape = &inputs[0].layout.shape;
        let columns = inputs.get(1).map_or(0, |right| right.sides()[1]);
        let each = what.flops(inputs[0].sides(), outputs.len(), columns);
        let flops = each * flaws.layout.elem_count() as f64;
        self.note(Step {
            what: format!("{} {}, {flops:.1e} flops", what.name(), kind(inputs[0].dtype(), shape)),
            read_bytes: inputs.iter().map(bytes).sum(),
            written_bytes: outputs.iter().map(bytes).sum(),
            ..Step::default()
        });
        Ok(())
    }
}

impl Searcher for Model {
    fn search(
        &self,
        sorted: View<'_>,
        values: View<'_>,
        _right: bool,
        out: View<'_>,
    ) -> Result<(), Error> {
        let [among, of] = [&sorted, &values].map(|view| kind(view.dtype(), &view.layout.shape));
        self.note(Step {
            what: format!("search for {of} among {among}"),
            read_bytes: bytes(&sorted) + bytes(&values),
            written_bytes: bytes(&out),
            ..Step::default()
        });
        Ok(())
    }
}

impl Transformer for Model {
    fn is_limited(&self) -> bool {
        self.real.transformer().is_ok_and(Transformer::is_limited)
    }

    fn transform(
        &self,
        what: Fourier,
        rows: Rows,
        _scale: f64,
        input: View<'_>,
        output: View<'_>,
    ) -> Result<(), Error> {
        self.take(Work::Transform)?;
        let (count, n, flops) = (rows.count(), rows.n, rows.flops());
        let lines = if count == 1 { "line" } else { "lines" };
        self.note(Step {
            what: format!(
                "{} of {count} {lines} of {n}, {}, {flops:.1e} flops",
                what.name(),
                input.dtype()
            ),
            read_bytes: bytes(&input),
            written_bytes: bytes(&output),
            ..Step::default()
        });
        Ok(())
    }
}
