//! A program's instructions as C statements, one a line.
//!
//! A form decides where in its kernel a value is computed and how the leaves of the program are
//! reached there: it says so through [`Leaves`] and asks for instructions in any order in which
//! operands come first. What it computed elsewhere (a reduction's result, a row's value) it gives
//! a name.

use super::code::Code;
use super::{names, ops};
use crate::ir::{BinaryOp, Instr, Op, Program, Reg};

/// How a form reaches what a program does not compute. All answers are C expressions.
pub trait Leaves {
    /// The element of an input at the point, as memory holds it.
    fn load(&mut self, input: u16) -> String;

    /// The element of an input at the point and at computed indices, as memory holds it. `places`
    /// are int64 variables that are within bounds.
    fn gather(&mut self, input: u16, places: &[String]) -> String;

    /// The coordinate of the point along an axis of the space; int64.
    fn iota(&mut self, axis: u8) -> String;

    /// The row-major number of the point in the whole space, for faults; u64.
    fn position(&mut self) -> String;
}

/// What is known of a program's values at one place of a kernel. A clone serves for an inner scope.
#[derive(Debug, Clone)]
pub struct Body<'p> {
    program: &'p Program,
    names: Vec<Option<String>>,
}

impl<'p> Body<'p> {
    pub fn new(program: &'p Program) -> Body<'p> {
        let constant = |instr: &Instr| match &instr.op {
            Op::Const(value) => Some(names::constant(*value, instr.dtype)),
            _ => None,
        };
        Body { program, names: program.instrs.iter().map(constant).collect() }
    }

    /// The C expression of a value that is known here: a variable or a constant.
    pub fn name(&self, reg: Reg) -> &str {
        self.names[reg.index()].as_deref().expect("operands are computed before their use")
    }

    pub fn is_known(&self, reg: Reg) -> bool {
        self.names[reg.index()].is_some()
    }

    /// The value is in a variable that the form has declared.
    pub fn set(&mut self, reg: Reg, name: impl Into<String>) {
        self.names[reg.index()] = Some(name.into());
    }

    /// The instructions that these values need and that are not known yet, in order. Reductions
    /// must be known already.
    pub fn missing(&self, values: impl IntoIterator<Item = Reg>) -> Vec<Reg> {
        let mut is_needed = vec![false; self.program.instrs.len()];
        values.into_iter().for_each(|reg| is_needed[reg.index()] = true);
        for at in (0..is_needed.len()).rev() {
            if is_needed[at] && self.names[at].is_none() {
                for operand in self.program.instrs[at].op.operands() {
                    is_needed[operand.index()] = true;
                }
            }
        }
        let wanted = |at: &usize| is_needed[*at] && self.names[*at].is_none();
        (0..is_needed.len()).filter(wanted).map(|at| Reg(at as u16)).collect()
    }

    /// Writes everything that these values need.
    pub fn compute(
        &mut self,
        code: &mut Code,
        values: impl IntoIterator<Item = Reg>,
        leaves: &mut impl Leaves,
    ) {
        for reg in self.missing(values) {
            self.emit(code, reg, leaves);
        }
    }

    /// Writes one instruction, whose operands are known: declares its variable, named by its number
    /// (`v3`; a plain load by its input, `x0`).
    ///
    /// # Panics
    /// For a reduction, which is the form's own affair.
    pub fn emit(&mut self, code: &mut Code, reg: Reg, leaves: &mut impl Leaves) {
        let program = self.program;
        let instr = program.instr(reg);
        let dtype = instr.dtype;
        let name = match &instr.op {
            Op::Load { input } => format!("x{input}"),
            _ => format!("v{}", reg.0),
        };
        let expression = match &instr.op {
            Op::Const(_) => return,
            Op::Load { input } => names::from_stored(dtype, &leaves.load(*input)),
            Op::Iota { axis } => leaves.iota(*axis),
            Op::Gather { input, .. } => {
                code.line(format_args!("{} {name} = 0;", names::value(dtype)));
                self.gather(code, reg, leaves, |code, leaves, places| {
                    let element = names::from_stored(dtype, &leaves.gather(*input, places));
                    code.line(format_args!("{name} = {element};"));
                });
                self.set(reg, name);
                return;
            }
            Op::Unary(op, a) => ops::unary(*op, program.instr(*a).dtype, self.name(*a)),
            Op::Binary(op, a, b) => {
                let (a, b) = (self.name(*a).to_string(), self.name(*b).to_string());
                self.emit_fault(code, reg, leaves);
                self.quotient(*op, reg, &a).unwrap_or_else(|| ops::binary(*op, dtype, &a, &b))
            }
            Op::Compare(op, a, b) => ops::compare(*op, self.name(*a), self.name(*b)),
            Op::Select(condition, a, b) => {
                let [condition, a, b] = [condition, a, b].map(|reg| self.name(*reg));
                format!("{condition} ? {a} : {b}")
            }
            Op::Cast(a) => ops::cast(program.instr(*a).dtype, dtype, self.name(*a)),
            Op::Reduce(..) => unreachable!("a form computes reductions itself"),
        };
        code.line(format_args!("{} {name} = {expression};", names::value(dtype)));
        self.set(reg, name);
    }

    /// A division by a constant that need not be one.
    fn quotient(&self, op: BinaryOp, reg: Reg, a: &str) -> Option<String> {
        let instr = self.program.instr(reg);
        match (op, &instr.op) {
            (BinaryOp::Div, Op::Binary(_, _, b)) => match self.program.instr(*b).op {
                Op::Const(divisor) => ops::quotient_by(divisor, instr.dtype, a),
                _ => None,
            },
            _ => None,
        }
    }

    /// Reports a divisor of zero or a negative exponent, where the program does not rule it out.
    fn emit_fault(&self, code: &mut Code, reg: Reg, leaves: &mut impl Leaves) {
        let Op::Binary(op, _, b) = &self.program.instr(reg).op else { return };
        if !self.program.can_fail_at(reg) {
            return;
        }
        if let Some((condition, kind)) =
            ops::fault(*op, self.program.instr(*b).dtype, self.name(*b))
        {
            let position = leaves.position();
            code.line(format_args!(
                "if ({condition}) report(p.fault, {position}, {kind}, {}, 0, 0, 0);",
                reg.0
            ));
        }
    }

    /// Writes the way to a gather's element: its indices counted from the start, as int64
    /// variables, and a report where one is out of bounds. What `read` writes is done where none is.
    /// The bounds are fields of `Params`: `extent{input}_{number}`.
    pub fn gather<L: Leaves>(
        &self,
        code: &mut Code,
        reg: Reg,
        leaves: &mut L,
        read: impl FnOnce(&mut Code, &mut L, &[String]),
    ) {
        let Op::Gather { input, indices } = &self.program.instr(reg).op else { return };
        if indices.is_empty() {
            // A tensor of rank 0 has no axis to be outside of.
            return read(code, leaves, &[]);
        }
        let mut places = Vec::with_capacity(indices.len());
        for (number, index) in indices.iter().enumerate() {
            let (place, index) = (format!("i{}_{number}", reg.0), self.name(*index));
            let extent = format!("p.extent{input}_{number}");
            code.line(format_args!("i64 {place} = from_start({index}, {extent});"));
            places.push(place);
        }
        let position = leaves.position();
        for (number, index) in indices.iter().enumerate() {
            let (place, index) = (&places[number], self.name(*index));
            let extent = format!("p.extent{input}_{number}");
            let condition = format!("if (is_outside({place}, {extent}))");
            match number {
                0 => code.open(condition),
                _ => code.open_else_with(condition),
            }
            code.line(format_args!(
                "report(p.fault, {position}, FAULT_INDEX, {}, {number}, {index}, {extent});",
                reg.0
            ));
        }
        code.open_else();
        read(code, leaves, &places);
        code.close();
    }
}
