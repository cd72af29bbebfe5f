//! The eigenvalues of a symmetric tridiagonal matrix, by Pal, Walker and Kahan's form of the QL method, which has no square
//! roots but one for each step (Parlett, The Symmetric Eigenvalue Problem, 1980, section 8.15).

/// Steps for an eigenvalue, on the average, after which there is no end.
const MOST: usize = 30;

/// Makes of a diagonal the rising eigenvalues; what is below it is used up, and was finite. Whether that came to an end.
pub(super) fn eigenvalues(diagonal: &mut [f64], below: &mut [f64]) -> bool {
    let n = diagonal.len();
    let squares = &mut below[..n.max(1) - 1];
    squares.iter_mut().for_each(|e| *e *= *e);
    let mut steps = MOST * n;
    let mut end = n;
    // From the last block that nothing connects with what is before it to the first.
    while end > 0 {
        let parts = |i: &usize| squares[*i] > small(diagonal[*i], diagonal[*i + 1]);
        let first = end - 1 - (0..end - 1).rev().take_while(parts).count();
        let (d, e) = (&mut diagonal[first..end], &mut squares[first..end - 1]);
        // The method is for what grows downwards.
        if d[0].abs() > d[d.len() - 1].abs() {
            d.reverse();
            e.reverse();
        }
        if !block(d, e, &mut steps) {
            return false;
        }
        end = first;
    }
    diagonal.sort_unstable_by(f64::total_cmp);
    true
}

/// The square of what is no more than nothing beside two elements of the diagonal.
fn small(a: f64, b: f64) -> f64 {
    f64::EPSILON * f64::EPSILON * (a * b).abs()
}

/// The eigenvalues of a block, of which `e` has the squares of what is below the diagonal.
fn block(d: &mut [f64], e: &mut [f64], steps: &mut usize) -> bool {
    let mut at = 0;
    while at + 1 < d.len() {
        let apart = |i: &usize| e[*i] > small(d[*i], d[*i + 1]);
        let last = at + (at..e.len()).take_while(apart).count();
        if last == at {
            at += 1;
            continue;
        }
        if *steps == 0 {
            return false;
        }
        *steps -= 1;
        // Wilkinson's shift.
        let root = e[at].sqrt();
        let half = (d[at + 1] - d[at]) / (2.0 * root);
        let long = (half * half + 1.0).sqrt();
        let shift = d[at] - root / if half < 0.0 { half - long } else { half + long };
        step(&mut d[at..=last], &mut e[at..last], shift);
    }
    true
}

/// One step with a shift: what is below the first element becomes small.
#[inline(never)]
fn step(d: &mut [f64], e: &mut [f64], shift: f64) {
    let count = e.len();
    let (mut cosine, mut sine) = (1.0, 0.0);
    let mut gamma = d[count] - shift;
    let mut p = gamma * gamma;
    for i in (0..count).rev() {
        let square = e[i];
        let r = p + square;
        if i + 1 < count {
            e[i + 1] = sine * r;
        }
        let before = cosine;
        cosine = p / r;
        sine = square / r;
        let turned = gamma;
        let alpha = d[i];
        gamma = cosine * (alpha - shift) - sine * turned;
        d[i + 1] = turned + (alpha - gamma);
        p = if cosine == 0.0 { before * square } else { gamma * gamma / cosine };
    }
    e[0] = sine * p;
    d[0] = shift + gamma;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(diagonal: &[f64], below: &[f64]) -> Vec<f64> {
        let (mut d, mut e) = (diagonal.to_vec(), below.to_vec());
        assert!(eigenvalues(&mut d, &mut e));
        d
    }

    #[test]
    fn second_difference() {
        for n in [1usize, 2, 3, 10, 100, 500] {
            let found = of(&vec![2.0; n], &vec![-1.0; n]);
            for (k, value) in found.iter().enumerate() {
                let angle = std::f64::consts::PI * (k + 1) as f64 / (n + 1) as f64;
                let wrong = (value - (2.0 - 2.0 * angle.cos())).abs();
                assert!(wrong < 1e-14 * n as f64, "{n}: {k} by {wrong:e}");
            }
        }
    }

    #[test]
    fn blocks_and_grades() {
        // Two blocks of two, and a single one between them.
        let found = of(&[0.0, 0.0, 5.0, 1.0, 1.0], &[1.0, 0.0, 0.0, 2.0, 0.0]);
        for (value, wanted) in found.iter().zip([-1.0, -1.0, 1.0, 3.0, 5.0]) {
            assert!((value - wanted).abs() < 1e-14, "{found:?}");
        }
        // Small ones keep their digits from either end.
        let graded = [1e-12, 1e-8, 1e-4, 1.0];
        for turned in [false, true] {
            let (mut d, mut e) = (graded, [1e-11f64, 1e-7, 1e-3, 0.0]);
            if turned {
                d.reverse();
                e[..3].reverse();
            }
            let found = of(&d, &e);
            let sum: f64 = found.iter().sum();
            assert!((sum - graded.iter().sum::<f64>()).abs() < 1e-15);
            assert!(found[1] > 9.0e-9 && found[1] < 1.0e-8 + 1e-12, "{found:?}");
        }
        assert!(of(&[], &[]).is_empty());
    }
}
