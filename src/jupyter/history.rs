//! What was typed, as consoles and notebooks ask for it.

use jupyter_protocol::{HistoryEntry, HistoryReply, HistoryRequest, ReplyStatus};

/// The number by which the inputs of this kernel are asked for. Former kernels left none.
const SESSION: usize = 1;

/// The inputs of this kernel.
#[derive(Debug, Default)]
pub struct History {
    entries: Vec<Entry>,
}

#[derive(Debug, Clone)]
struct Entry {
    number: usize,
    input: String,
    /// What `Out` showed; empty for nothing.
    output: String,
}

impl History {
    pub fn push(&mut self, number: usize, input: &str, output: Option<String>) {
        let (input, output) = (input.to_string(), output.unwrap_or_default());
        self.entries.push(Entry { number, input, output });
    }

    pub fn answer(&self, request: &HistoryRequest) -> HistoryReply {
        let history = match request {
            HistoryRequest::Tail { n, output, .. } => {
                let kept = self.entries.iter().collect();
                shown(last(kept, *n), *output)
            }
            HistoryRequest::Range { session, start, stop, output, .. } => {
                let is_here = matches!(session, None | Some(0)) || *session == Some(SESSION as i32);
                let range = i64::from(*start)..i64::from(*stop);
                let kept = self.entries.iter().filter(|e| range.contains(&(e.number as i64)));
                shown(kept.filter(|_| is_here).collect(), *output)
            }
            HistoryRequest::Search { pattern, unique, output, n, .. } => {
                let pattern: Vec<char> = pattern.chars().collect();
                let is_match = |entry: &&Entry| {
                    let text: Vec<char> = entry.input.chars().collect();
                    matches(&pattern, &text)
                };
                let mut kept: Vec<&Entry> = self.entries.iter().filter(is_match).collect();
                if *unique {
                    let mut seen = std::collections::HashSet::new();
                    kept.reverse();
                    kept.retain(|entry| seen.insert(entry.input.as_str()));
                    kept.reverse();
                }
                shown(last(kept, *n), *output)
            }
        };
        HistoryReply { history, status: ReplyStatus::Ok, error: None }
    }
}

fn last(mut entries: Vec<&Entry>, count: i32) -> Vec<&Entry> {
    let surplus = entries.len().saturating_sub(usize::try_from(count).unwrap_or(0));
    entries.drain(..surplus);
    entries
}

fn shown(entries: Vec<&Entry>, with_output: bool) -> Vec<HistoryEntry> {
    let show = |entry: &Entry| {
        let Entry { number, input, output } = entry.clone();
        match with_output {
            true => HistoryEntry::InputOutput(SESSION, number, (input, output)),
            false => HistoryEntry::Input(SESSION, number, input),
        }
    };
    entries.into_iter().map(show).collect()
}

/// Whether a pattern fits all of a text: `*` stands for anything, `?` for one character.
fn matches(pattern: &[char], text: &[char]) -> bool {
    let (mut at, mut from) = (0, 0);
    // Where the last `*` stands, and the text that it has not swallowed yet.
    let mut star: Option<(usize, usize)> = None;
    while from < text.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, from));
                at += 1;
            }
            Some(c) if *c == '?' || *c == text[from] => {
                at += 1;
                from += 1;
            }
            _ => match star {
                Some((star_at, swallowed)) => {
                    star = Some((star_at, swallowed + 1));
                    at = star_at + 1;
                    from = swallowed + 1;
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(pattern: &str, text: &str) -> bool {
        let chars = |text: &str| text.chars().collect::<Vec<char>>();
        matches(&chars(pattern), &chars(text))
    }

    #[test]
    fn patterns() {
        assert!(fits("x*", "x = 1") && fits("*sum*", "y.sum()") && fits("?", "é") && fits("*", ""));
        assert!(fits("a*b*c", "a_b_b_c") && fits("x[0]", "x[0]"));
        assert!(!fits("x", "xy") && !fits("?", "") && !fits("a*b", "a_c"));
    }

    #[test]
    fn the_three_ways_to_ask() {
        let mut history = History::default();
        for (at, input) in ["x = 1", "x", "y = 2", "x"].into_iter().enumerate() {
            history.push(at + 1, input, Some("1".to_string()).filter(|_| input == "x"));
        }
        let ask = |request: HistoryRequest| -> Vec<(usize, String)> {
            let entry = |entry| match entry {
                HistoryEntry::Input(SESSION, number, text) => (number, text),
                HistoryEntry::InputOutput(SESSION, number, (text, out)) => {
                    (number, format!("{text} -> {out}"))
                }
                other => panic!("{other:?}"),
            };
            history.answer(&request).history.into_iter().map(entry).collect()
        };
        let tail = |n, output| ask(HistoryRequest::Tail { n, output, raw: true });
        assert_eq!(tail(2, false), [(3, "y = 2".into()), (4, "x".into())]);
        assert_eq!(tail(1, true), [(4, "x -> 1".into())]);
        assert_eq!(tail(100, false).len(), 4);
        assert_eq!(tail(-1, false).len(), 0);
        let range = |session, start, stop| {
            ask(HistoryRequest::Range { session, start, stop, output: false, raw: true })
        };
        assert_eq!(range(Some(0), 2, 3), [(2, "x".into())]);
        assert_eq!(range(Some(1), 1, i32::MAX).len(), 4);
        assert_eq!(range(Some(7), 1, 3), []);
        let search = |unique, n| {
            let pattern = "x".to_string();
            ask(HistoryRequest::Search { pattern, unique, output: false, raw: true, n })
        };
        assert_eq!(search(false, 9), [(2, "x".into()), (4, "x".into())]);
        assert_eq!(search(true, 9), [(4, "x".into())]);
        assert_eq!(search(false, 1), [(4, "x".into())]);
    }
}
