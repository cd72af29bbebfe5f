//! The methods behind operators, of numbers, texts and containers: `(1).__add__(2)`, `map(int.__mul__, a, b)`,
//! `super().__lt__(other)`. Operators themselves do not look here.

use super::super::{Builtin, Call, Homes, Run};
use crate::diag::Fault;
use crate::interp::hash;
use crate::interp::object::bytes::Bytes;
use crate::interp::value::{Module, Type, Value, Walker};
use crate::syntax::ast::{BinaryOp, CompareOp, UnaryOp};

pub const ARITHMETIC: [&[Builtin]; 3] =
    [&arithmetic(Type::Int), &arithmetic(Type::Bool), &arithmetic(Type::Float)];

pub const BITS: [&[Builtin]; 2] = [&bits(Type::Int), &bits(Type::Bool)];

pub const OF_SETS: [&[Builtin]; 2] = [&of_sets(Type::Set), &of_sets(Type::FrozenSet)];

pub const OF_DICTS: &[Builtin] = &[
    method(Type::Dict, "__or__(self, value, /)", |call| binary(call, BinaryOp::BitOr)),
    method(Type::Dict, "__ror__(self, value, /)", |call| reflected(call, BinaryOp::BitOr)),
];

/// What changes its object and gives it back.
pub const AUGMENTED: &[Builtin] = &[
    method(Type::List, "__iadd__(self, value, /)", |call| updated(call, BinaryOp::Add)),
    method(Type::List, "__imul__(self, value, /)", |call| updated(call, BinaryOp::Mul)),
    method(Type::Deque, "__iadd__(self, value, /)", |call| updated(call, BinaryOp::Add)),
    method(Type::Deque, "__imul__(self, value, /)", |call| updated(call, BinaryOp::Mul)),
    method(Type::Dict, "__ior__(self, value, /)", |call| updated(call, BinaryOp::BitOr)),
    method(Type::Counter, "__iadd__(self, value, /)", |call| updated(call, BinaryOp::Add)),
    method(Type::Counter, "__isub__(self, value, /)", |call| updated(call, BinaryOp::Sub)),
    method(Type::Counter, "__iand__(self, value, /)", |call| updated(call, BinaryOp::BitAnd)),
    method(Type::Set, "__ior__(self, value, /)", |call| updated(call, BinaryOp::BitOr)),
    method(Type::Set, "__iand__(self, value, /)", |call| updated(call, BinaryOp::BitAnd)),
    method(Type::Set, "__isub__(self, value, /)", |call| updated(call, BinaryOp::Sub)),
    method(Type::Set, "__ixor__(self, value, /)", |call| updated(call, BinaryOp::BitXor)),
];

pub const OF_SEQUENCES: [&[Builtin]; 4] = [
    &of_sequences(Type::Str),
    &of_sequences(Type::Tuple),
    &of_sequences(Type::List),
    &of_sequences(Type::Bytes),
];

pub const OF_CONTAINERS: [&[Builtin]; 3] =
    [&of_containers(Type::Str), &of_containers(Type::Tuple), &of_containers(Type::Bytes)];

pub const OF_ITERATORS: [&[Builtin]; 3] = [
    &of_iterators(Type::Iterator(Walker::OTHER)),
    &of_iterators(Type::Generator),
    &[hint(Type::Iterator(Walker::OTHER))],
];

pub const OF_RANGES: &[Builtin] = &of_containers(Type::Range);

pub const OF_VIEWS: [&[Builtin]; 3] =
    [&of_views(Type::Keys), &of_views(Type::Items), &of_views(Type::Values)];

pub const BACKWARDS: &[Builtin] =
    &[reversed(Type::Range), reversed(Type::List), reversed(Type::Dict), reversed(Type::Deque)];

