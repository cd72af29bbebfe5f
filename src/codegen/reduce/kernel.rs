//! The text of a kernel, from its head to a row's outputs.

use super::super::body::Body;
use super::super::code::Code;
use super::fold::Fold;
use super::form::{Part, RowsForm};
use super::leaves::Words;
use super::passes::Passes;
use crate::ir::Program;

/// A kernel that is being written.
pub struct Kernel<'a> {
    pub program: &'a Program,
    pub form: &'a RowsForm,
    pub passes: &'a Passes,
    pub words: Words<'a>,
    /// Whether the text is that of a tile all of whose elements are there.
    pub is_full: bool,
}

impl Kernel<'_> {
    /// The statements of the kernel.
    pub fn write(&self, code: &mut Code) {
        self.write_shared(code);
        self.write_place(code);
        let mut body = Body::new(self.program);
        let (first, last) = match self.form.part {
            Part::Whole => (0, self.passes.passes.len()),
            Part::Pass(stage) => (stage as usize, stage as usize + 1),
        };
        if let Part::Pass(_) = self.form.part {
            self.write_results(code, &mut body, first);
        }
        for number in first..last {
            code.line("");
            self.write_title(code, number);
            self.write_row_values(code, &mut body, number);
            self.write_pass(code, &mut body, number);
            self.write_joined(code, &mut body, number);
        }
        if last == self.passes.passes.len() {
            self.write_row_outputs(code, &body, last);
        }
    }

    fn write_title(&self, code: &mut Code, number: usize) {
        let pass = &self.passes.passes[number];
        let folds = pass.folds.iter().map(|reg| format!("{reg} = {}", self.program.instr(*reg).op));
        let mut done: Vec<String> = folds.collect();
        if pass.stores {
            done.push("outputs".to_string());
        }
        let count = self.passes.passes.len();
        code.line(format_args!("// Pass {} of {count}: {}.", number + 1, done.join(", ")));
    }

    /// The reductions that end with a pass.
    pub fn folds(&self, number: usize) -> Vec<Fold> {
        let folds = self.passes.passes[number].folds.iter();
        folds.filter_map(|reg| Fold::new(self.program, *reg, self.form.is_wide)).collect()
    }
}
