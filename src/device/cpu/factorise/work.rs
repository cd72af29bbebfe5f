//! A factorisation of each matrix of a stack: operands, results, and what is needed besides.

use std::mem::MaybeUninit;

use faer::Par;
use faer::dyn_stack::{MemStack, StackReq};

use super::dense::{Matrices, Real, matrix_scratch, result, row};
use super::{eigen, orthogonal, systems};
use crate::device::Factorisation;
use crate::device::cpu::elements::Elements;

pub(super) struct Work<'a, T> {
    pub what: Factorisation,
    pub inputs: &'a [Matrices<'a, T>],
    pub outputs: &'a [Elements<'a>],
}

impl<T: Real> Work<'_, T> {
    /// How many times as long as a system of equations a matrix takes, roughly.
    pub fn passes(&self) -> usize {
        match self.what {
            Factorisation::Solve
            | Factorisation::Triangular { .. }
            | Factorisation::Lu
            | Factorisation::Cholesky { .. } => 1,
            Factorisation::Qr { .. } => 4,
            Factorisation::Eigh { .. } | Factorisation::Svd { .. } | Factorisation::Eig => 32,
        }
    }

    /// Bytes of memory that a matrix needs besides its operands and results.
    pub fn scratch(&self, par: Par) -> usize {
        let [m, n] = self.sides();
        let copies = StackReq::all_of(&[
            matrix_scratch::<T>(m, n),
            matrix_scratch::<T>(n, self.inputs.get(1).map_or(0, |b| b.columns)),
        ]);
        let own = match self.what {
            Factorisation::Solve | Factorisation::Lu => systems::lu_scratch(m),
            Factorisation::Triangular { .. } | Factorisation::Cholesky { .. } => StackReq::EMPTY,
            Factorisation::Qr { complete } => orthogonal::qr_scratch::<T>([m, n], complete),
            Factorisation::Svd { full } => {
                orthogonal::svd_scratch::<T>([m, n], self.vectors().then_some(full), par)
            }
            Factorisation::Eigh { .. } => eigen::eigh_scratch::<T>(n, self.vectors(), par),
            Factorisation::Eig => eigen::eig_scratch::<T>(n, self.vectors(), par),
        };
        copies.and(own).unaligned_bytes_required()
    }

    /// Rows and columns of the first operand.
    fn sides(&self) -> [usize; 2] {
        [self.inputs[0].rows, self.inputs[0].columns]
    }

    /// Whether vectors are asked for beside values.
    fn vectors(&self) -> bool {
        match self.what {
            Factorisation::Svd { .. } | Factorisation::Eig => self.outputs.len() == 3,
            _ => self.outputs.len() == 2,
        }
    }

    /// The results of the matrix with this number, and its flaw.
    pub fn run(&self, number: usize, memory: &mut [u64], par: Par) -> i64 {
        let bytes = std::ptr::slice_from_raw_parts_mut(
            memory.as_mut_ptr().cast::<MaybeUninit<u8>>(),
            size_of_val(memory),
        );
        // SAFETY: these are the bytes of `memory`, which is borrowed as long.
        let stack = MemStack::new(unsafe { &mut *bytes });
        let a = self.inputs[0].at(number);
        let [m, n] = self.sides();
        let short = m.min(n);
        let values = |at: usize, len| row::<T>(&self.outputs[at], number, len);
        let matrix = |at: usize, sides| result::<T>(&self.outputs[at], number, sides);
        match self.what {
            Factorisation::Solve => {
                let b = self.inputs[1].at(number);
                let x = matrix(0, [n, b.ncols()]);
                systems::solve(a, b, x, par, stack)
            }
            Factorisation::Triangular { upper, unit } => {
                let b = self.inputs[1].at(number);
                let x = matrix(0, [n, b.ncols()]);
                systems::solve_triangle(a, b, x, [upper, unit], par, stack)
            }
            Factorisation::Lu => {
                let order = row::<i64>(&self.outputs[1], number, m);
                let swaps = row::<i64>(&self.outputs[2], number, 1);
                systems::lu(a, matrix(0, [m, n]), order, &mut swaps[0], par, stack)
            }
            Factorisation::Cholesky { upper } => {
                systems::cholesky(a, matrix(0, [n, n]), upper, par, stack)
            }
            Factorisation::Qr { complete } => {
                let k = if complete { m } else { short };
                let at_r = self.outputs.len() - 1;
                let q = self.vectors().then(|| matrix(0, [m, k]));
                orthogonal::qr(a, q, matrix(at_r, [k, n]), par, stack);
                0
            }
            Factorisation::Eigh { upper } => {
                let vectors = self.vectors().then(|| matrix(1, [n, n]));
                eigen::eigh(a, upper, values(0, n), vectors, par, stack)
            }
            Factorisation::Svd { full } => {
                let [of_u, of_v] = if full { [m, n] } else { [short, short] };
                let vectors = self.vectors().then(|| [matrix(1, [m, of_u]), matrix(2, [of_v, n])]);
                orthogonal::svd(a, values(0, short), vectors, par, stack)
            }
            Factorisation::Eig => {
                let vectors = self.vectors().then(|| matrix(2, [n, n]));
                eigen::eig(a, [values(0, n), values(1, n)], vectors, par, stack)
            }
        }
    }
}
