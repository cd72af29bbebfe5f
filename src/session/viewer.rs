//! What `:view` asks of a tensor, or of an array that stays in its file: parts of it, one at a time.

use std::ops::Range;
use std::rc::Rc;

use super::memory_view::device_label;
use super::{Session, Value};
use crate::diag::Fault;
use crate::dtype::{DType, Scalar};
use crate::interp::array_like::to_tensor;
use crate::interp::elements;
use crate::interp::value::Slice;
use crate::layout::Shape;
use crate::report::view::{Data, Part, Relation, Subject, Tell, Test};
use crate::report::{Bars, Elements, Heat, Summary};
use crate::tensor::{BinaryOp, CompareOp, Engine, Error, Reduction, Tensor, UnaryOp};

/// Elements of a file that are read at once, and of a tensor that a histogram takes at once.
const PIECE: usize = 4 << 20;

/// Elements that a search looks at first; what it finds nothing in is followed by four times as many.
const FIRST: usize = 1 << 16;

/// Elements of a tensor that are gone through at once: a device is done with them in a moment.
const MOST: usize = 8 << 20;

/// Elements of a file that are drawn as one picture: they are in memory at once.
const DRAWN: usize = 64 << 20;

/// Where the elements are.
#[derive(Debug)]
enum Origin {
    Tensor(Tensor),
    /// An object that an index reads parts of.
    Array(Value),
}

/// A tensor or an array, and what reads it.
#[derive(Debug)]
pub struct Viewed<'a> {
    session: &'a Session,
    origin: Origin,
    shape: Vec<usize>,
}

impl<'a> Viewed<'a> {
    /// `None` of a value that has no elements in that sense.
    ///
    /// # Errors
    /// What computing a tensor brings up.
    pub fn of(session: &'a Session, value: &Value) -> Result<Option<Viewed<'a>>, Fault> {
        if let Value::Object(_) = value
            && let Some(shape) = shape_of(session, value)
        {
            return Ok(Some(Viewed { session, origin: Origin::Array(value.clone()), shape }));
        }
        let Ok(tensor) = to_tensor(session.engine(), value, None) else { return Ok(None) };
        session.engine().realize(&[&tensor])?;
        let shape = tensor.shape().to_vec();
        Ok(Some(Viewed { session, origin: Origin::Tensor(tensor), shape }))
    }

    /// What there is to say of all of it.
    ///
    /// # Errors
    /// What reading an element of an array brings up.
    pub fn subject(&self, title: String) -> Result<Subject, Fault> {
        let (dtype, place) = match &self.origin {
            Origin::Tensor(tensor) => (tensor.dtype(), device_label(tensor.device())),
            Origin::Array(array) => {
                let first: Vec<Range<usize>> =
                    self.shape.iter().map(|len| 0..(*len).min(1)).collect();
                let place = match self.session.quiet().peek(array, "filename") {
                    Some(Value::Str(path)) => path.to_string(),
                    _ => array.type_name().to_string(),
                };
                (self.part(&first)?.dtype(), place)
            }
        };
        let size = dtype.size() as u64;
        let bytes = self.shape.iter().fold(size, |bytes, len| bytes.saturating_mul(*len as u64));
        Ok(Subject { title, dtype, shape: self.shape.clone(), place, bytes })
    }

    fn engine(&self) -> &'a Engine {
        self.session.engine()
    }

    /// Elements that are gone through between two looks at how far the work is.
    fn piece(&self) -> usize {
        match self.origin {
            Origin::Tensor(_) => MOST,
            Origin::Array(_) => PIECE,
        }
    }

    /// A part with all its axes: a view of a tensor, a tensor read from an array.
    ///
    /// # Errors
    /// What reading brings up, and a part that is none of a tensor.
    fn part(&self, part: &Part) -> Result<Tensor, Fault> {
        let engine = self.engine();
        engine.interrupt().heed()?;
        match &self.origin {
            Origin::Tensor(tensor) => {
                let narrow = |x: Tensor, (axis, range): (usize, &Range<usize>)| {
                    engine.narrow(&x, axis, range.start, range.len(), 1)
                };
                Ok(part.iter().enumerate().try_fold(tensor.clone(), narrow)?)
            }
            Origin::Array(array) => {
                // Numbers in front: what they choose lies together in the file.
                let singles = part.iter().take_while(|range| range.len() == 1).count();
                // What is left has an axis, so that it is a tensor.
                let singles = singles.min(part.len().saturating_sub(1));
                let int = |at: usize| Value::Int(at as i64);
                let items = part.iter().enumerate().map(|(axis, range)| match axis < singles {
                    true => int(range.start),
                    false => {
                        let (start, stop) = (int(range.start), int(range.end));
                        Value::Slice(Rc::new(Slice { start, stop, step: Value::None }))
                    }
                });
                let index = Value::tuple(items.collect::<Vec<Value>>());
                let Value::Tensor(found) = self.session.quiet().object_item(array, &index)? else {
                    let name = array.type_name();
                    return Err(Fault::type_error(format!("an index of '{name}' gives no tensor")));
                };
                let extents: Vec<i64> = part.iter().map(|range| range.len() as i64).collect();
                Ok(engine.reshape(&found, &extents)?)
            }
        }
    }

