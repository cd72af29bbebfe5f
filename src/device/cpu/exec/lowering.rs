//! What a program's operations do to lanes: a kernel for each, and how half types are widened and rounded.

use super::super::dispatch::Level;
use super::super::fused::{self, Act, Deed};
use super::super::lanes::{self, Fold};
use super::chains::{self, Chains};
use super::kinds::{const_bits, counted};
use super::plan::{Folding, Index, Slot, Work};
use super::products::Products;
use crate::dtype::{DType, Kind};
use crate::ir::{BinaryOp, CompareOp, Domain, Instr, Op, Program, Reg};

/// A value before passes are laid out.
pub(super) struct Value {
    /// `None`: a constant or a reduction.
    pub work: Option<Work>,
    pub size: u8,
    pub domain: Domain,
    pub stage: u8,
    pub dear: bool,
    /// What this is the rounding of to a narrow type.
    pub rounded: Option<Slot>,
    /// The same value in the narrow type in which it was read.
    pub stored: Option<(Slot, DType)>,
    /// What its step does, if that can be done with others in one loop.
    pub deed: Option<Deed>,
}

#[derive(Default)]
pub(super) struct Lowering {
    pub values: Vec<Value>,
    pub consts: Vec<(Slot, u64, u8)>,
    pub folds: Vec<Folding>,
    pub products: Vec<Products>,
    /// The slot of each of the program's values.
    pub of_reg: Vec<Slot>,
}

impl Lowering {
    pub(super) fn push(
        &mut self,
        size: usize,
        domain: Domain,
        stage: u8,
        work: Option<Work>,
    ) -> Slot {
        let dear = matches!(work, Some(Work::Gather { .. } | Work::Checked(..)));
        let (size, rounded, stored, deed) = (size as u8, None, None, None);
        self.values.push(Value { work, size, domain, stage, dear, rounded, stored, deed });
        (self.values.len() - 1) as Slot
    }

    /// Says what the step of a value does to lanes of a compute type.
    pub(super) fn says(&mut self, slot: Slot, act: Act, dtype: DType, rounded: Option<DType>) {
        self.values[slot as usize].deed = Deed::new(act, dtype, rounded);
    }

