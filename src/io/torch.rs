//! PyTorch's files: a pickle, and the storages that its tensors are views of.
//!
//! Since 1.6 that is an archive, whose member `data.pkl` is the pickle and whose members `data/0`, `data/1` …
//! are the storages as they lie in memory; before, some pickles in a row and the storages behind them. The
//! pickle is read as data ([`pickle`]), and only what is named here is made: every claim of a tensor is held
//! against its storage, every storage against the file.

mod kinds;
mod places;
#[cfg(test)]
mod tests;

pub use kinds::{Kind, kind_of};

use std::io::Read;

use super::pickle::{self, Call, Id, Node, Pickle};
use super::zip::{self, Member};
use super::{Error, Source};
use crate::layout::Shape;
use places::Places;

/// What the pickles of the old format begin with: a number that nothing else begins with.
const MAGIC: [u8; 10] = [0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19];
/// The same as it stands in a file, behind the protocol.
pub const MARK: [u8; 14] =
    [0x80, 2, 0x8a, 10, 0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19];
/// Bytes of a pickle, at the most.
const MAX_PICKLE: u64 = 256 << 20;

/// A part of what was saved. Its parts have their own numbers.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// What only others have a use for: the name of a function, a storage.
    Hidden,
    None,
    Bool(bool),
    Int(i64),
    Wide(u64),
    Float(f64),
    Complex(f64, f64),
    Text(Box<str>),
    List(Vec<Id>),
    Tuple(Box<[Id]>),
    Dict(Vec<(Id, Id)>),
    /// An `OrderedDict`.
    Ordered(Vec<(Id, Id)>),
    Set(Vec<Id>),
    Frozen(Vec<Id>),
    Kind(&'static Kind),
    Device(String),
    Tensor(Box<Tensor>),
}

/// A view of a storage.
#[derive(Debug, Clone, PartialEq)]
pub struct Tensor {
    pub kind: &'static Kind,
    pub storage: usize,
    /// Its first element, counted from the storage's first.
    pub offset: u64,
    pub shape: Shape,
    /// In elements; none is negative.
    pub strides: Vec<u64>,
}

/// Bytes of the file, under all tensors that are views of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Storage {
    pub start: u64,
    pub bytes: u64,
}

/// What a file holds. The parts of an item that can't change afterwards have smaller numbers than it.
#[derive(Debug, Clone, PartialEq)]
pub struct Contents {
    pub items: Vec<Item>,
    pub root: Id,
    pub storages: Vec<Storage>,
    /// Whether elements stand with their largest byte first.
    pub is_big: bool,
}

/// Reads all of a file but its elements.
///
/// # Errors
/// What the system gives; what is wrong with the file, what in it is not made here.
pub fn read(source: &Source) -> Result<Contents, Error> {
    let mut begin = vec![0; source.length().min(512) as usize];
    source.read_at(0, &mut begin)?;
    if begin.starts_with(b"PK\x03\x04") {
        return read_archive(source);
    }
    if begin.get(257..262) == Some(b"ustar") {
        return Error::format("files of PyTorch before 0.2 are not read: load and save it there");
    }
    read_row(source)
}

fn read_archive(source: &Source) -> Result<Contents, Error> {
    let members = zip::members(source)?;
    let find = |name: &str| members.iter().find(|member| member.name == name);
    let inside = |member: &Member| member.name.strip_suffix("/data.pkl").map(str::to_owned);
    let Some(prefix) = members.iter().find_map(inside) else {
        return Error::format("the archive has no `data.pkl`: PyTorch has not saved it");
    };
    let is_script =
        members.iter().any(|member| member.name.starts_with(&format!("{prefix}/code/")));
    if is_script || find(&format!("{prefix}/constants.pkl")).is_some() {
        return Error::format(
            "a TorchScript archive holds code, which is never run: save its `state_dict()`",
        );
    }
    // Who saves without checksums leaves others in their place, under the version, too.
    let has_checksums = find(&format!("{prefix}/version"))
        .is_none_or(|version| contents(source, version, 1 << 10, true).is_ok());
    let Some(member) = find(&format!("{prefix}/data.pkl")) else { unreachable!() };
    let bytes = contents(source, member, MAX_PICKLE, has_checksums)?;
    let is_big = match find(&format!("{prefix}/byteorder")) {
        None => false,
        Some(order) => match &contents(source, order, 1 << 10, has_checksums)?[..] {
            b"little" => false,
            b"big" => true,
            _ => return Error::format("the archive's `byteorder` is neither little nor big"),
        },
    };
    let pickle = pickle::read(&bytes, &is_known)?;
    let places = Places::of_members(source, &members, &format!("{prefix}/data/"));
    interpret(&pickle, places, is_big)
}

