//! What a device can do. A new elementwise operation or reduction is no method here: it is a
//! variant in `ir` and a row in each back end's table.

use std::any::Any;
use std::cell::OnceCell;
use std::fmt;
use std::fs::File;
use std::sync::{Mutex, PoisonError};

use super::at_once;
use super::cuda::CudaBackend;
use super::factorise::Factoriser;
use super::fourier::Transformer;
use super::left_fold::LeftFold;
use super::line::Lines;
use super::{Error, Mask, Selection, Storage};
use crate::dtype::DType;
use crate::ir::{Access, Program, ScanOp, Space};
use crate::layout::Layout;
use crate::memory::StreamId;

/// Some elements of a storage, to read or to write.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    pub storage: &'a Storage,
    pub layout: &'a Layout,
}

impl View<'_> {
    pub fn dtype(&self) -> DType {
        self.storage.dtype()
    }

    /// Rows and columns: the extents of the last two axes, of at least two.
    pub fn sides(&self) -> [usize; 2] {
        let shape = &self.layout.shape;
        [shape[shape.rank() - 2], shape[shape.rank() - 1]]
    }
}

/// Puts the bytes of a storage from a place on into a piece of memory.
pub type ReadAt<'a> = dyn Fn(usize, &mut [u8]) -> Result<(), Error> + Sync + 'a;

/// Makes a part of a storage, by its number.
pub type MakePart<'a> = dyn Fn(usize, &mut [u8]) + Sync + 'a;

/// Parts of a storage, one behind the other, that all threads make.
#[derive(Clone, Copy)]
pub struct Parts<'a> {
    /// Where the first begins, in bytes.
    pub start: usize,
    /// Bytes of each.
    pub lengths: &'a [usize],
    /// Given a part's number and its place, which holds anything before; it says in a way of its own what went wrong.
    pub make: &'a MakePart<'a>,
}

/// What a storage is filled with.
#[derive(Clone, Copy)]
pub struct Content<'a> {
    /// Asked by several threads at once where the device has several.
    pub read: &'a ReadAt<'a>,
    /// Where a file holds the very bytes, for a device that reads files itself.
    pub file: Option<FileBytes<'a>>,
}

/// Bytes of a file, from a place on.
#[derive(Clone, Copy)]
pub struct FileBytes<'a> {
    pub file: &'a File,
    pub start: u64,
    /// Told of so many that `read` was not asked for.
    pub came: &'a (dyn Fn(usize) + Sync),
}

impl fmt::Debug for Content<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Content({:?})", self.file)
    }
}

impl fmt::Debug for Parts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Parts({:?} from {} on)", self.lengths, self.start)
    }
}

impl fmt::Debug for FileBytes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} from {} on", self.file, self.start)
    }
}

/// What a scatter does where its index points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScatterOp {
    /// Where several values meet one place, the last in row-major order stays.
    Write,
    Add,
    Multiply,
    Max,
    Min,
}

/// What random numbers to write. All come from the Philox4x32-10 counter generator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RandomKind {
    /// Over [0, 1).
    Uniform,
    /// Mean 0, standard deviation 1.
    Normal,
    /// Whole numbers over [low, high); needs an integer storage. `low <= high`; where both are the same, all
    /// integers of 64 bits, as if `high` lay 2⁶⁴ above.
    Integer { low: i64, high: i64 },
}

/// How exact products of float32 are where exactness costs time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MatmulPrecision {
    /// In float32 throughout.
    #[default]
    Highest,
    /// A device may round factors to TensorFloat-32, which keeps 10 bits of the fraction.
    High,
}

impl MatmulPrecision {
    /// As PyTorch calls it.
    pub fn name(self) -> &'static str {
        match self {
            MatmulPrecision::Highest => "highest",
            MatmulPrecision::High => "high",
        }
    }
}

/// What a back end remembers of a launch that comes again, kept by whoever launches.
#[derive(Default)]
pub struct Memo(OnceCell<Box<dyn Any>>);

impl Memo {
    /// What was remembered first; `None` if that is another back end's.
    pub fn get_or_init<T: Any>(&self, init: impl FnOnce() -> T) -> Option<&T> {
        self.0.get_or_init(|| Box::new(init())).downcast_ref()
    }
}

impl fmt::Debug for Memo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.get().is_some() { "Memo(..)" } else { "Memo" })
    }
}

/// Bytes that are asked for before they go to a device whose memory the host does not reach.
pub const FILLED_AT_ONCE: usize = 4 << 20;

/// Work that may take memory besides its operands.
#[derive(Debug, Clone, Copy)]
pub enum Work<'a> {
    Sort {
        input: View<'a>,
        has_values: bool,
        has_indices: bool,
    },
    Matmul {
        lhs: View<'a>,
        rhs: View<'a>,
    },
    /// How many points are written to, and by how many indices each is found.
    Scatter {
        points: usize,
        indices: usize,
    },
    Factorise,
    Transform,
}

