//! Floating-point errors that somebody wants to hear of. No device tells of the exceptions of IEEE 754, so what
//! an operation met is found from its operands and its results, at once and with a pass over both: nothing of
//! it runs as long as all of them are ignored.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::node::Origin;
use super::{BinaryOp, CompareOp, Engine, Error, Reduction, ScanOp, Tensor, UnaryOp};
use crate::diag::ErrorKind;
use crate::dtype::{DType, Scalar};
use crate::ir::{MapOp, Pole};

/// What IEEE 754 calls an exception.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FloatError {
    /// An infinite result of finite operands that is exact.
    Divide,
    /// An infinite result of finite operands that is not.
    Over,
    /// A result below the least normal number, which has lost digits.
    Under,
    /// A NaN of operands that are none.
    Invalid,
}

impl FloatError {
    pub const ALL: [FloatError; 4] =
        [FloatError::Divide, FloatError::Over, FloatError::Under, FloatError::Invalid];

    /// NumPy's name.
    pub const fn name(self) -> &'static str {
        match self {
            FloatError::Divide => "divide",
            FloatError::Over => "over",
            FloatError::Under => "under",
            FloatError::Invalid => "invalid",
        }
    }

    const fn words(self) -> &'static str {
        match self {
            FloatError::Divide => "divide by zero",
            FloatError::Over => "overflow",
            FloatError::Under => "underflow",
            FloatError::Invalid => "invalid value",
        }
    }
}

/// What is done about an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FloatWay {
    #[default]
    Ignore,
    /// It is kept until somebody takes it.
    Tell,
    Raise,
}

/// An error that somebody wanted to hear of.
#[derive(Debug, Clone)]
pub struct HeardError {
    pub error: FloatError,
    /// `divide by zero encountered in log`
    pub words: String,
    pub origin: Origin,
}

/// Of one engine: what is done about each, in the order of [`FloatError::ALL`], and what was heard of.
#[derive(Debug, Default)]
pub(super) struct FloatErrors {
    ways: Rc<Cell<[FloatWay; 4]>>,
    /// What an operation is called that is under way, where that is not its ufunc's name.
    called: Cell<Option<Called>>,
    heard: RefCell<Vec<HeardError>>,
}

impl FloatErrors {
    /// Whether any is not ignored.
    #[inline]
    pub fn matter(&self) -> bool {
        self.ways.get() != [FloatWay::Ignore; 4]
    }
}

/// What an operation is called in errors.
#[derive(Debug, Clone, Copy)]
pub struct Called {
    pub name: &'static str,
    /// Whether scalars take part and no array: then integers that wrap are errors, too.
    pub is_scalar: bool,
}

/// Which elements of its operands a result is made of.
#[derive(Clone, Copy)]
pub(super) enum Along<'a> {
    /// Those beside it.
    Elements,
    /// A row along these axes, which the result has with length one.
    Axes(&'a [u8]),
    /// Those that do not stand behind it along an axis.
    Before(usize),
    /// Any.
    All,
}

/// An operation whose errors are looked for.
#[derive(Clone, Copy)]
pub(super) struct Suspect<'a> {
    /// NumPy's name of it.
    pub ufunc: &'static str,
    pub operands: &'a [&'a Tensor],
    pub along: Along<'a>,
    pub pole: Pole,
    /// Whether a result may be too small for its type.
    pub can_vanish: bool,
}

impl<'a> Suspect<'a> {
    /// An operation without poles, whose results do not become too small.
    pub fn plain(ufunc: &'static str, operands: &'a [&'a Tensor], along: Along<'a>) -> Suspect<'a> {
        Suspect { ufunc, operands, along, pole: Pole::None, can_vanish: false }
    }

    pub fn of_map(op: MapOp, operands: &'a [&'a Tensor]) -> Option<Suspect<'a>> {
        let (ufunc, pole, can_vanish) = match op {
            MapOp::Unary(op) => (op.row().ufunc, op.row().pole, op.row().can_vanish),
            MapOp::Binary(op) => (op.row().ufunc, op.row().pole, op.row().can_vanish),
            MapOp::Cast => ("cast", Pole::None, false),
            _ => return None,
        };
        Some(Suspect { ufunc, operands, along: Along::Elements, pole, can_vanish })
    }
}

impl Engine {
    /// What is done about each of [`FloatError::ALL`].
    pub fn float_ways(&self) -> Rc<Cell<[FloatWay; 4]>> {
        self.float_errors.ways.clone()
    }

    /// What was heard of since it was last asked.
    pub fn take_float_errors(&self) -> Vec<HeardError> {
        match self.float_errors.matter() {
            true => self.float_errors.heard.take(),
            false => Vec::new(),
        }
    }

    /// Whether anybody wants to hear of floating-point errors.
    #[inline]
    pub fn hears_float_errors(&self) -> bool {
        self.float_errors.matter()
    }

