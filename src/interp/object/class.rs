//! Classes: those that the program makes, and the built-in ones that they may be derived from.

use std::cell::{Cell, OnceCell, RefCell};
use std::fmt;
use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::function::Closure;
use crate::diag::{Fault, Source, Span};
use crate::interp::collect::{Container, Part};
use crate::interp::letting_go::let_go;
use crate::interp::shared::{Contents, Shared};
use crate::interp::undo::Journal;
use crate::interp::value::{Type, Value};
use crate::syntax::ast::Ident;

/// The names in a class, in the order of the text.
pub type Namespace = IndexMap<Ident, Value, FxBuildHasher>;

/// Under this name a class of the library says what errors call it.
const SPOKEN: &str = "__spoken_name__";

/// A class of the program.
pub struct Class {
    pub name: Ident,
    /// `Outer.Inner`
    pub qualified_name: Ident,
    /// What the program derived it from, `object` if nothing.
    pub bases: Vec<ClassRef>,
    /// All that it is derived from, in the order in which names are looked up behind its own.
    pub line: Vec<ClassRef>,
    /// The built-in type that its instances extend.
    pub native: Type,
    /// What a class of the library has in the place of a metaclass: its methods are those of the class
    /// itself and of what is derived from it.
    pub meta: Option<Rc<Class>>,
    namespace: Rc<Shared<Namespace>>,
    /// What errors call it, where that is not its name: a class of the library that is CPython's own there.
    spoken_name: Option<Box<str>>,
    /// Where the program defines it.
    place: OnceCell<(Rc<Source>, Span)>,
    /// Names that were looked up, while classes are as they were then.
    found: RefCell<FxHashMap<Ident, Known>>,
    found_at: Cell<u64>,
    /// The methods that operations asked for last.
    asked: RefCell<[Method; ASKED]>,
    /// How a call of it was found to make an object, and when.
    making: RefCell<(u64, Making)>,
}

/// How a call of a class makes an object.
#[derive(Clone, Default)]
enum Making {
    /// By what only a lookup tells.
    #[default]
    Otherwise,
    /// That is all it does.
    Bare,
    /// It calls this `__init__` then.
    Init(Rc<Closure>),
}

/// What a lookup came to.
enum Known {
    Nothing,
    Value(Value),
    /// Data, which may be exchanged while classes stay as they are: it stands in the class itself, or in the one
    /// so far down its line.
    In(usize),
}

/// A name by its place, when its method was looked for, and the function if it is one of the program's.
#[derive(Default)]
struct Method {
    name: usize,
    at: u64,
    function: Option<Rc<Closure>>,
}

/// As many methods are found without a look at their names.
const ASKED: usize = 8;

/// Whether a value has no say in how attributes are found.
fn is_plain(value: &Value) -> bool {
    use Value::{Bool, Complex, Dict, Float, Int, List, Set, Str, Tensor, Tuple};
    matches!(
        value,
        Bool(_)
            | Complex(_)
            | Dict(_)
            | Float(_)
            | Int(_)
            | List(_)
            | Set(_)
            | Str(_)
            | Tensor(_)
            | Tuple(_)
    )
}

/// A class: one of the program's, or a built-in type.
#[derive(Clone)]
pub enum ClassRef {
    Program(Rc<Class>),
    Native(Type),
}

impl Class {
    /// A class derived from `bases`.
    ///
    /// # Errors
    /// TypeError where the bases do not go together.
    pub fn new(
        name: Ident,
        qualified_name: Ident,
        bases: Vec<ClassRef>,
        mut namespace: Namespace,
        meta: Option<Rc<Class>>,
    ) -> Result<Rc<Class>, Fault> {
        let inherited = || bases.iter().find_map(|base| base.program()?.meta.clone());
        let meta = meta.or_else(inherited);
        let bases = if bases.is_empty() { vec![ClassRef::Native(Type::Object)] } else { bases };
        let native = native_of(&bases)?;
        let line = merged(&bases)?;
        let spoken_name = match namespace.shift_remove(SPOKEN) {
            Some(Value::Str(name)) => Some(name.to_string().into_boxed_str()),
            _ => None,
        };
        let namespace = Rc::new(Shared::from(namespace));
        let (found, found_at, making) = (RefCell::default(), Cell::new(0), RefCell::default());
        let asked = RefCell::default();
        Ok(Rc::new(Class {
            name,
            qualified_name,
            bases,
            line,
            native,
            meta,
            namespace,
            spoken_name,
            place: OnceCell::new(),
            found,
            found_at,
            asked,
            making,
        }))
    }

