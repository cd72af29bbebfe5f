//! What a mask selects, counted.

/// How many elements of a mask are true, and where the output of its parts begins, so that who writes what it selects
/// need not count again.
#[derive(Debug, Default)]
pub struct Selection {
    pub count: usize,
    pub(super) begins: Begins,
}

/// As the device keeps them that has counted.
#[derive(Debug, Default)]
pub(super) enum Begins {
    /// Where nothing is selected, or nobody computes.
    #[default]
    None,
    /// Those of pieces, and the number of all behind them.
    Host(Vec<usize>),
    /// Those of tiles in memory of the device, where each block has counted so many tiles.
    #[cfg(feature = "cuda")]
    Device { memory: std::sync::Arc<super::Storage>, each: usize },
}

impl Selection {
    /// Where the output of each piece begins, and at the end the number of all.
    pub(super) fn pieces(&self) -> &[usize] {
        match &self.begins {
            Begins::Host(pieces) => pieces,
            _ => &[],
        }
    }

    /// Of which no more is known.
    pub(super) fn of(count: usize) -> Selection {
        Selection { count, begins: Begins::None }
    }
}
