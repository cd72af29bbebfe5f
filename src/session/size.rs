//! Sizes of memory as people write them: `8GiB`, `512MB`, `1e9`, `4096`, and the simulated devices
//! of `--simulate 2x8GiB`.

use crate::diag::Fault;

/// Units in capital letters, and the bytes of each. A letter alone means the binary unit, as in
/// `docker -m 8g` and `java -Xmx8g`.
const UNITS: [(&str, f64); 17] = [
    ("", 1.0),
    ("B", 1.0),
    ("K", 1024.0),
    ("KB", 1e3),
    ("KIB", 1024.0),
    ("M", 1_048_576.0),
    ("MB", 1e6),
    ("MIB", 1_048_576.0),
    ("G", 1_073_741_824.0),
    ("GB", 1e9),
    ("GIB", 1_073_741_824.0),
    ("T", 1_099_511_627_776.0),
    ("TB", 1e12),
    ("TIB", 1_099_511_627_776.0),
    ("BYTES", 1.0),
    ("P", 1_125_899_906_842_624.0),
    ("PIB", 1_125_899_906_842_624.0),
];

/// The most simulated devices at a time.
const MAX_DEVICES: usize = 64;

/// The least memory of a simulated device: one small segment of the allocator.
const LEAST_CAPACITY: usize = 2 << 20;

/// Bytes from a size.
///
/// # Errors
/// ValueError that says what a size looks like.
pub fn parse_size(text: &str) -> Result<usize, Fault> {
    let text = text.trim();
    let wrong = || {
        Fault::value_error(format!(
            "expected a size such as `8GiB`, `512MB`, `1e9` or `4096`, found `{text}`"
        ))
    };
    let digits = text.replace('_', "");
    let is_unit = |c: char| c.is_alphabetic() && !matches!(c, 'e' | 'E');
    let cut = digits.find(is_unit).unwrap_or(digits.len());
    let (number, unit) = (digits[..cut].trim(), digits[cut..].to_uppercase());
    let scale = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, scale)| *scale);
    let (Ok(number), Some(scale)) = (number.parse::<f64>(), scale) else {
        return Err(wrong());
    };
    let bytes = number * scale;
    if !bytes.is_finite() || bytes < 0.0 {
        return Err(wrong());
    }
    if bytes >= (1u64 << 62) as f64 {
        return Err(Fault::value_error(format!("expected a size below 4 EiB, found `{text}`")));
    }
    // Whole numbers of bytes beyond 2^53 have no exact f64.
    Ok(digits.parse().unwrap_or(bytes as usize))
}

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
    fn sizes() {
        let cases = [
            ("4096", 4096),
            ("1e9", 1_000_000_000),
            ("8GiB", 8 << 30),
            ("8 gib", 8 << 30),
            ("512MB", 512_000_000),
            ("1.5KiB", 1536),
            ("2G", 2 << 30),
            ("1_000B", 1000),
            ("0", 0),
            ("1e3 KB", 1_000_000),
            ("9007199254740993", 9_007_199_254_740_993),
        ];
        for (text, bytes) in cases {
            assert_eq!(parse_size(text).ok(), Some(bytes), "{text}");
        }
        for text in ["", "GiB", "8XiB", "-1", "nan", "inf", "1e300", "8 GiB x", "0x10", "8EiB"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }

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
