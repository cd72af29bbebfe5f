//! What a kernel does once a row: values that its elements need, outputs, and what earlier kernels
//! found.

use super::super::body::Body;
use super::super::code::Code;
use super::super::names;
use super::fields::Named;
use super::form::{Lanes, Part};
use super::kernel::Kernel;
use super::leaves::RowLeaves;
use super::passes::regs;
use crate::ir::{Domain, Op, Reg};

impl Kernel<'_> {
    /// Writes the values of a row that a pass's elements need.
    pub fn write_row_values(&self, code: &mut Code, body: &mut Body<'_>, number: usize) {
        let pass = &self.passes.passes[number];
        let mut wanted: Vec<Reg> = Vec::new();
        for reg in &pass.values {
            wanted.extend(self.program.instr(*reg).op.operands());
        }
        for reg in &pass.folds {
            wanted.extend(self.program.instr(*reg).op.operands());
        }
        if pass.stores {
            let outputs = self.program.outputs.iter();
            let of_elements = outputs.filter(|output| output.domain == Domain::Element);
            wanted.extend(of_elements.map(|output| output.value));
        }
        wanted.retain(|reg| self.program.instr(*reg).domain == Domain::Row && !body.is_known(*reg));
        self.compute_row(code, body, &wanted, number);
    }

    /// Writes values of the row, which are known to what follows.
    fn compute_row(&self, code: &mut Code, body: &mut Body<'_>, wanted: &[Reg], number: usize) {
        let values = body.missing(wanted.iter().copied());
        let mut leaves = RowLeaves { words: self.words, pass: number };
        if self.form.rows() == 1 {
            for reg in values {
                body.emit(code, reg, &mut leaves);
            }
            return;
        }
        if values.is_empty() {
            return;
        }
        for reg in &values {
            let ty = names::value(self.program.instr(*reg).dtype);
            code.line(format_args!("{ty} {};", self.words.of_rows(&format!("r{}", reg.0))));
        }
        self.open_rows(code);
        let mut inner = body.clone();
        for reg in &values {
            inner.emit(code, *reg, &mut leaves);
            code.line(format_args!("r{}[j] = {};", reg.0, inner.name(*reg)));
        }
        code.close();
        for reg in values {
            body.set(reg, format!("r{}[j]", reg.0));
        }
    }

    /// Opens the loop over a thread's rows, if it has several.
    pub fn open_rows(&self, code: &mut Code) {
        if self.form.rows() > 1 {
            code.line("#pragma unroll");
            code.open(format_args!("for (u32 j = 0; j < {}; j++)", self.form.rows()));
        }
    }

    pub fn close_rows(&self, code: &mut Code) {
        if self.form.rows() > 1 {
            code.close();
        }
    }

    /// The condition that a thread is the one to write for its row.
    pub fn writer(&self) -> Option<String> {
        let form = self.form;
        let is_shared = form.threads > 1;
        let is_alone = form.lanes == Lanes::Along && form.groups == 1;
        match (is_shared, is_alone) {
            (true, true) => Some("t == 0".to_string()),
            (true, false) => Some("t == 0 && is_live".to_string()),
            (false, true) => None,
            (false, false) => Some("is_live".to_string()),
        }
    }

    fn row_outputs(&self) -> impl Iterator<Item = (&Named, Reg)> {
        let values = self.program.outputs.iter().map(|output| output.value);
        let outputs = self.words.outputs().iter().zip(values);
        outputs.filter(|(operand, _)| operand.domain == Domain::Row)
    }

    pub fn write_row_outputs(&self, code: &mut Code, body: &Body<'_>, number: usize) {
        let outputs: Vec<(&Named, Reg)> = self.row_outputs().collect();
        if outputs.is_empty() {
            return;
        }
        let writes_elements = self.passes.passes.last().is_some_and(|pass| pass.stores);
        if writes_elements && matches!(self.form.part, Part::Pass(_)) {
            // The row's inputs may lie where its outputs go: other blocks must have read them.
            code.line("if (!is_last_block(p.counters + blockIdx.x, gridDim.y)) return;");
        }
        code.line("");
        let writer = self.writer();
        if let Some(writer) = &writer {
            code.open(format_args!("if ({writer})"));
        }
        self.open_rows(code);
        let mut inner = body.clone();
        let mut leaves = RowLeaves { words: self.words, pass: number.saturating_sub(1) };
        inner.compute(code, outputs.iter().map(|(_, value)| *value), &mut leaves);
        for (operand, value) in outputs {
            let element = names::to_stored(operand.dtype, inner.name(value));
            code.line(format_args!("{} = {element};", self.words.row_at(operand)));
        }
        self.close_rows(code);
        if writer.is_some() {
            code.close();
        }
    }

    /// The values that a kernel for one pass computes or reads, reductions of earlier passes
    /// included.
    pub fn needed(&self, number: usize) -> Vec<bool> {
        let pass = &self.passes.passes[number];
        let mut wanted: Vec<Reg> = pass.values.clone();
        for reg in &pass.folds {
            wanted.extend(self.program.instr(*reg).op.operands());
        }
        if number + 1 == self.passes.passes.len() {
            wanted.extend(self.program.outputs.iter().map(|output| output.value));
        }
        let mut is_needed = vec![false; self.program.instrs.len()];
        while let Some(reg) = wanted.pop() {
            if !std::mem::replace(&mut is_needed[reg.index()], true)
                && !matches!(self.program.instr(reg).op, Op::Reduce(..))
            {
                wanted.extend(self.program.instr(reg).op.operands());
            }
        }
        is_needed
    }

    /// Reads what earlier kernels found.
    pub fn write_results(&self, code: &mut Code, body: &mut Body<'_>, number: usize) {
        let (is_needed, stage) = (self.needed(number), self.passes.passes[number].stage);
        let is_found = |reg: &Reg| {
            let is_fold = matches!(self.program.instr(*reg).op, Op::Reduce(..));
            is_needed[reg.index()] && is_fold && self.passes.stages[reg.index()] <= stage
        };
        for reg in regs(self.program).filter(is_found) {
            let ty = names::value(self.program.instr(reg).dtype);
            let name = self.row_variable(reg);
            let scratch = format!("((const {ty}*)(p.scratch + p.result{}))", reg.0);
            if self.form.rows() == 1 {
                code.line(format_args!("{ty} {name} = {scratch}[row];"));
            } else {
                code.line(format_args!("{ty} {};", self.words.of_rows(&name)));
                self.open_rows(code);
                code.line(format_args!("{name}[j] = {scratch}[row + j];"));
                code.close();
            }
            body.set(reg, self.words.of_row(&name));
        }
    }

    /// The variable, or the array, that holds a reduction's result.
    pub fn row_variable(&self, reg: Reg) -> String {
        let letter = if self.form.rows() == 1 { "v" } else { "r" };
        format!("{letter}{}", reg.0)
    }
}
