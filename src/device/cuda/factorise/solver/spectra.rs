//! Orthonormal columns, eigenvalues and singular values.

use std::ffi::{c_char, c_int, c_void};
use std::sync::Arc;

use super::{Matrix, Part, Work, at, by_columns, by_rows, int};
use crate::device::{Error, Storage};

/// Of matrices with so many columns or more, singular values alone come sooner without rotations: 2048² of
/// float64 takes 170 ms instead of 327 on an H200. With vectors 354 instead of 443.
const LONG: usize = 1024;

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
        // SAFETY: as in `solve`.
        self.check(unsafe { (f.geqrf_size)(self.handle, m, n, at(&q), m, &mut size) })?;
        let work = self.room(size as usize)?;
        // SAFETY: as in `solve`.
        self.check(unsafe {
            (f.geqrf)(self.handle, m, n, at(&q), m, at(&taus), at(&work), size, at(&self.said))
        })?;
        let r = outputs[outputs.len() - 1];
        self.deal(by_columns(&q, rows), by_rows(r, columns), [kept, columns], Part::Upper, None)?;
        let [out, _] = outputs else { return Ok(()) };
        let wide = int(kept);
        // SAFETY: as in `solve`.
        self.check(unsafe {
            (f.orgqr_size)(self.handle, m, wide, k, at(&q), m, at(&taus), &mut size)
        })?;
        let work = self.room(size as usize)?;
        // SAFETY: as in `solve`.
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
        // SAFETY: as in `solve`.
        self.check(unsafe {
            (f.syevd_size)(self.handle, vectors, half, n, at(&v), n, values, &mut size)
        })?;
        let work = self.room(size as usize)?;
        // SAFETY: as in `solve`.
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
        self.deal(by_columns(&v, rows), by_rows(*out, rows), [rows, rows], Part::Whole, None)
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
        let long = if wanted == Some(true) { tall } else { least };
        let vectors = match wanted {
            None => None,
            Some(_) => Some([self.room(tall * long)?, self.room(least * least)?]),
        };
        let sides = [tall, least];
        let mut turned_right = wanted.is_some() || least < LONG;
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
        let (of_u, of_vh) = ([tall, long], [least, least]);
        if is_turned {
            self.deal(vh, by_rows(*left, least).turned(), of_vh, Part::Whole, None)?;
            return self.deal(u, by_rows(*right, tall).turned(), of_u, Part::Whole, None);
        }
        self.deal(u, by_rows(*left, long), of_u, Part::Whole, None)?;
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
        let [u, v] = places(vectors);
        let values = values as *mut c_void;
        let mut size = 0;
        // SAFETY: as in `solve`; the settings live until the work has been started.
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
        let [u, vh] = places(vectors);
        let mut size = 0;
        // SAFETY: as in `solve`.
        self.check(unsafe { (f.gesvd_size)(self.handle, m, n, &mut size) })?;
        let (work, rest) = (self.room(size as usize)?, self.room(columns)?);
        // SAFETY: as in `solve`.
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

fn places(vectors: &Option<[Arc<Storage>; 2]>) -> [*mut c_void; 2] {
    vectors.as_ref().map_or([std::ptr::null_mut(); 2], |both| both.each_ref().map(at))
}
