//! Exceptions as objects, and errors on their way through the program.
//!
//! An error is a [`Diagnostic`] while it travels. It becomes an object when a handler takes it, and
//! the object remembers it, so that raising it again shows the same place.

use std::any::Any;
use std::ops::Range;
use std::rc::Rc;

use super::class::ClassRef;
use super::instance::{Inner, Instance};
use crate::diag::{ClassName, Diagnostic, Earlier, ErrorKind, Fault, NoAxis, Raised, Span};
use crate::interp::Evaluator;
use crate::interp::collect::{Container, Part};
use crate::interp::letting_go::let_go;
use crate::interp::object::exception_shown::unicode_text;
use crate::interp::shared::{Contents, Shared};
use crate::interp::value::{Entries, Key, Tuple, Type, Value};
use crate::syntax::ast::Ident;

/// What makes an object an exception.
#[derive(Debug, Clone)]
pub struct Exception {
    /// Its class, or the built-in one that its class is derived from.
    pub kind: ErrorKind,
    pub args: Tuple,
    /// What it was raised from.
    pub cause: Value,
    /// What was being handled when it was raised.
    pub context: Value,
    pub hides_context: bool,
    /// What an AttributeError, an ImportError or a NameError is about: a name, and an object or a path.
    pub about: Option<Box<[Value; 2]>>,
    /// The error that it was when it was taken, with its place.
    pub error: Option<Box<Diagnostic>>,
    /// The function that has taken it; none for a statement of the session.
    pub caught_in: Option<Ident>,
}

impl Exception {
    pub fn new(kind: ErrorKind, args: Tuple) -> Exception {
        let (cause, context) = (Value::None, Value::None);
        let (hides_context, about, error, caught_in) = (false, None, None, None);
        Exception { kind, args, cause, context, hides_context, about, error, caught_in }
    }
}

impl Contents for Exception {
    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        look(&Value::Tuple(self.args.clone()));
        look(&self.cause);
        look(&self.context);
        self.about.iter().for_each(|about| about.iter().for_each(&mut *look));
    }

    fn bytes(&self) -> usize {
        size_of::<Exception>()
    }

    fn let_go(&mut self) {
        let take = |value: &mut Value| std::mem::replace(value, Value::None);
        let_go((take(&mut self.cause), take(&mut self.context), self.about.take()));
    }

    fn container(cell: &Rc<Shared<Self>>) -> Option<Container> {
        let part: Rc<dyn Part> = cell.clone();
        Some(Container::Part(Rc::downgrade(&part)))
    }
}

/// An exception of a built-in class.
pub fn exception(kind: ErrorKind, args: impl Into<Tuple>) -> Rc<Instance> {
    object_with(Exception::new(kind, args.into()))
}

/// A KeyError about `key`, which its `args` hold.
#[cold]
pub fn key_error(key: &Value, shown: String) -> Fault {
    fault_of(Exception::new(ErrorKind::Key, [key.clone()].into()), shown)
}

/// The error that an exception of a built-in class is, without a place.
fn fault_of(inner: Exception, message: impl Into<String>) -> Fault {
    let mut error = Diagnostic::new(inner.kind, Span::default(), message);
    error.raised = Some(raised(&object_with(inner)));
    Box::new(error).into()
}

fn object_with(inner: Exception) -> Rc<Instance> {
    let class = ClassRef::Native(Type::Error(inner.kind));
    Rc::new(Instance::new(class, Inner::Exception(Rc::new(inner.into()))))
}

/// An AttributeError about what `object` lacks.
#[cold]
pub fn attribute_error(message: String, object: &Value, name: &str) -> Fault {
    let mut inner = Exception::new(ErrorKind::Attribute, [Value::str(&message)].into());
    inner.about = Some(Box::new([Value::str(name), object.clone()]));
    fault_of(inner, message)
}

