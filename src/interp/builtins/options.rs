//! Parameters of NumPy's that mean the same in every function that has them: `casting`, by which rule types
//! may become others, `order`, how a result lies in memory, `subok`, which lets results be of a subclass, of
//! which there are none, and `like`, an array whose kind new ones have. Calls see to them before and
//! after the function runs, so that a row of the registry only names them.

use smallvec::SmallVec;

use super::arguments::Parameter;
use super::forms::{Made, Outcome};
use super::{Call, Homes};
use crate::diag::Fault;
use crate::dtype::{DType, Kind};
use crate::interp::value::{Module, Str, Type, Value};
use crate::tensor::{Engine, Tensor};

/// Where a signature has such parameters.
#[derive(Debug)]
pub struct Options {
    /// The first of them: a call of fewer arguments gives none.
    first: usize,
    gradients: Option<usize>,
    casting: Option<usize>,
    /// How the result lies in memory.
    layout: Option<usize>,
    /// By which fields something is sorted.
    fields: Option<usize>,
    like: Option<usize>,
}

impl Options {
    /// Nothing where a signature has none of them.
    pub fn of(parameters: &[super::signature::Parameter]) -> Option<Options> {
        let position = |name: &str| parameters.iter().position(|p| p.name == name);
        let order = position("order");
        // An order that picks elements, as that of `ravel`, is the function's own.
        let lays_out = position("subok").is_some() || position("like").is_some();
        let is_none = |at: &usize| matches!(parameters[*at].default, Some(Value::None));
        let options = Options {
            first: 0,
            gradients: position("requires_grad"),
            casting: position("casting"),
            layout: order.filter(|_| lays_out),
            fields: order.filter(|at| !lays_out && is_none(at)),
            like: position("like"),
        };
        let Options { gradients, casting, layout, fields, like, .. } = options;
        let first = [gradients, casting, layout, fields, like].into_iter().flatten().min()?;
        Some(Options { first, ..options })
    }
}

/// NumPy's rules by which one type may become another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Casting {
    Same,
    Safe,
    SameKind,
    Unsafe,
    /// As unsafe, and no value may change.
    SameValue,
}

impl Casting {
    pub fn named(name: &str) -> Result<Casting, Fault> {
        Ok(match name {
            "no" | "equiv" => Casting::Same,
            "safe" => Casting::Safe,
            "same_kind" => Casting::SameKind,
            "unsafe" => Casting::Unsafe,
            "same_value" => Casting::SameValue,
            _ => {
                let words = "casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe', or 'same_value'";
                return Err(Fault::value_error(format!("{words} (got '{name}')")));
            }
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Casting::Same => "no",
            Casting::Safe => "safe",
            Casting::SameKind => "same_kind",
            Casting::Unsafe => "unsafe",
            Casting::SameValue => "same_value",
        }
    }

    pub fn allows(self, from: DType, to: DType) -> bool {
        match self {
            Casting::Same => from == to,
            Casting::Safe => from.is_safe_in(to),
            Casting::SameKind => {
                from.kind() <= to.kind()
                    && !(to.kind() == Kind::Unsigned && from.kind() == Kind::Signed)
            }
            Casting::Unsafe | Casting::SameValue => true,
        }
    }
}

impl Call<'_> {
    /// Looks at the shared parameters that were given.
    ///
    /// # Errors
    /// RuntimeError where gradients are asked for: accepted in silence, nothing would follow. Those of
    /// values that NumPy refuses.
    pub fn check_options(&self) -> Result<(), Fault> {
        let Some(options) = self.given_options() else { return Ok(()) };
        if let Some(at) = self.given_at(options.gradients) {
            self.refuse_gradients(at)?;
        }
        if let Some(at) = self.given_at(options.casting) {
            Casting::named(self.str(at)?).map_err(|fault| {
                let is_ufunc = self.function.builtin.is_ufunc();
                let words = fault.message.replace(", or 'same_value'", "");
                let fault = if is_ufunc { Fault { message: words, ..fault } } else { fault };
                self.fault_at(at, fault)
            })?;
        }
        if let Some(at) = self.given_at(options.layout) {
            self.layout(at)?;
        }
        if let Some(at) = self.given_at(options.fields)
            && !self.is_none(at)
        {
            let words = "Cannot specify order when the array has no fields.";
            return Err(self.fault_at(at, Fault::value_error(words)));
        }
        if let Some(at) = self.given_at(options.like)
            && !matches!(self.value(at), Value::None | Value::Tensor(_))
        {
            let words = "The `like` argument must be an array-like that implements the `__array_function__` protocol.";
            return Err(self.fault_at(at, Fault::type_error(words)));
        }
        Ok(())
    }

