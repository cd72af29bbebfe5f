//! PyTorch's files, read: values of what was saved, tensors as the caller wants them.

use std::rc::Rc;

use super::{fault, lengths, source};
use crate::diag::Fault;
use crate::dtype::DType;
use crate::interp::builtins::Call;
use crate::interp::room::{self, Pace};
use crate::interp::value::{Entries, Members, Type, Value};
use crate::interp::{convert, index};
use crate::io::torch::{self, Contents, Item, Tensor};
use crate::io::{How, Stored};

/// Memory of what an item becomes, at the least.
const ITEM: usize = 2 * room::ITEM;

pub fn read(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (source, path) = source(call)?;
    let contents = torch::read(&source).map_err(|error| fault(error, &path))?;
    room::things(call.engine(), contents.items.len(), ITEM)?;
    let wrong = |words: &str| fault(crate::io::Error::Format(words.to_owned()), &path);
    let mut maker =
        Maker { call, contents: &contents, made: Vec::new(), pace: Pace::new(call.engine()) };
    for item in &contents.items {
        maker.pace.step(ITEM)?;
        let made = maker.begin(item).map_err(|error| error.or(wrong))?;
        maker.made.push(made);
    }
    for (at, item) in contents.items.iter().enumerate() {
        maker.pace.step(ITEM)?;
        maker.fill(at, item).map_err(|error| error.or(wrong))?;
    }
    let root = maker.made.swap_remove(contents.root as usize);
    root.ok_or_else(|| wrong(HIDDEN))
}

const HIDDEN: &str = "it holds a function or a storage by itself, which is no value here";

/// What can go wrong with an item.
enum Wrong {
    Fault(Fault),
    /// The file is not what it should be.
    Words(&'static str),
}

impl Wrong {
    fn or(self, words: impl Fn(&str) -> Fault) -> Fault {
        match self {
            Wrong::Fault(fault) => fault,
            Wrong::Words(what) => words(what),
        }
    }
}

impl From<Fault> for Wrong {
    fn from(fault: Fault) -> Wrong {
        Wrong::Fault(fault)
    }
}

struct Maker<'a, 'b> {
    call: &'a Call<'b>,
    contents: &'a Contents,
    /// None for what is no value.
    made: Vec<Option<Value>>,
    pace: Pace<'b>,
}

impl Maker<'_, '_> {
    /// The value of an item, which is empty yet where it can change.
    fn begin(&self, item: &Item) -> Result<Option<Value>, Wrong> {
        let evaluator = &self.call.evaluator;
        Ok(Some(match item {
            Item::Hidden => return Ok(None),
            Item::None => Value::None,
            Item::Bool(flag) => Value::Bool(*flag),
            Item::Int(number) => Value::Int(*number),
            Item::Wide(number) => Value::Wide(*number),
            Item::Float(number) => Value::Float(*number),
            Item::Complex(real, imag) => num_complex::Complex64::new(*real, *imag).into(),
            Item::Text(text) => Value::str(text),
            Item::List(_) => Value::List(Rc::new(evaluator.made(Vec::new()))),
            Item::Dict(_) => Value::Dict(Rc::new(evaluator.made(Entries::default()))),
            Item::Set(_) => Value::Set(Rc::new(evaluator.made(Members::default()))),
            Item::Ordered(_) => evaluator.call_value(&Value::Type(Type::OrderedDict), [], [])?,
            Item::Tuple(items) => {
                let parts = items.iter().map(|id| self.part(*id)).collect::<Result<Vec<_>, _>>()?;
                match parts.into_iter().collect::<Option<Vec<_>>>() {
                    Some(parts) => Value::tuple(parts),
                    None => return Ok(None),
                }
            }
            Item::Frozen(items) => {
                let mut members = Members::default();
                for id in items {
                    let part = self.part(*id)?.ok_or(Wrong::Words(HIDDEN))?;
                    members.insert(index::hashable(&part).map_err(Fault::from)?);
                }
                Value::FrozenSet(Rc::new(members))
            }
            Item::Kind(kind) => match kind.stored {
                Some(stored) => Value::DType(stored.dtype),
                None => {
                    let words = format!("torch.{} is no type of elements here", kind.name);
                    return Err(Fault::value_error(words).into());
                }
            },
            Item::Device(name) => {
                // A device of another machine stays a name.
                let name = Value::str(name);
                match convert::device(self.call.engine(), &name) {
                    Ok(device) => Value::Device(device.id()),
                    Err(_) => name,
                }
            }
            Item::Tensor(tensor) => self.tensor(tensor)?,
        }))
    }

    /// A part that was there before the whole; none where it is no value.
    fn part(&self, id: u32) -> Result<Option<Value>, Wrong> {
        let part = self.made.get(id as usize);
        part.cloned().ok_or(Wrong::Words("the pickle is broken: a tuple or a set holds itself"))
    }

    fn tensor(&self, tensor: &Tensor) -> Result<Value, Fault> {
        let storage = &self.contents.storages[tensor.storage];
        let code = tensor.kind.stored.map(|stored| self.ordered(stored).code());
        let strides = tensor.strides.iter().map(|stride| Value::Int(*stride as i64));
        let arguments = [
            Value::str(tensor.kind.name),
            code.map_or(Value::None, Value::str),
            Value::Int(storage.start as i64),
            Value::Int((storage.bytes / tensor.kind.size) as i64),
            Value::Int(tensor.offset as i64),
            lengths(&tensor.shape),
            Value::tuple(strides.collect::<Vec<_>>()),
        ];
        self.call.evaluator.call_value(self.call.value(1), arguments, [])
    }

    /// The type in the file's order of bytes.
    fn ordered(&self, stored: Stored) -> Stored {
        let is_other = self.contents.is_big != cfg!(target_endian = "big");
        let is_wide = stored.dtype.size() > 1 && stored.dtype != DType::BF16;
        if is_other && is_wide { Stored { how: How::Swapped, ..stored } } else { stored }
    }

    fn filled(&self, ids: impl IntoIterator<Item = u32>) -> Result<Vec<Value>, Wrong> {
        let value = |id: u32| self.made[id as usize].clone().ok_or(Wrong::Words(HIDDEN));
        ids.into_iter().map(value).collect()
    }

    /// Puts into the value of an item what is in it.
    fn fill(&self, at: usize, item: &Item) -> Result<(), Wrong> {
        let (evaluator, value) = (&self.call.evaluator, self.made[at].as_ref());
        let journal = &evaluator.interp.journal;
        match (item, value) {
            (Item::List(ids), Some(Value::List(list))) => {
                let items = self.filled(ids.iter().copied())?;
                *list.change(journal) = items;
            }
            (Item::Set(ids), Some(Value::Set(set))) => {
                let mut members = Members::default();
                for value in self.filled(ids.iter().copied())? {
                    members.insert(index::hashable(&value).map_err(Fault::from)?);
                }
                *set.change(journal) = members;
            }
            (Item::Dict(pairs) | Item::Ordered(pairs), Some(value)) => {
                let keys = self.filled(pairs.iter().map(|pair| pair.0))?;
                let values = self.filled(pairs.iter().map(|pair| pair.1))?;
                let mut entries = Entries::default();
                for (key, value) in keys.iter().zip(values) {
                    entries.insert(index::hashable(key).map_err(Fault::from)?, value);
                }
                if let Some(dict) = value.as_dict() {
                    *dict.change(journal) = entries;
                }
            }
            _ => {}
        }
        Ok(())
    }
}
