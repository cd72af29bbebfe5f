//! Where memory runs out, results of earlier inputs go: nobody gave them a name, and they are only
//! kept for convenience. The oldest go first, and no more of them than are needed. Before that,
//! containers go that only hold each other.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::{Rc, Weak};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::commands::is_result;
use super::makers::Makers;
use super::past::Outputs;
use super::{Session, Value, results};
use crate::device::Device;
use crate::interp::Interp;
use crate::interp::shared::Shared;
use crate::memory::{Snapshot, StatementId};
use crate::report::{Markup, Report, human_bytes};
use crate::syntax::continues_name;
use crate::tensor::{Error, Origin, Relief};

/// A storage: its bytes, and the variables that reach it.
type Held = (u64, HashSet<String>);

/// What gives memory while a statement runs.
#[derive(Debug)]
pub(super) struct Room {
    interp: RefCell<Weak<Interp>>,
    pub(super) outputs: Rc<Shared<Outputs>>,
    /// The statement that runs: results that it names stay. Without one, nothing goes.
    text: RefCell<Option<Rc<str>>>,
    makers: Makers,
    /// What the user is to be told.
    notices: RefCell<Vec<Markup>>,
    is_asked: Cell<bool>,
    keeps_snapshots: Cell<bool>,
    /// How the memory was when it ran out last.
    snapshot: RefCell<Option<(Device, Snapshot)>>,
}

impl Relief for Room {
    fn relieve(&self, device: &Device) -> bool {
        let (text, interp) = (self.text.borrow().clone(), self.interp.borrow().upgrade());
        let (Some(text), Some(interp)) = (text, interp) else { return false };
        // Whoever changes variables at this moment is not to be disturbed.
        let is_free =
            interp.scope.try_borrow_mut().is_ok() && self.outputs.try_borrow_mut().is_some();
        if !is_free || self.is_asked.replace(true) {
            return false;
        }
        let given = interp.journal.beside_transaction(|| {
            self.give(&interp, device, &text).or_else(|| self.compact(&interp, device))
        });
        self.is_asked.set(false);
        let is_given = given.is_some();
        // One of many is enough to be told.
        let mut notices = self.notices.borrow_mut();
        if let Some(notice) = given.filter(|notice| !notices.contains(notice)) {
            notices.push(notice);
        }
        is_given
    }

    fn refused(&self, device: &Device) {
        if self.keeps_snapshots.get() {
            self.snapshot.replace(Some((device.clone(), device.allocator().snapshot())));
        }
    }

    fn maker(&self, origin: Origin) -> Option<(StatementId, Arc<str>)> {
        let interp = self.interp.borrow().upgrade()?;
        self.makers.line(&interp, origin)
    }
}

impl Room {
    pub fn new(interp: &Rc<Interp>, outputs: &Rc<Shared<Outputs>>) -> Room {
        Room {
            interp: Rc::downgrade(interp).into(),
            outputs: outputs.clone(),
            text: RefCell::default(),
            makers: Makers::default(),
            notices: RefCell::default(),
            is_asked: Cell::default(),
            keeps_snapshots: Cell::default(),
            snapshot: RefCell::default(),
        }
    }

    /// Whether the memory is to be looked at where it runs out.
    pub fn keep_snapshots(&self, keeps: bool) {
        self.keeps_snapshots.set(keeps);
        self.snapshot.take();
    }

    pub fn take_snapshot(&self) -> Option<(Device, Snapshot)> {
        self.snapshot.take()
    }

    pub fn makers(&self) -> &Makers {
        &self.makers
    }

    /// A statement begins; with none, it has ended.
    pub fn set_text(&self, text: Option<&Rc<str>>) {
        self.text.replace(text.cloned());
    }

    /// Says something to the user when the statement has ended.
    pub fn note(&self, notice: Markup) {
        self.notices.borrow_mut().push(notice);
    }

    pub fn take_notices(&self) -> Vec<Markup> {
        self.notices.take()
    }

