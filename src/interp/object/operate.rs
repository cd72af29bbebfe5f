//! Operators between objects: their methods, those of the other side, and what a built-in base does.

use std::cmp::Ordering;

use super::bytes::Bytes;
use crate::diag::Fault;
use crate::interp::augment::rename;
use crate::interp::builtins::go_together;
use crate::interp::ops::unsupported;
use crate::interp::percent;
use crate::interp::value::Type;
use crate::interp::{Evaluator, Value};
use crate::syntax::ast::{BinaryOp, CompareOp, UnaryOp};
use crate::tensor::Error;

/// An operator's methods: `a + b` asks `a`, then `b`, and `a += b` asks `a` first for the third.
pub fn methods(op: BinaryOp) -> [&'static str; 3] {
    match op {
        BinaryOp::Add => ["__add__", "__radd__", "__iadd__"],
        BinaryOp::Sub => ["__sub__", "__rsub__", "__isub__"],
        BinaryOp::Mul => ["__mul__", "__rmul__", "__imul__"],
        BinaryOp::Div => ["__truediv__", "__rtruediv__", "__itruediv__"],
        BinaryOp::FloorDiv => ["__floordiv__", "__rfloordiv__", "__ifloordiv__"],
        BinaryOp::Mod => ["__mod__", "__rmod__", "__imod__"],
        BinaryOp::Pow => ["__pow__", "__rpow__", "__ipow__"],
        BinaryOp::MatMul => ["__matmul__", "__rmatmul__", "__imatmul__"],
        BinaryOp::BitAnd => ["__and__", "__rand__", "__iand__"],
        BinaryOp::BitOr => ["__or__", "__ror__", "__ior__"],
        BinaryOp::BitXor => ["__xor__", "__rxor__", "__ixor__"],
        BinaryOp::Shl => ["__lshift__", "__rlshift__", "__ilshift__"],
        BinaryOp::Shr => ["__rshift__", "__rrshift__", "__irshift__"],
    }
}

/// A comparison's method, and the one of the other side that says the same.
pub fn comparison(op: CompareOp) -> Option<(&'static str, &'static str)> {
    Some(match op {
        CompareOp::Eq => ("__eq__", "__eq__"),
        CompareOp::Ne => ("__ne__", "__ne__"),
        CompareOp::Lt => ("__lt__", "__gt__"),
        CompareOp::Le => ("__le__", "__ge__"),
        CompareOp::Gt => ("__gt__", "__lt__"),
        CompareOp::Ge => ("__ge__", "__le__"),
        CompareOp::In | CompareOp::NotIn | CompareOp::Is | CompareOp::IsNot => return None,
    })
}

/// The method of an operator with one operand; `not` has none of its own.
pub fn unary_method(op: UnaryOp) -> Option<&'static str> {
    match op {
        UnaryOp::Not => None,
        UnaryOp::Neg => Some("__neg__"),
        UnaryOp::Pos => Some("__pos__"),
        UnaryOp::Invert => Some("__invert__"),
    }
}

