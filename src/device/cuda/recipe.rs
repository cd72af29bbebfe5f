//! What codegen planned for a launch, kept so that the same launch elsewhere in memory needs no plan.
//!
//! Codegen says what a launch's parameters are; that addresses enter them by addition only is
//! found out here, by planning once more with every operand moved, and comparing. Alignments, of operands that
//! may be moved several elements at a time, and operands that are one are part of what a recipe is for; everything
//! else is the route's.

use smallvec::SmallVec;

use super::batch::Spans;
use super::context::Grid;
use super::graph::Replay;
use super::kernel::Kernel;
use crate::codegen::{Form, Job, Launch, Operand};
use crate::device::{Error, Storage};
use crate::dtype::DType;
use crate::ir::{Access, Space};

/// Two addresses with the same rest are equally aligned for every access that a kernel makes.
const ALIGNMENT: u64 = 128;

/// Operands are moved by different multiples of this to see where their addresses are used.
const MOVE: u64 = 1 << 40;

/// How the operands of a route are reached, wherever they lie: inputs, then outputs.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Operands {
    inputs: usize,
    /// The offsets say how far the elements lie before the first point's; where that one lies is
    /// the place's.
    all: SmallVec<[(DType, Access); 4]>,
}

impl Operands {
    pub fn new(
        space: &Space,
        inputs: &[(&Storage, &Access)],
        outputs: &[(&Storage, &Access)],
    ) -> Operands {
        let operand =
            |(storage, access): &(&Storage, &Access)| (storage.dtype(), based(space, access));
        Operands { inputs: inputs.len(), all: inputs.iter().chain(outputs).map(operand).collect() }
    }

    /// Shows the operands at a place to `plan`: inputs and outputs.
    pub fn with<T>(
        &self,
        place: &Place,
        plan: impl FnOnce(&[Operand<'_>], &[Operand<'_>]) -> T,
    ) -> T {
        let mut all: SmallVec<[Operand<'_>; 4]> = SmallVec::new();
        for ((dtype, access), spot) in self.all.iter().zip(&place.spots) {
            let begin = spot.address.wrapping_sub((access.offset * dtype.size()) as u64);
            all.push(Operand { dtype: *dtype, address: begin, len: spot.len, access });
        }
        plan(&all[..self.inputs], &all[self.inputs..])
    }

    /// A bit for each operand whose neighbours never lie together, so that it makes no difference how it is aligned.
    pub fn loose(&self) -> u64 {
        let is_loose = |access: &Access| {
            let mut steps = access.strides.iter().chain(access.gathered.iter().map(|(_, it)| it));
            !access.strides.is_empty() && steps.all(|step| step.unsigned_abs() != 1)
        };
        let bit = |(at, (_, access)): (usize, &(DType, Access))| u64::from(is_loose(access)) << at;
        self.all.iter().take(64).enumerate().map(bit).sum()
    }

    /// How far each operand reaches from its first point, in bytes before and behind it. None where one is reached
    /// by indices.
    pub fn reach(&self, space: &Space) -> Option<SmallVec<[(u64, u64); 4]>> {
        let of = |(dtype, access): &(DType, Access)| {
            let walked = space.dims.iter().zip(&access.strides);
            let forward = walked.filter(|(_, stride)| **stride > 0);
            let ahead: usize =
                forward.map(|(dim, stride)| dim.saturating_sub(1) * stride.unsigned_abs()).sum();
            let bytes = |elements: usize| (elements * dtype.size()) as u64;
            access.gathered.is_empty().then(|| (bytes(access.offset), bytes(ahead + 1)))
        };
        self.all.iter().map(of).collect()
    }

    /// How many of them are inputs.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Bytes that must move at the least: an axis that an operand does not walk along costs
    /// nothing.
    pub fn traffic(&self, space: &Space) -> u64 {
        let of = |(dtype, access): &(DType, Access)| {
            let walked = space.dims.iter().zip(&access.strides);
            let points: usize =
                walked.filter(|(_, stride)| **stride != 0).map(|(dim, _)| dim).product();
            (points * dtype.size()) as u64
        };
        self.all.iter().map(of).sum()
    }
}

/// The same way through memory, with an offset of as many elements as it may reach back from its
/// first point.
fn based(space: &Space, access: &Access) -> Access {
    let walked = space.dims.iter().copied().zip(access.strides.iter().copied());
    let backwards = walked.chain(access.gathered.iter().copied()).filter(|(_, stride)| *stride < 0);
    let back = backwards.map(|(dim, stride)| dim.saturating_sub(1) * stride.unsigned_abs());
    Access { offset: back.sum(), ..access.clone() }
}

/// Where the operands of a launch lie.
#[derive(Debug, Clone)]
pub struct Place {
    spots: SmallVec<[Spot; 4]>,
}

#[derive(Debug, Clone, Copy)]
struct Spot {
    /// Of the element at the access's offset.
    address: u64,
    /// Elements of the whole storage.
    len: usize,
    /// The first operand whose storage this is.
    first: u16,
}

impl Place {
    pub fn new(inputs: &[(&Storage, &Access)], outputs: &[(&Storage, &Access)]) -> Place {
        let all = || inputs.iter().chain(outputs);
        let spot = |(storage, access): &(&Storage, &Access)| Spot {
            address: storage.address() + (access.offset * storage.dtype().size()) as u64,
            len: storage.len(),
            first: all().position(|(other, _)| std::ptr::eq(*other, *storage)).unwrap_or(0) as u16,
        };
        Place { spots: all().map(spot).collect() }
    }

