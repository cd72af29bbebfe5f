//! `value[index]`: which kinds of index there are, and which part of one an error is about.

use smallvec::SmallVec;

use super::builtins::alias_of;
use super::compile::Places;
use super::object::exception::key_error;
use super::object::opaque::Opaque;
use super::value::{Key, Slice};
use super::{Evaluator, Value, array_like, convert, eval};
use crate::diag::{Diagnostic, ErrorKind, Fault, SourceResult, Span};
use crate::dtype::{DType, Scalar};
use crate::layout::{self, Shape};
use crate::tensor::{Error, IndexItem, Origin, Tensor};

/// An index for a tensor: its parts, and where each stands.
#[derive(Debug, Default)]
pub(super) struct TensorIndex {
    pub items: SmallVec<[IndexItem; 4]>,
    spans: SmallVec<[Span; 4]>,
}

impl Evaluator<'_> {
    /// `base[at]`, whose parts stand at `places`, and which stands at `span` itself.
    pub(super) fn subscript(
        &self,
        base: &Value,
        at: &Value,
        places: &Places,
        span: Span,
    ) -> SourceResult<Value> {
        match base {
            Value::Tensor(tensor) => {
                let index = self.tensor_index(at, places)?;
                self.set_place(span);
                self.read(tensor, &index).map(Value::Tensor)
            }
            _ => self.place(self.container_index(base, at), places.whole),
        }
    }

    /// Reads through an index. An index that names a single element gives a copy, as NumPy's
    /// scalars are.
    pub(super) fn read(&self, tensor: &Tensor, index: &TensorIndex) -> SourceResult<Tensor> {
        let engine = &self.interp.engine;
        self.note_index(tensor, index);
        let result = engine.index_at(tensor, &index.items, &index.origins());
        let read = result.map_err(|error| self.blame(index, error))?;
        if read.rank() == 0 && index.is_element(tensor.rank()) {
            return self.place(engine.scalar_of(&read), index.span());
        }
        Ok(read)
    }

    /// `container[index]` where the container is no tensor.
    #[inline(never)]
    pub(super) fn container_index(&self, base: &Value, index: &Value) -> Result<Value, Error> {
        match base {
            Value::Str(_) | Value::Tuple(_) | Value::List(_) | Value::Range(_) => {
                self.sequence_index(base, index)
            }
            Value::Object(_) => Ok(self.object_item(base, index)?),
            Value::Class(class) => Ok(self.class_item(class, index)?),
            Value::Dict(entries) => {
                let key = self.key_in(entries, index)?;
                let found = entries.borrow().get(&key).cloned();
                found.ok_or_else(|| self.missing_key(base, index).into())
            }
            Value::Opaque(opaque) => self.opaque_index(opaque, base, index),
            Value::Type(of) => alias_of(self, *of, index).ok_or_else(|| {
                let message = format!("type '{}' is not subscriptable", of.name());
                Error::type_error(message)
            }),
            _ => Err(Error::type_error(format!(
                "'{}' object is not subscriptable",
                base.type_name()
            ))),
        }
    }

    /// `object[index]` of an object of Python's library.
    #[inline(never)]
    fn opaque_index(&self, opaque: &Opaque, base: &Value, index: &Value) -> Result<Value, Error> {
        let part = opaque.part();
        if let Some(dict) = part.dict() {
            let key = self.key_in(dict, index)?;
            let found = dict.borrow().get(&key).cloned();
            if let Some(found) = found {
                return Ok(found);
            }
            let made = part.missing(self, &key)?;
            return made.ok_or_else(|| key_error(index, self.repr(index)).into());
        }
        if let Value::Slice(slice) = index
            && let Some(found) = part.slice(self, slice)
        {
            return found;
        }
        if let Some(count) = part.count() {
            let position = self.position(base, index, count, "index")?;
            return Ok(part.item(position).unwrap_or(Value::None));
        }
        match part.subscript(self, index) {
            Some(found) => Ok(found?),
            None => Err(Error::type_error(format!(
                "'{}' object is not subscriptable",
                base.type_name()
            ))),
        }
    }

    #[cold]
    pub(super) fn missing_key(&self, dict: &Value, key: &Value) -> Fault {
        let fault = key_error(key, self.repr(key));
        let (Value::Dict(entries), Value::Str(wanted)) = (dict, key) else {
            return fault;
        };
        let entries = entries.borrow();
        let names = entries.keys().filter_map(|key| match key.value() {
            Value::Str(name) => Some(&**name),
            _ => None,
        });
        match crate::diag::did_you_mean(wanted, names) {
            Some(near) => fault.with_hint(format!("did you mean `'{near}'`?")),
            None => fault,
        }
    }

    /// The brackets' content as an index for a tensor.
    pub(super) fn tensor_index(&self, at: &Value, places: &Places) -> SourceResult<TensorIndex> {
        let mut index = TensorIndex::default();
        match at.plain() {
            // A tuple in a variable is as good as one in the brackets.
            Value::Tuple(parts) => {
                for (at, part) in parts.iter().enumerate() {
                    let span = places.parts.get(at).copied();
                    let slice = places.slices.get(at).filter(|_| span.is_some());
                    self.push_item(&mut index, part, span.unwrap_or(places.whole), slice)?;
                }
            }
            _ => self.push_item(&mut index, at, places.whole, places.slices.first())?,
        }
        Ok(index)
    }

    /// `slice` is where the start, the stop and the step of a slice stand.
    fn push_item(
        &self,
        index: &mut TensorIndex,
        value: &Value,
        span: Span,
        slice: Option<&[Span; 3]>,
    ) -> SourceResult<()> {
        if let (Value::Slice(parts), Some(slice)) = (value, slice) {
            for (part, span) in [&parts.start, &parts.stop, &parts.step].into_iter().zip(slice) {
                self.place(self.slice_part(part), *span)?;
            }
        }
        let item = self.place(self.index_item(value), span)?;
        index.push(item, span);
        Ok(())
    }

    /// A value as a part of an index.
    pub fn index_item(&self, value: &Value) -> Result<IndexItem, Error> {
        let (engine, value) = (&self.interp.engine, value.plain());
        let item = match value {
            Value::Int(at) => IndexItem::Int(*at),
            Value::Wide(_) => IndexItem::Int(convert::integer(engine, value)?),
            Value::None => IndexItem::NewAxis,
            Value::Ellipsis => IndexItem::Ellipsis,
            Value::Bool(flag) => {
                let mask = engine.full(&Shape::scalar(), Scalar::Bool(*flag), DType::Bool)?;
                IndexItem::Tensor(mask)
            }
            Value::Slice(slice) => self.slice_item(slice)?,
            Value::Tensor(tensor) if tensor.dtype().is_float() => {
                return Err(Error::index_error(
                    "arrays used as indices must be of integer (or boolean) type",
                ));
            }
            Value::Tensor(tensor) if tensor.rank() == 0 && tensor.dtype().is_integer() => {
                IndexItem::Int(convert::narrow(engine.item(tensor)?)?)
            }
            Value::Tensor(tensor) => IndexItem::Tensor(tensor.clone()),
            Value::List(_) | Value::Tuple(_) | Value::Range(_) => {
                let not_numbers = |fault: Fault| match fault.kind {
                    ErrorKind::Type => Error::index_error(
                        "arrays used as indices must be of integer (or boolean) type",
                    ),
                    _ => fault.into(),
                };
                let tensor = array_like::to_tensor(engine, value, None).map_err(not_numbers)?;
                match tensor.elem_count() {
                    0 => IndexItem::Tensor(engine.cast(&tensor, DType::I64)?),
                    _ => return self.index_item_of_list(tensor),
                }
            }
            Value::Object(_) if self.special(value, "__index__").is_some() => {
                IndexItem::Int(self.as_index(value)?)
            }
            _ => {
                return Err(Error::index_error(
                    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and \
                     integer or boolean arrays are valid indices",
                ));
            }
        };
        Ok(item)
    }

    fn index_item_of_list(&self, tensor: Tensor) -> Result<IndexItem, Error> {
        if tensor.dtype().is_float() {
            return Err(Error::index_error(
                "arrays used as indices must be of integer (or boolean) type",
            ));
        }
        Ok(IndexItem::Tensor(tensor))
    }

    fn slice_item(&self, slice: &Slice) -> Result<IndexItem, Error> {
        let (start, stop) = (self.slice_part(&slice.start)?, self.slice_part(&slice.stop)?);
        let step = self.slice_part(&slice.step)?;
        if step == Some(0) {
            return Err(Error::value_error("slice step cannot be zero"));
        }
        Ok(IndexItem::Slice(layout::Slice { start, stop, step }))
    }

    /// Puts an error of the engine under the part of the index that it is about.
    #[cold]
    pub(super) fn blame(&self, index: &TensorIndex, error: Error) -> Box<Diagnostic> {
        if error.origin.is_some() {
            return match self.place::<()>(Err(error), index.span()) {
                Err(diagnostic) => diagnostic,
                Ok(()) => unreachable!("an error was placed"),
            };
        }
        let part = error.part().and_then(|part| index.spans.get(part).copied());
        eval::placed(error.into(), part.unwrap_or_else(|| index.span()))
    }
}

