//! `:device`.

use super::Call;
use crate::diag::{At, SourceResult};
use crate::memory::MemInfo;
use crate::report::{Column, Markup, Table, human_bytes};
use crate::session::config::find_device;
use crate::session::settings::parse_device;

pub fn run(call: &mut Call<'_>) -> SourceResult<()> {
    let words = call.words();
    match words.as_slice() {
        [] => {
            let table = listing(call);
            call.show(table);
            Ok(())
        }
        [name] => {
            let id = parse_device(name.text).at(name.span)?;
            let engine = &call.session.interp.engine;
            let device = find_device(engine, id).at(name.span)?;
            engine.set_device(device);
            call.session.log_command(&format!(":device {id}"));
            Ok(())
        }
        [_, more, ..] => Err(call.misuse(more.span, "expected one device, found more")),
    }
}

fn listing(call: &Call<'_>) -> Table {
    let engine = &call.session.interp.engine;
    let current = engine.device();
    let mut table = Table::new([
        Column::left(""),
        Column::left("device"),
        Column::left("what it is"),
        Column::right("total"),
        Column::right("free"),
        Column::right("live"),
    ]);
    for device in engine.devices() {
        let MemInfo { free, total } = device.allocator().mem_info();
        let bytes = |bytes: usize| match bytes {
            usize::MAX => Markup::new().dim("unknown"),
            bytes => Markup::new().number(human_bytes(bytes as u64)),
        };
        let mark = if *device == current { Markup::new().good("→") } else { Markup::new() };
        table.row([
            mark,
            Markup::new().name(device.id().to_string()),
            Markup::from(device.name()),
            bytes(total),
            bytes(free),
            bytes(device.allocator().stats().now.allocated),
        ]);
    }
    table
}