    pub(super) fn program(program: &Program, level: Level) -> Lowering {
        let mut low = Lowering::default();
        let (stages, uses) = (program.stages(), chains::uses(program));
        for (at, instr) in program.instrs.iter().enumerate() {
            let (domain, stage, dtype) = (instr.domain, stages[at], instr.dtype);
            let compute = dtype.compute();
            let is_narrow = compute != dtype;
            let size = compute.size();
            let of = |reg: &Reg| low.of_reg[reg.index()];
            let type_of = |reg: &Reg| program.instr(*reg).dtype.compute();
            let fuses = fused::is_possible(level);
            let chains = Chains { program, uses: &uses, slots: &low.of_reg, level, fuses };
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
                            low.says(wide, Act::Widen(dtype), compute, None);
                            wide
                        }
                    }
                }
                Op::Unary(op, a) => {
                    dear = instr.op.cost(compute) > 0;
                    needs_rounding &= !op.is_test();
                    let chained = chains.unary(*op, *a, dtype);
                    let single = || Work::Unary(lanes::unary(level, *op, type_of(a)), of(a));
                    let (is_single, from) = (chained.is_none(), type_of(a));
                    let work = chained.unwrap_or_else(single);
                    let slot = low.push(size, domain, stage, Some(work));
                    if is_single {
                        low.says(slot, Act::Unary(*op), from, None);
                    }
                    slot
                }
                Op::Binary(op, a, b) => {
                    let power = power_of_two(program, *op, *b, compute);
                    let op = power.map_or(*op, |(op, _)| op);
                    let rounded = needs_rounding.then(|| chains.rounded(op, at, dtype)).flatten();
                    needs_rounding &= rounded.is_none();
                    dear = rounded.is_some() || power.is_none() && instr.op.cost(compute) > 0;
                    // What follows on another operation reads the program's own operands.
                    let chained = match power {
                        Some(_) => None,
                        None => chains.binary(op, [*a, *b], dtype),
                    };
                    let (a, mut b) = (of(a), of(b));
                    if let Some((_, bits)) = power {
                        b = low.push(size, Domain::Row, 0, None);
                        low.consts.push((b, bits, size as u8));
                    }
                    let deed = match chained {
                        Some(_) => None,
                        None if compute == DType::Bool => {
                            Deed::masks(op, [a, b].map(|slot| low.values[slot as usize].deed))
                        }
                        None => Deed::new(Act::Binary(op), compute, rounded.and(Some(dtype))),
                    };
                    let chained = chained.or(rounded.map(|kernel| Work::Binary(kernel, a, b)));
                    let work = match (op.failure(compute), chained) {
                        (Some(failure), _) => {
                            let kernel = lanes::checked(level, op, compute);
                            Work::Checked(kernel, a, b, failure, Reg(at as u16))
                        }
                        (None, Some(chained)) => chained,
                        (None, None) => Work::Binary(lanes::binary(level, op, dtype), a, b),
                    };
                    let slot = low.push(size, domain, stage, Some(work));
                    low.values[slot as usize].deed = deed;
                    slot
                }
                Op::Compare(op, a, b) => {
                    let (kernel, swapped) = lanes::compare(level, *op, type_of(a));
                    let from = type_of(a);
                    let (a, b) = if swapped { (of(b), of(a)) } else { (of(a), of(b)) };
                    let slot = low.push(size, domain, stage, Some(Work::Binary(kernel, a, b)));
                    let op = match op {
                        CompareOp::Gt => CompareOp::Lt,
                        CompareOp::Ge => CompareOp::Le,
                        op => *op,
                    };
                    low.says(slot, Act::Compare(op), from, None);
                    slot
                }
                Op::Select(c, a, b) => {
                    let chained = chains.choice([*c, *a, *b], dtype);
                    let single = || Work::Select(lanes::select(level, size), of(c), of(a), of(b));
                    let is_single = chained.is_none();
                    let work = chained.unwrap_or_else(single);
                    needs_rounding = false;
                    let slot = low.push(size, domain, stage, Some(work));
                    if is_single {
                        low.says(slot, Act::Select, compute, None);
                    }
                    slot
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
                    low.says(rounded, Act::Round(dtype), compute, None);
                    rounded
                }
            };
            low.of_reg.push(slot);
        }
        low
    }
}

/// What has the same result as a division by a power of two, or as what is left of it, and the bits of its other operand.
fn power_of_two(program: &Program, op: BinaryOp, by: Reg, dtype: DType) -> Option<(BinaryOp, u64)> {
    let Instr { op: Op::Const(value), dtype: own, .. } = program.instr(by) else { return None };
    let bits = const_bits(*value, *own);
    let is_signed = match dtype.kind() {
        Kind::Signed => true,
        Kind::Unsigned => false,
        Kind::Float if op == BinaryOp::Div => {
            return reciprocal(bits, dtype).map(|bits| (BinaryOp::Mul, bits));
        }
        Kind::Float | Kind::Bool | Kind::Complex => return None,
    };
    let is_power = bits.is_power_of_two() && !(is_signed && bits >> (8 * dtype.size() - 1) == 1);
    match op {
        BinaryOp::FloorDiv if is_power => Some((BinaryOp::Shr, bits.trailing_zeros().into())),
        BinaryOp::Mod if is_power => Some((BinaryOp::BitAnd, bits - 1)),
        _ => None,
    }
}

/// The bits of one by a float with these bits, if no bit of that is rounded away.
fn reciprocal(bits: u64, dtype: DType) -> Option<u64> {
    match dtype {
        DType::F32 => {
            let x = f32::from_bits(bits as u32);
            let is_power = x.is_normal() && bits << 41 == 0 && x.recip().is_normal();
            is_power.then(|| x.recip().to_bits().into())
        }
        DType::F64 => {
            let x = f64::from_bits(bits);
            let is_power = x.is_normal() && bits << 12 == 0 && x.recip().is_normal();
            is_power.then(|| x.recip().to_bits())
        }
        _ => None,
    }
}