/// Finds places among sorted elements.
pub trait Searcher {
    /// Writes where each value would stand in `sorted`, of one axis, to keep it sorted: before its equals, or
    /// behind them if `right`. Both have one type, a real one that is its own carrier, and NaN is larger than any
    /// number. `out` is contiguous, int64, of the values' shape.
    fn search(
        &self,
        sorted: View<'_>,
        values: View<'_>,
        right: bool,
        out: View<'_>,
    ) -> Result<(), Error>;
}

/// A device's kernels. All operands lie on the one device, all outputs are allocated by the caller,
/// and writing may not overlap reading but for the exact same elements in `run`.
pub trait Backend: Send + Sync + fmt::Debug {
    /// Runs a program at every point of `space`: each input and output is a storage and the way
    /// through it. A launch that fails has changed nothing but outputs, which the caller drops; so
    /// a program that can fail must not write in place.
    fn run(
        &self,
        program: &Program,
        space: &Space,
        inputs: &[(&Storage, &Access)],
        outputs: &[(&Storage, &Access)],
    ) -> Result<(), Error>;

    /// The same for a launch that comes again: `memo` was given to it only with this program, this
    /// space, and operands of these types that were reached by these strides. Storages and offsets
    /// may differ.
    fn run_again(
        &self,
        memo: &Memo,
        program: &Program,
        space: &Space,
        inputs: &[(&Storage, &Access)],
        outputs: &[(&Storage, &Access)],
    ) -> Result<(), Error> {
        let _ = memo;
        self.run(program, space, inputs, outputs)
    }

