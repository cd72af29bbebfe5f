//! Between which numbers an integer lies, whatever the data: interval analysis over a program's
//! instructions. What it shows to be a place within an axis needs no check, and nobody waits for one.

use super::{BinaryOp, Op, Program, ReduceOp, Reg, Space};

/// The least and the greatest number that a value may be.
pub type Interval = (i128, i128);

impl Program {
    /// What each value lies between where the program runs over `space`; nothing of floats and complex numbers.
    pub fn intervals(&self, space: &Space) -> Vec<Option<Interval>> {
        let mut found: Vec<Option<Interval>> = Vec::with_capacity(self.instrs.len());
        for instr in &self.instrs {
            let own = instr.dtype.integer_range().map(|limits| {
                let of = |reg: &Reg| found[reg.index()];
                let value = match &instr.op {
                    Op::Const(value) => {
                        let held = value.held_as(instr.dtype).as_i128();
                        Some((held, held))
                    }
                    Op::Iota { axis } => {
                        let extent = space.dims.get(*axis as usize).copied().unwrap_or(usize::MAX);
                        Some((0, extent.max(1) as i128 - 1))
                    }
                    Op::Cast(from) => of(from),
                    // Of a row without elements it is what the fold begins with.
                    Op::Reduce(ReduceOp::Min | ReduceOp::Max, from) if space.row_len() > 0 => {
                        of(from)
                    }
                    Op::Select(_, yes, no) => {
                        of(yes).zip(of(no)).map(|(a, b)| (a.0.min(b.0), a.1.max(b.1)))
                    }
                    Op::Binary(op, left, right) => {
                        of(left).zip(of(right)).and_then(|(a, b)| binary(*op, a, b))
                    }
                    Op::Load { .. }
                    | Op::Gather { .. }
                    | Op::Unary(..)
                    | Op::Compare(..)
                    | Op::Reduce(..) => None,
                };
                // What does not fit its type wraps.
                let fits = |value: &Interval| limits.0 <= value.0 && value.1 <= limits.1;
                value.filter(fits).unwrap_or(limits)
            });
            found.push(own);
        }
        found
    }
}

