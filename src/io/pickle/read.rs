//! The machine that a pickle is a program for.

use rustc_hash::FxHashMap;

use super::{Call, Id, Node, Pickle};
use crate::io::Error;

/// Nodes of a pickle, at the most.
const MAX_NODES: usize = 1 << 25;

/// Reads the pickle that `bytes` begin with; `is_known` says of a function or a class whether the caller
/// knows what it makes.
///
/// # Errors
/// What is wrong with it, and at which byte; the name of a function or a class that is not known.
pub fn read(bytes: &[u8], is_known: &dyn Fn(&str) -> bool) -> Result<Pickle, Error> {
    let mut machine = Machine {
        bytes,
        at: 0,
        nodes: Vec::new(),
        stack: Vec::new(),
        marks: Vec::new(),
        memo: FxHashMap::default(),
        is_known,
    };
    while !machine.step()? {}
    let root = machine.pop()?;
    Ok(Pickle { nodes: machine.nodes, root, length: machine.at })
}

struct Machine<'a> {
    bytes: &'a [u8],
    at: usize,
    nodes: Vec<Node>,
    stack: Vec<Id>,
    /// Where the stack stood when something was begun.
    marks: Vec<usize>,
    memo: FxHashMap<u64, Id>,
    is_known: &'a dyn Fn(&str) -> bool,
}

impl<'a> Machine<'a> {
    #[cold]
    fn broken<T>(&self, words: &str) -> Result<T, Error> {
        Error::format(format!("the pickle is broken at byte {}: {words}", self.at))
    }

