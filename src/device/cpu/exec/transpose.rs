//! Turning tiles whose columns are dense in an operand into dense lanes, row by row.

/// Rows and columns of the pieces in which a tile is turned: a piece's rows are a whole line of
/// float32, which is read once although the next column is far away.
pub(super) const PIECE: usize = 16;

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
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    let vectors = size_of::<T>() == 4 && super::super::dispatch::Level::Avx2.is_available();
    for row in (0..rows).step_by(PIECE) {
        for column in (0..columns).step_by(PIECE) {
            let (height, width) = (PIECE.min(rows - row), PIECE.min(columns - column));
            // SAFETY: the caller vouches for every (row, column) of the tile, and the vectors are
            // there if they are used.
            unsafe {
                let from = from.offset(column as isize * across).cast::<T>().add(row);
                let lanes = lanes.add(row * columns + column);
                #[cfg(all(target_arch = "x86_64", feature = "simd"))]
                if vectors && height == PIECE && width == PIECE {
                    for corner in [0, 8] {
                        let from = from.byte_offset(corner as isize * across);
                        turn_eight(lanes.add(corner).cast(), columns, from.cast(), across);
                        let (lanes, from) = (lanes.add(corner + 8 * columns), from.add(8));
                        turn_eight(lanes.cast(), columns, from.cast(), across);
                    }
                    continue;
                }
                for c in 0..width {
                    let from = from.byte_offset(c as isize * across);
                    for r in 0..height {
                        *lanes.add(r * columns + c) = *from.add(r);
                    }
                }
            }
        }
    }
}

/// Turns eight columns of eight in registers: pairs of lanes, pairs of pairs, halves.
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
#[target_feature(enable = "avx2")]
unsafe fn turn_eight(lanes: *mut f32, columns: usize, from: *const f32, across: isize) {
    use std::arch::x86_64::*;

    #[target_feature(enable = "avx2")]
    fn pairs<const HIGH: bool>(a: __m256, b: __m256) -> __m256 {
        let (a, b) = (_mm256_castps_pd(a), _mm256_castps_pd(b));
        _mm256_castpd_ps(if HIGH { _mm256_unpackhi_pd(a, b) } else { _mm256_unpacklo_pd(a, b) })
    }
    // SAFETY: the caller vouches for eight columns of eight, and for eight rows of lanes.
    unsafe {
        let column = |c: isize| _mm256_loadu_ps(from.byte_offset(c * across));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_of_every_size_are_turned() {
        fn check<T: Copy + PartialEq + std::fmt::Debug>(of: impl Fn(usize) -> T) {
            let stride = 67;
            let source: Vec<T> = (0..40 * stride).map(of).collect();
            for (rows, columns) in [(1, 1), (16, 16), (33, 40), (64, 32), (17, 15), (48, 8)] {
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
