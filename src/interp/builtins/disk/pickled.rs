//! PyTorch's files, written: an archive that every version since 1.6 opens, without running code.

use std::path::Path;

use rustc_hash::FxHashMap;

use super::{draft, fault};
use crate::diag::Fault;
use crate::interp::builtins::Call;
use crate::interp::value::{Entries, Type, Value};
use crate::io::pickle::Writer as Pickle;
use crate::io::{self, torch, zip};
use crate::tensor::{Place, Tensor};

/// Items that one operation of a pickle takes.
const BATCH: usize = 1000;
/// Storages stand at multiples of so many bytes, as PyTorch's do.
const ALIGNMENT: u64 = 64;

/// What some tensors are views of, or a tensor by itself.
struct Shared {
    /// The part of the memory that goes into the file.
    first: usize,
    last: usize,
    /// Elements of all tensors of it.
    count: usize,
    tensors: usize,
}

pub fn save(call: &mut Call<'_>) -> Result<Value, Fault> {
    let mut saving = Saving {
        call,
        pickle: Pickle::new(),
        seen: FxHashMap::default(),
        shared: FxHashMap::default(),
        is_counting: true,
        numbers: FxHashMap::default(),
        written: Vec::new(),
    };
    let value = call.value(1).clone();
    saving.value(&value)?;
    (saving.pickle, saving.is_counting) = (Pickle::new(), false);
    saving.seen.clear();
    saving.value(&value)?;
    let (pickle, storages) = (saving.pickle.finish(), saving.written);
    let (draft, path) = draft(call)?;
    draft.foretell(super::total(&storages));
    let stem = Path::new(&path).file_stem().map_or("archive".into(), |stem| stem.to_string_lossy());
    let wrong = |error| fault(io::Error::System(error), &path);
    let mut writer = zip::Writer::new(draft);
    let member = |writer: &mut zip::Writer, name: &str, bytes: &[u8]| {
        writer.begin_at(&format!("{stem}/{name}"), false, ALIGNMENT).map_err(wrong)?;
        writer.write(bytes).and_then(|()| writer.end()).map_err(wrong)
    };
    member(&mut writer, "data.pkl", &pickle)?;
    member(&mut writer, ".format_version", b"1")?;
    member(&mut writer, ".storage_alignment", ALIGNMENT.to_string().as_bytes())?;
    let order: &[u8] = if cfg!(target_endian = "big") { b"big" } else { b"little" };
    member(&mut writer, "byteorder", order)?;
    let _task = super::saving(call.engine(), &path, &storages);
    for (number, storage) in storages.iter().enumerate() {
        let name = format!("{stem}/data/{number}");
        writer.begin_at(&name, false, ALIGNMENT).map_err(wrong)?;
        call.engine().pieces(storage, |bytes| writer.write(bytes).map_err(wrong))?;
        writer.end().map_err(wrong)?;
    }
    member(&mut writer, "version", b"3\n")?;
    let written = writer.finish().and_then(io::Draft::commit);
    written.map_err(wrong)?;
    Ok(Value::None)
}

struct Saving<'a, 'b> {
    call: &'a Call<'b>,
    pickle: Pickle,
    /// Places of the memo, of what may be there twice.
    seen: FxHashMap<*const (), u32>,
    shared: FxHashMap<usize, Shared>,
    /// Whether this is the first walk, which only looks for tensors that share memory.
    is_counting: bool,
    /// Numbers of storages that are written whole.
    numbers: FxHashMap<usize, usize>,
    written: Vec<Tensor>,
}

