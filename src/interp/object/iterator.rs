//! Iterators: what `iter(x)` gives, a loop steps, and `zip` and its kin are.

use std::cell::RefMut;
use std::fmt;
use std::rc::Rc;

use super::file::Lines;
use super::generator::Generator;
pub use super::stream::Stream;
use super::view::{Shown, Walk};
use crate::diag::{ErrorKind, Fault, Span};
use crate::interp::letting_go::let_go;
use crate::interp::shared::{Contents, Shared};
use crate::interp::value::{Dict, List, Members, Range, Set, Str, Tuple, Type, Value, Walker};
use crate::interp::vm::register::put_copy;
use crate::interp::{Evaluator, Resume, Resumed, Seen};
use crate::tensor::{Error, Tensor};

/// An iterator that several names may share; each item comes once.
pub struct Iter {
    /// Its type's name: `zip`, `list_iterator`.
    pub name: &'static str,
    state: Rc<Shared<State>>,
}

#[derive(Clone)]
enum State {
    Range {
        next: i64,
        step: i64,
        left: usize,
    },
    List {
        list: List,
        at: usize,
    },
    Tuple {
        items: Tuple,
        at: usize,
    },
    Str {
        text: Str,
        at: usize,
    },
    /// What a dictionary holds, whose keys must stay meanwhile.
    Dict {
        dict: Dict,
        shown: Shown,
        walk: Walk,
    },
    /// The elements of a set, which must keep its length meanwhile.
    Set {
        set: Set,
        at: usize,
        len: usize,
    },
    FrozenSet {
        set: Rc<Members>,
        at: usize,
    },
    /// What the first axis holds.
    Tensor {
        tensor: Tensor,
        at: usize,
    },
    Stream(Box<dyn Stream>),
    Generator(Rc<Generator>),
    Done,
}

impl Clone for Box<dyn Stream> {
    fn clone(&self) -> Self {
        self.copy()
    }
}

impl Iter {
    /// A source of items as an iterator.
    pub fn over(name: &'static str, stream: impl Stream + 'static) -> Rc<Iter> {
        Iter::new(name, State::Stream(Box::new(stream)))
    }

    /// The object of the program's that is asked for each item, if there is one.
    pub fn asked(&self) -> Option<Value> {
        match &*self.state.try_borrow()? {
            State::Stream(stream) => stream.asked().cloned(),
            _ => None,
        }
    }

    /// A value over a source of items; `name` is what Python calls its type.
    pub fn value(
        evaluator: &Evaluator<'_>,
        name: &'static str,
        stream: impl Stream + 'static,
    ) -> Value {
        let iter = Iter::new(name, State::Stream(Box::new(stream)));
        iter.state.made_in_transaction(&evaluator.interp.journal);
        Value::Iterator(iter)
    }

    fn new(name: &'static str, state: State) -> Rc<Iter> {
        Rc::new(Iter { name, state: Rc::new(state.into()) })
    }

    /// The integers of a range, one by one.
    pub fn range(range: &Range) -> Rc<Iter> {
        Iter::new("range_iterator", State::range(range))
    }

    /// What a dictionary holds, in its order or backwards.
    pub fn dict(dict: &Dict, shown: Shown, is_backwards: bool) -> Rc<Iter> {
        let walk = Walk::new(&dict.borrow(), is_backwards);
        let state = State::Dict { dict: dict.clone(), shown, walk };
        Iter::new(shown.iterator(is_backwards), state)
    }

    /// How Python writes one that can be made anew from a few values: its name and these.
    pub fn shown(&self) -> Option<(&'static str, Vec<Value>)> {
        match self.state.try_borrow().as_deref() {
            Some(State::Stream(stream)) => {
                stream.shown().map(|parts| (Type::Iterator(Walker::of(self.name)).name(), parts))
            }
            _ => None,
        }
    }

