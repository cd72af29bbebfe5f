//! Few long lines, cut in tiles that are read once: tiles publish their totals, and those before a tile are joined in
//! groups of a fixed size.
//!
//! Which kernel goes through the tiles is the chip's: results do not tell.

use std::sync::Arc;

use super::{Job, Reads, SCAN, WARP};
use crate::codegen::Chip;
use crate::device::cuda::args::Args;
use crate::device::cuda::context::Grid;
use crate::device::cuda::streams::{REPAIRS, WORDS};
use crate::device::cuda::tiles::{Axes, start};
use crate::device::{Error, Storage};

/// Warps of a tile, at the most.
pub(super) const TILE_WARPS: usize = 8;
/// Elements that a lane of a tile folds one after the other; and of 16 bits or fewer, of which more fit its registers.
pub(super) const TILE_RUN: usize = 16;
pub(super) const NARROW_TILE_RUN: usize = 32;
/// Tiles of a group, and groups of a group of those: `GROUPED`.
pub(super) const GROUPED: usize = 64;
/// Tiles that a block of `scan_tiles` holds: `RING`.
const RING: usize = 3;
/// Up to so many bytes for each multiprocessor tiles have a block each: to go on from tile to tile pays where more come.
const WAVE_BYTES: usize = 160 << 10;
/// Tiles that are made as long as each other, because the last may else be nearly empty.
const EVEN_TILES: usize = 4;
/// Bytes of what is known of a line that has to be folded again, whatever the fold: `Repair`.
const REPAIR: usize = 32;
/// Blocks that look for tiles to fold again, together with those of all lines, about.
pub(super) const REPAIR_BLOCKS: usize = 256;

/// How lines are cut.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tiles {
    reads: Reads,
    /// Packs that a lane holds.
    rows: usize,
    warps: usize,
    /// Tiles of a line, their groups, and groups of those.
    count: usize,
    groups: usize,
    wholes: usize,
}

/// Where tiles tell each other what they hold. Where a line is one tile there is none of it, and `taken` is null.
#[derive(Default)]
struct Board {
    begins: u64,
    words: u64,
    tag: u64,
    repairs: u64,
    arrived: u64,
    taken: u64,
    /// Goes back as soon as the launches are made: it is reused in stream order.
    _memory: Option<Arc<Storage>>,
}

impl Tiles {
    pub(super) fn of(job: &Job<'_>, reads: Reads) -> Tiles {
        let run = if job.fold.size <= 2 { NARROW_TILE_RUN } else { TILE_RUN };
        let share = WARP * run;
        // Short lines leave no warp without work.
        let warps = match job.len.div_ceil(share * TILE_WARPS) {
            1 => job.len.div_ceil(share).next_power_of_two(),
            tiles if tiles <= EVEN_TILES => job.len.div_ceil(share * tiles).next_multiple_of(2),
            _ => TILE_WARPS,
        };
        let count = job.len.div_ceil(warps * share);
        let groups = count.div_ceil(GROUPED);
        let wholes = groups.div_ceil(GROUPED);
        Tiles { reads, rows: run / reads.pack, warps, count, groups, wholes }
    }

    /// Blocks that a multiprocessor is to hold: registers that go to memory cost more than warps bring.
    fn resident(&self, job: &Job<'_>) -> usize {
        let of_whole_tiles = match job.fold.size {
            _ if job.fold.repairs => 2,
            8 => 2,
            4 => 4,
            _ => 3,
        };
        of_whole_tiles * TILE_WARPS / self.warps.max(2)
    }

    /// Bytes of the tiles that a block holds, with what keeps lanes off each other's banks.
    fn ring(&self, job: &Job<'_>) -> usize {
        let packs = WARP * self.rows;
        RING * self.warps * (packs + packs / 8) * self.reads.pack * job.fold.size
    }