    /// A part as real numbers: of complex ones the magnitudes.
    fn real(&self, part: &Part) -> Result<Tensor, Fault> {
        let part = self.part(part)?;
        match part.dtype().is_complex() {
            true => Ok(self.engine().unary(UnaryOp::Abs, &part)?),
            false => Ok(part),
        }
    }

    /// The smallest, the largest and so on of a large part, piece by piece; the bins are counted when its ends are
    /// known.
    fn streamed(&self, part: &Part, tell: &mut Tell<'_>) -> Result<Option<Summary>, Fault> {
        let mut all: Option<Gathered> = None;
        // The way goes through all elements twice.
        let (mut done, total) = (0, 2 * count(part));
        for piece in pieces(part.to_vec(), self.piece(), true) {
            let Some(found) = self.engine().summary(&self.real(&piece)?)? else { continue };
            let gathered = Gathered::new(found, &piece);
            all = Some(match all {
                Some(before) => before.with(gathered),
                None => gathered,
            });
            done += count(&piece);
            tell(done, total);
        }
        let Some(Gathered { mut summary, .. }) = all else { return Ok(None) };
        if summary.min < summary.max {
            summary.histogram =
                self.counts(part, 10, (summary.min, summary.max), &mut |more, _| {
                    tell(done + more, total)
                })?;
        } else if summary.min == summary.max {
            summary.histogram = vec![1];
        }
        Ok(Some(summary))
    }

    fn counts(
        &self,
        part: &Part,
        bins: usize,
        ends: (f64, f64),
        tell: &mut Tell<'_>,
    ) -> Result<Vec<u64>, Fault> {
        let mut counts = vec![0; bins];
        let (mut done, total) = (0, count(part));
        // These numbers go through memory of their own.
        for piece in pieces(part.to_vec(), PIECE, true) {
            let found = self.engine().counts_between(&self.real(&piece)?, bins, ends)?;
            counts.iter_mut().zip(found).for_each(|(count, more)| *count += more);
            done += self::count(&piece);
            tell(done, total);
        }
        Ok(counts)
    }

    /// Which elements of a tensor pass a test.
    fn passing(&self, x: &Tensor, test: Test) -> Result<Tensor, Error> {
        let engine = self.engine();
        let real = match x.dtype() {
            dtype if dtype.is_complex() => engine.unary(UnaryOp::Abs, x)?,
            DType::Bool => engine.cast(x, DType::I64)?,
            _ => x.clone(),
        };
        let wide = |x: &Tensor| engine.cast(x, DType::F64);
        match test {
            Test::Odd => {
                let finite = engine.unary(UnaryOp::IsFinite, &wide(&real)?)?;
                engine.compare(CompareOp::Eq, &finite, Scalar::Bool(false))
            }
            Test::Nan => engine.unary(UnaryOp::IsNan, &wide(&real)?),
            Test::Infinite => engine.unary(UnaryOp::IsInf, &wide(&real)?),
            Test::Is(relation, scalar) => {
                let op = match relation {
                    Relation::Equal => CompareOp::Eq,
                    Relation::NotEqual => CompareOp::Ne,
                    Relation::Less => CompareOp::Lt,
                    Relation::AtMost => CompareOp::Le,
                    Relation::Greater => CompareOp::Gt,
                    Relation::AtLeast => CompareOp::Ge,
                };
                // Two floats are compared as wide ones: narrow ones would round the number.
                let is_exact = real.dtype().is_integer() && !matches!(scalar, Scalar::Float(_));
                let real = if is_exact { real } else { wide(&real)? };
                engine.compare(op, &real, scalar)
            }
            Test::Between(low, high) => {
                let real = wide(&real)?;
                let above = engine.compare(CompareOp::Ge, &real, Scalar::Float(low))?;
                let below = engine.compare(CompareOp::Le, &real, Scalar::Float(high))?;
                engine.binary(BinaryOp::BitAnd, &above, &below)
            }
        }
    }
}

