//! `operator`: the operators as functions, and functions that fetch.

use super::super::{Arguments, Builtin, Call, Run};
use crate::diag::Fault;
use crate::interp::Evaluator;
use crate::interp::object::opaque::{Opaque, Part};
use crate::interp::value::{Module, Type, Value};
use crate::syntax::ast::{BinaryOp, CompareOp, Ident, UnaryOp};

const fn op(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    super::of(Module::Operator, signature, run, doc).asks_objects()
}

macro_rules! binary {
    ($($name:literal $op:ident $symbol:literal;)*) => {
        [$(op(
            concat!($name, "(a, b, /)"),
            |call| {
                let (a, b) = (call.value(0).clone(), call.value(1).clone());
                Ok(call.evaluator.binary(BinaryOp::$op, &a, &b)?)
            },
            concat!("`a ", $symbol, " b`"),
        ),)*]
    };
}

macro_rules! compare {
    ($($name:literal $op:ident $symbol:literal;)*) => {
        [$(op(
            concat!($name, "(a, b, /)"),
            |call| {
                let (a, b) = (call.value(0).clone(), call.value(1).clone());
                Ok(call.evaluator.compare(CompareOp::$op, &a, &b)?)
            },
            concat!("`a ", $symbol, " b`"),
        ),)*]
    };
}

macro_rules! in_place {
    ($($name:literal $op:ident $symbol:literal;)*) => {
        [$(op(
            concat!($name, "(a, b, /)"),
            |call| {
                let (a, b) = (call.value(0).clone(), call.value(1).clone());
                let changed = call.evaluator.updated(BinaryOp::$op, &a, b, false)?;
                Ok(changed.unwrap_or(a))
            },
            concat!("`a ", $symbol, "= b`, and what `a` is then"),
        ),)*]
    };
}

pub const BINARY: &[Builtin] = &binary! {
    "add" Add "+"; "sub" Sub "-"; "mul" Mul "*"; "truediv" Div "/"; "floordiv" FloorDiv "//";
    "mod" Mod "%"; "pow" Pow "**"; "matmul" MatMul "@"; "and_" BitAnd "&"; "or_" BitOr "|";
    "xor" BitXor "^"; "lshift" Shl "<<"; "rshift" Shr ">>";
};

pub const IN_PLACE: &[Builtin] = &in_place! {
    "iadd" Add "+"; "isub" Sub "-"; "imul" Mul "*"; "itruediv" Div "/"; "ifloordiv" FloorDiv "//";
    "imod" Mod "%"; "ipow" Pow "**"; "imatmul" MatMul "@"; "iand" BitAnd "&"; "ior" BitOr "|";
    "ixor" BitXor "^"; "ilshift" Shl "<<"; "irshift" Shr ">>"; "iconcat" Add "+";
};

pub const COMPARISONS: &[Builtin] = &compare! {
    "eq" Eq "=="; "ne" Ne "!="; "lt" Lt "<"; "le" Le "<="; "gt" Gt ">"; "ge" Ge ">=";
    "is_" Is "is"; "is_not" IsNot "is not";
};

pub const OTHERS: &[Builtin] = &[
    op("neg(a, /)", |call| unary(call, UnaryOp::Neg), "`-a`"),
    op("pos(a, /)", |call| unary(call, UnaryOp::Pos), "`+a`"),
    op("invert(a, /)", |call| unary(call, UnaryOp::Invert), "`~a`").aliases(&["inv"]),
    op("not_(a, /)", |call| Ok(Value::Bool(!call.bool(0)?)), "`not a`"),
    op("truth(a, /)", |call| Ok(Value::Bool(call.bool(0)?)), "The truth of a value."),
    op("abs(a, /)", super::super::python::abs, "The absolute value."),
    op("index(a, /)", |call| Ok(Value::Int(call.int(0)?)), "An integer, of what can be one."),
    op("concat(a, b, /)", concat, "`a + b`, of sequences."),
    op("contains(a, b, /)", contains, "`b in a`"),
    op("countOf(a, b, /)", count_of, "How many items of `a` equal `b`."),
    op("indexOf(a, b, /)", index_of, "Where `b` stands first in `a`."),
    op("getitem(a, b, /)", |call| get(call, 0, 1), "`a[b]`"),
    op("setitem(a, b, c, /)", set_item, "`a[b] = c`"),
    op("delitem(a, b, /)", delete_item, "`del a[b]`"),
];