/// A UnicodeDecodeError or a UnicodeEncodeError about a part of `object`.
#[cold]
pub fn unicode_error(
    kind: ErrorKind,
    codec: &str,
    object: Value,
    part: Range<usize>,
    why: &str,
) -> Fault {
    let number = |number: usize| Value::Int(number as i64);
    let (start, end) = (number(part.start), number(part.end));
    let inner =
        Exception::new(kind, [Value::str(codec), object, start, end, Value::str(why)].into());
    let message = unicode_text(&inner.args).unwrap_or_default();
    fault_of(inner, message)
}

/// An OSError with its number and the path that it is about, if there is one.
#[cold]
pub fn os_error(kind: ErrorKind, number: i32, words: &str, path: &str) -> Fault {
    let mut args = vec![Value::Int(number.into()), Value::str(words)];
    let mut message = format!("[Errno {number}] {words}");
    if !path.is_empty() {
        args.push(Value::str(path));
        message += ": ";
        crate::interp::quote(path, &mut message);
    }
    fault_of(Exception::new(kind, args.into()), message)
}

/// What a JSONDecodeError says of a place in a text, which is counted in characters, and its attributes.
pub fn json_parts(words: &str, text: &str, position: usize) -> (String, Entries) {
    let before = text.chars().take(position);
    let line = before.clone().filter(|c| *c == '\n').count() + 1;
    let column = before.collect::<Vec<_>>().iter().rev().take_while(|c| **c != '\n').count() + 1;
    let message = format!("{words}: line {line} column {column} (char {position})");
    let number = |number: usize| Value::Int(number as i64);
    let parts = [
        ("msg", Value::str(words)),
        ("doc", Value::str(text)),
        ("pos", number(position)),
        ("lineno", number(line)),
        ("colno", number(column)),
    ];
    let entry = |(name, value)| Some((Key::new(Value::str(name)).ok()?, value));
    (message, parts.into_iter().filter_map(entry).collect())
}

/// A JSONDecodeError about such a place.
#[cold]
pub fn json_error(words: &str, text: &str, position: usize) -> Fault {
    let (message, fields) = json_parts(words, text, position);
    let kind = ErrorKind::JsonDecode;
    let inner = Exception::new(kind, [Value::str(&message)].into());
    let inner = Inner::Exception(Rc::new(inner.into()));
    let mut object = Instance::new(ClassRef::Native(Type::Error(kind)), inner);
    object.set_fields(Rc::new(fields.into()));
    let mut error = Diagnostic::new(kind, Span::default(), message);
    error.raised = Some(raised(&Rc::new(object)));
    Box::new(error).into()
}

/// StopIteration with the value that a generator returned.
#[cold]
pub fn stop_iteration(value: Value) -> Fault {
    let args = if matches!(value, Value::None) { Vec::new() } else { vec![value] };
    fault_of(Exception::new(ErrorKind::StopIteration, args.into()), "")
}

/// SystemExit with what `exit` was given.
#[cold]
pub fn system_exit(status: Value) -> Fault {
    let args = if matches!(status, Value::None) { Vec::new() } else { vec![status] };
    fault_of(Exception::new(ErrorKind::SystemExit, args.into()), "")
}

/// What `exit` was given, where an error is the wish to leave.
pub fn exit_status(error: &Diagnostic) -> Option<Value> {
    if error.kind != ErrorKind::SystemExit {
        return None;
    }
    let object = object_of(error);
    let args = object.as_ref()?.exception()?.borrow().args.clone();
    Some(match &*args {
        [] => Value::None,
        [only] => only.clone(),
        _ => Value::Tuple(args),
    })
}

fn raised(object: &Rc<Instance>) -> Raised {
    let value: Rc<dyn Any> = object.clone();
    let class = match &object.class {
        ClassRef::Program(class) => ClassName::Program(class.name.clone()),
        ClassRef::Native(of) => ClassName::Native(of.name()),
    };
    Raised { class, value }
}

