//! A device while somebody profiles: it works as ever, and notes what it was asked to do and how long that
//! took the host. On a GPU that is how long handing the work over took; the work's own times come from there
//! ([`KernelTime`](super::KernelTime)).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::cuda::CudaBackend;
use super::line::Lines;
use super::model::{bytes, extents, kind, reached};
use super::{
    Backend, Content, Error, Factorisation, Factoriser, Fourier, LeftFold, Mask, MatmulPrecision,
    Memo, Parts, RandomKind, Rows, ScatterOp, Searcher, Selection, Storage, Transformer, View,
    Work,
};
use crate::ir::{Access, Op, Program, ScanOp, Space};
use crate::memory::StreamId;

/// So many pieces of work are kept, and more only counted.
const MOST: usize = 1 << 20;

/// So many operations of a program are in its name.
const NAMED: usize = 4;

/// Something that a device was asked to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Worked {
    pub kind: WorkKind,
    pub name: String,
    pub begin: Instant,
    pub end: Instant,
    /// Read and written.
    pub bytes: u64,
}

/// What kind of work it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WorkKind {
    Plan,
    Kernel,
    Copy,
    Wait,
}

impl WorkKind {
    pub fn name(self) -> &'static str {
        match self {
            WorkKind::Plan => "plan",
            WorkKind::Kernel => "kernel",
            WorkKind::Copy => "copy",
            WorkKind::Wait => "wait",
        }
    }
}

/// What stands between an engine and a back end while somebody looks.
#[derive(Debug)]
pub(super) struct Profiler {
    real: Arc<dyn Backend>,
    is_on: AtomicBool,
    seen: Mutex<Vec<Worked>>,
}

impl Profiler {
    pub fn new(real: Arc<dyn Backend>) -> Profiler {
        Profiler { real, is_on: AtomicBool::new(false), seen: Mutex::default() }
    }

    #[inline]
    pub fn is_on(&self) -> bool {
        self.is_on.load(Ordering::Relaxed)
    }

    pub fn set(&self, is_on: bool) {
        self.is_on.store(is_on, Ordering::Relaxed);
        self.seen().clear();
    }

    /// What was seen so far.
    pub fn seen_so_far(&self) -> Vec<Worked> {
        self.seen().clone()
    }

    /// Does something, and notes it.
    pub fn during<T>(
        &self,
        kind: WorkKind,
        name: impl FnOnce() -> String,
        bytes: usize,
        run: impl FnOnce() -> T,
    ) -> T {
        let begin = Instant::now();
        let result = run();
        let end = Instant::now();
        let mut seen = self.seen();
        if seen.len() < MOST {
            seen.push(Worked { kind, name: name(), begin, end, bytes: bytes as u64 });
        }
        result
    }

    fn seen(&self) -> MutexGuard<'_, Vec<Worked>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn program<T>(
        &self,
        (program, space): (&Program, &Space),
        operands: [&[(&Storage, &Access)]; 2],
        run: impl FnOnce() -> T,
    ) -> T {
        let moved = operands.iter().flat_map(|all| all.iter());
        let moved = moved.map(|(storage, access)| reached(storage, access, space)).sum();
        self.during(
            WorkKind::Kernel,
            || format!("{} over {}", operations(program), extents(space)),
            moved,
            run,
        )
    }
}