    /// The function of the program that an operation asks for; `None` also where something else has the name.
    #[inline]
    pub fn method(&self, name: &'static str, changes: u64) -> Option<Rc<Closure>> {
        let place = name.as_ptr() as usize;
        let mut asked = self.asked.borrow_mut();
        let known = &mut asked[place.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (usize::BITS - 3)];
        if (known.name, known.at) != (place, changes) {
            let function = match self.find(name, changes) {
                Some(Value::Closure(function)) => Some(function),
                _ => None,
            };
            *known = Method { name: place, at: changes, function };
        }
        known.function.clone()
    }

    /// What the program has put under a name, in this class or in one that it is derived from.
    /// `changes` counts the changes of all classes.
    pub fn find(&self, name: &str, changes: u64) -> Option<Value> {
        if self.found_at.replace(changes) != changes {
            self.found.borrow_mut().clear();
        }
        if let Some(known) = self.found.borrow().get(name) {
            return match known {
                Known::Nothing => None,
                Known::Value(value) => Some(value.clone()),
                Known::In(0) => self.own(name),
                Known::In(at) => self.line[at - 1].program()?.own(name),
            };
        }
        let own = self.own(name).map(|value| (0, value));
        let found = own.or_else(|| {
            let mut line = self.line.iter().zip(1..);
            line.find_map(|(class, at)| Some((at, class.program()?.own(name)?)))
        });
        let known = match &found {
            None => Known::Nothing,
            Some((at, value)) if is_plain(value) => Known::In(*at),
            Some((_, value)) => Known::Value(value.clone()),
        };
        self.found.borrow_mut().insert(name.into(), known);
        found.map(|(_, value)| value)
    }

    /// Whether its objects have a `__del__`. `changes` counts the changes of all classes.
    pub fn has_end(&self, changes: u64) -> bool {
        self.find("__del__", changes).is_some()
    }

    /// Its `__init__`, where a call of the class only makes an object and calls that. `changes` counts
    /// the changes of all classes.
    pub fn plain_init(&self, changes: u64) -> Option<Rc<Closure>> {
        match self.making(changes) {
            Making::Init(init) => Some(init),
            _ => None,
        }
    }

    /// Whether a call of the class without arguments makes an object and does nothing more. `changes` counts the
    /// changes of all classes.
    pub fn is_bare(&self, changes: u64) -> bool {
        matches!(self.making(changes), Making::Bare)
    }

    fn making(&self, changes: u64) -> Making {
        if let (at, known) = &*self.making.borrow()
            && *at == changes
        {
            return known.clone();
        }
        let making = self.find_making(changes);
        self.making.replace((changes, making.clone()));
        making
    }

    fn find_making(&self, changes: u64) -> Making {
        let is_plain = self.native == Type::Object && self.meta.is_none() && !self.has_end(changes);
        if !is_plain || self.find("__new__", changes).is_some() {
            return Making::Otherwise;
        }
        match self.find("__init__", changes) {
            Some(Value::Closure(init)) => Making::Init(init),
            None => Making::Bare,
            Some(_) => Making::Otherwise,
        }
    }

    /// Its `__new__`, where a call of the class does nothing but call that: of a tuple whose items have names.
    /// `changes` counts the changes of all classes.
    pub fn plain_new(&self, changes: u64) -> Option<Rc<Closure>> {
        let is_plain = self.native == Type::Tuple
            && self.meta.is_none()
            && self.find("__init__", changes).is_none();
        match self.find("__new__", changes).filter(|_| is_plain)? {
            Value::Closure(new) if makes_its_class(&new) => Some(new),
            _ => None,
        }
    }

