//! "Did you mean": the known name nearest to a misspelt one.

use super::{ErrorKind, Fault};

/// What mistakes of the hand cost, beside 1 for the worst of them. Letters are swapped, doubled or
/// left out far more often than one is taken for another.
const SWAPPED: f32 = 0.7;
const FIRST_SWAPPED: f32 = 0.9;
const DOUBLED: f32 = 0.5;
const LEFT_OUT: f32 = 0.85;
const ADDED: f32 = 0.9;
const REPLACED: f32 = 1.0;
/// The word is the last of several that the name is made of: `loss` of `mse_loss`.
const PART: f32 = 0.95;
/// Capitals, where small letters are meant or the other way round.
const CASE: f32 = 0.4;
/// A first letter is seldom wrong.
const FIRST: f32 = 0.75;
/// Among so few candidates the user meant one: a word of an option, say.
const FEW: usize = 8;

/// The candidate that `word` was most likely meant for, if one is near enough to be worth naming.
pub fn did_you_mean<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    nearest(word, &mut candidates.into_iter())
}

fn nearest<'a>(word: &str, candidates: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    let candidates: Vec<&str> = candidates.filter(|candidate| *candidate != word).collect();
    let limit = match word.chars().count() {
        0..=1 => 0.0,
        2 if candidates.len() <= FEW => REPLACED,
        2 => SWAPPED,
        3..=4 => REPLACED,
        5..=7 => 1.75,
        _ => 2.4,
    };
    let near = candidates.into_iter().filter_map(|candidate| {
        let is_part =
            word.len() > 3 && candidate.strip_suffix(word).is_some_and(|rest| rest.ends_with('_'));
        let cost = cost(word, candidate).min(if is_part { PART } else { f32::INFINITY });
        (cost <= limit).then_some((cost, candidate))
    });
    let near: Vec<(f32, &str)> = near.collect();
    let (cost, best) = *near.iter().min_by(|(a, first), (b, second)| {
        let rank = |name: &str| (name.len(), name.to_string());
        a.total_cmp(b).then_with(|| rank(first).cmp(&rank(second)))
    })?;
    // Of a few letters one is another: where two names are as near, neither is more likely.
    let is_open =
        word.len() <= 3 && cost >= REPLACED && near.iter().filter(|it| it.0 <= cost).count() > 1;
    (!is_open).then_some(best)
}

/// Words of the language that may stand where a name does.
const WORDS: &[&str] = &[
    "True", "False", "None", "return", "break", "continue", "pass", "else", "finally", "lambda",
    "yield", "raise",
];

/// The error for a name that stands for nothing here, with what it may have been meant for.
#[cold]
pub fn undefined<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Fault {
    let fault = Fault::new(ErrorKind::Name, format!("name '{name}' is not defined"));
    match did_you_mean(name, candidates.into_iter().chain(WORDS.iter().copied())) {
        Some(near) => fault.with_hint(format!("did you mean `{near}`?")),
        None => fault,
    }
}

