//! Products of dense rows and a vector, or of a few columns, with vectors of 512 bits.
//!
//! Each result has a vector of its own: a row's elements times a column's. Up to sixteen of them are made beside each
//! other, and their halves are joined until each is one lane, so that a short row costs little more than its reading.

use std::arch::x86_64::*;
use std::ops::Range;

use super::blocked::Ring;
use super::gemm::Float;
use super::vector::DEEP;
use super::{ALONE, Context, Matrix, Product, even_piece, small};
use crate::device::Error;
use crate::device::cpu::dispatch::{Level, with_avx512};
use crate::device::cpu::elements::{INLINE, Ptr, for_pieces, meets};

/// Results that are made beside each other, at most.
pub const TOGETHER: usize = 16;

/// Vectors of a row from which on as many sums cost less than lanes that stay empty.
const LONG: usize = 4;

/// Lanes of a vector: as many rows' products by one column are made beside each other.
pub(super) const fn height<T>() -> usize {
    64 / size_of::<T>()
}

/// Whether [`multiply`] does such products: those of columns that fill no vectors side by side.
pub(super) fn takes<T: Ring>(product: &Product<T>) -> bool {
    let Product { lhs, rows, columns, depth, .. } = *product;
    // Those beyond sixteen may fill half a vector more.
    let most = small::COLUMNS + height::<T>() / 2;
    let is_odd = columns != small::COLUMNS && columns <= most;
    let is_good = columns <= small::NARROW || is_odd && depth >= LONG * height::<T>();
    // What is packed of the right matrix stays small.
    let has_room = rows >= TOGETHER && depth <= DEEP;
    T::HAS_FUSED && is_good && has_room && lhs.column == 1 && is_available()
}

/// The product, or the turned one, that [`multiply`] does in place of a product. Of a turned one each result is written by
/// itself, which short sums are not worth.
pub(super) fn way<T: Ring>(product: &Product<T>) -> Option<Product<T>> {
    let turned = product.turned();
    let is_worth_it = product.depth >= LONG * height::<T>();
    match takes(product) {
        true => Some(product.stepped([0; 3])),
        false => (is_worth_it && takes(&turned)).then_some(turned),
    }
}

/// Whether it is a matrix of dense rows by a dense vector.
pub(super) fn takes_vector<T: Ring>(product: &Product<T>) -> bool {
    let Product { lhs, rhs, columns, .. } = *product;
    T::HAS_FUSED && columns == 1 && (lhs.column, rhs.row) == (1, 1) && is_available()
}

/// Does products of a range, which `product` gives by their numbers, and which [`takes_vector`] takes.
pub(super) fn multiply_vectors<T: Ring>(
    range: Range<usize>,
    product: &dyn Fn(usize) -> Product<T>,
) {
    for number in range {
        let product = product(number);
        // SAFETY: the processor has the instructions, and the results are this call's alone.
        unsafe { make_rows(&product, 0..product.rows) };
    }
}

/// Whether the processor has what the functions here want.
pub(super) fn is_available() -> bool {
    Level::detect() == Level::Avx512
}

/// A product that [`takes`] has taken, in pieces of rows that threads share.
pub(super) fn multiply<T: Float>(
    product: &Product<T>,
    parallel: bool,
    context: Context<'_>,
) -> Result<(), Error> {
    let Product { rhs, rows, .. } = *product;
    let packed = context.scratch.buffer(scratch_len(product))?;
    let rhs = match rhs.row {
        1 => rhs,
        // SAFETY: the matrix has these elements, and there is room for them.
        _ => unsafe { pack(packed.start(), product) },
    };
    let product = Product { rhs, ..*product };
    let work = product.work();
    let piece = match parallel && work * size_of::<T>() > ALONE {
        true => even_piece(rows, work.div_ceil(INLINE), TOGETHER),
        false => rows,
    };
    for_pieces(rows, piece, context.interrupt, &|_, range| {
        // SAFETY: the processor has the instructions, columns are dense now, and nobody else has these rows.
        unsafe { make_rows(&product, range) };
        Ok(())
    })
}

/// Elements of a right matrix whose columns are not dense, and are copied.
pub(super) fn scratch_len<T>(product: &Product<T>) -> usize {
    if product.rhs.row == 1 { 0 } else { stride(product.depth) * product.columns }
}

/// From column to column of what is copied. There is a line of memory between them: in a cache they would push each other
/// out where they lie a power of two apart.
const fn stride(depth: usize) -> usize {
    depth.next_multiple_of(TOGETHER) + TOGETHER
}

