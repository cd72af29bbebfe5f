//! Simulated devices as people write them: `2x8GiB`.

use crate::diag::Fault;
use crate::memory::parse_size;

/// The most simulated devices at a time.
const MAX_DEVICES: usize = 64;

/// The least memory of a simulated device: one small segment of the allocator.
const LEAST_CAPACITY: usize = 2 << 20;

/// The memory of each simulated device: `8GiB` is one, `2x8GiB` two alike, `8GiB,16GiB` two that
/// differ.
///
/// # Errors
/// ValueError that names the part that can't be read.
pub fn parse_simulate(text: &str) -> Result<Vec<usize>, Fault> {
    let mut devices = Vec::new();
    for part in text.split(',') {
        let (count, size) = match part.split_once(['x', 'X', '×']) {
            Some((count, size)) => (count.trim().parse::<usize>().ok(), size),
            None => (Some(1), part),
        };
        let capacity = parse_size(size);
        let (Some(count @ 1..=MAX_DEVICES), Ok(capacity)) = (count, capacity) else {
            return Err(Fault::value_error(format!(
                "expected simulated devices such as `8GiB`, `2x8GiB` or `8GiB,16GiB`, found `{text}`"
            )));
        };
        if capacity < LEAST_CAPACITY {
            return Err(Fault::value_error(format!(
                "expected at least 2 MiB of memory for a simulated device, found `{}`",
                size.trim()
            )));
        }
        devices.extend(std::iter::repeat_n(capacity, count));
    }
    simulated_count(devices.len())?;
    Ok(devices)
}

/// Whether a session may have so many simulated devices.
///
/// # Errors
/// ValueError that names the most.
pub fn simulated_count(count: usize) -> Result<(), Fault> {
    if count > MAX_DEVICES {
        return Err(Fault::value_error(format!(
            "expected at most {MAX_DEVICES} simulated devices, found {count}"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simulated_devices() {
        assert_eq!(parse_simulate("8GiB").ok(), Some(vec![8 << 30]));
        assert_eq!(parse_simulate("2x8GiB").ok(), Some(vec![8 << 30; 2]));
        assert_eq!(parse_simulate("4MiB, 2x8MiB").ok(), Some(vec![4 << 20, 8 << 20, 8 << 20]));
        for text in ["", "0x8GiB", "x8GiB", "65x8GiB", "8", "2x", "40x2MiB,40x2MiB", "-1x8GiB"] {
            assert!(parse_simulate(text).is_err(), "{text}");
        }
    }
}
