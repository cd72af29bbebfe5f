//! Products by a loop of our own, which keeps a part of the right matrix in a core's cache: those of
//! integers, which wrap, and of bool, where a sum is "or" and a product "and"; those of floats where
//! there is no `gemm`.

use super::{Context, Matrix, Product, SMALL};
use crate::device::Error;
use crate::device::cpu::dispatch::vectorized;
use crate::device::cpu::elements::{Ptr, for_pieces};
use crate::device::cpu::number::Number;

/// Rows of the result that one thread makes at a time.
pub(super) const ROWS: usize = 16;
/// Rows and columns of the right matrix that are used together: they fit a core's own cache.
pub(super) const DEPTH: usize = 64;
pub(super) const COLUMNS: usize = 512;

/// What sums and products are.
pub(super) trait Ring: Copy + Send + Sync + 'static {
    const ZERO: Self;
    /// Whether a product and a sum may be one operation, of one rounding.
    const HAS_FUSED: bool = false;
    fn sum(self, other: Self) -> Self;
    fn product(self, other: Self) -> Self;
    /// The sum of this and a product; `FMA` says whether that is one instruction, where it may be.
    #[inline(always)]
    fn with_product<const FMA: bool>(self, a: Self, b: Self) -> Self {
        self.sum(a.product(b))
    }
}

impl<T: Number> Ring for T {
    const ZERO: T = T::ZERO;
    const HAS_FUSED: bool = T::HAS_FUSED;

    #[inline(always)]
    fn sum(self, other: T) -> T {
        self.add(other)
    }

    #[inline(always)]
    fn product(self, other: T) -> T {
        self.multiply(other)
    }

    #[inline(always)]
    fn with_product<const FMA: bool>(self, a: T, b: T) -> T {
        if FMA { self.add_product(a, b) } else { self.add(a.multiply(b)) }
    }
}

/// A bool.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub(super) struct Logical(u8);

impl Ring for Logical {
    const ZERO: Logical = Logical(0);

    #[inline(always)]
    fn sum(self, other: Logical) -> Logical {
        Logical(self.0 | other.0)
    }

    #[inline(always)]
    fn product(self, other: Logical) -> Logical {
        Logical(self.0 & other.0)
    }
}

/// Writes a product, tile by tile.
pub(super) fn multiply<T: Ring>(
    product: &Product<T>,
    parallel: bool,
    context: Context<'_>,
) -> Result<(), Error> {
    let Product { lhs, rhs, out, rows, columns, depth } = *product;
    // One thread packs every part of the right matrix once.
    let parallel = parallel && product.work() > SMALL;
    let height = if parallel { ROWS } else { rows };
    let across = columns.div_ceil(COLUMNS);
    let tiles = rows.div_ceil(height) * across;
    let piece = if parallel { 1 } else { tiles };
    for_pieces(tiles, piece, context.interrupt, &|_, tiles| {
        let mut packed = Vec::new();
        for tile in tiles {
            let (top, first) = (tile / across * height, tile % across * COLUMNS);
            let (bottom, width) = (rows.min(top + height), COLUMNS.min(columns - first));
            for inner in (0..depth.max(1)).step_by(DEPTH) {
                if context.interrupt.is_raised() {
                    return Err(Error::Interrupted);
                }
                pack(&mut packed, rhs.from(inner, first), DEPTH.min(depth - inner), width);
                for row in top..bottom {
                    // SAFETY: the columns of `out` lie side by side, and no two tiles share an
                    // element.
                    let sums = unsafe { std::slice::from_raw_parts_mut(out.at(row, first), width) };
                    if inner == 0 {
                        sums.fill(T::ZERO);
                    }
                    let lhs = lhs.from(row, inner);
                    add_rows(sums, (lhs.start, lhs.column), &packed);
                }
            }
        }
        Ok(())
    })
}

/// Copies a part of a matrix to lie without holes.
fn pack<T: Ring>(packed: &mut Vec<T>, matrix: Matrix<T>, rows: usize, columns: usize) {
    packed.clear();
    for row in 0..rows {
        // SAFETY: the matrix has these elements.
        packed.extend((0..columns).map(|column| unsafe { *matrix.at(row, column) }));
    }
}

vectorized! {
    /// Adds the rows of `rhs`, each times an element of `lhs`, to `out`. `lhs` is where the first
    /// element lies and the step to the next; there are as many as rows.
    fn add_rows[T: Ring](out: &mut [T], lhs: (Ptr<T>, isize), rhs: &[T]) = add_rows_body[T]
}

#[inline(always)]
fn add_rows_body<T: Ring>(out: &mut [T], (lhs, step): (Ptr<T>, isize), rhs: &[T]) {
    // SAFETY: there is an element of `lhs` for each row of `rhs`.
    let factor = |row: usize| unsafe { *lhs.at(row as isize * step) };
    let columns = out.len();
    let fours = rhs.chunks_exact(4 * columns);
    let rest = fours.remainder();
    let done = rhs.len() / columns / 4 * 4;
    for (four, rows) in fours.enumerate() {
        let at = 4 * four;
        let factors = [factor(at), factor(at + 1), factor(at + 2), factor(at + 3)];
        let (a, rows) = rows.split_at(columns);
        let (b, rows) = rows.split_at(columns);
        let (c, d) = rows.split_at(columns);
        for ((((sum, a), b), c), d) in out.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            // The products of four are added up first: a float's error grows less.
            let low = factors[0].product(*a).sum(factors[1].product(*b));
            let high = factors[2].product(*c).sum(factors[3].product(*d));
            *sum = sum.sum(low.sum(high));
        }
    }
    for (row, values) in rest.chunks_exact(columns).enumerate() {
        let factor = factor(done + row);
        for (sum, value) in out.iter_mut().zip(values) {
            *sum = sum.sum(factor.product(*value));
        }
    }
}
