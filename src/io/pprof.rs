//! Profiles in the format of pprof: Protocol Buffers of `profile.proto`, compressed by gzip.
//!
//! Of Protocol Buffers a profile takes numbers and nested messages, which are a few lines to write; a
//! library for them would bring a derive macro and build longer than all formats here.

use rustc_hash::FxHashMap;

use super::zip::gzip;

/// A line of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Line<'a> {
    pub function: &'a str,
    pub file: &'a str,
    /// From one on; 0 where it is not known.
    pub line: u32,
}

/// A profile that is being put together.
#[derive(Debug)]
pub struct Profile {
    /// What is measured, and in what: an index into the texts each.
    kinds: Vec<[u64; 2]>,
    samples: Vec<u8>,
    locations: FxHashMap<(u64, u32), u64>,
    /// Name and file.
    functions: FxHashMap<[u64; 2], u64>,
    texts: FxHashMap<String, u64>,
    /// In the order of their numbers: messages, and texts.
    places: Vec<u8>,
    names: Vec<u8>,
    table: Vec<u8>,
    /// Nanoseconds.
    time: [u64; 2],
    shown_first: u64,
}

impl Profile {
    /// A profile of these kinds, each with its unit; `shown_first` is the one that a viewer begins with.
    pub fn new(kinds: &[(&str, &str)], shown_first: &str) -> Profile {
        let mut profile = Profile {
            kinds: Vec::new(),
            samples: Vec::new(),
            locations: FxHashMap::default(),
            functions: FxHashMap::default(),
            texts: FxHashMap::default(),
            places: Vec::new(),
            names: Vec::new(),
            table: Vec::new(),
            time: [0; 2],
            shown_first: 0,
        };
        // The first text is empty.
        profile.text("");
        for (kind, unit) in kinds {
            let pair = [profile.text(kind), profile.text(unit)];
            profile.kinds.push(pair);
        }
        profile.shown_first = profile.text(shown_first);
        profile
    }

    /// When it begins, in nanoseconds since 1970, and how long it takes.
    pub fn set_time(&mut self, begin: u64, duration: u64) {
        self.time = [begin, duration];
    }

    /// Adds what was measured at a place: one value for each kind, the place itself first and its caller
    /// behind it, and words that filters can ask for.
    pub fn sample(&mut self, stack: &[Line<'_>], values: &[u64], labels: &[(&str, &str)]) {
        let places: Vec<u64> = stack.iter().map(|line| self.location(line)).collect();
        let mut sample = Vec::new();
        packed(&mut sample, 1, &places);
        packed(&mut sample, 2, values);
        for (key, value) in labels {
            let (key, value) = (self.text(key), self.text(value));
            message(&mut sample, 3, &fields(&[(1, key), (2, value)]));
        }
        message(&mut self.samples, 2, &sample);
    }

    /// The file.
    pub fn finish(self) -> Vec<u8> {
        let mut all = Vec::new();
        for [kind, unit] in &self.kinds {
            message(&mut all, 1, &fields(&[(1, *kind), (2, *unit)]));
        }
        all.extend(&self.samples);
        all.extend(&self.places);
        all.extend(&self.names);
        all.extend(&self.table);
        all.extend(fields(&[(9, self.time[0]), (10, self.time[1]), (14, self.shown_first)]));
        gzip(&all)
    }

    fn text(&mut self, text: &str) -> u64 {
        if let Some(number) = self.texts.get(text) {
            return *number;
        }
        let number = self.texts.len() as u64;
        self.texts.insert(text.to_owned(), number);
        message(&mut self.table, 6, text.as_bytes());
        number
    }

    fn location(&mut self, line: &Line<'_>) -> u64 {
        let pair = [self.text(line.function), self.text(line.file)];
        let next = self.functions.len() as u64 + 1;
        let function = *self.functions.entry(pair).or_insert(next);
        if function == next {
            let [name, file] = pair;
            // Of a system's name, a third field, tools make a shorter one.
            message(&mut self.names, 5, &fields(&[(1, next), (2, name), (4, file)]));
        }
        let next = self.locations.len() as u64 + 1;
        let location = *self.locations.entry((function, line.line)).or_insert(next);
        if location == next {
            let mut place = fields(&[(1, next)]);
            message(&mut place, 4, &fields(&[(1, function), (2, u64::from(line.line))]));
            message(&mut self.places, 4, &place);
        }
        location
    }
}

/// Seven bits a byte, the lowest first.
fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Numbers by their fields; zeros are what a reader takes for what is not there.
fn fields(pairs: &[(u64, u64)]) -> Vec<u8> {
    let mut out = Vec::new();
    for (field, value) in pairs.iter().filter(|(_, value)| *value != 0) {
        varint(&mut out, field << 3);
        varint(&mut out, *value);
    }
    out
}

fn message(out: &mut Vec<u8>, field: u64, content: &[u8]) {
    varint(out, field << 3 | 2);
    varint(out, content.len() as u64);
    out.extend(content);
}

fn packed(out: &mut Vec<u8>, field: u64, values: &[u64]) {
    let mut content = Vec::new();
    values.iter().for_each(|value| varint(&mut content, *value));
    message(out, field, &content);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_the_format_has_them() {
        let mut out = Vec::new();
        varint(&mut out, 300);
        assert_eq!(out, [0xac, 2]);
        assert_eq!(fields(&[(1, 150), (2, 0)]), [8, 0x96, 1]);
        let mut out = Vec::new();
        packed(&mut out, 1, &[3, 270]);
        assert_eq!(out, [10, 3, 3, 0x8e, 2]);
    }

    #[test]
    fn what_is_said_twice_is_written_once() {
        let line = |function, line| Line { function, file: "a.py", line };
        let mut profile = Profile::new(&[("space", "bytes")], "space");
        profile.sample(&[line("f", 3), line("main", 9)], &[5], &[("device", "cpu")]);
        profile.sample(&[line("f", 4), line("main", 9)], &[7], &[("device", "cpu")]);
        assert_eq!((profile.functions.len(), profile.locations.len()), (2, 3));
        // "", space, bytes, f, a.py, main, device, cpu
        assert_eq!(profile.texts.len(), 8);
        assert_eq!(profile.finish()[..2], [0x1f, 0x8b]);
    }
}
