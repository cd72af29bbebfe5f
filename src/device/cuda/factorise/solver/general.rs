//! Eigenvalues of matrices that are not symmetric.

use std::ffi::c_int;
use std::ptr;

use super::{Matrix, Part, SOLVER, Work, at, by_columns, by_rows, check};
use crate::device::Error;
use crate::device::cuda::args::Args;
use crate::device::cuda::context::Grid;
use crate::dtype::DType;

/// Threads of the block that looks for the largest element.
const LOOKING: u32 = 1024;

impl Work<'_> {
    /// As cuSOLVER has no bounds for sizes of elements, the matrix is brought to a size of about one.
    pub(super) fn eig(
        &self,
        a: Matrix,
        n: usize,
        outputs: &[u64],
        flaw: u64,
        is_sound: &dyn Fn() -> Result<bool, Error>,
    ) -> Result<(), Error> {
        let Some(general) = self.functions.general else {
            return Err(Error::Driver("this cuSOLVER has no geev".to_string()));
        };
        let matrix = self.room(n * n)?;
        self.deal(a, by_columns(&matrix, n), [n, n], Part::Whole, Some(flaw))?;
        // It would not come to an end.
        if !is_sound()? {
            return Ok(());
        }
        let power = self.bytes(DType::I32, 1)?;
        let kernel = self.context.kernels.family(&SOLVER, "solver_power", &self.defines())?;
        let mut args = Args::new().address(matrix.address()).address(power.address());
        args = args.u64((n * n) as u64);
        let bytes = matrix.size_bytes() as u64;
        self.context.launch(&kernel, Grid::line(1, LOOKING), &mut args, bytes)?;
        self.scale(matrix.address(), n * n, power.address(), -1)?;

        let (values, wanted) = (self.room(2 * n)?, c_int::from(outputs.len() > 2));
        let vectors = self.room(if wanted > 0 { n * n } else { 1 })?;
        // cudaDataType: real numbers of 32 and of 64 bits.
        let kind = c_int::from(self.dtype == DType::F64);
        let (side, none) = (n as i64, ptr::null_mut());
        let mut params = ptr::null_mut();
        // SAFETY: the pointer is to a live place.
        check("its settings", unsafe { (general.create_params)(&mut params) })?;
        // What is asked of it, and what beside.
        macro_rules! asked {
            ($geev:expr, $($rest:expr),*) => {
                ($geev)(
                    self.handle,
                    params,
                    0,
                    wanted,
                    side,
                    kind,
                    at(&matrix),
                    side,
                    kind,
                    at(&values),
                    kind,
                    none,
                    side,
                    kind,
                    at(&vectors),
                    side,
                    kind,
                    $($rest),*
                )
            };
        }
        let (mut size, mut host_size) = (0, 0);
        // SAFETY: the handle and the settings are live, and so are all places; nothing is read but sizes.
        let status = unsafe { asked!(general.geev_size, &mut size, &mut host_size) };
        let done = self.check(status).and_then(|()| {
            let work = self.bytes(DType::U8, size)?;
            let mut host = vec![0u64; host_size.div_ceil(8)];
            let host_work = host.as_mut_ptr().cast();
            // SAFETY: as above; both work areas are as large as was asked for, and the host's lives until the
            // stream has done all that may use it.
            let status = unsafe {
                asked!(general.geev, at(&work), size, host_work, host_size, at(&self.said))
            };
            let waited = self.context.wait_to_the_end();
            self.check(status).and(waited)
        });
        // SAFETY: settings of `create_params`, destroyed once, when the stream rests. They are the host's memory.
        let _ = unsafe { (general.destroy_params)(params) };
        done?;
        self.tell(flaw)?;
        self.scale(values.address(), 2 * n, power.address(), 1)?;
        for (part, out) in outputs[..2].iter().enumerate() {
            let address = values.address() + (part * n * self.dtype.size()) as u64;
            self.deal(by_rows(address, n), by_rows(*out, n), [1, n], Part::Whole, None)?;
        }
        match outputs.get(2) {
            Some(out) => {
                let (from, to) = (by_columns(&vectors, n), by_rows(*out, n));
                self.deal(from, to, [n, n], Part::Whole, None)
            }
            None => Ok(()),
        }
    }

    /// Multiplies numbers by two to the power that stands at an address, or divides them, where `sign` is -1.
    fn scale(&self, address: u64, count: usize, power: u64, sign: i32) -> Result<(), Error> {
        let kernel = self.context.kernels.family(&SOLVER, "solver_scale", &self.defines())?;
        let mut args = Args::new().address(address).address(power);
        args = args.u64(count as u64).u32(sign as u32);
        let traffic = 2 * count * self.dtype.size();
        self.context.launch(&kernel, self.grid(count.div_ceil(256)), &mut args, traffic as u64)
    }
}
