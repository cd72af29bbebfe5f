//! What operations ask of objects of the program's classes: the method, its operands, and what its answer is for.

use crate::interp::compile::{Code, Op, Reg};
use crate::interp::object::operate;
use crate::interp::value::Value;
use crate::syntax::ast::{BinaryOp, CompareOp, UnaryOp};

/// An operation that a method of an object may answer.
#[derive(Clone, Copy)]
pub(super) struct Question {
    pub of: Asked,
    /// The register of the object that is asked.
    pub object: Reg,
    /// What the method takes besides.
    pub operands: [Operand; 2],
    pub then: Use,
}

#[derive(Clone, Copy)]
pub(super) enum Asked {
    /// `a op b`, or `a op= b`
    Operator {
        op: BinaryOp,
        is_update: bool,
    },
    /// `a < b` and its like
    Comparison(CompareOp),
    /// `b in a`
    Contains,
    Unary(UnaryOp),
    Truth,
    /// `a[b]`
    Item,
    /// `a[b] = c`
    SetItem,
    /// `a[b]` of `a[b] op= c`
    ItemToUpdate,
    /// What a loop goes through.
    Iter,
    /// The next item of a loop.
    Next,
    /// A built-in function of one value, in that register.
    Call(Reg),
    /// What an f-string shows of a value, without a specification.
    Text,
    /// The same, with a conversion.
    Converted(u8),
    /// What an f-string shows of a value under a specification.
    Format,
    /// `a.name`, where the object and its class have nothing of that name.
    Attribute(u16),
    /// `a.name = b`
    SetAttribute,
}

#[derive(Clone, Copy)]
pub(super) enum Operand {
    Register(Reg),
    /// It stands in the operation.
    Number(i16),
    /// The name at that place of the code's.
    Name(u16),
    Nothing,
}

/// What is done with an answer.
#[derive(Clone, Copy)]
pub(super) enum Use {
    Put(Reg),
    /// Its truth, or the opposite.
    PutTruth {
        to: Reg,
        is_negated: bool,
    },
    /// The jump that stands next, where its truth is `when`.
    Jump {
        when: bool,
    },
    /// A jump, where its truth is `when`.
    Go {
        when: bool,
        to: u32,
    },
    /// It is an item, and the places of the index stand next.
    PutItem(Reg),
    /// It is the next item of a loop, past the jump that leaves it.
    PutNext(Reg),
    /// Nothing, past the places of the index.
    DropItem,
    Drop,
}

impl Use {
    /// Whether only the truth of an answer counts.
    pub fn is_truth(self) -> bool {
        matches!(self, Use::PutTruth { .. } | Use::Jump { .. } | Use::Go { .. })
    }

    /// The register that an answer goes to.
    pub fn target(self) -> Option<Reg> {
        match self {
            Use::Put(to) | Use::PutTruth { to, .. } | Use::PutItem(to) | Use::PutNext(to) => {
                Some(to)
            }
            Use::Jump { .. } | Use::Go { .. } | Use::DropItem | Use::Drop => None,
        }
    }
}

impl Question {
    /// What an operation asks, if a method can answer it.
    pub fn of(code: &Code, operation: Op) -> Option<Question> {
        use Operand::{Name, Nothing, Number, Register};
        let operator = |op, to, a, b, is_update| {
            let of = Asked::Operator { op, is_update };
            ask(of, a, [Register(b), Nothing], Use::Put(to))
        };
        Some(match operation {
            Op::Add { to, a, b } => operator(BinaryOp::Add, to, a, b, false),
            Op::Sub { to, a, b } => operator(BinaryOp::Sub, to, a, b, false),
            Op::Mul { to, a, b } => operator(BinaryOp::Mul, to, a, b, false),
            Op::Mod { to, a, b } => operator(BinaryOp::Mod, to, a, b, false),
            Op::FloorDiv { to, a, b } => operator(BinaryOp::FloorDiv, to, a, b, false),
            Op::Div { to, a, b } => operator(BinaryOp::Div, to, a, b, false),
            Op::Binary { op, to, a, b } => operator(op, to, a, b, false),
            Op::Update { op, to, a, b } | Op::UpdateLast { op, to, a, b } => {
                operator(op, to, a, b, true)
            }
            Op::AddInt { to, a, number } => with_number(BinaryOp::Add, to, a, number),
            Op::SubInt { to, a, number } => with_number(BinaryOp::Sub, to, a, number),
            Op::Compare { op, to, a, b } => match op {
                CompareOp::In | CompareOp::NotIn => {
                    let then = Use::PutTruth { to, is_negated: op == CompareOp::NotIn };
                    ask(Asked::Contains, b, [Register(a), Nothing], then)
                }
                _ => ask(Asked::Comparison(op), a, [Register(b), Nothing], Use::Put(to)),
            },
            Op::CompareInt { op, to, a, number } => {
                ask(Asked::Comparison(op), a, [Number(number), Nothing], Use::Put(to))
            }
            Op::Unless { op, a, b } => condition(op, a, b, false),
            Op::When { op, a, b } => condition(op, a, b, true),
            Op::UnlessInt { op, a, number } => {
                ask(Asked::Comparison(op), a, [Number(number), Nothing], Use::Jump { when: false })
            }
            Op::WhenInt { op, a, number } => {
                ask(Asked::Comparison(op), a, [Number(number), Nothing], Use::Jump { when: true })
            }
            Op::JumpIf { value, to } => {
                ask(Asked::Truth, value, [Nothing; 2], Use::Go { when: true, to })
            }
            Op::JumpIfNot { value, to } => {
                ask(Asked::Truth, value, [Nothing; 2], Use::Go { when: false, to })
            }
            Op::Unary { op: UnaryOp::Not, to, a } => {
                ask(Asked::Truth, a, [Nothing; 2], Use::PutTruth { to, is_negated: true })
            }
            Op::Unary { op, to, a } => ask(Asked::Unary(op), a, [Nothing; 2], Use::Put(to)),
            Op::Subscript { to, base, index } => {
                ask(Asked::Item, base, [Register(index), Nothing], Use::PutItem(to))
            }
            Op::SetSubscript { base, index, from, .. } => {
                ask(Asked::SetItem, base, [Register(index), Register(from)], Use::DropItem)
            }
            Op::ItemToUpdate { first } => {
                let operands = [Register(first + 1), Nothing];
                ask(Asked::ItemToUpdate, first, operands, Use::PutItem(first + 2))
            }
            Op::Call { to, callee, site } => {
                let site = &code.sites[usize::from(site)];
                if !site.is_plain || site.arguments.len() != 1 {
                    return None;
                }
                ask(Asked::Call(callee), callee + 1, [Nothing; 2], Use::Put(to))
            }
            Op::Iter { to, value } => ask(Asked::Iter, value, [Nothing; 2], Use::Put(to)),
            Op::Next { to, iter } => ask(Asked::Next, iter, [Nothing; 2], Use::PutNext(to)),
            Op::Text { value } => ask(Asked::Text, value, [Nothing; 2], Use::Put(value)),
            Op::Format { to, first, conversion: 0 } => {
                ask(Asked::Format, first, [Register(first + 1), Nothing], Use::Put(to))
            }
            Op::Format { to, first, conversion } => {
                ask(Asked::Converted(conversion), first, [Nothing; 2], Use::Put(to))
            }
            Op::Attribute { to, object, name } => {
                ask(Asked::Attribute(name), object, [Name(name), Nothing], Use::Put(to))
            }
            Op::SetAttribute { object, from, name } => {
                ask(Asked::SetAttribute, object, [Name(name), Register(from)], Use::Drop)
            }
            _ => return None,
        })
    }

