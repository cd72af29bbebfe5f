//! Programs as text, for `:explain` and for tests.

use std::fmt;

use super::{Domain, Instr, Op, Program, Reg};

impl fmt::Display for Reg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Op::Const(value) => write!(f, "const {value}"),
            Op::Iota { axis } => write!(f, "iota axis {axis}"),
            Op::Load { input } => write!(f, "load in{input}"),
            Op::Gather { input, indices } => {
                write!(f, "gather in{input} at")?;
                indices.iter().try_for_each(|index| write!(f, " {index}"))
            }
            Op::Unary(op, a) => write!(f, "{} {a}", op.name()),
            Op::Binary(op, a, b) => write!(f, "{} {a} {b}", op.name()),
            Op::Compare(op, a, b) => write!(f, "{} {a} {b}", op.name()),
            Op::Select(condition, a, b) => write!(f, "select {condition} {a} {b}"),
            Op::Cast(a) => write!(f, "cast {a}"),
            Op::Reduce(op, a) => write!(f, "reduce {} {a}", op.name()),
        }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, Instr { op, dtype, domain }) in self.instrs.iter().enumerate() {
            write!(f, "%{at} = {op} : {dtype}")?;
            // Constants are the same everywhere: saying so would only be noise.
            let per_row = *domain == Domain::Row && !matches!(op, Op::Const(_));
            f.write_str(if per_row { " per row\n" } else { "\n" })?;
        }
        for (at, output) in self.outputs.iter().enumerate() {
            writeln!(f, "out{at} = {}", output.value)?;
        }
        Ok(())
    }
}
