//! The geometry of a scatter: which axes number its claims and which make its rows, and how slots
//! are counted. Nothing here touches a GPU.

use smallvec::SmallVec;

use crate::device::cuda::tiles::{common_axes, start};
use crate::device::{Storage, View};
use crate::ir::Access;
use crate::layout::Strides;

/// A scatter, cut in claims and rows as `kernels/scatter.cu` says.
pub struct Job<'a> {
    pub dims: &'a [usize],
    pub indices: &'a [View<'a>],
    pub values: View<'a>,
    /// Bytes of an element.
    pub size: usize,
    /// Whether each axis numbers the claims.
    is_claim: SmallVec<[bool; 6]>,
    pub claim_dims: SmallVec<[usize; 6]>,
    /// Slots from one coordinate to the next, along the claims' axes.
    pub slot_strides: Strides,
    /// Of the values, along the claims' axes.
    pub value_strides: Strides,
    /// The target's, along all axes.
    place_strides: &'a [isize],
    /// Extent of each index, and slots from one to the next.
    steps: SmallVec<[(usize, isize); 2]>,
    /// The slot of the claim whose coordinates and indices are zero.
    base: isize,
    /// Slots that claims may mean.
    pub slots: usize,
    /// Elements from one slot to the next.
    pub grain: usize,
    /// Where the element of slot zero lies that is the first of its row.
    pub target: u64,
}

/// Rows that lie in one piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// In elements.
    pub len: usize,
    /// Bytes that may be moved at once.
    pub unit: usize,
    /// Whether all elements of a row are the same value.
    pub is_spread: bool,
}

