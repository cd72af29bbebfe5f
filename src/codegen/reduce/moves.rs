//! How a pass moves vectors: loads from memory, values that wait in shared memory, outputs.

use super::super::code::Code;
use super::fields::Named;
use super::form::{Keep, Reach};
use super::kernel::Kernel;
use super::passes::Pass;
use crate::ir::{Op, Reg};

impl Kernel<'_> {
    /// Opens the loop over the neighbours of a vector, if there are several.
    pub fn open_lanes(&self, code: &mut Code) {
        if self.form.vector > 1 {
            code.line("#pragma unroll");
            code.open(format_args!("for (u32 j = 0; j < {}; j++)", self.form.vector));
            if self.may_end_within() {
                code.open("if (e + j < len)");
            }
        }
    }

    pub fn close_lanes(&self, code: &mut Code) {
        if self.form.vector > 1 {
            if self.may_end_within() {
                code.close();
            }
            code.close();
        }
    }

    /// Whether the row may end within a vector of the tile.
    fn may_end_within(&self) -> bool {
        self.form.is_ragged && !self.is_full
    }

    /// The input that a value is loaded from.
    pub fn loaded(&self, reg: Reg) -> Option<u16> {
        match self.program.instr(reg).op {
            Op::Load { input } => Some(input),
            _ => None,
        }
    }

    /// Loads what this pass needs: from memory, or from shared memory what was left there.
    pub fn write_loads(&self, code: &mut Code, pass: &Pass) {
        let is_load = |reg: &&Reg| self.loaded(**reg).is_some();
        let fresh: Vec<Reg> = pass.values.iter().filter(is_load).copied().collect();
        let waiting: &[Reg] = if self.form.keep == Keep::Shared { &pass.kept } else { &[] };
        if fresh.is_empty() && waiting.is_empty() {
            return;
        }
        for reg in fresh.iter().chain(waiting) {
            let ty = self.words.stored(self.program.instr(*reg).dtype);
            code.line(format_args!("{ty} {};", self.words.steps(&self.array(*reg))));
        }
        self.open_step(code, !fresh.is_empty());
        for reg in fresh {
            let Some(input) = self.loaded(reg) else { continue };
            self.write_load(code, self.words.input(input), &self.words.step(&self.array(reg)));
        }
        for reg in waiting {
            let array = self.words.step(&self.array(*reg));
            let from = self.words.vector_in(&format!("shared{} + e", reg.0));
            code.line(format_args!("{array} = {from};"));
        }
        self.close_step(code);
    }

    /// The array of a value that is under way or waits.
    fn array(&self, reg: Reg) -> String {
        match self.loaded(reg) {
            Some(input) => format!("loaded{input}"),
            None => format!("kept{}", reg.0),
        }
    }

    fn write_load(&self, code: &mut Code, operand: &Named, target: &str) {
        let words = self.words;
        if self.form.vector == 1 {
            code.line(format_args!("{target} = {};", words.element_at(operand)));
            return;
        }
        let one = format!("{target}.at[j] = {};", words.element_at(operand));
        if operand.reach != Reach::Vector {
            self.open_lanes(code);
            code.line(one);
            self.close_lanes(code);
            return;
        }
        let whole = format!("{target} = {};", words.vector_in(&words.vector_at(operand)));
        self.write_moved(code, &whole, &one);
    }

    /// A vector at once where it lies within the row, else its elements one by one.
    fn write_moved(&self, code: &mut Code, whole: &str, one: &str) {
        if !self.may_end_within() {
            code.line(whole);
            return;
        }
        code.open(format_args!("if (e + {} <= len)", self.form.vector));
        code.line(whole);
        code.open_else();
        self.open_lanes(code);
        code.line(one);
        self.close_lanes(code);
        code.close();
    }

    /// Stores whole vectors: what waits in shared memory, and outputs.
    pub fn write_vectors(&self, code: &mut Code, left: &[Reg], outputs: &[(&Named, Reg)]) {
        if self.form.keep == Keep::Shared {
            for reg in left {
                let source = match self.loaded(*reg) {
                    Some(_) => self.words.step(&self.array(*reg)),
                    None if self.form.vector == 1 => continue,
                    None => format!("left{}", reg.0),
                };
                let place = format!("shared{} + e", reg.0);
                code.line(self.words.put_vector(&place, &source));
            }
        }
        if self.form.vector == 1 {
            return;
        }
        for (operand, _) in outputs.iter().filter(|(operand, _)| operand.reach == Reach::Vector) {
            let name = &operand.name;
            let place = self.words.vector_at(operand);
            let whole = self.words.put_vector(&place, &format!("{name}_next"));
            let one = format!("{} = {name}_next.at[j];", self.words.element_at(operand));
            self.write_moved(code, &whole, &one);
        }
    }
}
