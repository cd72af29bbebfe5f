//! How threads run through a program with rows.

use smallvec::SmallVec;

/// Everything that the text of a kernel says and its program does not.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RowsForm {
    pub lanes: Lanes,
    /// Threads that share a row; a power of two.
    pub threads: u16,
    /// Rows of a block where lanes run along them; else so many times `vector` rows. A power of two.
    pub groups: u16,
    /// Neighbours that a thread takes at once: elements along a row, rows across them.
    pub vector: u8,
    /// How often a thread does so before anything is folded: its loads under way.
    pub steps: u8,
    pub keep: Keep,
    pub part: Part,
    /// Whether a row may end within a vector.
    pub is_ragged: bool,
    /// Whether rows, elements, or places within a row need 64 bits.
    pub is_wide: bool,
    pub kept_rank: u8,
    pub reduced_rank: u8,
    /// How each operand is reached, inputs first.
    pub reach: SmallVec<[Reach; 4]>,
    /// The axis of the program that each axis of the launch is (the last part of), if the program
    /// asks for coordinates.
    pub axes: SmallVec<[u8; 4]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lanes {
    /// Neighbouring threads have neighbouring elements of a row.
    Along,
    /// Neighbouring threads have neighbouring rows.
    Across,
}

/// Where values wait that a later pass over the row needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Keep {
    /// In the registers of their threads: a row is one vector for each of `steps`.
    Registers,
    Shared,
    /// Nowhere: they are loaded and computed again.
    Nothing,
}

/// Which part of the work a kernel does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// All of it; each row by one block.
    Whole,
    /// The pass of one stage, each row by several blocks; what they find goes through scratch
    /// memory, and the last of them joins it.
    Pass(u8),
}

/// How an operand is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reach {
    /// A vector of neighbours at once.
    Vector,
    /// One element after the other.
    Single,
    /// At the same place for all neighbours, but for computed indices: along a row for all of its
    /// elements, across rows for all rows of a thread.
    Fixed,
}

impl RowsForm {
    /// The name of the kernel in its text.
    pub fn entry(&self) -> &'static str {
        match (self.lanes, self.part) {
            (Lanes::Along, Part::Whole) => "rows",
            (Lanes::Along, Part::Pass(_)) => "rows_pass",
            (Lanes::Across, Part::Whole) => "columns",
            (Lanes::Across, Part::Pass(_)) => "columns_pass",
        }
    }

    /// Threads of a block.
    pub fn block(&self) -> u32 {
        u32::from(self.threads) * u32::from(self.groups)
    }

    /// Neighbouring elements that a thread takes at once.
    pub fn width(&self) -> u32 {
        if self.lanes == Lanes::Along { u32::from(self.vector) } else { 1 }
    }

    /// Rows that a thread works on.
    pub fn rows(&self) -> u32 {
        if self.lanes == Lanes::Across { u32::from(self.vector) } else { 1 }
    }

    /// Rows that a block works on.
    pub fn block_rows(&self) -> u32 {
        u32::from(self.groups) * self.rows()
    }

    /// Elements of a row that are folded together.
    pub fn tile(&self) -> usize {
        usize::from(self.threads) * self.width() as usize * usize::from(self.steps)
    }

    /// Whether there is one tile only, whose values stay where they are.
    pub fn is_held(&self) -> bool {
        self.keep == Keep::Registers
    }

    /// The stage whose pass this kernel runs, if it runs one only.
    pub fn stage(&self) -> Option<u8> {
        match self.part {
            Part::Whole => None,
            Part::Pass(stage) => Some(stage),
        }
    }
}
