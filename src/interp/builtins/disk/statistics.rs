//! Statistics and comparisons of arrays in files: pieces are read, looked at and forgotten, by all threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use super::fault;
use crate::device::{Distance, Moments, at_once};
use crate::diag::Fault;
use crate::dtype::DType;
use crate::interp::builtins::Call;
use crate::interp::value::Value;
use crate::io::{self, Source, Stored};

/// Elements that a thread reads at once: so few that they are still in its cache when it looks at them.
const PIECE: usize = 32 << 10;

/// Threads that take part at the most.
const READERS: usize = 64;

/// Elements that lie one behind the other in a file.
struct Elements {
    source: Arc<Source>,
    stored: Stored,
    start: u64,
    count: usize,
}

/// Files that were opened, the latest last: tensors of one come one after the other.
#[derive(Default)]
struct Files(Vec<(String, Arc<Source>)>);

impl Files {
    fn open(&mut self, path: &str) -> Result<Arc<Source>, Fault> {
        if let Some((_, source)) = self.0.iter().rev().find(|(known, _)| known == path) {
            return Ok(source.clone());
        }
        let opened = Source::open(&io::path_of(path)).map_err(|error| fault(error, path))?;
        let source = Arc::new(opened);
        self.0.push((path.to_owned(), source.clone()));
        Ok(source)
    }

    /// What `(path, code, start)` and a count mean.
    fn elements(&mut self, place: &[Value], count: i64) -> Result<Elements, Fault> {
        let [Value::Str(path), Value::Str(code), Value::Int(start)] = place else {
            return Err(Fault::type_error("expected a path, a code and a place"));
        };
        let wrong = || Fault::value_error(format!("'{code}' is no type of elements"));
        let stored = Stored::from_code(code).ok_or_else(wrong)?;
        let (start, count) = ((*start).max(0) as u64, count.max(0) as usize);
        let source = self.open(path)?;
        let size = (count as u64).checked_mul(stored.size() as u64);
        if size.and_then(|size| size.checked_add(start)).is_none_or(|end| end > source.length()) {
            let words = "the file ends before the array does".to_string();
            return Err(fault(io::Error::Format(words), path));
        }
        Ok(Elements { source, stored, start, count })
    }

    fn path_of(&self, source: &Arc<Source>) -> &str {
        let known = self.0.iter().find(|(_, known)| Arc::ptr_eq(known, source));
        known.map_or("", |(path, _)| path)
    }
}

impl Elements {
    /// Those of a piece.
    fn read<'a>(&self, piece: usize, buffer: &'a mut Vec<u8>) -> Result<&'a [u8], Wrong> {
        let size = self.stored.size();
        let first = piece * PIECE;
        let bytes = PIECE.min(self.count - first) * size;
        if buffer.len() < bytes {
            buffer.resize(PIECE * size, 0);
        }
        let buffer = &mut buffer[..bytes];
        let read = self.source.read_at(self.start + (first * size) as u64, buffer);
        read.map_err(|error| Wrong { error, source: self.source.clone() })?;
        self.stored.decode(buffer);
        Ok(buffer)
    }

    fn dtype(&self) -> DType {
        self.stored.dtype
    }
}

/// A piece that could not be read, and of which file.
struct Wrong {
    error: io::Error,
    source: Arc<Source>,
}

