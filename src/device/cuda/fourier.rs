//! Fourier transforms by cuFFT, loaded at the first of them.
//!
//! Its few functions are looked for here and not by cudarc, whose statuses are an enum of CUDA 13's: those
//! of an older library are numbers that it does not have. The work area comes from our allocator; what
//! cuFFT keeps of a plan, its tables of sines, is its own, so few plans are kept.

use std::ffi::{c_int, c_longlong, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};

use libloading::Library;

use super::context::Context;
use super::library::Dependency;
use crate::device::{Error, Fourier, Rows, View};
use crate::dtype::DType;
use crate::memory::Provenance;

/// How many plans are kept, the latest used.
const KEPT: usize = 16;

/// cuFFT on one GPU.
#[derive(Debug, Default)]
pub struct Fft(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// Nothing until somebody asks; then why it is not there, or it.
    api: Option<Result<Api, String>>,
    /// The latest used last.
    plans: Vec<Plan>,
}

/// A plan of cuFFT's.
#[derive(Debug, Clone, Copy)]
struct Plan {
    key: Key,
    handle: c_int,
    /// Bytes of its work area.
    work: usize,
}

/// What a plan is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Key {
    kind: c_int,
    rows: Rows,
}

impl Fft {
    /// Whether this machine has cuFFT. Looks for it the first time.
    ///
    /// # Errors
    /// It has none: how to get it.
    pub fn find(&self) -> Result<(), Error> {
        self.lock().api().map(|_| ()).map_err(Error::Driver)
    }

