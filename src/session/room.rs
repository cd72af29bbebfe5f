//! Where memory runs out, results of earlier inputs go: nobody gave them a name, and they are only
//! kept for convenience. The oldest go first, and no more of them than are needed.

use std::collections::{HashMap, HashSet};

use super::commands::is_result;
use super::{Session, Value};
use crate::device::Device;
use crate::report::{Markup, Report, human_bytes};
use crate::syntax::continues_name;
use crate::tensor::Error;

/// A storage: its bytes, and the variables that reach it.
type Held = (u64, HashSet<String>);

impl Session {
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

    /// Lets go of cycles that nobody holds, once; else drops old results, if that gives a device the memory
    /// that the statement `text` lacked; says which. Results that the statement names stay.
    pub(super) fn make_room(
        &mut self,
        device: &Device,
        text: &str,
        has_collected: &mut bool,
    ) -> Option<Markup> {
        let named: HashSet<&str> = text.split(|c| !continues_name(c)).collect();
        if !std::mem::replace(has_collected, true) && self.collect_cycles() {
            let words = "memory was short, so containers that only held each other were let go of";
            return Some(Markup::new().dim(words));
        }
        if named.contains("Out") {
            return None;
        }
        let wanted = device.allocator().stats().shortfall as u64;
        let held = self.held_on(device);
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
        let mut scope = self.interp.scope.borrow_mut();
        also.iter().for_each(|name| _ = scope.remove(&self.interp.journal, name));
        drop(scope);
        let is_kept = |(number, _): &(usize, _)| dropped.iter().all(|(gone, _)| gone != number);
        self.outputs.change(&self.interp.journal).retain(is_kept);
        self.keep_outputs();
        self.interp.look_again();
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

    /// The value of an input as it is shown. Older results make room for that as well.
    pub(super) fn displayed(&mut self, number: usize, value: &Value) -> Result<Report, Error> {
        let mut has_collected = false;
        loop {
            let before = self.shortages();
            let shown = self.try_display(value);
            let device = self.short_device(&before).filter(|_| shown.is_err());
            let text = format!("_{number}");
            let room = device.and_then(|d| self.make_room(&d, &text, &mut has_collected));
            if room.is_none() {
                return shown;
            }
        }
    }

    /// The storages of a device with the variables that reach them.
    fn held_on(&self, device: &Device) -> Vec<Held> {
        let mut held: HashMap<u64, Held> = HashMap::new();
        for holder in self.holders() {
            let Some((storage, _)) = holder.tensor.storage_and_layout() else { continue };
            if holder.tensor.device() == device {
                let root = holder.name.split('[').next().unwrap_or_default().to_string();
                let bytes = storage.size_bytes() as u64;
                let entry = held.entry(storage.address()).or_insert((bytes, HashSet::new()));
                entry.1.insert(root);
            }
        }
        held.into_values().collect()
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
    fn what_was_printed_is_not_printed_again() {
        let mut session = session();
        for _ in 0..3 {
            session.run(MIB16, &mut Nobody);
        }
        let mut heard = Heard::default();
        let outcome = session.run(&format!("x = [print('once'), {MIB16}, {MIB16}]"), &mut heard);
        assert!(outcome.error.is_some());
        assert_eq!((&*heard.1, heard.0.len()), ("once\n", 0));
        assert!(matches!(session.run("_1.shape", &mut heard).value, Some(Value::Tuple(_))));
    }
}
