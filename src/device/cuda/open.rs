//! From "is there a GPU?" to a device that can be used.

use std::fs;
use std::sync::Arc;

use cudarc::driver::result;
use cudarc::driver::sys::{self, CUdevice_attribute as Attribute, CUresult};

use super::CudaBackend;
use super::compile::compiler_version;
use super::context::{Context, driver_error};
use super::library::{Dependency, driver_release};
use super::upstream::CudaUpstream;
use crate::device::{Device, DeviceId, Error, GpuInfo, Interrupt, LibraryInfo, Presence};
use crate::memory::{Allocator, AllocatorConfig};

/// The oldest CUDA whose driver has all that is called here.
const OLDEST: (i32, i32) = (12, 8);

/// Looks whether there is a driver: less than a millisecond.
pub fn presence() -> Presence {
    let hidden = std::env::var("CUDA_VISIBLE_DEVICES")
        .is_ok_and(|visible| visible.trim().is_empty() || visible.trim_start().starts_with('-'));
    if hidden || Dependency::Driver.open().is_err() {
        return Presence::Absent;
    }
    let mut models = models();
    models.dedup();
    let is_one = models.len() == 1;
    Presence::Likely { model: models.pop().filter(|_| is_one) }
}

/// The models that the driver lists for everybody to read.
fn models() -> Vec<String> {
    let Ok(gpus) = fs::read_dir("/proc/driver/nvidia/gpus") else { return Vec::new() };
    let model = |text: String| {
        let line = text.lines().find_map(|line| line.strip_prefix("Model:"))?;
        Some(line.trim().to_string())
    };
    gpus.filter_map(|gpu| model(fs::read_to_string(gpu.ok()?.path().join("information")).ok()?))
        .collect()
}

/// The CUDA version that the driver supports: major and minor.
fn driver_version() -> Option<(i32, i32)> {
    Dependency::Driver.open().ok()?;
    let mut version = 0;
    // SAFETY: the driver is in the process; it writes one integer.
    let status = unsafe { sys::cuDriverGetVersion(&mut version) };
    (status == CUresult::CUDA_SUCCESS).then_some((version / 1000, version % 1000 / 10))
}

/// NVIDIA's libraries: their versions, and where each was found or how to get it.
pub fn libraries() -> Vec<LibraryInfo> {
    let pair = |(major, minor): (i32, i32)| format!("{major}.{minor}");
    let info = |dependency: Dependency| LibraryInfo {
        name: dependency.name(),
        version: match dependency {
            Dependency::Driver => {
                let cuda = driver_version().map(|version| format!("CUDA {}", pair(version)));
                let parts = driver_release().into_iter().chain(cuda);
                parts.collect::<Vec<_>>().join(", ")
            }
            Dependency::Nvrtc => compiler_version().map_or(String::new(), pair),
            _ => String::new(),
        },
        place: dependency.locate().map_err(|_| dependency.remedy()),
    };
    Dependency::ALL.into_iter().map(info).collect()
}

/// Starts the driver and asks which GPUs it has. Takes some hundred milliseconds the first time.
///
/// # Errors
/// There is no driver, or it fails. A driver without a GPU is no error.
pub fn find_all() -> Result<Vec<GpuInfo>, Error> {
    Dependency::Driver.open().map_err(Error::Driver)?;
    let failed = |error| driver_error("the driver does not start", error);
    match result::init() {
        Err(error) if error.0 == CUresult::CUDA_ERROR_NO_DEVICE => return Ok(Vec::new()),
        other => other.map_err(failed)?,
    }
    let info = |ordinal| {
        let device = result::device::get(ordinal)?;
        // SAFETY: `device` is the driver's own.
        let attribute = |which| unsafe { result::device::get_attribute(device, which) };
        Ok(GpuInfo {
            name: result::device::get_name(device)?,
            capability: (
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
            ),
            // SAFETY: as above.
            memory: unsafe { result::device::total_mem(device) }?,
        })
    };
    let count = result::device::get_count().map_err(failed)?;
    (0..count).map(info).collect::<Result<_, _>>().map_err(failed)
}

/// Makes a GPU a device: a context, an allocator set up as `config` says, and what every session
/// needs first. `find_all` must have found it.
///
/// # Errors
/// There is no NVRTC; the configuration does not suit the GPU's memory; the driver fails.
pub fn open(ordinal: u16, config: &AllocatorConfig, interrupt: Interrupt) -> Result<Device, Error> {
    // A context takes half a gigabyte of the GPU: none is made that could compute nothing.
    Dependency::Nvrtc.open().map_err(Error::Driver)?;
    check_versions(driver_version(), compiler_version())?;
    let context = Arc::new(Context::open(ordinal, interrupt)?);
    context.kernels.compiler()?;
    let upstream = CudaUpstream::new(context.clone());
    let allocator = Allocator::new(Box::new(upstream), config.clone())
        .map_err(|error| Error::Driver(error.to_string()))?;
    let (id, name) = (DeviceId::Cuda(ordinal), context.name.clone());
    let backend = CudaBackend::new(context);
    backend.prepare();
    Ok(Device::new(id, name, allocator, Box::new(backend)))
}

/// Whether a driver and a compiler of these versions go together.
fn check_versions(driver: Option<(i32, i32)>, compiler: Option<(i32, i32)>) -> Result<(), Error> {
    let (Some(driver), Some(compiler)) = (driver, compiler) else { return Ok(()) };
    let pair = |(major, minor): (i32, i32)| format!("{major}.{minor}");
    if driver < OLDEST {
        return Err(Error::Driver(format!(
            "the driver knows CUDA {}, and {} is needed: install a newer driver",
            pair(driver),
            pair(OLDEST)
        )));
    }
    // Within one major version a driver takes the machine code of any compiler.
    if compiler.0 > driver.0 {
        return Err(Error::Driver(format!(
            "NVRTC is of CUDA {}, and the driver knows CUDA {}: install a newer driver, or `pip \
             install nvidia-cuda-nvrtc-cu{}`",
            pair(compiler),
            pair(driver),
            driver.0
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_that_go_together() {
        let check = |driver, compiler| check_versions(Some(driver), Some(compiler));
        assert_eq!(check((13, 0), (13, 5)), Ok(()));
        assert_eq!(check((13, 0), (12, 9)), Ok(()));
        assert_eq!(check_versions(None, None), Ok(()));
        let words = |result: Result<(), Error>| result.unwrap_err().to_string();
        assert!(words(check((12, 4), (12, 4))).contains("12.8 is needed"));
        assert!(words(check((12, 9), (13, 0))).contains("nvidia-cuda-nvrtc-cu12"));
    }
}