impl Saving<'_, '_> {
    fn value(&mut self, value: &Value) -> Result<(), Fault> {
        let evaluator = &self.call.evaluator;
        match value {
            Value::None => self.pickle.none(),
            Value::Bool(flag) => self.pickle.flag(*flag),
            Value::Int(number) => self.pickle.int(*number),
            Value::Wide(number) => self.pickle.wide(*number),
            Value::Float(number) => self.pickle.float(*number),
            Value::Complex(number) => {
                self.pickle.global("__builtin__", "complex");
                self.pickle.float(number.re);
                self.pickle.float(number.im);
                self.pickle.out.extend([0x86, b'R']);
            }
            Value::Str(text) if u32::try_from(text.len()).is_ok() => self.pickle.text(text),
            Value::DType(dtype) => match torch::kind_of(*dtype) {
                Some((name, _)) => self.pickle.global("torch", name),
                None => return Err(self.unknown(value)),
            },
            Value::Device(_) => {
                let name = evaluator.call_value(&Value::Type(Type::Str), [value.clone()], [])?;
                self.pickle.global("torch", "device");
                match name {
                    Value::Str(name) => self.pickle.text(&name),
                    _ => return Err(self.unknown(value)),
                }
                self.pickle.out.extend([0x85, b'R']);
            }
            Value::Tensor(x) => return self.once(value, |saving| saving.tensor(x)),
            Value::Tuple(items) if items.is_empty() => self.pickle.out.push(b')'),
            Value::Tuple(items) => {
                return self.once(value, |saving| {
                    saving.pickle.out.push(b'(');
                    saving.each(items)?;
                    // One that holds itself by way of a list is there when its items are.
                    let is_there = |(place, _)| saving.seen.contains_key(&place);
                    let code = if value.identity().is_some_and(is_there) { b'1' } else { b't' };
                    saving.pickle.out.push(code);
                    Ok(())
                });
            }
            Value::List(list) => {
                let items = list.borrow().clone();
                return self.holding(
                    value,
                    |saving| saving.pickle.out.push(b']'),
                    |saving| saving.batches(&items, b'e'),
                );
            }
            Value::Set(set) => {
                let items: Vec<Value> =
                    set.borrow().iter().map(|key| key.value().clone()).collect();
                self.set("set", &items)?;
            }
            Value::FrozenSet(set) => {
                let items: Vec<Value> = set.iter().map(|key| key.value().clone()).collect();
                self.set("frozenset", &items)?;
            }
            value => match value.as_dict() {
                Some(dict) if matches!(value.type_of(), Type::Dict | Type::OrderedDict) => {
                    let entries: Entries = dict.borrow().clone();
                    let pairs: Vec<Value> = entries
                        .iter()
                        .flat_map(|(key, value)| [key.value().clone(), value.clone()])
                        .collect();
                    let is_ordered = value.type_of() == Type::OrderedDict;
                    let begin = |saving: &mut Self| match is_ordered {
                        true => {
                            saving.pickle.global("collections", "OrderedDict");
                            saving.pickle.out.extend([b')', b'R']);
                        }
                        false => saving.pickle.out.push(b'}'),
                    };
                    return self.holding(value, begin, |saving| saving.batches(&pairs, b'u'));
                }
                _ => return Err(self.unknown(value)),
            },
        }
        Ok(())
    }

    #[cold]
    fn unknown(&self, value: &Value) -> Fault {
        let words = format!(
            "a {} is not saved: tensors, numbers, texts, None, lists, tuples, dictionaries and sets are",
            value.type_name()
        );
        Fault::type_error(words)
    }

