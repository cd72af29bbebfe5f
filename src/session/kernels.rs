//! How long kernels take on a GPU, while `:set profiling on` holds.

use std::time::Duration;

use super::{Session, Sink};
use crate::device::KernelTime;
use crate::device::cuda::CudaBackend;
use crate::report::{
    Column, Markup, Report, Table, human_bytes, human_count, human_duration, human_rate,
};
use crate::tensor::DeviceId;

/// More launches than this are shown by kernel, each with its sum.
const MAX_ROWS: usize = 24;

/// The launches of one statement on one GPU.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelTimes {
    pub device: DeviceId,
    /// In the order in which they ran.
    pub launches: Vec<KernelTime>,
    /// Bytes a second between the GPU and its memory at the most, if that is known.
    pub peak_bandwidth: Option<f64>,
}

impl KernelTimes {
    /// A row for each launch, or for each kernel where there are many.
    pub fn to_report(&self) -> Report {
        let is_long = self.launches.len() > MAX_ROWS;
        let mut columns = vec![Column::left("kernel")];
        columns.extend(is_long.then(|| Column::right("launches")));
        columns.extend(["time", "bytes", "rate", "of peak"].map(Column::right));
        let mut table = Table::new(columns)
            .with_title(Markup::new().heading(self.device.to_string()).dim("  kernels"));
        for (count, sum) in self.rows(is_long) {
            let mut row = vec![Markup::new().name(&*sum.name)];
            row.extend(is_long.then(|| Markup::new().number(human_count(count))));
            row.extend(self.figures(&sum));
            table.row(row);
        }
        let total = self.launches.iter().map(|launch| launch.microseconds).sum();
        if self.launches.len() > 1 {
            let count = human_count(self.launches.len() as u64);
            let mut row = vec![Markup::new().dim("all")];
            row.extend(is_long.then(|| Markup::new().dim(count)));
            row.push(Markup::new().dim(duration(total)));
            table.row(row);
        }
        table.into()
    }

    /// How many launches stand in a row, and their sum.
    fn rows(&self, is_long: bool) -> Vec<(u64, KernelTime)> {
        let mut rows: Vec<(u64, KernelTime)> = Vec::new();
        for launch in &self.launches {
            let same = rows.iter_mut().find(|(_, sum)| is_long && sum.name == launch.name);
            match same {
                Some((count, sum)) => {
                    *count += 1;
                    sum.microseconds += launch.microseconds;
                    sum.traffic += launch.traffic;
                }
                None => rows.push((1, launch.clone())),
            }
        }
        rows
    }

    fn figures(&self, sum: &KernelTime) -> [Markup; 4] {
        let time = Markup::new().number(duration(sum.microseconds));
        // What moves nothing to speak of has no rate worth a name.
        if sum.traffic == 0 || sum.microseconds <= 0.0 {
            return [time, Markup::new(), Markup::new(), Markup::new()];
        }
        let rate = sum.traffic as f64 / (sum.microseconds * 1e-6);
        let share = self.peak_bandwidth.map_or(Markup::new(), |peak| {
            Markup::new().number(format!("{:.0} %", 100.0 * rate / peak))
        });
        let traffic = Markup::new().number(human_bytes(sum.traffic));
        [time, traffic, Markup::new().number(human_rate(rate)), share]
    }
}

fn duration(microseconds: f64) -> String {
    human_duration(Duration::from_secs_f64((microseconds * 1e-6).max(0.0)))
}

impl Session {
    /// Forgets what ran between two statements, to show values.
    pub(super) fn forget_kernel_times(&self) {
        if self.engine().profiling() || self.desk.profile.is_some() {
            self.gpus().for_each(|(_, gpu)| _ = gpu.take_times());
        }
    }

    /// Shows how long the kernels took that were launched since, where that is wanted; gives it.
    pub(super) fn show_kernel_times(
        &self,
        sink: &mut dyn Sink,
    ) -> Vec<(DeviceId, Vec<KernelTime>)> {
        let mut taken = Vec::new();
        let is_shown = self.engine().profiling();
        if !is_shown && self.desk.profile.is_none() {
            return taken;
        }
        for (device, gpu) in self.gpus() {
            let launches = gpu.take_times();
            if !launches.is_empty() && is_shown {
                let (peak_bandwidth, launches) = (gpu.peak_bandwidth(), launches.clone());
                sink.kernel_times(&KernelTimes { device, launches, peak_bandwidth });
            }
            taken.push((device, launches));
        }
        taken
    }

    fn gpus(&self) -> impl Iterator<Item = (DeviceId, &CudaBackend)> {
        self.engine().devices().filter_map(|device| Some((device.id(), device.backend().cuda()?)))
    }
}