/// A small member.
fn contents(
    source: &Source,
    member: &Member,
    most: u64,
    is_checked: bool,
) -> Result<Vec<u8>, Error> {
    if member.size > most {
        let (name, size) = (&member.name, member.size);
        return Error::format(format!("'{name}' of {size} bytes is too large: {most} are read"));
    }
    let reader = member.open(source)?;
    let mut reader = if is_checked { reader } else { reader.unchecked() };
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The format before 1.6: a number that names it, its version, what machine wrote it, what was saved, the
/// storages' names, and the storages.
fn read_row(source: &Source) -> Result<Contents, Error> {
    // Elements follow the pickles, whose end only reading them tells.
    let mut bytes = vec![0; source.length().min(MAX_PICKLE) as usize];
    source.read_at(0, &mut bytes)?;
    let mut at = 0;
    let mut next = || {
        let pickle = pickle::read(&bytes[at..], &is_known)?;
        at += pickle.length;
        Ok::<Pickle, Error>(pickle)
    };
    if !bytes.starts_with(&MARK) {
        return Error::format(
            "it is no file of PyTorch's, neither an archive nor one of the old format: `load` reads others by their endings",
        );
    }
    let magic = next()?;
    if !matches!(magic.node(magic.root), Node::Long(bytes) if **bytes == MAGIC) {
        return Error::format("it is no file of PyTorch's");
    }
    let version = next()?;
    if version.int(version.root) != Some(1001) {
        return Error::format("it is of an unknown version of the old format");
    }
    let machine = next()?;
    let is_big = match machine.node(machine.root) {
        Node::Dict(pairs) => pairs.iter().any(|(key, value)| {
            machine.text(*key) == Some("little_endian")
                && *machine.node(*value) == Node::Bool(false)
        }),
        _ => false,
    };
    let (saved, names) = (next()?, next()?);
    let Node::List(ids) = names.node(names.root) else {
        return Error::format("the list of the storages' names is none");
    };
    let found = ids.iter().map(|id| names.text(*id).map(str::to_owned)).collect();
    let Some(names) = found else { return Error::format("a storage's name is no text") };
    let places = Places::in_a_row(source, names, at as u64);
    interpret(&saved, places, is_big)
}

/// Functions and classes that are known, beside kinds of elements and their storages.
const KNOWN: &[&str] = &[
    "torch._utils._rebuild_tensor",
    "torch._utils._rebuild_tensor_v2",
    "torch._utils._rebuild_tensor_v3",
    "torch._utils._rebuild_parameter",
    "torch._utils._rebuild_parameter_with_state",
    "torch._tensor._rebuild_from_type_v2",
    "torch.Tensor",
    "torch.nn.parameter.Parameter",
    "torch.nn.parameter.Buffer",
    "torch.Size",
    "torch.device",
    "torch.serialization._get_layout",
    "collections.OrderedDict",
    "__builtin__.set",
    "builtins.set",
    "__builtin__.frozenset",
    "builtins.frozenset",
    "__builtin__.complex",
    "builtins.complex",
];

fn is_known(name: &str) -> bool {
    KNOWN.contains(&name) || kinds::of_storage(name).is_some() || kinds::of_name(name).is_some()
}

fn interpret(pickle: &Pickle, places: Places<'_>, is_big: bool) -> Result<Contents, Error> {
    let mut maker = Maker { pickle, places, items: Vec::with_capacity(pickle.nodes.len()) };
    for node in &pickle.nodes {
        let item = maker.item(node)?;
        maker.items.push(item);
    }
    if maker.items[pickle.root as usize] == Item::Hidden {
        return Error::format("what was saved is neither a tensor nor a container nor a number");
    }
    let storages = maker.places.finish()?;
    Ok(Contents { items: maker.items, root: pickle.root, storages, is_big })
}

struct Maker<'a> {
    pickle: &'a Pickle,
    places: Places<'a>,
    items: Vec<Item>,
}

