//! What makes of a band one or two diagonals: a reflection takes a row or a column out of the band, what it fills beside the
//! band is taken out by one of the next block, and so on to the end. Several of these sweeps go on at a time, one behind
//! the other.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use faer::Par;

use super::Ptr;

/// Diagonals of the band beside the main one.
pub(super) const WIDTH: usize = 32;
/// Partial sums side by side.
const LANES: usize = 8;
/// Sweeps of a group, which one thread takes.
const SWEEPS: usize = 4;
/// By how many steps each is behind the one before: what it finds is done only then.
const LAG: usize = 3;
/// By how many parts a group is behind the one before.
const BEHIND: usize = 4;
/// Steps of each sweep in a part: just as many that groups at that distance have no column in common.
const STEPS: usize = (LAG * SWEEPS - 1).div_ceil(BEHIND - 1);
/// Looks at the group before until a thread lets others go first.
const PATIENCE: usize = 1 << 12;

/// A kind of band, column by column, with zeros for as many columns behind it as a step takes.
pub(super) trait Chase {
    /// From one column's diagonal element to the next one's.
    const COLUMN: usize;
    /// Columns before the block of a step that it has to do with.
    const BEFORE: usize;

    /// A step of a sweep. It reads and writes twice [`WIDTH`] columns, of which there are [`Chase::BEFORE`] before
    /// `sweep + 1 + step * WIDTH`. The elements before `skipped` are not there.
    fn step(band: &mut [f64], skipped: usize, sweep: usize, step: usize);

    /// Elements of a band of so many columns.
    fn len(n: usize) -> usize {
        (n + 3 * WIDTH) * Self::COLUMN
    }
}

/// A band that several threads sweep, and how far the sweeps have come.
struct Sweeps {
    band: Ptr<f64>,
    len: usize,
    n: usize,
    /// The next group that nobody has.
    next: AtomicUsize,
    /// Parts that are done of each group.
    done: Vec<AtomicUsize>,
}

/// All sweeps over a band of so many columns. Groups of sweeps follow each other at a distance, so that any number of
/// threads finds the same.
pub(super) fn run<C: Chase>(band: &mut [f64], n: usize, par: Par) {
    let groups = n.saturating_sub(2).div_ceil(SWEEPS);
    let sweeps = Sweeps {
        len: band.len(),
        band: Ptr(band.as_mut_ptr()),
        n,
        next: AtomicUsize::new(0),
        done: (0..groups).map(|_| AtomicUsize::new(0)).collect(),
    };
    // A thread that comes late finds less to do, or nothing.
    let one = || sweeps.some::<C>();
    let two = || rayon::join(one, one);
    match par {
        Par::Seq => one(),
        Par::Rayon(_) => drop(rayon::join(two, two)),
    }
}

impl Sweeps {
    /// Takes groups while there are any. Whoever has the first that is not done never waits, so that there is an end
    /// however many threads come.
    fn some<C: Chase>(&self) {
        loop {
            let group = self.next.fetch_add(1, Relaxed);
            if group >= self.done.len() {
                return;
            }
            let steps = (self.n - group * SWEEPS).div_ceil(WIDTH) + LAG * (SWEEPS - 1);
            for part in 0..steps.div_ceil(STEPS) {
                if let Some(before) = group.checked_sub(1) {
                    self.wait(before, part + BEHIND);
                }
                self.part::<C>(group, part);
                self.done[group].store(part + 1, Release);
            }
            self.done[group].store(usize::MAX, Release);
        }
    }

    fn wait(&self, group: usize, parts: usize) {
        let mut turns = 0;
        while self.done[group].load(Acquire) < parts {
            turns += 1;
            if turns < PATIENCE { std::hint::spin_loop() } else { std::thread::yield_now() }
        }
    }

    fn part<C: Chase>(&self, group: usize, part: usize) {
        let (first, last) = (group * SWEEPS, ((group + 1) * SWEEPS).min(self.n - 2));
        // The first sweep is at the last column, the last one at the first.
        let step = |sweep: usize, step: usize| step.saturating_sub(LAG * (sweep - first));
        let from = first + 1 + step(first + SWEEPS - 1, part * STEPS) * WIDTH;
        let to = first + 1 + ((part + 1) * STEPS + 1) * WIDTH - C::BEFORE;
        let from = from.saturating_sub(C::BEFORE) * C::COLUMN;
        let to = (to * C::COLUMN).min(self.len);
        if from >= to {
            return;
        }
        // SAFETY: these are columns of the band; the group before has left them, and the one behind waits for them.
        let band =
            unsafe { std::slice::from_raw_parts_mut(self.band.at(from as isize), to - from) };
        for sweep in first..last {
            for step in step(sweep, part * STEPS)..step(sweep, (part + 1) * STEPS) {
                // What is left of a block in the last column is a single element.
                if sweep + 1 + step * WIDTH >= self.n - 1 {
                    break;
                }
                C::step(band, from, sweep, step);
            }
        }
    }
}

/// The reflection that leaves of a vector its first element alone: what this becomes, and the reflection's weight, which is
/// zero where there is nothing to do.
#[inline(always)]
pub(super) fn take_out(v: &mut [f64; WIDTH]) -> (f64, f64) {
    let first = std::mem::replace(&mut v[0], 0.0);
    let rest = dot(v, v);
    if rest == 0.0 {
        v[0] = first;
        return (first, 0.0);
    }
    let length = (first * first + rest).sqrt();
    let becomes = if first > 0.0 { -length } else { length };
    let scale = 1.0 / (first - becomes);
    v.iter_mut().for_each(|value| *value *= scale);
    v[0] = 1.0;
    (becomes, (becomes - first) / becomes)
}

/// A reflection of a single column.
#[inline(always)]
pub(super) fn reflect_one(column: &mut [f64; WIDTH], v: &[f64; WIDTH], weight: f64) {
    let along = dot(column, v) * weight;
    for i in 0..WIDTH {
        column[i] -= v[i] * along;
    }
}

/// The number of a column whose elements are to stay beside each other: the compiler would take those of several columns
/// together from places that lie apart.
#[inline(always)]
pub(super) fn one_by_one(column: usize) -> usize {
    std::hint::black_box(column)
}

/// So many rows of a column.
#[inline(always)]
pub(super) fn rows_mut<const ROWS: usize>(block: &mut [f64], at: usize) -> &mut [f64; ROWS] {
    (&mut block[at..][..ROWS]).try_into().expect("so many rows")
}

#[inline(always)]
pub(super) fn dot(a: &[f64; WIDTH], b: &[f64; WIDTH]) -> f64 {
    let mut s = [0.0; LANES];
    for i in (0..WIDTH).step_by(LANES) {
        for lane in 0..LANES {
            s[lane] += a[i + lane] * b[i + lane];
        }
    }
    ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]))
}
