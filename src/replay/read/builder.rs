//! What a file of objects says, kept as narrowly as a replay needs it.
//!
//! A snapshot of a gigabyte is millions of events, each a dictionary with a list of a hundred frames. A
//! dictionary is kept as such only until it is put into something: an event, a block or a frame becomes a
//! record then, and of a list of frames only the one stays that says who asked. Keys and texts are kept
//! once. How much may be kept is bounded by the length of the file.

use rustc_hash::FxHashMap;

use super::frames::{Frame, label, tells};
use crate::io::Error;

/// Parts of a file that are kept at once, at the most, however long it is.
const MAX_PARTS: u64 = 1 << 26;

/// Keys that are looked for; the texts have these numbers.
macro_rules! keys {
    ($($constant:ident $text:literal),* $(,)?) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[derive(Clone, Copy)]
        enum Number { $($constant),* }
        /// The numbers of known texts.
        pub(super) mod key {
            $(pub const $constant: u32 = super::Number::$constant as u32;)*
        }
        const KEYS: &[&str] = &[$($text),*];
    };
}

keys! {
    ACTION "action", ADDR "addr", ADDRESS "address", SIZE "size", BYTES "bytes", STREAM "stream",
    TIME "time_us", FRAMES "frames", DEVICE_FREE "device_free", POOL "pool_id",
    SEGMENT_POOL "segment_pool_id", FILENAME "filename", LINE "line", NAME "name", STATE "state",
    REQUESTED_SIZE "requested_size", REQUESTED "requested", HISTORY "history", DEVICE "device",
    SEGMENTS "segments", TRACES "device_traces", BLOCKS "blocks", TOTAL "total_size",
    SETTINGS "allocator_settings", CONF "PYTORCH_CUDA_ALLOC_CONF", STATEMENT "statement",
    TEXT "text", ALLOC_CONF "PYTORCH_ALLOC_CONF", PLACE "place", DEVICES "devices",
    ALLOCATOR "allocator",
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Value {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(u32),
    Object(u32),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Object {
    /// A tuple, too.
    List(Vec<Value>),
    Dict(Vec<(u32, Value)>),
    Event(u32),
    Block(u32),
    Frame(u32),
    /// A list of frames: the one that says who asked, if any does.
    Stack(Option<u32>),
}

/// An event of a trace, as the file has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Event {
    /// A text.
    pub action: u32,
    pub address: u64,
    pub bytes: u64,
    pub stream: u64,
    pub time_us: u64,
    pub by: By,
}

/// Who asked, as the file says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum By {
    Nobody,
    Frame(u32),
    Statement(u32),
}

/// A block of a segment, as the file has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Block {
    pub address: Option<u64>,
    pub bytes: u64,
    pub requested: u64,
    /// A text.
    pub state: u32,
    pub by: By,
}

pub(super) struct Builder {
    pub objects: Vec<Object>,
    pub events: Vec<Event>,
    pub blocks: Vec<Block>,
    pub frames: Vec<Frame>,
    texts: Vec<Box<str>>,
    numbers: FxHashMap<Box<str>, u32>,
    /// What statements are called, where blocks bring their texts along.
    pub statements: FxHashMap<u32, u32>,
    /// By file, name and line.
    known_frames: FxHashMap<(u32, u32, u64), u32>,
    /// Values in lists and dictionaries.
    held: u64,
    most: u64,
}

impl Builder {
    /// For a file of that many bytes.
    pub fn new(length: u64) -> Builder {
        let mut builder = Builder {
            objects: Vec::new(),
            events: Vec::new(),
            blocks: Vec::new(),
            frames: Vec::new(),
            texts: Vec::new(),
            numbers: FxHashMap::default(),
            statements: FxHashMap::default(),
            known_frames: FxHashMap::default(),
            held: 0,
            most: length.min(MAX_PARTS),
        };
        for key in KEYS {
            builder.text_number(key);
        }
        builder
    }

    /// # Errors
    /// More is to be kept than a snapshot of that length has.
    #[inline]
    pub fn check(&self, stack: usize) -> Result<(), Error> {
        let kept = [self.objects.len() as u64, self.held + stack as u64, self.texts.len() as u64];
        match kept.iter().all(|count| *count <= self.most + KEYS.len() as u64) {
            true => Ok(()),
            false => {
                Error::format("the file holds more parts than a memory snapshot of its length")
            }
        }
    }

