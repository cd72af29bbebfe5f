//! What a program shows in the middle of a cell.

use super::super::{Builtin, Call, Homes};
use crate::diag::Fault;
use crate::interp::Evaluator;
use crate::interp::object::file::failed;
use crate::interp::value::Value;
use crate::report::{Form, Report, Rich, embedded};

/// A picture with more bytes than these is not put into a page.
const LARGEST: u64 = 64 << 20;

pub const BUILTINS: &[Builtin] = &[Builtin::new("display(*objects)", |call| {
    for object in call.rest() {
        call.evaluator.show(&object.value)?;
    }
    Ok(Value::None)
})
.homes(Homes::PYTHON)
.doc("Shows values as a cell's result is shown: objects that say how, and figures, as pictures and pages where\nthere are some, everything else as its repr.")
.example("display([1, 2])")];

/// Functions without a name in the language.
pub const HIDDEN: &[Builtin] = &[
    Builtin::hidden(
        "clear_shown(wait, /)",
        |call| {
            call.evaluator.world.clear(call.bool(0)?);
            Ok(Value::None)
        },
        "Takes away what the cell has shown.",
    ),
    Builtin::hidden("picture_data(path, /)", picture, "The bytes of a file in base64."),
];

fn picture(call: &mut Call<'_>) -> Result<Value, Fault> {
    let path = call.path(0)?;
    let read = || {
        let size = std::fs::metadata(&*path)?.len();
        if size > LARGEST {
            return Ok(None);
        }
        std::fs::read(&*path).map(Some)
    };
    match read() {
        Ok(Some(bytes)) => Ok(Value::str(embedded(&bytes))),
        Ok(None) => Err(Fault::value_error("the picture has more than 64 MiB")),
        Err(error) => Err(failed(&error, &path)),
    }
}

impl Evaluator<'_> {
    /// What an object says itself of how it is shown, if it does.
    ///
    /// # Errors
    /// What its methods bring up.
    pub fn rich(&self, value: &Value) -> Result<Option<Rich>, Fault> {
        if !matches!(value, Value::Object(_)) {
            return Ok(None);
        }
        let mut forms = Vec::new();
        for form in Form::ALL {
            match self.call_special(value, form.method(), []).transpose()? {
                Some(Value::Str(text)) => forms.push((form, text.to_string())),
                // With what is to be known about it.
                Some(Value::Tuple(parts)) => {
                    if let Some(Value::Str(text)) = parts.first() {
                        forms.push((form, text.to_string()));
                    }
                }
                _ => {}
            }
        }
        if forms.is_empty() {
            return Ok(None);
        }
        Ok(Some(Rich { text: self.try_repr(value)?, forms }))
    }

    fn show(&self, value: &Value) -> Result<(), Fault> {
        if let Some(rich) = self.rich(value)? {
            self.world.show(&Report::Rich(rich));
        } else if !self.show_figure(value)? {
            self.world.show(&Report::plain(self.try_pretty(value)?));
        }
        Ok(())
    }
}
