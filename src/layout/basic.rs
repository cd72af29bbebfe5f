//! Basic indexing at one go, for loops: where nothing is wrong, no plan is needed.

use super::{IndexPart, Layout, Shape, Strides};

impl Layout {
    /// The layout of the elements that integers, slices, new axes and an ellipsis mean. `None` where
    /// there is an array among them, or where [`IndexPlan::new`](super::IndexPlan::new) finds an error.
    pub fn basic(&self, parts: impl Iterator<Item = IndexPart> + Clone) -> Option<Layout> {
        let (mut consumed, mut ellipses) = (0, 0);
        for part in parts.clone() {
            match part {
                IndexPart::Int(_) | IndexPart::Slice(_) => consumed += 1,
                IndexPart::NewAxis => {}
                IndexPart::Ellipsis => ellipses += 1,
                IndexPart::Array(_) | IndexPart::Flag(_) => return None,
            }
        }
        let missing = self.rank().checked_sub(consumed).filter(|_| ellipses <= 1)?;
        let (mut shape, mut strides, mut axis) = (Shape::scalar(), Strides::new(), 0);
        let mut offset = self.offset as isize;
        let whole = |axis: &mut usize, count: usize, shape: &mut Shape, strides: &mut Strides| {
            for _ in 0..count {
                shape.push(self.shape[*axis]);
                strides.push(self.strides[*axis]);
                *axis += 1;
            }
        };
        for part in parts {
            match part {
                IndexPart::Int(at) => {
                    let extent = self.shape[axis] as i64;
                    let at = if at < 0 { at + extent } else { at };
                    if !(0..extent).contains(&at) {
                        return None;
                    }
                    offset += at as isize * self.strides[axis];
                    axis += 1;
                }
                IndexPart::Slice(slice) => {
                    let (start, count, step) = slice.resolve(self.shape[axis]).ok()?;
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
                IndexPart::Ellipsis => whole(&mut axis, missing, &mut shape, &mut strides),
                IndexPart::Array(_) | IndexPart::Flag(_) => return None,
            }
        }
        let rest = self.rank() - axis;
        whole(&mut axis, rest, &mut shape, &mut strides);
        shape.checked_elem_count().ok()?;
        Some(Layout { shape, strides, offset: offset as usize })
    }
}
