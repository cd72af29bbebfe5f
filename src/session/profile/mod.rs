//! `:profile`: what statements, devices and memory did, and when.
//!
//! While somebody profiles, devices note their work ([`Device::set_profiled`]), events of memory have times of
//! their own, GPUs time their kernels, and each statement is noted with the lines that ran in it. Otherwise a
//! statement asks once whether somebody does.

mod table;
mod timeline;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::Session;
use crate::device::{Device, DeviceId, KernelTime, Worked};
use crate::memory::{Action, AllocatorStats, Place, StatementId};
use crate::replay::export::{Recording, Tape, levels};

/// Events of memory that are kept at the least.
const EVENTS: usize = 100_000;

/// Statements that are kept; more are only counted.
const STATEMENTS: usize = 1 << 20;

/// So many turns of lines are enough.
const TURNS: usize = 1 << 22;

/// What is noted while it goes on.
#[derive(Debug)]
pub struct Profile {
    begun: Instant,
    begun_us: u64,
    ran: Vec<Ran>,
    turns: Vec<(Instant, StatementId)>,
    names: Names,
    launches: Vec<Launch>,
    /// Statements that found no place.
    missed: usize,
}

/// What statements and lines are called, and where they stand.
type Names = HashMap<StatementId, (Arc<str>, Option<Place>)>;

/// A statement that ran.
#[derive(Debug, Clone)]
struct Ran {
    id: StatementId,
    text: Arc<str>,
    begin: Instant,
    end: Instant,
    /// Bytes in blocks that were handed out.
    bytes: u64,
    /// The most that was asked for and live on a device meanwhile.
    peak: u64,
}

/// A kernel on a GPU.
#[derive(Debug, Clone)]
struct Launch {
    device: DeviceId,
    name: String,
    begin: Option<Instant>,
    time: Duration,
    bytes: u64,
}

/// A statement that has begun.
#[derive(Debug)]
pub(super) struct Begun {
    at: Instant,
    before: Vec<(DeviceId, AllocatorStats)>,
}

/// All that a profile knows, for its table and its file.
#[derive(Debug)]
pub struct Profiled {
    begun: Instant,
    begun_us: u64,
    length: Duration,
    ran: Vec<Ran>,
    missed: usize,
    /// From when on which line ran.
    turns: Vec<(Instant, StatementId)>,
    names: Names,
    devices: Vec<Watched>,
    launches: Vec<Launch>,
    memory: Recording,
    /// Bytes that each statement or line asked for.
    asked: HashMap<StatementId, u64>,
}

/// The work of a device.
#[derive(Debug)]
struct Watched {
    device: String,
    work: Vec<Worked>,
}

impl Session {
    /// Begins to note; false where that goes on already.
    pub(super) fn start_profile(&mut self) -> bool {
        if self.desk.profile.is_some() {
            return false;
        }
        self.engine().rest();
        for device in self.engine().devices() {
            begin_watching(device);
        }
        self.room.makers().keep_turns(true);
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        self.desk.profile = Some(Profile {
            begun: Instant::now(),
            begun_us: since.as_micros() as u64,
            ran: Vec::new(),
            turns: Vec::new(),
            names: Names::default(),
            launches: Vec::new(),
            missed: 0,
        });
        true
    }

    /// Ends it. What was noted is forgotten.
    pub(super) fn stop_profile(&mut self) {
        self.desk.profile = None;
        self.room.makers().keep_turns(false);
        let (timing, events) = (self.engine().profiling(), self.config.allocator.history_len);
        for device in self.engine().devices() {
            device.set_profiled(false);
            device.allocator().set_exact_times(false);
            device.allocator().set_history_len(events);
            device.backend().cuda().iter().for_each(|gpu| gpu.set_profiling(timing));
        }
    }

