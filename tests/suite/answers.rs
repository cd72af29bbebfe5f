//! Answers of a GPU beside those of the CPU.

/// How far a float on a GPU may be from the CPU's, relative to the larger: its library functions
/// are not the CPU's, and its sums are cut in other pieces. Some ten units in the last place of
/// float32.
pub const TOLERANCE: f64 = 1e-6;

/// Whether the tests ask a real GPU, or a shim of one.
pub fn is_on_gpu() -> bool {
    std::env::var("GENESIS_DEVICE").is_ok_and(|device| device.starts_with("cuda"))
}

/// Settings of the allocator beside the usual ones: none of them may change a bit of a result. Only a
/// GPU has a stream-ordered pool.
pub fn modes() -> &'static [[(&'static str, &'static str); 1]] {
    let all = &[[("allocator", "direct")], [("poison", "on")], [("allocator", "async")]];
    if is_on_gpu() { all } else { &all[..2] }
}

/// Whether two answers are the same text but for floats that are close to each other.
pub fn is_close(expected: &str, found: &str) -> bool {
    let (a, b) = (words(expected), words(found));
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| *a == b || is_close_number(a, b))
}

fn is_close_number(a: &str, b: &str) -> bool {
    let is_float = |word: &str| word.contains('.') && word.contains(|c: char| c.is_ascii_digit());
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(x), Ok(y)) if is_float(a) && is_float(b) => {
            (x - y).abs() <= TOLERANCE * x.abs().max(y.abs())
        }
        _ => false,
    }
}

/// Numbers by themselves, and what lies between them without its blanks, which depend on widths.
fn words(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+');
    let breaks = text.split_inclusive(|c: char| !is_part(c));
    let halves = breaks.flat_map(|piece| {
        let end = piece.trim_end_matches(|c: char| !is_part(c)).len();
        [&piece[..end], piece[end..].trim()]
    });
    halves.filter(|word| !word.is_empty()).collect()
}
