//! Large matrices by cuSOLVER, one after the other; Ctrl-C is heard between two.

mod general;
mod spectra;
mod systems;

use std::ffi::{c_int, c_void};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::api::{self, Api, Functions, check};
use crate::device::cuda::args::Args;
use crate::device::cuda::context::{Context, Grid, Handle};
use crate::device::cuda::matmul::Blas;
use crate::device::cuda::source::{Source, kernel_source};
use crate::device::cuda::tiles::{item, start};
use crate::device::{Device, Error, Factorisation, Storage, View};
use crate::dtype::DType;
use crate::memory::Provenance;

const SOLVER: Source = kernel_source!("solver.cu");

/// Matrices of a stack up to this many sides are many small ones, which the library's texts take all
/// at once; of more sides, or few of them, cuSOLVER has each faster.
const SMALL: usize = 128;
const FEW: usize = 4;

/// cuSOLVER on one GPU.
#[derive(Debug, Default)]
pub struct Solver(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// Nothing until somebody asks; then why it is not there, or it.
    api: Option<Result<Api, String>>,
    handle: Option<Handle<c_void>>,
}

impl Solver {
    /// Whether stacks of so many matrices of (rows, columns) are taken apart by it, where it is there.
    /// Looks for it the first time.
    pub fn takes(&self, what: Factorisation, sides: [usize; 2], count: usize) -> bool {
        let [rows, columns] = sides;
        let is_worth = match what {
            Factorisation::Eig => self.has_general(),
            Factorisation::Eigh { .. } | Factorisation::Svd { .. } => true,
            Factorisation::Solve
            | Factorisation::Triangular { .. }
            | Factorisation::Lu
            | Factorisation::Cholesky { .. }
            | Factorisation::Qr { .. } => count <= FEW || rows.min(columns) > SMALL,
        };
        let fits = rows.saturating_mul(columns.max(rows)) <= c_int::MAX as usize;
        is_worth && fits && rows.min(columns) > 0 && self.lock().api().is_ok()
    }

    /// Whether this cuSOLVER finds eigenvalues of general matrices.
    fn has_general(&self) -> bool {
        self.lock().api().is_ok_and(|[functions, _]| functions.general.is_some())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A state is changed whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn api(&mut self) -> Result<Api, String> {
        self.api.get_or_insert_with(api::load).clone()
    }

    /// What cuSOLVER keeps of the GPU, which must be current.
    fn handle(
        &mut self,
        functions: &Functions,
        context: &Context,
    ) -> Result<Handle<c_void>, Error> {
        if let Some(handle) = self.handle {
            return Ok(handle);
        }
        // It waits for the GPU's work, and would hear of no Ctrl-C.
        context.wait_for_all()?;
        let mut handle = std::ptr::null_mut();
        // SAFETY: the pointer is to a live place.
        check("its start", unsafe { (functions.create)(&mut handle) })?;
        self.handle = Some(Handle(handle));
        Ok(Handle(handle))
    }
}

impl Drop for Solver {
    fn drop(&mut self) {
        let state = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let (Some(Ok([functions, _])), Some(handle)) = (&state.api, state.handle) {
            // SAFETY: a handle of `create`, destroyed once; the back end has waited for its work and made
            // the GPU current. A failure leaves memory to the process's end.
            let _ = unsafe { (functions.destroy)(handle.0) };
        }
    }
}

/// A matrix in the GPU's memory: its first element, and the steps to the next row and column.
#[derive(Debug, Clone, Copy)]
struct Matrix {
    address: u64,
    steps: [isize; 2],
}

impl Matrix {
    fn turned(self) -> Matrix {
        Matrix { steps: [self.steps[1], self.steps[0]], ..self }
    }
}

/// Which elements of a matrix are copied.
#[derive(Debug, Clone, Copy)]
enum Part {
    Whole,
    Lower,
    Upper,
    /// All, and rows from those whose int64 numbers stand at this address.
    Ordered(u64),
}

impl Part {
    fn triangle(upper: bool) -> Part {
        if upper { Part::Upper } else { Part::Lower }
    }

    /// `solver_deal`'s number for it, and the address of an order or none.
    fn for_kernel(self) -> (u32, u64) {
        match self {
            Part::Whole => (0, 0),
            Part::Lower => (1, 0),
            Part::Upper => (2, 0),
            Part::Ordered(order) => (0, order),
        }
    }
}

/// What one matrix is taken apart with.
struct Work<'a> {
    context: &'a Context,
    blas: &'a Blas,
    device: &'a Device,
    functions: Functions,
    handle: *mut c_void,
    what: Factorisation,
    dtype: DType,
    /// cuSOLVER's words on how it went: an int32.
    said: Arc<Storage>,
}