#[cold]
fn broken<T>(what: &str) -> Result<T, Error> {
    Error::format(format!("the pickle is broken: {what}"))
}

impl Maker<'_> {
    fn item(&mut self, node: &Node) -> Result<Item, Error> {
        Ok(match node {
            Node::None => Item::None,
            Node::Bool(flag) => Item::Bool(*flag),
            Node::Int(number) => Item::Int(*number),
            Node::Long(bytes) => wide(bytes)?,
            Node::Float(number) => Item::Float(*number),
            Node::Text(text) => Item::Text(text.clone()),
            Node::Bytes(_) => {
                return Error::format("it holds bytes, which are no value of the language");
            }
            Node::List(items) => Item::List(items.clone()),
            Node::Tuple(items) => Item::Tuple(items.clone()),
            Node::Dict(pairs) => Item::Dict(pairs.clone()),
            Node::Set(items) => Item::Set(items.clone()),
            Node::Frozen(items) => Item::Frozen(items.to_vec()),
            Node::Global(name) => kinds::of_name(name).map_or(Item::Hidden, Item::Kind),
            Node::Persistent(_) => Item::Hidden,
            Node::Call(call) => self.call(call)?,
        })
    }

    fn call(&mut self, call: &Call) -> Result<Item, Error> {
        let name = self.pickle.global(call.function);
        let arguments = self.pickle.tuple(call.arguments).unwrap_or(&[]);
        let made = self.made(name, arguments)?;
        let is_filled = !call.items.is_empty() || !call.pairs.is_empty();
        match made {
            // What a state would set are attributes of the object, as the versions of a model's parts.
            Item::Ordered(mut pairs) if call.items.is_empty() => {
                pairs.extend(&call.pairs);
                Ok(Item::Ordered(pairs))
            }
            made if !is_filled => Ok(made),
            _ => broken("items are put into what takes none"),
        }
    }

    fn made(&mut self, name: &str, arguments: &[Id]) -> Result<Item, Error> {
        let short = name.rsplit('.').next().unwrap_or(name);
        match (short, arguments) {
            ("_rebuild_tensor" | "_rebuild_tensor_v2", [storage, place, shape, strides, ..]) => {
                self.tensor(*storage, None, [*place, *shape, *strides])
            }
            ("_rebuild_tensor_v3", [storage, place, shape, strides, _, _, kind, ..]) => {
                let Item::Kind(kind) = self.items[*kind as usize] else {
                    return broken("a tensor's type is none");
                };
                self.tensor(*storage, Some(kind), [*place, *shape, *strides])
            }
            ("_rebuild_parameter" | "_rebuild_parameter_with_state", [data, ..]) => {
                match &self.items[*data as usize] {
                    tensor @ Item::Tensor(_) => Ok(tensor.clone()),
                    _ => broken("a parameter is no tensor"),
                }
            }
            ("_rebuild_from_type_v2", [function, _, arguments, ..]) => {
                let (name, inner) = (self.pickle.global(*function), self.pickle.tuple(*arguments));
                match inner {
                    Some(inner) if name.starts_with("torch._utils._rebuild") => {
                        self.made(name, inner)
                    }
                    _ => broken("a tensor is made of nothing that makes one"),
                }
            }
            ("Size", [lengths]) => match &self.items[*lengths as usize] {
                lengths @ Item::Tuple(_) => Ok(lengths.clone()),
                _ => broken("a shape is no tuple"),
            },
            ("device", [kind]) => Ok(Item::Device(self.text(*kind)?.to_owned())),
            ("device", [kind, number]) => match self.pickle.count(*number) {
                Some(number) => Ok(Item::Device(format!("{}:{number}", self.text(*kind)?))),
                None => broken("a device has no number"),
            },
            ("_get_layout", [name]) => Ok(Item::Text(self.text(*name)?.into())),
            ("OrderedDict", []) => Ok(Item::Ordered(Vec::new())),
            ("OrderedDict", [pairs]) => self.ordered(*pairs),
            ("set", []) => Ok(Item::Set(Vec::new())),
            ("set" | "frozenset", [items]) => match self.pickle.node(*items) {
                Node::List(items) if short == "set" => Ok(Item::Set(items.clone())),
                Node::List(items) => Ok(Item::Frozen(items.clone())),
                _ => broken("a set is made of no list"),
            },
            ("frozenset", []) => Ok(Item::Frozen(Vec::new())),
            ("complex", [real, imag]) => Ok(Item::Complex(self.float(*real)?, self.float(*imag)?)),
            _ => broken(&format!("`{name}` is called with what it does not take")),
        }
    }

    /// An `OrderedDict` as Python 2 writes it: of a list of pairs, each a list.
    fn ordered(&self, pairs: Id) -> Result<Item, Error> {
        let Node::List(pairs) = self.pickle.node(pairs) else {
            return broken("an OrderedDict is made of no list");
        };
        let pair = |id: &Id| match self.pickle.node(*id) {
            Node::List(pair) if pair.len() == 2 => Some((pair[0], pair[1])),
            Node::Tuple(pair) if pair.len() == 2 => Some((pair[0], pair[1])),
            _ => None,
        };
        match pairs.iter().map(pair).collect() {
            Some(pairs) => Ok(Item::Ordered(pairs)),
            None => broken("an OrderedDict is made of no pairs"),
        }
    }

    fn text(&self, id: Id) -> Result<&str, Error> {
        self.pickle.text(id).map_or_else(|| broken("a name is no text"), Ok)
    }

    fn float(&self, id: Id) -> Result<f64, Error> {
        match self.pickle.node(id) {
            Node::Float(number) => Ok(*number),
            Node::Int(number) => Ok(*number as f64),
            _ => broken("a part of a complex number is no number"),
        }
    }

    fn counts(&self, id: Id) -> Option<Vec<u64>> {
        self.pickle.tuple(id)?.iter().map(|id| self.pickle.count(*id)).collect()
    }

    /// A tensor of a storage: its first element, its shape, its strides.
    fn tensor(
        &mut self,
        storage: Id,
        kind: Option<&'static Kind>,
        [offset, shape, strides]: [Id; 3],
    ) -> Result<Item, Error> {
        let Node::Persistent(name) = self.pickle.node(storage) else {
            return broken("a tensor has no storage");
        };
        let found = self.places.find(self.pickle, *name)?;
        let (offset, shape, strides) =
            match (self.pickle.count(offset), self.counts(shape), self.counts(strides)) {
                (Some(offset), Some(shape), Some(strides)) if shape.len() == strides.len() => {
                    (offset, shape, strides)
                }
                _ => return broken("a tensor's shape, strides or place are none"),
            };
        let Some(kind) = kind.or(found.kind) else {
            return broken("a tensor has no type of elements");
        };
        let is_empty = shape.contains(&0);
        let reach = shape.iter().zip(&strides).try_fold(0u64, |reach, (length, stride)| {
            reach.checked_add(length.saturating_sub(1).checked_mul(*stride)?)
        });
        let bytes = reach
            .and_then(|reach| reach.checked_add(offset)?.checked_add(found.skipped)?.checked_add(1))
            .and_then(|count| count.checked_mul(kind.size));
        let shape: Shape = shape.iter().map(|length| *length as usize).collect();
        shape.checked_elem_count().map_err(|error| Error::Format(error.to_string()))?;
        if !is_empty && bytes.is_none_or(|bytes| bytes > found.bytes) {
            return Error::format(format!(
                "a tensor of shape {shape} reaches beyond its storage '{}' of {} bytes",
                found.name, found.bytes
            ));
        }
        let offset = if is_empty { 0 } else { offset + found.skipped };
        let storage = found.number;
        Ok(Item::Tensor(Box::new(Tensor { kind, storage, offset, shape, strides })))
    }
}

/// A whole number between what 63 and 64 bits hold.
fn wide(bytes: &[u8]) -> Result<Item, Error> {
    match bytes {
        [low @ .., 0] if low.len() == 8 => {
            Ok(Item::Wide(low.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))))
        }
        _ => Error::format("it holds a whole number of more than 64 bits"),
    }
}