    /// From where to where operands lie that reach so far.
    pub fn spans(&self, reach: &[(u64, u64)]) -> Spans {
        let span = |(spot, (before, behind)): (&Spot, &(u64, u64))| {
            (spot.address.wrapping_sub(*before), spot.address.wrapping_add(*behind))
        };
        self.spots.iter().zip(reach).map(span).collect()
    }

    /// Whether a plan for one place is the plan for the other, but for addresses.
    fn is_like(&self, other: &Place, loose: u64) -> bool {
        let alike = |(at, (a, b)): (usize, (&Spot, &Spot))| {
            let is_aligned_alike = (a.address ^ b.address) % ALIGNMENT == 0;
            (is_aligned_alike || is_in(loose, at)) && a.len == b.len && a.first == b.first
        };
        let mut pairs = self.spots.iter().zip(&other.spots).enumerate();
        self.spots.len() == other.spots.len() && pairs.all(alike)
    }

    /// The same with every operand somewhere else, each by its own distance.
    fn moved(&self, loose: u64) -> Place {
        let mut moved = self.clone();
        for (at, spot) in moved.spots.iter_mut().enumerate() {
            spot.address = spot.address.wrapping_add(distance(at, loose));
        }
        moved
    }
}

fn is_in(loose: u64, operand: usize) -> bool {
    operand < 64 && loose >> operand & 1 == 1
}

/// Where it makes no difference how an operand is aligned, it is aligned otherwise there.
fn distance(operand: usize, loose: u64) -> u64 {
    (operand as u64 + 1) * MOVE + u64::from(is_in(loose, operand)) * 8
}

/// The launches for one kind of place.
#[derive(Debug)]
pub struct Recipe {
    place: Place,
    /// See [`Operands::loose`].
    loose: u64,
    pub choice: u8,
    /// Whether it serves other places than the one that it was made for.
    pub is_general: bool,
    pub scratch: usize,
    pub choices: u8,
    pub can_fail: bool,
    /// Goes before the steps, whose kernels its graph holds.
    pub replay: Replay,
    pub steps: SmallVec<[Step; 1]>,
}

/// One launch.
#[derive(Debug)]
pub struct Step {
    pub form: Form,
    pub kernel: Kernel,
    pub grid: Grid,
    pub params: Params,
}

/// The bytes of a launch's parameters, and where addresses stand in them.
#[derive(Debug)]
pub struct Params {
    bytes: Vec<u8>,
    patches: SmallVec<[Patch; 4]>,
}

/// A word of the parameters that is an operand's address and something.
#[derive(Debug, Clone, Copy)]
struct Patch {
    /// In words of 8 bytes.
    word: u16,
    operand: u16,
    added: u64,
}

impl Recipe {
    /// From the plans of a place. `prepare` finds the kernel of a launch.
    ///
    /// # Errors
    /// A kernel can't be compiled.
    pub fn new(
        (place, loose): (&Place, u64),
        choice: u8,
        plan: impl Fn(&Place) -> Job,
        mut prepare: impl FnMut(&Launch) -> Result<(Kernel, Grid), Error>,
    ) -> Result<Recipe, Error> {
        let job = plan(place);
        let find = |loose: u64| patches_of(place, loose, &job, &plan(&place.moved(loose)));
        let (patches, loose) = match find(loose) {
            None if loose != 0 => (find(0), 0),
            patches => (patches, loose),
        };
        let is_general = patches.is_some();
        let mut patches = patches.unwrap_or_default().into_iter();
        let mut steps = SmallVec::new();
        for launch in job.launches {
            let (kernel, grid) = prepare(&launch)?;
            let patches = patches.next().unwrap_or_default();
            let Launch { form, params: bytes, .. } = launch;
            steps.push(Step { form, kernel, grid, params: Params { bytes, patches } });
        }
        let Job { scratch, choices, can_fail, .. } = job;
        Ok(Recipe {
            place: place.clone(),
            loose,
            choice,
            is_general,
            scratch,
            choices,
            can_fail,
            replay: Replay::default(),
            steps,
        })
    }

    /// The step of a recipe that is one launch, has no memory of its own and needs not be asked how it went.
    pub fn only_step(&mut self) -> Option<&mut Step> {
        let is_plain = self.is_general && self.scratch == 0 && !self.can_fail;
        match &mut *self.steps {
            [step] if is_plain => Some(step),
            _ => None,
        }
    }

