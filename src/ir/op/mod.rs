//! The operations of a program, a table for each kind. A row says what an operation is called, on which types
//! it works, when it has no result, and what it costs; types, fusion and back ends ask the table. What
//! a row cannot say is its formula: each back end has its own, in a match without a wildcard.

mod binary;
mod compare;
mod fold;
mod loops;
mod map;
mod unary;

pub use binary::{BinaryOp, Failure, binary_code};
pub use compare::CompareOp;
pub use fold::{ReduceOp, ScanOp, Way};
pub use loops::{Cost, Loop, Loops};
pub use map::MapOp;
pub use unary::{UnaryOp, unary_code};

/// Where a result is infinite, and exactly so, though the operands are finite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pole {
    /// Nowhere: what is infinite was too large.
    None,
    /// Where the first operand is zero.
    First,
    /// Where the second one is.
    Second,
    /// Wherever it is infinite.
    Anywhere,
}

impl Pole {
    /// The operand that is zero there.
    pub const fn operand(self) -> Option<usize> {
        match self {
            Pole::None | Pole::Anywhere => None,
            Pole::First => Some(0),
            Pole::Second => Some(1),
        }
    }
}

/// Makes an enum of the rows of a table, which `row` finds. With `codes in`, a module has each operation as
/// a constant, for kernels that are compiled for one of them.
macro_rules! operations {
    (
        $(#[$doc:meta])* $name:ident: $Row:ty, codes in $code:ident {
            $($(#[$variant_doc:meta])* $variant:ident = $row:expr,)*
        }
    ) => {
        operations! {
            $(#[$doc])* $name: $Row { $($(#[$variant_doc])* $variant = $row,)* }
        }

        #[allow(non_upper_case_globals)]
        pub mod $code {
            $(pub const $variant: u8 = super::$name::$variant as u8;)*
        }
    };
    (
        $(#[$doc:meta])* $name:ident: $Row:ty {
            $($(#[$variant_doc:meta])* $variant:ident = $row:expr,)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)*
        }

        impl $name {
            pub const ALL: &[$name] = &[$($name::$variant),*];

            pub const fn row(self) -> &'static $Row {
                const ROWS: &[$Row] = &[$($row),*];
                &ROWS[self as usize]
            }

            /// As `:explain` prints it.
            pub const fn name(self) -> &'static str {
                self.row().name
            }
        }
    };
}
use operations;

#[cfg(test)]
mod tests {
    use super::{BinaryOp, Loop, UnaryOp};
    use crate::dtype::Kind;

    /// A loop in another type leads to one that is there.
    #[test]
    fn loops_lead_somewhere() {
        let all = UnaryOp::ALL.iter().map(|op| (op.name(), op.row().loops));
        for (name, loops) in all.chain(BinaryOp::ALL.iter().map(|op| (op.name(), op.row().loops))) {
            for kind in [Kind::Bool, Kind::Unsigned, Kind::Signed, Kind::Float, Kind::Complex] {
                match loops.of(kind) {
                    Loop::Float => assert_eq!(loops.of(Kind::Float), Loop::Own, "{name}"),
                    Loop::Int8 => assert_eq!(loops.of(Kind::Signed), Loop::Own, "{name}"),
                    Loop::Own | Loop::Unchanged | Loop::Missing => {}
                }
            }
        }
    }
}