/// What is found of the pieces of several arrays with so many elements, in their order: all pieces are one
/// work of all threads, so that nobody waits at the end of an array.
fn of_pieces<T: Send + Sync>(
    call: &Call<'_>,
    files: &Files,
    counts: &[usize],
    find: impl Fn(usize, usize, &mut [Vec<u8>; 2]) -> Result<(T, usize), Wrong> + Sync,
) -> Result<Vec<Vec<T>>, Fault> {
    let (interrupt, watch) = (call.engine().interrupt(), call.engine().under_way());
    let ends: Vec<usize> = counts
        .iter()
        .scan(0, |end, count| {
            *end += count.div_ceil(PIECE);
            Some(*end)
        })
        .collect();
    let pieces = ends.last().copied().unwrap_or_default();
    let found: Vec<OnceLock<T>> = (0..pieces).map(|_| OnceLock::new()).collect();
    let failure = OnceLock::new();
    let next = AtomicUsize::new(0);
    let take = |buffers: &mut [Vec<u8>; 2]| {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= pieces || interrupt.is_raised() || failure.get().is_some() {
            return false;
        }
        let array = ends.partition_point(|end| *end <= number);
        let begin = if array == 0 { 0 } else { ends[array - 1] };
        match find(array, number - begin, buffers) {
            Ok((part, bytes)) => {
                let _ = found[number].set(part);
                watch.add(bytes as u64);
            }
            Err(wrong) => {
                let _ = failure.set(wrong);
            }
        }
        true
    };
    at_once(pieces.min(READERS), &|_| {
        // What a thread reads, of one file and of the other.
        let mut buffers = [Vec::new(), Vec::new()];
        while take(&mut buffers) {}
    });
    call.engine().interrupt().heed().map_err(crate::tensor::Error::from)?;
    if let Some(Wrong { error, source }) = failure.into_inner() {
        return Err(fault(error, files.path_of(&source)));
    }
    let mut parts = found.into_iter().filter_map(OnceLock::into_inner);
    Ok(counts.iter().map(|count| parts.by_ref().take(count.div_ceil(PIECE)).collect()).collect())
}

/// The items of the list that the only argument is, each a tuple.
fn rows(call: &Call<'_>) -> Result<Vec<Vec<Value>>, Fault> {
    let Value::List(items) = call.value(0) else {
        return Err(Fault::type_error("expected a list of arrays in files"));
    };
    let row = |item: &Value| match item {
        Value::Tuple(parts) => Ok(parts.to_vec()),
        _ => Err(Fault::type_error("expected a list of arrays in files")),
    };
    items.borrow().iter().map(row).collect()
}

fn count_in(row: &[Value]) -> Result<i64, Fault> {
    match row.last() {
        Some(Value::Int(count)) => Ok(*count),
        _ => Err(Fault::type_error("expected a count of elements")),
    }
}

/// `disk_moments([(path, code, start, count), …], /)`
pub fn moments(call: &mut Call<'_>) -> Result<Value, Fault> {
    let mut files = Files::default();
    let mut arrays = Vec::new();
    for row in rows(call)? {
        arrays.push(files.elements(&row[..row.len().min(3)], count_in(&row)?)?);
    }
    let counts: Vec<usize> = arrays.iter().map(|array| array.count).collect();
    let parts = of_pieces(call, &files, &counts, |array, piece, [buffer, _]| {
        let array = &arrays[array];
        let bytes = array.read(piece, buffer)?;
        Ok((Moments::of(array.dtype(), bytes).unwrap_or_default(), bytes.len()))
    })?;
    let joined = parts.iter().map(|parts| {
        let mut all = Moments::default();
        parts.iter().for_each(|part| all.join(part));
        let [count, nan, inf, zeros] =
            [all.count, all.nan, all.inf, all.zeros].map(|count| Value::Int(count as i64));
        let [mean, squares, min, max] = [all.mean, all.squares, all.min, all.max].map(Value::Float);
        Value::tuple([count, nan, inf, zeros, mean, squares, min, max])
    });
    Ok(Value::list(joined.collect()))
}

/// `disk_distances([(path, code, start, other_path, other_code, other_start, count), …], /)`
pub fn distances(call: &mut Call<'_>) -> Result<Value, Fault> {
    let mut files = Files::default();
    let mut pairs = Vec::new();
    for row in rows(call)? {
        let (count, end) = (count_in(&row)?, row.len().min(6));
        let [first, second] = [&row[..end.min(3)], &row[end.min(3)..end]];
        pairs.push([files.elements(first, count)?, files.elements(second, count)?]);
    }
    let counts: Vec<usize> = pairs.iter().map(|[first, _]| first.count).collect();
    let parts = of_pieces(call, &files, &counts, |pair, piece, [own, other]| {
        let [first, second] = &pairs[pair];
        let (p, q) = (first.read(piece, own)?, second.read(piece, other)?);
        let apart = Distance::between((first.dtype(), p), (second.dtype(), q));
        Ok((apart.unwrap_or_default(), p.len() + q.len()))
    })?;
    let joined = parts.iter().map(|parts| {
        let mut all = Distance::default();
        parts.iter().for_each(|part| all.join(part));
        Value::tuple([all.most, all.apart, all.first, all.second, all.both].map(Value::Float))
    });
    Ok(Value::list(joined.collect()))
}
