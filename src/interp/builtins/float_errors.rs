//! What a program wants to hear of floating-point errors: what `seterr` in NumPy's text is made of.

use std::cell::Cell;
use std::rc::Rc;

use super::{Builtin, Call};
use crate::diag::{Fault, SourceId, Span};
use crate::dtype::DType;
use crate::interp::Evaluator;
use crate::interp::shared::Undo;
use crate::interp::value::Value;
use crate::tensor::{FloatError, FloatWay, HeardError, Origin, Reduction, Tensor};

/// Functions without a name in the language.
pub const HIDDEN: &[Builtin] = &[Builtin::hidden(
    "watch_floats(divide, over, under, invalid, /)",
    watch_floats,
    "Says of each floating-point error, in NumPy's order, whether it is ignored, told of or raised.",
)];

type Ways = [FloatWay; FloatError::ALL.len()];

/// What was done about errors before that was changed.
struct Before {
    ways: Rc<Cell<Ways>>,
    then: Ways,
}

impl Undo for Before {
    fn exchange(&mut self) {
        self.then = self.ways.replace(self.then);
    }

    fn matters(&self) -> bool {
        true
    }
}

fn watch_floats(call: &mut Call<'_>) -> Result<Value, Fault> {
    let mut wanted = Ways::default();
    for (at, way) in wanted.iter_mut().enumerate() {
        *way = match call.str(at)? {
            "ignore" => FloatWay::Ignore,
            "raise" => FloatWay::Raise,
            _ => FloatWay::Tell,
        };
    }
    // What was heard of before is done about as it was said before.
    call.evaluator.tell_float_errors()?;
    let ways = call.engine().float_ways();
    let then = ways.replace(wanted);
    if then != wanted {
        call.evaluator.interp.journal.note(Before { ways, then });
    }
    Ok(Value::None)
}

impl Call<'_> {
    /// Says a RuntimeWarning of the place of the call.
    ///
    /// # Errors
    /// The warning itself, where a filter makes it an error.
    #[cold]
    pub fn warn(&self, words: &str) -> Result<(), Fault> {
        let (file, line) = self.evaluator.file_and_line(self.span());
        self.evaluator.call_written("_tell_of", [Value::str(words), file, line]).map(drop)
    }

    /// NumPy's ComplexWarning, where a cast of `x` drops imaginary parts.
    ///
    /// # Errors
    /// As [`Call::warn`].
    pub fn warn_of_parts(&self, x: &Tensor, dtype: DType) -> Result<(), Fault> {
        if !x.dtype().is_complex() || dtype.is_complex() || dtype == DType::Bool {
            return Ok(());
        }
        let (file, line) = self.evaluator.file_and_line(self.span());
        self.evaluator.call_written("_tell_of_parts", [file, line]).map(drop)
    }

    /// The same where a mask is true anywhere, which is found out together with the result.
    ///
    /// # Errors
    /// Those of computing both, too.
    pub fn warn_where(&self, mask: &Tensor, result: &Tensor, words: &str) -> Result<(), Fault> {
        let engine = self.engine();
        let any = engine.reduce(Reduction::Any, mask, None, false)?;
        engine.realize(&[result, &any])?;
        if engine.item(&any)?.as_bool() { self.warn(words) } else { Ok(()) }
    }
}

impl Evaluator<'_> {
    /// Gives NumPy's text the floating-point errors that the latest work met and somebody wants to hear of.
    ///
    /// # Errors
    /// What is done about them brings up: a warning that is an error, a function that raises.
    #[inline]
    pub(in crate::interp) fn tell_float_errors(&self) -> Result<(), Fault> {
        self.interp.engine.take_float_errors().into_iter().try_for_each(|heard| self.tell(heard))
    }

    #[cold]
    fn tell(&self, heard: HeardError) -> Result<(), Fault> {
        let Origin([source, start, end]) = heard.origin;
        let span = Span { source: SourceId(source), start, end };
        let (file, line) = self.file_and_line(span);
        let words = [Value::str(heard.error.name()), Value::str(heard.words), file, line];
        self.call_written("_tell_float_error", words).map(drop)
    }
}
