//! `:device`.

use super::Call;
use super::arguments::Word;
use crate::device::{Device, DeviceId, LibraryInfo, cuda};
use crate::diag::{At, Fault, SourceResult, Span};
use crate::memory::MemInfo;
use crate::report::{Column, Markup, Report, Table, human_bytes};
use crate::session::settings::parse_device;
use crate::session::simulated::{parse_simulate, simulated_count};

pub fn run(call: &mut Call<'_>) -> SourceResult<()> {
    let words = call.words();
    match words.as_slice() {
        [] => {
            let report = listing(call);
            call.show(report);
            Ok(())
        }
        [verb, sizes @ ..] if verb.text == "simulate" => simulate(call, verb.span, sizes),
        [name] => {
            let id = parse_device(name.text).at(name.span)?;
            let engine = &call.session.interp.engine;
            let device = engine.find_device(id).map_err(Fault::from).at(name.span)?;
            engine.set_device(device);
            call.session.awaited = None;
            call.session.log_command(&format!(":device {id}"));
            Ok(())
        }
        [_, more, ..] => Err(call.misuse(more.span, "expected one device, found more")),
    }
}

/// Moves new tensors to simulated GPUs of these sizes. Those that are there already are taken, so that
/// a program that asks for them again finds what it had; else new ones open beside them.
fn simulate(call: &mut Call<'_>, verb: Span, sizes: &[Word<'_>]) -> SourceResult<()> {
    let [size] = sizes else {
        let place = sizes.get(1).map_or(verb, |more| more.span);
        return Err(call.misuse(place, "expected one size after `simulate`, such as `8GiB`"));
    };
    let capacities = parse_simulate(size.text).at(size.span)?;
    call.settle()?;
    let session = &mut *call.session;
    let there: Vec<Device> =
        session.engine().devices().filter(|d| is_simulated(d)).cloned().collect();
    let known = matching(&there, &capacities);
    let is_new = known.is_none();
    let devices = match known {
        Some(devices) => devices,
        None => {
            simulated_count(there.len() + capacities.len()).at(size.span)?;
            let mut opened = Vec::new();
            for capacity in capacities {
                let ordinal = session.engine().free_ordinal();
                let (config, interrupt) = (session.settings().allocator, session.interrupt());
                let device = Device::simulated(ordinal, capacity, config, interrupt);
                let device = device.map_err(Fault::from).at(size.span)?;
                session.change_interp(|interp| interp.engine.add_device(device.clone()));
                opened.push(device);
            }
            opened
        }
    };
    session.engine().set_device(devices[0].clone());
    session.awaited = None;
    session.log_command(&format!(":device simulate {}", size.text));
    let report = simulated(&devices, &there, is_new);
    call.show(report);
    Ok(())
}

/// One device of each size, of those that are there; `None` where one is missing.
fn matching(there: &[Device], capacities: &[usize]) -> Option<Vec<Device>> {
    let mut left: Vec<&Device> = there.iter().collect();
    let take = |capacity: &usize| {
        let fits = |device: &&Device| device.allocator().mem_info().total == *capacity;
        let at = left.iter().position(fits)?;
        Some(left.remove(at).clone())
    };
    capacities.iter().map(take).collect()
}

/// Says which devices there are now, and where new tensors go.
fn simulated(devices: &[Device], there: &[Device], is_new: bool) -> Markup {
    let mut markup = Markup::new();
    for (at, device) in devices.iter().enumerate() {
        let size = human_bytes(device.allocator().mem_info().total as u64);
        markup = markup.plain(if at > 0 { ", " } else { "" }).name(device.id().to_string());
        markup = markup.plain(format!(" with {size}"));
    }
    let what = if devices.len() == 1 { "a simulated GPU" } else { "simulated GPUs" };
    markup =
        markup.plain(format!(": {what}{}", if is_new { "" } else { " that is there already" }));
    if is_new && !there.is_empty() {
        let names: Vec<String> = there.iter().map(|device| device.id().to_string()).collect();
        markup = markup.plain(format!(" beside {}", names.join(", ")));
    }
    markup.dim(format!("; new tensors go to {}", devices[0].id()))
}

fn is_simulated(device: &Device) -> bool {
    device.id() != DeviceId::Cpu && device.backend().cuda().is_none()
}

fn listing(call: &mut Call<'_>) -> Report {
    // What keeps a device from opening stands in the list itself.
    let fault = call.settle().err();
    let engine = &call.session.interp.engine;
    let gpus = engine.gpus().list().unwrap_or(&[]);
    let has_capability = !gpus.is_empty();
    let current = engine.device();
    let mut columns = vec![Column::left(""), Column::left("device"), Column::left("what it is")];
    columns.extend(has_capability.then(|| Column::left("capability")));
    columns.extend(["total", "free", "live"].map(Column::right));
    let mut table = Table::new(columns);
    let bytes = |bytes: usize| match bytes {
        usize::MAX => Markup::new().dim("unknown"),
        bytes => Markup::new().number(human_bytes(bytes as u64)),
    };
    let mut row = |id: DeviceId, name: &str, capability: Option<(i32, i32)>, figures| {
        let is_current = id == current.id();
        let mut row = vec![
            if is_current { Markup::new().good("→") } else { Markup::new() },
            Markup::new().name(id.to_string()),
            Markup::from(name),
        ];
        let capability =
            capability.map_or(String::new(), |(major, minor)| format!("{major}.{minor}"));
        row.extend(has_capability.then(|| Markup::from(capability)));
        let [total, free, live]: [Markup; 3] = figures;
        row.extend([total, free, live]);
        table.row(row);
    };
    let figures = |device: &Device| {
        let MemInfo { free, total } = device.allocator().mem_info();
        [bytes(total), bytes(free), bytes(device.allocator().stats().now.allocated)]
    };
    for device in engine.devices().filter(|device| device.backend().cuda().is_none()) {
        row(device.id(), device.name(), None, figures(device));
    }
    for (ordinal, gpu) in gpus.iter().enumerate() {
        let figures = match gpu.device() {
            Some(device) => figures(device),
            None => [bytes(gpu.info.memory), Markup::new().dim("not open"), Markup::new()],
        };
        let id = DeviceId::Cuda(ordinal as u16);
        row(id, &gpu.info.name, Some(gpu.info.capability), figures);
    }
    let mut reports = vec![table.into()];
    match engine.gpus().absence() {
        Some(reason) => {
            reports.push(Markup::new().dim(format!("no GPU: {reason}")).into());
        }
        None if has_capability => {
            reports.extend([Report::plain(""), libraries(cuda::libraries()).into()])
        }
        None => {}
    }
    reports.extend(fault.map(|fault| Markup::new().warn(fault.message).into()));
    Report::Stack(reports)
}

/// Versions, and where each was found or how to get it.
fn libraries(libraries: Vec<LibraryInfo>) -> Table {
    let mut table =
        Table::new([Column::left("library"), Column::left("version"), Column::left("found at")]);
    for LibraryInfo { name, version, place } in libraries {
        let place = match place {
            Ok(path) => Markup::from(path.display().to_string()),
            Err(remedy) => Markup::new().warn("missing").plain(": ").plain(remedy),
        };
        table.row([Markup::new().name(name), Markup::from(version), place]);
    }
    table
}