    /// Whether the next item can't fail and runs nothing of the program.
    pub fn is_plain(&self) -> bool {
        match self.state.try_borrow().as_deref() {
            Some(State::Dict { dict, walk, .. }) => walk.is_plain(&dict.borrow()),
            Some(State::Set { set, len, .. }) => set.borrow().len() == *len,
            Some(State::Stream(stream)) => stream.is_plain(),
            Some(State::Tensor { .. } | State::Generator(_)) | None => false,
            Some(_) => true,
        }
    }

    /// How many items are to come, where that is known without asking for them.
    pub fn left(&self) -> Option<usize> {
        Some(match &*self.state.try_borrow()? {
            State::Range { left, .. } => *left,
            State::List { list, at } => list.borrow().len().saturating_sub(*at),
            State::Tuple { items, at } => items.len().saturating_sub(*at),
            State::Str { text, at } => text[*at..].chars().count(),
            State::Dict { dict, walk, .. } => walk.left(&dict.borrow()),
            State::Set { set, at, len } if set.borrow().len() == *len => len.saturating_sub(*at),
            State::FrozenSet { set, at } => set.len().saturating_sub(*at),
            State::Tensor { tensor, at } => tensor.shape()[0].saturating_sub(*at),
            State::Set { .. } | State::Done => 0,
            State::Stream(_) | State::Generator(_) => return None,
        })
    }

    /// Shows the values that it holds.
    pub fn visit(&self, look: &mut dyn FnMut(&Value)) {
        if let Some(state) = self.state.try_borrow() {
            state.visit(look);
        }
    }
}

/// What a stream goes through: items that it alone steps, which are kept with the stream, or an iterator that
/// others may have as well.
#[derive(Clone)]
pub struct Items(Form);

#[derive(Clone)]
enum Form {
    Own(State),
    Shared(Rc<Iter>),
}

impl Items {
    /// As [`Iter::is_plain`].
    pub fn is_plain(&self) -> bool {
        match &self.0 {
            Form::Own(_) => true,
            Form::Shared(iter) => iter.is_plain(),
        }
    }

    /// Puts the next item of a list, and that of another one, where they belong; false where it was not done: at the
    /// end of one, or where somebody else may step them.
    pub fn put_pair(&mut self, other: &mut Items, to: &mut Value, to_other: &mut Value) -> bool {
        let (
            Form::Own(State::List { list, at }),
            Form::Own(State::List { list: others, at: behind }),
        ) = (&mut self.0, &mut other.0)
        else {
            return false;
        };
        let (items, others) = (list.borrow(), others.borrow());
        let (Some(item), Some(other)) = (items.get(*at), others.get(*behind)) else { return false };
        put_copy(to, item);
        put_copy(to_other, other);
        (*at, *behind) = (*at + 1, *behind + 1);
        true
    }

    /// Shows the values that they hold.
    pub fn visit(&self, look: &mut dyn FnMut(&Value)) {
        match &self.0 {
            Form::Own(state) => state.visit(look),
            Form::Shared(iter) => look(&Value::Iterator(iter.clone())),
        }
    }
}

impl fmt::Debug for Items {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Items")
    }
}

impl Contents for State {
    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        match self {
            State::List { list, .. } => look(&Value::List(list.clone())),
            State::Tuple { items, .. } => look(&Value::Tuple(items.clone())),
            State::Dict { dict, .. } => look(&Value::Dict(dict.clone())),
            State::Set { set, .. } => look(&Value::Set(set.clone())),
            State::FrozenSet { set, .. } => look(&Value::FrozenSet(set.clone())),
            State::Tensor { tensor, .. } => look(&Value::Tensor(tensor.clone())),
            State::Stream(stream) => stream.visit(look),
            State::Generator(generator) => look(&Value::Generator(generator.clone())),
            State::Range { .. } | State::Str { .. } | State::Done => {}
        }
    }

    fn bytes(&self) -> usize {
        size_of::<State>()
    }

    fn let_go(&mut self) {
        let_go(std::mem::replace(self, State::Done));
    }
}

