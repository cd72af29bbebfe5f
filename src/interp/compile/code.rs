//! What the compiler makes of a function, or of a statement of the cell.

use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::rc::{Rc, Weak};

use smallvec::SmallVec;

use super::lookup::Lookup;
use super::op::{Op, Reg};
use crate::diag::{Diagnostic, Source, Span, Spanned};
use crate::interp::shared::Slot;
use crate::interp::value::{Module, Value};
use crate::syntax::ast::{Ident, ImportName};

/// Operations, and the tables beside them.
#[derive(Default)]
pub struct Code {
    pub name: Name,
    /// `outer.<locals>.inner`
    pub qualified_name: Name,
    pub ops: Vec<Op>,
    /// Where each operation stands.
    pub spans: Vec<Span>,
    pub constants: Vec<Value>,
    /// Attributes.
    pub names: Vec<Spanned<Ident>>,
    /// For each of them what was found last.
    pub lookups: Vec<Lookup>,
    pub globals: Vec<Global>,
    pub functions: Vec<Rc<Prototype>>,
    pub sites: Vec<CallSite>,
    pub places: Vec<Places>,
    pub stars: Vec<Star>,
    pub imports: Vec<Import>,
    pub failures: Vec<Diagnostic>,
    /// What the variables and constants behind the arguments hold when a call begins.
    pub template: Vec<Value>,
    /// How many registers a call has.
    pub registers: usize,
    /// Behind how many the first variable stands that is no parameter.
    pub first_variable: usize,
    /// The names of the first registers.
    pub locals: Vec<Local>,
    /// Registers from here on are temporaries.
    pub first_temporary: Reg,
    pub parameters: Parameters,
    /// The variables that functions inside share.
    pub cells: Vec<Local>,
    /// Parameters among them.
    pub cell_parameters: Vec<(Reg, u16)>,
    /// The names of variables of functions around.
    pub free: Vec<Ident>,
    pub handlers: Vec<Handler>,
    /// Where exceptions are handled, the innermost place first.
    pub handling: Vec<Handling>,
    pub kind: Kind,
    pub is_generator: bool,
    /// Whether a StopIteration of its own becomes a RuntimeError: it is a generator, or stands for one.
    pub stops_inside: bool,
    /// Whether its arguments are its first registers as they are given, by position: all parameters
    /// are positional, and a call runs at once.
    pub is_plain: bool,
    /// One more than the arguments that such a function takes without defaults; zero where it is none, or has
    /// variables that functions inside share.
    pub exact: u16,
    pub doc: Option<Rc<str>>,
    /// The module of the library that it is a part of; none for what the program defines.
    pub module: Option<Module>,
    /// Held, so that errors find their lines.
    pub source: Option<Rc<Source>>,
    /// Where the function's name stands, or all of a class or a statement.
    pub span: Span,
    /// All of the function.
    pub whole: Span,
}

/// A name; nothing by default.
#[derive(Debug, Clone, PartialEq)]
pub struct Name(pub Ident);

impl Default for Name {
    fn default() -> Self {
        Name("".into())
    }
}

impl std::ops::Deref for Name {
    type Target = Ident;

