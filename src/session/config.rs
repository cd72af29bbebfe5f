//! What can be chosen about a session: from the environment, then the configuration file, then the
//! command line, then `:set`. The later word wins.

use super::settings::{self, Setting};
use super::simulated::parse_simulate;
use crate::device::cuda::Gpus;
use crate::diag::Fault;
use crate::dtype::DType;
use crate::memory::{AllocatorConfig, Budget};
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

/// Whose keys edit a line in the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EditingMode {
    #[default]
    Emacs,
    Vi,
}

/// The choices. A front end reads what concerns it: `header`, `memory_line`, `footer`,
/// `color`, `editing_mode`.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Where new tensors go; none for the first simulated device, or else the first GPU, or else the
    /// CPU.
    pub device: Option<DeviceId>,
    /// The memory of each simulated device, in bytes.
    pub simulate: Vec<usize>,
    pub default_float: DType,
    /// Whether lazy work is joined into programs of more than one operation.
    pub fusion: bool,
    /// How exact products of float32 are on a GPU.
    pub matmul_precision: MatmulPrecision,
    /// Whether each statement is followed by the times of its kernels on a GPU.
    pub profiling: bool,
    /// For every device's allocator.
    pub allocator: AllocatorConfig,
    /// What lists, texts and dictionaries may take of the host's memory, in bytes; none for half of
    /// it.
    pub host_memory: Option<usize>,
    /// What `:undo` may keep on each device, in bytes; none for an eighth of what it has.
    pub undo_memory: Option<usize>,
    pub print: PrintOptions,
    /// Whether a tensor shows its type, shape and values in a line above its elements.
    pub header: bool,
    /// Whether a statement that changed memory is followed by a line that says so.
    pub memory_line: bool,
    /// Whether every input is followed by its time, its bytes and its kernels.
    pub footer: bool,
    pub color: ColorChoice,
    pub editing_mode: EditingMode,
    /// What programs find in `sys.argv`, the program itself first: a front end's choice, not a user's.
    pub arguments: Vec<String>,
    /// How many results `Out` and `_1`, `_2` … keep alive.
    pub kept_outputs: usize,
    /// Whether reports carry what a page draws beyond text: a front end's choice, not a user's.
    pub pictures: bool,
    /// Whether common kernels are compiled behind the prompt: a front end's choice, not a user's.
    pub warm_up: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            device: None,
            simulate: Vec::new(),
            default_float: DType::F32,
            fusion: true,
            matmul_precision: MatmulPrecision::Highest,
            profiling: false,
            allocator: AllocatorConfig::default().with_history(1000),
            host_memory: None,
            undo_memory: None,
            print: PrintOptions::default(),
            header: true,
            memory_line: true,
            footer: false,
            color: ColorChoice::Auto,
            editing_mode: EditingMode::Emacs,
            arguments: Vec::new(),
            kept_outputs: 64,
            pictures: false,
            warm_up: false,
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

    /// The bytes that `host_memory` means on this machine.
    pub fn host_budget(&self) -> usize {
        self.host_memory.unwrap_or_else(Budget::usual_limit)
    }

    /// An engine over the CPU, and the simulated devices or this machine's GPUs, set up as chosen.
    /// Where no simulated device is the session's, it is the CPU, until a GPU opens.
    ///
    /// # Errors
    /// A simulated device that is not there, or a choice that a device can't follow.
    pub fn engine(&self, interrupt: &Interrupt) -> Result<Engine, Fault> {
        let host = self.allocator.clone().with_mode(self.mode_of(DeviceId::Cpu));
        let mut devices = vec![Device::cpu(host, interrupt.clone())?];
        for (ordinal, capacity) in self.simulate.iter().enumerate() {
            let (config, interrupt) = (self.allocator.clone(), interrupt.clone());
            devices.push(Device::simulated(ordinal as u16, *capacity, config, interrupt)?);
        }
        let gpus = match self.simulate.is_empty() {
            true => Gpus::new(self.allocator.clone(), interrupt.clone()),
            false => Gpus::default(),
        };
        let engine = Engine::new(devices, interrupt.clone()).with_gpus(gpus);
        if !self.simulate.is_empty() {
            engine.set_device(engine.find_device(self.device.unwrap_or(DeviceId::Cuda(0)))?);
        }
        engine.set_default_float(self.default_float);
        engine.set_fusion(self.fusion);
        engine.budget().set_limit(self.host_budget());
        engine.attic().set_limit(self.undo_memory);
        engine.set_matmul_precision(self.matmul_precision);
        engine.set_profiling(self.profiling);
        Ok(engine)
    }
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
        assert_eq!(engine.devices().count(), 3);
        let config = config.with_device("cuda:1").unwrap();
        assert_eq!(config.engine(&interrupt).unwrap().device().id(), DeviceId::Cuda(1));
        let fault =
            config.with_device("cuda:2").unwrap().engine(&interrupt).map(|_| ()).unwrap_err();
        assert_eq!(fault.message, "there is no device `cuda:2`");
        assert_eq!(fault.hints[0], "the devices here are `cpu`, `cuda:0`, `cuda:1`");
        assert!(Config::default().with_device("tpu").is_err());
    }
}
