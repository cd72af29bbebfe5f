//! Short lines with something between them, put one behind the other by whole vectors.

use super::pattern;

/// Copies lines of `extent` lanes of `size` bytes, `pitch` lanes apart, to where they lie one behind the other.
///
/// # Safety
/// Every line can be read at `from`, with what lies between two, and there is room for all at `to`, apart from them.
pub unsafe fn squeeze(
    to: *mut u8,
    from: *const u8,
    (pitch, extent): (usize, usize),
    lines: usize,
    size: usize,
) {
    // SAFETY: the caller's.
    unsafe {
        #[cfg(all(target_arch = "x86_64", feature = "simd"))]
        if extent * size < pattern::LONG_RUN
            && pitch + 16 <= u64::BITS as usize
            && super::super::dispatch::Level::detect() == super::super::dispatch::Level::Avx512
        {
            match size {
                4 => return avx512::squeeze_four(to.cast(), from.cast(), (pitch, extent), lines),
                8 => return avx512::squeeze_eight(to.cast(), from.cast(), (pitch, extent), lines),
                _ => {}
            }
        }
        let run = extent * size;
        let ends = ((to, run as isize), (from.cast_mut(), (pitch * size) as isize));
        pattern::copy_runs(ends.0, ends.1, lines, run);
    }
}

#[cfg(all(target_arch = "x86_64", feature = "simd"))]
mod avx512 {
    use std::arch::x86_64::*;

    use super::super::super::dispatch::with_avx512;

    macro_rules! squeeze {
        ($name:ident: $T:ty, $lanes:literal, $compress:ident, $Mask:ty) => {
            with_avx512! {
                /// See [`super::squeeze`]; one word says which lanes are wanted behind any of a line.
                pub(super) unsafe fn $name(
                    out: *mut $T, from: *const $T, (pitch, extent): (usize, usize), lines: usize,
                ) {
                    const LANES: usize = $lanes;
                    let line = (1u64 << extent) - 1;
                    let wanted = (0..64).step_by(pitch).fold(0, |all, at| all | line << at);
                    let (all, there) = (lines * extent, lines.saturating_sub(1) * pitch + extent);
                    // The place in its line of the next lane.
                    let (mut at, mut done, mut place) = (0, 0, 0);
                    // SAFETY: what is read lies within the lines, and what is written within their room; what is
                    // written behind the lanes of a vector is overwritten by the next ones.
                    unsafe {
                        while at + LANES <= there && done + LANES <= all {
                            let mask = (wanted >> place) as $Mask;
                            let lanes = _mm512_loadu_si512(from.add(at).cast());
                            _mm512_storeu_si512(out.add(done).cast(), $compress(mask, lanes));
                            done += mask.count_ones() as usize;
                            at += LANES;
                            place = (place + LANES) % pitch;
                        }
                        while at < there && done < all {
                            if place < extent {
                                *out.add(done) = *from.add(at);
                                done += 1;
                            }
                            at += 1;
                            place = if place + 1 == pitch { 0 } else { place + 1 };
                        }
                    }
                }
            }
        };
    }

    squeeze!(squeeze_four: u32, 16, _mm512_maskz_compress_epi32, __mmask16);
    squeeze!(squeeze_eight: u64, 8, _mm512_maskz_compress_epi64, __mmask8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_put_one_behind_the_other() {
        for size in [1, 2, 4, 8] {
            for extent in (1..=17).chain([31, 33]) {
                for pitch in [extent, extent + 1, extent + 2, 2 * extent, 47, 48, 49] {
                    for lines in [0, 1, 2, 7, 40] {
                        if pitch < extent {
                            continue;
                        }
                        let from: Vec<u64> =
                            (0..lines * pitch + 8).map(|at| at as u64 * 0x0101_0305_0709).collect();
                        let bytes: Vec<u8> =
                            from.iter().flat_map(|word| word.to_ne_bytes()).collect();
                        let mut to = vec![255u64; lines * extent + 1];
                        // SAFETY: every line is there, and has room.
                        unsafe {
                            squeeze(
                                to.as_mut_ptr().cast(),
                                from.as_ptr().cast(),
                                (pitch, extent),
                                lines,
                                size,
                            );
                        }
                        let found: Vec<u8> =
                            to.iter().flat_map(|word| word.to_ne_bytes()).collect();
                        for line in 0..lines {
                            let run = extent * size;
                            let case =
                                format!("{lines} × {extent} of {pitch}, {size} bytes, line {line}");
                            assert_eq!(
                                found[line * run..][..run],
                                bytes[line * pitch * size..][..run],
                                "{case}"
                            );
                        }
                        let behind = &found[lines * extent * size..][..8];
                        assert_eq!(
                            behind,
                            255u64
                                .to_ne_bytes()
                                .iter()
                                .cycle()
                                .skip(lines * extent * size % 8)
                                .take(8)
                                .copied()
                                .collect::<Vec<u8>>()
                        );
                    }
                }
            }
        }
    }
}
