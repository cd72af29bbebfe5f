//! Lazy tensors.
//!
//! Inside a statement, elementwise work, reductions and reads through an index only build a graph
//! of nodes. [`Engine::realize`] cuts the graph into programs (`schedule`), runs them on the
//! device, and every realized node becomes a leaf: a storage and a layout. Views of leaves are
//! leaves at once. Work that does not fuse (sorting, matrix products, compaction) realizes its
//! operands and runs at once.
//!
//! Nothing here knows of source text. A node carries an [`Origin`], an opaque number of the
//! caller's, and an error that comes up while a program runs names the origin of its node.

mod anchor;
mod assign;
mod bins;
mod choice;
mod complex;
mod create;
mod curve;
mod devices;
mod distinct;
mod einsum;
mod element;
mod error;
mod explain;
mod factorise;
mod fill;
mod float_errors;
mod fourier;
mod glance;
mod graph;
mod host;
mod index;
mod join;
mod leaf;
mod left_fold;
mod linalg;
mod lower;
mod memory_order;
mod moved;
mod node;
mod number;
mod ops;
mod parts;
mod past;
mod picture;
mod place;
pub mod plain;
mod plan;
mod random;
mod realize;
mod reduce;
mod reform;
mod relief;
mod retype;
mod row;
mod rows;
mod schedule;
mod sort;
mod strided;
mod summary;
mod take_over;
mod transaction;
mod unread;
mod view;

pub use distinct::Distinct;
pub use error::{Error, ErrorCause, Operands};
pub use explain::{Explanation, Step};
pub use fill::{Place, Put, PutParts};
pub use float_errors::{Called, FloatError, FloatWay, HeardError};
pub use glance::{Glance, Sight};
pub use host::HostArray;
pub use index::{IndexItem, Indexing};
pub use left_fold::joins_in_turn;
pub use node::{Origin, Permission, Tensor, WeakTensor};
pub use ops::{Operand, no_loop};
pub use past::{Attic, Kept};
pub use plan::PlanCounts;
pub use reduce::{Reduction, total_type};
pub use relief::Relief;

pub use crate::device::{
    Device, DeviceId, Interrupt, MatmulPrecision, RandomKind, ScatterOp, Storage, Watch,
};
pub use crate::ir::{BinaryOp, CompareOp, ScanOp, UnaryOp};
pub use crate::memory::StreamId;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::device::cuda::Gpus;
use crate::dtype::DType;
use crate::memory::Budget;

/// What operations on tensors share: the device for new tensors, the default float type, the plans
/// that were made before, the work that is still pending, and the random stream.
#[derive(Debug)]
pub struct Engine {
    /// Those that are there from the start.
    devices: Vec<Device>,
    gpus: Gpus,
    device: RefCell<Device>,
    /// What devices that open later must follow, too.
    standing: RefCell<devices::Standing>,
    default_float: Cell<DType>,
    origin: Cell<Origin>,
    /// The number of the latest walk over the graph.
    pass: Cell<u32>,
    interrupt: Interrupt,
    watch: Watch,
    budget: Budget,
    fusion: Cell<bool>,
    matmul_precision: Cell<MatmulPrecision>,
    plans: RefCell<plan::PlanCache>,
    /// Memory for the next walk's key.
    spare_key: RefCell<plan::Key>,
    transaction: transaction::Transaction,
    take_over: take_over::TakeOver,
    attic: past::Attic,
    relief: RefCell<Option<Rc<dyn Relief>>>,
    reliefs: Cell<u64>,
    /// The origin whose line memory is made for.
    maker: Cell<Origin>,
    random: RefCell<random::Stream>,
    float_errors: float_errors::FloatErrors,
}

impl Engine {
    /// An engine over `devices`, at least one; the first is where new tensors go. Their back ends
    /// look at `interrupt`.
    pub fn new(devices: Vec<Device>, interrupt: Interrupt) -> Engine {
        let device = devices.first().expect("an engine has at least one device").clone();
        Engine {
            devices,
            gpus: Gpus::default(),
            device: RefCell::new(device),
            standing: RefCell::default(),
            default_float: Cell::new(DType::F32),
            origin: Cell::default(),
            pass: Cell::default(),
            interrupt,
            watch: Watch::default(),
            budget: Budget::default(),
            fusion: Cell::new(true),
            matmul_precision: Cell::default(),
            plans: RefCell::default(),
            spare_key: RefCell::default(),
            transaction: transaction::Transaction::default(),
            take_over: take_over::TakeOver::default(),
            attic: past::Attic::default(),
            relief: RefCell::default(),
            reliefs: Cell::default(),
            maker: Cell::default(),
            random: RefCell::default(),
            float_errors: float_errors::FloatErrors::default(),
        }
    }

    /// Where new tensors go.
    pub fn device(&self) -> Device {
        self.device.borrow().clone()
    }

    pub fn set_device(&self, device: Device) {
        *self.device.borrow_mut() = device;
    }

    /// Runs something with another device for new tensors.
    pub fn on_device<T>(&self, device: Device, run: impl FnOnce() -> T) -> T {
        let before = self.device.replace(device);
        let result = run();
        self.set_device(before);
        result
    }

    /// The type of new float tensors, of true divisions of integers, and of their means.
    pub fn default_float(&self) -> DType {
        self.default_float.get()
    }

    /// `dtype` must be a float type.
    pub fn set_default_float(&self, dtype: DType) {
        self.default_float.set(dtype);
    }

    pub fn fusion(&self) -> bool {
        self.fusion.get()
    }

    /// Whether lazy work is joined into programs of more than one operation.
    pub fn set_fusion(&self, on: bool) {
        self.fusion.set(on);
    }

    /// How exact products of float32 are on a device that has a faster, coarser way.
    pub fn matmul_precision(&self) -> MatmulPrecision {
        self.matmul_precision.get()
    }

    pub fn set_matmul_precision(&self, precision: MatmulPrecision) {
        self.matmul_precision.set(precision);
    }

    /// How often plans were found again, since the engine was made.
    pub fn plan_counts(&self) -> PlanCounts {
        self.plans.borrow().counts()
    }

    /// What nodes made from here on carry.
    pub fn set_origin(&self, origin: Origin) {
        self.origin.set(origin);
    }

    pub fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// Where long work says how far it is.
    pub fn under_way(&self) -> &Watch {
        &self.watch
    }

    /// What Python's own values may take of the host's memory.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// To be called before `bytes` of lists, texts and the like are made; `what` says of what, for
    /// the message.
    ///
    /// # Errors
    /// MemoryError where the budget does not allow them.
    #[inline]
    pub fn make_room(&self, bytes: usize, what: impl Fn() -> String) -> Result<(), Error> {
        // Devices that are there from the start hold their tensors in host memory.
        let tensors = || self.devices.iter().map(|d| d.allocator().stats().now.reserved).sum();
        Ok(self.budget.take(bytes, what, tensors)?)
    }
}

#[cfg(test)]
mod loops;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod thresholds;
#[cfg(test)]
mod trials;
