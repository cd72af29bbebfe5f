//! Arguments to parameters, by Python's rules and in its words.

use super::register::put_copy;
use crate::diag::{Fault, Span, did_you_mean};
use crate::interp::builtins::{Argument, Arguments};
use crate::interp::compile::{ArgumentKind, CallSite, Placed, Reg};
use crate::interp::object::function::Closure;
use crate::interp::value::{Entries, Key, Value};
use std::rc::Rc;

use smallvec::SmallVec;

/// What does not fit, and the argument that it is about.
pub(super) type Misfit = (Fault, Option<Span>);

/// Where the arguments of a call go, behind `given` values, if each has one register of its own and
/// all other parameters have defaults. The call remembers it.
pub(super) fn placed(function: &Closure, site: &CallSite, given: usize) -> Option<Rc<Placed>> {
    let code = &function.code;
    if let Some(known) = &*site.placed.borrow()
        && std::ptr::eq(known.code.as_ptr(), Rc::as_ptr(code))
        && known.given == given
    {
        return Some(known.clone());
    }
    let placed = Rc::new(place(function, site, given)?);
    site.placed.replace(Some(placed.clone()));
    Some(placed)
}

fn place(function: &Closure, site: &CallSite, given: usize) -> Option<Placed> {
    let parameters = &function.code.parameters;
    let named = parameters.positional + parameters.keyword_only;
    let is_plain = parameters.count() == named && !function.code.is_generator;
    if !is_plain || given > parameters.positional {
        return None;
    }
    let mut places: SmallVec<[Reg; 8]> = (0..given as Reg).collect();
    for argument in &site.arguments {
        let place = match &argument.kind {
            ArgumentKind::Positional if places.len() < parameters.positional => places.len(),
            ArgumentKind::Keyword(name, _) => {
                let names = parameters.names[..named].iter().enumerate();
                let mut names = names.skip(parameters.positional_only);
                names.find(|(_, known)| *known == name)?.0
            }
            _ => return None,
        };
        let place = place as Reg;
        if places.contains(&place) {
            return None;
        }
        places.push(place);
    }
    let missing = (0..named as Reg).filter(|at| !places.contains(at));
    let missing: SmallVec<[Reg; 8]> = missing.collect();
    let has_default = |at: &Reg| default_of(function, usize::from(*at)).is_some();
    let code = Rc::downgrade(&function.code);
    missing.iter().all(has_default).then_some(Placed { code, given, places, missing })
}

/// What a parameter holds that was not given; nothing where it has no default.
fn default_of(function: &Closure, at: usize) -> Option<&Value> {
    let parameters = &function.code.parameters;
    match at.checked_sub(parameters.positional) {
        None => {
            let from_end = parameters.positional - at;
            function.defaults.get(function.defaults.len().checked_sub(from_end)?)
        }
        Some(at) => function.keyword_defaults.get(at)?.as_ref(),
    }
}

/// Puts what a parameter holds that was not given.
#[inline]
pub(super) fn put_default(register: &mut Value, function: &Closure, at: usize) {
    put_copy(register, default_of(function, at).unwrap_or(&Value::Unbound));
}

/// The registers of the parameters of a function that takes these values plainly.
fn plain_registers(function: &Closure, mut values: Vec<Value>) -> Vec<Value> {
    let missing = function.code.parameters.positional - values.len();
    values.extend_from_slice(&function.defaults[function.defaults.len() - missing..]);
    values
}

