//! Signatures as text, `sum(x, axis=None, keepdims=False)`, and the arguments of a call bound to
//! them by Python's rules.
//!
//! Two rules are more generous than Python's. One parameter answers to NumPy's and to PyTorch's
//! name for it ([`SPELLINGS`]). And `*shape` and its kin take one tuple or several integers, and
//! leave what is neither to the parameters after them, so that `zeros(3, 4)`, `zeros((3, 4))` and
//! `zeros((3, 4), int32)` are all calls of `zeros(*shape, dtype=None)`.

use super::options::Options;
use super::{Function, arity};
use crate::diag::{Fault, Span, did_you_mean};
use crate::dtype::DType;
use crate::interp::missing;
use crate::interp::value::Value;
use crate::syntax::ast::Ident;

/// A function's parameters.
#[derive(Debug)]
pub struct Signature {
    /// As in the table, and as help shows it.
    pub text: &'static str,
    pub parameters: Vec<Parameter>,
    /// How many of the first parameters take one positional argument each.
    positional: usize,
    /// Behind the last parameter that must be given.
    required: usize,
    /// The parameters that many functions have and that mean the same in all.
    pub options: Option<Options>,
}

#[derive(Debug)]
pub struct Parameter {
    pub name: &'static str,
    pub kind: ParameterKind,
    /// `None` for a parameter that must be given.
    pub default: Option<Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    PositionalOnly,
    Normal,
    KeywordOnly,
    /// `*values`: every positional argument that is left.
    Star,
    /// `*shape`: one sequence, or several integers.
    Sizes,
    /// `**options`
    DoubleStar,
}

/// An argument as it came.
#[derive(Debug, Clone)]
pub struct Argument {
    pub name: Option<Ident>,
    pub value: Value,
    pub span: Span,
}

pub type Arguments = Vec<Argument>;

/// Arguments by parameter.
#[derive(Debug)]
pub struct Bound {
    /// One for each parameter of the signature, but for the last that were not given; the starred
    /// ones stay empty.
    pub slots: Vec<Option<Argument>>,
    /// What the `*` parameter took.
    pub rest: Arguments,
    /// What the `**` parameter took.
    pub extra: Arguments,
}

impl Bound {
    /// Whether nothing but the first parameter was given.
    pub fn is_bare(&self) -> bool {
        let has_others = self.slots.iter().skip(1).any(Option::is_some);
        !has_others && self.rest.is_empty() && self.extra.is_empty()
    }

    /// What was given for parameters of the signature, with their names.
    pub fn given<'a>(
        &'a self,
        signature: &'a Signature,
    ) -> impl Iterator<Item = (&'a str, &'a Argument)> {
        let names = signature.parameters.iter().map(|parameter| parameter.name);
        names.zip(&self.slots).filter_map(|(name, slot)| Some((name, slot.as_ref()?)))
    }
}

/// What is wrong with a call's arguments, and which of them it is about.
pub(super) type Misfit = Box<(Fault, Option<Span>)>;

/// Names that mean one parameter. A name of the signature itself always wins.
const SPELLINGS: &[&[&str]] = &[
    &["axis", "dim", "axes", "dims"],
    &["keepdims", "keepdim"],
    &["shape", "size", "newshape"],
    &["values", "src", "vals", "v"],
    &["y", "b", "other", "x2", "a2", "ar2", "v"],
    &[
        "x",
        "a",
        "input",
        "arr",
        "x1",
        "m",
        "ar",
        "self",
        "object",
        "tensor",
        "A",
        "a1",
        "ar1",
        "array",
        "ary",
        "dst",
        "prototype",
        "v",
        "val",
    ],
    &["ddof", "correction"],
    &["arrays", "tensors", "arys", "tup"],
    &["min", "a_min"],
    &["max", "a_max"],
    &["repeats", "reps", "dims"],
    &["indices", "index", "indices_or_sections", "ind", "obj"],
    &["fill_value", "value"],
    &["n", "num", "steps"],
    &["low", "start"],
    &["high", "end", "stop"],
    &["k", "diagonal", "offset"],
    &["loc", "mean"],
    &["scale", "std"],
];

