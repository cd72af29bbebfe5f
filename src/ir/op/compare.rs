//! Comparisons.

use super::operations;

#[derive(Debug)]
pub struct Compare {
    pub name: &'static str,
    /// The operator, here as in C.
    pub sign: &'static str,
}

operations! {
    /// Two operands of one type; bool. Comparisons with NaN are false, but for `Ne`.
    CompareOp: Compare {
        Eq = Compare { name: "eq", sign: "==" },
        Ne = Compare { name: "ne", sign: "!=" },
        Lt = Compare { name: "lt", sign: "<" },
        Le = Compare { name: "le", sign: "<=" },
        Gt = Compare { name: "gt", sign: ">" },
        Ge = Compare { name: "ge", sign: ">=" },
    }
}

impl CompareOp {
    /// The comparison that says the same of the operands in the other order.
    pub const fn swapped(self) -> CompareOp {
        match self {
            CompareOp::Eq | CompareOp::Ne => self,
            CompareOp::Lt => CompareOp::Gt,
            CompareOp::Le => CompareOp::Ge,
            CompareOp::Gt => CompareOp::Lt,
            CompareOp::Ge => CompareOp::Le,
        }
    }
}