/// See [`crate::device::Factoriser::factorise`]. `is_sound` reads whether the matrix of that number has no
/// flaw yet.
pub fn factorise(
    context: &Context,
    (solver, blas): (&Solver, &Blas),
    what: Factorisation,
    (inputs, outputs, flaws): (&[View<'_>], &[View<'_>], View<'_>),
    is_sound: &dyn Fn(usize) -> Result<bool, Error>,
) -> Result<(), Error> {
    let mut state = solver.lock();
    let dtype = inputs[0].dtype();
    let functions = state.api().map_err(Error::Driver)?[usize::from(dtype == DType::F64)];
    if context.is_rehearsal {
        return Ok(());
    }
    let handle = state.handle(&functions, context)?.0;
    // SAFETY: the stream lives as long as the context.
    let status = unsafe { (functions.set_stream)(handle, context.raw_stream().cast()) };
    check("choosing a stream", status)?;
    let device = flaws.storage.device();
    let said = device.allocate(DType::I32, 1, Provenance::WORKSPACE.by(what.name()))?;
    let work = Work { context, blas, device, functions, handle, what, dtype, said };
    let stack = &flaws.layout.shape;
    for number in 0..flaws.layout.elem_count() {
        context.interrupt.heed()?;
        let of = |view: &View<'_>| {
            let strides = &view.layout.strides;
            let mut rest = number;
            let offsets = stack.iter().zip(&strides[..stack.len()]).rev().map(|(extent, step)| {
                let at = rest % extent;
                rest /= extent;
                at as isize * step
            });
            let bytes = offsets.sum::<isize>() * dtype.size() as isize;
            let rank = strides.len();
            Matrix {
                address: start(*view).wrapping_add_signed(bytes as i64),
                steps: [strides[rank - 2], strides[rank - 1]],
            }
        };
        let matrices: Vec<Matrix> = inputs.iter().map(of).collect();
        let sides_of: Vec<[usize; 2]> = inputs.iter().map(View::sides).collect();
        // Results lie behind each other.
        let places: Vec<u64> = outputs
            .iter()
            .map(|view| {
                let each = view.layout.elem_count() / flaws.layout.elem_count();
                start(*view) + (number * each * view.dtype().size()) as u64
            })
            .collect();
        let flaw = start(flaws) + 8 * number as u64;
        context.fill(flaw, 0, 8)?;
        work.run(&matrices, &sides_of, &places, flaw, &|| is_sound(number))?;
    }
    Ok(())
}

impl Work<'_> {
    fn run(
        &self,
        inputs: &[Matrix],
        sides: &[[usize; 2]],
        outputs: &[u64],
        flaw: u64,
        is_sound: &dyn Fn() -> Result<bool, Error>,
    ) -> Result<(), Error> {
        let [rows, columns] = sides[0];
        let (a, least) = (inputs[0], rows.min(columns));
        match self.what {
            Factorisation::Solve => self.solve(a, inputs[1], sides[1], outputs[0], flaw),
            Factorisation::Lu => {
                let places = [outputs[0], outputs[1], outputs[2]];
                self.lu(a, sides[0], places, flaw)
            }
            Factorisation::Cholesky { upper } => self.cholesky(a, rows, upper, outputs[0], flaw),
            Factorisation::Qr { complete } => {
                let kept = if complete { rows } else { least };
                self.qr(a, sides[0], kept, outputs)
            }
            Factorisation::Eigh { upper } => self.eigh(a, rows, upper, outputs, flaw, is_sound),
            Factorisation::Svd { full } => {
                let wanted = (outputs.len() > 1).then_some(full);
                self.svd(a, sides[0], wanted, outputs, flaw, is_sound)
            }
            Factorisation::Triangular { upper, unit } => {
                self.substitute(a, inputs[1], sides[1], [upper, unit], outputs[0])
            }
            Factorisation::Eig => self.eig(a, rows, outputs, flaw, is_sound),
        }
    }

    /// Starts a copy of a matrix of (rows, columns).
    fn deal(
        &self,
        from: Matrix,
        to: Matrix,
        [rows, columns]: [usize; 2],
        part: Part,
        flaw: Option<u64>,
    ) -> Result<(), Error> {
        let kernel = self.context.kernels.family(&SOLVER, "solver_deal", &self.defines())?;
        let (number, order) = part.for_kernel();
        let mut args = Args::new()
            .address(from.address)
            .address(to.address)
            .address(order)
            .address(flaw.unwrap_or(0))
            .stride(from.steps[0])
            .stride(from.steps[1])
            .stride(to.steps[0])
            .stride(to.steps[1])
            .u64(rows as u64)
            .u64(columns as u64)
            .u32(number);
        let grid = self.grid(rows.div_ceil(32) * columns.div_ceil(32));
        let traffic = 2 * rows * columns * self.dtype.size();
        self.context.launch(&kernel, grid, &mut args, traffic as u64)
    }

    /// So many blocks of 256 threads, or as many as keep the chip busy, which then go on.
    fn grid(&self, blocks: usize) -> Grid {
        let most = 8 * self.context.chip.multiprocessors as usize;
        Grid::line(blocks.clamp(1, most) as u32, 256)
    }

    /// Makes a flaw of what cuSOLVER said.
    fn tell(&self, flaw: u64) -> Result<(), Error> {
        let kernel = self.context.kernels.family(&SOLVER, "solver_flaw", &self.defines())?;
        let mut args = Args::new().address(self.said.address()).address(flaw);
        self.context.launch(&kernel, Grid::line(1, 1), &mut args, 0)
    }

    fn defines(&self) -> [(&'static str, &'static str); 1] {
        [("REAL", item(self.dtype))]
    }

    /// Memory for so many elements.
    fn room(&self, len: usize) -> Result<Arc<Storage>, Error> {
        self.bytes(self.dtype, len)
    }

    fn bytes(&self, dtype: DType, len: usize) -> Result<Arc<Storage>, Error> {
        self.device.allocate(dtype, len.max(1), Provenance::WORKSPACE.by(self.what.name()))
    }

    fn check(&self, status: c_int) -> Result<(), Error> {
        self.context.started.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        check(self.what.name(), status)
    }
}

fn int(number: usize) -> c_int {
    number as c_int
}

fn at(storage: &Arc<Storage>) -> *mut c_void {
    storage.address() as *mut c_void
}

fn by_columns(storage: &Arc<Storage>, rows: usize) -> Matrix {
    Matrix { address: storage.address(), steps: [1, rows as isize] }
}

fn by_rows(address: u64, columns: usize) -> Matrix {
    Matrix { address, steps: [columns as isize, 1] }
}
