//! NumPy's indexing, as geometry: which elements an index means, without touching any.

use std::fmt;

use smallvec::SmallVec;

use super::{Error, Layout, Shape, Strides, broadcast_shapes};

/// Python's slice: each part may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Slice {
    pub start: Option<i64>,
    pub stop: Option<i64>,
    pub step: Option<i64>,
}

impl Slice {
    /// The first element, the number of elements, and the step, for an axis of length `len`, by
    /// Python's rules: bounds are clipped, never wrong.
    ///
    /// # Errors
    /// [`Error::ZeroStep`].
    pub fn resolve(self, len: usize) -> Result<(usize, usize, isize), Error> {
        let len = len as i64;
        let step = self.step.unwrap_or(1);
        if step == 0 {
            return Err(Error::ZeroStep);
        }
        // Walking backwards, the place before the first element is -1.
        let (low, high) = if step > 0 { (0, len) } else { (-1, len - 1) };
        let clip = |bound: i64| {
            if bound < 0 { (bound.saturating_add(len)).max(low) } else { bound.min(high) }
        };
        let start = self.start.map_or(if step > 0 { low } else { high }, clip);
        let stop = self.stop.map_or(if step > 0 { high } else { low }, clip);
        let span = if step > 0 { stop - start } else { start - stop };
        let count = if span <= 0 { 0 } else { (span - 1) / step.saturating_abs() + 1 };
        // A step that leaves the axis at once may be anything: keep it small enough for strides.
        let step = if count <= 1 { step.signum() } else { step };
        Ok((start.max(0) as usize, count as usize, step as isize))
    }
}

/// One part of an index. Masks have been turned into the integer arrays that they mean.
#[derive(Debug, Clone, PartialEq)]
pub enum IndexPart {
    Int(i64),
    Slice(Slice),
    NewAxis,
    Ellipsis,
    /// An integer array of this shape.
    Array(Shape),
    /// A single bool: an array of no or one place that consumes no axis.
    Flag(bool),
}

/// What kind of work an index is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IndexKind {
    /// The result shares the elements: nothing moves.
    View,
    /// Elements are read at computed places.
    Gather,
    /// What a mask of the same shape selects is written side by side.
    Compact,
    /// Values are written to computed places.
    Scatter,
    /// Values are written through a view.
    Copy,
    /// One value is written through a view.
    Fill,
    /// One value is written where a mask of the same shape is true.
    MaskedFill,
}

/// An axis of the indexed tensor that an integer array reaches into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatheredAxis {
    /// Which of the parts holds the array.
    pub part: usize,
    pub axis: usize,
    pub extent: usize,
    pub stride: isize,
}

/// Where the elements lie that an index means.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexPlan {
    pub kind: IndexKind,
    /// Shape, signed strides and offset of the result over the indexed storage. Axes that come
    /// from index arrays have stride zero here: `gathered` adds what they reach.
    pub layout: Layout,
    pub gathered: SmallVec<[GatheredAxis; 2]>,
    /// The shape in which the index arrays meet.
    pub index_shape: Shape,
    /// The result's axes that come from index arrays.
    pub index_axes: std::ops::Range<usize>,
    /// Whether those axes stand first because the arrays are apart in the index.
    pub moved_first: bool,
    /// Whether a mask must be turned into places first.
    pub needs_mask_compaction: bool,
    /// Memory that turning masks into places takes, at the most.
    pub temp_bytes: usize,
}

impl IndexPlan {
    /// Resolves an index against the layout of what it indexes.
    ///
    /// # Errors
    /// The index errors of [`Error`]. The values of index arrays are not looked at here.
    pub fn new(base: &Layout, parts: &[IndexPart]) -> Result<IndexPlan, Error> {
        let parts = with_ellipsis(base.rank(), parts)?;
        let is_array = |part: &IndexPart| matches!(part, IndexPart::Array(_) | IndexPart::Flag(_));
        let is_advanced = parts.iter().any(|(_, part)| is_array(part));
        let mut walk = Resolver::new(base);
        for (number, part) in &parts {
            walk.take(*number, part, is_advanced)?;
        }
        walk.finish(is_advanced)
    }
}

