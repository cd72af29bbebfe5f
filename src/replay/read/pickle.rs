//! The operations of a pickle, done as they are read: no code is ever run.
//!
//! `io::pickle` keeps a node for every part, which tensors need; a memory snapshot has hundreds of
//! millions. What may be called is nothing here: a snapshot is made of plain containers, numbers and texts.

use rustc_hash::FxHashMap;

use super::builder::{Builder, Object, Value};
use super::input::Input;
use crate::io::Error;

/// Reads the pickle that a file begins with, and gives its root.
///
/// # Errors
/// What is wrong with it, and at which byte.
pub(super) fn read(input: &mut Input<'_>, builder: &mut Builder) -> Result<Value, Error> {
    let mut machine = Machine {
        input,
        builder,
        stack: Vec::new(),
        marks: Vec::new(),
        memo: Vec::new(),
        far: FxHashMap::default(),
    };
    while !machine.step()? {}
    machine.pop()
}

/// Values on the stack between two looks at whether they are too many.
const LOOK: usize = 1 << 10;

struct Machine<'a, 'r> {
    input: &'a mut Input<'r>,
    builder: &'a mut Builder,
    stack: Vec<Value>,
    /// Where the stack stood when something was begun.
    marks: Vec<usize>,
    /// What was remembered under numbers in their order, as Python does it, and under others.
    memo: Vec<Value>,
    far: FxHashMap<u64, Value>,
}

impl Machine<'_, '_> {
    #[cold]
    fn broken<T>(&self, words: &str) -> Result<T, Error> {
        self.input.broken(words)
    }

    #[inline]
    fn push(&mut self, value: Value) -> Result<(), Error> {
        self.stack.push(value);
        match self.stack.len().is_multiple_of(LOOK) {
            true => self.builder.check(self.stack.len()),
            false => Ok(()),
        }
    }

    fn push_new(&mut self, object: Object) -> Result<(), Error> {
        let value = self.builder.object(object);
        self.stack.push(value);
        self.builder.check(self.stack.len())
    }

    #[inline]
    fn pop(&mut self) -> Result<Value, Error> {
        match self.stack.pop() {
            Some(value) if self.marks.last().is_none_or(|mark| *mark <= self.stack.len()) => {
                Ok(value)
            }
            _ => self.broken("nothing is on the stack"),
        }
    }

    fn top(&self) -> Result<Value, Error> {
        match self.stack.last() {
            Some(value) if self.marks.last().is_none_or(|mark| *mark < self.stack.len()) => {
                Ok(*value)
            }
            _ => self.broken("nothing is on the stack"),
        }
    }

    fn mark(&mut self) -> Result<usize, Error> {
        match self.marks.pop() {
            Some(mark) => Ok(mark),
            None => self.broken("no mark is on the stack"),
        }
    }

    fn text(&mut self, length: u64) -> Result<(), Error> {
        let number = match std::str::from_utf8(self.input.take(length)?) {
            Ok(text) => self.builder.text_number(text),
            Err(_) => return self.broken("a text is not in UTF-8"),
        };
        self.stack.push(Value::Text(number));
        self.builder.check(self.stack.len())
    }

    /// A whole number of so many bytes; one that 64 bits do not hold is as good as none.
    fn long(&mut self, length: u64) -> Result<(), Error> {
        let bytes = self.input.take(length)?;
        let sign = bytes.last().map_or(0, |byte| if byte & 0x80 == 0 { 0 } else { 0xff });
        let mut wide = [sign; 8];
        let count = bytes.len().min(8);
        wide[..count].copy_from_slice(&bytes[..count]);
        let is_wider = bytes.iter().skip(8).any(|byte| *byte != sign);
        let number = i64::from_le_bytes(wide);
        self.push(match is_wider || (number < 0) != (sign != 0) {
            true => Value::None,
            false => Value::Int(number),
        })
    }

    fn line(&mut self) -> Result<String, Error> {
        let mut line = Vec::new();
        if !self.input.line(&mut line)? {
            return self.broken("a line has no end");
        }
        match String::from_utf8(line) {
            Ok(line) => Ok(line),
            Err(_) => self.broken("a line is not in UTF-8"),
        }
    }

    fn digits(&mut self) -> Result<i64, Error> {
        let line = self.line()?;
        match line.strip_suffix('L').unwrap_or(&line).trim().parse() {
            Ok(number) => Ok(number),
            Err(_) => self.broken("a whole number is none, or too large"),
        }
    }

