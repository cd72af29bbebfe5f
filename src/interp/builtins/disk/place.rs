//! Reading and writing parts of an array on the disk: just the bytes that an index means.

use std::sync::{Mutex, PoisonError};

use super::{fault, source};
use crate::device::{self, BYTES, Content, FileBytes, Watch};
use crate::diag::Fault;
use crate::dtype::DType;
use crate::interp::builtins::Call;
use crate::interp::value::Value;
use crate::io::{self, How, Source, Stored, Target};
use crate::layout::{IndexPart, IndexPlan, Layout, Shape};
use crate::tensor::{Engine, Error, IndexItem, Put, Tensor};

/// Bytes that are read at once where not all of them are wanted.
const SPAN: usize = 1 << 20;
/// From one wanted part to the next, at the most, where what lies between them is read, too.
const GAP: usize = 16 << 10;

/// What the first five arguments say, and what the index after them means.
struct Place {
    stored: Stored,
    /// Of all elements, and of those that are meant; in elements, from `start` on.
    whole: Layout,
    view: Layout,
    start: u64,
}

/// The layout of an array on the disk.
pub fn layout_of(shape: Shape, is_fortran: bool) -> Layout {
    if !is_fortran {
        return Layout::contiguous(shape);
    }
    let axes: Vec<usize> = (0..shape.rank()).rev().collect();
    let turned: Shape = shape.iter().rev().copied().collect();
    Layout::contiguous(turned).permute(&axes)
}

/// None where the index holds arrays.
fn place(call: &Call<'_>) -> Result<Option<Place>, Fault> {
    let code = call.str(1)?;
    let wrong = || Fault::value_error(format!("'{code}' is no type of elements"));
    let stored = Stored::from_code(code).ok_or_else(wrong)?;
    let shape: Shape = call.ints(2)?.into_iter().map(|extent| extent.max(0) as usize).collect();
    let count = shape.checked_elem_count().map_err(Error::from)?;
    let start = call.int(3)?.max(0) as u64;
    let whole = match call.value(4) {
        Value::Tuple(_) => {
            let strides = call.ints(4)?;
            let strides = strides.into_iter().map(|stride| stride as isize).collect();
            Layout { shape, strides, offset: 0 }
        }
        _ => layout_of(shape, call.bool(4)?),
    };
    if count.checked_mul(stored.dtype.size()).is_none_or(|size| size > isize::MAX as usize / 2) {
        return Err(Fault::value_error("the array has more bytes than a file can have"));
    }
    let mut parts = Vec::new();
    let items = match call.value(5) {
        Value::Tuple(items) => items.to_vec(),
        item => vec![item.clone()],
    };
    for item in &items {
        parts.push(match item {
            Value::List(_) | Value::Bool(_) => return Ok(None),
            item => match call.evaluator.index_item(item)? {
                IndexItem::Int(at) => IndexPart::Int(at),
                IndexItem::Slice(slice) => IndexPart::Slice(slice),
                IndexItem::NewAxis => IndexPart::NewAxis,
                IndexItem::Ellipsis => IndexPart::Ellipsis,
                IndexItem::Tensor(_) => return Ok(None),
            },
        });
    }
    let view = IndexPlan::new(&whole, &parts).map_err(Error::from)?.layout;
    Ok(Some(Place { stored, whole, view, start }))
}

pub fn read(call: &mut Call<'_>) -> Result<Value, Fault> {
    let Some(place) = place(call)? else { return Ok(Value::NotImplemented) };
    let (source, path) = source(call)?;
    let (view, stored) = (&place.view, place.stored);
    let size = stored.size();
    let end = place.start + (place.whole.extent().end * size) as u64;
    if end > source.length() {
        let words = format!("the file ends at byte {} of {end}", source.length());
        return Err(fault(io::Error::Format(words), &path));
    }
    let byte = |element: usize| place.start + (element * size) as u64;
    let dense = Layout { offset: 0, ..view.clone() };
    let axes: Vec<usize> = (0..view.rank()).rev().collect();
    if view.is_contiguous() || view.permute(&axes).is_contiguous() {
        return Ok(
            read_dense(call.engine(), &source, byte(view.offset), dense, stored, &path)?.into()
        );
    }
    let interrupt = call.engine().interrupt();
    let (watch, ready) = (call.engine().under_way(), Vec::new());
    let mut gathering =
        Gathering { source: &source, place: &place, path: &path, ready, interrupt, watch };
    let layout = Layout::contiguous(view.shape.clone());
    let total = (layout.elem_count() * size) as u64;
    let _task = call.engine().under_way().begin(&path, BYTES, total);
    let made = call.engine().filled_in_turn(layout, stored.dtype, "load", |put| {
        gathering.walk(view, put)?;
        gathering.give(put)
    });
    Ok(made?.into())
}