pub const GETTERS: &[Builtin] = &[
    op(
        "itemgetter(item, /, *items)",
        item_getter,
        "A function that gives `x[item]`, or a tuple of several.",
    ),
    op(
        "attrgetter(attr, /, *attrs)",
        attribute_getter,
        "A function that gives `x.attr`, or a tuple of several.",
    ),
    op(
        "methodcaller(name, /, *args, **kwargs)",
        method_caller,
        "A function that calls a method of its argument.",
    ),
];

fn unary(call: &Call<'_>, op: UnaryOp) -> Result<Value, Fault> {
    Ok(call.evaluator.unary_value(op, call.value(0))?)
}

fn concat(call: &mut Call<'_>) -> Result<Value, Fault> {
    let is_sequence = !matches!(
        call.value(0),
        Value::Set(_) | Value::Dict(_) | Value::None | Value::Range(_) | Value::Generator(_)
    );
    if call.value(0).number().is_some() || !is_sequence {
        let message = format!("'{}' object can't be concatenated", call.value(0).type_name());
        return Err(call.fault_at(0, Fault::type_error(message)));
    }
    let (a, b) = (call.value(0).clone(), call.value(1).clone());
    Ok(call.evaluator.binary(BinaryOp::Add, &a, &b)?)
}

fn contains(call: &mut Call<'_>) -> Result<Value, Fault> {
    Ok(Value::Bool(call.evaluator.contains(call.value(0), call.value(1))?))
}

fn count_of(call: &mut Call<'_>) -> Result<Value, Fault> {
    let mut count = 0;
    call.evaluator.each(call.value(0), |item| {
        count += i64::from(call.evaluator.same_or_equal(&item, call.value(1))?);
        Ok(true)
    })?;
    Ok(Value::Int(count))
}

fn index_of(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (mut at, mut found) = (0, None);
    call.evaluator.each(call.value(0), |item| {
        if call.evaluator.same_or_equal(&item, call.value(1))? {
            found = Some(at);
        }
        at += 1;
        Ok(found.is_none())
    })?;
    found.map(Value::Int).ok_or_else(|| Fault::value_error("sequence.index(x): x not in sequence"))
}

fn get(call: &Call<'_>, container: usize, index: usize) -> Result<Value, Fault> {
    item(&call.evaluator, call.value(container), call.value(index))
}

/// `container[index]`
pub(super) fn item(
    evaluator: &Evaluator<'_>,
    container: &Value,
    index: &Value,
) -> Result<Value, Fault> {
    Ok(match container {
        Value::Tensor(tensor) => {
            let items = match index {
                Value::Tuple(parts) => parts
                    .iter()
                    .map(|part| evaluator.index_item(part))
                    .collect::<Result<Vec<_>, _>>()?,
                _ => vec![evaluator.index_item(index)?],
            };
            evaluator.interp.engine.index(tensor, &items)?.into()
        }
        _ => evaluator.container_index(container, index)?,
    })
}

fn set_item(call: &mut Call<'_>) -> Result<Value, Fault> {
    if let Value::Tensor(_) = call.value(0) {
        let fault = Fault::type_error("setitem() takes lists and dictionaries");
        return Err(call.fault_at(0, fault.with_hint("`x[index] = value` stores in a tensor")));
    }
    let value = call.value(2).clone();
    call.evaluator.assign_item(call.value(0), call.value(1), value, false)?;
    Ok(Value::None)
}

fn delete_item(call: &mut Call<'_>) -> Result<Value, Fault> {
    call.evaluator.delete_item(call.value(0), call.value(1), call.is_last_action())?;
    Ok(Value::None)
}

fn item_getter(call: &mut Call<'_>) -> Result<Value, Fault> {
    let rest = call.rest().iter().map(|argument| argument.value.clone());
    let items = std::iter::once(call.value(0).clone()).chain(rest).collect();
    Ok(Opaque::value(Type::ItemGetter, ItemGetter { items }))
}

fn attribute_getter(call: &mut Call<'_>) -> Result<Value, Fault> {
    let mut paths = vec![call.value(0).clone()];
    paths.extend(call.rest().iter().map(|argument| argument.value.clone()));
    paths.iter_mut().for_each(|path| *path = path.plain().clone());
    if paths.iter().any(|path| !matches!(path, Value::Str(_))) {
        return Err(Fault::type_error("attribute name must be a string"));
    }
    Ok(Opaque::value(Type::AttrGetter, AttrGetter { paths }))
}

