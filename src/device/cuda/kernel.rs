//! Compiled kernels: found in memory, else on disk, else compiled.

use std::ffi::CString;
use std::fmt;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use cudarc::driver::sys::CUfunction_attribute as Attribute;
use cudarc::driver::sys::{CUctx_st, CUfunc_st, CUmod_st};
use cudarc::driver::{result, sys};
use rustc_hash::FxHashMap;

use super::batch::Batching;
use super::compile::Compiler;
use super::context::{Handle, driver_error};
use super::disk::DiskCache;
use super::source::{Source, whole};
use super::streams::Streams;
use crate::device::{Error, Interrupt, KernelCounts, KernelInfo};

/// How long what is not urgent sleeps before it looks again.
const NAP: Duration = Duration::from_millis(1);

/// A function on the GPU. Clones are the same one.
#[derive(Clone)]
pub struct Kernel(Arc<Inner>);

struct Inner {
    name: String,
    /// What it was compiled from, without the prelude.
    text: Arc<str>,
    /// `ITEM=f32 PACK=4`: what a family was specialised by.
    macros: Arc<str>,
    module: Arc<Module>,
    function: Handle<CUfunc_st>,
    registers: u32,
    /// Bytes of local memory of a thread: registers that spilled, arrays indexed at run time.
    local: u32,
    /// Bytes of dynamic shared memory that were allowed.
    allowed: AtomicU32,
    launches: AtomicU64,
    traffic: AtomicU64,
    /// Of the launches that were timed.
    timed_nanos: AtomicU64,
    timed_traffic: AtomicU64,
    batching: Mutex<Batching>,
}

/// Machine code in the GPU. It stays there until its GPU is closed: the list of all kernels ends with
/// the context, which then has waited for them.
#[derive(Debug)]
struct Module {
    /// Null where nothing is loaded.
    handle: Handle<CUmod_st>,
    /// Where it is loaded.
    context: Handle<CUctx_st>,
    /// Milliseconds that NVRTC took; none if the code came from disk.
    compile_ms: Option<f64>,
    bytes: usize,
}

/// The kernels of one GPU.
#[derive(Debug)]
pub struct Kernels {
    capability: (i32, i32),
    loading: Loading,
    compiler: OnceLock<Compiler>,
    disk: Mutex<Option<DiskCache>>,
    modules: Mutex<FxHashMap<ModuleKey, Arc<Loaded>>>,
    /// In the order in which they were first asked for.
    all: Mutex<Vec<Kernel>>,
    counts: Mutex<KernelCounts>,
    hits: AtomicU64,
    /// How many compilations somebody waits for.
    urgent: Arc<AtomicU32>,
    /// What stops those that nobody waits for yet, if these are such: they are compiled and kept on
    /// disk, but not loaded.
    rehearsal: Option<Interrupt>,
}

