//! Turns a program into steps: kernels chosen, half types widened, passes laid out, buffers shared.
//! Nothing here depends on sizes, so a plan serves every launch of its program.
//!
//! A row program needs as many passes over a row as it has stages. What a later pass needs of an
//! earlier one is computed again, from loads that are in the cache by now; only where that is dear
//! (a transcendental function, a gather) and the row is short enough, the value is kept.

use std::sync::Arc;

use smallvec::SmallVec;

use super::super::dispatch::Level;
use super::super::fused::{self, Act, Deed, Fused};
use super::super::lanes::{self, BinaryFn, CheckedFn, Fold, SelectFn, UnaryFn};
use super::buffers;
use super::groups::{self, Summed};
use super::kept;
use super::lowering::{Lowering, Value};
use super::products::Products;
use crate::dtype::DType;
use crate::ir::{Domain, Failure, Program, Reg};

/// A register of the plan. Not one of the program: half types need more.
pub type Slot = u16;

#[derive(Debug, Clone)]
pub enum Work {
    Load {
        input: u16,
    },
    /// A load that only gathers read, which look first whether they need all of its lanes.
    Waiting,
    Iota {
        axis: u8,
    },
    Gather {
        input: u16,
        indices: SmallVec<[Index; 2]>,
        instr: Reg,
    },
    Unary(UnaryFn, Slot),
    Binary(BinaryFn, Slot, Slot),
    Checked(CheckedFn, Slot, Slot, Failure, Reg),
    Select(SelectFn, Slot, Slot, Slot),
    /// Several operations, and what they read.
    Fused(Arc<Fused>, SmallVec<[Slot; 5]>),
}

/// An index of a gather: a value, and the input that it is, with its buffer, if it waits.
#[derive(Debug, Clone, Copy)]
pub struct Index {
    pub slot: Slot,
    pub waiting: Option<(u16, Option<u16>)>,
}

#[derive(Debug, Clone)]
pub struct Step {
    pub out: Slot,
    /// Bytes of a lane of `out`.
    pub size: u8,
    /// The buffer of `out`; none if it is kept for the row.
    pub home: Option<u16>,
    /// Whether it is a load that nothing but kernels reads.
    pub is_short: bool,
    /// Whether it is a load that nothing but fused loops reads, which may be told one value for all lanes.
    pub is_point: bool,
    pub work: Work,
}

#[derive(Debug, Clone, Copy)]
pub struct Store {
    pub output: u16,
    pub slot: Slot,
    /// The buffer of `slot`, if the step that makes it may write to the output's own memory.
    pub direct: Option<u16>,
    /// Whether that step is a load.
    pub is_load: bool,
}

#[derive(Debug, Clone, Copy)]
pub struct Folding {
    pub fold: Fold,
    pub source: Slot,
    pub result: Slot,
}

/// What is done between two barriers of a row.
#[derive(Debug, Clone, Default)]
pub struct Pass {
    /// Once a row, before the elements.
    pub row: Vec<Step>,
    pub row_stores: Vec<Store>,
    /// Row values that elements read: repeated over a block where lanes run along the row. Each
    /// with its buffer and the bytes of a lane.
    pub spread: Vec<(Slot, u16, u8)>,
    /// The ones of them that nothing but fused loops reads.
    pub spread_points: SmallVec<[Slot; 4]>,
    pub element: Vec<Step>,
    /// Bytes from lane to lane of each slot that `element` reads or makes; see [`Plan::advance`].
    pub advance: Vec<u8>,
    pub stores: Vec<Store>,
    pub folds: Vec<Folding>,
    /// What all of the pass is, where it is this.
    pub products: Option<Products>,
    pub summed: Option<Summed>,
    /// Which buffer each element value of this pass has.
    pub homes: Vec<(Slot, u16)>,
    /// Values that live as long as the row.
    pub kept: Vec<(Slot, u16)>,
}

/// Bytes of a lane times the measure of the work on it, up to which memory and kernels take turns at every few lanes.
/// Where kernels take longer, what reads ahead of them would have forgotten the place, and longer stretches are read.
const LIGHT: usize = 96;

