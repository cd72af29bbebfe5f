//! How many threads share a row, what they keep, and how many blocks do.
//!
//! Everything follows from the shape, the operands and the chip, so results are the same from run to
//! run. The aims: some 100 bytes under way in each thread, whole cache lines, every multiprocessor
//! busy, and rows read from memory once.

use super::super::{COUNTERS, Chip};
use super::fold::Fold;
use super::form::{Keep, Lanes};
use super::geometry::Geometry;
use super::passes::{Passes, regs};
use super::shared_len;
use crate::ir::{Domain, Program};

/// Bytes that a thread has under way or keeps.
const THREAD_BYTES: usize = 128;

/// Bytes that a thread has under way where it reads elements one by one: an H200's memory gives 16 of eight bytes
/// half as fast as 8.
const SINGLE_BYTES: usize = 64;

/// Elements that a thread has under way: each is a register in the end.
const THREAD_ELEMENTS: usize = 64;

/// Instructions of all elements that a thread has under way: their text is written out for each.
const THREAD_WORK: usize = 800;

/// Bytes that a thread keeps, if a block can be large enough: with more of them fewer blocks have
/// room on a multiprocessor.
const HELD_BYTES: usize = 80;

/// Moves of a thread that writes what it has kept, where they are less than a vector, and the most where it would else
/// take more threads than a warp, which meet in shared memory: with more, too few neighbours write beside each other.
/// The same of 16 bits or fewer one by one. Measured on an H200.
const NARROW_STEPS: [usize; 2] = [5, 8];
const HALF_STEPS: [usize; 2] = [8, 12];

/// Bytes of such a thread at most.
const NARROW_BYTES: usize = 48;

/// Bytes that a thread of the largest blocks has under way.
const BLOCK_BYTES: usize = 64;

const WARP: usize = 32;

/// Threads of a block where nothing asks for more.
const BLOCK: usize = 256;

/// Threads of a block where several share a row: larger blocks leave fewer parts to join.
const SPLIT_BLOCK: usize = 512;

/// Bytes and elements that a thread has under way there. Narrow elements widen as they are folded, and
/// registers for more of them cost more threads than they are worth.
const SPLIT_BYTES: usize = 64;
const SPLIT_ELEMENTS: usize = 16;

/// Threads of a block at most.
const MAX_BLOCK: usize = 1024;

/// Bytes of shared memory that a kernel may declare.
const STATIC_SHARED: usize = 48 << 10;

/// The same as in `RowsForm`, and how many blocks share a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    pub threads: usize,
    pub groups: usize,
    pub steps: usize,
    pub keep: Keep,
    /// None: one kernel runs all passes, each row by one block.
    pub splits: Option<usize>,
}

/// What an element costs a thread, in the pass that costs most.
#[derive(Debug, Clone, Copy)]
struct Cost {
    /// Bytes that are under way or wait.
    bytes: usize,
    /// Instructions.
    work: usize,
}

/// What a choice looks at.
pub struct Choice<'a> {
    pub geometry: &'a Geometry,
    pub chip: &'a Chip,
    passes: usize,
    /// Whether something is written for each element.
    writes_elements: bool,
    /// Where nothing waits, and where values wait in registers.
    streamed: Cost,
    held: Cost,
    /// Bytes an element of operands that all rows share, which a multiprocessor's cache holds.
    shared_by_rows: usize,
    /// Bytes an element of what may wait in shared memory.
    shared: usize,
    /// Bytes of the largest accumulator.
    accumulator: usize,
}

