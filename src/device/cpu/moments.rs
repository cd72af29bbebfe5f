//! What elements are like, and how far those of two tensors are apart, in one pass over their bytes: for files,
//! whose pieces are read, looked at and forgotten.
//!
//! A block is widened to float32 where that holds its type, else to float64 (of 64-bit integers the nearest), and
//! folded in lanes of float64. Squares are summed about a block's first element, and blocks are joined by the
//! formula of Chan, Golub and LeVeque (1979), so that what lies far from zero loses nothing. The order is that of the
//! elements: a result depends neither on threads nor on the vector instructions.

use super::dispatch::{Level, vectorized};
use super::lanes::{UnaryFn, cast, from_narrow};
use crate::dtype::DType;

/// Elements that are folded together; widened, they lie in the first cache.
const BLOCK: usize = 1024;

/// Lanes of a fold.
const LANES: usize = 16;

/// Elements on both sides of which folds go another way.
#[cfg(test)]
pub const THRESHOLDS: &[usize] = &[LANES, BLOCK, 2 * BLOCK];

/// What elements are like. NaN and the infinities count for nothing but themselves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    pub count: u64,
    pub nan: u64,
    pub inf: u64,
    pub zeros: u64,
    pub mean: f64,
    /// The sum of the squared distances from the mean.
    pub squares: f64,
    pub min: f64,
    pub max: f64,
}

/// How far the elements `q` of one tensor are from the elements `p` of another. Two NaN, and the same infinity
/// twice, are no distance.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Distance {
    /// The largest |q − p|; infinite where one of both is NaN.
    pub most: f64,
    /// Sums of (q − p)², p², q² and p·q.
    pub apart: f64,
    pub first: f64,
    pub second: f64,
    pub both: f64,
}

/// How elements of a type become floats.
#[derive(Debug, Clone, Copy)]
struct Widening {
    kernel: UnaryFn,
    size: usize,
    /// Whether float32 holds them all.
    is_narrow: bool,
}

impl Widening {
    /// None for complex numbers.
    fn of(dtype: DType) -> Option<Widening> {
        let level = Level::detect();
        // A truth is a byte.
        let dtype = if dtype == DType::Bool { DType::U8 } else { dtype };
        let (kernel, is_narrow) = match dtype {
            DType::C64 | DType::C128 => return None,
            DType::F16 | DType::BF16 | DType::F8E4M3 | DType::F8E5M2 => {
                (from_narrow(level, dtype), true)
            }
            DType::F32 | DType::U8 | DType::I8 | DType::U16 | DType::I16 => {
                (cast(level, dtype, DType::F32), true)
            }
            _ => (cast(level, dtype, DType::F64), false),
        };
        Some(Widening { kernel, size: dtype.size(), is_narrow })
    }

    /// # Safety
    /// `out` has room for the elements as the floats that they become.
    unsafe fn apply(&self, elements: &[u8], out: *mut u8) {
        debug_assert!(elements.len() <= BLOCK * self.size);
        let count = elements.len() / self.size;
        let mut aligned = [0u64; BLOCK];
        let from = match elements.as_ptr().addr().is_multiple_of(self.size) {
            true => elements.as_ptr(),
            false => {
                let place = aligned.as_mut_ptr().cast::<u8>();
                // SAFETY: no element has more than eight bytes, and there are no more than a block.
                unsafe { place.copy_from_nonoverlapping(elements.as_ptr(), elements.len()) };
                place
            }
        };
        // SAFETY: so many elements at aligned places; the caller has the room.
        unsafe { (self.kernel)(out, from, count) }
    }
}

/// What is folded.
trait Float: Copy + PartialOrd + Into<f64> {
    const ZERO: Self;

    /// Elements of a block as these.
    fn widen(widening: &Widening, elements: &[u8], out: &mut [Self; BLOCK]);
}

impl Float for f32 {
    const ZERO: f32 = 0.0;