type ModuleKey = (&'static str, String);

/// Machine code.
#[derive(Debug)]
struct Code {
    bytes: Vec<u8>,
    /// None if it came from disk.
    compile_ms: Option<f64>,
}

/// A text that a thread compiles. Who no longer wants it waits until the compiler has ended, amid which a
/// process may crash that ends.
#[derive(Debug)]
pub struct Ahead {
    name: String,
    text: Arc<str>,
    interrupt: Interrupt,
    thread: Option<JoinHandle<Result<Code, Error>>>,
}

impl Ahead {
    pub fn is_done(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        self.interrupt.raise();
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// A module's kernels, by name.
#[derive(Debug)]
struct Loaded {
    module: Arc<Module>,
    text: Arc<str>,
    macros: Arc<str>,
    kernels: Mutex<Vec<Kernel>>,
}

/// Where machine code is loaded. The driver loads none while the GPU works, and hears of no Ctrl-C
/// until it has: so the streams are waited for before.
#[derive(Debug, Clone)]
pub struct Loading {
    pub context: Handle<CUctx_st>,
    pub streams: Streams,
    pub interrupt: Interrupt,
}

impl Kernels {
    pub(super) fn new(capability: (i32, i32), loading: Loading) -> Kernels {
        Kernels {
            capability,
            loading,
            compiler: OnceLock::new(),
            disk: Mutex::new(DiskCache::at_default_place()),
            modules: Mutex::default(),
            all: Mutex::default(),
            counts: Mutex::default(),
            hits: AtomicU64::new(0),
            urgent: Arc::default(),
            rehearsal: None,
        }
    }

    /// The same GPU's, to be compiled ahead. None where they would not be kept on disk.
    pub(super) fn rehearsal(&self, interrupt: Interrupt) -> Option<Kernels> {
        Some(self.twin(Some(self.disk()?), interrupt))
    }

    fn twin(&self, disk: Option<DiskCache>, interrupt: Interrupt) -> Kernels {
        let mut kernels = Kernels::new(self.capability, self.loading.clone());
        kernels.disk = Mutex::new(disk);
        kernels.urgent = self.urgent.clone();
        kernels.rehearsal = Some(interrupt);
        kernels
    }

    /// A kernel of a file in `kernels/`, specialised by macros (`("T", "f32")`).
    ///
    /// # Errors
    /// There is no NVRTC, or the text does not compile.
    pub fn family(
        &self,
        source: &Source,
        name: &str,
        defines: &[(&str, &str)],
    ) -> Result<Kernel, Error> {
        let mut key = String::with_capacity(32);
        for (macro_name, value) in defines {
            key.push_str(macro_name);
            key.push('=');
            key.push_str(value);
            key.push(' ');
        }
        let key = (source.name, key);
        if let Some(loaded) = lock(&self.modules).get(&key).cloned() {
            self.count_hits(1);
            return self.kernel_of(&loaded, name);
        }
        let loaded = Arc::new(self.load(source.name, source.text, defines)?);
        lock(&self.modules).insert(key, loaded.clone());
        self.kernel_of(&loaded, name)
    }

    /// The kernel `name` of a generated text. The caller keeps it: it is not looked up again.
    ///
    /// # Errors
    /// There is no NVRTC, or the text does not compile.
    pub fn generated(&self, name: &str, text: &str) -> Result<Kernel, Error> {
        let loaded = self.load(name, text, &[])?;
        self.kernel_of(&loaded, name)
    }

    /// Kernels that their keeper found again.
    pub fn count_hits(&self, kernels: usize) {
        self.hits.fetch_add(kernels as u64, Ordering::Relaxed);
    }

    /// The compiler, opened on first use.
    ///
    /// # Errors
    /// There is no NVRTC.
    pub fn compiler(&self) -> Result<&Compiler, Error> {
        if let Some(compiler) = self.compiler.get() {
            return Ok(compiler);
        }
        let compiler = Compiler::open(self.capability)?;
        Ok(self.compiler.get_or_init(|| compiler))
    }

    pub fn counts(&self) -> KernelCounts {
        KernelCounts { hits: self.hits.load(Ordering::Relaxed), ..*lock(&self.counts) }
    }

    /// All kernels so far, in the order in which they were first used.
    pub fn list(&self) -> Vec<KernelInfo> {
        lock(&self.all).iter().map(Kernel::info).collect()
    }

    /// Where machine code is kept.
    pub fn disk(&self) -> Option<DiskCache> {
        lock(&self.disk).clone()
    }

    /// Compiles a text on a thread of its own. None where the system has no thread for it.
    pub fn ahead(&self, name: &str, text: String) -> Option<Ahead> {
        let interrupt = Interrupt::default();
        let kernels = self.twin(self.disk(), interrupt.clone());
        let (name, text): (String, Arc<str>) = (name.into(), text.into());
        let given = (name.clone(), text.clone());
        let compile = move || kernels.code(&given.0, &given.1, &[]);
        let thread = std::thread::Builder::new().name("kernel for many".into()).spawn(compile);
        Some(Ahead { name, text, interrupt, thread: Some(thread.ok()?) })
    }

    /// The kernel of a text that was compiled ahead.
    ///
    /// # Errors
    /// As [`Kernels::generated`].
    pub fn take_over(&self, mut ahead: Ahead) -> Result<Kernel, Error> {
        let done = ahead.thread.take().and_then(|thread| thread.join().ok());
        let code = done.unwrap_or(Err(Error::Interrupted))?;
        let loaded = self.install(&ahead.name, &ahead.text, &[], code)?;
        self.kernel_of(&loaded, &ahead.name)
    }

    fn load(&self, name: &str, text: &str, defines: &[(&str, &str)]) -> Result<Loaded, Error> {
        let code = self.code(name, text, defines)?;
        self.install(name, text, defines, code)
    }

    /// A text as machine code, from disk if it is there.
    fn code(&self, name: &str, text: &str, defines: &[(&str, &str)]) -> Result<Code, Error> {
        let compiler = self.compiler()?;
        let options = compiler.options();
        let whole = whole(name, defines, text);
        let disk = self.disk();
        let entry = disk.as_ref().map(|disk| disk.entry(&whole, &options, compiler.version));
        let kept = entry.as_ref().and_then(|entry| entry.read());
        if let Some(bytes) = kept {
            return Ok(Code { bytes, compile_ms: None });
        }
        let begin = Instant::now();
        let bytes = self.compile(compiler, &whole, &options)?;
        if let Some(entry) = entry {
            entry.write(&bytes);
        }
        Ok(Code { bytes, compile_ms: Some(begin.elapsed().as_secs_f64() * 1e3) })
    }

    /// Loads machine code, if this is no rehearsal.
    fn install(
        &self,
        name: &str,
        text: &str,
        defines: &[(&str, &str)],
        Code { bytes: code, compile_ms }: Code,
    ) -> Result<Loaded, Error> {
        let handle = match &self.rehearsal {
            Some(_) => std::ptr::null_mut(),
            None => {
                self.loading.streams.wait(&self.loading.interrupt)?;
                // SAFETY: whole machine code for this GPU, from NVRTC or from an entry whose check
                // sum holds.
                unsafe { result::module::load_data(code.as_ptr().cast()) }
                    .map_err(|error| driver_error(&format!("loading `{name}` failed"), error))?
            }
        };
        let (handle, context) = (Handle(handle), self.loading.context);
        let module = Module { handle, context, compile_ms, bytes: code.len() };
        let mut counts = lock(&self.counts);
        match compile_ms {
            None => counts.disk_hits += 1,
            Some(ms) => {
                counts.misses += 1;
                counts.compile_ms += ms;
            }
        }
        let macros: Vec<String> =
            defines.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let (macros, kernels) = (macros.join(" ").into(), Mutex::default());
        Ok(Loaded { module: Arc::new(module), text: text.into(), macros, kernels })
    }

    /// Compiles at once, or, if nobody waits for it, when nobody waits for another.
    fn compile(
        &self,
        compiler: &Compiler,
        text: &str,
        options: &[String],
    ) -> Result<Vec<u8>, Error> {
        let Some(interrupt) = &self.rehearsal else {
            self.urgent.fetch_add(1, Ordering::Relaxed);
            let compiled = compiler.compile(text, options);
            self.urgent.fetch_sub(1, Ordering::Relaxed);
            return compiled;
        };
        while self.urgent.load(Ordering::Relaxed) > 0 && !interrupt.is_raised() {
            std::thread::sleep(NAP);
        }
        if interrupt.is_raised() {
            return Err(Error::Interrupted);
        }
        compiler.compile(text, options)
    }

    fn kernel_of(&self, loaded: &Loaded, name: &str) -> Result<Kernel, Error> {
        let mut known = lock(&loaded.kernels);
        if let Some(kernel) = known.iter().find(|kernel| kernel.name() == name) {
            return Ok(kernel.clone());
        }
        let kernel = Kernel::new(loaded, name)?;
        known.push(kernel.clone());
        lock(&self.all).push(kernel.clone());
        Ok(kernel)
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        if self.handle.0.is_null() {
            return;
        }
        // SAFETY: the primary context lives as long as the process. No kernel of the module runs,
        // and the last that could be launched has gone. A refusal means that the driver has ended.
        unsafe {
            if result::ctx::set_current(self.context.0).is_ok() {
                let _ = result::module::unload(self.handle.0);
            }
        }
    }
}

impl Kernel {
    fn new(loaded: &Loaded, name: &str) -> Result<Kernel, Error> {
        let failed = |error| driver_error(&format!("finding `{name}` failed"), error);
        let c_name =
            CString::new(name).map_err(|_| Error::Driver(format!("`{name}`: bad name")))?;
        if loaded.module.handle.0.is_null() {
            return Ok(Kernel::of(loaded, name, std::ptr::null_mut(), [0, 0]));
        }
        // SAFETY: the module is loaded.
        let function = unsafe { result::module::get_function(loaded.module.handle.0, c_name) };
        let function = function.map_err(failed)?;
        // SAFETY: the function was just found.
        let attribute =
            |which| unsafe { result::function::get_function_attribute(function, which) };
        let registers = attribute(Attribute::CU_FUNC_ATTRIBUTE_NUM_REGS).map_err(failed)?;
        let local = attribute(Attribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES).map_err(failed)?;
        Ok(Kernel::of(loaded, name, function, [registers as u32, local as u32]))
    }

    fn of(
        loaded: &Loaded,
        name: &str,
        function: sys::CUfunction,
        [registers, local]: [u32; 2],
    ) -> Kernel {
        Kernel(Arc::new(Inner {
            name: name.to_string(),
            text: loaded.text.clone(),
            macros: loaded.macros.clone(),
            module: loaded.module.clone(),
            function: Handle(function),
            registers,
            local,
            allowed: AtomicU32::new(48 << 10),
            launches: AtomicU64::new(0),
            traffic: AtomicU64::new(0),
            timed_nanos: AtomicU64::new(0),
            timed_traffic: AtomicU64::new(0),
            batching: Mutex::default(),
        }))
    }

    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Whether it is the same one.
    pub(super) fn is(&self, other: &Kernel) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Whether its small launches wait for each other.
    pub(super) fn batching(&self) -> MutexGuard<'_, Batching> {
        lock(&self.0.batching)
    }

    pub(super) fn function(&self) -> sys::CUfunction {
        self.0.function.0
    }

    pub(super) fn count(&self, traffic: u64) {
        self.0.launches.fetch_add(1, Ordering::Relaxed);
        self.0.traffic.fetch_add(traffic, Ordering::Relaxed);
    }

    pub(super) fn count_time(&self, nanos: u64, traffic: u64) {
        self.0.timed_nanos.fetch_add(nanos, Ordering::Relaxed);
        self.0.timed_traffic.fetch_add(traffic, Ordering::Relaxed);
    }

    /// More than 48 KiB of dynamic shared memory must be asked for once.
    pub(super) fn allow_shared(&self, bytes: u32) -> Result<(), Error> {
        if self.0.allowed.load(Ordering::Relaxed) >= bytes {
            return Ok(());
        }
        let which = Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        // SAFETY: the function is of a loaded module.
        unsafe { result::function::set_function_attribute(self.function(), which, bytes as i32) }
            .map_err(|error| driver_error(&format!("`{}`", self.name()), error))?;
        self.0.allowed.store(bytes, Ordering::Relaxed);
        Ok(())
    }

    fn info(&self) -> KernelInfo {
        let Inner { name, text, macros, module, registers, local, .. } = &*self.0;
        let nanos = self.0.timed_nanos.load(Ordering::Relaxed);
        let traffic = self.0.timed_traffic.load(Ordering::Relaxed);
        KernelInfo {
            name: name.clone(),
            macros: macros.clone(),
            text: text.clone(),
            launches: self.0.launches.load(Ordering::Relaxed),
            compile_ms: module.compile_ms,
            registers: *registers,
            local: *local,
            code: module.bytes,
            bandwidth: (nanos > 0 && traffic > 0).then(|| traffic as f64 / (nanos as f64 * 1e-9)),
        }
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kernel({} {})", self.name(), self.0.macros)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing here panics while it holds a lock; after a panic elsewhere the data are still whole.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
