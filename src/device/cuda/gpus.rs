//! The GPUs of this machine, opened when somebody needs them, and behind everybody's back if a
//! front end knows early that somebody will.

use std::any::Any;
use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::library::Dependency;
use super::open::{find_all, open};
use crate::device::{Device, Error, GpuInfo, Interrupt};
use crate::memory::AllocatorConfig;

/// How long a wait sleeps between looks.
const NAP: Duration = Duration::from_micros(200);

/// How long the end of a session waits for a driver that is still starting. A process that ends
/// amid it may crash in the driver.
const PATIENCE: Duration = Duration::from_secs(2);

/// The GPUs of a session. The driver is not started before it is asked for.
#[derive(Debug, Default)]
pub struct Gpus {
    /// None where there must be none: simulated ones take their names.
    setup: Option<Setup>,
    job: RefCell<Option<Job>>,
    found: OnceCell<Result<Vec<Gpu>, Error>>,
    /// What is called with the first GPU that opens.
    hook: RefCell<Option<Hook>>,
    /// What went wrong while nobody was looking.
    failure: RefCell<Option<(u16, Error)>>,
}

/// A function, on the thread that opens a GPU.
struct Hook(Box<dyn FnOnce(&Device) + Send>);

impl fmt::Debug for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hook")
    }
}

/// A GPU of this machine.
#[derive(Debug)]
pub struct Gpu {
    pub info: GpuInfo,
    device: OnceCell<Device>,
}

#[derive(Debug)]
struct Setup {
    config: RefCell<AllocatorConfig>,
    interrupt: Interrupt,
}

/// A thread at work, and the GPU that it opens, if it does not only look.
#[derive(Debug)]
struct Job {
    ordinal: Option<u16>,
    thread: JoinHandle<Report>,
}

/// What a thread brings back.
#[derive(Debug)]
struct Report {
    /// None if that was known before.
    found: Option<Result<Vec<GpuInfo>, Error>>,
    device: Option<(u16, Result<Device, Error>)>,
}

impl Gpu {
    /// None while nobody has needed it.
    pub fn device(&self) -> Option<&Device> {
        self.device.get()
    }
}

impl Gpus {
    /// GPUs whose allocators are set up as `config` says and whose work `interrupt` stops.
    pub fn new(config: AllocatorConfig, interrupt: Interrupt) -> Gpus {
        let mut gpus = Gpus::default();
        gpus.setup = Some(Setup { config: RefCell::new(config), interrupt });
        gpus
    }

    /// Calls `hook` with the first GPU that is opened from here on, as soon as it is open and whether
    /// or not somebody waits for it.
    pub fn when_open(&self, hook: impl FnOnce(&Device) + Send + 'static) {
        self.hook.replace(Some(Hook(Box::new(hook))));
    }

    /// Starts to open a GPU on a thread, unless one is being opened.
    pub fn begin(&self, ordinal: u16) {
        self.spawn(Some(ordinal));
    }

    /// How those that are opened from here on are set up.
    pub fn configure(&self, config: &AllocatorConfig) {
        if let Some(setup) = &self.setup {
            setup.config.replace(config.clone());
        }
    }

    /// Those that are open. Waits for nothing.
    pub fn opened(&self) -> impl Iterator<Item = &Device> + Clone {
        let found = self.found.get().and_then(|found| found.as_ref().ok());
        found.into_iter().flatten().filter_map(Gpu::device)
    }

    /// All of them, open or not. Starts the driver if need be.
    ///
    /// # Errors
    /// There is no driver, or it fails; Ctrl-C.
    pub fn list(&self) -> Result<&[Gpu], Error> {
        if self.setup.is_none() {
            return Ok(&[]);
        }
        self.wait()?;
        if self.found.get().is_none() {
            self.spawn(None);
            self.wait()?;
        }
        match self.found.get() {
            Some(Ok(gpus)) => Ok(gpus),
            Some(Err(error)) => Err(error.clone()),
            None => Err(Error::Driver("the driver did not answer".into())),
        }
    }

    /// How many of them can be used. Opens none.
    pub fn usable(&self) -> usize {
        let count = self.list().map_or(0, <[_]>::len);
        if count > 0 && Dependency::Nvrtc.open().is_err() { 0 } else { count }
    }

    /// Whether there is a driver that has no GPU.
    pub fn is_none(&self) -> bool {
        self.setup.is_some() && self.list().is_ok_and(<[_]>::is_empty)
    }

    /// Why there is no GPU, where one could be.
    pub fn absence(&self) -> Option<String> {
        self.setup.as_ref()?;
        match self.list() {
            Ok([]) => Some(match std::env::var("CUDA_VISIBLE_DEVICES") {
                Ok(visible) => {
                    format!("the NVIDIA driver shows no GPU: CUDA_VISIBLE_DEVICES is `{visible}`")
                }
                Err(_) => "the NVIDIA driver knows no GPU".to_string(),
            }),
            Ok(_) => None,
            Err(error) => Some(error.to_string()),
        }
    }

