//! All devices beside each other.

use super::nothing;
use crate::device::Device;
use crate::diag::SourceResult;
use crate::report::{Column, Markup, Report, Table, human_bytes};
use crate::session::commands::Call;
use crate::session::commands::arguments::Word;
use crate::session::driver_view::driver_view;

pub(super) fn devices(call: &mut Call<'_>, _: &Device, rest: &[Word<'_>]) -> SourceResult<()> {
    nothing(call, rest)?;
    let mut table = Table::new([
        Column::left("device"),
        Column::left("name"),
        Column::right("memory"),
        Column::right("free"),
        Column::right("live"),
        Column::right("reserved"),
        Column::right("past"),
        Column::right("peak"),
    ]);
    let mut drivers = Vec::new();
    let bytes = |bytes: usize| match bytes {
        usize::MAX => Markup::new().dim("unknown"),
        bytes => Markup::new().number(human_bytes(bytes as u64)),
    };
    for device in call.session.engine().devices() {
        let (stats, info) = (device.allocator().stats(), device.allocator().mem_info());
        table.row([
            Markup::new().name(device.id().to_string()),
            Markup::from(device.name()),
            bytes(info.total),
            bytes(info.free),
            bytes(stats.now.allocated),
            bytes(stats.now.reserved),
            bytes(stats.past),
            bytes(stats.peak.allocated),
        ]);
        if let Some(driver) = driver_view(device, info, &stats) {
            drivers.extend([
                Report::plain(""),
                Markup::new().name(device.id().to_string()).into(),
                driver,
            ]);
        }
    }
    let reports = std::iter::once(table.into()).chain(drivers).collect();
    call.show(Report::Stack(reports));
    Ok(())
}
