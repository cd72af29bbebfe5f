//! The operations of a program. A new one is a variant here, a row in each back end's table, and a
//! line in the interpreter's registry.

/// Makes a payload-free enum whose variants know their printed names.
macro_rules! named_ops {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)*
        }

        impl $name {
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// As `:explain` prints it.
            pub fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)*
                }
            }
        }
    };
}

named_ops! {
    /// One operand; the result has its type, but for the tests at the end, which give bool.
    /// The transcendental ones take floats only.
    UnaryOp {
        Neg = "neg",
        Abs = "abs",
        Sign = "sign",
        /// Bitwise on integers, logical on bool.
        Not = "not",
        Square = "square",
        Reciprocal = "reciprocal",
        Sqrt = "sqrt",
        Rsqrt = "rsqrt",
        Cbrt = "cbrt",
        Exp = "exp",
        Exp2 = "exp2",
        Expm1 = "expm1",
        Log = "log",
        Log2 = "log2",
        Log10 = "log10",
        Log1p = "log1p",
        Sin = "sin",
        Cos = "cos",
        Tan = "tan",
        Asin = "asin",
        Acos = "acos",
        Atan = "atan",
        Sinh = "sinh",
        Cosh = "cosh",
        Tanh = "tanh",
        Asinh = "asinh",
        Acosh = "acosh",
        Atanh = "atanh",
        Sigmoid = "sigmoid",
        Erf = "erf",
        Floor = "floor",
        Ceil = "ceil",
        Trunc = "trunc",
        /// To the nearest integer, halves to even.
        Round = "round",
        /// bool
        IsNan = "isnan",
        /// bool
        IsInf = "isinf",
        /// bool
        IsFinite = "isfinite",
        /// bool
        SignBit = "signbit",
    }
}

named_ops! {
    /// Two operands of one type, which the result has too.
    BinaryOp {
        Add = "add",
        Sub = "sub",
        Mul = "mul",
        /// Floats only.
        Div = "div",
        /// Rounds towards minus infinity. An integer zero divisor ends the launch with an error.
        FloorDiv = "floordiv",
        /// Has the divisor's sign. An integer zero divisor ends the launch with an error.
        Mod = "mod",
        /// C's remainder: has the dividend's sign.
        Fmod = "fmod",
        /// Integers: wraps; a negative exponent ends the launch with an error.
        Pow = "pow",
        /// NaN if either is.
        Max = "max",
        /// NaN if either is.
        Min = "min",
        /// The other if one is NaN.
        Fmax = "fmax",
        /// The other if one is NaN.
        Fmin = "fmin",
        Atan2 = "atan2",
        Hypot = "hypot",
        CopySign = "copysign",
        NextAfter = "nextafter",
        LogAddExp = "logaddexp",
        LogAddExp2 = "logaddexp2",
        BitAnd = "and",
        BitOr = "or",
        BitXor = "xor",
        /// Zero where the shift reaches the width.
        Shl = "shl",
        /// The sign's bit where the shift reaches the width.
        Shr = "shr",
        Gcd = "gcd",
        Lcm = "lcm",
    }
}

named_ops! {
    /// Two operands of one type; bool. Comparisons with NaN are false, but for `Ne`.
    CompareOp {
        Eq = "eq",
        Ne = "ne",
        Lt = "lt",
        Le = "le",
        Gt = "gt",
        Ge = "ge",
    }
}

named_ops! {
    /// Folds a row to one value.
    ReduceOp {
        /// Integers wrap.
        Sum = "sum",
        Prod = "prod",
        /// NaN if any is. Over bool: any.
        Max = "max",
        /// NaN if any is. Over bool: all.
        Min = "min",
        /// int64: the first position of the largest, or of the first NaN.
        ArgMax = "argmax",
        /// int64: the first position of the smallest, or of the first NaN.
        ArgMin = "argmin",
    }
}

named_ops! {
    /// Folds that keep every step.
    ScanOp {
        Sum = "cumsum",
        Prod = "cumprod",
        Max = "cummax",
        Min = "cummin",
    }
}

impl UnaryOp {
    /// Whether the result is bool, whatever the operand.
    pub fn is_test(self) -> bool {
        matches!(self, UnaryOp::IsNan | UnaryOp::IsInf | UnaryOp::IsFinite | UnaryOp::SignBit)
    }
}

impl ReduceOp {
    /// Whether the result is a position.
    pub fn is_arg(self) -> bool {
        matches!(self, ReduceOp::ArgMax | ReduceOp::ArgMin)
    }
}