pub const CALLED: &[Builtin] = &[
    called_by_name(Type::Closure),
    called_by_name(Type::Function),
    called_by_name(Type::Method),
    called_by_name(Type::Partial),
    called_by_name(Type::Decorator),
    called_by_name(Type::ItemGetter),
    called_by_name(Type::AttrGetter),
    called_by_name(Type::MethodCaller),
];

pub const ROUNDED: [&[Builtin]; 3] =
    [&rounded(Type::Int), &rounded(Type::Bool), &rounded(Type::Float)];

pub const FORMATTED: &[Builtin] = &[
    method(Type::Str, "__mod__(self, value, /)", |call| asked(call, BinaryOp::Mod)),
    method(Type::Bytes, "__mod__(self, value, /)", |call| asked(call, BinaryOp::Mod)),
];

pub const OF_COMPLEX: &[Builtin] = &of_complex();

pub const COMPARISONS: [&[Builtin]; 17] = [
    &comparisons(Type::Counter),
    &comparisons(Type::DefaultDict),
    &comparisons(Type::OrderedDict),
    &comparisons(Type::Int),
    &comparisons(Type::Bool),
    &comparisons(Type::Float),
    &comparisons(Type::Str),
    &comparisons(Type::Tuple),
    &comparisons(Type::List),
    &comparisons(Type::Dict),
    &comparisons(Type::Set),
    &comparisons(Type::FrozenSet),
    &comparisons(Type::None),
    &comparisons(Type::Range),
    &comparisons(Type::Slice),
    &comparisons(Type::Complex),
    &comparisons(Type::Bytes),
];

const fn method(of: Type, signature: &'static str, run: Run) -> Builtin {
    let method = Builtin::new(signature, run).homes(Homes::NONE).method_of(of);
    method.doc("What the operator or the function of this name does.")
}

const fn arithmetic(of: Type) -> [Builtin; 21] {
    [
        method(of, "__add__(self, value, /)", |call| binary(call, BinaryOp::Add)),
        method(of, "__radd__(self, value, /)", |call| reflected(call, BinaryOp::Add)),
        method(of, "__sub__(self, value, /)", |call| binary(call, BinaryOp::Sub)),
        method(of, "__rsub__(self, value, /)", |call| reflected(call, BinaryOp::Sub)),
        method(of, "__mul__(self, value, /)", |call| binary(call, BinaryOp::Mul)),
        method(of, "__rmul__(self, value, /)", |call| reflected(call, BinaryOp::Mul)),
        method(of, "__truediv__(self, value, /)", |call| binary(call, BinaryOp::Div)),
        method(of, "__rtruediv__(self, value, /)", |call| reflected(call, BinaryOp::Div)),
        method(of, "__floordiv__(self, value, /)", |call| binary(call, BinaryOp::FloorDiv)),
        method(of, "__rfloordiv__(self, value, /)", |call| reflected(call, BinaryOp::FloorDiv)),
        method(of, "__mod__(self, value, /)", |call| binary(call, BinaryOp::Mod)),
        method(of, "__rmod__(self, value, /)", |call| reflected(call, BinaryOp::Mod)),
        method(of, "__pow__(self, value, /)", |call| binary(call, BinaryOp::Pow)),
        method(of, "__rpow__(self, value, /)", |call| reflected(call, BinaryOp::Pow)),
        method(of, "__neg__(self, /)", |call| unary(call, UnaryOp::Neg)),
        method(of, "__pos__(self, /)", |call| unary(call, UnaryOp::Pos)),
        method(of, "__abs__(self, /)", |call| function(call, "abs")),
        method(of, "__int__(self, /)", |call| function(call, "int")),
        method(of, "__float__(self, /)", |call| function(call, "float")),
        method(of, "__bool__(self, /)", |call| {
            Ok(Value::Bool(call.evaluator.truth(call.value(0).plain())?))
        }),
        method(of, "__divmod__(self, value, /)", |call| {
            match go_together(call.value(0), call.value(1)) {
                true => function(call, "divmod"),
                false => Ok(Value::NotImplemented),
            }
        }),
    ]
}

