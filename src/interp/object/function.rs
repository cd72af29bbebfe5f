//! Functions of the program: `def` and `lambda`.

use std::cell::{Cell, OnceCell};
use std::fmt;
use std::rc::{Rc, Weak};

use crate::interp::compile::Code;
use crate::interp::letting_go::let_go;
use crate::interp::shared::{Shared, Slot};
use crate::interp::value::{Dict, Entries, Value};
use crate::syntax::ast::Ident;

/// Code, with the defaults that its `def` computed and the variables around it.
pub struct Closure {
    pub code: Rc<Code>,
    /// Of the last positional parameters.
    pub defaults: Vec<Value>,
    /// Of those that only have a name.
    pub keyword_defaults: Vec<Option<Value>>,
    pub captured: Vec<Slot>,
    pub annotations: Vec<(Ident, Value)>,
    /// What the program adds: `f.calls = 0`.
    attributes: OnceCell<Dict>,
    /// Whether it keeps anything of a program's alive.
    holds: Cell<bool>,
    results: OnceCell<Results>,
}

/// Where a function keeps what another one returned, in variables of its own.
#[derive(Debug)]
pub struct Results {
    /// What is called where a result is not there.
    pub of: Weak<Closure>,
    /// By the tuples of arguments; of a single integer or text by that.
    pub kept: Weak<Shared<Entries>>,
    /// A list: how many calls were answered so, and how many were not.
    pub counts: Weak<Shared<Vec<Value>>>,
    /// How many are kept at most: what was asked for last stands last then.
    pub limit: Option<usize>,
}

impl Closure {
    pub fn new(code: Rc<Code>) -> Closure {
        Closure {
            code,
            defaults: Vec::new(),
            keyword_defaults: Vec::new(),
            captured: Vec::new(),
            annotations: Vec::new(),
            attributes: OnceCell::new(),
            holds: Cell::new(false),
            results: OnceCell::new(),
        }
    }

    /// A call whose result is there is answered with that.
    pub fn answer_from(&self, results: Results) {
        _ = self.results.set(results);
    }

    pub fn results(&self) -> Option<&Results> {
        self.results.get()
    }

    /// A variable around it.
    #[inline(always)]
    pub fn cell(&self, index: u16) -> &Slot {
        &self.captured[usize::from(index)]
    }

    /// Its `def` has given it all that it has.
    pub fn is_made(&self) {
        let holds = !self.captured.is_empty()
            || !self.defaults.is_empty()
            || !self.keyword_defaults.is_empty();
        self.holds.set(holds);
    }

    /// Whether so many positional arguments can become its first registers as they are.
    #[inline(always)]
    pub fn takes_plainly(&self, count: usize) -> bool {
        let positional = self.code.parameters.positional;
        self.code.is_plain && count <= positional && count + self.defaults.len() >= positional
    }

    /// Whether it makes a generator of so many arguments as they are given.
    pub fn makes_generator(&self, count: usize) -> bool {
        let parameters = &self.code.parameters;
        let positional = parameters.positional;
        self.code.is_generator
            && parameters.count() == positional
            && count <= positional
            && count + self.defaults.len() >= positional
    }

    /// Whether it keeps anything of a program's alive.
    #[inline(always)]
    pub fn holds_values(&self) -> bool {
        self.holds.get()
    }

    pub fn name(&self) -> String {
        match self.own("__name__") {
            Some(Value::Str(name)) => name.to_string(),
            _ => self.code.name.to_string(),
        }
    }

    /// Of each parameter the name, the kind as `inspect` counts them, and tuples with its default and
    /// with what it is annotated with, empty where there is none. `return` stands last.
    pub fn parameters(&self) -> Value {
        let parameters = &self.code.parameters;
        let held =
            |value: Option<&Value>| Value::tuple(value.cloned().into_iter().collect::<Vec<_>>());
        let annotation = |name: &str| {
            let found = self.annotations.iter().find(|(known, _)| **known == *name);
            held(found.map(|(_, value)| value))
        };
        let row = |name: &str, kind: i64, default: Option<&Value>| {
            Value::tuple([Value::str(name), Value::Int(kind), held(default), annotation(name)])
        };
        let names = &parameters.names;
        let first_default = parameters.positional - self.defaults.len().min(parameters.positional);
        let mut rows = Vec::new();
        for (at, name) in names.iter().enumerate().take(parameters.positional) {
            let default = at.checked_sub(first_default).and_then(|at| self.defaults.get(at));
            rows.push(row(name, i64::from(at >= parameters.positional_only), default));
        }
        if let Some(star) = parameters.star {
            rows.push(row(&names[usize::from(star)], 2, None));
        }
        let named = names.iter().skip(parameters.positional).take(parameters.keyword_only);
        for (name, default) in named.zip(&self.keyword_defaults) {
            rows.push(row(name, 3, default.as_ref()));
        }
        if let Some(double_star) = parameters.double_star {
            rows.push(row(&names[usize::from(double_star)], 4, None));
        }
        if self.annotations.iter().any(|(name, _)| **name == *"return") {
            rows.push(row("return", 0, None));
        }
        Value::list(rows)
    }