    fn list(&mut self, from: usize) -> Result<(), Error> {
        let list = self.builder.object(Object::List(Vec::new()));
        let Machine { builder, stack, .. } = self;
        builder.append(list, &stack[from..]);
        stack.truncate(from);
        self.stack.push(list);
        self.builder.check(self.stack.len())
    }

    fn append(&mut self, from: usize) -> Result<(), Error> {
        let Some(target) = from.checked_sub(1).filter(|at| self.is_own(*at)) else {
            return self.broken("items are put into nothing");
        };
        let Machine { builder, stack, .. } = self;
        if !builder.append(stack[target], &stack[from..]) {
            return self.broken("items are put into what is no list");
        }
        self.stack.truncate(from);
        self.builder.check(self.stack.len())
    }

    fn set(&mut self, from: usize) -> Result<(), Error> {
        let Some(target) = from.checked_sub(1).filter(|at| self.is_own(*at)) else {
            return self.broken("keys are put into nothing");
        };
        let Machine { builder, stack, .. } = self;
        if !(stack.len() - from).is_multiple_of(2) {
            return self.broken("a key has no value");
        }
        if !builder.set(stack[target], &stack[from..]) {
            return self.broken("keys are put into what is no dictionary");
        }
        self.stack.truncate(from);
        self.builder.check(self.stack.len())
    }

    /// Whether what has begun last begins at or before a place of the stack.
    fn is_own(&self, at: usize) -> bool {
        self.marks.last().is_none_or(|mark| *mark <= at)
    }

    /// The place of the last `count` values.
    fn last(&self, count: usize) -> Result<usize, Error> {
        match self.stack.len().checked_sub(count).filter(|at| self.is_own(*at)) {
            Some(at) => Ok(at),
            None => self.broken("nothing is on the stack"),
        }
    }

    fn remember(&mut self, place: u64) -> Result<(), Error> {
        let value = self.top()?;
        match usize::try_from(place) {
            Ok(at) if at < self.memo.len() => self.memo[at] = value,
            Ok(at) if at == self.memo.len() => {
                self.far.remove(&place);
                self.memo.push(value);
            }
            _ => drop(self.far.insert(place, value)),
        }
        // What is remembered takes a byte of the file at the least, so it is bounded as the rest is.
        self.builder.check(self.memo.len().max(self.far.len()))
    }

    fn recall(&mut self, place: u64) -> Result<(), Error> {
        let near = usize::try_from(place).ok().and_then(|at| self.memo.get(at));
        match near.or_else(|| self.far.get(&place)).copied() {
            Some(value) => self.push(value),
            None => self.broken("nothing was remembered under a number"),
        }
    }

    /// Does the next operation; whether it was the last.
    #[inline]
    fn step(&mut self) -> Result<bool, Error> {
        let code = self.input.byte()?;
        match code {
            b'h' => {
                let place = self.input.number::<1>()?;
                self.recall(place)?;
            }
            b'j' => {
                let place = self.input.number::<4>()?;
                self.recall(place)?;
            }
            0x94 => self.remember((self.memo.len() + self.far.len()) as u64)?,
            b'q' => {
                let place = self.input.number::<1>()?;
                self.remember(place)?;
            }
            b'r' => {
                let place = self.input.number::<4>()?;
                self.remember(place)?;
            }
            b'(' => {
                self.marks.push(self.stack.len());
                self.builder.check(self.stack.len() + self.marks.len())?;
            }
            b'}' => {
                self.push_new(Object::Dict(Vec::new()))?;
            }
            b']' => {
                self.push_new(Object::List(Vec::new()))?;
            }
            b'e' => {
                let from = self.mark()?;
                self.append(from)?;
            }
            b'a' => {
                let from = self.last(1)?;
                self.append(from)?;
            }
            b'u' => {
                let from = self.mark()?;
                self.set(from)?;
            }
            b's' => {
                let from = self.last(2)?;
                self.set(from)?;
            }
            b'K' => {
                let number = self.input.number::<1>()?;
                self.push(Value::Int(number as i64))?;
            }
            b'M' => {
                let number = self.input.number::<2>()?;
                self.push(Value::Int(number as i64))?;
            }
            b'J' => {
                let number = self.input.number::<4>()? as u32 as i32;
                self.push(Value::Int(i64::from(number)))?;
            }
            0x8a => {
                let length = self.input.number::<1>()?;
                self.long(length)?;
            }
            0x8c => {
                let length = self.input.number::<1>()?;
                self.text(length)?;
            }
            b'X' => {
                let length = self.input.number::<4>()?;
                self.text(length)?;
            }
            b'.' => return Ok(true),
            _ => self.rare(code)?,
        }
        Ok(false)
    }