    /// What has been noted so far, if somebody profiles.
    pub(super) fn profiled(&self) -> Option<Profiled> {
        let profile = self.desk.profile.as_ref()?;
        let devices: Vec<Device> = self.engine().devices().cloned().collect();
        let mut memory = self.recording(&devices);
        let mut asked: HashMap<StatementId, u64> = HashMap::new();
        for (device, tape) in devices.iter().zip(&mut memory.tapes) {
            tape.events.retain(|event| event.time >= profile.begun_us);
            let history = device.allocator().history();
            for event in history.iter().filter(|event| event.time_us >= profile.begun_us) {
                if event.action == Action::Allocate {
                    *asked.entry(event.statement).or_default() += event.bytes as u64;
                }
            }
        }
        let mut ran = profile.ran.clone();
        memory.tapes.iter().for_each(|tape| profile.raise_peaks(&mut ran, tape));
        Some(Profiled {
            begun: profile.begun,
            begun_us: profile.begun_us,
            length: profile.begun.elapsed(),
            ran,
            missed: profile.missed,
            turns: profile.turns.clone(),
            names: profile.names.clone(),
            devices: devices
                .iter()
                .map(|device| Watched { device: device.id().to_string(), work: device.worked() })
                .collect(),
            launches: profile.launches.clone(),
            memory,
            asked,
        })
    }

    /// A statement begins.
    #[inline]
    pub(super) fn begin_profiled(&self) -> Option<Begun> {
        self.desk.profile.is_some().then(|| self.begin_noting())
    }

    #[cold]
    fn begin_noting(&self) -> Begun {
        let mut before = Vec::new();
        for device in self.engine().devices() {
            if !device.is_profiled() {
                // One that has opened since.
                begin_watching(device);
            }
            device.backend().cuda().iter().for_each(|gpu| _ = gpu.mark_time());
            before.push((device.id(), device.allocator().stats()));
        }
        Begun { at: Instant::now(), before }
    }

    /// It has ended, and its kernels took so long.
    #[cold]
    pub(super) fn end_profiled(
        &mut self,
        begun: Begun,
        id: StatementId,
        text: &str,
        kernels: Vec<(DeviceId, Vec<KernelTime>)>,
    ) {
        let end = Instant::now();
        let turns = self.room.makers().take_turns();
        let (mut bytes, mut peak) = (0, 0);
        for device in self.engine().devices() {
            let Some((_, before)) = begun.before.iter().find(|it| it.0 == device.id()) else {
                continue;
            };
            let stats = device.allocator().stats();
            bytes += stats.bytes_allocated.saturating_sub(before.bytes_allocated);
            peak = peak.max(before.now.requested.max(stats.now.requested) as u64);
        }
        let Some(profile) = &mut self.desk.profile else { return };
        for (device, times) in kernels {
            let micros = |micros: f64| Duration::from_secs_f64((micros * 1e-6).max(0.0));
            profile.launches.extend(times.into_iter().map(|time| Launch {
                device,
                name: time.name,
                begin: time.begin.map(|since| begun.at + micros(since)),
                time: micros(time.microseconds),
                bytes: time.traffic,
            }));
        }
        if profile.ran.len() == STATEMENTS || profile.turns.len() > TURNS {
            profile.missed += 1;
            return;
        }
        let (makers, interp) = (self.room.makers(), &self.interp);
        for id in turns.iter().map(|(_, id)| *id).chain([id]) {
            profile.names.entry(id).or_insert_with(|| {
                let text = makers.text_of(id).unwrap_or_else(|| Arc::from(text));
                (text, makers.place_of(interp, id))
            });
        }
        profile.turns.extend(turns);
        profile.ran.push(Ran { id, text: Arc::from(text), begin: begun.at, end, bytes, peak });
    }
}

impl Profiled {
    /// How long devices and statements were looked at.
    pub(in crate::session) fn length(&self) -> Duration {
        self.length
    }

    /// How many statements ran.
    pub(in crate::session) fn statements(&self) -> usize {
        self.ran.len() + self.missed
    }
}

impl Profile {
    /// What was live between the beginnings and the ends of statements, as far as events tell.
    fn raise_peaks(&self, ran: &mut [Ran], tape: &Tape) {
        let micros = |at: Instant| {
            self.begun_us + at.saturating_duration_since(self.begun).as_micros() as u64
        };
        let levels = levels(tape).behind;
        let mut at = 0;
        for ran in ran {
            let (begin, end) = (micros(ran.begin), micros(ran.end));
            while tape.events.get(at).is_some_and(|event| event.time < begin) {
                at += 1;
            }
            while tape.events.get(at).is_some_and(|event| event.time <= end) {
                ran.peak = ran.peak.max(levels[at].live);
                at += 1;
            }
        }
    }
}

fn begin_watching(device: &Device) {
    let allocator = device.allocator();
    allocator.set_history_len(allocator.config().history_len.max(EVENTS));
    allocator.set_exact_times(true);
    device.set_profiled(true);
    device.backend().cuda().iter().for_each(|gpu| gpu.set_profiling(true));
}