    /// Its name as Python writes it, behind that of its module.
    pub fn qualified(&self) -> String {
        match self.own("__module__") {
            Some(Value::Str(module)) if *module == *"builtins" => self.qualified_name.to_string(),
            Some(Value::Str(module)) => format!("{module}.{}", self.qualified_name),
            _ => format!("__main__.{}", self.qualified_name),
        }
    }

    /// Where the program defines it.
    pub fn place(&self) -> Option<&(Rc<Source>, Span)> {
        self.place.get()
    }

    pub fn set_place(&self, source: &Rc<Source>, span: Span) {
        // A class is made once.
        let _ = self.place.set((source.clone(), span));
    }

    /// The names that it holds itself.
    pub fn names(&self) -> &Rc<Shared<Namespace>> {
        &self.namespace
    }

    /// What the class itself holds under a name.
    pub fn own(&self, name: &str) -> Option<Value> {
        self.namespace.borrow().get(name).cloned()
    }

    /// The names that the class itself holds, and what they hold.
    pub fn namespace(&self) -> Namespace {
        self.namespace.borrow().clone()
    }

    /// Puts something under a name. The session counts it as a change of classes.
    pub fn set(&self, journal: &Journal, name: Ident, value: Value) {
        self.forget_found();
        self.namespace.change(journal).insert(name, value);
    }

    /// Puts other data under a name that holds some, which changes nothing of what classes are; whether that was done.
    pub fn exchange(&self, journal: &Journal, name: &str, value: &Value) -> bool {
        let holds_plain = |names: &Namespace| names.get(name).is_some_and(is_plain);
        if name.starts_with("__") || !is_plain(value) || !holds_plain(&self.namespace.borrow()) {
            return false;
        }
        if let Some(place) = self.namespace.change(journal).get_mut(name) {
            *place = value.clone();
        }
        true
    }

    /// Takes a name out; whether it was there.
    pub fn remove(&self, journal: &Journal, name: &str) -> bool {
        self.forget_found();
        self.namespace.change(journal).shift_remove(name).is_some()
    }

    pub fn forget_found(&self) {
        self.found.borrow_mut().clear();
        self.asked.take();
        self.making.take();
    }

    /// The class, or what it is derived from.
    pub fn whole_line(self: &Rc<Self>) -> impl Iterator<Item = ClassRef> + '_ {
        std::iter::once(ClassRef::Program(self.clone())).chain(self.line.iter().cloned())
    }

    /// Shows the values that it holds.
    pub fn visit(&self, look: &mut dyn FnMut(&Value)) {
        if let Some(names) = self.namespace.try_borrow() {
            names.values().for_each(look);
        }
    }
}

impl Contents for Namespace {
    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        self.values().for_each(look);
    }

    fn bytes(&self) -> usize {
        self.len() * (size_of::<Value>() + size_of::<Ident>() + 2 * size_of::<usize>())
    }

    fn let_go(&mut self) {
        let_go(std::mem::take(self));
    }

    fn container(cell: &Rc<Shared<Self>>) -> Option<Container> {
        let part: Rc<dyn Part> = cell.clone();
        Some(Container::Part(Rc::downgrade(&part)))
    }
}

impl ClassRef {
    pub fn program(&self) -> Option<&Rc<Class>> {
        match self {
            ClassRef::Program(class) => Some(class),
            ClassRef::Native(_) => None,
        }
    }

    /// Where a class of the program lies; null for a built-in type.
    #[inline(always)]
    pub fn address(&self) -> *const Class {
        self.program().map_or(std::ptr::null(), Rc::as_ptr)
    }

    pub fn name(&self) -> &str {
        match self {
            ClassRef::Program(class) => &class.name,
            ClassRef::Native(of) => of.name(),
        }
    }

    /// With the functions and classes that it was written in.
    pub fn qualified_name(&self) -> &str {
        match self {
            ClassRef::Program(class) => &class.qualified_name,
            ClassRef::Native(of) => of.name(),
        }
    }