impl Evaluator<'_> {
    /// `lhs op rhs`, where one of them is an object.
    pub(crate) fn binary_object(
        &self,
        op: BinaryOp,
        lhs: &Value,
        rhs: &Value,
    ) -> Result<Value, Error> {
        let [own, reflected, _] = methods(op);
        let answer = self.ask_both(own, reflected, lhs, rhs)?;
        self.answered(op, lhs, rhs, answer)
    }

    /// As [`Evaluator::binary_object`], where the left side's own method has been asked and did not know. `is_update`
    /// says that this is `lhs op= rhs`.
    pub(crate) fn refused(
        &self,
        op: BinaryOp,
        lhs: &Value,
        rhs: &Value,
        is_update: bool,
    ) -> Result<Value, Error> {
        // Of operands of one class the method has been asked already.
        let answer = match self.class_of(lhs) == self.class_of(rhs) {
            true => None,
            false => self.ask(rhs, methods(op)[1], lhs)?,
        };
        let answered = self.answered(op, lhs, rhs, answer);
        match is_update {
            true => answered.map_err(|error| rename(error, op, lhs, rhs)),
            false => answered,
        }
    }

    /// What an operator comes to; without an answer by what a class of the program's extends.
    fn answered(
        &self,
        op: BinaryOp,
        lhs: &Value,
        rhs: &Value,
        answer: Option<Value>,
    ) -> Result<Value, Error> {
        match answer {
            Some(result) => Ok(result),
            // What a format shows is the object, not what it extends.
            None if matches!((op, lhs), (BinaryOp::Mod, Value::Str(_)))
                && !matches!(rhs.plain(), Value::Tuple(_)) =>
            {
                self.sequence_binary(op, lhs, rhs)
            }
            None if op == BinaryOp::Mod
                && let Some(format) = Bytes::of(lhs) =>
            {
                percent::format_bytes(self, format.get(), rhs)
            }
            None if op == BinaryOp::Mul
                && let Some((sequence, times)) = self.repetition(lhs, rhs) =>
            {
                let times = Value::Int(self.as_index(times)?);
                self.sequence_binary(op, sequence, &times)
            }
            None => match plain_operands(lhs, rhs) {
                Some(_)
                    if op == BinaryOp::BitOr
                        && [lhs, rhs].iter().all(|side| side.as_dict().is_some()) =>
                {
                    let (left, right) = (self.asked_dict(lhs)?, self.asked_dict(rhs)?);
                    self.binary(op, &left, &right).map(|made| of_class(lhs, rhs, made))
                }
                Some((left, right)) => self
                    .binary(op, &left, &right)
                    .map(|made| of_class(lhs, rhs, made))
                    .map_err(|error| {
                        // The types that the program sees, not those that they extend.
                        match error.to_string().contains("unsupported operand type(s)") {
                            true => unsupported(op.symbol(), lhs, rhs),
                            false => error,
                        }
                    }),
                None if matches!(lhs, Value::Str(_) | Value::List(_) | Value::Tuple(_)) => {
                    self.sequence_binary(op, lhs, rhs)
                }
                None if op == BinaryOp::Mul
                    && matches!(rhs, Value::Str(_) | Value::List(_) | Value::Tuple(_)) =>
                {
                    let name = lhs.type_name();
                    let message = format!("can't multiply sequence by non-int of type '{name}'");
                    Err(Error::type_error(message))
                }
                None => Err(unsupported(op.symbol(), lhs, rhs)),
            },
        }
    }

    /// A sequence and an object that says how often it is repeated.
    fn repetition<'v>(&self, lhs: &'v Value, rhs: &'v Value) -> Option<(&'v Value, &'v Value)> {
        let is_sequence =
            |value: &Value| matches!(value, Value::Str(_) | Value::List(_) | Value::Tuple(_));
        let counts = |value: &Value| self.special(value, "__index__").is_some();
        match (is_sequence(lhs), is_sequence(rhs)) {
            (true, false) if counts(rhs) => Some((lhs, rhs)),
            (false, true) if counts(lhs) => Some((rhs, lhs)),
            _ => None,
        }
    }

    /// Asks one side and then the other; a class derived from the other side's that has a method of its own is
    /// asked first. `None` where neither has an answer.
    fn ask_both(
        &self,
        own: &str,
        reflected: &str,
        lhs: &Value,
        rhs: &Value,
    ) -> Result<Option<Value>, Fault> {
        // Of operands of one class nobody goes first.
        if let (Value::Object(left), Value::Object(right)) = (lhs, rhs)
            && left.class == right.class
            && left.class.program().is_some()
        {
            let said = self.ask(lhs, own, rhs)?;
            // A comparison that its class has from a built-in type answers, too.
            let is_known = self.special(lhs, own).is_none() && left.plain().is_some();
            let is_asked_again =
                said.is_none() && !is_known && (own == reflected || !is_arithmetic(own));
            return if is_asked_again { self.ask(rhs, reflected, lhs) } else { Ok(said) };
        }
        // A number that knows the other one answers by itself, but to a class derived from its own.
        if lhs.number().is_some() && rhs.plain().type_of() != lhs.type_of() && go_together(lhs, rhs)
        {
            return Ok(None);
        }
        let (left, right) = (self.class_of(lhs), self.class_of(rhs));
        let is_derived = left != right && right.is_a(&left) && right.program().is_some();
        let asked = if is_arithmetic(own) { reflected } else { "__eq__" };
        let goes_first = is_derived
            && self.special(rhs, reflected).or_else(|| self.special(rhs, asked)).is_some_and(
                |method| {
                    // An operator that it has from the other side's class says nothing new.
                    let inherited = || self.special(lhs, reflected);
                    !is_arithmetic(own) || inherited().is_none_or(|other| !other.is_same(&method))
                },
            );
        if goes_first {
            if let Some(result) = self.ask(rhs, reflected, lhs)? {
                return Ok(Some(result));
            }
            return self.ask(lhs, own, rhs);
        }
        if let Some(result) = self.ask(lhs, own, rhs)? {
            return Ok(Some(result));
        }
        self.ask(rhs, reflected, lhs)
    }

    /// What a method says; `None` where there is none, or it says NotImplemented.
    fn ask(&self, value: &Value, method: &str, other: &Value) -> Result<Option<Value>, Fault> {
        if method == "__ne__" && self.special(value, method).is_none() {
            // Python's own types have a `!=`, which does not ask for `==` but in counters.
            if let Value::Object(object) = value
                && let Some(plain) = object.plain()
            {
                if !go_together(plain, other) {
                    return Ok(None);
                }
                if plain.type_of() != Type::Counter {
                    return Ok(Some(self.compare(CompareOp::Ne, plain, other.plain())?));
                }
            }
            // Without a method of its own, `!=` is the opposite of what its `==` says.
            let equal = self.ask(value, "__eq__", other)?;
            return equal.map(|equal| Ok(Value::Bool(!self.truth(&equal)?))).transpose();
        }
        match self.call_special(value, method, [other]).transpose()? {
            Some(Value::NotImplemented) | None => Ok(None),
            result => Ok(result),
        }
    }

    /// `target op= value` by the method for it; `None` where there is none.
    pub(crate) fn update_object(
        &self,
        op: BinaryOp,
        target: &Value,
        value: &Value,
    ) -> Result<Option<Value>, Fault> {
        match target {
            Value::Object(_) => self.ask(target, methods(op)[2], value),
            _ => Ok(None),
        }
    }

    /// `op value` of an object.
    pub(crate) fn unary_object(&self, op: UnaryOp, value: &Value) -> Result<Value, Error> {
        let Some(method) = unary_method(op) else { return Ok(Value::Bool(!self.truth(value)?)) };
        if let Some(result) = self.call_special(value, method, []) {
            return Ok(result?);
        }
        match value {
            Value::Object(object)
                if let Some(plain) = object.plain().filter(|plain| plain.number().is_some()) =>
            {
                self.unary_value(op, plain)
            }
            _ => Err(Error::type_error(format!(
                "bad operand type for unary {}: '{}'",
                match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::Pos => "+",
                    _ => "~",
                },
                value.type_name()
            ))),
        }
    }

    /// The order of two values of which one is an object, as its method for this sign alone says; `None` where
    /// it says no.
    pub(crate) fn object_order(
        &self,
        symbol: &str,
        lhs: &Value,
        rhs: &Value,
    ) -> Result<Option<Ordering>, Error> {
        let (op, order) = match symbol {
            "<" => (CompareOp::Lt, Ordering::Less),
            "<=" => (CompareOp::Le, Ordering::Less),
            ">" => (CompareOp::Gt, Ordering::Greater),
            _ => (CompareOp::Ge, Ordering::Greater),
        };
        let answer = self.compare_object(op, lhs, rhs)?;
        Ok(self.truth(&answer)?.then_some(order))
    }

    /// `lhs op rhs` of a comparison where one of them is an object. What comes back is whatever the
    /// method gave.
    pub(crate) fn compare_object(
        &self,
        op: CompareOp,
        lhs: &Value,
        rhs: &Value,
    ) -> Result<Value, Error> {
        if let Some((own, reflected)) = comparison(op)
            && let Some(result) = self.ask_both(own, reflected, lhs, rhs)?
        {
            return Ok(result);
        }
        self.compared_without(op, lhs, rhs)
    }

    /// Lends what says whether a comparison of two values holds. Where `one` of them is an object, one machine calls its
    /// class's method for as many others of the class as `run` likes.
    ///
    /// # Errors
    /// Those of `run`.
    pub(crate) fn comparing<T>(
        &self,
        op: CompareOp,
        one: &Value,
        run: impl FnOnce(&mut Holds<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let holds = |a: &Value, b: &Value| Ok(self.truth(&self.compare(op, a, b)?)?);
        let (Value::Object(object), Some((own, _))) = (one, comparison(op)) else {
            return run(&mut |a, b| holds(a, b));
        };
        let Some(method @ Value::Closure(_)) = self.find_in(&object.class, own) else {
            return run(&mut |a, b| holds(a, b));
        };
        let is_of_it =
            |value: &Value| matches!(value, Value::Object(of) if of.class == object.class);
        self.calling(&method, 2, |method| {
            run(&mut |a, b| {
                if !is_of_it(a) || !is_of_it(b) {
                    return holds(a, b);
                }
                match method.call(&mut [a.clone(), b.clone()])? {
                    Value::Bool(holds) => Ok(holds),
                    Value::NotImplemented => Ok(self.truth(&self.comparison_refused(op, a, b)?)?),
                    answer => Ok(self.truth(&answer)?),
                }
            })
        })
    }

    /// As [`Evaluator::compare_object`], where the left side's own method has been asked and did not know.
    pub(crate) fn comparison_refused(
        &self,
        op: CompareOp,
        lhs: &Value,
        rhs: &Value,
    ) -> Result<Value, Error> {
        if let Some((_, reflected)) = comparison(op)
            && let Some(result) = self.ask(rhs, reflected, lhs)?
        {
            return Ok(result);
        }
        self.compared_without(op, lhs, rhs)
    }

    /// What a comparison comes to that no method knows.
    fn compared_without(&self, op: CompareOp, lhs: &Value, rhs: &Value) -> Result<Value, Error> {
        // An object that extends nothing has been asked.
        let is_object = |value: &Value| matches!(value, Value::Object(_));
        let is_plain = |(left, right): &(Value, Value)| !is_object(left) && !is_object(right);
        match (op, plain_operands(lhs, rhs).filter(is_plain)) {
            (_, Some((left, right))) => self.compare(op, &left, &right),
            (CompareOp::Eq, None) => Ok(Value::Bool(lhs.is_same(rhs))),
            (CompareOp::Ne, None) => Ok(Value::Bool(!lhs.is_same(rhs))),
            _ => Err(Error::type_error(format!(
                "'{}' not supported between instances of '{}' and '{}'",
                op.symbol(),
                lhs.type_name(),
                rhs.type_name()
            ))),
        }
    }
}

/// What [`Evaluator::comparing`] lends.
pub(crate) type Holds<'a> = dyn FnMut(&Value, &Value) -> Result<bool, Fault> + 'a;

fn is_arithmetic(method: &str) -> bool {
    !matches!(method, "__eq__" | "__ne__" | "__lt__" | "__le__" | "__gt__" | "__ge__")
}

/// Queues and dictionaries of the library give what is of the class of the first operand that is one.
fn of_class(lhs: &Value, rhs: &Value, made: Value) -> Value {
    let of = made.type_of();
    let keeps = matches!(of, Type::Deque | Type::OrderedDict | Type::DefaultDict);
    match [lhs, rhs].into_iter().find(|side| side.plain().type_of() == of) {
        Some(Value::Object(object)) if keeps => object.with_inner(made),
        _ => made,
    }
}

/// The operands as the built-in values that they extend, if one of them does.
fn plain_operands(lhs: &Value, rhs: &Value) -> Option<(Value, Value)> {
    let (left, right) = (lhs.plain(), rhs.plain());
    (!left.is_same(lhs) || !right.is_same(rhs)).then(|| (left.clone(), right.clone()))
}