/// Every axis of `rank` gets a part: the ellipsis, one at the end if there is none, becomes whole
/// slices. Each part keeps its number in the index as written; the ellipsis itself stays as a mark,
/// because it parts the arrays on its two sides even where it stands for no axis.
fn with_ellipsis(rank: usize, parts: &[IndexPart]) -> Result<Vec<(usize, IndexPart)>, Error> {
    let consumes = |part: &IndexPart| {
        matches!(part, IndexPart::Int(_) | IndexPart::Slice(_) | IndexPart::Array(_))
    };
    let consuming = || parts.iter().enumerate().filter(|(_, part)| consumes(part));
    let mut ellipses = parts.iter().enumerate().filter(|(_, part)| **part == IndexPart::Ellipsis);
    if let Some((part, _)) = ellipses.nth(1) {
        return Err(Error::ManyEllipses { part });
    }
    let consumed = consuming().count();
    if let Some((part, _)) = consuming().nth(rank) {
        return Err(Error::TooManyIndices { rank, indices: consumed, part });
    }
    let missing = rank - consumed;
    let mut whole: Vec<(usize, IndexPart)> = Vec::with_capacity(parts.len() + missing);
    let fill = |whole: &mut Vec<(usize, IndexPart)>, number: usize| {
        whole.push((number, IndexPart::Ellipsis));
        whole.extend((0..missing).map(|_| (number, IndexPart::Slice(Slice::default()))));
    };
    let mut filled = false;
    for (number, part) in parts.iter().enumerate() {
        if *part == IndexPart::Ellipsis {
            fill(&mut whole, number);
            filled = true;
        } else {
            whole.push((number, part.clone()));
        }
    }
    if !filled {
        fill(&mut whole, parts.len());
    }
    Ok(whole)
}

struct Resolver<'b> {
    base: &'b Layout,
    /// The axis of the base that the next part consumes.
    axis: usize,
    offset: isize,
    shape: Shape,
    strides: Strides,
    gathered: SmallVec<[GatheredAxis; 2]>,
    index_shapes: Vec<Shape>,
    /// How many result axes stood before the first array.
    first_array: Option<usize>,
    /// Whether something stood between two arrays.
    has_gap: bool,
    is_behind_array: bool,
}