#[derive(Debug, Clone, Default)]
pub struct Plan {
    pub slots: usize,
    /// Each buffer's bytes a lane.
    pub buffers: Vec<u8>,
    /// Constants: slot, bits, bytes.
    pub consts: Vec<(Slot, u64, u8)>,
    /// The constants that nothing but kernels read.
    pub short_consts: SmallVec<[Slot; 2]>,
    /// Every constant's and row value's buffer.
    pub homes: Vec<(Slot, u16)>,
    pub passes: Vec<Pass>,
    /// Bytes from lane to lane of each slot, for a row's steps: none where all lanes are the same. In a pass, none
    /// either where a value is made and used up a few lanes at a time, always in the same place.
    pub advance: Vec<u8>,
    /// Bytes an element of each kept value.
    pub kept: Vec<u8>,
    /// The largest lane of all.
    pub widest: u8,
    /// A rough measure of the work on an element.
    pub weight: usize,
    pub has_arg: bool,
}

/// How a plan is to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Options {
    pub level: Level,
    /// Keep dear values from pass to pass.
    pub keep: bool,
    /// Whether each lane is a row of its own.
    pub is_across: bool,
    /// Write outputs in the last pass only, because they take the place of inputs.
    pub late: bool,
}

impl Plan {
    /// Whether reaching a lane takes about as long as what is done with it.
    pub fn is_light(&self) -> bool {
        self.weight * usize::from(self.widest) < LIGHT
    }

    /// The buffer of a constant or a row value.
    fn home_of(&self, slot: Slot) -> Option<u16> {
        self.homes.iter().find(|(own, _)| *own == slot).map(|(_, home)| *home)
    }

