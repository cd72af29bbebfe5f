//! `range`: a sequence of which only the ends are kept, so that what Python asks of it is arithmetic.

use std::hash::{Hash, Hasher};

/// `range(start, stop, step)`; the step is not zero.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    pub start: i64,
    pub stop: i64,
    pub step: i64,
}

impl Range {
    /// Up to 2^64 - 1.
    pub fn len(&self) -> usize {
        let span = i128::from(self.stop) - i128::from(self.start);
        let step = i128::from(self.step);
        let count = if step > 0 { (span + step - 1) / step } else { (span + step + 1) / step };
        count.max(0) as usize
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number at `index`, which must be less than the length.
    pub fn get(&self, index: usize) -> i64 {
        self.start.wrapping_add(self.step.wrapping_mul(index as i64))
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = i64> + use<> {
        let range = *self;
        (0..range.len()).map(move |index| range.get(index))
    }

    pub fn contains(&self, value: i64) -> bool {
        self.position(value).is_some()
    }

    /// The index of a number.
    pub fn position(&self, value: i64) -> Option<usize> {
        let distance = i128::from(value) - i128::from(self.start);
        let step = i128::from(self.step);
        let index = usize::try_from(distance / step).ok().filter(|_| distance % step == 0)?;
        (index < self.len()).then_some(index)
    }

    /// The last number.
    pub fn last(&self) -> Option<i64> {
        Some(self.get(self.len().checked_sub(1)?))
    }

    /// The least and the largest number.
    pub fn ends(&self) -> Option<(i64, i64)> {
        let last = self.last()?;
        Some((self.start.min(last), self.start.max(last)))
    }

    /// The sum of all numbers; none where it does not fit.
    pub fn sum(&self) -> Option<i64> {
        let Some(last) = self.last() else { return Some(0) };
        let count = self.len() as i128;
        let both = i128::from(self.start) + i128::from(last);
        // One of the two is even.
        let sum = if count % 2 == 0 {
            (count / 2).checked_mul(both)
        } else {
            count.checked_mul(both / 2)
        };
        i64::try_from(sum?).ok()
    }

    /// The numbers at the indices `start`, `start + step` … before `stop`, as `slice.indices` gives
    /// them; none where an end does not fit.
    pub fn slice(&self, start: i64, stop: i64, step: i64) -> Option<Range> {
        let at = |index: i64| {
            let place = i128::from(self.start) + i128::from(index) * i128::from(self.step);
            i64::try_from(place).ok()
        };
        Some(Range { start: at(start)?, stop: at(stop)?, step: self.step.checked_mul(step)? })
    }

    /// The same numbers, the last one first; none where an end does not fit.
    pub fn reversed(&self) -> Option<Range> {
        match self.last() {
            None => Some(Range { start: 0, stop: 0, step: 1 }),
            Some(last) => {
                let (stop, step) = (self.start.checked_sub(self.step)?, self.step.checked_neg()?);
                Some(Range { start: last, stop, step })
            }
        }
    }

    /// What equal sequences have in common: the length, the first number, and the step where there
    /// are two.
    fn sequence(&self) -> (usize, Option<i64>, Option<i64>) {
        let count = self.len();
        (count, (count > 0).then_some(self.start), (count > 1).then_some(self.step))
    }
}

impl PartialEq for Range {
    fn eq(&self, other: &Range) -> bool {
        self.sequence() == other.sequence()
    }
}

impl Eq for Range {}

impl Hash for Range {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.sequence().hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn range(start: i64, stop: i64, step: i64) -> Range {
        Range { start, stop, step }
    }

    #[test]
    fn arithmetic_agrees_with_the_numbers() {
        for start in -4..=4 {
            for stop in -5..=5 {
                for step in [-3, -2, -1, 1, 2, 3, 100] {
                    let range = range(start, stop, step);
                    let numbers: Vec<i64> = range.iter().collect();
                    assert_eq!(range.len(), numbers.len());
                    assert_eq!(range.sum(), Some(numbers.iter().sum()), "{range:?}");
                    assert_eq!(range.last(), numbers.last().copied());
                    let ends = numbers.iter().min().copied().zip(numbers.iter().max().copied());
                    assert_eq!(range.ends(), ends);
                    for value in -8..=8 {
                        let place = numbers.iter().position(|number| *number == value);
                        assert_eq!(range.position(value), place, "{value} in {range:?}");
                    }
                    let backwards: Vec<i64> = numbers.iter().rev().copied().collect();
                    assert!(range.reversed().unwrap().iter().eq(backwards));
                }
            }
        }
    }

    #[test]
    fn equal_sequences_are_equal_ranges() {
        assert_eq!(range(0, 0, 1), range(5, 2, 7));
        assert_eq!(range(1, 2, 1), range(1, 9, 100));
        assert_eq!(range(0, 5, 2), range(0, 6, 2));
        assert_ne!(range(0, 5, 1), range(0, 5, 2));
    }

    #[test]
    fn the_ends_of_the_integers() {
        let all = range(i64::MIN, i64::MAX, 1);
        assert_eq!(all.len(), usize::MAX);
        assert_eq!(all.sum(), i64::try_from(-i128::from(u64::MAX)).ok());
        assert_eq!(all.position(0), Some(1 << 63));
        assert_eq!((all.last(), all.ends()), (Some(i64::MAX - 1), Some((i64::MIN, i64::MAX - 1))));
        assert_eq!(all.reversed(), None);
        let one = range(i64::MAX, i64::MIN, i64::MIN);
        assert_eq!((one.len(), one.last()), (2, Some(-1)));
        assert_eq!(range(0, i64::MAX, 1).sum(), None);
        assert_eq!(range(0, 10, 1).slice(0, 10, i64::MAX), Some(range(0, 10, i64::MAX)));
        assert_eq!(range(0, 10, 2).slice(0, 5, i64::MAX), None);
    }
}
