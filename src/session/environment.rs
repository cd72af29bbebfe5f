//! The environment's say in the configuration.

use super::config::Config;
use crate::diag::Fault;

/// Variables, and the setting that each one is.
pub const VARIABLES: [(&str, &str); 9] = [
    ("GENESIS_DEVICE", "device"),
    ("GENESIS_HOST_MEMORY", "host_memory"),
    ("GENESIS_CUDA_ALLOCATOR", "allocator"),
    ("GENESIS_CUDA_SEGMENTS", "segments"),
    ("GENESIS_CUDA_SEGMENT_SIZE", "segment_size"),
    ("GENESIS_CUDA_CACHE_SIZE", "cache_size"),
    ("GENESIS_CUDA_WARMUP_ENABLED", "warmup"),
    ("GENESIS_CUDA_STATS_ENABLED", "stats"),
    ("GENESIS_CUDA_MEMORY_FRACTION", "memory_fraction"),
];

impl Config {
    /// Takes over what the environment says. `variable` looks a variable up; an empty one counts
    /// as not set.
    ///
    /// # Errors
    /// A value that can't be read: names the variable, what is expected, and what was found.
    pub fn with_environment(
        mut self,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Config, Fault> {
        for (name, setting) in VARIABLES {
            let Some(value) = variable(name).filter(|value| !value.trim().is_empty()) else {
                continue;
            };
            self.set(setting, value.trim()).map_err(|fault| Fault {
                message: format!("environment variable `{name}`: {}", fault.message),
                ..fault
            })?;
        }
        Ok(self)
    }

    /// [`Config::with_environment`] of this process. What is no text counts as given, and wrong.
    ///
    /// # Errors
    /// As there.
    pub fn with_process_environment(self) -> Result<Config, Fault> {
        self.with_environment(|name| {
            std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Mode;
    use crate::tensor::DeviceId;

    fn with(pairs: &[(&str, &str)]) -> Result<Config, Fault> {
        Config::default().with_environment(|name| {
            pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_string())
        })
    }

    #[test]
    fn all_variables_together() {
        let config = with(&[
            ("GENESIS_DEVICE", "cuda:1"),
            ("GENESIS_CUDA_ALLOCATOR", "direct"),
            ("GENESIS_CUDA_SEGMENT_SIZE", "64MiB"),
            ("GENESIS_CUDA_CACHE_SIZE", "10"),
            ("GENESIS_CUDA_WARMUP_ENABLED", "0"),
            ("GENESIS_CUDA_STATS_ENABLED", "false"),
            ("GENESIS_CUDA_MEMORY_FRACTION", " 0.5 "),
        ])
        .unwrap();
        assert_eq!(config.device, Some(DeviceId::Cuda(1)));
        let allocator = config.allocator;
        assert_eq!((allocator.mode, allocator.segment_size), (Mode::Direct, 64 << 20));
        assert_eq!((allocator.cache_size, allocator.memory_fraction), (10, 0.5));
        assert!(!allocator.warmup_enabled && !allocator.stats_enabled);
    }

    #[test]
    fn a_cache_is_bounded_in_blocks_or_bytes() {
        let cache = |value| with(&[("GENESIS_CUDA_CACHE_SIZE", value)]).unwrap().allocator;
        assert_eq!((cache("7").cache_size, cache("7").cached_limit), (7, None));
        assert_eq!(cache("1GB").cached_limit, Some(1_000_000_000));
        assert_eq!(cache("1GiB").cached_limit, Some(1 << 30));
    }

    #[test]
    fn nothing_set_changes_nothing() {
        assert_eq!(with(&[("GENESIS_DEVICE", "")]).unwrap(), Config::default());
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let message = |name, value| with(&[(name, value)]).unwrap_err().message;
        assert_eq!(
            message("GENESIS_CUDA_ALLOCATOR", "cashing"),
            "environment variable `GENESIS_CUDA_ALLOCATOR`: expected `caching`, `direct` or \
             `async`, found `cashing`"
        );
        assert_eq!(
            message("GENESIS_CUDA_MEMORY_FRACTION", "1.5"),
            "environment variable `GENESIS_CUDA_MEMORY_FRACTION`: expected a number above 0 and \
             at most 1, found `1.5`"
        );
        for (name, _) in VARIABLES {
            assert!(message(name, "?!").contains(name));
        }
    }
}
