//! What can be chosen about a session: from the environment, then the configuration file, then the
//! command line, then `:set`. The later word wins.

use super::settings::{self, Setting};
use super::size::parse_simulate;
use crate::diag::Fault;
use crate::dtype::DType;
use crate::memory::{AllocatorConfig, Mode};
use crate::report::PrintOptions;
use crate::tensor::{Device, DeviceId, Engine, Interrupt, MatmulPrecision};

/// When a front end uses colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColorChoice {
    #[default]
    Auto,
    Always,
    Never,
}

/// The choices. A front end reads what concerns it: `header`, `memory_line`, `color`.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Where new tensors go; none for the first simulated device, or else the CPU.
    pub device: Option<DeviceId>,
    /// The memory of each simulated device, in bytes.
    pub simulate: Vec<usize>,
    pub default_float: DType,
    /// Whether lazy work is joined into programs of more than one operation.
    pub fusion: bool,
    /// How exact products of float32 are on a GPU.
    pub matmul_precision: MatmulPrecision,
    /// For every device's allocator.
    pub allocator: AllocatorConfig,
    pub print: PrintOptions,
    /// Whether a tensor shows its type, shape and values in a line above its elements.
    pub header: bool,
    /// Whether a statement that changed memory is followed by a line that says so.
    pub memory_line: bool,
    pub color: ColorChoice,
    /// How many results `Out` and `_1`, `_2` … keep alive.
    pub kept_outputs: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            device: None,
            simulate: Vec::new(),
            default_float: DType::F32,
            fusion: true,
            matmul_precision: MatmulPrecision::Highest,
            allocator: AllocatorConfig::default().with_history(1000),
            print: PrintOptions::default(),
            header: true,
            memory_line: true,
            color: ColorChoice::Auto,
            kept_outputs: 64,
        }
    }
}

impl Config {
    /// Changes one choice by its name, as a configuration file or the environment says it.
    ///
    /// # Errors
    /// No such setting (with the nearest name), or a value that it can't have.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        let setting = Setting::find(name)?;
        setting.change(self, value)
    }

    /// The same with the simulated devices of `--simulate`.
    ///
    /// # Errors
    /// ValueError.
    pub fn with_simulated(mut self, text: &str) -> Result<Config, Fault> {
        self.simulate = parse_simulate(text)?;
        Ok(self)
    }

    /// The same with tensors on the device of that name.
    ///
    /// # Errors
    /// ValueError.
    pub fn with_device(mut self, name: &str) -> Result<Config, Fault> {
        self.device = Some(settings::parse_device(name)?);
        Ok(self)
    }

    /// An engine over the CPU and the simulated devices, set up as chosen.
    ///
    /// # Errors
    /// A device that is not there, or a choice that a device can't follow.
    pub fn engine(&self, interrupt: &Interrupt) -> Result<Engine, Fault> {
        let mode = self.mode_of(DeviceId::Cpu, self.simulate.is_empty());
        let host = self.allocator.clone().with_mode(mode);
        let mut devices = vec![Device::cpu(host, interrupt.clone())?];
        for (ordinal, capacity) in self.simulate.iter().enumerate() {
            let (config, interrupt) = (self.allocator.clone(), interrupt.clone());
            devices.push(Device::simulated(ordinal as u16, *capacity, config, interrupt)?);
        }
        let engine = Engine::new(devices, interrupt.clone());
        let wanted = self.device.unwrap_or(match self.simulate.is_empty() {
            true => DeviceId::Cpu,
            false => DeviceId::Cuda(0),
        });
        engine.set_device(find_device(&engine, wanted)?);
        engine.set_default_float(self.default_float);
        engine.set_fusion(self.fusion);
        engine.set_matmul_precision(self.matmul_precision);
        Ok(engine)
    }
}

impl Config {
    /// The mode of a device's allocator. Host memory has no stream-ordered pool, so beside a device
    /// that may have one it caches.
    pub(super) fn mode_of(&self, id: DeviceId, is_alone: bool) -> Mode {
        match self.allocator.mode {
            Mode::Async if id == DeviceId::Cpu && !is_alone => Mode::Caching,
            mode => mode,
        }
    }
}

/// The device of that id.
///
/// # Errors
/// ValueError that names those that are there.
pub fn find_device(engine: &Engine, id: DeviceId) -> Result<Device, Fault> {
    engine.find_device(id).ok_or_else(|| {
        let names: Vec<String> =
            engine.devices().iter().map(|device| format!("`{}`", device.id())).collect();
        let fault = Fault::value_error(format!(
            "expected one of the devices {}, found `{id}`",
            names.join(", ")
        ));
        match id {
            DeviceId::Cpu => fault,
            DeviceId::Cuda(_) => fault
                .with_hint("start with `--simulate 8GiB` for a simulated GPU, `2x8GiB` for two"),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_by_name() {
        let mut config = Config::default();
        config.set("default_float", "float64").unwrap();
        config.set("allocator", "direct").unwrap();
        config.set("segment_size", "64MiB").unwrap();
        assert_eq!(config.default_float, DType::F64);
        assert_eq!(config.allocator.segment_size, 64 << 20);
        let fault = config.set("precison", "4").unwrap_err();
        assert_eq!(fault.hints, ["did you mean `precision`?"]);
        assert!(config.set("fusion", "maybe").is_err());
    }

    #[test]
    fn devices_as_chosen() {
        let interrupt = Interrupt::default();
        let config = Config::default().with_simulated("2x8MiB").unwrap();
        let engine = config.engine(&interrupt).unwrap();
        assert_eq!(engine.device().id(), DeviceId::Cuda(0));
        assert_eq!(engine.devices().len(), 3);
        let config = config.with_device("cuda:1").unwrap();
        assert_eq!(config.engine(&interrupt).unwrap().device().id(), DeviceId::Cuda(1));
        let fault =
            config.with_device("cuda:2").unwrap().engine(&interrupt).map(|_| ()).unwrap_err();
        assert!(fault.message.contains("`cuda:1`, found `cuda:2`"), "{}", fault.message);
        assert!(Config::default().with_device("tpu").is_err());
    }
}