/// The right matrix, copied to have dense columns.
unsafe fn pack<T: Ring>(start: Ptr<T>, product: &Product<T>) -> Matrix<T> {
    let Product { rhs, columns, depth, .. } = *product;
    let packed = Matrix { start, row: 1, column: stride(depth) as isize };
    for first in (0..depth).step_by(TOGETHER) {
        for column in 0..columns {
            let (mut to, mut from) = (packed.at(first, column), rhs.at(first, column));
            for _ in first..depth.min(first + TOGETHER) {
                // SAFETY: the caller's.
                unsafe { *to = *from };
                (to, from) = (to.wrapping_add(1), from.wrapping_offset(rhs.row));
            }
        }
    }
    packed
}

/// Writes some rows of a product of floats whose left matrix has dense rows and whose right one has dense columns.
///
/// # Safety
/// The processor has what [`is_available`] asks for, and nobody else has these rows of the result.
pub(super) unsafe fn make_rows<T: Ring>(product: &Product<T>, rows: Range<usize>) {
    assert!(T::HAS_FUSED, "floats alone");
    // SAFETY: the caller's; floats with fused products have four bytes or eight.
    unsafe {
        match size_of::<T>() {
            4 => floats::make_rows(&cast(product), rows),
            _ => doubles::make_rows(&cast(product), rows),
        }
    }
}

fn cast<T, U>(product: &Product<T>) -> Product<U> {
    let Product { lhs, rhs, out, rows, columns, depth } = *product;
    let cast =
        |it: Matrix<T>| Matrix { start: Ptr(it.start.0.cast()), row: it.row, column: it.column };
    Product { lhs: cast(lhs), rhs: cast(rhs), out: cast(out), rows, columns, depth }
}

/// A kernel for one type: its vector, the mask of one, and the instructions.
macro_rules! kernel {
    (
        $type:ty, $vector:ty, $mask:ty, $zero:ident, $load:ident, $load_some:ident, $add_product:ident
    ) => {
        const LANES: usize = height::<$type>();

        with_avx512! {
            pub(super) unsafe fn make_rows(product: &Product<$type>, rows: Range<usize>) {
                let mut column = 0;
                while column < product.columns {
                    // SAFETY: the caller's; there are so many columns.
                    column += unsafe {
                        match product.columns - column {
                            // Rows that begin at one place of the cache, each of which needs two lines of it at a time.
                            1 if meets(product.lhs.row * size_of::<$type>() as isize) => {
                                columns::<4, 1>(product, rows.clone(), column)
                            }
                            1 => columns::<LANES, 1>(product, rows.clone(), column),
                            2 => columns::<8, 2>(product, rows.clone(), column),
                            3 => columns::<5, 3>(product, rows.clone(), column),
                            _ => columns::<4, 4>(product, rows.clone(), column),
                        }
                    };
                }
            }
        }

        with_avx512! {
            /// Some columns of the rows; gives how many. As many rows at a time as the first parameter says.
            #[inline]
            unsafe fn columns<const HEIGHT: usize, const WIDTH: usize>(
                product: &Product<$type>,
                rows: Range<usize>,
                column: usize,
            ) -> usize {
                let mut row = rows.start;
                while row < rows.end {
                    // The last rows reach back over some that are made again.
                    if rows.end - row < HEIGHT && rows.len() > HEIGHT {
                        row = rows.end - HEIGHT;
                    }
                    // SAFETY: the caller's, here and below; the results lie in `out` row by row.
                    unsafe {
                        let count = HEIGHT.min(rows.end - row);
                        let made = if count == HEIGHT {
                            tile::<HEIGHT, WIDTH, true>(product, row, column, count)
                        } else {
                            tile::<HEIGHT, WIDTH, false>(product, row, column, count)
                        };
                        let made = std::mem::transmute::<[$vector; TOGETHER / LANES], [$type; TOGETHER]>(made);
                        if product.out.column != 1 {
                            for at in 0..count * WIDTH {
                                let (down, across) = (at / WIDTH, at % WIDTH);
                                *product.out.at(row + down, column + across) = made[at];
                            }
                        } else if product.out.row == WIDTH as isize && count == HEIGHT {
                            let out = product.out.at(row, 0);
                            std::ptr::copy_nonoverlapping(made.as_ptr(), out, HEIGHT * WIDTH);
                        } else {
                            for down in 0..count {
                                let out = product.out.at(row + down, column);
                                let made = made.as_ptr().add(down * WIDTH);
                                std::ptr::copy_nonoverlapping(made, out, WIDTH);
                            }
                        }
                    }
                    row += HEIGHT;
                }
                WIDTH
            }
        }

        with_avx512! {
            /// The results of `count` rows by some columns, row by row.
            #[inline]
            unsafe fn tile<const HEIGHT: usize, const WIDTH: usize, const IS_WHOLE: bool>(
                product: &Product<$type>,
                row: usize,
                column: usize,
                count: usize,
            ) -> [$vector; TOGETHER / LANES] {
                let Product { depth, .. } = *product;
                let (lhs, rhs) = (product.lhs.from(row, 0), product.rhs.from(0, column));
                let mut sums = [$zero(); TOGETHER];
                let mut at = 0;
                // SAFETY: the matrices have these elements; where a mask has no lane, nothing is read.
                unsafe {
                    // Whole vectors without a mask take up to a fifth less.
                    while IS_WHOLE && at + LANES <= depth {
                        let mut others = [$zero(); WIDTH];
                        for (across, other) in others.iter_mut().enumerate() {
                            *other = $load(rhs.at(at, across));
                        }
                        for down in 0..HEIGHT {
                            let lanes = $load(lhs.at(down, at));
                            for across in 0..WIDTH {
                                let sum = &mut sums[down * WIDTH + across];
                                *sum = $add_product(lanes, others[across], *sum);
                            }
                        }
                        at += LANES;
                    }
                    while at < depth {
                        let mask = <$mask>::MAX >> (LANES - LANES.min(depth - at));
                        let mut others = [$zero(); WIDTH];
                        for (across, other) in others.iter_mut().enumerate() {
                            *other = $load_some(mask, rhs.at(at, across));
                        }
                        for down in 0..HEIGHT {
                            let mask = if IS_WHOLE || down < count { mask } else { 0 };
                            let lanes = $load_some(mask, lhs.at(down, at));
                            for across in 0..WIDTH {
                                let sum = &mut sums[down * WIDTH + across];
                                *sum = $add_product(lanes, others[across], *sum);
                            }
                        }
                        at += LANES;
                    }
                    joined(&mut sums)
                }
            }
        }
    };
}

