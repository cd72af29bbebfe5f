//! What a GPU's driver says is in use, and what that is.

use crate::device::Device;
use crate::memory::{AllocatorStats, MemInfo, Mode};
use crate::report::{Column, Markup, Report, Table, counted, human_bytes, signed_bytes};

/// The bytes that the driver reports, in parts that sum up to them. None for what has no driver.
pub fn driver_view(device: &Device, memory: MemInfo, stats: &AllocatorStats) -> Option<Report> {
    let gpu = device.backend().cuda()?;
    let used = memory.total.saturating_sub(memory.free);
    let reserved = stats.now.reserved;
    // In the mode `async` live blocks are of the driver's pool, which keeps what was freed. Blocks
    // from before a change of mode are not of the pool: then this says too little.
    let pooled = match device.allocator().config().mode {
        Mode::Async => gpu.pool_bytes().saturating_sub(reserved),
        Mode::Caching | Mode::Direct => gpu.pool_bytes(),
    };
    let opening = gpu.used_at_opening();
    let rest = used as i64 - (opening + reserved + pooled) as i64;
    let padding = stats.now.allocated.saturating_sub(stats.now.requested);
    let kernels = gpu.kernel_list();
    let code: usize = kernels.iter().map(|kernel| kernel.code).sum();

    let bytes = |bytes: usize| human_bytes(bytes as u64);
    let mut table = Table::new([Column::left(""), Column::right(""), Column::left("")])
        .with_title(Markup::new().heading("driver").dim("  what it reports, and why"));
    let mut row = |name: &str, amount: String, text: String| {
        table.row([Markup::from(name), Markup::new().number(amount), Markup::new().dim(text)]);
    };
    row("in use", bytes(used), format!("of {}, {} free", bytes(memory.total), bytes(memory.free)));
    let text = format!(
        "our segments: {} asked for by tensors, {} padding, {} cached",
        bytes(stats.now.requested),
        bytes(padding),
        bytes(stats.free())
    );
    row("reserved", bytes(reserved), text);
    if pooled > 0 {
        row("pool", bytes(pooled), "freed, and kept by the driver's own pool".to_string());
    }
    let text = "as the GPU was opened: its context, the driver's own, other processes";
    row("before", bytes(opening), text.to_string());
    let text = match kernels.len() {
        0 => "since then: other processes".to_string(),
        count => format!(
            "since then: machine code ({} in {}) and what comes with it, other processes",
            bytes(code),
            counted(count, "kernel")
        ),
    };
    row("rest", signed_bytes(rest), text);
    Some(table.into())
}
