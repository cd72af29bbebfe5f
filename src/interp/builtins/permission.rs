//! Who may write to a tensor: what `x.flags` in the text of NumPy's methods is made of.

use super::{Builtin, Call, Homes, Run};
use crate::diag::Fault;
use crate::interp::shared::Undo;
use crate::interp::value::Value;
use crate::tensor::{Permission, WeakTensor};

const fn tool(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    Builtin::new(signature, run).homes(Homes::NONE).doc(doc)
}

/// Functions without a name in the language.
pub const HIDDEN: &[Builtin] = &[
    tool(
        "is_writable(x, /)",
        |call| Ok(Value::Bool(!call.tensor(0usize)?.is_read_only())),
        "Whether elements of a tensor can be assigned to.",
    ),
    tool(
        "set_writable(x, is_writable, /)",
        set_writable,
        "Says whether they can, to all who hold the tensor.",
    ),
    tool(
        "read_only(x, /)",
        |call| Ok(call.engine().read_only(&call.tensor(0usize)?, Permission::Read)?.into()),
        "A view that is read-only.",
    ),
];

/// What a tensor's permission was before it was changed.
struct Before {
    tensor: WeakTensor,
    permission: Permission,
}

impl Undo for Before {
    fn exchange(&mut self) {
        if let Some(tensor) = self.tensor.upgrade() {
            let now = tensor.permission();
            tensor.set_permission(self.permission);
            self.permission = now;
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

    fn visit(&self, _: &mut dyn FnMut(&Value)) {}

    fn bytes(&self) -> usize {
        size_of::<Before>()
    }
}

fn set_writable(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (tensor, is_writable) = (call.tensor(0usize)?, call.bool(1usize)?);
    let permission = match (tensor.permission(), is_writable) {
        (Permission::View | Permission::Repeated | Permission::Bools, true) => {
            let fault = Fault::value_error("cannot set WRITEABLE flag to True of this array");
            return Err(fault.with_hint(
                "it shares its elements with what is read-only: write to a copy, `x.copy()`",
            ));
        }
        (Permission::Written | Permission::Read | Permission::Imaginary, true) => {
            Permission::Written
        }
        (Permission::Written | Permission::Read, false) => Permission::Read,
        (_, false) => return Ok(Value::None),
    };
    let journal = &call.evaluator.interp.journal;
    journal.note(Before { tensor: tensor.downgrade(), permission: tensor.permission() });
    tensor.set_permission(permission);
    Ok(Value::None)
}
