//! `:device`.

use super::Call;
use crate::device::cuda::{Dependency, compiler_version, driver_release, driver_version};
use crate::device::{Device, DeviceId};
use crate::diag::{At, Fault, SourceResult};
use crate::memory::MemInfo;
use crate::report::{Column, Markup, Report, Table, human_bytes};
use crate::session::settings::parse_device;

pub fn run(call: &mut Call<'_>) -> SourceResult<()> {
    let words = call.words();
    match words.as_slice() {
        [] => {
            let report = listing(call);
            call.show(report);
            Ok(())
        }
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
        None if has_capability => reports.extend([Report::plain(""), libraries().into()]),
        None => {}
    }
    reports.extend(fault.map(|fault| Markup::new().warn(fault.message).into()));
    Report::Stack(reports)
}

/// NVIDIA's libraries: their versions, and where each was found or how to get it.
fn libraries() -> Table {
    let mut table =
        Table::new([Column::left("library"), Column::left("version"), Column::left("found at")]);
    let pair = |(major, minor): (i32, i32)| format!("{major}.{minor}");
    for dependency in Dependency::ALL {
        let version = match dependency {
            Dependency::Driver => {
                let cuda = driver_version().map(|version| format!("CUDA {}", pair(version)));
                let parts = driver_release().into_iter().chain(cuda);
                parts.collect::<Vec<_>>().join(", ")
            }
            Dependency::Nvrtc => compiler_version().map_or(String::new(), pair),
            Dependency::Cublas => String::new(),
        };
        let place = match dependency.locate() {
            Ok(path) => Markup::from(path.display().to_string()),
            Err(_) => Markup::new().warn("missing").plain(": ").plain(dependency.remedy()),
        };
        table.row([Markup::new().name(dependency.name()), Markup::from(version), place]);
    }
    table
}
