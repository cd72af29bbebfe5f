//! The patterns in vectors of 64 bytes.

use std::arch::x86_64::*;

use super::super::super::dispatch::with_avx512;

/// A lane that is repeated more often is written by itself: that many permutations would be made for few of them.
const MOST_PERMUTED: usize = 8;

/// Permutations of bytes are an extension of their own.
macro_rules! with_bytes {
    ($function:item) => {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
        $function
    };
}

macro_rules! of_size {
    ($with:ident, $name:ident: $T:ty, $lanes:literal, $permute:ident, $merge:ident, $splat:ident, $test:ident, $Mask:ty) => {
        pub(super) mod $name {
            use super::*;

            const LANES: usize = $lanes;

            /// A vector of lanes' numbers, or of their bits.
            #[inline(always)]
            fn vector(lanes: [$T; LANES]) -> __m512i {
                // SAFETY: both are 64 bytes, any of which is good in either.
                unsafe { std::mem::transmute::<[$T; LANES], __m512i>(lanes) }
            }

            /// For each number of times from one on the lanes from which each lane is repeated, vector by vector: made
            /// once, because a division for each lane costs more than a block's vectors.
            const REPEATED: &[[[$T; LANES]; MOST_PERMUTED]; MOST_PERMUTED] = &repeated();

            const fn repeated() -> [[[$T; LANES]; MOST_PERMUTED]; MOST_PERMUTED] {
                let mut all = [[[0; LANES]; MOST_PERMUTED]; MOST_PERMUTED];
                let mut at = 0;
                while at < MOST_PERMUTED * MOST_PERMUTED * LANES {
                    let (times, place) = (at / (MOST_PERMUTED * LANES), at % (MOST_PERMUTED * LANES));
                    all[times][place / LANES][place % LANES] = (place / (times + 1) % LANES) as $T;
                    at += 1;
                }
                all
            }

            /// The lanes from which those of `ROWS` rows in turn come, and which vectors have them from which row.
            const fn woven<const ROWS: usize>() -> ([[$T; LANES]; ROWS], [[$Mask; ROWS]; ROWS]) {
                let (mut places, mut masks) = ([[0; LANES]; ROWS], [[0; ROWS]; ROWS]);
                let mut at = 0;
                while at < ROWS * LANES {
                    places[at / LANES][at % LANES] = (at / ROWS) as $T;
                    masks[at / LANES][at % ROWS] |= 1 << (at % LANES);
                    at += 1;
                }
                (places, masks)
            }

            $with! {
                /// See [`super::super::repeat`].
                pub(in super::super) unsafe fn repeat(
                    out: *mut $T, from: *const $T, n: usize, times: usize,
                ) {
                    let mut at = 0;
                    // SAFETY: vectors are read and written within the lanes that the caller vouches
                    // for; what is written beyond a lane's own place is overwritten by the next one.
                    unsafe {
                        if times <= MOST_PERMUTED {
                            let mut places = [_mm512_setzero_si512(); MOST_PERMUTED];
                            if let Some(repeated) = REPEATED.get(times.wrapping_sub(1)) {
                                places = repeated.map(vector);
                            }
                            while at + LANES <= n {
                                let lanes = _mm512_loadu_si512(from.add(at).cast());
                                let out = out.add(at * times);
                                for (number, places) in places[..times].iter().enumerate() {
                                    let repeated = $permute(*places, lanes);
                                    _mm512_storeu_si512(out.add(number * LANES).cast(), repeated);
                                }
                                at += LANES;
                            }
                        } else {
                            let vectors = times.div_ceil(LANES);
                            while at * times + vectors * LANES <= n * times {
                                let lanes = $splat(*from.add(at) as _);
                                let out = out.add(at * times);
                                for number in 0..vectors {
                                    _mm512_storeu_si512(out.add(number * LANES).cast(), lanes);
                                }
                                at += 1;
                            }
                        }
                        while at < n {
                            let out = std::slice::from_raw_parts_mut(out.add(at * times), times);
                            out.fill(*from.add(at));
                            at += 1;
                        }
                    }
                }
            }

            $with! {
                /// See [`super::super::weave`].
                pub(in super::super) unsafe fn weave<const ROWS: usize>(
                    out: *mut $T, from: [*const $T; ROWS], n: usize,
                ) {
                    let (places, masks) = const { &woven::<ROWS>() };
                    let places = (*places).map(vector);
                    let mut at = 0;
                    // SAFETY: whole vectors are read and written within the lanes that the caller vouches for.
                    unsafe {
                        while at + LANES <= n {
                            let rows = from.map(|row| _mm512_loadu_si512(row.add(at).cast()));
                            for number in 0..ROWS {
                                let places = places[number];
                                let mut lanes = $permute(places, rows[0]);
                                for row in 1..ROWS {
                                    lanes = $merge(lanes, masks[number][row], places, rows[row]);
                                }
                                _mm512_storeu_si512(out.add(at * ROWS + number * LANES).cast(), lanes);
                            }
                            at += LANES;
                        }
                        while at < n {
                            out.add(at * ROWS).cast::<[$T; ROWS]>().write(from.map(|row| *row.add(at)));
                            at += 1;
                        }
                    }
                }
            }

            /// The lanes of two vectors that the one or the other of two rows has, which lie there in turn.
            const UNWOVEN: ([[$T; LANES]; 2], $Mask) = {
                let (mut places, mut second) = ([[0; LANES]; 2], 0);
                let mut at = 0;
                while at < LANES {
                    places[0][at] = (2 * at % LANES) as $T;
                    places[1][at] = ((2 * at + 1) % LANES) as $T;
                    second |= ((2 * at >= LANES) as $Mask) << at;
                    at += 1;
                }
                (places, second)
            };

            $with! {
                /// See [`super::super::unweave`].
                pub(in super::super) unsafe fn unweave(out: [*mut $T; 2], from: *const $T, n: usize) {
                    let (places, second) = (UNWOVEN.0.map(vector), UNWOVEN.1);
                    let mut at = 0;
                    // SAFETY: whole vectors are read and written within the lanes that the caller vouches for.
                    unsafe {
                        while at + LANES <= n {
                            let from = from.add(2 * at);
                            let before = _mm512_loadu_si512(from.cast());
                            let behind = _mm512_loadu_si512(from.add(LANES).cast());
                            for row in 0..2 {
                                let lanes = $permute(places[row], before);
                                let lanes = $merge(lanes, second, places[row], behind);
                                _mm512_storeu_si512(out[row].add(at).cast(), lanes);
                            }
                            at += LANES;
                        }
                        while at < n {
                            for row in 0..2 {
                                *out[row].add(at) = *from.add(2 * at + row);
                            }
                            at += 1;
                        }
                    }
                }
            }

            /// For each length of runs that lie one behind the other, the run of each lane: a division for each lane would
            /// cost more than the vectors of a line.
            const RUNS: &[[$T; LANES]; LANES] = &runs();

            const fn runs() -> [[$T; LANES]; LANES] {
                let mut all = [[0; LANES]; LANES];
                let mut at = 0;
                while at < LANES * LANES {
                    all[at / LANES][at % LANES] = (at % LANES / (at / LANES + 1)) as $T;
                    at += 1;
                }
                all
            }

            $with! {
                /// See [`super::super::squeeze`]; distances count lanes. Gives the rows that are done.
                pub(in super::super) unsafe fn squeeze(
                    out: *mut $T, from: *const $T, (pitch, across): (isize, isize), rows: usize, run: usize,
                ) -> usize {
                    let span = (run - 1) * across.unsigned_abs() + 1;
                    // As many runs as two vectors have, and as one has room for.
                    let together = match (2 * LANES).checked_sub(span) {
                        Some(left) => (LANES / run).min(left / pitch.unsigned_abs() + 1),
                        None => 0,
                    };
                    if together == 0 {
                        return 0;
                    }
                    let reach = (together - 1) * pitch.unsigned_abs();
                    let vectors = (reach + span).div_ceil(LANES);
                    // Lanes beyond these runs come from anywhere within the vectors.
                    let first = if pitch < 0 { reach } else { 0 } + if across < 0 { span - 1 } else { 0 };
                    let places = RUNS[run - 1].iter().enumerate().map(|(lane, number)| {
                        let within = (lane as $T).wrapping_sub(number.wrapping_mul(run as $T));
                        let of_run = number.wrapping_mul(pitch as $T);
                        (first as $T).wrapping_add(of_run).wrapping_add(within.wrapping_mul(across as $T))
                    });
                    let mut all = [0; LANES];
                    all.iter_mut().zip(places).for_each(|(own, place)| *own = place);
                    let places = vector(all);
                    let second = $test(places, $splat(LANES as _));
                    // What lies behind several runs that go backwards are those before them.
                    let before = match pitch < 0 {
                        true => (vectors * LANES).saturating_sub(span).div_ceil(pitch.unsigned_abs()),
                        false => 0,
                    };
                    let mut row = before.saturating_sub(together - 1).min(rows);
                    // SAFETY: vectors are read between the first and the last lane that the caller vouches for, and
                    // written within as many; what is written beyond whole runs is overwritten by the next ones.
                    unsafe {
                        for row in 0..row {
                            for at in 0..run {
                                let lane = row as isize * pitch + at as isize * across;
                                *out.add(row * run + at) = *from.offset(lane);
                            }
                        }
                        let from = if across < 0 { from.sub(span - 1) } else { from };
                        let has_lanes = |row: usize| {
                            let is_behind = match pitch < 0 {
                                true => row + together <= rows,
                                false => (rows - row - 1) * pitch as usize + span >= vectors * LANES,
                            };
                            (rows - row) * run >= LANES && is_behind
                        };
                        while row < rows && has_lanes(row) {
                            let lowest = if pitch < 0 { row + together - 1 } else { row };
                            let from = from.offset(lowest as isize * pitch);
                            let mut lanes = $permute(places, _mm512_loadu_si512(from.cast()));
                            if vectors > 1 {
                                let behind = _mm512_loadu_si512(from.add(LANES).cast());
                                lanes = $merge(lanes, second, places, behind);
                            }
                            _mm512_storeu_si512(out.add(row * run).cast(), lanes);
                            row += together;
                        }
                    }
                    row
                }
            }
            $with! {
                /// See [`super::super::pick_rows`]; distances count lanes.
                pub(in super::super) unsafe fn pick(
                    out: *mut $T, from: *const $T, (down, step): (isize, isize), rows: usize, n: usize,
                ) {
                    let apart = step.unsigned_abs();
                    // Of a short row the masks would cost more than its lanes.
                    let is_wide = n > LANES && (1..=LANES / 2).contains(&apart);
                    let span = LANES * apart;
                    let place = |lane: usize| match step > 0 {
                        true => lane * apart,
                        false => span - 1 - lane * apart,
                    };
                    let mut places = _mm512_setzero_si512();
                    let mut masks: [$Mask; LANES / 2] = [0; LANES / 2];
                    if is_wide {
                        places = vector(std::array::from_fn(|lane| (place(lane) % LANES) as $T));
                        // The lanes that lie in each vector of the span follow one another.
                        let until = |end: usize| match step > 0 {
                            true => end.div_ceil(apart),
                            false => (span + apart - 1 - end) / apart,
                        };
                        let ones = |lanes: usize| <$Mask>::MAX.checked_shr((LANES - lanes) as u32).unwrap_or(0);
                        for (number, mask) in masks[..apart].iter_mut().enumerate() {
                            *mask = ones(until(number * LANES)) ^ ones(until((number + 1) * LANES));
                        }
                    }
                    for row in 0..rows {
                        let mut at = 0;
                        // SAFETY: a whole span of lanes is read only where another lane follows behind it,
                        // so that it lies within the lanes that the caller vouches for.
                        unsafe {
                            let (out, from) = (out.add(row * n), from.offset(row as isize * down));
                            while is_wide && at + 1 < n {
                                // The last vector but for one lane reaches back over lanes that are done.
                                at = at.min(n - 1 - LANES);
                                let from = from.offset(at as isize * step);
                                let from = if step > 0 { from } else { from.sub(span - 1) };
                                let mut lanes = _mm512_setzero_si512();
                                for (number, mask) in masks[..apart].iter().enumerate() {
                                    let some = _mm512_loadu_si512(from.add(number * LANES).cast());
                                    lanes = $merge(lanes, *mask, places, some);
                                }
                                _mm512_storeu_si512(out.add(at).cast(), lanes);
                                at += LANES;
                            }
                            while at < n {
                                *out.add(at) = *from.offset(at as isize * step);
                                at += 1;
                            }
                        }
                    }
                }
            }
        }
    };
}

of_size!(with_bytes, of_one: u8, 64, _mm512_permutexvar_epi8, _mm512_mask_permutexvar_epi8, _mm512_set1_epi8, _mm512_test_epi8_mask, __mmask64);
of_size!(with_avx512, of_two: u16, 32, _mm512_permutexvar_epi16, _mm512_mask_permutexvar_epi16, _mm512_set1_epi16, _mm512_test_epi16_mask, __mmask32);
of_size!(with_avx512, of_four: u32, 16, _mm512_permutexvar_epi32, _mm512_mask_permutexvar_epi32, _mm512_set1_epi32, _mm512_test_epi32_mask, __mmask16);
of_size!(with_avx512, of_eight: u64, 8, _mm512_permutexvar_epi64, _mm512_mask_permutexvar_epi64, _mm512_set1_epi64, _mm512_test_epi64_mask, __mmask8);
