//! cuBLAS, loaded at the first product.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cudarc::cublas::sys;

use super::product::BlasMatrix;
use crate::device::cuda::context::{Context, Handle};
use crate::device::cuda::library::Dependency;
use crate::device::{Device, Error, MatmulPrecision, Storage};
use crate::dtype::DType;
use crate::memory::Provenance;

/// Multiplications below which a product gets what cuBLAS needs in any case, and some more.
const SMALL: usize = 1 << 22;
const SMALL_WORKSPACE: usize = 64 << 10;
/// Below so many, cuBLAS takes the slower of its ways where there is room for more: 1024² of float32
/// take 54 µs in 8 MiB and 56 in 32 on an H200; from 4096² on, 32 MiB are half a percent faster.
const MEDIUM: usize = 1 << 33;
const WORKSPACE: usize = 8 << 20;
/// cuBLAS's own advice since Hopper; before, it is 4 MiB.
const HOPPER_WORKSPACE: usize = 32 << 20;

/// cuBLAS on one GPU.
#[derive(Debug, Default)]
pub struct Blas {
    state: Mutex<State>,
    /// Whether its absence slowed somebody down, and whether that was told.
    absence: AtomicU8,
}

const UNMET: u8 = 0;
const MET: u8 = 1;
const TOLD: u8 = 2;

#[derive(Debug, Default)]
enum State {
    /// Nobody has multiplied yet.
    #[default]
    Unasked,
    /// It is nowhere on this machine.
    Missing,
    /// It is in the process.
    Found,
    Open(Handle<sys::cublasContext>),
}

/// Products of matrices in the GPU's memory, in the sense of row-major matrices: results follow
/// their operands' steps.
#[derive(Debug, Clone, Copy)]
pub struct Gemm {
    pub dtype: DType,
    pub precision: MatmulPrecision,
    pub rows: usize,
    pub columns: usize,
    pub depth: usize,
    pub lhs: BlasMatrix,
    pub rhs: BlasMatrix,
    /// Where the first result begins, and how many elements later the next.
    pub out: (u64, isize),
    /// How many products.
    pub count: usize,
}

/// A triangle of `n` rows and right-hand sides in the GPU's memory, column by column.
#[derive(Debug, Clone, Copy)]
pub struct Triangle {
    pub dtype: DType,
    pub upper: bool,
    pub unit: bool,
    pub n: i32,
    pub sides: i32,
    pub matrix: u64,
    pub right: u64,
}

impl Drop for Blas {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let State::Open(handle) = *state {
            // SAFETY: a handle of `create`, destroyed once; the back end has waited for the products
            // and made the GPU current.
            let _ = unsafe { sys::cublasDestroy_v2(handle.0) };
        }
    }
}

impl Blas {
    /// Whether this machine has cuBLAS. Looks for it the first time.
    pub fn is_there(&self) -> bool {
        let mut state = self.lock();
        if matches!(*state, State::Unasked) {
            let found = Dependency::Cublas.open().is_ok();
            *state = if found { State::Found } else { State::Missing };
        }
        !matches!(*state, State::Missing)
    }

