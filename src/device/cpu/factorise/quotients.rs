//! The singular values of a bidiagonal matrix, by quotients and differences of the squares of its elements, with shifts
//! (Fernando and Parlett, Accurate singular values and differential qd algorithms, 1994; Parlett and Marques, An
//! implementation of the dqds algorithm, 2000). A shift that is too large leaves a difference below zero, and is taken
//! back.

/// Steps for a value, on the average, after which there is no end.
const MOST: usize = 30;
/// The square of what is no more than nothing beside a value.
const SMALL: f64 = 64.0 * f64::EPSILON * f64::EPSILON;
/// Beside its last element, so much of the square of the least value's vector may be left for the bound that comes from it.
const NEAR: f64 = 0.563;
/// The bottom is moved to the top if it is larger by so much.
const STEEP: f64 = 1.5;

/// By how much all values of a block were made smaller, and what this sum has lost.
#[derive(Debug, Clone, Copy)]
struct Sum {
    all: f64,
    lost: f64,
}

impl Sum {
    fn plus(self, more: f64) -> Sum {
        let more = more + self.lost;
        let all = self.all + more;
        Sum { all, lost: more - (all - self.all) }
    }

    fn is_nothing(self, square: f64, beside: f64) -> bool {
        square <= SMALL * (self.all + beside)
    }
}

/// Makes of a diagonal the falling singular values; what is above it is used up, and all of it was finite. `memory` has
/// twice as many elements. Whether that came to an end.
pub(super) fn singular_values(diagonal: &mut [f64], above: &mut [f64], memory: &mut [f64]) -> bool {
    let mut steps = MOST * diagonal.len();
    diagonal.iter_mut().for_each(|value| *value *= *value);
    above.iter_mut().for_each(|value| *value *= *value);
    let is_done = block(diagonal, above, Sum { all: 0.0, lost: 0.0 }, memory, &mut steps);
    diagonal.iter_mut().for_each(|value| *value = value.sqrt());
    diagonal.sort_unstable_by(|a, b| b.total_cmp(a));
    is_done
}

/// Makes of the squares `q` of a block's diagonal those of its values; `e` are the squares of what is above.
fn block(q: &mut [f64], e: &mut [f64], sum: Sum, memory: &mut [f64], steps: &mut usize) -> bool {
    let mut sum = sum;
    let mut end = q.len();
    // What the last step has left, from all of it, or without the values that are found since.
    let mut least: Option<[f64; 3]> = None;
    let mut share = 0.0;
    // No value is larger, and no link smaller.
    let top = 4.0 * q.iter().fold(sum.all, |top, q| top.max(*q));
    let mut lowest = 0.0;
    loop {
        if end <= 1 {
            q.iter_mut().take(end).for_each(|q| *q += sum.all);
            return true;
        }
        let (last, before, link) = (q[end - 1], q[end - 2], e[end - 2]);
        // One step on, the link would be so much less; the one before keeps its digits already.
        let is_next = link <= f64::EPSILON / 4.0 * before
            && link * last <= SMALL * (sum.all + last) * (sum.all + last);
        if is_next || sum.is_nothing(link, last) {
            end -= 1;
            q[end] += sum.all;
            least = least.map(|[_, without, more]| [without, more, 0.0]);
            continue;
        }
        let apart = |i: &usize| sum.is_nothing(e[*i], q[*i]);
        let cut = if lowest > SMALL * top { None } else { (0..end - 1).rev().find(apart) };
        if let Some(cut) = cut {
            let (q, e) = (&mut q[cut + 1..end], &mut e[cut + 1..end]);
            if !block(q, e, sum, memory, steps) {
                return false;
            }
            (end, least) = (cut + 1, None);
            continue;
        }
        if q[end - 1] > STEEP * q[0] {
            q[..end].reverse();
            e[..end - 1].reverse();
            least = None;
        }
        let mut shift = match least {
            None => 0.0,
            Some([least, ..]) => bound(&q[..end], &e[..end - 1], least, &mut share),
        };
        loop {
            if *steps == 0 {
                return false;
            }
            *steps -= 1;
            let (to_q, to_e) = memory.split_at_mut(end);
            let (to_e, last) = (&mut to_e[..end - 1], end - 1);
            let ([all, without, more], low) = step(&q[..end], &e[..last], to_q, to_e, shift);
            if all >= 0.0 {
                least = Some([all, without, more]);
            } else if without > 0.0
                && to_e[last - 1] <= SMALL * sum.all
                && all.abs() <= SMALL.sqrt() * sum.all
            {
                // The value is the shift, but for what rounding took.
                to_q[last] = 0.0;
                least = Some([0.0, without, more]);
            } else {
                let late = shift + all;
                shift = if without > 0.0 && late > 0.0 && late < shift {
                    late * (1.0 - 2.0 * f64::EPSILON)
                } else if shift > f64::MIN_POSITIVE {
                    shift / 4.0
                } else {
                    0.0
                };
                share = 0.0;
                continue;
            }
            q[..end].copy_from_slice(to_q);
            e[..last].copy_from_slice(to_e);
            sum = sum.plus(shift);
            lowest = low;
            break;
        }
    }
}

/// A shift that is no more than the least value, as far as one can see.
fn bound(q: &[f64], e: &[f64], least: f64, share: &mut f64) -> f64 {
    let last = q.len() - 1;
    if q[last] <= 1.01 * least {
        // The square of the vector that the matrix takes to the last element alone.
        let (mut part, mut square) = (1.0f64, 0.0f64);
        for i in (0..last).rev() {
            part *= e[i] / q[i];
            square += part;
            if part * 100.0 < square || square > NEAR {
                break;
            }
        }
        square *= 1.05;
        if square < NEAR {
            *share = 0.0;
            return q[last].min(least) * (1.0 - square.sqrt()) / (1.0 + square);
        }
    }
    *share = if *share == 0.0 { 0.25 } else { *share + (1.0 - *share) / 3.0 };
    least * *share
}