impl<'a> Choice<'a> {
    /// `kept` is the program's passes with values that wait.
    pub fn new(
        program: &Program,
        kept: &Passes,
        geometry: &'a Geometry,
        chip: &'a Chip,
    ) -> Choice<'a> {
        // Without values that wait the passes are the same.
        let own = (!kept.kept.is_empty()).then(|| Passes::new(program, false));
        let fresh = own.as_ref().unwrap_or(kept);
        let folds = regs(program).filter_map(|reg| Fold::new(program, reg, geometry.is_wide));
        let cost =
            |passes: &Passes| Cost { bytes: passes.bytes(program), work: passes.work(program) };
        Choice {
            geometry,
            chip,
            passes: kept.passes.len(),
            writes_elements: program.outputs.iter().any(|output| output.domain == Domain::Element),
            streamed: cost(fresh),
            held: cost(kept),
            shared_by_rows: geometry.shared_by_rows(program),
            shared: kept.places(program).1,
            accumulator: folds.map(|fold| fold.size()).max().unwrap_or(0),
        }
    }

    /// The likely best way.
    pub fn first(&self) -> Shape {
        match self.geometry.lanes {
            Lanes::Along if self.passes > 1 => self.several_along(),
            Lanes::Along => self.one_along(),
            Lanes::Across => self.across(),
        }
    }

    /// All ways, the likely best first, and how many of them are worth a trial.
    pub fn all(&self) -> (Vec<Shape>, usize) {
        let first = self.first();
        let mut shapes = vec![first];
        let add = |shapes: &mut Vec<Shape>, others: Vec<Shape>| {
            for other in others {
                if !shapes.contains(&other) {
                    shapes.push(other);
                }
            }
        };
        add(&mut shapes, self.variants(first));
        let worthwhile = shapes.len();
        add(&mut shapes, self.last_resorts(first));
        (shapes, worthwhile)
    }

    /// The ways that larger rows would take, or that fewer would: for tests and measurements.
    fn last_resorts(&self, first: Shape) -> Vec<Shape> {
        let steps = self.streamed_steps().min(4);
        let streamed = Shape { keep: Keep::Nothing, steps, splits: None, ..first };
        let mut found = Vec::new();
        let blocks = self.geometry.rows().div_ceil(first.groups);
        if blocks <= COUNTERS {
            found.push(Shape { splits: Some(3), ..streamed });
        }
        if self.passes > 1 {
            found.push(streamed);
            let is_along = self.geometry.lanes == Lanes::Along;
            if is_along && self.shared_bytes() + 4096 <= self.chip.shared as usize {
                found.push(Shape { keep: Keep::Shared, groups: 1, threads: 64, ..streamed });
            }
        }
        found
    }

    fn processors(&self) -> usize {
        self.chip.multiprocessors.max(1) as usize
    }

    /// Whether so many blocks, of which a multiprocessor runs one at a time, leave few multiprocessors idle at the end.
    fn fill(&self, blocks: usize) -> bool {
        let wave = self.processors();
        4 * blocks >= 3 * wave * blocks.div_ceil(wave)
    }

    /// How many blocks share what `blocks` would do alone, so that a multiprocessor has `each`.
    fn splits(&self, each: usize, blocks: usize, tiles: usize) -> usize {
        (each * self.processors() / blocks.max(1)).clamp(1, tiles.max(1))
    }

    /// Vectors in a row.
    fn vectors(&self) -> usize {
        self.geometry.row_len().div_ceil(self.geometry.vector).max(1)
    }

    /// How many vectors of elements of this cost a thread takes.
    fn steps(&self, cost: Cost) -> usize {
        let vector = self.geometry.vector;
        let most = if vector == 1 { 16 } else { 8 };
        let elements = THREAD_ELEMENTS.min(THREAD_WORK / cost.work.max(1));
        (THREAD_BYTES / (vector * cost.bytes).max(1)).min(elements / vector).clamp(1, most)
    }

    /// Bytes an element that come from near by: of long rows too many threads ask at once for what they share.
    fn near_bytes(&self) -> usize {
        if self.vectors() <= MAX_BLOCK { self.shared_by_rows } else { 0 }
    }

    /// The same where nothing waits.
    fn streamed_steps(&self) -> usize {
        let most = match self.geometry.vector {
            1 => SINGLE_BYTES / self.streamed.bytes.saturating_sub(self.near_bytes()).max(1),
            _ => usize::MAX,
        };
        self.steps(self.streamed).min(most.max(1))
    }

    /// Rows of a block that is shared by several.
    fn groups(&self, threads: usize) -> usize {
        if threads > WARP {
            return 1;
        }
        let spread = self.geometry.rows().div_ceil(4 * self.processors()).next_power_of_two();
        spread.clamp(WARP / threads, BLOCK / threads)
    }

    /// The fewest threads that should share a row: neighbours then read whole cache lines.
    fn fewest(&self, vectors: usize) -> usize {
        vectors.next_power_of_two().min(8)
    }

    /// One pass, lanes along the row.
    fn one_along(&self) -> Shape {
        let (rows, vectors) = (self.geometry.rows(), self.vectors());
        let most = self.streamed_steps();
        let keep = Keep::Nothing;
        let few = rows < 2 * self.processors();
        let share = vectors.div_ceil(most).next_power_of_two();
        if few && vectors > MAX_BLOCK * most.min(4) {
            return self.split_along(most);
        }
        let threads = match few {
            true => vectors.next_power_of_two().min(MAX_BLOCK),
            // Who moves less than a vector at once has more loads under way the fewer it shares a row with.
            false if self.geometry.is_narrow() => share.min(BLOCK),
            // A row of a few elements is for one thread.
            false => share.clamp(self.fewest(vectors.div_ceil(4)), BLOCK),
        };
        let steps = vectors.div_ceil(threads).min(most);
        Shape { threads, groups: self.groups(threads), steps, keep, splits: None }
    }

    /// Several passes, lanes along the row.
    fn several_along(&self) -> Shape {
        let (rows, vectors) = (self.geometry.rows(), self.vectors());
        let most = self.steps(self.held);
        if vectors <= MAX_BLOCK * most {
            let held = HELD_BYTES / (self.geometry.vector * self.held.bytes).max(1);
            let share = self.holders(vectors, most.min(held.max(4)));
            // Neighbours that write vectors of different rows would write parts of many lines; else a row of a few
            // elements is for one thread, with which nobody has to agree.
            let together = match (self.writes_elements, self.geometry.vector) {
                (true, 2..) => self.fewest(vectors),
                (false, _) if self.geometry.is_narrow() => 1,
                _ => self.fewest(vectors.div_ceil(4)),
            };
            let mut threads = share.max(together).min(MAX_BLOCK);
            let whole = vectors.next_power_of_two().min(MAX_BLOCK);
            while threads < whole && rows * threads < 512 * self.processors() {
                threads *= 2;
            }
            let (steps, groups) = (vectors.div_ceil(threads), self.groups(threads));
            return Shape { threads, groups, steps, keep: Keep::Registers, splits: None };
        }
        let most = self.streamed_steps();
        // More would not leave registers for the threads of a large block; shorter vectors, as those of rows of
        // odd lengths, leave room for as many bytes.
        let vector = self.geometry.vector * self.streamed.bytes.max(1);
        let steps = most.min((BLOCK_BYTES / vector).max(4));
        if self.shared_bytes() + 4096 <= self.chip.shared as usize {
            let fits_twice = 2 * (self.shared_bytes() + 4096) <= self.chip.shared as usize;
            let threads = if fits_twice { 512 } else { MAX_BLOCK };
            return Shape { threads, groups: 1, steps, keep: Keep::Shared, splits: None };
        }
        // Blocks that have a row each load elements one by one more slowly than several that share it, in every pass.
        let is_slow = self.geometry.is_narrow() && self.passes > 2;
        if self.fill(rows) && !is_slow {
            let keep = Keep::Nothing;
            return Shape { threads: MAX_BLOCK, groups: 1, steps, keep, splits: None };
        }
        self.split_along(most)
    }

    /// Threads that keep a row, each at most so many vectors.
    fn holders(&self, vectors: usize, most: usize) -> usize {
        let share = |most: usize| vectors.div_ceil(most).next_power_of_two();
        let geometry = self.geometry;
        if !geometry.is_narrow() || !self.writes_elements {
            return share(most);
        }
        let is_half = geometry.vector == 1 && geometry.widest <= 2;
        let [few, many] = if is_half { HALF_STEPS } else { NARROW_STEPS };
        let threads = share(most.min(few));
        if threads <= WARP {
            return threads;
        }
        let bytes = NARROW_BYTES / (geometry.vector * self.held.bytes).max(1);
        share(most.min(many).min(bytes.max(1))).max(WARP)
    }

    /// Rows that are shared by blocks.
    fn split_along(&self, most: usize) -> Shape {
        let (rows, vectors) = (self.geometry.rows(), self.vectors());
        let (vector, bytes) = (self.geometry.vector, self.streamed.bytes.max(1));
        let enough = (SPLIT_BYTES / (vector * bytes)).min(SPLIT_ELEMENTS / vector).max(1);
        let mut steps = most.min(enough);
        while steps > 2 && vectors.div_ceil(SPLIT_BLOCK * steps) * rows < self.processors() {
            steps /= 2;
        }
        // All run at the same time, or in two whole waves.
        let splits = Some(self.splits(4, rows, vectors.div_ceil(SPLIT_BLOCK * steps)));
        Shape { threads: SPLIT_BLOCK, groups: 1, steps, keep: Keep::Nothing, splits }
    }

    /// Bytes of what waits in shared memory.
    pub fn shared_bytes(&self) -> usize {
        self.shared * shared_len(self.geometry)
    }

    /// Lanes across rows.
    fn across(&self) -> Shape {
        let geometry = self.geometry;
        let columns = geometry.rows().div_ceil(geometry.vector);
        let wide = columns.next_power_of_two();
        let len = geometry.row_len().max(1);
        let most_steps = self.steps(self.held);
        let room = STATIC_SHARED / (geometry.vector * self.accumulator).max(1);
        let most = (room / 2 + 1).next_power_of_two().clamp(32, MAX_BLOCK);
        let share = len.div_ceil(most_steps).next_power_of_two();
        // So many columns that a step reads whole lines of the cache, or half as many, if all is kept then.
        let whole = wide.min(geometry.line_vectors());
        let half = (whole / 2).max(wide.min(8));
        let narrow = if share * whole > most && share * half <= most { half } else { whole };
        if self.passes > 1 && share * narrow <= most {
            let groups = wide.min((BLOCK / share).max(narrow));
            let threads = share.max(WARP.div_ceil(groups));
            let steps = len.div_ceil(threads);
            return Shape { threads, groups, steps, keep: Keep::Registers, splits: None };
        }
        let keep = Keep::Nothing;
        let mut steps = self.streamed_steps().min(len);
        if self.passes > 1 && columns.div_ceil(narrow) * 4 >= 3 * self.processors() {
            let threads = (512.min(most) / narrow).min(len.next_power_of_two());
            return Shape { threads, groups: narrow, steps, keep, splits: None };
        }
        let first = len.div_ceil(steps).next_power_of_two().min(8);
        let groups = wide.min(BLOCK / first);
        let deep = (BLOCK / groups).min(len.div_ceil(steps).next_power_of_two());
        let threads = deep.max(WARP.div_ceil(groups));
        let blocks = columns.div_ceil(groups);
        while steps > 2 && len.div_ceil(threads * steps) * blocks < self.processors() {
            steps /= 2;
        }
        if blocks >= 2 * self.processors() || len <= threads * steps {
            return Shape { threads, groups, steps, keep, splits: None };
        }
        let deep = (SPLIT_BLOCK.min(most) / groups).min(len.div_ceil(steps).next_power_of_two());
        let threads = deep.max(threads);
        let splits = self.splits(2, blocks, len.div_ceil(threads * steps));
        // Whoever is alone has nothing to join.
        Shape { threads, groups, steps, keep, splits: (splits > 1).then_some(splits) }
    }

    /// Other ways than the first.
    fn variants(&self, first: Shape) -> Vec<Shape> {
        let vectors = self.vectors();
        let is_along = self.geometry.lanes == Lanes::Along;
        let mut found = Vec::new();
        if is_along && first.keep == Keep::Registers {
            for threads in [first.threads / 2, first.threads * 2] {
                let steps = vectors.div_ceil(threads.max(1));
                if (1..=MAX_BLOCK).contains(&threads) && steps <= 2 * self.steps(self.held) {
                    let groups = self.groups(threads);
                    found.push(Shape { threads, groups, steps, ..first });
                }
            }
        } else if is_along && first.splits.is_none() && first.keep == Keep::Nothing {
            for threads in [first.threads / 2, first.threads * 2, first.threads * 4] {
                if (self.fewest(vectors)..=MAX_BLOCK.min(2 * vectors)).contains(&threads) {
                    let steps = vectors.div_ceil(threads).min(self.streamed_steps());
                    let groups = self.groups(threads);
                    found.push(Shape { threads, groups, steps, ..first });
                }
            }
        }
        if let Some(splits) = first.splits {
            found.push(Shape { splits: Some(splits.div_ceil(2)), ..first });
            if first.steps > 2 {
                found.push(Shape { steps: first.steps / 2, ..first });
            }
            if is_along {
                found.push(Shape { threads: 2 * first.threads, ..first });
            }
        }
        found
    }
}