    /// Lets go of cycles that nobody holds; else drops old results, if that gives a device the memory
    /// that the statement `text` lacked; says which. Results that the statement names stay.
    fn give(&self, interp: &Interp, device: &Device, text: &str) -> Option<Markup> {
        if interp.collect_at_once() {
            let words = "memory was short, so containers that only held each other were let go of";
            return Some(Markup::new().dim(words));
        }
        let named: HashSet<&str> = text.split(|c| !continues_name(c)).collect();
        if named.contains("Out") {
            return None;
        }
        let wanted = device.allocator().stats().shortfall as u64;
        let held = self.held_on(interp, device);
        // The last results have these names as well.
        let mut gone: HashSet<String> = HashSet::new();
        gone.extend(["__", "___"].into_iter().filter(|n| !named.contains(n)).map(str::to_string));
        let mut dropped = Vec::new();
        let mut freed = 0;
        for (number, _) in self.outputs.borrow().iter() {
            let name = format!("_{number}");
            if named.contains(&*name) {
                continue;
            }
            gone.insert(name.clone());
            let total = freeable(&held, &gone).map(|(bytes, _)| *bytes).sum();
            if total > freed {
                dropped.push((*number, name));
                freed = total;
            }
            if freed >= wanted {
                break;
            }
        }
        if freed < wanted || dropped.is_empty() {
            return None;
        }
        let also: HashSet<String> =
            freeable(&held, &gone).flat_map(|(_, names)| names.iter().cloned()).collect();
        also.iter().for_each(|name| _ = interp.remove(name));
        let is_kept = |(number, _): &(usize, _)| dropped.iter().all(|(gone, _)| gone != number);
        self.outputs.change(&interp.journal).retain(is_kept);
        results::show_outputs(interp, &self.outputs.borrow());
        interp.look_again();
        let names: Vec<&str> = dropped.iter().map(|(_, name)| &**name).collect();
        let names = match &names[..] {
            [first, .., last] if names.len() > 3 => format!("{first} … {last}"),
            names => names.join(", "),
        };
        let words = format!(
            "memory was short, so old results were dropped: {names} ({} on {})",
            human_bytes(freed),
            device.id()
        );
        Some(Markup::new().dim(words))
    }

    /// The storages of a device with the variables that reach them, and the results.
    fn held_on(&self, interp: &Interp, device: &Device) -> Vec<Held> {
        let mut held: HashMap<u64, Held> = HashMap::new();
        let mut note = |name: &str, value: &Value| {
            each_tensor(value, |tensor| {
                let Some((storage, _)) = tensor.storage_and_layout() else { return };
                if tensor.device() == device {
                    let bytes = storage.size_bytes() as u64;
                    let entry = held.entry(storage.address()).or_insert((bytes, HashSet::new()));
                    entry.1.insert(name.to_string());
                }
            });
        };
        let scope = interp.scope.borrow();
        scope.iter().filter(|(name, _)| &***name != "Out").for_each(|(name, v)| note(name, &v));
        self.outputs.borrow().iter().for_each(|(number, v)| note(&format!("_{number}"), v));
        held.into_values().collect()
    }
}

/// Shows the tensors that a value reaches.
pub(super) fn each_tensor(value: &Value, mut look: impl FnMut(&crate::tensor::Tensor)) {
    let (mut seen, mut open) = (FxHashSet::default(), vec![value.clone()]);
    while let Some(value) = open.pop() {
        match &value {
            Value::Tensor(tensor) => look(tensor),
            value if value.identity().is_some_and(|(at, _)| seen.insert(at)) => {
                value.visit(&mut |part| open.push(part.clone()));
                if let Value::Closure(function) = value {
                    let cells = function.captured.iter().filter_map(|cell| cell.try_borrow());
                    cells.for_each(|held| open.extend(held.iter().cloned()));
                }
            }
            _ => {}
        }
    }
}

impl Session {
    /// Changes what the interpreter is made of.
    pub(super) fn change_interp(&mut self, change: impl FnOnce(&mut Interp)) {
        self.room.interp.take();
        change(Rc::get_mut(&mut self.interp).expect("only the session holds it"));
        self.room.interp.replace(Rc::downgrade(&self.interp));
    }

    /// How often each device has run out of memory so far.
    pub(super) fn shortages(&self) -> Vec<u64> {
        let count = |device: &Device| device.allocator().stats().out_of_memory;
        self.engine().devices().map(count).collect()
    }

    /// The device that ran out of memory since `before`.
    pub(super) fn short_device(&self, before: &[u64]) -> Option<Device> {
        let ran_out = |(at, device): (usize, &Device)| {
            let count = device.allocator().stats().out_of_memory;
            (before.get(at).copied().unwrap_or(0) < count).then(|| device.clone())
        };
        self.engine().devices().enumerate().find_map(ran_out)
    }

    /// The value of an input as it is shown. Older results make room for that as well.
    pub(super) fn displayed(&mut self, number: usize, value: &Value) -> Result<Report, Error> {
        self.room.set_text(Some(&Rc::from(format!("_{number}"))));
        let shown = match self.picture(value) {
            Ok(None) => self.try_display(value),
            Ok(Some(picture)) => Ok(picture),
            Err(error) => Err(error),
        };
        self.room.set_text(None);
        shown
    }
}

