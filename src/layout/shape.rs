//! Lengths of axes.

use std::fmt;
use std::ops::{Deref, DerefMut};

use smallvec::SmallVec;

use super::{Error, Strides};

/// The most axes a tensor may have, as in NumPy.
pub const MAX_RANK: usize = 64;

/// The length of every axis; none at all for a scalar.
#[derive(PartialEq, Eq, Hash, Default)]
pub struct Shape(SmallVec<[usize; 6]>);

impl Clone for Shape {
    #[inline]
    fn clone(&self) -> Shape {
        // One copy of memory, where the vector's own goes length by length.
        Shape(SmallVec::from_slice(&self.0))
    }
}

impl Shape {
    /// The shape of a single value.
    #[inline]
    pub fn scalar() -> Shape {
        Shape::default()
    }

    #[inline]
    pub fn rank(&self) -> usize {
        self.0.len()
    }

    /// The number of elements. Shapes of tensors were checked on creation, so this does not
    /// overflow for them, but on the way to an axis of length zero.
    #[inline]
    pub fn elem_count(&self) -> usize {
        self.0.iter().fold(1, |count, extent| count.wrapping_mul(*extent))
    }

    /// The number of elements of a shape that a user asked for.
    ///
    /// # Errors
    /// [`Error::TooLarge`] where the count or a length does not fit 63 bits, [`Error::TooManyAxes`] above
    /// [`MAX_RANK`].
    #[inline]
    pub fn checked_elem_count(&self) -> Result<usize, Error> {
        if self.rank() > MAX_RANK {
            return Err(Error::TooManyAxes { rank: self.rank() });
        }
        let too_large = || Error::TooLarge { shape: self.0.iter().map(|n| *n as u128).collect() };
        if self.0.iter().any(|extent| *extent > isize::MAX as usize) {
            return Err(too_large());
        }
        if self.0.contains(&0) {
            return Ok(0);
        }
        let count = self.0.iter().try_fold(1usize, |count, extent| count.checked_mul(*extent));
        count.filter(|count| *count <= isize::MAX as usize).ok_or_else(too_large)
    }

    /// Lengths that were added up or multiplied.
    ///
    /// # Errors
    /// As [`Shape::checked_elem_count`].
    pub fn of_sums(extents: &[u128]) -> Result<Shape, Error> {
        let fitted: Option<Shape> = extents.iter().map(|n| usize::try_from(*n).ok()).collect();
        let shape = fitted.ok_or_else(|| Error::TooLarge { shape: extents.into() })?;
        shape.checked_elem_count()?;
        Ok(shape)
    }

    /// Each length this many times.
    ///
    /// # Errors
    /// As [`Shape::checked_elem_count`].
    pub fn scaled(extents: &[usize], times: &[usize]) -> Result<Shape, Error> {
        let scaled = extents.iter().zip(times).map(|(extent, n)| *extent as u128 * *n as u128);
        Shape::of_sums(&scaled.collect::<Vec<_>>())
    }

    #[inline]
    pub fn contiguous_strides(&self) -> Strides {
        let mut strides = Strides::from_elem(0, self.rank());
        let mut stride = 1isize;
        for axis in (0..self.rank()).rev() {
            strides[axis] = stride;
            stride = stride.saturating_mul(self.0[axis].max(1) as isize);
        }
        strides
    }

    /// The axis that a Python index means: negative ones count from the end.
    ///
    /// # Errors
    /// [`Error::AxisOutOfBounds`].
    #[inline]
    pub fn axis(&self, axis: i64) -> Result<usize, Error> {
        normalize_axis(axis, self.rank())
    }

    #[inline]
    pub fn push(&mut self, extent: usize) {
        self.0.push(extent);
    }

    #[inline]
    pub fn insert(&mut self, axis: usize, extent: usize) {
        self.0.insert(axis, extent);
    }

    #[inline]
    pub fn remove(&mut self, axis: usize) -> usize {
        self.0.remove(axis)
    }
}

/// See [`Shape::axis`]; for shapes that do not exist yet.
#[inline]
pub fn normalize_axis(axis: i64, rank: usize) -> Result<usize, Error> {
    let normal = if axis < 0 { axis + rank as i64 } else { axis };
    if (0..rank as i64).contains(&normal) {
        Ok(normal as usize)
    } else {
        Err(Error::AxisOutOfBounds { axis, rank })
    }
}

impl Deref for Shape {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        &self.0
    }
}

impl DerefMut for Shape {
    fn deref_mut(&mut self) -> &mut [usize] {
        &mut self.0
    }
}

impl From<&[usize]> for Shape {
    #[inline]
    fn from(extents: &[usize]) -> Shape {
        Shape(extents.into())
    }
}

impl<const N: usize> From<[usize; N]> for Shape {
    #[inline]
    fn from(extents: [usize; N]) -> Shape {
        Shape(extents.as_slice().into())
    }
}

impl FromIterator<usize> for Shape {
    #[inline]
    fn from_iter<I: IntoIterator<Item = usize>>(extents: I) -> Shape {
        Shape(extents.into_iter().collect())
    }
}

/// As Python prints a tuple: `()`, `(3,)`, `(2, 3)`. The alternate form is the one of NumPy's
/// messages, without blanks: `(2,3)`.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let comma = if f.alternate() { "," } else { ", " };
        f.write_str("(")?;
        for (axis, extent) in self.0.iter().enumerate() {
            if axis > 0 {
                f.write_str(comma)?;
            }
            write!(f, "{extent}")?;
        }
        f.write_str(if self.rank() == 1 { ",)" } else { ")" })
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
