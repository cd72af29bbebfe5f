//! The panel of `:mem live`: one output that is updated in place, after each cell by the main
//! thread and while a long one runs by a thread of its own.
//!
//! That thread touches no value of the session. It reads the allocator's counters; which variables
//! hold the most is what the main thread saw when a statement ended last.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jupyter_protocol::{DisplayData, Header, Transient, UpdateDisplayData};

use crate::report::{Gauge, Holding, Markup, Report, human_duration};
use crate::session::{Meter, Reading, Session};

use super::display;
use super::wire::{Outbox, thread};

/// How often a running cell's memory is looked at.
const GLANCE: Duration = Duration::from_millis(50);

/// No more updates than this while a cell runs, and one at least this often.
const SHORTEST: Duration = Duration::from_millis(200);
const LONGEST: Duration = Duration::from_secs(1);

/// Between two statements the variables are looked at again after so many times as long as that
/// takes: the panel slows no program by more than a twentieth.
const REST: u32 = 20;

/// Moments that the panel remembers, and variables that it names.
const MOMENTS: usize = 160;
const NAMED: usize = 6;

/// The panel, if there is one.
#[derive(Debug, Clone)]
pub struct Live {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    /// A cell begins, or the panel has gone.
    woken: Condvar,
    outbox: Arc<Outbox>,
}

#[derive(Debug, Default)]
struct State {
    panel: Option<Panel>,
    /// Whether the thread beside the session runs.
    is_watched: bool,
}

#[derive(Debug)]
struct Panel {
    /// What the front ends know its output by.
    id: String,
    meter: Meter,
    moments: VecDeque<Reading>,
    holders: Vec<Holding>,
    /// How many others there are, and their bytes.
    others: (usize, u64),
    /// When the variables were looked at, and how long that took.
    looked: (Instant, Duration),
    /// What was shown last, and when.
    shown: (Reading, Instant),
    cell: Option<Running>,
}

/// The cell that runs.
#[derive(Debug, Clone)]
struct Running {
    number: usize,
    header: Header,
    begun: Instant,
}

impl Live {
    pub fn new(outbox: Arc<Outbox>) -> Live {
        let (state, woken) = Default::default();
        Live { shared: Arc::new(Shared { state, woken, outbox }) }
    }

    /// Puts a panel under the running cell. One that was there says where it went.
    pub fn open(&self, session: &Session, parent: &Header) {
        let mut state = self.shared.lock();
        let number = session.next_number() - 1;
        let mut moments = VecDeque::new();
        if let Some(before) = state.panel.take() {
            self.shared.outbox.forget(&before.id);
            let text = Markup::new().dim(format!("the memory is shown under [{number}]"));
            before.update(&self.shared.outbox, &text.into(), parent);
            moments = before.moments;
        }
        let (meter, now) = (session.meter(), Instant::now());
        let reading = meter.read();
        let cell = Some(Running { number, header: parent.clone(), begun: now });
        let id = format!("genesis-memory-{}", parent.msg_id);
        let looked = (now, Duration::ZERO);
        let (holders, others) = Default::default();
        let shown = (reading, now);
        let mut panel = Panel { id, meter, moments, holders, others, looked, shown, cell };
        panel.look(session);
        let mut data =
            DisplayData::new(display::passing(&panel.report(String::new(), reading), true));
        data.transient = Some(Transient { display_id: Some(panel.id.clone()) });
        self.shared.outbox.tell(data, parent);
        let (shared, header) = (Arc::downgrade(&self.shared), parent.clone());
        self.shared.outbox.remember(&panel.id, move |_| {
            if let Some(shared) = shared.upgrade() {
                shared.part(&header);
            }
        });
        state.panel = Some(panel);
        if !std::mem::replace(&mut state.is_watched, true) {
            watch(&self.shared);
        }
    }

    /// Ends the panel; its last state stays to be read.
    pub fn close(&self, session: &Session, parent: &Header) {
        if let Some(mut panel) = self.shared.lock().panel.take() {
            self.shared.outbox.forget(&panel.id);
            panel.look(session);
            let number = session.next_number() - 1;
            panel.publish(&self.shared.outbox, format!("ended at [{number}]"), parent);
        }
        self.shared.woken.notify_all();
    }

