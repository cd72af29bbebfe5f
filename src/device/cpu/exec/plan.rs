//! Turns a program into steps: kernels chosen, half types widened, passes laid out, buffers shared.
//! Nothing here depends on sizes, so a plan serves every launch of its program.
//!
//! A row program needs as many passes over a row as it has stages. What a later pass needs of an
//! earlier one is computed again, from loads that are in the cache by now; only where that is dear
//! (a transcendental function, a gather) and the row is short enough, the value is kept.

use smallvec::SmallVec;

use super::super::dispatch::Level;
use super::super::lanes::{self, BinaryFn, CheckedFn, Fold, SelectFn, UnaryFn};
use super::buffers;
use super::chains::{self, Chains};
use super::forms::{const_bits, counted};
use super::kept;
use super::products::Products;
use crate::dtype::DType;
use crate::ir::{Domain, Failure, Op, Program, Reg};

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
    pub element: Vec<Step>,
    /// Bytes from lane to lane of each slot that `element` reads or makes; see [`Plan::advance`].
    pub advance: Vec<u8>,
    pub stores: Vec<Store>,
    pub folds: Vec<Folding>,
    /// What all of the pass is, where it is this.
    pub products: Option<Products>,
    /// Which buffer each element value of this pass has.
    pub homes: Vec<(Slot, u16)>,
    /// Values that live as long as the row.
    pub kept: Vec<(Slot, u16)>,
}

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

/// A value before passes are laid out.
pub(super) struct Value {
    /// `None`: a constant or a reduction.
    pub work: Option<Work>,
    pub size: u8,
    pub domain: Domain,
    stage: u8,
    pub dear: bool,
    /// What this is the rounding of to a narrow type.
    rounded: Option<Slot>,
    /// The same value in the narrow type in which it was read.
    stored: Option<(Slot, DType)>,
}

#[derive(Default)]
struct Lowering {
    values: Vec<Value>,
    consts: Vec<(Slot, u64, u8)>,
    folds: Vec<Folding>,
    products: Vec<Products>,
    /// The slot of each of the program's values.
    of_reg: Vec<Slot>,
}

impl Lowering {
    fn push(&mut self, size: usize, domain: Domain, stage: u8, work: Option<Work>) -> Slot {
        let dear = matches!(work, Some(Work::Gather { .. } | Work::Checked(..)));
        let (size, rounded, stored) = (size as u8, None, None);
        self.values.push(Value { work, size, domain, stage, dear, rounded, stored });
        (self.values.len() - 1) as Slot
    }

