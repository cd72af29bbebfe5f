//! "Did you mean": the known name nearest to a misspelt one.

use super::{ErrorKind, Fault};

/// The candidate that the fewest edits (insert, delete, replace, swap of neighbours) separate from
/// `word`, if it is near enough to be worth naming.
pub fn did_you_mean<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    nearest(word, &mut candidates.into_iter())
}

fn nearest<'a>(word: &str, candidates: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = match word.chars().count() {
        0..=1 => 0,
        2..=4 => 1,
        5..=7 => 2,
        _ => 3,
    };
    candidates
        .filter(|candidate| *candidate != word)
        .map(|candidate| (distance(&word.to_lowercase(), &candidate.to_lowercase()), candidate))
        .filter(|(edits, candidate)| *edits <= limit && *edits < candidate.chars().count())
        .min_by_key(|(edits, candidate)| {
            // As near as another, but the word was begun well: `of` means `off`, not `on`.
            let is_begun = candidate.to_lowercase().starts_with(&word.to_lowercase());
            (*edits, !is_begun, candidate.len(), *candidate)
        })
        .map(|(_, candidate)| candidate)
}

/// The error for a name that stands for nothing here, with what it may have been meant for.
#[cold]
pub fn undefined<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Fault {
    let fault = Fault::new(ErrorKind::Name, format!("name '{name}' is not defined"));
    match did_you_mean(name, candidates) {
        Some(near) => fault.with_hint(format!("did you mean `{near}`?")),
        None => fault,
    }
}

/// Damerau–Levenshtein distance in its "optimal string alignment" form.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replace = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replace.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_name_wins() {
        let names = ["mean", "median", "max", "min", "reshape"];
        assert_eq!(did_you_mean("maen", names), Some("mean"));
        assert_eq!(did_you_mean("reshpae", names), Some("reshape"));
        assert_eq!(did_you_mean("of", ["on", "off"]), Some("off"));
        assert_eq!(did_you_mean("om", ["on", "off"]), Some("on"));
        assert_eq!(did_you_mean("Mean", ["mean"]), Some("mean"));
        assert_eq!(did_you_mean("frobnicate", names), None);
        assert_eq!(did_you_mean("x", ["y", "ix"]), None);
        assert_eq!(did_you_mean("foo", ["cos", "floor"]), None);
    }
}
