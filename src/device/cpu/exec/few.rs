//! What kernels read from afar and write around the caches, a few lanes at a time with them: so memory is at work all
//! along, and what lies between stays in the nearest cache.

use super::block;
use super::frame::Frame;
use super::geometry::Block;
use super::lines;
use super::pattern;
use super::plan::{Slot, Step, Store, Work};
use super::steps::Launch;

/// Lanes on which kernels follow one another, where the widest type has four bytes.
pub(super) const FEW_LANES: usize = 512;

/// The same where it has so many: as many bytes.
pub(super) fn few_lanes(widest: u8) -> usize {
    4 * FEW_LANES / usize::from(widest)
}

/// The same where what they make goes around the caches: reads of the next lanes wait behind these writes.
pub(super) fn streamed_lanes(widest: u8) -> usize {
    few_lanes(widest) / 2
}

/// The same, at the most: see `Launch::few`.
pub(super) fn most_few(widest: u8) -> usize {
    4 * few_lanes(widest)
}

/// An input whose lanes lie apart, at one distance, or two of them that lie in each other's gaps.
#[derive(Debug, Clone, Copy)]
pub struct Picked {
    slot: Slot,
    /// Where a few lanes of it are put side by side.
    home: *mut u8,
    /// The same for those between them.
    between: Option<*mut u8>,
    from: *const u8,
    stride: isize,
    size: usize,
}

/// An output that kernels make in lanes of their own.
#[derive(Debug, Clone, Copy)]
pub struct Streamed {
    pub slot: Slot,
    pub to: *mut u8,
    pub size: usize,
}

impl Picked {
    /// Puts `n` lanes side by side, from lane `first` of the block on.
    ///
    /// # Safety
    /// The block has these lanes, and there is room for as many.
    pub unsafe fn load(&self, first: usize, n: usize) {
        // SAFETY: the caller's.
        unsafe {
            match self.size {
                1 => self.load_as::<u8>(first, n),
                2 => self.load_as::<u16>(first, n),
                4 => self.load_as::<u32>(first, n),
                _ => self.load_as::<u64>(first, n),
            }
        }
    }

    /// [`Picked::load`] of lanes as long as `T`.
    unsafe fn load_as<T: Copy>(&self, first: usize, n: usize) {
        let from = self.from.wrapping_offset(first as isize * self.stride);
        let home = self.home.cast::<T>();
        // SAFETY: the caller's.
        unsafe {
            match self.between {
                Some(between) => pattern::unweave([home, between.cast()], from.cast(), n),
                None => pattern::pick(home, from, self.stride, n),
            }
        }
    }
}

impl Streamed {
    /// Writes `n` lanes to where they belong from lane `first` of the block on.
    ///
    /// # Safety
    /// The block has these lanes, which are at `from`.
    pub unsafe fn store(&self, from: *const u8, first: usize, n: usize) {
        // SAFETY: the caller's.
        unsafe { block::stream_run(from, self.to.add(first * self.size), n * self.size) };
    }
}

impl Launch<'_> {
    /// Whether the loop that makes an output writes it around the caches itself, whole lines of theirs at a time.
    pub fn goes_around(&self, store: &Store, place: *mut u8, block: &Block) -> bool {
        let size = self.operands[self.inputs + store.output as usize].size;
        let extent = block.dims.last().copied().unwrap_or(0);
        let may_be_lined =
            block.dims.len() > 1 && lines::are_worth_it(extent, self.form.plan.widest);
        let is_whole = |at: usize| at.is_multiple_of(64);
        if !is_whole(place.addr()) || may_be_lined && !is_whole(extent * size) {
            return false;
        }
        let mut steps = self.form.plan.passes.iter().flat_map(|pass| &pass.element);
        let is_read = steps.clone().any(|step| step.work.operands().contains(&store.slot));
        let made = steps.find(|step| step.out == store.slot).map(|step| &step.work);
        let is_made = matches!(made, Some(Work::Fused(code, _)) if code.may_go_around());
        is_made && !is_read
    }

    /// A block's lanes of an input that nothing but light kernels reads, if they lie apart at one distance.
    pub fn picked(
        &self,
        input: u16,
        step: &Step,
        home: *mut u8,
        frame: &Frame,
        block: &Block,
    ) -> Option<Picked> {
        let [rest @ .., extent] = &block.dims[..] else { return None };
        let stride = *self.strides(input as usize, block).last()?;
        let size = usize::from(step.size);
        let is_apart =
            self.form.plan.is_light() && stride != 0 && stride != size as isize && *extent > 1;
        let from = self.place(input as usize, frame, block).cast_const();
        (is_apart && rest.iter().all(|extent| *extent == 1)).then_some(Picked {
            slot: step.out,
            home,
            between: None,
            from,
            stride,
            size,
        })
    }
}

impl Frame {
    /// Forgets what came with the lanes of other kernels, and makes outputs stay in one place.
    pub fn begin_few(&mut self) {
        self.picked.clear();
        for streamed in &self.streamed {
            self.advance[streamed.slot as usize] = 0;
        }
    }

    /// Has lanes put side by side as kernels come to them.
    pub fn pick_few(&mut self, picked: Picked) {
        self.at[picked.slot as usize] = picked.home;
        self.advance[picked.slot as usize] = 0;
        let size = picked.size as isize;
        let is_other = |other: &&mut Picked| {
            let apart = other.from.addr().abs_diff(picked.from.addr());
            let of_both = (other.size, other.stride, other.between, apart);
            of_both == (picked.size, picked.stride, None, picked.size)
        };
        match self.picked.iter_mut().find(is_other).filter(|_| picked.stride == 2 * size) {
            Some(other) => {
                let is_first = other.from < picked.from;
                let (first, second) = if is_first { (*other, picked) } else { (picked, *other) };
                *other = Picked { between: Some(second.home), ..first };
            }
            None => self.picked.push(picked),
        }
    }
}