const fn of_complex() -> [Builtin; 15] {
    let [
        add,
        radd,
        sub,
        rsub,
        mul,
        rmul,
        div,
        rdiv,
        _,
        _,
        _,
        _,
        pow,
        rpow,
        neg,
        pos,
        abs,
        _,
        _,
        bool,
        _,
    ] = arithmetic(Type::Complex);
    let complex = method(Type::Complex, "__complex__(self, /)", |call| Ok(call.value(0).clone()));
    [add, radd, sub, rsub, mul, rmul, div, rdiv, pow, rpow, neg, pos, abs, bool, complex]
}

const fn bits(of: Type) -> [Builtin; 12] {
    [
        method(of, "__and__(self, value, /)", |call| binary(call, BinaryOp::BitAnd)),
        method(of, "__rand__(self, value, /)", |call| reflected(call, BinaryOp::BitAnd)),
        method(of, "__or__(self, value, /)", |call| binary(call, BinaryOp::BitOr)),
        method(of, "__ror__(self, value, /)", |call| reflected(call, BinaryOp::BitOr)),
        method(of, "__xor__(self, value, /)", |call| binary(call, BinaryOp::BitXor)),
        method(of, "__rxor__(self, value, /)", |call| reflected(call, BinaryOp::BitXor)),
        method(of, "__lshift__(self, value, /)", |call| binary(call, BinaryOp::Shl)),
        method(of, "__rlshift__(self, value, /)", |call| reflected(call, BinaryOp::Shl)),
        method(of, "__rshift__(self, value, /)", |call| binary(call, BinaryOp::Shr)),
        method(of, "__rrshift__(self, value, /)", |call| reflected(call, BinaryOp::Shr)),
        method(of, "__invert__(self, /)", |call| unary(call, UnaryOp::Invert)),
        method(of, "__index__(self, /)", |call| function(call, "int")),
    ]
}

const fn of_sets(of: Type) -> [Builtin; 7] {
    let [_, contains, len, iter] = of_containers(of);
    [
        contains,
        len,
        iter,
        method(of, "__and__(self, value, /)", |call| binary(call, BinaryOp::BitAnd)),
        method(of, "__or__(self, value, /)", |call| binary(call, BinaryOp::BitOr)),
        method(of, "__xor__(self, value, /)", |call| binary(call, BinaryOp::BitXor)),
        method(of, "__sub__(self, value, /)", |call| binary(call, BinaryOp::Sub)),
    ]
}

/// What sequences take is theirs to say: they are no numbers, which leave it to the other side.
const fn of_sequences(of: Type) -> [Builtin; 3] {
    [
        method(of, "__add__(self, value, /)", |call| asked(call, BinaryOp::Add)),
        method(of, "__mul__(self, value, /)", |call| asked(call, BinaryOp::Mul)),
        method(of, "__rmul__(self, value, /)", |call| asked(call, BinaryOp::Mul)),
    ]
}

const fn of_containers(of: Type) -> [Builtin; 4] {
    [
        method(of, "__getitem__(self, key, /)", |call| {
            call.evaluator.stored_item(call.value(0), call.value(1))
        }),
        method(of, "__contains__(self, key, /)", |call| {
            Ok(Value::Bool(call.evaluator.contains(call.value(0).plain(), call.value(1))?))
        }),
        method(of, "__len__(self, /)", |call| {
            Ok(Value::Int(call.evaluator.len(call.value(0).plain())? as i64))
        }),
        method(of, "__iter__(self, /)", |call| {
            Ok(Value::Iterator(call.evaluator.iter(call.value(0).plain())?))
        }),
    ]
}

const fn hint(of: Type) -> Builtin {
    method(of, "__length_hint__(self, /)", |call| {
        let Value::Iterator(iter) = call.value(0) else { return Ok(Value::NotImplemented) };
        Ok(iter.left().map_or(Value::NotImplemented, |left| Value::Int(left as i64)))
    })
}

