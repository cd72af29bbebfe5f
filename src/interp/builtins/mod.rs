//! The registry: every function and method of the language, each with its signature, its words for
//! help, and its Rust function. A table is a `const` slice in the file of its family; `tables.rs`
//! joins them. The signature's text is the only place where a function's parameters stand: calls
//! are bound by it, help and completion show it.

mod allocator;
mod arguments;
mod arithmetic;
mod arity;
mod as_arrays;
mod bins;
mod broadcast;
mod buffers;
mod contexts;
mod convert;
mod create;
mod cuda;
mod disk;
mod edit;
mod factorise;
mod figure;
mod fills;
mod float_errors;
mod forms;
mod fourier;
mod gradient;
mod join;
mod linalg;
mod logic;
mod manager;
mod math;
mod memory;
mod nn;
mod options;
mod order;
mod out;
mod pad;
mod permission;
mod pick;
mod places;
mod pressure;
mod printing;
mod python;
mod random;
mod ranges;
mod reduce;
mod reform;
mod registry;
mod select;
mod shape;
mod signature;
mod standard;
mod stats;
mod streams;
mod tables;
mod topics;
mod types;
mod ufunc;

pub use arguments::Call;
pub(super) use memory::stats as memory_stats;
pub use python::{
    bytes_of_tensor, entries_of, float_of, float_to_int, go_together, help_text, parse_int, stopped,
};
pub use registry::Registry;
pub use signature::{Argument, Arguments, Bound, Parameter, ParameterKind, Signature};
pub(super) use standard::{ENVIRONMENT, OFFSET_OF_TIME, PARTS_OF_TIME};
pub use standard::{Twister, item_of};
pub(super) use standard::{alias_of, class_of_form, members_of, union_of};
pub use tables::library as library_tables;
pub use topics::{is_pure, topics};

use std::cell::OnceCell;
use std::fmt;

use super::Evaluator;
use super::value::{Module, Type, Value, Walker};
use crate::diag::Fault;

/// Every row: the library's, then Python's own.
pub fn all() -> impl Iterator<Item = &'static Builtin> {
    [tables::library(), tables::python(), tables::modules()]
        .into_iter()
        .flat_map(|tables| tables.iter().flat_map(|table| table.iter()))
}

