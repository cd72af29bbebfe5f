//! Where a view's cursor goes.

use super::panels::{Panel, Side};
use super::{View, Wish};

/// A part of an index that a user types: a place along an axis, or all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    At(usize),
    All,
}

/// `3, :, -1` as one item for each axis; axes that are left out are whole.
pub(super) fn parse(text: &str, shape: &[usize]) -> Result<Vec<Item>, String> {
    let text = text.trim().trim_start_matches('[').trim_end_matches(']').trim_end_matches(',');
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let gap = parts.iter().position(|part| *part == "...");
    let given = parts.len() - usize::from(gap.is_some());
    if given > shape.len() {
        return Err(format!("{given} places, but the tensor has {} axes", shape.len()));
    }
    let mut items = Vec::with_capacity(shape.len());
    for (at, part) in parts.iter().enumerate() {
        if gap == Some(at) {
            items.extend(std::iter::repeat_n(Item::All, shape.len() - given));
            continue;
        }
        if *part == ":" {
            items.push(Item::All);
            continue;
        }
        let axis = items.len();
        let Some(len) = shape.get(axis) else {
            return Err(format!("expected a number or `:`, found `{part}`"));
        };
        let place = part.parse::<i64>();
        let place = place.map_err(|_| format!("expected a number or `:`, found `{part}`"))?;
        let from = if place < 0 { place.saturating_add(*len as i64) } else { place };
        match usize::try_from(from) {
            Ok(place) if place < *len => items.push(Item::At(place)),
            _ => {
                return Err(format!(
                    "index {place} is out of bounds for axis {axis} with size {len}"
                ));
            }
        }
    }
    items.resize(shape.len(), Item::All);
    Ok(items)
}

impl View {
    /// Moves the cursor by so many rows and columns, as far as there are any.
    pub(super) fn go(&mut self, rows: isize, cols: isize) -> Wish {
        if let Some(overflow) = self.overflow() {
            self.scrolled = self.scrolled.saturating_add_signed(rows).min(overflow);
            return Wish::Nothing;
        }
        let (down, across) = self.ways();
        let (tall, wide) = self.stride();
        self.shift(down, rows.saturating_mul(tall as isize));
        self.shift(across, cols.saturating_mul(wide as isize));
        Wish::Nothing
    }

    pub(super) fn go_page(&mut self, rows: isize, cols: isize) -> Wish {
        let (tall, wide) = self.page();
        self.go(rows * tall as isize, cols * wide as isize)
    }

    /// Another slice.
    pub(super) fn step(&mut self, by: isize) -> Wish {
        self.shift(self.axes.stepped, by);
        self.leave_slice()
    }

    pub(super) fn choose_step(&mut self, is_forward: bool) -> Wish {
        self.axes.step_next(is_forward, self.at.len());
        Wish::Nothing
    }

    pub(super) fn turn(&mut self, is_row: bool) -> Wish {
        self.axes.turn(is_row, self.at.len());
        self.leave_slice()
    }

    pub(super) fn swap(&mut self) -> Wish {
        self.axes.swap();
        self.leave_slice()
    }

    /// To an index. Where two axes are whole, they are shown.
    pub(super) fn go_to(&mut self, items: &[Item]) -> Wish {
        let whole = items.iter().enumerate().filter(|(_, item)| **item == Item::All);
        let whole: Vec<usize> = whole.map(|(axis, _)| axis).collect();
        if let [row, col] = whole[..] {
            self.axes.show(row, col, self.at.len());
        }
        for (at, item) in self.at.iter_mut().zip(items) {
            if let Item::At(place) = item {
                *at = *place;
            }
        }
        self.panel = Panel::Cells;
        Wish::Nothing
    }

    /// What a panel says of one slice is not true of another.
    fn leave_slice(&mut self) -> Wish {
        match &mut self.panel {
            Panel::Statistics(shown) if shown.is_whole => {}
            Panel::Statistics(_) => return Wish::Statistics { is_whole: false },
            panel => panel.forget(),
        }
        Wish::Nothing
    }

    /// The axes that the cursor moves along, up and down, to the left and to the right.
    fn ways(&self) -> (Option<usize>, Option<usize>) {
        match self.panel {
            Panel::Along(Side::Cols, _) => (self.axes.col, self.axes.row),
            _ => (self.axes.row, self.axes.col),
        }
    }

    fn shift(&mut self, axis: Option<usize>, by: isize) {
        if let Some(axis) = axis {
            let last = self.subject.shape[axis].saturating_sub(1);
            self.at[axis] = self.at[axis].saturating_add_signed(by).min(last);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_typed() {
        let at = |text| parse(text, &[4, 5, 6]);
        assert_eq!(at("3,:,-1"), Ok(vec![Item::At(3), Item::All, Item::At(5)]));
        assert_eq!(at("[1]"), Ok(vec![Item::At(1), Item::All, Item::All]));
        assert_eq!(at("..., 2"), Ok(vec![Item::All, Item::All, Item::At(2)]));
        assert_eq!(at("1, 2, 3,"), Ok(vec![Item::At(1), Item::At(2), Item::At(3)]));
        for wrong in ["4", ":,:,-7", "1,2,3,4", "x", "1:2", "..., ..., 1", "9223372036854775808"] {
            assert!(at(wrong).is_err(), "{wrong}");
        }
        assert!(parse("0", &[]).is_err());
    }
}