mod floats {
    use super::*;

    kernel!(
        f32,
        __m512,
        u16,
        _mm512_setzero_ps,
        _mm512_loadu_ps,
        _mm512_maskz_loadu_ps,
        _mm512_fmadd_ps
    );

    with_avx512! {
        /// What each vector comes to.
        #[inline]
        fn joined(sums: &mut [__m512; TOGETHER]) -> [__m512; 1] {
            for at in 0..8 {
                let (a, b) = (sums[at], sums[at + 8]);
                let low = _mm512_shuffle_f32x4::<0b01_00_01_00>(a, b);
                sums[at] = _mm512_add_ps(low, _mm512_shuffle_f32x4::<0b11_10_11_10>(a, b));
            }
            for at in 0..4 {
                let (a, b) = (sums[at], sums[at + 4]);
                let low = _mm512_shuffle_f32x4::<0b10_00_10_00>(a, b);
                sums[at] = _mm512_add_ps(low, _mm512_shuffle_f32x4::<0b11_01_11_01>(a, b));
            }
            for at in 0..2 {
                let (a, b) = (sums[at], sums[at + 2]);
                let low = _mm512_shuffle_ps::<0b01_00_01_00>(a, b);
                sums[at] = _mm512_add_ps(low, _mm512_shuffle_ps::<0b11_10_11_10>(a, b));
            }
            let low = _mm512_shuffle_ps::<0b10_00_10_00>(sums[0], sums[1]);
            let sum = _mm512_add_ps(low, _mm512_shuffle_ps::<0b11_01_11_01>(sums[0], sums[1]));
            let places = _mm512_setr_epi32(0, 2, 1, 3, 8, 10, 9, 11, 4, 6, 5, 7, 12, 14, 13, 15);
            [_mm512_permutexvar_ps(places, sum)]
        }
    }
}

mod doubles {
    use super::*;

    kernel!(
        f64,
        __m512d,
        u8,
        _mm512_setzero_pd,
        _mm512_loadu_pd,
        _mm512_maskz_loadu_pd,
        _mm512_fmadd_pd
    );

    with_avx512! {
        /// What each vector comes to.
        #[inline]
        fn joined(sums: &mut [__m512d; TOGETHER]) -> [__m512d; 2] {
            let (first, last) = sums.split_at_mut(8);
            [joined_eight(first), joined_eight(last)]
        }
    }

    with_avx512! {
        #[inline]
        fn joined_eight(sums: &mut [__m512d]) -> __m512d {
            for at in 0..4 {
                let (a, b) = (sums[at], sums[at + 4]);
                let low = _mm512_shuffle_f64x2::<0b01_00_01_00>(a, b);
                sums[at] = _mm512_add_pd(low, _mm512_shuffle_f64x2::<0b11_10_11_10>(a, b));
            }
            for at in 0..2 {
                let (a, b) = (sums[at], sums[at + 2]);
                let low = _mm512_shuffle_f64x2::<0b10_00_10_00>(a, b);
                sums[at] = _mm512_add_pd(low, _mm512_shuffle_f64x2::<0b11_01_11_01>(a, b));
            }
            let low = _mm512_unpacklo_pd(sums[0], sums[1]);
            let sum = _mm512_add_pd(low, _mm512_unpackhi_pd(sums[0], sums[1]));
            _mm512_permutexvar_pd(_mm512_setr_epi64(0, 1, 4, 5, 2, 3, 6, 7), sum)
        }
    }
}
