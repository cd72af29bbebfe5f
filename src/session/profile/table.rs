//! A profile as a table.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use super::Profiled;
use crate::memory::StatementId;
use crate::report::{
    Column, Markup, Report, Table, counted, human_bytes, human_count, human_duration,
};
use crate::session::memory_view::brief;

/// Statements that are shown, and lines of each.
const ROWS: usize = 15;
const LINES: usize = 5;

/// Kinds of work that are shown.
const WORK: usize = 10;

/// Columns of a statement.
const STATEMENT: usize = 48;

/// Statements of one text at one place.
#[derive(Default)]
struct Row {
    count: u64,
    time: Duration,
    bytes: u64,
    peak: u64,
    lines: HashMap<String, Line>,
}

/// A line of theirs.
#[derive(Default)]
struct Line {
    text: String,
    count: u64,
    time: Duration,
    bytes: u64,
}

impl Profiled {
    /// Statements by their time, and what devices did.
    pub(in crate::session) fn report(&self) -> Report {
        if self.ran.is_empty() {
            return Markup::new().dim("no statement has run since `:profile start`").into();
        }
        let total: Duration = self.ran.iter().map(|ran| ran.end - ran.begin).sum();
        let rows = self.rows();
        let mut table = Table::new([
            Column::left("statement"),
            Column::left("where"),
            Column::right("count"),
            Column::right("time"),
            Column::right("share"),
            Column::right("allocated"),
            Column::right("peak"),
        ]);
        let number = |text: String| Markup::new().number(text);
        for ((text, place), row) in rows.iter().take(ROWS) {
            table.row([
                Markup::from(brief(text, STATEMENT)),
                Markup::new().dim(place.clone()),
                number(human_count(row.count)),
                number(human_duration(row.time)),
                number(share(row.time, total)),
                number(human_bytes(row.bytes)),
                number(human_bytes(row.peak)),
            ]);
            let mut lines: Vec<(&String, &Line)> = row.lines.iter().collect();
            lines.sort_by_key(|(place, line)| (std::cmp::Reverse(line.time), (*place).clone()));
            for (place, line) in lines.into_iter().take(LINES) {
                table.row([
                    Markup::new().dim(format!("  {}", brief(&line.text, STATEMENT - 2))),
                    Markup::new().dim(place.clone()),
                    Markup::new().dim(human_count(line.count)),
                    Markup::new().dim(human_duration(line.time)),
                    Markup::new().dim(share(line.time, total)),
                    Markup::new().dim(human_bytes(line.bytes)),
                    Markup::new(),
                ]);
            }
        }
        let mut words = format!(
            "{} in {}, of {} since the start",
            counted(self.statements(), "statement"),
            human_duration(total),
            human_duration(self.length)
        );
        let more = rows.len().saturating_sub(ROWS);
        if more > 0 {
            words += &format!("; and {}", counted(more, "more row"));
        }
        if self.missed > 0 {
            words +=
                &format!("; of {} only the number is known", counted(self.missed, "statement"));
        }
        let mut reports = vec![table.into(), Markup::new().dim(words).into()];
        reports.extend(self.work(total));
        Report::Stack(reports)
    }

    fn rows(&self) -> Vec<((String, String), Row)> {
        let mut rows: HashMap<(String, String), Row> = HashMap::new();
        let mut key_of: HashMap<StatementId, (String, String)> = HashMap::new();
        for ran in &self.ran {
            let key = (ran.text.to_string(), self.place(ran.id));
            let row = rows.entry(key.clone()).or_default();
            key_of.insert(ran.id, key);
            row.count += 1;
            row.time += ran.end - ran.begin;
            row.bytes += ran.bytes;
            row.peak = row.peak.max(ran.peak);
        }
        // A line belongs to the statement during which it ran.
        let lines = self.lines();
        let mut lines = lines.iter().peekable();
        let mut told = HashSet::new();
        for ran in &self.ran {
            while let Some((id, begin, end)) = lines.next_if(|(_, begin, _)| *begin < ran.end) {
                let Some(row) = key_of.get(&ran.id).and_then(|key| rows.get_mut(key)) else {
                    continue;
                };
                let line = row.lines.entry(self.place(*id)).or_default();
                line.text = self.names.get(id).map_or(String::new(), |(text, _)| text.to_string());
                line.count += 1;
                line.time += *end - *begin;
                if told.insert(*id) {
                    line.bytes += self.asked.get(id).copied().unwrap_or(0);
                }
            }
        }
        let mut rows: Vec<_> = rows.into_iter().collect();
        rows.sort_by(|(a, left), (b, right)| right.time.cmp(&left.time).then_with(|| a.cmp(b)));
        rows
    }

    /// What devices did, by kind; on a GPU what its kernels took there.
    fn work(&self, total: Duration) -> Option<Report> {
        let mut sums: HashMap<(String, String), (u64, Duration, u64)> = HashMap::new();
        let mut add = |device: &str, name: String, time: Duration, bytes: u64| {
            let sum = sums.entry((device.to_owned(), name)).or_default();
            *sum = (sum.0 + 1, sum.1 + time, sum.2 + bytes);
        };
        for watched in &self.devices {
            for work in &watched.work {
                let name = format!("{}: {}", work.kind.name(), work.name);
                add(&watched.device, name, work.end - work.begin, work.bytes);
            }
        }
        for launch in &self.launches {
            let name = format!("on the GPU: {}", launch.name);
            add(&launch.device.to_string(), name, launch.time, launch.bytes);
        }
        if sums.is_empty() {
            return None;
        }
        let mut sums: Vec<_> = sums.into_iter().collect();
        sums.sort_by(|(a, left), (b, right)| right.1.cmp(&left.1).then_with(|| a.cmp(b)));
        let mut table = Table::new([
            Column::left("work"),
            Column::left("device"),
            Column::right("count"),
            Column::right("time"),
            Column::right("share"),
            Column::right("bytes"),
        ]);
        let more = sums.len().saturating_sub(WORK);
        for ((device, name), (count, time, bytes)) in sums.into_iter().take(WORK) {
            table.row([
                Markup::from(brief(&name, STATEMENT + 12)),
                Markup::new().dim(device),
                Markup::new().number(human_count(count)),
                Markup::new().number(human_duration(time)),
                Markup::new().number(share(time, total)),
                Markup::new().number(human_bytes(bytes)),
            ]);
        }
        let mut reports = vec![Report::plain(""), table.into()];
        if more > 0 {
            let words = format!("and {}", counted(more, "more kind"));
            reports.push(Markup::new().dim(words).into());
        }
        Some(Report::Stack(reports))
    }
}

fn share(time: Duration, total: Duration) -> String {
    format!("{:.1} %", 100.0 * time.as_secs_f64() / total.as_secs_f64().max(1e-12))
}