    fn widen(widening: &Widening, elements: &[u8], out: &mut [f32; BLOCK]) {
        debug_assert!(widening.is_narrow);
        // SAFETY: the elements become float32, and are no more than a block.
        unsafe { widening.apply(elements, out.as_mut_ptr().cast()) }
    }
}

impl Float for f64 {
    const ZERO: f64 = 0.0;

    fn widen(widening: &Widening, elements: &[u8], out: &mut [f64; BLOCK]) {
        if !widening.is_narrow {
            // SAFETY: the elements become float64, and are no more than a block.
            return unsafe { widening.apply(elements, out.as_mut_ptr().cast()) };
        }
        let mut narrow = [0f32; BLOCK];
        f32::widen(widening, elements, &mut narrow);
        out.iter_mut().zip(narrow).for_each(|(wide, narrow)| *wide = f64::from(narrow));
    }
}

impl Default for Moments {
    /// Of nothing.
    fn default() -> Moments {
        let (min, max) = (f64::INFINITY, f64::NEG_INFINITY);
        Moments { count: 0, nan: 0, inf: 0, zeros: 0, mean: 0.0, squares: 0.0, min, max }
    }
}

impl Moments {
    /// Those of elements that lie one behind the other. None for complex numbers.
    pub fn of(dtype: DType, bytes: &[u8]) -> Option<Moments> {
        let widening = Widening::of(dtype)?;
        Some(match widening.is_narrow {
            true => moments::<f32>(&widening, bytes),
            false => moments::<f64>(&widening, bytes),
        })
    }

    /// How many are finite.
    pub fn finite(&self) -> u64 {
        self.count - self.nan - self.inf
    }

    /// Adds those of more elements.
    pub fn join(&mut self, more: &Moments) {
        let (own, new) = (self.finite() as f64, more.finite() as f64);
        if new > 0.0 {
            let share = new / (own + new);
            let apart = more.mean - self.mean;
            if own == 0.0 {
                (self.mean, self.squares) = (more.mean, more.squares);
            } else if apart.is_finite() {
                self.squares += more.squares + apart * apart * own * share;
                self.mean += apart * share;
            } else {
                self.squares = f64::INFINITY;
                self.mean = self.mean * (1.0 - share) + more.mean * share;
            }
        }
        self.count += more.count;
        self.nan += more.nan;
        self.inf += more.inf;
        self.zeros += more.zeros;
        self.min = self.min.min(more.min);
        self.max = self.max.max(more.max);
    }
}

impl Distance {
    /// That of elements that lie one behind the other, as many of the one as of the other. None for complex
    /// numbers.
    pub fn between(p: (DType, &[u8]), q: (DType, &[u8])) -> Option<Distance> {
        let (first, second) = (Widening::of(p.0)?, Widening::of(q.0)?);
        debug_assert_eq!(p.1.len() / first.size, q.1.len() / second.size);
        Some(match first.is_narrow && second.is_narrow {
            true => distance::<f32>((&first, p.1), (&second, q.1)),
            false => distance::<f64>((&first, p.1), (&second, q.1)),
        })
    }

    /// Adds that of more elements.
    pub fn join(&mut self, more: &Distance) {
        self.most = self.most.max(more.most);
        self.apart += more.apart;
        self.first += more.first;
        self.second += more.second;
        self.both += more.both;
    }
}

vectorized! {
    fn moments[T: Float](widening: &Widening, bytes: &[u8]) -> Moments = moments_body[T]
}

vectorized! {
    fn distance[T: Float](p: (&Widening, &[u8]), q: (&Widening, &[u8])) -> Distance = distance_body[T]
}

#[inline(always)]
fn moments_body<T: Float>(widening: &Widening, bytes: &[u8]) -> Moments {
    let (mut whole, mut block) = (Moments::default(), [T::ZERO; BLOCK]);
    for elements in bytes.chunks(BLOCK * widening.size) {
        T::widen(widening, elements, &mut block);
        let items = &block[..elements.len() / widening.size];
        let part = fold(items).unwrap_or_else(|| one_by_one(items));
        whole.join(&part);
    }
    whole
}