impl Data for Viewed<'_> {
    fn elements(&mut self, part: &Part) -> Result<Elements, Fault> {
        let found = self.part(part)?;
        Ok(elements(&self.engine().to_host(&found)?))
    }

    fn summary(&mut self, part: &Part, tell: &mut Tell<'_>) -> Result<Option<Summary>, Fault> {
        match count(part) > self.piece() {
            true => self.streamed(part, tell),
            false => {
                let found = self.engine().summary(&self.real(part)?)?;
                Ok(found.map(|summary| placed(summary, part)))
            }
        }
    }

    fn bars(
        &mut self,
        part: &Part,
        bins: usize,
        summary: &Summary,
        tell: &mut Tell<'_>,
    ) -> Result<Bars, Fault> {
        let (nan, inf) = (summary.nan_count, summary.inf_count);
        let (mut low, mut high) = (summary.min, summary.max);
        if low == high {
            (low, high) = (low - 0.5, high + 0.5);
        }
        let counts = self.counts(part, bins, (low, high), tell)?;
        Ok(Bars { title: String::new(), low, high, counts, nan, inf })
    }

    fn means(
        &mut self,
        part: &Part,
        (row, col): (Option<usize>, Option<usize>),
        most: usize,
    ) -> Result<Heat, Fault> {
        if matches!(self.origin, Origin::Array(_)) && count(part) > DRAWN {
            let message = "the slice is too large to be read from its file at once";
            return Err(Fault::value_error(message).with_hint("`s` reads it piece by piece"));
        }
        let engine = self.engine();
        let mut sheet = self.real(part)?;
        let others = (0..part.len()).filter(|axis| ![row, col].contains(&Some(*axis)));
        let others: Vec<i64> = others.map(|axis| axis as i64).collect();
        sheet = engine.squeeze(&sheet, Some(&others))?;
        sheet = match (row, col) {
            (Some(row), Some(col)) if row > col => engine.transpose(&sheet)?,
            (Some(_), Some(_)) => sheet,
            (Some(_), None) => engine.expand_dims(&sheet, &[1])?,
            (None, Some(_)) => engine.expand_dims(&sheet, &[0])?,
            (None, None) => engine.expand_dims(&sheet, &[0, 1])?,
        };
        Ok(engine.sheet(&sheet, most)?)
    }

    fn find(
        &mut self,
        test: Test,
        from: Option<&[usize]>,
        is_forward: bool,
        tell: &mut Tell<'_>,
    ) -> Result<Option<Vec<usize>>, Fault> {
        let engine = self.engine();
        let most = self.piece();
        let mut size = FIRST;
        let parts = parts(&self.shape, from, is_forward);
        let (mut done, total) = (0, parts.iter().map(|part| count(part)).sum());
        for part in parts {
            let mut rest = pieces(part, size, is_forward);
            while let Some(piece) = rest.next() {
                let mask = self.passing(&self.part(&piece)?, test)?;
                let mask = if is_forward { mask } else { engine.flip(&mask, None)? };
                let any = engine.reduce(Reduction::CountNonzero, &mask, None, false)?;
                let first = engine.reduce(Reduction::ArgMax, &mask, None, false)?;
                let found = engine.read(&[&any, &first])?;
                if found[0].scalar(0).as_i64() > 0 {
                    let mut place = found[1].scalar(0).as_i64() as usize;
                    if !is_forward {
                        place = count(&piece) - 1 - place;
                    }
                    return Ok(Some(index(place, &piece)));
                }
                done += count(&piece);
                tell(done, total);
                size = (4 * size).min(most);
                rest.size = size;
            }
        }
        Ok(None)
    }
}

/// The summary of a part, with indices in the whole.
fn placed(mut summary: Summary, part: &Part) -> Summary {
    for first in [&mut summary.first_nan, &mut summary.first_inf] {
        first.iter_mut().zip(part).for_each(|(at, range)| *at += range.start);
    }
    summary
}

fn count(part: &Part) -> usize {
    part.iter().map(Range::len).product()
}

/// The index of an element, from its place in a part.
fn index(mut place: usize, part: &Part) -> Vec<usize> {
    let mut found = vec![0; part.len()];
    for (axis, range) in part.iter().enumerate().rev() {
        found[axis] = range.start + place % range.len();
        place /= range.len();
    }
    found
}

