//! Which of several things have to go, so that what is left over is enough: as few as possible.

/// The most that are looked for together before all are taken and what is not needed is put back.
const TOGETHER: usize = 3;

/// Of so many, the heaviest, those are looked for that are enough together.
const HEAVIEST: usize = 32;

/// Sets of things, each the fewest and lightest that are enough, found by asking `is_enough`, which gives
/// none where it can't be said any more; none are found where nothing has to go. `weights` says how much each brings and `least` how much a set must
/// bring at least. Only single things come as more than one set, no more than `most`.
pub fn enough(
    weights: &[u64],
    least: u64,
    most: usize,
    mut is_enough: impl FnMut(&[usize]) -> Option<bool>,
) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by_key(|at| weights[*at]);
    if is_enough(&order) != Some(true) || is_enough(&[]) == Some(true) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for count in 1..=TOGETHER {
        let among =
            if count == 1 { &order } else { &order[order.len().saturating_sub(HEAVIEST)..] };
        let mut sets = sets(among, count);
        let weight = |set: &Vec<usize>| set.iter().map(|at| weights[*at]).sum::<u64>();
        sets.retain(|set| weight(set) >= least);
        sets.sort_by_key(weight);
        for set in sets {
            match is_enough(&set) {
                Some(true) => found.push(set),
                Some(false) => {}
                None => break,
            }
            if found.len() == if count == 1 { most } else { 1 } {
                return found;
            }
        }
        if !found.is_empty() {
            return found;
        }
    }
    // The lightest stay, as many as may.
    let mut all = order.clone();
    for at in order {
        let rest: Vec<usize> = all.iter().copied().filter(|other| *other != at).collect();
        match is_enough(&rest) {
            Some(true) => all = rest,
            Some(false) => {}
            None => break,
        }
    }
    vec![all]
}

/// All sets of `count` out of some.
fn sets(of: &[usize], count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (at, first) in of.iter().enumerate() {
        for mut rest in sets(&of[at + 1..], count - 1) {
            rest.insert(0, *first);
            all.push(rest);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(weights: &[u64], need: u64) -> Vec<Vec<usize>> {
        enough(weights, need, 3, |set| Some(set.iter().map(|at| weights[*at]).sum::<u64>() >= need))
    }

    #[test]
    fn the_fewest_and_lightest_are_found() {
        assert_eq!(found(&[400, 4, 500, 450], 430), [[3], [2]]);
        assert_eq!(found(&[400, 4, 500, 450], 400), [[0], [3], [2]]);
        assert_eq!(found(&[3, 4, 5, 6], 9), [[0, 3]]);
        assert_eq!(found(&[3, 4, 5, 6], 15), [[1, 2, 3]]);
        assert_eq!(found(&[3, 4, 5, 6, 1], 18), [[0, 1, 2, 3]]);
        assert_eq!(found(&[3, 4], 8), Vec::<Vec<usize>>::new());
        assert_eq!(found(&[], 1), Vec::<Vec<usize>>::new());
    }

    #[test]
    fn where_nothing_more_can_be_said_what_is_known_is_true() {
        let mut asked = 0;
        let sets = enough(&[1, 2, 3, 4, 5], 14, 3, |set| {
            asked += 1;
            (asked < 3).then_some(set.len() == 5)
        });
        assert_eq!(sets, [[0, 1, 2, 3, 4]]);
        assert_eq!(enough(&[1], 1, 3, |_| None), Vec::<Vec<usize>>::new());
        assert_eq!(enough(&[1], 1, 3, |_| Some(true)), Vec::<Vec<usize>>::new());
    }
}
