//! Eigenvalues alone of a symmetric matrix of three diagonals, by the QL method without roots: it turns the squares
//! of what stands beside the diagonal (Reinsch, Algorithm 464: Eigenvalues of a Real, Symmetric, Tridiagonal Matrix,
//! 1973; Parlett, The Symmetric Eigenvalue Problem, 1980, 8.15).

use super::dense::Real;

/// Turns for each eigenvalue, of which two are usual.
const TURNS: usize = 30;

/// Makes `diagonal` the rising eigenvalues, and uses `beside` up; whether the method came to an end.
pub(super) fn eigenvalues<T: Real>(diagonal: &mut [T], beside: &mut [T]) -> bool {
    let n = diagonal.len();
    for number in beside.iter_mut() {
        *number = *number * *number;
    }
    let mut turns = TURNS * n;
    let mut first = 0;
    while first < n {
        let mut last = first;
        while last + 1 < n && !is_small(beside[last], diagonal[last], diagonal[last + 1]) {
            last += 1;
        }
        // A part of its own, with the larger end below, where rotations begin.
        if diagonal[last].size() < diagonal[first].size() {
            diagonal[first..=last].reverse();
            beside[first..last].reverse();
        }
        if !part(&mut diagonal[first..=last], &mut beside[first..last], &mut turns) {
            return false;
        }
        first = last + 1;
    }
    diagonal.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    true
}

/// Whether the square of what joins two numbers adds nothing to them.
#[inline(always)]
fn is_small<T: Real>(square: T, above: T, below: T) -> bool {
    square <= T::ROUNDING * T::ROUNDING * (above * below).size()
}

/// The eigenvalues of a part, in any order; whether it came to an end.
fn part<T: Real>(d: &mut [T], squares: &mut [T], turns: &mut usize) -> bool {
    let mut low = 0;
    while low < d.len() {
        let joined = |at: &usize| is_small(squares[*at], d[*at], d[*at + 1]);
        let high = (low..d.len() - 1).find(joined).unwrap_or(d.len() - 1);
        if high < d.len() - 1 {
            squares[high] = T::ZERO;
        }
        if high == low {
            low += 1;
            continue;
        }
        if *turns == 0 {
            return false;
        }
        *turns -= 1;
        // The eigenvalue of the first two rows that is closer to the first number.
        let root = squares[low].root();
        let ratio = (d[low + 1] - d[low]) * T::two_to(-1) / root;
        let length = (ratio * ratio + T::ONE).root();
        let shift = d[low] - root / if ratio < T::ZERO { ratio - length } else { ratio + length };
        turn(&mut d[low..=high], &mut squares[low..high], shift);
    }
    true
}

/// One sweep of rotations from the last row to the first.
fn turn<T: Real>(d: &mut [T], squares: &mut [T], shift: T) {
    let last = d.len() - 1;
    let (mut cosine, mut sine) = (T::ONE, T::ZERO);
    let mut gamma = d[last] - shift;
    let mut p = gamma * gamma;
    for at in (0..last).rev() {
        let square = squares[at];
        let r = p + square;
        if at + 1 < last {
            squares[at + 1] = sine * r;
        }
        let before = cosine;
        // Both are zero where the number and what joins it are.
        (cosine, sine) = if r == T::ZERO { (T::ONE, T::ZERO) } else { (p / r, square / r) };
        let (old, number) = (gamma, d[at]);
        gamma = cosine * (number - shift) - sine * old;
        d[at + 1] = old + (number - gamma);
        p = if cosine == T::ZERO { before * square } else { gamma * gamma / cosine };
    }
    squares[0] = sine * p;
    d[0] = shift + gamma;
}

#[cfg(test)]
mod tests {
    use super::eigenvalues;

    /// Of ones beside zeros the eigenvalues are known: twice the cosines of parts of a half turn.
    #[test]
    fn ones_beside_zeros() {
        for n in [1, 2, 3, 16, 129] {
            let (mut diagonal, mut beside) = (vec![0.0f64; n], vec![1.0; n - 1]);
            assert!(eigenvalues(&mut diagonal, &mut beside));
            for (at, value) in diagonal.iter().enumerate() {
                let angle = std::f64::consts::PI * (n - at) as f64 / (n + 1) as f64;
                assert!((value - 2.0 * angle.cos()).abs() < 1e-14 * n as f64, "{n}: {value}");
            }
        }
    }

    #[test]
    fn parts_that_nothing_joins() {
        let mut diagonal = [3.0f32, 1.0, 0.0, 0.0, 2.0, -7.0];
        assert!(eigenvalues(&mut diagonal, &mut [0.0, 0.0, 5.0, 0.0, 1e-30]));
        for (found, wanted) in diagonal.iter().zip([-7.0, -5.0, 1.0, 2.0, 3.0, 5.0]) {
            assert!((found - wanted).abs() < 1e-6, "{diagonal:?}");
        }
    }
}