/// What lies behind an index in row-major order, or before it, as parts in the order in which a search comes through
/// them; all of it where there is no index.
fn parts(shape: &[usize], from: Option<&[usize]>, is_forward: bool) -> Vec<Vec<Range<usize>>> {
    let Some(from) = from else { return vec![shape.iter().map(|len| 0..*len).collect()] };
    let part = |axis: usize| {
        let range = |(at, len): (usize, &usize)| match at {
            at if at < axis => from[at]..from[at] + 1,
            at if at > axis => 0..*len,
            _ if is_forward => from[axis] + 1..*len,
            _ => 0..from[axis],
        };
        shape.iter().enumerate().map(range).collect::<Vec<_>>()
    };
    (0..shape.len()).rev().map(part).filter(|part| count(part) > 0).collect()
}

/// A part cut in pieces of at most so many elements each, in row-major order or against it. Each piece is whole along
/// all axes behind the one that it is cut at.
#[derive(Debug)]
struct Pieces {
    rest: Vec<Vec<Range<usize>>>,
    size: usize,
    is_forward: bool,
}

fn pieces(part: Vec<Range<usize>>, size: usize, is_forward: bool) -> Pieces {
    let rest = if count(&part) > 0 { vec![part] } else { Vec::new() };
    Pieces { rest, size, is_forward }
}

impl Iterator for Pieces {
    type Item = Vec<Range<usize>>;

    fn next(&mut self) -> Option<Vec<Range<usize>>> {
        loop {
            let part = self.rest.pop()?;
            let Some(axis) = part.iter().position(|range| range.len() > 1) else {
                return Some(part);
            };
            if count(&part) <= self.size {
                return Some(part);
            }
            let inner = count(&part[axis + 1..]);
            let taken = (self.size / inner.max(1)).clamp(1, part[axis].len() - 1);
            let Range { start, end } = part[axis];
            let cut = if self.is_forward { start + taken } else { end - taken };
            let (mut before, mut behind) = (part.clone(), part);
            (before[axis], behind[axis]) = (start..cut, cut..end);
            let (next, later) = if self.is_forward { (before, behind) } else { (behind, before) };
            self.rest.extend([later, next]);
        }
    }
}

/// The summary of what was seen so far, and of how many finite elements.
#[derive(Debug)]
struct Gathered {
    summary: Summary,
    finite: f64,
}

impl Gathered {
    /// Of a piece of the whole.
    fn new(summary: Summary, piece: &Part) -> Gathered {
        let odd = summary.nan_count + summary.inf_count;
        let finite = (count(piece) as u64 - odd) as f64;
        Gathered { summary: placed(summary, piece), finite }
    }

    /// This and what came behind it: variances join as Chan, Golub and LeVeque have them.
    fn with(self, more: Gathered) -> Gathered {
        let (Gathered { summary: a, finite: n }, Gathered { summary: b, finite: m }) = (self, more);
        let first = |a: Vec<usize>, b: Vec<usize>| if a.is_empty() { b } else { a };
        let nan_count = a.nan_count + b.nan_count;
        let inf_count = a.inf_count + b.inf_count;
        let (first_nan, first_inf) =
            (first(a.first_nan, b.first_nan), first(a.first_inf, b.first_inf));
        let finite = n + m;
        let (min, max, mean, sd) = match () {
            () if n == 0.0 => (b.min, b.max, b.mean, b.sd),
            () if m == 0.0 => (a.min, a.max, a.mean, a.sd),
            () => {
                let apart = b.mean - a.mean;
                let squares = a.sd * a.sd * n + b.sd * b.sd * m + apart * apart * (n * m / finite);
                let mean = a.mean + apart * (m / finite);
                (a.min.min(b.min), a.max.max(b.max), mean, (squares / finite).sqrt())
            }
        };
        let histogram = Vec::new();
        let summary =
            Summary { min, max, mean, sd, histogram, nan_count, first_nan, inf_count, first_inf };
        Gathered { summary, finite }
    }
}

/// How many axes there are, and how long each is, of a value that an index reads parts of.
fn shape_of(session: &Session, value: &Value) -> Option<Vec<usize>> {
    let Value::Tuple(extents) = session.quiet().peek(value, "shape")? else { return None };
    let extent = |value: &Value| match value {
        Value::Int(extent) => usize::try_from(*extent).ok(),
        _ => None,
    };
    let shape: Option<Vec<usize>> = extents.iter().map(extent).collect();
    shape.filter(|shape| Shape::from_iter(shape.iter().copied()).rank() == shape.len())
}