    pub fn new(program: &Program, options: Options) -> Plan {
        let level = options.level;
        let mut low = Lowering::program(program, level);
        // What each output stores: narrow floats in their own format.
        let mut outputs: Vec<(Slot, Domain, u8)> = Vec::new();
        for output in &program.outputs {
            let dtype = program.instr(output.value).dtype;
            let mut slot = low.of_reg[output.value.index()];
            let (domain, stage) =
                (program.instr(output.value).domain, low.values[slot as usize].stage);
            if dtype.compute() != dtype {
                // Storing rounds by itself.
                slot = low.values[slot as usize].rounded.unwrap_or(slot);
                slot = match low.values[slot as usize].stored {
                    // What is only read is copied as it is.
                    Some((stored, own)) if own == dtype => stored,
                    _ => {
                        let narrow = Work::Unary(lanes::to_narrow(level, dtype), slot);
                        let slot = low.push(dtype.size(), domain, stage, Some(narrow));
                        low.says(slot, Act::Narrow(dtype), DType::F32, None);
                        slot
                    }
                };
            }
            outputs.push((slot, output.domain, stage));
        }
        let Lowering { values, consts, folds, products, .. } = low;
        let last = values.iter().map(|value| value.stage).max().unwrap_or(0) as usize;
        let is_const = |slot: Slot| consts.iter().any(|(at, ..)| *at == slot);
        let mut plan = Plan {
            slots: values.len(),
            consts: consts.clone(),
            widest: values.iter().map(|value| value.size).max().unwrap_or(1),
            weight: values.iter().map(|value| if value.dear { 6 } else { 1 }).sum(),
            has_arg: folds.iter().any(|folding| folding.fold.is_arg()),
            ..Plan::default()
        };
        for (slot, value) in values.iter().enumerate() {
            if value.domain == Domain::Row {
                plan.buffers.push(value.size);
                plan.homes.push((slot as Slot, (plan.buffers.len() - 1) as u16));
            }
        }

        let advance = |(slot, value): (usize, &Value)| match is_const(slot as Slot) {
            true => 0,
            false => value.size,
        };
        plan.advance = values.iter().enumerate().map(advance).collect();

        // The element values that each pass must have, in program order.
        let pass_of_output = |stage: u8| if options.late { last } else { stage as usize };
        let roots = |pass: usize| -> Vec<Slot> {
            let sources = folds
                .iter()
                .filter(|folding| values[folding.result as usize].stage as usize == pass + 1)
                .map(|folding| folding.source);
            let stored = outputs
                .iter()
                .filter(|(_, domain, stage)| {
                    *domain == Domain::Element && pass_of_output(*stage) == pass
                })
                .map(|(slot, ..)| *slot);
            sources.chain(stored).collect()
        };
        let needed = |pass: usize, have: &dyn Fn(Slot) -> bool| -> Vec<bool> {
            let mut needed = vec![false; values.len()];
            for root in roots(pass) {
                needed[root as usize] = true;
            }
            for slot in (0..values.len()).rev() {
                if needed[slot] && !have(slot as Slot) {
                    for operand in values[slot].operands() {
                        needed[operand as usize] = true;
                    }
                }
            }
            needed
        };
        let deeds: Vec<Option<Deed>> = values.iter().map(|value| value.deed).collect();
        let mut kept: Vec<Option<(u16, usize)>> = vec![None; values.len()];
        if options.keep && last > 0 {
            let widens_again = options.is_across || fused::is_possible(level);
            (plan.kept, kept) = kept::chosen(&values, last + 1, widens_again, &needed);
        }

        for number in 0..=last {
            let mut pass = Pass::default();
            let from_before =
                |slot: Slot| kept[slot as usize].is_some_and(|(_, first)| first < number);
            let needed = needed(number, &from_before);
            for (slot, value) in values.iter().enumerate() {
                let Some(work) = &value.work else { continue };
                let home = plan.home_of(slot as Slot);
                let (size, work) = (value.size, work.clone());
                let step = || Step {
                    out: slot as Slot,
                    size,
                    home,
                    is_short: false,
                    is_point: false,
                    work,
                };
                if value.domain == Domain::Row {
                    if value.stage as usize == number {
                        pass.row.push(step());
                    }
                } else if needed[slot] && !from_before(slot as Slot) {
                    pass.element.push(step());
                }
            }
            for (slot, value) in values.iter().enumerate() {
                let read = roots(number).contains(&(slot as Slot))
                    || pass
                        .element
                        .iter()
                        .any(|step| step.work.operands().contains(&(slot as Slot)));
                if let (true, false, Some(home)) =
                    (read, is_const(slot as Slot), plan.home_of(slot as Slot))
                {
                    pass.spread.push((slot as Slot, home, value.size));
                }
            }
            pass.folds = folds
                .iter()
                .filter(|folding| values[folding.result as usize].stage as usize == number + 1)
                .copied()
                .collect();
            for (output, (slot, domain, stage)) in outputs.iter().enumerate() {
                if pass_of_output(*stage) != number {
                    continue;
                }
                let store =
                    Store { output: output as u16, slot: *slot, direct: None, is_load: false };
                match domain {
                    Domain::Row => pass.row_stores.push(store),
                    Domain::Element => pass.stores.push(store),
                }
            }
            for (slot, home) in kept.iter().enumerate() {
                if let (Some((at, first)), true) = (home, needed[slot])
                    && *first <= number
                {
                    pass.kept.push((slot as Slot, *at));
                }
            }
            // What needs no value comes first, so that kernels follow one another.
            pass.element.sort_by_key(|step| !step.work.operands().is_empty());
            if fused::is_possible(level) {
                groups::form(&mut pass, &deeds, &consts, (level, options.late));
            }
            if let ([folding], 2..4) = (&pass.folds[..], pass.element.len()) {
                pass.products =
                    products.iter().find(|found| found.result == folding.result).copied();
            }
            buffers::shorten(&mut pass);
            pass.advance = buffers::advance(&plan.advance, &pass, &values);
            buffers::share(&mut plan.buffers, &mut pass, &values);
            buffers::let_wait(&mut pass);
            plan.passes.push(pass);
        }
        // What instructions have taken in needs no lanes.
        let Plan { passes, consts: all, .. } = &mut plan;
        all.retain(|(slot, ..)| passes.iter().any(|pass| pass.reads(*slot)));
        let is_short = |slot: &Slot| plan.passes.iter().all(|pass| pass.reads_by_kernels(*slot));
        plan.short_consts = plan.consts.iter().map(|(slot, ..)| *slot).filter(is_short).collect();
        plan
    }
}