impl<'a> Job<'a> {
    pub fn new(
        dims: &'a [usize],
        storage: &Storage,
        access: &'a Access,
        indices: &'a [View<'a>],
        values: View<'a>,
    ) -> Job<'a> {
        let places = &access.strides[..];
        let rows_are_apart = are_apart(dims, access);
        let is_claim: SmallVec<[bool; 6]> = (0..dims.len())
            .map(|axis| {
                let changes = indices.iter().any(|index| index.layout.strides[axis] != 0);
                dims[axis] > 1 && (changes || places[axis] == 0 || !rows_are_apart)
            })
            .collect();
        let of_claims = |strides: &[isize]| -> Strides {
            let axes = strides.iter().zip(&is_claim);
            axes.filter(|(_, is_claim)| **is_claim).map(|(stride, _)| *stride).collect()
        };
        let claim_dims: SmallVec<[usize; 6]> =
            dims.iter().zip(&is_claim).filter(|(_, is)| **is).map(|(extent, _)| *extent).collect();
        let claim_places = of_claims(places);
        // An axis of length one has no second place; one of length zero takes no index at all.
        let gathered = access.gathered.iter().copied();
        let gathered: SmallVec<[(usize, isize); 2]> =
            gathered.map(|(extent, step)| (extent, if extent > 1 { step } else { 0 })).collect();
        let ways = || {
            claim_dims
                .iter()
                .copied()
                .zip(claim_places.iter().copied())
                .chain(gathered.iter().copied())
        };
        let grain = ways().fold(0, |grain, (_, stride)| gcd(grain, stride.unsigned_abs())).max(1);
        let far = |(extent, stride): (usize, isize)| (extent.max(1) as isize - 1) * stride;
        let low: isize = ways().map(|way| far(way).min(0)).sum();
        let high: isize = ways().map(|way| far(way).max(0)).sum();
        let in_slots = |stride: isize| stride / grain as isize;
        let size = storage.dtype().size();
        Job {
            dims,
            indices,
            values,
            size,
            slot_strides: claim_places.iter().map(|stride| in_slots(*stride)).collect(),
            value_strides: of_claims(&values.layout.strides),
            place_strides: places,
            steps: gathered.iter().map(|(extent, step)| (*extent, in_slots(*step))).collect(),
            base: -in_slots(low),
            slots: in_slots(high - low) as usize + 1,
            grain,
            target: storage
                .address()
                .wrapping_add_signed((access.offset as isize + low) as i64 * size as i64),
            is_claim,
            claim_dims,
        }
    }

    pub fn claims(&self) -> usize {
        self.claim_dims.iter().product()
    }

    /// Whether claims that meet bring the same values.
    pub fn is_same_for_all_claims(&self) -> bool {
        self.value_strides.iter().all(|stride| *stride == 0)
    }

    /// What belongs to the claims' axes.
    pub fn of_claims(&self, strides: &[isize]) -> Strides {
        let axes = strides.iter().zip(&self.is_claim);
        axes.filter(|(_, is_claim)| **is_claim).map(|(stride, _)| *stride).collect()
    }

    /// What belongs to the claims' axes, along all axes; zero along the others.
    pub fn spread_claim_strides(&self, strides: &[isize]) -> Strides {
        let mut strides = strides.iter();
        let along = |is_claim: &bool| if *is_claim { strides.next().copied() } else { None };
        self.is_claim.iter().map(along).map(Option::unwrap_or_default).collect()
    }

    /// Along the claims' axes, what counts the claims in row-major order.
    pub fn claim_numbers(&self) -> Strides {
        let mut step = 1;
        let mut strides = Strides::from_elem(0, self.claim_dims.len());
        for (stride, extent) in strides.iter_mut().zip(&self.claim_dims).rev() {
            *stride = step;
            step *= *extent as isize;
        }
        strides
    }

    /// The target's strides along the rows' axes; zero along the claims'.
    pub fn row_strides(&self) -> Strides {
        let axes = self.place_strides.iter().zip(&self.is_claim);
        axes.map(|(stride, is_claim)| if *is_claim { 0 } else { *stride }).collect()
    }

    /// The extents of the rows' axes, and their strides in the target and in the values.
    fn rows(&self) -> (SmallVec<[usize; 6]>, Vec<Strides>) {
        let pick = |strides: &[isize]| -> Strides {
            let axes = strides.iter().zip(&self.is_claim);
            axes.filter(|(_, is_claim)| !**is_claim).map(|(stride, _)| *stride).collect()
        };
        let axes = self.dims.iter().zip(&self.is_claim);
        let dims: SmallVec<[usize; 6]> =
            axes.filter(|(_, is_claim)| !**is_claim).map(|(extent, _)| *extent).collect();
        common_axes(&dims, [pick(self.place_strides), pick(&self.values.layout.strides)])
    }

    /// The rows, if each lies in one piece.
    pub fn row(&self) -> Option<Row> {
        let (dims, strides) = self.rows();
        let ([len], [[1], [along @ (0 | 1)]]) = (&dims[..], [&strides[0][..], &strides[1][..]])
        else {
            return None;
        };
        let is_spread = *along == 0;
        let mut odds = self.target | (len * self.size) as u64;
        if self.slots > 1 {
            odds |= (self.grain * self.size) as u64;
        }
        if !is_spread {
            odds |= start(self.values);
            odds |= self
                .value_strides
                .iter()
                .fold(0, |all, stride| all | (stride.unsigned_abs() * self.size))
                as u64;
        }
        let unit = 1 << odds.trailing_zeros().min(4);
        Some(Row { len: *len, unit, is_spread })
    }

    /// The extents of the rows' axes, and the bytes of `struct RowAxes`.
    pub fn row_axes(&self) -> (SmallVec<[usize; 6]>, Vec<u8>) {
        let (dims, strides) = self.rows();
        let mut words = vec![dims.len() as u64];
        for (axis, extent) in dims.iter().enumerate() {
            words.push(*extent as u64);
            words.extend(strides.iter().map(|strides| strides[axis] as i64 as u64));
        }
        words.resize(words.len().max(4), 0);
        (dims, words.iter().flat_map(|word| word.to_ne_bytes()).collect())
    }

    /// The value of the macro INDICES.
    pub fn index_count(&self) -> String {
        self.indices.len().to_string()
    }

    /// `struct Indices`.
    pub fn index_bytes(&self) -> Vec<u8> {
        let mut words: Vec<u64> = Vec::with_capacity(3 * self.indices.len() + 4);
        let mut table = |word: &dyn Fn(usize) -> u64| {
            words.extend((0..self.indices.len()).map(word));
            // The kernel's arrays have one row at the least.
            words.extend(self.indices.is_empty().then_some(0));
        };
        table(&|number| start(self.indices[number]));
        table(&|number| self.steps[number].0 as u64);
        table(&|number| self.steps[number].1 as i64 as u64);
        words.push(self.base as i64 as u64);
        words.iter().flat_map(|word| word.to_ne_bytes()).collect()
    }
}

/// Whether different coordinates along an axis never mean the same place, whatever the indices are:
/// each stride reaches beyond all shorter ones together.
fn are_apart(dims: &[usize], access: &Access) -> bool {
    let axes = dims.iter().copied().zip(access.strides.iter().copied());
    let mut ways: SmallVec<[(usize, usize); 8]> = axes
        .chain(access.gathered.iter().copied())
        .filter(|(extent, stride)| *extent > 1 && *stride != 0)
        .map(|(extent, stride)| (stride.unsigned_abs(), extent))
        .collect();
    ways.sort_unstable();
    let mut below = 0;
    ways.into_iter().all(|(stride, extent)| {
        let is_beyond = stride > below;
        below += (extent - 1) * stride;
        is_beyond
    })
}

fn gcd(mut left: usize, mut right: usize) -> usize {
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}
