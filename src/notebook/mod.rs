//! The language in Rust notebooks (evcxr), and in any other Rust program.
//!
//! ```
//! use genesis_repl::{gx, notebook};
//!
//! let mut g = notebook::start();
//! g.set("w", vec![1.0f32, 2.0, 3.0])?;
//! g.run("x = w * 2");
//! let sum: f64 = gx!(g, x.sum()).get()?;
//! let x: Vec<f32> = g.get("x")?;
//! assert_eq!((sum, x), (12.0, vec![2.0, 4.0, 6.0]));
//! # Ok::<(), notebook::Failure>(())
//! ```
//!
//! What is shown at a cell's end says so itself (`evcxr_display`): as text, and as a page.

mod failure;
mod output;
mod tensor;

pub use failure::Failure;
pub use output::Output;

/// Half precision, as tensors hold it.
pub use half::{bf16, f16};

/// The crate whose arrays tensors become.
#[cfg(feature = "ndarray")]
pub use crate::session::host::ndarray;

pub use crate::dtype::DType;
pub use crate::session::Config;
pub use crate::session::host::{Callable, Element, FromRows, FromValue, IntoValue, Tensor, ToRows};

/// What the session and its outputs are made of.
pub use crate::report::{Chart, Report};
pub use crate::session::{Session, Value};

use std::fmt;
use std::io::Write;

use crate::diag::Fault;
use crate::session::Sink;

/// Runs tokens of Rust as a program: `gx!(g, x[x > 2].mean())`.
///
/// Rust reads the tokens before this macro sees them, and complains of what it has no word for:
///
/// | the program has | Rust says | write |
/// | --- | --- | --- |
/// | `'text'` | "character literal may only contain one codepoint" | `"text"` |
/// | `f"{x}"` | "prefix `f` is unknown" | a string |
/// | `x // 2`, `# …` | "unclosed delimiter", "expected `[`", for `//` begins a comment | a string, or `floor_divide(x, 2)` |
/// | lines without `;` | nothing: they become one line | `;` between statements, or a string |
///
/// A string takes every program as it is: `g.run(r#"print(f"{x // 2}")"#)`.
#[macro_export]
macro_rules! gx {
    ($session:expr, $($program:tt)*) => {
        $session.run(::core::stringify!($($program)*))
    };
}

/// Opens a session as the environment says (`GENESIS_DEVICE` and the others). What the environment
/// says wrong is the error of everything that is run.
pub fn start() -> Genesis {
    let config = Config::default().with_process_environment();
    let session = config.and_then(open).map_err(Failure::from);
    Genesis { session }
}

/// Opens a session with choices of one's own: `notebook::with(Config::default().with_simulated(…)?)`.
///
/// # Errors
/// A device that is not there.
pub fn with(config: Config) -> Result<Genesis, Failure> {
    Ok(Genesis { session: Ok(open(config)?) })
}

fn open(config: Config) -> Result<Session, Fault> {
    Session::new(Config { pictures: true, ..config })
}

/// A running session. Everything lives in it: one variable of a notebook keeps all others.
pub struct Genesis {
    session: Result<Session, Failure>,
}

impl Genesis {
    /// Runs a cell of the language: statements, `:commands`, `name?`. What `print` writes appears at
    /// once; results, reports and the error are the output's, which shows them at a cell's end.
    pub fn run(&mut self, program: &str) -> Output {
        let session = match &mut self.session {
            Ok(session) => session,
            Err(failure) => return Output::failed(failure.clone()),
        };
        let mut output = Output::default();
        let mut outcome = session.run(program, &mut output);
        output.end_line();
        if let Some(report) = session.show(&mut outcome) {
            output.push(report);
        }
        match &outcome.error {
            Some(error) => output.fail(Failure::new(error, &outcome.sources)),
            None => output.keep(session, outcome.value.as_ref().unwrap_or(&Value::None)),
        }
        output
    }

    /// A variable as a value of Rust: numbers, `String`, [`Tensor`], vectors nested as deep as the
    /// tensor has axes, arrays of ndarray's.
    ///
    /// # Errors
    /// No such name, or its value is no such thing.
    pub fn get<T: FromValue>(&self, name: &str) -> Result<T, Failure> {
        Ok(self.session()?.get(name)?)
    }

    /// Binds a name to a value of Rust: the same, slices, fixed arrays, and references to them.
    ///
    /// # Errors
    /// What is no name; rows of different lengths; no memory.
    pub fn set(&mut self, name: &str, value: impl IntoValue) -> Result<(), Failure> {
        let session = self.session_mut()?;
        session.settle(&mut Aside)?;
        Ok(session.set(name, value)?)
    }

    /// Makes a closure a function of the language: `g.register("half", |x: f64| x / 2.0)`.
    ///
    /// # Errors
    /// What is no name.
    pub fn register<A, F: Callable<A>>(&mut self, name: &str, closure: F) -> Result<(), Failure> {
        Ok(self.session_mut()?.register(name, closure)?)
    }

    /// The memory, as `:mem` shows it.
    pub fn memory(&self) -> Output {
        match self.session() {
            Ok(session) => Output::of(session.memory_report()),
            Err(failure) => Output::failed(failure),
        }
    }

    /// The session itself.
    ///
    /// # Errors
    /// Why there is none.
    pub fn session(&self) -> Result<&Session, Failure> {
        self.session.as_ref().map_err(Failure::clone)
    }

    fn session_mut(&mut self) -> Result<&mut Session, Failure> {
        self.session.as_mut().map_err(|failure| failure.clone())
    }

    /// Which device it computes on.
    pub fn evcxr_display(&self) {
        match self.session() {
            Ok(session) => Report::Text(session.banner()).evcxr_display(),
            Err(failure) => failure.evcxr_display(),
        }
    }
}

impl fmt::Debug for Genesis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.session {
            Ok(session) => f.write_str(&session.banner().to_plain()),
            Err(failure) => failure.fmt(f),
        }
    }
}

/// What a session says while nothing is run.
struct Aside;

impl Sink for Aside {
    fn text(&mut self, _: &str) {}

    fn report(&mut self, report: &Report) {
        // Where nobody reads, there is nobody to tell.
        let _ = writeln!(std::io::stderr().lock(), "{}", report.to_plain());
    }
}

#[cfg(test)]
mod tests;