/// `exp, sum, divide`: each once, without what only carries values.
fn operations(program: &Program) -> String {
    let mut names: Vec<String> = Vec::new();
    for instr in &program.instrs {
        let name = match &instr.op {
            Op::Const(_) | Op::Load { .. } => continue,
            Op::Reduce(op, _) => op.name().to_owned(),
            op => op.to_string().split(' ').next().unwrap_or_default().to_owned(),
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match names.len() {
        0 => "copy".to_owned(),
        1..=NAMED => names.join(", "),
        more => format!("{}, {} more", names[..NAMED].join(", "), more - NAMED),
    }
}

impl Backend for Profiler {
    fn run(
        &self,
        program: &Program,
        space: &Space,
        inputs: &[(&Storage, &Access)],
        outputs: &[(&Storage, &Access)],
    ) -> Result<(), Error> {
        self.program((program, space), [inputs, outputs], || {
            self.real.run(program, space, inputs, outputs)
        })
    }

    fn run_again(
        &self,
        memo: &Memo,
        program: &Program,
        space: &Space,
        inputs: &[(&Storage, &Access)],
        outputs: &[(&Storage, &Access)],
    ) -> Result<(), Error> {
        self.program((program, space), [inputs, outputs], || {
            self.real.run_again(memo, program, space, inputs, outputs)
        })
    }

    fn scatter(
        &self,
        op: ScatterOp,
        space: &Space,
        target: (&Storage, &Access),
        indices: &[View<'_>],
        values: View<'_>,
    ) -> Result<(), Error> {
        let moved = bytes(&values) * 2 + indices.iter().map(bytes).sum::<usize>();
        let name = || format!("scatter to {} over {}", target.0.dtype(), extents(space));
        self.during(WorkKind::Kernel, name, moved, || {
            self.real.scatter(op, space, target, indices, values)
        })
    }

    fn count_true(&self, mask: Mask<'_>) -> Result<Selection, Error> {
        let name = || format!("count a mask {}", mask.shape());
        self.during(WorkKind::Kernel, name, mask.bytes(), || self.real.count_true(mask))
    }

    fn prefers_bits(&self) -> bool {
        self.real.prefers_bits()
    }

    fn compress(
        &self,
        mask: Mask<'_>,
        selection: &Selection,
        values: View<'_>,
        out: View<'_>,
    ) -> Result<(), Error> {
        let moved = mask.bytes() + bytes(&values) + bytes(&out);
        let name = || format!("compact {}", kind(values.dtype(), &values.layout.shape));
        self.during(WorkKind::Kernel, name, moved, || {
            self.real.compress(mask, selection, values, out)
        })
    }

    fn positions(
        &self,
        mask: Mask<'_>,
        selection: &Selection,
        outs: &[View<'_>],
    ) -> Result<(), Error> {
        let moved = mask.bytes() + outs.iter().map(bytes).sum::<usize>();
        let name = || format!("places in a mask {}", mask.shape());
        self.during(WorkKind::Kernel, name, moved, || self.real.positions(mask, selection, outs))
    }

    fn scan(&self, op: ScanOp, input: View<'_>, axis: usize, out: View<'_>) -> Result<(), Error> {
        let name = || format!("scan {}", kind(input.dtype(), &input.layout.shape));
        self.during(WorkKind::Kernel, name, bytes(&input) + bytes(&out), || {
            self.real.scan(op, input, axis, out)
        })
    }

    fn fold_left(&self, fold: LeftFold<'_>) -> Result<(), Error> {
        let input = fold.input;
        let name =
            || format!("{} in turn {}", fold.op.name(), kind(input.dtype(), &input.layout.shape));
        let moved = fold.read_bytes() + fold.written_bytes();
        self.during(WorkKind::Kernel, name, moved, || self.real.fold_left(fold))
    }

    fn sort(
        &self,
        input: View<'_>,
        descending: bool,
        values: Option<View<'_>>,
        indices: Option<View<'_>>,
    ) -> Result<(), Error> {
        let moved = bytes(&input) + values.iter().chain(&indices).map(bytes).sum::<usize>();
        let name = || format!("sort {}", kind(input.dtype(), &input.layout.shape));
        self.during(WorkKind::Kernel, name, moved, || {
            self.real.sort(input, descending, values, indices)
        })
    }

    fn partition(&self, input: View<'_>, places: &[usize], values: View<'_>) -> Result<(), Error> {
        let name = || format!("partition {}", kind(input.dtype(), &input.layout.shape));
        self.during(WorkKind::Kernel, name, bytes(&input) + bytes(&values), || {
            self.real.partition(input, places, values)
        })
    }

    fn workspace(&self, work: Work<'_>) -> Option<Vec<usize>> {
        self.real.workspace(work)
    }

    fn matmul_wants_rows(&self, lhs: View<'_>, rhs: View<'_>) -> [bool; 2] {
        self.real.matmul_wants_rows(lhs, rhs)
    }

    fn matmul(
        &self,
        lhs: View<'_>,
        rhs: View<'_>,
        out: View<'_>,
        precision: MatmulPrecision,
    ) -> Result<(), Error> {
        let moved = bytes(&lhs) + bytes(&rhs) + bytes(&out);
        let (left, right) = (&lhs.layout.shape, &rhs.layout.shape);
        let name = || format!("product {} {left} @ {right}", lhs.dtype());
        self.during(WorkKind::Kernel, name, moved, || self.real.matmul(lhs, rhs, out, precision))
    }

    fn random(
        &self,
        kind_of: RandomKind,
        seed: u64,
        counter: u64,
        out: View<'_>,
    ) -> Result<u64, Error> {
        let name = || format!("random numbers {}", kind(out.dtype(), &out.layout.shape));
        self.during(WorkKind::Kernel, name, bytes(&out), || {
            self.real.random(kind_of, seed, counter, out)
        })
    }

    fn copy_from_host(&self, data: &[u8], target: &Storage, start: usize) -> Result<(), Error> {
        let name = || "from the host".to_owned();
        self.during(WorkKind::Copy, name, data.len(), || {
            self.real.copy_from_host(data, target, start)
        })
    }

    fn fill(&self, target: &Storage, content: Content<'_>) -> Result<(), Error> {
        let name = || "from a file".to_owned();
        self.during(WorkKind::Copy, name, target.size_bytes(), || self.real.fill(target, content))
    }

    fn fill_parts(&self, target: &Storage, parts: Parts<'_>) -> Result<(), Error> {
        let (name, bytes) = (|| "from a file".to_owned(), parts.lengths.iter().sum());
        self.during(WorkKind::Copy, name, bytes, || self.real.fill_parts(target, parts))
    }

    fn host_bytes<'a>(&self, source: &'a Storage, start: usize, length: usize) -> Option<&'a [u8]> {
        self.real.host_bytes(source, start, length)
    }

    fn copy_to_host(&self, source: &Storage, start: usize, data: &mut [u8]) -> Result<(), Error> {
        let name = || "to the host".to_owned();
        self.during(WorkKind::Copy, name, data.len(), || {
            self.real.copy_to_host(source, start, data)
        })
    }

    fn copy_all_to_host(&self, pieces: &mut [(&Storage, usize, &mut [u8])]) -> Result<(), Error> {
        let moved = pieces.iter().map(|(_, _, data)| data.len()).sum();
        let name = || "to the host".to_owned();
        self.during(WorkKind::Copy, name, moved, || self.real.copy_all_to_host(pieces))
    }

    fn lines(&self) -> Option<&dyn Lines> {
        self.real.lines()
    }

    fn factoriser(&self) -> Option<&dyn Factoriser> {
        self.real.factoriser().map(|_| self as &dyn Factoriser)
    }

    fn searcher(&self) -> Option<&dyn Searcher> {
        self.real.searcher().map(|_| self as &dyn Searcher)
    }

    fn transformer(&self) -> Result<&dyn Transformer, Error> {
        self.real.transformer().map(|_| self as &dyn Transformer)
    }

    fn stream(&self) -> StreamId {
        self.real.stream()
    }

    fn set_stream(&self, stream: StreamId) -> Result<(), Error> {
        self.real.set_stream(stream)
    }

    fn cuda(&self) -> Option<&CudaBackend> {
        self.real.cuda()
    }

    fn launches_cost(&self) -> bool {
        self.real.launches_cost()
    }

    fn kernels(&self) -> u64 {
        self.real.kernels()
    }

    fn synchronize(&self) -> Result<(), Error> {
        self.during(WorkKind::Wait, || "for all work".to_owned(), 0, || self.real.synchronize())
    }
}

impl Searcher for Profiler {
    fn search(
        &self,
        sorted: View<'_>,
        values: View<'_>,
        right: bool,
        out: View<'_>,
    ) -> Result<(), Error> {
        let Some(real) = self.real.searcher() else {
            return Err(Error::Driver("this device does not search".to_owned()));
        };
        let moved = [&sorted, &values, &out].into_iter().map(bytes).sum();
        let name = || format!("search {}", kind(values.dtype(), &values.layout.shape));
        self.during(WorkKind::Kernel, name, moved, || real.search(sorted, values, right, out))
    }
}

impl Factoriser for Profiler {
    fn takes(&self, what: Factorisation, sides: [usize; 2], count: usize) -> bool {
        self.real.factoriser().is_some_and(|real| real.takes(what, sides, count))
    }

    fn factorise(
        &self,
        what: Factorisation,
        inputs: &[View<'_>],
        outputs: &[View<'_>],
        flaws: View<'_>,
    ) -> Result<(), Error> {
        let Some(real) = self.real.factoriser() else {
            return Err(Error::Driver("this device takes no matrices apart".to_owned()));
        };
        let moved = inputs.iter().chain(outputs).map(bytes).sum();
        let of = &inputs[0];
        let name = || format!("{} {}", what.name(), kind(of.dtype(), &of.layout.shape));
        self.during(WorkKind::Kernel, name, moved, || real.factorise(what, inputs, outputs, flaws))
    }
}

impl Transformer for Profiler {
    fn is_limited(&self) -> bool {
        self.real.transformer().is_ok_and(Transformer::is_limited)
    }

    fn transform(
        &self,
        what: Fourier,
        rows: Rows,
        scale: f64,
        input: View<'_>,
        output: View<'_>,
    ) -> Result<(), Error> {
        let real = self.real.transformer()?;
        let name = || format!("{} of {} lines of {}", what.name(), rows.count(), rows.n);
        self.during(WorkKind::Kernel, name, bytes(&input) + bytes(&output), || {
            real.transform(what, rows, scale, input, output)
        })
    }
}