/// None where a sum is not finite, as it is where an element is not.
#[inline(always)]
fn fold<T: Float>(items: &[T]) -> Option<Moments> {
    let first = *items.first()?;
    let origin: f64 = first.into();
    let mut zeros = [0u32; LANES];
    let (mut low, mut high) = ([first; LANES], [first; LANES]);
    let (mut sums, mut squares) = ([0f64; LANES], [0f64; LANES]);
    let mut step = |chunk: &[T]| {
        for (lane, item) in chunk.iter().enumerate() {
            zeros[lane] += u32::from(*item == T::ZERO);
            low[lane] = if *item < low[lane] { *item } else { low[lane] };
            high[lane] = if *item > high[lane] { *item } else { high[lane] };
            let wide: f64 = (*item).into();
            let apart = wide - origin;
            sums[lane] += apart;
            squares[lane] += apart * apart;
        }
    };
    let (chunks, rest) = items.as_chunks::<LANES>();
    chunks.iter().for_each(|chunk| step(chunk));
    step(rest);
    let count = items.len() as f64;
    let (sum, square) = (sums.iter().sum::<f64>(), squares.iter().sum::<f64>());
    if !square.is_finite() {
        return None;
    }
    let extreme = |lanes: [T; LANES], pick: fn(f64, f64) -> f64| {
        lanes.into_iter().map(Into::into).fold(origin, pick)
    };
    Some(Moments {
        count: items.len() as u64,
        nan: 0,
        inf: 0,
        zeros: u64::from(zeros.iter().sum::<u32>()),
        mean: origin + sum / count,
        squares: (square - sum * (sum / count)).max(0.0),
        min: extreme(low, f64::min),
        max: extreme(high, f64::max),
    })
}

/// The same in two passes that nothing finite leads out of the range of.
#[cold]
fn one_by_one<T: Float>(items: &[T]) -> Moments {
    let mut found = Moments { count: items.len() as u64, ..Moments::default() };
    for item in items {
        let wide: f64 = (*item).into();
        found.nan += u64::from(wide.is_nan());
        found.inf += u64::from(wide.is_infinite());
        found.zeros += u64::from(wide == 0.0);
        if wide.is_finite() {
            (found.min, found.max) = (found.min.min(wide), found.max.max(wide));
        }
    }
    let finite = found.finite() as f64;
    let wide = || items.iter().map(|item| (*item).into()).filter(|wide: &f64| wide.is_finite());
    found.mean = wide().map(|wide| wide / finite).sum();
    found.squares = wide().map(|wide| (wide - found.mean) * (wide - found.mean)).sum();
    found
}

#[inline(always)]
fn distance_body<T: Float>(p: (&Widening, &[u8]), q: (&Widening, &[u8])) -> Distance {
    let mut whole = Distance::default();
    let (mut first, mut second) = ([T::ZERO; BLOCK], [T::ZERO; BLOCK]);
    let pieces = p.1.chunks(BLOCK * p.0.size).zip(q.1.chunks(BLOCK * q.0.size));
    for (before, after) in pieces {
        T::widen(p.0, before, &mut first);
        T::widen(q.0, after, &mut second);
        let count = before.len() / p.0.size;
        let (before, after) = (&first[..count], &second[..count]);
        let part = lanes_apart(before, after).unwrap_or_else(|| pairs_apart(before, after));
        whole.join(&part);
    }
    whole
}