/// Of two integers; nothing where only their type tells.
fn binary(op: BinaryOp, a: Interval, b: Interval) -> Option<Interval> {
    let of_all = |f: fn(i128, i128) -> Option<i128>| -> Option<Interval> {
        let corners = [f(a.0, b.0)?, f(a.0, b.1)?, f(a.1, b.0)?, f(a.1, b.1)?];
        Some((corners.into_iter().min()?, corners.into_iter().max()?))
    };
    match op {
        BinaryOp::Add => of_all(i128::checked_add),
        BinaryOp::Sub => of_all(i128::checked_sub),
        BinaryOp::Mul => of_all(i128::checked_mul),
        BinaryOp::Min | BinaryOp::Fmin => Some((a.0.min(b.0), a.1.min(b.1))),
        BinaryOp::Max | BinaryOp::Fmax => Some((a.0.max(b.0), a.1.max(b.1))),
        // The sign is the divisor's.
        BinaryOp::Mod if b.0 > 0 => Some((0, b.1 - 1)),
        BinaryOp::Mod if b.1 < 0 => Some((b.0 + 1, 0)),
        BinaryOp::FloorDiv if b.0 > 0 => of_all(|x, y| Some(x.div_euclid(y))),
        // What one of them has no bits above, the other can't bring back.
        BinaryOp::BitAnd if a.0 >= 0 && b.0 >= 0 => Some((0, a.1.min(b.1))),
        BinaryOp::BitAnd if a.0 >= 0 => Some((0, a.1)),
        BinaryOp::BitAnd if b.0 >= 0 => Some((0, b.1)),
        BinaryOp::Shr if b.0 >= 0 && b.1 < 64 => of_all(|x, y| Some(x >> y)),
        BinaryOp::Mod
        | BinaryOp::FloorDiv
        | BinaryOp::BitAnd
        | BinaryOp::Shr
        | BinaryOp::Div
        | BinaryOp::Fmod
        | BinaryOp::Pow
        | BinaryOp::Atan2
        | BinaryOp::Hypot
        | BinaryOp::CopySign
        | BinaryOp::NextAfter
        | BinaryOp::LogAddExp
        | BinaryOp::LogAddExp2
        | BinaryOp::BitOr
        | BinaryOp::BitXor
        | BinaryOp::Shl
        | BinaryOp::Gcd
        | BinaryOp::Lcm => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::{DType, Scalar};
    use crate::ir::{Builder, CompareOp, Domain, UnaryOp};

    const I64: DType = DType::I64;

    fn space() -> Space {
        Space { dims: [7, 12].into_iter().collect(), kept: 2 }
    }

    fn found(make: impl FnOnce(&mut Builder) -> Reg) -> Option<Interval> {
        let mut b = Builder::new();
        let value = make(&mut b);
        b.output(value, Domain::Element);
        let program = b.finish();
        program.intervals(&space())[program.outputs[0].value.index()]
    }

    fn number(b: &mut Builder, value: i64) -> Reg {
        b.constant(Scalar::Int(value), I64)
    }

    /// An int64 of which nothing is known.
    fn any(b: &mut Builder) -> Reg {
        let input = b.input(I64);
        b.load(input, Domain::Element)
    }

    /// `any` between two numbers.
    fn between(b: &mut Builder, low: i64, high: i64) -> Reg {
        let (x, low, high) = (any(b), number(b, low), number(b, high));
        let x = b.push(Op::Binary(BinaryOp::Max, x, low), I64);
        b.push(Op::Binary(BinaryOp::Min, x, high), I64)
    }

    #[test]
    fn an_interval_is_as_narrow_as_the_instructions_say() {
        let all = I64.integer_range();
        assert_eq!(found(any), all);
        assert_eq!(found(|b| between(b, -3, 9)), Some((-3, 9)));
        let added = |b: &mut Builder| {
            let (x, y) = (between(b, -3, 9), between(b, 2, 4));
            b.push(Op::Binary(BinaryOp::Add, x, y), I64)
        };
        assert_eq!(found(added), Some((-1, 13)));
        // A sum that may wrap may be anything.
        let wraps = |b: &mut Builder| {
            let (x, y) = (between(b, 0, i64::MAX), number(b, 1));
            b.push(Op::Binary(BinaryOp::Add, x, y), I64)
        };
        assert_eq!(found(wraps), all);
        let truth = |b: &mut Builder| {
            let (x, y) = (any(b), any(b));
            let is_less = b.push(Op::Compare(CompareOp::Lt, x, y), DType::Bool);
            b.cast(is_less, I64)
        };
        assert_eq!(found(truth), Some((0, 1)));
        // Of a float nothing is known.
        let cut = |b: &mut Builder| {
            let input = b.input(DType::F32);
            let x = b.load(input, Domain::Element);
            b.cast(x, I64)
        };
        assert_eq!(found(cut), all);
        let narrow = |b: &mut Builder| {
            let input = b.input(DType::U8);
            let x = b.load(input, Domain::Element);
            b.cast(x, I64)
        };
        assert_eq!(found(narrow), Some((0, 255)));
        let negated = |b: &mut Builder| {
            let x = between(b, 1, 2);
            b.push(Op::Unary(UnaryOp::Neg, x), I64)
        };
        assert_eq!(found(negated), all);
    }

    /// Every pair of numbers of two intervals gives a result within.
    #[test]
    fn no_result_is_outside() {
        let ops = [
            BinaryOp::Add,
            BinaryOp::Sub,
            BinaryOp::Mul,
            BinaryOp::Min,
            BinaryOp::Max,
            BinaryOp::Mod,
            BinaryOp::FloorDiv,
            BinaryOp::BitAnd,
            BinaryOp::Shr,
        ];
        let result = |op: BinaryOp, x: i128, y: i128| match op {
            BinaryOp::Add => x + y,
            BinaryOp::Sub => x - y,
            BinaryOp::Mul => x * y,
            BinaryOp::Min => x.min(y),
            BinaryOp::Max => x.max(y),
            BinaryOp::Mod => (x % y + y) % y,
            BinaryOp::FloorDiv => (x as f64 / y as f64).floor() as i128,
            BinaryOp::BitAnd => x & y,
            _ => x >> y,
        };
        let ends = [-5, -2, -1, 0, 1, 3, 6];
        let intervals =
            || ends.into_iter().flat_map(|a| ends.map(|b| (a, b))).filter(|i| i.0 <= i.1);
        let mut told = 0;
        for op in ops {
            for a in intervals() {
                for b in intervals() {
                    let Some((low, high)) = binary(op, a, b) else { continue };
                    told += 1;
                    for x in a.0..=a.1 {
                        for y in b.0..=b.1 {
                            let value = result(op, x, y);
                            assert!(
                                (low..=high).contains(&value),
                                "{op:?} {a:?} {b:?}: {x} {y} {value}"
                            );
                        }
                    }
                }
            }
        }
        assert!(told > 3000, "{told}");
    }

    #[test]
    fn an_extreme_is_one_of_its_row() {
        let mut b = Builder::new();
        let x = between(&mut b, 2, 5);
        let most = b.push(Op::Reduce(ReduceOp::Max, x), I64);
        b.output(most, Domain::Row);
        let program = b.finish();
        let over = |len| Space { dims: [7, len].into_iter().collect(), kept: 1 };
        assert_eq!(program.intervals(&over(3))[most.index()], Some((2, 5)));
        assert_eq!(program.intervals(&over(0))[most.index()], I64.integer_range());
    }

    #[test]
    fn coordinates_lie_in_their_axis() {
        let coordinate = |b: &mut Builder| b.iota(1, Domain::Element);
        assert_eq!(found(coordinate), Some((0, 11)));
        let last = |b: &mut Builder| {
            let (end, at) = (number(b, 11), b.iota(1, Domain::Element));
            b.push(Op::Binary(BinaryOp::Sub, end, at), I64)
        };
        assert_eq!(found(last), Some((0, 11)));
    }
}