impl Evaluator<'_> {
    /// `iter(value)`: an iterator over its items. A tensor gives what its first axis holds.
    ///
    /// # Errors
    /// TypeError for what can't be iterated.
    pub fn iter(&self, value: &Value) -> Result<Rc<Iter>, Error> {
        let (name, state) = match value {
            _ if let Some(known) = State::of(value) => known,
            Value::Iterator(iter) => return Ok(iter.clone()),
            Value::Object(_) => return Ok(self.object_iter(value)?),
            Value::Class(_) if self.special(value, "__iter__").is_some() => {
                return Ok(self.object_iter(value)?);
            }
            Value::Dict(dict) => {
                return Ok(Iter::dict(dict, Shown::Keys, false));
            }
            Value::View(view) => return Ok(Iter::dict(&view.dict, view.shown, false)),
            Value::Opaque(opaque) if opaque.part().is_container() => match value.as_dict() {
                Some(dict) => return Ok(Iter::dict(dict, Shown::Keys, false)),
                None => match opaque.part().iter(false) {
                    Some(iter) => return Ok(iter),
                    None => ("iterator", State::Done),
                },
            },
            Value::Opaque(opaque) if let Some(lines) = Lines::of(opaque) => return Ok(lines),
            Value::Set(set) => {
                let len = set.borrow().len();
                ("set_iterator", State::Set { set: set.clone(), at: 0, len })
            }
            Value::FrozenSet(set) => ("set_iterator", State::FrozenSet { set: set.clone(), at: 0 }),
            Value::Generator(generator) => ("generator", State::Generator(generator.clone())),
            Value::Tensor(tensor) if tensor.rank() == 0 => {
                return Err(Error::type_error("iteration over a 0-d array"));
            }
            Value::Tensor(tensor) => {
                self.interp.engine.realize(&[tensor])?;
                ("tensor_iterator", State::Tensor { tensor: tensor.clone(), at: 0 })
            }
            _ => {
                let name = value.type_name();
                return Err(Error::type_error(format!("'{name}' object is not iterable")));
            }
        };
        let iter = Iter::new(name, state);
        iter.state.made_in_transaction(&self.interp.journal);
        Ok(iter)
    }

    /// The next item of an iterator; `None` at its end.
    ///
    /// # Errors
    /// Whatever computing the item brings up.
    pub fn next(&self, iter: &Iter) -> Result<Option<Value>, Error> {
        let mut state = self.state_to_step(iter)?;
        let item = state.next(self)?;
        if item.is_none() {
            *state = State::Done;
        }
        Ok(item)
    }

    /// The items of a value, for a stream that goes through them.
    ///
    /// # Errors
    /// As [`Evaluator::iter`].
    pub fn items(&self, value: &Value) -> Result<Items, Error> {
        Ok(Items(match State::of(value) {
            Some((_, state)) => Form::Own(state),
            None => Form::Shared(self.iter(value)?),
        }))
    }

    /// As [`Evaluator::next`].
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn next_of(&self, items: &mut Items) -> Result<Option<Value>, Error> {
        let state = match &mut items.0 {
            Form::Own(state) => state,
            Form::Shared(iter) => return self.next(iter),
        };
        let item = state.next(self)?;
        if item.is_none() {
            *state = State::Done;
        }
        Ok(item)
    }

    #[inline]
    fn state_to_step<'i>(&self, iter: &'i Iter) -> Result<RefMut<'i, State>, Error> {
        iter.state.try_change(&self.interp.journal).ok_or_else(|| running(iter))
    }
}

