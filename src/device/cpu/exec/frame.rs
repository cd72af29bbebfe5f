//! A thread's registers: buffers for blocks of lanes, and where each register's lanes are now.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};

use smallvec::SmallVec;

use super::super::fused::Input;
use super::block;
use super::few::{Picked, Streamed, most_few};
use super::gather::Offsets;
use super::geometry::Walk;
use super::plan::{Plan, Slot};

const ALIGN: usize = 64;

/// Scratch memory that grows and is kept between launches.
#[derive(Debug)]
struct Arena {
    start: *mut u8,
    bytes: usize,
}

impl Arena {
    fn reserve(&mut self, bytes: usize) {
        if bytes <= self.bytes {
            return;
        }
        self.release();
        let layout = Self::layout(bytes);
        // SAFETY: the layout's size is not zero.
        self.start = unsafe { alloc_zeroed(layout) };
        if self.start.is_null() {
            handle_alloc_error(layout);
        }
        self.bytes = bytes;
    }

    fn release(&mut self) {
        if self.bytes > 0 {
            // SAFETY: it was allocated with this very layout.
            unsafe { dealloc(self.start, Self::layout(self.bytes)) };
            self.bytes = 0;
        }
    }

    fn layout(bytes: usize) -> Layout {
        Layout::from_size_align(bytes, ALIGN).unwrap_or(Layout::new::<u64>())
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        self.release();
    }
}

/// Where a slot's lanes lie of which nothing but fused loops reads.
#[derive(Debug, Clone, Copy)]
pub struct Lined {
    pub slot: Slot,
    /// Bytes from line to line.
    pub step: isize,
    /// Whether there is one lane, which stands for all of a line.
    pub is_one: bool,
}

/// Where a fused loop finds a slot's lanes in a block.
#[derive(Debug, Clone, Copy)]
pub struct Reads {
    at: *const u8,
    /// Bytes from line to line, and from lane to lane.
    down: isize,
    across: usize,
    /// What the loop is told.
    step: isize,
    is_one: bool,
}

impl Reads {
    /// From a lane of a line on.
    #[inline]
    pub fn from(&self, (line, lane): (usize, usize)) -> Input {
        let offset = line as isize * self.down + (lane * self.across) as isize;
        Input { at: self.at.wrapping_offset(offset), step: self.step, is_one: self.is_one }
    }
}

/// See the module's head.
#[derive(Debug)]
pub struct Frame {
    arena: Arena,
    /// Where the lanes of each slot are.
    pub at: Vec<*mut u8>,
    /// Bytes from lane to lane of each slot for the steps that run: see [`Plan::advance`].
    pub advance: Vec<u8>,
    /// Each buffer's address.
    buffers: Vec<*mut u8>,
    /// Each kept value's address, for a whole row.
    kept: Vec<*mut u8>,
    /// The present row and point.
    pub row: Walk,
    pub point: Walk,
    /// What comes and goes with the few lanes that kernels are at.
    pub picked: SmallVec<[Picked; 3]>,
    pub streamed: SmallVec<[Streamed; 1]>,
    /// What loops write around the caches where it belongs.
    pub around: SmallVec<[Slot; 1]>,
    /// Slots at which there is one value for all lanes, for the steps that run.
    pub still: SmallVec<[Slot; 4]>,
    /// The row's values of which this is so, with the bytes of each; or of which there is one value for all lanes of a
    /// row, where rows of this many lanes lie one behind the other.
    pub row_points: SmallVec<[(Slot, u8); 4]>,
    pub row_len: Option<usize>,
    /// The lanes of a line where slots do not go on from line to line as other lanes do, and these slots.
    pub line: usize,
    pub lined: SmallVec<[Lined; 4]>,
    /// A gather's offsets.
    pub offsets: Offsets,
    extra: *mut u8,
}

// SAFETY: a frame owns its arena; the pointers lead into it or into operands of the launch that
// uses it now, which one thread does at a time.
unsafe impl Send for Frame {}
// SAFETY: other threads only read the addresses of row values, while nobody writes them.
unsafe impl Sync for Frame {}

impl Default for Frame {
    fn default() -> Frame {
        Frame {
            arena: Arena { start: std::ptr::null_mut(), bytes: 0 },
            at: Vec::new(),
            advance: Vec::new(),
            buffers: Vec::new(),
            kept: Vec::new(),
            row: Walk::default(),
            point: Walk::default(),
            picked: SmallVec::new(),
            streamed: SmallVec::new(),
            around: SmallVec::new(),
            still: SmallVec::new(),
            row_points: SmallVec::new(),
            row_len: None,
            line: 0,
            lined: SmallVec::new(),
            offsets: Offsets::default(),
            extra: std::ptr::null_mut(),
        }
    }
}