/// None where a sum is not finite, as it is where an element is not.
#[inline(always)]
fn lanes_apart<T: Float>(p: &[T], q: &[T]) -> Option<Distance> {
    let mut most = [0f64; LANES];
    let [mut apart, mut first, mut second, mut both] = [[0f64; LANES]; 4];
    let mut step = |p: &[T], q: &[T]| {
        for (lane, (p, q)) in p.iter().zip(q).enumerate() {
            let (p, q): (f64, f64) = ((*p).into(), (*q).into());
            let change = (q - p).abs();
            most[lane] = if change > most[lane] { change } else { most[lane] };
            apart[lane] += change * change;
            first[lane] += p * p;
            second[lane] += q * q;
            both[lane] += p * q;
        }
    };
    let ((p, p_rest), (q, q_rest)) = (p.as_chunks::<LANES>(), q.as_chunks::<LANES>());
    p.iter().zip(q).for_each(|(p, q)| step(p, q));
    step(p_rest, q_rest);
    let sum = |lanes: [f64; LANES]| lanes.iter().sum::<f64>();
    let found = Distance {
        most: most.into_iter().fold(0.0, f64::max),
        apart: sum(apart),
        first: sum(first),
        second: sum(second),
        both: sum(both),
    };
    // Of a NaN or an infinity on one side or both a square is one, too.
    (found.first + found.second).is_finite().then_some(found)
}