impl TensorIndex {
    fn push(&mut self, item: IndexItem, span: Span) {
        self.items.push(item);
        self.spans.push(span);
    }

    /// All parts together.
    pub fn span(&self) -> Span {
        let first = self.spans.first().copied().unwrap_or_default();
        self.spans.iter().fold(first, |all, span| all.to(*span))
    }

    /// Where each part stands, as the nodes that read through the index carry it.
    pub fn origins(&self) -> SmallVec<[Origin; 4]> {
        self.spans.iter().map(|span| eval::origin(*span)).collect()
    }

    /// Whether it names one element, by integers alone.
    pub fn is_element(&self, rank: usize) -> bool {
        self.items.len() == rank && self.items.iter().all(|item| matches!(item, IndexItem::Int(_)))
    }

    /// How many axes the view has that it makes of a tensor of `rank` axes; none where it makes a copy.
    pub fn part_rank(&self, rank: usize) -> Option<usize> {
        let count = |is: fn(&IndexItem) -> bool| self.items.iter().filter(|item| is(item)).count();
        let taken = count(|item| matches!(item, IndexItem::Int(_)));
        let added = count(|item| matches!(item, IndexItem::NewAxis));
        self.is_basic().then(|| (rank + added).saturating_sub(taken))
    }

    /// Whether it is a view: integers, slices, new axes and the ellipsis.
    pub fn is_basic(&self) -> bool {
        !self.items.iter().any(|item| matches!(item, IndexItem::Tensor(_)))
    }
}

/// A value as a key of a dictionary.
pub(super) fn hashable(value: &Value) -> Result<Key, Error> {
    Key::new(value.clone()).map_err(|name| Error::type_error(format!("unhashable type: '{name}'")))
}