    /// Writes `values`, whose layout has the axes of `space` (all kept), where `indices` point in
    /// `target`: at `access.offset + Σ coordinate · stride + Σ index · stride`, one index for each
    /// of `access.gathered`. Every index is int64 and has the axes of `space`. All bounds are
    /// checked before the first write.
    fn scatter(
        &self,
        op: ScatterOp,
        space: &Space,
        target: (&Storage, &Access),
        indices: &[View<'_>],
        values: View<'_>,
    ) -> Result<(), Error>;

    /// How many elements of a mask are true, with what writing what they select needs to know.
    fn count_true(&self, mask: Mask<'_>) -> Result<Selection, Error>;

    /// Whether a mask that nobody else wants had better be written as bits.
    fn prefers_bits(&self) -> bool {
        false
    }

    /// Writes the elements of `values` where `mask`, of the same shape, is true to the contiguous
    /// `out`, in row-major order. `selection` is what [`Backend::count_true`] said of the mask, which nobody has written
    /// to since; `out` has as many elements.
    fn compress(
        &self,
        mask: Mask<'_>,
        selection: &Selection,
        values: View<'_>,
        out: View<'_>,
    ) -> Result<(), Error>;

    /// Writes the coordinates of the true elements, in row-major order, to `outs`: one contiguous
    /// int64 view for each axis of the mask. `selection` as for [`Backend::compress`].
    fn positions(
        &self,
        mask: Mask<'_>,
        selection: &Selection,
        outs: &[View<'_>],
    ) -> Result<(), Error>;

    /// Folds along `axis` and keeps every step. `out` has the input's shape and type.
    fn scan(&self, op: ScanOp, input: View<'_>, axis: usize, out: View<'_>) -> Result<(), Error>;

    /// Joins elements one after the other. The output overlaps nothing that is read.
    fn fold_left(&self, fold: LeftFold<'_>) -> Result<(), Error>;

    /// Sorts along the last axis, stably, NaN last. Either output may be left out; `indices` is
    /// int64. Outputs are contiguous with the input's shape.
    fn sort(
        &self,
        input: View<'_>,
        descending: bool,
        values: Option<View<'_>>,
        indices: Option<View<'_>>,
    ) -> Result<(), Error>;

    /// Brings elements along the last axis to these places, which rise and lie in it, smaller ones before them and larger
    /// ones behind, NaN last. `values` is contiguous with the input's shape. Sorting them all does it, too.
    fn partition(&self, input: View<'_>, places: &[usize], values: View<'_>) -> Result<(), Error> {
        let _ = places;
        self.sort(input, false, Some(values), None)
    }

    /// The blocks, in bytes, that work takes from the device's allocator besides its operands, all at
    /// once; none where only running tells.
    fn workspace(&self, work: Work<'_>) -> Option<Vec<usize>> {
        let _ = work;
        None
    }

    /// Of which operands the elements of a row had better lie side by side in a product: the copies cost less than they save.
    fn matmul_wants_rows(&self, lhs: View<'_>, rhs: View<'_>) -> [bool; 2] {
        let _ = (lhs, rhs);
        [false; 2]
    }

    /// Matrix products of (…, m, k) by (…, k, n) into a contiguous (…, m, n), all of one type and
    /// with equal leading axes (strides of zero where they are broadcast).
    fn matmul(
        &self,
        lhs: View<'_>,
        rhs: View<'_>,
        out: View<'_>,
        precision: MatmulPrecision,
    ) -> Result<(), Error>;

    /// Fills a contiguous view from the stream of `seed`, beginning at its 128-bit block `counter`.
    /// Element *i* depends on `seed`, `counter` and *i* only. Gives how many blocks it used.
    fn random(
        &self,
        kind: RandomKind,
        seed: u64,
        counter: u64,
        out: View<'_>,
    ) -> Result<u64, Error>;

    /// Copies bytes in; `start` counts bytes from the storage's beginning.
    fn copy_from_host(&self, data: &[u8], target: &Storage, start: usize) -> Result<(), Error>;

    /// Fills a storage, a piece at a time.
    fn fill(&self, target: &Storage, content: Content<'_>) -> Result<(), Error> {
        let mut piece = vec![0; FILLED_AT_ONCE.min(target.size_bytes())];
        for start in (0..target.size_bytes()).step_by(FILLED_AT_ONCE) {
            let bytes = &mut piece[..FILLED_AT_ONCE.min(target.size_bytes() - start)];
            (content.read)(start, bytes)?;
            self.copy_from_host(bytes, target, start)?;
        }
        Ok(())
    }

    /// Makes parts of the elements, as bytes.
    fn fill_parts(&self, target: &Storage, parts: Parts<'_>) -> Result<(), Error> {
        let Parts { mut start, lengths, make } = parts;
        let made: Vec<_> = lengths.iter().map(|length| Mutex::new(vec![0; *length])).collect();
        at_once(made.len(), &|number| {
            make(number, &mut made[number].lock().unwrap_or_else(PoisonError::into_inner));
        });
        for bytes in made {
            let bytes = bytes.into_inner().unwrap_or_else(PoisonError::into_inner);
            self.copy_from_host(&bytes, target, start)?;
            start += bytes.len();
        }
        Ok(())
    }

    /// Copies bytes out; `start` counts bytes from the storage's beginning.
    fn copy_to_host(&self, source: &Storage, start: usize, data: &mut [u8]) -> Result<(), Error>;

    /// The bytes themselves, from `start` on, where the host reaches the memory. Nobody may write to the storage while
    /// they are looked at.
    fn host_bytes<'a>(&self, source: &'a Storage, start: usize, length: usize) -> Option<&'a [u8]> {
        let _ = (source, start, length);
        None
    }

    /// Copies several pieces out, each a storage, a start in bytes and where it goes. A device that
    /// works behind the host's back waits once for all of them.
    fn copy_all_to_host(&self, pieces: &mut [(&Storage, usize, &mut [u8])]) -> Result<(), Error> {
        let mut pieces = pieces.iter_mut();
        pieces.try_for_each(|(source, start, data)| self.copy_to_host(source, *start, data))
    }

    /// Work on short rows without a program, where the host reaches the memory.
    fn lines(&self) -> Option<&dyn Lines> {
        None
    }

    /// Matrices taken apart, where the back end does that itself.
    fn factoriser(&self) -> Option<&dyn Factoriser> {
        None
    }

    /// Searches among sorted elements, where the back end does better than programs of comparisons.
    fn searcher(&self) -> Option<&dyn Searcher> {
        None
    }

    /// Fourier transforms.
    ///
    /// # Errors
    /// There are none here: why, and what to do about it.
    fn transformer(&self) -> Result<&dyn Transformer, Error> {
        Err(Error::Driver("this device transforms no lines".to_string()))
    }

    /// The stream that work goes to, for which new memory is asked.
    fn stream(&self) -> StreamId;

    /// Sends the work from here on to another stream. What earlier work on other streams does with
    /// a storage is waited for where it is used.
    ///
    /// # Errors
    /// The device has no such stream and can't make one.
    fn set_stream(&self, stream: StreamId) -> Result<(), Error>;

    /// The GPU behind it, if there is one: its kernels, its driver, its profile.
    fn cuda(&self) -> Option<&CudaBackend> {
        None
    }

    /// Whether starting a program costs something beside what it does, so that fewer launches of larger ones are better.
    fn launches_cost(&self) -> bool {
        false
    }

    /// How many kernels it has started. Copies and filling with zeros are none.
    fn kernels(&self) -> u64;

    /// Waits until all work is done.
    ///
    /// # Errors
    /// What went wrong in work that was still under way.
    fn synchronize(&self) -> Result<(), Error>;
}
