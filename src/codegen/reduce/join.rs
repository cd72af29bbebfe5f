//! The text between two passes: how the threads of a row, and the blocks that share one, join what
//! they have folded.

use super::super::body::Body;
use super::super::code::Code;
use super::super::names;
use super::fold::Fold;
use super::form::Part;
use super::kernel::Kernel;

impl Kernel<'_> {
    /// Joins the accumulators of a pass, and makes the results known.
    pub fn write_joined(&self, code: &mut Code, body: &mut Body<'_>, number: usize) {
        let folds = self.folds(number);
        if folds.is_empty() {
            return;
        }
        self.write_join(code, &folds);
        if let Part::Pass(_) = self.form.part {
            self.write_parts(code, &folds);
            self.write_join(code, &folds);
        }
        for fold in &folds {
            let name = self.row_variable(fold.reg);
            let ty = names::value(self.program.instr(fold.reg).dtype);
            let acc = format!("acc{}", fold.reg.0);
            if self.form.rows() == 1 {
                code.line(format_args!("{ty} {name} = {};", fold.result(&acc)));
            } else {
                code.line(format_args!("{ty} {};", self.words.of_rows(&name)));
                self.each_row(code, |of_row| {
                    format!("{} = {};", of_row(&name), fold.result(&of_row(&acc)))
                });
            }
            body.set(fold.reg, self.words.of_row(&name));
        }
        let is_last = number + 1 == self.passes.passes.len();
        if matches!(self.form.part, Part::Pass(_)) && !is_last {
            self.write_found(code, &folds);
        }
    }

    /// Joins the accumulators of the threads of a block that share a row; all get the result.
    fn write_join(&self, code: &mut Code, folds: &[Fold]) {
        let (threads, groups) = (self.form.threads, self.form.groups);
        if threads == 1 {
            return;
        }
        if !self.is_along() {
            let rows = self.form.rows();
            for fold in folds {
                let (op, ty, reg) = (fold.join(), fold.ty(), fold.reg.0);
                let acc = if rows == 1 { format!("&acc{reg}") } else { format!("acc{reg}") };
                code.line(format_args!(
                    "fold_columns<{op}, {threads}, {groups}, {rows}>({acc}, ({ty}*)columns);"
                ));
            }
            return;
        }
        let lanes = threads.min(32);
        for fold in folds {
            let (op, reg) = (fold.join(), fold.reg.0);
            code.line(format_args!("acc{reg} = fold_lanes<{op}, {lanes}>(acc{reg});"));
        }
        if threads <= 32 {
            return;
        }
        code.open("if (t % 32 == 0)");
        for fold in folds {
            code.line(format_args!("warps{0}[t / 32] = acc{0};", fold.reg.0));
        }
        code.close();
        code.line("__syncthreads();");
        for fold in folds {
            let (op, reg, warps) = (fold.join(), fold.reg.0, threads / 32);
            code.line(format_args!("acc{reg} = fold_warps<{op}, {warps}>(warps{reg});"));
        }
    }

    /// Where a block leaves its part of the thread's row, and where block `s` left its.
    fn part(&self, block: &str) -> String {
        if self.is_along() {
            return format!("(u64)row * gridDim.y + {block}");
        }
        let row = if self.form.rows() > 1 { "row + j" } else { "row" };
        format!("(u64){block} * p.rows + {row}")
    }

    /// Leaves the block's parts in scratch memory; the last block of a row takes all of them.
    fn write_parts(&self, code: &mut Code, folds: &[Fold]) {
        for fold in folds {
            let (ty, reg) = (fold.ty(), fold.reg.0);
            code.line(format_args!("{ty}* parts{reg} = ({ty}*)(p.scratch + p.parts{reg});"));
        }
        let writer = self.writer();
        if let Some(writer) = &writer {
            code.open(format_args!("if ({writer})"));
        }
        for fold in folds {
            let (reg, own) = (fold.reg.0, self.part("blockIdx.y"));
            self.each_row(code, |of_row| {
                format!("parts{reg}[{own}] = {};", of_row(&format!("acc{reg}")))
            });
        }
        if writer.is_some() {
            code.close();
        }
        code.line("if (!is_last_block(p.counters + blockIdx.x, gridDim.y)) return;");
        for fold in folds {
            let (ty, reg) = (fold.ty(), fold.reg.0);
            let nothing = fold.identity(if self.form.is_wide { "~0ull" } else { "~0u" });
            self.each_row(code, |of_row| {
                let acc = of_row(&format!("acc{reg}"));
                match fold.is_arg() {
                    true => format!("{acc} = {ty}{nothing};"),
                    false => format!("{acc} = {nothing};"),
                }
            });
        }
        let is_guarded = !self.is_along() || self.form.groups > 1;
        if is_guarded {
            code.open("if (is_live)");
        }
        let first = if self.form.threads == 1 { "0" } else { "t" };
        code.open(format_args!("for (u32 s = {first}; s < gridDim.y; s += {})", self.form.threads));
        for fold in folds {
            let (op, reg, part) = (fold.join(), fold.reg.0, self.part("s"));
            self.each_row(code, |of_row| {
                let acc = of_row(&format!("acc{reg}"));
                format!("{acc} = {op}::join({acc}, fresh(parts{reg} + {part}));")
            });
        }
        code.close();
        if is_guarded {
            code.close();
        }
    }

    /// Leaves the results for the kernels that follow.
    fn write_found(&self, code: &mut Code, folds: &[Fold]) {
        let writer = self.writer();
        if let Some(writer) = &writer {
            code.open(format_args!("if ({writer})"));
        }
        for fold in folds {
            let (reg, name) = (fold.reg, self.row_variable(fold.reg));
            let ty = names::value(self.program.instr(reg).dtype);
            let row = if self.form.rows() > 1 { "row + j" } else { "row" };
            self.each_row(code, |of_row| {
                format!("(({ty}*)(p.scratch + p.result{}))[{row}] = {};", reg.0, of_row(&name))
            });
        }
        if writer.is_some() {
            code.close();
        }
    }
}
