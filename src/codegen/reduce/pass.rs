//! The text of one pass over the elements of a row: loads first, then the work on them.

use super::super::body::Body;
use super::super::code::Code;
use super::super::names;
use super::fields::Named;
use super::fold::Fold;
use super::form::{Keep, Lanes, Part, Reach};
use super::kernel::Kernel;
use super::leaves::ElementLeaves;
use super::passes::Pass;
use crate::ir::{Domain, Op, Reg};

impl Kernel<'_> {
    pub fn write_pass(&self, code: &mut Code, body: &mut Body<'_>, number: usize) {
        let folds = self.folds(number);
        for fold in &folds {
            self.declare(code, fold, "acc", &fold.ty(), &fold.identity(&self.first_element()));
        }
        if self.form.is_held() {
            for reg in self.passes.left_by(number).filter(|reg| self.loaded(*reg).is_none()) {
                let ty = self.words.vector_of(names::value(self.program.instr(reg).dtype));
                code.line(format_args!("{ty} {};", self.words.steps(&format!("kept{}", reg.0))));
            }
            self.write_tile(code, body, &folds, number);
            return;
        }
        let (first, step) = self.tiles();
        let index = self.words.index();
        let fills_first = self.fills_first();
        if fills_first {
            let tile = self.form.tile();
            code.open_scope();
            code.line(format_args!("{index} start = {first};"));
            code.open(format_args!("for (; start + {tile} <= len; start += {step})"));
            Kernel { is_full: true, ..*self }.write_tile(code, body, &folds, number);
            code.close();
            code.open(format_args!("for (; start < len; start += {step})"));
        } else {
            code.open(format_args!("for ({index} start = {first}; start < len; start += {step})"));
        }
        self.write_tile(code, body, &folds, number);
        code.close();
        if fills_first {
            code.close();
        }
    }

    /// Whether whole tiles have a loop of their own, without guards. A guard is a branch that loads don't pass, and
    /// rows of odd lengths have one around each element, not around a vector.
    fn fills_first(&self) -> bool {
        let is_uneven = self.form.is_ragged || self.form.vector == 1;
        self.is_along() && is_uneven && self.form.steps > 1
    }

    /// The loads of a tile, and the work on it.
    fn write_tile(&self, code: &mut Code, body: &Body<'_>, folds: &[Fold], number: usize) {
        let pass = &self.passes.passes[number];
        if self.form.steps == 1 && !(self.form.is_held() && number > 0) {
            self.write_element(code, true);
        }
        self.write_loads(code, pass);
        for fold in folds.iter().filter(|fold| fold.sums_near()) {
            self.declare(code, fold, "near", "f32", "0");
        }
        self.open_step(code, self.needs_coordinates(pass));
        self.write_step(code, &mut body.clone(), folds, number);
        self.close_step(code);
        for fold in folds.iter().filter(|fold| fold.sums_near()) {
            self.each_row(code, |of_row| {
                let reg = fold.reg.0;
                format!("{} += {};", of_row(&format!("acc{reg}")), of_row(&format!("near{reg}")))
            });
        }
    }

    /// Declares a variable for each of the thread's rows.
    fn declare(&self, code: &mut Code, fold: &Fold, name: &str, ty: &str, value: &str) {
        let name = format!("{name}{}", fold.reg.0);
        if self.form.rows() == 1 {
            code.line(format_args!("{ty} {name} = {value};"));
        } else {
            code.line(format_args!("{ty} {};", self.words.of_rows(&name)));
            self.each_row(code, |of_row| match value.starts_with('{') {
                true => format!("{} = {ty}{value};", of_row(&name)),
                false => format!("{} = {value};", of_row(&name)),
            });
        }
    }

    /// Writes a statement for each of the thread's rows.
    pub fn each_row(&self, code: &mut Code, statement: impl Fn(&dyn Fn(&str) -> String) -> String) {
        let statement = statement(&|name| self.words.of_row(name));
        if self.form.rows() == 1 {
            code.line(statement);
        } else {
            code.line("#pragma unroll");
            let rows = self.form.rows();
            code.line(format_args!("for (u32 j = 0; j < {rows}; j++) {statement}"));
        }
    }

    /// The first element that a thread takes.
    fn first_element(&self) -> String {
        let own = match (self.form.threads, self.form.width()) {
            (1, _) => "0".to_string(),
            (_, 1) => "t".to_string(),
            (_, width) => format!("t * {width}"),
        };
        match self.form.part {
            Part::Whole => own,
            Part::Pass(_) => format!("{} + {own}", self.first_tile()),
        }
    }

    fn first_tile(&self) -> String {
        let block = if self.form.is_wide { "(u64)blockIdx.y" } else { "blockIdx.y" };
        format!("{block} * {}", self.form.tile())
    }

    /// Where a block's first tile begins, and how far the next one is behind it.
    fn tiles(&self) -> (String, String) {
        let tile = self.form.tile();
        match self.form.part {
            Part::Whole => ("0".to_string(), tile.to_string()),
            Part::Pass(_) => (self.first_tile(), format!("gridDim.y * {tile}")),
        }
    }

    /// Declares `e`, the first element of the thread's vector in this step, and its coordinates.
    fn write_element(&self, code: &mut Code, needs_coordinates: bool) {
        let (threads, width) = (self.form.threads, self.form.width());
        let vector = match (self.form.steps, threads) {
            (1, 1) => "0".to_string(),
            (1, _) => "t".to_string(),
            (_, 1) => "k".to_string(),
            _ => format!("k * {threads} + t"),
        };
        let within = match width {
            1 => vector,
            _ if vector.contains(' ') => format!("({vector}) * {width}"),
            _ => format!("{vector} * {width}"),
        };
        let index = self.words.index();
        match self.form.is_held() {
            true => code.line(format_args!("{index} e = {within};")),
            false => code.line(format_args!("{index} e = start + {within};")),
        }
        let rank = self.form.reduced_rank as usize;
        if rank > 1 && needs_coordinates {
            self.write_coordinates(code, "e", "e", rank, "reduced");
        }
    }

    /// Whether the work of a pass, apart from its loads, asks for coordinates.
    fn needs_coordinates(&self, pass: &Pass) -> bool {
        let asks =
            |reg: &Reg| matches!(self.program.instr(*reg).op, Op::Gather { .. } | Op::Iota { .. });
        pass.stores || pass.values.iter().any(asks)
    }

    pub fn open_step(&self, code: &mut Code, needs_coordinates: bool) {
        if self.form.steps > 1 {
            code.line("#pragma unroll");
            code.open(format_args!("for (u32 k = 0; k < {}; k++)", self.form.steps));
            self.write_element(code, needs_coordinates);
        }
        match self.is_full {
            true => code.open_scope(),
            false => code.open("if (e < len)"),
        }
    }

    pub fn close_step(&self, code: &mut Code) {
        code.close();
        if self.form.steps > 1 {
            code.close();
        }
    }

    /// What is done with the vectors of one step.
    fn write_step(&self, code: &mut Code, body: &mut Body<'_>, folds: &[Fold], number: usize) {
        let pass = &self.passes.passes[number];
        let is_shared = self.form.keep == Keep::Shared;
        let left: Vec<Reg> = self.passes.left_by(number).collect();
        let computed = || left.iter().filter(|reg| self.loaded(**reg).is_none());
        let outputs: Vec<(&Named, Reg)> = match pass.stores {
            true => self.element_outputs().collect(),
            false => Vec::new(),
        };
        if self.form.vector > 1 {
            for reg in computed().filter(|_| is_shared) {
                let ty = self.words.stored(self.program.instr(*reg).dtype);
                code.line(format_args!("{ty} left{};", reg.0));
            }
            for (operand, _) in outputs.iter().filter(|(operand, _)| operand.reach == Reach::Vector)
            {
                let ty = self.words.stored(operand.dtype);
                code.line(format_args!("{ty} {}_next;", operand.name));
            }
        }
        self.open_lanes(code);
        self.write_values(code, body, number);
        for fold in folds {
            let array = if fold.sums_near() { "near" } else { "acc" };
            let acc = self.words.of_row(&format!("{array}{}", fold.reg.0));
            code.line(fold.take(&acc, body.name(fold.operand), self.words.element()));
        }
        for reg in computed() {
            let dtype = self.program.instr(*reg).dtype;
            let (target, value) = match is_shared {
                true if self.form.vector == 1 => {
                    (format!("shared{}[e]", reg.0), names::to_stored(dtype, body.name(*reg)))
                }
                true => (format!("left{}.at[j]", reg.0), names::to_stored(dtype, body.name(*reg))),
                false => {
                    let array = self.words.step(&format!("kept{}", reg.0));
                    (self.words.lane(&array), body.name(*reg).to_string())
                }
            };
            code.line(format_args!("{target} = {value};"));
        }
        for (operand, value) in &outputs {
            let element = names::to_stored(operand.dtype, body.name(*value));
            let target = match operand.reach == Reach::Vector && self.form.vector > 1 {
                true => format!("{}_next.at[j]", operand.name),
                false => self.words.element_at(operand),
            };
            code.line(format_args!("{target} = {element};"));
        }
        self.close_lanes(code);
        self.write_vectors(code, &left, &outputs);
    }

    /// The element values of a pass, each in a variable.
    fn write_values(&self, code: &mut Code, body: &mut Body<'_>, number: usize) {
        let pass = &self.passes.passes[number];
        let mut leaves = ElementLeaves { words: self.words, pass: number };
        for reg in &pass.kept {
            if self.loaded(*reg).is_some() {
                body.emit(code, *reg, &mut leaves);
                continue;
            }
            let dtype = self.program.instr(*reg).dtype;
            let element = self.words.lane(&self.words.step(&format!("kept{}", reg.0)));
            let value = match self.form.keep == Keep::Shared {
                true => names::from_stored(dtype, &element),
                false => element,
            };
            let name = format!("v{}", reg.0);
            code.line(format_args!("{} {name} = {value};", names::value(dtype)));
            body.set(*reg, name);
        }
        for reg in &pass.values {
            body.emit(code, *reg, &mut leaves);
        }
    }

    fn element_outputs(&self) -> impl Iterator<Item = (&Named, Reg)> {
        let values = self.program.outputs.iter().map(|output| output.value);
        let outputs = self.words.outputs().iter().zip(values);
        outputs.filter(|(operand, _)| operand.domain == Domain::Element)
    }

    /// Whether lanes run along the row.
    pub fn is_along(&self) -> bool {
        self.form.lanes == Lanes::Along
    }
}
