//! Statistics and comparisons of arrays in files: pieces are read, looked at and forgotten, by all threads.

use std::cell::RefCell;
use std::sync::OnceLock;

use super::{fault, source, source_at};
use crate::device::{Distance, Moments, at_once};
use crate::diag::Fault;
use crate::dtype::DType;
use crate::interp::builtins::Call;
use crate::interp::value::Value;
use crate::io::{self, Source, Stored};

/// Elements that a thread reads at once: so few that they are still in its cache when it looks at them.
const PIECE: usize = 32 << 10;

thread_local! {
    /// What a thread reads, for one file and for the other.
    static READ: RefCell<[Vec<u8>; 2]> = const { RefCell::new([Vec::new(), Vec::new()]) };
}

/// Elements that lie one behind the other in a file.
struct Elements {
    source: Source,
    path: String,
    stored: Stored,
    start: u64,
    count: usize,
}

impl Elements {
    fn new(
        (source, path): (Source, String),
        code: &str,
        start: i64,
        count: i64,
    ) -> Result<Elements, Fault> {
        let wrong = || Fault::value_error(format!("'{code}' is no type of elements"));
        let stored = Stored::from_code(code).ok_or_else(wrong)?;
        let (start, count) = (start.max(0) as u64, count.max(0) as usize);
        let size = (count as u64).checked_mul(stored.size() as u64);
        if size.and_then(|size| size.checked_add(start)).is_none_or(|end| end > source.length()) {
            let words = "the file ends before the array does".to_string();
            return Err(fault(io::Error::Format(words), &path));
        }
        Ok(Elements { source, path, stored, start, count })
    }

    fn pieces(&self) -> usize {
        self.count.div_ceil(PIECE)
    }

    /// Those of a piece.
    fn read<'a>(&self, piece: usize, buffer: &'a mut Vec<u8>) -> Result<&'a [u8], io::Error> {
        let size = self.stored.size();
        let first = piece * PIECE;
        let bytes = PIECE.min(self.count - first) * size;
        if buffer.len() < bytes {
            buffer.resize(PIECE * size, 0);
        }
        let buffer = &mut buffer[..bytes];
        self.source.read_at(self.start + (first * size) as u64, buffer)?;
        self.stored.decode(buffer);
        Ok(buffer)
    }

    fn dtype(&self) -> DType {
        self.stored.dtype
    }
}

/// What is found of each piece, in their order.
fn of_pieces<T: Send + Sync>(
    call: &Call<'_>,
    pieces: usize,
    path: &str,
    find: impl Fn(usize, &mut [Vec<u8>; 2]) -> Result<(T, usize), io::Error> + Sync,
) -> Result<Vec<T>, Fault> {
    let (interrupt, watch) = (call.engine().interrupt(), call.engine().under_way());
    let found: Vec<OnceLock<T>> = (0..pieces).map(|_| OnceLock::new()).collect();
    let failure = OnceLock::new();
    at_once(pieces, &|piece| {
        if interrupt.is_raised() || failure.get().is_some() {
            return;
        }
        match READ.with_borrow_mut(|buffers| find(piece, buffers)) {
            Ok((part, bytes)) => {
                let _ = found[piece].set(part);
                watch.add(bytes as u64);
            }
            Err(error) => {
                let _ = failure.set(error);
            }
        }
    });
    call.engine().interrupt().heed().map_err(crate::tensor::Error::from)?;
    match failure.into_inner() {
        Some(error) => Err(fault(error, path)),
        None => Ok(found.into_iter().filter_map(OnceLock::into_inner).collect()),
    }
}

/// `disk_moments(path, code, start, count, /)`
pub fn moments(call: &mut Call<'_>) -> Result<Value, Fault> {
    let file = source(call)?;
    let elements = Elements::new(file, call.str(1)?, call.int(2)?, call.int(3)?)?;
    let dtype = elements.dtype();
    if dtype.is_complex() {
        return Ok(Value::NotImplemented);
    }
    let parts = of_pieces(call, elements.pieces(), &elements.path, |piece, [buffer, _]| {
        let bytes = elements.read(piece, buffer)?;
        Ok((Moments::of(dtype, bytes).unwrap_or_default(), bytes.len()))
    })?;
    let mut all = Moments::default();
    parts.iter().for_each(|part| all.join(part));
    let [count, nan, inf, zeros] =
        [all.count, all.nan, all.inf, all.zeros].map(|count| Value::Int(count as i64));
    let [mean, squares, min, max] = [all.mean, all.squares, all.min, all.max].map(Value::Float);
    Ok(Value::tuple([count, nan, inf, zeros, mean, squares, min, max]))
}

/// `disk_distance(path, code, start, other_path, other_code, other_start, count, /)`
pub fn distance(call: &mut Call<'_>) -> Result<Value, Fault> {
    let count = call.int(6)?;
    let first = Elements::new(source(call)?, call.str(1)?, call.int(2)?, count)?;
    let second = Elements::new(source_at(call, 3)?, call.str(4)?, call.int(5)?, count)?;
    let dtypes = [first.dtype(), second.dtype()];
    if dtypes.iter().any(|dtype| dtype.is_complex()) {
        return Ok(Value::NotImplemented);
    }
    let parts = of_pieces(call, first.pieces(), &first.path, |piece, [own, other]| {
        let (p, q) = (first.read(piece, own)?, second.read(piece, other)?);
        let apart = Distance::between((dtypes[0], p), (dtypes[1], q)).unwrap_or_default();
        Ok((apart, p.len() + q.len()))
    })?;
    let mut all = Distance::default();
    parts.iter().for_each(|part| all.join(part));
    let numbers = [all.most, all.apart, all.first, all.second, all.both];
    Ok(Value::tuple(numbers.map(Value::Float)))
}
