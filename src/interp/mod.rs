//! The interpreter: tree × tensors → values. It knows the text, so it gives every error its place.
//!
//! The statement is the unit. While one runs, tensors stay lazy and a journal keeps what it
//! changes; when it ends, what somebody holds is computed and the journal is forgotten. If anything
//! fails on the way, the journal is rolled back and the statement has changed nothing.

pub mod array_like;
mod assign;
mod attribute;
mod augment;
mod blame;
pub mod builtins;
mod call;
pub mod collect;
mod compare;
pub mod compile;
pub mod complex;
pub mod convert;
mod delete;
pub mod depth;
mod entries;
mod eval;
mod explain;
mod format;
mod formatter;
mod fstring;
mod hash;
mod import;
mod index;
mod iterate;
mod key;
mod letting_go;
mod library;
mod long_text;
mod manual;
mod missing;
mod module;
mod native;
pub mod object;
mod ops;
pub mod past;
mod percent;
mod quote;
mod range;
mod reach;
mod repr;
pub mod room;
mod scalar;
mod scope;
pub mod shared;
mod thin;
mod types;
mod undo;
pub mod value;
mod vm;
mod world;

pub use explain::{Explained, Rehearsed};
pub use native::Native;
use quote::ascii;
pub use quote::quote;
pub use repr::elements;
pub use scope::Scope;
pub use value::Value;
pub use world::World;

use std::cell::{Cell, OnceCell, RefCell};
use std::fmt;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use builtins::{Registry, Twister};
use depth::Depth;
use library::Library;
use manual::Manual;
use object::ends::Ends;
use object::file::Files;
use object::known::Told;
use shared::{Shared, Slot};
use undo::Journal;
use value::Str;
pub use vm::{Again, Callback, Resume, Resumed, Seen};

use crate::diag::{SourceMap, Span};
use crate::layout::IndexPlan;
use crate::report::PrintOptions;
use crate::syntax::ast::Ident;
use crate::tensor::Engine;

/// The interpreter's state between statements.
#[derive(Debug)]
pub struct Interp {
    pub engine: Engine,
    pub registry: Registry,
    pub scope: RefCell<Scope>,
    /// The variables of modules that are written in the language.
    library: Library,
    /// The texts that errors may point into.
    pub sources: RefCell<SourceMap>,
    /// How tensors print.
    pub print_options: Rc<Shared<PrintOptions>>,
    /// The functions that write elements where a program has set some, in a dictionary.
    pub formatter: Slot,
    /// Memory that the program manages by hand.
    pub manual: Manual,
    /// The indexes met so far, while a statement is explained.
    explained: RefCell<Option<Vec<(Span, IndexPlan)>>>,
    /// The operators whose right operand is computed before the left one.
    pub turned: RefCell<FxHashSet<Span>>,
    /// Whether the statement that is explained stores a single number.
    stores_one: Cell<bool>,
    /// Whether the statement that is explained has come to what reaches out of the program.
    reached_out: Cell<bool>,
    /// The stream that `random` draws from.
    pub twister: Rc<Shared<Twister>>,
    /// What takes output in the place of the user, where a program has put something there.
    stdout: Slot,
    /// Likewise of what is said beside output.
    stderr: Slot,
    /// When it was made.
    pub started: std::time::Instant,
    /// The files that the program has open.
    pub files: Files,
    /// What the open transaction changed.
    pub journal: Journal,
    /// What is to be done when objects are dropped.
    ends: Rc<Ends>,
    /// Containers whose texts are being made, because they may hold themselves.
    written: RefCell<Vec<*const ()>>,
    /// How deep calls and values are in each other.
    depth: Depth,
    /// Whether `from __future__ import annotations` was said.
    annotations_are_texts: Cell<bool>,
    /// How many parts of compound statements have committed by themselves so far.
    parts: Cell<u64>,
    /// Whether any class has been made, the library's too: else no object has methods of a program's.
    has_classes: Cell<bool>,
    /// How often classes have changed: what was looked up in them before counts no more.
    class_changes: Cell<u64>,
    /// The texts of one character in ASCII, which programs make again and again.
    letters: OnceCell<Box<[Value]>>,
    /// The names of fields that places in the code have met: one text for each.
    field_names: RefCell<FxHashSet<Str>>,
    /// What a machine that has run leaves to the next one.
    spare_machine: RefCell<vm::Spare>,
    /// Whether a compound statement runs, whose parts begin a transaction when they first change something.
    in_compound: Cell<bool>,
    /// What the operation need not ask of its key that runs now.
    told: RefCell<Option<Told>>,
}