fn method_caller(call: &mut Call<'_>) -> Result<Value, Fault> {
    let name = Value::str(call.str(0)?);
    let positional = call.rest().iter().map(|argument| argument.value.clone()).collect();
    let keyword =
        |argument: &super::super::Argument| Some((argument.name.clone()?, argument.value.clone()));
    let keywords = call.extra().iter().filter_map(keyword).collect();
    Ok(Opaque::value(Type::MethodCaller, MethodCaller { name, positional, keywords }))
}

/// The only argument of a call of a getter.
fn only(name: &str, arguments: Arguments) -> Result<Value, Fault> {
    let count = arguments.len();
    match <[_; 1]>::try_from(arguments) {
        Ok([argument]) if argument.name.is_none() => Ok(argument.value),
        _ => {
            let message = format!("{name} expected 1 argument, got {count}");
            Err(Fault::type_error(message))
        }
    }
}

fn one_or_all(mut found: Vec<Value>) -> Value {
    if found.len() == 1 { found.remove(0) } else { Value::tuple(found) }
}

struct ItemGetter {
    items: Vec<Value>,
}

/// The position that an `itemgetter` of one item gets, counted from the front.
pub fn item_of(getter: &Value) -> Option<usize> {
    match getter.inside::<ItemGetter>()?.items.as_slice() {
        [Value::Int(at)] => usize::try_from(*at).ok(),
        _ => None,
    }
}

impl Part for ItemGetter {
    fn repr(&self, evaluator: &Evaluator<'_>) -> Result<String, Fault> {
        let items: Vec<String> = self.items.iter().map(|item| evaluator.repr(item)).collect();
        Ok(format!("operator.itemgetter({})", items.join(", ")))
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        self.items.iter().for_each(look);
    }

    fn is_callable(&self) -> bool {
        true
    }

    fn call(&self, evaluator: &Evaluator<'_>, arguments: Arguments) -> Result<Value, Fault> {
        let target = only("itemgetter", arguments)?;
        let found = self.items.iter().map(|index| item(evaluator, &target, index));
        Ok(one_or_all(found.collect::<Result<_, _>>()?))
    }
}

struct AttrGetter {
    paths: Vec<Value>,
}

impl Part for AttrGetter {
    fn repr(&self, evaluator: &Evaluator<'_>) -> Result<String, Fault> {
        let paths: Vec<String> = self.paths.iter().map(|path| evaluator.repr(path)).collect();
        Ok(format!("operator.attrgetter({})", paths.join(", ")))
    }

    fn is_callable(&self) -> bool {
        true
    }

    fn call(&self, evaluator: &Evaluator<'_>, arguments: Arguments) -> Result<Value, Fault> {
        let target = only("attrgetter", arguments)?;
        let follow = |path: &Value| {
            let Value::Str(path) = path else { return Ok(Value::None) };
            path.split('.')
                .try_fold(target.clone(), |value, name| evaluator.attribute(&value, name))
        };
        Ok(one_or_all(self.paths.iter().map(follow).collect::<Result<_, _>>()?))
    }
}

struct MethodCaller {
    name: Value,
    positional: Vec<Value>,
    keywords: Vec<(Ident, Value)>,
}

impl Part for MethodCaller {
    fn repr(&self, evaluator: &Evaluator<'_>) -> Result<String, Fault> {
        let mut parts = vec![evaluator.repr(&self.name)];
        parts.extend(self.positional.iter().map(|value| evaluator.repr(value)));
        let keyword = |(name, value): &(Ident, Value)| format!("{name}={}", evaluator.repr(value));
        parts.extend(self.keywords.iter().map(keyword));
        Ok(format!("operator.methodcaller({})", parts.join(", ")))
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        self.positional.iter().for_each(&mut *look);
        self.keywords.iter().for_each(|(_, value)| look(value));
    }

    fn is_callable(&self) -> bool {
        true
    }

    fn call(&self, evaluator: &Evaluator<'_>, arguments: Arguments) -> Result<Value, Fault> {
        let target = only("methodcaller", arguments)?;
        let Value::Str(name) = &self.name else { return Ok(Value::None) };
        let method = evaluator.attribute(&target, name)?;
        evaluator.call_value(&method, self.positional.clone(), self.keywords.clone())
    }
}
