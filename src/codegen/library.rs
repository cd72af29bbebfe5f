//! The functions of `kernels/math.cuh`, and which of them a text needs.

/// All of them. Paragraphs that an empty line separates stand or fall together.
const MATH: &str = include_str!("../../kernels/math.cuh");

/// The paragraphs that define what `text` calls, and what those call in turn.
pub fn needed_by(text: &str) -> String {
    let paragraphs: Vec<&str> = MATH.split("\n\n").collect();
    let mut is_needed = vec![false; paragraphs.len()];
    // A paragraph calls only what stands above it, so one pass from the end finds all.
    for at in (0..paragraphs.len()).rev() {
        let called = |by: &str| defined_in(paragraphs[at]).any(|name| calls(by, name));
        is_needed[at] = called(text)
            || (at + 1..paragraphs.len())
                .any(|later| is_needed[later] && called(paragraphs[later]));
    }
    let mut needed = String::new();
    for (paragraph, _) in paragraphs.iter().zip(is_needed).filter(|(_, is_needed)| *is_needed) {
        needed.push_str(paragraph.trim_end());
        needed.push_str("\n\n");
    }
    needed
}

/// The names before the first parenthesis of each line that begins a function.
fn defined_in(paragraph: &str) -> impl Iterator<Item = &str> {
    let heads = paragraph.lines().filter(|line| line.starts_with("__device__"));
    heads.filter_map(|line| line.split('(').next()?.rsplit([' ', '*']).next())
}

/// Whether `name(` stands in the text as a word of its own.
fn calls(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name)
        .any(|(at, _)| text[at + name.len()..].starts_with('(') && !text[..at].ends_with(is_part))
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
        assert_eq!(names("i32 v1 = modulo(x0, 3);"), ["truncmod", "modulo"]);
    }

    #[test]
    fn every_function_stands_below_what_it_calls() {
        let paragraphs: Vec<&str> = MATH.split("\n\n").collect();
        for (at, paragraph) in paragraphs.iter().enumerate() {
            for later in &paragraphs[at + 1..] {
                for name in defined_in(later) {
                    assert!(!calls(paragraph, name), "`{name}` is called before it is defined");
                }
            }
        }
    }
}
