//! Runs a program through its space: in the form that its first launch was given.

use std::cell::{OnceCell, RefCell};
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

use super::super::dispatch::Level;
use super::direction::{Direction, Geometry, keeps};
use super::form::{Draft, Form, are_large, reach_much};
use super::geometry::Operand;
use super::lines;
use super::plan::{Options, Plan};
use super::steps::Launch;
use super::wide;
use super::workers::Frames;
use crate::device::{Error, Interrupt, Storage};
use crate::ir::{Access, Op, Program, Space, collapse};

/// Plans are forgotten all at once when there are as many as this.
const MAX_PLANS: usize = 4096;

type Plans = FxHashMap<u64, SmallVec<[(Arc<Program>, Options, Arc<Plan>); 1]>>;

/// Runs programs, and remembers their plans and the threads' registers.
#[derive(Debug)]
pub struct Executor {
    level: Level,
    plans: Mutex<Plans>,
    frames: Frames,
}

/// What a [`Memo`](crate::device::Memo) holds: what is the same in every launch of one program over one
/// space whose operands are reached by the same strides.
#[derive(Debug, Default)]
pub struct Known {
    way: OnceCell<Way>,
    forms: Forms,
    /// Those of the program over wider elements.
    wide_forms: Forms,
}

/// What was decided of launches that differ by chance.
#[derive(Debug, Default)]
struct Forms(RefCell<FormsByChance>);

type FormsByChance = SmallVec<[(Chance, Rc<Form>); 1]>;

/// A space whose axes are joined where that makes no difference, and the way of operands through it.
#[derive(Debug)]
struct Way {
    space: Space,
    /// The program's name of each axis.
    names: SmallVec<[u8; 6]>,
    operands: SmallVec<[Operand; 6]>,
    /// Whether operands are large where none lies over another.
    may_be_large: bool,
    /// What copies the same bytes as wider elements, where operands lie as those must.
    wide: Option<Box<(Program, Way)>>,
}

/// By what launches differ that have everything else in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Chance {
    is_aliased: bool,
    is_large: bool,
    threads: usize,
}

impl Way {
    fn of<'a>(
        program: &Program,
        space: &Space,
        operands: impl Iterator<Item = (&'a Storage, &'a Access)> + Clone,
    ) -> Way {
        let mut joined = space.clone();
        let mut accesses: SmallVec<[Access; 4]> =
            operands.clone().map(|(_, access)| access.clone()).collect();
        let pinned = program.instrs.iter().fold(0u64, |pinned, instr| match instr.op {
            Op::Iota { axis } => pinned | 1 << axis,
            _ => pinned,
        });
        let names = collapse(&mut joined, &mut accesses, pinned);
        let operands: SmallVec<[Operand; 6]> = operands
            .zip(&accesses)
            .map(|((storage, _), access)| Operand::of(storage, access, &joined))
            .collect();
        let wide = wide::of_runs(program, &joined, &operands).map(|(program, operands)| {
            let dims: SmallVec<_> = joined.dims[..joined.dims.len() - 1].into();
            let space = Space { kept: dims.len(), dims };
            let names = names[..names.len() - 1].into();
            Box::new((program, Way::new(space, names, operands, None)))
        });
        Way::new(joined, names, operands, wide)
    }

    fn new(
        space: Space,
        names: SmallVec<[u8; 6]>,
        operands: SmallVec<[Operand; 6]>,
        wide: Option<Box<(Program, Way)>>,
    ) -> Way {
        let may_be_large = reach_much(operands.iter(), &space);
        Way { space, names, operands, may_be_large, wide }
    }

    /// The program over wider elements, if all operands begin where these may.
    fn wide_at(&self, operands: &[Operand]) -> Option<&(Program, Way)> {
        let wide = self.wide.as_deref()?;
        let mut sides = wide.1.operands.iter().zip(operands);
        sides.all(|(own, placed)| placed.base.addr().is_multiple_of(own.size)).then_some(wide)
    }
}

impl Executor {
    pub fn new(level: Level) -> Executor {
        Executor { level, plans: Mutex::default(), frames: Frames::default() }
    }

    /// The vector instructions that kernels use.
    pub fn level(&self) -> Level {
        self.level
    }

