//! The settings: one table, from which `:set`, the configuration file, the environment, completion
//! and did-you-mean all read.

use super::config::{ColorChoice, Config, EditingMode};
use super::simulated::parse_simulate;
use crate::diag::Fault;
use crate::dtype::DType;
use crate::interp::Interp;
use crate::memory::{Mode, SegmentKind, parse_size};
use crate::tensor::MatmulPrecision;

mod change;
mod words;

pub use words::parse_device;
use words::{flag, number, on_off, size, wrong};

/// One setting.
pub struct Setting {
    pub name: &'static str,
    pub doc: &'static str,
    /// The values it can have, where they are few.
    pub choices: &'static [&'static str],
    /// Its value as text that `change` reads back.
    pub get: fn(&Config) -> String,
    change: fn(&mut Config, &str) -> Result<(), Fault>,
    /// Makes a running session follow; none where a front end reads the configuration itself.
    apply: Apply,
}

enum Apply {
    /// It is read from the configuration whenever it matters.
    Reading,
    /// It takes a call.
    Calling(fn(&Config, &Interp) -> Result<(), Fault>),
    /// Only a new session can follow.
    AtStart,
}

/// With less, hardly anything could be shown.
const LEAST_HOST_MEMORY: usize = 1 << 20;

const ON_OFF: &[&str] = &["on", "off"];