    /// What is written once, and remembered where it comes again.
    fn once(
        &mut self,
        value: &Value,
        write: impl FnOnce(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let identity = value.identity().map(|(place, _)| place);
        if let Some(at) = identity.and_then(|place| self.seen.get(&place)) {
            self.pickle.recall(*at);
            return Ok(());
        }
        let evaluator = self.call.evaluator;
        evaluator.deeper("while a value is saved", || write(self))?;
        match identity.and_then(|place| self.seen.get(&place)) {
            Some(at) => self.pickle.recall(*at),
            None => self.remember(identity),
        }
        Ok(())
    }

    /// The same of what may hold itself: it is remembered before what is in it.
    fn holding(
        &mut self,
        value: &Value,
        begin: impl FnOnce(&mut Self),
        fill: impl FnOnce(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let identity = value.identity().map(|(place, _)| place);
        if let Some(at) = identity.and_then(|place| self.seen.get(&place)) {
            self.pickle.recall(*at);
            return Ok(());
        }
        begin(self);
        self.remember(identity);
        let evaluator = self.call.evaluator;
        evaluator.deeper("while a value is saved", || fill(self))
    }

    fn remember(&mut self, identity: Option<*const ()>) {
        if let Some(place) = identity {
            let at = self.seen.len() as u32;
            self.pickle.remember(at);
            self.seen.insert(place, at);
        }
    }

    fn each(&mut self, items: &[Value]) -> Result<(), Fault> {
        items.iter().try_for_each(|item| self.value(item))
    }

    fn batches(&mut self, items: &[Value], code: u8) -> Result<(), Fault> {
        for batch in items.chunks(BATCH) {
            self.pickle.out.push(b'(');
            self.each(batch)?;
            self.pickle.out.push(code);
        }
        Ok(())
    }

    fn set(&mut self, class: &str, items: &[Value]) -> Result<(), Fault> {
        self.pickle.global("__builtin__", class);
        self.pickle.out.push(b']');
        self.batches(items, b'e')?;
        self.pickle.out.extend([0x85, b'R']);
        Ok(())
    }

    fn tensor(&mut self, x: &Tensor) -> Result<(), Fault> {
        let engine = self.call.engine();
        let Some((kind, storage)) = torch::kind_of(x.dtype()) else {
            return Err(Fault::value_error(format!("PyTorch has no {}", x.dtype())));
        };
        let place = engine.place(x)?;
        if self.is_counting {
            self.count(&place);
            return Ok(());
        }
        let (number, len, layout) = self.storage(x, &place)?;
        let (function, count) = match storage {
            "" => ("_rebuild_tensor_v3", len * x.dtype().size()),
            _ => ("_rebuild_tensor_v2", len),
        };
        let pickle = &mut self.pickle;
        pickle.global("torch._utils", function);
        pickle.out.extend(b"((");
        pickle.text("storage");
        match storage {
            "" => pickle.global("torch.storage", "UntypedStorage"),
            storage => pickle.global("torch", storage),
        }
        pickle.text(&number.to_string());
        pickle.text("cpu");
        pickle.int(count as i64);
        pickle.out.extend([b't', b'Q']);
        pickle.int(layout.offset as i64);
        let strides: Vec<usize> = layout.strides.iter().map(|s| s.unsigned_abs()).collect();
        for lengths in [&layout.shape[..], &strides] {
            pickle.out.push(b'(');
            lengths.iter().for_each(|length| pickle.int(*length as i64));
            pickle.out.push(b't');
        }
        pickle.flag(false);
        pickle.global("collections", "OrderedDict");
        pickle.out.extend([b')', b'R']);
        if storage.is_empty() {
            pickle.global("torch", kind);
        }
        pickle.out.extend([b't', b'R']);
        Ok(())
    }

    fn count(&mut self, place: &Place) {
        let (extent, count) = (place.layout.extent(), place.layout.elem_count());
        if count == 0 || place.layout.strides.iter().any(|stride| *stride < 0) {
            return;
        }
        let new = Shared { first: extent.start, last: extent.end, count: 0, tensors: 0 };
        let shared = self.shared.entry(place.storage).or_insert(new);
        shared.first = shared.first.min(extent.start);
        shared.last = shared.last.max(extent.end);
        shared.count += count;
        shared.tensors += 1;
    }

    /// The number of a tensor's storage, how many elements that has, and how the tensor lies in it.
    fn storage(
        &mut self,
        x: &Tensor,
        place: &Place,
    ) -> Result<(usize, usize, crate::layout::Layout), Fault> {
        let engine = self.call.engine();
        let is_plain = place.layout.strides.iter().all(|stride| *stride >= 0);
        let shared = self.shared.get(&place.storage).filter(|shared| {
            // What lies between far views is not theirs: they are written by themselves then.
            let len = shared.last - shared.first;
            is_plain
                && place.layout.elem_count() > 0
                && match shared.tensors {
                    1 => len <= shared.count,
                    _ => len <= 2 * shared.count,
                }
        });
        let Some(shared) = shared else {
            let number = self.written.len();
            self.written.push(x.clone());
            let layout = crate::layout::Layout::contiguous(x.shape().clone());
            return Ok((number, x.elem_count(), layout));
        };
        let (first, len) = (shared.first, shared.last - shared.first);
        let layout =
            crate::layout::Layout { offset: place.layout.offset - first, ..place.layout.clone() };
        if let Some(number) = self.numbers.get(&place.storage) {
            return Ok((*number, len, layout));
        }
        let number = self.written.len();
        self.numbers.insert(place.storage, number);
        self.written.push(engine.span(x, first..first + len)?);
        Ok((number, len, layout))
    }
}
