//! A profile as a trace for ui.perfetto.dev.

use std::time::Instant;

use super::Profiled;
use crate::io::chrome::{Note, Trace, Track};
use crate::memory::StatementId;
use crate::replay::export::add_memory;
use crate::session::memory_view::brief;

/// Columns of a span's name.
const NAME: usize = 80;

/// The group of the program's tracks; devices follow.
const PROGRAM: u32 = 1;

/// Something on a track.
struct Span<'a> {
    name: String,
    begin: Instant,
    end: Instant,
    notes: Vec<(&'a str, Note<'a>)>,
}

impl Profiled {
    /// The file.
    pub(in crate::session) fn trace(&self) -> Vec<u8> {
        let mut trace = Trace::default();
        trace.name_group(PROGRAM, "program");
        let places: Vec<String> = self.ran.iter().map(|ran| self.place(ran.id)).collect();
        let statements = self.ran.iter().zip(&places).map(|(ran, place)| Span {
            name: brief(&ran.text, NAME),
            begin: ran.begin,
            end: ran.end,
            notes: vec![
                ("where", Note::Text(place)),
                ("bytes allocated", Note::Count(ran.bytes)),
                ("peak", Note::Count(ran.peak)),
            ],
        });
        self.tracks(&mut trace, Track(PROGRAM, 1), "statements", statements.collect());
        let lines = self.lines();
        let places: Vec<String> = lines.iter().map(|(id, ..)| self.place(*id)).collect();
        let lines = lines.iter().zip(&places).map(|((id, begin, end), place)| Span {
            name: brief(self.names.get(id).map_or("", |(text, _)| text), NAME),
            begin: *begin,
            end: *end,
            notes: vec![("where", Note::Text(place))],
        });
        self.tracks(&mut trace, Track(PROGRAM, 50), "lines", lines.collect());
        for (at, watched) in self.devices.iter().enumerate() {
            let group = PROGRAM + 1 + 2 * at as u32;
            trace.name_group(group, &watched.device);
            let work = watched.work.iter().map(|work| Span {
                name: format!("{}: {}", work.kind.name(), work.name),
                begin: work.begin,
                end: work.end,
                notes: vec![("bytes", Note::Count(work.bytes))],
            });
            self.tracks(&mut trace, Track(group, 1), "plans, kernels, copies", work.collect());
            let of_device = |id: &str| id == watched.device;
            let launches = self.launches.iter().filter(|it| of_device(&it.device.to_string()));
            let kernels = launches.filter_map(|launch| {
                let begin = launch.begin?;
                Some(Span {
                    name: launch.name.clone(),
                    begin,
                    end: begin + launch.time,
                    notes: vec![("bytes", Note::Count(launch.bytes))],
                })
            });
            self.tracks(&mut trace, Track(group, 50), "kernels on the GPU", kernels.collect());
            add_memory(&mut trace, group + 1, &self.memory, at, self.begun_us);
        }
        trace.finish()
    }

    fn micros(&self, at: Instant) -> f64 {
        at.saturating_duration_since(self.begun).as_nanos() as f64 / 1e3
    }

    /// Puts spans on a track; those that overlap others without lying inside them, on further ones.
    fn tracks(&self, trace: &mut Trace, first: Track, name: &str, mut spans: Vec<Span<'_>>) {
        spans.sort_by_key(|span| (span.begin, std::cmp::Reverse(span.end)));
        // Of each track the ends of what is open, the innermost last.
        let mut open: Vec<Vec<Instant>> = Vec::new();
        for span in spans {
            for ends in &mut open {
                while ends.last().is_some_and(|end| *end <= span.begin) {
                    ends.pop();
                }
            }
            let fits = |ends: &Vec<Instant>| ends.last().is_none_or(|end| *end >= span.end);
            let at = open.iter().position(fits).unwrap_or(open.len());
            let track = Track(first.0, first.1 + at as u32);
            if at == open.len() {
                open.push(Vec::new());
                let number = if at == 0 { String::new() } else { format!(" {}", at + 1) };
                trace.name_track(track, &format!("{name}{number}"));
            }
            open[at].push(span.end);
            let begin = self.micros(span.begin);
            let length = (self.micros(span.end) - begin).max(0.0);
            trace.span(&span.name, track, (begin, length), &span.notes);
        }
    }

    /// When which line of a block or a function ran: each within the statement that ran it.
    pub(super) fn lines(&self) -> Vec<(StatementId, Instant, Instant)> {
        let mut lines = Vec::new();
        let mut at = 0;
        for ran in &self.ran {
            while self.turns.get(at).is_some_and(|(begin, _)| *begin < ran.begin) {
                at += 1;
            }
            while let Some((begin, id)) = self.turns.get(at).filter(|turn| turn.0 < ran.end) {
                let end = self.turns.get(at + 1).map_or(ran.end, |next| next.0.min(ran.end));
                if *id != ran.id && end > *begin {
                    lines.push((*id, *begin, end));
                }
                at += 1;
            }
        }
        lines
    }

    /// `<In 3>:2`, with the function.
    pub(super) fn place(&self, id: StatementId) -> String {
        let Some((_, Some(place))) = self.names.get(&id) else { return String::new() };
        match &place.function {
            Some(function) => format!("{}:{} in {function}", place.file, place.line),
            None => format!("{}:{}", place.file, place.line),
        }
    }
}