/// Star parameters that are of kind [`ParameterKind::Sizes`].
const SIZES: &[&str] = &["shape", "size", "sizes", "axes", "dims", "axis", "reps", "repeats"];

impl Signature {
    /// Reads `name(a, b=1, *, c=None)`. The table's texts are checked by a test: what can't be
    /// read there is taken as a string default.
    pub fn parse(text: &'static str) -> Signature {
        let inner = text.find('(').map_or("", |open| &text[open + 1..]);
        let inner = inner.strip_suffix(')').unwrap_or(inner);
        let mut parameters = Vec::new();
        let mut keyword_only = false;
        for part in split_top_level(inner) {
            let (name, default) = match part.split_once('=') {
                Some((name, default)) => (name.trim(), Some(default_value(default.trim()))),
                None => (part, None),
            };
            let kind = match name {
                "/" => {
                    for parameter in &mut parameters {
                        let parameter: &mut Parameter = parameter;
                        parameter.kind = ParameterKind::PositionalOnly;
                    }
                    continue;
                }
                "*" => {
                    keyword_only = true;
                    continue;
                }
                _ if name.starts_with("**") => ParameterKind::DoubleStar,
                _ if name.starts_with('*') && SIZES.contains(&&name[1..]) => ParameterKind::Sizes,
                _ if name.starts_with('*') => ParameterKind::Star,
                _ if keyword_only => ParameterKind::KeywordOnly,
                _ => ParameterKind::Normal,
            };
            keyword_only |= kind == ParameterKind::Star;
            parameters.push(Parameter { name: name.trim_start_matches('*'), kind, default });
        }
        let is_single =
            |p: &Parameter| matches!(p.kind, ParameterKind::Normal | ParameterKind::PositionalOnly);
        let positional = parameters.iter().take_while(|p| is_single(p)).count();
        let required = parameters.iter().rposition(Parameter::is_required).map_or(0, |at| at + 1);
        let options = Options::of(&parameters);
        Signature { text, parameters, positional, required, options }
    }