    fn deref(&self) -> &Ident {
        &self.0
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// A statement of a cell.
    #[default]
    Cell,
    Function,
    /// The body of a class.
    Class,
}

/// A variable of the frame.
#[derive(Debug, Clone)]
pub struct Local {
    pub name: Ident,
    /// Where it is given a value first.
    pub first: Span,
}

/// A variable of the session, or what is built in under its name.
#[derive(Debug)]
pub struct Global {
    pub name: Ident,
    pub slot: Slot,
    pub built_in: Option<Value>,
    /// Where a text of the library binds the name, once it has been found there.
    pub written: OnceCell<Slot>,
}

/// Which registers arguments go to. The first ones are the positional parameters, then those that
/// only have a name, then what `*` and `**` take.
#[derive(Debug, Clone, Default)]
pub struct Parameters {
    pub positional_only: usize,
    /// With those before the slash.
    pub positional: usize,
    pub keyword_only: usize,
    pub star: Option<Reg>,
    pub double_star: Option<Reg>,
    pub names: Vec<Ident>,
}

impl Parameters {
    /// How many registers they take.
    pub fn count(&self) -> usize {
        self.positional
            + self.keyword_only
            + usize::from(self.star.is_some())
            + usize::from(self.double_star.is_some())
    }
}

/// A `def` or a `lambda`, before it meets its defaults and the variables around.
#[derive(Debug)]
pub struct Prototype {
    pub code: Rc<Code>,
    /// How many of the positional parameters have a default.
    pub defaults: usize,
    /// Which of the others have one.
    pub keyword_defaults: Vec<bool>,
    /// What is annotated; `return` for what is returned.
    pub annotations: Vec<Ident>,
    pub captures: Vec<Capture>,
}

/// A variable that a function takes with it.
#[derive(Debug, Clone, Copy)]
pub enum Capture {
    Cell(u16),
    Free(u16),
}

/// What stands in a call.
#[derive(Debug)]
pub struct CallSite {
    pub callee: Span,
    /// What stands before the dot of a method.
    pub receiver: Span,
    pub arguments: Vec<ArgumentAt>,
    /// Whether all are positional, without stars.
    pub is_plain: bool,
    /// One more than those; a number that no [`Code::exact`] is, nor with a receiver, where it is not so.
    pub exact: u16,
    pub is_last: bool,
    /// The register of a receiver that may stay there up to the call, and the number of the method's name.
    pub there: Option<(Reg, u16)>,
    /// Where the arguments went last.
    pub placed: RefCell<Option<Rc<Placed>>>,
}

/// Where the arguments of a call go in a function's code.
#[derive(Debug)]
pub struct Placed {
    pub code: Weak<Code>,
    /// How many values stand before the call's own arguments.
    pub given: usize,
    /// The parameter of each value.
    pub places: SmallVec<[Reg; 8]>,
    /// The parameters that hold their defaults.
    pub missing: SmallVec<[Reg; 8]>,
}

impl CallSite {
    pub fn new(
        (callee, receiver): (Span, Span),
        arguments: Vec<ArgumentAt>,
        is_last: bool,
    ) -> CallSite {
        let is_positional = |argument: &ArgumentAt| argument.kind == ArgumentKind::Positional;
        let is_plain = arguments.iter().all(is_positional);
        let exact = if is_plain { exact(arguments.len()) } else { None };
        let exact = exact.unwrap_or(u16::MAX - 1);
        let placed = RefCell::default();
        CallSite { callee, receiver, arguments, is_plain, exact, is_last, there: None, placed }
    }
}

/// One more than a count of arguments, where it is a usual one.
pub fn exact(count: usize) -> Option<u16> {
    u16::try_from(count + 1).ok().filter(|exact| *exact < u16::MAX / 2)
}

#[derive(Debug)]
pub struct ArgumentAt {
    pub kind: ArgumentKind,
    pub span: Span,
}

#[derive(Debug, PartialEq)]
pub enum ArgumentKind {
    Positional,
    Star,
    Keyword(Ident, Span),
    DoubleStar,
}

/// Where the parts of an index stand.
#[derive(Debug)]
pub struct Places {
    pub whole: Span,
    /// Of a tuple's items, where each is one.
    pub parts: Vec<Span>,
    /// Of the start, the stop and the step of each part that is a slice.
    pub slices: Vec<[Span; 3]>,
    /// Where the value that is stored stands.
    pub from: Span,
}

#[derive(Debug)]
pub struct Star {
    pub count: u16,
    pub at: u16,
}

#[derive(Debug)]
pub enum Import {
    Module(ImportName),
    From { module: Spanned<Ident>, name: ImportName },
    All { module: Spanned<Ident> },
}

/// What goes on at `target` where an operation from `from` up to `to` fails.
#[derive(Debug, Clone, Copy)]
pub struct Handler {
    pub from: u32,
    pub to: u32,
    pub target: u32,
    /// Takes the exception.
    pub error: Reg,
    /// Whether it may leave it to others: what was done before the error stands only where one takes it.
    pub may_decline: bool,
}

impl Handler {
    /// Whether it stands around the operation at `pc`.
    pub fn covers(&self, pc: usize) -> bool {
        (self.from..self.to).contains(&(pc as u32))
    }
}

/// Between `from` and `to` an exception is handled, if the register holds one.
#[derive(Debug, Clone, Copy)]
pub struct Handling {
    pub from: u32,
    pub to: u32,
    pub error: Reg,
}

impl Code {
    pub fn span_at(&self, pc: usize) -> Span {
        self.spans.get(pc).copied().unwrap_or_default()
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<code {}>", &**self.name)
    }
}
