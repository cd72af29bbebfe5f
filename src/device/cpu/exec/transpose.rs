//! Turning tiles whose columns are dense in an operand into dense lanes, row by row.

/// The side of the squares in which a tile of lanes of `size` bytes is turned.
pub(super) const fn side(size: usize) -> usize {
    match size {
        1 => 16,
        2 | 4 => 8,
        _ => 4,
    }
}

/// Loads a tile: lane (r, c) is at `r · size + c · across`.
///
/// # Safety
/// Every (row, column) of the tile lies in the operand's storage, aligned to its size; `lanes` has
/// room for all.
pub unsafe fn transpose<T: Copy>(
    lanes: *mut T,
    from: *const u8,
    rows: usize,
    columns: usize,
    across: isize,
) {
    let side = side(size_of::<T>());
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    if rows >= side
        && columns >= side
        && (size_of::<T>() < 4 || super::super::dispatch::Level::Avx2.is_available())
    {
        let turn: unsafe fn(*mut u8, usize, *const u8, isize) = match size_of::<T>() {
            1 => turned::sixteen,
            2 => turned::eight_short,
            4 => turned::eight,
            _ => turned::four,
        };
        for row in (0..rows).step_by(side) {
            for column in (0..columns).step_by(side) {
                // The last ones reach back over lanes that have been turned.
                let (row, column) = (row.min(rows - side), column.min(columns - side));
                // SAFETY: the caller vouches for every (row, column) of the tile, and the vectors are there.
                unsafe {
                    let from = from.offset(column as isize * across).cast::<T>().add(row);
                    turn(lanes.add(row * columns + column).cast(), columns, from.cast(), across);
                }
            }
        }
        return;
    }
    for first in (0..rows).step_by(side) {
        for column in 0..columns {
            // SAFETY: the caller's.
            unsafe {
                let from = from.offset(column as isize * across).cast::<T>();
                for row in first..rows.min(first + side) {
                    *lanes.add(row * columns + column) = *from.add(row);
                }
            }
        }
    }
}

/// Squares that are turned in registers: pairs of lanes, pairs of pairs, and so on. Each takes the address of its
/// first lane, how many lanes lie from row to row, its first column, and how many bytes lie from column to column.
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
mod turned {
    use std::arch::x86_64::*;

    /// Registers of one half beside those of the other: of 2n columns the lanes that `low` and `high` weave of
    /// column k and k + n become 2k and 2k + 1.
    #[inline(always)]
    fn woven<const N: usize>(
        columns: [__m128i; N],
        low: impl Fn(__m128i, __m128i) -> __m128i,
        high: impl Fn(__m128i, __m128i) -> __m128i,
    ) -> [__m128i; N] {
        let mut out = columns;
        for at in 0..N / 2 {
            out[2 * at] = low(columns[at], columns[at + N / 2]);
            out[2 * at + 1] = high(columns[at], columns[at + N / 2]);
        }
        out
    }

    /// Sixteen columns of sixteen bytes. Woven with the column half of all further on, as many times as there are
    /// bits in a column's number, they are rows.
    pub(super) unsafe fn sixteen(lanes: *mut u8, columns: usize, from: *const u8, across: isize) {
        // SAFETY: the caller vouches for sixteen columns of sixteen, and for as many rows of lanes; every processor
        // of the architecture has the instructions.
        unsafe {
            let column = |at: usize| _mm_loadu_si128(from.offset(at as isize * across).cast());
            let mut all: [__m128i; 16] = std::array::from_fn(column);
            for _ in 0..4 {
                all = woven(all, |a, b| _mm_unpacklo_epi8(a, b), |a, b| _mm_unpackhi_epi8(a, b));
            }
            for (row, all) in all.iter().enumerate() {
                _mm_storeu_si128(lanes.add(row * columns).cast(), *all);
            }
        }
    }

    /// Eight columns of eight lanes of two bytes.
    pub(super) unsafe fn eight_short(
        lanes: *mut u8,
        columns: usize,
        from: *const u8,
        across: isize,
    ) {
        // SAFETY: as above, of eight columns of eight.
        unsafe {
            let column = |at: usize| _mm_loadu_si128(from.offset(at as isize * across).cast());
            let mut all: [__m128i; 8] = std::array::from_fn(column);
            for _ in 0..3 {
                all = woven(all, |a, b| _mm_unpacklo_epi16(a, b), |a, b| _mm_unpackhi_epi16(a, b));
            }
            for (row, all) in all.iter().enumerate() {
                _mm_storeu_si128(lanes.add(2 * row * columns).cast(), *all);
            }
        }
    }