    /// What errors call it: CPython says the modules of classes that it has in C.
    pub fn spoken_name(&self) -> &str {
        match self {
            ClassRef::Program(class) => class.spoken_name.as_deref().unwrap_or(&class.name),
            ClassRef::Native(of) => of.spoken_name(),
        }
    }

    pub fn value(&self) -> Value {
        match self {
            ClassRef::Program(class) => Value::Class(class.clone()),
            ClassRef::Native(of) => Value::Type(*of),
        }
    }

    /// The built-in type that it is, or that it extends.
    pub fn native(&self) -> Type {
        match self {
            ClassRef::Program(class) => class.native,
            ClassRef::Native(of) => *of,
        }
    }

    /// Itself, and all that it is derived from.
    pub fn line(&self) -> Vec<ClassRef> {
        match self {
            ClassRef::Program(class) => class.whole_line().collect(),
            ClassRef::Native(of) => of.line().into_iter().map(ClassRef::Native).collect(),
        }
    }

    /// Whether an instance of it is one of `other`, too.
    pub fn is_a(&self, other: &ClassRef) -> bool {
        match (self, other) {
            (_, ClassRef::Native(Type::Object)) => true,
            (ClassRef::Native(of), ClassRef::Native(other)) => of.is_a(*other),
            (ClassRef::Native(_), ClassRef::Program(_)) => false,
            (ClassRef::Program(class), _) => self == other || class.line.contains(other),
        }
    }
}

impl PartialEq for ClassRef {
    fn eq(&self, other: &ClassRef) -> bool {
        match (self, other) {
            (ClassRef::Program(a), ClassRef::Program(b)) => Rc::ptr_eq(a, b),
            (ClassRef::Native(a), ClassRef::Native(b)) => a == b,
            _ => false,
        }
    }
}

impl fmt::Debug for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<class '{}'>", self.name)
    }
}

impl fmt::Debug for ClassRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<class '{}'>", self.name())
    }
}

/// The built-in type that the instances of a class with these bases extend.
fn native_of(bases: &[ClassRef]) -> Result<Type, Fault> {
    let mut native = Type::Object;
    for base in bases {
        let other = base.native();
        if native.is_a(other) {
            continue;
        }
        if !other.is_a(native) {
            let message = "multiple bases have instance lay-out conflict";
            let hint = format!(
                "a class extends one built-in type: `{}` or `{}`",
                native.name(),
                other.name()
            );
            return Err(Fault::type_error(message).with_hint(hint));
        }
        native = other;
    }
    match native.may_be_extended() {
        true => Ok(native),
        false => {
            let message = format!("type '{}' is not an acceptable base type", native.name());
            Err(Fault::type_error(message))
        }
    }
}

/// The order of lookup, as Python merges it (C3): a class comes in front of what it is derived from,
/// and bases keep their order.
fn merged(bases: &[ClassRef]) -> Result<Vec<ClassRef>, Fault> {
    let mut lines: Vec<Vec<ClassRef>> = bases.iter().map(ClassRef::line).collect();
    lines.push(bases.to_vec());
    let mut merged = Vec::new();
    loop {
        lines.retain(|line| !line.is_empty());
        if lines.is_empty() {
            return Ok(merged);
        }
        let is_free = |class: &ClassRef| !lines.iter().any(|line| line[1..].contains(class));
        let Some(next) = lines.iter().map(|line| &line[0]).find(|class| is_free(class)).cloned()
        else {
            let names: Vec<&str> = bases.iter().map(ClassRef::name).collect();
            return Err(Fault::type_error(format!(
                "Cannot create a consistent method resolution order (MRO) for bases {}",
                names.join(", ")
            )));
        };
        lines.iter_mut().for_each(|line| {
            if line[0] == next {
                line.remove(0);
            }
        });
        merged.push(next);
    }
}

/// Whether a function is the `__new__` that the library writes for a tuple whose items have names.
fn makes_its_class(new: &Closure) -> bool {
    let source = new.code.source.as_ref();
    source.is_some_and(|source| source.name.starts_with("<namedtuple "))
}