/// The object that an error is already.
pub fn object_of(error: &Diagnostic) -> Option<Rc<Instance>> {
    error.raised.as_ref()?.value.clone().downcast().ok()
}

impl Evaluator<'_> {
    /// An exception of a built-in class, which the open transaction makes.
    pub fn new_exception(&self, kind: ErrorKind, args: Tuple) -> Value {
        let inner = Inner::Exception(Rc::new(self.made(Exception::new(kind, args))));
        Value::Object(Rc::new(Instance::new(ClassRef::Native(Type::Error(kind)), inner)))
    }

    /// The error as an object.
    #[cold]
    pub fn caught(&self, mut error: Box<Diagnostic>) -> Rc<Instance> {
        if let Err(late) = self.interp.engine.forgive()
            && !error.kind.is_a(ErrorKind::KeyboardInterrupt)
        {
            error = crate::interp::eval::placed(late.into(), error.span);
        }
        let object = object_of(&error).unwrap_or_else(|| {
            let args = match &error.axis {
                Some(NoAxis { axis, rank, argument }) => vec![
                    Value::Int(*axis),
                    Value::Int(*rank as i64),
                    argument.map_or(Value::None, Value::str),
                ],
                None if error.message.is_empty() => Vec::new(),
                None => vec![Value::str(&error.message)],
            };
            let object = exception(error.kind, args);
            if let (Some(state), Some(earlier)) = (object.exception(), &error.earlier) {
                let earlier = Value::Object(self.caught(Box::new(earlier.error.clone())));
                state.change(&self.interp.journal).context = earlier;
            }
            object
        });
        if let Some(state) = object.exception() {
            // The object holds the error; the error must not hold the object.
            error.raised = None;
            error.earlier = None;
            let journal = &self.interp.journal;
            if Rc::strong_count(&object) == 1 {
                // Nobody had it before it was raised.
                state.claim(journal);
            }
            state.change_to_hold(journal, &Value::None).error = Some(error);
        }
        object
    }

    /// The error that `raise exception from cause` sends on its way.
    #[cold]
    pub fn raise(&self, exception: &Value, cause: Option<&Value>, span: Span) -> Box<Diagnostic> {
        let object = match self.as_exception(exception, "exceptions must derive from BaseException")
        {
            Ok(object) => object,
            Err(fault) => return fault.placed(span),
        };
        let cause = match cause {
            None => None,
            Some(Value::None) => Some(Value::None),
            Some(cause) => {
                let words = "exception causes must derive from BaseException";
                match self.as_exception(cause, words) {
                    Ok(cause) => Some(Value::Object(cause)),
                    Err(fault) => return fault.placed(span),
                }
            }
        };
        if let (Some(state), Some(cause)) = (object.exception(), cause) {
            let mut state = state.change(&self.interp.journal);
            state.cause = cause;
            state.hides_context = true;
        }
        self.raised(&object, span)
    }

    /// What a StopIteration becomes that a generator's own code raises.
    #[cold]
    pub fn stopped_inside(&self, mut error: Box<Diagnostic>) -> Box<Diagnostic> {
        let (calls, span) = (std::mem::take(&mut error.calls), error.span);
        let stop = Value::Object(self.caught(error));
        let mut late = Exception::new(
            ErrorKind::Runtime,
            [Value::str("generator raised StopIteration")].into(),
        );
        late.cause = stop.clone();
        late.context = stop;
        late.hides_context = true;
        Box::new(Diagnostic { calls, ..*self.raised(&object_with(late), span) })
    }

    /// An error that came up while an exception was being handled.
    #[cold]
    pub fn raised_while(&self, error: Box<Diagnostic>, handled: &Value) -> Box<Diagnostic> {
        let span = error.span;
        let object = self.caught(error);
        let is_new =
            object.exception().is_some_and(|state| matches!(state.borrow().context, Value::None));
        if let Some(state) = object.exception().filter(|_| is_new) {
            state.change(&self.interp.journal).context = handled.clone();
        }
        self.raised(&object, span)
    }

    /// The error that an exception object is, at the place where it was raised first, or here.
    #[cold]
    pub fn raised(&self, object: &Rc<Instance>, span: Span) -> Box<Diagnostic> {
        let state = object.exception().map(|state| state.borrow());
        let kind = state.as_ref().map_or(ErrorKind::Exception, |state| state.kind);
        let mut error = match state.as_ref().and_then(|state| state.error.clone()) {
            Some(error) => error,
            None => Box::new(Diagnostic::new(kind, span, "")),
        };
        error.raised = Some(raised(object));
        error
    }

    /// An exception, or a new one of a class of them.
    fn as_exception(&self, value: &Value, otherwise: &str) -> Result<Rc<Instance>, Fault> {
        let made;
        let value = match value {
            Value::Class(class) if !matches!(class.native, Type::Error(_)) => {
                return Err(Fault::type_error(otherwise));
            }
            Value::Type(Type::Error(_)) | Value::Class(_) => {
                made = self.call_value(value, [], [])?;
                &made
            }
            _ => value,
        };
        match value {
            Value::Object(object) if object.exception().is_some() => Ok(object.clone()),
            _ => Err(Fault::type_error(otherwise)),
        }
    }

    /// Whether an `except` for `class`, which may be a tuple of classes, takes the exception.
    ///
    /// # Errors
    /// TypeError for what is no class of exceptions.
    pub fn is_caught_by(&self, object: &Instance, class: &Value) -> Result<bool, Fault> {
        let class = match class.plain() {
            Value::Tuple(classes) => {
                for class in classes.iter() {
                    if self.deeper("", || self.is_caught_by(object, class))? {
                        return Ok(true);
                    }
                }
                return Ok(false);
            }
            Value::Class(class) if matches!(class.native, Type::Error(_)) => {
                ClassRef::Program(class.clone())
            }
            Value::Type(of @ Type::Error(_)) => ClassRef::Native(*of),
            _ => {
                let message =
                    "catching classes that do not inherit from BaseException is not allowed";
                return Err(Fault::type_error(message));
            }
        };
        Ok(object.class.is_a(&class))
    }

    /// Gives an error that nobody took the words of its exception, and of those before it.
    #[cold]
    pub fn worded(&self, mut error: Box<Diagnostic>) -> Box<Diagnostic> {
        let Some(object) = object_of(&error) else { return error };
        let words = self.try_str(&Value::Object(object.clone()));
        error.message = words.unwrap_or_else(|_| "<exception str() failed>".to_owned());
        let Some(state) = object.exception().map(|state| state.borrow().clone()) else {
            return error;
        };
        if let Some(notes) = object.field("__notes__")
            && let Value::List(notes) = notes
        {
            let notes = notes.borrow().clone();
            error.hints.extend(notes.iter().filter_map(|note| self.try_str(note).ok()));
        }
        let (before, is_cause) = match (&state.cause, &state.context) {
            (Value::Object(cause), _) => (cause, true),
            (_, Value::Object(context)) if !state.hides_context => (context, false),
            _ => return error,
        };
        if error.earlier.is_none() && self.depth_of_chain(before) < 64 {
            let before = self.worded(self.raised(before, Span::default()));
            error.earlier = Some(Box::new(Earlier { error: *before, is_cause }));
        }
        error
    }

    /// How many exceptions stand before one; chains may be circular.
    fn depth_of_chain(&self, object: &Rc<Instance>) -> usize {
        let mut depth = 0;
        let mut at = object.clone();
        while depth < 64 {
            let Some(state) = at.exception().map(|state| state.borrow().clone()) else { break };
            at = match (&state.cause, &state.context) {
                (Value::Object(next), _) => next.clone(),
                (_, Value::Object(next)) if !state.hides_context => next.clone(),
                _ => break,
            };
            depth += 1;
        }
        depth
    }
}