impl Frame {
    /// How loops over lines of `line` lanes read a slot, whose lanes have so many bytes.
    pub fn reads(&self, slot: Slot, size: usize, line: usize) -> Reads {
        let at = self.at[slot as usize].cast_const();
        if let Some(Lined { step, is_one, .. }) = self.lined.iter().find(|own| own.slot == slot) {
            let across = if *is_one { 0 } else { size };
            return Reads { at, down: *step, across, step: *step, is_one: *is_one };
        }
        let is_one = self.still.contains(&slot);
        let across = self.advance[slot as usize] as usize;
        let step = if is_one { 0 } else { (line * size) as isize };
        Reads { at, down: (self.line * across) as isize, across, step, is_one }
    }

    /// The line of a block's lane, and which of its lanes that is.
    #[inline]
    pub fn line_of(&self, lane: usize) -> (usize, usize) {
        if self.lined.is_empty() { (0, lane) } else { (lane / self.line, lane % self.line) }
    }

    /// Lays the plan's buffers out for blocks of `lanes` lanes, with room for `row_len` elements of
    /// each kept value and `extra` bytes more, and fills in the constants.
    pub fn prepare(&mut self, plan: &Plan, lanes: usize, row_len: usize, extra: usize) -> *mut u8 {
        // An odd number of lines between buffers, lest they all fall on the same lines of the
        // cache.
        let padded = |bytes: usize| bytes.next_multiple_of(ALIGN) + ALIGN * 5;
        let of_buffers: usize =
            plan.buffers.iter().map(|size| padded(*size as usize * lanes)).sum();
        let of_kept: usize = plan.kept.iter().map(|size| padded(*size as usize * row_len)).sum();
        self.arena.reserve(of_buffers + of_kept + padded(extra) + ALIGN);
        let mut next = self.arena.start;
        let mut take = |bytes: usize| {
            let place = next;
            next = next.wrapping_add(padded(bytes));
            place
        };
        self.buffers.clear();
        self.buffers.extend(plan.buffers.iter().map(|size| take(*size as usize * lanes)));
        self.kept.clear();
        self.kept.extend(plan.kept.iter().map(|size| take(*size as usize * row_len)));
        self.offsets.forget();
        self.picked.clear();
        self.streamed.clear();
        self.row_points.clear();
        self.row_len = None;
        self.at.clear();
        self.at.resize(plan.slots, std::ptr::null_mut());
        self.take_homes(&plan.homes);
        for (slot, bits, size) in &plan.consts {
            // Kernels, which follow one another, read the same few lanes again and again.
            let is_short = plan.short_consts.contains(slot);
            let lanes = if is_short { lanes.min(2 * most_few(plan.widest)) } else { lanes };
            // SAFETY: the constant's buffer holds `lanes` lanes of its size.
            unsafe { block::fill(self.at[*slot as usize], *bits, *size as usize, lanes) };
        }
        self.extra = take(extra);
        self.extra
    }

    /// The room asked for beyond the buffers.
    pub fn extra(&self) -> *mut u8 {
        self.extra
    }

    /// Points slots at their own buffers.
    #[inline]
    pub fn take_homes(&mut self, homes: &[(Slot, u16)]) {
        for (slot, home) in homes {
            self.at[*slot as usize] = self.buffers[*home as usize];
        }
    }

    #[inline]
    pub fn take_advance(&mut self, advance: &[u8]) {
        self.advance.clear();
        self.advance.extend_from_slice(advance);
        self.still.clear();
        self.lined.clear();
        for at in 0..self.row_points.len() {
            let (slot, size) = self.row_points[at];
            match self.row_len {
                Some(line) => self.line_up(line, Lined { slot, step: size.into(), is_one: true }),
                None => {
                    self.advance[slot as usize] = 0;
                    self.still.push(slot);
                }
            }
        }
    }

    /// Has a slot's lanes found line by line.
    pub fn line_up(&mut self, line: usize, lined: Lined) {
        self.line = line;
        self.advance[lined.slot as usize] = 0;
        self.lined.push(lined);
    }

    /// How many lanes kernels go over next, of `left` that are left of `n`: some `few`, whole lines or a part of one
    /// where there are such.
    #[inline]
    pub fn next_few(&self, (left, n): (usize, usize), few: usize) -> usize {
        let (few, left) = match (self.lined.is_empty(), self.line) {
            (true, _) => (few, left),
            (false, line) if line <= few => (few - few % line, left),
            (false, line) => (few, line - (n - left) % line),
        };
        // The last lanes are not left alone.
        if left < 2 * few { left } else { few }
    }

    #[inline]
    pub fn home(&self, buffer: u16) -> *mut u8 {
        self.buffers[buffer as usize]
    }

    /// Has the kept values of another frame, which lives longer, for its own: threads keep to separate lanes.
    pub fn share_kept(&mut self, other: &Frame) {
        self.kept.clone_from(&other.kept);
    }

    /// Points kept values at their lanes from `position` on.
    #[inline]
    pub fn take_kept(&mut self, plan: &Plan, kept: &[(Slot, u16)], position: usize) {
        for (slot, number) in kept {
            let offset = position * plan.kept[*number as usize] as usize;
            self.at[*slot as usize] = self.kept[*number as usize].wrapping_add(offset);
        }
    }
}
