//! `PYTORCH_CUDA_ALLOC_CONF`.

use std::fmt;

use crate::diag::Fault;

const MIB: u64 = 1 << 20;

/// The settings that decide where blocks go.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Settings {
    pub expandable_segments: bool,
    /// In bytes; none splits blocks of any size.
    pub max_split_size: Option<u64>,
    /// The share of the memory above which old segments are given back; 0 for never.
    pub garbage_collection_threshold: f64,
    /// Sizes are rounded up to so many steps between powers of two, from 1 MiB on by doublings; 0 for
    /// multiples of 512 bytes.
    pub roundup: Roundup,
}

/// Divisions by interval: up to 2 MiB, up to 4 MiB … and the rest.
pub type Roundup = [u32; 16];

/// The last interval.
const REST: usize = 15;

impl Settings {
    /// The same divisions for all sizes.
    pub fn with_roundup(divisions: u32) -> Settings {
        Settings { roundup: [divisions; 16], ..Settings::default() }
    }

    /// Settings as the variable has them. Those that are not about where blocks go are passed over.
    ///
    /// # Errors
    /// ValueError: a value that PyTorch would not take, or a name that it does not know.
    pub fn parse(text: &str) -> Result<Settings, Fault> {
        let mut settings = Settings::default();
        for part in split(text) {
            let (name, value) =
                part.split_once(':').map_or((part, ""), |(n, v)| (n.trim(), v.trim()));
            let wrong = |expected: &str| {
                Fault::value_error(format!("expected {expected} for `{name}`, found `{value}`"))
            };
            match name {
                "expandable_segments" => {
                    settings.expandable_segments = match value {
                        "True" | "true" => true,
                        "False" | "false" => false,
                        _ => return Err(wrong("`True` or `False`")),
                    }
                }
                "max_split_size_mb" => {
                    let size: Option<u64> = value.parse().ok().filter(|size| *size > 20);
                    let size = size.and_then(|size| size.checked_mul(MIB));
                    settings.max_split_size =
                        Some(size.ok_or_else(|| wrong("a number of MiB above 20"))?);
                }
                "garbage_collection_threshold" => {
                    let share = value.parse().ok().filter(|share| *share > 0.0 && *share < 1.0);
                    settings.garbage_collection_threshold =
                        share.ok_or_else(|| wrong("a share between 0 and 1"))?;
                }
                "roundup_power2_divisions" => {
                    settings.roundup = roundup(value)
                        .ok_or_else(|| wrong("powers of two such as `4` or `[256:1,>:4]`"))?;
                }
                "backend"
                | "release_lock_on_cudamalloc"
                | "release_lock_on_hipmalloc"
                | "pinned_use_cuda_host_register"
                | "pinned_use_hip_host_register"
                | "pinned_num_register_threads"
                | "pinned_use_background_threads"
                | "pinned_reserve_segment_size_mb"
                | "graph_capture_record_stream_reuse"
                | "per_process_memory_fraction"
                | "large_segment_size_mb" => {}
                _ => {
                    let names = "`expandable_segments`, `max_split_size_mb`, \
                                 `garbage_collection_threshold`, `roundup_power2_divisions`";
                    return Err(Fault::value_error(format!("expected {names}, found `{name}`")));
                }
            }
        }
        Ok(settings)
    }

    /// Steps between powers of two for a request of so many bytes; 0 for none.
    pub fn divisions(&self, bytes: u64) -> u64 {
        let doublings = bytes.max(1).ilog2().saturating_sub(20) as usize;
        u64::from(self.roundup[doublings.min(REST)])
    }
}

/// Cuts at commas outside brackets.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    let parts = text.split(move |c| {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(str::trim).filter(|part| !part.is_empty())
}

/// `4`, or `[256:1,512:2,>:4]`, where a number of MiB begins an interval.
fn roundup(value: &str) -> Option<Roundup> {
    let power = |text: &str| text.trim().parse().ok().filter(|n: &u32| n.is_power_of_two());
    let Some(list) = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else {
        return power(value).map(|divisions| [divisions; 16]);
    };
    let (mut roundup, mut last) = (Roundup::default(), 0);
    for (number, part) in list.split(',').enumerate() {
        let (begin, divisions) = part.split_once(':')?;
        let divisions = power(divisions)?;
        if begin.trim() == ">" {
            roundup[last..].fill(divisions);
            continue;
        }
        let at = (power(begin)?.ilog2() as usize).min(REST);
        // The first interval's divisions are those of all sizes below it, too.
        if number == 0 {
            roundup[..at].fill(divisions);
        }
        roundup[at] = divisions;
        last = at + 1;
    }
    Some(roundup)
}

impl fmt::Display for Settings {
    /// As the variable has them; nothing where all are the usual ones.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if self.expandable_segments {
            parts.push("expandable_segments:True".to_owned());
        }
        if let Some(size) = self.max_split_size {
            parts.push(format!("max_split_size_mb:{}", size / MIB));
        }
        if self.garbage_collection_threshold > 0.0 {
            parts.push(format!(
                "garbage_collection_threshold:{}",
                self.garbage_collection_threshold
            ));
        }
        match self.roundup {
            [0, ..] if self.roundup.iter().all(|n| *n == 0) => {}
            [first, ..] if self.roundup.iter().all(|n| *n == first) => {
                parts.push(format!("roundup_power2_divisions:{first}"));
            }
            each => {
                let of =
                    each.iter().enumerate().map(|(at, n)| format!("{}:{}", 1u64 << at, n.max(&1)));
                parts.push(format!(
                    "roundup_power2_divisions:[{}]",
                    of.collect::<Vec<_>>().join(",")
                ));
            }
        }
        f.write_str(&parts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_is_read_and_written() {
        for text in [
            "",
            "expandable_segments:True",
            "max_split_size_mb:128,garbage_collection_threshold:0.8",
            "expandable_segments:True,roundup_power2_divisions:4",
        ] {
            assert_eq!(Settings::parse(text).unwrap().to_string(), text);
        }
        let settings =
            Settings::parse("roundup_power2_divisions:[4:2,8:4,>:8],backend:native").unwrap();
        let of = |mib: u64| settings.divisions(mib << 20);
        assert_eq!([1, 4, 7, 8, 16, 1 << 20].map(of), [2, 2, 2, 4, 8, 8]);
        for text in [
            "max_split_size_mb:20",
            "expandable_segments",
            "garbage_collection_threshold:2",
            "roundup_power2_divisions:3",
            "unknown:1",
        ] {
            assert!(Settings::parse(text).is_err(), "{text}");
        }
    }
}