/// The settings in the order of `:set`'s list.
pub const SETTINGS: &[Setting] = &[
    Setting {
        name: "default_float",
        doc: "the type of new float tensors",
        choices: &["float32", "float64", "float16", "bfloat16"],
        get: |config| config.default_float.to_string(),
        change: |config, value| {
            let dtype = DType::from_name(value).filter(|dtype| dtype.is_float());
            config.default_float = dtype
                .ok_or_else(|| wrong("`float32`, `float64`, `float16` or `bfloat16`", value))?;
            Ok(())
        },
        apply: Apply::Calling(|config, interp| {
            interp.engine.set_default_float(config.default_float);
            Ok(())
        }),
    },
    Setting {
        name: "precision",
        doc: "digits after the point when a tensor prints",
        choices: &[],
        get: |config| config.print.precision.to_string(),
        change: |config, value| number(value, 0, 20).map(|n| config.print.precision = n),
        apply: Apply::Calling(apply_print),
    },
    Setting {
        name: "threshold",
        doc: "tensors of more elements than this print summarised",
        choices: &[],
        get: |config| config.print.threshold.to_string(),
        change: |config, value| number(value, 0, 100_000_000).map(|n| config.print.threshold = n),
        apply: Apply::Calling(apply_print),
    },
    Setting {
        name: "edgeitems",
        doc: "elements at either end of a summarised axis",
        choices: &[],
        get: |config| config.print.edgeitems.to_string(),
        change: |config, value| number(value, 1, 1000).map(|n| config.print.edgeitems = n),
        apply: Apply::Calling(apply_print),
    },
    Setting {
        name: "linewidth",
        doc: "columns of a line when a tensor prints",
        choices: &[],
        get: |config| config.print.linewidth.to_string(),
        change: |config, value| number(value, 1, 10_000).map(|n| config.print.linewidth = n),
        apply: Apply::Calling(apply_print),
    },
    Setting {
        name: "suppress",
        doc: "print small numbers without exponents",
        choices: ON_OFF,
        get: |config| on_off(config.print.suppress_small),
        change: |config, value| flag(value).map(|on| config.print.suppress_small = on),
        apply: Apply::Calling(apply_print),
    },
    Setting {
        name: "fusion",
        doc: "join the operations of a statement into one program",
        choices: ON_OFF,
        get: |config| on_off(config.fusion),
        change: |config, value| flag(value).map(|on| config.fusion = on),
        apply: Apply::Calling(|config, interp| {
            interp.engine.set_fusion(config.fusion);
            Ok(())
        }),
    },
    Setting {
        name: "matmul_precision",
        doc: "float32 products on a GPU: plain (highest), or faster in TF32, off by up to 5e-4 (high)",
        choices: &["highest", "high"],
        get: |config| config.matmul_precision.name().to_string(),
        change: |config, value| {
            config.matmul_precision = match value {
                "highest" => MatmulPrecision::Highest,
                "high" => MatmulPrecision::High,
                _ => return Err(wrong("`highest` or `high`", value)),
            };
            Ok(())
        },
        apply: Apply::Calling(|config, interp| {
            interp.engine.set_matmul_precision(config.matmul_precision);
            Ok(())
        }),
    },
    Setting {
        name: "profiling",
        doc: "after each statement, the times of its kernels on a GPU",
        choices: ON_OFF,
        get: |config| on_off(config.profiling),
        change: |config, value| flag(value).map(|on| config.profiling = on),
        apply: Apply::Calling(|config, interp| {
            interp.engine.set_profiling(config.profiling);
            Ok(())
        }),
    },
    Setting {
        name: "allocator",
        doc: "keep freed memory (caching), go to the device each time (direct), or use its own pool (async)",
        choices: &["caching", "direct", "async"],
        get: |config| config.allocator.mode.name().to_string(),
        change: |config, value| {
            let mode = Mode::parse(value);
            config.allocator.mode =
                mode.ok_or_else(|| wrong("`caching`, `direct` or `async`", value))?;
            Ok(())
        },
        apply: Apply::Calling(|config, interp| {
            let before: Vec<Mode> = allocators(interp).map(|a| a.config().mode).collect();
            let mut devices = interp.engine.devices();
            let result = devices
                .try_for_each(|device| device.allocator().set_mode(config.mode_of(device.id())));
            result.map_err(|error| {
                // All devices or none. The modes of before were possible, so they are again.
                for (allocator, mode) in allocators(interp).zip(before) {
                    let _ = allocator.set_mode(mode);
                }
                error.into()
            })
        }),
    },
    Setting {
        name: "segments",
        doc: "what large tensors lie in: pages that move when memory is short (auto, on GPUs) or at each miss (paged), or not (plain)",
        choices: &["auto", "plain", "paged"],
        get: |config| config.allocator.segments.name().to_string(),
        change: |config, value| {
            config.allocator.segments = SegmentKind::parse(value)
                .ok_or_else(|| wrong("`auto`, `plain` or `paged`", value))?;
            Ok(())
        },
        apply: Apply::Calling(|config, interp| {
            allocators(interp).for_each(|a| a.set_segments(config.allocator.segments));
            Ok(())
        }),
    },
    Setting {
        name: "poison",
        doc: "fill memory with NaN bytes when it is handed out and when it comes back",
        choices: ON_OFF,
        get: |config| on_off(config.allocator.poison),
        change: |config, value| flag(value).map(|on| config.allocator.poison = on),
        apply: Apply::Calling(|config, interp| {
            allocators(interp).for_each(|a| a.set_poison(config.allocator.poison));
            Ok(())
        }),
    },
    Setting {
        name: "memory_fraction",
        doc: "the share of a device's memory that may be reserved",
        choices: &[],
        get: |config| config.allocator.memory_fraction.to_string(),
        change: |config, value| {
            let share = value.parse::<f64>().ok().filter(|share| *share > 0.0 && *share <= 1.0);
            config.allocator.memory_fraction =
                share.ok_or_else(|| wrong("a number above 0 and at most 1", value))?;
            Ok(())
        },
        apply: Apply::Calling(|config, interp| {
            let share = config.allocator.memory_fraction;
            Ok(allocators(interp).try_for_each(|a| a.set_memory_fraction(share))?)
        }),
    },
    Setting {
        name: "host_memory",
        doc: "what lists, texts and dictionaries may take of the host's memory: `8GiB`; auto for half",
        choices: &[],
        get: |config| config.host_memory.map_or("auto".to_string(), size),
        change: |config, value| {
            config.host_memory = match value {
                "auto" => None,
                _ => match parse_size(value)? {
                    bytes if bytes < LEAST_HOST_MEMORY => {
                        return Err(wrong("`auto`, or a size of at least 1MiB", value));
                    }
                    bytes => Some(bytes),
                },
            };
            Ok(())
        },
        apply: Apply::Calling(|config, interp| {
            interp.engine.budget().set_limit(config.host_budget());
            Ok(())
        }),
    },
    Setting {
        name: "undo_memory",
        doc: "what `:undo` may keep on each device: `2GiB`, or 0; auto for an eighth of it",
        choices: &[],
        get: |config| config.undo_memory.map_or("auto".to_string(), size),
        change: |config, value| {
            config.undo_memory = match value {
                "auto" => None,
                _ => Some(parse_size(value)?),
            };
            Ok(())
        },
        apply: Apply::Calling(|config, interp| {
            interp.engine.attic().set_limit(config.undo_memory);
            Ok(())
        }),
    },
    Setting {
        name: "history",
        doc: "events that each allocator remembers for `:mem history`",
        choices: &[],
        get: |config| config.allocator.history_len.to_string(),
        change: |config, value| {
            number(value, 0, 10_000_000).map(|n| config.allocator.history_len = n)
        },
        apply: Apply::Calling(|config, interp| {
            allocators(interp).for_each(|a| a.set_history_len(config.allocator.history_len));
            Ok(())
        }),
    },
    Setting {
        name: "outputs",
        doc: "results that `Out` and `_1`, `_2` … keep alive",
        choices: &[],
        get: |config| config.kept_outputs.to_string(),
        change: |config, value| number(value, 0, 1_000_000).map(|n| config.kept_outputs = n),
        apply: Apply::Reading,
    },
    Setting {
        name: "header",
        doc: "a line above a tensor with its type, shape and a picture of its values",
        choices: ON_OFF,
        get: |config| on_off(config.header),
        change: |config, value| flag(value).map(|on| config.header = on),
        apply: Apply::Reading,
    },
    Setting {
        name: "memory_line",
        doc: "a line after a statement that changed memory",
        choices: ON_OFF,
        get: |config| on_off(config.memory_line),
        change: |config, value| flag(value).map(|on| config.memory_line = on),
        apply: Apply::Reading,
    },
    Setting {
        name: "footer",
        doc: "a line after each input with its time, what it allocated, and the kernels it ran",
        choices: ON_OFF,
        get: |config| on_off(config.footer),
        change: |config, value| flag(value).map(|on| config.footer = on),
        apply: Apply::Reading,
    },
    Setting {
        name: "color",
        doc: "colours in the terminal",
        choices: &["auto", "always", "never"],
        get: |config| {
            let name = match config.color {
                ColorChoice::Auto => "auto",
                ColorChoice::Always => "always",
                ColorChoice::Never => "never",
            };
            name.to_string()
        },
        change: |config, value| {
            config.color = match value {
                "auto" => ColorChoice::Auto,
                "always" => ColorChoice::Always,
                "never" => ColorChoice::Never,
                _ => return Err(wrong("`auto`, `always` or `never`", value)),
            };
            Ok(())
        },
        apply: Apply::AtStart,
    },
    Setting {
        name: "editing_mode",
        doc: "whose keys edit a line in the terminal",
        choices: &["emacs", "vi"],
        get: |config| {
            let name = match config.editing_mode {
                EditingMode::Emacs => "emacs",
                EditingMode::Vi => "vi",
            };
            name.to_string()
        },
        change: |config, value| {
            config.editing_mode = match value {
                "emacs" => EditingMode::Emacs,
                "vi" => EditingMode::Vi,
                _ => return Err(wrong("`emacs` or `vi`", value)),
            };
            Ok(())
        },
        apply: Apply::Reading,
    },
    Setting {
        name: "segment_size",
        doc: "the least that is reserved at once for large requests; 0 for as much as is asked",
        choices: &[],
        get: |config| size(config.allocator.segment_size),
        change: |config, value| parse_size(value).map(|n| config.allocator.segment_size = n),
        apply: Apply::Calling(|config, interp| {
            allocators(interp).for_each(|a| a.set_segment_size(config.allocator.segment_size));
            Ok(())
        }),
    },
    Setting {
        name: "cache_size",
        doc: "what is kept of freed memory, as `1GB`; or how many small blocks a stream keeps apart",
        choices: &[],
        get: |config| match config.allocator.cached_limit {
            Some(bytes) => size(bytes),
            None => config.allocator.cache_size.to_string(),
        },
        change: |config, value| {
            // A number alone counts blocks.
            if value.ends_with(|c: char| c.is_ascii_alphabetic()) {
                return parse_size(value).map(|n| config.allocator.cached_limit = Some(n));
            }
            let blocks = number(value, 0, 1_000_000_000)?;
            (config.allocator.cache_size, config.allocator.cached_limit) = (blocks, None);
            Ok(())
        },
        apply: Apply::Calling(|config, interp| {
            for allocator in allocators(interp) {
                allocator.set_cache_size(config.allocator.cache_size);
                allocator.set_cached_limit(config.allocator.cached_limit);
            }
            Ok(())
        }),
    },
    Setting {
        name: "warmup",
        doc: "whether `:mem warmup` reserves memory ahead",
        choices: ON_OFF,
        get: |config| on_off(config.allocator.warmup_enabled),
        change: |config, value| flag(value).map(|on| config.allocator.warmup_enabled = on),
        apply: Apply::Calling(|config, interp| {
            allocators(interp).for_each(|a| a.set_warmup(config.allocator.warmup_enabled));
            Ok(())
        }),
    },
    Setting {
        name: "stats",
        doc: "whether allocators count hits, misses and calls",
        choices: ON_OFF,
        get: |config| on_off(config.allocator.stats_enabled),
        change: |config, value| flag(value).map(|on| config.allocator.stats_enabled = on),
        apply: Apply::AtStart,
    },
    Setting {
        name: "device",
        doc: "where new tensors go at the start; later, `:device NAME`",
        choices: &[],
        get: |config| config.device.map_or("auto".to_string(), |id| id.to_string()),
        change: |config, value| {
            config.device = match value {
                "auto" => None,
                _ => Some(parse_device(value)?),
            };
            Ok(())
        },
        apply: Apply::AtStart,
    },
    Setting {
        name: "simulate",
        doc: "the memory of each simulated GPU: `8GiB`, `2x8GiB`",
        choices: &[],
        get: |config| match config.simulate.as_slice() {
            [] => "none".to_string(),
            sizes => sizes.iter().map(|bytes| size(*bytes)).collect::<Vec<_>>().join(","),
        },
        change: |config, value| {
            config.simulate = match value {
                "none" => Vec::new(),
                _ => parse_simulate(value)?,
            };
            Ok(())
        },
        apply: Apply::AtStart,
    },
];

fn apply_print(config: &Config, interp: &Interp) -> Result<(), Fault> {
    interp.print_options.replace(&interp.journal, config.print.clone());
    Ok(())
}

fn allocators(interp: &Interp) -> impl Iterator<Item = &crate::memory::Allocator> {
    interp.engine.devices().map(|device| device.allocator())
}

impl std::fmt::Debug for Setting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

#[cfg(test)]
mod tests;