    fn program(program: &Program, level: Level) -> Lowering {
        let mut low = Lowering::default();
        let (stages, uses) = (program.stages(), chains::uses(program));
        for (at, instr) in program.instrs.iter().enumerate() {
            let (domain, stage, dtype) = (instr.domain, stages[at], instr.dtype);
            let compute = dtype.compute();
            let is_narrow = compute != dtype;
            let size = compute.size();
            let of = |reg: &Reg| low.of_reg[reg.index()];
            let type_of = |reg: &Reg| program.instr(*reg).dtype.compute();
            let chains = Chains { program, uses: &uses, slots: &low.of_reg, level };
            let mut dear = false;
            let mut needs_rounding = is_narrow && !chains::is_exact(&instr.op);
            let slot = match &instr.op {
                Op::Const(value) => {
                    let slot = low.push(size, Domain::Row, 0, None);
                    low.consts.push((slot, const_bits(*value, dtype), size as u8));
                    needs_rounding = false;
                    slot
                }
                Op::Iota { axis } => {
                    low.push(size, domain, stage, Some(Work::Iota { axis: *axis }))
                }
                Op::Load { .. } | Op::Gather { .. } => {
                    let work = match &instr.op {
                        Op::Gather { input, indices } => Work::Gather {
                            input: *input,
                            indices: indices
                                .iter()
                                .map(|index| Index { slot: of(index), waiting: None })
                                .collect(),
                            instr: Reg(at as u16),
                        },
                        Op::Load { input } => Work::Load { input: *input },
                        _ => unreachable!("the outer pattern"),
                    };
                    let stored = low.push(dtype.size(), domain, stage, Some(work));
                    needs_rounding = false;
                    match is_narrow {
                        false => stored,
                        true => {
                            dear = true;
                            let widen = Work::Unary(lanes::from_narrow(level, dtype), stored);
                            let wide = low.push(size, domain, stage, Some(widen));
                            low.values[wide as usize].stored = Some((stored, dtype));
                            wide
                        }
                    }
                }
                Op::Unary(op, a) => {
                    dear = instr.op.cost(compute) > 0;
                    needs_rounding &= !op.is_test();
                    let chained = chains.unary(*op, *a, dtype);
                    let single = || Work::Unary(lanes::unary(level, *op, type_of(a)), of(a));
                    let work = chained.unwrap_or_else(single);
                    low.push(size, domain, stage, Some(work))
                }
                Op::Binary(op, a, b) => {
                    dear = instr.op.cost(compute) > 0;
                    let rounded = needs_rounding.then(|| chains.rounded(*op, at, dtype)).flatten();
                    (needs_rounding, dear) =
                        (needs_rounding && rounded.is_none(), dear || rounded.is_some());
                    let chained = chains.binary(*op, [*a, *b], dtype);
                    let (a, b) = (of(a), of(b));
                    let chained = chained.or(rounded.map(|kernel| Work::Binary(kernel, a, b)));
                    let work = match (op.failure(compute), chained) {
                        (Some(failure), _) => {
                            let kernel = lanes::checked(level, *op, compute);
                            Work::Checked(kernel, a, b, failure, Reg(at as u16))
                        }
                        (None, Some(chained)) => chained,
                        (None, None) => Work::Binary(lanes::binary(level, *op, dtype), a, b),
                    };
                    low.push(size, domain, stage, Some(work))
                }
                Op::Compare(op, a, b) => {
                    let (kernel, swapped) = lanes::compare(level, *op, type_of(a));
                    let (a, b) = if swapped { (of(b), of(a)) } else { (of(a), of(b)) };
                    low.push(size, domain, stage, Some(Work::Binary(kernel, a, b)))
                }
                Op::Select(c, a, b) => {
                    let chained = chains.choice([*c, *a, *b], dtype);
                    let single = || Work::Select(lanes::select(level, size), of(c), of(a), of(b));
                    let work = chained.unwrap_or_else(single);
                    needs_rounding = false;
                    low.push(size, domain, stage, Some(work))
                }
                Op::Cast(a) => {
                    let from = type_of(a);
                    let rounds_itself = from == DType::F64 && is_narrow;
                    let target = if rounds_itself { dtype } else { compute };
                    needs_rounding &= !rounds_itself;
                    let a = of(a);
                    match from == target {
                        // Lanes of narrower floats are float32 already.
                        true => a,
                        false => {
                            let cast = Work::Unary(lanes::cast(level, from, target), a);
                            low.push(size, domain, stage, Some(cast))
                        }
                    }
                }
                Op::Reduce(op, a) => {
                    let mask = counted(program, *op, *a);
                    let from = type_of(a);
                    let (mut source, cast) = match mask {
                        Some(mask) => (of(&mask), Some((DType::Bool, DType::I8))),
                        None => (of(a), (!op.is_arg()).then_some((from, compute))),
                    };
                    if let Some((from, to)) = cast.filter(|(from, to)| from != to) {
                        let (domain, stage) = {
                            let value = &low.values[source as usize];
                            (value.domain, value.stage)
                        };
                        let cast = Work::Unary(lanes::cast(level, from, to), source);
                        source = low.push(to.size(), domain, stage, Some(cast));
                    }
                    // Floats of 16 bits that are only read are compared as they are stored.
                    let halves = low.values[source as usize].stored.and_then(|(stored, own)| {
                        Fold::of_halves(level, *op, own).map(|fold| (stored, own, fold))
                    });
                    if let Some((stored, own, fold)) = halves {
                        let result = low.push(own.size(), Domain::Row, stage, None);
                        low.folds.push(Folding { fold, source: stored, result });
                        let widen = Work::Unary(lanes::from_narrow(level, own), result);
                        let wide = low.push(size, Domain::Row, stage, Some(widen));
                        low.values[wide as usize].stored = Some((result, own));
                        low.of_reg.push(wide);
                        continue;
                    }
                    let result = low.push(size, Domain::Row, stage, None);
                    low.products.extend(Products::of(program, level, Reg(at as u16), result));
                    let fold = match mask {
                        Some(_) => Fold::counting(level),
                        None => Fold::new(level, *op, if op.is_arg() { from } else { compute }),
                    };
                    low.folds.push(Folding { fold, source, result });
                    result
                }
            };
            low.values[slot as usize].dear |= dear;
            let slot = match needs_rounding {
                false => slot,
                true => {
                    let round = Work::Unary(lanes::round_narrow(level, dtype), slot);
                    let rounded = low.push(size, domain, stage, Some(round));
                    low.values[rounded as usize].dear = true;
                    low.values[rounded as usize].rounded = Some(slot);
                    rounded
                }
            };
            low.of_reg.push(slot);
        }
        low
    }
}

impl Plan {
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
                        low.push(dtype.size(), domain, stage, Some(narrow))
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
        let mut kept: Vec<Option<(u16, usize)>> = vec![None; values.len()];
        if options.keep && last > 0 {
            (plan.kept, kept) = kept::chosen(&values, last + 1, options.is_across, &needed);
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
                let step = || Step { out: slot as Slot, size, home, is_short: false, work };
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
                        .any(|step| values[step.out as usize].operands().contains(&(slot as Slot)));
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
            if let ([folding], 2..4) = (&pass.folds[..], pass.element.len()) {
                pass.products =
                    products.iter().find(|found| found.result == folding.result).copied();
            }
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
            pass.element.sort_by_key(|step| !values[step.out as usize].operands().is_empty());
            buffers::shorten(&mut pass);
            pass.advance = buffers::advance(&plan.advance, &pass, &values);
            buffers::share(&mut plan.buffers, &mut pass, &values);
            buffers::let_wait(&mut pass, &values);
            plan.passes.push(pass);
        }
        let is_short = |slot: &Slot| plan.passes.iter().all(|pass| pass.reads_by_kernels(*slot));
        plan.short_consts = consts.iter().map(|(slot, ..)| *slot).filter(is_short).collect();
        plan
    }
}
