//! `genesis.cuda`: which GPUs there are, and their kernels.

use super::memory::{bytes, chosen, cuda};
use super::{Builtin, Call};
use crate::device::cuda::CudaBackend;
use crate::diag::{ErrorKind, Fault};
use crate::dtype::Scalar;
use crate::interp::value::Value;
use crate::layout::Shape;
use crate::tensor::{
    BinaryOp, CompareOp, Device, DeviceId, Engine, Error, IndexItem, RandomKind, Reduction, ScanOp,
    Tensor, UnaryOp,
};

pub const DEVICES: &[Builtin] = &[
    cuda("is_available()", |call| Ok(Value::Bool(count(call) > 0)))
        .doc("Whether there is a GPU, real or simulated.")
        .example("cuda.is_available()"),
    cuda("device_count()", |call| Ok(Value::Int(count(call) as i64)))
        .doc("How many GPUs there are.")
        .example("cuda.device_count() > 0"),
    cuda("current_device()", |call| {
        Ok(Value::Int(match call.engine().device().id() {
            DeviceId::Cpu => -1,
            DeviceId::Cuda(ordinal) => i64::from(ordinal),
        }))
    })
    .doc("The number of the GPU on which new tensors are made; -1 for host memory.")
    .example("cuda.current_device()"),
    cuda("set_device(device)", |call| {
        if let Some(device) = call.device("device")? {
            call.engine().set_device(device);
        }
        Ok(Value::None)
    })
    .doc("Makes new tensors on another device.")
    .example("cuda.set_device(\"cpu\")"),
    cuda("get_device_name(device=None)", |call| Ok(Value::str(chosen(call)?.name())))
        .doc("What the hardware calls itself."),
    cuda("get_device_capability(device=None)", |call| {
        let device = chosen(call)?;
        let (major, minor) = capability(&device)?;
        Ok(Value::tuple(vec![Value::Int(major), Value::Int(minor)]))
    })
    .doc("(major, minor) of the GPU's architecture; (0, 0) for a simulated one."),
    cuda("get_device_properties(device=None)", |call| {
        let device = chosen(call)?;
        let memory = device.allocator().mem_info();
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let processors =
            device.backend().cuda().map_or_else(cores, |gpu| gpu.multiprocessors() as usize);
        let (major, minor) = capability(&device).unwrap_or((0, 0));
        Ok(Value::dict([
            ("name", Value::str(device.name())),
            ("major", Value::Int(major)),
            ("minor", Value::Int(minor)),
            ("total_memory", bytes(memory.total)),
            ("free_memory", bytes(memory.free)),
            ("multi_processor_count", Value::Int(processors as i64)),
        ]))
    })
    .doc("The device's name, capability, memory in bytes, and processors."),
    cuda("synchronize(device=None)", |call| {
        chosen(call)?.backend().synchronize().map_err(Error::from)?;
        Ok(Value::None)
    })
    .doc("Waits until all work on the device is done.")
    .example("cuda.synchronize()"),
    cuda("enable_lazy_init(on=True)", |call| {
        if !call.bool("on")? {
            call.engine().find_device(DeviceId::Cuda(0))?;
        }
        Ok(Value::None)
    })
    .doc("A GPU opens when it is first needed anyway; False opens the first one now.")
    .example("cuda.enable_lazy_init(True)"),
];

pub const KERNELS: &[Builtin] = &[
    cuda("set_kernel_fusion(on=True)", |call| {
        call.engine().set_fusion(call.bool("on")?);
        Ok(Value::None)
    })
    .doc("Whether lazy work is joined into programs of more than one operation.")
    .example("cuda.set_kernel_fusion(True)"),
    cuda("enable_profiling(on=True)", |call| {
        call.engine().set_profiling(call.bool("on")?);
        Ok(Value::None)
    })
    .doc("Whether each statement is followed by the times of its kernels on a GPU.")
    .example("cuda.enable_profiling(False)"),
    cuda("clear_kernel_cache(device=None)", |call| {
        let device = chosen(call)?;
        let removed = device.backend().cuda().and_then(CudaBackend::clear_disk);
        Ok(Value::Int(removed.unwrap_or_default() as i64))
    })
    .doc("Removes the compiled kernels that are kept on disk, and gives how many there were.\nWhat this session has loaded stays."),
    cuda("warm_up_kernels(device=None)", |call| {
        let (engine, device) = (call.engine(), chosen(call)?);
        let position = engine.random_position();
        let done = engine.on_device(device.clone(), || warm_up(engine));
        engine.set_random_position(position);
        done?;
        device.backend().synchronize().map_err(Error::from)?;
        Ok(Value::None)
    })
    .doc("Runs the common operations once on small tensors, so that their kernels are compiled, kept\non disk, and loaded.")
    .example("cuda.warm_up_kernels()"),
];

/// How many GPUs can be used.
fn count(call: &Call<'_>) -> usize {
    let is_gpu = |device: &&Device| device.id() != DeviceId::Cpu;
    let here = call.engine().devices().filter(is_gpu).count();
    here.max(call.engine().gpus().usable())
}

fn capability(device: &Device) -> Result<(i64, i64), Fault> {
    match (device.backend().cuda(), device.id()) {
        (Some(gpu), _) => {
            let (major, minor) = gpu.capability();
            Ok((i64::from(major), i64::from(minor)))
        }
        // What does not run CUDA code has no capability of its own.
        (None, DeviceId::Cuda(_)) => Ok((0, 0)),
        (None, DeviceId::Cpu) => {
            let fault = Fault::new(ErrorKind::Runtime, "the CPU has no CUDA capability");
            Err(fault.with_hint("`genesis-repl --simulate 8GiB` simulates a GPU"))
        }
    }
}

/// Each of the common operations by itself, as a session's first statements need them.
fn warm_up(engine: &Engine) -> Result<(), Error> {
    let float = engine.default_float();
    let x = engine.random(RandomKind::Normal, &Shape::from([256, 256]), float)?;
    let one = Scalar::Float(1.0);
    let run = |tensor: Result<Tensor, Error>| engine.realize(&[&tensor?]);
    run(engine.full(x.shape(), one, float))?;
    run(engine.random(RandomKind::Uniform, x.shape(), float))?;
    for op in [UnaryOp::Exp, UnaryOp::Log, UnaryOp::Sqrt, UnaryOp::Tanh, UnaryOp::Neg, UnaryOp::Abs]
    {
        run(engine.unary(op, &x))?;
    }
    for op in [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div, BinaryOp::Max] {
        run(engine.binary(op, &x, &x))?;
        run(engine.binary(op, &x, one))?;
    }
    for op in [Reduction::Sum, Reduction::Mean, Reduction::Max, Reduction::Std { ddof: 0.0 }] {
        for axes in [None, Some(&[0][..]), Some(&[1])] {
            run(engine.reduce(op, &x, axes, false))?;
        }
    }
    run(super::nn::softmax(engine, &x, -1))?;
    let mask = engine.compare(CompareOp::Gt, &x, Scalar::Float(0.0))?;
    run(engine.index(&x, &[IndexItem::Tensor(mask)]))?;
    run(engine.copy(&engine.transpose(&x)?))?;
    run(engine.scan(ScanOp::Sum, &x, Some(-1), None))?;
    run(engine.sort(&x, -1, false))?;
    run(engine.matmul(&x, &x))
}

/// The GPU for new tensors, or else the first.
pub fn current_gpu(engine: &Engine) -> DeviceId {
    match engine.device().id() {
        DeviceId::Cpu => DeviceId::Cuda(0),
        gpu => gpu,
    }
}
