//! What `with` enters: a stream, a device, a look at the memory's counters.

use std::cell::RefCell;
use std::rc::Rc;

use super::forms::Outcome;
use super::memory::{chosen, cuda, stats};
use super::{Builtin, Call, Homes};
use crate::device::{Device, MAX_STREAMS};
use crate::diag::{ErrorKind, Fault};
use crate::interp::Evaluator;
use crate::interp::object::opaque::{Opaque, Part};
use crate::interp::shared::Shared;
use crate::interp::value::{Entries, Key, Type, Value};
use crate::memory::AllocatorStats;
use crate::tensor::{Error, StreamId};

pub const BUILTINS: &[Builtin] = &[
    cuda("stream(stream=None, device=None)", stream)
        .aliases(&["Stream"])
        .doc("A stream of a device, for `with`: what is given to the device inside runs on it, beside what\nother streams do. By number, or one that is not in use.\nA stream is given back as it is."),
    cuda("current_stream(device=None)", |call| {
        let device = chosen(call)?;
        let stream = device.backend().stream();
        Ok(StreamContext::value(device, stream))
    })
    .doc("The stream that work is given to now."),
    cuda("device(device)", device)
        .doc("A device, for `with`: new tensors are made on it inside."),
    cuda("performance_context(device=None)", performance)
        .doc("For `with`: its `stats` are the counters of what went on inside, as `memory_stats()` has them."),
    enter(Type::Stream),
    exit(Type::Stream),
    enter(Type::DeviceContext),
    exit(Type::DeviceContext),
    enter(Type::PerformanceContext),
    exit(Type::PerformanceContext),
    Builtin::new("synchronize(self, /)", |call| {
        let context = of::<StreamContext>(call)?;
        context.device.backend().synchronize().map_err(Error::from)?;
        Ok(Value::None)
    })
    .homes(Homes::NONE)
    .method_of(Type::Stream)
    .doc("Waits until all work on its device is done."),
];

const fn enter(of: Type) -> Builtin {
    Builtin::new("__enter__(self, /)", entered)
        .homes(Homes::NONE)
        .method_of(of)
        .doc("What `with` does at its beginning.")
}

const fn exit(of: Type) -> Builtin {
    Builtin::new("__exit__(self, /, *error)", left)
        .homes(Homes::NONE)
        .method_of(of)
        .doc("What `with` does at its end.")
}