    /// The parameter that a name means.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.parameters.iter().position(|parameter| parameter.name == name)
    }

    /// The parameter that a keyword means, by its own name or by another spelling of it.
    fn keyword(&self, name: &str) -> Option<usize> {
        let named = |wanted: &str| {
            let position = self.position(wanted)?;
            let kind = self.parameters[position].kind;
            let reachable =
                !matches!(kind, ParameterKind::PositionalOnly | ParameterKind::DoubleStar);
            (reachable && kind != ParameterKind::Star).then_some(position)
        };
        named(name).or_else(|| {
            let groups = SPELLINGS.iter().filter(|group| group.contains(&name));
            groups.flat_map(|group| group.iter()).find_map(|other| named(other))
        })
    }

    /// Puts every argument where it belongs.
    ///
    /// # Errors
    /// Python's TypeErrors, with the argument's place where there is one.
    pub fn bind(&self, function: &Function, arguments: Arguments) -> Result<Bound, Misfit> {
        let count = arguments.len();
        let is_plain = (self.required..=self.positional).contains(&count);
        if is_plain && arguments.iter().all(|argument| argument.name.is_none()) {
            // Each is the parameter at its place.
            let slots = arguments.into_iter().map(Some).collect();
            return Ok(Bound { slots, rest: Arguments::new(), extra: Arguments::new() });
        }
        if let Some(misfit) = arity::misfit(function, self, &arguments) {
            return Err(misfit);
        }
        let name = &function.name;
        let mut bound = Bound {
            slots: vec![None; self.parameters.len()],
            rest: Arguments::new(),
            extra: Arguments::new(),
        };
        let mut at = 0;
        for argument in arguments {
            match &argument.name {
                None => self.bind_positional(name, &mut bound, &mut at, argument, count)?,
                Some(_) => self.bind_keyword(name, &mut bound, argument)?,
            }
        }
        self.check_missing(name, &bound)?;
        Ok(bound)
    }

    fn bind_positional(
        &self,
        name: &str,
        bound: &mut Bound,
        at: &mut usize,
        argument: Argument,
        count: usize,
    ) -> Result<(), Misfit> {
        loop {
            match self.parameters.get(*at).map(|parameter| parameter.kind) {
                Some(ParameterKind::Normal | ParameterKind::PositionalOnly) => {
                    bound.slots[*at] = Some(argument);
                    *at += 1;
                    return Ok(());
                }
                Some(ParameterKind::Star) => {
                    bound.rest.push(argument);
                    return Ok(());
                }
                Some(ParameterKind::Sizes) if takes_size(&bound.rest, &argument.value) => {
                    bound.rest.push(argument);
                    return Ok(());
                }
                Some(ParameterKind::Sizes) => *at += 1,
                _ => {
                    let fault = self.too_many(name, count);
                    return Err(Box::new((fault, Some(argument.span))));
                }
            }
        }
    }

    fn bind_keyword(
        &self,
        name: &str,
        bound: &mut Bound,
        argument: Argument,
    ) -> Result<(), Misfit> {
        let keyword = argument.name.clone().unwrap_or_else(|| Ident::from(""));
        let Some(position) = self.keyword(&keyword) else {
            if self.parameters.last().is_some_and(|last| last.kind == ParameterKind::DoubleStar) {
                bound.extra.push(argument);
                return Ok(());
            }
            let span = argument.span;
            return Err(Box::new((self.unknown_keyword(name, &keyword), Some(span))));
        };
        let sizes = self.parameters[position].kind == ParameterKind::Sizes;
        let taken = if sizes { !bound.rest.is_empty() } else { bound.slots[position].is_some() };
        if taken {
            let message = format!("{name}() got multiple values for argument '{keyword}'");
            let fault = Fault::type_error(message).with_hint(self.as_hint());
            return Err(Box::new((fault, Some(argument.span))));
        }
        if sizes {
            bound.rest.push(argument);
        } else {
            bound.slots[position] = Some(argument);
        }
        Ok(())
    }

    fn check_missing(&self, name: &str, bound: &Bound) -> Result<(), Misfit> {
        let complete = self.parameters.iter().zip(&bound.slots).all(|(parameter, slot)| {
            slot.is_some() || !parameter.is_required() || parameter.takes_rest(bound)
        });
        if complete { Ok(()) } else { Err(Box::new((self.missing(name, bound), None))) }
    }

    #[cold]
    fn missing(&self, name: &str, bound: &Bound) -> Fault {
        let pairs = self.parameters.iter().zip(&bound.slots);
        let names: Vec<String> = pairs
            .filter(|(p, slot)| slot.is_none() && p.is_required() && !p.takes_rest(bound))
            .map(|(parameter, _)| format!("'{}'", parameter.name))
            .collect();
        let (last, before) = names.split_last().expect("called when one is missing");
        let listed = match before.len() {
            0 => last.clone(),
            1 => format!("{} and {last}", before[0]),
            _ => format!("{}, and {last}", before.join(", ")),
        };
        let plural = if names.len() == 1 { "" } else { "s" };
        let count = names.len();
        Fault::type_error(format!(
            "{name}() missing {count} required positional argument{plural}: {listed}"
        ))
        .with_hint(self.as_hint())
    }

    #[cold]
    fn too_many(&self, name: &str, count: usize) -> Fault {
        let takes = |p: &&Parameter| {
            matches!(p.kind, ParameterKind::Normal | ParameterKind::PositionalOnly)
        };
        let most = self.parameters.iter().filter(takes).count();
        let least = self.parameters.iter().filter(takes).filter(|p| p.default.is_none()).count();
        let plural = if most == 1 { "" } else { "s" };
        let range =
            if least == most { format!("{most}") } else { format!("from {least} to {most}") };
        let were = if count == 1 { "was" } else { "were" };
        Fault::type_error(format!(
            "{name}() takes {range} positional argument{plural} but {count} {were} given"
        ))
        .with_hint(self.as_hint())
    }

    #[cold]
    fn unknown_keyword(&self, name: &str, keyword: &str) -> Fault {
        let message = format!("{name}() got an unexpected keyword argument '{keyword}'");
        let names = self.parameters.iter().map(|parameter| parameter.name);
        let fault = Fault::type_error(message);
        if keyword == "requires_grad" {
            return fault.with_hint(missing::GRADIENTS);
        }
        let fault = match did_you_mean(keyword, names) {
            Some(near) => fault.with_hint(format!("did you mean `{near}`?")),
            None => fault,
        };
        fault.with_hint(self.as_hint())
    }

    pub(super) fn as_hint(&self) -> String {
        format!("the signature is `{}`", self.text)
    }
}

