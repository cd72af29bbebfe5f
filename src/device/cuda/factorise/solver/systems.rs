//! Systems of equations, and the triangles that they are solved by.

use std::ffi::c_int;
use std::sync::Arc;

use super::{Matrix, Part, SOLVER, Work, at, by_columns, by_rows, int};
use crate::device::cuda::args::Args;
use crate::device::cuda::context::Grid;
use crate::device::cuda::matmul::Triangle;
use crate::device::{Error, Storage};
use crate::dtype::DType;

impl Work<'_> {
    pub(super) fn solve(
        &self,
        a: Matrix,
        b: Matrix,
        [n, k]: [usize; 2],
        out: u64,
        flaw: u64,
    ) -> Result<(), Error> {
        let (lu, exchanges) = self.divided(a, [n, n], flaw)?;
        if k == 0 {
            return Ok(());
        }
        // cuSOLVER's getrs does the same, and takes up to twice as long as cuBLAS does: on an H200 2.7 ms for
        // 2048 sides of 2048 rows of float64, not 1.4.
        let (order, x) = (self.bytes(DType::I64, n)?, self.room(n * k)?);
        self.put_in_order(&exchanges, n, [order.address(), 0])?;
        self.deal(b, by_columns(&x, n), [n, k], Part::Ordered(order.address()), None)?;
        self.divide(&lu, &x, [n, k], [false, true])?;
        self.divide(&lu, &x, [n, k], [true, false])?;
        self.deal(by_columns(&x, n), by_rows(out, k), [n, k], Part::Whole, None)
    }

    pub(super) fn substitute(
        &self,
        a: Matrix,
        b: Matrix,
        [n, k]: [usize; 2],
        [upper, unit]: [bool; 2],
        out: u64,
    ) -> Result<(), Error> {
        let (half, x) = (self.room(n * n)?, self.room(n * k)?);
        self.deal(a, by_columns(&half, n), [n, n], Part::triangle(upper), None)?;
        self.deal(b, by_columns(&x, n), [n, k], Part::Whole, None)?;
        self.divide(&half, &x, [n, k], [upper, unit])?;
        self.deal(by_columns(&x, n), by_rows(out, k), [n, k], Part::Whole, None)
    }

    /// Divides `x` by one triangle of a matrix, both by columns, in place.
    fn divide(
        &self,
        matrix: &Storage,
        x: &Storage,
        [n, k]: [usize; 2],
        [upper, unit]: [bool; 2],
    ) -> Result<(), Error> {
        let (matrix, right, dtype) = (matrix.address(), x.address(), self.dtype);
        let triangle = Triangle { dtype, upper, unit, n: int(n), sides: int(k), matrix, right };
        self.blas.substitute(self.context, self.device, &triangle)
    }

    pub(super) fn lu(
        &self,
        a: Matrix,
        sides: [usize; 2],
        places: [u64; 3],
        flaw: u64,
    ) -> Result<(), Error> {
        let [rows, columns] = sides;
        let [out, order, swaps] = places;
        let (lu, exchanges) = self.divided(a, sides, flaw)?;
        self.deal(by_columns(&lu, rows), by_rows(out, columns), sides, Part::Whole, None)?;
        self.put_in_order(&exchanges, rows, [order, swaps])
    }

    /// Puts the order of `rows` rows after their exchanges, and if there is a place how many these are.
    fn put_in_order(
        &self,
        exchanges: &Storage,
        rows: usize,
        [order, swaps]: [u64; 2],
    ) -> Result<(), Error> {
        let kernel = self.context.kernels.family(&SOLVER, "solver_order", &self.defines())?;
        let mut args = Args::new()
            .address(exchanges.address())
            .address(order)
            .address(swaps)
            .u32(rows as u32)
            .u32(exchanges.len() as u32);
        self.context.launch(&kernel, Grid::line(1, 256), &mut args, 0)
    }

    /// Both triangles by columns, and the row that each row was exchanged with.
    fn divided(
        &self,
        a: Matrix,
        [rows, columns]: [usize; 2],
        flaw: u64,
    ) -> Result<(Arc<Storage>, Arc<Storage>), Error> {
        let (f, m, n) = (&self.functions, int(rows), int(columns));
        let lu = self.room(rows * columns)?;
        self.deal(a, by_columns(&lu, rows), [rows, columns], Part::Whole, None)?;
        let exchanges = self.bytes(DType::I32, rows.min(columns))?;
        let mut size = 0;
        // SAFETY: all matrices are as large as is said, and stream order keeps their memory until they are
        // done; here and below sizes are asked for with the arguments of the work.
        self.check(unsafe { (f.getrf_size)(self.handle, m, n, at(&lu), m, &mut size) })?;
        let work = self.room(size as usize)?;
        // SAFETY: as in `divided`.
        self.check(unsafe {
            (f.getrf)(self.handle, m, n, at(&lu), m, at(&work), at(&exchanges), at(&self.said))
        })?;
        self.tell(flaw)?;
        Ok((lu, exchanges))
    }

    pub(super) fn cholesky(
        &self,
        a: Matrix,
        rows: usize,
        upper: bool,
        out: u64,
        flaw: u64,
    ) -> Result<(), Error> {
        let (f, n, half) = (&self.functions, int(rows), c_int::from(upper));
        let (sides, part) = ([rows, rows], Part::triangle(upper));
        let l = self.room(rows * rows)?;
        self.deal(a, by_columns(&l, rows), sides, part, None)?;
        let mut size = 0;
        // SAFETY: as in `divided`.
        self.check(unsafe { (f.potrf_size)(self.handle, half, n, at(&l), n, &mut size) })?;
        let work = self.room(size as usize)?;
        // SAFETY: as in `divided`.
        self.check(unsafe {
            (f.potrf)(self.handle, half, n, at(&l), n, at(&work), size, at(&self.said))
        })?;
        self.tell(flaw)?;
        self.deal(by_columns(&l, rows), by_rows(out, rows), sides, part, None)
    }
}