/// What is free once these names have gone.
fn freeable<'a>(held: &'a [Held], gone: &'a HashSet<String>) -> impl Iterator<Item = &'a Held> {
    held.iter().filter(|(_, names)| names.iter().all(|name| is_result(name) && gone.contains(name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Config, Nobody, Sink};

    /// Keeps what is said.
    #[derive(Default)]
    struct Heard(Vec<String>, String);

    impl Sink for Heard {
        fn text(&mut self, text: &str) {
            self.1 += text;
        }

        fn report(&mut self, _: &Report) {}

        fn notice(&mut self, notice: &Markup) {
            self.0.push(notice.to_plain());
        }
    }

    fn session() -> Session {
        let config = Config::default().with_simulated("64MiB").unwrap();
        Session::new(config).unwrap()
    }

    const MIB16: &str = "ones(4, 1024, 1024)";

    #[test]
    fn a_cell_that_is_run_again_and_again_never_fills_the_memory() {
        let mut session = session();
        let mut heard = Heard::default();
        for round in 0..20 {
            let outcome = session.run(MIB16, &mut heard);
            assert!(outcome.error.is_none(), "{round}: {:?}", outcome.error);
        }
        assert!(heard.0[0].contains("_1 (16.0 MiB on cuda:0)"), "{:?}", heard.0);
        assert!(session.run("_20.sum(), _.sum()", &mut Nobody).error.is_none());
        assert!(session.run("_1", &mut Nobody).error.is_some());
        assert!(session.run("1 in Out", &mut Nobody).value.is_some());
    }

    #[test]
    fn what_has_a_name_stays() {
        let mut session = session();
        session.run(MIB16, &mut Nobody);
        session.run(&format!("x = {MIB16}"), &mut Nobody);
        session.run("x", &mut Nobody);
        session.run(MIB16, &mut Nobody);
        let mut heard = Heard::default();
        // The result is the variable's as well, so dropping it frees nothing; the first one does.
        assert!(session.run(&format!("y = {MIB16}; z = {MIB16}"), &mut heard).error.is_none());
        assert_eq!(heard.0.len(), 1, "{:?}", heard.0);
        assert!(heard.0[0].contains("dropped: _1 ("), "{:?}", heard.0);
        // What a statement names, and what would not be enough.
        assert!(session.run(&format!("w = _4 + 1; {MIB16}"), &mut heard).error.is_some());
        assert!(session.run("w = ones(64, 1024, 1024)", &mut heard).error.is_some());
        assert_eq!(heard.0.len(), 1, "{:?}", heard.0);
        assert!(session.run("_4.shape", &mut Nobody).error.is_none());
    }

    #[test]
    fn a_result_that_fills_the_device_is_shown() {
        let mut session = session();
        session.run(MIB16, &mut Nobody);
        let mut outcome = session.run("zeros(12, 1024, 1024)", &mut Nobody);
        assert!(outcome.error.is_none(), "{:?}", outcome.error);
        let report = session.show(&mut outcome);
        assert!(outcome.error.is_none() && report.is_some(), "{:?}", outcome.error);
    }

    #[test]
    fn an_allocation_is_tried_again_and_the_statement_is_not() {
        let mut session = session();
        for _ in 0..3 {
            session.run(MIB16, &mut Nobody);
        }
        let mut heard = Heard::default();
        let outcome = session.run(&format!("x = [print('once'), {MIB16}, {MIB16}]"), &mut heard);
        assert!(outcome.error.is_none(), "{:?}", outcome.error);
        assert_eq!((&*heard.1, heard.0.len()), ("once\n", 1));
        assert!(session.run("_1", &mut Nobody).error.is_some());
        assert!(session.run("_3.sum(), x[1].sum()", &mut Nobody).error.is_none());
    }

    /// What asks for two more pieces of 16 MiB than are free, at each kind of place.
    const PLACES: [&str; 9] = [
        "for i in range(2):\n    x = [BIG]\n    x.append(BIG)",
        "i = 0\nwhile i < 2:\n    x = BIG; y = BIG; i += 1; del x, y",
        "if BIG is not None:\n    x = BIG\n    y = BIG",
        "try:\n    x = BIG\n    y = BIG\nexcept MemoryError:\n    raise ValueError",
        "try:\n    1 / 0\nexcept ZeroDivisionError:\n    x = BIG\nfinally:\n    y = BIG",
        "from contextlib import suppress\nwith suppress(MemoryError):\n    x = BIG; y = BIG\nx, y",
        "def f():\n    a = BIG\n    b = sort(a.ravel()[:9])\n    return (a.ravel()[:9] + b).sum().item()\nx = f()",
        "def g():\n    try:\n        return BIG, BIG\n    except MemoryError:\n        raise ValueError\nx = g()",
        "class A:\n    def __init__(self): self.a = BIG; self.b = list(map(lambda i: BIG, [0]))\nx = A()",
    ];

    #[test]
    fn old_results_go_at_each_kind_of_place() {
        for place in PLACES {
            let mut session = session();
            for _ in 0..3 {
                session.run(MIB16, &mut Nobody);
            }
            let mut heard = Heard::default();
            let outcome = session.run(&place.replace("BIG", MIB16), &mut heard);
            assert!(outcome.error.is_none(), "{place}: {:?}", outcome.error);
            assert!(heard.0[0].contains("old results were dropped: _1"), "{place}: {:?}", heard.0);
            assert!(session.run("_3.sum()", &mut Nobody).error.is_none(), "{place}");
            drop(outcome);
            session.reset();
            assert_eq!(session.memory().live, 0, "{place}");
        }
    }

    #[test]
    fn cycles_go_at_each_kind_of_place() {
        let cycle = format!("l = []; l.append(l); l.append([{MIB16}, {MIB16}, {MIB16}]); del l");
        for place in PLACES {
            let mut session = session();
            session.run(&cycle, &mut Nobody);
            let mut heard = Heard::default();
            let outcome = session.run(&place.replace("BIG", MIB16), &mut heard);
            assert!(outcome.error.is_none(), "{place}: {:?}", outcome.error);
            assert!(heard.0[0].contains("only held each other"), "{place}: {:?}", heard.0);
            drop(outcome);
            session.reset();
            assert_eq!(session.memory().live, 0, "{place}");
        }
        let mut session = session();
        let inside = format!(
            "def f():\n    for i in range(9):\n        l = []\n        l.append(l)\n        l.append({MIB16} * i)\n    return i\nf()"
        );
        let outcome = session.run(&inside, &mut Nobody);
        assert!(outcome.error.is_none(), "{:?}", outcome.error);
    }

    #[test]
    fn what_went_meanwhile_stays_gone_where_the_statement_fails() {
        let mut session = session();
        for _ in 0..3 {
            session.run(MIB16, &mut Nobody);
        }
        session.run("n = [1]", &mut Nobody);
        // 9 MiB twice are more than is left; processors without wide registers sort in two buffers more.
        let text = "for i in range(3):\n    n.append([sort(ones(9, 512, 512).ravel()), 1 / 0])";
        let error = session.run(text, &mut Nobody).error;
        assert_eq!(
            error.map(|error| error.name().to_string()).as_deref(),
            Some("ZeroDivisionError")
        );
        assert!(session.run("_1", &mut Nobody).error.is_some());
        let same = session.run("assert n == [1] and 1 not in Out and i == 0", &mut Nobody);
        assert!(same.error.is_none(), "{:?}", same.error);
        assert!(session.run("_3.sum()", &mut Nobody).error.is_none());
        session.reset();
        assert_eq!(session.memory().live, 0);
    }

    #[test]
    fn memory_is_made_for_the_line_that_asked() {
        let mut session = session();
        session.run("def f(n):\n    a = ones(n)  # here\n    return a, a * 2", &mut Nobody);
        session.run("x = f(3)\nfor i in range(2):\n    y = zeros(4)\n    z = y + 1", &mut Nobody);
        session.run("w = [ones(2),\n     ones(2)]", &mut Nobody);
        let snapshot = session.engine().device().allocator().snapshot();
        let mut texts: Vec<String> = session
            .held_addresses()
            .iter()
            .filter(|(_, name)| !name.variable().starts_with('_'))
            .map(|(address, name)| {
                let block = snapshot.blocks().find(|block| block.address == *address).unwrap();
                format!("{name}: {}", snapshot.statement_text(block.statement))
            })
            .collect();
        texts.sort();
        let first = "w[0]: w = [ones(2),\n     ones(2)]";
        assert_eq!(
            texts,
            [
                first,
                &first.replace("w[0]", "w[1]"),
                "x[0]: a = ones(n)  # here",
                "x[1]: return a, a * 2",
                "y: y = zeros(4)",
                "z: z = y + 1",
            ]
        );
    }
}