/// The registers of a function's parameters.
pub(super) fn bind(function: &Closure, arguments: Arguments) -> Result<Vec<Value>, Misfit> {
    let parameters = &function.code.parameters;
    let is_positional = arguments.iter().all(|argument| argument.name.is_none());
    if is_positional && function.takes_plainly(arguments.len()) {
        let values = arguments.into_iter().map(|argument| argument.value);
        return Ok(plain_registers(function, values.collect()));
    }
    let named = parameters.positional + parameters.keyword_only;
    let mut registers = vec![Value::Unbound; parameters.count()];
    let mut rest: Vec<Value> = Vec::new();
    let mut extra = Entries::default();
    let mut given = 0;
    let mut first_too_many = None;
    for Argument { name, value, span } in arguments {
        let Some(name) = name else {
            if given < parameters.positional {
                registers[given] = value;
            } else {
                first_too_many = first_too_many.or(Some(span));
                rest.push(value);
            }
            given += 1;
            continue;
        };
        let names = parameters.names.iter().take(named);
        let found = names.enumerate().skip(parameters.positional_only).find(|(_, n)| **n == name);
        match found {
            Some((at, _)) if matches!(registers[at], Value::Unbound) => registers[at] = value,
            Some(_) => {
                let message = format!("got multiple values for argument '{name}'");
                return Err((wrong(function, &message), Some(span)));
            }
            None if parameters.double_star.is_some() => {
                let Ok(key) = Key::new(Value::str(&name)) else { continue };
                if extra.insert(key, value).is_some() {
                    let message = format!("got multiple values for keyword argument '{name}'");
                    return Err((wrong(function, &message), Some(span)));
                }
            }
            None => return Err((unexpected(function, &name), Some(span))),
        }
    }
    if parameters.star.is_none() && given > parameters.positional {
        return Err((too_many(function, given, &registers), first_too_many));
    }
    let mut missing: Vec<&str> = Vec::new();
    for (kind, range) in
        [("positional", 0..parameters.positional), ("keyword-only", parameters.positional..named)]
    {
        for at in range {
            if let Value::Unbound = registers[at] {
                match default_of(function, at) {
                    Some(default) => registers[at] = default.clone(),
                    None => missing.push(&parameters.names[at]),
                }
            }
        }
        if !missing.is_empty() {
            return Err((lacks(function, &missing, kind), None));
        }
    }
    if let Some(star) = parameters.star {
        registers[usize::from(star)] = Value::tuple(rest);
    }
    if let Some(double_star) = parameters.double_star {
        registers[usize::from(double_star)] = Value::Dict(Rc::new(extra.into()));
    }
    Ok(registers)
}

#[cold]
fn wrong(function: &Closure, message: &str) -> Fault {
    Fault::type_error(format!("{}() {message}", &**function.code.qualified_name))
}

#[cold]
fn unexpected(function: &Closure, name: &str) -> Fault {
    let parameters = &function.code.parameters;
    let positional_only = &parameters.names[..parameters.positional_only];
    if positional_only.iter().any(|known| **known == *name) {
        let message =
            format!("got some positional-only arguments passed as keyword arguments: '{name}'");
        return wrong(function, &message);
    }
    let fault = wrong(function, &format!("got an unexpected keyword argument '{name}'"));
    let named = parameters.positional + parameters.keyword_only;
    let names = parameters.names[..named].iter().map(|name| &**name);
    match did_you_mean(name, names) {
        Some(near) => fault.with_hint(format!("did you mean `{near}`?")),
        None => fault,
    }
}

#[cold]
fn too_many(function: &Closure, given: usize, registers: &[Value]) -> Fault {
    let parameters = &function.code.parameters;
    let (most, defaults) = (parameters.positional, function.defaults.len());
    let takes = match defaults {
        0 => most.to_string(),
        _ => format!("from {} to {most}", most - defaults),
    };
    let plural = if defaults == 0 && most == 1 { "" } else { "s" };
    let by_name = (parameters.positional..most + parameters.keyword_only)
        .filter(|at| !matches!(registers[*at], Value::Unbound))
        .count();
    let were = if given == 1 && by_name == 0 { "was" } else { "were" };
    let message = if by_name > 0 {
        let arguments = if given == 1 { "" } else { "s" };
        let names = if by_name == 1 { "" } else { "s" };
        format!(
            "takes {takes} positional argument{plural} but {given} positional argument{arguments} \
             (and {by_name} keyword-only argument{names}) {were} given"
        )
    } else {
        format!("takes {takes} positional argument{plural} but {given} {were} given")
    };
    wrong(function, &message)
}

#[cold]
fn lacks(function: &Closure, missing: &[&str], kind: &str) -> Fault {
    let quoted: Vec<String> = missing.iter().map(|name| format!("'{name}'")).collect();
    let names = match quoted.as_slice() {
        [one] => one.clone(),
        [one, two] => format!("{one} and {two}"),
        [before @ .., last] => format!("{}, and {last}", before.join(", ")),
        [] => String::new(),
    };
    let plural = if missing.len() == 1 { "" } else { "s" };
    let count = missing.len();
    wrong(function, &format!("missing {count} required {kind} argument{plural}: {names}"))
}