    fn take(&mut self, count: u64) -> Result<&'a [u8], Error> {
        let left = self.bytes.len() - self.at;
        match usize::try_from(count) {
            Ok(count) if count <= left => {
                let taken = &self.bytes[self.at..self.at + count];
                self.at += count;
                Ok(taken)
            }
            _ => self.broken("it ends too early"),
        }
    }

    fn number<const N: usize>(&mut self) -> Result<u64, Error> {
        let bytes = self.take(N as u64)?;
        Ok(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn line(&mut self) -> Result<&'a str, Error> {
        let rest = &self.bytes[self.at..];
        let Some(length) = rest.iter().position(|byte| *byte == b'\n') else {
            return self.broken("a line has no end");
        };
        self.at += length + 1;
        match std::str::from_utf8(&rest[..length]) {
            Ok(line) => Ok(line),
            Err(_) => self.broken("a line is not in UTF-8"),
        }
    }

    fn push(&mut self, node: Node) -> Result<(), Error> {
        if self.nodes.len() >= MAX_NODES {
            return Error::format(format!("the pickle has more than {MAX_NODES} parts"));
        }
        self.stack.push(self.nodes.len() as Id);
        self.nodes.push(node);
        Ok(())
    }

    fn pop(&mut self) -> Result<Id, Error> {
        match self.stack.pop() {
            Some(id) if self.marks.last().is_none_or(|mark| *mark <= self.stack.len()) => Ok(id),
            _ => self.broken("nothing is on the stack"),
        }
    }

    fn top(&mut self) -> Result<Id, Error> {
        let id = self.pop()?;
        self.stack.push(id);
        Ok(id)
    }

    /// All that came after the last mark.
    fn marked(&mut self) -> Result<Vec<Id>, Error> {
        match self.marks.pop() {
            Some(mark) => Ok(self.stack.split_off(mark)),
            None => self.broken("no mark is on the stack"),
        }
    }

    fn text(&mut self, length: u64) -> Result<(), Error> {
        let bytes = self.take(length)?;
        match std::str::from_utf8(bytes) {
            Ok(text) => self.push(Node::Text(text.into())),
            Err(_) => self.broken("a text is not in UTF-8"),
        }
    }

    /// A text of Python 2, which may be no text.
    fn string(&mut self, length: u64) -> Result<(), Error> {
        let bytes = self.take(length)?;
        self.push(match std::str::from_utf8(bytes) {
            Ok(text) => Node::Text(text.into()),
            Err(_) => Node::Bytes(bytes.into()),
        })
    }

    fn raw(&mut self, length: u64) -> Result<(), Error> {
        let bytes = self.take(length)?;
        self.push(Node::Bytes(bytes.into()))
    }

    fn long(&mut self, length: u64) -> Result<(), Error> {
        let bytes = self.take(length)?;
        let sign = bytes.last().map_or(0, |byte| if byte & 0x80 == 0 { 0 } else { 0xff });
        if bytes.iter().skip(8).any(|byte| *byte != sign) {
            return self.push(Node::Long(bytes.into()));
        }
        let mut wide = [sign; 8];
        let count = bytes.len().min(8);
        wide[..count].copy_from_slice(&bytes[..count]);
        let number = i64::from_le_bytes(wide);
        match (number < 0) == (sign != 0) {
            true => self.push(Node::Int(number)),
            false => self.push(Node::Long(bytes.into())),
        }
    }

    /// A whole number in digits.
    fn digits(&mut self) -> Result<i64, Error> {
        let line = self.line()?;
        match line.strip_suffix('L').unwrap_or(line).trim().parse() {
            Ok(number) => Ok(number),
            Err(_) => self.broken("a whole number is none, or too large"),
        }
    }

    fn global(&mut self, name: &str) -> Result<(), Error> {
        if !(self.is_known)(name) {
            return Error::format(format!(
                "the file asks for `{name}`, and no code is ever run to read one: tensors, numbers, texts and \
                 plain containers are read; of a model, save its `state_dict()`"
            ));
        }
        self.push(Node::Global(name.into()))
    }

    fn call(&mut self, function: Id, arguments: Id) -> Result<(), Error> {
        let is_call = matches!(self.nodes[function as usize], Node::Global(_))
            && matches!(self.nodes[arguments as usize], Node::Tuple(_));
        if !is_call {
            return self.broken("a call is none of a known function");
        }
        let (items, pairs) = (Vec::new(), Vec::new());
        self.push(Node::Call(Box::new(Call { function, arguments, state: None, items, pairs })))
    }

    fn append(&mut self, target: Id, more: &[Id]) -> Result<(), Error> {
        match &mut self.nodes[target as usize] {
            Node::List(items) => items.extend(more),
            Node::Call(call) => call.items.extend(more),
            _ => return self.broken("items are put into what is no list"),
        }
        Ok(())
    }

    fn set_items(&mut self, target: Id, more: &[Id]) -> Result<(), Error> {
        if !more.len().is_multiple_of(2) {
            return self.broken("a key has no value");
        }
        let pairs = more.chunks_exact(2).map(|pair| (pair[0], pair[1]));
        match &mut self.nodes[target as usize] {
            Node::Dict(known) => known.extend(pairs),
            Node::Call(call) => call.pairs.extend(pairs),
            _ => return self.broken("keys are put into what is no dictionary"),
        }
        Ok(())
    }

    fn tuple(&mut self, count: usize) -> Result<(), Error> {
        let mut items = Vec::with_capacity(count);
        for _ in 0..count {
            items.insert(0, self.pop()?);
        }
        self.push(Node::Tuple(items.into()))
    }

    fn remember(&mut self, place: u64) -> Result<(), Error> {
        let id = self.top()?;
        self.memo.insert(place, id);
        Ok(())
    }

    fn recall(&mut self, place: u64) -> Result<(), Error> {
        match self.memo.get(&place) {
            Some(id) => self.stack.push(*id),
            None => return self.broken("nothing was remembered under a number"),
        }
        Ok(())
    }

    /// Does the next operation; whether it was the last.
    fn step(&mut self) -> Result<bool, Error> {
        let code = self.number::<1>()? as u8;
        match code {
            b'.' => return Ok(true),
            b'(' => self.marks.push(self.stack.len()),
            b'0' => match self.marks.last() == Some(&self.stack.len()) {
                true => drop(self.marks.pop()),
                false => drop(self.pop()?),
            },
            b'1' => drop(self.marked()?),
            b'2' => {
                let id = self.top()?;
                self.stack.push(id);
            }
            b'N' => self.push(Node::None)?,
            0x88 | 0x89 => self.push(Node::Bool(code == 0x88))?,
            b'K' => {
                let number = self.number::<1>()?;
                self.push(Node::Int(number as i64))?;
            }
            b'M' => {
                let number = self.number::<2>()?;
                self.push(Node::Int(number as i64))?;
            }
            b'J' => {
                let number = self.number::<4>()? as u32 as i32;
                self.push(Node::Int(i64::from(number)))?;
            }
            0x8a => {
                let length = self.number::<1>()?;
                self.long(length)?;
            }
            0x8b => {
                let length = self.number::<4>()?;
                self.long(length)?;
            }
            b'G' => {
                let bits = self.number::<8>()?.swap_bytes();
                self.push(Node::Float(f64::from_bits(bits)))?;
            }
            b'X' | 0x8c | 0x8d => {
                let length = self.length(code, 0x8c, b'X')?;
                self.text(length)?;
            }
            b'B' | b'C' | 0x8e | 0x96 => {
                let length = self.length(code, b'C', b'B')?;
                self.raw(length)?;
            }
            b'T' | b'U' => {
                let length = self.length(code, b'U', b'T')?;
                self.string(length)?;
            }
            b'I' | b'L' | b'F' | b'S' | b'V' | b'P' => self.written(code)?,
            _ => self.compound(code)?,
        }
        Ok(false)
    }

    /// How long what follows is, by the code's width of that.
    fn length(&mut self, code: u8, short: u8, middle: u8) -> Result<u64, Error> {
        match code {
            code if code == short => self.number::<1>(),
            code if code == middle => self.number::<4>(),
            _ => self.number::<8>(),
        }
    }

    /// What the oldest protocol writes in lines.
    fn written(&mut self, code: u8) -> Result<(), Error> {
        match code {
            b'I' if self.bytes[self.at..].starts_with(b"01\n") => {
                self.at += 3;
                self.push(Node::Bool(true))
            }
            b'I' if self.bytes[self.at..].starts_with(b"00\n") => {
                self.at += 3;
                self.push(Node::Bool(false))
            }
            b'I' | b'L' => {
                let number = self.digits()?;
                self.push(Node::Int(number))
            }
            b'F' => match self.line()?.trim().parse() {
                Ok(number) => self.push(Node::Float(number)),
                Err(_) => self.broken("a number is none"),
            },
            _ => {
                let line = self.line()?;
                let inside = match code {
                    b'S' => {
                        let open = line.chars().next().filter(|c| matches!(c, '\'' | '"'));
                        open.and_then(|c| line.strip_prefix(c)?.strip_suffix(c))
                    }
                    _ => Some(line),
                };
                match inside {
                    Some(text) if !text.contains('\\') => self.push(Node::Text(text.into()))?,
                    _ => return self.broken("a text with escapes is not read"),
                }
                if code == b'P' {
                    let id = self.pop()?;
                    self.push(Node::Persistent(id))?;
                }
                Ok(())
            }
        }
    }

    /// What takes parts from the stack.
    fn compound(&mut self, code: u8) -> Result<(), Error> {
        match code {
            b']' => self.push(Node::List(Vec::new())),
            b'}' => self.push(Node::Dict(Vec::new())),
            b')' => self.push(Node::Tuple(Box::new([]))),
            0x8f => self.push(Node::Set(Vec::new())),
            0x85..=0x87 => self.tuple(usize::from(code - 0x84)),
            b't' => {
                let items = self.marked()?;
                self.push(Node::Tuple(items.into()))
            }
            b'l' => {
                let items = self.marked()?;
                self.push(Node::List(items))
            }
            0x91 => {
                let items = self.marked()?;
                self.push(Node::Frozen(items.into()))
            }
            b'd' => {
                let items = self.marked()?;
                self.push(Node::Dict(Vec::new()))?;
                let target = self.top()?;
                self.set_items(target, &items)
            }
            b'a' => {
                let item = self.pop()?;
                let target = self.top()?;
                self.append(target, &[item])
            }
            b'e' => {
                let items = self.marked()?;
                let target = self.top()?;
                self.append(target, &items)
            }
            b's' => {
                let (value, key) = (self.pop()?, self.pop()?);
                let target = self.top()?;
                self.set_items(target, &[key, value])
            }
            b'u' => {
                let items = self.marked()?;
                let target = self.top()?;
                self.set_items(target, &items)
            }
            0x90 => {
                let items = self.marked()?;
                let target = self.top()?;
                match &mut self.nodes[target as usize] {
                    Node::Set(known) => known.extend(items),
                    _ => return self.broken("items are put into what is no set"),
                }
                Ok(())
            }
            _ => self.other(code),
        }
    }

    /// The memo, functions and calls, and what says how the rest is written.
    fn other(&mut self, code: u8) -> Result<(), Error> {
        match code {
            b'p' => {
                let place = self.digits()?;
                self.remember(place as u64)
            }
            b'q' => {
                let place = self.number::<1>()?;
                self.remember(place)
            }
            b'r' => {
                let place = self.number::<4>()?;
                self.remember(place)
            }
            0x94 => self.remember(self.memo.len() as u64),
            b'g' => {
                let place = self.digits()?;
                self.recall(place as u64)
            }
            b'h' => {
                let place = self.number::<1>()?;
                self.recall(place)
            }
            b'j' => {
                let place = self.number::<4>()?;
                self.recall(place)
            }
            b'c' => {
                let (module, name) = (self.line()?, self.line()?);
                self.global(&format!("{module}.{name}"))
            }
            0x93 => {
                let (name, module) = (self.pop()?, self.pop()?);
                let name = match [module, name].map(|id| &self.nodes[id as usize]) {
                    [Node::Text(module), Node::Text(name)] => format!("{module}.{name}"),
                    _ => return self.broken("a function has no name"),
                };
                self.global(&name)
            }
            b'R' | 0x81 => {
                let (arguments, function) = (self.pop()?, self.pop()?);
                self.call(function, arguments)
            }
            0x92 => {
                let (named, arguments, function) = (self.pop()?, self.pop()?, self.pop()?);
                match &self.nodes[named as usize] {
                    Node::Dict(pairs) if pairs.is_empty() => self.call(function, arguments),
                    _ => self.broken("a call has named arguments"),
                }
            }
            b'i' => {
                let (module, name) = (self.line()?, self.line()?);
                let items = self.marked()?;
                self.global(&format!("{module}.{name}"))?;
                let function = self.pop()?;
                self.called(function, items)
            }
            b'o' => {
                let mut items = self.marked()?;
                if items.is_empty() {
                    return self.broken("a call has no function");
                }
                let function = items.remove(0);
                self.called(function, items)
            }
            b'b' => {
                let state = self.pop()?;
                let target = self.top()?;
                match &mut self.nodes[target as usize] {
                    Node::Call(call) => call.state = Some(state),
                    _ => return self.broken("a state is given to what has none"),
                }
                Ok(())
            }
            b'Q' => {
                let name = self.pop()?;
                self.push(Node::Persistent(name))
            }
            0x80 => match self.number::<1>()? {
                0..=5 => Ok(()),
                newer => {
                    self.broken(&format!("protocol {newer} is newer than 5, the last one known"))
                }
            },
            0x95 => {
                let length = self.number::<8>()?;
                match length <= (self.bytes.len() - self.at) as u64 {
                    true => Ok(()),
                    false => self.broken("a frame reaches beyond it"),
                }
            }
            0x82..=0x84 => self.broken("extension codes stand for code, which is never run"),
            0x97 | 0x98 => self.broken("buffers beside the pickle are not read"),
            _ => self.broken(&format!("there is no operation {code:#04x}")),
        }
    }

    fn called(&mut self, function: Id, items: Vec<Id>) -> Result<(), Error> {
        self.push(Node::Tuple(items.into()))?;
        let arguments = self.pop()?;
        self.call(function, arguments)
    }
}
