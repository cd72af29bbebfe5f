//! The kernels that most sessions need first, compiled behind the prompt.
//!
//! As soon as the GPU is open, a thread runs what users begin with on a device that compiles and
//! runs nothing. The code stays on disk, so only a machine's first session has much to do. The
//! thread steps back while the user waits for a kernel, and ends with the session.

use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use super::display::tensor_report;
use super::world::Nobody;
use crate::diag::{Source, SourceId, SourceResult};
use crate::interp::{Evaluator, Interp, Value};
use crate::report::PrintOptions;
use crate::syntax;
use crate::tensor::{Device, Engine, Interrupt};

/// What users begin with: what they see first comes first. Kernels depend on sizes by powers of two
/// at most, and where those are large not at all.
const PROGRAM: &str = "\
x = randn(1000)
x
m = randn(100, 100)
m
v = rand(1000000)
v
x + 1
x * 2
x + x
x * x
x - x
x / 2
x ** 2
exp(x)
sqrt(abs(x))
x.sum()
x.mean()
x.std()
x.max()
v.sum()
v.mean()
v.std()
m.sum(axis=0)
m.sum(axis=1)
m.mean(axis=0)
m.T + 0
softmax(m)
arange(10)
zeros(10)
linspace(0, 1, 100)
y = x[x > 0]
x[::2] + 0
x.argmax()
sort(x)
cumsum(x)
randint(0, 10, (1000,))
";

/// The thread, and what stops it.
#[derive(Debug, Default)]
pub(super) struct WarmUp {
    interrupt: Interrupt,
    thread: Arc<Mutex<Option<JoinHandle<()>>>>,
}

impl WarmUp {
    /// What begins it, with the GPU that has opened.
    pub fn starter(&self) -> impl FnOnce(&Device) + Send + use<> {
        let (interrupt, thread) = (self.interrupt.clone(), self.thread.clone());
        move |gpu| {
            let mut thread = lock(&thread);
            let twin = gpu.backend().cuda().and_then(|gpu| gpu.rehearsal(interrupt.clone()));
            let Some(twin) = twin.filter(|_| !interrupt.is_raised()) else { return };
            let rehearse = move || {
                // What fails here fails again, and is told, where somebody waits for it.
                let _ = rehearse(twin, interrupt);
            };
            *thread = thread::Builder::new().name("warm up".into()).spawn(rehearse).ok();
        }
    }
}

impl Drop for WarmUp {
    fn drop(&mut self) {
        self.interrupt.raise();
        // A process that ends amid a compilation may crash in the compiler.
        let thread = mem::take(&mut *lock(&self.thread));
        let _ = thread.map(JoinHandle::join);
    }
}

/// Runs the program and shows its results to nobody.
fn rehearse(device: Device, interrupt: Interrupt) -> SourceResult<()> {
    let interp = Interp::new(Engine::new(vec![device], interrupt));
    let evaluator = Evaluator { interp: &interp, world: Nobody::WORLD };
    let source = Source::new(SourceId(0), "<warm-up>", PROGRAM);
    for statement in syntax::parse(&source)?.body {
        if let Some(Value::Tensor(tensor)) = evaluator.statement(&statement)? {
            let _ = tensor_report(&interp.engine, &tensor, &PrintOptions::default(), false);
        }
    }
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cuda::Gpus;
    use crate::memory::AllocatorConfig;

    #[test]
    fn what_was_compiled_ahead_is_found_on_disk() {
        let gpus = Gpus::new(AllocatorConfig::default(), Interrupt::default());
        if gpus.list().map_or(0, <[_]>::len) == 0 {
            return;
        }
        let gpu = gpus.open(0).unwrap().expect("it is there").clone();
        let cuda = gpu.backend().cuda().expect("it is a GPU");
        let Some(twin) = cuda.rehearsal(Interrupt::default()) else { return };
        rehearse(twin.clone(), Interrupt::default()).unwrap();
        let known = cuda.kernel_list().len();
        rehearse(gpu.clone(), Interrupt::default()).unwrap();
        let kernels = cuda.kernel_list().split_off(known);
        let left = kernels.iter().find(|kernel| kernel.compile_ms.is_some());
        assert!(left.is_none(), "{}", left.map_or("", |kernel| &kernel.text));
        assert!(kernels.len() > 30, "{}", kernels.len());
        assert_eq!(gpu.allocator().stats().now.allocated, 0);
    }

    #[test]
    fn it_stops_where_it_is_told_to() {
        let warm_up = WarmUp::default();
        warm_up.interrupt.raise();
        let cpu = Device::cpu(AllocatorConfig::default(), warm_up.interrupt.clone()).unwrap();
        let stopped = rehearse(cpu, warm_up.interrupt.clone()).unwrap_err();
        assert_eq!(stopped.kind, crate::diag::ErrorKind::KeyboardInterrupt);
    }
}