    /// See [`crate::device::Backend::run`].
    pub fn run(
        &self,
        program: &Program,
        space: &Space,
        inputs: &[(&Storage, &Access)],
        outputs: &[(&Storage, &Access)],
        known: Option<&Known>,
        interrupt: &Interrupt,
    ) -> Result<(), Error> {
        if space.dims[..space.kept].contains(&0) {
            return Ok(());
        }
        let all = inputs.iter().chain(outputs).copied();
        let new;
        let (way, operands) = match known.and_then(|known| known.way.get()) {
            Some(way) => {
                let placed = way.operands.iter().zip(all);
                let placed =
                    placed.map(|(own, (storage, access))| own.moved(storage, access.offset));
                (way, placed.collect())
            }
            None => {
                new = Way::of(program, space, all);
                let operands = new.operands.clone();
                match known {
                    Some(known) => (known.way.get_or_init(|| new), operands),
                    None => (&new, operands),
                }
            }
        };
        let mut operands: SmallVec<[Operand; 6]> = operands;
        let (program, way, forms) = match way.wide_at(&operands) {
            Some((program, wide)) => {
                for (placed, own) in operands.iter_mut().zip(&wide.operands) {
                    *placed = own.based(placed.base);
                }
                (program, wide, known.map(|known| &known.wide_forms))
            }
            None => (program, way, known.map(|known| &known.forms)),
        };
        self.run_placed((program, way), &operands, inputs.len(), forms, interrupt)
    }

    fn run_placed(
        &self,
        (program, way): (&Program, &Way),
        operands: &[Operand],
        inputs: usize,
        known: Option<&Forms>,
        interrupt: &Interrupt,
    ) -> Result<(), Error> {
        let is_aliased = operands[inputs..].iter().any(|output| {
            let (low, high) = output.range();
            operands[..inputs].iter().any(|input| {
                let (from, to) = input.range();
                from < high && low < to
            })
        });
        let chance = Chance {
            is_aliased,
            is_large: way.may_be_large && are_large(operands, &way.space),
            threads: rayon::current_num_threads(),
        };
        let form = || Rc::new(self.form((program, way), (operands, inputs), chance, false));
        let form = match known {
            Some(known) => known.form(chance, form),
            None => form(),
        };
        let launch = |form: &Form, is_search: bool| {
            let may_weave = form.may_weave && !is_search;
            Launch {
                form,
                operands,
                inputs,
                is_woven: may_weave && lines::are_woven(&operands[inputs..], &form.grid.axes),
                is_aliased,
                is_apart: !is_aliased || form.plan.is_one_loop(),
                copies_first: is_aliased && form.plan.moves_inputs(),
                is_search,
                interrupt,
            }
            .walk(&self.frames)
        };
        match launch(&form, false) {
            // The first offender, in row-major order, is found by a slower second run.
            Err(error) if error != Error::Interrupted => {
                let alone = Chance { threads: 1, ..chance };
                launch(&self.form((program, way), (operands, inputs), alone, true), true)?;
                Err(error)
            }
            other => other,
        }
    }

    /// Decides how a program goes through its space.
    fn form(
        &self,
        (program, way): (&Program, &Way),
        (operands, inputs): (&[Operand], usize),
        Chance { is_aliased, is_large, threads }: Chance,
        is_search: bool,
    ) -> Form {
        let (level, space, names) = (self.level, &way.space, way.names.clone());
        let geometry = Geometry { level, program, space, names, is_aliased };
        let direction = geometry.direction(&operands[..inputs], is_search);
        let options = Options {
            level,
            keep: keeps(direction, space),
            is_across: direction.is_across(),
            late: is_aliased,
        };
        let plan = self.plan(program, options);
        let draft = Draft {
            geometry: &geometry,
            direction,
            plan: &plan,
            operands,
            inputs,
            is_search,
            threads,
            is_large,
        };
        draft.form()
    }

    fn plan(&self, program: &Program, options: Options) -> Arc<Plan> {
        let mut hasher = FxHasher::default();
        program.hash(&mut hasher);
        let key = hasher.finish();
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = plans.get(&key) {
            for (own, own_options, plan) in known {
                if *own_options == options && **own == *program {
                    return plan.clone();
                }
            }
        }
        if plans.len() >= MAX_PLANS {
            plans.clear();
        }
        let plan = Arc::new(Plan::new(program, options));
        plans.entry(key).or_default().push((Arc::new(program.clone()), options, plan.clone()));
        plan
    }
}

impl Forms {
    fn form(&self, chance: Chance, decide: impl FnOnce() -> Rc<Form>) -> Rc<Form> {
        let mut forms = self.0.borrow_mut();
        if let Some((_, form)) = forms.iter().find(|(own, _)| *own == chance) {
            return form.clone();
        }
        let form = decide();
        forms.push((chance, form.clone()));
        form
    }
}

impl Launch<'_> {
    /// Goes through the whole space.
    fn walk(&self, frames: &Frames) -> Result<(), Error> {
        // SAFETY: `Operand::moved` has checked each operand against its storage.
        unsafe {
            match self.form.direction {
                Direction::Rows => self.run_rows(frames),
                Direction::Columns => self.run_columns(frames),
                Direction::Batches => self.run_batches(frames),
                Direction::Stacks => self.run_stacks(frames),
            }
        }
    }
}
