//! The memory manager as programs see it: blocks by address, and a callback.

use super::forms::Outcome;
use super::memory::{chosen, cuda};
use super::{Builtin, Call, Homes};
use crate::device::{Device, Error};
use crate::diag::Fault;
use crate::dtype::DType;
use crate::interp::value::{Key, Module, Type, Value};
use crate::memory::Provenance;

pub const BUILTINS: &[Builtin] = &[
    cuda("get_memory_manager()", |_| Ok(Value::Module(Module::Cuda)))
        .doc("What manages the memory of the device in use: the namespace `cuda`.")
        .example("cuda.get_memory_manager().memory_reserved() >= 0"),
    cuda("allocate_memory(size, device=None)", |call| {
        let device = chosen(call)?;
        let size = size(call.int("size")?).map_err(|fault| call.fault_at("size", fault))?;
        allocate(call, &device, size)
    })
    .doc("Asks for a block of so many bytes; gives its address. It is held until `free_memory`.")
    .example("p = cuda.allocate_memory(4096)\ncuda.free_memory(p)"),
    cuda("allocate_batch(sizes, device=None)", |call| {
        let device = chosen(call)?;
        let sizes = call.ints("sizes")?;
        let sizes: Result<Vec<usize>, Fault> = sizes.into_iter().map(size).collect();
        let sizes = sizes.map_err(|fault| call.fault_at("sizes", fault))?;
        let provenance = Provenance::VARIABLE.by("allocate_batch");
        let blocks = device.allocate_batch(&sizes, provenance).map_err(crate::tensor::Error::from)?;
        let interp = call.evaluator.interp;
        let keep = |block| Value::Int(interp.manual.keep(block, &interp.journal) as i64);
        Ok(Value::list(blocks.into_iter().map(keep).collect()))
    })
    .doc("Asks for a block of each size, all or none, the largest placed first; gives a list of their\naddresses.")
    .example("a, b = cuda.allocate_batch([512, 4096])\ncuda.free_memory(a); cuda.free_memory(b)"),
    cuda("free_memory(address, size=None)", |call| {
        let address = call.int("address")?;
        let interp = call.evaluator.interp;
        if !interp.manual.free(address as u64, &interp.journal) {
            let message = format!("no block that `allocate_memory` gave begins at {address:#x}");
            return Err(call.fault_at("address", Fault::value_error(message)));
        }
        Ok(Value::None)
    })
    .doc("Gives back the block at an address. Its size is known; it may be said for the reader.")
    .example("p = cuda.allocate_memory(4096)\ncuda.free_memory(p, 4096)"),
    Builtin::new("efficiency_score(self, /)", efficiency)
        .homes(Homes::NONE)
        .method_of(Type::Dict)
        .doc("Of the counters of `memory_stats()`: the share of allocations that a stream's cache served.")
        .example("cuda.memory_stats().efficiency_score() <= 1"),
    cuda("set_memory_callback(callback)", |call| {
        let callback = match call.value("callback") {
            Value::None => None,
            function @ (Value::Function(_)
            | Value::Method(_)
            | Value::Native(_)
            | Value::Closure(_)) => Some(function.clone()),
            _ => return Err(call.wrong_type("callback", "a function or None")),
        };
        let interp = call.evaluator.interp;
        interp.journal.callback(interp.manual.set_callback(callback));
        Ok(Value::None)
    })
    .doc("Calls `callback(memory_stats())` after every statement that changed how many bytes are live,\nor `callback()` where it takes nothing; None ends that. A callback that fails is not called again.")
    .example("cuda.set_memory_callback(None)"),
];

/// One where nothing was asked for.
fn efficiency(call: &mut Call<'_>) -> Outcome {
    let Value::Dict(counters) = call.value(0) else {
        return Err(call.wrong_type("self", "a dictionary"));
    };
    let counters = counters.borrow();
    let count =
        |name: &str| match Key::new(Value::str(name)).ok().and_then(|key| counters.get(&key)) {
            Some(Value::Int(count)) => Ok(*count as f64),
            _ => {
                let words = format!("the dictionary has no counter `{name}`");
                Err(Fault::value_error(words).with_hint("`cuda.memory_stats()` gives one that has"))
            }
        };
    let (hits, all) = (count("cache_hits")?, count("total_allocations")?);
    Ok(Value::Float(if all == 0.0 { 1.0 } else { hits / all }))
}

fn size(bytes: i64) -> Result<usize, Fault> {
    usize::try_from(bytes)
        .ok()
        .filter(|bytes| *bytes > 0)
        .ok_or_else(|| Fault::value_error(format!("expected one byte or more, found {bytes}")))
}

fn reserve(device: &Device, bytes: usize) -> Result<std::sync::Arc<crate::device::Storage>, Fault> {
    let provenance = Provenance::VARIABLE.by("allocate_memory");
    device.allocate(DType::U8, bytes, provenance).map_err(Error::into)
}

fn allocate(call: &Call<'_>, device: &Device, bytes: usize) -> Result<Value, Fault> {
    let interp = call.evaluator.interp;
    let address = interp.manual.keep(reserve(device, bytes)?, &interp.journal);
    Ok(Value::Int(address as i64))
}