/// What is put back at the end; contexts may be entered again inside themselves.
trait Context {
    fn enter(&self, call: &Call<'_>) -> Result<(), Fault>;
    fn leave(&self, call: &Call<'_>) -> Result<(), Fault>;
}

fn of<'a, T: Part>(call: &'a Call<'_>) -> Result<&'a T, Fault> {
    call.value(0).inside::<T>().ok_or_else(|| call.wrong_type(0, "a context"))
}

fn context<'a>(call: &'a Call<'_>) -> Result<&'a dyn Context, Fault> {
    let value = call.value(0);
    let stream = value.inside::<StreamContext>().map(|context| context as &dyn Context);
    let device = || value.inside::<DeviceContext>().map(|context| context as &dyn Context);
    let watch = || value.inside::<Performance>().map(|context| context as &dyn Context);
    stream.or_else(device).or_else(watch).ok_or_else(|| call.wrong_type(0, "a context"))
}

fn entered(call: &mut Call<'_>) -> Outcome {
    context(call)?.enter(call)?;
    Ok(call.value(0).clone())
}

fn left(call: &mut Call<'_>) -> Outcome {
    context(call)?.leave(call)?;
    Ok(Value::Bool(false))
}

fn never_entered() -> Fault {
    Fault::new(ErrorKind::Runtime, "the context was left before it was entered")
}

struct StreamContext {
    device: Device,
    stream: StreamId,
    before: RefCell<Vec<StreamId>>,
}

fn stream(call: &mut Call<'_>) -> Outcome {
    if call.value("stream").inside::<StreamContext>().is_some() {
        return Ok(call.value("stream").clone());
    }
    let device = chosen(call)?;
    let stream = match call.optional_int("stream")? {
        // The one after that in use; the first is the default of all work.
        None => StreamId(device.backend().stream().0 % (MAX_STREAMS - 1) + 1),
        Some(number) => match u32::try_from(number).ok().filter(|number| *number < MAX_STREAMS) {
            Some(number) => StreamId(number),
            None => {
                let message =
                    format!("stream {number} is not there: a device has {MAX_STREAMS} streams");
                return Err(call.fault_at("stream", Fault::value_error(message)));
            }
        },
    };
    Ok(StreamContext::value(device, stream))
}

impl StreamContext {
    fn value(device: Device, stream: StreamId) -> Value {
        let context = StreamContext { device, stream, before: RefCell::default() };
        Opaque::value(Type::Stream, context)
    }
}

impl Part for StreamContext {
    fn repr(&self, _: &Evaluator<'_>) -> Result<String, Fault> {
        Ok(format!("<stream {} of {}>", self.stream.0, self.device.id()))
    }
}

impl Context for StreamContext {
    fn enter(&self, call: &Call<'_>) -> Result<(), Fault> {
        // Lazy work belongs to the stream on which it is computed.
        call.engine().settle()?;
        let backend = self.device.backend();
        let before = backend.stream();
        backend.set_stream(self.stream).map_err(Error::from)?;
        self.before.borrow_mut().push(before);
        Ok(())
    }

    fn leave(&self, call: &Call<'_>) -> Result<(), Fault> {
        let before = self.before.borrow_mut().pop().ok_or_else(never_entered)?;
        let settled = call.engine().settle();
        self.device.backend().set_stream(before).map_err(Error::from)?;
        Ok(settled?)
    }
}

struct DeviceContext {
    device: Device,
    before: RefCell<Vec<Device>>,
}

fn device(call: &mut Call<'_>) -> Outcome {
    let Some(device) = call.device("device")? else {
        return Err(call.wrong_type("device", "a device, its name or number"));
    };
    Ok(Opaque::value(Type::DeviceContext, DeviceContext { device, before: RefCell::default() }))
}

impl Part for DeviceContext {
    fn repr(&self, _: &Evaluator<'_>) -> Result<String, Fault> {
        Ok(format!("<device {} for `with`>", self.device.id()))
    }
}

impl Context for DeviceContext {
    fn enter(&self, call: &Call<'_>) -> Result<(), Fault> {
        self.before.borrow_mut().push(call.engine().device());
        call.engine().set_device(self.device.clone());
        Ok(())
    }

    fn leave(&self, call: &Call<'_>) -> Result<(), Fault> {
        let before = self.before.borrow_mut().pop().ok_or_else(never_entered)?;
        call.engine().set_device(before);
        Ok(())
    }
}

struct Performance {
    device: Device,
    before: RefCell<Option<AllocatorStats>>,
    /// The counters of what went on inside, once it has been left.
    counters: Rc<Shared<Option<Value>>>,
}

fn performance(call: &mut Call<'_>) -> Outcome {
    let device = chosen(call)?;
    let context = Performance { device, before: RefCell::default(), counters: Rc::default() };
    Ok(Opaque::value(Type::PerformanceContext, context))
}

impl Part for Performance {
    fn repr(&self, _: &Evaluator<'_>) -> Result<String, Fault> {
        Ok(format!("<counters of {} for `with`>", self.device.id()))
    }

    fn attribute(&self, name: &str) -> Option<Value> {
        if name != "stats" {
            return None;
        }
        Some(self.counters.borrow().clone().unwrap_or_else(|| self.since()))
    }
}

/// The counters that count what happened, and are not levels.
const COUNTS: &[&str] = &[
    "total_allocations",
    "total_freed",
    "cache_hits",
    "pool_hits",
    "cache_misses",
    "num_splits",
    "num_merges",
    "num_device_alloc",
    "num_device_free",
    "num_alloc_retries",
    "num_ooms",
];

impl Performance {
    /// The counters as they are, without what was counted before.
    fn since(&self) -> Value {
        let now = stats(&self.device);
        let Some(before) = *self.before.borrow() else { return now };
        let counts = [
            before.allocations,
            before.frees,
            before.cache_hits,
            before.pool_hits,
            before.misses,
            before.splits,
            before.merges,
            before.segments_allocated,
            before.segments_released,
            before.retries,
            before.out_of_memory,
        ];
        let Some(dict) = now.as_dict() else { return now };
        let mut entries: Entries = dict.borrow().clone();
        for (name, count) in COUNTS.iter().zip(counts) {
            if let Ok(key) = Key::new(Value::str(name))
                && let Some(Value::Int(value)) = entries.get_mut(&key)
            {
                *value -= count as i64;
            }
        }
        Value::Dict(Rc::new(entries.into()))
    }
}

impl Context for Performance {
    fn enter(&self, _: &Call<'_>) -> Result<(), Fault> {
        let allocator = self.device.allocator();
        *self.before.borrow_mut() = Some(allocator.stats());
        allocator.reset_peaks();
        Ok(())
    }

    fn leave(&self, call: &Call<'_>) -> Result<(), Fault> {
        call.engine().settle()?;
        let counters = self.since();
        let before = self.before.borrow().ok_or_else(never_entered)?;
        self.device.allocator().raise_peaks(before.peak);
        self.counters.replace(&call.evaluator.interp.journal, Some(counters));
        Ok(())
    }
}