    /// `f(a, b=2, *args, c, **rest) -> int`; `repr` says how values are written.
    pub fn signature(&self, repr: &dyn Fn(&Value) -> String) -> String {
        let parameters = &self.code.parameters;
        let annotation = |name: &str| {
            let found = self.annotations.iter().find(|(known, _)| **known == *name);
            found.map(|(_, value)| match value {
                Value::Type(of) => of.name().to_owned(),
                value => repr(value),
            })
        };
        let plain = |at: usize, default: Option<&Value>| {
            let name = &parameters.names[at];
            match (annotation(name), default) {
                (None, None) => name.to_string(),
                (None, Some(default)) => format!("{name}={}", repr(default)),
                (Some(of), None) => format!("{name}: {of}"),
                (Some(of), Some(default)) => format!("{name}: {of} = {}", repr(default)),
            }
        };
        let named = parameters.positional + parameters.keyword_only;
        let first_default = parameters.positional - self.defaults.len().min(parameters.positional);
        let mut parts: Vec<String> = Vec::new();
        for at in 0..parameters.positional {
            let default = at.checked_sub(first_default).and_then(|at| self.defaults.get(at));
            parts.push(plain(at, default));
            if at + 1 == parameters.positional_only {
                parts.push("/".to_owned());
            }
        }
        match parameters.star {
            Some(star) => parts.push(format!("*{}", plain(usize::from(star), None))),
            None if parameters.keyword_only > 0 => parts.push("*".to_owned()),
            None => {}
        }
        for at in parameters.positional..named {
            let default = self.keyword_defaults.get(at - parameters.positional);
            parts.push(plain(at, default.and_then(Option::as_ref)));
        }
        if let Some(double_star) = parameters.double_star {
            parts.push(format!("**{}", plain(usize::from(double_star), None)));
        }
        let returns = annotation("return").map_or(String::new(), |of| format!(" -> {of}"));
        format!("{}({}){returns}", self.name(), parts.join(", "))
    }

    /// What `name?` and `help(name)` show: the signature, and the text that the body begins with.
    pub fn help(&self, repr: &dyn Fn(&Value) -> String) -> String {
        let doc = match self.doc() {
            Value::Str(doc) => format!("\n{}\n", dedented(&doc)),
            _ => String::new(),
        };
        format!("{}\n{doc}", self.signature(repr))
    }

    /// `__dict__`
    pub fn attributes(&self) -> &Dict {
        self.holds.set(true);
        self.attributes.get_or_init(|| Rc::new(Shared::from(Entries::default())))
    }

    /// An attribute that the program has given it.
    pub fn own(&self, name: &str) -> Option<Value> {
        let key = crate::interp::value::Key::new(Value::str(name)).ok()?;
        self.attributes.get()?.borrow().get(&key).cloned()
    }

    /// `__doc__`
    pub fn doc(&self) -> Value {
        let written = || self.code.doc.as_ref().map_or(Value::None, Value::str);
        self.own("__doc__").unwrap_or_else(written)
    }

    /// Shows the values that it alone holds.
    pub fn visit(&self, look: &mut dyn FnMut(&Value)) {
        self.visit_values(look);
        visit_own(&self.captured, look);
    }

    /// Shows the values that it holds, but not what lies in variables around it.
    pub fn visit_values(&self, look: &mut dyn FnMut(&Value)) {
        self.defaults.iter().for_each(&mut *look);
        self.keyword_defaults.iter().flatten().for_each(&mut *look);
        self.annotations.iter().for_each(|(_, value)| look(value));
        if let Some(attributes) = self.attributes.get() {
            look(&Value::Dict(attributes.clone()));
        }
    }
}

/// Shows what variables hold that nobody shares.
pub fn visit_own(slots: &[Slot], look: &mut dyn FnMut(&Value)) {
    for slot in slots.iter().filter(|slot| Rc::strong_count(slot) == 1) {
        if let Some(contents) = slot.try_borrow() {
            contents.iter().for_each(&mut *look);
        }
    }
}

impl Drop for Closure {
    fn drop(&mut self) {
        if !self.defaults.is_empty() {
            let_go(std::mem::take(&mut self.defaults));
        }
        if !self.keyword_defaults.is_empty() {
            let_go(std::mem::take(&mut self.keyword_defaults));
        }
    }
}

impl fmt::Debug for Closure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<function {}>", &**self.code.qualified_name)
    }
}

/// A text of several lines without the indentation that all lines after the first have.
fn dedented(text: &str) -> String {
    let lines = text.trim().lines();
    let inner = lines.clone().skip(1).filter(|line| !line.trim().is_empty());
    let least = inner.map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let cut = lines.enumerate().map(|(at, line)| match at {
        0 => line,
        _ => line.get(least..).unwrap_or_default(),
    });
    cut.collect::<Vec<_>>().join("\n")
}
