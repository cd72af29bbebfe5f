//! Groups of exceptions: what makes one of its arguments.

use std::rc::Rc;

use super::class::ClassRef;
use super::instance::Instance;
use crate::diag::{ErrorKind, Fault};
use crate::interp::Evaluator;
use crate::interp::value::{Entries, Key, Type, Value};

/// What holds the members of a group.
const MEMBERS: &str = "exceptions";

impl Evaluator<'_> {
    /// The class and the fields of a group that a class makes of these arguments: its words, and a sequence of its
    /// members. `BaseExceptionGroup` makes an `ExceptionGroup` of members that are all derived from `Exception`.
    ///
    /// # Errors
    /// TypeError and ValueError in CPython's words.
    pub(super) fn group_of(
        &self,
        class: ClassRef,
        args: &[Value],
    ) -> Result<(ClassRef, Entries), Fault> {
        let [words, members] = args else {
            return Err(Fault::type_error(format!(
                "BaseExceptionGroup.__new__() takes exactly 2 arguments ({} given)",
                args.len()
            )));
        };
        if !matches!(words.plain(), Value::Str(_)) {
            let found = words.type_name();
            return Err(Fault::type_error(format!(
                "BaseExceptionGroup.__new__() argument 1 must be str, not {found}"
            )));
        }
        let items = match members.plain() {
            Value::List(_) | Value::Tuple(_) | Value::Str(_) | Value::Range(_) => {
                self.iterate(members)?
            }
            _ => {
                let words = "second argument (exceptions) must be a sequence";
                return Err(Fault::type_error(words));
            }
        };
        if items.is_empty() {
            let words = "second argument (exceptions) must be a non-empty sequence";
            return Err(Fault::value_error(words));
        }
        let mut are_plain = true;
        for (at, item) in items.iter().enumerate() {
            let kind = match item {
                Value::Object(object) if object.exception().is_some() => object.class.native(),
                _ => Type::Object,
            };
            let Type::Error(kind) = kind else {
                return Err(Fault::value_error(format!(
                    "Item {at} of second argument (exceptions) is not an exception"
                )));
            };
            are_plain &= kind.is_a(ErrorKind::Exception);
        }
        let of = |kind| ClassRef::Native(Type::Error(kind));
        let is_plain_class =
            matches!(class.native(), Type::Error(kind) if kind.is_a(ErrorKind::Exception));
        if is_plain_class && !are_plain {
            return Err(Fault::type_error(match class.program() {
                None => "Cannot nest BaseExceptions in an ExceptionGroup".to_owned(),
                Some(_) => format!("Cannot nest BaseExceptions in '{}'", class.name()),
            }));
        }
        let is_base = class == of(ErrorKind::BaseExceptionGroup);
        let class = if is_base && are_plain { of(ErrorKind::ExceptionGroup) } else { class };
        let fields = [("message", words.clone()), (MEMBERS, Value::tuple(items))];
        let entry = |(name, value)| Some((Key::new(Value::str(name)).ok()?, value));
        Ok((class, fields.into_iter().filter_map(entry).collect()))
    }

    /// `str(group)`
    pub(super) fn group_text(&self, group: &Rc<Instance>) -> Option<Result<String, Fault>> {
        let (Some(words), Some(Value::Tuple(members))) =
            (group.field("message"), group.field(MEMBERS))
        else {
            return None;
        };
        let (count, many) = (members.len(), if members.len() == 1 { "" } else { "s" });
        let text = self.try_str(&words).map_err(Fault::from);
        Some(text.map(|words| format!("{words} ({count} sub-exception{many})")))
    }
}
