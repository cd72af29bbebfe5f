//! Launches generated kernels: the plan says which, the text is compiled once for each form.
//!
//! A program that runs again over the same space, its operands reached by the same strides, takes
//! the same *route*. A route keeps what codegen planned, as recipes into which only addresses are
//! put; whoever comes again with the route's memo pays for neither hashing nor planning.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

use super::args::Args;
use super::bounds::{Bounds, Indices, Made};
use super::context::{Context, Grid};
use super::graph::Room;
use super::kernel::Kernel;
use super::recipe::{Operands, Place, Recipe, Step};
use super::tune::Study;
#[cfg(test)]
use crate::codegen::Job;
use crate::codegen::{self, Form, Launch, Operand};
use crate::device::{Device, Error, Memo, Storage};
use crate::dtype::DType;
use crate::ir::{Access, Program, Space};
use crate::memory::Provenance;

/// Routes and kernels are forgotten together when there are as many as this; the kernels' code
/// stays loaded.
const MAX_KEPT: usize = 8192;

/// Recipes of one route. Operands that move through memory element by element come by few
/// alignments.
const MAX_RECIPES: usize = 32;

/// Runs programs, and remembers their routes and kernels.
#[derive(Debug, Default)]
pub struct Runner {
    /// What tells this runner's memos from another one's.
    own: Arc<()>,
    routes: Mutex<FxHashMap<u64, SmallVec<[Arc<Route>; 1]>>>,
    kernels: Mutex<FxHashMap<u64, Vec<Compiled>>>,
    pub(super) graphs: Room,
    pub(super) bounds: Bounds,
}

/// A program in one of its forms.
type Compiled = (Arc<Program>, Form, Kernel);

/// A launch, but for where its operands lie.
#[derive(Debug)]
struct Route {
    program: Arc<Program>,
    space: Space,
    operands: Operands,
    /// What the program reads by, where it fails by that alone.
    indices: Option<Indices>,
    made: Made,
    /// Bytes that must move at the least.
    traffic: u64,
    /// See [`Operands::reach`].
    reach: Option<SmallVec<[(u64, u64); 4]>>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    recipes: Vec<Recipe>,
    /// The recipe to give up next.
    oldest: usize,
    study: Study,
}

/// What a [`Memo`] holds.
#[derive(Debug)]
struct Known {
    runner: Arc<()>,
    route: Arc<Route>,
}

type Given<'a> = [(&'a Storage, &'a Access)];

impl Runner {
    /// See [`crate::device::Backend::run`].
    pub fn run(
        &self,
        context: &Context,
        program: &Program,
        space: &Space,
        inputs: &Given<'_>,
        outputs: &Given<'_>,
    ) -> Result<(), Error> {
        let route = self.route(program, space, inputs, outputs);
        self.take(&route, context, inputs, outputs, false)
    }

    /// See [`crate::device::Backend::run_again`].
    pub fn run_again(
        &self,
        context: &Context,
        memo: &Memo,
        program: &Program,
        space: &Space,
        inputs: &Given<'_>,
        outputs: &Given<'_>,
    ) -> Result<(), Error> {
        let known = memo.get_or_init(|| Known {
            runner: self.own.clone(),
            route: self.route(program, space, inputs, outputs),
        });
        match known {
            Some(known) if Arc::ptr_eq(&known.runner, &self.own) => {
                self.take(&known.route, context, inputs, outputs, true)
            }
            _ => self.run(context, program, space, inputs, outputs),
        }
    }

    fn route(
        &self,
        program: &Program,
        space: &Space,
        inputs: &Given<'_>,
        outputs: &Given<'_>,
    ) -> Arc<Route> {
        let operands = Operands::new(space, inputs, outputs);
        let mut hasher = FxHasher::default();
        program.hash(&mut hasher);
        (space, &operands).hash(&mut hasher);
        let key = hasher.finish();
        let mut routes = lock(&self.routes);
        let is_same = |route: &&Arc<Route>| {
            route.space == *space && route.operands == operands && *route.program == *program
        };
        if let Some(route) = routes.get(&key).and_then(|routes| routes.iter().find(is_same)) {
            return route.clone();
        }
        if routes.len() >= MAX_KEPT {
            routes.clear();
        }
        let intervals = program.intervals(space);
        let route = Arc::new(Route {
            program: Arc::new(program.clone()),
            space: space.clone(),
            indices: Indices::of(program, &intervals, |input| inputs[input].1),
            made: Made::of(program, &intervals),
            traffic: operands.traffic(space),
            reach: operands.reach(space),
            operands,
            state: Mutex::default(),
        });
        routes.entry(key).or_default().push(route.clone());
        route
    }

