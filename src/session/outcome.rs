//! What came of a cell, in words.

use super::Value;
use super::run::{Dropped, MemoryChange, MemoryLine, Outcome, Work};
use crate::report::{Markup, counted, human_bytes, human_duration, signed_bytes};

impl Outcome {
    /// `1.2 ms · allocated 4.0 MiB in 2 blocks · live 8.0 MiB (+4.0 MiB) · 3 kernels`
    pub fn footer(&self) -> Markup {
        let Work { allocated, blocks, kernels } = self.work;
        let mut parts = vec![human_duration(self.elapsed)];
        if blocks > 0 {
            let blocks = counted(blocks, "block");
            parts.push(format!("allocated {} in {blocks}", human_bytes(allocated)));
        }
        if self.changes.is_empty() {
            parts.push(format!("live {}", human_bytes(self.memory.live)));
        }
        parts.extend(self.changes.iter().map(MemoryChange::to_text));
        parts.extend(self.dropped.as_ref().map(Dropped::to_text));
        if kernels > 0 {
            parts.push(counted(kernels, "kernel"));
        }
        Markup::new().dim(parts.join(" · "))
    }

    /// `live 12.0 MiB (+4.0 MiB) · reserved 20.0 MiB · peak 16.0 MiB` of each device that changed;
    /// nothing where none did.
    pub fn memory_line(&self) -> Option<Markup> {
        let mut parts: Vec<String> = Vec::new();
        for change in &self.changes {
            parts.push(change.to_text());
            parts.push(format!("reserved {}", human_bytes(change.line.reserved)));
            parts.push(format!("peak {}", human_bytes(change.line.peak)));
        }
        parts.extend(self.dropped.as_ref().map(Dropped::to_text));
        (!parts.is_empty()).then(|| Markup::new().dim(parts.join(" · ")))
    }

    /// The value to show: None is not shown, and nothing in front of a `;` that ends the cell.
    pub fn shown(&self) -> Option<&Value> {
        self.value.as_ref().filter(|value| !self.is_silent && !matches!(value, Value::None))
    }
}

impl MemoryChange {
    /// `cuda:1 live 12.0 MiB (+4.0 MiB)`
    fn to_text(&self) -> String {
        let MemoryLine { live, live_before, .. } = self.line;
        let change = signed_bytes(live as i64 - live_before as i64);
        let device = self.device.as_ref().map_or(String::new(), |device| format!("{device} "));
        format!("{device}live {} ({change})", human_bytes(live))
    }
}

impl Dropped {
    /// `Out[3] dropped (-4.0 MiB), 64 results are kept`
    fn to_text(&self) -> String {
        let what = match self.numbers.as_slice() {
            [] => "the result before".to_string(),
            [one] => format!("Out[{one}]"),
            [first, .., last] => format!("Out[{first}] to Out[{last}]"),
        };
        let kept = match self.kept {
            0 => "only the last result is kept".to_string(),
            1 => "1 result is kept".to_string(),
            kept => format!("{kept} results are kept"),
        };
        format!("{what} dropped ({}), {kept}", signed_bytes(-(self.bytes as i64)))
    }
}