    /// A cell begins.
    pub fn begin(&self, session: &Session, number: usize, parent: &Header) {
        if let Some(panel) = &mut self.shared.lock().panel {
            panel.meter = session.meter();
            panel.cell = Some(Running { number, header: parent.clone(), begun: Instant::now() });
            self.shared.woken.notify_all();
        }
    }

    /// A statement of a cell has ended, and another may follow.
    pub fn between(&self, session: &Session) {
        if let Some(panel) = &mut self.shared.lock().panel
            && panel.looked.0.elapsed() >= panel.looked.1 * REST
        {
            panel.look(session);
        }
    }

    /// A cell has ended.
    pub fn end(&self, session: &Session, number: usize, parent: &Header) {
        if let Some(panel) = &mut self.shared.lock().panel {
            panel.meter = session.meter();
            panel.look(session);
            panel.cell = None;
            panel.publish(&self.shared.outbox, format!("after [{number}]"), parent);
        }
    }
}

/// Starts the thread that shows what a long cell does; it ends with the panel.
fn watch(shared: &Arc<Shared>) {
    let shared = shared.clone();
    thread("memory", move || {
        let mut state = shared.lock();
        while let Some(panel) = &mut state.panel {
            if panel.cell.is_some() {
                panel.glance(&shared.outbox);
                let waited = shared.woken.wait_timeout(state, GLANCE);
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
            } else {
                state = shared.woken.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
        state.is_watched = false;
    });
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The kernel ends, and the panel with it.
    fn part(&self, header: &Header) {
        // Whoever has the panel now looks at the variables, maybe for long.
        if let Ok(mut state) = self.state.try_lock()
            && let Some(mut panel) = state.panel.take()
        {
            panel.cell = None;
            panel.holders.clear();
            panel.others = (0, 0);
            panel.publish(&self.outbox, "the kernel has ended".to_string(), header);
        }
    }
}

impl Panel {
    /// Takes down which variables hold the most, and the levels.
    fn look(&mut self, session: &Session) {
        let begun = Instant::now();
        (self.holders, self.others) = session.largest(NAMED);
        self.looked = (begun, begun.elapsed());
        remember(&mut self.moments, self.meter.read());
    }

    /// What a running cell's memory is like now, if that is worth showing.
    fn glance(&mut self, outbox: &Outbox) {
        let Some(Running { number, header, begun }) = self.cell.clone() else { return };
        let elapsed = begun.elapsed();
        let reading = self.meter.read();
        if self.moments.back() != Some(&reading) {
            remember(&mut self.moments, reading);
        }
        let (before, at) = self.shown;
        let is_due = match before == reading {
            true => at.elapsed() >= LONGEST,
            false => at.elapsed() >= SHORTEST,
        };
        if is_due && elapsed >= SHORTEST {
            let note = format!("[{number}] runs for {}", human_duration(elapsed));
            self.publish(outbox, note, &header);
        }
    }

    fn publish(&mut self, outbox: &Outbox, note: String, parent: &Header) {
        let reading = self.meter.read();
        self.shown = (reading, Instant::now());
        self.update(outbox, &self.report(note, reading), parent);
    }

    fn update(&self, outbox: &Outbox, report: &Report, parent: &Header) {
        let data = display::passing(report, self.cell.is_some());
        outbox.update(UpdateDisplayData::new(data, &self.id), parent);
    }

    fn report(&self, note: String, reading: Reading) -> Report {
        Report::Gauge(Gauge {
            title: self.meter.device.clone(),
            note,
            live: reading.live,
            reserved: reading.reserved,
            peak: reading.peak,
            moments: self.moments.iter().map(|moment| (moment.live, moment.reserved)).collect(),
            holders: self.holders.clone(),
            others: self.others,
        })
    }
}

fn remember(moments: &mut VecDeque<Reading>, reading: Reading) {
    if moments.len() >= MOMENTS {
        moments.pop_front();
    }
    moments.push_back(reading);
}