/// Elements that lie one behind the other in a file, right into the memory of the tensor.
pub fn read_dense(
    engine: &Engine,
    source: &Source,
    start: u64,
    layout: Layout,
    stored: Stored,
    path: &str,
) -> Result<Tensor, Fault> {
    let length = (layout.elem_count() * stored.size()) as u64;
    let same = stored.is_plain().then_some((source, start));
    let part = Part { path, length, same };
    filled_from_disk(engine, layout, stored.dtype, part, |at, bytes| {
        source.read_at(start + at as u64, bytes)?;
        stored.decode(bytes);
        Ok(())
    })
}

/// What a tensor takes from a file.
pub struct Part<'a> {
    pub path: &'a str,
    /// Bytes that are read in all.
    pub length: u64,
    /// Where the file holds the very bytes of the tensor, if it does.
    pub same: Option<(&'a Source, u64)>,
}

/// A tensor whose bytes `read` puts from a place of it on into a piece of memory, on several threads.
pub fn filled_from_disk(
    engine: &Engine,
    layout: Layout,
    dtype: DType,
    part: Part<'_>,
    read: impl Fn(usize, &mut [u8]) -> Result<(), io::Error> + Sync,
) -> Result<Tensor, Fault> {
    // Threads hand an error over by setting it aside: what a device can say does not hold it.
    let failure = Mutex::new(None);
    let watch = engine.under_way().clone();
    let Part { path, length, same } = part;
    let _task = watch.begin(path, BYTES, length);
    let size = (layout.elem_count() * dtype.size()).max(1) as u128;
    let came = |bytes: usize| watch.add((bytes as u128 * u128::from(length) / size) as u64);
    let file = same
        .and_then(|(source, start)| Some(FileBytes { file: source.file()?, start, came: &came }));
    let read = |at: usize, bytes: &mut [u8]| {
        read(at, bytes).map_err(|error| {
            failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            device::Error::Interrupted
        })?;
        came(bytes.len());
        Ok(())
    };
    let made = engine.filled(layout, dtype, "load", Content { read: &read, file });
    match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(fault(error, path)),
        None => Ok(made?),
    }
}

/// Elements that lie apart in a file, on their way into a tensor.
struct Gathering<'a> {
    source: &'a Source,
    place: &'a Place,
    path: &'a str,
    ready: Vec<u8>,
    interrupt: &'a device::Interrupt,
    watch: &'a Watch,
}

