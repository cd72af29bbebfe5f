//! Basic indexing at one go, for loops: where nothing is wrong, no plan is needed.

use super::{IndexPart, Layout, MAX_RANK, Shape, Strides};

impl Layout {
    /// The layout of the elements that integers, slices, new axes and an ellipsis mean. `None` where
    /// there is an array among them, or where [`IndexPlan::new`](super::IndexPlan::new) finds an error.
    pub fn basic(&self, parts: impl Iterator<Item = IndexPart> + Clone) -> Option<Layout> {
        let (mut shape, mut strides, mut axis) = (Shape::scalar(), Strides::new(), 0);
        let mut offset = self.offset as isize;
        let whole = |axis: &mut usize, count: usize, shape: &mut Shape, strides: &mut Strides| {
            for _ in 0..count {
                shape.push(self.shape[*axis]);
                strides.push(self.strides[*axis]);
                *axis += 1;
            }
        };
        let (mut rest, mut has_ellipsis) = (parts, false);
        while let Some(part) = rest.next() {
            match part {
                IndexPart::Int(at) => {
                    let extent = *self.shape.get(axis)? as i64;
                    let at = if at < 0 { at + extent } else { at };
                    if !(0..extent).contains(&at) {
                        return None;
                    }
                    offset += at as isize * self.strides[axis];
                    axis += 1;
                }
                IndexPart::Slice(slice) => {
                    let (start, count, step) = slice.resolve(*self.shape.get(axis)?).ok()?;
                    if count > 0 {
                        offset += start as isize * self.strides[axis];
                    }
                    shape.push(count);
                    strides.push(self.strides[axis] * step);
                    axis += 1;
                }
                IndexPart::NewAxis => {
                    shape.push(1);
                    strides.push(0);
                }
                IndexPart::Ellipsis if has_ellipsis => return None,
                IndexPart::Ellipsis => {
                    has_ellipsis = true;
                    let takes =
                        |part: &IndexPart| matches!(part, IndexPart::Int(_) | IndexPart::Slice(_));
                    let taken = axis + rest.clone().filter(takes).count();
                    let missing = self.rank().checked_sub(taken)?;
                    whole(&mut axis, missing, &mut shape, &mut strides);
                }
                IndexPart::Array(_) | IndexPart::Flag(_) => return None,
            }
        }
        let missing = self.rank() - axis;
        whole(&mut axis, missing, &mut shape, &mut strides);
        // No more elements than there are, but maybe more axes.
        if shape.rank() > MAX_RANK {
            return None;
        }
        Some(Layout { shape, strides, offset: offset as usize })
    }
}