    /// Launches, or lets the launch wait for others if it may.
    fn take(
        &self,
        route: &Route,
        context: &Context,
        inputs: &Given<'_>,
        outputs: &Given<'_>,
        may_wait: bool,
    ) -> Result<(), Error> {
        let Some((home, _)) = outputs.first() else { return Ok(()) };
        let place = Place::new(inputs, outputs);
        let mut state = lock(&route.state);
        let State { recipes, oldest, study } = &mut *state;
        let choice = study.choose(route.traffic);
        let is_known = |recipe: &Recipe| recipe.choice == choice && recipe.serves(&place);
        let mut fresh = None;
        let recipe = match recipes.iter().position(is_known) {
            Some(at) => {
                context.kernels.count_hits(recipes[at].steps.len());
                &mut recipes[at]
            }
            None => {
                let recipe = self.recipe(route, context, &place, choice)?;
                if !recipe.is_general {
                    fresh.insert(recipe)
                } else if recipes.len() < MAX_RECIPES {
                    recipes.push(recipe);
                    recipes.last_mut().expect("it was just pushed")
                } else {
                    *oldest = (*oldest + 1) % MAX_RECIPES;
                    recipes[*oldest] = recipe;
                    &mut recipes[*oldest]
                }
            }
        };
        if !(may_wait && wait(context, route, recipe, &place)?) {
            let timing = study.begin(choice, recipe.choices, route.traffic, context);
            launch(context, &self.graphs, home.device(), recipe, &place, route.traffic)?;
            study.end(timing, context);
            if recipe.can_fail {
                self.check(route, context, inputs, outputs)?;
            }
        }
        if !context.is_rehearsal {
            route.made.note(&self.bounds, &route.space, outputs);
        }
        Ok(())
    }

    /// Waits for a launch that may fail by something that is not known of its indices.
    fn check(
        &self,
        route: &Route,
        context: &Context,
        inputs: &Given<'_>,
        outputs: &Given<'_>,
    ) -> Result<(), Error> {
        let Some(indices) = &route.indices else { return context.check() };
        if indices.are_within(&self.bounds, &route.space, inputs) {
            return Ok(());
        }
        context.check()?;
        if !context.is_rehearsal {
            indices.note(&self.bounds, &route.space, inputs, outputs);
        }
        Ok(())
    }

    /// Launches what was planned. `key` is the program's hash.
    #[cfg(test)]
    pub(super) fn launch(
        &self,
        context: &Context,
        program: &Program,
        key: u64,
        job: &mut Job,
        home: &Device,
        traffic: u64,
    ) -> Result<(), Error> {
        let program = Arc::new(program.clone());
        let nowhere = Place::new(&[], &[]);
        let prepare = |launch: &Launch| self.prepare(context, key, &program, launch);
        let mut recipe = Recipe::new((&nowhere, 0), 0, |_| job.clone(), prepare)?;
        launch(context, &self.graphs, home, &mut recipe, &nowhere, traffic)
    }

    fn recipe(
        &self,
        route: &Route,
        context: &Context,
        place: &Place,
        choice: u8,
    ) -> Result<Recipe, Error> {
        let Route { program, space, operands, .. } = route;
        let job = |place: &Place| {
            operands.with(place, |inputs, outputs| {
                codegen::plan(program, space, inputs, outputs, &context.chip, choice)
            })
        };
        let mut hasher = FxHasher::default();
        program.hash(&mut hasher);
        let key = hasher.finish();
        // A map's packs may begin before its first point, wherever that lies.
        let loose = if program.has_reduce() { operands.loose() } else { 0 };
        Recipe::new((place, loose), choice, job, |launch| {
            self.prepare(context, key, program, launch)
        })
    }

    fn prepare(
        &self,
        context: &Context,
        key: u64,
        program: &Arc<Program>,
        launch: &Launch,
    ) -> Result<(Kernel, Grid), Error> {
        let kernel = self.kernel(context, key, program, &launch.form)?;
        let grid = Grid { blocks: launch.grid, threads: launch.block, shared: launch.shared };
        Ok((kernel, grid))
    }