#[cold]
fn pairs_apart<T: Float>(p: &[T], q: &[T]) -> Distance {
    let mut found = Distance::default();
    for (p, q) in p.iter().zip(q) {
        let (p, q): (f64, f64) = ((*p).into(), (*q).into());
        let is_same = p == q || p.is_nan() && q.is_nan();
        let change = if is_same { 0.0 } else { (q - p).abs() };
        found.most = found.most.max(if change.is_nan() { f64::INFINITY } else { change });
        found.apart += change * change;
        found.first += p * p;
        found.second += q * q;
        found.both += p * q;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of float64, one after the other.
    fn expected(items: &[f64]) -> Moments {
        let fine: Vec<f64> = items.iter().copied().filter(|x| x.is_finite()).collect();
        let mean = fine.iter().map(|x| x / fine.len() as f64).sum::<f64>();
        Moments {
            count: items.len() as u64,
            nan: items.iter().filter(|x| x.is_nan()).count() as u64,
            inf: items.iter().filter(|x| x.is_infinite()).count() as u64,
            zeros: items.iter().filter(|x| **x == 0.0).count() as u64,
            mean,
            squares: fine.iter().map(|x| (x - mean).powi(2)).sum(),
            min: fine.iter().copied().fold(f64::INFINITY, f64::min),
            max: fine.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        }
    }

    fn check(found: Moments, items: &[f64], what: &str) {
        let wanted = expected(items);
        let counts = |m: &Moments| [m.count, m.nan, m.inf, m.zeros];
        assert_eq!(counts(&found), counts(&wanted), "{what}");
        assert_eq!([found.min, found.max], [wanted.min, wanted.max], "{what}");
        let largest = wanted.min.abs().max(wanted.max.abs());
        assert!(
            (found.mean - wanted.mean).abs() <= 1e-13 * largest,
            "{what}: {found:?} {wanted:?}"
        );
        let near = (found.squares - wanted.squares).abs() <= 1e-9 * wanted.squares;
        assert!(near, "{what}: {found:?} {wanted:?}");
    }

    fn sizes() -> impl Iterator<Item = usize> {
        let around = THRESHOLDS.iter().flat_map(|at| [at - 1, *at, at + 1]);
        [0, 1, 2].into_iter().chain(around).chain([10_007])
    }

    /// Elements of the type as bytes, from one byte behind a place for them, and as float64.
    fn sample(dtype: DType, count: usize, seed: usize) -> (Vec<u8>, Vec<f64>) {
        use crate::dtype::Scalar;
        let (mut bytes, mut wide) = (vec![0xee], Vec::new());
        for at in 0..count {
            let number = (at + seed).wrapping_mul(0x9e37_79b9) >> 7 & 0xffff;
            let value = match dtype {
                DType::Bool => Scalar::Bool(number.is_multiple_of(3)),
                _ if !dtype.is_float() => Scalar::Int(number as i64 % 100),
                _ if number % 1500 == 7 && seed > 0 => {
                    Scalar::Float([f64::NAN, f64::INFINITY, f64::NEG_INFINITY][number % 3])
                }
                // All types of floats have these; float8 of four bits for the exponent has no infinity.
                _ => Scalar::Float((number % 15) as f64 / 2.0 - 3.5),
            };
            let value = match value {
                Scalar::Float(x) if x.is_infinite() && dtype == DType::F8E4M3 => {
                    Scalar::Float(f64::NAN)
                }
                other => other,
            };
            let (bits, _) = value.to_bits(dtype);
            bytes.extend_from_slice(&bits[..dtype.size()]);
            wide.push(value.as_f64());
        }
        (bytes, wide)
    }

    #[test]
    fn moments_are_those_of_two_passes() {
        for dtype in DType::STORED.into_iter().filter(|dtype| !dtype.is_complex()) {
            for size in sizes() {
                for seed in [0, 5] {
                    let (bytes, wide) = sample(dtype, size, seed);
                    let found = Moments::of(dtype, &bytes[1..]).unwrap();
                    check(found, &wide, &format!("{dtype} {size} {seed}"));
                }
            }
        }
        assert_eq!(Moments::of(DType::C64, &[0; 8]), None);
    }

    /// What lies far from zero, what leaves the range when squared or added, and halves joined.
    #[test]
    fn moments_hold_at_the_edges_of_float64() {
        let cases: [fn(usize) -> f64; 4] = [
            |at| 1e9 + (at % 17) as f64,
            |at| if at % 2 == 0 { 1.7e308 } else { -1.7e308 },
            |at| 1e200 * (at % 3) as f64,
            |at| f64::MIN_POSITIVE * (at % 5) as f64,
        ];
        for (case, make) in cases.into_iter().enumerate() {
            let items: Vec<f64> = (0..5000).map(make).collect();
            let bytes = |items: &[f64]| -> Vec<u8> {
                items.iter().flat_map(|item| item.to_ne_bytes()).collect()
            };
            for cut in [0, 1, 1024, 2500] {
                let mut found = Moments::of(DType::F64, &bytes(&items[..cut])).unwrap();
                found.join(&Moments::of(DType::F64, &bytes(&items[cut..])).unwrap());
                let wanted = expected(&items);
                assert_eq!([found.min, found.max], [wanted.min, wanted.max], "{case}");
                assert!((found.mean - wanted.mean).abs() <= 1e-13 * wanted.max, "{case} {found:?}");
                let near = (found.squares - wanted.squares).abs() <= 1e-9 * wanted.squares;
                assert!(near || found.squares == wanted.squares, "{case} {found:?} {wanted:?}");
            }
        }
    }

    #[test]
    fn distances_are_those_of_pairs() {
        let types = [DType::BF16, DType::F16, DType::F32, DType::F64, DType::I8, DType::I64];
        for p in types {
            for q in types {
                for size in sizes() {
                    for seed in [0, 5] {
                        let (before, wide_before) = sample(p, size, seed);
                        let (after, wide_after) = sample(q, size, seed * 3);
                        let found = Distance::between((p, &before[1..]), (q, &after[1..])).unwrap();
                        let wanted = pairs_apart(&wide_before, &wide_after);
                        let what = format!("{p} {q} {size} {seed}: {found:?} {wanted:?}");
                        let parts =
                            |it: &Distance| [it.most, it.apart, it.first, it.second, it.both];
                        for (found, wanted) in parts(&found).into_iter().zip(parts(&wanted)) {
                            let near = (found - wanted).abs() <= 1e-12 * wanted.abs();
                            let is_same = found == wanted || found.is_nan() && wanted.is_nan();
                            assert!(near || is_same, "{what}");
                        }
                    }
                }
            }
        }
    }
}