    /// The number of a text, which is kept once.
    pub fn text_number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.texts.len() as u32;
        self.texts.push(text.into());
        self.numbers.insert(text.into(), number);
        number
    }

    pub fn text(&self, number: u32) -> &str {
        &self.texts[number as usize]
    }

    pub fn object(&mut self, object: Object) -> Value {
        self.objects.push(object);
        Value::Object(self.objects.len() as u32 - 1)
    }

    /// Puts values at the end of a list; false if it is none.
    pub fn append(&mut self, list: Value, values: &[Value]) -> bool {
        let Value::Object(at) = list else { return false };
        if self.stack_at_once(at, values) {
            return true;
        }
        values.iter().for_each(|value| self.seal(*value));
        let Object::List(items) = &mut self.objects[at as usize] else { return false };
        items.extend_from_slice(values);
        self.held += values.len() as u64;
        true
    }

    /// Keeps of frames that are put into an empty list, or behind others, the one that says who asked.
    fn stack_at_once(&mut self, at: u32, values: &[Value]) -> bool {
        let mut best = match &self.objects[at as usize] {
            Object::List(items) if items.is_empty() && !values.is_empty() => None,
            Object::Stack(best) => *best,
            _ => return false,
        };
        for value in values {
            let Value::Object(item) = value else { return false };
            let Object::Frame(frame) = self.objects[*item as usize] else { return false };
            best = Some(self.more_telling(best, frame));
        }
        self.objects[at as usize] = Object::Stack(best);
        true
    }

    /// Of two frames the one that says more: of two alike the first, which is the inner one.
    fn more_telling(&self, best: Option<u32>, frame: u32) -> u32 {
        let tells = |frame: u32| self.frames[frame as usize].tells;
        best.filter(|best| tells(*best) >= tells(frame)).unwrap_or(frame)
    }

    /// Puts keys and values into a dictionary; false if it is none. A key that is no text is left out.
    pub fn set(&mut self, dict: Value, pairs: &[Value]) -> bool {
        let Value::Object(at) = dict else { return false };
        pairs.iter().for_each(|value| self.seal(*value));
        if self.record_at_once(at, pairs) {
            return true;
        }
        let Object::Dict(entries) = &mut self.objects[at as usize] else { return false };
        let before = entries.len();
        for pair in pairs.chunks_exact(2) {
            if let Value::Text(key) = pair[0] {
                entries.push((key, pair[1]));
            }
        }
        self.held += 2 * (entries.len() - before) as u64;
        true
    }

    /// Makes a record of what is put into an empty dictionary, where all of it comes at once.
    fn record_at_once(&mut self, at: u32, pairs: &[Value]) -> bool {
        match &self.objects[at as usize] {
            Object::Dict(entries) if entries.is_empty() && pairs.len() > 2 => {}
            // What else there is to say about a frame is not kept.
            Object::Frame(_) => return true,
            _ => return false,
        }
        let pairs = pairs.chunks_exact(2).filter_map(|pair| match pair[0] {
            Value::Text(key) => Some((key, pair[1])),
            _ => None,
        });
        let Some(record) = self.record(&Parts::of(pairs)) else { return false };
        self.objects[at as usize] = record;
        true
    }

    /// A value goes into something, and so is complete: what is known becomes a record.
    fn seal(&mut self, value: Value) {
        let Value::Object(at) = value else { return };
        let Object::Dict(entries) = &self.objects[at as usize] else { return };
        let count = 2 * entries.len() as u64;
        let parts = Parts::of(entries.iter().copied());
        if let Some(record) = self.record(&parts) {
            self.held -= count;
            self.objects[at as usize] = record;
        }
    }

    fn record(&mut self, parts: &Parts) -> Option<Object> {
        Some(if parts.has(key::ACTION) {
            let event = self.event(parts);
            self.events.push(event);
            Object::Event(self.events.len() as u32 - 1)
        } else if parts.has(key::STATE) {
            let block = self.block(parts);
            self.blocks.push(block);
            Object::Block(self.blocks.len() as u32 - 1)
        } else if parts.has(key::FILENAME) && parts.has(key::NAME) {
            Object::Frame(self.frame(parts))
        } else {
            return None;
        })
    }

    fn event(&mut self, parts: &Parts) -> Event {
        let address = parts.count(key::ADDR).or_else(|| parts.count(key::ADDRESS));
        let bytes = parts.count(key::SIZE).or_else(|| parts.count(key::BYTES));
        let by = self.by(parts);
        self.note_statement(parts, by);
        let pool = self.list(parts.get(key::POOL));
        Event {
            action: parts.text(key::ACTION),
            address: address.or_else(|| parts.count(key::DEVICE_FREE)).unwrap_or(0),
            bytes: bytes.unwrap_or(0),
            stream: in_pool(parts.count(key::STREAM).unwrap_or(0), pool),
            time_us: parts.count(key::TIME).unwrap_or(0),
            by,
        }
    }

    /// What a statement is called, where an event or a block brings that along.
    fn note_statement(&mut self, parts: &Parts, by: By) {
        let (By::Statement(id), Value::Text(text)) = (by, parts.get(key::TEXT)) else {
            return;
        };
        let place = match parts.get(key::PLACE) {
            Value::Text(place) => self.text(place).rsplit_once(':'),
            _ => None,
        };
        let label = match place {
            Some((file, line)) => label(file, line.parse().unwrap_or(0), self.text(text)),
            None => format!("[{id}] {}", self.text(text)),
        };
        let label = self.text_number(&label);
        self.statements.insert(id, label);
    }

    fn block(&mut self, parts: &Parts) -> Block {
        let bytes = parts.count(key::SIZE).or_else(|| parts.count(key::BYTES)).unwrap_or(0);
        let requested = parts.count(key::REQUESTED_SIZE).or_else(|| parts.count(key::REQUESTED));
        let by = self.by(parts);
        self.note_statement(parts, by);
        Block {
            address: parts.count(key::ADDRESS).or_else(|| parts.count(key::ADDR)),
            bytes,
            requested: requested.filter(|bytes| *bytes > 0).unwrap_or(bytes),
            state: parts.text(key::STATE),
            by,
        }
    }

    fn frame(&mut self, parts: &Parts) -> u32 {
        let (file, name) = (parts.text(key::FILENAME), parts.text(key::NAME));
        let line = parts.count(key::LINE).unwrap_or(0);
        let known = (file, name, line);
        if let Some(number) = self.known_frames.get(&known) {
            return *number;
        }
        let number = self.frames.len() as u32;
        let tells = tells(self.text(file), self.text(name));
        self.frames.push(Frame { file, name, line, tells });
        self.known_frames.insert(known, number);
        number
    }

    /// Who asked for what a dictionary describes.
    fn by(&mut self, parts: &Parts) -> By {
        let frames = match parts.get(key::FRAMES) {
            Value::None => self.first_of_history(parts.get(key::HISTORY)),
            frames => frames,
        };
        if let Value::Object(list) = frames
            && let Some(frame) = self.teller(list)
        {
            return By::Frame(frame);
        }
        match parts.count(key::STATEMENT) {
            Some(id) => By::Statement(id as u32),
            None => By::Nobody,
        }
    }

    /// The frame of a list that says most: of several alike the innermost. The list is that frame from here on.
    fn teller(&mut self, list: u32) -> Option<u32> {
        let items = match &self.objects[list as usize] {
            Object::Stack(known) => return *known,
            Object::List(items) => items,
            _ => return None,
        };
        let mut best: Option<u32> = None;
        for item in items {
            let Value::Object(at) = item else { continue };
            let Object::Frame(frame) = self.objects[*at as usize] else { continue };
            best = Some(self.more_telling(best, frame));
        }
        self.held -= items.len() as u64;
        self.objects[list as usize] = Object::Stack(best);
        best
    }

    /// Blocks of older snapshots have their frames in a list of what was there.
    fn first_of_history(&self, history: Value) -> Value {
        let first = self.list(history).and_then(<[Value]>::first);
        match first {
            Some(Value::Object(first)) => self.get(*first, key::FRAMES).unwrap_or(Value::None),
            _ => Value::None,
        }
    }

    /// A stream's number with that of its pool, which a dictionary has under a key.
    pub fn in_pool(&self, stream: u64, at: u32, key: u32) -> u64 {
        in_pool(stream, self.get(at, key).and_then(|pool| self.list(pool)))
    }

    /// What a dictionary has under a key; the last word counts.
    pub fn get(&self, dict: u32, key: u32) -> Option<Value> {
        let Object::Dict(entries) = &self.objects[dict as usize] else { return None };
        entries.iter().rev().find(|(known, _)| *known == key).map(|(_, value)| *value)
    }

    pub fn count(&self, dict: u32, key: u32) -> Option<u64> {
        match self.get(dict, key)? {
            Value::Int(number) => u64::try_from(number).ok(),
            _ => None,
        }
    }

    pub fn list(&self, value: Value) -> Option<&[Value]> {
        match value {
            Value::Object(at) => match &self.objects[at as usize] {
                Object::List(items) => Some(items),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Pools of CUDA graphs share no memory with others: a stream's number with that of its pool.
fn in_pool(stream: u64, pool: Option<&[Value]>) -> u64 {
    pool.unwrap_or_default().iter().fold(stream, |mixed, part| match part {
        Value::Int(0) => mixed,
        Value::Int(part) => {
            mixed.rotate_left(20) ^ (*part as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        }
        _ => mixed,
    })
}

/// What a dictionary has under known keys.
struct Parts([Value; KEYS.len()]);

impl Parts {
    /// The last word counts.
    fn of(pairs: impl Iterator<Item = (u32, Value)>) -> Parts {
        let mut parts = [Value::None; KEYS.len()];
        for (key, value) in pairs {
            if let Some(part) = parts.get_mut(key as usize) {
                *part = value;
            }
        }
        Parts(parts)
    }

    fn get(&self, key: u32) -> Value {
        self.0[key as usize]
    }

    fn has(&self, key: u32) -> bool {
        self.get(key) != Value::None
    }

    fn count(&self, key: u32) -> Option<u64> {
        match self.get(key) {
            Value::Int(number) => u64::try_from(number).ok(),
            _ => None,
        }
    }

    /// The number of a text; that of a key where it is none.
    fn text(&self, key: u32) -> u32 {
        match self.get(key) {
            Value::Text(text) => text,
            _ => key::NAME,
        }
    }
}
