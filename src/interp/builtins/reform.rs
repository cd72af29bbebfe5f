//! Tensors that change in place, and whose memory they look into: what `x.shape = …`, `x.resize(…)` and
//! `x.base` in the text of NumPy's methods are made of.

use super::{Builtin, Call, Homes, Run};
use crate::diag::Fault;
use crate::interp::shared::Undo;
use crate::interp::value::Value;
use crate::tensor::{Tensor, WeakTensor};

const fn tool(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    Builtin::new(signature, run).homes(Homes::NONE).doc(doc)
}

/// Functions without a name in the language.
pub const HIDDEN: &[Builtin] = &[
    tool(
        "base_of(x, /)",
        |call| {
            let x = call.tensor(0usize)?;
            Ok(call.engine().base_of(&x)?.map_or(Value::None, Value::from))
        },
        "The tensor that one is a view of, or None.",
    ),
    tool("owns_memory(x, /)", owns_memory, "Whether a tensor is no view of another."),
    tool(
        "is_scalar_of(x, /)",
        |call| Ok(Value::Bool(call.tensor(0usize)?.is_scalar())),
        "Whether it never changes.",
    ),
    tool("set_shape(x, shape, /)", set_shape, "Gives a tensor another shape, for all who hold it."),
    tool("become(x, y, /)", replace, "Gives one tensor what another is, for all who hold it."),
    tool(
        "holders_of(x, /)",
        |call| {
            let x = call.tensor(0usize)?;
            let interp = call.evaluator.interp;
            interp.take_stock();
            interp.look_again();
            let is_it = |value: &Value| matches!(value, Value::Tensor(other) if other.is_same(&x));
            // Results that were shown have names, too.
            let is_shown =
                |name: &str| name.trim_start_matches('_').bytes().all(|b| b.is_ascii_digit());
            let scope = interp.scope.borrow();
            let named = scope.iter().filter(|(name, _)| !is_shown(name));
            let names = named.filter(|(_, value)| is_it(value)).count();
            let gone = interp.journal.reach.borrow().past_views(&x);
            let views = x.view_count().saturating_sub(gone);
            Ok(Value::tuple([names, views].map(|count| Value::Int(count as i64))))
        },
        "How many variables of the session hold a tensor, and how many views of it there are.",
    ),
];

/// What a tensor was before it changed in place.
struct Before {
    tensor: WeakTensor,
    /// It, as a tensor that nobody else has.
    was: Value,
}

impl Undo for Before {
    fn exchange(&mut self) {
        if let (Some(tensor), Value::Tensor(was)) = (self.tensor.upgrade(), &self.was) {
            tensor.swap(was);
        }
    }

    fn undo(mut self: Box<Self>) {
        self.exchange();
    }

    fn matters(&self) -> bool {
        self.tensor.upgrade().is_some()
    }

    fn is_for(&self, _: u64) -> bool {
        // Every change is kept: they are few.
        true
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        look(&self.was);
    }

    fn bytes(&self) -> usize {
        size_of::<Before>()
    }
}

fn owns_memory(call: &mut Call<'_>) -> Result<Value, Fault> {
    let x = call.tensor(0usize)?;
    let is_all = x.storage_and_layout().is_none_or(|(storage, _)| storage.is_origin());
    Ok(Value::Bool(is_all && !x.is_view()))
}

fn set_shape(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (x, extents) = (call.tensor(0usize)?, call.ints(1usize)?);
    let was = call.engine().reshape_in_place(&x, &extents)?;
    note(call, &x, was);
    Ok(Value::None)
}

fn replace(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (x, y) = (call.tensor(0usize)?, call.tensor(1usize)?);
    // What else holds the second must not become the first.
    let was = call.engine().copy(&y)?;
    call.engine().exchange(&x, &was)?;
    note(call, &x, was);
    Ok(Value::None)
}

fn note(call: &Call<'_>, x: &Tensor, was: Tensor) {
    let before = Before { tensor: x.downgrade(), was: was.into() };
    call.evaluator.interp.journal.note(before);
}