/// One run of the interpreter. Cheap to copy: two words, which go from function to function in registers.
#[derive(Clone, Copy)]
pub struct Evaluator<'a> {
    pub interp: &'a Interp,
    pub world: &'a &'a dyn World,
}

impl Interp {
    pub fn new(engine: Engine) -> Interp {
        Interp {
            engine,
            registry: Registry::new(),
            scope: RefCell::default(),
            library: Library::default(),
            sources: RefCell::default(),
            print_options: Rc::default(),
            formatter: Slot::default(),
            manual: Manual::default(),
            explained: RefCell::default(),
            turned: RefCell::default(),
            stores_one: Cell::new(false),
            reached_out: Cell::new(false),
            twister: Rc::new(Twister::from_entropy().into()),
            stdout: Slot::default(),
            stderr: Slot::default(),
            started: std::time::Instant::now(),
            files: Files::default(),
            journal: Journal::default(),
            ends: Rc::default(),
            written: RefCell::default(),
            depth: Depth::default(),
            annotations_are_texts: Cell::new(false),
            parts: Cell::new(0),
            has_classes: Cell::new(false),
            class_changes: Cell::new(1),
            letters: OnceCell::new(),
            field_names: RefCell::default(),
            spare_machine: RefCell::default(),
            in_compound: Cell::default(),
            told: RefCell::default(),
        }
    }

    /// The texts of one character in ASCII.
    fn letters(&self) -> &[Value] {
        let letters = || (0..128_u8).map(|byte| Value::str(char::from(byte).to_string())).collect();
        self.letters.get_or_init(letters)
    }

    /// A text of one character.
    pub fn letter(&self, c: char) -> Value {
        let known = self.letters().get(c as usize);
        known.cloned().unwrap_or_else(|| Value::str(&*c.encode_utf8(&mut [0; 4])))
    }

    /// A text of one character where something else was.
    #[inline]
    pub(in crate::interp) fn put_letter(&self, register: &mut Value, c: char) {
        match (self.letters.get().and_then(|letters| letters.get(c as usize)), &*register) {
            (Some(Value::Str(letter)), Value::Str(known)) if Str::ptr_eq(known, letter) => {}
            (Some(letter), _) => vm::register::put_copy(register, letter),
            (None, _) => vm::register::put(register, self.letter(c)),
        }
    }

    /// A part of a text.
    pub fn part(&self, text: &str) -> Value {
        match text.as_bytes() {
            [byte] => self.letter(char::from(*byte)),
            _ => Value::str(text),
        }
    }

    /// The name of a field as all places in the code have it, so that a look tells that it is the same.
    fn field_name(&self, name: &str) -> Str {
        let mut names = self.field_names.borrow_mut();
        if let Some(known) = names.get(name) {
            return known.clone();
        }
        let made = Str::from(name);
        names.insert(made.clone());
        made
    }

    /// Takes back what a statement changed that a panic has ended.
    pub fn abandon_statement(&self) {
        self.explained.replace(None);
        self.depth.clear();
        if self.is_in_transaction() {
            self.roll_back();
        }
    }

    #[inline]
    fn count_part(&self) {
        self.parts.set(self.parts.get() + 1);
    }

    /// How many parts of compound statements have committed by themselves so far.
    pub fn parts(&self) -> u64 {
        self.parts.get()
    }

    /// What a name holds.
    pub fn get(&self, name: &str) -> Option<Value> {
        self.scope.borrow().get(name)
    }

    /// Binds a name; gives back what it held.
    pub fn set(&self, name: Ident, value: Value) -> Option<Value> {
        self.scope.borrow_mut().set(&self.journal, name, value)
    }

    /// Unbinds a name; gives back what it held.
    pub fn remove(&self, name: &str) -> Option<Value> {
        self.scope.borrow_mut().remove(&self.journal, name)
    }
}

impl fmt::Debug for Evaluator<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Evaluator")
    }
}