    /// The function's result as `order` asks for it.
    ///
    /// # Errors
    /// Those of computing it.
    pub fn laid_out(&self, result: Value) -> Outcome {
        let Some(at) = self.given_options().and_then(|options| self.given_at(options.layout))
        else {
            return Ok(result);
        };
        let is_out = |name| {
            self.function
                .signature()
                .position(name)
                .is_some_and(|at| self.given(at) && !self.is_none(at))
        };
        match &result {
            // What is stored in `out` lies as that does.
            Value::Tensor(made) if !is_out("out") => {
                let order = self.layout(at)?;
                let like = match self.value(0usize) {
                    Value::Tensor(given) => given.clone(),
                    _ => made.clone(),
                };
                Ok(in_order(self.engine(), made, &like, order)?.into())
            }
            _ => Ok(result),
        }
    }

    /// A result of the library's that looks into no argument's memory has its own, though it was a view of what
    /// the function made on its way.
    pub fn owned(&self, result: Value) -> Value {
        let builtin = self.function.builtin;
        let is_library = builtin.method_of == Some(Type::Tensor)
            || builtin.homes.holds(Homes::of(Module::Numpy));
        if let Value::Tensor(made) = &result
            && is_library
            && made.is_view()
        {
            let mut given = self.given_values();
            let is_given =
                |value: &Value| matches!(value, Value::Tensor(given) if made.shares_owner(given));
            if !given.any(is_given) {
                made.forget_owner();
            }
        }
        result
    }

    /// The rule that `casting` names, of a function that has it.
    pub fn casting(&self) -> Result<Casting, Fault> {
        let rule = Casting::named(self.str("casting")?);
        rule.map_err(|fault| self.fault_at("casting", fault))
    }

    fn is_maker(&self) -> bool {
        self.function.signature().options.as_ref().is_some_and(|options| options.layout.is_some())
    }

    fn given_options(&self) -> Option<&Options> {
        let options = self.function.signature().options.as_ref()?;
        (self.arguments() > options.first).then_some(options)
    }

    fn given_at(&self, at: Option<usize>) -> Option<usize> {
        at.filter(|at| self.given(*at))
    }

    /// As [`Call::str`], with what is known of the characters.
    pub fn text(&self, key: impl Parameter) -> Result<&Str, Fault> {
        let value = self.value(key);
        match value.plain() {
            Value::Str(text) => Ok(text),
            _ => {
                let found = value.type_name();
                let fault = Fault::type_error(format!("expected a string, found {found}"));
                Err(self.fault_at(key, fault))
            }
        }
    }

