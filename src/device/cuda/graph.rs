//! Several launches as one: the kernels of a recipe as a CUDA graph, whose nodes get the parameters
//! of each run.
//!
//! On a stream the driver takes some 3 µs for each kernel, in a graph one for each after the first;
//! to make a graph takes it 40 to 80. So a recipe gets one when it has come often enough, and only
//! where its kernels end so soon that the driver is what is waited for.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use cudarc::driver::result::DriverError;
use cudarc::driver::sys::{self, CUDA_KERNEL_NODE_PARAMS as NodeParams};
use smallvec::SmallVec;

use super::context::{Context, Grid, Handle, driver_error};
use super::kernel::Kernel;
use super::recipe::Step;
use crate::device::Error;

/// Runs of a recipe before it gets a graph: by then the time to make one would have been saved.
const OFTEN: u32 = 24;

/// Launches that move more bytes than this keep the GPU busy for longer than the driver needs.
const MOST_TRAFFIC: u64 = 32 << 20;

/// Graphs of one GPU at a time; each takes some memory of the driver's.
const MOST_GRAPHS: usize = 128;

/// How many graphs may still be made. Clones count together.
#[derive(Debug, Clone)]
pub struct Room(Arc<AtomicUsize>);

/// Who wants the host to wait for each kernel wants each kernel by itself.
pub(super) fn is_blocking() -> bool {
    let blocking = std::env::var("CUDA_LAUNCH_BLOCKING");
    blocking.is_ok_and(|value| !value.is_empty() && value != "0")
}

impl Default for Room {
    fn default() -> Room {
        Room(Arc::new(AtomicUsize::new(if is_blocking() { 0 } else { MOST_GRAPHS })))
    }
}

impl Room {
    fn take(&self) -> bool {
        let one_less = |left: usize| left.checked_sub(1);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_ok()
    }

    fn give_back(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// How many graphs there are.
    #[cfg(test)]
    pub(super) fn used(&self) -> usize {
        MOST_GRAPHS - self.0.load(Ordering::Relaxed)
    }
}

/// How often a recipe was run, and the graph that it has got for that.
#[derive(Debug, Default)]
pub struct Replay {
    runs: u32,
    graph: Option<Graph>,
}

impl Replay {
    /// Counts a run of these steps. Gives their graph if there is one for it.
    pub fn next(
        &mut self,
        context: &Context,
        room: &Room,
        steps: &[Step],
        traffic: u64,
    ) -> Option<&Graph> {
        if steps.len() < 2 || traffic > MOST_TRAFFIC || context.profile.is_on() {
            return None;
        }
        if self.graph.is_none() {
            self.runs = self.runs.wrapping_add(1);
            if self.runs.is_multiple_of(OFTEN) && room.take() {
                // Without a graph the kernels run as they did before.
                self.graph = Graph::new(steps, room).ok();
            }
        }
        self.graph.as_ref()
    }
}

/// Kernels that run one after the other.
#[derive(Debug)]
pub struct Graph {
    /// What the nodes are told apart by; it is never launched itself.
    plan: Handle<sys::CUgraph_st>,
    /// Null until all nodes are there.
    ready: Handle<sys::CUgraphExec_st>,
    nodes: SmallVec<[Handle<sys::CUgraphNode_st>; 4]>,
    room: Room,
}

impl Graph {
    /// From steps whose parameters were filled in before. The context must be bound.
    fn new(steps: &[Step], room: &Room) -> Result<Graph, Error> {
        let failed = |error| driver_error("making a graph failed", error);
        let mut plan = ptr::null_mut();
        // SAFETY: the driver writes one handle.
        let made = unsafe { sys::cuGraphCreate(&mut plan, 0) }.result();
        if let Err(error) = made {
            room.give_back();
            return Err(failed(error));
        }
        let nodes = SmallVec::new();
        let ready = Handle(ptr::null_mut());
        let mut graph = Graph { plan: Handle(plan), ready, nodes, room: room.clone() };
        for Step { kernel, grid, params, .. } in steps {
            graph.add(kernel, *grid, params.bytes()).map_err(failed)?;
        }
        // SAFETY: a whole graph; the driver writes one handle.
        unsafe { sys::cuGraphInstantiateWithFlags(&mut graph.ready.0, plan, 0) }
            .result()
            .map_err(failed)?;
        Ok(graph)
    }

    /// Adds a kernel behind the last one.
    fn add(&mut self, kernel: &Kernel, grid: Grid, params: &[u8]) -> Result<(), DriverError> {
        let before: SmallVec<[sys::CUgraphNode; 1]> =
            self.nodes.last().map(|node| node.0).into_iter().collect();
        let mut node = ptr::null_mut();
        let mut value = params.as_ptr().cast_mut().cast::<c_void>();
        let facts = facts(kernel, grid, &mut value);
        // SAFETY: the kernel's one parameter is a struct of these bytes, which the driver copies;
        // its module is loaded for as long as the graph is, and what comes before is of this graph.
        unsafe {
            let (before, count) = (before.as_ptr(), before.len());
            sys::cuGraphAddKernelNode_v2(&mut node, self.plan.0, before, count, &facts).result()?;
        }
        self.nodes.push(Handle(node));
        Ok(())
    }

    /// Gives a kernel its parameters for the launches from here on.
    pub fn set(&self, number: usize, step: &Step) -> Result<(), Error> {
        let mut value = step.params.bytes().as_ptr().cast_mut().cast::<c_void>();
        let facts = facts(&step.kernel, step.grid, &mut value);
        // SAFETY: as in `add`; launches under way keep what they were given.
        unsafe {
            let node = self.nodes[number].0;
            sys::cuGraphExecKernelNodeSetParams_v2(self.ready.0, node, &facts)
        }
        .result()
        .map_err(|error| driver_error(&format!("`{}`", step.kernel.name()), error))
    }

    /// Starts all kernels on the present stream.
    pub fn launch(&self, context: &Context) -> Result<(), Error> {
        // SAFETY: a live graph, over memory that stream order keeps alive.
        unsafe { sys::cuGraphLaunch(self.ready.0, context.raw_stream()) }
            .result()
            .map_err(|error| driver_error("launching a graph failed", error))
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        // SAFETY: each is destroyed once, and the driver keeps a graph that still runs until it has
        // ended. A failure leaves nothing to do.
        unsafe {
            if !self.ready.0.is_null() {
                let _ = sys::cuGraphExecDestroy(self.ready.0);
            }
            let _ = sys::cuGraphDestroy(self.plan.0);
        }
        self.room.give_back();
    }
}

/// What a node is told of its kernel, whose only parameter lies at `value`.
fn facts(kernel: &Kernel, grid: Grid, value: &mut *mut c_void) -> NodeParams {
    let [x, y, z] = grid.blocks;
    NodeParams {
        func: kernel.function(),
        gridDimX: x,
        gridDimY: y,
        gridDimZ: z,
        blockDimX: grid.threads,
        blockDimY: 1,
        blockDimZ: 1,
        sharedMemBytes: grid.shared,
        kernelParams: value,
        extra: ptr::null_mut(),
        kern: ptr::null_mut(),
        ctx: ptr::null_mut(),
    }
}