    /// Something else multiplies in its place.
    pub fn miss(&self) {
        let _ = self.absence.compare_exchange(UNMET, MET, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// That cuBLAS was missed and how to get it, once.
    pub fn absence(&self) -> Option<String> {
        if self.absence.load(Ordering::Relaxed) != MET {
            return None;
        }
        self.absence.store(TOLD, Ordering::Relaxed);
        let remedy = Dependency::Cublas.remedy();
        Some(format!("cuBLAS was not found, so a slower kernel of our own multiplies: {remedy}"))
    }

    /// Starts products on the present stream. cuBLAS must be there.
    ///
    /// # Errors
    /// Out of memory; what cuBLAS says, in words.
    pub fn multiply(&self, context: &Context, device: &Device, gemm: &Gemm) -> Result<(), Error> {
        let workspace = workspace(context, device, gemm)?;
        self.start(context, &workspace, |handle| call(handle, gemm))
    }

    /// Starts the solution of a triangle's equations for several right-hand sides, which become it.
    /// cuBLAS must be there.
    ///
    /// # Errors
    /// As [`Blas::multiply`].
    pub fn substitute(
        &self,
        context: &Context,
        device: &Device,
        triangle: &Triangle,
    ) -> Result<(), Error> {
        let provenance = Provenance::WORKSPACE.by("triangular solve");
        let workspace = device.allocate(DType::U8, WORKSPACE, provenance)?;
        self.start(context, &workspace, |handle| call_substitution(handle, triangle))
    }

    /// Does `work` with the handle, on the present stream and with memory of ours.
    fn start(
        &self,
        context: &Context,
        workspace: &Storage,
        work: impl FnOnce(Handle<sys::cublasContext>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut state = self.lock();
        let handle = match *state {
            State::Open(handle) => handle,
            _ => {
                // It waits for the GPU's work, and would hear of no Ctrl-C.
                context.wait_for_all()?;
                let handle = create()?;
                *state = State::Open(handle);
                handle
            }
        };
        // SAFETY: a live handle, used under the lock; the stream lives as long as the context. The
        // workspace may be reused while the work runs, because that is in stream order.
        unsafe {
            let stream = context.raw_stream().cast();
            check("choosing a stream", sys::cublasSetStream_v2(handle.0, stream))?;
            let memory = workspace.address() as *mut c_void;
            let bytes = workspace.size_bytes();
            check("taking memory", sys::cublasSetWorkspace_v2(handle.0, memory, bytes))?;
        }
        work(handle)?;
        context.started.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A state is set whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A handle. The GPU must be current.
fn create() -> Result<Handle<sys::cublasContext>, Error> {
    let mut handle = ptr::null_mut();
    // SAFETY: the library is in the process; `handle` is live, and set where the call succeeds.
    unsafe {
        check("starting", sys::cublasCreate_v2(&mut handle))?;
        // Partial sums of the half types stay in float32.
        let mode = sys::cublasMath_t::CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
        check("starting", sys::cublasSetMathMode(handle, mode))?;
    }
    Ok(Handle(handle))
}

/// A product is deep whose depth is so many times the geometric mean of its sides, or more. Its results
/// are few, so cuBLAS cuts the depth in pieces where there is room for their sums: of float32,
/// (64, 65536) @ (65536, 64) takes 29 µs in 32 MiB and 79 in 8, (512, 2048) @ (2048, 512) 33 and 50.
const DEEP: usize = 4;

/// Bytes for partial sums of products of so many rows, columns, elements to a sum, and in number. How many
/// depends on the product alone, so that its bits do too.
pub fn workspace_bytes(
    context: &Context,
    extents @ [rows, columns, depth, _]: [usize; 4],
) -> usize {
    let work = extents.iter().fold(1_usize, |work, extent| work.saturating_mul(*extent));
    let is_deep = (depth / DEEP).saturating_pow(2) >= rows.saturating_mul(columns);
    match work {
        0..SMALL => SMALL_WORKSPACE,
        _ if context.capability.0 >= 9 && is_deep => HOPPER_WORKSPACE,
        MEDIUM.. if context.capability.0 >= 9 => HOPPER_WORKSPACE,
        _ => WORKSPACE,
    }
}

fn workspace(context: &Context, device: &Device, gemm: &Gemm) -> Result<Arc<Storage>, Error> {
    let bytes = workspace_bytes(context, [gemm.rows, gemm.columns, gemm.depth, gemm.count]);
    device.allocate(DType::U8, bytes, Provenance::WORKSPACE.by("matmul"))
}

fn call(handle: Handle<sys::cublasContext>, gemm: &Gemm) -> Result<(), Error> {
    use sys::cublasComputeType_t as Compute;
    use sys::cudaDataType_t as Type;
    let (element, compute) = match (gemm.dtype, gemm.precision) {
        (DType::F16, _) => (Type::CUDA_R_16F, Compute::CUBLAS_COMPUTE_32F),
        (DType::BF16, _) => (Type::CUDA_R_16BF, Compute::CUBLAS_COMPUTE_32F),
        (DType::F64, _) => (Type::CUDA_R_64F, Compute::CUBLAS_COMPUTE_64F),
        (_, MatmulPrecision::Highest) => (Type::CUDA_R_32F, Compute::CUBLAS_COMPUTE_32F),
        (_, MatmulPrecision::High) => (Type::CUDA_R_32F, Compute::CUBLAS_COMPUTE_32F_FAST_TF32),
    };
    let operation = |matrix: &BlasMatrix| match matrix.is_transposed {
        false => sys::cublasOperation_t::CUBLAS_OP_N,
        true => sys::cublasOperation_t::CUBLAS_OP_T,
    };
    // cuBLAS makes the transposed result of the transposed operands, so their order turns round.
    let Gemm { lhs, rhs, rows, columns, depth, out: (out, out_step), count, .. } = *gemm;
    let (singles, doubles) = ([1f32, 0.0], [1f64, 0.0]);
    let [one, zero]: [*const c_void; 2] = match gemm.dtype {
        DType::F64 => [(&raw const doubles[0]).cast(), (&raw const doubles[1]).cast()],
        _ => [(&raw const singles[0]).cast(), (&raw const singles[1]).cast()],
    };
    let algorithm = sys::cublasGemmAlgo_t::CUBLAS_GEMM_DFALT;
    let numbers = [columns, rows, depth, rhs.leading, lhs.leading, count];
    let fits = numbers.iter().all(|number| i32::try_from(*number).is_ok());
    // One product is asked for by itself: cuBLAS knows more ways for it than for a batch of one.
    macro_rules! start {
        ($function:ident, $int:ty $(, $rhs_step:expr, $lhs_step:expr, $out_step:expr, $count:expr)?) => {
            sys::$function(
                handle.0,
                operation(&rhs),
                operation(&lhs),
                columns as $int,
                rows as $int,
                depth as $int,
                one,
                rhs.address as *const c_void,
                element,
                rhs.leading as $int,
                $($rhs_step as i64,)?
                lhs.address as *const c_void,
                element,
                lhs.leading as $int,
                $($lhs_step as i64,)?
                zero,
                out as *mut c_void,
                element,
                columns as $int,
                $($out_step as i64,)?
                $($count as $int,)?
                compute,
                algorithm,
            )
        };
    }
    macro_rules! start_batch {
        ($function:ident, $int:ty) => {
            start!($function, $int, rhs.step, lhs.step, out_step, count)
        };
    }
    // SAFETY: a live handle; the matrices lie within live storages, as their extents and steps say.
    let status = unsafe {
        match (count == 1, fits) {
            (true, true) => start!(cublasGemmEx, i32),
            (true, false) => start!(cublasGemmEx_64, i64),
            (false, true) => start_batch!(cublasGemmStridedBatchedEx, i32),
            (false, false) => start_batch!(cublasGemmStridedBatchedEx_64, i64),
        }
    };
    check("multiplying", status)
}

fn call_substitution(handle: Handle<sys::cublasContext>, on: &Triangle) -> Result<(), Error> {
    let half = match on.upper {
        true => sys::cublasFillMode_t::CUBLAS_FILL_MODE_UPPER,
        false => sys::cublasFillMode_t::CUBLAS_FILL_MODE_LOWER,
    };
    let diagonal = match on.unit {
        true => sys::cublasDiagType_t::CUBLAS_DIAG_UNIT,
        false => sys::cublasDiagType_t::CUBLAS_DIAG_NON_UNIT,
    };
    macro_rules! start {
        ($function:ident, $of:ty) => {
            sys::$function(
                handle.0,
                sys::cublasSideMode_t::CUBLAS_SIDE_LEFT,
                half,
                sys::cublasOperation_t::CUBLAS_OP_N,
                diagonal,
                on.n,
                on.sides,
                &1.0,
                on.matrix as *const $of,
                on.n,
                on.right as *mut $of,
                on.n,
            )
        };
    }
    // SAFETY: as in `call`.
    let status = unsafe {
        match on.dtype {
            DType::F64 => start!(cublasDtrsm_v2, f64),
            _ => start!(cublasStrsm_v2, f32),
        }
    };
    check("solving", status)
}

fn check(what: &str, status: sys::cublasStatus_t) -> Result<(), Error> {
    match status {
        sys::cublasStatus_t::CUBLAS_STATUS_SUCCESS => Ok(()),
        status => Err(Error::Driver(format!("cuBLAS failed at {what}: {status:?}"))),
    }
}