    fn board(&self, job: &Job<'_>, is_wave: bool) -> Result<Board, Error> {
        let (lines, fold) = (job.lines(), job.fold);
        let (words, counters) = match self.count {
            1 => (0, 0),
            _ => (
                lines * (self.count + self.groups + self.wholes),
                lines * (self.groups + self.wholes),
            ),
        };
        let word_bytes = words * 16 * fold.acc.div_ceil(8);
        let [begin_bytes, repair_bytes] = match fold.repairs {
            true => [lines * self.count * fold.acc, lines * REPAIR],
            false => [0, 0],
        };
        if is_wave && word_bytes <= WORDS && repair_bytes <= REPAIRS {
            // The stream's own memory does, of which nothing has to be made zero.
            let ((words, tag), repairs) = (job.context.words(), job.context.repairs());
            let memory = if begin_bytes > 0 { Some(job.scratch(begin_bytes)?) } else { None };
            let begins = memory.as_ref().map_or(0, |memory| memory.address());
            let arrived = job.context.counters();
            return Ok(Board { begins, words, tag, repairs, arrived, taken: 0, _memory: memory });
        }
        // All begin at multiples of 16; what has to be zero comes last.
        let words_at = begin_bytes.next_multiple_of(16);
        let repairs_at = words_at + word_bytes;
        let arrived_at = repairs_at + repair_bytes;
        let taken_at = arrived_at + 4 * counters;
        let bytes = if self.count > 1 { taken_at + 4 } else { arrived_at };
        let memory = if bytes > 0 { Some(job.scratch(bytes)?) } else { None };
        let base = memory.as_ref().map_or(0, |memory| memory.address());
        let [begins, words, repairs, arrived, taken] =
            [0, words_at, repairs_at, arrived_at, taken_at].map(|at| base + at as u64);
        if bytes > words_at {
            job.context.fill(words, 0, bytes - words_at)?;
        }
        let taken = if self.count > 1 { taken } else { 0 };
        Ok(Board { begins, words, tag: 1, repairs, arrived, taken, _memory: memory })
    }

    /// Scans all lines of the job.
    pub(super) fn run<'a>(&self, job: &Job<'_>, axes: &'a Axes, chip: &Chip) -> Result<(), Error> {
        let (lines, threads) = (job.lines(), (self.warps * WARP) as u32);
        let resident = self.resident(job);
        let [pack, rows, warps, blocks] =
            [self.reads.pack, self.rows, self.warps, resident].map(|number| number.to_string());
        let launch = |part: &str, name: &str, grid: Grid, args: Args<'a>, traffic: u64| {
            let defines = axes.defines([
                ("ITEM", job.fold.item),
                ("FOLD", job.fold.name),
                ("PACK", &*pack),
                ("APART", self.reads.apart_text()),
                ("ROWS", &rows),
                ("GROUP", "32"),
                ("WARPS", &warps),
                ("BLOCKS", &blocks),
                ("PART", part),
            ]);
            let kernel = job.context.kernels.family(&SCAN, name, &defines)?;
            let args = args.u64(job.len as u64).stride(job.steps[0]).stride(job.steps[1]);
            job.context.launch(&kernel, grid, &mut args.axes(axes), traffic)
        };
        let operands = || Args::new().address(start(job.input)).address(start(job.out));

        let room = chip.multiprocessors as usize * resident;
        let bytes = lines * job.len * job.fold.size;
        let ring = self.ring(job);
        let is_wave =
            bytes <= WAVE_BYTES * chip.multiprocessors as usize || ring > chip.shared as usize;
        let (name, grid) = if is_wave {
            ("scan_wave", Grid::line((lines * self.count) as u32, threads))
        } else {
            ("scan_tiles", Grid { blocks: [room as u32, 1, 1], threads, shared: ring as u32 })
        };
        let board = self.board(job, is_wave)?;
        let args = operands().address(board.words).u64(board.tag).address(board.arrived);
        let args = args.address(board.taken).address(board.begins).address(board.repairs);
        let args = args.u32(self.count as u32).u64(lines as u64);
        launch("TILES", name, grid, args, job.traffic())?;

        if job.fold.repairs {
            let args = operands().address(board.begins).address(board.repairs).u64(board.tag);
            let looking = self.count.min(REPAIR_BLOCKS.div_ceil(lines));
            let grid = Grid { blocks: [looking as u32, lines as u32, 1], threads, shared: 0 };
            launch("REPAIR", "scan_repair", grid, args.u32(self.count as u32), 0)?;
        }
        Ok(())
    }
}
