//! Orthonormal columns, eigenvalues and singular values.

use std::ffi::{c_char, c_int, c_void};
use std::sync::Arc;

use super::{Matrix, Part, SOLVER, Work, at, by_columns, by_rows, int};
use crate::device::cuda::args::Args;
use crate::device::cuda::matmul::{BlasMatrix, Gemm};
use crate::device::{Error, MatmulPrecision, Storage};
use crate::dtype::DType;

/// Of matrices with so many columns or more, singular values alone come sooner without rotations: 2048² of
/// float64 takes 170 ms instead of 327 on an H200. With vectors 354 instead of 443.
fn long(dtype: DType) -> usize {
    if dtype == DType::F64 { 1024 } else { 2048 }
}

impl Work<'_> {
    pub(super) fn qr(
        &self,
        a: Matrix,
        [rows, columns]: [usize; 2],
        kept: usize,
        outputs: &[u64],
    ) -> Result<(), Error> {
        let (f, m, n, k) = (&self.functions, int(rows), int(columns), int(rows.min(columns)));
        let q = self.room(rows * columns.max(kept))?;
        let taus = self.room(rows.min(columns))?;
        self.deal(a, by_columns(&q, rows), [rows, columns], Part::Whole, None)?;
        let mut size = 0;
        // SAFETY: as in `divided`.
        self.check(unsafe { (f.geqrf_size)(self.handle, m, n, at(&q), m, &mut size) })?;
        let work = self.room(size as usize)?;
        // SAFETY: as in `divided`.
        self.check(unsafe {
            (f.geqrf)(self.handle, m, n, at(&q), m, at(&taus), at(&work), size, at(&self.said))
        })?;
        let r = outputs[outputs.len() - 1];
        self.deal(by_columns(&q, rows), by_rows(r, columns), [kept, columns], Part::Upper, None)?;
        let [out, _] = outputs else { return Ok(()) };
        let wide = int(kept);
        // SAFETY: as in `divided`.
        self.check(unsafe {
            (f.orgqr_size)(self.handle, m, wide, k, at(&q), m, at(&taus), &mut size)
        })?;
        let work = self.room(size as usize)?;
        // SAFETY: as in `divided`.
        self.check(unsafe {
            (f.orgqr)(
                self.handle,
                m,
                wide,
                k,
                at(&q),
                m,
                at(&taus),
                at(&work),
                size,
                at(&self.said),
            )
        })?;
        self.deal(by_columns(&q, rows), by_rows(*out, kept), [rows, kept], Part::Whole, None)
    }

    pub(super) fn eigh(
        &self,
        a: Matrix,
        rows: usize,
        upper: bool,
        outputs: &[u64],
        flaw: u64,
        is_sound: &dyn Fn() -> Result<bool, Error>,
    ) -> Result<(), Error> {
        let (f, n, half) = (&self.functions, int(rows), c_int::from(upper));
        let v = self.room(rows * rows)?;
        let part = Part::triangle(upper);
        self.deal(a, by_columns(&v, rows), [rows, rows], part, Some(flaw))?;
        // It would not come to an end.
        if !is_sound()? {
            return Ok(());
        }
        let values = outputs[0] as *mut c_void;
        let (mut size, vectors) = (0, c_int::from(outputs.len() > 1));
        // SAFETY: as in `divided`.
        self.check(unsafe {
            (f.syevd_size)(self.handle, vectors, half, n, at(&v), n, values, &mut size)
        })?;
        let work = self.room(size as usize)?;
        // SAFETY: as in `divided`.
        self.check(unsafe {
            (f.syevd)(
                self.handle,
                vectors,
                half,
                n,
                at(&v),
                n,
                values,
                at(&work),
                size,
                at(&self.said),
            )
        })?;
        self.tell(flaw)?;
        let [_, out] = outputs else { return Ok(()) };
        drop(work);
        let v = self.orthonormal(&v, rows)?;
        self.deal(by_columns(&v, rows), by_rows(*out, rows), [rows, rows], Part::Whole, None)
    }

    /// Orthonormal vectors next to those of `n` rows and columns, which are nearly so: of a matrix with many
    /// equal eigenvalues, cuSOLVER's are orthogonal to half of the type's digits only, and these to all. By
    /// the third-order iteration for the orthogonal factor of a polar decomposition (Higham, *Functions of
    /// Matrices*, 2008, section 8.3).
    fn orthonormal(&self, v: &Arc<Storage>, n: usize) -> Result<Arc<Storage>, Error> {
        let (gram, other) = (self.room(n * n)?, self.room(n * n)?);
        // As rows, which cuBLAS's columns are here, they stand one below the other.
        let matrix = |of: &Arc<Storage>, is_transposed| BlasMatrix {
            address: of.address(),
            is_transposed,
            leading: n,
            step: 0,
        };
        let multiply = |lhs, rhs, out: &Arc<Storage>| {
            let gemm = Gemm {
                dtype: self.dtype,
                precision: MatmulPrecision::Highest,
                rows: n,
                columns: n,
                depth: n,
                lhs,
                rhs,
                out: (out.address(), 0),
                count: 1,
            };
            self.blas.multiply(self.context, self.device, &gemm)
        };
        multiply(matrix(v, false), matrix(v, true), &gram)?;
        multiply(matrix(&gram, false), matrix(&gram, false), &other)?;
        let kernel = self.context.kernels.family(&SOLVER, "solver_correction", &self.defines())?;
        let mut args = Args::new().address(gram.address()).address(other.address()).u64(n as u64);
        let traffic = 3 * gram.size_bytes();
        let grid = self.grid((n * n).div_ceil(256));
        self.context.launch(&kernel, grid, &mut args, traffic as u64)?;
        multiply(matrix(&gram, false), matrix(v, false), &other)?;
        Ok(other)
    }

    pub(super) fn svd(
        &self,
        a: Matrix,
        [rows, columns]: [usize; 2],
        wanted: Option<bool>,
        outputs: &[u64],
        flaw: u64,
        is_sound: &dyn Fn() -> Result<bool, Error>,
    ) -> Result<(), Error> {
        // cuSOLVER takes upright matrices only: the turned one has the same parts, turned and in the
        // other order.
        let is_turned = rows < columns;
        let (tall, least) = (rows.max(columns), rows.min(columns));
        let a = if is_turned { a.turned() } else { a };
        let copy = self.room(tall * least)?;
        let begin = || {
            self.deal(a, by_columns(&copy, tall), [tall, least], Part::Whole, Some(flaw))?;
            is_sound()
        };
        if !begin()? {
            return Ok(());
        }
        let wide = if wanted == Some(true) { tall } else { least };
        let vectors = match wanted {
            None => None,
            Some(_) => Some([self.room(tall * wide)?, self.room(least * least)?]),
        };
        let sides = [tall, least];
        let mut turned_right = wanted.is_some() || least < long(self.dtype);
        if turned_right {
            self.by_rotations(&copy, sides, wanted, outputs[0], &vectors)?;
            self.tell(flaw)?;
            // Where they come to no end, the other method does.
            if !is_sound()? {
                self.context.fill(flaw, 0, 8)?;
                begin()?;
                turned_right = false;
            }
        }
        if !turned_right {
            self.by_bidiagonals(&copy, sides, wanted, outputs[0], &vectors)?;
            self.tell(flaw)?;
        }
        let (Some([u, v]), [_, left, right]) = (vectors, outputs) else { return Ok(()) };
        let (u, v) = (by_columns(&u, tall), by_columns(&v, least));
        let vh = if turned_right { v.turned() } else { v };
        let (of_u, of_vh) = ([tall, wide], [least, least]);
        if is_turned {
            self.deal(vh, by_rows(*left, least).turned(), of_vh, Part::Whole, None)?;
            return self.deal(u, by_rows(*right, tall).turned(), of_u, Part::Whole, None);
        }
        self.deal(u, by_rows(*left, wide), of_u, Part::Whole, None)?;
        self.deal(vh, by_rows(*right, least), of_vh, Part::Whole, None)
    }

    /// Singular values and vectors, the right ones in columns, by Jacobi's method.
    fn by_rotations(
        &self,
        a: &Arc<Storage>,
        [rows, columns]: [usize; 2],
        wanted: Option<bool>,
        values: u64,
        vectors: &Option<[Arc<Storage>; 2]>,
    ) -> Result<(), Error> {
        let (f, m, n) = (&self.functions, int(rows), int(columns));
        let (mode, thin) = (c_int::from(wanted.is_some()), c_int::from(wanted != Some(true)));
        // It fails at some sizes without room for vectors, which it says not to write if nobody wants them.
        let unwanted = match vectors {
            None => Some([self.room(rows * columns)?, self.room(columns * columns)?]),
            Some(_) => None,
        };
        let [u, v] = places(vectors.as_ref().or(unwanted.as_ref()));
        let values = values as *mut c_void;
        let mut size = 0;
        // SAFETY: as in `divided`; the settings live until the work has been started.
        unsafe {
            let mut settings = std::ptr::null_mut();
            self.check((f.create_settings)(&mut settings))?;
            let started = self
                .check((f.gesvdj_size)(
                    self.handle,
                    mode,
                    thin,
                    m,
                    n,
                    at(a),
                    m,
                    values,
                    u,
                    m,
                    v,
                    n,
                    &mut size,
                    settings,
                ))
                .and_then(|()| self.room(size as usize))
                .and_then(|work| {
                    self.check((f.gesvdj)(
                        self.handle,
                        mode,
                        thin,
                        m,
                        n,
                        at(a),
                        m,
                        values,
                        u,
                        m,
                        v,
                        n,
                        at(&work),
                        size,
                        at(&self.said),
                        settings,
                    ))
                });
            self.check((f.destroy_settings)(settings))?;
            started
        }
    }

    /// The same, the right vectors in rows, by way of a matrix with two diagonals.
    fn by_bidiagonals(
        &self,
        a: &Arc<Storage>,
        [rows, columns]: [usize; 2],
        wanted: Option<bool>,
        values: u64,
        vectors: &Option<[Arc<Storage>; 2]>,
    ) -> Result<(), Error> {
        let (f, m, n) = (&self.functions, int(rows), int(columns));
        let letter = match wanted {
            None => b'N',
            Some(false) => b'S',
            Some(true) => b'A',
        } as c_char;
        let [u, vh] = places(vectors.as_ref());
        let mut size = 0;
        // SAFETY: as in `divided`.
        self.check(unsafe { (f.gesvd_size)(self.handle, m, n, &mut size) })?;
        let (work, rest) = (self.room(size as usize)?, self.room(columns)?);
        // SAFETY: as in `divided`.
        self.check(unsafe {
            (f.gesvd)(
                self.handle,
                letter,
                letter,
                m,
                n,
                at(a),
                m,
                values as *mut c_void,
                u,
                m,
                vh,
                n,
                at(&work),
                size,
                at(&rest),
                at(&self.said),
            )
        })
    }
}

fn places(vectors: Option<&[Arc<Storage>; 2]>) -> [*mut c_void; 2] {
    vectors.map_or([std::ptr::null_mut(); 2], |both| both.each_ref().map(at))
}