    pub fn serves(&self, place: &Place) -> bool {
        self.place.is_like(place, self.loose)
    }
}

impl Params {
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Puts in the addresses of a place. The bytes begin with three words that are no operand's.
    pub fn fill(&mut self, head: &[u64; 3], place: &Place) {
        let own = head.iter().enumerate().map(|(word, value)| (word, *value));
        let addresses = self.patches.iter().map(|patch| {
            let spot = place.spots[patch.operand as usize];
            (patch.word as usize, spot.address.wrapping_add(patch.added))
        });
        for (word, value) in own.chain(addresses) {
            self.bytes[word * 8..][..8].copy_from_slice(&value.to_le_bytes());
        }
    }
}

/// Where each launch's parameters hold addresses, if that is all in which the plans differ. The
/// second plan is of the moved place.
fn patches_of(
    place: &Place,
    loose: u64,
    job: &Job,
    moved: &Job,
) -> Option<Vec<SmallVec<[Patch; 4]>>> {
    let is_same = (job.scratch, job.choices, job.can_fail, job.launches.len())
        == (moved.scratch, moved.choices, moved.can_fail, moved.launches.len());
    let launches = || job.launches.iter().zip(&moved.launches);
    let facts = |launch: &Launch| (launch.grid, launch.block, launch.shared, launch.params.len());
    if !is_same || !launches().all(|(a, b)| a.form == b.form && facts(a) == facts(b)) {
        return None;
    }
    let patches = |(own, moved): (&Launch, &Launch)| {
        let (own, own_rest) = own.params.as_chunks::<8>();
        let (moved, moved_rest) = moved.params.as_chunks::<8>();
        if own_rest != moved_rest {
            return None;
        }
        let mut patches = SmallVec::new();
        let pairs =
            own.iter().zip(moved).map(|(a, b)| (u64::from_le_bytes(*a), u64::from_le_bytes(*b)));
        for (word, (value, elsewhere)) in pairs.enumerate().filter(|(_, (a, b))| a != b) {
            let by = elsewhere.wrapping_sub(value);
            let operand = (0..place.spots.len()).find(|operand| distance(*operand, loose) == by)?;
            let added = value.wrapping_sub(place.spots[operand].address);
            patches.push(Patch { word: word as u16, operand: operand as u16, added });
        }
        Some(patches)
    };
    launches().map(patches).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codegen::{self, Chip};
    use crate::device::cpu::tests::Random;
    use crate::device::cpu::tests::random_programs::{Case, case};

    const CHIP: Chip = Chip { multiprocessors: 132, threads: 2048, shared: 232_448 };

    /// Operands of a case somewhere in memory; storages of 512-aligned blocks.
    fn place(random: &mut Random, case: &Case, loose: u64) -> Place {
        let spot = |(at, access): (usize, &Access)| {
            let size = dtype(case, at).size();
            let address = 0x7000_0000_0000 + random.below(1 << 20) as u64 * 512;
            let is_shifted = match loose >> at & 1 {
                1 => random.below(2) == 0,
                _ => random.below(8) == 0,
            };
            let offset = access.offset + if is_shifted { random.below(64) } else { 0 };
            Spot { address: address + (offset * size) as u64, len: case.lens[at], first: at as u16 }
        };
        Place { spots: case.accesses.iter().enumerate().map(spot).collect() }
    }

    fn dtype(case: &Case, operand: usize) -> DType {
        let inputs = case.program.inputs.len();
        match operand.checked_sub(inputs) {
            None => case.program.inputs[operand],
            Some(output) => case.program.output_dtype(output),
        }
    }

    #[test]
    fn a_recipe_says_what_the_plan_of_each_place_says() {
        let random = &mut Random(11);
        let (mut general, mut served, mut loosely) = (0, 0, 0);
        for _ in 0..400 {
            let case = case(random);
            let all = case
                .accesses
                .iter()
                .enumerate()
                .map(|(at, access)| (dtype(&case, at), based(&case.space, access)));
            let operands = Operands { inputs: case.program.inputs.len(), all: all.collect() };
            let plan = |place: &Place| {
                operands.with(place, |inputs, outputs| {
                    codegen::plan(&case.program, &case.space, inputs, outputs, &CHIP, 0)
                })
            };
            let loose = if case.program.has_reduce() { operands.loose() } else { 0 };
            let home = place(random, &case, loose);
            let job = plan(&home);
            let moved = plan(&home.moved(loose));
            let Some(patches) = patches_of(&home, loose, &job, &moved) else { continue };
            general += 1;
            for _ in 0..20 {
                let away = place(random, &case, loose);
                if !home.is_like(&away, loose) {
                    continue;
                }
                served += 1;
                loosely += usize::from(!home.is_like(&away, 0));
                let expected = plan(&away);
                assert_eq!(expected.launches.len(), job.launches.len());
                for (at, launch) in expected.launches.iter().enumerate() {
                    let bytes = job.launches[at].params.clone();
                    let mut params = Params { bytes, patches: patches[at].clone() };
                    params.fill(&[0; 3], &away);
                    assert_eq!(params.bytes(), launch.params, "{}", case.program);
                    assert_eq!(job.launches[at].form, launch.form);
                    assert_eq!(job.launches[at].grid, launch.grid);
                }
            }
        }
        assert!(general > 390 && served > 1000, "{general} general, {served} served");
        assert!(loosely > 0, "none served that is aligned otherwise");
    }
}
