//! Traces as Chrome and Perfetto read them: JSON of events on tracks.
//!
//! A process is a group of tracks and a thread is a track; both have names. Times are microseconds.

use std::fmt::Write as _;

use super::json::quote;

/// Which track: a group's number and the track's in it, both from one on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Track(pub u32, pub u32);

/// What is said beside an event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Note<'a> {
    Text(&'a str),
    Count(u64),
}

/// A trace that is being put together.
#[derive(Debug)]
pub struct Trace {
    json: String,
    is_empty: bool,
}

impl Default for Trace {
    fn default() -> Trace {
        Trace {
            json: String::from("{\"displayTimeUnit\":\"ns\",\"traceEvents\":["),
            is_empty: true,
        }
    }
}

impl Trace {
    /// Names a group of tracks.
    pub fn name_group(&mut self, group: u32, name: &str) {
        let args = [("name", Note::Text(name))];
        self.event("M", "process_name", Track(group, 0), None, "", &args);
        let order = [("sort_index", Note::Count(u64::from(group)))];
        self.event("M", "process_sort_index", Track(group, 0), None, "", &order);
    }

    /// Names a track.
    pub fn name_track(&mut self, track: Track, name: &str) {
        let args = [("name", Note::Text(name))];
        self.event("M", "thread_name", track, None, "", &args);
        let order = [("sort_index", Note::Count(u64::from(track.1)))];
        self.event("M", "thread_sort_index", track, None, "", &order);
    }

    /// Something that takes from `begin` on so long. What one track shows lies side by side or inside each
    /// other.
    pub fn span(
        &mut self,
        name: &str,
        track: Track,
        (begin, duration): (f64, f64),
        args: &[(&str, Note<'_>)],
    ) {
        self.event("X", name, track, Some(begin), &format!(",\"dur\":{duration:.3}"), args);
    }

    /// Something that happens at one moment.
    pub fn instant(&mut self, name: &str, track: Track, at: f64, args: &[(&str, Note<'_>)]) {
        self.event("i", name, track, Some(at), ",\"s\":\"p\"", args);
    }

    /// What several quantities of one name are from `at` on.
    pub fn counter(&mut self, name: &str, track: Track, at: f64, values: &[(&str, Note<'_>)]) {
        self.event("C", name, track, Some(at), "", values);
    }

    /// Something begins or ends that others may overlap; its number tells it from them.
    pub fn overlapping(
        &mut self,
        name: &str,
        track: Track,
        (is_begin, number): (bool, u64),
        at: f64,
        args: &[(&str, Note<'_>)],
    ) {
        let phase = if is_begin { "b" } else { "e" };
        let more = format!(",\"cat\":\"memory\",\"id\":\"{number:#x}\"");
        self.event(phase, name, track, Some(at), &more, args);
    }

    fn event(
        &mut self,
        phase: &str,
        name: &str,
        Track(group, track): Track,
        at: Option<f64>,
        more: &str,
        args: &[(&str, Note<'_>)],
    ) {
        let json = &mut self.json;
        json.push_str(if self.is_empty { "\n" } else { ",\n" });
        self.is_empty = false;
        let _ = write!(json, "{{\"ph\":\"{phase}\",\"pid\":{group},\"tid\":{track},\"name\":");
        quote(json, name);
        if let Some(at) = at {
            let _ = write!(json, ",\"ts\":{at:.3}");
        }
        json.push_str(more);
        if !args.is_empty() {
            json.push_str(",\"args\":{");
            for (at, (key, value)) in args.iter().enumerate() {
                if at > 0 {
                    json.push(',');
                }
                quote(json, key);
                json.push(':');
                match value {
                    Note::Text(text) => quote(json, text),
                    Note::Count(count) => _ = write!(json, "{count}"),
                }
            }
            json.push('}');
        }
        json.push('}');
    }

    /// The file.
    pub fn finish(mut self) -> Vec<u8> {
        self.json.push_str("\n]}\n");
        self.json.into_bytes()
    }
}