    /// Eight columns of eight lanes of four bytes.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn eight(lanes: *mut u8, columns: usize, from: *const u8, across: isize) {
        #[target_feature(enable = "avx2")]
        fn pairs<const HIGH: bool>(a: __m256, b: __m256) -> __m256 {
            let (a, b) = (_mm256_castps_pd(a), _mm256_castps_pd(b));
            _mm256_castpd_ps(if HIGH { _mm256_unpackhi_pd(a, b) } else { _mm256_unpacklo_pd(a, b) })
        }
        let lanes = lanes.cast::<f32>();
        // SAFETY: the caller vouches for eight columns of eight, and for eight rows of lanes.
        unsafe {
            let column = |c: isize| _mm256_loadu_ps(from.offset(c * across).cast());
            let (mut low, mut high) = ([_mm256_setzero_ps(); 4], [_mm256_setzero_ps(); 4]);
            for half in 0..2 {
                let at = 4 * half as isize;
                let columns = [column(at), column(at + 1), column(at + 2), column(at + 3)];
                let [a, b, c, d] = columns;
                let (ab, cd) = (_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d));
                let (ab_high, cd_high) = (_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d));
                let quads = [
                    pairs::<false>(ab, cd),
                    pairs::<true>(ab, cd),
                    pairs::<false>(ab_high, cd_high),
                    pairs::<true>(ab_high, cd_high),
                ];
                if half == 0 { low = quads } else { high = quads }
            }
            for row in 0..4 {
                let (left, right) = (low[row], high[row]);
                let upper = _mm256_permute2f128_ps::<0x20>(left, right);
                let lower = _mm256_permute2f128_ps::<0x31>(left, right);
                _mm256_storeu_ps(lanes.add(row * columns), upper);
                _mm256_storeu_ps(lanes.add((row + 4) * columns), lower);
            }
        }
    }

    /// Four columns of four lanes of eight bytes.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn four(lanes: *mut u8, columns: usize, from: *const u8, across: isize) {
        let lanes = lanes.cast::<f64>();
        // SAFETY: as above, of four columns of four.
        unsafe {
            let column = |c: isize| _mm256_loadu_pd(from.offset(c * across).cast());
            let (a, b, c, d) = (column(0), column(1), column(2), column(3));
            let even = (_mm256_unpacklo_pd(a, b), _mm256_unpacklo_pd(c, d));
            let odd = (_mm256_unpackhi_pd(a, b), _mm256_unpackhi_pd(c, d));
            let rows = [
                _mm256_permute2f128_pd::<0x20>(even.0, even.1),
                _mm256_permute2f128_pd::<0x20>(odd.0, odd.1),
                _mm256_permute2f128_pd::<0x31>(even.0, even.1),
                _mm256_permute2f128_pd::<0x31>(odd.0, odd.1),
            ];
            for (row, all) in rows.iter().enumerate() {
                _mm256_storeu_pd(lanes.add(row * columns), *all);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_of_every_size_are_turned() {
        fn check<T: Copy + PartialEq + std::fmt::Debug>(of: impl Fn(usize) -> T) {
            let stride = 67;
            let source: Vec<T> = (0..40 * stride).map(of).collect();
            for (rows, columns) in [
                (1, 1),
                (3, 4),
                (4, 5),
                (8, 9),
                (16, 16),
                (33, 40),
                (64, 32),
                (17, 15),
                (15, 18),
                (48, 8),
            ] {
                let mut lanes = vec![source[0]; rows * columns];
                let across = (stride * size_of::<T>()) as isize;
                // SAFETY: at most 67 rows of 40 columns lie in the source, and the lanes have room.
                unsafe {
                    transpose(lanes.as_mut_ptr(), source.as_ptr().cast(), rows, columns, across);
                }
                for (at, lane) in lanes.iter().enumerate() {
                    assert_eq!(*lane, source[at / columns + at % columns * stride]);
                }
            }
        }
        check(|at| at as u8);
        check(|at| at as u16);
        check(|at| at as u32);
        check(|at| at as u64);
    }
}
