//! The head of a kernel: shared memory, where each thread stands, and where its row begins in each
//! operand.

use super::super::code::Code;
use super::super::names;
use super::SPAN;
use super::fields::Named;
use super::fold::Fold;
use super::form::{Keep, Lanes, Part};
use super::kernel::Kernel;
use super::passes::regs;
use crate::ir::{Domain, Op, Reg};

impl Kernel<'_> {
    /// Declares where warps, or the threads of a column, leave their parts.
    pub fn write_shared(&self, code: &mut Code) {
        let form = self.form;
        let numbers = match form.stage() {
            Some(stage) => stage as usize..stage as usize + 1,
            None => 0..self.passes.passes.len(),
        };
        let folds: Vec<Fold> = numbers.flat_map(|number| self.folds(number)).collect();
        match form.lanes {
            Lanes::Along if form.threads > 32 => {
                for fold in folds {
                    let (ty, reg, warps) = (fold.ty(), fold.reg.0, form.threads / 32);
                    code.line(format_args!("__shared__ {ty} warps{reg}[{warps}];"));
                }
            }
            Lanes::Across if form.threads > 1 => {
                let largest = folds.iter().map(Fold::size).max().unwrap_or(0);
                let bytes = largest * form.vector as usize * form.block() as usize;
                if bytes > 0 {
                    code.line(format_args!("alignas(16) __shared__ u8 columns[{bytes}];"));
                }
            }
            _ => {}
        }
    }

    /// Where the thread stands, and where its row begins in each operand.
    pub fn write_place(&self, code: &mut Code) {
        let (form, index) = (self.form, self.words.index());
        let (threads, groups) = (form.threads, form.groups);
        let block = if form.is_wide { "(u64)blockIdx.x" } else { "blockIdx.x" };
        let is_alone = form.lanes == Lanes::Along && groups == 1;
        let own = match form.lanes {
            Lanes::Along => {
                match (threads, is_alone) {
                    (1, _) => {}
                    (_, true) => code.line("u32 t = threadIdx.x;"),
                    (_, false) => code.line(format_args!("u32 t = threadIdx.x % {threads};")),
                }
                match threads {
                    1 => format!("{block} * {groups} + threadIdx.x"),
                    _ => format!("{block} * {groups} + threadIdx.x / {threads}"),
                }
            }
            Lanes::Across => {
                let column = match threads {
                    1 => "threadIdx.x".to_string(),
                    _ => {
                        code.line(format_args!("u32 t = threadIdx.x / {groups};"));
                        format!("threadIdx.x % {groups}")
                    }
                };
                match form.vector {
                    1 => format!("{block} * {groups} + {column}"),
                    vector => format!("({block} * {groups} + {column}) * {vector}"),
                }
            }
        };
        if is_alone {
            if self.asks_row() {
                code.line(format_args!("{index} row = blockIdx.x;"));
            }
            code.line(format_args!("{index} len = p.row_len;"));
        } else {
            code.line(format_args!("{index} own = {own};"));
            code.line("bool is_live = own < p.rows;");
            code.line(format_args!("{index} row = is_live ? own : 0;"));
            code.line(format_args!("{index} len = is_live ? p.row_len : 0;"));
        }
        self.write_kept(code);
        self.write_coordinates(code, "row", "c", form.kept_rank as usize, "kept");
        for (number, operand) in self.words.operands.iter().enumerate() {
            let is_input = number < self.words.inputs;
            let is_used = if is_input { self.reads(number) } else { self.writes(operand) };
            if !is_used {
                continue;
            }
            let constant = if is_input { "const " } else { "" };
            let (ty, name) = (names::stored(operand.dtype), &operand.name);
            let start = match self.words.row_start(operand) {
                start if start.is_empty() => String::new(),
                start => format!(" + {start}"),
            };
            code.line(format_args!("{constant}{ty}* {name} = p.{name}{start};"));
        }
    }

    /// Whether the text says `row`.
    fn asks_row(&self) -> bool {
        let is_part = matches!(self.form.part, Part::Pass(_));
        self.form.kept_rank > 0 || is_part || self.program.can_fail()
    }

    /// Whether this kernel reads an input.
    fn reads(&self, number: usize) -> bool {
        let is_needed = self.form.stage().map(|stage| self.needed(stage as usize));
        let is_read = |reg: Reg| match self.program.instr(reg).op {
            Op::Load { input } | Op::Gather { input, .. } => {
                input as usize == number
                    && is_needed.as_ref().is_none_or(|is_needed| is_needed[reg.index()])
            }
            _ => false,
        };
        regs(self.program).any(is_read)
    }

    /// Whether this kernel writes an output.
    fn writes(&self, output: &Named) -> bool {
        let count = self.passes.passes.len();
        let Some(stage) = self.form.stage() else { return true };
        let is_last = stage as usize + 1 == count;
        is_last && (output.domain == Domain::Row || self.passes.passes[count - 1].stores)
    }

    /// Where values wait in shared memory, if they do.
    fn write_kept(&self, code: &mut Code) {
        if self.form.keep != Keep::Shared {
            return;
        }
        code.line("extern __shared__ __align__(128) u8 shared[];");
        let places = self.passes.places(self.program).0;
        if places.iter().any(|(_, start)| *start > 0) {
            code.line(format_args!("u32 span = (p.row_len + {}) / {SPAN} * {SPAN};", SPAN - 1));
        }
        for (reg, start) in places {
            let ty = names::stored(self.program.instr(reg).dtype);
            let place = match start {
                0 => "shared".to_string(),
                start => format!("(shared + {start} * span)"),
            };
            code.line(format_args!("{ty}* shared{} = ({ty}*){place};", reg.0));
        }
    }

    /// The coordinates of a point along several axes: `{letter}0`, `{letter}1`, …
    pub fn write_coordinates(
        &self,
        code: &mut Code,
        point: &str,
        letter: &str,
        rank: usize,
        dims: &str,
    ) {
        let index = self.words.index();
        let mut rest = point.to_string();
        for axis in (1..rank).rev() {
            let outer = if axis == 1 { format!("{letter}0") } else { format!("{letter}_{axis}") };
            let (quotient, extent) = match self.form.is_wide {
                true => (format!("{rest} / p.{dims}{axis}"), format!("p.{dims}{axis}")),
                false => {
                    (format!("divide({rest}, p.{dims}{axis})"), format!("p.{dims}{axis}.value"))
                }
            };
            code.line(format_args!("{index} {outer} = {quotient};"));
            code.line(format_args!("{index} {letter}{axis} = {rest} - {outer} * {extent};"));
            rest = outer;
        }
    }
}