impl Signature {
    /// Whether a parameter of this name takes any number of arguments.
    pub fn has_starred(&self, name: &str) -> bool {
        self.parameters
            .iter()
            .any(|parameter| parameter.name == name && parameter.kind.is_starred())
    }
}

impl Parameter {
    /// Whether a call without it is an error. A `*shape` must be given, other sizes need not be.
    fn is_required(&self) -> bool {
        let is_shape = self.kind == ParameterKind::Sizes && self.name == "shape";
        self.default.is_none() && (is_shape || !self.kind.is_starred())
    }

    /// Whether it is `*shape` and something was given for it.
    fn takes_rest(&self, bound: &Bound) -> bool {
        self.kind == ParameterKind::Sizes && !bound.rest.is_empty()
    }
}

impl ParameterKind {
    fn is_starred(self) -> bool {
        matches!(self, ParameterKind::Star | ParameterKind::Sizes | ParameterKind::DoubleStar)
    }
}

/// Whether a positional argument still belongs to `*shape`.
fn takes_size(taken: &[Argument], value: &Value) -> bool {
    let integer = match value {
        Value::Int(_) | Value::Bool(_) => true,
        Value::Tensor(tensor) => tensor.rank() == 0 && !tensor.dtype().is_float(),
        _ => false,
    };
    match taken.first().map(|first| &first.value) {
        // A dtype comes first only where no size is wanted; what is no size at all is told so.
        None => !matches!(value, Value::DType(_) | Value::Type(_) | Value::Device(_)),
        Some(first) if first.is_sequence() || matches!(first, Value::None) => false,
        // A type or an order may follow; what is none of them is told that it is no size.
        Some(_) => integer || value.is_sequence() || value.number().is_some(),
    }
}

/// The parts between commas that stand in no bracket.
fn split_top_level(text: &'static str) -> impl Iterator<Item = &'static str> {
    let mut depth = 0i32;
    text.split(move |c: char| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    })
    .map(str::trim)
    .filter(|part| !part.is_empty())
}

fn default_value(text: &str) -> Value {
    let quoted = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    match text {
        "None" => Value::None,
        "True" => Value::Bool(true),
        "False" => Value::Bool(false),
        "..." => Value::Ellipsis,
        "()" => Value::tuple(Vec::new()),
        "inf" => Value::Float(f64::INFINITY),
        "-inf" => Value::Float(f64::NEG_INFINITY),
        "nan" => Value::Float(f64::NAN),
        _ => None
            .or_else(|| text.parse().ok().map(Value::Int))
            .or_else(|| text.parse().ok().map(Value::Float))
            .or_else(|| {
                let text = quoted('\'').or_else(|| quoted('"'))?;
                Some(Value::str(text.replace("\\n", "\n")))
            })
            .or_else(|| DType::from_name(text).map(Value::DType))
            .or_else(|| {
                let inner = text.strip_prefix('(')?.strip_suffix(')')?;
                let parts = inner.split(',').map(str::trim).filter(|part| !part.is_empty());
                Some(Value::tuple(parts.map(default_value).collect::<Vec<_>>()))
            })
            .unwrap_or_else(|| Value::str(text)),
    }
}