/// What it costs to make `meant` of `typed`: the Damerau–Levenshtein distance in its "optimal string
/// alignment" form, weighted by how likely each mistake is.
fn cost(typed: &str, meant: &str) -> f32 {
    let (lower, meant_lower) = (typed.to_lowercase(), meant.to_lowercase());
    let is_capital = |text: &str| text.starts_with(char::is_uppercase);
    let has_one_style = if lower == meant_lower {
        typed == meant
    } else {
        let rest = |text: &str| text.chars().skip(1).any(char::is_uppercase);
        is_capital(typed) == is_capital(meant) && !rest(typed) && !rest(meant)
    };
    let case = if has_one_style { 0.0 } else { CASE };
    let (a, b): (Vec<char>, Vec<char>) = (lower.chars().collect(), meant_lower.chars().collect());
    let added = |i: usize| match i {
        0 => ADDED + FIRST,
        i if a[i] == a[i - 1] => DOUBLED,
        i if a[i] == '_' => DOUBLED,
        _ => ADDED,
    };
    let left_out = |j: usize| match j {
        0 => LEFT_OUT + FIRST,
        j if b[j] == b[j - 1] || b[j] == '_' => DOUBLED,
        _ => LEFT_OUT,
    };
    let mut before: Vec<f32> = Vec::new();
    let mut above = vec![0.0; b.len() + 1];
    for j in 0..b.len() {
        above[j + 1] = above[j] + left_out(j);
    }
    for i in 0..a.len() {
        let mut row = vec![above[0] + added(i); b.len() + 1];
        for j in 0..b.len() {
            let replaced = REPLACED + if i == 0 && j == 0 { FIRST } else { 0.0 };
            let replaced = above[j] + if a[i] == b[j] { 0.0 } else { replaced };
            row[j + 1] = replaced.min(above[j + 1] + added(i)).min(row[j] + left_out(j));
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] && a[i] != a[i - 1] {
                let swapped = if i == 1 && j == 1 { FIRST_SWAPPED } else { SWAPPED };
                row[j + 1] = row[j + 1].min(before[j - 1] + swapped);
            }
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()] + case
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_name_wins() {
        let names = ["mean", "median", "max", "min", "reshape", "mode", "argmin"];
        assert_eq!(did_you_mean("maen", names), Some("mean"));
        assert_eq!(did_you_mean("meann", names), Some("mean"));
        assert_eq!(did_you_mean("medain", names), Some("median"));
        assert_eq!(did_you_mean("reshpae", names), Some("reshape"));
        assert_eq!(did_you_mean("rehsap", names), Some("reshape"));
        assert_eq!(did_you_mean("of", ["on", "off"]), Some("off"));
        assert_eq!(did_you_mean("om", ["on", "off"]), Some("on"));
        assert_eq!(did_you_mean("Mean", ["mean"]), Some("mean"));
        assert_eq!(did_you_mean("expanddims", ["expand_dims", "expit"]), Some("expand_dims"));
        assert_eq!(did_you_mean("arnge", ["range", "arange"]), Some("arange"));
        assert_eq!(did_you_mean("ragne", ["range", "arange"]), Some("range"));
        assert_eq!(did_you_mean("amx", ["max", "exp"]), Some("max"));
    }

    #[test]
    fn words_of_the_language_are_offered_for_names() {
        let hint = |name| undefined(name, ["retrace", "rue"]).hints.join("");
        assert_eq!(hint("Tru"), "did you mean `True`?");
        assert_eq!(hint("retrun"), "did you mean `return`?");
        assert_eq!(hint("esle"), "did you mean `else`?");
        assert_eq!(hint("nothing"), "");
    }

    #[test]
    fn a_part_of_a_name_is_nearer_than_another_word() {
        let names = ["less", "mse_loss", "l1_loss", "cross_entropy"];
        assert_eq!(did_you_mean("loss", names), Some("l1_loss"));
        assert_eq!(did_you_mean("entropy", names), Some("cross_entropy"));
        assert_eq!(did_you_mean("lss", names), Some("less"));
    }

    #[test]
    fn what_is_far_is_not_named() {
        assert_eq!(did_you_mean("frobnicate", ["mean", "fornicate_not"]), None);
        assert_eq!(did_you_mean("x", ["y", "ix"]), None);
        assert_eq!(did_you_mean("foo", ["cos", "floor"]), None);
        assert_eq!(did_you_mean("null", ["full", "nll", "numel"]), Some("nll"));
        assert_eq!(did_you_mean("null", ["full", "fill", "pull"]), None, "another first letter");
        let many = ["inf", "int", "min", "sin", "in1d", "id", "le", "lt", "pi"];
        assert_eq!(did_you_mean("In", many), None);
        assert_eq!(did_you_mean("of", many), None);
        assert_eq!(did_you_mean("", many), None);
    }
}