    /// Does what is called so in the errors that it meets.
    pub fn called<T>(&self, called: Option<Called>, run: impl FnOnce() -> T) -> T {
        let before = self.float_errors.called.replace(called);
        let done = run();
        self.float_errors.called.set(before);
        done
    }

    /// Does something of several operations whose errors are nobody's.
    pub fn unheard<T>(&self, run: impl FnOnce() -> T) -> T {
        let ways = self.float_errors.ways.take();
        let done = run();
        self.float_errors.ways.set(ways);
        done
    }

    /// The same of operations that are one for whoever hears of errors, by NumPy's name.
    ///
    /// # Errors
    /// FloatingPointError for what is raised, and what computing brings up.
    pub fn heard_as(
        &self,
        ufunc: &'static str,
        operands: &[&Tensor],
        run: impl FnOnce() -> Result<Tensor, Error>,
    ) -> Result<Tensor, Error> {
        let made = self.unheard(run)?;
        self.hear(&made, || Some(Suspect::plain(ufunc, operands, Along::Elements)))?;
        Ok(made)
    }

    /// Looks for numbers that are finite and not in the type that they become.
    ///
    /// # Errors
    /// FloatingPointError where that is raised.
    #[inline]
    pub fn hear_narrowed(&self, numbers: &[Scalar], dtype: DType) -> Result<(), Error> {
        match self.float_errors.matter() {
            true => self.hear_of_narrowed(numbers, dtype),
            false => Ok(()),
        }
    }

    #[cold]
    fn hear_of_narrowed(&self, numbers: &[Scalar], dtype: DType) -> Result<(), Error> {
        let Some(format) = dtype.part().format() else { return Ok(()) };
        // From the middle between the largest number and the next one on.
        let step = 2f64.powi(format.max.log2().floor() as i32 - format.fraction);
        let is_beyond = |x: f64| x.is_finite() && x.abs() >= format.max + step / 2.0;
        let is_narrowed = |number: &Scalar| match number {
            Scalar::Complex(number) => is_beyond(number.re) || is_beyond(number.im),
            number => is_beyond(number.as_f64()),
        };
        // NumPy converts one after the other, and says so of each.
        numbers.iter().filter(|number| is_narrowed(number)).try_for_each(|_| {
            self.report(FloatError::Over, "overflow encountered in cast".to_owned())
        })
    }

    /// Does about an error what somebody wants.
    fn report(&self, error: FloatError, words: String) -> Result<(), Error> {
        let place = FloatError::ALL.iter().position(|known| *known == error).unwrap_or_default();
        match self.float_errors.ways.get()[place] {
            FloatWay::Ignore => {}
            FloatWay::Raise => return Err(Error::new(ErrorKind::FloatingPoint, words)),
            FloatWay::Tell => {
                let (origin, mut heard) = (self.origin.get(), self.float_errors.heard.borrow_mut());
                // Two operations that are called the same are one for whoever hears of them.
                let is_new = heard.iter().all(|known| known.words != words);
                if is_new || self.float_errors.called.get().is_none() {
                    heard.push(HeardError { error, words, origin });
                }
            }
        }
        Ok(())
    }

