//! What the form `points` reads at computed indices: all of it before anything is computed from
//! it, so that many such reads are under way together.

use super::text::{Asked, Frame, Here};
use super::{Level, PointsForm, Reach};
use crate::codegen::body::Body;
use crate::codegen::code::Code;
use crate::codegen::names;
use crate::ir::{Op, Reg};

impl Frame<'_> {
    /// Reads what lies at computed indices, first where these need no other such value.
    pub fn gathers(&self, code: &mut Code, body: &mut Body<'_>) {
        let program = self.kernel.program;
        let mut waiting: Vec<Reg> = self.needed.clone();
        waiting.retain(|reg| matches!(program.instr(*reg).op, Op::Gather { .. }));
        while !waiting.is_empty() {
            let is_ready = |reg: &Reg| {
                let missing = body.missing(program.instr(*reg).op.operands());
                !missing.iter().any(|missing| waiting.contains(missing))
            };
            let (ready, later): (Vec<Reg>, Vec<Reg>) =
                waiting.iter().copied().partition(|reg| is_ready(reg));
            self.gather_together(code, body, &ready);
            for reg in ready {
                let slot = self.slot(&format!("g{}", reg.0), self.gather_level(reg));
                let element = names::from_stored(program.instr(reg).dtype, &slot);
                let is_name = element == slot || element.ends_with(')');
                body.set(reg, if is_name { element } else { format!("({element})") });
            }
            waiting = later;
        }
    }

    fn gather_input(&self, reg: Reg) -> (usize, &[Reg]) {
        match &self.kernel.program.instr(reg).op {
            Op::Gather { input, indices } => (*input as usize, indices),
            _ => unreachable!("only gathers are asked for"),
        }
    }

    fn gather_level(&self, reg: Reg) -> Level {
        match self.form.operands[self.gather_input(reg).0].reach {
            Reach::Same => Level::Pack,
            _ => Level::Lane,
        }
    }

    fn gather_together(&self, code: &mut Code, body: &Body<'_>, gathers: &[Reg]) {
        let operands: Vec<usize> = gathers.iter().map(|reg| self.gather_input(*reg).0).collect();
        for reg in gathers {
            let ty = names::stored(self.kernel.program.instr(*reg).dtype);
            self.declare(code, ty, &format!("g{}", reg.0), self.gather_level(*reg), " = {}");
        }
        let by_lane =
            |reg: &Reg| self.form.operands[self.gather_input(*reg).0].reach == Reach::Each;
        let (each, packs): (Vec<Reg>, Vec<Reg>) = gathers.iter().copied().partition(by_lane);
        let asked = Asked::of(self.kernel).max(Asked::Number);
        // What leads to an index may be computed once more below, under the same name. Loops are scopes.
        if self.is_plain() {
            code.open_scope();
        }
        self.over_packs(code, &operands, asked, |code| {
            let mut body = body.clone();
            for reg in packs {
                self.gather(code, &mut body, reg, Level::Pack);
            }
            if !each.is_empty() {
                self.over_lanes(code, |code| {
                    self.skip_missing(code);
                    if self.form.ends {
                        let operands: Vec<usize> =
                            each.iter().map(|reg| self.gather_input(*reg).0).collect();
                        if self.form.apart || operands.iter().any(|one| self.has_place(*one)) {
                            code.line("u32 j = i + e;");
                            self.places(code, &operands, asked, "j");
                        }
                    }
                    for reg in each {
                        self.gather(code, &mut body, reg, Level::Lane);
                    }
                });
            }
        });
        if self.is_plain() {
            code.close();
        }
    }

    fn gather(&self, code: &mut Code, body: &mut Body<'_>, reg: Reg, level: Level) {
        let PointsForm { lanes, ends, .. } = *self.form;
        let mut here = Here { frame: self, level };
        let (input, indices) = self.gather_input(reg);
        body.compute(code, indices.iter().copied(), &mut here);
        let is_lane = level == Level::Lane;
        let number = if ends { "j" } else { "i" };
        let own = self.place(input, number, is_lane && !ends && lanes > 1);
        let slot = self.slot(&format!("g{}", reg.0), level);
        let is_pack = self.form.operands[input].reach == Reach::Pack && lanes > 1;
        body.gather(code, reg, &mut here, |code, _, places| {
            let computed = places
                .iter()
                .enumerate()
                .map(|(number, place)| format!("{place} * p.stride{input}_{number}"));
            let sum = own.into_iter().chain(computed).collect::<Vec<_>>().join(" + ");
            match is_pack {
                true => code.line(format_args!("{slot} = load<{lanes}>(p.in{input} + {sum});")),
                false => code.line(format_args!("{slot} = p.in{input}[{sum}];")),
            }
        });
    }
}
