//! Which of a program's element values each pass over a row computes, and which wait for a later
//! pass.
//!
//! There is a pass for each stage of the program that folds, and one at the end for the outputs that
//! have elements. What a later pass needs is computed again where that takes a few cheap operations
//! on one value that waits anyway; else it waits itself.

use super::super::ops;
use crate::ir::{Domain, Instr, Op, Program, Reg};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pass {
    pub stage: u8,
    /// Element values, in order: loads and what is computed.
    pub values: Vec<Reg>,
    /// Values that an earlier pass has left.
    pub kept: Vec<Reg>,
    /// Reductions that end with this pass.
    pub folds: Vec<Reg>,
    /// Whether outputs with elements are written.
    pub stores: bool,
}

/// A value that waits between passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    pub reg: Reg,
    /// The passes that compute it and that need it last.
    pub first: usize,
    pub last: usize,
}

#[derive(Debug, Clone, Default)]
pub struct Passes {
    pub passes: Vec<Pass>,
    pub kept: Vec<Kept>,
    pub stages: Vec<u8>,
}

impl Passes {
    /// `keeps`: whether values may wait at all.
    pub fn new(program: &Program, keeps: bool) -> Passes {
        let stages = program.stages();
        let last = stages.iter().copied().max().unwrap_or(0);
        let first = vec![None; stages.len()];
        let mut search = Search { program, keeps, first, kept: Vec::new(), passes: 0 };
        let mut passes = Vec::new();
        for stage in 0..last {
            let ends = |reg: &Reg| {
                matches!(program.instr(*reg).op, Op::Reduce(..)) && stages[reg.index()] == stage + 1
            };
            let folds: Vec<Reg> = regs(program).filter(ends).collect();
            let roots = folds.iter().flat_map(|reg| program.instr(*reg).op.operands()).collect();
            passes.push(search.pass(Pass { stage, folds, ..Pass::default() }, roots));
        }
        let outputs = program.outputs.iter().filter(|output| output.domain == Domain::Element);
        let roots: Vec<Reg> = outputs.map(|output| output.value).collect();
        if !roots.is_empty() {
            passes.push(search.pass(Pass { stage: last, stores: true, ..Pass::default() }, roots));
        }
        Passes { passes, kept: search.kept, stages }
    }

    /// The values that pass number `pass` leaves for later ones.
    pub fn left_by(&self, pass: usize) -> impl Iterator<Item = Reg> {
        self.kept.iter().filter(move |kept| kept.first == pass).map(|kept| kept.reg)
    }

    /// Puts the values that wait into as few places as possible: the place of each, as bytes an
    /// element before it, and the bytes an element of all.
    pub fn places(&self, program: &Program) -> (Vec<(Reg, usize)>, usize) {
        let (mut slots, mut places) = (Vec::<(usize, usize, usize)>::new(), Vec::new());
        let mut total = 0;
        for kept in &self.kept {
            let size = program.instr(kept.reg).dtype.size();
            // A value may take the place of one that is needed last where it is computed.
            let free =
                slots.iter_mut().find(|(_, own, until)| *own == size && *until <= kept.first);
            match free {
                Some(slot) => {
                    slot.2 = kept.last;
                    places.push((kept.reg, slot.0));
                }
                None => {
                    places.push((kept.reg, total));
                    slots.push((total, size, kept.last));
                    total += size;
                }
            }
        }
        (places, total)
    }

    /// Bytes of registers that an element takes in the pass that needs most: values that wait, and
    /// loads under way.
    pub fn bytes(&self, program: &Program) -> usize {
        let of_pass = |(number, pass): (usize, &Pass)| -> usize {
            let waits = |kept: &&Kept| kept.first < number && kept.last >= number;
            let size = |reg: &Reg| program.instr(*reg).dtype.size();
            let waiting: usize = self.kept.iter().filter(waits).map(|kept| size(&kept.reg)).sum();
            let is_load = |reg: &&Reg| matches!(program.instr(**reg).op, Op::Load { .. });
            waiting + pass.values.iter().filter(is_load).map(size).sum::<usize>()
        };
        self.passes.iter().enumerate().map(of_pass).max().unwrap_or(0)
    }

    /// Instructions on an element in the pass that has most, calls counted by their weight.
    pub fn work(&self, program: &Program) -> usize {
        let of_pass = |pass: &Pass| -> usize {
            let instrs = pass.values.iter().map(|reg| program.instr(*reg));
            let calls: usize = instrs.map(|instr| ops::weight(&instr.op, instr.dtype)).sum();
            pass.values.len() + pass.folds.len() + CALL * calls
        };
        self.passes.iter().map(of_pass).max().unwrap_or(0)
    }
}

/// What a unit of `ops::weight` is in instructions.
const CALL: usize = 4;

pub fn regs(program: &Program) -> impl Iterator<Item = Reg> {
    (0..program.instrs.len() as u16).map(Reg)
}

struct Search<'p> {
    program: &'p Program,
    keeps: bool,
    /// The pass that computes a value first.
    first: Vec<Option<usize>>,
    kept: Vec<Kept>,
    /// How many passes there are so far.
    passes: usize,
}

impl Search<'_> {
    fn pass(&mut self, mut pass: Pass, roots: Vec<Reg>) -> Pass {
        let number = self.passes;
        self.passes += 1;
        let mut seen = vec![false; self.program.instrs.len()];
        let mut stack = roots;
        while let Some(reg) = stack.pop() {
            let instr = self.program.instr(reg);
            if instr.domain == Domain::Row || std::mem::replace(&mut seen[reg.index()], true) {
                continue;
            }
            let first = *self.first[reg.index()].get_or_insert(number);
            if self.keeps && first < number && self.waits(reg) {
                match self.kept.iter_mut().find(|kept| kept.reg == reg) {
                    Some(kept) => kept.last = number,
                    None => self.kept.push(Kept { reg, first, last: number }),
                }
                pass.kept.push(reg);
                continue;
            }
            pass.values.push(reg);
            stack.extend(instr.op.operands());
        }
        pass.values.sort();
        pass.kept.sort();
        self.kept.sort_by_key(|kept| (kept.first, kept.reg));
        pass
    }

    /// Whether a value of an earlier pass waits for this one: it is dear, or made of several that
    /// would have to wait in its place.
    fn waits(&self, reg: Reg) -> bool {
        if self.is_kept(reg) || is_dear(self.program.instr(reg)) {
            return true;
        }
        let mut leaves = Vec::new();
        self.collect_leaves(reg, &mut leaves);
        leaves.len() > 1
    }

    fn is_kept(&self, reg: Reg) -> bool {
        self.kept.iter().any(|kept| kept.reg == reg)
    }

    fn collect_leaves(&self, reg: Reg, leaves: &mut Vec<Reg>) {
        let instr = self.program.instr(reg);
        if instr.domain == Domain::Row {
            return;
        }
        if self.is_kept(reg) || is_dear(instr) {
            if !leaves.contains(&reg) {
                leaves.push(reg);
            }
            return;
        }
        for operand in instr.op.operands() {
            self.collect_leaves(operand, leaves);
        }
    }
}

/// Whether waiting costs less than doing it again.
fn is_dear(instr: &Instr) -> bool {
    match &instr.op {
        Op::Load { .. } | Op::Gather { .. } => true,
        op => op.cost(instr.dtype) > 0,
    }
}