impl Gathering<'_> {
    /// The elements of a part of the view in row-major order.
    fn walk(&mut self, part: &Layout, put: &mut Put<'_>) -> Result<(), Fault> {
        let size = self.place.stored.size();
        let extent = part.extent();
        if extent.is_empty() {
            return Ok(());
        }
        let is_short = extent.len() * size <= SPAN;
        let step = part.strides.first().map_or(0, |stride| stride.unsigned_abs() * size);
        let inner = part.elem_count() / part.shape.first().copied().unwrap_or(1).max(1) * size;
        if part.rank() == 0 || is_short && step <= GAP.max(2 * inner) {
            return self.span(part, put);
        }
        // As many of the first axis's parts as are read in one span, or one after the other.
        let many = if step <= GAP { (SPAN / step.max(1)).max(1) } else { 1 };
        for start in (0..part.shape[0]).step_by(many) {
            let count = many.min(part.shape[0] - start);
            let some = part.narrow(0, start, count, 1);
            match count {
                1 => self.walk(&some.squeeze(0), put)?,
                _ => self.span(&some, put)?,
            }
        }
        Ok(())
    }

    /// The same of what is read as a whole and picked from.
    fn span(&mut self, part: &Layout, put: &mut Put<'_>) -> Result<(), Fault> {
        let size = self.place.stored.size();
        let extent = part.extent();
        let mut start = extent.start;
        if part.is_contiguous() {
            while start < extent.end {
                let count = (extent.end - start).min(SPAN / size);
                let bytes = self.bytes(start, count)?;
                self.ready.extend_from_slice(&bytes);
                self.give(put)?;
                start += count;
            }
            return Ok(());
        }
        let bytes = self.bytes(start, extent.len())?;
        let inside = Layout { offset: part.offset - start, ..part.clone() };
        pick(&inside, 0, inside.offset as isize, size, &bytes, &mut self.ready);
        if self.ready.len() >= SPAN { self.give(put) } else { Ok(()) }
    }

    fn bytes(&self, element: usize, count: usize) -> Result<Vec<u8>, Fault> {
        self.interrupt.heed()?;
        let size = self.place.stored.size();
        let mut bytes = vec![0; count * size];
        let read = self.source.read_at(self.place.start + (element * size) as u64, &mut bytes);
        read.map_err(|error| fault(error, self.path))?;
        Ok(bytes)
    }

    /// Hands over what is ready.
    fn give(&mut self, put: &mut Put<'_>) -> Result<(), Fault> {
        self.place.stored.decode(&mut self.ready);
        put(&self.ready)?;
        self.watch.add(self.ready.len() as u64);
        self.ready.clear();
        Ok(())
    }
}

fn pick(part: &Layout, axis: usize, at: isize, size: usize, bytes: &[u8], out: &mut Vec<u8>) {
    if axis == part.rank() {
        let start = at as usize * size;
        out.extend_from_slice(&bytes[start..start + size]);
        return;
    }
    let (extent, stride) = (part.shape[axis], part.strides[axis]);
    if axis + 1 == part.rank() && stride == 1 {
        let start = at as usize * size;
        out.extend_from_slice(&bytes[start..start + extent * size]);
        return;
    }
    for index in 0..extent {
        pick(part, axis + 1, at + index as isize * stride, size, bytes, out);
    }
}

pub fn write(call: &mut Call<'_>) -> Result<Value, Fault> {
    let Some(place) = place(call)? else { return Ok(Value::NotImplemented) };
    call.evaluator.reach_out()?;
    if place.stored.how != How::Plain {
        return Err(Fault::value_error(
            "elements in another order of bytes are read, and not written",
        ));
    }
    let engine = call.engine();
    let value = call.tensor_of(6, place.stored.dtype)?;
    let value = engine.broadcast_to(&value, &place.view.shape)?;
    let value = engine.cast(&value, place.stored.dtype)?;
    let bytes = engine.to_host(&value)?.bytes;
    let path = call.path(0)?.to_string();
    let target = Target::open(&io::path_of(&path)).map_err(|error| fault(error, &path))?;
    let mut rest = &bytes[..];
    let _task = engine.under_way().begin(&path, BYTES, bytes.len() as u64);
    scatter(&place, &place.view, engine, &target, &mut rest, &path)?;
    Ok(Value::None)
}

fn scatter(
    place: &Place,
    part: &Layout,
    engine: &Engine,
    target: &Target,
    rest: &mut &[u8],
    path: &str,
) -> Result<(), Fault> {
    if !part.is_contiguous() {
        for index in 0..part.shape[0] {
            scatter(place, &part.select(0, index), engine, target, rest, path)?;
        }
        return Ok(());
    }
    let size = place.stored.size();
    let (mut at, mut left) = (place.start + (part.offset * size) as u64, part.elem_count() * size);
    while left > 0 {
        engine.interrupt().heed()?;
        let (bytes, behind) = rest.split_at(left.min(SPAN));
        target.write_at(at, bytes).map_err(|error| fault(error, path))?;
        engine.under_way().add(bytes.len() as u64);
        (at, left, *rest) = (at + bytes.len() as u64, left - bytes.len(), behind);
    }
    Ok(())
}

pub fn grow(call: &mut Call<'_>) -> Result<Value, Fault> {
    let path = call.path(0)?.to_string();
    let (size, is_new) = (call.int(1)?.max(0) as u64, call.bool(2)?);
    let grown = Target::grow(&io::path_of(&path), size, is_new);
    grown.map_err(|error| call.fault_at(0, fault(error, &path)))?;
    Ok(Value::None)
}
