//! Where a request could lie among neighbours that are free or have no memory behind them: the place
//! that lacks least.

/// A block of a run: one that may be used, or addresses without memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    pub address: u64,
    pub bytes: usize,
    pub is_backed: bool,
}

/// A place for a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spot {
    /// The addresses that it takes up, from the first part to the last.
    pub start: u64,
    pub end: u64,
    /// What must get memory: where each part begins, and how long it is.
    pub gaps: Vec<(u64, usize)>,
    /// Bytes of the gaps.
    pub missing: usize,
    /// Bytes of the run that it lies in.
    room: usize,
}

impl Spot {
    /// The better of two lacks less, leaves longer runs alone, and lies lower.
    pub fn is_better_than(&self, other: &Spot) -> bool {
        (self.missing, self.room, self.start) < (other.missing, other.room, other.start)
    }

    /// The beginning of addresses that nobody has used.
    pub fn fresh(address: u64, bytes: usize) -> Spot {
        let end = address + bytes as u64;
        Spot { start: address, end, gaps: vec![(address, bytes)], missing: bytes, room: usize::MAX }
    }
}

/// The best place for `bytes` in a run of parts that lie side by side. Parts without memory begin at
/// pages and are whole pages long, and so are gaps.
pub(super) fn best_spot(run: &[Part], bytes: usize, page: usize) -> Option<Spot> {
    let room: usize = run.iter().map(|part| part.bytes).sum();
    if room < bytes {
        return None;
    }
    let mut best: Option<Spot> = None;
    let mut offer = |spot: Option<Spot>| {
        if let Some(spot) = spot
            && best.as_ref().is_none_or(|best| spot.is_better_than(best))
        {
            best = Some(spot);
        }
    };
    for at in 0..run.len() {
        offer(take(run[at..].iter(), bytes, page, room, true));
        offer(take(run[..=at].iter().rev(), bytes, page, room, false));
    }
    best
}

/// Parts one after the other until there is room for all of it; of the last one, what is needed, on
/// the side of those before.
fn take<'a>(
    parts: impl Iterator<Item = &'a Part>,
    bytes: usize,
    page: usize,
    room: usize,
    is_upward: bool,
) -> Option<Spot> {
    let (mut left, mut missing, mut gaps) = (bytes, 0, Vec::new());
    let (mut start, mut end) = (u64::MAX, 0);
    for part in parts {
        let behind = part.address + part.bytes as u64;
        let (mut from, mut to) = (part.address, behind);
        if !part.is_backed {
            let len = part.bytes.min(left.next_multiple_of(page));
            match is_upward {
                true => to = from + len as u64,
                false => from = to - len as u64,
            }
            gaps.push((from, len));
            missing += len;
        }
        (start, end) = (start.min(from), end.max(to));
        left = left.saturating_sub((to - from) as usize);
        if left == 0 {
            return Some(Spot { start, end, gaps, missing, room });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: usize = 100;

    fn run(parts: &[(usize, bool)]) -> Vec<Part> {
        let mut address = 1000;
        let part = |(bytes, is_backed): &(usize, bool)| {
            let part = Part { address, bytes: *bytes, is_backed: *is_backed };
            address += *bytes as u64;
            part
        };
        parts.iter().map(part).collect()
    }

    fn gaps(parts: &[(usize, bool)], bytes: usize) -> Option<Vec<(u64, usize)>> {
        best_spot(&run(parts), bytes, PAGE).map(|spot| spot.gaps)
    }

    #[test]
    fn the_place_that_lacks_least_is_found() {
        assert_eq!(gaps(&[(300, true), (500, false)], 900), None);
        // Behind what is free, before it, and on both sides.
        assert_eq!(gaps(&[(350, true), (500, false)], 450), Some(vec![(1350, 100)]));
        assert_eq!(gaps(&[(500, false), (350, true)], 460), Some(vec![(1300, 200)]));
        let both = gaps(&[(200, false), (300, true), (200, false)], 650);
        assert_eq!(both, Some(vec![(1000, 200), (1500, 200)]));
        // From one free block over a gap to the next.
        assert_eq!(
            gaps(&[(150, true), (100, false), (250, true), (900, false)], 500),
            Some(vec![(1150, 100)])
        );
        assert_eq!(gaps(&[(600, false)], 250), Some(vec![(1000, 300)]));
    }

    #[test]
    fn a_short_run_is_used_before_a_long_one() {
        let (short, long) = (run(&[(300, false)]), run(&[(900, false)]));
        let (short, long) =
            (best_spot(&short, 300, PAGE).unwrap(), best_spot(&long, 300, PAGE).unwrap());
        assert!(short.is_better_than(&long) && !long.is_better_than(&short));
    }
}