impl Evaluator<'_> {
    /// As [`Evaluator::drive`], of an iterator.
    ///
    /// # Errors
    /// As [`Evaluator::next`], and what `see` brings up.
    pub fn drive_iter(
        &self,
        iter: &Iter,
        see: &mut dyn FnMut(Value, bool) -> Result<Seen, Fault>,
    ) -> Result<(), Fault> {
        loop {
            let seen = {
                let mut state = self.state_to_step(iter)?;
                let seen = match &mut *state {
                    State::Stream(stream) => {
                        self.deeper("", || stream.drive(self, &mut |item| see(item, false)))?
                    }
                    state => loop {
                        let Some(item) = state.next(self)? else { break None };
                        match see(item, false)? {
                            Seen::More => {}
                            seen => break Some(seen),
                        }
                    },
                };
                if seen.is_none() {
                    *state = State::Done;
                }
                seen
            };
            let Some(Seen::Aside(item)) = seen else { return Ok(()) };
            let Seen::More = see(item, true)? else { return Ok(()) };
        }
    }

    /// As [`Evaluator::next`], where that can't fail, runs nothing of the program and gives a tuple of as many
    /// items as there are places: each goes to its place. False at the end; `None` where it was not done.
    pub fn next_parts(&self, iter: &Iter, places: &mut [Value]) -> Option<bool> {
        let mut state = iter.state.try_change(&self.interp.journal)?;
        let is_there = match &mut *state {
            State::Dict { dict, shown: Shown::Items, walk } => {
                let entries = dict.borrow();
                let [first, second] = places else { return None };
                match walk.step(&entries).ok()? {
                    Some((key, value)) => {
                        put_copy(first, key.value());
                        put_copy(second, value);
                        true
                    }
                    None => false,
                }
            }
            State::Stream(stream) => stream.next_parts(self, places)?,
            _ => return None,
        };
        if !is_there {
            *state = State::Done;
        }
        Some(is_there)
    }
}

impl State {
    fn range(range: &Range) -> State {
        State::Range { next: range.start, step: range.step, left: range.len() }
    }

    /// That of an iterator over a value whose items nothing has to be asked for, and the iterator's name.
    fn of(value: &Value) -> Option<(&'static str, State)> {
        Some(match value {
            Value::Range(range) => ("range_iterator", State::range(range)),
            Value::List(list) => ("list_iterator", State::List { list: list.clone(), at: 0 }),
            Value::Tuple(items) => ("tuple_iterator", State::Tuple { items: items.clone(), at: 0 }),
            Value::Str(text) => {
                let name = if text.is_all_ascii() { "str_ascii_iterator" } else { "str_iterator" };
                (name, State::Str { text: text.clone(), at: 0 })
            }
            _ => return None,
        })
    }

    fn next(&mut self, evaluator: &Evaluator<'_>) -> Result<Option<Value>, Error> {
        Ok(match self {
            State::Range { left: 0, .. } => None,
            State::Range { next, step, left } => {
                let item = *next;
                *next = next.wrapping_add(*step);
                *left -= 1;
                Some(Value::Int(item))
            }
            State::List { list, at } => {
                *at += 1;
                list.borrow().get(*at - 1).cloned()
            }
            State::Tuple { items, at } => {
                *at += 1;
                items.get(*at - 1).cloned()
            }
            State::Str { text, at } => text[*at..].chars().next().map(|c| {
                *at += c.len_utf8();
                evaluator.interp.letter(c)
            }),
            State::Dict { dict, shown, walk } => {
                let entries = dict.borrow();
                walk.step(&entries)?.map(|entry| shown.of(entry))
            }
            State::Set { set, at, len } => {
                let elements = set.borrow();
                if elements.len() != *len {
                    let message = "Set changed size during iteration";
                    return Err(Error::new(ErrorKind::Runtime, message));
                }
                *at += 1;
                elements.get_index(*at - 1).map(|key| key.value().clone())
            }
            State::FrozenSet { set, at } => {
                *at += 1;
                set.get_index(*at - 1).map(|key| key.value().clone())
            }
            State::Tensor { tensor, at } if *at < tensor.shape()[0] => {
                *at += 1;
                Some(Value::Tensor(evaluator.element(tensor, *at as i64 - 1)?))
            }
            State::Stream(stream) => evaluator.deeper("", || stream.next(evaluator))?,
            State::Generator(generator) => {
                let resumed = evaluator.resume(generator, Resume::Send(None), Span::default());
                match resumed.map_err(Fault::from)? {
                    Resumed::Yielded(item) => Some(item),
                    Resumed::Returned(_) => None,
                }
            }
            State::Tensor { .. } | State::Done => None,
        })
    }
}

#[cold]
fn running(iter: &Iter) -> Error {
    Error::value_error(format!("{} already executing", iter.name))
}

impl fmt::Debug for Iter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{} object>", self.name)
    }
}