    /// Looks for errors of an operation that gave `result`, where any matter.
    ///
    /// # Errors
    /// FloatingPointError for what is raised, and what computing brings up.
    #[inline]
    pub(super) fn hear<'a>(
        &self,
        result: &Tensor,
        suspect: impl FnOnce() -> Option<Suspect<'a>>,
    ) -> Result<(), Error> {
        match self.float_errors.matter() {
            true => suspect().map_or(Ok(()), |suspect| self.hear_of(suspect, result)),
            false => Ok(()),
        }
    }

    #[cold]
    fn hear_of(&self, suspect: Suspect<'_>, result: &Tensor) -> Result<(), Error> {
        if result.device().is_modelled() {
            return Ok(());
        }
        // What it takes to find out is nobody's error.
        let ways = self.float_errors.ways.take();
        let found = self.find_float_errors(suspect, result, ways);
        self.float_errors.ways.set(ways);
        for error in found? {
            self.report(
                error,
                format!("{} encountered in {}", error.words(), self.name_of(suspect)),
            )?;
        }
        Ok(())
    }

    fn name_of(&self, suspect: Suspect<'_>) -> Cow<'static, str> {
        match self.float_errors.called.get() {
            Some(called) if suspect.ufunc != "cast" && called.is_scalar => {
                Cow::Owned(format!("scalar {}", called.name))
            }
            Some(called) if suspect.ufunc != "cast" => Cow::Borrowed(called.name),
            _ => Cow::Borrowed(suspect.ufunc),
        }
    }

    fn find_float_errors(
        &self,
        suspect: Suspect<'_>,
        result: &Tensor,
        ways: [FloatWay; 4],
    ) -> Result<Vec<FloatError>, Error> {
        // A second look must see the same.
        self.realize(&[result])?;
        let mut found = Vec::new();
        for (error, way) in FloatError::ALL.into_iter().zip(ways) {
            if way != FloatWay::Ignore
                && let Some(places) = self.float_error_places(error, suspect, result)?
                && self.item(&self.reduce(Reduction::Any, &places, None, false)?)?.as_bool()
            {
                found.push(error);
            }
        }
        Ok(found)
    }

    /// Where an error was met; `None` where this operation meets none.
    fn float_error_places(
        &self,
        error: FloatError,
        suspect: Suspect<'_>,
        result: &Tensor,
    ) -> Result<Option<Tensor>, Error> {
        if !result.dtype().is_inexact() {
            return match suspect.operands {
                [x] if x.dtype().is_float() => self.beyond_integers(error, suspect, result.dtype()),
                _ => self.wrapped_integer(error, suspect, result),
            };
        }
        let with_all = |start: Tensor, test: UnaryOp, is_wanted: bool| {
            suspect.operands.iter().try_fold(start, |places, operand| {
                let passes = self.unary(test, operand)?;
                let passes = if is_wanted { passes } else { self.unary(UnaryOp::Not, &passes)? };
                self.where_both(&places, &passes, suspect.along)
            })
        };
        let infinite = || with_all(self.unary(UnaryOp::IsInf, result)?, UnaryOp::IsFinite, true);
        let pole = suspect.pole.operand().map(|at| suspect.operands[at]);
        let at_zero = |op: CompareOp| -> Result<Option<Tensor>, Error> {
            pole.map(|operand| self.compare(op, operand, Scalar::Int(0))).transpose()
        };
        // C's formula begins with a difference.
        if let (FloatError::Over, [x, y]) = (error, suspect.operands)
            && suspect.ufunc.starts_with("logaddexp")
            && result.dtype() == result.dtype().compute()
        {
            let away = self.unary(UnaryOp::IsInf, &self.binary(BinaryOp::Sub, *x, *y)?)?;
            return with_all(away, UnaryOp::IsFinite, true).map(Some);
        }
        Ok(match (error, suspect.pole) {
            (FloatError::Divide, Pole::None) | (FloatError::Over, Pole::Anywhere) => None,

            (FloatError::Divide, Pole::Anywhere) => Some(infinite()?),
            (FloatError::Divide | FloatError::Over, _) => {
                let op = if error == FloatError::Divide { CompareOp::Eq } else { CompareOp::Ne };
                match at_zero(op)? {
                    Some(places) => Some(self.where_both(&infinite()?, &places, suspect.along)?),
                    None => Some(infinite()?),
                }
            }
            // C's formula puts a NaN in order with the other.
            (FloatError::Invalid, _) if suspect.ufunc.starts_with("logaddexp") => {
                Some(self.unary(UnaryOp::IsNan, result)?)
            }
            (FloatError::Invalid, _) => {
                Some(with_all(self.unary(UnaryOp::IsNan, result)?, UnaryOp::IsNan, false)?)
            }
            (FloatError::Under, _) if suspect.can_vanish => {
                let format = result.dtype().part().format().expect("its parts are floats");
                let least = Scalar::Float(2f64.powi(format.least()));
                let size = self.unary(UnaryOp::Abs, result)?;
                let small = self.compare(CompareOp::Lt, &size, least)?;
                let mut places = with_all(small, UnaryOp::IsFinite, true)?;
                for operand in suspect.operands {
                    // What is made of a zero is an exact zero.
                    let other = self.compare(CompareOp::Ne, *operand, Scalar::Int(0))?;
                    places = self.where_both(&places, &other, suspect.along)?;
                }
                Some(places)
            }
            (FloatError::Under, _) => None,
        })
    }

    /// Looks for complex numbers without an order: NumPy's formula compares real parts, and imaginary ones where
    /// those are equal, and C calls it invalid to order a NaN.
    ///
    /// # Errors
    /// FloatingPointError where that is raised, and what computing brings up.
    #[cold]
    pub(super) fn hear_unordered(
        &self,
        op: CompareOp,
        lhs: &Tensor,
        rhs: &Tensor,
    ) -> Result<(), Error> {
        let name = match op {
            CompareOp::Lt => "less",
            CompareOp::Le => "less_equal",
            CompareOp::Gt => "greater",
            CompareOp::Ge => "greater_equal",
            CompareOp::Eq | CompareOp::Ne => return Ok(()),
        };
        let is_any = self.unheard(|| {
            let unordered = |a: &Tensor, b: &Tensor| {
                let [a, b] = [self.unary(UnaryOp::IsNan, a)?, self.unary(UnaryOp::IsNan, b)?];
                self.binary(BinaryOp::BitOr, &a, &b)
            };
            let [[a, b], [c, d]] = [self.parts(lhs)?, self.parts(rhs)?];
            let alike = self.compare(CompareOp::Eq, &a, &c)?;
            let behind = self.binary(BinaryOp::BitAnd, &alike, &unordered(&b, &d)?)?;
            self.any_true(&self.binary(BinaryOp::BitOr, &unordered(&a, &c)?, &behind)?)
        })?;
        match is_any {
            true => {
                self.report(FloatError::Invalid, format!("invalid value encountered in {name}"))
            }
            false => Ok(()),
        }
    }

    /// Whether integers have wrapped: everywhere where a quotient is beyond its type, else of scalars only.
    fn wrapped_integer(
        &self,
        error: FloatError,
        suspect: Suspect<'_>,
        result: &Tensor,
    ) -> Result<Option<Tensor>, Error> {
        let Some((low, _)) = result.dtype().integer_range().filter(|_| error == FloatError::Over)
        else {
            return Ok(None);
        };
        if let ("floor_divide", [x, by]) = (suspect.ufunc, suspect.operands) {
            if low == 0 {
                return Ok(None);
            }
            let least = self.compare(CompareOp::Eq, *x, Scalar::Int(low as i64))?;
            let turned = self.compare(CompareOp::Eq, *by, Scalar::Int(-1))?;
            return Ok(Some(self.binary(BinaryOp::BitAnd, &least, &turned)?));
        }
        if !self.float_errors.called.get().is_some_and(|called| called.is_scalar)
            || result.elem_count() != 1
        {
            return Ok(None);
        }
        let number = |x: &Tensor| Ok::<i128, Error>(self.item(x)?.as_i128());
        let exact = match (suspect.ufunc, suspect.operands) {
            ("add", [a, b]) => Some(number(a)? + number(b)?),
            ("subtract", [a, b]) => Some(number(a)? - number(b)?),
            // The product of two unsigned numbers may be beyond what holds all others.
            ("multiply", [a, b]) => number(a)?.checked_mul(number(b)?),
            ("negative", [x]) => Some(-number(x)?),
            ("absolute", [x]) => Some(number(x)?.abs()),
            _ => return Ok(None),
        };
        let has_wrapped = Scalar::Bool(exact != Some(number(result)?));
        Ok(Some(self.full(result.shape(), has_wrapped, DType::Bool)?))
    }

    /// Where floats became integers of a type that they are beyond.
    fn beyond_integers(
        &self,
        error: FloatError,
        suspect: Suspect<'_>,
        dtype: DType,
    ) -> Result<Option<Tensor>, Error> {
        let ([x], Some((low, high)), FloatError::Invalid) =
            (suspect.operands, dtype.integer_range(), error)
        else {
            return Ok(None);
        };
        if !x.dtype().is_float() || dtype == DType::Bool {
            return Ok(None);
        }
        // What is narrower than a processor converts to is cut to its bits afterwards, and a sign to uint64's.
        let (low, high) = match dtype.size() {
            1 | 2 => (i128::from(i32::MIN), i128::from(i32::MAX)),
            8 => (i128::from(i64::MIN), high),
            _ => (low, high),
        };
        let x = self.cast(x, DType::F64)?;
        // A fraction is cut off before. Below the least int64 there is no float for the next integer.
        let (least, next) = (low as f64, low as f64 - 1.0);
        let above = match next < least {
            true => self.compare(CompareOp::Gt, &x, Scalar::Float(next))?,
            false => self.compare(CompareOp::Ge, &x, Scalar::Float(least))?,
        };
        let below = self.compare(CompareOp::Lt, &x, Scalar::Float(high as f64 + 1.0))?;
        let inside = self.binary(BinaryOp::BitAnd, &above, &below)?;
        Ok(Some(self.unary(UnaryOp::Not, &inside)?))
    }

    /// Where `places` and what holds of operands both are true.
    fn where_both(
        &self,
        places: &Tensor,
        holds: &Tensor,
        along: Along<'_>,
    ) -> Result<Tensor, Error> {
        let folded = match along {
            Along::Elements => holds.clone(),
            Along::Axes(axes) => {
                let axes: Vec<i64> = axes.iter().map(|axis| i64::from(*axis)).collect();
                self.reduce(Reduction::All, holds, Some(&axes), true)?
            }
            Along::Before(axis) => {
                let so_far = self.cast(holds, DType::U8)?;
                self.scan(ScanOp::Min, &so_far, Some(axis as i64), Some(DType::U8))?
            }
            Along::All => self.reduce(Reduction::All, holds, None, false)?,
        };
        self.binary(BinaryOp::BitAnd, places, &self.cast(&folded, DType::Bool)?)
    }
}