impl Resolver<'_> {
    fn new(base: &Layout) -> Resolver<'_> {
        Resolver {
            base,
            axis: 0,
            offset: base.offset as isize,
            shape: Shape::scalar(),
            strides: Strides::new(),
            gathered: SmallVec::new(),
            index_shapes: Vec::new(),
            first_array: None,
            has_gap: false,
            is_behind_array: false,
        }
    }

    fn take(&mut self, number: usize, part: &IndexPart, is_advanced: bool) -> Result<(), Error> {
        let joins = matches!(part, IndexPart::Array(_) | IndexPart::Flag(_))
            || (is_advanced && matches!(part, IndexPart::Int(_)));
        if joins {
            match self.first_array {
                None => self.first_array = Some(self.shape.rank()),
                Some(_) if self.is_behind_array => self.has_gap = true,
                Some(_) => {}
            }
        } else if self.first_array.is_some() {
            self.is_behind_array = true;
        }
        match part {
            IndexPart::NewAxis => {
                self.shape.push(1);
                self.strides.push(0);
            }
            IndexPart::Int(index) => {
                let extent = self.base.shape[self.axis];
                let place = if *index < 0 { index + extent as i64 } else { *index };
                if !(0..extent as i64).contains(&place) {
                    return Err(Error::IndexOutOfBounds {
                        index: *index,
                        axis: self.axis,
                        extent,
                        part: number,
                    });
                }
                self.offset += place as isize * self.base.strides[self.axis];
                self.axis += 1;
            }
            IndexPart::Slice(slice) => {
                let (start, count, step) = slice.resolve(self.base.shape[self.axis])?;
                let stride = self.base.strides[self.axis];
                if count > 0 {
                    self.offset += start as isize * stride;
                }
                self.shape.push(count);
                self.strides.push(stride * step);
                self.axis += 1;
            }
            IndexPart::Array(shape) => {
                self.index_shapes.push(shape.clone());
                self.gathered.push(GatheredAxis {
                    part: number,
                    axis: self.axis,
                    extent: self.base.shape[self.axis],
                    stride: self.base.strides[self.axis],
                });
                self.axis += 1;
            }
            IndexPart::Flag(value) => self.index_shapes.push([usize::from(*value)].into()),
            IndexPart::Ellipsis => {}
        }
        Ok(())
    }

    fn finish(mut self, is_advanced: bool) -> Result<IndexPlan, Error> {
        let mut index_axes = 0..0;
        let mut index_shape = Shape::scalar();
        if is_advanced {
            let shapes: Vec<&Shape> = self.index_shapes.iter().collect();
            index_shape = broadcast_shapes(&shapes)
                .map_err(|_| Error::IndexShapes { shapes: self.index_shapes.clone() })?;
            let start = if self.has_gap { 0 } else { self.first_array.unwrap_or(0) };
            for (place, extent) in index_shape.iter().enumerate() {
                self.shape.insert(start + place, *extent);
                self.strides.insert(start + place, 0);
            }
            index_axes = start..start + index_shape.rank();
        }
        self.shape.checked_elem_count()?;
        let layout =
            Layout { shape: self.shape, strides: self.strides, offset: self.offset as usize };
        Ok(IndexPlan {
            kind: if is_advanced { IndexKind::Gather } else { IndexKind::View },
            layout,
            gathered: self.gathered,
            index_shape,
            index_axes,
            moved_first: is_advanced && self.has_gap,
            needs_mask_compaction: false,
            temp_bytes: 0,
        })
    }
}

impl fmt::Display for IndexKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            IndexKind::View => "VIEW",
            IndexKind::Gather => "GATHER",
            IndexKind::Compact => "COMPACT",
            IndexKind::Scatter => "SCATTER",
            IndexKind::Copy => "COPY",
            IndexKind::Fill | IndexKind::MaskedFill => "FILL",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_clip_like_python() {
        let slice = |start, stop, step| Slice { start, stop, step }.resolve(10).unwrap();
        assert_eq!(slice(Some(2), Some(100), None), (2, 8, 1));
        assert_eq!(slice(Some(100), Some(200), None), (10, 0, 1));
        assert_eq!(slice(None, None, Some(-1)), (9, 10, -1));
        assert_eq!(slice(Some(7), Some(2), Some(-2)), (7, 3, -2));
        assert_eq!(slice(None, Some(-100), Some(-1)), (9, 10, -1));
        assert_eq!(slice(Some(100), None, Some(-3)), (9, 4, -3));
        assert_eq!(slice(None, None, Some(i64::MIN)), (9, 1, -1));
        assert_eq!(Slice { step: Some(0), ..Slice::default() }.resolve(3), Err(Error::ZeroStep));
    }

    #[test]
    fn arrays_apart_move_their_axes_first() {
        let base = Layout::contiguous([2, 3, 4].into());
        let array = || IndexPart::Array([2].into());
        let whole = || IndexPart::Slice(Slice::default());
        let shape = |parts: &[IndexPart]| IndexPlan::new(&base, parts).unwrap().layout.shape;
        assert_eq!(shape(&[whole(), array(), array()]), [2, 2].into());
        assert_eq!(shape(&[array(), whole(), array()]), [2, 3].into());
        assert_eq!(shape(&[IndexPart::Int(0), whole(), array()]), [2, 3].into());
        assert_eq!(shape(&[whole(), array(), IndexPart::NewAxis, array()]), [2, 2, 1].into());
        assert_eq!(shape(&[IndexPart::Ellipsis, IndexPart::Flag(true)]), [2, 3, 4, 1].into());
        assert_eq!(shape(&[IndexPart::Flag(true), IndexPart::Int(0)]), [1, 3, 4].into());
    }
}
