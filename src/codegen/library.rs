//! The functions of `kernels/pack.cuh`, `kernels/math.cuh` and `kernels/fold.cuh`, and which of them
//! a text needs.

const FILES: [&str; 3] = [
    include_str!("../../kernels/pack.cuh"),
    include_str!("../../kernels/math.cuh"),
    include_str!("../../kernels/fold.cuh"),
];

/// Paragraphs that an empty line separates stand or fall together.
fn paragraphs() -> Vec<&'static str> {
    FILES.iter().flat_map(|file| file.split("\n\n")).map(str::trim_end).collect()
}

/// The paragraphs that define what `text` uses, and what those use in turn.
pub fn needed_by(text: &str) -> String {
    let paragraphs = paragraphs();
    let mut is_needed = vec![false; paragraphs.len()];
    // A paragraph uses only what stands above it, so one pass from the end finds all.
    for at in (0..paragraphs.len()).rev() {
        let is_used = |by: &str| defined_in(paragraphs[at]).any(|name| uses(by, name));
        is_needed[at] = is_used(text)
            || (at + 1..paragraphs.len())
                .any(|later| is_needed[later] && is_used(paragraphs[later]));
    }
    let mut needed = String::new();
    for (paragraph, _) in paragraphs.iter().zip(is_needed).filter(|(_, is_needed)| *is_needed) {
        needed.push_str(paragraph);
        needed.push_str("\n\n");
    }
    needed
}

/// The names of a paragraph's functions and structs: the last word before the first parenthesis or
/// brace of each line that begins one.
fn defined_in(paragraph: &str) -> impl Iterator<Item = &str> {
    let heads = paragraph
        .lines()
        .filter(|line| line.starts_with("__device__") || line.starts_with("struct"));
    heads.filter_map(|line| {
        let end = if line.starts_with("struct") { [" {", " :"] } else { ["(", "("] };
        line.split(end[0]).next()?.split(end[1]).next()?.rsplit(' ').next()
    })
}

/// Whether a struct's name stands in the text, or `name(` or `name<` of a function, as a word of its
/// own.
fn uses(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_struct = name.starts_with(|c: char| c.is_ascii_uppercase());
    text.match_indices(name).any(|(at, _)| {
        let after = &text[at + name.len()..];
        let ends =
            if is_struct { !after.starts_with(is_part) } else { after.starts_with(['(', '<']) };
        ends && !text[..at].ends_with(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_gets_what_it_calls() {
        let names = |text: &str| -> Vec<String> {
            let needed = needed_by(text);
            let mut names: Vec<String> =
                needed.split("\n\n").flat_map(defined_in).map(str::to_string).collect();
            names.dedup();
            names
        };
        assert_eq!(names("f32 v1 = x0 + 1.0f;"), [""; 0]);
        assert_eq!(names("f32 v1 = maximum(x0, 1.0f);"), ["maximum"]);
        assert_eq!(names("f32 v1 = fmaximum(x0, 1.0f);"), ["fmaximum"]);
        assert_eq!(names("i32 v1 = power(x0, 3);"), ["bits_of", "mul", "power"]);
        assert_eq!(names("i32 v1 = modulo(x0, 3);"), ["is_minus_one", "truncmod", "modulo"]);
        assert_eq!(names("in0 = load<4>(p.in0 + i);"), ["Pack", "load"]);
    }

    #[test]
    fn every_function_stands_below_what_it_calls() {
        let paragraphs = paragraphs();
        for (at, paragraph) in paragraphs.iter().enumerate() {
            for later in &paragraphs[at + 1..] {
                for name in defined_in(later) {
                    assert!(!uses(paragraph, name), "`{name}` is used before it is defined");
                }
            }
        }
    }
}