    /// Starts transforms on the present stream, of lines along the first or the last axis.
    ///
    /// # Errors
    /// There is no cuFFT; out of memory; what cuFFT says, in words.
    pub fn transform(
        &self,
        context: &Context,
        what: Fourier,
        rows: Rows,
        [input, output]: [View<'_>; 2],
    ) -> Result<(), Error> {
        let mut state = self.lock();
        let api = state.api().map_err(Error::Driver)?;
        if context.is_rehearsal {
            return Ok(());
        }
        let is_double = input.dtype() == DType::F64;
        let key = Key { kind: kind(what, is_double), rows };
        let plan = match state.plans.iter().position(|plan| plan.key == key) {
            Some(at) => state.plans.remove(at),
            None => {
                // Both wait for the GPU's work, and would hear of no Ctrl-C.
                context.wait_for_all()?;
                while state.plans.len() >= KEPT {
                    api.destroy(state.plans.remove(0).handle);
                }
                api.plan(key, what)?
            }
        };
        state.plans.push(plan);
        let device = output.storage.device();
        let provenance = Provenance::WORKSPACE.by(what.name());
        let work = device.allocate(DType::U8, plan.work.max(1), provenance)?;
        let address = |view: View<'_>| {
            view.storage.address() + (view.layout.offset * view.dtype().size()) as u64
        };
        let direction = match what {
            Fourier::Complex { inverse: true } | Fourier::Conjugate => INVERSE,
            Fourier::Complex { inverse: false } | Fourier::Real => FORWARD,
        };
        let (from, to) = (address(input) as *mut c_void, address(output) as *mut c_void);
        // SAFETY: a plan of `plan`, used under the lock; the stream lives as long as the context. The
        // operands are as large as the plan says; the work area may be reused while the transforms run,
        // because that is in stream order.
        unsafe {
            let stream = context.raw_stream().cast();
            check("choosing a stream", (api.set_stream)(plan.handle, stream))?;
            let memory = work.address() as *mut c_void;
            check("taking memory", (api.set_work_area)(plan.handle, memory))?;
            let status = match (what, is_double) {
                (Fourier::Complex { .. }, false) => (api.c2c)(plan.handle, from, to, direction),
                (Fourier::Complex { .. }, true) => (api.z2z)(plan.handle, from, to, direction),
                (Fourier::Real, false) => (api.r2c)(plan.handle, from, to),
                (Fourier::Real, true) => (api.d2z)(plan.handle, from, to),
                (Fourier::Conjugate, false) => (api.c2r)(plan.handle, from, to),
                (Fourier::Conjugate, true) => (api.z2d)(plan.handle, from, to),
            };
            check("transforming", status)?;
        }
        context.started.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A state is changed whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Fft {
    fn drop(&mut self) {
        let state = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(Ok(api)) = &state.api {
            // The back end has waited for the transforms and made the GPU current.
            state.plans.iter().for_each(|plan| api.destroy(plan.handle));
        }
    }
}

impl State {
    fn api(&mut self) -> Result<Api, String> {
        self.api.get_or_insert_with(Api::load).clone()
    }
}

const FORWARD: c_int = -1;
const INVERSE: c_int = 1;

/// cuFFT's number for a transform.
fn kind(what: Fourier, is_double: bool) -> c_int {
    match (what, is_double) {
        (Fourier::Complex { .. }, false) => 0x29,
        (Fourier::Complex { .. }, true) => 0x69,
        (Fourier::Real, false) => 0x2a,
        (Fourier::Real, true) => 0x6a,
        (Fourier::Conjugate, false) => 0x2c,
        (Fourier::Conjugate, true) => 0x6c,
    }
}

type TurnedOf = unsafe extern "C" fn(c_int, *mut c_void, *mut c_void, c_int) -> c_int;
type PlainOf = unsafe extern "C" fn(c_int, *mut c_void, *mut c_void) -> c_int;
type PlanOf = unsafe extern "C" fn(
    c_int,
    c_int,
    *mut c_longlong,
    *mut c_longlong,
    c_longlong,
    c_longlong,
    *mut c_longlong,
    c_longlong,
    c_longlong,
    c_int,
    c_longlong,
    *mut usize,
) -> c_int;

/// The functions of cuFFT that are used.
#[derive(Debug, Clone, Copy)]
struct Api {
    create: unsafe extern "C" fn(*mut c_int) -> c_int,
    destroy: unsafe extern "C" fn(c_int) -> c_int,
    set_auto_allocation: unsafe extern "C" fn(c_int, c_int) -> c_int,
    make_plan: PlanOf,
    set_stream: unsafe extern "C" fn(c_int, *mut c_void) -> c_int,
    set_work_area: unsafe extern "C" fn(c_int, *mut c_void) -> c_int,
    c2c: TurnedOf,
    z2z: TurnedOf,
    r2c: PlainOf,
    d2z: PlainOf,
    c2r: PlainOf,
    z2d: PlainOf,
}

impl Api {
    fn load() -> Result<Api, String> {
        let library = Dependency::Cufft.library()?;
        fn function<F: Copy>(library: &Library, name: &str) -> Result<F, String> {
            // SAFETY: the fields that these go to have the types of cuFFT's header; it stays open.
            unsafe { Dependency::Cufft.function(library, name) }
        }
        let api = Api {
            create: function(&library, "cufftCreate")?,
            destroy: function(&library, "cufftDestroy")?,
            set_auto_allocation: function(&library, "cufftSetAutoAllocation")?,
            make_plan: function(&library, "cufftMakePlanMany64")?,
            set_stream: function(&library, "cufftSetStream")?,
            set_work_area: function(&library, "cufftSetWorkArea")?,
            c2c: function(&library, "cufftExecC2C")?,
            z2z: function(&library, "cufftExecZ2Z")?,
            r2c: function(&library, "cufftExecR2C")?,
            d2z: function(&library, "cufftExecD2Z")?,
            c2r: function(&library, "cufftExecC2R")?,
            z2d: function(&library, "cufftExecZ2D")?,
        };
        // The functions are used as long as the process lives.
        std::mem::forget(library);
        Ok(api)
    }

    /// A plan without a work area. The GPU must be current.
    fn plan(&self, key: Key, what: Fourier) -> Result<Plan, Error> {
        let Rows { before, n, after } = key.rows;
        let half = n / 2 + 1;
        let [input, output] = match what {
            Fourier::Complex { .. } => [n, n],
            Fourier::Real => [n, half],
            Fourier::Conjugate => [half, n],
        };
        // Lines behind each other, or side by side.
        let geometry = |len: usize| match after {
            1 => [len, 1, len].map(|number| number as c_longlong),
            _ => [len, after, 1].map(|number| number as c_longlong),
        };
        let ([mut from, from_step, from_next], [mut to, to_step, to_next]) =
            (geometry(input), geometry(output));
        let (mut handle, mut work, mut length) = (0, 0, n as c_longlong);
        let count = (before * after) as c_longlong;
        // SAFETY: all pointers are to live numbers, one for the one axis.
        unsafe {
            check("making a plan", (self.create)(&mut handle))?;
            let made =
                check("making a plan", (self.set_auto_allocation)(handle, 0)).and_then(|()| {
                    let status = (self.make_plan)(
                        handle,
                        1,
                        &mut length,
                        &mut from,
                        from_step,
                        from_next,
                        &mut to,
                        to_step,
                        to_next,
                        key.kind,
                        count,
                        &mut work,
                    );
                    check("making a plan", status)
                });
            if made.is_err() {
                self.destroy(handle);
            }
            made?;
        }
        Ok(Plan { key, handle, work })
    }

    fn destroy(&self, handle: c_int) {
        // SAFETY: a handle of `create`, destroyed once, when no work uses it any more. A failure leaves
        // memory to the process's end.
        let _ = unsafe { (self.destroy)(handle) };
    }
}

fn check(what: &str, status: c_int) -> Result<(), Error> {
    let words = match status {
        0 => return Ok(()),
        1 => "CUFFT_INVALID_PLAN",
        2 => "CUFFT_ALLOC_FAILED",
        3 => "CUFFT_INVALID_TYPE",
        4 => "CUFFT_INVALID_VALUE",
        5 => "CUFFT_INTERNAL_ERROR",
        6 => "CUFFT_EXEC_FAILED",
        7 => "CUFFT_SETUP_FAILED",
        8 => "CUFFT_INVALID_SIZE",
        11 => "CUFFT_INVALID_DEVICE",
        13 => "CUFFT_NO_WORKSPACE",
        14 => "CUFFT_NOT_IMPLEMENTED",
        16 => "CUFFT_NOT_SUPPORTED",
        _ => return Err(Error::Driver(format!("cuFFT failed at {what}: status {status}"))),
    };
    Err(Error::Driver(format!("cuFFT failed at {what}: {words}")))
}
