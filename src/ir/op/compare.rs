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
