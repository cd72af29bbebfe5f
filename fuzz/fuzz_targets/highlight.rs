//! The highlighter has an answer for any text: pieces in order, without overlap, between
//! characters, and nothing but blanks left over. Brackets find each other both ways.
#![no_main]

use genesis_repl::syntax::{highlight, matching_bracket};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut at = 0;
    for (range, _) in highlight(text) {
        assert!(at <= range.start && range.start < range.end);
        assert!(text.get(range.clone()).is_some());
        let between = &text[at..range.start];
        assert!(between.chars().all(|c| c.is_whitespace() || c == '\\' || c == '\u{feff}'));
        at = range.end;
    }
    assert!(text.is_char_boundary(at));
    for (at, _) in text.char_indices().take(64) {
        if let Some(other) = matching_bracket(text, at) {
            assert_eq!(matching_bracket(text, other), Some(at));
        }
    }
});