    /// An integer, or an array of one that has no axes; `None` for anything else.
    pub fn count(&self, key: impl Parameter) -> Result<Option<i64>, Fault> {
        match self.value(key) {
            Value::Int(count) => Ok(Some(*count)),
            Value::Bool(one) => Ok(Some(i64::from(*one))),
            Value::Tensor(count) if count.rank() == 0 && count.dtype().is_integer() => {
                self.int(key).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// One of NumPy's orders, as a letter.
    pub fn layout(&self, key: impl Parameter) -> Result<char, Fault> {
        let parameter = &self.function.signature().parameters[key.position(self)];
        let name = match (self.value(key), &parameter.default) {
            (Value::None, Some(Value::Str(usual))) => usual,
            (Value::None, _) => return Ok('K'),
            (Value::Str(name), _) => name,
            (other, _) => {
                let found = match other {
                    Value::Tensor(x) if x.is_scalar() => format!("numpy.{}", x.dtype()),
                    Value::Tensor(_) => "numpy.ndarray".to_owned(),
                    other => other.type_name().to_owned(),
                };
                let words = format!("order must be str, not {found}");
                return Err(self.fault_at(key, Fault::type_error(words)));
            }
        };
        let name: &str = name;
        let is_two = matches!(&parameter.default, Some(Value::Str(one)) if &**one == "C");
        match name {
            // What is made of nothing has no order to keep.
            _ if is_two && self.is_maker() && !matches!(name, "C" | "F" | "c" | "f") => {
                let words = "only 'C' or 'F' order is permitted";
                Err(self.fault_at(key, Fault::value_error(words)))
            }
            "C" | "c" => Ok('C'),
            "F" | "f" => Ok('F'),
            "A" | "a" => Ok('A'),
            "K" | "k" => Ok('K'),
            _ => {
                let words = format!("order must be one of 'C', 'F', 'A', or 'K' (got '{name}')");
                Err(self.fault_at(key, Fault::value_error(words)))
            }
        }
    }
}

/// The way in which `isin` searches, which is here always the same.
///
/// # Errors
/// ValueError for what is none of NumPy's.
pub fn check_search(call: &Call<'_>) -> Result<(), Fault> {
    match call.value("kind") {
        Value::None => Ok(()),
        Value::Str(kind) if matches!(&**kind, "sort" | "table") => Ok(()),
        Value::Str(kind) => {
            let words = format!("Invalid kind: '{kind}'. Please use None, 'sort' or 'table'.");
            Err(call.fault_at("kind", Fault::value_error(words)))
        }
        _ => Err(call.wrong_type("kind", "None, 'sort' or 'table'")),
    }
}

/// The axes from the one whose elements are furthest apart in memory to the one whose are closest.
fn axes_by_stride(engine: &Engine, x: &Tensor) -> Result<SmallVec<[i64; 6]>, crate::tensor::Error> {
    engine.realize(&[x])?;
    let mut axes: SmallVec<[i64; 6]> = (0..x.rank() as i64).collect();
    if let Some((_, layout)) = x.storage_and_layout() {
        axes.sort_by_key(|axis| std::cmp::Reverse(layout.strides[*axis as usize].unsigned_abs()));
    }
    Ok(axes)
}

/// Whether the elements lie by columns, the first axis fastest, without holes, and not by rows.
pub fn is_by_columns(engine: &Engine, x: &Tensor) -> Result<bool, crate::tensor::Error> {
    engine.realize(&[x])?;
    let is_dense =
        |x: &Tensor| x.storage_and_layout().is_some_and(|(_, layout)| layout.is_contiguous());
    Ok(x.rank() > 1 && is_dense(&engine.transpose(x)?) && !is_dense(x))
}

/// A view whose rows are in the order in which `order` reads the elements of `x`.
pub fn turned(engine: &Engine, x: &Tensor, order: char) -> Made {
    match order {
        'F' => engine.transpose(x),
        'A' if is_by_columns(engine, x)? => engine.transpose(x),
        'K' => engine.permute(x, &axes_by_stride(engine, x)?),
        _ => Ok(x.clone()),
    }
}

/// The elements of `x` in memory that is ordered so: 'C' by the last axis, 'F' by the first, 'K' as `like`
/// lies, 'A' by the first only where `like` lies so. `x` itself where it does.
pub fn in_order(engine: &Engine, x: &Tensor, like: &Tensor, order: char) -> Made {
    let rank = x.rank();
    let axes: SmallVec<[i64; 6]> = match order {
        'F' => (0..rank as i64).rev().collect(),
        'K' | 'A' if like.rank() == rank => {
            let axes = axes_by_stride(engine, like)?;
            match order {
                'A' if !is_by_columns(engine, like)? => (0..rank as i64).collect(),
                _ => axes,
            }
        }
        _ => (0..rank as i64).collect(),
    };
    let ordered = engine.permute(x, &axes)?;
    engine.realize(&[&ordered])?;
    if ordered.storage_and_layout().is_some_and(|(_, layout)| layout.is_contiguous()) {
        return Ok(x.clone());
    }
    let mut back: SmallVec<[i64; 6]> = axes.clone();
    axes.iter().enumerate().for_each(|(at, axis)| back[*axis as usize] = at as i64);
    let copy = engine.copy(&ordered)?;
    engine.realize(&[&copy])?;
    engine.permute(&copy, &back)
}