    fn kernel(
        &self,
        context: &Context,
        key: u64,
        program: &Arc<Program>,
        form: &Form,
    ) -> Result<Kernel, Error> {
        let is_same = |known: &&Compiled| {
            known.1 == *form && (Arc::ptr_eq(&known.0, program) || known.0 == *program)
        };
        if let Some(known) = lock(&self.kernels).get(&key).and_then(|all| all.iter().find(is_same))
        {
            context.kernels.count_hits(1);
            return Ok(known.2.clone());
        }
        let text = codegen::render(program, form);
        let kernel = context.kernels.generated(&text.name, &text.source)?;
        let mut kernels = lock(&self.kernels);
        if kernels.len() >= MAX_KEPT {
            kernels.clear();
        }
        kernels.entry(key).or_default().push((program.clone(), form.clone(), kernel.clone()));
        Ok(kernel)
    }
}

/// The kernels that would run a program, and on how many threads, in words. Outputs lie in memory
/// that does not exist yet.
pub fn describe<'a>(
    context: &Context,
    program: &Program,
    space: &Space,
    inputs: &Given<'_>,
    outputs: &[&'a Access],
) -> Vec<String> {
    let inputs: Vec<Operand<'_>> = inputs.iter().map(operand).collect();
    let output = |(output, access): (usize, &&'a Access)| Operand {
        dtype: program.output_dtype(output),
        address: 0,
        len: 0,
        access,
    };
    let outputs: Vec<Operand<'_>> = outputs.iter().enumerate().map(output).collect();
    let job = codegen::plan(program, space, &inputs, &outputs, &context.chip, 0);
    let words = |launch: &Launch| {
        let blocks: u64 = launch.grid.iter().map(|blocks| u64::from(*blocks)).product();
        format!("{} on {blocks} blocks of {} threads", launch.form.entry(), launch.block)
    };
    job.launches.iter().map(words).collect()
}

pub(super) fn operand<'a>((storage, access): &(&Storage, &'a Access)) -> Operand<'a> {
    Operand { dtype: storage.dtype(), address: storage.address(), len: storage.len(), access }
}

/// Leaves a launch to wait for others like it; false where it should run now.
fn wait(
    context: &Context,
    route: &Route,
    recipe: &mut Recipe,
    place: &Place,
) -> Result<bool, Error> {
    let Some(reach) = &route.reach else { return Ok(false) };
    let Some(step) = recipe.only_step() else { return Ok(false) };
    let Some(many) = context.batches.kernel(context, &route.program, step, route.traffic) else {
        return Ok(false);
    };
    step.params.fill(&[context.fault.address(), 0, context.counters()], place);
    let spans = (&place.spans(reach), route.operands.inputs());
    context.batches.add(context, &many, step, spans)?;
    context.count(&step.kernel, route.traffic);
    Ok(true)
}

/// Starts the launches of a recipe at a place.
fn launch(
    context: &Context,
    graphs: &Room,
    home: &Device,
    recipe: &mut Recipe,
    place: &Place,
    traffic: u64,
) -> Result<(), Error> {
    // It goes back to the allocator while the launches still run: what gets it next runs behind
    // them.
    let scratch = match recipe.scratch {
        0 => None,
        bytes => Some(home.allocate(DType::U8, bytes, Provenance::WORKSPACE.by("program"))?),
    };
    let scratch = scratch.as_ref().map_or(0, |storage| storage.address());
    let Recipe { steps, replay, .. } = recipe;
    let head = [context.fault.address(), scratch, context.counters()];
    steps.iter_mut().for_each(|step| step.params.fill(&head, place));
    let share = traffic / steps.len().max(1) as u64;
    if let Some(graph) = replay.next(context, graphs, steps, traffic) {
        for (number, step) in steps.iter().enumerate() {
            graph.set(number, step)?;
            context.count(&step.kernel, share);
        }
        return graph.launch(context);
    }
    for Step { kernel, grid, params, .. } in steps.iter() {
        let mut args = Args::new().bytes(params.bytes());
        context.launch(kernel, *grid, &mut args, share)?;
    }
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is kept is whole after a panic elsewhere, too.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