    /// A GPU, opened if it is not. None if there is none of that number.
    ///
    /// # Errors
    /// It can't be opened: without NVRTC, or as the driver says; Ctrl-C.
    pub fn open(&self, ordinal: u16) -> Result<Option<&Device>, Error> {
        let Some(gpu) = self.list()?.get(usize::from(ordinal)) else { return Ok(None) };
        if gpu.device().is_none() && self.failure_of(ordinal).is_none() {
            self.spawn(Some(ordinal));
            self.wait()?;
        }
        if let Some(device) = gpu.device() {
            return Ok(Some(device));
        }
        // It is told once: whoever asks again may have better luck.
        let failure = self.failure.take().map(|(_, error)| error);
        Err(failure.unwrap_or_else(|| Error::Driver("the GPU did not open".into())))
    }

    fn failure_of(&self, ordinal: u16) -> Option<Error> {
        let failure = self.failure.borrow();
        failure.as_ref().filter(|(other, _)| *other == ordinal).map(|(_, error)| error.clone())
    }

    fn spawn(&self, ordinal: Option<u16>) {
        let Some(setup) = self.setup.as_ref().filter(|_| self.job.borrow().is_none()) else {
            return;
        };
        let (config, interrupt) = (setup.config.borrow().clone(), setup.interrupt.clone());
        let is_first = self.found.get().is_none();
        self.failure.take();
        let hook = ordinal.and_then(|_| self.hook.take());
        let work = move || {
            let report = work(is_first, ordinal, &config, &interrupt);
            if let (Some(Hook(hook)), Some((_, Ok(device)))) = (hook, &report.device) {
                hook(device);
            }
            report
        };
        let spawned = thread::Builder::new().name("open GPU".into()).spawn(work);
        match spawned {
            Ok(thread) => _ = self.job.replace(Some(Job { ordinal, thread })),
            Err(error) => {
                let error = Error::Driver(format!("no thread to open the GPU: {error}"));
                self.failure.replace(Some((ordinal.unwrap_or_default(), error)));
            }
        }
    }

    /// Waits for the thread, if there is one, and takes over what it found.
    fn wait(&self) -> Result<(), Error> {
        while self.is_working() {
            if self.setup.as_ref().is_some_and(|setup| setup.interrupt.is_raised()) {
                return Err(Error::Interrupted);
            }
            thread::sleep(NAP);
        }
        let Some(Job { ordinal, thread }) = self.job.take() else { return Ok(()) };
        let report = thread.join().unwrap_or_else(|panic| {
            let error = Error::Driver(format!("the driver's library failed: {}", words(&*panic)));
            let device = ordinal.map(|ordinal| (ordinal, Err(error.clone())));
            Report { found: Some(Err(error)), device }
        });
        if let Some(found) = report.found {
            let gpu = |info| Gpu { info, device: OnceCell::new() };
            let gpus = found.map(|infos| infos.into_iter().map(gpu).collect());
            let _ = self.found.set(gpus);
        }
        if let Some((ordinal, device)) = report.device {
            let gpus = self.found.get().and_then(|found| found.as_ref().ok());
            match (device, gpus.and_then(|gpus| gpus.get(usize::from(ordinal)))) {
                (Ok(device), Some(gpu)) => _ = gpu.device.set(device),
                (Err(error), _) => _ = self.failure.replace(Some((ordinal, error))),
                (Ok(_), None) => {}
            }
        }
        Ok(())
    }

    fn is_working(&self) -> bool {
        self.job.borrow().as_ref().is_some_and(|job| !job.thread.is_finished())
    }
}

impl Drop for Gpus {
    fn drop(&mut self) {
        let begun = Instant::now();
        while self.is_working() && begun.elapsed() < PATIENCE {
            thread::sleep(NAP);
        }
    }
}

/// What the thread does. The compiler's library loads beside the driver's start.
fn work(
    is_first: bool,
    ordinal: Option<u16>,
    config: &AllocatorConfig,
    interrupt: &Interrupt,
) -> Report {
    thread::scope(|scope| {
        if ordinal.is_some() {
            scope.spawn(|| Dependency::Nvrtc.open());
        }
        let found = is_first.then(find_all);
        let has = |ordinal: &u16| match &found {
            Some(Ok(gpus)) => usize::from(*ordinal) < gpus.len(),
            Some(Err(_)) => false,
            None => true,
        };
        let device = ordinal.filter(has);
        let device = device.map(|ordinal| (ordinal, open(ordinal, config, interrupt.clone())));
        Report { found, device }
    })
}

fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}
