//! What a program wants to hear of floating-point errors: what `seterr` in NumPy's text is made of.

use std::cell::Cell;
use std::rc::Rc;

use super::{Builtin, Call, Homes};
use crate::diag::{Fault, SourceId, Span};
use crate::interp::Evaluator;
use crate::interp::shared::Undo;
use crate::interp::value::{Module, Value};
use crate::tensor::{FloatError, FloatWay, HeardError, Origin};

/// Functions without a name in the language.
pub const HIDDEN: &[Builtin] = &[Builtin::new("watch_floats(divide, over, under, invalid, /)", watch_floats)
    .homes(Homes::NONE)
    .doc("Says of each floating-point error, in NumPy's order, whether it is ignored, told of or raised.")];

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

    fn undo(mut self: Box<Self>) {
        self.exchange();
    }

    fn matters(&self) -> bool {
        true
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

fn watch_floats(call: &mut Call<'_>) -> Result<Value, Fault> {
    let mut wanted = Ways::default();
    for (at, way) in wanted.iter_mut().enumerate() {
        *way = match call.str(at)? {
            "ignore" => FloatWay::Ignore,
            "raise" => FloatWay::Raise,
            _ => FloatWay::Tell,
        };
    }
    let ways = call.engine().float_ways();
    let then = ways.replace(wanted);
    if then != wanted {
        call.evaluator.interp.journal.note(Before { ways, then });
    }
    Ok(Value::None)
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
        let tell = self.in_module(Module::Numpy, "_tell_float_error")?.unwrap_or(Value::None);
        let words = [Value::str(heard.error.name()), Value::str(heard.words), file, line];
        self.call_value(&tell, words, []).map(drop)
    }
}