/// One step with a shift, and what is the least of its differences: of all, of all but the last, of all but the last two.
#[inline(never)]
fn step(q: &[f64], e: &[f64], to_q: &mut [f64], to_e: &mut [f64], shift: f64) -> ([f64; 3], f64) {
    let count = e.len();
    let (q, to_q, to_e) = (&q[..count + 1], &mut to_q[..count + 1], &mut to_e[..count]);
    let mut difference = q[0] - shift;
    let mut least = [difference, f64::INFINITY, f64::INFINITY];
    let mut lowest = f64::INFINITY;
    for i in 0..count {
        let sum = difference + e[i];
        let quotient = q[i + 1] / sum;
        to_q[i] = sum;
        let link = e[i] * quotient;
        to_e[i] = link;
        lowest = link.min(lowest);
        difference = difference * quotient - shift;
        least = [difference.min(least[0]), least[0], least[1]];
    }
    to_q[count] = difference;
    (least, lowest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(diagonal: &[f64], above: &[f64]) -> Vec<f64> {
        let (mut d, mut e) = (diagonal.to_vec(), above.to_vec());
        assert!(singular_values(&mut d, &mut e, &mut vec![0.0; 2 * diagonal.len()]));
        d
    }

    fn close(found: &[f64], wanted: &[f64], most: f64) {
        for (k, (found, wanted)) in found.iter().zip(wanted).enumerate() {
            assert!((found - wanted).abs() <= most * wanted, "{k}: {found:e}, not {wanted:e}");
        }
    }

    #[test]
    fn ones() {
        for n in [1usize, 2, 3, 4, 10, 100, 500] {
            let at = |k: usize| std::f64::consts::PI * k as f64 / (2 * n + 1) as f64;
            let wanted: Vec<f64> = (1..=n).map(|k| 2.0 * at(k).cos()).collect();
            close(&of(&vec![1.0; n], &vec![1.0; n]), &wanted, 1e-13);
            // A sign changes nothing.
            let mixed: Vec<f64> = (0..n).map(|i| if i % 3 == 0 { -1.0 } else { 1.0 }).collect();
            close(&of(&mixed, &vec![-1.0; n]), &wanted, 1e-13);
        }
        assert!(of(&[], &[]).is_empty());
    }

    #[test]
    fn a_diagonal_stays() {
        assert_eq!(of(&[3.0, -4.0, 0.5, 0.0], &[0.0; 4]), [4.0, 3.0, 0.5, 0.0]);
        assert_eq!(of(&[0.0; 9], &[0.0; 9]), [0.0; 9]);
        assert_eq!(of(&[1.0; 200], &[0.0; 200]), [1.0; 200]);
        assert_eq!(of(&[0.0, 0.0], &[5.0, 0.0]), [5.0, 0.0]);
    }

    #[test]
    fn zeros_anywhere() {
        for n in [2usize, 3, 5, 40] {
            for place in 0..n {
                let mut d = vec![1.0; n];
                d[place] = 0.0;
                let found = of(&d, &vec![1.0; n]);
                assert!(found[n - 1] == 0.0, "{n}, {place}: {:e}", found[n - 1]);
                // What is before the zero, with a row of its own more, and what is behind it.
                let square: f64 = found.iter().map(|value| value * value).sum();
                let wanted = (2 * n - 2) as f64;
                assert!((square - wanted).abs() < 1e-13 * wanted, "{n}, {place}: {square}");
            }
        }
    }

    #[test]
    fn small_values_keep_their_digits() {
        // The product of the values is that of the diagonal.
        for (first, last) in [(0, 12), (-6, 6)] {
            for is_falling in [false, true] {
                let mut d: Vec<f64> = (first..=last).map(|i| 10f64.powi(i)).collect();
                let mut e: Vec<f64> = d.iter().map(|d| d / 2.0).collect();
                if is_falling {
                    d.reverse();
                    e.reverse();
                }
                let found = of(&d, &e);
                let product: f64 = found.iter().map(|value| value.ln()).sum();
                let wanted: f64 = d.iter().map(|value| value.ln()).sum();
                assert!((product - wanted).abs() < 1e-12, "{found:?}");
            }
        }
        // Squares that are no numbers any more are nothing beside the others.
        let found = of(&[1.0, 1e-200, 2.0], &[0.0, 1e-250, 0.0]);
        assert_eq!(found, [2.0, 1.0, 0.0]);
    }

    #[test]
    fn many_values_are_one() {
        for (n, link) in [(100, 1e-20), (100, 1e-9), (300, 1e-15), (64, 0.9e-16)] {
            let found = of(&vec![1.0; n], &vec![link; n]);
            found.iter().for_each(|value| assert!((value - 1.0).abs() < 2.0 * link + 1e-14));
        }
        // Two blocks with the same values.
        let [mut d, mut e] = [vec![1.0; 60], vec![1.0; 60]];
        (d[30], e[29]) = (1.0, 1e-17);
        let (found, half) = (of(&d, &e), of(&[1.0; 30], &[1.0; 30]));
        for k in 0..30 {
            assert!(
                (found[2 * k] - half[k]).abs() < 1e-13
                    && (found[2 * k + 1] - half[k]).abs() < 1e-13
            );
        }
        d.fill(0.0);
        e.fill(0.0);
        assert_eq!(of(&d, &e), vec![0.0; 60]);
    }
}