/// What a function does, given its bound arguments.
pub type Run = fn(&mut Call<'_>) -> Result<Value, Fault>;

/// What a function does with plain values, one behind the other as they were given; the answer goes into the
/// last place. Nothing where it needs to look closer, and then nothing has happened.
pub type Quick = fn(Evaluator<'_>, &[Value], &mut Value) -> Option<()>;

/// The same of a function that changes its first argument; true at the end where nothing in the statement can
/// fail afterwards.
pub type QuickChange = fn(Evaluator<'_>, &[Value], &mut Value, bool) -> Option<()>;

/// One row of the registry.
#[derive(Clone, Copy)]
pub struct Builtin {
    /// From the signature. A dot makes it an attribute of another function: `add.at`.
    pub name: &'static str,
    /// Other names for the same function.
    pub aliases: &'static [&'static str],
    pub homes: Homes,
    /// `sum(x, axis=None, keepdims=False)`
    pub signature: &'static str,
    /// One to three lines: what it gives, shapes, errors.
    pub doc: &'static str,
    /// A program whose last line's value help shows.
    pub example: &'static str,
    /// The parameter that its errors are about where nobody says another, or "".
    pub about: &'static str,
    /// The type that has it as a method too; the receiver is the first argument.
    pub method_of: Option<Type>,
    /// Whether tensors also have it with a trailing `_`, which stores the result in the receiver.
    pub in_place: bool,
    pub run: Run,
    /// Whether the machine answers that calls it, which knows what is being handled.
    pub asks_machine: bool,
    /// Whether it only does what no transaction takes back: it waits, or steers an allocator. While a
    /// statement is explained it does nothing and gives None.
    pub acts: bool,
    /// Whether objects of classes that extend a built-in type are given to it as they are, for it to ask them; other
    /// functions see what they extend.
    pub asks_objects: bool,
    /// A way around binding arguments, for what loops call.
    pub quick: Option<Quick>,
    pub quick_change: Option<QuickChange>,
}

/// The namespaces in which a function is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Homes(u128);

/// A registered function: a row, and how it was found.
pub struct Function {
    pub builtin: &'static Builtin,
    /// The name under which this one is registered: the row's, an alias, or `exp_`.
    pub name: String,
    /// Whether it stores its result in its first argument.
    pub in_place: bool,
    /// The library's function of the same name, which a Python builtin such as `sum` leaves
    /// tensors to.
    pub for_tensors: Option<std::rc::Rc<Function>>,
    signature: OnceCell<Signature>,
}

impl Builtin {
    /// A function of the library: a bare name, and one in `np`, `torch` and `genesis`.
    pub const fn new(signature: &'static str, run: Run) -> Builtin {
        Builtin {
            name: name_of(signature),
            aliases: &[],
            homes: Homes::LIBRARY,
            signature,
            doc: "",
            example: "",
            method_of: None,
            in_place: false,
            run,
            asks_machine: false,
            about: "",
            acts: false,
            asks_objects: false,
            quick: None,
            quick_change: None,
        }
    }

    /// For what only acts on the world: see [`Builtin::acts`].
    pub const fn acts(self) -> Builtin {
        Builtin { acts: true, ..self }
    }

    /// For what goes through its arguments as loops do: see [`Builtin::asks_objects`].
    pub const fn asks_objects(self) -> Builtin {
        Builtin { asks_objects: true, ..self }
    }

    /// With a way around binding arguments.
    pub const fn quick(self, quick: Quick) -> Builtin {
        Builtin { quick: Some(quick), ..self }
    }

    /// With such a way, which changes its first argument.
    pub const fn quick_change(self, quick: QuickChange) -> Builtin {
        Builtin { quick_change: Some(quick), ..self }
    }

    /// A function without a name in the language: texts of the library call it.
    pub const fn hidden(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
        Builtin::new(signature, run).homes(Homes::NONE).doc(doc)
    }

    pub const fn doc(self, doc: &'static str) -> Builtin {
        Builtin { doc, ..self }
    }

    pub const fn example(self, example: &'static str) -> Builtin {
        Builtin { example, ..self }
    }

    pub const fn aliases(self, aliases: &'static [&'static str]) -> Builtin {
        Builtin { aliases, ..self }
    }

    /// Errors that say no place are about this parameter.
    pub const fn about(self, parameter: &'static str) -> Builtin {
        Builtin { about: parameter, ..self }
    }

    /// Found in these namespaces instead of the library's.
    pub const fn homes(self, homes: Homes) -> Builtin {
        Builtin { homes, ..self }
    }

    /// Whether it is one of the functions that NumPy calls ufuncs, which have methods of their own.
    pub fn is_elementwise(&self) -> bool {
        let tables = [
            math::OPERATIONS,
            math::COMPOSITIONS,
            math::TESTS,
            arithmetic::OPERATIONS,
            arithmetic::COMPOSITIONS,
            arithmetic::OTHERS,
            logic::COMPARISONS,
            logic::LOGIC,
        ];
        let rows = tables.into_iter().flatten();
        let is_row = rows.map(|row| row.signature).any(|signature| signature == self.signature);
        is_row && self.signature.contains("out=None")
    }

    /// Whether it has the attributes of NumPy's ufuncs, as those of rows and of two results have them, too.
    pub fn is_ufunc(&self) -> bool {
        const OTHERS: [&str; 6] = ["divmod", "frexp", "modf", "matmul", "matvec", "vecdot"];
        self.is_elementwise() || OTHERS.contains(&self.name)
    }

    /// Whether it is NumPy's or PyTorch's, or a method of tensors, and none of Python's.
    pub fn is_of_arrays(&self) -> bool {
        match self.method_of {
            Some(of) => of == Type::Tensor,
            None => {
                let made_by = Homes::CONSTRUCTOR.and(Homes::CLASS);
                let of_python = Homes::PYTHON.and(Homes::STANDARD).and(made_by);
                self.homes != Homes::NONE && !self.homes.holds(of_python)
            }
        }
    }

    /// Also a method of tensors.
    pub const fn method(self) -> Builtin {
        self.method_of(Type::Tensor)
    }

    /// A method of tensors, and no function.
    pub const fn only_method(self) -> Builtin {
        self.method_of(Type::Tensor).homes(Homes::NONE)
    }

    pub const fn method_of(self, receiver: Type) -> Builtin {
        Builtin { method_of: Some(receiver), ..self }
    }

    /// Also a method of tensors with a trailing `_`, which stores the result in its receiver and
    /// returns it.
    pub const fn in_place(self) -> Builtin {
        Builtin { in_place: true, ..self }
    }
}

const fn name_of(signature: &'static str) -> &'static str {
    let bytes = signature.as_bytes();
    let mut end = 0;
    while end < bytes.len() && bytes[end] != b'(' {
        end += 1;
    }
    signature.split_at(end).0
}

impl Homes {
    /// Nowhere: methods.
    pub const NONE: Homes = Homes(0);
    /// Python's builtins: bare names only.
    pub const PYTHON: Homes = Homes(1);
    /// Bare names, and `np`, `torch`, `genesis`.
    pub const LIBRARY: Homes = Homes(2);
    /// `np.…` and `torch.…`, but no bare name.
    pub const QUALIFIED: Homes = Homes(4);
    pub const LINALG: Homes = Homes(8);
    pub const RANDOM: Homes = Homes(16);
    pub const CUDA: Homes = Homes(32);
    pub const NN: Homes = Homes(64);
    pub const FUNCTIONAL: Homes = Homes(128);
    pub const TIME: Homes = Homes::of(Module::Time);
    pub const WARNINGS: Homes = Homes::of(Module::Warnings);
    pub const DATACLASSES: Homes = Homes::of(Module::Dataclasses);
    /// What PyTorch means by a name of the library.
    pub const TORCH: Homes = Homes(2048);
    /// A function of a type, which gets no receiver: `dict.fromkeys`.
    pub const STATIC: Homes = Homes(4096);
    /// What calling a type of a module does: `deque()`.
    pub const CLASS: Homes = Homes(8192);
    /// What calling a type does: `int("3")`.
    pub const CONSTRUCTOR: Homes = Homes(512);

    /// The modules of Python's library.
    pub const STANDARD: Homes = Homes(u128::MAX << 16);

    pub const fn and(self, other: Homes) -> Homes {
        Homes(self.0 | other.0)
    }

    pub const fn holds(self, other: Homes) -> bool {
        self.0 & other.0 != 0
    }

    /// The names that a module holds.
    pub const fn of(module: Module) -> Homes {
        match module {
            Module::Numpy | Module::Genesis => Homes::LIBRARY.and(Homes::QUALIFIED),
            Module::Torch => Homes::LIBRARY.and(Homes::QUALIFIED).and(Homes::TORCH),
            Module::Linalg => Homes::LINALG,
            Module::Random => Homes::RANDOM,
            Module::Cuda => Homes::CUDA,
            Module::Nn => Homes::NN,
            Module::Functional => Homes::FUNCTIONAL,
            Module::Builtins => Homes::PYTHON,
            // Written in the language, all of them.
            Module::Blocks
            | Module::Ndarray
            | Module::NumpyLib
            | Module::StrideTricks
            | Module::Emath
            | Module::Polynomial
            | Module::Testing
            | Module::Exceptions
            | Module::PowerSeries
            | Module::ChebyshevSeries
            | Module::HermiteSeries
            | Module::HermiteESeries
            | Module::LaguerreSeries
            | Module::LegendreSeries
            | Module::Matplotlib
            | Module::Ipython
            | Module::IpythonDisplay
            | Module::Pyplot
            | Module::Safetensors => Homes::NONE,
            // Those of Python's library have a home each.
            _ => Homes(1 << (16 + module as u128)),
        }
    }
}

impl Function {
    pub fn signature(&self) -> &Signature {
        self.signature.get_or_init(|| Signature::parse(self.builtin.signature))
    }
}

impl Function {
    /// What is wrong with the receiver of a method that is called as a function of its type.
    #[inline]
    pub fn wrong_receiver(&self, arguments: &[Argument]) -> Option<Fault> {
        self.builtin.method_of?;
        let first = arguments.first().filter(|first| first.name.is_none())?;
        self.refusal_of(&first.value)
    }

    /// What is wrong with a value as its receiver.
    pub fn refusal_of(&self, receiver: &Value) -> Option<Fault> {
        arity::wrong_receiver(self, receiver)
    }

    /// Whether it takes an object in front of its arguments where it stands in the object's class: `list.append`.
    pub fn is_method(&self) -> bool {
        let row = self.builtin;
        let is_only_method = row.homes == Homes::NONE && row.name != "__new__";
        is_only_method && row.method_of.is_some_and(|of| of != Type::Tensor)
    }

    /// As Python writes it; NumPy's with what they take.
    pub fn shown(&self) -> String {
        let (builtin, name) = (self.builtin, self.builtin.name);
        match (builtin.method_of, self.walker()) {
            (Some(of), _) => format!("<method '{name}' of '{}' objects>", of.name()),
            (_, Some(walker)) => format!("<class '{}'>", Type::Iterator(walker).full_name()),
            _ if builtin.homes.holds(Homes::PYTHON.and(Homes::STANDARD)) => {
                format!("<built-in function {name}>")
            }
            _ => format!("<function {}>", builtin.signature),
        }
    }

    /// The type of iterators that it makes, which is a class in Python: `zip`, `itertools.count`.
    pub fn walker(&self) -> Option<Walker> {
        let (homes, name) = (self.builtin.homes, self.builtin.name);
        let walker = match homes.holds(Homes::of(Module::Itertools)) {
            true => Walker::of(&format!("itertools.{name}")),
            false if homes.holds(Homes::PYTHON) => Walker::of(name),
            false => Walker::OTHER,
        };
        (walker != Walker::OTHER).then_some(walker)
    }

    /// Whether both are the same function, under whatever names.
    pub fn is_same(&self, other: &Function) -> bool {
        std::ptr::eq(self.builtin, other.builtin) && self.in_place == other.in_place
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<function {}>", self.name)
    }
}

impl fmt::Debug for Builtin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.signature)
    }
}