    fn rare(&mut self, code: u8) -> Result<(), Error> {
        match code {
            b'N' => self.push(Value::None),
            0x88 | 0x89 => self.push(Value::Bool(code == 0x88)),
            b'G' => {
                let bits = self.input.number::<8>()?.swap_bytes();
                self.push(Value::Float(f64::from_bits(bits)))
            }
            0x8b => {
                let length = self.input.number::<4>()?;
                self.long(length)
            }
            0x8d => {
                let length = self.input.number::<8>()?;
                self.text(length)
            }
            b'0' => match self.marks.last() == Some(&self.stack.len()) {
                true => self.mark().map(drop),
                false => self.pop().map(drop),
            },
            b'1' => {
                let from = self.mark()?;
                self.stack.truncate(from);
                Ok(())
            }
            b'2' => {
                let value = self.top()?;
                self.push(value)
            }
            b')' => self.list(self.stack.len()),
            0x85..=0x87 => {
                let from = self.last(usize::from(code - 0x84))?;
                self.list(from)
            }
            b't' | b'l' => {
                let from = self.mark()?;
                self.list(from)
            }
            b'd' => {
                let from = self.mark()?;
                let dict = self.builder.object(Object::Dict(Vec::new()));
                self.stack.insert(from, dict);
                self.set(from + 1)
            }
            0x80 => match self.input.number::<1>()? {
                0..=5 => Ok(()),
                newer => {
                    self.broken(&format!("protocol {newer} is newer than 5, the last one known"))
                }
            },
            0x95 => {
                let length = self.input.number::<8>()?;
                match length <= self.input.length().saturating_sub(self.input.position()) {
                    true => Ok(()),
                    false => self.broken("a frame reaches beyond it"),
                }
            }
            _ => self.old(code),
        }
    }

    /// What the oldest protocol writes in lines, and what no snapshot has.
    fn old(&mut self, code: u8) -> Result<(), Error> {
        match code {
            b'p' => {
                let place = self.digits()?;
                self.remember(place as u64)
            }
            b'g' => {
                let place = self.digits()?;
                self.recall(place as u64)
            }
            b'I' => match self.line()?.trim() {
                "01" => self.push(Value::Bool(true)),
                "00" => self.push(Value::Bool(false)),
                digits => match digits.parse() {
                    Ok(number) => self.push(Value::Int(number)),
                    Err(_) => self.broken("a whole number is none, or too large"),
                },
            },
            b'L' => {
                let number = self.digits()?;
                self.push(Value::Int(number))
            }
            b'F' => match self.line()?.trim().parse() {
                Ok(number) => self.push(Value::Float(number)),
                Err(_) => self.broken("a number is none"),
            },
            b'S' | b'V' => {
                let line = self.line()?;
                let open = line.chars().next().filter(|c| code == b'S' && matches!(c, '\'' | '"'));
                let inside = match code {
                    b'S' => open.and_then(|c| line.strip_prefix(c)?.strip_suffix(c)),
                    _ => Some(line.as_str()),
                };
                let Some(text) = inside else { return self.broken("a text has no quotes") };
                let number = self.builder.text_number(text);
                self.push(Value::Text(number))
            }
            b'c' | b'i' => {
                let name = format!("{}.{}", self.line()?, self.line()?);
                self.calls(&name)
            }
            0x93 => {
                let at = self.last(2)?;
                let name = match self.stack[at..] {
                    [Value::Text(module), Value::Text(name)] => {
                        format!("{}.{}", self.builder.text(module), self.builder.text(name))
                    }
                    _ => return self.broken("a function has no name"),
                };
                self.calls(&name)
            }
            b'R' | b'o' | b'b' | b'P' | b'Q' | 0x81 | 0x82..=0x84 | 0x92 => self.calls("code"),
            b'B' | b'C' | b'T' | b'U' | 0x8e | 0x8f | 0x90 | 0x91 | 0x96..=0x98 => {
                Error::format("the pickle holds bytes or sets: it is no memory snapshot")
            }
            _ => self.broken(&format!("there is no operation {code:#04x}")),
        }
    }

    #[cold]
    fn calls(&self, name: &str) -> Result<(), Error> {
        let name: String = name.chars().take(60).collect();
        Error::format(format!(
            "the pickle asks for `{}`: it is no memory snapshot, and no code is ever run to read one",
            crate::diag::visible(&name)
        ))
    }
}
