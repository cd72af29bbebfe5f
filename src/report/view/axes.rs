//! Which axes a view shows as rows and columns, and which of the others its keys step along.

/// A tensor with one axis has rows only, or columns only; one without axes has neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Axes {
    pub row: Option<usize>,
    pub col: Option<usize>,
    /// The axis that slices follow one another along.
    pub stepped: Option<usize>,
}

impl Axes {
    /// The last two of so many, and the one before them.
    pub fn of(rank: usize) -> Axes {
        match rank {
            0 => Axes { row: None, col: None, stepped: None },
            1 => Axes { row: Some(0), col: None, stepped: None },
            _ => Axes { row: Some(rank - 2), col: Some(rank - 1), stepped: rank.checked_sub(3) },
        }
    }

    pub fn is_shown(self, axis: usize) -> bool {
        self.row == Some(axis) || self.col == Some(axis)
    }

    pub fn swap(&mut self) {
        std::mem::swap(&mut self.row, &mut self.col);
    }

    /// The next axis in the place of the rows or of the columns; the one that was there becomes a slice's.
    pub fn turn(&mut self, is_row: bool, rank: usize) {
        let chosen = if is_row { self.row } else { self.col };
        let Some(chosen) = chosen else { return };
        let next = (1..rank).map(|by| (chosen + by) % rank).find(|axis| !self.is_shown(*axis));
        let Some(next) = next else { return self.swap() };
        match is_row {
            true => self.row = Some(next),
            false => self.col = Some(next),
        }
        self.settle(rank);
    }

    /// These two as rows and columns.
    pub fn show(&mut self, row: usize, col: usize, rank: usize) {
        (self.row, self.col) = (Some(row), Some(col));
        self.settle(rank);
    }

    /// The next of the other axes to step along, or the one before.
    pub fn step_next(&mut self, is_forward: bool, rank: usize) {
        let Some(stepped) = self.stepped else { return };
        let by = |by: usize| (stepped + if is_forward { by } else { rank - by }) % rank;
        if let Some(next) = (1..rank).map(by).find(|axis| !self.is_shown(*axis)) {
            self.stepped = Some(next);
        }
    }

    /// What is shown is not stepped along.
    fn settle(&mut self, rank: usize) {
        if self.stepped.is_some_and(|axis| self.is_shown(axis)) {
            self.stepped = (0..rank).rev().find(|axis| !self.is_shown(*axis));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_axis_has_its_turn() {
        let mut axes = Axes::of(4);
        assert_eq!(axes, Axes { row: Some(2), col: Some(3), stepped: Some(1) });
        axes.step_next(true, 4);
        assert_eq!(axes.stepped, Some(0));
        axes.step_next(false, 4);
        assert_eq!(axes.stepped, Some(1));
        axes.turn(true, 4);
        assert_eq!(axes, Axes { row: Some(0), col: Some(3), stepped: Some(1) });
        axes.turn(true, 4);
        assert_eq!(axes, Axes { row: Some(1), col: Some(3), stepped: Some(2) });
        axes.turn(false, 4);
        assert_eq!(axes, Axes { row: Some(1), col: Some(0), stepped: Some(2) });
        axes.swap();
        assert_eq!((axes.row, axes.col), (Some(0), Some(1)));
        let mut two = Axes::of(2);
        two.turn(true, 2);
        assert_eq!((two.row, two.col, two.stepped), (Some(1), Some(0), None));
        for rank in 0..2 {
            let mut few = Axes::of(rank);
            few.turn(true, rank);
            few.turn(false, rank);
            few.step_next(true, rank);
            assert!(few.stepped.is_none());
        }
    }
}