const fn of_iterators(of: Type) -> [Builtin; 2] {
    [
        method(of, "__iter__(self, /)", |call| Ok(call.value(0).clone())),
        method(of, "__next__(self, /)", |call| function(call, "next")),
    ]
}

const fn of_views(of: Type) -> [Builtin; 4] {
    let [_, contains, len, iter] = of_containers(of);
    [contains, len, iter, reversed(of)]
}

const fn reversed(of: Type) -> Builtin {
    method(of, "__reversed__(self, /)", |call| function(call, "reversed"))
}

const fn called_by_name(of: Type) -> Builtin {
    method(of, "__call__(self, /, *args, **kwargs)", |call| {
        let given = call.rest().iter().map(|argument| argument.value.clone());
        let named = call.extra().iter();
        let named =
            named.filter_map(|argument| Some((argument.name.clone()?, argument.value.clone())));
        let (given, named): (Vec<Value>, Vec<_>) = (given.collect(), named.collect());
        call.evaluator.call_value(call.value(0), given, named)
    })
}

const fn rounded(of: Type) -> [Builtin; 4] {
    [
        method(of, "__round__(self, ndigits=None, /)", |call| function(call, "round")),
        method(of, "__floor__(self, /)", |call| of_math(call, "floor")),
        method(of, "__ceil__(self, /)", |call| of_math(call, "ceil")),
        method(of, "__trunc__(self, /)", |call| of_math(call, "trunc")),
    ]
}

const fn comparisons(of: Type) -> [Builtin; 10] {
    [
        method(of, "__eq__(self, value, /)", |call| compared(call, CompareOp::Eq)),
        method(of, "__ne__(self, value, /)", |call| compared(call, CompareOp::Ne)),
        method(of, "__lt__(self, value, /)", |call| compared(call, CompareOp::Lt)),
        method(of, "__le__(self, value, /)", |call| compared(call, CompareOp::Le)),
        method(of, "__gt__(self, value, /)", |call| compared(call, CompareOp::Gt)),
        method(of, "__ge__(self, value, /)", |call| compared(call, CompareOp::Ge)),
        method(of, "__repr__(self, /)", |call| match call.value(0) {
            // They show the name of the class.
            Value::Object(object) if shows_class(call.function.builtin.method_of) => {
                Ok(Value::str(call.evaluator.plain_repr(object)?))
            }
            _ => Ok(Value::str(call.evaluator.try_repr(&own(call, 0))?)),
        })
        .asks_objects(),
        method(of, "__str__(self, /)", |call| {
            // Only texts and bytes have one of their own.
            let plain = call.value(0).plain();
            let is_text = matches!(plain, Value::Str(_)) || Bytes::of(plain).is_some();
            Ok(Value::str(match is_text {
                true => call.evaluator.try_str(plain)?,
                false => call.evaluator.try_repr(call.value(0))?,
            }))
        }),
        method(of, "__format__(self, format_spec, /)", |call| function(call, "format")),
        method(of, "__hash__(self, /)", |call| match call.value(0).plain() {
            value @ (Value::List(_) | Value::Dict(_) | Value::Set(_) | Value::Slice(_)) => {
                let name = value.type_name();
                Err(Fault::type_error(format!("unhashable type: '{name}'")))
            }
            value => {
                // What it holds may have its own to say.
                _ = call.evaluator.key(value)?;
                Ok(Value::Int(hash::of(value)))
            }
        }),
    ]
}