    /// Whether its registers are wanted again: a truth value, what a loop goes through, where an item is stored.
    pub fn keeps_registers(&self) -> bool {
        let is_condition = matches!((self.of, self.then), (Asked::Truth, Use::Go { .. }));
        is_condition || matches!(self.of, Asked::Next | Asked::ItemToUpdate)
    }

    /// Whether an answer is used as it is: nobody else is asked then, and nothing can fail.
    pub fn takes(&self, answer: &Value) -> bool {
        match answer {
            answer if let Asked::Iter = self.of => {
                matches!(answer, Value::Generator(_) | Value::Iterator(_))
            }
            answer if self.of.wants_text() => matches!(answer, Value::Str(_)),
            Value::Bool(_) => true,
            Value::NotImplemented => !self.has_two_sides() && !self.then.is_truth(),
            _ => !self.then.is_truth(),
        }
    }

    /// Whether an object of another class, on the other side, may have a say before this one.
    pub fn has_two_sides(&self) -> bool {
        matches!(self.of, Asked::Operator { .. } | Asked::Comparison(_))
    }
}

impl Asked {
    /// The method that answers, where the operation says so.
    pub fn method(self) -> Option<&'static str> {
        Some(match self {
            Asked::Operator { op, .. } => operate::methods(op)[0],
            Asked::Comparison(op) => operate::comparison(op)?.0,
            Asked::Contains => "__contains__",
            Asked::Unary(op) => operate::unary_method(op)?,
            Asked::Truth => "__bool__",
            Asked::Item | Asked::ItemToUpdate => "__getitem__",
            Asked::SetItem => "__setitem__",
            Asked::Iter => "__iter__",
            Asked::Next => "__next__",
            Asked::Format => "__format__",
            Asked::Converted(b'r') => "__repr__",
            Asked::Attribute(_) => "__getattr__",
            Asked::SetAttribute => "__setattr__",
            Asked::Text | Asked::Converted(_) | Asked::Call(_) => return None,
        })
    }

    /// Whether the answer is shown.
    pub fn wants_text(self) -> bool {
        matches!(self, Asked::Text | Asked::Converted(_) | Asked::Format)
    }
}

impl Operand {
    pub fn is_something(self) -> bool {
        !matches!(self, Operand::Nothing)
    }

    pub fn name(self) -> Option<u16> {
        match self {
            Operand::Name(at) => Some(at),
            _ => None,
        }
    }

    #[inline(always)]
    pub fn register(self) -> Option<Reg> {
        match self {
            Operand::Register(at) => Some(at),
            Operand::Number(_) | Operand::Name(_) | Operand::Nothing => None,
        }
    }

    pub fn value(self, registers: &[Value]) -> Option<Value> {
        match self {
            Operand::Register(at) => Some(registers[usize::from(at)].clone()),
            Operand::Number(number) => Some(Value::Int(number.into())),
            Operand::Name(_) | Operand::Nothing => None,
        }
    }
}

fn ask(of: Asked, object: Reg, operands: [Operand; 2], then: Use) -> Question {
    Question { of, object, operands, then }
}

fn with_number(op: BinaryOp, to: Reg, a: Reg, number: i16) -> Question {
    let of = Asked::Operator { op, is_update: false };
    ask(of, a, [Operand::Number(number), Operand::Nothing], Use::Put(to))
}

fn condition(op: CompareOp, a: Reg, b: Reg, when: bool) -> Question {
    let then = |is_negated: bool| Use::Jump { when: when != is_negated };
    match op {
        CompareOp::In | CompareOp::NotIn => {
            let operands = [Operand::Register(a), Operand::Nothing];
            ask(Asked::Contains, b, operands, then(op == CompareOp::NotIn))
        }
        _ => ask(Asked::Comparison(op), a, [Operand::Register(b), Operand::Nothing], then(false)),
    }
}