/// Whether the other operand is of a kind that this one knows.
pub fn go_together(own: &Value, other: &Value) -> bool {
    let is_int = |value: &Value| matches!(value, Value::Int(_) | Value::Wide(_) | Value::Bool(_));
    let is_set = |value: &Value| matches!(value, Value::Set(_) | Value::FrozenSet(_));
    match (own.plain(), other.plain()) {
        (Value::Float(_), other) => is_int(other) || matches!(other, Value::Float(_)),
        (Value::Complex(_), other) => {
            is_int(other) || matches!(other, Value::Float(_) | Value::Complex(_))
        }
        (own, other) if is_int(own) => is_int(other),
        (own, other) if is_set(own) => is_set(other),
        (own, other) => own.type_of() == other.type_of(),
    }
}

fn binary(call: &mut Call<'_>, op: BinaryOp) -> Result<Value, Fault> {
    match go_together(call.value(0), call.value(1)) {
        true => asked(call, op),
        false => Ok(Value::NotImplemented),
    }
}

fn reflected(call: &mut Call<'_>, op: BinaryOp) -> Result<Value, Fault> {
    match go_together(call.value(0), call.value(1)) {
        true => Ok(call.evaluator.binary(op, call.value(1).plain(), call.value(0).plain())?),
        false => Ok(Value::NotImplemented),
    }
}

fn asked(call: &mut Call<'_>, op: BinaryOp) -> Result<Value, Fault> {
    Ok(call.evaluator.binary(op, call.value(0).plain(), call.value(1).plain())?)
}

fn updated(call: &mut Call<'_>, op: BinaryOp) -> Result<Value, Fault> {
    let (own, operand) = (call.value(0).clone(), call.value(1).clone());
    Ok(call.evaluator.updated(op, own.plain(), operand, false)?.unwrap_or(own))
}

fn unary(call: &mut Call<'_>, op: UnaryOp) -> Result<Value, Fault> {
    Ok(call.evaluator.unary_value(op, call.value(0).plain())?)
}

fn compared(call: &mut Call<'_>, op: CompareOp) -> Result<Value, Fault> {
    let is_order = !matches!(op, CompareOp::Eq | CompareOp::Ne);
    let (one, other) = (own(call, 0), own(call, 1));
    let are_dicts =
        one.type_of() != Type::Counter && one.as_dict().is_some() && other.as_dict().is_some();
    let have_order = !are_dicts && !has_no_order(&one);
    if !are_dicts && !go_together(&one, &other) || is_order && !have_order {
        return Ok(Value::NotImplemented);
    }
    Ok(call.evaluator.compare(op, &one, &other)?)
}

fn shows_class(of: Option<Type>) -> bool {
    use Type::{Counter, DefaultDict, FrozenSet, OrderedDict, Set};
    matches!(of, Some(Set | FrozenSet | Counter | DefaultDict | OrderedDict))
}

/// An operand as the type has it whose method runs: `dict.__repr__(counter)` shows a dictionary.
fn own(call: &Call<'_>, at: usize) -> Value {
    let value = call.value(at);
    match value.as_dict() {
        Some(dict) if call.function.builtin.method_of == Some(Type::Dict) => {
            Value::Dict(dict.clone())
        }
        _ => value.plain().clone(),
    }
}

fn has_no_order(value: &Value) -> bool {
    matches!(value, Value::Dict(_) | Value::None | Value::Range(_) | Value::Complex(_))
}

/// What a function of `math` makes of a number.
fn of_math(call: &mut Call<'_>, name: &str) -> Result<Value, Fault> {
    let function = call.evaluator.interp.registry.attribute_of_module(Module::Math, name).cloned();
    let function = function.unwrap_or(Value::None);
    call.evaluator.call_value(&function, [call.value(0).plain().clone()], [])
}

/// What Python's function of a name makes of the arguments.
fn function(call: &mut Call<'_>, name: &str) -> Result<Value, Fault> {
    let function = call.evaluator.interp.registry.name(name).cloned().unwrap_or(Value::None);
    let given = (0..2).filter(|at| call.given(*at)).map(|at| call.value(at).plain().clone());
    let given: Vec<Value> = given.collect();
    call.evaluator.call_value(&function, given, [])
}
